from collections.abc import Sequence
from typing import Any

from . import Packed

def pad(data: Any, pads: Any, constant_value: Any = None, axes: Any = None,
        mode: str | None = "constant", *, opset: int = 25, lenient: bool = False, out: Any = None,
        threads: int | None = None, packed: Packed | None = None,
        shape: Sequence[int] | None = None) -> Any: ...
