"""Writes the kit's cases as calls of the C interface of src/specs, for test_kit.c.

SPDX-License-Identifier: MIT

    kit_calls.py FILE

A line is a case: the specification and the name, then KEY=VALUE, all separated by tabs. A tensor is
TYPE:EXTENTS:BYTES, with the bytes in hexadecimal; a string is a handle of eight bytes, 0 for the
empty one. A case without `out` must be rejected. Left out is what a call cannot say: other nodes
around the Pad, and attributes and inputs that Pad does not have.
"""

import math
import pathlib
import sys

import onnx

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "conformance"))

from kit import cases, elements, onnx_model  # noqa: E402
from kit.case import expected  # noqa: E402

INPUTS = ("data", "pads", "constant_value", "axes")
ATTRIBUTES = {  # (name, type): the key, the type in a tensor
    ("pads", onnx.AttributeProto.INTS): ("attribute_pads", "int64"),
    ("paddings", onnx.AttributeProto.INTS): ("attribute_paddings", "int64"),
    ("value", onnx.AttributeProto.FLOAT): ("attribute_value", "float"),
}
HANDLES = {b"": 0}  # of each string


def tensor(word, shape, raw):
    return f"{word}:{','.join(map(str, shape))}:{raw.hex()}"


def handles(texts):
    numbers = [HANDLES.setdefault(text, len(HANDLES)) for text in texts]
    return b"".join(number.to_bytes(8, "little") for number in numbers)


def of_cells(word, shape, cells):
    if word == "string":
        return tensor(word, shape, handles(cells))
    return tensor(word, shape, elements.to_bytes(cells, elements.TYPES[word][0]))


def of_numbers(numbers, word="int64", shape=None):
    cells = [elements.cell_of(number, word) for number in numbers]
    return of_cells(word, [len(cells)] if shape is None else shape, cells)


def of_proto(proto):
    raw = proto.raw_data or handles(proto.string_data)
    return tensor(elements.WORDS[proto.data_type], proto.dims, raw)


def of_onnx(case):
    """The arguments of a node; None where a call cannot say them."""
    if case.around != "nothing":
        return None
    model, feeds = onnx_model.write(case)
    [node] = [node for node in model.graph.node if node.op_type == "Pad"]
    told = {"opset": model.opset_import[0].version}
    for attribute in node.attribute:
        sort = attribute.name, attribute.type
        if sort == ("mode", onnx.AttributeProto.STRING):
            told["mode"] = attribute.s.decode()
        elif sort in ATTRIBUTES:
            key, word = ATTRIBUTES[sort]
            numbers = onnx.helper.get_attribute_value(attribute)
            told[key] = of_numbers(numbers if word == "int64" else [numbers], word)
        else:
            return None
    given = {proto.name: proto for proto in (*model.graph.initializer, *feeds) if case.edit}
    as_told = {
        "x": lambda: of_cells(case.type, case.shape, case.data),
        "pads": lambda: of_numbers(case.pads),
        "value": lambda: of_cells(
            case.type, case.value_shape, [case.fill] * math.prod(case.value_shape)
        ),
        "axes": lambda: of_numbers(case.axes, case.axes_type),
    }
    if len(node.input) > len(INPUTS) or not node.input[0]:
        return None
    for key, name in zip(INPUTS, node.input):
        if name:
            told[key] = of_proto(given[name]) if name in given else as_told[name]()
    return told


def of_openvino(case):
    told = {
        "opset": case.opset,
        "mode": case.mode,
        "data": of_cells(case.type, case.shape, case.data),
    }
    for key, amounts in (("pads_begin", case.begin), ("pads_end", case.end)):
        if key != "pads_end" or not case.without_end:
            told[key] = of_numbers(amounts, case.amounts_type, case.amounts_shape)
    if case.value is not None:
        numbers = [case.value] * math.prod(case.value_shape)
        told["pad_value"] = of_numbers(numbers, case.value_type or case.type, case.value_shape)
    return told


def of_ngraph(case):
    """Of the types of elements a call says the width alone."""
    if case.type == "string":
        return None
    told = {
        "mode": case.mode.upper(),
        "data": of_cells(case.type, case.shape, case.data),
        "padding_below": of_numbers(case.begin),
        "padding_above": of_numbers(case.end),
    }
    if case.interior is not None:
        told["padding_interior"] = of_numbers(case.interior)
    if case.value is not None:
        told["arg_pad_value"] = of_cells(case.type, (), [case.fill])
    return told


def of_mli(case):
    """A call has no mode and no value, and amounts of the height and the width alone."""
    layout = case.document.removeprefix("mli-")
    height, width = (0, 1) if layout == "hwc" else (1, 2)
    rank, others = len(case.shape), {0, 1, 2} - {height, width}
    if case.mode != "constant" or case.value is not None:
        return None
    if any(case.begin[axis] or case.end[axis] for axis in others if axis < rank):
        return None
    sides = [
        amounts[axis]
        for axis in (height, width)
        if axis < rank
        for amounts in (case.begin, case.end)
    ]
    return {
        "layout": layout,
        "data": of_cells(case.type, case.shape, case.data),
        "sides": of_numbers(sides),
    }


def line(spec, case, told):
    if case.forbidden is None:
        cells, shape = expected(case)
        told["out"] = of_cells(case.type, shape, cells)
    words = [f"{key}={value}" for key, value in told.items() if value is not None]
    return "\t".join([spec, case.name, *words]) + "\n"


def main():
    lines, left_out = [], 0
    for spec, found, translate in (
        ("onnx", cases.ALL, of_onnx),
        ("openvino", cases.OPENVINO, of_openvino),
        ("ngraph", cases.NGRAPH, of_ngraph),
        ("mli", cases.MLI, of_mli),
    ):
        for case in found:
            told = translate(case)
            if told is None:
                left_out += 1
            else:
                lines.append(line(spec, case, told))
    pathlib.Path(sys.argv[1]).write_text("".join(lines))
    print(f"{len(lines)} calls; {left_out} cases are none")


if __name__ == "__main__":
    main()
