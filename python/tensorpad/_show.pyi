import os
from typing import Any

from . import _Axes, _Axis, _Interior, _Moves, _Order, _PadWidth

class Picture:
    def __init__(self, *drawn: Any) -> None: ...
    def _repr_svg_(self) -> str: ...
    def save(self, path: str | os.PathLike[str]) -> None: ...

def show(
    array: Any,
    pad_width: _PadWidth,
    mode: _Moves = "constant",
    *,
    constant_values: Any = 0,
    constant_axis: _Axis = None,
    interior: _Interior = 0,
    order: _Order = "window",
    axes: _Axes = None,
) -> Picture: ...
