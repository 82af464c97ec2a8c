"""An adapter of the survey: ONNX Runtime through its C interface, which takes tensors of every
type.

SPDX-License-Identifier: MIT

Python's own functions cannot hand over types shorter than a byte. In the environment ORT_LIBRARY
names libonnxruntime.so, ORT_PLUGIN a library of operators, ORT_LEVEL is the level of optimisation,
and with ORT_PREPARED the library runs only the Pads that the model leaves to it.
"""

import base64
import ctypes
import math
import os
from ctypes import byref, c_char_p, c_int, c_int64, c_size_t, c_void_p

from kit import json_arrays

# Places in OrtApi, the same in all versions from 1.17 on.
PLACES = {
    "GetErrorMessage": 2,
    "CreateEnv": 3,
    "CreateSession": 7,
    "Run": 9,
    "CreateSessionOptions": 10,
    "SetSessionLogSeverityLevel": 22,
    "SetSessionGraphOptimizationLevel": 23,
    "SetIntraOpNumThreads": 24,
    "SessionGetOutputCount": 31,
    "SessionGetOutputName": 37,
    "CreateTensorAsOrtValue": 48,
    "CreateTensorWithDataAsOrtValue": 49,
    "GetTensorMutableData": 51,
    "FillStringTensor": 52,
    "GetStringTensorDataLength": 53,
    "GetStringTensorContent": 54,
    "GetTensorElementType": 60,
    "GetDimensionsCount": 61,
    "GetDimensions": 62,
    "GetTensorTypeAndShape": 65,
    "CreateCpuMemoryInfo": 69,
    "AllocatorFree": 76,
    "GetAllocatorWithDefaultOptions": 78,
    "ReleaseStatus": 93,
    "ReleaseSession": 95,
    "ReleaseValue": 96,
    "ReleaseTensorTypeAndShapeInfo": 99,
    "ReleaseSessionOptions": 100,
    "AddSessionConfigEntry": 130,
    "RegisterCustomOpsLibrary_V2": 228,
}
INTERFACE = 17
QUIET = 4  # the level of messages: fatal ones only
# The numbers of types: ONNX's, but for the last three.
WORDS = {number: word for number, word in enumerate(json_arrays.TYPES, 1)}
WORDS |= {24: "uint2", 25: "int2", 26: "float8e8m0"}
NUMBERS = {word: number for number, word in WORDS.items()}


class Base(ctypes.Structure):
    _fields_ = [
        ("get_api", ctypes.CFUNCTYPE(c_void_p, ctypes.c_uint32)),
        ("version", ctypes.CFUNCTYPE(c_char_p)),
    ]


def functions(library):
    """The functions of the C interface by name, and the version."""
    get_base = ctypes.CDLL(library).OrtGetApiBase
    get_base.restype = ctypes.POINTER(Base)
    base = get_base().contents
    table, size = base.get_api(INTERFACE), ctypes.sizeof(c_void_p)
    made = ctypes.CFUNCTYPE(c_void_p)
    found = {
        name: made(c_void_p.from_address(table + place * size).value)
        for name, place in PLACES.items()
    }
    return found, base.version().decode()


class Interface:
    """Calls of the C interface; a status becomes an exception."""

    def __init__(self):
        self.functions, self.version = functions(os.environ["ORT_LIBRARY"])
        self.functions["GetErrorMessage"].restype = c_char_p
        self.environment, self.memory, self.allocator = c_void_p(), c_void_p(), c_void_p()
        self("CreateEnv", c_int(QUIET), b"kit", byref(self.environment))
        self("CreateCpuMemoryInfo", c_int(0), c_int(0), byref(self.memory))
        self("GetAllocatorWithDefaultOptions", byref(self.allocator))

    def __call__(self, name, *arguments):
        status = self.functions[name](*arguments)
        if status:
            text = self.functions["GetErrorMessage"](c_void_p(status)).decode(errors="replace")
            self.functions["ReleaseStatus"](c_void_p(status))
            raise RuntimeError(text)

    def release(self, name, pointer):
        self.functions[name](pointer)


ORT = Interface()


class Session:
    """A session, freed with the object."""

    def __init__(self, path):
        self.pointer, options = c_void_p(), c_void_p()
        ORT("CreateSessionOptions", byref(options))
        try:
            ORT("SetSessionLogSeverityLevel", options, c_int(QUIET))
            ORT("SetIntraOpNumThreads", options, c_int(1))
            ORT("SetSessionGraphOptimizationLevel", options, c_int(int(os.environ["ORT_LEVEL"])))
            if "ORT_PREPARED" in os.environ:
                ORT("AddSessionConfigEntry", options, b"tensorpad.only_prepared", b"1")
            if "ORT_PLUGIN" in os.environ:
                ORT("RegisterCustomOpsLibrary_V2", options, os.environ["ORT_PLUGIN"].encode())
            ORT("CreateSession", ORT.environment, path.encode(), options, byref(self.pointer))
        finally:
            ORT.release("ReleaseSessionOptions", options)

    def __del__(self):
        if self.pointer:
            ORT.release("ReleaseSession", self.pointer)

    def output_names(self):
        count, names = c_size_t(), []
        ORT("SessionGetOutputCount", self.pointer, byref(count))
        for k in range(count.value):
            name = c_char_p()
            ORT("SessionGetOutputName", self.pointer, c_size_t(k), ORT.allocator, byref(name))
            names.append(name.value)
            ORT("AllocatorFree", ORT.allocator, name)
        return names


def version():
    return ORT.version


load = Session


def run(session, inputs):
    values, kept = [], []
    names = [name.encode() for name in inputs]
    wanted = session.output_names()
    outputs = (c_void_p * len(wanted))()
    try:
        for array in inputs.values():
            values.append(value_of(json_arrays.of_array(array), kept))
        ORT(
            "Run",
            session.pointer,
            None,
            (c_char_p * len(names))(*names),
            (c_void_p * len(names))(*[value.value for value in values]),
            c_size_t(len(names)),
            (c_char_p * len(wanted))(*wanted),
            c_size_t(len(wanted)),
            outputs,
        )
        return [json_arrays.to_array(entry_of(c_void_p(value))) for value in outputs]
    finally:
        for value in [*values, *map(c_void_p, outputs)]:
            ORT.release("ReleaseValue", value)


def value_of(entry, kept):
    """An OrtValue; what it points to is put into kept."""
    value, rank = c_void_p(), len(entry["shape"])
    shape, number = (c_int64 * rank)(*entry["shape"]), c_int(NUMBERS[entry["type"]])
    if entry["type"] == "string":
        texts = [base64.b64decode(text) for text in entry["strings"]]
        ORT("CreateTensorAsOrtValue", ORT.allocator, shape, c_size_t(rank), number, byref(value))
        ORT("FillStringTensor", value, (c_char_p * len(texts))(*texts), c_size_t(len(texts)))
        return value
    data = base64.b64decode(entry["data"])
    kept.append(ctypes.create_string_buffer(data, len(data) + 1))
    ORT(
        "CreateTensorWithDataAsOrtValue",
        ORT.memory,
        kept[-1],
        c_size_t(len(data)),
        shape,
        c_size_t(rank),
        number,
        byref(value),
    )
    return value


def entry_of(value):
    """The object of kit.json_arrays with the bytes of an OrtValue."""
    info, number, rank = c_void_p(), c_int(), c_size_t()
    ORT("GetTensorTypeAndShape", value, byref(info))
    ORT("GetTensorElementType", info, byref(number))
    ORT("GetDimensionsCount", info, byref(rank))
    extents = (c_int64 * rank.value)()
    ORT("GetDimensions", info, extents, rank)
    ORT.release("ReleaseTensorTypeAndShapeInfo", info)
    entry = {"type": WORDS[number.value], "shape": list(extents)}
    count = math.prod(extents)
    if entry["type"] == "string":
        texts = [base64.b64encode(text).decode() for text in texts_of(value, count)]
        return {**entry, "strings": texts}
    bits, data = json_arrays.TYPES[entry["type"]][0], c_void_p()
    ORT("GetTensorMutableData", value, byref(data))
    raw = ctypes.string_at(data, (count * bits + 7) // 8) if count else b""
    return {**entry, "data": base64.b64encode(raw).decode()}


def texts_of(value, count):
    """The strings of an OrtValue as bytes."""
    if not count:
        return []
    length = c_size_t()
    ORT("GetStringTensorDataLength", value, byref(length))
    text, offsets = ctypes.create_string_buffer(length.value + 1), (c_size_t * count)()
    ORT("GetStringTensorContent", value, text, length, offsets, c_size_t(count))
    ends = [*offsets[1:], length.value]
    return [text.raw[start:end] for start, end in zip(offsets, ends)]
