"""Lowered ONNX models: everything but the Pads stays byte for byte, and the result is a valid model.

SPDX-License-Identifier: MIT

The Pads here reflect by more than ONNX Runtime allows, which every opset from 2 on knows; NumPy says
what is right.
"""

import fcntl
import json
import os
import random
import resource
from concurrent.futures import ThreadPoolExecutor

import harness
import numpy as np
import onnx
import onnx.helper as oh
import onnx.numpy_helper as nh
import onnx_wire
import onnxruntime
import pytest
from harness import fail, succeed
from kit import oracle
from onnx import TensorProto
from onnx_models import (
    BOOL,
    FLOAT,
    INT64,
    external,
    graph,
    ints,
    model_of,
    pad_node,
    parsed,
    port,
    tensor,
)
from onnx_wire import field, varint

TARGET = "ort-1.31"
X = np.arange(6, dtype=np.float32).reshape(2, 3)
LONG = [0, 4, 0, 1]  # more than the extent of 3 allows
FEW = [0, 1, 0, 1]
SHAPE = [2, 8]


def pad(data="x", amounts="p", output="y", name="pad", **more):
    return pad_node([data, amounts], output, name, mode="reflect", **more)


def floats(nodes, outputs=("y",), inputs=(("x", [2, 3]),), initializers=None, shape=SHAPE):
    """A graph of floats; p has the amounts. nodes: a list, or text."""
    return graph(
        parsed(nodes) if isinstance(nodes, str) else nodes,
        [port(name, extents) for name, extents in inputs],
        [port(name, shape) for name in outputs],
        [ints("p", LONG)] if initializers is None else initializers,
    )


def model(top, opset=18, **more):
    """The bytes; c is an input if something reads it."""
    if any("c" in node.input for node in top.node):
        top.input.append(port("c", [], BOOL))
    return model_of(top, opset, **more)


def lower(folder, content, target=TARGET, words=(), replaced=1, gone=0):
    """Lowers a model twice, and checks what holds of every result. Returns its bytes. gone: nodes
    that are there no longer, apart from Pads."""
    source, out, again = (folder / name for name in ("m.onnx", "out.onnx", "again.onnx"))
    source.write_bytes(content)
    succeed("lower", source, out, "--target", target, "-q", "-f", *words)
    succeed("lower", source, again, "--target", target, "-q", "-f", *words)
    assert source.read_bytes() == content
    result = out.read_bytes()
    assert result == again.read_bytes()
    found = onnx_wire.difference(content, result)
    assert len(found.replaced) == replaced
    assert len(found.gone) == gone
    return result


def check(content):
    """The model passes onnx.checker, also with the shapes that it infers."""
    model = onnx.load_from_string(content)
    onnx.checker.check_model(model, full_check=True)
    return model


def answers(content, feeds):
    session = onnxruntime.InferenceSession(content, providers=["CPUExecutionProvider"])
    return session.run(None, feeds)


def reflected(x=X, amounts=LONG):
    half = len(amounts) // 2
    return np.pad(x, list(zip(amounts[:half], amounts[half:])), mode="reflect")


# ---- Where Pads stand ----------------------------------------------------------------------------

PAD = '{} = Pad <mode="reflect"> ({}, {}) '


def branches(nodes, condition="c"):
    """An If with the same nodes, which make b, in both branches."""
    sides = (
        f"{side}_branch = {side} () => (float[2,8] b) {{ {nodes} }}" for side in ("then", "else")
    )
    return f"If <{', '.join(sides)}> ({condition}) "


IN_BOTH = "y = " + branches(PAD.format("b", "x", "p"))
NESTED = "y = " + branches("b = " + branches(PAD.format("b", "x", "p"))) + PAD.format("z", "x", "p")
LOOP = f"""times = Constant <value = int64 {{1}}> () s = Loop <body = l (int64 i, bool on)
    => (bool on_out, float[2,8] b) {{ {PAD.format("b", "x", "p")}
    on_out = Identity (on) }}> (times, "")
    first = Constant <value_ints=[0]> () y = Squeeze (s, first)"""
SCAN = f"""y = Scan <num_scan_inputs=1, body = s (float[3] row) => (float[8] b) {{
    {PAD.format("b", "row", "q")} }}> (x)"""
OWN = "p = Constant <value_ints=[0,4,0,1]> () "
YES = "c = Constant <value = bool {1}> () "


def with_function(nodes):
    nodes = parsed(OWN + nodes)
    made = oh.make_function("my", "F", ["x"], ["y"], nodes, [oh.make_opsetid("", 18)])
    return model(floats("y = my.F (x)"), functions=[made], imports=[oh.make_opsetid("my", 1)])


PLACES = {  # the model, how many Pads are replaced, and how many other nodes go
    "top": (lambda: model(floats([pad()])), 1, 0),
    "branches": (lambda: model(floats(IN_BOTH)), 2, 0),
    "nested": (lambda: model(floats(NESTED, "yz")), 5, 0),
    "loop": (lambda: model(floats(LOOP)), 1, 0),
    "scan": (lambda: model(floats(SCAN, initializers=[ints("q", [4, 1])])), 1, 0),
    "function": (lambda: with_function(PAD.format("y", "x", "p")), 1, 1),  # the amounts go
    "branch of a function": (lambda: with_function(YES + IN_BOTH), 2, 0),
}


def feeds_of(content):
    ports = [one.name for one in onnx.load_from_string(content).graph.input]
    return {"x": X} | ({"c": np.array(True)} if "c" in ports else {})


@pytest.mark.parametrize("place", PLACES)
def test_pads_in_every_place(folder, place):
    make, replaced, gone = PLACES[place]
    content = make()
    result = lower(folder, content, replaced=replaced, gone=gone)
    check(result)
    for output in answers(result, feeds_of(content)):
        np.testing.assert_array_equal(output, reflected())


def test_a_list_of_graphs(folder):
    """No operator of ONNX has one, but the format does; here with a Pad in each."""
    bodies = [floats([pad(output="b")], ["b"], [], []) for _ in range(3)]
    holder = oh.make_node("Mine", ["x"], ["y"], name="mine", domain="my", bodies=bodies)
    lower(folder, model(floats([holder]), imports=[oh.make_opsetid("my", 1)]), replaced=3)


# ---- What stays ----------------------------------------------------------------------------------


def test_onnx_finds_nothing_else_changed(folder):
    """A model with every kind of field beside its nodes. As onnx parses both: the new nodes put
    into the original give the result."""
    weights = [ints("p", LONG), tensor("w", FLOAT, [2], bytes(8))]
    text = "[first] r = Relu (x) " + PAD.format("y", "r", "p") + "[last] z = Abs (y)"
    inner = floats(text, ["z"], initializers=weights)
    inner.doc_string = "doc of the graph"
    inner.value_info.append(port("y", SHAPE))
    inner.quantization_annotation.add(tensor_name="y")
    inner.metadata_props.add(key="k", value="v")
    whole = onnx.ModelProto.FromString(model(inner))
    whole.producer_name, whole.producer_version, whole.model_version = "maker", "1.0", 3
    whole.doc_string = "doc"
    whole.metadata_props.add(key="key", value="value")
    content = whole.SerializeToString()
    result = lower(folder, content)
    old, new = onnx.load_from_string(content), check(result)
    assert [node.name for node in new.graph.node][0] == "first"
    del old.graph.node[:]
    old.graph.node.extend(new.graph.node)
    assert old.SerializeToString(deterministic=True) == new.SerializeToString(deterministic=True)
    expected = np.abs(reflected(np.maximum(X, 0)))
    np.testing.assert_array_equal(answers(result, {"x": X})[0], expected)


# ---- Weird, but valid ----------------------------------------------------------------------------


def long_varint(number):
    """With two bytes more than it needs."""
    out = bytearray(varint(number))
    out[-1] |= 0x80
    return bytes(out) + b"\x80\x00"


def long_field(number, value):
    return long_varint(number << 3 | 2) + long_varint(len(value)) + value


@pytest.mark.parametrize("write", [field, long_field], ids=["short", "long"])
@pytest.mark.parametrize("backwards", [False, True])
def test_weird_wire_forms(folder, write, backwards):
    """Overlong varints, fields in another order, unknown fields between all others."""

    def between(number, payload, whole):
        part = whole if payload is None else write(number, payload)
        return part + field(100, 7) + varint(101 << 3 | 1) + bytes(8)

    content = PLACES["nested"][0]()
    result = lower(folder, onnx_wire.rewritten(content, between, backwards), replaced=5)
    read = onnx.load_from_string(result).SerializeToString()
    for output in answers(read, feeds_of(content)):
        np.testing.assert_array_equal(output, reflected())


def test_nodes_without_a_name(folder):
    """The name is left out, or it is empty."""
    nameless, empty = pad(name=None), pad(name=None)
    empty.name = ""
    assert len(empty.SerializeToString()) == len(nameless.SerializeToString()) + 2
    for node in nameless, empty:
        check(lower(folder, model(floats([node]))))


@pytest.mark.parametrize("taken", ["lowered", "lowered0_1", "lowered_", "lowered___0_3"])
def test_names_stay_unique(folder, taken):
    """Whatever begins as our names do, as a tensor in the graph, in a branch, or as a node."""
    inside = f"{taken}2 = Abs (x) " + PAD.format("b", taken + "2", "p")
    text = (
        f"{taken} = Relu (x) y = " + branches(inside) + f"[{taken}] " + PAD.format("z", taken, "p")
    )
    result = check(lower(folder, model(floats(text, "yz")), replaced=3))
    top_names = [name for node in result.graph.node for name in node.output]
    branch = [name for node in result.graph.node[1].attribute[0].g.node for name in node.output]
    assert len(set(top_names) | set(branch)) == len(top_names) + len(branch)
    assert {taken, taken + "2"} <= set(top_names + branch)


def test_a_pad_in_an_attribute_of_a_pad(folder):
    """Nobody writes that, but it can be read: the inner Pad goes with the outer one."""
    outer = pad()
    outer.attribute[0].g.CopyFrom(floats([pad(output="b", name="inner")], ["b"], [], []))
    check(lower(folder, model(floats([outer, pad(output="z", name="other")], "yz")), replaced=2))


@pytest.mark.parametrize("opset", [11, 13, 18])
@pytest.mark.parametrize("target", ["ort-1.31", "openvino", "tract"])
def test_wrap_of_an_older_opset(folder, opset, target):
    """torch's newer exporter writes mode wrap at opset 18, which has no such mode."""
    content = model(floats('y = Pad <mode="wrap"> (x, p)'), opset)
    (folder / "m.onnx").write_bytes(content)
    words = ["lower", folder / "m.onnx", folder / "out.onnx", "--target", target]
    fail(3, *words, says=["--lenient gives it the meaning it has there"], prints=True)
    result = lower(folder, content, target, ["--lenient"])
    assert all(node.op_type != "Pad" for node in check(result).graph.node)
    expected = np.pad(X, [(0, 0), (4, 1)], mode="wrap")
    np.testing.assert_array_equal(answers(result, {"x": X})[0], expected)


def test_lenient_is_about_wrap_alone(folder):
    """A word that is no mode stays wrong."""
    (folder / "m.onnx").write_bytes(model(floats('y = Pad <mode="mirror"> (x, p)')))
    words = ["lower", folder / "m.onnx", folder / "out.onnx", "--target", "ort", "--lenient"]
    fail(3, *words, says=["the specification does not allow the node"], prints=True)


# ---- Nodes that made the amounts -----------------------------------------------------------------

# As torch's older exporter computes them.
CHAIN = """half = Constant <value_ints=[4,1,0,0]> () pairs = Reshape (half, two)
    turned = Transpose <perm=[1,0]> (pairs) sorted = Slice (turned, back, far, axis, back)
    list = Reshape (sorted, back) p = Cast <to=7> (list) """ + PAD.format("y", "x", "p")
NUMBERS = [ints("two", [2, 2]), ints("back", [-1]), ints("far", [-(2**63) + 1]), ints("axis", [1])]


@pytest.mark.parametrize(
    "extra, outputs, gone",
    [
        ("", "y", 6),
        ("z = Identity (turned)", "yz", 3),
        ("z = Identity (p)", "yz", 0),
        ("", "yp", 0),
        ("[other] " + PAD.format("z", "x", "p"), "yz", 6),
        # A graph inside reads by name what stands outside.
        ("z = " + branches("b = Cast <to=1> (p)"), "yz", 0),
        ("nobody = Neg (x)", "y", 6),  # it was unused before, and stays
    ],
)
def test_a_chain_that_nothing_else_needs_goes(folder, extra, outputs, gone):
    """Up to the first node that something else reads: a node, or the outside."""
    content = onnx.load_from_string(
        model(
            floats(
                f"{extra} {CHAIN}" if "nobody" in extra else CHAIN + extra,
                outputs,
                initializers=NUMBERS,
            )
        )
    )
    for one in content.graph.output[1:]:  # of which only the first has a shape
        one.ClearField("type")
    content = content.SerializeToString()
    result = lower(folder, content, replaced=1 + ("Pad" in extra), gone=gone)
    assert onnx.load_from_string(result).graph.output == onnx.load_from_string(content).graph.output
    if "If" not in extra:
        np.testing.assert_array_equal(answers(result, feeds_of(content))[0], reflected())


# ---- Opsets -------------------------------------------------------------------------------------


@pytest.mark.parametrize("opset", range(4, 26))  # ONNX Runtime has no Concat before
def test_every_opset(folder, opset):
    if opset < 11:
        nodes, constants = [pad_node(["x"], "y", "pad", mode="reflect", pads=LONG)], []
    else:
        nodes, constants = [pad()], [ints("p", LONG)]
    result = lower(folder, model(floats(nodes, initializers=constants), opset))
    assert "Pad" not in onnx_wire.operators(
        onnx_wire.difference((folder / "m.onnx").read_bytes(), result).replaced[0][1]
    )
    check(result)
    np.testing.assert_array_equal(answers(result, {"x": X})[0], reflected())


@pytest.mark.parametrize("opset", range(4, 11))
def test_many_reflections_at_old_opsets(folder, opset):
    """Gather needs few nodes for these. Its list is a Cast of a double before opset 9; before opset 6
    no runtime reads that, and Concat has all pieces."""
    amounts = [0, 40, 0, 30]
    node = pad_node(["x"], "y", "pad", mode="reflect", pads=amounts)
    content = model(floats([node], initializers=[], shape=[2, 73]), opset)
    names = [node.op_type for node in check(lower(folder, content)).graph.node]
    assert ("Cast" in names) == (6 <= opset < 9)
    assert ("Gather" in names) == (opset >= 6)
    result = (folder / "out.onnx").read_bytes()
    np.testing.assert_array_equal(answers(result, {"x": X})[0], reflected(amounts=amounts))


# ---- Pad values ---------------------------------------------------------------------------------

E4M3, E5M2 = TensorProto.FLOAT8E4M3FN, TensorProto.FLOAT8E5M2
SMALL_TYPES = [
    # Type, the bits of the pad value, the number that they are, targets that need another type.
    (E4M3, 0x38, 1.0, TARGET),
    (E4M3, 0x80, -0.0, TARGET),
    (E4M3, 0x01, 2.0**-9, TARGET),
    (E5M2, 0x81, -(2.0**-16), TARGET),
    (E5M2, 0x7C, np.inf, TARGET),
]


def padded_with(kind, bits):
    inner = graph(
        [pad_node(["x", "p", "v"], "y", "pad")],
        [port("x", [3], kind)],
        [port("y", [40], kind)],
        [ints("p", [4, 33]), tensor("v", kind, [], bytes([bits]))],
    )
    return model(inner, 25)


@pytest.mark.parametrize("kind, bits, number, target", SMALL_TYPES)
def test_a_pad_value_in_a_wider_type(folder, kind, bits, number, target):
    """It is a constant again, so that `check` knows it: it is pleased with the result."""
    result = check(lower(folder, padded_with(kind, bits), target))
    values = [
        nh.to_array(node.attribute[0].t)
        for node in result.graph.node
        if node.op_type == "Constant" and node.attribute[0].t.data_type != INT64
    ]
    assert len(values) == 1 and values[0] == number
    assert np.signbit(values[0]) == np.signbit(number)
    succeed("check", folder / "out.onnx", "--target", target, "--fail-on", "unknown")


def attributes(node):
    return {entry.name: oh.get_attribute_value(entry) for entry in node.attribute}


def test_a_nan_is_left_to_cast(folder):
    """A Cast to a type of 8 bits says that infinity stays infinity."""
    result = check(lower(folder, padded_with(E4M3, 0x7F)))
    casts = [attributes(node) for node in result.graph.node if node.op_type == "Cast"]
    assert len(casts) == 3
    assert all((cast["to"] == E4M3) == (cast.get("saturate") == 0) for cast in casts)


@pytest.mark.parametrize("opset", [2, 8, 10])
@pytest.mark.parametrize("word", ["float16", "float32", "float64"])
def test_a_pad_value_of_an_old_opset(folder, word, opset):
    """It is an attribute of the Pad that comes after a Slice: a float, rounded as the type has it."""
    kind = oh.np_dtype_to_tensor_dtype(np.dtype(word))
    node = pad_node(["x"], "y", "pad", mode="constant", pads=[0, -2, 0, 1], value=-0.3)
    top = graph([node], [port("x", [2, 4], kind)], [port("y", [2, 3], kind)], [])
    *_, last = check(lower(folder, model(top, opset), "tract-0.23")).graph.node
    assert last.op_type == "Pad"
    value = float(np.float32(-0.3).astype(word))
    assert attributes(last) == {"mode": b"constant", "pads": [0, 0, 0, 1], "value": value}


@pytest.mark.parametrize("opset, mode, dims, shaped, is_lowered", [
    (1, "edge", ["n", "w"], None, False), (1, "edge", ["n", 4], None, True), (1, "edge", ["n", "w"], [2, 4], True),
    (9, "constant", ["n", "w"], None, False), (10, "constant", ["n", "w"], None, True),
])  # fmt: skip
def test_slices_of_open_axes_for_tract(folder, opset, mode, dims, shaped, is_lowered):
    """As attributes, before opset 10, it does not read their ends along an open axis."""
    words = [f"--input-shape=x={shaped[0]},{shaped[1]}"] if shaped else []
    name, amounts = ("paddings", [0, 1, 0, 1]) if opset == 1 else ("pads", [0, -1, 0, 1])
    node = pad_node(["x"] if opset < 11 else ["x", "p"], "y", "pad", mode=mode, **{name: amounts})
    top = graph([node], [port("x", dims)], [port("y", [None, None])], [])
    if is_lowered and not shaped:
        check(lower(folder, model(top, opset), "tract-0.23"))
    (folder / "m.onnx").write_bytes(model(top, opset))
    if is_lowered:
        succeed("lower", folder / "m.onnx", folder / "y.onnx", "--target", "tract-0.23", *words)
        return
    says = ["the extent of axis 1 is not known: give --input-shape"]
    fail(
        3,
        "lower",
        folder / "m.onnx",
        folder / "no.onnx",
        "--target",
        "tract-0.23",
        says=says,
        prints=True,
    )


@pytest.mark.parametrize("word", ["float16", "float32", "float64"])
def test_a_block_of_the_value_without_expand(folder, word):
    kind = oh.np_dtype_to_tensor_dtype(np.dtype(word))
    node = pad_node(["x"], "y", "pad", mode="constant", pads=[-5, 8], value=-0.3)
    top = graph([node], [port("x", [4], kind)], [port("y", [7], kind)], [])
    [block] = check(lower(folder, model(top, 7), "tract-0.23")).graph.node
    assert block.op_type == "Constant"
    wanted = np.full(7, np.float32(-0.3)).astype(word)
    np.testing.assert_array_equal(nh.to_array(block.attribute[0].t), wanted)


@pytest.mark.parametrize("folded", [False, True])
def test_a_value_of_shape_1_for_tract(folder, folded):
    """tract takes a value of rank 0 only, which has the same bits: those of a NaN's payload, or -0.0
    where folding finds it."""
    bits = (0x80000000 if folded else 0x7FC12345).to_bytes(4, "little")
    before = [oh.make_node("Identity", ["v"], ["w"], "before")] if folded else []
    node = pad_node(["x", "p", "w" if folded else "v"], "y", "pad")
    weights = [ints("p", [1, 2]), tensor("v", FLOAT, [1], bits)]
    top = graph([*before, node], [port("x", [4])], [port("y", [7])], weights)
    *_, constant, amounts, last = check(lower(folder, model(top, 19), "tract-0.23")).graph.node
    values = {one.output[0]: one.attribute[0].t for one in (constant, amounts)}
    value = values[last.input[2]]
    assert last.op_type == "Pad" and list(value.dims) == [] and value.raw_data == bits


def test_new_nodes_have_the_domain_of_the_pad(folder):
    node = pad()
    node.domain = "ai.onnx"
    result = lower(folder, model(floats([node])))
    assert {node.domain for node in onnx.load_from_string(result).graph.node} == {"ai.onnx"}
    np.testing.assert_array_equal(answers(result, {"x": X})[0], reflected())


# ---- Size ---------------------------------------------------------------------------------------


def many(count):
    """A chain of Pads that all must be rewritten, each followed by a Slice that undoes it."""
    nodes, last = [], "x"
    for i in range(count):
        nodes.append(pad(last, output=f"p{i}", name=f"pad_{i}"))
        nodes.append(oh.make_node("Slice", [f"p{i}", "zero", "three", "one"], [f"s{i}"]))
        last = f"s{i}"
    nodes.append(oh.make_node("Identity", [last], ["y"]))
    lists = [ints("p", LONG), ints("zero", [0]), ints("three", [3]), ints("one", [1])]
    return model(floats(nodes, initializers=lists, shape=[2, 3]))


def seconds(folder, count):
    """The processor time of the command, for a model with so many Pads."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    lower(folder, many(count), replaced=count)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@pytest.mark.long
def test_time_is_linear(folder):
    few, more = 1000, 4000
    check(lower(folder, many(50), replaced=50))
    assert seconds(folder, more) < 4 * (more / few) * max(seconds(folder, few), 0.02)


GIB = 1 << 30
MOST = 2 * GIB - 1  # bytes that a message may have
CHUNK = 1 << 20


def around_hole(count, nodes):
    """A model with `count` bytes in an initializer: what stands before and after them."""
    whole = onnx.ModelProto.FromString(model(floats([])))
    inner = b"".join(field(1, node) for node in nodes) + whole.graph.SerializeToString()
    weight = tensor("w", TensorProto.UINT8, [count]).SerializeToString()
    assert weight.endswith(field(9, b""))
    weight = weight[:-1] + varint(count)
    inner += varint(5 << 3 | 2) + varint(len(weight) + count) + weight
    whole.ClearField("graph")
    head = varint(7 << 3 | 2) + varint(len(inner) + count) + inner
    return head, whole.SerializeToString()


def with_hole(path, total):
    """Writes such a model of so many bytes, whose zeros take no room. Returns their count."""
    node = [pad().SerializeToString()]
    head, tail = around_hole(MOST - 1000, node)  # numbers as long as those that are wanted
    count = total - len(head) - len(tail)
    head, tail = around_hole(count, node)
    with open(path, "wb") as file:
        file.write(head)
        file.seek(count, os.SEEK_CUR)
        file.write(tail)
    assert path.stat().st_size == total
    return count


def expect(path, head, count, tail):
    """Reads a pipe, which must bring exactly this."""
    with open(path, "rb") as file:
        fcntl.fcntl(file, fcntl.F_SETPIPE_SZ, 1 << 20)
        assert file.read(len(head)) == head
        zeros = bytes(CHUNK)
        for at in range(0, count, CHUNK):
            size = min(CHUNK, count - at)
            assert file.read(size) == zeros[:size]
        assert file.read() == tail


@pytest.mark.long
def test_a_file_of_nearly_2_gib(folder):
    """In little memory. The result goes into a pipe, so it takes no room on the disk."""
    content = PLACES["top"][0]()
    nodes = onnx_wire.difference(content, lower(folder, content)).replaced[0][1]
    source, out = folder / "large.onnx", folder / "lowered.onnx"
    count = with_hole(source, MOST - 4096)
    head, tail = around_hole(count, [bytes(node) for node in nodes])
    assert MOST - 4096 < len(head) + count + len(tail) <= MOST
    os.mkfifo(out)
    with ThreadPoolExecutor() as pool:
        reading = pool.submit(expect, out, head, count, tail)
        words = ("lower", source, out, "--target", TARGET, "-q")
        result = harness.run_bounded(*words, size=MOST + (64 << 20))
        if result.status:
            open(out, "wb").close()  # so that the reader ends
        assert result.status == 0 and result.error == "", result
        reading.result()


def test_a_result_beyond_2_gib(folder):
    source, out = folder / "large.onnx", folder / "lowered.onnx"
    with_hole(source, MOST)
    fail(3, "lower", source, out, "--target", TARGET, says=("2147483647", "external data"))
    assert not any("lowered" in name for name in os.listdir(folder))


# ---- External data ------------------------------------------------------------------------------


def outside(name, data_type, count, location="w.bin", offset=0):
    return external(name, location, [count], offset, type=data_type)


def test_external_data(folder):
    """The amounts and the data are in another file, which the result goes on using."""
    (folder / "w.bin").write_bytes(np.array(LONG).tobytes() + np.full(8, 2, "<f4").tobytes())
    weights = [outside("p", INT64, 4), outside("w", FLOAT, 8, offset=32)]
    nodes = [pad(output="z"), oh.make_node("Mul", ["z", "w"], ["y"])]
    lower(folder, model(floats(nodes, initializers=weights)))
    onnx.checker.check_model(os.fspath(folder / "out.onnx"), full_check=True)
    session = onnxruntime.InferenceSession(folder / "out.onnx")
    np.testing.assert_array_equal(session.run(None, {"x": X})[0], 2 * reflected())


def test_external_data_beyond_2_gib_is_untouched(folder):
    size = 3 * GIB
    with open(folder / "w.bin", "wb") as file:
        file.truncate(size)
    before = os.stat(folder / "w.bin")
    weights = [ints("p", LONG), outside("w", TensorProto.UINT8, size)]
    lower(folder, model(floats([pad()], initializers=weights)))
    after = os.stat(folder / "w.bin")
    assert (after.st_size, after.st_mtime_ns) == (size, before.st_mtime_ns)
    assert after.st_blocks == before.st_blocks


@pytest.mark.parametrize("own", ["v.onnx", "w.onnx"])
def test_no_file_of_external_data_is_overwritten(folder, own):
    """Whichever of several it is, and by whichever name."""
    for name in ("v.onnx", "w.onnx"):
        (folder / name).write_bytes(bytes(8))
    (folder / "link.onnx").symlink_to(own)
    weights = [ints("p", LONG)]
    weights += [outside(name[0], FLOAT, 2, name) for name in ("v.onnx", "w.onnx")]
    source = folder / "m.onnx"
    source.write_bytes(model(floats([pad()], initializers=weights)))
    for out in (own, "link.onnx"):
        fail(3, "lower", source, folder / out, "--target", TARGET, "-f", says=(own, "same file"))
    assert (folder / own).read_bytes() == bytes(8)


def in_branches(node):
    made = parsed("z = " + branches("b = Identity (x)", "x"))
    for side in made[0].attribute:
        side.g.node[0].CopyFrom(node)
    return made


def sparse():
    top = floats([pad()])
    top.sparse_initializer.add(values=outside("w", FLOAT, 2), dims=[4])
    return top


ELSEWHERE = {
    "initializer": lambda: floats([pad()], initializers=[ints("p", LONG), outside("w", FLOAT, 2)]),
    "of a type that is too new": lambda: floats(
        [pad()], initializers=[ints("p", LONG), outside("w", 99, 2)]
    ),
    "sparse initializer": sparse,
    "attribute": lambda: floats(
        [pad(), oh.make_node("Mine", ["x"], ["z"], domain="my", t=outside("", FLOAT, 2))]
    ),
    "in a branch": lambda: floats(
        [
            pad(),
            *in_branches(oh.make_node("Constant", [], ["b"], value=outside("", FLOAT, 2))),
        ]
    ),
}


@pytest.mark.parametrize("where", ELSEWHERE)
def test_external_data_goes_along(folder, where):
    (folder / "w.bin").write_bytes(bytes(range(64)))
    (folder / "else").mkdir()
    source, words = folder / "m.onnx", ("--target", TARGET)
    source.write_bytes(model(ELSEWHERE[where]()))
    succeed("lower", source, folder / "else" / "out.onnx", *words, "-q")
    assert sorted(os.listdir(folder / "else")) == ["out.onnx", "w.bin"]
    assert (folder / "else" / "w.bin").read_bytes() == bytes(range(64))
    succeed("lower", source, folder / "out.onnx", *words, "-q")
    assert (folder / "out.onnx").read_bytes() == (folder / "else" / "out.onnx").read_bytes()
    assert {"out.onnx", "w.bin"} <= set(os.listdir(folder)) and (
        folder / "w.bin"
    ).read_bytes() == bytes(range(64))


def with_data(folder, *locations):
    """A model whose weights lie in files of these names; the names of those that are there."""
    for name in locations:
        if not name.startswith(("/", "..")) and "/../" not in name:
            (folder / "from" / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / "from" / name).write_bytes(name.encode().ljust(8)[:8])
    (folder / "from").mkdir(exist_ok=True)
    (folder / "to").mkdir(exist_ok=True)
    weights = [ints("p", LONG)]
    weights += [outside(f"w{k}", FLOAT, 2, name) for k, name in enumerate(locations)]
    (folder / "from/m.onnx").write_bytes(model(floats([pad()], initializers=weights)))
    return folder / "from/m.onnx", folder / "to/out.onnx", "--target", TARGET


def test_several_files_in_folders(folder):
    names = ["a.bin", "sub/b.bin", "a.bin", "sub/deep/c.bin", "./d.bin", "sub/b.bin"]
    source, out, *words = with_data(folder, *names)
    assert succeed("lower", source, out, *words).stdout.endswith(b"out.onnx is written\n")
    for name in names:
        assert (folder / "to" / name).read_bytes() == (folder / "from" / name).read_bytes()
    onnxruntime.InferenceSession(out)
    # What is there is equal now: it stays as it is.
    before = {name: os.stat(folder / "to" / name).st_mtime_ns for name in names}
    succeed("lower", source, out, *words, "-f", "-q")
    assert before == {name: os.stat(folder / "to" / name).st_mtime_ns for name in names}


def tree(folder):
    return {
        path.relative_to(folder): path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
    }


@pytest.mark.parametrize(
    "locations, there, says",
    [
        (["a.bin", "b.bin"], {"b.bin": b"precious"}, "b.bin: exists, and is not the external data"),
        (["a.bin", "b.bin"], {"b.bin/x": b""}, "b.bin: exists, and is not a file"),
        (["a.bin", "sub/b.bin"], {"sub": b"a file"}, "sub/b.bin"),
        (["a.bin", "out.onnx"], {}, "has this name"),
        (["a.bin", "./out.onnx"], {}, "has this name"),
        (["a.bin", ".//././out.onnx"], {}, "has this name"),
        (["a.bin", "new/folder/.hidden"], {}, "hidden by its name"),
        (["a.bin", ".hidden/b"], {}, "hidden by its name"),
        (["a.bin", "/etc/hostname"], {}, "outside the folder"),
        (["a.bin", "../to/b.bin"], {}, "outside the folder"),
        (["a.bin", "sub/../../b.bin"], {}, "outside the folder"),
    ],
)
def test_external_data_that_cannot_go_along(folder, locations, there, says):
    """Nothing is left of what was copied before, and nothing that was there is touched."""
    source, out, *words = with_data(folder, *locations)
    for name, content in there.items():
        (folder / "to" / name).parent.mkdir(exist_ok=True)
        (folder / "to" / name).write_bytes(content)
    before = tree(folder)
    for more in (), ("-f",):
        status = 1 if "exists" in says else 3 if "sub/b.bin" not in says else 1
        fail(status, "lower", source, out, *words, *more, says=(says,))
        assert tree(folder) == before


def test_external_data_behind_links(folder):
    """Links may not lead out of the model's folder; a dangling one at the new place is not followed."""
    source, out, *words = with_data(folder, "a.bin")
    secret = folder / "secret"
    secret.write_bytes(b"8 bytes.")
    (folder / "from/a.bin").unlink()
    (folder / "from/a.bin").symlink_to(secret)
    fail(3, "lower", source, out, *words, says=("leads out of the folder",))
    (folder / "from/a.bin").unlink()
    (folder / "from/a.bin").write_bytes(b"8 bytes.")
    (folder / "to/a.bin").symlink_to(folder / "nowhere")
    fail(1, "lower", source, out, *words, says=("exists",))
    assert not (folder / "nowhere").exists() and not out.exists()
    # A link to the file itself is equal.
    (folder / "to/a.bin").unlink()
    (folder / "to/a.bin").symlink_to(folder / "from/a.bin")
    succeed("lower", source, out, *words, "-q")
    assert (folder / "to/a.bin").is_symlink()


def test_a_missing_file_of_external_data(folder):
    source, out, *words = with_data(folder, "a.bin", "b.bin")
    (folder / "from/b.bin").unlink()
    fail(1, "lower", source, out, *words, says=("b.bin", "No such file"))
    assert os.listdir(folder / "to") == []


def test_no_data_goes_along_if_nothing_is_written(folder):
    """A Pad that cannot be lowered."""
    source, out, *words = with_data(folder, "a.bin")
    (folder / "from/m.onnx").write_bytes(
        model(floats([pad()], initializers=[outside("w", FLOAT, 2, "a.bin"), ints("p", [-9, 0])]))
    )
    fail(3, "lower", source, out, *words, prints=True)
    assert os.listdir(folder / "to") == []


# ---- Random Pads ---------------------------------------------------------------------------------

# The ONNX Runtime that runs here, and others: what each refuses leads to other operators.
VERSION = "ort-" + ".".join(onnxruntime.__version__.split(".")[:2])
TOGETHER = [
    VERSION + more
    for more in (
        "",
        ",ort-1.20",
        ",openvino-2026.4",
        ",opencv-5.0",
        ",tract-0.23",
        ",ort-1.23,tract-0.23",
    )
]
KINDS = [TensorProto.INT32, FLOAT, INT64, TensorProto.UINT8, TensorProto.INT8]


def random_pad(rng, number, opset):
    """(node, inputs, initializers, feeds, what is right) of a Pad that the document allows."""
    modes = ["constant", "edge", "reflect"] + ["wrap"] * (opset >= 19)
    while True:
        mode, kind = rng.choice(modes), rng.choice(KINDS)
        shape = [rng.choice([0, 1, 2, 2, 3, 3, 4, 4]) for _ in range(rng.randint(0, 4))]
        amounts = [rng.choice([0, 0, rng.randint(-4, 4), rng.randint(0, 12)]) for _ in 2 * shape]
        begin, end = amounts[: len(shape)], amounts[len(shape) :]
        value = rng.choice([None, 7])
        cells = [1 + k % 100 for k in range(int(np.prod(shape)))]
        try:
            out, extents = oracle.pad(cells, shape, begin, end, mode, value or 0, None, "crop")
        except oracle.Refused:
            continue
        if len(out) <= 3000:
            break
    word, open_share = oh.tensor_dtype_to_np_dtype(kind), rng.choice([0, 0, 0.6])
    names = [f"x{number}", f"p{number}"]
    inputs, constants = [], [ints(names[1], amounts)]
    feeds = {names[0]: np.array(cells, word).reshape(shape)}
    dims = [
        f"n{number}_{k}" if extent and rng.random() < open_share else extent
        for k, extent in enumerate(shape)
    ]
    inputs.append(port(names[0], dims, kind))
    if value is not None and mode == "constant":
        names.append(f"v{number}")
        if rng.random() < 0.5:
            constants.append(nh.from_array(np.array(value, word), names[2]))
        else:
            inputs.append(port(names[2], [], kind))
            feeds[names[2]] = np.array(value, word)
    node = pad_node(names, f"y{number}", f"pad{number}", mode=mode)
    return node, inputs, constants, feeds, np.array(out, word).reshape(extents)


@pytest.mark.parametrize("opset", [11, 13, 18, 19, 21])
@pytest.mark.parametrize("targets", TOGETHER)
def test_random_pads(folder, opset, targets):
    """As NumPy would, by every method there is: many Pads of one model, lowered at once."""
    rng = random.Random(f"{opset} {targets}")
    pads = [random_pad(rng, number, opset) for number in range(60)]
    nodes, inputs, constants, feeds, wanted = zip(*pads)
    (folder / "m.onnx").write_bytes(
        model_of(
            graph(
                nodes,
                sum(inputs, []),
                [
                    port(node.output[0], [None] * array.ndim, one[0].type.tensor_type.elem_type)
                    for node, one, array in zip(nodes, inputs, wanted)
                ],
                sum(constants, []),
            ),
            opset,
        )
    )
    words = ["--target", targets, "--partial", "--json"]
    done = succeed("lower", folder / "m.onnx", folder / "out.onnx", *words)
    outcomes = [node["outcome"] for node in json.loads(done.stdout)["nodes"]]
    assert outcomes.count("rewritten") > 3 and outcomes.count("cannot") < 40, outcomes
    lowered = onnx.load(folder / "out.onnx")
    stay = [k for k, outcome in enumerate(outcomes) if outcome == "cannot"]
    for part, prefix in (lowered.graph.output, "y"), (lowered.graph.node, ""):
        for one in list(part):
            if one.name in [f"{prefix or 'pad'}{k}" for k in stay]:
                part.remove(one)
    content = lowered.SerializeToString()
    check(content)
    asked = [output.name for output in lowered.graph.output]
    given = {name: array for feed in feeds for name, array in feed.items()}
    for name, got in zip(asked, answers(content, given)):
        np.testing.assert_array_equal(got, wanted[int(name[1:])], name, strict=True)
