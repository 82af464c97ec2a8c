from typing import Any

__all__ = ["library_path", "register"]

def library_path() -> str: ...
# Any: the package onnxruntime, which has no types, may be missing.
def register(session_options: Any) -> None: ...
