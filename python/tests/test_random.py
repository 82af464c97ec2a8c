"""Random calls against numpy.pad and against the naive oracle."""

import os

import ml_dtypes
import numpy
import oracle
import pytest
import tensorpad
from hypothesis import given, settings, strategies as st

QUICK = "TENSORPAD_QUICK" in os.environ  # tests/runners/run.py
CASES = 5000 if QUICK else 20000
DTYPES = [
    numpy.dtype(word)
    for word in (
        "?",
        "i1",
        "u1",
        "<i2",
        ">u2",
        "<i4",
        ">i4",
        "<i8",
        "u8",
        "f2",
        ">f2",
        "<f4",
        ">f4",
        "<f8",
        "g",
        "F",
        ">D",
        "G",
        "M8[ns]",
        "<m8[D]",
        "S3",
        "U2",
        ">U1",
        "V5",
        "O",
        [("a", "i2"), ("b", "f8", 2)],
        [("o", "O"), ("x", "u1")],
    )
]
DTYPES += [
    numpy.dtype(kind)
    for kind in (
        ml_dtypes.bfloat16,
        ml_dtypes.float8_e4m3fn,
        ml_dtypes.float8_e5m2,
        ml_dtypes.int4,
        ml_dtypes.uint2,
        ml_dtypes.float4_e2m1fn,
    )
]
MODES = list(tensorpad._core.modes)


def random_array(random, dtype):
    """An array of any layout: transposed, with steps, reversed, Fortran, read-only."""
    rank = int(random.integers(0, 5))
    extents = random.integers(0, 5, rank) if random.random() < 0.2 else random.integers(1, 6, rank)
    shape = tuple(int(extent) for extent in extents)
    steps = [int(random.choice([1, 1, 2, -1, -2])) for _ in shape]
    backing = numpy.empty(tuple(extent * abs(step) for extent, step in zip(shape, steps)), dtype)
    if dtype.hasobject:
        numbers = numpy.arange(backing.size).reshape(backing.shape)
        if dtype.names:
            backing["o"] = numbers.astype("O")
            backing["x"] = numbers.astype("u1")
        else:
            backing[...] = numbers.astype("O")
    elif dtype.kind in "SU":
        backing[...] = random.integers(0, 999, backing.shape).astype("U3").astype(dtype)
    elif dtype.kind in "V" and dtype.itemsize == 5 or dtype.names:
        bytes_of = random.integers(0, 64, (*backing.shape, dtype.itemsize)).astype("u1")
        backing = bytes_of.reshape(-1).view(dtype).reshape(backing.shape)
    else:
        backing[...] = random.integers(0, 2, backing.shape).astype("u1").astype(dtype)
    array = backing[(*(slice(None, None, step) for step in steps), ...)]
    if rank > 1 and random.random() < 0.4:
        array = array.transpose(random.permutation(rank))
    if random.random() < 0.1:
        array = numpy.asfortranarray(array)
    if random.random() < 0.1:
        array.flags.writeable = False
    return array


def random_width(random, rank):
    """An amount in one of NumPy's spellings."""
    top = int(random.choice([2, 4, 15]))
    form = random.integers(0, 6 if rank else 3)  # NumPy trips over no pairs at all
    if form == 0:
        return int(random.integers(0, top))
    if form == 1:
        return tuple(map(int, random.integers(0, top, 2)))
    if form == 2:
        return [tuple(map(int, random.integers(0, top, 2)))]
    if form == 3:
        return random.integers(0, top, (rank, 2))
    if form == 4:
        return {
            int(axis) - rank * int(random.integers(0, 2)): (
                int(random.integers(0, top)),
                int(random.integers(0, top)),
            )
            for axis in random.choice(rank, int(random.integers(0, rank + 1)), replace=False)
        }
    return tuple((int(a), int(b)) for a, b in random.integers(0, top, (rank, 2)))


def random_values(random, rank, dtype):
    if dtype.names or dtype.kind == "V":
        return 0
    one = lambda: int(random.integers(0, 2))
    form = random.integers(0, 4)
    if form == 0:
        return one()
    if form == 1:
        return float(one())
    if form == 2:
        return one(), one()
    return [(one(), one()) for _ in range(rank)] or 0


def same(a, b):
    if a.dtype != b.dtype or a.shape != b.shape or type(a) is not type(b):
        return False
    if a.dtype.hasobject:
        return a.tolist() == b.tolist()
    if a.dtype.char in "gG":  # a long double has bytes that mean nothing
        return numpy.array_equal(a, b)
    return a.tobytes() == b.tobytes()


def outcome(function, *args, **kwargs):
    try:
        return function(*args, **kwargs)
    except Exception as error:
        return error


@pytest.mark.share
def test_random_calls_against_numpy():
    random = numpy.random.default_rng(20261121)
    errors = 0
    for case in range(CASES):
        dtype = DTYPES[case % len(DTYPES)]
        array = random_array(random, dtype)
        mode = str(random.choice(MODES))
        kwargs = {}
        if mode == "constant" and random.random() < 0.6:
            kwargs["constant_values"] = random_values(random, array.ndim, dtype)
        width = random_width(random, array.ndim)
        expected = outcome(numpy.pad, array, width, mode, **kwargs)
        found = outcome(tensorpad.pad, array, width, mode, **kwargs)
        what = (case, dtype, array.shape, array.strides, width, mode, kwargs)
        if isinstance(expected, Exception):
            errors += 1
            assert type(found) is type(expected) and str(found) == str(expected), (what, found)
            continue
        assert not isinstance(found, Exception), (what, found)
        assert same(found, expected), (what, found, expected)
        assert found.flags.f_contiguous == expected.flags.f_contiguous, what
        assert found.flags.c_contiguous == expected.flags.c_contiguous, what
        assert found.flags.owndata and found.flags.writeable, what
    assert 0 < errors < CASES // 10


amount = st.integers(-4, 9)
one_axis = st.tuples(st.integers(0, 5), amount, amount, st.integers(0, 2), st.sampled_from(MODES))


@settings(max_examples=CASES // 13, deadline=None, derandomize=True)
@given(
    axes=st.lists(one_axis, max_size=3),
    order=st.sampled_from(["window", "crop"]),
    dtype=st.sampled_from(["u1", "f2", "f8", "D", "O"]),
    into=st.booleans(),
)
@pytest.mark.share
def test_crops_interiors_and_modes_per_axis(axes, order, dtype, into):
    shape = tuple(axis[0] for axis in axes)
    array = numpy.arange(1, 1 + numpy.prod(shape, dtype=int)).reshape(shape).astype(dtype)
    widths = [(before, after) for _, before, after, _, _ in axes] or 0
    interiors = [axis[3] for axis in axes]
    modes = [axis[4] for axis in axes]
    arguments = dict(constant_values=7, interior=interiors, order=order)
    try:
        out_shape = tensorpad.pad_shape(shape, widths, modes, interior=interiors, order=order)
    except ValueError as error:
        found = outcome(tensorpad.pad, array, widths, modes, **arguments)
        assert type(found) is ValueError and (
            str(found) == str(error) or "can't extend empty axis" in str(found)
        )
        return
    found = outcome(tensorpad.pad, array, widths, modes, **arguments)
    if isinstance(found, ValueError):
        assert "can't extend empty axis" in str(found) and 0 in out_shape
        return
    expected = oracle.pad(array, widths or [], modes, 7, interiors, order)
    assert found.shape == out_shape == expected.shape
    assert found.tolist() == expected.tolist()
    if into:
        whole = numpy.zeros(tuple(2 * extent for extent in out_shape), dtype)
        out = whole[(*(slice(None, None, -2) for _ in out_shape), ...)]
        assert tensorpad.pad(array, widths, modes, out=out, **arguments) is out
        assert out.tolist() == expected.tolist()
        assert numpy.count_nonzero(whole) == numpy.count_nonzero(expected)
