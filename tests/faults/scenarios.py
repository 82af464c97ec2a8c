"""Short commands that together use every format and every way in and out.

SPDX-License-Identifier: MIT
"""

import pathlib
import struct
import sys
import zlib

import numpy as np
import onnx.helper as oh
import onnx.numpy_helper as nh
from onnx import TensorProto

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path += [str(TESTS / "command"), str(TESTS / "support")]
from command import npy_bytes  # noqa: E402
from onnx_models import (  # noqa: E402
    FLOAT,
    INT64,
    STRING,
    external,
    graph,
    ints,
    model,
    one_pad,
    pad_node,
    port,
    tensor,
)

DATA = np.arange(12, dtype=np.float32).reshape(3, 4)


def png(width, height):
    """A palette: libpng has to expand it."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + bytes(x % 2 for x in range(width)) for _ in range(height))
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0))
        + chunk(b"PLTE", bytes([255, 0, 0, 0, 0, 255]))
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )


def foldable():
    """x -> Pad -> Pad -> MaxPool -> Pad -> Pad -> y: two become pads, and two one Pad."""
    nodes = [pad_node(["x", "p", "low"], "a", "first"), pad_node(["a", "p", "low"], "b", "second"),
             oh.make_node("MaxPool", ["b"], ["c"], kernel_shape=[4]),
             pad_node(["c", "p"], "d", "third", mode="edge"), pad_node(["d", "p"], "e", "fourth", mode="edge"),
             oh.make_node("Abs", ["e"], ["y"])]
    low = nh.from_array(np.array(-np.inf, np.float32), "low")
    return model(nodes, [port("x", [1, 2, 5])], [port("y", [1, 2, "n"])], [ints("p", [0, 0, 1, 0, 0, 1]), low])


def weighted():
    """x -> Pad by pads of another file -> y, and w (of that file) -> Pad -> z."""
    return model(
        [pad_node(["x", "p"], "y", "first", mode="edge"), pad_node(["w", "p"], "z", "second")],
        [port("x", ["n", 4])],
        [port("y", ["a", "b"]), port("z", ["c", "d"])],
        [external("p", "w.bin", [4], 0, 32), external("w", "w.bin", [2, 4], 32, 32, FLOAT)],
    )


def subgraphs():
    """A Pad whose function, subgraph and findings the inspection has to spell out."""
    inner = graph([pad_node(["x", "p"], "b", "inner", mode="reflect")], [], [port("b", ["n", 4])])
    return model(
        [
            oh.make_node("Constant", [], ["v"], value=nh.from_array(np.float32(2))),
            pad_node(["x", "p", "v"], "y", "outer"),
            oh.make_node("If", ["c"], ["z"], name="choice", then_branch=inner),
            pad_node(["x", "q"], "u"),
        ],
        [port("x", [3, 4]), port("q", [4], INT64)],
        [port("y", [4, 6])],
        [ints("p", [9, 0, 0, 2])],
        opset=18,
    )


def folded():
    """Amounts that follow from the shape of x and from constants, also through a function."""
    body = [oh.make_node("Shape", ["a"], ["b"]), oh.make_node("Concat", ["b", "c"], ["d"], axis=0)]
    function = oh.make_function("my", "F", ["a", "c"], ["d"], body, [oh.make_opsetid("", 18)])
    fill = oh.make_tensor("", INT64, [1], [3])
    return model(
        [
            oh.make_node("F", ["x", "two"], ["p"], domain="my"),
            oh.make_node("ConstantOfShape", ["four"], ["q"], value=fill),
            pad_node(["x", "p"], "y", "called"),
            pad_node(["x", "q"], "z", "filled"),
        ],
        [port("x", ["n", 4])],
        [port("y", ["a", "b"])],
        [oh.make_tensor("two", INT64, [2], [1, 2]), ints("four", [4])],
        opset=18,
        functions=[function],
    )


def ports(tag, *shapes, first=0):
    out = "".join(
        f'<port id="{first + k}" precision="{kind}">'
        + "".join(f"<dim>{extent}</dim>" for extent in shape)
        + "</port>"
        for k, (kind, shape) in enumerate(shapes)
    )
    return f"<{tag}>{out}</{tag}>"


def layer(number, name, kind, data, inputs, outputs, more=""):
    return (
        f'<layer id="{number}" name="{name}" type="{kind}" version="opset1"><data {data}/>'
        + (ports("input", *inputs) if inputs else "")
        + (ports("output", *outputs, first=len(inputs)) if outputs else "")
        + more
        + "</layer>"
    )


def edges(*pairs):
    ends = ("from-layer", "from-port", "to-layer", "to-port")
    out = "".join(
        "<edge " + " ".join(f'{end}="{n}"' for end, n in zip(ends, pair)) + "/>" for pair in pairs
    )
    return f"<edges>{out}</edges>"


def ir():
    """x -> Pad with amounts in the .bin -> a result; beside it a layer with a body."""
    x, y, two = ("FP32", [3, 4]), ("FP32", [4, 6]), ("I64", [2])
    place = 'element_type="i64" shape="2" size="16" offset="{}"'
    body = (
        "<body><layers>"
        + layer(0, "inner", "Parameter", 'shape="3,4" element_type="f32"', [], [x])
        + "</layers><edges/></body>"
    )
    return (
        '<?xml version="1.0"?><net name="m" version="11"><layers>'
        + layer(0, "x", "Parameter", 'shape="3,4" element_type="f32"', [], [x])
        + layer(1, "begin", "Const", place.format(0), [], [two])
        + layer(2, "end", "Const", place.format(16), [], [two])
        + layer(3, "pad", "Pad", 'pad_mode="reflect"', [x, two, two], [y])
        + layer(4, "y", "Result", "", [y], [])
        + layer(5, "loop", "TensorIterator", "", [x], [], body)
        + "</layers>"
        + edges((0, 0, 3, 0), (1, 0, 3, 1), (2, 0, 3, 2), (3, 3, 4, 0), (0, 0, 5, 0))
        + "</net>"
    ).encode()


def ir_of_pads():
    """The same without the body, which cannot be run."""
    text = ir().decode()
    begin, end = text.index('<layer id="5"'), text.index("</layers><edges><edge")
    return (text[:begin] + text[end:]).replace(edges((0, 0, 5, 0))[7:-8], "").encode()


def pooled():
    """A Pad by 0 before a MaxPool."""
    nodes = [pad_node(["x", "p"], "z", "pad"), oh.make_node("MaxPool", ["z"], ["y"], kernel_shape=[2, 2])]
    return model(nodes, [port("x", [1, 1, 2, 2])], [port("y")], [ints("p", [0, 0, 1, 0, 0, 0, 0, 1])])


def write_inputs(folder):
    record = np.zeros(3, [("a", "<i4"), ("b\u00e9", "<f8")])
    files = {
        "x.npy": npy_bytes(DATA),
        "columns.npy": npy_bytes(np.asfortranarray(DATA)),
        "large.npy": npy_bytes(np.zeros([600, 1024], np.float32)),
        "image.npy": npy_bytes(np.arange(12, dtype=np.int8).reshape(2, 2, 3)),
        "record.npy": npy_bytes(record),
        "x.pb": tensor("x", FLOAT, [3, 4], DATA.tobytes()).SerializeToString(),
        "outside.pb": external("w", "w.bin", [2, 4], 32, 32, FLOAT).SerializeToString(),
        "text.pb": TensorProto(name="s", data_type=STRING, dims=[2],
                               string_data=[b"alpha", b"be"]).SerializeToString(),
        "x.png": png(5, 4),
        "w.bin": np.array([1, 0, 0, 2], "<i8").tobytes() + np.arange(8, dtype="<f4").tobytes(),
        "m.onnx": weighted(),
        "if.onnx": subgraphs(),
        "folded.onnx": folded(),
        "m.xml": ir_of_pads(),
        "wrap.onnx": one_pad(pads=(4, 0, 0, 0)),
        "fold.onnx": foldable(),
        "pool.onnx": pooled(),
        "u2.xml": ir_of_pads().replace(b"FP32", b"U2").replace(b"f32", b"u2"),
        "u2.bin": np.array([1, 0, 0, 2], "<i8").tobytes(),
        "shapes.ini": b"[*.onnx]\ndim = nothing=3\n[wrap.onnx]\nassume = x:0>=3\n",
        "known.txt": b"# findings\nif.onnx\tchoice/then_branch/inner\tort-1.31\tTP104\trefuses\n",
        "m.bin": np.array([1, 0, 0, 2], "<i8").tobytes(),
        # It cuts more off than there is, where OpenVINO crashes.
        "cut.xml": ir_of_pads().replace(b'opset1"><data pad_mode="reflect"',
                                        b'opset12"><data pad_mode="edge"'),
        "cut.bin": np.array([-4, 0, 4, 2], "<i8").tobytes(),
        "body.xml": ir(),
        "body.bin": np.array([1, 0, 0, 2], "<i8").tobytes(),
        "bad.npy": npy_bytes(DATA)[:-1],
        "bad.xml": b"<net>" + b"<a>" * 9,
        "bad.png": png(5, 4)[:70],
        "bad.onnx": weighted()[:90],
    }
    for name, content in files.items():
        (folder / name).write_bytes(content)


class Scenario:
    """One command: its words, what goes into standard input, the files that it makes."""

    def __init__(self, words, *outputs, old=None, stdin=b"", closed=(), kept=0, varies=False,
                 reads_on=False):
        self.words = words.split()
        self.outputs = outputs
        self.old = old  # what the outputs hold before; None: they do not exist
        self.stdin = stdin  # bytes for a pipe, or the name of a file
        self.closed = closed  # standard streams that are closed
        self.varies = varies  # it prints times
        self.reads_on = reads_on  # behind a model that cannot be read, with status 3
        self.kept = kept  # blocks that the C library keeps: what its threads have of their own


# The files of a witness.
WITNESS = ("model.onnx", "verdicts.txt", "test_data_set_0/input_0.pb",
           "test_data_set_0/output_0.pb")
PADS = "--pads=1,0,0,2"
RUN = "run m.onnx --input x.npy --output"
SCENARIOS = {
    "npy": Scenario(f"pad {PADS} --value=7 x.npy out.npy", "out.npy"),
    "npy-over": Scenario(f"pad -f {PADS} columns.npy out.npy", "out.npy", old=b"precious"),
    "npy-pipe": Scenario(f"pad {PADS} - -", stdin=npy_bytes(DATA)),
    "npy-redirected": Scenario(f"pad {PADS} - out.npy", "out.npy", stdin="x.npy"),
    "npy-record": Scenario("pad --spec=plain --begin=1 --end=1 record.npy out.npy", "out.npy"),
    "npy-threads": Scenario("pad --threads=2 --pads=1,0,0,2 large.npy out.npy", "out.npy",
                            kept=1),
    "device": Scenario(f"pad --json {PADS} x.npy /dev/null"),
    "dtype": Scenario("pad --spec=plain --mode=edge,wrap --begin=1,0 --end=1,1 --interior=0,1 "
                      "--order=crop --dtype=f32 x.npy out.pb", "out.pb"),
    "size": Scenario("pad --to=5,- --multiple=4 --align=end x.npy out.npy", "out.npy"),
    "values": Scenario("pad --border=1 --value=7,8,9,10 --value-axis=1 x.npy out.npy", "out.npy"),
    "many": Scenario("pad -q --threads=1 --to=5 --axes=0 --out-dir=o/p x.npy x.png x.pb", "o/p/x.npy",
                     "o/p/x.png", "o/p/x.pb", reads_on=True),
    "mli": Scenario("pad --spec=mli-hwc --begin=1,1 --end=0,2 image.npy -"),
    "pb": Scenario(f"pad {PADS} outside.pb out.pb", "out.pb"),
    "pb-text": Scenario("pad -f --axes=0 --begin=1 --end=2 --value=zz text.pb out.pb", "out.pb",
                        old=b"precious"),
    "png": Scenario("pad --spec=openvino --mode=reflect --begin=1,1,0 --end=1,1,0 x.png out.png",
                    "out.png"),
    "png-over": Scenario("pad -f --spec=plain --begin=1,1,0 --end=1,1,0 x.png out.png", "out.png",
                         old=b"precious"),
    "onnx": Scenario(f"{RUN} y=out.npy --output z=z.npy", "out.npy", "z.npy"),
    "onnx-over": Scenario(f"{RUN} y=out.npy -f", "out.npy", old=b"precious"),
    "onnx-node": Scenario("run if.onnx --node=choice/then_branch/inner --input x=x.npy --lenient "
                          "--output=out.npy --json", "out.npy"),
    "ir": Scenario("run m.xml --input x.npy --output out.npy", "out.npy"),
    "show": Scenario("show --mode=wrap --pads=1,0,0,2 x.npy -o out.svg", "out.svg"),
    "show-text": Scenario("show --spec=plain --shape=2,3,99 --begin=1,0,0 --end=0,-1,3 "
                          "--mode=edge"),
    "show-values": Scenario("show --shape=2,2 --border=1 --value=7,8,9,10 --value-axis=1 -o out.svg", "out.svg"),
    "show-axes": Scenario("show -f --spec=plain --shape=9,99 --begin=1,9 --end=-1,3 --output=out.svg "
                          "--mode=symmetric", "out.svg", old=b"precious"),
    "show-node": Scenario("show if.onnx --node=choice/then_branch/inner --shape=3,4"),
    "inspect-onnx": Scenario("inspect if.onnx"),
    "inspect-folded": Scenario("inspect --input-shape x=2,4 folded.onnx"),
    "inspect-ir": Scenario("inspect --json body.xml"),
    "check": Scenario("check if.onnx m.xml", reads_on=True),
    "check-details": Scenario("check --format=details if.onnx m.xml", reads_on=True),
    "check-markdown": Scenario("check --format=markdown if.onnx wrap.onnx --target=ort-1.23 --fail-on=crashes",
                               reads_on=True),
    "check-html": Scenario("check --format=html wrap.onnx m.xml --target=ort-1.23 --fail-on=crashes",
                           reads_on=True),
    "check-json": Scenario("check --format=json if.onnx body.xml", reads_on=True),
    "check-shapes": Scenario("check --format=json if.onnx wrap.onnx --shapes=shapes.ini --dim=none=3", reads_on=True),
    "check-sarif": Scenario("check --format=sarif if.onnx --baseline=known.txt", reads_on=True),
    "check-folder": Scenario("check --format=github .", reads_on=True),
    "check-baseline": Scenario("check if.onnx --write-baseline=out.txt", "out.txt",
                               reads_on=True),
    "check-witness": Scenario("check wrap.onnx --fail-on=crashes --target=ort-1.23 --witness=w", "w/compare.py",
                              *(f"w/test_0001_wrap.onnx_pad_0/{name}" for name in WITNESS),
                              reads_on=True),
    "check-witness-pool": Scenario("check pool.onnx --fail-on=crashes --target=ort-1.31 --witness=w", "w/compare.py",
                                   *(f"w/test_0001_pool.onnx_pad/{name}" for name in WITNESS),
                                   reads_on=True),
    "check-witness-ir": Scenario("check u2.xml --fail-on=crashes --target=openvino --witness=w", "w/compare.py",
                                 *(f"w/test_0001_u2.xml_pad/{name}" for name in
                                   ("model.xml", "model.bin", *WITNESS[1:])), reads_on=True),
    "lower-onnx": Scenario("lower if.onnx out.onnx --target=ort-1.31,ort-1.17 --partial", "out.onnx"),
    "lower-onnx-over": Scenario("lower -f wrap.onnx out.onnx --target=ort-1.23 --json", "out.onnx",
                                old=b"precious"),
    "lower-fold": Scenario("lower fold.onnx out.onnx --target=ort-1.31 --fold", "out.onnx"),
    "lower-data": Scenario("lower m.onnx else/out.onnx --target=ort", "else/out.onnx", "else/w.bin",
                           reads_on=True),
    # Amounts that cannot be read are unknown, and the node cannot be lowered.
    "lower-outside": Scenario("lower m.onnx out.onnx --target=openvino", "out.onnx",
                              reads_on=True),
    "lower-ir": Scenario("lower cut.xml o.xml --target=openvino", "o.xml", "o.bin"),
    "lower-refused": Scenario("lower wrap.onnx out.onnx --target=coreml", "out.onnx"),
    "explain": Scenario("explain TP104"),
    "specs": Scenario("specs --json"),
    "help": Scenario("pad --help"),
    "bench": Scenario("bench --json --turns=3 --only=224,224,3]", varies=True),
    "no-input": Scenario(f"pad {PADS} - out.npy", "out.npy", closed=(0,)),
    "exists": Scenario(f"pad {PADS} x.npy out.npy", "out.npy", old=b"precious"),
    "itself": Scenario(f"pad -f {PADS} x.npy ./x.npy"),
    "twice": Scenario(f"{RUN} y=out.npy --output z=./out.npy -f", "out.npy", old=b"precious"),
    "twice-new": Scenario(f"{RUN} y=out.npy --output z=./out.npy", "out.npy"),
    "no-name": Scenario("run m.onnx --input w=x.npy --output y=out.npy", "out.npy"),
    "bad-npy": Scenario(f"pad --json {PADS} bad.npy out.npy", "out.npy"),
    "bad-png": Scenario("pad --spec=plain --begin=1,1,0 bad.png out.png", "out.png"),
    "bad-onnx": Scenario("inspect bad.onnx"),
    "bad-xml": Scenario("inspect bad.xml"),
}
