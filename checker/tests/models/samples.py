"""One good file of every kind, for the tests to break; and how models run by the command and by ONNX Runtime.

SPDX-License-Identifier: MIT
"""

import json
import struct
import zlib

import harness
import numpy as np
import onnx.helper as oh
import onnx.numpy_helper as nh
import onnxruntime
from harness import fail, succeed


def npy(version=(1, 0), text=None, data=None):
    text = text or "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }"
    data = np.arange(12, dtype=np.float32).tobytes() if data is None else data
    size = struct.pack("<H" if version[0] == 1 else "<I", len(text) + 1)
    return b"\x93NUMPY" + bytes(version) + size + text.encode() + b"\n" + data


def png(width=3, height=2, depth=8, color=2, rows=None, interlace=0):
    channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[color]
    size = (min(width, 64) * channels * depth + 7) // 8
    rows = (
        b"".join(b"\0" + bytes(range(k, k + size)) for k in range(min(height, 64)))
        if rows is None
        else rows
    )
    header = struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, interlace)
    return png_chunks([(b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")])


def png_chunks(chunks):
    out = b"\x89PNG\r\n\x1a\n"
    for kind, data in chunks:
        out += (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )
    return out


def pb(word="float", shape=(3, 4), **more):
    cells = list(range(12)) if word != "string" else [b"s%d" % k for k in range(12)]
    return harness.tensor(word, shape, cells, "x", **more).SerializeToString()


def onnx_model():
    x, y = (oh.make_tensor_value_info(name, 1, [3, 4]) for name in "xy")
    body = oh.make_graph(
        [oh.make_node("Pad", ["x", "p"], ["b"], name="inner", mode="edge")],
        "b",
        [],
        [oh.make_tensor_value_info("b", 1, None)],
    )
    nodes = [
        oh.make_node("Constant", [], ["v"], value=nh.from_array(np.float32(2))),
        oh.make_node("Pad", ["x", "p", "v"], ["y"], name="outer"),
        oh.make_node("If", ["c"], ["z"], name="if", then_branch=body, else_branch=body),
    ]
    graph = oh.make_graph(nodes, "g", [x], [y], [nh.from_array(np.array([1, 0, 0, 2]), "p")])
    function = oh.make_function(
        "my", "F", ["a"], ["b"], [oh.make_node("Pad", ["a", "a"], ["b"])], [oh.make_opsetid("", 19)]
    )
    imports = [oh.make_opsetid("", 19), oh.make_opsetid("my", 1)]
    return oh.make_model(graph, opset_imports=imports, functions=[function]).SerializeToString()


SAMPLES = {
    "npy": [npy(), npy((2, 0)), npy((3, 0))],
    "pb": [pb(), pb(typed=True), pb("string"), pb("int4"), pb("complex128", typed=True)],
    "png": [png(), png(depth=16, color=6), png(color=0), png(1, 1, interlace=1)],
    "onnx": [onnx_model()],
}


# ---- Models --------------------------------------------------------------------------------------

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
