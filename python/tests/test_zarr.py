"""tensorpad.zarr.pad: the result is that of the whole array, and each chunk is decoded once.

Expected values are those of numpy.pad and of tensorpad.pad of the whole array.
"""

import collections
import errno
import itertools
import json
import random
import sys
import tracemalloc
import warnings

import numpy as np
import pytest
from chunked import assert_same, outcome, random_pad, whole

zarr = pytest.importorskip("zarr")
import tensorpad  # noqa: E402
import tensorpad.zarr  # noqa: E402
from zarr.abc.codec import BytesBytesCodec  # noqa: E402
from zarr.storage import LocalStore, MemoryStore, StorePath, WrapperStore, ZipStore  # noqa: E402

UNFINISHED, WRITER = "tensorpad-unfinished.json", "tensorpad-writer.json"
TYPES = ["u1", "<i4", ">i4", "<f2", "<f8", "<M8[D]", "<c16", "?", "S3", [("a", "<i2"), ("b", "u1")]]


def stored(array, store=None, **how):
    made = zarr.create_array(
        MemoryStore() if store is None else store, shape=array.shape, dtype=array.dtype, **how
    )
    made[...] = array
    return made


def numbers(*shape, dtype="f8"):
    return np.arange(np.prod(shape)).reshape(shape).astype(dtype)


def same(found, wanted):
    found = np.asarray(found[...], wanted.dtype)
    return found.shape == wanted.shape and found.tobytes() == wanted.tobytes()


class Watched(WrapperStore):
    """Counts how often each chunk is read, and fails where it is told to."""

    def __init__(self, store):
        super().__init__(store)
        self.reads = collections.Counter()
        self.writes = 0
        self.full_after = None
        self.changes = []  # of documents, in their order

    async def get(self, key, prototype=None, byte_range=None):
        if "/" in key and type(byte_range).__name__ != "SuffixByteRequest":  # the index of a shard
            self.reads[key, byte_range] += 1
        return await self._store.get(key, prototype, byte_range)

    async def set(self, key, value):
        if "/" in key:
            self.writes += 1
            if self.full_after is not None and self.writes > self.full_after:
                raise OSError(errno.ENOSPC, "No space left on device")
        else:
            self.changes.append(("set", key))
        await self._store.set(key, value)

    async def delete(self, key):
        if "/" not in key:
            self.changes.append(("delete", key))
        await self._store.delete(key)


# ---- Values --------------------------------------------------------------------------------------


def stored_somehow(rng, array):
    """In chunks, shards and codecs of any kind, and what the target's are to be."""
    chunks = [rng.randint(3, 5) for _ in array.shape]
    may_shard = array.ndim and not array.dtype.names  # zarr 3.1 has no shards of records
    how, ours = {"chunks": chunks}, {"memory": rng.choice([6000, 10**8, 10**8])}
    if may_shard and rng.random() < 0.3:
        how["shards"] = [chunk * rng.randint(1, 2) for chunk in chunks]
    if rng.random() < 0.2:
        how["compressors"] = None
    if rng.random() < 0.2:
        how = {"chunks": chunks, "zarr_format": 2, "order": rng.choice("CF")}
    if rng.random() < 0.3:
        ours["chunks"] = [rng.randint(2, 6) for _ in array.shape]
    if may_shard and "zarr_format" not in how and rng.random() < 0.2:
        ours["shards"] = [chunk * rng.randint(1, 2) for chunk in ours.get("chunks", chunks)]
    return zarr.open_array(stored(array, **how).store_path), ours


@pytest.mark.filterwarnings("ignore")
def test_random_pads():
    """Modes for each axis, crops, interior, both orders, types, chunks, shards, codecs, memory."""
    rng = random.Random(20)
    done = refused = small = 0
    while done < 300:
        array, words = random_pad(rng, TYPES, (9, 9, 9, 9))
        source, ours = stored_somehow(rng, array)
        read = np.asarray(source[...], source.dtype).reshape(array.shape)
        wanted = whole(read, **words)
        made = outcome(tensorpad.zarr.pad, source, MemoryStore(), **words, **ours)
        if isinstance(wanted, ValueError):
            assert type(made) is type(wanted), (made, words)
            refused += 1
        elif isinstance(made, ValueError) and "memory is" in str(made):
            small += 1
        else:
            assert made.dtype == source.dtype and made.compressors == source.compressors
            assert made.chunks == tuple(ours.get("chunks", source.chunks))
            shards = ours.get("shards", None if "chunks" in ours else source.shards)
            assert made.shards == (shards and tuple(shards))
            assert_same(np.asarray(made[...], wanted.dtype), wanted, words, ours)
            done += 1
    assert refused < 100 and small < 100


# ---- How often chunks are decoded ----------------------------------------------------------------


def reading(store, **arguments):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tensorpad.zarr.pad(zarr.open_array(store, mode="r+"), MemoryStore(), **arguments)
    found, store.reads = store.reads, collections.Counter()
    return found


class Counting(BytesBytesCodec):
    """Counts how often chunks are decoded, by their first element."""

    is_fixed_size = True
    decoded = collections.Counter()

    @classmethod
    def from_dict(cls, data):
        return cls()

    def to_dict(self):
        return {"name": "counting"}

    def compute_encoded_size(self, length, _):
        return length

    async def _decode_single(self, chunk, _):
        self.decoded[np.frombuffer(chunk.to_bytes(), "f8")[0]] += 1
        return chunk

    async def _encode_single(self, chunk, _):
        return chunk


zarr.registry.register_codec("counting", Counting)


@pytest.mark.parametrize("mode", ["constant", "edge", "reflect", "symmetric"])
@pytest.mark.parametrize("shards", [None, (12, 12)])
@pytest.mark.parametrize("memory", [15_000, 10**8])
def test_each_chunk_is_decoded_once(mode, shards, memory):
    """Whether all of it is one box, or each chunk of the target is. No chunk of the target is."""
    source = stored(numbers(66, 54), chunks=(6, 6), shards=shards, compressors=[Counting()])
    Counting.decoded.clear()
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        tensorpad.zarr.pad(source, MemoryStore(), 3, mode, memory=memory)
    assert len(Counting.decoded) == 11 * 9 and set(Counting.decoded.values()) == {1}


def test_wrap_decodes_a_chunk_again_for_each_border_that_repeats_it():
    store = Watched(MemoryStore())
    stored(numbers(66, 54), store, chunks=(6, 6))
    store.reads.clear()
    found = reading(store, pad_width=3, mode="wrap", memory=6000)
    for row, column in itertools.product(range(11), range(9)):
        wanted = (2 if row in (0, 10) else 1) * (2 if column in (0, 8) else 1)
        assert found[f"c/{row}/{column}", None] == wanted, (row, column)


def test_crops_read_only_what_they_need():
    store = Watched(MemoryStore())
    stored(numbers(60, 60), store, chunks=(10, 10))
    store.reads.clear()
    found = reading(store, pad_width=((-25, -20), (-40, 5)), mode="edge")
    assert set(found) == {(f"c/{row}/{column}", None) for row in (2, 3) for column in (4, 5)}


def test_too_little_memory_for_once_is_told():
    store = Watched(MemoryStore())
    array = numbers(120, 120)
    source = stored(array, store, chunks=(10, 10))
    store.reads.clear()
    with pytest.warns(
        UserWarning,
        match=r"\d+ chunks are decoded instead of 144: with memory=\d+ "
        "each would be decoded once",
    ) as said:
        made = tensorpad.zarr.pad(source, MemoryStore(), 5, memory=9000)
    words = str(said[0].message).split()
    assert said[0].filename == __file__
    assert sum(store.reads.values()) == int(words[0]) < 3 * 144
    assert same(made, np.pad(array, 5))
    store.reads.clear()
    enough = int(words[8].removeprefix("memory="))
    assert set(reading(store, pad_width=5, memory=enough).values()) == {1}
    few = r"memory is 5000 bytes, and chunks of these extents need at least \d+: give more"
    with pytest.raises(ValueError, match=few):
        tensorpad.zarr.pad(source, MemoryStore(), 5, memory=5000)


@pytest.mark.long
def test_memory_is_the_most_that_is_used(tmp_path):
    """The array is ten times larger; what is kept between two rows of boxes is little of a row."""
    array = np.random.default_rng(0).random((1800, 1800))
    source = stored(array, tmp_path / "in", chunks=(120, 120), compressors=None)
    memory = 2_500_000
    tensorpad.zarr.pad(source, tmp_path / "first", -890)  # imports
    tracemalloc.start()
    try:
        made = tensorpad.zarr.pad(source, tmp_path / "out", 10, "wrap", memory=memory)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < memory < array.nbytes / 10
    assert same(made, np.pad(array, 10, "wrap"))


# ---- The target's metadata -----------------------------------------------------------------------


OF_3 = {
    "chunks": (2, 5),
    "shards": (4, 10),
    "fill_value": 7,
    "compressors": zarr.codecs.BloscCodec(cname="lz4", clevel=3),
    "dimension_names": ["y", None],
    "chunk_key_encoding": {"name": "v2", "separator": "."},
    "filters": [zarr.codecs.TransposeCodec(order=(1, 0))],
}


@pytest.mark.parametrize("how", [OF_3, {"chunks": (4, 4), "zarr_format": 2, "order": "F"}])
def test_the_target_is_like_the_source(how):
    source = stored(numbers(20, 30, dtype=">i2"), attributes={"unit": "m"}, **how)
    made = tensorpad.zarr.pad(source, MemoryStore(), 3, "wrap")
    ours, theirs = made.metadata.to_dict(), source.metadata.to_dict()
    assert ours.pop("shape") == (26, 36) and theirs.pop("shape") == (20, 30)
    assert ours == theirs and made.shards == source.shards and dict(made.attrs) == {"unit": "m"}
    assert same(made, np.pad(source[...], 3, "wrap"))


def test_missing_chunks_stay_missing():
    source = zarr.create_array(
        MemoryStore(), shape=(40, 40), chunks=(10, 10), dtype="f4", fill_value=np.nan
    )
    source[:10, :10] = 1
    made = tensorpad.zarr.pad(source, MemoryStore(), 10, constant_values=np.nan)
    assert made.nchunks_initialized == 1 and made[10, 10] == 1


def test_paths_stores_and_members_of_groups(tmp_path):
    array = numbers(9, 8)
    stored(array, tmp_path / "in.zarr", chunks=(4, 4))
    made = tensorpad.zarr.pad(str(tmp_path / "in.zarr"), tmp_path / "out.zarr", 1)
    assert made.store_path.store.root == tmp_path / "out.zarr" and same(made, np.pad(array, 1))
    group = zarr.create_group(tmp_path / "group")
    source = stored(array, group.store_path / "one", chunks=(4, 4))
    tensorpad.zarr.pad(source, group.store_path / "two", 1)
    assert sorted(group.array_keys()) == ["one", "two"] and same(group["two"], np.pad(array, 1))
    tensorpad.zarr.pad(group.store_path / "two", LocalStore(tmp_path / "three"), -1)
    assert same(zarr.open_array(tmp_path / "three"), array)
    store = MemoryStore()
    stored(array, StorePath(store, "a"), chunks=(4, 4))
    made = tensorpad.zarr.pad(StorePath(store, "a"), StorePath(store, "b"), 1)
    assert same(made, np.pad(array, 1))
    with ZipStore(tmp_path / "z.zip", mode="w") as zipped:
        stored(array, zipped, chunks=(4, 4))
    with ZipStore(tmp_path / "z.zip", mode="r") as zipped:
        assert same(tensorpad.zarr.pad(zipped, MemoryStore(), 1), np.pad(array, 1))


# ---- Errors, and targets that are not finished ---------------------------------------------------


def test_what_is_there_is_not_lost(tmp_path):
    source = stored(numbers(9, 8), tmp_path / "in", chunks=(4, 4))
    old = stored(numbers(3), tmp_path / "out", chunks=(1,))
    (tmp_path / "home").mkdir()
    (tmp_path / "home/thesis.txt").write_text("text")
    zarr.create_group(tmp_path / "group")
    over, both = {"overwrite": True}, {"overwrite": True, "resume": True}
    no_array, near = "holds something that is not an array", "lies where the source"
    for name, words, error, text in (
        ("out", {}, FileExistsError, "out exists: overwrite=True replaces it"),
        ("out", {"resume": True}, FileExistsError, "out exists, and nothing of it is unfinished"),
        *((name, over, FileExistsError, no_array) for name in ("home", "group")),
        *((name, over, ValueError, near) for name in ("in", "in/c", ".")),
        ("new", both, ValueError, "give one of them"),
        ("new", {"memory": 1}, ValueError, "memory is 1 bytes"),
    ):
        with pytest.raises(error, match=text):
            tensorpad.zarr.pad(source, tmp_path / name, 1, **words)
    assert old[2] == 2 and not (tmp_path / "new").exists()
    made = tensorpad.zarr.pad(source, tmp_path / "out", 1, overwrite=True)
    assert same(made, np.pad(source[...], 1)) and not (tmp_path / "out/c/2").is_file()
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["c", "zarr.json"]


def test_what_is_refused(tmp_path):
    group = zarr.create_group(MemoryStore())
    group.create_array("one", shape=(3,), dtype="f4")
    (tmp_path / "zarr.json").write_text("{")
    text = zarr.create_array(MemoryStore(), shape=(3,), dtype="str")
    six, plane = stored(numbers(6), chunks=(2,)), stored(numbers(9, 5), chunks=(2, 5))
    old = stored(numbers(9, 5), chunks=(4, 4), zarr_format=2)
    out, no_delete = MemoryStore(), "read-only or cannot delete"
    for source, target, words, error, said in (
        (tmp_path / "nothing", out, {}, FileNotFoundError, "nothing: there is no array of zarr$"),
        (group, out, {}, TypeError, r"is a group: pad one of .*, such as group\['one'\]"),
        (tmp_path, out, {}, ValueError, "the metadata cannot be read"),
        (text, out, {}, TypeError, "no fixed number of bytes"),
        (six, out, {"mode": "mean"}, ValueError, "mode 'mean' is computed by NumPy"),
        (six, group, {}, TypeError, "got Group: take group.store_path / name"),
        (six, six, {}, TypeError, "got Array: the target is made by the call"),
        (six, 5, {}, TypeError, "a path, a store or a zarr.storage.StorePath, got int$"),
        (six, MemoryStore(read_only=True), {}, ValueError, no_delete),
        (six, ZipStore(tmp_path / "z.zip", mode="w"), {}, ValueError, no_delete),
        (plane, out, {"chunks": (2,)}, ValueError, "chunks has to be 2 extents of at least 1"),
        (plane, out, {"chunks": (0, 1)}, ValueError, "chunks has to be"),
        (plane, out, {"chunks": 3}, ValueError, "chunks has to be"),
        (plane, out, {"shards": (5, 5)}, ValueError, "shards of 5 cells are not made of .* of 2$"),
        (stored(numbers(), chunks=()), out, {"shards": ()}, ValueError, "without axes has none"),
        (old, out, {"shards": (4, 4)}, ValueError, "format 2 have none"),
    ):
        words = {"pad_width": () if "without" in said else 1} | words
        with pytest.raises(error, match=said):
            tensorpad.zarr.pad(source, target, **words)
    assert not (tmp_path / "nothing").exists()


def test_a_full_disk(tmp_path):
    """The target says that it is unfinished; with the same arguments it is finished later."""
    array = numbers(40, 40)
    source = stored(array, tmp_path / "in", chunks=(10, 10))
    store = Watched(LocalStore(tmp_path / "out"))
    store.full_after = 12
    few = {"memory": 20_000}
    full = "target .*out: cells .* cannot be written: .*No space left.*; the target is unfinished"
    with pytest.raises(OSError, match=full + ", and resume=True goes on") as said:
        tensorpad.zarr.pad(source, store, 5, **few)
    assert said.value.errno == errno.ENOSPC
    out = tmp_path / "out"
    state = json.loads((out / UNFINISHED).read_text())
    assert 0 < state["done"] < state["boxes"]
    with pytest.raises(FileNotFoundError):
        zarr.open_array(out, mode="r")
    with pytest.raises(FileNotFoundError, match="no array of zarr, but an unfinished pad"):
        tensorpad.zarr.pad(out, tmp_path / "more", 1)
    known = r"unfinished \(\d+ of \d+ boxes are written\): resume=True"
    with pytest.raises(FileExistsError, match=known):
        tensorpad.zarr.pad(source, out, 5, **few)
    other = stored(array, tmp_path / "other", chunks=(10, 10))
    words = "pad_width, mode, interior, order or axes"
    for word, given, more in (
        (words, (source, out, 5, "edge"), {}),
        (words, (source, out, 6), {}),
        ("source", (other, out, 5), {}),
        ("constant_values", (source, out, 5), {"constant_values": 1}),
        ("chunks", (source, out, 5), {"chunks": (9, 9)}),
        ("shards", (source, out, 5), {"shards": (20, 20)}),
    ):
        with pytest.raises(ValueError, match=f"out was begun with another {word} .*give the same"):
            tensorpad.zarr.pad(*given, resume=True, **few, **more)
    with pytest.raises(ValueError, match="the target was begun with at least .*: give more"):
        tensorpad.zarr.pad(source, out, 5, resume=True, memory=100)
    (out / "c/0/0.5eaf.partial").write_text("what a killed process was writing")
    made = tensorpad.zarr.pad(source, out, 5, resume=True, memory=30_000)
    assert not list(out.rglob("*.partial"))
    assert same(made, np.pad(array, 5)) and not (out / UNFINISHED).exists()


def test_only_what_is_missing_is_done_again(tmp_path):
    array = numbers(60, 60)
    source = Watched(LocalStore(tmp_path / "in"))
    stored(array, source, chunks=(10, 10))
    store = Watched(MemoryStore())
    store.full_after = 30
    given = {"pad_width": 5, "memory": 16_000, "chunks": (10, 10)}
    with pytest.raises(OSError):
        tensorpad.zarr.pad(zarr.open_array(source, mode="r+"), store, **given)
    store.full_after, store.writes = None, 0
    source.reads.clear()
    made = tensorpad.zarr.pad(zarr.open_array(source, mode="r+"), store, resume=True, **given)
    assert same(made, np.pad(array, 5)) and store.writes < 49 - 20
    assert max(source.reads.values()) == 1 and len(source.reads) < 36 - 10


def test_a_damaged_chunk(tmp_path):
    array = numbers(40, 40)
    stored(array, tmp_path / "in", chunks=(10, 10))
    chunk = tmp_path / "in/c/2/1"
    whole = chunk.read_bytes()
    chunk.write_bytes(b"no zstd")
    damaged = r"source .*in: cells \[.*:.*, .*:.*\] cannot be read: .*; the target is unfinished"
    with pytest.raises(OSError, match=damaged):
        tensorpad.zarr.pad(tmp_path / "in", tmp_path / "out", 5, memory=20_000)
    chunk.write_bytes(whole)
    made = tensorpad.zarr.pad(tmp_path / "in", tmp_path / "out", 5, memory=20_000, resume=True)
    assert same(made, np.pad(array, 5))


def test_a_damaged_state(tmp_path):
    source = stored(numbers(9), chunks=(4,))
    (tmp_path / UNFINISHED).write_text("[1]")
    with pytest.raises(ValueError, match="tensorpad-unfinished.json is damaged; delete the target"):
        tensorpad.zarr.pad(source, tmp_path, 1, resume=True)


def test_metadata_is_deleted_first_and_written_last(tmp_path):
    """At no time does metadata stand beside chunks that it does not describe."""
    source = stored(numbers(30), chunks=(5,))
    stored(numbers(10, dtype="i2"), tmp_path / "out", chunks=(2,))
    store = Watched(LocalStore(tmp_path / "out"))
    store.full_after = 0
    with pytest.raises(OSError):
        tensorpad.zarr.pad(source, store, 1, overwrite=True)
    assert store.changes == [
        ("set", UNFINISHED),
        ("delete", "zarr.json"),
        ("delete", "c"),
        ("delete", WRITER),
    ]
    assert [path.name for path in (tmp_path / "out").iterdir() if path.is_file()] == [UNFINISHED]
    store.full_after, store.changes = None, []
    assert same(tensorpad.zarr.pad(source, store, 1, overwrite=True), np.pad(source[...], 1))
    assert store.changes[-4:] == [
        ("set", UNFINISHED),
        ("set", "zarr.json"),
        ("delete", UNFINISHED),
        ("delete", WRITER),
    ]


# ---- Progress, and what is not installed ---------------------------------------------------------


def test_progress(capsys, monkeypatch):
    source = stored(numbers(40, 40), chunks=(10, 10))
    tensorpad.zarr.pad(source, MemoryStore(), 5, memory=20_000)
    assert capsys.readouterr().err == ""  # no terminal
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    tensorpad.zarr.pad(source, MemoryStore(), 5)
    assert capsys.readouterr().err == ""  # less than a second
    monkeypatch.setattr("tensorpad.zarr._FIRST", 0)
    monkeypatch.setattr("tensorpad.zarr._OFTEN", 0)
    tensorpad.zarr.pad(source, MemoryStore(), 5, memory=20_000, progress=False)
    assert capsys.readouterr().err == ""
    tensorpad.zarr.pad(source, MemoryStore(), 5, memory=20_000)
    said = capsys.readouterr().err
    assert "[==============================] 100% 0.00 of 0.00 GB, 0:00 left" in said
    assert said.endswith("\r\033[K")  # the line is removed
