"""Where a node of a model gets its arguments from: `inspect` and `run` agree on all of them.

SPDX-License-Identifier: MIT
"""

import random

import harness
import numpy as np
import onnx.numpy_helper as nh
import pytest
from harness import succeed
from onnx_models import ints, pad_node, parsed, port, save

from models import inspect, refuse, run, same, x_file


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
