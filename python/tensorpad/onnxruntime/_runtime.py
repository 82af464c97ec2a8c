"""The package onnxruntime, loaded when it is first needed.  SPDX-License-Identifier: MIT"""

import re

from .. import _errors

_OLDEST = (1, 17)


def _version_of(onnxruntime):
    """(1, 31) of "1.31.1"."""
    return tuple(int(number) for number in re.findall(r"\d+", onnxruntime.__version__)[:2])


def _load():
    """The package, if it is there and new enough; else ImportError."""
    onnxruntime = _errors.load_extra(
        "onnxruntime", "onnxruntime", "tensorpad.onnxruntime needs ONNX Runtime 1.17 or newer"
    )
    if _version_of(onnxruntime) < _OLDEST:
        raise ImportError(
            f"onnxruntime {onnxruntime.__version__} is too old for tensorpad, which "
            "needs 1.17 or newer",
            name="onnxruntime",
        )
    return onnxruntime
