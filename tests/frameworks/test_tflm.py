"""tflm_pad.h against TensorFlow Lite Micro itself, which PyPI has as an interpreter in Python.

SPDX-License-Identifier: MIT
"""

import ctypes
import random
import subprocess

import flatbuffers
import numpy as np
import pytest
from tflite_micro.python.tflite_micro import runtime
from tflite_micro.tensorflow.lite.micro.python import schema_py_generated as schema

BUILTIN = schema.BuiltinOperator
# What the kernels of TensorFlow Lite Micro have. Ours have bool too, and int16 in MIRROR_PAD.
TYPES = {
    "PAD": ["float32", "int16", "int8"],
    "PADV2": ["float32", "int16", "int8"],
    "MIRROR_PAD": ["float32", "int8"],
}
NUMBERS = {"float32": (1, schema.TensorType.FLOAT32), "int16": (7, schema.TensorType.INT16),
           "int8": (9, schema.TensorType.INT8)}
ZERO_POINTS = {"float32": 0, "int16": 0, "int8": -7}


class Tensor(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int32), ("zero_point", ctypes.c_int32), ("rank", ctypes.c_int32),
                ("dims", ctypes.POINTER(ctypes.c_int))]


@pytest.fixture(scope="module")
def ours(package, tmp_path_factory):
    library = tmp_path_factory.mktemp("library") / "tflm.so"
    subprocess.run(["gcc", "-std=c11", "-O1", "-shared", "-fPIC", f"-I{package / 'src'}",
                    package / "src/tensorpad.c", package / "src/tflm_pad.c", "-o", library], check=True)
    return ctypes.CDLL(str(library))


def tensor(name, shape, kind, buffer, zero_point):
    quantization = schema.QuantizationParametersT()
    quantization.scale, quantization.zeroPoint = [1.0], [zero_point]
    made = schema.TensorT()
    made.name, made.shape, made.type, made.buffer, made.quantization = name, list(shape), kind, buffer, quantization
    return made


def buffer(values=None):
    made = schema.BufferT()
    if values is not None:
        made.data = list(values.tobytes())
    return made


def model(operator, dtype, shape, paddings, value, mode):
    """A model of one node, as bytes."""
    code = schema.OperatorCodeT()
    code.builtinCode = getattr(BUILTIN, operator)
    code.deprecatedBuiltinCode = min(code.builtinCode, 127)
    kind, zero_point = NUMBERS[dtype][1], ZERO_POINTS[dtype]
    padded = [extent + before + after for extent, (before, after) in zip(shape, paddings)]
    graph = schema.SubGraphT()
    graph.tensors = [tensor("input", shape, kind, 0, zero_point),
                     tensor("paddings", paddings.shape, schema.TensorType.INT32, 1, 0),
                     tensor("output", padded, kind, 0, zero_point)]
    buffers = [buffer(), buffer(paddings.astype(np.int32))]
    node = schema.OperatorT()
    node.inputs, node.outputs = [0, 1], [2]
    if operator == "PADV2":
        graph.tensors.append(tensor("value", [1], kind, 2, zero_point))
        buffers.append(buffer(value))
        node.inputs = [0, 1, 3]
    options = {"PAD": "PadOptions", "PADV2": "PadV2Options", "MIRROR_PAD": "MirrorPadOptions"}[operator]
    node.builtinOptionsType = getattr(schema.BuiltinOptions, options)
    node.builtinOptions = getattr(schema, options + "T")()
    if operator == "MIRROR_PAD":
        node.builtinOptions.mode = mode - 1  # in files the modes begin at 0
    graph.inputs, graph.outputs, graph.operators = [0], [2], [node]
    whole = schema.ModelT()
    whole.version, whole.operatorCodes, whole.subgraphs, whole.buffers = 3, [code], [graph], buffers
    builder = flatbuffers.Builder(1024)
    builder.Finish(whole.Pack(builder), b"TFL3")
    return bytes(builder.Output())


def by_tflm(operator, values, paddings, value, mode):
    interpreter = runtime.Interpreter.from_bytes(
        model(operator, values.dtype.name, values.shape, paddings, value, mode), arena_size=1 << 20)
    interpreter.set_input(values, 0)
    interpreter.invoke()
    return interpreter.get_output(0)


def by_tensorpad(library, operator, values, paddings, value, mode):
    dims = (ctypes.c_int * 5)(*values.shape)
    padded = np.array(values.shape) + paddings.sum(1)
    out = np.full(padded, 85, values.dtype)
    number, zero_point = NUMBERS[values.dtype.name][0], ZERO_POINTS[values.dtype.name]
    source = Tensor(number, zero_point, values.ndim, dims)
    target = Tensor(number, zero_point, values.ndim, (ctypes.c_int * 5)(*padded))
    amounts = (ctypes.c_int32 * 10)(*paddings.flatten())
    arguments = [ctypes.byref(source), values.ctypes.data_as(ctypes.c_void_p), amounts]
    if operator == "PADV2":
        arguments.append(value.ctypes.data_as(ctypes.c_void_p))
    elif operator == "MIRROR_PAD":
        arguments.append(mode)
    status = getattr(library, f"tpad_tflm_{operator.lower()}")(
        *arguments, ctypes.byref(target), out.ctypes.data_as(ctypes.c_void_p))
    assert status == 0
    return out


@pytest.mark.parametrize("operator", TYPES)
def test_same_bytes(ours, operator):
    numbers = random.Random(operator)
    for _ in range(150):
        dtype = np.dtype(numbers.choice(TYPES[operator]))
        rank, mode = numbers.randint(1, 5), numbers.choice([1, 2])
        shape = [numbers.randint(1, 4) for _ in range(rank)]
        most = [3 if operator != "MIRROR_PAD" else extent - (mode == 1) for extent in shape]
        paddings = np.array([[numbers.randint(0, limit), numbers.randint(0, limit)] for limit in most])
        values = np.array([numbers.randint(-128, 127) for _ in range(int(np.prod(shape)))], dtype).reshape(shape)
        value = np.array([numbers.randint(-128, 127)], dtype)
        found = by_tensorpad(ours, operator, values, paddings, value, mode)
        wanted = by_tflm(operator, values, paddings, value, mode)
        assert found.tobytes() == wanted.tobytes(), (dtype, shape, paddings.tolist(), mode)
