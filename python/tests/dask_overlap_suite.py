"""A pytest plugin: overlap, map_overlap and trim_overlap of dask are those of tensorpad.dask, and count
how often they were called."""

import dask.array
import dask.array.overlap
import tensorpad.dask

# What is not run, and why: there dask does, or is, something else.
RECHUNKS = "dask joins chunks that are thinner than the depth, and tensorpad keeps them"
DIFFERENT = {
    "test_map_overlap_rechunks_array_if_needed": RECHUNKS,
    "test_map_overlap_rechunks_array_along_multiple_dims_if_needed": RECHUNKS,
    "test_overlap_allow_rechunk_kwarg": "dask refuses thin chunks where it may not join them",
    "test_depth_greater_than_dim": "dask refuses a depth beyond the extent",
    "test_map_overlap_multiarray_different_depths": "its end: a depth beyond the extent",
    "test_asymmetric_overlap_boundary_exception": "dask refuses a pair with a boundary",
    "test_map_overlap_deprecated_signature": "a signature that dask warns of: the array first",
    "test_overlap_few_dimensions_small": "it looks at the keys of dask's tasks",
}
calls = 0


def counted(function):
    def call(*args, **kwargs):
        global calls
        calls += 1
        return function(*args, **kwargs)

    return call


for name in ("overlap", "map_overlap", "trim_overlap"):
    setattr(dask.array.overlap, name, counted(getattr(tensorpad.dask, name)))
dask.array.map_overlap = dask.array.overlap.map_overlap


def pytest_collection_modifyitems(config, items):
    out = [item for item in items if getattr(item, "originalname", item.name) in DIFFERENT]
    items[:] = [item for item in items if item not in out]
    config.hook.pytest_deselected(items=out)


def pytest_terminal_summary(terminalreporter):
    terminalreporter.write_line(f"tensorpad.dask was called {calls} times")
