"""Pads and overlaps on a cluster of two worker processes: what moves between them, and what comes
out when one is killed. A program, so that whoever started it can end it with all its processes.

Prints one line of JSON. Its argument: how often a worker is killed.
"""

import contextlib
import json
import os
import signal
import sys
import time

import dask
import dask.array
import numpy
import tensorpad.dask
from distributed import Client, LocalCluster, as_completed, futures_of, wait

SECONDS = 60  # for each computation
CELLS = 10  # on each side
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
    """Bytes that go over when one worker reads 8,000 that the other made. The scheduler has no choice
    here, so this shows that what is counted below is what moved."""
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
