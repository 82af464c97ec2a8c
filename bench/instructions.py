#!/usr/bin/env python3
"""Counts the instructions of some workloads with callgrind and compares them with bench/instructions.json.

Usage: instructions.py PROGRAM... [--update]     PROGRAM: build/instructions, build/instructions_small

A count shows a slower way through the code on a machine of any speed, and busy or not. Valgrind plays
a processor of its own, with AVX2 at best, so what is counted are the kernels chosen for that one; the
record has one entry for each name of kernels. Counts also depend on the compiler, which the record
names; with another one, or with kernels that have no record, nothing is compared. Status: 0 all within
the tolerance or better, 1 a count grew, is new or is gone, 2 wrong usage or the counting failed. --update records what was counted; entries of other kernels stay.

SPDX-License-Identifier: MIT
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

RECORD = pathlib.Path(__file__).resolve().with_name("instructions.json")
TOLERANCE = 0.03
# Callgrind takes each byte of a `rep movsb` for an instruction, which would hide all others.
ENVIRONMENT = os.environ | {
    "GLIBC_TUNABLES": "glibc.cpu.x86_rep_movsb_threshold=0x7fffffff:"
    "glibc.cpu.x86_rep_stosb_threshold=0x7fffffff"
}
NO_SUCH_NUMBER = 3  # the program's status after the last workload
NO_SUCH_PAD = 4  # and for a workload that the small build does not have


def fail(text):
    print(f"instructions: {text}", file=sys.stderr)
    sys.exit(2)


def libc():
    return os.confstr("CS_GNU_LIBC_VERSION") or "unknown"


def count(program, number):
    """Name, kernels, compiler and count of one workload, () if the build does not have it; None after the last."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out"
        words = [
            "valgrind",
            "--tool=callgrind",
            "--collect-atstart=no",
            "--toggle-collect=counted",
            f"--callgrind-out-file={out}",
            str(program),
            str(number),
        ]
        try:
            done = subprocess.run(words, capture_output=True, text=True, env=ENVIRONMENT)
        except FileNotFoundError:
            fail("there is no valgrind; `bench/run.sh check` installs it")
        if done.returncode == NO_SUCH_NUMBER:
            return None
        if done.returncode == NO_SUCH_PAD:
            return ()
        if done.returncode != 0:
            fail(f"{' '.join(words)}: status {done.returncode}\n{done.stderr.strip()}")
        total = re.search(r"^(?:summary|totals): (\d+)", out.read_text(), re.M)
    if not total or int(total[1]) == 0:
        fail(f"{' '.join(words)}: callgrind saw no call of counted()")
    name, kernels, compiler = done.stdout.splitlines()
    return name, kernels, compiler, int(total[1])


def count_all(program):
    """{kernels: {"compiler", "libc", "counts": {name: count}}}"""
    counted = {}
    number = 0
    while (found := count(program, number)) is not None:
        number += 1
        if found:
            name, kernels, compiler, instructions = found
            entry = counted.setdefault(
                kernels, {"compiler": compiler, "libc": libc(), "counts": {}}
            )
            entry["counts"][name] = instructions
    if not counted:
        fail(f"{program} knows no workload")
    return counted


def compare(kernels, entry, recorded):
    """Prints a table; returns whether nothing grew, and whether something got better."""
    print(f"kernels: {kernels}")
    for key in ("compiler", "libc"):
        if entry[key] != recorded.get(key):
            print(f"  not compared: recorded with {key} {recorded.get(key)}, this is {entry[key]}")
            return True, False
    good, better = True, False
    old = recorded.get("counts", {})
    print(f"  {'instructions':>12} {'recorded':>12}")
    for name, instructions in entry["counts"].items():
        before = old.get(name)
        verdict = "NEW"
        if before:
            change = instructions / before - 1
            verdict = f"{change:+.1%}"
            if change > TOLERANCE:
                verdict += " GREW"
            if change < -TOLERANCE:
                verdict += " better"
                better = True
        good &= "NEW" not in verdict and "GREW" not in verdict
        print(f"  {instructions:>12} {before or '-':>12}  {name}  {verdict}")
    for name in old.keys() - entry["counts"].keys():
        print(f"  {'-':>12} {old[name]:>12}  {name}  GONE")
        good = False
    return good, better


def main():
    parser = argparse.ArgumentParser(description="Counts instructions and compares them.")
    parser.add_argument("programs", type=pathlib.Path, nargs="+", help="build/instructions")
    parser.add_argument("--update", action="store_true", help="record what was counted")
    options = parser.parse_args()
    for program in options.programs:
        if not os.access(program, os.X_OK):
            fail(f"{program} cannot be run; `bench/run.sh check` builds it")
    record = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    counted = {k: v for program in options.programs for k, v in count_all(program).items()}
    good, better = True, False
    for kernels, entry in counted.items():
        verdict = compare(kernels, entry, record.get(kernels, {}))
        good &= verdict[0]
        better |= verdict[1]
    if options.update:
        record.update(counted)
        RECORD.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
        print(f"recorded in {RECORD}")
        return 0
    if better:
        print("Some counts got better: `bench/run.sh check --update` records them.")
    if not good:
        print(
            "Some counts grew, are new or are gone. If that is meant: `bench/run.sh check --update`."
        )
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
