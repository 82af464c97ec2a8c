"""tensorpad.torch.pad_to, unpad and pad_batch, and their modules.  SPDX-License-Identifier: MIT

The amounts follow from extents, which may be symbols of torch; no conditions are put on these, so
that one program serves all sizes. docs/semantics.md, "To a size", defines the result; the library
computes the same for integers. _pad.py does the padding.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy
import torch
from torch.compiler import is_compiling
from torch.overrides import has_torch_function_unary

import tensorpad

from .. import _arguments, _core
from .._arrays import MAX_RANK, numbers_of, results_in
from . import _aten, _gpu
from ._pad import (
    ASKED,
    adjoint_of,
    check_pad,
    chosen_axes,
    entries_of,
    has_tensors,
    is_for_library,
    keep_constant,
    list_of,
    of_axes,
    operator_pad,
    pad_by,
    pad_by_values,
    pad_of,
    read_amounts,
    refuse_foreign,
    stand_in,
)

if TYPE_CHECKING:
    from typing import TypedDict, Unpack

    from .. import (
        _Align,
        _Amounts,
        _Axes,
        _Axis,
        _Buckets,
        _Integers,
        _Interior,
        _Modes,
        _Multiples,
        _PadWidth,
        _Sizes,
        _TooLong,
    )

    class _Words(TypedDict, total=False):
        multiple: _Multiples
        buckets: _Buckets
        axes: _Axes
        align: _Align
        too_long: _TooLong
        mode: _Modes
        constant_values: Any
        constant_axis: _Axis

    class _PadToWords(_Words, total=False):
        square: _Integers | None

    class _BatchWords(TypedDict, total=False):
        multiple: _Multiples
        buckets: _Buckets
        axes: _Axes
        align: _Align
        too_long: _TooLong
        mode: _Modes
        constant_values: Any
        constant_axis: _Axis | Literal["item"]
        shape: _Sizes
        at_most: _Sizes
        dtype: Any
        device: Any
        pin_memory: bool


ALIGNS = ("start", "center", "end")
TOO_LONG = ("error", "crop", "crop_end", "crop_start", "crop_center", "keep")


# ---- Amounts from sizes --------------------------------------------------------------------------


def _most(one, other):
    symbols = isinstance(one, torch.SymInt) or isinstance(other, torch.SymInt)
    return torch.sym_max(one, other) if symbols else max(one, other)


def _least(one, other):
    return -_most(-one, -other)


def _is_offset(align):
    return not isinstance(align, str)


def read_sizes(rank, shape, multiple, align, too_long, axes, default_align, buckets=None):
    """(size or None, multiple, align, too_long) for each axis. With buckets, multiple is the tuple
    of extents to choose from; POWERS for powers of two."""
    chosen = chosen_axes(axes, rank)

    def each(value, what, default):
        return of_axes(value, rank, list_of(value, len(chosen), what), chosen, default)

    sizes = list(
        zip(
            each(shape, "shape", None),
            _multiples(rank, each(multiple, "multiple", None), buckets, chosen),
            each(align, "align", default_align),
            each(too_long, "too_long", "error"),
        )
    )
    for dim, (size, rounding, place, rule) in enumerate(sizes):
        if size is not None and size < 0:
            raise ValueError(f"axis {dim}: shape has to be at least 0, got {size}")
        if not isinstance(rounding, tuple) and rounding < 1:
            raise ValueError(f"axis {dim}: multiple has to be at least 1, got {rounding}")
        if not _is_offset(place) and place not in ALIGNS:
            _arguments.refuse_align(place)
        if rule not in TOO_LONG:
            _arguments.refuse_too_long(rule)
        if rule == "crop":
            rules = {"center": "crop_center", "end": "crop_start"}
            sizes[dim] = size, rounding, place, rules.get(place, "crop_end")
    return sizes


POWERS = tuple(2**power for power in range(63))


def _multiples(rank, multiples, buckets, chosen):
    by_axis = of_axes(buckets, rank, [buckets] * len(chosen), chosen, None)
    return [
        tuple(sorted(listed)) if listed else POWERS if one == "power_of_two" else one or 1
        for one, listed in zip(multiples, by_axis)
    ]


def _rounded(size, multiple):
    """The extent for `size` cells. Choosing one for a symbol becomes a condition of the program, so
    torch recompiles it for each choice."""
    if not isinstance(multiple, tuple):
        return size if multiple == 1 else (size + multiple - 1) // multiple * multiple
    return next((one for one in multiple if size <= one), multiple[-1])


def targets_of(sizes, shapes, square):
    """The common extents for tensors of these shapes."""
    extents = []
    for dim, (size, multiple, align, too_long) in enumerate(sizes):
        least = [] if size is None else [size]
        if size is None or too_long == "keep":
            least += [shape[dim] + (align if _is_offset(align) else 0) for shape in shapes]
        if _is_offset(align):
            least.append(0)
        size = functools.reduce(_most, least)
        extents.append(_rounded(size, multiple))
    if square is not None:
        first, second = square
        multiple = math.lcm(
            *(1 if isinstance(one := sizes[axis][1], tuple) else one for axis in square)
        )
        side = _most(extents[first], extents[second])
        extents[first] = extents[second] = (side + multiple - 1) // multiple * multiple
    return extents


def amounts_of(sizes, shape, targets):
    """((before, after), ...) for a tensor of this shape."""
    amounts = []
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
        amounts.append((before, room - before))
    return tuple(amounts)


def _before(room, may_be_too_long, align, too_long):
    """The cells before the data; negative: cropped. A target that was not given is never too small,
    which keeps a symbol's term short."""
    if not may_be_too_long or too_long in ("error", "keep"):
        return {"start": 0, "center": room // 2, "end": room}[align]
    if (align, too_long) in (("start", "crop_end"), ("end", "crop_start")):
        return 0 if align == "start" else room
    added = _most(room, 0)
    cropped = added - room
    before = {"start": 0, "center": added // 2, "end": added}[align]
    return before - {"crop_end": 0, "crop_center": cropped // 2, "crop_start": cropped}[too_long]


def _require(fits, dim, extent, target):
    """ValueError for a tensor that is too long; while tracing, a condition of the program."""
    if is_compiling() or type(fits) is not bool:
        torch._check(fits)
    elif not fits:
        raise ValueError(
            f"axis {dim}: {extent} cells do not fit into {target}: choose a larger target, or a "
            "too_long that crops"
        )


# ---- pad_to --------------------------------------------------------------------------------------


def _are_known(*values):
    """Whether torch is not tracing, and none of these integers is a symbol."""
    return not is_compiling() and not any(isinstance(one, torch.SymInt) for one in values)


def _amounts_to(extents, shape, multiple, square, axes, align, too_long, buckets):
    given = shape if isinstance(shape, (list, tuple)) else (shape,)
    if len(extents) <= MAX_RANK and _are_known(*extents, *given):
        return _core.fit_amounts(extents, shape, multiple, square, axes, align, too_long, buckets)
    rank = len(extents)
    sizes = read_sizes(rank, shape, multiple, align, too_long, axes, "start", buckets)
    pair = None if square is None else chosen_axes(square, rank)
    if pair is not None and (len(pair) != 2 or not set(pair) <= set(chosen_axes(axes, rank))):
        raise ValueError(f"square has to name two axes, which are among the axes, got {square!r}")
    return amounts_of(sizes, extents, targets_of(sizes, [extents], pair))


def _by_amounts(x, amounts, mode, constant_values, constant_axis, axes):
    """x padded by a pair for each axis, without checking the amounts again."""
    read = read_amounts if is_compiling() else _core.axes
    words = read(x.dim(), 0, mode, 0, "window", axes)
    widths = tuple((*pair, 0, number, 0) for pair, (_, _, _, number, _) in zip(amounts, words))
    return pad_by(x, widths, mode, constant_values, constant_axis, axes, of_size=True)


@overload
def pad_to(
    x: torch.Tensor,
    shape: _Sizes = None,
    *,
    return_amounts: Literal[False] = False,
    **words: Unpack[_PadToWords],
) -> torch.Tensor: ...
@overload
def pad_to(
    x: torch.Tensor,
    shape: _Sizes = None,
    *,
    return_amounts: Literal[True],
    **words: Unpack[_PadToWords],
) -> tuple[torch.Tensor, _Amounts]: ...
@overload
def pad_to(
    x: torch.Tensor,
    shape: _Sizes = None,
    *,
    return_amounts: bool,
    **words: Unpack[_PadToWords],
) -> Any: ...
def pad_to(
    x: torch.Tensor,
    shape: _Sizes = None,
    *,
    multiple: _Multiples = None,
    buckets: _Buckets = None,
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

    x: a tensor as in `pad`. The result is a new tensor of the same kind, with its gradient.
    shape, multiple: extents in cells, for all axes or one for each of `axes`. In a traced program
        they may be extents of other tensors.
    buckets, square, axes, align, too_long, mode, constant_axis: as in tensorpad.pad_to.
    constant_values: as in `pad`; numbers that the type cannot hold are refused.
    return_amounts: if true, the result is (tensor, ((before, after), ...)) with the amounts of all axes,
        as `pad` and `unpad` take them. Under torch.compile and torch.export they may be symbols.

    ValueError if an axis is too long; a traced program raises RuntimeError.
    """
    refuse_foreign(x, "pad_to")
    if not is_compiling() and constant_axis is None and not has_torch_function_unary(x):
        plain = _core.tensor_to(
            x,
            shape,
            multiple,
            square,
            axes,
            align,
            too_long,
            mode,
            constant_values,
            bool(return_amounts),
            buckets,
        )
        if plain is not None:
            return plain
    amounts = _amounts_to(x.shape, shape, multiple, square, axes, align, too_long, buckets)
    made = _by_amounts(x, amounts, mode, constant_values, constant_axis, axes)
    return (made, amounts) if return_amounts else made


# ---- unpad ---------------------------------------------------------------------------------------


def unpad(
    x: torch.Tensor, pad_width: _PadWidth, *, interior: _Interior = 0, axes: _Axes = None
) -> torch.Tensor:
    """The tensor inside a padded one, as a view; in a traced program it is a copy.

    x: a tensor as in `pad`. pad_width: the amounts of a call of `pad`, or those that `pad_to`
    returned; they may be symbols. interior, axes: as in tensorpad.unpad.

    ValueError if an amount is negative, because the cropped cells are gone, or if no tensor has
    this extent after such a pad.
    """
    refuse_foreign(x, "unpad")
    if not is_compiling():
        return tensorpad.unpad(x, pad_width, interior=interior, axes=axes)
    amounts = read_amounts(x.dim(), pad_width, "constant", interior, "window", axes)
    # A slice by symbols would test whether they are negative.
    crops = tuple((-before, -after, 0, _aten.CONSTANT, 0) for before, after, *_ in amounts)
    x = operator_pad(x, crops, 0)
    steps = tuple(slice(None, None, between + 1) for _, _, between, *_ in amounts)
    return x[steps] if any(between for _, _, between, *_ in amounts) else x


# ---- pad_batch -----------------------------------------------------------------------------------


class BatchFunction(torch.autograd.Function):
    """apply(words, *items): tensorpad.pad_batch of items in plain CPU memory."""

    @staticmethod
    def forward(ctx, words, *items):
        batch = tensorpad.pad_batch(items, **words)
        ctx.shapes = [getattr(one, "shape", None) for one in items]
        ctx.types = (
            None if words["dtype"] is None else [getattr(one, "dtype", None) for one in items]
        )
        ctx.words = words
        if isinstance(batch, tuple):
            ctx.mark_non_differentiable(*batch[1:])
        return batch

    @staticmethod
    def backward(ctx, grad, *_):
        wanted = ctx.needs_input_grad[1:]
        gradients = _parts(grad, ctx.shapes, wanted, ctx.words)
        if gradients is None:
            shapes = [shape or grad.shape[1:] for shape in ctx.shapes]
            axes, _ = _batch_axes(shapes, grad.dtype, ctx.words, 0, None)
            gradients = [
                adjoint_of(part)(part, shape, five) if one else None
                for part, shape, five, one in zip(grad.unbind(), shapes, axes, wanted)
            ]
        if ctx.types:
            gradients = [
                part if part is None else part.to(kind) for part, kind in zip(gradients, ctx.types)
            ]
        return None, *gradients


def _parts(grad, shapes, wanted, words):
    """The items' gradients as slices of a batch's gradient; None if slices do not suffice, because
    cells are copies or items are cropped."""
    align = words["align"]
    if words["mode"] != "constant" or not (isinstance(align, str) and align in ALIGNS):
        return None
    slices = []
    extents = grad.shape[1:]
    for part, shape, one in zip(grad.unbind(), shapes, wanted):
        if not one:
            slices.append(None)
            continue
        for axis, (extent, kept) in enumerate(zip(extents, shape)):
            if kept < extent:
                room = extent - kept
                before = 0 if align == "start" else room if align == "end" else room // 2
                part = part.narrow(axis, before, kept)
            elif kept > extent:
                return None
        slices.append(part)
    return slices


def _batch_axes(shapes, dtype, words, constant_values, constant_axis):
    """Five numbers for each axis of each item, and the constants as an array. The library checks the call."""
    words = {name: words[name] for name in _SIZES}
    return _core.batch_axes(
        [stand_in(shape, dtype) for shape in shapes],
        constant_values=constant_values,
        constant_axis=constant_axis,
        **words,
    )


_SIZES = ("shape", "multiple", "buckets", "at_most", "axes", "align", "too_long", "mode")


@overload
def pad_batch(
    items: Iterable[Any],
    *,
    mask: Literal[False] = False,
    lengths: Literal[False] = False,
    **words: Unpack[_BatchWords],
) -> torch.Tensor: ...
@overload
def pad_batch(
    items: Iterable[Any],
    *,
    mask: bool = False,
    lengths: bool = False,
    **words: Unpack[_BatchWords],
) -> Any: ...
def pad_batch(
    items: Iterable[Any],
    *,
    shape: _Sizes = None,
    multiple: _Multiples = None,
    buckets: _Buckets = None,
    at_most: _Sizes = None,
    axes: _Axes = None,
    align: _Align = "start",
    too_long: _TooLong = "error",
    mode: _Modes = "constant",
    constant_values: Any = 0,
    constant_axis: _Axis | Literal["item"] = None,
    dtype: Any = None,
    mask: bool = False,
    lengths: bool = False,
    device: Any = None,
    pin_memory: bool = False,
    **others: Any,
) -> Any:
    """Pad tensors of different extents into one, whose first axis counts them.

    items: tensors of one type, device and number of axes (at least one). The result has their
        gradients. On the CPU, lists may be among them, as in tensorpad.pad_batch.
    shape, multiple, buckets, at_most, axes, align, too_long, mode, constant_values, constant_axis: as in
        tensorpad.pad_batch.
    dtype: a torch type to which items are converted first.
    mask, lengths: if true, the result is a tuple: the batch, then a bool tensor of its shape that
        is True in cells of items, then an int64 tensor of each item's cells in the batch, of shape
        (n,) for items of one axis, else (n, axes).
    device: the device of the results: they are padded where the items are, and copied at once. From
        the CPU to CUDA that is one asynchronous copy out of pinned memory.
    pin_memory: true: results on the CPU are in pinned memory.
    others: none are accepted; the TypeError suggests a name.

    TypeError and ValueError name the item; ValueError if an item is too long.
    """
    items = list(items)
    words = {
        "shape": shape,
        "multiple": multiple,
        "buckets": buckets,
        "at_most": at_most,
        "axes": axes,
        "align": align,
        "too_long": too_long,
        "mode": mode,
        "constant_values": constant_values,
        "constant_axis": constant_axis,
        "dtype": dtype,
        "mask": mask,
        "lengths": lengths,
        **others,
    }
    if others:
        return tensorpad.pad_batch(items, **words)  # refuses them
    known = not is_compiling()
    constants = has_tensors(constant_values)
    if known and not constants and len(getattr(items[0] if items else 0, "shape", ())) <= MAX_RANK:
        seen = _core.tensors_seen(items, ASKED)
        tensors = [] if seen else [item for item in items if isinstance(item, torch.Tensor)]
        if seen or all(map(is_for_library, tensors)):
            wanted = torch.is_grad_enabled() and any(item.requires_grad for item in tensors)
            pinned = pin_memory or (device is not None and torch.device(device).type == "cuda")
            with results_in(_pinned if pinned else None):
                if wanted or seen == 2:
                    made = BatchFunction.apply(words, *items)
                else:
                    made = tensorpad.pad_batch(items, **words)
            return made if device is None and not pinned else _moved(made, device, pinned)
    _check_items(items, dtype)
    if dtype is not None:
        items = [item.to(dtype) for item in items]
    rank = items[0].dim()
    shapes = [item.shape for item in items]
    known = known and all(type(one) is int for extents in shapes for one in extents)
    if known:
        given = (0, None) if constants else (constant_values, constant_axis)
        found, values = _batch_axes(shapes, items[0].dtype, words, *given)
    else:
        found = _traced_axes(shapes, words)
    made, inside, counts = [], [], []
    batch = None
    if known and not constants and values.size == 1:
        batch = _gpu.padded_batch(items, found, numbers_of(values)[0])
    by_item = isinstance(constant_axis, str)
    for number, (item, five) in enumerate(zip(items, found)):
        if batch is not None:
            pass
        elif known and not constants:
            own = (values[number : number + 1], None) if by_item else (values, constant_axis)
            made.append(pad_by_values(pad_of(item), item, five, *own))
        else:
            amounts = [pair[:2] for pair in five]
            own = (constant_values[number], None) if by_item else (constant_values, constant_axis)
            made.append(_by_amounts(item, amounts, mode, *own, axes))
        if mask:
            cells = torch.ones_like(item, dtype=torch.bool)
            plain = tuple((*pair[:2], 0, _aten.CONSTANT, 0) for pair in five)
            inside.append(pad_by(cells, plain, "constant", 0, None, None, of_size=True))
        if lengths:
            counts += [_kept(extent, *pair[:2]) for extent, pair in zip(item.shape, five)]
    results = [torch.stack(made) if batch is None else batch]
    if mask:
        results.append(torch.stack(inside))
    if lengths:
        cells = torch.tensor(counts, dtype=torch.int64)
        results.append(cells if rank == 1 else cells.reshape(len(items), rank))
    made = tuple(results) if len(results) > 1 else results[0]
    return made if device is None and not pin_memory else _moved(made, device, pin_memory)


def _pinned(shape, dtype, memory_format):
    return torch.empty(shape, dtype=dtype, memory_format=memory_format, pin_memory=True)


def _moved(results, device, pinned):
    """Moves results to a device; None: they stay. pinned: they get into, or are copied from, pinned
    memory."""
    if isinstance(results, tuple):
        return tuple(_moved(one, device, pinned) for one in results)
    if pinned and results.device.type == "cpu" and not results.is_pinned():
        results = results.pin_memory()
    waits = (
        device is None or torch.device(device).type == "cpu"
    )  # a copy to the CPU must be waited for
    return results if device is None else results.to(device, non_blocking=not waits)


def _traced_axes(shapes, words):
    """The amounts as by _batch_axes, for extents that may be symbols; pairs are enough."""
    rank, axes = len(shapes[0]), words["axes"]
    sizes = read_sizes(
        rank,
        *(words[name] for name in ("shape", "multiple", "align", "too_long")),
        axes,
        "start",
        words["buckets"],
    )
    chosen = chosen_axes(axes, rank)
    limits = list_of(words["at_most"], len(chosen), "at_most")
    limits = of_axes(words["at_most"], rank, limits, chosen, None)
    for dim, limit in enumerate(limits):
        if limit is not None:
            _, *others = sizes[dim]
            longest = targets_of(
                [(None, 1, *others[1:])], [shape[dim : dim + 1] for shape in shapes], None
            )
            sizes[dim] = (_least(longest[0], limit), *others)
    targets = targets_of(sizes, shapes, None)
    for number, shape in enumerate(shapes):
        for dim in set(range(rank)) - set(chosen):
            _require(shape[dim] == shapes[0][dim], dim, shape[dim], shapes[0][dim])
    return [amounts_of(sizes, shape, targets) for shape in shapes]


def _check_items(items, dtype):
    """The library's checks of items."""
    if not items:
        raise ValueError("pad_batch: no items")
    for number, item in enumerate(items):
        if not isinstance(item, torch.Tensor):
            raise TypeError(f"item {number}: tensors are wanted, got {type(item)}")
        first = items[0]
        if item.dim() != first.dim():
            plural = "is" if item.dim() == 1 else "es"
            raise ValueError(f"item {number} has {item.dim()} ax{plural}, item 0 has {first.dim()}")
        if dtype is None and item.dtype != first.dtype:
            named = [str(one.dtype).removeprefix("torch.") for one in (item, first)]
            raise TypeError(
                f"item {number} has type {named[0]}, item 0 has {named[1]}: make them alike, or give dtype"
            )
        if dtype is not None and not torch.can_cast(item.dtype, dtype):
            raise TypeError(
                f"item {number}: {item.dtype} is not converted to {dtype}: do it with .to({dtype})"
            )


def _kept(extent, before, after):
    """The number of an axis's cells in the output."""
    if type(before) is int and type(after) is int and type(extent) is int and not is_compiling():
        return max(extent + min(before, 0) + min(after, 0), 0)
    return _most(extent - _most(-before, 0) - _most(-after, 0), 0)


# ---- Modules -------------------------------------------------------------------------------------


class PadTo(torch.nn.Module):
    """Pads its input as `pad_to` does.

    shape, multiple, buckets, square, axes, align, too_long, mode, constant_values, constant_axis,
        return_amounts: those of `pad_to`.

    With return_amounts=True it returns (tensor, amounts), and Unpad takes both.
    """

    words: dict[str, Any]

    def __init__(
        self,
        shape: _Sizes = None,
        *,
        multiple: _Multiples = None,
        buckets: _Buckets = None,
        square: _Integers | None = None,
        axes: _Axes = None,
        align: _Align = "center",
        too_long: _TooLong = "error",
        mode: _Modes = "constant",
        constant_values: Any = 0,
        constant_axis: _Axis = None,
        return_amounts: bool = False,
    ) -> None:
        super().__init__()
        check_pad(0, mode, 0, "window", axes, constant_values)
        sizes = [entries_of(one) for one in (shape, multiple, align, too_long)]
        for size, cells, place, rule in itertools.zip_longest(*sizes):
            words = place if place is not None else "start", rule if rule is not None else "keep"
            _core.fit_amounts((0,), size, cells, None, None, *words)
        for listed in buckets.values() if isinstance(buckets, dict) else (buckets,):
            _core.fit_amounts((0,), None, None, None, None, "start", "keep", listed)
        self.words = {
            "shape": shape,
            "multiple": multiple,
            "buckets": buckets,
            "square": square,
            "axes": axes,
            "align": align,
            "too_long": too_long,
            "mode": mode,
            "constant_axis": constant_axis,
            "return_amounts": return_amounts,
        }
        keep_constant(self, constant_values)

    def forward(self, x: torch.Tensor) -> Any:
        return pad_to(x, constant_values=self.constant_values, **self.words)

    def extra_repr(self) -> str:
        shown = {**self.words, "constant_values": self.constant_values}
        defaults: dict[str, Any] = {"shape": None, **(pad_to.__kwdefaults__ or {})}
        return ", ".join(
            f"{name}={value!r}"
            for name, value in shown.items()
            if isinstance(value, torch.Tensor) or not numpy.array_equal(value, defaults[name])
        )


class Unpad(torch.nn.Module):
    """The tensor inside a padded one, as `unpad` returns it.

    pad_width, interior, axes: those of `unpad`.

    unpad(x, amounts) uses the amounts of a call, such as PadTo with return_amounts=True returns,
    instead of pad_width.
    """

    pad_width: _PadWidth | None
    interior: _Interior
    axes: _Axes

    def __init__(
        self, pad_width: _PadWidth | None = None, *, interior: _Interior = 0, axes: _Axes = None
    ) -> None:
        super().__init__()
        check_pad(0 if pad_width is None else pad_width, "constant", interior, "window", axes)
        self.pad_width = pad_width
        self.interior = interior
        self.axes = axes

    def forward(self, x: torch.Tensor, amounts: _PadWidth | None = None) -> torch.Tensor:
        widths = self.pad_width if amounts is None else amounts
        if widths is None:
            raise TypeError("Unpad needs amounts: of the call, or of the module as pad_width")
        return unpad(x, widths, interior=self.interior, axes=self.axes)

    def extra_repr(self) -> str:
        return f"{self.pad_width}, interior={self.interior}, axes={self.axes}"
