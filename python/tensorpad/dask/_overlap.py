"""Halos: blocks that share cells with their neighbours, and functions that are mapped over them.
SPDX-License-Identifier: MIT"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise, product
from numbers import Real
from operator import index
from typing import Any, NamedTuple, SupportsIndex, TypeAlias

import numpy
from dask.array import map_blocks, unify_chunks
from dask.base import tokenize
from dask.layers import ArrayValuesDep

from .._arguments import fill_value
from .._assemble import part
from .._box_plan import box_plan
from .._chunks import cuts
from ._graph import _boxes
from ._pad import _check_array

_Cells: TypeAlias = SupportsIndex | float
_Depth: TypeAlias = _Cells | Sequence[_Cells]  # of one axis: a number, or (before, after)
_Depths: TypeAlias = _Depth | Sequence[_Depth] | Mapping[int, _Depth]
# Any: a word ("periodic", "nearest", "reflect", "mirror", "none") or a constant, for all axes, a
# tuple of them, or a dict by axis.
_Boundary: TypeAlias = Any

_MODES = {"periodic": "wrap", "nearest": "edge", "reflect": "symmetric", "mirror": "reflect"}
_OURS = {"wrap": "periodic", "edge": "nearest", "symmetric": "reflect", "constant": "the number"}
_NONE = "none"


class _Halo(NamedTuple):
    """What the blocks of one axis get: the cells before and after them, and what the cells beyond
    the array's ends hold: a mode of tensorpad, _NONE, or a constant."""

    before: int
    after: int
    boundary: object

    def shares(self, extents):
        """For each block how many cells it gets before and after its own."""
        if self.boundary is not _NONE:
            return [(self.before, self.after)] * len(extents)
        edges = cuts(extents)
        return [
            (min(start, self.before), min(edges[-1] - stop, self.after))
            for start, stop in pairwise(edges)
        ]


def overlap(
    x: Any, depth: _Depths | None, boundary: _Boundary, *, allow_rechunk: bool = True
) -> Any:
    """The array whose blocks also hold the cells around them, as dask.array.overlap.overlap makes it.

    x: an array of dask with any chunks.
    depth: how many cells a block gets: a number for all axes, a tuple, or a dict by axis. Each
        entry is a number or a pair (before, after). An axis that a dict does not name gets none.
        The depth may be larger than a neighbour, and larger than the whole array.
    boundary: the cells beyond the ends of the array: a word or a constant for all axes, a tuple, or
        a dict by axis. "periodic": the array again; "nearest": the cell at the border; "reflect":
        the mirrored array, with the cell at the border repeated; "mirror": the same, not repeated;
        "none" or None: no cells, the blocks at the ends stay shorter; all else: a constant.
    allow_rechunk: has no effect, because nothing is ever rechunked.

    Block i of the result is block i of x with `depth` cells more on each side. ValueError: a depth
    below 0, an axis that x does not have, an unknown word as boundary, or a boundary that would
    repeat an extent of 0. TypeError: x is not an array of dask, or its chunks are not NumPy's.
    """
    _check_array(x)
    return _overlapped(x, _halos(x, depth, boundary, x.ndim))


def trim_overlap(
    x: Any,
    depth: _Depths | None,
    boundary: _Boundary = None,
    *,
    chunks: Sequence[Sequence[int]] | None = None,
) -> Any:
    """The inverse of overlap: the array without the cells that its blocks got from others.

    x: an array of dask, made by `overlap`. depth, boundary: the arguments that `overlap` got.
    chunks: the chunks of the array that `overlap` got. They are needed only if boundary is "none"
        and a depth is larger than the first or the last block.

    ValueError: the blocks are shorter than the part that is cut off, or `chunks` are needed.
    """
    _check_array(x)
    shares = []
    for axis, halo in enumerate(_halos(x, depth, boundary, x.ndim)):
        extents = x.chunks[axis]
        if chunks is not None:
            shares.append(halo.shares(chunks[axis]))
            if [sum(pair) + core for pair, core in zip(shares[-1], chunks[axis])] != [*extents]:
                raise ValueError(
                    f"axis {axis}: blocks of {extents} cells are not those of "
                    f"{tuple(chunks[axis])} with a depth of {halo[:2]}"
                )
            continue
        pairs = [[halo.before, halo.after] for _ in extents]
        if halo.boundary is _NONE:
            pairs[0][0] = pairs[-1][1] = 0
        cores = [extent - sum(pair) for extent, pair in zip(extents, pairs)]
        ends = halo.boundary is _NONE and len(cores) > 1
        if min(cores) < 0 or ends and (cores[0] < halo.before or cores[-1] < halo.after):
            raise ValueError(
                f"axis {axis}: blocks of {extents} cells are too short for a depth of "
                f"{halo[:2]}: give chunks=, the chunks of the array before overlap"
            )
        shares.append(pairs)
    return _trimmed(x, shares)


def map_overlap(
    func: Callable[..., Any],
    *args: Any,
    depth: _Depths | Sequence[_Depths | None] | None = None,
    boundary: _Boundary = None,
    trim: bool = True,
    align_arrays: bool = True,
    allow_rechunk: bool = True,
    **kwargs: Any,
) -> Any:
    """Maps a function over blocks and the cells around them, as dask.array.map_overlap does.

    func: gets a block of each array with the cells around it (its halo).
    args: arrays of dask that broadcast.
    depth, boundary: as for `overlap`, one for all arrays, or a list with one for each array.
        Without a depth this is dask.array.map_blocks.
    trim: whether the halo is cut off the results of func, by the depth of the array with the most
        axes. If it is False, func has to cut it off, or `chunks` in kwargs has to give the chunks.
    align_arrays: whether arrays of different chunks are rechunked to common ones first.
    allow_rechunk: has no effect, because a depth needs no other chunks.
    kwargs: those of dask.array.map_blocks (dtype, meta, chunks, drop_axis, new_axis, name, ...),
        and the arguments of func.

    Errors are those of `overlap` and of dask.array.map_blocks.
    """
    if not callable(func):
        raise TypeError(
            f"map_overlap takes the function first, got {type(func).__name__}: "
            "map_overlap(func, x, ...)"
        )
    for x in args:
        _check_array(x)
    rank = max((x.ndim for x in args), default=0)
    halos = [
        _halos(x, *given, rank)
        for x, *given in zip(
            args, _of_each(args, depth, "depth"), _of_each(args, boundary, "boundary")
        )
    ]
    if align_arrays:
        numbered = [part for x in args for part in (x, range(x.ndim)[::-1])]
        _, args = unify_chunks(*numbered, warn=False)
    if not any(halo.before or halo.after for each in halos for halo in each):
        return map_blocks(func, *args, **kwargs)
    overlapped = [_overlapped(x, each) for x, each in zip(args, halos)]
    axes = _output_axes(
        rank, **{name: kwargs.get(name) for name in ("drop_axis", "new_axis", "chunks")}
    )
    cores = [(1,) if axis is None else _common(args, rank - axis) for axis in axes]
    if not trim:
        return map_blocks(func, *overlapped, **{"chunks": tuple(cores)} | kwargs)
    mapped = map_blocks(func, *overlapped, **kwargs)
    deciding = next(each for x, each in zip(args, halos) if x.ndim == rank)
    return _trimmed(
        mapped,
        [
            [(0, 0)] * count if axis is None else deciding[axis].shares(core)
            for axis, core, count in zip(axes, cores, mapped.numblocks)
        ],
    )


# ---- Arguments -----------------------------------------------------------------------------------


def _of_each(arrays, given, name):
    """A list of one item for each array."""
    if not isinstance(given, list):
        return [given] * len(arrays)
    if len(given) != len(arrays):
        raise ValueError(f"{name} is a list of {len(given)} for {len(arrays)} arrays")
    return given


def _halos(x, depth, boundary, most):
    """A _Halo for each axis. most: axes that may be named, which are more than x has where x is one
    of several arrays."""
    depths = _by_axis(x.ndim, depth, 0, most, "depth")
    boundaries = _by_axis(x.ndim, boundary, _NONE, most, "boundary")
    return [
        _Halo(*_pair(axis, depths[axis]), _boundary(axis, boundaries[axis], x.dtype))
        for axis in range(x.ndim)
    ]


def _by_axis(rank, given, default, most, name):
    if isinstance(given, (tuple, list)):
        given = dict(enumerate(given))
    elif not isinstance(given, dict):
        given = dict.fromkeys(range(rank), given)
    found = [default] * rank
    for key, one in given.items():
        axis = index(key)
        if not -most <= axis < most:
            raise ValueError(f"{name} names axis {axis}, and the array has {most} axes")
        if -rank <= axis < rank and one is not None:
            found[axis] = one
    return found


def _pair(axis, depth):
    pair = depth if isinstance(depth, (tuple, list)) else (depth, depth)
    if len(pair) != 2 or not all(isinstance(one, Real) and one >= 0 == one % 1 for one in pair):
        raise ValueError(
            f"axis {axis}: a depth is a number of cells from 0, or a pair of them "
            f"(before, after), got {depth!r}"
        )
    return int(pair[0]), int(pair[1])


def _of_dimension(
    name: Any, depth: _Depth, boundary: _Boundary
) -> tuple[tuple[int, int], str, Any]:
    """The halo of a dimension, for tensorpad.xarray: how many cells a pad with its boundary adds, the
    mode of this pad, and a _Halo."""
    is_word = isinstance(boundary, str) and boundary in _MODES
    none = boundary is None or isinstance(boundary, str) and boundary == _NONE
    halo = _Halo(*_pair(name, depth), _NONE if none else _MODES[boundary] if is_word else boundary)
    return (0, 0) if none else halo[:2], _MODES[boundary] if is_word else "constant", halo


def _boundary(axis, given, dtype):
    """A mode, _NONE, or the element that fills."""
    if not isinstance(given, str) or dtype.kind in "SUOT" and given not in {*_MODES, _NONE}:
        return fill_value(dtype, given)
    if given == _NONE:
        return _NONE
    if given not in _MODES:
        hint = f"; {given!r} is called {_OURS[given]} here" if given in _OURS else ""
        raise ValueError(
            f"axis {axis}: boundary {given!r} is none of {', '.join(_MODES)}, {_NONE} "
            f"or a constant{hint}"
        )
    return _MODES[given]


def _output_axes(rank, drop_axis, new_axis, chunks):
    """For each axis of what dask.array.map_blocks makes, the axis of the array with most axes that
    it comes from, or None for new ones."""
    dropped = {axis % rank for axis in _listed(drop_axis)}
    axes = [axis for axis in range(rank) if axis not in dropped]
    if new_axis is None and chunks is not None:
        new_axis = range(len(chunks) - len(axes))
    for axis in sorted(_listed(new_axis)):
        axes.insert(axis, None)
    return axes


def _listed(axes):
    return () if axes is None else numpy.atleast_1d(axes).tolist()


def _common(arrays, from_behind):
    """The chunks of an axis, counted from the last one, of arrays that broadcast."""
    return max(
        (x.chunks[-from_behind] for x in arrays if x.ndim >= from_behind),
        key=lambda extents: (len(extents), sum(extents)),
    )


# ---- Graphs --------------------------------------------------------------------------------------


def _overlapped(x, halos):
    """Block i is a box of the padded array: the array is padded by the depth where the axis has a
    boundary, and by nothing where it has none."""
    if not any(halo.before or halo.after for halo in halos):
        return x
    amounts, modes, constants, intervals = [], [], [], []
    for halo, extents in zip(halos, x.chunks):
        added, mode, constant = (halo.before, halo.after), halo.boundary, None
        if isinstance(mode, numpy.ndarray):
            mode, constant = "constant", mode
        elif mode is _NONE:
            added, mode = (0, 0), "constant"
        amounts.append(added)
        modes.append(mode)
        constants.append(constant)
        intervals.append(
            [
                (start + added[0] - before, stop + added[0] + after)
                for (start, stop), (before, after) in zip(
                    pairwise(cuts(extents)), halo.shares(extents)
                )
            ]
        )
    plan, _ = box_plan(
        x.shape, x.dtype, amounts, modes, _constant_values(constants), 0, "window", None, {}
    )
    return _boxes(x, plan, intervals, "overlap-" + tokenize(x.name, plan, intervals))


def _constant_values(constants):
    """What a plan takes for these elements, of which each fills beyond the ends of an axis. It may
    be one for all axes."""
    given = [one for one in constants if one is not None]
    if not given:
        return 0
    if len({one.tobytes() for one in given}) == 1:
        return given[0]
    return numpy.stack([(given[0] if one is None else one).repeat(2) for one in constants])


def _trimmed(x, shares):
    """shares: for each axis and block how many cells are cut off before and after."""
    if not any(map(any, (pair for each in shares for pair in each))):
        return x
    chunks = tuple(
        tuple(extent - sum(pair) for extent, pair in zip(extents, each))
        for extents, each in zip(x.chunks, shares)
    )
    cells = [[slice(before, -after or None) for before, after in each] for each in shares]
    kept = {
        numbers: tuple(each[n] for each, n in zip(cells, numbers))
        for numbers in product(*map(range, x.numblocks))
    }
    return map_blocks(
        part,
        x,
        ArrayValuesDep(x.chunks, kept),
        chunks=chunks,
        dtype=x.dtype,
        meta=x._meta,
        name="trim-" + tokenize(x, shares),
    )
