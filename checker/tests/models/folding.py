"""Looks at what `inspect` works out of constants and shapes, and at what ONNX Runtime computes.

SPDX-License-Identifier: MIT

A tensor is looked at through Pad nodes that nobody runs: its shape and type as the data of one,
each of its elements as the constant_value of another.
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
from onnx_models import save

UNKNOWN = object()
NAMES = {
    "float": np.float32, "double": np.float64, "float16": np.float16, "bool": np.bool_,
    "int8": np.int8, "int16": np.int16, "int32": np.int32, "int64": np.int64,
    "uint8": np.uint8, "uint16": np.uint16, "uint32": np.uint32, "uint64": np.uint64,
}  # fmt: skip
INTS = ["int8", "int32", "int64", "uint8", "uint32", "uint64"]
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
    words = [
        w for n, s in shapes.items() for w in ("--input-shape", f"{n}={','.join(map(str, s))}")
    ]
    path = save(folder, [*nodes, *looks], ports, [], weights, opset, functions, imports)
    found = {}
    for entry in json.loads(succeed("inspect", "--json", *words, path).stdout)["nodes"]:
        kind, _, at = entry["name"].rpartition(" ")
        if kind == "look":
            name = list(sizes)[int(at)]
            found[name] = (
                NAMES[entry["type"]] if entry["type"] else None,
                entry["input_shape"],
                [],
            )
        elif kind == "element":
            name = list(sizes)[int(at)]
            found[name][2].append(parse(entry["value"], sizes[name][0]))
    return found


def by_runtime(nodes, names, ports, constants, opset, feed, imports=(), functions=()):
    """{name: array} as ONNX Runtime has it, or where it has no kernel, the ONNX reference."""
    outputs = [oh.make_empty_tensor_value_info(name) for name in names]
    graph = oh.make_graph(nodes, "g", ports, outputs, initializer=constants)
    model = oh.make_model(
        graph,
        opset_imports=[oh.make_opsetid("", opset), *imports],
        ir_version=8,
        functions=functions,
    )
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
            assert element.tobytes() == flat[at].tobytes() or element != element, (
                what,
                at,
                element,
                flat[at],
            )
    if complete:
        assert dtype is not None and shape == list(expected.shape), (what, dtype, shape)
    if complete is True:
        assert len(elements) == flat.size <= MOST, (what, elements)
        assert all(element is not UNKNOWN for element in elements), (what, elements, flat)


def try_node(folder, node, constants, opset, complete=True, names=("y",), feed=None, imports=()):
    """One node over constants; `feed` are inputs of the model whose shapes are given."""
    feed = feed or {}
    ports = [
        oh.make_tensor_value_info(name, number(x.dtype), [None] * x.ndim)
        for name, x in feed.items()
    ]
    nodes = node if isinstance(node, list) else [node]
    shapes = {name: x.shape for name, x in feed.items()}
    expected = by_runtime(nodes, list(names), ports, constants, opset, feed, imports)
    if opset < 11 and complete:
        complete = "shape"
    sizes = {name: (x.dtype.type, min(x.size, MOST)) for name, x in expected.items()}
    if complete == "shape":
        sizes = {name: (x.dtype.type, 0) for name, x in expected.items()}
    found = worked_out(folder, nodes, sizes, ports, constants, opset, shapes, imports)
    for name in names:
        agrees(found[name], expected[name], complete, (nodes, opset))
    if feed:  # without the shapes, less is known, and nothing that is wrong
        found = worked_out(folder, nodes, sizes, ports, constants, opset, {}, imports)
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


def moved(
    folder,
    op,
    opset,
    inputs,
    complete=True,
    names=("y",),
    dtype=np.int64,
    shape=(2, 3, 4),
    **attributes,
):
    """A node over a constant of that shape and some lists; the same over an input of that shape."""
    x = values(dtype, shape)
    rest = [constant(f"i{i}", item) for i, item in enumerate(inputs) if item is not None]
    given = ["a"] + [f"i{i}" if item is not None else "" for i, item in enumerate(inputs)]
    node = oh.make_node(op, given, list(names), **attributes)
    try_node(folder, node, [nh.from_array(x, "a"), *rest], opset, complete, names)
    try_node(folder, node, rest, opset, complete and "shape", names, {"a": x})


# ---- Tables --------------------------------------------------------------------------------------

I = np.array  # noqa: E741


def array_of(dtype):
    return lambda items: np.array(items, dtype)


F, U8, I8 = map(array_of, (np.float32, np.uint8, np.int8))


def rows(table):
    """Each row with one opset and the attributes of one node."""
    for op, opsets, inputs, attributes, *more in table:
        opsets = opsets if isinstance(opsets, tuple) else (opsets,)
        attributes = attributes if isinstance(attributes, list) else [attributes]
        for opset, each in itertools.product(opsets, attributes):
            yield op, opset, inputs, each, *more


def operators(table):
    """The table as parameters, one for each operator."""
    names = dict.fromkeys(row[0] for row in table)
    return [pytest.param([r for r in table if r[0] == name], id=name) for name in names]
