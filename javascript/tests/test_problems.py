"""Random problems through the installed package, against the oracle's values."""

import json
import math
import random

import ml_dtypes
import numpy
import oracle
import pytest

PROBLEMS = 5000
LARGE = 60  # of them are larger than what runs at once
ARRAYS = {
    "Int8Array": "i1", "Uint8Array": "u1", "Uint8ClampedArray": "u1", "Int16Array": "<i2",
    "Uint16Array": "<u2", "Int32Array": "<i4", "Uint32Array": "<u4", "Float32Array": "<f4",
    "Float64Array": "<f8", "BigInt64Array": "<i8", "BigUint64Array": "<u8",
}  # fmt: skip
# Types whose class does not tell them: the array, and NumPy's type.
NAMED = {
    "float16": ("Uint16Array", numpy.dtype("<f2")),
    "bfloat16": ("Uint16Array", numpy.dtype(ml_dtypes.bfloat16)),
    "bool": ("Uint8Array", numpy.dtype("?")),
    "complex64": ("Float32Array", numpy.dtype("<c8")),
    "complex128": ("Float64Array", numpy.dtype("<c16")),
    "float8e5m2": ("Uint8Array", numpy.dtype(ml_dtypes.float8_e5m2)),
}
PACKED = {"int4": (4, True), "uint4": (4, False), "int2": (2, True), "uint2": (2, False),
          "uint1": (1, False), "float4e2m1": (4, False), "nf4": (4, False)}  # fmt: skip
# Constants at which rounding to the float types turns, and ties.
EDGES = [0.0, -0.0, 1.5, -2.25, 1e-7, 65519.0, 65520.0, 1e39, 3.3895e38, 6e-8, 2.9e-8, math.inf, -math.inf,
         *(1 + n * 2**-bits for n in (1, 3) for bits in (8, 11)), 2**-25, 3 * 2**-25]  # fmt: skip
MODES = ["constant", "edge", "reflect", "symmetric", "wrap"]


def make_shape(rng, large):
    if large:
        rank = rng.randint(1, 4)
        extents = [rng.choice([1, 2, 3, 5, 8]) for _ in range(rank)]
        extents[rng.randrange(rank)] = rng.randint(30, 300)
        rest = rng.randint(40_000, 160_000) / math.prod(extents)
        extents[rng.randrange(rank)] *= max(1, int(rest))
        return extents
    return [
        rng.choice([0, 1, 1, 2, 3, 4, 5, 7]) for _ in range(rng.choice([0, 1, 1, 2, 2, 3, 4, 5]))
    ]


def is_solvable(extent, before, after, interior, mode, order):
    """Whether the pad of an axis has a result (docs/semantics.md)."""
    dilated = (extent - 1) * (interior + 1) + 1 if extent else 0
    if before + dilated + after < 0:
        return False
    kept = dilated
    if order == "crop":
        kept += min(before, 0) + min(after, 0)
    return mode == "constant" or kept > 0 or (before <= 0 and after <= 0)


def make_axis(rng, extent, large, order):
    """before, after, interior, mode of an axis; each is drawn until there is a result."""
    while True:
        least = -min(extent, 3)
        before, after = rng.randint(least, 2 if large else 6), rng.randint(least, 3 if large else 6)
        interior = 0 if large and extent > 8 else rng.choice([0, 0, 0, 1, 2])
        mode = rng.choice(MODES)
        if is_solvable(extent, before, after, interior, mode, order):
            return before, after, interior, mode


def as_option(rng, values, default, named_axes):
    """A list of one entry for each axis in one of the forms that an option takes, or None."""
    rank = len(values)
    forms = ["list", "object"]
    if all(value == default for value in values):
        forms.append("absent")
    if rank and all(value == values[0] for value in values) and not isinstance(values[0], list):
        forms.append("one")
    form = "list" if named_axes else rng.choice(forms)
    if form == "absent":
        return None
    if form == "one":
        return values[0]
    if form == "list":
        return list(values)
    chosen = {
        axis: value for axis, value in enumerate(values) if value != default or rng.random() < 0.5
    }
    return {
        str(axis - rank if rng.random() < 0.5 else axis): value for axis, value in chosen.items()
    }


def width_option(rng, widths, named_axes):
    pairs = [list(pair) for pair in widths]
    if pairs and all(pair == pairs[0] for pair in pairs) and rng.random() < 0.7:
        before, after = pairs[0]
        return (
            rng.choice([before, [before]])
            if before == after and rng.random() < 0.7
            else (rng.choice([[before, after], [[before, after]]]))
        )
    return as_option(rng, pairs, [0, 0], named_axes)


def make_values(rng, random_bytes, name, elems):
    """(array's class, NumPy's type, elements, constant as an option, constant in NumPy)."""
    if name in ARRAYS:
        array, dtype = name, numpy.dtype(ARRAYS[name])
    elif name in NAMED:
        array, dtype = NAMED[name]
    else:
        bits, signed = PACKED[name]
        data = numpy.frombuffer(random_bytes(elems), "u1") & ((1 << bits) - 1)
        fill = rng.randrange(1 << bits)
        low = fill - (1 << bits) if signed and fill >= 1 << (bits - 1) else fill
        if rng.random() < 0.3:
            low = {"array": "Uint8Array", "bits": [fill << 7 if name == "uint1" else fill]}
        return "Uint8Array", numpy.dtype("u1"), data, low, fill
    data = numpy.frombuffer(random_bytes(elems * dtype.itemsize), dtype)
    if dtype.kind == "b":
        data = numpy.frombuffer(random_bytes(elems), "u1") % 2 == 1
        constant = rng.choice([True, False, 1, 0])
        return array, dtype, data, constant, constant
    if rng.random() < 0.2 or name == "float8e5m2":  # an element bit by bit, NaNs too
        bits = random_bytes(dtype.itemsize)
        return (
            array,
            dtype,
            data,
            {"array": array, "bits": list(bits)},
            numpy.frombuffer(bits, dtype)[0],
        )
    if dtype.kind in "iu":
        value = rng.randint(numpy.iinfo(dtype).min, numpy.iinfo(dtype).max)
        return array, dtype, data, {"big": str(value)} if abs(value) >= 2**53 else value, value
    value = rng.choice([*EDGES, rng.uniform(-9, 9), 2 ** rng.uniform(-27, 16)])
    with numpy.errstate(over="ignore"):
        while math.isfinite(value) and not numpy.isfinite(numpy.float64(value).astype(dtype)):
            value /= 2  # too large is an error: hostile.mjs
    if dtype.kind == "c":
        pair = [rng.uniform(-9, 9), rng.uniform(-9, 9)]
        return array, dtype, data, pair, complex(*pair)
    word = "Infinity" if value == math.inf else "-Infinity" if value == -math.inf else repr(value)
    return array, dtype, data, {"number": word}, numpy.float64(value).astype(dtype)


def make_list(rng, name, count):
    """That many constants: as an option, and in NumPy. Some lists are an array of elements."""
    array, dtype, *_ = make_values(rng, rng.randbytes, name, 0)
    if name == "float8e5m2" or rng.random() < 0.3:
        bits = rng.randbytes(count * dtype.itemsize)
        if dtype.kind == "b":
            bits = bytes(byte % 2 for byte in bits)
        return {"array": array, "bits": list(bits)}, numpy.frombuffer(bits, dtype)
    options, fills = [], numpy.zeros(count, dtype)
    while len(options) < count:
        option, fill = make_values(rng, rng.randbytes, name, 0)[3:]
        if not isinstance(option, dict) or "array" not in option:
            fills[len(options)] = fill
            options.append(option)
    return options, fills


def pack(elements, bits, high_first):
    each = 8 // bits
    padded = numpy.zeros(-(-elements.size // each) * each, "u1")
    padded[: elements.size] = elements.reshape(-1)
    packed = numpy.zeros(padded.size // each, "u1")
    for place in range(each):
        packed |= padded[place::each] << (8 - bits - place * bits if high_first else place * bits)
    return packed


def make_problem(rng, large):
    """A problem as JSON has it, the bytes of its input, and the expected ones."""
    shape = make_shape(rng, large)
    rank = len(shape)
    order = rng.choice(["window", "crop"])
    axes = [make_axis(rng, extent, large, order) for extent in shape]
    if rng.random() < 0.4:  # the same for all axes, where that has a result
        alike = [axes[0]] * rank if rank else []
        if all(is_solvable(extent, *axis, order) for extent, axis in zip(shape, alike)):
            axes = alike
    named_axes = None
    if rank and rng.random() < 0.3:
        named_axes = rng.sample(range(rank), rng.randint(1, rank))
        axes = [axis if i in named_axes else (0, 0, 0, "constant") for i, axis in enumerate(axes)]
    listed = axes if named_axes is None else [axes[i] for i in named_axes]
    options = {
        "padWidth": width_option(rng, [axis[:2] for axis in listed], named_axes),
        "interior": as_option(rng, [axis[2] for axis in listed], 0, named_axes),
        "mode": as_option(rng, [axis[3] for axis in listed], "constant", named_axes),
    }
    if order == "crop" or rng.random() < 0.3:
        options["order"] = order
    if named_axes is not None:
        options["axes"] = [i - rank if rng.random() < 0.5 else i for i in named_axes]
    name = rng.choice([*ARRAYS, *NAMED, *PACKED])
    array, dtype, data, constant, fill = make_values(rng, rng.randbytes, name, math.prod(shape))
    if rng.random() < 0.2:
        fill = numpy.zeros(1, dtype)[0]
    else:
        options["constantValue"] = constant
    if name not in ARRAYS:
        options["type"] = name
    options = {key: value for key, value in options.items() if value is not None}
    unsigned = numpy.dtype(f"V{dtype.itemsize}")  # elements are moved bit by bit
    bits = numpy.array(fill, dtype).view(unsigned)
    result = oracle.pad(
        data.reshape(shape).view(unsigned)
        if shape
        else numpy.array(data, dtype).view(unsigned).reshape(()),
        [axis[:2] for axis in axes],
        [axis[3] for axis in axes],
        bits,
        [axis[2] for axis in axes],
        order,
    )
    if shape and name not in PACKED and rng.random() < (0.4 if large else 0.25):
        axis = rng.randrange(rank)
        options["constantValue"], fills = make_list(rng, name, result.shape[axis])
        options["constantAxis"] = rng.choice([axis, axis - rank])
        kept = oracle.pad(
            numpy.ones(shape, "u1"),
            [one[:2] for one in axes],
            [one[3] for one in axes],
            0,
            [one[2] for one in axes],
            order,
        )
        along = fills.view(unsigned).reshape([-1 if i == axis else 1 for i in range(rank)])
        result[kept == 0] = numpy.broadcast_to(along, result.shape)[kept == 0]
    given, expected = data.tobytes(), result.tobytes()
    if name in PACKED:
        given, expected = (
            pack(numpy.frombuffer(some, "u1"), PACKED[name][0], name == "uint1").tobytes()
            for some in (given, expected)
        )
    problem = {
        "array": array,
        "shape": shape,
        "options": options,
        "outShape": list(result.shape),
        "offset": rng.choice([0, 0, 1, 3]),
        "shared": rng.random() < 0.1,
    }
    return problem, given, expected


@pytest.fixture(scope="module")
def problems(tmp_path_factory):
    """The files of problems and of their bytes."""
    rng = random.Random(22)
    folder = tmp_path_factory.mktemp("problems")
    listed, parts, size = [], [], 0
    for number in range(PROBLEMS):
        problem, given, expected = make_problem(rng, number < LARGE)
        problem["at"] = [size, len(given), size + len(given), len(expected)]
        size += len(given) + len(expected)
        parts += [given, expected]
        listed.append(problem)
    (folder / "problems.json").write_text(json.dumps(listed))
    (folder / "bytes.bin").write_bytes(b"".join(parts))
    return folder / "problems.json", folder / "bytes.bin"


@pytest.mark.parametrize("kernels", ["wasm", "plain"])
def test_random_problems(node, problems, kernels):
    """Each by pad, into out, by a plan, in the engine's memory, and onto its own input."""
    told = node.run("run_problems.mjs", *problems, environment={"TENSORPAD_KERNELS": kernels})
    assert told["wrong"] == []
    assert (told["done"], told["kernels"]) == (PROBLEMS, kernels)
