"""ONNX Runtime with its CPU provider, as a program gets it by default, on one thread.

SPDX-License-Identifier: MIT
"""

import ctypes
import re

import numpy as np
import onnxruntime
from kit import json_arrays

RUNTIME = "ONNX Runtime"
TARGETS = {
    "ort-1.17": ["onnxruntime==1.17.3", "numpy==1.26.4", "ml_dtypes==0.5.4"],
    "ort-1.20": ["onnxruntime==1.20.1", "numpy==2.2.6", "ml_dtypes==0.6.0"],
    "ort-1.23": ["onnxruntime==1.23.2", "numpy==2.3.5", "ml_dtypes==0.6.0"],
    "ort-1.31": ["onnxruntime==1.31.1", "numpy==2.4.6", "ml_dtypes==0.6.0"],
    "ort-1.32": ["onnxruntime==1.32.0", "numpy==2.4.6", "ml_dtypes==0.6.0"],
}
PLAIN = True
# What stands before the reason in each message: a code and a status, and the place in the source.
OPENING = re.compile(
    r"\[ONNXRuntimeError\] : \d+ : \w+ : "
    r"(Load model from .* failed:\s*|Non-zero status code .* Status Message: )?"
)
PLACE = re.compile(
    r"\S+\.(cc|h):\d+ ([^()\n]*::[^()\n]*\([^()\n]*\)( const)?( \[\w[^]\n]*\])?|\w+) "
)
# Types that NumPy lacks: OrtValue takes their bits as unsigned integers with ONNX's number.
NUMBERS = {
    "bfloat16": 16,
    "float8e4m3fn": 17,
    "float8e4m3fnuz": 18,
    "float8e5m2": 19,
    "float8e5m2fnuz": 20,
    "float8e8m0": 24,
}
WORDS = {f"tensor({word})": word for word in NUMBERS}
TAKES_BITS = "ortvalue_from_numpy_with_onnx_type"


def version():
    return onnxruntime.__version__


def load_plain(path):
    return load(path, onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL)


def load(path, level=onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL):
    onnxruntime.set_default_logger_severity(4)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    options.graph_optimization_level = level
    return told(onnxruntime.InferenceSession, path, options, providers=["CPUExecutionProvider"])


def run(model, inputs):
    types = {port.type for port in [*model.get_inputs(), *model.get_outputs()]}
    if types.isdisjoint(WORDS) or not hasattr(onnxruntime.OrtValue, TAKES_BITS):  # since 1.20
        return told(model.run, None, inputs)
    values = {name: value_of(array) for name, array in inputs.items()}
    return [array_of(value) for value in told(model.run_with_ort_values, None, values)]


def value_of(array):
    """An OrtValue with the bits of an array."""
    number = NUMBERS.get(json_arrays.WORDS.get(array.dtype))
    if number is None:
        return onnxruntime.OrtValue.ortvalue_from_numpy(array)
    bits = array.view(f"u{array.itemsize}")
    return getattr(onnxruntime.OrtValue, TAKES_BITS)(bits, number)


def array_of(value):
    """The array with the bits of an OrtValue."""
    word = WORDS.get(value.data_type())
    if word is None:
        return value.numpy()
    _, kind = json_arrays.TYPES[word]
    shape = value.shape()
    size = int(np.prod(shape)) * np.dtype(kind).itemsize
    return np.frombuffer(ctypes.string_at(value.data_ptr(), size), kind).reshape(shape)


def told(function, *arguments, **named):
    """Calls it; an error is raised again with the reason alone."""
    try:
        return function(*arguments, **named)
    except Exception as error:
        raise RuntimeError(PLACE.sub("", OPENING.sub("", str(error)))) from error
