"""tensorpad.Plan, and plans of chunked arrays. SPDX-License-Identifier: MIT

The latter support constants for each side, and elements that are not plain bytes. They are made
from the arguments of tensorpad.pad, raise its errors, and can be pickled. All have the `dtype`,
`shape`, `out_shape`, `sources` and `box` of a Plan.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeVar, overload

import numpy

from . import _core
from ._arguments import MODES, axis_values, check_keywords, one_value, refuse_axis, values, zero
from ._arrays import along, elements_at

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from . import _Axes, _Axis, _Interior, _Modes, _Order, _PadWidth, _Shape


_Out = TypeVar("_Out")

MAX_BYTES = 65536  # of an element
KEPT = 64  # plans that a process caches of those that it unpickles


def axis_number(axis: SupportsIndex, rank: int, name: str = "axis") -> int:
    """An axis as a number from 0."""
    number = _core.integer(axis, name, "an integer")
    if not -rank <= number < rank:
        refuse_axis(number, rank)
    return number % rank


def one_axis(axis: SupportsIndex, rank: int) -> int:
    """The argument constant_axis as a number from 0."""
    if isinstance(axis, (list, tuple)):
        raise ValueError(f"constant_axis has to be one axis, got {axis}")
    return axis_number(axis, rank, "constant_axis")


class Plan:
    """A pad that is checked once and then run on many arrays of one shape and type.

    shape: that of the arrays. An integer is a shape of one axis.
    pad_width, mode, constant_values, constant_axis, interior, order, axes: those of `pad`.
    dtype: the type of the arrays.

    A plan never changes: any number of threads may use it at once. It can be pickled and compared.
    """

    if TYPE_CHECKING:  # read-only

        @property
        def shape(self) -> tuple[int, ...]: ...
        @property
        def out_shape(self) -> tuple[int, ...]: ...
        @property
        def dtype(self) -> numpy.dtype[Any]: ...

    else:
        __slots__ = ("_axes", "_capsule", "_fill", "_fill_axis", "dtype", "out_shape", "shape")

    def __init__(
        self,
        shape: _Shape,
        pad_width: _PadWidth,
        mode: _Modes = "constant",
        *,
        dtype: DTypeLike = float,
        constant_values: Any = 0,
        constant_axis: _Axis = None,
        interior: _Interior = 0,
        order: _Order = "window",
        axes: _Axes = None,
    ) -> None:
        shape = _core.shape(shape, "shape")
        dtype = numpy.dtype(dtype)
        settings = _core.axes(len(shape), pad_width, mode, interior, order, axes)
        if constant_axis is None:
            self._build(shape, settings, dtype, one_value(dtype, constant_values, "a plan"))
        else:
            number = one_axis(constant_axis, len(shape))
            extent = _core.plan(shape, settings, 8)[2][number]
            self._build(
                shape, settings, dtype, axis_values(dtype, constant_values, number, extent), number
            )

    def _build(self, shape, axes, dtype, fill, fill_axis=-1):
        if dtype.hasobject or not 0 < dtype.itemsize <= MAX_BYTES:
            raise TypeError(
                f"a plan pads elements of 1 to {MAX_BYTES} bytes that are no objects, "
                f"not {dtype}: use tensorpad.pad"
            )
        self.dtype = dtype
        self._axes = axes
        self._fill = fill
        self._fill_axis = fill_axis
        self._capsule, self.shape, self.out_shape = _core.plan(shape, axes, 8 * dtype.itemsize)
        fill.setflags(write=False)

    @overload
    def __call__(
        self, array: Any, out: None = None, threads: SupportsIndex | None = None
    ) -> Any: ...
    @overload
    def __call__(self, array: Any, out: _Out, threads: SupportsIndex | None = None) -> _Out: ...
    def __call__(self, array: Any, out: Any = None, threads: SupportsIndex | None = None) -> Any:
        """The padded array, in a new array or in `out`. A Quantity keeps its unit; the plan's
        constant must then be 0.

        threads: as in `pad`.
        """
        return _core.plan_run(
            self._capsule, self._fill, self._fill_axis, self.dtype, array, out, threads
        )

    def run(self, src: Any, dst: _Out, threads: SupportsIndex | None = None) -> _Out:
        """Pads src into dst with at most `threads` threads; returns dst."""
        return self(src, dst, threads)

    @overload
    def box(
        self,
        src: Any,
        first: Sequence[SupportsIndex],
        extents: Sequence[SupportsIndex],
        out: None = None,
        threads: SupportsIndex | None = None,
        *,
        in_first: Sequence[SupportsIndex] | None = None,
    ) -> Any: ...
    @overload
    def box(
        self,
        src: Any,
        first: Sequence[SupportsIndex],
        extents: Sequence[SupportsIndex],
        out: _Out,
        threads: SupportsIndex | None = None,
        *,
        in_first: Sequence[SupportsIndex] | None = None,
    ) -> _Out: ...
    def box(
        self,
        src: Any,
        first: Sequence[SupportsIndex],
        extents: Sequence[SupportsIndex],
        out: Any = None,
        threads: SupportsIndex | None = None,
        *,
        in_first: Sequence[SupportsIndex] | None = None,
    ) -> Any:
        """One box of the output, given by its first cell and its extents. Nothing else is computed.

        out, threads: as in `pad`.
        in_first: None if src is the whole input. Otherwise src is a part of it that begins at this
            cell, and it must contain the cells that `needs` or `sources` return for the box.
        """
        return _core.plan_box(
            self._capsule,
            self._fill,
            self._fill_axis,
            self.dtype,
            src,
            out,
            threads,
            first,
            extents,
            in_first,
        )

    def needs(
        self,
        first: Sequence[SupportsIndex] | None = None,
        extents: Sequence[SupportsIndex] | None = None,
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The smallest box of the input that a box of the output (by default the whole output)
        reads: (first, extents). If it reads nothing, all extents are 0. In mode wrap it is the
        whole axis if cells at both ends are read; `sources` is more exact."""
        first = (0,) * len(self.shape) if first is None else tuple(first)
        if extents is None:
            extents = tuple(end - start for start, end in zip(first, self.out_shape))
        return _core.plan_needs(self._capsule, first, extents)

    def sources(
        self, axis: SupportsIndex, start: SupportsIndex = 0, stop: SupportsIndex | None = None
    ) -> list[tuple[slice, slice]]:
        """What cells [start, stop) of one axis of the output read, as a list of one or two
        consecutive pairs of slices (cells of the output, cells of the input).

        The input's slice is the smallest possible; it is empty if nothing is read. There are two
        pairs only if mode wrap passes from the input's end to its beginning. A box of the output
        reads every combination of the pieces of its axes.
        """
        number = axis_number(axis, len(self.shape))
        extent = self.out_shape[number]
        start = _core.integer(start, "start", "an integer")
        stop = extent if stop is None else _core.integer(stop, "stop", "an integer")
        if not 0 <= start <= stop <= extent:
            raise ValueError(
                f"axis {number}: cells {start} to {stop} are not inside the output extent {extent}"
            )
        return [
            (slice(first, first + count), slice(from_, from_ + needed))
            for first, count, from_, needed in _core.plan_sources(
                self._capsule, number, start, stop - start
            )
        ]

    def describe(self) -> str:
        """How the library runs this plan, as text."""
        return _core.plan_describe(self._capsule)

    def _key(self):
        return self.shape, self._axes, self.dtype, self._fill.tobytes(), self._fill_axis

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Plan) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"<tensorpad.Plan {self.shape} -> {self.out_shape} {self.dtype}>"

    def __reduce__(self) -> tuple[Any, ...]:
        short = self.dtype.str
        plain = numpy.dtype(short) == self.dtype
        return shared_plan, (
            self.shape,
            self._axes,
            short if plain else self.dtype,
            self._fill.tobytes(),
            self._fill_axis,
        )


@functools.lru_cache(KEPT)
def shared_plan(shape, axes, dtype, fill, fill_axis=-1):
    """The plan for a pickled one's arguments; equal arguments give the same object.

    axes: from the extension. fill: the bytes of one element, or of one for each cell of fill_axis.
    """
    plan = Plan.__new__(Plan)
    dtype = numpy.dtype(dtype)
    plan._build(shape, axes, dtype, numpy.frombuffer(bytearray(fill), dtype), fill_axis)
    return plan


# ---- Plans of chunked arrays ---------------------------------------------------------------------


CONSTANT = MODES["constant"]
CROP = 1  # of TPAD_WINDOW and TPAD_CROP


def box_plan(
    shape,
    dtype,
    pad_width,
    mode,
    constant_values,
    interior,
    order,
    axes,
    kwargs,
    constant_axis=None,
):
    """The plan of a pad, and (before, after, interior, mode, order) of each axis.

    shape, dtype: of the input. kwargs: the other keywords that numpy.pad takes.
    """
    dtype = numpy.dtype(dtype)
    rank = len(shape)
    settings = _core.axes(rank, pad_width, mode, interior, order, axes)
    dilated = any(one[2] for one in settings)
    if type(constant_values) is not int or constant_values != 0:
        kwargs = {**kwargs, "constant_values": constant_values}
    check_keywords(mode, dilated, kwargs)
    for axis, (before, after, _, its_mode, _) in enumerate(settings):
        if its_mode != CONSTANT:
            check_empty(shape, axis, before + after)
    used = dilated or any(one[3] == CONSTANT for one in settings)
    given = used and "constant_values" in kwargs
    if constant_axis is not None:
        return _axis_plan(
            shape, dtype, settings, constant_values, one_axis(constant_axis, rank)
        ), settings
    fill = values(dtype, constant_values, axes, rank) if given else zero(dtype)
    sides = fill.size > 1
    if sides and dilated:
        raise ValueError("with interior there can be only one constant value")
    plan = _one_plan(shape, dtype, settings, fill.reshape(-1)[:1])
    if sides:
        plan = SidesPlan(plan, tuple(map(_inside, shape, settings)), fill)
    return plan, settings


def _one_plan(shape, dtype, settings, fill, fill_axis=-1):
    """A plan that fills with one element, or one for each cell of an axis."""
    if not dtype.hasobject and 0 < dtype.itemsize <= MAX_BYTES:
        return shared_plan(shape, settings, dtype, fill.tobytes(), fill_axis)
    numbers = shared_plan(shape, settings, "p", numpy.full(1, -1, numpy.intp).tobytes())
    return NumberedPlan(numbers, fill, fill_axis)


def _axis_plan(shape, dtype, settings, constant_values, axis):
    extent = _core.plan(shape, settings, 8)[2][axis]
    fill = axis_values(dtype, constant_values, axis, extent)
    return _one_plan(shape, dtype, settings, fill, axis)


def check_empty(shape, axis, added):
    """ValueError for an axis without cells to repeat, which tensorpad.pad refuses and a Plan does not."""
    if shape[axis] == 0 and added > 0:
        raise ValueError(
            f"can't extend empty axis {axis} using modes other than 'constant' or 'empty'"
        )


def _inside(extent, setting):
    """The cells of an output axis that no constant fills; None if its mode is not constant."""
    before, after, _, mode, order = setting
    if mode != CONSTANT:
        return None
    crop = max(-after, 0) if order == CROP else 0
    return max(before, 0), before + extent - crop


class SidesPlan:
    """A plan with a constant for each side of each axis. Where axes meet, the last one counts."""

    def __init__(self, plan, inside, values):
        """inside: for each axis the cells [start, stop) of the output that are not filled, or None.
        values: elements, one row of two for each axis."""
        self.plan = plan
        self.inside = inside
        self.values = values
        self.dtype, self.shape, self.out_shape = plan.dtype, plan.shape, plan.out_shape
        self.sources = plan.sources

    def __reduce__(self):
        return SidesPlan, (self.plan, self.inside, self.values)

    def box(self, src, first, extents, out, threads=None, *, in_first=None):
        self.plan.box(src, first, extents, out, threads, in_first=in_first)
        for axis, inside in enumerate(self.inside):
            if inside is None:
                continue
            cells = numpy.moveaxis(out, axis, 0)
            start, stop = (min(max(cell - first[axis], 0), extents[axis]) for cell in inside)
            cells[:start] = self.values[axis, :1]
            cells[max(start, stop) :] = self.values[axis, 1:]
        return out


class NumberedPlan:
    """A pad of objects, and of elements that the engine cannot move: it moves their numbers, and
    NumPy the elements."""

    def __init__(self, numbers, fill, fill_axis=-1):
        """numbers: a plan of intp that fills with -1. fill: one element in an array, or one for each
        cell of fill_axis."""
        self.numbers = numbers
        self.fill = fill
        self.fill_axis = fill_axis
        self.dtype, self.shape, self.out_shape = fill.dtype, numbers.shape, numbers.out_shape
        self.sources = numbers.sources

    def __reduce__(self):
        return NumberedPlan, (self.numbers, self.fill, self.fill_axis)

    def box(self, src, first, extents, out, threads=None, *, in_first=None):
        given = numpy.arange(src.size, dtype=numpy.intp).reshape(src.shape)
        moved = self.numbers.box(given, first, extents, None, threads, in_first=in_first)
        if src.size:
            out[...] = elements_at(src, moved)
        if self.fill_axis < 0:
            out[moved < 0] = self.fill
        else:
            cells = slice(first[self.fill_axis], first[self.fill_axis] + extents[self.fill_axis])
            out[moved < 0] = along(self.fill[cells], self.fill_axis, out.shape)[moved < 0]
        return out
