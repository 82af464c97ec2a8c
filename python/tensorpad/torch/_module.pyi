from typing import Any

from .. import _Axes, _Axis, _Interior, _Modes, _Order, _PadWidth

# A torch.nn.Module, whose package may be missing: it has all attributes of one.
class Pad:
    pad_width: _PadWidth
    mode: _Modes
    constant_values: Any
    constant_axis: _Axis
    interior: _Interior
    order: _Order
    axes: _Axes
    def __init__(
        self,
        pad_width: _PadWidth,
        mode: _Modes = "constant",
        *,
        constant_values: Any = 0,
        constant_axis: _Axis = None,
        interior: _Interior = 0,
        order: _Order = "window",
        axes: _Axes = None,
    ) -> None: ...
    def __call__(self, x: Any) -> Any: ...
    def __getattr__(self, name: str) -> Any: ...
    def forward(self, x: Any) -> Any: ...
    def extra_repr(self) -> str: ...
