from collections.abc import Sequence
from typing import Any, Literal, SupportsIndex, TypeAlias

__all__ = ["pad"]

_Words: TypeAlias = Literal["constant", "reflect", "replicate", "circular", "symmetric"]

# Any: the package torch, whose tensors these are, may be missing.
def pad(
    input: Any,
    pad: Sequence[SupportsIndex],
    mode: _Words = "constant",
    value: complex | None = None,
) -> Any: ...
