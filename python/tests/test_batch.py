"""pad_batch, unpad_batch and pad_batch_dict: what lists become, lists of lists, outputs, tensors, dicts.
test_random.py has random batches."""

import collections
import itertools
import sys

import fake_torch
import numpy as np
import pytest
import tensorpad
from calls import outcome, same
from fake_torch import Tensor

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
    found = tensorpad.pad_batch([[int(limits.min)], [int(limits.max)]], dtype=dtype)
    assert same(found, np.array([[limits.min], [limits.max]], dtype))
    for number in (int(limits.min) - 1, int(limits.max) + 1):
        for before in ([1] * 700, [1.5], [np.int8(1)]):
            with pytest.raises(OverflowError, match="^item 1: "):
                tensorpad.pad_batch([[0], [*before, number]], dtype=dtype)


@pytest.mark.filterwarnings("ignore:overflow")
@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "g", "F"])
def test_limits_of_floats(dtype):
    numbers = [1e-46, 1.0000001, 65504, 65520, 3.4028235e38, 3.4028236e38, 1e39, -1e300, 16777217]
    numbers += [2**53 + 1, 2**63, -0.0, float("inf"), float("nan"), True]
    found, wanted = tensorpad.pad_batch([numbers, [1]], dtype=dtype)[0], np.asarray(numbers, dtype)
    assert np.array_equal(found, wanted, equal_nan=True)
    assert np.array_equal(np.signbit(found.real), np.signbit(wanted.real))


# Also where NumPy loses something: this is what dtype= means there.
CONVERTED = [
    ([[1.9, -1.9]], "i4"),
    ([["12"], [3]], "i8"),
    ([[None]], "f4"),
    ([[3, 0], [0]], "?"),
    ([[1, 2]], "U3"),
    ([[1]], "M8[s]"),
    ([["a"], ["bc", ""]], "S2"),
]


@pytest.mark.parametrize("lists, dtype", CONVERTED)
def test_lists_become_what_numpy_makes_of_them(lists, dtype):
    found, lengths = tensorpad.pad_batch(lists, dtype=dtype, lengths=True)
    wanted = [np.asarray(one, dtype) for one in lists]
    assert same(tensorpad.unpad_batch(found, lengths), wanted)


def test_items_of_every_kind():
    given = [np.arange(3), [4, 5], (6,), memoryview(np.arange(2)), range(1)]
    given += [np.int64(7).reshape(1), collections.deque([8, 9]), []]
    found, lengths = tensorpad.pad_batch((one for one in given), lengths=True)
    assert lengths.tolist() == [3, 2, 1, 2, 1, 1, 2, 0] and found.dtype == np.int64
    items = [one.tolist() for one in tensorpad.unpad_batch(found, lengths)]
    assert items == [[0, 1, 2], [4, 5], [6], [0, 1], [0], [7], [8, 9], []]
    found = tensorpad.pad_batch(np.arange(6).reshape(2, 3), shape=4)
    assert same(found, np.array([[0, 1, 2, 0], [3, 4, 5, 0]]))
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


@pytest.mark.parametrize("dtype", ["i8", "f4", "i2", ">f8", "D"])
def test_arrays_are_converted_as_numpy_does(dtype):
    given = [np.arange(3, dtype="i4"), np.arange(2, dtype="u1"), [1, 2]]
    found = tensorpad.pad_batch(given, dtype=dtype)
    assert same(found, np.array([[0, 1, 2], [0, 1, 0], [1, 2, 0]], dtype))
    with pytest.raises(TypeError, match="^item 0: Cannot cast array data"):
        tensorpad.pad_batch(given, dtype="u1")


def test_large_batches_on_threads():
    random = np.random.default_rng(23)
    items = [random.integers(0, 99, (int(n), 300)) for n in random.integers(1, 400, 40)]
    words = {"align": "center", "mask": True, "lengths": True}
    wanted = tensorpad.pad_batch(items, threads=1, **words)
    for threads in (None, 2, 3, 10**6):
        assert same([*tensorpad.pad_batch(items, threads=threads, **words)], [*wanted])
    assert same(tensorpad.unpad_batch(wanted[0], wanted[2], align="center"), items)


# ---- Integers of NumPy, memoryviews --------------------------------------------------------------

INTEGERS = [getattr(np, f"{sign}int{bits}") for sign in ("", "u") for bits in (8, 16, 32, 64)]
PARTS = [[one(1), one(2)] for one in (*INTEGERS, np.longlong)]
PARTS += [[1, 2], [True, False], [1.5, 2], [np.float64(0.5)], [np.float32(0.5)], [], [np.True_]]
PARTS += [[np.int64(1), 2], [np.int8(1), 2], [np.int8(1), True], [np.uint64(1), 2]]
PARTS += [[np.int32(1), 2.5]]
VIEWS = [memoryview(np.arange(3).astype(one)) for one in ("i8", "u1", "i4", "f4", "f8", "?", "u8")]


def result_type(parts):
    """As numpy.asarray finds it for each list, and numpy.result_type for all of them."""
    types = {np.asarray(part).dtype for part in parts if len(part)}
    return np.result_type(*types) if types else np.dtype(float)


@pytest.mark.parametrize("nested", [False, True])
def test_types_of_integers_of_numpy(nested):
    for parts in itertools.product(PARTS, repeat=2):
        found = tensorpad.pad_batch([[list(part)] if nested else list(part) for part in parts])
        assert found.dtype == result_type(parts), parts
        for row, part in zip(found.reshape(2, -1), parts):
            wanted = np.asarray([*part, 0, 0][: len(row)]).astype(found.dtype)
            assert row.tolist() == wanted.tolist()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", ["u1", "i4", "i8", "f4", "f8", "c8", "?", ">i2"])
def test_integers_of_numpy_are_converted_as_numpy_does(dtype):
    ones = [np.int64(5), np.int64(300), np.uint64(2**63), np.int8(-1), np.float64(1.5)]
    for one in (*ones, np.timedelta64(3, "s")):
        wanted = outcome(np.asarray, [one, 1], dtype)
        found = outcome(tensorpad.pad_batch, [[[one, 1]]], dtype=dtype)
        assert type(found) is type(wanted)
        assert isinstance(wanted, Exception) or same(found[0, 0], wanted)


@pytest.mark.parametrize("dtype", [None, "f4", "u1"])
def test_memoryviews_in_place_of_lists(dtype):
    for view, part in itertools.product(VIEWS, PARTS + VIEWS):
        for pair in ((view, part), (part, view)):
            kinds = [np.asarray(one, dtype) if dtype else np.asarray(one) for one in pair]
            wanted = np.dtype(dtype) if dtype else result_type(pair)
            found, lengths = tensorpad.pad_batch([list(pair), [[]]], dtype=dtype, lengths=True)
            assert found.dtype == wanted
            assert lengths.tolist() == [[[len(one)] for one in pair], [[0], [0]]]
            for row, one in zip(found[0], kinds):
                assert row[: len(one)].tolist() == one.astype(wanted).tolist()
                assert not row[len(one) :].any()


def test_memoryviews_of_other_shapes_are_refused():
    for view in (memoryview(np.zeros((2, 2))), memoryview(np.zeros(()))):
        with pytest.raises(ValueError, match="^item 0, list 1: a list of numbers .* has [02] axes"):
            tensorpad.pad_batch([[[1], view]])
    with pytest.raises(TypeError, match="^item 0, list 0: NumPy makes elements of type"):
        tensorpad.pad_batch([[memoryview(b"ab").cast("c")]])


# ---- Texts, None and objects ---------------------------------------------------------------------

WORDS = [["a", "bcd"], [], ["ef", "g", "h"]]


@pytest.mark.parametrize("kind", ["lists", "arrays", "objects", "T", "bytes", "lists of lists"])
@pytest.mark.parametrize(
    "words",
    [{}, {"align": "end", "shape": 4}, {"shape": 2, "too_long": "crop_start", "threads": 2},
     {"multiple": 5, "align": "center", "constant_values": "[PAD]"},
     {"constant_values": ["x", "yy", "zzzzz"], "constant_axis": -1}],
    ids=str,
)  # fmt: skip
def test_texts_lie_where_numbers_lie(kind, words):
    """As 1 to 5, which the engine pads itself; 0 or a negative number stands for the constant."""
    texts, numbers = np.array(["", *sum(WORDS, [])], object), [[1, 2], [], [3, 4, 5]]
    nothing = None if kind == "objects" else ""
    constants = words.get("constant_values", nothing)
    listed = constants if isinstance(constants, list) else [constants]
    fill = [-1 - at for at in range(len(listed))] if listed is constants else -1
    made = {
        "lists": lambda: WORDS,
        "arrays": lambda: [np.array(one, "U") for one in WORDS],
        "objects": lambda: [np.array(one, object) for one in WORDS],
        "T": lambda: [np.array(one, np.dtypes.StringDType()) for one in WORDS],
        "bytes": lambda: [[one.encode() for one in each] for each in WORDS],
        "lists of lists": lambda: [[each] for each in WORDS],
    }[kind]()
    numbers = [[each] for each in numbers] if kind == "lists of lists" else numbers
    places, *wanted = tensorpad.pad_batch(
        numbers, mask=True, lengths=True, **words | {"constant_values": fill}
    )
    found, *more = tensorpad.pad_batch(made, mask=True, lengths=True, **words)
    wide = np.concatenate([texts, np.array(listed[::-1], object)])[places]
    if kind == "bytes":
        wide = np.vectorize(str.encode)(wide)
    assert found.tolist() == wide.tolist() and all(map(same, more, wanted))
    wanted_kind = {"objects": "O", "T": "T", "bytes": "S"}.get(kind, "U")
    assert found.dtype.kind == wanted_kind
    if wanted_kind in "SU":
        longest = max(map(len, [*texts, *(one for one in listed if "constant_values" in words)]))
        assert found.dtype == np.dtype((wanted_kind, longest))
    items = tensorpad.unpad_batch(found, more[1], align=words.get("align", "start"))
    assert kind == "lists of lists" or [len(one) for one in items] == more[1].tolist()


@pytest.mark.parametrize(
    "items, dtype, wanted",
    [
        ([[1, 2], None, [3]], "i8", [[1, 2], [0, 0], [3, 0]]),
        ([None, np.ones((1, 2))], "f8", [[[0, 0]], [[1, 1]]]),
        ([[[1], None, [2, 3]], [None, [4]], None], "i8",
         [[[1, 0], [0, 0], [2, 3]], [[0, 0], [4, 0], [0, 0]], [[0, 0]] * 3]),
        ([["a", None], None], "O", [["a", None], [None, None]]),
        ([["a"], np.array([None, 2])], "O", [["a", None], [None, 2]]),
    ],
)  # fmt: skip
def test_none_is_an_item_without_cells_or_an_element_of_objects(items, dtype, wanted):
    found = tensorpad.pad_batch(items)
    assert found.dtype == dtype and found.tolist() == wanted


def test_types_of_texts_that_are_given():
    pad = tensorpad.pad_batch
    assert same(pad([["ab"], ["c", "d"]], dtype=str), np.array([["ab", ""], ["c", "d"]]))
    assert pad([[1, "ab"], [None]], dtype=object).tolist() == [[1, "ab"], [None, None]]
    assert pad([[{}], [{1}, []]], dtype=object, constant_values=0).tolist() == [[{}, 0], [{1}, []]]
    assert pad([[[None, "x"], ["b"]], []], dtype="O").shape == (2, 2, 2)
    assert pad([[12], ["a"]], dtype="T").tolist() == [["12"], ["a"]]
    assert np.isnan(pad([[1, None]], dtype=float)).tolist() == [[False, True]]
    out = np.full((2, 2), 7, object)
    assert pad([["a", None], ["b"]], out=out) is out and out.tolist() == [["a", None], ["b", None]]
    thing = object()
    before = sys.getrefcount(thing)
    made = pad([[thing], [thing, thing]], dtype=object)
    assert sys.getrefcount(thing) == before + 3 and made[0, 1] is None
    del made
    assert sys.getrefcount(thing) == before


def test_texts_and_objects_in_dicts():
    rows = [
        {"id": "abc", "note": None, "words": ["x"], "more": {1: 2}, "ids": [1], "kind": "a"},
        {"id": "d", "note": None, "words": None, "more": {}, "ids": [1, 2], "kind": None},
    ]
    made = tensorpad.pad_batch_dict(rows, dtype={"more": object}, mask="mask")
    assert {key: one.tolist() for key, one in made.items()} == {
        "id": ["abc", "d"], "note": [None, None], "words": [["x"], [""]], "more": [{1: 2}, {}],
        "ids": [[1, 0], [1, 2]], "kind": ["a", None], "mask": [[1], [0]],
    }  # fmt: skip
    found = tensorpad.pad_batch_dict([{"a": 1}, {"a": None}], dtype=float)["a"]
    assert same(found, np.array([1, np.nan]))


# ---- Lists of lists of which one has far more ----------------------------------------------------


def one_has_more(many, items=12, seed=3):
    random = np.random.default_rng(seed)

    def lists(count, least, most):
        return [random.integers(0, 9, random.integers(least, most)).tolist() for _ in range(count)]

    made = [lists(random.integers(0, 4), 0, 6) for _ in range(items)]
    made[items // 2] = lists(many, 1, 8)
    return made


@pytest.mark.parametrize("many", [40, 3000])
@pytest.mark.parametrize("fill", [0, 9, 7])
@pytest.mark.parametrize("dtype", [None, "u1", "f4"])
def test_one_item_has_far_more_lists(many, fill, dtype):
    items = one_has_more(many)
    wanted = np.full((len(items), many, max(len(row) for item in items for row in item)), fill)
    wanted = wanted.astype(dtype or "i8")
    sizes = np.zeros((*wanted.shape[:2], 1), np.int64)
    for i, j in ((i, j) for i, item in enumerate(items) for j in range(len(item))):
        sizes[i, j] = len(items[i][j])
        wanted[i, j, : len(items[i][j])] = items[i][j]
    words = {"constant_values": fill, "dtype": dtype}
    for threads in (1, 2):
        found = tensorpad.pad_batch(items, mask=True, lengths=True, threads=threads, **words)
        assert same([*found], [wanted, np.arange(wanted.shape[2]) < sizes, sizes])
    out = np.full_like(wanted, 5)
    assert tensorpad.pad_batch(items, **words, out=out) is out and same(out, wanted)
    gaps = np.full((2, *wanted.shape), 5, wanted.dtype)
    tensorpad.pad_batch(items, **words, out=gaps[0, ::-1])
    assert np.array_equal(gaps[0, ::-1], wanted) and (gaps[1] == 5).all()


@pytest.mark.parametrize(
    "align, too_long, shape",
    [
        ("end", "error", None),
        ("center", "error", None),
        (("end", "start"), "error", None),
        ("end", "crop_start", (20, 3)),
        ("start", "crop_end", (60, 4)),
        ("start", "crop_end", (50, 0)),
        (1, "crop_end", (30, 5)),
    ],
)
def test_where_lists_lie(align, too_long, shape):
    """As items that have the missing lists as empty ones, which is padded in another way."""
    items = one_has_more(40)
    aligns = align if isinstance(align, tuple) else (align, align)
    words = {"too_long": too_long, "constant_values": -1}
    found, mask, lengths = tensorpad.pad_batch(
        items, align=align, shape=shape, mask=True, lengths=True, **words
    )
    _, rows, columns = found.shape
    for i, item in enumerate(items):
        numbered = tensorpad.pad_to(np.arange(len(item)), rows, align=aligns[0], **words)
        for row, number in enumerate(numbered):
            one = np.array(item[number] if number >= 0 else [], "i8")
            wanted, amounts = tensorpad.pad_to(
                one, columns, align=aligns[1], return_amounts=True, **words
            )
            assert np.array_equal(found[i, row], wanted)
            kept = len(one) + sum(min(each, 0) for each in amounts[0])
            assert lengths[i, row, 0] == mask[i, row].sum() == kept


def test_errors_of_lists_of_lists_are_those_of_full_items():
    items, out = one_has_more(40), np.full((12, 40, 6), 5)
    longest = max(range(len(items)), key=lambda i: max(map(len, items[i]), default=0))
    for words, text in (
        ({"shape": (50, 6)}, f"^item {longest}, axis 1: 7 cells do not fit into 6"),
        ({"shape": (39, 9)}, "^item 6, axis 0: 40 cells do not fit into 39"),
        ({"shape": (40, 6), "out": out}, "^item"),
    ):
        with pytest.raises(ValueError, match=text):
            tensorpad.pad_batch(items, **words)
    assert (out == 5).all()
    found, lengths = tensorpad.pad_batch([[[]], []], shape=(30, 2), constant_values=7, lengths=True)
    assert found.shape == (2, 30, 2) and (found == 7).all() and not lengths.any()


# ---- Outputs -------------------------------------------------------------------------------------


def test_what_is_returned():
    items = [[1, 2], [3]]
    array, mask, lengths = tensorpad.pad_batch(items, mask=True, lengths=True)
    assert isinstance(tensorpad.pad_batch(items), np.ndarray)
    assert all(map(same, tensorpad.pad_batch(items, mask=True), (array, mask)))
    assert all(map(same, tensorpad.pad_batch(items, lengths=True), (array, lengths)))
    assert array.flags.c_contiguous
    assert tensorpad.pad_batch([np.ones((2, 3), order="F")]).flags.c_contiguous
    assert tensorpad.pad_batch([1, 2], lengths=True)[1].shape == (2, 0)


@pytest.mark.parametrize(
    "items, more",
    [
        ([[1, 2, 3], [4]], {"shape": 2}),
        ([[1], [2, 3]], {"shape": 1}),
        ([[1, 2], ["a"]], {}),
        ([np.arange(2), np.arange(2.0)], {}),
        ([np.arange(2), [2**70]], {"dtype": "i8"}),
        ([np.arange(2), []], {"mode": "edge"}),
        ([[1, 2], [3, [4]]], {}),
        ([[1, 2], [3]], {"mask": 1, "constant_values": "x"}),
    ],
    ids=str,
)
def test_nothing_is_written_after_an_error(items, more):
    extent = more.get("shape", 2)
    for memory in (np.full((2, extent), 7), np.full((4, 2 * extent), 7)):
        out = memory[:: len(memory) // 2, :: memory.shape[1] // extent]
        with pytest.raises((TypeError, ValueError, OverflowError)):
            tensorpad.pad_batch(items, **more, out=out)
        assert (memory == 7).all()


def test_out_that_shares_memory_with_an_item():
    memory = np.arange(20)
    out = memory[:8].reshape(2, 4)
    for items, number, into in (
        ([np.arange(4), memory[7:10]], 1, out),
        ([memory[8:12], memory[0:1]], 1, out),
        ([memory[1:3]], 0, memory[:8:2].reshape(1, 4)),
    ):
        with pytest.raises(ValueError, match=f"^item {number} shares memory with out"):
            tensorpad.pad_batch(items, out=into, shape=4)
        assert np.array_equal(memory, np.arange(20))
    assert tensorpad.pad_batch([memory[8:12], memory[12:14]], out=out) is out
    assert memory[:8].tolist() == [8, 9, 10, 11, 12, 13, 0, 0]


@pytest.mark.parametrize(
    "items, shape",
    [
        ([[[1, 2]]], (0, 2)),
        ([[[1, 2]]], (2, 0)),
        ([[1, 2]], (0,)),
        ([np.ones((2, 2), int)], (0, 2)),
    ],
    ids=str,
)
def test_batches_without_cells_write_none(items, shape):
    memory = np.full(50, 7)
    out = memory[20:20].reshape(1, *shape)
    words = {"shape": shape, "too_long": "crop_end", "mask": True, "lengths": True}
    found = tensorpad.pad_batch(items, **words, out=out)
    assert found[0] is out and found[1].shape == out.shape and (memory == 7).all()


def test_lengths_of_lists_and_of_arrays_cannot_be_confused():
    """Two lists for each item, and two axes: the shapes tell them apart."""
    given = [[[1, 2], [3]], [[4], []]]
    of_lists, lengths = tensorpad.pad_batch(given, lengths=True)
    assert lengths.shape == (2, 2, 1)
    lists = [[np.array(row, int) for row in item] for item in given]
    assert same(tensorpad.unpad_batch(of_lists, lengths), lists)
    of_arrays, extents = tensorpad.pad_batch([*of_lists], lengths=True)
    assert extents.shape == (2, 2) and same(of_arrays, of_lists)
    assert same(tensorpad.unpad_batch(of_arrays, extents), [*of_lists])


def test_unpad_batch_gives_views():
    batch = np.arange(12).reshape(2, 2, 3)
    for one in tensorpad.unpad_batch(batch, [[1, 2], [2, 3]], align="end"):
        assert np.shares_memory(one, batch)
    found = tensorpad.unpad_batch(batch, np.array([[1, 2], [2, 2]], "u1"), align=["end", 1])
    assert [one.tolist() for one in found[:1]] == [[[4, 5]]]
    found = tensorpad.unpad_batch(batch, [[1, 2]] * 2, align={-1: "end"})
    assert same(found, [batch[0, :1, 1:], batch[1, :1, 1:]])


# ---- torch ---------------------------------------------------------------------------------------


class Dtype:
    def __init__(self, name):
        self.numpy = np.dtype(name)


@pytest.fixture
def torch(monkeypatch):
    def empty(shape, dtype, memory_format=None):
        shape = (shape,) if isinstance(shape, int) else shape
        return Tensor(np.empty(shape, getattr(dtype, "numpy", dtype)))

    module = fake_torch.module(
        dtype=Dtype,
        from_numpy=Tensor,
        empty=empty,
        contiguous_format="dense",
        can_cast=lambda one, to: np.can_cast(one, to.numpy, "same_kind"),
        **{name: Dtype(name) for name in ("int32", "int64", "float32", "float64")},
    )
    monkeypatch.setitem(sys.modules, "torch", module)
    return module


def test_tensors(torch):
    arrays = [np.arange(3), np.arange(1), np.arange(5)]
    tensors, lists = [Tensor(one) for one in arrays], [one.tolist() for one in arrays]
    words = {"mask": True, "align": "end"}
    wanted = tensorpad.pad_batch(arrays, lengths=True, **words)
    for given in (tensors, [arrays[0], *tensors[1:2], arrays[2]], [lists[0], tensors[1], lists[2]]):
        found = tensorpad.pad_batch(given, lengths=True, **words)
        assert [type(one) for one in found] == [Tensor] * 3
        assert all(same(one.array, other) for one, other in zip(found, wanted))
        items = tensorpad.unpad_batch(found[0], found[2], align="end")
        assert same([one.array for one in items], arrays)
    out = Tensor(np.zeros((3, 5), int))
    found, mask = tensorpad.pad_batch(arrays, out=out, **words)
    assert found is out and type(mask) is Tensor and same(out.array, wanted[0])
    for given in (tensors, arrays, lists):
        for dtype in (torch.float32, torch.int32):
            found = tensorpad.pad_batch(given, dtype=dtype, align="end")
            assert type(found) is Tensor and same(found.array, wanted[0].astype(dtype.numpy))
    found = tensorpad.pad_batch(tensors, dtype="f8", align="end")
    assert type(found) is Tensor and same(found.array, wanted[0].astype("f8"))
    for first, dtype, text in (
        (arrays[0], "i8", "^item 1: float64 is not converted to"),
        (tensors[0], None, "^item 1 has type float64"),
    ):
        with pytest.raises(TypeError, match=text):
            tensorpad.pad_batch([first, Tensor(np.zeros(2))], dtype=dtype)


def test_dicts_of_tensors(torch):
    rows = [{"ids": Tensor(np.arange(n)), "label": Tensor(np.array(n))} for n in (2, 3)]
    made = tensorpad.pad_batch_dict(rows, mask="mask")
    assert {key: (type(one), one.array.tolist()) for key, one in made.items()} == {
        "ids": (Tensor, [[0, 1, 0], [0, 1, 2]]),
        "label": (Tensor, [2, 3]),
        "mask": (Tensor, [[1, 1, 0], [1, 1, 1]]),
    }


# ---- axes, at_most, too_long="crop" --------------------------------------------------------------

PICTURES = [np.ones((3, 9, 9)), np.ones((3, 10, 12))]


def test_axes_that_are_left_out_stay_as_they_are():
    for axes in ((1, 2), (-1, -2), np.array([1, 2])):
        made, mask = tensorpad.pad_batch(PICTURES, axes=axes, multiple=8, mask=True)
        assert made.shape == (2, 3, 16, 16) and np.array_equal(mask, made == 1)
        assert made.sum(axis=(1, 2, 3)).tolist() == [243, 360]
    made = tensorpad.pad_batch(PICTURES, axes=(2, 1), shape=(20, 10), align=("end", 0))
    assert made.shape == (2, 3, 10, 20) and made[0, :, :9, 11:].all() and made[0].sum() == 243
    lists = [[[1, 2], [3, 4]], [[5], []]]
    assert tensorpad.pad_batch(lists, axes=1, shape=3).shape == (2, 2, 3)
    for items, axes, text in (
        ([np.ones((1, 9)), np.ones((3, 9))], 1, "^item 1, axis 0: the extent is 3, item 0 has 1: "),
        ([[[1], [2]], [[3]]], 1, "^item 1, axis 0: the extent is 1, item 0 has 2: "),
        ([[[1, 2], [2]]], 0, "^item 0, axis 1: the extent is 1, item 0 has 2: "),
        ([memoryview(np.ones((2, 2))), [[1.0, 2], [3]]], 0, "^item 1, axis 1: the extent is 1"),
    ):
        with pytest.raises(ValueError, match=text):
            tensorpad.pad_batch(items, axes=axes)


def test_the_longest_item_but_at_most():
    rows = [[1, 2, 3], [4]]
    for words, expected in (
        ({"at_most": 5}, [[1, 2, 3], [4, 0, 0]]),
        ({"at_most": 2, "too_long": "crop_end"}, [[1, 2], [4, 0]]),
        ({"at_most": 2, "too_long": "crop", "align": "end"}, [[2, 3], [0, 4]]),
        ({"at_most": 2, "too_long": "keep"}, [[1, 2, 3], [4, 0, 0]]),
        ({"at_most": 2, "too_long": "crop", "multiple": 4}, [[1, 2, 3, 0], [4, 0, 0, 0]]),
        ({"at_most": [3], "align": 1, "too_long": "crop_end"}, [[0, 1, 2], [0, 4, 0]]),
        ({"at_most": {0: None}}, [[1, 2, 3], [4, 0, 0]]),
    ):
        assert tensorpad.pad_batch(rows, **words).tolist() == expected
    made = tensorpad.pad_batch(PICTURES, axes=(1, 2), at_most=10, too_long="crop")
    assert made.shape == (2, 3, 10, 10)
    for words, text in (
        ({"at_most": 2}, "^item 0, axis 0: 3 cells do not fit into 2"),
        ({"at_most": 2, "shape": 2}, "^an axis takes shape or at_most, not both$"),
        ({"at_most": -1}, "^axis 0: at_most has to be at least 0, got -1"),
    ):
        with pytest.raises(ValueError, match=text):
            tensorpad.pad_batch(rows, **words)
    rows = [{"a": row, "b": row} for row in rows]
    made = tensorpad.pad_batch_dict(rows, at_most={"a": 2}, axes=0, too_long="crop")
    assert made["a"].shape == (2, 2) and made["b"].shape == (2, 3)


def test_crop_is_opposite_to_the_data():
    x = np.arange(5)
    for align, kept in (("start", [0, 1]), ("center", [1, 2]), ("end", [3, 4]), (0, [0, 1])):
        assert tensorpad.pad_to(x, 2, align=align, too_long="crop").tolist() == kept
        assert tensorpad.pad_batch([x], shape=2, align=align, too_long=["crop"]).tolist() == [kept]
        assert tensorpad.pad_to(x, 7, align=align, too_long="crop").size == 7
    assert tensorpad.pad_to(x, [2], align={0: "end"}, too_long={0: "crop"}).tolist() == [3, 4]


# ---- pad_batch_dict ------------------------------------------------------------------------------

ROWS = [
    {"input_ids": [5, 8, 2], "attention_mask": [1, 1, 1], "labels": 1, "weight": 0.5},
    {"input_ids": [7], "attention_mask": [1], "labels": 0, "weight": 2},
]


def test_dicts():
    words = {"constant_values": {"input_ids": 9}, "align": "end", "multiple": 2}
    made = tensorpad.pad_batch_dict(iter(ROWS), dtype={"labels": "f4"}, **words)
    assert {key: (one.dtype.str, one.tolist()) for key, one in made.items()} == {
        "input_ids": ("<i8", [[9, 5, 8, 2], [9, 9, 9, 7]]),
        "attention_mask": ("<i8", [[0, 1, 1, 1], [0, 0, 0, 1]]),
        "labels": ("<f4", [1.0, 0.0]),
        "weight": ("<f8", [0.5, 2.0]),
    }
    columns = {key: [row[key] for row in ROWS] for key in ROWS[0]}
    for given in (columns, collections.UserDict(columns), [collections.UserDict(r) for r in ROWS]):
        again = tensorpad.pad_batch_dict(given, constant_values=0)
        assert list(again) == list(made) and again["input_ids"].tolist() == [[5, 8, 2], [7, 0, 0]]
    made = tensorpad.pad_batch_dict(ROWS, shape=2, too_long="crop_start", constant_values=-1)
    assert made["input_ids"].tolist() == [[8, 2], [7, -1]] and made["labels"].tolist() == [1, 0]
    made = tensorpad.pad_batch_dict([{"x": np.zeros((2, n)), "y": np.float32(n)} for n in (1, 3)])
    assert made["x"].shape == (2, 2, 3) and same(made["y"], np.array([1, 3], "f4"))
    for words in (
        {"constant_values": {"a": 2, "b": 3}},
        {"dtype": {"b": int}},
        {"shape": {"b": 4}},
    ):
        with pytest.raises(ValueError, match="has the key 'b', but the keys of the items are 'a'$"):
            tensorpad.pad_batch_dict([{"a": [1]}, {"a": []}], **words)


def test_sizes_of_dicts_by_key():
    rows = [
        {"a": [1, 2, 3], "b": [4], "c": np.ones((1, 2))},
        {"a": [5], "b": [], "c": np.ones((2, 1))},
    ]
    made = tensorpad.pad_batch_dict(
        rows,
        shape={"a": 2, "c": {1: 3}},
        multiple={"b": 4},
        align={"b": "end", "c": ["start", 1]},
        too_long={"a": "crop_start"},
        mode={"c": ["edge", "constant"]},
        mask="seen",
    )
    assert made["a"].tolist() == [[2, 3], [5, 0]] and made["seen"].tolist() == [[1, 1], [1, 0]]
    assert made["b"].tolist() == [[0, 0, 0, 4], [0] * 4]
    assert made["c"].tolist() == [[[0, 1, 1]] * 2, [[0, 1, 0]] * 2]
    for by_axis in ({0: 4}, {np.int64(-1): 4}, {}):
        made = tensorpad.pad_batch_dict([{"a": [1]}, {"a": [2]}], shape=by_axis)
        assert made["a"].shape == (2, 4 if by_axis else 1)
    with pytest.raises(ValueError, match="key 'a': .*shape has to be at least 0"):
        tensorpad.pad_batch_dict(rows, shape={"a": -1})


def test_masks_of_dicts():
    rows = [{"labels": [1], "input_ids": [5, 8]}, {"labels": [1, 2, 3], "input_ids": [7]}]
    made = tensorpad.pad_batch_dict(rows, mask="seen")
    assert list(made) == ["labels", "input_ids", "seen"]
    assert same(made["seen"], np.array([[1, 1], [1, 0]]))
    for row in rows:
        row["ids"] = row.pop("input_ids")
    assert same(tensorpad.pad_batch_dict(rows, mask="seen")["seen"], np.array([[1, 0, 0], [1] * 3]))
