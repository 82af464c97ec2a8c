from collections.abc import Sequence
from functools import _lru_cache_wrapper
from typing import Any, SupportsIndex, TypeVar, overload

import numpy as np
from numpy.typing import DTypeLike, NDArray

from . import _Axes, _Axis, _Interior, _Modes, _Order, _PadWidth, _Shape

_Out = TypeVar("_Out")

MAX_BYTES: int
KEPT: int

def axis_number(axis: SupportsIndex, rank: int, name: str = "axis") -> int: ...
def one_axis(axis: SupportsIndex, rank: int) -> int: ...

class Plan:
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def out_shape(self) -> tuple[int, ...]: ...
    @property
    def dtype(self) -> np.dtype[Any]: ...
    def __init__(
        self,
        shape: _Shape,
        pad_width: _PadWidth,
        mode: _Modes = "constant",
        *,
        dtype: DTypeLike = ...,
        constant_values: Any = 0,
        constant_axis: _Axis = None,
        interior: _Interior = 0,
        order: _Order = "window",
        axes: _Axes = None,
    ) -> None: ...
    @overload
    def __call__(
        self, array: Any, out: None = None, threads: SupportsIndex | None = None
    ) -> Any: ...
    @overload
    def __call__(self, array: Any, out: _Out, threads: SupportsIndex | None = None) -> _Out: ...
    def run(self, src: Any, dst: _Out, threads: SupportsIndex | None = None) -> _Out: ...
    @overload
    def box(
        self,
        src: Any,
        first: Sequence[SupportsIndex],
        extents: Sequence[SupportsIndex],
        out: None = None,
        threads: SupportsIndex | None = None,
        *,
        in_first: Sequence[SupportsIndex] | None = None,
    ) -> Any: ...
    @overload
    def box(
        self,
        src: Any,
        first: Sequence[SupportsIndex],
        extents: Sequence[SupportsIndex],
        out: _Out,
        threads: SupportsIndex | None = None,
        *,
        in_first: Sequence[SupportsIndex] | None = None,
    ) -> _Out: ...
    def needs(
        self,
        first: Sequence[SupportsIndex] | None = None,
        extents: Sequence[SupportsIndex] | None = None,
    ) -> tuple[tuple[int, ...], tuple[int, ...]]: ...
    def sources(
        self, axis: SupportsIndex, start: SupportsIndex = 0, stop: SupportsIndex | None = None
    ) -> list[tuple[slice, slice]]: ...
    def describe(self) -> str: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

shared_plan: _lru_cache_wrapper[Plan]
