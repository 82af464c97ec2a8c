# Only for this package: nothing here has types that others see.
from typing import Any

def __getattr__(name: str) -> Any: ...
