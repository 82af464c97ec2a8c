"""embARC MLI padding2d.  SPDX-License-Identifier: MIT"""
import operator

from . import _core
from ._arrays import source
from ._spec import run, zero

TYPES = {"int8": "fx8", "int16": "fx16"}


def padding2d(tensor, *, layout, padding_left=0, padding_right=0, padding_top=0, padding_bottom=0,
              out=None, threads=None):
    """Zeros around the height and width of a tensor, as mli_krn_padding2d_chw_fx8 and its three
    siblings write them.

    tensor: int8 (fx8) or int16 (fx16), of rank 3.
    layout: "chw" or "hwc", the order of its axes.
    padding_left ...: 0 to 255.

    Raises SpecError for what the document does not allow.
    """
    if layout not in ("chw", "hwc"):
        raise ValueError(f"layout has to be 'chw' or 'hwc', got {layout!r}")
    given = source(tensor)
    dtype = given.array.dtype
    amounts = [operator.index(amount) for amount in
               (padding_left, padding_right, padding_top, padding_bottom)]
    settings, out_shape, _ = _core.mli(layout, TYPES.get(dtype.name, dtype.name),
                                       given.array.shape, *amounts)
    return run(given, settings, out_shape, zero(dtype), out, threads)
