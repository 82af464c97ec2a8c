"""Random graphs around Pads: what stands before, beside and behind them, and how their amounts are made.

SPDX-License-Identifier: MIT

A graph is steps before, Pads with no-ops and Casts between them, and mostly an operator over windows behind them.
A step is a function of the Graph, which adds nodes to its last value. A step that the opset or the type of that value
does not have adds an Identity, and a graph that ONNX Runtime refuses is drawn again.
"""

import functools
import itertools
import random

import numpy as np
import onnx
from graphs.making import Recipe, sizes_of
from onnx import TensorProto, external_data_helper, helper, numpy_helper

OPSETS = range(7, 25)
IR_VERSION = 8  # opset 21 is newer, but no runtime minds
MULTIPLE = 4
FLOATS, BYTES = ("float32", "float64", "float16"), ("uint8", "int8")
KINDS = FLOATS[:1] * 10 + FLOATS + BYTES * 2 + ("int32", "int32", "int64", "bool")
# A Cast changes no number, so that every runtime gives the same one; of double and half only tests of small integers.
CASTS = {
    "float32": FLOATS,
    "float64": FLOATS[:1],
    "float16": FLOATS[:1],
    "int64": ("float32", "int32"),
}
WIDER = ("float32", "float32", "float64", "int32", "int64")
QUANTISED = np.float32(0.0625)


class Graph:
    """The nodes so far, and what is known of the value to which the next one is added."""

    lone = 0  # the share of Pads that have amounts on one axis at most

    def __init__(self, draw, opset, rank, kind):
        self.draw, self.opset, self.rank, self.kind, self.last = draw, opset, rank, kind, "x"
        self.channels = draw.choice((1, 2, 3, 4))
        self.nodes, self.constants, self.outputs, self.made = [], [], [], 0

    @property
    def is_float(self):
        return self.kind in FLOATS

    @property
    def zero(self):
        """The zero point of quantised values."""
        return {"uint8": 128, "int8": -2}[self.kind]

    def constant(self, array):
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def scalar(self, number):
        return self.constant(np.array(number).astype(self.kind))

    def list(self, *numbers):
        return self.constant(np.array(numbers, np.int64))

    def numbers(self, *shape, kind=None):
        draw = np.random.default_rng(self.draw.randrange(1 << 30))
        return self.constant(
            np.array(
                draw.integers(0 if (kind or self.kind) == "uint8" else -3, 4, shape),
                kind or self.kind,
            )
        )

    def add(self, op_type, *inputs, **words):
        self.last = self.add_beside(op_type, [self.last, *inputs], **words)

    def add_beside(self, op_type, inputs, **words):
        """A node whose output the next one does not take; its name."""
        self.made += 1
        name = f"v{self.made}"
        self.nodes.append(helper.make_node(op_type, inputs, [name], name=f"n{self.made}", **words))
        return name

    def cast(self, kind):
        self.add("Cast", to=helper.np_dtype_to_tensor_dtype(np.dtype(kind)))
        self.kind = kind

    def give(self, name, kind=None):
        """Makes a value an output of the graph, too."""
        self.outputs.append((name, kind or self.kind))


# ---- Steps ---------------------------------------------------------------------------------------


def step(op_type, *numbers, kinds=None, since=7, **words):
    """One node with constants of the type of its data."""

    def add(g):
        if g.opset < since or kinds and g.kind not in kinds:
            g.add("Identity")
        else:
            g.add(op_type, *map(g.scalar, numbers), **words)

    return add


def transposes(g):
    order = list(range(g.rank))
    g.draw.shuffle(order)
    g.add("Transpose", perm=order)
    g.add("Transpose", perm=[order.index(k) for k in range(g.rank)])


def unsqueeze_squeeze(g):
    axis = g.draw.randrange(g.rank + 1)
    for op_type in ("Unsqueeze", "Squeeze"):
        if g.opset < 13:
            g.add(op_type, axes=[axis])
        else:
            g.add(op_type, g.list(axis))


def there_and_back(g):
    """To one axis less, by the shape that the value has when it runs."""
    shape = g.add_beside("Shape", [g.last])
    if g.rank > 2:
        g.add("Reshape", g.list(0, 0, -1))
    g.add("Reshape", shape)


def whole_slice(g):
    if g.opset < 10:
        g.add("Slice", starts=[0], ends=[99], axes=[1])
    else:
        g.add("Slice", g.list(0), g.list(99), g.list(1))


def real_cast(g):
    g.cast(g.draw.choice(CASTS.get(g.kind, WIDER)))


def quantise(g):
    """There and back, or, from a float, to bytes."""
    if g.opset < 10 or g.kind not in ("float32", *BYTES):
        return g.add("Identity")
    given = g.kind
    if given == "float32":
        g.kind = g.draw.choice(BYTES)
        g.add("QuantizeLinear", g.constant(QUANTISED), g.scalar(g.zero))
    if given != "float32" or g.draw.random() < 0.6:
        g.add("DequantizeLinear", g.constant(QUANTISED), g.scalar(g.zero))
        g.kind = "float32"


def clip(low, high):
    def add(g):
        if g.opset < 11 and g.is_float:
            g.add("Clip", min=float(low), max=float(high))
        elif g.is_float or g.opset >= 12:
            g.add("Clip", g.scalar(low), g.scalar(high))

    return add


def reduce(g):
    """ReduceMean or ReduceSum over the channels, and as many of them again."""
    op_type, now = ("ReduceMean", 18) if g.is_float else ("ReduceSum", 13)
    words = {"axes": [1]} if g.opset < now else {}
    g.add(op_type, *([] if words else [g.list(1)]), keepdims=1, **words)
    if g.opset >= 8:
        g.add("Expand", g.list(1, g.channels, *[1] * (g.rank - 2)))
    else:
        g.channels = 1


def split(g):
    if g.channels > 1 and g.opset >= 10:
        name, parts = g.last, []
        for start, end in (0, 1), (1, 99):
            parts.append(g.add_beside("Slice", [name, *(g.list(n) for n in (start, end, 1))]))
        g.last = g.add_beside("Concat", parts, axis=1)


def resize(g):
    if g.rank == 4 and g.opset >= 11 and g.is_float:
        roi = "" if g.opset >= 13 else g.constant(np.empty(0, np.float32))
        g.add(
            "Resize",
            roi,
            g.constant(np.array([1, 1, 2, 2], np.float32)),
            mode="nearest",
            coordinate_transformation_mode="asymmetric",
            nearest_mode="floor",
        )


def einsum(g):
    letters = "abcde"[: g.rank]
    if g.opset >= 12:
        g.add(
            "Einsum",
            g.numbers(g.channels, g.channels),
            equation=f"{letters},bf->{letters.replace('b', 'f')}",
        )


def negative(g):
    g.add("Abs")
    g.add("Neg")


NO_OPS = [
    step("Identity"),
    step("Dropout", kinds=FLOATS),
    lambda g: g.cast(g.kind),
    step("Mul", 1),
    step("Div", 1),
    step("Add", 0),
    step("Sub", 0),
    transposes,
    unsqueeze_squeeze,
    there_and_back,
    whole_slice,
    lambda g: g.add("Reshape", g.list(*[0] * g.rank)),
    step("Concat", axis=1),
    step("Max", kinds=FLOATS),
    step("Sum", kinds=FLOATS),
    lambda g: g.add("Transpose", perm=list(range(g.rank))),
    step("Clip", kinds=FLOATS, since=11),
    lambda g: g.add("Expand", g.list(1)) if g.opset >= 8 else None,
]
SIGNS = [step("Abs"), step("Relu"), negative, clip(0, 6), clip(-6, -1), step("Max", 0)]
ARITHMETIC = [
    step("Add", -1),
    step("Neg"),
    lambda g: g.add("Mul", g.numbers(g.channels, *[1] * (g.rank - 2))),
    lambda g: g.add("Sum", g.last),
    reduce,
    split,
]
FLOATING = [
    step("Sigmoid"),
    step("Softmax", axis=1),
    step("LeakyRelu"),
    step("Tanh"),
    resize,
    einsum,
    quantise,
    quantise,
    lambda g: window(g, g.draw.choice(("Conv", "MaxPool", "AveragePool"))),
]


def before(g):
    choices = [NO_OPS, SIGNS, SIGNS, ARITHMETIC, *([FLOATING] * 3 if g.is_float else [])]
    g.draw.choice(g.draw.choice(choices))(g)


def between(g):
    if g.draw.random() < 0.5:
        for _ in range(g.draw.choice((1, 1, 2))):
            g.draw.choice(NO_OPS)(g)
    if g.draw.random() < 0.12:
        real_cast(g)


def beside(g):
    """Another reader of the last value, or the value itself as an output of the graph."""
    way = g.draw.random()
    if way < 0.05 and g.last != "x":
        g.give(g.last)
    elif way < 0.10:
        g.give(g.add_beside(g.draw.choice(("Identity", "Abs")), [g.last]))
    elif way < 0.14 and g.rank > 2 and g.is_float:
        last, channels = g.last, g.channels
        window(g, g.draw.choice(("Conv", "MaxPool")))
        g.give(g.last)
        g.last, g.channels = last, channels


# ---- Windows -------------------------------------------------------------------------------------


def own_pads(g, op, kernel, words):
    way, axes = g.draw.random(), g.rank - 2
    if way < 0.3:
        most = [min(1, k - 1) if op.endswith("Pool") else 1 for k in kernel] * 2
        words["pads"] = [g.draw.randint(0, n) for n in most]
    elif way < 0.45:
        words["auto_pad"] = g.draw.choice(("VALID", "NOTSET", "SAME_UPPER", "SAME_LOWER"))
    elif way < 0.5:
        words["pads"] = [0] * 2 * axes


SINCE = {
    "Conv": (7, 99),
    "ConvInteger": (10, 99),
    "QLinearConv": (10, 99),
    "MaxPool": (10, 10),
    "AveragePool": (19, 10),
    "LpPool": (18, 18),
}  # the first opset with dilations and with ceil_mode
WINDOWS = (
    "Conv",
    "Conv",
    "MaxPool",
    "MaxPool",
    "AveragePool",
    "AveragePool",
    "LpPool",
    "GlobalAveragePool",
    "GlobalMaxPool",
)


def kinds_of(g, op):
    if op in ("ConvInteger", "QLinearConv"):
        return BYTES
    if op == "MaxPool":
        return FLOATS + BYTES if g.opset >= 12 else FLOATS
    return "float32", "float16"  # ONNX Runtime has no other of doubles


def window(g, op):
    """An operator over windows, behind a Cast if it does not take the type."""
    if g.rank < 3:
        return g.add("Identity")
    if g.kind not in kinds_of(g, op):
        op = op.replace("ConvInteger", "Conv").replace("QLinearConv", "Conv")
        if g.kind not in kinds_of(g, op):
            g.cast("float32")
    if op.startswith("Global"):
        return g.add(op)
    draw, axes = g.draw, g.rank - 2
    kernel = [draw.choice((1, 2, 2, 3, 3, 4)) for _ in range(axes)]
    words = {"kernel_shape": kernel}
    own_pads(g, op, kernel, words)
    if draw.random() < 0.5:
        words["strides"] = [draw.choice((1, 2, 2, 3)) for _ in range(axes)]
    dilated, ceiled = SINCE[op]
    if g.opset >= dilated and draw.random() < 0.15:
        words["dilations"] = [draw.choice((1, 2)) for _ in range(axes)]
    if g.opset >= ceiled and draw.random() < 0.3:
        words["ceil_mode"] = 1
    if op == "AveragePool" and draw.random() < 0.6:
        words["count_include_pad"] = draw.choice((0, 1, 1))
    if op.endswith("Pool"):
        g.add(op, **words)
        if op == "MaxPool" and draw.random() < 0.05 and g.opset >= 8 and g.kind != "float16":
            g.nodes[-1].output.append(f"{g.last}_at")
            g.give(f"{g.last}_at", "int64")
        return None
    return convolve(g, op, kernel, words)


def convolve(g, op, kernel, words):
    """Adds the Conv, QLinearConv or ConvInteger."""
    group = g.draw.choice((1, 1, g.channels))
    outputs = group * g.draw.choice((1, 2))
    if group > 1:
        words["group"] = group
    if g.draw.random() < 0.3:
        del words["kernel_shape"]
    kind = g.kind if op == "Conv" else "int8"
    weights = g.numbers(outputs, g.channels // group, *kernel, kind=kind)
    g.channels = outputs
    if op == "Conv":
        return g.add(op, weights, *([g.numbers(outputs)] if g.draw.random() < 0.3 else []), **words)
    zero = g.scalar(g.zero)
    if op == "ConvInteger":
        g.add(op, weights, zero, **words)
        g.kind = "int32"
        return None
    scale, nothing = g.constant(QUANTISED), g.constant(np.int8(0))
    return g.add(op, scale, zero, weights, scale, nothing, scale, zero, **words)


BEHIND = [
    lambda g: None,
    step("Relu"),
    step("Neg"),
    lambda g: g.add("Transpose", perm=list(range(g.rank))[::-1]),
    quantise,
    lambda g: g.draw.choice(NO_OPS)(g),
]


# ---- The Pad -------------------------------------------------------------------------------------


def amounts(g, mode):
    """Begins, then ends. With reflect and wrap at most one cell."""
    draw, rank = g.draw, g.rank
    pads = [0] * 2 * rank
    if draw.random() < 0.06:
        return pads
    for axis in range(min(2, rank - 1), rank):
        for end in (axis, rank + axis):
            pads[end] = draw.choice([0, 1, 1, 1, 2, 3])
            if mode in ("reflect", "wrap"):
                pads[end] = min(pads[end], 1)
    if g.lone and draw.random() < g.lone:
        axis = draw.randrange(rank)
        pads = [cells if at % rank == axis else 0 for at, cells in enumerate(pads)]
    if draw.random() < 0.1 and mode == "constant":
        pads[draw.choice([1, rank + 1])] = draw.choice([1, 2])
    if draw.random() < 0.1 and rank > 2:
        pads[draw.choice([2, rank + 2])] = -1
    return pads


def exporters_chain(g, pads):
    """As torch's older exporter makes them from its list, which begins with the last axis."""
    rank = len(pads) // 2
    pairs = [n for axis in reversed(range(rank)) for n in (pads[axis], pads[rank + axis])]
    name = g.add_beside("Reshape", [g.list(*pairs), g.list(-1, 2)])
    name = g.add_beside("Slice", [name, *(g.list(n) for n in (-1, -(2**63) + 1, 0, -1))])
    name = g.add_beside("Transpose", [name], perm=[1, 0])
    name = g.add_beside("Reshape", [name, g.list(-1)])
    return g.add_beside("Cast", [name], to=TensorProto.INT64)


def to_multiple(g, pads):
    """The end of the last axis: up to the next multiple."""
    shape = g.add_beside("Shape", [g.last])
    last = g.add_beside("Gather", [shape, g.list(g.rank - 1)])
    rest = g.add_beside("Mod", [g.add_beside("Neg", [last]), g.list(MULTIPLE)])
    return g.add_beside("Concat", [g.list(*pads[:-1]), rest], axis=0)


def scattered(g, pads):
    """Zeros, into which the amounts are written."""
    zeros = g.add_beside(
        "ConstantOfShape", [g.list(len(pads))], value=numpy_helper.from_array(np.zeros(1, np.int64))
    )
    return g.add_beside("ScatterElements", [zeros, g.list(*range(len(pads))), g.list(*pads)])


MAKERS = [
    *[lambda g, pads: g.list(*pads)] * 4,
    lambda g, pads: g.add_beside("Constant", [], value=numpy_helper.from_array(np.array(pads))),
    lambda g, pads: g.add_beside(
        "Constant",
        [],
        **{"value_ints": pads}
        if g.opset >= 12
        else {"value": numpy_helper.from_array(np.array(pads))},
    ),
    lambda g, pads: g.add_beside("Identity", [g.list(*pads)]),
    lambda g, pads: g.add_beside(
        "Cast", [g.constant(np.array(pads, np.int32))], to=TensorProto.INT64
    ),
    lambda g, pads: g.add_beside("Concat", [g.list(*pads[:3]), g.list(*pads[3:])], axis=0),
    exporters_chain,
    to_multiple,
    scattered,
]


def fill_of(g, op):
    """The value of the Pad: None where it has none."""
    choices = [None, None, 0, 0, 1, 3]
    if g.kind == "bool":
        return None
    if g.kind == "float32" and g.lone:
        choices += [1.5, -3]
    if op == "MaxPool":
        choices += [-np.inf, np.finfo(g.kind).min] * 2 if g.is_float else [np.iinfo(g.kind).min] * 3
    if op in ("ConvInteger", "QLinearConv") and g.kind in BYTES:
        choices += [g.zero] * 6
    return g.draw.choice(choices)


def value_of(g, fill):
    """The input with the value, as it is or made by other nodes."""
    way = g.draw.random()
    if way < 0.8:
        return g.scalar(fill)
    if way < 0.9 or g.kind != "float32" or not np.isfinite(fill):
        return g.add_beside("Identity", [g.scalar(fill)])
    scale, zero = g.constant(QUANTISED), g.constant(np.uint8(9))
    code = g.add_beside("QuantizeLinear", [g.scalar(max(fill, 0)), scale, zero])
    return g.add_beside("DequantizeLinear", [code, scale, zero])


def put_pad(g, op):
    draw = g.draw
    mode = draw.choice(["constant"] * 6 + ["edge", "reflect", "wrap" if g.opset >= 19 else "edge"])
    pads, fill = amounts(g, mode), fill_of(g, op) if mode == "constant" else None
    if g.opset < 11:
        given = {} if fill is None else {"value": float(fill)}
        g.add("Pad", pads=pads, mode=mode, **given)
    else:
        given = [] if fill is None else [value_of(g, fill)]
        if g.opset >= 18 and draw.random() < 0.25:
            axes = [
                axis for axis in range(g.rank) if axis > 1 or pads[axis] or pads[g.rank + axis]
            ] or [1]
            short = [pads[axis] for axis in axes] + [pads[g.rank + axis] for axis in axes]
            negative_ones = [axis - g.rank * draw.choice((0, 1)) for axis in axes]
            g.add("Pad", g.list(*short), *(given or [""]), g.list(*negative_ones), mode=mode)
        else:
            make = draw.choice(MAKERS)
            if make is to_multiple and mode in ("reflect", "wrap"):
                make = MAKERS[0]
            g.add("Pad", make(g, pads), *given, mode=mode)
    g.channels += pads[1] + pads[g.rank + 1] if g.rank > 2 else 0


# ---- Where the Pad stands ------------------------------------------------------------------------


def in_function(g, first):
    """Moves the nodes from number `first` on into a function."""
    inner = split_off(g, first)
    made = {name for node in inner for name in node.output}
    inputs = sorted({name for node in inner for name in node.input if name and name not in made})
    domains = [helper.make_opsetid("", g.opset)]
    g.nodes.append(helper.make_node("Part", inputs, [g.last], domain="my"))
    return [helper.make_function("my", "Part", inputs, [g.last], inner, domains)]


def split_off(g, first):
    """Takes the nodes from number `first` on out of the graph."""
    inner = g.nodes[first:]
    del g.nodes[first:]
    return inner


def condition(g):
    """True, as a constant, or as something that is known when the model runs."""
    if g.draw.random() < 0.5 or g.opset < 13 or g.opset >= 18:
        return g.constant(np.array(True))
    size = g.add_beside("Size", ["x"])
    return g.add_beside("Greater", [size, g.constant(np.int64(0))])


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


def port(name, kind, shape=None):
    return helper.make_tensor_value_info(
        name, helper.np_dtype_to_tensor_dtype(np.dtype(kind)), shape
    )


def in_if(g, first):
    """Moves the nodes into both branches of an If."""
    inner, last = split_off(g, first), g.last
    branches = {
        side: helper.make_graph(
            renamed(inner, f"_{side[0]}"), side, [], [port(f"{last}_{side[0]}", g.kind)]
        )
        for side in ("then_branch", "else_branch")
    }
    decided = condition(g)
    g.nodes.append(helper.make_node("If", [decided], [last], name="if", **branches))


def in_loop(g, first, start):
    """Moves the nodes into a Loop that goes round once. start: the value before them."""
    inner, last = renamed(split_off(g, first), "_b"), g.last
    for node in inner:
        node.input[:] = ["carried" if name == start else name for name in node.input]
    again = helper.make_node("Identity", ["again"], ["again_out"], name="again")
    body = helper.make_graph(
        [again, *inner],
        "body",
        [port("round", "int64", []), port("again", "bool", []), port("carried", g.kind)],
        [port("again_out", "bool", []), port(f"{last}_b", g.kind)],
    )
    once, yes = g.constant(np.array(1)), g.constant(np.array(True))
    g.nodes.append(helper.make_node("Loop", [once, yes, start], [last], name="loop", body=body))


def model_of(g, kind, dims, functions=()):
    ends = [port(name, kind, [None] * len(dims)) for name, kind in [(g.last, g.kind), *g.outputs]]
    graph = helper.make_graph(g.nodes, "random", [port("x", kind, dims)], ends, g.constants)
    imports = [
        helper.make_opsetid("", g.opset),
        *([helper.make_opsetid("my", 1)] if functions else []),
    ]
    return helper.make_model(
        graph, opset_imports=imports, functions=functions, ir_version=IR_VERSION
    )


def draw_model(seed, quantised=0):
    """(the model, the same without bodies or None, the shape of its input, the axes that are open)."""
    draw = random.Random(seed)
    opset, rank = draw.choice(OPSETS), draw.choice([4, 4, 4, 4, 3, 3, 5, 2])
    kind = draw.choice(KINDS) if opset >= 11 else draw.choice(KINDS[:13])
    g = Graph(draw, opset, rank, kind)
    shape = (
        draw.choice((1, 1, 1, 2)),
        g.channels,
        *(draw.randint(4, 9 if rank < 5 else 6) for _ in range(rank - 2)),
    )
    g.lone = quantised / 2
    if quantised and draw.random() < quantised:
        quantise(g)
    for _ in range(draw.choice((0, 0, 1, 1, 2, 3))):
        before(g)
    op = draw.choice(
        WINDOWS + (("ConvInteger", "QLinearConv") * 3 if g.kind in BYTES and opset >= 10 else ())
    )
    if quantised and draw.random() < quantised:
        op = "AveragePool"
    beside(g)
    first, start = len(g.nodes), g.last
    put_pad(g, op)
    place, functions, plain, behind = draw.random(), (), None, len(g.nodes)
    if place < 0.06:
        functions, behind = in_function(g, first), first + 1
    elif place < 0.16 and opset >= 11:
        plain = list(g.nodes)
        in_if(g, first) if place < 0.11 else in_loop(g, first, start)
        behind = len(g.nodes)
    beside(g)
    between(g)
    for _ in range(draw.choice((0, 0, 0, 1, 2))):
        put_pad(g, op)
        beside(g)
        between(g)
    if rank > 2 and draw.random() < 0.9:
        window(g, op)
        if g.is_float and draw.random() < 0.3:
            between(g)
            put_pad(g, "MaxPool")
            between(g)
            window(g, draw.choice(("Conv", "MaxPool", "AveragePool")))
    draw.choice(BEHIND)(g)
    axes = draw.choice(((), (), (0, 2, 3, 4), (2, 3, 4), (0,)))
    dims = ["nchwd"[axis] if axis in axes else extent for axis, extent in enumerate(shape)]
    model = model_of(g, kind, dims, functions)
    if plain is not None:
        g.nodes = plain + g.nodes[behind:]
        plain = model_of(g, kind, dims)
    return model, plain, shape, [axis for axis in axes if 2 <= axis < rank]


def saver(model, outside):
    """What writes the model. outside: the tensors that a Pad or a window reads into another file."""

    def save(path):
        onnx.checker.check_model(model)
        read = {
            name
            for node in model.graph.node
            if node.op_type in ("Pad", *SINCE)
            for name in node.input
        }
        for tensor in model.graph.initializer:
            if outside and tensor.name in read:
                external_data_helper.set_external_data(tensor, "tensors.bin")
        onnx.save(model, path)

    return save


def recipes(seed, save=None, suffix=".onnx", quantised=0):
    """Without end. The name has the operators. save(path, model, k) writes a file of another suffix; quantised: how
    many of the graphs begin with a quantised value, at least.
    """
    for k in itertools.count():
        model, plain, shape, axes = draw_model(f"{seed} {k}", quantised)
        nodes = (plain or model).graph.node
        operators = " ".join(node.op_type for node in nodes if node.op_type != "Constant")[:120]
        kinds = [node.attribute[0].i for node in nodes if node.op_type == "Cast"]
        rounds = any(
            node.op_type in ("QuantizeLinear", "QLinearConv") for node in nodes
        ) or TensorProto.FLOAT16 in (*kinds, model.graph.input[0].type.tensor_type.elem_type)
        yield Recipe(
            f"random {k} {operators}",
            functools.partial(save, onnx_model=model, seed=k)
            if save
            else saver(model, k % 16 == 0),
            sizes_of(shape, axes, (3,) if axes else ()),
            suffix,
            plain=plain or (model if save else None),
            control=functools.partial(save, seed=k) if save else None,
            rounds=rounds,
        )
