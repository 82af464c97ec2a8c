"""Pad for PyTorch: with gradients, in torch.compile and torch.export, on every device.
SPDX-License-Identifier: MIT"""

from .._errors import load_extra

load_extra("torch", "torch", "tensorpad.torch needs PyTorch")

from . import functional  # noqa: E402
from ._collate import Collate, collate  # noqa: E402
from ._onnx import onnx_translations  # noqa: E402
from ._pad import (
    Pad,  # noqa: E402
    decompositions,  # noqa: E402
    pad,  # noqa: E402
)

__all__ = ["Collate", "Pad", "collate", "decompositions", "functional", "onnx_translations", "pad"]
