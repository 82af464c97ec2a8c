"""Batches of lists of lists: items of which one has far more lists, NumPy's integers and memoryviews.

SPDX-License-Identifier: MIT
"""

import itertools

import numpy as np
import pytest
import tensorpad


def loop(items, fill=0, dtype=np.int64):
    """The batch as a loop of NumPy makes it."""
    most, longest = (
        max(map(len, items)),
        max((len(one) for item in items for one in item), default=0),
    )
    out = (
        np.full((len(items), most, longest), fill, dtype)
        if fill
        else np.zeros((len(items), most, longest), dtype)
    )
    for i, item in enumerate(items):
        for j, one in enumerate(item):
            out[i, j, : len(one)] = one
    return out


def lengths_of(items):
    most = max(map(len, items))
    return [[[len(item[j]) if j < len(item) else 0] for j in range(most)] for item in items]


def one_has_more(many, items=12, seed=3):
    random = np.random.default_rng(seed)
    made = [
        [
            random.integers(0, 9, random.integers(0, 6)).tolist()
            for _ in range(random.integers(0, 4))
        ]
        for _ in range(items)
    ]
    made[items // 2] = [random.integers(0, 9, random.integers(1, 8)).tolist() for _ in range(many)]
    return made


@pytest.mark.parametrize("many", [40, 3000])
@pytest.mark.parametrize("fill", [0, -1, 7])
@pytest.mark.parametrize("dtype", [None, "u1", "f4"])
def test_one_item_has_far_more_lists(many, fill, dtype):
    if dtype == "u1" and fill < 0:
        fill = 9
    items = one_has_more(many)
    wanted = loop(items, fill, dtype or "i8")
    for threads in (1, 2):
        found, mask, lengths = tensorpad.pad_batch(
            items, constant_values=fill, dtype=dtype, mask=True, lengths=True, threads=threads
        )
        assert found.dtype == wanted.dtype and np.array_equal(found, wanted)
        assert lengths.tolist() == lengths_of(items)
        assert np.array_equal(mask, np.arange(wanted.shape[2]) < lengths)
    out = np.full_like(wanted, 5)
    assert tensorpad.pad_batch(items, constant_values=fill, dtype=dtype, out=out) is out
    assert np.array_equal(out, wanted)
    gaps = np.full((2, *wanted.shape), 5, wanted.dtype)
    tensorpad.pad_batch(items, constant_values=fill, dtype=dtype, out=gaps[0, ::-1])
    assert np.array_equal(gaps[0, ::-1], wanted) and (gaps[1] == 5).all()


@pytest.mark.parametrize("align, too_long, shape", [
    ("end", "error", None), ("center", "error", None), (("end", "start"), "error", None), ("end", "crop_start", (20, 3)),
    ("start", "crop_end", (60, 4)), ("start", "crop_end", (50, 0)), (1, "crop_end", (30, 5))])  # fmt: skip
def test_where_lists_lie(align, too_long, shape):
    """As items that have the missing lists as empty ones, which is padded in another way."""
    items = one_has_more(40)
    aligns = align if isinstance(align, tuple) else (align, align)
    settings = {"align": align, "too_long": too_long, "shape": shape, "constant_values": -1}
    found, mask, lengths = tensorpad.pad_batch(items, **settings, mask=True, lengths=True)
    rows, fit = found.shape[1], tensorpad.pad_to
    for i, item in enumerate(items):
        numbered = fit(
            np.arange(len(item)), rows, align=aligns[0], too_long=too_long, constant_values=-1
        )
        for row, number in enumerate(numbered):
            one = np.array(item[number] if number >= 0 else [], "i8")
            wanted, amounts = fit(
                one,
                found.shape[2],
                align=aligns[1],
                too_long=too_long,
                constant_values=-1,
                return_amounts=True,
            )
            assert np.array_equal(found[i, row], wanted)
            assert (
                lengths[i, row, 0]
                == mask[i, row].sum()
                == len(one) + sum(min(each, 0) for each in amounts[0])
            )


def test_errors_are_those_of_full_items():
    items = one_has_more(40)
    longest = max(range(len(items)), key=lambda i: max(map(len, items[i]), default=0))
    with pytest.raises(ValueError, match=f"^item {longest}, axis 1: 7 cells do not fit into 6"):
        tensorpad.pad_batch(items, shape=(50, 6))
    with pytest.raises(ValueError, match="^item 6, axis 0: 40 cells do not fit into 39"):
        tensorpad.pad_batch(items, shape=(39, 9))
    out = np.full((12, 40, 6), 5)
    with pytest.raises(ValueError):
        tensorpad.pad_batch(items, shape=(40, 6), out=out)
    assert (out == 5).all()


def test_no_item_has_a_list_where_many_are_wanted():
    found, lengths = tensorpad.pad_batch([[[]], []], shape=(30, 2), constant_values=7, lengths=True)
    assert found.shape == (2, 30, 2) and (found == 7).all() and not lengths.any()


# ---- Integers of NumPy, memoryviews --------------------------------------------------------------


INTEGERS = (
    np.int8,
    np.uint8,
    np.int16,
    np.uint16,
    np.int32,
    np.uint32,
    np.int64,
    np.uint64,
    np.longlong,
)
PARTS = [[one(1), one(2)] for one in INTEGERS] + [[1, 2], [True, False], [1.5, 2], [np.float64(0.5)], [np.float32(0.5)],
                                                  [], [np.int64(1), 2], [np.int8(1), 2], [np.int8(1), True],
                                                  [np.uint64(1), 2], [np.int32(1), 2.5], [np.True_]]  # fmt: skip
VIEWS = [
    memoryview(np.arange(3).astype(name)) for name in ("i8", "u1", "i4", "f4", "f8", "?", "u8")
]


def result_type(parts):
    """As numpy.asarray finds it for each list, and numpy.result_type for all of them."""
    types = {np.asarray(part).dtype for part in parts if len(part)}
    return np.result_type(*types) if types else np.dtype(float)


@pytest.mark.parametrize("nested", [False, True])
def test_types_of_integers_of_numpy(nested):
    for parts in itertools.product(PARTS, repeat=2):
        items = [[list(part)] for part in parts] if nested else [list(part) for part in parts]
        found = tensorpad.pad_batch(items)
        assert found.dtype == result_type(parts), parts
        for row, part in zip(found.reshape(2, -1), parts):
            assert (
                row.tolist() == np.asarray([*part, 0, 0][: len(row)]).astype(found.dtype).tolist()
            )


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", ["u1", "i4", "i8", "f4", "f8", "c8", "?", ">i2"])
def test_integers_of_numpy_are_converted_as_numpy_does(dtype):
    for one in (
        np.int64(5),
        np.int64(300),
        np.uint64(2**63),
        np.int8(-1),
        np.timedelta64(3, "s"),
        np.float64(1.5),
    ):
        try:
            wanted = np.asarray([one, 1], dtype)
        except Exception as error:
            with pytest.raises(type(error)):
                tensorpad.pad_batch([[[one, 1]]], dtype=dtype)
            continue
        assert tensorpad.pad_batch([[[one, 1]]], dtype=dtype)[0, 0].tobytes() == wanted.tobytes()


@pytest.mark.parametrize("dtype", [None, "f4", "u1"])
def test_memoryviews_in_place_of_lists(dtype):
    for view, part in itertools.product(VIEWS, PARTS + VIEWS):
        for pair in ((view, part), (part, view)):
            kinds = [np.asarray(one, dtype) if dtype else np.asarray(one) for one in pair]
            wanted = np.dtype(dtype) if dtype else result_type(pair)
            found, lengths = tensorpad.pad_batch([list(pair), [[]]], dtype=dtype, lengths=True)
            assert found.dtype == wanted and lengths.tolist() == [
                [[len(one)] for one in pair],
                [[0], [0]],
            ]
            for row, one in zip(found[0], kinds):
                assert (
                    row[: len(one)].tolist() == one.astype(wanted).tolist()
                    and not row[len(one) :].any()
                )


def test_memoryviews_of_other_shapes_are_refused():
    for view in (memoryview(np.zeros((2, 2))), memoryview(np.zeros(()))):
        with pytest.raises(
            ValueError, match="^item 0, list 1: a list of numbers is wanted, this has [02] axes"
        ):
            tensorpad.pad_batch([[[1], view]])
    with pytest.raises(TypeError, match="^item 0, list 0: NumPy makes elements of type"):
        tensorpad.pad_batch([[memoryview(b"ab").cast("c")]])
