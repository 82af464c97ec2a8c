"""Pads of chunked arrays: where the output's chunks begin, which chunks of the input a part of the
output reads, and how it is assembled. SPDX-License-Identifier: MIT

Independent of libraries of chunked arrays: chunks are lists of extents, one for each axis.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from itertools import accumulate, pairwise, product
from typing import NamedTuple

import numpy
from numpy import pad as numpy_pad  # kept, so that numpy.pad may be replaced by ours

POLICIES = ("like", "merge", "regular")


class Part(NamedTuple):
    """Cells [start, stop) of one chunk of an axis, counted from the chunk's beginning."""

    chunk: int
    start: int
    stop: int


class Run(NamedTuple):
    """Cells [start, stop) of an output axis, and the cells of the input that they read: consecutive
    parts, beginning at cell `origin` of the input. Fill cells have no parts."""

    start: int
    stop: int
    origin: int
    parts: tuple[Part, ...]


def cuts(extents):
    """The beginnings of chunks, and the end of the last one."""
    return [0, *accumulate(extents)]


def intervals(extents):
    """The cells [start, stop) of each chunk."""
    return list(pairwise(cuts(extents)))


def output_chunks(extents, setting, out_extent, policy):
    """The extents of the output's chunks along one axis.

    extents: of the input's chunks. setting: (before, after, interior, mode, order) of the axis, from
    the extension. policy: "like" keeps the boundaries of the input's chunks and adds the pads to the
    chunks at the border; a chunk more than a tenth longer than the input's longest is split evenly.
    "merge" is the same without splitting. "regular" makes chunks as long as the input's longest; the
    last one may be shorter. An axis that is not padded keeps its chunks, except with "regular".
    """
    longest = max(extents, default=0) or max(out_extent, 1)
    if policy == "regular":
        whole, rest = divmod(out_extent, longest)
        return (longest,) * whole + ((rest,) if rest or not whole else ())
    before, after, interior = setting[:3]
    if before == after == interior == 0:
        return tuple(extents)
    filled = [extent for extent in extents if extent > 0]
    inner = [cut * (1 + interior) + before for cut in cuts(filled)[1:-1]]
    edges = sorted({0, out_extent, *(edge for edge in inner if 0 < edge < out_extent)})
    pieces = [stop - start for start, stop in pairwise(edges)] or [0]
    if policy == "merge":
        return tuple(pieces)
    return tuple(
        one
        for piece in pieces
        for one in ([piece] if 10 * piece <= 11 * longest else split_evenly(piece, longest))
    )


def split_evenly(extent, longest):
    """Extents that differ by at most one, the longer ones first, none above `longest`."""
    count = max(-(-extent // longest), 1)
    shorter, more = divmod(extent, count)
    return [shorter + 1] * more + [shorter] * (count - more)


def runs(plan, axis, start, stop, edges):
    """What cells [start, stop) of an output axis read, as a list of consecutive runs. edges:
    cuts(extents of the input's chunks).

    Each run reads one chunk if that takes few runs; if a mode goes back and forth over several
    chunks, a run reads several.
    """
    result = []
    sources = plan.sources(axis, start, stop)
    read = [source for _, source in sources if source.stop > source.start]
    if not read:
        return [Run(start, stop, 0, ())]
    low, high = min(one.start for one in read), max(one.stop for one in read)
    if chunk_of(edges, low) == chunk_of(edges, high - 1):
        return [Run(start, stop, low, parts(edges, low, high))]
    for cells, source in sources:
        result += _one_source(plan, axis, cells, source, edges)
    return result


def _one_source(plan, axis, cells, source, edges):
    if source.start == source.stop:
        return [Run(cells.start, cells.stop, 0, ())]
    touched = parts(edges, source.start, source.stop)
    several = [Run(cells.start, cells.stop, source.start, touched)]
    singles = []
    start = cells.start
    while start < cells.stop:
        if len(singles) > len(touched):
            return several
        stop = _longest_of_one_chunk(plan, axis, start, cells.stop, edges)
        low, high = hull(plan, axis, start, stop)
        singles.append(Run(start, stop, low, parts(edges, low, high) if high > low else ()))
        start = stop
    return singles


def _longest_of_one_chunk(plan, axis, start, limit, edges):
    """The end of the longest run of output cells from `start` that reads only one chunk. The cells
    read grow with the cells written, so bisection finds it."""
    good, bad = start + 1, limit + 1
    while bad - good > 1:
        middle = (good + bad) // 2
        low, high = hull(plan, axis, start, middle)
        if low == high or chunk_of(edges, low) == chunk_of(edges, high - 1):
            good = middle
        else:
            bad = middle
    return good


def hull(plan, axis, start, stop):
    """The smallest [low, high) of the input that cells [start, stop) of the output read."""
    read = [one for _, one in plan.sources(axis, start, stop) if one.stop > one.start]
    if not read:
        return 0, 0
    return min(one.start for one in read), max(one.stop for one in read)


def chunk_of(edges, cell):
    return bisect_right(edges, cell) - 1


def parts(edges, low, high):
    """Cells [low, high) of the input as parts of its chunks."""
    return tuple(
        Part(n, max(low - edges[n], 0), min(high, edges[n + 1]) - edges[n])
        for n in range(chunk_of(edges, low), chunk_of(edges, high - 1) + 1)
        if edges[n + 1] > edges[n]
    )


def with_own_chunk(all_runs, edges):
    """The runs; those in the most-used chunk take it whole, so it need not be sliced first, unless
    they read less than a quarter of it."""
    read = {}
    for run in all_runs:
        if len(run.parts) == 1:
            part = run.parts[0]
            read[part.chunk] = read.get(part.chunk, 0) + part.stop - part.start
    if not read:
        return all_runs
    widest = max(read, key=read.get)
    extent = edges[widest + 1] - edges[widest]
    if 4 * read[widest] < extent:
        return all_runs
    whole = (Part(widest, 0, extent),)
    return [
        run._replace(origin=edges[widest], parts=whole)
        if len(run.parts) == 1 and run.parts[0].chunk == widest
        else run
        for run in all_runs
    ]


def nested(parts, block, join=list, chosen=()):
    """What one run of each axis reads: block(parts) with a part per axis, in lists nested axis by
    axis; None if it only fills. parts: each axis's parts of the run. join: makes a list."""
    if not all(parts):
        return None
    if len(chosen) == len(parts):
        return block(chosen)
    each = [nested(parts, block, join, (*chosen, part)) for part in parts[len(chosen)]]
    return join(each) if any(len(one) > 1 for one in parts) else each[0]


def same_cells(plan, axis, start, stop, edges):
    """The part of a chunk that equals cells [start, stop) of an output axis, in order, or None."""
    (_, source), *more = plan.sources(axis, start, stop)
    if more or start == stop or source.stop - source.start != stop - start:
        return None
    first = plan.sources(axis, start, start + 1)[0][1]  # if mirrored, it is the last one
    touched = parts(edges, source.start, source.stop)
    same = first.start == source.start < first.stop and len(touched) == 1
    return touched[0] if same else None


# ---- Tasks, which run on any worker of dask ------------------------------------------------------


def take(block, cells):
    """A copy of a part of a block, so that the block itself need not be moved or kept."""
    return numpy.array(block[cells], order="C")


def part(block, cells):
    """A part of a block; a copy if it is less than half, so that it does not keep the block alive."""
    box = block[cells]
    return box if 2 * box.size >= block.size else box.copy()


def part_in_order(block, cells, dtype):
    """A part of a block as a box of a padded array."""
    return in_order(part(block, cells), dtype)


def in_order(block, dtype):
    """The block in the byte order of `dtype`: pickle silently makes NumPy arrays native."""
    if block.dtype != dtype and block.dtype == dtype.newbyteorder("="):
        return block.astype(dtype)
    return block


def assemble(plan, first, axes, *blocks):
    """The box of the output that begins at cell `first`.

    axes: for each axis the runs of the box, as pairs (number of output cells, first input cell of
    the run's blocks). blocks: what each run of the product of the axes reads: an array, a nested
    list of arrays that are consecutive in the input, axis by axis, or None for nothing.
    """
    out = numpy.empty(tuple(sum(count for count, _ in runs) for runs in axes), plan.dtype)
    starts = [[0, *accumulate(count for count, _ in runs)] for runs in axes]
    for numbers, block in zip(product(*(range(len(runs)) for runs in axes)), blocks):
        if block is None:
            block = numpy.empty((0,) * len(axes), plan.dtype)
        elif isinstance(block, list):
            block = _join(block, 0, plan.dtype)
        else:
            block = in_order(block, plan.dtype)
        cells = tuple(slice(begin[n], begin[n + 1]) for begin, n in zip(starts, numbers))
        plan.box(
            block,
            tuple(f + part.start for f, part in zip(first, cells)),
            tuple(part.stop - part.start for part in cells),
            out=out[(*cells, ...)],
            threads=1,
            in_first=tuple(runs[n][1] for runs, n in zip(axes, numbers)),
        )
    return out


def _join(nested, axis, dtype):
    """Neighbours as one array. numpy.block would change the byte order."""
    blocks = [_join(one, axis + 1, dtype) if isinstance(one, list) else one for one in nested]
    return numpy.concatenate(blocks, axis, dtype=dtype)


def numpys_side(block, axis, widths, last, mode, words, columns):
    """The cells before a block (last: after it) along an axis, as numpy.pad computes them.

    columns: whether the axes after this one have several cells in the whole array. NumPy then adds
    rows, otherwise pairs within a lane, which rounds differently; so a block gets at least two columns.
    """
    block = numpy.ascontiguousarray(block)
    twice = columns and math.prod(block.shape[axis + 1 :]) == 1
    if twice:
        block = numpy.repeat(block, 2, -1)
    pairs = [(0, 0)] * block.ndim
    pairs[axis] = widths
    padded = numpy_pad(block, pairs, mode, **words)
    padded = padded[
        (slice(None),) * axis + (slice(-widths[1], None) if last else slice(widths[0]),)
    ]
    return padded[..., :1].copy() if twice else padded.copy()


def called(block, axis, widths, function, words):
    """A padded block, after a callable was called with each lane along an axis as numpy.pad does."""
    padded = block.copy()
    lanes = numpy.moveaxis(padded, axis, -1)
    for place in numpy.ndindex(lanes.shape[:-1]):
        function(lanes[(*place, ...)], widths, axis, words)
    return padded
