"""`check` says of a Pad before MaxPool which data has no number below zero: only there ONNX Runtime is
right (TP120). Compared with what the operators before the Pad give when they run.

SPDX-License-Identifier: MIT
"""

import json
import random

import numpy as np
import onnx
import onnx.helper as oh
import onnx.numpy_helper as nh
import onnxruntime
import pytest
from harness import succeed
from onnx_models import ints, model, pad_node, port

SHAPE = [1, 2, 4, 4]  # what every operator below takes and gives


def number(name, value, dtype=np.float32):
    return nh.from_array(np.array(value, dtype), name)


CONSTANTS = [
    number("zero", 0), number("minus", -1), number("below", -0.0), number("plus", 2), number("six", 6),
    number("scale", 0.25), number("point_0", 0, np.uint8), number("point_3", 3, np.uint8),
    number("signed_0", 0, np.int8), number("signs", [[[[1]], [[-1]]]]),
    ints("pads", [0, 0, 1, 1, 0, 0, 0, 0]), ints("as_is", SHAPE), ints("flat", [1, -1, 2, 4]),
    ints("one_axis", [1]), ints("from", [0]), ints("to", [9]), ints("ones", [1, 1, 1, 1]),
    number("int_0", 0, np.int32), number("int_9", 9, np.int32),
]  # fmt: skip


def one(op, inputs="x", **attributes):
    """Steps of one node: from the names of inputs, x standing for what there is so far."""
    return [(op, inputs.split(), attributes)]


# Steps after which no number is below zero: whatever went in, or if nothing below zero went in.
ALWAYS = [
    one("Relu"), one("Abs"), one("Exp"), one("Sigmoid"), one("HardSigmoid"), one("Softmax", axis=1),
    one("Hardmax", axis=1), one("Softplus"), one("Clip", "x zero six"), one("Clip", "x plus"),
    one("Max", "x zero"), one("Max", "minus x zero"), one("LpPool", kernel_shape=[1, 1]),
    *(one(op, "x", keepdims=1) for op in ("ReduceL1", "ReduceL2", "ReduceSumSquare")),
    [("QuantizeLinear", ["x", "scale", "point_0"], {}), ("DequantizeLinear", ["x", "scale", "point_0"], {})],
    [("QuantizeLinear", ["x", "scale", "point_0"], {}), ("DequantizeLinear", ["x", "scale"], {})],
]  # fmt: skip
KEEP = [
    one("Identity"), one("Reshape", "x as_is"), one("Transpose", perm=[0, 1, 3, 2]), one("LeakyRelu"),
    one("PRelu", "x six"), one("Floor"), one("Ceil"), one("Round"), one("Dropout"), one("Add", "x x"),
    one("Mul", "x x"), one("Add", "x plus"), one("Mul", "six x"), one("Div", "x plus"),
    one("Min", "x plus"), one("Sum", "x x x"), one("Mean", "x six"), one("Slice", "x from to one_axis"),
    one("Cast", to=onnx.TensorProto.FLOAT), one("Clip", "x minus six"), one("Expand", "x as_is"),
    one("MaxPool", kernel_shape=[1, 1]), one("AveragePool", kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
    [("QuantizeLinear", ["x", "scale", "point_3"], {}), ("DequantizeLinear", ["x", "scale", "point_3"], {})],
    [("QuantizeLinear", ["x", "scale", "signed_0"], {}), ("DequantizeLinear", ["x", "scale", "signed_0"], {})],
    [("QuantizeLinear", ["x", "scale", "point_3"], {}), ("DequantizeLinear", ["x", "six", "point_3"], {})],
    [("Split", ["x", ""], {"axis": 1, "num_outputs": 2}), ("Concat", ["x", "x"], {"axis": 1})],
]  # fmt: skip
# Steps after which some number may be below zero.
LOSE = [
    one("Neg"), one("Tanh"), one("Erf"), one("Sub", "x plus"), one("Add", "x minus"),
    one("Mul", "x minus"), one("Mul", "x signs"), one("Log"), one("Clip", "x minus"), one("Max", "x minus"),
    one("Min", "x minus"), one("Cos"), one("Div", "x minus"), one("Clip", "x zero minus"),
    one("Clip", "x plus minus"), one("Div", "x below"),
    [("QuantizeLinear", ["x", "scale", "point_0"], {}), ("DequantizeLinear", ["x", "scale", "point_3"], {})],
    [("QuantizeLinear", ["x", "minus", "point_3"], {}), ("DequantizeLinear", ["x", "scale", "point_3"], {})],
]  # fmt: skip


# Of integers: what leaves nothing below zero, what then keeps it so, and what wraps to the other end of int32.
CLAMP = [one("Relu"), one("Clip", "x int_0"), one("Max", "x int_0")]
MOVE = [
    one("Abs"),
    one("Transpose", perm=[0, 1, 3, 2]),
    one("Min", "x int_9"),
    one("Div", "x int_9"),
    one("Tile", "x ones"),
]
WRAP = [
    one("Add", "x x"), one("Mul", "x x"), one("Mul", "x int_9"), one("Add", "x int_9"),
    *(one(op, "x", keepdims=1) for op in ("ReduceL1", "ReduceL2", "ReduceSumSquare")),
    one("ReduceSum", "x one_axis", keepdims=1), one("Sub", "int_0 x"),
]  # fmt: skip


def chain(steps, integers=False):
    """A model of the steps, a Pad and a MaxPool. Its second output is what the Pad gets."""
    nodes, last = [], "x"
    if integers:
        steps = [*steps, one("Cast", to=onnx.TensorProto.FLOAT)]
    for at, (op, inputs, attributes) in enumerate(step for part in steps for step in part):
        names = [last if name == "x" else name for name in inputs if name]
        nodes.append(oh.make_node(op, names, [f"t{at}"], **attributes))
        if op == "Split":
            nodes[-1].output.append(f"unused{at}")
        last = f"t{at}"
    nodes += [
        oh.make_node("Identity", [last], ["data"]),
        pad_node(["data", "pads"], "padded", "pad"),
        oh.make_node("MaxPool", ["padded"], ["y"], kernel_shape=[2, 2]),
    ]
    x = port("x", SHAPE, onnx.TensorProto.INT32) if integers else port("x", SHAPE)
    return model(nodes, [x], [port("y"), port("data")], CONSTANTS, opset=18)


def verdicts(folder, models, target="ort-1.31"):
    """What check says of each model."""
    for at, made in enumerate(models):
        (folder / f"{at:04}.onnx").write_bytes(made)
    said = succeed("check", "--format", "json", f"--target={target}", "--fail-on=crashes", folder)
    found = json.loads(said.stdout)["models"]
    assert len(found) == len(models)
    return [entry["nodes"][0]["verdicts"][0]["verdict"] for entry in found]


def lowest(made, x=np.linspace(-9, 7, 32, dtype=np.float32)):
    """The smallest number that the Pad gets, of data of both signs."""
    session = onnxruntime.InferenceSession(made, providers=["CPUExecutionProvider"])
    x = x.reshape(SHAPE)
    return np.nanmin(session.run(["data"], {"x": x})[0])


@pytest.mark.parametrize("steps", ALWAYS)
def test_what_is_never_negative(tmp_path, steps):
    assert lowest(chain([steps])) >= 0
    assert verdicts(tmp_path, [chain([steps])]) == ["same"]


@pytest.mark.parametrize("steps", KEEP)
def test_what_keeps_the_sign(tmp_path, steps):
    models = [chain([one("Relu"), steps]), chain([steps])]
    assert lowest(models[0]) >= 0
    assert verdicts(tmp_path, models)[0] == "same"


def test_integers(tmp_path):
    """Sums, products and the size of the lowest number wrap; what only moves or clamps does not."""
    safe = [chain([clamp, move], True) for clamp in CLAMP for move in MOVE]
    wrong = [chain(steps, True) for steps in ([one("Abs")], *([CLAMP[0], wrap] for wrap in WRAP))]
    said = verdicts(tmp_path, safe + wrong)
    assert said == ["same"] * len(safe) + ["differs"] * len(wrong)
    ends = np.iinfo(np.int32)
    x = (
        np.linspace(ends.min, ends.max, 32)
        .astype(np.int64)
        .clip(ends.min, ends.max)
        .astype(np.int32)
    )
    assert all(lowest(made, x) >= 0 for made in safe)


def test_chains(tmp_path):
    """Where check is sure, it is right; and it is as sure as the steps allow."""
    generator = random.Random(20261126)
    models, sure = [], []
    for _ in range(400):
        steps, positive = [], False
        for _ in range(generator.randint(1, 6)):
            kind = generator.choice([ALWAYS, KEEP, KEEP, LOSE])
            steps.append(generator.choice(kind))
            positive = kind is ALWAYS or (positive and kind is KEEP)
        models.append(chain(steps))
        sure.append(positive)
    said = verdicts(tmp_path, models)
    assert 50 < said.count("same") < 350
    for made, verdict, positive in zip(models, said, sure, strict=True):
        if positive:
            assert verdict == "same", onnx.load_from_string(made)
        if verdict == "same":
            assert not lowest(made) < 0, onnx.load_from_string(made)  # a NaN is not below zero


@pytest.mark.parametrize("op, inputs", [("Identity", "many"), ("Add", "many many")])
@pytest.mark.parametrize("least, verdict", [(0, "same"), (-1, "differs")])
def test_large_constants(tmp_path, op, inputs, least, verdict):
    """Of more elements than any argument of a Pad has."""
    made = onnx.load_from_string(chain([one(op, inputs)]))
    made.graph.initializer.append(number("many", [[np.arange(16).reshape(4, 4) + least] * 5]))
    assert verdicts(tmp_path, [made.SerializeToString()]) == [verdict]


@pytest.mark.parametrize(
    "kind, verdict", [("INT32", "same"), ("INT64", "same"), ("INT8", "differs")]
)
def test_casts_to_integers(tmp_path, kind, verdict):
    """A float that int32 does not have becomes nobody knows what; int8 has few of them."""
    there = one("Cast", to=onnx.TensorProto.DataType.Value(kind))
    made = chain([one("Relu"), there, one("Cast", to=onnx.TensorProto.FLOAT)])
    assert verdicts(tmp_path, [made]) == [verdict]


def test_a_value_that_callers_may_replace(tmp_path):
    """A limit that is an input of the graph, too, is none."""
    made = onnx.load_from_string(chain([one("Clip", "x zero")]))
    made.graph.input.append(port("zero", []))
    assert verdicts(tmp_path, [made.SerializeToString()]) == ["differs"]


@pytest.mark.parametrize("pool", ["MaxPool", "AveragePool"])
@pytest.mark.parametrize("target", ["ort-1.17", "ort-1.20", "ort-1.23", "ort-1.31", "ort-web-1.30"])
def test_opsets_at_which_pools_take_pads(tmp_path, pool, target):
    """As the versions did when Pad and pool ran with and without their optimisations."""
    opsets = [13, 19, 20, 21, 23]
    for counts in [None, 0, 1] if pool == "AveragePool" else [None]:
        models = []
        for opset in opsets:
            more = {} if counts is None else {"count_include_pad": counts}
            nodes = [
                pad_node(["x", "pads"], "padded", "pad"),
                oh.make_node(
                    pool, ["padded"], ["y"], kernel_shape=[2, 2], pads=[0, 0, 0, 0], **more
                ),
            ]
            models.append(model(nodes, [port("x", SHAPE)], [port("y")], CONSTANTS, opset=opset))
        found = dict(zip(opsets, verdicts(tmp_path, models, target), strict=True))
        newest = {"ort-1.17": 20, "ort-1.20": 21, "ort-1.23": 23}.get(target, 26)
        takes = 20 if target in ("ort-1.20", "ort-1.23") else newest
        is_wrong = pool == "MaxPool" or (target == "ort-1.20" and counts != 1)
        for opset, verdict in found.items():
            expected = "differs" if is_wrong and opset <= takes else "same"
            assert verdict == ("refuses" if opset > newest else expected), (opset, counts)
