"""ONNX Pad, versions 1 to 25.  SPDX-License-Identifier: MIT"""

from ._core import onnx_pad as pad, onnx_pad_packed as pad_packed

__all__ = ["pad", "pad_packed"]
