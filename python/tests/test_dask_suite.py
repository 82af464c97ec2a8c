"""dask's own tests of pad, as installed, with tensorpad.dask.pad in the place of dask.array.pad."""

import pytest
import run_suite

MODULE = "dask.array.tests.test_creation"


@pytest.mark.long
def test_dasks_own_tests_of_pad():
    pytest.importorskip(MODULE)
    said = run_suite.run("dask_suite", "-k", "pad", "--pyargs", MODULE)
    *counts, calls = run_suite.numbers(
        said,
        "passed",
        "skipped",
        "tests ask for what is refused",
        "that dask skips are run",
        "times",
    )
    # What stays skipped has nothing that could be compared: cells of mode empty, and mode median.
    assert counts == [167, 40, 49, 60], said
    assert calls >= 167
