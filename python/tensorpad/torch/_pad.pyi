from typing import Any

from .. import _Axes, _Axis, _Interior, _Modes, _Order, _PadWidth

# Any: the package torch, whose tensors these are, may be missing.
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
) -> Any: ...
