"""nGraph Pad, with interior padding.  SPDX-License-Identifier: MIT"""
import operator

import numpy

from . import _core
from ._arrays import source
from ._spec import run, tensor, type_word


def pad(arg, arg_pad_value, padding_below, padding_above, padding_interior=None,
        pad_mode="CONSTANT", *, out=None, threads=None):
    """Pad as nGraph's operator does it.

    arg: an array of any type.
    arg_pad_value: a scalar of arg's type, required in every mode; a plain number is converted.
    padding_below, padding_above: one amount for each axis; negative ones crop. "Below" is at lower
        indices: in front in memory, at the top of a picture.
    padding_interior: cells between neighbours, one number for each axis, not negative.
    pad_mode: "CONSTANT", "EDGE", "REFLECT" or "SYMMETRIC".

    Raises SpecError for what the document does not allow.
    """
    given = source(arg)
    dtype = given.array.dtype
    value = value_shape = None
    same = True
    if arg_pad_value is not None:
        value = tensor(arg_pad_value, dtype, {})
        value_shape = value[1]
        same = value[2].dtype == dtype.newbyteorder("=") or \
            value[0] == type_word(dtype, {}) == "string"
    amounts = [None if pads is None else tuple(operator.index(item) for item in numpy.asarray(pads))
               for pads in (padding_below, padding_above, padding_interior)]
    if amounts[0] is None or amounts[1] is None:
        raise TypeError("padding_below and padding_above are required")
    settings, out_shape, _ = _core.ngraph(given.array.shape, 8 * dtype.itemsize or 8, value_shape,
                                          same, *amounts, pad_mode)
    fill = numpy.empty(1, dtype)
    fill[:] = value[2].reshape(-1)[0]
    return run(given, settings, out_shape, fill, out, threads)
