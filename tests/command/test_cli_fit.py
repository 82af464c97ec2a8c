"""`tensorpad pad` to a size.  SPDX-License-Identifier: MIT

Expected arrays come from `fitted`, which looks for the extents one by one and uses numpy.pad and
slices; none comes from the command.
"""

import io
import itertools

import numpy as np
import pytest
from command import DATA, json_error, npy_bytes, same

GREY = np.arange(1, 7 * 10 + 1, dtype=np.uint8).reshape(7, 10)
PICTURE = np.arange(1, 7 * 10 * 3 + 1, dtype=np.uint8).reshape(7, 10, 3)


def fitted(array, wishes, mode="constant", value=0):
    """requests: for each axis (target or None, multiple, align, too_long)."""
    for axis, (target, multiple, align, too_long) in enumerate(wishes):
        have = array.shape[axis]
        extent = have if target is None else target
        while extent % multiple:
            extent += 1
        extra = have - extent
        if extra > 0:
            # The centre stays; an odd cell is cut off after it.
            first = {"crop_end": 0, "crop_start": extra, "crop_center": extra // 2}[too_long]
            array = np.take(array, range(first, first + extent), axis)
            continue
        front = {"start": 0, "end": -extra, "center": -extra // 2}[align]
        pads = [(0, 0)] * array.ndim
        pads[axis] = (front, -extra - front)
        more = {"constant_values": value} if mode == "constant" else {}
        array = np.pad(array, pads, mode, **more)
    return array


CENTER = ("center", "error")


def test_the_first_example(folder):
    """Without --spec, and the input in the middle."""
    data = np.arange(500 * 481, dtype=np.float32).reshape(500, 481)
    got = folder.padded(data, "--to", "512,512", "--multiple", "32", "--align", "center")
    same(got, np.pad(data, [(6, 6), (15, 16)]))
    got = folder.padded(data, "--to", "512,512")
    same(got, np.pad(data, [(6, 6), (15, 16)]))


@pytest.mark.parametrize("align", ["start", "center", "end"])
@pytest.mark.parametrize(
    "to,multiple", [("12", 1), ("12", 8), ("11", 4), (None, 4), (None, 7), ("10", 10)]
)
def test_sizes_and_multiples(folder, to, multiple, align):
    words = ["--align", align]
    if to:
        words += ["--to", to]
    if multiple > 1 or not to:
        words += ["--multiple", str(multiple)]
    got = folder.padded(GREY, "--spec", "plain", *words)
    same(got, fitted(GREY, [(to and int(to), multiple, align, "error")] * 2))


@pytest.mark.parametrize("too_long", ["crop_end", "crop_start", "crop_center"])
@pytest.mark.parametrize("to", ["4,4", "5,5", "9,5", "4,13", "0,3"])
def test_what_is_too_long(folder, to, too_long):
    wishes = [(int(word), 1, "center", too_long) for word in to.split(",")]
    same(folder.padded(GREY, "--to", to, "--too-long", too_long), fitted(GREY, wishes))


def test_what_is_too_long_may_stay(folder):
    got = folder.padded(GREY, "--to", "4,13", "--multiple", "1,7", "--too-long", "keep")
    same(got, fitted(GREY, [(None, 1, "center", "keep"), (14, 1, "center", "keep")]))


def test_what_is_too_long_is_an_error_that_names_the_axis(folder):
    for words in ([], ["--too-long", "error"]):
        error = folder.refused(GREY, "--to", "20,9", *words)
        assert "in.npy: axis 1" in error and "10 cells" in error and "into 9" in error
    done = folder.fail(3, "pad", "--json", "--to", "20,9", "in.npy", "o.npy")
    error = json_error(done)
    assert (error["code"], error["file"]) == ("E_TOO_LONG", "in.npy")
    assert (error["axis"], error["got"], error["limit"]) == (1, 10, 9)


def test_one_entry_for_each_axis(folder):
    got = folder.padded(
        GREY, *"--to 9,4 --multiple 2,3 --align start,end --too-long error,crop_start".split()
    )
    same(got, fitted(GREY, [(9, 2, "start", "error"), (4, 3, "end", "crop_start")]))
    same(got, np.pad(GREY[:, 4:], [(0, 3), (0, 0)]))


@pytest.mark.parametrize(
    "to,wanted",
    [
        ("12,-", (12, None)),
        ("-,12", (None, 12)),
        ("-,-", (None, None)),
        ("-", (None, None)),
        ("0012,+12", (12, 12)),
    ],
)
def test_a_dash_leaves_an_axis(folder, to, wanted):
    same(folder.padded(GREY, "--to", to), fitted(GREY, [(target, 1, *CENTER) for target in wanted]))
    got = folder.padded(GREY, f"--to={to}", "--multiple", "8")
    same(got, fitted(GREY, [(target, 8, *CENTER) for target in wanted]))


def test_axes(folder):
    none = (None, 1, *CENTER)
    got = folder.padded(PICTURE, "--to", "16,12", "--axes", "0,1")
    same(got, fitted(PICTURE, [(16, 1, *CENTER), (12, 1, *CENTER), none]))
    got = folder.padded(PICTURE, "--to", "12,16", "--multiple", "1,5", "--axes", "-2,0")
    same(got, fitted(PICTURE, [(16, 5, *CENTER), (12, 1, *CENTER), none]))
    got = folder.padded(PICTURE, "--multiple", "4", "--axes", "0,1")
    same(got, fitted(PICTURE, [(None, 4, *CENTER), (None, 4, *CENTER), none]))
    same(folder.padded(PICTURE, "--to", "99", "--axes="), PICTURE)


def test_square(folder):
    same(folder.padded(GREY, "--square", "0,1"), np.pad(GREY, [(1, 2), (0, 0)]))
    same(folder.padded(GREY, "--square", "-1,0", "--multiple", "8"), np.pad(GREY, [(4, 5), (3, 3)]))
    words = ["--square", "0,1", "--axes", "0,1", "--to", "14,-", "--align", "end"]
    got = folder.padded(PICTURE, *words)
    same(got, np.pad(PICTURE, [(7, 0), (4, 0), (0, 0)]))


@pytest.mark.parametrize("mode", ["edge", "reflect", "symmetric", "wrap"])
def test_modes(folder, mode):
    same(folder.padded(GREY, "--to", "13,16", "--mode", mode), np.pad(GREY, [(3, 3), (3, 3)], mode))
    got = folder.padded(GREY, "--to", "13,16", "--mode", f"constant,{mode}", "--value", "9")
    expected = np.pad(np.pad(GREY, [(0, 0), (3, 3)], mode), [(3, 3), (0, 0)], constant_values=9)
    same(got, expected)


def test_all_small_sizes(folder):
    """Every target and alignment of a small array in one shape of 6 axes."""
    data = np.arange(36, dtype=np.int16).reshape(1, 2, 3, 1, 2, 3)
    aligns = ["start", "center", "end"]
    crops = ["crop_end", "crop_start", "crop_center"]
    for turn, (align, crop) in enumerate(itertools.product(aligns, crops)):
        to = [(turn + k) % 5 for k in range(6)]
        words = ["--to", ",".join(map(str, to)), "--align", align, "--too-long", crop]
        expected = fitted(data, [(target, 1, align, crop) for target in to], value=7)
        same(folder.padded(data, *words, "--value", "7"), expected)


def test_rank_0_and_empty_arrays(folder):
    data = np.array(2.5, np.float32)
    same(folder.padded(data, "--to", "512"), data)
    same(folder.padded(data, "--to="), data)
    data = np.zeros((0, 2), np.float32)
    same(folder.padded(data, "--to", "3,2", "--value", "1"), np.ones((3, 2), np.float32))
    assert "axis 0" in folder.refused(data, "--to", "3,2", "--mode", "edge")


def test_pictures(folder):
    folder.save("in.npy", PICTURE)
    folder.pad("--to", "16", "--axes", "0,1", "in.npy", "out.png")
    folder.pad("--to", "16,16,-", "out.png", "out.npy")
    same(folder.load("out.npy"), np.pad(PICTURE, [(4, 5), (3, 3), (0, 0)]))


def test_through_a_pipe(folder):
    done = folder.pad("--to", "4,4", "-", "-", stdin=npy_bytes(DATA))
    same(np.load(io.BytesIO(done.stdout)), np.pad(DATA, [(0, 1), (1, 1)]))
