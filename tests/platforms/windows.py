#!/usr/bin/env python3
"""The library for Windows: built by zig, its exports and imports looked at, its C tests run by Wine. Then the
files of the command, whose calls of Windows fail one after the other.

Usage: windows.py [NAME ...]    after scripts/setup/platforms.sh and the build of the command, as platforms.sh
does them. Prints what failed, and how many ran. With names: these tests alone.
SPDX-License-Identifier: MIT
"""
import concurrent.futures
import os
import pathlib
import pty
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build/platforms"
WINDOWS = BUILD / "windows"
COMMAND = WINDOWS / "command"
TARGET = "x86_64-windows-gnu"
CMOCKA = ROOT / "build/wheels-work/sources/cmocka"
ZIG = BUILD / f"bin/zig-{TARGET}-cc"
WINE = "/usr/lib/wine/wine64"
ENVIRONMENT = os.environ | {"WINEPREFIX": str(BUILD / "wine"), "WINEDEBUG": "-all", "TENSORPAD_QUICK": "1"}
FOLDERS = ["core", "kernels", "specs", "sizing", "adjoint", "threads"]
SECONDS = 900  # after which a test hangs
POSIX = ROOT / "tests/platforms/posix"
FLAGS = ["-std=c11", "-O2", "-D_GNU_SOURCE", "-D__unix__", "-DTPAD_KERNELS_ENV", "-I", ROOT / "include", "-I", POSIX,
         "-include", POSIX / "posix.h", "-isystem", CMOCKA / "include"]
SKIPPED = {"test_threads": "it forks, sends signals, and refuses threads by the linker's --wrap=pthread_create",
           "test_kernel_choice": "it changes what the compiler's run-time library knows of the processor"}
ARGUMENTS = {"test_table_example": ["src/core/table.h"]}
# The test of files: what is compiled with calls that fail, and what else of the command it needs.
FILES = ROOT / "tests/platforms/windows/test_files.c"
FAILING = ["tools/port/windows_posix.c", "tools/formats/output_file.c", "tools/formats/file_bytes.c",
           "tools/cli/output_signals.c"]
OTHERS = ["tools/cli/error_report.c", "tools/cli/progress.c", "tools/cli/json_writer.c"]
FILES_FLAGS = ["-std=c11", "-O2", "-D_GNU_SOURCE", "-D_FILE_OFFSET_BITS=64", "-DTPAD_WITH_PNG", "-Wall", "-Wextra",
               "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror", "-I", ROOT / "include", "-I", ROOT / "tools",
               "-I", FILES.parent, "-isystem", CMOCKA / "include"]
# These run with each variant of the kernels, the others with the best one of the processor.
EACH_VARIANT = ["test_random", "test_short_rows", "test_boxes", "test_kernels", "test_limits", "test_plan"]
VARIANTS = ["plain", "ssse3", "avx2", "avx512bw", "avx512"]


def run(*words, **more):
    return subprocess.run([str(word) for word in words], cwd=ROOT, capture_output=True, text=True, errors="replace",
                          env=ENVIRONMENT | more.pop("environment", {}), **more)


def must(*words):
    done = run(*words)
    if done.returncode:
        sys.exit(f"{' '.join(str(word) for word in words)}:\n{done.stdout}{done.stderr}")
    return done.stdout


def cmake(source, folder, target, options, products=()):
    must("cmake", "-S", source, "-B", folder, "--toolchain", ROOT / "cmake/zig.cmake", "-Wno-dev",
         f"-DZIG_TARGET={target}", *options)
    must("cmake", "--build", folder, *(f"--target={product}" for product in products))


# ---- The libraries -----------------------------------------------------------------------------


def exports(table):
    listed = table.partition("[Ordinal/Name Pointer] Table")[2].partition("\n\n")[0]
    return set(re.findall(r"^\s*\[ *\d+\].* (\w+)$", listed, re.M))


def imports(table):
    return set(re.findall(r"DLL Name: (\S+)", table))


def is_system(name):
    """The C library of Windows, in parts, and its kernel: no DLL that a compiler brings."""
    return name == "KERNEL32.dll" or name.startswith("api-ms-win-crt-")


def library():
    options = ["-DTENSORPAD_TESTS=OFF", "-DTENSORPAD_COMMAND=OFF", "-DTENSORPAD_ORT=OFF",
               "-DCMAKE_COMPILE_WARNING_AS_ERROR=ON"]
    cmake(ROOT, WINDOWS / "arm64", "aarch64-windows-gnu", options, ["tensorpad", "tensorpad_threads"])
    cmake(ROOT, WINDOWS / "library", TARGET, options, ["tensorpad_shared"])
    headers = [path.read_text() for path in (ROOT / "include/tensorpad").glob("*.h") if path.stem != "onnxruntime"]
    declared = set(re.findall(r"^TPAD_API .*[ *](tpad_\w+)\(", "\n".join(headers), re.M))
    table = must("x86_64-w64-mingw32-objdump", "-p", WINDOWS / "library/libtensorpad.dll")
    if exports(table) != declared:
        sys.exit(f"exported or declared, but not both: {exports(table) ^ declared}")
    others = [name for name in imports(table) if not is_system(name)]
    if others:
        sys.exit(f"the DLL imports {others}")
    return f"the DLL exports {len(declared)} functions, and imports the system's DLLs alone"


def by_clang_cl():
    """The library as two files, as clang-cl compiles them; it gets no headers besides its own."""
    folder = WINDOWS / "amalgamation"
    must("scripts/amalgamate.py", folder)
    must("clang", "--driver-mode=cl", "--target=x86_64-pc-windows-msvc", "/W4", "/WX", "/O2", "/c",
         f"/Fo{folder}/tensorpad.obj", "--", folder / "tensorpad.c")


# ---- The tests ---------------------------------------------------------------------------------


def compile_support():
    cmocka = WINDOWS / "cmocka"
    must("cmake", "-S", CMOCKA, "-B", cmocka, "--toolchain", ROOT / "cmake/zig.cmake", "-Wno-dev",
         f"-DZIG_TARGET={TARGET}")  # for its config.h
    must(ZIG, "-O2", "-w", "-DHAVE_CONFIG_H", "-I", cmocka, "-I", CMOCKA / "include",
         "-c", CMOCKA / "src/cmocka.c", "-o", cmocka / "cmocka.o")
    sources = [*(path for folder in ("core", "kernels", "specs", "sizing", "adjoint")
                 for path in sorted((ROOT / "src" / folder).glob("*.c"))), ROOT / "src/threads/threads.c",
               *(ROOT / "tests/support" / f"{name}.c" for name in ("guard", "oracle", "random_main", "random_problem")),
               POSIX / "posix.c"]
    objects = WINDOWS / "objects"
    objects.mkdir(exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        made = [objects / f"{path.parent.name}-{path.stem}.o" for path in sources]
        list(pool.map(lambda pair: must(ZIG, *FLAGS, "-c", pair[0], "-o", pair[1]), zip(sources, made)))
    archive = WINDOWS / "libsupport.a"
    archive.unlink(missing_ok=True)
    must(BUILD / f"bin/zig-{TARGET}-ar", "rcs", archive, *made)
    return [archive, cmocka / "cmocka.o", "-lpthread"]


def test(source, libraries):
    """[(name, "passed", "skipped" or "FAILED", why)]"""
    name = source.stem
    if name in SKIPPED:
        return [(name, "skipped", SKIPPED[name])]
    program = WINDOWS / f"{name}.exe"
    made = run(ZIG, *FLAGS, source, *libraries, "-o", program)
    if made.returncode:
        return [(name, "FAILED", made.stdout + made.stderr)]
    results = []
    for variant in VARIANTS if name in EACH_VARIANT else [None]:
        chosen = {"TENSORPAD_KERNELS": variant} if variant else {}
        words = ["--forced", variant] if name == "test_kernels" else ARGUMENTS.get(name, [])
        try:
            done = run(WINE, program, *words, environment=chosen, timeout=SECONDS)
            result = {0: "passed", 77: "skipped"}.get(done.returncode, "FAILED")
            why = (done.stdout + done.stderr)[-3000:] + f"\nstatus {done.returncode}"
        except subprocess.TimeoutExpired:
            result, why = "FAILED", f"still running after {SECONDS} s"
        results.append((f"{name}.{variant}" if variant else name, result, why))
    return results


def test_files(cmocka):
    if not (COMMAND / "libtensorpad_formats.a").exists():
        sys.exit(f"{COMMAND}: build the command first, as tests/platforms/platforms.sh does")
    header = ["-include", FILES.parent / "failing_calls.h"]
    objects = []
    for name in [*FAILING, *OTHERS, FILES.relative_to(ROOT)]:
        objects.append(WINDOWS / f"objects/files-{pathlib.Path(name).stem}.o")
        must(ZIG, *FILES_FLAGS, *(header if name in FAILING else []), "-c", name, "-o", objects[-1])
    archives = [COMMAND / f"libtensorpad{part}.a" for part in ("_models", "_readers", "_formats", "")]
    libraries = [BUILD / TARGET / f"lib/lib{name}.a" for name in ("protobuf-nanopb", "png", "z")]
    program = WINDOWS / "test_files.exe"
    must(ZIG, *objects, cmocka, *archives, *libraries, "-lshell32", "-lpthread", "-o", program)
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "files"
        folder.mkdir()
        folder.with_name("link").symlink_to(folder)
        done = run(WINE, program, folder, timeout=SECONDS)
    ours, its = pty.openpty()  # Wine's console lies on a terminal
    console = subprocess.run([WINE, program, "console"], stdin=its, stdout=its, stderr=its, env=ENVIRONMENT,
                             timeout=SECONDS).returncode
    os.close(ours)
    os.close(its)
    for line in done.stdout.splitlines():
        if re.match(r"skipped|not shown|\d+ faults|(killed|interrupted) at", line):
            print(f"test_files: {line}")
    why = done.stdout[-3000:] + done.stderr[-3000:] + f"console: status {console}"
    return "test_files", "FAILED" if done.returncode or console else "passed", why


def main():
    WINDOWS.mkdir(parents=True, exist_ok=True)
    print(library(), flush=True)
    by_clang_cl()
    libraries = compile_support()
    chosen = sys.argv[1:]
    sources = [path for folder in FOLDERS for path in sorted((ROOT / "tests/c" / folder).glob("*.c"))
               if path.stem.startswith(("test_", "stress_")) and (not chosen or path.stem in chosen)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = [result for each in pool.map(lambda source: test(source, libraries), sources) for result in each]
    if not chosen or FILES.stem in chosen:
        results.append(test_files(libraries[1]))
    for name, result, why in results:
        if result != "passed":
            print(f"{result} {name}: {why.strip()}")
    count = {result: sum(each == result for _, each, _ in results) for result in ("passed", "skipped", "FAILED")}
    print(f"Windows: {count['passed'] + count['FAILED']} run, {count['skipped']} skipped, {count['FAILED']} failed")
    too_many = count["skipped"] > 0.03 * len(results)
    sys.exit(1 if count["FAILED"] or too_many and not chosen else 0)


main()
