"""How a Pad's arguments are made, and a Conv after it: what OpenCV 4, tract and OpenVINO take.

SPDX-License-Identifier: MIT

What is expected was seen in these runtimes with the models of this file.
"""

import json
import re

import numpy as np
import onnx.helper as oh
import onnx.numpy_helper as nh
import pytest
from harness import run
from onnx import TensorProto
from onnx_models import INT64, external, graph, ints, model_of, parsed, port

KNOWN, OPEN = [1, 3, 10, 9], ["n", 3, "h", "w"]
PLAIN, ROW, BATCH = [0, 0, 1, 1, 0, 0, 1, 1], [0, 0, 1, 0, 0, 0, 1, 0], [1] + [0] * 7
CUT = [0, 0, -1, 0, 0, 0, 0, 0]
CONSTANTS = {  # lists are int64
    "plain": PLAIN,
    "last": [3],
    "first": PLAIN[:-1],
    "nine": [9],
    "four": [4],
    "minus": [-1],
    "flat": [-1],
    "eight": [8],
    "tens": [-12, -12, -12, -10, -12, -12, -11, -12],
    "int": np.array(PLAIN, np.int32),
    "rows": [[2], [3]],
    "two": [2, 2],
    "all": np.ones(8, bool),
    "pairs": [PLAIN[:4], PLAIN[4:]],
    "at": [0, 1, 2, 3, 4, 5, 6, -1],
    "s": np.float32(0.5),
    "one": np.zeros(1, np.float32),
    "three": np.ones([3, 1, 1], np.float32),
    "z": np.int8(-2),
    "uz": np.uint8(128),
    "zero": np.uint8(0),
    "k": np.ones((2, 3, 3, 3), np.float32),
}
EXTERNAL = {
    "outside": external("outside", "w.bin", [8]),
    "outside_list": external("outside_list", "w.bin", [1], 16),
    "outside_axes": external("outside_axes", "w.bin", [1], 16),
    "outside_value": external("outside_value", "w.bin", [], type=TensorProto.FLOAT),
}


def written(folder, text, dims, constants=(), ports=(), value_info=(), kind=1, ends=("y",), **more):
    """Writes m.onnx: the nodes of the text over x, and the constants that they name."""
    (folder / "w.bin").write_bytes(np.array(PLAIN).tobytes())
    nodes, read = parsed(text), set(re.findall(r"\w+", text))
    given = {one.name for one in ports} | {name for node in nodes for name in node.output}
    made = [value for name, value in EXTERNAL.items() if name in read - given]
    for name, value in (CONSTANTS | dict(constants)).items():
        if name in read - given:
            is_list = isinstance(value, list)
            made.append(ints(name, value) if is_list else nh.from_array(np.asarray(value), name))
    ends = [port(end, [None] * 4, kind) if isinstance(end, str) else end for end in ends]
    inputs = [port("x", dims, kind), *ports]
    top = graph(nodes, inputs, ends, made, value_info=value_info)
    path = folder / "m.onnx"
    path.write_bytes(model_of(top, **{"opset": 13, **more}))
    return path


def verdict_of(path, target, *words):
    said = json.loads(run("check", path, "--target", target, "--json", *words).stdout)
    return said["models"][0]["nodes"][0]["verdicts"][0]


def code_of(folder, target, text, dims, constants=(), words=(), **more):
    return verdict_of(written(folder, text, dims, constants, **more), target, *words)["code"]


# ---- Chains --------------------------------------------------------------------------------------

PAD = " y = Pad (x, p)"


def from_shape(*operators):
    """The amount at the end of the last axis from its extent, by operators one after the other."""
    text, last = "s = Shape (x) g = Gather (s, last) ", "g"
    for k, operator in enumerate(operators):
        text += f"g{k} = {operator.split()[0]} ({', '.join([last, *operator.split()[1:]])}) "
        last = f"g{k}"
    return text + f"p = Concat <axis=0> (first, {last})"


RESHAPE = "p = Reshape (pairs, flat)"
ZEROS = "q = ConstantOfShape <value = int64[1] {0}> (eight)"
PICKED = "p = Compress (plain, all)"
ELEMENTS = ZEROS + " p = ScatterElements (q, at, plain)"
SHAPED = "s = Shape (x) q = Tile (s, two) p = ScatterND (q, rows, two)"


@pytest.mark.parametrize(
    "target, text, dims, code",
    [
        ("opencv-4.14", from_shape("Sub nine"), KNOWN, None),
        ("opencv-4.14", from_shape("Mod four"), KNOWN, None),
        ("opencv-4.14", from_shape("Mul minus", "Mod four"), KNOWN, None),
        ("opencv-4.14", from_shape("Neg", "Mod four"), KNOWN, "TP355"),
        ("opencv-4.14", from_shape("Abs"), KNOWN, "TP355"),
        ("opencv-4.14", from_shape("Sub nine"), ["n", 3, "h", 9], "TP356"),
        ("opencv-4.14", RESHAPE, KNOWN, None),
        ("opencv-4.14", RESHAPE, OPEN, "TP354"),
        ("opencv-4.14", "p = Reshape (pairs, eight)", OPEN, None),
        ("opencv-4.6", "p = Identity (plain)", KNOWN, "TP361"),
        ("opencv-4.6", RESHAPE, OPEN, "TP354"),
        ("opencv-4.10", "p = Identity (plain)", KNOWN, None),
        ("opencv-4.10", from_shape("Mod four"), KNOWN, None),
        ("opencv-4.10", from_shape("Neg", "Mod four"), KNOWN, "TP355"),
        ("opencv-5.0", from_shape("Neg"), KNOWN, None),
        ("opencv-5.0", from_shape("Abs"), KNOWN, "TP323"),
        ("opencv-5.0", "p = Sign (plain)", KNOWN, "TP323"),
        ("opencv-5.0", "p = Cast <to=7> (int)", KNOWN, None),
        ("openvino-2025.4", "p = Constant <value_ints=[0,0,1,1,0,0,1,1]> ()", KNOWN, None),
        ("opencv-5.0", "i = Neg (int) p = Cast <to=7> (i)", KNOWN, "TP323"),
        ("tract-0.21", from_shape("Neg", "Mod four"), KNOWN, "TP419"),
        ("tract", from_shape("Mod four"), KNOWN, None),
        ("tract", from_shape("Neg", "Mod four"), KNOWN, "TP419"),
        ("tract", from_shape("Mul minus", "Mod four"), KNOWN, "TP419"),
        ("tract", from_shape("Neg", "Mod nine"), KNOWN, None),  # nothing is left of -9 by 9
        ("tract", "p = Mod (tens, four)", KNOWN, None),  # constants, not a shape
        ("tract", from_shape("Abs"), KNOWN, None),
        ("tract", RESHAPE, OPEN, None),
        # What computes them from constants is not known here, but to the runtime: "unknown".
        ("tract", PICKED, OPEN, "TP410"),
        ("tract", SHAPED, OPEN, "TP407"),
        ("openvino", PICKED, OPEN, "TP210"),
        ("tract", SHAPED, KNOWN, "TP410"),
        # Folded here as in the runtimes, but for OpenCV 4.
        ("opencv-4.6", ELEMENTS, KNOWN, "TP355"),
        ("opencv-4.14", ELEMENTS, KNOWN, "TP355"),
        *((target, ELEMENTS, KNOWN, None) for target in ("opencv-5.0", "openvino", "tract", "ort")),
    ],
)
def test_chains(folder, target, text, dims, code):
    assert code_of(folder, target, text + PAD, dims) == code


def test_places_that_are_none(folder):
    said = code_of(folder, "openvino", ELEMENTS + PAD, KNOWN, {"at": [0, 1, 2, 3, 4, 5, 6, 8]})
    assert said is not None


def test_shapes_that_are_given_close_no_model(folder):
    """The runtime does not know them, as it reads the file."""
    words = ["--input-shape", "x=1,3,10,9"]
    assert code_of(folder, "opencv-4.14", RESHAPE + PAD, OPEN, words=words) == "TP354"


# ---- Arguments in another file, or as numbers of a Constant --------------------------------------

OUTSIDE = "y = Pad (x, outside)"
BY_SHAPE = "s = Shape (x) r = Reshape (x, s) y = Pad (r, outside)"
INTS = "p = Constant <value_ints=[0,0,1,1,0,0,1,1]> ()" + PAD
FUNCTION = {
    "functions": [
        oh.make_function("f", "F", ["x"], ["y"], parsed(INTS), [oh.make_opsetid("", 13)])
    ],
    "imports": [oh.make_opsetid("f", 1)],
}


@pytest.mark.parametrize("target", ["ort-1.17", "ort-1.23", "ort-1.32", "ort-web-1.30"])
@pytest.mark.parametrize(
    "text, dims, code, more",
    [
        (OUTSIDE, OPEN, "TP138", {}),
        ("p = Reshape (pairs, outside_list)" + PAD, None, "TP138", {}),
        ("q = Squeeze (rows, outside_list) p = Expand (q, eight)" + PAD, KNOWN, "TP138", {}),
        ("p = Add (outside, plain)" + PAD, KNOWN, None, {}),
        ("v = Reshape (one, outside_list) y = Pad (x, plain, v)", KNOWN, "TP138", {}),
        ("p = Identity (outside)" + PAD, KNOWN, "TP138", {}),
        ("y = Pad (x, two, , outside_axes)", KNOWN, "TP138", {"opset": 18}),
        (OUTSIDE, None, None, {}),
        (BY_SHAPE, KNOWN, "TP138", {}),
        (BY_SHAPE, OPEN, None, {}),
        (BY_SHAPE, OPEN, "TP138", {"opset": 15}),
        (BY_SHAPE, OPEN, "TP138", {"value_info": [port("r", OPEN)]}),
        ("y = Pad (x, p)", KNOWN, None, {"ports": [port("p", [8], INT64)]}),
        ("y = Pad (x, plain, outside_value)", KNOWN, None, {}),
        (INTS, KNOWN, None, {}),
        ("y = f.F (x)", KNOWN, "TP139", FUNCTION),
    ],
)
def test_arguments_that_onnx_runtime_does_not_load(folder, target, text, dims, code, more):
    """It infers shapes before it reads external data; before 1.31 it knows no shape of a value_ints
    in a function."""
    said = code_of(folder, target, text, dims, **more)
    is_old = target in ("ort-1.17", "ort-1.23")
    expected = code if is_old or code != "TP139" else None
    assert (said if said in ("TP138", "TP139") else None) == expected


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
    assert code_of(folder, target, OUTSIDE, KNOWN) == pads
    assert code_of(folder, target, "y = Pad (x, plain, outside_value)", KNOWN) == value


@pytest.mark.parametrize("opset, code", [(12, "TP240"), (13, None)])
@pytest.mark.parametrize("target", ["openvino-2024.6", "openvino-2026.4"])
@pytest.mark.parametrize("text", [INTS, "v = Constant <value_float=1.5> () y = Pad (x, plain, v)"])
def test_numbers_of_a_constant(folder, target, opset, code, text):
    """OpenVINO has no Constant 12."""
    assert code_of(folder, target, text, KNOWN, opset=opset) == code


# ---- Amounts and values --------------------------------------------------------------------------


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
            text = 'y = Pad <mode="edge"> (x, p)'
            assert code_of(folder, target, text, shape, {"p": pads}) == said


@pytest.mark.parametrize("amount, code", [(2, "TP106"), (3, "TP104"), (2**62, "TP116")])
def test_amounts_that_are_known_in_part(folder, amount, code):
    """One axis decides what the amount of another one cannot change; TP106 has yet to know it."""
    text = 'p = Concat <axis=0> (one, rest) y = Pad <mode="reflect"> (x, p)'
    path = written(folder, text, [3, 3], {"rest": [amount, 0, 0]}, [port("one", [1], INT64)])
    said = verdict_of(path, "ort-1.31")
    assert (said["verdict"], said["code"]) == ("unknown" if code == "TP106" else "refuses", code)


@pytest.mark.parametrize("target", ["openvino-2024.6", "openvino"])
@pytest.mark.parametrize("amounts, code", [(PLAIN, "TP213"), ([0] * 8, None), (CUT, None)])
def test_a_pad_value_that_no_cell_gets(folder, target, amounts, code):
    said = code_of(
        folder, target, "y = Pad (x, p, v)", KNOWN, {"p": amounts}, ports=[port("v", [])]
    )
    assert said == code


@pytest.mark.parametrize(
    "dims, before, verdict",
    [
        (KNOWN, "d = Relu (x)", "refuses"),
        (None, "d = Relu (x)", "same"),
        (None, "q = QuantizeLinear (x, s, uz) d = DequantizeLinear (q, s, uz)", "same"),
        (None, "a = Conv (x, k) d = AveragePool <kernel_shape=[2,2]> (a)", "same"),
        (None, "d = Secret (x)", "unknown"),
    ],
)
def test_axes_where_the_rank_is_open(folder, dims, before, verdict):
    """ONNX's shape inference, which takes no axes of int32 and no external ones, ends earlier
    without a rank."""
    made = {"axes": np.array([-1], np.int32)}
    for axes in "axes", "outside_axes":
        path = written(folder, f"{before} y = Pad (d, two, , {axes})", dims, made, opset=18)
        assert verdict_of(path, "ort")["verdict"] == verdict


CODES = "q = QuantizeLinear ({0}, s, uz) v = DequantizeLinear (q, s, uz) y = Pad (x, plain, v)"


@pytest.mark.parametrize("target", ["tract", "openvino-2024.6", "openvino"])
@pytest.mark.parametrize("is_known", [True, False])
def test_a_quantised_pad_value(folder, target, is_known):
    """As quantize_static wraps it. What comes from an input is no constant. OpenVINO makes 0.0 of
    -0.0, and what the nodes compute is not known."""
    ports = [] if is_known else [port("uz", [], TensorProto.UINT8)]
    said = code_of(folder, target, CODES.format("s"), KNOWN, {"uz": np.uint8(3)}, ports=ports)
    expected = (None, "TP407") if target == "tract" else ("TP214", "TP213")
    assert said == expected[not is_known]


@pytest.mark.parametrize(
    "target, opset, code",
    [("ort-1.23", 23, "TP140"), ("ort-1.23", 22, None), ("ort-1.31", 23, None)],
)
def test_value_through_quantize_linear(folder, target, opset, code):
    """ONNX Runtime 1.23 takes opset 23, but has no QuantizeLinear of it."""
    assert code_of(folder, target, CODES.format("s"), KNOWN, opset=opset) == code


@pytest.mark.parametrize(
    "target, code", [("tract-0.21", "TP423"), ("tract-0.22", "TP423"), ("tract", None)]
)
def test_value_without_a_name(folder, target, code):
    assert code_of(folder, target, 'y = Pad (x, plain, "")', KNOWN) == code


@pytest.mark.parametrize(
    "text, of, code",
    [
        ("v = Div (a, a)", 0, "TP426"),
        ("v = Div (a, a)", 1, None),
        ("v = Identity (a)", np.nan, None),
        ("v = Max (a)", 3, None),
    ],
)
def test_a_pad_value_that_is_computed_in_tract(folder, text, of, code):
    """tract 0.21 does not load a NaN that it computes itself; the node that does would stay."""
    text, value = text + " y = Pad (x, plain, v)", {"a": np.float32(of)}
    assert code_of(folder, "tract-0.21", text, KNOWN, value) == code
    assert code_of(folder, "tract-0.22", text, KNOWN, value) is None
    words = ["lower", folder / "m.onnx", folder / "out.onnx", "-f", "--target", "tract-0.21"]
    lowered = run(*words)
    said = "no operator helps in this file: nodes compute the pad value"
    assert (lowered.status != 0 and said in lowered.error) if code else lowered.status == 0


@pytest.mark.parametrize(
    "value, code",
    [(2.5, None), (0.0, None), (np.inf, "TP223"), (-np.inf, "TP223"), (np.nan, "TP223")],
)
@pytest.mark.parametrize("opset", [2, 10])
def test_attributes_in_openvino(folder, value, code, opset):
    """Of other modes, too, which have no use for the value; not of double, which has the largest
    float for it."""
    for mode, kind, code in ("constant", 1, code), ("reflect", 1, code), ("reflect", 11, "TP218"):
        nodes = parsed(f'y = Pad <mode="{mode}", pads=[0,0,1,1,0,0,1,1]> (x)')
        nodes[0].attribute.append(oh.make_attribute("value", value))
        top = graph(nodes, [port("x", KNOWN, kind)], [port("y", [None] * 4, kind)])
        (folder / "m.onnx").write_bytes(model_of(top, opset))
        assert verdict_of(folder / "m.onnx", "openvino")["code"] == code


# ---- Quantised data ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "between, pads, value, zero, dims, code",
    [
        ("", ROW, 1.5, "z", KNOWN, "TP242"),
        ("", ROW, 1, "z", KNOWN, None),
        ("", ROW, 200, "z", KNOWN, "TP241"),
        ("", ROW, 200, "uz", KNOWN, None),
        ("", ROW, -1, "uz", KNOWN, "TP241"),
        ("", ROW, -np.inf, "uz", KNOWN, "TP241"),
        ("", ROW, 0, "uz", KNOWN, None),
        ("", PLAIN, 1.5, "uz", KNOWN, None),
        ("", CUT, 1.5, "uz", KNOWN, None),
        ("", ROW, 1.5, "uz", [1, 3, "h", 9], None),
        ("", ROW, 1.5, "uz", ["n", 3, 10, "w"], "TP242"),
        ("", BATCH, 0, "uz", KNOWN, "TP243"),
        ("", BATCH, 0, "zero", KNOWN, None),
        ("", BATCH, 3, "zero", KNOWN, "TP243"),
        ("", BATCH, 0, "uz", ["n", 3, 10, 9], None),
        ("", [1, 0, 0, 1, 0, 0, 0, 0], 0, "uz", KNOWN, None),
        ("b = Neg (d) a = Identity (b)", ROW, 1.5, "uz", KNOWN, "TP242"),
        ("a = GlobalAveragePool (d)", BATCH, 0, "uz", KNOWN, "TP243"),
        ("a = GlobalAveragePool (d)", ROW, 1.5, "uz", KNOWN, "TP243"),
        ("a = Relu (d)", ROW, 1.5, "uz", KNOWN, None),
        ("b = Sum (d) c = Mul (b, s) a = Sub (c, one)", ROW, 1.5, "uz", KNOWN, "TP242"),
        ("a = Add (d, s)", ROW, 1.5, "uz", KNOWN, None),
        ("b = Add (d, s) a = Mul (b, three)", BATCH, 0, "uz", KNOWN, "TP243"),
        ("a = Mul (d, three)", ROW, 1.5, "uz", KNOWN, None),
        ("a = Max (d, one)", BATCH, 0, "uz", KNOWN, None),
        ("", CUT, -1, "uz", KNOWN, "TP241"),
        ("", CUT, -1, "uz", OPEN, "TP241"),
        ("", [0, 0, -1, 0, 0, 0, 0, -1], -129, "z", KNOWN, "TP241"),
        ("", CUT, -128, "z", KNOWN, None),
        ("", [0, 0, -1, 0, 0, 0, 0, 1], -1, "uz", KNOWN, None),
        ("a = Relu (d)", ROW, -1, "zero", KNOWN, "TP241"),
        ("a = LeakyRelu (d)", BATCH, 3, "zero", KNOWN, "TP243"),
        ("a = Clip (d, s, two)", CUT, -1, "uz", KNOWN, None),
        ("a = Add (d, s)", ROW, -1, "zero", KNOWN, "TP241"),
        ("a = Add (d, d)", BATCH, 3, "uz", KNOWN, "TP243"),
        ("a = Add (d, d)", BATCH, 0, "uz", KNOWN, None),
        ("a = Mul (d, three)", CUT, -1, "uz", KNOWN, "TP241"),
        ("a = Concat <axis=1> (d, x)", CUT, -1, "uz", KNOWN, None),
        ("a = Concat <axis=1> (d, d)", CUT, -1, "zero", KNOWN, "TP241"),
        ("a = Concat <axis=1> (d, d)", ROW, 0, "uz", KNOWN, None),
        ("a = Concat <axis=1> (d, d)", CUT, -1, "uz", KNOWN, "unknown"),
    ],
)
@pytest.mark.parametrize("target", ["openvino-2024.6", "openvino-2026.4"])
def test_quantised_data(folder, target, between, pads, value, zero, dims, code):
    """OpenVINO moves the scale and the zero point after the Pad."""
    last = "a" if between else "d"
    made = {"p": pads, "v": np.float32(value)}
    back, pad = f"d = DequantizeLinear (q, s, {zero}) ", f" y = Pad ({last}, p, v)"
    text = f"q = QuantizeLinear (x, s, {zero}) " + back + between + pad
    said = verdict_of(written(folder, text, dims, made), target)
    assert (said["verdict"] if said["verdict"] == "unknown" else said["code"]) == code
    text = back.replace("(q", "(x") + " y = Pad (d, p, v)"
    kind = TensorProto.INT8 if zero == "z" else TensorProto.UINT8
    path = written(folder, text, KNOWN, made, kind=kind, ends=[port("y", [None] * 4)])
    assert b"TP24" not in run("check", path, "--target", target).stdout


@pytest.mark.parametrize(
    "zero, between, words, code",
    [
        ("z", "", "", "TP244"),
        ("uz", "a = Neg (d)", ", count_include_pad=1", "TP244"),
        ("zero", "", "", None),
        ("z", "", ", pads=[1,0,0,0]", None),
        ("z", "", ", pads=[1,0,0,0], count_include_pad=1", "TP244"),
        ("z", "a = Relu (d)", "", None),
        ("z", "", ', auto_pad="SAME_UPPER"', None),
        ("z", "", ', auto_pad="VALID"', "TP244"),
        ("zero", "a = Add (d, s)", "", "TP244"),
        ("zero", "a = Concat <axis=1> (d, d)", "", None),
        ("z", "a = Concat <axis=1> (d, d)", "", "TP244"),
    ],
)
@pytest.mark.parametrize("target", ["openvino-2024.6", "openvino"])
def test_quantised_data_before_an_average(folder, target, zero, between, words, code):
    text = f"""q = QuantizeLinear (x, s, {zero}) d = DequantizeLinear (q, s, {zero}) {between}
        e = Pad ({"a" if between else "d"}, plain) b = Identity (e)
        y = AveragePool <kernel_shape=[2,2]{words}> (b)"""
    said = verdict_of(written(folder, text, KNOWN), target)
    assert (said["verdict"], said["code"]) == ("differs" if code else "same", code)


@pytest.mark.parametrize(
    "more, zero, value, verdict",
    [
        ("", "uz", 0, "same"),
        ("again = QuantizeLinear (y, s, uz)", "uz", 0, "unknown"),  # it moves their zero point, too
        ("again = QuantizeLinear (y, s, zero)", "uz", 0, "same"),
        ("c = Conv (y, k)", "z", -1, "same"),
        ("w = DequantizeLinear (bytes, s) c = Conv (y, w)", "z", -1, "unknown"),  # as uint8
        ("w = DequantizeLinear (bytes, s) c = Conv (y, w)", "z", 1, "same"),
        ("w = DequantizeLinear (bytes, s) c = Conv (y, w)", "uz", -1, "refuses"),
        ("r = QuantizeLinear (y, s, uz)", "z", -1, "unknown"),
    ],
)
def test_quantised_data_beside_others(folder, more, zero, value, verdict):
    """A zero point of two readers, and layers that want integers without a sign."""
    made = {"p": ROW, "v": np.float32(value), "bytes": np.ones((2, 3, 3, 3), np.int8)}
    text = (
        f"q = QuantizeLinear (x, s, {zero}) d = DequantizeLinear (q, s, {zero}) y = Pad (d, p, v) "
    )
    ends = [port("c", [None] * 4)] if "Conv" in more else []
    path = written(folder, text + more, KNOWN, made, ends=ends or ["y"])
    assert verdict_of(path, "openvino")["verdict"] == verdict


@pytest.mark.parametrize(
    "more, verdict", [("", "same"), ("r = Relu (f) q = QuantizeLinear (r, s, uz)", "differs")]
)
def test_bytes_of_an_input(folder, more, verdict):
    """OpenVINO moves their scale only in a model in which something is quantised."""
    text = f"d = DequantizeLinear (x, s, zu) y = Pad (d, p, v) {more}"
    made = {"p": ROW, "v": np.float32(1.5), "zu": np.uint8(3)}
    path = written(folder, text, KNOWN, made, ports=[port("f", KNOWN)], kind=TensorProto.UINT8)
    assert verdict_of(path, "openvino")["verdict"] == verdict


def test_a_shape_that_reads_an_open_value_too(folder):
    """OpenVINO folds it where it needs known extents only, and gives the Pad to the pool then."""
    text = """q = QuantizeLinear (x, s, uz) d = DequantizeLinear (q, s, uz) e = Pad (d, plain)
        y = AveragePool <kernel_shape=[2,2]> (e) n = Shape (e)"""
    for dims, verdict in (KNOWN, "differs"), (["n", 3, 10, 9], "unknown"):
        assert verdict_of(written(folder, text, dims), "openvino")["verdict"] == verdict


def code_of_bytes(folder, target, word, conv, pads, zero, value=0, ends=(), between=""):
    """The code of a Pad of bytes before an integer Conv; zero: its zero point."""
    made = {
        "p": pads,
        "v": np.array(value, word),
        "at_rest": np.array(zero, word),
        "w": np.ones([2, 3, 2, 2], np.int8),
        "none": np.int8(0),
    }
    kind = oh.np_dtype_to_tensor_dtype(np.dtype(word))
    text = f"a = Pad (x, p, v) {between} y = " + conv
    out = port("y", [None] * 4, kind if "QLinear" in conv else TensorProto.INT32)
    return code_of(folder, target, text, KNOWN, made, kind=kind, ends=[out, *ends])


CONV = "ConvInteger {} (a, w, at_rest)"
BACK = "u = Unsqueeze (a, last) b = Squeeze (u, last)"


@pytest.mark.parametrize(
    "conv, pads, zero, more, code",
    [
        (CONV.format(""), PLAIN, 3, {}, "TP428"),
        (CONV.format(""), PLAIN, 0, {}, None),
        (CONV.format(""), PLAIN, 3, {"value": 3}, None),
        (CONV.format('<auto_pad="VALID">'), PLAIN, 3, {}, "TP428"),
        (CONV.format('<auto_pad="SAME_UPPER">'), PLAIN, 3, {}, None),
        (CONV.format("<pads=[1,0,0,1]>"), PLAIN, 3, {}, "TP428"),
        (CONV.format(""), [0, 1, 1, 1, 0, 0, 1, 1], 3, {}, None),
        (CONV.format(""), BATCH, 3, {}, None),
        ("QLinearConv (a, s, at_rest, w, s, none, s, at_rest)", PLAIN, 3, {}, "TP428"),
        (CONV.format(""), PLAIN, 3, {"ends": ["a"]}, "TP428"),
        ("ConvInteger (b, w, at_rest)", PLAIN, 3, {"between": "b = Identity (a)"}, "TP428"),
        ("ConvInteger (b, w, at_rest)", PLAIN, 3, {"between": BACK}, "TP428"),
    ],
)
def test_zeros_before_an_integer_conv(folder, conv, pads, zero, more, code):
    """tract takes them into its pads, which are the zero point."""
    for target, word in ("tract-0.21", np.int8), ("tract", np.uint8), ("tract", np.int8):
        assert code_of_bytes(folder, target, word, conv, pads, zero, **more) == code


@pytest.mark.parametrize("value, code", [(-1, "TP318"), (-127, "TP318"), (5, None)])
def test_pad_value_of_int8_below_zero(folder, value, code):
    """OpenCV 5 makes 127 of it."""
    said = code_of_bytes(folder, "opencv-5.0", np.int8, CONV.format(""), PLAIN, 0, value=value)
    assert said == code


@pytest.mark.parametrize("target", ["opencv-4.6", "opencv-4.10", "opencv-4.14"])
@pytest.mark.parametrize(
    "type, around, kind",
    [
        (TensorProto.UINT8, True, "unknown"),
        (TensorProto.INT8, True, "unknown"),
        (TensorProto.UINT8, False, "differs"),
        (TensorProto.INT32, True, "differs"),
    ],
)
def test_numbers_of_8_bits_in_opencv_4(folder, target, type, around, kind):
    """Among quantised operators OpenCV 4.14 is right in some nets and wrong in others, as is 4.6."""
    text = 'y = Pad <mode="reflect"> (x, plain)'
    if around:
        text = 'a = Relu (x) b = Pad <mode="reflect"> (a, plain) y = Relu (b)'
    end = port("y", [1, 3, 12, 11], type)
    found = verdict_of(written(folder, text, KNOWN, kind=type, ends=[end], opset=14), target)
    assert (found["verdict"], found["code"]) == (kind, "TP352")


# ---- tract ---------------------------------------------------------------------------------------


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
    text = "i = Pad (x, p) a = Max (i) b = Shape (a) r = Reshape (a, to) y = Reshape (r, b)"
    assert code_of(folder, target, text, dims, {"p": pads, "to": shape}) == code


@pytest.mark.parametrize(
    "node, verdict",
    [
        ("g = Mul (s, none)", "unknown"),
        ("r = Relu (x) t = Shape (r) g = Sub (s, t)", "unknown"),
        ("e = Equal (s, s) g = Cast <to=7> (e)", "unknown"),
        ("g = Mod (s, every)", "unknown"),
        ("g = Mod (s, four)", "refuses"),
        ("g = Sub (s, nine)", "refuses"),
        ("h = Div (s, four) i = Mul (h, four) g = Sub (s, i)", "refuses"),
        ("t = Cast <to=7> (x) u = ReduceMax <axes=[0,1,2]> (t) g = Mul (u, none)", "refuses"),
    ],
)
def test_open_extents_that_may_cancel_in_tract(folder, node, verdict):
    """It computes with extents as formulas: their product with 0 is a constant, a rest is none."""
    text = f"s = Shape (x) {node} k = Concat <axis=0> (g, z4) y = Pad (x, k)"
    made = {"none": [0], "every": [1], "z4": [0, 0, 1, 1]}
    assert verdict_of(written(folder, text, OPEN, made), "tract")["verdict"] == verdict


SCAN = """{0} = Scan <num_scan_inputs=1, body = b (float[10,9] {1}) => (float[N,M] {0}_e)
    {{ {2} }}> ({3})"""


@pytest.mark.parametrize(
    "inside, code",
    [
        ("y_e = Pad (x_e, p)", None),
        ('y_e = Pad <mode="edge"> (x_e, p)', None),
        ("y_e = Pad (x_e, p, s)", None),
        ("y_e = Pad (x_e, cut)", "TP410"),
        (SCAN.format("y_e", "z", "y_e_e = Pad (z, last)", "x_e").replace("[10,9]", "[9]"), "TP404"),
    ],
)
@pytest.mark.parametrize("target", ["tract-0.21", "tract"])
def test_scans_in_tract(folder, target, inside, code):
    """It takes a Scan, but none in a Scan."""
    text = SCAN.format("y", "x_e", inside, "x")
    made = {"p": [0, 1, 0, 2], "cut": [0, -1, 0, 0], "last": [1, 2]}
    assert code_of(folder, target, text, [3, 10, 9], made) == code


@pytest.mark.parametrize("target", ["tract-0.21", "tract"])
@pytest.mark.parametrize(
    "text, code",
    [
        ("j = Cast <to=7> (x)", "TP427"),
        ("i = Cast <to=7> (x) j = Neg (i)", "TP427"),
        ("i = Cast <to=7> (x) j = Add (nine, i)", "TP427"),
        ("i = Cast <to=7> (x) j = Abs (i)", None),
        ("j = Cast <to=6> (x)", None),
        ("i = ArgMax (x) j = Neg (i)", None),
    ],
)
def test_int64_that_tract_takes_for_extents(folder, target, text, code):
    assert code_of(folder, target, text + " y = Pad (j, plain)", KNOWN) == code


@pytest.mark.parametrize("inside, code", [(False, None), (True, "TP403")])
def test_bool_without_amounts_in_tract(folder, inside, code):
    """The Pad goes, but not always from a branch."""
    pad = "a = Pad (b, none)"
    if inside:
        side = "{0}_branch = {0} () => (bool[N,C,H,W] {0}_a) {{ {0}_a = Pad (b, none) }}"
        pad = f"a = If <{side.format('then')}, {side.format('else')}> (yes)"
    text = f"""b = Cast <to=9> (x) most = ReduceMax <keepdims=0> (x) yes = IsNaN (most) {pad}
        y = Cast <to=1> (a)"""
    assert code_of(folder, "tract", text, KNOWN, {"none": [0] * 8}) == code


@pytest.mark.parametrize(
    "amounts, dims, words, value, code",
    [
        (CUT, OPEN, "", None, None),
        (CUT, OPEN, "<strides=[2,2]>", None, None),
        ([0, 0, 2, -1, 0, 0, -1, 2], OPEN, "", None, None),
        (CUT, ["n", 3, 10, 9], "", None, None),
        (CUT, KNOWN, "", None, "TP410"),  # all extents are known: the Pad runs by itself
        (CUT, OPEN, "<pads=[1,1,1,1]>", None, "TP418"),
        (CUT, OPEN, "<pads=[0,0,0,0]>", None, None),
        (CUT, OPEN, '<auto_pad="SAME_UPPER">', None, "TP410"),
        (CUT, OPEN, "", 1.0, "TP410"),  # only zeros go into the Conv
        ([0, -1, 0, 0, 0, 1, 0, 0], OPEN, "", None, "TP410"),  # and only beside the image
        (PLAIN, OPEN, "<pads=[1,1,1,1]>", None, None),
    ],
)
def test_negative_amounts_before_a_conv_in_tract(folder, amounts, dims, words, value, code):
    made = {"p": amounts} | ({} if value is None else {"v": np.float32(value)})
    text = f"a = Pad (x, p{'' if value is None else ', v'}) y = Conv {words} (a, k)"
    assert code_of(folder, "tract", text, dims, made) == code


def code_of_ports(folder, target, inputs, between):
    """The code for a Pad after a Relu, whose output is declared; inputs: x and ports after it."""
    nodes = parsed("z = Relu (x) y = Pad (z, p)")
    top = graph(nodes, inputs, [port("y", ["any name", 5])], [ints("p", [0, 1, 0, 1])])
    top.value_info.append(port("z", between))
    (folder / "m.onnx").write_bytes(model_of(top, 13))
    return verdict_of(folder / "m.onnx", target)["code"]


# Which of tract 0.21.19, 0.22.4 and 0.23.9 load a model in which an input has that name, or a value
# between: all, those from 0.22 on, none.
ALL = """h|_h2|2*h|2*h + 1|a+b|a+b-c|a-b+c|h/2|(h+1)/2|((h))|-h|max(1, h)|max(1,h,w)|min(h)|max|maxi
floor|( h )|1|max()|-(a+b)|a--b|h\t+ 1|max (a, b)| -h|----------h|unk__0"""
NEWER = "h.2|a+b+c|a-b-c|h/2/2|floor(h)|floor(h/2)|s0 + 1 + s1/2"
NONE = """h//2|a/b|Max(1, h)|h w| h|h |h ( 1 )|2h|99999999999999999999|h\u00f6|h-|h+|h\v+ 1
h % 2|h**2|((s77//32))| + 1|a,b|max(1|max(1,|(h|min(,h)"""
NAMES = [
    (name, takes)
    for names, takes in ((ALL, "0.21 0.22 0.23"), (NEWER, "0.22 0.23"), (NONE, ""))
    for name in re.split(r"[|\n]", names)
]


@pytest.mark.parametrize("name, takes", [*NAMES, ("-" * 1000 + "h", ""), ("(" * 1000, "")])
def test_names_of_extents(folder, name, takes):
    """tract reads them as formulas. It skips one that it cannot read from 0.23 on, and misses it at
    an input. Outputs may have any name."""
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
