"""What a pad is, element by element, from docs/semantics.md; what pads to a size and batches are, by
numpy.pad and slices."""

import math

import numpy


def source_index(i, extent, before, after, interior, mode, order):
    """The input index that output index i reads, or None for the fill value."""
    dilated = (extent - 1) * (interior + 1) + 1 if extent else 0
    low, high = 0, dilated
    if order == "crop":
        low, high = max(0, -before), dilated - max(0, -after)
    t = i - before
    if not low <= t < high:
        length = high - low
        if mode == "constant" or length <= 0:
            return None
        if mode == "edge":
            t = min(max(t, low), high - 1)
        elif mode == "wrap":
            t = low + (t - low) % length
        elif mode == "symmetric":
            t = (t - low) % (2 * length)
            t = low + (t if t < length else 2 * length - 1 - t)
        elif length == 1:
            t = low
        else:
            t = (t - low) % (2 * (length - 1))
            t = low + (t if t < length else 2 * (length - 1) - t)
    return t // (interior + 1) if t % (interior + 1) == 0 else None


def pad(array, widths, modes, fill=0, interiors=None, order="window"):
    """widths, modes, interiors: one entry for each axis."""
    interiors = interiors or [0] * array.ndim
    result = array
    filled = numpy.zeros((), bool)
    index_lists = []
    for axis, ((before, after), mode, interior) in enumerate(zip(widths, modes, interiors)):
        extent = array.shape[axis]
        dilated = (extent - 1) * (interior + 1) + 1 if extent else 0
        indices = [
            source_index(i, extent, before, after, interior, mode, order)
            for i in range(before + dilated + after)
        ]
        index_lists.append(indices)
    shape = tuple(len(indices) for indices in index_lists)
    filled = numpy.zeros(shape, bool)
    for axis, indices in enumerate(index_lists):
        missing = numpy.array([index is None for index in indices], bool)
        filled |= missing.reshape([-1 if k == axis else 1 for k in range(array.ndim)])
        if 0 in result.shape:
            continue
        result = numpy.take(result, [index or 0 for index in indices], axis=axis)
    if 0 in array.shape:
        result = numpy.zeros(shape, array.dtype)
    result = numpy.array(result, array.dtype).reshape(shape)
    result[filled] = fill
    return result


# ---- Sizes and batches ---------------------------------------------------------------------------


class TooLong(Exception):
    """The number of the item, and of the axis."""


def extents_of(shapes, requests, square=None):
    """The extents of the result for arrays of these shapes. requests: a dict for each axis, with the
    arguments of pad_to or pad_batch for it."""
    extents = []
    for axis, one in enumerate(requests):
        align = one["align"] if isinstance(one["align"], int) else 0
        needed = max(max(0, shape[axis] + align) for shape in shapes)
        extent = needed if one["shape"] is None else one["shape"]
        if one["too_long"] == "keep":
            extent = max(extent, needed)
        while one["multiple"] and extent % one["multiple"]:
            extent += 1
        extents.append(extent)
    if square is not None:
        side = max(extents[axis] for axis in square)
        steps = math.lcm(*(requests[axis]["multiple"] or 1 for axis in square))
        for axis in square:
            extents[axis] = -(-side // steps) * steps
    return extents


def begins_of(shape, extents, requests, item=0):
    """The index of the first cell on each axis; below 0: so many cells are cut off."""
    begins = []
    for axis, (length, extent, one) in enumerate(zip(shape, extents, requests)):
        room = extent - length
        if isinstance(one["align"], int):
            begin = one["align"]
        elif room >= 0:
            begin = {"start": 0, "center": room // 2, "end": room}[one["align"]]
        else:
            cuts = {"crop_end": 0, "crop_start": room, "crop_center": -(-room // 2)}
            begin = cuts.get(one["too_long"], 0)
        if one["too_long"] in ("error", "keep") and not 0 <= begin <= room:
            raise TooLong(item, axis)
        begins.append(begin)
    return begins


def placed(array, extents, begins, modes, fill):
    """An array on a larger or smaller one: NumPy pads the numbers of its elements, axis by axis, as long
    as it has to be, and then what is cropped is cut off. 0 is what fills."""
    indices = numpy.arange(1, array.size + 1).reshape(array.shape)
    for axis, (extent, begin, mode) in enumerate(zip(extents, begins, modes)):
        sides = [(0, 0)] * array.ndim
        sides[axis] = max(begin, 0), max(extent - begin - array.shape[axis], 0)
        indices = numpy.pad(indices, sides, mode)
        first = max(-begin, 0)
        indices = indices[(*[slice(None)] * axis, slice(first, first + extent))]
    elements = numpy.empty(array.size + 1, array.dtype)
    elements[:1] = fill
    elements[1:] = array.reshape(-1)
    return elements[indices.reshape(-1)].reshape(indices.shape)


def kept_of(length, extent, begin):
    """The cells of an item that are kept, and where they lie."""
    first = min(max(begin, 0), extent)
    last = min(max(begin + length, first), extent)
    return slice(first - begin, last - begin), slice(first, last)


def batch(items, requests, fill, dtype):
    """The batch of arrays, its mask, its lengths, and what unpad_batch shows."""
    extents = extents_of([item.shape for item in items], requests)
    made = numpy.empty((len(items), *extents), dtype)
    made[...] = fill
    mask = numpy.zeros(made.shape, bool)
    lengths = numpy.zeros((len(items), len(extents)), numpy.int64)
    kept = []
    modes = [one["mode"] for one in requests]
    for number, item in enumerate(items):
        begins = begins_of(item.shape, extents, requests, number)
        both = [kept_of(*one) for one in zip(item.shape, extents, begins)]
        source, target = tuple(one[0] for one in both), tuple(one[1] for one in both)
        if set(modes) <= {"constant"}:
            made[(number, *target)] = item[source]
        elif made[number].size:
            made[number] = placed(item.astype(dtype), extents, begins, modes, fill)
        mask[(number, *target)] = True
        lengths[number] = [one.stop - one.start for one in target]
        kept.append(item[(*source, ...)])
    return made, mask, lengths[:, 0] if len(extents) == 1 else lengths, kept


def batch_of_lists(items, requests, fill, dtype):
    """The same of lists of lists: each list is padded by itself."""
    most = extents_of([(len(item),) for item in items], requests[:1])[0]
    rows = [[] for _ in range(len(items) * most)]
    for number, item in enumerate(items):
        (begin,) = begins_of((len(item),), [most], requests[:1], number)
        source, target = kept_of(len(item), most, begin)
        rows[number * most + target.start : number * most + target.stop] = item[source]
    arrays = [numpy.asarray(row, dtype) for row in rows]
    if not arrays:
        return None
    try:
        made, mask, lengths, kept = batch(arrays, requests[1:], fill, dtype)
    except TooLong as error:
        raise TooLong(error.args[0] // most, 1) from None
    shape = (len(items), most, made.shape[1])
    kept = [kept[i * most : (i + 1) * most] for i in range(len(items))]
    return made.reshape(shape), mask.reshape(shape), lengths.reshape(*shape[:2], 1), kept
