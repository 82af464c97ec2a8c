"""`tensorpad lower`: words, messages, statuses, files.  SPDX-License-Identifier: MIT

Which operators stand in for a Pad, and whether they are right, is tested elsewhere (checker/tests/c/lowering,
checker/tests/models, conformance/tests): here is what the command makes of it.
"""

import json
import os
import subprocess

import numpy as np
import onnx
import onnxruntime
import pytest
from command import COMMAND, json_error
from onnx_models import (
    INT64,
    external,
    ints,
    model,
    one_pad,
    pad_node,
    port,
    two_branches,
    with_subgraph,
)

KEYS = [
    "model",
    "output",
    "written",
    "targets",
    "input_shapes",
    "dims",
    "assumed",
    "nodes",
    "kept",
    "rewritten",
    "cannot",
    "folded",
]
NODE_KEYS = [
    "graph",
    "name",
    "outcome",
    "target",
    "verdict",
    "code",
    "text",
    "operators",
    "reason",
    "into",
    "not_folded",
]
IR = """<?xml version="1.0"?><net name="m" version="11"><layers>
<layer id="0" name="x" type="Parameter" version="opset1"><data shape="3,4" element_type="f32"/>
<output><port id="0" precision="FP32"><dim>3</dim><dim>4</dim></port></output></layer>
<layer id="1" name="begin" type="Const" version="opset1">
<data element_type="i64" shape="2" size="16" offset="0"/>
<output><port id="0" precision="I64"><dim>2</dim></port></output></layer>
<layer id="2" name="end" type="Const" version="opset1">
<data element_type="i64" shape="2" size="16" offset="16"/>
<output><port id="0" precision="I64"><dim>2</dim></port></output></layer>
<layer id="3" name="pad" type="Pad" version="opset12"><data pad_mode="edge"/>
<input><port id="0" precision="FP32"><dim>3</dim><dim>4</dim></port>
<port id="1" precision="I64"><dim>2</dim></port><port id="2" precision="I64"><dim>2</dim></port>
</input><output><port id="3" precision="FP32"><dim>4</dim><dim>6</dim></port></output></layer>
<layer id="4" name="y" type="Result" version="opset1">
<input><port id="0" precision="FP32"><dim>4</dim><dim>6</dim></port></input></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="3" to-port="0"/>
<edge from-layer="1" from-port="0" to-layer="3" to-port="1"/>
<edge from-layer="2" from-port="0" to-layer="3" to-port="2"/>
<edge from-layer="3" from-port="3" to-layer="4" to-port="0"/></edges></net>"""


def open_shape():
    """Reflect by 3 cells of an axis that the model leaves open: enough only for more than 3."""
    pad = pad_node(["x", "p"], "y", "pad_0", mode="reflect")
    return model([pad], [port("x", ["n", 2])], [port("y", ["m", 2])], [ints("p", [3, 0, 0, 0])])


def mixed():
    """A Pad that all run, one that OpenVINO refuses, and one whose amounts are an input."""
    return model(
        [
            pad_node(["x", "p"], "a", "plain"),
            pad_node(["x", "p"], "b", "around", mode="wrap"),
            pad_node(["x", "q"], "c", mode="wrap"),
        ],
        [port("x", [3, 2]), port("q", [4], INT64)],
        [port(name, ["u", "v"]) for name in "abc"],
        [ints("p", [0, 1, 0, 1])],
    )


@pytest.fixture
def models(folder):
    files = {
        "wrap.onnx": one_pad(pads=(4, 0, 0, 0)),  # ONNX Runtime 1.23 answers wrongly
        "plain.onnx": one_pad("constant", pads=(0, 1, 0, 1)),
        "if.onnx": with_subgraph(),
        "two.onnx": two_branches(),
        "mixed.onnx": mixed(),
        "open.onnx": open_shape(),
        "none.onnx": model([], [], []),
        "m.xml": IR.encode(),
        "m.bin": np.array([1, 0, 0, 2], "<i8").tobytes(),
    }
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder


def lower(folder, *words):
    return folder.run("lower", *words)


def refuse(folder, status, *words, says=()):
    """A failure. What becomes of the nodes may be printed before."""
    return folder.fail(status, "lower", *words, says=says, prints=True)


def test_for_the_plugin(models):
    """One Pad is wrong, one slower, one has few rows."""
    nodes = [
        pad_node(["x", "p"], "a", "wrong", mode="reflect"),
        pad_node(["z", "p"], "b", "slow", mode="edge"),
        pad_node(["x", "q"], "c", "few", mode="edge"),
    ]
    (models / "three.onnx").write_bytes(
        model(
            nodes,
            [port("x", [3, 2]), port("z", [64, 2])],
            [port(name, ["u", "v"]) for name in "abc"],
            [ints("p", [0, 4, 0, 0]), ints("q", [0, 1, 0, 0])],
        )
    )
    words = ["three.onnx", "out.onnx", "--plugin", "--target", "ort-1.23"]
    assert lowered(models, *words) == [
        "wrong: differs on ort-1.23 (TP105), now Pad of the plug-in",
        "slow: the plug-in is faster, now Pad of the plug-in",
        "3 Pad nodes: 1 kept, 2 rewritten, 0 cannot be lowered; out.onnx is written",
    ]
    written = {node.name: node.domain for node in onnx.load(models / "out.onnx").graph.node}
    assert written == {"wrong": "tensorpad", "slow": "tensorpad", "few": ""}
    found = report(models, *words, "-f")["nodes"]
    assert [(one["outcome"], one["target"], one["code"]) for one in found] == [
        ("rewritten", "ort-1.23", "TP105"),
        ("rewritten", None, None),
        ("kept", None, None),
    ]
    assert lowered(models, "plain.onnx", "plain-out.onnx", "--plugin", "--target", "ort") == [
        "1 Pad node: 1 kept, 0 rewritten, 0 cannot be lowered; plain-out.onnx is a copy"
    ]
    refuse(
        models,
        3,
        *"m.xml new.xml --plugin --target ort".split(),
        says="ONNX Runtime reads ONNX models only",
    )
    refuse(
        models,
        2,
        *"three.onnx new.onnx --plugin --target ort,tract".split(),
        says="'tract-0.23' has no plug-in: ONNX Runtime has one",
    )
    assert not (models / "new.onnx").exists() and not (models / "new.xml").exists()


def lines_of(done):
    """The lines of the report."""
    return done.stdout.decode().splitlines()


def lowered(folder, *words):
    return lines_of(lower(folder, *words))


def report(folder, *words):
    found = json.loads(lower(folder, "--json", *words).stdout)
    assert list(found) == KEYS
    assert all(list(one) == NODE_KEYS for one in found["nodes"])
    assert found["kept"] + found["rewritten"] + found["cannot"] == len(found["nodes"])
    return found


def answer(path, x):
    return onnxruntime.InferenceSession(path).run(None, {"x": x})[0]


# ---- What is written -----------------------------------------------------------------------------


def test_a_pad_is_rewritten(models):
    lines = lowered(models, "wrap.onnx", "out.onnx", "--target=ort-1.23,openvino")
    assert len(lines) == 2
    assert lines[0].startswith("pad_0: refuses on openvino-2026.4 (TP201), now ")
    assert lines[1] == "1 Pad node: 0 kept, 1 rewritten, 0 cannot be lowered; out.onnx is written"
    made = onnx.load(models / "out.onnx")
    onnx.checker.check_model(made, full_check=True)
    operators = [one.op_type for one in made.graph.node]
    assert "Pad" not in operators
    assert set(lines[0].split("now ")[1].replace(" x2", "").split(", ")) <= set(operators)
    x = np.arange(6, dtype=np.float32).reshape(3, 2)
    assert np.array_equal(answer(models / "out.onnx", x), np.pad(x, ((4, 0), (0, 0)), "wrap"))


def test_the_worst_target_is_named(models):
    [line, _] = lowered(models, "wrap.onnx", "out.onnx", "--target", "ort-1.23")
    assert line.startswith("pad_0: differs on ort-1.23 (TP109), now ")
    [line, _] = lowered(models, "wrap.onnx", "out.onnx", "-f", "--target=openvino,ort-1.23")
    assert line.startswith("pad_0: refuses on openvino-2026.4")


def test_check_finds_nothing_in_what_is_written(models):
    lower(models, "wrap.onnx", "out.onnx", "--target=ort-1.17,ort-1.23,openvino,tract")
    models.run(
        *"check out.onnx --target=ort-1.17,ort-1.23,openvino,tract --fail-on=unknown".split()
    )


@pytest.mark.parametrize("name", ["plain.onnx", "none.onnx"])
def test_nothing_to_change_is_a_copy(models, name):
    count = 1 if name == "plain.onnx" else 0
    assert lowered(models, name, "out.onnx", "--target=ort,openvino") == [
        f"{count} Pad node{'' if count == 1 else 's'}: {count} kept, 0 rewritten, 0 cannot be "
        "lowered; out.onnx is a copy"
    ]
    assert (models / "out.onnx").read_bytes() == (models / name).read_bytes()


def test_subgraphs_are_named(models):
    """Opset 25, which ONNX Runtime 1.23 does not have."""
    lines = lowered(models, "if.onnx", "out.onnx", "--target=ort-1.23", "--partial")
    assert lines[0].startswith("choice/then_branch/inner: refuses on ort-1.23")
    assert lines[1].startswith("choice/else_branch/inner: refuses on ort-1.23")


# ---- What cannot be lowered ----------------------------------------------------------------------


def test_a_node_that_cannot_be_lowered(models):
    words = ["mixed.onnx", "out.onnx", "--target=openvino"]
    done = refuse(models, 3, *words)
    lines = done.stdout.decode().splitlines()
    assert len(lines) == 3 and "plain" not in done.stdout.decode()
    assert lines[0].startswith("around: refuses on openvino-2026.4 (TP201), now ")
    assert lines[1].startswith("c: ") and ", stays: " in lines[1]
    assert lines[2] == "3 Pad nodes: 1 kept, 1 rewritten, 1 cannot be lowered; nothing is written"
    assert not (models / "out.onnx").exists()
    reason = lines[1].split("stays: ")[1]
    for part in ("mixed.onnx", "1 of 3 Pad nodes", "'c'", reason, "--partial"):
        assert part in done.error
    lines = lowered(models, *words, "--partial")
    assert lines[1].startswith("c: ") and ", stays: " in lines[1]
    assert lines[2] == "3 Pad nodes: 1 kept, 1 rewritten, 1 cannot be lowered; out.onnx is written"
    nodes = onnx.load(models / "out.onnx").graph.node
    assert [list(one.output) for one in nodes if one.op_type == "Pad"] == [["a"], ["c"]]


def test_a_subgraph_is_named_in_the_error(models):
    refuse(
        models,
        3,
        "if.onnx",
        "out.onnx",
        "--target=opencv-4.14",
        says=["'choice/then_branch/inner'", "2 of 2 Pad nodes"],
    )


def test_an_unknown_verdict_says_what_is_missing(models):
    words = ["wrap.onnx", "out.onnx", "--target=ort-1.25"]
    [line, _] = lines_of(refuse(models, 3, *words))
    assert line.startswith("pad_0: unknown on ort-1.25 (TP109), stays: ")
    assert "the versions between were not run" in line
    refuse(models, 3, *words, says="the versions between were not run")


def test_what_the_document_forbids(models):
    """A mode that no version has: no answer would be right."""
    (models / "bad.onnx").write_bytes(one_pad("median"))
    lines = lines_of(refuse(models, 3, "bad.onnx", "out.onnx", "--target=ort,openvino"))
    assert (
        lines[0].startswith("pad_0: ") and "the specification does not allow the node" in lines[0]
    )
    assert "same" not in lines[0]
    found = report(models, "bad.onnx", "out.onnx", "--target=ort", "--partial")
    assert found["nodes"][0]["outcome"] == "cannot" and found["written"] is True
    assert (models / "out.onnx").read_bytes() == (models / "bad.onnx").read_bytes()


def test_a_file_that_is_newer_than_a_target(models):
    """Other operators would not help, so it is not rewritten."""
    new = onnx.load(models / "wrap.onnx")
    new.ir_version = 12
    onnx.save(new, models / "new.onnx")
    [line, _] = lines_of(refuse(models, 3, "new.onnx", "out.onnx", "--target=ort-1.23"))
    assert (
        "(TP117), stays: no operator helps in this file: " in line and "up to IR version 11" in line
    )


def test_external_data_behind_a_circle_of_links(models):
    """Nobody can say whether OUT is one of its files: the model is bad, the command did not fail."""
    weights = external("p", "circle.bin", [4])
    pads = pad_node(["x", "p"], "y", "pad")
    (models / "circle.onnx").write_bytes(model([pads], [port("x", [2, 3])], [port("y")], [weights]))
    (models / "circle.bin").symlink_to("circle.bin")
    refuse(models, 3, "circle.onnx", "out.onnx", "--target=ort", says="symbolic links")


def test_input_shapes(models):
    words = ["open.onnx", "out.onnx", "--target=ort"]
    [line, _] = lines_of(refuse(models, 3, *words))
    assert "unknown on ort-1.32 (TP104)" in line
    lines = lowered(models, *words, "--input-shape", "x=3,2")
    assert lines[0].startswith("pad_0: refuses on ort-1.32 (TP104), now ")
    assert lines[1].endswith("out.onnx is written, whose inputs have the shapes that were given")
    x = np.arange(6, dtype=np.float32).reshape(3, 2)
    # NumPy goes on where ONNX ends: 3 cells of 3 are reflected from 5 of them.
    expected = x[[1, 2, 1, 0, 1, 2]]
    assert np.array_equal(answer(models / "out.onnx", x), expected)
    with pytest.raises(
        onnxruntime.capi.onnxruntime_pybind11_state.InvalidArgument, match="Expected: 3"
    ):
        answer(models / "out.onnx", np.zeros((4, 2), np.float32))
    found = report(models, *words, "-f", "--input-shape", "x=3,2")
    assert found["input_shapes"] == [{"name": "x", "shape": [3, 2]}]
    refuse(models, 3, *words, "-f", "--input-shape", "z=3", says="'z'")


def test_only_inputs_with_a_given_shape_change(models):
    """All that the file says of them stays, beside the shape."""
    old = onnx.load(models / "open.onnx")
    other = old.graph.input.add()
    other.CopyFrom(port("other", ["n", None]))
    old.graph.input[0].doc_string = "rows"
    old.graph.input[0].type.denotation = "TENSOR"
    onnx.save(old, models / "said.onnx")
    lowered(models, "said.onnx", "out.onnx", "--target=ort", "--input-shape", "x=3,2")
    new = onnx.load(models / "out.onnx")
    onnx.checker.check_model(new)
    assert new.graph.input[1] == other
    assert [dim.dim_value for dim in new.graph.input[0].type.tensor_type.shape.dim] == [3, 2]
    new.graph.input[0].type.tensor_type.shape.CopyFrom(old.graph.input[0].type.tensor_type.shape)
    assert new.graph.input[0] == old.graph.input[0]


def test_a_type_in_two_parts(models):
    """Readers merge the two; the shape goes into what they have together."""
    whole = onnx.load(models / "open.onnx")
    parts = [onnx.ValueInfoProto(), onnx.ValueInfoProto(name="x")]
    parts[0].type.tensor_type.elem_type = onnx.TensorProto.FLOAT
    parts[1].type.tensor_type.shape.CopyFrom(whole.graph.input[0].type.tensor_type.shape)
    del whole.graph.input[:]
    both = b"".join(part.SerializeToString() for part in parts)
    graph = whole.graph.SerializeToString() + bytes([11 << 3 | 2, len(both)]) + both
    whole.ClearField("graph")
    length = len(graph)
    raw = whole.SerializeToString() + bytes([7 << 3 | 2, length & 127 | 128, length >> 7]) + graph
    (models / "parts.onnx").write_bytes(raw)
    lowered(models, "parts.onnx", "out.onnx", "--target=ort", "--input-shape", "x=3,2")
    made = onnx.load(models / "out.onnx").graph.input[0].type.tensor_type
    assert made.elem_type == onnx.TensorProto.FLOAT
    assert [dim.dim_value for dim in made.shape.dim] == [3, 2]


def test_a_given_shape_that_the_pad_cannot_have(models):
    """Without the shape it would be kept; with it, more is cut off than there is."""
    pad = pad_node(["x", "p"], "y", "pad")
    made = model([pad], [port("x", ["n"])], [port("y", ["m"])], [ints("p", [-4, -4])])
    (models / "cut.onnx").write_bytes(made)
    words = ["cut.onnx", "out.onnx", "--target=ort", "--input-shape"]
    refuse(models, 3, *words, "x=5", says="does not allow the node")
    assert "kept" in lowered(models, *words, "x=9")[-1]


@pytest.mark.parametrize("shape", ["3,2", "5,2"])
def test_a_rewrite_for_all_shapes_leaves_inputs_open(models, shape):
    """ONNX Runtime has no Pad of int16: Casts stand around it, whatever the shape is."""
    pad = pad_node(["x", "p"], "y", mode="edge")
    x, y = (port(name, ["n", 2], onnx.TensorProto.INT16) for name in "xy")
    (models / "short.onnx").write_bytes(model([pad], [x], [y], [ints("p", [1, 0, 1, 0])]))
    words = ["short.onnx", "out.onnx", "-f", "--target=ort"]
    assert "--input-shape" not in lowered(models, *words, "--input-shape", "x=" + shape)[-1]
    fixed = (models / "out.onnx").read_bytes()
    assert report(models, *words, "--input-shape", "x=" + shape)["input_shapes"] == []
    lowered(models, *words)
    assert (models / "out.onnx").read_bytes() == fixed
    for rows in 1, 4:
        x = np.arange(2 * rows, dtype=np.int16).reshape(rows, 2)
        assert np.array_equal(answer(models / "out.onnx", x), np.pad(x, ((1, 1), (0, 0)), "edge"))


def test_the_inputs_of_an_ir_get_their_shapes(models):
    """OpenVINO is right where the mirror is near enough, which the extent decides. Of the file only
    that changes."""
    old = IR.replace('"3,4" element', '"?,4" element').replace("edge", "reflect", 1)
    (models / "open.xml").write_text(old)
    (models / "open.bin").write_bytes((models / "m.bin").read_bytes())
    words = ["open.xml", "out.xml", "-f", "--target=openvino"]
    assert "TP208" in lines_of(refuse(models, 3, *words))[0]
    assert lowered(models, *words, "--input-shape", "x=5,4")[-1].endswith(
        "the shapes that were given"
    )
    assert (models / "out.xml").read_text() == old.replace('"?,4" element', '"5,4" element')
    assert (models / "out.bin").read_bytes() == (models / "m.bin").read_bytes()
    both = old.replace('"?,4" element', '"?,?" element')
    (models / "open.xml").write_text(both)
    lowered(models, *words, "--dim", "x:0=5", "--assume", "x:1>=4")
    assert (models / "out.xml").read_text() == both.replace('"?,?" element', '"5,?" element')


# ---- For programs --------------------------------------------------------------------------------


def test_json(models):
    found = report(models, "mixed.onnx", "out.onnx", "--target=openvino,ort", "--partial")
    assert (found["model"], found["output"], found["written"]) == ("mixed.onnx", "out.onnx", True)
    assert found["targets"] == ["openvino-2026.4", "ort-1.32"] and found["input_shapes"] == []
    assert (found["kept"], found["rewritten"], found["cannot"]) == (1, 1, 1)
    kept, rewritten, cannot = found["nodes"]
    assert kept == dict.fromkeys(NODE_KEYS) | {"graph": "", "name": "plain", "outcome": "kept"}
    assert (rewritten["name"], rewritten["outcome"]) == ("around", "rewritten")
    assert (rewritten["target"], rewritten["code"]) == ("openvino-2026.4", "TP201")
    assert rewritten["verdict"] == "refuses" and "wrap" in rewritten["text"]
    assert rewritten["operators"] and rewritten["reason"] is None
    assert (cannot["name"], cannot["outcome"], cannot["operators"]) == ("c", "cannot", None)
    assert cannot["target"] in found["targets"] and cannot["reason"]


def test_json_of_a_refusal(models):
    done = refuse(models, 3, "mixed.onnx", "out.onnx", "--target=openvino", "--json")
    found = json.loads(done.stdout)
    assert found["written"] is False and found["cannot"] == 1
    error = json_error(done)
    assert (error["status"], error["code"], error["file"]) == (3, "E_MODEL", "mixed.onnx")


def test_quiet(models):
    assert lowered(models, "wrap.onnx", "out.onnx", "--target=ort-1.23", "-q") == []
    assert lines_of(refuse(models, 3, "mixed.onnx", "o.onnx", "--target=openvino", "--quiet")) == []
    assert report(models, "wrap.onnx", "out.onnx", "--target=ort-1.23", "-q", "-f")["written"]


def test_names_from_files_are_escaped(models):
    (models / "odd.onnx").write_bytes(one_pad(pads=(4, 0, 0, 0), name="a\n\x1b[31m\u202eb"))
    [line, _] = lowered(models, "odd.onnx", "out.onnx", "--target=ort-1.23")
    assert line.startswith("a\\x0a\\x1b[31m\\u202eb: differs on ort-1.23")
    refuse(models, 3, "odd.onnx", "o.onnx", "--target=ort-1.25", says="'a\\x0a\\x1b[31m\\u202eb'")
    found = report(models, "odd.onnx", "out.onnx", "-f", "--target=ort-1.23")
    assert found["nodes"][0]["name"] == "a\n\x1b[31m\u202eb"
    lines = lowered(models, "wrap.onnx", "\x1b.onnx", "--target=ort-1.23")
    assert lines[1].endswith("; \\x1b.onnx is written")


# ---- Words ---------------------------------------------------------------------------------------


# ---- Files ---------------------------------------------------------------------------------------


def test_an_output_that_exists(models):
    (models / "out.onnx").write_bytes(b"precious")
    words = ["lower", "wrap.onnx", "out.onnx", "--target=ort-1.23"]
    models.fail(1, *words, says="out.onnx: exists; -f overwrites it")
    lower(models, "wrap.onnx", "out.onnx", "--target=ort-1.23", "--force")
    onnx.checker.check_model(onnx.load(models / "out.onnx"))


def test_a_refusal_leaves_the_old_output(models):
    (models / "out.onnx").write_bytes(b"precious")
    refuse(models, 3, "mixed.onnx", "out.onnx", "--target=openvino", "-f")
    assert (models / "out.onnx").read_bytes() == b"precious"


def test_the_output_is_not_the_model(models):
    os.link(models / "wrap.onnx", models / "hard.onnx")
    (models / "soft.onnx").symlink_to("wrap.onnx")
    for out in ("./wrap.onnx", "hard.onnx", "soft.onnx"):
        refuse(models, 3, "wrap.onnx", out, "-f", "--target=ort-1.23", says=["same file", out])


def test_models_that_cannot_be_read(models):
    (models / "bad.onnx").write_bytes(b"no model")
    refuse(models, 3, "bad.onnx", "out.onnx", "--target=ort", says="bad.onnx")
    refuse(models, 1, "nothing.onnx", "o.onnx", "--target=ort", says="nothing.onnx")
    refuse(models, 1, "wrap.onnx", "no/out.onnx", "--target=ort", says="no/out.onnx")


def test_an_ir_and_its_weights(models):
    words = ["m.xml", "o.xml", "--target=openvino"]
    assert lowered(models, *words) == [
        "1 Pad node: 1 kept, 0 rewritten, 0 cannot be lowered; o.xml is a copy"
    ]
    for ending in ("xml", "bin"):
        assert (models / f"o.{ending}").read_bytes() == (models / f"m.{ending}").read_bytes()
    (models / "o.xml").unlink()
    refuse(models, 1, *words, says="o.bin: exists")
    (models / "o.bin").unlink()
    before = [(models / name).read_bytes() for name in ("m.xml", "m.bin")]
    for new, own in (("o.bin", "m.bin"), ("o.bin", "m.xml"), ("o.xml", "m.bin")):
        (models / new).symlink_to(own)
        refuse(models, 3, *words, "-f", says=f"{new}: is the same file as '{own}'")
        (models / new).unlink()
        assert not (models / "o.xml").exists()
    assert before == [(models / name).read_bytes() for name in ("m.xml", "m.bin")]


def test_standard_output_that_is_full(models):
    """No OUT if the report cannot be printed."""
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [COMMAND, "lower", "wrap.onnx", "out.onnx", "--target=ort-1.23"],
            cwd=models.path,
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=60,
        )
    assert done.returncode == 1 and done.stderr.count(b"\n") == 1
    assert not (models / "out.onnx").exists()
