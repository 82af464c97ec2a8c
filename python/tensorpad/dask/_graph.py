"""Boxes of a padded array as a graph of dask's.  SPDX-License-Identifier: MIT"""
from itertools import product

import numpy

from .. import _assemble, _chunks
from .._extras import load

load("dask.array", "dask", "tensorpad.dask needs dask")

from dask._task_spec import Alias, List, Task, TaskRef  # noqa: E402
from dask.array import Array  # noqa: E402
from dask.highlevelgraph import HighLevelGraph  # noqa: E402


def boxes(x, plan, intervals, name):
    """An array of dask, each chunk of which is a box of the padded x.

    plan: of the whole. intervals: for each axis the [start, stop) of the boxes in the output; they
    may overlap. name: of the new array.

    A box is assembled by one task. What it reads of a chunk is copied by a task of its own, next
    to the chunk, unless the box is made mostly of this chunk; a box that is a chunk of x is passed
    on untouched.
    """
    edges = [_chunks.cuts(extents) for extents in x.chunks]
    axes = [[_Interval(plan, axis, start, stop, edges[axis]) for start, stop in each]
            for axis, each in enumerate(intervals)]
    graph = _Layer(x, plan, name)
    for numbers in product(*(range(len(each)) for each in axes)):
        graph.add(numbers, [each[n] for each, n in zip(axes, numbers)])
    layers = HighLevelGraph.from_collections(name, graph.tasks, dependencies=[x])
    chunks = tuple(tuple(stop - start for start, stop in each) for each in intervals)
    return Array(layers, name, chunks, meta=x._meta, dtype=x.dtype)


class _Interval:
    """Cells [start, stop) of an output axis: which runs of the input, and which chunk if they are
    nothing but this chunk."""

    def __init__(self, plan, axis, start, stop, edges):
        self.start = start
        self.runs = _chunks.with_whole_home(_chunks.runs(plan, axis, start, stop, edges), edges)
        self.whole = None
        if len(self.runs) == 1 and len(self.runs[0].parts) == 1:
            part = self.runs[0].parts[0]
            length = edges[part.chunk + 1] - edges[part.chunk]
            if part.stop - part.start == length == stop - start and \
                    _chunks.is_identity(plan, axis, start, stop):
                self.whole = part.chunk
        self.counts = tuple((run.stop - run.start, run.origin) for run in self.runs)


class _Layer:
    def __init__(self, x, plan, name):
        self.x = x
        self.plan = plan
        self.name = name
        self.tasks = {}
        self.nothing = numpy.empty((0,) * x.ndim, x.dtype)

    def add(self, numbers, intervals):
        key = (self.name, *numbers)
        chunk = tuple(each.whole for each in intervals)
        if None not in chunk:
            self.tasks[key] = Alias(key, (self.x.name, *chunk))
            return
        blocks = [self.read([run.parts for run in runs])
                  for runs in product(*(each.runs for each in intervals))]
        self.tasks[key] = Task(key, _assemble.assemble, self.plan,
                               tuple(each.start for each in intervals),
                               tuple(each.counts for each in intervals), *blocks)

    def read(self, parts):
        """What one run of each axis reads: the block, or nested lists of blocks, axis by axis."""
        if not all(parts):
            return self.nothing
        if all(len(each) == 1 for each in parts):
            return self.block([each[0] for each in parts])
        return self.nested(parts, [])

    def nested(self, parts, chosen):
        if len(chosen) == len(parts):
            return self.block(chosen)
        return List(*(self.nested(parts, [*chosen, part]) for part in parts[len(chosen)]))

    def block(self, parts):
        chunk = tuple(part.chunk for part in parts)
        key = (self.x.name, *chunk)
        extents = [self.x.chunks[axis][n] for axis, n in enumerate(chunk)]
        whole = all(part.stop - part.start == extent for part, extent in zip(parts, extents))
        if whole:
            return TaskRef(key)
        cells = tuple(slice(part.start, part.stop) for part in parts)
        taken = (f"{self.name}-take", *chunk, *(n for part in parts for n in part[1:]))
        self.tasks[taken] = Task(taken, _assemble.take, TaskRef(key), cells)
        return TaskRef(taken)
