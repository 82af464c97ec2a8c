#!/usr/bin/env python3
"""Ragged batches, pads to a size and frames in a colour: tensorpad's Python package and what people use,
in one run.

SPDX-License-Identifier: MIT

Owns how it is timed and the table. What each system is asked to do is in against/ragged.py.
"""

import argparse
import gc
import importlib.metadata
import os
import platform
import statistics
import sys
import textwrap
import time

import pages
import rivals

TURN_SECONDS = 0.001  # how long the calls of one system in a turn last at least
FEWEST_TURNS, MOST_TURNS = 11, 301
PACKAGES = ("numpy", "torch", "transformers", "opencv-python-headless", "monai")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="workloads whose name holds this")
    parser.add_argument("--seconds", type=float, default=3, help="for each workload; default: 3")
    parser.add_argument("--write", metavar="FILE", help="put the table into this page")
    return parser.parse_args()


def same(found, wanted):
    """Whether two results hold the same numbers, whatever their types."""
    import numpy

    return len(found) == len(wanted) and all(
        numpy.array_equal(numpy.asarray(a), numpy.asarray(b)) for a, b in zip(found, wanted)
    )


def measure(calls, seconds):
    """Seconds of a call in every turn: {system: [...]}. In a turn the systems come one after the
    other, each time another one first."""
    repeats = {
        name: max(1, round(TURN_SECONDS / rivals.timed(call, 3))) for name, call in calls.items()
    }
    names = list(calls)
    times = {name: [] for name in names}
    end = time.perf_counter() + seconds
    for turn in range(MOST_TURNS):
        if turn >= FEWEST_TURNS and time.perf_counter() > end:
            break
        first = turn % len(names)
        for name in names[first:] + names[:first]:
            times[name].append(rivals.timed(calls[name], repeats[name]))
    return times


def run(name, calls, seconds):
    """Rows (system, median, first and third quartile, median as a multiple of tensorpad's)."""
    wanted = calls["tensorpad"]()
    for system, call in calls.items():
        if not same(call(), wanted):
            sys.exit(f"fits: {name}: {system} and tensorpad differ")
    gc.collect()
    gc.disable()
    times = measure(calls, seconds)
    gc.enable()
    rows = []
    for system, each in times.items():
        low, middle, high = statistics.quantiles(each, n=4)
        rows.append((system, middle, low, high))
    mine = rows[0][1]
    return [(*row, row[1] / mine) for row in rows]


def figure(seconds):
    return f"{seconds * 1e6:,.1f}" if seconds < 1e-4 else f"{seconds * 1e6:,.0f}"


def main():
    options = arguments()
    rivals.keep_memory()
    rivals.confine(1)
    try:
        from against import ragged
    except ImportError as error:
        sys.exit(f"fits: {error}: run `make bench-fits`, which installs what is needed")
    versions = [f"tensorpad {ragged.tensorpad.__version__}"]
    for package in PACKAGES:
        try:
            versions.append(f"{package} {importlib.metadata.version(package)}")
        except importlib.metadata.PackageNotFoundError:
            versions.append(f"without {package}")
    machine = f"{rivals.processor()}, 1 of {os.cpu_count()} processors, one thread each"
    about = f"Python {platform.python_version()}, {', '.join(versions)}"
    print(f"{machine}\n{about}")
    print("Median and quartiles in us, and the median divided by tensorpad's.\n")
    lines = ["| workload | system | median us | quartiles | / tensorpad |", "|---|---|---|---|---|"]
    print("\n".join(lines))
    for name, make in ragged.WORKLOADS.items():
        if options.only not in name:
            continue
        for place, row in enumerate(run(name, make(), options.seconds)):
            system, middle, low, high, ratio = row
            lines.append(
                pages.row(
                    [
                        name if place == 0 else "",
                        system,
                        figure(middle),
                        f"{figure(low)} to {figure(high)}",
                        rivals.short(ratio),
                    ]
                )
            )
            print(lines[-1], flush=True)
    lines += ["", *textwrap.wrap(f"{machine}; {about}.", 109)]
    if options.write:
        try:
            pages.write(options.write, "fits", lines)
        except ValueError as error:
            sys.exit(f"fits: {error}")


if __name__ == "__main__":
    main()
