"""What the tests of tensorpad.dask, tensorpad.zarr and tensorpad.xarray share: random pads of
elements of any type, and their comparison."""

import numpy as np
import tensorpad

MODES = ["constant", "edge", "reflect", "symmetric", "wrap"]
RECORD = np.dtype([("a", ">i2"), ("b", "S3")])
DTYPES = ["u1", ">i4", "f4", "M8[s]", "?", "S3", "U2", ">c16", "V5", RECORD, object]


def elements(shape, dtype):
    """Elements that are all different, where the type has as many."""
    dtype = np.dtype(dtype)
    numbers = np.arange(1, np.prod(shape, dtype=int) + 1)
    if dtype.hasobject:
        made = np.array([f"object {number}" for number in numbers], object).astype(dtype)
    elif dtype.kind == "V":
        made = np.resize(np.arange(251, dtype="u1"), numbers.size * dtype.itemsize).view(dtype)
    elif dtype.kind == "b":
        made = numbers % 3 > 0
    else:
        made = numbers.astype(dtype)
    return made.reshape(shape)


def chunks_of(rng, extent, empty=0.1):
    """Chunks of an axis: of one cell, thin, uneven, and now and then an empty one."""
    found = []
    while sum(found) < extent:
        found.append(min(rng.choice([1, 1, 2, 3, 5, extent]), extent - sum(found)))
    if rng.random() < empty:
        found.insert(rng.randrange(len(found) + 1), 0)
    return tuple(found or [0])


def random_pad(rng, dtypes=DTYPES, most=(12, 12, 8, 4)):
    """An array, and the words of a pad of it. most: extents, by the number of axes."""
    rank = rng.choice([0, 1, 1, 1, 2, 2, 2, 3])
    shape = [rng.randint(rng.random() > 0.05, most[rank]) for _ in range(rank)]
    dtype = np.dtype(rng.choice(dtypes))
    array = elements(shape, dtype)
    if rng.random() < 0.3 and rank:
        array = np.asfortranarray(array)
    widths = [
        rng.choice([(0, 0), (0, 3)])
        if rng.random() < 0.2
        else (rng.randint(-2, 3 * most[rank] if rank < 3 else 6), rng.randint(-2, most[rank]))
        for _ in range(rank)
    ]
    modes = [rng.choice(MODES) for _ in range(rank)]
    if rng.random() < 0.5:
        modes = [rng.choice(MODES)] * rank
    interiors = [rng.choice([0, 1, 2]) if rng.random() < 0.3 else 0 for _ in range(rank)]
    words = {"pad_width": widths, "mode": modes, "interior": interiors}
    if not rank:
        words = {"pad_width": 0}
    if rng.random() < 0.6 or any(interiors) or dtype.kind not in "uifc":
        words["constant_values"] = constant(rng, dtype)
    elif rank:
        words["constant_values"] = [(rng.randrange(100), rng.randrange(100)) for _ in range(rank)]
    words["order"] = rng.choice(["window", "crop"])
    shapes = {key: word for key, word in words.items() if key != "constant_values"}
    out_shape = outcome(tensorpad.pad_shape, shape, **shapes)
    if rank and rng.random() < 0.2 and isinstance(out_shape, tuple):
        axis = rng.randrange(-rank, rank)
        words["constant_values"] = [constant(rng, dtype) for _ in range(out_shape[axis])]
        words["constant_axis"] = axis
    return array, words


def constant(rng, dtype):
    if dtype.names:
        return np.array((5, "7"), dtype)
    other = {"O": "x", "S": "y", "U": "y", "V": np.void(b"bytes"), "M": np.datetime64(77, "s")}
    return other.get(dtype.kind, rng.randrange(2))


def outcome(call, *args, **words):
    """What a call returns, or its error."""
    try:
        return call(*args, **words)
    except (TypeError, ValueError, OverflowError) as error:
        return error


def whole(array, **words):
    """The pad of the whole array, or the error."""
    return outcome(tensorpad.pad, array, **words)


def assert_same(found, wanted, *told):
    """The same type, order of bytes, shape and elements."""
    assert type(found) is type(wanted) is np.ndarray, told
    assert (found.dtype.str, found.shape) == (wanted.dtype.str, wanted.shape), told
    if wanted.dtype.hasobject:
        assert found.tolist() == wanted.tolist(), told
    else:
        assert found.tobytes() == wanted.tobytes(), told
