"""Pictures of what a pad does, which display themselves in a notebook.

SPDX-License-Identifier: MIT"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy

from . import _core
from ._arguments import listed_values
from ._arrays import source
from ._atomic import write_atomically
from ._carriers import carrier
from ._plan import one_axis

if TYPE_CHECKING:
    from . import _Axes, _Axis, _Interior, _Moves, _Order, _PadWidth

_CELLS = 32 * 32  # larger arrays are not shown cell by cell
_WIDEST = 7  # characters of an element


class Picture:
    """A picture of a pad: a drawing in a notebook, text elsewhere."""

    def __init__(self, *drawn: Any) -> None:
        self._drawn = drawn
        self._text = _core.show(*drawn, "text").decode().rstrip("\n")

    def _repr_svg_(self) -> str:
        return _core.show(*self._drawn, "svg").decode()

    def __str__(self) -> str:
        return self._text

    __repr__ = __str__

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the drawing, an .svg."""
        if os.path.splitext(os.fspath(path))[1] != ".svg":
            raise ValueError(f"a picture is an .svg, by the ending of its name, not {path!r}")
        write_atomically(path, _core.show(*self._drawn, "svg"))


def _text(value):
    """A value in at most a few characters."""
    whole = str(value)
    if len(whole) > _WIDEST and isinstance(value, (float, numpy.floating)):
        whole = f"{value:.4g}"
    return whole


def _labels(array):
    """The elements as texts for the cells; None if they are too many or too long."""
    if array.ndim > 2 or array.size > _CELLS:
        return None
    labels = [_text(value) for value in array.flat]
    return labels if all(len(text) <= _WIDEST and text.isprintable() for text in labels) else None


def _is_shape(thing):
    return (
        isinstance(thing, (int, numpy.integer))
        or isinstance(thing, tuple)
        and all(isinstance(extent, (int, numpy.integer)) for extent in thing)
    )


def _printable(value):
    text = str(value)
    return text if text.isprintable() else ascii(value)


def show(
    array: Any,
    pad_width: _PadWidth,
    mode: _Moves = "constant",
    *,
    constant_values: Any = 0,
    constant_axis: _Axis = None,
    interior: _Interior = 0,
    order: _Order = "window",
    axes: _Axes = None,
) -> Picture:
    """Draws what tensorpad.pad does with the same arguments.

    array: an array, or a shape (a tuple, or an integer for one axis). The picture of a small array
        shows its elements; that of a small shape shows letters, or numbers if there are more than 26.
    pad_width, mode, interior, order, axes: as in pad, but without the modes that NumPy computes.
    constant_values: one value; or with constant_axis, an axis of the result, one for each of its cells.

    For each cell of the output the picture shows which element it repeats, or that it is fill or
    interior, and which cells are cropped. An array of one or two axes is drawn cell by cell if it
    has at most 32 cells on each axis. Other arrays are drawn axis by axis. The result displays
    itself in a notebook; str() turns it into text, and save(path) writes an .svg.

    Raises what pad raises.
    """
    if _is_shape(array):
        shape, labels = _core.shape(array, "array"), None
    else:
        given = array if carrier(array) else source(array).array
        shape, labels = given.shape, _labels(given)
    settings = _core.axes(len(shape), pad_width, mode, interior, order, axes)
    if constant_axis is not None:
        axis = one_axis(constant_axis, len(shape))
        extent = _core.plan(shape, settings, 8)[2][axis]
        fills = [_printable(value) for value in listed_values(constant_values, axis, extent)]
        return Picture(shape, settings, labels, f"{','.join(fills)} along axis {axis}", fills, axis)
    if numpy.ndim(constant_values) > 0:
        raise ValueError(
            f"a picture has one constant value, or constant_axis, not {constant_values!r}"
        )
    return Picture(shape, settings, labels, _printable(constant_values), None, -1)
