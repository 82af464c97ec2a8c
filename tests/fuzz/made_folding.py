"""Seeds for what follows from constants and shapes: a model for each operator that is folded.

SPDX-License-Identifier: MIT
"""

import onnx
import onnx.helper as oh

# Operator, inputs (x: data of [n,3,4]; s: its shape; numbers: a list; n: a scalar), attributes.
ONNX = [
    ("Cast", "s", {"to": 6}),
    ("CastLike", "s s", {}),
    ("Concat", "s s", {"axis": 0}),
    ("ConstantOfShape", "2,1", {}),
    ("Expand", "s 2,3", {}),
    ("Gather", "s 2,-1", {"axis": 0}),
    ("Identity", "s", {}),
    ("Range", "n1 n7 n2", {}),
    ("Reshape", "s -1,3", {}),
    ("Shape", "x", {}),
    ("Shape", "x", {"start": -2, "end": 9}),
    ("Size", "x", {}),
    ("Slice", "s 2 -9 0 -1", {}),
    ("Slice", "s 1 9 0", {}),
    ("Split", "s", {"axis": 0}),
    ("Split", "s 1,2", {"axis": 0}),
    ("Squeeze", "s", {}),
    ("Squeeze", "s 0", {}),
    ("Unsqueeze", "s 0,2", {}),
    ("Tile", "s 2", {}),
    ("Transpose", "s", {}),
    ("Transpose", "x", {"perm": [2, 0, 1]}),
    ("Where", "s s s", {}),
    ("Flatten", "x", {"axis": 2}),
    *[(op, "s 2,3,4", {}) for op in "Add Sub Mul Div Mod Equal Less Greater Min Max Sum".split()],
    ("Mod", "s 2,3,4", {"fmod": 1}),
    ("Add", "x s", {"broadcast": 1}),
    *[(op, "s", {}) for op in "Neg Abs Relu Not".split()],
    *[(op, "s", {"axes": [0]}) for op in "ReduceSum ReduceProd ReduceMin ReduceMean".split()],
    ("ReduceMax", "s 0", {"keepdims": 0}),
    ("ArgMax", "x", {"axis": 1}),
    ("Conv", "x x", {"strides": [2], "pads": [1, 1]}),
    ("ConvTranspose", "x x", {"strides": [2]}),
    ("MaxPool", "x", {"kernel_shape": [2], "auto_pad": "SAME_UPPER"}),
    ("AveragePool", "x", {"kernel_shape": [2], "ceil_mode": 1}),
    ("GlobalMaxPool", "x", {}),
    ("MatMul", "x x", {}),
    ("Gemm", "s s", {"transA": 1}),
    ("Resize", "x s s 1,3,9", {}),
    ("Upsample", "x", {"scales": [1.0, 2.0, 2.5]}),
    ("DepthToSpace", "x", {"blocksize": 2}),
    ("LSTM", "x x x", {"hidden_size": 5}),
    ("GatherElements", "x s", {}),
    ("QuantizeLinear", "x x", {}),
    ("IsNaN", "x", {}),
]


def named(words, constants):
    names = []
    for word in words.split():
        if word in ("x", "s"):
            names.append(word)
            continue
        name = f"c{len(constants)}"
        items = [int(item) for item in word.strip("n").split(",")]
        constants.append(oh.make_tensor(name, 7, [] if word[0] == "n" else [len(items)], items))
        names.append(name)
    return names


def model(nodes, constants, opset=18, functions=(), imports=()):
    """The last node's output as the amounts of a Pad, and its shape as those of another."""
    last = nodes[-1].output[0]
    nodes = [
        oh.make_node("Shape", ["x"], ["s"]),
        *nodes,
        oh.make_node("Shape", [last], ["t"]),
        oh.make_node("Concat", ["t", "t"], ["u"], axis=0),
        oh.make_node("Pad", ["x", "u"], ["y"]),
        oh.make_node("Pad", ["x", last], ["z"]),
        oh.make_node("Pad", [last, "u"], ["w"]),
    ]
    graph = oh.make_graph(
        nodes, "g", [oh.make_tensor_value_info("x", 1, ["n", 3, 4])], [], initializer=constants
    )
    opsets = [oh.make_opsetid("", opset), *imports]
    return oh.make_model(graph, opset_imports=opsets, functions=functions).SerializeToString()


def onnx_models():
    for opset in (18, 12, 6, 1):
        for op, words, attributes in ONNX:
            constants = []
            node = oh.make_node(
                op, named(words, constants), ["v", "v2"][: 1 + (op == "Split")], **attributes
            )
            yield model([node], constants, opset)
    then, other = (
        oh.make_graph(
            [oh.make_node("Gather", ["s", "c0"], [name])],
            name,
            [],
            [oh.make_tensor_value_info(name, 7, None)],
        )
        for name in "ab"
    )
    constants = []
    named("0,1 n1", constants)
    branch = oh.make_node("If", ["k"], ["v"], then_branch=then, else_branch=other)
    yield model([oh.make_node("Cast", ["c1"], ["k"], to=9), branch], constants)
    yield model([oh.make_node("Cast", ["x"], ["k"], to=9), branch], constants)
    gather = oh.make_node("Gather", ["p", "q"], ["r"])
    gather.attribute.append(onnx.AttributeProto(name="axis", ref_attr_name="axis", type=2))
    function = oh.make_function(
        "my", "F", ["p", "q"], ["r"], [gather], [oh.make_opsetid("", 18)], ["axis"]
    )
    call = oh.make_node("F", ["s", "c0"], ["v"], domain="my", axis=0)
    again = oh.make_node("F", ["v", "c0"], ["v3"], domain="my", axis=0)
    for nodes in [call], [call, again]:
        yield model(nodes, constants, 18, [function], [oh.make_opsetid("my", 1)])


# Operation of an IR, inputs (x, s as above; c: the two numbers 0 and 1; n: the number 0), its data.
IR = [
    ("ShapeOf", "x", 'output_type="i32"'),
    ("Gather", "s c n", 'batch_dims="0"'),
    ("Concat", "s s", 'axis="0"'),
    ("Convert", "s", 'destination_type="i32"'),
    ("Reshape", "s c", 'special_zero="true"'),
    ("Select", "s s s", ""),
    ("Slice", "s c c c", ""),
    ("Split", "s n", 'num_splits="3"'),
    ("VariadicSplit", "s n c", ""),
    ("Squeeze", "s", ""),
    ("Squeeze", "s n", ""),
    ("Unsqueeze", "s n", ""),
    ("Tile", "s n", ""),
    ("Transpose", "x s", ""),
    ("Broadcast", "n s", 'mode="numpy"'),
    ("Range", "n n n", 'output_type="i64"'),
    (
        "StridedSlice",
        "s n n n",
        'begin_mask="1" end_mask="0" new_axis_mask="0" shrink_axis_mask="0" ellipsis_mask="0"',
    ),
    ("StridedSlice", "s n n", 'begin_mask="0" end_mask="0" shrink_axis_mask="1"'),
    *[
        (op, "s s", 'auto_broadcast="numpy"')
        for op in "Add Subtract Multiply Divide Mod FloorMod Maximum Equal Less LogicalAnd".split()
    ],
    ("Divide", "s s", 'm_pythondiv="false"'),
    ("Abs", "s", ""),
    ("Relu", "x", ""),
    ("ReduceSum", "s n", 'keep_dims="true"'),
    ("ReduceMax", "s n", 'keep_dims="false"'),
    ("MatMul", "x x", 'transpose_a="true" transpose_b="false"'),
    (
        "MaxPool",
        "x",
        'kernel="2" strides="1" pads_begin="0" pads_end="1" rounding_type="ceil"',
    ),
    (
        "Convolution",
        "x x",
        'strides="1" dilations="1" pads_begin="0" pads_end="0" auto_pad="same_upper"',
    ),
    ("GroupConvolution", "x x", 'strides="1" dilations="1" pads_begin="0" pads_end="0"'),
]


def layer(number, kind, data, inputs, shape=""):
    ports = "".join(f'<port id="{i}"/>' for i in range(inputs))
    ports = f"<input>{ports}</input>" if inputs else ""
    out = f'<output><port id="{inputs}" precision="I64">{shape}</port></output>'
    head = f'<layer id="{number}" name="l{number}" type="{kind}" version="opset1"><data {data}/>'
    return f"{head}{ports}{out}</layer>"


def ir(operation, words, data):
    number = {"x": 0, "s": 1, "c": 2, "n": 3}
    words = words.split()
    dims = "<dim>-1</dim><dim>3</dim><dim>4</dim>"
    layers = [
        layer(0, "Parameter", 'shape="?,3,4" element_type="i64"', 0, dims),
        layer(1, "ShapeOf", "", 1),
        layer(2, "Const", 'element_type="i64" shape="2" offset="0" size="16"', 0),
        layer(3, "Const", 'element_type="i64" shape="1" offset="0" size="8"', 0),
        layer(4, operation, data, len(words)),
        layer(5, "ShapeOf", "", 1),
        layer(6, "Pad", 'pad_mode="edge"', 3),
        layer(7, "Pad", 'pad_mode="edge"', 3),
        layer(8, "Pad", 'pad_mode="edge"', 3),
    ]
    edges = [(0, 0, 1, 0), *[(number[w], int(w == "s"), 4, i) for i, w in enumerate(words)]]
    last = (4, len(words))
    edges += [(*last, 5, 0), (0, 0, 6, 0), (*last, 6, 1), (*last, 6, 2)]
    edges += [(0, 0, 7, 0), (5, 1, 7, 1), (5, 1, 7, 2), (*last, 8, 0), (5, 1, 8, 1), (5, 1, 8, 2)]
    text = '<net name="m" version="11"><layers>' + "".join(layers) + "</layers><edges>"
    for a, b, c, d in edges:
        text += f'<edge from-layer="{a}" from-port="{b}" to-layer="{c}" to-port="{d}"/>'
    return (text + "</edges></net>").encode() + b"\0" + bytes(8) + b"\1" + bytes(7)


def ir_models():
    for operation in IR:
        yield ir(*operation)
