"""The array that is written: its metadata, and how an unfinished one is known.
SPDX-License-Identifier: MIT

The metadata (zarr.json) is written last. Until then a document of ours lies in its place, which
tells what is being done and how many boxes are finished; nothing opens the target as an array.
"""

import hashlib
import json
import pathlib

import numpy
import zarr
from zarr.abc.store import Store
from zarr.buffer import cpu, default_buffer_prototype
from zarr.core.sync import sync
from zarr.storage import FsspecStore, LocalStore, StorePath

_UNFINISHED, _WRITER = "tensorpad-unfinished.json", "tensorpad-writer.json"
_V3, _V2, _V2_ATTRIBUTES = "zarr.json", ".zarray", ".zattrs"
# The arguments that an unfinished target keeps, as the caller calls them.
_WORDS = {
    "source": "source",
    "metadata": "metadata of the source",
    "axes": "pad_width, mode, interior, order or axes",
    "constant": "constant_values",
    "constant_axis": "constant_axis",
    "chunks": "chunks",
    "shards": "shards",
}


def _open_source(source):
    """The array to read, from an array, a path or a store."""
    if isinstance(source, zarr.Array):
        return source
    if isinstance(source, zarr.Group):
        raise TypeError(
            f"source {source.store_path} is a group: pad one of its arrays, such as "
            f"group[{next(iter(source.array_keys()), 'name')!r}]"
        )
    try:
        return zarr.open_array(source, mode="r")
    except FileNotFoundError as error:
        raise FileNotFoundError(
            f"source {source}: there is no array of zarr" + _unfinished(source)
        ) from error
    except (ValueError, KeyError) as error:
        raise ValueError(f"source {source}: the metadata cannot be read: {error}") from error


def _unfinished(source):
    known = isinstance(source, (str, pathlib.Path, StorePath, Store))
    try:
        there = known and _state(_place(source, read_only=True)) is not None
    except FileNotFoundError:
        return ""
    return ", but an unfinished pad: finish it first" if there else ""


def _place(target, *, read_only=False):
    """Where an array is to lie, from a path, a store or a zarr.storage.StorePath."""
    if isinstance(target, StorePath):
        return target
    if isinstance(target, Store):
        return StorePath(target)
    if isinstance(target, (str, pathlib.Path)):
        make = FsspecStore.from_url if "://" in str(target) else LocalStore
        return StorePath(make(target, read_only=read_only))
    more = (
        ": the target is made by the call"
        if isinstance(target, zarr.Array)
        else ": take group.store_path / name"
        if isinstance(target, zarr.Group)
        else ""
    )
    raise TypeError(
        f"target has to be a path, a store or a zarr.storage.StorePath, got "
        f"{type(target).__name__}{more}"
    )


def _location(path):
    """The address of an array, by which two paths to one file are known."""
    if isinstance(path.store, LocalStore):
        return (pathlib.Path(path.store.root) / path.path).resolve().as_posix()
    return str(path)


def _overlap(one, other):
    one, other = _location(one) + "/", _location(other) + "/"
    return one.startswith(other) or other.startswith(one)


# ---- Metadata ------------------------------------------------------------------------------------


def _documents(source, shape, chunks, shards):
    """The metadata of an array like `source` but of another shape, as the JSON of each document.

    chunks, shards: extents, or None. Where both are None they are those of the source.
    """
    found = {
        name: json.loads(text.to_bytes())
        for name, text in source.metadata.to_buffer_dict(default_buffer_prototype()).items()
    }
    main = found[_V3] if _V3 in found else found[_V2]
    main["shape"] = list(shape)
    if chunks is None and shards is None:
        return found
    chunks = _extents("chunks", source.chunks if chunks is None else chunks, len(shape))
    if _V2 in found:
        if shards is not None:
            raise ValueError(
                "shards: arrays of zarr's format 2 have none, and the target has the "
                "format of the source"
            )
        main["chunks"] = chunks
        return found
    codecs = main["codecs"]
    if source.shards is not None:
        codecs = codecs[0]["configuration"]["codecs"]
    if shards is not None:
        if not shape:
            raise ValueError("shards: an array without axes has none")
        shards = _extents("shards", shards, len(shape))
        for axis, (shard, chunk) in enumerate(zip(shards, chunks)):
            if shard % chunk:
                raise ValueError(
                    f"axis {axis}: shards of {shard} cells are not made of whole chunks of {chunk}"
                )
        codecs = [
            {
                "name": "sharding_indexed",
                "configuration": {
                    "chunk_shape": chunks,
                    "codecs": codecs,
                    "index_location": "end",
                    "index_codecs": [
                        {"name": "bytes", "configuration": {"endian": "little"}},
                        {"name": "crc32c"},
                    ],
                },
            }
        ]
    main["codecs"] = codecs
    main["chunk_grid"] = {
        "name": "regular",
        "configuration": {"chunk_shape": chunks if shards is None else shards},
    }
    return found


def _extents(name, values, rank):
    if (
        numpy.ndim(values) != 1
        or len(values) != rank
        or any(int(one) != one or one < 1 for one in values)
    ):
        raise ValueError(f"{name} has to be {rank} extents of at least 1, got {values!r}")
    return [int(one) for one in values]


def _digest(source):
    """A number for the metadata of an array."""
    texts = source.metadata.to_buffer_dict(default_buffer_prototype())
    return hashlib.sha256(b"".join(texts[name].to_bytes() for name in sorted(texts))).hexdigest()


def _in_memory(found, path):
    """An array whose metadata is in memory: its chunks can be written, and nobody else can open
    it."""
    metadata = found[_V3] if _V3 in found else found[_V2] | {"attributes": found[_V2_ATTRIBUTES]}
    return zarr.Array(zarr.AsyncArray(metadata=metadata, store_path=path))


# ---- Unfinished targets --------------------------------------------------------------------------


def _claim(path, arguments, overwrite, resume):
    """What an unfinished target says, to go on with; None where a new one is to be begun.

    Raises an error where the target holds something that is to stay.
    """
    if path.read_only or not path.store.supports_deletes:
        raise ValueError(
            f"target {path}: the store is read-only or cannot delete; write to "
            "another and copy the array"
        )
    if isinstance(path.store, LocalStore) and not path.store.root.exists():
        return None
    said = _state(path)
    if said is not None and resume:
        _compare(path, said["arguments"], arguments)
        return said
    if said is not None and not overwrite:
        raise FileExistsError(
            f"target {path} is unfinished ({said['done']} of {said['boxes']} "
            "boxes are written): resume=True goes on with it, overwrite=True "
            "begins anew"
        )
    names = _names(path)
    if said is None and names:
        if not _is_array(path, names):
            raise FileExistsError(
                f"target {path} holds something that is no array, and is not "
                "overwritten: name another place"
            )
        if not overwrite:
            more = ", and nothing of it is unfinished" if resume else ""
            raise FileExistsError(f"target {path} exists{more}: overwrite=True replaces it")
    return None


def _compare(path, begun, now):
    for name, word in _WORDS.items():
        # Without constant_axis there is no entry for it.
        if begun.get(name) != now.get(name):
            values = "" if name == "metadata" else f" ({begun.get(name)}, now {now.get(name)})"
            raise ValueError(
                f"target {path} was begun with another {word}{values}: give the same, "
                "or overwrite=True begins anew"
            )


def _remove_partial(path):
    """Files of a folder that a killed process was writing; zarr renames them at the end."""
    if isinstance(path.store, LocalStore):
        for half in (path.store.root / path.path).rglob("*.partial"):
            half.unlink()


def _begin(path, said):
    """Deletes what the target holds, its metadata first, and says that it is unfinished."""
    _save(path, said)
    names = _names(path) - {_UNFINISHED}
    for name in sorted(names, key=lambda name: name not in (_V3, _V2)):
        _delete(path / name)
        sync((path / name).delete_dir())


def _save(path, said):
    _put(path / _UNFINISHED, said)


def _finish(path, found):
    """Makes an array of a target whose chunks are written."""
    for name in sorted(found, key=lambda name: name == _V2):
        _put(path / name, found[name])
    _delete(path / _UNFINISHED)


def _state(path):
    try:
        said = _get(path / _UNFINISHED)
        if said is not None:
            said["arguments"], said["layout"], said["boxes"], said["done"]
        return said
    except (ValueError, KeyError) as error:
        raise ValueError(f"target {path}: {_UNFINISHED} is damaged; delete the target") from error


def _names(path):
    async def listed():
        return {name.rstrip("/") async for name in path.store.list_dir(path.path)}

    return sync(listed()) - {_WRITER}


def _is_array(path, names):
    if _V2 in names:
        return True
    try:
        return _V3 in names and _get(path / _V3)["node_type"] == "array"
    except (ValueError, KeyError):
        return False


# ---- Documents -----------------------------------------------------------------------------------


def _get(path):
    """What a document says, as a dict; None where there is none."""
    text = sync(path.get())
    try:
        said = None if text is None else json.loads(text.to_bytes())
    except ValueError:
        said = text
    if said is None or isinstance(said, dict):
        return said
    raise ValueError(f"{path} is damaged; delete it")


def _put(path, what):
    sync(path.set(_buffer(what)))


def _create(path, what):
    """The same, where there is none: else nothing happens. Stores that cannot do this in one step
    look first, and then write."""
    sync(path.set_if_not_exists(_buffer(what)))


def _delete(path):
    sync(path.delete())


def _buffer(what):
    return cpu.Buffer.from_bytes(json.dumps(what, indent=2).encode())
