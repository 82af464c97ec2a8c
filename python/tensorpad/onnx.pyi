from typing import Any, Literal, SupportsIndex, SupportsInt, TypeAlias, TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _Shape, _Thing

__all__ = ["pad", "pad_packed"]

# "symmetric" is not a mode of ONNX: it needs lenient=True.
_Mode: TypeAlias = Literal["constant", "reflect", "edge", "wrap", "symmetric"]
_Packed: TypeAlias = Literal["int4", "uint4", "int2", "uint2", "float4e2m1"]
_Out = TypeVar("_Out")
_Scalar = TypeVar("_Scalar", bound=np.generic)

@overload
def pad(
    data: NDArray[_Scalar],
    pads: ArrayLike,
    constant_value: Any = None,
    axes: ArrayLike | None = None,
    mode: _Mode | None = "constant",
    *,
    opset: SupportsIndex = 25,
    lenient: bool = False,
    out: None = None,
    threads: SupportsIndex | None = None,
) -> NDArray[_Scalar]: ...
@overload
def pad(
    data: _Thing,
    pads: ArrayLike,
    constant_value: Any = None,
    axes: ArrayLike | None = None,
    mode: _Mode | None = "constant",
    *,
    opset: SupportsIndex = 25,
    lenient: bool = False,
    out: None = None,
    threads: SupportsIndex | None = None,
) -> Any: ...
@overload
def pad(
    data: Any,
    pads: ArrayLike,
    constant_value: Any = None,
    axes: ArrayLike | None = None,
    mode: _Mode | None = "constant",
    *,
    opset: SupportsIndex = 25,
    lenient: bool = False,
    out: _Out,
    threads: SupportsIndex | None = None,
) -> _Out: ...
@overload
def pad_packed(
    data: Any,
    shape: _Shape,
    dtype: _Packed,
    pads: ArrayLike,
    constant_value: SupportsInt | None = None,
    axes: ArrayLike | None = None,
    mode: _Mode | None = "constant",
    *,
    opset: SupportsIndex = 25,
    lenient: bool = False,
    out: None = None,
    threads: SupportsIndex | None = None,
) -> NDArray[np.uint8]: ...
@overload
def pad_packed(
    data: Any,
    shape: _Shape,
    dtype: _Packed,
    pads: ArrayLike,
    constant_value: SupportsInt | None = None,
    axes: ArrayLike | None = None,
    mode: _Mode | None = "constant",
    *,
    opset: SupportsIndex = 25,
    lenient: bool = False,
    out: _Out,
    threads: SupportsIndex | None = None,
) -> _Out: ...
