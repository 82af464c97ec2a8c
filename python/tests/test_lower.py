"""lower_model, and the example of docs/lower.md."""

import json
import os
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest
import tensorpad
from calls import run_meanwhile
from tensorpad import _model_files

onnx = pytest.importorskip("onnx")
from onnx import TensorProto, helper  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
KEYS = [
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


def save(path, *pads, inputs=(), weights=()):
    """A chain of Pads: (name, mode, amounts, or the name of an input)."""
    nodes, constants, data = [], list(weights), "x"
    for name, mode, amounts in pads:
        if not isinstance(amounts, str):
            constants.append(helper.make_tensor(f"{name}_pads", 7, [len(amounts)], amounts))
            amounts = f"{name}_pads"
        nodes.append(helper.make_node("Pad", [data, amounts], [f"{name}_y"], name=name, mode=mode))
        data = f"{name}_y"
    graph = helper.make_graph(
        nodes,
        "g",
        [
            helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 3]),
            *(helper.make_tensor_value_info(name, TensorProto.INT64, [4]) for name in inputs),
        ],
        [helper.make_tensor_value_info(data, TensorProto.FLOAT, ["a", "b"])],
        constants,
    )
    opset = [helper.make_opsetid("", 19)]
    onnx.save(helper.make_model(graph, opset_imports=opset, ir_version=9), path)
    return path


@pytest.fixture
def chain(tmp_path):
    """One Pad that all run, one that OpenVINO refuses, one whose amounts are an input."""
    return save(
        tmp_path / "chain.onnx",
        ("frame", "constant", [0, 1, 0, 1]),
        ("around", "wrap", [2, 0, 3, 0]),
        ("late", "wrap", "n"),
        inputs=["n"],
    )


def test_what_was_done(tmp_path):
    path = save(
        tmp_path / "m.onnx", ("frame", "constant", [0, 1, 0, 1]), ("around", "wrap", [2, 0, 3, 0])
    )
    out = tmp_path / "out.onnx"
    frame, around = tensorpad.lower_model(path, out, ["ort", "openvino"])
    assert list(frame) == list(around) == KEYS
    assert frame == dict.fromkeys(KEYS) | {"graph": "", "name": "frame", "outcome": "kept"}
    assert (around["name"], around["outcome"], around["verdict"]) == (
        "around",
        "rewritten",
        "refuses",
    )
    assert (around["target"], around["code"]) == ("openvino-2026.4", "TP201")
    assert "wrap" in around["text"] and around["reason"] is None
    made = onnx.load(out)
    onnx.checker.check_model(made, full_check=True)
    operators = [node.op_type for node in made.graph.node]
    assert operators.count("Pad") == 1
    assert set(re.sub(r" x\d+", "", around["operators"]).split(", ")) <= set(operators)
    ort = pytest.importorskip("onnxruntime")
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    (y,) = ort.InferenceSession(out).run(None, {"x": x})
    assert np.array_equal(y, np.pad(np.pad(x, ((0, 0), (1, 1))), ((2, 3), (0, 0)), "wrap"))


def test_it_tells_what_the_command_tells(tmp_path, chain):
    nodes = tensorpad.lower_model(chain, tmp_path / "a.onnx", "openvino", partial=True)
    words = ["lower", chain, tmp_path / "b.onnx", "--target=openvino", "--partial", "--json"]
    done = subprocess.run([sys.executable, "-m", "tensorpad", *words], capture_output=True)
    assert done.returncode == 0 and nodes == json.loads(done.stdout)["nodes"]
    assert (tmp_path / "a.onnx").read_bytes() == (tmp_path / "b.onnx").read_bytes()


def test_what_cannot_be_lowered(tmp_path, chain):
    out = tmp_path / "out.onnx"
    out.write_bytes(b"precious")
    with pytest.raises(ValueError, match=r"1 of 3 Pad nodes .* 'late': .*partial=True") as raised:
        tensorpad.lower_model(chain, out, ["openvino"])
    assert str(chain) in str(raised.value) and out.read_bytes() == b"precious"
    nodes = tensorpad.lower_model(chain, out, ["openvino"], partial=True)
    assert [node["outcome"] for node in nodes] == ["kept", "rewritten", "cannot"]
    assert nodes[2]["operators"] is None and nodes[2]["reason"]
    assert [node.name for node in onnx.load(out).graph.node if node.op_type == "Pad"] == [
        "frame",
        "late",
    ]


def test_the_missing_fact_is_in_the_error(tmp_path):
    path = save(tmp_path / "m.onnx", ("pad", "wrap", [4, 0, 0, 0]))
    with pytest.raises(ValueError, match="the versions between were not run"):
        tensorpad.lower_model(path, tmp_path / "out.onnx", "ort-1.25")


def test_files(tmp_path):
    path = save(tmp_path / "m.onnx", ("pad", "constant", [0, 1, 0, 1]))
    out = tmp_path / "out.onnx"
    out.write_bytes(b"old")
    (node,) = tensorpad.lower_model(str(path), str(out), "ort")  # overwrites
    assert node["outcome"] == "kept" and out.read_bytes() == path.read_bytes()
    for name, error, text in (
        ("m.onnx", ValueError, "same file"),
        ("out.xml", ValueError, r"\.onnx"),
        ("none/out.onnx", OSError, "none"),
    ):
        with pytest.raises(error, match=text):
            tensorpad.lower_model(path, tmp_path / name, "ort")
    with pytest.raises(FileNotFoundError):
        tensorpad.lower_model(tmp_path / "none.onnx", out, "ort")
    assert sorted(os.listdir(tmp_path)) == ["m.onnx", "out.onnx"]


def test_an_ir(tmp_path):
    ov = pytest.importorskip("openvino")
    from openvino import opset12

    x = opset12.parameter([2, 3], np.float32, name="x")
    pad = opset12.pad(x, np.int64([1, 0]), np.int64([0, 1]), "edge")
    path = tmp_path / "m.xml"
    ov.save_model(ov.Model([pad], [x]), path, compress_to_fp16=False)
    (node,) = tensorpad.lower_model(path, tmp_path / "out.xml", "openvino")
    assert node["outcome"] == "kept"
    for ending in ("xml", "bin"):
        copy = tmp_path / f"out.{ending}"
        assert copy.read_bytes() == (tmp_path / f"m.{ending}").read_bytes()


def test_targets_and_shapes(tmp_path):
    path = save(tmp_path / "m.onnx", ("pad", "constant", [0, 1, 0, 1]))
    out = tmp_path / "out.onnx"
    for targets in ([], ["ort"] * 65):
        with pytest.raises(ValueError, match=f"1 to 64 targets, got {len(targets)}"):
            tensorpad.lower_model(path, out, targets)
    with pytest.raises(ValueError, match="unknown target 'ort-9'; known are ort-1.17"):
        tensorpad.lower_model(path, out, ["ort", "ort-9"])
    with pytest.raises(TypeError):
        tensorpad.lower_model(path, out, [131])
    with pytest.raises(ValueError, match="'z'"):
        tensorpad.lower_model(path, out, "ort", input_shapes={"z": (1,)})
    assert not out.exists()
    assert (
        len(tensorpad.lower_model(path, out, (n for n in ["ort"]), input_shapes={"x": (2, 3)})) == 1
    )


def test_other_threads_run_meanwhile(tmp_path):
    """The GIL is free while a large model is written."""
    weight = helper.make_tensor("w", TensorProto.UINT8, [1 << 26], bytes(1 << 26), raw=True)
    path = save(tmp_path / "m.onnx", ("pad", "constant", [0, 1, 0, 1]), weights=[weight])
    model = _model_files.load(path)
    lower = _model_files._models.lower
    out = os.fsencode(tmp_path / "o.onnx")
    assert run_meanwhile(lambda: lower(model, ("ort",), out, False, False, False))


def test_the_example_of_the_page(tmp_path):
    save(
        tmp_path / "model.onnx",
        ("frame", "constant", [0, 1, 0, 1]),
        ("around", "wrap", [2, 0, 3, 0]),
        ("mirror", "reflect", [0, 6, 0, 0]),
    )
    page = (ROOT / "docs/lower.md").read_text(encoding="utf-8")
    calls = re.findall(r"^    \$ tensorpad (.*)\n((?:    (?!\$).*\n)+)", page, re.M)
    assert [call.split()[0] for call, _ in calls] == ["check", "lower", "check"]
    for call, shown in calls:
        command = [sys.executable, "-m", "tensorpad", *call.split()]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode in (0, 4) and done.stdout.split() == shown.split(), call


def test_pads_that_become_a_part_of_a_conv(tmp_path):
    weight = helper.make_tensor("w", TensorProto.FLOAT, [1, 1, 3], [1, 2, 3])
    amounts = helper.make_tensor("p", TensorProto.INT64, [6], [0, 0, 1, 0, 0, 2])
    nodes = [
        helper.make_node("Pad", ["x", "p"], ["a"], name="pad"),
        helper.make_node("Conv", ["a", "w"], ["y"], name="conv"),
    ]
    ports = [
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)]
        for name, shape in (("x", [1, 1, 5]), ("y", [1, 1, 6]))
    ]
    graph = helper.make_graph(nodes, "g", *ports, [weight, amounts])
    path, out = tmp_path / "m.onnx", tmp_path / "out.onnx"
    onnx.save(
        helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=9), path
    )
    (node,) = tensorpad.lower_model(path, out, "ort-1.31", fold=True)
    assert [node["outcome"], node["into"], node["not_folded"]] == ["folded", "Conv conv", None]
    assert [one.op_type for one in onnx.load(out).graph.node] == ["Conv"]
    (node,) = tensorpad.lower_model(path, out, "ort-1.31,tensorrt".split(","), fold=True)
    assert node["not_folded"] == "tensorrt was not seen to run Conv with such pads right"
    (node,) = tensorpad.lower_model(path, out, "ort-1.31")
    assert [node["outcome"], node["into"], node["not_folded"]] == ["kept", None, None]
