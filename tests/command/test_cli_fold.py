"""`tensorpad lower --fold`: which Pads become a part of another node, and that no answer changes.

SPDX-License-Identifier: MIT

ONNX Runtime without optimisations answers each model as it was; the folded model has to give the
same bits. It runs both in the same way, so that nothing but the fold decides. Random graphs:
conformance/tests/test_random_models.py.
"""

import json
import re

import numpy as np
import onnx
import onnx.helper as oh
import onnx.numpy_helper as nh
import onnxruntime
import pytest
from onnx_models import BOOL, INT32, INT64, graph, ints, model_of, parsed, port

TARGET = "ort-1.31"
X = np.random.default_rng(5).integers(-4, 5, (1, 2, 5, 6)).astype(np.float32)
I8, U8, F16, F64, I32 = np.int8, np.uint8, np.float16, np.float64, np.int32


def weights(*kernel, channels=2, kind=np.float32):
    return (
        (np.arange(2 * channels * np.prod(kernel)) % 5 - 2)
        .reshape(2, channels, *kernel)
        .astype(kind)
    )


CONSTANTS = {  # lists are int64
    "p": [0, 0, 1, 2, 0, 0, 0, 1],
    "none": [0] * 8,
    "w": weights(3, 3),
    "w8": weights(3, 3, kind=I8),
    "v": np.float32(0),
    "low": np.float32(-np.inf),
    "scale": np.float32(0.5),
    "one": np.float32(0.25),
    "zero": np.int8(-3),
    "null": np.int8(0),
}


def model(
    text,
    constants=(),
    inputs=(),
    kind=np.float32,
    shape=(1, 2, 5, 6),
    outputs="y",
    made=None,
    **more,
):
    """`text`, with the constants that it names. inputs: ports beside x. made: the outputs' type."""
    nodes, all_of = parsed(text), CONSTANTS | dict(constants)
    read, given = set(re.findall(r"\w+", text)), {one.name for one in inputs}
    tensors = [
        ints(name, value) if isinstance(value, list) else nh.from_array(np.asarray(value), name)
        for name, value in all_of.items()
        if name in read and (name not in given or name in dict(constants))
    ]
    type = oh.np_dtype_to_tensor_dtype(np.dtype(kind))
    rank = [None] * len(shape or X.shape)
    ends = [port(name, rank, made or type) if isinstance(name, str) else name for name in outputs]
    return model_of(
        graph(nodes, [port("x", shape, type), *inputs], ends, tensors), **{"opset": 18, **more}
    )


def fold(folder, content, target=TARGET, words=()):
    """(the folded model, {name: what `lower` says of it})."""
    (folder / "m.onnx").write_bytes(content)
    words = ["lower", "m.onnx", "out.onnx", "--fold", "--json", "-f", "--target", target, *words]
    said = json.loads(folder.run(*words).stdout)
    return (folder / "out.onnx").read_bytes(), {node["name"]: node for node in said["nodes"]}


def answers(content, feeds):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    return session.run(None, feeds)


def same(content, folded, **feeds):
    """Both give the same bits, and the folded model is valid."""
    onnx.checker.check_model(onnx.load_from_string(folded), full_check=True)
    kind = onnx.load_from_string(content).graph.input[0].type.tensor_type.elem_type
    feeds = {"x": X.astype(oh.tensor_dtype_to_np_dtype(kind))} | feeds
    for one, other in zip(answers(content, feeds), answers(folded, feeds), strict=True):
        np.testing.assert_array_equal(other, one)
        assert other.dtype == one.dtype


def nodes_of(content, name=None):
    found = onnx.load_from_string(content).graph.node
    return [node for node in found if name in (None, node.name)]


def operators(content):
    return [node.op_type for node in nodes_of(content)]


def attributes(node):
    return {one.name: oh.get_attribute_value(one) for one in node.attribute}


# ---- Into a Conv or a pool -----------------------------------------------------------------------

ADDED = [1, 2, 0, 1]
LINEAR = "y = QLinearConv (a, scale, zero, w8, scale, null, one, zero)"
IMAGE_8 = {"kind": I8}
INT_8 = {"kind": I8, "made": INT32}
COUNTED = "a = Pad (x, p) y = AveragePool <kernel_shape=[3,3], count_include_pad={}, pads={}> (a)"
INTO = [  # nodes, the pads that the last one gets, what else differs
    ("a = Pad (x, p) y = Conv (a, w)", ADDED, {}),
    ("a = Pad (x, p, v) y = Conv (a, w)", ADDED, {}),
    ("a = Pad (x, p, v) y = Conv (a, w)", ADDED, {"constants": {"v": np.float32(-0.0)}}),
    ("a = Pad <pads=[0,0,1,2,0,0,0,1]> (x) y = Conv (a, w)", ADDED, {"opset": 10}),
    ("a = Pad (x, p) y = Conv <pads=[1,0,0,2]> (a, w)", [2, 2, 0, 3], {}),
    ('a = Pad (x, p) y = Conv <auto_pad="VALID", strides=[2,1]> (a, w)', ADDED, {}),
    ('a = Pad (x, p) y = Conv <auto_pad="NOTSET", pads=[1,0,0,2]> (a, w)', [2, 2, 0, 3], {}),
    (
        "a = Pad (x, q, , axes) y = Conv (a, w)",
        [2, 1, 3, 0],
        {"constants": {"q": [1, 2, 0, 3], "axes": [-1, 2]}},
    ),
    (
        "a = Pad (x, q) y = Conv (a, w)",
        [7, 0, 0, 9],
        {"constants": {"q": [0, 0, 7, 0, 0, 0, 0, 9]}},
    ),
    ("a = Pad (x, p, zero) " + LINEAR, ADDED, IMAGE_8),
    ("a = Pad (x, p, zero) y = ConvInteger (a, w8, zero)", ADDED, INT_8),
    ("a = Pad (x, p) y = ConvInteger (a, w8)", ADDED, INT_8),
    ("a = Pad (x, p, low) y = MaxPool <kernel_shape=[3,4]> (a)", ADDED, {}),
    ("a = Pad (x, p, low) y = MaxPool <kernel_shape=[3,3], dilations=[2,3]> (a)", ADDED, {}),
    (COUNTED.format(1, "[1,0,0,1]"), [2, 2, 0, 2], {}),
    ("a = Pad (x, p) y = AveragePool <kernel_shape=[3,3]> (a)", ADDED, {}),
    (COUNTED.format(0, "[0,0,0,0]"), ADDED, {}),
    *(
        (
            "a = Pad (x, p, v) y = MaxPool <kernel_shape=[3,3]> (a)",
            ADDED,
            {"kind": kind, "constants": {"v": kind(v)}},
        )
        for kind in (np.float32, F64, F16)
        for v in (-np.inf, np.finfo(kind).min)
    ),
    (
        "a = Pad (x, p, v) y = MaxPool <kernel_shape=[3,3]> (a)",
        ADDED,
        {"kind": I8, "constants": {"v": I8(-128)}},
    ),
    (
        "a = Pad (x, p, v) y = MaxPool <kernel_shape=[3,3]> (a)",
        ADDED,
        {"kind": U8, "constants": {"v": U8(0)}},
    ),
]


@pytest.mark.parametrize("text, pads, more", INTO)
def test_pads_of_another_node(folder, text, pads, more):
    content = model(text, **more)
    folded, said = fold(folder, content)
    assert said["pad"]["outcome"] == "folded" and said["pad"]["into"].split()[1] in ("conv", "pool")
    assert said["pad"]["not_folded"] is None
    (node,) = nodes_of(folded)
    found = attributes(node)
    assert found["pads"] == pads and "auto_pad" not in found
    assert "Average" not in text or found["count_include_pad"] == 1
    same(content, folded)


# ---- What stays ----------------------------------------------------------------------------------

CONV, MAX = "y = Conv (a, w)", "y = MaxPool <kernel_shape=[3,3]> (a)"
PAD, OTHER, LOW = "a = Pad (x, p) ", "a = Pad (x, q) ", "a = Pad (x, q, low) "
TINY = "y = MaxPool <kernel_shape=[2,2], dilations=[{}]> (a)"
SIDE = "{0}_branch = {0} () => (float[N,C,H,W] b) {{{{ {{}} }}}}"
IN = "If <" + SIDE.format("then") + ", " + SIDE.format("else") + "> (c)"
C = port("c", [], BOOL)
NOT_ONE = "one cell on that axis"
ALONG = [0, 0, 1, 0, 0, 0, 1, 0]


def q(*amounts, **more):
    """Amounts, and further constants."""
    return {"constants": {"q": list(amounts), **more}}


def open_w(*shape):
    return {"inputs": [port("w", [2, 2, *shape])]}


STAYS = [  # nodes, a part of the reason (None: it does not stay), what else differs
    ('a = Pad <mode="edge"> (x, p) ' + CONV, "only mode constant", {}),
    ("a = Pad (x, p, v) " + CONV, "its value is not 0", {"constants": {"v": np.float32(1)}}),
    ("a = Pad (x, p, v) " + CONV, "its value is known only", {"inputs": [port("v", [])]}),
    (OTHER + CONV, "its amounts are known only", {"inputs": [port("q", [8], INT64)]}),
    (OTHER + CONV, "pads an axis other", q(0, 1, 1, 1, 0, 0, 1, 1, w=weights(3, 3, channels=3))),
    (OTHER + CONV, "pads an axis other", q(0, 0, 1, 1, 1, 0, 1, 1)),
    (OTHER + CONV, "it has amounts below 0", q(0, 0, -1, 1, 0, 0, 1, 1)),
    (OTHER + CONV, "it has amounts below 0", q(0, 0, 1, 1, 0, 0, -1, 1)),
    (OTHER + CONV, "it has amounts below 0 or above", q(0, 0, 1, 1, 0, 0, 1 << 31, 1)),
    (OTHER + CONV, "it has amounts below 0 or above", q(0, 0, 1 << 31, 1, 0, 0, 1, 1)),
    (PAD + CONV, "the kernel of the node", open_w(3)),
    (PAD + CONV, NOT_ONE, {"constants": {"w": weights(3, 1)}}),
    (OTHER + CONV, NOT_ONE, q(0, 0, 0, 0, 0, 0, 0, 1, w=weights(3, 1))),
    (PAD + MAX, "the lowest of its type", {"kind": F16}),
    (PAD + MAX, "the lowest of its type", {"kind": F64}),
    (PAD + MAX, "the lowest of its type", {}),
    (PAD + MAX, "the lowest of its type", IMAGE_8),
    (
        PAD + "y = ConvInteger (a, w8, zero)",
        "the zero point",
        {**INT_8, "constants": {"zero": U8(0)}},
    ),
    (PAD + CONV + " z = Abs (a)", "several nodes", {"outputs": "yz"}),
    (PAD + CONV, "an output of the graph", {"outputs": "ya"}),
    (PAD + "y = Conv (x, w)", "nothing reads", {}),
    (
        PAD + "y = " + IN.format("b = Conv (a, w)", "b = Conv (x, w)"),
        "a node of a subgraph",
        {"inputs": [C]},
    ),
    ("a = Pad (w, q) y = Conv (x, a)", "an input other than", q(0, 0, 1, 1, 0, 0, 1, 1)),
    (PAD + "y = Relu (a)", "not a Conv, pool or Pad", {}),
    (PAD + "y = ConvTranspose (a, w)", "not a Conv, pool or Pad", {}),
    (PAD + 'y = Conv <auto_pad="SAME_UPPER"> (a, w)', "auto_pad", {}),
    (PAD + 'y = Conv <auto_pad="VALID", pads=[1,1,1,1]> (a, w)', "auto_pad", {}),
    (PAD + "y = Conv <pads=[-1,0,0,0]> (a, w)", "pads below 0", {}),
    (PAD + f"y = Conv <pads=[{1 << 40},0,0,0]> (a, w)", "pads below 0 or above", {}),
    (PAD + "y = Conv <pads=[1,1]> (a, w)", "another number of pads", {}),
    (PAD + CONV, "the kernel of the node after it is not", open_w("k", 3)),
    (OTHER + CONV, "the kernel of the node after it is not", q(*[0] * 7, 1) | open_w(3, "k")),
    (OTHER + CONV, None, q(0, 0, 0, 1, 0, 0, 0, 0) | open_w("k", 3)),
    (PAD + CONV, "the kernel of the node after it is not known", {"inputs": [port("w")]}),
    (PAD + "y = Conv <kernel_shape=[3]> (a, w)", "the kernel of the node", {}),
    (
        "a = Pad (x, q, zero) " + LINEAR,
        "as long as its kernel; some runtimes",
        IMAGE_8 | q(0, 0, 3, 0, 0, 0, 0, 0),
    ),
    (
        "a = Pad (x, q, zero) " + LINEAR,
        "as long as its kernel; some runtimes",
        IMAGE_8 | q(*[0] * 7, 3),
    ),
    ("a = Pad (x, q, zero) " + LINEAR, None, IMAGE_8 | q(0, 0, 2, 0, 0, 0, 0, 2)),
    ("a = Pad (x, p, low) y = MaxPool <kernel_shape=[3,3], ceil_mode=1> (a)", "ceil_mode", {}),
    (
        "a = Pad (x, p, low) y, i = MaxPool <kernel_shape=[3,3]> (a)",
        "indices",
        {"outputs": ["y", port("i", None, INT64)]},
    ),
    (LOW + MAX, "as long as its kernel", q(0, 0, 3, 0, 0, 0, 0, 0)),
    (
        LOW + "y = MaxPool <kernel_shape=[3,3], pads=[0,0,1,0]> (a)",
        "as long as its kernel",
        q(0, 0, 0, 0, 0, 0, 2, 0),
    ),
    (LOW + TINY.format("2,1"), "smaller than the dilations", q(*ALONG) | {"shape": [1, 2, 1, 6]}),
    (LOW + TINY.format("2,1"), None, q(*ALONG) | {"shape": [1, 2, 2, 6]}),
    (LOW + TINY.format("2,1"), "smaller than the dilations", q(*ALONG) | {"shape": [1, 2, "h", 6]}),
    (LOW + TINY.format("1,9"), None, q(*ALONG) | {"shape": [1, 2, "h", 12]}),
    (LOW + TINY.format("1,1"), "smaller than the dilations", q(*ALONG) | {"shape": [1, 2, 0, 6]}),
    (LOW + TINY.format("1"), "attributes of the node after it", q(*ALONG)),
    (PAD + "y = AveragePool <kernel_shape=[3,3], pads=[1,0,0,0]> (a)", "leaves its pads out", {}),
    (
        "a = Pad <pads=[0,0,1,2,0,0,0,1]> (x) y = AveragePool <kernel_shape=[3,3]> (a)",
        "leaves its pads out",
        {"opset": 6},
    ),
    (PAD + LINEAR, "the zero point", IMAGE_8),
    (
        "a = Pad (x, p, null) y = ConvInteger (a, w8, zero)",
        "the zero point",
        INT_8 | {"constants": {"zero": np.zeros(2, I8)}},
    ),
    (
        PAD + "y = ConvInteger (a, w8, zero)",
        "the zero point",
        INT_8 | {"inputs": [port("zero", [], 3)]},
    ),
    (
        PAD + "y = ConvInteger (a, w8, zero)",
        "the zero point",
        INT_8 | {"inputs": [port("zero", [], 3)], "constants": {"zero": I8(0)}},
    ),
    (
        PAD + "y = ConvInteger (a, w8, zero)",
        "the zero point",
        INT_8 | {"constants": {"zero": np.zeros(65, I8)}},
    ),
    (OTHER + CONV, "no images", q(0, 1, 0, 0) | {"shape": (3, 4)}),
    (PAD + CONV, "the rank of its data is not known", {"shape": None}),
    (
        OTHER + CONV,
        "ort-1.31 is not known to run Conv",
        q(*[0, 0, 0, 0, 1, 1] * 2, w=weights(1, 1, 2, 2)) | {"shape": (1, 2, 3, 3, 3, 3)},
    ),
    (
        "a = Pad (x, p, v) " + MAX,
        "ort-1.31 is not known to run MaxPool",
        {"kind": I32, "constants": {"v": I32(0)}},
    ),
    ('a = Pad <mode="wrap"> (x, p) ' + CONV, "the specification does not allow the node", {}),
]


@pytest.mark.parametrize("text, why, more", STAYS)
def test_what_stays(folder, text, why, more):
    content = model(text, **more)
    folded, said = fold(folder, content, words=["--partial"])
    node = said["pad"]
    if why is None:
        assert node["outcome"] == "folded"
        return
    assert node["outcome"] != "folded" and node["into"] is None
    assert why in node["not_folded"]
    if node["outcome"] == "kept":
        assert folded == content


def test_a_target_that_gets_such_a_conv_wrong(folder):
    content = model("a = Pad (x, p, zero) " + LINEAR, **IMAGE_8)
    for target, said_of in (
        ("opencv-5.0", "opencv-5.0 is not known to run QLinearConv"),
        ("tensorrt", "tensorrt"),
    ):
        _, said = fold(folder, content, f"ort-1.31,{target}", ["--partial"])
        assert said["pad"]["not_folded"].startswith(said_of)
    _, said = fold(folder, content, "ort-1.28")  # between two that were run
    assert said["pad"]["outcome"] == "folded"


def test_with_the_shape_of_an_input(folder):
    """Amounts that follow from a shape are known with it; then OUT has it. Else OUT stays open."""
    half = """s = Shape <start=2, end=3> (x) h = Div (s, two)
        r = Concat <axis=0> (twice, h, zero_1, twice, h, zero_1) a = Pad (x, r) """
    lists = {"two": [2], "twice": [0, 0], "zero_1": [0]}
    for text, shape in (half, [1, 2, 5, 6]), (PAD, [1, 2, "h", "w"]):
        content = model(text + CONV, lists, shape=(1, 2, "h", "w"))
        if text == half:
            said = fold(folder, content, words=["--partial"])[1]
            assert "known only when" in said["pad"]["not_folded"]
        folded, said = fold(folder, content, words=["--input-shape=x=1,2,5,6"])
        assert said["pad"]["outcome"] == "folded" and "Pad" not in operators(folded)
        dims = onnx.load_from_string(folded).graph.input[0].type.tensor_type.shape.dim
        assert [dim.dim_value or dim.dim_param for dim in dims] == shape
        same(content, folded)


# ---- Several Pads --------------------------------------------------------------------------------

Q = q(0, 1, 0, 2, 0, 0, 3, 0)
FIVE = {"v": np.float32(5), "u": np.float32(5), "t": np.float32(6)}
V_IN = {"inputs": [port("v", [])]}


def two(first="a = Pad (x, p)", second="b = Pad {} (a, q{})", words="", value=""):
    """A Pad after a Pad."""
    return f"{first} [next] {second.format(words, value)} y = Relu (b)"


def with_values(constants, **more):
    return {"constants": Q["constants"] | constants, **more}


EDGE, REFLECT = 'a = Pad <mode="edge"> (x, p)', 'a = Pad <mode="reflect"> (x, p)'
TOGETHER = [
    (two(), Q),
    (two("a = Pad (x, p, v)", value=", u"), with_values(FIVE)),
    (two("a = Pad (x, p, v)", value=", v"), Q | V_IN),
    (two(EDGE, words='<mode="edge">'), Q),
    (two(REFLECT, words='<mode="reflect">'), q(0, 2, 0, 0, 0, 1, 0, 0) | {"shape": (1, 3, 5, 6)}),
    ('a = Pad (x, none) [next] b = Pad <mode="reflect"> (a, p) y = Relu (b)', {}),
]
APART = [
    (two("a = Pad (x, p, v)", value=", t"), "another value", with_values(FIVE)),
    (
        two("a = Pad (x, p, v)", value=", s"),
        "another value",
        with_values({"s": np.float32(0)}) | V_IN,
    ),
    (two(EDGE), "another mode", Q),
    (two(REFLECT, words='<mode="reflect">'), "the same axis", Q | {"shape": (1, 3, 5, 6)}),
    (two(), "the Pad after it has amounts below 0", q(0, 0, -1, 1, 0, 0, 1, 1)),
    (two(), "not everything is known", {"inputs": [port("q", [8], INT64)]}),
    (two(EDGE, words='<mode="wrap">'), "not everything is known", Q),
    (two(REFLECT, words='<mode="reflect">'), "the same axis", q(*[0] * 7, 1)),
]


@pytest.mark.parametrize("text, more", TOGETHER)
def test_two_become_one(folder, text, more):
    content = model(text, **more)
    folded, said = fold(folder, content)
    assert [said["pad"]["outcome"], said["pad"]["into"]] == ["folded", "Pad next"]
    assert [said["next"][key] for key in ("outcome", "operators", "target")] == [
        "rewritten",
        "Pad",
        None,
    ]
    (pad,) = [node for node in nodes_of(folded) if node.op_type == "Pad"]
    assert (pad.name, pad.input[0]) == ("next", "x")
    x = np.random.default_rng(1).integers(-4, 5, more.get("shape", X.shape)).astype(np.float32)
    same(content, folded, x=x, **({"v": np.array(7, np.float32)} if "inputs" in more else {}))


@pytest.mark.parametrize("text, why, more", APART)
def test_two_stay_apart(folder, text, why, more):
    _, said = fold(folder, model(text, **more), words=["--partial"])
    assert said["pad"]["outcome"] == "kept" and why in said["pad"]["not_folded"]


def test_chains(folder):
    """Three become one; some become pads of a Conv, also beyond one of nothing in another mode."""
    content = model("a = Pad (x, p) [next] b = Pad (a, q) [last] c = Pad (b, q) y = Relu (c)", **Q)
    folded, said = fold(folder, content)
    assert {name: one["into"] for name, one in said.items()} == {
        "pad": "Pad last",
        "next": "Pad last",
        "last": None,
    }
    same(content, folded)
    chain = """a = Pad (x, p) [no] b = Pad <mode="edge"> (a, none) [next] c = Pad (b, q)
        y = Conv <pads=[1,1,1,1]> (c, w)"""
    content = model(chain, **q(0, 0, 2, 0, 0, 0, 0, 3))
    folded, said = fold(folder, content)
    assert {name: one["into"] for name, one in said.items()} == {
        "pad": "Conv conv",
        "no": "",
        "next": "Conv conv",
    }
    (conv,) = nodes_of(folded)
    assert attributes(conv)["pads"] == [4, 3, 1, 5] and conv.input[0] == "x"
    same(content, folded)


BEFORE = {
    "r": [0, 0, 1, 0, 0, 0, 0, 0],
    "s": [0, 0, 0, 1, 0, 0, 0, 0],
    "cut": [0, 0, -1, 0, 0, 0, 0, 0],
}
BEFORE["wide"] = [0, 0, 0, 2, 0, 0, 0, 0]


@pytest.mark.parametrize(
    "first",
    [
        "[first] a = Pad (x, wide, low)",
        "[first] a = Pad (x, cut, low)",
        "[first] z = Pad (x, wide, low) [no] a = Pad (z, none)",
        "[first] a = Pad (x, open, low)",
        "[first] a = Pad (x, r, low) u = Abs (a)",
        '[first] z = Pad (x, wide, low) [edge] a = Pad <mode="edge"> (z, r)',
    ],
)
def test_one_that_does_not_fit_keeps_those_behind(folder, first):
    """A MaxPool that takes -inf in from a Pad has windows of nothing but that."""
    text = first + " b = Pad (a, s, low) y = MaxPool <kernel_shape=[3,3]> (b)"
    _, said = fold(folder, model(text, BEFORE, [port("open", [8], INT64)]), words=["--partial"])
    assert "another Pad before it" in said["pad"]["not_folded"]


def test_a_pad_before_a_pool_of_few_cells(folder):
    text = """[first] a = Pad (x, r, low) b = Pad (a, r, low)
        y = MaxPool <kernel_shape=[3,1], dilations=[2,1]> (b)"""
    content = model(text, {"r": ALONG}, shape=(1, 2, 1, 6))
    assert "another Pad before it" in fold(folder, content)[1]["pad"]["not_folded"]
    text = """[first] z = Pad (x, s, low) [no] a = Pad <mode="edge"> (z, none) b = Pad (a, r, low)
        y = MaxPool <kernel_shape=[3,3]> (b)"""
    content = model(text, BEFORE)
    folded, said = fold(folder, content)
    assert [said["first"]["into"], said["pad"]["into"]] == ["MaxPool pool", "MaxPool pool"]
    same(content, folded)


def test_amounts_that_callers_replace(folder):
    """An initializer that is an input, too, is a default, but not in files before IR version 4."""
    p_in, p = [port("p", [8], INT64)], CONSTANTS["p"]
    four = {"axes": [2, 3], "s": [1, 1, 1, 1]}
    of_pads = model(PAD + CONV, {"p": p}, p_in)
    for content, name in (
        (of_pads, "pad"),
        (model("a = Pad (x, s, , axes) " + CONV, four, [port("axes", [2], INT64)]), "pad"),
        (model("[first] a = Pad (x, none) b = Pad (a, p) y = Relu (b)", {"p": p}, p_in), "first"),
    ):
        folded, said = fold(folder, content)
        assert "are an input" in said[name]["not_folded"] and folded == content
    text = "[first] a = Pad (x, s, low) b = Pad (a, r, low) y = MaxPool <kernel_shape=[3,3]> (b)"
    content = model(text, BEFORE, [port("s", [8], INT64)])
    assert "another Pad before it" in fold(folder, content)[1]["pad"]["not_folded"]
    old = onnx.load_from_string(of_pads)
    old.ir_version = 3
    assert fold(folder, old.SerializeToString())[1]["pad"]["outcome"] == "folded"


# ---- Pads of nothing -----------------------------------------------------------------------------

NOTHING = "a = Pad (x, none) "


def test_a_pad_of_nothing_goes(folder):
    """Its readers read its data, in graphs inside, too; the amounts go with it."""
    text = """n = Constant <value_ints=[0,0,0,0,0,0,0,0]> ()
        a = Pad <mode="reflect"> (x, n) z = Add (a, a) y = """
    content = model(text + IN.format("b = Abs (a)", "b = Abs (a)"), inputs=[C], outputs="yz")
    folded, said = fold(folder, content)
    assert [said["pad"]["outcome"], said["pad"]["into"]] == ["folded", ""]
    assert operators(folded) == ["Add", "If"]
    same(content, folded, c=np.array(True))


@pytest.mark.parametrize(
    "text, why, outputs",
    [
        ("y = Pad (x, none)", "an output of the graph", "y"),
        (NOTHING + "y = Abs (x)", "nothing reads", "y"),
        (
            NOTHING + "[next] b = Pad (a, p) z = Add (a, a) y = Relu (b)",
            "a Pad among several nodes",
            "yz",
        ),
        (
            NOTHING
            + "y = "
            + IN.format("x = Abs (a) b = Add (x, a)", "x = Abs (a) b = Add (x, a)"),
            "another value with the name",
            "y",
        ),
    ],
)
def test_pads_of_nothing_that_stay(folder, text, why, outputs):
    _, said = fold(folder, model(text, inputs=[C] if " (c)" in text else [], outputs=outputs))
    assert why in said["pad"]["not_folded"]


def test_a_name_that_means_another_value_inside(folder):
    """A body has an x of its own, so what it reads cannot become x; here after a Pad that goes."""
    text = """a = Pad (x, none) [next] b = Pad (a, none) z = Abs (x)
        y = Loop <body = l (int64 i, bool going, float[1,2,5,6] x) => (bool on, float[1,2,5,6] c) {
            on = Identity (going) c = Add (x, b) }> (turns, , z)"""
    content = model(text, {"turns": np.int64(2)})
    folded, said = fold(folder, content)
    assert [said["pad"]["outcome"], said["next"]["outcome"]] == ["kept", "folded"]
    assert "another value with the name" in said["pad"]["not_folded"]
    for one, other in zip(answers(content, {"x": X}), answers(folded, {"x": X}), strict=True):
        np.testing.assert_array_equal(other, one)


def test_a_pad_of_nothing_before_two_pads_that_become_one(folder):
    """It is what stands before the Pad that is written, which is judged by that: it stays."""
    text = NOTHING + "[first] b = Pad (a, p) [second] c = Pad (b, p) y = Relu (c) z = Abs (a)"
    content = model(text, outputs="yz")
    folded, said = fold(folder, content)
    assert [said[name]["into"] for name in ("pad", "first")] == [None, "Pad second"]
    assert "a Pad among several nodes" in said["pad"]["not_folded"]
    same(content, folded)


@pytest.mark.parametrize("amounts", ["p", "none"])
@pytest.mark.parametrize("nodes, returned", [("", "a"), ("r = Relu (a)", "ra")])
@pytest.mark.parametrize("deep", [False, True])
def test_a_branch_that_returns_what_a_pad_outside_makes(folder, amounts, nodes, returned, deep):
    """ONNX forbids it, and OpenVINO runs it: the Pad stays, also where the branch reads it, too."""
    branch = graph(parsed(nodes), [], [port(name, [None] * 4) for name in returned])
    ends = list("yt"[: len(returned)])
    choice = oh.make_node("If", ["c"], ends, then_branch=branch, else_branch=branch)
    if deep:
        outer = graph([choice], [], [port(name, [None] * 4) for name in ends])
        choice = oh.make_node("If", ["c"], ends, then_branch=outer, else_branch=outer)
    content = onnx.load_from_string(
        model(f"a = Pad (x, {amounts}) z = Conv (a, w)", inputs=[C], outputs=[*ends, "z"])
    )
    content.graph.node.append(choice)
    content = content.SerializeToString()
    folded, said = fold(folder, content, "openvino-2026.4", ["--partial"])
    assert "an output of the graph" in said["pad"]["not_folded"]
    assert folded == content


@pytest.mark.parametrize("name", ["lost", ""])
def test_a_branch_that_returns_what_nothing_makes(folder, name):
    """A bad model is no reason to stop: the names mean nothing outside."""
    branch = graph([], [], [port(name, X.shape)])
    content = onnx.load_from_string(model(PAD + CONV, inputs=[C], outputs="yz"))
    content.graph.node.append(
        oh.make_node("If", ["c"], ["z"], then_branch=branch, else_branch=branch)
    )
    assert fold(folder, content.SerializeToString())[1]["pad"]["outcome"] == "folded"


# ---- Where Pads stand, and what becomes of the rest ----------------------------------------------

MY = {"imports": [oh.make_opsetid("my", 1)]}
INSIDE = "p = Constant <value_ints=[0,0,1,2,0,0,0,1]> () a = Pad (x, p) b = Conv (a, w) "


def function(nodes, attributes=()):
    return oh.make_function(
        "my", "F", ["x", "w"], ["y"], nodes, [oh.make_opsetid("", 18)], list(attributes)
    )


def test_inside_a_body_and_a_function(folder):
    inner = PAD + "b = Conv (a, w)"
    text = "z = my.F (x, w) y = " + IN.format(inner, inner)
    made = function(parsed(INSIDE + "y = Identity (b)"))
    content = model(text, inputs=[C], outputs="yz", functions=[made], **MY)
    (folder / "m.onnx").write_bytes(content)
    done = folder.run("lower", "m.onnx", "out.onnx", "--fold", "--json", "--target", TARGET)
    said = json.loads(done.stdout)
    assert [said["folded"], said["kept"]] == [3, 0]
    folded = (folder / "out.onnx").read_bytes()
    inside = onnx.load_from_string(folded).functions[0].node
    assert not any(node.op_type in ("Pad", "Constant") for node in inside)
    for c in True, False:
        same(content, folded, c=np.array(c))


def test_all_else_stays(folder):
    """Only the Pad, its Constant, and the input and pads of the Conv are other bytes."""
    content = model(
        """r = Constant <value_ints=[0,0,1,2,0,0,0,1]> () a = Pad (x, r)
        y = Conv <pads=[1,0,0,2], group=1> (a, w)"""
    )
    folded, _ = fold(folder, content)
    old, new = onnx.load_from_string(content), onnx.load_from_string(folded)
    node = old.graph.node[2]
    node.input[0] = "x"
    node.attribute.remove(next(one for one in node.attribute if one.name == "pads"))
    node.attribute.insert(0, oh.make_attribute("pads", [2, 2, 0, 3]))
    del old.graph.node[:2]
    assert old.SerializeToString(deterministic=True) == new.SerializeToString(deterministic=True)


def test_a_rewritten_pad_behind_one_of_nothing(folder):
    """The rewrite reads what the Pad of nothing read: also as its value."""
    text = "[value] u = Pad (v, empty) a = Pad (x, q, u) y = Relu (a)"
    content = model(text, **q(0, 0, 1, 0, 0, 0, 0, 0, empty=[]), **V_IN)
    folded, said = fold(folder, content, "tract-0.23", ["--partial"])
    assert said["value"]["outcome"] == "folded"
    assert not any("u" in node.input for node in nodes_of(folded))
    wanted = np.maximum(np.pad(X, [(0, 0), (0, 0), (1, 0), (0, 0)], constant_values=2), 0)
    np.testing.assert_array_equal(
        answers(folded, {"x": X, "v": np.array(2, np.float32)})[0], wanted
    )


AVERAGE = "AveragePool <kernel_shape=[3,3]{}> (b)"


def test_a_pad_that_stays_is_judged_by_what_is_behind_it_now(folder):
    """ONNX Runtime 1.31 cannot load it before a pool, and loads it before a Pad of nothing."""
    wide = q(0, 0, 3, 0, 0, 0, 0, 0)
    content = model(
        OTHER + '[no] b = Pad <mode="edge"> (a, none) y = ' + AVERAGE.format(""), **wide
    )
    folded, said = fold(folder, content)
    assert said["pad"]["code"] == "TP122" and said["pad"]["outcome"] == "rewritten"
    same(content, folded)
    content = model(
        OTHER + "[next] b = Pad (a, p) y = " + AVERAGE.format(", count_include_pad=1"), **wide
    )
    folded, said = fold(folder, content)
    assert said["next"]["outcome"] == "folded" and said["pad"]["code"] == "TP122"
    same(content, folded)


def test_two_that_would_be_too_wide_for_a_pool(folder):
    """ONNX Runtime 1.31 gives both to the pool and does not load it; axes keep their sum out."""
    text = PAD + "[next] b = Pad (a, q) y = " + AVERAGE.format(", ceil_mode=1")
    content = model(text, **q(0, 0, 2, 0, 0, 0, 0, 0))
    folded, said = fold(folder, content)
    assert [said["pad"]["into"], said["next"]["operators"]] == ["Pad next", "Pad"]
    assert len(nodes_of(folded, "next")[0].input) == 4
    same(content, folded)
    _, said = fold(folder, model(text, **q(0, 0, 2, 0, 0, 0, 0, 0), opset=17))  # no axes there
    assert [said["pad"]["outcome"], said["next"]["outcome"]] == ["rewritten", "kept"]
    assert (
        said["pad"]["not_folded"]
        == "a target is not known to run one Pad in place of the two correctly"
    )


def test_a_pad_that_stays_before_several_readers(folder):
    content = model(EDGE + " [no] b = Pad (a, none) y = Relu (b) z = Abs (b)", outputs="yz")
    folded, said = fold(folder, content)
    assert [said["pad"]["outcome"], said["no"]["outcome"]] == ["kept", "folded"]
    same(content, folded)


def test_nodes_in_another_order(folder):
    """No model has it, but a file may."""
    text = "y = Conv (b, w) [next] b = Pad (a, q) a = Pad (x, p)"
    _, said = fold(folder, model(text, **q(0, 0, 1, 0, 0, 0, 0, 0)), words=["--partial"])
    assert said["next"]["not_folded"] == "its data is made after it"
    assert said["pad"]["not_folded"] == "its reader comes before it"


@pytest.mark.parametrize(
    "calls, why",
    [("y = my.F <pads=[1,1,1,1]> (x, w)", None), ("z = my.F <pads=[0,0,0,0]> (x, w)", "not known")],
)
def test_attributes_that_a_caller_gives(folder, calls, why):
    """Of a function that is called twice in different ways, they are not known."""
    nodes = parsed(INSIDE.replace("b =", "y ="))
    nodes[-1].attribute.append(
        onnx.AttributeProto(name="pads", ref_attr_name="pads", type=onnx.AttributeProto.INTS)
    )
    text = calls if why is None else "y = my.F <pads=[1,1,1,1]> (x, w) " + calls
    content = model(
        text, outputs="y" if why is None else "yz", functions=[function(nodes, ["pads"])], **MY
    )
    folded, said = fold(folder, content)
    expected = why and f"attributes of the node after it are {why}"
    assert said["pad"]["not_folded"] == expected
    same(content, folded)


# ---- Words ---------------------------------------------------------------------------------------


def test_the_report(folder):
    """A line for each Pad that is folded, and for each that is not, with the reason."""
    text = """[nothing] z = Pad (x, none) a = Pad (z, p) y = Conv (a, w)
        [edge] b = Pad <mode="edge"> (y, p) [more] c = Pad <mode="edge"> (b, p) r = Relu (c)"""
    (folder / "m.onnx").write_bytes(model(text, outputs="r"))
    done = folder.run("lower", "m.onnx", "out.onnx", "--fold", "--target", TARGET)
    assert done.stdout.decode().splitlines() == [
        "nothing: adds nothing, and is left out",
        "pad: now part of Conv conv",
        "edge: now part of Pad more",
        "more: takes in a Pad before it, now Pad",
        "more: not folded: only mode constant can be pads of another node",
        "4 Pad nodes: 3 folded, 0 kept, 1 rewritten, 0 cannot be lowered; out.onnx is written",
    ]
    (folder / "m.onnx").write_bytes(model(PAD + "y = Relu (a)"))
    done = folder.run("lower", "m.onnx", "out.onnx", "-f", "--fold", "--target", TARGET)
    assert done.stdout.decode().splitlines() == [
        "pad: not folded: the node after it is not a Conv, pool or Pad",
        "1 Pad node: 0 folded, 1 kept, 0 rewritten, 0 cannot be lowered; out.onnx is a copy",
    ]


def test_without_the_option_nothing_is_folded(folder):
    content = model(PAD + CONV)
    (folder / "m.onnx").write_bytes(content)
    done = folder.run("lower", "m.onnx", "out.onnx", "--json", "--target", TARGET)
    said = json.loads(done.stdout)
    assert (folder / "out.onnx").read_bytes() == content and said["folded"] == 0
    assert said["nodes"][0]["into"] is said["nodes"][0]["not_folded"] is None
