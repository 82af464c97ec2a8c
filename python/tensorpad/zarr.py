"""tensorpad.pad for arrays of zarr that are larger than memory.  SPDX-License-Identifier: MIT"""

# The metadata (zarr.json) is written last. Until then the target has a document of ours that
# records the call and how many boxes are finished; nothing can open it as an array.

from __future__ import annotations

from ._errors import load_extra

load_extra("zarr", "zarr", "tensorpad.zarr needs zarr")

import contextlib
import hashlib
import json
import math
import operator
import os
import platform
import secrets
import sys
import time
import warnings
from collections import defaultdict
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy
import zarr
from zarr.abc.store import Store
from zarr.buffer import cpu, default_buffer_prototype
from zarr.codecs import ShardingCodec
from zarr.core.sync import sync  # private: fsspec stores belong to zarr's event loop
from zarr.storage import FsspecStore, LocalStore, StorePath

from . import _sweep
from ._chunks import assemble, nested
from ._plan import box_plan

try:
    import fcntl
except ImportError:  # Windows cannot lock folders
    fcntl = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from . import _Axes, _Axis, _Interior, _Moves, _Order, _PadWidth

__all__ = ["pad"]

_UNFINISHED, _WRITER = "tensorpad-unfinished.json", "tensorpad-writer.json"
_V3, _V2, _V2_ATTRIBUTES = "zarr.json", ".zarray", ".zattrs"


def pad(
    source: str | Path | Any,
    target: str | Path | Any,
    pad_width: _PadWidth,
    mode: _Moves = "constant",
    *,
    constant_values: Any = 0,
    constant_axis: _Axis = None,
    interior: _Interior = 0,
    order: _Order = "window",
    axes: _Axes = None,
    chunks: Sequence[int] | None = None,
    shards: Sequence[int] | None = None,
    memory: SupportsIndex = 268_435_456,
    overwrite: bool = False,
    resume: bool = False,
    progress: bool | None = None,
) -> Any:
    """Pads an array of zarr into a new one, chunk by chunk; returns the new one.

    source: a zarr.Array, or the path, store or zarr.storage.StorePath of one.
    target: the path, store or StorePath of the new array, such as group.store_path / "name". It has
        the source's format, codecs, type, fill value, attributes and dimension names.
    pad_width, mode, constant_values, constant_axis, interior, order, axes: as in tensorpad.pad; the
        modes are constant, edge, reflect, symmetric and wrap.
    chunks: extents of the target's chunks; None: those of the source.
    shards: extents of the target's shards, in cells; None: those of the source, or none if `chunks`
        is given.
    memory: the bytes that the call may use, not counting Python and its packages (256 MiB).
    overwrite: True first deletes an array at the target, or an unfinished one.
    resume: True continues an unfinished target begun with the same arguments; `memory` must be
        enough for the boxes that it was begun with. If there is none, it begins.
    progress: whether a line on stderr shows the progress. None: only on a terminal, after one second.

    Each chunk of the source is decoded once, and once more for each border that repeats it. If
    `memory` is too small for that, a UserWarning says how many chunks are decoded more often. The
    target cannot be opened as an array before everything is written.

    Raises TypeError and ValueError for wrong arguments, for elements without a fixed number of
    bytes, and for too little `memory`; FileNotFoundError if there is no source; FileExistsError if
    the target is not free, or another call writes to it; OSError if a chunk cannot be read or
    written. After an OSError, or if the process was killed, the target is unfinished, and
    resume=True continues. If the store is not a folder of this machine, a killed process also
    leaves tensorpad-writer.json in the target; the error says to delete it first.
    """
    if overwrite and resume:
        raise ValueError("overwrite=True begins anew and resume=True goes on: give one of them")
    memory = operator.index(memory)
    source = _open_source(source)
    words = interior, order, axes, {}, constant_axis
    plan, settings = box_plan(source.shape, source.dtype, pad_width, mode, constant_values, *words)
    documents = _documents(source)
    digest = hashlib.sha256(json.dumps(documents).encode()).hexdigest()
    _describe(documents, source, plan.out_shape, chunks, shards)
    path = _place(target)
    if _overlap(source.store_path, path):
        raise ValueError(
            f"target {path} lies where the source {source.store_path} does: name another place"
        )
    # An array whose metadata is only in memory: its chunks can be written, and nothing can open it.
    metadata = documents.get(_V3) or documents[_V2] | {"attributes": documents[_V2_ATTRIBUTES]}
    output = zarr.Array(zarr.AsyncArray(metadata=metadata, store_path=path))
    arguments = {
        "source": _location(source.store_path),
        "metadata": digest,
        "axes": [list(one) for one in settings],
        "constant": repr(numpy.asarray(constant_values).tolist()),
        **({} if constant_axis is None else {"constant_axis": int(constant_axis)}),
        "chunks": list(output.chunks),
        "shards": output.shards and list(output.shards),
    }
    said = _claim(path, arguments, overwrite, resume)
    sweep = _sweep.Sweep(plan, source.chunks, output.shards or output.chunks)
    costs = _costs(source, output)
    layout = sweep.layout(memory, costs) if said is None else said["layout"]
    layout = _sweep.Layout(*map(tuple, layout))
    _check_memory(sweep, layout, costs, memory, said)
    with _held(path):
        if _claim(path, arguments, overwrite, resume) != said:
            raise FileExistsError(f"target {path}: another call changed it: call again")
        said = said or {
            "is": "the state of a pad that tensorpad.zarr.pad has not finished",
            "arguments": arguments,
            "layout": layout,
            "boxes": sum(math.prod(map(len, stripe)) for stripe in sweep.stripes(layout)),
            "done": 0,
        }
        _begin(path, said)
        with _progress(progress, said, output.nbytes) as tell:
            _run(sweep, layout, source, output, said, tell)
        for name in sorted(documents, key=lambda name: name == _V2):
            _put(path / name, documents[name])
        sync((path / _UNFINISHED).delete())
    return zarr.open_array(path, mode="r+")


def _costs(source, made):
    """What zarr needs while it decodes and encodes: for each chunk its compressed and uncompressed bytes,
    for encoding also a copy of the part of the array; for a shard that it reads, all its bytes."""
    size = source.dtype.itemsize
    return _sweep.Costs(
        2 * size * math.prod(source.chunks),
        3 * size * math.prod(made.shards or made.chunks),
        zarr.config.get("async.concurrency"),
        0 if source.shards is None else 2,
    )


def _check_memory(sweep, layout, costs, memory, said):
    """An error if the memory does not suffice, a warning if it takes more decodes."""
    needed = sweep.bytes(layout, costs)
    if needed > memory:
        who, way_out = (
            ("chunks of these extents need", "give more, or smaller chunks")
            if said is None
            else ("the target was begun with", "give more, or overwrite=True")
        )
        raise ValueError(f"memory is {memory} bytes, and {who} at least {needed}: {way_out}")
    once = sweep.smallest_once()
    decodes, least = sweep.decodes(layout), sweep.decodes(once)
    if decodes > least:
        warnings.warn(
            f"{decodes} chunks are decoded instead of {least}: with memory="
            f"{sweep.bytes(once, costs)} each would be decoded once",
            stacklevel=3,
        )


def _run(sweep, layout, source, made, said, tell):
    """Makes the unfinished boxes, in order."""
    before = 0
    for stripe in sweep.stripes(layout):
        count = math.prod(map(len, stripe))
        done = said["done"] - before
        before += count
        if done >= count:
            continue
        kept = defaultdict(dict)  # for each box still to be made: the pieces that it needs
        for number, place in enumerate(_sweep.places(stripe, layout.order)):
            steps = [axis[step] for axis, step in zip(stripe, place)]
            _read(source, stripe, layout.order, place, steps, kept, done)
            if number < done:
                continue
            cells = tuple(slice(step.start, step.stop) for step in steps)
            with _telling("target", made, cells, "written"):
                made[cells] = _box(sweep.plan, steps, kept.pop(place, {}))
            said["done"] += 1
            _put(made.store_path / _UNFINISHED, said)
            tell()


def _read(source, stripe, order, place, steps, kept, done):
    """Decodes the reads of the box at `place`, and cuts them into pieces for the unfinished boxes
    that use them. done: the number of finished boxes of the stripe."""
    for reads in product(*(step.reads for step in steps)):
        block = None
        for uses in product(*(read.uses for read in reads)):
            user = tuple(use.step for use in uses)
            if _sweep.rank(stripe, order, user) < done:
                continue
            if block is None:
                cells = tuple(slice(read.start, read.stop) for read in reads)
                with _telling("source", source, cells, "read"):
                    block = numpy.asarray(source[cells], source.dtype)
            inside = (slice(use.start - r.start, use.stop - r.start) for use, r in zip(uses, reads))
            piece = block[(*inside, ...)]
            kept[user][tuple(use.start for use in uses)] = piece if user == place else piece.copy()


def _box(plan, steps, pieces):
    """The box of the output, from the pieces of the input that it needs."""

    def block(parts):
        piece = pieces[tuple(step.edges[part.chunk] for step, part in zip(steps, parts))]
        return piece[(*(slice(part.start, part.stop) for part in parts), ...)]

    return assemble(
        plan,
        tuple(step.start for step in steps),
        tuple(tuple((run.stop - run.start, run.origin) for run in step.runs) for step in steps),
        *(
            nested([run.parts for run in runs], block)
            for runs in product(*(step.runs for step in steps))
        ),
    )


@contextlib.contextmanager
def _telling(role, array, cells, done):
    """Turns errors of a codec or a store into an OSError that names the cells."""
    try:
        yield
    except MemoryError:
        raise
    except Exception as error:
        box = ", ".join(f"{one.start}:{one.stop}" for one in cells)
        text = (
            f"{role} {array.store_path}: cells [{box}] cannot be {done}: {error or repr(error)}; "
            "the target is unfinished, and resume=True goes on"
        )
        number = getattr(error, "errno", None)
        raise (OSError(text) if number is None else OSError(number, text)) from error


@contextlib.contextmanager
def _progress(wanted, said, size):
    """A function that shows the progress on stderr, from second _FIRST on.

    wanted: True, False, or None: on a terminal. said: the state. size: bytes of the target.
    """
    if wanted is None:
        wanted = sys.stderr is not None and sys.stderr.isatty()
    begun, first, total, clear = time.monotonic(), said["done"], said["boxes"], "\r\033[K"
    following, shown = begun + _FIRST, False

    def tell():
        nonlocal following, shown
        now, done = time.monotonic(), said["done"]
        if not wanted or now < following:
            return
        following, shown = now + _OFTEN, True
        left = round((now - begun) / (done - first) * (total - done))
        print(
            f"{clear}[{'=' * (30 * done // total):30}] {100 * done // total:3}% "
            f"{done * size / total / 1e9:.2f} of {size / 1e9:.2f} GB, {left // 60}:{left % 60:02} left",
            end="",
            file=sys.stderr,
            flush=True,
        )

    try:
        yield tell
    finally:
        if shown:
            print(clear, end="", file=sys.stderr, flush=True)


_FIRST, _OFTEN = 1.0, 0.2  # seconds: until the first line, and between two updates


# ---- Source and target ---------------------------------------------------------------------------


def _open_source(source):
    """The array to read, from an array, a path or a store."""
    if isinstance(source, zarr.Group):
        raise TypeError(
            f"source {source.store_path} is a group: pad one of its arrays, such as "
            f"group[{next(iter(source.array_keys()), 'name')!r}]"
        )
    if not isinstance(source, zarr.Array):
        try:
            source = zarr.open_array(source, mode="r")
        except FileNotFoundError as error:
            more = ""
            with contextlib.suppress(FileNotFoundError, TypeError):  # it may not be a place at all
                if _get(_place(source, read_only=True), _UNFINISHED) is not None:
                    more = ", but an unfinished pad: finish it first"
            raise FileNotFoundError(f"source {source}: there is no array of zarr{more}") from error
        except (ValueError, KeyError) as error:
            raise ValueError(f"source {source}: the metadata cannot be read: {error}") from error
    dtype = source.dtype
    if not isinstance(dtype, numpy.dtype) or dtype.hasobject or dtype.itemsize == 0:
        raise TypeError(
            f"source {source.store_path}: elements of type {dtype} have no fixed "
            "number of bytes: load the array and use tensorpad.pad"
        )
    return source


def _place(target, *, read_only=False):
    """The place of an array, from a path, a store or a zarr.storage.StorePath."""
    if isinstance(target, StorePath):
        return target
    if isinstance(target, (str, Path)):
        make = FsspecStore.from_url if "://" in str(target) else LocalStore
        target = make(target, read_only=read_only)
    if isinstance(target, Store):
        return StorePath(target)
    more = {
        zarr.Array: ": the target is made by the call",
        zarr.Group: ": take group.store_path / name",
    }.get(type(target), "")
    raise TypeError(
        "target has to be a path, a store or a zarr.storage.StorePath, got "
        f"{type(target).__name__}{more}"
    )


def _location(path):
    """The address of an array; equal for two paths to the same file."""
    if isinstance(path.store, LocalStore):
        return (Path(path.store.root) / path.path).resolve().as_posix()
    return str(path)


def _overlap(one, other):
    one, other = _location(one) + "/", _location(other) + "/"
    return one.startswith(other) or other.startswith(one)


def _documents(source):
    """The metadata of an array: the JSON of each document."""
    buffers = source.metadata.to_buffer_dict(default_buffer_prototype())
    return {name: json.loads(text.to_bytes()) for name, text in buffers.items()}


def _describe(documents, source, shape, chunks, shards):
    """Changes the metadata of `source` to another shape. chunks, shards: extents, or None; if both
    are None, those of the source."""
    main = documents[_V3 if _V3 in documents else _V2]
    main["shape"] = list(shape)
    if chunks is None and shards is None:
        return
    chunks = _extents("chunks", source.chunks if chunks is None else chunks, len(shape))
    if _V2 in documents:
        if shards is not None:
            raise ValueError(
                "shards: arrays of zarr's format 2 have none, and the target has the "
                "format of the source"
            )
        main["chunks"] = chunks
        return
    if source.shards is not None:
        main["codecs"] = main["codecs"][0]["configuration"]["codecs"]
    if shards is not None:
        if not shape:
            raise ValueError("shards: an array without axes has none")
        shards = _extents("shards", shards, len(shape))
        for axis, (shard, chunk) in enumerate(zip(shards, chunks)):
            if shard % chunk:
                raise ValueError(
                    f"axis {axis}: shards of {shard} cells are not made of whole chunks of {chunk}"
                )
        main["codecs"] = [ShardingCodec(chunk_shape=chunks, codecs=main["codecs"]).to_dict()]
    main["chunk_grid"] = {"name": "regular", "configuration": {"chunk_shape": shards or chunks}}


def _extents(name, values, rank):
    if (
        numpy.ndim(values) != 1
        or len(values) != rank
        or any(int(one) != one or one < 1 for one in values)
    ):
        raise ValueError(f"{name} has to be {rank} extents of at least 1, got {values!r}")
    return [int(one) for one in values]


# ---- Unfinished targets --------------------------------------------------------------------------


def _claim(path, arguments, overwrite, resume):
    """The state of an unfinished target, to continue with; None if a new one must be begun.

    Raises an error if the target holds something that must stay.
    """
    if path.read_only or not path.store.supports_deletes:
        raise ValueError(
            f"target {path}: the store is read-only or cannot delete; write to "
            "another and copy the array"
        )
    if isinstance(path.store, LocalStore) and not path.store.root.exists():
        return None
    said = _get(path, _UNFINISHED)
    if said is not None:
        if resume:
            _compare(path, said["arguments"], arguments)
            return said
        if not overwrite:
            raise FileExistsError(
                f"target {path} is unfinished ({said['done']} of {said['boxes']} boxes are "
                "written): resume=True goes on with it, overwrite=True begins anew"
            )
    elif names := _names(path):
        if not _is_array(path, names):
            raise FileExistsError(
                f"target {path} holds something that is not an array, and is not "
                "overwritten: name another place"
            )
        if not overwrite:
            more = ", and nothing of it is unfinished" if resume else ""
            raise FileExistsError(f"target {path} exists{more}: overwrite=True replaces it")
    return None


def _compare(path, begun, now):
    """An error if a target was begun with other arguments, by the caller's names for them."""
    arguments = {"metadata": "metadata of the source", "constant": "constant_values"}
    arguments["axes"] = "pad_width, mode, interior, order or axes"
    for name in {**now, **begun}:
        if begun.get(name) != now.get(name):
            values = "" if name == "metadata" else f" ({begun.get(name)}, now {now.get(name)})"
            raise ValueError(
                f"target {path} was begun with another {arguments.get(name, name)}{values}: give the "
                "same, or overwrite=True begins anew"
            )


def _begin(path, said):
    """Removes partial files of a killed process. If no box is written yet, marks the target as
    unfinished and deletes everything else in it, its metadata first."""
    if isinstance(path.store, LocalStore):
        for half in (path.store.root / path.path).rglob("*.partial"):
            half.unlink()
    if said["done"]:
        return
    _put(path / _UNFINISHED, said)
    names = _names(path) - {_UNFINISHED}
    for name in sorted(names, key=lambda name: name not in (_V3, _V2)):
        sync((path / name).delete())
        sync((path / name).delete_dir())


def _names(path):
    async def listed():
        return {name.rstrip("/") async for name in path.store.list_dir(path.path)}

    return sync(listed()) - {_WRITER}


def _is_array(path, names):
    try:
        return _V2 in names or _V3 in names and _get(path, _V3).get("node_type") == "array"
    except ValueError:
        return False


def _get(path, name):
    """A document of the target as a dict; None if there is none."""
    text = sync((path / name).get())
    if text is None:
        return None
    with contextlib.suppress(ValueError):
        said = json.loads(text.to_bytes())
        needed = {"arguments", "layout", "boxes", "done"} if name == _UNFINISHED else set()
        if isinstance(said, dict) and needed <= said.keys():
            return said
    if name == _UNFINISHED:
        raise ValueError(f"target {path}: {name} is damaged; delete the target")
    raise ValueError(f"{path / name} is damaged; delete it")


def _put(path, what, *, only_new=False):
    """only_new: does nothing if there is one. Stores that cannot do this atomically look first,
    then write."""
    content = cpu.Buffer.from_bytes(json.dumps(what, indent=2).encode())
    sync(path.set_if_not_exists(content) if only_new else path.set(content))


# ---- One writer for each target ------------------------------------------------------------------


@contextlib.contextmanager
def _held(path):
    """Makes this call the only writer of the target. FileExistsError if there is another."""
    with contextlib.ExitStack() as stack:
        locked = _lock(path, stack)
        said = {
            "is": "who is writing this array: tensorpad.zarr.pad",
            "process": os.getpid(),
            "host": platform.node(),
            "since": time.strftime("%Y-%m-%d %H:%M:%S"),
            "locked": locked,
            "number": secrets.token_hex(8),
        }
        writer = _get(path, _WRITER)
        if writer is None or locked and writer.get("locked"):
            _put(path / _WRITER, said, only_new=not locked)
            writer = _get(path, _WRITER)
        if writer != said:
            raise FileExistsError(
                f"target {path} is being written since {writer.get('since')} by process "
                f"{writer.get('process')} on {writer.get('host')}: wait until it ends; if it was "
                f"killed, delete {_WRITER} there"
            )
        try:
            yield
        finally:
            with contextlib.suppress(Exception):  # it must not hide an error of the store
                sync((path / _WRITER).delete())


def _lock(path, stack):
    """Locks the target's folder until the stack is closed. Returns whether that was possible."""
    if fcntl is None or not isinstance(path.store, LocalStore):
        return False
    place = path.store.root / path.path
    place.mkdir(parents=True, exist_ok=True)
    folder = os.open(place, os.O_RDONLY | os.O_DIRECTORY)
    stack.callback(os.close, folder)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise FileExistsError(
            f"target {path} is being written by another call: wait until it ends"
        ) from None
    except OSError:
        return False
    # A forked process also has the folder open.
    stack.callback(fcntl.flock, folder, fcntl.LOCK_UN)
    return True
