"""OpenVINO Pad-1 and Pad-12.  SPDX-License-Identifier: MIT"""
import numpy

from . import _core
from ._arrays import source
from ._spec import OPENVINO_TYPES, fill_of, packed_shape, run, run_packed, tensor, type_word


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
    given = None if packed else source(data)
    if packed:
        extents, word, dtype = packed_shape(shape, packed), packed, numpy.dtype(numpy.uint8)
    else:
        dtype = given.array.dtype
        extents, word = given.array.shape, type_word(dtype, OPENVINO_TYPES)
    value = None
    if pad_value is not None:
        value = tensor(pad_value, dtype, OPENVINO_TYPES)
        if packed:
            value = (word, *value[1:])
    amounts = [None if pads is None else tensor(pads, numpy.int64, OPENVINO_TYPES)
               for pads in (pads_begin, pads_end)]
    settings, out_shape, made = _core.openvino(version, lenient, (word, extents), *amounts, value,
                                               pad_mode)
    if packed:
        number = value[2].reshape(-1)[0] if value else made[0] if made else 0
        return run_packed(data, extents, packed, settings, number, out, threads)
    if value is not None and dtype.kind in "SU" and value[2].dtype.itemsize > dtype.itemsize:
        given.array = given.array.astype(value[2].dtype)  # text has no width in OpenVINO
    fill = fill_of(given.array.dtype, value, made)
    return run(given, settings, out_shape, fill, out, threads)
