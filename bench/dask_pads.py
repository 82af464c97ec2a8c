#!/usr/bin/env python3
"""How often dask.array.pad does not give what numpy.pad gives, by random pads of small arrays.

SPDX-License-Identifier: MIT

Each pad is done by tensorpad.dask.pad as well.
"""

import argparse
import importlib.metadata
import random
import sys
import textwrap
import warnings

import dask
import dask.array
import numpy
import pages
import tensorpad
import tensorpad.dask

MODES = ("constant", "edge", "reflect", "symmetric", "wrap")
CASES = 100  # of each kind


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1, help="default: 1")
    parser.add_argument("--write", metavar="FILE", help="put the table into this page")
    return parser.parse_args()


def array(rng, dtype):
    """Cells and the same cells as an array of dask in random chunks."""
    shape = [rng.randint(1, 9) for _ in range(rng.randint(1, 3))]
    cells = numpy.arange(numpy.prod(shape)).reshape(shape)
    cells = cells.astype("M8[s]").astype(dtype) if "M8" in dtype else cells.astype(dtype)
    chunks = []
    for extent in shape:
        parts = []
        while sum(parts) < extent:
            parts.append(rng.randint(1, extent - sum(parts)))
        chunks.append(tuple(parts))
    return cells, dask.array.from_array(cells, chunks=tuple(chunks))


def within(rng, shape):
    """Amounts that every mode takes from the array once; an axis of one cell is not padded."""
    return [(rng.randint(0, extent - 1), rng.randint(0, extent - 1)) for extent in shape]


def beyond(rng, shape):
    """One amount at least is greater than the extent of its axis."""
    amounts = [[rng.randint(0, 2 * extent + 2) for _ in range(2)] for extent in shape]
    axis = rng.randrange(len(shape))
    amounts[axis][rng.randrange(2)] = rng.randint(shape[axis] + 1, 3 * shape[axis] + 2)
    return [tuple(each) for each in amounts]


def negative(rng, shape):
    """One amount at least takes cells away; some cells stay."""
    amounts = [[rng.randint(0, extent - 1) for _ in range(2)] for extent in shape]
    axis = rng.choice([n for n, extent in enumerate(shape) if extent > 1] or [0])
    amounts[axis][rng.randrange(2)] = -rng.randint(1, max(shape[axis] - 1, 1))
    return [tuple(each) for each in amounts]


# name: (amounts, dtypes, modes, other arguments)
KINDS = {
    "amounts within the extent": (within, ("f4", "i2", "M8[s]"), MODES, {}),
    "an amount beyond the extent": (beyond, ("f4", "i2", "M8[s]"), MODES, {}),
    "a negative amount": (negative, ("f4", "i2"), MODES, {}),
    "bytes in big-endian order": (within, (">f4", ">i2", ">M8[s]"), MODES, {}),
    '`reflect_type="odd"`': (
        within,
        ("f4", "i2"),
        ("reflect", "symmetric"),
        {"reflect_type": "odd"},
    ),
    "linear_ramp": (within, ("f4", "i2"), ("linear_ramp",), {}),
    "mean": (within, ("f4", "i2"), ("mean",), {}),
    "maximum": (within, ("f4", "i2"), ("maximum",), {}),
    "`stat_length=2`": (within, ("f4", "i2"), ("mean", "maximum", "minimum"), {"stat_length": 2}),
    "a function that returns nothing": (within, ("f4",), (lambda *_: None,), {}),
}


def wanted(cells, amounts, mode, other):
    """numpy.pad's result; that of tensorpad.pad where numpy.pad knows no negative amounts."""
    if min(map(min, amounts)) < 0:
        return tensorpad.pad(cells, amounts, mode)
    return numpy.pad(cells, amounts, mode, **other)


def outcome(pad, x, amounts, mode, other, right):
    """ "right", "error", or what is wrong: "shape", "cells", "dtype"."""
    try:
        found = pad(x, amounts, mode, **other)
        promised, found = found.shape, found.compute()
    except Exception:  # whatever it is
        return "error"
    if found.shape != right.shape or promised != right.shape:
        return "shape"
    if found.astype(right.dtype).tobytes() != right.tobytes():
        return "cells"
    return "right" if found.dtype == right.dtype else "dtype"


def count(rng, kind, mode):
    """How often each system came to each outcome: {system: {outcome: times}}."""
    amounts_of, dtypes, _, other = KINDS[kind]
    counts = {"dask": {}, "tensorpad": {}}
    done = 0
    while done < CASES:
        cells, x = array(rng, rng.choice(dtypes))
        amounts = amounts_of(rng, cells.shape)
        try:
            right = wanted(cells, amounts, mode, other)
        except ValueError:  # nothing is left of an axis
            continue
        done += 1
        for system, pad in (("dask", dask.array.pad), ("tensorpad", tensorpad.dask.pad)):
            said = outcome(pad, x, amounts, mode, other, right)
            counts[system][said] = counts[system].get(said, 0) + 1
    return counts


def main():
    options = arguments()
    warnings.simplefilter("ignore")
    rng = random.Random(options.seed)
    outcomes = ("right", "shape", "cells", "dtype", "error")
    lines = [
        "| "
        + " | ".join(
            [
                "what is asked",
                "mode",
                "right",
                "wrong shape",
                "wrong cells",
                "other byte order",
                "error",
                "tensorpad.dask.pad",
            ]
        )
        + " |",
        "|---" * 8 + "|",
    ]
    print("\n".join(lines))
    with dask.config.set(scheduler="synchronous"):
        for kind, (_, _, modes, _) in KINDS.items():
            for mode in modes:
                counts = count(rng, kind, mode)
                mine = ", ".join(
                    f"{times} {'refused' if said == 'error' else said}"
                    for said, times in counts["tensorpad"].items()
                )
                lines.append(
                    pages.row(
                        [
                            kind,
                            mode if isinstance(mode, str) else "",
                            *(str(counts["dask"].get(one, "")) for one in outcomes),
                            mine,
                        ]
                    )
                )
                print(lines[-1], flush=True)
    about = (
        f"dask {importlib.metadata.version('dask')}, NumPy {numpy.__version__}; {CASES} "
        "random pads in each row, of arrays with one to three axes of one to nine cells."
    )
    lines += ["", *textwrap.wrap(about, 109)]
    if options.write:
        try:
            pages.write(options.write, "dask-pads", lines)
        except ValueError as error:
            sys.exit(f"dask_pads: {error}")


if __name__ == "__main__":
    main()
