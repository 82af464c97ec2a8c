"""inspect_model, check_model, explain, run_model and python -m tensorpad."""

import json
import os
import pathlib
import subprocess
import sys

import ml_dtypes
import numpy as np
import pytest
import tensorpad

onnx = pytest.importorskip("onnx")
from onnx import TensorProto, helper  # noqa: E402

DATA = pathlib.Path(os.environ.get("TENSORPAD_DATA", "build/data"))


def save(path, nodes, inputs, outputs, constants=(), opset=25):
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info(*one) for one in inputs],
        [helper.make_tensor_value_info(*one) for one in outputs],
        list(constants),
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)
    path.write_bytes(model.SerializeToString())
    return path


def pad_model(path, type=TensorProto.FLOAT, pads=(1, 0, 0, 2), shape=("n", 3), **attributes):
    return save(
        path,
        [helper.make_node("Pad", ["x", "pads"], ["y"], name="first", **attributes)],
        [("x", type, shape)],
        [("y", type, None)],
        [helper.make_tensor("pads", TensorProto.INT64, [len(pads)], pads)],
    )


def test_inspect_with_shapes(tmp_path):
    """What follows from a shape that is given: here the pads, which are the shape of x."""
    path = save(
        tmp_path / "a.onnx",
        [
            helper.make_node("Shape", ["x"], ["s"]),
            helper.make_node("Concat", ["s", "s"], ["pads"], axis=0),
            helper.make_node("Pad", ["x", "pads"], ["y"]),
        ],
        [("x", TensorProto.FLOAT, ("n", 3))],
        [("y", TensorProto.FLOAT, None)],
    )
    (node,) = tensorpad.inspect_model(path)
    assert (node.computed, node.output_shape) == (("pads",), (None, 9))
    (node,) = tensorpad.inspect_model(path, input_shapes={"x": np.array([2, 3])})
    assert (node.computed, node.begin, node.output_shape) == ((), (2, 3), (6, 9))
    for shapes, words in [
        ({"z": [2, 3]}, "'z'"),
        ({"x": [2]}, r"\[\?,3\]"),
        ({"x": [-2, 3]}, "-2"),
    ]:
        with pytest.raises(ValueError, match=words):
            tensorpad.inspect_model(path, input_shapes=shapes)
    for shapes, words in (
        ({"x": [2.5, 3]}, "the shape of 'x' has to be integers, got 2.5"),
        ({"x": ["a", 3]}, "the shape of 'x' has to be integers, got 'a'"),
        ({"x": "23"}, "the shape of 'x' has to be integers, got '2'"),
        ({"x": None}, "the shape of 'x' has to be integers, got None"),
        ({5: [2, 3]}, "has to be a dict by names of inputs, got 5"),
        ([2, 3], r"has to be a dict by the names of inputs, got \[2, 3\]"),
        ([("x", [2, 3])], "has to be a dict by the names of inputs"),
        ("x", "has to be a dict by the names of inputs, got 'x'"),
    ):
        for call in (tensorpad.inspect_model, tensorpad.check_model):
            with pytest.raises(TypeError, match=f"^input_shapes.*{words}"):
                call(path, input_shapes=shapes)
        with pytest.raises(TypeError, match=f"^input_shapes.*{words}"):
            tensorpad.lower_model(path, tmp_path / "b.onnx", "ort-1.31", input_shapes=shapes)
    with pytest.raises(
        ValueError, match="'x' is 1180591620717411303424, which is more than 64 bits"
    ):
        tensorpad.inspect_model(path, input_shapes={"x": [2**70, 3]})
    for words in ({"dims": {"n": 2}}, {"dims": {"x:0": 2}}):
        (node,) = tensorpad.inspect_model(path, **words)
        assert (node.begin, node.output_shape) == ((2, 3), (6, 9))
    for words, said in (
        ({"dims": {"q": 2}}, "no input has a dimension 'q'"),
        ({"assume": {"x:1": 4}}, "3 cells"),
    ):
        with pytest.raises(ValueError, match=said):
            tensorpad.inspect_model(path, **words)
    for words, said in (
        ({"dims": {"n": [2]}}, "the extent of 'n' has to be integers"),
        ({"assume": 3}, "has to be a dict"),
    ):
        with pytest.raises(TypeError, match=said):
            tensorpad.check_model(path, **words)


def test_a_bound_settles_a_verdict(tmp_path):
    pad = helper.make_node("Pad", ["x", "p"], ["y"], mode="reflect")
    path = save(
        tmp_path / "a.onnx",
        [helper.make_node("Constant", [], ["p"], value_ints=[64, 0]), pad],
        [("x", TensorProto.FLOAT, ("n",))],
        [("y", TensorProto.FLOAT, None)],
    )

    def verdict(**words):
        (node,) = tensorpad.check_model(path, "ort-1.31", **words)
        return node["verdicts"][0]["verdict"]

    assert [verdict(assume={"n": least}) for least in (64, 65)] == ["unknown", "same"]
    assert [verdict(dims={"n": extent}) for extent in (64, 65)] == ["refuses", "same"]
    nodes = tensorpad.lower_model(path, tmp_path / "b.onnx", "ort-1.31", assume={"n": 65})
    assert [node["outcome"] for node in nodes] == ["kept"]


def test_inspect(tmp_path):
    nodes = tensorpad.inspect_model(pad_model(tmp_path / "a.onnx", mode="reflect"))
    assert len(nodes) == 1
    node = nodes[0]
    assert (node.name, node.graph, node.output, node.spec, node.version) == (
        "first",
        "",
        "y",
        "onnx",
        25,
    )
    assert (node.mode, node.type, node.begin, node.end, node.axes) == (
        "reflect",
        "float",
        (1, 0),
        (0, 2),
        None,
    )
    assert node.input_shape == (None, 3) and node.output_shape == (None, 5)
    assert isinstance(node.findings, tuple) and node.computed == ()
    with pytest.raises(AttributeError):
        node.name = "x"
    (node,) = tensorpad.inspect_model(pad_model(tmp_path / "b.onnx", mode="symmetric"))
    assert len(node.findings) == 1 and "symmetric" in node.findings[0]


def test_inspect_tells_what_the_command_tells():
    model = DATA / "basic_pitch/saved_models/icassp_2022/nmp.onnx"
    if not model.exists():
        pytest.skip("the models of make demo are missing")
    done = subprocess.run(
        [sys.executable, "-m", "tensorpad", "inspect", "--json", model],
        capture_output=True,
        text=True,
        check=True,
    )
    theirs = json.loads(done.stdout)["nodes"]
    ours = tensorpad.inspect_model(model)
    assert len(ours) == len(theirs) > 10
    for node, other in zip(ours, theirs):
        for key, value in other.items():
            found = getattr(node, key)
            assert (list(found) if isinstance(found, tuple) else found) == value, key


def command(*words):
    done = subprocess.run(
        [sys.executable, "-m", "tensorpad", *words], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_check_tells_what_the_command_tells(tmp_path):
    path = pad_model(tmp_path / "a.onnx", mode="reflect", pads=(0, 0, 0, 3), shape=(2, 3))
    nodes = tensorpad.check_model(path)
    (model,) = json.loads(command("check", "--format", "json", path))["models"]
    for node in model["nodes"]:
        for verdict in node["verdicts"]:
            del verdict["accepted"]
    assert json.loads(json.dumps(nodes)) == model["nodes"]  # where tuples are lists
    found = {verdict["target"]: verdict["verdict"] for verdict in nodes[0]["verdicts"]}
    assert len(found) == 23 and found["ort-1.31"] == "refuses"


@pytest.mark.parametrize("form", [onnx.load_from_string, bytes, bytearray, memoryview])
def test_models_in_memory(tmp_path, form):
    """They say what the file says, and nothing is written."""
    path = pad_model(tmp_path / "a.onnx", mode="reflect", pads=(0, 0, 0, 3), shape=("n", 3))
    model = form(path.read_bytes())
    said = {"input_shapes": {"x": (2, 3)}}
    assert tensorpad.inspect_model(model, **said) == tensorpad.inspect_model(path, **said)
    assert tensorpad.check_model(model, "ort", dims={"n": 2}) == tensorpad.check_model(
        path, "ort", dims={"n": 2}
    )
    nodes = tensorpad.lower_model(model, tmp_path / "b.onnx", ["ort"])
    assert nodes == tensorpad.lower_model(path, tmp_path / "c.onnx", ["ort"])
    assert (tmp_path / "b.onnx").read_bytes() == (tmp_path / "c.onnx").read_bytes()
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a.onnx", "b.onnx", "c.onnx"]
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    assert np.array_equal(tensorpad.run_model(model, x)["y"], tensorpad.run_model(path, x)["y"])


def test_models_in_memory_that_are_none(tmp_path):
    for content, words in (
        (b"no model", "the model: no valid ONNX model"),
        (b"", "the model: .*no graph"),
    ):
        with pytest.raises(ValueError, match=words):
            tensorpad.check_model(content)
    with pytest.raises(TypeError, match="a path, an onnx.ModelProto or its bytes, got int"):
        tensorpad.check_model(3)
    path = pad_model(tmp_path / "a.onnx", mode="wrap", pads=(0, 0, 0, 1))
    with pytest.raises(ValueError, match="the model: 1 of 1 Pad nodes cannot be lowered") as caught:
        tensorpad.lower_model(path.read_bytes(), tmp_path / "b.onnx", ["openvino", "coreml"])
    assert len(str(caught.value)) < 500 and not (tmp_path / "b.onnx").exists()
    with pytest.raises(ValueError, match="^the model: input 'x'"):
        tensorpad.run_model(path.read_bytes())


def test_external_data_needs_a_path(tmp_path):
    model = onnx.load(pad_model(tmp_path / "a.onnx", mode="edge"))
    pads = np.array([1, 0, 0, 2])
    model.graph.initializer[0].CopyFrom(onnx.numpy_helper.from_array(pads, "pads"))  # as raw data
    onnx.save(
        model, tmp_path / "b.onnx", save_as_external_data=True, size_threshold=0, location="b.data"
    )
    (node,) = tensorpad.inspect_model(tmp_path / "b.onnx")
    assert node.begin == (1, 0)
    content = (tmp_path / "b.onnx").read_bytes()
    (node,) = tensorpad.inspect_model(content)
    assert (
        node.begin is None
        and "external data 'b.data', but it is not in a folder" in node.findings[0]
    )
    with pytest.raises(
        ValueError, match="external data in '.*b.data', which bytes do not have: give the path"
    ):
        tensorpad.lower_model(content, tmp_path / "c.onnx", ["ort"])


def test_check_targets(tmp_path):
    path = pad_model(tmp_path / "a.onnx", mode="constant")
    for targets, expected in (
        (["ort", "ort-1.25", "coreml"], ["ort-1.32", "ort-1.25", "coreml"]),
        ("ort-1.31.1", ["ort-1.31"]),
        ((), []),
        ((name for name in ("tract",)), ["tract-0.23"]),
    ):
        (node,) = tensorpad.check_model(path, targets)
        assert [verdict["target"] for verdict in node["verdicts"]] == expected
    with pytest.raises(ValueError, match="unknown target 'ort-9'; known are ort-1.17 ort-1.20"):
        tensorpad.check_model(path, ["ort", "ort-9"])
    with pytest.raises(TypeError):
        tensorpad.check_model(path, [131])
    empty = save(
        tmp_path / "b.onnx",
        [helper.make_node("Relu", ["x"], ["y"])],
        [("x", TensorProto.FLOAT, (1,))],
        [("y", TensorProto.FLOAT, None)],
    )
    assert tensorpad.check_model(empty) == []
    with pytest.raises(ValueError, match="'ort-9'"):
        tensorpad.check_model(empty, ["ort-9"])
    with pytest.raises(FileNotFoundError):
        tensorpad.check_model(tmp_path / "none.onnx")


def test_check_with_input_shapes(tmp_path):
    path = pad_model(tmp_path / "a.onnx", mode="reflect", pads=(3, 0, 0, 0), shape=("n", 3))
    expected = {None: "unknown", 3: "refuses", 4: "same"}
    for extent, verdict in expected.items():
        shapes = {"x": (extent, 3)} if extent else None
        (node,) = tensorpad.check_model(path, "ort-1.31", input_shapes=shapes)
        assert node["verdicts"][0]["verdict"] == verdict, extent


def test_explain():
    page = tensorpad.explain("TP104")
    assert page == tensorpad.explain("104") and page["code"] == "TP104"
    assert page["verdict"] == "refuses" and "reflect" in page["title"] and page["source"] is None
    assert "ort-1.31" in page["targets"] and "ort-1.23" not in page["targets"]
    told = " ".join(command("explain", "TP104").split())
    for part in ("code", "verdict", "title", "text", "example", "ways_out"):
        assert " ".join(page[part].split()) in told
    for code in ("TP1", "", "ort"):
        with pytest.raises(ValueError, match=f"no rule '{code}'"):
            tensorpad.explain(code)


def test_run_model(tmp_path):
    path = pad_model(tmp_path / "a.onnx", mode="edge")
    x = np.arange(6, dtype="f4").reshape(2, 3)
    expected = np.pad(x, ((1, 0), (0, 2)), "edge")
    for given in (
        {"x": x},
        x,
        {"x": np.asfortranarray(x)},
        {"x": x.astype(">f4")},
        x.tolist(),
        memoryview(x),
    ):
        found = tensorpad.run_model(path, given)
        assert list(found) == ["y"] and found["y"].dtype == np.float32
        assert np.array_equal(found["y"], expected)
    assert np.array_equal(tensorpad.run_model(str(path), x, node="first")["y"], expected)


@pytest.mark.parametrize(
    "name, type",
    [
        ("bfloat16", TensorProto.BFLOAT16),
        ("float8_e4m3fn", TensorProto.FLOAT8E4M3FN),
        ("int4", TensorProto.INT4),
        ("uint4", TensorProto.UINT4),
        ("int2", TensorProto.INT2),
        ("uint2", TensorProto.UINT2),
        ("float4_e2m1fn", TensorProto.FLOAT4E2M1),
        ("float16", TensorProto.FLOAT16),
        ("complex128", TensorProto.COMPLEX128),
        ("bool", TensorProto.BOOL),
    ],
)
def test_types(tmp_path, name, type):
    dtype = np.dtype(getattr(ml_dtypes, name, name))
    x = (
        (np.arange(15) % 4 - (2 if name.startswith("int") else 0))
        .reshape(5, 3)
        .astype("f4")
        .astype(dtype)
    )
    found = tensorpad.run_model(pad_model(tmp_path / "a.onnx", type, mode="wrap", shape=(5, 3)), x)[
        "y"
    ]
    expected = np.pad(x, ((1, 0), (0, 2)), "wrap")
    assert found.dtype == dtype and found.tobytes() == expected.tobytes()


def test_strings(tmp_path):
    path = pad_model(tmp_path / "a.onnx", TensorProto.STRING, shape=("n", "m"))
    found = tensorpad.run_model(path, np.array([["a", "bücher"]]))["y"]
    assert found.dtype == object and found.tolist() == [[""] * 4, ["a", "bücher", "", ""]]
    assert tensorpad.run_model(path, np.array([[b"x"]], object))["y"].tolist()[1] == ["x", "", ""]


def test_several_inputs_and_outputs(tmp_path):
    nodes = [
        helper.make_node("Pad", ["x", "pads"], ["a"]),
        helper.make_node("Pad", ["a", "pads", "v"], ["b"]),
    ]
    path = save(
        tmp_path / "m.onnx",
        nodes,
        [
            ("x", TensorProto.INT32, ["n"]),
            ("pads", TensorProto.INT64, [2]),
            ("v", TensorProto.INT32, []),
        ],
        [("b", TensorProto.INT32, None), ("a", TensorProto.INT32, None)],
    )
    found = tensorpad.run_model(path, {"x": np.int32([5]), "pads": [1, 0], "v": np.int32(7)})
    assert {name: array.tolist() for name, array in found.items()} == {"b": [7, 0, 5], "a": [0, 5]}
    assert list(found) == ["b", "a"]
    nodes = tensorpad.inspect_model(path)
    assert nodes[0].computed == ("pads",)


def test_errors(tmp_path):
    path = pad_model(tmp_path / "a.onnx")
    good = np.zeros((2, 3), "f4")
    junk = tmp_path / "junk.onnx"
    junk.write_bytes(b"\x0a\xff\xff")
    for call, error, text in (
        (lambda: tensorpad.inspect_model(tmp_path / "none.onnx"), FileNotFoundError, "none.onnx"),
        (lambda: tensorpad.inspect_model(junk), ValueError, "junk.onnx"),
        (lambda: tensorpad.inspect_model(tmp_path), OSError, ""),
        (lambda: tensorpad.run_model(path), ValueError, "input 'x' .float. is missing"),
        (lambda: tensorpad.run_model(path, {"z": good}), ValueError, "no input 'z'"),
        (lambda: tensorpad.run_model(path, good.astype("f8")), ValueError, "type float"),
        (lambda: tensorpad.run_model(path, good.astype("M8[s]")), TypeError, "datetime"),
        (lambda: tensorpad.run_model(path, good[0]), ValueError, r"shape \[\?,3\], but \[3\]"),
        (lambda: tensorpad.run_model(path, good[:, :2]), ValueError, r"but \[2,2\]"),
        (lambda: tensorpad.run_model(path, good, node="nobody"), ValueError, "nobody"),
    ):
        with pytest.raises(error, match=text) if text else pytest.raises(error):
            call()


def test_an_ir_of_openvino(tmp_path):
    ov = pytest.importorskip("openvino")
    from openvino import opset12

    x = opset12.parameter([2, 3], np.float32, name="x")
    pad = opset12.pad(x, np.int64([1, 0]), np.int64([0, -1]), "edge")
    path = tmp_path / "m.xml"
    ov.save_model(ov.Model([pad], [x]), path, compress_to_fp16=False)
    (node,) = tensorpad.inspect_model(path)
    assert (node.spec, node.version, node.mode, node.end) == ("openvino", 12, "edge", (0, -1))
    data = np.arange(6, dtype="f4").reshape(2, 3)
    (found,) = tensorpad.run_model(path, data).values()
    assert np.array_equal(found, tensorpad.pad(data, [(1, 0), (0, -1)], "edge"))


def test_the_command(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "tensorpad", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith(f"tensorpad {tensorpad.__version__}")
    np.save(tmp_path / "x.npy", np.arange(3))
    subprocess.run(
        [
            sys.executable,
            "-m",
            "tensorpad",
            "pad",
            "-q",
            "--pads",
            "1,1",
            tmp_path / "x.npy",
            tmp_path / "y.npy",
        ],
        check=True,
    )
    assert np.load(tmp_path / "y.npy").tolist() == [0, 0, 1, 2, 0]
    failed = subprocess.run([sys.executable, "-m", "tensorpad", "nonsense"], capture_output=True)
    assert failed.returncode == 2


def test_importing_loads_no_parser():
    code = (
        "import sys, tensorpad; assert 'tensorpad._models' not in sys.modules; "
        "tensorpad.inspect_model; assert 'tensorpad._models' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
