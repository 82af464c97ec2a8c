"""A pytest plugin: dask.array.pad is tensorpad.dask.pad, and counts how often it was called."""

import dask.array
import tensorpad.dask

# dask skips these modes, because what its own pad does is not what NumPy's does; they are run here.
SKIPPED_BY_DASK = "Bug when pad_width is larger than dimension"
calls = 0


def pad(*args, **kwargs):
    global calls
    calls += 1
    return tensorpad.dask.pad(*args, **kwargs)


dask.array.pad = pad


def refused(item):
    """Whether tensorpad.dask.pad refuses what a test asks for, and why: docs/chunks.md."""
    given = item.callspec.params if hasattr(item, "callspec") else {}
    return (
        given.get("mode") in ("linear_ramp", "mean")  # dask rounds otherwise than NumPy
        or "stat_length" in given.get("kwargs", ())  # dask counts it otherwise than NumPy
        or item.originalname == "test_pad_udf"  # dask calls a function once for each chunk
    )


def is_about_dask(mark):
    return mark.kwargs.get("reason", "").startswith(SKIPPED_BY_DASK)


def pytest_collection_modifyitems(config, items):
    out = [item for item in items if refused(item)]
    items[:] = [item for item in items if not refused(item)]
    config.hook.pytest_deselected(items=out)
    config.pads_refused = sum("test_pad" in item.name for item in out)
    config.taken_up = 0
    for item in items:
        config.taken_up += any(map(is_about_dask, item.own_markers))
        item.own_markers = [mark for mark in item.own_markers if not is_about_dask(mark)]


def pytest_terminal_summary(terminalreporter, config):
    terminalreporter.write_line(f"tensorpad.dask.pad was called {calls} times")
    terminalreporter.write_line(f"{config.pads_refused} tests ask for what is refused")
    terminalreporter.write_line(f"{config.taken_up} that dask skips are run")
