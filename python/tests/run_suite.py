"""The tests of other packages, as installed, with a plugin that puts ours in the place of theirs."""

import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).parent


def run(plugin, *words):
    """What pytest prints for these words. Its tests have to pass."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", plugin, "-p", "no:cacheprovider", *words],
        cwd=HERE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE), *sys.path])},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    return done.stdout


def numbers(said, *words):
    """The numbers that stand before these words."""
    return [int(re.search(rf"(\d+) {word}", said).group(1)) for word in words]
