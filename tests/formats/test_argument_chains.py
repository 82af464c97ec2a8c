"""How a Pad's arguments are made, and a Conv behind it: what OpenCV 4, tract and OpenVINO take.

SPDX-License-Identifier: MIT

What is expected was seen in these runtimes with the models of this file.
"""

import json

import numpy as np
import onnx
import onnx.helper as oh
import onnx.numpy_helper as nh
import pytest
from harness import run
from onnx_models import INT64, external, graph, ints, model_of, pad_node, port

BOOL = onnx.TensorProto.BOOL
KNOWN, OPEN = [1, 3, 10, 9], ["n", 3, "h", "w"]
PLAIN = [0, 0, 1, 1, 0, 0, 1, 1]


def from_shape(*operators):
    """The amount at the end of the last axis from its extent, by operators one after the other."""
    nodes, last = (
        [oh.make_node("Shape", ["x"], ["s"]), oh.make_node("Gather", ["s", "last"], ["g"])],
        "g",
    )
    for k, (operator, *more) in enumerate(operators):
        nodes.append(oh.make_node(operator, [last, *more], [f"g{k}"]))
        last = f"g{k}"
    return [*nodes, oh.make_node("Concat", ["first", last], ["p"], axis=0)]


IDENTITY = [oh.make_node("Identity", ["plain"], ["p"])]
RESHAPE = [oh.make_node("Reshape", ["pairs", "flat"], ["p"])]
INT32 = [oh.make_node("Cast", ["int"], ["p"], to=INT64)]
SCATTER = [
    oh.make_node("ConstantOfShape", ["eight"], ["q"], value=nh.from_array(np.array([0]))),
    oh.make_node("ScatterND", ["q", "rows", "two"], ["p"]),
]
SUB, MOD = ("Sub", "nine"), ("Mod", "four")
NUMBERS = [
    ints("last", [3]),
    ints("first", PLAIN[:-1]),
    ints("nine", [9]),
    ints("four", [4]),
    ints("minus", [-1]),
    ints("flat", [-1]),
    ints("eight", [8]),
    ints("tens", [-12, -12, -12, -10, -12, -12, -11, -12]),
    ints("plain", PLAIN),
    ints("int", PLAIN, np.int32),
    ints("rows", [[2], [3]]),
    ints("two", [2, 2]),
    nh.from_array(np.array(PLAIN).reshape(2, 4), "pairs"),
]


def code_of(
    folder, target, nodes, dims, initializers=NUMBERS, inputs=(), ports=(), value_info=(), **more
):
    path = folder / "m.onnx"
    (folder / "w.bin").write_bytes(np.array(PLAIN).tobytes())
    top = graph(
        nodes,
        [port("x", dims), *ports],
        [port("y", [None] * 4)],
        initializers,
        value_info=value_info,
    )
    path.write_bytes(model_of(top, **{"opset": 13, **more}))
    said = json.loads(run("check", path, "--target", target, "--json", *inputs).stdout)
    return said["models"][0]["nodes"][0]["verdicts"][0]["code"]


@pytest.mark.parametrize(
    "target, nodes, dims, code",
    [
        ("opencv-4.14", from_shape(SUB), KNOWN, None),
        ("opencv-4.14", from_shape(MOD), KNOWN, None),
        ("opencv-4.14", from_shape(("Mul", "minus"), MOD), KNOWN, None),
        ("opencv-4.14", from_shape(("Neg",), MOD), KNOWN, "TP355"),
        ("opencv-4.14", from_shape(("Abs",)), KNOWN, "TP355"),
        ("opencv-4.14", from_shape(SUB), ["n", 3, "h", 9], "TP356"),
        ("opencv-4.14", RESHAPE, KNOWN, None),
        ("opencv-4.14", RESHAPE, OPEN, "TP354"),
        ("opencv-4.14", [oh.make_node("Reshape", ["pairs", "eight"], ["p"])], OPEN, None),
        ("opencv-4.6", IDENTITY, KNOWN, "TP361"),
        ("opencv-4.6", RESHAPE, OPEN, "TP354"),
        ("opencv-4.10", IDENTITY, KNOWN, None),
        ("opencv-4.10", from_shape(MOD), KNOWN, None),
        ("opencv-4.10", from_shape(("Neg",), MOD), KNOWN, "TP355"),
        ("opencv-5.0", from_shape(("Neg",)), KNOWN, None),
        ("opencv-5.0", from_shape(("Abs",)), KNOWN, "TP323"),
        ("opencv-5.0", [oh.make_node("Sign", ["plain"], ["p"])], KNOWN, "TP323"),
        ("opencv-5.0", INT32, KNOWN, None),
        ("openvino-2025.4", [oh.make_node("Constant", [], ["p"], value_ints=PLAIN)], KNOWN, None),
        (
            "opencv-5.0",
            [oh.make_node("Neg", ["int"], ["i"]), oh.make_node("Cast", ["i"], ["p"], to=INT64)],
            KNOWN,
            "TP323",
        ),
        ("tract-0.21", from_shape(("Neg",), MOD), KNOWN, "TP419"),
        ("tract", from_shape(MOD), KNOWN, None),
        ("tract", from_shape(("Neg",), MOD), KNOWN, "TP419"),
        ("tract", from_shape(("Mul", "minus"), MOD), KNOWN, "TP419"),
        ("tract", from_shape(("Neg",), ("Mod", "nine")), KNOWN, None),  # nothing is left of -9 by 9
        (
            "tract",
            [oh.make_node("Mod", ["tens", "four"], ["p"])],
            KNOWN,
            None,
        ),  # constants, not a shape
        ("tract", from_shape(("Abs",)), KNOWN, None),
        ("tract", RESHAPE, OPEN, None),
        # What computes them from constants is not known here, but to the runtime: "unknown", not "refuses".
        ("tract", SCATTER, OPEN, "TP410"),
        (
            "tract",
            [
                oh.make_node("Shape", ["x"], ["s"]),
                oh.make_node("Tile", ["s", "two"], ["q"]),
                oh.make_node("ScatterND", ["q", "rows", "two"], ["p"]),
            ],
            OPEN,
            "TP407",
        ),
        ("openvino", SCATTER, OPEN, "TP210"),
    ],
)
def test_chains(folder, target, nodes, dims, code):
    assert code_of(folder, target, [*nodes, pad_node(["x", "p"], "y", "pad")], dims) == code


OF_PAD, OF_AXES = [pad_node(["x", "p"], "y")], [pad_node(["x", "two", "", "axes"], "y")]
BY_SHAPE = [
    oh.make_node("Shape", ["x"], ["s"]),
    oh.make_node("Reshape", ["x", "s"], ["r"]),
    pad_node(["r", "p"], "y"),
]
OUTSIDE, INTS = (
    external("p", "w.bin", [8]),
    [oh.make_node("Constant", [], ["p"], value_ints=PLAIN), *OF_PAD],
)
FUNCTION = {
    "functions": [oh.make_function("f", "F", ["x"], ["y"], INTS, [oh.make_opsetid("", 13)])],
    "imports": [oh.make_opsetid("f", 1)],
}


@pytest.mark.parametrize("target", ["ort-1.17", "ort-1.23", "ort-1.32", "ort-web-1.30"])
@pytest.mark.parametrize(
    "nodes, dims, constant, code, more",
    [
        (OF_PAD, OPEN, OUTSIDE, "TP138", {}),
        (
            [oh.make_node("Identity", ["q"], ["p"]), *OF_PAD],
            KNOWN,
            external("q", "w.bin", [8]),
            "TP138",
            {},
        ),
        (OF_AXES, KNOWN, external("axes", "w.bin", [1], 16), "TP138", {"opset": 18}),
        (OF_PAD, None, OUTSIDE, None, {}),
        (BY_SHAPE, KNOWN, OUTSIDE, "TP138", {}),
        (BY_SHAPE, OPEN, OUTSIDE, None, {}),
        (BY_SHAPE, OPEN, OUTSIDE, "TP138", {"opset": 15}),
        (BY_SHAPE, OPEN, OUTSIDE, "TP138", {"value_info": [port("r", OPEN)]}),
        (OF_PAD, KNOWN, OUTSIDE, None, {"ports": [port("p", [8], INT64)]}),
        ([pad_node(["x", "plain", "v"], "y")], KNOWN, external("v", "w.bin", [], type=1), None, {}),
        (INTS, KNOWN, NUMBERS[0], None, {}),
        ([oh.make_node("F", ["x"], ["y"], domain="f")], KNOWN, OUTSIDE, "TP139", FUNCTION),
    ],
)
def test_arguments_that_onnx_runtime_does_not_load(
    folder, target, nodes, dims, constant, code, more
):
    """It infers shapes before it reads external data; before 1.31 it knows no shape of a value_ints in a function."""
    said = code_of(folder, target, nodes, dims, [*NUMBERS[1:], constant], **more)
    is_old = target in ("ort-1.17", "ort-1.23")
    assert (said if said in ("TP138", "TP139") else None) == (
        code if is_old or code != "TP139" else None
    )


@pytest.mark.parametrize(
    "target, pads, value",
    [
        ("opencv-4.14", "TP362", "TP363"),
        ("opencv-5.0", None, None),
        ("openvino", None, None),
        ("tract", None, None),
    ],
)
def test_external_arguments(folder, target, pads, value):
    outside, wide = (
        external("p", "w.bin", [8]),
        external("v", "w.bin", [], type=onnx.TensorProto.FLOAT),
    )
    assert code_of(folder, target, [pad_node(["x", "p"], "y", "pad")], KNOWN, [outside]) == pads
    assert (
        code_of(
            folder, target, [pad_node(["x", "plain", "v"], "y", "pad")], KNOWN, [*NUMBERS, wide]
        )
        == value
    )


@pytest.mark.parametrize(
    "shape, amount, code",
    [
        ([1, 3, 2, 9], 2, None),
        ([1, 3, 2, 9], 3, "TP364"),
        ([1, 3, 1, 1], 1, None),
        ([1, 3, 1, 1], 2, "TP364"),
    ],
)
def test_edge_of_short_axes(folder, shape, amount, code):
    """OpenCV 4 repeats no more cells than there are."""
    for target, said in ("opencv-4.6", code), ("opencv-4.14", code), ("opencv-5.0", None):
        for pads in ([0, 0, amount, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, amount, 0]):
            nodes = [pad_node(["x", "pads"], "y", "pad", mode="edge")]
            assert code_of(folder, target, nodes, shape, [ints("pads", pads)]) == said


@pytest.mark.parametrize("opset, code", [(12, "TP240"), (13, None)])
@pytest.mark.parametrize("target", ["openvino-2024.6", "openvino-2026.4"])
def test_numbers_of_a_constant(folder, target, opset, code):
    """OpenVINO has no Constant 12."""
    for name, numbers in ("p", {"value_ints": PLAIN}), ("v", {"value_float": 1.5}):
        made = oh.make_node("Constant", [], [name], **numbers)
        inputs = ["x", "p"] if name == "p" else ["x", "plain", "v"]
        assert (
            code_of(folder, target, [made, pad_node(inputs, "y", "pad")], KNOWN, opset=opset)
            == code
        )


QUANTISED = [
    nh.from_array(np.array(0.5, np.float32), "s"),
    nh.from_array(np.array(-2, np.int8), "z"),
    nh.from_array(np.zeros(1, np.float32), "none"),
    nh.from_array(np.ones([3, 1, 1], np.float32), "three"),
    nh.from_array(np.array(128, np.uint8), "uz"),
    nh.from_array(np.array(0, np.uint8), "zero"),
]
ROW, BATCH, IMAGE, CUT = [0, 0, 1, 0, 0, 0, 1, 0], [1] + [0] * 7, PLAIN, [0, 0, -1, 0, 0, 0, 0, 0]


@pytest.mark.parametrize(
    "between, pads, value, zero, dims, code",
    [
        ([], ROW, 1.5, "z", KNOWN, "TP242"),
        ([], ROW, 1, "z", KNOWN, None),
        ([], ROW, 200, "z", KNOWN, "TP241"),
        ([], ROW, 200, "uz", KNOWN, None),
        ([], ROW, -1, "uz", KNOWN, "TP241"),
        ([], ROW, -np.inf, "uz", KNOWN, "TP241"),
        ([], ROW, 0, "uz", KNOWN, None),
        ([], IMAGE, 1.5, "uz", KNOWN, None),
        ([], CUT, 1.5, "uz", KNOWN, None),
        ([], ROW, 1.5, "uz", [1, 3, "h", 9], None),
        ([], ROW, 1.5, "uz", ["n", 3, 10, "w"], "TP242"),
        ([], BATCH, 0, "uz", KNOWN, "TP243"),
        ([], BATCH, 0, "zero", KNOWN, None),
        ([], BATCH, 3, "zero", KNOWN, "TP243"),
        ([], BATCH, 0, "uz", ["n", 3, 10, 9], None),
        ([], [1, 0, 0, 1, 0, 0, 0, 0], 0, "uz", KNOWN, None),
        (["Neg", "Identity"], ROW, 1.5, "uz", KNOWN, "TP242"),
        (["GlobalAveragePool"], BATCH, 0, "uz", KNOWN, "TP243"),
        (["GlobalAveragePool"], ROW, 1.5, "uz", KNOWN, "TP243"),
        (["Relu"], ROW, 1.5, "uz", KNOWN, None),
        (["Sum", "Mul s", "Sub none"], ROW, 1.5, "uz", KNOWN, "TP242"),
        (["Add s"], ROW, 1.5, "uz", KNOWN, None),
        (["Add s", "Mul three"], BATCH, 0, "uz", KNOWN, "TP243"),
        (["Mul three"], ROW, 1.5, "uz", KNOWN, None),
        (["Max none"], BATCH, 0, "uz", KNOWN, None),
    ],
)
@pytest.mark.parametrize("target", ["openvino-2024.6", "openvino-2026.4"])
def test_quantised_data(folder, target, between, pads, value, zero, dims, code):
    """OpenVINO moves the scale and the zero point behind the Pad."""
    nodes = [
        oh.make_node("QuantizeLinear", ["x", "s", zero], ["q"]),
        oh.make_node("DequantizeLinear", ["q", "s", zero], ["d0"]),
        *(
            oh.make_node(op.split()[0], [f"d{k}", *op.split()[1:]], [f"d{k + 1}"])
            for k, op in enumerate(between)
        ),
        pad_node([f"d{len(between)}", "pads", "v"], "y", "pad"),
    ]
    value = nh.from_array(np.array(value, np.float32), "v")
    assert code_of(folder, target, nodes, dims, [*QUANTISED, ints("pads", pads), value]) == code
    taken = [
        oh.make_node("DequantizeLinear", ["x", "s", zero], ["d"]),
        pad_node(["d", "pads", "v"], "y", "pad"),
    ]
    kind = onnx.TensorProto.INT8 if zero == "z" else onnx.TensorProto.UINT8
    top = graph(
        taken,
        [port("x", KNOWN, kind)],
        [port("y", [None] * 4)],
        [*QUANTISED, ints("pads", pads), value],
    )
    (folder / "m.onnx").write_bytes(model_of(top, opset=13))
    assert b"TP24" not in run("check", folder / "m.onnx", "--target", target).stdout


def code_of_bytes(
    folder, target, word, words, pads, zero, behind="ConvInteger", value=0, between=(), ends=()
):
    """The code of a Pad of bytes before an integer Conv; zero: its zero point. ends: outputs beside the last one."""
    last = between[-1].output[0] if between else "y"
    scales = ["s"] if behind == "QLinearConv" else []
    inputs = [last, *scales, "zero", "w", *(["s", "none", "s", "zero"] if scales else [])]
    if not scales:
        inputs = [last, "w", "zero"]
    nodes = [
        pad_node(["x", "pads", "v"], "y", "pad"),
        *between,
        oh.make_node(behind, inputs, ["out"], **words),
    ]
    made = [
        ints("pads", pads),
        nh.from_array(np.array(value, word), "v"),
        nh.from_array(np.array(zero, word), "zero"),
        nh.from_array(np.ones([2, 3, 2, 2], np.int8), "w"),
        nh.from_array(np.array(0, np.int8), "none"),
        QUANTISED[0],
    ]
    kind = oh.np_dtype_to_tensor_dtype(np.dtype(word))
    top = graph(
        nodes,
        [port("x", KNOWN, kind)],
        [
            port("out", [None] * 4, kind if scales else 6),
            *(port(end, [None] * 4, kind) for end in ends),
        ],
        made,
    )
    (folder / "m.onnx").write_bytes(model_of(top, opset=13))
    said = json.loads(run("check", folder / "m.onnx", "--target", target, "--json").stdout)
    return said["models"][0]["nodes"][0]["verdicts"][0]["code"]


@pytest.mark.parametrize(
    "words, pads, zero, more, code",
    [
        ({}, PLAIN, 3, {}, "TP428"),
        ({}, PLAIN, 0, {}, None),
        ({}, PLAIN, 3, {"value": 3}, None),
        ({"auto_pad": "VALID"}, PLAIN, 3, {}, "TP428"),
        ({"auto_pad": "SAME_UPPER"}, PLAIN, 3, {}, None),
        ({"pads": [1, 0, 0, 1]}, PLAIN, 3, {}, "TP428"),
        ({}, [0, 1, 1, 1, 0, 0, 1, 1], 3, {}, None),
        ({}, BATCH, 3, {}, None),
        ({}, PLAIN, 3, {"behind": "QLinearConv"}, "TP428"),
        ({}, PLAIN, 3, {"ends": ["y"]}, "TP428"),
        ({}, PLAIN, 3, {"between": [oh.make_node("Identity", ["y"], ["z"])]}, "TP428"),
    ],
)
def test_zeros_before_an_integer_conv(folder, words, pads, zero, more, code):
    """tract takes them into its pads, which are the zero point."""
    for target, word in ("tract-0.21", np.int8), ("tract", np.uint8), ("tract", np.int8):
        assert code_of_bytes(folder, target, word, words, pads, zero, **more) == code


def test_pad_value_of_int8_below_zero(folder):
    """OpenCV 5 makes 127 of it."""
    for value, code in ((-1, "TP318"), (-127, "TP318"), (5, None)):
        assert code_of_bytes(folder, "opencv-5.0", np.int8, {}, PLAIN, 0, value=value) == code


def test_value_through_quantize_linear(folder):
    """ONNX Runtime 1.23 takes opset 23, but has no QuantizeLinear of it."""
    nodes = [
        oh.make_node("QuantizeLinear", ["s", "s", "uz"], ["q"]),
        oh.make_node("DequantizeLinear", ["q", "s", "uz"], ["v"]),
        pad_node(["x", "plain", "v"], "y", "pad"),
    ]
    for target, opset, code in (
        ("ort-1.23", 23, "TP140"),
        ("ort-1.23", 22, None),
        ("ort-1.31", 23, None),
    ):
        assert code_of(folder, target, nodes, KNOWN, [*NUMBERS, *QUANTISED], opset=opset) == code


SCATTER = [
    oh.make_node("ConstantOfShape", ["eights"], ["z"], value=ints("", [0])),
    oh.make_node("ScatterElements", ["z", "at", "plain"], ["p"]),
]


def test_amounts_by_scatter_elements(folder):
    """Folded here as in the runtimes, but for OpenCV 4."""
    more = [*NUMBERS, ints("eights", [8]), ints("at", [0, 1, 2, 3, 4, 5, 6, -1])]
    for target, code in (
        ("opencv-4.6", "TP355"),
        ("opencv-4.14", "TP355"),
        ("opencv-5.0", None),
        ("openvino", None),
        ("tract", None),
        ("ort-1.31", None),
    ):
        assert (
            code_of(folder, target, [*SCATTER, pad_node(["x", "p"], "y", "pad")], KNOWN, more)
            == code
        )
    outside = [*NUMBERS, ints("eights", [8]), ints("at", [0, 1, 2, 3, 4, 5, 6, 8])]
    assert (
        code_of(folder, "openvino", [*SCATTER, pad_node(["x", "p"], "y", "pad")], KNOWN, outside)
        is not None
    )


@pytest.mark.parametrize(
    "zero, between, words, code",
    [
        ("z", [], {}, "TP244"),
        ("uz", ["Neg"], {"count_include_pad": 1}, "TP244"),
        ("zero", [], {}, None),
        ("z", [], {"pads": [1, 0, 0, 0]}, None),
        ("z", [], {"pads": [1, 0, 0, 0], "count_include_pad": 1}, "TP244"),
        ("z", ["Relu"], {}, None),
        ("z", [], {"auto_pad": "SAME_UPPER"}, None),
        ("z", [], {"auto_pad": "VALID"}, "TP244"),
    ],
)
def test_quantised_data_before_an_average(folder, zero, between, words, code):
    nodes = [
        oh.make_node("QuantizeLinear", ["x", "s", zero], ["q"]),
        oh.make_node("DequantizeLinear", ["q", "s", zero], ["d0"]),
        *(oh.make_node(op, [f"d{k}"], [f"d{k + 1}"]) for k, op in enumerate(between)),
        pad_node([f"d{len(between)}", "plain"], "a", "pad"),
        oh.make_node("Identity", ["a"], ["b"]),
        oh.make_node("AveragePool", ["b"], ["y"], kernel_shape=[2, 2], **words),
    ]
    for target in ("openvino-2024.6", "openvino"):
        assert code_of(folder, target, nodes, KNOWN, [*NUMBERS, *QUANTISED]) == code


CAST = oh.make_node("Cast", ["x"], ["i"], to=INT64)


@pytest.mark.parametrize(
    "target, dims, pads, shape, code",
    [
        ("tract", OPEN, PLAIN, [0, 0, -1], "TP429"),
        ("tract", OPEN, PLAIN, [0, 0, 0, -1], None),
        ("tract", OPEN, PLAIN, [-1], None),
        ("tract", OPEN, ROW, [0, 0, -1], None),
        ("tract", [1, 3, "h", "w"], PLAIN, [0, 0, -1], None),
        ("tract-0.22", OPEN, PLAIN, [0, 0, -1], None),
        ("tract-0.22", ["n", 3, 10, "w"], PLAIN, [0, 0, -1], "TP429"),
        ("tract-0.22", ["n", 3, 10, "w"], ROW, [0, 0, -1], None),
    ],
)
def test_open_extents_that_a_reshape_joins_in_tract(folder, target, dims, pads, shape, code):
    nodes = [
        pad_node(["x", "p"], "i", "pad"),
        oh.make_node("Max", ["i"], ["a"]),
        oh.make_node("Shape", ["a"], ["s"]),
        oh.make_node("Reshape", ["a", "shape"], ["r"]),
        oh.make_node("Reshape", ["r", "s"], ["y"]),
    ]
    assert code_of(folder, target, nodes, dims, [ints("p", pads), ints("shape", shape)]) == code


@pytest.mark.parametrize(
    "nodes, code",
    [
        ([CAST], "TP427"),
        ([CAST, oh.make_node("Neg", ["i"], ["j"])], "TP427"),
        ([CAST, oh.make_node("Add", ["nine", "i"], ["j"])], "TP427"),
        ([CAST, oh.make_node("Abs", ["i"], ["j"])], None),
        ([oh.make_node("Cast", ["x"], ["j"], to=onnx.TensorProto.INT32)], None),
        ([oh.make_node("ArgMax", ["x"], ["i"]), oh.make_node("Neg", ["i"], ["j"])], None),
    ],
)
def test_int64_that_tract_takes_for_extents(folder, nodes, code):
    last = nodes[-1].output[0]
    for target in ("tract-0.21", "tract"):
        assert (
            code_of(folder, target, [*nodes, pad_node([last, "plain"], "y", "pad")], KNOWN) == code
        )


@pytest.mark.parametrize("inside, code", [(False, None), (True, "TP403")])
def test_bool_without_amounts_in_tract(folder, inside, code):
    """The Pad goes, but not always from a branch."""
    nodes = [pad_node(["b", "p"], "a", "pad")]
    if inside:
        side = graph(nodes, [], [port("a", None, BOOL)])
        nodes = [oh.make_node("If", ["yes"], ["a"], then_branch=side, else_branch=side)]
    before = [
        oh.make_node("Cast", ["x"], ["b"], to=BOOL),
        oh.make_node("ReduceMax", ["x"], ["most"], keepdims=0),
        oh.make_node("IsNaN", ["most"], ["yes"]),
    ]
    nodes = [*before, *nodes, oh.make_node("Cast", ["a"], ["y"], to=1)]
    assert code_of(folder, "tract", nodes, KNOWN, [ints("p", [0] * 8)]) == code


def test_shapes_that_are_given_close_no_model(folder):
    """The runtime does not know them, as it reads the file."""
    nodes = [*RESHAPE, pad_node(["x", "p"], "y", "pad")]
    assert (
        code_of(folder, "opencv-4.14", nodes, OPEN, inputs=["--input-shape", "x=1,3,10,9"])
        == "TP354"
    )


@pytest.mark.parametrize(
    "target, code", [("tract-0.21", "TP423"), ("tract-0.22", "TP423"), ("tract", None)]
)
def test_value_without_a_name(folder, target, code):
    assert code_of(folder, target, [pad_node(["x", "plain", ""], "y", "pad")], KNOWN) == code


def code_of_ports(folder, target, inputs, between):
    """The code for a Pad behind a Relu, whose output is declared; ports are those behind x."""
    path = folder / "m.onnx"
    nodes = [oh.make_node("Relu", ["x"], ["z"]), pad_node(["z", "p"], "y", "pad")]
    top = graph(nodes, inputs, [port("y", ["any name", 5])], [ints("p", [0, 1, 0, 1])])
    top.value_info.append(port("z", between))
    path.write_bytes(model_of(top, 13))
    said = json.loads(run("check", path, "--target", target, "--json").stdout)
    return said["models"][0]["nodes"][0]["verdicts"][0]["code"]


# What tract 0.21.19, 0.22.4 and 0.23.9 load where an input has that name, or a value between.
@pytest.mark.parametrize(
    "name, takes",
    [
        *(
            (name, "0.21 0.22 0.23")
            for name in (
                "h",
                "_h2",
                "2*h",
                "2*h + 1",
                "a+b",
                "a+b-c",
                "a-b+c",
                "h/2",
                "(h+1)/2",
                "((h))",
                "-h",
                "max(1, h)",
                "max(1,h,w)",
                "min(h)",
                "max",
                "maxi",
                "floor",
                "( h )",
                "1",
                "max()",
                "-(a+b)",
                "a--b",
                "h\t+ 1",
                "max (a, b)",
                " -h",
                "-" * 10 + "h",
                "unk__0",
            )
        ),
        *(
            (name, "0.22 0.23")
            for name in (
                "h.2",
                "a+b+c",
                "a-b-c",
                "h/2/2",
                "floor(h)",
                "floor(h/2)",
                "s0 + 1 + s1/2",
            )
        ),
        *(
            (name, "")
            for name in (
                "h//2",
                "a/b",
                "Max(1, h)",
                "h w",
                " h",
                "h ",
                "h ( 1 )",
                "2h",
                "9" * 20,
                "h\u00f6",
                "h-",
                "h+",
                "h\v+ 1",
                "h % 2",
                "h**2",
                "((s77//32))",
                " + 1",
                "a,b",
                "max(1",
                "max(1,",
                "(h",
                "min(,h)",
                "-" * 1000 + "h",
                "(" * 1000,
            )
        ),
    ],
)
def test_names_of_extents(folder, name, takes):
    """tract reads them as formulas. It skips one that it cannot read from 0.23 on, and misses it at an input.
    Outputs may have any name."""
    before = "TP425" if takes else "TP424"
    for version in ("0.21", "0.22", "0.23"):
        code = None if version in takes else before if version != "0.23" else "TP406"
        assert code_of_ports(folder, f"tract-{version}", [port("x", [name, 3])], ["n", 3]) == code
        between = code_of_ports(folder, f"tract-{version}", [port("x", ["n", 3])], [name, 3])
        assert between == (None if code == "TP406" else code)


@pytest.mark.parametrize("more", [port("u", None), port("u", [None]), port("u", [3, "?"])])
def test_inputs_without_names(folder, more):
    """tract refuses them also where nothing uses them."""
    for version in ("0.21", "0.22", "0.23"):
        named = [port("x", ["n", 3])]
        assert code_of_ports(folder, f"tract-{version}", named, ["n", 3]) is None
        assert code_of_ports(folder, f"tract-{version}", [*named, more], ["n", 3]) == "TP406"


@pytest.mark.parametrize("target", ["openvino-2024.6", "openvino"])
@pytest.mark.parametrize(
    "amounts, code", [(PLAIN, "TP213"), ([0] * 8, None), ([0, 0, -1, 0, 0, 0, 0, 0], None)]
)
def test_a_pad_value_that_no_cell_gets(folder, target, amounts, code):
    node = pad_node(["x", "p", "v"], "y")
    assert (
        code_of(folder, target, [node], KNOWN, [ints("p", amounts)], ports=[port("v", [])]) == code
    )


@pytest.mark.parametrize("dims, code", [(KNOWN, "TP113"), (None, None)])
def test_axes_of_int32_where_the_rank_is_open(folder, dims, code):
    """ONNX's shape inference, which does not take them, ends earlier without a rank."""
    constants = [ints("p", [1, 1]), ints("axes", [-1], np.int32)]
    assert (
        code_of(folder, "ort", [pad_node(["x", "p", "", "axes"], "y")], dims, constants, opset=18)
        == code
    )


@pytest.mark.parametrize("target", ["tract", "openvino-2024.6", "openvino"])
@pytest.mark.parametrize("zero", [3, "x"])
def test_a_quantised_pad_value(folder, target, zero):
    """As quantize_static wraps it. What comes from an input is no constant."""
    nodes = [
        oh.make_node("QuantizeLinear", ["v", "scale", "zero"], ["q"]),
        oh.make_node("DequantizeLinear", ["q", "scale", "zero"], ["w"]),
        pad_node(["x", "plain", "w"], "y"),
    ]
    constants = [
        *NUMBERS,
        *(nh.from_array(np.array(1.5, np.float32), name) for name in ("v", "scale")),
    ]
    ports = [port("zero", [], onnx.TensorProto.UINT8)] if zero == "x" else []
    if not ports:
        constants.append(nh.from_array(np.array(zero, np.uint8), "zero"))
    said = code_of(folder, target, nodes, KNOWN, constants, ports=ports)
    # OpenVINO makes 0.0 of -0.0, and what the nodes compute is not known.
    assert said == (
        (None if zero == 3 else "TP407") if target == "tract" else "TP214" if zero == 3 else "TP213"
    )


@pytest.mark.parametrize(
    "operator, of, code",
    [("Div", 0, "TP426"), ("Div", 1, None), ("Identity", np.nan, None), (None, np.nan, None)],
)
def test_a_pad_value_that_is_computed_in_tract(folder, operator, of, code):
    """tract 0.21 does not load a NaN that it computes itself."""
    number = [nh.from_array(np.float32(of), "v" if operator is None else "a")]
    nodes = (
        [oh.make_node(operator, ["a", "a"] if operator == "Div" else ["a"], ["v"])]
        if operator
        else []
    )
    nodes.append(pad_node(["x", "plain", "v"], "y", "pad"))
    assert code_of(folder, "tract-0.21", nodes, KNOWN, [*NUMBERS, *number]) == code
    assert code_of(folder, "tract-0.22", nodes, KNOWN, [*NUMBERS, *number]) is None
    lowered = run("lower", folder / "m.onnx", folder / "out.onnx", "-f", "--target", "tract-0.21")
    if code:  # the node that computes the NaN would stay
        assert (
            lowered.status != 0
            and "no operator helps in this file: nodes compute the pad value" in lowered.error
        )
    else:
        assert lowered.status == 0


@pytest.mark.parametrize("target", ["opencv-4.6", "opencv-4.10", "opencv-4.14"])
@pytest.mark.parametrize(
    "type, around, kind",
    [
        (onnx.TensorProto.UINT8, True, "unknown"),
        (onnx.TensorProto.INT8, True, "unknown"),
        (onnx.TensorProto.UINT8, False, "differs"),
        (onnx.TensorProto.INT32, True, "differs"),
    ],
)
def test_numbers_of_8_bits_in_opencv_4(folder, target, type, around, kind):
    """Among quantised operators OpenCV 4.14 is right in some nets and wrong in others, 4.6 as well."""
    path = folder / "m.onnx"
    nodes = [
        oh.make_node("Relu", ["x"], ["a"]),
        pad_node(["a", "p"], "b", "pad", mode="reflect"),
        oh.make_node("Relu", ["b"], ["y"]),
    ]
    if not around:
        nodes = [pad_node(["x", "p"], "y", "pad", mode="reflect")]
    top = graph(
        nodes,
        [port("x", [1, 3, 10, 9], type)],
        [port("y", [1, 3, 12, 11], type)],
        [ints("p", PLAIN)],
    )
    path.write_bytes(model_of(top, 14))
    said = json.loads(run("check", path, "--target", target, "--json").stdout)
    verdict = said["models"][0]["nodes"][0]["verdicts"][0]
    assert (verdict["verdict"], verdict["code"]) == (kind, "TP352")


WEIGHTS = nh.from_array(np.ones((2, 3, 3, 3), np.float32), "k")
CUT, GROWN = [0, 0, -1, 0, 0, 0, 0, 0], PLAIN


@pytest.mark.parametrize(
    "amounts, dims, words, value, code",
    [
        (CUT, OPEN, {}, None, None),
        (CUT, OPEN, {"strides": [2, 2]}, None, None),
        ([0, 0, 2, -1, 0, 0, -1, 2], OPEN, {}, None, None),
        (CUT, ["n", 3, 10, 9], {}, None, None),
        (CUT, KNOWN, {}, None, "TP410"),  # all extents are known: the Pad runs by itself
        (CUT, OPEN, {"pads": [1, 1, 1, 1]}, None, "TP418"),
        (CUT, OPEN, {"pads": [0, 0, 0, 0]}, None, None),
        (CUT, OPEN, {"auto_pad": "SAME_UPPER"}, None, "TP410"),
        (CUT, OPEN, {}, 1.0, "TP410"),  # only zeros go into the Conv
        ([0, -1, 0, 0, 0, 1, 0, 0], OPEN, {}, None, "TP410"),  # and only beside the image
        (GROWN, OPEN, {"pads": [1, 1, 1, 1]}, None, None),
    ],
)
def test_negative_amounts_before_a_conv_in_tract(folder, amounts, dims, words, value, code):
    more = [] if value is None else [nh.from_array(np.float32(value), "v")]
    nodes = [
        pad_node(["x", "p", *(["v"] if more else [])], "z", "pad"),
        oh.make_node("Conv", ["z", "k"], ["y"], **words),
    ]
    assert code_of(folder, "tract", nodes, dims, [ints("p", amounts), WEIGHTS, *more]) == code


@pytest.mark.parametrize(
    "value, code",
    [
        (2.5, None),
        (0.0, None),
        (float("inf"), "TP223"),
        (float("-inf"), "TP223"),
        (float("nan"), "TP223"),
    ],
)
@pytest.mark.parametrize("opset", [2, 10])
def test_attributes_in_openvino(folder, value, code, opset):
    """Of other modes, too, which have no use for the value; not of double, which has the largest float for it."""
    for mode, kind, code in ("constant", 1, code), ("reflect", 1, code), ("reflect", 11, "TP218"):
        node = pad_node(["x"], "y", "pad", mode=mode, pads=PLAIN, value=value)
        path = folder / f"{mode}{kind}.onnx"
        path.write_bytes(
            model_of(graph([node], [port("x", KNOWN, kind)], [port("y", [None] * 4, kind)]), opset)
        )
        said = json.loads(run("check", path, "--target", "openvino", "--json").stdout)
        assert said["models"][0]["nodes"][0]["verdicts"][0]["code"] == code
