from collections.abc import Sequence
from typing import Any

from . import Packed

def pad(data: Any, pads_begin: Any, pads_end: Any, pad_value: Any = None,
        pad_mode: str | None = None, *, version: int = 1, lenient: bool = False, out: Any = None,
        threads: int | None = None, packed: Packed | None = None,
        shape: Sequence[int] | None = None) -> Any: ...
