"""nGraph Pad: the library against the naive oracle and JAX, and the command's words.

SPDX-License-Identifier: MIT

Starting the command for every case would take too long: the mass of them calls the library, the
dialect and then the engine, as a C program would.
"""

import collections
import ctypes
import itertools
import math
import os
import random

import ml_dtypes
import numpy as np
import pytest
from harness import (
    COMMAND,
    PACKED,
    SANITIZED,
    TYPES,
    fail,
    from_bytes,
    numbers,
    random_cells,
    read_pb,
    scaled,
    succeed,
    to_bytes,
    write_pb,
)
from kit import oracle

LEAST = {"constant": 0, "edge": 1, "reflect": 2, "symmetric": 1}  # elements, where a mode pads

# ---- The library ---------------------------------------------------------------------------------

i32, i64, size, pointer = ctypes.c_int32, ctypes.c_int64, ctypes.c_size_t, ctypes.c_void_p
MAX_RANK, PLAN_BYTES = 16, 1 << 14  # more than sizeof(tpad_plan), which is asked for as a minimum


def struct(struct_name, **fields):
    return type(struct_name, (ctypes.Structure,), {"_fields_": list(fields.items())})


Tensor = struct("Tensor", type=i32, rank=i32, shape=pointer, data=pointer)
Pad = struct(
    "Pad",
    struct_size=size,
    arg=Tensor,
    value=ctypes.POINTER(Tensor),
    below=pointer,
    above=pointer,
    interior=pointer,
    below_count=i32,
    above_count=i32,
    interior_count=i32,
    elem_bits=i32,
    mode=ctypes.c_char_p,
)
Error = struct(
    "Error",
    code=i32,
    axis=i32,
    got=i64,
    limit=i64,
    before=i64,
    after=i64,
    name=ctypes.c_char_p,
    text=ctypes.c_char_p,
)
Axes = (i64 * 7) * MAX_RANK
Made = struct(
    "Made",
    rank=i32,
    elem_bits=i32,
    flags=i32,
    fill_bytes=i32,
    fill=ctypes.c_ubyte * 16,
    value=pointer,
    axes=Axes,
)
Problem = struct(
    "Problem",
    struct_size=size,
    axis_size=size,
    axes=pointer,
    rank=i32,
    elem_bits=i32,
    in_offset=i64,
    out_offset=i64,
    flags=i32,
    reserved=i32,
)
NEGATIVE, NO_SOURCE = 27, 28


class Library:
    """One call of the dialect and of the engine at a time."""

    def __init__(self):
        self.calls = ctypes.CDLL(os.fspath(COMMAND.with_name("libtensorpad.so")))
        self.plan = (i64 * (PLAN_BYTES // 8))()
        self.error = Error()

    def refusal(self):
        line = ctypes.create_string_buffer(400)
        self.calls.tpad_error_format(ctypes.byref(self.error), line, size(len(line)))
        return line.value.decode()

    def pad(self, raw, bits, shape, begin, end, interior, mode, fill):
        """Bytes and shape of the output, or the refusal's code and axis."""
        rank = len(shape)
        lists = [(i64 * rank)(*values) for values in (shape, begin, end, interior)]
        shape, below, above, gaps = map(ctypes.addressof, lists)
        value = Tensor(1, 0, None, ctypes.cast(ctypes.c_char_p(fill), pointer))
        pad = Pad(
            ctypes.sizeof(Pad),
            Tensor(1, rank, shape, None),
            ctypes.pointer(value),
            below,
            above,
            gaps,
            rank,
            rank,
            rank,
            bits,
            mode.upper().encode(),
        )
        made, extents = Made(), (i64 * rank)()
        error = ctypes.byref(self.error)
        code = self.calls.tpad_ngraph_translate(
            ctypes.byref(made), size(ctypes.sizeof(made)), ctypes.byref(pad), error
        )
        assert code == self.calls.tpad_ngraph_shape(ctypes.byref(pad), extents, None)
        if code:
            line = self.refusal()
            axis = self.error.axis
            amounts = lists[1][axis], lists[2][axis]
            assert (self.error.before, self.error.after) == amounts
            assert f"axis {axis}:" in line and all(str(amount) in line for amount in amounts)
            return code, axis
        out = ctypes.create_string_buffer((int(np.prod(extents)) * bits + 7) // 8)
        plan = ctypes.byref(self.plan)
        problem = Problem(
            ctypes.sizeof(Problem),
            ctypes.sizeof(Axes._type_),
            ctypes.addressof(made.axes),
            made.rank,
            made.elem_bits,
            flags=made.flags,
        )
        value = made.fill if made.fill_bytes else pointer(made.value)
        problem = ctypes.byref(problem)
        assert self.calls.tpad_plan_init(plan, size(PLAN_BYTES), problem, None) == 0
        assert self.calls.tpad_run(plan, raw, out, value) == 0
        return out.raw, list(extents)


@pytest.fixture(scope="module")
def library():
    if SANITIZED:
        pytest.skip("a sanitized library cannot be loaded into Python; the command's tests run it")
    return Library()


# ---- Random problems -----------------------------------------------------------------------------


def random_axis(choice, largest, widest, valid):
    """(extent, below, above, interior); valid: with an output extent of at least 0."""
    extent = choice.randint(0, largest)
    gap = choice.choice([0, 0, 1, 2, 3])
    while True:
        below, above = choice.randint(-widest, widest), choice.randint(-widest, widest)
        if not valid or below + oracle.dilated(extent, gap) + above >= 0:
            return extent, below, above, gap


def random_problem(choice, valid):
    """(shape, below, above, interior)"""
    rank = choice.choices(range(5), [1, 6, 6, 3, 1])[0]
    largest, widest = [(0, 0), (6, 9), (5, 5), (3, 3), (2, 2)][rank]
    axes = [random_axis(choice, largest, widest, valid) for _ in range(rank)]
    return [list(values) for values in zip(*axes)] if axes else [[], [], [], []]


def rule(shape, below, above, interior, mode):
    """What the document does not allow: (code, axis), or None."""
    for axis, (d, p, q, r) in enumerate(zip(shape, below, above, interior)):
        if p + oracle.dilated(d, r) + q < 0:
            return NEGATIVE, axis
    for axis, (d, p, q) in enumerate(zip(shape, below, above)):
        if (p > 0 or q > 0) and d < LEAST[mode]:
            return NO_SOURCE, axis
    return None


def test_random_problems_against_the_oracle(library):
    """Interior, negative amounts, every mode, every width, empty axes; and what is refused."""
    choice = random.Random(1)
    seen = collections.Counter()
    for _ in range(20000):
        problem = random_problem(choice, valid=choice.random() < 0.9)
        shape, below, above, interior = problem
        mode = choice.choice(list(LEAST))
        bits = choice.choice([1, 2, 4, 8, 16, 24, 32, 64, 128])
        cells = [choice.getrandbits(bits) for _ in range(int(np.prod(shape)))]
        fill = choice.getrandbits(bits)
        raw, value = to_bytes(cells, bits), to_bytes([fill], bits)
        found = library.pad(raw, bits, shape, below, above, interior, mode, value)
        refusal = rule(*problem, mode)
        if refusal:
            assert found == refusal, (problem, mode)
        else:
            expected, out_shape = oracle.pad(cells, shape, below, above, mode, fill, interior)
            assert found[1] == out_shape, (problem, mode)
            assert from_bytes(found[0], bits, len(expected)) == expected, (problem, mode, bits)
        seen[mode, refusal is None] += 1
        seen["both"] += refusal is None and any(interior) and min(below + above) < 0
    assert seen["both"] > 7000
    for mode in LEAST:
        assert seen[mode, True] > 2000 and seen[mode, False] > 50


@pytest.mark.parametrize("mode", LEAST)
def test_every_small_axis_against_the_oracle(library, mode):
    for d, p, q, r in itertools.product(range(5), range(-6, 9), range(-6, 9), range(3)):
        cells = list(range(1, d + 1))
        found = library.pad(bytes(cells), 8, [d], [p], [q], [r], mode, b"\x7f")
        refusal = rule([d], [p], [q], [r], mode)
        if refusal:
            assert found == refusal, (d, p, q, r)
        else:
            expected, shape = oracle.pad(cells, [d], [p], [q], mode, 0x7F, [r])
            assert found == (bytes(expected), shape), (d, p, q, r)


JAX_TYPES = [np.bool_, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32]
JAX_TYPES += [np.uint64, np.float16, ml_dtypes.bfloat16, np.float32, np.float64, np.complex64]


def random_array(choice, dtype, shape):
    dtype = np.dtype(dtype)
    raw = choice.randbytes(int(np.prod(shape)) * dtype.itemsize)
    if dtype == np.bool_:
        raw = bytes(byte & 1 for byte in raw)
    array = np.frombuffer(raw, dtype).reshape(shape)
    if dtype == ml_dtypes.bfloat16:  # XLA takes these by way of float, which changes a NaN's bits
        with np.errstate(invalid="ignore"):
            array = np.where(np.isnan(array), dtype.type(0), array)
    return array


def jax_pads(cases, arrays, values, folded):
    """lax.pad of each case, as a list. JAX compiles a program for each shape, so all cases are one
    program with one flat result. Of constants XLA finds the result itself, as it compiles: that is
    much quicker than compiling code for each pad, which is what `folded=False` asks for."""
    import jax

    shapes = []

    def program(arrays, values):
        flat = []
        for (_, below, above, interior), array, value in zip(cases, arrays, values):
            out = jax.lax.pad(array, value, list(zip(below, above, interior)))
            shapes.append(out.shape)
            flat.append(jax.lax.reshape(out, (out.size,)))
        return jax.lax.concatenate(flat, 0)

    if folded:
        flat = jax.jit(lambda: program(arrays, values))()
    else:
        flat = jax.jit(program)(arrays, values)
    ends = np.cumsum([math.prod(shape) for shape in shapes])
    parts = np.split(np.asarray(flat), ends[:-1])
    return [part.reshape(shape) for part, shape in zip(parts, shapes)]


@pytest.mark.long
@pytest.mark.parametrize("dtype", JAX_TYPES, ids=lambda dtype: np.dtype(dtype).name)
def test_random_problems_against_jax(library, dtype, monkeypatch):
    """lax.pad, which has signed amounts and interior too: 2,020 cases of each type."""
    monkeypatch.setenv("JAX_PLATFORMS", "cpu")
    import jax

    jax.config.update("jax_enable_x64", True)
    choice = random.Random(np.dtype(dtype).name)
    seen = collections.Counter()
    for count, folded in (2000, True), (20, False):
        cases = [random_problem(choice, valid=True) for _ in range(count)]
        arrays = [random_array(choice, dtype, case[0]) for case in cases]
        values = [random_array(choice, dtype, []) for _ in cases]
        results = jax_pads(cases, arrays, values, folded)
        for case, array, value, expected in zip(cases, arrays, values, results):
            bits = array.dtype.itemsize * 8
            raw, shape = library.pad(array.tobytes(), bits, *case, "constant", value.tobytes())
            assert expected.dtype == array.dtype
            assert shape == list(expected.shape), case
            assert raw == expected.tobytes(), (case, array, value, expected)
            seen["cases"] += 1
            seen["with an empty axis"] += 0 in case[0]
            seen["negative"] += min(case[1] + case[2], default=0) < 0
            seen["interior"] += any(case[3])
    assert seen["cases"] == 2020  # of each of 14 types: more than 20,000
    assert seen["with an empty axis"] > 400
    assert seen["negative"] > 1000 and seen["interior"] > 1000


# ---- The command ---------------------------------------------------------------------------------

PICTURE = """\
42 42 42 42 42 42 42 42 42
42 42  1 42 42  2 42 42  3
42 42 42 42 42 42 42 42 42
42 42  4 42 42  5 42 42  6
42 42 42 42 42 42 42 42 42
42 42  7 42 42  8 42 42  9
42 42 42 42 42 42 42 42 42
"""


def ngraph(folder, array, *words):
    np.save(folder / "x.npy", array)
    succeed("pad", "-f", "--spec", "ngraph", *words, folder / "x.npy", folder / "y.npy")
    return np.load(folder / "y.npy")


def refused(folder, array, *words, status=3, holds=()):
    np.save(folder / "x.npy", array)
    files = folder / "x.npy", folder / "never.npy"
    fail(status, "pad", "--spec", "ngraph", *words, *files, says=holds)
    assert not files[1].exists()


NINE = np.arange(1, 10).reshape(3, 3)


@pytest.mark.parametrize("dtype", ["<i8", ">i8", "|u1", "<f4", ">f8", "<c16"])
def test_the_documents_picture(tmp_path, dtype):
    words = "--begin 1,2 --end 1,0 --interior 1,2 --value 42".split()
    expected = np.array([row.split() for row in PICTURE.splitlines()], int).astype(dtype)
    for array in NINE.astype(dtype), np.asfortranarray(NINE.astype(dtype)):
        found = ngraph(tmp_path, array, *words)
        assert found.dtype == expected.dtype
        assert found.tobytes() == expected.tobytes() and found.shape == expected.shape
    found = ngraph(tmp_path, NINE.astype(dtype), "--mode", "constant", *words)
    assert found.tobytes() == expected.tobytes()


def test_a_value_is_required_in_every_mode(tmp_path):
    for mode in LEAST:
        words = ["--mode", mode, "--begin", "1,1", "--end", "1,1"]
        refused(tmp_path, NINE, *words, holds=["x.npy", "--value", "every mode"])
        found = ngraph(tmp_path, NINE, *words, "--value", "0")
        assert found.tolist() == np.pad(NINE, 1, mode).tolist()


def test_lists_may_be_left_out(tmp_path):
    assert ngraph(tmp_path, NINE[0], "--interior", "1", "--value", "0").tolist() == [1, 0, 2, 0, 3]
    assert ngraph(tmp_path, NINE[0], "--begin", "1", "--value", "0").tolist() == [0, 1, 2, 3]
    assert ngraph(tmp_path, NINE[0], "--end=-1", "--value", "0").tolist() == [1, 2]
    scalar = np.array(5)
    assert ngraph(tmp_path, scalar, "--begin=", "--value", "0").tolist() == 5
    assert ngraph(tmp_path, scalar, "--interior=", "--value", "0").tolist() == 5


def test_refusals(tmp_path):
    value = ["--value", "0"]
    refused(tmp_path, NINE, "--begin", "1", *value, holds=["1 entries", "rank 2"])
    refused(tmp_path, NINE, "--begin", "1,1", "--end", "1", *value, holds=["--begin", "--end"])
    refused(tmp_path, NINE, "--begin=1,1", "--interior=1", *value, holds=["padding_interior 1"])
    refused(tmp_path, NINE, "--interior=", *value, holds=["padding_interior 0"])
    refused(
        tmp_path, NINE, "--begin=0,-2", "--end=0,-2", *value, holds=["axis 1", "-2, after -2", "-1"]
    )
    refused(tmp_path, NINE, "--interior=0,-1", *value, holds=["axis 1", "-1"])
    refused(tmp_path, NINE, "--begin=1,1", "--value", "1.5", holds=["--value", "1.5"])
    words = ["--begin=0,1", "--end=0,2", *value]
    for mode, count in ("edge", 0), ("symmetric", 0), ("reflect", 0), ("reflect", 1):
        holds = ["axis 1", mode.upper(), f"least {LEAST[mode]}", f"is {count} "]
        holds += ["padding_below 1", "padding_above 2"]
        refused(tmp_path, NINE[:, :count], "--mode", mode, *words, holds=holds)
    refused(tmp_path, NINE, "--mode=wrap", *words, holds=["wrap", "constant", "--spec plain"])


@pytest.mark.parametrize(
    "words",
    [
        ["--pads", "1,1,1,1"],
        ["--begin", "1", "--axes", "0"],
        ["--begin", "1,1", "--order", "window"],
        ["--begin", "1,1", "--lenient"],
        ["--begin", "1,1", "--mode", "edge,reflect"],
        ["--begin", "1,1", "--mode", "CONSTANT"],
    ],
)
def test_words_that_ngraph_does_not_have(tmp_path, words):
    refused(tmp_path, NINE, *words, "--value", "1", status=2)


def test_there_is_one_version(tmp_path):
    fail(2, "pad", "--spec", "ngraph-1", "--begin", "1", "x", "y", says=["'ngraph-1'", "ngraph "])


def test_help_tells_what_below_means():
    text = succeed("pad", "--help").stdout.decode()
    (line,) = [line for line in text.splitlines() if line.startswith("  --begin")]
    assert "cells before each axis" in line and "(ngraph: padding_below)" in line


# (dtype, --value, the value)
KINDS = [(kind, "1", 1) for kind in ("<u2", ">u2", "<f8", ">f4", "<i8", "|b1", "<c8")]
KINDS += [("<M8[D]", "7", 7), (">m8[s]", "-7", -7), ("|S3", "ab", b"ab"), (">U2", "xy", "xy")]
KINDS += [("|V3", "0", b""), ([("a", "<i2"), ("b", ">f8")], "0", (0, 0))]


def numbered_array(kind, shape):
    """0, 1, 2 ... in that type, or bytes that count where it has no numbers."""
    dtype = np.dtype(kind)
    count = int(np.prod(shape))
    if dtype.kind == "V":
        raw = bytes(k % 251 for k in range(count * dtype.itemsize))
        return np.frombuffer(raw, dtype).reshape(shape)
    return (np.arange(count) % (2 if dtype.kind == "b" else 100)).astype(dtype).reshape(shape)


def test_random_problems_through_the_command(tmp_path):
    """Every kind of .npy, also those without a number in ONNX, in both layouts."""
    choice = random.Random(3)
    for number in range(scaled(400)):
        problem = random_problem(choice, valid=choice.random() < 0.9)
        shape, below, above, interior = problem
        mode = choice.choice(list(LEAST))
        kind, text, value = KINDS[number % len(KINDS)]
        array = numbered_array(kind, shape)
        cells = [array.ravel()[k : k + 1].tobytes() for k in range(array.size)]
        fill = np.array([value], array.dtype).tobytes()
        array = np.asfortranarray(array) if shape and number % 2 else array
        words = [f"--begin={numbers(below)}", f"--end={numbers(above)}", f"--mode={mode}"]
        words += [f"--interior={numbers(interior)}", f"--value={text}"]
        refusal = rule(*problem, mode)
        if refusal:
            refused(tmp_path, array, *words, holds=[f"axis {refusal[1]}"])
            continue
        expected, out_shape = oracle.pad(cells, shape, below, above, mode, fill, interior)
        found = ngraph(tmp_path, array, *words)
        assert found.dtype == array.dtype and list(found.shape) == out_shape
        assert found.tobytes() == b"".join(expected), (problem, mode, kind)


@pytest.mark.parametrize("word", PACKED + ["bfloat16", "float8e8m0", "complex128"])
def test_types_of_protobuf_files(tmp_path, word):
    """Packed elements, whose rows begin anywhere in a byte, too."""
    choice = random.Random(word)
    source, target = tmp_path / "x.pb", tmp_path / "y.pb"
    for _ in range(scaled(20)):
        problem = random_problem(choice, valid=True)
        shape, below, above, interior = problem
        mode = choice.choice(list(LEAST))
        if rule(*problem, mode):
            mode = "constant"
        cells = random_cells(choice, word, int(np.prod(shape)))
        fill = int.from_bytes(np.array([1]).astype(TYPES[word][1]).tobytes(), "little")
        write_pb(source, word, shape, cells)
        words = [f"--begin={numbers(below)}", f"--end={numbers(above)}", f"--mode={mode}"]
        words += [f"--interior={numbers(interior)}", "--value=1"]
        succeed("pad", "-f", "--spec=ngraph", *words, source, target)
        expected, out_shape = oracle.pad(cells, shape, below, above, mode, fill, interior)
        assert read_pb(target) == (word, out_shape, expected), (problem, mode)


def test_strings_have_no_width(tmp_path):
    write_pb(tmp_path / "x.pb", "string", [2], [b"a", b"b"])
    files = tmp_path / "x.pb", tmp_path / "y.pb"
    words = ["--spec=ngraph", "--begin=1", "--value=x"]
    fail(3, "pad", *words, *files, says=["string", "--spec plain"])
