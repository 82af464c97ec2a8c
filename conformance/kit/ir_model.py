"""Writes a Pad of OpenVINO as an IR file (version 10 or 11) and the file of its constants.

SPDX-License-Identifier: MIT
"""

import dataclasses
import math
import struct
from xml.etree import ElementTree

from kit import elements
from kit.case import Problem
from kit.json_arrays import OPENVINO as NAMES

PRECISIONS = {name: name.upper() for name in NAMES.values()} | {
    "boolean": "BOOL",
    "f32": "FP32",
    "f16": "FP16",
    "f64": "FP64",
}


@dataclasses.dataclass(frozen=True)
class IrCase(Problem):
    """A Pad layer of an IR file, and how its arguments reach it.

    An argument is a "const", a const of another type behind a "convert", a const behind a "concat"
    of two halves, a "parameter" of the model, or "computed" from one (no runtime can know it before
    it has the inputs). `data` may be "parameter" or "const".
    """

    opset: int = 12  # that the layer says: opset1 to opset11 mean Pad-1
    begin_as: str = "const"
    end_as: str = "const"
    value_as: str = "const"
    data_as: str = "parameter"
    amounts_type: str = "int64"
    amounts_shape: tuple[int, ...] | None = None  # None: one dimension
    value_type: str | None = None  # None: that of data
    value_shape: tuple[int, ...] = ()
    stored_type: str | None = None  # of the const behind a convert; None: one that differs
    dims: str = "known"  # of data: "known", "dynamic", "rank unknown"
    without_end: bool = False  # the layer has no input for pads_end
    ir: int = 11


class Net:
    """The layers, edges and weights of one IR file, as they are added."""

    def __init__(self, version):
        self.root = ElementTree.Element("net", name="pad", version=str(version))
        self.layers = ElementTree.SubElement(self.root, "layers")
        self.edges = ElementTree.SubElement(self.root, "edges")
        self.weights = bytearray()
        self.feeds = []  # a TensorProto for each Parameter

    def layer(self, name, sort, word, dims, sources=(), opset=1, **data):
        """Adds a layer with one output of that type and shape (None: not told); returns its place.

        sources: the places of the layers whose outputs it takes.
        """
        place = (len(self.layers), len(sources))
        layer = ElementTree.SubElement(
            self.layers, "layer", id=str(place[0]), name=name, type=sort, version=f"opset{opset}"
        )
        if data:
            ElementTree.SubElement(layer, "data", {key: str(data[key]) for key in data})
        if sources:
            inputs = ElementTree.SubElement(layer, "input")
            for port, (source, source_port) in enumerate(sources):
                ElementTree.SubElement(inputs, "port", id=str(port))
                self.edges.append(
                    ElementTree.Element(
                        "edge",
                        {
                            "from-layer": str(source),
                            "from-port": str(source_port),
                            "to-layer": str(place[0]),
                            "to-port": str(port),
                        },
                    )
                )
        if sort != "Result":
            output = ElementTree.SubElement(layer, "output")
            port = ElementTree.SubElement(
                output, "port", id=str(place[1]), precision=PRECISIONS[NAMES[word]], names=name
            )
            for dim in dims or ():
                ElementTree.SubElement(port, "dim").text = str(dim)
        return place

    def xml(self):
        ElementTree.indent(self.root)
        return ElementTree.tostring(self.root, encoding="utf-8", xml_declaration=True) + b"\n"

    def parameter(self, name, word, shape, cells, dims="known"):
        told = {"known": shape, "dynamic": ["?"] * len(shape), "rank unknown": ["..."]}[dims]
        self.feeds.append(elements.tensor(word, shape, cells, name))
        return self.layer(
            name,
            "Parameter",
            word,
            shape if dims == "known" else None,
            shape=",".join(map(str, told)),
            element_type=NAMES[word],
        )

    def const(self, name, word, shape, cells):
        raw = (
            packed_strings(cells)
            if word == "string"
            else (elements.to_bytes(cells, elements.TYPES[word][0]))
        )
        offset = len(self.weights)
        self.weights += raw
        return self.layer(
            name,
            "Const",
            word,
            shape,
            element_type=NAMES[word],
            shape=", ".join(map(str, shape)),
            offset=offset,
            size=len(raw),
        )

    def argument(self, name, word, shape, numbers, way, stored=None):
        """Adds what gives an argument of these numbers; stored: the type before a convert."""
        cells = [elements.cell_of(number, word) for number in numbers]
        if way == "const":
            return self.const(name, word, shape, cells)
        if way == "parameter":
            return self.parameter(name, word, shape, cells)
        if way == "convert":
            stored = stored or ("int32" if word == "int64" else "int64")
            source = self.const(
                f"{name}_stored",
                stored,
                shape,
                [elements.cell_of(number, stored) for number in numbers],
            )
            return self.layer(name, "Convert", word, shape, [source], destination_type=NAMES[word])
        if way == "concat":
            half = len(cells) // 2
            parts = [
                self.const(f"{name}_{k}", word, [len(part)], part)
                for k, part in enumerate((cells[:half], cells[half:]))
            ]
            return self.layer(name, "Concat", word, shape, parts, axis=0)
        if way == "computed":
            given = self.parameter(f"{name}_given", word, shape, cells)
            none = self.const(f"{name}_zero", word, [], [0])
            return self.layer(name, "Add", word, shape, [given, none], auto_broadcast="numpy")
        raise ValueError(f"{name} is given as {way}")


def packed_strings(cells):
    """Strings as an IR file has them: their count, 0, where each one ends, and the bytes."""
    ends = [0]
    for cell in cells:
        ends.append(ends[-1] + len(cell))
    return struct.pack(f"<{len(ends) + 1}i", len(cells), *ends) + b"".join(cells)


def write(case):
    """Returns (xml, bin, inputs): the bytes of both files, a TensorProto for each Parameter."""
    net = Net(case.ir)
    if case.data_as == "const":
        sources = [net.const("x", case.type, case.shape, case.data)]
    else:
        sources = [net.parameter("x", case.type, case.shape, case.data, case.dims)]
    for name, amounts, way in (
        ("pads_begin", case.begin, case.begin_as),
        ("pads_end", case.end, case.end_as),
    ):
        if name == "pads_end" and case.without_end:
            break
        shape = [len(amounts)] if case.amounts_shape is None else case.amounts_shape
        sources.append(net.argument(name, case.amounts_type, shape, amounts, way, case.stored_type))
    if case.value is not None:
        numbers = [case.value] * math.prod(case.value_shape)
        sources.append(
            net.argument(
                "pad_value",
                case.value_type or case.type,
                case.value_shape,
                numbers,
                case.value_as,
                case.stored_type,
            )
        )
    data = {} if case.mode is None else {"pad_mode": case.mode}
    pad = net.layer("y", "Pad", case.type, None, sources, case.opset, **data)
    net.layer("result", "Result", case.type, None, [pad])
    return net.xml(), bytes(net.weights), net.feeds
