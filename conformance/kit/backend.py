"""Any backend of ONNX's backend interface, as an adapter for conformance/worker.py.

SPDX-License-Identifier: MIT

The environment variable PAD_KIT_BACKEND names it: MODULE:FUNCTION, and FUNCTION(model, device)
returns an object whose run(inputs) returns the outputs.
"""

import functools
import importlib
import os
import sys

import onnx

MODULE, FUNCTION = os.environ["PAD_KIT_BACKEND"].split(":")
sys.path.append(os.getcwd())
PREPARE = functools.reduce(getattr, FUNCTION.split("."), importlib.import_module(MODULE))


def version():
    return getattr(sys.modules[MODULE], "__version__", "")


def load(path):
    return PREPARE(onnx.load(path), "CPU")


def run(model, inputs):
    outputs = model.run(list(inputs.values()))
    return list(outputs) if isinstance(outputs, (list, tuple)) else [outputs]
