"""A pad and its transpose in torch's own operators: for tensors that the library cannot read or
must not hide from torch (other devices, tensors without memory, forward-mode tangents,
decompositions). SPDX-License-Identifier: MIT

Axes are padded one after the other. The cells before, the elements and the cells after are slices
of the axis, flipped if the mode mirrors, and torch.cat joins them. There are no indices, so
gradients are always added in the same order, and each operator here has all of torch's derivatives.

An axis is five integers, as in the extension: before, after, interior, mode, order. They may be
symbols of torch, and so may extents.
"""

import math

import torch
from torch.compiler import is_compiling

from .. import _core
from .._arrays import channels_come_last, layout_of

CONSTANT, EDGE, REFLECT, SYMMETRIC, WRAP = (
    _core.modes[word] for word in ("constant", "edge", "reflect", "symmetric", "wrap")
)
CROP = 1
# Types for which torch has no flip, or had none in 2.6, and integers of their width.
_NEVER_FLIPPED = {
    torch.complex32: torch.int32,
    torch.uint16: torch.int16,
    torch.uint32: torch.int32,
    torch.uint64: torch.int64,
} | {getattr(torch, name): torch.uint8 for name in dir(torch) if name.startswith("float8_")}


def pad(x, axes, value, extended=None):
    """x padded, in new memory. value: a Python number for the fill cells. extended: repeats
    elements: `_extended` or `by_index`."""
    _check(x.shape, axes)
    if all(one[2] == 0 and one[3] == CONSTANT for one in axes) and not all(
        _are_zero(*one[:2]) for one in axes
    ):
        return _laid_out(_filled_axes(x, [one[:2] for one in axes], value), x)
    padded = x
    for dim, (before, after, interior, mode, order) in enumerate(axes):
        if interior:
            padded = _dilated(padded, dim, interior, value)
        if _are_zero(before, after):
            continue
        if mode == CONSTANT:
            padded = _filled(padded, dim, before, after, value)
        else:
            first, start, stop, kept = _window_of(padded.size(dim), before, after, order)
            padded = (extended or _extended)(
                padded.narrow(dim, first, kept), dim, start, stop, mode
            )
    return _laid_out(padded.clone() if padded is x else padded, x)


def _are_zero(before, after):
    """Whether both are 0; never for symbols, because the test would become a condition of the program."""
    return type(before) is int and type(after) is int and before == after == 0


def adjoint(grad, shape, axes):
    """The transpose of `pad` with 0: for each element of a tensor of this shape, the sum of its
    cells. On each axis the cell at the element's own place is added first, the others in the order
    of their indices."""
    summed = grad
    for dim, (before, after, interior, mode, order) in enumerate(axes):
        extent = dilated(shape[dim], interior)
        if mode == CONSTANT:
            summed = _filled(summed, dim, -before, -after, 0)
        elif not before == after == 0:
            first, start, stop, kept = _window_of(extent, before, after, order)
            summed = _gathered(summed, dim, start, stop, kept, mode)
            summed = _filled(summed, dim, first, extent - first - kept, 0)
        if interior:
            summed = summed[(slice(None),) * dim + (slice(None, None, interior + 1),)]
    return _laid_out(summed.clone() if summed is grad else summed, grad)


def _laid_out(made, x):
    """`made` with its channels last if x has them last; not by a memory format, which vmap refuses."""
    if not channels_come_last(x):
        return made.contiguous()
    last = [0, *range(2, x.dim()), 1]
    return made.permute(last).contiguous().permute([0, x.dim() - 1, *range(1, x.dim() - 1)])


def _check(shape, axes):
    """ValueError for undefined pads: a crop of more cells than there are, and cells that repeat
    elements of an empty axis."""
    result_shape = out_shape(shape, axes)
    if not all(type(extent) is int for extent in result_shape):
        return  # the program raises it when it runs
    if math.prod(result_shape) >= 2**63:
        raise ValueError(f"the shape {tuple(result_shape)} has more cells than 63 bits count")
    for dim, (before, after, interior, mode, order) in enumerate(axes):
        if interior < 0:
            raise ValueError(f"axis {dim}: interior has to be at least 0, got {interior}")
        extent = dilated(shape[dim], interior)
        if result_shape[dim] < 0:
            raise ValueError(f"axis {dim}: {extent} cells cannot be cropped by {-before - after}")
        if (
            mode != CONSTANT
            and _window_of(extent, before, after, order)[3] == 0
            and all(one > 0 for one in result_shape)
        ):
            raise ValueError(f"axis {dim}: there is no cell that the mode could repeat")


def out_shape(shape, axes):
    """The shape of the padded tensor."""
    return [
        dilated(extent, interior) + before + after
        for extent, (before, after, interior, *_) in zip(shape, axes)
    ]


def empty_as(x, shape):
    """An empty tensor of this shape, with x's type, device and memory format."""
    return torch.empty(shape, dtype=x.dtype, device=x.device, memory_format=layout_of(x))


def dilated(extent, interior):
    """The extent of an axis with interior cells."""
    if interior == 0 or (type(extent) is int and extent == 0):
        return extent
    return (extent - 1) * (interior + 1) + 1


def _dilated(x, dim, interior, value):
    extent = dilated(x.size(dim), interior)
    spread = _filled(x.unsqueeze(dim + 1), dim + 1, 0, interior, value)
    return spread.flatten(dim, dim + 1).narrow(dim, 0, extent)


def _filled(x, dim, before, after, value):
    """An axis with `before` and `after` constants on its sides; negative numbers crop."""
    return _filled_axes(
        x, [(0, 0)] * dim + [(before, after)] + [(0, 0)] * (x.dim() - 1 - dim), value
    )


def _filled_axes(x, widths, value):
    sides = []
    for dim, (before, after) in enumerate(widths):
        extent = x.size(dim)
        if not sides and _are_zero(before, after):
            continue  # the list may end before it; torch 2.6 refuses to pad an empty axis
        if type(extent) is not int or (before >= 0 and after >= 0):
            sides = [before, after, *sides]
            continue
        first = min(max(-before, 0), extent)
        kept = max(min(extent, extent + after) - first, 0)
        left = min(max(before, 0), extent + before + after)
        sides = [left, extent + before + after - left - kept, *sides]
        x = x.narrow(dim, first, kept)
    if not is_compiling() and 0 in x.shape:  # torch 2.6 refuses to pad it on another axis
        shape = list(x.shape)
        for number in range(len(sides) // 2):
            shape[-1 - number] += sides[2 * number] + sides[2 * number + 1]
        if 0 in shape:
            return x.reshape(-1).reshape(shape)
    return torch.constant_pad_nd(x, sides, value)


# ---- The modes that repeat elements --------------------------------------------------------------


def _window_of(extent, before, after, order):
    """The kept part of an axis, and the padded axis: (first element, first cell, end cell,
    elements). Cell 0 is the first kept element."""
    if order != CROP:
        return 0, -before, extent + after, extent
    first, added, last = map(_positive, (-before, before, -after))
    if type(extent) is int and type(first) is int:
        first = min(first, extent)
    kept = extent - first - last
    if type(kept) is int:
        kept = max(kept, 0)
    return first, -added, extent + before + after - added, kept


def _positive(cells):
    return max(cells, 0) if type(cells) is int else torch.sym_max(cells, 0)


def _periodic(extent, mode):
    """The period of the extension in cells, and the reach of the first repetition on each side;
    None if all cells beyond the axis are its edge."""
    if mode == EDGE or extent == 1:
        return None
    return {
        REFLECT: (2 * extent - 2, extent - 1),
        SYMMETRIC: (2 * extent, extent),
        WRAP: (extent, extent),
    }[mode]


def _is_far(extent, start, stop, mode):
    periodic = _periodic(extent, mode)
    return periodic is not None and (start < -periodic[1] or stop > extent + periodic[1])


def _slices(extent, start, stop, mode):
    """Cells [start, stop) of the endless extension of an axis, none of them far: (element, cells,
    step) for each slice; step 1: forwards, -1: backwards, 0: one element repeated."""
    if start < 0:
        cells = min(stop, 0) - start
        yield {
            EDGE: (0, cells, 0),
            REFLECT: (-start, cells, -1),
            SYMMETRIC: (-1 - start, cells, -1),
            WRAP: (start + extent, cells, 1),
        }[EDGE if extent == 1 else mode]
    if start < extent and stop > 0:
        first = max(start, 0)
        yield first, min(stop, extent) - first, 1
    if stop > extent:
        first = max(start, extent)
        cells = stop - first
        yield {
            EDGE: (extent - 1, cells, 0),
            REFLECT: (2 * extent - 2 - first, cells, -1),
            SYMMETRIC: (2 * extent - 1 - first, cells, -1),
            WRAP: (first - extent, cells, 1),
        }[EDGE if extent == 1 else mode]


def _slice(x, dim, element, cells, step):
    if step == 0:
        return x.narrow(dim, element, 1).expand(*x.shape[:dim], cells, *x.shape[dim + 1 :])
    return (
        x.narrow(dim, element, cells)
        if step > 0
        else _flipped(x.narrow(dim, element - cells + 1, cells), dim)
    )


def _flipped(x, dim):
    kind = _NEVER_FLIPPED.get(x.dtype)
    return x.view(kind).flip(dim).view(x.dtype) if kind else x.flip(dim)


def _extended(x, dim, start, stop, mode):
    """Cells [start, stop) of the endless extension of an axis."""
    extent = x.size(dim)
    if stop == start or extent == 0:  # without elements the result is empty, too
        return x.new_zeros((*x.shape[:dim], stop - start, *x.shape[dim + 1 :]))
    if not _is_far(extent, start, stop, mode):
        return torch.cat([_slice(x, dim, *one) for one in _slices(extent, start, stop, mode)], dim)
    period, _ = _periodic(extent, mode)
    first = start % period
    count = (first + stop - start + period - 1) // period
    tiled = _extended(x, dim, 0, period, mode).repeat(
        *(count if axis == dim else 1 for axis in range(x.dim()))
    )
    return tiled.narrow(dim, first, stop - start)


def by_index(x, dim, start, stop, mode):
    """The same for symbolic extents, without conditions on their size. ONNX has no remainder by a
    symbol, only by a tensor."""
    extent = x.size(dim)
    places = torch.arange(start, stop, device=x.device)
    if mode == EDGE:
        places = places.clamp(min=0).minimum(torch.full_like(places, 1) * (extent - 1))
    elif mode == WRAP:
        places = places.remainder(torch.full_like(places, 1) * extent)
    else:
        period = 2 * extent if mode == SYMMETRIC else torch.sym_max(2 * extent - 2, 1)
        last = period - 1 if mode == SYMMETRIC else period
        places = places.remainder(torch.full_like(places, 1) * period)
        places = torch.where(places < extent, places, last - places)
    return x.index_select(dim, places)


def odd(x, axes):
    """x padded by mirrors whose cells are twice the edge minus the mirrored cell. Goes axis by
    axis, and for far amounts in NumPy's steps, so that it rounds in the same way."""
    _check(x.shape, axes)
    kind = torch.int8 if x.dtype == torch.bool else _NEVER_FLIPPED.get(x.dtype)
    signed = x if kind is None or x.is_floating_point() or x.is_complex() else x.view(kind)
    padded = signed
    for dim, (before, after, _, mode, _) in enumerate(axes):
        extent = padded.size(dim)
        if extent == 1 and (before > 0 or after > 0):
            padded = _extended(padded, dim, -before, 1 + after, EDGE)
            continue
        skipped = int(mode == REFLECT)
        while before > 0 or after > 0:
            length = padded.size(dim)
            reach = (length - skipped) // (extent - skipped) * (extent - skipped)
            first, last = min(before, reach), min(after, reach)
            left = padded.narrow(dim, skipped, first).flip(dim)
            right = padded.narrow(dim, length - skipped - last, last).flip(dim)
            edges = padded.narrow(dim, 0, 1), padded.narrow(dim, length - 1, 1)
            padded = torch.cat([2 * edges[0] - left, padded, 2 * edges[1] - right], dim)
            if x.dtype == torch.bool:  # NumPy stores each step in a bool array
                padded = (padded != 0).to(torch.int8)
            before, after = before - first, after - last
    padded = _laid_out(padded.clone() if padded is signed else padded, x)
    if x.dtype == torch.bool:
        return padded != 0
    return padded if signed is x else padded.view(x.dtype)


def _gathered(grad, dim, start, stop, extent, mode):
    """The transpose of `_extended` for an axis of this extent."""
    if stop == start or extent == 0:
        return _filled(grad.narrow(dim, 0, 0), dim, 0, extent, 0)
    if _is_far(extent, start, stop, mode):
        period, _ = _periodic(extent, mode)
        first = start % period
        count = (first + stop - start + period - 1) // period
        filled = _filled(grad, dim, first, count * period - first - (stop - start), 0)
        periods = filled.reshape(*grad.shape[:dim], count, period, *grad.shape[dim + 1 :])
        return _gathered(periods.sum(dim), dim, 0, period, extent, mode)
    own, others = None, []
    cell = 0
    for element, cells, step in _slices(extent, start, stop, mode):
        part = grad.narrow(dim, cell, cells)
        if step > 0 and start + cell == element:
            own = element, part
        else:
            others.append((element, cells, step, part))
        cell += cells
    first, part = own or (0, grad.narrow(dim, 0, 0))
    sums = _filled(part, dim, first, extent - first - part.size(dim), 0)
    for element, cells, step, part in others:
        if step == 0:
            cells, part = 1, part.sum(dim, keepdim=True)
        elif step < 0:
            element, part = element - cells + 1, _flipped(part, dim)
        sums.narrow(dim, element, cells).add_(part)
    return sums
