"""Random graphs with Pads that `tensorpad lower --fold` folds, or must not.

SPDX-License-Identifier: MIT

The numbers are small integers, and averages are over powers of two of cells: no sum is rounded, so the
order of the sums does not matter.
"""

import random

import numpy as np
import onnx
import onnx.helper as oh
import onnx.numpy_helper as nh
from onnx import TensorProto

from padkit import windows

OPSETS = (11, 13, 15, 17, 18, 19, 21, 22)
OTHERS = ("Relu", "Abs", "Identity")
KERNELS = {"AveragePool": (2, 4)}


class Graph:
    """One graph while it is drawn."""

    def __init__(self, seed):
        self.draw = random.Random(seed)
        self.numbers = np.random.default_rng(seed)
        self.opset = self.draw.choice(OPSETS)
        self.axes = self.draw.choice((1, 2, 2, 2, 3))
        self.nodes, self.weights, self.outputs = [], [], []
        self.made = 0

    def name(self):
        self.made += 1
        return f"t{self.made}"

    def add(self, op_type, inputs, **words):
        output = self.name()
        self.nodes.append(oh.make_node(op_type, inputs, [output], name=f"{op_type}_{output}", **words))
        return output

    def constant(self, array):
        """A tensor as an initializer, as a Constant, or made of parts by other nodes."""
        array = np.asarray(array)
        way = self.draw.random()
        if way < 0.5:
            self.weights.append(nh.from_array(array, self.name()))
            return self.weights[-1].name
        if way < 0.8 or array.ndim != 1 or len(array) < 2:
            return self.add("Constant", [], value=nh.from_array(array))
        parts = [self.constant(part) for part in (array[:1], array[1:])]
        return self.add("Concat", parts, axis=0)

    def amounts(self):
        """Begins and ends of all axes."""
        draw, rank = self.draw, 2 + self.axes
        pads = [0] * 2 * rank
        if draw.random() < 0.12:
            return pads
        for axis in range(2, rank):
            pads[axis], pads[rank + axis] = draw.choice((0, 0, 1, 1, 1, 2, 3)), draw.choice((0, 1, 1, 1, 2))
        if draw.random() < 0.06:
            pads[draw.randrange(2 * rank)] = -1
        if draw.random() < 0.06:
            pads[draw.choice((0, 1, rank, rank + 1))] = 1
        return pads

    def pad(self, data, word, fill):
        draw = self.draw
        mode = draw.choice(("constant",) * 8 + ("edge", "reflect", "wrap" if self.opset >= 19 else "edge"))
        pads = self.amounts()
        inputs = [data, None]
        if mode == "constant" and (fill != 0 or draw.random() < 0.4):
            value = fill if draw.random() < 0.92 else 1
            inputs.append(self.constant(np.array(value, word)))
        if self.opset >= 18 and draw.random() < 0.3:
            axes = [axis for axis in range(2 + self.axes) if axis >= 2 or pads[axis] or pads[2 + self.axes + axis]]
            pads = [pads[axis] for axis in axes] + [pads[2 + self.axes + axis] for axis in axes]
            inputs += [""] * (3 - len(inputs)) + [self.constant(np.array(axes, np.int64))]
        inputs[1] = self.constant(np.array(pads, np.int64))
        return self.add("Pad", inputs, mode=mode)

    def words(self, op, extra):
        """Attributes of a window."""
        draw, words = self.draw, {}
        way = draw.random()
        if way < 0.35:
            words["pads"] = [draw.choice((0, 0, 1)) for _ in range(2 * self.axes)]
        elif way < 0.45:
            words["auto_pad"] = draw.choice(("VALID", "NOTSET", "SAME_UPPER", "SAME_LOWER"))
        if op in ("MaxPool", "AveragePool") and draw.random() < 0.12:
            words["ceil_mode"] = 1
        if op == "AveragePool":
            words["count_include_pad"] = int(draw.random() < 0.7)
        return words | extra

    def window(self, data, op, word, channels):
        """Pads and an operator behind them. Returns the output and its channels."""
        draw = self.draw
        kernel = [draw.choice(KERNELS.get(op, (1, 2, 3))) for _ in range(self.axes)]
        group = draw.choice((1, channels)) if op == "Conv" else 1
        win = windows.Window(self.numbers, op, word, self.axes, kernel=kernel,
                             strides=[draw.choice((1, 1, 2)) for _ in range(self.axes)],
                             dilations=[draw.choice((1, 1, 1, 2))] * self.axes if op == "Conv" else None)
        win.group = group
        win.w = np.array(self.numbers.integers(-3, 4, (2 * group if group > 1 else 3, channels // group, *kernel)))
        win.w = win.w.astype("int8" if op in ("QLinearConv", "ConvInteger") else word)
        for _ in range(draw.choice((0, 1, 1, 1, 2, 2, 3))):
            data = self.pad(data, word, win.fill)
            if draw.random() < 0.05 and word not in ("uint8", "int8"):
                self.outputs.append((data, win.type))
        node = win.node(data, "?", **self.words(op, {}))
        names = {name: self.constant(array) for name, array in win.constants().items()}
        output = self.name()
        node.output[0] = output
        node.name = f"{op}_{output}"
        node.input[:] = [names.get(name, name) for name in node.input]
        self.nodes.append(node)
        if op == "MaxPool" and draw.random() < 0.08:
            node.output.append(self.name())
            self.outputs.append((node.output[1], TensorProto.INT64))
        if draw.random() < 0.05 and word not in ("uint8", "int8"):
            self.outputs.append((self.add("Abs", [data]), win.type))
        return output, channels if op.endswith("Pool") else win.w.shape[0], win

    def model(self):
        """A ModelProto with the input x."""
        draw = self.draw
        op = draw.choice(windows.OPERATORS + ("Conv", "Conv", "MaxPool"))
        if op in ("QLinearConv", "ConvInteger"):
            word = draw.choice(("uint8", "int8"))
        else:
            word = "float32" if op != "MaxPool" or self.opset < 12 else draw.choice(("float32",) * 3 + ("uint8", "int8"))
        shape = [1, 2, *[draw.choice((4, 5, 7)) for _ in range(self.axes)]]
        kind = oh.np_dtype_to_tensor_dtype(np.dtype(word))
        data = "x"
        if word == "float32" and draw.random() < 0.3:
            data = self.add(draw.choice(OTHERS), ["x"])
        data, channels, win = self.window(data, op, word, 2)
        made = win.made_type()
        if made == TensorProto.FLOAT and draw.random() < 0.5:
            data = self.add(draw.choice(OTHERS), [data])
            data, _, win = self.window(data, draw.choice(("Conv", "MaxPool")), "float32", channels)
        self.outputs.insert(0, (data, made))
        # a name says that two extents are equal: each has its own
        ends = [oh.make_tensor_value_info(name, type_, [f"{name}_{k}" for k in range(2 + self.axes)])
                for name, type_ in dict(self.outputs).items()]
        graph = oh.make_graph(self.nodes, "g", [oh.make_tensor_value_info("x", kind, shape)], ends, self.weights)
        low, high = (0, 9) if word == "uint8" else (-4, 5)
        x = np.array(self.numbers.integers(low, high, shape)).astype(word)
        ir = 7 if self.opset < 15 else 8 if self.opset < 19 else 10
        return oh.make_model(graph, opset_imports=[oh.make_opsetid("", self.opset)], ir_version=ir), x


def draw_graph(seed):
    """(ModelProto, x) of a seed."""
    model, x = Graph(seed).model()
    onnx.checker.check_model(model)
    return model, x
