"""Errors of tensorpad.pad_batch, and items that change while they are read."""

import threading

import ml_dtypes
import numpy as np
import pytest
import tensorpad

# ---- Errors of pad_batch -------------------------------------------------------------------------


def recursive():
    own = [1]
    own.append(own)
    return own


def deep(levels):
    made = 1
    for _ in range(levels):
        made = [made]
    return made


class Breaks:
    def __array__(self, dtype=None, copy=None):
        raise ZeroDivisionError("broken")


F4 = np.zeros(2, "f4")
ERRORS = [
    ([[1], [2, 3]], {"shape": 1}, ValueError, "^item 1, axis 0: 2 cells do not fit into 1"),
    ([np.zeros((1, 5))], {"shape": (2, 4)}, ValueError, "^item 0, axis 1: 5 cells do not fit"),
    ([[[1]], [[2], [3, 4]]], {"shape": (2, 1)}, ValueError, "^item 1, axis 1: 2 cells do not fit"),
    ([[[1]], [[2], [3, 4]]], {"shape": (1, 2)}, ValueError, "^item 1, axis 0: 2 cells do not fit"),
    ([[1, 2]], {"align": -1}, ValueError, "^item 0, axis 0: 2 cells"),
    ([F4, np.zeros((2, 2), "f4")], {}, ValueError, "^item 1 has 2 axes, item 0 has 1"),
    ([F4, np.float32(1)], {}, ValueError, "^item 1 has 0 axes, item 0 has 1"),
    ([np.float64(1), []], {}, ValueError, "^item 1 has 1 axis, item 0 has 0"),
    ([[[1]], [2]], {}, ValueError, "^item 1 has 1 axis, item 0 has 2"),
    ([[], [1], [[2]]], {}, ValueError, "^item 2 has 2 axes, item 1 has 1"),
    ([np.zeros((1,) * 16)], {}, ValueError, "^item 0 has 16 axes, but at most 15"),
    ([np.zeros((1,) * 30)], {}, ValueError, "^item 0 has 30 axes"),
    ([F4, np.zeros(2)], {}, TypeError, "^item 1 has type float64, item 0 has float32: .*dtype"),
    ([F4, [1.5]], {}, TypeError, "^item 1 has type float64, item 0 has float32"),
    ([[1], F4], {}, TypeError, "^item 0 has type int64, item 1 has float32"),
    ([np.zeros(1, "f4"), np.zeros(1, ">f4")], {}, TypeError, "^item 1 has type >f4"),
    ([np.zeros(1, "S2"), np.zeros(1, "S3")], {}, TypeError, "^item 1 has type"),
    ([np.zeros(1, "M8[s]"), np.zeros(1, "M8[D]")], {}, TypeError, "^item 1 has type"),
    ([np.zeros(1, "i1"), np.zeros(1, ml_dtypes.int4)], {}, TypeError, "^item 1 has type int4"),
    ([F4, np.zeros(2, "O")], {}, TypeError, "^item 1: elements of type object cannot"),
    ([np.zeros(2, np.dtypes.StringDType())], {}, TypeError, "^item 0: elements of type String"),
    ([np.zeros(2, "V0")], {}, TypeError, "^item 0: elements of type"),
    ([[1]], {"dtype": object}, TypeError, "^dtype: elements of type object"),
    ([[1]], {"dtype": "nonsense"}, TypeError, "nonsense"),
    ([[1], "ab"], {}, TypeError, "^item 1: arrays or lists of .* got <class 'str'"),
    ([b"ab"], {}, TypeError, "^item 0: arrays or lists .* <class 'bytes'"),
    ("ab", {}, TypeError, "^item 0: arrays or lists"),
    ({1: 2}, {"dtype": "f8", "mode": "mean"}, ValueError, "'mean' is computed by NumPy"),
    ([[1], None], {}, TypeError, "^item 1: arrays or lists .* <class 'NoneType'"),
    ([{"a": [1]}], {}, TypeError, "^item 0: .*pad_batch_dict takes dicts"),
    ([[1], ["a"]], {}, TypeError, "^item 1: NumPy makes elements of type <U1"),
    ([[1], [b"a"]], {}, TypeError, "^item 1: NumPy makes elements of type |S1"),
    ([[1], [None]], {}, TypeError, "^item 1: NumPy makes elements of type object"),
    ([[1], [2**70]], {}, TypeError, "^item 1: NumPy makes elements of type object"),
    ([[1], [2**70]], {"dtype": "i8"}, OverflowError, "^item 1: "),
    ([[1], [float("nan")]], {"dtype": "i8"}, ValueError, "^item 1: cannot convert float NaN"),
    ([[1], ["x"]], {"dtype": "i8"}, ValueError, "^item 1: invalid literal"),
    ([[1], [1, [2]]], {}, ValueError, "^item 1: .*inhomogeneous"),
    ([[[1], 2]], {}, ValueError, "^item 0, list 1: a list of numbers is wanted, this has 0 axes"),
    ([[[], [[1]]]], {}, ValueError, "^item 0, list 1: a list of numbers is wanted, this has 2"),
    ([[[1], [2, "a"]]], {}, TypeError, "^item 0, list 1: NumPy makes elements of type <U"),
    ([[[[1], [2, 3]]]], {}, ValueError, "^item 0: .*inhomogeneous"),
    ([recursive()], {}, ValueError, "^item 0: .*inhomogeneous"),
    ([[1], deep(70)], {}, ValueError, "^item 1: .*number of dimension"),
    ([[1], deep(20)], {}, ValueError, "^item 1 has 20 axes, item 0 has 1"),
    ([Breaks()], {}, ZeroDivisionError, "broken"),
    ([[1], [Breaks()]], {"dtype": "i8"}, (ZeroDivisionError, TypeError), ""),
    ([[[1]]], {"mode": "edge"}, ValueError, "lists of lists can only be padded with mode"),
    ([[1]], {"mode": "mean"}, ValueError, "'mean' is computed by NumPy"),
    ([[1]], {"mode": "mirror"}, ValueError, "'mirror' is not supported"),
    ([F4, np.zeros(0, "f4")], {"mode": "edge"}, ValueError, "^item 1, axis 0: mode edge has no"),
    ([F4], {"shape": -1}, ValueError, "^axis 0: shape has to be at least 0, got -1: None keeps"),
    ([F4], {"shape": (2, 2)}, ValueError, "shape has 2 entries, for 1 axes"),
    ([F4], {"shape": 1.5}, TypeError, "shape has to be integers or None"),
    ([F4], {"shape": 2**61}, ValueError, "^axis 0: the target extent"),
    ([F4] * 5, {"shape": 2**60}, ValueError, "more than 2305843009213693951 bytes"),
    ([F4] * 5, {"shape": 2**58 - 1}, (MemoryError, ValueError), ""),
    ([[[1]]], {"shape": (2**60, 0)}, ValueError, "^item 0, axis 1: 1 cells do not fit into 0"),
    ([[[]]], {"shape": (2**60, 0)}, (MemoryError, ValueError), ""),
    ([[[1]]] * 9, {"shape": (2**60, 0)}, (MemoryError, ValueError), ""),
    ([F4], {"multiple": 0}, ValueError, "multiple has to be at least 1"),
    ([F4], {"align": "left"}, ValueError, "align 'left' is not known"),
    ([F4], {"too_long": "crop"}, ValueError, "too_long 'crop' is not known"),
    (
        [F4],
        {"constant_values": (1, 2)},
        ValueError,
        "takes one constant value, or with constant_axis",
    ),
    (
        [1, 2, 3],
        {"shape": 5},
        ValueError,
        r"single numbers, which have no axes for shape .*pad_batch\(\[x\]",
    ),
    (np.arange(3), {"multiple": 5}, ValueError, "which have no axes for shape and multiple"),
    (
        [F4],
        {"constant_values": "x"},
        TypeError,
        "constant_values 'x': elements of float32 are numbers",
    ),
    (
        [np.zeros(2, "u1")],
        {"constant_values": 300},
        OverflowError,
        "300: uint8 holds .* from 0 to 255",
    ),
    (
        [np.zeros(2, ">i2")],
        {"constant_values": 2**15},
        OverflowError,
        "32768: >i2 holds .* to 32767",
    ),
    ([[1]], {"constant_values": 2**63}, OverflowError, "int64 holds integers"),
    ([F4], {"threads": 0}, ValueError, "threads has to be at least 1"),
    (5, {}, TypeError, "not iterable"),
    ([], {}, ValueError, "^pad_batch: no items"),
    ((one for one in ()), {}, ValueError, "no items"),
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "items, more, error, text", ERRORS, ids=lambda it: str(it).split(" at 0x")[0][:40]
)
def test_errors(items, more, error, text):
    with pytest.raises(error, match=text) as caught:
        tensorpad.pad_batch(items, **more)
    assert "\n" not in str(caught.value)


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
    out = np.full((2, more.get("shape", 2)), 7)
    strided = np.full((4, 2 * more.get("shape", 2)), 7)
    for one in (out, strided[::2, ::2]):
        with pytest.raises((TypeError, ValueError, OverflowError)):
            tensorpad.pad_batch(items, **more, out=one)
        assert (one == 7).all()


def test_errors_of_out():
    items = [[1, 2], [3]]
    fixed = np.full((2, 2), 7)
    fixed.flags.writeable = False
    for out, error, text in (
        (fixed, ValueError, "read-only"),
        (np.zeros((2, 3), int), ValueError, r"out has shape \(2, 3\), the result \(2, 2\)"),
        (np.zeros((2, 2)), TypeError, "out has type float64"),
        (np.zeros((2, 2), ">i8"), TypeError, "out has type >i8"),
        (np.broadcast_to(np.zeros(2, int), (2, 2)), ValueError, "read-only"),
        ([[0, 0], [0, 0]], TypeError, "out has to be an array that can be written to"),
        (np.lib.stride_tricks.as_strided(np.zeros(4, int), (2, 2), (8, 8)), ValueError, "share"),
    ):
        with pytest.raises(error, match=text):
            tensorpad.pad_batch(items, out=out)
    assert (fixed == 7).all()


def test_out_that_shares_memory_with_an_item():
    memory = np.arange(20)
    out = memory[:8].reshape(2, 4)
    for items in ([np.arange(4), memory[7:10]], [memory[8:12], memory[0:1]]):
        with pytest.raises(ValueError, match="^item 1 shares memory with out"):
            tensorpad.pad_batch(items, out=out)
        assert np.array_equal(memory, np.arange(20))
    with pytest.raises(ValueError, match="^item 0 shares memory with out"):
        tensorpad.pad_batch([memory[1:3]], out=memory[:8:2].reshape(1, 4), shape=4)
    assert np.array_equal(memory, np.arange(20))
    assert tensorpad.pad_batch([memory[8:12], memory[12:14]], out=out) is out
    assert memory[:8].tolist() == [8, 9, 10, 11, 12, 13, 0, 0]


# ---- Things that change meanwhile ----------------------------------------------------------------


class Acts:
    """A number that does something when it is read."""

    def __init__(self, act, number=1):
        self.act = act
        self.number = number

    def __index__(self):
        self.act()
        return self.number

    __int__ = __index__

    def __float__(self):
        return float(self.__index__())


class Late(list):
    """A list that does something when it is read."""

    def __iter__(self):
        self.act()
        return super().__iter__()


@pytest.mark.parametrize("dtype", [None, "i8", "i4", "f4", "f8", "i2", "?"])
def test_lists_that_change_while_they_are_read(dtype):
    """Any result or error, but nothing is read that is not there."""
    for change in (
        list.clear,
        lambda one: one.extend([1] * 5000),
        lambda one: one.append("x"),
        lambda one: one.__setitem__(slice(None), [[1]] * 3),
    ):
        for where in ("inside", "before", "behind", "outer", "nested", "late"):
            target = [1] * 500
            items = [[2] * 30, target, [3] * 10]
            acts = Acts(lambda: change(target))
            if where == "inside":
                target[3] = acts
            elif where == "before":
                items[0][2] = acts
            elif where == "behind":
                items[2][2] = acts
            elif where == "outer":
                items[0][2] = Acts(lambda: change(items))
            elif where == "nested":
                items = [[[1], [acts], target], [target, [acts]]]
            else:
                items[1] = Late([5] * 10)
                items[1].act = lambda: change(items[2])
            try:
                found, lengths = tensorpad.pad_batch(items, dtype=dtype, lengths=True)
            except (TypeError, ValueError, OverflowError):
                continue
            assert len(found) == len(lengths)


@pytest.mark.filterwarnings("ignore:Setting the (shape|dtype)")  # deprecated in NumPy 2.5
@pytest.mark.parametrize("change", ["resize", "reshape", "retype"])
def test_arrays_that_change_while_arguments_are_read(change):
    def make():
        array = np.zeros((64, 64), "i8")

        def act():
            if change == "resize":
                array.resize((1,), refcheck=False)
            elif change == "reshape" and array.shape == (64, 64):
                array.shape = (4096,)
            elif change == "retype" and array.shape == (64, 64):
                array.dtype = "i4"

        return array, Acts(act, 64)

    def late(act):
        made = Late([[1]])
        made.act = act.__index__
        return made

    for call in (
        lambda array, act: tensorpad.pad_batch([array], shape=act),
        lambda array, act: tensorpad.pad_batch([array], multiple=[1, act]),
        lambda array, act: tensorpad.pad_batch([array], align=act, shape=200),
        lambda array, act: tensorpad.pad_batch([array], constant_values=act, shape=70),
        lambda array, act: tensorpad.pad_batch([array, [[act]]], dtype="i8"),
        lambda array, act: tensorpad.pad_batch([array, late(act)]),
        lambda array, act: tensorpad.pad_batch([array], shape=act, out=np.zeros((1, 64, 64), "i8")),
    ):
        with pytest.raises(RuntimeError, match="was changed"):
            call(*make())
    for word in ("shape", "align", "multiple"):
        array, act = make()
        with pytest.raises((TypeError, ValueError), match="^out has "):
            tensorpad.pad_batch([[1]] * 64, **{word: act}, out=array)


def test_a_list_that_grows_by_another_thread():
    lists = [[1] * 100 for _ in range(20)]
    stop = threading.Event()

    def change():
        while not stop.is_set():
            for one in lists:
                one.clear()
                one.extend([1] * 100)

    thread = threading.Thread(target=change)
    thread.start()
    try:
        for _ in range(2000):
            found, lengths = tensorpad.pad_batch(lists, lengths=True)
            assert found.sum() == lengths.sum()
    finally:
        stop.set()
        thread.join()
