"""Which elements a runtime moves at all: a case's own cells through one Slice, Concat or Gather.

SPDX-License-Identifier: MIT

No rewrite of a Pad helps where none of them gives the cells back, and neither does a Slice between
a Cast to another type and the Cast back, nor, for an output without elements, a Constant.
"""

import dataclasses
import json
import math

import onnx
import onnx.helper as oh

from padkit import elements, own_folder, survey
from padkit.graph import Graph

WAYS = ("Slice", "Concat", "Gather", "Cast", "Constant")


@dataclasses.dataclass(frozen=True)
class Load:
    """What a runtime is to move: distinct cells in a row or, without any, an empty array."""

    word: str
    opset: int
    shape: tuple
    cells: tuple
    nan_payloads: bool


SIGNED = {"int2", "int4", "int8", "int16"}
UNSIGNED = {"bool", "uint2", "uint4", "uint8", "uint16"}


def carrier_of(word):
    """A type that has every number of this one, for Cast; None: there is none to try."""
    if word in SIGNED | UNSIGNED:
        return "int32"
    if word == "uint32":
        return "int64"
    return "float" if word.startswith(("float", "bfloat")) and word != "float" else None


def load_of(path, opset, nan_payloads):
    """The elements of a TensorProto in a file."""
    proto = onnx.TensorProto.FromString(path.read_bytes())
    word, shape = elements.WORDS[proto.data_type], tuple(proto.dims)
    if 0 in shape:  # of rank 2 at least: a runtime that tells no shape would pass for rank 1
        return Load(word, opset, shape if len(shape) > 1 else (*shape, 2), (), nan_payloads)
    bits, _ = elements.TYPES[word]
    cells = (proto.string_data if word == "string"
             else elements.from_bytes(proto.raw_data, bits, math.prod(shape)))
    cells = tuple(dict.fromkeys(cells))
    return Load(word, opset, (len(cells),), cells, nan_payloads)


def slice_of(graph, x, load, output):
    """Adds a Slice of all cells but the first; where there are none, a Slice to nothing."""
    axes = [k for k, n in enumerate(load.shape) if n == 0] or [0]
    starts, ends = ([0], [0]) if 0 in load.shape else ([1], [len(load.cells) + 1])
    starts, ends = starts * len(axes), ends * len(axes)
    if load.opset < 10:
        return graph.node("Slice", [x], output, starts=starts, ends=ends, axes=axes)
    bounds = [graph.numbers(name, numbers)
              for name, numbers in (("from", starts), ("to", ends), ("axis", axes))]
    return graph.node("Slice", [x, *bounds], output)


def write_model(graph, way, load):
    """Adds nodes that give the load as y; returns whether there is such a way."""
    empty, cells = 0 in load.shape, load.cells
    shape = [max(n, 1) for n in load.shape] if empty else [len(cells) + 1]

    def feed(name, shape, cells):
        graph.feed(elements.tensor(load.word, shape, cells, name), shape)
        return name

    def whole():
        return feed("x", shape, elements.sample(load.word, math.prod(shape)) if empty
                    else cells[:1] + cells)

    if way == "Slice":
        slice_of(graph, whole(), load, "y")
    elif way == "Gather":
        axis = load.shape.index(0) if empty else 0
        if load.shape.count(0) > 1:
            return False
        indices = graph.numbers("indices", [] if empty else range(1, len(cells) + 1))
        graph.node("Gather", [whole(), indices], "y", axis=axis)
    elif way == "Constant" and empty:
        feed("x", shape, elements.sample(load.word, math.prod(shape)))
        graph.constant("y", load.word, load.shape, [])
    elif way == "Concat" and not empty:
        half = len(cells) // 2
        if not half:
            return False
        parts = [feed(name, [len(part)], part)
                 for name, part in (("a", cells[:half]), ("b", cells[half:]))]
        graph.node("Concat", parts, "y", axis=0)
    elif way == "Cast" and carrier_of(load.word) and load.opset >= 6:  # the type was text before
        to = elements.NUMBERS
        there = graph.node("Cast", [whole()], "there", to=to[carrier_of(load.word)])
        graph.node("Cast", [slice_of(graph, there, load, "cut")], "y", to=to[load.word])
    else:
        return False
    return True


def model_of(way, load):
    """(model, inputs, output), or None: there is no such model."""
    graph = Graph()
    if not write_model(graph, way, load):
        return None
    output = oh.make_tensor_value_info("y", elements.NUMBERS[load.word], load.shape)
    proto = oh.make_graph(graph.nodes, way, graph.inputs, [output])
    imports = [oh.make_opsetid("", load.opset)]
    ir = oh.find_min_ir_version_for([oh.make_opsetid("", max(8, load.opset))])
    model = oh.make_model(proto, opset_imports=imports, ir_version=ir)
    return model, graph.feeds, elements.tensor(load.word, load.shape, load.cells, "y")


def write_kit(folder, way, loads):
    """A kit of one case for each load that has a model; returns their places in `loads`."""
    own_folder.make_anew(folder)
    index = []
    for k, load in enumerate(loads):
        made = model_of(way, load)
        if made is None:
            continue
        model, inputs, output = made
        place = folder / f"onnx/{k}"
        elements.write_data(place / "test_data_set_0", inputs, output)
        (place / "model.onnx").write_bytes(model.SerializeToString(deterministic=True))
        index.append({"name": str(k), "folder": f"onnx/{k}", "forbidden": None,
                      "tags": {"nan_payloads": load.nan_payloads}})
    (folder / "index.json").write_text(json.dumps({"cases": index}))
    return [int(case["name"]) for case in index]


def carried(target, loads, folder, tell):
    """Those of the loads that the target moves."""
    found, left = set(), list(dict.fromkeys(loads))
    for way in WAYS:
        tried = write_kit(folder, way, left)
        if tried:
            outcomes = survey.run(target, folder, tell=tell)["outcomes"]
            found |= {left[k] for k in tried if outcomes[str(k)] == "same"}
            left = [load for load in left if load not in found]
    return found
