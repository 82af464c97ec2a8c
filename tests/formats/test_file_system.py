"""What happens to files: paths that cannot be, full disks, signals, little memory.

Overwriting, pipes and devices: tests/command/test_cli_files.py.

SPDX-License-Identifier: MIT
"""

import os
import resource
import subprocess

import numpy as np
import pytest
from harness import COMMAND, SANITIZED, fail, run_bounded

PLAIN = ["pad", "--spec=plain", "--begin=1,0", "--end=0,2"]


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 1 MB, where that can be had (root may mount one)."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk], capture_output=True
    )
    yield disk if mounted.returncode == 0 else None
    if mounted.returncode == 0:
        subprocess.run(["umount", disk], check=True)


@pytest.mark.parametrize("ending", ["npy", "pb", "png"])
def test_a_full_disk(ending, small_disk, tmp_path):
    """The output does not fit, or stops fitting: status 1, one line, and nothing left."""
    generator = np.random.default_rng(1)
    shape = [600, 600, 3]
    np.save(tmp_path / "x.npy", generator.integers(0, 256, shape, np.uint8))
    arguments = ["pad", "--spec=plain", "--begin=400,0,0", "--end=0,400,0", tmp_path / "x.npy"]
    if small_disk is not None:
        fail(1, *arguments, small_disk / f"y.{ending}", says=[f"y.{ending}"])
        assert os.listdir(small_disk) == []
        (small_disk / f"y.{ending}").write_bytes(b"precious")
        fail(1, *arguments, small_disk / f"y.{ending}", "-f")
        assert (small_disk / f"y.{ending}").read_bytes() == b"precious"
    result = run_bounded(*arguments, tmp_path / f"y.{ending}", flag="-f", size=1 << 20)
    assert result.status == 1 and len(result.error.splitlines()) == 1, result
    assert set(os.listdir(tmp_path)) == {"x.npy", "disk"}


def test_arrays_larger_than_the_memory_allowed(folder):
    """64 MiB through a process that may have 32 MiB of its own: the files are mapped."""
    if SANITIZED:
        pytest.skip("a sanitizer's own memory is far above the limit that this test sets")
    rows, columns = 1 << 14, 1 << 12
    source = np.lib.format.open_memmap(
        folder / "x.npy", mode="w+", dtype=np.uint8, shape=(rows, columns)
    )
    source[0, 0], source[-1, -1], source[777, 5] = 1, 2, 3
    source.flush()
    limit = 32 << 20
    done = subprocess.run(
        [COMMAND, "pad", "--mode=edge", "--pads=1,0,1,0", folder / "x.npy", folder / "y.npy"],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (limit, limit)),
        capture_output=True,
    )
    assert done.returncode == 0, done
    out = np.load(folder / "y.npy", mmap_mode="r")
    assert out.shape == (rows + 2, columns)
    assert (out[0, 0], out[1, 0], out[-1, -1], out[-2, -1], out[778, 5]) == (1, 1, 2, 2, 3)
    assert int(np.count_nonzero(out)) == 5
