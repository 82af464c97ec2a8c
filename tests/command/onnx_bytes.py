"""ONNX models and tensors, byte by byte, so that no library stands between test and command.
SPDX-License-Identifier: MIT
"""

import struct

import numpy as np

def varint(number):
    number &= (1 << 64) - 1
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def field(number, value):
    """One protobuf field: an int as a varint, text and bytes with their length."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    if isinstance(value, str):
        value = value.encode()
    return varint(number << 3 | 2) + varint(len(value)) + value


FLOAT, INT64, STRING, BFLOAT16, UINT4 = 1, 7, 8, 16, 21


def tensor(data_type, shape, raw=b"", name="", strings=()):
    out = b"".join(field(1, extent) for extent in shape) + field(2, data_type)
    out += b"".join(field(6, text) for text in strings)
    if name:
        out += field(8, name)
    if not strings:
        out += field(9, raw)
    return out


def int64s(values, name=""):
    return tensor(INT64, [len(values)], np.array(values, "<i8").tobytes(), name)


def attribute(name, value):
    if isinstance(value, float):
        return field(1, name) + varint(2 << 3 | 5) + struct.pack("<f", value) + field(20, 1)
    if isinstance(value, str):
        return field(1, name) + field(4, value) + field(20, 3)
    return field(1, name) + b"".join(field(8, number) for number in value) + field(20, 7)


def graph_attribute(name, graph):
    return field(1, name) + field(6, graph) + field(20, 5)


def node(op, inputs, outputs, name="", attributes=()):
    out = b"".join(field(1, text) for text in inputs) + b"".join(field(2, t) for t in outputs)
    return out + field(3, name) + field(4, op) + b"".join(field(5, a) for a in attributes)


def value_info(name, data_type, shape):
    dims = b"".join(
        field(1, field(1, extent) if isinstance(extent, int) else field(2, extent))
        for extent in shape
    )
    return field(1, name) + field(2, field(1, field(1, data_type) + field(2, dims)))


def graph(nodes, inputs, outputs, initializers=(), name="g"):
    out = b"".join(field(1, n) for n in nodes) + field(2, name)
    out += b"".join(field(5, t) for t in initializers)
    out += b"".join(field(11, v) for v in inputs)
    return out + b"".join(field(12, v) for v in outputs)


def model(top, opset=25):
    return field(1, 13) + field(7, top) + field(8, field(1, "") + field(2, opset))


def one_pad(mode="wrap", opset=19, pads=(2, 1, 1, 1), name="pad_0"):
    """x [3,2] -> Pad -> y, its pads an initializer."""
    return model(
        graph(
            [node("Pad", ["x", "p"], ["y"], name, [attribute("mode", mode)])],
            [value_info("x", FLOAT, [3, 2])],
            [value_info("y", FLOAT, ["a", "b"])],
            [int64s(pads, "p")],
        ),
        opset,
    )


def two_branches():
    """x -> Pad -> a and x -> Pad(pads at run time) -> b."""
    return model(
        graph(
            [
                node("Pad", ["x", "p"], ["a"], "first"),
                node("Pad", ["x", "q"], ["b"], "", [attribute("mode", "edge")]),
            ],
            [value_info("x", FLOAT, ["n", 2]), value_info("q", INT64, [4])],
            [value_info("a", FLOAT, ["n", 4]), value_info("b", FLOAT, ["u", "v"])],
            [int64s([0, 1, 0, 1], "p")],
        )
    )


def with_subgraph():
    """An If whose two branches each hold a Pad named alike."""

    def branch(mode):
        return graph(
            [node("Pad", ["x", "p"], ["z"], "inner", [attribute("mode", mode)])],
            [],
            [value_info("z", FLOAT, [3, 4])],
            name=mode,
        )

    choice = node(
        "If",
        ["c"],
        ["y"],
        "choice",
        [
            graph_attribute("then_branch", branch("edge")),
            graph_attribute("else_branch", branch("reflect")),
        ],
    )
    return model(
        graph(
            [choice],
            [value_info("c", 9, []), value_info("x", FLOAT, [3, 2])],
            [value_info("y", FLOAT, [3, 4])],
            [int64s([0, 1, 0, 1], "p")],
        )
    )
