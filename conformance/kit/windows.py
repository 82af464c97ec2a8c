"""Which runtimes run a Conv or a pool with pads of its own right:
runtimes/windows_measured.h.

SPDX-License-Identifier: MIT

Each model is one operator over images of one to three axes. It is right if every cell is the one
that NumPy gives, window by window as ONNX's documents say; the numbers are such that nothing is
rounded. An operator counts as right for a type if all its models are right, but for those that are
wrong without pads, too.
"""

import itertools
import pathlib
import re
import tempfile

import numpy as np
import onnx
import onnx.helper as oh
import onnx.numpy_helper as nh
from onnx import TensorProto

from kit import runtimes
from kit.runtimes import Runner

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


HEADER = runtimes.KIT.parent / "runtimes/windows_measured.h"
FLOATS = ("float32", "float64", "float16")
CODES = ("uint8", "int8")
TYPES = {
    "Conv": FLOATS,
    "QLinearConv": CODES,
    "ConvInteger": CODES,
    "MaxPool": FLOATS + CODES,
    "AveragePool": FLOATS,
}
OPSETS = (11, 13, 18, 22)
AXES = (1, 2, 3)
# Pads of `k` axes: all begins, then all ends. "wide" is more than a kernel, which no pool may have.
PADS = {
    "none": lambda k: [0] * 2 * k,
    "alike": lambda k: [1] * 2 * k,
    "begin": lambda k: [2] * k + [0] * k,
    "end": lambda k: [0] * k + [2] * k,
    "mixed": lambda k: [1, 0, 2][:k] + [2, 1, 0][:k],
    "wide": lambda k: [0] * (2 * k - 1) + [5],
}
FORMS = {
    "plain": {},
    "strides": {"strides": 2, "group": 2},
    "dilations": {"dilations": 2, "extent": 9},
}
OPENING = """/* Made by `conformance/kit.py survey`: do not edit.  SPDX-License-Identifier: MIT
 *
 * The columns are those of operators_of_rewrites.c. A set of types has the bits of rule.h. */
/* clang-format off */

static const windows_row measured_windows[] = {
"""


def window(op, word, axes, form):
    words = dict(FORMS[form])
    if op in ("MaxPool", "AveragePool"):
        words.pop("group", None)
    for name in ("strides", "dilations"):
        if name in words:
            words[name] = [words[name]] * axes
    return Window(np.random.default_rng(3), op, word, axes, **words)


def answer(runner, model, x):
    """(word for what came, the array or None)"""
    with tempfile.NamedTemporaryFile(suffix=".onnx") as file:
        onnx.save(model, file.name)
        outputs, failure = runner.run(pathlib.Path(file.name), {"x": x})
    return ("answers", outputs[0]) if outputs is not None else (": ".join(failure), None)


def is_same(got, wanted):
    return (
        got is not None
        and got.shape == wanted.shape
        and got.dtype == wanted.dtype
        and np.array_equal(got, wanted)
    )


def one(runner, win, opset, kind):
    """None if it is right, else what came."""
    pads = PADS[kind](win.rank)
    word, got = answer(runner, win.model([win.node("x", "y", pads)], opset), win.x)
    if is_same(got, win.answer(pads)):
        return None
    return "differs" if got is not None else word


def is_right(runner, op, word, axes, tell):
    """Whether all models of an operator, a type and a number of axes are right."""
    counted = 0
    for opset in OPSETS:
        if op == "MaxPool" and word in CODES and opset < 12:
            continue
        for form in FORMS:
            if op == "AveragePool" and form == "dilations" and opset < 19:
                continue
            win = window(op, word, axes, form)
            if one(runner, win, opset, "none"):
                continue
            counted += 1
            for kind in PADS:
                if kind == "wide" and op in ("MaxPool", "AveragePool"):
                    continue
                wrong = one(runner, win, opset, kind)
                if wrong:
                    tell(f"{op} {word} {axes}D opset {opset} {form} {kind}: {wrong}")
                    return False
    if not counted:
        tell(f"{op} {word} {axes}D: not right without pads, either")
    return counted > 0


def lines_of(target, tell):
    lines = []
    with Runner(target) as runner:
        for number, op in enumerate(OPERATORS):
            sets = []
            for axes in AXES:
                right = [word for word in TYPES[op] if is_right(runner, op, word, axes, tell)]
                sets.append(
                    sum(1 << onnx.helper.np_dtype_to_tensor_dtype(np.dtype(word)) for word in right)
                )
            lines.append(
                f'    {{"{target.name}", {number}, {{{", ".join(f"{bits:#x}" for bits in sets)}}}}}, /* {op} */'
            )
    return lines


def write(found):
    """Puts the lines of targets into the header, in place of older ones."""
    kept = {}
    if HEADER.exists():
        for line in HEADER.read_text().splitlines():
            match = re.match(r' *\{"([^"]+)"', line)
            if match:
                kept.setdefault(match[1], []).append(line)
    every = {**kept, **found}
    HEADER.write_text(
        OPENING + "".join(f"{line}\n" for name in sorted(every) for line in every[name]) + "};\n"
    )


def measure(target):
    """Runs all windows in a target and writes its lines; prints the first of a kind that is
    wrong.
    """
    write({target.name: lines_of(target, lambda text: print(f"{target.name}: {text}", flush=True))})
