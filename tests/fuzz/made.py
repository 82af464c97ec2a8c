"""Seeds made by hand, for what files of the tests seldom have.  SPDX-License-Identifier: MIT

Arrays and constants of every type and field, external data, every form of a Constant node, every
conversion of an IR, every kind of picture. `made()` yields (target, bytes); seeds.py keeps them.
"""

import pathlib
import struct
import sys
import zlib

import numpy as np
import onnx.helper as oh
import onnx.numpy_helper as nh
from onnx import ModelProto, TensorProto

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/formats"), str(ROOT / "tests/support")]

import harness  # noqa: E402
import onnx_wire  # noqa: E402
import samples  # noqa: E402
from made_folding import ir_models, onnx_models  # noqa: E402
from onnx_models import (  # noqa: E402
    FLOAT,
    INT64,
    ints,
    model,
    one_pad,
    pad_node,
    port,
    referring,
    tensor,
    two_branches,
    with_subgraph,
)


def external(data_type, shape, entries, name=""):
    proto = TensorProto(name=name, data_type=data_type, dims=shape, data_location=1)
    for key, value in entries.items():
        proto.external_data.add(key=key, value=value)
    return proto


EXTERNAL = [
    {"location": "weights.bin"},
    {"location": "weights.bin", "offset": "8", "length": "8"},
    {"location": "weights.bin", "offset": "60"},
    {"location": "./weights.bin", "checksum": "x"},
    {"location": "../weights.bin"},
    {"location": "missing"},
    {"offset": "1"},
]


def protos():
    for word, number in harness.NUMBERS.items():
        cells = [b"ab", b"", b"c"] if word == "string" else [0, 1, 3]
        for typed in (False, True):
            yield harness.tensor(word, [3], cells, "x", typed).SerializeToString()
        for entries in EXTERNAL[:2]:
            yield external(number, [1], entries).SerializeToString()
    for entries in EXTERNAL:
        yield external(INT64, [1], entries).SerializeToString()
    yield tensor("", FLOAT, [2, 0, 3]).SerializeToString()
    yield tensor("scalar", FLOAT, [], bytes(4)).SerializeToString()


def pad_model(initializers, nodes=(), opset=21, inputs=("x", "p", "v"), x=FLOAT, **attributes):
    pad = pad_node(inputs, "y", "pad_0", **attributes)
    ports = [port("x", [3, 2], x)], [port("y", ["a", "b"], x)]
    return model([*nodes, pad], *ports, initializers, opset)


def packed(content):
    """The same model, with the lists of all attributes packed, as protobuf 3 writes them."""

    def pack(number, payload, whole):
        if number == 5 and payload is not None and b"\x0a\x0avalue_ints" in payload:
            parts = list(onnx_wire.fields(payload))
            entries = b"".join(bytes(part)[1:] for at, _, part in parts if at == 8)
            others = b"".join(bytes(part) for at, _, part in parts if at != 8)
            return onnx_wire.field(5, others + onnx_wire.field(8, entries))
        return whole

    return onnx_wire.rewritten(content, pack)


def models():
    pads = ints("p", [0, 1, 1, 0])
    for word, number in harness.NUMBERS.items():
        cells = [b"ab"] if word == "string" else [1]
        for typed in (False, True):
            value = harness.tensor(word, [], cells, "v", typed)
            yield pad_model([pads, value], x=number, opset=25)
    for entries in EXTERNAL:
        yield pad_model([external(INT64, [4], entries, "p")], inputs=("x", "p"))
    sparse = oh.make_sparse_tensor(nh.from_array(np.float32([1])), ints("", [0]), [4])
    forms = [
        {"value_float": 1.0},
        {"value_floats": [1.0, 2.0]},
        {"value_int": 1},
        {"value_ints": [0, 1, 1, 0]},
        {"value_string": "ab"},
        {"value_strings": ["ab", "c"]},
        {"value": ints("", [0, 1, 1, 0])},
        {"sparse_value": sparse},
    ]
    for form in forms:
        made = oh.make_node("Constant", [], ["c"], **form)
        for inputs in (("x", "c"), ("x", "p", "c"), ("x", "p", "", "c")):
            content = pad_model([pads], [made], inputs=inputs)
            yield packed(content) if "value_ints" in form else content
    for opset in (1, 2, 10, 11, 13, 18, 19, 21, 23, 24, 25, 99):
        for mode in ("constant", "edge", "reflect", "wrap"):
            yield pad_model([pads], opset=opset, mode=mode, inputs=("x", "p"))
            named = {"paddings" if opset == 1 else "pads": [0, 1, 1, 0]}
            yield pad_model([], opset=opset, mode=mode, value=1.5, **named, inputs=("x",))
    chain = [pad_node(["x", "p"], "a"), pad_node(["a", "p"], "y")]
    ports = [port("x", [3, 2])], [port("y", [])]
    top = model(chain, *ports, [pads], 25)
    whole = ModelProto.FromString(top)
    whole.graph.sparse_initializer.add(values=tensor("v", FLOAT, [1], bytes(4)), dims=[4])
    yield whole.SerializeToString()
    yield model(chain, *ports, [pads], 25, value_info=[port("a", [4, 3])])
    for inner in (
        pad_node(["X", "P"], "Y", "inner"),
        referring(pad_node(["X", "P"], "Y", "inner"), "mode", "mode"),
    ):
        function = oh.make_function(
            "my", "F", ["X", "P"], ["Y"], [inner], [oh.make_opsetid("", 13)]
        )
        yield model(chain, *ports, [pads], 25, functions=[function])
    yield from (one_pad(), two_branches(), with_subgraph(), samples.onnx_model())


IR_TYPES = (
    "boolean nf4 u1 u2 u3 u4 u6 u8 u16 u32 u64 i4 i8 i16 i32 i64 f16 bf16 f32 f64 f8e4m3 f8e5m2 "
    "f8e8m0 f4e2m1 string dynamic"
).split()
LAYER = '<layer id="{}" name="{}" type="{}" version="opset1"><data {}/>{}</layer>'
OUT = '<output><port id="0"/></output>'
THROUGH = '<input><port id="0"/></input><output><port id="1"/></output>'


def ir(kind, source, target, weights=bytes(range(1, 40)), mode="constant", opset=12):
    """x -> Pad, its amounts and value constants of `source`, the value converted to `target`."""
    place = f'element_type="{source}" offset="0" size="16"'
    layers = [
        LAYER.format(0, "x", "Parameter", f'element_type="{target}" shape="3"', OUT),
        LAYER.format(1, "b", "Const", f'{place} shape="1"', OUT),
        LAYER.format(2, "v", "Const", f'{place} shape=""', OUT),
        LAYER.format(3, "c", "Convert", f'destination_type="{target}"', THROUGH),
        LAYER.format(4, "pad", "Pad", f'pad_mode="{mode}"', "")
        .replace("opset1", f"opset{opset}")
        .replace(
            "</layer>",
            '<input><port id="0"/><port id="1"/><port id="2"/><port id="3"/></input>'
            '<output><port id="4" names="y"/></output></layer>',
        ),
        LAYER.format(5, "r", "Result", "", '<input><port id="0"/></input>'),
    ]
    value = 'from-layer="3" from-port="1"' if kind else 'from-layer="2" from-port="0"'
    edges = [
        'from-layer="0" from-port="0" to-layer="4" to-port="0"',
        'from-layer="1" from-port="0" to-layer="4" to-port="1"',
        'from-layer="1" from-port="0" to-layer="4" to-port="2"',
        'from-layer="2" from-port="0" to-layer="3" to-port="0"',
        f'{value} to-layer="4" to-port="3"',
        'from-layer="4" from-port="4" to-layer="5" to-port="0"',
    ]
    text = '<net name="m" version="11"><layers>' + "".join(layers) + "</layers><edges>"
    text += "".join(f"<edge {edge}/>" for edge in edges) + "</edges></net>"
    return text.encode() + b"\0" + weights


def irs():
    strings = struct.pack("<4i", 1, 0, 2, 0) + b"ab" + bytes(20)
    for word in IR_TYPES:
        yield ir(0, word, word)
        yield ir(1, "i8", word)
        yield ir(1, word, "f32")
        yield ir(1, word, "i32", b"\xff" * 39)
    for word in ("f16", "bf16", "f64", "f8e4m3", "f8e8m0", "f4e2m1", "u64", "boolean"):
        yield ir(1, "f32", word, struct.pack("<4f", 1, 1e30, float("nan"), -1))
        yield ir(1, "f64", word, struct.pack("<3d", 2, 1e300, -0.5))
        yield ir(1, "u64", word, b"\xff" * 24)
    yield ir(0, "string", "string", strings)
    for mode in ("edge", "reflect", "symmetric", "wrap"):
        for opset in (1, 12):
            yield ir(0, "i64", "f32", struct.pack("<2q", 1, 1), mode, opset)


def pictures():
    for depth, color in [
        (1, 0),
        (2, 0),
        (4, 0),
        (8, 0),
        (16, 0),
        (8, 2),
        (16, 2),
        (8, 4),
        (16, 4),
        (8, 6),
        (16, 6),
    ]:
        for interlace in (0, 1):
            yield samples.png(depth=depth, color=color, interlace=interlace)
    for depth in (1, 2, 4, 8):
        head = struct.pack(">IIBBBBB", 5, 2, depth, 3, 0, 0, 0)
        rows = zlib.compress((b"\0" + bytes((5 * depth + 7) // 8)) * 2)
        chunks = [(b"IHDR", head), (b"PLTE", bytes(range(12))), (b"tRNS", b"\x10\x20")]
        yield samples.png_chunks([*chunks, (b"IDAT", rows), (b"IEND", b"")])
    head = (b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
    rows = (b"IDAT", zlib.compress(b"\0\7"))
    for extra in [
        (b"gAMA", struct.pack(">I", 45455)),
        (b"tRNS", b"\0\7"),
        (b"tEXt", b"a\0b"),
        (b"zTXt", b"a\0\0" + zlib.compress(bytes(999))),
        (b"iTXt", b"a\0\0\0\0\0b"),
        (b"iCCP", b"a\0\0" + zlib.compress(bytes(132))),
        (b"sRGB", b"\0"),
        (b"bKGD", b"\0\1"),
        (b"pHYs", bytes(9)),
        (b"tIME", bytes(7)),
        (b"sBIT", b"\5"),
        (b"abcd", b"x"),
    ]:
        yield samples.png_chunks([head, extra, rows, (b"IEND", b"")])


def arrays():
    for kind in [*"?bBhHiIlLqQefdgFD", "S3", "U2", "V5", "M8[ns]", "m8[7D]", "i2,f8", "u1,(2,3)i2"]:
        for order in "<>":
            dtype = np.dtype(kind).newbyteorder(order)
            header = np.lib.format.header_data_from_array_1_0(np.zeros((2, 3), dtype, order="F"))
            text = str({**header, "descr": np.lib.format.dtype_to_descr(dtype)})
            yield samples.npy(text=text, data=bytes(6 * dtype.itemsize))
    yield samples.npy()[:-1]


PAD_LINES = """
pad --spec ngraph --begin 1,2 --end 1,0 --interior 1,2 --value 42
pad --spec ngraph --mode edge --begin 1,2 --end 1,0
pad --spec ngraph --begin=-1,-2 --end 1,9
pad --spec plain --mode reflect,wrap --order crop --begin=-1,4 --end 4,4
pad --spec onnx-18 --axes=-1 --pads 2,2
pad --spec onnx-1 --pads 0,1,1,0 --value 1.5
pad --spec openvino-1 --mode symmetric --begin 1,1 --end 1,1 --lenient --json
pad --spec mli-hwc --begin 1,1,0 --end 1,1,0 --dtype i8
pad --spec mli-chw --begin 0,1 --end 0,1
pad --threads 2 --pads 1,1,1,1 -q -f
"""
RUN_LINES = """
run F.onnx --node first --input x=x.npy --output a.npy
run F.onnx --input x=x.npy --input q=x.npy --output a=y.npy
run F.onnx --output b=y.npy --output a=z.npy --input x=x.npy --input q=x.npy
run F.onnx --node b --json
"""
VALUES = "1.5 1e-3 inf nan 0x1p-3 -7 true 1.5-2j abc 1e400 300 0x10 +1 j".split()
DTYPES = "f16 bf16 f8e4m3fn u4 i8 u64 c64 bool string f4e2m1".split()
DESCRS = "<f2 <f4 <f8 >f8 |b1 |u1 <i8 <c8 <c16 |S3 <U2".split()


def spoken(line, content=b""):
    return line.replace(" ", "\n").encode() + b"\n\n" + content


def array_of(descr, shape, count):
    text = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}"
    return samples.npy(text=text, data=bytes(count))


def commands():
    array = array_of("<i4", "(2, 3)", 24)
    for line in PAD_LINES.split("\n")[1:-1]:
        for files in ("F.npy y.npy", "F.npy y.pb", "F.npy -", "- y.npy"):
            yield spoken(f"{line} {files}", array)
        yield spoken(f"{line} F.png y.png", samples.png())
    for line in RUN_LINES.split("\n")[1:-1]:
        yield spoken(line, two_branches())
    for value in VALUES:
        for dtype in DTYPES:
            line = f"pad --pads 1,1 --value={value} --dtype={dtype} F.npy y.npy"
            yield spoken(line, array_of("|V1", "(4,)", 4))
        for descr in DESCRS:
            line = f"pad --pads 1,1 --value={value} F.npy y.npy"
            yield spoken(line, array_of(descr, "(1,)", 16))


LOWERED_AMOUNTS = [
    [0, 4, 0, 1],
    [0, 1, 0, 1],
    [1, -1, -1, 2],
    [-1, 0, -1, 0],
    [5, 5, 5, 5],
    [-2, 0, 0, 0],
    [-3, 1, 0, 1],
]


def lowered():
    """Pads that some target does not run right, at the opsets at which operators are written anew."""
    ports = [port("x", [2, 3])], [port("y", ["a", "b"])]
    for mode in ("constant", "reflect", "edge", "wrap"):
        new = pad_node(["x", "p"], "y", "p", mode=mode)
        for amounts in LOWERED_AMOUNTS:
            old = pad_node(["x"], "y", "p", mode=mode, pads=amounts)
            for opset in (2, 6, 9, 10):
                yield model([old], *ports, opset=opset)
            for opset in (11, 13, 18, 19, 25):
                yield model([new], *ports, [ints("p", amounts)], opset)
        for kind in harness.NUMBERS.values():
            typed = [port("x", [2, 3], kind)], [port("y", ["a", "b"], kind)]
            yield model([new], *typed, [ints("p", [1, -1, 1, 2])], 25)


def made():
    for target, seeds in [
        ("proto", protos),
        ("onnx", models),
        ("folding", models),
        ("folding", onnx_models),
        ("lower", models),
        ("lower", lowered),
        ("ir", irs),
        ("folding_ir", irs),
        ("folding_ir", ir_models),
        ("png", pictures),
        ("npy", arrays),
        ("command", commands),
    ]:
        for seed in seeds():
            yield target, seed
