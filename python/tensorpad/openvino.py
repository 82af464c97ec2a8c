"""OpenVINO Pad-1 and Pad-12.  SPDX-License-Identifier: MIT"""
import numpy

from . import _core
from ._spec import OPENVINO_TYPES, run_subject, subject, tensor, value_tensor


def pad(data, pads_begin, pads_end, pad_value=None, pad_mode=None, *, version=1, lenient=False,
        out=None, threads=None, packed=None, shape=None):
    """Pad as the OpenVINO layer of this version does it.

    data: an array. With packed="u4" (i4, u2, u1, nf4, f4e2m1) it is a buffer of bytes with the
        elements of a tensor of `shape`.
    pads_begin, pads_end: one amount for each axis; negative ones crop, from version 12 on.
    pad_value: a scalar of data's type; a plain number is converted to it.
    pad_mode: "constant", "edge", "reflect" or "symmetric"; the document has no default.
    version: 1 or 12, or the number of an operator set.
    lenient: compute also what the version forbids, where it has a meaning.

    Raises SpecError for what the version does not allow.
    """
    given, dtype, like = subject(data, packed, shape, OPENVINO_TYPES)
    value = None
    if pad_value is not None:
        value = value_tensor(pad_value, dtype, OPENVINO_TYPES, packed)
    amounts = [None if pads is None else tensor(pads, numpy.int64, OPENVINO_TYPES)
               for pads in (pads_begin, pads_end)]
    translated = _core.openvino(version, lenient, like, *amounts, value, pad_mode)
    return run_subject(data, given, like[1], packed, translated, value, out, threads)
