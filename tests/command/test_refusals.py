"""Each call of refusals.txt ends with its status and its sentence, and touches no file.

SPDX-License-Identifier: MIT
"""

import json
import pathlib
import shlex

import numpy as np
import pytest
from command import DATA
from onnx_models import ints, model, one_pad, pad_node, port, two_branches, with_subgraph
from running import fail


def rows():
    """(words, status, code, sentence)"""
    found = []
    for line in pathlib.Path(__file__).with_name("refusals.txt").read_text().splitlines():
        if line.startswith("    "):
            found[-1][1].append(line)
        elif line and not line.startswith("#"):
            found.append((shlex.split(line), []))
    split = [(words, " ".join(" ".join(said).split()).split(" ", 2)) for words, said in found]
    return [(words, int(status), code, sentence) for words, (status, code, sentence) in split]


ROWS = rows()
FILES = {
    "in.npy": DATA,
    "x.npy": DATA,
    "grey.npy": np.arange(1, 71, dtype=np.uint8).reshape(7, 10),
    "image.npy": np.arange(1, 211, dtype=np.uint8).reshape(7, 10, 3),
    "bytes.npy": np.zeros((2, 3), np.uint8),
    "fx8.npy": np.arange(-70, -6, dtype=np.int8).reshape(2, 4, 8),
    "flat.npy": np.zeros((4, 4), np.int8),
    "none.npy": np.zeros((2, 0, 4), np.int8),
    "line.npy": np.arange(3),
    "m.onnx": one_pad(),
    "two.onnx": two_branches(),
    "if.onnx": with_subgraph(),
    "wrap.onnx": one_pad(pads=(4, 0, 0, 0)),
    "open.onnx": model(
        [pad_node(["x", "p"], "y", "pad", mode="reflect")],
        [port("x", ["n", 3, "h", "w"])],
        ["y"],
        [ints("p", [0, 0, 64, 1, 0, 0, 1, 1])],
    ),
    "m.xml": b'<net name="m" version="11"><layers/><edges/></net>',
    "m.bin": b"",
}


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("refusals")
    for name, content in FILES.items():
        if isinstance(content, bytes):
            (folder / name).write_bytes(content)
        else:
            np.save(folder / name, content)
    return folder


@pytest.mark.parametrize("words, status, code, sentence", ROWS, ids=[" ".join(r[0]) for r in ROWS])
def test_refusals(place, words, status, code, sentence):
    """As text, and as JSON where the command has it."""
    said = fail(status, *words, cwd=place).error.removeprefix("tensorpad: ")
    start = sentence.removesuffix("...")
    assert said == sentence + "\n" or start != sentence and said.startswith(start)
    if words[:1] and words[0] in ("pad", "run", "inspect", "check", "lower", "show", "bench"):
        told = json.loads(fail(status, words[0], "--json", *words[1:], cwd=place).error)["error"]
        assert (told["status"], told["code"]) == (status, code)
        assert told["text"] and told["text"] in said


@pytest.mark.parametrize("command", ["check", "lower"])
def test_too_many_targets(place, command):
    targets = ",".join(f"ort-1.18.{k}" for k in range(65))
    files = ["wrap.onnx", "out.onnx"][: 1 + (command == "lower")]
    fail(2, command, *files, "--target", targets, says="more than 64 targets", cwd=place)


def test_a_control_character_in_a_word_stays_on_one_line(place):
    words = ["--pads", "0,0", "i.npy", "o.npy"]
    for mode, says in ("a\n\x1b[31mb", "a\\x0a\\x1b[31mb"), (b"\xff\xc2\x9b", "'\\xff\\u009b'"):
        fail(2, "pad", "--mode", mode, *words, says=says, cwd=place)
