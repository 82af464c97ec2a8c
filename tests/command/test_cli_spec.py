"""Which specification a pad has: what --spec, --lenient and no --spec accept, and what is said of it.
SPDX-License-Identifier: MIT"""

import itertools
import json
import random
import re
import shutil

import numpy as np
import onnx_models
import pytest

MODES = ["constant", "edge", "reflect", "symmetric", "wrap"]
SPECS = ["onnx", "onnx-2", "onnx-18", "openvino", "openvino-1", "ngraph", "mli-hwc", "mli-chw"]


# ---- What accepts the words ----------------------------------------------------------------------


def problems():
    """Words that some specification refuses: modes, amounts, types, values."""
    for spec, mode, amount in itertools.product(SPECS, MODES, [1, -1, 9]):
        yield spec, [f"--mode={mode}", f"--begin={amount},0,0", "--end=9,0,0", "--value=0"]
    for spec in SPECS:
        yield spec, ["--begin=0,1,0", "--end=0,0,0"]
        yield spec, ["--begin=0,1,1", "--end=0,0,0", "--value=1"]
        yield spec, ["--begin=0,1,0,0", "--end=0,0,0,0", "--value=0"]
        yield spec, ["--begin=0,-9,0", "--end=0,0,0", "--value=0"]
        if spec.startswith(("onnx", "openvino")):
            yield spec, ["--lenient", "--begin=-9,0,0", "--end=9,0,0", "--mode=edge"]
            yield spec, ["--lenient", "--begin=1,0,0", "--end=0,0,0", "--mode=symmetric"]


@pytest.mark.parametrize("command", ["pad", "show"])
@pytest.mark.parametrize("dtype", ["f4", "i1", "V3"])
def test_a_refusal_names_exactly_what_accepts_the_words(folder, command, dtype):
    folder.save("in.npy", np.zeros((2, 3, 4), dtype))
    files = ["in.npy", "out.npy", "-f"] if command == "pad" else ["in.npy"]
    cases = list(problems())
    refused = 0
    chosen = random.Random(f"{command} {dtype}").sample(cases, 40)
    for spec, words in chosen + [case for case in cases if "--lenient" in case[1]]:
        first = folder.run_any(command, "--spec", spec, *words, *files)
        if first.status == 0:
            continue
        refused += 1
        assert first.status == 3, first.error
        family = re.sub(r"-\d+$", "", spec)
        ways = {"--spec plain": ["--spec", "plain"]}
        if family in ("onnx", "openvino"):
            ways["--lenient"] = ["--spec", spec, "--lenient"]
        if family != spec:
            ways[f"--spec {family}"] = ["--spec", family]
        accepting = {
            way
            for way, other in ways.items()
            if folder.run_any(command, *other, *words, *files).status == 0
        }
        said = re.search(r" \(((?:--[a-z -]+(?:, | and )?)+) accepts? it\)\n$", first.error)
        named = set(re.split(", | and ", said[1])) if said else set()
        # In the texts of MLI it stands already, also for lists of two, which only MLI takes.
        named |= {
            way
            for way in accepting
            if first.error.endswith(("any type\n", "every axis\n", "modes\n", "value\n"))
        }
        assert named == accepting, (first.error, words)
    assert refused > 15


def test_show_blames_no_shape(folder):
    line = folder.fail(3, *"show --spec onnx-18 --mode wrap --shape 3,4 --begin 1,1".split()).error
    assert line == (
        "tensorpad: show: mode: Pad-18 has no mode 'wrap'; Pad-19 is the first version that has it "
        "(--spec onnx, --lenient and --spec plain accept it)\n"
    )
    for spec, mode in itertools.product(SPECS, MODES):
        for words in (
            ["--begin=1,1,1"],
            ["--begin=1"],
            ["--begin=-9,0,0"],
            ["--begin=1,1,1", "--value=x"],
        ):
            done = folder.run_any(
                "show", "--spec", spec, "--mode", mode, "--shape", "2,3,4", *words
            )
            assert "--shape" not in done.error
            assert done.status == 0 or done.error.startswith("tensorpad: show: ")
    said = folder.fail(3, *"show --json --spec ngraph --shape 3 --begin 1".split()).error
    assert '"file":null' in said.replace(" ", "")


def test_a_node_cannot_have_another_spec(folder):
    (folder / "m.onnx").write_bytes(onnx_models.one_pad(mode="wrap", opset=18))
    line = folder.fail(3, "show", "m.onnx").error
    assert line.endswith("that has it (--lenient accepts it)\n")
    folder.run("show", "m.onnx", "--lenient")


def test_run_names_lenient_where_it_helps(folder):
    folder.save("x.npy", np.zeros((3, 2), "f4"))
    run = ["run", "m.onnx", "--input", "x.npy", "--output", "out.npy"]
    (folder / "m.onnx").write_bytes(onnx_models.one_pad(mode="symmetric"))
    for node in ([], ["--node", "pad_0"]):
        assert folder.fail(3, *run, *node).error.endswith(" (--lenient accepts it)\n")
    folder.run(*run, "--lenient")
    (folder / "m.onnx").write_bytes(onnx_models.one_pad(mode="mean"))
    assert "--lenient" not in folder.fail(3, *run).error
    assert "--lenient" not in folder.fail(3, *run, "--lenient").error


# ---- Without --spec ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        *[
            [f"--mode={mode}", *amounts]
            for mode in MODES
            for amounts in (
                ["--pads=2,1,1,2"],
                ["--begin=-1,0", "--end=3,0"],
                ["--begin=-9,0"],
                ["--begin=0,9"],
                ["--to=5"],
            )
        ],
        ["--interior=1"],
        ["--begin=1,1", "--order=crop"],
        ["--begin=1,1", "--mode=edge,wrap"],
        ["--pads=0", "--value=x"],
        ["--begin=1,1", "--lenient"],
    ],
)
@pytest.mark.parametrize("dtype", ["u1", "V3"])
def test_without_spec_is_plain(folder, words, dtype):
    """What is written, drawn and said is the same with --spec plain, in one file, in many and in none."""
    folder.save("in.npy", np.arange(36, dtype="u1").view(dtype)[:12].reshape(3, 4))
    answers = []
    for spec in ([], ["--spec", "plain"]):
        one = folder.run_any("pad", *spec, *words, "-f", "in.npy", "out.npy")
        many = folder.run_any("pad", *spec, *words, "-f", "in.npy", "--out-dir", "out")
        drawn = folder.run_any("show", *spec, *words, "--shape", "3,4")
        written = [
            path.read_bytes()
            for path in (folder / "out.npy", folder / "out/in.npy")
            if path.exists()
        ]
        shutil.rmtree(folder / "out", ignore_errors=True)
        answers.append(
            [(done.status, done.stdout, done.error) for done in (one, many, drawn)] + written
        )
        assert (one.status, many.status) in [(0, 0), (2, 2), (3, 1)]
        assert len(written) == (2 if one.status == 0 else 0)
    assert answers[0] == answers[1]


# ---- tensorpad specs ------------------------------------------------------------------------------


# The document's numbers of element types.
ONNX = {1: 3, 2: 3, 11: 11, 13: 16, 18: 16, 19: 16, 21: 22, 23: 23, 24: 24, 25: 26}


def listed(folder):
    out = folder.run("specs", "--json").stdout
    assert out.endswith(b"\n")
    return {entry["spec"]: entry for entry in json.loads(out)["specs"]}


def test_onnx_rows(folder):
    specs = listed(folder)
    assert [name for name in specs if name.startswith("onnx")] == [f"onnx-{v}" for v in ONNX]
    for version, types in ONNX.items():
        row = specs[f"onnx-{version}"]
        assert len(row["types"]) == types
        assert ("wrap" in row["modes"]) == (version >= 19)
        assert row["axes"] == (version >= 18) and not row["interior"]
        assert row["order"] == "crop" and row["amounts"] == "signed"
        assert ("attribute" in row["pads"]) == (version < 11)


def test_plain_row(folder):
    row = listed(folder)["plain"]
    assert row["modes"] == ["constant", "edge", "reflect", "symmetric", "wrap"]
    assert row["types"] is None and row["interior"] is True and row["order"] == "window"


@pytest.mark.parametrize("mode", ["constant", "edge", "reflect", "symmetric", "wrap"])
def test_what_is_listed_is_what_is_taken(folder, mode):
    """Every spec of the list is a --spec; every mode it lists is taken, every other refused."""
    for name, row in listed(folder).items():
        kind = np.int8 if name.startswith("mli") else np.float32
        amounts = "0,1,0" if name == "mli-chw" else "1,0,0"
        folder.save("in.npy", np.arange(60).reshape(3, 4, 5).astype(kind))
        words = [f"--spec={name}", f"--mode={mode}", f"--begin={amounts}", f"--end={amounts}"]
        words += ["--value=0"] if name == "ngraph" else []
        words += ["-f", "in.npy", "out.npy"]
        if mode in row["modes"]:
            folder.pad(*words)
        else:
            folder.fail(3, "pad", *words)


def test_text_fits_a_terminal(folder):
    lines = folder.run("specs").stdout.decode().splitlines()
    assert max(map(len, lines)) <= 80
    assert [line for line in lines if not line.startswith(" ")] == list(listed(folder))


def test_one_spec(folder):
    """A name alone is what --spec makes of it: onnx is the newest version."""
    whole = folder.run("specs").stdout.decode()
    rows = listed(folder)
    for name in rows:
        text = folder.run("specs", name).stdout.decode()
        assert text.startswith(f"{name}\n    modes") and text in whole
        out = folder.run("specs", name, "--json").stdout
        assert json.loads(out) == {"specs": [rows[name]]}
    one = {"onnx": "onnx-25", "openvino": "openvino-12"}
    between = {"onnx-12": "onnx-11", "openvino-11": "openvino-1"}
    for word, name in (one | between).items():
        assert folder.run("specs", word).stdout.startswith(name.encode() + b"\n"), word
