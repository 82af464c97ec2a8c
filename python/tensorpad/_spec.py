"""Arguments of the specifications that only NumPy understands.  SPDX-License-Identifier: MIT"""

import numpy

from . import _core
from ._arguments import fill_value
from ._arrays import source, torch_elements, torch_word
from ._carriers import refuse_constant

# ONNX's type names by dtype.name of NumPy and ml_dtypes, if they differ.
ONNX_TYPES = {
    "float32": "float",
    "float64": "double",
    "float8_e4m3fn": "float8e4m3fn",
    "float8_e4m3fnuz": "float8e4m3fnuz",
    "float8_e5m2": "float8e5m2",
    "float8_e5m2fnuz": "float8e5m2fnuz",
    "float8_e8m0fnu": "float8e8m0",
    "float4_e2m1fn": "float4e2m1",
}
ONNX = 0  # the extension passes 0 or 1


def type_word(dtype, specification):
    """The specification's name of an element type; its own name if there is none."""
    if dtype.kind in "SUOT":
        return "string"
    name = torch_word(dtype) or dtype.name
    word = ONNX_TYPES.get(name, name)
    return word if specification == ONNX else _core.openvino_types.get(word, name)


def _given(value):
    """A typed argument as an array; else None."""
    typed = isinstance(value, (numpy.ndarray, numpy.generic)) or hasattr(value, "__dlpack__")
    return source(value).array if typed else None


def int64s(value, name, specification):
    """Amounts or axes for a translation: an array keeps its type; lists of integers become int64."""
    array = _given(value)
    if array is None:
        listed = numpy.asarray(value, object)
        integers = [_core.integer(one, name, "integers") for one in listed.reshape(-1)]
        for one in integers:
            if abs(one) >= 2**63:
                raise ValueError(f"{name} is {one}, which is more than 64 bits hold")
        array = numpy.array(integers, numpy.int64).reshape(listed.shape)
    return _tensor(array, specification)


def constant(value, dtype, name, specification):
    """A pad value for a translation: an array keeps its type; a plain number becomes an element of
    `dtype`, which must hold it."""
    refuse_constant(value)
    array = _given(value)
    if array is None and torch_word(dtype):
        array = torch_elements(torch_word(dtype), value)
    if array is None and dtype.kind in "SU":  # text may become wider
        array = numpy.asarray(value, dtype.char)
    if array is None:
        listed = numpy.asarray(value, None if dtype.kind in "biufcV" else dtype)
        element = (
            fill_value(dtype, listed.reshape(-1)[0], name)
            if listed.size == 1
            else numpy.zeros(listed.size, dtype)
        )  # no specification allows it
        array = element.reshape(listed.shape)
    return _tensor(array, specification)


def _tensor(array, specification):
    """(type, dense array in native byte order), for a translation."""
    array = numpy.ascontiguousarray(array).reshape(array.shape)
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    return type_word(array.dtype, specification), array


def flat(pads):
    """The attribute pads of old ONNX versions as a list."""
    return numpy.asarray(pads).reshape(-1).tolist()


def number(value):
    """The attribute value of old ONNX versions, a float."""
    scalar = numpy.asarray(value).item()
    return float(fill_value(numpy.dtype("f4"), scalar, "constant_value")[0])


def spec_fill(array, value, made):
    """The array and its fill element, if the extension cannot assign one.

    value: the given one, from _tensor, or None. made: the translation's element as bytes, or None.
    """
    dtype = array.dtype
    if value is not None:
        if dtype.kind in "SU" and value.dtype.itemsize > dtype.itemsize:
            array = array.astype(value.dtype)  # only NumPy's text has a width
        return array, fill_value(array.dtype, value.reshape(-1)[0])
    if dtype.kind in "SUOT":
        return array, fill_value(dtype, b"" if dtype.kind == "S" else "")
    if made is not None and dtype.itemsize == len(made):
        return array, numpy.frombuffer(made, dtype.newbyteorder("=")).astype(dtype)
    return array, numpy.zeros(1, dtype)
