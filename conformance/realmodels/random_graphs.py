"""Random graphs around a Pad: what stands before it, how its amounts are made, where it stands, what follows.

SPDX-License-Identifier: MIT
"""

import random

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from realmodels.recipe import Recipe, sizes_of

OPSETS = (11, 13, 16, 18, 19, 21)
IR_VERSION = 8  # opset 21 is newer, but no runtime minds
MULTIPLE = 4


class Graph:
    """The nodes so far, and the name and rank of the value to which the next one is added."""

    def __init__(self, draw, opset, rank):
        self.draw, self.opset, self.rank, self.last = draw, opset, rank, "x"
        self.nodes, self.constants, self.made = [], [], 0

    def constant(self, array):
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def add(self, op_type, *inputs, **words):
        self.last = self.add_beside(op_type, [self.last, *inputs], **words)

    def add_beside(self, op_type, inputs, **words):
        """A node whose output the next one does not take; its name."""
        self.made += 1
        name = f"v{self.made}"
        self.nodes.append(helper.make_node(op_type, inputs, [name], name=f"n{self.made}", **words))
        return name

    def numbers(self, *shape):
        values = np.random.default_rng(self.draw.randrange(1 << 30)).standard_normal(shape)
        return self.constant(values.astype(np.float32))


# ---- Before and behind ---------------------------------------------------------------------------


def conv(g, stride=1, pad=1):
    if g.rank < 3:
        return
    spatial = g.rank - 2
    g.add("Conv", g.numbers(3, 3, *[3] * spatial), pads=[pad] * 2 * spatial, strides=[stride] * spatial)


def pool(g, kind="MaxPool", stride=2):
    if g.rank > 2:
        g.add(kind, kernel_shape=[2] * (g.rank - 2), strides=[stride] * (g.rank - 2))


def transposes(g):
    order = list(range(g.rank))
    g.draw.shuffle(order)
    g.add("Transpose", perm=order)
    g.add("Transpose", perm=[order.index(k) for k in range(g.rank)])


def resize(g):
    if g.rank == 4:
        g.add("Resize", "", g.constant(np.array([1, 1, 2, 2], np.float32)), mode="nearest",
              coordinate_transformation_mode="asymmetric", nearest_mode="floor")


def quantise(g):
    scale, zero = g.constant(np.float32(0.05)), g.constant(np.uint8(128))
    g.add("QuantizeLinear", scale, zero)
    g.add("DequantizeLinear", scale, zero)


def halves(g):
    g.add("Cast", to=TensorProto.FLOAT16)
    g.add("Cast", to=TensorProto.FLOAT)


def reduce(g):
    if g.opset < 18:
        g.add("ReduceMean", axes=[1], keepdims=1)
    else:
        g.add("ReduceMean", g.constant(np.array([1])), keepdims=1)
    g.add("Expand", g.constant(np.array([1, 3] + [1] * (g.rank - 2))))


def split(g):
    name = g.last
    g.add("Slice", *(g.constant(np.array([n])) for n in (0, 2, 1)))
    one = g.last
    g.last = name
    g.add("Slice", *(g.constant(np.array([n])) for n in (2, 9, 1)))
    g.last = g.add_beside("Concat", [one, g.last], axis=1)


def there_and_back(g):
    """To one axis less, by the shape that the value has when it runs."""
    shape = g.add_beside("Shape", [g.last])
    g.add("Reshape", g.constant(np.array([0, 0, -1])))
    g.add("Reshape", shape)


def einsum(g):
    letters = "abcd"[:g.rank]
    g.add("Einsum", g.numbers(3, 3), equation=f"{letters},be->{letters.replace('b', 'e')}")


FRONT = [
    lambda g: g.add("Relu"), lambda g: g.add("Sigmoid"), lambda g: g.add("Identity"),
    lambda g: g.add("Add", g.constant(np.float32(-0.7))), lambda g: g.add("Mul", g.numbers(3, *[1] * (g.rank - 2))),
    lambda g: g.add("Clip", g.constant(np.float32(0)), g.constant(np.float32(6))),
    lambda g: g.add("Softmax", axis=1), lambda g: g.add("LeakyRelu"), lambda g: g.add("Tanh"),
    conv, lambda g: conv(g, 2), lambda g: conv(g, 1, 0), pool, lambda g: pool(g, "AveragePool", 1),
    transposes, resize, quantise, halves, reduce, split, there_and_back, einsum,
]
BEHIND = [
    lambda g: None, lambda g: g.add("Relu"), lambda g: conv(g, 1, 0), lambda g: conv(g, 2, 1),
    lambda g: pool(g), lambda g: pool(g, "AveragePool"), lambda g: pool(g, "MaxPool", 1),
    lambda g: g.add("Neg"), lambda g: g.add("Transpose", perm=list(range(g.rank))[::-1]), quantise,
]


# ---- The Pad -------------------------------------------------------------------------------------


def amounts(draw, rank, mode):
    """Begins, then ends. With reflect at most as much as the smallest value here has cells."""
    pads = [0] * 2 * rank
    for axis in range(2, rank) if rank > 2 else range(1, rank):
        for end in (axis, rank + axis):
            pads[end] = draw.choice([0, 1, 1, 1, 2, 3])
            if mode == "reflect":
                pads[end] = min(pads[end], 1)
    if draw.random() < 0.1:
        pads[draw.choice([1, rank + 1])] = draw.choice([1, 2]) if mode == "constant" else 0
    if draw.random() < 0.12 and rank > 2:
        pads[draw.choice([2, rank + 2])] = -1
    return pads


def exporters_chain(g, pads):
    """As torch's older exporter makes them from its list, which begins with the last axis."""
    rank = len(pads) // 2
    pairs = [n for axis in reversed(range(rank)) for n in (pads[axis], pads[rank + axis])]
    name = g.add_beside("Reshape", [g.constant(np.array(pairs)), g.constant(np.array([-1, 2]))])
    back = [g.constant(np.array([n])) for n in (-1, -(2**63) + 1, 0, -1)]
    name = g.add_beside("Slice", [name, *back])
    name = g.add_beside("Transpose", [name], perm=[1, 0])
    name = g.add_beside("Reshape", [name, g.constant(np.array([-1]))])
    return g.add_beside("Cast", [name], to=TensorProto.INT64)


def to_multiple(g, pads):
    """The end of the last axis: up to the next multiple."""
    shape = g.add_beside("Shape", [g.last])
    last = g.add_beside("Gather", [shape, g.constant(np.array([g.rank - 1]))])
    rest = g.add_beside("Mod", [g.add_beside("Neg", [last]), g.constant(np.array([MULTIPLE]))])
    return g.add_beside("Concat", [g.constant(np.array(pads[:-1])), rest], axis=0)


MAKERS = [
    lambda g, pads: g.constant(np.array(pads)),
    lambda g, pads: g.constant(np.array(pads)),
    lambda g, pads: g.add_beside("Constant", [], value=numpy_helper.from_array(np.array(pads))),
    lambda g, pads: g.add_beside("Identity", [g.constant(np.array(pads))]),
    lambda g, pads: g.add_beside("Cast", [g.constant(np.array(pads, np.int32))], to=TensorProto.INT64),
    lambda g, pads: g.add_beside("Concat", [g.constant(np.array(pads[:3])), g.constant(np.array(pads[3:]))], axis=0),
    exporters_chain, to_multiple,
]


def put_pad(g, mode):
    pads = amounts(g.draw, g.rank, mode)
    make = g.draw.choice(MAKERS)
    if make is to_multiple and mode in ("reflect", "wrap"):
        make = MAKERS[0]
    words = [make(g, pads)]
    if mode == "constant" and g.draw.random() < 0.4:
        words.append(g.constant(np.float32(g.draw.choice([0, 0, 1.5, -1e9]))))
    g.add("Pad", *words, mode=mode)


def in_function(g, first, opset):
    """Moves the nodes from number `first` on into a function."""
    inner = g.nodes[first:]
    made = {name for node in inner for name in node.output}
    inputs = sorted({name for node in inner for name in node.input if name and name not in made})
    domains = [helper.make_opsetid("", opset)]
    function = helper.make_function("my", "Part", inputs, [g.last], inner, domains)
    del g.nodes[first:]
    g.nodes.append(helper.make_node("Part", inputs, [g.last], domain="my"))
    return [function]


def split_off(g, first):
    """Takes the nodes from number `first` on out of the graph: they, and the value that they begin with."""
    inner = g.nodes[first:]
    del g.nodes[first:]
    return inner


def condition(g):
    """True, as a constant, or as something that is known when the model runs."""
    if g.draw.random() < 0.5:
        return g.constant(np.array(True))
    total = g.add_beside("ReduceMax", ["x"], keepdims=0)
    return g.add_beside("Greater", [total, g.constant(np.float32(-1e30))])


def renamed(nodes, suffix):
    """Copies whose own values have other names."""
    made = {name for node in nodes for name in node.output}
    copies = []
    for node in nodes:
        copy = onnx.NodeProto()
        copy.CopyFrom(node)
        copy.name += suffix
        copy.input[:] = [name + suffix if name in made else name for name in node.input]
        copy.output[:] = [name + suffix for name in node.output]
        copies.append(copy)
    return copies


def no_shape(name, kind=TensorProto.FLOAT):
    return helper.make_tensor_value_info(name, kind, None)


def in_if(g, first):
    """Moves the nodes into both branches of an If."""
    inner, last = split_off(g, first), g.last
    branches = {side: helper.make_graph(renamed(inner, f"_{side[0]}"), side, [], [no_shape(f"{last}_{side[0]}")])
                for side in ("then_branch", "else_branch")}
    decided = condition(g)
    g.nodes.append(helper.make_node("If", [decided], [last], name="if", **branches))


def in_loop(g, first, start):
    """Moves the nodes into a Loop that goes round once. start: the value before them."""
    inner, last = renamed(split_off(g, first), "_b"), g.last
    for node in inner:
        node.input[:] = ["carried" if name == start else name for name in node.input]
    again = helper.make_node("Identity", ["again"], ["again_out"], name="again")
    body = helper.make_graph(
        [again, *inner], "body",
        [helper.make_tensor_value_info("round", TensorProto.INT64, []),
         helper.make_tensor_value_info("again", TensorProto.BOOL, []), no_shape("carried")],
        [helper.make_tensor_value_info("again_out", TensorProto.BOOL, []), no_shape(f"{last}_b")])
    once, yes = g.constant(np.array(1)), g.constant(np.array(True))
    g.nodes.append(helper.make_node("Loop", [once, yes, start], [last], name="loop", body=body))


def model_of(g, shape, is_open, functions=()):
    rank = len(shape)
    dims = ["n", 3, *"hwd"[:rank - 2]] if is_open else list(shape)
    graph = helper.make_graph(g.nodes, "random", [helper.make_tensor_value_info("x", TensorProto.FLOAT, dims)],
                              [helper.make_tensor_value_info(g.last, TensorProto.FLOAT, [None] * rank)], g.constants)
    imports = [helper.make_opsetid("", g.opset), *([helper.make_opsetid("my", 1)] if functions else [])]
    return helper.make_model(graph, opset_imports=imports, functions=functions, ir_version=IR_VERSION)


def draw_model(seed):
    """The model, the same without bodies or None, and the shape of its input."""
    draw = random.Random(seed)
    opset, rank = draw.choice(OPSETS), draw.choice([4, 4, 4, 4, 3, 2])
    mode = draw.choice(["constant", "constant", "edge", "reflect", *(["wrap"] if opset >= 19 else [])])
    g = Graph(draw, opset, rank)
    for _ in range(draw.randint(0, 3)):
        step = draw.choice(FRONT)
        if not (step is einsum and opset < 12 or step is there_and_back and rank < 3):
            step(g)
    first, start = len(g.nodes), g.last
    put_pad(g, mode)
    place = draw.random()
    functions = in_function(g, first, opset) if place < 0.06 else []
    plain = None
    if 0.06 <= place < 0.16:
        plain = list(g.nodes)
        in_if(g, first) if place < 0.12 else in_loop(g, first, start)
    behind = len(g.nodes)
    if rank > 1:
        draw.choice(BEHIND)(g)
    shape = (1, 3, *(draw.randint(9, 14) for _ in range(rank - 2)))
    is_open = draw.random() < 0.5
    model = model_of(g, shape, is_open, functions)
    if plain is not None:
        g.nodes = plain + g.nodes[behind:]
        plain = model_of(g, shape, is_open)
    return model, plain, shape, is_open


def recipes(seed, count):
    for k in range(count):
        model, plain, shape, is_open = draw_model(f"{seed} {k}")
        axes = range(2, len(shape)) if is_open else ()
        yield Recipe(f"random {k}", "random", lambda path, model=model: onnx.save(model, path),
                     sizes_of(shape, axes, (3,) if axes else ()), plain=plain,
                     rounds=any(node.op_type == "QuantizeLinear" for node in model.graph.node))
