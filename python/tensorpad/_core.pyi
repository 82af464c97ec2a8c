# The extension. Its public functions have their types in the stubs of their own modules.
from collections.abc import Callable, Sequence
from typing import Any, SupportsIndex, TypeAlias

import numpy as np
from numpy.typing import NDArray

from . import (
    _Align,
    _Amounts,
    _Axes,
    _Interior,
    _Modes,
    _Order,
    _PadWidth,
    _Sizes,
    _TooLong,
    pad as pad,
)

version: str
modes: dict[str, int]
openvino_types: dict[str, str]  # by ONNX's names

_Array: TypeAlias = NDArray[Any]
_Plan: TypeAlias = object
_Integers: TypeAlias = Sequence[SupportsIndex]
_AxisList: TypeAlias = tuple[tuple[int, int, int, int, int], ...]

def set_torch(asked: tuple[Any, ...], /) -> None: ...
def set_threads(count: SupportsIndex | None, /) -> None: ...
def ask_torch(whether: bool, /) -> None: ...
def thread_count() -> int: ...
def gpu_open(addresses: tuple[int, ...], /) -> None: ...
def gpu_switch(kind: int, few_bytes: int, short_row: int, /) -> None: ...
def gpu_device(address: int, /) -> int: ...
def gpu_source() -> bytes: ...
def gpu_run(
    number: int,
    add: bool,
    shape: _Integers,
    axes: _AxisList,
    item_bytes: int,
    unit: int,
    src: tuple[int, _Integers],
    dst: tuple[int, _Integers],
    fill: bytes | tuple[int, _Integers] | None,
    device: int,
    stream: int,
    /,
) -> bool: ...
def integer(value: Any, what: str, wanted: str, /) -> int: ...
def shape(shape: Any, what: str, /) -> tuple[int, ...]: ...
def axes(
    rank: int,
    pad_width: _PadWidth,
    mode: _Modes,
    interior: _Interior,
    order: _Order,
    axes: _Axes,
    /,
) -> _AxisList: ...
def pad_values(
    array: _Array,
    axes: _AxisList,
    mode: _Modes,
    constant_values: Any,
    constant_axis: Any,
    axes_of_values: _Axes,
    exact: bool,
    /,
) -> _Array: ...
def batch_axes(items: Any, **words: Any) -> tuple[tuple[_AxisList, ...], _Array]: ...
def fit_amounts(
    extents: _Integers,
    shape: _Sizes,
    multiple: Any,
    square: Sequence[SupportsIndex] | NDArray[np.integer[Any]] | None,
    axes: _Axes,
    align: _Align,
    too_long: _TooLong,
    buckets: Any = None,
    /,
) -> _Amounts: ...
def move(
    src: _Array, dst: _Array, axes: _AxisList, values: _Array, threads: int | None, /
) -> None: ...
def move_back(
    grad: _Array, dst: _Array, axes: _AxisList, bfloat16: bool, threads: int | None, /
) -> None: ...

# A torch tensor, or None if left to Python. torch_number: torch.get_num_threads
def tensor_pad(x: Any, axes: _AxisList, value: Any, torch_number: Callable[..., int], /) -> Any: ...
def tensor_call(
    x: Any,
    pad_width: Any,
    mode: Any,
    interior: Any,
    order: Any,
    axes: Any,
    value: Any,
    torch: tuple[Any, ...],
    as_torch: bool,
    /,
) -> Any: ...
def tensor_to(
    x: Any,
    shape: Any,
    multiple: Any,
    square: Any,
    axes: Any,
    align: Any,
    too_long: Any,
    mode: Any,
    value: Any,
    return_amounts: bool,
    buckets: Any,
    /,
) -> Any: ...
def tensors_seen(items: Any, torch: tuple[Any, ...], /) -> int: ...
def tensor_adjoint(
    grad: Any, shape: _Integers, axes: _AxisList, torch_number: Callable[..., int], /
) -> Any: ...
def plan(
    shape: _Integers, axes: _AxisList, bits: int, /
) -> tuple[_Plan, tuple[int, ...], tuple[int, ...]]: ...
def plan_axes(plan: _Plan, /) -> tuple[tuple[int, ...], _AxisList]: ...
def plan_run(
    plan: _Plan,
    fill: _Array,
    fill_axis: int,
    dtype: np.dtype[Any],
    array: Any,
    out: Any,
    threads: SupportsIndex | None,
    /,
) -> Any: ...
def plan_box(
    plan: _Plan,
    fill: _Array,
    fill_axis: int,
    dtype: np.dtype[Any],
    array: Any,
    out: Any,
    threads: SupportsIndex | None,
    first: _Integers,
    extents: _Integers,
    in_first: _Integers | None,
    /,
) -> Any: ...
def plan_needs(
    plan: _Plan, first: _Integers, extents: _Integers, /
) -> tuple[tuple[int, ...], tuple[int, ...]]: ...
def plan_sources(
    plan: _Plan, axis: int, first: int, extent: int, /
) -> tuple[tuple[int, int, int, int], ...]: ...
def plan_describe(plan: _Plan, /) -> str: ...
def show(
    shape: _Integers,
    axes: _AxisList,
    labels: list[str] | None,
    fill: str,
    fills: list[str] | None,
    fill_axis: int,
    form: str,
    /,
) -> bytes: ...
