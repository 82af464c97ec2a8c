"""What a pad is, read from docs/semantics.md cell by cell, and what the ONNX document allows.

SPDX-License-Identifier: MIT

The expected results of these tests. Shares no code and no formula with the library: a cell beyond
the edge is found by walking there, one bounce or one lap at a time.
"""

import itertools
import math

MODES = ("constant", "edge", "reflect", "symmetric", "wrap")

FILL = object()


class Refused(Exception):
    """The problem has no answer. `why` is "negative" or "empty"."""

    def __init__(self, why, axis):
        super().__init__(f"{why} on axis {axis}")
        self.why = why
        self.axis = axis


def dilated(extent, interior):
    return 0 if extent == 0 else (extent - 1) * (interior + 1) + 1


def repeated_range(extent, before, after, interior, order):
    """The cells [low, high) of the dilated axis that the modes repeat."""
    size = dilated(extent, interior)
    if order == "window":
        return 0, size
    return max(0, -before), size - max(0, -after)


def source(index, extent, before, after, interior, mode, order):
    """The input index that one output index of one axis reads, FILL, or None: nothing to read."""
    low, high = repeated_range(extent, before, after, interior, order)
    t = index - before
    if not low <= t < high:
        if mode == "constant":
            return FILL
        if high <= low:
            return None
        while not low <= t < high:
            if mode == "edge":
                t += 1 if t < low else -1
            elif mode == "reflect":  # the mirror stands on the last cell
                t = low if high - low == 1 else 2 * low - t if t < low else 2 * (high - 1) - t
            elif mode == "symmetric":  # the mirror stands behind the last cell
                t = 2 * low - 1 - t if t < low else 2 * high - 1 - t
            elif mode == "wrap":
                t += high - low if t < low else low - high
    return t // (interior + 1) if t % (interior + 1) == 0 else FILL


def pad(cells, shape, begin, end, mode, fill, interior=None, order="window"):
    """Returns (cells, shape) of the output or raises Refused. mode: a word, or one per axis."""
    rank = len(shape)
    modes = [mode] * rank if isinstance(mode, str) else mode
    interior = interior or [0] * rank
    out_shape = [
        before + dilated(extent, gap) + after
        for extent, before, after, gap in zip(shape, begin, end, interior)
    ]
    for axis, extent in enumerate(out_shape):
        if extent < 0:
            raise Refused("negative", axis)
    if 0 in out_shape:
        return [], out_shape
    maps = [
        [source(i, shape[k], begin[k], end[k], interior[k], modes[k], order) for i in range(extent)]
        for k, extent in enumerate(out_shape)
    ]
    for axis, indices in enumerate(maps):
        if None in indices:
            raise Refused("empty", axis)
    steps = [math.prod(shape[k + 1 :]) for k in range(rank)]
    out = []
    for sources in itertools.product(*maps):
        if any(index is FILL for index in sources):
            out.append(fill)
        else:
            out.append(cells[sum(index * step for index, step in zip(sources, steps))])
    return out, out_shape


# The document: onnx-pad, every version, its types and its modes as it spells them.

FLOATS = {"float16", "float", "double"}
NUMERIC = FLOATS | {"uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64"}
IR4 = NUMERIC | {"bfloat16", "bool", "string", "complex64", "complex128"}
FLOAT8 = {"float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz"}
IR10 = IR4 | FLOAT8 | {"uint4", "int4"}
IR11 = IR10 | {"float4e2m1"}
IR12 = IR11 | {"float8e8m0"}
IR13 = IR12 | {"uint2", "int2"}

THREE_MODES = {"constant", "reflect", "edge"}
FOUR_MODES = THREE_MODES | {"wrap"}

ONNX = {  # version: (types, modes)
    1: (FLOATS, THREE_MODES),
    2: (FLOATS, THREE_MODES),
    11: (NUMERIC, THREE_MODES),
    13: (IR4, THREE_MODES),
    18: (IR4, THREE_MODES),
    19: (IR4, FOUR_MODES),
    21: (IR10, FOUR_MODES),
    23: (IR11, FOUR_MODES),
    24: (IR12, FOUR_MODES),
    25: (IR13, FOUR_MODES),
}


def onnx_first_with_type(word):
    return min(version for version, (types, _) in ONNX.items() if word in types)


def onnx_version_of_opset(opset):
    return max(version for version in ONNX if version <= opset)
