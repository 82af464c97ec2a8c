"""How a pad meets chunks: python/tensorpad/_chunks.py, which knows no dask."""

import itertools

import numpy as np
import oracle
import pytest
import tensorpad
from tensorpad import _chunks

MODES = ["constant", "edge", "reflect", "symmetric", "wrap"]


def test_cuts_and_intervals():
    assert _chunks.cuts([2, 0, 3]) == [0, 2, 2, 5] and _chunks.cuts([]) == [0]
    assert _chunks.intervals([2, 0, 3]) == [(0, 2), (2, 2), (2, 5)]


@pytest.mark.parametrize(
    "policy, extents, setting, length, expected",
    [
        ("like", (1000, 1000), (10, 10, 0), 2020, (1010, 1010)),
        ("like", (750, 750, 750), (10, 10, 0), 2270, (760, 750, 760)),
        ("like", (1000, 1000), (100, 101, 0), 2201, (1100, 551, 550)),
        ("like", (1000,), (50, 50, 0), 1100, (1100,)),
        ("like", (9, 9), (1, 0, 0), 19, (5, 5, 9)),
        ("like", (10, 10), (1, 0, 0), 21, (11, 10)),
        ("merge", (1000, 1000), (10, 10, 0), 2020, (1010, 1010)),
        ("regular", (1000, 1000), (10, 10, 0), 2020, (1000, 1000, 20)),
        ("like", (1000, 1000), (1500, 0, 0), 3500, (834, 833, 833, 1000)),
        ("like", (3, 5), (0, 0, 0), 8, (3, 5)),
        ("regular", (3, 5), (0, 0, 0), 8, (5, 3)),
        ("like", (3, 5), (2, 0, 0), 10, (5, 5)),
        ("like", (3, 5), (-3, 0, 0), 5, (5,)),
        ("like", (3, 5), (-4, 1, 0), 5, (5,)),
        ("merge", (3, 5), (0, 0, 1), 15, (6, 9)),
        ("like", (3, 5), (0, 0, 1), 15, (3, 3, 5, 4)),
        ("like", (0,), (4, 3, 0), 7, (7,)),
        ("like", (0, 3, 0), (1, 1, 0), 5, (3, 2)),
        ("regular", (0,), (0, 0, 0), 0, (0,)),
        ("merge", (2, 2), (-4, 0, 0), 0, (0,)),
    ],
)
def test_output_chunks(policy, extents, setting, length, expected):
    assert _chunks.output_chunks(extents, setting, length, policy) == expected


def test_a_split_is_even():
    for extent, longest in itertools.product(range(40), range(1, 9)):
        found = _chunks.split_evenly(extent, longest)
        assert sum(found) == extent and max(found) <= longest and max(found) - min(found) <= 1
        assert len(found) == max(-(-extent // longest), 1)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("extents", [(7,), (3, 4), (1,) * 6, (2, 0, 5), (1, 6)])
def test_runs_of_every_interval(mode, extents):
    """The runs tile the interval, and the parts of each hold, in a row, all that it reads."""
    extent, edges = sum(extents), _chunks.cuts(extents)
    for before, after, interior in ((0, 0, 0), (9, 5, 0), (20, -3, 0), (-2, 8, 0), (4, 3, 2)):
        plan = tensorpad.Plan((extent,), (before, after), mode, interior=interior)
        length = plan.out_shape[0]
        reads = [
            oracle.source_index(i, extent, before, after, interior, mode, "window")
            for i in range(length)
        ]
        for start, stop in itertools.combinations_with_replacement(range(length + 1), 2):
            found = _chunks.runs(plan, 0, start, stop, edges)
            assert [i for run in found for i in range(run.start, run.stop)] == [*range(start, stop)]
            for run in (*found, *_chunks.with_own_chunk(found, edges)):
                held = [
                    cell
                    for part in run.parts
                    for cell in range(edges[part.chunk] + part.start, edges[part.chunk] + part.stop)
                ]
                assert held == [*range(run.origin, run.origin + len(held))]
                assert {reads[i] for i in range(run.start, run.stop)} - {None} <= {*held}
                assert all(0 <= part.start < part.stop <= extents[part.chunk] for part in run.parts)
            same = _chunks.same_cells(plan, 0, start, stop, edges)
            wanted = reads[start:stop]
            chunk = [
                np.searchsorted(edges, cell, "right") - 1 for cell in wanted if cell is not None
            ]
            if wanted and wanted == [*range(reads[start] or 0, (reads[start] or 0) + len(wanted))]:
                first = wanted[0] - edges[chunk[0]]
                part = _chunks.Part(chunk[0], first, first + len(wanted))
                assert same == (part if len(set(chunk)) == 1 else None)
            else:
                assert same is None


def test_the_chunk_that_most_is_read_of_is_read_whole():
    edges = _chunks.cuts([10, 10, 10])
    part, run = _chunks.Part, _chunks.Run
    mostly = [run(0, 2, 8, (part(0, 8, 10),)), run(2, 6, 10, (part(1, 0, 4),))]
    assert _chunks.with_own_chunk(mostly, edges) == [
        mostly[0],
        run(2, 6, 10, (part(1, 0, 10),)),
    ]
    little = [run(0, 2, 8, (part(0, 8, 10),)), run(2, 3, 10, (part(1, 0, 1),))]
    assert _chunks.with_own_chunk(little, edges) == little
    twice = [
        run(0, 3, 7, (part(0, 7, 10),)),
        run(3, 6, 10, (part(1, 0, 3),)),
        run(6, 8, 1, (part(0, 1, 3),)),
    ]
    found = _chunks.with_own_chunk(twice, edges)
    assert [(one.origin, one.parts) for one in found] == [
        (0, (part(0, 0, 10),)),
        (10, (part(1, 0, 3),)),
        (0, (part(0, 0, 10),)),
    ]
    several = [run(0, 9, 5, (part(0, 5, 10), part(1, 0, 10)))]
    assert _chunks.with_own_chunk(several, edges) == several


def test_a_mode_that_goes_to_and_fro_reads_several_chunks_at_once():
    """Of 5 cells in chunks of 1, 100 cells are made: not in 100 runs."""
    plan = tensorpad.Plan((5,), (100, 0), "reflect")
    (run,) = _chunks.runs(plan, 0, 0, 100, _chunks.cuts((1,) * 5))
    assert [part.chunk for part in run.parts] == [0, 1, 2, 3, 4]
    assert np.array_equal(run[:3], (0, 100, 0))
