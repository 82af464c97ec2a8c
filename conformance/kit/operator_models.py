"""A small model of the operators that stand in for a Pad, of ONNX or OpenVINO, with what it must
answer.

SPDX-License-Identifier: MIT

Each method adds an operator as `tensorpad lower` writes it, and computes its answer by NumPy on
cells (kit.elements), which no operator here changes.
"""

import dataclasses
import itertools
import math

import numpy as np
import onnx

from kit import elements
from kit.ir_model import NAMES, Net
from kit.onnx_graph import Graph, int64

MAX, MIN = 2**63 - 1, -(2**63)
# A Cast to these types makes infinity the largest number, unless it is told not to.
SATURATING = ("float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz")


@dataclasses.dataclass(frozen=True)
class Value:
    """A tensor of the model: what its format calls it, its type, and its cells as objects."""

    place: object
    type: str
    cells: np.ndarray


def array_of(cells, shape):
    made = np.empty(math.prod(shape), object)
    made[:] = cells
    return made.reshape(shape)


class Model:
    """What all formats have in common. A format has `give`, `keep`, `put` and `files`.

    word: the type of the data. sample: a function of the number of cells and their type.
    is_open: the inputs have dims without numbers.
    """

    def __init__(self, word, sample, is_open):
        self.word, self.sample, self.is_open = word, sample, is_open
        self.names = (f"t{k}" for k in itertools.count())

    def input(self, shape, name="x", word=None):
        """An input of the graph."""
        word = word or self.word
        cells = self.sample(math.prod(shape), word)
        return Value(self.give(name, word, shape, cells), word, array_of(cells, shape))

    def constant(self, shape, word=None, cells=None):
        word = word or self.word
        cells = self.sample(math.prod(shape), word) if cells is None else cells
        return Value(self.keep(next(self.names), word, shape, cells), word, array_of(cells, shape))

    def mask(self, shape):
        """A constant of bool with both values."""
        return self.constant(shape, "bool", [k % 3 != 1 for k in range(math.prod(shape))])

    def numbers(self, values):
        """The place of a constant with indices or extents."""
        return self.constant([len(values)], "int64", int64(values)).place

    def identity(self, x):
        return self.put("identity", [x], x.cells)

    def reshape(self, x, shape):
        """In `shape` 0 stands for the extent of x, and -1 for what is left."""
        extents = [n or x.cells.shape[k] for k, n in enumerate(shape)]
        return self.put("reshape", [x], x.cells.reshape(extents), shape=shape)

    def expand(self, x, shape):
        both = np.broadcast_shapes(x.cells.shape, tuple(shape))
        return self.put("expand", [x], np.broadcast_to(x.cells, both), shape=shape)

    def slice(self, x, axes, starts, ends, step=1):
        cuts = [slice(None)] * x.cells.ndim
        for axis, start, end in zip(axes, starts, ends):
            cuts[axis] = slice(start, None if end == MIN else end, step)
        return self.put(
            "slice", [x], x.cells[tuple(cuts)], axes=axes, starts=starts, ends=ends, step=step
        )

    def concat(self, parts, axis):
        cells = np.concatenate([part.cells for part in parts], axis)
        return self.put("concat", parts, cells, axis=axis)

    def gather(self, x, axis, indices):
        return self.put("gather", [x], x.cells.take(indices, axis), axis=axis, indices=indices)

    def where(self, condition, x, y):
        cells = np.where(condition.cells.astype(bool), x.cells, y.cells)
        return self.put("where", [condition, x, y], cells)

    def cast(self, x, word):
        """The cells stay those of the first type: they must come back so."""
        return self.put("cast", [x], x.cells, word)

    def answer(self, y):
        return elements.tensor(y.type, y.cells.shape, list(y.cells.flat), "y")


class OnnxModel(Model):
    """A model of ONNX, each operator in the form of the opset."""

    def __init__(self, opset, word, sample, is_open=False):
        super().__init__(word, sample, is_open)
        self.opset = opset
        self.graph = Graph()
        self.used = set()  # (an operator, the type of its result)

    def give(self, name, word, shape, cells):
        dims = [f"{name}{k}" for k in range(len(shape))] if self.is_open else list(shape)
        self.graph.feed(elements.tensor(word, shape, cells, name), dims)
        return name

    def keep(self, name, word, shape, cells):
        return self.graph.constant(name, word, shape, cells)

    def put(self, use, operands, cells, word=None, **given):
        """Adds the operator of that use with its arguments."""
        kind, word = use.capitalize(), word or operands[-1].type
        lists, attributes = self.arguments(kind, word, **given)
        inputs = [x.place for x in operands] + [self.numbers(values) for values in lists]
        self.used.add((kind, word))
        return Value(self.graph.node(kind, inputs, next(self.names), **attributes), word, cells)

    def arguments(self, kind, word, **given):
        """(the lists that are inputs, {name: attribute}) in this opset."""
        if kind == "Cast":
            to = {"to": word.upper() if self.opset < 6 else elements.NUMBERS[word]}
            return [], {**to, "saturate": 0} if word in SATURATING else to
        if kind == "Slice":
            step = given.pop("step")
            if self.opset < 10:
                return [], given
            steps = [[step] * len(given["axes"])] if step != 1 else []
            return [given["starts"], given["ends"], given["axes"], *steps], {}
        if kind == "Gather":
            return [given["indices"]], {"axis": given["axis"]}
        if kind == "Expand" or kind == "Reshape" and self.opset >= 5:
            return [given["shape"]], {}
        return [], given

    def files(self, y):
        """({file name: bytes}, [a TensorProto for each input], the answer as a TensorProto)."""
        self.graph.nodes[-1].output[0] = "y"
        shape = y.cells.shape
        dims = [f"y{k}" for k in range(len(shape))] if self.is_open else list(shape)
        model = self.graph.model("operators", y.type, dims, self.opset)
        onnx.checker.check_model(model)
        content = {"model.onnx": model.SerializeToString(deterministic=True)}
        return content, self.graph.feeds, self.answer(y)


# The layer of each use, the opset that its version names, and its attributes.
LAYERS = {
    "reshape": ("Reshape", 1, {"special_zero": "true"}),
    "expand": ("Broadcast", 3, {"mode": "bidirectional"}),
    "slice": ("Slice", 8, {}),
    "concat": ("Concat", 1, {}),
    "gather": ("Gather", 8, {"batch_dims": 0}),
    "where": ("Select", 1, {"auto_broadcast": "numpy"}),
    "cast": ("Convert", 1, {}),
}


class IrModel(Model):
    """A model of OpenVINO; Identity is a Reshape to the same shape."""

    def __init__(self, word, sample, is_open=False):
        super().__init__(word, sample, is_open)
        self.net = Net(11)

    def give(self, name, word, shape, cells):
        return self.net.parameter(name, word, shape, cells, "dynamic" if self.is_open else "known")

    def keep(self, name, word, shape, cells):
        return self.net.const(name, word, shape, cells)

    def put(self, use, operands, cells, word=None, **given):
        """Adds the layer of that use with its arguments."""
        word = word or operands[-1].type
        if use == "identity":
            return self.put("reshape", operands, cells, shape=[0] * cells.ndim)
        kind, opset, attributes = LAYERS[use]
        sources = [x.place for x in operands]
        if use == "slice":
            steps = [given["step"]] * len(given["axes"])
            sources += [
                self.numbers(values)
                for values in (given["starts"], given["ends"], steps, given["axes"])
            ]
        elif use == "gather":
            sources += [
                self.numbers(given["indices"]),
                self.constant([], "int64", [given["axis"]]).place,
            ]
        elif use in ("reshape", "expand"):
            sources.append(self.numbers(given["shape"]))
        elif use == "concat":
            attributes = given
        elif use == "cast":
            attributes = {"destination_type": NAMES[word]}
        dims = None if self.is_open else cells.shape
        layer = self.net.layer(next(self.names), kind, word, dims, sources, opset, **attributes)
        return Value(layer, word, cells)

    def files(self, y):
        """({file name: bytes}, [a TensorProto for each input], the answer as a TensorProto)."""
        self.net.layer("result", "Result", y.type, None, [y.place])
        content = {"model.xml": self.net.xml(), "model.bin": bytes(self.net.weights)}
        return content, self.net.feeds, self.answer(y)
