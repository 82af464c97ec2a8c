#!/usr/bin/env python3
"""Gradients of pads: tensorpad and torch's backward, beside a copy of the gradient that comes in.

SPDX-License-Identifier: MIT

Owns the table. What is measured is in against/gradients.py, how it is timed in rivals.py.
"""

import argparse
import gc
import importlib.metadata
import os
import statistics
import sys
import textwrap

import pages
import rivals


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="workloads whose name holds this")
    parser.add_argument("--seconds", type=float, default=2, help="for each workload; default: 2")
    parser.add_argument("--write", metavar="FILE", help="put the table into this page")
    return parser.parse_args()


def run(name, source, what, seconds):
    """Cells of a row: the copy in us, tensorpad in copies, torch in copies, torch / tensorpad."""
    from against.systems import memcpy

    calls, count = source.make(*what)
    wanted = calls["tensorpad"]()
    for system, call in calls.items():
        if not source.same(call(), wanted):
            sys.exit(f"adjoint: {name}: {system} and tensorpad differ")
    copies = [source.np.ones(count, "u1") for _ in range(2)]
    gc.collect()
    gc.disable()
    times, copying = rivals.measure(calls, memcpy(*copies), seconds, 1)
    gc.enable()
    found = {system: rivals.figures(each, copying) for system, each in times.items()}
    mine = found["tensorpad"]
    cells = [name, f"{statistics.median(copying) * 1e6:,.1f}", rivals.short(mine["ratio"])]
    if "torch" not in found:
        return [*cells, "", ""]
    slower = [a / b for a, b in zip(times["torch"], times["tensorpad"])]
    return [*cells, rivals.short(found["torch"]["ratio"]), rivals.short(statistics.median(slower))]


def main():
    options = arguments()
    rivals.keep_memory()
    rivals.confine(1)
    try:
        from against import gradients
    except ImportError as error:
        sys.exit(f"adjoint: {error}: run `make bench-adjoint`, which installs what is needed")
    about = (
        f"{rivals.processor()}, 1 of {os.cpu_count()} processors, one thread each; tensorpad "
        f"{gradients.tensorpad.__version__}, torch {importlib.metadata.version('torch')}"
    )
    lines = [
        "| gradient | memcpy us | tensorpad | torch | torch / tensorpad |",
        "|---|---|---|---|---|",
    ]
    print("\n".join([about, *lines]))
    for name, what in gradients.workloads().items():
        if options.only in name:
            lines.append(pages.row(run(name, gradients, what, options.seconds)))
            print(lines[-1], flush=True)
    lines += ["", *textwrap.wrap(f"{about}.", 109)]
    if options.write:
        try:
            pages.write(options.write, "adjoint", lines)
        except ValueError as error:
            sys.exit(f"adjoint: {error}")


if __name__ == "__main__":
    main()
