"""How a pad meets chunks: where the output's chunks begin, and which chunks of the input a part of
the output is made from.  SPDX-License-Identifier: MIT

It knows no library of chunked arrays: chunks are lists of extents, one for each axis.
"""
from bisect import bisect_right
from itertools import accumulate
from typing import NamedTuple

POLICIES = ("like", "merge", "regular")
CROP = 1  # of TPAD_WINDOW and TPAD_CROP


class Part(NamedTuple):
    """Cells [start, stop) of one chunk of an axis, counted from the chunk's beginning."""
    chunk: int
    start: int
    stop: int


class Run(NamedTuple):
    """Cells [start, stop) of an output axis and the cells of the input they are made from: parts
    that follow each other, the first of which begins at cell `origin` of the input. Cells that
    only fill have no parts."""
    start: int
    stop: int
    origin: int
    parts: tuple[Part, ...]


def cuts(extents):
    """Where chunks begin, and where the last one ends."""
    return [0, *accumulate(extents)]


def output_chunks(extents, setting, out_extent, policy):
    """The extents of the output's chunks along one axis.

    extents: of the input's chunks. setting: (before, after, interior, mode, order) of the axis, as
    the extension tells them. policy: "like": the boundaries of the input's chunks are kept, the
    pads join the chunks at the border, and what is longer than the longest chunk of the input is
    split evenly; "merge": the same, never split; "regular": chunks as long as the input's longest,
    the last one may be shorter.
    """
    longest = max(extents, default=0) or max(out_extent, 1)
    if policy == "regular":
        whole, rest = divmod(out_extent, longest)
        return (longest,) * whole + ((rest,) if rest or not whole else ())
    before, _, interior, _, order = setting
    cropped, added = (max(-before, 0), max(before, 0)) if order == CROP else (0, before)
    inner = [(cut - cropped) * (1 + interior) + added for cut in cuts(extents)[1:-1]]
    edges = sorted({0, out_extent, *(edge for edge in inner if 0 < edge < out_extent)})
    pieces = [stop - start for start, stop in zip(edges, edges[1:])] or [0]
    if policy == "merge":
        return tuple(pieces)
    return tuple(one for piece in pieces for one in split_evenly(piece, longest))


def split_evenly(extent, longest):
    """Extents that differ by one at most, none above `longest`."""
    count = max(-(-extent // longest), 1)
    return [extent * (n + 1) // count - extent * n // count for n in range(count)]



def runs(plan, axis, start, stop, edges):
    """What cells [start, stop) of an output axis are made from, as a list of runs that follow each
    other. edges: cuts(extents of the input's chunks).

    Each run reads one chunk if that takes few runs; where a mode goes to and fro over several
    chunks, a run reads several.
    """
    sources = [source for _, source in plan.sources(axis, start, stop) if source.stop > source.start]
    if not sources:
        return [Run(start, stop, 0, ())]
    low = min(source.start for source in sources)
    high = max(source.stop for source in sources)
    read = sum(source.stop - source.start for source in sources)
    if chunk_of(edges, low) == chunk_of(edges, high - 1) and 2 * read >= high - low:
        return [Run(start, stop, low, parts(edges, low, high))]
    found = []
    for cells, source in plan.sources(axis, start, stop):
        found += _one_source(plan, axis, cells, source, edges)
    return found


def with_whole_home(found, edges):
    """The runs of an interval, where the one that reads the most reads its chunk whole if it reads a
    third of it anyway.

    Boxes that share a chunk then read the same pieces of others: each piece is copied once for all
    of them. And of their own chunk nothing is copied before they are assembled.
    """
    home = max(range(len(found)), key=lambda n: sum(part.stop - part.start for part in found[n].parts))
    if len(found[home].parts) == 1:
        chunk, start, stop = found[home].parts[0]
        extent = edges[chunk + 1] - edges[chunk]
        if 3 * (stop - start) >= extent:
            found[home] = found[home]._replace(origin=edges[chunk], parts=(Part(chunk, 0, extent),))
    return found


def _one_source(plan, axis, cells, source, edges):
    if source.start == source.stop:
        return [Run(cells.start, cells.stop, 0, ())]
    touched = parts(edges, source.start, source.stop)
    several = [Run(cells.start, cells.stop, source.start, touched)]
    found = []
    start = cells.start
    while start < cells.stop:
        if len(found) > len(touched):
            return several
        stop = _longest_of_one_chunk(plan, axis, start, cells.stop, edges)
        low, high = hull(plan, axis, start, stop)
        found.append(Run(start, stop, low, parts(edges, low, high) if high > low else ()))
        start = stop
    return found


def _longest_of_one_chunk(plan, axis, start, limit, edges):
    """The last cell up to which the output reads one chunk only: the cells that are read grow with
    the cells that are written, so that halving finds it."""
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
    return tuple(Part(n, max(low - edges[n], 0), min(high, edges[n + 1]) - edges[n])
                 for n in range(chunk_of(edges, low), chunk_of(edges, high - 1) + 1)
                 if edges[n + 1] > edges[n])


def is_identity(plan, axis, start, stop):
    """Whether cells [start, stop) of an output axis are as many neighbours of the input, in order."""
    sources = plan.sources(axis, start, stop)
    if len(sources) != 1:
        return False
    source = sources[0][1]
    if source.stop - source.start != stop - start or start == stop:
        return False
    return plan.sources(axis, start, start + 1)[0][1].start == source.start
