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
    """What `pad_sample` and `unpad_sample` return."""

    image: Any
    masks: Any
    boxes: Any
    points: Any
    amounts: Any
    origins: Any = None


def _axes_of(image, axes):
    """The axes of height and width: the last two of a tensor, the first two of an array."""
    rank = len(image.shape)
    if axes is None:
        axes = (-2, -1) if is_torch(image) else (0, 1)
    chosen = [_core.integer(axis, "axes", "two integers") for axis in axes]
    if len(chosen) != 2 or rank < 2 or not all(-rank <= axis < rank for axis in chosen):
        raise ValueError(f"axes has to name height and width of {rank} axes, got {axes!r}")
    return [axis % rank for axis in chosen]


def _table(name, given, columns):
    """Boxes or points as an array or a tensor whose last axis has the numbers of one."""
    table = given if is_torch(given) else numpy.asarray(given)
    if 0 in table.shape and len(table.shape) < 2:
        table = table.reshape(0, columns)
    if len(table.shape) < 1 or table.shape[-1] < columns or (columns == 4 and table.shape[-1] > 4):
        raise ValueError(
            f"{name} have {columns} numbers on their last axis, got the shape {tuple(table.shape)}"
        )
    return table


def _moved(table, width, before, sizes, box_format, shares):
    """Boxes or points moved by `before`. sizes: (width, height) of the picture, before and after. With
    shares the numbers are parts of the extents."""
    if box_format not in ("xyxy", "xywh", "cxcywh"):
        raise ValueError(f"box_format has to be 'xyxy', 'xywh' or 'cxcywh', got {box_format!r}")
    both = width == 4 and box_format == "xyxy"
    shift = [*before, *(before if both else (0,) * (width - 2))]
    rest = table[..., width:]
    made = table[..., :width]
    like = made
    if shares:
        old, new = ([*one, *one][:width] for one in sizes)
        like = made if "float" in str(made.dtype) else made * 1.0
        made = (like * _like(like, old) + _like(like, shift)) / _like(like, new)
    else:
        made = made + _like(like, shift)
    if not rest.shape[-1]:
        return made
    if is_torch(made):
        return sys.modules["torch"].cat([made, rest.to(made.dtype)], -1)
    return numpy.concatenate([made, rest], -1)


def _like(table, numbers):
    return table.new_tensor(numbers) if is_torch(table) else numpy.array(numbers, table.dtype)


def _copies_along(extent, before, after, mode):
    """[(factor, shift), ...]: each copy of a coordinate x along an axis lies at factor * x + shift; the
    first one is x itself. A cell is at its index."""
    period = {"reflect": max(2 * extent - 2, 1), "symmetric": 2 * extent, "wrap": extent}[mode]
    mirror = {"reflect": 0, "symmetric": -1, "wrap": None}[mode]
    found = []
    most = (abs(before) + abs(after) + extent) // period + 2
    for turn in sorted(range(-most, most + 1), key=abs):
        found.append((1, before + turn * period))
        if mirror is not None:
            found.append((-1, before + mirror + turn * period))
    return found


def _copied(points, sizes, amounts, mode):
    """All copies of points in a picture padded by a mode that repeats elements, and their origins."""
    (top, bottom), (left, right) = amounts
    width, height = sizes
    across = _copies_along(width, left, right, mode)
    down = _copies_along(height, top, bottom, mode)
    values = points.detach().cpu().numpy() if is_torch(points) else points
    values = values.reshape(-1, values.shape[-1])
    made, origins = [], []
    seen = [set() for _ in values]
    for x_factor, x_shift in across:
        for y_factor, y_shift in down:
            for number, point in enumerate(values.tolist()):
                x, y = x_factor * point[0] + x_shift, y_factor * point[1] + y_shift
                inside = -0.5 <= x < width + left + right - 0.5
                inside = inside and -0.5 <= y < height + top + bottom - 0.5
                if inside and (x, y) not in seen[number]:
                    seen[number].add((x, y))
                    made.append([x, y, *point[2:]])
                    origins.append(number)
    table = numpy.array(made, values.dtype).reshape(-1, values.shape[-1])
    order = numpy.argsort(origins, kind="stable")
    table, origins = table[order], numpy.array(origins, numpy.int64)[order]
    if is_torch(points):
        torch = sys.modules["torch"]
        return torch.from_numpy(table).to(points.device), torch.from_numpy(origins).to(
            points.device
        )
    return table, origins


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
    """Pad a picture to a size, and its masks, boxes and points with it. Nothing is resized.

    image: an array (height, width) or (height, width, channels), or a torch tensor (..., height, width).
    masks: one array (..., height, width), or a list of them; padded by the same amounts.
    boxes: (..., 4) numbers, as an array, a tensor or lists; an empty list, too.
    points: (..., 2 or more): x, y and what stays as it is, such as a visibility.
    shape, multiple, buckets, align, too_long: as in `pad_to`, for height and width.
    axes: those of height and width in the image, if they are others.
    mode: of the image, and of the masks, which have mask_value where it is 'constant'.
    constant_values: a value, or one for each channel: (114, 114, 114).
    box_format: 'xyxy' (two corners), 'xywh' (corner and size) or 'cxcywh' (middle and size).
    shares: true: boxes and points are parts of the width and the height, in [0, 1], not pixels.
    copies: true, with reflect, symmetric and wrap: all copies of a point that lie in the padded
        picture, the point itself first; `origins` says of which. Then points are (n, 2 or more), in
        pixels, and a cell is at its index: the mirror of reflect is at 0, that of symmetric at -0.5.

    Returns a named tuple: image, masks, boxes, points (None for what was not given; lists of numbers
    become arrays), amounts ((top, bottom), (left, right)), of which negative ones crop, and origins:
    with copies the index of the point that each of points is a copy of, int64.

    Boxes and points that a crop cuts off stay, with numbers outside of the picture. Boxes and points are
    new, of the type that they had; parts of extents that were integers become floats.
    Raises ValueError for words and shapes that do not fit, and the errors of `pad_to`.
    """
    if copies and (shares or mode not in ("reflect", "symmetric", "wrap")):
        raise ValueError(
            "copies are for points in pixels and the modes reflect, symmetric and wrap"
        )
    if not is_torch(image):
        image = numpy.asarray(image)
    rows, columns = _axes_of(image, axes)
    height, width = image.shape[rows], image.shape[columns]
    amounts = _core.fit_amounts(
        (height, width), shape, multiple, None, None, align, too_long, buckets
    )
    widths = {rows: amounts[0], columns: amounts[1]}
    padded = _padded(image, widths, mode, constant_values, {rows, columns})
    is_list = isinstance(masks, (list, tuple))
    made = []
    for number, mask in enumerate(masks if is_list else () if masks is None else (masks,)):
        if tuple(mask.shape[-2:]) != (height, width):
            raise ValueError(
                f"mask {number} has the shape {tuple(mask.shape)}, the picture {(height, width)}"
            )
        pair = dict(zip((-2, -1), amounts))
        constant = {"constant_values": mask_value} if mode == "constant" else {}
        made.append(_core.pad(mask, pair, mode, **constant))
    sizes = (width, height), (width + sum(amounts[1]), height + sum(amounts[0]))
    moves = (amounts[1][0], amounts[0][0]), sizes, box_format, shares
    origins = None
    if boxes is not None:
        boxes = _moved(_table("boxes", boxes, 4), 4, *moves)
    if points is not None and copies:
        points, origins = _copied(_table("points", points, 2), sizes[0], amounts, mode)
    elif points is not None:
        points = _moved(_table("points", points, 2), 2, *moves)
    masks = made if is_list else made[0] if made else None
    return Sample(padded, masks, boxes, points, amounts, origins)


def _padded(image, widths, mode, constant_values, used):
    if mode != "constant":
        return _core.pad(image, widths, mode)
    words = {}
    if numpy.ndim(constant_values) == 1:
        others = [axis for axis in range(len(image.shape)) if axis not in used]
        if not others:
            raise ValueError("constant_values has a value for each channel, and the image has none")
        words["constant_axis"] = others[-1]
    return _core.pad(image, widths, constant_values=constant_values, **words)


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
    """What lies inside a padded sample: what a model says of a padded picture, in the picture's numbers.

    image: the padded picture, of which a view is returned; None if only boxes and points are wanted.
    amounts: those that `pad_sample` returned.
    masks, boxes, points, axes, box_format, shares: as in `pad_sample`. shares need the image. So is the
        result.

    ValueError if an amount of the image or of masks is negative: the cropped cells are gone.
    """
    (top, bottom), (left, right) = amounts
    sizes = None
    if image is not None:
        if not is_torch(image):
            image = numpy.asarray(image)
        rows, columns = _axes_of(image, axes)
        new = image.shape[columns], image.shape[rows]
        sizes = new, (new[0] - left - right, new[1] - top - bottom)
        image = _core.unpad(image, {rows: amounts[0], columns: amounts[1]})
    elif shares:
        raise ValueError("shares are parts of the padded picture: give the image")
    is_list = isinstance(masks, (list, tuple))
    pair = dict(zip((-2, -1), amounts))
    cut = [
        _core.unpad(one, pair) for one in (masks if is_list else () if masks is None else (masks,))
    ]
    moves = (-left, -top), sizes, box_format, shares
    if boxes is not None:
        boxes = _moved(_table("boxes", boxes, 4), 4, *moves)
    if points is not None:
        points = _moved(_table("points", points, 2), 2, *moves)
    masks = cut if is_list else cut[0] if cut else None
    return Sample(image, masks, boxes, points, amounts)
