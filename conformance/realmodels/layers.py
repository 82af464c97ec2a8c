"""Small networks of torch whose layers pad, one for each way in which people pad.

SPDX-License-Identifier: MIT
"""

import torch
from torch import nn
from torch.nn import functional


class Padded(nn.Module):
    """Pads in one call of F.pad, and a convolution behind."""

    def __init__(self, amounts, mode="constant", value=None, dims=2):
        super().__init__()
        self.amounts, self.mode, self.value = amounts, mode, value
        conv = (nn.Conv1d, nn.Conv2d, nn.Conv3d)[dims - 1]
        self.first, self.last = conv(3, 4, 3), conv(4, 2, 1)

    def forward(self, x):
        words = {} if self.value is None else {"value": self.value}
        return self.last(
            torch.relu(self.first(functional.pad(x, self.amounts, self.mode, **words)))
        )


class ToMultiple(nn.Module):
    """Pads below and at the right to a multiple, as encoders and windows want it, and crops
    behind.
    """

    def __init__(self, multiple, mode="constant"):
        super().__init__()
        self.multiple, self.mode = multiple, mode
        self.down, self.up = nn.Conv2d(3, 4, 4, 4), nn.ConvTranspose2d(4, 3, 4, 4)

    def forward(self, x):
        height, width = x.shape[2:]
        rest = (-width % self.multiple, -height % self.multiple)
        padded = functional.pad(x, (0, rest[0], 0, rest[1]), self.mode)
        return self.up(torch.relu(self.down(padded)))[:, :, :height, :width]


class SkipUnet(nn.Module):
    """A U-Net whose decoder pads to the size of the encoder's feature map."""

    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Conv2d(3, 4, 3, padding=1), nn.Conv2d(4, 8, 3, padding=1)
        self.up, self.last = nn.ConvTranspose2d(8, 4, 2, 2), nn.Conv2d(8, 2, 1)

    def forward(self, x):
        high = torch.relu(self.first(x))
        low = torch.relu(self.second(functional.max_pool2d(high, 2)))
        up = self.up(low)
        rows, columns = high.shape[2] - up.shape[2], high.shape[3] - up.shape[3]
        up = functional.pad(up, (columns // 2, columns - columns // 2, rows // 2, rows - rows // 2))
        return self.last(torch.cat([high, up], 1))


class SamePad(nn.Module):
    """TensorFlow's SAME padding, computed from the size of the image."""

    def __init__(self, kernel, stride, pool=None):
        super().__init__()
        self.kernel, self.stride, self.pool = kernel, stride, pool
        self.conv = nn.Conv2d(3, 4, kernel, stride)

    def forward(self, x):
        amounts = []
        for extent in (x.shape[3], x.shape[2]):
            total = max((-(-extent // self.stride) - 1) * self.stride + self.kernel - extent, 0)
            amounts += [total // 2, total - total // 2]
        if self.pool == "max":
            return functional.max_pool2d(
                functional.pad(x, amounts, value=float("-inf")), self.kernel, self.stride
            )
        if self.pool == "average":
            return functional.avg_pool2d(functional.pad(x, amounts), self.kernel, self.stride)
        return self.conv(functional.pad(x, amounts))


class Causal(nn.Module):
    """A dilated convolution over time that sees the past only."""

    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.Conv1d(3, 3, 3, dilation=2**k) for k in range(3))

    def forward(self, x):
        for k, layer in enumerate(self.layers):
            x = x + torch.tanh(layer(functional.pad(x, (2 * 2**k, 0))))
        return x


class Style(nn.Module):
    """The transfer of styles: reflected borders, and nearest upscaling."""

    def __init__(self, pad=nn.ReflectionPad2d):
        super().__init__()
        self.body = nn.Sequential(
            pad(4),
            nn.Conv2d(3, 8, 9),
            nn.InstanceNorm2d(8, affine=True),
            nn.ReLU(),
            pad(1),
            nn.Conv2d(8, 8, 3, 2),
            nn.ReLU(),
            pad(1),
            nn.Conv2d(8, 8, 3),
            nn.ReLU(),
            nn.Upsample(scale_factor=2),
            pad(1),
            nn.Conv2d(8, 3, 3),
        )

    def forward(self, x):
        return self.body(x)


class Shift(nn.Module):
    """Shifts channels in time with a pad and a crop of each group."""

    def forward(self, x):
        one, two, rest = x[:, :1], x[:, 1:2], x[:, 2:]
        one = functional.pad(one, (1, -1))
        two = functional.pad(two, (-1, 1))
        return torch.cat([one, two, rest], 1)


class Windows(nn.Module):
    """Attention in windows: pads an image to whole windows, and rolls it."""

    def __init__(self, window=7):
        super().__init__()
        self.window, self.mix = window, nn.Linear(3, 3)

    def forward(self, x):
        x = x.permute(0, 2, 3, 1)
        rows, columns = -x.shape[1] % self.window, -x.shape[2] % self.window
        padded = functional.pad(x, (0, 0, 0, columns, 0, rows))
        padded = torch.roll(padded, (-3, -3), (1, 2))
        return self.mix(padded)


class Spectrum(nn.Module):
    """A window over sound whose ends are reflected, as torch.stft centres it."""

    def __init__(self, reach=16):
        super().__init__()
        self.reach, self.bank = reach, nn.Conv1d(1, 8, 2 * reach, reach)

    def forward(self, x):
        return self.bank(functional.pad(x, (self.reach, self.reach), "reflect")).abs()


class Shifted(nn.Module):
    """Numbers of which most are negative."""

    def forward(self, x):
        return x - 1


class Blur(nn.Module):
    """Pools after a blur, with replicated borders, so that edges do not flicker."""

    def __init__(self, mode="replicate"):
        super().__init__()
        self.mode = mode
        self.register_buffer(
            "kernel", torch.tensor([1.0, 2, 1])[:, None] * torch.tensor([1.0, 2, 1]) / 16
        )

    def forward(self, x):
        kernel = self.kernel.expand(3, 1, 3, 3)
        return functional.conv2d(
            functional.pad(x, (1, 1, 1, 1), self.mode), kernel, stride=2, groups=3
        )


def conv(dims=2, **words):
    """Two convolutions that pad by themselves."""
    kind = (nn.Conv1d, nn.Conv2d, nn.Conv3d)[dims - 1]
    return nn.Sequential(kind(3, 4, **words), nn.ReLU(), kind(4, 2, **words))


IMAGE, SOUND, VOLUME = (1, 3, 16, 20), (1, 3, 40), (1, 3, 6, 8, 10)
# name: (the network, the shape of its input)
NETWORKS = {
    "zeros": (lambda: Padded((1, 1, 1, 1)), IMAGE),
    "one-sided": (lambda: Padded((0, 1, 0, 1)), IMAGE),
    "value": (lambda: Padded((2, 1, 1, 3), value=0.5), IMAGE),
    "reflect": (lambda: Padded((2, 2, 1, 1), "reflect"), IMAGE),
    "replicate": (lambda: Padded((1, 2, 3, 1), "replicate"), IMAGE),
    "circular": (lambda: Padded((1, 2, 3, 1), "circular"), IMAGE),
    "crop-and-pad": (lambda: Padded((-1, 2, 2, -1)), IMAGE),
    "channels": (
        lambda: nn.Sequential(nn.Conv2d(3, 4, 1), nn.ConstantPad3d((0, 0, 0, 0, 2, 2), 0.0)),
        IMAGE,
    ),
    "reflect-1d": (lambda: Padded((3, 2), "reflect", dims=1), SOUND),
    "replicate-1d": (lambda: Padded((3, 2), "replicate", dims=1), SOUND),
    "circular-1d": (lambda: Padded((3, 2), "circular", dims=1), SOUND),
    "reflect-3d": (lambda: Padded((1, 1, 2, 1, 1, 2), "reflect", dims=3), VOLUME),
    "replicate-3d": (lambda: Padded((1, 1, 2, 1, 1, 2), "replicate", dims=3), VOLUME),
    "zeros-3d": (lambda: Padded((1, 1, 2, 1, 1, 2), dims=3), VOLUME),
    "conv-reflect": (lambda: conv(kernel_size=3, padding=1, padding_mode="reflect"), IMAGE),
    "conv-replicate": (lambda: conv(kernel_size=3, padding=1, padding_mode="replicate"), IMAGE),
    "conv-circular": (lambda: conv(kernel_size=3, padding=1, padding_mode="circular"), IMAGE),
    "conv-same-even": (lambda: conv(kernel_size=4, padding="same"), IMAGE),
    "conv-1d-circular": (lambda: conv(1, kernel_size=5, padding=2, padding_mode="circular"), SOUND),
    "to-multiple": (lambda: ToMultiple(4), (1, 3, 18, 21)),
    "to-multiple-reflect": (lambda: ToMultiple(4, "reflect"), (1, 3, 18, 21)),
    "unet": (SkipUnet, (1, 3, 17, 19)),
    "same-3-2": (lambda: SamePad(3, 2), IMAGE),
    "same-7-2": (lambda: SamePad(7, 2), IMAGE),
    "same-max-pool": (lambda: SamePad(3, 2, "max"), IMAGE),
    "same-average-pool": (lambda: SamePad(3, 2, "average"), IMAGE),
    "causal": (Causal, SOUND),
    "style": (Style, (1, 3, 24, 28)),
    "style-replicate": (lambda: Style(nn.ReplicationPad2d), (1, 3, 24, 28)),
    "shift": (Shift, SOUND),
    "windows": (Windows, (1, 3, 16, 20)),
    "spectrum": (Spectrum, (1, 1, 200)),
    "blur": (Blur, IMAGE),
    "blur-reflect": (lambda: Blur("reflect"), IMAGE),
    "zeros-max-pool": (
        lambda: nn.Sequential(nn.Conv2d(3, 4, 3), Shifted(), nn.ZeroPad2d(1), nn.MaxPool2d(3, 2)),
        IMAGE,
    ),
    "relu-zeros-max-pool": (
        lambda: nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.ZeroPad2d(1), nn.MaxPool2d(3, 2)),
        IMAGE,
    ),
    "zeros-average-pool": (lambda: nn.Sequential(nn.ZeroPad2d(1), nn.AvgPool2d(3, 2)), IMAGE),
}
