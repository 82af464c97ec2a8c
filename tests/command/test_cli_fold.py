"""`tensorpad lower --fold`: which Pads become a part of another node, and that no answer changes.

SPDX-License-Identifier: MIT

ONNX Runtime without optimisations answers each model as it was; the folded model has to give the same
bits. It runs both in the same way, so that nothing but the fold decides.
"""

import json

import numpy as np
import onnx
import onnx.helper as oh
import onnx.numpy_helper as nh
import onnxruntime
import pytest
from onnx_models import (
    BOOL,
    FLOAT,
    INT32,
    INT64,
    constant_node,
    graph,
    ints,
    model_of,
    pad_node,
    port,
)

TARGET = "ort-1.31"
AROUND = [0, 0, 1, 2, 0, 0, 0, 1]
X = np.random.default_rng(5).integers(-4, 5, (1, 2, 5, 6)).astype(np.float32)
INFINITE = -np.inf


def number(name, value, kind=np.float32):
    return nh.from_array(np.array(value, kind), name)


def conv(data="a", output="y", w=None, **words):
    return oh.make_node("Conv", [data, "w"], [output], name="conv", **words)


def weights(channels=2, kernel=(3, 3), kind=np.float32):
    return number(
        "w", np.arange(channels * 2 * np.prod(kernel)).reshape(channels, 2, *kernel) % 5 - 2, kind
    )


def pool(op="MaxPool", data="a", outputs=("y",), **words):
    return oh.make_node(
        op, [data], list(outputs), name="pool", **({"kernel_shape": [3, 3]} | words)
    )


def pad(data="x", output="a", amounts="p", value=None, axes=None, name="pad", **words):
    inputs = [data, amounts, value or "", axes or ""]
    while not inputs[-1]:
        inputs.pop()
    return pad_node(inputs, output, name, **words)


def model(
    nodes,
    initializers=(),
    outputs=("y",),
    opset=18,
    kind=FLOAT,
    shape=(1, 2, 5, 6),
    made=None,
    more=(),
    **words,
):
    ports = [port("x", shape, kind), *more]
    ends = [
        name
        if not isinstance(name, str)
        else port(name, [None] * len(shape or X.shape), made or kind)
        for name in outputs
    ]
    return model_of(graph(nodes, ports, ends, [ints("p", AROUND), *initializers]), opset, **words)


def fold(folder, content, target=TARGET, words=()):
    """(the folded model, {name: what `lower` says of it})."""
    (folder / "m.onnx").write_bytes(content)
    done = folder.run(
        "lower", "m.onnx", "out.onnx", "--fold", "--json", "-f", "--target", target, *words
    )
    said = json.loads(done.stdout)
    return (folder / "out.onnx").read_bytes(), {node["name"]: node for node in said["nodes"]}


def answers(content, feeds):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    return session.run(None, feeds)


def same(content, folded, feeds=None):
    """Both give the same bits, and the folded model is valid."""
    onnx.checker.check_model(onnx.load_from_string(folded), full_check=True)
    feeds = feeds or {"x": X}
    for one, other in zip(answers(content, feeds), answers(folded, feeds), strict=True):
        np.testing.assert_array_equal(other, one)
        assert other.dtype == one.dtype


def node_of(content, name):
    (found,) = [node for node in onnx.load_from_string(content).graph.node if node.name == name]
    return found


def attributes(node):
    return {one.name: oh.get_attribute_value(one) for one in node.attribute}


# ---- Into a Conv or a pool ------------------------------------------------------------------------

QUANTISED = [
    number("scale", 0.5),
    number("zero", -3, np.int8),
    number("one", 0.25),
    number("none", 0, np.int8),
]
LINEAR = oh.make_node(
    "QLinearConv", ["a", "scale", "zero", "w", "scale", "none", "one", "zero"], ["y"], name="conv"
)
INTEGER = oh.make_node("ConvInteger", ["a", "w", "zero"], ["y"], name="conv")
INTEGER_PLAIN = oh.make_node("ConvInteger", ["a", "w"], ["y"], name="conv")
BYTES = dict(kind=onnx.TensorProto.INT8)
OWN = [1, 0, 0, 2]
BOTH = [2, 2, 0, 3]
INTO = {
    "zeros by default": (model([pad(), conv()], [weights()]), [1, 2, 0, 1]),
    "zeros as an input": (
        model([pad(value="v"), conv()], [weights(), number("v", 0)]),
        [1, 2, 0, 1],
    ),
    "minus zero": (model([pad(value="v"), conv()], [weights(), number("v", -0.0)]), [1, 2, 0, 1]),
    "attributes": (
        model([pad_node(["x"], "a", "pad", pads=AROUND), conv()], [weights()], opset=10),
        [1, 2, 0, 1],
    ),
    "own pads": (model([pad(), conv(pads=OWN)], [weights()]), BOTH),
    "VALID": (model([pad(), conv(auto_pad="VALID", strides=[2, 1])], [weights()]), [1, 2, 0, 1]),
    "NOTSET": (model([pad(), conv(auto_pad="NOTSET", pads=OWN)], [weights()]), BOTH),
    "axes": (
        model(
            [pad(amounts="q", axes="axes"), conv()],
            [weights(), ints("q", [1, 2, 0, 3]), ints("axes", [-1, 2])],
        ),
        [2, 1, 3, 0],
    ),
    "more than a kernel": (
        model([pad(amounts="q"), conv()], [weights(), ints("q", [0, 0, 7, 0, 0, 0, 0, 9])]),
        [7, 0, 0, 9],
    ),
    "zero point": (
        model([pad(value="zero"), LINEAR], [weights(kind=np.int8), *QUANTISED], **BYTES),
        [1, 2, 0, 1],
    ),
    "ConvInteger": (
        model(
            [pad(value="zero"), INTEGER], [weights(kind=np.int8), QUANTISED[1]], **BYTES, made=INT32
        ),
        [1, 2, 0, 1],
    ),
    "no zero point": (
        model([pad(), INTEGER_PLAIN], [weights(kind=np.int8)], **BYTES, made=INT32),
        [1, 2, 0, 1],
    ),
    "-inf": (
        model([pad(value="v"), pool(kernel_shape=[3, 4])], [number("v", INFINITE)]),
        [1, 2, 0, 1],
    ),
    "dilations": (
        model([pad(value="v"), pool(dilations=[2, 3])], [number("v", INFINITE)]),
        [1, 2, 0, 1],
    ),
    "lowest": (
        model([pad(value="v"), pool()], [number("v", np.finfo(np.float32).min)]),
        [1, 2, 0, 1],
    ),
    "int8": (model([pad(value="v"), pool()], [number("v", -128, np.int8)], **BYTES), [1, 2, 0, 1]),
    "average that counts": (
        model([pad(), pool("AveragePool", count_include_pad=1, pads=[1, 0, 0, 1])]),
        [2, 2, 0, 2],
    ),
    "average": (model([pad(), pool("AveragePool")]), [1, 2, 0, 1]),
    "average of zeros": (
        model([pad(), pool("AveragePool", pads=[0, 0, 0, 0], count_include_pad=0)]),
        [1, 2, 0, 1],
    ),
}


def feeds_of(content):
    kind = onnx.load_from_string(content).graph.input[0].type.tensor_type.elem_type
    return {"x": X.astype(oh.tensor_dtype_to_np_dtype(kind))}


@pytest.mark.parametrize("case", INTO)
def test_pads_of_another_node(folder, case):
    content, pads = INTO[case]
    folded, said = fold(folder, content)
    assert said["pad"]["outcome"] == "folded" and said["pad"]["into"].split()[1] in ("conv", "pool")
    assert said["pad"]["not_folded"] is None
    (name,) = {"conv", "pool"} & {node.name for node in onnx.load_from_string(folded).graph.node}
    found = attributes(node_of(folded, name))
    assert found["pads"] == pads and "auto_pad" not in found
    assert "average" not in case or found["count_include_pad"] == 1
    assert [node.op_type for node in onnx.load_from_string(folded).graph.node].count("Pad") == 0
    same(content, folded, feeds_of(content))


@pytest.mark.parametrize(
    "kind, lowest",
    [
        (np.float64, -np.inf),
        (np.float64, np.finfo(np.float64).min),
        (np.float16, -np.inf),
        (np.float16, np.finfo(np.float16).min),
        (np.uint8, 0),
    ],
)
def test_the_lowest_of_each_type(folder, kind, lowest):
    content = model(
        [pad(value="v"), pool()],
        [number("v", lowest, kind)],
        kind=oh.np_dtype_to_tensor_dtype(np.dtype(kind)),
    )
    folded, said = fold(folder, content)
    assert said["pad"]["outcome"] == "folded"
    same(content, folded, {"x": np.abs(X).astype(kind)})


# ---- What stays -----------------------------------------------------------------------------------

READ_TWICE = [pad(), conv(), oh.make_node("Abs", ["a"], ["z"])]
ONE = number("v", 1)
CHANNELS = ints("q", [0, 1, 1, 1, 0, 0, 1, 1])
CUT = ints("q", [0, 0, -1, 1, 0, 0, 1, 1])
HUGE = ints("q", [0, 0, 1 << 31, 1, 0, 0, 1, 1])
INNER = graph([conv(output="b")], [], [port("b", [None] * 4)])
OTHER = graph([conv("x", "b")], [], [port("b", [None] * 4)])
BRANCHES = oh.make_node("If", ["c"], ["y"], name="if", then_branch=INNER, else_branch=OTHER)
CONDITION = [port("c", [], BOOL)]
SCALAR_INPUT = [port("v", [])]


def dilated(dilations, shape):
    """A cell before and behind images, and windows of two cells."""
    return model(
        [pad(amounts="q", value="v"), pool(kernel_shape=[2, 2], dilations=dilations)],
        [number("v", INFINITE), ints("q", [0, 0, 1, 0, 0, 0, 1, 0])],
        shape=shape,
    )


STAYS = {
    "edge": (model([pad(mode="edge"), conv()], [weights()]), "only mode constant"),
    "another value": (model([pad(value="v"), conv()], [weights(), ONE]), "its value is not 0"),
    "an input as value": (
        model([pad(value="v"), conv()], [weights()], more=SCALAR_INPUT),
        "its value is known only",
    ),
    "an input as amounts": (
        model([pad(amounts="q"), conv()], [weights()], more=[port("q", [8], INT64)]),
        "its amounts are known only",
    ),
    "channels": (
        model([pad(amounts="q"), conv()], [number("w", np.ones((2, 3, 3, 3))), CHANNELS]),
        "it pads another axis",
    ),
    "batches": (
        model([pad(amounts="q"), conv()], [weights(), ints("q", [0, 0, 1, 1, 1, 0, 1, 1])]),
        "it pads another axis",
    ),
    "a cut": (model([pad(amounts="q"), conv()], [weights(), CUT]), "it has amounts below 0"),
    "a cut at the end": (
        model([pad(amounts="q"), conv()], [weights(), ints("q", [0, 0, 1, 1, 0, 0, -1, 1])]),
        "it has amounts below 0",
    ),
    "too much at the end": (
        model([pad(amounts="q"), conv()], [weights(), ints("q", [0, 0, 1, 1, 0, 0, 1 << 31, 1])]),
        "it has amounts below 0 or above",
    ),
    "weights of another rank": (
        model([pad(), conv()], more=[port("w", [2, 2, 3])]),
        "the kernel of the node",
    ),
    "a kernel of one at the end": (
        model(
            [pad(amounts="q"), conv()],
            [weights(kernel=(3, 1)), ints("q", [0, 0, 0, 0, 0, 0, 0, 1])],
        ),
        "one cell on that axis",
    ),
    "float16 that is not the lowest": (
        model([pad(), pool()], kind=onnx.TensorProto.FLOAT16),
        "the lowest of its type",
    ),
    "double that is not the lowest": (
        model([pad(), pool()], kind=onnx.TensorProto.DOUBLE),
        "the lowest of its type",
    ),
    "a zero point of another type": (
        model([pad(), INTEGER], [weights(kind=np.int8), number("zero", 0, np.uint8)], **BYTES),
        "the zero point",
    ),
    "too much": (
        model([pad(amounts="q"), conv()], [weights(), HUGE]),
        "it has amounts below 0 or above",
    ),
    "two readers": (model(READ_TWICE, [weights()], ["y", "z"]), "several nodes"),
    "an output": (model([pad(), conv()], [weights()], ["y", "a"]), "an output of the graph"),
    "no reader": (model([pad(), conv("x")], [weights()]), "nothing reads"),
    "a graph inside": (
        model([pad(), BRANCHES], [weights()], more=CONDITION),
        "a node of a graph inside",
    ),
    "weights": (
        model(
            [pad("w", "a", "q"), oh.make_node("Conv", ["x", "a"], ["y"], name="conv")],
            [weights(), ints("q", [0, 0, 1, 1, 0, 0, 1, 1])],
        ),
        "as another input",
    ),
    "another operator": (
        model([pad(), oh.make_node("Relu", ["a"], ["y"])]),
        "no Conv, pool or Pad",
    ),
    "ConvTranspose": (
        model([pad(), oh.make_node("ConvTranspose", ["a", "w"], ["y"])], [weights()]),
        "no Conv, pool or Pad",
    ),
    "SAME": (model([pad(), conv(auto_pad="SAME_UPPER")], [weights()]), "auto_pad"),
    "VALID with pads": (
        model([pad(), conv(auto_pad="VALID", pads=[1, 1, 1, 1])], [weights()]),
        "auto_pad",
    ),
    "negative pads": (model([pad(), conv(pads=[-1, 0, 0, 0])], [weights()]), "pads below 0"),
    "huge pads": (
        model([pad(), conv(pads=[1 << 40, 0, 0, 0])], [weights()]),
        "pads below 0 or above",
    ),
    "few pads": (model([pad(), conv(pads=[1, 1])], [weights()]), "another number of pads"),
    "a kernel of one": (model([pad(), conv()], [weights(kernel=(3, 1))]), "one cell on that axis"),
    "an open kernel": (
        model([pad(), conv()], more=[port("w", [2, 2, "k", 3])]),
        "the kernel of the node behind it is not",
    ),
    "an open kernel at the end": (
        model(
            [pad(amounts="q"), conv()], [ints("q", [0] * 7 + [1])], more=[port("w", [2, 2, 3, "k"])]
        ),
        "the kernel of the node behind it is not",
    ),
    "an open kernel of another axis": (
        model(
            [pad(amounts="q"), conv()],
            [ints("q", [0, 0, 0, 1, 0, 0, 0, 0])],
            more=[port("w", [2, 2, "k", 3])],
        ),
        None,
    ),
    "a whole kernel of bytes": (
        model(
            [pad(amounts="q", value="zero"), LINEAR],
            [weights(kind=np.int8), ints("q", [0, 0, 3, 0, 0, 0, 0, 0]), *QUANTISED],
            **BYTES,
        ),
        "as long as its kernel; some runtimes",
    ),
    "a whole kernel of bytes at the end": (
        model(
            [pad(amounts="q", value="zero"), LINEAR],
            [weights(kind=np.int8), ints("q", [0] * 7 + [3]), *QUANTISED],
            **BYTES,
        ),
        "as long as its kernel; some runtimes",
    ),
    "nearly a kernel of bytes": (
        model(
            [pad(amounts="q", value="zero"), LINEAR],
            [weights(kind=np.int8), ints("q", [0, 0, 2, 0, 0, 0, 0, 2]), *QUANTISED],
            **BYTES,
        ),
        None,
    ),
    "no kernel": (
        model([pad(), conv()], more=[port("w")]),
        "the kernel of the node behind it is not known",
    ),
    "a wrong kernel": (
        model([pad(), conv(kernel_shape=[3])], [weights()]),
        "the kernel of the node",
    ),
    "zero for MaxPool": (model([pad(), pool()]), "the lowest of its type"),
    "zero for int8": (model([pad(), pool()], **BYTES), "the lowest of its type"),
    "ceil": (model([pad(value="v"), pool(ceil_mode=1)], [number("v", INFINITE)]), "ceil_mode"),
    "indices": (
        model(
            [pad(value="v"), pool(outputs=["y", "i"])],
            [number("v", INFINITE)],
            ["y", port("i", None, INT64)],
        ),
        "indices",
    ),
    "a whole kernel": (
        model(
            [pad(value="v", amounts="q"), pool()],
            [number("v", INFINITE), ints("q", [0, 0, 3, 0, 0, 0, 0, 0])],
        ),
        "as long as its kernel",
    ),
    "a whole kernel behind": (
        model(
            [pad(value="v", amounts="q"), pool(pads=[0, 0, 1, 0])],
            [number("v", INFINITE), ints("q", [0, 0, 0, 0, 0, 0, 2, 0])],
        ),
        "as long as its kernel",
    ),
    "data between the cells": (dilated([2, 1], [1, 2, 1, 6]), "smaller than the dilations"),
    "data that just fits": (dilated([2, 1], [1, 2, 2, 6]), None),
    "data of any extent": (dilated([2, 1], [1, 2, "h", 6]), "smaller than the dilations"),
    "data of any extent in one piece": (dilated([1, 9], [1, 2, "h", 12]), None),
    "no data": (dilated([1, 1], [1, 2, 0, 6]), "smaller than the dilations"),
    "a wrong number of dilations": (dilated([1], [1, 2, 5, 6]), "attributes of the node behind it"),
    "average without pads": (
        model([pad(), pool("AveragePool", pads=[1, 0, 0, 0])]),
        "leaves its pads out",
    ),
    "average of old": (
        model([pad_node(["x"], "a", "pad", pads=AROUND), pool("AveragePool")], opset=6),
        "leaves its pads out",
    ),
    "another zero point": (
        model([pad(), LINEAR], [weights(kind=np.int8), *QUANTISED], **BYTES),
        "the zero point",
    ),
    "several zero points": (
        model(
            [pad(value="v"), INTEGER],
            [weights(kind=np.int8), number("v", 0, np.int8), number("zero", [0, 0], np.int8)],
            **BYTES,
        ),
        "the zero point",
    ),
    "an open zero point": (
        model(
            [pad(), INTEGER],
            [weights(kind=np.int8)],
            more=[port("zero", [], onnx.TensorProto.INT8)],
            **BYTES,
        ),
        "the zero point",
    ),
    "a zero point that callers replace": (
        model(
            [pad(), INTEGER],
            [weights(kind=np.int8), number("zero", 0, np.int8)],
            more=[port("zero", [], onnx.TensorProto.INT8)],
            **BYTES,
        ),
        "the zero point",
    ),
    "many zero points": (
        model(
            [pad(), INTEGER],
            [weights(kind=np.int8), number("zero", np.zeros(65), np.int8)],
            **BYTES,
        ),
        "the zero point",
    ),
    "no images": (
        model([pad(amounts="q"), conv()], [weights(), ints("q", [0, 1, 0, 0])], shape=(3, 4)),
        "no images",
    ),
    "no rank": (
        model([pad(), conv()], [weights()], shape=None),
        "the rank of its data is not known",
    ),
    "four axes": (
        model(
            [pad(amounts="q"), conv()],
            [weights(kernel=(1, 1, 2, 2)), ints("q", [0, 0, 0, 0, 1, 1] * 2)],
            shape=(1, 2, 3, 3, 3, 3),
        ),
        "ort-1.31 was not seen to run Conv",
    ),
    "int32": (
        model([pad(value="v"), pool()], [number("v", 0, np.int32)], kind=onnx.TensorProto.INT32),
        "ort-1.31 was not seen to run MaxPool",
    ),
    "forbidden": (
        model([pad(mode="wrap"), conv()], [weights()]),
        "the specification does not allow the node",
    ),
}


@pytest.mark.parametrize("case", STAYS)
def test_what_stays(folder, case):
    content, why = STAYS[case]
    folded, said = fold(folder, content, words=["--partial"])
    node = said["pad"]
    if why is None:
        assert node["outcome"] == "folded"
        return
    assert node["outcome"] != "folded" and node["into"] is None
    assert why in node["not_folded"]
    if node["outcome"] == "kept":
        assert folded == content


def test_a_target_that_gets_such_a_conv_wrong(folder):
    content, _ = INTO["zero point"]
    _, said = fold(folder, content, "ort-1.31,opencv-5.0", ["--partial"])
    assert (
        said["pad"]["not_folded"]
        == "opencv-5.0 was not seen to run QLinearConv with such pads right"
    )
    _, said = fold(folder, content, "ort-1.31,tensorrt", ["--partial"])
    assert "tensorrt" in said["pad"]["not_folded"]
    _, said = fold(folder, content, "ort-1.28")  # between two that were run
    assert said["pad"]["outcome"] == "folded"


def test_with_the_shape_of_an_input(folder):
    """Amounts that follow from a shape are known with it; then OUT has it. Else OUT stays open."""
    half = [
        constant_node("two", [2]),
        oh.make_node("Shape", ["x"], ["s"], start=2, end=3),
        constant_node("zeros", [0, 0]),
        constant_node("five", [0]),
        oh.make_node("Div", ["s", "two"], ["h"]),
        oh.make_node("Concat", ["zeros", "h", "five", "zeros", "h", "five"], ["r"], axis=0),
    ]
    open_input = (1, 2, "h", "w")
    content = model([*half, pad(amounts="r"), conv()], [weights()], shape=open_input)
    assert "known only when" in fold(folder, content, words=["--partial"])[1]["pad"]["not_folded"]
    folded, said = fold(folder, content, words=["--input-shape=x=1,2,5,6"])
    assert said["pad"]["outcome"] == "folded"
    assert [
        dim.dim_value
        for dim in onnx.load_from_string(folded).graph.input[0].type.tensor_type.shape.dim
    ] == [1, 2, 5, 6]
    assert [node.op_type for node in onnx.load_from_string(folded).graph.node] == ["Conv"]
    same(content, folded)
    content = model([pad(), conv()], [weights()], shape=open_input)
    folded, said = fold(folder, content, words=["--input-shape=x=1,2,5,6"])
    assert said["pad"]["outcome"] == "folded"
    assert [
        dim.dim_param
        for dim in onnx.load_from_string(folded).graph.input[0].type.tensor_type.shape.dim
    ][2:] == ["h", "w"]
    same(content, folded)


# ---- Several Pads ---------------------------------------------------------------------------------

RELU = oh.make_node("Relu", ["b"], ["y"], name="relu")
Q = ints("q", [0, 1, 0, 2, 0, 0, 3, 0])
ONE_AXIS = ints("q", [0, 2, 0, 0, 0, 1, 0, 0])
NOTHING = ints("q", [0] * 8)
FIVE = [number("v", 5), number("u", 5), number("t", 6)]


def two(first, second, *initializers, **words):
    """A Pad behind a Pad; the arguments are those that differ."""
    return model(
        [pad(name="pad", **first), pad("a", "b", "q", name="next", **second), RELU],
        initializers,
        **words,
    )


TOGETHER = {
    "zeros": two({}, {}, Q),
    "values": two({"value": "v"}, {"value": "u"}, Q, *FIVE),
    "an input as value": two({"value": "v"}, {"value": "v"}, Q, more=SCALAR_INPUT),
    "edge": two({"mode": "edge"}, {"mode": "edge"}, Q),
    "reflect on other axes": two(
        {"mode": "reflect"}, {"mode": "reflect"}, ONE_AXIS, shape=(1, 3, 5, 6)
    ),
    "nothing first": model(
        [pad("x", "a", "q"), pad("a", "b", name="next", mode="reflect"), RELU], [NOTHING]
    ),
}
APART = {
    "other values": (two({"value": "v"}, {"value": "t"}, Q, *FIVE), "another value"),
    "an unknown value": (
        two({"value": "v"}, {"value": "s"}, Q, number("s", 0), more=SCALAR_INPUT),
        "another value",
    ),
    "modes": (two({"mode": "edge"}, {}, Q), "another mode"),
    "reflect on one axis": (
        two({"mode": "reflect"}, {"mode": "reflect"}, Q, shape=(1, 3, 5, 6)),
        "the same axis",
    ),
    "a cut": (two({}, {}, CUT), "the Pad behind it has amounts below 0"),
    "unknown amounts": (two({}, {}, more=[port("q", [8], INT64)]), "not everything is known"),
    "forbidden": (two({"mode": "edge"}, {"mode": "wrap"}, Q), "not everything is known"),
    "an end on one axis": (
        two({"mode": "reflect"}, {"mode": "reflect"}, ints("q", [0, 0, 0, 0, 0, 0, 0, 1])),
        "the same axis",
    ),
}


@pytest.mark.parametrize("case", TOGETHER)
def test_two_become_one(folder, case):
    content = TOGETHER[case]
    folded, said = fold(folder, content)
    assert [said["pad"]["outcome"], said["pad"]["into"]] == ["folded", "Pad next"]
    assert [said["next"]["outcome"], said["next"]["operators"]] == ["rewritten", "Pad"]
    assert said["next"]["target"] is None
    pads = [node for node in onnx.load_from_string(folded).graph.node if node.op_type == "Pad"]
    assert [(node.name, node.input[0]) for node in pads] == [("next", "x")]
    shape = (1, 3, 5, 6) if "other axes" in case else X.shape
    x = np.random.default_rng(1).integers(-4, 5, shape).astype(np.float32)
    same(
        content,
        folded,
        {"x": x} | ({"v": np.array(7, np.float32)} if case == "an input as value" else {}),
    )


@pytest.mark.parametrize("case", APART)
def test_two_stay_apart(folder, case):
    content, why = APART[case]
    _, said = fold(folder, content, words=["--partial"])
    assert said["pad"]["outcome"] == "kept" and why in said["pad"]["not_folded"]


def test_three_become_one(folder):
    nodes = [
        pad(),
        pad("a", "b", "q", name="next"),
        pad("b", "c", "q", name="last"),
        oh.make_node("Relu", ["c"], ["y"]),
    ]
    content = model(nodes, [Q])
    folded, said = fold(folder, content)
    assert {name: node["into"] for name, node in said.items()} == {
        "pad": "Pad last",
        "next": "Pad last",
        "last": None,
    }
    same(content, folded)


def test_a_chain_becomes_pads_of_a_conv(folder):
    """Also beyond a Pad of nothing in another mode."""
    nodes = [
        pad(),
        pad("a", "b", "none", name="nothing", mode="edge"),
        pad("b", "c", "q", name="next"),
        conv("c", pads=[1, 1, 1, 1]),
    ]
    content = model(nodes, [weights(), ints("q", [0, 0, 2, 0, 0, 0, 0, 3]), ints("none", [0] * 8)])
    folded, said = fold(folder, content)
    assert {name: node["into"] for name, node in said.items()} == {
        "pad": "Conv conv",
        "nothing": "",
        "next": "Conv conv",
    }
    assert attributes(node_of(folded, "conv"))["pads"] == [4, 3, 1, 5]
    assert node_of(folded, "conv").input[0] == "x"
    same(content, folded)


def test_one_that_does_not_fit_keeps_those_behind(folder):
    """A MaxPool that takes -inf in from a Pad has windows of nothing but that."""
    low = number("v", INFINITE)
    wide = ints("q", [0, 0, 0, 2, 0, 0, 0, 0])
    for first, middle in [
        (pad("x", "a", "q", "v", name="first"), []),
        (pad("x", "a", "cut", "v", name="first"), []),
        (pad("x", "z", "q", "v", name="first"), [pad("z", "a", "none", name="nothing")]),
        (pad("x", "a", "open", "v", name="first"), []),
        (pad("x", "a", "r", "v", name="first"), [oh.make_node("Abs", ["a"], ["u"])]),
        (pad("x", "z", "q", "v", name="first"), [pad("z", "a", "r", name="edge", mode="edge")]),
    ]:
        content = model(
            [first, *middle, pad("a", "b", "s", "v"), pool(data="b")],
            [
                low,
                wide,
                ints("r", [0, 0, 1, 0, 0, 0, 0, 0]),
                ints("s", [0, 0, 0, 1, 0, 0, 0, 0]),
                ints("cut", [0, 0, -1, 0, 0, 0, 0, 0]),
                ints("none", [0] * 8),
            ],
            more=[port("open", [8], INT64)],
        )
        _, said = fold(folder, content, words=["--partial"])
        assert "another Pad before it" in said["pad"]["not_folded"]
    content = model(
        [
            pad("x", "a", "r", "v", name="first"),
            pad("a", "b", "r", "v"),
            pool(data="b", kernel_shape=[3, 1], dilations=[2, 1]),
        ],
        [low, ints("r", [0, 0, 1, 0, 0, 0, 1, 0])],
        shape=(1, 2, 1, 6),
    )
    assert "another Pad before it" in fold(folder, content)[1]["pad"]["not_folded"]
    content = model(
        [
            pad("x", "z", "s", "v", name="first"),
            pad("z", "a", "none", mode="edge", name="nothing"),
            pad("a", "b", "r", "v"),
            pool(data="b"),
        ],
        [
            low,
            ints("r", [0, 0, 1, 0, 0, 0, 0, 0]),
            ints("s", [0, 0, 0, 1, 0, 0, 0, 0]),
            ints("none", [0] * 8),
        ],
    )
    folded, said = fold(folder, content)
    assert [said["first"]["into"], said["pad"]["into"]] == ["MaxPool pool", "MaxPool pool"]
    same(content, folded)


def test_amounts_that_callers_replace(folder):
    """An initializer that is an input, too, is only a default, but not in files before IR version 4."""
    axes, low = ints("axes", [2, 3]), ints("s", [1, 1, 1, 1])
    cases = {
        "pads": (model([pad(), conv()], [weights()], more=[port("p", [8], INT64)]), "pad"),
        "axes": (
            model(
                [pad(amounts="s", axes="axes"), conv()],
                [weights(), axes, low],
                more=[port("axes", [2], INT64)],
            ),
            "pad",
        ),
        "behind": (
            model(
                [pad(amounts="q", name="first"), pad("a", "b"), oh.make_node("Relu", ["b"], ["y"])],
                [NOTHING],
                more=[port("p", [8], INT64)],
            ),
            "first",
        ),
    }
    for content, name in cases.values():
        folded, said = fold(folder, content)
        assert "are an input" in said[name]["not_folded"]
        assert folded == content
    content = model(
        [pad("x", "a", "s", "v", name="first"), pad("a", "b", "q", "v"), pool(data="b")],
        [
            number("v", INFINITE),
            ints("s", [0, 0, 0, 1, 0, 0, 0, 0]),
            ints("q", [0, 0, 1, 0, 0, 0, 0, 0]),
        ],
        more=[port("s", [8], INT64)],
    )
    assert "another Pad before it" in fold(folder, content)[1]["pad"]["not_folded"]
    old = onnx.load_from_string(cases["pads"][0])
    old.ir_version = 3
    assert fold(folder, old.SerializeToString())[1]["pad"]["outcome"] == "folded"


# ---- Pads of nothing ------------------------------------------------------------------------------


def test_a_pad_of_nothing_goes(folder):
    """Its readers read its data, in graphs inside, too; the amounts go with it."""
    inner = graph([oh.make_node("Abs", ["a"], ["b"])], [], [port("b", X.shape)])
    nodes = [
        constant_node("none", [0] * 8),
        pad(amounts="none", mode="reflect"),
        oh.make_node("Add", ["a", "a"], ["z"]),
        oh.make_node("If", ["c"], ["y"], name="if", then_branch=inner, else_branch=inner),
    ]
    content = model(nodes, outputs=["y", "z"], more=CONDITION)
    folded, said = fold(folder, content)
    assert [said["pad"]["outcome"], said["pad"]["into"]] == ["folded", ""]
    assert [node.op_type for node in onnx.load_from_string(folded).graph.node] == ["Add", "If"]
    same(content, folded, {"x": X, "c": np.array(True)})


def test_pads_of_nothing_that_stay(folder):
    nothing = ints("none", [0] * 8)
    content = model([pad(amounts="none", output="y")], [nothing])
    _, said = fold(folder, content)
    assert "an output of the graph" in said["pad"]["not_folded"]
    content = model([pad(amounts="none"), oh.make_node("Abs", ["x"], ["y"])], [nothing])
    assert "nothing reads" in fold(folder, content)[1]["pad"]["not_folded"]
    content = model(
        [
            pad(amounts="none"),
            pad("a", "b", name="next"),
            oh.make_node("Add", ["a", "a"], ["z"]),
            oh.make_node("Relu", ["b"], ["y"]),
        ],
        [nothing],
        ["y", "z"],
    )
    assert "a Pad among several nodes" in fold(folder, content)[1]["pad"]["not_folded"]


def test_a_name_that_means_another_value_inside(folder):
    """A body has an x of its own, so what it reads cannot become x."""
    inner = graph(
        [oh.make_node("Abs", ["a"], ["x"]), oh.make_node("Add", ["x", "a"], ["b"])],
        [],
        [port("b", X.shape)],
    )
    nodes = [
        pad(amounts="none"),
        oh.make_node("If", ["c"], ["y"], name="if", then_branch=inner, else_branch=inner),
    ]
    content = model(nodes, [ints("none", [0] * 8)], more=CONDITION)
    _, said = fold(folder, content)
    assert "another value with the name" in said["pad"]["not_folded"]
    # The same behind a second Pad of nothing, which goes.
    body = graph(
        [oh.make_node("Identity", ["going"], ["on"]), oh.make_node("Add", ["x", "b"], ["c"])],
        [port("i", [], INT64), port("going", [], BOOL), port("x", X.shape)],
        [port("on", [], BOOL), port("c", X.shape)],
    )
    nodes = [
        pad(amounts="none"),
        pad("a", "b", "none", name="next"),
        oh.make_node("Abs", ["x"], ["z"]),
        oh.make_node("Loop", ["two", "", "z"], ["y"], body=body),
    ]
    content = model(nodes, [ints("none", [0] * 8), number("two", 2, np.int64)])
    folded, said = fold(folder, content)
    assert [said["pad"]["outcome"], said["next"]["outcome"]] == ["kept", "folded"]
    assert "another value with the name" in said["pad"]["not_folded"]
    for one, other in zip(answers(content, {"x": X}), answers(folded, {"x": X}), strict=True):
        np.testing.assert_array_equal(other, one)


def test_a_pad_of_nothing_before_two_pads_that_become_one(folder):
    """It is what stands before the Pad that is written, which is judged by that: it stays."""
    nodes = [
        pad(amounts="none"),
        pad("a", "b", name="first"),
        pad("b", "c", name="second"),
        oh.make_node("Relu", ["c"], ["y"]),
        oh.make_node("Abs", ["a"], ["z"]),
    ]
    content = model(nodes, [ints("none", [0] * 8)], ["y", "z"])
    folded, said = fold(folder, content)
    assert [said[name]["into"] for name in ("pad", "first")] == [None, "Pad second"]
    assert "a Pad among several nodes" in said["pad"]["not_folded"]
    same(content, folded)


def test_a_branch_that_returns_what_a_pad_outside_makes(folder):
    """ONNX forbids it, and OpenVINO runs it: the Pad stays, also where a node of the branch reads it, too."""
    other = graph([oh.make_node("Identity", ["x"], ["b"])], [], [port("b", [None] * 4)])
    for nodes, returned, amounts in [
        ([], ["a"], "p"),
        ([], ["a"], "none"),
        ([oh.make_node("Relu", ["a"], ["r"])], ["r", "a"], "p"),
    ]:
        branch = graph(nodes, [], [port(name, [None] * 4) for name in returned])
        ends = ["y", "t"][: len(returned)]
        outer = graph(
            [oh.make_node("If", ["c"], ends, then_branch=branch, else_branch=branch)],
            [],
            [port(name, [None] * 4) for name in ends],
        )
        for one in branch, outer:
            content = model(
                [
                    pad(amounts=amounts),
                    conv(output="z"),
                    oh.make_node(
                        "If",
                        ["c"],
                        ends,
                        then_branch=one,
                        else_branch=other if len(ends) == 1 else one,
                    ),
                ],
                [weights(), ints("none", [0] * 8)],
                [*ends, "z"],
                more=CONDITION,
            )
            folded, said = fold(folder, content, "openvino-2026.4", ["--partial"])
            assert "an output of the graph" in said["pad"]["not_folded"]
            assert folded == content


def test_a_branch_that_returns_what_nothing_makes(folder):
    """A bad model is no reason to stop: the names mean nothing outside."""
    for name in "lost", "":
        branch = graph([], [], [port(name, X.shape)])
        content = model(
            [
                pad(),
                conv(),
                oh.make_node("If", ["c"], ["z"], then_branch=branch, else_branch=branch),
            ],
            [weights()],
            ["y", "z"],
            more=CONDITION,
        )
        _, said = fold(folder, content)
        assert said["pad"]["outcome"] == "folded"


# ---- Where Pads stand, and what becomes of the rest -------------------------------------------------


def test_inside_a_body_and_a_function(folder):
    nodes = [
        constant_node("p", AROUND),
        pad(),
        conv(output="b"),
        oh.make_node("Identity", ["b"], ["y"]),
    ]
    function = oh.make_function("my", "F", ["x", "w"], ["y"], nodes, [oh.make_opsetid("", 18)])
    body = graph([pad(), conv(output="b")], [], [port("b", [None] * 4)])
    top = graph(
        [
            oh.make_node("F", ["x", "w"], ["z"], name="call", domain="my"),
            oh.make_node("If", ["c"], ["y"], name="if", then_branch=body, else_branch=body),
        ],
        [port("x", X.shape), *CONDITION],
        [port("y", [None] * 4), port("z", [None] * 4)],
        [ints("p", AROUND), weights()],
    )
    content = model_of(top, 18, functions=[function], imports=[oh.make_opsetid("my", 1)])
    (folder / "m.onnx").write_bytes(content)
    said = json.loads(
        folder.run("lower", "m.onnx", "out.onnx", "--fold", "--json", "--target", TARGET).stdout
    )
    assert [said["folded"], said["kept"]] == [3, 0]
    folded = (folder / "out.onnx").read_bytes()
    assert not any(
        node.op_type in ("Pad", "Constant")
        for node in onnx.load_from_string(folded).functions[0].node
    )
    for c in True, False:
        same(content, folded, {"x": X, "c": np.array(c)})


def test_all_else_stays(folder):
    """Only the Pad, its Constant, and the input and pads of the Conv are other bytes."""
    content = model(
        [constant_node("r", AROUND), pad(amounts="r"), conv(pads=OWN, group=1)], [weights()]
    )
    folded, _ = fold(folder, content)
    old, new = onnx.load_from_string(content), onnx.load_from_string(folded)
    node = old.graph.node[2]
    node.input[0] = "x"
    node.attribute.remove(next(one for one in node.attribute if one.name == "pads"))
    node.attribute.insert(0, oh.make_attribute("pads", BOTH))
    del old.graph.node[:2]
    assert old.SerializeToString(deterministic=True) == new.SerializeToString(deterministic=True)


def test_a_rewritten_pad_behind_one_of_nothing(folder):
    """The rewrite reads what the Pad of nothing read: also as its value."""
    content = model(
        [
            pad("v", "u", "none", name="value"),
            pad("x", "a", "q", "u"),
            oh.make_node("Relu", ["a"], ["y"]),
        ],
        [ints("none", []), ints("q", [0, 0, 1, 0, 0, 0, 0, 0])],
        more=SCALAR_INPUT,
    )
    folded, said = fold(folder, content, "tract-0.23", ["--partial"])
    assert said["value"]["outcome"] == "folded"
    assert "u" not in {
        name for node in onnx.load_from_string(folded).graph.node for name in node.input
    }
    wanted = np.maximum(np.pad(X, [(0, 0), (0, 0), (1, 0), (0, 0)], constant_values=2), 0)
    np.testing.assert_array_equal(
        answers(folded, {"x": X, "v": np.array(2, np.float32)})[0], wanted
    )


def test_a_pad_that_stays_is_judged_by_what_is_behind_it_now(folder):
    """ONNX Runtime 1.31 cannot load it before a pool, and loads it before a Pad of nothing."""
    wide = ints("q", [0, 0, 3, 0, 0, 0, 0, 0])
    nodes = [
        pad("x", "a", "q"),
        pad("a", "b", "none", name="nothing", mode="edge"),
        pool("AveragePool", "b"),
    ]
    content = model(nodes, [wide, ints("none", [0] * 8)])
    folded, said = fold(folder, content)
    assert said["pad"]["code"] == "TP122" and said["pad"]["outcome"] == "rewritten"
    same(content, folded)
    nodes = [
        pad("x", "a", "q"),
        pad("a", "b", name="next"),
        pool("AveragePool", "b", count_include_pad=1),
    ]
    content = model(nodes, [wide])
    folded, said = fold(folder, content)
    assert said["next"]["outcome"] == "folded" and said["pad"]["code"] == "TP122"
    same(content, folded)


def test_two_that_would_be_too_wide_for_a_pool(folder):
    """ONNX Runtime 1.31 gives both to the pool and does not load it; axes keep their sum out of it."""
    nodes = [pad(), pad("a", "b", "q", name="next"), pool("AveragePool", "b", ceil_mode=1)]
    content = model(nodes, [ints("q", [0, 0, 2, 0, 0, 0, 0, 0])])
    folded, said = fold(folder, content)
    assert [said["pad"]["into"], said["next"]["operators"]] == ["Pad next", "Pad"]
    assert len(node_of(folded, "next").input) == 4
    same(content, folded)
    content = model(nodes, [ints("q", [0, 0, 2, 0, 0, 0, 0, 0])], opset=17)  # no axes there
    _, said = fold(folder, content)
    assert [said["pad"]["outcome"], said["next"]["outcome"]] == ["rewritten", "kept"]
    assert (
        said["pad"]["not_folded"]
        == "a target is not known to run one Pad in place of the two right"
    )


def test_a_pad_that_stays_before_several_readers(folder):
    nodes = [
        pad(mode="edge"),
        pad("a", "b", "none", name="nothing"),
        oh.make_node("Relu", ["b"], ["y"]),
        oh.make_node("Abs", ["b"], ["z"]),
    ]
    content = model(nodes, [ints("none", [0] * 8)], ["y", "z"])
    folded, said = fold(folder, content)
    assert [said["pad"]["outcome"], said["nothing"]["outcome"]] == ["kept", "folded"]
    same(content, folded)


def test_nodes_in_another_order(folder):
    """No model has it, but a file may."""
    nodes = [conv("b"), pad("a", "b", "q", name="next"), pad()]
    content = model(nodes, [weights(), ints("q", [0, 0, 1, 0, 0, 0, 0, 0])])
    _, said = fold(folder, content, words=["--partial"])
    assert said["next"]["not_folded"] == "its data is made behind it"
    assert said["pad"]["not_folded"] == "its reader stands before it"


def test_attributes_that_a_caller_gives(folder):
    """Of a function that is called twice in different ways, they are not known."""
    nodes = [constant_node("p", AROUND), pad(), conv(output="y")]
    nodes[-1].attribute.append(
        onnx.AttributeProto(name="pads", ref_attr_name="pads", type=onnx.AttributeProto.INTS)
    )
    function = oh.make_function(
        "my", "F", ["x", "w"], ["y"], nodes, [oh.make_opsetid("", 18)], ["pads"]
    )
    calls = [
        oh.make_node("F", ["x", "w"], [output], domain="my", pads=pads)
        for output, pads in (("y", [1, 1, 1, 1]), ("z", [0, 0, 0, 0]))
    ]
    for count, why in (2, "attributes of the node behind it are not known"), (1, None):
        top = graph(
            calls[:count],
            [port("x", X.shape)],
            [port(name, [None] * 4) for name in "yz"[:count]],
            [weights()],
        )
        content = model_of(top, 18, functions=[function], imports=[oh.make_opsetid("my", 1)])
        folded, said = fold(folder, content)
        assert said["pad"]["not_folded"] == why
        same(content, folded)


# ---- Words ----------------------------------------------------------------------------------------


def test_the_report(folder):
    """A line for each Pad that is folded, and for each that is not, with the reason."""
    nodes = [
        pad("x", "z", "none", name="nothing"),
        pad("z"),
        conv(),
        pad("y", "b", name="edge", mode="edge"),
        pad("b", "c", name="more", mode="edge"),
        oh.make_node("Relu", ["c"], ["r"]),
    ]
    (folder / "m.onnx").write_bytes(model(nodes, [weights(), ints("none", [0] * 8)], ["r"]))
    done = folder.run("lower", "m.onnx", "out.onnx", "--fold", "--target", TARGET)
    assert done.stdout.decode().splitlines() == [
        "nothing: adds nothing, and is left out",
        "pad: now part of Conv conv",
        "edge: now part of Pad more",
        "more: takes in a Pad before it, now Pad",
        "more: not folded: only mode constant can be pads of another node",
        "4 Pad nodes: 3 folded, 0 kept, 1 rewritten, 0 cannot be lowered; out.onnx is written",
    ]
    (folder / "m.onnx").write_bytes(model([pad(), oh.make_node("Relu", ["a"], ["y"])]))
    done = folder.run("lower", "m.onnx", "out.onnx", "-f", "--fold", "--target", TARGET)
    assert done.stdout.decode().splitlines() == [
        "pad: not folded: the node behind it is no Conv, pool or Pad",
        "1 Pad node: 0 folded, 1 kept, 0 rewritten, 0 cannot be lowered; out.onnx is a copy",
    ]


def test_without_the_option_nothing_is_folded(folder):
    content, _ = INTO["zeros by default"]
    (folder / "m.onnx").write_bytes(content)
    said = json.loads(
        folder.run("lower", "m.onnx", "out.onnx", "--json", "--target", TARGET).stdout
    )
    assert (folder / "out.onnx").read_bytes() == content
    assert (
        said["folded"] == 0 and said["nodes"][0]["into"] is said["nodes"][0]["not_folded"] is None
    )
