#!/usr/bin/env python3
"""Runs the own tests of packages that call numpy.pad, alone and under `python -m tensorpad.dropin --verify`,
and compares the outcome of each test; for a package that comes without tests a program beside this one.
Prints the table of docs/dropin.md. `tests/runners/dropin_suites.sh` runs it with the Python that has the
packages. build/dropin-suites gets logs and reports. Status 1 where an outcome or a call of pad differs, or
where a suite never pads."""

import argparse
import collections
import importlib.metadata
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tarfile
import xml.etree.ElementTree

# The files whose tests come to numpy.pad, and which of their tests, as pytest's -k says it.
SUITES = {
    "scikit-image": (
        "skimage",
        (
            "segmentation/tests/test_chan_vese.py",
            "segmentation/tests/test_boundaries.py",
            "morphology/tests/test_binary.py",
            "morphology/tests/test_footprints.py",
            "morphology/tests/test_flood_fill.py",
            "morphology/tests/test_extrema.py",
            "restoration/tests/test_rolling_ball.py",
            "feature/tests/test_template.py",
            "measure/tests/test_block.py",
        ),
        "",
    ),
    "librosa": (
        None,
        ("tests/test_filters.py", "tests/test_features.py", "tests/test_segment.py"),
        "",
    ),
    "xarray": (
        "xarray",
        (
            "tests/test_variable.py",
            "tests/test_dataarray.py",
            "tests/test_dataset.py",
            "tests/test_units.py",
            "tests/test_duck_array_wrapping.py",
        ),
        "pad or rolling or coarsen or shift",
    ),
    "PyWavelets": ("pywt", ("tests/test_dwt_idwt.py",), ""),
    "SciPy": (
        "scipy",
        (
            "signal/tests/test_short_time_fft.py",
            "signal/tests/test_upfirdn.py",
            "ndimage/tests/test_interpolation.py",
            "linalg/tests/test_special_matrices.py",
            "sparse/linalg/tests/test_special_sparse_arrays.py",
        ),
        "",
    ),
    "astropy": (
        "astropy",
        (
            "units/tests/test_quantity_non_ufuncs.py",
            "utils/masked/tests/test_function_helpers.py",
            "convolution/tests/test_convolve.py",
        ),
        "",
    ),
    "audiomentations": (None, ("tests/test_padding.py", "tests/test_adjust_duration.py"), ""),
    "batchgenerators": (
        None,
        (
            "tests/test_crop.py",
            "tests/test_random_crop.py",
            "tests/test_spatial_transformations.py",
        ),
        "",
    ),
    "stumpy": (
        None,
        ("tests/test_aampdist_snippets.py", "tests/test_core.py"),
        "aampdist or egress",
    ),
}
# Neither the wheel nor the source distribution has tests.
PROGRAMS = {"albumentations": "dropin_albumentations.py", "MONAI": "dropin_monai.py"}
# What tests would download is refused at once, in both runs.
OFFLINE = {
    "HTTP_PROXY": "http://127.0.0.1:9",
    "HTTPS_PROXY": "http://127.0.0.1:9",
    "NO_ALBUMENTATIONS_UPDATE": "1",
}
HEAD = """\
| package | tests | outcomes that differ | calls of pad | run by NumPy | calls that differ | \
time with NumPy / tensorpad |
|---|---|---|---|---|---|---|"""


def sources(package, folder):
    """The folder of the source distribution: its tests are not in the wheel."""
    version = importlib.metadata.version(package)
    unpacked = folder / f"{package}-{version}"
    if not unpacked.exists():
        subprocess.run(
            [
                sys.executable,
                "-m",
                "pip",
                "download",
                "--quiet",
                "--disable-pip-version-check",
                "--no-deps",
                "--no-binary",
                package,
                "--dest",
                folder,
                f"{package}=={version}",
            ],
            check=True,
        )
        with tarfile.open(f"{unpacked}.tar.gz") as archive:
            archive.extractall(folder, filter="data")
    return unpacked


def outcomes(path):
    """How often each test ended how: a name may stand for several tests."""
    found = collections.Counter()
    for case in xml.etree.ElementTree.parse(path).iter("testcase"):
        ends = sorted(child.tag for child in case if child.tag in ("failure", "error", "skipped"))
        found[f"{case.get('classname')}::{case.get('name')}", *(ends or ["passed"])] += 1
    return found


def run(name, folder, label, runner=()):
    """The outcomes of a suite, or of the calls of a program, run by `python RUNNER ...`."""
    if name in PROGRAMS:
        words = [pathlib.Path(__file__).with_name(PROGRAMS[name])]
    else:
        package, files, chosen = SUITES[name]
        root = package and pathlib.Path(importlib.util.find_spec(package).origin).parent
        root = root or sources(name, folder)
        results = folder / f"{name}-{label}.xml"
        words = [
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "-c",
            os.devnull,
            "--rootdir",
            root,
            "--junitxml",
            results,
            *(root / file for file in files),
            *(["-k", chosen] if chosen else []),
        ]
    said = folder / f"{name}-{label}.out"
    with open(said, "w", encoding="utf-8") as out, open(said.with_suffix(".log"), "w") as log:
        done = subprocess.run(
            [sys.executable, *runner, *words],
            cwd=folder,
            stdout=out,
            stderr=log,
            env={**os.environ, **OFFLINE},
            check=False,
        )
    if name not in PROGRAMS:
        return outcomes(results)
    done.check_returncode()
    lines = said.read_text(encoding="utf-8").splitlines()
    return collections.Counter(tuple(line.split("\t")) for line in lines)


def suite(name, folder):
    """Runs it both ways and prints what came out: whether all is the same."""
    report = folder / f"{name}.json"
    alone = run(name, folder, "alone")
    with_it = run(
        name, folder, "dropin", ("-m", "tensorpad.dropin", "--verify", "--json", "--report", report)
    )
    facts = json.loads(report.read_text(encoding="utf-8"))
    others = sorted((alone - with_it) + (with_it - alone))
    what = "calls" if name in PROGRAMS else "tests"
    print(
        f"| {name} {importlib.metadata.version(name)} | {alone.total():,} {what} | {len(others)} | "
        f"{facts['calls']:,} | {facts['run_by_numpy']['calls']:,} | {facts['different']} | "
        f"{facts['numpy_seconds'] / facts['tensorpad_seconds']:.2g} |",
        flush=True,
    )
    for test, *how in others:
        print(f"    {test}: {'/'.join(how)} in one run only")
    for site in facts["sites"]:
        for text in site["differences"]:
            print(f"    {site['file']}:{site['line']}: {text}")
    return alone.total() and facts["numpy_seconds"] and not others and not facts["different"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "suites",
        nargs="*",
        metavar="SUITE",
        help=f"of {', '.join([*SUITES, *PROGRAMS])}; default: all",
    )
    chosen = parser.parse_args().suites or [*SUITES, *PROGRAMS]
    folder = pathlib.Path(__file__).resolve().parents[2] / "build/dropin-suites"
    folder.mkdir(parents=True, exist_ok=True)
    print(HEAD)
    same = [suite(name, folder) for name in chosen]
    sys.exit(0 if all(same) else 1)


main()
