#!/usr/bin/env python3
"""Looks at a wheel: its size, its licences, what its libraries show and ask of the system, the
limited API, and, where this machine can run it, what its command says of itself.
SPDX-License-Identifier: MIT

Usage: check.py WHEEL"""

import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile
import zipfile

import lief

lief.logging.disable()
ROOT = pathlib.Path(__file__).resolve().parents[2]
WINE = pathlib.Path("/usr/lib/wine/wine64")

LICENSES = ["expat", "libpng1.6", "nanopb", "zlib"]
PLUGIN = {"RegisterCustomOps", "tpad_ort_register"}


class System:
    """What is so for a kind of wheel. limit_mb is a little more than such wheels have: half is the command."""

    def __init__(self, limit_mb, suffix, plugin, command, needs):
        self.limit_mb = limit_mb
        self.shown = {
            f"tensorpad/_core{suffix}": {"PyInit__core"},
            f"tensorpad/_models{suffix}": {"PyInit__models"},
            f"tensorpad/lib/{plugin}": PLUGIN,
        }
        self.command = f"*.data/scripts/{command}"
        self.needs = needs


SYSTEMS = {
    "linux": System(
        1.5,
        ".*.so",
        "libtensorpad_ort.so",
        "tensorpad",
        r"libc\.so\.6|libm\.so\.6|libpthread\.so\.0|libdl\.so\.2|ld-linux-.*|libc\.musl-.*",
    ),
    # Larger: each program has the parts of the compiler's library that Windows lacks, and tables of its functions.
    "win": System(
        1.8,
        ".pyd",
        "tensorpad_ort.dll",
        "tensorpad.exe",
        r"python3\.dll|KERNEL32\.dll|SHELL32\.dll|SHLWAPI\.dll|api-ms-win-crt-.*",
    ),
    "macosx": System(
        1.5, ".abi3.so", "libtensorpad_ort.dylib", "tensorpad", r"/usr/lib/libSystem\.B\.dylib"
    ),
}
# What --version lists of libraries.
HELD = ["nanopb-", "expat-", "libpng-", "zlib-"]
# The variants of src/kernels on x86-64, the best first, and the processor's flags that each needs.
KERNELS = {
    "avx512": {"avx512bw", "avx512vl", "avx512vbmi", "gfni"},
    "avx512bw": {"avx512bw", "avx512vl"},
    "avx2": {"avx2"},
    "ssse3": {"ssse3"},
    "plain": set(),
}


def fail(text: str) -> None:
    sys.exit(f"check.py: {wheel.name}: {text}")


def output(*command: object) -> str:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        fail(f"{command[0]}: {done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def expected_kernels() -> str:
    """The kernels that this processor can run, as /proc/cpuinfo tells it."""
    if platform.machine() != "x86_64":
        return "neon"
    text = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8")
    flags = set(re.findall(r"^flags\s*:(.*)$", text, re.M)[0].split())
    return next(name for name, needed in KERNELS.items() if needed <= flags)


def parsed(path: pathlib.Path):
    binary = lief.parse(path)
    return binary.at(0) if isinstance(binary, lief.MachO.FatBinary) else binary


def names_shown(binary) -> set[str]:
    if isinstance(binary, lief.PE.Binary):
        return (
            {entry.name for entry in binary.get_export().entries} if binary.has_exports else set()
        )
    names = {symbol.name for symbol in binary.exported_symbols}
    if isinstance(binary, lief.MachO.Binary):  # the last two are zig's, in every file
        return {name[1:] for name in names} - {"__dso_handle", "_mh_dylib_header"}
    return names


def libraries_needed(binary) -> set[str]:
    if isinstance(binary, lief.PE.Binary):
        return {library.name for library in binary.imports}
    if isinstance(binary, lief.MachO.Binary):
        own = lief.MachO.LoadCommand.TYPE.ID_DYLIB
        return {library.name for library in binary.libraries if library.command != own}
    return set(binary.libraries)


def look_at(path: pathlib.Path, shown: set[str] | None) -> None:
    """shown: the names that others may use; None: it is a program."""
    binary = parsed(path)
    names = names_shown(binary)
    if shown is not None and names != shown:
        fail(f"{path.name} shows {sorted(names)}, not {sorted(shown)}")
    for library in libraries_needed(binary):
        if not re.fullmatch(system.needs, library):
            fail(f"{path.name} needs {library} of the system")
    if isinstance(binary, lief.MachO.Binary):
        look_at_macos(path, binary)


def look_at_macos(path: pathlib.Path, binary) -> None:
    """For macOS 11, and, for ARM, with a signature."""
    if binary.build_version.minos != [11, 0, 0]:
        fail(f"{path.name} is for macOS {binary.build_version.minos}")
    if "arm64" not in wheel.name:
        return
    if not binary.has_code_signature:
        fail(f"{path.name} has no signature, and macOS does not load it")


def look_at_command(words: list, threads: str) -> str:
    said = output(*words, "--version")
    for word in [*HELD, f"threads: {threads}"]:
        if word not in said:
            fail(f"tensorpad --version does not list {word}: {said}")
    kernels = re.search(r"kernels: (\w+)", said)[1]
    if kernels != expected_kernels():
        fail(f"its kernels are {kernels}, and this processor can run {expected_kernels()}")
    return "; ".join(said.strip().split("\n"))


wheel = pathlib.Path(sys.argv[1])
tag = wheel.stem.split("-")[-1]
kind = next(name for name in SYSTEMS if name in tag)
system = SYSTEMS[kind]
size_mb = wheel.stat().st_size / 1e6
if size_mb > system.limit_mb:
    fail(f"{size_mb:.2f} MB, at most {system.limit_mb}")
with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    zipfile.ZipFile(wheel).extractall(folder)
    licences = [path.name for path in folder.glob("*.dist-info/licenses/LICENSE*")]
    for library in LICENSES + (["musl"] if "musllinux" in tag else []):
        if f"LICENSE.{library}" not in licences:
            fail(f"the licence of {library} is missing")
    if "LICENSE" not in licences:
        fail("tensorpad's own licence is missing")
    for library, shown in system.shown.items():
        (path,) = folder.glob(library)
        look_at(path, shown)
    (command,) = folder.glob(system.command)
    look_at(command, None)
    command.chmod(0o755)
    said = "its command is of another machine"
    if kind == "linux" and platform.machine() in tag:
        said = look_at_command([command], "pthreads")
    elif kind == "win" and WINE.exists():
        prefix = ROOT / "build/platforms/wine"
        prefix.parent.mkdir(exist_ok=True)
        os.environ |= {"WINEPREFIX": str(prefix), "WINEDEBUG": "-all"}
        said = look_at_command([WINE, command], "Windows")
if "abi3" in wheel.name:
    output(sys.executable, "-m", "abi3audit", "--strict", wheel)
if kind == "win" and "copied into the wheel.\n    None\n" not in output(
    pathlib.Path(sys.executable).parent / "delvewheel", "show", wheel
):
    fail("delvewheel finds libraries to bring")
print(f"{wheel.name}: {size_mb:.2f} MB; {said}")
