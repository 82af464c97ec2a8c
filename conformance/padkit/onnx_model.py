"""Writes a case as a model of ONNX with its inputs.

SPDX-License-Identifier: MIT
"""

import math

import onnx.helper as oh

from padkit import elements, surroundings
from padkit.argument_sources import AT_RUN_TIME, WAYS
from padkit.graph import Graph, int64

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
    output = oh.make_tensor_value_info("y", elements.NUMBERS[case.type], output_dims(case))
    proto = oh.make_graph(graph.nodes, case.name, graph.inputs, [output], graph.initializers)
    imports = [oh.make_opsetid("", case.opset)]
    imports += [oh.make_opsetid(function.domain, 1) for function in functions]
    model = oh.make_model(
        proto,
        producer_name="tensorpad pad-kit",
        opset_imports=imports,
        functions=functions,
        ir_version=oh.find_min_ir_version_for([oh.make_opsetid("", max(8, case.opset))]),
    )
    if case.edit:
        case.edit(model, graph.feeds)
    return model, graph.feeds
