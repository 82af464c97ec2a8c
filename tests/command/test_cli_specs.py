"""tensorpad specs: what is listed is what --spec takes. SPDX-License-Identifier: MIT"""

import json

import numpy as np
import pytest

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
