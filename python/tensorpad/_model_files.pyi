import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import Any, Protocol, TypeAlias

from numpy.typing import NDArray

FEATURES: str

class _ModelProto(Protocol):
    def SerializeToString(self) -> bytes: ...

_Model: TypeAlias = str | PathLike[str] | _ModelProto | bytes | bytearray | memoryview
SUB_BYTE: dict[str, int]

@dataclasses.dataclass(frozen=True)
class PadNode:
    name: str
    graph: str
    output: str | None
    spec: str
    version: int | None
    mode: str | None
    type: str | None
    input_shape: tuple[int | None, ...] | None
    output_shape: tuple[int | None, ...] | None
    begin: tuple[int, ...] | None
    end: tuple[int, ...] | None
    axes: tuple[int, ...] | None
    value: str | None
    computed: tuple[str, ...]
    findings: tuple[str, ...]

def load(
    model: _Model,
    input_shapes: Mapping[str, Sequence[int]] | None = None,
    dims: Mapping[str, int] | None = None,
    assume: Mapping[str, int] | None = None,
) -> Any: ...
def inspect_model(
    path: _Model,
    *,
    input_shapes: Mapping[str, Sequence[int]] | None = None,
    dims: Mapping[str, int] | None = None,
    assume: Mapping[str, int] | None = None,
) -> list[PadNode]: ...
def check_model(
    path: _Model,
    targets: str | Iterable[str] | None = None,
    *,
    input_shapes: Mapping[str, Sequence[int]] | None = None,
    dims: Mapping[str, int] | None = None,
    assume: Mapping[str, int] | None = None,
) -> list[dict[str, Any]]: ...
def lower_model(
    path: _Model,
    out: str | PathLike[str],
    targets: str | Iterable[str],
    *,
    input_shapes: Mapping[str, Sequence[int]] | None = None,
    dims: Mapping[str, int] | None = None,
    assume: Mapping[str, int] | None = None,
    partial: bool = False,
    lenient: bool = False,
    fold: bool = False,
) -> list[dict[str, Any]]: ...
def explain(code: str) -> dict[str, Any]: ...
def run_model(
    path: _Model,
    inputs: Mapping[str, Any] | Any = None,
    *,
    node: str | None = None,
    lenient: bool = False,
    threads: int | None = None,
) -> dict[str, NDArray[Any]]: ...
