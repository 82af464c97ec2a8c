"""One rule for integers and one for constants, in every function: an integer is what has __index__, and a
constant is an error if the type cannot hold it. Only `pad` converts constants as numpy.pad does.

SPDX-License-Identifier: MIT
"""

import operator
import warnings
from decimal import Decimal
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest
import tensorpad
from tensorpad import mli, ngraph, onnx, openvino

V4 = np.arange(3, dtype="f4")
M4 = np.zeros((2, 3), "f4")
PACKED = np.array([0x21], "u1")
PLAN = tensorpad.Plan((2, 3), 1, dtype="f4")

# ---- Integers ------------------------------------------------------------------------------------

# Each argument, or entry of a list, that is an integer.
INTEGERS = {
    "interior": lambda n: tensorpad.pad(M4, 1, interior=n),
    "interior list": lambda n: tensorpad.pad(M4, 1, interior=[0, n]),
    "interior dict": lambda n: tensorpad.pad(M4, 1, interior={1: n}),
    "axes list": lambda n: tensorpad.pad(M4, 1, axes=[n]),
    "axes": lambda n: tensorpad.pad(M4, 1, axes=n),
    "dict of widths": lambda n: tensorpad.pad(M4, {0: n}),
    "dict by axis": lambda n: tensorpad.pad(M4, {n: 1}) if n.__hash__ else operator.index(n),
    "threads": lambda n: tensorpad.pad(M4, 1, threads=n),
    "set_threads": lambda n: tensorpad.set_threads(n),
    "pad_to shape": lambda n: tensorpad.pad_to(M4, (2, n), too_long="crop_end"),
    "pad_to multiple": lambda n: tensorpad.pad_to(M4, multiple=(2, n)),
    "pad_to align": lambda n: tensorpad.pad_to(M4, 4, align=("start", n)),
    "pad_to axes": lambda n: tensorpad.pad_to(M4, 4, axes=[n]),
    "pad_to square": lambda n: tensorpad.pad_to(M4, square=(0, n)),
    "pad_batch shape": lambda n: tensorpad.pad_batch([V4], shape=(n,), too_long="crop_end"),
    "pad_batch multiple": lambda n: tensorpad.pad_batch([V4], multiple=(n,)),
    "pad_batch align": lambda n: tensorpad.pad_batch([V4], shape=5, align=(n,)),
    "pad_batch threads": lambda n: tensorpad.pad_batch([V4], threads=n),
    "unpad_batch align": lambda n: tensorpad.unpad_batch(np.zeros((1, 4)), [2], align=[n]),
    "pad_shape": lambda n: tensorpad.pad_shape((2, n), 1),
    "pad_shape whole": lambda n: tensorpad.pad_shape(n, 1),
    "Plan": lambda n: tensorpad.Plan((2, n), 1),
    "Plan whole": lambda n: tensorpad.Plan(n, 1),
    "Plan.box first": lambda n: PLAN.box(M4, (n, 0), (1, 1)),
    "Plan.box extents": lambda n: PLAN.box(M4, (0, 0), (1, n)),
    "Plan.box in_first": lambda n: PLAN.box(M4, (0, 0), (1, 1), in_first=(n, 0)),
    "Plan.needs first": lambda n: PLAN.needs((n, 0), (1, 1)),
    "Plan.needs extents": lambda n: PLAN.needs((0, 0), (1, n)),
    "Plan.sources axis": lambda n: PLAN.sources(n),
    "Plan.sources start": lambda n: PLAN.sources(0, n),
    "Plan.sources stop": lambda n: PLAN.sources(0, 0, n),
    "pad_packed shape": lambda n: tensorpad.pad_packed(PACKED, (n,), "int4", 0),
    "onnx pads": lambda n: onnx.pad(V4, [n, 1]),
    "onnx pads in a tuple": lambda n: onnx.pad(V4, (1, n)),
    "onnx pads of opset 2": lambda n: onnx.pad(V4, [n, 1], opset=2),
    "onnx axes": lambda n: onnx.pad(M4, [1, 1], axes=[n]),
    "onnx opset": lambda n: onnx.pad(V4, [1, 1], opset=n),
    "onnx threads": lambda n: onnx.pad(V4, [1, 1], threads=n),
    "onnx pad_packed pads": lambda n: onnx.pad_packed(PACKED, (2,), "int4", [n, 1]),
    "onnx pad_packed shape": lambda n: onnx.pad_packed(PACKED, (n,), "int4", [0, 1]),
    "openvino begin": lambda n: openvino.pad(V4, [n], [1], 0, "constant"),
    "openvino end": lambda n: openvino.pad(V4, [1], [n], 0, "constant"),
    "openvino version": lambda n: openvino.pad(V4, [1], [1], 0, "constant", version=n),
    "openvino pad_packed": lambda n: openvino.pad_packed(
        PACKED, (2,), "i4", [n], [1], 0, "constant"
    ),
    "ngraph below": lambda n: ngraph.pad(V4, 0, [n], [1]),
    "ngraph above": lambda n: ngraph.pad(V4, 0, [1], [n]),
    "ngraph interior": lambda n: ngraph.pad(V4, 0, [1], [1], [n]),
    "mli": lambda n: mli.padding2d(np.zeros((1, 2, 2), "i1"), layout="chw", padding_left=n),
}
WHOLE = {"pad_shape whole", "Plan whole", "axes", "interior"}  # these may be lists, too


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
        pytest.skip("an array is no key of a dict")
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
        pytest.skip("no key of a dict")
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
    means = ("axes", "threads", "set_threads", "pad_to shape", "pad_to multiple", "pad_batch shape",
             "pad_batch multiple", "pad_batch threads", "Plan.sources stop", "onnx threads")  # fmt: skip
    if place in means:
        INTEGERS[place](None)
        return
    with pytest.raises(TypeError):
        INTEGERS[place](None)


@pytest.mark.parametrize("place", INTEGERS)
@pytest.mark.parametrize("one", [2**70, -(2**70), 2**63])
def test_integers_of_more_than_64_bits(place, one):
    if place == "unpad_batch align" and one < 0:
        pytest.skip("the cells before the batch were cut off")
    with pytest.raises((ValueError, IndexError)) as caught:
        INTEGERS[place](one)
    text = str(caught.value)
    assert str(one) in text or str(2**63 - 1) in text or place == "onnx opset", text


@pytest.mark.parametrize("width", [1.7, "1", np.float64(1), True, np.uint8(1), None, np.array([1.7]), 2**70,
                                   [1.7, 1], ["1", "2"], [[1.5, 1], [1, 1]], np.array([1]), (True, 1), np.int8(1),
                                   np.array([], int), np.zeros((0, 2), int), np.zeros((2, 0), int), [], [[]]], ids=repr)  # fmt: skip
def test_pad_width_is_numpys(width):
    """`pad_width` is what numpy.pad takes, in every function that has it, and refused in its words."""
    calls = (
        lambda: tensorpad.pad(M4, width),
        lambda: tensorpad.Plan(M4.shape, width).out_shape,
        lambda: tensorpad.pad_shape(M4.shape, width),
        lambda: tensorpad.unpad(np.zeros((4, 5)), width),
        lambda: tensorpad.pad_border(np.zeros((4, 5)), width),
        lambda: tensorpad.show(M4.shape, width),
        lambda: tensorpad.pad_adjoint(np.zeros((4, 5)), M4.shape, width),
    )
    try:
        expected = np.pad(M4, width)
    except Exception as theirs:
        for call in calls:
            with pytest.raises(type(theirs)) as ours:
                call()
            assert str(ours.value) == str(theirs)
        return
    assert calls[0]().shape == calls[1]() == calls[2]() == expected.shape
    assert calls[3]().shape == M4.shape


def test_nested_and_other_lists_of_pads():
    """What is no array of NumPy is read as integers, whatever holds it."""
    expected = onnx.pad(V4, [1, 2])
    import array

    for pads in (range(1, 3), (np.int64(1), 2), array.array("q", [1, 2]), array.array("b", [1, 2])):
        assert np.array_equal(onnx.pad(V4, pads), expected)
        assert np.array_equal(onnx.pad(V4, pads, opset=2), expected)
    assert np.array_equal(onnx.pad(V4, [[1, np.int8(2)]], lenient=True), expected)
    for pads in (array.array("d", [1.7, 2]), [[1.7, 2]], "12", b"12", {1: 2}, 1.7):
        for opset in (2, 25):
            with pytest.raises((TypeError, ValueError)):
                onnx.pad(V4, pads, lenient=True, opset=opset)
    with pytest.raises(TypeError, match="^pads has to be integers, got 1.7$"):
        onnx.pad(V4, [1.7, 1.2])
    with pytest.raises(TypeError, match="^pads_begin has to be integers, got '1'$"):
        openvino.pad(V4, ["1"], ["2"], 0, "constant")


# ---- Constants -----------------------------------------------------------------------------------

CONSTANTS = {
    "pad_to": lambda a, c: tensorpad.pad_to(a, 3, align="end", constant_values=c)[:1],
    "pad_to sides": lambda a, c: tensorpad.pad_to(a, 3, align="end", constant_values=(c, c))[:1],
    "pad_batch": lambda a, c: tensorpad.pad_batch([a], shape=3, align="end", constant_values=c)[0, :1],
    "pad_batch_dict": lambda a, c: tensorpad.pad_batch_dict(
        [{"k": a}], shape=3, align="end", constant_values={"k": c})["k"][0, :1],
    "pad_border": lambda a, c: tensorpad.pad_border(np.zeros(3, a.dtype), 1, constant_values=c)[:1],
    "Plan": lambda a, c: tensorpad.Plan((2,), 1, dtype=a.dtype, constant_values=c)(a)[:1],
    "onnx": lambda a, c: onnx.pad(a, [1, 1], c)[:1],
    "openvino": lambda a, c: openvino.pad(a, [1], [1], c, "constant", version=12)[:1],
    "ngraph": lambda a, c: ngraph.pad(a, c, [1], [1])[:1],
}  # fmt: skip
SPECS = ("onnx", "openvino", "ngraph")
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


@pytest.mark.filterwarnings("ignore")
def test_pad_converts_as_numpy_does():
    for dtype in TYPES:
        data = np.zeros(2, dtype)
        for number in (*NUMBERS, "7", b"7", None, 1j):
            try:
                expected = np.pad(data, 1, constant_values=number)
            except Exception as error:
                with pytest.raises(type(error)):
                    tensorpad.pad(data, 1, constant_values=number)
                continue
            assert tensorpad.pad(data, 1, constant_values=number).tobytes() == expected.tobytes()


def test_attributes_of_old_versions_of_onnx():
    """Up to opset 10 the value is a float32."""
    data = np.zeros(2, "f8")
    assert onnx.pad(data, [1, 0], 0.1, opset=2)[0] == np.float32(0.1)
    assert onnx.pad(data, [1, 0], np.array([7]), opset=2)[0] == 7
    assert np.isinf(onnx.pad(data, [1, 0], float("inf"), opset=2)[0])
    for value, error in (
        ("7", TypeError),
        (1j, TypeError),
        (1e300, OverflowError),
        (2**2000, OverflowError),
    ):
        with pytest.raises(error, match="^constant_value "):
            onnx.pad(data, [1, 0], value, opset=2)


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
