"""`tensorpad pad --spec mli-chw` and `mli-hwc`.  SPDX-License-Identifier: MIT

Expected arrays come from numpy.pad.
"""

import numpy as np
import pytest
from command import same

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


def test_other_memory_orders(folder):
    data = np.asfortranarray(IMAGE)
    got = folder.padded(data, "--spec", "mli-hwc", "--end", "1,1")
    same(got, np.pad(IMAGE, [(0, 1), (0, 1), (0, 0)]))


def test_zero_may_be_said(folder):
    words = ["--spec", "mli-chw", "--mode", "constant", "--value", "0", "--begin", "1,0"]
    same(folder.padded(IMAGE, *words), np.pad(IMAGE, [(0, 0), (1, 0), (0, 0)]))


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
