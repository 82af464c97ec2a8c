"""Pads, crops and dilates arrays: numpy.pad, and Pad as ONNX, OpenVINO, nGraph and embARC MLI
specify it.  SPDX-License-Identifier: MIT"""
from . import _core, mli, ngraph, onnx, openvino
from ._around import pad_border, pad_shape, unpad
from ._core import pad, thread_count
from ._errors import SpecError
from ._general import pad as _pad_in_full
from ._plan import Plan

__version__ = _core.version
__all__ = ["PadNode", "Plan", "SpecError", "inspect", "mli", "ngraph", "onnx", "openvino", "pad",
           "pad_border", "pad_shape", "run_model", "thread_count", "unpad"]

_core.set_general(_pad_in_full)


def __getattr__(name):
    """What reads files is loaded when it is first used."""
    if name in ("PadNode", "inspect", "run_model"):
        from . import _files
        return getattr(_files, name)
    raise AttributeError(f"module 'tensorpad' has no attribute {name!r}")
