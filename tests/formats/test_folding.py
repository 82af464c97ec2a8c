"""Small tensors that `inspect` works out, operator by operator, against ONNX Runtime.

SPDX-License-Identifier: MIT
"""

import itertools

import numpy as np
import onnx.helper as oh
import onnx.numpy_helper as nh
import pytest
from folding import (
    FLOATS,
    INTS,
    NAMES,
    UNKNOWN,
    constant,
    moved,
    number,
    try_node,
    values,
    worked_out,
)

# ---- Element by element --------------------------------------------------------------------------


BINARY = [
    "Add",
    "Sub",
    "Mul",
    "Div",
    "Mod",
    "Min",
    "Max",
    "Equal",
    "Less",
    "LessOrEqual",
    "Greater",
    "GreaterOrEqual",
    "And",
    "Or",
    "Xor",
    "Sum",
]


@pytest.mark.parametrize("op", BINARY)
def test_two_inputs(op, tmp_path):
    logical, floats = op in ("And", "Or", "Xor"), op in ("Sum",)
    for word in ["bool"] if logical else FLOATS if floats else [*INTS, *FLOATS]:
        dtype = NAMES[word]
        for opset in (16, 21) if word in ("int8", "uint8", "uint32") else (13, 18, 21):
            for seed, (a, b) in enumerate(
                [((2, 3), (3,)), ((), (4,)), ((2, 1, 3), (2, 1)), ((0,), (1,))]
            ):
                x, y = values(dtype, a, seed), values(dtype, b, seed + 50)
                more = {}
                if op in ("Div", "Mod"):
                    y = np.where(y == 0, np.array(3, dtype), y).astype(dtype)
                if op == "Mod" and (word in FLOATS or seed % 2):
                    more = {"fmod": 1}
                # a result outside the type stays unknown
                wide = {"Add": np.add, "Sub": np.subtract, "Mul": np.multiply}.get(op)
                sure = (
                    word in FLOATS
                    or wide is None
                    or bool(
                        np.all(
                            wide(x.astype(object), y.astype(object)) == wide(x, y).astype(object)
                        )
                    )
                )
                if op in ("Min", "Max") and word in FLOATS:
                    x = x + dtype(0.125)  # no zeros of two signs
                node = oh.make_node(op, ["a", "b"], ["y"], **more)
                try_node(
                    tmp_path, node, [nh.from_array(x, "a"), nh.from_array(y, "b")], opset, sure
                )


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


def test_results_that_stay_unknown(tmp_path):
    """Overflow, division by zero, conversions that documents leave open."""
    top = 2**63 - 1
    unknown = [
        ("Add", [top], [1], np.int64),
        ("Sub", [-top], [2], np.int64),
        ("Mul", [2**62], [2], np.int64),
        ("Add", [127], [1], np.int8),
        ("Sub", [1], [2], np.uint8),
        ("Mul", [2**31], [2], np.uint32),
        ("Div", [1], [0], np.int32),
        ("Mod", [1], [0], np.int64),
        ("Div", [-top - 1], [-1], np.int64),
        ("Add", [2**63], [1], np.uint64),
        ("Less", [2**63], [1], np.uint64),
        ("Min", [np.nan], [1], np.float32),
        ("Max", [1], [np.nan], np.float32),
        ("Max", [0.0], [-0.0], np.float32),
        ("Mod", [np.inf], [1], np.float32),
    ]
    for op, a, b, dtype in unknown:
        node = oh.make_node(
            op, ["a", "b"], ["y"], **({"fmod": 1} if dtype == np.float32 and op == "Mod" else {})
        )
        constants = [constant("a", a, dtype), constant("b", b, dtype)]
        found = worked_out(tmp_path, [node], {"y": (dtype, 1)}, [], constants, 18, {})
        assert found["y"][1:] == ([1], [UNKNOWN]), (op, a, b, found)
    for source, to in [
        (np.float32(1e30), np.int64),
        (np.float32(300), np.uint8),
        (np.float32(-1), np.uint32),
        (np.float64(np.nan), np.int32),
        (np.int64(2**53 + 1), np.float32),
        (np.float64(1 + 2**-30), np.float16),
        (np.uint64(2**63), np.float64),
    ]:
        node = oh.make_node("Cast", ["a"], ["y"], to=number(to))
        found = worked_out(
            tmp_path, [node], {"y": (to, 1)}, [], [nh.from_array(np.array([source]), "a")], 18, {}
        )
        assert found["y"] == (to, [1], [UNKNOWN]), (source, to, found)
    for op in ("Neg", "Abs"):
        node = oh.make_node(op, ["a"], ["y"])
        found = worked_out(
            tmp_path, [node], {"y": (np.int8, 1)}, [], [constant("a", [-128], np.int8)], 18, {}
        )
        assert found["y"][2] == [UNKNOWN]


@pytest.mark.parametrize(
    "op", ["Neg", "Abs", "Floor", "Ceil", "Not", "Identity", "Relu", "Round", "Sqrt", "Reciprocal"]
)
def test_one_input(op, tmp_path):
    words = {
        "Relu": FLOATS,
        "Round": FLOATS,
        "Sqrt": FLOATS,
        "Reciprocal": FLOATS,
        "Not": ["bool"],
        "Floor": FLOATS,
        "Ceil": FLOATS,
        "Neg": ["int8", "int32", "int64", *FLOATS],
    }
    for word, opset in itertools.product(words.get(op, [*INTS, *FLOATS]), (13, 18, 21)):
        for shape in (2, 3), (), (0,), (5,):
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


def test_cast(tmp_path):
    """Floats to integers towards zero, integers to integers by their low bits."""
    for source, to in itertools.product([*NAMES], repeat=2):
        x = values(NAMES[source], (6,), 2, -120, 120)
        if to.startswith("u") and source in (*FLOATS, "float16"):
            x = np.abs(x)
        for opset in (13, 19):
            node = oh.make_node("Cast", ["a"], ["y"], to=number(NAMES[to]))
            try_node(tmp_path, node, [nh.from_array(x, "a")], opset)
    x = np.array([-(2**31) - 5, 2**40 + 300, -1, 200], np.int64)
    for to in INTS:
        node = oh.make_node("Cast", ["a"], ["y"], to=number(NAMES[to]))
        try_node(tmp_path, node, [nh.from_array(x, "a")], 18)
        back = [
            oh.make_node("Cast", ["a"], ["b"], to=number(NAMES[to])),
            oh.make_node("Cast", ["b"], ["y"], to=number(np.int64)),
        ]
        try_node(tmp_path, back, [nh.from_array(x, "a")], 18)
    like = oh.make_node("CastLike", ["a", "b"], ["y"])
    try_node(tmp_path, like, [nh.from_array(x, "a"), constant("b", [0], np.float64)], 19)
    x = np.array([1 / 3, 65504, 1e-8, -0.0, np.inf, 70000], np.float32)
    try_node(tmp_path, oh.make_node("Cast", ["a"], ["y"], to=10), [nh.from_array(x, "a")], 18)


def test_where(tmp_path):
    for word in "float", "int64", "int32", "uint8":
        c, a, b = (
            values(bool, (3, 1)),
            values(NAMES[word], (2, 1, 4), 1),
            values(NAMES[word], (1,), 2),
        )
        constants = [nh.from_array(x, n) for x, n in ((c, "c"), (a, "a"), (b, "b"))]
        try_node(tmp_path, oh.make_node("Where", ["c", "a", "b"], ["y"]), constants, 16)


# ---- Moving --------------------------------------------------------------------------------------


def test_gather(tmp_path):
    for opset in 11, 13:
        for axis, index in itertools.product((0, 1, -1), ([0], 1, [[0, -1], [1, 0]], [])):
            moved(tmp_path, "Gather", opset, [index], axis=axis)
    moved(tmp_path, "Gather", 13, [[1, 0]], dtype=np.float32)


def test_slice(tmp_path):
    big = 2**63 - 1
    cases = [
        ([0], [1], [0], None),
        ([1], [big], [-1], None),
        ([-1], [-big], [1], [-1]),
        ([3], [0], [2], [-2]),
        ([0, 1], [2, 3], None, None),
        ([5], [9], [1], None),
        ([-9], [9], [1], [2]),
        ([big], [-big - 1], [2], [-1]),
        ([2], [1], [1], None),
        ([0, -3], [1, -1], [2, 0], [1, 1]),
        ([0], [4], [2], [3]),
    ]
    for opset, case in itertools.product((10, 11, 13), cases):
        moved(tmp_path, "Slice", opset, case)
    for starts, ends, axes, _ in [c for c in cases if c[3] is None]:
        more = {"axes": axes} if axes else {}
        moved(tmp_path, "Slice", 9, [], dtype=np.float32, starts=starts, ends=ends, **more)


def test_concat_and_split(tmp_path):
    for opset, axis in itertools.product((11, 13), (0, 1, -1)):
        parts = [
            values(np.int64, [2 + (i if k == axis % 2 else 0) for k in range(2)], i)
            for i in range(3)
        ]
        node = oh.make_node("Concat", ["a", "b", "c"], ["y"], axis=axis)
        try_node(tmp_path, node, [nh.from_array(p, n) for p, n in zip(parts, "abc")], opset)
    for axis in (0, 2, -1):
        extent = (2, 3, 4)[axis]
        two = ("y", "z")
        sizes = [1, extent - 1]
        moved(tmp_path, "Split", 13, [sizes], names=two, axis=axis)
        moved(tmp_path, "Split", 18, [sizes], names=two, axis=axis)
        moved(tmp_path, "Split", 11, [], names=two, axis=axis, split=sizes)
        moved(tmp_path, "Split", 2, [], dtype=np.float32, names=two, axis=axis, split=sizes)
        moved(tmp_path, "Split", 13, [], names=two, axis=axis)
        moved(tmp_path, "Split", 18, [], names=two, axis=axis, num_outputs=2)
    moved(tmp_path, "Split", 18, [], names=("y", "z"), axis=1, num_outputs=2)


def test_other_shapes(tmp_path):
    for shape in [6, 4], [-1], [0, -1], [2, 0, 2, 2], [0, 0, 0], [24, 1], [4, -1, 3]:
        for opset in (5, 13, 14):
            moved(tmp_path, "Reshape", opset, [shape], dtype=np.float32)
            moved(tmp_path, "Reshape", opset, [shape])
    moved(tmp_path, "Reshape", 14, [[0, 5]], shape=(0, 3), allowzero=1)
    moved(tmp_path, "Reshape", 14, [[0, 5]], shape=(3, 0), allowzero=1)
    for axes in [0], [-1], [1, 3], [0, -1]:
        moved(tmp_path, "Unsqueeze", 13, [axes])
        moved(tmp_path, "Unsqueeze", 21, [axes])
        moved(tmp_path, "Unsqueeze", 11, [], axes=axes)
    for axes in [0], [-1], [0, 2], None:
        moved(tmp_path, "Squeeze", 13, [axes] if axes else [], shape=(1, 3, 1))
        moved(tmp_path, "Squeeze", 11, [], shape=(1, 3, 1), **({"axes": axes} if axes else {}))
    for axis in -3, -1, 0, 1, 2, 3:
        moved(tmp_path, "Flatten", 13, [], axis=axis)
    moved(tmp_path, "Flatten", 13, [])


def test_transpose_expand_tile(tmp_path):
    moved(tmp_path, "Transpose", 13, [])
    for perm in itertools.permutations(range(3)):
        moved(tmp_path, "Transpose", 13, [], perm=perm)
    for shape, target in [((2, 1), [3, 2, 4]), ((3,), [1]), ((1, 3), [2, 1]), ((), [2, 2])]:
        moved(tmp_path, "Expand", 13, [target], shape=shape)
    for opset in 6, 13:
        moved(tmp_path, "Tile", opset, [[2, 1, 1]], dtype=np.float32, shape=(2, 1, 3))
        moved(tmp_path, "Tile", opset, [[1, 2, 3]], dtype=np.float32, shape=(2, 1, 3))
    moved(tmp_path, "Tile", 13, [[0, 2]], shape=(2, 3))


def test_shape_and_size(tmp_path):
    x = np.zeros((2, 0, 4), np.float32)
    for opset, more in [
        (13, {}),
        *[
            (o, {"start": s, "end": e})
            for o in (15, 19)
            for s, e in ((0, 3), (1, 9), (-2, -1), (-9, 2), (2, 1), (3, 3))
        ],
        (15, {"start": 1}),
        (15, {"end": -1}),
    ]:
        for shape in (2, 3, 4), (2, 0, 4), (5,), ():
            x = np.zeros(shape, np.float32)
            node = oh.make_node("Shape", ["a"], ["y"], **more)
            try_node(tmp_path, node, [], opset, feed={"a": x})
            try_node(tmp_path, oh.make_node("Size", ["a"], ["y"]), [], opset, feed={"a": x})


def test_new_tensors(tmp_path):
    for word in "float", "double", "int64", "int32", "int8", "bool", "uint8", "float16":
        value = nh.from_array(np.array([1], NAMES[word]))
        node = oh.make_node("ConstantOfShape", ["a"], ["y"], value=value)
        for shape in [2, 3], [0], [4], []:
            try_node(tmp_path, node, [constant("a", np.array(shape, np.int64))], 13)
    node = oh.make_node("ConstantOfShape", ["a"], ["y"])
    try_node(tmp_path, node, [constant("a", [2])], 11)
    for start, limit, step in (
        (0, 5, 1),
        (5, 0, -2),
        (3, 3, 1),
        (0, -4, 1),
        (-3, 11, 4),
        (1, 2, 2**40),
    ):
        for dtype in np.int64, *([np.int32] if step < 2**31 else []):
            node = oh.make_node("Range", ["a", "b", "c"], ["y"])
            items = [constant(n, v, dtype) for n, v in zip("abc", (start, limit, step))]
            try_node(tmp_path, node, items, 13)


def test_over_axes(tmp_path):
    for op in "ReduceSum", "ReduceProd", "ReduceMin", "ReduceMax":
        for opset, axes, keep in itertools.product((11, 13, 18), ([0], [1, -1], None), (0, 1)):
            as_input = opset >= (13 if op == "ReduceSum" else 18)
            for dtype in np.int64, np.int32:
                more = {} if as_input or axes is None else {"axes": axes}
                moved(
                    tmp_path,
                    op,
                    opset,
                    [axes] if as_input and axes else [],
                    dtype=dtype,
                    shape=(2, 2, 3),
                    keepdims=keep,
                    **more,
                )
    moved(tmp_path, "ReduceSum", 13, [], noop_with_empty_axes=1, complete="shape", dtype=np.float32)
    moved(tmp_path, "ReduceSum", 13, [[]], noop_with_empty_axes=0, complete=True, shape=(2, 2))
    for op in (
        "ReduceMean",
        "ReduceL1",
        "ReduceL2",
        "ReduceLogSumExp",
        "ReduceSumSquare",
        "ReduceLogSum",
    ):
        for axes, keep in itertools.product(([0], [-1, 1]), (0, 1)):
            moved(tmp_path, op, 13, [], "shape", dtype=np.float32, axes=axes, keepdims=keep)
            moved(tmp_path, op, 18, [axes], "shape", dtype=np.float32, keepdims=keep)
    for op, axis, keep in itertools.product(("ArgMax", "ArgMin"), (0, -1), (0, 1)):
        moved(tmp_path, op, 13, [], "shape", dtype=np.float32, axis=axis, keepdims=keep)


# ---- What exporters compute amounts with ---------------------------------------------------------

I = np.array  # noqa: E741
M = np.arange(6).reshape(2, 3)
ELEMENTS = [
    # operator, inputs, attributes, outputs
    ("MatMul", [M, M.T], {}, 1),
    ("MatMul", [M, I([1, -2, 3])], {}, 1),
    ("MatMul", [I([1, -2]), M], {}, 1),
    ("MatMul", [I([1, -2]), I([5, 7])], {}, 1),
    ("MatMul", [np.arange(12).reshape(2, 1, 2, 3), np.arange(9).reshape(3, 3)], {}, 1),
    ("CumSum", [M, I(1)], {}, 1),
    ("CumSum", [M, I(-2)], {"exclusive": 1}, 1),
    ("CumSum", [M, I(1)], {"reverse": 1}, 1),
    ("CumSum", [M, I(0)], {"reverse": 1, "exclusive": 1}, 1),
    ("GatherND", [M, I([[1, 2], [0, -1]])], {}, 1),
    ("GatherND", [M, I([[1], [-2]])], {}, 1),
    ("GatherND", [M, I([[1], [2]])], {"batch_dims": 1}, 1),
    ("GatherElements", [M, I([[1, 0, -1], [0, 0, 1]])], {"axis": 0}, 1),
    ("GatherElements", [M, I([[2], [-3]])], {"axis": 1}, 1),
    ("ScatterND", [M, I([[1, 2], [0, -1]]), I([70, 80])], {}, 1),
    ("ScatterND", [M, I([[1]]), I([[7, 8, 9]])], {}, 1),
    ("Pow", [I([2, -3, 0]), I([3, 2, 0])], {}, 1),
    ("OneHot", [I([2, 0, -1]), I([4]), I([5, 9])], {}, 1),
    ("OneHot", [I([[2, 0]]), I(3), I([0, 1])], {"axis": 0}, 1),
    ("TopK", [I([[3, 1, 3, 2]]), I([3])], {}, 2),
    ("TopK", [I([[3, 1, 3, 2], [1, 1, 0, 5]]), I([1])], {"axis": 0, "largest": 0}, 2),
    ("Einsum", [M], {"equation": "ij->ij"}, 1),
    ("Trilu", [np.arange(12).reshape(3, 4)], {}, 1),
    ("Trilu", [np.arange(12).reshape(3, 4), I(1)], {"upper": 0}, 1),
    ("Trilu", [np.arange(24).reshape(2, 3, 4), I(-1)], {}, 1),
    ("NonZero", [I([[0, 3, 0], [4, 0, -5]])], {}, 1),
    ("NonZero", [I([0.0, 0.5])], {}, 1),
    ("Unique", [I([3, 1, 3, -2, 1])], {}, 4),
    ("Unique", [I([3, 1, 3, -2, 1])], {"sorted": 0}, 4),
]


@pytest.mark.parametrize("op, inputs, attributes, outputs", ELEMENTS)
def test_elements(tmp_path, op, inputs, attributes, outputs):
    names = [f"y{k}" for k in range(outputs)]
    node = oh.make_node(op, [f"x{k}" for k in range(len(inputs))], names, **attributes)
    constants = [nh.from_array(x, f"x{k}") for k, x in enumerate(inputs)]
    try_node(tmp_path, node, constants, 18, names=names)


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
