"""Coordinates that go on with their step beyond the edge.  SPDX-License-Identifier: MIT"""

import numpy

INT64 = numpy.iinfo(numpy.int64)


def extended(values, axis, before, after, interior):
    """The values along an axis, and beyond it with the step at the edge.

    before, after: how many cells more on each side, negative: less. interior: cells between two
    neighbours, which lie evenly between their values. Needs two cells and numbers, dates, or
    objects that can be subtracted, if there is a cell to compute: else a ValueError or TypeError.
    A line of floating-point numbers in even steps goes on with the mean step, whose rounding error
    is the smallest.
    """
    lines = numpy.moveaxis(values, axis, 0)
    count, spacing = len(lines), interior + 1
    places = numpy.arange(-before, max((count - 1) * spacing + 1, 0) + after)
    cells = numpy.clip(places // spacing, 0, max(count - 1, 0))
    beyond = places - cells * spacing
    moved = numpy.flatnonzero(beyond) if count else numpy.arange(len(places))
    if not len(moved):
        return numpy.moveaxis(lines[cells], 0, axis)
    check_step(values.dtype, count)
    out = lines[cells]
    near = cells[moved].clip(max=count - 2)
    beyond = beyond[moved].reshape(-1, *[1] * (lines.ndim - 1))
    compute = {"f": _reals, "c": _reals, "O": _objects}.get(values.dtype.kind, _integers)
    out[moved] = compute(lines, cells[moved], near, beyond, spacing)
    return numpy.moveaxis(out, 0, axis)


def check_step(dtype, count):
    """An error if such a coordinate has no step."""
    if dtype.kind not in "iufcmMO":
        raise TypeError(f"elements of {dtype} have no step to go on with")
    if count < 2:
        raise ValueError(f"{count} cell{'s' * (count != 1)}: there is no step to go on with")


def _reals(lines, cells, near, beyond, spacing):
    exact = lines.astype(numpy.result_type(lines.dtype, numpy.float64), copy=False)
    with numpy.errstate(invalid="ignore", over="ignore"):
        mean = (exact[-1] - exact[0]) / (len(exact) - 1)
        number = numpy.arange(len(exact)).reshape(-1, *[1] * (lines.ndim - 1))
        rounding = 2 * numpy.finfo(lines.dtype).eps * abs(exact).max(axis=0)
        even = (abs(exact - (exact[0] + number * mean)) <= rounding).all(axis=0)
        steps = numpy.where(even, mean, exact[near + 1] - exact[near])
        return exact[cells] + steps * beyond / spacing


def _integers(lines, cells, near, beyond, spacing):
    """Integers and dates, exactly: in integers of Python."""
    dtype = lines.dtype  # xarray has dates in the machine's order of bytes only
    dates = dtype.kind in "mM"
    plain = lines.view(numpy.int64) if dates else lines
    base, low, high = (plain[n].astype(object) for n in (cells, near, near + 1))
    product = (high - low) * beyond
    if (product % spacing != 0).any():
        raise ValueError(
            f"elements of {dtype} have no value for {spacing - 1} cells between two "
            "neighbours: convert the coordinate to floating-point numbers first"
        )
    made = base + product // spacing
    limits = INT64 if dates else numpy.iinfo(dtype)
    known = True
    if dates:
        known = ~(numpy.isnat(lines[cells]) | numpy.isnat(lines[near + 1] - lines[near]))
        made = numpy.where(known, made, INT64.min)
    wrong = known & ((made < limits.min + dates) | (made > limits.max))
    if wrong.any():
        raise ValueError(
            f"the coordinate goes on to {made[wrong].flat[0]}, which {dtype} does "
            f"not hold: convert it to a wider type first"
        )
    return made.astype(plain.dtype).view(dtype)


def _objects(lines, cells, near, beyond, spacing):
    try:
        way = (lines[near + 1] - lines[near]) * beyond.astype(object)
        return lines[cells] + (way if spacing == 1 else way / spacing)
    except TypeError as error:
        raise TypeError(f"objects have no step to go on with: {error}") from None
