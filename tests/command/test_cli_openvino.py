"""`--spec openvino` and OpenVINO IR files.  SPDX-License-Identifier: MIT"""

import json

import numpy as np
import pytest
from command import json_error, same

DATA = np.arange(1, 13, dtype=np.int32).reshape(3, 4)

MIXED = {
    "constant": [[0] * 6, [0] * 6, [2, 3, 4, 0, 0, 0], [6, 7, 8, 0, 0, 0]],
    "edge": [[2, 3, 4, 4, 4, 4]] * 3 + [[6, 7, 8, 8, 8, 8]],
    "reflect": [
        [10, 11, 12, 11, 10, 9],
        [6, 7, 8, 7, 6, 5],
        [2, 3, 4, 3, 2, 1],
        [6, 7, 8, 7, 6, 5],
    ],
    "symmetric": [[6, 7, 8, 8, 7, 6], [2, 3, 4, 4, 3, 2], [2, 3, 4, 4, 3, 2], [6, 7, 8, 8, 7, 6]],
}


def test_values_and_types(folder):
    words = ["--spec", "openvino", "--begin", "1", "--end", "0"]
    for kind in "u1 u2 u4 u8 i1 i2 i4 i8 f2 f4 f8 ?".split():
        for order in "<>":
            dtype = np.dtype(kind if kind == "?" else order + kind)
            data = np.ones(1, dtype)
            same(folder.padded(data, *words), np.array([0, 1], dtype))
            same(folder.padded(data, *words, "--value", "1"), np.array([1, 1], dtype))
    got = folder.padded(np.array([0x3F80], "<u2"), *words, "--dtype", "bf16", "--value", "-2")
    assert got.view("<u2").tolist() == [0xC000, 0x3F80]
    assert "complex64" in folder.refused(np.zeros(1, "c8"), *words)
    assert "--spec plain" in folder.refused(np.zeros(1, "M8[s]"), *words)
    assert "--value" in folder.refused(np.zeros(1, "u1"), *words, "--value", "256")
    # Not used there, as the documents have it, but it must be a value.
    same(
        folder.padded(np.ones(1, "u1"), *words, "--mode", "edge", "--value", "7"), np.ones(2, "u1")
    )


# ---- IR files ------------------------------------------------------------------------------------


XML = """<?xml version="1.0"?>
<net name="m" version="11"><layers>
<layer id="0" name="x" type="Parameter" version="opset1"><data shape="3,4" element_type="i32"/>
<output><port id="0" precision="I32"><dim>3</dim><dim>4</dim></port></output></layer>
<layer id="1" name="b" type="Const" version="opset1"><data element_type="i8" shape="2" offset="0"
size="2"/><output><port id="0" precision="I8"><dim>2</dim></port></output></layer>
<layer id="2" name="e" type="Const" version="opset1"><data element_type="i8" shape="2" offset="2"
size="2"/><output><port id="0" precision="I8"><dim>2</dim></port></output></layer>
<layer id="3" name="frame" type="Pad" version="opset12"><data pad_mode="reflect"/><input>
<port id="0"/><port id="1"/><port id="2"/></input><output><port id="3" names="y"/></output></layer>
<layer id="4" name="r" type="Result" version="opset1"><input><port id="0"/></input></layer>
</layers><edges>
<edge from-layer="0" from-port="0" to-layer="3" to-port="0"/>
<edge from-layer="1" from-port="0" to-layer="3" to-port="1"/>
<edge from-layer="2" from-port="0" to-layer="3" to-port="2"/>
<edge from-layer="3" from-port="3" to-layer="4" to-port="0"/>
</edges></net>"""


@pytest.fixture
def model(folder):
    folder.save("x.npy", DATA)
    (folder / "m.xml").write_text(XML)
    (folder / "m.bin").write_bytes(bytes([2, 255, 255, 3]))
    return folder


def test_run(model):
    expected = np.array(MIXED["reflect"], np.int32)
    for words in ([], ["--node", "frame"]):
        model.run("run", "m.xml", *words, "--input", "x=x.npy", "--output", "y=y.npy", "-f")
        same(model.load("y.npy"), expected)


def test_inspect(model):
    text = model.run("inspect", "m.xml").stdout.decode()
    assert text.splitlines() == [
        "frame",
        "    Pad-12 reflect i32 [3,4] -> [4,6]",
        "    begin [2,-1] end [-1,3]",
        "1 Pad node",
    ]
    (node,) = json.loads(model.run("inspect", "--json", "m.xml").stdout)["nodes"]
    assert (node["spec"], node["version"], node["type"]) == ("openvino", 12, "i32")


def test_strict_and_lenient(model):
    (model / "m.xml").write_text(XML.replace("opset12", "opset11"))
    words = ["run", "m.xml", "--input", "x.npy", "--output", "y.npy"]
    error = json_error(model.fail(3, *words, "--json"))
    assert (error["code"], error["file"]) == ("E_SPEC_PADS", "m.xml")
    assert "frame" in error["text"] and "Pad-12" in error["text"]
    model.run(*words, "--lenient")
    same(model.load("y.npy"), np.array(MIXED["reflect"], np.int32))


def test_bad_models(model):
    for text, words in (
        (XML.replace('offset="2"', 'offset="3"'), ["m.xml", "layer 2 'e'", ".bin"]),
        (XML.replace("</net>", ""), ["m.xml", "line"]),
        ("<!DOCTYPE net []>" + XML[22:], ["document type"]),
        (XML.replace('version="11"', 'version="4"'), ["IR version 4"]),
        ("<a>" * 300, ["root element"]),
    ):
        (model / "m.xml").write_text(text)
        error = model.fail(3, "inspect", "m.xml").error
        for word in words:
            assert word in error
    (model / "m.xml").write_text(XML)
    (model / "m.bin").unlink()
    model.fail(1, "inspect", "m.xml", says="m.bin")
