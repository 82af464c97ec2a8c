"""Refused calls and their sentences, and outputs. A call that is refused leaves its arguments and its output
untouched."""

import math
import operator
import pickle
import re

import ml_dtypes
import numpy as np
import pytest
import tensorpad
from calls import MODES, OUTS, PADDED, SHAPE, WRITES
from tensorpad import SpecError

F4 = np.zeros(2, "f4")
X = np.arange(6, dtype="f4").reshape(2, 3)
EYE = np.eye(3)
BYTES = np.zeros(8, "u1")
HUGE = 2305843009213693951
PLAN = tensorpad.Plan((2, 3), 1, dtype="f4")
ROWS = [
    {"input_ids": [5, 8, 2], "attention_mask": [1, 1, 1], "labels": 1, "weight": 0.5},
    {"input_ids": [7], "attention_mask": [1], "labels": 0, "weight": 2},
]
RGBA = np.zeros((4, 5, 4), "u1")
HWC, G = {"layout": "hwc"}, np.arange(7, dtype="f4")
KNOWN = f".*: it is one of {', '.join(MODES)}, empty, linear_ramp, maximum, mean, median, "
CONSTANTS_ARE = (
    r"^constant_values of shape \(3,\): it is one for each colour with constant_axis=-1 \(or for each "
    r"cell of another axis\); without it one value, a pair \(before, after\), or a pair for each of 2 axes$"
)


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


# A function, and for each row the arguments, the keywords, the error and how its sentence begins.
PAD = [
    (EYE, -2, {}, ValueError, "axis 0: output extent -1 is below 0 .*; crop less$"),
    (EYE, 2**62, {}, ValueError, f"axis 0: amount {2**62} is beyond {HUGE} in magnitude$"),
    (EYE, 2**61 - 9, {}, ValueError, f"axis 0: output extent {2**62 - 15} exceeds {HUGE} "),
    (EYE, 1, {"interior": -1}, ValueError, f"axis 0: interior -1 is not between 0 and {HUGE}$"),
    (EYE, 1, {"interior": 1.5}, TypeError, "interior has to be integers, got 1.5$"),
    (EYE, 1, {"interior": [1]}, ValueError, "interior has 1 entries, for 2 axes$"),
    (EYE, 1, {"interior": 1, "constant_values": (1, 2)}, ValueError, "with interior .* only one"),
    (EYE, 1, {"order": "first"}, ValueError, "order has to be 'window' or 'crop', got 'first'$"),
    (EYE, 1, {"axes": 2}, np.exceptions.AxisError, "axis 2 is out of bounds for .* dimension 2$"),
    (EYE, 1, {"axes": (0, -2)}, ValueError, r"axes names an axis twice: \(0, -2\)$"),
    (EYE, {2: 1}, {}, IndexError, "axis 2 is out of bounds for array of dimension 2$"),
    (EYE, {0: 1.5}, {}, TypeError, "`pad_width` must be of integral type.$"),
    (EYE, {0: 1}, {"axes": 0}, ValueError, "axes cannot be given when pad_width is a dict"),
    (EYE, 1, ["edge", "mean"], {}, ValueError, "mode 'mean' .*: it has to be the only mode"),
    (EYE, 1, ["edge", "mirror"], {}, ValueError, "mode 'mirror' is not supported: "),
    (EYE, 1, ["edge", max], {}, ValueError, "mode <built-in .*> is computed by NumPy: it has"),
    (EYE, 1, ["edge"], {}, ValueError, "mode has 1 entries, for 2 axes$"),
    (EYE, 1, {"threads": 0}, ValueError, "threads has to be at least 1, got 0$"),
    (EYE, 1, {"threads": 1.5}, TypeError, "threads has to be an integer, got 1.5$"),
    (np.zeros((1,) * 17), -1, {}, ValueError, "index can't contain negative values$"),
    ({}, TypeError, r"pad\(\) missing 2 required positional arguments: 'array' and 'pad_width'$"),
    (EYE, {}, TypeError, r"pad\(\) missing 1 required positional argument: 'pad_width'$"),
    (RGBA, 1, "mean", {"constant_axis": 0}, ValueError, "constant_axis is for"),
    (
        RGBA,
        1,
        "edge",
        {"constant_values": [1] * 4, "constant_axis": 2},
        ValueError,
        "unsupported ke",
    ),
    # words for modes
    (EYE, 1, "replicate", {}, ValueError, "mode 'replicate' .*: here it is called edge$"),
    (EYE, 1, "circular", {}, ValueError, ".*: here it is called wrap$"),
    (EYE, 1, "BORDER_REFLECT", {}, ValueError, ".*: here it is called symmetric$"),
    (EYE, 1, "Constant", {}, ValueError, ".*: here it is called constant$"),
    (EYE, 1, ["MEAN", "edge"], {}, ValueError, "mode 'MEAN' is not .*: here it is called mean$"),
    (EYE, 1, "mirror", {}, ValueError, r".*called reflect \(SciPy\) or symmetric \(ITK, libvips"),
    (EYE, 1, "grid-mirror", {}, ValueError, "here it is called symmetric$"),
    ([[1, 2], [3]], 1, {}, ValueError, "^lists of different lengths: pad_batch pads them"),
    (EYE, 1, {"cval": 1}, ValueError, "did you mean constant_values"),
    (EYE, (1, 1, 1, 1), {}, ValueError, r"tensorpad\.torch\.functional\.pad takes a flat list"),
    (
        RGBA,
        1,
        {"interior": [1, 1]},
        ValueError,
        r"for 3 axes: axes=\(0, 1\) or axes=\(-2, -1\) says",
    ),
    (np.arange(3), 1, {"constant_values": np.inf}, OverflowError, r"integer: x\.astype\(float\)"),
    (EYE, 1, "symetric", {}, ValueError, f"{KNOWN}minimum .did you mean symmetric[?].$"),
    (EYE, 1, "nonsense", {}, ValueError, f"{KNOWN}minimum$"),
    (EYE, 1, ["edge", "nonsense"], {}, ValueError, f"{KNOWN}minimum$"),
    (EYE, 1, np.array(3), {}, ValueError, f"{KNOWN}minimum$"),
    (EYE, 1, "edge\0junk", {}, ValueError, f"{KNOWN}minimum"),
    # what was meant
    (EYE, 1, {"constant_values": (1, 2, 3)}, ValueError, CONSTANTS_ARE),
    (
        EYE,
        1,
        {"constant_value": 1},
        ValueError,
        ".*'constant_value'} .did you mean constant_values",
    ),
    (EYE, 1, {"stat_length": 1}, ValueError, "unsupported .* 'constant': {'stat_length'}$"),
    (EYE, [(1, 1)] * 3, {"axes": 1}, ValueError, r"pad_width of shape \(3, 2\): .* each of 1 axes"),
    (np.eye(2, 3), [(1, 1)] * 3, {}, ValueError, r"pad_width .*: it is one number, a pair \("),
    (EYE, 1, ["edge"] * 2, {"reflect_type": "odd"}, ValueError, "reflect_type 'odd' is computed"),
    (
        EYE,
        1,
        "edge",
        {"interior": 1, "stat_length": 1},
        ValueError,
        "unsupported .*{'stat_length'}$",
    ),
]
PAD_TO = [
    # shape
    ({"shape": 2}, ValueError, r"axis 1: 3 cells do not fit into 2: .*larger target.*too_long"),
    ({"shape": (4,)}, ValueError, "shape has 1 entries, for 2 axes"),
    ({"shape": (4, 4, 4)}, ValueError, "shape has 3 entries, for 2 axes"),
    ({"shape": ()}, ValueError, "shape has 0 entries, for 2 axes"),
    ({"shape": (4, 4), "axes": 0}, ValueError, "shape has 2 entries, for 1 axes"),
    ({"shape": (4, -1)}, ValueError, "axis 1: shape has to be at least 0, got -1: None keeps"),
    ({"shape": 2**62}, ValueError, "axis 0: the target extent 4611686018427387904 is not"),
    ({"shape": (4, 10**30)}, ValueError, "axis 1: shape is 10{30}, which is more than 64 bits"),
    ({"shape": 2**40}, ValueError, "axis 1: with output extent 1099511627776 the number of"),
    ({"shape": 2**24}, MemoryError, "Unable to allocate"),
    ({"shape": True}, TypeError, "shape has to be integers or None, got True"),
    ({"shape": False}, TypeError, "shape has to be integers or None, got False"),
    ({"shape": [4, np.True_]}, TypeError, "shape has to be integers or None, got np.True_"),
    ({"shape": 4.0}, TypeError, "shape has to be integers or None, got 4.0"),
    ({"shape": [4, math.nan]}, TypeError, "shape has to be integers or None, got nan"),
    ({"shape": "44"}, TypeError, "shape has to be integers or None, got '44'"),
    ({"shape": {2: 4}}, IndexError, "axis 2 is out of bounds for array of dimension 2"),
    # multiple
    ({"multiple": 0}, ValueError, "axis 0: multiple has to be at least 1, got 0"),
    ({"multiple": [None, -32]}, ValueError, "axis 1: multiple has to be at least 1, got -32"),
    ({"multiple": 1.5}, TypeError, "multiple has to be integers, 'power_of_two' or None, got 1.5"),
    (
        {"multiple": False},
        TypeError,
        "multiple has to be integers, 'power_of_two' or None, got False",
    ),
    ({"multiple": "two"}, TypeError, "multiple has to be integers, 'power_of_two' or None"),
    ({"multiple": [2, 2, 2]}, ValueError, "multiple has 3 entries, for 2 axes"),
    # buckets
    ({"buckets": [1, 2]}, ValueError, "axis 1: 3 cells do not fit into the largest of buckets, 2"),
    ({"buckets": []}, ValueError, "buckets has no extents"),
    ({"buckets": [-8]}, ValueError, "buckets have to be at least 0, got -8"),
    ({"buckets": range(65)}, ValueError, "buckets has 65 extents, at most 64 are supported"),
    ({"buckets": [8], "multiple": 2}, ValueError, "axis 0 takes buckets, or shape and multiple"),
    ({"buckets": {0: [8]}, "shape": 8}, ValueError, "axis 0 takes buckets, or shape and multiple"),
    ({"buckets": 8}, TypeError, "buckets has to be integers, got 8"),
    ({"buckets": ["8"]}, TypeError, "buckets has to be integers, got '8'"),
    ({"buckets": {2: [8]}}, ValueError, "axis 2 is out of bounds"),
    ({"multiple": 2**61}, ValueError, "axis 0: the multiple 2305843009213693952 is not between"),
    ({"shape": 2**61 - 2, "multiple": 2**60}, ValueError, "axis 0: the extent .* multiple"),
    # square
    ({"square": 1}, ValueError, "square has to name two axes, got 1"),
    ({"square": (0,)}, ValueError, r"square has to name two axes, got \(0,\)"),
    ({"square": (0, 0)}, ValueError, r"square names an axis twice: \(0, 0\)"),
    ({"square": (0, -2)}, ValueError, r"square names an axis twice: \(0, -2\)"),
    ({"square": (0, 2)}, IndexError, "axis 2 is out of bounds"),
    ({"square": (0, 1), "axes": [1]}, ValueError, r"square names axis 0, .* axes \[1\]"),
    ({"square": "ab"}, TypeError, "integer"),
    # axes
    ({"shape": 4, "axes": 2}, IndexError, "axis 2 is out of bounds"),
    ({"shape": 4, "axes": (0, -2)}, ValueError, "axes names an axis twice"),
    # words
    ({"shape": 4, "align": "centre"}, ValueError, "align 'centre' .* called center$"),
    ({"shape": 4, "align": "CENTER"}, ValueError, "align 'CENTER' .* called center$"),
    ({"shape": 4, "align": "left"}, ValueError, "align 'left' .*'start' if the data .* 'end'"),
    ({"shape": 4, "align": "offset"}, ValueError, "align 'offset' .* one of start, center, end"),
    ({"shape": 4, "align": None}, TypeError, "align has to be words or integers, got None"),
    ({"shape": 4, "align": True}, TypeError, "align has to be words or integers, got True"),
    ({"shape": 4, "align": 1.5}, TypeError, "align has to be words or integers, got 1.5"),
    ({"shape": 4, "align": ["start"]}, ValueError, "align has 1 entries, for 2 axes"),
    ({"shape": 4, "align": 10**30}, ValueError, "axis 0: align is 10{30}, which is more than 64"),
    ({"shape": 4, "align": 2**62}, ValueError, "axis 0: the offset 4611686018427387904 is "),
    ({"shape": 4, "align": 2}, ValueError, "axis 1: 3 cells at that offset do not fit into 4"),
    ({"shape": 4, "align": -1}, ValueError, "axis 0: 2 cells at that offset do not fit into 4"),
    ({"shape": 4, "too_long": "truncate"}, ValueError, "too_long .* called crop_end$"),
    ({"shape": 4, "too_long": "crop-end"}, ValueError, "too_long .* called crop_end$"),
    ({"shape": 4, "too_long": "?"}, ValueError, "too_long .* one of error, crop, crop_end"),
    (
        {"shape": 4, "too_long": "crop_end\0"},
        ValueError,
        "too_long .* one of error, crop, crop_end",
    ),
    ({"shape": 4, "align": "end\0junk"}, ValueError, "align .* one of start, center, end"),
    ({"shape": 4, "too_long": 3}, ValueError, "too_long 3 is not known: it is one of error"),
    ({"shape": 4, "mode": "mirror"}, ValueError, "mode 'mirror' .* called reflect"),
    ({"shape": 4, "mode": ["edge", "mean"]}, ValueError, "mode 'mean' is computed by NumPy"),
    ({"shape": 4, "mode": ["edge"]}, ValueError, "mode has 1 entries, for 2 axes"),
    ({"shape": 2, "too_long": "crop_end", "mode": "mean"}, ValueError, "axis 1: .* not crop 3"),
    # constants, threads, what is not known
    ({"shape": 4, "mode": "edge", "constant_values": 1}, ValueError, "unsupported keyword"),
    ({"shape": 4, "constant_values": "x"}, TypeError, "elements of float32 are numbers, .* str"),
    ({"constant_values": [1, 2, 3]}, ValueError, r"constant_values of shape \(3,\): .* of 2 axes"),
    ({"shape": 4, "threads": 0}, ValueError, "threads has to be at least 1, got 0"),
    ({"shape": 4, "interior": 1}, TypeError, "unexpected keyword argument 'interior'$"),
    ({"value": 1}, TypeError, "keyword argument 'value' .did you mean constant_values[?]"),
    ({"axis": 1}, TypeError, "unexpected keyword argument 'axis' .did you mean axes[?]"),
    ({"shape": 4, "align": "strat"}, ValueError, "align 'strat' is .* .did you mean start[?].$"),
    ({"shape": 4, "mode": "reflect", "reflect_type": "odd"}, TypeError, "unexpected keyword"),
]
PAD_BATCH = [
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
    ([np.zeros(1, "S2"), np.zeros(1, "U3")], {}, TypeError, "^item 1 has type"),
    ([["a"], np.zeros(1)], {}, TypeError, "^item 0: NumPy makes elements of type <U1"),
    ([["a"], [b"a"]], {}, TypeError, "^item 0: NumPy makes elements of type <U1"),
    ([["a"], ["b", 1]], {}, TypeError, "^item 0: NumPy makes .*: give dtype=float, for which None"),
    ([["a"], ["b", "c"]], {"shape": 1}, ValueError, "^item 1, axis 0: 2 cells do not fit into 1"),
    ([["a"]], {"out": np.empty((1, 1), "U2")}, TypeError, "out has type <U2, the array <U1"),
    ([np.array(["ab"], "O")], {"dtype": "T"}, TypeError, "^item 0: Cannot cast"),
    ([np.zeros(1, "M8[s]"), np.zeros(1, "M8[D]")], {}, TypeError, "^item 1 has type"),
    ([np.zeros(1, "i1"), np.zeros(1, ml_dtypes.int4)], {}, TypeError, "^item 1 has type int4"),
    ([F4, np.zeros(2, "O")], {}, TypeError, "^item 1: elements of type object cannot"),
    ([np.zeros(2, "V0")], {}, TypeError, "^item 0: elements of type"),
    ([[1]], {"dtype": "nonsense"}, TypeError, "nonsense"),
    ([[1], "ab"], {}, TypeError, "^item 1: arrays or lists of .* got <class 'str'"),
    ([b"ab"], {}, TypeError, "^item 0: arrays or lists .* <class 'bytes'"),
    ("ab", {}, TypeError, "^item 0: arrays or lists"),
    ({1: 2}, {"dtype": "f8", "mode": "mean"}, ValueError, "'mean' is computed by NumPy"),
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
    ([F4], {"max_length": 8}, TypeError, "did you mean shape"),
    ([F4], {"padding_side": "left"}, TypeError, "did you mean align"),
    ([F4], {"divisor": 8}, TypeError, "did you mean multiple"),
    ([F4], {"too_long": "cut"}, ValueError, "too_long 'cut' is not known"),
    ([F4], {"constant_values": (1, 2)}, ValueError, "takes one constant value, or one for each"),
    ([1, 2, 3], {"shape": 5}, ValueError, r"single numbers, .* no axes for shape .*pad_batch\(\[x"),
    (np.arange(3), {"multiple": 5}, ValueError, "which have no axes for shape and multiple"),
    ([F4], {"constant_values": "x"}, TypeError, "constant_values 'x': elements of float32 are"),
    ([np.zeros(2, ">i2")], {"constant_values": 2**15}, OverflowError, "32768: >i2 holds .* 32767"),
    ([[1]], {"constant_values": 2**63}, OverflowError, "int64 holds integers"),
    ([F4], {"threads": 0}, ValueError, "threads has to be at least 1"),
    (5, {}, TypeError, "not iterable"),
    ([], {}, ValueError, "^pad_batch: no items"),
    ((one for one in ()), {}, ValueError, "no items"),
]
UNPAD_BATCH = [
    ([3, 1, 2], {}, ValueError, "lengths are of 3 items, the batch has 2"),
    ([4, 1], {}, ValueError, "item 0, axis 0: the length 4 is not between 0 and 3"),
    ([1, -1], {}, ValueError, "item 1, axis 0: the length -1 is not between 0 and 3"),
    ([1, 3], {"align": 1}, ValueError, "item 1, axis 0: 3 cells from 1 on are not in 3"),
    ([1.0, 2.0], {}, TypeError, "integers, got float64"),
    ([[1, 2], [1, 2]], {}, ValueError, r"shape \(2, 2\) are not those of .* \(2, 3\)"),
    ([[[1], [2]]] * 2, {}, ValueError, r"shape \(2, 2, 1\) are not those"),
    (3, {}, ValueError, r"shape \(\) are not those"),
    ([1, 2], {"align": "left"}, ValueError, "align 'left' is not known"),
    ([1, 2], {"align": ["end", "end"]}, ValueError, "align has 2 entries, for 1 axes"),
    ([1, 2], {"align": 0.5}, TypeError, "align has to be words or integers, got 0.5"),
    ([1, 2], {"align": True}, TypeError, "align has to be words or integers, got True"),
    ([1, 2], {"align": {1: "end"}}, IndexError, "axis 1 is out of bounds"),
    ([1, 2], {"align": {-2: "end"}}, IndexError, "axis -2 is out of bounds"),
    ([0, 2], {"align": 9}, ValueError, "item 1, axis 0: 2 cells from 9 on are not in 3"),
    (np.array([1, 2**64 - 1], "u8"), {}, ValueError, "item 1, axis 0: the length 18446744073709"),
    (["a", "b"], {}, TypeError, "integers, got <U1"),
]
PAD_BATCH_DICT = [
    ([], {}, ValueError, "no items"),
    ([ROWS[0], {}], {}, ValueError, "^item 1 has no key '.*', which item 0 has"),
    ([{"a": 1}, {"a": 1, "b": 2}], {}, ValueError, "^item 0 has no key 'b', which item 1 has"),
    ([{"a": 1}, [1]], {}, TypeError, "^item 1: dicts are wanted, got <class 'list'>"),
    ([{"a": [1]}, {"a": "text"}], {}, TypeError, "^key 'a': item 1: arrays or lists"),
    ([{"a": 1}, {"a": None}], {}, TypeError, "^key 'a': item 0: NumPy makes .* dtype=float, for"),
    ([{"a": [1]}, {"a": [2, 3]}], {"shape": 1}, ValueError, "^key 'a': item 1, axis 0: 2 cells"),
    ([{"a": 1}, {"a": [2]}], {}, ValueError, "^key 'a': item 1 has 1 axis, item 0 has 0"),
    ([{"a": [1]}, {"a": [2.0]}], {"dtype": {"a": "nonsense"}}, TypeError, "^key 'a': "),
    (ROWS, {"mask": "attention_mask"}, ValueError, "have the key 'attention_mask' already"),
    ([{"a": 1}, {"a": 2}], {"mask": "m"}, ValueError, "mask: no key has items that are padded"),
    (ROWS, {"mask": True}, TypeError, "mask has to be the name of a key to add, got True"),
    (ROWS, {"mode": "mean"}, ValueError, "^key 'input_ids': mode 'mean'"),
    ({"a": [[1], [2]], "b": [[1]]}, {}, ValueError, "^key 'b' has 1 items, key 'a' has 2"),
    ({"a": []}, {}, ValueError, "^key 'a': no items"),
]
OTHERS = {
    "pad_shape": [
        ((0, 3), 1, "edge", {}, ValueError, "axis 0: mode edge has no element to fill 2 cells"),
        ((1,) * 17, 1, {}, ValueError, "at most 16 axes are supported, got 17$"),
    ],
    "unpad_batch": [
        (np.zeros((1, 3, 4)), [[[1], [2]]], {}, ValueError, "lengths are of 2 lists .* has 3$"),
        (np.zeros((1, 2, 4)), [[[1], [5]]], {}, ValueError, "item 0, list 1, axis 1: the length 5"),
        (np.float64(1), [], {}, ValueError, r".*a batch of shape \(\)"),
    ],
    "unpad": [
        (EYE, -1, {}, ValueError, r"axis 0: the amounts \(-1, -1\) are negative: .*gone$"),
        (EYE, 2, {}, ValueError, r"axis 0: no array padded by \(2, 2\) .* has extent 3$"),
        (np.eye(4), 0, {"interior": 1}, ValueError, "axis 0: no array .* interior 1 has extent 4$"),
    ],
    "pad_border": [
        (EYE, -1, {}, ValueError, r"axis 0: the amounts \(-1, -1\) are negative: "),
        (np.eye(2), 1, "edge", {}, ValueError, "axis 0: mode edge has no element to fill 2 cells"),
        (np.broadcast_to(1, (3, 3)), 1, {}, ValueError, "output array is read-only$"),
        (EYE, 1, {"constant_values": (1, 2)}, ValueError, "pad_border takes one constant value"),
    ],
    "show": [
        ((4,), (-3, -3), {}, ValueError, "axis 0: output extent -2 is below 0"),
        ((0,), 1, "reflect", {}, ValueError, "axis 0: mode reflect has no element to fill 2 cells"),
        ((4,), 1, "mean", {}, ValueError, "mode 'mean' is computed by NumPy"),
        ((4,), [[1, 2], [3, 4]], {}, ValueError, r"pad_width of shape \(2, 2\): "),
        ((4,) * 17, 1, {}, ValueError, "at most 16 axes are supported, got 17$"),
        ((-4,), 1, {}, ValueError, "axis 0: input extent -4 is not between 0 and "),
        ((4,), "x", {}, TypeError, "`pad_width` must be of integral type.$"),
    ],
    "pad_packed": [
        (BYTES, (4, 4), "int3", 1, {}, ValueError, "dtype has to be one of uint4, .*, got 'int3'"),
        (BYTES, (4, 4), np.dtype("u1"), 1, {}, ValueError, "dtype has to be one of"),
        (BYTES, None, "int4", 1, {}, TypeError, "shape has to be integers, got None"),
        (BYTES, (4, 5), "int4", 1, {}, ValueError, r".*int4 of shape \(4, 5\) is 10 bytes, got 8"),
        (BYTES, (4, -4), "int4", 1, {}, ValueError, ".*negative extent"),
        (BYTES, (2**40, 2**40), "int4", 1, {}, ValueError, ".*number of elements"),
        (BYTES, (4, 4), "int4", 1, {"constant_values": 8}, ValueError, ".*8: int4 holds -8 to 7$"),
        (BYTES, (4, 4), "int4", 1, {"constant_values": 0.5}, ValueError, ".*constant value 0.5"),
        (BYTES, (4, 4), "nf4", 1, {"constant_values": -1}, ValueError, ".*its bits"),
        (BYTES, (4, 4), "int4", 1, {"out": np.empty(3, "u1")}, ValueError, ".*18 contiguous bytes"),
        (BYTES, (4, 4), "int4", 1, {"stat_length": 3}, TypeError, ".*unexpected keyword"),
        (BYTES.view("f4"), (2, 2), "int4", 1, {}, TypeError, ".*buffer of bytes, got float32"),
    ],
    "Plan": [
        ((2, 2), 1, "nonsense", {}, ValueError, f"{KNOWN}minimum$"),
        (4.5, 1, {}, TypeError, "shape has to be integers, got 4.5$"),
        ((2, 2), 1, {"dtype": object}, TypeError, "a plan pads elements of .* not object: use "),
        ((2, 2), 1, {"dtype": "S0"}, TypeError, "a plan pads elements of 1 to 65536 bytes"),
        ((2, 2), 1, {"constant_values": (1, 2)}, ValueError, "a plan takes one constant value"),
        ((2, 2), -2, {}, ValueError, "axis 0: output extent -2 is below 0"),
        ((2, -2), 1, {}, ValueError, "axis 1: input extent -2 is not between 0 and "),
        ((2, 2), 1, "mean", {}, ValueError, "mode 'mean' is computed by NumPy"),
    ],
    "Plan.run": [
        (X.astype("f8"), {}, TypeError, "the array has type float64, the plan is for float32$"),
        (X.T, {}, ValueError, r"the input has shape \(3, 2\), the plan is for \(2, 3\)$"),
        (F4, {}, ValueError, r"the input has shape \(2,\), the plan is for \(2, 3\)$"),
        (np.float32(2), {}, ValueError, r"the input has shape \(\), the plan is for \(2, 3\)$"),
        (X, {"threads": -1}, ValueError, "threads has to be at least 1, got -1$"),
    ],
    "Plan.box": [
        (X, (0, 0), (4, 6), {}, ValueError, "axis 1: 6 cells from cell 0 on are not inside .* 5$"),
        (X, (-1, 0), (1, 1), {}, ValueError, "axis 0: 1 cells from cell -1 on are not inside"),
        (X, (0,), (1,), {}, ValueError, "a box of this plan has 2 axes$"),
        (X, (0, 0), (-1, 1), {}, ValueError, "axis 0: -1 cells from cell 0 on are not inside"),
        (X, (2**62, 0), (1, 1), {}, ValueError, f"axis 0: 1 cells from cell {2**62} on are not"),
    ],
    "pad_adjoint": [
        (G, 5, (2, 1), {}, ValueError, r"grad .* \(7,\), .* \(5,\) is padded to \(8,\)"),
        (G, (4, 4), 1, {}, ValueError, r"grad has shape \(7,\), .* \(4, 4\) is padded to \(6, 6\)"),
        (G, [1] * 17, 1, {}, ValueError, "at most 16 axes"),
        (G > 1, 4, (2, 1), {}, TypeError, ".*got elements of type bool"),
        (G.astype("M8[s]"), 4, (2, 1), {}, TypeError, "pad_adjoint adds .* datetime64"),
        (G.astype("O"), 4, (2, 1), {}, TypeError, ".*of type object"),
        (np.zeros(7, "V2"), 4, (2, 1), {}, TypeError, r".*type \|V2"),
        (G.astype(ml_dtypes.float8_e5m2), 4, (2, 1), {}, TypeError, ".*type float8_e5m2"),
        (G.astype(">f4"), 4, (2, 1), {}, TypeError, r".*>f4, whose bytes .* use grad\.astype"),
        (G, 4, (2, 1), {"add": True}, ValueError, "add=True adds to what is in out: there is no"),
        (G, 4, (2, 1), "mean", {}, ValueError, ".*computed by NumPy"),
        (G, 4, (2, 1), "mirror", {}, ValueError, ".*is not supported"),
        (G[:2], 0, 1, "edge", {}, ValueError, ".*no element to fill"),
    ],
    # Of the specifications: the attributes of the error.
    "onnx.pad": [
        (X, [0] * 4, {"mode": "wrap", "opset": 18}, SpecError, dict(spec="onnx-18", axis=None)),
        (X, [0] * 4, {"mode": "symmetric"}, SpecError, dict(spec="onnx-25")),
        (X, [0] * 4, {"mode": "edge\0junk"}, ValueError, "embedded null character"),
        (X, [0] * 3, {}, SpecError, dict(spec="onnx-25")),
        (X, None, {}, SpecError, dict(spec="onnx-25")),
        (X, np.zeros(4, "i4"), {}, SpecError, dict(spec="onnx-25")),
        (X, [0] * 4, np.float64(1), {}, SpecError, dict(spec="onnx-25")),
        (X, [0] * 4, np.zeros(2, "f4"), {}, SpecError, dict(spec="onnx-25")),
        (X, [0, 0], {"axes": [2]}, SpecError, dict(spec="onnx-25")),
        (X, [0] * 4, {"axes": [0, -2]}, SpecError, dict(spec="onnx-25")),
        (X, [0, 0], {"axes": [0], "opset": 13}, SpecError, dict(spec="onnx-13")),
        (X, [0, 0], {"axes": [0], "opset": 2}, SpecError, dict(spec="onnx-2")),
        (X.astype("i4"), [0] * 4, {"opset": 2}, SpecError, dict(spec="onnx-2")),
        (X.astype("M8[s]"), [0] * 4, {}, SpecError, dict(spec="onnx-25")),
        (X.astype(ml_dtypes.bfloat16), [0] * 4, {"opset": 11}, SpecError, dict(spec="onnx-11")),
        (X.astype(ml_dtypes.int4), [0] * 4, {"opset": 19}, SpecError, dict(spec="onnx-19")),
        (X, [0] * 4, {"opset": 0}, SpecError, dict(spec="onnx")),
        (X, [0, -2, 0, -2], {}, SpecError, dict(spec="onnx-25", axis=1, got=-1, limit=0)),
        (F4, [1.7, 1.2], {}, TypeError, "pads has to be integers, got 1.7$"),
        *((F4, [1, 0], one, {"opset": 2}, TypeError, "constant_value ") for one in ("7", 1j)),
        *((F4, [1, 0], one, {"opset": 2}, OverflowError, "constant_v") for one in (1e300, 2**2000)),
    ],
    "onnx.pad_packed": [
        (BYTES[:2], (3,), "int4", [1, 0], {"opset": 19}, SpecError, dict(spec="onnx-19")),
    ],
    "openvino.pad": [
        (X, [0, -1], [0, 0], {"pad_mode": "edge"}, SpecError, dict(spec="openvino-1", axis=1)),
        (X, [2, 0], [0, 0], {"pad_mode": "reflect"}, SpecError, dict(axis=0, got=2, limit=1)),
        (X, [3, 0], [0, 0], {}, SpecError, dict(spec="openvino-1")),
        (X, [3, 0], [0, 0], {"pad_mode": "wrap"}, SpecError, dict(spec="openvino-1")),
        (X, [3], [0, 0], {"pad_mode": "edge"}, SpecError, dict(spec="openvino-1")),
        (X, [3, 0], [0, 0], np.ones(1, "f4"), "constant", {}, SpecError, dict(spec="openvino-1")),
        (X, [3, 0], [0, 0], {"pad_mode": "edge\0junk"}, ValueError, "embedded null character"),
        (F4, ["1"], ["2"], 0, "constant", {}, TypeError, "pads_begin has to be integers, got '1'$"),
    ],
    "ngraph.pad": [
        (X, None, [0, 0], [0, 0], {}, SpecError, dict(spec="ngraph")),
        (X, 0, [0, 0], [0, 0], [-1, 0], {}, SpecError, dict(spec="ngraph", axis=0)),
        (X, 0, [0], [0, 0], {}, SpecError, dict(spec="ngraph")),
        (X, 0, [0, 0], [0, 0], {"pad_mode": "WRAP"}, SpecError, dict(spec="ngraph")),
        (X, 0, [0, 0], [0, 0], {"pad_mode": "EDGE\0junk"}, ValueError, "embedded null character"),
        (X, np.int32(0), [0, 0], [0, 0], {}, SpecError, dict(spec="ngraph")),
        (X, [0], [0, 0], [0, 0], {}, SpecError, dict(spec="ngraph")),
        (X[:1], 0, [1, 0], [0, 0], {"pad_mode": "REFLECT"}, SpecError, dict(axis=0)),
    ],
    "mli.padding2d": [
        (RGBA.astype("f4"), {"layout": "hwc"}, SpecError, dict(spec="mli-hwc")),
        (RGBA.view("i1")[0], {"layout": "chw"}, SpecError, dict(spec="mli-chw")),
        (RGBA.view("i1"), HWC | {"padding_left": 256}, SpecError, dict(axis=1, got=256, limit=255)),
        (RGBA.view("i1"), HWC | {"padding_top": -1}, SpecError, dict(spec="mli-hwc", axis=0)),
        (RGBA.view("i1"), {"layout": "nhwc"}, ValueError, ""),
    ],
}
# With constant_axis, in every function that has it.
COLOURS = [
    ((1, 2, 3), -1, ValueError, ".* 3 values, but axis 2 of the result has 4 cells: give a list"),
    (7, -1, ValueError, r"constant_values has the shape \(\)"),
    ([[1, 2, 3, 4]], -1, ValueError, r"constant_values has the shape \(1, 4\)"),
    ((1, 2, 3, 300), -1, OverflowError, ".*300"),
    ((1, 2, 3, 4), 3, np.exceptions.AxisError, "axis 3 is out"),
    ((1, 2, 3, 4), (0, 1), ValueError, r"constant_axis has to be one axis, got \(0, 1\)"),
    ((1, 2, 3, 4), 1.0, TypeError, "constant_axis has to be an integer, got 1.0"),
]
INSIDE = {"axes": (0, 1)}
COLOURED = [({"constant_values": one, "constant_axis": axis}, *row) for one, axis, *row in COLOURS]
MISSING = ({"constant_axis": -1}, ValueError, "constant_axis is for constant_values, .* missing")
BATCH = np.zeros((2, 3))
ROWS_OF = {
    **OTHERS,
    "pad": PAD + [(RGBA, 1, words | INSIDE, *row) for words, *row in [*COLOURED, MISSING]],
    "pad_to": [(X, *row) for row in PAD_TO]
    + [(RGBA, 8, words | INSIDE, *row) for words, *row in [*COLOURED, MISSING]],
    "pad_border": OTHERS["pad_border"]
    + [(RGBA, 1, words | INSIDE, *row) for words, *row in [*COLOURED, MISSING]],
    "pad_batch": PAD_BATCH + [([RGBA, RGBA], *row) for row in [*COLOURED, MISSING]],
    "pad_batch_dict": PAD_BATCH_DICT,
    "Plan": OTHERS["Plan"]
    + [(RGBA.shape, 1, words | INSIDE | {"dtype": "u1"}, *row) for words, *row in COLOURED],
    "unpad_batch": [(BATCH, *row) for row in UNPAD_BATCH] + OTHERS["unpad_batch"],
}
CALLS = {"Plan.run": PLAN, "Plan.box": PLAN.box}
# With these an output is given, too, which stays as it is.
SHAPES = {"pad": (5, 5), "pad_to": (4, 4), "Plan.run": (4, 5)}
REFUSALS = [(name, row) for name, rows in ROWS_OF.items() for row in range(len(rows))]


def memory_of(args):
    """The bytes of all arrays among the arguments."""
    things = [one for arg in args for one in (arg if isinstance(arg, list) else [arg])]
    arrays = [one for one in things if isinstance(one, np.ndarray) and not one.dtype.hasobject]
    return [one.tobytes() for one in arrays]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name, row", REFUSALS)
def test_refusal(name, row):
    *args, words, error, sentence = ROWS_OF[name][row]
    call = CALLS.get(name) or operator.attrgetter(name)(tensorpad)
    rows, columns = SHAPES.get(name, (0, 0))
    memory = np.full((2 * rows, 2 * columns), 7, "f8" if name == "pad" else "f4")
    outs = [{}]
    if rows and args and error is not MemoryError and "constant_axis" not in words:
        outs += [{"out": memory[::2, ::2]}, {"out": memory[:rows, :columns]}]
    before = memory_of(args)
    for more in outs:
        with pytest.raises(error, match="" if error is SpecError else sentence) as caught:
            call(*args, **words, **more)
        assert "\n" not in str(caught.value)
        assert memory_of(args) == before and (memory == 7).all()
    if error is SpecError:
        assert isinstance(caught.value, ValueError)
        assert {key: getattr(caught.value, key) for key in sentence} == sentence


def test_errors_of_the_specifications_travel():
    with pytest.raises(SpecError, match="^axis 0: ") as raised:
        tensorpad.onnx.pad(np.zeros(3), [-2, -2])
    again = pickle.loads(pickle.dumps(raised.value))
    assert vars(again) == vars(raised.value) and str(again) == str(raised.value)


# ---- Outputs -------------------------------------------------------------------------------------

WRITERS = sorted(name for name in WRITES if "packed" not in name and name != "pad_border")


def locked(shape, dtype):
    made = np.full(shape, 7, dtype)
    made.flags.writeable = False
    return made


def overlapping(shape, dtype, row):
    """Rows that begin so many elements behind each other."""
    size = np.dtype(dtype).itemsize
    strides = (99 * size,) * (len(shape) - 2) + (row * size, size)
    return np.lib.stride_tricks.as_strided(np.full(400, 7, dtype), shape, strides)


READ_ONLY = "^output array is read-only$"
SHARED = "^elements of the output array share memory$"
REFUSED = {
    "read-only": (locked, ValueError, READ_ONLY),
    "broadcast": (
        lambda shape, dtype: np.broadcast_to(np.full(shape[-1], 7, dtype), shape),
        ValueError,
        READ_ONLY,
    ),
    "of another shape": (lambda shape, dtype: np.full((*shape[:-1], 5), 7, dtype), ValueError, 0),
    "of more axes": (lambda shape, dtype: np.full((*shape, 1), 7, dtype), ValueError, 0),
    "flat": (lambda shape, dtype: np.full(np.prod(shape), 7, dtype), ValueError, 0),
    "of another type": (lambda shape, dtype: np.full(shape, 7, "f8"), TypeError, "float64"),
    "of another order": (lambda shape, dtype: np.full(shape, 7, f">{dtype}"), TypeError, ">{}"),
    "of integers": (lambda shape, dtype: np.full(shape, 7, "i4"), TypeError, "int32"),
    "a list": (
        lambda shape, dtype: [[7] * 7] * 6,
        TypeError,
        "^out has to be an array that can be written to, got <class 'list'",
    ),
    "bytes": (lambda shape, dtype: b"\7" * 64, TypeError, "uint8"),
    "with one row again": (lambda *of: overlapping(*of, 0), ValueError, SHARED),
    "with rows that overlap": (lambda *of: overlapping(*of, 1), ValueError, SHARED),
    "with rows that overlap a little": (lambda *of: overlapping(*of, 5), ValueError, SHARED),
}


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("kind", REFUSED)
def test_an_output_that_is_refused_stays_as_it_is(writer, kind):
    make, error, sentence = REFUSED[kind]
    shape, dtype = OUTS.get(writer, (PADDED, "f4"))
    out = make(shape, dtype)
    if sentence == 0:
        found, wanted = (re.escape(str(one)) for one in (out.shape, shape))
        sentence = rf"^(out|the output) has shape {found}, the .*{wanted}$"
    elif not sentence.startswith("^"):
        sentence = f"^out has type {sentence.format(dtype)}.* {np.dtype(dtype)}"
    with pytest.raises(error, match=sentence):
        WRITES[writer](np.ones(SHAPE, dtype), "constant", out=out)
    assert (np.frombuffer(out, "u1") if isinstance(out, bytes) else np.asarray(out) == 7).all()


@pytest.mark.parametrize("writer", WRITERS)
def test_an_output_of_any_strides_is_written_and_nothing_beside_it(writer):
    shape, dtype = OUTS.get(writer, (PADDED, "f4"))
    given, expected = np.ones(SHAPE, dtype), np.zeros(shape, dtype)
    WRITES[writer](given, "constant", out=expected)
    assert (expected == 1).any()
    for axes in (range(len(shape)), range(len(shape))[::-1]):
        for steps in ((1, 1), (2, 1), (-1, 2), (-2, -2)):
            memory = np.full([20] * len(shape), 7, dtype).transpose(axes)
            room = memory[(*[slice(1, 19)] * len(shape),)]
            room = room[(..., slice(None, None, steps[0]), slice(None, None, steps[1]))]
            out = room[tuple(map(slice, shape))]
            found = WRITES[writer](given, "constant", out=out)
            assert found is out or writer in OUTS
            assert np.array_equal(out, expected)
            out[...] = 7
            assert (memory == 7).all()
