#!/usr/bin/env python3
"""Measures which runtimes run a Conv or a pool with pads of its own right: tools/runtimes/windows_measured.h.

Usage: window_pads.py TARGET...     runs small models in runtimes that are installed, and writes their lines
       window_pads.py --tell TARGET one line for each model that is not right, and writes nothing

Each model is one operator over images of one to three axes. It is right if every cell is the one that
NumPy gives (padkit/windows.py); the numbers are such that nothing is rounded. An operator counts as right
for a type if all its models are right, but for those that are wrong without pads, too.

SPDX-License-Identifier: MIT
"""

import pathlib
import re
import sys
import tempfile

import numpy as np
import onnx
from padkit import runtimes, windows
from padkit.running import Runner

HEADER = pathlib.Path(__file__).parents[1] / "tools/runtimes/windows_measured.h"
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
OPENING = """/* Made by `conformance/window_pads.py`: do not edit.  SPDX-License-Identifier: MIT
 *
 * The columns are those of pads_of_windows.c. A set of types has the bits of rule.h. */
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
    return windows.Window(np.random.default_rng(3), op, word, axes, **words)


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


def lines_of(name, tell):
    target = runtimes.find(name, runtimes.targets())
    runtimes.check_installed(target)
    lines = []
    with Runner(target) as runner:
        for number, op in enumerate(windows.OPERATORS):
            sets = []
            for axes in AXES:
                right = [word for word in TYPES[op] if is_right(runner, op, word, axes, tell)]
                sets.append(
                    sum(1 << onnx.helper.np_dtype_to_tensor_dtype(np.dtype(word)) for word in right)
                )
            lines.append(
                f'    {{"{name}", {number}, {{{", ".join(f"{bits:#x}" for bits in sets)}}}}}, /* {op} */'
            )
    return lines


def write(found):
    """Puts the lines of targets into the header, in place of older ones."""
    kept = {}
    if HEADER.exists():
        for line in HEADER.read_text().splitlines():
            match = re.match(r' *\{"([^"]+)"', line)
            if match and match[1] not in found:
                kept.setdefault(match[1], []).append(line)
    every = {**kept, **found}
    HEADER.write_text(
        OPENING + "".join(f"{line}\n" for name in sorted(every) for line in every[name]) + "};\n"
    )


def main(words):
    telling = "--tell" in words
    for name in [word for word in words if word != "--tell"]:
        found = lines_of(name, (lambda text, name=name: print(f"{name}: {text}", flush=True)))
        if telling:
            print("\n".join(found))
        else:
            write({name: found})


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    try:
        main(sys.argv[1:])
    except runtimes.Missing as missing:
        sys.exit(f"window_pads.py: {missing}")
