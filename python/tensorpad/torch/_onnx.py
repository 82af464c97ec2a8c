"""What torch.onnx.export writes for the operator tensorpad::pad.  SPDX-License-Identifier: MIT

ONNX's own Pad has one mode, and neither symmetric nor interior, nor wrap before opset 19. So a pad
becomes one Pad if that suffices; otherwise slices for crops, a Pad for each mode that ONNX has, and
joined slices for the others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from .._errors import load_extra
from ._aten import CONSTANT, CROP, EDGE, REFLECT, WRAP

_WORDS = {CONSTANT: "constant", EDGE: "edge", REFLECT: "reflect"}
_END = 2**63 - 1  # as an end of Slice: everything


def onnx_translations() -> dict[Any, Callable[..., Any]]:
    """A custom_translation_table for torch.onnx.export(..., dynamo=True)."""
    load_extra("onnxscript", "torch", "the export to ONNX needs onnxscript")
    return {torch.ops.tensorpad.pad.default: _translated}


def _translated(x, before, after, interior, modes, orders, value):
    numbers = [*before, *after, *interior]
    if not all(isinstance(number, int) for number in numbers):
        raise NotImplementedError(
            "tensorpad::pad with amounts that depend on a shape has no translation: export without "
            "custom_translation_table"
        )
    padded = _Pad(x, value)
    axes = list(zip(before, after, interior, modes, orders))
    for dim, axis in enumerate(axes):
        if axis[2]:
            padded.dilate(dim, axis[2])
    pads = [[0, 0] for _ in axes]
    early, late = [], []
    for dim, (first, last, _, mode, order) in enumerate(axes):
        pads[dim] = [max(first, 0), max(last, 0)]
        # A window crops the extension of the whole axis, so its crop comes last. With constants
        # both orders are equal.
        windowed = (order != CROP or mode == CONSTANT) and max(pads[dim]) > 0
        (late if windowed else early).append((dim, max(-first, 0), max(-last, 0)))
    if any(max(one) for one in pads) and all(mode == CONSTANT for *_, mode, _ in axes):
        return padded.pad(CONSTANT, {dim: one[:2] for dim, one in enumerate(axes)}).tensor
    padded.crop(early)
    for mode in dict.fromkeys(mode for *_, mode, _ in axes):
        widths = {
            dim: pads[dim] for dim, one in enumerate(axes) if one[3] == mode and any(pads[dim])
        }
        if widths:
            padded.extend(mode, widths)
    padded.crop(late)
    return padded.tensor if padded.tensor is not x else padded.op.Identity(x)


class _Pad:
    """A tensor of a graph; the methods add nodes."""

    def __init__(self, x, value):
        import onnx_ir
        from onnxscript import opset18

        self.op = opset18
        self.tensor = x
        self.extents = [one if isinstance(one, int) else None for one in x.shape]
        self.fill = lambda: opset18.Constant(value=onnx_ir.tensor(value, dtype=x.dtype))

    def _integers(self, numbers):
        return self.op.Constant(value_ints=list(numbers))

    def _grow(self, dim, cells):
        if self.extents[dim] is not None:
            self.extents[dim] += cells

    def _slice(self, dim, start, end, step=1):
        return self.op.Slice(self.tensor, *map(self._integers, ([start], [end], [dim], [step])))

    def crop(self, cuts):
        """cuts: (axis, cells at its beginning, cells at its end)."""
        for dim, first, last in cuts:
            if first or last:
                self.tensor = self._slice(dim, first, -last if last else _END)
                self._grow(dim, -first - last)

    def dilate(self, dim, interior):
        """Adds constants between the elements of an axis: after each element, on a new axis."""
        rank = len(self.extents)
        order = [one for one in range(rank) if one != dim] + [dim]
        x = self.op.Unsqueeze(self.op.Transpose(self.tensor, perm=order), self._integers([rank]))
        x = self.op.Pad(
            x, self._integers([0] * (2 * rank + 1) + [interior]), self.fill(), mode="constant"
        )
        x = self.op.Reshape(x, self._integers([0] * (rank - 1) + [-1]))
        x = self.op.Slice(x, *map(self._integers, ([0], [-interior], [rank - 1])))
        back = sorted(range(rank), key=order.__getitem__)
        self.tensor = self.op.Transpose(x, perm=back)
        if self.extents[dim] is not None:
            self.extents[dim] += max(self.extents[dim] - 1, 0) * interior

    def pad(self, mode, widths):
        """Adds one Pad. widths: (before, after) by axis."""
        pairs = [widths.get(dim, (0, 0)) for dim in range(len(self.extents))]
        pads = self._integers([*(one[0] for one in pairs), *(one[1] for one in pairs)])
        fill = [self.fill()] if mode == CONSTANT else []
        self.tensor = self.op.Pad(self.tensor, pads, *fill, mode=_WORDS[mode])
        for dim, (before, after) in widths.items():
            self._grow(dim, before + after)
        return self

    def extend(self, mode, widths):
        """Adds cells on each side, in several steps if an axis is shorter than its extension."""
        if mode in (CONSTANT, EDGE):
            self.pad(mode, widths)
            return
        while widths:
            steps = {dim: self._step(mode, dim, *one) for dim, one in widths.items()}
            if mode == REFLECT:  # a single cell is its own mirror image
                single = {dim: one for dim, one in steps.items() if self.extents[dim] == 1}
                others = {dim: one for dim, one in steps.items() if dim not in single}
                for word, some in ((EDGE, single), (REFLECT, others)):
                    if some:
                        self.pad(word, some)
            else:
                for dim, step in steps.items():
                    self._join(mode, dim, *step)
            widths = {
                dim: [one - done for one, done in zip(widths[dim], steps[dim])] for dim in widths
            }
            widths = {dim: one for dim, one in widths.items() if any(one)}

    def _step(self, mode, dim, before, after):
        """The cells that one step can add, if the extent is known."""
        extent = self.extents[dim]
        if extent is None or (extent == 1 and mode == REFLECT):
            return before, after
        reach = extent - 1 if mode == REFLECT else extent
        if mode == WRAP and max(before, after) > reach:  # whole turns first
            return (reach if before > reach else 0), (reach if after > reach else 0)
        return min(before, reach), min(after, reach)

    def _join(self, mode, dim, before, after):
        first = (
            self._slice(dim, -before, _END)
            if mode == WRAP
            else self._slice(dim, before - 1, -_END, -1)
        )
        last = self._slice(dim, 0, after) if mode == WRAP else self._slice(dim, -1, -1 - after, -1)
        parts = [first] * (before > 0) + [self.tensor] + [last] * (after > 0)
        self.tensor = self.op.Concat(*parts, axis=dim)
        self._grow(dim, before + after)
