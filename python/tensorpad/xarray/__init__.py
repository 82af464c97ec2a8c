"""The accessor .tensorpad of xarray's DataArray and Dataset. Importing this registers it.
SPDX-License-Identifier: MIT"""

from .._errors import load_extra

load_extra("xarray", "xarray", "tensorpad.xarray needs xarray")

import xarray  # noqa: E402

from ._accessor import Accessor, overlap, pad, pad_to  # noqa: E402

__all__ = ["Accessor", "overlap", "pad", "pad_to"]


def _register():
    for kind, register in (
        (xarray.DataArray, xarray.register_dataarray_accessor),
        (xarray.Dataset, xarray.register_dataset_accessor),
    ):
        before = getattr(kind, "tensorpad", None)
        if getattr(before, "__module__", None) == Accessor.__module__:
            del kind.tensorpad  # of an earlier import; xarray warns where it is another's
        register("tensorpad")(Accessor)


_register()
