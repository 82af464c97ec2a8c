#!/usr/bin/env python3
"""The wheel for Windows under Wine: its command does what build/tensorpad does here, and the package's tests run
in a Python of Windows, whose NumPy is NumPy's own wheel. Before: a DLL by MinGW's gcc exports what it should.

Usage: wine.py WHEEL [MODULE]...    MODULE: of python/tests, such as test_pad; then nothing else runs
Prints what failed, what was skipped and why, and how many ran. Needs a network the first time.
SPDX-License-Identifier: MIT
"""

import collections
import concurrent.futures
import os
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build/platforms"
WINE = "/usr/lib/wine/wine64"
HERE = ROOT / "build/tensorpad"
HOME = BUILD / "Python für Prüfungen"  # a path with spaces and umlauts
PYTHON, PACKAGES, EXE = (
    HOME / "python.exe",
    HOME / "lib/site-packages",
    HOME / "Scripts/tensorpad.exe",
)
REQUIREMENTS = ROOT / "tests/platforms/requirements.txt"
SECONDS = 900  # after which a program hangs
CONTROL_C = (
    0xC000013A  # the status of Windows for a program that Ctrl-C ended; Linux sees its last byte
)


def windows(path):
    return "Z:" + str(path).replace("/", "\\")


ENVIRONMENT = os.environ | {
    "WINEPREFIX": str(BUILD / "wine"),
    "WINEDEBUG": "-all",
    "PYTHONDONTWRITEBYTECODE": "1",
    "COLUMNS": "100",
    "TENSORPAD_DATA": windows(ROOT / "build/data"),
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    "PYTHONUTF8": "1",
}
ENVIRONMENT.pop("PYTHONPATH", None)


def here(*words):
    done = subprocess.run([str(word) for word in words], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))}:\n{done.stdout}{done.stderr}")
    return done.stdout


def start(*words, folder=ROOT):
    """A program of Windows, on pipes: Python for Windows does not begin with other streams under Wine."""
    return subprocess.Popen(
        [WINE, *map(str, words)],
        cwd=folder,
        env=ENVIRONMENT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def run(*words, folder=ROOT):
    """Its status and its output."""
    process = start(*words, folder=folder)
    try:
        said = process.communicate(timeout=SECONDS)[0]
        return process.returncode, said.decode(errors="replace")
    except subprocess.TimeoutExpired:
        process.kill()
        return None, f"still running after {SECONDS} s"


def must(*words):
    status, said = run(*words)
    if status != 0:
        sys.exit(f"{' '.join(map(str, words))}: status {status}\n{said}")
    return said.strip()


# ---- The library -------------------------------------------------------------------------------


def library():
    """Built by MinGW's gcc, it exports what the headers declare, and needs the system's DLLs alone."""
    build = BUILD / "mingw"
    here(
        "cmake",
        "-S",
        ROOT,
        "-B",
        build,
        "-Wno-dev",
        "-DCMAKE_SYSTEM_NAME=Windows",
        "-DCMAKE_SYSTEM_PROCESSOR=AMD64",
        "-DCMAKE_C_COMPILER=x86_64-w64-mingw32-gcc",
        "-DTENSORPAD_TESTS=OFF",
        "-DTENSORPAD_COMMAND=OFF",
        "-DCMAKE_COMPILE_WARNING_AS_ERROR=ON",
    )
    here("cmake", "--build", build)
    table = here("x86_64-w64-mingw32-objdump", "-p", build / "libtensorpad.dll")
    listed = table.partition("[Ordinal/Name Pointer] Table")[2].partition("\n\n")[0]
    exported = set(re.findall(r"^\s*\[ *\d+\].* (\w+)$", listed, re.M))
    headers = [
        path.read_text()
        for path in (ROOT / "include/tensorpad").glob("*.h")
        if path.stem not in ("onnxruntime", "gpu")
    ]
    declared = set(re.findall(r"^TPAD_API .*[ *](tpad_\w+)\(", "\n".join(headers), re.M))
    others = set(re.findall(r"DLL Name: (\S+)", table)) - {"KERNEL32.dll", "msvcrt.dll"}
    yield (
        "DLL",
        exported ^ declared and f"exported or declared, but not both: {exported ^ declared}",
    )
    yield "DLL", others and f"it needs {others}"


# ---- The command -------------------------------------------------------------------------------

MODELS = sorted((ROOT / "checker/tests/models/exports").glob("*.onnx")) + [
    ROOT / "examples/mirror.onnx"
]
LONG = "/".join(["folder with a long name " * 5] * 3)  # more than 260 characters
WIDE = "/".join(["雛" * 50] * 2)  # more than 260 bytes
EXTERNAL = b"\x08\x0c\x10\x01\x6a\x14\x0a\x08location\x12\x08data.bin\x70\x01"  # a TensorProto of 12 floats
PADS = "pad --pads 1,1,1,1 "
# Words are split at spaces; ~ is a space in a name.
JOBS = [
    *(
        f"pad --mode {mode} --pads 1,2,1,2 in.npy out-{mode}.npy"
        for mode in ("constant", "edge", "reflect", "symmetric", "wrap")
    ),
    "pad --pads 2,2,2,2 --axes 0,1 ein~Gänseblümchen~雛.npy aus~ß.npy",
    "pad --pads 2,2,2,2 --axes 0,1 picture.png out.png",
    PADS + "in.npy out.pb",
    "pad --threads 2 --mode reflect --pads 99,9,99,9 large.npy out-large.npy",
    PADS + "in.npy out-edge.npy",
    "pad -f --pads 1,1,1,1 in.npy out-edge.npy",
    f"{PADS}{LONG}/in.npy {LONG}/out.npy".replace("name ", "name~"),
    "pad --pads 1,1 ./external.pb out-external.npy",
    f"pad --pads 1,1 {WIDE}/external.pb {WIDE}/out-external.npy",
    PADS + "in.npy in.npy",
    "pad -f --pads 1,1,1,1 in.npy ./in.npy",
    PADS + "in.npy no~such~folder/out.npy",
    PADS + "no~such~file.npy out2.npy",
    PADS + "cut.npy out2.npy",
    PADS + "--json cut.npy out2.npy",
    PADS + "--out-dir deep/er --axes 0,1 ein~Gänseblümchen~雛.npy picture.png",
    PADS + "--out-dir very//deep/er/ in.npy",
    PADS + "--out-dir in.npy/er in.npy",
    PADS + "in.npy a" + "雛" * 70 + ".npy",  # more than a temporary file shows of the name
    PADS + "in.npy -",
    "pad --modus edge",
    *(
        f"{words} models/{model.name}{more}"
        for model in MODELS
        for words, more in (
            ("inspect --json", ""),
            ("check --target openvino,tract,ort", ""),
            ("lower --target openvino", f" {model.stem}-lowered.onnx"),
        )
    ),
    "inspect cut.onnx",
    "check models --format json",
    "check models --target openvino --format sarif",
    "run models/mirror.onnx --input in.npy --output run.npy",
    "show --mode reflect --pads 2,2 --shape 4",
    "show --mode reflect --pads 2,2 --shape 4 --format svg",
    "explain TP207",
    "specs",
    "--help",
    "completion bash",
    "",
    "nonsense",
]


def npy(descr, shape, data):
    head = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}".encode()
    head += b" " * (63 - (10 + len(head)) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + data


def write_external(folder):
    (folder / "external.pb").write_bytes(EXTERNAL)
    (folder / "data.bin").write_bytes(struct.pack("<12f", *range(12)))


def make_inputs(folder):
    (folder / "models").mkdir(parents=True)
    (folder / "in.npy").write_bytes(npy("<f4", (3, 4), struct.pack("<12f", *range(12))))
    (folder / "ein Gänseblümchen 雛.npy").write_bytes(npy("|u1", (5, 7, 3), bytes(range(105))))
    (folder / "large.npy").write_bytes(npy("<i8", (600, 700), bytes(range(210)) * 16000))
    (folder / "cut.npy").write_bytes((folder / "in.npy").read_bytes()[:-5])
    (folder / "cut.onnx").write_bytes(MODELS[-1].read_bytes()[:50])
    head, rows = struct.pack(">IIBBBBB", 5, 4, 8, 2, 0, 0, 0), zlib.compress(bytes(4 * (1 + 3 * 5)))
    (folder / "picture.png").write_bytes(
        b"\x89PNG\r\n\x1a\n"
        + b"".join(
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
            for kind, data in ((b"IHDR", head), (b"IDAT", rows), (b"IEND", b""))
        )
    )
    for model in MODELS:
        shutil.copy(model, folder / "models")
    (folder / "models/again").symlink_to(".")
    (folder / LONG).mkdir(parents=True)
    shutil.copy(folder / "in.npy", folder / LONG / "in.npy")
    (folder / WIDE).mkdir(parents=True)
    write_external(folder)
    write_external(folder / WIDE)


def result(command, words, folder, **more):
    """Status, standard output and standard error: files, as services of Wine would keep a pipe open."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        how = {
            "stdin": subprocess.DEVNULL,
            "stdout": out,
            "stderr": err,
            "env": ENVIRONMENT,
            **more,
        }
        done = subprocess.run([*command, *words], cwd=folder, timeout=SECONDS, **how)
        said = []
        for stream in (out, err):
            stream.seek(0)
            said.append(stream.read())
    return done.returncode, *said


def exe(text, folder):
    return result([WINE, EXE], [word.replace("~", " ") for word in text.split()], folder)


def compared(wine, linux):
    """The jobs, one after the other in both folders."""
    for text in JOBS:
        ours = exe(text, wine)
        theirs = result([HERE], [word.replace("~", " ") for word in text.split()], linux)
        yield text, ours != theirs and f"{ours} instead of {theirs}"[:600]
    made = [
        {
            str(path.relative_to(folder)): path.read_bytes()
            for path in folder.rglob("*")
            if path.is_file()
        }
        for folder in (wine, linux)
    ]
    differ = [
        name for name in made[0].keys() | made[1].keys() if made[0].get(name) != made[1].get(name)
    ]
    yield "all files together", differ and f"{differ} differ"
    with (wine / "in.npy").open("rb") as file:
        ours = result([WINE, EXE], "pad --pads 1,1,1,1 - -".split(), wine, stdin=file)
    yield "pad - -", ours[1] != made[1]["out-edge.npy"] and str(ours)


def paths(folder):
    r"""Paths with \, of a drive, and names that differ in letters that are the same for Windows."""
    (folder / "sub").mkdir()
    shutil.copy(folder / "in.npy", folder / "sub/IN.npy")
    write_external(BUILD / "wine/drive_c")
    (folder / "shapes.ini").write_bytes(b"[models/mirror.onnx]\r\ninput-shape = nobody=1\r\n")
    for text, made in (
        (PADS + r"--out-dir back\slash\ sub\IN.npy", "back/slash/IN.npy"),
        (PADS + r"sub\IN.npy Z:relative.npy", "relative.npy"),
        (PADS + r"--out-dir drive Z:in.npy", "drive/in.npy"),
        ("pad --pads 1,1 C:/external.pb root.npy", "root.npy"),
    ):
        ended = exe(text, folder)
        yield text, (ended[0] or not (folder / made).exists()) and str(ended)
    for text, stream, said in (
        (PADS + r"-f --out-dir both in.npy sub\IN.npy", 2, "would both become"),
        (r"check models\mirror.onnx --shapes shapes.ini --target ort", 2, "nobody"),
        (r"check models\mirror.onnx --target openvino --format sarif", 1, '"models/mirror.onnx"'),
    ):
        ended = exe(text, folder)
        yield text, said.encode() not in ended[stream] and str(ended)
    nul = result([WINE, EXE], [*PADS.split(), "in.npy", "-"], folder, stdout=subprocess.DEVNULL)
    yield "pad in.npy - >NUL", nul[0] and str(nul)


def patterns(folder):
    """* and ? in the last part of a path are expanded."""
    (folder / "pätterns").mkdir()
    for each in ("zwei ß.npy", "EINS.NPY", "a.npyx", ".a.npy"):
        (folder / "pätterns" / each).write_bytes(b"")
    for words, expected in (
        ("pätterns/*.npy", ["pätterns/EINS.NPY", "pätterns/zwei ß.npy"]),
        (r"pätterns\*i?s*.npy", [r"pätterns\EINS.NPY"]),
        ("no*.npy n?", ["no*.npy", "n?"]),
    ):
        # None of these is a model: check names each one that it cannot read.
        (folder / "patterns.bat").write_text(f'@"{windows(EXE)}" check {words}\n', encoding="cp850")
        said = result([WINE, "cmd", "/c", "patterns.bat"], [], folder)[2].decode(errors="replace")
        named = re.findall(r"^tensorpad: (.*): (?:not a valid|No such|an empty)", said, re.M)
        yield f"check {words}", named != expected and f"named {named} in {said}"


def held(folder):
    """A file that another program holds is refused and stays; held for a moment, it is replaced."""
    code = "import sys, time; f = open('held.npy', 'rb'); print('held', flush=True); time.sleep(float(sys.argv[1]))"
    for seconds, expected in ((20, 1), (0.2, 0)):
        shutil.copy(folder / "in.npy", folder / "held.npy")
        holder = start(PYTHON, "-c", code, seconds, folder=folder)
        holder.stdout.readline()
        ended = exe(PADS + "-f in.npy held.npy", folder)
        holder.kill() if expected else holder.communicate()
        whole = (folder / "held.npy").read_bytes() == (
            folder / ("in.npy" if expected else "out-edge.npy")
        ).read_bytes()
        said = not expected or b"Permission denied" in ended[2]
        yield (
            f"pad onto a file held for {seconds} s",
            (ended[0] != expected or not whole or not said) and str(ended),
        )


def heap(folder):
    """What was not from malloc is not given to free: Windows ends the process, Wine warns."""
    ended = result(
        [WINE, EXE],
        "bench --only 14,14".split(),
        folder,
        env=ENVIRONMENT | {"WINEDEBUG": "warn+heap"},
    )
    wrong = [line for line in ended[2].splitlines() if b"invalid" in line]
    yield "bench", (ended[0] or wrong) and f"{ended[:2]} {wrong}"


def interrupted(folder):
    """Ctrl-C while an output of 1.6 GB is half made leaves neither it nor its temporary file, nor a traceback."""
    for command in ([EXE], [PYTHON, "-m", "tensorpad"]):
        process = start(
            *command, *"pad --pads 0,0,20000,20000 in.npy interrupted.npy".split(), folder=folder
        )
        while not list(folder.glob(".interrupted.npy.*")) and process.poll() is None:
            time.sleep(0.001)
        for each in pathlib.Path("/proc").glob("[0-9]*"):  # also the command that Python started
            if (
                each.joinpath("cmdline").is_file()
                and b"interrupted.npy" in each.joinpath("cmdline").read_bytes()
            ):
                os.kill(int(each.name), signal.SIGINT)
        said = process.communicate(timeout=SECONDS)[0].decode(errors="replace")
        left = [path.name for path in folder.glob("*interrupted*")]
        wrong = process.returncode != CONTROL_C & 0xFF or left or "Traceback" in said
        yield (
            f"Ctrl-C at {command[-1]}",
            wrong and f"status {process.returncode}, left {left}, {said}",
        )


def command():
    with tempfile.TemporaryDirectory() as scratch:
        wine, linux = (pathlib.Path(scratch) / name for name in ("wine", "here"))
        make_inputs(wine)
        make_inputs(linux)
        yield from compared(wine, linux)
        for check in (paths, patterns, held, heap, interrupted):
            yield from check(wine)


# ---- The package -------------------------------------------------------------------------------


def make_python():
    """Into HOME, with the packages that the tests need, and with what the artifact and Wine 8 lack: python3.dll,
    which hands all names on to python311.dll, and the functions of complex numbers."""
    if (HOME / "done").exists() and (HOME / "done").read_text() == REQUIREMENTS.read_text():
        return
    shutil.rmtree(HOME, ignore_errors=True)
    shutil.copytree(
        here(
            "scripts/wheels/portable_python.sh",
            "windows",
            ROOT / "build/wheels-work/python-windows",
        ).strip(),
        HOME,
    )
    symbols = here("x86_64-w64-mingw32-nm", HOME / "libs/python3.lib")
    names = sorted(set(re.findall(r" __imp_(_?Py\w+)$", symbols, re.M)))
    (HOME / "python3.def").write_text(
        "LIBRARY python3.dll\nEXPORTS\n" + "".join(f"{n}=python311.{n}\n" for n in names)
    )
    compiler = ["x86_64-w64-mingw32-gcc", "-shared"]
    here(*compiler, "-nostdlib", "-Wl,--entry=0", HOME / "python3.def", "-o", HOME / "python3.dll")
    here(*compiler, "-O2", "-fno-builtin", "tests/platforms/complex.c", "-o", HOME / "complex.dll")
    here(
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--platform",
        "win_amd64",
        "--python-version",
        "3.11",
        "--only-binary=:all:",
        "--target",
        PACKAGES,
        "-r",
        REQUIREMENTS,
    )
    (PACKAGES / "complex.pth").write_text(
        "import ctypes, os, sys; ctypes.WinDLL(os.path.join(sys.prefix, 'complex.dll'))\n"
    )
    for runtime in PACKAGES.glob("Scripts/*140*.dll"):  # of msvc-runtime, which ONNX Runtime needs
        shutil.copy(runtime, HOME)
    shutil.copy(REQUIREMENTS, HOME / "done")


def module(name):
    """(test, what failed), and the reasons of what was skipped."""
    report = BUILD / f"{name}.xml"
    report.unlink(missing_ok=True)
    status, said = run(
        PYTHON,
        "-P",
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--junitxml",
        windows(report),
        f"python/tests/{name}.py",
    )
    if status not in (0, 1, 5) or not report.exists():
        return [(name, f"{said[-6000:]}\nstatus {status}")], []
    cases = list(xml.etree.ElementTree.parse(report).iter("testcase"))
    skipped = [
        f"{name}: {case.find('skipped').get('message')}"
        for case in cases
        if case.find("skipped") is not None
    ]
    failed = [[*case.findall("failure"), *case.findall("error")] for case in cases]
    return [
        (f"{name}: {case.get('name')}", wrong and wrong[0].text[-1500:])
        for case, wrong in zip(cases, failed)
        if case.find("skipped") is None
    ], skipped


def main():
    wheel, chosen = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
    BUILD.mkdir(exist_ok=True)
    # Wine's services run meanwhile. They begin with the first program, and would keep its pipes open.
    silent = {"env": ENVIRONMENT, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    subprocess.run([WINE, "wineboot"], **silent)
    keeper = subprocess.Popen([WINE, "cmd", "/c", "pause"], stdin=subprocess.PIPE, **silent)
    make_python()
    must(
        PYTHON,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-index",
        "--no-deps",
        "--force-reinstall",
        windows(wheel),
    )
    results = [] if chosen else [*library(), *command()]
    skipped = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for ended, reasons in pool.map(
            module,
            chosen or sorted(path.stem for path in (ROOT / "python/tests").glob("test_*.py")),
        ):
            results += ended
            skipped.update(reasons)
    keeper.communicate(b"\r\n", timeout=SECONDS)
    failed = [(name, why) for name, why in results if why]
    for name, why in failed:
        print(f"FAILED {name}: {why}")
    for reason, count in skipped.items():
        print(f"skipped ({count}) {reason}")
    print(f"Windows: {len(results)} run, {sum(skipped.values())} skipped, {len(failed)} failed")
    sys.exit(1 if failed or not chosen and sum(skipped.values()) > 0.03 * len(results) else 0)


main()
