"""What the modules of the specifications share.  SPDX-License-Identifier: MIT"""
import numpy

from . import _packed
from ._arrays import fill_value, move, source, target

# dtype.name of NumPy and ml_dtypes, by the words of ONNX and of OpenVINO.
ONNX_TYPES = {
    "float32": "float", "float64": "double", "float8_e4m3fn": "float8e4m3fn",
    "float8_e4m3fnuz": "float8e4m3fnuz", "float8_e5m2": "float8e5m2",
    "float8_e5m2fnuz": "float8e5m2fnuz", "float8_e8m0fnu": "float8e8m0",
    "float4_e2m1fn": "float4e2m1"}
OPENVINO_TYPES = {
    "bool": "boolean", "bfloat16": "bf16", "float16": "f16", "float32": "f32", "float64": "f64",
    "float8_e4m3fn": "f8e4m3", "float8_e5m2": "f8e5m2", "float8_e8m0fnu": "f8e8m0",
    "float4_e2m1fn": "f4e2m1"}
for _bits in (2, 4, 8, 16, 32, 64):
    OPENVINO_TYPES[f"int{_bits}"] = f"i{_bits}"
    OPENVINO_TYPES[f"uint{_bits}"] = f"u{_bits}"


def type_word(dtype, words):
    """The specification's word for the elements of an array; its own name if there is none."""
    if dtype.kind in "SUOT":
        return "string"
    return words.get(dtype.name, dtype.name)


def tensor(value, dtype, words):
    """An argument for the translation, (type, shape, array): an array as it is, plain numbers and
    lists as arrays of `dtype`."""
    array = value if isinstance(value, numpy.ndarray) else None
    dtype = numpy.dtype(dtype)
    if array is None and (isinstance(value, numpy.generic) or hasattr(value, "__dlpack__")):
        array = source(value).array
    if array is None:
        array = numpy.asarray(value, dtype.char if dtype.kind in "SU" else dtype)
    array = numpy.ascontiguousarray(array).reshape(array.shape)
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    return type_word(array.dtype, words), array.shape, array


def zero(dtype):
    """The value where none is given: all bits zero, the empty text for strings."""
    if dtype.kind in "SUOT":
        return fill_value(dtype, b"" if dtype.kind == "S" else "")
    return numpy.zeros(1, dtype)


def fill_of(dtype, value, made):
    """The fill element: what the translation made, else the value that was given, else zero."""
    if made is not None and dtype.itemsize == len(made):
        return numpy.frombuffer(made, dtype.newbyteorder("=")).astype(dtype)
    if value is None:
        return zero(dtype)
    return fill_value(dtype, value[2].reshape(-1)[0])


def subject(data, packed, shape, words):
    """What is to be padded: the array, None where it is packed; its dtype; (type, shape) for the
    translation."""
    if packed:
        return None, numpy.dtype(numpy.uint8), (packed, packed_shape(shape, packed))
    given = source(data)
    dtype = given.array.dtype
    return given, dtype, (type_word(dtype, words), given.array.shape)


def value_tensor(value, dtype, words, packed):
    """A value as `tensor` makes it; a packed one is of the type that the data has."""
    made = tensor(value, dtype, words)
    return (packed, *made[1:]) if packed else made


def run_subject(data, given, extents, packed, translated, value, out, threads):
    """Pads what `subject` made, packed or not. translated: what the translation returned. value:
    the one that was given, or None."""
    settings, shape, made = translated
    if packed:
        number = value[2].reshape(-1)[0] if value else made[0] if made else 0
        return run_packed(data, extents, packed, settings, number, out, threads)
    dtype = given.array.dtype
    if value is not None and dtype.kind in "SU" and value[2].dtype.itemsize > dtype.itemsize:
        given.array = given.array.astype(value[2].dtype)  # text has no width but in NumPy
    return run(given, settings, shape, fill_of(given.array.dtype, value, made), out, threads)


def run(given, axes, shape, fill, out, threads):
    """Moves the elements once the specification has said which."""
    if out is None:
        result, dst = given.empty(shape)
    else:
        result, dst = out, target(out)
        if dst.dtype != given.array.dtype or dst.shape != tuple(shape):
            raise ValueError(f"out is {dst.dtype} of shape {dst.shape}, the result "
                             f"{given.array.dtype} of shape {tuple(shape)}")
        if not dst.flags.writeable:
            raise ValueError("output array is read-only")
    move(given.array, dst, axes, fill, threads)
    return result


def run_packed(data, shape, packed, axes, value, out, threads):
    """As `run`, for a packed buffer."""
    return _packed.pad(data, shape, packed, lambda rank: axes, value, out, threads)


def packed_shape(shape, packed):
    if shape is None:
        raise TypeError("packed data needs shape=, the extents of the tensor in the buffer")
    _packed.check(packed)
    return tuple(int(extent) for extent in shape)
