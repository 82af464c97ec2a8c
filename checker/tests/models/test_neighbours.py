"""`check` and `lower` of a Pad before a Conv or pool: runtimes remove the Pad and give its amounts to that
node, also where nodes that change nothing stand between.

SPDX-License-Identifier: MIT

The verdicts of several versions are what these versions did when they ran the same models with and without
their optimisations, of data that is below zero. The newest ones run here. Between two Transposes ONNX Runtime
fails (TP123). In the branch of an If OpenCV 5 runs here, each model in a process of its own, since it crashes
on some; what tract says was seen by running version 0.23.9.
"""

import itertools
import json
import subprocess
import sys

import numpy as np
import onnx
import onnx.helper as oh
import onnx.numpy_helper as nh
import onnxruntime
import openvino
import pytest
import running
from harness import run, succeed
from onnx_models import (
    BOOL,
    FLOAT,
    INT32,
    constant_node,
    graph,
    ints,
    model,
    model_of,
    pad_node,
    port,
    tensor,
)

ORT = ["ort-1.17", "ort-1.20", "ort-1.23", "ort-1.31", "ort-1.32"]
OPENVINO = ["openvino-2024.6", "openvino-2025.4", "openvino-2026.4"]
DOUBLE = onnx.TensorProto.DOUBLE
NHWC, NCHW = [0, 2, 3, 1], [0, 3, 1, 2]
CONSTANTS = [
    ints("around", [0, 0, 1, 1, 0, 0, 1, 1]), ints("around_nhwc", [0, 1, 1, 0, 0, 1, 1, 0]),
    ints("none", [0] * 8), ints("from", [0, 0]), ints("later", [1, 0]), ints("to", [2**63 - 1] * 2),
    ints("stop", [6, 6]), ints("axes", [2, 3]), ints("ones", [1, 1]), nh.from_array(np.float32(1), "one"),
    nh.from_array(np.float32([[[0]]]), "zero"), nh.from_array(np.float32(-0.0), "minus_zero"),
    nh.from_array(np.ones((1, 1, 2, 2), np.float32), "weights"),
]  # fmt: skip


def node(op, inputs, outputs="y", **attributes):
    return oh.make_node(op, inputs.split(), outputs.split(), **attributes)


def pool(inputs="b", op="MaxPool", outputs="y", kernel=(2, 2), **attributes):
    return node(op, inputs, outputs, kernel_shape=kernel, **attributes)


def pad(data="x", pads="around", **attributes):
    return pad_node([data, pads], "a", "pad", **attributes)


def write(folder, nodes, shape=(1, 1, 4, 4), opset=13, outputs=("y",), constants=(), kind=FLOAT):
    path = folder / "m.onnx"
    path.write_bytes(
        model(
            nodes,
            [port("x", shape, kind)],
            [port(name) for name in outputs],
            [*CONSTANTS, *constants],
            opset=opset,
        )
    )
    return path


def check(path, targets, *words):
    """What is said of the node called pad: the code, or the verdict where it has none or is unknown."""
    printed = run("check", path, "--json", "--target", ",".join(targets), *words)
    [said] = [
        one
        for one in json.loads(printed.stdout)["models"][0]["nodes"]
        if one["name"] in ("pad", "a")
    ]
    found = {one["target"]: one for one in said["verdicts"]}
    return [
        found[t]["verdict"] if found[t]["verdict"] in ("same", "unknown") else found[t]["code"]
        for t in targets
    ]


# ---- ONNX Runtime: what stands between -------------------------------------------------------------

TAKEN, KEPT = ["same", "TP120", "TP120", "TP120", "same"], ["same"] * 5
BETWEEN = {  # from a to b
    "Identity": ([node("Identity", "a", "b")], TAKEN),
    "Dropout": ([node("Dropout", "a", "b")], TAKEN),
    "Cast to the same type": ([node("Cast", "a", "b", to=FLOAT)], TAKEN),
    "Cast": ([node("Cast", "a", "b", to=DOUBLE)], TAKEN),
    "Casts": ([node("Cast", "a", "d", to=DOUBLE), node("Cast", "d", "b", to=FLOAT)], KEPT),
    "1 * x": ([node("Mul", "one a", "b")], TAKEN),
    "x / 1": ([node("Div", "a one", "b")], TAKEN),
    "x + 0": ([node("Add", "a zero", "b")], TAKEN),
    "x - -0": ([node("Sub", "a minus_zero", "b")], TAKEN),
    "0 - x": ([node("Sub", "zero a", "b")], KEPT),
    "all": ([node("Slice", "a from to axes ones", "b")], TAKEN),
    "all by numbers": ([node("Slice", "a from stop axes", "b")], KEPT),
    "all but the first row": ([node("Slice", "a later to axes", "b")], KEPT),
    "Expand": ([node("Expand", "a ones", "b")], TAKEN),
    "a Pad of nothing": ([pad_node(["a", "none"], "b", "n")], TAKEN),
    "a Concat of one": ([node("Concat", "a", "b", axis=1)], KEPT), "a Sum of one": ([node("Sum", "a", "b")], KEPT),
    "there and back": ([node("Transpose", "a", "t", perm=NHWC), node("Transpose", "t", "b", perm=NCHW)], TAKEN),
    "Relu": ([node("Relu", "a", "b")], KEPT),
    "Shape": ([node("Identity", "a", "b"), node("Shape", "b", "s")], TAKEN),
    "another reader": ([node("Identity", "a", "b"), node("Size", "b", "s")], KEPT),
}  # fmt: skip


@pytest.mark.parametrize("between", BETWEEN)
def test_what_stands_between(tmp_path, between):
    nodes, expected = BETWEEN[between]
    assert check(write(tmp_path, [pad(), *nodes, pool()]), ORT) == expected


def test_pads_in_a_row(tmp_path):
    """The second one goes into the pool first, and the first one meets pools that have pads."""
    nodes = [
        pad(pads="row"),
        pad_node(["a", "row"], "b", "second"),
        pool(op="AveragePool", kernel=(4, 4)),
    ]
    row = ints("row", [0, 0, 2, 2, 0, 0, 0, 0])
    assert check(write(tmp_path, nodes, constants=[row]), ORT) == [
        "same",
        "TP122",
        "TP122",
        "TP122",
        "same",
    ]
    nodes[1] = pad_node(["a", "none"], "b", "second")
    assert check(write(tmp_path, nodes, constants=[row]), ORT)[2:4] == ["same", "same"]
    nodes[1] = pad_node(["a", "row"], "b", "second", mode="edge")
    assert check(write(tmp_path, nodes, constants=[row]), ORT) == KEPT
    nodes[1:] = [
        pad_node(["a", "row"], "b", "second"),
        pool(op="AveragePool", kernel=(4, 4), pads=[0, 1, 0, 0], count_include_pad=0),
    ]
    assert check(write(tmp_path, nodes, constants=[row]), ORT)[2:] == KEPT[2:]  # which takes no Pad


@pytest.mark.parametrize("fixed", [True, False])
def test_a_branch_that_is_always_taken(tmp_path, fixed):
    """ONNX Runtime puts it in place of the If."""
    end = [oh.make_tensor_value_info("a", FLOAT, None)]
    other = oh.make_graph([node("Identity", "x", "a")], "other", [], end)
    branch = oh.make_node(
        "If",
        ["yes"],
        ["b"],
        then_branch=oh.make_graph([pad()], "taken", [], end),
        else_branch=other,
    )
    nodes = [branch, pool()] if fixed else [node("IsNaN", "first", "yes"), branch, pool()]
    constants = [nh.from_array(np.array(True), "yes")] if fixed else []
    if not fixed:
        nodes[:1] = [node("ReduceMax", "x", "first", keepdims=0), nodes[0]]
    assert (
        check(write(tmp_path, nodes, constants=constants), ORT[1:4])
        == (TAKEN if fixed else KEPT)[1:4]
    )
    nodes.insert(-1, node("Neg", "b", "c"))
    for shape in (
        (1, 1, 4, 4),
        ("n", 1, 4, 4),
    ):  # what an If gives, OpenVINO reads wrongly if it is open
        verdict = "same" if fixed or "n" not in shape else "unknown"
        for nodes[-1] in (
            pool("c"),
            pool("c", op="LpPool"),
            node("ConvTranspose", "c weights"),
            node("Cast", "c", to=DOUBLE),
        ):
            path = write(tmp_path, nodes, shape, constants=constants)
            assert check(path, OPENVINO) == ["same", verdict, verdict]
            if not fixed:
                openvino.save_model(openvino.Core().read_model(path), tmp_path / "m.xml")
                assert check(tmp_path / "m.xml", OPENVINO[2:]) == [verdict]


@pytest.mark.parametrize(
    "how, expected",
    [
        ("constant", ["TP120"] * 3),
        ("own shape", ["TP141", "TP141", "TP120"]),
        ("open shape", ["TP141"] * 3),
        ("input", ["TP141"] * 3),
    ],
)
def test_ranks_that_are_computed(tmp_path, how, expected):
    """ONNX Runtime looks for the shape of what a Cast makes."""
    shape = ("n", 1, "h", 4) if how == "open shape" else None if how == "input" else (1, 1, 4, 4)
    before = [] if how == "input" else [node("Reshape", "x shape", "r")]
    if how in ("own shape", "open shape"):
        before.insert(0, node("Shape", "x", "shape"))
    nodes = [*before, pad("r" if before else "x"), node("Cast", "a", "b", to=FLOAT), pool()]
    path = write(
        tmp_path,
        nodes,
        shape,
        kind=INT32,
        constants=[ints("shape", [0, 0, 0, 0])] if how == "constant" else [],
    )
    assert check(path, ORT[1:4], "--input-shape", "x=1,1,4,4") == expected
    assert check(path, ["ort-1.17", "ort-1.32"], "--input-shape", "x=1,1,4,4") == ["same", "same"]


def test_transposes_around(tmp_path):
    """They go, and the Pad stands before the pool with its amounts in another order."""
    nodes = [
        node("Transpose", "x", "t", perm=NHWC),
        pad("t", "around_nhwc"),
        node("Dropout", "a", "i"),
        node("Transpose", "i", "b", perm=NCHW),
        pool(),
    ]
    assert check(write(tmp_path, nodes), ORT) == TAKEN
    nodes[1] = pad("t", "around")  # of channels, too
    assert check(write(tmp_path, nodes), ORT) == KEPT


@pytest.mark.parametrize("opset, newest", [(11, 23), (18, 23), (19, 31), (20, 31)])
def test_casts(tmp_path, opset, newest):
    """Versions up to 1.23 know the Cast of opset 13. Without a number below zero the kernel decides."""
    nodes = [pad(), node("Cast", "a", "b", to=FLOAT), pool()]
    taken = ["same", *["TP120" if newest == 23 else "same"] * 2, "TP120", "same"]
    assert check(write(tmp_path, nodes, opset=opset, kind=INT32), ORT) == taken
    nodes[-1] = pool(op="AveragePool", kernel=(1, 2))
    taken = [code.replace("120", "122") for code in taken]
    assert check(write(tmp_path, nodes, opset=opset, kind=INT32), ORT) == taken


# ---- ONNX Runtime: how the window walks --------------------------------------------------------------


@pytest.mark.parametrize("extent, amounts, kernel, stride, expected", [
    (4, (0, 1), 2, 2, ["same", "TP121", "TP131", "TP131", "same"]),  # 2 cells, not 3
    (5, (0, 1), 2, 2, ["same", "TP121", "same", "same", "same"]),
    (4, (0, 1), 3, 2, ["same", "TP121", "same", "same", "same"]),
    ("n", (0, 1), 2, 2, ["same", "TP121", "unknown", "unknown", "same"]),
    (5, (0, 1), 3, 2, ["same", "TP121", "TP132", "same", "same"]),  # two cells divided by three
    ("n", (0, 1), 3, 2, ["same", "TP121", "unknown", "same", "same"]),
])  # fmt: skip
def test_ceil_mode(tmp_path, extent, amounts, kernel, stride, expected):
    begin, end = amounts
    constants = [ints("p", [0, 0, begin, 0, 0, end])]
    nodes = [
        pad(pads="p"),
        pool("a", "AveragePool", kernel=[kernel], strides=[stride], ceil_mode=1),
    ]
    path = write(tmp_path, nodes, (1, 1, extent), 11, constants=constants)
    assert check(path, ORT) == expected
    nodes = [
        node("Relu", "x", "r"),
        pad("r", "p"),
        pool("a", kernel=[kernel], strides=[stride], ceil_mode=1),
    ]
    path = write(tmp_path, nodes, (1, 1, extent), 11, constants=constants)
    assert check(path, ORT) == ["same", *expected[3:4] * 3, "same"]


@pytest.mark.parametrize("stride", [0, -1])
def test_a_stride_that_is_none(tmp_path, stride):
    """Such a model is wrong, and nothing divides by its stride."""
    nodes = [pad(), oh.make_node("AveragePool", ["a"], ["y"], kernel_shape=[2, 2], ceil_mode=1)]
    nodes[1].attribute.append(oh.make_attribute("strides", [stride, stride]))
    write(tmp_path, nodes)
    done = run("check", tmp_path / "m.onnx", "--target", "ort-1.23")
    assert done.status in (0, 4) and done.error == "", done


@pytest.mark.parametrize("opset, amounts, kernel, stride, expected", [
    (19, (0, 0, 1, 0), (2, 1), 1, "TP132"),
    (18, (0, 0, 1, 0), (2, 1), 1, "same"),
    (21, (0, 0, 1, 0), (2, 1), 1, "same"),
    (19, (1, 0, 0, 0), (2, 1), 1, "same"),
    (19, (0, 0, 0, 1), (1, 2), 1, "same"),  # of the last axis it takes the right one
    (19, (0, 0, 1, 0), (2, 1), 2, "TP132"),
    (19, (0, 0, 1, 0), (2, 1), 3, "same"),  # no window covers that row
])  # fmt: skip
def test_uneven_averages(tmp_path, opset, amounts, kernel, stride, expected):
    constants = [ints("p", [0, 0, *amounts[:2], 0, 0, *amounts[2:]])]
    nodes = [pad(pads="p"), pool("a", "AveragePool", kernel=kernel, strides=[stride, 1])]
    assert check(
        write(tmp_path, nodes, (1, 1, 3, 3), opset, constants=constants), ["ort-1.23"]
    ) == [expected]


# ---- ONNX Runtime: data that is an output, too -------------------------------------------------------

NEG, OUT = node("Neg", "x", "d"), node("Identity", "d", "o")
RETURNED = {  # what stands in the graph, and whether ONNX Runtime 1.32 forgets who reads d
    "before": [NEG, OUT, pad("d"), node("Conv", "a weights")],
    "between": [NEG, pad("d"), OUT, node("Conv", "a weights")],
    "behind, and more": [NEG, pad("d"), node("Conv", "a weights", "c"), OUT, node("Exp", "c")],
    "Identity before the Pad": [NEG, OUT, node("Identity", "d", "i"), pad("i"), node("Conv", "a weights")],
    "Identity after the Pad": [NEG, OUT, pad("d"), node("Identity", "a", "b"), node("Conv", "b weights")],
    "of nothing": [NEG, OUT, pad("d", "none"), node("Conv", "a weights")],
    "data of the graph": [node("Identity", "x", "o"), pad(), node("Conv", "a weights")],
    "another reader": [NEG, OUT, pad("d"), node("Conv", "a weights", "c"), node("Exp", "d", "e"),
                       node("Sum", "c", "y")],
    "the output is read": [NEG, OUT, pad("d"), node("Conv", "a weights", "c"), node("Size", "o", "e"),
                           node("Identity", "c", "y")],
    "its shape is read": [NEG, OUT, node("Shape", "d", "s"), node("Sub", "s s", "n"),
                          node("Concat", "n n", "nn", axis=0), node("Add", "nn around", "p"), pad("d", "p"), node("Conv", "a weights")],
    "Dropout": [NEG, node("Dropout", "d", "o"), pad("d"), node("Conv", "a weights")],
    "average": [NEG, OUT, pad("d"), pool("a", "AveragePool")],
    "narrow average": [NEG, OUT, pad("d"), pool("a", "AveragePool", kernel=(1, 2))],
    "average by VALID": [NEG, OUT, pad("d"), pool("a", "AveragePool", auto_pad="VALID")],
    "average of ceil_mode": [NEG, OUT, pad("d"), pool("a", "AveragePool", ceil_mode=1)],
    "MaxPool": [NEG, OUT, pad("d"), pool("a")],
    "auto_pad": [NEG, OUT, pad("d"), node("Conv", "a weights", auto_pad="SAME_UPPER")],
}  # fmt: skip


def loads(path):
    try:
        onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    except Exception:
        return False
    return True


@pytest.mark.parametrize("place", RETURNED)
def test_data_that_is_returned(tmp_path, place):
    path = write(tmp_path, RETURNED[place], outputs=("y", "o"))
    assert check(path, ["ort-1.32"]) == ["same" if loads(path) else "TP133"]
    if not loads(path):
        succeed("lower", path, tmp_path / "low.onnx", "--target", "ort-1.32")
        assert loads(tmp_path / "low.onnx")


IMAGE, KERNEL = port("x", [1, 1, 6, 7]), port("w", [1, 1, 3, 3])
OVER, AROUND_ALL = node("Conv", "x a"), pad("w")
WEIGHTS = {  # whose Pad ONNX Runtime gives to the Conv as if it were that of the image
    "an input": [AROUND_ALL, OVER],
    "a constant": [pad("filter"), OVER],
    "with pads": [AROUND_ALL, node("Conv", "x a", pads=[1, 1, 1, 1])],
    "beside a Pad of the image": [AROUND_ALL, pad_node(["x", "around"], "b", "m"), node("Conv", "b a")],
    "an Identity between": [AROUND_ALL, node("Identity", "a", "b"), node("Conv", "x b")],
    "of nothing": [pad("w", "none"), OVER],
    "edge": [pad("w", mode="edge"), OVER],
    "auto_pad": [AROUND_ALL, node("Conv", "x a", auto_pad="SAME_UPPER")],
    "VALID": [AROUND_ALL, node("Conv", "x a", auto_pad="VALID")],
    "of a ConvTranspose": [AROUND_ALL, node("ConvTranspose", "x a")],
    "a Relu between": [AROUND_ALL, node("Relu", "a", "b"), node("Conv", "x b")],
}  # fmt: skip


@pytest.mark.parametrize("place", WEIGHTS)
@pytest.mark.parametrize("opset", [11, 18, 21])
def test_the_weight_of_a_conv(tmp_path, place, opset):
    path, kernel = tmp_path / "m.onnx", nh.from_array(np.ones((1, 1, 3, 3), np.float32), "filter")
    ends = [IMAGE, KERNEL], [port("y")], [*CONSTANTS, kernel]
    path.write_bytes(model(WEIGHTS[place], *ends, opset=opset))
    is_right = loads(path)
    now, newer = ("same",) * 2 if is_right else ("TP142", "TP142" if opset < 21 else "same")
    first = now if place == "with pads" else "same"
    said = check(path, ORT)
    assert said == ["TP101" if opset == 21 else first, newer, newer, now, now]
    if not is_right:
        succeed("lower", path, tmp_path / "low.onnx", "--target", "ort-1.32")
        assert loads(tmp_path / "low.onnx")


# ---- OpenVINO ----------------------------------------------------------------------------------------


def run_openvino(path, shape):
    core = openvino.Core()
    settings = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1}
    done = core.compile_model(core.read_model(path), "CPU", settings)
    x = np.arange(1, 1 + np.prod(shape), dtype=np.float32).reshape(shape)
    return done([x])[0]


def is_right(folder, nodes, shape, constants):
    """Whether OpenVINO gives what it gives where the Pad stays, since it makes an output, too."""
    size = [8 if isinstance(extent, str) else extent for extent in shape]
    got = run_openvino(write(folder, nodes, shape, constants=constants), size)
    whole = run_openvino(write(folder, nodes, shape, outputs=("y", "a"), constants=constants), size)
    return got.shape == whole.shape and np.allclose(got, whole, rtol=1e-5)


SAME = {"auto_pad": "SAME_UPPER"}
OPEN = {  # shape; amounts of rows and columns; nodes after
    "Conv": ([1, 1, "h", "w"], (1, 1, 1, 1), [node("Conv", "a big", **SAME)]),
    "only columns are open": ([1, 1, 8, "w"], (1, 0, 1, 0), [node("Conv", "a big", **SAME)]),
    "nothing is open": ([1, 1, 8, 8], (1, 1, 1, 1), [node("Conv", "a big", **SAME)]),
    "numbers": ([1, 1, "h", "w"], (1, 1, 1, 1), [node("Conv", "a big", pads=[1, 1, 1, 1])]),
    "one cell": ([1, 1, "h", "w"], (1, 1, 1, 1), [node("Conv", "a dot", **SAME)]),
    "Identity": ([1, 1, "h", "w"], (1, 1, 1, 1), [node("Identity", "a", "b"), node("Conv", "b big", **SAME)]),
    "a Transpose of nothing": ([1, 1, "h", "w"], (1, 1, 1, 1),
                               [node("Transpose", "a", "b", perm=[0, 1, 2, 3]), node("Conv", "b big", **SAME)]),
    "average": ([1, 1, "h", "w"], (1, 1, 1, 1), [pool("a", "AveragePool", kernel=(3, 3), **SAME)]),
    "average of open columns": ([1, 1, 8, "w"], (1, 1, 1, 1), [pool("a", "AveragePool", kernel=(3, 3), **SAME)]),
    "average that counts": ([1, 1, 8, "w"], (1, 1, 1, 1),
                            [pool("a", "AveragePool", kernel=(3, 3), count_include_pad=1, **SAME)]),
    "MaxPool": ([1, 1, "h", "w"], (1, 1, 1, 1), [pool("a", kernel=(3, 3), **SAME)]),
    "ceil_mode": ([1, 1, 5, 5], (1, 1, 0, 0), [pool("a", "AveragePool", strides=[3, 3], ceil_mode=1)]),
}  # fmt: skip


@pytest.mark.parametrize("case", OPEN)
def test_open_extents(tmp_path, case):
    shape, amounts, behind = OPEN[case]
    constants = [
        ints("p", [0, 0, *amounts[:2], 0, 0, *amounts[2:]]),
        nh.from_array(np.arange(1, 10, dtype=np.float32).reshape(1, 1, 3, 3), "big"),
        nh.from_array(np.ones((1, 1, 1, 1), np.float32), "dot"),
    ]
    nodes = [pad(pads="p"), *behind]
    right = is_right(tmp_path, nodes, shape, constants)
    path = write(tmp_path, nodes, shape, constants=constants)
    assert check(path, OPENVINO[2:]) == ["same" if right else "TP236"]
    older = ["TP237"] * 2 if case == "ceil_mode" else ["same" if right else "TP236"] * 2
    assert check(path, OPENVINO[:2]) == older
    if right:
        return
    given = "x=1,1,8,8"  # the file stays open: also for one shape it is wrong
    assert check(path, OPENVINO[2:], "--input-shape", given) == ["TP236"]
    size = (1, 1, 8, 8)
    succeed(
        "lower", path, tmp_path / "low.onnx", "--target", "openvino-2026.4", "--input-shape", given
    )
    whole = run_openvino(
        write(tmp_path, nodes, shape, outputs=("y", "a"), constants=constants), size
    )
    assert np.allclose(run_openvino(tmp_path / "low.onnx", size), whole, rtol=1e-5)


@pytest.mark.parametrize("extent, verdict", [(8, "same"), (9, "TP236"), (None, "unknown")])
def test_strides_as_long_as_the_kernel(tmp_path, extent, verdict):
    """Whether auto_pad adds cells hangs on the extent."""
    nodes = [pad(pads="p"), node("Conv", "a weights", strides=[2, 2], **SAME)]
    path = write(tmp_path, nodes, [1, 1, "h", 8], constants=[ints("p", [0, 0, 1, 1, 0, 0, 1, 1])])
    words = ["--dim", f"h={extent}"] if extent else []
    assert check(path, OPENVINO, *words) == [verdict] * 3
    if extent:
        assert np.array_equal(
            run_openvino(path, (1, 1, extent, 8)).shape[2:],
            [-(-(extent + 2) // 2) - (verdict != "same"), 5],
        )


# ---- Between two Transposes -----------------------------------------------------------------------


VERSION = "ort-" + ".".join(onnxruntime.__version__.split(".")[:2])
TO, BACK = [0, 2, 3, 1], [0, 3, 1, 2]
NUMBERS = [ints("p", [1, 0, 2, 0]), ints("axes", [1, 2]), ints("all", [0, 1, 0, 0, 0, 2, 0, 0])]
PAD = [pad_node(["t", "p", "", "axes"], "z", "pad")]


def between(nodes, behind=("Transpose", {"perm": BACK}), functions=(), more=(), outputs=("y",)):
    name, words = behind
    all_nodes = [
        oh.make_node("Transpose", ["x"], ["t"], perm=TO),
        *nodes,
        oh.make_node(name, ["z"], ["y"], **words),
        *more,
    ]
    top = graph(
        all_nodes, [port("x", [1, 2, 4, 5])], [port(one, [None] * 4) for one in outputs], NUMBERS
    )
    imports = [oh.make_opsetid("my", 1)] if functions else []
    return model_of(top, 18, functions=list(functions), imports=imports)


def function_of(nodes, inputs):
    return [oh.make_function("my", "F", inputs, ["z"], nodes, [oh.make_opsetid("", 18)])]


def call(inputs, output="z", source="t"):
    return oh.make_node("F", [source, *inputs], [output], domain="my")


OWN = [constant_node("p", [1, 0, 2, 0]), constant_node("axes", [1, 2])]
WRONG = {
    "between": between(PAD),
    "Relu before": between(
        [oh.make_node("Relu", ["t"], ["r"]), pad_node(["r", "p", "", "axes"], "z", "pad")]
    ),
    "Cast behind": between(
        [pad_node(["t", "p", "", "axes"], "r", "pad"), oh.make_node("Cast", ["r"], ["z"], to=1)]
    ),
    "Sigmoid and Tanh": between(
        [
            oh.make_node("Sigmoid", ["t"], ["r"]),
            pad_node(["r", "p", "", "axes"], "s", "pad"),
            oh.make_node("Tanh", ["s"], ["z"]),
        ]
    ),
    "in a function": between([call(["p", "axes"])], functions=function_of(PAD, ["t", "p", "axes"])),
    "with amounts of its own": between([call([])], functions=function_of([*OWN, *PAD], ["t"])),
}
RIGHT = {
    "for all axes": between([pad_node(["t", "all"], "z", "pad")]),
    "no Transpose behind": between([pad_node(["t", "p", "", "axes"], "z", "pad")], ("Relu", {})),
    "a function before Relu": between(
        [call(["p", "axes"])], ("Relu", {}), function_of(PAD, ["t", "p", "axes"])
    ),
}


def verdict_of(folder, model):
    path = folder / "m.onnx"
    path.write_bytes(model)
    said = json.loads(run("check", path, "--target", VERSION, "--json").stdout)
    return said["models"][0]["nodes"][0]["verdicts"][0]


def runs(model):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    try:
        session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        session.run(None, {"x": np.ones((1, 2, 4, 5), np.float32)})
    except Exception:
        return False
    return True


@pytest.mark.parametrize("model", WRONG.values(), ids=WRONG)
def test_it_fails_and_is_foreseen(folder, model):
    assert not runs(model)
    assert verdict_of(folder, model)["code"] == "TP123"


@pytest.mark.parametrize("model", RIGHT.values(), ids=RIGHT)
def test_it_runs_and_is_the_same(folder, model):
    assert runs(model)
    assert verdict_of(folder, model)["verdict"] == "same"


def test_a_function_that_is_called_twice(folder):
    """Its calls may stand elsewhere: nothing is said."""
    more = [call(["p", "axes"], "w", "x")]
    model = between(
        [call(["p", "axes"])],
        functions=function_of(PAD, ["t", "p", "axes"]),
        more=more,
        outputs=("y", "w"),
    )
    assert verdict_of(folder, model)["verdict"] == "unknown"


# ---- In the branch of an If -----------------------------------------------------------------------


X = np.arange(6, dtype=np.float32).reshape(2, 3)
PADDED = np.pad(X, ((0, 0), (1, 1)))
CONDITIONS = ["an input", "computed", "an initializer", "a Constant node", "int32_data"]
# Shapes that the file gives to what the branches give, and to the output of the graph.
DECLARED = {"all": ([2, 5], [2, None]), "open": ([None, None], [None, None]),
            "branches only": ([2, 5], None), "output only": (None, [2, 5]), "none": (None, None)}  # fmt: skip
RUN = """
import sys, cv2, numpy as np
net = cv2.dnn.readNetFromONNX(sys.argv[1])
net.setInput(np.arange(6, dtype=np.float32).reshape(2, 3), "x")
if sys.argv[2] == "an input":
    net.setInput(np.array([True]), "c")
print(net.forward().tolist())
"""


def an_if(condition, declared, both):
    """x goes through a Pad in one branch; in the other one through a Pad, too, or it stays."""
    of_branch, of_graph = DECLARED[declared]
    pads = ints("p", [0, 1, 0, 1])
    then = graph([pad_node(["x", "p"], "padded", "pad")], [], [port("padded", of_branch)])
    other = [pad_node(["x", "p"], "stays", mode="edge")] if both else [
        oh.make_node("Identity", ["x"], ["stays"])]  # fmt: skip
    shape = of_branch if both or not of_branch or None in of_branch else [2, 3]
    otherwise = graph(other, [], [port("stays", shape)])
    nodes, inputs, more = [], [port("x", [2, 3])], [pads]
    if condition == "an input":
        inputs.append(port("c", [], BOOL))
    elif condition == "computed":
        nodes = [oh.make_node("ReduceSum", ["x"], ["sum"], keepdims=0),
                 oh.make_node("Greater", ["sum", "zero"], ["c"])]  # fmt: skip
        more.append(tensor("zero", FLOAT, [], b"\0\0\0\0"))
    elif condition == "an initializer":
        more.append(tensor("c", BOOL, [], b"\1"))
    elif condition == "int32_data":
        more.append(oh.make_tensor("c", BOOL, [], [1]))
    else:
        nodes = [oh.make_node("Constant", [], ["c"], value=tensor("", BOOL, [], b"\1"))]
    nodes.append(oh.make_node("If", ["c"], ["y"], then_branch=then, else_branch=otherwise))
    return model(nodes, inputs, [port("y", of_graph)], more, opset=13)


def verdict(path, target):
    said = running.run("check", "--json", f"--target={target}", path)
    assert said.status in (0, 4), said
    found = json.loads(said.stdout)["models"][0]["nodes"]
    [said] = next(node["verdicts"] for node in found if node["name"] == "pad")
    return said["verdict"], said["code"]


def by_opencv(path, condition):
    done = subprocess.run(
        [sys.executable, "-c", RUN, path, condition], capture_output=True, text=True, timeout=120
    )
    if done.returncode < 0:
        return "crashes"
    if done.returncode:
        return "refuses"
    answer = np.array(json.loads(done.stdout.splitlines()[-1]))
    return "same" if np.array_equal(answer, PADDED) else "differs"


@pytest.mark.parametrize("condition", CONDITIONS)
def test_opencv_5(tmp_path, condition):
    cv2 = pytest.importorskip("cv2", reason="OpenCV is not installed: its Ifs were not run")
    if not cv2.__version__.startswith("5."):
        pytest.skip(f"OpenCV {cv2.__version__} is installed: the Ifs of OpenCV 5 were not run")
    for declared, both in itertools.product(DECLARED, (False, True)):
        path = tmp_path / "m.onnx"
        path.write_bytes(an_if(condition, declared, both))
        said, _ = verdict(path, "opencv-5.0")
        assert said == by_opencv(path, condition), (declared, both)


@pytest.mark.parametrize("condition", CONDITIONS)
def test_tract(tmp_path, condition):
    """It takes every If whose branches give one shape, and no other one."""
    for declared, both in itertools.product(DECLARED, (False, True)):
        path = tmp_path / "m.onnx"
        path.write_bytes(an_if(condition, declared, both))
        expected = ("same", None) if both else ("refuses", "TP415")
        assert verdict(path, "tract") == expected, declared


def test_shapes_that_are_not_known(tmp_path):
    """Whether the branches give one shape: the Pad adds nothing that is known, or to an open axis."""
    path = tmp_path / "m.onnx"
    pads = ints("p", [0, 1, 0, 1])
    for shape, mode in ([2, "n"], "edge"), ([2, 3], "constant"):
        then = graph([pad_node(["x", "p"], "a", "pad")], [], [port("a")])
        other = graph([oh.make_node("Secret", ["x"], ["b"], domain="com.example")], [], [port("b")])
        node = oh.make_node("If", ["c"], ["y"], then_branch=then, else_branch=other)
        inputs = [port("x", shape), port("c", [], BOOL)]
        path.write_bytes(model([node], inputs, [port("y")], [pads]))
        assert verdict(path, "tract") == ("unknown", "TP415"), mode
