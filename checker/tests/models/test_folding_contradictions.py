"""Models that contradict themselves: nothing that they say is read twice as two things.

SPDX-License-Identifier: MIT

A sanitized build sees a read beyond the elements; every build must refuse such a model or say nothing
that is wrong.
"""

import itertools
import json

import numpy as np
import onnx
import onnx.helper as oh
import onnx.numpy_helper as nh
import openvino as ov
import pytest
from folding import UNKNOWN, agrees, by_runtime, constant, worked_out
from harness import fail, succeed
from onnx_models import pad_node, parsed, save
from openvino import opset13

HUGE = [1024] * 7  # 2^70 elements
LEAST = -(2**63)


def known(found):
    return [item for item in found[2] if item is not UNKNOWN]


# ---- Shapes that do not agree --------------------------------------------------------------------


@pytest.mark.parametrize("extents", itertools.permutations([2, 3, 5]))
def test_three_shapes(extents, tmp_path):
    """Two that conflict conflict with every third one."""
    a, b, c = extents
    for op, kinds in ("Where", "biI"), ("Max", "iii"), ("Sum", "iii"):
        types = {"b": np.bool_, "i": np.int64, "I": np.int64}
        constants = [
            constant(f"c{i}", np.ones(extent), types[kind])
            for i, (extent, kind) in enumerate(zip((a, b, c), kinds))
        ]
        node = oh.make_node(op, ["c0", "c1", "c2"], ["y"])
        found = worked_out(tmp_path, [node], {"y": (np.int64, 5)}, [], constants, 18, {})
        assert found["y"][1] == [None] and known(found["y"]) == [], (op, extents, found)
    # the extent that is unknown stays one that the others decide
    ports = [oh.make_tensor_value_info("n", 9, ["n"])]
    constants = [constant("c1", np.ones(b)), constant("c2", np.ones(1))]
    node = oh.make_node("Where", ["n", "c1", "c2"], ["y"])
    found = worked_out(tmp_path, [node], {"y": (np.int64, 5)}, ports, constants, 18, {})
    assert found["y"][1] == [b]


def layer(number, kind, data, inputs=0, output="I64"):
    ports = "".join(f'<port id="{i}"/>' for i in range(inputs))
    ports = f"<input>{ports}</input>" if inputs else ""
    out = f'<output><port id="{inputs}" precision="{output}"/></output>' if output else ""
    head = f'<layer id="{number}" name="l{number}" type="{kind}" version="opset1"><data {data}/>'
    return f"{head}{ports}{out}</layer>"


def ir(folder, layers, edges, weights):
    text = '<net name="m" version="11"><layers>' + "".join(layers) + "</layers><edges>"
    for a, b, c, d in edges:
        text += f'<edge from-layer="{a}" from-port="{b}" to-layer="{c}" to-port="{d}"/>'
    (folder / "m.xml").write_text(text + "</edges></net>")
    (folder / "m.bin").write_bytes(weights)
    return json.loads(succeed("inspect", "--json", folder / "m.xml").stdout)["nodes"]


@pytest.mark.parametrize("extents", itertools.permutations([2, 3, 5]))
def test_three_shapes_of_select(extents, tmp_path):
    a, b, c = extents
    layers = [
        layer(0, "Const", f'element_type="boolean" shape="{a}" offset="0" size="{a}"'),
        layer(1, "Const", f'element_type="i64" shape="{b}" offset="0" size="{8 * b}"'),
        layer(2, "Const", f'element_type="i64" shape="{c}" offset="0" size="{8 * c}"'),
        layer(3, "Select", 'auto_broadcast="numpy"', 3),
        layer(4, "Parameter", 'element_type="f32" shape="?,?"', output="FP32"),
        layer(5, "Pad", 'pad_mode="edge"', 3, "FP32"),
        layer(6, "Result", "", 1, ""),
    ]
    edges = [(0, 0, 3, 0), (1, 0, 3, 1), (2, 0, 3, 2), (4, 0, 5, 0), (3, 3, 5, 1), (3, 3, 5, 2)]
    [entry] = ir(tmp_path, layers, [*edges, (5, 3, 6, 0)], bytes(range(40)))
    assert entry["begin"] is None and entry["computed"] == ["pads_begin", "pads_end"]


# ---- Two things of one name ----------------------------------------------------------------------


def sparse(name, shape):
    values = nh.from_array(np.ones(1, np.int64), name)
    return oh.make_sparse_tensor(values, nh.from_array(np.array([0])), shape)


def test_two_initializers_of_one_name(tmp_path):
    """One of 60 elements that has none, and one of 4."""
    pads = constant("p", [0, 1, 0, 1])
    for first, second in (pads, pads), (pads, constant("p", np.zeros(60))):
        for order in ([first, second], [second, first]):
            path = save(tmp_path, [pad_node(["x", "p"], "y")], ["x"], ["y"], order)
            fail(3, "inspect", path, says=["two things are called 'p' in one graph"])
    for shape in [60], [4], []:
        nodes = [pad_node(["x", "p"], "y"), oh.make_node("Add", ["p", "p"], ["q"])]
        more = {"sparse_initializer": [sparse("p", shape)]}
        path = save(tmp_path, nodes, ["x"], ["y", "p"], [pads], **more)
        fail(3, "inspect", path, says=["two things are called 'p' in one graph"])
        fail(3, "run", path, "--output", tmp_path / "y.npy", says=["two things are called 'p'"])


def test_two_inputs_of_one_name(tmp_path):
    path = save(tmp_path, [pad_node(["x", "p"], "y")], ["x", "p", "x"], ["y"])
    fail(3, "inspect", path, says=["two things are called 'x' in one graph"])


def test_an_initializer_is_the_default_of_an_input(tmp_path):
    pads = constant("p", [0, 1])
    path = save(tmp_path, [pad_node(["x", "p"], "y")], ["x", "p"], ["y"], [pads])
    [entry] = json.loads(succeed("inspect", "--json", path).stdout)["nodes"]
    assert entry["begin"] == [0] and entry["end"] == [1]
    for twice in ["x", "p", "p"], ["x", "p"]:
        weights = [pads] if len(twice) == 3 else [pads, pads]
        path = save(tmp_path, [pad_node(["x", "p"], "y")], twice, ["y"], weights)
        fail(3, "inspect", path, says=["two things are called 'p' in one graph"])
    # a node makes it, too
    nodes = [oh.make_node("Neg", ["x"], ["p"]), pad_node(["x", "p"], "y")]
    for ports, weights in (["x", "p"], []), (["x"], [pads]), (["x", "p"], [pads]):
        path = save(tmp_path, nodes, ports, ["y"], weights)
        fail(3, "inspect", path, says=["two things are called 'p' in one graph"])


# ---- Functions -----------------------------------------------------------------------------------


def function(domain, name, inputs, outputs, nodes, attributes=()):
    made = oh.make_function(
        domain, name, [], outputs, nodes, [oh.make_opsetid("", 18)], list(attributes)
    )
    made.input.extend(inputs)
    return made


def test_a_function_with_one_name_for_two_inputs(tmp_path):
    """Called with 4 elements for the first, and 1,000 for the second."""
    body = [oh.make_node("Add", ["a", "a"], ["b"])]
    twice = function("my", "F", ["a", "a"], ["b"], body)
    nodes = [oh.make_node("F", ["p", "x"], ["q"], domain="my"), pad_node(["d", "q"], "y")]
    ports = [oh.make_tensor_value_info("x", 7, [1000]), oh.make_tensor_value_info("d", 1, [2, 2])]
    pads, more = constant("p", [1, 2, 3, 4]), [oh.make_opsetid("my", 1)]
    path = save(tmp_path, nodes, ports, ["y"], [pads], 18, [twice], more)
    fail(3, "inspect", path, says=["two things are called 'a' in one graph"])


def test_two_functions_of_one_name(tmp_path):
    body = [oh.make_node("Neg", ["a"], ["b"])]
    nodes = [oh.make_node("F", ["x"], ["q"], domain="my"), pad_node(["q", "p"], "y")]
    both = [function("my", "F", ["a"], ["b"], body), function("my", "F", ["a"], ["b"], body[:0])]
    imports = [oh.make_opsetid("my", 1), oh.make_opsetid("other", 1)]
    path = save(tmp_path, nodes, ["x"], ["y"], [constant("p", [1, 2])], 18, both, imports)
    fail(3, "inspect", path, says=["two functions are called 'function:my:F'"])
    for change in {"domain": "other"}, {"name": "G"}, {"overload": "2"}:
        changed = onnx.FunctionProto()
        changed.CopyFrom(both[1])
        for key, word in change.items():
            setattr(changed, key, word)
        path = save(
            tmp_path, nodes, ["x"], ["y"], [constant("p", [1, 2])], 18, [both[0], changed], imports
        )
        succeed("inspect", path)
    changed.name = "F"
    both = [changed, changed]
    path = save(tmp_path, nodes, ["x"], ["y"], [constant("p", [1, 2])], 18, both, imports)
    fail(3, "inspect", path, says=["two functions are called 'function:my:F:2'"])


def test_functions_named_like_operators(tmp_path):
    """The operator wins, as in ONNX Runtime, whose answer is expected here."""
    constants = [constant("c", [1, 2, 3, 4]), constant("n", [1000])]
    for op, inputs, body, attributes, text in [
        ("Neg", ["a"], "b = Concat <axis=0> (a, a)", [], "y = Neg (c)"),
        (
            "Constant",
            [],
            "b = Expand (big, n)",
            ["value"],
            "y = Constant <value=int64[2] {5, 6}> ()",
        ),
        ("Identity", ["a"], "b = Neg (a)", [], "y = Identity (c)"),
    ]:
        nodes = parsed(text)
        functions = [
            function(domain, op, inputs, ["b"], parsed(body), attributes)
            for domain in ("", "ai.onnx")
        ]
        expected = by_runtime(nodes, ["y"], [], constants, 18, {}, functions=functions[:1])
        sizes = {"y": (np.int64, expected["y"].size)}
        for made in [[made] for made in functions] + [functions]:
            found = worked_out(tmp_path, nodes, sizes, [], constants, 18, {}, functions=made)
            agrees(found["y"], expected["y"], True, text)
    # a name that is no operator: nobody calls the function, and its Pad is shown all the same
    nodes = parsed("q = NoOperator (c) [outer] y = Pad (x, q)")
    made = function("", "NoOperator", ["a"], ["b"], parsed("[inner] b = Pad (a, a)"))
    path = save(tmp_path, nodes, ["x"], ["y"], constants, 18, [made])
    said = json.loads(succeed("inspect", "--json", path).stdout)["nodes"]
    inner, outer = sorted(said, key=lambda node: node["name"])
    assert (inner["begin"], inner["graph"]) == (None, "function::NoOperator")
    assert outer["begin"] is None and outer["computed"] == ["pads"]


def test_a_constant_stays_what_it_is(tmp_path):
    """A function whose output is called like a constant of the caller, and one of its own."""
    body = parsed("c = Constant <value_ints=[1, 2, 3, 4]> () b = Expand (c, a)")
    more = {
        "imports": [oh.make_opsetid("my", 1)],
        "functions": [function("my", "F", ["a"], ["b", "c"], body)],
    }
    constants = [constant("n", [3, 1]), constant("c", [9, 9])]
    nodes = parsed("y, z = my.F (n)")
    expected = by_runtime(nodes, ["y", "z"], [], constants, 18, {}, **more)
    sizes = {"y": (np.int64, 12), "z": (np.int64, 4)}
    found = worked_out(tmp_path, nodes, sizes, [], constants, 18, {}, **more)
    for name in sizes:
        agrees(found[name], expected[name], True, name)


# ---- Numbers near the ends of their types --------------------------------------------------------


def test_an_extent_of_0_beside_huge_ones(tmp_path):
    zero = onnx.TensorProto(name="z", data_type=7, dims=[0, *HUGE])
    turned = onnx.TensorProto(name="t", data_type=7, dims=[*HUGE, 0])
    lists = [constant("i", [0, 0]), constant("s", [0, 0])]
    for node, shape in [
        (oh.make_node("Gather", ["z", "i"], ["y"], axis=0), [2, *HUGE]),
        (oh.make_node("Gather", ["z", "i"], ["y"], axis=1), [0, 2, *HUGE[1:]]),
        (oh.make_node("Gather", ["t", "i"], ["y"], axis=0), [2, *HUGE[1:], 0]),
        (oh.make_node("Concat", ["z", "z"], ["y"], axis=0), [0, *HUGE]),
        (oh.make_node("Concat", ["z", "z"], ["y"], axis=1), [0, 2048, *HUGE[1:]]),
        (oh.make_node("Concat", ["t", "t"], ["y"], axis=7), [*HUGE, 0]),
        (oh.make_node("Split", ["z", "s"], ["y", "w"], axis=0), [0, *HUGE]),
        (oh.make_node("Split", ["t", "s"], ["y", "w"], axis=7), [*HUGE, 0]),
        (oh.make_node("Transpose", ["z"], ["y"]), [*HUGE, 0]),
        (oh.make_node("Transpose", ["t"], ["y"]), [0, *HUGE]),
        (oh.make_node("ReduceSum", ["z", "s"], ["y"], keepdims=0), HUGE),
        (oh.make_node("Neg", ["t"], ["y"]), [*HUGE, 0]),
    ]:
        weights = [zero, turned, *lists]
        found = worked_out(tmp_path, [node], {"y": (np.int64, 0)}, [], weights, 18, {})
        assert found["y"][:2] == (np.int64, shape), (node, found)


def test_parts_of_more_than_31_bits(tmp_path):
    """Parts without elements: only the extents count."""
    parts = [constant("a", np.zeros([1, 0]))]
    for extents in [2**31 - 1], [2**31 - 1, 2**31 - 1], [2**62, 2**61], [2**62, 2**62]:
        names = [f"x{i}" for i in range(len(extents))]
        ports = [oh.make_tensor_value_info(n, 7, [e, 0]) for n, e in zip(names, extents)]
        node = oh.make_node("Concat", ["a", *names, "a"], ["y"], axis=0)
        found = worked_out(tmp_path, [node], {"y": (np.int64, 0)}, ports, parts, 18, {})
        whole = sum(extents) + 2
        assert found["y"][1] == [whole if whole < 2**63 else None, 0], extents


def test_axes_near_the_smallest_integer(tmp_path):
    for rank in None, ["a", "b"]:
        ports = [oh.make_tensor_value_info("x", 1, rank)]
        weights = [constant("p", [1, 1]), constant("a", [LEAST])]
        path = save(tmp_path, [pad_node(["x", "p", "", "a"], "y")], ports, ["y"], weights, 18)
        [entry] = json.loads(succeed("inspect", "--json", path).stdout)["nodes"]
        assert entry["axes"] == [LEAST]
        for op, attributes in [
            ("Flatten", {"axis": LEAST}),
            ("Concat", {"axis": LEAST}),
            ("Gather", {"axis": LEAST}),
            ("Split", {"axis": LEAST, "num_outputs": 2}),
            ("ArgMax", {"axis": LEAST}),
            ("Shape", {"start": LEAST, "end": LEAST}),
        ]:
            inputs = ["x", "a"] if op == "Gather" else ["x"]
            node = oh.make_node(op, inputs, ["y"], **attributes)
            worked_out(tmp_path, [node], {"y": (np.int64, 0)}, ports, weights[1:], 18, {})


# ---- Where a runtime differs from itself ---------------------------------------------------------


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.int64])
def test_division_of_8_bit_integers(kind, tmp_path):
    """OpenVINO rounds the quotient where it folds, and cuts it where it runs: unknown. Wider integers
    it cuts in both."""
    above, below = np.array([7, 3, 100, 1], kind), np.array([2, 4, 7, 1], kind)
    inputs = [opset13.parameter([4], kind) for _ in range(2)]
    quotient = opset13.divide(*map(opset13.constant, (above, below)))
    folded = ov.compile_model(ov.Model([quotient], [], "m"), "CPU")([])[0]
    running = ov.Model([opset13.divide(*inputs)], inputs, "m")
    run = ov.compile_model(running, "CPU")([above, below])[0]
    data = opset13.parameter([2, 2, 2, 2], np.float32, name="d")
    amounts = opset13.convert(quotient, "i64")
    pad = opset13.pad(data, amounts, amounts, "edge")
    ov.save_model(ov.Model([pad], [data], "m"), tmp_path / "m.xml", compress_to_fp16=False)
    [entry] = json.loads(succeed("inspect", "--json", tmp_path / "m.xml").stdout)["nodes"]
    agree = folded.tolist() == run.tolist()
    assert agree == (np.dtype(kind).itemsize > 1), (folded, run)
    assert entry["begin"] == (run.tolist() if agree else None)
