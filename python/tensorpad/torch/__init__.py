"""Pad for PyTorch: with gradients, in torch.compile and torch.export, on every device.
SPDX-License-Identifier: MIT"""

from .._errors import load_extra

load_extra("torch", "torch", "tensorpad.torch needs PyTorch")

from . import functional  # noqa: E402
from ._collate import Collate, collate  # noqa: E402
from ._gpu import use_gpu  # noqa: E402
from ._onnx import onnx_translations  # noqa: E402
from ._pad import (
    Pad,  # noqa: E402
    decompositions,  # noqa: E402
    pad,  # noqa: E402
)
from ._to_size import PadTo, Unpad, pad_batch, pad_to, unpad  # noqa: E402
from ._traced import trace_calls  # noqa: E402

trace_calls()

__all__ = [
    "Collate",
    "Pad",
    "PadTo",
    "Unpad",
    "collate",
    "decompositions",
    "functional",
    "onnx_translations",
    "pad",
    "pad_batch",
    "pad_to",
    "unpad",
    "use_gpu",
]
