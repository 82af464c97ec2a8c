"""ONNX Pad, versions 1 to 25.  SPDX-License-Identifier: MIT"""
import numpy

from . import _core
from ._spec import ONNX_TYPES, run_subject, subject, tensor, value_tensor

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
    given, dtype, like = subject(data, packed, shape, ONNX_TYPES)
    value = None
    if constant_value is not None and opset > ATTRIBUTES_UNTIL:
        value = value_tensor(constant_value, dtype, ONNX_TYPES, packed)
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
    translated = _core.onnx(opset, lenient, like, pads_tensor, value, axes_tensor, mode,
                            attribute_pads, attribute_value)
    return run_subject(data, given, like[1], packed, translated, value, out, threads)
