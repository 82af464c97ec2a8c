"""NumPy's own tests of pad, as installed, with tensorpad.pad in the place of numpy.pad."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

MODULE = "numpy.lib.tests.test_arraypad"


def test_numpys_own_tests():
    pytest.importorskip(MODULE)
    here = pathlib.Path(__file__).parent
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "numpy_suite",
            "-p",
            "no:cacheprovider",
            "--pyargs",
            MODULE,
        ],
        cwd=here,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(here), *sys.path])},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    passed, deselected = (
        int(re.search(rf"(\d+) {word}", done.stdout).group(1)) for word in ("passed", "deselected")
    )
    assert passed >= 580 and deselected == 25, done.stdout
    assert int(re.search(r"called (\d+) times", done.stdout).group(1)) >= passed
