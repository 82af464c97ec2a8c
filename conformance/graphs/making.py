"""Writes random models, and what they need to be run.

SPDX-License-Identifier: MIT

    FOLDER/NAME/model.onnx or model.xml
    FOLDER/NAME/inputs_0.npz        the inputs at the first size
    FOLDER/NAME/control_0.onnx      the model without its Pads, for that size
    FOLDER/NAME/wanted_0.npz        the outputs of the control
    FOLDER/NAME/entry.json          its line of the index
    FOLDER/index.json               names and sizes

The control shows whether it is the Pads that a runtime gets wrong. In it each Pad becomes Gathers,
and Concats with constants, which are right at one size only; shapes that are open stay open. The
nodes that made its amounts go. NumPy's `pad` says which cells come where.
"""

import copy
import dataclasses
import json
import pathlib
import re
import shutil
from collections.abc import Callable

import numpy as np
import onnx
import onnx.inliner
import onnxruntime
from kit.runtimes import graphs_of
from onnx import helper, numpy_helper

SEED = 20261126


@dataclasses.dataclass(frozen=True)
class Recipe:
    """A model and the sizes at which it is run, its own first.

    make(path) writes an ONNX model or an IR there. shapes: for each size the shape of each input; what makes the
    inputs knows their names from the model.
    """

    name: str
    make: Callable[[pathlib.Path], None]
    shapes: tuple[tuple[tuple[int, ...], ...], ...]
    suffix: str = ".onnx"
    rounds: bool = False  # it is quantised: sums in another order may round to the next integer
    plain: onnx.ModelProto | None = (
        None  # the same without bodies of nodes, where a Pad stands in one
    )
    control: Callable[[pathlib.Path, onnx.ModelProto], None] | None = (
        None  # writes the control as an IR, too
    )


def sizes_of(shape, axes, steps):
    """The shape itself, and others that differ on the axes: as many as there are steps."""
    shapes = [tuple(shape)]
    for step in steps:
        other = list(shape)
        for axis in axes:
            other[axis] += step
        shapes.append(tuple(other))
    return tuple((shape,) for shape in shapes)


def inputs_of(model, shapes, draw):
    """An array for each input of an ONNX model, small integers where it wants integers."""
    given = {tensor.name for tensor in model.graph.initializer}
    ports = [port for port in model.graph.input if port.name not in given]
    arrays = {}
    for port, shape in zip(ports, shapes, strict=True):
        kind = onnx.helper.tensor_dtype_to_np_dtype(port.type.tensor_type.elem_type)
        if np.issubdtype(kind, np.floating):
            arrays[port.name] = draw.standard_normal(shape).astype(kind)
        else:
            arrays[port.name] = integers(kind, shape, draw)
    return arrays


def integers(kind, shape, draw):
    if kind == bool:
        return draw.integers(0, 2, shape).astype(kind)
    low = 0 if np.issubdtype(kind, np.unsignedinteger) else -30
    return draw.integers(low, 60, shape).astype(kind)


def slug(name):
    """The name as that of a folder."""
    return re.sub(r"[^A-Za-z0-9_.]+", "-", name)


def write_index(folder, entries):
    (folder / "index.json").write_text(json.dumps(entries, indent=1))


def read_index(folder):
    return json.loads((folder / "index.json").read_text())


# ---- The control ---------------------------------------------------------------------------------

OLD_IR = 8


class Inside(Exception):
    """A Pad stands in a body of a node, where its amounts cannot be asked for."""


def pads_of(model):
    """The Pads of the top graph; Inside if there are others."""
    for graph in graphs_of(model)[1:]:
        if any(node.op_type == "Pad" for node in graph.node):
            raise Inside(f"a Pad inside {graph.name}")
    return [
        node
        for node in model.graph.node
        if node.op_type == "Pad" and node.domain in ("", "ai.onnx")
    ]


def session(model):
    """A session that changes nothing, for a ModelProto or its bytes."""
    content = model if isinstance(model, bytes) else model.SerializeToString()
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    return onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])


def asked_of(model, pads, inputs):
    """For each Pad: the shape of its data, its type, and the arrays of its other inputs, as they
    are in a run.
    """
    asking, names = copy.deepcopy(model), []
    known = {output.name for output in asking.graph.output}
    for k, pad in enumerate(pads):
        asking.graph.node.append(helper.make_node("Shape", [pad.input[0]], [f"asked_shape_{k}"]))
        names.append([f"asked_shape_{k}"])
        for i, name in enumerate(pad.input[1:], 1):
            if name:
                asking.graph.node.append(helper.make_node("Identity", [name], [f"asked_{k}_{i}"]))
            names[-1].append(f"asked_{k}_{i}" if name else None)
    for name in {name for all_names in names for name in all_names if name}:
        asking.graph.output.append(onnx.ValueInfoProto(name=name))
    for pad in pads:
        if pad.output[0] not in known:
            asking.graph.output.append(onnx.ValueInfoProto(name=pad.output[0]))
            known.add(pad.output[0])
    running = session(asking)
    wanted = [name for all_names in names for name in all_names if name]
    given = dict(zip(wanted, running.run(wanted, inputs)))
    types = {port.name: port.type for port in running.get_outputs()}
    return [
        ([given.get(name) for name in all_names], types[pad.output[0]])
        for all_names, pad in zip(names, pads)
    ]


def amounts_of(pad, shape, arguments):
    """(before, after) of each axis, and the value."""
    words = {a.name: helper.get_attribute_value(a) for a in pad.attribute}
    rank = len(shape)
    pads = arguments[1] if len(arguments) > 1 else words.get("pads", words.get("paddings"))
    value = arguments[2] if len(arguments) > 2 else None
    if value is None:
        value = words.get("value", 0)
    axes = arguments[3] if len(arguments) > 3 and arguments[3] is not None else range(rank)
    pairs, half = [(0, 0)] * rank, len(pads) // 2
    for k, axis in enumerate(axes):
        pairs[int(axis) % rank] = int(pads[k]), int(pads[half + k])
    return pairs, np.asarray(value).reshape(-1)[0], words.get("mode", b"constant").decode()


class Builder:
    """The nodes in place of one Pad."""

    def __init__(self, graph, pad, number, kind):
        self.graph, self.last, self.base, self.kind = graph, pad.input[0], f"control_{number}", kind
        self.nodes = []

    def constant(self, array):
        name = f"{self.base}_c{len(self.graph.initializer)}"
        self.graph.initializer.append(numpy_helper.from_array(array, name))
        return name

    def node(self, op_type, inputs, **words):
        name = f"{self.base}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(op_type, inputs, [name], name=name, **words))
        self.last = name

    def take(self, axis, indices):
        self.node("Gather", [self.last, self.constant(np.asarray(indices, np.int64))], axis=axis)

    def surround(self, axis, shape, before, after, value):
        """Puts cells with the value there."""
        blocks = [
            [self.constant(np.full([*shape[:axis], cells, *shape[axis + 1 :]], value, self.kind))]
            if cells
            else []
            for cells in (before, after)
        ]
        self.node("Concat", [*blocks[0], self.last, *blocks[1]], axis=axis)


def numpy_type(word):
    """The type of an ONNX Runtime port, "tensor(float)"."""
    names = {"float": "float32", "double": "float64"}
    word = word[len("tensor(") : -1]
    return np.dtype(names.get(word, word))


def stand_ins(graph, pad, number, shape, arguments, kind):
    """The nodes that do what the Pad does for data of this shape."""
    pairs, value, mode = amounts_of(pad, shape, arguments)
    shape, build = [int(extent) for extent in shape], Builder(graph, pad, number, numpy_type(kind))
    for axis, (before, after) in enumerate(pairs):
        cells = np.arange(shape[axis])[max(0, -before) : shape[axis] - max(0, -after)]
        before, after = max(0, before), max(0, after)
        if mode != "constant" and (before or after):
            cells = np.pad(cells, (before, after), mode)
            before = after = 0
        if len(cells) != shape[axis] or (cells != np.arange(shape[axis])).any():
            build.take(axis, cells)
            shape[axis] = len(cells)
        if before or after:
            build.surround(axis, shape, before, after, value)
            shape[axis] += before + after
    if not build.nodes:
        build.node("Identity", [build.last])
    build.nodes[-1].output[0] = pad.output[0]
    return build.nodes


def read_in(graph):
    """The names that nodes of the graph and of the graphs inside it read."""
    for node in graph.node:
        yield from node.input
        for attribute in node.attribute:
            for inner in [attribute.g, *attribute.graphs]:
                yield from read_in(inner)
    yield from (output.name for output in graph.output)


def drop_unread(graph):
    """Removes nodes and constants that nothing reads any more."""
    while True:
        read = set(read_in(graph))
        kept = [node for node in graph.node if read & set(node.output)]
        if len(kept) == len(graph.node):
            break
        del graph.node[:]
        graph.node.extend(kept)
    kept = [tensor for tensor in graph.initializer if tensor.name in read]
    del graph.initializer[:]
    graph.initializer.extend(kept)


def without_pads(model, inputs):
    """The model without its Pads, right for inputs of these shapes."""
    made = copy.deepcopy(model)
    pads = pads_of(made)
    asked = asked_of(made, pads, inputs)
    nodes = []
    numbers = {id(pad): k for k, pad in enumerate(pads)}
    for node in made.graph.node:
        k = numbers.get(id(node))
        if k is None:
            nodes.append(copy.deepcopy(node))
            continue
        arguments, kind = asked[k]
        nodes += stand_ins(made.graph, node, k, arguments[0], arguments, kind)
    del made.graph.node[:]
    made.graph.node.extend(nodes)
    del made.graph.value_info[:]
    drop_unread(made.graph)
    made.ir_version = min(made.ir_version, OLD_IR)  # which no runtime refuses
    return made


def add_size(place, model, k, shapes, recipe):
    """The inputs, the control and its answer at one size."""
    inputs = inputs_of(model, shapes, np.random.default_rng(SEED + k))
    bare = without_pads(model, inputs)
    outputs = session(bare).run(None, inputs)
    np.savez(place / f"inputs_{k}.npz", **inputs)
    onnx.save(bare, place / f"control_{k}.onnx")
    if recipe.control:
        recipe.control(place / f"control_{k}.xml", bare)
    np.savez(place / f"wanted_{k}.npz", *outputs)


def make_one(folder, recipe):
    """The entry of one model in the index, or None if it cannot be made."""
    name = recipe.name
    place = folder / slug(name)
    if (place / "entry.json").exists():  # of a run that did not come to its end
        return json.loads((place / "entry.json").read_text())
    entry = {"name": name, "rounds": recipe.rounds, "sizes": []}
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    try:
        recipe.make(place / f"model{recipe.suffix}")
        model = recipe.plain or onnx.inliner.inline_local_functions(onnx.load(place / "model.onnx"))
        for k, shapes in enumerate(recipe.shapes):
            try:
                add_size(place, model, k, shapes, recipe)
                entry["sizes"].append(k)
            except Exception:  # the model may not run at another size
                if k == 0:
                    raise
        (place / "entry.json").write_text(json.dumps(entry))
    except Exception:  # it has no Pad outside bodies, or a runtime refuses it
        shutil.rmtree(place)
        return None
    return entry
