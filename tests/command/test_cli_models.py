"""`tensorpad run` and `tensorpad inspect`, of ONNX and of OpenVINO IR.  SPDX-License-Identifier: MIT"""

import io
import json
import unicodedata

import numpy as np
import onnx.helper as oh
import pytest
from command import DATA, DOCUMENT, json_error, npy_bytes, on_terminal, same
from onnx import TensorProto
from onnx_models import INT64, ints, model, one_pad, pad_node, port, save

WRAPPED = np.array(DOCUMENT["wrap"][1], np.float32)


@pytest.mark.parametrize(
    "words",
    [
        ["--input", "x.npy", "--output", "y.npy"],
        ["--input=x.npy", "--output=y.npy"],
        ["--input", "x=x.npy", "--output", "y=y.npy"],
        ["--node", "pad_0", "--input", "x.npy", "--output", "y.npy"],
        ["--lenient", "-q", "-f", "--input", "x.npy", "--output", "y.npy"],
    ],
)
def test_run(modelled, words):
    modelled.run("run", *words, "m.onnx")
    same(modelled.load("y.npy"), WRAPPED)


def test_run_pipes(modelled):
    words = ["run", "m.onnx", "--input", "-", "--output", "-"]
    done = modelled.run(*words, stdin=npy_bytes(np.asfortranarray(DATA)))
    same(np.load(io.BytesIO(done.stdout)), WRAPPED)


def test_run_two_outputs(modelled):
    modelled.save("q.npy", np.array([0, 0, 2, -1], np.int64))
    words = ["run", "two.onnx", "--input", "x=x.npy", "--input", "q=q.npy"]
    first = np.pad(DATA, [(0, 0), (1, 1)])
    second = np.pad(DATA[:, :1], [(0, 2), (0, 0)], "edge")
    modelled.run(*words, "--output", "b=b.npy", "--output", "a=a.npy")
    same(modelled.load("a.npy"), first)
    same(modelled.load("b.npy"), second)
    modelled.run(*words, "--output", "b=only.npy")
    same(modelled.load("only.npy"), second)
    modelled.run(*words, "--output", "a=dev.pb", "--output", "b=/dev/null", "-f")
    # One output fails: neither is written.
    modelled.fail(1, *words, "--output", "a=new.npy", "--output", "b=b.npy")
    for a, b, status in (
        ("a=c.npy", "b=c.npy", 2),
        ("a=c.npy", "b=./c.npy", 3),
        ("a=-", "b=-", 2),
        ("a=x.npy", "b=c.npy", 2),
        ("a=./x.npy", "b=c.npy", 3),
        ("a=two.onnx", "b=c.npy", 2),
    ):
        modelled.fail(status, *words, "-f", "--output", a, "--output", b)


def test_run_max_bytes(folder):
    """Results between nodes count, also those that are no longer there; and the default."""
    nodes = [pad_node([f"t{i}", "p"], f"t{i + 1}", f"pad_{i}") for i in range(40)]
    save(folder.path, nodes, [port("t0", [1])], [port("t40", ["n"])], [ints("p", [0, 1])])
    folder.save("x.npy", np.ones(1, np.float32))
    words = ["run", "m.onnx", "--input", "x.npy", "-f", "--output", "y.npy", "--max-bytes"]
    everything = sum(4 * (i + 1) for i in range(1, 41))
    folder.run(*words, str(everything))
    assert folder.load("y.npy").shape == (41,)
    last = f"{everything - 164} are there, and 'pad_39' needs 164\n"
    assert folder.fail(3, *words, str(everything - 1)).error.endswith(last)
    save(folder.path, nodes[:1], [port("t0", [1])], [port("t1", ["n"])], [ints("p", [0, 2**50])])
    refused = folder.fail(3, *words[:-1]).error
    assert "--max-bytes N (Python: max_bytes=N) allows more than" in refused
    with open("/proc/meminfo") as file:
        memory = int(file.readline().split()[1]) * 1024
    assert f"than {memory // 4} bytes" in refused


def test_run_file_names_with_an_equals_sign(modelled):
    modelled.save("a=b.npy", DATA)
    for given in ("a=b.npy", "x=a=b.npy"):
        modelled.run("run", "m.onnx", "--input", given, "--output", "y=c=d.npy", "-f")
        same(modelled.load("c=d.npy"), WRAPPED)
    modelled.run("run", "m.onnx", "--input", "a=b.npy", "--output", "q=e.npy")
    same(modelled.load("q=e.npy"), WRAPPED)


def test_run_strict_and_lenient(folder):
    folder.save("x.npy", DATA)
    (folder / "m.onnx").write_bytes(one_pad(opset=18))
    words = ["run", "m.onnx", "--input", "x.npy", "--output", "y.npy"]
    folder.fail(3, *words, says=["m.onnx", "pad_0", "19"])
    error = json_error(folder.fail(3, *words, "--json", "--node", "pad_0"))
    assert (error["code"], error["node"], error["file"]) == ("E_SPEC_MODE", "pad_0", "m.onnx")
    folder.run(*words, "--lenient")
    same(folder.load("y.npy"), WRAPPED)


@pytest.mark.parametrize("shape", [(5, 3), (2,), (3, 2, 1)])
def test_run_says_both_shapes(modelled, shape):
    modelled.save("s.npy", np.zeros(shape, np.float32))
    words = ["--input", "x=s.npy", "--input", "q=q.npy", "--output", "b=y.npy"]
    modelled.save("q.npy", np.zeros(4, np.int64))
    error = modelled.fail(3, "run", "two.onnx", *words).error
    given = ",".join(map(str, shape))
    assert f"input 'x' has shape [?,2], but [{given}] was given" in error


def test_run_takes_the_specifications_names(modelled):
    """Of one node the inputs are also called what the specification calls them."""
    modelled.save("q.npy", np.array([1, 0, 2, 0]))
    words = ["run", "two.onnx", "--node", "b", "--output", "y.npy", "-f"]
    expected = np.pad(DATA, ((1, 2), (0, 0)), "edge")
    for data, pads in ("data", "pads"), ("x", "pads"), ("data", "q"):
        modelled.run(*words, "--input", f"{data}=x.npy", "--input", f"{pads}=q.npy")
        same(modelled.load("y.npy"), expected)
    modelled.fail(
        3, *words, *"--input pads=q.npy --input q=q.npy".split(), says="input 'q' is given twice"
    )
    modelled.fail(
        3,
        *words,
        "--input",
        "data=x.npy",
        says="input 'q' (pads, int64) is missing: --input q=FILE",
    )
    modelled.fail(3, *words, "--input", "axes=q.npy", says="x, q")
    whole = [word for word in words if word not in ("--node", "b")] + ["--input", "pads=q.npy"]
    modelled.fail(3, *whole, says="write NAME=FILE with one of x, q")


def test_run_prefers_the_models_names(folder):
    """The data is called pads, and one array gives pads and axes."""
    pad = pad_node(["pads", "q", "", "q"], "y", "n")
    save(folder, [pad], [port("pads", [2, 3]), port("q", [2], INT64)], [port("y", ["a", "b"])])
    x = folder.save("x.npy", np.ones((2, 3), np.float32))
    q = folder.save("q.npy", np.array([1, 1]))
    words = ["run", "m.onnx", "--node", "n", "--output", "y.npy"]
    folder.fail(3, *words, "--input", f"pads={x}", "--input", f"axes={q}", says="pads: 2 entries")


def test_run_names_the_nodes_there_are(modelled):
    words = ["--node", "nobody", "--input", "x.npy", "--output", "y.npy"]
    modelled.fail(
        3,
        "run",
        "two.onnx",
        *words,
        says="no Pad node is called 'nobody'; there are 'first', 'b'\n",
    )
    modelled.fail(
        3,
        "run",
        "if.onnx",
        *words,
        says="; there are 'choice/then_branch/inner', 'choice/else_branch/inner'\n",
    )
    ports = [port("x", [1])], [port("y", [1])]
    nodes = [pad_node(["x", "p"], name, name) for name in (f"node_{i:03}" for i in range(300))]
    (modelled / "many.onnx").write_bytes(model(nodes, *ports, [ints("p", [0, 0])]))
    error = modelled.fail(3, "run", "many.onnx", *words).error
    assert "there are 'node_000', 'node_001', " in error and error.endswith(" more\n")
    listed = error.count("node_")
    assert 10 < listed < 50 and f" and {300 - listed} more" in error
    relu = oh.make_node("Relu", ["x"], ["y"])
    (modelled / "none.onnx").write_bytes(model([relu], *ports))
    modelled.fail(
        3, "run", "none.onnx", *words, says="no Pad node is called 'nobody': the model has none\n"
    )


def test_run_wants_the_models_type(modelled):
    modelled.save("i.npy", DATA.astype(np.int32))
    modelled.fail(
        3,
        *"run m.onnx --input i.npy --output y.npy".split(),
        says=["i.npy", "int32", "float", "'x'"],
    )


@pytest.mark.parametrize("raw", ["V2", "<u2"])
def test_run_types_that_npy_cannot_say(folder, raw):
    ports = [port("x", [2], TensorProto.BFLOAT16)], [port("y", [4], TensorProto.BFLOAT16)]
    save(folder, [pad_node(["x", "p"], "y", mode="edge")], *ports, [ints("p", [1, 1])])
    folder.save("x.npy", np.array([0x3F80, 0xC000], "<u2").view(raw))
    folder.run("run", "m.onnx", "--input", "x.npy", "--output", "y.npy")
    got = folder.load("y.npy")
    assert got.dtype.itemsize == 2
    assert got.view("<u2").tolist() == [0x3F80, 0x3F80, 0xC000, 0xC000]


def test_run_existing_output(modelled):
    modelled.save("y.npy", np.zeros(2))
    words = ["run", "m.onnx", "--input", "x.npy", "--output", "y.npy"]
    modelled.fail(1, *words, says="y.npy")
    same(modelled.load("y.npy"), np.zeros(2))
    modelled.run(*words, "--force")
    same(modelled.load("y.npy"), WRAPPED)


def test_run_tells_a_terminal(modelled):
    words = ["run", "m.onnx", "--input", "x.npy", "--output", "y.npy", "-f"]
    assert on_terminal(modelled, *words) == (0, "y.npy: float [6,4]\r\n")
    assert on_terminal(modelled, *words, "-q") == (0, "")


# ---- inspect -------------------------------------------------------------------------------------


NODE_KEYS = (
    "name graph spec version mode type input_shape output_shape begin end axes value "
    "computed findings"
).split()


def inspect(folder, name):
    document = json.loads(folder.run("inspect", "--json", name).stdout)
    assert list(document) == ["model", "nodes"]
    assert document["model"] == name
    for entry in document["nodes"]:
        assert list(entry) == NODE_KEYS
    return document["nodes"]


def test_inspect_unknown_things(modelled):
    first, second = inspect(modelled, "two.onnx")
    assert (first["input_shape"], first["output_shape"]) == ([None, 2], [None, 4])
    assert (second["name"], second["begin"], second["end"]) == ("", None, None)
    assert second["computed"] == ["pads"]
    text = modelled.run("inspect", "two.onnx").stdout.decode()
    assert "[?,2] -> [?,4]" in text
    assert "pads: computed at run time (input q)" in text
    assert text.splitlines()[-1] == "2 Pad nodes"


def test_inspect_subgraphs(modelled):
    entries = inspect(modelled, "if.onnx")
    assert [entry["mode"] for entry in entries] == ["edge", "reflect"]
    assert len({entry["graph"] for entry in entries}) == 2
    assert all(entry["graph"] for entry in entries)
    text = modelled.run("inspect", "if.onnx").stdout.decode()
    for entry in entries:
        assert f"inner  in {entry['graph']}\n" in text


def test_inspect_text(modelled):
    text = modelled.run("inspect", "m.onnx").stdout.decode()
    lines = text.splitlines()
    assert lines[0] == "pad_0"
    assert lines[1] == "    Pad-19 wrap float [3,2] -> [6,4]"
    assert lines[2] == "    begin [2,1] end [1,1]"
    assert lines[-1] == "1 Pad node"


def test_inspect_names_of_strangers(folder):
    name = 'a"\\\n\x1b[2J~é'
    content = one_pad(name=name)
    assert content.count(b"~") == 1
    (folder / "m.onnx").write_bytes(content.replace(b"~", b"\xff"))  # which is no UTF-8
    (entry,) = inspect(folder, "m.onnx")
    assert entry["name"] == 'a"\\\n\x1b[2J\ufffdé'
    text = folder.run("inspect", "m.onnx").stdout.decode()
    assert text.splitlines()[0] == 'a"\\\\x0a\\x1b[2J\\xffé'


# What moves the cursor, ends the line, turns the reading direction or cannot be seen: the
# categories of Unicode that say so, and fillers and variation selectors, which have another one.
UNSAFE = [
    chr(code)
    for code in range(1, 0xE1000)
    if unicodedata.category(chr(code)) in ("Cc", "Cf", "Zl", "Zp")
] + [chr(code) for code in (0x34F, 0x115F, 0x1160, 0x17B4, 0x180B, 0x3164, 0xFE0F, 0xFFA0, 0xE0100)]


def named(name):
    """A model whose node, input and output have the name."""
    pad = pad_node([name + "x", "p"], name + "y", name)
    return model(
        [pad], [port(name + "x", [3, 2])], [port(name + "y", [3, 2])], [ints("p", [0] * 4)]
    )


def test_nothing_unsafe_reaches_a_terminal(folder):
    (folder / "m.onnx").write_bytes(named("".join(UNSAFE) + "é界"))
    text = folder.run("inspect", "m.onnx").stdout.decode()
    assert [c for c in text if c in UNSAFE and c != "\n"] == []
    assert text.startswith("\\x01\\x02")
    assert "\\u202e" in text and "\\ufeff" in text and "\\U000e0041" in text and "é界" in text
    raw = folder.run("inspect", "--json", "m.onnx").stdout.decode()
    assert [c for c in raw if c in UNSAFE and c != "\n"] == []
    assert json.loads(raw)["nodes"][0]["name"] == "".join(UNSAFE) + "é界"


def test_nothing_unsafe_is_in_errors(folder):
    (folder / "m.onnx").write_bytes(named("a\u202eb\U000e0041"))
    words = "run", "m.onnx", "--output", "y.npy"
    folder.fail(3, *words, says="input 'a\\u202eb\\U000e0041x' (float)")
    done = folder.fail(3, *words, "--node", "\u2067")
    assert "'\\u2067'" in done.error
    done = folder.fail(1, *words, "--input", "\u2067.npy", "--json")
    assert json_error(done)["file"] == "\u2067.npy" and "\u2067" not in done.error


def test_inspect_a_model_without_pads(folder):
    save(folder, [oh.make_node("Relu", ["x"], ["y"])], ["x"], ["y"])
    assert folder.run("inspect", "m.onnx").stdout == b"0 Pad nodes\n"
    assert inspect(folder, "m.onnx") == []


# ---- OpenVINO -------------------------------------------------------------------------------------


INTS = np.arange(1, 13, dtype=np.int32).reshape(3, 4)

REFLECTED = [
    [10, 11, 12, 11, 10, 9],
    [6, 7, 8, 7, 6, 5],
    [2, 3, 4, 3, 2, 1],
    [6, 7, 8, 7, 6, 5],
]


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
def ir(folder):
    folder.save("x.npy", INTS)
    (folder / "m.xml").write_text(XML)
    (folder / "m.bin").write_bytes(bytes([2, 255, 255, 3]))
    return folder


def test_run_of_an_ir(ir):
    expected = np.array(REFLECTED, np.int32)
    for words in ([], ["--node", "frame"]):
        ir.run("run", "m.xml", *words, "--input", "x=x.npy", "--output", "y=y.npy", "-f")
        same(ir.load("y.npy"), expected)


def test_inspect_of_an_ir(ir):
    text = ir.run("inspect", "m.xml").stdout.decode()
    assert text.splitlines() == [
        "frame",
        "    Pad-12 reflect i32 [3,4] -> [4,6]",
        "    begin [2,-1] end [-1,3]",
        "1 Pad node",
    ]
    (node,) = json.loads(ir.run("inspect", "--json", "m.xml").stdout)["nodes"]
    assert (node["spec"], node["version"], node["type"]) == ("openvino", 12, "i32")


def test_strict_and_lenient_of_an_ir(ir):
    (ir / "m.xml").write_text(XML.replace("opset12", "opset11"))
    words = ["run", "m.xml", "--input", "x.npy", "--output", "y.npy"]
    error = json_error(ir.fail(3, *words, "--json"))
    assert (error["code"], error["file"]) == ("E_SPEC_PADS", "m.xml")
    assert "frame" in error["text"] and "Pad-12" in error["text"]
    ir.run(*words, "--lenient")
    same(ir.load("y.npy"), np.array(REFLECTED, np.int32))


def test_bad_irs(ir):
    for text, words in (
        (XML.replace('offset="2"', 'offset="3"'), ["m.xml", "layer 2 'e'", ".bin"]),
        (XML.replace("</net>", ""), ["m.xml", "line"]),
        ("<!DOCTYPE net []>" + XML[22:], ["document type"]),
        (XML.replace('version="11"', 'version="4"'), ["IR version 4"]),
        ("<a>" * 300, ["root element"]),
    ):
        (ir / "m.xml").write_text(text)
        error = ir.fail(3, "inspect", "m.xml").error
        for word in words:
            assert word in error
    (ir / "m.xml").write_text(XML)
    (ir / "m.bin").unlink()
    ir.fail(1, "inspect", "m.xml", says="m.bin")
