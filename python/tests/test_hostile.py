"""Arguments that raise, lie or change things while they are read: an exception or the right result,
never a crash."""

import numpy as np
import pytest
import tensorpad


class Index:
    """An integer that does something when it is read."""

    def __init__(self, number, act=None):
        self.number = number
        self.act = act

    def __index__(self):
        if self.act:
            self.act()
        return self.number

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


F4 = np.zeros((2, 3), "f4")
I1 = np.zeros((2, 3, 4), "i1")

# Every argument of every function, as a function of what is given for it.
PLACES = {
    "pad array": lambda it: tensorpad.pad(it, 1),
    "pad pad_width": lambda it: tensorpad.pad(F4, it),
    "pad pad_width item": lambda it: tensorpad.pad(F4, ((0, it), (0, 1))),
    "pad dict": lambda it: tensorpad.pad(F4, {0: it}),
    "pad dict pair": lambda it: tensorpad.pad(F4, {0: (1, it)}),
    "pad dict key": lambda it: tensorpad.pad(F4, {it: 1}),
    "pad mode": lambda it: tensorpad.pad(F4, 1, it),
    "pad modes": lambda it: tensorpad.pad(F4, 1, ["edge", it]),
    "pad constant_values": lambda it: tensorpad.pad(F4, 1, constant_values=it),
    "pad side": lambda it: tensorpad.pad(F4, 1, constant_values=(1, it)),
    "pad interior": lambda it: tensorpad.pad(F4, 1, interior=it),
    "pad interior item": lambda it: tensorpad.pad(F4, 1, interior=[0, it]),
    "pad order": lambda it: tensorpad.pad(F4, 1, order=it),
    "pad axes": lambda it: tensorpad.pad(F4, 1, axes=it),
    "pad axes item": lambda it: tensorpad.pad(F4, 1, axes=[it]),
    "pad out": lambda it: tensorpad.pad(F4, 1, out=it),
    "pad threads": lambda it: tensorpad.pad(F4, 1, threads=it),
    "pad kwargs": lambda it: tensorpad.pad(F4, 1, reflect_type=it),
    "pad_to x": lambda it: tensorpad.pad_to(it, 3),
    "pad_to shape": lambda it: tensorpad.pad_to(F4, it),
    "pad_to extent": lambda it: tensorpad.pad_to(F4, [None, it]),
    "pad_to dict": lambda it: tensorpad.pad_to(F4, {0: it}),
    "pad_to dict key": lambda it: tensorpad.pad_to(F4, {it: 3}),
    "pad_to multiple": lambda it: tensorpad.pad_to(F4, multiple=it),
    "pad_to multiple item": lambda it: tensorpad.pad_to(F4, multiple=[it, None]),
    "pad_to square": lambda it: tensorpad.pad_to(F4, square=it),
    "pad_to square item": lambda it: tensorpad.pad_to(F4, square=(0, it)),
    "pad_to axes": lambda it: tensorpad.pad_to(F4, 4, axes=it),
    "pad_to align": lambda it: tensorpad.pad_to(F4, 4, align=it),
    "pad_to align item": lambda it: tensorpad.pad_to(F4, 4, align=["end", it], too_long="crop_end"),
    "pad_to too_long": lambda it: tensorpad.pad_to(F4, 2, too_long=it),
    "pad_to too_long item": lambda it: tensorpad.pad_to(F4, 4, too_long=[it, it]),
    "pad_to mode": lambda it: tensorpad.pad_to(F4, 4, mode=it),
    "pad_to modes": lambda it: tensorpad.pad_to(F4, 4, mode=["edge", it]),
    "pad_to constant_values": lambda it: tensorpad.pad_to(F4, 4, constant_values=it),
    "pad_to out": lambda it: tensorpad.pad_to(F4, 4, out=it),
    "pad_to threads": lambda it: tensorpad.pad_to(F4, 4, threads=it),
    "pad_to return_amounts": lambda it: tensorpad.pad_to(F4, 4, return_amounts=it),
    "pad_to, left to NumPy": lambda it: tensorpad.pad_to(F4, it, multiple=it, mode="mean"),
    "batch items": lambda it: tensorpad.pad_batch(it),
    "batch item": lambda it: tensorpad.pad_batch([F4[0], it]),
    "batch number": lambda it: tensorpad.pad_batch([[1.5], [1, it]]),
    "batch number, typed": lambda it: tensorpad.pad_batch([[1], [1, it]], dtype="i4"),
    "batch list": lambda it: tensorpad.pad_batch([[[1], it]]),
    "batch shape": lambda it: tensorpad.pad_batch([F4], shape=it, too_long="crop_end"),
    "batch multiple": lambda it: tensorpad.pad_batch([[1]], multiple=[it]),
    "batch align": lambda it: tensorpad.pad_batch([F4], align=it),
    "batch too_long": lambda it: tensorpad.pad_batch([F4], too_long=it),
    "batch mode": lambda it: tensorpad.pad_batch([F4], mode=it),
    "batch constant_values": lambda it: tensorpad.pad_batch([F4], shape=4, constant_values=it),
    "batch dtype": lambda it: tensorpad.pad_batch([F4], dtype=it),
    "batch out": lambda it: tensorpad.pad_batch([F4], out=it),
    "batch mask": lambda it: tensorpad.pad_batch([F4], mask=it),
    "batch lengths": lambda it: tensorpad.pad_batch([F4], lengths=it),
    "batch threads": lambda it: tensorpad.pad_batch([F4], threads=it),
    "unpad_batch batch": lambda it: tensorpad.unpad_batch(it, [1, 2]),
    "unpad_batch lengths": lambda it: tensorpad.unpad_batch(F4, it),
    "unpad_batch align": lambda it: tensorpad.unpad_batch(F4, [1, 2], align=it),
    "batch dicts": lambda it: tensorpad.pad_batch_dict(it),
    "batch dict": lambda it: tensorpad.pad_batch_dict([it, {"a": 1}]),
    "batch dict value": lambda it: tensorpad.pad_batch_dict([{"a": [1]}, {"a": it}]),
    "batch dict mask": lambda it: tensorpad.pad_batch_dict([{"a": [1]}], mask=it),
    "pad_shape shape": lambda it: tensorpad.pad_shape(it, 1),
    "pad_shape extent": lambda it: tensorpad.pad_shape((2, it), 1),
    "unpad": lambda it: tensorpad.unpad(it, 1),
    "unpad interior": lambda it: tensorpad.unpad(F4, 0, interior=it),
    "pad_border": lambda it: tensorpad.pad_border(it, 1),
    "pad_border value": lambda it: tensorpad.pad_border(np.eye(4), 1, constant_values=it),
    "pad_adjoint grad": lambda it: tensorpad.pad_adjoint(it, (2, 1), (0, 1)),
    "pad_adjoint shape": lambda it: tensorpad.pad_adjoint(F4, it, 0),
    "pad_adjoint extent": lambda it: tensorpad.pad_adjoint(F4, (2, it), 0),
    "pad_adjoint mode": lambda it: tensorpad.pad_adjoint(F4, (2, 3), 0, it),
    "pad_adjoint out": lambda it: tensorpad.pad_adjoint(F4, (2, 3), 0, out=it),
    "pad_adjoint add": lambda it: tensorpad.pad_adjoint(F4, (2, 3), 0, out=F4.copy(), add=it),
    "pad_packed data": lambda it: tensorpad.pad_packed(it, (2,), "int4", 1),
    "pad_packed shape": lambda it: tensorpad.pad_packed(b"a", it, "int4", 1),
    "pad_packed dtype": lambda it: tensorpad.pad_packed(b"a", (2,), it, 1),
    "pad_packed value": lambda it: tensorpad.pad_packed(b"a", (2,), "u4", 1, constant_values=it),
    "pad_packed out": lambda it: tensorpad.pad_packed(b"a", (2,), "u4", 1, out=it),
    "onnx data": lambda it: tensorpad.onnx.pad(it, [0, 0, 0, 0]),
    "onnx pads": lambda it: tensorpad.onnx.pad(F4, it),
    "onnx pad": lambda it: tensorpad.onnx.pad(F4, [0, 0, 0, it]),
    "onnx value": lambda it: tensorpad.onnx.pad(F4, [0, 0, 0, 1], it),
    "onnx axes": lambda it: tensorpad.onnx.pad(F4, [0, 1], axes=it),
    "onnx mode": lambda it: tensorpad.onnx.pad(F4, [0, 0, 0, 1], mode=it),
    "onnx opset": lambda it: tensorpad.onnx.pad(F4, [0, 0, 0, 1], opset=it),
    "onnx lenient": lambda it: tensorpad.onnx.pad(F4, [0, 0, 0, 1], lenient=it),
    "onnx attribute": lambda it: tensorpad.onnx.pad(F4, [0, 0, 0, it], opset=2),
    "onnx attributes": lambda it: tensorpad.onnx.pad(F4, it, it, opset=2),
    "onnx packed": lambda it: tensorpad.onnx.pad_packed(b"a", [it], "int4", [0, it], it),
    "openvino": lambda it: tensorpad.openvino.pad(F4, [0, it], [0, 0], pad_mode="edge"),
    "openvino end": lambda it: tensorpad.openvino.pad(F4, [0, 0], it, pad_mode="edge"),
    "openvino value": lambda it: tensorpad.openvino.pad(F4, [0, 1], [0, 0], it, "constant"),
    "openvino packed": lambda it: tensorpad.openvino.pad_packed(
        b"a", [2], "u4", it, [0], it, "edge"
    ),
    "ngraph": lambda it: tensorpad.ngraph.pad(F4, 0, [0, it], [0, 0]),
    "ngraph value": lambda it: tensorpad.ngraph.pad(F4, it, [0, 1], [0, 0]),
    "ngraph interior": lambda it: tensorpad.ngraph.pad(F4, 0, [0, 1], [0, 0], it),
    "mli": lambda it: tensorpad.mli.padding2d(I1, layout="hwc", padding_top=it),
    "mli layout": lambda it: tensorpad.mli.padding2d(I1, layout=it),
    "mli tensor": lambda it: tensorpad.mli.padding2d(it, layout="hwc"),
    "plan shape": lambda it: tensorpad.Plan(it, 1),
    "plan": lambda it: tensorpad.Plan((2, 3), 1, dtype="f4")(it),
    "plan box": lambda it: tensorpad.Plan((2, 3), 1, dtype="f4").box(F4, it, (1, 1)),
    "plan in_first": lambda it: tensorpad.Plan((2, 3), 1, dtype="f4").box(
        F4, (0, 0), (1, it), in_first=(it, 0)
    ),
    "plan needs": lambda it: tensorpad.Plan((2, 3), 1).needs((0, it), it),
    "plan sources": lambda it: tensorpad.Plan((2, 3), 1).sources(it, it, it),
    "set_threads": lambda it: tensorpad.set_threads(it),
}

THINGS = [
    Raises(),
    Lies([1]),
    [Lies(), Lies()],
    None,
    True,
    1.5,
    1j,
    float("nan"),
    2**62,
    -(2**63),
    2**63 - 1,
    2**64,
    -(2**200),
    "",
    "edge\0junk",
    "\ud800",
    "é" * 1000,
    b"\xff",
    [],
    [[]],
    [[], []],
    {},
    {0: {}},
    {Index(0): Index(1)},
    set(),
    object(),
    type,
    range(10**6),
    np.array(None),
    np.zeros((3, 2), "O"),
    np.zeros(0),
    np.zeros((0, 2), int),
    np.zeros((1,) * 30),
    np.array(1, ">i8"),
    np.array([1, 2], ">i8"),
    np.array([[1, 1], [2, 2]])[::-1, ::-1],
    np.zeros(3, [("a", "O"), ("b", "i2")]),
    np.zeros(2, "V0"),
    np.array(["a", "b"], np.dtypes.StringDType()),
    np.datetime64("nat", "s"),
    np.void(b"abc"),
    np.longdouble(1),
    np.str_("edge"),
    memoryview(b"abc")[::-1],
    iter([1, 2, 3]),
    (one for one in [(1, 1)] * 2),
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("place", PLACES)
def test_any_thing_in_any_place(place):
    for thing in THINGS:
        try:
            PLACES[place](thing)
        except (ArithmeticError, AttributeError, BufferError, LookupError, MemoryError) as error:
            assert not isinstance(error, KeyError), thing
        except (RuntimeError, TypeError, ValueError):
            pass
    assert not F4.any() and not I1.any()
    tensorpad.set_threads(None)


@pytest.mark.parametrize("place", PLACES)
def test_what_an_argument_raises_is_raised(place):
    """Words and outputs are refused for what they are instead, without being read."""
    with pytest.raises((ZeroDivisionError, TypeError, ValueError)):
        PLACES[place](Raises())


def test_an_argument_that_empties_the_list_that_holds_it():
    array = np.arange(6.0).reshape(2, 3)
    for make in (
        lambda items: tensorpad.pad(array, 1, interior=items),
        lambda items: tensorpad.pad(array, 1, axes=items),
        lambda items: tensorpad.pad(array, {0: items}),
        lambda items: tensorpad.pad_to(array, items),
        lambda items: tensorpad.pad_to(array, 9, align=items),
        lambda items: tensorpad.pad_to(array, square=items),
        lambda items: tensorpad.pad_shape(items, 1),
        lambda items: tensorpad.ngraph.pad(array, 0, items, [0, 0]),
        lambda items: tensorpad.onnx.pad(array, items, opset=2),
        lambda items: tensorpad.pad_packed(b"a", items, "u2", 0),
        lambda items: tensorpad.Plan((2, 3), 1).needs(items, items),
    ):
        items = []
        items += [Index(0, items.clear), Index(1)]
        try:
            make(items)
        except (TypeError, ValueError):
            pass
        assert items == []
    amounts = {}
    for axis in range(2):
        amounts[Index(axis, amounts.clear)] = Index(1, amounts.clear)
    assert tensorpad.pad(array, amounts).shape == (4, 5) and amounts == {}


class Forged(np.float32):
    """A scalar that shows the memory of an empty array, and runs code when it is looked at."""

    @property
    def __array_struct__(self):
        int(self.act.__index__())
        return np.zeros(0, "f4").__array_struct__


def forged(act):
    made = Forged(3)
    made.act = act
    return made


@pytest.mark.filterwarnings("ignore:Setting the (shape|dtype)")  # deprecated in NumPy 2.5
@pytest.mark.parametrize("shrink", ["resize", "reshape", "retype"])
def test_an_array_that_changes_while_the_arguments_are_read(shrink):
    """Either side: the input or `out`, by every kind of argument that runs code of its own."""

    def change(array):
        if shrink == "resize":
            array.resize((1,), refcheck=False)
        elif array.shape == (64, 64):
            if shrink == "reshape":
                array.shape = (4096,)
            else:
                array.dtype = array.dtype.str.replace("f4", "i2").replace("i1", "V64")

    calls = [
        lambda a, act: tensorpad.pad(a, {0: act}),
        lambda a, act: tensorpad.pad(a, {act: 1}, "edge"),
        lambda a, act: tensorpad.pad(a, 1, interior=act),
        lambda a, act: tensorpad.pad(a, 1, axes=act),
        lambda a, act: tensorpad.pad(a, 1, constant_values=act),
        lambda a, act: tensorpad.pad(a, 1, constant_values=(1, act)),
        lambda a, act: tensorpad.pad(np.zeros((62, 62), a.dtype), {0: act, 1: 1}, out=a),
        lambda a, act: tensorpad.pad_to(a, 99, multiple=act),
        lambda a, act: tensorpad.pad_to(a, 99, align=[act, "end"], constant_values=act),
        lambda a, act: tensorpad.pad_to(a, 99, square=(act, 0), mode="reflect"),
        lambda a, act: tensorpad.pad_to(np.zeros((62, 62), a.dtype), 64, align=act, out=a),
        lambda a, act: tensorpad.pad_border(a, {0: act}, "reflect"),
        lambda a, act: tensorpad.pad_border(a, 1, constant_values=act),
        lambda a, act: tensorpad.unpad(a, {0: act}),
        lambda a, act: tensorpad.pad_adjoint(a, (62, 62), {0: act, 1: 1}, "edge"),
        lambda a, act: tensorpad.pad_adjoint(
            np.zeros((66, 66), a.dtype), (64, 64), {0: act, 1: 1}, out=a
        ),
        lambda a, act: tensorpad.pad_adjoint(a, (64, 64), 0, interior=[act, act], out=a, add=act),
        lambda a, act: tensorpad.onnx.pad(a, [1, 1, 1, act]),
        lambda a, act: tensorpad.onnx.pad(a, [1, 1, 1, 1], act),
        lambda a, act: tensorpad.onnx.pad(a, [1, 1, 1, act], opset=2),
        lambda a, act: tensorpad.onnx.pad(a, [1, 1, 1, 1], lenient=act),
        lambda a, act: tensorpad.onnx.pad(a, [1, 1, 1, 1], opset=act),
        lambda a, act: tensorpad.openvino.pad(a, [1, 1], [1, 1], pad_mode="edge", lenient=act),
        lambda a, act: tensorpad.openvino.pad(a, [1, 1], [1, 1], pad_mode="edge", version=act),
        lambda a, act: tensorpad.openvino.pad(a, [1, act], [1, 1], act, "constant"),
        lambda a, act: tensorpad.pad(a, 1, constant_values=forged(act)),
        lambda a, act: tensorpad.onnx.pad(a, [1, 1, 1, 1], forged(act)),
        lambda a, act: tensorpad.ngraph.pad(a, 0, [1, act], [1, 1]),
        lambda a, act: tensorpad.ngraph.pad(a, act, [1, 1], [1, 1]),
        lambda a, act: tensorpad.pad_packed(a, (64, 128), "u4", 1, constant_values=act),
        lambda a, act: tensorpad.pad_packed(a, (64, 128), "u4", {0: act}),
        lambda a, act: tensorpad.Plan((64, 64), 1, dtype=a.dtype).box(a, (0, act), (66, 66 - 1)),
    ]
    for dtype in ("f4", "i1"):
        for call in calls:
            array = np.zeros((64, 64), dtype)
            act = Index(1, lambda: change(array))
            try:
                call(array, act)
            except (IndexError, RuntimeError, TypeError, ValueError):
                continue


def test_an_array_that_a_constant_makes_smaller():
    for values in (5, [5, 6]):
        array = np.zeros((64, 64), "f4")
        with pytest.raises(RuntimeError, match="was changed"):
            tensorpad.pad(array, 1, constant_values=Shrinks(array, values))
    out = np.zeros((66, 66), "f4")
    with pytest.raises(RuntimeError, match="was changed"):
        tensorpad.pad_border(out, 1, constant_values=Shrinks(out, 5))


def test_a_word_ends_where_python_says():
    """After a NUL there is more of it."""
    array = np.eye(3, dtype="f4")
    for call in (
        lambda: tensorpad.pad(array, 1, "edge\0junk"),
        lambda: tensorpad.pad(array, 1, ["edge", "wrap\0"]),
        lambda: tensorpad.pad_to(array, 4, align="end\0junk"),
        lambda: tensorpad.pad_to(array, 4, too_long="crop_end\0"),
        lambda: tensorpad.onnx.pad(array, [1] * 4, mode="edge\0junk"),
        lambda: tensorpad.openvino.pad(array, [1] * 2, [1] * 2, pad_mode="edge\0junk"),
        lambda: tensorpad.ngraph.pad(array, 0, [1] * 2, [1] * 2, pad_mode="EDGE\0junk"),
    ):
        with pytest.raises(ValueError):
            call()
