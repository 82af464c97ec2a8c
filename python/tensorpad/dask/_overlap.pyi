from collections.abc import Callable, Mapping, Sequence
from typing import Any, SupportsIndex, TypeAlias

_Cells: TypeAlias = SupportsIndex | float
_Depth: TypeAlias = _Cells | Sequence[_Cells]  # of one axis: a number, or (before, after)
_Depths: TypeAlias = _Depth | Sequence[_Depth] | Mapping[int, _Depth]
# Any: a word ("periodic", "nearest", "reflect", "mirror", "none") or a constant, for all axes, a
# tuple of them, or a dict by axis.
_Boundary: TypeAlias = Any

# Any: the package dask, whose arrays these are, may be missing.
def overlap(
    x: Any, depth: _Depths | None, boundary: _Boundary, *, allow_rechunk: bool = True
) -> Any: ...
def trim_overlap(
    x: Any,
    depth: _Depths | None,
    boundary: _Boundary = None,
    *,
    chunks: Sequence[Sequence[int]] | None = None,
) -> Any: ...
def map_overlap(
    func: Callable[..., Any],
    *args: Any,
    depth: _Depths | Sequence[_Depths | None] | None = None,
    boundary: _Boundary = None,
    trim: bool = True,
    align_arrays: bool = True,
    allow_rechunk: bool = True,
    **kwargs: Any,
) -> Any: ...
def of_dimension(
    name: Any, depth: _Depth, boundary: _Boundary
) -> tuple[tuple[int, int], str, Any]: ...
