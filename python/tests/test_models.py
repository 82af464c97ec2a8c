"""inspect_model, check_model, lower_model, explain, run_model and python -m tensorpad."""

import json
import os
import pathlib
import re
import subprocess
import sys

import ml_dtypes
import numpy as np
import pytest
import tensorpad
from calls import run_meanwhile

onnx = pytest.importorskip("onnx")

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = pathlib.Path(os.environ.get("TENSORPAD_DATA", "build/data"))


def save(path, graph, opset=25):
    """graph: in the text format of ONNX."""
    text = f'<ir_version: 10, opset_import: ["": {opset}]> g {graph}'
    onnx.save(onnx.parser.parse_model(text), path)
    return path


def pads_of(name, amounts):
    return f"int64[{len(amounts)}] {name} = {{{','.join(map(str, amounts))}}}"


def pad_model(path, type="float", pads=(1, 0, 0, 2), shape="n,3", mode="constant"):
    return save(
        path,
        f"({type}[{shape}] x) => ({type}[] y) <{pads_of('pads', pads)}> "
        f'{{ [first] y = Pad<mode="{mode}">(x, pads) }}',
    )


def chain_of(path, *pads, inputs=""):
    """Pads one after the other: (name, mode, amounts, or the name of an input)."""
    nodes, constants, data = [], [], "x"
    for name, mode, amounts in pads:
        if not isinstance(amounts, str):
            constants.append(pads_of(f"{name}_pads", amounts))
            amounts = f"{name}_pads"
        nodes.append(f'[{name}] {name}_y = Pad<mode="{mode}">({data}, {amounts})')
        data = f"{name}_y"
    graph = f"(float[2,3] x{inputs}) => (float[a,b] {data}) <{', '.join(constants)}>"
    return save(path, graph + "{" + " ".join(nodes) + "}", opset=19)


FRAME, AROUND = ("frame", "constant", [0, 1, 0, 1]), ("around", "wrap", [2, 0, 3, 0])


@pytest.fixture
def chain(tmp_path):
    """One Pad that all run, one that OpenVINO refuses, one whose amounts are an input."""
    late = ("late", "wrap", "n")
    return chain_of(tmp_path / "chain.onnx", FRAME, AROUND, late, inputs=", int64[4] n")


def command(*words):
    done = subprocess.run(
        [sys.executable, "-m", "tensorpad", *words], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


# ---- inspect_model and check_model ---------------------------------------------------------------

# Keywords that are refused by inspect_model, check_model and lower_model, with the pads computed from x.
SHAPES = [
    ({"z": [2, 3]}, ValueError, "'z'"),
    ({"x": [2]}, ValueError, r"\[\?,3\]"),
    ({"x": [-2, 3]}, ValueError, "-2"),
    ({"x": [2**70, 3]}, ValueError, "'x' is 1180591620717411303424, which is more than 64 bits"),
    ({"x": [2.5, 3]}, TypeError, "^input_shapes.*the shape of 'x' has to be integers, got 2.5"),
    ({"x": ["a", 3]}, TypeError, "^input_shapes.*the shape of 'x' has to be integers, got 'a'"),
    ({"x": "23"}, TypeError, "^input_shapes.*the shape of 'x' has to be integers, got '2'"),
    ({"x": None}, TypeError, "^input_shapes.*the shape of 'x' has to be integers, got None"),
    ({5: [2, 3]}, TypeError, "^input_shapes.*has to be a dict by names of inputs, got 5"),
    ([2, 3], TypeError, r"^input_shapes.*has to be a dict by the names of inputs, got \[2, 3\]"),
    ([("x", [2, 3])], TypeError, "^input_shapes.*has to be a dict by the names of inputs"),
    ("x", TypeError, "^input_shapes.*has to be a dict by the names of inputs, got 'x'"),
]
WORDS = [({"input_shapes": shapes}, *row) for shapes, *row in SHAPES] + [
    ({"dims": {"q": 2}}, ValueError, "no input has a dimension 'q'"),
    ({"assume": {"x:1": 4}}, ValueError, "3 cells"),
    ({"dims": {"n": [2]}}, TypeError, "the extent of 'n' has to be integers"),
    ({"assume": 3}, TypeError, "has to be a dict"),
]


def test_what_follows_from_a_shape_that_is_given(tmp_path):
    """Here the pads, which are the shape of x."""
    path = save(
        tmp_path / "a.onnx",
        "(float[n,3] x) => (float[] y) "
        "{ s = Shape(x) pads = Concat<axis=0>(s, s) y = Pad(x, pads) }",
    )
    (node,) = tensorpad.inspect_model(path)
    assert (node.computed, node.output_shape) == (("pads",), (None, 9))
    shapes = {"input_shapes": {"x": np.array([2, 3])}}
    for words in (shapes, {"dims": {"n": 2}}, {"dims": {"x:0": 2}}):
        (node,) = tensorpad.inspect_model(path, **words)
        assert (node.computed, node.begin, node.output_shape) == ((), (2, 3), (6, 9))
    for words, error, text in WORDS:
        for call in (tensorpad.inspect_model, tensorpad.check_model):
            with pytest.raises(error, match=text):
                call(path, **words)
        with pytest.raises(error, match=text):
            tensorpad.lower_model(path, tmp_path / "b.onnx", "ort-1.31", **words)


def test_a_bound_settles_a_verdict(tmp_path):
    path = pad_model(tmp_path / "a.onnx", pads=(64, 0), shape="n", mode="reflect")

    def verdict(**words):
        (node,) = tensorpad.check_model(path, "ort-1.31", **words)
        return node["verdicts"][0]["verdict"]

    assert [verdict(assume={"n": least}) for least in (64, 65)] == ["unknown", "same"]
    assert [verdict(dims={"n": extent}) for extent in (64, 65)] == ["refuses", "same"]
    shapes = [None, {"x": (64,)}, {"x": (65,)}]
    assert [verdict(input_shapes=one) for one in shapes] == ["unknown", "refuses", "same"]
    nodes = tensorpad.lower_model(path, tmp_path / "b.onnx", "ort-1.31", assume={"n": 65})
    assert [node["outcome"] for node in nodes] == ["kept"]


def test_inspect(tmp_path):
    (node,) = tensorpad.inspect_model(pad_model(tmp_path / "a.onnx", mode="reflect"))
    found = {word: getattr(node, word) for word in ("name", "graph", "output", "spec", "version")}
    assert found == dict(name="first", graph="", output="y", spec="onnx", version=25)
    found = {word: getattr(node, word) for word in ("mode", "type", "begin", "end", "axes")}
    assert found == dict(mode="reflect", type="float", begin=(1, 0), end=(0, 2), axes=None)
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
    theirs = json.loads(command("inspect", "--json", model))["nodes"]
    ours = tensorpad.inspect_model(model)
    assert len(ours) == len(theirs) > 10
    for node, other in zip(ours, theirs):
        for key, value in other.items():
            found = getattr(node, key)
            assert (list(found) if isinstance(found, tuple) else found) == value, key


def test_check_tells_what_the_command_tells(tmp_path):
    path = pad_model(tmp_path / "a.onnx", mode="reflect", pads=(0, 0, 0, 3), shape="2,3")
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
    path = pad_model(tmp_path / "a.onnx", mode="reflect", pads=(0, 0, 0, 3))
    model, words = form(path.read_bytes()), {"input_shapes": {"x": (2, 3)}}
    assert tensorpad.inspect_model(model, **words) == tensorpad.inspect_model(path, **words)
    words = {"targets": "ort", "dims": {"n": 2}}
    assert tensorpad.check_model(model, **words) == tensorpad.check_model(path, **words)
    nodes = tensorpad.lower_model(model, tmp_path / "b.onnx", ["ort"])
    assert nodes == tensorpad.lower_model(path, tmp_path / "c.onnx", ["ort"])
    assert (tmp_path / "b.onnx").read_bytes() == (tmp_path / "c.onnx").read_bytes()
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a.onnx", "b.onnx", "c.onnx"]
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    assert np.array_equal(tensorpad.run_model(model, x)["y"], tensorpad.run_model(path, x)["y"])


def test_models_in_memory_that_are_none(tmp_path):
    path = pad_model(tmp_path / "a.onnx", mode="wrap", pads=(0, 0, 0, 1))
    content, out = path.read_bytes(), tmp_path / "b.onnx"
    for call, error, text in (
        (lambda: tensorpad.check_model(b"no model"), ValueError, "the model: not a valid ONNX"),
        (lambda: tensorpad.check_model(b""), ValueError, "the model: .*no graph"),
        (
            lambda: tensorpad.check_model(3),
            TypeError,
            "a path, an onnx.ModelProto or its bytes, got",
        ),
        (
            lambda: tensorpad.lower_model(content, out, ["openvino", "coreml"]),
            ValueError,
            "the model: 1 of 1 Pad nodes cannot be lowered",
        ),
        (lambda: tensorpad.run_model(content), ValueError, "^the model: input 'x'"),
    ):
        with pytest.raises(error, match=text) as caught:
            call()
        assert len(str(caught.value)) < 500 and not out.exists()


def test_external_data_needs_a_path(tmp_path):
    model = onnx.load(pad_model(tmp_path / "a.onnx", mode="edge"))
    pads = np.array([1, 0, 0, 2])
    model.graph.initializer[0].CopyFrom(onnx.numpy_helper.from_array(pads, "pads"))  # as raw data
    words = {"save_as_external_data": True, "size_threshold": 0, "location": "b.data"}
    onnx.save(model, tmp_path / "b.onnx", **words)
    (node,) = tensorpad.inspect_model(tmp_path / "b.onnx")
    assert node.begin == (1, 0)
    content = (tmp_path / "b.onnx").read_bytes()
    (node,) = tensorpad.inspect_model(content)
    text = "external data 'b.data', but it is not in a folder"
    assert node.begin is None and text in node.findings[0]
    text = "external data in '.*b.data', which bytes do not have: give the path"
    with pytest.raises(ValueError, match=text):
        tensorpad.lower_model(content, tmp_path / "c.onnx", ["ort"])


def test_targets(tmp_path):
    path, out = pad_model(tmp_path / "a.onnx", pads=(0, 1, 0, 1)), tmp_path / "out.onnx"
    for targets, expected in (
        (["ort", "ort-1.25", "coreml"], ["ort-1.32", "ort-1.25", "coreml"]),
        ("ort-1.31.1", ["ort-1.31"]),
        ((), []),
        ((name for name in ("tract",)), ["tract-0.23"]),
    ):
        (node,) = tensorpad.check_model(path, targets)
        assert [verdict["target"] for verdict in node["verdicts"]] == expected
    empty = save(tmp_path / "b.onnx", "(float[1] x) => (float[] y) { y = Relu(x) }")
    assert tensorpad.check_model(empty) == []
    lower, check = tensorpad.lower_model, tensorpad.check_model
    for call, error, text in (
        (
            lambda: check(path, ["ort", "ort-9"]),
            ValueError,
            "target 'ort-9'; known are ort-1.17 ort-1.2",
        ),
        (lambda: check(path, [131]), TypeError, "."),
        (lambda: check(empty, ["ort-9"]), ValueError, "'ort-9'"),
        (lambda: check(tmp_path / "none.onnx"), FileNotFoundError, "."),
        (lambda: lower(path, out, []), ValueError, "1 to 64 targets, got 0"),
        (lambda: lower(path, out, ["ort"] * 65), ValueError, "1 to 64 targets, got 65"),
        (
            lambda: lower(path, out, ["ort", "ort-9"]),
            ValueError,
            "target 'ort-9'; known are ort-1.17",
        ),
        (lambda: lower(path, out, [131]), TypeError, "."),
        (lambda: lower(path, out, "ort", input_shapes={"z": (1,)}), ValueError, "'z'"),
    ):
        with pytest.raises(error, match=text):
            call()
    assert not out.exists()
    assert len(lower(path, out, (n for n in ["ort"]), input_shapes={"x": (2, 3)})) == 1


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


# ---- lower_model ---------------------------------------------------------------------------------


def test_lower_tells_what_the_command_tells(tmp_path, chain):
    nodes = tensorpad.lower_model(chain, tmp_path / "a.onnx", "openvino", partial=True)
    said = command("lower", chain, tmp_path / "b.onnx", "--target=openvino", "--partial", "--json")
    assert json.dumps(nodes) == json.dumps(json.loads(said)["nodes"])  # the keys in this order
    assert (tmp_path / "a.onnx").read_bytes() == (tmp_path / "b.onnx").read_bytes()


def test_what_cannot_be_lowered(tmp_path, chain):
    out = tmp_path / "out.onnx"
    out.write_bytes(b"precious")
    with pytest.raises(ValueError, match=r"1 of 3 Pad nodes .* 'late': .*partial=True") as raised:
        tensorpad.lower_model(chain, out, ["openvino"])
    assert str(chain) in str(raised.value) and out.read_bytes() == b"precious"
    nodes = tensorpad.lower_model(chain, out, ["openvino"], partial=True)
    assert [node["outcome"] for node in nodes] == ["kept", "rewritten", "cannot"]
    assert nodes[2]["operators"] is None and nodes[2]["reason"]
    names = [node.name for node in onnx.load(out).graph.node if node.op_type == "Pad"]
    assert names == ["frame", "late"]
    path = chain_of(tmp_path / "m.onnx", ("pad", "wrap", [4, 0, 0, 0]))
    with pytest.raises(ValueError, match="the versions between were not run"):
        tensorpad.lower_model(path, tmp_path / "out.onnx", "ort-1.25")


def test_files(tmp_path):
    path, out = chain_of(tmp_path / "m.onnx", FRAME), tmp_path / "out.onnx"
    out.write_bytes(b"old")
    (node,) = tensorpad.lower_model(str(path), str(out), "ort")  # overwrites
    assert node["outcome"] == "kept" and out.read_bytes() == path.read_bytes()
    for name, error, text in (
        ("m.onnx", ValueError, "same file"),
        ("out.xml", ValueError, r"\.onnx"),
        ("none/out.onnx", OSError, "none"),
    ):
        with pytest.raises(error, match=text):
            tensorpad.lower_model(path, tmp_path / name, "ort")
    with pytest.raises(FileNotFoundError):
        tensorpad.lower_model(tmp_path / "none.onnx", out, "ort")
    assert sorted(os.listdir(tmp_path)) == ["m.onnx", "out.onnx"]


def test_other_threads_run_meanwhile(tmp_path):
    """The GIL is free while a large model is written."""
    model = onnx.load(chain_of(tmp_path / "m.onnx", FRAME))
    weight = onnx.helper.make_tensor("w", 2, [1 << 26], bytes(1 << 26), raw=True)
    model.graph.initializer.append(weight)
    onnx.save(model, tmp_path / "m.onnx")
    loaded = tensorpad._model_files.load(tmp_path / "m.onnx")
    lower, out = tensorpad._model_files._models.lower, os.fsencode(tmp_path / "o.onnx")
    assert run_meanwhile(lambda: lower(loaded, ("ort",), out, False, False, False))


def test_the_example_of_the_page(tmp_path):
    chain_of(tmp_path / "model.onnx", FRAME, AROUND, ("mirror", "reflect", [0, 6, 0, 0]))
    page = (ROOT / "docs/lower.md").read_text(encoding="utf-8")
    calls = re.findall(r"^    \$ tensorpad (.*)\n((?:    (?!\$).*\n)+)", page, re.M)
    assert [call.split()[0] for call, _ in calls] == ["check", "lower", "check"]
    for call, shown in calls:
        words = [sys.executable, "-m", "tensorpad", *call.split()]
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode in (0, 4) and done.stdout.split() == shown.split(), call


def test_pads_that_become_a_part_of_a_conv(tmp_path):
    path, out = tmp_path / "m.onnx", tmp_path / "out.onnx"
    weights = f"float[1,1,3] w = {{1,2,3}}, {pads_of('p', (0, 0, 1, 0, 0, 2))}"
    nodes = "{ [pad] a = Pad(x, p) [conv] y = Conv(a, w) }"
    save(path, f"(float[1,1,5] x) => (float[1,1,6] y) <{weights}> {nodes}", opset=19)
    for targets, fold, found in (
        (["ort-1.31"], True, ["folded", "Conv conv", None]),
        (["ort-1.31"], False, ["kept", None, None]),
    ):
        (node,) = tensorpad.lower_model(path, out, targets, fold=fold)
        assert [node["outcome"], node["into"], node["not_folded"]] == found
        assert [one.op_type for one in onnx.load(out).graph.node] == ["Pad", "Conv"][fold:]
    (node,) = tensorpad.lower_model(path, out, ["ort-1.31", "tensorrt"], fold=True)
    assert node["not_folded"] == "tensorrt is not known to run Conv with such pads correctly"


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
    (node,) = tensorpad.lower_model(path, tmp_path / "out.xml", "openvino")
    assert node["outcome"] == "kept"
    for ending in ("xml", "bin"):
        made, given = (tmp_path / f"{name}.{ending}" for name in ("out", "m"))
        assert made.read_bytes() == given.read_bytes()


# ---- run_model -----------------------------------------------------------------------------------


def test_run_model(tmp_path):
    path, x = pad_model(tmp_path / "a.onnx", mode="edge"), np.arange(6, dtype="f4").reshape(2, 3)
    expected = np.pad(x, ((1, 0), (0, 2)), "edge")
    swapped, columns = x.astype(">f4"), np.asfortranarray(x)
    for given in ({"x": x}, x, {"x": columns}, {"x": swapped}, x.tolist(), memoryview(x)):
        found = tensorpad.run_model(path, given)
        assert list(found) == ["y"] and found["y"].dtype == np.float32
        assert np.array_equal(found["y"], expected)
    assert np.array_equal(tensorpad.run_model(str(path), x, node="first")["y"], expected)


# By the names of ml_dtypes or NumPy, where ONNX has others.
TYPES = {"float8_e4m3fn": "float8e4m3fn", "float4_e2m1fn": "float4e2m1"}
NAMES = "bfloat16 float8_e4m3fn int4 uint4 int2 uint2 float4_e2m1fn float16 complex128 bool".split()


@pytest.mark.parametrize("name", NAMES)
def test_types(tmp_path, name):
    numbers = np.arange(15) % 4 - (2 if name.startswith("int") else 0)
    x = numbers.reshape(5, 3).astype("f4").astype(getattr(ml_dtypes, name, name))
    path = pad_model(tmp_path / "a.onnx", TYPES.get(name, name), mode="wrap", shape="5,3")
    found, expected = tensorpad.run_model(path, x)["y"], np.pad(x, ((1, 0), (0, 2)), "wrap")
    assert found.dtype == x.dtype and found.tobytes() == expected.tobytes()


def test_strings(tmp_path):
    path = pad_model(tmp_path / "a.onnx", "string", shape="n,m")
    found = tensorpad.run_model(path, np.array([["a", "bücher"]]))["y"]
    assert found.dtype == object and found.tolist() == [[""] * 4, ["a", "bücher", "", ""]]
    assert tensorpad.run_model(path, np.array([[b"x"]], object))["y"].tolist()[1] == ["x", "", ""]


def test_several_inputs_and_outputs(tmp_path):
    path = save(
        tmp_path / "m.onnx",
        "(int32[n] x, int64[2] pads, int32 v) => (int32[] b, int32[] a) "
        "{ a = Pad(x, pads) b = Pad(a, pads, v) }",
    )
    found = tensorpad.run_model(path, {"x": np.int32([5]), "pads": [1, 0], "v": np.int32(7)})
    assert {name: array.tolist() for name, array in found.items()} == {"b": [7, 0, 5], "a": [0, 5]}
    assert list(found) == ["b", "a"]
    assert tensorpad.inspect_model(path)[0].computed == ("pads",)


def test_errors(tmp_path):
    path, junk, good = (
        pad_model(tmp_path / "a.onnx"),
        tmp_path / "junk.onnx",
        np.zeros((2, 3), "f4"),
    )
    junk.write_bytes(b"\x0a\xff\xff")
    run, inspect = tensorpad.run_model, tensorpad.inspect_model
    for call, error, text in (
        (lambda: inspect(tmp_path / "none.onnx"), FileNotFoundError, "none.onnx"),
        (lambda: inspect(junk), ValueError, "junk.onnx"),
        (lambda: inspect(tmp_path), OSError, "."),
        (lambda: run(path), ValueError, "input 'x' .float. is missing"),
        (
            lambda: run(path, good, max_bytes=59),
            ValueError,
            "max_bytes=N. allows more than 59 byte",
        ),
        (lambda: run(path, good, max_bytes=0), ValueError, "max_bytes has to be at least 1, got 0"),
        (lambda: run(path, good, max_bytes=1.5), TypeError, "max_bytes has to be an integer"),
        (lambda: run(path, {"z": good}), ValueError, "no input 'z'"),
        (lambda: run(path, good.astype("f8")), ValueError, "type float"),
        (lambda: run(path, good.astype("M8[s]")), TypeError, "datetime"),
        (lambda: run(path, good[0]), ValueError, r"shape \[\?,3\], but \[3\]"),
        (lambda: run(path, good[:, :2]), ValueError, r"but \[2,2\]"),
        (lambda: run(path, good, node="nobody"), ValueError, "nobody"),
    ):
        with pytest.raises(error, match=text):
            call()


def test_the_command(tmp_path):
    assert command("--version").startswith(f"tensorpad {tensorpad.__version__}")
    np.save(tmp_path / "x.npy", np.arange(3))
    command("pad", "-q", "--pads", "1,1", tmp_path / "x.npy", tmp_path / "y.npy")
    assert np.load(tmp_path / "y.npy").tolist() == [0, 0, 1, 2, 0]
    failed = subprocess.run([sys.executable, "-m", "tensorpad", "nonsense"], capture_output=True)
    assert failed.returncode == 2
