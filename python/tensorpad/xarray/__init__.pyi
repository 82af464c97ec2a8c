from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, Literal, SupportsIndex, TypeAlias, TypeVar

import xarray

from .. import _AlignOne, _Integers, _Mode, _Order, _TooLongOne

__all__ = ["Accessor", "overlap", "pad", "pad_to"]

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

class Accessor(Generic[_Xarray]):
    def __init__(self, obj: _Xarray) -> None: ...
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
    ) -> _Xarray: ...
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
    ) -> _Xarray: ...
    def overlap(
        self,
        depth: _PadWidth = None,
        boundary: Any = None,
        *,
        keep_attrs: bool | None = None,
        coords: _Coords = None,
        **depth_kwargs: SupportsIndex | _Integers,
    ) -> _Xarray: ...

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
) -> _Xarray: ...
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
) -> _Xarray: ...
def overlap(
    obj: _Xarray,
    depth: _PadWidth = None,
    boundary: Any = None,
    *,
    keep_attrs: bool | None = None,
    coords: _Coords = None,
    **depth_kwargs: SupportsIndex | _Integers,
) -> _Xarray: ...
