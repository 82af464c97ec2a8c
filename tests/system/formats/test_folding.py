"""What `inspect` works out of constants and shapes, operator by operator, against ONNX Runtime.

SPDX-License-Identifier: MIT

A tensor is looked at through Pad nodes that nobody runs: its shape and type as the data of one, each
of its elements as the constant_value of another.
"""

import itertools
import json

import numpy as np
import onnx
import onnx.helper as oh
import onnx.numpy_helper as nh
import onnx.reference
import onnxruntime
import pytest

from harness import succeed
from models import save

UNKNOWN = object()
NAMES = {
    "float": np.float32, "double": np.float64, "float16": np.float16, "bool": np.bool_,
    "int8": np.int8, "int16": np.int16, "int32": np.int32, "int64": np.int64,
    "uint8": np.uint8, "uint16": np.uint16, "uint32": np.uint32, "uint64": np.uint64,
}  # fmt: skip
INTS = ["int8", "int32", "int64", "uint8", "uint32"]
FLOATS = ["float", "double"]
MOST = 48


def number(dtype):
    return oh.np_dtype_to_tensor_dtype(np.dtype(dtype))


def constant(name, values, dtype=np.int64):
    return nh.from_array(np.array(values, dtype), name)


def parse(text, dtype):
    if text is None:
        return UNKNOWN
    if dtype == np.bool_:
        return np.bool_(text in ("true", "1"))
    return dtype(int(text)) if np.issubdtype(dtype, np.integer) else dtype(float(text))


def worked_out(folder, nodes, sizes, ports, constants, opset, shapes, imports=(), functions=()):
    """{name: (dtype or None, shape or None, elements)} as inspect says; elements may be UNKNOWN.

    sizes: {name: (dtype, how many elements to look at)}
    """
    weights, looks = [*constants, constant("look_pads", [0, 0]), constant("look_flat", [-1])], []
    for at, (name, (dtype, count)) in enumerate(sizes.items()):
        old = {"pads": [0], "paddings": [0]} if opset < 11 else {}
        pads = [] if old else ["look_pads"]
        looks.append(oh.make_node("Pad", [name, *pads], [f"look_{at}"], f"look {at}", **old))
        if old:  # the value is an attribute
            continue
        looks.append(oh.make_node("Reshape", [name, "look_flat"], [f"flat_{at}"]))
        weights.append(nh.from_array(np.zeros(1, dtype), f"look_as_{at}"))
        for i in range(count):
            element = f"flat_{at}_{i}"
            weights.append(constant(f"{element}_at", i))
            looks += [oh.make_node("Gather", [f"flat_{at}", f"{element}_at"], [element]),
                      oh.make_node("Pad", [f"look_as_{at}", "look_pads", element],
                                   [f"{element}_out"], f"element {at}")]  # fmt: skip
    words = [w for n, s in shapes.items() for w in ("--input-shape", f"{n}={','.join(map(str, s))}")]
    path = save(folder, [*nodes, *looks], ports, [], weights, opset, functions, imports)
    found = {}
    for entry in json.loads(succeed("inspect", "--json", *words, path).out)["nodes"]:
        kind, _, at = entry["name"].rpartition(" ")
        if kind == "look":
            name = list(sizes)[int(at)]
            found[name] = (NAMES[entry["type"]] if entry["type"] else None, entry["input_shape"], [])
        elif kind == "element":
            name = list(sizes)[int(at)]
            found[name][2].append(parse(entry["value"], sizes[name][0]))
    return found


def by_runtime(nodes, names, ports, constants, opset, feed, imports=(), functions=()):
    """{name: array} as ONNX Runtime has it, or where it has no kernel, the ONNX reference."""
    outputs = [oh.make_empty_tensor_value_info(name) for name in names]
    graph = oh.make_graph(nodes, "g", ports, outputs, initializer=constants)
    model = oh.make_model(graph, opset_imports=[oh.make_opsetid("", opset), *imports],
                          ir_version=8, functions=functions)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    try:
        session = onnxruntime.InferenceSession(model.SerializeToString(), options)
    except Exception as error:
        if "NOT_IMPLEMENTED" not in str(error) and "Could not find an impl" not in str(error):
            raise
        results = onnx.reference.ReferenceEvaluator(model).run(None, feed)
        return dict(zip(names, map(np.asarray, results)))
    return dict(zip(names, session.run(None, feed)))


def agrees(found, expected, complete, what):
    """Nothing that was worked out is wrong; with `complete`, nothing is unknown."""
    dtype, shape, elements = found
    assert dtype is None or dtype == expected.dtype, (what, dtype, expected.dtype)
    if shape is not None:
        assert len(shape) == expected.ndim, (what, shape, expected.shape)
        for said, extent in zip(shape, expected.shape):
            assert said is None or said == extent, (what, shape, expected.shape)
    flat = expected.reshape(-1)
    assert len(elements) in (0, len(flat)), (what, elements)
    for at, element in enumerate(elements):
        if element is not UNKNOWN:
            assert element.dtype == flat.dtype, what
            assert element.tobytes() == flat[at].tobytes() or element != element, (what, at, element, flat[at])
    if complete:
        assert dtype is not None and shape == list(expected.shape), (what, dtype, shape)
    if complete is True:
        assert len(elements) == flat.size <= MOST, (what, elements)
        assert all(element is not UNKNOWN for element in elements), (what, elements, flat)


def try_node(folder, node, constants, opset, complete=True, names=("y",), feed=None, dtypes=None):
    """One node over constants; `feed` are inputs of the model whose shapes are given."""
    feed = feed or {}
    ports = [oh.make_tensor_value_info(name, number(x.dtype), [None] * x.ndim)
             for name, x in feed.items()]
    nodes = node if isinstance(node, list) else [node]
    shapes = {name: x.shape for name, x in feed.items()}
    expected = by_runtime(nodes, list(names), ports, constants, opset, feed)
    if opset < 11 and complete:
        complete = "shape"
    sizes = {name: (x.dtype.type, min(x.size, MOST)) for name, x in expected.items()}
    if complete == "shape":
        sizes = {name: (x.dtype.type, 0) for name, x in expected.items()}
    found = worked_out(folder, nodes, sizes, ports, constants, opset, shapes)
    for name in names:
        agrees(found[name], expected[name], complete, (nodes, opset))
    if feed:  # without the shapes, less is known, and nothing that is wrong
        found = worked_out(folder, nodes, sizes, ports, constants, opset, {})
        for name in names:
            agrees(found[name], expected[name], False, (nodes, opset))


def values(dtype, shape, seed=0, low=-9, high=9):
    generator = np.random.default_rng(seed)
    dtype = np.dtype(dtype)
    if dtype == np.bool_:
        return generator.integers(0, 2, shape).astype(bool)
    if dtype.kind == "u":
        low = 0
    if dtype.kind == "f":
        return (generator.integers(4 * low, 4 * high, shape) / 4).astype(dtype)
    return generator.integers(low, high, shape).astype(dtype)


# ---- Element by element --------------------------------------------------------------------------

BINARY = ["Add", "Sub", "Mul", "Div", "Mod", "Min", "Max", "Equal", "Less", "LessOrEqual",
          "Greater", "GreaterOrEqual", "And", "Or", "Xor", "Sum"]  # fmt: skip


@pytest.mark.parametrize("op", BINARY)
def test_two_inputs(op, tmp_path):
    logical, floats = op in ("And", "Or", "Xor"), op in ("Sum",)
    for word in ["bool"] if logical else FLOATS if floats else [*INTS, *FLOATS]:
        dtype = NAMES[word]
        for opset in (16, 21) if word in ("int8", "uint8", "uint32") else (13, 18, 21):
            for seed, (a, b) in enumerate([((2, 3), (3,)), ((), (4,)), ((2, 1, 3), (2, 1)), ((0,), (1,))]):
                x, y = values(dtype, a, seed), values(dtype, b, seed + 50)
                more = {}
                if op in ("Div", "Mod"):
                    y = np.where(y == 0, np.array(3, dtype), y).astype(dtype)
                if op == "Mod" and (word in FLOATS or seed % 2):
                    more = {"fmod": 1}
                # a result outside the type stays unknown
                wide = {"Add": np.add, "Sub": np.subtract, "Mul": np.multiply}.get(op)
                sure = word in FLOATS or wide is None or bool(
                    np.all(wide(x.astype(object), y.astype(object)) ==
                           wide(x, y).astype(object)))
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


def test_results_that_stay_unknown(tmp_path):
    """Overflow, division by zero, conversions that documents leave open."""
    top = 2**63 - 1
    unknown = [
        ("Add", [top], [1], np.int64), ("Sub", [-top], [2], np.int64), ("Mul", [2**62], [2], np.int64),
        ("Add", [127], [1], np.int8), ("Sub", [1], [2], np.uint8), ("Mul", [2**31], [2], np.uint32),
        ("Div", [1], [0], np.int32), ("Mod", [1], [0], np.int64), ("Div", [-top - 1], [-1], np.int64),
        ("Add", [2**63], [1], np.uint64), ("Less", [2**63], [1], np.uint64),
        ("Min", [np.nan], [1], np.float32), ("Max", [0.0], [-0.0], np.float32),
        ("Mod", [np.inf], [1], np.float32),
    ]  # fmt: skip
    for op, a, b, dtype in unknown:
        node = oh.make_node(op, ["a", "b"], ["y"], **({"fmod": 1} if dtype == np.float32 and op == "Mod" else {}))
        constants = [constant("a", a, dtype), constant("b", b, dtype)]
        found = worked_out(tmp_path, [node], {"y": (dtype, 1)}, [], constants, 18, {})
        assert found["y"][1:] == ([1], [UNKNOWN]), (op, a, b, found)
    for source, to in [(np.float32(1e30), np.int64), (np.float32(300), np.uint8), (np.float32(-1), np.uint32),
                       (np.float64(np.nan), np.int32), (np.int64(2**53 + 1), np.float32),
                       (np.float64(1 + 2**-30), np.float16), (np.uint64(2**63), np.float64)]:
        node = oh.make_node("Cast", ["a"], ["y"], to=number(to))
        found = worked_out(tmp_path, [node], {"y": (to, 1)}, [], [nh.from_array(np.array([source]), "a")], 18, {})
        assert found["y"] == (to, [1], [UNKNOWN]), (source, to, found)
    for op in ("Neg", "Abs"):
        node = oh.make_node(op, ["a"], ["y"])
        found = worked_out(tmp_path, [node], {"y": (np.int8, 1)}, [], [constant("a", [-128], np.int8)], 18, {})
        assert found["y"][2] == [UNKNOWN]


@pytest.mark.parametrize("op", ["Neg", "Abs", "Floor", "Ceil", "Not", "Identity"])
def test_one_input(op, tmp_path):
    words = {"Not": ["bool"], "Floor": FLOATS, "Ceil": FLOATS, "Neg": ["int8", "int32", "int64", *FLOATS]}
    for word, opset in itertools.product(words.get(op, [*INTS, *FLOATS]), (13, 18, 21)):
        for shape in (2, 3), (), (0,), (5,):
            x = values(NAMES[word], shape, 4)
            try_node(tmp_path, oh.make_node(op, ["a"], ["y"]), [nh.from_array(x, "a")], opset)


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
    like = oh.make_node("CastLike", ["a", "b"], ["y"])
    try_node(tmp_path, like, [nh.from_array(x, "a"), constant("b", [0], np.float64)], 19)
    x = np.array([1 / 3, 65504, 1e-8, -0.0, np.inf, 70000], np.float32)
    try_node(tmp_path, oh.make_node("Cast", ["a"], ["y"], to=10), [nh.from_array(x, "a")], 18)


def test_where(tmp_path):
    for word in "float", "int64", "int32", "uint8":
        c, a, b = values(bool, (3, 1)), values(NAMES[word], (2, 1, 4), 1), values(NAMES[word], (1,), 2)
        constants = [nh.from_array(x, n) for x, n in ((c, "c"), (a, "a"), (b, "b"))]
        try_node(tmp_path, oh.make_node("Where", ["c", "a", "b"], ["y"]), constants, 16)


# ---- Moving --------------------------------------------------------------------------------------


def moved(folder, op, opset, inputs, complete=True, names=("y",), dtype=np.int64, shape=(2, 3, 4),
          **attributes):
    """A node over a constant of that shape and some lists; the same over an input of that shape."""
    x = values(dtype, shape)
    rest = [constant(f"i{i}", item) for i, item in enumerate(inputs) if item is not None]
    given = ["a"] + [f"i{i}" if item is not None else "" for i, item in enumerate(inputs)]
    node = oh.make_node(op, given, list(names), **attributes)
    try_node(folder, node, [nh.from_array(x, "a"), *rest], opset, complete, names)
    try_node(folder, node, rest, opset, complete and "shape", names, {"a": x})


def test_gather(tmp_path):
    for opset in 11, 13:
        for axis, index in itertools.product((0, 1, -1), ([0], 1, [[0, -1], [1, 0]], [])):
            moved(tmp_path, "Gather", opset, [index], axis=axis)
    moved(tmp_path, "Gather", 13, [[1, 0]], dtype=np.float32)


def test_slice(tmp_path):
    big = 2**63 - 1
    cases = [
        ([0], [1], [0], None), ([1], [big], [-1], None), ([-1], [-big], [1], [-1]),
        ([3], [0], [2], [-2]), ([0, 1], [2, 3], None, None), ([5], [9], [1], None),
        ([-9], [9], [1], [2]), ([big], [-big - 1], [2], [-1]), ([2], [1], [1], None),
        ([0, -3], [1, -1], [2, 0], [1, 1]), ([0], [4], [2], [3]),
    ]  # fmt: skip
    for opset, case in itertools.product((10, 11, 13), cases):
        moved(tmp_path, "Slice", opset, case)
    for starts, ends, axes, _ in [c for c in cases if c[3] is None]:
        more = {"axes": axes} if axes else {}
        moved(tmp_path, "Slice", 9, [], dtype=np.float32, starts=starts, ends=ends, **more)


def test_concat_and_split(tmp_path):
    for opset, axis in itertools.product((11, 13), (0, 1, -1)):
        parts = [values(np.int64, [2 + (i if k == axis % 2 else 0) for k in range(2)], i) for i in range(3)]
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
    for opset, more in [(13, {}), *[(o, {"start": s, "end": e}) for o in (15, 19) for s, e in
                                    ((0, 3), (1, 9), (-2, -1), (-9, 2), (2, 1), (3, 3))],
                        (15, {"start": 1}), (15, {"end": -1})]:  # fmt: skip
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
    for start, limit, step in (0, 5, 1), (5, 0, -2), (3, 3, 1), (0, -4, 1), (-3, 11, 4), (1, 2, 2**40):
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
                moved(tmp_path, op, opset, [axes] if as_input and axes else [], dtype=dtype,
                      shape=(2, 2, 3), keepdims=keep, **more)
    moved(tmp_path, "ReduceSum", 13, [], noop_with_empty_axes=1, complete="shape", dtype=np.float32)
    moved(tmp_path, "ReduceSum", 13, [[]], noop_with_empty_axes=0, complete=True, shape=(2, 2))
    for op in "ReduceMean", "ReduceL1", "ReduceL2", "ReduceLogSumExp", "ReduceSumSquare", "ReduceLogSum":
        for axes, keep in itertools.product(([0], [-1, 1]), (0, 1)):
            moved(tmp_path, op, 13, [], "shape", dtype=np.float32, axes=axes, keepdims=keep)
            moved(tmp_path, op, 18, [axes], "shape", dtype=np.float32, keepdims=keep)
    for op, axis, keep in itertools.product(("ArgMax", "ArgMin"), (0, -1), (0, 1)):
        moved(tmp_path, op, 13, [], "shape", dtype=np.float32, axis=axis, keepdims=keep)


# ---- Layers: shapes only -------------------------------------------------------------------------


def shaped(folder, op, opset, x, constants=(), inputs=(), names=("y",), **attributes):
    """A node over an input: with the input's shape, the shapes of the outputs follow."""
    x = values(np.float32, x) + np.float32(10)
    node = oh.make_node(op, ["x", *inputs], list(names), **attributes)
    try_node(folder, node, list(constants), opset, "shape", [n for n in names if n], {"x": x})


def test_convolutions_and_pools(tmp_path):
    windows = [{}, {"pads": [1, 0, 2, 1]}, {"strides": [2, 3], "pads": [1, 1, 1, 1]},
               {"auto_pad": "SAME_UPPER", "strides": [2, 2]}, {"auto_pad": "SAME_LOWER"},
               {"auto_pad": "VALID", "strides": [3, 2]}, {"dilations": [2, 1]}]  # fmt: skip
    for opset, more in itertools.product((11, 18), windows):
        weights = constant("w", np.ones((6, 2, 3, 2)), np.float32)
        shaped(tmp_path, "Conv", opset, (2, 4, 9, 11), [weights], ["w"], group=2, **more)
        shaped(tmp_path, "Conv", opset, (2, 4, 9, 11), [weights], ["w"], group=2, kernel_shape=[3, 2], **more)
        shaped(tmp_path, "MaxPool", opset, (2, 4, 9, 11), kernel_shape=[3, 2], **more)
        if "dilations" not in more:
            shaped(tmp_path, "AveragePool", opset, (2, 4, 9, 11), kernel_shape=[3, 2], **more)
            shaped(tmp_path, "LpPool", opset, (2, 4, 9, 11), kernel_shape=[3, 2], **more)
        if "auto_pad" not in more:
            back = constant("w", np.ones((4, 3, 3, 2)), np.float32)
            shaped(tmp_path, "ConvTranspose", opset, (2, 4, 5, 6), [back], ["w"], group=2, **more)
    shaped(tmp_path, "Conv", 11, (1, 2, 12), [constant("w", np.ones((3, 2, 4)), np.float32)], ["w"])
    shaped(tmp_path, "MaxPool", 12, (1, 2, 9, 9), kernel_shape=[3, 3], strides=[2, 2], ceil_mode=1)
    back = [constant("w", np.ones((4, 3, 3, 3)), np.float32)]
    shaped(tmp_path, "ConvTranspose", 11, (1, 4, 5, 5), back, ["w"], strides=[2, 2], output_padding=[1, 1])
    shaped(tmp_path, "ConvTranspose", 11, (1, 4, 5, 5), back, ["w"], strides=[2, 2], output_shape=[10, 11])
    for op in "GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool":
        shaped(tmp_path, op, 13, (2, 3, 4, 5))


def test_products_of_matrices(tmp_path):
    for a, b in [((2, 3), (3, 4)), ((5, 1, 2, 3), (4, 3, 2)), ((3,), (3, 4)), ((2, 3), (3,)), ((3,), (3,))]:
        shaped(tmp_path, "MatMul", 13, a, [constant("w", np.ones(b), np.float32)], ["w"])
    for a, b, more in [((2, 3), (3, 4), {}), ((3, 2), (4, 3), {"transA": 1, "transB": 1})]:
        shaped(tmp_path, "Gemm", 13, a, [constant("w", np.ones(b), np.float32)], ["w"], **more)


def test_images(tmp_path):
    scales = constant("s", [1, 1, 2.5, 0.6], np.float32)
    sizes = constant("n", [1, 2, 7, 3])
    for opset in 11, 13, 18, 19:
        shaped(tmp_path, "Resize", opset, (1, 2, 5, 6), [scales, constant("r", [], np.float32)], ["r", "s"])
        if opset > 11:
            shaped(tmp_path, "Resize", opset, (1, 2, 5, 6), [sizes], ["", "", "n"])
    shaped(tmp_path, "Resize", 10, (1, 2, 5, 6), [scales], ["s"])
    shaped(tmp_path, "Resize", 18, (1, 2, 5, 6), [constant("n", [7, 3])], ["", "", "n"], axes=[2, -1])
    shaped(tmp_path, "Upsample", 9, (1, 2, 5, 6), [constant("s", [1, 1, 2, 3], np.float32)], ["s"])
    shaped(tmp_path, "Upsample", 7, (1, 2, 5, 6), scales=[1.0, 1.0, 2.0, 3.0])
    shaped(tmp_path, "DepthToSpace", 13, (1, 8, 2, 3), blocksize=2)
    shaped(tmp_path, "SpaceToDepth", 13, (1, 2, 4, 6), blocksize=2)


def test_recurrent_layers(tmp_path):
    for op, gates in ("LSTM", 4), ("GRU", 3), ("RNN", 1):
        for direction, count in ("forward", 1), ("bidirectional", 2):
            weights = [constant("w", np.ones((count, gates * 5, 3)), np.float32),
                       constant("r", np.ones((count, gates * 5, 5)), np.float32)]
            names = ("y", "h", "c")[: 3 if op == "LSTM" else 2]
            shaped(tmp_path, op, 14, (7, 2, 3), weights, ["w", "r"], names, hidden_size=5, direction=direction)


def test_shapes_that_stay(tmp_path):
    for op in ("Relu", "Sigmoid", "Softmax", "Exp", "Sqrt", "LeakyRelu", "Erf", "Tanh", "HardSigmoid"):
        shaped(tmp_path, op, 13, (2, 3, 4))
    shaped(tmp_path, "LRN", 13, (2, 3, 4, 5), size=3)
    channel = [constant(n, np.ones(3), np.float32) for n in "abcd"]
    shaped(tmp_path, "BatchNormalization", 13, (2, 3, 4), channel, ["a", "b", "c", "d"])
    shaped(tmp_path, "InstanceNormalization", 13, (2, 3, 4), channel, ["a", "b"])
    shaped(tmp_path, "PRelu", 13, (2, 3), channel, ["a"])
    shaped(tmp_path, "Pow", 13, (2, 3), channel, ["a"])
    shaped(tmp_path, "Mean", 13, (2, 3), channel, ["a"])
    shaped(tmp_path, "IsNaN", 13, (2, 3))
    shaped(tmp_path, "IsInf", 13, (2, 3))
    scale = [constant("a", 0.5, np.float32), constant("b", 3, np.uint8)]
    shaped(tmp_path, "QuantizeLinear", 13, (2, 3), scale, ["a", "b"])
    try_node(tmp_path, oh.make_node("DequantizeLinear", ["x", "a", "b"], ["y"]), scale, 13, "shape",
             feed={"x": values(np.uint8, (2, 3))})
    index = [constant("i", [[0, 1], [1, 0], [1, 1]])]
    shaped(tmp_path, "GatherElements", 13, (3, 2), index, ["i"], axis=0)


# ---- Control flow and functions ------------------------------------------------------------------


def test_branches(tmp_path):
    """The branch that a constant condition chooses; otherwise what both have in common."""

    def branch(name, items):
        return oh.make_graph([oh.make_node("Constant", [], [name], value=constant("", items))], name, [],
                             [oh.make_tensor_value_info(name, 7, None)])

    for chosen, condition in ([1, 2], [True]), ([1, 5], False):
        node = oh.make_node("If", ["c"], ["y"], then_branch=branch("a", [1, 2]), else_branch=branch("b", [1, 5]))
        try_node(tmp_path, node, [constant("c", condition, bool)], 13)
        assert chosen
    port = [oh.make_tensor_value_info("c", 9, [1])]
    found = worked_out(tmp_path, [node], {"y": (np.int64, 2)}, port, [], 13, {})
    assert found["y"] == (np.int64, [2], [UNKNOWN, UNKNOWN])
    node = oh.make_node("If", ["c"], ["y"], then_branch=branch("a", [4, 2]), else_branch=branch("b", [4, 2]))
    assert worked_out(tmp_path, [node], {"y": (np.int64, 2)}, port, [], 13, {})["y"][2] == [4, 2]
    node = oh.make_node("If", ["c"], ["y"], then_branch=branch("a", [4]), else_branch=branch("b", [4, 2]))
    assert worked_out(tmp_path, [node], {"y": (np.int64, 2)}, port, [], 13, {})["y"][1] == [None]


def function(name, nodes, inputs, outputs, attributes=()):
    return oh.make_function("my", name, inputs, outputs, nodes, [oh.make_opsetid("", 18), oh.make_opsetid("my", 1)],
                            attributes)


def test_functions(tmp_path):
    """Each call gives what follows from its own arguments; a Pad inside, what all calls share."""
    axis = oh.make_node("Gather", ["p", "q"], ["r"])
    axis.attribute.append(onnx.AttributeProto(name="axis", ref_attr_name="along", type=2))
    inner = function("Inner", [axis], ["p", "q"], ["r"], ["along"])
    call = oh.make_node("Inner", ["s", "i"], ["t"], domain="my", along=0)
    outer = function("Outer", [oh.make_node("Shape", ["d"], ["s"]), call,
                               oh.make_node("Concat", ["t", "t"], ["pads"], axis=0),
                               oh.make_node("Pad", ["d", "pads"], ["e"], name="in outer"),
                               oh.make_node("Shape", ["e"], ["u"])], ["d", "i"], ["e", "u"])  # fmt: skip
    nodes = [oh.make_node("Outer", ["x", "i"], ["a", "y"], domain="my"),
             oh.make_node("Outer", ["a", "i"], ["b", "z"], domain="my")]
    x = values(np.float32, (2, 3))
    ports = [oh.make_tensor_value_info("x", 1, ["n", 3])]
    more = dict(imports=[oh.make_opsetid("my", 1)], functions=[inner, outer])
    constants = [constant("i", [0, 1])]
    sizes = {"y": (np.int64, 2), "z": (np.int64, 2), "b": (np.float32, 0)}
    expected = by_runtime(nodes, ["y", "z", "b"], ports, constants, 18, {"x": x}, **more)
    found = worked_out(tmp_path, nodes, sizes, ports, constants, 18, {"x": [2, 3]}, **more)
    assert expected["z"].tolist() == [18, 27]
    for name in sizes:
        agrees(found[name], expected[name], "shape" if name == "b" else True, name)
    found = worked_out(tmp_path, nodes, sizes, ports, constants, 18, {}, **more)
    assert found["z"][2] == [UNKNOWN, 27] and found["b"][1] == [None, 27]

    def inside(count):
        path = save(tmp_path, nodes[:count], ports, ["a"], constants, 18, more["functions"], more["imports"])
        entries = json.loads(succeed("inspect", "--json", "--input-shape=x=2,3", path).out)["nodes"]
        (entry,) = [entry for entry in entries if entry["name"] == "in outer"]
        return [entry[key] for key in ("input_shape", "output_shape", "begin", "computed")]

    assert inside(1) == [[2, 3], [6, 9], [2, 3], []]
    assert inside(2) == [[None, None], [None, None], None, ["pads"]]


def test_functions_that_call_each_other(tmp_path):
    """No call of itself, and no tree of calls, takes long or fails."""
    loop = function("F", [oh.make_node("F", ["p"], ["q"], domain="my")], ["p"], ["q"])
    twice = [loop]
    for i in range(40):
        inner = "F" if i == 0 else f"G{i - 1}"
        twice.append(function(f"G{i}", [oh.make_node(inner, ["p"], ["m"], domain="my"),
                                        oh.make_node(inner, ["m"], ["q"], domain="my")], ["p"], ["q"]))
    path = save(tmp_path, [oh.make_node("G39", ["x"], ["y"], domain="my"), oh.make_node("Pad", ["y", "p"], ["z"])],
                ["x"], ["z"], [constant("p", [1, 2])], 18, twice, [oh.make_opsetid("my", 1)])
    (entry,) = json.loads(succeed("inspect", "--json", path).out)["nodes"]
    assert entry["begin"] == [1]


# ---- Random graphs -------------------------------------------------------------------------------


def grow(generator, steps):
    """Nodes of small integers from the shape of x, [?, 3, ?, 2]: what exporters write around Pad."""
    nodes, constants = [oh.make_node("Shape", ["x"], ["v0"])], []
    sizes = {"v0": 4}

    def fixed(items):
        name = f"c{len(constants)}"
        constants.append(constant(name, items))
        return name

    def add(op, inputs, size, **attributes):
        name = f"v{len(nodes)}"
        nodes.append(oh.make_node(op, inputs, [name], **attributes))
        sizes[name] = size

    for _ in range(steps):
        name = str(generator.choice(list(sizes)))
        size, kind = sizes[name], generator.integers(10)
        other = str(generator.choice([n for n in sizes if sizes[n] == size]))
        if kind == 0:
            picks = generator.integers(-size, size, generator.integers(1, 5))
            add("Gather", [name, fixed(picks)], len(picks))
        elif kind == 1:
            add(str(generator.choice(["Add", "Sub", "Min", "Max"])), [name, other], size)
        elif kind == 2:
            add(str(generator.choice(["Div", "Mod"])), [name, fixed(generator.integers(1, 6, size))], size)
        elif kind == 3 and size < 9:
            add("Concat", [name, other], 2 * size, axis=0)
        elif kind == 4:
            step = int(generator.choice([1, 2, -1, -2]))
            start, end = (0, 9) if step > 0 else (9, -99)
            add("Slice", [name, fixed([start]), fixed([end]), fixed([0]), fixed([step])], (size - 1) // abs(step) + 1)
        elif kind == 5 and size % 2 == 0:
            nodes.append(oh.make_node("Reshape", [name, fixed([-1, 2])], [f"r{len(nodes)}"]))
            nodes.append(oh.make_node("Transpose", [nodes[-1].output[0]], [f"t{len(nodes)}"], perm=[1, 0]))
            add("Reshape", [nodes[-1].output[0], fixed([-1])], size)
        elif kind == 6:
            nodes.append(oh.make_node("Less", [name, fixed([4])], [f"b{len(nodes)}"]))
            add("Where", [nodes[-1].output[0], name, other], size)
        elif kind == 7:
            add(str(generator.choice(["ReduceSum", "ReduceProd", "ReduceMax"])), [name], 1, keepdims=1)
            sizes[f"v{len(nodes) - 1}"] = 1
        elif kind == 8:
            add("Neg", [name], size)
        else:
            nodes.append(oh.make_node("Cast", [name], [f"f{len(nodes)}"], to=1))
            nodes.append(oh.make_node("Mul", [nodes[-1].output[0], "half"], [f"h{len(nodes)}"]))
            nodes.append(oh.make_node("Floor", [nodes[-1].output[0]], [f"g{len(nodes)}"]))
            add("Cast", [nodes[-1].output[0]], size, to=7)
    return nodes, [*constants, constant("half", 0.5, np.float32)], sizes


@pytest.mark.parametrize("seed", range(40))
def test_random_graphs(seed, tmp_path):
    """With the shape of x everything is known; without it, only what holds for all shapes."""
    generator = np.random.default_rng(seed)
    nodes, constants, sizes = grow(generator, 14)
    ports = [oh.make_tensor_value_info("x", 1, ["n", 3, "w", 2])]
    names = list(sizes)
    runs = []
    for shape in (1, 3, 7, 2), (4, 3, 1, 2), (2, 3, 5, 2):
        feed = {"x": np.zeros(shape, np.float32)}
        runs.append(by_runtime(nodes, names, ports, constants, 13, feed))
    looked = {name: (np.int64, x.size) for name, x in runs[0].items() if x.size <= MOST}
    found = worked_out(tmp_path, nodes, looked, ports, constants, 13, {"x": (1, 3, 7, 2)})
    for name in looked:
        sure = np.abs(runs[0][name]).max() < 2**20
        agrees(found[name], runs[0][name], bool(sure), (name, seed))
    found = worked_out(tmp_path, nodes, looked, ports, constants, 13, {})
    assert found["v0"][2] == [UNKNOWN, 3, UNKNOWN, 2]
    for name, run in itertools.product(looked, runs):
        agrees(found[name], run[name], False, (name, seed))
