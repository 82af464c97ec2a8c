"""Element types by the words of ONNX: widths, codes, bytes, files, and the data of cases.

SPDX-License-Identifier: MIT

A cell is one element: its bits as an unsigned integer, or bytes for a string. An array is a list of
cells in row-major order, and a shape.
"""

import dataclasses

import numpy as np
import onnx

from kit.json_arrays import TYPES

NUMBERS = {word: onnx.TensorProto.DataType.Value(word.upper()) for word in TYPES}
WORDS = {number: word for word, number in NUMBERS.items()}
# (bits of the exponent, bits of the fraction)
FLOATS = {"float16": (5, 10), "bfloat16": (8, 7), "float": (8, 23), "double": (11, 52)}


def to_bytes(cells, bits):
    """Cells as ONNX packs them: one stream of bits, the first element lowest."""
    if bits % 8 == 0:
        return b"".join(cell.to_bytes(bits // 8, "little") for cell in cells)
    stream = sum(cell << (k * bits) for k, cell in enumerate(cells))
    return stream.to_bytes((len(cells) * bits + 7) // 8, "little")


def from_bytes(raw, bits, count):
    """The cells of to_bytes; the unused bits of the last byte must be zero."""
    assert len(raw) == (count * bits + 7) // 8, (len(raw), bits, count)
    if bits % 8 == 0:
        size = bits // 8
        return [int.from_bytes(raw[k * size : k * size + size], "little") for k in range(count)]
    stream = int.from_bytes(raw, "little")
    assert stream >> (count * bits) == 0, "the unused bits of the last byte are not zero"
    return [stream >> (k * bits) & ((1 << bits) - 1) for k in range(count)]


@dataclasses.dataclass(frozen=True)
class Bits:
    """A value that is given by its bits: a NaN with a payload, for example."""

    cell: int


def cell_of(value, word):
    """The cell of one Python number (or bytes, or Bits) of that type."""
    bits, kind = TYPES[word]
    if word == "string":
        return value
    if isinstance(value, Bits):
        return value.cell
    raw = np.array([value]).astype(kind).tobytes()
    return int.from_bytes(raw, "little") & ((1 << bits) - 1)


def tensor(word, shape, cells, name="", typed=False):
    """A TensorProto: raw bytes, or the field of the type where typed."""
    bits, _ = TYPES[word]
    proto = onnx.TensorProto(data_type=NUMBERS[word], dims=shape, name=name)
    if word == "string":
        proto.string_data.extend(cells)
    elif not typed:
        proto.raw_data = to_bytes(cells, bits)
    else:
        raw = to_bytes(cells, bits)
        if word in ("float", "complex64"):
            proto.float_data.extend(np.frombuffer(raw, np.float32))
        elif word in ("double", "complex128"):
            proto.double_data.extend(np.frombuffer(raw, np.float64))
        elif word == "int64":
            proto.int64_data.extend(np.frombuffer(raw, np.int64).tolist())
        elif word in ("uint32", "uint64"):
            proto.uint64_data.extend(cells)
        elif word in ("int8", "int16", "int32"):
            proto.int32_data.extend(np.frombuffer(raw, TYPES[word][1]).tolist())
        else:
            proto.int32_data.extend(list(raw) if bits < 8 else cells)
    return proto


def write_data(folder, files, inputs, output=None):
    """The files of a model in a new folder, {name: bytes}, and its input_0.pb ... and output_0.pb."""
    data = {f"test_data_set_0/input_{k}.pb": tensor for k, tensor in enumerate(inputs)}
    data |= {} if output is None else {"test_data_set_0/output_0.pb": output}
    data = {name: tensor.SerializeToString(deterministic=True) for name, tensor in data.items()}
    (folder / "test_data_set_0").mkdir(parents=True)
    for name, content in {**files, **data}.items():
        (folder / name).write_bytes(content)


def sample(word, count):
    """Data in which neighbours differ: cells of both signs where the type has them, none zero.

    A runtime that takes a wrong element, or an element twice, or memory that was never written,
    gives other cells.
    """
    bits, kind = TYPES[word]
    if word == "string":
        return [("s%d" % k).encode() for k in range(count)]
    if word == "bool":
        return [(k * k // 2 + k + 1) % 2 for k in range(count)]
    if bits < 8:
        return [k % ((1 << bits) - 1) + 1 for k in range(count)]
    if kind(0).dtype.kind == "V" or bits == 8:  # small floats: every bit pattern that is a number
        return [k % 100 + 1 for k in range(count)]
    return [
        cell_of((k + 1) * (-1) ** k if kind(0).dtype.kind != "u" else k + 1, word)
        for k in range(count)
    ]
