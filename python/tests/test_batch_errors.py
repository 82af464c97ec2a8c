"""pad_batch: errors write nothing, and items may change while they are read."""

import threading

import numpy as np
import pytest
import tensorpad


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
