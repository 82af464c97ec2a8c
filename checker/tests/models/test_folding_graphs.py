"""What `inspect` works out through branches, local functions and random graphs.

SPDX-License-Identifier: MIT
"""

import itertools
import json

import numpy as np
import onnx
import onnx.helper as oh
import pytest
from folding import MOST, UNKNOWN, agrees, by_runtime, constant, try_node, values, worked_out
from harness import succeed
from onnx_models import pad_node, parsed, referring, save

# ---- Control flow and functions ------------------------------------------------------------------


def choice(one, other):
    """An If; one branch makes the list `one`, the other branch `other`."""
    sides = [
        f"{side}_branch = {side} () => (int64[] {side[0]})"
        f" {{ {side[0]} = Constant <value_ints={items}> () }}"
        for side, items in (("then", one), ("else", other))
    ]
    return parsed(f"y = If <{', '.join(sides)}> (c)")


def test_branches(tmp_path):
    """A constant condition chooses a branch. Otherwise only what both branches share is known."""
    for condition in [True], False:
        try_node(tmp_path, choice([1, 2], [1, 5]), [constant("c", condition, bool)], 13)
    port = [oh.make_tensor_value_info("c", 9, [1])]
    for one, other, shape, items in [
        ([1, 2], [1, 5], [2], [UNKNOWN, UNKNOWN]),
        ([4, 2], [4, 2], [2], [4, 2]),
        ([4], [4, 2], [None], None),
    ]:
        nodes = choice(one, other)
        found = worked_out(tmp_path, nodes, {"y": (np.int64, 2)}, port, [], 13, {})["y"]
        assert found[1] == shape and items in (None, found[2])


MY = oh.make_opsetid("my", 1)


def function(name, text, inputs, outputs, attributes=()):
    nodes = parsed(text) if isinstance(text, str) else text
    opsets = [oh.make_opsetid("", 18), MY]
    return oh.make_function("my", name, inputs, outputs, nodes, opsets, attributes)


def test_functions(tmp_path):
    """Each call gives what follows from its own arguments; a Pad inside, what all calls share."""
    axis = oh.make_node("Gather", ["p", "q"], ["r"])
    axis.attribute.append(onnx.AttributeProto(name="axis", ref_attr_name="along", type=2))
    text = """s = Shape (d) t = my.Inner <along=0> (s, i) pads = Concat <axis=0> (t, t)
        [inside] e = Pad (d, pads) u = Shape (e)"""
    functions = [
        function("Inner", [axis], ["p", "q"], ["r"], ["along"]),
        function("Outer", text, ["d", "i"], ["e", "u"]),
    ]
    nodes = parsed("a, y = my.Outer (x, i) b, z = my.Outer (a, i)")
    x = values(np.float32, (2, 3))
    ports = [oh.make_tensor_value_info("x", 1, ["n", 3])]
    more = {"imports": [MY], "functions": functions}
    constants = [constant("i", [0, 1])]
    sizes = {"y": (np.int64, 2), "z": (np.int64, 2), "b": (np.float32, 0)}
    expected = by_runtime(nodes, ["y", "z", "b"], ports, constants, 18, {"x": x}, **more)
    found = worked_out(tmp_path, nodes, sizes, ports, constants, 18, {"x": [2, 3]}, **more)
    assert expected["z"].tolist() == [18, 27]
    for name in sizes:
        agrees(found[name], expected[name], "shape" if name == "b" else True, name)
    found = worked_out(tmp_path, nodes, sizes, ports, constants, 18, {}, **more)
    assert found["z"][2] == [UNKNOWN, 27] and found["b"][1] == [None, 27]
    for count, said in (
        (1, [[2, 3], [6, 9], [2, 3], []]),
        (2, [[None, None], [None, None], None, ["pads"]]),
    ):
        path = save(tmp_path, nodes[:count], ports, ["a"], constants, 18, functions, [MY])
        told = json.loads(succeed("inspect", "--json", "--input-shape=x=2,3", path).stdout)
        (entry,) = [entry for entry in told["nodes"] if entry["name"] == "inside"]
        keys = ("input_shape", "output_shape", "begin", "computed")
        assert [entry[key] for key in keys] == said


def test_functions_that_call_each_other(tmp_path):
    """No call of itself, and no tree of calls, takes long or fails."""
    twice = [function("F", "q = my.F (p)", ["p"], ["q"])]
    for i in range(40):
        inner = "F" if i == 0 else f"G{i - 1}"
        text = f"m = my.{inner} (p) q = my.{inner} (m)"
        twice.append(function(f"G{i}", text, ["p"], ["q"]))
    nodes = parsed("y = my.G39 (x) z = Pad (y, p)")
    path = save(tmp_path, nodes, ["x"], ["z"], [constant("p", [1, 2])], 18, twice, [MY])
    (entry,) = json.loads(succeed("inspect", "--json", path).stdout)["nodes"]
    assert entry["begin"] == [1]


# ---- Random graphs -------------------------------------------------------------------------------


def grow(generator, steps):
    """Nodes of small integers from the shape of x, [?, 3, ?, 2], as exporters write them."""
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
            add(
                str(generator.choice(["Div", "Mod"])),
                [name, fixed(generator.integers(1, 6, size))],
                size,
            )
        elif kind == 3 and size < 9:
            add("Concat", [name, other], 2 * size, axis=0)
        elif kind == 4:
            step = int(generator.choice([1, 2, -1, -2]))
            start, end = (0, 9) if step > 0 else (9, -99)
            add(
                "Slice",
                [name, fixed([start]), fixed([end]), fixed([0]), fixed([step])],
                (size - 1) // abs(step) + 1,
            )
        elif kind == 5 and size % 2 == 0:
            nodes.append(oh.make_node("Reshape", [name, fixed([-1, 2])], [f"r{len(nodes)}"]))
            nodes.append(
                oh.make_node("Transpose", [nodes[-1].output[0]], [f"t{len(nodes)}"], perm=[1, 0])
            )
            add("Reshape", [nodes[-1].output[0], fixed([-1])], size)
        elif kind == 6:
            nodes.append(oh.make_node("Less", [name, fixed([4])], [f"b{len(nodes)}"]))
            add("Where", [nodes[-1].output[0], name, other], size)
        elif kind == 7:
            add(
                str(generator.choice(["ReduceSum", "ReduceProd", "ReduceMax"])),
                [name],
                1,
                keepdims=1,
            )
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


# ---- What is not sure ----------------------------------------------------------------------------


def known(folder, op, inputs, constants=(), opset=18, **attributes):
    """The shape that is worked out for the output; x is [?,3,4], r of unknown rank."""
    ports = [
        oh.make_tensor_value_info("x", 1, ["n", 3, 4]),
        oh.make_tensor_value_info("r", 7, None),
    ]
    node = oh.make_node(op, inputs, ["y"], **attributes)
    sizes = {"y": (np.int64, 0)}
    return worked_out(folder, [node], sizes, ports, list(constants), opset, {})["y"][1]


def test_nothing_is_said_where_it_is_not_sure(tmp_path):
    """Inputs that are not known, and nodes that no runtime would take."""
    two, wide = constant("two", [2, 2]), constant("wide", np.ones([5, 3, 9]), np.float32)
    cases = [
        ("MatMul", ["x", "r"], [], {}),
        ("Gather", ["x", "two"], [two], {"axis": 5}),
        ("Gather", ["r", "two"], [two], {}),
        ("Concat", ["x", "two"], [two], {"axis": 0}),
        ("Concat", ["r", "x"], [], {"axis": 0}),
        ("Expand", ["x", "r"], [], {}),
        ("Reshape", ["x", "r"], [], {}),
        ("Tile", ["x", "two"], [two], {}),
        ("Tile", ["x", "r"], [], {}),
        ("Transpose", ["x"], [], {"perm": [0, 0, 1]}),
        ("Transpose", ["x"], [], {"perm": [0, 1]}),
        ("Squeeze", ["x", "r"], [], {}),
        ("Squeeze", ["x"], [], {}),
        ("Squeeze", ["x", "one"], [constant("one", [1])], {}),
        ("Squeeze", ["x", "no"], [constant("no", [])], {}),
        ("Unsqueeze", ["x", "two"], [two], {}),
        ("Unsqueeze", ["x", "r"], [], {}),
        ("ConstantOfShape", ["r"], [], {}),
        ("ReduceSum", ["x", "r"], [], {"keepdims": 0}),
        ("Split", ["r"], [], {"num_outputs": 1}),
        ("Where", ["r", "x", "x"], [], {}),
        ("Conv", ["r", "r"], [], {}),
        ("ConvTranspose", ["r", "wide"], [wide], {}),
        ("MaxPool", ["r"], [], {"kernel_shape": [1]}),
        ("Resize", ["r", "", "", "two"], [two], {}),
        ("Conv", ["x", "wide"], [wide], {"strides": [1, 1]}),
        ("Flatten", ["x"], [], {"axis": [1]}),
        ("Gemm", ["x", "x"], [], {}),
        ("LSTM", ["r", "r", "r"], [], {"hidden_size": 2}),
        ("DepthToSpace", ["x"], [], {"blocksize": 2}),
        ("Pow", ["r", "x"], [], {}),
    ]
    for op, inputs, constants, attributes in cases:
        found = known(tmp_path, op, inputs, constants, **attributes)
        assert found is None, (op, inputs, attributes, found)
    names = {"s": [-9], "e": [-99], "a": [1], "t": [-1]}
    before_the_first = [constant(name, items) for name, items in names.items()]
    partly = [
        ("Conv", ["x", "wide"], [wide], {}, [None, 5, None]),
        ("Add", ["x", "two"], [two], {}, [None, 3, None]),
        ("Concat", ["x", "r"], [], {"axis": 0}, [None, 3, 4]),
        ("ReduceSum", ["x", "r"], [], {}, [None, None, None]),
        ("Slice", ["x", "r", "two", "two"], [two], {}, [None, None, None]),
        ("Slice", ["x", "two", "two", "r"], [two], {}, [None, None, None]),
        ("Slice", ["x", "s", "e", "a", "t"], before_the_first, {}, [None, None, 4]),
        ("Resize", ["x", "", "", "r"], [], {}, [None, None, None]),
        ("Range", ["r", "r", "r"], [], {}, [None]),
        ("Shape", ["r"], [], {}, [None]),
        ("Flatten", ["x"], [], {}, [None, 12]),
        ("Flatten", ["r"], [], {}, [None, None]),
        ("MaxPool", ["x"], [], {"kernel_shape": [2], "strides": [2], "ceil_mode": 1}, [None, 3, 2]),
        (
            "MaxPool",
            ["x"],
            [],
            {"kernel_shape": [2], "strides": [3], "ceil_mode": 1},
            [None, 3, None],
        ),
        ("Reshape", ["x", "c"], [constant("c", [-1, 4, 3])], {}, [None, 4, 3]),
        ("Reshape", ["x", "c"], [constant("c", [0, -1])], {}, [None, 12]),
        ("Expand", ["x", "c"], [constant("c", [2, 1, 1, 1])], {}, [2, None, 3, 4]),
        ("Tile", ["x", "c"], [constant("c", [2, 2, 2])], {}, [None, 6, 8]),
        (
            "Add",
            ["x", "c"],
            [constant("c", np.ones([2, 1, 1, 4]), np.float32)],
            {},
            [2, None, 3, 4],
        ),
    ]
    for op, inputs, constants, attributes, shape in partly:
        found = known(tmp_path, op, inputs, constants, **attributes)
        assert found == shape, (op, inputs, attributes, found)
    # old versions: attributes, and an axis by default
    assert known(tmp_path, "Reshape", ["x"], opset=4, shape=[3, -1]) == [3, None]
    assert known(tmp_path, "Concat", ["x", "x"], opset=3) == [None, 6, 4]
    assert known(tmp_path, "Cast", ["x"], opset=5, to="INT64") is None
    node, sizes = oh.make_node("Mod", ["a", "b"], ["y"]), {"y": (np.float32, 1)}
    floats = [constant("a", [5], np.float32), constant("b", [3], np.float32)]
    assert worked_out(tmp_path, [node], sizes, [], floats, 18, {})["y"][2] == [UNKNOWN]
    node = oh.make_node("ConstantOfShape", ["a"], ["y"], value=constant("", [1, 2]))
    found = worked_out(tmp_path, [node], {"y": (np.int64, 0)}, [], [constant("a", [2])], 18, {})
    assert found["y"][:2] == (None, [2])


def test_initializers_that_may_be_replaced(tmp_path):
    """Who runs the model may give another tensor for an initializer that is an input."""
    ports = [oh.make_tensor_value_info("a", 7, [2])]
    node = oh.make_node("Add", ["a", "b"], ["y"])
    constants = [constant("a", [1, 2]), constant("b", [3, 4])]
    for given, expected in ([], [4, 6]), (ports, [UNKNOWN, UNKNOWN]):
        found = worked_out(tmp_path, [node], {"y": (np.int64, 2)}, given, constants, 18, {})
        assert found["y"][1:] == ([2], expected)


def test_logic_with_one_side(tmp_path):
    """False settles And, true settles Or, whatever the other one is."""
    ports = [oh.make_tensor_value_info("k", 9, [3])]
    constants = [constant("a", [False, True, True], bool)]
    for op, expected in ("And", [False]), ("Or", [True, True]), ("Xor", []):
        node = oh.make_node(op, ["a", "k"], ["y"])
        found = worked_out(tmp_path, [node], {"y": (np.bool_, 3)}, ports, constants, 18, {})["y"][2]
        assert [bool(item) for item in found if item is not UNKNOWN] == expected, (op, found)
    ports = [oh.make_tensor_value_info("k", 9, ["m"])]
    node = oh.make_node("And", ["a", "k"], ["y"])
    found = worked_out(tmp_path, [node], {"y": (np.bool_, 3)}, ports, constants, 18, {})["y"]
    assert found[1] == [3] and found[2] == [False, UNKNOWN, UNKNOWN]


def test_branches_in_functions(tmp_path):
    """A branch inside a function is worked out anew for each call."""
    text = """s = Shape (d) r = If <then_branch = t () => (int64[1] a) { a = Gather (s, i) },
        else_branch = e () => (int64[1] b) { b = Gather (s, j) }> (k)
        e = Pad <mode="edge"> (d, p)"""
    inner = function("Choose", text, ["d", "k", "i", "j", "p"], ["r", "e"])
    nodes = parsed("""y, e1 = my.Choose (x, t, zero, one, pads)
        z, e2 = my.Choose (e1, f, zero, one, pads)""")
    lists = {"zero": [0], "one": [1], "pads": [1, 2, 0, 0]}
    constants = [constant("t", True, bool), constant("f", False, bool)]
    constants += [constant(name, items) for name, items in lists.items()]
    x = values(np.float32, (2, 3))
    ports = [oh.make_tensor_value_info("x", 1, [2, 3])]
    more = {"imports": [MY], "functions": [inner]}
    expected = by_runtime(nodes, ["y", "z", "e2"], ports, constants, 18, {"x": x}, **more)
    sizes = {"y": (np.int64, 1), "z": (np.int64, 1), "e2": (np.float32, 0)}
    found = worked_out(tmp_path, nodes, sizes, ports, constants, 18, {}, **more)
    assert expected["z"].tolist() == [5]
    for name in sizes:
        agrees(found[name], expected[name], "shape" if name == "e2" else True, name)


def test_declared_shapes_where_the_inference_ends(tmp_path):
    """Of an unknown operator, what the file says; of a known one, what it does not tell itself."""
    nodes = parsed("""y = other.Mystery (x) z = Slice (x, r, r, r) w = Relu (x)
        [y] y_out = Pad (y, p) [z] z_out = Pad (z, p) [w] w_out = Pad (w, p)""")
    ports = [oh.make_tensor_value_info("x", 1, ["n", 3]), oh.make_tensor_value_info("r", 7, None)]
    said = [oh.make_tensor_value_info(name, 1, [7, 5]) for name in "yzw"]
    more = {"imports": [oh.make_opsetid("other", 1)], "value_info": said}
    path = save(tmp_path, nodes, ports, [], [constant("p", [0] * 4)], **more)
    entries = json.loads(succeed("inspect", "--json", path).stdout)["nodes"]
    found = {entry["name"]: (entry["type"], entry["input_shape"]) for entry in entries}
    # Relu keeps the 3 of its input, whatever the file says of its output
    assert found == {"y": ("float", [7, 5]), "z": ("float", [7, 5]), "w": ("float", [7, 3])}


def test_attributes_that_calls_give(tmp_path):
    """The mode of a Pad in a function is known if there is one call."""
    inner = [referring(pad_node(["a", "p"], "b", "inner"), "mode", "how")]
    more = {"functions": [function("F", inner, ["a", "p"], ["b"], ["how"])], "imports": [MY]}
    calls = parsed('y = my.F <how="edge"> (x, p) z = my.F <how="wrap"> (y, p)')
    for count, mode, computed in (1, "edge", []), (2, None, ["mode"]):
        path = save(tmp_path, calls[:count], ["x"], ["y"], [constant("p", [1, 1])], 19, **more)
        (entry,) = json.loads(succeed("inspect", "--json", path).stdout)["nodes"]
        assert (entry["mode"], entry["begin"], entry["computed"]) == (mode, [1], computed)


def test_amounts_of_which_some_are_known(tmp_path):
    """The extents of the axes whose amounts are known follow; the others do not."""
    nodes = [
        oh.make_node("Concat", ["one", "q", "two", "one"], ["p"], axis=0),
        oh.make_node("Pad", ["x", "p"], ["y"]),
    ]
    ports = [oh.make_tensor_value_info("x", 1, [2, 3]), oh.make_tensor_value_info("q", 7, [1])]
    path = save(tmp_path, nodes, ports, ["y"], [constant("one", [1]), constant("two", [2])])
    (entry,) = json.loads(succeed("inspect", "--json", path).stdout)["nodes"]
    assert (entry["output_shape"], entry["begin"], entry["computed"]) == ([5, None], None, ["pads"])
