#!/usr/bin/env python3
"""Code, constants and stack of the small build for microcontrollers, at -Os.

Compiles the amalgamation for each processor, lets the linker drop what tpad_plan_init and tpad_run
do not reach, and adds up what is left; stack is the deepest way through the calls, from the
compiler's own records. Status 1 beyond a limit, or if more than memcpy and memset is imported.
With CMSIS_NN=folder of a checkout of CMSIS-NN its arm_pad_s8 is measured in the same way.
SPDX-License-Identifier: MIT
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build/size"
PROCESSORS = {
    "Cortex-M0+": ("arm-none-eabi-", ["-mthumb", "-mcpu=cortex-m0plus"]),
    "Cortex-M4": ("arm-none-eabi-", ["-mthumb", "-mcpu=cortex-m4"]),
    "Cortex-M7": ("arm-none-eabi-", ["-mthumb", "-mcpu=cortex-m7"]),
    "Cortex-M55": ("arm-none-eabi-", ["-mthumb", "-mcpu=cortex-m55"]),
    "ARC EM": ("arc-linux-gnu-", ["-mcpu=em4_dmips"]),
}
FLAGS = ["-std=c11", "-Os", "-ffreestanding", "-ffunction-sections", "-fdata-sections",
         "-fno-jump-tables", "-fcallgraph-info=su"]
# Name: switches, most bytes of code and constants.
BUILDS = {
    "constant only": (["-DTPAD_MODES=1", "-DTPAD_INTERIOR=0", "-DTPAD_STRIDES=0"], 1024),
    "all modes, interior, strides": ([], 2560),
}
MOST_STACK = 200
ALLOWED = {"memcpy", "memset"}
# How GCC for ARC saves registers at -Os: functions of its run-time library.
PROLOGUE = re.compile(r"__(ld|st)_r13_to_r\d+(_ret)?")


def call(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def deepest(callgraph, entry):
    """Bytes of stack on the deepest way from a function on."""
    text = callgraph.read_text()
    own = {name: int(size) for name, size in
           re.findall(r'node: \{ title: "([^"]+)" label: "[^"]*\\n(\d+) bytes \(static\)', text)}
    calls = {}
    for source, target in re.findall(r'sourcename: "([^"]+)" targetname: "([^"]+)"', text):
        calls.setdefault(source, set()).add(target)

    def way(name):
        return own.get(name, 0) + max((way(other) for other in calls.get(name, ())), default=0)
    names = [name for name in own if name.split(":")[-1] == entry]
    return way(names[0])


def measure(tools, machine, source, includes, switches, entries):
    """Sizes of what the entries reach: code, constants, data, stack, imported names."""
    compiled, linked = FOLDER / "object.o", FOLDER / "linked.o"
    call(tools + "gcc", *FLAGS, *machine, *switches, *[f"-I{path}" for path in includes],
         "-c", str(source), "-o", str(compiled))
    call(tools + "ld", "-r", "--gc-sections", "-e", entries[0],
         *[word for entry in entries for word in ("-u", entry)], str(compiled), "-o", str(linked))
    sizes = {"code": 0, "constants": 0, "data": 0}
    for name, size in re.findall(r"^(\.\S+)\s+(\d+)", call(tools + "size", "-A", str(linked)), re.M):
        kind = {".text": "code", ".rodata": "constants", ".data": "data", ".bss": "data"}
        key = kind.get("." + name.split(".")[1])
        if key:
            sizes[key] += int(size)
    imports = set(call(tools + "nm", "-u", str(linked)).split()) - {"U"}
    stack = max(deepest(compiled.with_suffix(".ci"), entry) for entry in entries)
    return sizes, stack, imports


def row(name, build, sizes, stack, note=""):
    print(f"{name:<12} {build:<30} {sizes['code']:>6} {sizes['constants']:>10} {stack:>6}  {note}")


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    subprocess.run([ROOT / "scripts/amalgamate.py", FOLDER], check=True)
    rival = os.environ.get("CMSIS_NN")
    rank = ["-DTPAD_SMALL", "-DTPAD_MAX_RANK=5"]
    bad, missing = [], []
    print(f"{'':<12} {'bytes at -Os, rank 5':<30} {'code':>6} {'constants':>10} {'stack':>6}")
    for name, (tools, machine) in PROCESSORS.items():
        if not shutil.which(tools + "gcc"):
            missing.append(f"{name}: {tools}gcc is missing (make size installs it)")
            continue
        for build, (switches, most) in BUILDS.items():
            sizes, stack, imports = measure(tools, machine, FOLDER / "tensorpad.c", [FOLDER],
                                            rank + switches, ["tpad_plan_init", "tpad_run"])
            total = sizes["code"] + sizes["constants"]
            foreign = {one for one in imports - ALLOWED if not PROLOGUE.fullmatch(one)}
            row(name, build, sizes, stack)
            if total > most:
                bad.append(f"{name}, {build}: {total} bytes, more than {most}")
            if stack > MOST_STACK:
                bad.append(f"{name}, {build}: {stack} bytes of stack, more than {MOST_STACK}")
            if sizes["data"] or foreign:
                bad.append(f"{name}, {build}: {sizes['data']} bytes of data, imports {foreign}")
        if rival:
            sizes, stack, _ = measure(
                tools, machine, pathlib.Path(rival) / "Source/PadFunctions/arm_pad_s8.c",
                [pathlib.Path(rival) / "Include"], [], ["arm_pad_s8"])
            row(name, "CMSIS-NN arm_pad_s8", sizes, stack, "4-D, 8 bit, constant")
    print("\n".join(missing + bad) or "within the limits")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
