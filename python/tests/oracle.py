"""What a pad is, element by element, from docs/semantics.md; NumPy only holds the numbers."""

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
