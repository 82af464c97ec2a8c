"""tensorpad.dask.pad: the result is that of the whole array, chunk by chunk."""

import itertools
import pickle
import random
import subprocess
import sys

import numpy as np
import oracle
import pytest

dask = pytest.importorskip("dask")
import dask.array as da  # noqa: E402
import tensorpad  # noqa: E402
import tensorpad.dask  # noqa: E402
from dask.local import get_sync  # noqa: E402

MODES = ["constant", "edge", "reflect", "symmetric", "wrap"]
POLICIES = ["like", "merge", "regular"]
RECORD = np.dtype([("a", ">i2"), ("b", "S3")])
DTYPES = ["u1", ">i4", "f4", "M8[s]", "?", "S3", "U2", "c16", RECORD, object]


@pytest.fixture(autouse=True)
def _one_thread():
    with dask.config.set(scheduler="synchronous"):
        yield


# ---- Two naive definitions -----------------------------------------------------------------------


def expected(array, widths, modes, values, interiors, order):
    """The padded array, cell by cell. values: one constant, or a pair for each axis."""
    maps = [
        [
            oracle.source_index(i, extent, *width, interior, mode, order)
            for i in range(sum(width) + max(0, (extent - 1) * (interior + 1) + 1))
        ]
        for extent, width, mode, interior in zip(array.shape, widths, modes, interiors)
    ]
    numbers = np.arange(array.size).reshape(array.shape)
    made = np.empty([len(one) for one in maps], array.dtype)
    if array.size:
        for axis, one in enumerate(maps):
            numbers = numbers.take([index or 0 for index in one], axis)
        made[...] = array.reshape(-1)[numbers]
    for axis, one in enumerate(maps):
        for i in (i for i, index in enumerate(one) if index is None):
            value = values[axis][i >= max(widths[axis][0], 0)] if np.ndim(values) else values
            made[(slice(None),) * axis + (slice(i, i + 1),)] = np.array(value, array.dtype)
    return made


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
        split = [np.array_split(range(one), max(-(-one // longest), 1)) for one in found]
        found = [len(part) for parts in split for part in parts]
    return tuple(found)


# ---- Comparing -----------------------------------------------------------------------------------


def blocks(made):
    """Every block by its numbers, as the scheduler leaves it."""
    keys = list(itertools.product(*(range(n) for n in made.numblocks)))
    graph = dict(dask.optimize(made)[0].dask) if len(keys) % 2 else dict(made.dask)
    return dict(zip(keys, get_sync(graph, [(made.name, *key) for key in keys])))


def check(made, want):
    """The same type, shape, chunks that fit, every block's shape, and elements."""
    assert made.dtype == want.dtype and made.dtype.str == want.dtype.str
    assert made.shape == want.shape
    starts = [np.cumsum([0, *extents]) for extents in made.chunks]
    for key, block in blocks(made).items():
        cells = tuple(slice(edge[n], edge[n + 1]) for edge, n in zip(starts, key))
        part = want[(*cells, ...)]
        assert type(block) is np.ndarray and block.dtype.str == want.dtype.str
        assert block.shape == part.shape == tuple(s.stop - s.start for s in cells)
        same = (
            block.tolist() == part.tolist()
            if want.dtype.hasobject
            else (block.tobytes() == part.tobytes())
        )
        assert same, key


def sample(rng, shape, dtype):
    """An array of elements that are all different, where the type has as many."""
    numbers = np.arange(1, np.prod(shape, dtype=int) + 1).reshape(shape)
    if dtype is object:
        made = np.empty(shape, object)
        for place in np.ndindex(*shape):
            made[place] = f"object {numbers[place]}"
        return made
    if np.dtype(dtype) == RECORD:
        made = np.empty(shape, RECORD)
        made["a"], made["b"] = numbers, numbers
        return made
    return numbers.astype(dtype, order=rng.choice("CCCF"))


def chunks_of(rng, extent):
    found = []
    while sum(found) < extent:
        found.append(min(rng.choice([1, 1, 2, 3, 5, extent]), extent - sum(found)))
    if rng.random() < 0.1:
        found.insert(rng.randrange(len(found) + 1), 0)
    return tuple(found or [0])


def constants(rng, dtype, rank):
    """One constant, or a pair for each axis, that every one of the types can hold."""
    word = {object: "x", RECORD: (5, "x")}.get(dtype)
    if word is not None or np.dtype(dtype).kind in "SUM":
        return word or (np.datetime64(77, "s") if np.dtype(dtype).kind == "M" else "y")
    if rng.random() < 0.6:
        return rng.randrange(2)
    return [(rng.randrange(100), rng.randrange(100)) for _ in range(rank)]


def random_pad(rng):
    rank = rng.choice([0, 1, 1, 1, 2, 2, 2, 3])
    most = {0: 0, 1: 12, 2: 8, 3: 4}[rank]
    shape = [rng.randint(0 if rng.random() < 0.05 else 1, most) for _ in range(rank)]
    dtype = rng.choice(DTYPES)
    interiors = [0] * rank
    if rng.random() < 0.3:
        interiors = [rng.choice([0, 1, 2]) for _ in range(rank)]
    widths = [
        rng.choice([(0, 0), (0, 3)])
        if rng.random() < 0.2
        else (rng.randint(-2, 3 * most if rank < 3 else 6), rng.randint(-2, most))
        for _ in range(rank)
    ]
    modes = [rng.choice(MODES) for _ in range(rank)]
    if rng.random() < 0.5:
        modes = [rng.choice(MODES)] * rank
    values = constants(rng, dtype, rank)
    if any(interiors) and np.ndim(values) and dtype != RECORD:
        values = 1
    return (
        sample(rng, shape, dtype),
        tuple(chunks_of(rng, extent) for extent in shape),
        widths,
        modes,
        values,
        interiors,
        rng.choice(["window", "crop"]),
    )


@pytest.mark.parametrize("seed", range(10))
def test_random_pads(seed):
    """3,000 in all."""
    rng = random.Random(seed)
    done = refused = 0
    while done < 300:
        array, chunks, widths, modes, values, interiors, order = random_pad(rng)
        policy = rng.choice(POLICIES)
        x = da.from_array(array, chunks)
        words = {"interior": interiors, "order": order, "constant_values": values}
        if array.dtype == RECORD:  # as one element: NumPy would take a tuple for two sides
            words["constant_values"] = np.array(values, RECORD)
        given = (widths, modes) if widths else (0, "constant")
        try:
            made = tensorpad.dask.pad(x, *given, chunks=policy, **words)
        except ValueError as error:
            with pytest.raises(ValueError) as whole:
                tensorpad.pad(array, *given, **words)
            assert str(whole.value) == str(error)
            refused += 1
            continue
        if array.dtype == RECORD:
            values = words["constant_values"][()]
        want = expected(array, widths, modes, values, interiors, order)
        check(made, want)
        assert made.chunks == tuple(
            expected_chunks(*one, policy) for one in zip(chunks, want.shape, widths, interiors)
        )
        done += 1
    assert refused < 100


# ---- Chunks --------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
def test_chunks_that_are_asked_for(mode):
    array = np.arange(70).reshape(7, 10)
    x = da.from_array(array, ((3, 4), (2, 5, 3)))
    want = np.pad(array, ((4, 1), (0, 12)), mode)
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
        made = tensorpad.dask.pad(x, ((4, 1), (0, 12)), mode, chunks=chunks)
        assert made.chunks == expected, chunks
        check(made, want)


def test_crops_that_remove_chunks_and_extents_of_0():
    array = np.arange(10)
    x = da.from_array(array, ((2, 0, 3, 1, 4),))
    for width, mode, chunks, expected in (
        ((-2, 0), "edge", "like", (3, 1, 4)),
        ((-3, -4), "edge", "like", (2, 1)),
        ((-6, 2), "edge", "like", (3, 3)),
        ((-6, 2), "edge", "merge", (6,)),
        ((5, -10), "constant", "like", (3, 2)),
        ((5, -12), "constant", "merge", (3,)),
        ((-10, 0), "constant", "like", (0,)),
        ((-10, 0), "constant", "regular", (0,)),
        ((-4, -6), "edge", "merge", (0,)),
        ((0, 0), "edge", "like", (2, 0, 3, 1, 4)),
        ((0, 0), "edge", "regular", (4, 4, 2)),
    ):
        made = tensorpad.dask.pad(x, width, mode, chunks=chunks)
        assert made.chunks == (expected,), (width, mode, chunks)
        check(made, tensorpad.pad(array, width, mode))
    nothing = da.from_array(np.empty((0, 2), "f4"), ((0, 0), (1, 1)))
    made = tensorpad.dask.pad(nothing, 1)
    assert made.chunks == ((2,), (1, 1, 1, 1))
    check(made, np.zeros((2, 4), "f4"))
    made = tensorpad.dask.pad(nothing, ((0, 0), (1, 1)), "edge", chunks="merge")
    assert made.chunks == ((0, 0), (2, 2))
    check(made, np.empty((0, 4), "f4"))
    with pytest.raises(ValueError, match="can't extend empty axis 0 using modes other than"):
        tensorpad.dask.pad(nothing, 1, "edge")


def test_chunks_that_do_not_fit():
    x = da.ones((4, 4), chunks=2)
    for chunks in ("likes", "regular ", ((1, 2), (6,)), (2, 2, 2), {0: (1, 1)}, {5: 2}, None):
        with pytest.raises(ValueError, match=r"chunks=.* is none of like, merge, regular, nor"):
            tensorpad.dask.pad(x, 1, chunks=chunks)


# ---- Constants -----------------------------------------------------------------------------------

SIDES = [
    7,
    (1, 2),
    [[1, 2]],
    [3],
    ((1, 2), (3, 4), (5, 6)),
    np.array([[1, 2], [3, 4], [5, 6]], "u1"),
]


@pytest.mark.parametrize("values", SIDES, ids=str)
@pytest.mark.parametrize("dtype", ["f4", ">i2", object])
def test_constants_for_sides(values, dtype):
    """As numpy.pad has them: where axes meet the last one counts."""
    array = np.arange(60).reshape(3, 4, 5).astype(dtype)
    x = da.from_array(array, ((1, 2), (4,), (2, 2, 1)))
    widths = ((1, 2), (3, 0), (0, 4))
    for policy in POLICIES:
        made = tensorpad.dask.pad(x, widths, constant_values=values, chunks=policy)
        check(made, np.pad(array, widths, constant_values=values))


def test_constants_by_axes_beside_other_modes_and_crops():
    array = np.arange(20).reshape(4, 5)
    x = da.from_array(array, (2, 3))
    for words in (
        {"axes": 1, "constant_values": (8, 9)},
        {"axes": [1, 0], "constant_values": [(8, 9), (6, 7)]},
        {"mode": ["constant", "wrap"], "constant_values": [(8, 9), (6, 7)]},
        {"mode": {1: "edge"}, "constant_values": (8, 9)},
        {"constant_values": ((1, 2), (3, 4)), "order": "crop"},
    ):
        for widths in ((2, 3), (3, -1), (-2, 6), (7, -5)):
            made = tensorpad.dask.pad(x, widths, **words)
            check(made, tensorpad.pad(array, widths, **words))


# ---- Types ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "dtype", [object, "T", "S0", "V70000", "V3", RECORD, ">M8[D]", ">c16", "?", ">U3"], ids=str
)
def test_types(dtype):
    """Objects, and elements of no bytes or of too many, are moved by NumPy."""
    dtype = np.dtypes.StringDType() if dtype == "T" else np.dtype(dtype)
    array = np.array([b"5", b"6", b"7", b"8", b"9", b"1"])
    array = array.astype("i8") if dtype.kind in "Mc" else array
    if dtype.kind == "V":
        array = np.frombuffer(bytes(range(256)) * 2000, dtype, 6)
    array = array.astype(dtype).reshape(2, 3)
    x = da.from_array(array, (1, (1, 2)), asarray=True)
    for mode in MODES:
        made = tensorpad.dask.pad(x, ((2, 3), (-1, 4)), mode)
        found, want = made.compute(), tensorpad.pad(array, ((2, 3), (-1, 4)), mode)
        assert found.dtype == made.dtype == array.dtype and found.shape == want.shape == made.shape
        assert found.tolist() == want.tolist()
        if not dtype.hasobject:
            assert found.tobytes() == want.tobytes()


def test_more_axes_than_the_engine_has():
    with pytest.raises(ValueError, match="has 17 axes, tensorpad.dask pads at most 16"):
        tensorpad.dask.pad(da.ones((1,) * 17), 1)


def test_one_call_more_than_memory_holds():
    """Nothing is computed, and one chunk of many is."""
    x = da.ones((10**6, 10**6), chunks=(10**4, 10**4), dtype="u1")
    made = tensorpad.dask.pad(x, 300, "wrap")
    assert made.shape == (10**6 + 600,) * 2 and made.nbytes > 10**12
    assert made[:3, -2:].compute().tolist() == [[1, 1]] * 3


# ---- The graph -----------------------------------------------------------------------------------


def tasks(made):
    return dict(dask.optimize(made)[0].dask)


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
    ours, theirs = tensorpad.dask.pad(x, width, mode), da.pad(x, width, mode)
    assert len(tasks(ours)) <= len(tasks(theirs))


def test_what_a_box_depends_on():
    """Its own chunk, and slices of others, which two boxes of one chunk share."""
    x = da.from_array(np.arange(100).reshape(10, 10), 5, name="x")
    made = tensorpad.dask.pad(x, ((1, 1), (0, 0)), "wrap", chunks="merge")
    graph = dict(made.dask)
    corner = graph[(made.name, 0, 0)]
    own, (slice_,) = {("x", 0, 0)} & corner.dependencies, corner.dependencies - {("x", 0, 0)}
    assert own and graph[slice_].dependencies == {("x", 1, 0)}
    piece = graph[slice_]({("x", 1, 0): np.arange(25).reshape(5, 5)})
    assert piece.tolist() == [[20, 21, 22, 23, 24]] and piece.base is None
    split = tensorpad.dask.pad(x, ((1, 1), (0, 0)), "wrap", chunks=((6, 6), (2, 3, 5)))
    graph = dict(split.dask)
    left, right = (graph[(split.name, 0, n)].dependencies - {("x", 0, 0)} for n in (0, 1))
    assert left == right and len(left) == 1
    check(split, np.pad(np.arange(100).reshape(10, 10), ((1, 1), (0, 0)), "wrap"))


def test_chunks_without_padding_are_passed_on():
    x = da.from_array(np.arange(100).reshape(10, 10), (2, 5))
    made = tensorpad.dask.pad(x, ((2, 3), (0, 0)), "reflect", chunks="merge")
    found = blocks(made)
    given = get_sync(dict(x.dask), x.__dask_keys__())
    assert made.numblocks == (5, 2) and not np.shares_memory(found[0, 0], given[0][0])
    same = da.from_array(np.arange(9), 3)
    graph = dict(tensorpad.dask.pad(same, (0, 2), "edge").dask)
    middle = [key for key in graph if key[0] != same.name and key[1:] in ((0,), (1,))]
    block = object()
    assert all(graph[key]({(same.name, key[1]): block}) is block for key in middle)
    assert len(middle) == 2


def test_half_of_a_chunk_is_not_copied_and_less_does_not_keep_it():
    array = np.arange(100).reshape(10, 10)
    x = da.from_array(array, 10, name="x")
    made = tensorpad.dask.pad(x, ((0, 0), (0, 10)), chunks=((10,), (5, 4, 11)))
    graph = dict(made.dask)
    half, less = (graph[(made.name, 0, n)]({("x", 0, 0): array}) for n in (0, 1))
    assert np.shares_memory(half, array) and np.array_equal(half, array[:, :5])
    assert not np.shares_memory(less, array) and np.array_equal(less, array[:, 5:9])


def test_a_graph_of_10000_chunks_is_small():
    """How fast it is made, bench/chunks.py measures."""
    x = da.ones((1000, 1000), chunks=10, dtype="f4")
    made = tensorpad.dask.pad(x, 3, "wrap")
    assert len(made.dask.layers) == len(x.dask.layers) + 1
    own = made.dask.layers[made.name]
    assert len(pickle.dumps(dict(own))) / len(own) < 260


def test_names_tell_pads_apart():
    x = da.from_array(np.arange(6), 3, name="x")
    y = da.from_array(np.arange(6), 3, name="y")
    pads = [
        tensorpad.dask.pad(*given, **words).name
        for given, words in (
            ((x, 1), {}),
            ((y, 1), {}),
            ((x, 2), {}),
            ((x, 1, "edge"), {}),
            ((x, 1), {"constant_values": 3}),
            ((x, 1), {"constant_values": (3, 4)}),
            ((x, 1), {"constant_values": (3, 5)}),
            ((x, 1), {"chunks": 5}),
            ((x, 1), {"interior": 1}),
        )
    ]
    assert len(set(pads)) == len(pads)
    assert tensorpad.dask.pad(x, 1).name == pads[0]


def test_a_graph_can_be_pickled():
    """NumPy makes big-endian arrays native when they are pickled, as the chunks of x here."""
    for dtype, values in ((">f8", (1, 2)), (object, (1, 2)), ("i2", 7)):
        array = np.arange(12).reshape(3, 4).astype(dtype)
        made = tensorpad.dask.pad(da.from_array(array, 2), 3, constant_values=values)
        again = pickle.loads(pickle.dumps(made))
        check(again, np.pad(array, 3, constant_values=values))
        whole = pickle.loads(pickle.dumps(tensorpad.dask.pad(made, ((0, 2), (0, 0)), "edge")))
        check(whole, np.pad(np.pad(array, 3, constant_values=values), ((0, 2), (0, 0)), "edge"))


# ---- tensorpad.pad leads here --------------------------------------------------------------------


def test_tensorpad_pad_leads_here(monkeypatch):
    array = np.arange(12, dtype=">i4").reshape(3, 4)
    x = da.from_array(array, 2)
    want = np.pad(array, 9, "reflect")
    theirs = np.pad(x, 1, "edge")
    assert theirs.name != tensorpad.pad(x, 1, "edge").name  # NumPy leaves it to dask's own
    monkeypatch.setattr(np, "pad", tensorpad.pad)
    for made in (
        tensorpad.pad(x, 9, "reflect"),
        np.pad(x, 9, "reflect"),
        np.pad(x, pad_width=9, mode="reflect", reflect_type="even"),
        tensorpad.pad(x, 9, ["reflect", "reflect"], chunks="regular"),
    ):
        assert isinstance(made, da.Array)
        check(made, want)
    made = tensorpad.pad(
        x, (2, -1), ["constant", "edge"], constant_values=5, interior=1, order="crop", axes=(1, 0)
    )
    check(
        made,
        tensorpad.pad(
            array,
            (2, -1),
            ["constant", "edge"],
            constant_values=5,
            interior=1,
            order="crop",
            axes=(1, 0),
        ),
    )
    assert tensorpad.pad(x, 1, chunks="merge").chunks == ((3, 2), (3, 3))


def test_pad_to():
    array = np.arange(12).reshape(3, 4)
    x = da.from_array(array, 2)
    made, amounts = tensorpad.pad_to(x, multiple=8, axes=1, mode="wrap", return_amounts=True)
    assert isinstance(made, da.Array) and amounts == ((0, 0), (2, 2))
    check(made, tensorpad.pad_to(array, multiple=8, axes=1, mode="wrap"))
    check(
        tensorpad.pad_to(x, (2, 9), too_long="crop_end"),
        tensorpad.pad_to(array, (2, 9), too_long="crop_end"),
    )
    with pytest.raises(TypeError, match="no out= and threads="):
        tensorpad.pad_to(x, 8, threads=2)


# ---- What is refused, when pad is called ---------------------------------------------------------


def test_errors_are_those_of_tensorpad_pad():
    array = np.ones((4, 5))
    x = da.from_array(array, 2)
    for given, words in (
        (((1, 2, 3),), {}),
        ((1.5,), {}),
        (("a",), {}),
        ((1, "mirror"), {}),
        ((1, ["edge"]), {}),
        ((1, ["edge", "mean"]), {}),
        ((-5,), {}),
        (({2: 1},), {}),
        ((1, "edge"), {"constant_values": 3}),
        ((1,), {"constant_values": "many"}),
        ((1,), {"constant_values": (1, 2), "interior": 1}),
        ((1,), {"constant_values": (1, 2, 3)}),
        ((1,), {"interior": -1}),
        ((1,), {"order": "first"}),
        ((1,), {"axes": 2}),
        ((1,), {"axes": (0, 0)}),
        ((1, "wrap"), {"reflect_type": "even"}),
        ((1, "edge"), {"stat_length": 2}),
        ((1, ["edge", "wrap"]), {"reflect_type": "odd"}),
        ((2**62,), {}),
    ):
        with pytest.raises((ValueError, TypeError)) as whole:
            tensorpad.pad(array, *given, **words)
        for pad in (tensorpad.dask.pad, tensorpad.pad):
            with pytest.raises(type(whole.value)) as error:
                pad(x, *given, **words)
            assert str(error.value) == str(whole.value)


def test_arrays_that_are_refused():
    x = da.ones(4, chunks=2)
    with pytest.raises(TypeError, match=r"got ndarray: use tensorpad\.pad, or dask\.array\.from_"):
        tensorpad.dask.pad(np.ones(3), 1)
    masked = da.ma.masked_greater(x, 0)
    with pytest.raises(TypeError, match="of type MaskedArray.*map_blocks"):
        tensorpad.dask.pad(masked, 1)
    with pytest.raises(ValueError, match=r"axis 0: .* unknown: call x\.compute_chunk_sizes\(\)"):
        tensorpad.dask.pad(x[x > 0], 1)
    assert tensorpad.dask.pad(x[x > 0].compute_chunk_sizes(), 1).compute().tolist() == [
        0,
        1,
        1,
        1,
        1,
        0,
    ]
    for words in ({"out": np.ones(6)}, {"threads": 1}):
        with pytest.raises(TypeError, match="no out= and threads="):
            tensorpad.pad(x, 1, **words)
        with pytest.raises(ValueError, match="unsupported keyword arguments"):
            tensorpad.dask.pad(x, 1, **words)
    with pytest.raises(TypeError, match="Delayed.* of dask: only tensorpad.pad"):
        tensorpad.pad(dask.delayed(3), 1)


def run(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout


@pytest.mark.long
def test_dask_in_the_mode_of_expressions_is_refused():
    said = run(
        "import dask\n"
        "dask.config.set({'array.query-planning': True})\n"
        "import dask.array, tensorpad\n"
        "try:\n"
        "    tensorpad.pad(dask.array.ones(4, chunks=2), 1)\n"
        "except TypeError as error:\n"
        "    print(error)\n"
    )
    assert "set dask's configuration array.query-planning to False" in said


def test_without_dask_there_is_an_error_with_the_way_out():
    said = run(
        "import sys\n"
        "sys.modules['dask'] = None\n"
        "try:\n"
        "    import tensorpad.dask\n"
        "except ImportError as error:\n"
        "    print(error)\n"
    )
    assert said == 'tensorpad.dask needs dask: pip install "tensorpad[dask]"\n'


# ---- Modes that compute elements -----------------------------------------------------------------


@pytest.mark.parametrize("mode", ["maximum", "minimum", "empty"])
@pytest.mark.parametrize("dtype", ["f4", ">i4", "u1"])
def test_what_dask_computes_as_numpy_does(mode, dtype):
    array = np.random.default_rng(3).integers(0, 99, (5, 7)).astype(dtype)
    x = da.from_array(array, ((2, 3), (1, 4, 2)))
    for policy in POLICIES:
        made = tensorpad.pad(x, {0: (9, 2), 1: 3}, mode, chunks=policy)
        want = tensorpad.dask.pad(x, {0: (9, 2), 1: 3}, chunks=policy)
        assert made.chunks == want.chunks and made.dtype == array.dtype
        found = made.compute()
        if mode == "empty":
            assert found.shape == (16, 13) and np.array_equal(found[9:-2, 3:-3], array)
        else:
            assert found.tobytes() == np.pad(array, ((9, 2), (3, 3)), mode).tobytes()


def test_what_dask_computes_otherwise_is_refused():
    x = da.arange(6, chunks=2)

    def fill(row, widths, axis, words):
        row[: widths[0]] = 7

    for mode, words, text in (
        ("mean", {}, "mode 'mean' of an array of dask: dask.array.pad rounds otherwise"),
        ("linear_ramp", {}, "rounds otherwise"),
        ("linear_ramp", {"end_values": 2}, "rounds otherwise"),
        ("median", {}, "does not know it"),
        (fill, {}, "mode 'a callable' of an array of dask: dask.array.pad calls it"),
        ("maximum", {"stat_length": 2}, "with stat_length: .*x.compute"),
        ("reflect", {"reflect_type": "odd"}, "mode 'reflect' .* with reflect_type: .*x.compute"),
        ("maximum", {"interior": 1}, "mode 'maximum' is left to dask.array.pad, which has no inte"),
    ):
        with pytest.raises(ValueError, match=text):
            tensorpad.pad(x, 2, mode, **words)
    with pytest.raises(ValueError, match="index can't contain negative values"):
        tensorpad.pad(x, -2, "maximum")
    with pytest.raises(ValueError, match="can't extend empty axis 0"):
        tensorpad.pad(x[:0], 2, "maximum")
