#!/usr/bin/env python3
"""Runs `tensorpad bench` with each variant of the kernels in alternating turns, or compares two builds.

    bench/run.sh variants                                builds, and measures
    bench/variants.py                                    a table, one column for each variant
    bench/variants.py --against OTHER/build              this build against another one

The programs must be built with TENSORPAD_KERNELS_ENV, because the variable TENSORPAD_KERNELS chooses the
variant. A variant that the processor does not have is left out. Small calls are timed without that
variable, because plans of a forced variant have no lists (docs/development/internals.md). A round runs every workload
with every variant, one after the other, in processes of their own. A figure is the median over the rounds of the
medians that `tensorpad bench` prints; after it are the quartiles of these medians.

SPDX-License-Identifier: MIT
"""

import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys

import pages
from pages import row

NAMES = {
    "avx512": "AVX-512 VBMI",
    "avx512bw": "AVX-512 BW",
    "avx2": "AVX2",
    "ssse3": "SSSE3",
    "neon": "NEON",
    "plain": "plain C",
}
TABLE = "variants"  # the name of the place in the pages
WITHOUT_AVX512 = "avx2"  # what a processor without AVX-512 chooses, whose places end in this name


def forced(kernels):
    """The environment in which a program runs with these kernels; None: with its own choice."""
    environment = {key: text for key, text in os.environ.items() if key != "TENSORPAD_KERNELS"}
    return environment | ({"TENSORPAD_KERNELS": kernels} if kernels else {})


class Column:
    """One program with one variant, and what was measured of it."""

    def __init__(self, title, program, kernels):
        self.title, self.program, self.kernels = title, str(program), kernels
        self.times, self.ratios = {}, {}  # name of a workload or call: [one for each round]

    def ask(self, *words):
        environment = forced(self.kernels)
        words = [self.program, "bench", "--json", *words]
        done = subprocess.run(words, capture_output=True, text=True, env=environment)
        if done.returncode != 0:
            sys.exit(f"variants: {' '.join(words)}: {done.stderr.strip()}")
        return json.loads(done.stdout)

    def measure(self, name):
        found = self.ask("--only", name)
        for entry in found["workloads"]:
            self.times.setdefault(name, []).append(entry["run_ns"]["median"])
            self.ratios.setdefault(name, []).append(entry["ratio"]["median"])
        for entry in found["calls"]:
            if entry["name"] == name:
                self.times.setdefault(name, []).append(entry["ns"]["median"])

    def medians(self):
        """{workload: the median of its ratios}"""
        return {name: statistics.median(values) for name, values in self.ratios.items()}


def fail(text):
    sys.exit(f"variants: {text}")


def program_of(folder):
    program = pathlib.Path(folder) / "tensorpad"
    if not os.access(program, os.X_OK):
        fail(f"{program} cannot be run; `bench/run.sh variants` builds what is needed")
    return program.resolve()


def kernels_of(program, kernels):
    """The kernels that the program takes if those of that name are asked for; None: its own choice."""
    environment = forced(kernels)
    words = [str(program), "--version"]
    done = subprocess.run(words, capture_output=True, text=True, env=environment, check=True)
    return next(line.split(": ")[1] for line in done.stdout.splitlines() if "kernels: " in line)


def variants_of(program, wanted):
    found = [name for name in NAMES if kernels_of(program, name) == name]
    for name in wanted:
        if name not in found:
            fail(
                f"{program} has no kernels {name} here (or was built without "
                f"TENSORPAD_KERNELS_ENV); it has {', '.join(found)}"
            )
    return wanted or found


def three(values):
    """Median and quartiles."""
    if len(values) == 1:
        return values[0], values[0], values[0]
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    return middle, low, high


def short(value):
    return f"{value:.2f}" if value < 9.995 else f"{value:.1f}" if value < 99.95 else f"{value:.0f}"


def cell(values):
    if not values:
        return "-"
    middle, low, high = three(values)
    if len(values) == 1:
        return short(middle)
    return f"{short(middle)} ({short(low)}..{short(high)})"


def geometric_mean(values):
    return math.exp(statistics.fmean(math.log(value) for value in values))


def rounds_of(columns, listed, options):
    """Measures all that is listed; the columns keep the figures."""
    names = [entry["name"] for entry in listed["workloads"]] + listed["calls"]
    for number in range(options.rounds):
        for place, name in enumerate(names):
            first = (number + place) % len(columns)
            for column in columns[first:] + columns[:first]:
                column.measure(name)
        if listed["workloads"]:
            print(f"round {number + 1} of {options.rounds}", file=sys.stderr, flush=True)


def machine_of(column):
    found = column.ask("--only", "3,3]")
    return (
        f"{found['machine']['cpu']}, {found['machine']['cores']} cores; tensorpad "
        f"{found['version']}, compiler {found['compiler']}"
    )


def table(columns, calls, listed, options):
    """Lines of Markdown; calls: a column that is not forced."""
    lines = [
        row(["workload"] + [column.title for column in columns]),
        "|---|" + "---|" * len(columns),
    ]
    for entry in listed["workloads"]:
        name = entry["name"]
        lines.append(row([name] + [cell(column.ratios[name]) for column in columns]))
    if listed["workloads"]:
        means = [column.medians().values() for column in columns]
        lines.append(row(["**geometric mean**"] + [f"**{geometric_mean(m):.2f}**" for m in means]))
        lines.append(row(["**worst**"] + [f"**{short(max(m))}**" for m in means]))
    lines += [
        "",
        f"{machine_of(columns[0])}.",
        f"Each variant was forced. Medians of {options.rounds} rounds "
        "in alternating turns; the quartiles of the rounds are in",
        "brackets.",
    ]
    if calls.times:
        lines += [
            "",
            f"Small calls, not forced (kernels {kernels_of(calls.program, None)}):",
            "",
            row(["call", "ns"]),
            "|---|---|",
        ]
        lines += [row([name, cell(times)]) for name, times in calls.times.items()]
    return lines


def against(old, new, listed):
    """Prints both, and the new time divided by the old one, round by round."""
    print(
        f"{new.title}\n{'':38} {'old, to memcpy':>20} {'new, to memcpy':>20} {'new / old time':>20}"
    )
    gains = []
    for name in [entry["name"] for entry in listed["workloads"]] + listed["calls"]:
        paired = [n / o for n, o in zip(new.times[name], old.times[name])]
        if name in new.ratios:
            gains.append(statistics.median(paired))
            shown = cell(old.ratios[name]), cell(new.ratios[name])
        else:
            shown = [f"{statistics.median(c.times[name]):.1f} ns" for c in (old, new)]
        print(f"{name:38} {shown[0]:>20} {shown[1]:>20} {cell(paired):>20}")
    if not gains:
        return
    means = [geometric_mean(column.medians().values()) for column in (old, new)]
    worst = [max(column.medians().values()) for column in (old, new)]
    middle, low, high = three(gains)
    print(
        f"{'geometric mean':38} {means[0]:>20.2f} {means[1]:>20.2f} {geometric_mean(gains):>20.2f}"
    )
    print(f"{'worst':38} {worst[0]:>20.2f} {worst[1]:>20.2f} {max(gains):>20.2f}")
    print(
        f"quartiles of new / old over the workloads: {low:.2f}, {middle:.2f}, {high:.2f}; faster on"
        f" {sum(gain < 1 for gain in gains)} of {len(gains)}\n"
    )


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build/variants", help="default: build/variants")
    parser.add_argument(
        "--tableless", metavar="DIR", help="a build with TPAD_TABLE_BYTES=0: one more column"
    )
    parser.add_argument(
        "--variants", default="", help="with commas; default: all that the machine has"
    )
    parser.add_argument("--rounds", type=int, default=7, help="default: 7")
    parser.add_argument("--only", default="", help="workloads with this in their names")
    parser.add_argument("--against", metavar="DIR", help="the folder of another build")
    parser.add_argument(
        "--write",
        metavar="FILE",
        nargs="+",
        help="also put the table into that one of these pages that has its place",
    )
    return parser.parse_args()


def main():
    options = arguments()
    program = program_of(options.build)
    wanted = [name for name in options.variants.split(",") if name]
    words = ["--list"] + (["--only", options.only] if options.only else [])
    if options.against:
        other = program_of(options.against)
        for name in variants_of(program, wanted) if wanted else [None]:
            old = Column("old", other, name)
            new = Column(
                f"kernels {kernels_of(program, name)} (old: {kernels_of(other, name)})",
                program,
                name,
            )
            listed, known = new.ask(*words), old.ask("--list")
            listed["calls"] = [call for call in listed["calls"] if call in known["calls"]]
            rounds_of([old, new], listed, options)
            against(old, new, listed)
        return
    columns = [Column(NAMES[name], program, name) for name in variants_of(program, wanted)]
    if options.tableless:
        columns.append(Column("plain C, no tables", program_of(options.tableless), "plain"))
    listed = columns[0].ask(*words)
    rounds_of(columns, listed | {"calls": []}, options)
    calls = Column("calls", program, None)
    rounds_of([calls], listed | {"workloads": []}, options)
    lines = table(columns, calls, listed, options)
    print("\n".join(lines))
    if options.write:
        place = TABLE
        if kernels_of(program, None) == WITHOUT_AVX512:
            place += f"-{WITHOUT_AVX512}"
        try:
            pages.write_where(options.write, place, lines)
        except ValueError as error:
            fail(error)


if __name__ == "__main__":
    main()
