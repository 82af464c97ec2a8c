"""The order of the boxes of a padded array, so that each chunk of the input is decoded once, and
the memory that this takes. SPDX-License-Identifier: MIT

Independent of zarr. The output is cut into stripes, made one after the other, and a stripe into
boxes of whole chunks of the output. Decoded cells that later boxes of the same stripe need are kept
until those are made; nothing else is kept.
"""

import math
from functools import cache
from itertools import groupby, product
from typing import NamedTuple

from . import _chunks

ENOUGH_BYTES = 16 << 20  # of a box; larger ones are not faster


class Use(NamedTuple):
    """Cells [start, stop) of the input that a step of an axis needs."""

    step: int
    start: int
    stop: int


class Read(NamedTuple):
    """Cells [start, stop) of the input that a step decodes, and the steps that use them, this one
    first. No chunk is in two reads of a step."""

    start: int
    stop: int
    uses: tuple[Use, ...]


class Step(NamedTuple):
    """Cells [start, stop) of an axis of the output: what is decoded for them, and their runs, whose
    parts number the pieces that begin at `edges`."""

    start: int
    stop: int
    reads: tuple[Read, ...]
    edges: list[int]
    runs: list[_chunks.Run]


class Layout(NamedTuple):
    """How the output is cut. order: the axes, the slowest first. boxes, stripes: the extents of a
    box and a stripe, in chunks of the output."""

    order: tuple[int, ...]
    boxes: tuple[int, ...]
    stripes: tuple[int, ...]


class Costs(NamedTuple):
    """What zarr needs besides the arrays read and written, in bytes: for each chunk decoded or
    encoded at the same time, and for each byte read."""

    chunk: int
    target_chunk: int
    at_once: int
    by_byte: int


class Sweep:
    """All boxes of a padded array.

    plan: of the whole. chunks: extents of the input's chunks. target_chunks: of the output's.
    """

    def __init__(self, plan, chunks, target_chunks):
        self.plan = plan
        self.chunks = chunks
        self.target_chunks = target_chunks
        self.counts = tuple(
            -(-extent // chunk) for extent, chunk in zip(plan.out_shape, target_chunks)
        )
        self.axis = cache(self._axis)
        self.figures = cache(self._figures)

    def _axis(self, axis, box, stripe):
        """The stripes of an axis, each a list of steps."""
        chunk, extent = self.target_chunks[axis], self.plan.out_shape[axis]
        cells = box * chunk
        return [
            _steps(
                self.plan,
                axis,
                [(at, min(at + cells, stop)) for at in range(start, stop, cells)],
                self.chunks[axis],
            )
            for start, stop in (
                (at, min(at + stripe * chunk, extent)) for at in range(0, extent, stripe * chunk)
            )
        ]

    def _figures(self, axis, box, stripe):
        """The _Figures of one axis: the maxima over its stripes."""
        stripes = self.axis(axis, box, stripe)
        every = [_stripe_figures(steps, self.chunks[axis]) for steps in stripes]
        if not every:
            return _Figures(0, 0, 0, 0, 0, 0, 0)
        *largest, decodes = zip(*every)
        return _Figures(*map(max, largest), sum(decodes))

    def stripes(self, layout):
        """The stripes in order, each as a list of steps for each axis."""
        axes = [
            self.axis(axis, box, stripe)
            for axis, (box, stripe) in enumerate(zip(layout.boxes, layout.stripes))
        ]
        return [
            [each[n] for each, n in zip(axes, numbers)]
            for numbers in _in_order([len(each) for each in axes], layout.order)
        ]

    def decodes(self, layout):
        """The total number of decodes of the input's chunks."""
        return math.prod(
            self.figures(axis, box, stripe).decodes
            for axis, (box, stripe) in enumerate(zip(layout.boxes, layout.stripes))
        )

    def bytes(self, layout, costs):
        """The most memory that a sweep needs."""
        each = [
            self.figures(axis, layout.boxes[axis], layout.stripes[axis]) for axis in layout.order
        ]
        kept = sum(
            math.prod(one.needed for one in each[:n])
            * each[n].kept
            * math.prod(one.all_needed for one in each[n + 1 :])
            for n in range(len(each))
        )
        size = self.plan.dtype.itemsize
        read, needed, made = (
            size * math.prod(getattr(one, name) for one in each)
            for name in ("read", "needed", "made")
        )
        decoded = min(math.prod(one.chunks for one in each), costs.at_once)
        encoded = min(math.prod(layout.boxes), costs.at_once)
        return (
            size * kept
            + needed
            + max(
                read + decoded * costs.chunk + read * costs.by_byte,
                read + made,
                made + encoded * costs.target_chunk,
            )
        )

    def layout(self, memory, costs):
        """The layout that decodes least within `memory` bytes, with boxes large enough to keep
        processors busy; the smallest layout if nothing fits."""
        chosen = self.smallest_once()
        order = chosen.order
        while self.bytes(chosen, costs) > memory:
            widest = max(order[1:], key=lambda axis: chosen.stripes[axis], default=None)
            if widest is None or chosen.stripes[widest] == 1:
                return chosen
            chosen = _with(chosen, "stripes", widest, -(-chosen.stripes[widest] // 2))
        for axis in reversed(order):
            while chosen.boxes[axis] < chosen.stripes[axis] and not self._is_enough(chosen, costs):
                larger = _with(
                    chosen, "boxes", axis, min(2 * chosen.boxes[axis], chosen.stripes[axis])
                )
                if self.bytes(larger, costs) > memory:
                    break
                chosen = larger
        return chosen

    def smallest_once(self):
        """The layout that decodes each chunk once and needs the least memory."""
        rank = len(self.counts)
        boxes, stripes = (1,) * rank, tuple(max(count, 1) for count in self.counts)

        def kept_share(axis):
            return self.figures(axis, 1, stripes[axis]).kept / max(self.plan.shape[axis], 1)

        return Layout(tuple(sorted(range(rank), key=kept_share)), boxes, stripes)

    def _is_enough(self, layout, costs):
        cells = math.prod(
            min(box * chunk, extent)
            for box, chunk, extent in zip(layout.boxes, self.target_chunks, self.plan.out_shape)
        )
        return (
            math.prod(layout.boxes) >= 2 * costs.at_once
            and cells * self.plan.dtype.itemsize >= ENOUGH_BYTES
        )


class _Figures(NamedTuple):
    """Of one axis: cells that a step reads, needs and makes; chunks that it decodes; cells kept between
    two steps; cells that all steps of a stripe need; and, for all stripes together, chunks decoded."""

    read: int
    needed: int
    made: int
    chunks: int
    kept: int
    all_needed: int
    decodes: int


def _stripe_figures(steps, chunk):
    needed = [0] * len(steps)
    kept = [0] * len(steps)  # after each step
    for number, step in enumerate(steps):
        for use in (use for read in step.reads for use in read.uses):
            needed[use.step] += use.stop - use.start
            for later in range(number, use.step):
                kept[later] += use.stop - use.start
    chunks = [
        sum((read.stop - 1) // chunk - read.start // chunk + 1 for read in step.reads)
        for step in steps
    ]
    return _Figures(
        max(sum(read.stop - read.start for read in step.reads) for step in steps),
        max(needed),
        max(step.stop - step.start for step in steps),
        max(chunks),
        max(kept),
        sum(needed),
        sum(chunks),
    )


def _steps(plan, axis, bounds, chunk):
    """The steps of a stripe: bounds are the [start, stop) of each in the output. A chunk is decoded
    by the first of the neighbouring steps that need it."""
    needs = [_needs(plan, axis, start, stop, chunk) for start, stop in bounds]
    decoded = []  # for each step: the step that decodes a chunk
    for number, need in enumerate(needs):
        before = decoded[-1] if decoded else {}
        decoded.append({one: before.get(one, number) for one in need})
    reads = [
        tuple(
            _read(number, group, needs, decoded)
            for group in _neighbours(one for one in need if decoded[number][one] == number)
        )
        for number, need in enumerate(needs)
    ]
    edges = [set() for _ in bounds]
    for use in (use for step in reads for read in step for use in read.uses):
        edges[use.step] |= {use.start, use.stop}
    return [
        Step(start, stop, read, sorted(edge), _chunks.runs(plan, axis, start, stop, sorted(edge)))
        for (start, stop), read, edge in zip(bounds, reads, edges)
    ]


def _needs(plan, axis, start, stop, chunk):
    """The cells [low, high) of each chunk of the input that a step of the output needs."""
    cells = {}
    for _, source in plan.sources(axis, start, stop):
        for number in range(source.start // chunk, -(-source.stop // chunk)):
            low, high = max(source.start, number * chunk), min(source.stop, (number + 1) * chunk)
            if low < high:
                before = cells.get(number, (low, high))
                cells[number] = min(low, before[0]), max(high, before[1])
    return cells


def _read(number, group, needs, decoded):
    uses = []
    for step in range(number, len(needs)):
        used = [one for one in group if decoded[step].get(one) == number]
        if not used:
            break
        uses += (
            Use(step, needs[step][few[0]][0], needs[step][few[-1]][1]) for few in _neighbours(used)
        )
    return Read(min(use.start for use in uses), max(use.stop for use in uses), tuple(uses))


def _neighbours(numbers):
    """Groups of consecutive numbers."""
    ordered = enumerate(sorted(numbers))
    return [
        [number for _, number in group]
        for _, group in groupby(ordered, lambda pair: pair[1] - pair[0])
    ]


def _with(layout, name, axis, value):
    changed = list(getattr(layout, name))
    changed[axis] = value
    return layout._replace(**{name: tuple(changed)})


def _in_order(counts, order):
    """All places of a grid; the last axis of `order` changes fastest."""
    for numbers in product(*(range(counts[axis]) for axis in order)):
        place = [0] * len(counts)
        for axis, number in zip(order, numbers):
            place[axis] = number
        yield tuple(place)


def places(stripe, order):
    """The boxes of a stripe in order, each as the number of a step for each axis."""
    return _in_order([len(steps) for steps in stripe], order)


def rank(stripe, order, place):
    """The number of boxes of the stripe made before the one at `place`."""
    number = 0
    for axis in order:
        number = number * len(stripe[axis]) + place[axis]
    return number
