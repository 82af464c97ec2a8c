"""NumPy's own tests of pad, as installed, with tensorpad.pad in the place of numpy.pad."""

import own_tests
import pytest

MODULE = "numpy.lib.tests.test_arraypad"


def test_numpys_own_tests():
    pytest.importorskip(MODULE)
    said = own_tests.run("numpy_suite", "--pyargs", MODULE)
    passed, deselected, calls = own_tests.numbers(said, "passed", "deselected", "times")
    assert passed >= 580 and deselected == 25, said
    assert calls >= passed
