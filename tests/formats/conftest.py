"""Settings of pytest and hypothesis, and what must be there before a test can run.

SPDX-License-Identifier: MIT
"""

import os

import harness
import pytest
import samples
from hypothesis import HealthCheck, settings

os.environ.setdefault("HYPOTHESIS_STORAGE_DIRECTORY", str(harness.ROOT / "build" / "hypothesis"))

# Every run tries the same cases; a folder is shared by the cases of one test and overwritten.
settings.register_profile(
    "tensorpad",
    deadline=None,
    derandomize=True,
    database=None,
    print_blob=False,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
settings.load_profile("tensorpad")


@pytest.fixture(scope="session", autouse=True)
def command():
    if not harness.COMMAND.is_file():
        pytest.exit(f"no command at {harness.COMMAND}: run `make`, or set TENSORPAD", 2)


@pytest.fixture(scope="session")
def data():
    """The folder of real models, test cases and photographs."""
    if harness.DATA is None or not (harness.DATA / "complete").is_file():
        pytest.fail(
            f"no test data: TENSORPAD_DATA is {harness.DATA}; `make test` fetches the data and "
            "sets it (scripts/setup/fetch-data.sh)"
        )
    return harness.DATA


@pytest.fixture
def folder(tmp_path):
    """A folder that holds one good array, good.npy, of 3 x 4 floats."""
    (tmp_path / "good.npy").write_bytes(samples.npy())
    return tmp_path
