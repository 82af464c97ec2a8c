"""Shapes that `inspect` follows through layers of networks, against ONNX Runtime.

SPDX-License-Identifier: MIT
"""

import itertools

import numpy as np
import onnx.helper as oh
from folding import constant, try_node, values, worked_out


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


def test_quantized_layers(tmp_path):
    """Codes of uint8 over weights of int8; the scales and zero points change no shape."""
    scale, zero = constant("s", 0.5, np.float32), constant("z", 1, np.uint8)
    minus = constant("m", 2, np.int8)
    weights = constant("w", np.ones((6, 2, 3, 2)), np.int8)
    for more in {}, {"pads": [1, 0, 2, 1]}, {"strides": [2, 3]}, {"kernel_shape": [3, 2]}:
        quantized(tmp_path, "QLinearConv", (2, 4, 9, 11), weights, group=2, **more)
        codes = {"x": values(np.uint8, (2, 4, 9, 11))}
        node = oh.make_node("ConvInteger", ["x", "w", "z", "m"], ["y"], group=2, **more)
        try_node(tmp_path, node, [weights, zero, minus], 13, "shape", feed=codes)
    for a, b in [((2, 3), (3, 4)), ((5, 1, 2, 3), (4, 3, 2)), ((7, 2, 3), (3, 4))]:
        matrix = constant("w", np.ones(b), np.int8)
        quantized(tmp_path, "QLinearMatMul", a, matrix)
        node = oh.make_node("MatMulInteger", ["x", "w", "z", "m"], ["y"])
        codes = {"x": values(np.uint8, a)}
        try_node(tmp_path, node, [matrix, zero, minus], 13, "shape", feed=codes)
    names = ["y", "scale", "zero"]
    node = oh.make_node("DynamicQuantizeLinear", ["x"], names)
    try_node(tmp_path, node, [], 13, "shape", names, {"x": values(np.float32, (2, 3))})
    runtimes = [
        ("QLinearAdd", ["x", "s", "z", "x2", "s", "z", "s", "z"], {}),
        ("QLinearMul", ["x2", "s", "z", "x", "s", "z", "s", "z"], {}),
        ("QLinearConcat", ["s", "z", "x", "s", "z", "x3", "s", "z"], {"axis": 1}),
        ("QLinearConcat", ["s", "z", "x", "s", "z", "x", "s", "z", "x", "s", "z"], {"axis": -1}),
        ("QLinearGlobalAveragePool", ["x", "s", "z", "s", "z"], {}),
        ("QLinearGlobalAveragePool", ["x", "s", "z", "s", "z"], {"channels_last": 1}),
        ("QLinearLeakyRelu", ["x", "s", "z", "s", "z"], {"alpha": 0.1}),
        ("QLinearSigmoid", ["x", "s", "z", "s", "z"], {}),
    ]
    for op, inputs, more in runtimes:
        node = oh.make_node(op, inputs, ["y"], domain="com.microsoft", **more)
        feed = {name: values(np.uint8, shape)
                for name, shape in {"x": (2, 4, 5, 6), "x2": (4, 1, 6), "x3": (2, 1, 5, 6)}.items()
                if name in inputs}  # fmt: skip
        imports = [oh.make_opsetid("com.microsoft", 1)]
        try_node(tmp_path, node, [scale, zero], 13, "shape", feed=feed, imports=imports)


def quantized(folder, op, x, weights, **attributes):
    """QLinearConv or QLinearMatMul over codes of that shape."""
    small = [constant("s", 0.5, np.float32), constant("z", 1, np.uint8), constant("m", 2, np.int8)]
    inputs = ["x", "s", "z", "w", "s", "m", "s", "z"]
    node = oh.make_node(op, inputs, ["y"], **attributes)
    feed = {"x": values(np.uint8, x)}
    try_node(folder, node, [weights, *small], 13, "shape", feed=feed)


def test_einsum(tmp_path):
    cases = [
        ("ij,jk->ik", [(2, 3), (3, 4)]), ("ij,jk", [(2, 3), (3, 4)]), ("ii->i", [(3, 3)]),
        ("ii", [(3, 3)]), ("ba", [(2, 3)]), ("bhwc,hkc->bhwk", [(2, 3, 4, 5), (3, 6, 5)]),
        (" b h w c , w k c -> b h w k ", [(2, 3, 4, 5), (4, 6, 5)]), ("...ij->...ji", [(2, 3, 4, 5)]),
        ("...ij,...jk->...ik", [(2, 1, 3, 4), (2, 7, 4, 5)]), ("i...,...j->ij...", [(2, 3, 4), (3, 4, 5)]),
        ("...i", [(2, 3)]), ("ij,j", [(2, 3), (3,)]), ("i,j,k->kji", [(2,), (3,), (4,)]),
        ("ijk->", [(2, 3, 4)]), ("Bb,bA->AB", [(2, 3), (3, 4)]), ("ij,ij->ij", [(2, 3), (1, 1)]),
        ("ij,ij->ij", [(1, 3), (2, 1)]),
    ]  # fmt: skip
    for equation, shapes in cases:
        names = [f"x{i}" for i in range(len(shapes))]
        node = oh.make_node("Einsum", names, ["y"], equation=equation)
        feed = {name: values(np.float32, shape) for name, shape in zip(names, shapes, strict=True)}
        try_node(tmp_path, node, [], 13, "shape", feed=feed)


def test_sampling(tmp_path):
    grid = constant("g", np.zeros((2, 6, 7, 2)), np.float32)
    for opset in 16, 20:
        shaped(tmp_path, "GridSample", opset, (2, 3, 4, 5), [grid], ["g"])
    deep = constant("g", np.zeros((2, 3, 6, 7, 3)), np.float32)
    shaped(tmp_path, "GridSample", 20, (2, 3, 4, 5, 6), [deep], ["g"])
    regions = [constant("r", np.ones((3, 4)), np.float32), constant("i", [0, 1, 0])]
    for more in {}, {"output_height": 3, "output_width": 5}:
        shaped(tmp_path, "RoiAlign", 16, (2, 3, 8, 8), regions, ["r", "i"], **more)
    rois = constant("r", np.ones((3, 5)), np.float32)
    shaped(tmp_path, "MaxRoiPool", 13, (2, 3, 8, 8), [rois], ["r"], pooled_shape=[2, 3])
    for size in [2, 3, 6, 7], [2, 3, 4, 6, 7]:
        axes = len(size) - 2
        lists = [constant("n", size)]
        shaped(tmp_path, "AffineGrid", 20, (2, axes, axes + 1), lists, ["n"])
    for image, block, cells in ([5, 6], [2, 3], 16), ([4, 5, 6], [2, 2, 2], 60):
        lists = [constant("n", image), constant("b", block)]
        shaped(tmp_path, "Col2Im", 18, (2, 3 * int(np.prod(block)), cells), lists, ["n", "b"])
    shaped(tmp_path, "CenterCropPad", 18, (5, 8, 3), [constant("n", [4, 9, 3])], ["n"])
    some = [constant("n", [4, 9])]
    shaped(tmp_path, "CenterCropPad", 18, (5, 8, 3), some, ["n"], axes=[2, -3])


def test_choices(tmp_path):
    three = [constant("k", [3])]
    for axis in 0, 1, -1:
        shaped(tmp_path, "TopK", 11, (5, 4, 7), three, ["k"], ("y", "at"), axis=axis)
    for opset in 10, 11:
        shaped(tmp_path, "TopK", opset, (5, 7), three, ["k"], ("y", "at"))
    shaped(tmp_path, "TopK", 1, (5, 7), names=("y", "at"), k=2, axis=0)
    lists = [constant("d", 9), constant("v", [0, 1], np.float32)]
    for axis in -1, 0, 1, -2:
        node = oh.make_node("OneHot", ["x", "d", "v"], ["y"], axis=axis)
        try_node(tmp_path, node, lists, 13, "shape", feed={"x": values(np.int64, (2, 3), low=0)})
    places = [constant("i", [[0, 1], [1, 0], [1, 1]])]
    shaped(tmp_path, "GatherND", 13, (2, 3, 4), places, ["i"])
    shaped(
        tmp_path,
        "GatherND",
        13,
        (3, 2, 4),
        [constant("i", np.zeros((3, 2, 1)))],
        ["i"],
        batch_dims=1,
    )
    shaped(tmp_path, "Det", 11, (2, 5, 3, 3))
    for op in "RandomNormalLike", "RandomUniformLike":
        shaped(tmp_path, op, 13, (2, 3))
        shaped(tmp_path, op, 13, (2, 3), dtype=11)
    for op in "RandomNormal", "RandomUniform":
        for more in {}, {"dtype": 11}:
            node = oh.make_node(op, [], ["y"], shape=[2, 3], **more)
            try_node(tmp_path, node, [], 13, "shape")
    shaped(tmp_path, "EyeLike", 9, (4, 5), dtype=7)
    for dtype in 9999, 2**32 + 1, -1, 0:  # no types: nothing follows but the shape
        node = oh.make_node("RandomNormal", [], ["y"], shape=[2, 3], dtype=dtype)
        found = worked_out(tmp_path, [node], {"y": (np.float32, 0)}, [], [], 13, {})
        assert found["y"][:2] == (None, [2, 3]), dtype
    for more in {}, {"onesided": 1}, {"axis": 2}, {"inverse": 1}:
        if "inverse" not in more:
            shaped(tmp_path, "DFT", 17, (2, 6, 8, 1), **more)
        shaped(
            tmp_path, "DFT", 17, (2, 6, 8, 2), **{k: v for k, v in more.items() if k != "onesided"}
        )
    shaped(tmp_path, "DFT", 17, (2, 6, 1), [constant("n", 9)], ["n"])
    shaped(tmp_path, "DFT", 20, (2, 6, 8, 1), [constant("n", 9), constant("a", 1)], ["n", "a"])


def test_shapes_that_data_decides(tmp_path):
    """Rank and type follow, the extent does not: it is never said."""
    node = oh.make_node("NonZero", ["x"], ["y"])
    try_node(tmp_path, node, [], 13, False, feed={"x": values(np.float32, (2, 3))})
    keep = [constant("c", [1, 0, 1], np.bool_)]
    for more in {}, {"axis": 1}, {"axis": -2}:
        node = oh.make_node("Compress", ["x", "c"], ["y"], **more)
        try_node(tmp_path, node, keep, 13, False, feed={"x": values(np.float32, (2, 3))})
    node = oh.make_node("NonMaxSuppression", ["x", "s", "m"], ["y"])
    small = [constant("s", np.ones((1, 2, 5)), np.float32), constant("m", [3])]
    try_node(tmp_path, node, small, 13, False, feed={"x": values(np.float32, (1, 5, 4))})


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
