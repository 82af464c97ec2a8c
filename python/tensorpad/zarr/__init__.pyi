from collections.abc import Sequence
from pathlib import Path
from typing import Any, SupportsIndex

from .. import _Axes, _Axis, _Interior, _Moves, _Order, _PadWidth

__all__ = ["pad"]

# Any: the package zarr, whose arrays and stores these are, may be missing.
def pad(
    source: str | Path | Any,
    target: str | Path | Any,
    pad_width: _PadWidth,
    mode: _Moves = "constant",
    *,
    constant_values: Any = 0,
    constant_axis: _Axis = None,
    interior: _Interior = 0,
    order: _Order = "window",
    axes: _Axes = None,
    chunks: Sequence[int] | None = None,
    shards: Sequence[int] | None = None,
    memory: SupportsIndex = 268435456,
    overwrite: bool = False,
    resume: bool = False,
    progress: bool | None = None,
) -> Any: ...
