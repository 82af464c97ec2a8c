"""A box of a padded array from pieces of the input: what the tasks of tensorpad.dask do, on whichever
worker they run, and tensorpad.zarr. It needs neither.  SPDX-License-Identifier: MIT"""

from itertools import accumulate, product

import numpy


def take(block, cells):
    """A copy of a part of a block, so that the block need not be moved or kept for it."""
    return numpy.array(block[cells], order="C")


def part(block, cells):
    """A part of a block. A copy where the part is less than half: it does not keep the block
    alive."""
    box = block[cells]
    return box if 2 * box.size >= block.size else box.copy()


def part_in_order(block, cells, dtype):
    """A part of a block as a box of a padded array."""
    return in_order(part(block, cells), dtype)


def in_order(block, dtype):
    """The block in the order of bytes of `dtype`: pickle makes NumPy's arrays native in silence."""
    if block.dtype != dtype and block.dtype == dtype.newbyteorder("="):
        return block.astype(dtype)
    return block


def assemble(plan, first, axes, *blocks):
    """The box of the output that begins at cell `first`.

    axes: for each axis the runs of the box, as pairs (cells of the output, first cell of the input
    that the blocks of this run begin at); cells are counted. blocks: for each run of the product of
    the axes what it reads: an array, a nested list of arrays, axis by axis, that follow each other
    in the input, or None where nothing is read.
    """
    out = numpy.empty(tuple(sum(count for count, _ in runs) for runs in axes), plan.dtype)
    starts = [[0, *accumulate(count for count, _ in runs)] for runs in axes]
    for numbers, block in zip(product(*(range(len(runs)) for runs in axes)), blocks):
        if block is None:
            block = numpy.empty((0,) * len(axes), plan.dtype)
        elif isinstance(block, list):
            block = _join(block, 0, plan.dtype)
        else:
            block = in_order(block, plan.dtype)
        cells = tuple(slice(begin[n], begin[n + 1]) for begin, n in zip(starts, numbers))
        plan.box(
            block,
            tuple(f + part.start for f, part in zip(first, cells)),
            tuple(part.stop - part.start for part in cells),
            out=out[(*cells, ...)],
            threads=1,
            in_first=tuple(runs[n][1] for runs, n in zip(axes, numbers)),
        )
    return out


def _join(nested, axis, dtype):
    """Neighbours as one array. numpy.block would change the order of bytes."""
    blocks = [_join(one, axis + 1, dtype) if isinstance(one, list) else one for one in nested]
    return numpy.concatenate(blocks, axis, dtype=dtype)
