"""Shapes that `inspect` follows through layers of networks, against ONNX Runtime.

A row is an operator, its opsets, its inputs, its attributes, or a list of those of several nodes, and its
outputs. An input is a constant array, None where it is absent, or what the model is given: the shape of floats
as a tuple, or another array in a list.

SPDX-License-Identifier: MIT
"""

import numpy as np
import onnx.helper as oh
import onnx.numpy_helper as nh
import pytest
from folding import I8, U8, F, I, operators, rows, try_node, values


def ones(*shape):
    return np.ones(shape, np.float32)


def weights(*shape):
    return np.ones(shape, np.int8)


def codes(*shape):
    return [values(np.uint8, shape)]


def floats(*shape):
    return [values(np.float32, shape)]


STEPS = [{}, {"pads": [1, 0, 2, 1]}, {"strides": [2, 3], "pads": [1, 1, 1, 1]}]
AUTO = [{"auto_pad": "SAME_UPPER", "strides": [2, 2]}, {"auto_pad": "SAME_LOWER"},
        {"auto_pad": "VALID", "strides": [3, 2]}]  # fmt: skip
DILATED = [{"dilations": [2, 1]}]
KERNEL, GROUPS, PICTURE = {"kernel_shape": [3, 2]}, {"group": 2}, (2, 4, 9, 11)


def all_with(more, windows):
    return [more | each for each in windows]


S, Z, MINUS = F(0.5), U8(1), I8(2)  # scales and zero points of codes, which change no shape
CONVOLUTIONS = [{}, {"pads": [1, 0, 2, 1]}, {"strides": [2, 3]}, KERNEL]
PRODUCTS = ((2, 3), (3, 4)), ((5, 1, 2, 3), (4, 3, 2)), ((7, 2, 3), (3, 4))
X, X2, X3 = codes(2, 4, 5, 6), codes(4, 1, 6), codes(2, 1, 5, 6)
RESIZED, THREE, GIVEN = F([1, 1, 2.5, 0.6]), I([3]), I([4, 9])
RECURRENT = ("LSTM", 4, 3), ("GRU", 3, 2), ("RNN", 1, 2)  # gates, outputs
CHANNEL = ones(3)
LAYERS = [
    *[("Conv", (11, 18), [PICTURE, ones(6, 2, 3, 2)], all_with(more, STEPS + AUTO + DILATED))
      for more in (GROUPS, GROUPS | KERNEL)],
    ("MaxPool", (11, 18), [PICTURE], all_with(KERNEL, STEPS + AUTO + DILATED)),
    ("AveragePool", (11, 18), [PICTURE], all_with(KERNEL, STEPS + AUTO)),
    ("LpPool", (11, 18), [PICTURE], all_with(KERNEL, STEPS + AUTO)),
    ("ConvTranspose", (11, 18), [(2, 4, 5, 6), ones(4, 3, 3, 2)], all_with(GROUPS, STEPS + DILATED)),
    ("Conv", 11, [(1, 2, 12), ones(3, 2, 4)], {}),
    ("MaxPool", 12, [(1, 2, 9, 9)], {"kernel_shape": [3, 3], "strides": [2, 2], "ceil_mode": 1}),
    ("ConvTranspose", 11, [(1, 4, 5, 5), ones(4, 3, 3, 3)],
     [{"strides": [2, 2], "output_padding": [1, 1]}, {"strides": [2, 2], "output_shape": [10, 11]}]),
    *[(op, 13, [(2, 3, 4, 5)], {}) for op in ("GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool")],
    *[("MatMul", 13, [a, ones(*b)], {})
      for a, b in (*PRODUCTS[:2], ((3,), (3, 4)), ((2, 3), (3,)), ((3,), (3,)))],
    ("Gemm", 13, [(2, 3), ones(3, 4)], {}),
    ("Gemm", 13, [(3, 2), ones(4, 3)], {"transA": 1, "transB": 1}),
    ("Resize", (11, 13, 18, 19), [(1, 2, 5, 6), F([]), RESIZED], {}),
    ("Resize", (13, 18, 19), [(1, 2, 5, 6), None, None, I([1, 2, 7, 3])], {}),
    ("Resize", 10, [(1, 2, 5, 6), RESIZED], {}),
    ("Resize", 18, [(1, 2, 5, 6), None, None, I([7, 3])], {"axes": [2, -1]}),
    ("Upsample", 9, [(1, 2, 5, 6), F([1, 1, 2, 3])], {}),
    ("Upsample", 7, [(1, 2, 5, 6)], {"scales": [1.0, 1.0, 2.0, 3.0]}),
    ("DepthToSpace", 13, [(1, 8, 2, 3)], {"blocksize": 2}),
    ("SpaceToDepth", 13, [(1, 2, 4, 6)], {"blocksize": 2}),
    *[(op, 14, [(7, 2, 3), ones(count, gates * 5, 3), ones(count, gates * 5, 5)],
       {"hidden_size": 5, "direction": direction}, outputs)
      for op, gates, outputs in RECURRENT for direction, count in (("forward", 1), ("bidirectional", 2))],
    ("QLinearConv", 13, [codes(*PICTURE), S, Z, weights(6, 2, 3, 2), S, MINUS, S, Z],
     all_with(GROUPS, CONVOLUTIONS)),
    ("ConvInteger", 13, [codes(*PICTURE), weights(6, 2, 3, 2), Z, MINUS], all_with(GROUPS, CONVOLUTIONS)),
    *[("QLinearMatMul", 13, [codes(*a), S, Z, weights(*b), S, MINUS, S, Z], {}) for a, b in PRODUCTS],
    *[("MatMulInteger", 13, [codes(*a), weights(*b), Z, MINUS], {}) for a, b in PRODUCTS],
    ("DynamicQuantizeLinear", 13, [floats(2, 3)], {}, 3),
    ("com.microsoft.QLinearAdd", 13, [X, S, Z, X2, S, Z, S, Z], {}),
    ("com.microsoft.QLinearMul", 13, [X2, S, Z, X, S, Z, S, Z], {}),
    ("com.microsoft.QLinearConcat", 13, [S, Z, X, S, Z, X3, S, Z], {"axis": 1}),
    ("com.microsoft.QLinearConcat", 13, [S, Z, X, S, Z, X, S, Z, X, S, Z], {"axis": -1}),
    ("com.microsoft.QLinearGlobalAveragePool", 13, [X, S, Z, S, Z], [{}, {"channels_last": 1}]),
    ("com.microsoft.QLinearLeakyRelu", 13, [X, S, Z, S, Z], {"alpha": 0.1}),
    ("com.microsoft.QLinearSigmoid", 13, [X, S, Z, S, Z], {}),
    *[("Einsum", 13, [floats(*shape) for shape in shapes], {"equation": equation}) for equation, shapes in (
        ("ij,jk->ik", [(2, 3), (3, 4)]), ("ij,jk", [(2, 3), (3, 4)]), ("ii->i", [(3, 3)]),
        ("ii", [(3, 3)]), ("ba", [(2, 3)]), ("bhwc,hkc->bhwk", [(2, 3, 4, 5), (3, 6, 5)]),
        (" b h w c , w k c -> b h w k ", [(2, 3, 4, 5), (4, 6, 5)]), ("...ij->...ji", [(2, 3, 4, 5)]),
        ("...ij,...jk->...ik", [(2, 1, 3, 4), (2, 7, 4, 5)]), ("i...,...j->ij...", [(2, 3, 4), (3, 4, 5)]),
        ("...i", [(2, 3)]), ("ij,j", [(2, 3), (3,)]), ("i,j,k->kji", [(2,), (3,), (4,)]),
        ("ijk->", [(2, 3, 4)]), ("Bb,bA->AB", [(2, 3), (3, 4)]), ("ij,ij->ij", [(2, 3), (1, 1)]),
        ("ij,ij->ij", [(1, 3), (2, 1)]))],
    ("GridSample", (16, 20), [(2, 3, 4, 5), np.zeros((2, 6, 7, 2), np.float32)], {}),
    ("GridSample", 20, [(2, 3, 4, 5, 6), np.zeros((2, 3, 6, 7, 3), np.float32)], {}),
    ("RoiAlign", 16, [(2, 3, 8, 8), ones(3, 4), I([0, 1, 0])], [{}, {"output_height": 3, "output_width": 5}]),
    ("MaxRoiPool", 13, [(2, 3, 8, 8), ones(3, 5)], {"pooled_shape": [2, 3]}),
    ("AffineGrid", 20, [(2, 2, 3), I([2, 3, 6, 7])], {}),
    ("AffineGrid", 20, [(2, 3, 4), I([2, 3, 4, 6, 7])], {}),
    ("Col2Im", 18, [(2, 18, 16), I([5, 6]), I([2, 3])], {}),
    ("Col2Im", 18, [(2, 24, 60), I([4, 5, 6]), I([2, 2, 2])], {}),
    ("CenterCropPad", 18, [(5, 8, 3), I([4, 9, 3])], {}),
    ("CenterCropPad", 18, [(5, 8, 3), GIVEN], {"axes": [2, -3]}),
    ("TopK", 11, [(5, 4, 7), THREE], [{"axis": axis} for axis in (0, 1, -1)], 2),
    ("TopK", (10, 11), [(5, 7), THREE], {}, 2),
    ("TopK", 1, [(5, 7)], {"k": 2, "axis": 0}, 2),
    ("OneHot", 13, [[values(np.int64, (2, 3), low=0)], I(9), F([0, 1])], [{"axis": a} for a in (-1, 0, 1, -2)]),
    ("GatherND", 13, [(2, 3, 4), I([[0, 1], [1, 0], [1, 1]])], {}),
    ("GatherND", 13, [(3, 2, 4), np.zeros((3, 2, 1), np.int64)], {"batch_dims": 1}),
    ("GatherElements", 13, [(3, 2), I([[0, 1], [1, 0], [1, 1]])], {"axis": 0}),
    ("Det", 11, [(2, 5, 3, 3)], {}),
    *[(op, 13, [(2, 3)], [{}, {"dtype": 11}]) for op in ("RandomNormalLike", "RandomUniformLike")],
    *[(op, 13, [], [{"shape": [2, 3]}, {"shape": [2, 3], "dtype": 11}])
      for op in ("RandomNormal", "RandomUniform")],
    ("EyeLike", 9, [(4, 5)], {"dtype": 7}),
    ("DFT", 17, [(2, 6, 8, 1)], [{}, {"onesided": 1}, {"axis": 2}]),
    ("DFT", 17, [(2, 6, 8, 2)], [{}, {"axis": 2}, {"inverse": 1}]),
    ("DFT", 17, [(2, 6, 1), I(9)], {}),
    ("DFT", 20, [(2, 6, 8, 1), I(9), I(1)], {}),
    *[(op, 13, [(2, 3, 4)], {})
      for op in "Relu Sigmoid Softmax Exp Sqrt LeakyRelu Erf Tanh HardSigmoid".split()],
    ("LRN", 13, [(2, 3, 4, 5)], {"size": 3}),
    ("BatchNormalization", 13, [(2, 3, 4), *[CHANNEL] * 4], {}),
    ("InstanceNormalization", 13, [(2, 3, 4), CHANNEL, CHANNEL], {}),
    *[(op, 13, [(2, 3), CHANNEL], {}) for op in ("PRelu", "Pow", "Mean")],
    *[(op, 13, [(2, 3)], {}) for op in ("IsNaN", "IsInf")],
    ("QuantizeLinear", 13, [(2, 3), S, U8(3)], {}),
    ("DequantizeLinear", 13, [codes(2, 3), S, U8(3)], {}),
    *[("Shape", opset, [[np.zeros(shape, np.float32)]], attributes)
      for shape in ((2, 3, 4), (2, 0, 4), (5,), ())
      for opset, attributes in ((13, {}), (15, [{"start": 1}, {"end": -1}]), ((15, 19), [
          {"start": s, "end": e} for s, e in ((0, 3), (1, 9), (-2, -1), (-9, 2), (2, 1), (3, 3))]))],
    *[("Size", (13, 15, 19), [[np.zeros(shape, np.float32)]], {}) for shape in ((2, 3, 4), (2, 0, 4), (5,), ())],
    # Data decides an extent, which is never said.
    ("NonZero", 13, [floats(2, 3)], {}),
    ("Compress", 13, [floats(2, 3), I([True, False, True])], [{}, {"axis": 1}, {"axis": -2}]),
    ("NonMaxSuppression", 13, [floats(1, 5, 4), ones(1, 2, 5), THREE], {}),
]  # fmt: skip
COMPLETE = {
    "NonZero": False,
    "Compress": False,
    "NonMaxSuppression": False,
    "Shape": True,
    "Size": True,
}


@pytest.mark.parametrize("table", operators(LAYERS))
def test_shapes(table, tmp_path):
    for op, opset, inputs, attributes, *outputs in rows(table):
        domain, _, op = op.rpartition(".")
        names, constants, feed = [], [], {}
        for i, x in enumerate(inputs):
            names.append("" if x is None else f"x{i}")
            if isinstance(x, tuple):
                feed[f"x{i}"] = values(np.float32, x) + np.float32(10)
            elif isinstance(x, list):
                [feed[f"x{i}"]] = x
            elif x is not None:
                constants.append(nh.from_array(x, f"x{i}"))
        given = [f"y{i}" for i in range(*(outputs or [1]))]
        node = oh.make_node(op, names, given, domain=domain, **attributes)
        imports = [oh.make_opsetid(domain, 1)] if domain else []
        known = COMPLETE.get(op, "shape")
        try_node(tmp_path, node, constants, opset, known, given, feed, imports)
