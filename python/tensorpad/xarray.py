"""The accessor .tensorpad of xarray's DataArray and Dataset. Importing this registers it.
SPDX-License-Identifier: MIT"""

from __future__ import annotations

from ._errors import load_extra

load_extra("xarray", "xarray", "tensorpad.xarray needs xarray")

import re
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from typing import (
    TYPE_CHECKING,
    Any,
    Generic,
    Literal,
    NamedTuple,
    SupportsIndex,
    TypeAlias,
    TypeVar,
)

import xarray

from . import _core, _xarray_coordinates as _variables
from ._arrays import is_dask
from ._chunks import cuts

if TYPE_CHECKING:
    from . import _AlignOne, _Integers, _Mode, _Order, _TooLongOne

    # Dimensions and names can be anything hashable. They are Any here because to type checkers a
    # Mapping of Hashable is not a Mapping of str.
    _PadWidth: TypeAlias = Mapping[Any, SupportsIndex | _Integers] | None
    _Modes: TypeAlias = _Mode | Callable[..., Any] | Mapping[Any, _Mode | Callable[..., Any]]
    _Coord: TypeAlias = Literal["extend", "mode", "nan"] | None
    _Coords: TypeAlias = _Coord | Mapping[Any, _Coord]
    _ReflectType: TypeAlias = Literal["even", "odd"] | None
    _BySize: TypeAlias = Mapping[Any, SupportsIndex | None] | None
    _Aligns: TypeAlias = _AlignOne | Mapping[Any, _AlignOne]
    _TooLongs: TypeAlias = _TooLongOne | Mapping[Any, _TooLongOne]
    _Chunks: TypeAlias = Literal["like", "merge", "regular"]

__all__ = ["Accessor", "overlap", "pad", "pad_to"]


_Xarray = TypeVar("_Xarray", bound=xarray.DataArray | xarray.Dataset)


class Accessor(Generic[_Xarray]):
    """The accessor .tensorpad of a DataArray or Dataset."""

    def __init__(self, obj: _Xarray) -> None:
        self._obj = obj

    def pad(
        self,
        pad_width: _PadWidth = None,
        mode: _Modes = "constant",
        stat_length: Any = None,
        constant_values: Any = None,
        end_values: Any = None,
        reflect_type: _ReflectType = None,
        keep_attrs: bool | None = None,
        *,
        constant_dim: Any = None,
        coords: _Coords = None,
        interior: Mapping[Any, SupportsIndex] | None = None,
        order: _Order = "window",
        chunks: _Chunks = "like",
        **pad_width_kwargs: SupportsIndex | _Integers,
    ) -> _Xarray:
        """The padded DataArray or Dataset: tensorpad.xarray.pad of it."""
        return pad(
            self._obj,
            pad_width,
            mode,
            stat_length,
            constant_values,
            end_values,
            reflect_type,
            keep_attrs,
            constant_dim=constant_dim,
            coords=coords,
            interior=interior,
            order=order,
            chunks=chunks,
            **pad_width_kwargs,
        )

    def pad_to(
        self,
        shape: _BySize = None,
        *,
        multiple: _BySize = None,
        square: Iterable[Any] | None = None,
        align: _Aligns = "center",
        too_long: _TooLongs = "error",
        mode: _Modes = "constant",
        constant_values: Any = None,
        keep_attrs: bool | None = None,
        coords: _Coords = None,
        chunks: _Chunks = "like",
        **shape_kwargs: SupportsIndex | None,
    ) -> _Xarray:
        """The DataArray or Dataset, padded to a size: tensorpad.xarray.pad_to of it."""
        return pad_to(
            self._obj,
            shape,
            multiple=multiple,
            square=square,
            align=align,
            too_long=too_long,
            mode=mode,
            constant_values=constant_values,
            keep_attrs=keep_attrs,
            coords=coords,
            chunks=chunks,
            **shape_kwargs,
        )

    def overlap(
        self,
        depth: _PadWidth = None,
        boundary: Any = None,
        *,
        keep_attrs: bool | None = None,
        coords: _Coords = None,
        **depth_kwargs: SupportsIndex | _Integers,
    ) -> _Xarray:
        """The DataArray or Dataset whose blocks share cells: tensorpad.xarray.overlap of it."""
        return overlap(
            self._obj, depth, boundary, keep_attrs=keep_attrs, coords=coords, **depth_kwargs
        )


def pad(
    obj: _Xarray,
    pad_width: _PadWidth = None,
    mode: _Modes = "constant",
    stat_length: Any = None,
    constant_values: Any = None,
    end_values: Any = None,
    reflect_type: _ReflectType = None,
    keep_attrs: bool | None = None,
    *,
    constant_dim: Any = None,
    coords: _Coords = None,
    interior: Mapping[Any, SupportsIndex] | None = None,
    order: _Order = "window",
    chunks: _Chunks = "like",
    **pad_width_kwargs: SupportsIndex | _Integers,
) -> _Xarray:
    """A DataArray or Dataset, padded along some of its dimensions, with its coordinates.

    obj: the DataArray or Dataset.
    pad_width, pad_width_kwargs: {dimension: cells on both sides, or (before, after)}; negative
        numbers crop, and integers stay integers if the call only crops. Dimensions can also be
        keywords: pad(obj, x=1, y=(2, 0)).
    mode: a mode of tensorpad.pad or a callable, or a dict of modes by dimension; dimensions that
        the dict does not name have mode constant.
    constant_values: for mode constant and interior cells: a value, (before, after), or a dict of
        them by dimension or, for a Dataset, by variable. Dimensions or variables that a dict does
        not name have 0. None: missing values, for which integers and strings change their type, as
        in xarray; integers also do for NaN.
    constant_dim: a dimension; constant_values is then a list with a value for each of its cells in
        the result, such as a colour for a dimension of channels.
    stat_length, end_values, reflect_type: as for numpy.pad, also as a dict by dimension.
    keep_attrs: whether padded variables keep their attributes. None: xarray's option, by default
        yes.
    coords: how coordinates along these dimensions are padded, one choice for all or a dict by name:
        "extend": they continue with the step at their edge (300, 360, 420);
        "mode": like the data, with the same mode and keywords;
        "nan": with missing values;
        None: as xarray does it: like the data if the mode repeats elements, otherwise with missing
        values.
    interior: {dimension: cells between two neighbours}
    order: "window" or "crop", as for tensorpad.pad.
    chunks: for arrays of dask: "like", "merge" or "regular", as for tensorpad.dask.pad.

    Every variable keeps its dimensions and type, unless missing values need a wider type. Arrays of
    dask stay lazy. Dimension coordinates get a pandas index; a multi-index and pandas types
    (categories, intervals) are kept. Raises ValueError or TypeError, which name the variable and
    its dimensions, for unknown dimensions, coordinates and choices, for keywords that the mode does
    not take, for everything that tensorpad.pad refuses, and for coordinates without a step (one
    cell, or strings) that would have to be extended.
    """
    _check_type(obj)
    given = _variables.padding(
        obj.sizes,
        _by_dimension("pad_width", "amounts", pad_width, pad_width_kwargs),
        mode,
        interior,
        order,
        chunks,
        constant_dim,
        constant_values=constant_values,
        reflect_type=reflect_type,
        stat_length=stat_length,
        end_values=end_values,
    )
    return _padded(obj, given, coords, keep_attrs)


def pad_to(
    obj: _Xarray,
    shape: _BySize = None,
    *,
    multiple: _BySize = None,
    square: Iterable[Any] | None = None,
    align: _Aligns = "center",
    too_long: _TooLongs = "error",
    mode: _Modes = "constant",
    constant_values: Any = None,
    keep_attrs: bool | None = None,
    coords: _Coords = None,
    chunks: _Chunks = "like",
    **shape_kwargs: SupportsIndex | None,
) -> _Xarray:
    """A DataArray or Dataset, padded to a size along some of its dimensions, or cropped to it.

    obj: the DataArray or Dataset.
    shape, shape_kwargs: {dimension: cells of the result}. Dimensions can also be keywords:
        pad_to(obj, x=16, y=32).
    multiple: {dimension: number}; the sizes are rounded up to multiples of it.
    square: two dimensions that get the same size.
    align, too_long: as for tensorpad.pad_to, one for all these dimensions, or a dict by dimension.
    mode, constant_values, keep_attrs, coords, chunks: as for `pad`, but a constant that a
        variable's type cannot hold is an error.

    Dimensions that shape, multiple and square do not name stay unchanged. Raises ValueError if a
    dimension is too long, and the errors of `pad`.
    """
    _check_type(obj)
    wanted = _by_dimension("shape", "sizes", shape, shape_kwargs)
    amounts = _amounts(obj.sizes, wanted, multiple, square, align, too_long)
    given = _variables.padding(
        obj.sizes,
        amounts,
        mode,
        None,
        "window",
        chunks,
        constant_values=constant_values,
    )
    return _padded(obj, given._replace(exact=True), coords, keep_attrs)


def overlap(
    obj: _Xarray,
    depth: _PadWidth = None,
    boundary: Any = None,
    *,
    keep_attrs: bool | None = None,
    coords: _Coords = None,
    **depth_kwargs: SupportsIndex | _Integers,
) -> _Xarray:
    """A DataArray or Dataset of dask whose blocks also hold the cells around them.

    obj: the DataArray or Dataset.
    depth, depth_kwargs: {dimension: cells on both sides, or (before, after)}. Dimensions can be
        keywords instead.
    boundary: as for tensorpad.dask.overlap: "periodic", "nearest", "reflect", "mirror", "none" or
        None, or a constant; one for all these dimensions, or a dict by dimension; dimensions that
        it does not name have "none".
    keep_attrs, coords: as for `pad`. The cells that blocks share have the same coordinates in each.

    Block i of each variable is its block i with its halo. Nothing is rechunked. Raises TypeError if
    a variable with one of these dimensions is not an array of dask, and ValueError if the variables
    have different chunks.
    """
    _check_type(obj)
    halos = _halos(obj, _by_dimension("depth", "cells", depth, depth_kwargs), boundary)
    coordinates = _overlap_coordinates(obj, halos, coords, _keeps(keep_attrs))
    if isinstance(obj, xarray.DataArray):
        label = "the array" if obj.name is None else f"array {obj.name!r}"
        result = _overlapped(obj.variable, halos, label, _keeps(keep_attrs))
        return xarray.DataArray(result, coordinates, name=obj.name)
    result = {
        name: _overlapped(each.variable, halos, f"variable {name!r}", _keeps(keep_attrs))
        for name, each in obj.data_vars.items()
    }
    return xarray.Dataset(result, coordinates, obj.attrs if _keeps(keep_attrs) else None)


def _check_type(obj):
    if not isinstance(obj, (xarray.DataArray, xarray.Dataset)):
        raise TypeError(f"a DataArray or Dataset of xarray is padded here, got {type(obj)}")


def _keeps(keep_attrs):
    if keep_attrs is None:
        return xarray.get_options()["keep_attrs"] in ("default", True)
    return keep_attrs


def _by_dimension(name, what, given, keywords):
    """An argument that is a dict by dimension, or keywords."""
    if given is None:
        return keywords
    if not isinstance(given, Mapping):
        raise ValueError(
            f"{name} has to be a dict of {what} by dimension, got {type(given).__name__}"
        )
    if keywords:
        raise ValueError(f"{name} is given as a dict and as keywords: use one of them")
    return given


def _padded(obj, given, coords, keep_attrs):
    if isinstance(obj, xarray.DataArray):
        return _pad_array(obj, given, coords, _keeps(keep_attrs))
    return _pad_dataset(obj, given, coords, _keeps(keep_attrs))


def _check_names(constant_values, names):
    for name in constant_values if isinstance(constant_values, Mapping) else ():
        if name not in names:
            raise ValueError(
                f"constant_values names {name!r}; there are {', '.join(map(repr, names))}"
            )


def _pad_array(array, given, coords, keep_attrs):
    _check_names(given.constant_values, dict.fromkeys((*array.dims, *array.coords)))
    variable = array.variable
    if any(dim in given.widths for dim in array.dims):
        label = "the array" if array.name is None else f"array {array.name!r}"
        variable = _variables.padded(array.variable, given, label)
        variable.attrs = array.attrs if keep_attrs else {}
    variables, indexes = _variables.variables_of(array, given, coords, keep_attrs)
    if variable is array.variable:
        variable = variable.copy()
    # The constructor would copy Coordinates, which takes longer than the pad.
    return xarray.DataArray(variable, variables, name=array.name, indexes=indexes, fastpath=True)


def _pad_dataset(dataset, given, coords, keep_attrs):
    _check_names(given.constant_values, dict.fromkeys((*dataset.sizes, *dataset.variables)))
    variables = {}
    for name, array in dataset.data_vars.items():
        variables[name] = array.variable
        if any(dim in given.widths for dim in array.dims):
            own_given = given._replace(
                constant_values=_own(given.constant_values, name, array.dims)
            )
            variables[name] = _variables.padded(array.variable, own_given, f"variable {name!r}")
            variables[name].attrs = array.attrs if keep_attrs else {}
    padded = xarray.Dataset(
        variables,
        _variables.coordinates(dataset, given, coords, keep_attrs),
        dataset.attrs if keep_attrs else None,
    )
    padded.encoding = dict(dataset.encoding)
    return padded


def _own(constant_values, name, dims):
    """The constant values of one variable of a Dataset."""
    if not isinstance(constant_values, Mapping):
        return constant_values
    if name in constant_values:
        return constant_values[name]
    return {dim: constant_values[dim] for dim in dims if dim in constant_values}


# ---- Amounts from sizes --------------------------------------------------------------------------


def _amounts(sizes, shape, multiple, square, align, too_long):
    """{dimension: (before, after)} for the dimensions that the arguments name, as by
    tensorpad.pad_to. sizes: of all dimensions."""
    multiple = {} if multiple is None else multiple
    if not isinstance(multiple, Mapping):
        raise ValueError(f"multiple has to be a dict of numbers by dimension, got {multiple!r}")
    pair = () if square is None else (square,) if isinstance(square, str) else tuple(square)
    if square is not None and len(pair) != 2:
        raise ValueError(f"square has to name two dimensions, got {square!r}")
    named = {
        "shape": shape,
        "multiple": multiple,
        "square": pair,
        "align": align if isinstance(align, Mapping) else (),
        "too_long": too_long if isinstance(too_long, Mapping) else (),
    }
    for what, given in named.items():
        for dim in given:
            if dim not in sizes:
                known = ", ".join(map(repr, sizes)) or "none"
                raise ValueError(f"{what} names dimension {dim!r}; the dimensions are {known}")
    dims = [dim for dim in sizes if dim in shape or dim in multiple or dim in pair]

    def each(given, default):
        return [given.get(dim, default) for dim in dims] if isinstance(given, Mapping) else given

    try:
        pairs = _core.fit_amounts(
            [sizes[dim] for dim in dims],
            each(shape, None),
            each(multiple, None),
            [dims.index(dim) for dim in pair] or None,
            None,
            each(align, "center"),
            each(too_long, "error"),
        )
    except (TypeError, ValueError) as error:
        text = re.sub(
            r"\baxis (\d+)", lambda number: f"dimension {dims[int(number[1])]!r}", str(error)
        )
        raise type(error)(text) from None
    return dict(zip(dims, pairs))


# ---- Blocks that share cells ---------------------------------------------------------------------


class _Halo(NamedTuple):
    """The halo of the blocks of one dimension, for tensorpad.dask.overlap, and for coordinates: how
    they are padded, and which padded cells the blocks hold."""

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
    from . import dask as halo_of_dask  # dask is installed if there are arrays of it

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
        raise TypeError(f"{label} is not an array of dask: use .chunk(...) first")
    from . import dask

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
    )
    padded = xarray.Dataset(coords=_variables.coordinates(obj, given, coords, keep_attrs))
    return padded.isel(
        {dim: halo.cells for dim, halo in halos.items() if dim in padded.dims}
    ).coords


# ---- The accessor --------------------------------------------------------------------------------


def _register():
    for kind, register in (
        (xarray.DataArray, xarray.register_dataarray_accessor),
        (xarray.Dataset, xarray.register_dataset_accessor),
    ):
        before = getattr(kind, "tensorpad", None)
        if getattr(before, "__module__", None) == Accessor.__module__:
            del kind.tensorpad  # of an earlier import; for any other accessor xarray warns
        register("tensorpad")(Accessor)


_register()
