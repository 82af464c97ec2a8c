"""Conv and pools over windows, by NumPy, and models of one of them.

SPDX-License-Identifier: MIT

Written from ONNX's documents, window by window: slow, and independent of every runtime.
"""

import itertools

import numpy as np
import onnx.helper as oh
import onnx.numpy_helper as nh
from onnx import TensorProto

OPERATORS = ("Conv", "QLinearConv", "ConvInteger", "MaxPool", "AveragePool")


def padded(x, pads, value):
    """The images with cells of that value around them; pads: all begins, then all ends."""
    half = len(pads) // 2
    return np.pad(x, [(0, 0), (0, 0), *zip(pads[:half], pads[half:])], constant_values=value)


def windows(x, kernel, strides, dilations):
    """(index of the output, the cells) of each window of images without pads."""
    reach = [(k - 1) * d + 1 for k, d in zip(kernel, dilations)]
    counts = [(extent - r) // s + 1 for extent, r, s in zip(x.shape[2:], reach, strides)]
    for at in itertools.product(*map(range, counts)):
        cells = tuple(
            slice(i * s, i * s + r, d) for i, s, r, d in zip(at, strides, reach, dilations)
        )
        yield at, x[(slice(None), slice(None), *cells)]


def over(x, kernel, strides, dilations, channels, dtype, answer):
    """What `answer` makes of the cells of each window: an array of batch and channels."""
    found = {at: answer(cells) for at, cells in windows(x, kernel, strides, dilations)}
    counts = [1 + max(at[i] for at in found) for i in range(len(kernel))]
    out = np.zeros((x.shape[0], channels, *counts), dtype)
    for at, cell in found.items():
        out[(slice(None), slice(None), *at)] = cell
    return out


def conv(x, w, strides, dilations, group=1):
    """Sums of products, in the type of the arrays."""
    inputs, outputs = w.shape[1], w.shape[0] // group

    def answer(cells):
        parts = []
        for g in range(group):
            part = cells[:, g * inputs : (g + 1) * inputs]
            weights = w[g * outputs : (g + 1) * outputs]
            parts.append(np.tensordot(part, weights, (range(1, x.ndim), range(1, x.ndim))))
        return np.concatenate(parts, 1)

    return over(x, w.shape[2:], strides, dilations, w.shape[0], x.dtype, answer)


def max_pool(x, kernel, strides, dilations):
    axes = tuple(range(2, x.ndim))
    return over(x, kernel, strides, dilations, x.shape[1], x.dtype, lambda cells: cells.max(axes))


def average_pool(x, kernel, strides, dilations):
    """Every cell counts, also those that were added."""
    axes = tuple(range(2, x.ndim))
    return over(
        x,
        kernel,
        strides,
        dilations,
        x.shape[1],
        x.dtype,
        lambda cells: (cells.sum(axes) / np.prod(kernel)).astype(x.dtype),
    )


class Window:
    """One operator over images with random small integers, and what fills the cells around them."""

    def __init__(
        self, draw, op, word, rank, extent=6, kernel=None, strides=None, dilations=None, group=1
    ):
        """rank: of the images; word: the type of the data as NumPy calls it."""
        self.op, self.word, self.rank, self.group = op, word, rank, group
        self.kernel = kernel or [4 if op == "AveragePool" else 3] * rank  # 4: no average is rounded
        self.strides = strides or [1] * rank
        self.dilations = dilations or [1] * rank
        self.type = oh.np_dtype_to_tensor_dtype(np.dtype(word))
        self.shape = [1, 2 * group, *[extent] * rank]
        low, high = (0, 9) if word.startswith("u") else (-4, 5)
        self.x = np.array(draw.integers(low, high, self.shape)).astype(word)
        weight = "int8" if op in ("QLinearConv", "ConvInteger") else word
        self.w = np.array(draw.integers(-3, 4, (4 * group, 2, *self.kernel))).astype(weight)
        self.zero = np.array(3 if word.startswith("u") else -2).astype(word)

    @property
    def fill(self):
        """The value of the cells that its attribute pads adds."""
        if self.op == "MaxPool":
            return -np.inf if self.x.dtype.kind == "f" else np.iinfo(self.word).min
        return self.zero if self.op in ("QLinearConv", "ConvInteger") else np.zeros((), self.word)

    def answer(self, pads):
        """Its output where such cells are around the images."""
        x = padded(self.x, pads, self.fill)
        if self.op == "MaxPool":
            return max_pool(x, self.kernel, self.strides, self.dilations)
        if self.op == "AveragePool":
            return average_pool(x, self.kernel, self.strides, self.dilations)
        if self.op == "Conv":
            return conv(x, self.w, self.strides, self.dilations, self.group)
        sums = conv(
            x.astype("int32") - np.int32(self.zero),
            self.w.astype("int32"),
            self.strides,
            self.dilations,
            self.group,
        )
        if self.op == "ConvInteger":
            return sums
        limits = np.iinfo(self.word)  # QLinearConv: its scales are such that nothing is rounded
        return np.clip(sums + int(self.zero), limits.min, limits.max).astype(self.word)

    def constants(self):
        """The initializers of its node, whose input is `data`."""
        if self.op == "Conv":
            return {"w": self.w}
        if self.op == "ConvInteger":
            return {"w": self.w, "zero": self.zero}
        if self.op == "QLinearConv":
            return {
                "half": np.float32(0.5),
                "zero": self.zero,
                "w": self.w,
                "wzero": np.int8(0),
                "quarter": np.float32(0.25),
            }
        return {}

    def node(self, data, output, pads=None, **words):
        names = {
            "Conv": ["w"],
            "ConvInteger": ["w", "zero"],
            "QLinearConv": ["half", "zero", "w", "half", "wzero", "quarter", "zero"],
        }
        if pads is not None:
            words["pads"] = pads
        if self.op == "AveragePool":
            words.setdefault("count_include_pad", 1)
        if self.group > 1:
            words["group"] = self.group
        if self.dilations != [1] * self.rank:
            words["dilations"] = self.dilations
        return oh.make_node(
            self.op,
            [data, *names.get(self.op, [])],
            [output],
            name=f"the {self.op}",
            kernel_shape=self.kernel,
            strides=self.strides,
            **words,
        )

    def made_type(self):
        return TensorProto.INT32 if self.op == "ConvInteger" else self.type

    def model(self, nodes, opset, more=()):
        """nodes: from `x` to `y`."""
        graph = oh.make_graph(
            nodes,
            "g",
            [oh.make_tensor_value_info("x", self.type, self.shape)],
            [oh.make_tensor_value_info("y", self.made_type(), [None] * (2 + self.rank))],
            [
                *(
                    nh.from_array(np.asarray(array), name)
                    for name, array in self.constants().items()
                ),
                *more,
            ],
        )
        return oh.make_model(
            graph,
            opset_imports=[oh.make_opsetid("", opset)],
            ir_version=7 if opset < 15 else 8 if opset < 19 else 10,
        )
