"""The ONNX models of the tests in Python, made with the onnx package.  SPDX-License-Identifier: MIT

onnx.helper makes nodes, graphs and functions; here are short forms of what many tests need.
"""

import numpy as np
import onnx.helper as oh
import onnx.numpy_helper as nh
import onnx.parser
from onnx import AttributeProto, TensorProto

FLOAT, INT32, INT64, STRING, BOOL = (
    TensorProto.FLOAT,
    TensorProto.INT32,
    TensorProto.INT64,
    TensorProto.STRING,
    TensorProto.BOOL,
)
IR_VERSION = 9  # that every version of ONNX Runtime that was measured reads


def port(name, shape=None, type=FLOAT):
    return oh.make_tensor_value_info(name, type, shape)


def ints(name, values, kind=np.int64):
    return nh.from_array(np.array(values, kind), name)


def tensor(name, type, shape, raw=b""):
    return TensorProto(name=name, data_type=type, dims=shape, raw_data=raw)


def external(name, location, shape, offset=None, length=None, type=INT64):
    """A tensor whose elements lie in another file."""
    proto = TensorProto(name=name, data_type=type, dims=shape, data_location=TensorProto.EXTERNAL)
    for key, value in ("location", location), ("offset", offset), ("length", length):
        if value is not None:
            proto.external_data.add(key=key, value=str(value))
    return proto


def pad_node(inputs, output="y", name="", **attributes):
    return oh.make_node("Pad", inputs, [output], name=name, **attributes)


def parsed(text):
    """Nodes as ONNX writes them: `[name] y = Op <attribute=1> (x, , w)`. Without a name a Pad is
    called pad, and a node over windows conv or pool."""
    made = list(onnx.parser.parse_graph(f"g () => () {{ {text} }}").node)
    for node in made:
        named = [word.lower() for word in ("Pad", "Conv", "Pool") if word in node.op_type]
        node.name = node.name or "".join(named)
    return made


def constant_node(output, values):
    return oh.make_node("Constant", [], [output], value=ints("", values))


def referring(node, attribute, name, kind=AttributeProto.STRING):
    """The node of a function; its attribute is what callers give under that name."""
    reference = AttributeProto(name=attribute, ref_attr_name=name, type=kind)
    node.attribute.append(reference)
    return node


def graph(nodes, inputs, outputs, initializers=(), name="g", **more):
    """inputs, outputs: names or value infos."""
    ports = [[port(p) if isinstance(p, str) else p for p in side] for side in (inputs, outputs)]
    return oh.make_graph(nodes, name, *ports, initializer=list(initializers), **more)


def model(nodes, inputs, outputs, initializers=(), opset=19, functions=(), imports=(), **more):
    """A model's bytes. imports: opsets beside that of ONNX."""
    return model_of(graph(nodes, inputs, outputs, initializers, **more), opset, functions, imports)


def model_of(top, opset=19, functions=(), imports=()):
    imports = [oh.make_opsetid("", opset), *imports]
    proto = oh.make_model(
        top, opset_imports=imports, functions=list(functions), ir_version=IR_VERSION
    )
    return proto.SerializeToString()


def save(folder, *parts, **more):
    """Writes m.onnx and returns its path. parts: as model() takes them."""
    path = folder / "m.onnx"
    path.write_bytes(model(*parts, **more))
    return path


# ---- Models that many tests read -----------------------------------------------------------------


def one_pad(mode="wrap", opset=19, pads=(2, 1, 1, 1), name="pad_0", x=(3, 2), type=FLOAT):
    """x -> Pad -> y, its pads an initializer."""
    node = pad_node(["x", "p"], "y", name, mode=mode)
    return model(
        [node], [port("x", x, type)], [port("y", ["a", "b"], type)], [ints("p", pads)], opset
    )


def two_branches():
    """x -> Pad -> a and x -> Pad(pads at run time) -> b."""
    return model(
        [pad_node(["x", "p"], "a", "first"), pad_node(["x", "q"], "b", mode="edge")],
        [port("x", ["n", 2]), port("q", [4], INT64)],
        [port("a", ["n", 4]), port("b", ["u", "v"])],
        [ints("p", [0, 1, 0, 1])],
        opset=25,
    )


def with_subgraph():
    """An If whose two branches each hold a Pad named alike."""

    def branch(mode):
        return graph([pad_node(["x", "p"], "z", "inner", mode=mode)], [], [port("z", [3, 4])])

    choice = oh.make_node("If", ["c"], ["y"], name="choice")
    for side, mode in ("then", "edge"), ("else", "reflect"):  # make_node would sort them
        choice.attribute.append(oh.make_attribute(f"{side}_branch", branch(mode)))
    return model(
        [choice],
        [port("c", [], BOOL), port("x", [3, 2])],
        [port("y", [3, 4])],
        [ints("p", [0, 1, 0, 1])],
        opset=25,
    )
