"""Pads, crops and dilates arrays: numpy.pad, and Pad as ONNX, OpenVINO, nGraph and embARC MLI
specify it.  SPDX-License-Identifier: MIT"""
from . import _core, mli, ngraph, onnx, openvino
from ._around import pad_border, pad_shape, unpad
from ._core import pad, thread_count
from ._errors import SpecError
from ._general import pad as _pad_in_full
from ._plan import Plan
from ._threads import set_threads

__version__ = _core.version
__all__ = ["PadNode", "Plan", "SpecError", "inspect_model", "mli", "ngraph", "onnx", "openvino",
           "pad", "pad_border", "pad_shape", "run_model", "set_threads", "thread_count", "unpad"]
_ON_FIRST_USE = ("PadNode", "inspect_model", "run_model")

_core.set_general(_pad_in_full)


def __getattr__(name):
    """What reads files is loaded when it is first used."""
    if name in _ON_FIRST_USE:
        from . import _files
        return getattr(_files, name)
    raise AttributeError(f"module 'tensorpad' has no attribute {name!r}")


def __dir__():
    return sorted({*globals(), *_ON_FIRST_USE})
