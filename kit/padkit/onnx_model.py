"""Writes a case as a model of ONNX with its inputs.

SPDX-License-Identifier: MIT
"""

import math

import onnx
import onnx.helper as oh

from padkit import company, elements

INT64 = onnx.TensorProto.INT64


class Graph:
    """The nodes, inputs and initializers of one graph, as they are added."""

    def __init__(self):
        self.nodes, self.inputs, self.initializers = [], [], []
        self.feeds = []  # a TensorProto for each input

    def argument(self, name, word, shape, cells, way):
        """Adds a tensor that reaches the node in this way; returns its name there."""
        tensor = elements.tensor(word, shape, cells, name)
        if way == "initializer":
            self.initializers.append(tensor)
        elif way == "constant":
            self.nodes.append(oh.make_node("Constant", [], [name], value=tensor))
        elif way == "input":
            self.feed(tensor, shape)
        elif way == "computed":  # no runtime can know it before it has the inputs
            self.feed(elements.tensor(word, shape, cells, f"{name}_given"), shape)
            self.nodes.append(oh.make_node("Identity", [f"{name}_given"], [name]))
        else:
            raise ValueError(f"{name} is given as {way}")
        return name

    def feed(self, tensor, dims):
        """Adds an input of the graph. dims: what its declaration says, None for no shape."""
        self.inputs.append(oh.make_tensor_value_info(tensor.name, tensor.data_type, dims))
        self.feeds.append(tensor)


def dims_of(case):
    """The shape in the declaration of `data`."""
    return {
        "known": list(case.shape),
        "symbolic": [f"d{k}" for k in range(len(case.shape))],
        "rank unknown": None,
    }[case.dims]


def output_dims(case):
    """The shape in the declaration of the output: numbers only where the model itself knows them."""
    if case.dims == "rank unknown":
        return None
    told = case.around is None and case.forbidden is None and case.dims == "known"
    if told and not {"input", "computed"} & {case.pads_as, case.axes and case.axes_as}:
        return [n + b + e for n, b, e in zip(case.shape, *case.amounts)]
    return [f"o{k}" for k in range(len(case.shape))]


def pad_node(graph, case, data, output):
    """Adds the arguments of the case to the graph; returns the Pad node."""
    attributes = {} if case.mode is None else {"mode": case.mode}
    if case.opset < 11:
        attributes["paddings" if case.opset == 1 else "pads"] = list(case.pads)
        if case.value is not None:
            attributes["value"] = float(case.value)
        return oh.make_node("Pad", [data], [output], **attributes)
    cells = [elements.cell_of(pad, "int64") for pad in case.pads]
    inputs = [data, graph.argument("pads", "int64", [len(cells)], cells, case.pads_as)]
    if case.value is not None:
        cells = [case.fill] * math.prod(case.value_shape)
        inputs.append(
            graph.argument("value", case.type, case.value_shape, cells, case.value_as)
        )
    if case.axes is not None:
        cells = [elements.cell_of(axis, case.axes_type) for axis in case.axes]
        inputs += [""] * (3 - len(inputs))
        inputs.append(
            graph.argument("axes", case.axes_type, [len(cells)], cells, case.axes_as)
        )
    return oh.make_node("Pad", inputs, [output], **attributes)


def write(case):
    """Returns (model, inputs): a ModelProto and a TensorProto for each input of its graph."""
    graph = Graph()
    graph.feed(elements.tensor(case.type, case.shape, case.data, "x"), dims_of(case))
    functions = company.AROUND[case.around].build(graph, case) if case.around else []
    if not case.around:
        graph.nodes.append(pad_node(graph, case, "x", "y"))
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
    return model, graph.feeds
