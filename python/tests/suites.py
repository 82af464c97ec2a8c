"""Runs the tests of other packages, as installed, with our functions in place of theirs.

`run` starts pytest with this module as its plugin, which says how often ours was called.
"""

import os
import pathlib
import re
import subprocess
import sys
import types
import zoneinfo

HERE = pathlib.Path(__file__).parent
SUITE = os.environ.get("TENSORPAD_SUITE")


def run(suite, *words):
    """What pytest prints for these words. Its tests have to pass."""
    paths = os.pathsep.join([str(HERE), *sys.path])
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "suites", "-p", "no:cacheprovider", *words],
        cwd=HERE,
        env={**os.environ, "PYTHONPATH": paths, "TENSORPAD_SUITE": suite},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    return done.stdout


def error_of(code):
    """The last line of what a Python that runs this code says: its error."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 1, (done.stdout, done.stderr)
    return done.stderr.splitlines()[-1]


def numbers(said, *words):
    """The numbers that stand before these words."""
    return [int(re.search(rf"(\d+) {word}", said).group(1)) for word in words]


# ---- The plugin ----------------------------------------------------------------------------------

calls = 0


def counted(function):
    def call(*args, **kwargs):
        global calls
        calls += 1
        return function(*args, **kwargs)

    return call


def name_of(item):
    return getattr(item, "originalname", item.name)


def given(item):
    return item.callspec.params if hasattr(item, "callspec") else {}


def numpys():
    """In these modes a negative amount is an error in NumPy and crops here."""
    import numpy
    import tensorpad

    numpy.pad = counted(tensorpad.pad)
    crops = "constant", "edge", "reflect", "symmetric", "wrap"
    return lambda item: name_of(item) == "test_negative_pad_width" and given(item)["mode"] in crops


def dasks():
    """tensorpad.dask.pad refuses what dask computes otherwise than NumPy: docs/chunks.md.

    It rounds two modes otherwise, counts stat_length otherwise, and calls a function per chunk."""
    import dask.array
    import tensorpad.dask

    dask.array.pad = counted(tensorpad.dask.pad)
    return lambda item: (
        given(item).get("mode") in ("linear_ramp", "mean")
        or "stat_length" in given(item).get("kwargs", ())
        or name_of(item) == "test_pad_udf"
    )


def overlaps():
    import dask.array.overlap
    import tensorpad.dask

    for name in ("overlap", "map_overlap", "trim_overlap"):
        setattr(dask.array.overlap, name, counted(getattr(tensorpad.dask, name)))
    dask.array.map_overlap = dask.array.overlap.map_overlap
    rechunks = "dask joins chunks that are thinner than the depth, and tensorpad keeps them"
    different = {
        "test_map_overlap_rechunks_array_if_needed": rechunks,
        "test_map_overlap_rechunks_array_along_multiple_dims_if_needed": rechunks,
        "test_overlap_allow_rechunk_kwarg": "dask refuses thin chunks where it may not join them",
        "test_depth_greater_than_dim": "dask refuses a depth beyond the extent",
        "test_map_overlap_multiarray_different_depths": "its end: a depth beyond the extent",
        "test_asymmetric_overlap_boundary_exception": "dask refuses a pair with a boundary",
        "test_map_overlap_deprecated_signature": "a signature that dask warns of: the array first",
        "test_overlap_few_dimensions_small": "it looks at the keys of dask's tasks",
    }
    return lambda item: name_of(item) in different


def xarrays():
    """Of the arrays of dask tensorpad refuses what dask rounds otherwise than NumPy. It pads integers by NaN,
    at which one test wants an error."""
    import tensorpad.xarray
    import xarray

    pad = counted(tensorpad.xarray.pad)

    def pad_variable(self, pad_width=None, mode="constant", keep_attrs=None, **kwargs):
        """Of a Variable, which tensorpad.xarray pads only as a part of an array."""
        array = xarray.DataArray(self)
        padded = pad(array, pad_width, mode, keep_attrs=keep_attrs, **kwargs).variable
        return type(self)(padded.dims, padded.data, padded.attrs)

    xarray.Variable.pad = pad_variable
    xarray.DataArray.pad = xarray.Dataset.pad = lambda self, *args, **kwargs: pad(
        self, *args, **kwargs
    )
    if "pytz" not in sys.modules:  # read by other tests, at their beginning
        sys.modules["pytz"] = types.ModuleType("pytz")
        sys.modules["pytz"].timezone = zoneinfo.ZoneInfo
    return lambda item: (
        (item.cls.__name__, name_of(item)) == ("TestDataArray", "test_pad_constant")
        or item.cls.__name__ == "TestVariableWithDask"
        and name_of(item) == "test_pad"
        and given(item)["mode"] in ("linear_ramp", "mean")
    )


refused = globals()[SUITE]() if SUITE else None


def skipped_by_dask(mark):
    """Modes in which dask's own pad does not do what NumPy's does; ours is run in them."""
    reason = "Bug when pad_width is larger than dimension"
    return SUITE == "dasks" and mark.kwargs.get("reason", "").startswith(reason)


def pytest_collection_modifyitems(config, items):
    out = [item for item in items if refused(item)]
    items[:] = [item for item in items if item not in out]
    config.hook.pytest_deselected(items=out)
    config.said = [f"{sum('test_pad' in item.name for item in out)} ask for what is refused"]
    taken_up = 0
    for item in items:
        taken_up += any(map(skipped_by_dask, item.own_markers))
        item.own_markers = [mark for mark in item.own_markers if not skipped_by_dask(mark)]
    config.said.append(f"{taken_up} that dask skips are run")


def pytest_terminal_summary(terminalreporter, config):
    for line in (*config.said, f"ours was called {calls} times"):
        terminalreporter.write_line(line)
