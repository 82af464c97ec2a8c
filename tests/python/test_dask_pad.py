"""tensorpad.dask.pad: the result is that of the whole array, chunk by chunk."""

import itertools
import pickle
import random

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
        same = block.tolist() == part.tolist() if want.dtype.hasobject else (
            block.tobytes() == part.tobytes()
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
            expected_chunks(*one, policy)
            for one in zip(chunks, want.shape, widths, interiors)
        )
        done += 1
    assert refused < 100
