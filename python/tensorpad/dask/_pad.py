"""tensorpad.dask.pad.  SPDX-License-Identifier: MIT"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex, TypeAlias

import numpy
from dask import array as da
from dask.array import pad as _dasks_pad  # a program may put ours in its place
from dask.base import tokenize
from numpy.lib.array_utils import normalize_axis_index

from .._arguments import computes
from .._arrays import MAX_RANK
from .._box_plan import box_plan, check_empty
from .._chunks import POLICIES, intervals, output_chunks
from ._graph import _boxes

if TYPE_CHECKING:
    from .. import _Axes, _Axis, _Interior, _Modes, _Order, _PadWidth

_OfOneAxis: TypeAlias = SupportsIndex | str | Sequence[SupportsIndex] | None
_Chunks: TypeAlias = (
    Literal["like", "merge", "regular"]
    | _OfOneAxis
    | Sequence[_OfOneAxis]
    | Mapping[Any, _OfOneAxis]
)

# The modes that dask.array.pad computes as numpy.pad does, but for the order of bytes.
_DASKS = ("maximum", "minimum", "empty")
_WRONG = {
    "mean": "rounds otherwise than NumPy",
    "linear_ramp": "rounds otherwise than NumPy",
    "median": "does not know it",
}


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

    x: an array of dask, whose chunks are NumPy's arrays and have known extents.
    pad_width, mode, constant_values, constant_axis, interior, order, axes: as tensorpad.pad takes
        them.
    chunks: the chunks of the result. "like" keeps the boundaries of x's chunks, and adds the pads
        to the chunks at the border; a chunk that is then more than a tenth longer than the longest
        chunk of x along this axis is split evenly. "merge" is the same, but splits no chunk. "regular" makes chunks
        as long as the longest of x; the last one may be shorter. All that dask's rechunk takes is
        allowed, too, for the shape of the result; axes that a dict does not name are "like".
    kwargs: reflect_type="even", as numpy.pad takes it.

    The call computes nothing, it makes a graph. A chunk of the result that is a chunk of x is
    passed on. Every other chunk is assembled by one task, which reads one chunk of x and copies of
    the pieces that it needs of others. dask.array.pad computes the modes maximum, minimum and empty.

    Raises the errors of tensorpad.pad; TypeError if the chunks are not NumPy's arrays; ValueError
    if an extent is unknown, for chunks that do not fit, and for modes that dask.array.pad would
    compute differently from NumPy (linear_ramp, mean, median, callables, stat_length,
    reflect_type="odd").
    """
    _check_array(x)
    if computes(mode, kwargs):
        if constant_axis is not None:
            raise ValueError("constant_axis is for modes that move elements")
        plan, settings = _dasks_plan(x, pad_width, mode, interior, axes, kwargs)
        extents = _extents(x, plan.out_shape, settings, chunks)
        return _dasks_pad(x, [one[:2] for one in settings], mode).astype(x.dtype).rechunk(extents)
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


def _dasks_plan(x, pad_width, mode, interior, axes, kwargs):
    """The plan of the shape of what dask.array.pad computes."""
    word = mode if isinstance(mode, str) else "a callable"
    if word not in _DASKS or kwargs:
        how = _WRONG.get(
            word,
            "calls it for each chunk"
            if callable(mode)
            else f"computes it otherwise than NumPy with {', '.join(kwargs)}",
        )
        raise ValueError(
            f"mode {word!r} of an array of dask: dask.array.pad {how}: load the array "
            "with x.compute()"
        )
    plan, settings = box_plan(
        x.shape, x.dtype, pad_width, "constant", 0, interior, "window", axes, {}
    )
    for axis, (before, after, dilation, *_) in enumerate(settings):
        if dilation:
            raise ValueError(f"mode {mode!r} is left to dask.array.pad, which has no interior")
        if min(before, after) < 0:
            raise ValueError("index can't contain negative values")
        if mode != "empty":
            check_empty(x.shape, axis, before + after)
    return plan, settings
