"""The arguments of a pad by the names of dimensions, and one variable padded with them.
SPDX-License-Identifier: MIT"""

import functools
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy
import xarray

from .. import _core
from .. import pad as pad_array
from .._arguments import COMPUTED, MODES, fill_value, refuse_mode, values
from .._arrays import is_dask
from .._chunks import POLICIES

xarray_pad = xarray.Variable.pad  # kept, so that it may be replaced by ours
# The modes that each keyword goes with. A callable takes all of them.
KEYWORDS = {
    "constant_values": ("constant",),
    "reflect_type": ("reflect", "symmetric"),
    "stat_length": ("maximum", "mean", "median", "minimum"),
    "end_values": ("linear_ramp",),
}


class Padding(NamedTuple):
    """What is asked for. widths, modes and interior have the same dimensions; a keyword that was
    not given is None."""

    widths: dict[Any, Any]
    modes: dict[Any, Any]
    interior: dict[Any, Any]
    order: str
    chunks: str
    constant_dim: Any = None
    constant_values: Any = None
    reflect_type: Any = None
    stat_length: Any = None
    end_values: Any = None
    exact: bool = False  # whether a constant that the type cannot hold is an error


def padding(sizes, pad_width, mode, interior, order, chunks, constant_dim=None, **keywords):
    """The arguments, checked. sizes: of the dimensions that there are."""
    interior = {} if interior is None else interior
    if not isinstance(interior, Mapping):
        raise ValueError(f"interior has to be a dict of cells by dimension, got {interior!r}")
    if chunks not in POLICIES:
        raise ValueError(
            f"chunks {chunks!r} is not known: it is one of {', '.join(POLICIES)}, and "
            "others are made by .chunk(...) of the result"
        )
    by_dim = isinstance(mode, Mapping)
    named = {
        "pad_width": pad_width,
        "mode": mode,
        "interior": interior,
        "stat_length": keywords["stat_length"],
        "end_values": keywords["end_values"],
        "constant_dim": {} if constant_dim is None else {constant_dim: None},
    }
    for what, given in named.items():
        for dim in given if isinstance(given, Mapping) else ():
            if dim not in sizes:
                known = ", ".join(map(repr, sizes)) or "none"
                raise ValueError(f"{what} names dimension {dim!r}; the dimensions are {known}")
    for each in mode.values() if by_dim else [mode]:
        if not callable(each) and not (isinstance(each, str) and each in (*MODES, *COMPUTED)):
            refuse_mode(each)
    widths = {**dict.fromkeys(interior, 0), **pad_width}
    modes = {dim: mode.get(dim, "constant") if by_dim else mode for dim in widths}
    made = Padding(
        widths,
        modes,
        {dim: interior.get(dim, 0) for dim in widths},
        order,
        chunks,
        constant_dim,
        **keywords,
    )
    for keyword, value in keywords.items():
        if value is not None and widths and not _takes(keyword, made, widths):
            raise ValueError(
                f"{keyword} goes with mode {' or '.join(KEYWORDS[keyword])}, got mode {mode!r}"
            )
    return made


def padded(variable, given, label):
    """The padded variable, without attributes. label: of the variable, for errors."""
    dims = [dim for dim in variable.dims if dim in given.widths]
    try:
        return xarray.Variable(variable.dims, _padded_data(variable, given, dims))
    except (TypeError, ValueError) as error:
        if type(error) not in (TypeError, ValueError):
            raise
        sizes = ", ".join(f"{dim}: {size}" for dim, size in variable.sizes.items())
        raise type(error)(f"{label} ({sizes}): {error}") from None


def amounts(variable, given):
    """(before, after, interior) by dimension, for those of the variable that are padded."""
    axes = {dim: axis for axis, dim in enumerate(variable.dims) if dim in given.widths}
    found = _core.axes(
        variable.ndim,
        {axis: given.widths[dim] for dim, axis in axes.items()},
        "constant",
        {axis: given.interior[dim] for dim, axis in axes.items()},
        given.order,
        None,
    )
    return {dim: found[axis][:3] for dim, axis in axes.items()}


def missing(dtype):
    """The type that xarray promotes a type to, and what it takes for a missing element."""
    probe = _probe(dtype)
    return probe.dtype, probe.values[0]


_probe = functools.lru_cache(64)(
    lambda dtype: xarray_pad(xarray.Variable("x", numpy.empty(0, dtype)), {"x": (1, 0)})
)


def _takes(keyword, given, dims):
    """Whether the mode of any of these dimensions takes the keyword."""
    modes = [given.modes[dim] for dim in dims]
    if keyword == "constant_values" and any(given.interior[dim] for dim in dims):
        return True
    return any(callable(mode) or mode in KEYWORDS[keyword] for mode in modes)


def _fills(variable, given):
    """Whether cells may be filled. Along a dimension that is only cropped none is."""
    return any(
        interior or given.modes[dim] == "constant" and not max(both) <= 0 > min(both)
        for dim, (*both, interior) in amounts(variable, given).items()
    )


def _padded_data(variable, given, dims):
    data = variable.data
    modes = [given.modes[dim] for dim in dims]
    keywords = {
        keyword: getattr(given, keyword)
        for keyword in KEYWORDS
        if getattr(given, keyword) is not None and _takes(keyword, given, dims)
    }
    if not isinstance(data, numpy.ndarray) and not is_dask(data):
        return _by_its_own_type(variable, given, dims, modes, keywords)
    if _fills(variable, given) and "constant_values" not in keywords:
        dtype, keywords["constant_values"] = missing(data.dtype)
        data = data.astype(dtype, copy=False)
    has_list = given.constant_dim is not None and given.constant_values is not None
    if has_list and "constant_values" in keywords:
        if given.constant_dim not in variable.dims:
            raise ValueError(
                f"it has no dimension {given.constant_dim!r}, for whose cells constant_values are"
            )
        keywords["constant_axis"] = variable.dims.index(given.constant_dim)
    for keyword, value in keywords.items():
        if isinstance(value, Mapping):
            keywords[keyword] = _by_axis(keyword, value, variable, data.dtype, given.exact)
    if given.exact and "constant_values" in keywords:
        values(data.dtype, keywords["constant_values"], None, data.ndim, exact=True)
    axes = [variable.dims.index(dim) for dim in dims]
    widths = {axis: given.widths[dim] for axis, dim in zip(axes, dims)}
    mode = modes[0] if modes.count(modes[0]) == len(modes) else dict(zip(axes, modes))
    keywords["interior"] = {axis: given.interior[dim] for axis, dim in zip(axes, dims)}
    keywords["order"] = given.order
    if isinstance(data, numpy.ndarray):
        return pad_array(data, widths, mode, **keywords)
    from .. import dask

    return dask.pad(data, widths, mode, chunks=given.chunks, **keywords)


def _by_axis(keyword, value, variable, dtype, exact):
    """A keyword by dimension as pairs, one for each axis. What is not named is 0, or all cells."""
    pairs = []
    for dim, size in variable.sizes.items():
        pair = value.get(dim, size if keyword == "stat_length" else 0)
        pairs.append((pair, pair) if numpy.ndim(pair) == 0 else tuple(pair))
        if len(pairs[-1]) != 2:
            raise ValueError(
                f"{keyword} of dimension {dim!r} is a value, or one for each side, got {pair!r}"
            )
    if keyword != "constant_values":
        return pairs
    made = numpy.empty((len(pairs), 2), dtype)
    for axis, pair in enumerate(pairs):
        for side in (0, 1):
            made[axis, side : side + 1] = fill_value(dtype, pair[side], keyword if exact else None)
    return made


def _by_its_own_type(variable, given, dims, modes, keywords):
    """Arrays with units, of a GPU, of pandas: xarray knows how they are padded."""
    if (
        modes.count(modes[0]) != len(modes)
        or any(given.interior[dim] for dim in dims)
        or given.order != "window"
    ):
        raise TypeError(
            f"{type(variable.data).__name__} pads in a way of its own, with one mode "
            "for all dimensions and without interior and order"
        )
    keywords = {
        keyword: dict(value) if isinstance(value, Mapping) else value
        for keyword, value in keywords.items()
    }
    return xarray_pad(variable, {dim: given.widths[dim] for dim in dims}, modes[0], **keywords).data
