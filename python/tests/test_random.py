"""Random calls against numpy.pad, against slices, and against the naive oracle."""

import collections
import functools
import itertools
import os

import ml_dtypes
import numpy
import oracle
import pytest
import tensorpad
from calls import MODES, outcome, pick, same
from hypothesis import given, settings, strategies as st

QUICK = "TENSORPAD_QUICK" in os.environ  # tests/runners/run.py
CASES = 5000 if QUICK else 20000
WORDS = "? i1 u1 <i2 >u2 <i4 >i4 <i8 u8 f2 >f2 <f4 >f4 <f8 g F >D G M8[ns] <m8[D] S3 U2 >U1 V5 O"
EXOTIC = ("bfloat16", "float8_e4m3fn", "float8_e5m2", "int4", "uint2", "float4_e2m1fn")
EXOTIC += ("float8_e3m4", "float8_e4m3", "float8_e4m3b11fnuz", "float8_e4m3fnuz", "float8_e5m2fnuz")
EXOTIC += ("float8_e8m0fnu", "float6_e2m3fn", "float6_e3m2fn", "int2", "uint4")
DTYPES = [numpy.dtype(word) for word in WORDS.split()]
DTYPES += [numpy.dtype([("a", "i2"), ("b", "f8", 2)]), numpy.dtype([("o", "O"), ("x", "u1")])]
DTYPES += [numpy.dtype(getattr(ml_dtypes, name)) for name in EXOTIC]
COMPUTED = ("linear_ramp", "maximum", "mean", "median", "minimum")
CROPS = ("crop_end", "crop_start", "crop_center")


def random_array(random, dtype, rank=None, least=1, most=6):
    """An array of any layout: transposed, with steps, reversed, Fortran, read-only."""
    rank = int(random.integers(0, 5)) if rank is None else rank
    extents = random.integers(0 if random.random() < 0.2 else least, most, rank)
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
        array = array.copy("F")
    if random.random() < 0.1:
        array.flags.writeable = False
    return array


def random_layout(random, array):
    """The same numbers in memory that is transposed, reversed, or has gaps."""
    steps = [int(random.choice([1, 1, 2, -1, -2])) for _ in array.shape]
    whole = [extent * abs(step) for extent, step in zip(array.shape, steps)]
    backing = numpy.zeros(whole, array.dtype, "F" if random.random() < 0.3 else "C")
    view = backing[(*(slice(None, None, step) for step in steps), ...)]
    view[...] = array
    return view


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


# ---- pad -----------------------------------------------------------------------------------------


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


# ---- pad_adjoint ---------------------------------------------------------------------------------

# The sums of small whole numbers are exact in all of them.
ADDED = [
    *map(numpy.dtype, ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "F", "D")),
    numpy.dtype(ml_dtypes.bfloat16),
]


def scattered(grad, shape, widths, modes, interiors, order):
    """Cell by cell: the number of the element is what an array of numbers shows when it is padded."""
    numbers = numpy.arange(int(numpy.prod(shape))).reshape(shape)
    taken = oracle.pad(numbers, widths, modes, -1, interiors, order)
    sums = numpy.zeros(numbers.size, {"c": "D", "i": "i8", "u": "i8"}.get(grad.dtype.kind, "f8"))
    cells = grad.reshape(-1).astype(sums.dtype)
    for number, cell in zip(taken.reshape(-1), cells):
        if number >= 0:
            sums[number] += cell
    return sums.reshape(shape)


@pytest.mark.share
def test_every_cell_is_added_to_its_element():
    random = numpy.random.default_rng(20261126)
    ran = 0
    for case in range(CASES // 5):
        dtype = ADDED[case % len(ADDED)]
        rank = int(random.integers(0, 4))
        shape = tuple(map(int, random.integers(0 if case % 11 == 0 else 1, 6, rank)))
        widths = [tuple(map(int, random.integers(-3, random.choice([2, 12]), 2))) for _ in shape]
        interiors = [int(random.choice([0, 0, 0, 1, 2])) for _ in shape]
        modes = [str(random.choice(MODES)) for _ in shape]
        words = {"interior": interiors, "order": str(random.choice(["window", "crop"]))}
        try:
            padded = tensorpad.pad_shape(shape, widths or 0, modes, **words)
        except ValueError:
            with pytest.raises(ValueError):
                tensorpad.pad_adjoint(numpy.zeros(1), shape, widths or 0, modes, **words)
            continue
        signed = random.integers(-4 if dtype.kind not in "u" else 0, 5, padded)
        grad = random_layout(random, signed.astype(dtype))
        expected = scattered(grad, shape, widths, modes, interiors, words["order"])
        with numpy.errstate(all="ignore"):
            expected = expected.astype(dtype)
        call = (grad, shape, widths or 0, modes)
        found = tensorpad.pad_adjoint(*call, **words)
        what = (case, dtype, shape, widths, modes, words, grad.strides)
        assert found.dtype == dtype and found.shape == shape, what
        assert numpy.array_equal(found.astype("D"), expected.astype("D")), (what, found, expected)
        out = random_layout(random, numpy.ones(shape, dtype))
        out = out if out.flags.writeable else out.copy()
        assert tensorpad.pad_adjoint(*call, out=out, add=True, **words) is out
        one_more = (expected + numpy.ones((), dtype)).astype(dtype)
        assert numpy.array_equal(out.astype("D"), one_more.astype("D")), what
        assert numpy.array_equal(tensorpad.pad_adjoint(*call, out=out, **words), found)
        ran += 1
    assert ran > CASES // 8


# ---- Constants for each side ---------------------------------------------------------------------


def sided(random, x, widths):
    """Constants as numpy.pad takes them in all their forms."""
    kind = random.integers(7)
    if kind == 0:
        return int(random.integers(100))
    if kind == 1:
        return tuple(int(one) for one in random.integers(0, 100, 2))
    if kind == 2:
        return [[int(one) for one in pair] for pair in random.integers(0, 100, (x.ndim, 2))]
    if kind == 3:
        return random.integers(0, 100, (x.ndim, 1))
    made = numpy.empty((x.ndim, 2), object)
    for axis in range(x.ndim):
        for side in (0, 1):
            # What the side of this axis has: the whole extents of the axes before it.
            shape = [x.shape[k] + (sum(widths[k]) if k < axis else 0) for k in range(x.ndim)]
            shape[axis] = widths[axis][side]
            shape = [extent if random.random() < 0.6 else 1 for extent in shape]
            made[axis, side] = random.integers(0, 100, shape) if random.random() < 0.7 else 5
    return made


@pytest.mark.share
def test_constants_of_each_side_and_arrays_of_them():
    """As numpy.pad spreads them."""
    random = numpy.random.default_rng(8)
    for _ in range(CASES):
        rank = random.integers(1, 4)
        x = random.integers(0, 100, random.integers(0, 5, rank)).astype(
            random.choice(["u1", "f4", "i8"])
        )
        widths = random.integers(0, 4, (rank, 2)).tolist()
        values = sided(random, x, widths)
        wanted = numpy.pad(x, widths, constant_values=values)
        assert same(tensorpad.pad(x, widths, constant_values=values), wanted)


# ---- pad_to --------------------------------------------------------------------------------------

FIT = ("?", "u1", ">i2", "i8", "f2", "f4", ">f8", "D", "M8[s]", "S3", "U2", "O")
FIT = [*map(numpy.dtype, FIT), DTYPES[25], DTYPES[27]]
DEFAULTS = {"shape": None, "multiple": None, "align": "center", "too_long": "error"}


def spelled(random, entries, axes, rank, default):
    """The entries of the chosen axes in one of the spellings; absent if all are the default."""
    given = [entries[axis] for axis in axes]
    if all(one == default for one in given) and random.random() < 0.7:
        return None
    if given and all(one == given[0] and type(one) is type(given[0]) for one in given):
        if random.random() < 0.7:
            is_integer = isinstance(given[0], int)
            return pick(random, int, numpy.int8)(given[0]) if is_integer else given[0]
    form = int(random.integers(4))
    if form == 0:
        return {axis - rank * int(random.integers(2)): entries[axis] for axis in axes}
    if form == 1 and given and all(isinstance(one, int) for one in given):
        return numpy.array(given, ">i8")
    return tuple(given) if form == 2 else given


def random_fit(random, rank, axes):
    """A dict for each axis; that of an axis that is not chosen is all defaults but the align,
    which does not matter for it."""
    requests = [dict(DEFAULTS) for _ in range(rank)]
    same_for_all = random.random() < 0.3
    for number, axis in enumerate(axes):
        if same_for_all and number:
            requests[axis] = dict(requests[axes[0]])
            continue
        requests[axis] = {
            "shape": pick(random, None, *map(int, random.integers(0, 11, 2))),
            "multiple": pick(random, None, None, 1, *map(int, random.integers(2, 9, 2))),
            "align": pick(random, "start", "center", "end", int(random.integers(-4, 6))),
            "too_long": pick(random, "error", "keep", *CROPS, *CROPS),
        }
    return requests


def random_call(random, case):
    """An array, the arguments as one writes them, and what they say axis by axis."""
    dtype = FIT[case % len(FIT)]
    rank = pick(random, 0, 1, 1, 1, 2, 2, 2, 3, 3, 4)
    array = random_array(random, dtype, rank, most=7 if rank < 4 else 4)
    arguments, axes, square = {}, list(range(rank)), None
    if rank and random.random() < 0.4:
        axes = [int(one) for one in random.permutation(rank)[: int(random.integers(0, rank + 1))]]
        arguments["axes"] = [axis - rank * int(random.integers(2)) for axis in axes]
    requests = random_fit(random, rank, axes)
    for word, default in DEFAULTS.items():
        given = spelled(random, [one[word] for one in requests], axes, rank, default)
        if given is not None:
            arguments[word] = given
    if len(axes) > 1 and random.random() < 0.3:
        square = tuple(axes[:2])
        arguments["square"] = pick(random, tuple, list, numpy.array)(square)
    modes = ["constant"] * rank
    for axis in axes:
        modes[axis] = pick(random, *MODES)
    arguments["mode"] = [modes[axis] for axis in axes]
    if random.random() < 0.6 and axes:
        for axis in axes:
            modes[axis] = modes[axes[0]]
        if len(axes) == rank and random.random() < 0.5 and dtype.kind in "uif":
            modes = [pick(random, *COMPUTED)] * rank
        arguments["mode"] = modes[axes[0]]
    return array, arguments, requests, square, modes


def fill_of(dtype, **constant):
    """The element that fills, as NumPy makes it."""
    if dtype.names:
        return numpy.zeros(1, dtype)
    return numpy.pad(numpy.empty(0, dtype), (0, 1), **constant)


def expected_of(array, requests, square, modes, constant):
    extents = oracle.extents_of([array.shape], requests, square)
    begins = oracle.begins_of(array.shape, extents, requests)
    amounts = tuple(
        (begin, extent - begin - length)
        for begin, extent, length in zip(begins, extents, array.shape)
    )
    if modes and modes[0] in COMPUTED:
        if any(min(pair) < 0 for pair in amounts):
            raise ValueError("does not crop")
        return amounts, numpy.pad(array, amounts, modes[0])
    for axis, (pair, mode) in enumerate(zip(amounts, modes)):
        if array.shape[axis] == 0 and sum(pair) > 0 and mode != "constant":
            raise ValueError(f"can't extend empty axis {axis}")
    fill = fill_of(array.dtype, **constant)
    if array.size == 0:
        return amounts, numpy.full(extents, fill[0], array.dtype)
    return amounts, oracle.placed(array, extents, begins, modes, fill)


@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
def test_pad_to_against_numpy_and_slices():
    random = numpy.random.default_rng(18)
    seen = collections.Counter()
    for case in range(2500):
        array, arguments, requests, square, modes = random_call(random, case)
        constant = {}
        if set(modes) <= {"constant"} and array.dtype.kind not in "MV" and random.random() < 0.5:
            constant["constant_values"] = int(random.integers(2))
        what = (case, array.dtype, array.shape, array.strides, arguments, constant)
        call = functools.partial(tensorpad.pad_to, array, **arguments, **constant)
        before = array.tobytes()
        try:
            amounts, expected = expected_of(array, requests, square, modes, constant)
        except oracle.TooLong as error:
            seen["too long"] += 1
            with pytest.raises(ValueError, match=rf"^axis {error.args[1]}: .* not fit into"):
                call()
            continue
        except ValueError as error:
            seen["refused"] += 1
            with pytest.raises(ValueError, match=str(error)):
                call()
            continue
        found, told = call(return_amounts=True)
        assert told == amounts, (what, told, amounts)
        assert same(found, expected), (what, found, expected)
        assert same(call(), expected), what
        seen["computed"] += bool(modes) and modes[0] in COMPUTED
        cropped = [axis for axis, pair in enumerate(amounts) if min(pair) < 0]
        seen["cropped" if cropped else "no crop"] += 1
        if cropped:
            with pytest.raises(ValueError, match=rf"^axis {cropped[0]}: .*cropped are gone"):
                tensorpad.unpad(found, told)
        else:
            inside = tensorpad.unpad(found, told)
            assert same(inside, array), what
            assert inside.size == 0 or numpy.shares_memory(inside, found), what
        if random.random() < 0.3:
            seen["given"] += 1
            whole = numpy.zeros([2 * n for n in expected.shape], expected.dtype)
            out = whole[(*[slice(None, None, -2)] * array.ndim, ...)]
            assert call(out=out) is out and same(out, expected), what
        assert array.tobytes() == before, what
    assert len(seen) == 6 and min(seen.values()) > 80, seen
    assert seen["no crop"] + seen["cropped"] > 1500, seen


# ---- pad_batch -----------------------------------------------------------------------------------

BATCHED = ("?", "i1", "u1", ">i2", "i4", "i8", "u8", "f2", "f4", ">f8", "F", "D", "M8[s]", "m8[D]")
BATCHED = [*map(numpy.dtype, (*BATCHED, "S3", "U2", "V5")), DTYPES[25], *DTYPES[27:29]]
# Of what the numbers of a list are.
KINDS = ["bool", "int", "int", "long", "float", "int float", "bool int", "bool float nan"]
KINDS += ["int complex", "numpy", "int numpy", "single", "single long"]
KINDS = [one.split() for one in KINDS]
MAKERS = {
    "bool": lambda random: bool(random.integers(2)),
    "int": lambda random: int(random.integers(-99, 99)),
    "long": lambda random: int(random.integers(-(2**62), 2**62)),
    "float": lambda random: float(random.normal()),
    "nan": lambda random: float("nan"),
    "complex": lambda random: complex(*random.normal(size=2)),
    "numpy": lambda random: numpy.int16(random.integers(-99, 99)),
    "single": lambda random: numpy.float32(random.normal()),
}


def random_request(random, longest, mode):
    align = pick(random, "start", "center", "end", "end", int(random.integers(-3, 5)))
    return {
        "shape": int(random.integers(0, longest + 4)) if random.random() < 0.4 else None,
        "multiple": int(random.integers(1, 6)) if random.random() < 0.3 else None,
        "align": align if random.random() < 0.6 else "start",
        "too_long": pick(random, *CROPS)
        if random.random() < 0.7
        else pick(random, "error", "keep"),
        "mode": mode,
    }


def random_requests(random, shapes, rank):
    longest = [max(shape[axis] for shape in shapes) for axis in range(rank)]
    mode = pick(random, "constant", "constant", *MODES)
    modes = [mode] * rank if random.random() < 0.6 else [pick(random, *MODES) for _ in range(rank)]
    empty = any(0 in shape for shape in shapes)
    modes = ["constant"] * rank if empty else modes
    return [random_request(random, *one) for one in zip(longest, modes)]


def arguments_of(random, requests):
    """Words for all axes at once where they are the same, else lists or dicts."""
    words = {}
    for name in ("shape", "multiple", "align", "too_long", "mode"):
        each = [one[name] for one in requests]
        words[name] = each if random.random() < 0.7 else dict(enumerate(each))
        if len(set(map(repr, each))) == 1 and random.random() < 0.8:
            words[name] = each[0]
    return words


def random_out(random, shape, dtype):
    """None, or an array of any strides."""
    kind = pick(random, "none", "none", "dense", "fortran", "strided", "backwards")
    if kind == "none":
        return None
    if kind == "strided":
        wide = numpy.zeros([2 * extent for extent in shape], dtype)
        return wide[(*[slice(None, None, 2)] * len(shape),)]
    made = numpy.zeros(shape, dtype, "F" if kind == "fortran" else "C")
    return made[::-1] if kind == "backwards" else made


def check(random, given, expect, items, requests, dtype, more={}):
    """Compares a call with what expect(items, requests, fill, dtype) gives or raises."""
    number = 0 if dtype.kind == "V" else int(random.integers(0, 2))
    fill = numpy.empty(1, dtype)
    fill[:] = numpy.int64(number)
    words = arguments_of(random, requests) | more
    if number or random.random() < 0.5:
        words["constant_values"] = number
    elif dtype.kind in "SU":
        fill[:] = ""
    try:
        wanted = expect(items, requests, fill[0], dtype)
    except oracle.TooLong as error:
        with pytest.raises(ValueError, match="^item {}, axis {}: ".format(*error.args)):
            tensorpad.pad_batch(given, **words)
        return "too long"
    if wanted is None:
        return "nothing"
    *wanted, kept = wanted
    out = random_out(random, wanted[0].shape, dtype)
    threads = pick(random, None, 1, 2)
    found = tensorpad.pad_batch(given, **words, out=out, mask=True, lengths=True, threads=threads)
    assert same([*found], wanted), (given, words, found, wanted)
    assert out is None or found[0] is out
    assert same(tensorpad.pad_batch(given, **words), wanted[0])
    parts = tensorpad.unpad_batch(found[0], found[2], align=words["align"])
    assert same(parts, kept), (given, words, parts, kept)
    return "constant" if {one["mode"] for one in requests} <= {"constant"} else "moved"


def test_batches_of_arrays():
    random, done = numpy.random.default_rng(20), collections.Counter()
    for case in range(1250):
        dtype, rank = BATCHED[case % len(BATCHED)], pick(random, 0, 1, 1, 1, 2, 2, 3, 4)
        items = [random_array(random, dtype, rank, most=7) for _ in range(random.integers(1, 9))]
        requests = random_requests(random, [item.shape for item in items], rank)
        given = pick(random, list, tuple)(items)
        done[check(random, given, oracle.batch, items, requests, dtype)] += 1
    assert done["constant"] > 300 and done["moved"] > 200 and done["too long"] > 50, done


def random_list(random, kinds):
    """Plain numbers and others, as Python and NumPy have them."""
    count = int(random.integers(0, 9)) if random.random() < 0.95 else 600
    return [MAKERS[pick(random, *kinds)](random) for _ in range(count)]


def type_of(lists):
    """The type that NumPy finds for all numbers together."""
    return numpy.asarray([number for one in lists for number in one]).dtype


def test_batches_of_lists():
    random, done = numpy.random.default_rng(21), collections.Counter()
    for case in range(625):
        kinds = KINDS[case % len(KINDS)]
        lists = [random_list(random, kinds) for _ in range(random.integers(1, 9))]
        dtype, more = type_of(lists), {}
        if random.random() < 0.5 and dtype.kind in "if" and "long" not in kinds:
            words = ["f4", "f8", "f2", ">f4"]
            words += ["i4", "i8", "i2", ">i4", ">f8"] if dtype.kind == "i" else []
            dtype = more["dtype"] = numpy.dtype(pick(random, *words))
        items = [numpy.asarray(one, dtype) for one in lists]
        requests = random_requests(random, [item.shape for item in items], 1)
        given = [tuple(one) if random.random() < 0.3 else one for one in lists]
        if not more and random.random() < 0.2:  # some as arrays, if the others tell the same type
            mixed = [numpy.asarray(one, dtype) if random.random() < 0.5 else one for one in given]
            if {type_of([one]) for one in mixed if len(one)} == {dtype} and any(
                len(one) for one in mixed if not isinstance(one, numpy.ndarray)
            ):
                given = mixed
        done[check(random, given, oracle.batch, items, requests, dtype, more)] += 1
    assert done["constant"] > 100 and done["moved"] > 50 and done["too long"] > 20, done


def test_batches_of_lists_of_lists():
    random, done = numpy.random.default_rng(22), collections.Counter()
    for case in range(625):
        kinds = KINDS[case % len(KINDS)]
        nested = [
            [random_list(random, kinds)[:7] for _ in range(random.integers(0, 5))]
            for _ in range(random.integers(1, 7))
        ]
        if not any(nested):
            continue
        dtype = type_of(itertools.chain(*nested))
        longest = max(map(len, nested)), max(len(row) for item in nested for row in item)
        requests = [random_request(random, most, "constant") for most in longest]
        even = [len({*map(len, item)}) == 1 and random.random() < 0.3 for item in nested]
        given = [numpy.asarray(item, dtype) if whole else item for item, whole in zip(nested, even)]
        types = {type_of(item) for item in given if any(map(len, item))}
        if types != {dtype} or not any(item for item, whole in zip(given, even) if not whole):
            given = nested
        done[check(random, given, oracle.batch_of_lists, nested, requests, dtype)] += 1
    assert done["constant"] > 200 and done["too long"] > 50, done
