#!/usr/bin/env python3
"""tensorpad and six others on the same workloads, in one run.  SPDX-License-Identifier: MIT

How it is timed and how the figures are printed. How each system is called is in systems.py, and
docs/performance.md tells all of it in words.
"""

import argparse
import gc
import json
import math
import os
import platform
import statistics
import subprocess
import sys
import textwrap
import time

import pages

TURN_SECONDS = 0.001  # how long the calls of one system in a turn are to last
MOST_PAIRS = 20
TINY_REPEATS = 100  # a call that is short beside the clock is repeated
FEWEST_TURNS, MOST_TURNS = 7, 101
WRONG = "a wrong result"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0].split("  ")[0])
    parser.add_argument("--build", default="build", help="where tensorpad was built")
    parser.add_argument("--threads", type=int, default=1, help="for every system; default: 1")
    parser.add_argument(
        "--kernels",
        metavar="NAME",
        help="force tensorpad's kernels, such as avx2; for a build with TENSORPAD_KERNELS_ENV",
    )
    parser.add_argument("--only", default="", help="workloads whose name holds this")
    parser.add_argument("--systems", default="", help="rivals, with commas; default: all")
    parser.add_argument("--seconds", type=float, default=2, help="for each workload; default: 2")
    parser.add_argument("--json", metavar="FILE", help="write all figures there")
    parser.add_argument(
        "--write",
        metavar="FILE",
        nargs="+",
        help="put the table into that one of these pages that has its place",
    )
    return parser.parse_args()


KEEP_MEMORY = "glibc.malloc.mmap_max=0:glibc.malloc.trim_threshold=1000000000000"


def keep_memory():
    """Starts over with a malloc that never gives memory back to the system: who takes no output
    and brings a new one with each call is to find it warm, as the others find theirs."""
    if os.environ.get("GLIBC_TUNABLES") != KEEP_MEMORY:
        os.environ["GLIBC_TUNABLES"] = KEEP_MEMORY
        os.execv(sys.executable, sys.orig_argv)


def confine(threads):
    """As many processors as threads, for all threads of the process, before any library counts
    them: a system that starts more threads than it was told to gains nothing by it."""
    allowed = sorted(os.sched_getaffinity(0))
    if threads > len(allowed):
        sys.exit(f"rivals: --threads {threads}: this process may run on {len(allowed)} processors")
    os.sched_setaffinity(0, allowed[-threads:])
    for name in ("NPROC", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = str(threads)


def timed(call, repeats):
    start = time.perf_counter()
    for _ in range(repeats):
        call()
    return (time.perf_counter() - start) / repeats


def measure(calls, memcpy, seconds, repeats):
    """calls: {name: function}. Seconds of a call in every turn: {name: [...]}, and those of memcpy.
    In a turn the systems come one after the other, each time another one first, and each takes
    turns with memcpy, first untimed and then timed as often: once is not enough to win the caches
    back from the system before. So both find their memory as the other's traffic left it, in the
    caches as far as it fits there, but not in the first of them as if nothing else was going on."""
    pairs = {}
    for name, call in calls.items():
        call()
        pairs[name] = max(1, min(MOST_PAIRS, round(TURN_SECONDS / timed(call, repeats))))
    names = list(calls)
    times, copies = {name: [] for name in names}, []
    end = time.perf_counter() + seconds
    for turn in range(MOST_TURNS):
        if turn >= FEWEST_TURNS and time.perf_counter() > end:
            break
        copying = []
        first = turn % len(names)
        for name in names[first:] + names[:first]:
            call, calling = calls[name], []
            for _ in range(pairs[name]):
                call()
                memcpy()
            for _ in range(pairs[name]):
                calling.append(timed(call, repeats))
                copying.append(timed(memcpy, repeats))
            times[name].append(statistics.median(calling))
        copies.append(statistics.median(copying))
    return times, copies


def figures(times, copies):
    """The median time, and of the time divided by that of memcpy in the same turn the median and
    the quartiles."""
    low, middle, high = statistics.quantiles([t / c for t, c in zip(times, copies)], n=4)
    return {"us": statistics.median(times) * 1e6, "ratio": middle, "low": low, "high": high}


def run(workload, systems, seconds, repeats=1):
    """One workload: {"memcpy_us", "systems": {name: figures or {"cannot": why}}}."""
    import workloads as source
    from systems import Cannot, memcpy

    data = source.sample(workload)
    wanted = source.expected(workload, data)
    copy_target, copy_source = (source.buffer(wanted.shape, wanted.dtype) for _ in range(2))
    copy_source.fill(1)
    calls, found, kept = {}, {}, []
    for system in systems:
        out = source.buffer(wanted.shape, wanted.dtype)
        out.fill(7)  # what is not written is not right by chance
        kept.append(out)  # calls know only where it lies
        try:
            call, result = system.prepare(workload, data, out)
            call()
            if not source.np.array_equal(result(), wanted):
                raise Cannot(WRONG)
            calls[system.name] = call
        except Cannot as why:
            found[system.name] = {"cannot": str(why)}
    gc.collect()
    gc.disable()
    times, copies = measure(calls, memcpy(copy_target, copy_source), seconds, repeats)
    gc.enable()
    found |= {name: figures(each, copies) for name, each in times.items()}
    return {
        "name": workload.name,
        "bytes": wanted.nbytes,
        "turns": len(copies),
        "memcpy_us": statistics.median(copies) * 1e6,
        "systems": {system.name: found[system.name] for system in systems},
    }


def best_rival(row):
    """Its name and how many times as long as tensorpad it takes, or None."""
    ratios = {name: found["ratio"] for name, found in row["systems"].items() if "ratio" in found}
    mine = ratios.pop("tensorpad", None)
    if mine is None or not ratios:
        return None
    name = min(ratios, key=ratios.get)
    return name, ratios[name] / mine


def short(ratio):
    return f"{ratio:.2f}" if ratio < 9.995 else f"{ratio:.1f}" if ratio < 99.95 else f"{ratio:.0f}"


def cell(found):
    if "ratio" in found:
        return short(found["ratio"])
    return "wrong" if found["cannot"] == WRONG else "-"


def print_line(title, cells, last=""):
    print(f"{title:37}" + "".join(f"{each:>10}" for each in cells) + f"  {last}", flush=True)


def print_row(row):
    best = best_rival(row)
    last = f"{best[1]:.2f} {best[0]}" if best else "-"
    cells = [cell(found) for found in row["systems"].values()]
    print_line(row["name"], [f"{row['memcpy_us']:.1f}"] + cells, last)


def geometric_mean(values):
    return math.exp(statistics.fmean(math.log(value) for value in values))


def summary(rows, tiny):
    """How tensorpad compares with the best rival of each workload, [2,3] included."""
    gains = [best[1] for best in map(best_rival, [*rows, tiny]) if best]
    if not gains:
        return None
    return {
        "first": sum(gain > 1 for gain in gains),
        "of": len(gains),
        "geomean": geometric_mean(gains),
        "least": min(gains),
    }


def print_summary(rows, tiny, kernels):
    found = summary(rows, tiny)
    print()
    if found:
        print(
            f"tensorpad (kernels {kernels}): first of all on {found['first']} of {found['of']},"
            f" {tiny['name']} included; best rival / tensorpad: geometric mean"
            f" {found['geomean']:.2f}, least {found['least']:.2f}"
        )
    spreads = {}
    for row in rows:
        for name, found in row["systems"].items():
            if "ratio" in found:
                spread = (found["high"] - found["low"]) / found["ratio"]
                spreads.setdefault(name, []).append(spread)
    print(
        "spread, (third - first quartile) / median, the middle one of all workloads: "
        + ", ".join(f"{name} {statistics.median(each):.0%}" for name, each in spreads.items())
    )


def print_reasons(rows):
    reasons = {}
    for row in rows:
        for name, found in row["systems"].items():
            if "cannot" in found:
                reasons.setdefault(f"{name}: {found['cannot']}", []).append(row["name"])
    if reasons:
        print("\nNot measured:")
    for reason, names in reasons.items():
        line = f"{reason}: {'; '.join(names)}"
        print(textwrap.fill(line, 120, initial_indent="  ", subsequent_indent="      "))


def page(report):
    """The table and what follows from it, as lines of Markdown."""
    names = list(report["versions"])
    lines = [
        pages.row(["workload", *names, "best rival / tensorpad"]),
        "|---" * (len(names) + 2) + "|",
    ]
    for each in report["workloads"]:
        best = best_rival(each)
        lines.append(
            pages.row(
                [
                    each["name"],
                    *(cell(each["systems"][name]) for name in names),
                    f"{best[1]:.2f} {best[0]}" if best else "-",
                ]
            )
        )
    found, tiny = report["summary"], report["call"]
    threads = "1 thread" if report["threads"] == 1 else f"{report['threads']} threads"
    lines += ["", f"{report['processor']}; {threads}; tensorpad's kernels: {report['kernels']}."]
    if found:
        lines += [
            f"tensorpad is first of all on {found['first']} of {found['of']}, {tiny['name']}",
            f"included. The best rival takes {found['geomean']:.2f} times as long in the",
            f"geometric mean, and {found['least']:.2f} times as long in the worst case.",
        ]
    return lines


def print_calls(tiny):
    times = {"memcpy": tiny["memcpy_us"]}
    times |= {name: found["us"] for name, found in tiny["systems"].items() if "us" in found}
    costs = ", ".join(f"{name} {each:.2f}" for name, each in times.items())
    print(f"\nWhat a call costs: {tiny['name']}, in us: {costs}")


def processor():
    try:
        with open("/proc/cpuinfo", encoding="ascii") as lines:
            return next(line.split(":")[1].strip() for line in lines if "model name" in line)
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def main():
    options = arguments()
    keep_memory()
    confine(options.threads)
    try:
        import systems as all_systems
        import workloads as source
    except ImportError as error:
        sys.exit(f"rivals: {error}: run bench/run.sh rivals, which installs what is needed")
    wanted = [name for name in options.systems.split(",") if name]
    known = [rival.name for rival in all_systems.RIVALS]
    for name in wanted:
        if name not in known:
            sys.exit(f"rivals: --systems {name}: none of {', '.join(known)}")
    if options.kernels:
        os.environ["TENSORPAD_KERNELS"] = options.kernels
    try:
        systems, missing = all_systems.start(options.threads, options.build, wanted)
    except (OSError, RuntimeError) as error:
        sys.exit(f"rivals: tensorpad: {error}")
    kernels = systems[0].kernels
    if options.kernels and kernels != options.kernels:
        sys.exit(
            f"rivals: --kernels {options.kernels}: tensorpad runs with {kernels}; this processor"
            " has no others, or the build is without TENSORPAD_KERNELS_ENV"
        )
    if options.kernels:
        kernels += ", forced"
    try:
        workloads = source.workloads(f"{options.build}/tensorpad")
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"rivals: no list of workloads: {error}")
    workloads = [workload for workload in workloads if options.only in workload.name]
    if not workloads:
        sys.exit(f"rivals: --only {options.only}: no workload has this in its name")

    versions = {system.name: system.version for system in systems}
    print(f"{processor()}, {options.threads} of {os.cpu_count()} processors")
    print(", ".join(f"{name} {version}" for name, version in versions.items()))
    print(f"kernels of tensorpad: {kernels}")
    for name, why in missing.items():
        print(f"without {name}: {why}")
    print("Time of a call divided by the time of memcpy of the output.\n")
    print_line("", ["memcpy us"] + list(versions), "best rival / tensorpad")
    rows = []
    for workload in workloads:
        rows.append(run(workload, systems, options.seconds))
        print_row(rows[-1])
    tiny = run(source.TINY, systems, options.seconds, TINY_REPEATS)
    print_summary(rows, tiny, kernels)
    print_calls(tiny)
    print_reasons(rows)

    report = {
        "processor": processor(),
        "threads": options.threads,
        "kernels": kernels,
        "versions": versions,
        "missing": missing,
        "workloads": rows,
        "call": tiny,
        "summary": summary(rows, tiny),
    }
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(report, file, indent=1)
    place = "rivals-avx2" if kernels.startswith("avx2") else "rivals"
    if options.write:
        try:
            pages.write_where(options.write, place, page(report))
        except ValueError as error:
            sys.exit(f"rivals: {error}")


if __name__ == "__main__":
    main()
