"""The tests of pad of NumPy and of dask, as installed, with ours in the place of theirs."""

import pytest
import suites


@pytest.mark.long
def test_numpys_own_tests():
    module = "numpy.lib.tests.test_arraypad"
    pytest.importorskip(module)
    said = suites.run("numpys", "--pyargs", module)
    passed, deselected, calls = suites.numbers(said, "passed", "deselected", "times")
    assert passed >= 580 and deselected == 25, said
    assert calls >= passed


@pytest.mark.long
def test_dasks_own_tests():
    module = "dask.array.tests.test_creation"
    pytest.importorskip(module)
    said = suites.run("dasks", "-k", "pad", "--pyargs", module)
    words = "passed", "skipped", "ask for what is refused", "that dask skips are run", "times"
    *counts, calls = suites.numbers(said, *words)
    # What stays skipped has nothing that could be compared: cells of mode empty, and mode median.
    assert counts == [167, 40, 49, 60], said
    assert calls >= 167
