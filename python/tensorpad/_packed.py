"""Buffers with elements of less than a byte.  SPDX-License-Identifier: MIT

A packed tensor is one stream of bits over the whole row-major tensor: rows need not begin on a
byte. The first element is in the low bits of a byte, as ONNX and OpenVINO have it; OpenVINO's u1
has it in the high bit.
"""
import numpy

from . import _core
from ._arrays import source, target

# Type: bits, and whether the first element is in the high bits. OpenVINO's words beside ONNX's.
WIDTHS = {"uint4": (4, 0), "int4": (4, 0), "float4e2m1": (4, 0), "uint2": (2, 0), "int2": (2, 0),
          "u4": (4, 0), "i4": (4, 0), "nf4": (4, 0), "f4e2m1": (4, 0), "u2": (2, 0), "u1": (1, 1)}


def size(shape, packed):
    """The bytes that a packed tensor of this shape has."""
    elements = 1
    for extent in shape:
        elements *= extent
    return (elements * WIDTHS[packed][0] + 7) // 8


def check(packed):
    if packed not in WIDTHS:
        raise ValueError(f"packed has to be one of {', '.join(WIDTHS)}, got {packed!r}")


def element(packed, value):
    """A value as the bits of one element: an integer of the type, or for the float kinds its
    bits."""
    bits = WIDTHS[packed][0]
    signed = packed in ("int4", "i4", "int2")
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    number = int(value)
    if number != value or not low <= number <= high:
        raise ValueError(f"constant value {value!r}: {packed} holds {low} to {high}"
                         + ("" if "f" not in packed else " (its bits, as an integer)"))
    return number & (1 << bits) - 1


def buffer(thing, shape, packed):
    """The bytes of a packed tensor as a NumPy array."""
    array = source(thing).array
    if array.dtype.itemsize != 1 or array.dtype.hasobject:
        raise TypeError(f"a packed array is a buffer of bytes, got {array.dtype}")
    wanted = size(shape, packed)
    if array.size != wanted:
        raise ValueError(f"{packed} of shape {tuple(shape)} is {wanted} bytes, got {array.size}")
    return numpy.ascontiguousarray(array).reshape(-1).view(numpy.uint8)


def pad(array, shape, packed, settings, value, out, threads):
    """settings: gives the amounts for so many axes. The result is a new buffer of bytes."""
    check(packed)
    if shape is None:
        raise TypeError("packed arrays need shape=, the extents of the tensor in the buffer")
    shape = tuple(int(extent) for extent in shape)
    if any(extent < 0 for extent in shape):
        raise ValueError(f"shape has a negative extent: {shape}")
    src = buffer(array, shape, packed)
    axes = settings(len(shape))
    wanted = size(_core.shape(shape, axes), packed)
    if out is None:
        result = dst = numpy.empty(wanted, numpy.uint8)
    else:
        result, dst = out, target(out)
        if dst.dtype.itemsize != 1 or dst.size != wanted or not dst.flags.c_contiguous:
            raise ValueError(f"out has to be {wanted} contiguous bytes")
    if numpy.may_share_memory(src, dst):
        src = src.copy()
    bits, high_first = WIDTHS[packed]
    _core.move_packed(src, shape, dst, axes, element(packed, value), bits, high_first, threads)
    return result


def pack(values, bits):
    """One byte a value to a packed buffer, the first value in the low bits."""
    each = 8 // bits
    padded = numpy.zeros(-(-values.size // each) * each, numpy.uint8)
    padded[:values.size] = values & ((1 << bits) - 1)
    result = numpy.zeros(padded.size // each, numpy.uint8)
    for place in range(each):
        result |= padded[place::each] << (place * bits)
    return result


def unpack(buffer, bits, count):
    """A packed buffer to one byte a value, in its low bits, as ml_dtypes has it."""
    each = 8 // bits
    result = numpy.empty(buffer.size * each, numpy.uint8)
    for place in range(each):
        result[place::each] = buffer >> (place * bits) & ((1 << bits) - 1)
    return result[:count]
