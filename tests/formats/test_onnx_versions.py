"""Every version of ONNX Pad with every type and mode: what the document allows, and what not.

SPDX-License-Identifier: MIT

The document's lists stand in oracle.py. What it allows must give what the naive walk gives, bit by
bit; what it forbids must be refused with the version that has it.
"""

import random
import re

import harness
import numpy as np
import onnx
import pytest
from harness import TYPES, cell_of, fail, numbers, random_cells, succeed
from kit import oracle

SHAPE = [3, 5]  # 15 elements: packed types end inside a byte, and rows start inside one
PADS = [1, -1, 2, 4]  # cuts two columns' worth of nothing twice: every mode has to reach far
VALUES = {  # a fill value that every type of that kind holds exactly
    "bool": ("true", True),
    "string": ("fill me", b"fill me"),
    "complex64": ("1.5-2j", 1.5 - 2j),
    "complex128": ("1.5-2j", 1.5 - 2j),
    "float8e8m0": ("0.5", 0.5),
}


def fill_value(word):
    if word in VALUES:
        return VALUES[word]
    return ("-1.5", -1.5) if "float" in word or word == "double" else ("1", 1)


def fill_value_of(version, word):
    text, value = fill_value(word)
    if word == "float8e4m3fnuz" or word == "float8e5m2fnuz":
        text, value = "1.5", 1.5
    return text, cell_of(value, word)


def zero_of(word):
    return b"" if word == "string" else 0


def names_version(text, version):
    """Does the text speak of that version? (Pad-13, opset 13, version 13)"""
    return re.search(rf"(?<![\d.]){version}(?![\d.]*\d)", text)


@pytest.mark.parametrize("version", oracle.ONNX)
@pytest.mark.parametrize("word", TYPES)
def test_every_type_and_mode(version, word, tmp_path):
    types, modes = oracle.ONNX[version]
    cells = random_cells(random.Random(f"{version} {word}"), word, 15)
    source, target = tmp_path / "x.pb", tmp_path / "y.pb"
    harness.write_pb(source, word, SHAPE, cells)
    text, value = fill_value_of(version, word)
    for mode in oracle.MODES:
        spec = ["pad", "--spec", f"onnx-{version}", "--mode", mode, "--pads", numbers(PADS)]
        if word in types and mode in modes:
            succeed(*spec, source, target, "-f")
            expected = oracle.onnx_pad(cells, SHAPE, PADS, mode, zero_of(word))
            assert harness.read_pb(target) == (word, expected[1], expected[0])

            succeed(*spec, "--value", text, source, target, "-f")
            expected = oracle.onnx_pad(cells, SHAPE, PADS, mode, value)
            assert harness.read_pb(target) == (word, expected[1], expected[0])
            target.unlink()
        else:
            result = fail(3, *spec, source, target)
            first = oracle.onnx_first_with_type(word), oracle.onnx_first_with_mode(mode)
            if word not in types and names_version(result.error, first[0]):
                assert word in result.error and f"Pad-{version} " in result.error, result
            elif mode not in modes and first[1]:
                assert names_version(result.error, first[1]) and mode in result.error, result
                assert f"Pad-{version} " in result.error, result
            else:
                assert mode not in modes and not first[1], result
                assert mode in result.error and "no version" in result.error.lower(), result


@pytest.mark.parametrize(
    "word", [word for word in TYPES if word not in harness.PACKED + ["string"]]
)
def test_every_type_as_npy(word, tmp_path):
    """The same through .npy, which cannot say the short float types: there --dtype does."""
    bits, _ = TYPES[word]
    cells = random_cells(random.Random(word), word, 15)
    source, target = tmp_path / "x.npy", tmp_path / "y.npy"
    dtype = [] if word in harness.IN_NPY else ["--dtype", word]
    text, value = fill_value_of(25, word)
    for unsigned in [False] if not dtype else [False, True]:
        if unsigned:  # unsigned integers of the width stand for the type just as raw bytes do
            harness.write_npy(source, f"uint{bits}", SHAPE, cells)
        else:
            harness.write_npy(source, word, SHAPE, cells)
        for mode in oracle.ONNX[25][1]:
            succeed(
                "pad",
                "--spec=onnx",
                "--mode",
                mode,
                "--pads",
                numbers(PADS),
                *dtype,
                "--value",
                text,
                source,
                target,
                "-f",
            )
            expected = oracle.onnx_pad(cells, SHAPE, PADS, mode, value)
            found = harness.read_npy(target)
            assert found[1:] == (expected[1], expected[0])
            assert found[0] == harness.array(word, [0], []).dtype


@pytest.mark.parametrize("opset", [3, 5, 10, 12, 14, 17, 20, 22, 26, 27, 99])
def test_opset_chooses_the_version(opset, tmp_path):
    """An opset means the newest version that is not newer."""
    version = oracle.onnx_version_of_opset(opset)
    types, _ = oracle.ONNX[version]
    spec = ["pad", "--spec", f"onnx-{opset}", "--pads", numbers(PADS)]
    for word in TYPES:
        cells = random_cells(random.Random(word), word, 15)
        harness.write_pb(tmp_path / "x.pb", word, SHAPE, cells)
        if word in types:
            succeed(*spec, tmp_path / "x.pb", tmp_path / "y.pb", "-f")
            expected = oracle.onnx_pad(cells, SHAPE, PADS, "constant", zero_of(word))
            assert harness.read_pb(tmp_path / "y.pb") == (word, expected[1], expected[0])
        else:
            result = fail(3, *spec, tmp_path / "x.pb", tmp_path / "y.pb", "-f", says=[word])
            assert names_version(result.error, oracle.onnx_first_with_type(word)), result


@pytest.mark.parametrize("text", ["onnx-0", "onnx--1", "onnx-", "onnx-1x", "onnx-99999999999"])
def test_no_such_version(text, tmp_path):
    harness.write_npy(tmp_path / "x.npy", "float", [1], [0])
    fail(
        2,
        "pad",
        "--spec",
        text,
        "--pads=0,0",
        tmp_path / "x.npy",
        tmp_path / "y.npy",
        says=["onnx-"],
    )


# ---- The float32 attribute of versions 1 and 2 --------------------------------------------------

ATTRIBUTE_VALUES = [
    "0.1",
    "-0.0",
    "1e6",
    "65504",
    "65519.996",
    "65520",
    "-1e30",
    "1e-7",
    "6e-8",
    "2.9e-8",
    "3e-8",
    "inf",
    "-inf",
    "0x1p-24",
    "0x1.8p-25",
    "1.00048828125",
    "1.00146484375",
    "3.4028235e38",
    "1e-45",
]


@pytest.mark.parametrize("word", ["float16", "float", "double"])
def test_attribute_value_is_converted_once(word, tmp_path):
    """In a model: float32, then the type of the data, rounded to nearest even."""
    cells = [0]
    harness.write_pb(tmp_path / "x.pb", word, [1], cells)
    for version in 1, 2:
        for text in ATTRIBUTE_VALUES:
            value = float.fromhex(text) if "x" in text else float(text)
            with np.errstate(over="ignore", under="ignore"):
                single = np.float32(value)
                expected = cell_of(single, word)
            name = "paddings" if version == 1 else "pads"
            node = onnx.helper.make_node("Pad", ["x"], ["y"], value=float(single), **{name: [1, 0]})
            port = lambda n: onnx.helper.make_tensor_value_info(n, harness.NUMBERS[word], None)
            model = onnx.helper.make_model(
                onnx.helper.make_graph([node], "g", [port("x")], [port("y")]),
                opset_imports=[onnx.helper.make_opsetid("", version)],
            )
            (tmp_path / "m.onnx").write_bytes(model.SerializeToString())
            succeed(
                "run",
                tmp_path / "m.onnx",
                "--input",
                tmp_path / "x.pb",
                "--output",
                tmp_path / "y.pb",
                "-f",
            )
            assert harness.read_pb(tmp_path / "y.pb")[2] == [expected, 0], (version, text)

            succeed(
                "pad",
                "--spec",
                f"onnx-{version}",
                "--pads=1,0",
                f"--value={text}",
                tmp_path / "x.pb",
                tmp_path / "z.pb",
                "-f",
            )
            assert harness.read_pb(tmp_path / "z.pb")[2] == [expected, 0], (version, text)


def test_attribute_value_nan(tmp_path):
    for word in "float16", "float", "double":
        harness.write_npy(tmp_path / "x.npy", word, [1], [0])
        succeed(
            "pad",
            "--spec",
            "onnx-2",
            "--pads=1,0",
            "--value=nan",
            tmp_path / "x.npy",
            tmp_path / "y.npy",
            "-f",
        )
        assert np.isnan(np.load(tmp_path / "y.npy")[0])


# ---- Axes ---------------------------------------------------------------------------------------


def test_axes(tmp_path):
    cells = list(range(60))
    harness.write_npy(tmp_path / "x.npy", "int16", [3, 4, 5], cells)
    for axes, pads in [
        ([2], [1, 2]),
        ([-1], [1, 2]),
        ([-3], [0, 4]),
        ([0, 2], [1, 2, 3, 0]),
        ([2, 0], [1, 2, 3, 0]),
        ([-1, -3], [1, -2, 3, 0]),
        ([1, -1, 0], [1, 2, 3, 4, 5, 6]),
        ([], []),
    ]:
        for version in 18, 19, 25:
            succeed(
                "pad",
                f"--spec=onnx-{version}",
                "--mode=reflect",
                f"--axes={numbers(axes)}",
                f"--pads={numbers(pads)}",
                tmp_path / "x.npy",
                tmp_path / "y.npy",
                "-f",
            )
            expected = oracle.onnx_pad(cells, [3, 4, 5], pads, "reflect", 0, axes)
            assert harness.read_npy(tmp_path / "y.npy")[1:] == (expected[1], expected[0])


@pytest.mark.parametrize(
    "axes, pads, words",
    [
        ("2", "0,1", ["2"]),
        ("-3", "0,1", ["-3"]),
        ("9223372036854775807", "0,1", ["9223372036854775807"]),
        ("-9223372036854775808", "0,1", ["-9223372036854775808"]),
        ("0,0", "1,2,0,0", ["0"]),
        ("1,-1", "1,2,0,0", ["1"]),
        ("0", "1,2,0,0", ["4", "2"]),
        ("0,1", "1,2", ["2", "4"]),
        ("", "1,2", ["2", "0"]),
    ],
)
def test_axes_refused(axes, pads, words, tmp_path):
    harness.write_npy(tmp_path / "x.npy", "float", [2, 2], [1, 2, 3, 4])
    fail(
        3,
        "pad",
        "--spec=onnx",
        f"--axes={axes}",
        f"--pads={pads}",
        tmp_path / "x.npy",
        tmp_path / "y.npy",
        says=words,
    )


@pytest.mark.parametrize("version", [1, 2, 11, 13])
def test_axes_come_with_18(version, tmp_path):
    harness.write_npy(tmp_path / "x.npy", "float", [2, 2], [1, 2, 3, 4])
    arguments = [
        f"--spec=onnx-{version}",
        "--axes=1",
        "--pads=1,0",
        tmp_path / "x.npy",
        tmp_path / "y.npy",
    ]
    result = fail(3, "pad", "--spec=onnx", *arguments, says=["axes"])
    assert names_version(result.error, 18)
    succeed("pad", "--spec=onnx", *arguments, "--lenient")
    assert harness.read_npy(tmp_path / "y.npy")[1:] == ([2, 3], [0, 1, 2, 0, 3, 4])


# ---- Wrong counts, sizes and the corners --------------------------------------------------------


@pytest.mark.parametrize("pads", ["", "1", "1,2,3", "1,2,3,4,5", "1,2,3,4,5,6"])
def test_wrong_count_of_pads(pads, tmp_path):
    harness.write_npy(tmp_path / "x.npy", "float", [2, 2], [1, 2, 3, 4])
    count = len(pads.split(",")) if pads else 0
    for version in oracle.ONNX:
        fail(
            3,
            "pad",
            f"--spec=onnx-{version}",
            f"--pads={pads}",
            tmp_path / "x.npy",
            tmp_path / "y.npy",
            says=[str(count), "4"],
        )


@pytest.mark.parametrize(
    "pads, words",
    [
        ("-3,-2", ["axis 0", "-3", "-2"]),
        ("-9223372036854775808,0", ["axis 0", "-9223372036854775808"]),
        ("9223372036854775807,9223372036854775807", ["axis 0", "9223372036854775807"]),
        ("9223372036854775807,0", ["axis 0"]),
    ],
)
def test_impossible_amounts(pads, words, tmp_path):
    harness.write_npy(tmp_path / "x.npy", "float", [4], [1, 2, 3, 4])
    for mode in "constant", "edge", "reflect", "wrap":
        fail(
            3,
            "pad",
            "--spec=onnx",
            f"--mode={mode}",
            f"--pads={pads}",
            tmp_path / "x.npy",
            tmp_path / "y.npy",
            says=words,
        )


def test_amounts_that_no_memory_holds(tmp_path):
    """Sizes that fit in 64 bits but on no disk: an honest failure of the system, and at once."""
    harness.write_npy(tmp_path / "x.npy", "float", [4], [1, 2, 3, 4])
    fail(
        1, "pad", "--spec=onnx", "--pads=0,1000000000000000", tmp_path / "x.npy", tmp_path / "y.npy"
    )


@pytest.mark.parametrize("mode", sorted(oracle.FOUR_MODES))
def test_corners(mode, tmp_path):
    """Small extents, deep crops and every mixture of signs, in one axis."""
    for extent in range(4):
        cells = list(range(1, extent + 1))
        harness.write_npy(tmp_path / "x.npy", "uint8", [extent], cells)
        for begin in range(-5, 8):
            for end in (-4, -2, -1, 0, 1, 3, 6):
                arguments = [
                    "pad",
                    "--spec=onnx",
                    f"--mode={mode}",
                    f"--pads={begin},{end}",
                    "--value=9",
                    tmp_path / "x.npy",
                    tmp_path / "y.npy",
                    "-f",
                ]
                try:
                    expected = oracle.onnx_pad(cells, [extent], [begin, end], mode, 9)
                except oracle.Refused as refused:
                    words = ["axis 0"] + ([mode] if refused.why == "empty" else [])
                    fail(3, *arguments, says=words)
                else:
                    succeed(*arguments)
                    found = harness.read_npy(tmp_path / "y.npy")
                    assert found[1:] == (expected[1], expected[0]), arguments


def test_rank_0(tmp_path):
    for word in TYPES:
        [cell] = random_cells(random.Random(word), word, 1)
        harness.write_pb(tmp_path / "x.pb", word, [], [cell])
        for mode in oracle.FOUR_MODES:
            succeed(
                "pad",
                "--spec=onnx",
                f"--mode={mode}",
                "--pads=",
                tmp_path / "x.pb",
                tmp_path / "y.pb",
                "-f",
            )
            assert harness.read_pb(tmp_path / "y.pb") == (word, [], [cell])


# ---- Lenient ------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", oracle.ONNX)
def test_lenient_computes_what_has_a_meaning(version, tmp_path):
    for word in TYPES:
        cells = random_cells(random.Random(word), word, 15)
        harness.write_pb(tmp_path / "x.pb", word, SHAPE, cells)
        for mode in oracle.MODES:
            succeed(
                "pad",
                "--lenient",
                f"--spec=onnx-{version}",
                f"--mode={mode}",
                f"--pads={numbers(PADS)}",
                tmp_path / "x.pb",
                tmp_path / "y.pb",
                "-f",
            )
            expected = oracle.onnx_pad(cells, SHAPE, PADS, mode, zero_of(word))
            assert harness.read_pb(tmp_path / "y.pb") == (word, expected[1], expected[0])


def test_lenient_is_not_careless(tmp_path):
    """What has no meaning stays an error."""
    harness.write_npy(tmp_path / "x.npy", "float", [2, 2], [1, 2, 3, 4])
    for options in (
        ["--pads=1,2,3"],
        ["--pads=-3,0,0,0"],
        ["--axes=2", "--pads=1,1"],
        ["--axes=-3", "--pads=1,1"],
    ):
        fail(3, "pad", "--spec=onnx", "--lenient", *options, tmp_path / "x.npy", tmp_path / "y.npy")
    fail(
        2,
        "pad",
        "--spec=onnx",
        "--lenient",
        "--mode=mean",
        "--pads=0,0,0,0",
        tmp_path / "x.npy",
        tmp_path / "y.npy",
    )
