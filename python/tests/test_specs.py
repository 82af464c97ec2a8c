"""The modules of the specifications: their words, limits and errors."""

import ml_dtypes
import numpy as np
import pytest
import tensorpad
from tensorpad import SpecError


def refused(call, spec, **wanted):
    with pytest.raises(SpecError) as raised:
        call()
    error = raised.value
    assert isinstance(error, ValueError) and error.spec == spec and str(error)
    assert "\n" not in str(error)
    for name, value in wanted.items():
        assert getattr(error, name) == value, (name, str(error))
    return error


# ---- ONNX ----------------------------------------------------------------------------------------


def test_the_examples_of_the_document():
    data = np.array([[1.0, 1.2], [2.3, 3.4], [4.5, 5.7]], np.float32)
    pads = [0, 2, 0, 0]
    assert tensorpad.onnx.pad(data, pads, 0.0)[1].tolist() == [
        0,
        0,
        np.float32(2.3),
        np.float32(3.4),
    ]
    assert np.array_equal(
        tensorpad.onnx.pad(data, pads, mode="reflect"), np.pad(data, ((0, 0), (2, 0)), "reflect")
    )
    assert tensorpad.onnx.pad(data, pads, mode="edge")[0].tolist() == [1, 1, 1, np.float32(1.2)]
    found = tensorpad.onnx.pad(data, np.array([2, 1, 1, 1]), mode="wrap", opset=19)
    assert np.array_equal(found, np.pad(data, ((2, 1), (1, 1)), "wrap"))


def test_onnx_against_the_reference_implementation():
    pytest.importorskip("onnx")
    from onnx import helper
    from onnx.reference import ReferenceEvaluator

    random = np.random.default_rng(11)
    types = ["float32", "float64", "float16", "int8", "uint16", "int64", "bool", "complex64"]
    for case in range(400):
        opset = int(random.choice([11, 13, 18, 19, 21, 25]))
        name = str(random.choice(types))
        if opset < 13 and name in ("bool", "complex64"):
            name = "int32"
        mode = str(random.choice(["constant", "edge", "reflect"] + ["wrap"] * (opset >= 19)))
        rank = int(random.integers(1, 4))
        shape = tuple(int(extent) for extent in random.integers(2, 5, rank))
        data = random.integers(0, 9, shape).astype(name)
        axes = None
        if opset >= 18 and random.random() < 0.5:
            axes = random.choice(rank, int(random.integers(1, rank + 1)), replace=False)
            axes = axes - rank * random.integers(0, 2, axes.shape)
        count = rank if axes is None else len(axes)
        pads = random.integers(0, 2 if mode == "reflect" else 4, 2 * count)
        value = np.array(random.integers(0, 2)).astype(name) if random.random() < 0.5 else None
        names = ["data", "pads", "" if value is None else "value", "" if axes is None else "axes"]
        while not names[-1]:
            names.pop()
        node = helper.make_node("Pad", names, ["y"], mode=mode)
        kinds = {"data": data, "pads": pads, "value": value, "axes": axes}
        feeds = {key: item for key, item in kinds.items() if item is not None}
        graph = helper.make_graph(
            [node],
            "g",
            [
                helper.make_tensor_value_info(
                    key, helper.np_dtype_to_tensor_dtype(item.dtype), item.shape
                )
                for key, item in feeds.items()
            ],
            [helper.make_tensor_value_info("y", helper.np_dtype_to_tensor_dtype(data.dtype), None)],
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])
        expected = ReferenceEvaluator(model).run(None, feeds)[0]
        found = tensorpad.onnx.pad(data, pads, value, axes, mode, opset=opset)
        assert found.dtype == expected.dtype and np.array_equal(found, expected), case


def test_onnx_versions_1_and_2():
    data = np.arange(6, dtype=np.float16).reshape(2, 3)
    found = tensorpad.onnx.pad(data, [0, 1, 1, 0], 0.1, opset=1)
    assert found.dtype == np.float16 and found[2, 0] == np.float16(np.float32(0.1))
    for value in (np.float32(0.1), np.array([0.1]), np.array(0.1, "f4")):
        assert np.array_equal(tensorpad.onnx.pad(data, [0, 1, 1, 0], value, opset=1), found)
    swapped = data.astype(">f2")
    assert np.array_equal(tensorpad.onnx.pad(swapped, [0, 1, 1, 0], 0.1, opset=2), found)
    assert tensorpad.onnx.pad(data, [0, -1, 0, 0], opset=10).shape == (2, 2)
    refused(lambda: tensorpad.onnx.pad(data.astype("i4"), [0] * 4, opset=2), "onnx-2")
    refused(lambda: tensorpad.onnx.pad(data, [0] * 2, axes=[0], opset=2), "onnx-2")


def test_onnx_errors():
    data = np.zeros((2, 3), np.float32)
    refused(lambda: tensorpad.onnx.pad(data, [0] * 4, mode="wrap", opset=18), "onnx-18", axis=None)
    refused(lambda: tensorpad.onnx.pad(data, [0] * 4, mode="symmetric"), "onnx-25")
    assert tensorpad.onnx.pad(data, [0] * 4, mode="symmetric", lenient=True).shape == (2, 3)
    refused(lambda: tensorpad.onnx.pad(data, [0] * 3), "onnx-25")
    refused(lambda: tensorpad.onnx.pad(data, None), "onnx-25")
    refused(lambda: tensorpad.onnx.pad(data, np.zeros(4, "i4")), "onnx-25")
    refused(lambda: tensorpad.onnx.pad(data, [0] * 4, np.float64(1)), "onnx-25")
    refused(lambda: tensorpad.onnx.pad(data, [0] * 4, np.zeros(2, "f4")), "onnx-25")
    refused(lambda: tensorpad.onnx.pad(data, [0, 0], axes=[2]), "onnx-25")
    refused(lambda: tensorpad.onnx.pad(data, [0] * 4, axes=[0, -2]), "onnx-25")
    refused(lambda: tensorpad.onnx.pad(data, [0, 0], axes=[0], opset=13), "onnx-13")
    refused(lambda: tensorpad.onnx.pad(data.astype("M8[s]"), [0] * 4), "onnx-25")
    refused(lambda: tensorpad.onnx.pad(data, [0] * 4, opset=0), "onnx")
    error = refused(lambda: tensorpad.onnx.pad(data, [0, -2, 0, -2]), "onnx-25", axis=1)
    assert error.got == -1
    refused(
        lambda: tensorpad.onnx.pad(data.astype(ml_dtypes.bfloat16), [0] * 4, opset=11), "onnx-11"
    )
    refused(lambda: tensorpad.onnx.pad(data.astype(ml_dtypes.int4), [0] * 4, opset=19), "onnx-19")


def test_onnx_types():
    for name in (
        "bfloat16",
        "float8_e4m3fn",
        "float8_e5m2fnuz",
        "int4",
        "uint4",
        "float4_e2m1fn",
        "float8_e8m0fnu",
        "uint2",
        "int2",
    ):
        data = np.array([1, 1], getattr(ml_dtypes, name))
        found = tensorpad.onnx.pad(data, [1, 0])
        assert (
            found.dtype == data.dtype and found.tobytes() == b"\0" * data.itemsize + data.tobytes()
        )
    words = np.array(["a", "bc"])
    assert tensorpad.onnx.pad(words, [1, 1]).tolist() == ["", "a", "bc", ""]
    assert tensorpad.onnx.pad(words, [1, 0], "long").tolist() == ["long", "a", "bc"]
    assert tensorpad.onnx.pad(words.astype(object), [0, 1], "long").tolist() == ["a", "bc", "long"]
    packed = np.array([0x21, 0x03], np.uint8)
    found = tensorpad.onnx.pad_packed(packed, (3,), "int4", [1, 0], 7)
    assert found.tolist() == [0x17, 0x32]
    refused(lambda: tensorpad.onnx.pad_packed(packed, (3,), "int4", [1, 0], opset=19), "onnx-19")


# ---- OpenVINO ------------------------------------------------------------------------------------


def test_openvino():
    data = np.array([[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]], np.int32)
    found = tensorpad.openvino.pad(data, [0, 1], [2, 3], pad_mode="symmetric")
    assert np.array_equal(found, np.pad(data, ((0, 2), (1, 3)), "symmetric"))
    found = tensorpad.openvino.pad(data, [0, 1], [2, 3], 15, "constant")
    assert np.array_equal(found, np.pad(data, ((0, 2), (1, 3)), constant_values=15))
    # The document's example of mixed signs: a window onto the extension.
    found = tensorpad.openvino.pad(data, [2, -1], [-1, 3], pad_mode="edge", version=12)
    assert np.array_equal(found, np.pad(data, ((2, 0), (0, 3)), "edge")[:-1, 1:])
    assert tensorpad.openvino.pad(data, [-9, 0], [0, 0], pad_mode="constant", version=12).shape == (
        0,
        4,
    )
    error = refused(
        lambda: tensorpad.openvino.pad(data, [0, -1], [0, 0], pad_mode="edge"), "openvino-1", axis=1
    )
    assert "Pad-12" in str(error)
    refused(
        lambda: tensorpad.openvino.pad(data, [3, 0], [0, 0], pad_mode="reflect"),
        "openvino-1",
        axis=0,
        limit=2,
    )
    refused(lambda: tensorpad.openvino.pad(data, [3, 0], [0, 0]), "openvino-1")
    refused(lambda: tensorpad.openvino.pad(data, [3, 0], [0, 0], pad_mode="wrap"), "openvino-1")
    refused(lambda: tensorpad.openvino.pad(data, [3], [0, 0], pad_mode="edge"), "openvino-1")
    refused(
        lambda: tensorpad.openvino.pad(data, [3, 0], [0, 0], np.ones(1, "i4"), "constant"),
        "openvino-1",
    )
    found = tensorpad.openvino.pad_packed(
        np.uint8([0b10100000]), (3,), "u1", [1], [1], 1, "constant"
    )
    assert found.tolist() == [0b11011000]
    found = tensorpad.openvino.pad_packed(
        np.uint8([0x12]), (2,), "nf4", [1], [1], pad_mode="constant"
    )
    assert found.tolist() == [0x27, 0x71]


# ---- nGraph and MLI ------------------------------------------------------------------------------


def test_ngraph():
    arg = np.array([[1, 2], [3, 4]], np.int32)
    found = tensorpad.ngraph.pad(arg, np.int32(42), [1, 0], [0, -1], [1, 2], "CONSTANT")
    assert found.tolist() == [[42, 42, 42], [1, 42, 42], [42, 42, 42], [3, 42, 42]]
    assert np.array_equal(
        tensorpad.ngraph.pad(arg, 0, (2, 2), (2, 2), pad_mode="REFLECT"), np.pad(arg, 2, "reflect")
    )
    refused(lambda: tensorpad.ngraph.pad(arg, None, [0, 0], [0, 0]), "ngraph")
    refused(lambda: tensorpad.ngraph.pad(arg, 0, [0, 0], [0, 0], [-1, 0]), "ngraph", axis=0)
    refused(lambda: tensorpad.ngraph.pad(arg, 0, [0], [0, 0]), "ngraph")
    refused(lambda: tensorpad.ngraph.pad(arg, 0, [0, 0], [0, 0], pad_mode="WRAP"), "ngraph")
    refused(lambda: tensorpad.ngraph.pad(arg, np.float32(0), [0, 0], [0, 0]), "ngraph")
    refused(lambda: tensorpad.ngraph.pad(arg, [0], [0, 0], [0, 0]), "ngraph")
    refused(
        lambda: tensorpad.ngraph.pad(arg[:1], 0, [1, 0], [0, 0], pad_mode="REFLECT"),
        "ngraph",
        axis=0,
    )


def test_mli():
    tensor = np.arange(12, dtype=np.int8).reshape(2, 3, 2)
    words = dict(padding_left=1, padding_right=2, padding_top=3, padding_bottom=0)
    found = tensorpad.mli.padding2d(tensor, layout="hwc", **words)
    assert np.array_equal(found, np.pad(tensor, ((3, 0), (1, 2), (0, 0))))
    found = tensorpad.mli.padding2d(tensor.astype("i2"), layout="chw", **words)
    assert np.array_equal(found, np.pad(tensor, ((0, 0), (3, 0), (1, 2))))
    refused(lambda: tensorpad.mli.padding2d(tensor.astype("f4"), layout="hwc"), "mli-hwc")
    refused(lambda: tensorpad.mli.padding2d(tensor[0], layout="chw"), "mli-chw")
    error = refused(
        lambda: tensorpad.mli.padding2d(tensor, layout="hwc", padding_left=256), "mli-hwc"
    )
    assert (error.axis, error.got, error.limit) == (1, 256, 255)
    refused(
        lambda: tensorpad.mli.padding2d(tensor, layout="hwc", padding_top=-1), "mli-hwc", axis=0
    )
    with pytest.raises(ValueError):
        tensorpad.mli.padding2d(tensor, layout="nhwc")


def test_all_of_them_write_into_out():
    data = np.ones((1, 2, 2), np.int8)
    calls = [
        lambda out: tensorpad.onnx.pad(data, [0, 0, 0, 0, 1, 1], out=out),
        lambda out: tensorpad.openvino.pad(data, [0, 0, 0], [0, 1, 1], pad_mode="edge", out=out),
        lambda out: tensorpad.ngraph.pad(data, 0, [0, 0, 0], [0, 1, 1], out=out),
        lambda out: tensorpad.mli.padding2d(
            data, layout="chw", padding_right=1, padding_bottom=1, out=out
        ),
    ]
    for call in calls:
        out = np.empty((3, 3, 1), np.int8).T
        assert call(out) is out and out[0, 0, 0] == 1
        with pytest.raises(ValueError):
            call(np.empty((1, 3, 2), np.int8))


def test_errors_travel():
    import pickle

    error = refused(lambda: tensorpad.onnx.pad(np.zeros(3), [-2, -2]), "onnx-25", axis=0)
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.spec, again.axis, again.got, again.limit) == (
        str(error),
        "onnx-25",
        0,
        error.got,
        error.limit,
    )
