"""tensorpad.pad for arrays of zarr that are larger than memory.  SPDX-License-Identifier: MIT"""

from __future__ import annotations

import math
import operator
import warnings
from collections import defaultdict
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy

from .._assemble import assemble
from .._box_plan import box_plan
from .._errors import load_extra

load_extra("zarr", "zarr", "tensorpad.zarr needs zarr")

import zarr  # noqa: E402

from . import _sweep, _target, _writer  # noqa: E402
from ._progress import _Progress  # noqa: E402

if TYPE_CHECKING:
    from .. import _Axes, _Axis, _Interior, _Moves, _Order, _PadWidth

__all__ = ["pad"]

_MEMORY = 256 << 20


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
    memory: SupportsIndex = _MEMORY,
    overwrite: bool = False,
    resume: bool = False,
    progress: bool | None = None,
) -> Any:
    """Pads an array of zarr into a new one, chunk by chunk; returns the new one.

    source: a zarr.Array, or the path, the store or the zarr.storage.StorePath of one.
    target: the path, the store or the StorePath of the new array. It has the source's format,
        codecs, type, fill value, attributes and names of dimensions.
    pad_width, mode, constant_values, constant_axis, interior, order, axes: as tensorpad.pad takes
        them; the modes are constant, edge, reflect, symmetric and wrap.
    chunks: extents of the target's chunks; None: those of the source.
    shards: extents of the target's shards, in cells; None: those of the source, or none where
        `chunks` is given.
    memory: how many bytes the call may use, not counting Python and its packages.
    overwrite: True first deletes an array at the target, or an unfinished one.
    resume: True continues an unfinished target, which was begun with the same arguments; `memory`
        has to be enough for the boxes that it was begun with. If nothing was begun, it begins.
    progress: whether a line on stderr shows how much is done. None: only on a terminal.

    Each chunk of the source is decoded once, and once more for each border that repeats it. If
    `memory` is too small for that, a UserWarning says how many chunks are decoded more often. The
    target cannot be opened as an array before everything is written.

    Raises TypeError and ValueError for wrong arguments, for elements that have no fixed number of
    bytes, and for less `memory` than the least; FileNotFoundError if there is no source;
    FileExistsError if the target is not free, or another call writes to it; OSError if a chunk
    cannot be read or written. After an OSError, or if the process was killed, the target is
    unfinished, and resume=True continues. If the store is not a folder of this machine, a killed
    process also leaves tensorpad-writer.json in the target; the error says to delete it first.
    """
    if overwrite and resume:
        raise ValueError("overwrite=True begins anew and resume=True goes on: give one of them")
    memory = operator.index(memory)
    source = _target._open_source(source)
    plan, settings = _plan(
        source, pad_width, mode, constant_values, interior, order, axes, constant_axis
    )
    documents = _target._documents(source, plan.out_shape, chunks, shards)
    path = _target._place(target)
    if _target._overlap(source.store_path, path):
        raise ValueError(
            f"target {path} lies where the source {source.store_path} does: name another place"
        )
    made = _target._in_memory(documents, path)
    arguments = {
        "source": _target._location(source.store_path),
        "metadata": _target._digest(source),
        "axes": [list(one) for one in settings],
        "constant": repr(numpy.asarray(constant_values).tolist()),
        **({} if constant_axis is None else {"constant_axis": int(constant_axis)}),
        "chunks": list(made.chunks),
        "shards": made.shards and list(made.shards),
    }
    said = _target._claim(path, arguments, overwrite, resume)
    sweep = _sweep.Sweep(plan, source.chunks, made.shards or made.chunks)
    costs = _costs(source, made)
    layout = (
        sweep.layout(memory, costs) if said is None else _sweep.Layout(*map(tuple, said["layout"]))
    )
    _check_memory(sweep, layout, costs, memory, said)
    with _writer._held(path):
        if _target._claim(path, arguments, overwrite, resume) != said:
            raise FileExistsError(f"target {path}: another call changed it: call again")
        if said is None:
            boxes = sum(math.prod(map(len, stripe)) for stripe in sweep.stripes(layout))
            said = {
                "is": "the state of a pad that tensorpad.zarr.pad has not finished",
                "arguments": arguments,
                "layout": layout,
                "boxes": boxes,
                "done": 0,
            }
        else:
            _target._remove_partial(path)
        if said["done"] == 0:
            _target._begin(path, said)
        with _Progress(progress, said["boxes"], made.nbytes / max(said["boxes"], 1)) as shown:
            _run(sweep, layout, source, made, said, shown)
        _target._finish(path, documents)
    return zarr.open_array(path, mode="r+")


def _plan(source, pad_width, mode, constant_values, interior, order, axes, constant_axis):
    dtype = source.dtype
    if not isinstance(dtype, numpy.dtype) or dtype.hasobject or dtype.itemsize == 0:
        raise TypeError(
            f"source {source.store_path}: elements of type {dtype} have no fixed "
            "number of bytes: load the array and use tensorpad.pad"
        )
    return box_plan(
        source.shape,
        dtype,
        pad_width,
        mode,
        constant_values,
        interior,
        order,
        axes,
        {},
        constant_axis,
    )


def _costs(source, made):
    """What zarr needs while it decodes and encodes: for each chunk what is compressed and what is
    not, when it encodes also a copy of the part of the array; of a shard that it reads, all its
    bytes."""
    size = source.dtype.itemsize
    return _sweep.Costs(
        2 * size * math.prod(source.chunks),
        3 * size * math.prod(made.shards or made.chunks),
        zarr.config.get("async.concurrency"),
        0 if source.shards is None else 2,
    )


def _check_memory(sweep, layout, costs, memory, said):
    """An error where the memory does not suffice, a warning where it takes more decodes."""
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


def _run(sweep, layout, source, made, said, shown):
    """Makes the boxes that are not finished, in their order."""
    before = 0
    for stripe in sweep.stripes(layout):
        count = math.prod(map(len, stripe))
        done = said["done"] - before
        before += count
        if done >= count:
            continue
        kept = defaultdict(dict)  # for each box that is to be made: the pieces that it needs
        for number, place in enumerate(_sweep.places(stripe, layout.order)):
            _read(source, stripe, layout.order, place, kept, done)
            if number < done:
                continue
            _write(made, stripe, place, _box(sweep.plan, stripe, place, kept.pop(place, {})))
            said["done"] += 1
            _target._save(made.store_path, said)
            shown.tell(said["done"])


def _read(source, stripe, order, place, kept, done):
    """Decodes what the box at `place` decodes, and cuts it into pieces for the boxes that use it
    and are not finished. done: how many boxes of the stripe are finished."""
    steps = [axis[number] for axis, number in zip(stripe, place)]
    for reads in product(*(step.reads for step in steps)):
        block = None
        for uses in product(*(read.uses for read in reads)):
            user = tuple(use.step for use in uses)
            if _sweep.rank(stripe, order, user) < done:
                continue
            if block is None:
                block = _decoded(source, tuple(slice(read.start, read.stop) for read in reads))
            piece = block[
                (
                    *(
                        slice(use.start - read.start, use.stop - read.start)
                        for use, read in zip(uses, reads)
                    ),
                    ...,
                )
            ]
            kept[user][tuple(use.start for use in uses)] = piece if user == place else piece.copy()


def _box(plan, stripe, place, pieces):
    """The box of the output, from the pieces of the input that it needs."""
    steps = [axis[number] for axis, number in zip(stripe, place)]
    blocks = [
        _joined(steps, [run.parts for run in runs], [], pieces)
        for runs in product(*(step.runs for step in steps))
    ]
    return assemble(
        plan,
        tuple(step.start for step in steps),
        tuple(tuple((run.stop - run.start, run.origin) for run in step.runs) for step in steps),
        *blocks,
    )


def _joined(steps, parts, chosen, pieces):
    """What one run of each axis reads: an array, nested lists of arrays, axis by axis, or None."""
    if not all(parts):
        return None
    if len(chosen) == len(parts):
        piece = pieces[tuple(step.edges[part.chunk] for step, part in zip(steps, chosen))]
        return piece[(*(slice(part.start, part.stop) for part in chosen), ...)]
    each = [_joined(steps, parts, [*chosen, part], pieces) for part in parts[len(chosen)]]
    return each if any(len(one) > 1 for one in parts) else each[0]


def _decoded(source, cells):
    try:
        return numpy.asarray(source[cells], source.dtype)
    except MemoryError:
        raise
    except Exception as error:
        raise _failed("source", source, cells, "read", error) from error


def _write(made, stripe, place, box):
    cells = tuple(
        slice(axis[number].start, axis[number].stop) for axis, number in zip(stripe, place)
    )
    try:
        made[cells] = box
    except MemoryError:
        raise
    except Exception as error:
        raise _failed("target", made, cells, "written", error) from error


def _failed(role, array, cells, done, error):
    """The error of a codec or a store, with the place."""
    box = ", ".join(f"{one.start}:{one.stop}" for one in cells)
    text = (
        f"{role} {array.store_path}: cells [{box}] cannot be {done}: {error or repr(error)}; "
        "the target is unfinished, and resume=True goes on"
    )
    number = getattr(error, "errno", None)
    return OSError(text) if number is None else OSError(number, text)
