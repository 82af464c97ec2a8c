"""Boxes of a padded array as a graph of dask's.  SPDX-License-Identifier: MIT"""

from itertools import product

from dask.array import Array
from dask.highlevelgraph import HighLevelGraph
from dask.task_spec import Alias, List, Task, TaskRef

from .. import _chunks
from .._assemble import assemble, part_in_order, take


def _boxes(x, plan, intervals, name):
    """An array of dask, each chunk of which is a box of the padded x.

    plan: of the whole. intervals: for each axis the [start, stop) of the boxes in the output; they
    may overlap. name: of the new array.

    A box is assembled by one task. It depends on the chunk of x that it reads most of, and for each
    piece that it needs of another chunk on a task that copies this piece, so that no other chunk is
    moved or kept. A box that is a chunk of x, or half of it and more, is passed on untouched.
    """
    edges = [_chunks.cuts(extents) for extents in x.chunks]
    axes = [
        [_Interval(plan, axis, start, stop, edges[axis]) for start, stop in each]
        for axis, each in enumerate(intervals)
    ]
    layer = _Layer(x, plan, name)
    numbers = product(*(range(len(each)) for each in axes))
    for number, chosen in zip(numbers, product(*axes)):
        layer.add((name, *number), chosen)
    graph = HighLevelGraph.from_collections(name, layer.tasks, dependencies=[x])
    chunks = tuple(tuple(stop - start for start, stop in each) for each in intervals)
    return Array(graph, name, chunks, meta=x._meta, dtype=x.dtype)


class _Interval:
    """Cells [start, stop) of an output axis: the part of a chunk that they are, or None, and what
    they read."""

    def __init__(self, plan, axis, start, stop, edges):
        self.start = start
        self.same = _chunks.same_cells(plan, axis, start, stop, edges)
        runs = _chunks.with_own_chunk(_chunks.runs(plan, axis, start, stop, edges), edges)
        self.counts = tuple((run.stop - run.start, run.origin) for run in runs)
        self.parts = tuple(run.parts for run in runs)


class _Layer:
    def __init__(self, x, plan, name):
        self.x = x
        self.plan = plan
        self.taken = f"{name}-take"  # dask fuses tasks of one prefix without an alias
        self.tasks = {}

    def add(self, key, intervals):
        same = [each.same for each in intervals]
        if None not in same:
            self.tasks[key] = self.part(key, same)
            return
        blocks = [self.read(parts) for parts in product(*(each.parts for each in intervals))]
        self.tasks[key] = Task(
            key,
            assemble,
            self.plan,
            tuple(each.start for each in intervals),
            tuple(each.counts for each in intervals),
            *blocks,
        )

    def part(self, key, parts):
        """A box that is a part of a chunk."""
        chunk = (self.x.name, *(each.chunk for each in parts))
        if self.is_whole(parts) and self.x.dtype.isnative:
            return Alias(key, chunk)
        cells = tuple(slice(each.start, each.stop) for each in parts)
        return Task(key, part_in_order, TaskRef(chunk), cells, self.x.dtype)

    def is_whole(self, parts):
        return all(
            each.stop - each.start == self.x.chunks[axis][each.chunk]
            for axis, each in enumerate(parts)
        )

    def read(self, parts):
        """What one run of each axis reads: a block, nested lists of blocks, axis by axis, or None
        where it only fills."""
        if not all(parts):
            return None
        if all(len(each) == 1 for each in parts):
            return self.block([each[0] for each in parts])
        return self.nested(parts, [])

    def nested(self, parts, chosen):
        if len(chosen) == len(parts):
            return self.block(chosen)
        return List(*(self.nested(parts, [*chosen, each]) for each in parts[len(chosen)]))

    def block(self, parts):
        chunk = tuple(each.chunk for each in parts)
        key = (self.x.name, *chunk)
        if self.is_whole(parts):
            return TaskRef(key)
        taken = (self.taken, *chunk, *(cell for each in parts for cell in each[1:]))
        if taken not in self.tasks:
            cells = tuple(slice(each.start, each.stop) for each in parts)
            self.tasks[taken] = Task(taken, take, TaskRef(key), cells)
        return TaskRef(taken)
