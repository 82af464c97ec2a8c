"""--dim and --assume: extents and bounds of dimensions by name.

SPDX-License-Identifier: MIT

What is true of a shape that fits is what NumPy and ONNX Runtime give.
"""

import json

import numpy as np
import onnx
import onnx.helper as oh
import onnxruntime
import pytest
from harness import fail, succeed
from onnx_models import FLOAT, INT64, graph, ints, model_of, pad_node, port

OPEN = ["n", 3, "h", "w"]


def padded(pads, mode, before=(), inputs=None, data="x", initializers=()):
    """A model of a Pad whose input has open extents with names."""
    nodes = [*before, pad_node([data, "p"], "y", "pad", mode=mode)]
    top = graph(
        nodes,
        [port("x", inputs or OPEN)],
        [port("y", [None] * 4)],
        [ints("p", pads), *initializers],
    )
    return model_of(top, 19)


@pytest.fixture
def model(folder):
    def write(*words, **more):
        path = folder / "m.onnx"
        path.write_bytes(padded(*words, **more))
        return path

    return write


def verdict(path, *words, target="ort-1.31"):
    said = json.loads(
        succeed("check", path, "--target", target, "--json", "--fail-on", "crashes", *words).stdout
    )
    [node] = said["models"][0]["nodes"]
    return node["verdicts"][0]["verdict"]


REFLECT = [0, 0, 64, 1, 0, 0, 1, 1]


@pytest.mark.parametrize(
    "words, expected",
    [
        ([], "unknown"),
        (["--assume", "h>=65"], "unknown"),  # nothing is said of w
        (["--assume", "h>=65", "--assume", "w>=1"], "unknown"),
        (["--assume", "h>=65", "--assume", "w>=2"], "same"),
        (["--assume", "h>=64", "--assume", "w>=2"], "unknown"),
        (["--assume", "x:2>=65", "--assume", "x:3>=9"], "same"),
        (["--dim", "h=65", "--dim", "w=2"], "same"),
        (["--dim", "h=64", "--dim", "w=2"], "refuses"),
        (["--dim", "x:2=65", "--assume", "w>=2"], "same"),
    ],
)
def test_a_bound_settles_the_verdict(model, words, expected):
    assert verdict(model(REFLECT, "reflect"), *words) == expected


def test_the_shape_is_shown_as_unknown(model):
    said = succeed("inspect", model(REFLECT, "reflect"), "--json", "--assume", "h>=65").stdout
    [node] = json.loads(said)["nodes"]
    assert node["input_shape"] == [None, 3, None, None]
    assert node["output_shape"] == [None, 3, None, None]


WEIGHTS = oh.make_tensor("k", FLOAT, [3, 3, 3, 3], np.ones(81, np.float32))


@pytest.mark.parametrize(
    "before, initializers, least",
    [
        ([oh.make_node("Relu", ["x"], ["z"])], [], 65),
        (
            [oh.make_node("Conv", ["x", "k"], ["z"], strides=[2, 2])],
            [WEIGHTS],
            131,
        ),  # (131 - 3) / 2 + 1
        ([oh.make_node("MaxPool", ["x"], ["z"], kernel_shape=[2, 2], strides=[2, 2])], [], 130),
        (
            [
                oh.make_node("Transpose", ["x"], ["t"], perm=[0, 1, 3, 2]),
                oh.make_node("Transpose", ["t"], ["z"], perm=[0, 1, 3, 2]),
            ],
            [],
            65,
        ),
        ([pad_node(["x", "more"], "z", "first")], [ints("more", [0, 0, 3, 1, 0, 0, 2, 1])], 60),
        ([pad_node(["x", "less"], "z", "first")], [ints("less", [0, 0, -3, 0, 0, 0, 0, 0])], 68),
        ([oh.make_node("Add", ["x", "x"], ["z"])], [], 65),
        ([oh.make_node("Concat", ["x", "x"], ["z"], axis=1)], [], 65),
    ],
)
def test_bounds_follow_the_operators_before(folder, model, before, initializers, least):
    """One cell less is not enough, and ONNX Runtime refuses that size."""
    path = model(
        [0, 0, 64, 1, 0, 0, 1, 1], "reflect", before=before, data="z", initializers=initializers
    )
    said = {}
    for extent in (least - 1, least):
        out = json.loads(
            succeed(
                "check",
                path,
                *"--target ort-1.31 --json --fail-on crashes --assume".split(),
                f"h>={extent}",
                "--assume",
                "w>=40",
            ).stdout
        )
        said[extent] = out["models"][0]["nodes"][-1]["verdicts"][0]["verdict"]
    assert said == {least - 1: "unknown", least: "same"}
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    session.run(None, {"x": np.zeros((1, 3, least, 40), np.float32)})
    with pytest.raises(Exception):
        session.run(None, {"x": np.zeros((1, 3, least - 1, 40), np.float32)})


CIRCULAR = [
    ("wrap", [0, 0, 1, 1, 0, 0, 1, 1], []),
    ("wrap", [0, 0, 2, 1, 0, 0, 1, 3], ["--assume", "h>=2", "--assume", "w>=3"]),
    ("wrap", [0, 2, 0, 1, 0, 1, 0, 0], []),
]


@pytest.mark.parametrize("mode, pads, words", CIRCULAR)
def test_circular_pads_of_open_images(folder, model, mode, pads, words):
    """Slices from the end, as torch's exporter writes them: right for every size that was promised."""
    out = folder / "out.onnx"
    succeed("lower", model(pads, mode), out, "--target", "openvino,tract", *words)
    lowered = onnx.load(out)
    assert all(node.op_type in ("Slice", "Concat", "Constant") for node in lowered.graph.node)
    assert lowered.graph.input == onnx.load(folder / "m.onnx").graph.input
    session = onnxruntime.InferenceSession(out, providers=["CPUExecutionProvider"])
    for shape in ((1, 3, 2, 3), (2, 3, 5, 4), (1, 3, 3, 9)):
        x = np.random.default_rng(1).standard_normal(shape).astype(np.float32)
        np.testing.assert_array_equal(
            session.run(None, {"x": x})[0], np.pad(x, list(zip(pads[:4], pads[4:])), mode)
        )


def test_longer_circular_pads_ask_for_a_bound(folder, model):
    fail(
        3,
        "lower",
        model([0, 0, 2, 1, 0, 0, 1, 3], "wrap"),
        folder / "out.onnx",
        "--target",
        "openvino",
        says=["--assume 'h>=2' if it is always at least 2"],
        prints=True,
    )


def test_out_says_that_it_relies_on_the_bound(folder, model):
    source, out = model([0, 0, 2, 0, 0, 0, 0, 0], "wrap"), folder / "out.onnx"
    said = succeed("lower", source, out, "--target", "openvino", "--assume", "h>=2")
    assert b"it relies on --assume" in said.stdout
    said = succeed(
        "lower", source, out, *"-f --target openvino --assume h>=2 --json".split()
    ).stdout
    assert json.loads(said)["assumed"] == [{"name": "h", "least": 2}]
    said = succeed("lower", source, out, *"-f --target openvino --dim h=5 --json".split()).stdout
    assert json.loads(said)["dims"] == [{"name": "h", "extent": 5}]
    assert onnx.load(out).graph.input[0].type.tensor_type.shape.dim[2].dim_value == 5


def shapes_of(model):
    """{name: extents, names or None} of everything that the file gives a shape."""
    ports = [*model.graph.input, *model.graph.output, *model.graph.value_info]
    return {
        one.name: [dim.dim_value or dim.dim_param or None for dim in one.type.tensor_type.shape.dim]
        for one in ports
    }


@pytest.mark.parametrize(
    "words, inputs, outputs",
    [
        (["--dim", "h=5"], ["n", 3, 5, "w"], [None, 3, 7, None]),
        (["--dim", "h=5", "--dim", "w=6"], ["n", 3, 5, 6], [None, 3, 7, 8]),
        (["--dim", "h=5", "--assume", "w>=6"], ["n", 3, 5, "w"], [None, 3, 7, None]),
        (["--input-shape", "x=2,3,5,6"], [2, 3, 5, 6], [2, 3, 7, 8]),
    ],
)
def test_a_shaped_model_contradicts_itself_nowhere(folder, words, inputs, outputs):
    """torch's newer exporter names the extents of all values by those of the inputs. tract refuses a model in which a
    name and a number meet."""
    nodes = [oh.make_node("Relu", ["x"], ["z"]), pad_node(["z", "p"], "y", "pad", mode="wrap")]
    top = graph(
        nodes,
        [port("x", OPEN)],
        [port("y", ["n", 3, "h + 2", "w + 2"])],
        [ints("p", [0, 0, 2, 2, 0, 0, 0, 0])],
    )
    top.value_info.append(port("z", OPEN))
    top.value_info.append(port("p", [8], INT64))
    source, out = folder / "m.onnx", folder / "out.onnx"
    source.write_bytes(model_of(top, 19))
    succeed("lower", source, out, "--target", "openvino", "--partial", *words)
    lowered = onnx.load(out)
    assert shapes_of(lowered) == {"x": inputs, "y": outputs, "p": [8]}
    onnx.checker.check_model(lowered)


def test_the_largest_bound_is_no_overflow(model):
    path = model([0, 0, 2**61, 0, 0, 0, 2**61, 0], "reflect")
    for extent in (2**63 - 1, 2**62, 2**61 + 1):
        succeed("check", path, "--assume", f"h>={extent}")
        succeed("inspect", path, "--assume", f"h>={extent}")
