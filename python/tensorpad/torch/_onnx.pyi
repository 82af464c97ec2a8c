from collections.abc import Callable
from typing import Any

def onnx_translations() -> dict[Any, Callable[..., Any]]: ...
