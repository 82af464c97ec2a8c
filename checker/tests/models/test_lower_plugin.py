"""`lower --plugin`: which Pads become the plug-in's for ONNX Runtime, and that all else stays.

SPDX-License-Identifier: MIT

That the plug-in runs such models is tested in plugins/onnxruntime/tests.
"""

import onnx
import onnx.helper as oh
import pytest
from harness import succeed
from onnx import TensorProto
from onnx_models import BOOL, FLOAT, INT64, graph, ints, model, model_of, pad_node, port

INT16, UINT8, HALF = TensorProto.INT16, TensorProto.UINT8, TensorProto.FLOAT16
IMAGE, OPEN, SMALL = [1, 3, 32, 32], [1, 3, None, None], [1, 2, 3, 3]
BY_ONE, NOTHING, CUT = [0, 0, 1, 1] * 2, [0] * 8, [0, 0, -1, -1] * 2
CHANNELS, BY_FOUR = [0, 2, 0, 0] * 2, [0, 0, 4, 4] * 2


def lower(folder, content, target="ort-1.32", words=()):
    """The lowered model."""
    (folder / "m.onnx").write_bytes(content)
    names = folder / "m.onnx", folder / "out.onnx"
    succeed("lower", *names, "-q", "-f", "--plugin", "--target", target, *words)
    return onnx.load(folder / "out.onnx")


def is_ours(lowered):
    return [n.domain == "tensorpad" for n in lowered.graph.node if n.op_type == "Pad"] == [True]


def chain(after, mode="constant", shape=IMAGE, amounts=BY_ONE, type=FLOAT):
    """x -> Pad -> another node -> y. amounts None: an input."""
    windows = {"kernel_shape": [3, 3]} if "Pool" in after else {}
    inputs = ["z"] if "Pool" in after or after in ("Relu", "Transpose") else ["z", "w"]
    nodes = [
        pad_node(["x", "p"], "z", "pad", mode=mode),
        oh.make_node(after, inputs, ["y"], **windows),
    ]
    ports = [port("x", shape, type), port("w", [4, 3, 3, 3], type)]
    if amounts is None:
        ports.append(port("p", [8], INT64))
    return model(nodes, ports, [port("y", None, type)], [ints("p", amounts)] if amounts else [], 18)


CHOICES = [
    # Right, and faster with the plug-in
    (True, "ort-1.32", "Relu", {}),
    (True, "ort-1.32", "Relu", {"shape": OPEN}),
    (True, "ort-1.32", "Conv", {"mode": "reflect"}),
    (True, "ort-1.32", "MaxPool", {"mode": "edge", "amounts": CUT}),
    (True, "ort-1.32", "Relu", {"amounts": None}),
    # A part of the node after it
    (False, "ort-1.32", "Conv", {}),
    (False, "ort-1.32", "AveragePool", {}),
    # Nodes that move past it
    (False, "ort-1.32", "Transpose", {"mode": "reflect"}),
    (False, "ort-1.32", "QuantizeLinear", {"mode": "reflect"}),
    (False, "ort-1.32", "DequantizeLinear", {"type": UINT8}),
    # Few rows
    (False, "ort-1.32", "Relu", {"amounts": NOTHING}),
    (False, "ort-1.32", "Relu", {"amounts": CHANNELS}),
    (False, "ort-1.32", "Relu", {"shape": SMALL}),
    (True, "ort-1.32", "Relu", {"shape": SMALL, "type": HALF}),
    # Wrong or refused
    (True, "ort-1.23", "Relu", {"mode": "reflect", "shape": SMALL, "amounts": BY_FOUR}),
    (True, "ort-1.23", "Transpose", {"mode": "reflect", "shape": SMALL, "amounts": BY_FOUR}),
    (True, "ort-1.32", "Transpose", {"amounts": NOTHING, "type": INT16}),
    (True, "ort-1.23", "MaxPool", {}),
    # Forbidden: wrap came with opset 19
    (False, "ort-1.32", "Relu", {"mode": "wrap"}),
]


@pytest.mark.parametrize("ours, target, after, more", CHOICES)
def test_the_choice(tmp_path, ours, target, after, more):
    assert is_ours(lower(tmp_path, chain(after, **more), target)) == ours


NEIGHBOURS = {  # nodes around a Pad, its data's shape, and whether it becomes the plug-in's
    "several readers": (
        [
            "y = Pad <mode='reflect'> (x, p)",
            "a = QuantizeLinear (y, s)",
            "b = QuantizeLinear (y, s)",
        ],
        IMAGE,
        True,
    ),
    "after a Transpose": (["t = Transpose (x)", "y = Pad (t, p)"], IMAGE, False),
    "unknown rank": (["y = Pad (x, p)"], None, True),
    # An extent follows from an operator that only ONNX Runtime knows, or from the input.
    "known before": (["t = Mystery (x)", "u = Reshape (t, r)", "y = Pad (u, p)"], IMAGE, False),
    "open before": (["t = Mystery (x)", "u = Reshape (t, r)", "y = Pad (u, p)"], OPEN, True),
}


@pytest.mark.parametrize("name", NEIGHBOURS)
def test_neighbours(tmp_path, name):
    nodes, shape, ours = NEIGHBOURS[name]
    text = " ".join(nodes).replace("'", '"')
    made = onnx.parser.parse_graph(f"g () => () {{ {text} }}").node
    outputs = "ab" if "s" in made[-1].input else "y"
    p = [port("p", None, INT64)] if shape is None else []
    constants = [ints("r", [1, 64, -1, 4])] + ([] if p else [ints("p", BY_ONE)])
    content = model(made, [port("x", shape), *p], [port(o, None) for o in outputs], constants, 18)
    assert is_ours(lower(tmp_path, content)) == ours


def with_pads(old):
    """Two Pads in the graph, one in a branch, and two in each of two functions. old: their domain."""
    where = {} if old is None else {"domain": old}

    def edge(name, output, inputs=("x", "p")):
        return pad_node(inputs, output, name, mode="edge", doc_string="what it is for", **where)

    def function(name):
        branch = graph([edge(name, "Z", ["X", "P"])], [], ["Z"], name="b")
        choice = oh.make_node("If", ["C"], ["Y"], then_branch=branch)
        nodes = [choice, edge(name, "W", ["X", "P"])]
        return oh.make_function(
            "my",
            name,
            ["X", "P"],
            ["Y"],
            nodes,
            [oh.make_opsetid("", 18), oh.make_opsetid("my", 1)],
        )

    branch = graph([edge("third", "d")], [], ["d"], name="b")
    choice = oh.make_node("If", ["c"], ["y"], "choice", then_branch=branch)
    calls = [oh.make_node(name, ["x", "p"], [name], domain="my") for name in "AB"]
    nodes = [edge("first", "a"), edge("second", "b"), choice, *calls]
    inputs = [port("x", IMAGE), port("c", [], BOOL)]
    top = graph(nodes, inputs, [port(o, None) for o in ("y", "A", "B")], [ints("p", BY_ONE)])
    return model_of(top, 18, [function("A"), function("B")], [oh.make_opsetid("my", 1)])


def prepared(proto):
    """The same model with all Pads as the plug-in's, as onnx makes it."""

    def visit(nodes, values=None):
        for node in nodes:
            if node.op_type == "Pad":
                node.domain = "tensorpad"
                if values is not None:
                    values.append(port(node.output[0], [1, 3, 34, 34]))
            for attribute in node.attribute:
                if attribute.HasField("g"):
                    visit(attribute.g.node, attribute.g.value_info)

    visit(proto.graph.node, proto.graph.value_info)
    for holder in (*proto.functions, proto):
        if holder is not proto:
            visit(holder.node)
        imports = list(holder.opset_import)
        del holder.opset_import[:]
        holder.opset_import.extend([imports[0], oh.make_opsetid("tensorpad", 1), *imports[1:]])
    return proto


@pytest.mark.parametrize("old", [None, "", "ai.onnx"])
def test_all_else_stays(tmp_path, old):
    content = with_pads(old)
    assert lower(tmp_path, content) == prepared(onnx.load_from_string(content))


@pytest.mark.parametrize("said", ["by a value", "by an output", "in part", "not at all"])
def test_shapes_of_outputs(tmp_path, said):
    """ONNX Runtime infers no shape of a node that it does not know: the file says it."""
    pad = pad_node(["x", "p"], "y", "pad", mode="edge")
    shape = {"in part": OPEN, "not at all": None}.get(said, IMAGE)
    y = port("y", OPEN)
    relu = oh.make_node("Relu", ["y"], ["z"])
    nodes, output = ([pad], y) if said == "by an output" else ([pad, relu], port("z", None))
    values = [y] if said == "by a value" else []
    top = graph(nodes, [port("x", shape)], [output], [ints("p", BY_ONE)], value_info=values)
    out = lower(tmp_path, model_of(top, 18))
    assert is_ours(out)
    infos = {info.name: info for info in out.graph.value_info}
    if said == "in part":
        dims = infos["y"].type.tensor_type.shape.dim
        assert [d.dim_value for d in dims] == [1, 3, 0, 0] and not any(d.dim_param for d in dims)
    else:
        assert list(infos.values()) == values


def test_a_file_without_imports(tmp_path):
    """Its opset is 1."""
    proto = onnx.load_from_string(
        model([oh.make_node("Pad", ["x"], ["y"], "pad", paddings=BY_ONE)], ["x"], ["y"])
    )
    del proto.opset_import[:]
    proto.ir_version = 2
    out = lower(tmp_path, proto.SerializeToString())
    proto.graph.node[0].domain = "tensorpad"
    assert out == proto


def test_a_shape_that_is_given(tmp_path):
    """It decides nothing, and the written model takes other shapes."""
    content = chain("Transpose", mode="reflect", shape=OPEN, amounts=BY_FOUR)
    out = lower(tmp_path, content, "ort-1.23", ["--input-shape", "x=1,3,9,9"])
    assert is_ours(out)
    assert out.graph.input == onnx.load_from_string(content).graph.input


def test_a_function_that_is_called_with_two_shapes_says_none(tmp_path):
    proto = onnx.load_from_string(with_pads(None))
    proto.graph.node.append(oh.make_node("A", ["small", "p"], ["other"], domain="my"))
    proto.graph.input.append(port("small", SMALL))
    proto.graph.output.append(port("other", None))
    twice, once = lower(tmp_path, proto.SerializeToString()).functions
    assert not twice.node[0].attribute[0].g.value_info and once.node[0].attribute[0].g.value_info
