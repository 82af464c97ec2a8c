"""What must be there before a test can run.

SPDX-License-Identifier: MIT
"""

import harness
import pytest
import samples


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
