"""`inspect` and `run` on models: chains, subgraphs, functions, findings, and where arguments come from.

SPDX-License-Identifier: MIT
"""

import random

import harness
import numpy as np
import onnx
import onnx.helper as oh
import onnx.numpy_helper as nh
import pytest
from harness import succeed
from onnx_models import (
    INT64,
    constant_node,
    external,
    ints,
    pad_node,
    parsed,
    port,
    referring,
    save,
)
from samples import by_runtime, inspect, refuse, run, same, x_file


def test_chains(tmp_path):
    """Pads that feed Pads, with initializers and Constant nodes between, in any number."""
    save(
        tmp_path,
        [
            constant_node("p1", [1, 0, 0, 2]),
            pad_node(["x", "p1", "v"], "a", "first"),
            pad_node(["a", "p2"], "b", "second", mode="reflect"),
            constant_node("p3", [-1, 2]),
            constant_node("ax", [-1]),
            pad_node(["b", "p3", "", "ax"], "y", "third", mode="wrap"),
        ],
        [port("x", [2, 3])],
        ["y"],
        [nh.from_array(np.float32(7), "v"), ints("p2", [2, 2, 0, 1])],
    )
    nodes = inspect(tmp_path / "m.onnx")
    assert [node["name"] for node in nodes] == ["first", "second", "third"]
    assert [node["output_shape"] for node in nodes] == [[3, 5], [5, 8], [5, 9]]
    x = x_file(tmp_path)
    a = np.pad(x, [(1, 0), (0, 2)], constant_values=np.float32(7))
    b = np.pad(a, [(2, 0), (2, 1)], "reflect")
    expected = np.pad(b[:, 1:], [(0, 0), (0, 2)], "wrap")
    same(run(tmp_path), expected)
    same(run(tmp_path), by_runtime(tmp_path, x=x)[0])


def test_a_long_chain(tmp_path):
    count = 300
    names = ["x"] + [f"t{k}" for k in range(1, count)] + ["y"]
    save(
        tmp_path,
        [pad_node([names[k], "p"], names[k + 1]) for k in range(count)],
        ["x"],
        ["y"],
        [ints("p", [1, 0])],
    )
    x = x_file(tmp_path, [3])
    same(run(tmp_path), np.pad(x, (count, 0)))
    assert len(inspect(tmp_path / "m.onnx")) == count


def test_a_node_that_is_not_pad(tmp_path):
    save(
        tmp_path,
        [pad_node(["x", "p"], "t", "fine"), oh.make_node("Relu", ["t"], ["y"], name="odd one")],
        ["x"],
        ["y"],
        [ints("p", [1, 2])],
    )
    x = x_file(tmp_path, [2])
    refuse(tmp_path, says=["odd one", "Relu", "--node"])
    same(run(tmp_path, "--node", "fine"), np.pad(x, (1, 2)))
    refuse(tmp_path, "--node", "no such", says=["no such"])
    refuse(tmp_path, "--node", "odd one", says=["odd one"])


# ---- Subgraphs and functions --------------------------------------------------------------------


INT16 = onnx.TensorProto.INT16
P = ints("p", [1, 0, 0, 1])
EVERYWHERE = """[if_0] t = If <
        then_branch = a () => (float[] i) { [deep] i = If <
            then_branch = b () => (float[] i1) { [in_deep] i1 = Pad <mode="edge"> (x, p) },
            else_branch = c () => (float[] i2) { i2 = Identity (x) }> (c) },
        else_branch = d () => (float[] e) <int64[4] q = {0, 1, 0, 0}> {
            [in_else] e = Pad <mode="reflect"> (x, q) }> (c)
    [loop_0] l = Loop <body = e (int64 i, bool go, float[] carried) => (bool on, float[] grown) {
        [in_loop] grown = Pad (carried, p) on = Identity (go) }> (n, "", t)
    [scan_0] s = Scan <num_scan_inputs = 1, body = f (float[3] row) => (float[8] wide)
        <int64[2] r = {2, 3}> { [in_scan] wide = Pad <mode="wrap"> (row, r) }> (rows)
    [at_top] y = Pad (l, p)"""


def by_name(path):
    return {node["name"]: node for node in inspect(path)}


def test_if_loop_scan_and_nesting(tmp_path):
    ports = [port("x", [2, 3]), port("c", [], 9), port("n", [], INT64), port("rows", [4, 3])]
    save(tmp_path, parsed(EVERYWHERE), ports, ["y", "s"], [P])
    nodes = by_name(tmp_path / "m.onnx")
    assert {name: node["graph"] for name, node in nodes.items()} == {
        "in_deep": "if_0/then_branch/deep/then_branch",
        "in_else": "if_0/else_branch",
        "in_loop": "loop_0/body",
        "in_scan": "scan_0/body",
        "at_top": "",
    }
    # an initializer of the outer graph, and one of the subgraph's own
    assert (nodes["in_deep"]["begin"], nodes["in_deep"]["end"]) == ([1, 0], [0, 1])
    assert (nodes["in_else"]["begin"], nodes["in_else"]["end"]) == ([0, 1], [0, 0])
    assert (nodes["in_scan"]["input_shape"], nodes["in_scan"]["output_shape"]) == ([3], [8])

    x = x_file(tmp_path)
    for name, expected in {
        "in_deep": np.pad(x, [(1, 0), (0, 1)], "edge"),
        "in_else": np.pad(x, [(0, 0), (1, 0)], "reflect"),
        "in_loop": np.pad(x, [(1, 0), (0, 1)]),
        "at_top": np.pad(x, [(1, 0), (0, 1)]),
    }.items():
        same(run(tmp_path, "--node", name), expected)
        same(run(tmp_path, "--node", f"{nodes[name]['graph']}/{name}".lstrip("/")), expected)
    row = x_file(tmp_path, [3])
    same(run(tmp_path, "--node=in_scan"), np.pad(row, (2, 3), "wrap"))
    refuse(tmp_path, says=["--node"])


def test_names_of_several_graphs(tmp_path):
    """A subgraph's own initializer wins over the outer one of the same name. The whole path tells
    Pads apart; at the top the name alone is the whole path."""
    text = """[cond] v = If <
        then_branch = a () => (float[] t) <int64[2] p = {2, 0}> {
            [twin] t = Pad (x, p) [both] s = Pad (x, p) },
        else_branch = b () => (float[] u) <int64[2] p = {0, 3}> { [both] u = Pad (x, p) }> (c)
        [twin] y = Pad (x, p)"""
    save(tmp_path, parsed(text), [port("x", [2]), port("c", [], 9)], ["y"], [ints("p", [0, 1])])
    x = x_file(tmp_path, [2])
    same(run(tmp_path, "--node=twin"), np.pad(x, (0, 1)))
    for name, pads in {
        "then_branch/twin": (2, 0),
        "then_branch/both": (2, 0),
        "else_branch/both": (0, 3),
    }.items():
        same(run(tmp_path, f"--node=cond/{name}"), np.pad(x, pads))
    refuse(tmp_path, "--node=both", says=["both", "GRAPH/NAME"])


def test_a_list_of_graphs(tmp_path):
    bodies = [
        oh.make_graph([pad_node(["x", "p"], "y", f"in_{k}")], "g", [], [port("y")]) for k in "ab"
    ]
    node = oh.make_node("Any", ["x"], ["z"], "any", domain="other", bodies=bodies)
    save(tmp_path, [node], [port("x", [2])], ["z"], [ints("p", [0, 1])])
    graphs = {name: node["graph"] for name, node in by_name(tmp_path / "m.onnx").items()}
    assert graphs == {"in_a": "any/bodies_0", "in_b": "any/bodies_1"}


def test_a_value_that_callers_give(tmp_path):
    node = oh.make_node("Pad", ["a"], ["b"], pads=[1, 1])
    made = (
        [referring(node, "value", "v", onnx.AttributeProto.FLOAT)],
        [oh.make_opsetid("", 2)],
        ["v"],
    )
    made = oh.make_function("my", "Open", ["a"], ["b"], *made)
    more = {"functions": [made], "imports": [oh.make_opsetid("my", 1)]}
    text = "t = my.Open <v=1.5> (x) y = my.Open <v=2.5> (t)"
    save(tmp_path, parsed(text), [port("x", [2])], ["y"], [], **more)
    [node] = inspect(tmp_path / "m.onnx")
    assert (node["value"], node["computed"]) == (None, ["value"])


def test_functions(tmp_path):
    """A local function is a graph of its own; it may take its mode from whoever calls it."""
    fixed = parsed('p = Constant <value_ints=[1, 2]> () [in_fixed] b = Pad <mode="edge"> (a, p)')
    fixed = oh.make_function("my", "Fixed", ["a"], ["b"], fixed, [oh.make_opsetid("", 13)])
    inner = referring(pad_node(["a", "p"], "b", "in_open"), "mode", "how")
    imports = [oh.make_opsetid("", 19)]
    open_ = oh.make_function("my", "Open", ["a", "p"], ["b"], [inner], imports, ["how"])
    text = 't = my.Fixed (x) y = my.Open <how="wrap"> (t, q)'
    more = {"functions": [fixed, open_], "imports": [oh.make_opsetid("my", 1)]}
    save(tmp_path, parsed(text), [port("x", [2])], ["y"], [ints("q", [1, 1])], **more)
    nodes = by_name(tmp_path / "m.onnx")
    assert set(nodes) == {"in_fixed", "in_open"}
    fixed, opened = nodes["in_fixed"], nodes["in_open"]
    assert (fixed["graph"], fixed["version"]) == ("function:my:Fixed", 13)
    assert (fixed["begin"], fixed["mode"]) == ([1], "edge")
    # there is one call, so what it gives is known
    assert (opened["graph"], opened["version"]) == ("function:my:Open", 19)
    assert (opened["mode"], opened["computed"]) == ("wrap", [])
    assert (opened["input_shape"], opened["output_shape"]) == ([5], [7])
    x = x_file(tmp_path, [2])
    same(run(tmp_path, "--node=in_fixed"), np.pad(x, (1, 2), "edge"))


FINDINGS = [  # mode, opset, extent, amounts, what is found
    ("constant", 13, 3, [1, 1], None),
    ("reflect", 13, 3, [2, 2], None),
    ("reflect", 13, 3, [3, 0], "ONNX Runtime 1.32.0 adds at most one less"),
    ("reflect", 13, 3, [3, 0], "OpenVINO 2026.4.1 adds at most one less"),
    ("reflect", 13, 1, [1, 0], "reflect adds 1 cells to the 1 there are"),
    ("reflect", 13, 4, [-1, 3], "OpenVINO 2026.4.1 mirrors the whole axis before it cuts"),
    ("reflect", 13, 4, [-1, 3], "reflect adds 3 cells to the 3 there are; ONNX Runtime"),
    ("reflect", 13, 4, [-1, 1], None),
    ("wrap", 19, 3, [4, 0], "OpenVINO 2026.4.1 does not know mode wrap"),
    ("wrap", 19, 0, [0, 0], "ONNX Runtime 1.32.0 refuses wrap"),
    ("wrap", 13, 3, [1, 0], "Pad-19"),
    ("wrap", 13, 3, [1, 0], "ONNX Runtime 1.32.0 answers, although the specification forbids"),
    ("edge", 13, 4, [-2, -2], "nothing is left"),
    ("edge", 13, 0, [1, 0], "axis 0"),
    ("constant", 13, 3, [-4, 0], "axis 0"),
    ("symmetric", 13, 3, [1, 1], "symmetric"),
    ("constant", 13, 3, [0] * 200, "more elements"),
]


@pytest.mark.parametrize("mode, opset, extent, amounts, found", FINDINGS)
def test_findings(tmp_path, mode, opset, extent, amounts, found):
    """What the document forbids and what runtimes do is said before anything runs."""
    node = pad_node(["x", "p"], "y", mode=mode)
    save(tmp_path, [node], [port("x", [extent])], ["y"], [ints("p", amounts)], opset)
    findings = inspect(tmp_path / "m.onnx")[0]["findings"]
    assert any(found in one for one in findings) if found else findings == []


MORE_FINDINGS = {  # inputs of the Pad, opset, initializers, the node's attributes, ports
    "rank 0": (["x", "p"], 13, [ints("p", [])], {}, port("x", []), "y"),
    "no attribute 'sizes'": (["x", "p"], 13, [], {"sizes": [3]}, None, "y"),
    "nothing makes its input 'x'": (["x", "p", "v"], 13, [], {}, None, "y"),
    "has no kernel that pads int16 at opset 11": (
        ["x", "p"],
        11,
        [ints("p", [1, 1])],
        {},
        port("x", [3], INT16),
        "y",
    ),
    "extent 6 on axis 0": (["x", "p"], 13, [ints("p", [1, 1])], {}, port("x", [3]), port("y", [6])),
    "axes": (["x", "p", "", "a"], 19, [ints("p", [1, 0]), ints("a", [2])], {}, port("x", [3]), "y"),
    "Pad-13 has no such input": (
        ["x", "p", "", "a"],
        13,
        [ints("p", [1, 0]), ints("a", [0])],
        {},
        port("x", [3]),
        "y",
    ),
    "ONNX Runtime": (["x"], 1, [], {"paddings": [1, -1]}, port("x", [3]), "y"),  # has no Pad-1
}


@pytest.mark.parametrize("found", MORE_FINDINGS)
def test_more_findings(tmp_path, found):
    inputs, opset, initializers, attributes, x, y = MORE_FINDINGS[found]
    node = pad_node(inputs, "y", **attributes)
    save(tmp_path, [node], [x] if x else [], [y], initializers, opset)
    findings = inspect(tmp_path / "m.onnx")[0]["findings"]
    assert any(found in one for one in findings), findings


def test_a_file_without_an_opset(tmp_path):
    proto = onnx.load(save(tmp_path, [pad_node(["x", "p"], "y")], ["x"], ["y"], [P]))
    del proto.opset_import[:]
    onnx.save(proto, tmp_path / "m.onnx")
    assert "opset" in " ".join(inspect(tmp_path / "m.onnx")[0]["findings"])


def test_unknown_things_are_null(tmp_path):
    save(
        tmp_path,
        [pad_node(["x", "p"], "y")],
        [onnx.ValueInfoProto(name="x"), port("p", None, INT64)],
        [onnx.ValueInfoProto(name="y")],
    )
    [node] = inspect(tmp_path / "m.onnx")
    for key in "type", "input_shape", "output_shape", "begin", "end":
        assert node[key] is None, key
    assert node["mode"] == "constant"


# ---- External data ------------------------------------------------------------------------------


def test_external_data_inside_the_folder(tmp_path):
    x = x_file(tmp_path, [2])
    raw = np.array([5, 1, 2], np.int64).tobytes()
    (tmp_path / "weights.bin").write_bytes(raw)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "weights.bin").write_bytes(raw)
    for location in "weights.bin", "sub/weights.bin", "./weights.bin":
        save(
            tmp_path,
            [pad_node(["x", "p"], "y")],
            [port("x", [2])],
            ["y"],
            [external("p", location, [2], 8, 16)],
        )
        [node] = inspect(tmp_path / "m.onnx")
        assert (node["begin"], node["end"]) == ([1], [2])
        same(run(tmp_path), np.pad(x, (1, 2)))
        succeed("run", "m.onnx", "--input=x.npy", "--output=y.npy", "-f", cwd=tmp_path)
    # Every other place is refused as in a file of one tensor: test_tensor_proto.c.
    save(tmp_path, [pad_node(["x", "p"], "y")], ["x"], ["y"], [external("p", "../w.bin", [2])])
    refuse(tmp_path, says="'../w.bin' is outside")


# ---- Where arguments come from --------------------------------------------------------------------


def test_initializers_and_all_fields(tmp_path):
    save(
        tmp_path,
        [pad_node(["x", "p", "v", "a"], "y", "only", mode="constant")],
        [port("x", [2, 3])],
        [port("y", None)],
        [ints("p", [1, 2]), nh.from_array(np.float32(1.5), "v"), ints("a", [-1])],
    )
    [node] = inspect(tmp_path / "m.onnx")
    findings = node.pop("findings")
    assert node.pop("value") in ("1.5", 1.5)
    assert node == {
        "name": "only",
        "graph": "",
        "spec": "onnx",
        "version": 19,
        "mode": "constant",
        "type": "float",
        "input_shape": [2, 3],
        "output_shape": [2, 6],
        "begin": [1],
        "end": [2],
        "axes": [-1],
        "computed": [],
    }
    assert findings == []
    x = x_file(tmp_path)
    same(run(tmp_path), np.pad(x, [(0, 0), (1, 2)], constant_values=np.float32(1.5)))


@pytest.mark.parametrize(
    "constant, inputs, fill",
    [
        ("p = Constant <value = int64[2] {1, 2}> ()", "x, p", 0),
        ("p = Constant <value_ints = [1, 2]> ()", "x, p", 0),
        ("v = Constant <value_float = 1.25> ()", "x, p, v", 1.25),
        ("v = Constant <value_floats = [1.25]> ()", "x, p, v", 1.25),
        ("v = Constant <value_int = -7> ()", "x, p, v", -7),
        ('v = Constant <value_string = "fill"> ()', "x, p, v", "fill"),
        ('v = Constant <value_strings = ["fill"]> ()', "x, p, v", "fill"),
        ("a = Constant <value_int = 0> ()", "x, p, , a", None),  # axes have to be 1-D
    ],
)
def test_constant_nodes_of_every_kind(tmp_path, constant, inputs, fill):
    """Constant gives a tensor in seven ways; each may feed a Pad."""
    kind = {int: np.int64, str: object}.get(type(fill) if fill else None, np.float32)
    number = harness.NUMBERS["string" if kind is object else np.dtype(kind).name.replace("32", "")]
    nodes = parsed(f"{constant} y = Pad ({inputs})")
    own = [] if constant[0] == "p" else [ints("p", [1, 2])]
    save(tmp_path, nodes, [port("x", [2], number)], [port("y", None, number)], own)
    if kind is object:
        harness.write_pb(tmp_path / "x.pb", "string", [2], [b"a", b"b"])
        files = ["--input", tmp_path / "x.pb", "--output", tmp_path / "y.pb"]
        succeed("run", tmp_path / "m.onnx", *files)
        expected = ("string", [5], [b"fill", b"a", b"b", b"fill", b"fill"])
        assert harness.read_pb(tmp_path / "y.pb") == expected
        return
    x = np.array([3, 4], kind)
    np.save(tmp_path / "x.npy", x)
    if fill is None:
        refuse(tmp_path, says=["axes"])
        return
    [node] = inspect(tmp_path / "m.onnx")
    assert (node["begin"], node["end"], node["computed"]) == ([1], [2], [])
    same(run(tmp_path), np.pad(x, (1, 2), constant_values=fill))
    np.save(tmp_path / "x.npy", x.astype(x.dtype.newbyteorder(">")))
    assert run(tmp_path).tolist() == np.pad(x, (1, 2), constant_values=fill).tolist()


@pytest.mark.parametrize(
    "name, value", [("value_string", 7), ("value_float", 7), ("value_int", "a")]
)
def test_an_attribute_of_another_kind_is_no_constant(tmp_path, name, value):
    nodes = [oh.make_node("Constant", [], ["v"], **{name: value}), pad_node(["x", "p", "v"], "y")]
    save(tmp_path, nodes, [port("x", [2])], ["y"], [ints("p", [0, 1])])
    assert inspect(tmp_path / "m.onnx")[0]["computed"] == ["constant_value"]


def test_every_type_through_a_model(tmp_path):
    """Input, value and output of all 26 types, raw and in the type's own field."""
    for word in harness.TYPES:
        cells = harness.random_cells(random.Random(word), word, 5)
        [value] = harness.random_cells(random.Random(word + "!"), word, 1)
        number = harness.NUMBERS[word]
        for typed in False, True:
            save(
                tmp_path,
                [pad_node(["x", "p", "v"], "y")],
                [port("x", [5], number)],
                [port("y", None, number)],
                [ints("p", [2, 1]), harness.tensor(word, [], [value], "v", typed)],
                opset=25,
            )
            harness.write_pb(tmp_path / "x.pb", word, [5], cells, "x", typed)
            succeed(
                "run",
                tmp_path / "m.onnx",
                "--input",
                tmp_path / "x.pb",
                "--output",
                tmp_path / "y.pb",
                "-f",
            )
            expected = (word, [8], [value, value, *cells, value])
            assert harness.read_pb(tmp_path / "y.pb") == expected, typed
            [node] = inspect(tmp_path / "m.onnx")
            assert node["type"] == word and node["value"] is not None


def test_optional_inputs_left_empty(tmp_path):
    x = x_file(tmp_path)
    for inputs, widths in [
        (["x", "p"], [(1, 3), (2, 4)]),
        (["x", "p", ""], [(1, 3), (2, 4)]),
        (["x", "p", "", ""], [(1, 3), (2, 4)]),
        (["x", "q", "", "a"], [(0, 0), (5, 6)]),
    ]:
        save(
            tmp_path,
            [pad_node(inputs, "y", mode="edge")],
            ["x"],
            ["y"],
            [ints("p", [1, 2, 3, 4]), ints("q", [5, 6]), ints("a", [1])],
        )
        same(run(tmp_path), np.pad(x, widths, "edge"))
    for inputs in ["", "p"], ["x", ""], ["x"], []:
        save(tmp_path, [pad_node(inputs, "y", "lame")], ["x"], ["y"], [ints("p", [1, 2, 3, 4])])
        refuse(tmp_path, says=["lame"])


def test_attributes_of_old_versions(tmp_path):
    x = x_file(tmp_path)
    for opset, name in (1, "paddings"), (2, "pads"), (10, "pads"):
        save(
            tmp_path,
            [pad_node(["x"], "y", value=2.5, **{name: [0, 1, 2, 0]})],
            ["x"],
            ["y"],
            opset=opset,
        )
        [node] = inspect(tmp_path / "m.onnx")
        assert (node["version"], node["begin"], node["end"]) == (min(opset, 2), [0, 1], [2, 0])
        same(run(tmp_path), np.pad(x, [(0, 2), (1, 0)], constant_values=np.float32(2.5)))
    # the wrong name, and attributes where inputs are meant
    for opset, name in (1, "pads"), (2, "paddings"), (11, "pads"), (19, "pads"):
        save(
            tmp_path,
            [pad_node(["x"], "y", "old", **{name: [0, 1, 2, 0]})],
            ["x"],
            ["y"],
            opset=opset,
        )
        result = refuse(tmp_path, says=["old"])
        assert "pads" in result.error or "paddings" in result.error, result
        assert inspect(tmp_path / "m.onnx")[0]["findings"]


def test_lenient_takes_what_is_clear(tmp_path):
    """Forms that a version does not have, but that can mean only one thing."""
    x = x_file(tmp_path, [2])
    square = nh.from_array(np.array([[7]], np.float32), "v")
    flat = ints("p", [1, 2])
    forms = [
        ([pad_node(["x", "p"], "y")], [ints("p", [1, 2], np.int32)], 19, 0),
        ([pad_node(["x", "p"], "y")], [ints("p", [[1, 2]])], 19, 0),
        ([pad_node(["x", "p", "v"], "y")], [flat, square], 19, 7),
        ([pad_node(["x"], "y", pads=[1, 2], value=7.0)], [], 19, 7),
        ([pad_node(["x", "p", "v"], "y")], [flat, square], 2, 7),
    ]
    for nodes, initializers, opset, fill in forms:
        save(tmp_path, nodes, ["x"], ["y"], initializers, opset)
        refuse(tmp_path)
        same(run(tmp_path, "--lenient"), np.pad(x, (1, 2), constant_values=fill))


def test_arguments_that_have_no_meaning(tmp_path):
    """Refused in the strict and in the lenient form."""
    x_file(tmp_path, [2])
    flat = ints("p", [1, 2])
    for nodes, initializers in [
        ([pad_node(["x", "p"], "y", "n", mode="")], [flat]),
        ([pad_node(["x", "p"], "y", "n", mode="mean")], [flat]),
        ([pad_node(["x", "p", "v"], "y", "n")], [flat, ints("v", 1)]),
        ([pad_node(["x", "p", "v"], "y", "n", mode="edge")], [flat, ints("v", 1)]),
        ([pad_node(["x", "p", "v"], "y", "n")], [flat, nh.from_array(np.float32([1, 2]), "v")]),
        ([pad_node(["x", "p", "", "a"], "y", "n")], [flat, ints("a", [0], np.int16)]),
        ([pad_node(["x", "p", "", "a"], "y", "n")], [flat, ints("a", [1])]),
        ([pad_node(["x", "p"], "y", "n")], [ints("p", [[1], [2]])]),
    ]:
        save(tmp_path, nodes, ["x"], ["y"], initializers)
        for options in [], ["--lenient"]:
            refuse(tmp_path, *options, says="'n'")
