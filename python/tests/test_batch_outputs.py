"""What tensorpad.pad_batch returns, for torch tensors too; unpad_batch; pad_batch_dict."""

import collections
import sys

import fake_torch
import numpy as np
import pytest
import tensorpad
from batch_oracle import same
from fake_torch import Tensor

# ---- Outputs -------------------------------------------------------------------------------------


def test_what_is_returned():
    items = [[1, 2], [3]]
    array, mask, lengths = tensorpad.pad_batch(items, mask=True, lengths=True)
    assert isinstance(tensorpad.pad_batch(items), np.ndarray)
    assert all(map(same, tensorpad.pad_batch(items, mask=True), (array, mask)))
    assert all(map(same, tensorpad.pad_batch(items, lengths=True), (array, lengths)))
    assert mask.dtype == bool and lengths.dtype == np.int64 and array.flags.c_contiguous
    assert tensorpad.pad_batch([np.ones((2, 3), order="F")]).flags.c_contiguous
    assert tensorpad.pad_batch([1, 2], lengths=True)[1].shape == (2, 0)


def test_mask_of_lists_follows_from_their_lengths():
    batch, mask, lengths = tensorpad.pad_batch([[[1, 2, 3], []], [[4]]], mask=True, lengths=True)
    assert np.array_equal(np.arange(batch.shape[2]) < lengths, mask)


def test_batches_without_cells_write_none():
    memory = np.full(50, 7)
    for items, shape in (
        ([[[1, 2]]], (0, 2)),
        ([[[1, 2]]], (2, 0)),
        ([[1, 2]], 0),
        ([np.ones((2, 2), int)], (0, 2)),
    ):
        sizes = shape if isinstance(shape, tuple) else (shape,)
        out = memory[20:20].reshape(1, *sizes)
        words = {"shape": shape, "too_long": "crop_end", "mask": True, "lengths": True}
        found = tensorpad.pad_batch(items, **words, out=out)
        assert found[0] is out and found[1].shape == out.shape and (memory == 7).all()


def test_lengths_of_lists_and_of_arrays_cannot_be_confused():
    """Two lists for each item, and two axes: the shapes tell them apart."""
    given = [[[1, 2], [3]], [[4], []]]
    of_lists, lengths = tensorpad.pad_batch(given, lengths=True)
    assert lengths.shape == (2, 2, 1)
    assert same(
        tensorpad.unpad_batch(of_lists, lengths),
        [[np.array(row, int) for row in item] for item in given],
    )
    of_arrays, extents = tensorpad.pad_batch([*of_lists], lengths=True)
    assert extents.shape == (2, 2) and same(of_arrays, of_lists)
    assert same(tensorpad.unpad_batch(of_arrays, extents), [*of_lists])


def test_unpad_batch_gives_views():
    batch = np.arange(12).reshape(2, 2, 3)
    for one in tensorpad.unpad_batch(batch, [[1, 2], [2, 3]], align="end"):
        assert np.shares_memory(one, batch)
    found = tensorpad.unpad_batch(batch, np.array([[1, 2], [2, 2]], "u1"), align=["end", 1])
    assert [one.tolist() for one in found[:1]] == [[[4, 5]]]
    assert same(
        tensorpad.unpad_batch(batch, [[1, 2]] * 2, align={-1: "end"}),
        [batch[0, :1, 1:], batch[1, :1, 1:]],
    )


# ---- torch ---------------------------------------------------------------------------------------


class Dtype:
    def __init__(self, name):
        self.numpy = np.dtype(name)


@pytest.fixture
def torch(monkeypatch):
    dtypes = {name: Dtype(name) for name in ("int32", "int64", "float32", "float64")}

    def empty(shape, dtype, memory_format=None):
        shape = (shape,) if isinstance(shape, int) else shape
        return Tensor(np.empty(shape, getattr(dtype, "numpy", dtype)))

    module = fake_torch.module(
        dtype=Dtype,
        from_numpy=Tensor,
        empty=empty,
        contiguous_format="dense",
        can_cast=lambda one, to: np.can_cast(one, to.numpy, "same_kind"),
        **dtypes,
    )
    monkeypatch.setitem(sys.modules, "torch", module)
    return module


def test_tensors(torch):
    arrays = [np.arange(3), np.arange(1), np.arange(5)]
    wanted = tensorpad.pad_batch(arrays, mask=True, lengths=True, align="end")
    for given in (
        [Tensor(one) for one in arrays],
        [arrays[0], Tensor(arrays[1]), arrays[2]],
        [arrays[0].tolist(), Tensor(arrays[1]), arrays[2]],
    ):
        found = tensorpad.pad_batch(given, mask=True, lengths=True, align="end")
        assert [type(one) for one in found] == [Tensor] * 3
        assert all(same(one.array, other) for one, other in zip(found, wanted))
        items = tensorpad.unpad_batch(found[0], found[2], align="end")
        assert [type(one) for one in items] == [Tensor] * 3
        assert same([one.array for one in items], arrays)
    out = Tensor(np.zeros((3, 5), int))
    found, mask = tensorpad.pad_batch(arrays, out=out, mask=True, align="end")
    assert found is out and type(mask) is Tensor and same(out.array, wanted[0])
    for given in ([Tensor(one) for one in arrays], arrays, [one.tolist() for one in arrays]):
        for dtype in (torch.float32, torch.int32):
            found = tensorpad.pad_batch(given, dtype=dtype, align="end")
            assert type(found) is Tensor and same(found.array, wanted[0].astype(dtype.numpy))
    found = tensorpad.pad_batch([Tensor(one) for one in arrays], dtype="f8", align="end")
    assert type(found) is Tensor and same(found.array, wanted[0].astype("f8"))
    with pytest.raises(TypeError, match="^item 1: float64 is not converted to"):
        tensorpad.pad_batch([arrays[0], Tensor(np.zeros(2))], dtype="i8")
    with pytest.raises(TypeError, match="^item 1 has type float64"):
        tensorpad.pad_batch([Tensor(arrays[0]), Tensor(np.zeros(2))])


def test_dicts_of_tensors(torch):
    rows = [{"ids": Tensor(np.arange(n)), "label": Tensor(np.array(n))} for n in (2, 3)]
    made = tensorpad.pad_batch_dict(rows, mask="mask")
    assert {key: (type(one), one.array.tolist()) for key, one in made.items()} == {
        "ids": (Tensor, [[0, 1, 0], [0, 1, 2]]),
        "label": (Tensor, [2, 3]),
        "mask": (Tensor, [[1, 1, 0], [1, 1, 1]]),
    }


# ---- pad_batch_dict ------------------------------------------------------------------------------

ROWS = [
    {"input_ids": [5, 8, 2], "attention_mask": [1, 1, 1], "labels": 1, "weight": 0.5},
    {"input_ids": [7], "attention_mask": [1], "labels": 0, "weight": 2},
]


def test_dicts():
    made = tensorpad.pad_batch_dict(
        iter(ROWS),
        constant_values={"input_ids": 9},
        align="end",
        multiple=2,
        dtype={"labels": "f4"},
    )
    assert {key: (one.dtype.str, one.tolist()) for key, one in made.items()} == {
        "input_ids": ("<i8", [[9, 5, 8, 2], [9, 9, 9, 7]]),
        "attention_mask": ("<i8", [[0, 1, 1, 1], [0, 0, 0, 1]]),
        "labels": ("<f4", [1.0, 0.0]),
        "weight": ("<f8", [0.5, 2.0]),
    }
    columns = {key: [row[key] for row in ROWS] for key in ROWS[0]}
    for given in (columns, collections.UserDict(columns), [collections.UserDict(r) for r in ROWS]):
        again = tensorpad.pad_batch_dict(given, constant_values=0)
        assert list(again) == list(made) and again["input_ids"].tolist() == [[5, 8, 2], [7, 0, 0]]
    made = tensorpad.pad_batch_dict(ROWS, shape=2, too_long="crop_start", constant_values=-1)
    assert made["input_ids"].tolist() == [[8, 2], [7, -1]] and made["labels"].tolist() == [1, 0]
    made = tensorpad.pad_batch_dict([{"x": np.zeros((2, n)), "y": np.float32(n)} for n in (1, 3)])
    assert made["x"].shape == (2, 2, 3) and same(made["y"], np.array([1, 3], "f4"))


def test_masks_of_dicts():
    rows = [{"labels": [1], "input_ids": [5, 8]}, {"labels": [1, 2, 3], "input_ids": [7]}]
    made = tensorpad.pad_batch_dict(rows, mask="seen")
    assert list(made) == ["labels", "input_ids", "seen"]
    assert same(made["seen"], np.array([[1, 1], [1, 0]]))
    for row in rows:
        row["ids"] = row.pop("input_ids")
    assert same(tensorpad.pad_batch_dict(rows, mask="seen")["seen"], np.array([[1, 0, 0], [1] * 3]))


def test_dicts_may_have_any_key_that_needs_no_constant():
    """A dict of constants for all data sets: those that have no such key too."""
    made = tensorpad.pad_batch_dict([{"a": [1]}, {"a": []}], constant_values={"a": 2, "b": 3})
    assert made["a"].tolist() == [[1], [2]]
