from typing import Any, Literal, SupportsIndex, TypeAlias, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from . import _Thing

__all__ = ["padding2d"]

_Layout: TypeAlias = Literal["chw", "hwc"]
_Out = TypeVar("_Out")
_Scalar = TypeVar("_Scalar", np.int8, np.int16)

@overload
def padding2d(
    tensor: NDArray[_Scalar],
    *,
    layout: _Layout,
    padding_left: SupportsIndex = 0,
    padding_right: SupportsIndex = 0,
    padding_top: SupportsIndex = 0,
    padding_bottom: SupportsIndex = 0,
    out: None = None,
    threads: SupportsIndex | None = None,
) -> NDArray[_Scalar]: ...
@overload
def padding2d(
    tensor: _Thing,
    *,
    layout: _Layout,
    padding_left: SupportsIndex = 0,
    padding_right: SupportsIndex = 0,
    padding_top: SupportsIndex = 0,
    padding_bottom: SupportsIndex = 0,
    out: None = None,
    threads: SupportsIndex | None = None,
) -> Any: ...
@overload
def padding2d(
    tensor: Any,
    *,
    layout: _Layout,
    padding_left: SupportsIndex = 0,
    padding_right: SupportsIndex = 0,
    padding_top: SupportsIndex = 0,
    padding_bottom: SupportsIndex = 0,
    out: _Out,
    threads: SupportsIndex | None = None,
) -> _Out: ...
