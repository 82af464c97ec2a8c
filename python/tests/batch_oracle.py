"""What a batch is: its array, mask, lengths and items, by numpy.full, slices and numpy.pad."""

import numpy as np


class TooLong(Exception):
    """The oracle's error: item and axis."""


def extents_of(shapes, wishes):
    """The extents of an item in the result. requests: a dict for each axis."""
    extents = []
    for axis, wish in enumerate(wishes):
        needed = [
            max(0, shape[axis] + max(wish["align"], -shape[axis]))
            if isinstance(wish["align"], int)
            else shape[axis]
            for shape in shapes
        ]
        extent = max(needed) if wish["shape"] is None else wish["shape"]
        while wish["multiple"] and extent % wish["multiple"]:
            extent += 1
        extents.append(extent)
    return extents


def begin_of(length, extent, wish):
    """Where the first cell of an item lies; negative: so many are cut off in front."""
    room = extent - length
    if isinstance(wish["align"], int):
        begin = wish["align"]
    elif room >= 0:
        begin = {"start": 0, "center": room // 2, "end": room}[wish["align"]]
    else:
        begin = {"crop_end": 0, "crop_start": room, "crop_center": -(-room // 2), "error": 0}[
            wish["too_long"]
        ]
    if wish["too_long"] == "error" and not 0 <= begin <= room:
        raise TooLong
    return begin


def slices_of(length, extent, begin):
    """The cells of the item that are kept, and where they lie."""
    first = min(max(begin, 0), extent)
    last = min(max(begin + length, first), extent)
    return slice(first - begin, last - begin), slice(first, last)


def padded(item, extents, begins, modes):
    """One item, axis by axis: made long enough by numpy.pad, then cut."""
    for axis, (extent, begin, mode) in enumerate(zip(extents, begins, modes)):
        after = extent - begin - item.shape[axis]
        sides = [(0, 0)] * item.ndim
        sides[axis] = max(begin, 0), max(after, 0)
        item = np.pad(item, sides, mode)
        first = max(-begin, 0)
        item = item[(*[slice(None)] * axis, slice(first, first + extent))]
    return item


def expected_batch(items, wishes, fill, dtype):
    """The batch of arrays, its mask, its lengths, and what unpad_batch shows."""
    extents = extents_of([item.shape for item in items], wishes)
    batch = np.empty((len(items), *extents), dtype)
    batch[...] = fill
    mask = np.zeros(batch.shape, bool)
    lengths = np.zeros((len(items), len(extents)), np.int64)
    kept = []
    modes = [wish["mode"] for wish in wishes]
    for number, item in enumerate(items):
        begins = []
        for axis, wish in enumerate(wishes):
            try:
                begins.append(begin_of(item.shape[axis], extents[axis], wish))
            except TooLong:
                raise TooLong(number, axis) from None
        both = [slices_of(*one) for one in zip(item.shape, extents, begins)]
        source, target = tuple(one[0] for one in both), tuple(one[1] for one in both)
        if set(modes) <= {"constant"}:
            batch[(number, *target)] = item[source]
        elif batch[number].size:
            numbers = np.arange(1, item.size + 1).reshape(item.shape)
            indices = padded(numbers, extents, begins, modes)
            elements = np.empty(item.size + 1, dtype)
            elements[:1] = fill
            elements[1:] = item.reshape(-1)
            batch[number] = elements[indices.reshape(-1)].reshape(indices.shape)
        mask[(number, *target)] = True
        lengths[number] = [one.stop - one.start for one in target]
        kept.append(item[(*source, ...)])
    return batch, mask, lengths[:, 0] if len(extents) == 1 else lengths, kept


def expected_lists(items, wishes, fill, dtype):
    """The same of lists of lists: each list is padded by itself."""
    counts = [len(item) for item in items]
    most = extents_of([(count,) for count in counts], wishes[:1])[0]
    rows = [[] for _ in range(len(items) * most)]
    for number, item in enumerate(items):
        try:
            begin = begin_of(len(item), most, wishes[0])
        except TooLong:
            raise TooLong(number, 0) from None
        source, target = slices_of(len(item), most, begin)
        rows[number * most + target.start : number * most + target.stop] = item[source]
    arrays = [np.asarray(row, dtype) for row in rows]
    if not arrays:
        return None
    try:
        batch, mask, lengths, kept = expected_batch(arrays, wishes[1:], fill, dtype)
    except TooLong as error:
        raise TooLong(error.args[0] // most, 1) from None
    shape = (len(items), most, batch.shape[1])
    kept = [kept[i * most : (i + 1) * most] for i in range(len(items))]
    return batch.reshape(shape), mask.reshape(shape), lengths.reshape(*shape[:2], 1), kept


def same(found, wanted):
    """The same type, shape and bits; NaN equals NaN."""
    if isinstance(wanted, list):
        return len(found) == len(wanted) and all(map(same, found, wanted))
    return (
        found.dtype == wanted.dtype
        and found.shape == wanted.shape
        and found.tobytes() == wanted.tobytes()
    )
