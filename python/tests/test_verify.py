"""python -m tensorpad.verify: what it sees in runtimes, also in those that die."""

import re
import signal
import subprocess
import sys

import numpy as np
import onnx
import pytest
import tensorpad

openvino = pytest.importorskip("openvino")
from tensorpad import verify  # noqa: E402
from test_onnxruntime import TensorProto, helper, ort, save  # noqa: E402

ORT, OPENVINO = (
    f"{name}-{'.'.join(module.__version__.split('.')[:2])}"
    for name, module in (("ort", ort), ("openvino", openvino))
)
OPEN, FIXED = (("x", TensorProto.FLOAT, [1, 3, *shape]) for shape in ("hw", (8, 8)))
PADS = np.int64([0, 0, 1, 1, 0, 0, 1, 1])
RUNTIME = """
import os, signal, time, numpy
RUNTIME = "tract"
TARGETS = {"tract-0.23": ["tract==1"]}
def version(): return "0.22.4"
def load(path): pass
def run(model, inputs):
    match inputs["x"].shape[-1]:
        case 8: os.abort()
        case 9: time.sleep(60)
        case 10: os.kill(os.getppid(), signal.SIGINT); time.sleep(60)
        case 16: return [numpy.ones(3 << 30, "u1")]
"""


def verified(capsys, status, *words):
    """{what a line begins with: its rest}"""
    assert verify.main([str(word) for word in words]) == status
    said = capsys.readouterr()
    return dict(
        re.match("(.*?): (.*)|(.*)", line).groups()[:2]
        for line in (said.out + said.err).splitlines()
    )


def padded(path, op=None, port=OPEN, pads=PADS, mode="constant", **words):
    """A Pad, and a node after it. pads None: they are an input."""
    nodes = [helper.make_node("Pad", ["x", "p"], ["t" if op else "y"], mode=mode)]
    if op:
        nodes.append(helper.make_node(op, ["t", "k"][: 1 + (op == "Conv")], ["y"], **words))
    constants = [("k", np.ones((3, 3, 3, 3), "f4")), *([("p", pads)] if pads is not None else [])]
    inputs = [port, *([("p", TensorProto.INT64, [8])] if pads is None else [])]
    return save(path, nodes, inputs, [("y", TensorProto.FLOAT, [None] * 4)], constants)


@pytest.mark.long
def test_openvino_takes_a_pad_into_auto_pad_where_sizes_are_open(tmp_path, capsys):
    model = padded(tmp_path / "m.onnx", "Conv", auto_pad="SAME_UPPER")
    said = verified(capsys, 4, model, "--target", "ort,openvino", "--dim", "h=8", "--dim", "x:3=8")
    for n in (8, 9, 16):
        assert said[f"{ORT}  model  x=1,3,{n},{n}"] == "same"
        assert said[f"{OPENVINO}  model  x=1,3,{n},{n}"].startswith(
            f"differs: output 'y' is float32[1, 3, {n}, {n}] here and float32[1, 3, {n + 2}, {n + 2}] in the "
        )
    fixed = padded(tmp_path / "m.onnx", "Conv", FIXED, auto_pad="SAME_UPPER")
    assert (
        verified(capsys, 0, fixed, "--target", "openvino")[f"{OPENVINO}  model  x=1,3,8,8"]
        == "same"
    )


@pytest.mark.long
def test_what_lower_makes_is_run_too(tmp_path, capsys):
    """At the sizes that it takes. The status is that of OUT where it is given."""
    model, out = padded(tmp_path / "m.onnx", mode="wrap"), tmp_path / "out.onnx"
    words = [model, "--target", "openvino", "--input-shape", "x=1,3,8,8"]
    tensorpad.lower_model(model, out, "openvino")
    for status, given in ((4, []), (0, [out])):
        said = verified(capsys, status, *words, *given)
        assert said[f"{OPENVINO}  model  x=1,3,9,9"].startswith("refuses: ")
        assert said[f"{OPENVINO}  lowered  x=1,3,9,9"] == "same"
    said = verified(capsys, 4, *words, padded(out, port=FIXED))
    assert said[f"{OPENVINO}  lowered  x=1,3,9,9"] == "not run: its inputs have another shape"
    text = (
        "differs: 108 of 300 elements of output 'y' differ, the first at [0, 0, 0, 0]: 0.0 here and"
    )
    assert said[f"{OPENVINO}  lowered  x=1,3,8,8"].startswith(text)
    two, graph = tmp_path / "two.onnx", onnx.load(model)
    graph.graph.output.insert(0, helper.make_tensor_value_info("x", TensorProto.FLOAT, None))
    onnx.save(graph, two)
    for words in ([model, "--input-shape", "x=1,3,9,9"], [two, "--dim", "h=8", "--dim", "w=8"]):
        text = verified(capsys, 3, *words, out, "--target", "ort")["tensorpad.verify"]
        assert "its inputs or outputs have other names or shapes" in text


@pytest.mark.long
def test_a_runtime_that_dies_hangs_or_takes_all_memory(tmp_path, capsys, monkeypatch):
    (tmp_path / "tract.py").write_text(RUNTIME)
    known = verify.runtimes.targets
    monkeypatch.setenv("PYTHONSAFEPATH", "1")
    monkeypatch.setattr(verify.runtimes, "targets", lambda: {**known(), **known(tmp_path)})
    said = verified(
        capsys,
        4,
        padded(tmp_path / "m.onnx"),
        "--target",
        "tract-0.23,ort",
        "--timeout",
        5,
        "--memory",
        2,
        "--dim",
        "h=8",
        "--dim",
        "w=8",
    )
    assert said["tract-0.23"] == '0.22.4 is installed and runs instead: pip install "tract==0.23.*"'
    for n, text in {
        8: "crashes: SIGABRT",
        9: "crashes: no answer in 5 s",
        16: "refuses: Unable to alloc",
    }.items():
        assert said[f"tract-0.22  model  x=1,3,{n},{n}"].startswith(text)
        assert said[f"{ORT}  model  x=1,3,{n},{n}"] == "same"
    signal.signal(
        signal.SIGINT, signal.default_int_handler
    )  # it is ignored in a job of the background
    said = verified(
        capsys, 1, tmp_path / "m.onnx", "--target", "tract", "--dim", "h=10", "--dim", "w=10"
    )
    assert said["tensorpad.verify"] == "KeyboardInterrupt"


def test_sizes(tmp_path, capsys):
    """Three that differ, also from 1 on; below 0 means open. A version that is not installed is missing."""
    path = padded(tmp_path / "m.onnx", port=("x", TensorProto.FLOAT, [1, 3, -1, "w"]))
    said = verified(capsys, 1, path, "--target", "ort-1.20", "--dim", "x:2=1", "--dim", "w=1")
    assert [said[f"{ORT}  model  x=1,3,{n},{n}"] for n in (1, 2, 3)] == ["same"] * 3


@pytest.mark.long
def test_what_cannot_be_compared(tmp_path, capsys):
    path = tmp_path / "m.onnx"
    for op in "Sqrt", "RandomNormalLike":  # NaNs, and numbers that are drawn
        said = verified(capsys, 1, padded(path, op, pads=None), "--target", "coreml,ort")
        assert said["coreml"] == "not run: no Python package runs it"
        assert said[f"{ORT}  model  x=1,3,64,64 p=8"] == "same"
        assert ("only shapes are compared" in said) == (op != "Sqrt")
    graph = onnx.load(padded(path, port=("x", TensorProto.FLOAT, [1, 3, 0, 2]), pads=0 * PADS))
    graph.graph.node[0].input[0] = graph.graph.input[0].name = "image"
    onnx.save(graph, path)
    said = verified(capsys, 4, path, "--target", "opencv")
    assert said["opencv-5.0  model  image=1,3,0,2"].startswith(
        "differs: output 'y' is float32[0] here and "
    )
    cropped = verified(
        capsys, 0, padded(path, pads=-PADS), "--target", "ort"
    )  # which the reference refuses
    assert cropped[f"{ORT}  model  x=1,3,33,33"] == "same"
    text = verified(capsys, 1, padded(path, pads=PADS << 20), "--target", "ort")["tensorpad.verify"]
    assert text.startswith(
        "the reference has no answer at x=1,3,32,32: refuses: Unable to allocate"
    )
    graph.graph.output[0].type.optional_type.elem_type.tensor_type.elem_type = TensorProto.FLOAT
    onnx.save(graph, path)
    text = verified(capsys, 3, path, "--target", "ort")["tensorpad.verify"]
    assert text == "output 'y' is not a tensor, and only tensors are compared"
    path.write_bytes(b"no model")
    assert "tensorpad.verify" in verified(capsys, 3, path, "--target", "ort")
    code = "import sys, runpy; sys.modules['onnx'] = None; runpy.run_module('tensorpad.verify', run_name='__main__')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 1 and re.match(
        "tensorpad.verify: onnx is missing.*: pip install onnx\n$", done.stderr
    )


@pytest.mark.parametrize("low, value, status", [(0, 0, 0), (-1, 0, 4), (0, -3, 4)])
def test_an_ir(tmp_path, capsys, low, value, status):
    """OpenVINO averages the integers of a FakeQuantize, in which 0 is not 0."""
    from openvino import opset1

    x = openvino.op.Parameter(openvino.Type.f32, openvino.PartialShape([1, 3, 8, -1]))
    x.set_friendly_name("x")
    ends = [np.float32(end) for end in (low, low + 2)]
    begin = [0, 0, 1, 1] if value == 0 else [0, 0, 1, 0]
    pad = opset1.pad(
        opset1.fake_quantize(x, *ends, *ends, 256), begin, [0] * 4, "constant", np.float32(value)
    )
    pool = opset1.avg_pool(pad, [1, 1], [0, 0], [0, 0], [3, 3], True)
    openvino.save_model(openvino.Model([pool], [x], "m"), tmp_path / "m.xml")
    shape = ["--input-shape", "x=1,3,8,9"]
    said = verified(capsys, status, tmp_path / "m.xml", "--target", "openvino", *shape)
    for size in "1,3,8,9", "1,3,8,10", "1,3,8,18":
        text = said[f"{OPENVINO}  model  x={size}"]
        assert text.startswith("refuses" if value else "differs") if status else text == "same"
        assert not status or said[f"{OPENVINO}  lowered  x={size}"] == "same"
    (tmp_path / "m.xml").write_text("<net>")
    assert (
        "not a valid OpenVINO IR"
        in verified(capsys, 3, tmp_path / "m.xml", "--target", "openvino")["tensorpad.verify"]
    )
