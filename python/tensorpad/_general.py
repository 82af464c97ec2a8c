"""tensorpad.pad in full, and the functions around it.  SPDX-License-Identifier: MIT

The extension's `pad` runs the common calls by itself and hands the rest to `pad` here.
"""
import numpy
from numpy import pad as numpy_pad  # kept, so that numpy.pad may be replaced by ours

from . import _core, _packed
from ._arguments import (COMPUTED, KEYWORDS, MODES, axis_list, chosen_axes, interiors, pairs,
                         widths)
from ._arrays import MAX_RANK, fill_value, move, refuse_dask, source, target

_ABSENT = object()
ZERO = numpy.zeros(1, int)[0]  # NumPy's number, which more types can be assigned than Python's
CONSTANT = MODES["constant"]


def pad(array, pad_width, mode="constant", *, constant_values=_ABSENT, interior=0, order="window",
        axes=None, out=None, threads=None, packed=None, shape=None, **kwargs):
    if packed is not None:
        if kwargs:
            raise TypeError(f"packed arrays take no {', '.join(kwargs)}")
        if constant_values is _ABSENT:
            constant_values = 0
        return _packed.pad(array, shape, packed,
                           lambda rank: axis_list(rank, pad_width, mode, interior, order, axes),
                           constant_values, out, threads)
    if shape is not None:
        raise TypeError("shape is for packed arrays only")
    if constant_values is not _ABSENT:
        kwargs["constant_values"] = constant_values
    if _overrides_numpy(array):
        refuse_dask(array)
        if interior != 0 or order != "window" or axes is not None or out is not None:
            raise TypeError(f"{type(array).__name__} pads in a way of its own, which knows only "
                            "NumPy's arguments: use numpy.asarray first")
        return numpy_pad(array, pad_width, mode, **kwargs)
    given = source(array)
    rank = given.array.ndim
    if _is_numpys(mode, kwargs):
        return _by_numpy(given, pad_width, mode, interior, axes, out, kwargs)
    if rank > MAX_RANK:
        if not isinstance(mode, str):
            raise ValueError(f"a mode for each axis is for arrays of at most {MAX_RANK} axes, got "
                             f"{rank}")
        return _by_numpy(given, widths(pad_width, axes, rank), mode, interior, None, out, kwargs)
    settings = axis_list(rank, pad_width, mode, interior, order, axes)
    _check_keywords(mode, any(one[2] for one in settings), kwargs)
    return _move(given, settings, kwargs, axes, out, threads)


def _move(given, settings, kwargs, axes, out, threads):
    """The modes that move elements, once every axis has its five numbers."""
    array = given.array
    for number, (before, after, _, mode, _) in enumerate(settings):
        if array.shape[number] == 0 and mode != CONSTANT and before + after > 0:
            raise ValueError(f"can't extend empty axis {number} using modes other than "
                             "'constant' or 'empty'")
    shape = _core.shape(array.shape, settings)
    values = (ZERO,)
    if "constant_values" in kwargs:
        values = _values(kwargs["constant_values"], axes, array.ndim)
    if isinstance(values, list) and any(one[2] for one in settings):
        raise ValueError("with interior there can be only one constant value")
    if out is None:
        result, dst = given.empty(shape)
    else:
        result, dst = out, target(out)
        _check_out(array, dst, shape)
    if isinstance(values, list):
        _move_sides(array, dst, settings, values, threads)
    else:
        used = any(one[2] or one[3] == CONSTANT for one in settings)
        fill = fill_value(array.dtype, values[0]) if used else None
        move(array, dst, settings, fill, threads)
    return result


def _overrides_numpy(array):
    """Whether numpy.pad would leave this array to its own type: units, lazy arrays."""
    function = getattr(type(array), "__array_function__", None)
    if function is None or function is numpy.ndarray.__array_function__:
        return False
    # CuPy and its like have a __dlpack_device__, which tells that they are not on the CPU.
    return isinstance(array, numpy.ndarray) or not hasattr(type(array), "__dlpack_device__")


def _is_numpys(mode, kwargs):
    """Whether the elements have to be calculated: then NumPy does."""
    if callable(mode) or isinstance(mode, str) and mode in COMPUTED:
        return True
    return isinstance(mode, str) and "reflect_type" in KEYWORDS.get(mode, ()) and \
        kwargs.get("reflect_type") == "odd"


def _by_numpy(given, pad_width, mode, interior, axes, out, kwargs):
    if any(interiors(interior, axes, given.array.ndim)):
        raise ValueError(f"mode {mode!r} of an array of {given.array.ndim} axes is left to NumPy, "
                         "which has no interior")
    if axes is not None or isinstance(pad_width, dict):
        pad_width = widths(pad_width, axes, given.array.ndim)
    computed = numpy_pad(given.array, pad_width, mode, **kwargs)
    if out is None:
        return given.wrap(computed)
    dst = target(out)
    _check_out(given.array, dst, computed.shape)
    dst[...] = computed
    return out


def _check_keywords(mode, interior, kwargs):
    """NumPy's check of the keywords that go with a mode; the constant goes with interior too."""
    if isinstance(mode, str):
        allowed = KEYWORDS.get(mode, ())
    else:
        allowed = ("constant_values", "reflect_type")
        if kwargs.get("reflect_type") == "odd":
            raise ValueError(
                "reflect_type 'odd' is computed by NumPy and takes one mode for all axes")
    unsupported = set(kwargs) - set(allowed)
    if interior:
        unsupported.discard("constant_values")
    if unsupported:
        raise ValueError(f"unsupported keyword arguments for mode '{mode}': {unsupported}")


def _check_out(array, dst, shape):
    if dst.dtype != array.dtype:
        raise TypeError(f"out has type {dst.dtype}, the array {array.dtype}")
    if dst.shape != tuple(shape):
        raise ValueError(f"out has shape {dst.shape}, the result {tuple(shape)}")
    if not dst.flags.writeable:
        raise ValueError("output array is read-only")


def _values(constant_values, axes, rank):
    """(value,), or a list with a pair of values for each axis."""
    array = None if constant_values is None else numpy.asarray(constant_values)
    if array is None or array.ndim < 3 and array.size == 1:
        return (None if array is None else array.ravel()[0],)
    numbers = chosen_axes(axes, rank)
    result = [(0, 0)] * rank
    for number, pair in zip(numbers, pairs(array, len(numbers))):
        result[number] = pair
    return result


def _move_sides(array, dst, settings, values, threads):
    """A value for each side: the engine moves the array, NumPy assigns the sides in its order."""
    inner = []
    for extent, length, (before, after, _, mode, _) in zip(array.shape, dst.shape, settings):
        if mode == CONSTANT:
            low = min(max(before, 0), length)
            inner.append(slice(low, max(low, min(before + extent, length))))
        else:
            inner.append(slice(0, length))
    inside = dst[(*inner, ...)]
    cut = tuple(
        (min(before, 0), min(after, 0), 0, mode, order) if mode == CONSTANT
        else (before, after, 0, mode, order) for before, after, _, mode, order in settings)
    if inside.size:
        move(array, inside, cut, None, threads)
    for number, (settings_one, pair) in enumerate(zip(settings, values)):
        if settings_one[3] != CONSTANT:
            continue
        region = [slice(None)] * (number + 1) + inner[number + 1:]
        for part, value in ((slice(0, inner[number].start), pair[0]),
                            (slice(inner[number].stop, None), pair[1])):
            region[number] = part
            dst[tuple(region)] = value
