"""tensorpad.torch.Pad.  SPDX-License-Identifier: MIT"""
import torch

from ._pad import pad


class Pad(torch.nn.Module):
    """Pads its input as `pad` does, with the same arguments.

    torch.nn.Sequential(Pad(1, "symmetric", axes=(-2, -1)), torch.nn.Conv2d(3, 16, 3)) is a convolution
    whose borders are mirrored.
    """

    def __init__(self, pad_width, mode="constant", **words):
        super().__init__()
        self.pad_width = pad_width
        self.mode = mode
        self.words = words

    def forward(self, x):
        return pad(x, self.pad_width, self.mode, **self.words)

    def extra_repr(self):
        words = "".join(f", {name}={value!r}" for name, value in self.words.items())
        return f"{self.pad_width}, mode={self.mode!r}{words}"
