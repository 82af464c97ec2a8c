"""Arrays as the survey and its workers send them: JSON objects with the bytes of ONNX in base64.

SPDX-License-Identifier: MIT

Knows numpy and ml_dtypes and no more, since it also runs in the venv of each runtime.
"""

import base64

import ml_dtypes
import numpy as np

TYPES = {  # the document's word: (bits, the type in Python)
    "float": (32, np.float32),
    "uint8": (8, np.uint8),
    "int8": (8, np.int8),
    "uint16": (16, np.uint16),
    "int16": (16, np.int16),
    "int32": (32, np.int32),
    "int64": (64, np.int64),
    "string": (0, None),
    "bool": (8, np.bool_),
    "float16": (16, np.float16),
    "double": (64, np.float64),
    "uint32": (32, np.uint32),
    "uint64": (64, np.uint64),
    "complex64": (64, np.complex64),
    "complex128": (128, np.complex128),
    "bfloat16": (16, ml_dtypes.bfloat16),
    "float8e4m3fn": (8, ml_dtypes.float8_e4m3fn),
    "float8e4m3fnuz": (8, ml_dtypes.float8_e4m3fnuz),
    "float8e5m2": (8, ml_dtypes.float8_e5m2),
    "float8e5m2fnuz": (8, ml_dtypes.float8_e5m2fnuz),
    "uint4": (4, ml_dtypes.uint4),
    "int4": (4, ml_dtypes.int4),
    "float4e2m1": (4, ml_dtypes.float4_e2m1fn),
    "float8e8m0": (8, ml_dtypes.float8_e8m0fnu),
    "uint2": (2, ml_dtypes.uint2),
    "int2": (2, ml_dtypes.int2),
}
WORDS = {np.dtype(kind): word for word, (_, kind) in TYPES.items() if kind}
OPENVINO = {  # the document's word: OpenVINO's
    "bool": "boolean",
    "bfloat16": "bf16",
    "float16": "f16",
    "float": "f32",
    "double": "f64",
    "int4": "i4",
    "int8": "i8",
    "int16": "i16",
    "int32": "i32",
    "int64": "i64",
    "uint2": "u2",
    "uint4": "u4",
    "uint8": "u8",
    "uint16": "u16",
    "uint32": "u32",
    "uint64": "u64",
    "float4e2m1": "f4e2m1",
    "float8e4m3fn": "f8e4m3",
    "float8e5m2": "f8e5m2",
    "float8e8m0": "f8e8m0",
    "string": "string",
}


def to_array(entry):
    """The array of one object. Strings become an array of str."""
    word, shape = entry["type"], entry["shape"]
    if word == "string":
        texts = [
            base64.b64decode(text).decode("utf-8", "surrogateescape") for text in entry["strings"]
        ]
        return np.array(texts, object).reshape(shape)
    raw = np.frombuffer(base64.b64decode(entry["data"]), np.uint8)
    bits, kind = TYPES[word]
    if bits < 8:
        raw = unpacked(raw, bits)[: int(np.prod(shape))]
    return raw.view(kind).reshape(shape).copy()


def of_array(array):
    """The object of one array. A type that ONNX lacks has NumPy's name and no data."""
    array = np.asarray(array)
    entry = {"type": WORDS.get(array.dtype, str(array.dtype)), "shape": list(array.shape)}
    if array.dtype.kind in "OSU":
        cells = [
            cell if isinstance(cell, bytes) else str(cell).encode("utf-8", "surrogateescape")
            for cell in array.ravel().tolist()
        ]
        return {
            **entry,
            "type": "string",
            "strings": [base64.b64encode(cell).decode() for cell in cells],
        }
    if entry["type"] not in TYPES:
        return entry
    bits, _ = TYPES[entry["type"]]
    raw = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    if bits < 8:
        raw = packed(raw, bits)
    return {**entry, "data": base64.b64encode(raw.tobytes()).decode()}


def unpacked(raw, bits):
    """One byte for each element, as ml_dtypes has it; ONNX has the first in the lowest bits."""
    shifts = np.arange(0, 8, bits, np.uint8)
    return (raw[:, None] >> shifts & ((1 << bits) - 1)).reshape(-1).astype(np.uint8)


def packed(cells, bits):
    """The opposite of unpacked; the unused bits of the last byte are zero."""
    each = 8 // bits
    cells = np.pad(cells & ((1 << bits) - 1), (0, -len(cells) % each)).reshape(-1, each)
    return (cells << np.arange(0, 8, bits, np.uint8)).sum(axis=1).astype(np.uint8)
