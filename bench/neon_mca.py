#!/usr/bin/env python3
"""Counts and estimates for 64-bit ARM, without such a machine: prints a table in Markdown.

Usage: neon_mca.py [--compiler WORDS] [--kernels NAMES]     status 2: a tool is missing, or failed

The library and bench/neon_mca.c are built for aarch64. qemu-aarch64 runs the program and writes down the
address of every instruction (-singlestep -d exec). Those between the first and the last one of `counted`
are counted: a run of a plan that is made already. The same instructions, in the order in which they were
executed, then go through llvm-mca as one block without jumps. It says how many cycles a model of a
processor takes for them. The model has no cache misses, no wrongly predicted branches and no loads that
wait for an earlier store: the cycles are estimates. Loops that only copy are there to compare with.

SPDX-License-Identifier: MIT
"""

import argparse
import collections
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUT = ROOT / "build" / "neon_mca"
MODELS = ("neoverse-n1", "neoverse-v1")
KERNELS = ("neon", "plain")
NO_SUCH_NUMBER = 3  # the program's status behind the last problem
TOOLS = {"qemu-aarch64": "qemu-user", "llvm-mca-19": "llvm-19", "llvm-objdump-19": "llvm-19"}
LIBRARIES = "libc6-dev-arm64-cross libgcc-12-dev-arm64-cross binutils-aarch64-linux-gnu"

# Bytes a turn, and a loop that copies as many.
COPIES = {
    32: "ldp q0, q1, [x1], #32\nstp q0, q1, [x0], #32\nsubs x2, x2, #32\nb.ne #-12\n",
    64: "ldp q0, q1, [x1]\nldp q2, q3, [x1, #32]\nadd x1, x1, #64\nstp q0, q1, [x0]\n"
    "stp q2, q3, [x0, #32]\nadd x0, x0, #64\nsubs x2, x2, #64\nb.ne #-28\n",
}


def fail(text):
    print(f"neon_mca: {text}", file=sys.stderr)
    sys.exit(2)


def run(words, **options):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, **options)
    if done.returncode not in (0, NO_SUCH_NUMBER):
        if "-o" in words:
            print(
                f"neon_mca: what {words[0]} needs for aarch64 may be missing (Debian: {LIBRARIES})",
                file=sys.stderr,
            )
        fail(f"{words[0]}: status {done.returncode}\n{done.stderr.strip()[:2000]}")
    return done


def build(compiler):
    """The program, for aarch64, and its instructions: {address: text}."""
    OUT.mkdir(parents=True, exist_ok=True)
    program = OUT / "counted"
    sources = [
        path for folder in ("src/core", "src/kernels") for path in (ROOT / folder).glob("*.c")
    ]
    sources += [ROOT / "bench" / "neon_mca.c", ROOT / "bench" / "workloads.c"]
    run(
        [
            *shlex.split(compiler),
            "-O3",
            "-DNDEBUG",
            "-std=c11",
            "-D_GNU_SOURCE",
            "-DTPAD_KERNELS_ENV",
            "-static",
            f"-I{ROOT / 'include'}",
            f"-I{ROOT}",
            "-o",
            program,
            *sorted(sources),
        ]
    )
    text = run(["llvm-objdump-19", "-d", "--no-show-raw-insn", "--mattr=+all", program]).stdout
    found = {}
    for address, instruction in re.findall(r"^ *([0-9a-f]+): +\t(.*)$", text, re.M):
        # Any address will do for the target of a jump, which llvm-mca does not follow.
        instruction = re.sub(r"\b0x[0-9a-f]+ <.*>", "#0", instruction)
        found[int(address, 16)] = re.sub(r"\s*//.*", "", instruction)
    return program, found


def trace(program, number, kernels):
    """What one call of `counted` does: name, bytes of the output, addresses of the instructions in
    the order of their execution, and how many are of each function; None behind the last problem."""
    log = OUT / "log"
    done = run(
        [
            "qemu-aarch64",
            "-cpu",
            "neoverse-n1",
            "-singlestep",
            "-d",
            "exec,nochain",
            "-D",
            log,
            program,
            number,
        ],
        env=os.environ | {"TENSORPAD_KERNELS": kernels},
    )
    if done.returncode == NO_SUCH_NUMBER:
        return None
    name, used, output_bytes = done.stdout.splitlines()
    if number > 0 and used != kernels:
        fail(f"{name}: the kernels are {used}, not {kernels}")
    with open(log, encoding="utf-8") as lines:
        steps = re.findall(r"^Trace .*\[[0-9a-f]+/([0-9a-f]+)/.*\] ?(.*)$", lines.read(), re.M)
    log.unlink()
    inside = [i for i, (_, function) in enumerate(steps) if function.startswith("counted")]
    if not inside:
        fail(f"{name}: qemu saw no call of counted()")
    steps = steps[inside[0] : inside[-1] + 1]
    return (
        name,
        int(output_bytes),
        [int(address, 16) for address, _ in steps],
        collections.Counter(function for _, function in steps),
    )


def cycles(model, text, times=1):
    """What llvm-mca says that the instructions take."""
    words = [
        "llvm-mca-19",
        "-mtriple=aarch64-linux-gnu",
        f"-mcpu={model}",
        f"-iterations={times}",
        "-call-latency=1",
        "-instruction-info=false",
        "-resource-pressure=false",
        "-",
    ]
    return int(re.search(r"^Total Cycles: +(\d+)", run(words, input=text).stdout, re.M)[1]) / times


def figures(label, scheme, output_bytes, counts):
    """A row of the table. counts: for each of the kernels (instructions, cycles of each model)."""
    vectors = output_bytes / 16
    row = [label, scheme]
    for column in zip(*counts):
        row.append(" / ".join(f"{value / vectors:.2f}" for value in column))
    print("| " + " | ".join(row) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description="Counts and estimates for 64-bit ARM.")
    parser.add_argument(
        "--compiler",
        default="clang --target=aarch64-linux-gnu",
        help="that makes programs for aarch64; default: %(default)s",
    )
    parser.add_argument("--kernels", default=",".join(KERNELS), help="default: %(default)s")
    options = parser.parse_args()
    tools = TOOLS | {shlex.split(options.compiler)[0]: "clang"}
    missing = [
        f"{tool} (Debian: {package})" for tool, package in tools.items() if not shutil.which(tool)
    ]
    if missing:
        fail("not found: " + ", ".join(missing))
    kernels = options.kernels.split(",")
    program, instructions = build(options.compiler)

    print(
        f"For 16 bytes of output: {' / '.join(kernels)}. Instructions are counted under qemu; cycles are "
        "estimated by\nllvm-mca 19, not measured.\n"
    )
    columns = ["", "most of it in", "instructions", *(f"cycles of {model}" for model in MODELS)]
    print("| " + " | ".join(columns) + " |\n" + "|---" * len(columns) + "|")
    for turn, text in COPIES.items():
        counts = [text.count("\n") * 1000, *(cycles(model, text, 1000) * 1000 for model in MODELS)]
        figures(f"loop of ldp and stp, {turn} bytes a turn", "-", turn * 1000, [counts])
    number = 0
    while True:
        counts, scheme = [], None
        for name in kernels if number > 0 else kernels[:1]:
            found = trace(program, number, name)
            if found is None:
                return 0
            label, output_bytes, addresses, functions = found
            text = "\n".join(instructions[address] for address in addresses)
            counts.append([len(addresses), *(cycles(model, text) for model in MODELS)])
            scheme = scheme or functions.most_common(1)[0][0]
        figures(label, scheme, output_bytes, counts)
        number += 1


if __name__ == "__main__":
    sys.exit(main())
