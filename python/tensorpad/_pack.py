"""pack_batch: sequences joined end to end, and back.  SPDX-License-Identifier: MIT

pad_batch gives each sequence a row; here a row holds as many as fit. To keep them apart there is
what flash-attention and transformers take: where they begin, positions, a block mask.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any, Literal, NamedTuple, SupportsIndex

import numpy

from . import _core
from ._arrays import is_torch, source


class PackedBatch(NamedTuple):
    """The result of `pack_batch`."""

    batch: Any
    places: Any
    cu_seqlens: Any
    max_seqlen: int
    positions: Any
    segments: Any


def _rows(counts, length, order):
    """[row, first cell] of each item, and the number of used cells of each row."""
    numbers = range(len(counts))
    used, places = [], [None] * len(counts)
    for number in sorted(numbers, key=lambda one: -counts[one]) if order == "longest" else numbers:
        tried = range(len(used)) if order == "longest" else range(len(used))[-1:]
        row = next((row for row in tried if used[row] + counts[number] <= length), len(used))
        used += [0] * (row == len(used))
        places[number] = [row, used[row]]
        used[row] += counts[number]
    return places, used


def _read(items):
    """The items: all tensors or all arrays, of one type and, except for the first axis, one shape."""
    sequences = list(items)
    if not sequences:
        raise ValueError("pack_batch: no items")
    if not any(map(is_torch, sequences)):
        sequences = [source(one).array for one in sequences]
        kinds = {one.dtype for one in sequences if one.size} or {sequences[0].dtype}
        if len(kinds) == 1:
            sequences = [one.astype(*kinds) if not one.size else one for one in sequences]
    for number, one in enumerate(sequences):
        first = sequences[0]
        if not hasattr(one, "dtype") or type(one).__module__ != type(first).__module__:
            raise TypeError(
                f"item {number} is a {type(one).__name__}, item 0 a {type(first).__name__}"
            )
        if len(one.shape) == 0:
            raise ValueError(f"item {number} is a single number: items have at least one axis")
        if one.dtype != first.dtype or one.shape[1:] != first.shape[1:]:
            raise ValueError(
                f"item {number} has type {one.dtype} and shape {tuple(one.shape)}, item 0 has "
                f"{first.dtype} and {tuple(first.shape)}: only the first axis may differ"
            )
    return sequences


def pack_batch(
    items: Iterable[Any],
    length: SupportsIndex | None = None,
    *,
    order: Literal["given", "longest"] = "given",
    too_long: Literal["error", "crop_end", "crop_start"] = "error",
    constant_values: Any = 0,
) -> PackedBatch:
    """Join sequences end to end into rows of one length, and return where each one lies.

    items: arrays, torch tensors or lists, whose first axis is packed. All have one type and the
        same other axes. A batch of tensors has their gradients.
    length: the cells of a row. None: one row, as long as all items together.
    order: "given": items stay in order, and a row ends where the next item does not fit. "longest":
        long items come first, each in the first row that has room; this leaves fewer unused cells.
    too_long: for items longer than a row: "error", or "crop_end" or "crop_start", which cut cells off.
    constant_values: one value, for the cells at the end of a row.

    Returns a named tuple; integers are NumPy arrays, or tensors on the device of the batch:
    - batch: (rows, length, ...), the items end to end;
    - places: (items, 3) int64, the row of each item, its first cell there, and how many it has;
    - cu_seqlens: (segments + 1,) int32, where each segment begins in batch.flatten(0, 1), and the end. A
      segment is an item or the rest of a row. These are flash-attention's cu_seqlens_q and cu_seqlens_k;
    - max_seqlen: the cells of the longest segment;
    - positions: (rows, length) int64, the number of each cell in its segment: transformers'
      position_ids;
    - segments: (rows, length) int64, the number of the item in each cell, -1 if there is none.

    Two calls for items of the same lengths, such as tokens and their labels, give the same places.
    ValueError names an item that is too long or unlike the first one.
    """
    if order not in ("given", "longest"):
        raise ValueError(f"order has to be 'given' or 'longest', got {order!r}")
    if too_long not in ("error", "crop_end", "crop_start"):
        raise ValueError(
            f"too_long has to be 'error', 'crop_end' or 'crop_start', got {too_long!r}"
        )
    sequences = _read(items)
    if length is None:
        length = max(sum(one.shape[0] for one in sequences), 1)
    length = _core.integer(length, "length", "an integer or None")
    if length < 1:
        raise ValueError(f"length has to be at least 1, got {length}")
    for number, one in enumerate(sequences):
        excess = one.shape[0] - length
        if excess > 0 and too_long == "error":
            raise ValueError(
                f"item {number}: {one.shape[0]} cells do not fit into {length}: choose a larger "
                "length, or a too_long that crops"
            )
        if excess > 0:
            sequences[number] = one[:length] if too_long == "crop_end" else one[excess:]
    counts = [one.shape[0] for one in sequences]
    places, used = _rows(counts, length, order)
    blank = sequences[0][:0]
    parts = [
        (*place, number, count, sequences[number])
        for number, (place, count) in enumerate(zip(places, counts))
    ]
    for row, cells in enumerate(used):
        rest = _core.pad_to(blank, {0: length - cells}, constant_values=constant_values)
        parts.append((row, cells, -1, length - cells, rest))
    parts = [part for part in sorted(parts, key=lambda part: part[:2]) if part[3]]
    numbers, lengths = (numpy.array([part[one] for part in parts]) for one in (2, 3))
    ends = numpy.concatenate([[0], lengths]).cumsum()
    joined = [part[4] for part in parts]
    shape = (len(used), length)
    integers = [
        numpy.array([[*place, count] for place, count in zip(places, counts)], numpy.int64),
        ends.astype(numpy.int32),
        (numpy.arange(ends[-1]) - numpy.repeat(ends[:-1], lengths)).reshape(shape),
        numpy.repeat(numbers, lengths).reshape(shape),
    ]
    if is_torch(sequences[0]):
        torch = sys.modules["torch"]
        batch = torch.cat(joined).unflatten(0, shape)
        integers = [torch.from_numpy(one).to(batch.device) for one in integers]
    else:
        joined = numpy.concatenate(joined)
        batch = joined.reshape(*shape, *joined.shape[1:])
    return PackedBatch(batch, *integers[:2], int(lengths.max()), *integers[2:])


def unpack_batch(batch: Any, places: Any) -> list[Any]:
    """The items of a packed batch as a list of views.

    batch: (rows, length, ...), the batch of `pack_batch` or what a model made of it.
    places: those that `pack_batch` returned.

    ValueError if a place does not lie in the batch.
    """
    views = []
    for number, (row, first, cells) in enumerate(source(places).array.tolist()):
        if not (0 <= row < batch.shape[0] and 0 <= first <= first + cells <= batch.shape[1]):
            raise ValueError(
                f"item {number} lies in row {row}, cells {first} to {first + cells}: the batch has the "
                f"shape {tuple(batch.shape)}"
            )
        views.append(batch[row, first : first + cells])
    return views


def block_mask(segments: Any, *, causal: bool = False) -> Any:
    """An attention mask: (rows, length, length) of bool, True where a cell (the second axis) may
    attend to another one (the third axis), because both belong to the same item.

    segments: those that `pack_batch` returned.
    causal: true: and only if the other one does not come later.

    Cells without an item attend only to themselves, so that no softmax is empty.
    torch.nn.functional.scaled_dot_product_attention takes mask[:, None] as its attn_mask.
    """
    cells = numpy.arange(segments.shape[1])
    if is_torch(segments):
        cells = sys.modules["torch"].arange(segments.shape[1], device=segments.device)
    alike = (segments[:, :, None] == segments[:, None, :]) & (segments[:, :, None] >= 0)
    if causal:
        alike = alike & (cells[:, None] >= cells)
    return alike | (cells[:, None] == cells)
