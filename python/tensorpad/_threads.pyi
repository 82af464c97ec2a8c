from typing import Final, SupportsIndex

VARIABLE: Final = "TENSORPAD_THREADS"
AT_START: int | None

def set_threads(count: SupportsIndex | None) -> None: ...
def follow_torch() -> None: ...
