from typing import Any, Literal, SupportsIndex, SupportsInt, TypeAlias, TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _Shape, _Thing

__all__ = ["pad", "pad_packed"]

# "wrap" is not a mode of OpenVINO: it needs lenient=True.
_Mode: TypeAlias = Literal["constant", "edge", "reflect", "symmetric", "wrap"]
_Packed: TypeAlias = Literal["u1", "u2", "u4", "i4", "nf4", "f4e2m1"]
_Out = TypeVar("_Out")
_Scalar = TypeVar("_Scalar", bound=np.generic)

@overload
def pad(
    data: NDArray[_Scalar],
    pads_begin: ArrayLike,
    pads_end: ArrayLike,
    pad_value: Any = None,
    pad_mode: _Mode | None = None,
    *,
    version: SupportsIndex = 1,
    lenient: bool = False,
    out: None = None,
    threads: SupportsIndex | None = None,
) -> NDArray[_Scalar]: ...
@overload
def pad(
    data: _Thing,
    pads_begin: ArrayLike,
    pads_end: ArrayLike,
    pad_value: Any = None,
    pad_mode: _Mode | None = None,
    *,
    version: SupportsIndex = 1,
    lenient: bool = False,
    out: None = None,
    threads: SupportsIndex | None = None,
) -> Any: ...
@overload
def pad(
    data: Any,
    pads_begin: ArrayLike,
    pads_end: ArrayLike,
    pad_value: Any = None,
    pad_mode: _Mode | None = None,
    *,
    version: SupportsIndex = 1,
    lenient: bool = False,
    out: _Out,
    threads: SupportsIndex | None = None,
) -> _Out: ...
@overload
def pad_packed(
    data: Any,
    shape: _Shape,
    dtype: _Packed,
    pads_begin: ArrayLike,
    pads_end: ArrayLike,
    pad_value: SupportsInt | None = None,
    pad_mode: _Mode | None = None,
    *,
    version: SupportsIndex = 1,
    lenient: bool = False,
    out: None = None,
    threads: SupportsIndex | None = None,
) -> NDArray[np.uint8]: ...
@overload
def pad_packed(
    data: Any,
    shape: _Shape,
    dtype: _Packed,
    pads_begin: ArrayLike,
    pads_end: ArrayLike,
    pad_value: SupportsInt | None = None,
    pad_mode: _Mode | None = None,
    *,
    version: SupportsIndex = 1,
    lenient: bool = False,
    out: _Out,
    threads: SupportsIndex | None = None,
) -> _Out: ...
