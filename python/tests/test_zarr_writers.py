"""tensorpad.zarr.pad: a target has one writer at a time, and a killed one does not stay in the way. Arrays many
times the memory of the process.

Expected values are those of numpy.pad.
"""

import asyncio
import errno
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
fcntl = pytest.importorskip("fcntl")
resource = pytest.importorskip("resource")
import tensorpad.zarr  # noqa: E402
from zarr.storage import FsspecStore, LocalStore, MemoryStore, WrapperStore  # noqa: E402

WRITER = "tensorpad-writer.json"
FEW = {"memory": 20_000}  # so that there are several boxes
# A process that pads. Told so, it stops when it reads its fourth chunk or before it begins, says so,
# and goes on when a line comes.
PROGRAM = """
import sys, zarr, tensorpad.zarr

source, target, stops, when = sys.argv[1:]
read, reads = zarr.Array.__getitem__, []

def reading(array, cells):
    reads.append(cells)
    if len(reads) == 4:
        print("stopped", flush=True)
        sys.stdin.readline()
    return read(array, cells)

if stops:
    zarr.Array.__getitem__ = reading
if when == "together":
    print("ready", flush=True)
    sys.stdin.readline()
try:
    tensorpad.zarr.pad(source, target, 5, "wrap", memory=20_000, resume=True)
    print("written")
except FileExistsError as error:
    print("refused:", error)
"""


@pytest.fixture
def folder(tmp_path):
    """The folder of a source `in`, of 16 chunks."""
    made = zarr.create_array(tmp_path / "in", shape=(40, 40), chunks=(10, 10), dtype="f8")
    made[...] = np.arange(1600.0).reshape(40, 40)
    return tmp_path


def start(folder, stops="", when="now"):
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, folder / "in", folder / "out", stops, when],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def is_whole(folder):
    wanted = np.pad(zarr.open_array(folder / "in", mode="r")[...], 5, "wrap")
    assert np.array_equal(zarr.open_array(folder / "out", mode="r")[...], wanted)
    assert sorted(path.name for path in (folder / "out").iterdir()) == ["c", "zarr.json"]


@pytest.mark.long
def test_many_processes_at_once(folder):
    """One of them writes, in every round."""
    for _ in range(3):
        both = [start(folder, when="together") for _ in range(3)]
        for one in both:
            assert one.stdout.readline() == "ready\n"
        for one in both:
            one.stdin.write("\n")
            one.stdin.flush()
        said = sorted(one.communicate(timeout=60)[0][:7] for one in both)
        assert said == ["refused", "refused", "written"]
        is_whole(folder)
        for path in sorted((folder / "out").rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()


@pytest.fixture
def meanwhile(monkeypatch):
    """Calls a function once, when a pad is about to read its fourth chunk."""
    read, calls = zarr.Array.__getitem__, []

    def reading(array, cells):
        if calls and calls[0]() == 4:
            calls.pop(1)()
        return read(array, cells)

    def when_reading(function):
        count = iter(range(1, 1000)).__next__
        calls[:] = [count, function]

    monkeypatch.setattr(zarr.Array, "__getitem__", reading)
    return when_reading


class Wrapped(WrapperStore):
    """A store that is a folder, but does not look like one."""

    def __init__(self, folder):
        super().__init__(LocalStore(folder))


def without_locks(monkeypatch):
    """A file system that cannot lock folders, as NFS."""

    def refused(*_):
        raise OSError(errno.EBADF, "Bad file descriptor")

    monkeypatch.setattr("fcntl.flock", refused)


STORES = {
    "memory": lambda folder: MemoryStore(),
    "fsspec": lambda folder: FsspecStore.from_url(f"memory:/{folder}/out"),
    "folder without locks": lambda folder: LocalStore(folder / "out"),
}


@pytest.mark.parametrize("kind", STORES)
@pytest.mark.parametrize("how", [{"resume": True}, {"overwrite": True}, {}])
def test_where_nothing_can_be_locked_a_document_says_who_writes(
    kind, how, folder, monkeypatch, meanwhile
):
    without_locks(monkeypatch)
    store = STORES[kind](folder)
    source = zarr.open_array(folder / "in", mode="r")
    wanted = np.pad(source[...], 5)
    said = []

    def second():
        with pytest.raises(FileExistsError) as error:
            tensorpad.zarr.pad(source, store, 5, **FEW, **how)
        said.append(str(error.value))

    meanwhile(second)
    made = tensorpad.zarr.pad(source, store, 5, **FEW, resume=True)
    assert np.array_equal(made[...], wanted)
    if how:
        assert f"by process {os.getpid()} on {os.uname().nodename}" in said[0], said
        assert WRITER in said[0]
    else:
        assert "is unfinished" in said[0]
    assert WRITER not in names(store)


def names(store):
    async def listed():
        return {name async for name in store.list_dir("")}

    return asyncio.run(listed())


def test_another_call_is_faster(folder):
    """It creates its document between the look and the creation of this one."""
    source = zarr.open_array(folder / "in", mode="r")
    other = {"process": 7, "host": "elsewhere", "since": "now", "locked": False}

    class Late(WrapperStore):
        async def set_if_not_exists(self, key, value):
            await self._store.set(key, type(value).from_bytes(json.dumps(other).encode()))
            await self._store.set_if_not_exists(key, value)

    store = MemoryStore()
    with pytest.raises(FileExistsError, match="by process 7 on elsewhere"):
        tensorpad.zarr.pad(source, Late(store), 5, **FEW)
    assert names(store) == {WRITER}


def test_a_forked_process_does_not_keep_the_lock(folder, meanwhile):
    children = []

    def fork():
        child = os.fork()
        if not child:
            signal.pause()
        children.append(child)

    meanwhile(fork)
    try:
        for _ in range(2):
            tensorpad.zarr.pad(folder / "in", folder / "out", 5, "wrap", overwrite=True, **FEW)
    finally:
        os.kill(children[0], signal.SIGKILL)
        os.waitpid(children[0], 0)
    is_whole(folder)


@pytest.mark.parametrize(
    "first, second, words",
    [
        (LocalStore, Wrapped, ["by process", f"delete {WRITER} there"]),
        (Wrapped, LocalStore, ["by process", f"delete {WRITER} there"]),
        (LocalStore, LocalStore, ["by another call: wait until it ends"]),
    ],
)
def test_two_kinds_of_stores_of_one_folder(first, second, words, folder, meanwhile):
    source = zarr.open_array(folder / "in", mode="r")

    def refused():
        half = folder / "out/c/9.partial"
        half.parent.mkdir(exist_ok=True)
        half.write_text("what the first one is writing")
        for how in {}, {"resume": True}, {"overwrite": True}:
            with pytest.raises(FileExistsError) as said:
                tensorpad.zarr.pad(source, second(folder / "out"), 5, "wrap", **FEW, **how)
            assert not how.get("resume") or all(word in str(said.value) for word in words)
        half.unlink()

    meanwhile(refused)
    tensorpad.zarr.pad(source, first(folder / "out"), 5, "wrap", **FEW, resume=True)
    is_whole(folder)


def test_what_a_killed_writer_leaves_in_a_store(folder, monkeypatch):
    """The error says what to delete, and then all goes on."""
    without_locks(monkeypatch)
    first = {"process": 7, "host": "elsewhere", "since": "2026-01-02 03:04:05"}
    (folder / "out").mkdir()
    left = folder / "out" / WRITER
    left.write_text(json.dumps(first))
    for how in {}, {"resume": True}, {"overwrite": True}:
        with pytest.raises(FileExistsError) as said:
            tensorpad.zarr.pad(folder / "in", folder / "out", 5, "wrap", **FEW, **how)
        assert "since 2026-01-02 03:04:05 by process 7 on elsewhere" in str(said.value)
        assert f"delete {WRITER} there" in str(said.value)
    assert json.loads(left.read_text()) == first
    left.write_text("[1]")
    with pytest.raises(ValueError, match=f"{WRITER} is damaged; delete it"):
        tensorpad.zarr.pad(folder / "in", folder / "out", 5, "wrap", **FEW)
    left.unlink()
    tensorpad.zarr.pad(folder / "in", folder / "out", 5, "wrap", **FEW)
    is_whole(folder)


def test_a_pad_that_fails_leaves_no_writer(folder, meanwhile):
    store = MemoryStore()
    source = zarr.open_array(folder / "in", mode="r")

    def fails():
        raise OSError(errno.EIO, "Input/output error")

    meanwhile(fails)
    with pytest.raises(OSError, match="resume=True goes on"):
        tensorpad.zarr.pad(source, store, 5, **FEW)
    assert names(store) == {"c", "tensorpad-unfinished.json"}
    made = tensorpad.zarr.pad(source, store, 5, **FEW, resume=True)
    assert np.array_equal(made[...], np.pad(source[...], 5))


@pytest.mark.parametrize(
    "stops, text",
    [
        ("", "out exists, and nothing of it is unfinished"),
        ("stops", "another call changed it: call again"),
    ],
)
def test_a_target_that_changes_before_it_is_locked(folder, monkeypatch, stops, text):
    """Another call writes it between the check and the lock, or begins to and is killed."""
    lock, second = fcntl.flock, iter([True])

    def later(*words):
        if next(second, False):
            other = start(folder, stops)
            assert other.stdout.readline() == ("stopped\n" if stops else "written\n")
            other.kill()
            other.communicate(timeout=60)
        lock(*words)

    monkeypatch.setattr("fcntl.flock", later)
    with pytest.raises(FileExistsError, match=text):
        tensorpad.zarr.pad(folder / "in", folder / "out", 5, "wrap", **FEW, resume=True)
    if stops:
        tensorpad.zarr.pad(folder / "in", folder / "out", 5, "wrap", **FEW, resume=True)
    is_whole(folder)


# ---- Arrays many times the memory of the process, which is killed and goes on --------------------

# TENSORPAD_LONG=1 takes 4 GB, 16 times the memory that the system gives the process, and eight kills;
# else it is 538 MB, four times the limit, and two kills.
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


def start_limited(source, target):
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
        process = start_limited(source, target)
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
    process = start_limited(source, target)
    peak = int(process.communicate()[0]) << 10
    assert process.returncode == 0
    assert peak < min(LIMIT, 300 << 20)

    found = zarr.open_array(target, mode="r")
    assert found.shape == (EXTENT + 2 * WIDTH,) * 2
    columns = np.arange(-WIDTH, EXTENT + WIDTH) % EXTENT
    for rows in bands(found.shape[0]):
        wanted = cells((rows - WIDTH) % EXTENT, columns)
        assert np.array_equal(found[rows[0] : rows[-1] + 1], wanted)
    assert sorted(path.name for path in target.iterdir()) == ["c", "zarr.json"]
    assert not list(target.rglob("*.partial"))
