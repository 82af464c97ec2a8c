"""Padded coordinates and their indexes.  SPDX-License-Identifier: MIT"""

from collections.abc import Mapping

import numpy
import xarray
from xarray.indexes import PandasIndex, PandasMultiIndex

from .._arguments import MODES
from .._arrays import is_dask
from .._plan import Plan
from . import _extend, _variables

CHOICES = ("extend", "mode", "nan")


def coordinates(obj, given, coords, keep_attrs):
    """The coordinates of a padded DataArray or Dataset, with their indexes.

    coords: one of CHOICES, or None for what xarray does, or a dict of them by the coordinates'
    names. An index that is not one of pandas is dropped where its dimension is padded.
    """
    _check_choices(obj.coords, coords)
    variables = dict(obj.coords.variables)
    indexes = {}
    labels = {}  # of padded coordinates that are not arrays, by name
    for index, members in obj.xindexes.group_by_index():
        if not any(dim in given.widths for each in members.values() for dim in each.dims):
            indexes |= dict.fromkeys(members, index)
        elif _has_labels(index, members):
            made = _labels(index, members, given, _choice(members, coords))
            indexes |= dict.fromkeys(members, made)
            labels |= made.create_variables(members)
    for name, variable in variables.items():
        if name in labels:
            variables[name] = labels[name]
        elif any(dim in given.widths for dim in variable.dims):
            made = _padded_variable(name, variable, given, _choice([name], coords))
            made.attrs = variable.attrs
            if (name,) == made.dims or type(obj.xindexes.get(name)) is PandasIndex:
                indexes[name] = PandasIndex.from_variables({name: made}, options={})
                made = indexes[name].create_variables({name: made})[name]
            variables[name] = made
        else:
            continue
        if not keep_attrs:
            variables[name].attrs = {}
    return xarray.Coordinates(variables, indexes)


def _check_choices(known, coords):
    by_name = isinstance(coords, Mapping)
    for name in coords if by_name else ():
        if name not in known:
            words = ", ".join(map(repr, known)) or "none"
            raise ValueError(f"coords names coordinate {name!r}; the coordinates are {words}")
    for each in coords.values() if by_name else [coords]:
        if each is not None and each not in CHOICES:
            raise ValueError(
                f"coords {each!r} is not known: it is one of {', '.join(CHOICES)}, or "
                "a dict of them by the coordinates' names"
            )


def _choice(names, coords):
    """What is done with these coordinates, which have one index if they are several."""
    if not isinstance(coords, Mapping):
        return coords
    chosen = {coords[name] for name in names if name in coords}
    if len(chosen) > 1:
        raise ValueError(
            f"coordinates {', '.join(map(repr, names))} are one index: coords takes "
            "the same choice for all of them"
        )
    return chosen.pop() if chosen else None


def _repeats(mode):
    return isinstance(mode, str) and mode in MODES and mode != "constant"


def _plain(given):
    """Padding as xarray pads coordinates: by the modes that repeat, all else is missing."""
    modes = {dim: mode if _repeats(mode) else "constant" for dim, mode in given.modes.items()}
    return given._replace(modes=modes, constant_values=None)


def _missing(given):
    return given._replace(modes=dict.fromkeys(given.modes, "constant"), constant_values=None)


def _padded_variable(name, variable, given, choice):
    label = f"coordinate {name!r}"
    if choice == "extend":
        return _extended(variable, given, label)
    if choice == "mode":
        own = given.constant_values
        if isinstance(own, Mapping):
            own = own.get(name, {dim: own[dim] for dim in variable.dims if dim in own}) or None
        if given.constant_dim is not None and given.constant_dim not in variable.dims:
            own = None
        return _variables.padded(variable, given._replace(constant_values=own), label)
    chosen = _missing(given) if choice == "nan" else _plain(given)
    return _variables.padded(variable, chosen, label)


# ---- Coordinates that go on ----------------------------------------------------------------------


def _extended(variable, given, label):
    data = variable.data
    try:
        for dim, each in _variables.amounts(variable, given).items():
            axis = variable.dims.index(dim)
            if isinstance(data, numpy.ndarray):
                data = _extend.extended(data, axis, *each)
            elif is_dask(data):
                data = _extended_chunks(data, axis, *each, given.chunks)
            else:
                raise TypeError(f"{type(data).__name__} has no step to go on with")
    except (TypeError, ValueError) as error:
        raise type(error)(
            f"{label} cannot be extended: {error}; coords='mode' or 'nan' pads it "
            "otherwise, also for this coordinate alone in a dict"
        ) from None
    return xarray.Variable(variable.dims, data)


def _extended_chunks(data, axis, before, after, interior, chunks):
    """Lazily. A block has to hold whole lines; then the chunks are cut as those of padded data."""
    from .. import dask

    like = dask.pad(data, {axis: (before, after)}, interior={axis: interior}, chunks=chunks)
    if before > 0 or after > 0 or interior:
        _extend.check_step(data.dtype, data.shape[axis])
    lines = data.rechunk({axis: -1})
    extents = (*lines.chunks[:axis], (like.shape[axis],), *lines.chunks[axis + 1 :])
    made = lines.map_blocks(
        _extend.extended,
        axis,
        before,
        after,
        interior,
        chunks=extents,
        dtype=data.dtype,
        meta=data._meta,
    )
    return made.rechunk({axis: like.chunks[axis]})


# ---- Labels: a multi-index, and types that only pandas has ---------------------------------------


def _has_labels(index, members):
    return (
        isinstance(index, PandasMultiIndex)
        or type(index) is PandasIndex
        and not all(isinstance(each.data, numpy.ndarray) for each in members.values())
    )


def _labels(index, members, given, choice):
    """The index with the same labels at their new places, and missing ones."""
    dim = index.dim
    mode = given.modes[dim]
    if (
        choice == "extend"
        or choice == "mode"
        and not _repeats(mode)
        and mode != "constant"
        or given.reflect_type == "odd"
        and choice != "nan"
        and mode in ("reflect", "symmetric")
    ):
        raise TypeError(
            f"the index of {', '.join(map(repr, members))} has labels, which "
            "cannot be computed for new cells: use coords='nan' for missing labels, or "
            "a dict with 'nan' for this coordinate alone"
        )
    moved = mode if choice != "nan" and _repeats(mode) else "constant"
    plan = Plan(
        [len(index.index)],
        {0: given.widths[dim]},
        moved,
        dtype=numpy.intp,
        constant_values=-1,
        interior={0: given.interior[dim]},
        order=given.order,
    )
    places = plan(numpy.arange(len(index.index)))
    taken = index.index.take(places, allow_fill=True, fill_value=numpy.nan)
    if isinstance(index, PandasMultiIndex):
        types = {
            name: _variables.missing(dtype)[0] if (places < 0).any() else dtype
            for name, dtype in index.level_coords_dtype.items()
        }
        return PandasMultiIndex(taken, dim, level_coords_dtype=types)
    return PandasIndex(taken, dim)
