"""Writes a case as a model of ONNX with its inputs, its arguments in the ways in which they reach a
node.

SPDX-License-Identifier: MIT
"""

import math

import numpy as np
import onnx
import onnx.helper as oh

from kit import elements, surroundings
from kit.onnx_graph import Graph, int64


def as_initializer(graph, tensor, case):
    graph.initializers.append(tensor)
    return tensor.name


def as_overridable(graph, tensor, case):
    """An initializer that is an input of the graph, too: callers may replace it."""
    graph.inputs.append(oh.make_tensor_value_info(tensor.name, tensor.data_type, tensor.dims))
    graph.initializers.append(tensor)
    return tensor.name


def as_constant(graph, tensor, case):
    return graph.node("Constant", [], tensor.name, value=tensor)


def as_constant_numbers(graph, tensor, case):
    """A Constant node whose attribute is a list of numbers, or one number; since opset 12."""
    values = onnx.numpy_helper.to_array(tensor)
    kind = {np.dtype("int64"): "int", np.dtype("float32"): "float"}[values.dtype]
    form = f"value_{kind}" if values.ndim == 0 else f"value_{kind}s"
    return graph.node("Constant", [], tensor.name, **{form: values.tolist()})


def as_input(graph, tensor, case):
    graph.feed(tensor, list(tensor.dims))
    return tensor.name


def as_unsized_input(graph, tensor, case):
    """An input of the graph that is declared without its length."""
    graph.feed(tensor, [None])
    return tensor.name


def as_computed(graph, tensor, case):
    """From an input, by another node: no runtime can know it before it has the inputs."""
    name, tensor.name = tensor.name, f"{tensor.name}_given"
    graph.feed(tensor, list(tensor.dims))
    return graph.node("Identity", [tensor.name], name)


def as_identity(graph, tensor, case):
    """A constant behind an Identity node."""
    name, tensor.name = tensor.name, f"{tensor.name}_constant"
    as_constant(graph, tensor, case)
    return graph.node("Identity", [tensor.name], name)


def as_cast(graph, tensor, case):
    """A constant of the next narrower type behind a Cast node."""
    name, word = tensor.name, elements.WORDS[tensor.data_type]
    narrow = {"int64": "int32", "double": "float", "float": "float16"}[word]
    _, kind = elements.TYPES[word]
    values = onnx.numpy_helper.to_array(tensor).astype(elements.TYPES[narrow][1])
    assert (values.astype(kind) == onnx.numpy_helper.to_array(tensor)).all()
    graph.node(
        "Constant",
        [],
        f"{name}_narrow",
        value=onnx.numpy_helper.from_array(values, f"{name}_narrow"),
    )
    return graph.node("Cast", [f"{name}_narrow"], name, to=tensor.data_type)


def as_reshape(graph, tensor, case):
    """A constant of shape [1, ...] behind a Reshape node."""
    name, dims = tensor.name, list(tensor.dims)
    tensor.name = f"{name}_constant"
    tensor.dims.insert(0, 1)
    as_constant(graph, tensor, case)
    graph.numbers(f"{name}_shape", dims)
    return graph.node("Reshape", [tensor.name, f"{name}_shape"], name)


def as_concat(graph, tensor, case):
    """Two constants behind a Concat node: the first half and the second half."""
    name, word = tensor.name, elements.WORDS[tensor.data_type]
    values = onnx.numpy_helper.to_array(tensor).tolist()
    half = len(values) // 2
    for part, cells in (("first", values[:half]), ("second", values[half:])):
        cells = [elements.cell_of(value, word) for value in cells]
        graph.constant(f"{name}_{part}", word, [len(cells)], cells)
    return graph.node("Concat", [f"{name}_first", f"{name}_second"], name, axis=0)


def as_torchscript(graph, tensor, case):
    """Pads as the TorchScript exporter of PyTorch writes them.

    Its list holds (begin, end) of the last axis first, and says nothing of the first axes.
    """
    name, (begin, end) = tensor.name, case.amounts
    rank = len(begin)
    told = [amount for axis in reversed(range(rank)) for amount in (begin[axis], end[axis])]
    while told[-2:] == [0, 0]:
        del told[-2:]
    graph.numbers("torch_pad", told)
    graph.numbers("missing", [2 * rank - len(told)])
    graph.node("ConstantOfShape", ["missing"], "zeros", value=elements.tensor("int64", [1], [0]))
    graph.node("Concat", ["torch_pad", "zeros"], "all_axes", axis=0)
    graph.numbers("pairs", [-1, 2])
    graph.node("Reshape", ["all_axes", "pairs"], "last_first")
    for place, number in (("from", -1), ("to", -(2**63)), ("along", 0), ("step", -1)):
        graph.numbers(place, [number])
    graph.node("Slice", ["last_first", "from", "to", "along", "step"], "first_first")
    graph.node("Transpose", ["first_first"], "begins_ends", perm=[1, 0])
    graph.numbers("flat", [-1])
    graph.node("Reshape", ["begins_ends", "flat"], "in_a_row")
    return graph.node("Cast", ["in_a_row"], name, to=onnx.TensorProto.INT64)


def as_from_shape(graph, tensor, case):
    """Pads up to a given size: what the extents of the data lack is added at the end."""
    begin, end = case.amounts
    graph.numbers("begins", begin)
    graph.numbers("size", [n + e for n, e in zip(case.shape, end)])
    graph.node("Shape", ["x"], "extents")
    graph.node("Sub", ["size", "extents"], "ends")
    return graph.node("Concat", ["begins", "ends"], tensor.name, axis=0)


WAYS = {
    "initializer": as_initializer,
    "overridable": as_overridable,
    "constant": as_constant,
    "constant numbers": as_constant_numbers,
    "input": as_input,
    "unsized input": as_unsized_input,
    "computed": as_computed,
    "identity": as_identity,
    "cast": as_cast,
    "reshape": as_reshape,
    "concat": as_concat,
    "torchscript": as_torchscript,
    "from shape": as_from_shape,
}
AT_RUN_TIME = {"overridable", "input", "unsized input", "computed", "from shape"}


DIMS = {  # how the graph declares the shape of its input: a function of the shape
    "known": list,
    "symbolic": lambda shape: [f"d{k}" for k in range(len(shape))],
    "batch symbolic": lambda shape: ["batch", *shape[1:]],
    "nameless": lambda shape: [None] * len(shape),
    # An input of a graph must have a rank: the data comes from a Reshape to a shape of any length.
    "rank unknown": None,
    "constant data": None,  # an initializer, not an input
}


def output_dims(case):
    """The declared shape of the output: numbers only where the model itself knows them."""
    told = case.around == "nothing" and case.forbidden is None
    told = told and case.dims in ("known", "constant data")
    if told and not AT_RUN_TIME & {case.pads_as, case.axes and case.axes_as}:
        return [n + b + e for n, b, e in zip(case.shape, *case.amounts)]
    return [f"o{k}" for k in range(len(case.shape))]


def pad_node(graph, case, data, output):
    """Adds the arguments of the case to the graph; returns the Pad node."""
    attributes = {} if case.mode is None else {"mode": case.mode}
    if case.opset < 11:
        attributes["paddings" if case.opset == 1 else "pads"] = list(case.pads)
        if case.value is not None:
            attributes["value"] = float(case.value)
        return oh.make_node("Pad", [data], [output], "pad", **attributes)

    def argument(name, word, shape, cells, way):
        tensor = elements.tensor(word, shape, cells, name, typed=case.typed)
        return WAYS[way](graph, tensor, case)

    inputs = [data, argument("pads", "int64", [len(case.pads)], int64(case.pads), case.pads_as)]
    if case.value is not None:
        cells = [case.fill] * math.prod(case.value_shape)
        inputs.append(argument("value", case.type, case.value_shape, cells, case.value_as))
    if case.axes is not None:
        cells = [elements.cell_of(axis, case.axes_type) for axis in case.axes]
        inputs += [""] * (3 - len(inputs))
        inputs.append(argument("axes", case.axes_type, [len(cells)], cells, case.axes_as))
    return oh.make_node("Pad", inputs, [output], "pad", **attributes)


def add_data(graph, case):
    """Adds the data, `x`."""
    tensor = elements.tensor(case.type, case.shape, case.data, "x")
    if case.dims == "constant data":
        return graph.initializers.append(tensor)
    if case.dims != "rank unknown":
        return graph.feed(tensor, DIMS[case.dims](case.shape))
    graph.feed(elements.tensor(case.type, [len(case.data)], case.data, "x_flat"), ["count"])
    rank = len(case.shape)
    graph.feed(elements.tensor("int64", [rank], int64(case.shape), "x_shape"), ["rank"])
    return graph.node("Reshape", ["x_flat", "x_shape"], "x")


def write(case):
    """Returns (model, inputs): a ModelProto and a TensorProto for each input of its graph."""
    graph = Graph()
    add_data(graph, case)
    functions = surroundings.AROUND[case.around].build(
        graph, case, lambda place, x, y: pad_node(place, case, x, y)
    )
    model = graph.model(case.name, case.type, output_dims(case), case.opset, functions)
    if case.edit:
        case.edit(model, graph.feeds)
    return model, graph.feeds
