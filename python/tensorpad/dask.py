"""tensorpad.pad, and halos between chunks, for arrays of dask.  SPDX-License-Identifier: MIT"""

from __future__ import annotations

from ._errors import load_extra

load_extra("dask", "dask", "tensorpad.dask needs dask")

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise, product
from numbers import Real
from operator import index
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, SupportsIndex, TypeAlias

import numpy
from dask import array as da
from dask.array import Array, map_blocks, pad as _dasks_pad, unify_chunks
from dask.base import tokenize
from dask.highlevelgraph import HighLevelGraph
from dask.layers import ArrayValuesDep
from dask.task_spec import Alias, List, Task, TaskRef
from numpy.lib.array_utils import normalize_axis_index

from . import _chunks
from ._arguments import computes, fill_value, pairs
from ._arrays import MAX_RANK
from ._chunks import (
    POLICIES,
    assemble,
    called,
    cuts,
    intervals,
    nested,
    numpy_pad,
    numpys_side,
    output_chunks,
    part,
    part_in_order,
    take,
)
from ._plan import box_plan, check_empty

if TYPE_CHECKING:
    from . import _Axes, _Axis, _Interior, _Modes, _Order, _PadWidth


__all__ = ["map_overlap", "overlap", "pad", "trim_overlap"]


# ---- pad -----------------------------------------------------------------------------------------


_OfOneAxis: TypeAlias = SupportsIndex | str | Sequence[SupportsIndex] | None
_Chunks: TypeAlias = (
    Literal["like", "merge", "regular"]
    | _OfOneAxis
    | Sequence[_OfOneAxis]
    | Mapping[Any, _OfOneAxis]
)

# The modes that dask.array.pad computes as numpy.pad does, but for the order of bytes.
_DASKS = ("maximum", "minimum", "empty")


def pad(
    x: Any,
    pad_width: _PadWidth,
    mode: _Modes = "constant",
    *,
    constant_values: Any = 0,
    constant_axis: _Axis = None,
    interior: _Interior = 0,
    order: _Order = "window",
    axes: _Axes = None,
    chunks: _Chunks = "like",
    **kwargs: Any,
) -> Any:
    """Pad, crop or dilate an array of dask, chunk by chunk. The result has the same bytes as the
    result of tensorpad.pad for the whole array.

    x: an array of dask, whose chunks are NumPy arrays of known extents.
    pad_width, mode, constant_values, constant_axis, interior, order, axes: as in tensorpad.pad.
    chunks: the chunks of the result. "like" keeps the boundaries of x's chunks and adds the pads to
        the chunks at the border; a chunk that becomes more than a tenth longer than x's longest along
        this axis is split evenly. "merge" is the same without splitting. "regular" makes chunks as
        long as x's longest; the last one may be shorter. Anything that dask's rechunk accepts for the
        shape of the result is allowed, too; axes that a dict does not name are "like".
    kwargs: reflect_type, stat_length and end_values, as in numpy.pad; for a callable, its own.

    The call computes nothing; it makes a graph. A chunk of the result that equals a chunk of x is
    passed on. Every other chunk is assembled by one task, which reads one chunk of x and copies of
    the pieces that it needs of others; pieces of half a chunk or more are not copied.
    dask.array.pad computes the modes maximum, minimum and empty; only chunks and byte order are
    corrected. NumPy computes the other modes: for each side, a task gets the cells that it is
    computed from: one for linear_ramp, stat_length cells, or as many as are mirrored. Without
    stat_length these are all cells of a lane; a callable also gets whole lanes, and must not depend
    on the order of its calls.

    Raises the errors of tensorpad.pad; TypeError if the chunks are not NumPy's arrays; ValueError
    if an extent is unknown or chunks do not fit.
    """
    _check_array(x)
    if computes(mode, kwargs):
        if constant_axis is not None:
            raise ValueError("constant_axis is for modes that move elements")
        plan, settings = _computed_plan(x, pad_width, mode, interior, axes, kwargs)
        extents = _extents(x, plan.out_shape, settings, chunks)
        widths = [one[:2] for one in settings]
        # dask's functions fail with some chunks of no cells.
        x = x.rechunk(tuple(tuple(filter(None, each)) or (0,) for each in x.chunks))
        if mode in _DASKS and not kwargs:
            padded = _dasks_pad(x, widths, mode)
        else:
            padded = (_called if callable(mode) else _computed)(x, widths, mode, kwargs)
        return padded.astype(x.dtype).rechunk(extents)
    plan, settings = box_plan(
        x.shape,
        x.dtype,
        pad_width,
        mode,
        constant_values,
        interior,
        order,
        axes,
        kwargs,
        constant_axis,
    )
    extents = _extents(x, plan.out_shape, settings, chunks)
    if extents == x.chunks and not any(any(one[:3]) for one in settings):
        return x
    return _boxes(
        x, plan, [intervals(each) for each in extents], "pad-" + tokenize(x.name, plan, extents)
    )


def _check_array(x: Any) -> None:
    if not isinstance(x, da.Array):
        raise TypeError(
            f"tensorpad.dask pads arrays of dask, got {type(x).__name__}: use "
            "tensorpad.pad, or dask.array.from_array first"
        )
    if da.array_expr_enabled():
        raise TypeError(
            "tensorpad.dask makes graphs, and dask.array is in the mode of expressions: set "
            "dask's configuration array.query-planning to False before it is imported"
        )
    if type(x._meta) is not numpy.ndarray:
        raise TypeError(
            f"the chunks are of type {type(x._meta).__name__}, and tensorpad pads "
            "NumPy's arrays: use tensorpad.pad of x.compute(), or x.map_blocks(numpy.asarray) "
            "first, which loses masks and units"
        )
    if x.ndim > MAX_RANK:
        raise ValueError(f"the array has {x.ndim} axes, tensorpad.dask pads at most {MAX_RANK}")
    for axis, extent in enumerate(x.shape):
        if math.isnan(extent):
            raise ValueError(
                f"axis {axis}: the extents of the chunks are unknown: call "
                "x.compute_chunk_sizes() first"
            )


def _extents(x, shape, settings, chunks):
    """The extents of the result's chunks, axis by axis."""
    policy = chunks if isinstance(chunks, str) and chunks in POLICIES else "like"
    like = tuple(map(output_chunks, x.chunks, settings, shape, [policy] * x.ndim))
    if policy is chunks:
        return like
    try:
        if isinstance(chunks, dict):
            named = {normalize_axis_index(axis, x.ndim): each for axis, each in chunks.items()}
            chunks = tuple(named.get(axis, each) for axis, each in enumerate(like))
        return da.core.normalize_chunks(chunks, shape, dtype=x.dtype, previous_chunks=like)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"chunks={chunks!r} is none of {', '.join(POLICIES)}, nor chunks of an "
            f"array of shape {shape}: {error}"
        ) from None


def _computed_plan(x, pad_width, mode, interior, axes, kwargs):
    """The plan of the result's shape, after NumPy's checks of the arguments."""
    plan, settings = box_plan(
        x.shape, x.dtype, pad_width, "constant", 0, interior, "window", axes, {}
    )
    for axis, (before, after, dilation, *_) in enumerate(settings):
        if dilation:
            raise ValueError(f"mode {mode!r} is left to NumPy, which has no interior")
        if min(before, after) < 0:
            raise ValueError("index can't contain negative values")
        if mode != "empty" and not callable(mode):
            check_empty(x.shape, axis, before + after)
    if not callable(mode):
        if numpy.any(numpy.equal(kwargs.get("stat_length"), 0)):
            raise ValueError("stat_length of 0 yields no value for padding")
        numpy_pad(numpy.ones((1,) * x.ndim, x.dtype), 0, mode, **kwargs)
    return plan, settings


# ---- Modes that compute elements -----------------------------------------------------------------


def _called(x, widths, function, kwargs):
    """x padded by a callable, which gets every lane of each axis of the array padded with 0."""
    padded = pad(x, widths)
    for axis, pair in enumerate(widths):
        padded = padded.rechunk({axis: -1}).map_blocks(
            called, axis, pair, function, kwargs, dtype=x.dtype, meta=x._meta
        )
    return padded


def _computed(x, widths, mode, kwargs):
    """x padded by NumPy, axis by axis. Each side of an axis is computed from the cells next to it,
    and concatenated."""
    ends = pairs(kwargs.pop("end_values", 0), x.ndim, "end_values", "a pair for each of {} axes")
    lengths = kwargs.pop("stat_length", None)
    if lengths is not None:
        lengths = pairs(lengths, x.ndim, "stat_length", "a pair for each of {} axes")
    for axis, pair in enumerate(widths):
        extent = x.shape[axis]
        parts = [x]
        for last, cells in enumerate(pair):
            if cells == 0:
                continue
            words, needed = dict(kwargs), extent
            if mode == "linear_ramp":
                words["end_values"], needed = ends[axis][last], 1
            elif "reflect_type" in kwargs and cells < extent:
                needed = cells + 1
            elif lengths is not None:
                needed = min(round(lengths[axis][last]), extent)
            both = pair if needed == extent else (0, cells) if last else (cells, 0)
            part = x[(slice(None),) * axis + (slice(-needed, None) if last else slice(needed),)]
            # linspace's rounding depends on all elements: on whether any step is 0.
            part = part.rechunk(-1 if mode == "linear_ramp" else {axis: -1})
            columns = mode == "mean" and math.prod(x.shape[axis + 1 :]) > 1
            side = part.map_blocks(
                numpys_side,
                axis,
                both,
                last,
                mode,
                words,
                columns,
                chunks=part.chunks[:axis] + ((cells,),) + part.chunks[axis + 1 :],
                dtype=x.dtype,
                meta=x._meta,
            )
            parts.insert(2 * last, side)
        x = da.concatenate(parts, axis)
    return x


# ---- Halos ---------------------------------------------------------------------------------------


_Cells: TypeAlias = SupportsIndex | float
_Depth: TypeAlias = _Cells | Sequence[_Cells]  # of one axis: a number or (before, after)
_Depths: TypeAlias = _Depth | Sequence[_Depth] | Mapping[int, _Depth]
# A name ("periodic", "nearest", "reflect", "mirror", "none") or a constant: one for all axes, a
# tuple, or a dict by axis.
_Boundary: TypeAlias = Any

_MODES = {"periodic": "wrap", "nearest": "edge", "reflect": "symmetric", "mirror": "reflect"}
_OURS = {"wrap": "periodic", "edge": "nearest", "symmetric": "reflect", "constant": "the number"}
_NONE = "none"


class _Halo(NamedTuple):
    """The halo of the blocks of one axis: cells before and after, and the cells beyond the array's
    ends: a mode of tensorpad, _NONE, or a constant."""

    before: int
    after: int
    boundary: object

    def shares(self, extents):
        """For each block the number of cells before and after its own."""
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
    """The array whose blocks also hold the cells around them, as by dask.array.overlap.overlap.

    x: an array of dask with any chunks.
    depth: the cells that a block gets: a number for all axes, a tuple, or a dict by axis. Each
        entry is a number or a pair (before, after). An axis that a dict does not name gets none.
        The depth may exceed a neighbour, and the whole array.
    boundary: the cells beyond the ends of the array: a name or a constant for all axes, a tuple, or a
        dict by axis. "periodic": the array again; "nearest": the cell at the border; "reflect": the
        mirrored array, with the cell at the border repeated; "mirror": the same, not repeated; "none"
        or None: no cells, so the blocks at the ends stay shorter; anything else is a constant.
    allow_rechunk: has no effect, because nothing is ever rechunked.

    Block i of the result is block i of x with `depth` more cells on each side. ValueError: a depth
    below 0, an axis that x does not have, an unknown boundary, or one that would repeat an extent
    of 0. TypeError: x is not an array of dask, or its chunks are not NumPy's.
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

    x: an array of dask, made by `overlap`.
    depth, boundary: the arguments that `overlap` got.
    chunks: the chunks of the array that `overlap` got; needed only if boundary is "none" and a
        depth exceeds the first or the last block.

    ValueError: a block is shorter than the part to cut off, or `chunks` are needed.
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
    depth, boundary: as for `overlap`, one for all arrays, or a list with one per array. Without a
        depth this is dask.array.map_blocks.
    trim: whether the halo is cut off the results of func, by the depth of the array with the most
        axes. If False, func must cut it off, or `chunks` in kwargs must give the chunks.
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
    """A list with one item per array."""
    if not isinstance(given, list):
        return [given] * len(arrays)
    if len(given) != len(arrays):
        raise ValueError(f"{name} is a list of {len(given)} for {len(arrays)} arrays")
    return given


def _halos(x, depth, boundary, most):
    """A _Halo for each axis. most: the number of axes that may be named; x, as one of several
    arrays, may have fewer."""
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
    entries = [default] * rank
    for key, entry in given.items():
        axis = index(key)
        if not -most <= axis < most:
            raise ValueError(f"{name} names axis {axis}, and the array has {most} axes")
        if -rank <= axis < rank and entry is not None:
            entries[axis] = entry
    return entries


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
    """The halo of a dimension, for tensorpad.xarray: the cells that a pad with its boundary adds,
    the mode of this pad, and a _Halo."""
    is_word = isinstance(boundary, str) and boundary in _MODES
    none = boundary is None or isinstance(boundary, str) and boundary == _NONE
    halo = _Halo(*_pair(name, depth), _NONE if none else _MODES[boundary] if is_word else boundary)
    return (0, 0) if none else halo[:2], _MODES[boundary] if is_word else "constant", halo


def _boundary(axis, given, dtype):
    """A mode, _NONE, or the fill element."""
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
    """For each axis of the result of dask.array.map_blocks, its axis in the array with the most
    axes, or None if it is new."""
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
    """Block i is a box of the padded array: axes with a boundary are padded by the depth, others
    are not."""
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
    """The constants of a plan for these elements, each of which fills beyond the ends of its axis;
    a single one if all are equal."""
    given = [one for one in constants if one is not None]
    if not given:
        return 0
    if len({one.tobytes() for one in given}) == 1:
        return given[0]
    return numpy.stack([(given[0] if one is None else one).repeat(2) for one in constants])


def _trimmed(x, shares):
    """shares: for each axis and block the number of cells to cut off before and after."""
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


# ---- Boxes of a padded array as a graph ----------------------------------------------------------


def _boxes(x, plan, intervals, name):
    """An array of dask whose chunks are boxes of the padded x.

    plan: of the whole array. intervals: for each axis the [start, stop) of the boxes in the output;
    they may overlap. name: of the new array.

    One task assembles a box. It depends on the chunk of x that it reads most of, and for each piece
    of another chunk on a task that copies that piece, so that no other chunk is moved or kept. A
    box that is a chunk of x, or half of one or more, is passed on.
    """
    edges = [_chunks.cuts(extents) for extents in x.chunks]
    axes = [
        [_Interval(plan, axis, start, stop, edges[axis]) for start, stop in each]
        for axis, each in enumerate(intervals)
    ]
    layer = _Layer(x, plan, name)
    numbers = product(*(range(len(each)) for each in axes))
    for number, chosen in zip(numbers, product(*axes)):
        layer.add((name, *number), chosen)
    graph = HighLevelGraph.from_collections(name, layer.tasks, dependencies=[x])
    chunks = tuple(tuple(stop - start for start, stop in each) for each in intervals)
    return Array(graph, name, chunks, meta=x._meta, dtype=x.dtype)


class _Interval:
    """Cells [start, stop) of an output axis: the part of a chunk that they equal, or None, and what
    they read."""

    def __init__(self, plan, axis, start, stop, edges):
        self.start = start
        self.same = _chunks.same_cells(plan, axis, start, stop, edges)
        runs = _chunks.with_own_chunk(_chunks.runs(plan, axis, start, stop, edges), edges)
        self.counts = tuple((run.stop - run.start, run.origin) for run in runs)
        self.parts = tuple(run.parts for run in runs)


class _Layer:
    def __init__(self, x, plan, name):
        self.x = x
        self.plan = plan
        self.taken = f"{name}-take"  # dask fuses tasks of one prefix without an alias
        self.tasks = {}

    def add(self, key, intervals):
        same = [each.same for each in intervals]
        if None not in same:
            self.tasks[key] = self.part(key, same)
            return
        blocks = [
            nested(parts, self.block, lambda each: List(*each))
            for parts in product(*(each.parts for each in intervals))
        ]
        self.tasks[key] = Task(
            key,
            assemble,
            self.plan,
            tuple(each.start for each in intervals),
            tuple(each.counts for each in intervals),
            *blocks,
        )

    def part(self, key, parts):
        """A box that is part of a chunk."""
        chunk = (self.x.name, *(each.chunk for each in parts))
        if self.is_whole(parts) and self.x.dtype.isnative:
            return Alias(key, chunk)
        cells = tuple(slice(each.start, each.stop) for each in parts)
        return Task(key, part_in_order, TaskRef(chunk), cells, self.x.dtype)

    def is_whole(self, parts):
        return all(
            each.stop - each.start == self.x.chunks[axis][each.chunk]
            for axis, each in enumerate(parts)
        )

    def block(self, parts):
        chunk = tuple(each.chunk for each in parts)
        key = (self.x.name, *chunk)
        if self.is_whole(parts):
            return TaskRef(key)
        taken = (self.taken, *chunk, *(cell for each in parts for cell in each[1:]))
        if taken not in self.tasks:
            cells = tuple(slice(each.start, each.stop) for each in parts)
            self.tasks[taken] = Task(taken, take, TaskRef(key), cells)
        return TaskRef(taken)
