"""`tensorpad pad --spec mli-chw` and `mli-hwc`.  SPDX-License-Identifier: MIT

Expected arrays come from numpy.pad.
"""

import itertools

import numpy as np
import pytest
from command import json_error, same

IMAGE = np.arange(-70, -6, dtype=np.int8).reshape(2, 4, 8)
TYPES = [np.int8, np.int16, np.dtype(">i2")]


def width(layout, top, bottom, left, right):
    rows, columns = (top, bottom), (left, right)
    return [(0, 0), rows, columns] if layout == "chw" else [rows, columns, (0, 0)]


def test_the_documents_example(folder):
    got = folder.padded(IMAGE, "--spec", "mli-chw", "--begin", "2,0", "--end", "0,1")
    assert got.shape == (2, 6, 9)
    assert not got[:, :2].any() and not got[:, :, 8].any()
    same(got, np.pad(IMAGE, [(0, 0), (2, 0), (0, 1)]))


@pytest.mark.parametrize("layout", ["chw", "hwc"])
@pytest.mark.parametrize("type", TYPES, ids=str)
@pytest.mark.parametrize(
    "amounts", [(0, 0, 0, 0), (1, 2, 3, 4), (255, 0, 0, 255), (0, 255, 254, 1)]
)
def test_as_numpy(folder, layout, type, amounts):
    data = (np.arange(3 * 4 * 5) * 517).astype(type).reshape(3, 4, 5)
    top, bottom, left, right = amounts
    expected = np.pad(data, width(layout, *amounts))
    words = ["--spec", f"mli-{layout}"]
    two = ["--begin", f"{top},{left}", "--end", f"{bottom},{right}"]
    same(folder.padded(data, *words, *two), expected)
    # The same with an entry for each axis.
    each = (lambda h, w: f"0,{h},{w}") if layout == "chw" else (lambda h, w: f"{h},{w},0")
    three = ["--begin", each(top, left), "--end", each(bottom, right)]
    same(folder.padded(data, *words, *three), expected)


def test_random_images(folder):
    random = np.random.default_rng(7)
    for _, layout in itertools.product(range(10), ["chw", "hwc"]):
        data = random.integers(-128, 127, random.integers(1, 9, 3), np.int8)
        amounts = [int(n) for n in random.integers(0, 256, 4)]
        top, bottom, left, right = amounts
        two = ["--begin", f"{top},{left}", "--end", f"{bottom},{right}"]
        got = folder.padded(data, "--spec", f"mli-{layout}", *two)
        same(got, np.pad(data, width(layout, *amounts)))


def test_other_memory_orders(folder):
    data = np.asfortranarray(IMAGE)
    got = folder.padded(data, "--spec", "mli-hwc", "--end", "1,1")
    same(got, np.pad(IMAGE, [(0, 1), (0, 1), (0, 0)]))


def test_zero_may_be_said(folder):
    words = ["--spec", "mli-chw", "--mode", "constant", "--value", "0", "--begin", "1,0"]
    same(folder.padded(IMAGE, *words), np.pad(IMAGE, [(0, 0), (1, 0), (0, 0)]))


@pytest.mark.parametrize("layout", ["chw", "hwc"])
@pytest.mark.parametrize(
    "words, code, parts",
    [
        (["--begin", "256,0"], "E_AMOUNT", ["256", "255", "(before 256, after 0)", "several"]),
        (["--end", "0,300"], "E_AMOUNT", ["300", "255", "(before 0, after 300)"]),
        (["--begin", "0,-1"], "E_AMOUNT", ["-1", "(before -1, after 0)", "does not crop"]),
        (["--begin", "1"], "E_SPEC_PADS", ["1 entries", "height, width", "one for each axis"]),
        (["--begin", "1,1,1,1"], "E_SPEC_PADS", ["4 entries"]),
        (["--begin", "1,1", "--end", "1,1,0"], "E_SPEC_PADS", ["2 entries", "3"]),
        (["--begin", "1,1,1"], "E_AMOUNT", ["channels", "--spec plain"]),
        (["--end", "0,0,0", "--begin", "7,7,7"], "E_AMOUNT", ["(before 7, after 0)"]),
        (["--begin", "1,1", "--mode", "edge"], "E_SPEC_MODE", ["'edge'", "zeros only", "plain"]),
        (["--begin", "1,1", "--mode", "reflect"], "E_SPEC_MODE", ["'reflect'"]),
        (["--begin", "1,1", "--value", "3"], "E_SPEC_VALUE", ["value 3", "zeros only"]),
        (["--begin", "1,1", "--value", "300"], "E_TEXT", ["--value", "300"]),
    ],
)
def test_refused_words(folder, layout, words, code, parts):
    folder.save("in.npy", IMAGE)
    all_words = ["--spec", f"mli-{layout}", *words, "in.npy", "out.npy"]
    folder.fail(3, "pad", *all_words, says=["in.npy", *parts])
    assert json_error(folder.fail(3, "pad", "--json", *all_words))["code"] == code


def test_the_axis_is_named(folder):
    assert "axis 1: amount 256" in folder.refused(IMAGE, "--spec", "mli-chw", "--begin", "256,0")
    assert "axis 0: amount 256" in folder.refused(IMAGE, "--spec", "mli-hwc", "--begin", "256,0")
    assert "axis 0: the channels" in folder.refused(IMAGE, "--spec", "mli-chw", "--begin", "1,0,0")
    assert "axis 2: the channels" in folder.refused(IMAGE, "--spec", "mli-hwc", "--end", "0,0,1")


@pytest.mark.parametrize(
    "type", ["uint8", "uint16", "int32", "int64", "float32", "bool", "S1", "M8[s]"]
)
def test_other_types(folder, type):
    data = np.zeros((2, 3, 4), type)
    error = folder.refused(data, "--spec", "mli-chw", "--begin", "1,1")
    assert "in.npy" in error and "fx8 (int8)" in error and "--spec plain" in error


@pytest.mark.parametrize("shape", [(), (4,), (4, 4), (1, 2, 4, 4)])
def test_other_ranks(folder, shape):
    error = folder.refused(np.zeros(shape, np.int8), "--spec", "mli-hwc", "--begin", "1,1")
    assert f"rank {len(shape)}" in error and "rank 3" in error


@pytest.mark.parametrize("axis", range(3))
def test_empty_tensors(folder, axis):
    shape = [2, 3, 4]
    shape[axis] = 0
    error = folder.refused(np.zeros(shape, np.int8), "--spec", "mli-chw", "--begin", "1,1")
    assert f"axis {axis}" in error and "no empty tensors" in error


@pytest.mark.parametrize(
    "words",
    [
        ["--pads", "1,1,1,1"],
        ["--begin", "1", "--axes", "1"],
        ["--begin", "1,1", "--interior", "1,1"],
        ["--begin", "1,1", "--order", "crop"],
        ["--begin", "1,1", "--lenient"],
        ["--begin", "1,1", "--mode", "constant,constant"],
    ],
)
def test_words_that_mli_does_not_have(folder, words):
    assert "MLI padding2d has no --" in folder.refused(IMAGE, "--spec", "mli-chw", *words, status=2)


@pytest.mark.parametrize("spec", ["mli", "mli-", "mli-chwc", "mli-chw-1", "mli-whc", "MLI-CHW"])
def test_other_layouts(folder, spec):
    assert "mli-chw" in folder.refused(IMAGE, "--spec", spec, "--begin", "1,1", status=2)
