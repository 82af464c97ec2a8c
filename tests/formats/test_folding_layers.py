"""Shapes that `inspect` follows through layers of networks, against ONNX Runtime.

SPDX-License-Identifier: MIT
"""

import itertools

import numpy as np
import onnx.helper as oh

from folding import constant, try_node, values


def shaped(folder, op, opset, x, constants=(), inputs=(), names=("y",), **attributes):
    """A node over an input: with the input's shape, the shapes of the outputs follow."""
    x = values(np.float32, x) + np.float32(10)
    node = oh.make_node(op, ["x", *inputs], list(names), **attributes)
    try_node(folder, node, list(constants), opset, "shape", [n for n in names if n], {"x": x})


def test_convolutions_and_pools(tmp_path):
    windows = [{}, {"pads": [1, 0, 2, 1]}, {"strides": [2, 3], "pads": [1, 1, 1, 1]},
               {"auto_pad": "SAME_UPPER", "strides": [2, 2]}, {"auto_pad": "SAME_LOWER"},
               {"auto_pad": "VALID", "strides": [3, 2]}, {"dilations": [2, 1]}]  # fmt: skip
    for opset, more in itertools.product((11, 18), windows):
        weights = constant("w", np.ones((6, 2, 3, 2)), np.float32)
        shaped(tmp_path, "Conv", opset, (2, 4, 9, 11), [weights], ["w"], group=2, **more)
        shaped(
            tmp_path,
            "Conv",
            opset,
            (2, 4, 9, 11),
            [weights],
            ["w"],
            group=2,
            kernel_shape=[3, 2],
            **more,
        )
        shaped(tmp_path, "MaxPool", opset, (2, 4, 9, 11), kernel_shape=[3, 2], **more)
        if "dilations" not in more:
            shaped(tmp_path, "AveragePool", opset, (2, 4, 9, 11), kernel_shape=[3, 2], **more)
            shaped(tmp_path, "LpPool", opset, (2, 4, 9, 11), kernel_shape=[3, 2], **more)
        if "auto_pad" not in more:
            back = constant("w", np.ones((4, 3, 3, 2)), np.float32)
            shaped(tmp_path, "ConvTranspose", opset, (2, 4, 5, 6), [back], ["w"], group=2, **more)
    shaped(tmp_path, "Conv", 11, (1, 2, 12), [constant("w", np.ones((3, 2, 4)), np.float32)], ["w"])
    shaped(tmp_path, "MaxPool", 12, (1, 2, 9, 9), kernel_shape=[3, 3], strides=[2, 2], ceil_mode=1)
    back = [constant("w", np.ones((4, 3, 3, 3)), np.float32)]
    shaped(
        tmp_path,
        "ConvTranspose",
        11,
        (1, 4, 5, 5),
        back,
        ["w"],
        strides=[2, 2],
        output_padding=[1, 1],
    )
    shaped(
        tmp_path,
        "ConvTranspose",
        11,
        (1, 4, 5, 5),
        back,
        ["w"],
        strides=[2, 2],
        output_shape=[10, 11],
    )
    for op in "GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool":
        shaped(tmp_path, op, 13, (2, 3, 4, 5))


def test_products_of_matrices(tmp_path):
    for a, b in [
        ((2, 3), (3, 4)),
        ((5, 1, 2, 3), (4, 3, 2)),
        ((3,), (3, 4)),
        ((2, 3), (3,)),
        ((3,), (3,)),
    ]:
        shaped(tmp_path, "MatMul", 13, a, [constant("w", np.ones(b), np.float32)], ["w"])
    for a, b, more in [((2, 3), (3, 4), {}), ((3, 2), (4, 3), {"transA": 1, "transB": 1})]:
        shaped(tmp_path, "Gemm", 13, a, [constant("w", np.ones(b), np.float32)], ["w"], **more)


def test_images(tmp_path):
    scales = constant("s", [1, 1, 2.5, 0.6], np.float32)
    sizes = constant("n", [1, 2, 7, 3])
    for opset in 11, 13, 18, 19:
        shaped(
            tmp_path,
            "Resize",
            opset,
            (1, 2, 5, 6),
            [scales, constant("r", [], np.float32)],
            ["r", "s"],
        )
        if opset > 11:
            shaped(tmp_path, "Resize", opset, (1, 2, 5, 6), [sizes], ["", "", "n"])
    shaped(tmp_path, "Resize", 10, (1, 2, 5, 6), [scales], ["s"])
    shaped(
        tmp_path, "Resize", 18, (1, 2, 5, 6), [constant("n", [7, 3])], ["", "", "n"], axes=[2, -1]
    )
    shaped(tmp_path, "Upsample", 9, (1, 2, 5, 6), [constant("s", [1, 1, 2, 3], np.float32)], ["s"])
    shaped(tmp_path, "Upsample", 7, (1, 2, 5, 6), scales=[1.0, 1.0, 2.0, 3.0])
    shaped(tmp_path, "DepthToSpace", 13, (1, 8, 2, 3), blocksize=2)
    shaped(tmp_path, "SpaceToDepth", 13, (1, 2, 4, 6), blocksize=2)


def test_recurrent_layers(tmp_path):
    for op, gates in ("LSTM", 4), ("GRU", 3), ("RNN", 1):
        for direction, count in ("forward", 1), ("bidirectional", 2):
            weights = [
                constant("w", np.ones((count, gates * 5, 3)), np.float32),
                constant("r", np.ones((count, gates * 5, 5)), np.float32),
            ]
            names = ("y", "h", "c")[: 3 if op == "LSTM" else 2]
            shaped(
                tmp_path,
                op,
                14,
                (7, 2, 3),
                weights,
                ["w", "r"],
                names,
                hidden_size=5,
                direction=direction,
            )


def test_shapes_that_stay(tmp_path):
    for op in (
        "Relu",
        "Sigmoid",
        "Softmax",
        "Exp",
        "Sqrt",
        "LeakyRelu",
        "Erf",
        "Tanh",
        "HardSigmoid",
    ):
        shaped(tmp_path, op, 13, (2, 3, 4))
    shaped(tmp_path, "LRN", 13, (2, 3, 4, 5), size=3)
    channel = [constant(n, np.ones(3), np.float32) for n in "abcd"]
    shaped(tmp_path, "BatchNormalization", 13, (2, 3, 4), channel, ["a", "b", "c", "d"])
    shaped(tmp_path, "InstanceNormalization", 13, (2, 3, 4), channel, ["a", "b"])
    shaped(tmp_path, "PRelu", 13, (2, 3), channel, ["a"])
    shaped(tmp_path, "Pow", 13, (2, 3), channel, ["a"])
    shaped(tmp_path, "Mean", 13, (2, 3), channel, ["a"])
    shaped(tmp_path, "IsNaN", 13, (2, 3))
    shaped(tmp_path, "IsInf", 13, (2, 3))
    scale = [constant("a", 0.5, np.float32), constant("b", 3, np.uint8)]
    shaped(tmp_path, "QuantizeLinear", 13, (2, 3), scale, ["a", "b"])
    try_node(
        tmp_path,
        oh.make_node("DequantizeLinear", ["x", "a", "b"], ["y"]),
        scale,
        13,
        "shape",
        feed={"x": values(np.uint8, (2, 3))},
    )
    index = [constant("i", [[0, 1], [1, 0], [1, 1]])]
    shaped(tmp_path, "GatherElements", 13, (3, 2), index, ["i"], axis=0)
