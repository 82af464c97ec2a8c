"""What follows of amounts that a model computes from open extents: signs, bounds, equal sizes.

Expected values are those of Python's integers for many extents; `check` must not say more than they do.

SPDX-License-Identifier: MIT
"""

import json
import math
import random

import numpy as np
import onnx
import onnx.helper as oh
import onnx.numpy_helper as nh
import onnxruntime
import openvino
import pytest
from harness import fail, succeed
from onnx_models import FLOAT, INT64, ints, model, pad_node, port

EXTENTS = range(1, 70)


class Size:
    """A number that nodes compute from the extents h and w, and the same in Python."""

    count = 0

    def __init__(self, nodes, name, of):
        self.nodes, self.name, self.of = nodes, name, of

    def then(self, op, *others, of, **attributes):
        """The result of a node; others: sizes or constants."""
        Size.count += 1
        nodes, names = list(self.nodes), [self.name]
        for other in others:
            if isinstance(other, Size):
                nodes += [node for node in other.nodes if node not in nodes]
                names.append(other.name)
                continue
            names.append(f"c{Size.count}_{len(names)}")
            tensor = nh.from_array(
                np.array(other, np.float32 if isinstance(other, float) else np.int64)
            )
            nodes.append(oh.make_node("Constant", [], [names[-1]], value=tensor))
        name = f"s{Size.count}"
        nodes.append(oh.make_node(op, names, [name], **attributes))
        numbers = [
            other.of if isinstance(other, Size) else lambda h, w, n=other: n for other in others
        ]
        return Size(nodes, name, lambda h, w: of(self.of(h, w), *(n(h, w) for n in numbers)))

    def __add__(self, other):
        return self.then("Add", other, of=lambda a, b: a + b)

    def __sub__(self, other):
        return self.then("Sub", other, of=lambda a, b: a - b)

    def __mul__(self, other):
        return self.then("Mul", other, of=lambda a, b: a * b)

    def __floordiv__(self, other):
        return self.then("Div", other, of=lambda a, b: int(a / b))  # ONNX rounds towards zero

    def __mod__(self, other):
        return self.then("Mod", other, of=lambda a, b: a % b)

    def __neg__(self):
        return self.then("Neg", of=lambda a: -a)

    def __abs__(self):
        return self.then("Abs", of=abs)

    def least(self, other):
        return self.then("Min", other, of=min)

    def most(self, other):
        return self.then("Max", other, of=max)

    def clip(self, low, high):
        return self.then("Clip", low, high, of=lambda a, b, c: min(max(a, b), c))

    def ceil_of(self, by):
        real = self.then("Cast", of=float, to=FLOAT).then("Div", float(by), of=lambda a, b: a / b)
        return real.then("Ceil", of=math.ceil).then("Cast", of=int, to=INT64)

    def floor_of(self, by):
        real = self.then("Cast", of=float, to=FLOAT).then("Mul", 1 / by, of=lambda a, b: a * b)
        return real.then("Floor", of=math.floor).then("Cast", of=int, to=INT64)

    def where_less(self, bound, yes, no):
        less = self.then("Less", bound, of=lambda a, b: a < b)
        return less.then("Where", yes, no, of=lambda c, a, b: a if c else b)

    def as_int32(self):
        return self.then("Cast", of=int, to=onnx.TensorProto.INT32)

    def as_int64(self):
        return self.then("Cast", of=int, to=INT64)


def extent(axis):
    nodes = [
        oh.make_node("Shape", ["x"], ["shape"]),
        oh.make_node("Constant", [], [f"at{axis}"], value=nh.from_array(np.array(axis))),
        oh.make_node("Gather", ["shape", f"at{axis}"], [f"e{axis}"]),
    ]
    return Size(nodes, f"e{axis}", lambda h, w: (h, w)[axis - 2])


H, W = extent(2), extent(3)


def padded(begin, end, mode="constant"):
    """A model that pads the rows of x by two sizes, or None for 0."""
    nodes, rows = [], ["none"]
    for size in (begin, end):
        more = (
            [*size.nodes, oh.make_node("Reshape", [size.name, "row"], [f"{size.name}_row"])]
            if size
            else []
        )
        nodes += [node for node in more if node not in nodes]
        rows += [f"{size.name}_row" if size else "none_1", "none_1", "none"]
    nodes.append(oh.make_node("Concat", rows[:-1], ["pads"], axis=0))
    nodes.append(pad_node(["x", "pads"], "y", "pad", mode=mode))
    constants = [ints("row", [-1]), ints("none", [0, 0]), ints("none_1", [0])]
    return model(nodes, [port("x", ["n", 3, "h", "w"])], [port("y")], constants, opset=18)


def verdicts(folder, models, target, *words):
    for at, made in enumerate(models):
        (folder / f"{at:04}.onnx").write_bytes(made)
    words = ["--format", "json", f"--target={target}", "--fail-on=crashes", *words, folder]
    found = json.loads(succeed("check", *words).stdout)["models"]
    assert len(found) == len(models)
    return [entry["nodes"][0]["verdicts"][0]["verdict"] for entry in found]


NEVER_BELOW = {
    "h - 2 * (h / 2)": H - (H // 2) * 2,
    "(8 - h % 8) % 8": (-(H % 8) + 8) % 8,
    "-h % 8": -H % 8,
    "max(9 - h, 0)": (-H + 9).most(0),
    "ceil(h / 8.0) * 8 - h": H.ceil_of(8) * 8 - H,
    "ceil(h / 3.0) * 3 - h": H.ceil_of(3) * 3 - H,
    "(h + 7) / 8 * 8 - h": (H + 7) // 8 * 8 - H,
    "h - floor(h * 0.25) * 4": H - H.floor_of(4) * 4,
    "a convolution of stride 2, kernel 3": (H.ceil_of(2) - 1) * 2 + 3 - H,
    "clip(9 - h, 0, 5)": (-H + 9).clip(0, 5),
    "h < 9 ? 3 : 0": H.where_less(9, 3, 0),
    "h < 1 ? -3 : 0": H.where_less(1, -3, 0),
    "max(h, w) - h": H.most(W) - H,
    "h - min(h, w)": H - H.least(W),
    "abs(h - w)": abs(H - W),
    "h / 2 - h / 4 - h / 4": H // 2 - H // 4 - H // 4,
    "d - d / 2": (-H % 8) - (-H % 8) // 2,
    "h % w": H % W,
    "int((h - 10) / 4.0) + 2": (H - 10)
    .then("Cast", of=float, to=FLOAT)
    .then("Div", 4.0, of=lambda a, b: a / b)
    .then("Cast", of=int, to=INT64)
    + 2,
    "int32": H.as_int32().then("Mod", W.as_int32(), of=lambda a, b: a % b).as_int64(),
}
NOT_ALWAYS = {
    "9 - h": -H + 9,
    "h - w": H - W,
    "h / 2 - h / 4 * 2 - 1": H // 2 - H // 4 * 2 - 1,
    "a convolution of stride 2, kernel 1": (H.ceil_of(2) - 1) * 2 + 1 - H,
    "min(h - 2, w)": (H - 2).least(W),
    "clip(h - 9, -1, 5)": (H - 9).clip(-1, 5),
    "h - floor(h * 0.25) * 5": H - H.floor_of(4) * 5,
    "h < 9 ? -1 : 0": H.where_less(9, -1, 0),
    "(h - 9) / 4": (H - 9) // 4,
    "-(h % w)": -(H % W),
    "(h / 2 + 1) / 3 * 6 - h + 2": (H // 2 + 1) // 3 * 6 - H + 2,
    "fmod(h - 9, 4)": (H - 9).then("Mod", 4, of=lambda a, b: int(math.fmod(a, b)), fmod=1),
    "(h - 9) / -2": (H - 9) // -2,
    "min(h, 3) < 3 ? 0 : -1": H.least(3).where_less(3, 0, -1),
    "1 - min(h, 10) / 4": -(H.least(10) // 4) + 1,
}
CUT = "onnx-reference"  # it is right but where something is cut


@pytest.mark.parametrize("title", NEVER_BELOW)
def test_amounts_that_are_never_below_zero(tmp_path, title):
    size = NEVER_BELOW[title]
    assert min(size.of(h, w) for h in EXTENTS for w in EXTENTS) >= 0
    models = [padded(size, None), padded(None, size), padded(size, size)]
    ops = [node.op_type for node in size.nodes]
    for target in "ort-1.17", "openvino", *([] if "Abs" in ops else ["opencv-5.0"]), CUT:
        assert verdicts(tmp_path, models, target) == ["same"] * 3, target


@pytest.mark.parametrize("title", NOT_ALWAYS)
def test_amounts_that_may_cut(tmp_path, title):
    size = NOT_ALWAYS[title]
    assert min(size.of(h, w) for h in EXTENTS for w in EXTENTS) < 0
    assert verdicts(tmp_path, [padded(size, None), padded(None, size)], CUT) == ["unknown"] * 2


def test_amounts_of_irs(tmp_path):
    """The same models as OpenVINO writes them."""
    expected = {}
    for at, (title, size) in enumerate({**NEVER_BELOW, **NOT_ALWAYS, "net": None}.items()):
        made = padded(size, None) if size else unet(3, 3, "constant")
        (tmp_path / "m.onnx").write_bytes(made)
        model = openvino.convert_model(tmp_path / "m.onnx")
        openvino.save_model(model, tmp_path / f"{at:02}.xml", compress_to_fp16=False)
        # It multiplies by a third, which is no number of float32.
        right = title not in NOT_ALWAYS and "/ 3.0" not in title
        expected[str(tmp_path / f"{at:02}.xml")] = {"same" if right else "unknown"}
    (tmp_path / "m.onnx").unlink()
    words = ["--format", "json", "--target=openvino", "--fail-on=crashes", tmp_path]
    found = json.loads(succeed("check", *words).stdout)["models"]
    assert {
        entry["path"]: {node["verdicts"][0]["verdict"] for node in entry["nodes"]}
        for entry in found
    } == expected


@pytest.mark.parametrize(
    "size, words, expected",
    [
        (H - 1, [], "same"),
        (H, [], "unknown"),
        (-H % 8, [], "unknown"),
        (-H % 8, ["--assume", "h>=8"], "same"),
        (-H % 8, ["--assume", "h>=7"], "unknown"),
        (H // 2, [], "same"),
        ((H - 1).least(5), [], "same"),
        (H - H + 3, ["--assume", "h>=4"], "same"),
        (H.least(W) - 1, [], "same"),
    ],
)
def test_reflections_that_reach_no_further_than_the_data(tmp_path, size, words, expected):
    least = int(words[1][3:]) if words else 1
    if expected == "same":
        assert all(size.of(h, w) < h for h in EXTENTS for w in EXTENTS if h >= least)
    for target in "ort-1.31", "openvino-2024.6":
        found = verdicts(tmp_path, [padded(size, None, "reflect")], target, *words)
        assert found == [expected], target


def test_bounds_are_named_as_options_take_them(tmp_path):
    (tmp_path / "m.onnx").write_bytes(padded(-H % 8, None, "reflect"))
    words = ["check", tmp_path / "m.onnx", "--target", "ort-1.31", "--fail-on", "crashes"]
    said = succeed(*words).stdout
    assert b"axis 2 has at least 8 cells: --assume 'h>=8'" in said
    assert b" 1 same" in succeed(*words, "--assume", "h>=8").stdout
    pool = oh.make_node(
        "MaxPool", ["x"], ["z"], kernel_shape=[2, 2], strides=[2, 2], pads=[1, 0, 0, 0]
    )
    nodes = [pool, pad_node(["z", "p"], "y", "pad", mode="reflect")]
    constants = [ints("p", [0, 0, 9, 2, 0, 0, 0, 0])]
    (tmp_path / "m.onnx").write_bytes(
        model(nodes, [port("x", ["n", 3, "h", "w"])], [port("y")], constants, opset=18)
    )
    assert b"--assume 'h>=19' --assume 'w>=6'" in succeed(*words).stdout
    assert b" 1 same" in succeed(*words, "--assume", "h>=19", "--assume", "w>=6").stdout
    assert b" 1 unknown" in succeed(*words, "--assume", "h>=18", "--assume", "w>=6").stdout


def test_amounts_that_are_promised(tmp_path):
    size = H - W
    (tmp_path / "m.onnx").write_bytes(padded(size, None))
    words = ["check", tmp_path / "m.onnx", "--target", CUT, "--fail-on", "crashes"]
    assert b" 1 unknown" in succeed(*words).stdout
    assert b" 1 same" in succeed(*words, "--assume", "pad.pads>=0").stdout
    fail(3, *words, "--assume", "pad.pads>=1", prints=True, says=["only >=0 can be promised"])
    fail(3, *words, "--assume", "pod.pads>=0", prints=True, says=["'pod.pads'"])


def test_the_way_to_mend_repeats_the_options(tmp_path):
    (tmp_path / "m.onnx").write_bytes(padded(-H % 8, None, "reflect"))
    given = ["--dim", "w=3", "--assume", "h>=8", "--input-shape", "x=1,3,9,3"]
    said = succeed(
        "check", tmp_path / "m.onnx", "--target", "opencv-4.14", "--fail-on", "crashes", *given
    )
    assert (
        b"--target opencv-4.14 --dim 'w=3' --assume 'h>=8' --input-shape 'x=1,3,9,3'" in said.stdout
    )


def random_size(draw, depth=0):
    if depth == 4 or draw.random() < 0.15:
        return draw.choice([H, W])
    a, k = random_size(draw, depth + 1), draw.randint(1, 9)
    return draw.choice(
        [
            lambda: a + draw.randint(-9, 9),
            lambda: a * draw.randint(-3, 3),
            lambda: a // k,
            lambda: a % k,
            lambda: -a,
            lambda: abs(a),
            lambda: a.most(draw.randint(-9, 9)),
            lambda: a.least(draw.randint(-9, 9)),
            lambda: a.clip(draw.randint(-9, 0), draw.randint(0, 9)),
            lambda: a - a // k,
            lambda: a - a // k * k,
            lambda: a.ceil_of(k),
            lambda: a.floor_of(2 ** draw.randint(0, 3)),
            lambda: a.where_less(draw.randint(-9, 9), random_size(draw, depth + 1), k),
            lambda: a + random_size(draw, depth + 1),
            lambda: a - random_size(draw, depth + 1),
            lambda: a.most(random_size(draw, depth + 1)),
        ]
    )()


def test_random_sizes(tmp_path):
    """Nothing is called right that cuts, and most of what never cuts is called right."""
    draw = random.Random(20261129)
    sizes = [random_size(draw) for _ in range(300)]
    below = [min(size.of(h, w) for h in EXTENTS for w in EXTENTS) < 0 for size in sizes]
    found = verdicts(tmp_path, [padded(size, None) for size in sizes], CUT)
    for size, cuts, verdict in zip(sizes, below, found, strict=True):
        assert not (cuts and verdict == "same"), [node.op_type for node in size.nodes]
    right = sum(verdict == "same" for verdict in found)
    assert right > 0.85 * below.count(False), (right, below.count(False))


ONES = {
    "k3": np.ones([3, 3, 3, 3], np.float32),
    "k2": np.ones([3, 3, 2, 2], np.float32),
    "scales": np.float32([1, 1, 2, 2]),
    "wide": np.int64([0, 0, 1, 0, 0, 0, 2, 0]),
    "axis": np.int64([0]),
    "nothing": np.float32([]),
}
LAYERS = {
    "Conv": (
        oh.make_node("Conv", ["x", "k3"], ["z"], strides=[2, 2], pads=[1] * 4),
        (H - 1) // 2 + 1,
    ),
    "dilated": (oh.make_node("Conv", ["x", "k3"], ["z"], dilations=[2, 2], pads=[3] * 4), H + 2),
    "SAME": (
        oh.make_node("Conv", ["x", "k3"], ["z"], strides=[3, 3], auto_pad="SAME_UPPER"),
        H.ceil_of(3),
    ),
    "MaxPool": (
        oh.make_node("MaxPool", ["x"], ["z"], kernel_shape=[1, 1], strides=[4, 4]),
        (H + 3) // 4,
    ),
    "back": (
        oh.make_node(
            "ConvTranspose", ["x", "k3"], ["z"], strides=[2, 2], pads=[1] * 4, output_padding=[1, 1]
        ),
        H * 2,
    ),
    "Resize": (oh.make_node("Resize", ["x", "nothing", "scales"], ["z"]), H * 2),
    "Concat": (oh.make_node("Concat", ["x", "x", "x"], ["z"], axis=2), H * 3),
    "Pad": (oh.make_node("Pad", ["x", "wide"], ["z"]), H + 3),
    "Relu": (oh.make_node("Relu", ["x"], ["z"]), H),
}


@pytest.mark.parametrize("title", LAYERS)
def test_sizes_of_layers(tmp_path, title):
    """The extent of what a layer gives is exactly what the formula gives."""
    layer, formula = LAYERS[title]
    nodes = [
        layer,
        oh.make_node("Shape", ["z"], ["sizes"], start=2, end=3),
        oh.make_node("Squeeze", ["sizes", "axis"], ["size"]),
    ]
    size = Size(nodes, "size", None)
    zero = size.then("Sub", formula, of=lambda a, b: 0)
    made = [onnx.load_from_string(padded(zero, None)), onnx.load_from_string(padded(None, -zero))]
    for one in made:
        one.graph.initializer.extend(nh.from_array(value, name) for name, value in ONES.items())
    session = onnxruntime.InferenceSession(
        made[0].SerializeToString(), providers=["CPUExecutionProvider"]
    )
    for h in (3, 4, 7, 12):
        assert session.run(None, {"x": np.zeros((1, 3, h, 5), np.float32)})[0].shape[2] == h
    made = [one.SerializeToString() for one in made]
    assert verdicts(tmp_path, made, CUT) == ["same", "same"]


def test_one_of_two_open_extents_may_be_1(tmp_path):
    """What is broadcast has the extent of one of both: nobody knows which."""
    nodes = [
        oh.make_node("Add", ["x", "other"], ["z"]),
        oh.make_node("Shape", ["z"], ["sizes"], start=2, end=3),
        oh.make_node("Squeeze", ["sizes", "axis"], ["size"]),
    ]
    made = onnx.load_from_string(padded(H - Size(nodes, "size", None), None))
    made.graph.input.append(port("other", ["n", 3, "k", "w"]))
    made.graph.initializer.append(nh.from_array(ONES["axis"], "axis"))
    assert verdicts(tmp_path, [made.SerializeToString()], CUT) == ["unknown"]


def unet(levels, kernel, mode):
    """A network that halves its image and doubles it again, and pads it to the size that it had."""
    weights = nh.from_array(np.ones([1, 1, kernel, kernel], np.float32), "k")
    double = nh.from_array(np.ones([1, 1, 2, 2], np.float32), "k2")
    nodes, skips, name = [], [], "x"
    around = {"pads": [kernel // 2] * 4}
    for level in range(levels):
        nodes.append(oh.make_node("Conv", [name, "k"], [f"d{level}"], **around))
        nodes.append(
            oh.make_node(
                "MaxPool", [f"d{level}"], [f"p{level}"], kernel_shape=[2, 2], strides=[2, 2]
            )
        )
        skips.append(f"d{level}")
        name = f"p{level}"
    for level in reversed(range(levels)):
        up, skip = f"u{level}", skips[level]
        nodes += [
            oh.make_node("ConvTranspose", [name, "k2"], [up], strides=[2, 2]),
            oh.make_node("Shape", [skip], [f"{up}_wanted"], start=2),
            oh.make_node("Shape", [up], [f"{up}_is"], start=2),
            oh.make_node("Sub", [f"{up}_wanted", f"{up}_is"], [f"{up}_d"]),
            oh.make_node("Div", [f"{up}_d", "two"], [f"{up}_a"]),
            oh.make_node("Sub", [f"{up}_d", f"{up}_a"], [f"{up}_b"]),
            oh.make_node("Concat", ["none", f"{up}_a", "none", f"{up}_b"], [f"{up}_p"], axis=0),
            pad_node([up, f"{up}_p"], f"{up}_y", f"pad{level}", mode=mode),
            oh.make_node("Add", [skip, f"{up}_y"], [f"{up}_s"]),
        ]
        name = f"{up}_s"
    nodes.append(oh.make_node("Identity", [name], ["y"]))
    constants = [weights, double, ints("two", [2]), ints("none", [0, 0])]
    return model(nodes, [port("x", ["n", 1, "h", "w"])], [port("y")], constants, opset=18)


@pytest.mark.parametrize("words", [[], ["--assume", "h>=16", "--assume", "w>=16"]])
@pytest.mark.parametrize("mode", ["constant", "edge", "reflect"])
def test_networks_that_halve_and_double(tmp_path, mode, words):
    path = tmp_path / "m.onnx"
    path.write_bytes(unet(4, 3, mode))
    targets = "ort-1.32,openvino,opencv-5.0"
    said = succeed(
        "check", path, "--format=json", f"--target={targets}", "--fail-on=crashes", *words
    )
    nodes = json.loads(said.stdout)["models"][0]["nodes"]
    assert len(nodes) == 4
    is_sure = (
        mode != "reflect" or words
    )  # an image of 15 rows has one of 1 row, which is not reflected
    for node in nodes:
        found = [verdict["verdict"] for verdict in node["verdicts"]]
        assert found == ["same"] * 3 or (not is_sure and "unknown" in found), node
        assert node["output_shape"] == [None, 1, None, None]


@pytest.mark.parametrize("mode", ["constant", "edge", "reflect", "wrap"])
@pytest.mark.parametrize("dtype", ["uint16", "int16"])
def test_lower_keeps_open_amounts(tmp_path, mode, dtype):
    """Where a runtime pads another type right, a Pad of that type takes the amounts as they come."""
    made = onnx.load_from_string(padded(-H % 8, H // 2, mode))
    kind = oh.np_dtype_to_tensor_dtype(np.dtype(dtype))
    made.opset_import[0].version = 21
    for end in made.graph.input[0], made.graph.output[0]:
        end.type.tensor_type.elem_type = kind
    (tmp_path / "m.onnx").write_bytes(made.SerializeToString())
    words = [tmp_path / "m.onnx", tmp_path / "out.onnx", "--target", "ort-1.32"]
    if mode == "reflect":
        fail(3, "lower", *words, says=["known only when the model runs"], prints=True)
    said = succeed("lower", *words, "--assume", "h>=8").stdout
    assert b"now Cast, Pad, Cast" in said
    session = onnxruntime.InferenceSession(
        tmp_path / "out.onnx", providers=["CPUExecutionProvider"]
    )
    for rows in (8, 9, 15, 30):
        x = np.random.default_rng(rows).integers(0, 30000, (1, 3, rows, 4)).astype(dtype)
        amounts = [(0, 0), (0, 0), (-rows % 8, rows // 2), (0, 0)]
        np.testing.assert_array_equal(session.run(None, {"x": x})[0], np.pad(x, amounts, mode))
    fail(
        3,
        "lower",
        *words[:2],
        "-f",
        "--target",
        "tract",
        says=["known only when the model runs"],
        prints=True,
    )
