"""Elements of less than a byte: packed in files, one byte each in NumPy.
SPDX-License-Identifier: MIT"""

import numpy


def pack(values, bits):
    """One byte a value to a packed buffer, the first value in the low bits."""
    each = 8 // bits
    padded = numpy.zeros(-(-values.size // each) * each, numpy.uint8)
    padded[: values.size] = values & ((1 << bits) - 1)
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
