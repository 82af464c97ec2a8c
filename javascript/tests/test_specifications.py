"""Random calls of the specifications, refused ones too: what the Python package returns or says."""

import json
import random

import ml_dtypes
import numpy
import pytest
from test_problems import pack

tensorpad = pytest.importorskip(
    "tensorpad", reason="tests/runners/python.sh makes the Python package"
)

CALLS = 1000
# The array in JavaScript, the type's name where its class does not say it, and NumPy's type.
TYPES = [
    ("Int8Array", None, "i1"), ("Uint8Array", None, "u1"), ("Uint8ClampedArray", None, "u1"),
    ("Int16Array", None, "i2"), ("Uint16Array", None, "u2"), ("Int32Array", None, "i4"),
    ("Uint32Array", None, "u4"), ("BigInt64Array", None, "i8"), ("BigUint64Array", None, "u8"),
    ("Float32Array", None, "f4"), ("Float32Array", None, "f4"), ("Float64Array", None, "f8"),
    ("Uint16Array", "float16", "f2"), ("Uint16Array", "bfloat16", ml_dtypes.bfloat16),
    ("Uint8Array", "bool", "?"), ("Uint8Array", "float8e5m2", ml_dtypes.float8_e5m2),
    ("Float32Array", "complex64", "c8"), ("Float64Array", "complex128", "c16"),
]  # fmt: skip
PACKED = {
    "onnx": {"int4": (4, -8), "uint4": (4, 0), "int2": (2, -2), "uint2": (2, 0),
             "float4e2m1": (4, 0)},
    "openvino": {"u1": (1, 0), "u2": (2, 0), "u4": (4, 0), "i4": (4, -8), "nf4": (4, 0),
                 "f4e2m1": (4, 0)},
}  # fmt: skip
MODES = ["constant", "edge", "reflect", "symmetric", "wrap"]


def snake(name):
    return "".join("_" + letter.lower() if letter.isupper() else letter for letter in name)


class Call:
    """One call for both packages: `options` for JavaScript, `arguments` for Python."""

    def __init__(self, rng, specification):
        self.rng, self.specification = rng, specification
        self.shape = [
            rng.choice([0, 1, 2, 3, 3, 4]) for _ in range(rng.choice([0, 1, 1, 2, 2, 3, 4]))
        ]
        self.options, self.arguments, self.value_array, self.packed = {}, {}, None, None
        if specification in PACKED and rng.random() < 0.15:
            self.packed = rng.choice(sorted(PACKED[specification]))
            self.array, self.type, self.dtype = "Uint8Array", self.packed, numpy.dtype("u1")
        else:
            self.array, self.type, dtype = rng.choice(TYPES)
            self.dtype = numpy.dtype(dtype)
        if specification == "openvino" and self.dtype.kind == "c":
            self.array, self.type, self.dtype = "Float32Array", None, numpy.dtype("f4")

    def option(self, name, value):
        self.options[name] = value
        self.arguments[snake(name)] = value

    def amounts(self, count):
        low = self.rng.choice([0, 0, -2])
        return [self.rng.randint(low, self.rng.choice([1, 2, 6])) for _ in range(count)]

    def count(self, count):
        """How many entries a list gets: mostly as many as it must have."""
        return count if self.rng.random() < 0.93 else self.rng.randint(0, 9)

    def value(self, name):
        """A constant: a number, or an array of one element of a type that may be another."""
        if self.rng.random() < 0.1:
            return
        if self.packed:
            bits, low = PACKED[self.specification][self.packed]
            self.option(name, self.rng.randint(low, low + 2**bits - 1))
        elif self.rng.random() < 0.2 or self.dtype == ml_dtypes.float8_e5m2:
            mine = (self.array, self.type, self.dtype)
            array, kind, dtype = mine if self.rng.random() < 0.7 else self.rng.choice(TYPES)
            if (array, kind, dtype) != mine and (kind or array == self.array):
                return  # in JavaScript, the class of an array does not say this type
            dtype = numpy.dtype(dtype)
            element = numpy.frombuffer(self.rng.randbytes(dtype.itemsize), dtype)[0]
            if dtype.kind == "b":
                element = numpy.bool_(self.rng.random() < 0.5)
            self.value_array = name, array, element.tobytes().hex()
            self.arguments[snake(name)] = element
        elif self.dtype.kind in "iub":
            self.option(
                name,
                self.rng.choice([0, 1]) if self.dtype.kind in "ub" else self.rng.randint(-128, 127),
            )
        else:
            self.option(name, self.rng.choice([0, -1, 2.5, 1e-3, 0.1, 65519.9, 1 / 3]))

    def as_json(self):
        bits = (
            PACKED[self.specification][self.packed][0] if self.packed else 8 * self.dtype.itemsize
        )
        elements = int(numpy.prod(self.shape, dtype=int))
        if self.packed:
            some = numpy.frombuffer(self.rng.randbytes(elements), "u1") & (2**bits - 1)
            self.data = pack(some, bits, self.packed == "u1")
        else:
            self.data = numpy.frombuffer(self.rng.randbytes(elements * bits // 8), self.dtype)
            if self.dtype.kind == "b":
                self.data = numpy.frombuffer(self.data.tobytes(), "u1") % 2 == 1
            self.data = self.data.reshape(self.shape)
        if self.type:
            self.options["type"] = self.type
        return {
            "specification": self.specification,
            "array": self.array,
            "hex": self.data.tobytes().hex(),
            "shape": self.shape,
            "options": self.options,
            "valueArray": self.value_array,
        }

    def in_python(self):
        """(bytes, shape), or the SpecError."""
        module = getattr(tensorpad, self.specification)
        first = [self.data]
        pad = module.padding2d if self.specification == "mli" else module.pad
        if self.packed:
            pad = module.pad_packed
            first = [self.data, self.shape, self.packed]
        try:
            made = pad(*first, **self.arguments)
        except tensorpad.SpecError as error:
            return error
        return made.tobytes(), None if self.packed else list(made.shape)


def onnx_call(rng):
    call = Call(rng, "onnx")
    opset = rng.choice([1, 2, 10, 11, 13, 18, 19, 21, 23, 24, 25, 25, 25, 25, 30, 0, -3])
    if opset != 25 or rng.random() < 0.5:
        call.option("opset", opset)
    count = len(call.shape)
    if rng.random() < 0.3:
        axes = rng.sample(range(count), rng.randint(0, count))
        axes = [axis - count if rng.random() < 0.4 else axis for axis in axes]
        if axes and rng.random() < 0.15:
            axes[0] = rng.choice([count, -count - 1, axes[-1]])
        call.option("axes", axes)
        count = len(axes)
    pads = call.amounts(call.count(2 * count))
    call.option("pads", pads)
    if opset > 10 and rng.random() < 0.03:
        call.options["pads"] = call.arguments["pads"] = None
    if 1 <= opset <= 10:
        if not call.packed and rng.random() < 0.6:
            call.option("constantValue", rng.choice([0, 1.5, -2.25, 1e-3, 1e30]))
    else:
        call.value("constantValue")
    if rng.random() < 0.7:
        call.option("mode", rng.choice([*MODES, *MODES, "foo", "Reflect", ""]))
    if rng.random() < 0.2:
        call.option("lenient", True)
    return call


def openvino_call(rng):
    call = Call(rng, "openvino")
    count = len(call.shape)
    call.option("padsBegin", call.amounts(call.count(count)))
    call.option("padsEnd", call.amounts(call.count(count)))
    call.value("padValue")
    if rng.random() < 0.95:
        call.option("padMode", rng.choice([*MODES, *MODES, "nearest"]))
    if rng.random() < 0.7:
        call.option("version", rng.choice([1, 12, 12, 12, 5, 14, 0]))
    if rng.random() < 0.2:
        call.option("lenient", True)
    return call


def ngraph_call(rng):
    call = Call(rng, "ngraph")
    count = len(call.shape)
    call.option("paddingBelow", call.amounts(call.count(count)))
    call.option("paddingAbove", call.amounts(call.count(count)))
    if rng.random() < 0.5:
        low = -1 if rng.random() < 0.2 else 0
        call.option("paddingInterior", [rng.randint(low, 2) for _ in range(call.count(count))])
    call.arguments["arg_pad_value"] = None
    call.value("argPadValue")
    if rng.random() < 0.8:
        call.option(
            "padMode", rng.choice(["CONSTANT", "EDGE", "REFLECT", "SYMMETRIC", "WRAP", "edge"])
        )
    return call


def mli_call(rng):
    call = Call(rng, "mli")
    if rng.random() < 0.8:
        call.array, call.type, dtype = rng.choice([TYPES[0], TYPES[3]])
        call.dtype = numpy.dtype(dtype)
    call.type = None if call.type != call.array else call.type
    if call.dtype.itemsize > 8 or call.dtype.kind in "cbV" or "float" in call.dtype.name:
        call.array, call.dtype = "Float32Array", numpy.dtype("f4")
    if rng.random() < 0.85:
        call.shape = [rng.choice([0, 1, 2, 3, 4, 5, 5]) for _ in range(3)]
    call.option("layout", rng.choice(["chw", "hwc"]))
    for side in ("Left", "Right", "Top", "Bottom"):
        if rng.random() < 0.7:
            call.option(f"padding{side}", rng.choice([0, 1, 2, 3, rng.choice([2, 255, 256, -1])]))
    return call


def packed_call(rng, specification, word):
    """Ones around zeros, of a type of less than a byte."""
    call = Call(rng, specification)
    call.shape, call.packed, call.type = [3, 5], word, word
    call.array, call.dtype = "Uint8Array", numpy.dtype("u1")
    name = "constantValue" if specification == "onnx" else "padValue"
    if specification == "onnx":
        call.option("pads", [1, 2, 0, 1])
    else:
        call.option("padsBegin", [1, 2])
        call.option("padsEnd", [0, 1])
        call.option("padMode", "constant")
        call.option("version", 12)
        call.option("lenient", True)
    call.option(name, 1)
    return call


@pytest.fixture(scope="module")
def calls(tmp_path_factory):
    rng = random.Random(23)
    made = [rng.choice([onnx_call, onnx_call, openvino_call, ngraph_call, mli_call])(rng)
            for _ in range(CALLS)]  # fmt: skip
    made += [packed_call(rng, name, word) for name, words in PACKED.items() for word in words]
    path = tmp_path_factory.mktemp("calls") / "calls.json"
    path.write_text(json.dumps([call.as_json() for call in made]))
    return made, path


@pytest.mark.parametrize("kernels", ["wasm", "plain"])
def test_random_calls(node, calls, kernels):
    made, path = calls
    told = node.run("run_specifications.mjs", path, environment={"TENSORPAD_KERNELS": kernels})
    assert told["kernels"] == kernels
    assert len(told["told"]) == len(made) > CALLS
    accepted, refused = 0, set()
    for call, here in zip(made, told["told"]):
        about = call.specification, call.array, call.shape, call.options
        expected = call.in_python()
        if isinstance(expected, tensorpad.SpecError):
            axis = -1 if expected.axis is None else expected.axis
            there = ["PadError", str(expected), axis, expected.got, expected.limit]
            assert [here.get(key) for key in ("name", "error", "axis", "got", "limit")] == there, (
                about
            )
            refused.add(str(expected))
        else:
            accepted += 1
            assert "error" not in here, (about, here)
            assert here["hex"] == expected[0].hex(), about
            assert expected[1] is None or here["shape"] == expected[1], about
        assert here["ways"] == "alike", about
    assert accepted > 250 and len(refused) > 150  # many results, and many reasons


def test_plain_refusals(node, tmp_path):
    """What pad itself refuses, in the words of the Python package."""
    problems = [
        ((2, 3), {"padWidth": -2}, {"pad_width": -2}),
        ((0, 3), {"padWidth": 1, "mode": "edge"}, {"pad_width": 1, "mode": "edge"}),
        ((4, 0), {"padWidth": [[0, 0], [0, 1]], "mode": "wrap"},
         {"pad_width": ((0, 0), (0, 1)), "mode": "wrap"}),
        ((4,), {"padWidth": [-4, 1], "mode": "reflect", "order": "crop"},
         {"pad_width": (-4, 1), "mode": "reflect", "order": "crop"}),
        ((2,), {"interior": -1}, {"pad_width": 0, "interior": -1}),
        ((-1, 3), {}, {"pad_width": 0}),
        ((2**53 - 1, 2**53 - 1), {}, {"pad_width": 0}),
        ((2**40, 2**40), {"padWidth": 2**40}, {"pad_width": 2**40}),
        ((1,), {"padWidth": [0, 2**53 - 2], "interior": 2**53 - 1},
         {"pad_width": (0, 2**53 - 2), "interior": 2**53 - 1}),
    ]  # fmt: skip
    path = tmp_path / "problems.json"
    path.write_text(json.dumps([[shape, options] for shape, options, _ in problems]))
    told = node.run("run_refusals.mjs", path)
    for (shape, _, arguments), here in zip(problems, told, strict=True):
        try:
            expected = {"shape": list(tensorpad.pad_shape(shape, **arguments))}
        except ValueError as error:
            expected = {"name": "PadError", "error": str(error)}
        assert here == expected
