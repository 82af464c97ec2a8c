"""Exports a small net whose borders are those of a panorama: panorama.onnx.  SPDX-License-Identifier: MIT"""

import torch
from torch import nn


class Panorama(nn.Module):
    def __init__(self):
        super().__init__()
        self.around = nn.Conv2d(3, 4, 3, padding=1, padding_mode="circular")
        self.mirror = nn.Conv2d(4, 4, 7, padding=3, padding_mode="reflect")
        self.smaller = nn.MaxPool2d(3, stride=2)
        self.pool = nn.MaxPool2d(2)

    def forward(self, x):
        x = self.mirror(self.around(x))
        x = self.smaller(nn.functional.pad(x, (0, 1, 0, 1), value=float("-inf")))
        return self.pool(nn.functional.pad(x, (1, 0, 1, 0)))


if __name__ == "__main__":
    torch.manual_seed(0)
    torch.onnx.export(
        Panorama().eval(),
        (torch.rand(1, 3, 15, 15),),
        "panorama.onnx",
        opset_version=20,
        dynamo=True,
        external_data=False,
        verbose=False,
    )
