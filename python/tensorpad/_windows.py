"""Pad widths before a convolution or a pool.  SPDX-License-Identifier: MIT

Plain Python arithmetic, so that torch.compile and torch.export can trace it: extents may be
symbols. The C library's tpad_window_amounts computes the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy

from ._arguments import did_you_mean

if TYPE_CHECKING:
    from . import _Amounts, _Shape, _Window

WINDOWS = ("same_upper", "same_lower", "same", "causal")


def _listed(value: Any) -> list[Any] | None:
    """The entries of an argument, or None if it is one integer for all axes."""
    if isinstance(value, numpy.ndarray):
        value = value.tolist()
    return list(value) if isinstance(value, (list, tuple, range)) else None


def _each(value: Any, count: int, what: str, least: int) -> list[Any]:
    entries = _listed(value)
    entries = [value] * count if entries is None else entries
    if len(entries) != count:
        raise ValueError(f"{what} has {len(entries)} entries, for {count} axes")
    for one in entries:
        if isinstance(one, (bool, float)) or not hasattr(one, "__index__"):
            raise TypeError(f"{what} has to be integers, got {one!r}")
        if one < least:
            raise ValueError(f"{what} has to be at least {least}, got {one}")
    return [int(one) if isinstance(one, numpy.integer) else one for one in entries]


def window_widths(
    kernel: _Shape,
    stride: _Shape = 1,
    dilation: _Shape = 1,
    *,
    shape: _Shape | None = None,
    mode: _Window = "same_upper",
) -> _Amounts:
    """The pad widths that a convolution or a pool needs for SAME or causal padding.

    kernel: the number of cells that a window reads: an integer for all axes, or one for each axis.
    stride, dilation: likewise, cells from one window to the next, and from one cell that it reads
        to the next.
    shape: the extents, in cells, of the same axes of the array. Only 'same_upper' and 'same_lower' with
        a stride above 1 need them. They may be symbols: torch.compile and torch.export trace the call.
    mode: 'same_upper' (TensorFlow's and JAX's SAME, ONNX's SAME_UPPER: an odd cell goes after),
        'same_lower' (before), 'same' (torch's, for a stride of 1) or 'causal' (all before).

    Returns ((before, after), ...), as `pad` takes it with axes=: a pair for each axis, one if all
    arguments are single integers. TypeError for non-integers, ValueError for numbers below 1
    (shape: below 0), an unknown mode, a missing shape, or 'same' with a stride.
    """
    if mode not in WINDOWS:
        raise ValueError(
            f"mode {mode!r} is not known: it is one of {', '.join(WINDOWS)}"
            f"{did_you_mean(mode, WINDOWS)}"
        )
    lists = [one for one in map(_listed, (kernel, stride, dilation, shape)) if one is not None]
    count = len(lists[0]) if lists else 1
    kernels = _each(kernel, count, "kernel", 1)
    strides = _each(stride, count, "stride", 1)
    dilations = _each(dilation, count, "dilation", 1)
    extents = None if shape is None else _each(shape, count, "shape", 0)
    pairs = []
    for axis in range(count):
        step = strides[axis]
        cells = (kernels[axis] - 1) * dilations[axis]
        if mode == "same" and step > 1:
            raise ValueError(
                f"axis {axis}: mode 'same' is torch's, for a stride of 1, got {step}: TensorFlow's SAME "
                "is 'same_upper'"
            )
        if mode in ("same_upper", "same_lower") and step > 1:
            if extents is None:
                raise ValueError(f"axis {axis}: with stride {step}, mode {mode!r} needs shape")
            windows = (extents[axis] + step - 1) // step
            may_skip = cells + 1 < step  # only then may a window end before the axis does
            cells += (windows - 1) * step + 1 - extents[axis]
            cells = max(cells, 0) if may_skip else cells
        before = {"causal": cells, "same_lower": (cells + 1) // 2}.get(mode, cells // 2)
        pairs.append((before, cells - before))
    return tuple(pairs)
