"""Coordinates and variables of xarray, padded by dimension names. SPDX-License-Identifier: MIT"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy
import xarray
from xarray.indexes import PandasIndex, PandasMultiIndex

from . import _core, pad as pad_array
from ._arguments import COMPUTED, MODES, fill_value, refuse_mode, values
from ._arrays import is_dask
from ._chunks import POLICIES
from ._plan import Plan

xarray_pad = xarray.Variable.pad  # kept, so that it may be replaced by ours
# The modes of each keyword. A callable takes all keywords.
KEYWORDS = {
    "constant_values": ("constant",),
    "reflect_type": ("reflect", "symmetric"),
    "stat_length": ("maximum", "mean", "median", "minimum"),
    "end_values": ("linear_ramp",),
}


class Padding(NamedTuple):
    """The arguments of a pad. widths, modes and interior have the same dimensions; keywords that
    were not given are None."""

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
    """Checks the arguments. sizes: of all dimensions."""
    keywords = dict.fromkeys(KEYWORDS) | keywords
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
    result = Padding(
        widths,
        modes,
        {dim: interior.get(dim, 0) for dim in widths},
        order,
        chunks,
        constant_dim,
        **keywords,
    )
    for keyword, value in keywords.items():
        if value is not None and widths and not _takes(keyword, result, widths):
            raise ValueError(
                f"{keyword} goes with mode {' or '.join(KEYWORDS[keyword])}, got mode {mode!r}"
            )
    return result


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
    settings = _core.axes(
        variable.ndim,
        {axis: given.widths[dim] for dim, axis in axes.items()},
        "constant",
        {axis: given.interior[dim] for dim, axis in axes.items()},
        given.order,
        None,
    )
    return {dim: settings[axis][:3] for dim, axis in axes.items()}


def missing(dtype):
    """The type that xarray promotes a type to, and its missing element."""
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
    """Whether cells may be filled; along a dimension that is only cropped, none are."""
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
    elif data.dtype.kind in "iu" and _is_no_integer(keywords.get("constant_values")):
        data = data.astype(missing(data.dtype)[0])
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
    from . import dask

    return dask.pad(data, widths, mode, chunks=given.chunks, **keywords)


def _is_no_integer(constants):
    """Whether there is NaN or an infinity among them."""
    parts = [
        numpy.asarray(one)
        for one in (constants.values() if isinstance(constants, Mapping) else [constants])
    ]
    return any(one.dtype.kind == "f" and not numpy.isfinite(one).all() for one in parts)


def _by_axis(keyword, value, variable, dtype, exact):
    """A keyword by dimension as pairs, one for each axis. Dimensions not named have 0, or all cells."""
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
    elements = numpy.empty((len(pairs), 2), dtype)
    for axis, pair in enumerate(pairs):
        for side in (0, 1):
            elements[axis, side : side + 1] = fill_value(
                dtype, pair[side], keyword if exact else None
            )
    return elements


def _by_its_own_type(variable, given, dims, modes, keywords):
    """Pads arrays with units, on a GPU or of pandas through xarray."""
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


# ---- Coordinates and their indexes ---------------------------------------------------------------


CHOICES = ("extend", "mode", "nan")


def coordinates(obj, given, coords, keep_attrs):
    """The coordinates of a padded DataArray or Dataset, with their indexes."""
    return xarray.Coordinates(*variables_of(obj, given, coords, keep_attrs))


def variables_of(obj, given, coords, keep_attrs):
    """The same as two dicts by name: variables, and indexes.

    coords: one of CHOICES, None for xarray's behaviour, or a dict of them by the coordinates'
    names. An index that is not pandas' is dropped if its dimension is padded.
    """
    _check_choices(obj.coords, coords)
    variables = dict(obj.coords.variables)
    indexes = {}
    labels = {}  # of padded coordinates that are not arrays, by name
    for index, members in obj.xindexes.group_by_index():
        if not any(dim in given.widths for each in members.values() for dim in each.dims):
            indexes |= dict.fromkeys(members, index)
        elif _has_labels(index, members):
            padded_one = _labels(index, members, given, _choice(members, coords))
            indexes |= dict.fromkeys(members, padded_one)
            labels |= padded_one.create_variables(members)
    for name, variable in variables.items():
        if name in labels:
            variables[name] = labels[name]
        elif any(dim in given.widths for dim in variable.dims):
            padded_one = _padded_variable(name, variable, given, _choice([name], coords))
            padded_one.attrs = variable.attrs
            if (name,) == padded_one.dims or type(obj.xindexes.get(name)) is PandasIndex:
                indexes[name] = PandasIndex.from_variables({name: padded_one}, options={})
                padded_one = indexes[name].create_variables({name: padded_one})[name]
            variables[name] = padded_one
        else:
            variables[name] = variable.copy(deep=False)
            continue
        if not keep_attrs:
            variables[name].attrs = {}
    return variables, indexes


def _check_choices(known, coords):
    by_name = isinstance(coords, Mapping)
    for name in coords if by_name else ():
        if name not in known:
            names = ", ".join(map(repr, known)) or "none"
            raise ValueError(f"coords names coordinate {name!r}; the coordinates are {names}")
    for each in coords.values() if by_name else [coords]:
        if each is not None and each not in CHOICES:
            raise ValueError(
                f"coords {each!r} is not known: it is one of {', '.join(CHOICES)}, or "
                "a dict of them by the coordinates' names"
            )


def _choice(names, coords):
    """The choice for these coordinates; several ones share an index."""
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
    """Padding as xarray pads coordinates: by modes that repeat, else with missing values."""
    modes = {dim: mode if _repeats(mode) else "constant" for dim, mode in given.modes.items()}
    return given._replace(modes=modes, constant_values=None)


def _missing(given):
    return given._replace(modes=dict.fromkeys(given.modes, "constant"), constant_values=None)


def _padded_variable(name, variable, given, choice):
    label = f"coordinate {name!r}"
    if choice == "extend":
        return _extended(variable, given, label)
    if choice == "mode":
        constants = given.constant_values
        if isinstance(constants, Mapping):
            constants = (
                constants.get(
                    name, {dim: constants[dim] for dim in variable.dims if dim in constants}
                )
                or None
            )
        if given.constant_dim is not None and given.constant_dim not in variable.dims:
            constants = None
        return padded(variable, given._replace(constant_values=constants), label)
    chosen = _missing(given) if choice == "nan" else _plain(given)
    return padded(variable, chosen, label)


# ---- Extended coordinates ------------------------------------------------------------------------


def _extended(variable, given, label):
    data = variable.data
    try:
        for dim, each in amounts(variable, given).items():
            axis = variable.dims.index(dim)
            if isinstance(data, numpy.ndarray):
                data = extended(data, axis, *each)
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
    """Extends lazily. A block must hold whole lines; afterwards the chunks are those of padded data."""
    from . import dask

    like = dask.pad(data, {axis: (before, after)}, interior={axis: interior}, chunks=chunks)
    if before > 0 or after > 0 or interior:
        check_step(data.dtype, data.shape[axis])
    lines = data.rechunk({axis: -1})
    extents = (*lines.chunks[:axis], (like.shape[axis],), *lines.chunks[axis + 1 :])
    blocks = lines.map_blocks(
        extended,
        axis,
        before,
        after,
        interior,
        chunks=extents,
        dtype=data.dtype,
        meta=data._meta,
    )
    return blocks.rechunk({axis: like.chunks[axis]})


# ---- Labels: a multi-index, and types that only pandas has ---------------------------------------


def _has_labels(index, members):
    return (
        isinstance(index, PandasMultiIndex)
        or type(index) is PandasIndex
        and not all(isinstance(each.data, numpy.ndarray) for each in members.values())
    )


def _labels(index, members, given, choice):
    """The index with its labels at their new places, and missing ones elsewhere."""
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
            name: missing(dtype)[0] if (places < 0).any() else dtype
            for name, dtype in index.level_coords_dtype.items()
        }
        return PandasMultiIndex(taken, dim, level_coords_dtype=types)
    return PandasIndex(taken, dim)


# ---- Values beyond the edge, by the step there ---------------------------------------------------


INT64 = numpy.iinfo(numpy.int64)


def extended(values, axis, before, after, interior):
    """The values along an axis, continued beyond it with the step at the edge.

    before, after: cells to add on each side; negative numbers crop. interior: cells between two
    neighbours, with evenly spaced values. If there are cells to compute, raises ValueError or
    TypeError unless there are two cells of numbers, dates, or objects that can be subtracted. Evenly
    spaced floating-point numbers continue with the mean step, whose rounding error is smallest.
    """
    lines = numpy.moveaxis(values, axis, 0)
    count, spacing = len(lines), interior + 1
    places = numpy.arange(-before, max((count - 1) * spacing + 1, 0) + after)
    cells = numpy.clip(places // spacing, 0, max(count - 1, 0))
    beyond = places - cells * spacing
    moved = numpy.flatnonzero(beyond) if count else numpy.arange(len(places))
    if not len(moved):
        return numpy.moveaxis(lines[cells], 0, axis)
    check_step(values.dtype, count)
    out = lines[cells]
    near = cells[moved].clip(max=count - 2)
    beyond = beyond[moved].reshape(-1, *[1] * (lines.ndim - 1))
    compute = {"f": _reals, "c": _reals, "O": _objects}.get(values.dtype.kind, _integers)
    out[moved] = compute(lines, cells[moved], near, beyond, spacing)
    return numpy.moveaxis(out, 0, axis)


def check_step(dtype, count):
    """Raises an error if such a coordinate has no step."""
    if dtype.kind not in "iufcmMO":
        raise TypeError(f"elements of {dtype} have no step to go on with")
    if count < 2:
        raise ValueError(f"{count} cell{'s' * (count != 1)}: there is no step to go on with")


def _reals(lines, cells, near, beyond, spacing):
    exact = lines.astype(numpy.result_type(lines.dtype, numpy.float64), copy=False)
    with numpy.errstate(invalid="ignore", over="ignore"):
        mean = (exact[-1] - exact[0]) / (len(exact) - 1)
        number = numpy.arange(len(exact)).reshape(-1, *[1] * (lines.ndim - 1))
        rounding = 2 * numpy.finfo(lines.dtype).eps * abs(exact).max(axis=0)
        even = (abs(exact - (exact[0] + number * mean)) <= rounding).all(axis=0)
        steps = numpy.where(even, mean, exact[near + 1] - exact[near])
        return exact[cells] + steps * beyond / spacing


def _integers(lines, cells, near, beyond, spacing):
    """Integers and dates, exactly: as Python ints."""
    dtype = lines.dtype  # xarray's dates are always in native byte order
    dates = dtype.kind in "mM"
    plain = lines.view(numpy.int64) if dates else lines
    base, low, high = (plain[n].astype(object) for n in (cells, near, near + 1))
    product = (high - low) * beyond
    if (product % spacing != 0).any():
        raise ValueError(
            f"elements of {dtype} have no value for {spacing - 1} cells between two "
            "neighbours: convert the coordinate to floating-point numbers first"
        )
    computed = base + product // spacing
    limits = INT64 if dates else numpy.iinfo(dtype)
    known = True
    if dates:
        known = ~(numpy.isnat(lines[cells]) | numpy.isnat(lines[near + 1] - lines[near]))
        computed = numpy.where(known, computed, INT64.min)
    wrong = known & ((computed < limits.min + dates) | (computed > limits.max))
    if wrong.any():
        raise ValueError(
            f"the coordinate goes on to {computed[wrong].flat[0]}, which {dtype} does "
            f"not hold: convert it to a wider type first"
        )
    return computed.astype(plain.dtype).view(dtype)


def _objects(lines, cells, near, beyond, spacing):
    try:
        way = (lines[near + 1] - lines[near]) * beyond.astype(object)
        return lines[cells] + (way if spacing == 1 else way / spacing)
    except TypeError as error:
        raise TypeError(f"objects have no step to go on with: {error}") from None
