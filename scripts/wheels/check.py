#!/usr/bin/env python3
"""Looks at a wheel: its size, its licences, what its libraries show and ask of the system, the
limited API, and, where this machine can run it, what its command says of itself.
SPDX-License-Identifier: MIT

Usage: check.py WHEEL"""
import pathlib
import platform
import re
import subprocess
import sys
import tempfile
import zipfile

LIMIT_MB = 1.5
LICENSES = ["expat", "libpng1.6", "nanopb", "zlib"]
SHOWN = {
    "tensorpad/_core.*.so": {"PyInit__core"},
    "tensorpad/_models.*.so": {"PyInit__models"},
    "tensorpad/lib/libtensorpad_ort.so": {"RegisterCustomOps", "tpad_ort_register"},
}
SYSTEM = r"libc\.so\.6|libm\.so\.6|libpthread\.so\.0|libdl\.so\.2|ld-linux-.*|libc\.musl-.*"
# What --version lists of libraries, threads included.
HELD = ["nanopb-", "expat-", "libpng-", "zlib-", "threads: pthreads"]
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


def look_at_library(path: pathlib.Path, shown: set[str]) -> None:
    symbols = output("nm", "-D", "--defined-only", path).split("\n")
    names = {line.split()[-1] for line in symbols if line}
    if names != shown:
        fail(f"{path.name} shows {sorted(names)}, not {sorted(shown)}")
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", output("readelf", "-d", path))
    for library in needed:
        if not re.fullmatch(SYSTEM, library):
            fail(f"{path.name} needs {library} of the system")


def look_at_command(path: pathlib.Path) -> str:
    path.chmod(0o755)
    said = output(path, "--version")
    for word in HELD:
        if word not in said:
            fail(f"tensorpad --version does not list {word}: {said}")
    kernels = re.search(r"kernels: (\w+)", said)[1]
    if kernels != expected_kernels():
        fail(f"its kernels are {kernels}, and this processor can run {expected_kernels()}")
    return "; ".join(said.strip().split("\n"))


wheel = pathlib.Path(sys.argv[1])
size_mb = wheel.stat().st_size / 1e6
if size_mb > LIMIT_MB:
    fail(f"{size_mb:.2f} MB, at most {LIMIT_MB}")
with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    zipfile.ZipFile(wheel).extractall(folder)
    licences = [path.name for path in folder.glob("*.dist-info/licenses/LICENSE*")]
    for library in LICENSES + (["musl"] if "musllinux" in wheel.name else []):
        if f"LICENSE.{library}" not in licences:
            fail(f"the licence of {library} is missing")
    if "LICENSE" not in licences:
        fail("tensorpad's own licence is missing")
    for library, shown in SHOWN.items():
        (path,) = folder.glob(library)
        look_at_library(path, shown)
    (command,) = folder.glob("*.data/scripts/tensorpad")
    runs = platform.machine() in wheel.name
    said = look_at_command(command) if runs else "its command is of another processor"
if "abi3" in wheel.name:
    output(sys.executable, "-m", "abi3audit", "--strict", wheel)
print(f"{wheel.name}: {size_mb:.2f} MB; {said}")
