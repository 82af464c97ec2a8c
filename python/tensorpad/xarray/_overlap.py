"""Blocks that share cells, by the names of dimensions.  SPDX-License-Identifier: MIT"""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, NamedTuple

import xarray

from .._arrays import is_dask
from .._chunks import cuts
from . import _coordinates, _variables


class _Halo(NamedTuple):
    """The halo of the blocks of one dimension, for tensorpad.dask.overlap, and what it means for
    coordinates: how they are padded, and which of the padded cells the blocks hold."""

    depth: Any
    boundary: Any
    width: tuple[int, int]
    mode: str
    cells: list[int]


def _halos(obj, depth, boundary):
    """A _Halo by dimension."""
    by_dim = isinstance(boundary, Mapping)
    for what, given in {"depth": depth, "boundary": boundary if by_dim else ()}.items():
        for dim in given:
            if dim not in obj.sizes:
                known = ", ".join(map(repr, obj.sizes)) or "none"
                raise ValueError(f"{what} names dimension {dim!r}; the dimensions are {known}")
    chunks = obj.chunksizes
    for dim in depth:
        if dim not in chunks:
            raise TypeError(
                f"nothing along dimension {dim!r} is an array of dask: use .chunk(...) first"
            )
    return {
        dim: _halo(dim, chunks[dim], cells, boundary.get(dim) if by_dim else boundary)
        for dim, cells in depth.items()
    }


def _halo(dim, extents, depth, boundary):
    from ..dask import _overlap as halo_of_dask  # whoever has arrays of dask has dask

    width, mode, halo = halo_of_dask._of_dimension(dim, depth, boundary)
    cells = [
        cell + width[0]
        for (start, stop), (before, after) in zip(pairwise(cuts(extents)), halo.shares(extents))
        for cell in range(start - before, stop + after)
    ]
    return _Halo(depth, boundary, width, mode, cells)


def _overlapped(variable, halos, label, keep_attrs):
    """A variable whose blocks have their halos."""
    axes = {axis: halos[dim] for axis, dim in enumerate(variable.dims) if dim in halos}
    if not axes:
        return variable
    if not is_dask(variable.data):
        raise TypeError(f"{label} is no array of dask: use .chunk(...) first")
    from .. import dask

    data = dask.overlap(
        variable.data,
        {axis: halo.depth for axis, halo in axes.items()},
        {axis: halo.boundary for axis, halo in axes.items()},
    )
    return xarray.Variable(variable.dims, data, variable.attrs if keep_attrs else None)


def _overlap_coordinates(obj, halos, coords, keep_attrs):
    """The coordinates of all cells of the blocks."""
    given = _variables.padding(
        obj.sizes,
        {dim: halo.width for dim, halo in halos.items()},
        {dim: halo.mode for dim, halo in halos.items()},
        None,
        "window",
        "like",
        constant_values=None,
        reflect_type=None,
        stat_length=None,
        end_values=None,
    )
    padded = xarray.Dataset(coords=_coordinates.coordinates(obj, given, coords, keep_attrs))
    return padded.isel(
        {dim: halo.cells for dim, halo in halos.items() if dim in padded.dims}
    ).coords
