"""The kit that the tests of this folder run, made once.

SPDX-License-Identifier: MIT
"""

import json
import pathlib
import subprocess
import sys
import types

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "checker/tests/models"))  # its harness


def make_kit(folder, seed):
    """Writes the kit with that seed of Python's hashes."""
    environment = {"PATH": "", "PYTHONHASHSEED": seed}
    subprocess.run(
        [sys.executable, ROOT / "conformance/kit.py", "make", folder],
        check=True,
        stdout=subprocess.DEVNULL,
        env=environment,
    )


@pytest.fixture(scope="session")
def kit(tmp_path_factory):
    """The kit in a folder: its path, and `cases` and `arrays` as its index has them."""
    folder = tmp_path_factory.mktemp("kit") / "pad-kit"
    make_kit(folder, "1")
    index = json.loads((folder / "index.json").read_text())
    return types.SimpleNamespace(path=folder, **index)
