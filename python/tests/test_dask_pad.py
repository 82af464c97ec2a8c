"""tensorpad.dask.pad: the result is that of the whole array, chunk by chunk; its chunks and its
graph. How a pad meets chunks: python/tensorpad/_chunks.py, which knows no dask."""

import itertools
import pickle
import random

import numpy as np
import oracle
import pytest
import suites
from chunked import (
    DTYPES,
    MODES,
    assert_same,
    chunks_of,
    elements,
    outcome,
    random_pad,
    whole,
)

dask = pytest.importorskip("dask")
import dask.array as da  # noqa: E402
import tensorpad.dask  # noqa: E402
from dask.local import get_sync  # noqa: E402
from tensorpad import _chunks  # noqa: E402
from tensorpad.dask import pad  # noqa: E402

POLICIES = ["like", "merge", "regular"]


@pytest.fixture(autouse=True)
def _one_thread():
    with dask.config.set(scheduler="synchronous"):
        yield


def expected_chunks(extents, length, width, interior, policy):
    """The extents of the chunks along an axis of `length` cells, cell by cell."""
    longest = max(extents) or max(length, 1)
    if policy == "regular":
        return tuple(len(range(length)[k : k + longest]) for k in range(0, length or 1, longest))
    if width == (0, 0) and interior == 0:
        return tuple(extents)
    chunk_of = [chunk for chunk, extent in enumerate(extents) for _ in range(extent)] or [0]
    last = (len(chunk_of) - 1) * (interior + 1)
    homes = [chunk_of[min(max(i - width[0], 0), last) // (interior + 1)] for i in range(length)]
    found = [len(list(group)) for _, group in itertools.groupby(homes)] or [0]
    if policy == "like":
        counts = [1 if 10 * one <= 11 * longest else -(-one // longest) for one in found]
        split = [np.array_split(range(one), count) for one, count in zip(found, counts)]
        found = [len(part) for parts in split for part in parts]
    return tuple(found)


def blocks(made):
    """Every block by its numbers, as the scheduler leaves it."""
    keys = list(itertools.product(*(range(n) for n in made.numblocks)))
    graph = dict(dask.optimize(made)[0].dask) if len(keys) % 2 else dict(made.dask)
    return dict(zip(keys, get_sync(graph, [(made.name, *key) for key in keys])))


def check(made, want, *told):
    """The same type and shape, and every block has the cells that the chunks say."""
    assert (made.dtype.str, made.shape) == (want.dtype.str, want.shape), told
    starts = [np.cumsum([0, *extents]) for extents in made.chunks]
    for key, block in blocks(made).items():
        cells = tuple(slice(edge[n], edge[n + 1]) for edge, n in zip(starts, key))
        assert_same(block, want[(*cells, ...)], key, *told)


# ---- Values --------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(10))
def test_random_pads(seed):
    """3,000 in all: the cells, the chunks, and the errors."""
    rng = random.Random(seed)
    done = refused = 0
    while done < 300:
        array, words = random_pad(rng)
        chunks = tuple(chunks_of(rng, extent) for extent in array.shape)
        policy = rng.choice(POLICIES)
        want = whole(array, **words)
        made = outcome(pad, da.from_array(array, chunks), **words, chunks=policy)
        if isinstance(want, ValueError):
            assert str(made) == str(want), words
            refused += 1
            continue
        check(made, want, words, chunks)
        axes = zip(chunks, want.shape, words["pad_width"] or [], words.get("interior", ()))
        assert made.chunks == tuple(expected_chunks(*axis, policy) for axis in axes)
        done += 1
    assert refused < 100


@pytest.mark.parametrize("dtype", [*DTYPES, "T", "S0", "V70000", ">M8[D]", ">U3"], ids=str)
def test_types(dtype):
    """Objects, and elements of no bytes or of too many, are moved by NumPy."""
    array = elements((2, 3), np.dtypes.StringDType() if dtype == "T" else dtype)
    x = da.from_array(array, (1, (1, 2)), asarray=True)
    for mode in MODES:
        found = pad(x, ((2, 3), (-1, 4)), mode).compute()
        assert_same(found, tensorpad.pad(array, ((2, 3), (-1, 4)), mode))


# ---- Chunks --------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
def test_chunks_that_are_asked_for(mode):
    array = np.arange(70).reshape(7, 10)
    x = da.from_array(array, ((3, 4), (2, 5, 3)))
    for chunks, expected in (
        (5, ((5, 5, 2), (5, 5, 5, 5, 2))),
        ((4, -1), ((4, 4, 4), (22,))),
        (((5, 7), (20, 2)), ((5, 7), (20, 2))),
        ({1: 11}, ((4, 3, 3, 2), (11, 11))),
        ({-1: -1, 0: (1, 11)}, ((1, 11), (22,))),
        ({}, ((4, 3, 3, 2), (2, 5, 5, 5, 5))),
        ("auto", ((12,), (22,))),
        ("like", ((4, 3, 3, 2), (2, 5, 5, 5, 5))),
        ("merge", ((7, 5), (2, 5, 15))),
        ("regular", ((4, 4, 4), (5, 5, 5, 5, 2))),
    ):
        made = pad(x, ((4, 1), (0, 12)), mode, chunks=chunks)
        assert made.chunks == expected, chunks
        check(made, np.pad(array, ((4, 1), (0, 12)), mode))


def test_extents_of_0():
    nothing = da.from_array(np.empty((0, 2), "f4"), ((0, 0), (1, 1)))
    made = pad(nothing, 1)
    assert made.chunks == ((2,), (1, 1, 1, 1))
    check(made, np.zeros((2, 4), "f4"))
    made = pad(nothing, ((0, 0), (1, 1)), "edge", chunks="merge")
    assert made.chunks == ((0, 0), (2, 2))
    check(made, np.empty((0, 4), "f4"))


def test_one_call_more_than_memory_holds():
    """Nothing is computed, and one chunk of many is."""
    x = da.ones((10**6, 10**6), chunks=(10**4, 10**4), dtype="u1")
    made = pad(x, 300, "wrap")
    assert made.shape == (10**6 + 600,) * 2 and made.nbytes > 10**12
    assert made[:3, -2:].compute().tolist() == [[1, 1]] * 3


# ---- The graph -----------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "shape, chunks, width",
    [
        ((20000, 20000), 1000, 10),
        ((600, 600, 600), 100, 4),
        ((20000, 20000), (20000, 100), 10),
        ((20000, 20000), 1000, 1500),
    ],
)
def test_there_are_no_more_tasks_than_dasks_own_pad_has(mode, shape, chunks, width):
    x = da.ones(shape, chunks=chunks, dtype="f4")
    ours, theirs = (
        len(dict(dask.optimize(made(x, width, mode))[0].dask)) for made in (pad, da.pad)
    )
    assert ours <= theirs


def test_what_a_box_depends_on():
    """Its own chunk, and slices of others, which two boxes of one chunk share."""
    array = np.arange(100).reshape(10, 10)
    x = da.from_array(array, 5, name="x")
    made = pad(x, ((1, 1), (0, 0)), "wrap", chunks="merge")
    graph = dict(made.dask)
    corner = graph[(made.name, 0, 0)]
    own, (slice_,) = {("x", 0, 0)} & corner.dependencies, corner.dependencies - {("x", 0, 0)}
    assert own and graph[slice_].dependencies == {("x", 1, 0)}
    piece = graph[slice_]({("x", 1, 0): np.arange(25).reshape(5, 5)})
    assert piece.tolist() == [[20, 21, 22, 23, 24]] and piece.base is None
    split = pad(x, ((1, 1), (0, 0)), "wrap", chunks=((6, 6), (2, 3, 5)))
    graph = dict(split.dask)
    left, right = (graph[(split.name, 0, n)].dependencies - {("x", 0, 0)} for n in (0, 1))
    assert left == right and len(left) == 1
    check(split, np.pad(array, ((1, 1), (0, 0)), "wrap"))


def test_what_is_passed_on_and_what_is_copied():
    """A chunk that stays, and half of one, are not copied; less does not keep the chunk alive."""
    same = da.from_array(np.arange(9), 3)
    graph = dict(pad(same, (0, 2), "edge").dask)
    middle = [key for key in graph if key[0] != same.name and key[1:] in ((0,), (1,))]
    block = object()
    assert [graph[key]({(same.name, key[1]): block}) for key in middle] == [block, block]
    x = da.from_array(np.arange(100).reshape(10, 10), (2, 5))
    corner = blocks(pad(x, ((2, 3), (0, 0)), "reflect", chunks="merge"))[0, 0]
    assert not np.shares_memory(corner, get_sync(dict(x.dask), (x.name, 0, 0)))
    array = np.arange(100).reshape(10, 10)
    made = pad(da.from_array(array, 10, name="x"), ((0, 0), (0, 10)), chunks=((10,), (5, 4, 11)))
    half, less = (dict(made.dask)[(made.name, 0, n)]({("x", 0, 0): array}) for n in (0, 1))
    assert np.shares_memory(half, array) and np.array_equal(half, array[:, :5])
    assert not np.shares_memory(less, array) and np.array_equal(less, array[:, 5:9])


def test_a_graph_of_10000_chunks_is_small():
    x = da.ones((1000, 1000), chunks=10, dtype="f4")
    made = pad(x, 3, "wrap")
    assert len(made.dask.layers) == len(x.dask.layers) + 1
    own = made.dask.layers[made.name]
    assert len(pickle.dumps(dict(own))) / len(own) < 260


def test_names_tell_pads_apart():
    x, y = (da.from_array(np.arange(6), 3, name=name) for name in "xy")
    words = {}, {"constant_values": 3}, {"constant_values": (3, 4)}, {"constant_values": (3, 5)}
    words += {"chunks": 5}, {"interior": 1}, {"mode": "edge"}, {"pad_width": 2}
    names = [pad(x, **{"pad_width": 1} | each).name for each in words] + [pad(y, 1).name]
    assert len(set(names)) == len(names) and pad(x, 1).name == names[0]


def test_a_graph_can_be_pickled():
    """NumPy makes big-endian arrays native when they are pickled, as the chunks of x here."""
    for dtype, values in ((">f8", (1, 2)), (object, (1, 2)), ("i2", 7)):
        array = np.arange(12).reshape(3, 4).astype(dtype)
        made = pad(da.from_array(array, 2), 3, constant_values=values)
        want = np.pad(array, 3, constant_values=values)
        check(pickle.loads(pickle.dumps(made)), want)
        again = pickle.loads(pickle.dumps(pad(made, ((0, 2), (0, 0)), "edge")))
        check(again, np.pad(want, ((0, 2), (0, 0)), "edge"))


# ---- tensorpad.pad leads here --------------------------------------------------------------------


def test_tensorpad_pad_leads_here(monkeypatch):
    array = np.arange(12, dtype=">i4").reshape(3, 4)
    x = da.from_array(array, 2)
    theirs = np.pad(x, 1, "edge")
    assert theirs.name != tensorpad.pad(x, 1, "edge").name  # NumPy leaves it to dask's own
    monkeypatch.setattr(np, "pad", tensorpad.pad)
    for made in (
        tensorpad.pad(x, 9, "reflect"),
        np.pad(x, 9, "reflect"),
        np.pad(x, pad_width=9, mode="reflect", reflect_type="even"),
        tensorpad.pad(x, 9, ["reflect", "reflect"], chunks="regular"),
    ):
        check(made, tensorpad.pad(array, 9, "reflect"))
    words = {"constant_values": 5, "interior": 1, "order": "crop", "axes": (1, 0)}
    made = tensorpad.pad(x, (2, -1), ["constant", "edge"], **words)
    check(made, tensorpad.pad(array, (2, -1), ["constant", "edge"], **words))
    assert tensorpad.pad(x, 1, chunks="merge").chunks == ((3, 2), (3, 3))


def test_pad_to():
    array = np.arange(12).reshape(3, 4)
    x = da.from_array(array, 2)
    made, amounts = tensorpad.pad_to(x, multiple=8, axes=1, mode="wrap", return_amounts=True)
    assert amounts == ((0, 0), (2, 2))
    check(made, tensorpad.pad_to(array, multiple=8, axes=1, mode="wrap"))
    check(*(tensorpad.pad_to(each, (2, 9), too_long="crop_end") for each in (x, array)))
    with pytest.raises(TypeError, match="no out= and threads="):
        tensorpad.pad_to(x, 8, threads=2)


# ---- What is refused, when pad is called ---------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        {"pad_width": (1, 2, 3)}, {"pad_width": 1.5}, {"pad_width": "a"}, {"pad_width": -5},
        {"pad_width": {2: 1}}, {"pad_width": 2**62}, {"mode": "mirror"}, {"mode": ["edge"]},
        {"mode": ["edge", "mean"]}, {"mode": "edge", "constant_values": 3}, {"order": "first"},
        {"constant_values": "many"}, {"constant_values": (1, 2), "interior": 1}, {"axes": 2},
        {"constant_values": (1, 2, 3)}, {"interior": -1}, {"axes": (0, 0)},
        {"mode": "edge", "stat_length": 2}, {"mode": ["edge", "wrap"], "reflect_type": "odd"},
        {"mode": "wrap", "reflect_type": "even"},
    ],
    ids=str,
)  # fmt: skip
def test_errors_are_those_of_tensorpad_pad(words):
    array = np.ones((4, 5))
    words = {"pad_width": 1} | words
    error = whole(array, **words)
    for call in (pad, tensorpad.pad):
        other = outcome(call, da.from_array(array, 2), **words)
        assert isinstance(error, (TypeError, ValueError))
        assert (type(other), str(other)) == (type(error), str(error))


def fill(row, widths, axis, words):
    row[: widths[0]] = row.sum() + axis
    row[len(row) - widths[1] :] = words["last"]


SIX, ONES = da.arange(6, chunks=2), da.ones((4, 4), chunks=2)
FEW = da.ones(4, chunks=2)
NO_CHUNKS = r"chunks=.* is none of like, merge, regular, nor"


@pytest.mark.parametrize(
    "x, words, error, text",
    [
        *((ONES, {"chunks": chunks}, ValueError, NO_CHUNKS) for chunks in (
            "likes", "regular ", ((1, 2), (6,)), (2, 2, 2), {0: (1, 1)}, {5: 2}, None)),
        (np.ones(3), {}, TypeError, r"got ndarray: use tensorpad\.pad, or dask\.array\.from_"),
        (da.ma.masked_greater(FEW, 0), {}, TypeError, "of type MaskedArray.*map_blocks"),
        (FEW[FEW > 0], {}, ValueError, r"axis 0: .* unknown: call x\.compute_chunk_sizes\(\)"),
        (FEW, {"out": np.ones(6)}, ValueError, "unsupported keyword arguments"),
        (FEW, {"threads": 1}, ValueError, "unsupported keyword arguments"),
        (da.ones((1,) * 17), {}, ValueError, "has 17 axes, tensorpad.dask pads at most 16"),
        (SIX, {"mode": "mean", "stat_length": 0}, ValueError, "stat_length of 0 yields no value"),
        (SIX, {"mode": "median", "end_values": 2}, ValueError, "unsupported keyword .* 'median'"),
        (SIX, {"mode": "median", "stat_length": -1}, ValueError, "can't contain negative values"),
        (SIX, {"mode": "maximum", "constant_axis": 0}, ValueError, "for modes that move elements"),
        (SIX, {"mode": "maximum", "interior": 1}, ValueError, "is left to NumPy.* no interior"),
        (SIX, {"mode": "maximum", "pad_width": -2}, ValueError, "contain negative values"),
        (SIX[:0], {"mode": "maximum"}, ValueError, "can't extend empty axis 0"),
        (SIX[:0], {"mode": "edge"}, ValueError, "can't extend empty axis 0 using modes other than"),
    ],
)  # fmt: skip
def test_what_is_refused(x, words, error, text):
    with pytest.raises(error, match=text):
        pad(x, **{"pad_width": 1} | words)


def test_what_tensorpad_pad_does_not_hand_on():
    for words in ({"out": np.ones(6)}, {"threads": 1}):
        with pytest.raises(TypeError, match="no out= and threads="):
            tensorpad.pad(FEW, 1, **words)
    with pytest.raises(TypeError, match="Delayed.* of dask: only tensorpad.pad"):
        tensorpad.pad(dask.delayed(3), 1)
    assert pad(FEW[FEW > 0].compute_chunk_sizes(), 1).compute().tolist() == [0, 1, 1, 1, 1, 0]


@pytest.mark.long
def test_dask_in_the_mode_of_expressions_is_refused():
    said = suites.error_of(
        "import dask\n"
        "dask.config.set({'array.query-planning': True})\n"
        "import dask.array, tensorpad\n"
        "tensorpad.pad(dask.array.ones(4, chunks=2), 1)\n"
    )
    assert "set dask's configuration array.query-planning to False" in said


@pytest.mark.parametrize(
    "name, said",
    [
        (name, f'needs {name}: pip install "tensorpad[{name}]"')
        for name in ("dask", "zarr", "xarray")
    ],
)
def test_a_package_that_is_missing_is_named(name, said):
    code = f"import sys\nsys.modules[{name!r}] = None\nimport tensorpad.{name}"
    assert suites.error_of(code) == f"ImportError: tensorpad.{name} {said}"


# ---- Modes that compute elements -----------------------------------------------------------------


@pytest.mark.parametrize("mode", ["maximum", "minimum", "empty"])
@pytest.mark.parametrize("dtype", ["f4", ">i4", "u1"])
def test_what_dask_computes_as_numpy_does(mode, dtype):
    array = np.random.default_rng(3).integers(0, 99, (5, 7)).astype(dtype)
    x = da.from_array(array, ((2, 3), (1, 4, 2)))
    for policy in POLICIES:
        made = tensorpad.pad(x, {0: (9, 2), 1: 3}, mode, chunks=policy)
        want = pad(x, {0: (9, 2), 1: 3}, chunks=policy)
        assert made.chunks == want.chunks and made.dtype == array.dtype
        found = made.compute()
        if mode == "empty":
            assert found.shape == (16, 13) and np.array_equal(found[9:-2, 3:-3], array)
        else:
            assert_same(found, np.pad(array, ((9, 2), (3, 3)), mode))


def computed_call(draw):
    """A mode that computes elements, and its keywords."""
    mode = draw.choice(["linear_ramp", "mean", "median", "maximum", "minimum", "reflect",
                        "symmetric", fill])  # fmt: skip
    if mode == "linear_ramp":
        return mode, draw.choice([{}, {"end_values": 5}, {"end_values": (1.5, -2)}])
    if mode in ("reflect", "symmetric"):
        return mode, {"reflect_type": "odd"}
    if mode is fill:
        return mode, {"last": 3}
    return mode, draw.choice([{}, {"stat_length": 1}, {"stat_length": (3, 4)}, {"stat_length": 50}])


@pytest.mark.filterwarnings("ignore")  # overflows of float16 and of integers
@pytest.mark.parametrize("seed", range(4))
def test_what_numpy_computes_chunk_by_chunk(seed):
    """The same bytes, also of sums and ramps, which NumPy rounds in an order of its own."""
    draw, numbers = random.Random(seed), np.random.default_rng(seed)
    for _ in range(30):
        shape = [draw.choice([1, 2, 3, draw.randint(1, 12)]) for _ in range(draw.randint(1, 3))]
        dtype = draw.choice(["f2", "f4", "f8", ">f8", "i4", ">i4", "u1", "i8", "c8"])
        array = (numbers.standard_normal(shape) * draw.choice([1, 100])).astype(dtype)
        widths = [(draw.choice([0, 1, 3, 20]), draw.choice([0, 1, 9, 20])) for _ in shape]
        mode, words = computed_call(draw)
        x = da.from_array(array, tuple(chunks_of(draw, extent) for extent in shape))
        policy = draw.choice(POLICIES)
        made = tensorpad.pad(x, widths, mode, chunks=policy, **words)
        assert made.chunks == pad(x, widths, chunks=policy).chunks
        check(made, np.pad(array, widths, mode, **words), mode, words, widths, x.chunks)


@pytest.mark.parametrize("shape", [(1000, 2), (3, 1000, 2), (1000, 1), (2, 1000)], ids=str)
def test_sums_are_rounded_as_in_the_whole_array(shape):
    """NumPy adds row to row where an axis of several cells follows, and else pairs."""
    array = np.random.default_rng(1).standard_normal(shape).astype("f4")
    axis = shape.index(1000)
    for words in ({}, {"stat_length": 900}):
        made = pad(
            da.from_array(array, [1 if one != axis else 250 for one in range(len(shape))]),
            {axis: 2},
            "mean",
            chunks="merge",
            **words,
        )
        widths = [(2 * (one == axis),) * 2 for one in range(len(shape))]
        assert_same(made.compute(), np.pad(array, widths, "mean", **words))


def test_what_is_read_for_cells_that_are_computed():
    """The chunks next to the pads only, and of a callable whole lanes."""
    array = np.arange(400.0).reshape(20, 20) ** 2
    x = da.from_array(array, 5, name="x")
    for mode, words, chunks in (
        ("linear_ramp", {}, 4), ("mean", {"stat_length": 7}, 2), ("median", {}, 4),
        ("reflect", {"reflect_type": "odd"}, 2), (fill, {"last": 1}, 4),
    ):  # fmt: skip
        made = pad(x, {0: (4, 0)}, mode, chunks="merge", **words)
        corner = made[:4, :5]
        read = {key for key in dask.optimize(corner)[0].dask if key[0] == "x"}
        assert len(read) <= chunks, (mode, read)
        assert_same(corner.compute(), np.pad(array, ((4, 0), (0, 0)), mode, **words)[:4, :5])
    assert np.pad(da.ones(3, chunks=1), 2, "reflect", reflect_type="odd").shape == (7,)


# ---- _chunks --------------------------------------------------------------------------------------


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
