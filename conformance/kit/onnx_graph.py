"""A graph of ONNX, as nodes are added to it. SPDX-License-Identifier: MIT"""

import onnx.helper as oh

from kit import elements


class Graph:
    """The nodes, inputs and initializers of one graph, as they are added."""

    def __init__(self):
        self.nodes, self.inputs, self.initializers = [], [], []
        self.feeds = []  # a TensorProto for each input

    def feed(self, tensor, dims):
        """Adds an input of the graph. dims: what its declaration says."""
        self.inputs.append(oh.make_tensor_value_info(tensor.name, tensor.data_type, dims))
        self.feeds.append(tensor)

    def constant(self, name, word, shape, cells):
        """Adds a Constant node; returns the name of its output."""
        tensor = elements.tensor(word, shape, cells, name)
        return self.node("Constant", [], name, value=tensor)

    def numbers(self, name, values):
        """Adds a Constant node of a 1-D tensor of int64."""
        return self.constant(name, "int64", [len(values)], int64(values))

    def node(self, kind, inputs, output, **attributes):
        """Adds a node; returns the name of its output."""
        self.nodes.append(oh.make_node(kind, inputs, [output], name=output, **attributes))
        return output

    def model(self, name, word, dims, opset, functions=()):
        """The ModelProto, whose output is `y`."""
        output = oh.make_tensor_value_info("y", elements.NUMBERS[word], dims)
        domains = [oh.make_opsetid(function.domain, 1) for function in functions]
        return oh.make_model(
            oh.make_graph(self.nodes, name, self.inputs, [output], self.initializers),
            producer_name="tensorpad pad-kit",
            opset_imports=[oh.make_opsetid("", opset), *domains],
            functions=functions,
            ir_version=oh.find_min_ir_version_for([oh.make_opsetid("", max(8, opset))]),
        )


def int64(values):
    return [elements.cell_of(value, "int64") for value in values]
