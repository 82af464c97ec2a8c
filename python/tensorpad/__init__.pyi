from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, SupportsIndex, SupportsInt, TypeAlias, TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import mli as mli, ngraph as ngraph, onnx as onnx, openvino as openvino
from ._errors import SpecError as SpecError
from ._files import PadNode as PadNode, inspect_model as inspect_model, run_model as run_model
from ._plan import Plan as Plan

__version__: str
__all__: list[str]

Mode: TypeAlias = Literal[
    "constant", "edge", "reflect", "symmetric", "wrap",
    "empty", "linear_ramp", "maximum", "mean", "median", "minimum"]
# One item for each named axis. The keys are integers of Python or NumPy. They are Any here because
# type checkers infer no Literal for the items where the keys are a union.
_Item = TypeVar("_Item")
ByAxis: TypeAlias = Mapping[Any, _Item]
Integers: TypeAlias = Sequence[SupportsIndex] | NDArray[np.integer[Any]]
PadWidth: TypeAlias = ArrayLike | ByAxis[SupportsIndex | Integers]
Modes: TypeAlias = Mode | Sequence[Mode] | ByAxis[Mode]
Interior: TypeAlias = SupportsIndex | Integers | ByAxis[SupportsIndex]
Order: TypeAlias = Literal["window", "crop"]
Axes: TypeAlias = SupportsIndex | Iterable[SupportsIndex] | None
Packed: TypeAlias = Literal["int4", "uint4", "int2", "uint2", "float4e2m1", "i4", "u4", "u2",
                            "u1", "nf4", "f4e2m1"]

_Out = TypeVar("_Out")
_Scalar = TypeVar("_Scalar", bound=np.generic)

@overload
def pad(array: NDArray[_Scalar], pad_width: PadWidth,
        mode: Modes | Callable[..., Any] = "constant", *, constant_values: Any = 0,
        interior: Interior = 0, order: Order = "window", axes: Axes = None, out: None = None,
        threads: SupportsIndex | None = None, **kwargs: Any) -> NDArray[_Scalar]: ...
@overload
def pad(array: Any, pad_width: PadWidth, mode: Modes | Callable[..., Any] = "constant", *,
        constant_values: Any = 0, interior: Interior = 0, order: Order = "window",
        axes: Axes = None, out: None = None, threads: SupportsIndex | None = None,
        **kwargs: Any) -> Any: ...
@overload
def pad(array: Any, pad_width: PadWidth, mode: Modes | Callable[..., Any] = "constant", *,
        constant_values: Any = 0, interior: Interior = 0, order: Order = "window",
        axes: Axes = None, out: _Out, threads: SupportsIndex | None = None,
        **kwargs: Any) -> _Out: ...

@overload
def pad_packed(data: Any, shape: Integers, dtype: Packed, pad_width: PadWidth,
               mode: Modes = "constant", *, constant_values: SupportsInt = 0,
               interior: Interior = 0, order: Order = "window", axes: Axes = None,
               out: None = None, threads: SupportsIndex | None = None) -> NDArray[np.uint8]: ...
@overload
def pad_packed(data: Any, shape: Integers, dtype: Packed, pad_width: PadWidth,
               mode: Modes = "constant", *, constant_values: SupportsInt = 0,
               interior: Interior = 0, order: Order = "window", axes: Axes = None,
               out: _Out, threads: SupportsIndex | None = None) -> _Out: ...

@overload
def unpad(array: NDArray[_Scalar], pad_width: PadWidth, *, interior: Interior = 0,
          axes: Axes = None) -> NDArray[_Scalar]: ...
@overload
def unpad(array: Any, pad_width: PadWidth, *, interior: Interior = 0,
          axes: Axes = None) -> Any: ...

def pad_shape(shape: Integers, pad_width: PadWidth, mode: Modes = "constant", *,
              interior: Interior = 0, order: Order = "window",
              axes: Axes = None) -> tuple[int, ...]: ...
def pad_border(out: _Out, pad_width: PadWidth, mode: Modes = "constant", *,
               constant_values: Any = 0, interior: Interior = 0, axes: Axes = None,
               threads: SupportsIndex | None = None) -> _Out: ...
def thread_count() -> int: ...
def set_threads(count: SupportsIndex | None) -> None: ...
