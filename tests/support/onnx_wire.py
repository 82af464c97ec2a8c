"""Protobuf messages as bytes: what the onnx package does not write, a walk of our own, and the
comparison of a lowered model with its original, field by field.

SPDX-License-Identifier: MIT

Models are made with the onnx package (onnx_models.py). Bytes that it refuses to write are made here
from those that it wrote. This file needs no package.
"""

MODEL, GRAPH, FUNCTION, NODE, ATTRIBUTE = "model", "graph", "function", "node", "attribute"
# The messages that may hold a node, and where.
INSIDE = {
    (MODEL, 7): GRAPH,
    (MODEL, 25): FUNCTION,
    (GRAPH, 1): NODE,
    (FUNCTION, 7): NODE,
    (NODE, 5): ATTRIBUTE,
    (ATTRIBUTE, 6): GRAPH,
    (ATTRIBUTE, 11): GRAPH,
}
INPUT, OUTPUT, NAME, OP_TYPE, DOMAIN = 1, 2, 3, 4, 7
# What an operator decides: input, output, op_type, attribute, domain, overload.
DECIDED = {1, 2, 4, 5, 7, 8}


def varint(number):
    number &= (1 << 64) - 1
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def field(number, value):
    """One field: an int as a varint, text and bytes with their length."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def read_varint(data, at):
    number = shift = 0
    while True:
        number |= (data[at] & 0x7F) << shift
        shift += 7
        at += 1
        if data[at - 1] < 0x80:
            return number, at


def fields(data):
    """Yields (number, payload, whole) of each field; the payload of numbers is None."""
    at = 0
    while at < len(data):
        start = at
        tag, at = read_varint(data, at)
        kind, payload = tag & 7, None
        if kind == 0:
            _, at = read_varint(data, at)
        elif kind == 2:
            size, at = read_varint(data, at)
            payload = data[at : at + size]
            assert len(payload) == size
            at += size
        else:
            at += {1: 8, 5: 4}[kind]
        assert at <= len(data)
        yield tag >> 3, payload, data[start:at]


def rewritten(message, write, backwards=False, kind=MODEL):
    """The same message; write(number, payload, whole) gives the bytes of each field in its place,
    innermost fields first. The payload of numbers is None. backwards: fields of higher numbers first."""
    out = []
    for number, payload, whole in fields(message):
        inside = INSIDE.get((kind, number))
        if inside:
            payload = rewritten(payload, write, backwards, inside)
            whole = field(number, payload)
        payload = payload if payload is None else bytes(payload)
        out.append((number, write(number, payload, bytes(whole))))
    if backwards:
        out.sort(key=lambda part: -part[0])
    return b"".join(part for _, part in out)


def all_of(message, number):
    return [bytes(payload) for n, payload, _ in fields(message) if n == number]


def text_of(message, number):
    return (all_of(message, number) or [b""])[-1]


def is_pad(node):
    return text_of(node, OP_TYPE) == b"Pad" and text_of(node, DOMAIN) in (b"", b"ai.onnx")


def kept(node):
    """What a new node takes over from the old one: name, doc_string, metadata, unknown fields."""
    return [bytes(whole) for number, _, whole in fields(node) if number not in DECIDED]


def is_another(node, place):
    """Whether what stands in the place of a node makes something else."""
    return all_of(node, OUTPUT) != all_of(place, OUTPUT)


class Difference:
    """What was found: the Pads that were replaced, with the nodes in their place, and what is gone."""

    def __init__(self):
        self.replaced = []  # (the Pad, the new nodes), each a NodeProto
        self.gone = []  # NodeProtos that no field of the new message stands for

    def find(self, old, new, kind=MODEL):
        """Fails if anything but a Pad differs, or is gone but a node."""
        rest = fields(new)
        again = None
        for number, payload, whole in fields(old):
            other, content, copy = again or next(rest)
            again = None
            inside = INSIDE.get((kind, number))
            if (
                inside == NODE
                and not is_pad(payload)
                and is_another(payload, content if other == number else b"")
            ):
                self.gone.append(bytes(payload))
                again = other, content, copy
                continue
            assert other == number, (kind, number, other)
            if whole == copy:
                continue
            assert inside, f"field {number} of a {kind} differs"
            if inside != NODE or not is_pad(payload):
                self.find(payload, content, inside)
                continue
            nodes = [content]
            while all_of(nodes[-1], OUTPUT) != all_of(payload, OUTPUT):
                other, content, _ = next(rest)
                assert other == number
                nodes.append(content)
            assert kept(nodes[-1]) == kept(payload)
            for node in nodes[:-1]:  # a name, that of its output, and nothing of the Pad's
                assert len(kept(node)) == 1 and all_of(node, NAME) == all_of(node, OUTPUT)
            self.replaced.append((payload, nodes))
        assert again is None and next(rest, None) is None, f"more fields in a {kind}"
        return self


def difference(old, new):
    return Difference().find(memoryview(old), memoryview(new))


def operators(nodes):
    return [text_of(node, OP_TYPE).decode() for node in nodes]
