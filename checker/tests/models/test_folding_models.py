"""`inspect` on real models: what follows from constants and shapes is what ONNX Runtime meets.

SPDX-License-Identifier: MIT

The exports are made by exports/export.py; the others come from packages (fetch-data.sh).
"""

import pathlib
import re
import resource
import subprocess

import harness
import numpy as np
import onnx
import onnx.helper as oh
import onnx.numpy_helper as nh
import onnxruntime
import pytest
from onnx import shape_inference
from samples import inspect

EXPORTS = sorted((pathlib.Path(__file__).parent / "exports").glob("*.onnx"))
SILERO = [
    "silero_vad",
    "silero_vad_16k_op15",
    "silero_vad_16k_sequence",
    "silero_vad_half",
    "silero_vad_op18_ifless",
    "silero_vad_openvino_16k",
]
DTYPES = {"float": np.float32, "int64": np.int64, "float16": np.float16}


def branch(graph, path):
    """The graph that a path such as If_0/else_branch names: steps are nodes and attributes."""
    steps = path.split("/") if path else []
    while steps:
        # names of nodes may hold slashes themselves
        for length in range(1, len(steps)):
            name, label = "/".join(steps[:length]), steps[length]
            index = re.fullmatch(r"(\w+)_(\d+)", name)
            for i, node in enumerate(graph.node):
                if node.name != name and not (
                    not node.name and index and index[1] == node.op_type and int(index[2]) == i
                ):
                    continue
                found = [a.g for a in node.attribute if a.name == label]
                if found:
                    graph, steps = found[0], steps[length + 1 :]
                    break
            else:
                continue
            break
        else:
            raise LookupError(path)
    return graph


def as_model(path, where):
    """The model, or the branch `where` of it as a model with the same inputs."""
    model = onnx.load(path)
    if not where:
        return model
    inner = branch(model.graph, where)
    weights = [*model.graph.initializer, *inner.initializer]
    ports = [port for port in model.graph.input if port.name not in {t.name for t in weights}]
    graph = oh.make_graph(inner.node, "g", ports, [], initializer=weights)
    return oh.make_model(graph, opset_imports=model.opset_import, ir_version=8)


def met(path, where, name, shapes):
    """What the Pad node is given in a run of ONNX Runtime, and what it makes."""
    model = as_model(path, where)
    at = next(i for i, node in enumerate(model.graph.node) if node.name == name)
    pad = model.graph.node[at]
    wanted = [text for text in [*pad.input, pad.output[0]] if text]
    fixed = {t.name: nh.to_array(t) for t in model.graph.initializer if t.name in wanted}
    nodes = list(model.graph.node[: at + 1])
    del model.graph.node[:], model.graph.output[:]
    model.graph.node.extend(nodes)
    model.graph.output.extend(oh.make_empty_tensor_value_info(t) for t in wanted if t not in fixed)
    generator = np.random.default_rng(0)
    given = {}
    for port in model.graph.input:
        kind = port.type.tensor_type
        extents = [d.dim_value for d in kind.shape.dim]
        word = oh.tensor_dtype_to_np_dtype(kind.elem_type)
        given[port.name] = generator.random(shapes.get(port.name, extents)).astype(word)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(model.SerializeToString(), options)
    names = [output.name for output in session.get_outputs()]
    if not names:
        names = None
    known = {port.name for port in session.get_inputs()}
    results = session.run(names, {k: v for k, v in given.items() if k in known})
    return pad, {**given, **fixed, **dict(zip(names or [], results))}


def words(shapes):
    return [
        word
        for name, shape in shapes.items()
        for word in ("--input-shape", f"{name}={','.join(map(str, shape))}")
    ]


def check(path, shapes, count=None):
    """Every Pad node of the model is understood, as ONNX Runtime meets it."""
    entries = inspect(path, *words(shapes))
    assert count is None or len(entries) == count
    assert entries
    for entry in entries:
        assert entry["computed"] == [], entry
        pad, values = met(path, entry["graph"], entry["name"], shapes)
        data, output = values[pad.input[0]], values[pad.output[0]]
        assert entry["input_shape"] == list(data.shape), entry
        assert entry["output_shape"] == list(output.shape), entry
        assert DTYPES[entry["type"]] == data.dtype
        pads = values[pad.input[1]].tolist()
        assert entry["begin"] + entry["end"] == pads, entry
        if len(pad.input) > 2 and pad.input[2]:
            assert float(entry["value"]) == values[pad.input[2]].item()
        if len(pad.input) > 3:
            assert entry["axes"] == values[pad.input[3]].tolist()


def check_inference(path):
    """ONNX's own shape inference knows no extent that is not known here, and none otherwise."""
    try:
        model = shape_inference.infer_shapes(onnx.load(path), data_prop=True)
    except onnx.shape_inference.InferenceError:
        return
    found = {}
    for entry in inspect(path):
        found[entry["name"], entry["graph"]] = entry
    shapes = {
        info.name: [
            d.dim_value if d.HasField("dim_value") else None
            for d in info.type.tensor_type.shape.dim
        ]
        for info in [*model.graph.value_info, *model.graph.output, *model.graph.input]
        if info.type.tensor_type.HasField("shape")
    }
    for node in model.graph.node:
        if node.op_type != "Pad":
            continue
        entry = found[node.name, ""]
        for key, name in ("input_shape", node.input[0]), ("output_shape", node.output[0]):
            for said, extent in zip(shapes.get(name, []), entry[key] or [], strict=name in shapes):
                assert said is None or said == extent, (entry, key, shapes[name])


@pytest.mark.parametrize("path", EXPORTS, ids=lambda path: path.stem)
def test_exports(path):
    """As torch's TorchScript exporter writes them, with static and with dynamic axes."""
    assert len(EXPORTS) == 4
    check_inference(path)
    if "dynamic" not in path.name:
        check(path, {})
        return
    assert any(entry["computed"] == ["pads"] for entry in inspect(path))
    for n, h, w in (1, 10, 13), (3, 16, 17), (2, 37, 50):
        check(path, {"x": [n, h, w, 4] if "windows" in path.name else [n, 3, h, w]})


@pytest.mark.parametrize("name", SILERO)
def test_silero_vad(name, data):
    path = data / f"silero_vad/data/{name}.onnx"
    check_inference(path)
    inputs = {port.name for port in onnx.load(path).graph.input}
    for extents in [1, 576], [3, 576], [1, 512]:
        if (
            extents[0] == 1
            and extents[1] == 576
            or name not in ("silero_vad_16k_sequence", "silero_vad_openvino_16k")
        ):
            shapes = {"input": extents, "state": [2, extents[0], 128], "sr": []}
            check(path, {name: shape for name, shape in shapes.items() if name in inputs})


def test_basic_pitch(data):
    path = data / "basic_pitch/saved_models/icassp_2022/nmp.onnx"
    check_inference(path)
    check(path, {"serving_default_input_2:0": [1, 43844, 1]}, 24)
    check(path, {"serving_default_input_2:0": [2, 43844, 1]}, 24)


@pytest.mark.long
def test_large_models_are_not_copied(tmp_path):
    """A model with 100 MB of weights: below 0.2 s and 50 MB."""
    names = [f"w{i}" for i in range(25)]
    weights = [nh.from_array(np.zeros([1024, 1024], np.float32), name) for name in names]
    nodes, last = [], "x"
    for name in names:
        nodes += [
            oh.make_node("MatMul", [last, name], [last + "m"]),
            oh.make_node("Pad", [last + "m", "p"], [last + "p"], mode="edge"),
            oh.make_node("Slice", [last + "p", "start", "end", "axis"], [last + "y"]),
        ]
        last += "y"
    lists = {"p": [0, 0, 0, 3], "start": [0], "end": [1024], "axis": [-1]}
    weights += [nh.from_array(np.array(value, np.int64), name) for name, value in lists.items()]
    graph = oh.make_graph(
        nodes,
        "g",
        [oh.make_tensor_value_info("x", 1, ["n", 1024])],
        [oh.make_tensor_value_info(last, 1, None)],
        initializer=weights,
    )
    path = tmp_path / "large.onnx"
    path.write_bytes(
        oh.make_model(graph, opset_imports=[oh.make_opsetid("", 17)]).SerializeToString()
    )
    entries = inspect(path, "--input-shape", "x=5,1024")
    assert [entry["output_shape"] for entry in entries] == [[5, 1027]] * 25
    # pages of the mapped file are the system's to keep or to drop, so the limit is for the others
    most = 50 << 20
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    words = [harness.COMMAND, "inspect", path]
    subprocess.run(
        words,
        check=True,
        stdout=subprocess.DEVNULL,
        preexec_fn=None
        if harness.SANITIZED
        else lambda: resource.setrlimit(resource.RLIMIT_DATA, (most, most)),
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if not harness.SANITIZED:
        assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 0.2
