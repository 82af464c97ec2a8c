"""Elements, types and shapes that `inspect` works out, operator by operator, against ONNX Runtime.

The rows of the tables are an operator, its opsets, its inputs and its attributes, which may be a list of those
of several nodes.

SPDX-License-Identifier: MIT
"""

import itertools

import numpy as np
import onnx.helper as oh
import onnx.numpy_helper as nh
import pytest
from folding import (
    FLOATS,
    I8,
    INTS,
    NAMES,
    U8,
    UNKNOWN,
    F,
    I,
    constant,
    moved,
    number,
    operators,
    rows,
    try_node,
    values,
    worked_out,
)

# ---- Element by element --------------------------------------------------------------------------

BINARY = "Add Sub Mul Div Mod Min Max Equal Less LessOrEqual Greater GreaterOrEqual And Or Xor Sum"
WIDE = {"Add": np.add, "Sub": np.subtract, "Mul": np.multiply}


@pytest.mark.parametrize("op", BINARY.split())
def test_two_inputs(op, tmp_path):
    words = {"And": ["bool"], "Or": ["bool"], "Xor": ["bool"], "Sum": FLOATS}
    pairs = [((2, 3), (3,)), ((), (4,)), ((2, 1, 3), (2, 1)), ((0,), (1,))]
    for word in words.get(op, [*INTS, *FLOATS]):
        dtype = NAMES[word]
        opsets = (16, 21) if word in ("int8", "uint8", "uint32") else (13, 18, 21)
        for opset, (seed, (a, b)) in itertools.product(opsets, enumerate(pairs)):
            x, y = values(dtype, a, seed), values(dtype, b, seed + 50)
            if op in ("Div", "Mod"):
                y = np.where(y == 0, np.array(3, dtype), y).astype(dtype)
            more = {"fmod": 1} if op == "Mod" and (word in FLOATS or seed % 2) else {}
            sure, wide = True, WIDE.get(op)
            if word not in FLOATS and wide:  # a result outside the type stays unknown
                exact = wide(x.astype(object), y.astype(object))
                sure = bool(np.all(exact == wide(x, y).astype(object)))
            if op in ("Min", "Max") and word in FLOATS:
                x = x + dtype(0.125)  # no zeros of two signs
            node = oh.make_node(op, ["a", "b"], ["y"], **more)
            try_node(tmp_path, node, [nh.from_array(x, "a"), nh.from_array(y, "b")], opset, sure)


def test_old_broadcasting(tmp_path):
    """Before opset 7, only equal shapes are combined; others keep the first one's shape."""
    for op in ("Add", "Sub", "Mul", "Div"):
        a, b = values(np.float32, (2, 3)), values(np.float32, (2, 3), 9) + np.float32(20)
        node = oh.make_node(op, ["a", "b"], ["y"])
        try_node(tmp_path, node, [nh.from_array(a, "a"), nh.from_array(b, "b")], 7)
    node = oh.make_node("Add", ["a", "b"], ["y"], broadcast=1, axis=0)
    constants = [nh.from_array(values(np.float32, (2, 3)), "a"), constant("b", [1, 2], np.float32)]
    found = worked_out(tmp_path, [node], {"y": (np.float32, 0)}, [], constants, 6, {})
    assert found["y"][:2] == (np.float32, [2, 3])


TOP = 2**63 - 1
STAYS_UNKNOWN = [
    # operator, inputs, type of the output, attributes: overflow, division by zero, what documents leave open
    ("Add", [I([TOP]), I([1])], np.int64, {}),
    ("Sub", [I([-TOP]), I([2])], np.int64, {}),
    ("Mul", [I([2**62]), I([2])], np.int64, {}),
    ("Add", [I8([127]), I8([1])], np.int8, {}),
    ("Sub", [U8([1]), U8([2])], np.uint8, {}),
    ("Mul", [I([2**31], np.uint32), I([2], np.uint32)], np.uint32, {}),
    ("Div", [I([1], np.int32), I([0], np.int32)], np.int32, {}),
    ("Mod", [I([1]), I([0])], np.int64, {}),
    ("Div", [I([-TOP - 1]), I([-1])], np.int64, {}),
    ("Add", [I([2**63], np.uint64), I([1], np.uint64)], np.uint64, {}),
    ("Less", [I([2**63], np.uint64), I([1], np.uint64)], np.uint64, {}),
    ("Min", [F([np.nan]), F([1])], np.float32, {}),
    ("Max", [F([1]), F([np.nan])], np.float32, {}),
    ("Max", [F([0.0]), F([-0.0])], np.float32, {}),
    ("Mod", [F([np.inf]), F([1])], np.float32, {"fmod": 1}),
    ("Cast", [F([1e30])], np.int64, {"to": 7}),
    ("Cast", [F([300])], np.uint8, {"to": 2}),
    ("Cast", [F([-1])], np.uint32, {"to": 12}),
    ("Cast", [I([np.nan])], np.int32, {"to": 6}),
    ("Cast", [I([2**53 + 1])], np.float32, {"to": 1}),
    ("Cast", [I([1 + 2**-30])], np.float16, {"to": 10}),
    ("Cast", [I([2**63], np.uint64)], np.float64, {"to": 11}),
    ("Neg", [I8([-128])], np.int8, {}),
    ("Abs", [I8([-128])], np.int8, {}),
]  # fmt: skip


@pytest.mark.parametrize("op, inputs, dtype, attributes", STAYS_UNKNOWN)
def test_results_that_stay_unknown(op, inputs, dtype, attributes, tmp_path):
    names = "ab"[: len(inputs)]
    node = oh.make_node(op, list(names), ["y"], **attributes)
    constants = [nh.from_array(x, name) for x, name in zip(inputs, names)]
    found = worked_out(tmp_path, [node], {"y": (dtype, 1)}, [], constants, 18, {})
    assert found["y"][1:] == ([1], [UNKNOWN])
    assert op != "Cast" or found["y"][0] == dtype


ONE_INPUT = {
    **dict.fromkeys(("Abs", "Identity"), [*INTS, *FLOATS]),
    **dict.fromkeys(("Floor", "Ceil", "Relu", "Round", "Sqrt", "Reciprocal"), FLOATS),
    "Neg": ["int8", "int32", "int64", *FLOATS],
    "Not": ["bool"],
}


@pytest.mark.parametrize("op", ONE_INPUT)
def test_one_input(op, tmp_path):
    shapes = (2, 3), (), (0,), (5,)
    for word, opset, shape in itertools.product(ONE_INPUT[op], (13, 18, 21), shapes):
        x = np.asarray(values(NAMES[word], shape, 4))
        if op == "Sqrt":
            x = np.abs(x)
        elif op == "Reciprocal":
            x = np.where(x == 0, 3, x).astype(x.dtype)
        try_node(tmp_path, oh.make_node(op, ["a"], ["y"]), [nh.from_array(x, "a")], opset)


def test_clip(tmp_path):
    """Between two limits, or with one of them; they are inputs from opset 11 on."""
    for word, opset in itertools.product(["int8", "int32", "int64", "uint8", *FLOATS], (12, 13)):
        dtype = NAMES[word]
        x = nh.from_array(values(dtype, (2, 5), 4), "a")
        limits = [constant("low", 2, dtype), constant("high", 5, dtype)]
        for inputs in ["a", "low"], ["a", "", "high"], ["a", "low", "high"], ["a"]:
            used = [limit for limit in limits if limit.name in inputs]
            try_node(tmp_path, oh.make_node("Clip", inputs, ["y"]), [x, *used], opset)
    x = nh.from_array(values(np.float32, (2, 5), 4), "a")
    for more in {"min": 0.0}, {"max": 1.5}, {"min": -1.0, "max": 2.0}, {}:
        node = oh.make_node("Clip", ["a"], ["y"], **more)
        try_node(tmp_path, node, [x], 10)
        try_node(tmp_path, node, [], 10, "shape", feed={"a": nh.to_array(x)})


def test_numbers_of_codes(tmp_path):
    """DequantizeLinear with one scale for all."""
    for dtype in np.int8, np.uint8, np.int16, np.uint16:
        codes = nh.from_array(values(dtype, (2, 5), 4), "a")
        small = [constant("s", 0.3, np.float32), constant("z", 3, dtype)]
        opset = 21 if np.dtype(dtype).itemsize > 1 else 13
        for inputs in ["a", "s", "z"], ["a", "s"]:
            used = [one for one in small if one.name in inputs]
            node = oh.make_node("DequantizeLinear", inputs, ["y"])
            try_node(tmp_path, node, [codes, *used], opset)


def cast(to, name="a", out="y"):
    return oh.make_node("Cast", [name], [out], to=number(NAMES[to]))


def test_cast(tmp_path):
    """Floats to integers towards zero, integers to integers by their low bits."""
    for source, to in itertools.product([*NAMES], repeat=2):
        x = values(NAMES[source], (6,), 2, -120, 120)
        if to.startswith("u") and source in (*FLOATS, "float16"):
            x = np.abs(x)
        for opset in (13, 19):
            try_node(tmp_path, cast(to), [nh.from_array(x, "a")], opset)
    x = nh.from_array(np.array([-(2**31) - 5, 2**40 + 300, -1, 200], np.int64), "a")
    for to in INTS:
        try_node(tmp_path, cast(to), [x], 18)
        try_node(tmp_path, [cast(to, out="b"), cast("int64", "b")], [x], 18)
    like = oh.make_node("CastLike", ["a", "b"], ["y"])
    try_node(tmp_path, like, [x, constant("b", [0], np.float64)], 19)
    x = F([1 / 3, 65504, 1e-8, -0.0, np.inf, 70000])
    try_node(tmp_path, cast("float16"), [nh.from_array(x, "a")], 18)


# ---- Moving: a constant of 2 x 3 x 4, and an input of that shape, and lists ------------------------

FLOAT, TWO = {"dtype": np.float32}, {"names": ("y", "z")}
BIG = 2**63 - 1
SLICES = [
    ([0], [1], [0], None), ([1], [BIG], [-1], None), ([-1], [-BIG], [1], [-1]), ([3], [0], [2], [-2]),
    ([0, 1], [2, 3], None, None), ([5], [9], [1], None), ([-9], [9], [1], [2]), ([BIG], [-BIG - 1], [2], [-1]),
    ([2], [1], [1], None), ([0, -3], [1, -1], [2, 0], [1, 1]), ([0], [4], [2], [3]),
]  # fmt: skip
SPLITS = [(0, [1, 1]), (2, [1, 3]), (-1, [1, 3])]  # axis, sizes
RESHAPES = [6, 4], [-1], [0, -1], [2, 0, 2, 2], [0, 0, 0], [24, 1], [4, -1, 3]
KEPT = [{"keepdims": 0}, {"keepdims": 1}]


def with_axes(*choices):
    """The attributes of reductions: over these axes or, for None, over all; with axes kept or not."""
    return [k | ({} if a is None else {"axes": a}) for a, k in itertools.product(choices, KEPT)]


FEW = {"shape": (2, 2, 3)}  # products stay small
IN_SHAPE = {"complete": "shape", **FLOAT}  # elements stay unknown
MEANS = "ReduceMean ReduceL1 ReduceL2 ReduceLogSumExp ReduceSumSquare ReduceLogSum".split()
MOVED = [
    # operator, opsets, lists, attributes, and what is unusual
    *[("Gather", (11, 13), [index], [{"axis": a} for a in (0, 1, -1)], {})
      for index in ([0], 1, [[0, -1], [1, 0]], [])],
    ("Gather", 13, [[1, 0]], {}, FLOAT),
    *[("Slice", (10, 11, 13), case, {}, {}) for case in SLICES],
    *[("Slice", 9, [], {"starts": s, "ends": e} | ({"axes": a} if a else {}), FLOAT)
      for s, e, a, step in SLICES if step is None],
    *[("Split", (13, 18), [sizes], {"axis": a}, TWO) for a, sizes in SPLITS],
    *[("Split", 11, [], {"axis": a, "split": sizes}, TWO) for a, sizes in SPLITS],
    *[("Split", 2, [], {"axis": a, "split": sizes}, TWO | FLOAT) for a, sizes in SPLITS],
    ("Split", 13, [], [{"axis": a} for a in (0, 2, -1)], TWO),
    ("Split", 18, [], [{"axis": a, "num_outputs": 2} for a in (0, 1, 2, -1)], TWO),
    *[("Reshape", (5, 13, 14), [shape], {}, more) for shape in RESHAPES for more in ({}, FLOAT)],
    *[("Reshape", 14, [[0, 5]], {"allowzero": 1}, {"shape": s}) for s in ((0, 3), (3, 0))],
    *[("Unsqueeze", (13, 21), [axes], {}, {}) for axes in ([0], [-1], [1, 3], [0, -1])],
    ("Unsqueeze", 11, [], [{"axes": axes} for axes in ([0], [-1], [1, 3], [0, -1])], {}),
    *[("Squeeze", 13, lists, {}, {"shape": (1, 3, 1)}) for lists in ([[0]], [[-1]], [[0, 2]], [])],
    ("Squeeze", 11, [], [{"axes": [0]}, {"axes": [-1]}, {"axes": [0, 2]}, {}], {"shape": (1, 3, 1)}),
    ("Flatten", 13, [], [{}, *({"axis": axis} for axis in (-3, -1, 0, 1, 2, 3))], {}),
    ("Transpose", 13, [], [{}, *({"perm": perm} for perm in itertools.permutations(range(3)))], {}),
    *[("Expand", 13, [to], {}, {"shape": shape})
      for shape, to in (((2, 1), [3, 2, 4]), ((3,), [1]), ((1, 3), [2, 1]), ((), [2, 2]))],
    *[("Tile", (6, 13), [n], {}, {"shape": (2, 1, 3), **FLOAT}) for n in ([2, 1, 1], [1, 2, 3])],
    ("Tile", 13, [[0, 2]], {}, {"shape": (2, 3)}),
    *[(f"Reduce{op}", 11, [], with_axes([0], [1, -1], None), FEW | {"dtype": t})
      for op in ("Sum", "Prod", "Min", "Max") for t in (np.int64, np.int32)],
    *[(f"Reduce{op}", 13, [], with_axes([0], [1, -1], None), FEW | {"dtype": t})
      for op in ("Prod", "Min", "Max") for t in (np.int64, np.int32)],
    *[(f"Reduce{op}", opset, lists, KEPT, FEW | {"dtype": t})
      for op, opset in (("Sum", (13, 18)), ("Prod", 18), ("Min", 18), ("Max", 18))
      for lists in ([[0]], [[1, -1]], []) for t in (np.int64, np.int32)],
    ("ReduceSum", 13, [], {"noop_with_empty_axes": 1}, IN_SHAPE),
    ("ReduceSum", 13, [[]], {"noop_with_empty_axes": 0}, {"shape": (2, 2)}),
    *[(op, 13, [], with_axes([0], [-1, 1]), IN_SHAPE) for op in MEANS],
    *[(op, 18, [axes], KEPT, IN_SHAPE) for op in MEANS for axes in ([0], [-1, 1])],
    *[(op, 13, [], [{"axis": a, **k} for a in (0, -1) for k in KEPT], IN_SHAPE)
      for op in ("ArgMax", "ArgMin")],
]  # fmt: skip


@pytest.mark.parametrize("table", operators(MOVED))
def test_moving(table, tmp_path):
    for op, opset, lists, attributes, more in rows(table):
        moved(tmp_path, op, opset, lists, **more, **attributes)


# ---- Elements and new tensors ----------------------------------------------------------------------

M = np.arange(6).reshape(2, 3)
N = np.arange(12).reshape(3, 4)
VALUES = [nh.from_array(np.array([1], NAMES[word]))
          for word in "float double int64 int32 int8 bool uint8 float16".split()]  # fmt: skip
RANGES = (0, 5, 1), (5, 0, -2), (3, 3, 1), (0, -4, 1), (-3, 11, 4)
PARTS = [[values(np.int64, [2 + (i if k == axis % 2 else 0) for k in range(2)], i) for i in range(3)]
         for axis in (0, 1)]  # fmt: skip
WHERE = [[values(bool, (3, 1)), values(NAMES[word], (2, 1, 4), 1), values(NAMES[word], (1,), 2)]
         for word in ("float", "int64", "int32", "uint8")]  # fmt: skip
ELEMENTS = [
    # operator, opsets, inputs, attributes, outputs
    *[("Where", 16, inputs, {}, 1) for inputs in WHERE],
    ("Concat", (11, 13), PARTS[0], {"axis": 0}, 1),
    ("Concat", (11, 13), PARTS[1], [{"axis": 1}, {"axis": -1}], 1),
    *[("ConstantOfShape", 13, [I(shape, np.int64)], [{"value": v} for v in VALUES], 1)
      for shape in ([2, 3], [0], [4], [])],
    ("ConstantOfShape", 11, [I([2])], {}, 1),
    *[("Range", 13, [I(n, t) for n in r], {}, 1) for r in RANGES for t in (np.int64, np.int32)],
    ("Range", 13, [I(1), I(2), I(2**40)], {}, 1),
    *[("MatMul", 18, [M, by], {}, 1) for by in (M.T, I([1, -2, 3]))],
    *[("MatMul", 18, [I([1, -2]), by], {}, 1) for by in (M, I([5, 7]))],
    ("MatMul", 18, [N.reshape(2, 1, 2, 3), np.arange(9).reshape(3, 3)], {}, 1),
    ("CumSum", 18, [M, I(1)], [{}, {"reverse": 1}], 1),
    ("CumSum", 18, [M, I(-2)], {"exclusive": 1}, 1),
    ("CumSum", 18, [M, I(0)], {"reverse": 1, "exclusive": 1}, 1),
    *[("GatherND", 18, [M, I(at)], {}, 1) for at in ([[1, 2], [0, -1]], [[1], [-2]])],
    ("GatherND", 18, [M, I([[1], [2]])], {"batch_dims": 1}, 1),
    ("GatherElements", 18, [M, I([[1, 0, -1], [0, 0, 1]])], {"axis": 0}, 1),
    ("GatherElements", 18, [M, I([[2], [-3]])], {"axis": 1}, 1),
    ("ScatterND", 18, [M, I([[1, 2], [0, -1]]), I([70, 80])], {}, 1),
    ("ScatterND", 18, [M, I([[1]]), I([[7, 8, 9]])], {}, 1),
    ("Pow", 18, [I([2, -3, 0]), I([3, 2, 0])], {}, 1),
    ("OneHot", 18, [I([2, 0, -1]), I([4]), I([5, 9])], {}, 1),
    ("OneHot", 18, [I([[2, 0]]), I(3), I([0, 1])], {"axis": 0}, 1),
    ("TopK", 18, [I([[3, 1, 3, 2]]), I([3])], {}, 2),
    ("TopK", 18, [I([[3, 1, 3, 2], [1, 1, 0, 5]]), I([1])], {"axis": 0, "largest": 0}, 2),
    ("Einsum", 18, [M], {"equation": "ij->ij"}, 1),
    ("Trilu", 18, [N], {}, 1),
    ("Trilu", 18, [N, I(1)], {"upper": 0}, 1),
    ("Trilu", 18, [np.arange(24).reshape(2, 3, 4), I(-1)], {}, 1),
    *[("NonZero", 18, [x], {}, 1) for x in (I([[0, 3, 0], [4, 0, -5]]), I([0.0, 0.5]))],
    ("Unique", 18, [I([3, 1, 3, -2, 1])], [{}, {"sorted": 0}], 4),
]  # fmt: skip


@pytest.mark.parametrize("table", operators(ELEMENTS))
def test_elements(table, tmp_path):
    for op, opset, inputs, attributes, outputs in rows(table):
        names = [f"y{k}" for k in range(outputs)]
        node = oh.make_node(op, [f"x{k}" for k in range(len(inputs))], names, **attributes)
        constants = [nh.from_array(x, f"x{k}") for k, x in enumerate(inputs)]
        try_node(tmp_path, node, constants, opset, names=names)


def test_elements_of_sequences(tmp_path):
    make = oh.make_node("SequenceConstruct", ["a", "b", "a"], ["s"])
    constants = [constant("a", [1, 2]), constant("b", [5, 6, 7]), constant("at", -2)]
    for node in (
        oh.make_node("SequenceAt", ["s", "at"], ["y"]),
        oh.make_node("ConcatFromSequence", ["s"], ["y"], axis=0),
        oh.make_node("SequenceLength", ["s"], ["y"]),
    ):
        try_node(tmp_path, [make, node], constants, 18)


@pytest.mark.parametrize("mode", ["constant", "edge", "reflect", "wrap"])
def test_elements_of_a_pad(tmp_path, mode):
    constants = [
        constant("x", [[1, 2, 3], [4, 5, 6]]),
        constant("p", [0, 2, 1, 1]),
        constant("v", 9),
    ]
    node = oh.make_node("Pad", ["x", "p", "v"], ["y"], mode=mode)
    try_node(tmp_path, node, constants, 19)
    try_node(tmp_path, oh.make_node("Pad", ["x", "p"], ["y"], mode=mode), constants, 19)
    constants[1] = constant("p", [0, -1, 0, 1])
    try_node(tmp_path, node, constants, 19, complete=False)


def test_random_numbers_of_no_type(tmp_path):
    """Nothing follows but the shape."""
    for dtype in 9999, 2**32 + 1, -1, 0:
        node = oh.make_node("RandomNormal", [], ["y"], shape=[2, 3], dtype=dtype)
        found = worked_out(tmp_path, [node], {"y": (np.float32, 0)}, [], [], 13, {})
        assert found["y"][:2] == (None, [2, 3]), dtype
