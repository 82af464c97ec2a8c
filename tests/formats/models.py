"""Runs models by the command and by ONNX Runtime.

SPDX-License-Identifier: MIT
"""

import json

import numpy as np
import onnxruntime
from harness import fail, succeed

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


def inspect(path, *words):
    result = succeed("inspect", "--json", *words, path)
    found = json.loads(result.stdout)
    assert set(found) == {"model", "nodes"} and found["model"] == str(path)
    for node in found["nodes"]:
        assert set(node) == KEYS and node["spec"] == "onnx", node
        assert isinstance(node["computed"], list) and isinstance(node["findings"], list)
    text = succeed("inspect", *words, path).stdout.decode()
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


def refuse(folder, *options, says=()):
    """m.onnx must not run on x.npy. Returns what is said."""
    files = [f"--input={folder / 'x.npy'}", f"--output={folder / 'refused.npy'}"]
    return fail(3, "run", folder / "m.onnx", *files, *options, says=says)


def by_runtime(folder, **feed):
    session = onnxruntime.InferenceSession(folder / "m.onnx", providers=["CPUExecutionProvider"])
    return session.run(None, feed)


def same(found, expected):
    assert found.dtype == expected.dtype and found.shape == expected.shape
    assert found.tobytes() == expected.tobytes()
