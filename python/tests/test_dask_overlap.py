"""tensorpad.dask.overlap, map_overlap and trim_overlap: blocks are compared with a naive computation,
cell by cell, and by dask's own tests."""

import pathlib
import pickle
import random
import subprocess
import sys
import xml.etree.ElementTree

import numpy as np
import oracle
import pytest
import suites
from chunked import DTYPES, assert_same, chunks_of, constant, elements

dask = pytest.importorskip("dask")
import dask.array as da  # noqa: E402
from tensorpad.dask import map_overlap, overlap, trim_overlap  # noqa: E402
from test_dask_pad import _one_thread, blocks  # noqa: E402, F401 (a fixture)

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODES = {"periodic": "wrap", "nearest": "edge", "reflect": "symmetric", "mirror": "reflect"}
WORDS = [*MODES, "none"]
CASES = 600


# ---- The naive computation -----------------------------------------------------------------------


def is_none(boundary):
    return isinstance(boundary, str) and boundary == "none"


def cells_of_blocks(extents, before, after, boundary):
    """For each block of an axis its cells, which may be outside of the array."""
    total, start, found = sum(extents), 0, []
    for extent in extents:
        cells = range(start - before, start + extent + after)
        found.append([cell for cell in cells if not is_none(boundary) or 0 <= cell < total])
        start += extent
    return found


def gathered(array, cells, boundaries):
    """The array at these cells of each axis. Later axes' constants cover those of earlier ones."""
    modes = [MODES.get(one, "constant") if type(one) is str else "constant" for one in boundaries]
    sources = [
        [oracle.source_index(cell, extent, 0, 0, 0, mode, "window") for cell in each]
        for each, extent, mode in zip(cells, array.shape, modes)
    ]
    found = np.zeros([len(each) for each in cells], array.dtype)
    if array.size:
        found[...] = array[np.ix_(*([one or 0 for one in each] for each in sources))]
    for axis, (each, boundary) in enumerate(zip(sources, boundaries)):
        at = np.moveaxis(found, axis, 0)
        for number in (number for number, one in enumerate(each) if one is None):
            at[number : number + 1] = boundary
    return found


@pytest.mark.long
def test_random_overlaps():
    rng = random.Random(20)
    seen = set()
    for case in range(CASES):
        shape = [rng.randint(1, 11) for _ in range(rng.choice([1, 1, 2, 2, 2]))]
        if rng.random() < 0.2:
            shape = [rng.randint(1, 5) for _ in range(3)]
        if rng.random() < 0.05:
            shape[0] = 0
        array = elements(shape, rng.choice(DTYPES))
        depth, boundary = {}, {}
        for axis, extent in enumerate(shape):
            word = rng.choice([*WORDS, "constant"] if extent else ["none", "constant"])
            most = rng.choice([1, 3, 2 * extent + 2])
            pair = rng.randint(0, most), rng.randint(0, most)
            depth[axis] = pair if rng.random() < 0.5 else pair[0]
            boundary[axis] = constant(rng, array.dtype) if word == "constant" else word
            seen.add(word)
        x = da.from_array(array, chunks=tuple(chunks_of(rng, extent) for extent in shape))
        made = overlap(x, depth, boundary)
        pairs = [one if isinstance(one, tuple) else (one, one) for one in depth.values()]
        cells = [
            cells_of_blocks(extents, *pair, boundary[axis])
            for axis, (extents, pair) in enumerate(zip(x.chunks, pairs))
        ]
        assert made.numblocks == x.numblocks and made.dtype == array.dtype
        assert made.chunks == tuple(tuple(map(len, each)) for each in cells)
        for number, block in blocks(made).items():
            own = [each[n] for each, n in zip(cells, number)]
            expected = gathered(array, own, list(boundary.values()))
            assert_same(block, expected, case, x.chunks, depth, boundary)
        core = trim_overlap(made, depth, boundary, chunks=x.chunks)
        assert core.chunks == x.chunks
        assert_same(np.asarray(core.compute()), array, case)
    assert seen == {*WORDS, "constant"}


# ---- map_overlap ---------------------------------------------------------------------------------


def stencil(block):
    """Sums over three cells of each axis. Beyond the ends there is nothing."""
    for axis in range(block.ndim):
        at = np.moveaxis(block, axis, 0)
        total = at.copy()
        total[1:] += 3 * at[:-1]
        total[:-1] += 7 * at[1:]
        block = np.moveaxis(total, 0, axis)
    return block


@pytest.mark.parametrize("boundary", [*WORDS, 5])
@pytest.mark.parametrize("chunks", [(4, 5), (1, 13), ((3, 1, 6, 2), (1, 1, 11))])
@pytest.mark.parametrize("depth", [1, 3, 15])
def test_stencils(boundary, chunks, depth):
    array = np.random.default_rng(1).integers(-99, 99, (12, 13))
    x = da.from_array(array, chunks=chunks)
    cells = [cells_of_blocks([extent], depth, depth, boundary)[0] for extent in array.shape]
    inner = (slice(depth, -depth),) * 2
    whole = stencil(gathered(array, cells, [boundary] * 2))
    whole = whole if boundary == "none" else whole[inner]
    made = map_overlap(stencil, x, depth=depth, boundary=boundary)
    assert made.chunks == x.chunks and made.dtype == array.dtype
    shapes = ({n: block.shape for n, block in blocks(one).items()} for one in (made, x))
    assert next(shapes) == next(shapes)
    assert np.array_equal(made.compute(), whole)
    if boundary != "none":
        cut = lambda block: stencil(block)[inner]
        made = map_overlap(cut, x, depth=depth, boundary=boundary, trim=False)
        assert made.chunks == x.chunks and np.array_equal(made.compute(), whole)


@pytest.mark.parametrize("align", [True, False])
def test_several_arrays(align):
    """With a depth and a boundary of each; the array with most axes decides what is cut off."""
    rng = np.random.default_rng(2)
    first, second = rng.integers(-9, 9, (6, 8)), rng.integers(-9, 9, 8)
    x = da.from_array(first, chunks=((1, 5), (2, 2, 4)))
    y = da.from_array(second, chunks=8 if align else ((2, 2, 4),))
    words = {"align_arrays": align}

    def product(a, b):
        return stencil(a) * stencil(b)[None]

    def turned(b, a):
        return product(a, b)

    boundaries = ["reflect", "periodic"]
    made = map_overlap(product, x, y, depth=[{0: 2, 1: 3}, 3], boundary=boundaries, **words)
    expected = stencil(np.pad(first, ((2, 2), (3, 3)), "symmetric"))[2:-2]
    expected = expected * stencil(np.pad(second, 3, "wrap"))
    assert made.chunks == x.chunks and np.array_equal(made.compute(), expected[:, 3:-3])
    with pytest.raises(ValueError):  # y has one axis, and gets the depth of axis 0, which is 2
        map_overlap(turned, y, x, depth=(2, 3), boundary=0, **words).compute()
    one = map_overlap(turned, y, x, depth=[3, (2, 3)], boundary=0, **words)
    padded = stencil(np.pad(first, ((2, 2), (3, 3))))[2:-2]
    assert np.array_equal(one.compute(), (padded * stencil(np.pad(second, 3)))[:, 3:-3])


def test_arrays_that_broadcast_and_chunks_that_are_aligned():
    """The blocks of the result are those of the array that is not broadcast."""
    first, second = np.arange(3).reshape(3, 1), np.arange(8)
    x, y = da.from_array(first, chunks=(2, 1)), da.from_array(second, chunks=3)
    words = {"depth": [(0, 1), 1], "boundary": "none"}
    made = map_overlap(np.add, x, y, **words)
    assert made.chunks == ((2, 1), (3, 3, 2)) and np.array_equal(made.compute(), first + second)
    made = map_overlap(np.add, x, y, trim=False, chunks=((2, 1), (4, 5, 3)), **words)
    assert made.compute().shape == (3, 12)
    x, y = da.from_array(np.arange(10), chunks=5), da.from_array(np.arange(10), chunks=10)
    made = map_overlap(np.add, x, y, depth=1, boundary=0)
    assert made.chunks == ((5, 5),) and made.compute().tolist() == list(range(0, 20, 2))
    with pytest.raises(ValueError, match="broadcast"):
        map_overlap(np.add, x, y, depth=1, boundary=0, align_arrays=False).compute()


def test_dropped_and_new_axes():
    array = np.random.default_rng(3).integers(0, 99, (5, 6, 8))
    x = da.from_array(array, chunks=((1, 4), 6, (3, 1, 4)))
    words = {"depth": {0: 1, 1: 0, 2: (1, 3)}, "boundary": "periodic", "dtype": array.dtype}
    smooth = stencil(np.pad(array, ((1, 1), (0, 0), (1, 3)), "wrap"))[1:-1, :, 1:-3]
    kept, chunks = (x.chunks[0], x.chunks[2]), ((3, 6), (6,), (7, 5, 8))
    for function, more, found_chunks, expected in (
        (lambda a: stencil(a).sum(1), {"drop_axis": 1}, kept, smooth.sum(1)),
        (lambda a: stencil(a).sum(1), {"drop_axis": -2, "trim": False}, kept, None),
        (
            lambda a: np.stack([stencil(a)] * 2),
            {"new_axis": 0, "chunks": ((2,), *chunks)},
            ((2,), *x.chunks),
            np.stack([smooth] * 2),
        ),
        (
            lambda a: stencil(a).sum(1)[:, None, :, None],
            {"drop_axis": [1], "new_axis": [1, 3]},
            (x.chunks[0], (1,), x.chunks[2], (1,)),
            smooth.sum(1)[:, None, :, None],
        ),
        (
            lambda a: stencil(a)[None],
            {"chunks": ((1,), *chunks)},
            ((1,), *x.chunks),
            smooth[None],
        ),
    ):
        made = map_overlap(function, x, **words, **more)
        assert made.chunks == found_chunks, more
        assert expected is None or np.array_equal(made.compute(), expected)


def test_functions_get_what_map_blocks_gives():
    x = da.from_array(np.arange(10), chunks=(1, 9))
    add = lambda a, block_id=None, more=0: a + 100 * block_id[0] + more
    made = map_overlap(add, x, depth=2, boundary=0, more=1000, dtype=int)
    assert made.compute().tolist() == [1000, *range(1101, 1110)]
    seen = []

    def look(a, block_info=None):
        seen.append(block_info[0])
        return a

    map_overlap(look, x, depth=2, boundary=0, dtype=int, meta=np.empty(0, int)).compute()
    assert [one["array-location"] for one in seen] == [[(0, 5)], [(5, 18)]]


def test_blocks_are_not_kept_alive_by_a_few_cells():
    """And what a function returns is not copied where its halo is small, nor without a depth."""
    x = da.from_array(np.arange(6), chunks=1)
    made = blocks(map_overlap(lambda a: a, x, depth=5, boundary="periodic"))
    assert all(block.base is None for block in made.values())
    made = blocks(map_overlap(lambda a: a, x.rechunk(3), depth=1, boundary="periodic"))
    assert all(block.base is not None and block.base.shape == (5,) for block in made.values())
    assert overlap(x, 0, "reflect") is x


def test_names_depend_on_what_is_asked():
    x = da.from_array(np.arange(10), chunks=5)
    calls = [(1, "reflect"), (1, "mirror"), ({0: (0, 1)}, "reflect"), (1, 0), (1, 1), (1, "none")]
    names = [overlap(x, *call).name for call in calls]
    assert len({*names}) == len(calls) and names == [overlap(x, *call).name for call in calls]
    made = map_overlap(stencil, x, depth=1, boundary="reflect")
    assert made.name == map_overlap(stencil, x, depth=1, boundary="reflect").name
    assert np.array_equal(pickle.loads(pickle.dumps(made)).compute(), made.compute())


# ---- Tasks ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "extent, rank, chunk, depth, boundary, most",
    [
        (20000, 2, 1000, 10, "periodic", 3600),
        (20000, 2, 1000, 10, "reflect", 3364),
        (20000, 2, 1000, 10, "none", 3364),
        (600, 3, 100, 4, "periodic", 5832),
        (600, 3, 100, 4, "none", 4096),
    ],
)
@pytest.mark.long
def test_tasks(extent, rank, chunk, depth, boundary, most):
    """One task a block, and one for each piece of a neighbour's, but for those of the input."""
    x = da.zeros((extent,) * rank, "f4", chunks=chunk)

    def tasks(made):
        return len(dict(dask.optimize(made)[0].__dask_graph__()))

    found = tasks(overlap(x, depth, boundary)) - tasks(x)
    dasks = tasks(da.overlap.overlap(x, depth, boundary)) - tasks(x)
    assert found <= most and found <= dasks
    mapped = tasks(map_overlap(np.negative, x, depth=depth, boundary=boundary)) - tasks(x)
    assert mapped <= found + x.npartitions


# ---- Arguments -----------------------------------------------------------------------------------


def test_depths_and_boundaries_in_all_ways():
    x = da.from_array(np.arange(60).reshape(6, 10), chunks=(2, 5))
    one = overlap(x, {0: 2, 1: (1, 3)}, {0: "none", 1: 7})
    for depth, boundary in (
        ((2, (1, 3)), ("none", 7)),
        ([np.uint8(2), [1, np.int64(3)]], [None, 7]),
        ({-2: 2, -1: (1.0, 3)}, {-1: np.float32(7)}),
        ({0: 2, 1: (1, 3)}, {0: None, 1: 7.2}),
    ):
        other = overlap(x, depth, boundary)
        assert other.chunks == one.chunks and np.array_equal(other.compute(), one.compute())
    assert overlap(x, {1: 2}, None).chunks == ((2, 2, 2), (7, 7))
    assert overlap(x, 1, "none", allow_rechunk=False).chunks == ((3, 4, 3), (6, 6))
    text = da.from_array(np.array(["a", "b"]), chunks=1)  # where a word may be a constant
    assert overlap(text, 1, "x").compute().tolist() == ["x", "a", "b", "a", "b", "x"]
    assert overlap(text, 1, "nearest").compute().tolist() == ["a", "a", "b", "a", "b", "b"]


@pytest.mark.parametrize(
    "depth, boundary, text",
    [
        (-1, 0, "axis 0: a depth is a number of cells from 0"),
        (1.5, 0, "axis 0: a depth is"),
        ({1: (1, 2, 3)}, 0, "axis 1: a depth is"),
        ({1: "2"}, 0, "axis 1: a depth is"),
        ({1: float("nan")}, 0, "axis 1: a depth is"),
        ({2: 1}, 0, "depth names axis 2, and the array has 2 axes"),
        (1, {-3: 0}, "boundary names axis -3"),
        ((1, 1, 1), 0, "depth names axis 2"),
        (1, "wrap", "axis 0: boundary 'wrap' .*'wrap' is called periodic here"),
        (1, {1: "Reflect"}, "axis 1: boundary 'Reflect' is none of periodic, nearest, reflect, m"),
    ],
)
def test_arguments_that_are_refused(depth, boundary, text):
    """When overlap is called, not in a task."""
    x = da.zeros((6, 10), int, chunks=(2, 5))
    for call in (
        lambda: overlap(x, depth, boundary),
        lambda: map_overlap(stencil, x, depth=depth, boundary=boundary),
    ):
        with pytest.raises(ValueError, match=text) as caught:
            call()
        assert "\n" not in str(caught.value)


def test_arrays_that_are_refused():
    x = da.zeros(10, chunks=5)
    for call in (
        lambda x: overlap(x, 1, 0),
        lambda x: trim_overlap(x, 1, 0),
        lambda x: map_overlap(stencil, x, depth=1),
    ):
        with pytest.raises(TypeError, match="ndarray.*from_array"):
            call(np.zeros(10))
        with pytest.raises(ValueError, match="compute_chunk_sizes"):
            call(x[x > 1])
        with pytest.raises(TypeError, match="NumPy"):
            call(da.map_blocks(lambda a: a, x, meta=np.ma.zeros(0)))
    for text, call in (
        ("empty axis 0", lambda: overlap(da.zeros(0), 1, "reflect")),
        ("the function first", lambda: map_overlap(x, stencil, depth=1)),
        ("depth is a list of 1 for 2 arrays", lambda: map_overlap(np.add, x, x, depth=[1])),
        ("depth names axis 1", lambda: map_overlap(np.add, x, x, depth={1: 1})),
    ):
        with pytest.raises((TypeError, ValueError), match=text):
            call()


def test_trim_overlap_does_not_guess():
    """Blocks of 6, 6 and 6 cells, of which each has all: (1, 1, 4), (1, 4, 1) and more say so."""
    array = np.arange(6)
    for chunks in ((1, 1, 4), (1, 4, 1), (4, 1, 1)):
        x = da.from_array(array, chunks=(chunks,))
        made = overlap(x, 5, "none")
        assert made.chunks == ((6, 6, 6),)
        with pytest.raises(ValueError, match="axis 0.*give chunks="):
            trim_overlap(made, 5, "none")
        again = trim_overlap(made, 5, "none", chunks=(chunks,))
        assert again.chunks == x.chunks and again.compute().tolist() == list(range(6))
        with pytest.raises(ValueError, match="axis 0.*are not those of"):
            trim_overlap(made, 4, "none", chunks=(chunks,))
    x = da.from_array(array, chunks=((2, 1, 1, 2),))
    assert trim_overlap(overlap(x, (2,), None), 2).chunks == x.chunks
    x = da.from_array(array, chunks=((5, 1),))
    for depth, chunks in ((3, (6, 4)), ((0, 2), (6, 1)), ((6, 0), (5, 6))):
        made = overlap(x, {0: depth}, "none")
        assert made.chunks == (chunks,)
        with pytest.raises(ValueError, match="give chunks="):
            trim_overlap(made, {0: depth}, "none")
    with pytest.raises(ValueError, match="give chunks="):
        trim_overlap(da.zeros(4, chunks=2), 2, 0)


@pytest.mark.long
def test_the_picture_of_the_graphs(tmp_path):
    """Of nine chunks that are padded by wrap only the one in the middle is passed on whole."""
    made = tmp_path / "chunks.svg"
    subprocess.run([sys.executable, ROOT / "examples/chunks.py", made], check=True)
    parts = [part.get("class") for part in xml.etree.ElementTree.parse(made).iter()]
    assert parts.count("kept") == 1 + 1  # and the legend's
    assert parts.count("moved") > 30


# ---- dask ----------------------------------------------------------------------------------------


@pytest.mark.long
def test_dasks_own_tests():
    """As installed, with ours in the place of dask's; the plugin says which do not run, and why."""
    module = "dask.array.tests.test_overlap"
    pytest.importorskip(module)
    said = suites.run("overlaps", "--pyargs", module)
    passed, deselected, calls = suites.numbers(said, "passed", "deselected", "times")
    assert passed >= 90 and deselected == 8, said
    assert calls >= passed
