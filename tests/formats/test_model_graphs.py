"""Pad nodes inside subgraphs and functions, external data, findings, and a real model.

SPDX-License-Identifier: MIT
"""

import numpy as np
import onnx
import onnx.helper as oh
from harness import succeed
from onnx_models import INT64, external, ints, pad_node, parsed, port, referring, save

from models import inspect, refuse, run, same, x_file

# ---- Subgraphs and functions --------------------------------------------------------------------


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


def test_findings(tmp_path):
    """What the document forbids is said before anything runs. Modes and runtimes: test_model.c."""

    def findings(nodes, initializers, opset=19):
        save(tmp_path, nodes, [port("x", [3, 2])], ["y"], initializers, opset)
        return " ".join(inspect(tmp_path / "m.onnx")[0]["findings"])

    assert findings([pad_node(["x", "p"], "y")], [ints("p", [0, 1, 0, 0])]) == ""
    assert findings([pad_node(["x", "p"], "y")], [ints("p", [0, 1, 0])])
    assert findings([pad_node(["x", "p", "", "a"], "y")], [ints("p", [1, 0]), ints("a", [2])])
    assert findings([pad_node(["x", "p", "", "a"], "y")], [ints("p", [1, 0]), ints("a", [0])], 13)


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


# ---- A real model -------------------------------------------------------------------------------
