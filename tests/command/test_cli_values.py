"""`tensorpad pad --value` as a list, and `--border`.  SPDX-License-Identifier: MIT

Expected arrays: where numpy.pad, asked to pad True with False, leaves False, the broadcast values stand.
"""

import random

import numpy as np
import onnx
import pytest
from command import same

PHOTO = np.arange(1, 5 * 7 * 3 + 1, dtype=np.uint8).reshape(5, 7, 3)


def filled(array, pads, values, axis, modes=None):
    """numpy.pad, axis by axis, with a value for each cell of an axis of the output. modes: of each axis."""
    kept = np.ones(array.shape, bool)
    for i, pair in enumerate(pads):
        each = [pair if i == k else (0, 0) for k in range(array.ndim)]
        mode = modes[i] if modes else "constant"
        array, kept = np.pad(array, each, mode), np.pad(kept, each, mode)
    shape = [1] * array.ndim
    shape[axis] = len(values)
    return np.where(kept, array, np.array(values, array.dtype).reshape(shape)).astype(array.dtype)


def pads_words(pads):
    return ["--pads", ",".join(str(pair[side]) for side in (0, 1) for pair in pads)]


@pytest.mark.parametrize("kind", ["u1", "<i2", ">i2", "<f4", ">f8", "<u8", "<f2", ">u4"])
def test_each_axis_and_type(folder, kind):
    rng = random.Random(f"values {kind}")
    for rank in (1, 2, 3, 4):
        shape = [rng.randint(1, 4) for _ in range(rank)]
        data = np.array([rng.randint(0, 99) for _ in range(int(np.prod(shape)))], kind).reshape(
            shape
        )
        pads = [(rng.randint(0, 3), rng.randint(0, 3)) for _ in range(rank)]
        for axis in range(-rank, rank):
            values = [rng.randint(0, 99) for _ in range(shape[axis] + sum(pads[axis]))]
            got = folder.padded(
                data,
                *pads_words(pads),
                "--value-axis",
                str(axis),
                "--value",
                ",".join(map(str, values)),
            )
            same(got, filled(data, pads, values, axis % rank))


def test_other_modes_keep_their_axes(folder):
    data = np.arange(12, dtype=np.int32).reshape(3, 4)
    pads, values = [(1, 2), (2, 3)], list(range(100, 109))
    got = folder.padded(
        data,
        *pads_words(pads),
        *"--mode wrap,constant --value-axis 1 --value".split(),
        ",".join(map(str, values)),
    )
    same(got, filled(data, pads, values, 1, ["wrap", "constant"]))


def test_interior_crops_and_sizes(folder):
    data = np.array([[1, 2, 3], [4, 5, 6]], np.int8)
    got = folder.padded(data, "--interior", "0,1", "--value", "7,8,9,10,11", "--value-axis", "1")
    same(got, np.array([[1, 8, 2, 10, 3], [4, 8, 5, 10, 6]], np.int8))
    got = folder.padded(data, "--pads=-1,1,1,0", "--value", "7,8,9,10", "--value-axis", "1")
    same(got, np.array([[7, 4, 5, 6], [7, 8, 9, 10]], np.int8))
    got = folder.padded(data, *"--to 4,3 --align end --value 9,8,7,6 --value-axis 0".split())
    same(got, np.array([[9] * 3, [8] * 3, [1, 2, 3], [4, 5, 6]], np.int8))


def test_values_are_written_as_a_single_one_is(folder):
    got = folder.padded(
        np.zeros((1, 3), "<f4"), *"--pads 1,0,0,0 --value nan,-inf,0x1p-3 --value-axis 1".split()
    )
    same(got[0], np.array([np.nan, -np.inf, 0.125], "<f4"))
    got = folder.padded(
        np.zeros((1, 2), "<c8"), *"--pads 1,0,0,0 --value 1.5-2j,3 --value-axis 1".split()
    )
    same(got[0], np.array([1.5 - 2j, 3], "<c8"))
    got = folder.padded(
        np.zeros((1, 2), bool), *"--pads 1,0,0,0 --value true,false --value-axis 1".split()
    )
    same(got[0], np.array([True, False]))


def test_large_outputs_of_any_threads(folder):
    data = np.random.default_rng(1).integers(0, 255, (3, 900, 1000), np.uint8)
    for threads in ("1", "3"):
        words = [
            "--threads",
            threads,
            *"--pads 0,20,20,0,20,20 --value 124,116,104 --value-axis 0".split(),
        ]
        same(
            folder.padded(data, *words),
            filled(data, [(0, 0), (20, 20), (20, 20)], [124, 116, 104], 0),
        )


@pytest.fixture
def photo(folder):
    """photo.png, and with alpha rgba.png, grey.png of one channel."""
    rgba = np.concatenate([PHOTO, PHOTO[..., :1]], 2)
    for name, array in (("photo", PHOTO), ("rgba", rgba), ("grey", PHOTO[..., :1])):
        folder.save("a.npy", array)
        folder.pad("--border", "0", "a.npy", f"{name}.png")
    return folder


def pixels(folder, *words):
    folder.pad("-f", *words, "out.png")
    folder.pad("-f", "--border", "0", "out.png", "pixels.npy")
    return folder.load("pixels.npy")


def test_a_picture_knows_its_channels(photo):
    around = [(2, 2), (2, 2), (0, 0)]
    red = filled(PHOTO, around, [255, 0, 0], 2)
    same(pixels(photo, "--border", "2", "--value", "255,0,0", "photo.png"), red)
    same(
        pixels(photo, "--pads", "2,2,2,2", "--axes", "0,1", "--value", "255,0,0", "photo.png"), red
    )
    same(
        pixels(photo, "--border", "2", "--value", "255,0,0", "--value-axis", "2", "photo.png"), red
    )
    same(pixels(photo, "--to", "9,11", "--axes", "0,1", "--value", "255,0,0", "photo.png"), red)
    same(
        pixels(photo, "--border", "2", "--value", "9", "grey.png"),
        filled(PHOTO[..., :1], around, [9], 2),
    )
    rows = list(range(30, 39))
    same(
        pixels(
            photo,
            "--border",
            "2",
            "--value",
            ",".join(map(str, rows)),
            "--value-axis",
            "0",
            "photo.png",
        ),
        filled(PHOTO, around, rows, 0),
    )


def test_a_picture_with_alpha_wants_four_values(photo):
    error = photo.fail(3, "pad", "--border", "2", "--value", "255,0,0", "rgba.png", "o.png").error
    assert "--value has 3 entries, but axis 2 of the output has 4 cells" in error
    got = pixels(photo, "--border", "2", "--value", "255,0,0,9", "rgba.png")
    assert got[0, 0].tolist() == [255, 0, 0, 9]


def test_many_pictures(photo):
    photo.pad("-q", "--border", "2", "--value", "1,2,3", "photo.png", "--out-dir", "o.png.npy")
    photo.pad("--border", "0", "o.png.npy/photo.png", "pixels.npy")
    same(photo.load("pixels.npy"), filled(PHOTO, [(2, 2), (2, 2), (0, 0)], [1, 2, 3], 2))


def test_borders(folder, photo):
    data = np.arange(6, dtype=np.int16).reshape(2, 3)
    same(folder.padded(data, "--border", "2"), np.pad(data, 2))
    same(folder.padded(data, "--border", "1,2"), np.pad(data, [(1, 1), (2, 2)]))
    same(
        folder.padded(data, "--border", "1", "--axes=-1", "--mode", "symmetric"),
        np.pad(data, [(0, 0), (1, 1)], "symmetric"),
    )
    same(folder.padded(np.arange(5), "--border=-1"), np.arange(1, 4))
    got = folder.padded(data, "--border", "1", "--interior", "0,1", "--mode", "edge,constant")
    same(got[0], np.int16([0, 0, 0, 1, 0, 2, 0]))
    same(folder.padded(np.array(5, "u1"), "--border", "3"), np.array(5, "u1"))
    same(
        pixels(photo, "--border", "1", "--mode", "reflect", "photo.png"),
        np.pad(PHOTO, [(1, 1), (1, 1), (0, 0)], "reflect"),
    )
    same(
        pixels(photo, "--border", "1,2", "--mode", "reflect,edge", "photo.png"),
        np.pad(
            np.pad(PHOTO, [(1, 1), (0, 0), (0, 0)], "reflect"), [(0, 0), (2, 2), (0, 0)], "edge"
        ),
    )


def test_texts(folder):
    """Without --value-axis a comma belongs to the text."""
    words = ["--spec", "plain", "--pads", "1,0", "--value", "a,b"]
    assert folder.padded(np.array(["x"], "U3"), *words).tolist() == ["a,b", "x"]
    assert folder.padded(np.array(["x"], "U3"), *words, "--value-axis", "0").tolist() == ["a", "x"]
    tensor = onnx.helper.make_tensor("t", onnx.TensorProto.STRING, [1], ["x"])
    (folder / "t.pb").write_bytes(tensor.SerializeToString())
    error = folder.fail(3, "pad", *words, "--value-axis", "0", "t.pb", "o.pb").error
    assert "--value is one value for strings and for elements of less than a byte" in error
