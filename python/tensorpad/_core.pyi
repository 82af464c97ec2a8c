# The extension. Its functions for users have their types in the stubs of their own modules.
from collections.abc import Sequence
from types import ModuleType
from typing import Any, SupportsIndex, TypeAlias

import numpy as np
from numpy.typing import NDArray

from . import (pad as pad, _Align, _Amounts, _Axes, _Interior, _Modes, _Order, _PadWidth, _Sizes,
               _TooLong)

version: str
modes: dict[str, int]
openvino_types: dict[str, str]  # by ONNX's words

_Array: TypeAlias = NDArray[Any]
_Plan: TypeAlias = object
_Integers: TypeAlias = Sequence[SupportsIndex]
_AxisList: TypeAlias = tuple[tuple[int, int, int, int, int], ...]

def set_helpers(module: ModuleType, /) -> None: ...
def set_threads(count: SupportsIndex | None, /) -> None: ...
def thread_count() -> int: ...
def axes(rank: int, pad_width: _PadWidth, mode: _Modes, interior: _Interior, order: _Order,
         axes: _Axes, /) -> _AxisList: ...
def fit_amounts(extents: _Integers, shape: _Sizes, multiple: _Sizes,
                square: Sequence[SupportsIndex] | NDArray[np.integer[Any]] | None, axes: _Axes,
                align: _Align, too_long: _TooLong, /) -> _Amounts: ...
def move(src: _Array, dst: _Array, axes: _AxisList, values: _Array, threads: int | None,
         /) -> None: ...
def plan(shape: _Integers, axes: _AxisList, bits: int,
         /) -> tuple[_Plan, tuple[int, ...], tuple[int, ...]]: ...
def plan_run(plan: _Plan, fill: _Array, dtype: np.dtype[Any], array: Any, out: Any,
             threads: SupportsIndex | None, /) -> Any: ...
def plan_box(plan: _Plan, fill: _Array, dtype: np.dtype[Any], array: Any, out: Any,
             threads: SupportsIndex | None, first: _Integers, extents: _Integers,
             in_first: _Integers | None, /) -> Any: ...
def plan_needs(plan: _Plan, first: _Integers, extents: _Integers,
               /) -> tuple[tuple[int, ...], tuple[int, ...]]: ...
def plan_sources(plan: _Plan, axis: int, first: int, extent: int,
                 /) -> tuple[tuple[int, int, int, int], ...]: ...
def plan_describe(plan: _Plan, /) -> str: ...
def show(shape: _Integers, axes: _AxisList, labels: list[str] | None, fill: str, form: str,
         /) -> bytes: ...
