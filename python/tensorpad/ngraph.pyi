from typing import Any, Literal, SupportsIndex, TypeAlias, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from . import _Integers, _Thing

__all__ = ["pad"]

_Mode: TypeAlias = Literal["CONSTANT", "EDGE", "REFLECT", "SYMMETRIC"]
_Out = TypeVar("_Out")
_Scalar = TypeVar("_Scalar", bound=np.generic)

@overload
def pad(
    arg: NDArray[_Scalar],
    arg_pad_value: Any,
    padding_below: _Integers,
    padding_above: _Integers,
    padding_interior: _Integers | None = None,
    pad_mode: _Mode | None = "CONSTANT",
    *,
    out: None = None,
    threads: SupportsIndex | None = None,
) -> NDArray[_Scalar]: ...
@overload
def pad(
    arg: _Thing,
    arg_pad_value: Any,
    padding_below: _Integers,
    padding_above: _Integers,
    padding_interior: _Integers | None = None,
    pad_mode: _Mode | None = "CONSTANT",
    *,
    out: None = None,
    threads: SupportsIndex | None = None,
) -> Any: ...
@overload
def pad(
    arg: Any,
    arg_pad_value: Any,
    padding_below: _Integers,
    padding_above: _Integers,
    padding_interior: _Integers | None = None,
    pad_mode: _Mode | None = "CONSTANT",
    *,
    out: _Out,
    threads: SupportsIndex | None = None,
) -> _Out: ...
