"""tensorpad.torch.pad_to, unpad and pad_batch, and their modules.  SPDX-License-Identifier: MIT

The amounts follow from extents, which may be symbols of torch: then nothing is asked of them, so that one
program serves all sizes. docs/semantics.md, "To a size", says what is computed; the library computes the
same for integers. The pad itself is that of _pad.py.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import torch
from torch.compiler import is_compiling

import tensorpad

from .. import _arguments, _core
from .._arrays import MAX_RANK, has_derivatives, overrides_torch
from . import _aten, _gpu
from ._pad import (
    _Module,
    chosen_axes,
    has_tensors,
    is_plain,
    list_of,
    of_axes,
    operator_pad,
    pad_by,
    read_amounts,
)

if TYPE_CHECKING:
    from .. import _Align, _Axes, _Axis, _Integers, _Interior, _Modes, _PadWidth, _Sizes, _TooLong

ALIGNS = ("start", "center", "end")
TOO_LONG = ("error", "crop_end", "crop_start", "crop_center", "keep")


# ---- Amounts from sizes --------------------------------------------------------------------------


def _most(one, other):
    symbols = isinstance(one, torch.SymInt) or isinstance(other, torch.SymInt)
    return torch.sym_max(one, other) if symbols else max(one, other)


def _is_offset(align):
    return not isinstance(align, str)


def read_sizes(rank, shape, multiple, align, too_long, axes, default_align):
    """(size or None, multiple, align, too_long) for each axis."""
    chosen = chosen_axes(axes, rank)

    def each(value, what, default):
        return of_axes(value, rank, list_of(value, len(chosen), what), chosen, default)

    made = list(
        zip(
            each(shape, "shape", None),
            [1 if one is None else one for one in each(multiple, "multiple", None)],
            each(align, "align", default_align),
            each(too_long, "too_long", "error"),
        )
    )
    for dim, (size, rounding, place, rule) in enumerate(made):
        if size is not None and size < 0:
            raise ValueError(f"axis {dim}: shape has to be at least 0, got {size}")
        if rounding < 1:
            raise ValueError(f"axis {dim}: multiple has to be at least 1, got {rounding}")
        if not _is_offset(place) and place not in ALIGNS:
            _arguments.refuse_align(place)
        if rule not in TOO_LONG:
            _arguments.refuse_too_long(rule)
    return made


def targets_of(sizes, shapes, square):
    """The extents that all tensors of these shapes get."""
    made = []
    for dim, (size, multiple, align, too_long) in enumerate(sizes):
        least = [] if size is None else [size]
        if size is None or too_long == "keep":
            least += [shape[dim] + (align if _is_offset(align) else 0) for shape in shapes]
        if _is_offset(align):
            least.append(0)
        size = functools.reduce(_most, least)
        made.append(size if multiple == 1 else (size + multiple - 1) // multiple * multiple)
    if square is not None:
        first, second = square
        multiple = math.lcm(sizes[first][1], sizes[second][1])
        side = _most(made[first], made[second])
        made[first] = made[second] = (side + multiple - 1) // multiple * multiple
    return made


def amounts_of(sizes, shape, targets):
    """((before, after), ...) of a tensor of this shape."""
    made = []
    for dim, ((size, _, align, too_long), extent, target) in enumerate(zip(sizes, shape, targets)):
        room = target - extent
        if _is_offset(align):
            before = align
            fits = align >= 0 and extent + align <= target
        else:
            before, fits = _before(room, size is not None, align, too_long), extent <= target
        kept = too_long == "keep" or size is None
        if too_long in ("error", "keep") and (not kept or _is_offset(align)):
            _require(fits, dim, extent, target)
        made.append((before, room - before))
    return tuple(made)


def _before(room, may_be_too_long, align, too_long):
    """The cells before the data; negative: so many are cropped. A target that was not given is never too
    small, and then a symbol stays a short term."""
    if not may_be_too_long or too_long in ("error", "keep"):
        return {"start": 0, "center": room // 2, "end": room}[align]
    if (align, too_long) in (("start", "crop_end"), ("end", "crop_start")):
        return 0 if align == "start" else room
    added = _most(room, 0)
    cropped = added - room
    before = {"start": 0, "center": added // 2, "end": added}[align]
    return before - {"crop_end": 0, "crop_center": cropped // 2, "crop_start": cropped}[too_long]


def _require(fits, dim, extent, target):
    """The error of a tensor that is too long. Where torch traces, it becomes a condition of the program."""
    if is_compiling() or type(fits) is not bool:
        torch._check(fits)
    elif not fits:
        raise ValueError(
            f"axis {dim}: {extent} cells do not fit into {target}: choose a larger target, or a "
            "too_long that crops"
        )


# ---- pad_to --------------------------------------------------------------------------------------


def _are_known(*values):
    """Whether torch traces nothing, and there are no symbols among these integers."""
    return not is_compiling() and not any(isinstance(one, torch.SymInt) for one in values)


def _amounts_to(extents, shape, multiple, square, axes, align, too_long):
    given = shape if isinstance(shape, (list, tuple)) else (shape,)
    if len(extents) <= MAX_RANK and _are_known(*extents, *given):
        return _core.fit_amounts(extents, shape, multiple, square, axes, align, too_long)
    rank = len(extents)
    sizes = read_sizes(rank, shape, multiple, align, too_long, axes, "start")
    pair = None if square is None else chosen_axes(square, rank)
    if pair is not None and (len(pair) != 2 or not set(pair) <= set(chosen_axes(axes, rank))):
        raise ValueError(f"square has to name two axes, which are among the axes, got {square!r}")
    return amounts_of(sizes, extents, targets_of(sizes, [extents], pair))


def _check_constants(x, constant_values, axes):
    """Refuses constants that the type of the tensor does not hold, as tensorpad.pad_to does."""
    is_nothing = type(constant_values) in (int, float) and constant_values == 0
    if is_nothing or is_compiling() or has_tensors(constant_values):
        return
    try:
        dtype = torch.empty(0, dtype=x.dtype).numpy().dtype
    except TypeError:
        return  # NumPy has no such type
    _arguments.values(dtype, constant_values, axes, x.dim(), exact=True)


def _by_amounts(x, amounts, mode, constant_values, constant_axis, axes):
    """x padded by a pair for each axis, without another check."""
    widths = _widths(x.dim(), amounts, mode, axes)
    return pad_by(x, widths, constant_values, constant_axis, axes, computed=True)


def _widths(rank, amounts, mode, axes):
    """Five numbers for each axis."""
    read = read_amounts if is_compiling() else _core.axes
    words = read(rank, 0, mode, 0, "window", axes)
    return tuple((*pair, 0, number, 0) for pair, (_, _, _, number, _) in zip(amounts, words))


def pad_to(
    x: Any,
    shape: _Sizes = None,
    *,
    multiple: _Sizes = None,
    square: _Integers | None = None,
    axes: _Axes = None,
    align: _Align = "center",
    too_long: _TooLong = "error",
    mode: _Modes = "constant",
    constant_values: Any = 0,
    constant_axis: _Axis = None,
    return_amounts: bool = False,
) -> Any:
    """Pad a tensor to a size, to multiples or to a square; or crop it.

    x: a tensor as `pad` takes it. The result is a new tensor of the same kind, and has its gradient.
    shape, multiple: extents in cells, for all axes or one for each of `axes`. In a program that torch
        traces, extents of other tensors may stand here.
    square, axes, align, too_long, mode, constant_axis: as in tensorpad.pad_to.
    constant_values: as `pad` takes them; numbers that the type does not hold are refused.
    return_amounts: if true, the result is (tensor, ((before, after), ...)) with the amounts of all axes,
        as `pad` and `unpad` take them. Under torch.compile and torch.export they may be symbols.

    ValueError if an axis is too long. A program that torch traced raises RuntimeError then.
    """
    amounts = _amounts_to(x.shape, shape, multiple, square, axes, align, too_long)
    if constant_axis is None:
        _check_constants(x, constant_values, axes)
    made = _by_amounts(x, amounts, mode, constant_values, constant_axis, axes)
    return (made, amounts) if return_amounts else made


# ---- unpad ---------------------------------------------------------------------------------------


def unpad(x: Any, pad_width: _PadWidth, *, interior: _Interior = 0, axes: _Axes = None) -> Any:
    """The tensor inside a padded one, as a view; in what torch traces it is a copy.

    x: a tensor as `pad` takes it.
    pad_width: the amounts of a call of `pad`, or those that `pad_to` returned; symbols, too.
    interior, axes: as in tensorpad.unpad.

    ValueError if an amount is negative, because the cropped cells are gone, and if no tensor has this
    extent after such a pad.
    """
    if not is_compiling():
        return tensorpad.unpad(x, pad_width, interior=interior, axes=axes)
    amounts = read_amounts(x.dim(), pad_width, "constant", interior, "window", axes)
    # A slice by symbols would ask whether they are negative.
    crops = tuple((-before, -after, 0, _aten.CONSTANT, 0) for before, after, *_ in amounts)
    x = operator_pad(x, crops, 0)
    steps = tuple(slice(None, None, between + 1) for _, _, between, *_ in amounts)
    return x[steps] if any(between for _, _, between, *_ in amounts) else x


# ---- pad_batch -----------------------------------------------------------------------------------


def _is_only_read(item):
    return not isinstance(item, torch.Tensor) or (
        is_plain(item) and not has_derivatives(item) and not overrides_torch(type(item))
    )


def pad_batch(
    items: Iterable[Any],
    *,
    shape: _Sizes = None,
    multiple: _Sizes = None,
    align: _Align = "start",
    too_long: _TooLong = "error",
    mode: _Modes = "constant",
    constant_values: Any = 0,
    constant_axis: _Axis = None,
    dtype: Any = None,
    mask: bool = False,
    lengths: bool = False,
) -> Any:
    """Pad tensors of different extents into one, whose first axis counts them.

    items: tensors of one type, device and number of axes (at least one). The result has their gradients.
        Where none is wanted and nothing is traced, tensorpad.pad_batch makes it, of lists, too.
    shape, multiple, align, too_long, mode, constant_values, constant_axis: as in tensorpad.pad_batch.
    dtype: a type of torch, to which items are converted first.
    mask, lengths: if true, the result is a tuple: the batch, then a bool tensor of its shape that is True
        where a cell of an item lies, then an int64 tensor of how many cells of each item lie in the
        batch, of shape (n,) for items of one axis, else (n, axes).

    TypeError and ValueError name the item; ValueError if an item is too long.
    """
    items = list(items)
    if not is_compiling() and all(map(_is_only_read, items)):
        return tensorpad.pad_batch(
            items,
            shape=shape,
            multiple=multiple,
            align=align,
            too_long=too_long,
            mode=mode,
            constant_values=constant_values,
            constant_axis=constant_axis,
            dtype=dtype,
            mask=mask,
            lengths=lengths,
        )
    _check_items(items, dtype)
    if dtype is not None:
        items = [item.to(dtype) for item in items]
    rank = items[0].dim()
    sizes = read_sizes(rank, shape, multiple, align, too_long, None, "start")
    targets = targets_of(sizes, [item.shape for item in items], None)
    made, inside, counts, found = [], [], [], []
    for number, item in enumerate(items):
        try:
            found.append(amounts_of(sizes, item.shape, targets))
        except ValueError as error:
            raise ValueError(f"item {number}: {error}") from None
    batch = None
    if not is_compiling() and type(constant_values) in (int, float) and constant_axis is None:
        axes = [_widths(rank, amounts, mode, None) for amounts in found]
        batch = _gpu.padded_batch(items, axes, constant_values)
    for item, amounts in zip(items, found):
        if batch is None:
            made.append(_by_amounts(item, amounts, mode, constant_values, constant_axis, None))
        if mask:
            cells = torch.ones_like(item, dtype=torch.bool)
            inside.append(_by_amounts(cells, amounts, "constant", False, None, None))
        if lengths:
            counts += [_kept(extent, *pair) for extent, pair in zip(item.shape, amounts)]
    results = [torch.stack(made) if batch is None else batch]
    if mask:
        results.append(torch.stack(inside))
    if lengths:
        found = torch.tensor(counts, dtype=torch.int64)
        results.append(found if rank == 1 else found.reshape(len(items), rank))
    return tuple(results) if len(results) > 1 else results[0]


def _check_items(items, dtype):
    if not items:
        raise ValueError("pad_batch: no items")
    for number, item in enumerate(items):
        if not isinstance(item, torch.Tensor):
            raise TypeError(f"item {number}: tensors are wanted, got {type(item)}")
        if item.dim() != items[0].dim():
            raise ValueError(f"item {number} has {item.dim()} axes, item 0 has {items[0].dim()}")
        if dtype is None and item.dtype != items[0].dtype:
            raise TypeError(f"item {number} has type {item.dtype}, item 0 has {items[0].dtype}")
        if dtype is not None and not torch.can_cast(item.dtype, dtype):
            raise TypeError(
                f"item {number}: {item.dtype} is not converted to {dtype}: do it with .to({dtype})"
            )


def _kept(extent, before, after):
    """How many of the cells of an axis lie in the output."""
    if type(before) is int and type(after) is int and type(extent) is int and not is_compiling():
        return max(extent + min(before, 0) + min(after, 0), 0)
    return _most(extent - _most(-before, 0) - _most(-after, 0), 0)


# ---- Modules -------------------------------------------------------------------------------------


class PadTo(_Module):
    """Pads its input as `pad_to` does.

    shape: that of `pad_to`.
    words: its keywords; TypeError for others.

    With return_amounts=True it returns (tensor, amounts), and Unpad takes both.
    """

    words: dict[str, Any]

    def __init__(self, shape: _Sizes = None, **words: Any) -> None:
        super().__init__()
        for word in words:
            if word not in _PAD_TO_WORDS:
                raise TypeError(
                    f"PadTo has no argument {word!r}: it is one of {', '.join(_PAD_TO_WORDS)}"
                )
        constant = words.pop("constant_values", 0)
        is_buffer = isinstance(constant, torch.Tensor)
        if is_buffer and not isinstance(constant, torch.nn.Parameter):
            self.register_buffer("constant_values", constant)
        else:
            self.constant_values = constant
        self.words = {"shape": shape, **words}

    def forward(self, x: Any) -> Any:
        return pad_to(x, constant_values=self.constant_values, **self.words)

    def extra_repr(self) -> str:
        shown = dict(self.words)
        if isinstance(self.constant_values, torch.Tensor) or self.constant_values != 0:
            shown["constant_values"] = self.constant_values
        return ", ".join(f"{name}={value!r}" for name, value in shown.items() if value is not None)


_PAD_TO_WORDS = tuple(pad_to.__kwdefaults__)


class Unpad(_Module):
    """The tensor inside a padded one, as `unpad` returns it.

    pad_width, interior, axes: those of `unpad`.

    unpad(x, amounts) takes the amounts of a call, as PadTo with return_amounts=True returns them; they
    are in place of pad_width.
    """

    pad_width: _PadWidth | None
    interior: _Interior
    axes: _Axes

    def __init__(
        self, pad_width: _PadWidth | None = None, *, interior: _Interior = 0, axes: _Axes = None
    ) -> None:
        super().__init__()
        self.pad_width = pad_width
        self.interior = interior
        self.axes = axes

    def forward(self, x: Any, amounts: _PadWidth | None = None) -> Any:
        widths = self.pad_width if amounts is None else amounts
        if widths is None:
            raise TypeError("Unpad needs amounts: of the call, or of the module as pad_width")
        return unpad(x, widths, interior=self.interior, axes=self.axes)

    def extra_repr(self) -> str:
        return f"{self.pad_width}, interior={self.interior}, axes={self.axes}"
