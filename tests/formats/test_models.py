"""`inspect` and `run` on whole models: chains, several inputs, what does not fit.

SPDX-License-Identifier: MIT
"""

import numpy as np
import onnx.helper as oh
import onnx.numpy_helper as nh

import harness
from harness import fail, succeed
from models import by_runtime, inspect, run, same, x_file
from onnx_models import INT64, constant_node, ints, pad_node, port, save


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


def test_several_inputs_and_outputs(tmp_path):
    save(
        tmp_path,
        [pad_node(["a", "p"], "y"), pad_node(["b", "p"], "z", mode="edge")],
        ["a", "b"],
        ["z", "y"],
        [ints("p", [1, 2])],
    )
    np.save(tmp_path / "a.npy", np.float32([1, 2]))
    np.save(tmp_path / "b.npy", np.float32([3, 4, 5]))
    files = [f"--input=b={tmp_path / 'b.npy'}", f"--input=a={tmp_path / 'a.npy'}"]
    succeed(
        "run",
        tmp_path / "m.onnx",
        *files,
        f"--output=y={tmp_path / 'y.npy'}",
        f"--output=z={tmp_path / 'z.npy'}",
    )
    assert np.load(tmp_path / "y.npy").tolist() == [0, 1, 2, 0, 0]
    assert np.load(tmp_path / "z.npy").tolist() == [3, 3, 4, 5, 5, 5]
    # without names it is not clear which is which
    result = harness.run(
        "run",
        tmp_path / "m.onnx",
        f"--input={tmp_path / 'a.npy'}",
        f"--output={tmp_path / 'n.npy'}",
    )
    assert result.status in (2, 3) and len(result.error.splitlines()) == 1, result
    fail(
        3,
        "run",
        tmp_path / "m.onnx",
        *files,
        f"--input=c={tmp_path / 'a.npy'}",
        f"--output=y={tmp_path / 'n.npy'}",
        says=["c"],
    )
    fail(3, "run", tmp_path / "m.onnx", *files, f"--output=q={tmp_path / 'n.npy'}", says=["q"])
    assert not (tmp_path / "n.npy").exists()


def test_an_initializer_that_is_an_input_too(tmp_path):
    """Up to IR 3 every initializer is listed among the inputs: it is a default, not a demand."""
    save(
        tmp_path,
        [pad_node(["x", "p"], "y")],
        ["x", port("p", [2], INT64)],
        ["y"],
        [ints("p", [1, 2])],
    )
    x = x_file(tmp_path, [2])
    same(run(tmp_path), np.pad(x, (1, 2)))


def test_a_node_that_is_not_pad(tmp_path):
    save(
        tmp_path,
        [pad_node(["x", "p"], "t", "fine"), oh.make_node("Relu", ["t"], ["y"], name="odd one")],
        ["x"],
        ["y"],
        [ints("p", [1, 2])],
    )
    x = x_file(tmp_path, [2])
    fail(
        3,
        "run",
        tmp_path / "m.onnx",
        "--input",
        tmp_path / "x.npy",
        "--output",
        tmp_path / "y.npy",
        says=["odd one", "Relu", "--node"],
    )
    assert not (tmp_path / "y.npy").exists()
    same(run(tmp_path, "--node", "fine"), np.pad(x, (1, 2)))
    fail(
        3,
        "run",
        tmp_path / "m.onnx",
        "--node",
        "no such",
        "--input",
        tmp_path / "x.npy",
        "--output",
        tmp_path / "z.npy",
        says=["no such"],
    )
    fail(
        3,
        "run",
        tmp_path / "m.onnx",
        "--node",
        "odd one",
        "--input",
        tmp_path / "x.npy",
        "--output",
        tmp_path / "z.npy",
        says=["odd one"],
    )


def test_pad_of_another_domain(tmp_path):
    """com.example.Pad is not ONNX's Pad."""
    save(
        tmp_path,
        [oh.make_node("Pad", ["x", "p"], ["y"], name="theirs", domain="com.example")],
        ["x"],
        ["y"],
        [ints("p", [1, 2])],
        imports=[oh.make_opsetid("com.example", 1)],
    )
    assert inspect(tmp_path / "m.onnx") == []
    x_file(tmp_path, [2])
    fail(
        3,
        "run",
        tmp_path / "m.onnx",
        "--input",
        tmp_path / "x.npy",
        "--output",
        tmp_path / "y.npy",
        says=["theirs"],
    )
    # the empty domain's other name
    save(
        tmp_path,
        [oh.make_node("Pad", ["x", "p"], ["y"], domain="ai.onnx")],
        ["x"],
        ["y"],
        [ints("p", [1, 2])],
    )
    assert len(inspect(tmp_path / "m.onnx")) == 1


def test_input_does_not_fit(tmp_path):
    save(
        tmp_path,
        [pad_node(["x", "p"], "y", "n")],
        [port("x", [2, 3])],
        ["y"],
        [ints("p", [1, 0, 0, 1])],
    )
    np.save(tmp_path / "x.npy", np.zeros([2, 3], np.int32))
    fail(
        3,
        "run",
        tmp_path / "m.onnx",
        "--input",
        tmp_path / "x.npy",
        "--output",
        tmp_path / "y.npy",
        says=["int32", "float"],
    )
    np.save(tmp_path / "x.npy", np.zeros([2, 4], np.float32))
    fail(
        3,
        "run",
        tmp_path / "m.onnx",
        "--input",
        tmp_path / "x.npy",
        "--output",
        tmp_path / "y.npy",
        says=["x", "4", "3"],
    )
    np.save(tmp_path / "x.npy", np.zeros([2], np.float32))
    fail(
        3, "run", tmp_path / "m.onnx", "--input", tmp_path / "x.npy", "--output", tmp_path / "y.npy"
    )
    assert not (tmp_path / "y.npy").exists()
