from collections.abc import Mapping, Sequence
from typing import Any, SupportsIndex

from .. import _Align, _Modes, _Sizes, _TooLong

class Collate:
    options: dict[str, Any]
    fields: Mapping[Any, Mapping[str, Any]]
    def __init__(
        self, options: dict[str, Any], fields: Mapping[Any, Mapping[str, Any]]
    ) -> None: ...
    # Any: the package torch, whose tensors are in the batch, may be missing.
    def __call__(self, samples: Sequence[Any]) -> Any: ...

def collate(
    *,
    shape: _Sizes = None,
    multiple: _Sizes = None,
    align: _Align = "start",
    too_long: _TooLong = "error",
    mode: _Modes = "constant",
    constant_values: Any = 0,
    dtype: Any = None,
    mask: bool = False,
    lengths: bool = False,
    threads: SupportsIndex | None = None,
    fields: Mapping[Any, Mapping[str, Any]] | None = None,
) -> Collate: ...
