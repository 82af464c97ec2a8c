"""unpad, pad_shape and pad_border.  SPDX-License-Identifier: MIT"""
import operator

import numpy

from . import _core
from ._arguments import axis_list, interiors, widths
from ._arrays import fill_value, is_torch, movable, move, source, target


def pad_shape(shape, pad_width, mode="constant", *, interior=0, order="window", axes=None):
    """The shape that `pad` gives to an array of this shape, without any data.

    Raises what `pad` would raise.
    """
    shape = tuple(operator.index(extent) for extent in shape)
    return _core.shape(shape, axis_list(len(shape), pad_width, mode, interior, order, axes))


def unpad(array, pad_width, *, interior=0, axes=None):
    """The array inside a padded one, as a view: undoes `pad` with the same amounts.

    Amounts must not be negative: what was cropped is gone.
    """
    viewed = array if is_torch(array) else source(array).array
    rank = viewed.ndim
    parts = []
    for number, ((before, after), between) in enumerate(
            zip(widths(pad_width, axes, rank), interiors(interior, axes, rank))):
        extent = viewed.shape[number]
        if before < 0 or after < 0 or between < 0:
            raise ValueError(f"axis {number}: unpad takes no negative amounts, got "
                             f"{before}, {after} and interior {between}")
        inside = extent - before - after
        if inside < 0 or inside > 0 and (inside - 1) % (between + 1):
            raise ValueError(f"axis {number}: no array padded by ({before}, {after}) with interior "
                             f"{between} has extent {extent}")
        parts.append(slice(before, before + inside, between + 1))
    return viewed[(*parts, ...)]


def pad_border(out, pad_width, mode="constant", *, constant_values=0, interior=0, axes=None,
               threads=None):
    """Writes what `pad` would write around and between the elements of an array that already
    stands in its place, inside `out`; returns `out`.

    Amounts must not be negative. The elements are those that `unpad` shows.
    """
    dst = target(out)
    inner = unpad(dst, pad_width, interior=interior, axes=axes)
    settings = axis_list(dst.ndim, pad_width, mode, interior, "window", axes)
    values = numpy.asarray(constant_values)
    if values.size != 1:
        raise ValueError("pad_border takes one constant value")
    fill = fill_value(dst.dtype, values.ravel()[0])
    if not dst.flags.writeable:
        raise ValueError("output array is read-only")
    if movable(dst.dtype):
        _core.border(dst, inner.shape, settings, fill, threads)
    else:
        move(inner, dst, settings, fill, threads)
    return out
