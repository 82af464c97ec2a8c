"""Which runtimes run a Conv or a pool with pads of its own right:
checker/runtimes/windows_measured.h.

SPDX-License-Identifier: MIT

Each model is one operator over images of one to three axes. It is right if every cell is the one
that NumPy gives, window by window as ONNX's documents say; the numbers are such that nothing is
rounded. An operator counts as right for a type if all its models are right, but for those that are
wrong without pads, too.
"""

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
    """The cells of each window of images without pads: batch, channels, where it is, where in it."""
    reach = [(k - 1) * d + 1 for k, d in zip(kernel, dilations)]
    every = np.lib.stride_tricks.sliding_window_view(x, reach, tuple(range(2, x.ndim)))
    return every[:, :, *(slice(None, None, step) for step in (*strides, *dilations))]


def conv(x, w, strides, dilations, group=1):
    """Sums of products, in the type of the arrays."""
    axes, cells = range(1, w.ndim), windows(x, w.shape[2:], strides, dilations)
    inside = [1, *range(x.ndim, cells.ndim)]
    parts = [
        np.tensordot(part, weights, (inside, axes))
        for part, weights in zip(np.split(cells, group, 1), np.split(w, group))
    ]
    return np.moveaxis(np.concatenate(parts, -1), -1, 1)


class Window:
    """One operator over images with random small integers, and what fills the cells around them."""

    def __init__(self, op, word, rank, extent=6, stride=1, dilation=1, group=1):
        """rank: of the images; word: the type of the data as NumPy calls it."""
        draw = np.random.default_rng(3)
        self.op, self.word, self.rank, self.group = op, word, rank, group
        self.kernel = [4 if op == "AveragePool" else 3] * rank  # 4: no average is rounded
        self.strides, self.dilations = [stride] * rank, [dilation] * rank
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
        if self.op.endswith("Pool"):
            cells = windows(x, self.kernel, self.strides, self.dilations)
            axes = tuple(range(-self.rank, 0))
            return cells.max(axes) if self.op == "MaxPool" else cells.mean(axes, dtype=self.word)
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

    def model(self, pads, opset):
        """The node from `x` to `y`, as a model."""
        half, quarter = np.float32(0.5), np.float32(0.25)
        constants, inputs = {
            "Conv": ({"w": self.w}, "w"),
            "ConvInteger": ({"w": self.w, "zero": self.zero}, "w zero"),
            "QLinearConv": (
                {"half": half, "zero": self.zero, "w": self.w}
                | {"wzero": np.int8(0), "quarter": quarter},
                "half zero w half wzero quarter zero",
            ),
        }.get(self.op, ({}, ""))
        words = {
            "pads": pads,
            **({"count_include_pad": 1} if self.op == "AveragePool" else {}),
            **({"group": self.group} if self.group > 1 else {}),
            **({"dilations": self.dilations} if max(self.dilations) > 1 else {}),
        }
        node = oh.make_node(
            self.op,
            ["x", *inputs.split()],
            ["y"],
            name=f"the {self.op}",
            kernel_shape=self.kernel,
            strides=self.strides,
            **words,
        )
        made = TensorProto.INT32 if self.op == "ConvInteger" else self.type
        graph = oh.make_graph(
            [node],
            "g",
            [oh.make_tensor_value_info("x", self.type, self.shape)],
            [oh.make_tensor_value_info("y", made, [None] * (2 + self.rank))],
            [nh.from_array(np.asarray(array), name) for name, array in constants.items()],
        )
        return oh.make_model(
            graph,
            opset_imports=[oh.make_opsetid("", opset)],
            ir_version=7 if opset < 15 else 8 if opset < 19 else 10,
        )


HEADER = runtimes.KIT.parent / "checker/runtimes/windows_measured.h"
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
    "strides": {"stride": 2, "group": 2},
    "dilations": {"dilation": 2, "extent": 9},
}
OPENING = """/* Made by `conformance/kit.py survey`: do not edit.  SPDX-License-Identifier: MIT
 *
 * The columns are those of operators_of_rewrites.c. A set of types has the bits of rule.h. */
/* clang-format off */

static const windows_row measured_windows[] = {
"""


def window(op, word, axes, form):
    words = {key: value for key, value in FORMS[form].items() if key != "group" or "Conv" in op}
    return Window(op, word, axes, **words)


def wrong(runner, win, opset, kind):
    """None if the runtime is right, else what came."""
    pads = PADS[kind](win.rank)
    with tempfile.NamedTemporaryFile(suffix=".onnx") as file:
        onnx.save(win.model(pads, opset), file.name)
        outputs, failure = runner.run(pathlib.Path(file.name), {"x": win.x})
    if outputs is None:
        return ": ".join(failure)
    wanted, got = win.answer(pads), outputs[0]
    return None if got.dtype == wanted.dtype and np.array_equal(got, wanted) else "differs"


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
            if wrong(runner, win, opset, "none"):
                continue
            counted += 1
            for kind in PADS:
                if kind == "wide" and op in ("MaxPool", "AveragePool"):
                    continue
                what = wrong(runner, win, opset, kind)
                if what:
                    tell(f"{op} {word} {axes}D opset {opset} {form} {kind}: {what}")
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
