"""Pads, crops and dilates arrays: numpy.pad, and Pad as ONNX, OpenVINO, nGraph and embARC MLI
specify it.  SPDX-License-Identifier: MIT"""

import importlib

from . import _core, _door, mli, ngraph, onnx, openvino
from ._batch import pad_batch_dict, unpad_batch
from ._core import (
    pad,
    pad_adjoint,
    pad_batch,
    pad_border,
    pad_packed,
    pad_shape,
    pad_to,
    thread_count,
    unpad,
)
from ._errors import SpecError
from ._pack import block_mask, pack_batch, unpack_batch
from ._plan import Plan
from ._sample import pad_sample, unpad_sample
from ._threads import set_threads
from ._windows import window_widths

__version__ = _core.version
__all__ = [
    "PadNode",
    "Plan",
    "SpecError",
    "block_mask",
    "check_model",
    "explain",
    "inspect_model",
    "lower_model",
    "mli",
    "ngraph",
    "onnx",
    "openvino",
    "pack_batch",
    "pad",
    "pad_adjoint",
    "pad_batch",
    "pad_batch_dict",
    "pad_border",
    "pad_packed",
    "pad_sample",
    "pad_shape",
    "pad_to",
    "run_model",
    "set_threads",
    "show",
    "thread_count",
    "unpack_batch",
    "unpad",
    "unpad_batch",
    "unpad_sample",
    "window_widths",
]
_FILES = ("PadNode", "check_model", "explain", "inspect_model", "lower_model", "run_model")
_EXTRAS = ("dask", "onnxruntime", "torch", "xarray", "zarr")
_ON_FIRST_USE = (*_FILES, "show")


def __getattr__(name):
    """Loads on first use what reads files, draws, or needs another package."""
    if name in _FILES:
        from . import _model_files

        return getattr(_model_files, name)
    if name in _EXTRAS:
        return importlib.import_module(f"tensorpad.{name}")
    if name == "show":
        from ._show import show

        return show
    raise AttributeError(f"module 'tensorpad' has no attribute {name!r}")


def __dir__():
    return sorted({*globals(), *_ON_FIRST_USE})
