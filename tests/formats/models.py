"""Makes models and runs them, by the command and by ONNX Runtime.

SPDX-License-Identifier: MIT
"""

import json

import numpy as np
import onnx.helper as oh
import onnx.numpy_helper as nh
import onnxruntime

from harness import succeed

FLOAT, INT32, INT64 = 1, 6, 7
KEYS = {
    "name",
    "graph",
    "spec",
    "version",
    "mode",
    "type",
    "input_shape",
    "output_shape",
    "begin",
    "end",
    "axes",
    "value",
    "computed",
    "findings",
}


def port(name, shape=None, type=FLOAT):
    return oh.make_tensor_value_info(name, type, shape)


def ints(name, values, kind=np.int64):
    return nh.from_array(np.array(values, kind), name)


def pad_node(inputs, output, name="", **attributes):
    return oh.make_node("Pad", inputs, [output], name=name, **attributes)


def constant_node(output, values):
    return oh.make_node("Constant", [], [output], value=ints("", values))


def save(
    folder, nodes, inputs, outputs, initializers=(), opset=19, functions=(), imports=(), **more
):
    """Writes m.onnx and returns its path. inputs, outputs: names or value infos."""
    ports = [[port(p) if isinstance(p, str) else p for p in side] for side in (inputs, outputs)]
    graph = oh.make_graph(nodes, "g", *ports, initializer=list(initializers), **more)
    imports = [oh.make_opsetid("", opset), *imports]
    model = oh.make_model(graph, opset_imports=imports, functions=list(functions), ir_version=10)
    path = folder / "m.onnx"
    path.write_bytes(model.SerializeToString())
    return path


def inspect(path, *words):
    result = succeed("inspect", "--json", *words, path)
    found = json.loads(result.out)
    assert set(found) == {"model", "nodes"} and found["model"] == str(path)
    for node in found["nodes"]:
        assert set(node) == KEYS and node["spec"] == "onnx", node
        assert isinstance(node["computed"], list) and isinstance(node["findings"], list)
    text = succeed("inspect", *words, path).out.decode()
    for node in found["nodes"]:
        assert node["name"] in text
    return found["nodes"]


def x_file(folder, shape=(2, 3), seed=1):
    x = np.random.default_rng(seed).standard_normal(shape).astype(np.float32)
    np.save(folder / "x.npy", x)
    return x


def run(folder, *options, x=True):
    """Runs m.onnx and returns the output."""
    given = [f"--input={folder / 'x.npy'}"] if x else []
    succeed("run", folder / "m.onnx", *given, *options, f"--output={folder / 'y.npy'}", "-f")
    return np.load(folder / "y.npy")


def by_runtime(folder, **feed):
    session = onnxruntime.InferenceSession(folder / "m.onnx", providers=["CPUExecutionProvider"])
    return session.run(None, feed)


def same(found, expected):
    assert found.dtype == expected.dtype and found.shape == expected.shape
    assert found.tobytes() == expected.tobytes()
