"""One rule for integers and one for constants, in every function: an integer is what has __index__, and a
constant is an error if the type cannot hold it. Only `pad` converts constants as numpy.pad does.

SPDX-License-Identifier: MIT
"""

import array
import pickle
import warnings
from decimal import Decimal
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest
import tensorpad
from calls import CONSTANTS, INTEGERS, PACKED, V4, outcome
from tensorpad import onnx, openvino

SPECS = ("onnx", "openvino", "ngraph")

# ---- Integers ------------------------------------------------------------------------------------


class Index:
    def __repr__(self):  # in the names of tests, which all processes have to agree on
        return "Index"

    def __index__(self):
        return 1


class Floating:
    def __int__(self):
        return 1

    __float__ = __int__


@pytest.fixture(autouse=True)
def own_threads():
    yield
    tensorpad.set_threads(None)


@pytest.mark.parametrize("place", INTEGERS)
@pytest.mark.parametrize("one", [np.int8(1), np.uint64(1), np.array(1), Index()], ids=repr)
def test_an_integer_is_what_has_an_index(place, one):
    if isinstance(one, np.ndarray) and place == "dict by axis":
        return  # an array is no key of a dict
    given = INTEGERS[place](one)
    expected = INTEGERS[place](1)
    if isinstance(expected, (np.ndarray, list)):
        assert np.array_equal(given, expected)
    else:
        assert given == expected


@pytest.mark.parametrize("place", INTEGERS)
@pytest.mark.parametrize(
    "one",
    [1.7, 1.0, np.float64(1), "1", b"1", np.array([1.7]), np.array(1.0), np.array([[1, 1], [1, 1]]),
     Decimal(1), Fraction(1), 1j, Floating(), [[1]], object()],
    ids=lambda one: repr(one).split(" at ")[0],
)  # fmt: skip
def test_all_else_is_no_integer(place, one):
    if place == "dict by axis" and one.__hash__ is None:
        return  # no key of a dict
    error = (TypeError, ValueError) if isinstance(one, (str, np.ndarray, list)) else TypeError
    with pytest.raises(error) as caught:
        INTEGERS[place](one)
    text = str(caught.value)
    assert "\n" not in text and "__" not in text and "NoneType" not in text, text
    if error is TypeError and place != "dict of widths":
        assert " has to be " in text and ("integer" in text), text


@pytest.mark.parametrize("place", [place for place in INTEGERS if place != "dict by axis"])
def test_none_is_no_integer(place):
    """But for what it stands for."""
    means = ("axes", "pad_to shape", "pad_to multiple", "pad_batch shape", "pad_batch multiple")
    if place in (*means, "Plan.sources stop") or "threads" in place:
        INTEGERS[place](None)
        return
    with pytest.raises(TypeError):
        INTEGERS[place](None)


@pytest.mark.parametrize("place", INTEGERS)
@pytest.mark.parametrize("one", [2**70, -(2**70), 2**63])
def test_integers_of_more_than_64_bits(place, one):
    if place == "unpad_batch align" and one < 0:
        return  # the cells before the batch were cut off
    with pytest.raises((ValueError, IndexError)) as caught:
        INTEGERS[place](one)
    text = str(caught.value)
    assert str(one) in text or str(2**63 - 1) in text or place == "onnx opset", text


def test_nested_and_other_lists_of_pads():
    """What is no array of NumPy is read as integers, whatever holds it."""
    expected = onnx.pad(V4, [1, 2])
    for pads in (range(1, 3), (np.int64(1), 2), array.array("q", [1, 2]), array.array("b", [1, 2])):
        assert np.array_equal(onnx.pad(V4, pads), expected)
        assert np.array_equal(onnx.pad(V4, pads, opset=2), expected)
    assert np.array_equal(onnx.pad(V4, [[1, np.int8(2)]], lenient=True), expected)
    for pads in (array.array("d", [1.7, 2]), [[1.7, 2]], "12", b"12", {1: 2}, 1.7):
        for opset in (2, 25):
            with pytest.raises((TypeError, ValueError)):
                onnx.pad(V4, pads, lenient=True, opset=opset)


# ---- Constants -----------------------------------------------------------------------------------

NUMBERS = [0, 1, -1, 7, 127, 128, 255, 256, 300, -128, -129, 2**31, 2**53 + 1, 2**63, 2**64 - 1, 2**64,
           2**70, -(2**70), 0.5, 1.0, 1.5, 0.1, -0.0, 1e300, -1e300, 65504.0, 65520.0, 3.5e38, 1e-300,
           float("inf"), float("-inf"), float("nan"), True, False, Decimal("1.5"), Fraction(3, 1)]  # fmt: skip
LIMITS = {"bool": (0, 1), "int4": (-8, 7), "uint8": (0, 255), "int8": (-128, 127), "int16": (-(2**15), 2**15 - 1),
          "int64": (-(2**63), 2**63 - 1), "uint64": (0, 2**64 - 1), "float16": 65520, "float32": 2.0**128 * (1 - 2.0**-25),
          "float64": np.inf, "bfloat16": 2.0**128 * (1 - 2.0**-9), "complex64": 2.0**128 * (1 - 2.0**-25)}  # fmt: skip
TYPES = [np.dtype(name) for name in ("?", "u1", "i1", ">i2", "i8", "u8", "f2", "f4", ">f4", "f8", "c8")] + [
    np.dtype(ml_dtypes.int4), np.dtype(ml_dtypes.bfloat16)]  # fmt: skip


def held(dtype, number):
    """Whether the type holds the number, from the limits of the types alone."""
    limits = LIMITS[dtype.name]
    if isinstance(limits, tuple):
        return number == number and limits[0] <= number <= limits[1] and number == int(number)
    wide = float(number)
    return wide != wide or abs(wide) == np.inf or abs(wide) < limits


@pytest.mark.parametrize("dtype", TYPES, ids=str)
@pytest.mark.parametrize("place", CONSTANTS)
def test_a_constant_is_an_error_or_what_it_says(place, dtype):
    data = np.zeros(2, dtype)
    if place == "openvino" and dtype.kind == "c":
        return
    for number in NUMBERS:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            if not held(dtype, number):
                with pytest.raises((ValueError, OverflowError)) as caught:
                    CONSTANTS[place](data, number)
                text = str(caught.value)
                assert repr(number) in text and "holds" in text and "\n" not in text, (number, text)
                continue
            (found,) = CONSTANTS[place](data, number)
        plain = complex(number) if dtype.kind == "c" else float(number)
        if isinstance(LIMITS[dtype.name], tuple):
            assert int(found) == number, number
        else:
            assert np.array_equal(found, np.asarray(plain).astype(dtype), equal_nan=True), number


@pytest.mark.parametrize("place", CONSTANTS)
def test_a_constant_is_a_number(place):
    """Text is not parsed, and a complex number is not cut."""
    for dtype in TYPES:
        if place == "openvino" and dtype.kind == "c":
            continue
        for thing in ("7", "x", b"7", "", np.datetime64(7, "s"), object()):
            with pytest.raises((TypeError, ValueError)) as caught:
                CONSTANTS[place](np.zeros(2, dtype), thing)
            assert "\n" not in str(caught.value)
        if dtype.kind != "c":
            for thing in (1j, 1 + 0j):
                with pytest.raises(TypeError, match="holds no complex numbers"):
                    CONSTANTS[place](np.zeros(2, dtype), thing)
        if place not in SPECS or place == "ngraph":
            with pytest.raises((TypeError, tensorpad.SpecError)):
                CONSTANTS[place](np.zeros(2, dtype), None)


@pytest.mark.parametrize("place", [place for place in CONSTANTS if place not in SPECS])
def test_scalars_and_arrays_of_numpy_are_numbers(place):
    for number in (np.int64(7), np.array(7), np.float64(7), np.array([7]), ml_dtypes.bfloat16(7)):
        if place == "pad_to sides" and np.ndim(number):
            continue
        (found,) = CONSTANTS[place](np.zeros(2, "u1"), number)
        assert found == 7
    for number in (np.int64(300), np.array(-1), np.float64(1.5), np.float32("nan")):
        with pytest.raises((ValueError, OverflowError), match="uint8 holds integers from 0 to 255"):
            CONSTANTS[place](np.zeros(2, "u1"), number)
    for text in ("abc", "ab"):
        with pytest.raises(ValueError, match="holds texts up to length 1"):
            CONSTANTS[place](np.zeros(2, "U1"), text)
    (found,) = CONSTANTS[place](np.zeros(2, "U3"), "abc")
    assert found == "abc"
    (found,) = CONSTANTS[place](np.zeros(2, "M8[D]"), np.datetime64("2020-01-02"))
    assert found == np.datetime64("2020-01-02")
    for time in (np.datetime64("2020-01-02T12"), 1.5, float("nan")):
        with pytest.raises((ValueError, TypeError)):
            CONSTANTS[place](np.zeros(2, "M8[D]"), time)


def test_types_without_infinity_or_nan():
    e4m3, e2m1 = ml_dtypes.float8_e4m3fn, ml_dtypes.float4_e2m1fn
    for dtype, fits, beyond in ((e4m3, (448, 0.1, float("nan")), (1000, float("inf"))),
                                (e2m1, (6, -6, 5.9, 0.1), (7, -7, 100, float("inf"), float("nan")))):  # fmt: skip
        for number in fits:
            (found,) = CONSTANTS["pad_to"](np.zeros(2, dtype), number)
            assert np.array_equal(float(found), float(dtype(number)), equal_nan=True)
        for number in beyond:
            with pytest.raises(OverflowError, match="holds numbers from"):
                CONSTANTS["pad_to"](np.zeros(2, dtype), number)


MORE_TYPES = [np.dtype(name) for name in ("u4", "M8[s]", "S2", "U2", "O")]
THINGS = [*NUMBERS, "7", b"7", "ab", b"cd", None, 1j, 1 + 2j, np.float32(0.1), np.int8(-3)]
THINGS += [np.array([[3]])]
# What float16 holds exactly, and what lies between.
PARTS = [sign * part for sign in (1, -1) for part in (1, 1.5, 1 + 2.0**-10, 1 + 2.0**-11, 2047)]
HALVES = [2.0**k * part for k in range(-26, 18) for part in PARTS] + [65504, 65519, -65504, 2049]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", TYPES + MORE_TYPES, ids=str)
def test_pad_converts_as_numpy_does(dtype):
    data = np.zeros(2, dtype)
    for number in THINGS + HALVES * (dtype == "f2"):
        expected = outcome(np.pad, data, 1, constant_values=number)
        found = outcome(tensorpad.pad, data, 1, constant_values=number)
        assert type(found) is type(expected), number
        if not isinstance(expected, Exception):
            assert found.dtype == expected.dtype
            assert repr(found.tolist()) == repr(expected.tolist()), number
            assert dtype == "O" or found.tobytes() == expected.tobytes(), number


@pytest.mark.parametrize(
    "value", ["1", "x", 1.7, float("nan"), [1], np.array([1]), 8, -9, 2**70, 1j, object()]
)
def test_constants_of_packed_elements(value):
    for call in (
        lambda: tensorpad.pad_packed(PACKED, (2,), "int4", (0, 2), constant_values=value),
        lambda: onnx.pad_packed(PACKED, (2,), "int4", [0, 2], value),
        lambda: openvino.pad_packed(PACKED, (2,), "i4", [0], [2], value, "constant"),
    ):
        with pytest.raises((TypeError, ValueError), match="int4 holds -8 to 7|i4 holds -8 to 7"):
            call()


# ---- A constant for each cell of an axis: colours ------------------------------------------------

RNG = np.random.default_rng(5)


def some(shape, dtype):
    dtype = np.dtype(dtype)
    if dtype.hasobject:
        return np.array([object() for _ in range(np.prod(shape, dtype=int))]).reshape(shape)
    if dtype.kind in "bfc":
        return RNG.integers(0 if dtype.kind == "b" else -100, 2, shape).astype(dtype)
    return RNG.integers(1, 255, (*shape, dtype.itemsize), "u1").view(dtype).reshape(shape)


def coloured(x, pad_width, values, axis, mode="constant", **more):
    """tensorpad.pad with one constant says which cells are filled, and what the others are."""
    filled = tensorpad.pad(np.zeros(x.shape, int), pad_width, mode, constant_values=1, **more) == 1
    made = tensorpad.pad(x, pad_width, mode, **more)
    shape = [-1 if k == axis % made.ndim else 1 for k in range(made.ndim)]
    made[filled] = np.broadcast_to(np.asarray(values).reshape(shape), made.shape)[filled]
    return made


def same(got, wanted):
    assert got.dtype == wanted.dtype and got.shape == wanted.shape
    if wanted.dtype.hasobject:
        assert all(a is b for a, b in zip(got.flat, wanted.flat))
    else:
        assert np.ascontiguousarray(got).tobytes() == np.ascontiguousarray(wanted).tobytes()


COLOURED = {
    "pad": lambda x, widths, words: tensorpad.pad(x, widths, **words),
    "pad_to": lambda x, widths, words: tensorpad.pad_to(
        x, tensorpad.pad_shape(x.shape, widths), align=[before for before, _ in widths], **words
    ),
    "Plan": lambda x, widths, words: tensorpad.Plan(x.shape, widths, dtype=x.dtype, **words)(x),
    "Plan.box": lambda x, widths, words: tensorpad.Plan(
        x.shape, widths, dtype=x.dtype, **words
    ).box(x, (0,) * x.ndim, tensorpad.pad_shape(x.shape, widths)),
    "a pickled plan": lambda x, widths, words: pickle.loads(
        pickle.dumps(tensorpad.Plan(x.shape, widths, dtype=x.dtype, **words))
    )(x),
    "pad_border": lambda x, widths, words: tensorpad.pad_border(
        tensorpad.pad(x, widths, constant_values=x.flat[0]), widths, **words
    ),
    "pad_batch": lambda x, widths, words: tensorpad.pad_batch(
        [x], shape=tensorpad.pad_shape(x.shape, widths), align=[one for one, _ in widths], **words
    )[0],
}


@pytest.mark.parametrize(
    "dtype", ["u1", "i2", "f2", "f4", "c8", "?", "M8[s]", "S3", "O", "V7", ">f4"]
)
@pytest.mark.parametrize("name", COLOURED)
def test_a_value_for_each_cell_of_an_axis(name, dtype):
    if dtype == "O" and ("lan" in name or name == "pad_batch"):
        return  # refused
    for shape, axis in [((4, 5, 3), 2), ((3, 6, 7), 0), ((5, 4), -1), ((6,), 0), ((40, 50, 3), -1)]:
        for width in (2, 2), (1, 0), (0, 3):
            x, widths = some(shape, dtype), [width] * len(shape)
            if len(shape) == 3:
                widths[axis] = 0, 0
            values = some((shape[axis] + sum(widths[axis]),), dtype)
            given = np.asfortranarray(x) if axis else x
            words = {"constant_values": values, "constant_axis": axis}
            same(COLOURED[name](given, widths, words), coloured(x, widths, values, axis))


@pytest.mark.long
def test_colours_of_layouts_and_large_arrays():
    """Dense, transposed, reversed; a pixel whose channels lie apart; outputs that threads share."""
    wide = some((2, 64, 80, 6), "u1")
    views = [wide, wide[..., ::2], wide[..., :3], wide[:, ::-1], wide.transpose(0, 3, 1, 2)]
    views += [some((3, 900, 1000), "f4"), some((900, 1000, 1), "f4"), some((0, 4, 3), "u1")]
    for x in (*views, np.asfortranarray(wide)):
        for axis in range(-x.ndim, x.ndim):
            axes = [k for k in range(x.ndim) if k != axis % x.ndim][-2:]
            words = {"constant_values": some((x.shape[axis],), x.dtype), "constant_axis": axis}
            widths = [(3, 5) if k in axes else (0, 0) for k in range(x.ndim)]
            got = tensorpad.pad(x, (3, 5), axes=axes, **words)
            same(got, coloured(x, widths, words["constant_values"], axis))


def test_colours_with_interior_modes_and_boxes():
    x, modes = some((4, 5, 3), "i2"), ["edge", "wrap", "constant"]
    for axis in range(3):
        shape = tensorpad.pad_shape(x.shape, 2, modes, interior=[1, 0, 2])
        words = {"constant_values": some((shape[axis],), "i2"), "constant_axis": axis}
        got = tensorpad.pad(x, 2, modes, interior=[1, 0, 2], **words)
        same(got, coloured(x, 2, words["constant_values"], axis, modes, interior=[1, 0, 2]))
        plan = tensorpad.Plan(x.shape, 2, modes, interior=[1, 0, 2], dtype="i2", **words)
        first = tuple(extent // 3 for extent in shape)
        box = plan.box(x, first, [extent - start for start, extent in zip(first, shape)])
        same(box, got[tuple(map(slice, first, shape))])
        other = tensorpad.Plan(x.shape, 2, modes, interior=[1, 0, 2], dtype="i2")
        assert plan != other and hash(plan) == hash(pickle.loads(pickle.dumps(plan)))


def test_colours_of_lists():
    words = {"constant_values": [7, 8, 9], "constant_axis": 0}
    got = tensorpad.pad_batch([[1], [2, 3, 4]], **words)
    assert got.tolist() == [[1, 8, 9], [2, 3, 4]]
    words = {"constant_values": [7, 8], "constant_axis": 1}
    got = tensorpad.pad_batch([[[1], [2, 3]], [[4]]], **words)
    assert got.tolist() == [[[1, 8], [2, 3]], [[4, 8], [7, 8]]]
    with pytest.raises(ValueError, match="of lists of lists has to be their last axis"):
        tensorpad.pad_batch([[[1], [2, 3]], [[4]]], constant_values=[7, 8], constant_axis=0)


@pytest.mark.parametrize("make", [list, tuple, lambda values: np.array(values, "u8")])
def test_small_and_large_integers_in_one_list(make):
    """numpy.asarray would make floats of the list, and round them."""
    words = {"constant_values": make([1, 2**64 - 1, 2**63 + 1]), "constant_axis": 0}
    x, expected = np.array([5], "u8"), [1, 5, 2**63 + 1]
    assert tensorpad.pad(x, 1, **words).tolist() == expected
    assert tensorpad.Plan((1,), 1, dtype="u8", **words)(x).tolist() == expected
    assert tensorpad.pad_to(x, 3, **words).tolist() == expected
    large = [2**60 + 1, 0, 2**53 + 1]
    assert tensorpad.pad([5], 1, constant_values=large, constant_axis=0)[2] == 2**53 + 1


@pytest.mark.parametrize("dtype", ["u1", "<f4", ">f4", "c16", "?", "f8"])
@pytest.mark.parametrize("extent", [1, 3, 16, 17, 32, 33, 300])
def test_few_and_many_values_of_each_kind(dtype, extent):
    """Few plain numbers and arrays of the type are read in C, all others by NumPy."""
    values = np.arange(3, 3 + extent) % (2 if dtype == "?" else 251)
    x, expected = np.zeros((1, extent), dtype), values.astype(dtype)
    given = np.repeat(expected, 2)
    forms = [values.tolist(), tuple(values.tolist()), expected, given[::2], expected[::-1][::-1]]
    for form in (*forms, values, values.astype("f4"), [np.int64(value) for value in values]):
        made = tensorpad.pad(x, [(1, 0), (0, 0)], constant_values=form, constant_axis=1)
        assert made.dtype == x.dtype and made[0].tobytes() == expected.tobytes()
    for form in (values.tolist()[1:], expected[1:], given[None, ::2]) if extent > 1 else ():
        with pytest.raises(ValueError, match=f"axis 1 of the result has {extent} cells"):
            tensorpad.pad(x, 1, axes=0, constant_values=form, constant_axis=1)
