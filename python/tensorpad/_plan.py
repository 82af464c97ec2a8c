"""tensorpad.Plan.  SPDX-License-Identifier: MIT"""
import operator

import numpy

from . import _core
from ._arguments import axis_list, axis_number
from ._arrays import fill_value, movable, source, target


class Plan:
    """A pad that was checked once, to be run on many arrays of one shape and type.

    Plan(shape, pad_width, mode, dtype=...) takes the arguments of `pad`. A plan never changes:
    any number of threads may use it at once. It can be pickled and compared.
    """

    __slots__ = ("_capsule", "_fill", "_key", "dtype", "out_shape", "shape")

    def __init__(self, shape, pad_width, mode="constant", *, dtype=float, constant_values=0,
                 interior=0, order="window", axes=None):
        shape = tuple(operator.index(extent) for extent in shape)
        dtype = numpy.dtype(dtype)
        values = numpy.asarray(constant_values)
        if values.size != 1:
            raise ValueError("a plan has one constant value")
        fill = fill_value(dtype, values.ravel()[0])
        self._build(shape, axis_list(len(shape), pad_width, mode, interior, order, axes), dtype,
                    fill)

    def _build(self, shape, axes, dtype, fill):
        if not movable(dtype):
            raise TypeError(f"a plan moves bytes, and elements of {dtype} are more or less than "
                            "that: use tensorpad.pad")
        self.shape = shape
        self.dtype = dtype
        self._fill = fill
        self._capsule, self.out_shape = _core.plan(shape, axes, 8 * dtype.itemsize)
        self._key = (shape, axes, dtype, fill.tobytes())
        fill.flags.writeable = False

    def __call__(self, array, out=None, threads=None):
        """The padded array, in a new array or in `out`."""
        given = source(array)
        self._check("the array", given.array)
        if out is None:
            result, dst = given.empty(self.out_shape)
        else:
            result, dst = out, target(out)
            self._check("out", dst)
        src = given.array
        if out is not None and numpy.may_share_memory(src, dst):
            src = src.copy()
        _core.plan_run(src, dst, self._fill, self._capsule, threads)
        return result

    def run(self, src, dst, threads=None):
        """Pads src into dst; returns dst."""
        return self(src, dst, threads)

    def box(self, src, first, extents, out=None, threads=None, *, in_first=None):
        """One box of the output, from its first cell and its extents. Only this is computed.

        in_first: None if src is the whole input. Else src is a part of it that begins at this
            cell, and has to hold what `needs` or `sources` tell of the box.
        """
        given = source(src)
        self._check("the array", given.array)
        first = tuple(operator.index(start) for start in first)
        extents = tuple(operator.index(extent) for extent in extents)
        self.needs(first, extents)  # refuses a box that is not inside the output
        if out is None:
            result, dst = given.empty(extents)
        else:
            result, dst = out, target(out)
            self._check("out", dst)
        array = given.array
        if out is not None and numpy.may_share_memory(array, dst):
            array = array.copy()
        if in_first is not None:
            in_first = tuple(map(operator.index, in_first))
        _core.plan_box(array, dst, self._fill, self._capsule, first, extents, threads, in_first)
        return result

    def needs(self, first=None, extents=None):
        """The box of the input that a box of the output (by default all of it) is made from:
        (first, extents). Where nothing is read all extents are 0."""
        first = (0,) * len(self.shape) if first is None else tuple(map(operator.index, first))
        if extents is None:
            extents = tuple(end - start for start, end in zip(first, self.out_shape))
        return _core.plan_needs(self._capsule, first, tuple(map(operator.index, extents)))

    def sources(self, axis, start=0, stop=None):
        """What cells [start, stop) of one axis of the output read, as a list of one or two pairs
        (cells of the output, cells of the input) of slices that follow each other.

        The input's slice is the smallest; it is empty where nothing is read. There are two pairs
        only where mode wrap goes from the input's end to its beginning. A box of the output reads
        the products of the pieces of its axes.
        """
        number = axis_number(axis, len(self.shape))
        extent = self.out_shape[number]
        start = operator.index(start)
        stop = extent if stop is None else operator.index(stop)
        if not 0 <= start <= stop <= extent:
            raise ValueError(f"axis {number}: cells {start} to {stop} are not inside the output "
                             f"extent {extent}")
        return [(slice(first, first + count), slice(from_, from_ + needed))
                for first, count, from_, needed in
                _core.plan_sources(self._capsule, number, start, stop - start)]

    def describe(self):
        """What was chosen, in words."""
        return _core.plan_describe(self._capsule)

    def _check(self, what, array):
        if array.dtype != self.dtype:
            raise TypeError(f"{what} has type {array.dtype}, the plan is for {self.dtype}")

    def __eq__(self, other):
        return self._key == other._key if isinstance(other, Plan) else NotImplemented

    def __hash__(self):
        return hash(self._key)

    def __repr__(self):
        return f"<tensorpad.Plan {self.shape} -> {self.out_shape} {self.dtype}>"

    def __reduce__(self):
        return _rebuild, self._key


def _rebuild(shape, axes, dtype, fill):
    plan = Plan.__new__(Plan)
    plan._build(shape, axes, dtype, numpy.frombuffer(bytearray(fill), dtype))
    return plan
