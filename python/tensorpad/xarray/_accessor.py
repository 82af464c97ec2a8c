"""The pad of DataArrays and Datasets, as a function and as an accessor.
SPDX-License-Identifier: MIT"""
from collections.abc import Mapping

import xarray

from . import _coordinates, _variables

__all__ = ["Accessor", "pad"]


class Accessor:
    """The accessor .tensorpad of a DataArray or Dataset."""

    def __init__(self, obj):
        self._obj = obj

    def pad(self, pad_width=None, mode="constant", stat_length=None, constant_values=None,
            end_values=None, reflect_type=None, keep_attrs=None, *, constant_dim=None,
            coords=None, interior=None, order="window", chunks="like", **pad_width_kwargs):
        """The padded DataArray or Dataset: tensorpad.xarray.pad of it."""
        return pad(self._obj, pad_width, mode, stat_length, constant_values, end_values,
                   reflect_type, keep_attrs, constant_dim=constant_dim, coords=coords,
                   interior=interior, order=order, chunks=chunks, **pad_width_kwargs)


def pad(obj, pad_width=None, mode="constant", stat_length=None, constant_values=None,
        end_values=None, reflect_type=None, keep_attrs=None, *, constant_dim=None, coords=None,
        interior=None, order="window", chunks="like", **pad_width_kwargs):
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
    if not isinstance(obj, (xarray.DataArray, xarray.Dataset)):
        raise TypeError(f"a DataArray or Dataset of xarray is padded here, got {type(obj)}")
    given = _variables.padding(
        obj.sizes, _pad_width(pad_width, pad_width_kwargs), mode, interior, order, chunks,
        constant_dim, constant_values=constant_values, reflect_type=reflect_type, stat_length=stat_length,
        end_values=end_values)
    if keep_attrs is None:
        keep_attrs = xarray.get_options()["keep_attrs"] in ("default", True)
    if isinstance(obj, xarray.DataArray):
        return _pad_array(obj, given, coords, keep_attrs)
    return _pad_dataset(obj, given, coords, keep_attrs)


def _pad_width(pad_width, pad_width_kwargs):
    if pad_width is None:
        return pad_width_kwargs
    if not isinstance(pad_width, Mapping):
        raise ValueError("pad_width has to be a dict of amounts by dimension, got "
                         f"{type(pad_width).__name__}")
    if pad_width_kwargs:
        raise ValueError("pad_width is given as a dict and as keywords: use one of them")
    return pad_width


def _check_names(constant_values, names):
    for name in constant_values if isinstance(constant_values, Mapping) else ():
        if name not in names:
            raise ValueError(f"constant_values names {name!r}; there are "
                             f"{', '.join(map(repr, names))}")


def _pad_array(array, given, coords, keep_attrs):
    _check_names(given.constant_values, dict.fromkeys((*array.dims, *array.coords)))
    made = array.variable
    if any(dim in given.widths for dim in array.dims):
        label = "the array" if array.name is None else f"array {array.name!r}"
        made = _variables.padded(array.variable, given, label)
        made.attrs = array.attrs if keep_attrs else {}
    return xarray.DataArray(made, _coordinates.padded(array, given, coords, keep_attrs),
                            name=array.name)


def _pad_dataset(dataset, given, coords, keep_attrs):
    _check_names(given.constant_values, dict.fromkeys((*dataset.sizes, *dataset.variables)))
    made = {}
    for name, array in dataset.data_vars.items():
        made[name] = array.variable
        if any(dim in given.widths for dim in array.dims):
            own = given._replace(constant_values=_own(given.constant_values, name, array.dims))
            made[name] = _variables.padded(array.variable, own, f"variable {name!r}")
            made[name].attrs = array.attrs if keep_attrs else {}
    padded = xarray.Dataset(made, _coordinates.padded(dataset, given, coords, keep_attrs),
                            dataset.attrs if keep_attrs else None)
    padded.encoding = dict(dataset.encoding)
    return padded


def _own(constant_values, name, dims):
    """The constant values of one variable of a Dataset."""
    if not isinstance(constant_values, Mapping):
        return constant_values
    if name in constant_values:
        return constant_values[name]
    return {dim: constant_values[dim] for dim in dims if dim in constant_values}
