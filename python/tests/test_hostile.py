"""Arguments that raise, lie or change things while they are read: an exception or the right result,
never a crash."""

import inspect

import numpy as np
import pytest
import tensorpad
from calls import F4, I1, PLACES, outcome

deprecated = pytest.mark.filterwarnings("ignore:Setting the (shape|dtype)")  # in NumPy 2.5


class Index:
    """A number that does something when it is read."""

    def __init__(self, number, act=lambda: None):
        self.number = number
        self.act = act

    def __index__(self):
        self.act()
        return self.number

    __int__ = __index__

    def __float__(self):
        return float(self.__index__())

    def __bool__(self):
        return bool(self.__index__())


class Raises:
    """Nothing of it can be read."""

    def __index__(self):
        raise ZeroDivisionError

    __array__ = __len__ = __iter__ = __float__ = __bool__ = __int__ = __str__ = __repr__ = (
        lambda self, *args, **kwargs: self.__index__()
    )


class Shrinks:
    """Becomes another array after it has made an array smaller."""

    def __init__(self, array, made):
        self.array = array
        self.made = made

    def __array__(self, dtype=None, copy=None):
        self.array.resize((1,), refcheck=False)
        return np.asarray(self.made, dtype)


class Lies(list):
    """A list that tells a wrong length and yields other things than it holds."""

    def __len__(self):
        return 7

    def __iter__(self):
        yield from ((1, 1),) * 3


class Late(list):
    """A list that does something when it is read."""

    def __init__(self, items, act):
        super().__init__(items)
        self.act = act

    def __iter__(self):
        self.act()
        return super().__iter__()


class Forged(np.float32):
    """A scalar that shows the memory of an empty array, and runs code when it is looked at."""

    @property
    def __array_struct__(self):
        int(self.act.__index__())
        return np.zeros(0, "f4").__array_struct__


# fmt: off
THINGS = [
    Raises(), Lies([1]), [Lies(), Lies()], None, True, 1.5, 1j, float("nan"),
    2**62, -(2**63), 2**63 - 1, 2**64, -(2**200),
    "", "edge\0junk", "\ud800", "é" * 1000, b"\xff",
    [], [[]], [[], []], {}, {0: {}}, {Index(0): Index(1)}, set(), object(), type, range(10**6),
    np.array(None), np.zeros((3, 2), "O"), np.zeros(0), np.zeros((0, 2), int), np.zeros((1,) * 30),
    np.array(1, ">i8"), np.array([1, 2], ">i8"), np.array([[1, 1], [2, 2]])[::-1, ::-1],
    np.zeros(3, [("a", "O"), ("b", "i2")]), np.zeros(2, "V0"),
    np.array(["a", "b"], np.dtypes.StringDType()), np.datetime64("nat", "s"), np.void(b"abc"),
    np.longdouble(1), np.str_("edge"), memoryview(b"abc")[::-1], iter([1, 2, 3]),
    (one for one in [(1, 1)] * 2),
]
# fmt: on


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("place", PLACES)
def test_any_thing_in_any_place(place):
    for thing in THINGS:
        try:
            PLACES[place](thing)
            assert not isinstance(thing, Raises)  # words and outputs are refused for what they are
        except (ArithmeticError, AttributeError, BufferError, LookupError, MemoryError) as error:
            assert not isinstance(error, KeyError), thing
        except (RuntimeError, TypeError, ValueError):
            pass
    assert not F4.any() and not I1.any()
    tensorpad.set_threads(None)


@pytest.mark.parametrize("place", PLACES)
def test_an_argument_that_empties_what_holds_it(place):
    items, amounts = [], {}
    items += [Index(0, items.clear), Index(1)]
    amounts |= {Index(axis, amounts.clear): Index(1, amounts.clear) for axis in range(2)}
    for given, left in (items, []), (amounts, {}):
        read = not isinstance(outcome(PLACES[place], given), Exception)
        assert not read or given in (left, items, amounts)
    tensorpad.set_threads(None)


def test_a_dict_that_is_emptied_while_it_is_read():
    amounts = {}
    for axis in range(2):
        amounts[Index(axis, amounts.clear)] = Index(1, amounts.clear)
    assert tensorpad.pad(np.zeros((2, 3)), amounts).shape == (4, 5) and amounts == {}


# ---- Arrays that change --------------------------------------------------------------------------


def change(array, how):
    if how == "resize":
        array.resize((1,), refcheck=False)
    elif array.shape == (64, 64) and how == "reshape":
        array.shape = (4096,)
    elif array.shape == (64, 64):
        array.dtype = array.dtype.str.replace("f4", "i2").replace("i1", "V64").replace("i8", "i4")


WITH_ARRAY = {
    place: call for place, call in PLACES.items() if len(inspect.signature(call).parameters) == 2
}
# Here the array is the output.
OUTPUTS = {
    "pad": lambda it, x: tensorpad.pad(np.zeros((62, 62), x.dtype), {0: it, 1: 1}, out=x),
    "pad_to": lambda it, x: tensorpad.pad_to(np.zeros((62, 62), x.dtype), 64, align=it, out=x),
    "pad_border": lambda it, x: tensorpad.pad_border(x, {0: it}, "reflect"),
    "pad_border constant": lambda it, x: tensorpad.pad_border(x, 1, constant_values=it),
    "pad_adjoint": lambda it, x: tensorpad.pad_adjoint(
        np.zeros((66, 66), x.dtype), (64, 64), {0: it, 1: 1}, out=x
    ),
    "pad_adjoint add": lambda it, x: tensorpad.pad_adjoint(x, (64, 64), 0, out=x, add=it),
    "pad_packed": lambda it, x: tensorpad.pad_packed(x, (64, 128), "u4", {0: it}),
    "pad_packed value": lambda it, x: tensorpad.pad_packed(
        x, (64, 128), "u4", 1, constant_values=it
    ),
}


@deprecated
@pytest.mark.parametrize("how", ["resize", "reshape", "retype"])
def test_an_array_that_changes_while_the_arguments_are_read(how):
    """Either side: the input or `out`, by every argument that runs code of its own."""
    for dtype in ("f4", "i1"):
        for call in (*WITH_ARRAY.values(), *OUTPUTS.values()):
            for make in (Index, lambda _, act: forged(act)):
                array = np.zeros((64, 64), dtype)
                error = outcome(call, make(1, lambda: change(array, how)), array)
                assert not isinstance(error, Exception) or isinstance(
                    error, (LookupError, RuntimeError, TypeError, ValueError)
                )


def forged(act):
    made = Forged(3)
    made.act = Index(1, act)
    return made


def test_an_array_that_a_constant_makes_smaller():
    for values in (5, [5, 6]):
        array = np.zeros((64, 64), "f4")
        with pytest.raises(RuntimeError, match="was changed"):
            tensorpad.pad(array, 1, constant_values=Shrinks(array, values))
    out = np.zeros((66, 66), "f4")
    with pytest.raises(RuntimeError, match="was changed"):
        tensorpad.pad_border(out, 1, constant_values=Shrinks(out, 5))


@deprecated
@pytest.mark.parametrize("how", ["resize", "reshape", "retype"])
def test_items_that_change_while_arguments_are_read(how):
    def made():
        array = np.zeros((64, 64), "i8")
        return array, Index(64, lambda: change(array, how))

    pad = tensorpad.pad_batch
    for call in (
        lambda array, act: pad([array], shape=act),
        lambda array, act: pad([array], multiple=[1, act]),
        lambda array, act: pad([array], align=act, shape=200),
        lambda array, act: pad([array], constant_values=act, shape=70),
        lambda array, act: pad([array, [[act]]], dtype="i8"),
        lambda array, act: pad([array, Late([[1]], act.__index__)]),
        lambda array, act: pad([array], shape=act, out=np.zeros((1, 64, 64), "i8")),
    ):
        with pytest.raises(RuntimeError, match="was changed"):
            call(*made())
    for word in ("shape", "align", "multiple"):
        array, act = made()
        with pytest.raises((TypeError, ValueError), match="^out has "):
            pad([[1]] * 64, **{word: act}, out=array)


# ---- Lists that change ---------------------------------------------------------------------------

CHANGES = {
    "clear": list.clear,
    "grow": lambda one: one.extend([1] * 5000),
    "text": lambda one: one.append("x"),
    "lists": lambda one: one.__setitem__(slice(None), [[1]] * 3),
}


@pytest.mark.parametrize("dtype", [None, "i8", "i4", "f4", "f8", "i2", "?"])
@pytest.mark.parametrize("how", CHANGES)
def test_lists_that_change_while_they_are_read(how, dtype):
    """Any result or error, but nothing is read that is not there."""
    for where in ("inside", "before", "after", "outer", "nested", "late"):
        target = [1] * 500
        items = [[2] * 30, target, [3] * 10]
        acts = Index(1, lambda: CHANGES[how](items if where == "outer" else target))
        if where == "inside":
            target[3] = acts
        elif where in ("before", "outer"):
            items[0][2] = acts
        elif where == "after":
            items[2][2] = acts
        elif where == "nested":
            items = [[[1], [acts], target], [target, [acts]]]
        else:
            items[1] = Late([5] * 10, lambda: CHANGES[how](items[2]))
        try:
            found, lengths = tensorpad.pad_batch(items, dtype=dtype, lengths=True)
        except (TypeError, ValueError, OverflowError):
            continue
        assert len(found) == len(lengths)
