"""OpenVINO IR files as the openvino package writes them, run by the command and by OpenVINO.

SPDX-License-Identifier: MIT

What Pad itself gives, and where OpenVINO differs, the cases of the kit show (conformance/).
"""

import json
import random
import shutil

import harness
import numpy as np
import openvino as ov
import pytest
from harness import fail, succeed
from kit import ir_model, oracle
from openvino import opset1, opset8, opset12, opset14

# OpenVINO's type: ONNX's, which the files of arrays have
WORDS = {name: word for word, name in ir_model.NAMES.items() if word != "string"}
MODES = ["constant", "edge", "reflect", "symmetric"]
OPSETS = {1: opset1, 12: opset12}
CORE = ov.Core()


def bits_of(word):
    return harness.TYPES[WORDS[word]][0]


# ---- Models --------------------------------------------------------------------------------------


def tensor(word, shape, cells):
    """A tensor of any type of numbers, by its bits."""
    made = ov.Tensor(getattr(ov.Type, word), ov.Shape(shape))
    raw = np.frombuffer(harness.to_bytes(cells, bits_of(word)), np.uint8)
    if raw.size:
        made.data.reshape(-1).view(np.uint8)[:] = raw
    return made


def constant(word, shape, cells):
    return ov.op.Constant(tensor(word, shape, cells))


def parameter(word, shape, name="x"):
    return opset8.parameter(ov.PartialShape(shape), getattr(ov.Type, word), name=name)


def pad(version, data, begin, end, mode, value=None, name="pad"):
    """A Pad of lists, or of nodes that compute them."""
    begin, end = (
        np.array(amounts, np.int64) if isinstance(amounts, (list, tuple)) else amounts
        for amounts in (begin, end)
    )
    values = [] if value is None else [value]
    node = OPSETS[version].pad(data, begin, end, mode, *values)
    node.set_friendly_name(name)
    return node


def save(folder, outputs, inputs, name="m.xml", compress=False):
    ov.save_model(ov.Model(outputs, inputs, "m"), folder / name, compress_to_fp16=compress)
    return folder / name


def by_openvino(path, *given):
    """What OpenVINO makes of (word, shape, cells) arrays: (shape, cells) of the first output."""
    request = CORE.compile_model(path, "CPU").create_infer_request()
    for index, (word, shape, cells) in enumerate(given):
        request.set_input_tensor(index, tensor(word, shape, cells))
    request.infer()
    found = request.get_output_tensor(0)
    shape = list(found.shape)
    bits = bits_of(found.element_type.get_type_name())
    # As harness.from_bytes, without a look at the unused bits.
    stream = int.from_bytes(np.array(found.data).tobytes(), "little")
    return shape, [stream >> (k * bits) & ((1 << bits) - 1) for k in range(int(np.prod(shape)))]


def by_command(path, *given, options=()):
    """The same by the command; given: (name, word, shape, cells)."""
    folder = path.parent
    words = []
    for name, word, shape, cells in given:
        ending = ".pb" if bits_of(word) < 8 else ".npy"
        file = folder / f"in_{len(words)}{ending}"
        write = harness.write_pb if ending == ".pb" else harness.write_npy
        write(file, WORDS[word], shape, cells)
        words.append(f"--input={name}={file}")
    packed = any(bits_of(word) < 8 for _, word, _, _ in given[:1])
    out = folder / ("y.pb" if packed else "y.npy")
    succeed("run", path, *words, *options, f"--output={out}", "-f")
    _, shape, cells = harness.read_pb(out) if packed else harness.read_npy(out)
    return shape, cells


def inspect(path):
    found = json.loads(succeed("inspect", "--json", path).stdout)
    assert all(node["spec"] == "openvino" for node in found["nodes"])
    text = succeed("inspect", path).stdout.decode()
    assert text.endswith(f"{len(found['nodes'])} Pad node{'s' * (len(found['nodes']) != 1)}\n")
    return found["nodes"]


@pytest.mark.parametrize("word", ["f16", "bf16", "f32", "f64", "i8", "i32", "u8", "u64", "boolean"])
def test_converted_constants(tmp_path, word):
    """The value and the data as constants of another type, as OpenVINO converts them."""
    rng = random.Random(word)
    for source in "boolean bf16 f16 f32 f64 i4 i8 i16 i32 i64 u4 u8 u16 u32 u64".split():
        numbers = [rng.randrange(2 if source == "boolean" else 8) for _ in range(4)]
        numbers[0] = -1 if source[0] == "i" and word in ("f32", "f16", "i8", "i32") else 1
        if source in ("f16", "f32", "f64", "bf16") and word in ("f16", "bf16", "f32", "f64"):
            numbers[1] = 1.2001953125
        cells = [harness.cell_of(number, WORDS[source]) for number in numbers]
        data = opset8.convert(constant(source, [4], cells), word)
        value = opset8.convert(constant(source, [], cells[:1]), word)
        path = save(tmp_path, [pad(12, data, [1], [0], "constant", value)], [])
        assert by_command(path) == by_openvino(path), (source, word, numbers)


def test_old_and_dynamic_forms(tmp_path):
    """IR version 10, and shapes that only the run knows."""
    x = parameter("f32", [-1, ov.Dimension(1, 5), 3])
    model = ov.Model([pad(12, x, [1, 0, 2], [0, 2, 1], "edge")], [x], "m")
    path = tmp_path / "m.xml"
    ov.serialize(model, path, version="IR_V10")
    assert 'version="10"' in path.read_text()
    (node,) = inspect(path)
    assert node["input_shape"] == [None, None, 3]
    assert node["output_shape"] == [None, None, 6]
    cells = list(range(12))
    expected, shape = oracle.pad(cells, [2, 2, 3], [1, 0, 2], [0, 2, 1], "edge", 0)
    assert by_command(path, ("x", "f32", [2, 2, 3], cells)) == (list(shape), expected)
    assert by_openvino(path, ("f32", [2, 2, 3], cells)) == (list(shape), expected)
    y = opset8.parameter(ov.PartialShape.dynamic(), np.float32, name="x")
    path = save(tmp_path, [pad(12, y, [1, 1], [0, 0], "constant")], [y], "d.xml")
    (node,) = inspect(path)
    assert node["input_shape"] is None and node["begin"] == [1, 1]
    assert [("rank the model does not give" in finding) for finding in node["findings"]] == [True]
    with pytest.raises(RuntimeError, match="dynamic rank"):
        CORE.compile_model(path, "CPU")
    assert by_command(path, ("x", "f32", [1, 1], [7])) == ([2, 2], [0, 0, 0, 7])


def test_computed_arguments(tmp_path):
    x, b = parameter("i32", [3]), parameter("i32", [1], "b")
    v = parameter("i32", [], "v")
    path = save(tmp_path, [pad(12, x, b, [1], "constant", v)], [x, b, v])
    (node,) = inspect(path)
    assert node["computed"] == ["pads_begin", "pad_value"]
    assert "pads_begin: computed at run time (input b)" in succeed("inspect", path).stdout.decode()
    minus = (1 << 32) - 1
    given = [("x", "i32", [3], [1, 2, 3]), ("b", "i32", [1], [2]), ("v", "i32", [], [9])]
    assert by_command(path, *given) == ([6], [9, 9, 1, 2, 3, 9])
    given[1] = ("b", "i32", [1], [minus])
    assert by_command(path, *given) == ([3], [2, 3, 9])
    fail(3, "run", path, f"--output={tmp_path / 'n.npy'}", says=["'x'"])


def test_the_value_of_a_bit(tmp_path):
    x = parameter("u1", [8])
    for value in (0, 1):
        bit = ov.op.Constant(ov.Type.u1, ov.Shape([]), [value])
        [node] = inspect(save(tmp_path, [pad(12, x, [1], [0], "constant", bit)], [x]))
        assert (node["value"], node["type"]) == (str(value), "u1")


def test_chains_and_outputs(tmp_path):
    x = parameter("u8", [2])
    first = pad(1, x, [1], [0], "edge", name="first")
    second = pad(12, first, [0], [3], "symmetric", name="second")
    path = save(tmp_path, [first, second], [x])
    assert [node["name"] for node in inspect(path)] == ["first", "second"]
    np.save(tmp_path / "x.npy", np.array([1, 2], np.uint8))
    names = [output.get_any_name() for output in CORE.read_model(path).outputs]
    outputs = [f"--output={name}={tmp_path / f'y{k}.npy'}" for k, name in enumerate(names)]
    succeed("run", path, f"--input={tmp_path / 'x.npy'}", *outputs)
    assert np.load(tmp_path / "y0.npy").tolist() == [1, 1, 2]
    assert np.load(tmp_path / "y1.npy").tolist() == [1, 1, 2, 2, 1, 1]
    words = ["--node=second", f"--input={tmp_path / 'x.npy'}", f"--output={tmp_path / 'z.npy'}"]
    fail(3, "run", path, *words, says=["has shape [3], but [2] was given"])
    # What is an output without being padded, and an output twice.
    number = constant("u8", [2], [8, 9])
    path = save(tmp_path, [x, number, second, second], [x], "p.xml")
    names = [output.get_any_name() for output in CORE.read_model(path).outputs]
    outputs = [f"--output={name}={tmp_path / f'p{k}.npy'}" for k, name in enumerate(names[:3])]
    succeed("run", path, f"--input={tmp_path / 'x.npy'}", *outputs)
    found = [np.load(tmp_path / f"p{k}.npy").tolist() for k in range(3)]
    assert found == [[1, 2], [8, 9], [1, 1, 2, 2, 1, 1]]
    z = parameter("f32", [2])
    path = save(tmp_path, [pad(12, opset8.relu(z), [1], [0], "edge")], [z], "r.xml")
    fail(3, "run", path, f"--output={tmp_path / 'n.npy'}", says=["ReLU", "--node"])
    assert by_command_node(path, "pad", [1, 2]) == [1, 1, 2]


def by_command_node(path, name, cells):
    """One node of floats, whose cells are taken as they are."""
    harness.write_npy(path.parent / "n.npy", "float", [len(cells)], cells)
    out = path.parent / "o.npy"
    given = f"--input={path.parent / 'n.npy'}"
    succeed("run", path, "--node", name, given, f"--output={out}", "-f")
    return harness.read_npy(out)[2]


def test_bodies(tmp_path):
    """If, Loop and TensorIterator: their Pads are listed and run by path and name."""

    def body(mode):
        x = parameter("f32", [2], "bx")
        result = opset8.result(pad(12, x, [1], [1], mode, name="inner"))
        return ov.Model([result], [x], mode), x, result

    condition, x = parameter("boolean", [], "c"), parameter("f32", [2])
    choice = opset8.if_op(condition)
    (one, x1, r1), (two, x2, r2) = body("edge"), body("symmetric")
    choice.set_then_body(one)
    choice.set_else_body(two)
    choice.set_input(x.output(0), x1, x2)
    out = choice.set_output(r1, r2)
    choice.set_friendly_name("choice")
    path = save(tmp_path, [out], [condition, x])
    nodes = inspect(path)
    graphs = [node["graph"] for node in nodes]
    assert sorted(graphs) == ["choice/else_body", "choice/then_body"]
    for node in nodes:
        got = by_command_node(path, node["graph"] + "/inner", [1, 2])
        assert got == {"edge": [1, 1, 2, 2], "symmetric": [1, 1, 2, 2]}[node["mode"]]
    fail(3, "run", path, "--node=inner", f"--output={tmp_path / 'n.npy'}", says=["2 Pad nodes"])

    x = parameter("f32", [4, 2])
    step = parameter("f32", [1, 2], "bx")
    result = opset8.result(pad(12, step, [0, 1], [0, 1], "edge", name="inner"))
    loop = opset8.tensor_iterator()
    loop.set_body(ov.Model([result], [step], "body"))
    loop.set_sliced_input(step, x.output(0), 0, 1, 1, -1, 0)
    out = loop.get_concatenated_slices(result.output(0), 0, 1, 1, -1, 0)
    loop.set_friendly_name("walk")
    path = save(tmp_path, [out], [x], "t.xml")
    (node,) = inspect(path)
    assert (node["graph"], node["input_shape"]) == ("walk/body", [1, 2])


def test_what_openvino_takes_and_the_document_does_not(tmp_path):
    """Negative amounts and strings in Pad-1: strict refuses, lenient does what OpenVINO does."""
    x = parameter("f32", [4])
    path = save(tmp_path, [pad(1, x, [-1], [3], "reflect")], [x])
    np.save(tmp_path / "x.npy", np.array([1, 2, 3, 4], np.float32))
    words = ["run", path, f"--input={tmp_path / 'x.npy'}", f"--output={tmp_path / 'y.npy'}"]
    fail(3, *words, says=["m.xml", "'pad'", "begin -1 and end 3", "Pad-12"])
    assert any("Pad-12" in finding for finding in inspect(path)[0]["findings"])
    cells = [harness.cell_of(number, "float") for number in (1, 2, 3, 4)]
    given = ("x", "f32", [4], cells)
    assert by_command(path, given, options=["--lenient"]) == by_openvino(path, given[1:])
    s = parameter("string", [2])
    path = save(tmp_path, [pad(1, s, [1], [0], "constant")], [s], "s.xml")
    harness.write_pb(tmp_path / "s.pb", "string", [2], [b"a", b"b"])
    words = ["run", path, f"--input={tmp_path / 's.pb'}", f"--output={tmp_path / 't.pb'}"]
    fail(3, *words, says=["string", "Pad-12"])
    succeed(*words, "--lenient")
    assert harness.read_pb(tmp_path / "t.pb")[2] == [b"", b"a", b"b"]


# ---- A real model --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def basic_pitch(data, tmp_path_factory):
    model = ov.convert_model(data / "basic_pitch/saved_models/icassp_2022/nmp.onnx")
    path = tmp_path_factory.mktemp("basic_pitch") / "nmp.xml"
    ov.save_model(model, path)  # with fp16 constants, as is the default
    return path


def test_a_real_model(basic_pitch, tmp_path):
    nodes = inspect(basic_pitch)
    operators = CORE.read_model(basic_pitch).get_ordered_ops()
    pads = [op for op in operators if op.get_type_name() == "Pad"]
    assert len(nodes) == len(pads) == 24
    by_name = {op.get_friendly_name(): op for op in pads}
    for node in nodes:
        op = by_name[node["name"]]
        shapes = [op.input(0).get_partial_shape(), op.output(0).get_partial_shape()]
        for shape, side in zip(shapes, ("input_shape", "output_shape")):
            known = [d.get_length() if d.is_static else None for d in shape]
            assert node[side] == known
        assert node["begin"] == op.input_value(1).get_node().data.tolist()
        assert node["end"] == op.input_value(2).get_node().data.tolist()
        assert (node["version"], node["type"], node["findings"]) == (12, "f32", [])
    fail(3, "run", basic_pitch, f"--output={tmp_path / 'n.npy'}", says=["only models of"])

    node = next(node for node in nodes if node["mode"] == "reflect")
    shape = [extent or 1 for extent in node["input_shape"]]
    x = np.random.default_rng(1).standard_normal(shape).astype(np.float32)
    np.save(tmp_path / "x.npy", x)
    words = [f"--input={tmp_path / 'x.npy'}", f"--output={tmp_path / 'y.npy'}"]
    succeed("run", basic_pitch, "--node", node["name"], *words)
    p = opset8.parameter(shape, np.float32, name="x")
    model = ov.Model([pad(12, p, node["begin"], node["end"], "reflect")], [p], "one")
    theirs = CORE.compile_model(model, "CPU")([x])[0]
    found = np.load(tmp_path / "y.npy")
    assert found.shape == theirs.shape and found.tobytes() == theirs.tobytes()


def test_the_bin_lies_beside_the_xml(tmp_path):
    """The .bin of the same name, however the folder is called; capitals in the ending are fine."""
    folder = tmp_path / "a.xml"
    folder.mkdir()
    x = parameter("u8", [2])
    path = save(folder, [pad(12, x, [1], [0], "edge")], [x])
    assert by_command(path, ("x", "u8", [2], [1, 2])) == ([3], [1, 1, 2])
    shutil.copy(path, folder / "n.XML")
    shutil.copy(folder / "m.bin", folder / "n.bin")
    assert by_command(folder / "n.XML", ("x", "u8", [2], [1, 2])) == ([3], [1, 1, 2])


# ---- Beside other layers -------------------------------------------------------------------------

SPACE, ROW, CROP = (
    ([0, 0, 1, 1], [0, 0, 1, 2]),
    ([0, 0, 1, 0], [0, 0, 0, 0]),
    ([0, 0, -1, 0], [0] * 4),
)
BATCH = [1, 0, 0, 0], [0] * 4
SETTINGS = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1}


def fake(low, high, levels=256):
    """A FakeQuantize, of numbers or of a list for the channels."""
    shape = (-1, 1, 1) if np.ndim(low) else ()
    ends = [np.float32(end).reshape(shape) for end in (low, high)]
    return lambda x: opset1.fake_quantize(x, *ends, *ends, levels)


def average(
    kernel=3, stride=1, rounding="floor", pads=0, excluded=True, auto="explicit", opset=opset1
):
    window = [stride] * 2, [pads] * 2, [pads] * 2, [kernel] * 2, excluded, rounding, auto
    return lambda x: opset.avg_pool(x, *window)


def conv(groups, auto="same_upper"):
    make = opset1.group_convolution if groups else opset1.convolution
    weights = np.resize(np.float32([1, -2, 3, 0, 2]), (3, 1, 1, 3, 3) if groups else (2, 3, 3, 3))
    return lambda x: make(x, weights, [1, 1], [0, 0], [0, 0], [1, 1], auto)


BESIDE = {  # what is before, the amounts, the value, what is behind, the code
    "average": (None, SPACE, 0, average(), None),
    "ceil": (None, SPACE, 0, average(stride=2, rounding="ceil"), "TP237"),
    "ceil that fits": (None, SPACE, 0, average(kernel=2, stride=2, rounding="ceil"), None),
    "ceil, valid": (None, SPACE, 0, average(stride=2, rounding="ceil", auto="valid"), "TP237"),
    "ceil, same": (None, SPACE, 0, average(stride=2, rounding="ceil", auto="same_upper"), None),
    "ceil, dots, same": (None, SPACE, 0, average(1, 2, "ceil", auto="same_upper"), "TP237"),
    "ceil and pads": (None, SPACE, 0, average(stride=2, rounding="ceil", pads=1), None),
    "ceil of opset 14": (None, SPACE, 0, average(stride=2, rounding="ceil", opset=opset14), None),
    "ceil_torch": (None, SPACE, 0, average(stride=2, rounding="ceil_torch", opset=opset14), None),
    "open, same": ("open", SPACE, 0, conv(False), "TP236"),
    "open groups, same": ("open", SPACE, 0, conv(True), "TP236"),
    "open, explicit": ("open", SPACE, 0, conv(False, "explicit"), None),
    "known, same": (None, SPACE, 0, conv(False), None),
    "zero point": (fake(-1, 2), SPACE, 0, average(), "TP244"),
    "zero point, excluded pads": (fake(-1, 2), SPACE, 0, average(pads=1), None),
    "no zero point": (fake(0, 2.55), SPACE, 0, average(), None),
    "signed": (fake(-1.28, 1.27), SPACE, 0, average(), None),
    "of 255 levels": (fake(-1, 1, 255), SPACE, 0, average(), None),
    "of 100 levels": (fake(-1, 2, 100), SPACE, 0, average(), None),
    "channels": (fake([-1, -0.5, 0], [2, 2, 2]), SPACE, 0, average(), "TP244"),
    "fraction": (fake(0, 2.55), ROW, 1.505, None, "TP242"),
    "fraction of two axes": (fake(0, 2.55), SPACE, 1.505, None, None),
    "fraction of channels": (fake([0, 0, 0], [1, 2, 3]), ROW, 1.505, None, None),
    "outside": (fake(0, 2.55), ROW, -3, None, "TP241"),
    "outside of a crop": (fake(-1, 2), CROP, -3, None, "TP241"),
    "inside of a crop": (fake(-1.28, 1.27), CROP, -3, None, None),
    "one cell": (fake(-1, 2), BATCH, 0, None, "TP243"),
    "one cell without zero point": (fake(0, 2.55), BATCH, 0, None, None),
    "after a Relu": (lambda x: opset1.relu(fake(0, 2.55)(x)), ROW, 1.505, None, "TP242"),
    "after a bent zero point": (lambda x: opset1.relu(fake(-1, 2)(x)), ROW, 1.505, None, None),
    "after an addition": (lambda x: opset1.add(fake(0, 2)(x), np.float32(1)), SPACE, 0, average(), "TP244"),
    "after a Clamp": (lambda x: opset1.clamp(fake(0, 2)(x), 0.1, 1), ROW, 1.505, None, None),
}  # fmt: skip


@pytest.mark.parametrize("case", BESIDE)
def test_beside_other_layers(tmp_path, case):
    """OpenVINO gives the Pad to the window after it, and pads the integers of a FakeQuantize."""
    before, (begin, end), value, behind, code = BESIDE[case]
    behind = behind or (lambda x: x)
    x = np.sin(np.arange(126, dtype=np.float32)).reshape(1, 3, 6, 7) * 2

    def run(model):
        return CORE.compile_model(model, "CPU", SETTINGS)([data])[0]

    data = x
    given = parameter("f32", [1, 3, -1, -1] if before == "open" else x.shape)
    start = before(given) if callable(before) else given
    fill = np.float32(value)
    path = save(
        tmp_path,
        [behind(pad(1 if min(begin) >= 0 else 12, start, begin, end, "constant", fill))],
        [given],
    )
    try:
        got = run(path)
    except RuntimeError:
        got = None
    data = run(ov.Model([start], [given], "before")) if callable(before) else x
    cut = tuple(slice(-min(b, 0), n + min(e, 0)) for n, b, e in zip(data.shape, begin, end))
    data = np.pad(
        data[cut], [(max(b, 0), max(e, 0)) for b, e in zip(begin, end)], constant_values=fill
    )
    alone = parameter("f32", data.shape)
    wanted = (
        run(ov.Model([behind(alone)], [alone], "behind")) if behind(alone) is not alone else data
    )
    right = got is not None and got.shape == wanted.shape and np.allclose(got, wanted, atol=0.02)
    [node] = json.loads(harness.run("check", "--json", "--target=openvino", path).stdout)["models"][
        0
    ]["nodes"]
    assert (node["verdicts"][0]["code"], right) == (code, code is None)
