#!/usr/bin/env python3
"""Pads and overlaps of chunked arrays: tensorpad.dask and dask.array, in one run.

SPDX-License-Identifier: MIT

What is measured, how, and the tables.
"""

import argparse
import importlib.metadata
import itertools
import json
import os
import pathlib
import pickle
import platform
import resource
import statistics
import subprocess
import sys
import textwrap
import time
from typing import NamedTuple

import pages
import rivals

SYSTEMS = ("tensorpad", "dask")
MODES = ("constant", "edge", "reflect", "symmetric", "wrap")
BOUNDARIES = ("reflect", "periodic", "none")
CHILD_SECONDS = 600  # a measurement that takes longer is stopped


def extents(numbers):
    return "x".join(map(str, numbers))


class Case(NamedTuple):
    """An array of float32 and what is done to it: "pad" or "overlap", by so many cells."""

    work: str
    shape: tuple[int, ...]
    chunk: tuple[int, ...]
    cells: int
    mode: str

    def __str__(self):
        return (
            f"{self.work} {extents(self.shape)} in {extents(self.chunk)} by {self.cells}, "
            f"{self.mode}"
        )


ARRAYS = (
    ("pad", (20000, 20000), (1000, 1000), 10, MODES),
    ("pad", (600, 600, 600), (100, 100, 100), 4, MODES),
    ("pad", (20000, 20000), (20000, 100), 10, MODES),
    ("pad", (20000, 20000), (1000, 1000), 1500, MODES),
    ("overlap", (20000, 20000), (1000, 1000), 10, BOUNDARIES),
    ("overlap", (600, 600, 600), (100, 100, 100), 4, BOUNDARIES),
)
CASES = {
    str(case): case for case in (Case(*array, mode) for *array, modes in ARRAYS for mode in modes)
}
GRAPHS = {
    str(case): case
    for case in (
        Case("pad", (10000, 10000), (100, 100), 10, "reflect"),
        Case("overlap", (10000, 10000), (100, 100), 10, "reflect"),
    )
}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--only", default=[""], nargs="+", help="cases whose name holds one of these"
    )
    parser.add_argument("--rounds", type=int, default=9, help="default: 9")
    parser.add_argument("--json", type=pathlib.Path, help="put what was measured into this file")
    parser.add_argument("--write", metavar="FILE", help="put the tables into this page")
    parser.add_argument(
        "--child", nargs=3, metavar=("KIND", "CASE", "SYSTEM"), help=argparse.SUPPRESS
    )
    return parser.parse_args()


# What runs in a process of its own.


def checksum(cells):
    """The sum of all bit patterns, which no order of the cells or of the chunks changes."""
    import numpy

    total = cells.view(numpy.uint32).sum(dtype=numpy.uint32)
    return numpy.full((1,) * cells.ndim, total)


def source(case):
    """Random numbers, made chunk by chunk."""
    import dask.array
    import numpy

    return dask.array.random.default_rng(1).random(
        case.shape, dtype=numpy.float32, chunks=case.chunk
    )


def result(case, x, system):
    if system == "tensorpad":
        from tensorpad.dask import overlap, pad
    else:
        from dask.array import pad
        from dask.array.overlap import overlap
    return {"pad": pad, "overlap": overlap}[case.work](x, case.cells, case.mode)


def used():
    """CPU seconds of this process, and the most memory it ever had, in bytes."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def warm_up():
    """dask imports much when it first computes."""
    import dask.array

    dask.array.ones(8, chunks=4, dtype="f4").map_blocks(checksum, dtype="u4").compute()


def run(case, system):
    """Makes the graph and computes the checksum of every chunk of the result."""
    x = source(case)
    warm_up()
    cpu, memory = used()
    y = result(case, x, system)
    sums = y.map_blocks(
        checksum,
        chunks=tuple((1,) * count for count in y.numblocks),
        dtype="u4",
        meta=x._meta.astype("u4"),
    ).compute()
    after = used()
    return {
        "cpu": after[0] - cpu,
        "memory": after[1] - memory,
        "shape": y.shape,
        "checksum": int(sums.sum(dtype="u4")),
    }


def count(case, system):
    """Tasks after optimisation, those that make the input not counted."""
    import dask

    x = source(case)
    return {"tasks": len(dask.optimize(result(case, x, system))[0].dask) - x.npartitions}


def graph(case, system):
    """How long it takes to make the graph, and its size as dask sends it to workers: each task is
    pickled by itself. Tasks that make the input are not counted."""
    import dask

    x = source(case)
    begin = time.process_time()
    y = result(case, x, system)
    made = time.process_time() - begin
    sent = dask.optimize(y)[0].dask
    optimised = time.process_time() - begin
    sizes = [
        len(pickle.dumps(task, protocol=5))
        for key, task in sent.items()
        if not key[0].startswith("random-")
    ]
    return {
        "made": made,
        "optimised": optimised,
        "tasks": len(sizes),
        "bytes": statistics.mean(sizes),
        "largest": max(sizes),
    }


KINDS = {"run": run, "count": count, "graph": graph}


def child(kind, name, system):
    import dask

    if system == "tensorpad":
        import tensorpad.dask  # noqa: F401

    with dask.config.set(scheduler="synchronous"):
        print(json.dumps(KINDS[kind]((CASES | GRAPHS)[name], system)))


# What starts the processes.


def measure(kind, case, system):
    """What a process of its own says."""
    done = subprocess.run(
        [sys.executable, __file__, "--child", kind, str(case), system],
        capture_output=True,
        text=True,
        timeout=CHILD_SECONDS,
        env=os.environ | {"GLIBC_TUNABLES": rivals.KEEP_MEMORY},
    )
    if done.returncode:
        sys.exit(f"chunks: {case}: {system}: {done.stderr[-2000:]}")
    return json.loads(done.stdout)


def compare(case, rounds):
    """What each system took: {system: {"cpu": median, "memory": median, "tasks": count}}."""
    found = {system: [] for system in SYSTEMS}
    for turn in range(rounds):
        for system in SYSTEMS[:: 1 if turn % 2 else -1]:
            found[system].append(measure("run", case, system))
    said = {(tuple(each["shape"]), each["checksum"]) for each in itertools.chain(*found.values())}
    if len(said) != 1:
        sys.exit(f"chunks: {case}: the results differ: {said}")
    return {
        system: {
            what: statistics.median(each[what] for each in found[system])
            for what in ("cpu", "memory")
        }
        | measure("count", case, system)
        for system in SYSTEMS
    }


def cells(case, found):
    mine, theirs = (found[system] for system in SYSTEMS)
    return [
        str(case),
        f"{mine['cpu']:.2f}",
        f"{theirs['cpu']:.2f}",
        f"{mine['cpu'] / theirs['cpu']:.2f}",
        f"{mine['memory'] / 1e6:,.0f}",
        f"{theirs['memory'] / 1e6:,.0f}",
        f"{mine['tasks']:,}",
        f"{theirs['tasks']:,}",
    ]


def table(rounds, only, kept):
    lines = [
        "| float32 | CPU s | dask | ratio | peak MB | dask | tasks | dask |",
        "|---|---|---|---|---|---|---|---|",
    ]
    print("\n".join(lines))
    for name, case in CASES.items():
        if any(word in name for word in only):
            kept[name] = compare(case, rounds)
            lines.append(pages.row(cells(case, kept[name])))
            print(lines[-1], flush=True)
    return lines


def graphs(only, kept):
    lines = [
        "| graph of 10,000 chunks | system | made in s | and optimised | tasks | bytes a task "
        "| largest |",
        "|---|---|---|---|---|---|---|",
    ]
    print("\n" + "\n".join(lines))
    for name, case in GRAPHS.items():
        for system in SYSTEMS:
            if any(word in name for word in only):
                found = kept[f"graph of {name}, {system}"] = measure("graph", case, system)
                lines.append(
                    pages.row(
                        [
                            name if system == SYSTEMS[0] else "",
                            system,
                            f"{found['made']:.2f}",
                            f"{found['optimised']:.2f}",
                            f"{found['tasks']:,}",
                            f"{found['bytes']:,.0f}",
                            f"{found['largest']:,}",
                        ]
                    )
                )
                print(lines[-1], flush=True)
    return lines


def main():
    options = arguments()
    if options.child:
        child(*options.child)
        return
    about = (
        f"{rivals.processor()}, one thread of {os.cpu_count()} processors; Python "
        f"{platform.python_version()}, dask {importlib.metadata.version('dask')}, numpy "
        f"{importlib.metadata.version('numpy')}; medians of {options.rounds} runs, each in a "
        "process of its own."
    )
    print(f"{about}\n")
    kept = {}
    lines = table(options.rounds, options.only, kept) + [""] + graphs(options.only, kept)
    lines += ["", *textwrap.wrap(about, 109)]
    if options.json:
        options.json.write_text(json.dumps(kept, indent=1), encoding="utf-8")
    if options.write:
        try:
            pages.write(options.write, "chunks", lines)
        except ValueError as error:
            sys.exit(f"chunks: {error}")


if __name__ == "__main__":
    main()
