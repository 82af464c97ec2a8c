"""dask's own tests of pad, as installed, with tensorpad.dask.pad in the place of dask.array.pad."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

MODULE = "dask.array.tests.test_creation"


def test_dasks_own_tests_of_pad():
    pytest.importorskip(MODULE)
    here = pathlib.Path(__file__).parent
    options = "-q -p dask_suite -p no:cacheprovider -k pad --pyargs".split()
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, MODULE],
        cwd=here,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(here), *sys.path])},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    passed, skipped, called, refused, taken_up = (
        int(re.search(pattern, done.stdout).group(1))
        for pattern in (
            r"(\d+) passed",
            r"(\d+) skipped",
            r"called (\d+) times",
            r"(\d+) tests ask for what is refused",
            r"(\d+) that dask skips are run",
        )
    )
    # What stays skipped has nothing that could be compared: cells of mode empty, and mode median.
    assert (passed, skipped, refused, taken_up) == (167, 40, 49, 60), done.stdout
    assert called >= passed
