from typing import Any, Literal, SupportsIndex

def padding2d(tensor: Any, *, layout: Literal["chw", "hwc"], padding_left: SupportsIndex = 0,
              padding_right: SupportsIndex = 0, padding_top: SupportsIndex = 0,
              padding_bottom: SupportsIndex = 0, out: Any = None,
              threads: int | None = None) -> Any: ...
