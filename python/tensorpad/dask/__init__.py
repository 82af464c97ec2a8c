"""tensorpad.pad, and halos between chunks, for arrays of dask.  SPDX-License-Identifier: MIT"""
from dask.base import tokenize

from .. import _core
from .._chunks import cuts, output_chunks
from .._plan import Plan
from . import _graph

__all__ = ["pad"]


def pad(x, pad_width, mode="constant", *, constant_values=0, interior=0, order="window", axes=None,
        chunks="like"):
    """The padded array, chunk by chunk."""
    plan = Plan(x.shape, pad_width, mode, dtype=x.dtype, constant_values=constant_values,
                interior=interior, order=order, axes=axes)
    settings = _core.axes(x.ndim, pad_width, mode, interior, order, axes)
    extents = [output_chunks(each, setting, extent, chunks)
               for each, setting, extent in zip(x.chunks, settings, plan.out_shape)]
    intervals = [list(zip(cuts(each), cuts(each)[1:])) for each in extents]
    return _graph.boxes(x, plan, intervals, "pad-" + tokenize(x, plan, extents))
