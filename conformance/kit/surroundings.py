"""The nodes that stand around a Pad in cases of Pad in company, and what such a model answers.

SPDX-License-Identifier: MIT

A step has `add`, which adds its node to a graph, and `array`, which computes an array. All numbers
are small integers or halves of them, so that every order of additions gives the same float.
"""

import dataclasses
import math
from collections.abc import Callable

import numpy as np
import onnx
import onnx.helper as oh

from kit import elements, oracle, windows
from kit.onnx_graph import Graph, int64


def pad_array(array, begin, end, mode, fill):
    fill = array.dtype.type(fill)
    cells, shape = oracle.pad(list(array.flat), array.shape, begin, end, mode, fill, order="crop")
    return np.array(cells, array.dtype).reshape(shape)


@dataclasses.dataclass(frozen=True)
class Transpose:
    perm: tuple[int, ...]

    def add(self, graph, x, y):
        return graph.node("Transpose", [x], y, perm=self.perm)

    def array(self, x):
        return x.transpose(self.perm)


@dataclasses.dataclass(frozen=True)
class Pool:
    """MaxPool or AveragePool of images, NCHW, with a square window."""

    kind: str
    window: int = 2
    stride: int = 1
    frame: int = 0  # what the pool itself pads, at all sides

    def add(self, graph, x, y):
        framed = {"pads": [self.frame] * 4} if self.frame else {}
        return graph.node(
            self.kind, [x], y, kernel_shape=[self.window] * 2, strides=[self.stride] * 2, **framed
        )

    def array(self, x):
        # What the pool pads is nothing that a window sees: -infinity, or NaN that nanmean skips.
        outside = -np.inf if self.kind == "MaxPool" else np.nan
        wide = windows.padded(x, [self.frame] * 4, outside)
        cells = windows.windows(wide, [self.window] * 2, [self.stride] * 2, [1, 1])
        reduce = np.max if self.kind == "MaxPool" else np.nanmean
        return reduce(cells, axis=(4, 5)).astype(x.dtype)


@dataclasses.dataclass(frozen=True)
class Conv:
    """A convolution of images, NCHW, by small whole numbers."""

    channels: tuple[int, int]  # of the output, of the input
    window: int = 3
    frame: int = 0  # what the convolution itself pads with zeros, at all sides

    @property
    def weights(self):
        shape = (*self.channels, self.window, self.window)
        return [(7 * k + 3) % 5 - 2 for k in range(math.prod(shape))], shape

    def add(self, graph, x, y):
        numbers, shape = self.weights
        cells = [elements.cell_of(number, "float") for number in numbers]
        graph.initializers.append(elements.tensor("float", shape, cells, f"{y}_weights"))
        return graph.node(
            "Conv", [x, f"{y}_weights"], y, kernel_shape=shape[2:], pads=[self.frame] * 4
        )

    def array(self, x):
        numbers, form = self.weights
        weights = np.array(numbers, x.dtype).reshape(form)
        return windows.conv(windows.padded(x, [self.frame] * 4, 0), weights, [1, 1], [1, 1])


@dataclasses.dataclass(frozen=True)
class Relu:
    def add(self, graph, x, y):
        return graph.node("Relu", [x], y)

    def array(self, x):
        return np.maximum(x, 0)


@dataclasses.dataclass(frozen=True)
class AddNumber:
    number: float

    def add(self, graph, x, y):
        cell = elements.cell_of(self.number, "float")
        graph.initializers.append(elements.tensor("float", [], [cell], f"{y}_number"))
        return graph.node("Add", [x, f"{y}_number"], y)

    def array(self, x):
        return x + x.dtype.type(self.number)


@dataclasses.dataclass(frozen=True)
class Slice:
    """Takes [start, start + length) of one axis."""

    axis: int
    start: int
    length: int

    def add(self, graph, x, y):
        names = [
            graph.numbers(f"{y}_{what}", [number])
            for what, number in (
                ("start", self.start),
                ("stop", self.start + self.length),
                ("axis", self.axis),
            )
        ]
        return graph.node("Slice", [x, *names], y)

    def array(self, x):
        return x.take(range(self.start, self.start + self.length), axis=self.axis)


@dataclasses.dataclass(frozen=True)
class Pad:
    """Another Pad, of opset 11 or later."""

    begin: tuple[int, ...]
    end: tuple[int, ...]
    mode: str = "constant"

    def add(self, graph, x, y):
        cells = int64(self.begin + self.end)
        graph.initializers.append(elements.tensor("int64", [len(cells)], cells, f"{y}_pads"))
        return graph.node("Pad", [x, f"{y}_pads"], y, mode=self.mode)

    def array(self, x):
        return pad_array(x, self.begin, self.end, self.mode, 0)


def alone(graph, x, y, case, pad):
    """The Pad stands in the main graph."""
    graph.nodes.append(pad(graph, x, y))
    return []


def type_of(case):
    return oh.make_tensor_type_proto(elements.NUMBERS[case.type], None)


def branch(taken, inside, prefix=""):
    """The Pad stands in a branch of an If, the other branch passes the data on.

    inside: its arguments are in the branch, too; otherwise they come from the graph around it.
    prefix: of the names of the If, for one that stands around another.
    """

    def build(graph, x, y, case, pad):
        padded, passed, condition = Graph(), Graph(), f"{prefix}condition"
        outputs = {padded: f"{prefix}padded", passed: f"{prefix}passed"}
        padded.nodes.append(pad(padded if inside else graph, x, outputs[padded]))
        passed.node("Identity", [x], outputs[passed])
        graph.feed(elements.tensor("bool", [], [int(taken == "then")], condition), [])
        bodies = (padded, passed) if taken == "then" else (passed, padded)
        graph.node(
            "If",
            [condition],
            y,
            **{
                f"{name}_branch": oh.make_graph(
                    body.nodes,
                    name,
                    [],
                    [oh.make_value_info(outputs[body], type_of(case))],
                    body.initializers,
                )
                for name, body in zip(("then", "else"), bodies)
            },
        )
        return []

    return build


def nested(graph, x, y, case, pad):
    """The Pad stands in an If that stands in an If."""

    def inner(_, data, output):
        body = Graph()
        branch("else", False)(body, data, output, case, lambda _, x, y: pad(graph, x, y))
        graph.inputs.extend(body.inputs)
        graph.feeds.extend(body.feeds)
        return body.nodes[-1]

    return branch("then", False, "outer_")(graph, x, y, case, inner)


def loop(times):
    """The Pad stands in the body of a Loop, which pads what the trip before has padded."""

    def build(graph, x, y, case, pad):
        body = Graph()
        body.nodes.append(pad(graph, "state", "padded"))
        body.node("Identity", ["go_on"], "go_on_again")
        true = oh.make_tensor_type_proto(onnx.TensorProto.BOOL, [])
        number = oh.make_tensor_type_proto(onnx.TensorProto.INT64, [])
        inputs = [
            oh.make_value_info("trip", number),
            oh.make_value_info("go_on", true),
            oh.make_value_info("state", type_of(case)),
        ]
        outputs = [
            oh.make_value_info("go_on_again", true),
            oh.make_value_info("padded", type_of(case)),
        ]
        graph.feed(elements.tensor("int64", [], [times], "times"), [])
        graph.constant("start", "bool", [], [1])
        graph.node(
            "Loop",
            ["times", "start", x],
            y,
            body=oh.make_graph(body.nodes, "body", inputs, outputs),
        )
        return []

    return build


def function(mode_given):
    """The Pad stands in a function of the model.

    mode_given: the mode is an attribute of the function, which the caller sets.
    """

    def build(graph, x, y, case, pad):
        node = pad(graph, "data", "padded")
        attributes = {}
        if mode_given:
            del node.attribute[:]
            node.attribute.add(name="mode", ref_attr_name="how", type=onnx.AttributeProto.STRING)
            attributes = {"how": case.mode}
        arguments = [name for name in node.input[1:] if name]
        call = oh.make_node(
            "PadInside", [x, *arguments], [y], "call", domain="padkit", **attributes
        )
        graph.nodes.append(call)
        return [
            oh.make_function(
                "padkit",
                "PadInside",
                ["data", *arguments],
                ["padded"],
                [node],
                [oh.make_opsetid("", case.opset)],
                list(attributes),
            )
        ]

    return build


@dataclasses.dataclass(frozen=True)
class Company:
    """What stands before and behind the Pad, and where the Pad stands.

    room: (graph, x, y, case, pad) adds the Pad from x to y and returns functions of the model;
    pad(graph, x, y) returns the Pad node and adds its arguments to that graph.
    """

    before: tuple = ()
    behind: tuple = ()
    room: Callable = alone
    times: int = 1  # how often the Pad is applied

    def build(self, graph, case, pad):
        """Adds all nodes from `x` to `y`; returns the functions of the model."""
        x = "x"
        for k, step in enumerate(self.before):
            x = step.add(graph, x, f"before_{k}")
        functions = self.room(graph, x, "middle" if self.behind else "y", case, pad)
        x = "middle"
        for k, step in enumerate(self.behind):
            x = step.add(graph, x, "y" if k == len(self.behind) - 1 else f"behind_{k}")
        return functions

    def padded_shape(self, shape):
        """The shape of the Pad's own data, where the graph's input has this shape."""
        array = np.zeros(shape, np.float32)
        for step in self.before:
            array = step.array(array)
        return array.shape

    def answer(self, case):
        """The output as (cells, shape)."""
        bits, kind = elements.TYPES[case.type]
        array = np.frombuffer(elements.to_bytes(case.data, bits), kind).reshape(case.shape)
        fill = np.frombuffer(elements.to_bytes([case.fill], bits), kind)[0]
        begin, end = case.amounts
        pads = [_ThisPad(begin, end, case.mode or "constant", fill)] * self.times
        for step in [*self.before, *pads, *self.behind]:
            array = step.array(array)
        assert array.dtype == kind, array.dtype
        return elements.from_bytes(array.tobytes(), bits, array.size), array.shape


@dataclasses.dataclass(frozen=True)
class _ThisPad:
    """The Pad of the case itself, as a step."""

    begin: list
    end: list
    mode: str
    fill: object

    def array(self, x):
        return pad_array(x, self.begin, self.end, self.mode, self.fill)


TO_NHWC, TO_NCHW = Transpose((0, 2, 3, 1)), Transpose((0, 3, 1, 2))
AROUND = {
    "nothing": Company(),
    "max pool behind": Company(behind=(Pool("MaxPool"),)),
    "max pool with stride behind": Company(behind=(Pool("MaxPool", 3, 2),)),
    "max pool with pads behind": Company(behind=(Pool("MaxPool", 3, 2, 1),)),
    "average pool behind": Company(behind=(Pool("AveragePool"),)),
    "average pool with stride behind": Company(behind=(Pool("AveragePool", 2, 2),)),
    "average pool with pads behind": Company(behind=(Pool("AveragePool", 2, 1, 1),)),
    "relu and max pool behind": Company(behind=(Relu(), Pool("MaxPool"))),
    "max pool before": Company(before=(Pool("MaxPool", 2, 2),)),
    "convolution behind": Company(behind=(Conv((2, 3)),)),
    "convolution with pads behind": Company(behind=(Conv((2, 3), 3, 1),)),
    "convolution before": Company(before=(Conv((3, 2)),)),
    "convolutions before and behind": Company(before=(Conv((2, 2)),), behind=(Conv((1, 2)),)),
    "transposes to NHWC and back": Company(before=(TO_NHWC,), behind=(TO_NCHW,)),
    "transposes to NCHW and back": Company(before=(TO_NCHW,), behind=(TO_NHWC,)),
    "transposes of two axes": Company(before=(Transpose((1, 0)),), behind=(Transpose((1, 0)),)),
    "transposes that differ": Company(before=(TO_NHWC,), behind=(TO_NHWC,)),
    "transpose before": Company(before=(TO_NHWC,)),
    "transpose behind": Company(behind=(TO_NCHW,)),
    "relu before": Company(before=(Relu(),)),
    "addition before": Company(before=(AddNumber(0.5),)),
    "addition behind": Company(behind=(AddNumber(-2.5),)),
    "pad before": Company(before=(Pad((0, 1), (2, 0)),)),
    "pad behind": Company(behind=(Pad((0, 2), (1, 0)),)),
    "edge before": Company(before=(Pad((1, 1), (0, 1), "edge"),)),
    "crop behind": Company(behind=(Pad((-1, 0), (0, -2)),)),
    "slice behind": Company(behind=(Slice(1, 1, 3),)),
    "slice before": Company(before=(Slice(0, 1, 2),)),
    "then branch": Company(room=branch("then", False)),
    "then branch with arguments": Company(room=branch("then", True)),
    "else branch": Company(room=branch("else", False)),
    "branch of a branch": Company(room=nested),
    "loop of one trip": Company(room=loop(1)),
    "loop of three trips": Company(room=loop(3), times=3),
    "loop of no trip": Company(room=loop(0), times=0),
    "function": Company(room=function(False)),
    "function with a mode": Company(room=function(True)),
    "function and max pool behind": Company(room=function(False), behind=(Pool("MaxPool"),)),
}
