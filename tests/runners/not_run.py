#!/usr/bin/env python3
"""Says which variants of the kernels this processor cannot run, one a line, and takes them out of a
count of coverage.

Usage: not_run.py TEST_KERNELS [BUILD]
TEST_KERNELS: the test of that name, of a build with TENSORPAD_KERNELS_ENV, which knows what can run.
BUILD: the folder of a build with counters, of which those of such a variant's file are removed. What the
file has compiled of src/kernels/tiles_template.h is then not counted either.
SPDX-License-Identifier: MIT
"""

import os
import pathlib
import platform
import subprocess
import sys

# What each asks of a processor, in Linux's words.
NEEDS = {
    "ssse3": ["ssse3"],
    "avx2": ["avx2"],
    "avx512bw": ["avx512bw", "avx512vl"],
    "avx512": ["avx512bw", "avx512vbmi", "gfni"],
}


def cannot_run(test_kernels, name):
    done = subprocess.run(
        [test_kernels, "--forced", name],
        capture_output=True,
        text=True,
        env=os.environ | {"TENSORPAD_KERNELS": name},
    )
    if done.returncode not in (0, 77):
        sys.exit(f"not_run: {test_kernels} --forced {name}: {done.stdout}{done.stderr}")
    return done.returncode == 77


def take_out(build, names):
    for name in names:
        if not list(build.rglob(f"{name}.c.o")):
            sys.exit(f"not_run: {build} has no object file of {name}.c")
        for path in build.rglob(f"{name}.c.gc??"):
            path.unlink()


def main():
    test_kernels, build = sys.argv[1], sys.argv[2:]
    if platform.machine() not in ("x86_64", "AMD64"):
        if not build:
            print(f"{', '.join(NEEDS)}: not run: this processor is {platform.machine()}")
        return
    names = [name for name in NEEDS if cannot_run(test_kernels, name)]
    flags = set(pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").split())
    if build:
        take_out(pathlib.Path(build[0]), names)
    for name in names:
        lacks = " ".join(flag for flag in NEEDS[name] if flag not in flags) or "what it needs"
        counted = "; its lines are not counted" if build else ""
        print(f"{name}: not run: this processor lacks {lacks}{counted}")


main()
