"""Lowered ONNX models: everything but the Pads stays byte for byte, and the result is a valid model.

SPDX-License-Identifier: MIT

The Pads here reflect by more than ONNX Runtime allows, which every opset from 2 on knows; NumPy says
what is right.
"""

import fcntl
import os
import resource
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import onnx
import onnxruntime
import pytest

import harness
import protobuf_walk
from harness import fail, succeed

sys.path.append(str(harness.ROOT / "tests/command"))
import onnx_bytes as ob  # noqa: E402

TARGET = "ort-1.31"
X = np.arange(6, dtype=np.float32).reshape(2, 3)
LONG = [0, 4, 0, 1]  # more than the extent of 3 allows
FEW = [0, 1, 0, 1]
SHAPE = [2, 8]
REFLECT = ob.attribute("mode", "reflect")


def pad(data="x", amounts="p", output="y", name="pad", more=b"", attributes=(REFLECT,)):
    return ob.node("Pad", [data, amounts], [output], name, attributes) + more


def graph(nodes, outputs=("y",), inputs=(("x", [2, 3]),), initializers=None, shape=SHAPE):
    """Of floats; p has the amounts."""
    return ob.graph(
        nodes,
        [ob.value_info(name, ob.FLOAT, extents) for name, extents in inputs],
        [ob.value_info(name, ob.FLOAT, shape) for name in outputs],
        [ob.int64s(LONG, "p")] if initializers is None else initializers,
    )


def body(nodes, output="b", shape=SHAPE):
    """The graph of an If, which has no inputs."""
    return graph(nodes, [output], [], [], shape)


def branches(nodes, name="if", output="y", condition="c"):
    """An If with the same nodes in both branches."""
    attributes = [ob.graph_attribute(f"{side}_branch", body(nodes)) for side in ("then", "else")]
    return ob.node("If", [condition], [output], name, attributes)


def lower(folder, content, target=TARGET, words=(), replaced=1):
    """Lowers a model twice, and checks what holds of every result. Returns its bytes."""
    source, out, again = (folder / name for name in ("m.onnx", "out.onnx", "again.onnx"))
    source.write_bytes(content)
    succeed("lower", source, out, "--target", target, "-q", "-f", *words)
    succeed("lower", source, again, "--target", target, "-q", "-f", *words)
    assert source.read_bytes() == content
    result = out.read_bytes()
    assert result == again.read_bytes()
    found = protobuf_walk.difference(content, result)
    assert len(found.replaced) == replaced
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


# ---- Where Pads stand ---------------------------------------------------------------------------


def constant(output, tensor):
    return ob.node("Constant", [], [output], attributes=[
        ob.field(1, "value") + ob.field(5, tensor) + ob.field(20, 4)])


def top():
    return ob.model(graph([pad()]), 18), {}


def in_both_branches():
    nodes = [branches([pad(output="b", name="inner")])]
    inner = ob.field(11, ob.value_info("c", 9, []))
    return ob.model(graph(nodes) + inner, 18), {"c": np.array(True)}


def nested():
    deep = branches([pad(output="b", name="deep")], "inner_if", "b")
    nodes = [branches([deep]), pad(output="z", name="outer")]
    inner = ob.field(11, ob.value_info("c", 9, []))
    return ob.model(graph(nodes, ["y", "z"]) + inner, 18), {"c": np.array(False)}


def loop():
    inner = ob.graph(
        [pad(output="b", name="inner"), ob.node("Identity", ["on"], ["on_out"])],
        [ob.value_info("i", ob.INT64, []), ob.value_info("on", 9, [])],
        [ob.value_info("on_out", 9, []), ob.value_info("b", ob.FLOAT, SHAPE)],
    )
    nodes = [
        constant("times", ob.tensor(ob.INT64, [], np.int64(1).tobytes())),
        ob.node("Loop", ["times", ""], ["s"], "loop", [ob.graph_attribute("body", inner)]),
        constant("first", ob.int64s([0])),
        ob.node("Squeeze", ["s", "first"], ["y"]),
    ]
    return ob.model(graph(nodes), 18), {}


def scan():
    inner = ob.graph(
        [pad("row", "q", "b", "inner")],
        [ob.value_info("row", ob.FLOAT, [3])],
        [ob.value_info("b", ob.FLOAT, [8])],
    )
    count = ob.field(1, "num_scan_inputs") + ob.field(3, 1) + ob.field(20, 2)
    nodes = [ob.node("Scan", ["x"], ["y"], "scan", [ob.graph_attribute("body", inner), count])]
    return ob.model(graph(nodes, initializers=[ob.int64s([4, 1], "q")]), 18), {}


def function(nodes, name="F"):
    out = ob.field(1, name) + ob.field(4, "x") + ob.field(5, "y")
    out += b"".join(ob.field(7, node) for node in nodes)
    return out + ob.field(9, ob.field(1, "") + ob.field(2, 18)) + ob.field(10, "my")


def with_function(nodes):
    call = ob.node("F", ["x"], ["y"], "call") + ob.field(7, "my")
    content = ob.model(graph([call]), 18) + ob.field(8, ob.field(1, "my") + ob.field(2, 1))
    return content + ob.field(25, function([constant("p", ob.int64s(LONG)), *nodes]))


def in_function():
    return with_function([pad()]), {}


def in_a_branch_of_a_function():
    yes = constant("c", ob.tensor(9, [], b"\1"))
    return with_function([yes, branches([pad(output="b")])]), {}


PLACES = [top, in_both_branches, nested, loop, scan, in_function, in_a_branch_of_a_function]
REPLACED = {in_both_branches: 2, nested: 5, in_a_branch_of_a_function: 2}


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.__name__)
def test_pads_in_every_place(folder, place):
    content, feeds = place()
    result = lower(folder, content, replaced=REPLACED.get(place, 1))
    check(result)
    for output in answers(result, {"x": X} | feeds):
        np.testing.assert_array_equal(output, reflected())


def test_the_command_gives_the_same_answer_for_the_original(folder):
    result = lower(folder, top()[0])
    np.save(folder / "x.npy", X)
    succeed("run", folder / "m.onnx", "--input", folder / "x.npy", "--output", folder / "y.npy")
    np.testing.assert_array_equal(answers(result, {"x": X})[0], np.load(folder / "y.npy"))


def test_a_list_of_graphs(folder):
    """No operator of ONNX has one, but the format does; here with a Pad in each."""
    graphs = b"".join(ob.field(11, body([pad(output="b")])) for _ in range(3))
    holder = ob.node("Mine", ["x"], ["y"], "mine", [ob.field(1, "bodies") + graphs + ob.field(20, 10)])
    content = ob.model(graph([holder + ob.field(7, "my")]), 18)
    lower(folder, content + ob.field(8, ob.field(1, "my") + ob.field(2, 1)), replaced=3)


# ---- What stays ---------------------------------------------------------------------------------


def test_fields_of_the_node_stay(folder):
    """Its name, doc_string, metadata_props, and fields that nobody knows, on the last new node."""
    entry = ob.field(9, ob.field(1, "namespace") + ob.field(2, "a/b"))
    more = ob.field(6, "what it is for") + entry + ob.field(77, "unknown") + ob.field(78, 5)
    result = check(lower(folder, ob.model(graph([pad(more=more)]), 18)))
    *others, last = result.graph.node
    assert (last.name, last.doc_string, last.output[:]) == ("pad", "what it is for", ["y"])
    assert [(e.key, e.value) for e in last.metadata_props] == [("namespace", "a/b")]
    assert [node.name for node in others] == [node.output[0] for node in others]
    assert not any(node.doc_string or node.metadata_props for node in others)


def everything(pads):
    """A model with every kind of field beside its nodes."""
    inner = graph(
        [ob.node("Relu", ["x"], ["r"], "first"), *pads, ob.node("Abs", ["y"], ["z"], "last")],
        ["z"],
        initializers=[ob.int64s(LONG, "p"), ob.tensor(ob.FLOAT, [2], bytes(8), "w")],
    )
    inner += ob.field(10, "doc of the graph") + ob.field(13, ob.value_info("y", ob.FLOAT, SHAPE))
    inner += ob.field(14, ob.field(1, "y")) + ob.field(16, ob.field(1, "k") + ob.field(2, "v"))
    content = ob.model(inner, 18) + ob.field(2, "maker") + ob.field(3, "1.0") + ob.field(5, 3)
    return content + ob.field(6, "doc") + ob.field(14, ob.field(1, "key") + ob.field(2, "value"))


def test_onnx_finds_nothing_else_changed(folder):
    """As onnx parses both: the new nodes put into the original give the result."""
    content = everything([pad("r")])
    result = lower(folder, content)
    old, new = onnx.load_from_string(content), check(result)
    assert [node.name for node in new.graph.node][0] == "first"
    del old.graph.node[:]
    old.graph.node.extend(new.graph.node)
    assert old.SerializeToString(deterministic=True) == new.SerializeToString(deterministic=True)
    expected = np.abs(reflected(np.maximum(X, 0)))
    np.testing.assert_array_equal(answers(result, {"x": X})[0], expected)


def test_nothing_to_change_is_a_copy(folder):
    content = ob.model(graph([pad()], initializers=[ob.int64s(FEW, "p")], shape=[2, 5]), 18)
    assert lower(folder, content, replaced=0) == content


def test_only_what_must_be_is_rewritten(folder):
    nodes = [pad(amounts="q", output="z", name="kept"), pad(), pad(amounts="q", output="w")]
    content = ob.model(graph(nodes, initializers=[ob.int64s(LONG, "p"), ob.int64s(FEW, "q")]), 18)
    result = onnx.load_from_string(lower(folder, content))
    assert [node.output[0] for node in result.graph.node if node.op_type == "Pad"] == ["z", "w"]


# ---- Weird, but valid ---------------------------------------------------------------------------


def long_varint(number):
    """With two bytes more than it needs."""
    out = bytearray(ob.varint(number))
    out[-1] |= 0x80
    return bytes(out) + b"\x80\x00"


def long_field(number, value):
    if isinstance(value, int):
        return long_varint(number << 3) + long_varint(value)
    value = value.encode() if isinstance(value, str) else value
    return long_varint(number << 3 | 2) + long_varint(len(value)) + value


def rewritten(message, kind, write, backwards):
    """The same message with every field written by `write`, and fields of higher numbers first."""
    out = []
    for number, payload, whole in protobuf_walk.fields(message):
        inside = protobuf_walk.INSIDE.get((kind, number))
        if inside:
            payload = rewritten(payload, inside, write, backwards)
        part = bytes(whole) if payload is None else write(number, bytes(payload))
        out.append((number, part + ob.field(100, 7) + ob.varint(101 << 3 | 1) + bytes(8)))
    if backwards:
        out.sort(key=lambda part: -part[0])
    return b"".join(part for _, part in out)


@pytest.mark.parametrize("write", [ob.field, long_field], ids=["short", "long"])
@pytest.mark.parametrize("backwards", [False, True])
def test_weird_wire_forms(folder, write, backwards):
    """Overlong varints, fields in another order, unknown fields between all others."""
    content, feeds = nested()
    result = lower(folder, rewritten(content, protobuf_walk.MODEL, write, backwards), replaced=5)
    for output in answers(onnx.load_from_string(result).SerializeToString(), {"x": X} | feeds):
        np.testing.assert_array_equal(output, reflected())


def test_nodes_without_a_name(folder):
    check(lower(folder, ob.model(graph([pad(name="")]), 18)))
    nameless = ob.field(1, "x") + ob.field(1, "p") + ob.field(2, "y") + ob.field(4, "Pad")
    check(lower(folder, ob.model(graph([nameless + ob.field(5, REFLECT)]), 18)))


@pytest.mark.parametrize("domain", ["", "ai.onnx"])
def test_the_domain_in_its_two_spellings(folder, domain):
    content = ob.model(graph([pad(more=ob.field(7, domain))]), 18)
    np.testing.assert_array_equal(answers(lower(folder, content), {"x": X})[0], reflected())


@pytest.mark.parametrize("taken", ["lowered", "lowered0_1", "lowered_", "lowered___0_3"])
def test_names_stay_unique(folder, taken):
    """Whatever begins as our names do, as a tensor in the graph, in a branch, or as a node."""
    nodes = [
        ob.node("Relu", ["x"], [taken], "relu"),
        branches([ob.node("Abs", ["x"], [taken + "2"]), pad(taken + "2", output="b")]),
        pad(taken, output="z", name=taken),
    ]
    content = ob.model(graph(nodes, ["y", "z"]) + ob.field(11, ob.value_info("c", 9, [])), 18)
    result = check(lower(folder, content, replaced=3))
    names = {taken, taken + "2"}
    top_names = [name for node in result.graph.node for name in node.output]
    branch = [name for node in result.graph.node[1].attribute[0].g.node for name in node.output]
    assert len(set(top_names) | set(branch)) == len(top_names) + len(branch)
    assert names <= set(top_names + branch)


def test_a_pad_in_an_attribute_of_a_pad(folder):
    """Nobody writes that, but it can be read: the inner Pad goes with the outer one."""
    mode = REFLECT + ob.field(6, body([pad(output="b", name="inner")]))
    content = ob.model(graph([pad(attributes=[mode]), pad(output="z", name="other")], ["y", "z"]), 18)
    check(lower(folder, content, replaced=2))


# ---- Opsets -------------------------------------------------------------------------------------


@pytest.mark.parametrize("opset", range(4, 26))  # ONNX Runtime has no Concat before
def test_every_opset(folder, opset):
    if opset < 11:
        amounts = ob.attribute("pads", LONG)
        nodes, constants = [ob.node("Pad", ["x"], ["y"], "pad", [REFLECT, amounts])], []
    else:
        nodes, constants = [pad()], [ob.int64s(LONG, "p")]
    result = lower(folder, ob.model(graph(nodes, initializers=constants), opset))
    assert "Pad" not in protobuf_walk.operators(protobuf_walk.difference(
        (folder / "m.onnx").read_bytes(), result).replaced[0][1])
    check(result)
    np.testing.assert_array_equal(answers(result, {"x": X})[0], reflected())


@pytest.mark.parametrize("opset", range(4, 11))
def test_many_reflections_at_old_opsets(folder, opset):
    """Gather needs few nodes for these. Its list is a Cast of a double before opset 9; before opset 6
    no runtime reads that, and Concat has all pieces."""
    amounts = [0, 40, 0, 30]
    node = ob.node("Pad", ["x"], ["y"], "pad", [REFLECT, ob.attribute("pads", amounts)])
    content = ob.model(graph([node], initializers=[], shape=[2, 73]), opset)
    names = [node.op_type for node in check(lower(folder, content)).graph.node]
    assert ("Cast" in names) == (6 <= opset < 9)
    assert ("Gather" in names) == (opset >= 6)
    result = (folder / "out.onnx").read_bytes()
    np.testing.assert_array_equal(answers(result, {"x": X})[0], reflected(amounts=amounts))


# ---- Pad values ---------------------------------------------------------------------------------

E4M3, E5M2 = 17, 19
SMALL_TYPES = [
    # Type, the bits of the pad value, the number that they are, targets that need another type.
    (E4M3, 0x38, 1.0, TARGET),
    (E4M3, 0x80, -0.0, TARGET),
    (E4M3, 0x01, 2.0**-9, TARGET),
    (E5M2, 0x81, -(2.0**-16), TARGET),
    (E5M2, 0x7C, np.inf, TARGET),
]


@pytest.mark.parametrize("kind, bits, number, target", SMALL_TYPES)
def test_a_pad_value_in_a_wider_type(folder, kind, bits, number, target):
    """It is a constant again, so that `check` knows it: it is pleased with the result."""
    inner = ob.graph(
        [ob.node("Pad", ["x", "p", "v"], ["y"], "pad")],
        [ob.value_info("x", kind, [3])],
        [ob.value_info("y", kind, [40])],
        [ob.int64s([4, 33], "p"), ob.tensor(kind, [], bytes([bits]), "v")],
    )
    result = check(lower(folder, ob.model(inner, 25), target))
    values = [
        onnx.numpy_helper.to_array(node.attribute[0].t)
        for node in result.graph.node
        if node.op_type == "Constant" and node.attribute[0].t.data_type != ob.INT64
    ]
    assert len(values) == 1 and values[0] == number
    assert np.signbit(values[0]) == np.signbit(number)
    succeed("check", folder / "out.onnx", "--target", target, "--fail-on", "unknown")


def test_a_nan_is_left_to_cast(folder):
    inner = ob.graph(
        [ob.node("Pad", ["x", "p", "v"], ["y"], "pad")],
        [ob.value_info("x", E4M3, [3])],
        [ob.value_info("y", E4M3, [40])],
        [ob.int64s([4, 33], "p"), ob.tensor(E4M3, [], b"\x7f", "v")],
    )
    result = check(lower(folder, ob.model(inner, 25)))
    assert [node.op_type for node in result.graph.node].count("Cast") == 3


# ---- Size ---------------------------------------------------------------------------------------


def many(count):
    """A chain of Pads that all must be rewritten, each followed by a Slice that undoes it."""
    nodes, last = [], "x"
    for i in range(count):
        nodes.append(pad(last, output=f"p{i}", name=f"pad_{i}"))
        nodes.append(ob.node("Slice", [f"p{i}", "zero", "three", "one"], [f"s{i}"]))
        last = f"s{i}"
    nodes.append(ob.node("Identity", [last], ["y"]))
    lists = [ob.int64s(LONG, "p"), ob.int64s([0], "zero"), ob.int64s([3], "three")]
    return ob.model(graph(nodes, initializers=[*lists, ob.int64s([1], "one")], shape=[2, 3]), 18)


def seconds(folder, count):
    """The processor time of the command, for a model with so many Pads."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    lower(folder, many(count), replaced=count)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def test_time_is_linear(folder):
    few, more = 1000, 4000
    check(lower(folder, many(50), replaced=50))
    assert seconds(folder, more) < 4 * (more / few) * max(seconds(folder, few), 0.02)


GIB = 1 << 30
MOST = 2 * GIB - 1  # bytes that a message may have
CHUNK = 1 << 20


def around_hole(count, nodes):
    """A model with `count` bytes in an initializer: what stands before and behind them."""
    tensor = ob.field(1, count) + ob.field(2, 2) + ob.field(8, "w")
    tensor += ob.varint(9 << 3 | 2) + ob.varint(count)
    inner = graph(nodes) + ob.varint(5 << 3 | 2) + ob.varint(len(tensor) + count) + tensor
    head = ob.field(1, 13) + ob.varint(7 << 3 | 2) + ob.varint(len(inner) + count) + inner
    return head, ob.field(8, ob.field(1, "") + ob.field(2, 18))


def with_hole(path, total):
    """Writes such a model of so many bytes, whose zeros take no room. Returns their count."""
    head, tail = around_hole(MOST - 1000, [pad()])  # numbers as long as those that are wanted
    count = total - len(head) - len(tail)
    head, tail = around_hole(count, [pad()])
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
    content = top()[0]
    nodes = protobuf_walk.difference(content, lower(folder, content)).replaced[0][1]
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
    fail(3, "lower", source, out, "--target", TARGET, words=("2147483647", "external data"))
    assert not any("lowered" in name for name in os.listdir(folder))


# ---- External data ------------------------------------------------------------------------------


def outside(name, data_type, count, location, offset=0):
    out = ob.field(1, count) + ob.field(2, data_type) + ob.field(8, name)
    for key, value in (("location", location), ("offset", str(offset))):
        out += ob.field(13, ob.field(1, key) + ob.field(2, value))
    return out + ob.field(14, 1)


def test_external_data(folder):
    """The amounts and the data are in another file, which the result goes on using."""
    (folder / "w.bin").write_bytes(np.array(LONG).tobytes() + np.full(8, 2, "<f4").tobytes())
    weights = [outside("p", ob.INT64, 4, "w.bin"), outside("w", ob.FLOAT, 8, "w.bin", 32)]
    nodes = [pad(output="z"), ob.node("Mul", ["z", "w"], ["y"])]
    content = ob.model(graph(nodes, initializers=weights), 18)
    lower(folder, content)
    onnx.checker.check_model(os.fspath(folder / "out.onnx"), full_check=True)
    session = onnxruntime.InferenceSession(folder / "out.onnx")
    np.testing.assert_array_equal(session.run(None, {"x": X})[0], 2 * reflected())


def test_external_data_beyond_2_gib_is_untouched(folder):
    size = 3 * GIB
    with open(folder / "w.bin", "wb") as file:
        file.truncate(size)
    before = os.stat(folder / "w.bin")
    weights = [ob.int64s(LONG, "p"), outside("w", 2, size, "w.bin")]
    lower(folder, ob.model(graph([pad()], initializers=weights), 18))
    after = os.stat(folder / "w.bin")
    assert (after.st_size, after.st_mtime_ns) == (size, before.st_mtime_ns)
    assert after.st_blocks == before.st_blocks


@pytest.mark.parametrize("own", ["v.onnx", "w.onnx"])
def test_no_file_of_external_data_is_overwritten(folder, own):
    """Whichever of several it is, and by whichever name."""
    for name in ("v.onnx", "w.onnx"):
        (folder / name).write_bytes(bytes(8))
    (folder / "link.onnx").symlink_to(own)
    weights = [ob.int64s(LONG, "p")]
    weights += [outside(name[0], ob.FLOAT, 2, name) for name in ("v.onnx", "w.onnx")]
    source = folder / "m.onnx"
    source.write_bytes(ob.model(graph([pad()], initializers=weights), 18))
    for out in (own, "link.onnx"):
        fail(3, "lower", source, folder / out, "--target", TARGET, "-f", words=(own, "same file"))
    assert (folder / own).read_bytes() == bytes(8)


ELSEWHERE = {
    "initializer": lambda: graph([pad()], initializers=[
        ob.int64s(LONG, "p"), outside("w", ob.FLOAT, 2, "w.bin")]),
    "of a type that is too new": lambda: graph([pad()], initializers=[
        ob.int64s(LONG, "p"), outside("w", 99, 2, "w.bin")]),
    "sparse initializer": lambda: graph([pad()]) + ob.field(
        15, ob.field(1, outside("w", ob.FLOAT, 2, "w.bin")) + ob.field(3, 4)),
    "attribute": lambda: graph([pad(), ob.node("Mine", ["x"], ["z"], attributes=[
        ob.field(1, "t") + ob.field(5, outside("", ob.FLOAT, 2, "w.bin")) + ob.field(20, 4)])
        + ob.field(7, "my")]),
    "in a branch": lambda: graph([pad(), branches([
        constant("b", outside("", ob.FLOAT, 2, "w.bin"))], output="z", condition="x")]),
}


@pytest.mark.parametrize("where", ELSEWHERE)
def test_external_data_needs_the_same_folder(folder, where):
    (folder / "w.bin").write_bytes(bytes(64))
    (folder / "else").mkdir()
    source, words = folder / "m.onnx", ("--target", TARGET)
    source.write_bytes(ob.model(ELSEWHERE[where](), 18))
    fail(3, "lower", source, folder / "else" / "out.onnx", *words, words=("w.bin",))
    succeed("lower", source, folder / "out.onnx", *words, "-q")
