"""An adapter of the survey: ONNX Runtime with tensors of every type, and with libraries of operators.

SPDX-License-Identifier: MIT

Tensors are handed over as bytes, because its own functions for NumPy take no type shorter than a byte.
In the environment ORT_PLUGIN names a library of operators, ORT_LEVEL is the level of optimisation, and
with ORT_PREPARED the library runs only the Pads that the model leaves to it.
"""

import base64
import ctypes
import math
import os

import onnxruntime
from kit import elements, json_arrays

LEVELS = onnxruntime.GraphOptimizationLevel
TEXT = "tensor(string)"


def version():
    return onnxruntime.__version__


def load(path):
    onnxruntime.set_default_logger_severity(4)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4  # fatal ones only
    options.intra_op_num_threads = 1
    options.graph_optimization_level = LEVELS(int(os.environ["ORT_LEVEL"]))
    if "ORT_PREPARED" in os.environ:
        options.add_session_config_entry("tensorpad.only_prepared", "1")
    if "ORT_PLUGIN" in os.environ:
        options.register_custom_ops_library(os.environ["ORT_PLUGIN"])
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def run(session, inputs):
    if TEXT in {port.type for port in [*session.get_inputs(), *session.get_outputs()]}:
        return session.run(None, inputs)
    values = {name: value_of(json_arrays.of_array(array)) for name, array in inputs.items()}
    return [array_of(value) for value in session.run_with_ort_values(None, values)]


def value_of(entry):
    """An OrtValue with the bytes of an object of kit.json_arrays."""
    number, raw = elements.NUMBERS[entry["type"]], base64.b64decode(entry["data"])
    value = onnxruntime.OrtValue.ortvalue_from_shape_and_type(entry["shape"], number)
    ctypes.memmove(value.data_ptr(), raw, len(raw))
    return value


def array_of(value):
    word, shape = value.data_type().removeprefix("tensor(").removesuffix(")"), value.shape()
    size = (math.prod(shape) * json_arrays.TYPES[word][0] + 7) // 8
    raw = ctypes.string_at(value.data_ptr(), size)
    return json_arrays.to_array(
        {"type": word, "shape": shape, "data": base64.b64encode(raw).decode()}
    )
