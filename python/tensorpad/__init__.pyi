from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, SupportsIndex, SupportsInt, TypeAlias, TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import (
    dask as dask,
    mli as mli,
    ngraph as ngraph,
    onnx as onnx,
    onnxruntime as onnxruntime,
    openvino as openvino,
    torch as torch,
    xarray as xarray,
    zarr as zarr,
)
from ._batch import pad_batch_dict as pad_batch_dict, unpad_batch as unpad_batch
from ._errors import SpecError as SpecError
from ._model_files import (
    PadNode as PadNode,
    check_model as check_model,
    explain as explain,
    inspect_model as inspect_model,
    lower_model as lower_model,
    run_model as run_model,
)
from ._pack import (
    block_mask as block_mask,
    pack_batch as pack_batch,
    unpack_batch as unpack_batch,
)
from ._plan import Plan as Plan
from ._sample import pad_sample as pad_sample, unpad_sample as unpad_sample
from ._show import show as show
from ._threads import set_threads as set_threads
from ._windows import window_widths as window_widths

__version__: str
__all__ = [
    "PadNode",
    "Plan",
    "SpecError",
    "block_mask",
    "check_model",
    "explain",
    "inspect_model",
    "lower_model",
    "mli",
    "ngraph",
    "onnx",
    "openvino",
    "pack_batch",
    "pad",
    "pad_adjoint",
    "pad_batch",
    "pad_batch_dict",
    "pad_border",
    "pad_packed",
    "pad_sample",
    "pad_shape",
    "pad_to",
    "run_model",
    "set_threads",
    "show",
    "thread_count",
    "unpack_batch",
    "unpad",
    "unpad_batch",
    "unpad_sample",
    "window_widths",
]

_Mode: TypeAlias = Literal[
    "constant",
    "edge",
    "reflect",
    "symmetric",
    "wrap",
    "empty",
    "linear_ramp",
    "maximum",
    "mean",
    "median",
    "minimum",
]
# One item for each named axis. The keys are Python or NumPy integers; they are Any here because
# type checkers infer no Literal for the items if the keys are a union.
_Item = TypeVar("_Item")
_ByAxis: TypeAlias = Mapping[Any, _Item]
_Integers: TypeAlias = Sequence[SupportsIndex] | NDArray[np.integer[Any]]
_Shape: TypeAlias = SupportsIndex | _Integers
_PadWidth: TypeAlias = ArrayLike | _ByAxis[SupportsIndex | _Integers]
_Modes: TypeAlias = _Mode | Sequence[_Mode] | _ByAxis[_Mode]
# The modes that move elements.
_Move: TypeAlias = Literal["constant", "edge", "reflect", "symmetric", "wrap"]
_Moves: TypeAlias = _Move | Sequence[_Move] | _ByAxis[_Move]
_Interior: TypeAlias = SupportsIndex | _Integers | _ByAxis[SupportsIndex]
_Order: TypeAlias = Literal["window", "crop"]
_Axis: TypeAlias = SupportsIndex | None
_Axes: TypeAlias = SupportsIndex | Iterable[SupportsIndex] | None
_Multiple: TypeAlias = SupportsIndex | Literal["power_of_two"] | None
_Multiples: TypeAlias = (
    _Multiple | Sequence[_Multiple] | NDArray[np.integer[Any]] | _ByAxis[_Multiple]
)
_Bucket: TypeAlias = Sequence[SupportsIndex] | NDArray[np.integer[Any]]
_Buckets: TypeAlias = _Bucket | _ByAxis[_Bucket] | None
_Sizes: TypeAlias = (
    SupportsIndex
    | Sequence[SupportsIndex | None]
    | NDArray[np.integer[Any]]
    | _ByAxis[SupportsIndex | None]
    | None
)
_AlignOne: TypeAlias = Literal["start", "center", "end"] | SupportsIndex
_Align: TypeAlias = _AlignOne | Sequence[_AlignOne] | _ByAxis[_AlignOne]
_TooLongOne: TypeAlias = Literal["error", "crop", "crop_end", "crop_start", "crop_center", "keep"]
_TooLong: TypeAlias = _TooLongOne | Sequence[_TooLongOne] | _ByAxis[_TooLongOne]
_Window: TypeAlias = Literal["same_upper", "same_lower", "same", "causal"]
_Amounts: TypeAlias = tuple[tuple[int, int], ...]
_Packed: TypeAlias = Literal[
    "int4", "uint4", "int2", "uint2", "float4e2m1", "i4", "u4", "u2", "u1", "nf4", "f4e2m1"
]

_Out = TypeVar("_Out")
_Scalar = TypeVar("_Scalar", bound=np.generic)
# Anything but a NumPy array. If a fallback takes Any, mypy turns the result for an NDArray[Any] into Any.
_Thing = TypeVar("_Thing")
_Masked = TypeVar("_Masked", bound=np.ma.MaskedArray[Any, Any])

@overload
def pad(
    array: _Masked,
    pad_width: _PadWidth,
    mode: _Modes = "constant",
    *,
    constant_values: Any = 0,
    constant_axis: _Axis = None,
    interior: _Interior = 0,
    order: _Order = "window",
    axes: _Axes = None,
    out: None = None,
    threads: SupportsIndex | None = None,
    **kwargs: Any,
) -> _Masked: ...
@overload
def pad(
    array: NDArray[_Scalar],
    pad_width: _PadWidth,
    mode: _Modes | Callable[..., Any] = "constant",
    *,
    constant_values: Any = 0,
    constant_axis: _Axis = None,
    interior: _Interior = 0,
    order: _Order = "window",
    axes: _Axes = None,
    out: None = None,
    threads: SupportsIndex | None = None,
    **kwargs: Any,
) -> NDArray[_Scalar]: ...
@overload
def pad(
    array: _Thing,
    pad_width: _PadWidth,
    mode: _Modes | Callable[..., Any] = "constant",
    *,
    constant_values: Any = 0,
    constant_axis: _Axis = None,
    interior: _Interior = 0,
    order: _Order = "window",
    axes: _Axes = None,
    out: None = None,
    threads: SupportsIndex | None = None,
    **kwargs: Any,
) -> Any: ...
@overload
def pad(
    array: Any,
    pad_width: _PadWidth,
    mode: _Modes | Callable[..., Any] = "constant",
    *,
    constant_values: Any = 0,
    constant_axis: _Axis = None,
    interior: _Interior = 0,
    order: _Order = "window",
    axes: _Axes = None,
    out: _Out,
    threads: SupportsIndex | None = None,
    **kwargs: Any,
) -> _Out: ...
@overload
def pad_to(
    x: _Masked,
    shape: _Sizes = None,
    *,
    multiple: _Multiples = None,
    buckets: _Buckets = None,
    square: _Integers | None = None,
    axes: _Axes = None,
    align: _Align = "center",
    too_long: _TooLong = "error",
    mode: _Modes = "constant",
    constant_values: Any = 0,
    constant_axis: _Axis = None,
    out: None = None,
    threads: SupportsIndex | None = None,
    return_amounts: Literal[False] = False,
) -> _Masked: ...
@overload
def pad_to(
    x: NDArray[_Scalar],
    shape: _Sizes = None,
    *,
    multiple: _Multiples = None,
    buckets: _Buckets = None,
    square: _Integers | None = None,
    axes: _Axes = None,
    align: _Align = "center",
    too_long: _TooLong = "error",
    mode: _Modes | Callable[..., Any] = "constant",
    constant_values: Any = 0,
    constant_axis: _Axis = None,
    out: None = None,
    threads: SupportsIndex | None = None,
    return_amounts: Literal[False] = False,
) -> NDArray[_Scalar]: ...
@overload
def pad_to(
    x: NDArray[_Scalar],
    shape: _Sizes = None,
    *,
    multiple: _Multiples = None,
    buckets: _Buckets = None,
    square: _Integers | None = None,
    axes: _Axes = None,
    align: _Align = "center",
    too_long: _TooLong = "error",
    mode: _Modes | Callable[..., Any] = "constant",
    constant_values: Any = 0,
    constant_axis: _Axis = None,
    out: None = None,
    threads: SupportsIndex | None = None,
    return_amounts: Literal[True],
) -> tuple[NDArray[_Scalar], _Amounts]: ...
@overload
def pad_to(
    x: _Thing,
    shape: _Sizes = None,
    *,
    multiple: _Multiples = None,
    buckets: _Buckets = None,
    square: _Integers | None = None,
    axes: _Axes = None,
    align: _Align = "center",
    too_long: _TooLong = "error",
    mode: _Modes | Callable[..., Any] = "constant",
    constant_values: Any = 0,
    constant_axis: _Axis = None,
    out: None = None,
    threads: SupportsIndex | None = None,
    return_amounts: Literal[False] = False,
) -> Any: ...
@overload
def pad_to(
    x: _Thing,
    shape: _Sizes = None,
    *,
    multiple: _Multiples = None,
    buckets: _Buckets = None,
    square: _Integers | None = None,
    axes: _Axes = None,
    align: _Align = "center",
    too_long: _TooLong = "error",
    mode: _Modes | Callable[..., Any] = "constant",
    constant_values: Any = 0,
    constant_axis: _Axis = None,
    out: None = None,
    threads: SupportsIndex | None = None,
    return_amounts: Literal[True],
) -> tuple[Any, _Amounts]: ...
@overload
def pad_to(
    x: Any,
    shape: _Sizes = None,
    *,
    multiple: _Multiples = None,
    buckets: _Buckets = None,
    square: _Integers | None = None,
    axes: _Axes = None,
    align: _Align = "center",
    too_long: _TooLong = "error",
    mode: _Modes | Callable[..., Any] = "constant",
    constant_values: Any = 0,
    constant_axis: _Axis = None,
    out: _Out,
    threads: SupportsIndex | None = None,
    return_amounts: Literal[False] = False,
) -> _Out: ...
@overload
def pad_to(
    x: Any,
    shape: _Sizes = None,
    *,
    multiple: _Multiples = None,
    buckets: _Buckets = None,
    square: _Integers | None = None,
    axes: _Axes = None,
    align: _Align = "center",
    too_long: _TooLong = "error",
    mode: _Modes | Callable[..., Any] = "constant",
    constant_values: Any = 0,
    constant_axis: _Axis = None,
    out: _Out,
    threads: SupportsIndex | None = None,
    return_amounts: Literal[True],
) -> tuple[_Out, _Amounts]: ...
@overload
def pad_to(
    x: _Thing,
    shape: _Sizes = None,
    *,
    multiple: _Multiples = None,
    buckets: _Buckets = None,
    square: _Integers | None = None,
    axes: _Axes = None,
    align: _Align = "center",
    too_long: _TooLong = "error",
    mode: _Modes | Callable[..., Any] = "constant",
    constant_values: Any = 0,
    constant_axis: _Axis = None,
    out: Any = None,
    threads: SupportsIndex | None = None,
    return_amounts: bool,
) -> Any: ...
@overload
def pad_batch(
    items: Iterable[NDArray[_Scalar]],
    *,
    shape: _Sizes = None,
    multiple: _Multiples = None,
    buckets: _Buckets = None,
    at_most: _Sizes = None,
    axes: _Axes = None,
    align: _Align = "start",
    too_long: _TooLong = "error",
    mode: _Moves = "constant",
    constant_values: Any = 0,
    constant_axis: _Axis | Literal["item"] = None,
    dtype: None = None,
    out: None = None,
    mask: Literal[False] = False,
    lengths: Literal[False] = False,
    threads: SupportsIndex | None = None,
) -> NDArray[_Scalar]: ...
@overload
def pad_batch(
    items: Iterable[_Thing],
    *,
    shape: _Sizes = None,
    multiple: _Multiples = None,
    buckets: _Buckets = None,
    at_most: _Sizes = None,
    axes: _Axes = None,
    align: _Align = "start",
    too_long: _TooLong = "error",
    mode: _Moves = "constant",
    constant_values: Any = 0,
    constant_axis: _Axis | Literal["item"] = None,
    dtype: Any = None,
    out: None = None,
    mask: Literal[False] = False,
    lengths: Literal[False] = False,
    threads: SupportsIndex | None = None,
) -> Any: ...
@overload
def pad_batch(
    items: Iterable[Any],
    *,
    shape: _Sizes = None,
    multiple: _Multiples = None,
    buckets: _Buckets = None,
    at_most: _Sizes = None,
    axes: _Axes = None,
    align: _Align = "start",
    too_long: _TooLong = "error",
    mode: _Moves = "constant",
    constant_values: Any = 0,
    constant_axis: _Axis | Literal["item"] = None,
    dtype: Any = None,
    out: _Out,
    mask: Literal[False] = False,
    lengths: Literal[False] = False,
    threads: SupportsIndex | None = None,
) -> _Out: ...
@overload
def pad_batch(
    items: Iterable[Any],
    *,
    shape: _Sizes = None,
    multiple: _Multiples = None,
    buckets: _Buckets = None,
    at_most: _Sizes = None,
    axes: _Axes = None,
    align: _Align = "start",
    too_long: _TooLong = "error",
    mode: _Moves = "constant",
    constant_values: Any = 0,
    constant_axis: _Axis | Literal["item"] = None,
    dtype: Any = None,
    out: Any = None,
    mask: Literal[True],
    lengths: Literal[True],
    threads: SupportsIndex | None = None,
) -> tuple[Any, Any, Any]: ...
@overload
def pad_batch(
    items: Iterable[Any],
    *,
    shape: _Sizes = None,
    multiple: _Multiples = None,
    buckets: _Buckets = None,
    at_most: _Sizes = None,
    axes: _Axes = None,
    align: _Align = "start",
    too_long: _TooLong = "error",
    mode: _Moves = "constant",
    constant_values: Any = 0,
    constant_axis: _Axis | Literal["item"] = None,
    dtype: Any = None,
    out: Any = None,
    mask: Literal[True],
    lengths: Literal[False] = False,
    threads: SupportsIndex | None = None,
) -> tuple[Any, Any]: ...
@overload
def pad_batch(
    items: Iterable[Any],
    *,
    shape: _Sizes = None,
    multiple: _Multiples = None,
    buckets: _Buckets = None,
    at_most: _Sizes = None,
    axes: _Axes = None,
    align: _Align = "start",
    too_long: _TooLong = "error",
    mode: _Moves = "constant",
    constant_values: Any = 0,
    constant_axis: _Axis | Literal["item"] = None,
    dtype: Any = None,
    out: Any = None,
    mask: Literal[False] = False,
    lengths: Literal[True],
    threads: SupportsIndex | None = None,
) -> tuple[Any, Any]: ...
@overload
def pad_batch(
    items: Iterable[_Thing],
    *,
    shape: _Sizes = None,
    multiple: _Multiples = None,
    buckets: _Buckets = None,
    at_most: _Sizes = None,
    axes: _Axes = None,
    align: _Align = "start",
    too_long: _TooLong = "error",
    mode: _Moves = "constant",
    constant_values: Any = 0,
    constant_axis: _Axis | Literal["item"] = None,
    dtype: Any = None,
    out: Any = None,
    mask: bool = False,
    lengths: bool = False,
    threads: SupportsIndex | None = None,
) -> Any: ...
@overload
def pad_adjoint(
    grad: NDArray[_Scalar],
    shape: _Shape,
    pad_width: _PadWidth,
    mode: _Moves = "constant",
    *,
    interior: _Interior = 0,
    order: _Order = "window",
    axes: _Axes = None,
    out: None = None,
    add: Literal[False] = False,
    threads: SupportsIndex | None = None,
) -> NDArray[_Scalar]: ...
@overload
def pad_adjoint(
    grad: _Thing,
    shape: _Shape,
    pad_width: _PadWidth,
    mode: _Moves = "constant",
    *,
    interior: _Interior = 0,
    order: _Order = "window",
    axes: _Axes = None,
    out: None = None,
    add: Literal[False] = False,
    threads: SupportsIndex | None = None,
) -> Any: ...
@overload
def pad_adjoint(
    grad: Any,
    shape: _Shape,
    pad_width: _PadWidth,
    mode: _Moves = "constant",
    *,
    interior: _Interior = 0,
    order: _Order = "window",
    axes: _Axes = None,
    out: _Out,
    add: bool = False,
    threads: SupportsIndex | None = None,
) -> _Out: ...
@overload
def pad_packed(
    data: Any,
    shape: _Shape,
    dtype: _Packed,
    pad_width: _PadWidth,
    mode: _Modes = "constant",
    *,
    constant_values: SupportsInt = 0,
    interior: _Interior = 0,
    order: _Order = "window",
    axes: _Axes = None,
    out: None = None,
    threads: SupportsIndex | None = None,
) -> NDArray[np.uint8]: ...
@overload
def pad_packed(
    data: Any,
    shape: _Shape,
    dtype: _Packed,
    pad_width: _PadWidth,
    mode: _Modes = "constant",
    *,
    constant_values: SupportsInt = 0,
    interior: _Interior = 0,
    order: _Order = "window",
    axes: _Axes = None,
    out: _Out,
    threads: SupportsIndex | None = None,
) -> _Out: ...
@overload
def unpad(
    array: _Masked, pad_width: _PadWidth, *, interior: _Interior = 0, axes: _Axes = None
) -> _Masked: ...
@overload
def unpad(
    array: NDArray[_Scalar], pad_width: _PadWidth, *, interior: _Interior = 0, axes: _Axes = None
) -> NDArray[_Scalar]: ...
@overload
def unpad(
    array: _Thing, pad_width: _PadWidth, *, interior: _Interior = 0, axes: _Axes = None
) -> Any: ...
def pad_shape(
    shape: _Shape,
    pad_width: _PadWidth,
    mode: _Modes = "constant",
    *,
    interior: _Interior = 0,
    order: _Order = "window",
    axes: _Axes = None,
) -> tuple[int, ...]: ...
def pad_border(
    out: _Out,
    pad_width: _PadWidth,
    mode: _Modes = "constant",
    *,
    constant_values: Any = 0,
    constant_axis: _Axis = None,
    interior: _Interior = 0,
    axes: _Axes = None,
    threads: SupportsIndex | None = None,
) -> _Out: ...
def thread_count() -> int: ...
