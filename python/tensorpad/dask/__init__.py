"""tensorpad.pad, and halos between chunks, for arrays of dask.  SPDX-License-Identifier: MIT"""
from .._extras import load

load("dask", "dask", "tensorpad.dask needs dask")

from ._pad import pad  # noqa: E402

__all__ = ["pad"]
