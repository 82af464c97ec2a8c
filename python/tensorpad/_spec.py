"""Arguments of the specifications that only NumPy understands.  SPDX-License-Identifier: MIT"""
import numpy

from . import _core
from ._arguments import fill_value
from ._arrays import source, torch_elements, torch_word
from ._carries import refuse_constant

# ONNX's words, by dtype.name of NumPy and ml_dtypes, where they differ.
ONNX_TYPES = {
    "float32": "float", "float64": "double", "float8_e4m3fn": "float8e4m3fn",
    "float8_e4m3fnuz": "float8e4m3fnuz", "float8_e5m2": "float8e5m2",
    "float8_e5m2fnuz": "float8e5m2fnuz", "float8_e8m0fnu": "float8e8m0",
    "float4_e2m1fn": "float4e2m1"}
ONNX = 0  # the extension says 0 or 1


def type_word(dtype, specification):
    """The specification's word for the elements of an array; its own name if there is none."""
    if dtype.kind in "SUOT":
        return "string"
    name = torch_word(dtype) or dtype.name
    word = ONNX_TYPES.get(name, name)
    return word if specification == ONNX else _core.openvino_types.get(word, name)


def tensor(value, dtype, specification):
    """An argument for a translation, (type, dense array in native byte order): an array as it is,
    plain numbers and lists as arrays of `dtype`."""
    refuse_constant(value)
    array = value if isinstance(value, numpy.ndarray) else None
    dtype = numpy.dtype(dtype)
    if array is None and (isinstance(value, numpy.generic) or hasattr(value, "__dlpack__")):
        array = source(value).array
    if array is None and torch_word(dtype):
        array = torch_elements(torch_word(dtype), value)
    if array is None:
        array = numpy.asarray(value, dtype.char if dtype.kind in "SU" else dtype)
    array = numpy.ascontiguousarray(array).reshape(array.shape)
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    return type_word(array.dtype, specification), array


def flat(pads):
    """The attribute pads of old versions of ONNX as a list."""
    return numpy.asarray(pads).reshape(-1).tolist()


def number(value):
    """The attribute value of old versions of ONNX."""
    return float(numpy.asarray(value).item())


def spec_fill(array, value, made):
    """The array and the element that fills it, where the extension cannot assign one.

    value: the one that was given, as `tensor` made it, or None. made: the element of the
    translation as bytes, or None.
    """
    dtype = array.dtype
    if value is not None:
        if dtype.kind in "SU" and value.dtype.itemsize > dtype.itemsize:
            array = array.astype(value.dtype)  # text has no width but in NumPy
        return array, fill_value(array.dtype, value.reshape(-1)[0])
    if dtype.kind in "SUOT":
        return array, fill_value(dtype, b"" if dtype.kind == "S" else "")
    if made is not None and dtype.itemsize == len(made):
        return array, numpy.frombuffer(made, dtype.newbyteorder("=")).astype(dtype)
    return array, numpy.zeros(1, dtype)
