"""tensorpad.pad, and halos between chunks, for arrays of dask.  SPDX-License-Identifier: MIT"""

from .._errors import load_extra

load_extra("dask", "dask", "tensorpad.dask needs dask")

from ._overlap import map_overlap, overlap, trim_overlap  # noqa: E402
from ._pad import pad  # noqa: E402

__all__ = ["map_overlap", "overlap", "pad", "trim_overlap"]
