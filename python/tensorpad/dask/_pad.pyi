from collections.abc import Mapping, Sequence
from typing import Any, Literal, SupportsIndex, TypeAlias

from .. import _Axes, _Axis, _Interior, _Modes, _Order, _PadWidth

_OfOneAxis: TypeAlias = SupportsIndex | str | Sequence[SupportsIndex] | None
_Chunks: TypeAlias = (
    Literal["like", "merge", "regular"]
    | _OfOneAxis
    | Sequence[_OfOneAxis]
    | Mapping[Any, _OfOneAxis]
)

# Any: the package dask, whose arrays these are, may be missing.
def pad(
    x: Any,
    pad_width: _PadWidth,
    mode: _Modes = "constant",
    *,
    constant_values: Any = 0,
    constant_axis: _Axis = None,
    interior: _Interior = 0,
    order: _Order = "window",
    axes: _Axes = None,
    chunks: _Chunks = "like",
    **kwargs: Any,
) -> Any: ...
def check_array(x: Any) -> None: ...
