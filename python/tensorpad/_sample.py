"""pad_sample: a picture, its masks, boxes and points, padded together, and back.
SPDX-License-Identifier: MIT"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy

from . import _core
from ._arrays import is_torch

if TYPE_CHECKING:
    from . import _AlignOne, _Amounts, _Buckets, _Integers, _Move, _Multiples, _Sizes, _TooLongOne

_BoxFormat = Literal["xyxy", "xywh", "cxcywh"]


class Sample(NamedTuple):
    """The result of `pad_sample` and `unpad_sample`."""

    image: Any
    masks: Any
    boxes: Any
    points: Any
    amounts: Any
    origins: Any = None


def _array(given):
    """Lists as an array; anything with a shape keeps its kind, mask and units."""
    return given if hasattr(given, "shape") else numpy.asarray(given)


def _axes_of(image, axes):
    """The axes of height and width: the last two of a tensor, the first two of an array."""
    rank = len(image.shape)
    chosen = ((-2, -1) if is_torch(image) else (0, 1)) if axes is None else axes
    if len(chosen) != 2 or rank < 2 or not all(-rank <= axis < rank for axis in chosen):
        raise ValueError(f"axes has to name height and width of {rank} axes, got {axes!r}")
    return [int(axis) % rank for axis in chosen]


def _each(masks, run):
    return [run(one) for one in masks] if isinstance(masks, (list, tuple)) else run(masks)


def _table(name, given, width):
    """Boxes or points as an array or a tensor, with each one's numbers on the last axis."""
    table = _array(given)
    if 0 in table.shape and len(table.shape) < 2:
        table = table.reshape(0, width)
    if len(table.shape) < 1 or table.shape[-1] < width or table.shape[-1] > width == 4:
        raise ValueError(
            f"{name} have {width} numbers on their last axis, got the shape {tuple(table.shape)}"
        )
    return table


def _moved(name, given, width, before, sizes, box_format, shares):
    """Boxes or points moved by `before`. sizes: (width, height) of the picture, before and after.
    With shares the numbers are fractions of the extents."""
    if given is None:
        return None
    if box_format not in ("xyxy", "xywh", "cxcywh"):
        raise ValueError(f"box_format has to be 'xyxy', 'xywh' or 'cxcywh', got {box_format!r}")
    table = _table(name, given, width)
    rest = table.shape[-1] - width
    second = before if box_format == "xyxy" else (0, 0)
    shift = [*before, *second][:width] + [0] * rest
    if not shares:
        return table + _like(table, shift)
    table = table if "float" in str(table.dtype) else table * 1.0
    old, new = (_like(table, [*one, *one][:width] + [1] * rest) for one in sizes)
    return (table * old + _like(table, shift)) / new


def _like(table, numbers):
    return table.new_tensor(numbers) if is_torch(table) else numpy.array(numbers, table.dtype)


def _copies_along(extent, before, after, mode):
    """[(factor, shift), ...]: each copy of a coordinate x along an axis is at factor * x + shift;
    the first one is x itself. A cell is at its index."""
    period = {"reflect": max(2 * extent - 2, 1), "symmetric": 2 * extent, "wrap": extent}[mode]
    most = (abs(before) + abs(after) + extent) // period + 2
    turns = [before + turn * period for turn in sorted(range(-most, most + 1), key=abs)]
    forward = [(1, turn) for turn in turns]
    return (
        forward
        if mode == "wrap"
        else forward + [(-1, turn - (mode == "symmetric")) for turn in turns]
    )


def _copied(points, sizes, amounts, mode):
    """All copies of points in a picture padded by a mode that repeats elements, and their origins."""
    table_of_points = points.detach().cpu().numpy() if is_torch(points) else points
    table_of_points = table_of_points.reshape(-1, table_of_points.shape[-1])
    (width, height), (down, across) = sizes, amounts
    ways = [
        (x, y)
        for x in _copies_along(width, *across, mode)
        for y in _copies_along(height, *down, mode)
    ]
    wide = table_of_points[:, :2].astype(numpy.result_type(table_of_points.dtype, numpy.int8))
    copies = numpy.concatenate([wide * (x[0], y[0]) + (x[1], y[1]) for x, y in ways])
    origins = numpy.tile(numpy.arange(len(table_of_points)), len(ways))
    size = (width + sum(across), height + sum(down))
    inside = ((copies >= -0.5) & (copies < numpy.subtract(size, 0.5))).all(axis=1)
    copies, origins = copies[inside], origins[inside]
    _, first = numpy.unique(numpy.column_stack([origins, copies]), axis=0, return_index=True)
    kept = first[numpy.lexsort((first, origins[first]))]
    table = numpy.concatenate([copies[kept], table_of_points[origins[kept], 2:]], 1).astype(
        table_of_points.dtype
    )
    if not is_torch(points):
        return table, origins[kept]
    torch = sys.modules["torch"]
    return tuple(torch.from_numpy(one).to(points.device) for one in (table, origins[kept]))


def pad_sample(
    image: Any,
    *,
    masks: Any = None,
    boxes: Any = None,
    points: Any = None,
    shape: _Sizes = None,
    multiple: _Multiples = None,
    buckets: _Buckets = None,
    axes: _Integers | None = None,
    align: _AlignOne | Sequence[_AlignOne] = "center",
    too_long: _TooLongOne = "error",
    mode: _Move = "constant",
    constant_values: Any = 0,
    mask_value: Any = 0,
    box_format: _BoxFormat = "xyxy",
    shares: bool = False,
    copies: bool = False,
) -> Sample:
    """Pad a picture to a size, together with its masks, boxes and points. Nothing is resized.

    image: an array (height, width) or (height, width, channels), or a torch tensor (..., height, width).
    masks: one array (..., height, width), or a list of them; padded by the same amounts.
    boxes: (..., 4) numbers, as an array, a tensor or lists; an empty list is allowed.
    points: (..., 2 or more): x, y, and values that stay unchanged, such as a visibility.
    shape, multiple, buckets, align, too_long: as in `pad_to`, for height and width.
    axes: those of height and width in the image, if they differ from this.
    mode: of the image and of the masks; with 'constant', masks are filled with mask_value.
    constant_values: a value, or one for each channel: (114, 114, 114).
    box_format: 'xyxy' (two corners), 'xywh' (corner and size) or 'cxcywh' (middle and size).
    shares: true: boxes and points are fractions of the width and the height, in [0, 1], not pixels.
    copies: true, with reflect, symmetric and wrap: all copies of a point in the padded picture, the
        point itself first; `origins` says which point each one copies. Points are then (n, 2 or
        more), in pixels, and a cell is at its index: the mirror of reflect is at 0, that of
        symmetric at -0.5.

    Returns a named tuple: image, masks, boxes, points (None if not given; lists of numbers become
    arrays), amounts ((top, bottom), (left, right)), where negative ones crop, and origins: with
    copies the int64 index of the point that each of `points` copies.

    Boxes and points that a crop cuts off stay, with numbers outside the picture. Boxes and points
    are new, of the same type; integer fractions become floats. Raises ValueError for unknown names
    and unfit shapes, and the errors of `pad_to`.
    """
    if copies and (shares or mode not in ("reflect", "symmetric", "wrap")):
        raise ValueError(
            "copies are for points in pixels and the modes reflect, symmetric and wrap"
        )
    image = _array(image)
    rows, columns = _axes_of(image, axes)
    height, width = image.shape[rows], image.shape[columns]
    amounts = _core.fit_amounts(
        (height, width), shape, multiple, None, None, align, too_long, buckets
    )
    widths = {rows: amounts[0], columns: amounts[1]}
    words, mask_words = {}, {}
    if mode == "constant":
        words, mask_words = {"constant_values": constant_values}, {"constant_values": mask_value}
        if numpy.ndim(constant_values) == 1:
            words["constant_axis"] = max({*range(len(image.shape))} - {rows, columns}, default=None)
            if words["constant_axis"] is None:
                raise ValueError("there is a constant for each channel, and the image has none")

    def pad_mask(mask):
        if tuple(mask.shape[-2:]) != (height, width):
            raise ValueError(
                f"a mask has the shape {tuple(mask.shape)}, the picture {(height, width)}"
            )
        return _core.pad(mask, dict(zip((-2, -1), amounts)), mode, **mask_words)

    sizes = (width, height), (width + sum(amounts[1]), height + sum(amounts[0]))
    moves = (amounts[1][0], amounts[0][0]), sizes, box_format, shares
    if copies and points is not None:
        points, origins = _copied(_table("points", points, 2), sizes[0], amounts, mode)
    else:
        points, origins = _moved("points", points, 2, *moves), None
    return Sample(
        _core.pad(image, widths, mode, **words),
        None if masks is None else _each(masks, pad_mask),
        _moved("boxes", boxes, 4, *moves),
        points,
        amounts,
        origins,
    )


def unpad_sample(
    image: Any,
    amounts: _Amounts,
    *,
    masks: Any = None,
    boxes: Any = None,
    points: Any = None,
    axes: _Integers | None = None,
    box_format: _BoxFormat = "xyxy",
    shares: bool = False,
) -> Sample:
    """The inside of a padded sample: a model's answer for a padded picture, in the picture's numbers.

    image: the padded picture; the result is a view of it. None if only boxes and points are wanted.
    amounts: those that `pad_sample` returned.
    masks, boxes, points, axes, box_format, shares: as in `pad_sample`, and so is the result. shares
        need the image.

    ValueError if an amount of the image or of masks is negative: the cropped cells are gone.
    """
    (top, bottom), (left, right) = amounts
    sizes = None
    if image is not None:
        image = _array(image)
        rows, columns = _axes_of(image, axes)
        new = image.shape[columns], image.shape[rows]
        sizes = new, (new[0] - left - right, new[1] - top - bottom)
        image = _core.unpad(image, {rows: amounts[0], columns: amounts[1]})
    elif shares:
        raise ValueError("shares are parts of the padded picture: give the image")
    pair = dict(zip((-2, -1), amounts))
    moves = (-left, -top), sizes, box_format, shares
    return Sample(
        image,
        None if masks is None else _each(masks, lambda mask: _core.unpad(mask, pair)),
        _moved("boxes", boxes, 4, *moves),
        _moved("points", points, 2, *moves),
        amounts,
    )
