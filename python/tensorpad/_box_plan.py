"""Plans of arrays in chunks: what Plan knows, and constants for each side, and elements that are
not bytes.  SPDX-License-Identifier: MIT

They are made from the arguments of tensorpad.pad, refuse what it refuses, in its words, and can be
pickled. All have `dtype`, `shape`, `out_shape`, `sources` and `box` of a Plan.
"""

import numpy

from . import _core
from ._arguments import MODES, axis_values, check_keywords, values, zero
from ._arrays import along, elements_at
from ._plan import MAX_BYTES, one_axis, shared_plan

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
    """A plan that fills with one element, or with one for each cell of an axis."""
    if not dtype.hasobject and 0 < dtype.itemsize <= MAX_BYTES:
        return shared_plan(shape, settings, dtype, fill.tobytes(), fill_axis)
    numbers = shared_plan(shape, settings, "p", numpy.full(1, -1, numpy.intp).tobytes())
    return NumberedPlan(numbers, fill, fill_axis)


def _axis_plan(shape, dtype, settings, constant_values, axis):
    extent = _core.plan(shape, settings, 8)[2][axis]
    fill = axis_values(dtype, constant_values, axis, extent)
    return _one_plan(shape, dtype, settings, fill, axis)


def check_empty(shape, axis, added):
    """What a Plan does not refuse, and tensorpad.pad does: an axis without cells to repeat."""
    if shape[axis] == 0 and added > 0:
        raise ValueError(
            f"can't extend empty axis {axis} using modes other than 'constant' or 'empty'"
        )


def _inside(extent, setting):
    """The cells of an output axis that no constant fills, or None if its mode is another."""
    before, after, _, mode, order = setting
    if mode != CONSTANT:
        return None
    crop = max(-after, 0) if order == CROP else 0
    return max(before, 0), before + extent - crop


class SidesPlan:
    """A plan with a constant for each side of each axis. Where axes meet the last one counts."""

    def __init__(self, plan, inside, values):
        """inside: for each axis the cells [start, stop) of the output that are not filled, or None.
        values: elements, as many rows of two as axes."""
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
    """A pad of objects and of elements without bytes: the engine moves their numbers, and NumPy the
    elements."""

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
