"""Makes the models of this folder: networks with Pad, as torch's TorchScript exporter writes them.

SPDX-License-Identifier: MIT

    python export.py FOLDER     needs torch and onnx; the tests read the files, and need neither

The exporter writes the amounts of a Pad not as a constant, but as ConstantOfShape, Concat, Reshape,
Slice, Transpose, Reshape and Cast over constants, and where axes are dynamic, as arithmetic on
Shape. The weights have few channels: only shapes matter.
"""

import pathlib
import sys
import warnings

import torch
from torch import nn
from torch.nn import functional


class Padded(nn.Module):
    """A padding layer before and after a convolution."""

    def __init__(self, layer, mode):
        super().__init__()
        self.layer = layer
        self.conv = nn.Conv2d(2, 2, 3, padding=1, padding_mode=mode)

    def forward(self, x):
        return self.layer(self.conv(self.layer(x)))


class Windows(nn.Module):
    """Swin: images of [N, H, W, C] are padded to a multiple of the window and cut into windows."""

    def __init__(self, window):
        super().__init__()
        self.window = window
        self.project = nn.Linear(4, 4)

    def forward(self, x):
        n, h, w, c = x.shape
        size = self.window
        x = functional.pad(x, (0, 0, 0, (size - w % size) % size, 0, (size - h % size) % size))
        n, h, w, c = x.shape
        x = x.view(n, h // size, size, w // size, size, c)
        x = x.permute(0, 1, 3, 2, 4, 5).reshape(-1, size * size, c)
        x = self.project(x).view(n, h // size, w // size, size, size, c)
        return x.permute(0, 1, 3, 2, 4, 5).reshape(n, h, w, c)


class UNet(nn.Module):
    """Two levels; the input is padded to a multiple of 4, the way up to what the way down had."""

    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(3, 4, 3)
        self.second = nn.Conv2d(4, 4, 3, padding=1)
        self.up = nn.ConvTranspose2d(4, 4, 2, stride=2)
        self.last = nn.Conv2d(8, 2, 3, padding=1)

    def forward(self, x):
        h, w = x.shape[-2:]
        x = functional.pad(x, (0, (4 - w % 4) % 4, 0, (4 - h % 4) % 4), mode="reflect")
        skip = torch.relu(self.first(x))
        x = torch.relu(self.second(functional.max_pool2d(skip, 2)))
        x = self.up(functional.max_pool2d(x, 2))
        x = functional.interpolate(x, scale_factor=2.0, mode="nearest")
        dy, dx = skip.shape[2] - x.shape[2], skip.shape[3] - x.shape[3]
        x = functional.pad(x, (dx // 2, dx - dx // 2, dy // 2, dy - dy // 2))
        return self.last(torch.cat([skip, x], dim=1))


def export(folder, name, module, shape, opset, dynamic=None):
    torch.manual_seed(0)
    torch.onnx.export(
        module.eval(),
        torch.rand(shape),
        folder / f"{name}.onnx",
        dynamo=False,
        opset_version=opset,
        input_names=["x"],
        output_names=["y"],
        dynamic_axes={"x": dynamic} if dynamic else None,
    )


def main():
    folder = pathlib.Path(sys.argv[1])
    warnings.simplefilter("ignore")
    for name, layer, mode, opset in (
        ("reflection_pad_11", nn.ReflectionPad2d((1, 2, 3, 0)), "reflect", 11),
        ("zero_pad_18", nn.ZeroPad2d((0, 3, -1, 2)), "replicate", 18),
    ):
        export(folder, name, Padded(layer, mode), (1, 2, 9, 8), opset)
    export(folder, "windows_dynamic_11", Windows(4), (1, 10, 13, 4), 11, {0: "n", 1: "h", 2: "w"})
    export(folder, "unet_dynamic_17", UNet(), (1, 3, 37, 50), 17, {0: "n", 2: "h", 3: "w"})


main()
