"""Collects the nodes, inputs and initializers of one graph of ONNX.

SPDX-License-Identifier: MIT
"""

import onnx.helper as oh

from padkit import elements


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


def int64(values):
    return [elements.cell_of(value, "int64") for value in values]
