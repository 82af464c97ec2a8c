from collections.abc import Sequence
from typing import Any, SupportsIndex

def pad(arg: Any, arg_pad_value: Any, padding_below: Sequence[SupportsIndex],
        padding_above: Sequence[SupportsIndex],
        padding_interior: Sequence[SupportsIndex] | None = None,
        pad_mode: str | None = "CONSTANT", *, out: Any = None,
        threads: int | None = None) -> Any: ...
