"""tensorpad.dask.pad: the result is that of the whole array, chunk by chunk."""

import numpy as np
import pytest

dask = pytest.importorskip("dask")
import dask.array as da  # noqa: E402
import tensorpad  # noqa: E402
import tensorpad.dask  # noqa: E402


@pytest.fixture(autouse=True)
def _one_thread():
    with dask.config.set(scheduler="synchronous"):
        yield


@pytest.mark.parametrize("policy", ["like", "merge", "regular"])
@pytest.mark.parametrize("mode", ["constant", "edge", "reflect", "symmetric", "wrap"])
def test_pads_beyond_the_extent(mode, policy):
    array = np.arange(35, dtype=">i4").reshape(5, 7)
    made = tensorpad.dask.pad(
        da.from_array(array, chunks=((2, 3), (1, 4, 2))), ((13, 2), (0, 20)), mode, chunks=policy
    )
    whole = np.pad(array, ((13, 2), (0, 20)), mode)
    found = made.compute()
    assert found.dtype == array.dtype and np.array_equal(found, whole)
