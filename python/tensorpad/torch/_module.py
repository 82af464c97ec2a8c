"""tensorpad.torch.Pad.  SPDX-License-Identifier: MIT"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from ._pad import pad

if TYPE_CHECKING:
    from .. import _Axes, _Axis, _Interior, _Modes, _Order, _PadWidth


if TYPE_CHECKING:  # the package torch may be missing; its modules have any attribute

    class _Module:
        def __call__(self, x: Any) -> Any: ...
        def __getattr__(self, name: str) -> Any: ...
else:
    _Module = torch.nn.Module


class Pad(_Module):
    """Pads its input as `pad` does, with the same arguments.

    torch.nn.Sequential(Pad(1, "symmetric", axes=(-2, -1)), torch.nn.Conv2d(3, 16, 3)) is a convolution
    whose borders are mirrored. Constants that are a torch.nn.Parameter are one of the module, and other
    tensors a buffer.
    """

    pad_width: _PadWidth
    mode: _Modes
    constant_values: Any
    constant_axis: _Axis
    interior: _Interior
    order: _Order
    axes: _Axes

    def __init__(
        self,
        pad_width: _PadWidth,
        mode: _Modes = "constant",
        *,
        constant_values: Any = 0,
        constant_axis: _Axis = None,
        interior: _Interior = 0,
        order: _Order = "window",
        axes: _Axes = None,
    ) -> None:
        super().__init__()
        self.pad_width = pad_width
        self.mode = mode
        if isinstance(constant_values, torch.Tensor) and not isinstance(
            constant_values, torch.nn.Parameter
        ):
            self.register_buffer("constant_values", constant_values)
        else:
            self.constant_values = constant_values
        self.constant_axis = constant_axis
        self.interior = interior
        self.order = order
        self.axes = axes

    def _words(self):
        return {
            name: getattr(self, name)
            for name in ("constant_values", "constant_axis", "interior", "order", "axes")
        }

    def forward(self, x: Any) -> Any:
        return pad(
            x,
            self.pad_width,
            self.mode,
            constant_values=self.constant_values,
            constant_axis=self.constant_axis,
            interior=self.interior,
            order=self.order,
            axes=self.axes,
        )

    def extra_repr(self) -> str:
        default = {
            "constant_values": 0,
            "constant_axis": None,
            "interior": 0,
            "order": "window",
            "axes": None,
        }
        words = "".join(
            f", {name}={value!r}"
            for name, value in self._words().items()
            if isinstance(value, torch.Tensor) or value != default[name]
        )
        return f"{self.pad_width}, mode={self.mode!r}{words}"
