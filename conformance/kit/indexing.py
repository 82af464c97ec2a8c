"""A second reading of the documents, by NumPy indexing: whole axes at once, one after the other.

SPDX-License-Identifier: MIT

Shares nothing with oracle.py, which follows each cell: here a crop is a slice, and an extension is
a concatenation of blocks (mirrored, repeated, constant) that is cut to its length.
"""

import math

import numpy as np


def pad(shape, begin, end, mode, interior=None, order="crop"):
    """Which element each cell of the output holds: an array of row-major indices, -1 is the fill.

    shape, begin, end, interior: one number for each axis. Raises ValueError where an axis becomes
    negative or has nothing to repeat.
    """
    index = np.arange(math.prod(shape)).reshape(shape)
    modes = [mode] * len(shape) if isinstance(mode, str) else mode
    interior = interior or [0] * len(shape)
    lengths = [
        (n - 1) * (r + 1) + 1 + b + e if n else b + e
        for n, b, e, r in zip(shape, begin, end, interior)
    ]
    if min(lengths, default=1) < 0:
        raise ValueError(f"a negative extent in {lengths}")
    for axis, length in enumerate(lengths):
        index = np.moveaxis(index, axis, 0)
        index = spread(index, interior[axis])
        if order == "crop":
            index = crop_first(index, begin[axis], end[axis], modes[axis], 0 in lengths)
        else:
            index = window(index, begin[axis], end[axis], modes[axis], 0 in lengths)
        assert len(index) == length
        index = np.moveaxis(index, 0, axis)
    return index


def spread(index, gap):
    """With `gap` fill cells between neighbours of the first axis."""
    if gap == 0 or len(index) == 0:
        return index
    wide = np.full(((len(index) - 1) * (gap + 1) + 1, *index.shape[1:]), -1)
    wide[:: gap + 1] = index
    return wide


def crop_first(index, begin, end, mode, nothing_asked):
    """Negative amounts cut the first axis, then what is left is extended."""
    left = len(index) + min(0, begin) + min(0, end)
    if left <= 0:  # nothing is left, and a cut beyond the axis takes from the other side's cells
        return front(index[:0], len(index) + begin + end, mode, nothing_asked)
    index = index[max(0, -begin) :][:left]
    return extended(index, max(0, begin), max(0, end), mode, nothing_asked)


def window(index, begin, end, mode, nothing_asked):
    """The first axis is extended as far as either amount goes, then the window is cut out."""
    before, behind = max(0, begin, -end), max(0, end, -begin)
    wide = extended(index, before, behind, mode, nothing_asked)
    return wide[before - begin :][: begin + len(index) + end]


def extended(index, before, behind, mode, nothing_asked):
    """The first axis with `before` and `behind` more cells; both are at least 0."""
    first = front(index, before, mode, nothing_asked)
    last = front(index[::-1], behind, mode, nothing_asked)[::-1]
    return np.concatenate([first, index, last])


def front(index, count, mode, nothing_asked):
    """The `count` cells in front of the first axis."""
    empty = np.full((count, *index.shape[1:]), -1)
    if mode == "constant" or count == 0:
        return empty
    if len(index) == 0:
        if nothing_asked:
            return empty
        raise ValueError(f"nothing to repeat by {mode}")
    if mode == "edge":
        return np.repeat(index[:1], count, axis=0)
    mirror = index[::-1]
    if mode == "wrap":
        block = index
    elif mode == "symmetric":
        block = np.concatenate([index, mirror])
    elif mode == "reflect":  # the last cell stands once where the mirrors meet
        block = np.concatenate([index, mirror[1:-1]]) if len(index) > 1 else index
    else:
        raise ValueError(f"no mode {mode}")
    # In front of the axis stands the end of `block`, and it repeats with the block's length.
    times = -(-count // len(block))
    return np.concatenate([block] * times)[len(block) * times - count :]
