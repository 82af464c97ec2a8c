#!/usr/bin/env python3
"""Says which variants of the kernels this processor cannot run, one a line, and takes what only
they execute out of a count of coverage.

Usage: not_run.py TEST_KERNELS [TRACE]
TEST_KERNELS: the test of that name, of a build with TENSORPAD_KERNELS_ENV, which knows what can run.
TRACE: a JSON file of gcovr, which is changed. Out go the lines of the functions in src/kernels whose
names end with the variant's, such as tiles_avx512: they hold instructions that the processor lacks.
The functions has_NAME stay, since they run everywhere; where not even ssse3 can run, what all vectors
need (src/kernels/x86.h) goes too.
SPDX-License-Identifier: MIT
"""
import json
import os
import pathlib
import platform
import subprocess
import sys

# What each asks of a processor, in Linux's words.
NEEDS = {"ssse3": ["ssse3"], "avx2": ["avx2"], "avx512bw": ["avx512bw", "avx512vl"],
         "avx512": ["avx512bw", "avx512vbmi", "gfni"]}
FOLDER = "src/kernels/"
HELPERS = {"load16", "store16", "tpad_fence"}


def cannot_run(test_kernels, name):
    done = subprocess.run([test_kernels, "--forced", name], capture_output=True, text=True,
                          env=os.environ | {"TENSORPAD_KERNELS": name})
    if done.returncode not in (0, 77):
        sys.exit(f"not_run: {test_kernels} --forced {name}: {done.stdout}{done.stderr}")
    return done.returncode == 77


def owner(path, function):
    """The variant that alone executes a function, or None."""
    if not path.startswith(FOLDER) or function.startswith("has_"):
        return None
    if function in HELPERS:
        return "ssse3"
    return next((name for name in NEEDS if function.endswith("_" + name)), None)


def take_out(path, names):
    """Returns how many lines of each variant went."""
    trace = json.loads(path.read_text(encoding="utf-8"))
    gone = dict.fromkeys(names, 0)
    for file in trace["files"]:
        for line in file["lines"]:
            name = owner(file["file"], line.get("function_name", ""))
            if name in gone:
                gone[name] += 1
        for kind, key in (("lines", "function_name"), ("functions", "name")):
            file[kind] = [entry for entry in file[kind]
                          if owner(file["file"], entry.get(key, "")) not in gone]
    path.write_text(json.dumps(trace), encoding="utf-8")
    return gone


def main():
    test_kernels, trace = sys.argv[1], sys.argv[2:]
    if platform.machine() not in ("x86_64", "AMD64"):
        if not trace:
            print(f"{', '.join(NEEDS)}: not run: this processor is {platform.machine()}")
        return
    names = [name for name in NEEDS if cannot_run(test_kernels, name)]
    flags = set(pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").split())
    gone = take_out(pathlib.Path(trace[0]), names) if trace else {}
    for name in names:
        lacks = " ".join(flag for flag in NEEDS[name] if flag not in flags) or "what it needs"
        counted = f"; {gone[name]} lines are not counted" if trace else ""
        print(f"{name}: not run: this processor lacks {lacks}{counted}")


main()
