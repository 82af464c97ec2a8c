#!/usr/bin/env python3
"""Runs the tests in one of three tiers: `test` (minutes), `full` (what guards the main branch), `all`.

Usage: run.py TIER [--resume] [--only PATTERN]

A tier contains the tiers before it. With --only, just the parts run in whose names the regular expression
PATTERN is found, and those that all others need. Each part prints its time; the last lines name the longest tests and
the parts that failed. Status 1 if a part failed. A part that passed in a clean tree leaves a stamp in
build/passed: the commit, the processor and the versions of the tools. --resume leaves out a part whose stamp
still holds: it would read the same files, on such a processor, with these tools. The processor may be another
one where the part emulates processors, proves or compiles for others. The tier `all` writes
docs/development/test-report.md, also where it is ended early. Its own parts, which take hours, do not begin if
a part of the other tiers failed. For them the rows of that page are stamps, too, so that a clone goes on where
another one was ended.

The labels in tests/CMakeLists.txt say which tests of ctest belong to the tier `test`. There TENSORPAD_QUICK is
set, with which long tests do a share of their work (conftest.py, tests/support/random_main.c).
SPDX-License-Identifier: MIT
"""

import argparse
import dataclasses
import functools
import json
import os
import pathlib
import platform
import re
import resource
import shutil
import signal
import subprocess
import sys
import textwrap
import time
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
PASSED = BUILD / "passed"
REPORTS = BUILD / "reports"
TIERS = ["test", "full", "all"]
JOBS = os.cpu_count() or 1
QUICK = {"TENSORPAD_QUICK": "1"}
# Tests of the Python package that move data: what the sanitizers can find there.
MOVES = ("(hostile or arrays or pad or plan or specs or batch or fit or show)"
         " and not (dask or zarr or xarray or dropin)")


def build(preset, folder):
    """A warning is an error. The preset `default` does not say so, as its folder is that of `make`, too."""
    log = f"build/configure-{preset}.log"
    return (f"cmake --preset {preset} -DTENSORPAD_TESTS=ON -Wno-dev > {log} || {{ cat {log}; exit 1; }}\n"
            f"grep -e '-- without' -e 'is missing' {log} || true\n"
            f"said=$(cmake --build {folder} -- --quiet 2>&1) || {{ echo \"$said\"; exit 1; }}\n"
            f"case $said in *warning:*) echo \"$said\"; exit 1 ;; esac")


def ctest(choice):
    return f'ctest -j {JOBS} {choice} --output-junit "$TENSORPAD_REPORTS/ctest.xml"'


# Under the sanitizers the tests run once for each variant of the kernels. The tier `test` takes the plain
# ones and the best that this processor has ({best}).
VARIANTS = r"(\.(plain|{best}))?$'"


REPORT = "docs/development/test-report.md"  # no part depends on it
RUNNER = "tests/runners/run.py"
# What the parts do not read that are about the C library alone, or about it and the tools.
OTHERS = ("conformance/", "docs/", "examples/", "javascript/", "python/", "scripts/check/one_source.py",
          "scripts/check/readme.py", "scripts/docs/", "scripts/firmware/", "scripts/javascript/", "scripts/release/",
          "scripts/wheels/", "tests/frameworks/", "tests/platforms/",
          "tests/requirements/", "tests/runners/dropin*", "tests/runners/extras.py", "pyproject.toml",
          "CHANGELOG.md", "CONTRIBUTING.md", "README.md", "SECURITY.md")
LIBRARY = (*OTHERS, "bench/", "tests/command/", "tests/faults/", "tests/formats/", "tests/runtimes/", "tools/cli/",
           "tools/drawing/", "tools/folding/", "tools/lowering/", "tools/models/", "tools/port/", "tools/runtimes/")
UNCHANGED = (*LIBRARY, "tests/mutation/")  # by parts that put no faults into the library
HERE = (*UNCHANGED, "tests/machines/")  # and emulate no other machines


@dataclasses.dataclass
class Part:
    name: str
    tier: str
    command: str  # of the shell
    environment: dict = dataclasses.field(default_factory=dict)
    needed: bool = False  # nothing goes on without it, and it always runs
    unread: tuple = ()  # files and folders that it does not read
    anywhere: bool = False  # runs no program of ours that looks at this processor


PARTS = [
    Part("release build", "test", build("default", "build"), needed=True),
    Part("sanitized build", "test", build("sanitize", "build/sanitize"), needed=True),
    Part("tests", "test", ctest("--preset quick")),
    Part("tests, sanitized", "test",
         ctest("--preset sanitize -L '^(quick|share|sample)" + VARIANTS), QUICK),
    Part("Python package", "test", f"tests/runners/python.sh -n {JOBS}", QUICK),
    Part("JavaScript", "test", "tests/runners/javascript.sh", QUICK),
    # clang looks at each step of a sum of pointers; gcc adds up the numbers first, and sees the sum alone.
    Part("clang build", "full", build("clang", "build/clang") + "\n" +
         ctest("--preset clang -R '^test_offsets\\.'")),
    Part("tests, the rest", "full", ctest("--preset rest")),
    Part("tests, sanitized, the rest", "full",
         ctest("--preset sanitize -LE '^(quick|sample|all)" + VARIANTS)),
    Part("Python package, the rest", "full",
         f"tests/runners/python.sh -n {JOBS} -m 'long or share'"),
    Part("Python package, sanitized", "full",
         f"tests/runners/python.sh --sanitize -n {JOBS} -k '{MOVES}'"),
    Part("JavaScript, the rest", "full", "tests/runners/javascript.sh -m long"),
    Part("coverage of the library", "full", "tests/runners/coverage.sh library"),
    Part("tests, the long ones", "all", ctest("--preset long")),
    Part("tests, sanitized, the long ones", "all", ctest("--preset sanitize -L '^(sample|all)$'")),
    Part("coverage", "all", "tests/runners/coverage.sh"),
    Part("other machines", "all", "make machines", unread=UNCHANGED, anywhere=True),
    Part("levels of optimisation", "all", "make levels", unread=HERE),
    Part("Windows, and macOS", "all", "make platforms"),
    Part("proofs", "all", "make prove", unread=HERE, anywhere=True),
    Part("exhaustive", "all", "make exhaustive CASES=30000000", unread=HERE),
    Part("mutants", "all", "make mutation COUNT=130", unread=(*LIBRARY, "tests/machines/")),
    Part("fuzzing", "all", "make fuzz SECONDS=75", unread=(*OTHERS, "bench/", "tests/mutation/", "tests/machines/")),
    Part("Python package, long", "all", "tests/runners/python.sh -k 'cluster or zarr_memory'",
         {"TENSORPAD_KILLS": "20", "TENSORPAD_LONG": "1"}),
    Part("oldest and newest dask, zarr and torch", "all", "make extras"),
    Part("npm package in bundlers and runtimes", "all", "make hosts", unread=("bench/results/", "conformance/",
                                                                             "plugins/", "python/", "tests/")),
    Part("suites of other packages under dropin", "all", "make dropin-suites"),
    Part("versions of ONNX Runtime", "all", "make ort-versions"),
    Part("real models in all runtimes", "all", "make models", unread=("bench/", "javascript/", "tests/mutation/",
                                                                         "tests/machines/")),
    Part("release, with wheels and a bare machine", "all", "make release-check"),
]


def said_all(*words):
    """The lines that a program prints."""
    if shutil.which(words[0]) is None:
        return [f"{words[0]} is missing"]
    return subprocess.run(words, capture_output=True, text=True, cwd=ROOT).stdout.splitlines()


def said(*words):
    """The first of them."""
    return (said_all(*words) or [""])[0]


def processor():
    found = re.search(r"^model name\s*: (.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.M)
    return found[1] if found else platform.machine()


@functools.cache
def tools():
    """The versions of what most parts use, then of what some do."""
    programs = ["gcc", "clang", "cmake", "node", BUILD / "venv/bin/python", "valgrind", "qemu-aarch64",
                "qemu-system-arm", "arm-none-eabi-gcc", "x86_64-w64-mingw32-gcc", "z3", "cvc4"]
    return [*(said(program, "--version") for program in programs), said("frama-c", "-version")]


def changed():
    """Whether something is here that is not committed, besides the report."""
    return any(not line.endswith(REPORT) for line in said_all("git", "status", "--porcelain"))


def commit():
    return said("git", "rev-parse", "--short", "HEAD") + (" with changes" if changed() else "")


def same_recipe(command, at):
    """Whether `make TARGET` runs the same commands with the Makefile of another commit."""
    makefile = subprocess.run(["git", "show", f"{at}:Makefile"], capture_output=True, text=True, cwd=ROOT).stdout
    dry = [subprocess.run(["make", "-n", "-f", "-", *command.split()[1:]], input=text, capture_output=True,
                          text=True, cwd=ROOT).stdout
           for text in (makefile, (ROOT / "Makefile").read_text(encoding="utf-8"))]
    return dry[0] == dry[1] != ""


def holds(part, outcome):
    """Whether the part passed, and would now do the same with the same files."""
    if outcome["result"] != "passed" or changed():
        return False
    if not part.anywhere and outcome["processor"] != processor():
        return False
    unread = [REPORT, *part.unread]
    if part.tier == "all":  # the one file that says what all parts do
        unread.append(RUNNER)
        if part.command.startswith("make ") and same_recipe(part.command, outcome["commit"]):
            unread.append("Makefile")
        if part.command not in "\n".join(said_all("git", "show", f"{outcome['commit']}:{RUNNER}")):
            return False
    differs = ["git", "diff", "--quiet", outcome["commit"], "HEAD", "--", ".", *(f":!{path}" for path in unread)]
    return subprocess.run(differs, cwd=ROOT, stderr=subprocess.DEVNULL).returncode == 0


def in_report():
    """The outcomes of the parts that passed with these tools, as the page has them."""
    page = (ROOT / REPORT).read_text(encoding="utf-8")
    if said_tools() not in " ".join(page.split()):
        return {}
    rows = re.findall(r"^\| (.*) \| ([0-9.]+) \| ([0-9.]+) \| ([0-9a-f]+) \| (.*) \| (passed) \|$", page, re.M)
    return {name: {"result": result, "commit": at, "processor": model, "seconds": round(60 * float(minutes)),
                   "processor_seconds": round(60 * float(used))}
            for name, minutes, used, at, model, result in rows}


def said_tools():
    """In the words of the page."""
    return f"Tools: {'; '.join(filter(None, tools()))}."


def slug(part):
    return re.sub(r"\W+", "-", part.name)


def best_kernels():
    version = subprocess.run([BUILD / "tensorpad", "--version"], capture_output=True, text=True).stdout
    return re.search(r"^kernels: (\w+)$", version, re.M)[1]


def run(part):
    """Runs a part and returns {"result", "seconds", "processor_seconds", "commit"}."""
    command = part.command.replace("{best}", best_kernels()) if "{best}" in part.command else part.command
    reports = REPORTS / slug(part)
    reports.mkdir()
    at = commit()
    began, used = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    status = subprocess.run(["sh", "-euc", command], cwd=ROOT, stdin=subprocess.DEVNULL,
                            env=os.environ | part.environment | {"TENSORPAD_REPORTS": str(reports)}
                            ).returncode
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {"result": "passed" if status == 0 else f"FAILED, status {status}", "commit": at,
            "processor": processor(), "seconds": round(time.monotonic() - began),
            "processor_seconds": round(after.ru_utime + after.ru_stime - used.ru_utime - used.ru_stime)}


def longest(count):
    """The longest tests: (seconds, name). ctest's entry for a whole run of pytest is none."""
    found = []
    for path in REPORTS.rglob("*.xml"):
        try:
            cases = xml.etree.ElementTree.parse(path).iter("testcase")
        except xml.etree.ElementTree.ParseError:  # of a run that was ended
            continue
        for case in cases:
            name, within = case.get("name"), case.get("classname", "")
            if not name.startswith("pytest_"):
                found.append((float(case.get("time", 0)), name if within == name else f"{within} {name}"))
    return sorted(found, reverse=True)[:count]


def figures(outcome):
    return f"{outcome['seconds']:5d} s ({outcome['processor_seconds']} s of processor time)"


def write_report(outcomes):
    """The page of the documents that says what the tier `all` came to."""
    rows = ""
    for part in PARTS:
        rows += f"| {part.name} | "
        if part.name in outcomes:
            outcome = outcomes[part.name]
            rows += (f"{outcome['seconds'] / 60:.1f} | {outcome['processor_seconds'] / 60:.1f} "
                     f"| {outcome['commit']} | {outcome['processor']} | {outcome['result']} |\n")
        else:
            rows += "| | | | not run |\n"
    total = sum(outcome["seconds"] for outcome in outcomes.values()) / 60
    where = (f"`make test-all` wrote this page on {time.strftime('%Y-%m-%d', time.gmtime())}, at commit "
             f"{commit()}, on {JOBS} processors. {said_tools()} A part may have run at an earlier commit, which "
             "its row names, if it reads no file that has changed since, and on another processor if it runs "
             "no code that looks at the processor.")
    (ROOT / REPORT).write_text(f"""# The last run of all tests

{textwrap.fill(where, 108)}

| part | minutes | processor minutes | commit | processor | result |
|---|---|---|---|---|---|
{rows}
Together {total:.0f} minutes. [verification](verification.md) says what each part shows.
""", encoding="utf-8")


def run_parts(parts, options, outcomes):
    """Adds to outcomes, which are by name."""
    reported = in_report()
    for part in parts:
        stamp = PASSED / f"{slug(part)}.json"
        passed = [reported[part.name]] if part.name in reported and part.tier == "all" else []
        if stamp.exists():
            of_stamp = json.loads(stamp.read_text())
            passed += [of_stamp["outcome"]] if of_stamp["tools"] == tools() else []
        if not part.needed:
            still = [outcome for outcome in passed if holds(part, outcome)]
            if options.resume and still:
                outcomes[part.name] = still[-1]
                print(f"== {part.name}: passed before on the same files", flush=True)
                continue
            if not re.search(options.only, part.name):
                continue
        stamp.unlink(missing_ok=True)
        print(f"== {part.name}", flush=True)
        outcome = outcomes[part.name] = run(part)
        print(f"== {part.name}: {outcome['result']}, {figures(outcome)}", flush=True)
        if outcome["result"] == "passed":
            if outcome["commit"] == commit() and not changed():
                stamp.write_text(json.dumps({"tools": tools(), "outcome": outcome}))
        elif part.needed:
            break


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tier", choices=TIERS)
    parser.add_argument("--resume", action="store_true", help="leave out parts whose stamp still holds")
    parser.add_argument("--only", default="", metavar="PATTERN", help="leave out parts of other names")
    options = parser.parse_args()
    os.chdir(ROOT)
    shutil.rmtree(REPORTS, ignore_errors=True)
    REPORTS.mkdir(parents=True)
    PASSED.mkdir(exist_ok=True)
    parts = [part for part in PARTS if TIERS.index(part.tier) <= TIERS.index(options.tier)]
    outcomes = {}
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    try:
        run_parts([part for part in parts if part.tier != "all"], options, outcomes)
        if all(outcome["result"] == "passed" for outcome in outcomes.values()):
            run_parts([part for part in parts if part.tier == "all"], options, outcomes)
    finally:
        if options.tier == "all":
            write_report(outcomes)

    print("\nthe longest tests:")
    for seconds, name in longest(5):
        print(f"{seconds:6.1f} s  {name}")
    kernels = BUILD / "sanitize/tests/test_kernels"
    if kernels.exists():
        subprocess.run(["tests/runners/not_run.py", kernels])
    print()
    for name, outcome in outcomes.items():
        print(f"{outcome['result']:8} {figures(outcome)}  {name}")
    failed = sum(outcome["result"] != "passed" for outcome in outcomes.values())
    print(f"{len(outcomes) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


main()
