#!/usr/bin/env python3
"""Runs the tests in one of four tiers: `test` (minutes), `full` (what guards the main branch), `all` (hours), and
`release` (what needs a network and 30 GB: versions of other packages, their own tests, random models).

Usage: run.py TIER [PATTERN] [--list]

A tier contains the tiers before it. With PATTERN, just the parts run in whose names this regular expression is
found, and the builds. --list prints the parts. None takes more than an hour on two cores. Each part prints its
time; the last lines name the parts that failed. Status 1 if a part failed; then the parts of the last two tiers
do not begin.

The labels in tests/CMakeLists.txt say which tests of ctest belong to a tier. TENSORPAD_QUICK is set where
long tests do a share of their work (conftest.py, tests/support/random_main.c).
SPDX-License-Identifier: MIT
"""

import argparse
import dataclasses
import os
import pathlib
import re
import resource
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
TIERS = ["test", "full", "all", "release"]
JOBS = os.cpu_count() or 1
QUICK = {"TENSORPAD_QUICK": "1"}
SANITIZERS = {
    "ASAN_OPTIONS": "detect_leaks=1:allocator_may_return_null=1",
    "UBSAN_OPTIONS": "print_stacktrace=1",
}
# Tests of the Python package that move data: what the sanitizers can find there. They need more memory than
# verify allows its processes.
MOVES = (
    "(hostile or arrays or pad or plan or numbers or refusals or random or batch or show)"
    " and not (dask or zarr or xarray or dropin or verify)"
)
# Under the sanitizers the tests run once for each variant of the kernels. The tier `test` takes the plain
# ones, but for long random tests, and the best that this processor has ({best}).
FIRST = r"quick(\.(plain|{best}))?|share\.{best}"

MACHINES = {
    "32 bits and x86": "x86-32 x86-64-Haswell x86-64-Conroe x86-64-qemu64",
    "ARM": "armv7 aarch64",
    "big-endian": "s390x",
    "Cortex-M": "cortex-m3 cortex-m4 cortex-m7 cortex-m55",
    "RISC-V and ARC": "riscv32 riscv64 arc-hs",
}


def build(preset, folder, target="all"):
    """A warning is an error. The preset `default` does not say so, as its folder is that of `make`, too."""
    log = f"build/configure-{preset}.log"
    return (
        f"cmake --preset {preset} -DTENSORPAD_TESTS=ON -Wno-dev > {log} || {{ cat {log}; exit 1; }}\n"
        f"grep -e '-- without' -e 'is missing' {log} || true\n"
        f'said=$(cmake --build {folder} --target {target} -- --quiet 2>&1) || {{ echo "$said"; exit 1; }}\n'
        f'case $said in *warning:*) echo "$said"; exit 1 ;; esac'
    )


def full_tests(folder):
    """Builds the programs that only the tiers after `test` run."""
    return f"cmake --build {folder} --target all full_tests -- --quiet\n"


def ctest(folder, choice):
    return f"ctest --test-dir {folder} --output-on-failure -j {JOBS} {choice}"


@dataclasses.dataclass
class Part:
    name: str
    tier: str
    command: str  # of the shell
    environment: dict = dataclasses.field(default_factory=dict)
    needed: bool = False  # nothing goes on without it, and it always runs


PARTS = [
    Part("release build", "test", build("default", "build"), needed=True),
    Part(
        "sanitized build", "test", build("sanitize", "build/sanitize", "quick_tests"), needed=True
    ),
    Part("tests", "test", ctest("build", "-L '^(quick|share)$'"), QUICK),
    Part("tests, sanitized", "test", ctest("build/sanitize", f"-L '^({FIRST})$'"), QUICK),
    Part("Python package", "test", f"tests/runners/python.sh -n {JOBS}", QUICK),
    Part("JavaScript", "test", "tests/runners/javascript.sh", QUICK),
    # clang looks at each step of a sum of pointers; gcc adds up the numbers first, and sees the sum alone.
    Part(
        "clang build",
        "full",
        build("clang", "build/clang") + "\n" + ctest("build/clang", "-R '^test_limits\\.'"),
    ),
    Part("tests, the rest", "full", full_tests("build") + ctest("build", "-L '^(share|full)$'")),
    Part(
        "tests, sanitized, the rest",
        "full",
        full_tests("build/sanitize") + ctest("build/sanitize", f"-LE '^({FIRST}|all)$'"),
        QUICK,
    ),
    Part(
        "Python package, the rest", "full", f"tests/runners/python.sh -n {JOBS} -m 'long or share'"
    ),
    Part(
        "Python package, sanitized",
        "full",
        f"tests/runners/python.sh --sanitize -n {JOBS} -k '{MOVES}'",
    ),
    Part("JavaScript, the rest", "full", "tests/runners/javascript.sh -m long"),
    Part("instructions", "full", "bench/run.sh check"),
    Part("coverage of the library", "full", "tests/runners/coverage.sh library"),
    Part("long tests", "all", full_tests("build") + ctest("build", "-L '^(sample|all)$'")),
    Part("tests, sanitized, all", "all", ctest("build/sanitize", "-L '^(share|sample|all)'")),
    Part("coverage", "all", "tests/runners/coverage.sh"),
    *(
        Part(f"other machines: {what}", "all", f"tests/machines/run.sh {machines}")
        for what, machines in MACHINES.items()
    ),
    Part(
        "levels of optimisation",
        "all",
        "printf 'gcc clang' | xargs -d ' ' -P 2 -I CC scripts/check/amalgamation.sh build CC levels",
    ),
    Part("Windows, and macOS", "all", "tests/platforms/run.sh"),
    Part("proofs", "all", "src/core/proof/prove.sh"),
    Part("exhaustive", "all", "CASES=30000000 tests/runners/exhaustive.sh"),
    Part("fuzzing", "all", "tests/fuzz/fuzz.sh 75"),
    Part(
        "Python package, long",
        "all",
        "tests/runners/python.sh -k 'cluster or many_times_the_memory'",
        {"TENSORPAD_KILLS": "20", "TENSORPAD_LONG": "1"},
    ),
    Part("oldest and newest dask, zarr and torch", "release", "tests/runners/extras.py"),
    Part(
        "npm package in bundlers and runtimes",
        "release",
        "scripts/javascript/npm.py && javascript/hosts/run.py",
    ),
    Part("suites of other packages under dropin", "release", "tests/runners/dropin_suites.sh"),
    Part("random models in all runtimes", "release", "conformance/run.sh models"),
    Part("release, with wheels and a bare machine", "release", "scripts/release/check.sh"),
]


def best_kernels():
    version = subprocess.run(
        [BUILD / "tensorpad", "--version"], capture_output=True, text=True
    ).stdout
    return re.search(r"^kernels: (\w+)$", version, re.M)[1]


def run(part):
    """The line about a part that was run: it begins with "passed" or "FAILED"."""
    command = (
        part.command.replace("{best}", best_kernels()) if "{best}" in part.command else part.command
    )
    began, used = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    status = subprocess.run(
        ["sh", "-euc", command],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        env=os.environ | SANITIZERS | part.environment,
    ).returncode
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - used.ru_utime - used.ru_stime
    result = f"FAILED, status {status}" if status else "passed"
    return f"{result:8} {time.monotonic() - began:5.0f} s, {used:5.0f} s of processors  {part.name}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tier", choices=TIERS)
    parser.add_argument("pattern", nargs="?", default="", help="leave out parts of other names")
    parser.add_argument("--list", action="store_true", help="name the parts, and run none")
    options = parser.parse_args()
    failed, lines = 0, []
    for part in PARTS:
        if TIERS.index(part.tier) > TIERS.index(options.tier) or part.tier in TIERS[2:] and failed:
            break
        if part.needed or re.search(options.pattern, part.name):
            if options.list:
                print(f"{part.tier:8} {part.name}")
                continue
            print(f"== {part.name}", flush=True)
            lines.append(run(part))
            print(f"== {lines[-1]}", flush=True)
            if lines[-1].startswith("FAILED"):
                failed += 1
                if part.needed:
                    break
    if options.list:
        return
    kernels = BUILD / "sanitize/tests/test_kernels"
    if kernels.exists():
        subprocess.run([ROOT / "tests/runners/not_run.py", kernels], cwd=ROOT)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(
        "",
        *lines,
        f"{len(lines) - failed} passed, {failed} failed; {used.ru_utime + used.ru_stime:.0f} s of processors",
        sep="\n",
    )
    sys.exit(1 if failed else 0)


main()
