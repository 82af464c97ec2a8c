"""Pads and overlaps of dask's arrays on two worker processes: how many bytes move from one to the
other, and that the result is exact when one is killed.

This file is the program, too, so that the tests can end it with all its processes. It prints one
line of JSON; its argument: how often a worker is killed."""

import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import numpy
import pytest

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")
import dask.array  # noqa: E402
import tensorpad.dask  # noqa: E402
from distributed import Client, LocalCluster, as_completed, futures_of, wait  # noqa: E402

pytestmark = pytest.mark.long
KILLS = int(os.environ.get("TENSORPAD_KILLS", "3"))
ALL_SECONDS = 120 + 20 * KILLS  # a calm machine needs a tenth of it
FLOAT32, CELLS = 4, 10  # bytes; cells on each side


def left_over(group):
    """The processes of a group that still run."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            name, fields = path.read_text(encoding="utf-8").rsplit(")", 1)
        except OSError:  # it ended
            continue
        state, _, its_group = fields.split()[:3]
        if int(its_group) == group and state != "Z":
            found.append(name)
    return found


@pytest.fixture(scope="module")
def said():
    """What the program printed. All that it starts is in its own group of processes, which ends
    with it."""
    program = subprocess.Popen(
        [sys.executable, __file__, str(KILLS)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        out, errors = program.communicate(timeout=ALL_SECONDS)
        late = ""
    except subprocess.TimeoutExpired:
        late = f"not done after {ALL_SECONDS} s\n"
    end = time.monotonic() + 10  # what ends by itself when its parent does
    while (remained := left_over(program.pid)) and not late and time.monotonic() < end:
        time.sleep(0.1)
    try:
        os.killpg(program.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    if late:
        out, errors = program.communicate()
    assert not late and program.returncode == 0, late + errors[-4000:]
    return {**json.loads(out), "left over": remained}


def test_what_moves_is_counted(said):
    """All bounds below are upper ones: one worker may compute everything when the other is late."""
    assert 8000 <= said["moved"]["one read"] <= 9000


@pytest.mark.parametrize("mode", ["constant", "edge", "reflect", "symmetric"])
def test_nothing_moves_for_pads_made_of_the_chunk_beside_them(said, mode):
    assert said["moved"][mode] == 0


def test_wrap_moves_at_most_the_cells_of_the_other_side(said):
    side, corner = 4000 * CELLS * FLOAT32, CELLS * CELLS * FLOAT32
    assert said["moved"]["wrap"] <= 4 * side + 4 * corner


def test_overlap_moves_halos_only(said):
    halos = 2 * 7 * 2 * 8000 * CELLS * FLOAT32  # both ways over seven boundaries of two axes
    corners = 4 * 7 * 7 * CELLS * CELLS * FLOAT32
    assert said["moved"]["overlap"] <= min(halos + corners, 7_000_000)


def test_calls_in_a_task_take_one_thread(said):
    """As dask tells all libraries of a worker's process."""
    assert said["threads"] == [1, 1]


def test_a_killed_worker_changes_nothing(said):
    assert len(said["killed"]) == KILLS
    for each in said["killed"]:
        assert 10 <= each["finished"] < each["chunks"] == 169, each
        assert each["exact"], each


def test_no_process_is_left_behind(said):
    assert said["left over"] == []


# ---- The program ---------------------------------------------------------------------------------

SECONDS = 60  # for each computation
FINISHED = 10  # chunks before the kill
SETTINGS = {
    # What the scheduler takes the network for. On a fast one it rather moves a chunk to a worker
    # that has nothing to do than to wait, which depends on how busy this machine is.
    "distributed.scheduler.bandwidth": "1 MB",
    "distributed.worker.multiprocessing-method": "forkserver",  # imports once for all workers
    "distributed.comm.timeouts.connect": f"{SECONDS}s",
}


def source(extent):
    """Eight by eight chunks of random numbers."""
    return dask.array.random.default_rng(1).random(
        (extent, extent), dtype=numpy.float32, chunks=extent // 8
    )


def total(cells):
    return numpy.full((1,) * cells.ndim, cells.sum(dtype=numpy.float64))


def received(dask_worker):
    """Bytes that a worker had from others so far."""
    return sum(entry["total"] for entry in dask_worker.transfer_incoming_log)


def moved_by_one_read(client):
    """Bytes that go over when one worker reads 8,000 that the other made. The scheduler has no
    choice here, so this shows that what is counted below is what moved."""
    maker, reader = client.scheduler_info()["workers"]
    before = sum(client.run(received).values())
    made = client.submit(numpy.zeros, 1000, workers=[maker])
    client.submit(numpy.sum, made, workers=[reader]).result(SECONDS)
    return sum(client.run(received).values()) - before


def moved(client, padded):
    """Bytes that go from one worker to the other while each chunk is read where it is made."""
    before = sum(client.run(received).values())
    sums = padded.map_blocks(total, dtype="f8", chunks=tuple((1,) * n for n in padded.numblocks))
    sums = sums.persist()
    wait(sums, timeout=SECONDS)
    return sum(client.run(received).values()) - before


def slow(cells):
    """A chunk takes a while, so that much is still to be done when the worker is killed."""
    time.sleep(0.02)
    return cells


def kill(client, number):
    """How many chunks were finished when a worker was killed, and whether the result is exact."""
    cells = numpy.random.default_rng(number).random((90, 90), dtype=numpy.float32)
    mode = ("wrap", "reflect", "symmetric", "edge", "constant")[number % 5]
    padded = tensorpad.dask.pad(dask.array.from_array(cells, chunks=10).map_blocks(slow), 12, mode)
    padded = padded.persist()
    chunks = futures_of(padded)
    for count, _ in enumerate(as_completed(chunks, timeout=SECONDS), start=1):
        if count == FINISHED:
            break
    victim = sorted(client.run(os.getpid).values())[number % 2]
    finished = sum(chunk.done() for chunk in chunks)
    os.kill(victim, signal.SIGKILL)
    found = client.gather(client.compute(padded), direct=False)
    wanted = tensorpad.pad(cells, 12, mode)
    return {
        "mode": mode,
        "finished": finished,
        "chunks": len(chunks),
        "exact": found.dtype == wanted.dtype and found.tobytes() == wanted.tobytes(),
    }


@contextlib.contextmanager
def two_workers():
    with (
        LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address=None,
            memory_limit=0,
        ) as cluster,
        Client(cluster, timeout=SECONDS) as client,
    ):
        yield client


def main():
    with dask.config.set(SETTINGS):
        with two_workers() as client:
            said = {"moved": {"one read": moved_by_one_read(client)}}
            for mode in ("constant", "edge", "reflect", "symmetric", "wrap"):
                said["moved"][mode] = moved(client, tensorpad.dask.pad(source(4000), CELLS, mode))
            said["moved"]["overlap"] = moved(
                client, tensorpad.dask.overlap(source(8000), CELLS, "none")
            )
            said["threads"] = list(client.run(tensorpad.thread_count).values())
        said["killed"] = []
        for number in range(int(sys.argv[1])):
            with two_workers() as client:
                said["killed"].append(kill(client, number))
    print(json.dumps(said))


if __name__ == "__main__":
    main()
