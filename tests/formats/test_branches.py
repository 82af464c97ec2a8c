"""What `check` says of a Pad in the branch of an If, beside what the runtimes do with it.

SPDX-License-Identifier: MIT

OpenCV 5 runs here, each model in a process of its own, since it crashes on some. What tract says was
seen by running version 0.23.9.
"""

import itertools
import json
import subprocess
import sys

import numpy as np
import onnx.helper as oh
import pytest
import running
from onnx_models import BOOL, FLOAT, graph, ints, model, pad_node, port, tensor

X = np.arange(6, dtype=np.float32).reshape(2, 3)
PADDED = np.pad(X, ((0, 0), (1, 1)))
CONDITIONS = ["an input", "computed", "an initializer", "a Constant node", "int32_data"]
# Shapes that the file gives to what the branches give, and to the output of the graph.
DECLARED = {"all": ([2, 5], [2, None]), "open": ([None, None], [None, None]),
            "branches only": ([2, 5], None), "output only": (None, [2, 5]), "none": (None, None)}  # fmt: skip
RUN = """
import sys, cv2, numpy as np
net = cv2.dnn.readNetFromONNX(sys.argv[1])
net.setInput(np.arange(6, dtype=np.float32).reshape(2, 3), "x")
if sys.argv[2] == "an input":
    net.setInput(np.array([True]), "c")
print(net.forward().tolist())
"""


def an_if(condition, declared, both):
    """x goes through a Pad in one branch; in the other one through a Pad, too, or it stays."""
    of_branch, of_graph = DECLARED[declared]
    pads = ints("p", [0, 1, 0, 1])
    then = graph([pad_node(["x", "p"], "padded", "pad")], [], [port("padded", of_branch)])
    other = [pad_node(["x", "p"], "stays", mode="edge")] if both else [
        oh.make_node("Identity", ["x"], ["stays"])]  # fmt: skip
    shape = of_branch if both or not of_branch or None in of_branch else [2, 3]
    otherwise = graph(other, [], [port("stays", shape)])
    nodes, inputs, more = [], [port("x", [2, 3])], [pads]
    if condition == "an input":
        inputs.append(port("c", [], BOOL))
    elif condition == "computed":
        nodes = [oh.make_node("ReduceSum", ["x"], ["sum"], keepdims=0),
                 oh.make_node("Greater", ["sum", "zero"], ["c"])]  # fmt: skip
        more.append(tensor("zero", FLOAT, [], b"\0\0\0\0"))
    elif condition == "an initializer":
        more.append(tensor("c", BOOL, [], b"\1"))
    elif condition == "int32_data":
        more.append(oh.make_tensor("c", BOOL, [], [1]))
    else:
        nodes = [oh.make_node("Constant", [], ["c"], value=tensor("", BOOL, [], b"\1"))]
    nodes.append(oh.make_node("If", ["c"], ["y"], then_branch=then, else_branch=otherwise))
    return model(nodes, inputs, [port("y", of_graph)], more, opset=13)


def verdict(path, target):
    said = running.run("check", "--json", f"--target={target}", path)
    assert said.status in (0, 4), said
    found = json.loads(said.stdout)["models"][0]["nodes"]
    [said] = next(node["verdicts"] for node in found if node["name"] == "pad")
    return said["verdict"], said["code"]


def by_opencv(path, condition):
    done = subprocess.run(
        [sys.executable, "-c", RUN, path, condition], capture_output=True, text=True, timeout=120
    )
    if done.returncode < 0:
        return "crashes"
    if done.returncode:
        return "refuses"
    answer = np.array(json.loads(done.stdout.splitlines()[-1]))
    return "same" if np.array_equal(answer, PADDED) else "differs"


@pytest.mark.parametrize("condition", CONDITIONS)
def test_opencv_5(tmp_path, condition):
    cv2 = pytest.importorskip("cv2", reason="OpenCV is not installed: its Ifs were not run")
    if not cv2.__version__.startswith("5."):
        pytest.skip(f"OpenCV {cv2.__version__} is installed: the Ifs of OpenCV 5 were not run")
    for declared, both in itertools.product(DECLARED, (False, True)):
        path = tmp_path / "m.onnx"
        path.write_bytes(an_if(condition, declared, both))
        said, _ = verdict(path, "opencv-5.0")
        assert said == by_opencv(path, condition), (declared, both)


@pytest.mark.parametrize("condition", CONDITIONS)
def test_tract(tmp_path, condition):
    """It takes every If whose branches give one shape, and no other one."""
    for declared, both in itertools.product(DECLARED, (False, True)):
        path = tmp_path / "m.onnx"
        path.write_bytes(an_if(condition, declared, both))
        expected = ("same", None) if both else ("refuses", "TP415")
        assert verdict(path, "tract") == expected, declared


def test_shapes_that_are_not_known(tmp_path):
    """Whether the branches give one shape: the Pad adds nothing that is known, or to an open axis."""
    path = tmp_path / "m.onnx"
    pads = ints("p", [0, 1, 0, 1])
    for shape, mode in ([2, "n"], "edge"), ([2, 3], "constant"):
        then = graph([pad_node(["x", "p"], "a", "pad")], [], [port("a")])
        other = graph([oh.make_node("Secret", ["x"], ["b"], domain="com.example")], [], [port("b")])
        node = oh.make_node("If", ["c"], ["y"], then_branch=then, else_branch=other)
        inputs = [port("x", shape), port("c", [], BOOL)]
        path.write_bytes(model([node], inputs, [port("y")], [pads]))
        assert verdict(path, "tract") == ("unknown", "TP415"), mode
