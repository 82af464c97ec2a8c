"""tensorpad.torch.Pad.  SPDX-License-Identifier: MIT"""

import torch

from ._pad import pad


class Pad(torch.nn.Module):
    """Pads its input as `pad` does, with the same arguments.

    torch.nn.Sequential(Pad(1, "symmetric", axes=(-2, -1)), torch.nn.Conv2d(3, 16, 3)) is a convolution
    whose borders are mirrored. Constants that are a torch.nn.Parameter are one of the module, and other
    tensors a buffer.
    """

    def __init__(
        self,
        pad_width,
        mode="constant",
        *,
        constant_values=0,
        constant_axis=None,
        interior=0,
        order="window",
        axes=None,
    ):
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

    def forward(self, x):
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

    def extra_repr(self):
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
