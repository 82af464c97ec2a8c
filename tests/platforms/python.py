#!/usr/bin/env python3
"""The wheel for Windows under Wine: pip installs it into a Python of Windows, whose NumPy is NumPy's own wheel.

Usage: python.py WHEEL [MODULE]...    MODULE: of python/tests, such as test_pad, or installation; all if none is named
The package's tests run, each module in a process of its own. Prints what failed, what was skipped and why,
and how many ran. Needs a network the first time.
SPDX-License-Identifier: MIT
"""
import collections
import concurrent.futures
import contextlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build/platforms"
WINE = "/usr/lib/wine/wine64"
ZIG = BUILD / "bin/zig-x86_64-windows-gnu-cc"
HOME = ROOT / "build/wheels-work/Python für Prüfungen"  # a path with spaces and umlauts
PYTHON = HOME / "python.exe"
PACKAGES = HOME / "lib/site-packages"
RESULTS = BUILD / "windows/results"
REQUIREMENTS = ROOT / "tests/platforms/python_requirements.txt"
INSTALLATION = "installation"
SECONDS = 900  # after which a module hangs


def windows(path):
    return "Z:" + str(path).replace("/", "\\")


ENVIRONMENT = os.environ | {
    "WINEPREFIX": str(BUILD / "wine"), "WINEDEBUG": "-all", "PYTHONDONTWRITEBYTECODE": "1", "COLUMNS": "100",
    "TENSORPAD_DATA": windows(ROOT / "build/data"), "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PYTHONUTF8": "1"}
ENVIRONMENT.pop("PYTHONPATH", None)
# Standard input and output are pipes: Python for Windows does not begin with other ones under Wine.
START = {"cwd": ROOT, "env": ENVIRONMENT, "stdin": subprocess.PIPE, "stdout": subprocess.PIPE,
         "stderr": subprocess.STDOUT}


@contextlib.contextmanager
def wine():
    """Wine's services run meanwhile. They begin with the first program, and would keep its pipes open."""
    silent = {"cwd": ROOT, "env": ENVIRONMENT, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    subprocess.run([WINE, "wineboot"], **silent)
    keeper = subprocess.Popen([WINE, "cmd", "/c", "pause"], stdin=subprocess.PIPE, **silent)
    yield
    keeper.communicate(b"\r\n", timeout=SECONDS)


def run(*words):
    """The status and the output of a program of Windows."""
    process = subprocess.Popen([WINE, *map(str, words)], **START)
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


def here(*words):
    done = subprocess.run([str(word) for word in words], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))}:\n{done.stdout}{done.stderr}")
    return done.stdout


# ---- The Python --------------------------------------------------------------------------------


def make_python():
    """Into HOME, with the packages that the tests need."""
    done = HOME / "requirements.txt"
    if done.exists() and done.read_text() == REQUIREMENTS.read_text():
        return
    shutil.rmtree(HOME, ignore_errors=True)
    portable = here("scripts/wheels/portable_python.sh", "windows", ROOT / "build/wheels-work/python-windows")
    shutil.copytree(portable.strip(), HOME)
    stable_abi()
    here(sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--platform", "win_amd64",
         "--python-version", "3.11", "--only-binary=:all:", "--target", PACKAGES, "-r", REQUIREMENTS)
    for runtime in PACKAGES.glob("Scripts/*140*.dll"):  # of msvc-runtime, which ONNX Runtime needs
        shutil.copy(runtime, HOME)
    shutil.copy(REQUIREMENTS, done)


def complex_numbers():
    """What Wine's C library lacks, in every process of the Python."""
    here(ZIG, "-O2", "-fno-builtin", "-shared", "tests/platforms/wine_complex.c", "-o", HOME / "wine_complex.dll")
    (PACKAGES / "wine_complex.pth").write_text(
        "import ctypes, os, sys; ctypes.WinDLL(os.path.join(sys.prefix, 'wine_complex.dll'))\n")


def stable_abi():
    """python3.dll, which the artifact lacks: as in every Python of Windows, it hands all names on to python311.dll."""
    symbols = here("x86_64-w64-mingw32-nm", HOME / "libs/python3.lib")
    names = sorted(set(re.findall(r" __imp_(_?Py\w+)$", symbols, re.M)))
    folder = BUILD / "windows"
    (folder / "python3.def").write_text(
        "LIBRARY python3.dll\nEXPORTS\n" + "".join(f"{name}=python311.{name}\n" for name in names))
    (folder / "nothing.c").write_text("")
    here(ZIG, "-shared", "-nostdlib", "-Wl,--no-entry", "-o", HOME / "python3.dll", folder / "nothing.c",
         folder / "python3.def")


def install(wheel):
    must(PYTHON, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--force-reinstall", windows(wheel))


# ---- The tests ---------------------------------------------------------------------------------


def test(module):
    """[(test, "passed", "skipped" or "FAILED", why)]"""
    report = RESULTS / f"{module}.xml"
    status, said = run(PYTHON, "-P", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--junitxml", windows(report),
                       f"python/tests/{module}.py")
    if status not in (0, 1, 5) or not report.exists():
        return [(module, "FAILED", f"{said[-6000:]}\nstatus {status}")]
    results = []
    for case in xml.etree.ElementTree.parse(report).iter("testcase"):
        name = f"{module}: {case.get('name') or 'all of it'}"
        failed = [*case.findall("failure"), *case.findall("error")]
        skipped = case.find("skipped")
        if failed:
            results.append((name, "FAILED", failed[0].text[-1500:]))
        elif skipped is not None:
            results.append((name, "skipped", skipped.get("message")))
        else:
            results.append((name, "passed", ""))
    return results


def uninstall_while_loaded(wheel):
    """A process that has the package loaded goes on, and afterwards the package can be installed again.

    pip may move loaded files into ~ensorpad and say that it cannot remove them, as with every package.
    """
    for left in PACKAGES.glob("~*"):  # pip takes another name where this one is left
        shutil.rmtree(left)
    code = ("import numpy, tensorpad, sys; print('loaded', flush=True); sys.stdin.readline(); "
            "print(tensorpad.pad(numpy.arange(3), 1, 'reflect').tolist())")
    process = subprocess.Popen([WINE, PYTHON, "-c", code], **START)
    process.stdout.readline()
    status, said = run(PYTHON, "-m", "pip", "uninstall", "--yes", "--quiet", "tensorpad")
    printed = process.communicate(b"\n", timeout=SECONDS)[0].decode()
    install(wheel)
    again = must(PYTHON, "-c", "import tensorpad; print(tensorpad.pad([1], 1).tolist())")
    right = (status == 0 or "~ensorpad" in said) and printed.strip() == "[1, 0, 1, 2, 1]" and again == "[0, 1, 0]"
    return [("uninstalled while loaded", "passed" if right else "FAILED", f"{status} {said} {printed} {again}")]


def onto_a_mapped_file():
    """An output that another process maps is replaced, or stays as it is; both are whole."""
    folder = RESULTS / "mapped"
    folder.mkdir()
    must(PYTHON, "-c", "import numpy, sys; [numpy.save(sys.argv[1] + name, numpy.arange(6)) for name in ('/in', '/out')]",
         windows(folder))
    code = ("import numpy, sys; a = numpy.load(sys.argv[1], mmap_mode='r'); print('mapped', flush=True); "
            "sys.stdin.readline(); print(a.tolist())")
    process = subprocess.Popen([WINE, PYTHON, "-c", code, windows(folder / "out.npy")], **START)
    process.stdout.readline()
    before = (folder / "out.npy").read_bytes()
    status, said = run(PYTHON, "-m", "tensorpad", "pad", "-f", "--pads", "1,1", windows(folder / "in.npy"),
                       windows(folder / "out.npy"))
    printed = process.communicate(b"\n", timeout=SECONDS)[0].decode().strip()
    after = (folder / "out.npy").read_bytes()
    written = int.from_bytes(after[-16:-8], "little") == 5 and len(after) == len(before) + 16
    right = printed == "[0, 1, 2, 3, 4, 5]" and (written if status == 0 else after == before)
    left = sorted(path.name for path in folder.iterdir()) == ["in.npy", "out.npy"]
    return [("an output that is mapped", "passed" if right and left else "FAILED", f"{status} {said} {printed}")]


def interrupted():
    """Ctrl-C while python -m tensorpad runs: the command ends, and Python with its status, which says so."""
    folder = RESULTS / "interrupted"
    folder.mkdir()
    code = "import numpy, sys; numpy.save(sys.argv[1], numpy.zeros((3, 4), numpy.float32))"
    must(PYTHON, "-c", code, windows(folder / "in.npy"))
    caller = ("import subprocess, sys; status = subprocess.call([sys.executable, '-m', 'tensorpad', *sys.argv[1:]]); "
              "print('status', hex(status))")
    process = subprocess.Popen([WINE, PYTHON, "-c", caller, "pad", "--pads", "0,0,20000,20000",
                                windows(folder / "in.npy"), windows(folder / "out.npy")], **START)
    while not list(folder.glob(".out.npy.*")) and process.poll() is None:
        time.sleep(0.001)
    for each in pathlib.Path("/proc").glob("[0-9]*"):  # the command, and the Python that started it
        with contextlib.suppress(OSError):
            words = each.joinpath("cmdline").read_bytes().split(b"\0")
            if str(folder).replace("/", "\\").encode() in b" ".join(words) and b"-c" not in words:
                os.kill(int(each.name), signal.SIGINT)
    said = process.communicate(timeout=SECONDS)[0].decode(errors="replace")
    left = [path.name for path in folder.iterdir()]
    right = said.split() == ["status", "0xc000013a"] and left == ["in.npy"]
    return [("Ctrl-C", "passed" if right else "FAILED", f"{said} {left}")]


def main():
    wheel, chosen = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
    make_python()
    complex_numbers()
    shutil.rmtree(RESULTS, ignore_errors=True)
    RESULTS.mkdir(parents=True)
    for left in PACKAGES.glob("~*"):  # by uninstall_while_loaded, the time before
        shutil.rmtree(left)
    with wine():
        install(wheel)
        print(must(PYTHON, "-c", "import sys, numpy, tensorpad; print('Python', sys.version.split()[0], 'NumPy', "
                                 "numpy.__version__, tensorpad.__file__)"))
        print(must(HOME / "Scripts/tensorpad.exe", "--version").split("\n")[0])
        modules = chosen or [INSTALLATION, *sorted(path.stem for path in (ROOT / "python/tests").glob("test_*.py"))]
        results = []
        if INSTALLATION in modules:
            results += onto_a_mapped_file() + interrupted() + uninstall_while_loaded(wheel)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for each in pool.map(test, [module for module in modules if module != INSTALLATION]):
                results += each
    for name, result, why in results:
        if result == "FAILED":
            print(f"FAILED {name}: {why.strip()}")
    reasons = collections.Counter((name, why) for name, result, why in results if result == "skipped")
    for (name, why), count in reasons.items():
        print(f"skipped {name}: {why}" + (f" ({count})" if count > 1 else ""))
    count = collections.Counter(result for _, result, _ in results)
    print(f"the package for Windows: {count['passed'] + count['FAILED']} run, {count['skipped']} skipped, "
          f"{count['FAILED']} failed")
    too_many = count["skipped"] > 0.03 * len(results)
    if too_many:
        print("more than 3 % are skipped")
    sys.exit(1 if count["FAILED"] or too_many and not chosen else 0)


main()
