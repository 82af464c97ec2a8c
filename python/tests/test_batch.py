"""tensorpad.pad_batch and unpad_batch: random batches against an oracle; what lists become."""

import collections
import itertools

import ml_dtypes
import numpy as np
import pytest
import tensorpad
from batch_oracle import TooLong, expected_batch, expected_lists, same

CASES = 2500
MODES = ("constant", "edge", "reflect", "symmetric", "wrap")
CROPS = ("crop_end", "crop_start", "crop_center")
DTYPES = [
    *map(np.dtype, ("?", "i1", "u1", ">i2", "i4", "i8", "u8", "f2", "f4", ">f8", "F", "D")),
    *map(np.dtype, ("M8[s]", "m8[D]", "S3", "U2", "V5", [("a", "i2"), ("b", "f8", 2)])),
    np.dtype(ml_dtypes.bfloat16),
    np.dtype(ml_dtypes.float8_e4m3fn),
]


# ---- Random batches ------------------------------------------------------------------------------


def pick(random, *things):
    return things[int(random.integers(len(things)))]


def random_array(random, dtype, rank):
    """An array of any strides."""
    shape = [int(n) for n in random.integers(0 if random.random() < 0.2 else 1, 7, rank)]
    steps = [pick(random, 1, 1, 2, -1, -2) for _ in shape]
    whole = [extent * abs(step) for extent, step in zip(shape, steps)]
    numbers = random.integers(1, 99, whole)
    if dtype.kind == "V" and dtype.names:
        array = np.zeros(whole, dtype)
        array["a"], array["b"][...] = numbers, numbers[..., None]
    elif dtype.kind == "V" and dtype.type is np.void:
        array = np.ascontiguousarray(numbers.astype("S5")).view(dtype).reshape(whole)
    else:
        array = numbers.astype(dtype)
    order = [int(axis) for axis in random.permutation(rank)]
    back = [order.index(axis) for axis in range(rank)]
    array = array.transpose(order).copy().transpose(back)
    return array[(*(slice(None, None, step) for step in steps), ...)]


def random_wish(random, longest, mode):
    wish = {"shape": None, "multiple": None, "align": "start", "too_long": "error", "mode": mode}
    if random.random() < 0.4:
        wish["shape"] = int(random.integers(0, longest + 4))
    if random.random() < 0.3:
        wish["multiple"] = int(random.integers(1, 6))
    if random.random() < 0.6:
        wish["align"] = pick(random, "start", "center", "end", "end", int(random.integers(-3, 5)))
    if random.random() < 0.7:
        wish["too_long"] = pick(random, *CROPS)
    return wish


def random_wishes(random, shapes, rank):
    longest = [max(shape[axis] for shape in shapes) for axis in range(rank)]
    empty = any(0 in shape for shape in shapes)
    mode = pick(random, "constant", "constant", *MODES)
    modes = [mode] * rank if random.random() < 0.6 else [pick(random, *MODES) for _ in range(rank)]
    return [
        random_wish(random, *one) for one in zip(longest, ["constant"] * rank if empty else modes)
    ]


def arguments_of(random, wishes):
    """Words for all axes at once where they are the same, else lists or dicts."""
    words = {}
    for name in ("shape", "multiple", "align", "too_long", "mode"):
        each = [wish[name] for wish in wishes]
        if len(set(map(repr, each))) == 1 and random.random() < 0.8:
            words[name] = each[0]
        else:
            words[name] = each if random.random() < 0.7 else dict(enumerate(each))
    return words


def random_out(random, shape, dtype):
    """None, or an array of any strides."""
    kind = pick(random, "none", "none", "dense", "fortran", "strided", "backwards")
    if kind == "none":
        return None
    if kind == "strided":
        return np.zeros([2 * extent for extent in shape], dtype)[
            tuple([slice(None, None, 2)] * len(shape))
        ]
    made = np.zeros(shape, dtype, "F" if kind == "fortran" else "C")
    return made[::-1] if kind == "backwards" else made


def check(random, given, expect, wishes, dtype, more={}):
    """Compares a call with what expect() gives or raises."""
    fill = 0 if dtype.kind == "V" else int(random.integers(0, 2))
    words = arguments_of(random, wishes)
    if fill or random.random() < 0.5:
        words["constant_values"] = fill
    try:
        wanted = expect(filler(fill, dtype))
    except TooLong as error:
        item, axis = error.args
        with pytest.raises(ValueError, match=f"^item {item}, axis {axis}: "):
            tensorpad.pad_batch(given, **words, **more)
        return "too long"
    if wanted is None:
        return "nothing"
    batch, mask, lengths, kept = wanted
    out = random_out(random, batch.shape, dtype)
    threads = pick(random, None, 1, 2)
    found = tensorpad.pad_batch(
        given, **words, **more, out=out, mask=True, lengths=True, threads=threads
    )
    for one, other in zip(found, (batch, mask, lengths)):
        assert same(one, other), (given, words, more, one, other)
    assert out is None or found[0] is out
    assert same(tensorpad.pad_batch(given, **words, **more), batch)
    items = tensorpad.unpad_batch(found[0], found[2], align=words["align"])
    assert same(items, kept), (given, words, items, kept)
    return "constant" if {wish["mode"] for wish in wishes} <= {"constant"} else "moved"


def filler(fill, dtype):
    """What NumPy makes of the constant when it is assigned to an element."""
    made = np.empty(1, dtype)
    made[:] = np.int64(fill)
    return made[0]


def test_batches_of_arrays():
    random = np.random.default_rng(20)
    done = collections.Counter()
    for case in range(CASES // 2):
        dtype, rank = DTYPES[case % len(DTYPES)], pick(random, 0, 1, 1, 1, 2, 2, 3, 4)
        count = int(random.integers(1, 9))
        items = [random_array(random, dtype, rank) for _ in range(count)]
        wishes = random_wishes(random, [item.shape for item in items], rank)
        given = pick(random, list, tuple)(items)
        done[
            check(
                random,
                given,
                lambda fill: expected_batch(items, wishes, fill, dtype),
                wishes,
                dtype,
            )
        ] += 1
    assert done["constant"] > 300 and done["moved"] > 200 and done["too long"] > 50, done


def random_list(random, kinds):
    """Plain numbers and others, as Python and NumPy have them."""
    makers = {
        "bool": lambda: bool(random.integers(2)),
        "int": lambda: int(random.integers(-99, 99)),
        "long": lambda: int(random.integers(-(2**62), 2**62)),
        "float": lambda: float(random.normal()),
        "nan": lambda: float("nan"),
        "complex": lambda: complex(*random.normal(size=2)),
        "numpy": lambda: np.int16(random.integers(-99, 99)),
        "single": lambda: np.float32(random.normal()),
    }
    count = int(random.integers(0, 9)) if random.random() < 0.95 else 600
    return [makers[pick(random, *kinds)]() for _ in range(count)]


KINDS = [
    ["bool"],
    ["int"],
    ["int"],
    ["long"],
    ["float"],
    ["int", "float"],
    ["bool", "int"],
    ["bool", "float", "nan"],
    ["int", "complex"],
    ["numpy"],
    ["int", "numpy"],
    ["single"],
    ["single", "long"],
]


def type_of(lists):
    """The type that NumPy finds for all numbers together."""
    return np.asarray([number for one in lists for number in one]).dtype


def test_batches_of_lists():
    random = np.random.default_rng(21)
    done = collections.Counter()
    for case in range(CASES // 4):
        kinds = KINDS[case % len(KINDS)]
        lists = [random_list(random, kinds) for _ in range(int(random.integers(1, 9)))]
        dtype, more = type_of(lists), {}
        if random.random() < 0.5 and dtype.kind in "if" and "long" not in kinds:
            dtype = np.dtype(
                pick(
                    random,
                    *("i4", "i8", "i2", "f4", "f8", "f2", ">i4", ">f8")
                    if dtype.kind == "i"
                    else ("f4", "f8", "f2", ">f4"),
                )
            )
            more["dtype"] = dtype
        items = [np.asarray(one, dtype) for one in lists]
        wishes = random_wishes(random, [item.shape for item in items], 1)
        given = [tuple(one) if random.random() < 0.3 else one for one in lists]
        if "dtype" not in more and random.random() < 0.2:
            given = [np.asarray(one, dtype) if random.random() < 0.5 else one for one in given]
            if all(isinstance(one, np.ndarray) or not len(one) for one in given):
                continue
            dtypes = {type_of([one]) for one in given if len(one)}
            if dtypes != {dtype}:
                continue
        done[
            check(
                random,
                given,
                lambda fill: expected_batch(items, wishes, fill, dtype),
                wishes,
                dtype,
                more,
            )
        ] += 1
    assert done["constant"] > 100 and done["moved"] > 50 and done["too long"] > 20, done


def test_batches_of_lists_of_lists():
    random = np.random.default_rng(22)
    done = collections.Counter()
    for case in range(CASES // 4):
        kinds = KINDS[case % len(KINDS)]
        nested = [
            [random_list(random, kinds)[:7] for _ in range(int(random.integers(0, 5)))]
            for _ in range(int(random.integers(1, 7)))
        ]
        if not any(nested):
            continue
        dtype = type_of(itertools.chain(*nested))
        rows = [len(row) for item in nested for row in item]
        wishes = [
            random_wish(random, max(map(len, nested)), "constant"),
            random_wish(random, max(rows), "constant"),
        ]
        given = [
            item
            if len({*map(len, item)}) != 1 or random.random() < 0.7
            else np.asarray(item, dtype)
            for item in nested
        ]
        if all(isinstance(item, np.ndarray) or not item for item in given):
            continue
        if {type_of(item) for item in given if any(map(len, item))} != {dtype}:
            given = nested
        done[
            check(
                random,
                given,
                lambda fill: expected_lists(nested, wishes, fill, dtype),
                wishes,
                dtype,
            )
        ] += 1
    assert done["constant"] > 200 and done["too long"] > 50, done


# ---- What lists become ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "lists, dtype",
    [
        ([[1, 2], []], "i8"),
        ([[True], [False, True]], "?"),
        ([[True], [2]], "i8"),
        ([[1], [True, 2.5]], "f8"),
        ([[], ()], "f8"),
        ([[[]], []], "f8"),
        ([[1], [2j]], "c16"),
        ([[2**63 - 1], [-(2**63)]], "i8"),
        ([[2**63], [2**64 - 1]], "u8"),
        ([[2**63 + 1, 1], [1]], "u8"),  # NumPy would round them to floats
        ([[1], [2**64 - 1]], "u8"),
        ([[2**63], [-1]], "f8"),
        ([[2**63 - 1, 0.5]], "f8"),
        ([[np.float32(1)], [np.float32(2), np.float32(3)]], "f4"),
        ([[1], [np.int8(3)]], "i8"),
        ([[-0.0, float("inf"), float("-inf"), float("nan"), 5e-324], [1e308]], "f8"),
    ],
    ids=str,
)
def test_types_of_lists_are_those_of_numpy(lists, dtype):
    found = tensorpad.pad_batch(lists, lengths=True)[0]
    assert found.dtype == np.dtype(dtype)
    for one, wanted in zip(found, lists):
        if one.ndim == 1:
            assert same(one[: len(wanted)], np.asarray(wanted, dtype))


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"])
def test_limits_of_integers(dtype):
    limits = np.iinfo(dtype)
    assert same(
        tensorpad.pad_batch([[int(limits.min)], [int(limits.max)]], dtype=dtype),
        np.array([[limits.min], [limits.max]], dtype),
    )
    for number in (int(limits.min) - 1, int(limits.max) + 1):
        for before in ([1] * 700, [1.5], [np.int8(1)]):
            with pytest.raises(OverflowError, match="^item 1: "):
                tensorpad.pad_batch([[0], [*before, number]], dtype=dtype)


@pytest.mark.filterwarnings("ignore:overflow")
@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "g", "F"])
def test_limits_of_floats(dtype):
    numbers = [
        1e-46,
        1.0000001,
        65504,
        65520,
        3.4028235e38,
        3.4028236e38,
        1e39,
        -1e300,
        2**53 + 1,
        2**63,
        -0.0,
        float("inf"),
        float("nan"),
        True,
        16777217,
    ]
    found = tensorpad.pad_batch([numbers, [1]], dtype=dtype)
    assert np.array_equal(found[0], np.asarray(numbers, dtype), equal_nan=True)
    assert np.array_equal(np.signbit(found[0].real), np.signbit(np.asarray(numbers, dtype).real))


def test_lists_become_what_numpy_makes_of_them():
    """Also where NumPy loses something: this is what dtype= means there."""
    for lists, dtype in (
        ([[1.9, -1.9]], "i4"),
        ([["12"], [3]], "i8"),
        ([[None]], "f4"),
        ([[3, 0], [0]], "?"),
        ([[1, 2]], "U3"),
        ([[1]], "M8[s]"),
        ([["a"], ["bc", ""]], "S2"),
    ):
        wanted = [np.asarray(one, dtype) for one in lists]
        found, lengths = tensorpad.pad_batch(lists, dtype=dtype, lengths=True)
        assert same(tensorpad.unpad_batch(found, lengths), wanted)


def test_items_of_every_kind():
    given = [
        np.arange(3),
        [4, 5],
        (6,),
        memoryview(np.arange(2)),
        range(1),
        np.int64(7).reshape(1),
        collections.deque([8, 9]),
        [],
    ]
    found, lengths = tensorpad.pad_batch((one for one in given), lengths=True)
    assert lengths.tolist() == [3, 2, 1, 2, 1, 1, 2, 0] and found.dtype == np.int64
    assert [one.tolist() for one in tensorpad.unpad_batch(found, lengths)] == [
        [0, 1, 2],
        [4, 5],
        [6],
        [0, 1],
        [0],
        [7],
        [8, 9],
        [],
    ]
    assert same(
        tensorpad.pad_batch(np.arange(6).reshape(2, 3), shape=4),
        np.array([[0, 1, 2, 0], [3, 4, 5, 0]]),
    )
    assert same(tensorpad.pad_batch([5, np.int64(6)]), np.array([5, 6]))
    assert tensorpad.pad_batch([np.zeros((0, 3)), []]).shape == (2, 0, 3)
    found = tensorpad.pad_batch([[], np.arange(2, dtype="i2")])
    assert same(found, np.array([[0, 0], [0, 1]], "i2"))
    cube = np.zeros((1, 1, 3), int)
    assert tensorpad.pad_batch([[[[1, 2]], [[3, 4]]], cube]).shape == (2, 2, 1, 3)
    assert same(tensorpad.pad_batch([[np.arange(2), np.arange(2)]]), np.array([[[0, 1], [0, 1]]]))
    batch, lengths = tensorpad.pad_batch([[[1], np.arange(2)], np.ones((1, 3), int)], lengths=True)
    assert batch.tolist() == [[[1, 0, 0], [0, 1, 0]], [[1, 1, 1], [0, 0, 0]]]
    assert lengths.tolist() == [[[1], [2]], [[3], [0]]]


def test_arrays_are_converted_as_numpy_does():
    given = [np.arange(3, dtype="i4"), np.arange(2, dtype="u1"), [1, 2]]
    for dtype in ("i8", "f4", "i2", ">f8", "D"):
        found = tensorpad.pad_batch(given, dtype=dtype)
        assert same(found, np.array([[0, 1, 2], [0, 1, 0], [1, 2, 0]], dtype))
    with pytest.raises(TypeError, match="^item 0: Cannot cast array data"):
        tensorpad.pad_batch(given, dtype="u1")


def test_large_batches_on_threads():
    random = np.random.default_rng(23)
    items = [random.integers(0, 99, (int(n), 300)) for n in random.integers(1, 400, 40)]
    wanted = tensorpad.pad_batch(items, threads=1, align="center", mask=True, lengths=True)
    for threads in (None, 2, 3, 10**6):
        found = tensorpad.pad_batch(items, threads=threads, align="center", mask=True, lengths=True)
        assert all(map(same, found, wanted))
    assert same(tensorpad.unpad_batch(wanted[0], wanted[2], align="center"), items)
