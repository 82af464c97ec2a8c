"""The pad of DataArrays and Datasets, as a function and as an accessor.
SPDX-License-Identifier: MIT"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Generic, Literal, SupportsIndex, TypeAlias, TypeVar

import xarray

from . import _coordinates, _overlap, _sizes, _variables

if TYPE_CHECKING:
    from .. import _AlignOne, _Integers, _Mode, _Order, _TooLongOne

    # Dimensions and names are anything that can be hashed. They are Any here because type checkers
    # take a Mapping of Hashable for no Mapping of str.
    _PadWidth: TypeAlias = Mapping[Any, SupportsIndex | _Integers] | None
    _Modes: TypeAlias = _Mode | Callable[..., Any] | Mapping[Any, _Mode | Callable[..., Any]]
    _Coord: TypeAlias = Literal["extend", "mode", "nan"] | None
    _Coords: TypeAlias = _Coord | Mapping[Any, _Coord]
    _ReflectType: TypeAlias = Literal["even", "odd"] | None
    _BySize: TypeAlias = Mapping[Any, SupportsIndex | None] | None
    _Aligns: TypeAlias = _AlignOne | Mapping[Any, _AlignOne]
    _TooLongs: TypeAlias = _TooLongOne | Mapping[Any, _TooLongOne]
    _Chunks: TypeAlias = Literal["like", "merge", "regular"]

_Xarray = TypeVar("_Xarray", bound=xarray.DataArray | xarray.Dataset)

__all__ = ["Accessor", "overlap", "pad", "pad_to"]


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

    pad_width: {dimension: cells on both sides, or (before, after)}; negative numbers crop.
        Dimensions can be keywords instead: pad(obj, x=1, y=(2, 0)).
    mode: a mode of tensorpad.pad or a callable, or a dict of modes by dimension; a dimension that
        the dict does not name has mode constant.
    constant_values: for mode constant and interior cells: a value, (before, after), or a dict of
        them by dimension or, for a Dataset, by variable. Dimensions or variables that a dict does
        not name have 0. None: missing values, for which integers and strings get another type, as
        in xarray.
    constant_dim: a dimension; constant_values is then a list with a value for each of its cells in
        the result, such as a colour for a dimension of channels.
    stat_length, end_values, reflect_type: as for numpy.pad, also as a dict by dimension.
    keep_attrs: whether padded variables keep their attributes. None: xarray's option, by default
        yes.
    coords: how coordinates along these dimensions are padded, one word for all or a dict by name:
        "extend": they continue with the step at their edge (300, 360, 420);
        "mode": like the data, with the same mode and keywords;
        "nan": with missing values;
        None: as xarray does it: like the data if the mode repeats elements, otherwise with missing
        values.
    interior: {dimension: cells between two neighbours}. order: "window" or "crop", as for
        tensorpad.pad.
    chunks: of arrays of dask: "like", "merge" or "regular", as for tensorpad.dask.pad.

    Every variable has the dimensions and type that it had, except where missing values need a wider
    type. Arrays of dask stay lazy. Dimension coordinates get an index of pandas; a multi-index and
    the types of pandas (categories, intervals) are kept. Raises ValueError or TypeError, which name
    the variable and its dimensions, for unknown dimensions, coordinates and words, for keywords
    that do not go with the mode, for everything that tensorpad.pad refuses, and if coordinates
    without a step (of one cell, or of strings) would have to be extended.
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

    shape: {dimension: cells of the result}. Dimensions can be keywords instead:
        pad_to(obj, x=16, y=32).
    multiple: {dimension: number}; the sizes are rounded up to multiples of it.
    square: two dimensions, which get the same size.
    align, too_long: as for tensorpad.pad_to, one for all these dimensions, or a dict by dimension.
    mode, constant_values, keep_attrs, coords, chunks: as for `pad`; but a constant that the type of
        a variable cannot hold is an error.

    A dimension that shape, multiple and square do not name stays as it is. Raises ValueError if a
    dimension is too long, and the errors of `pad`.
    """
    _check_type(obj)
    wanted = _by_dimension("shape", "sizes", shape, shape_kwargs)
    amounts = _sizes._amounts(obj.sizes, wanted, multiple, square, align, too_long)
    given = _variables.padding(
        obj.sizes,
        amounts,
        mode,
        None,
        "window",
        chunks,
        constant_values=constant_values,
        reflect_type=None,
        stat_length=None,
        end_values=None,
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

    depth: {dimension: cells on both sides, or (before, after)}. Dimensions can be keywords instead.
    boundary: as for tensorpad.dask.overlap: "periodic", "nearest", "reflect", "mirror", "none" or
        None, or a constant; one for all these dimensions, or a dict by dimension, where a dimension
        that it does not name has "none".
    keep_attrs, coords: as for `pad`. The cells that blocks share have the same coordinates in each.

    Block i of each variable is its block i with its halo. Nothing is rechunked. Raises TypeError if a
    variable with one of these dimensions is no array of dask, and ValueError if the variables have
    different chunks.
    """
    _check_type(obj)
    halos = _overlap._halos(obj, _by_dimension("depth", "cells", depth, depth_kwargs), boundary)
    coordinates = _overlap._overlap_coordinates(obj, halos, coords, _keeps(keep_attrs))
    if isinstance(obj, xarray.DataArray):
        label = "the array" if obj.name is None else f"array {obj.name!r}"
        made = _overlap._overlapped(obj.variable, halos, label, _keeps(keep_attrs))
        return xarray.DataArray(made, coordinates, name=obj.name)
    made = {
        name: _overlap._overlapped(each.variable, halos, f"variable {name!r}", _keeps(keep_attrs))
        for name, each in obj.data_vars.items()
    }
    return xarray.Dataset(made, coordinates, obj.attrs if _keeps(keep_attrs) else None)


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
    made = array.variable
    if any(dim in given.widths for dim in array.dims):
        label = "the array" if array.name is None else f"array {array.name!r}"
        made = _variables.padded(array.variable, given, label)
        made.attrs = array.attrs if keep_attrs else {}
    return xarray.DataArray(
        made, _coordinates.coordinates(array, given, coords, keep_attrs), name=array.name
    )


def _pad_dataset(dataset, given, coords, keep_attrs):
    _check_names(given.constant_values, dict.fromkeys((*dataset.sizes, *dataset.variables)))
    made = {}
    for name, array in dataset.data_vars.items():
        made[name] = array.variable
        if any(dim in given.widths for dim in array.dims):
            own = given._replace(constant_values=_own(given.constant_values, name, array.dims))
            made[name] = _variables.padded(array.variable, own, f"variable {name!r}")
            made[name].attrs = array.attrs if keep_attrs else {}
    padded = xarray.Dataset(
        made,
        _coordinates.coordinates(dataset, given, coords, keep_attrs),
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
