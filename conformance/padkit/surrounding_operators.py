"""The operators that stand before or behind a Pad, each computed twice: by loops and by NumPy.

SPDX-License-Identifier: MIT

A step has `add`, which adds its node to a graph, `loops`, which computes a list of numbers in
row-major order and a shape, and `array`, which computes an array. All numbers are small integers or
halves of them, so that every order of additions gives the same float.
"""

import dataclasses
import itertools
import math

import numpy as np

from padkit import elements, indexing, oracle
from padkit.graph import int64


def places(shape):
    return itertools.product(*map(range, shape))


def at(shape, place):
    """The row-major number of a place."""
    number = 0
    for extent, index in zip(shape, place):
        number = number * extent + index
    return number


def pad_loops(cells, shape, begin, end, mode, fill):
    return oracle.pad(cells, shape, begin, end, mode, fill, order="crop")


def pad_array(array, begin, end, mode, fill):
    index = indexing.pad(array.shape, begin, end, mode)
    if array.size == 0:
        return np.full(index.shape, fill, array.dtype)
    return np.where(index < 0, array.dtype.type(fill), array.ravel()[np.maximum(index, 0)])


@dataclasses.dataclass(frozen=True)
class Transpose:
    perm: tuple[int, ...]

    def add(self, graph, x, y):
        return graph.node("Transpose", [x], y, perm=self.perm)

    def loops(self, cells, shape):
        out = [shape[axis] for axis in self.perm]
        moved = []
        for place in places(out):
            source = [0] * len(shape)
            for axis, index in zip(self.perm, place):
                source[axis] = index
            moved.append(cells[at(shape, source)])
        return moved, out

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

    def extents(self, shape):
        return [(n + 2 * self.frame - self.window) // self.stride + 1 for n in shape[2:]]

    def loops(self, cells, shape):
        out = [*shape[:2], *self.extents(shape)]
        results = []
        for image, channel, row, column in places(out):
            seen = []
            for i, j in places((self.window, self.window)):
                k = row * self.stride + i - self.frame
                m = column * self.stride + j - self.frame
                if 0 <= k < shape[2] and 0 <= m < shape[3]:
                    seen.append(cells[at(shape, (image, channel, k, m))])
            results.append(max(seen) if self.kind == "MaxPool" else sum(seen) / len(seen))
        return results, out

    def array(self, x):
        # What the pool pads is nothing that a window sees: -infinity, or NaN that nanmean skips.
        outside = -np.inf if self.kind == "MaxPool" else np.nan
        sides = [(0, 0), (0, 0), (self.frame, self.frame), (self.frame, self.frame)]
        wide = np.pad(x, sides, constant_values=outside)
        windows = np.lib.stride_tricks.sliding_window_view(wide, [self.window] * 2, (2, 3))
        windows = windows[:, :, :: self.stride, :: self.stride]
        reduce = np.max if self.kind == "MaxPool" else np.nanmean
        return reduce(windows, axis=(4, 5)).astype(x.dtype)


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

    def loops(self, cells, shape):
        weights, form = self.weights
        rows, columns = (n + 2 * self.frame - self.window + 1 for n in shape[2:])
        out = [shape[0], form[0], rows, columns]
        results = []
        for image, channel, row, column in places(out):
            total = 0.0
            for c, i, j in places(form[1:]):
                k, m = row + i - self.frame, column + j - self.frame
                if 0 <= k < shape[2] and 0 <= m < shape[3]:
                    total += (
                        weights[at(form, (channel, c, i, j))] * cells[at(shape, (image, c, k, m))]
                    )
            results.append(total)
        return results, out

    def array(self, x):
        numbers, form = self.weights
        sides = [(0, 0), (0, 0), (self.frame, self.frame), (self.frame, self.frame)]
        windows = np.lib.stride_tricks.sliding_window_view(
            np.pad(x, sides), [self.window] * 2, (2, 3)
        )
        weights = np.array(numbers, np.float64).reshape(form)
        return np.einsum("ncxyij,mcij->nmxy", windows, weights).astype(x.dtype)


@dataclasses.dataclass(frozen=True)
class Relu:
    def add(self, graph, x, y):
        return graph.node("Relu", [x], y)

    def loops(self, cells, shape):
        return [cell if cell > 0 else 0 for cell in cells], shape

    def array(self, x):
        return np.maximum(x, 0)


@dataclasses.dataclass(frozen=True)
class AddNumber:
    number: float

    def add(self, graph, x, y):
        cell = elements.cell_of(self.number, "float")
        graph.initializers.append(elements.tensor("float", [], [cell], f"{y}_number"))
        return graph.node("Add", [x, f"{y}_number"], y)

    def loops(self, cells, shape):
        return [cell + self.number for cell in cells], shape

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

    def loops(self, cells, shape):
        out = [self.length if k == self.axis else n for k, n in enumerate(shape)]
        taken = []
        for place in places(out):
            place = list(place)
            place[self.axis] += self.start
            taken.append(cells[at(shape, place)])
        return taken, out

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

    def loops(self, cells, shape):
        return pad_loops(cells, shape, self.begin, self.end, self.mode, 0)

    def array(self, x):
        return pad_array(x, self.begin, self.end, self.mode, 0)
