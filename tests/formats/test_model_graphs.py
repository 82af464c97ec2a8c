"""Pad nodes inside subgraphs and functions, external data, findings, and a real model.

SPDX-License-Identifier: MIT
"""

import numpy as np
import onnx
import onnx.helper as oh
from harness import succeed
from models import inspect, refuse, run, same, x_file
from onnx_models import INT64, constant_node, external, ints, pad_node, port, save

# ---- Subgraphs and functions --------------------------------------------------------------------


def branch(name, nodes, outputs, inputs=(), initializers=()):
    return oh.make_graph(nodes, name, list(inputs), [port(o) for o in outputs], list(initializers))


def test_if_loop_scan_and_nesting(tmp_path):
    inner = oh.make_node(
        "If",
        ["c"],
        ["i"],
        name="deep",
        then_branch=branch("d1", [pad_node(["x", "p"], "i1", "in deep", mode="edge")], ["i1"]),
        else_branch=branch("d2", [oh.make_node("Identity", ["x"], ["i2"])], ["i2"]),
    )
    top_if = oh.make_node(
        "If",
        ["c"],
        ["t"],
        name="if_0",
        then_branch=branch("b1", [inner], ["i"]),
        else_branch=branch(
            "b2",
            [pad_node(["x", "q"], "e", "in else", mode="reflect")],
            ["e"],
            initializers=[ints("q", [0, 1, 0, 0])],
        ),
    )
    loop = oh.make_node(
        "Loop",
        ["n", "", "t"],
        ["l"],
        name="loop_0",
        body=oh.make_graph(
            [
                pad_node(["carried", "p"], "grown", "in loop"),
                oh.make_node("Identity", ["go"], ["on"]),
            ],
            "body",
            [port("i", [], INT64), port("go", [], 9), port("carried")],
            [port("on", [], 9), port("grown")],
        ),
    )
    scan = oh.make_node(
        "Scan",
        ["rows"],
        ["s"],
        name="scan_0",
        num_scan_inputs=1,
        body=oh.make_graph(
            [pad_node(["row", "r"], "wide", "in scan", mode="wrap")],
            "scan body",
            [port("row", [3])],
            [port("wide", [8])],
            [ints("r", [2, 3])],
        ),
    )
    save(
        tmp_path,
        [top_if, loop, scan, pad_node(["l", "p"], "y", "at top")],
        [port("x", [2, 3]), port("c", [], 9), port("n", [], INT64), port("rows", [4, 3])],
        ["y", "s"],
        [ints("p", [1, 0, 0, 1])],
    )
    nodes = {node["name"]: node for node in inspect(tmp_path / "m.onnx")}
    assert set(nodes) == {"in deep", "in else", "in loop", "in scan", "at top"}
    assert nodes["at top"]["graph"] == ""
    assert nodes["in else"]["graph"] == "if_0/else_branch"
    assert nodes["in deep"]["graph"] == "if_0/then_branch/deep/then_branch"
    assert nodes["in loop"]["graph"] == "loop_0/body"
    assert nodes["in scan"]["graph"] == "scan_0/body"
    # an initializer of the outer graph, and one of the subgraph's own
    assert (nodes["in deep"]["begin"], nodes["in deep"]["end"]) == ([1, 0], [0, 1])
    assert (nodes["in else"]["begin"], nodes["in else"]["end"]) == ([0, 1], [0, 0])
    assert (nodes["in scan"]["input_shape"], nodes["in scan"]["output_shape"]) == ([3], [8])

    x = x_file(tmp_path)
    for name, expected in {
        "in deep": np.pad(x, [(1, 0), (0, 1)], "edge"),
        "in else": np.pad(x, [(0, 0), (1, 0)], "reflect"),
        "in loop": np.pad(x, [(1, 0), (0, 1)]),
        "at top": np.pad(x, [(1, 0), (0, 1)]),
    }.items():
        same(run(tmp_path, "--node", name), expected)
        same(run(tmp_path, "--node", f"{nodes[name]['graph']}/{name}".lstrip("/")), expected)
    row = x_file(tmp_path, [3])
    same(run(tmp_path, "--node=in scan"), np.pad(row, (2, 3), "wrap"))
    refuse(tmp_path, says=["--node"])


def test_names_shadow(tmp_path):
    """A subgraph's own initializer wins over the outer one of the same name."""
    body = branch(
        "b", [pad_node(["x", "p"], "t", "inner")], ["t"], initializers=[ints("p", [3, 4])]
    )
    other = branch("b", [oh.make_node("Identity", ["x"], ["u"])], ["u"])
    save(
        tmp_path,
        [
            oh.make_node("If", ["c"], ["v"], then_branch=body, else_branch=other),
            pad_node(["x", "p"], "y", "outer"),
        ],
        [port("x", [2]), port("c", [], 9)],
        ["y"],
        [ints("p", [1, 2])],
    )
    nodes = {node["name"]: node for node in inspect(tmp_path / "m.onnx")}
    assert (nodes["inner"]["begin"], nodes["inner"]["end"]) == ([3], [4])
    assert (nodes["outer"]["begin"], nodes["outer"]["end"]) == ([1], [2])


def test_same_name_in_several_graphs(tmp_path):
    """The whole path tells them apart; at the top the name alone is the whole path."""
    then = branch(
        "b",
        [pad_node(["x", "q"], "t", "twin"), pad_node(["x", "q"], "s", "both")],
        ["t"],
        initializers=[ints("q", [2, 0])],
    )
    other = branch(
        "b", [pad_node(["x", "q"], "u", "both")], ["u"], initializers=[ints("q", [0, 3])]
    )
    save(
        tmp_path,
        [
            oh.make_node("If", ["c"], ["v"], name="cond", then_branch=then, else_branch=other),
            pad_node(["x", "p"], "y", "twin"),
        ],
        [port("x", [2]), port("c", [], 9)],
        ["y"],
        [ints("p", [0, 1])],
    )
    x = x_file(tmp_path, [2])
    same(run(tmp_path, "--node=twin"), np.pad(x, (0, 1)))
    same(run(tmp_path, "--node=cond/then_branch/twin"), np.pad(x, (2, 0)))
    same(run(tmp_path, "--node=cond/then_branch/both"), np.pad(x, (2, 0)))
    same(run(tmp_path, "--node=cond/else_branch/both"), np.pad(x, (0, 3)))
    refuse(tmp_path, "--node=both", says=["both", "GRAPH/NAME"])


def test_functions(tmp_path):
    """A local function is a graph of its own; it may take its mode from whoever calls it."""
    fixed = oh.make_function(
        "my",
        "Fixed",
        ["a"],
        ["b"],
        [constant_node("p", [1, 2]), pad_node(["a", "p"], "b", "in fixed", mode="edge")],
        [oh.make_opsetid("", 13)],
    )
    inner = pad_node(["a", "p"], "b", "in open")
    inner.attribute.append(
        onnx.AttributeProto(name="mode", ref_attr_name="how", type=onnx.AttributeProto.STRING)
    )
    open_ = oh.make_function(
        "my", "Open", ["a", "p"], ["b"], [inner], [oh.make_opsetid("", 19)], ["how"]
    )
    save(
        tmp_path,
        [
            oh.make_node("Fixed", ["x"], ["t"], domain="my"),
            oh.make_node("Open", ["t", "q"], ["y"], domain="my", how="wrap"),
        ],
        [port("x", [2])],
        ["y"],
        [ints("q", [1, 1])],
        functions=[fixed, open_],
        imports=[oh.make_opsetid("my", 1)],
    )
    nodes = {node["name"]: node for node in inspect(tmp_path / "m.onnx")}
    assert set(nodes) == {"in fixed", "in open"}
    assert nodes["in fixed"]["graph"] == "function:my:Fixed" and nodes["in fixed"]["version"] == 13
    assert (nodes["in fixed"]["begin"], nodes["in fixed"]["mode"]) == ([1], "edge")
    assert nodes["in open"]["graph"] == "function:my:Open" and nodes["in open"]["version"] == 19
    # there is one call, so what it gives is known
    assert (nodes["in open"]["mode"], nodes["in open"]["computed"]) == ("wrap", [])
    assert (nodes["in open"]["input_shape"], nodes["in open"]["output_shape"]) == ([5], [7])
    x = x_file(tmp_path, [2])
    same(run(tmp_path, "--node=in fixed"), np.pad(x, (1, 2), "edge"))


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
