#!/usr/bin/env python3
"""Code, constants and stack of what the project has for microcontrollers, at -Os.

Usage: size.py [--write]

Compiles for each processor, lets the linker drop what the named functions do not reach, and adds up what is
left; stack is the deepest way through the calls, from the compiler's own records. docs/microcontrollers.md has
the figures in a table. Status 1 if one is larger than there, or if the small build has data or imports more
than memcpy and memset. --write puts the figures into the page.
SPDX-License-Identifier: MIT
"""

import argparse
import dataclasses
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build/size"
PAGE = ROOT / "docs/microcontrollers.md"
FIRST, LAST = "<!-- scripts/check/size.py --write writes this table -->\n", "<!-- end -->\n"
PROCESSORS = {
    "Cortex-M0+": ("arm-none-eabi-", ["-mthumb", "-mcpu=cortex-m0plus"]),
    "Cortex-M4": ("arm-none-eabi-", ["-mthumb", "-mcpu=cortex-m4"]),
    "Cortex-M7": ("arm-none-eabi-", ["-mthumb", "-mcpu=cortex-m7"]),
    "Cortex-M55": ("arm-none-eabi-", ["-mthumb", "-mcpu=cortex-m55"]),
    "ARC EM4": ("arc-linux-gnu-", ["-mcpu=em4_dmips"]),
    "RV32IMC": ("riscv64-unknown-elf-", ["-march=rv32imc", "-mabi=ilp32"]),
    "AVR": ("avr-", ["-mmcu=atmega328p"]),
}
FLAGS = ("-std=c11 -Os -ffreestanding -ffunction-sections -fdata-sections -fno-jump-tables").split()
CALLS = ["-fcallgraph-info=su"]  # which GCC for AVR does not have: its stack is not measured
SMALL = ["-DTPAD_SMALL", "-DTPAD_MAX_RANK=5"]
DENSE = ["-DTPAD_INTERIOR=0", "-DTPAD_STRIDES=0"]
LEAST = ["-DTPAD_MODES=1", *DENSE]
PLAN_AND_RUN = ["tpad_plan_init", "tpad_run"]
ALLOWED = {"memcpy", "memset"}
# Functions of GCC's run-time library: how GCC for ARC saves registers at -Os, and the arithmetic of an AVR.
RUN_TIME = re.compile(r"__(ld|st)_r13_to_r\d+(_ret)?|__\w+[sd]i\d|__do_copy_data")


@dataclasses.dataclass
class Build:
    name: str
    switches: list
    entries: list
    sources: tuple = ("build/size/tensorpad.c",)
    includes: tuple = ("build/size",)
    most: int = 0  # bytes of code and constants, with any compiler; 0: no limit


def with_modes(number):
    return [f"-DTPAD_MODES={number}", *DENSE]


BUILDS = [
    Build("constant only, dense", SMALL + LEAST, PLAN_AND_RUN, most=1088),
    Build("constant only and `tpad_shape`", SMALL + LEAST, [*PLAN_AND_RUN, "tpad_shape"]),
    Build("constant and edge, dense", SMALL + with_modes(3), PLAN_AND_RUN),
    Build("constant and reflect, dense", SMALL + with_modes(5), PLAN_AND_RUN),
    Build("all modes, dense", SMALL + DENSE, PLAN_AND_RUN),
    Build("all modes, interior, dense", SMALL + ["-DTPAD_STRIDES=0"], PLAN_AND_RUN),
    Build("all modes, strides", SMALL + ["-DTPAD_INTERIOR=0"], PLAN_AND_RUN),
    Build("all modes, interior, strides", SMALL, PLAN_AND_RUN, most=2560),
    Build("the same and `tpad_shape`", SMALL, [*PLAN_AND_RUN, "tpad_shape"]),
    Build("the same and `tpad_pad`", SMALL, [*PLAN_AND_RUN, "tpad_pad"]),
    Build("`tpad_arm_pad_s8`", [], ["tpad_arm_pad_s8"], ("src/firmware/cmsis_nn_pad.c",), ()),
    Build(
        "PAD, PADV2, MIRROR_PAD of TFLM",
        SMALL + with_modes(13),
        ["tpad_tflm_pad", "tpad_tflm_padv2", "tpad_tflm_mirror_pad"],
        ("build/size/tensorpad.c", "src/firmware/tflm_pad.c"),
    ),
    Build(
        "padding2d of embARC MLI",
        [],
        [f"mli_krn_padding2d_{layout}_fx{bits}" for layout in ("chw", "hwc") for bits in (8, 16)],
        ("src/firmware/mli_functions.c",),
        ("include",),
    ),
]
MOST_STACK = 224
GCC = {"avr-": "5"}  # else 12
LARGER = ["ARC EM4", "RV32IMC", "AVR"]  # where the limits do not hold that are promised for ARM


def call(*command):
    return subprocess.run(
        [str(word) for word in command], check=True, capture_output=True, text=True
    ).stdout


def deepest(callgraphs, entry):
    """Bytes of stack on the deepest way from a function on."""
    text = "".join(path.read_text() for path in callgraphs)
    own = {
        name: int(size)
        for name, size in re.findall(
            r'node: \{ title: "([^"]+)" label: "[^"]*\\n(\d+) bytes \(static\)', text
        )
    }
    calls = {}
    for source, target in re.findall(r'sourcename: "([^"]+)" targetname: "([^"]+)"', text):
        calls.setdefault(source, set()).add(target)

    def way(name):
        return own.get(name, 0) + max((way(other) for other in calls.get(name, ())), default=0)

    return way(next(name for name in own if name.split(":")[-1] == entry))


def full_names(tools, objects, entries):
    """The functions of the small build have their settings after their names."""
    defined = re.findall(r" T (\w+)", call(tools + "nm", "--defined-only", *objects))
    return [
        next(name for name in defined if name == entry or name.startswith(entry + "_rank"))
        for entry in entries
    ]


def measure(tools, machine, build):
    """Sizes of what the entries reach: code, constants, data, stack, imported names."""
    objects = [FOLDER / (pathlib.Path(source).stem + ".o") for source in build.sources]
    is_avr = tools == "avr-"
    how = [
        *FLAGS,
        *([] if is_avr else CALLS),
        *machine,
        *build.switches,
        *(f"-I{ROOT / path}" for path in build.includes),
    ]
    for source, file in zip(build.sources, objects):
        call(tools + "gcc", *how, "-c", ROOT / source, "-o", file)
    linked = FOLDER / "linked.o"
    entries = full_names(tools, objects, build.entries)
    how = ["-m", "elf32lriscv"] if "-march=rv32imc" in machine else []
    how += ["-r", "--gc-sections", "-e", entries[0], *(f"-u{entry}" for entry in entries)]
    call(tools + "ld", *how, *objects, "-o", linked)
    sizes = {"code": 0, "constants": 0, "data": 0}
    kinds = {"text": "code", "rodata": "constants", "srodata": "constants"}
    kinds |= dict.fromkeys(("data", "sdata", "bss", "sbss"), "data")
    for name, size in re.findall(r"^\.(\w+)\S*\s+(\d+)", call(tools + "size", "-A", linked), re.M):
        if name in kinds:
            sizes[kinds[name]] += int(size)
    imports = set(call(tools + "nm", "-u", linked).split()) - {"U"}
    if is_avr:
        return sizes, 0, imports
    stack = max(deepest([path.with_suffix(".ci") for path in objects], entry) for entry in entries)
    return sizes, stack, imports


def recorded():
    """(build, processor) -> bytes and stack on the page."""
    table = PAGE.read_text(encoding="utf-8").partition(FIRST)[2].partition(LAST)[0].splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table]
    return {
        (row[0], processor): tuple(
            int(number.replace(",", "")) for number in (cell + " / 0").split(" / ")[:2]
        )
        for row in rows[2:]
        for processor, cell in zip(rows[0][1:], row[1:])
        if cell
    }


def write(found):
    def cell(build, processor):
        total, stack = found.get((build, processor), (0, 0))
        return (f"{total:,} / {stack:,}" if stack else f"{total:,}") if total else ""

    rows = [
        ["code and constants / stack", *PROCESSORS],
        *([build.name, *(cell(build.name, name) for name in PROCESSORS)] for build in BUILDS),
    ]
    lines = [f"| {' | '.join(row)} |\n" for row in rows]
    lines.insert(1, "|---" * len(rows[0]) + "|\n")
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(FIRST)
    PAGE.write_text(
        before + FIRST + "".join(lines) + LAST + rest.partition(LAST)[2], encoding="utf-8"
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", action="store_true")
    wanted = parser.parse_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    subprocess.run([ROOT / "scripts/amalgamate.py", FOLDER], check=True)
    old, found, bad = recorded(), {}, []
    print(f"{'at -Os, rank 5':<12} {'':<32} {'code':>6} {'constants':>10} {'stack':>6}")
    for processor, (tools, machine) in PROCESSORS.items():
        if not shutil.which(tools + "gcc"):
            bad.append(f"{processor}: {tools}gcc is missing (packages.sh packages-size names it)")
            continue
        # Another version makes other code: then only the limits hold that are far from the figures.
        same = call(tools + "gcc", "-dumpversion").split(".")[0].strip() == GCC.get(tools, "12")
        if not same:
            print(
                f"{processor}: not compared with the page, whose figures are of gcc {GCC.get(tools, '12')}"
            )
        for build in BUILDS:
            if processor == "AVR" and "MLI" in build.name:
                continue  # its tensors have pointers of 32 or 64 bits
            sizes, stack, imports = measure(tools, machine, build)
            total = sizes["code"] + sizes["constants"]
            print(
                f"{processor:<12} {build.name:<32} {sizes['code']:>6} {sizes['constants']:>10} {stack:>6}"
            )
            found[build.name, processor] = (total, stack)
            name = f"{processor}, {build.name}"
            if build.most and total > build.most and processor not in LARGER:
                bad.append(f"{name}: {total} bytes, more than {build.most}")
            if build.most and stack > MOST_STACK:
                bad.append(f"{name}: {stack} bytes of stack, more than {MOST_STACK}")
            foreign = {one for one in imports - ALLOWED if not RUN_TIME.fullmatch(one)}
            if sizes["data"] or ("-DTPAD_SMALL" in build.switches and foreign):
                bad.append(f"{name}: {sizes['data']} bytes of data, imports {foreign}")
            if same and not wanted.write:
                most = old.get((build.name, processor))
                if not most:
                    bad.append(f"{name}: not on the page (scripts/check/size.py --write)")
                elif total > most[0] or stack > most[1]:
                    bad.append(
                        f"{name}: {total} bytes and {stack} of stack, more than {most[0]} and {most[1]} on the page"
                    )
    if wanted.write:
        write(found)
    print("\n".join(bad) or "within the limits")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
