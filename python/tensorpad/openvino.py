"""OpenVINO Pad-1 and Pad-12.  SPDX-License-Identifier: MIT"""

from ._core import openvino_pad as pad, openvino_pad_packed as pad_packed

__all__ = ["pad", "pad_packed"]
