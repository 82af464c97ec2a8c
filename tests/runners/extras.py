#!/usr/bin/env python3
"""Runs the tests of tensorpad.dask, tensorpad.zarr and tensorpad.torch with the oldest and with the newest
version of these packages that pyproject.toml allows: all three use something of theirs that is private. The
newest run on Python 3.12 or newer, which zarr 3.2 needs: on PATH, or one of pyenv.

Usage: extras.py [PACKAGE==VERSION...]      without words: all six; else these versions

dask's own tests, whose number changes with its version, are left out. Needs a network and the wheel that
tests/runners/python.sh makes. The environments are kept in build/extras; torch takes 5 GB of disk, twice.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
TESTS = {
    "dask": ("test_dask_pad.py", "test_dask_overlap.py"),
    "zarr": ("test_zarr.py", "test_zarr_writers.py"),
    "torch": (
        "test_torch_pad.py",
        "test_torch_gradients.py",
        "test_torch_graphs.py",
        "test_torch_batches.py",
        "test_torch_to_size.py",
        "test_pages.py::test_coming_from",
        "test_pages.py::test_everything_public_is_documented",
        "test_pages.py::test_what_torch_exports_and_answers",
        "test_dropin.py",
        "test_arrays.py",
        "test_threads.py",
    ),
}
# What the tests need beside the extra.
MORE = {
    "dask": ["distributed"],
    "zarr": ["fsspec"],
    "torch": ["ml_dtypes", "monai", "onnx", "onnxruntime", "onnxscript"],
}


def allowed(package):
    """The requirement of an extra, and its lower bound."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    (requirement,) = project["optional-dependencies"][package]
    return requirement, re.search(r">=([\d.]+)", requirement)[1]


def pinned(*packages):
    """The lines of tests/requirements for these packages."""
    lists = (ROOT / "tests/requirements").glob("*.txt")
    return [
        line
        for path in lists
        for line in path.read_text().splitlines()
        if line.split("==")[0] in packages
    ]


def wheel():
    found = sorted((ROOT / "build/wheel-to-test").glob("tensorpad-*.whl"))
    if not found:
        sys.exit("extras.py: there is no wheel in build/wheel-to-test: run tests/runners/python.sh")
    return found[-1]


def newer_python():
    found = [
        sys.executable,
        shutil.which("python3.12"),
        shutil.which("python3.13"),
        *pathlib.Path.home().glob(".pyenv/versions/3.1[2-4].*/bin/python3"),
    ]
    probe = "import ctypes, ensurepip, sys; sys.exit(sys.version_info < (3, 12))"
    for python in filter(None, found):
        if subprocess.run([python, "-c", probe], capture_output=True).returncode == 0:
            return python
    sys.exit(
        "extras.py: the newest zarr needs Python 3.12 or newer, with venv, on PATH or of pyenv"
    )


def run(name, package, *requirements, base=sys.executable):
    """Whether the tests of a package pass in an environment of that name."""
    folder = ROOT / "build/extras" / name
    python = folder / "bin/python"
    if not python.exists():
        subprocess.run([base, "-m", "venv", folder], check=True)
    install = [
        python,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--upgrade",
    ]
    subprocess.run(
        [*install, *requirements, *MORE[package], *pinned("numpy", "pytest")], check=True
    )
    subprocess.run([*install, "--no-deps", "--force-reinstall", wheel()], check=True)
    version = subprocess.run(
        [python, "-c", f"import importlib.metadata as m; print(m.version({package!r}))"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    print(f"== {package} {version} ({name})", flush=True)
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    environment.pop("PYTHONPATH", None)
    return (
        subprocess.run(
            [
                python,
                "-m",
                "pytest",
                "-q",
                "-p",
                "no:cacheprovider",
                "-k",
                "not own_tests",
                *TESTS[package],
            ],
            cwd=ROOT / "python/tests",
            env=environment,
        ).returncode
        == 0
    )


def main(words):
    if words:
        jobs = [
            (word.replace("==", "-"), word.split("==")[0], word.replace("dask=", "dask[array]="))
            for word in words
        ]
    else:
        jobs = []
        for package in TESTS:
            requirement, lowest = allowed(package)
            exact = requirement.split(">=")[0] + "==" + lowest
            jobs += [
                (f"{package}-oldest", package, exact),
                (f"{package}-newest", package, requirement),
            ]
    failed = [
        name
        for name, *job in jobs
        if not run(name, *job, base=sys.executable if name.endswith("-oldest") else newer_python())
    ]
    if failed:
        sys.exit(f"extras.py: tests failed: {', '.join(failed)}")


if __name__ == "__main__":
    main(sys.argv[1:])
