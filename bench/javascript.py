#!/usr/bin/env python3
"""Pads in JavaScript: the package, a plain loop, onnxruntime-web and tfjs.

SPDX-License-Identifier: MIT

Owns which workloads are timed, how often, and the table. What each system is asked to do is in
javascript/systems.mjs, and docs/javascript.md tells all of it in words.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import textwrap

import pages
import rivals

# A call with almost nothing to do, which the command does not time.
EIGHT = {
    "name": "f32 [8] 1 constant",
    "dtype": "float32",
    "shape": [8],
    "begin": [1],
    "end": [1],
    "interior": [0],
    "mode": "constant",
    "out_shape": [10],
}
# Small and large, every mode, rows that are long and rows of two or three elements.
WORKLOADS = (
    EIGHT["name"],
    "f32 [1,64,112,112] H,W 1 constant",
    "f32 [8,512,7,7] H,W 1 reflect",
    "f32 [1,64,56,56] H,W 1 edge",
    "f32 [1,64,56,56] H,W 1 wrap",
    "f32 [8,64,112,112] H,W 1 reflect",
    "f32 [64,64,3,3] last two 1 constant",
    "f32 [1,224,224,3] H,W 3 constant",
    "u8 [1080,1920,3] H,W 16 symmetric",
    "u8 [1,224,224,3] channels 3 -> 4",
    "u8 [1080,1920,3] crop to 1024x960",
)
ARRAYS = ("plain loop", "onnxruntime-web", "tfjs arrays", "tensorpad arrays")
MEMORY = ("tfjs memory", "tensorpad memory")
HEAD = (
    "workload",
    "plain loop",
    "onnxruntime-web",
    "tfjs",
    "**tensorpad**",
    "tfjs, its tensors",
    "**tensorpad, its memory**",
)
PACKAGES = ("onnxruntime-web", "@tensorflow/tfjs-core")
MEASURE = pathlib.Path(__file__).parent / "javascript/measure.mjs"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("home", help="the folder into which npm installed the packages")
    parser.add_argument("--command", default="build/tensorpad", help="it lists the workloads")
    parser.add_argument("--only", default="", help="workloads whose name holds this")
    parser.add_argument("--seconds", type=float, default=1, help="of each process; default: 1")
    parser.add_argument("--processes", type=int, default=5, help="for each workload; default: 5")
    parser.add_argument("--write", metavar="FILE", help="put the table into this page")
    return parser.parse_args()


def run(workload, home, seconds):
    """Microseconds of every turn, {system: [...]}, and {library: why it is missing}."""
    ran = subprocess.run(
        ["node", MEASURE, home, str(seconds)],
        input=json.dumps(workload),
        capture_output=True,
        text=True,
    )
    if ran.returncode:
        sys.exit(f"javascript: {workload['name']}: {ran.stderr.strip()}")
    answer = json.loads(ran.stdout)
    return answer["times"], answer["missing"]


def quietest(processes):
    """Of several runs of one workload the one that other programs disturbed least: the least
    geometric mean of the medians of all systems, so that no system chooses its own best run."""
    return min(
        processes,
        key=lambda ran: statistics.geometric_mean(
            statistics.median(turns) for turns in ran[0].values()
        ),
    )


def fastest_loop(times):
    """The name of the plain loop that is the fastest on this workload."""
    loops = [system for system in times if system.startswith("loop: ")]
    return min(loops, key=lambda system: statistics.median(times[system]))


def figure(times):
    middle = statistics.median(times)
    return f"{middle:,.{2 if middle < 1 else 1 if middle < 100 else 0}f}"


def spread(times):
    """How far apart the quartiles are, as a share of the median."""
    low, middle, high = statistics.quantiles(times, n=4)
    return (high - low) / middle


def cells(times, group):
    """The figures of a group of systems, the first of them bold; `-` for those that are missing."""
    medians = {system: statistics.median(times[system]) for system in group if system in times}
    first = min(medians, key=medians.get)
    return [
        f"**{figure(times[system])}**"
        if system == first
        else figure(times[system])
        if system in times
        else "-"
        for system in group
    ], first


def version(home, package):
    found = json.loads((home / "node_modules" / package / "package.json").read_text())
    return f"{package} {found['version']}"


def main():
    options = arguments()
    home = pathlib.Path(options.home).resolve()
    listed = subprocess.run(
        [options.command, "bench", "--list", "--json"], check=True, capture_output=True, text=True
    )
    workloads = {entry["name"]: entry for entry in (EIGHT, *json.loads(listed.stdout)["workloads"])}
    node = subprocess.run(["node", "--version"], check=True, capture_output=True, text=True).stdout
    lines = [pages.row(HEAD), pages.row(["---"] + ["--:"] * (len(HEAD) - 1))]
    print("Microseconds of a call.\n" + "\n".join(lines))
    names = [name for name in WORKLOADS if options.only in name]
    best, loops, spreads = [0, 0], [], []
    for name in names:
        times, missing = quietest(
            [run(workloads[name], home, options.seconds) for _ in range(options.processes)]
        )
        times["plain loop"] = times[fastest_loop(times)]
        loops.append(fastest_loop(times).removeprefix("loop: "))
        spreads += [spread(times[system]) for system in ARRAYS + MEMORY if system in times]
        arrays, first = cells(times, ARRAYS)
        memory, second = cells(times, MEMORY)
        best[0] += first == ARRAYS[-1]
        best[1] += second == MEMORY[-1]
        lines.append(pages.row([f"`{name}`", *arrays, *memory]))
        print(lines[-1], flush=True)
        for library, why in missing.items():
            print(f"  no {library}: {why}", file=sys.stderr)
    versions = ", ".join(version(home, package) for package in PACKAGES)
    about = (
        f"{rivals.processor()}, 1 of {os.cpu_count()} processors; Node {node.strip()[1:]}, "
        f"{versions}. tensorpad is first on {best[0]} of {len(names)} with typed arrays and on "
        f"{best[1]} with its own memory. The quartiles of a figure are "
        f"{statistics.median(spreads):.0%} of it apart, at the worst {max(spreads):.0%}. The "
        f"plain loops, from above: {', '.join(loops)}."
    )
    lines += ["", *textwrap.wrap(about, 109)]
    print("\n".join(lines[lines.index("") :]))
    if options.write:
        try:
            pages.write(options.write, "javascript", lines)
        except ValueError as error:
            sys.exit(f"javascript: {error}")


if __name__ == "__main__":
    main()
