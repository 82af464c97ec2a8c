"""tensorpad.zarr.pad of arrays many times the memory of the process, which is killed and goes on.

The memory of the process that pads is limited by the system. TENSORPAD_LONG=1 takes 4 GB, 16 times
the limit and eight kills; else it is 538 MB, four times the limit and two kills.
"""

import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

zarr = pytest.importorskip("zarr")
resource = pytest.importorskip("resource")
LONG = os.environ.get("TENSORPAD_LONG") == "1"
LIMIT = (256 if LONG else 128) << 20  # bytes of data that the process may have
EXTENT, CHUNK = (32_000, 1000) if LONG else (11_600, 800)
KILLS = 8 if LONG else 2
WIDTH = 10
PAD = """
import sys, zarr
zarr.config.set({"threading.max_workers": 4, "async.concurrency": 4})
import tensorpad.zarr
tensorpad.zarr.pad(sys.argv[1], sys.argv[2], int(sys.argv[3]), "wrap", memory=int(sys.argv[4]),
                   resume=True, progress=False)
print(next(line for line in open("/proc/self/status") if line.startswith("VmHWM")).split()[1])
"""


def cells(rows, columns):
    """What the array holds: neighbours differ, and no row or column is another."""
    return (rows.astype("u4")[:, None] * np.uint32(65_537)) ^ columns.astype("u4")


def bands(extent):
    return (np.arange(at, min(at + CHUNK, extent)) for at in range(0, extent, CHUNK))


def limits():
    """Threads get small stacks, so that those of a large machine take no more than those here."""
    resource.setrlimit(resource.RLIMIT_STACK, (1 << 20, 1 << 20))
    resource.setrlimit(resource.RLIMIT_DATA, (LIMIT, LIMIT))


def start(source, target):
    memory = LIMIT // 3
    words = [sys.executable, "-c", PAD, source, target, WIDTH, memory]
    return subprocess.Popen(
        [str(word) for word in words],
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=limits,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
    )


def boxes_done(target):
    """What the target says of itself, (done, all)."""
    try:
        said = json.loads((target / "tensorpad-unfinished.json").read_text())
        return said["done"], said["boxes"]
    except FileNotFoundError:
        return 0, 0


@pytest.mark.skipif(not pathlib.Path("/proc/self/status").exists(), reason="memory is read there")
@pytest.mark.long
def test_many_times_the_memory_killed_and_resumed(tmp_path):
    source, target = tmp_path / "in", tmp_path / "out"
    made = zarr.create_array(
        source,
        shape=(EXTENT, EXTENT),
        chunks=(CHUNK, CHUNK),
        dtype="u4",
        compressors="auto" if LONG else None,
    )
    assert made.nbytes >= 4 * LIMIT
    for rows in bands(EXTENT):
        made[rows[0] : rows[-1] + 1] = cells(rows, np.arange(EXTENT))

    reached, count = [0], 0
    for kill in range(KILLS):
        process = start(source, target)
        share = (kill + random.random()) / (KILLS + 1)  # at another moment in each run
        while process.poll() is None and boxes_done(target)[0] <= max(reached[-1], share * count):
            count = boxes_done(target)[1]
            time.sleep(random.random() / 100)
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
        process.stdout.close()
        done, count = boxes_done(target)
        assert 0 < done < count
        reached.append(done)
        with pytest.raises(FileNotFoundError):
            zarr.open_array(target, mode="r")
    assert reached == sorted(set(reached))  # each process went on where the last one was
    process = start(source, target)
    peak = int(process.communicate()[0]) << 10
    assert process.returncode == 0
    assert peak < min(LIMIT, 300 << 20)

    found = zarr.open_array(target, mode="r")
    assert found.shape == (EXTENT + 2 * WIDTH,) * 2
    columns = np.arange(-WIDTH, EXTENT + WIDTH) % EXTENT
    for rows in bands(found.shape[0]):
        wanted = cells((rows - WIDTH) % EXTENT, columns)
        assert np.array_equal(found[rows[0] : rows[-1] + 1], wanted)
    assert not list(target.rglob("*.partial"))
