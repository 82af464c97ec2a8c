"""Damaged files and odd words: a fixed few of the runs of tests/fuzz/damaged_files.py.

SPDX-License-Identifier: MIT
"""

import subprocess
import sys

from command import COMMAND, ROOT
from running import QUICK, SANITIZED


def test_damaged_files_and_odd_words(tmp_path):
    """In a process of its own: the memory of a child is counted from its parent's."""
    count = 300 if SANITIZED or QUICK else 1500
    words = [
        "--count",
        str(count),
        "--seed",
        "7",
        "--command",
        COMMAND,
        "--keep",
        tmp_path / "found",
    ]
    script = [sys.executable, "-S", ROOT / "tests/fuzz/damaged_files.py"]
    done = subprocess.run([*script, *words], capture_output=True, text=True)
    assert done.returncode == 0 and done.stderr == "", done.stdout + done.stderr
    assert "0 findings" in done.stdout
