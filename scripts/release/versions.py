#!/usr/bin/env python3
"""Holds every place that names the version against include/tensorpad/tensorpad.h: the changelog, the
documents, and what was built: the command, the libraries, the wheels, the source distribution and the
npm package.
Usage: versions.py BUILD_FOLDER [WHEEL_OR_SDIST_OR_TGZ...]   SPDX-License-Identifier: MIT"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEADER = "include/tensorpad/tensorpad.h"
# Where a version stands in the documents: the page, what it looks like, and how many numbers it has.
NAMED = [
    (HEADER, r'/\* "(\d+\.\d+\.\d+)" \*/', 3),
    ("CHANGELOG.md", r"\A.*?^## (\d+\.\d+\.\d+)$", 3),
    ("docs/development/versions.md", r"find_package\(tensorpad (\d+\.\d+)\)", 2),
    ("docs/development/versions.md", r"tensorpad~=(\d+\.\d+\.\d+)", 3),
    ("docs/check.md", r"rev: v(\d+\.\d+\.\d+)", 3),
    ("docs/javascript.md", r"tensorpad-(\d+\.\d+\.\d+)\.tgz", 3),
    ("docs/javascript.md", r"// (\d+\.\d+\.\d+) wasm", 3),
    ("javascript/package.json", r'"version": "(\d+\.\d+\.\d+)"', 3),
    ("javascript/index.d.ts", r'/\*\* "(\d+\.\d+\.\d+)" \*/', 3),
]


def text_of(path):
    return (ROOT / path).read_text(encoding="utf-8")


def said_by(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def of_the_documents():
    """(where, version, how many numbers it has) of each place that names one."""
    for page, pattern, count in NAMED:
        found = re.findall(pattern, text_of(page), re.M | re.S)
        yield from ((page, version, count) for version in found or ["none"])


def of_what_was_built(build, packages):
    for name in "tensorpad", "libtensorpad.so":
        if not (build / name).exists():
            sys.exit(f"{build / name} is missing: build it first, as `make` does")
    yield "tensorpad --version", said_by(str(build / "tensorpad"), "--version").split()[1], 3
    library = build / "libtensorpad.so"
    yield "the file of libtensorpad.so", library.resolve().name.partition(".so.")[2], 3
    dynamic = said_by("objdump", "-p", str(library))
    yield "its soname", re.search(r"SONAME +libtensorpad\.so\.(\S+)", dynamic)[1], 2
    for pc in sorted(build.glob("*.pc")):
        yield pc.name, re.search(r"^Version: (\S+)$", pc.read_text(), re.M)[1], 3
    for package in packages:
        found = re.match(r"tensorpad-(\d+\.\d+\.\d+)(?=-|\.t)", pathlib.Path(package).name)
        yield package, found[1] if found else "none", 3


def main():
    if len(sys.argv) < 2:
        sys.exit(f"usage: {sys.argv[0]} BUILD_FOLDER [WHEEL_OR_SDIST_OR_TGZ...]")
    numbers = re.findall(
        r"^#define TPAD_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", text_of(HEADER), re.M
    )
    places = [*of_the_documents(), *of_what_was_built(pathlib.Path(sys.argv[1]), sys.argv[2:])]
    wrong = [
        f"{where}: {version}, not {'.'.join(numbers[:count])}"
        for where, version, count in places
        if version != ".".join(numbers[:count])
    ]
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"{'.'.join(numbers)}, in {len(places)} places")


if __name__ == "__main__":
    main()
