"""ONNX Pad, versions 1 to 25.  SPDX-License-Identifier: MIT"""
import numpy

from . import _core
from ._arrays import source
from ._spec import ONNX_TYPES, fill_of, packed_shape, run, run_packed, tensor, type_word

ATTRIBUTES_UNTIL = 2  # the last version whose pads and value are attributes


def pad(data, pads, constant_value=None, axes=None, mode="constant", *, opset=25, lenient=False,
        out=None, threads=None, packed=None, shape=None):
    """Pad as a model of this opset does it.

    data: an array; its type has to be one of the version's. With packed="int4" (uint4, float4e2m1,
        int2, uint2) it is a buffer of bytes with the elements of a tensor of `shape`.
    pads: all begins, then all ends; negative ones crop.
    constant_value: one element of data's type; a plain number is converted to it.
    axes: the axes that pads speak of.
    lenient: compute also what the version forbids, where it has a meaning.

    Raises SpecError for what the version does not allow.
    """
    given = None if packed else source(data)
    if packed:
        extents, word, dtype = packed_shape(shape, packed), packed, numpy.dtype(numpy.uint8)
    else:
        dtype = given.array.dtype
        extents, word = given.array.shape, type_word(dtype, ONNX_TYPES)
    value = None
    if constant_value is not None and opset > ATTRIBUTES_UNTIL:
        value = tensor(constant_value, dtype, ONNX_TYPES)
        if packed:
            value = (word, *value[1:])
    attribute_pads = attribute_value = None
    pads_tensor = None
    axes_tensor = None if axes is None else tensor(axes, numpy.int64, ONNX_TYPES)
    if 1 <= opset <= ATTRIBUTES_UNTIL + 8:  # Pad-2 serves opsets 2 to 10
        attribute_pads = tuple(numpy.asarray(pads).reshape(-1).tolist())
        if constant_value is not None:
            attribute_value = float(numpy.asarray(constant_value).item())
            value = None
    elif pads is not None:
        pads_tensor = tensor(pads, numpy.int64, ONNX_TYPES)
    settings, out_shape, made = _core.onnx(
        opset, lenient, (word, extents), pads_tensor, value, axes_tensor, mode, attribute_pads,
        attribute_value)
    if packed:
        number = 0 if value is None else value[2].reshape(-1)[0]
        return run_packed(data, extents, packed, settings, number, out, threads)
    if value is not None and dtype.kind in "SU" and value[2].dtype.itemsize > dtype.itemsize:
        given.array = given.array.astype(value[2].dtype)  # text has no width in ONNX
    fill = fill_of(given.array.dtype, value, made)
    return run(given, settings, out_shape, fill, out, threads)
