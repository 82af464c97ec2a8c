"""`inspect` and `run` on whole models: chains, several inputs, what does not fit.

SPDX-License-Identifier: MIT
"""

import numpy as np
import onnx.helper as oh
import onnx.numpy_helper as nh
from onnx_models import constant_node, ints, pad_node, port, save

from models import by_runtime, inspect, refuse, run, same, x_file


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
