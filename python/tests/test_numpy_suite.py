"""NumPy's own tests of pad, as installed, with tensorpad.pad in the place of numpy.pad."""

import pytest
import run_suite

MODULE = "numpy.lib.tests.test_arraypad"


def test_numpys_own_tests():
    pytest.importorskip(MODULE)
    said = run_suite.run("numpy_suite", "--pyargs", MODULE)
    passed, deselected, calls = run_suite.numbers(said, "passed", "deselected", "times")
    assert passed >= 580 and deselected == 25, said
    assert calls >= passed
