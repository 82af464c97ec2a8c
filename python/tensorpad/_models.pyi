from collections.abc import Sequence
from typing import Any, TypeAlias

features: str

_Model: TypeAlias = object
_Port: TypeAlias = tuple[str, str | None, tuple[int | None, ...] | None]

def load(
    path: bytes, content: bytes | None, said: list[tuple[bytes, tuple[int, ...], int]], /
) -> _Model: ...
def pads(model: _Model, /) -> list[dict[str, Any]]: ...
def check(model: _Model, targets: tuple[str, ...] | None, /) -> list[dict[str, Any]]: ...
def lower(
    model: _Model,
    targets: tuple[str, ...],
    path: bytes,
    partial: bool,
    lenient: bool,
    plugin: bool,
    fold: bool = False,
    /,
) -> list[dict[str, Any]]: ...
def mode_elsewhere(word: str, /) -> str | None: ...
def rule(code: str, /) -> dict[str, Any]: ...
def ports(model: _Model, node: str | None, /) -> tuple[list[_Port], list[_Port]]: ...
def run(
    model: _Model,
    node: str | None,
    arrays: Sequence[Any],
    lenient: bool,
    threads: int,
    max_bytes: int,
    /,
) -> list[tuple[str, tuple[int, ...], Any]]: ...
