"""Draws what moves when an array of dask is padded, and when its blocks overlap.
SPDX-License-Identifier: MIT

    python examples/chunks.py chunks.svg

It is drawn from the graphs that tensorpad.dask makes. Needs tensorpad and dask.
"""

import itertools
import sys

import dask.array as da
import numpy as np
import tensorpad.dask

EXTENT, CHUNK, DEPTH, CELL = 24, 8, 2, 7  # cells, cells, cells, and pixels a cell
STYLE = """<style type="text/css">
text{font-family:"DejaVu Sans",Verdana,Helvetica,Arial,sans-serif;font-size:12px;fill:#1f2328}
.page{fill:#ffffff}.small{font-size:11px;fill:#59636e}.name{font-size:14px;font-weight:bold}
.kept{fill:#d0d7de}.own{fill:#8ec3e6}.moved{fill:#e69f00}.none{fill:#eef1f4}
.chunk{fill:none;stroke:#1f2328}.read{fill:none;stroke:#0072b2;stroke-width:3}
@media (prefers-color-scheme:dark){text{fill:#f0f6fc}.page{fill:#0d1117}.small{fill:#9198a1}
.kept{fill:#57606a}.own{fill:#2f6f9f}.none{fill:#21262d}.chunk{stroke:#f0f6fc}}
</style>"""


def reads(made, x, number):
    """What a block is made of: the chunks of x that its task depends on, and the pieces that tasks
    of their own copy, as pairs (chunk, slices)."""
    graph = dict(made.__dask_graph__())
    chunks, pieces = set(), []
    for key in graph[(made.name, *number)].dependencies:
        if key[0] == x.name:
            chunks.add(key[1:])
        else:
            (chunk,) = graph[key].dependencies
            pieces.append((chunk[1:], graph[key].args[1]))
    return chunks, pieces


def rect(left, top, width, height, look):
    return (
        f'<rect class="{look}" x="{left}" y="{top}" width="{width * CELL}" '
        f'height="{height * CELL}"/>'
    )


def words(left, top, text, look=""):
    return f'<text class="{look}" x="{left}" y="{top}">{text}</text>'


def starts(extents):
    return [0, *itertools.accumulate(extents)]


def box(left, top, x, y, width, height, look):
    """A rectangle whose place is in cells from (left, top)."""
    return rect(left + x * CELL, top + y * CELL, width, height, look)


def grid(left, top, chunks):
    rows, columns = (zip(starts(extents), extents) for extents in chunks)
    return [
        box(left, top, x, y, width, height, "chunk")
        for (y, height), (x, width) in itertools.product(rows, columns)
    ]


def input_cells(left, top, x, chunks, pieces):
    """The array, with the chunks that blocks get directly and the pieces that are copied."""
    return [
        rect(left, top, EXTENT, EXTENT, "none"),
        *(
            box(left, top, column * CHUNK, row * CHUNK, CHUNK, CHUNK, "own")
            for row, column in sorted(chunks)
        ),
        *(
            box(
                *(left, top, column * CHUNK + right.start, row * CHUNK + down.start),
                *(right.stop - right.start, down.stop - down.start, "moved"),
            )
            for (row, column), (down, right) in sorted(pieces, key=str)
        ),
        *grid(left, top, x.chunks),
    ]


def runs(items):
    """Items that follow each other and are equal: (the first's number, how many, item)."""
    at = 0
    for item, equal in itertools.groupby(items):
        count = len(list(equal))
        yield at, count, item
        at += count


def output_cells(left, top, made, x, labels, numbers):
    """Blocks, each cell in the colour of the way it came."""
    parts, tops, lefts = [], starts(made.chunks[0]), starts(made.chunks[1])
    for row, column in numbers:
        chunks, pieces = reads(made, x, (row, column))
        cells = labels[tops[row] : tops[row + 1], lefts[column] : lefts[column + 1]]
        own = "own" if pieces or cells.shape != (CHUNK, CHUNK) else "kept"

        def look(cell):
            return "none" if cell < 0 else own if divmod(cell, 10) in chunks else "moved"

        for y, height, line in runs([list(map(look, line)) for line in cells.tolist()]):
            for at, width, one in runs(line):
                parts.append(box(left, top, lefts[column] + at, tops[row] + y, width, height, one))
    return parts


def padded(left, top, x, labels):
    made = tensorpad.dask.pad(x, DEPTH, "wrap")
    numbers = list(itertools.product(*map(range, made.numblocks)))
    pieces = [piece for number in numbers for piece in reads(made, x, number)[1]]
    right = left + (EXTENT + 4) * CELL
    return [
        words(left, top - 26, 'pad(x, 2, "wrap")', "name"),
        words(left, top - 8, "x, nine chunks", "small"),
        words(right, top - 8, "the result", "small"),
        *input_cells(left, top + DEPTH * CELL, x, (), pieces),
        *output_cells(right, top, made, x, np.pad(labels, DEPTH, "wrap"), numbers),
        *grid(right, top, made.chunks),
    ]


def overlapped(left, top, x, labels, number=(0, 1)):
    made = tensorpad.dask.overlap(x, DEPTH, "periodic")
    chunks, pieces = reads(made, x, number)
    right = left + (EXTENT + 4) * CELL
    size = CHUNK + 2 * DEPTH
    block = (
        slice(number[0] * CHUNK, number[0] * CHUNK + size),
        slice(number[1] * CHUNK, number[1] * CHUNK + size),
    )
    place = np.zeros((EXTENT + 6 * DEPTH,) * 2, int)
    rows, columns = (starts(each)[n] for each, n in zip(made.chunks, number))
    place[rows : rows + size, columns : columns + size] = np.pad(labels, DEPTH, "wrap")[block]
    offset = (right - columns * CELL, top + (DEPTH - rows) * CELL)
    return [
        words(left, top - 26, 'overlap(x, 2, "periodic")', "name"),
        words(left, top - 8, "x, nine chunks", "small"),
        words(right, top - 8, f"block {number}", "small"),
        *input_cells(left, top + DEPTH * CELL, x, chunks, pieces),
        *output_cells(*offset, made, x, place, [number]),
        rect(right, top + DEPTH * CELL, size, size, "chunk"),
    ]


def draw():
    x = da.from_array(np.zeros((EXTENT, EXTENT)), chunks=CHUNK)
    of_axis = np.arange(EXTENT) // CHUNK
    labels = of_axis[:, None] * 10 + of_axis
    width, height = 880, 330
    parts = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}">',
        "<title>What moves when an array in chunks is padded, and when its blocks overlap</title>",
        STYLE,
        f'<rect class="page" width="{width}" height="{height}"/>',
        *padded(20, 50, x, labels),
        *overlapped(480, 50, x, labels),
    ]
    top = 290
    for left, look, text in (
        (20, "kept", "a chunk that is passed on untouched"),
        (280, "own", "copied from the chunk that a block is made of"),
        (590, "moved", "a piece of another chunk: only this moves"),
    ):
        parts += [rect(left, top, 2, 2, look), words(left + 22, top + 11, text, "small")]
    return "\n".join([*parts, "</svg>", ""])


if __name__ == "__main__":
    with open(sys.argv[1], "w", encoding="utf-8") as picture:
        picture.write(draw())
