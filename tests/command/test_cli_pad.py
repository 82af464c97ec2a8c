"""`tensorpad pad`: modes, lists, types, values, threads.  SPDX-License-Identifier: MIT

Expected arrays come from numpy.pad (2.1 or newer) or are written by hand; none comes from the
command.
"""

import os
import re
import subprocess

import numpy as np
import pytest
from command import COMMAND, DATA, DOCUMENT, on_terminal, pairs, same
from onnx_models import ints, pad_node, port, save


@pytest.mark.parametrize("mode", DOCUMENT)
def test_the_documents_examples(folder, mode):
    pads, expected = DOCUMENT[mode]
    got = folder.padded(DATA, "--spec", "onnx-19", "--mode", mode, "--pads", pads)
    same(got, np.array(expected, np.float32))


@pytest.mark.parametrize("mode", ["constant", "edge", "reflect", "symmetric", "wrap"])
@pytest.mark.parametrize("pads", ["0,0,0,0", "1,2,3,4", "0,11,9,0"])
def test_plain_modes_as_numpy(folder, mode, pads):
    data = np.arange(12, dtype=np.int16).reshape(3, 4)
    got = folder.padded(data, "--spec", "plain", "--mode", mode, "--pads", pads)
    same(got, np.pad(data, pairs(pads), mode))


def test_default_is_constant_zero_under_the_newest_onnx(folder):
    same(folder.padded(DATA, "--pads", "1,0,0,1"), np.pad(DATA, [(1, 0), (0, 1)]))


@pytest.mark.parametrize(
    "words",
    [
        ["--begin", "-1,2", "--end", "0,-1", "in.npy", "out.npy"],
        ["--begin=-1,2", "--end=0,-1", "in.npy", "out.npy"],
        ["in.npy", "--begin", "-1,2", "out.npy", "--end", "0,-1"],
        ["in.npy", "out.npy", "--begin", "-1,+2", "--end", "-0,-1"],
        ["--pads", "-1,2,0,-1", "--", "in.npy", "out.npy"],
        ["--pads=-1,2,0,-1", "in.npy", "--", "out.npy"],
    ],
)
@pytest.mark.parametrize("environment", [{}, {"POSIXLY_CORRECT": "1"}])
def test_lists_and_places_of_options(folder, words, environment):
    folder.save("in.npy", DATA)
    folder.pad(*words, env={**os.environ, **environment})
    expected = np.array([[0, 0, 2.3], [0, 0, 4.5]], np.float32)
    same(folder.load("out.npy"), expected)


def test_a_missing_begin_or_end_is_zeros(folder):
    same(folder.padded(DATA, "--begin", "1,2"), np.pad(DATA, [(1, 0), (2, 0)]))
    same(folder.padded(DATA, "--end", "1,2"), np.pad(DATA, [(0, 1), (0, 2)]))


def test_names_that_look_like_options(folder):
    folder.save("-in.npy", DATA)
    folder.pad("--pads", "0,0,0,1", "--", "-in.npy", "--out.npy")
    same(folder.load("--out.npy"), np.pad(DATA, [(0, 0), (0, 1)]))


# ---- Axes, interior, order, several modes --------------------------------------------------------


def test_axes(folder):
    data = np.arange(24, dtype=np.int32).reshape(2, 3, 4)
    words = "--spec plain --axes -1,0 --begin 1,2 --end 3,0 --mode edge".split()
    same(folder.padded(data, *words), np.pad(data, [(2, 0), (0, 0), (1, 3)], "edge"))
    words = ["--spec", "plain", "--axes=", "--pads=", "--mode", "edge"]
    same(folder.padded(data, *words), data)


def test_interior(folder):
    data = np.array([[1, 2, 3], [4, 5, 6]], np.uint8)
    words = ["--spec", "plain", "--interior", "1,2", "--begin", "1,0", "--end", "0,-1"]
    expected = [[9, 9, 9, 9, 9, 9], [1, 9, 9, 2, 9, 9], [9, 9, 9, 9, 9, 9], [4, 9, 9, 5, 9, 9]]
    same(folder.padded(data, *words, "--value", "9"), np.array(expected, np.uint8))
    got = folder.padded(data, "--spec", "plain", "--interior", "0,1")
    same(got, np.array([[1, 0, 2, 0, 3], [4, 0, 5, 0, 6]], np.uint8))
    got = folder.padded(data, "--spec", "plain", "--interior", "1", "--axes", "-2")
    same(got, np.array([[1, 2, 3], [0, 0, 0], [4, 5, 6]], np.uint8))
    assert "3 entries" in folder.refused(data, "--spec", "plain", "--interior", "1,1,1")
    folder.refused(data, "--spec", "plain", "--interior=-1,0")


def test_order(folder):
    data = np.array([1, 2, 3, 4], np.int64)
    words = ["--spec", "plain", "--mode", "reflect", "--begin", "-1", "--end", "3"]
    window, crop = [2, 3, 4, 3, 2, 1], [2, 3, 4, 3, 2, 3]
    same(folder.padded(data, *words), window)
    same(folder.padded(data, *words, "--order", "window"), window)
    same(folder.padded(data, *words, "--order", "crop"), crop)
    same(folder.padded(data, "--spec", "onnx", *words[2:]), crop)


def test_a_mode_per_axis(folder):
    data = np.arange(6, dtype=np.int16).reshape(2, 3)
    words = ["--spec", "plain", "--mode", "wrap,edge", "--pads", "3,1,0,2"]
    expected = np.pad(np.pad(data, [(3, 0), (0, 0)], "wrap"), [(0, 0), (1, 2)], "edge")
    same(folder.padded(data, *words), expected)
    words = ["--spec", "plain", "--mode", "edge,wrap", "--pads", "1,3,2,0", "--axes", "1,0"]
    same(folder.padded(data, *words), expected)
    words = ["--spec", "plain", "--mode", "edge,wrap,edge", "--pads", "1,3,2,0"]
    assert "3 entries" in folder.refused(data, *words)


def test_mli_may_be_told_its_zero(folder):
    data = np.arange(-70, -6, dtype=np.int8).reshape(2, 4, 8)
    words = ["--spec", "mli-chw", "--mode", "constant", "--value", "0", "--begin", "1,0"]
    same(folder.padded(data, *words), np.pad(data, [(0, 0), (1, 0), (0, 0)]))


# ---- Types and values ----------------------------------------------------------------------------


TYPES = "u1 u2 u4 u8 i1 i2 i4 i8 f2 f4 f8 c8 c16 ?".split()


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("kind", TYPES)
def test_types_byte_orders_and_values(folder, kind, order):
    dtype = np.dtype(kind if kind == "?" else order + kind)
    data = (np.arange(6).reshape(2, 3) % (2 if kind == "?" else 6)).astype(dtype)
    expected = np.pad(data, [(1, 0), (0, 2)], constant_values=1)
    for spec in ("onnx", "plain"):
        got = folder.padded(data, "--spec", spec, "--pads", "1,0,0,2", "--value", "1")
        same(got, expected)
        got = folder.padded(data, "--spec", spec, "--pads", "1,0,0,2", "--mode", "reflect")
        same(got, np.pad(data, [(1, 0), (0, 2)], "reflect"))


@pytest.mark.parametrize("opset", [1, 2])
@pytest.mark.parametrize("dtype", ["<f2", ">f2", "<f4", ">f4", "<f8", ">f8"])
def test_the_float_attribute_of_versions_1_and_2(folder, opset, dtype):
    data = np.ones((2,), dtype)
    got = folder.padded(data, "--spec", f"onnx-{opset}", "--pads", "1,0", "--value", "0.1")
    same(got, np.array([np.float32(0.1), 1, 1]).astype(dtype))


@pytest.mark.parametrize(
    "dtype,text,expected",
    [
        ("<f4", "1.5", 1.5),
        ("<f4", "-1e-3", np.float32(-1e-3)),
        ("<f4", "inf", np.inf),
        ("<f8", "-inf", -np.inf),
        ("<f8", "0x1p-3", 0.125),
        ("<f8", "-0.0", -0.0),
        ("<i8", "-9223372036854775808", -(2**63)),
        ("<u8", "18446744073709551615", 2**64 - 1),
        ("<i1", "-7", -7),
        ("?", "true", True),
        ("?", "0", False),
        ("<c8", "1.5-2j", 1.5 - 2j),
    ],
)
def test_values(folder, dtype, text, expected):
    got = folder.padded(np.zeros(1, dtype), "--pads", "1,0", "--value", text)
    same(got, np.array([expected, 0], dtype))
    got = folder.padded(np.zeros(1, dtype), "--pads", "1,0", f"--value={text}")
    same(got, np.array([expected, 0], dtype))


def test_a_nan_value(folder):
    got = folder.padded(np.zeros(1, "<f2"), "--pads", "1,0", "--value", "nan")
    assert np.isnan(got[0]) and got[1] == 0


@pytest.mark.parametrize(
    "dtype,text",
    [
        ("<u1", "256"),
        ("<u1", "-1"),
        ("<i4", "1.5"),
        ("<i8", "9223372036854775808"),
        ("<f4", "abc"),
        ("<f4", ""),
        ("<f4", "1 2"),
        ("?", "2"),
        ("<f4", "1j"),
    ],
)
def test_values_that_do_not_fit_are_status_3(folder, dtype, text):
    error = folder.refused(np.zeros(1, dtype), "--pads", "1,0", "--value", text)
    assert "in.npy" in error and "--value" in error and text in error


@pytest.mark.parametrize("raw", ["V2", "<u2"])
def test_dtype_names_what_the_file_cannot(folder, raw):
    # bfloat16: 1.0 is 0x3F80, -2.0 is 0xC000.
    data = np.array([0x3F80], "<u2").view(raw)
    words = ["--dtype", "bf16", "--pads", "1,0", "--value", "-2"]
    got = folder.padded(data, *words)
    assert got.view("<u2").tolist() == [0xC000, 0x3F80]
    assert "bfloat16" in folder.refused(data, "--spec", "onnx-11", *words)
    assert folder.padded(data, "--spec", "onnx-13", *words).view("<u2").tolist() == [0xC000, 0x3F80]


def test_dtype_of_another_width_is_status_3(folder):
    folder.refused(np.zeros(2, "<u1"), "--dtype", "bf16", "--pads", "1,0")


PLAIN_ONLY = [
    np.array(["2020-01-01", "2021-02-03"], "<M8[D]"),
    np.array([5, 7], ">m8[ns]"),
    np.array([(1, 2.5), (3, 4.5)], [("a", "<i2"), ("b", ">f8")]),
    np.array([([1, 2, 3],), ([4, 5, 6],)], [("pixel", "u1", (3,))]),
    np.array(["ab", "cde"], "<U3"),
    np.array([b"ab", b"cde"], "S3"),
    np.array([b"\1\2\3", b"\4\5\6"], "V3"),
]


@pytest.mark.parametrize("data", PLAIN_ONLY, ids=lambda a: str(a.dtype))
@pytest.mark.parametrize("mode", ["constant", "edge", "reflect", "symmetric", "wrap"])
def test_plain_takes_every_kind(folder, data, mode):
    got = folder.padded(data, "--spec", "plain", "--mode", mode, "--pads", "1,3")
    index = {
        "edge": [0, 0, 1, 1, 1, 1],
        "reflect": [1, 0, 1, 0, 1, 0],
        "symmetric": [0, 0, 1, 1, 0, 0],
        "wrap": [1, 0, 1, 0, 1, 0],
        "constant": [2, 0, 1, 2, 2, 2],
    }[mode]
    cells = [data[0:1].tobytes(), data[1:2].tobytes(), bytes(data.itemsize)]
    assert got.dtype == data.dtype
    assert got.tobytes() == b"".join(cells[i] for i in index)
    folder.fail(3, *"pad --spec onnx --pads 1,3 in.npy new.npy".split(), says="--spec plain")


def test_fortran_order(folder):
    data = np.asfortranarray(np.arange(24, dtype=">i4").reshape(2, 3, 4))
    for spec in (["onnx"], ["plain", "--order", "crop"]):
        words = ["--pads", "1,0,2,-1,5,0", "--mode", "reflect"]
        got = folder.padded(data, "--spec", *spec, *words)
        expected = np.pad(data[:1], [(1, 0), (0, 5), (2, 0)], "reflect")
        same(np.ascontiguousarray(got), np.ascontiguousarray(expected))


@pytest.mark.parametrize("mode", ["constant", "edge", "reflect"])
def test_rank_0(folder, mode):
    data = np.array(2.5, np.float32)
    same(folder.padded(data, "--spec", "plain", "--mode", mode, "--pads="), data)
    folder.refused(data, "--spec", "plain", "--mode", mode, "--pads", "1,1")


def test_rank_16(folder):
    data = np.arange(4, dtype=np.int8).reshape([1] * 14 + [2, 2])
    pads = ",".join(["0"] * 15 + ["1"] + ["0"] * 15 + ["1"])
    same(folder.padded(data, "--pads", pads), np.pad(data, [(0, 0)] * 15 + [(1, 1)]))


def test_empty_arrays(folder):
    data = np.zeros((0, 2), np.float32)
    same(folder.padded(data, "--pads", "1,0,1,0", "--value", "3"), np.full((2, 2), 3, np.float32))
    same(folder.padded(data, "--pads", "0,1,0,1", "--mode", "edge"), np.zeros((0, 4), np.float32))
    assert "axis 0" in folder.refused(data, "--pads", "1,0,1,0", "--mode", "edge")
    same(folder.padded(DATA, "--pads", "0,0,-3,0"), np.zeros((0, 2), np.float32))


@pytest.mark.parametrize(
    "words, each", [(["--pads", "20,20,20,20"], "two"), (["--begin", "20,20"], "one")]
)
def test_pads_of_a_photograph_without_its_channels(folder, words, each):
    """The message names the axes of a .png, and the words that leave its channels alone."""
    folder.save("in.npy", np.zeros((4, 5, 3), np.uint8))
    folder.pad("--pads", "0,0,0,0,0,0", "in.npy", "photo.png")
    error = folder.fail(3, "pad", *words, "photo.png", "out.png").error.strip()
    assert error.endswith(
        f"{each} for each of height, width and channels; --axes 0,1 leaves the channels alone"
    )
    folder.pad(*words, "--axes", "0,1", "photo.png", "out.png")
    assert "photo.png" in error and "are needed" in error
    assert "channels" not in folder.refused(np.zeros((4, 5, 3), np.uint8), *words)


# ---- Threads --------------------------------------------------------------------------------------


VERSION = subprocess.run([COMMAND, "--version"], capture_output=True, text=True).stdout
needs_threads = pytest.mark.skipif("threads: none" in VERSION, reason="built without threads")

# Large enough to be cut: 12 MB.
LARGE = np.arange(3_000_000, dtype=np.float32).reshape(3000, 1000)
LARGE_PADDED = np.pad(LARGE, [(2, 1), (3, 5)], "reflect")
WORDS = ["--mode", "reflect", "--pads", "2,3,1,5"]


def test_the_version_says_what_was_built_in():
    assert re.search(r"^threads: (pthreads|none)$", VERSION, re.M)


@pytest.mark.parametrize("threads", [[]] + [["--threads", n] for n in ("1", "2", "3", "7", "1024")])
@needs_threads
def test_pad_gives_the_same_on_any_number_of_threads(folder, threads):
    same(folder.padded(LARGE, *threads, *WORDS), LARGE_PADDED)
    same(folder.padded(DATA, *threads, "--pads", "1,0,0,1"), np.pad(DATA, [(1, 0), (0, 1)]))


@pytest.mark.parametrize("threads", [[]] + [["--threads", n] for n in ("1", "2", "3", "7")])
@needs_threads
def test_run_gives_the_same_on_any_number_of_threads(folder, threads):
    pad = pad_node(["x", "p"], "y", mode="reflect")
    ports = [port("x", ["h", "w"])], [port("y", ["a", "b"])]
    save(folder, [pad], *ports, [ints("p", [2, 3, 1, 5])])
    folder.save("x.npy", LARGE)
    folder.run("run", *threads, "m.onnx", "--input", "x.npy", "--output", "y.npy")
    same(folder.load("y.npy"), LARGE_PADDED)


@needs_threads
def test_the_last_number_counts(folder):
    same(folder.padded(LARGE, "--threads", "3", "--threads", "2", *WORDS), LARGE_PADDED)
    error = folder.refused(LARGE, "--threads", "3", "--threads", "0", *WORDS, status=2)
    assert "'0'" in error


@needs_threads
def test_an_output_through_a_pipe(folder):
    folder.save("in.npy", LARGE)
    done = folder.pad("--threads", "2", *WORDS, "in.npy", "-")
    (folder / "got.npy").write_bytes(done.stdout)
    same(folder.load("got.npy"), LARGE_PADDED)


@needs_threads
def test_on_a_terminal(folder):
    """There the work goes through the runner that shows how far it is."""
    big = np.tile(LARGE, (2, 1))
    folder.save("in.npy", big)
    status, shown = on_terminal(folder, "pad", "--threads", "2", *WORDS, "in.npy", "out.npy")
    assert status == 0 and "out.npy" in shown
    same(folder.load("out.npy"), np.pad(big, [(2, 1), (3, 5)], "reflect"))
