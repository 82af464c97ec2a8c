#!/usr/bin/env python3
"""Holds every place that names the version against include/tensorpad/tensorpad.h: the changelog, the
documents, and what was built: the command, the libraries, the wheels, the source distribution and the
npm package. Looks whether releases.txt names the releases before it, each with a commit that has its
version.
Usage: versions.py BUILD_FOLDER [WHEEL_OR_SDIST_OR_TGZ...]   SPDX-License-Identifier: MIT"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEADER = "include/tensorpad/tensorpad.h"
RELEASES = "scripts/release/releases.txt"
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


def numbers_of_header(text):
    return re.findall(r"^#define TPAD_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", text, re.M)


def wrong_releases(now):
    """What is wrong with the releases; the version is `now`, a list of three numbers as text."""
    lines = [line for line in text_of(RELEASES).splitlines() if not line.startswith("#")]
    newest, before = "none", []
    for line in lines:
        found = re.fullmatch(r"(\d+\.\d+\.\d+) ([0-9a-f]{40}) \d{4}-\d\d-\d\d", line)
        if not found:
            yield f"{RELEASES}: {line!r} is not: version, commit, date"
            continue
        version, commit = found.groups()
        numbers = [int(number) for number in version.split(".")]
        if numbers <= before:
            yield f"{RELEASES}: {version} stands behind {newest}"
        newest, before = version, numbers
        if f"\n## {version}\n" not in text_of("CHANGELOG.md"):
            yield f"CHANGELOG.md: no section about {version}, which {RELEASES} names"
        ancestor = subprocess.run(["git", "merge-base", "--is-ancestor", commit, "HEAD"], cwd=ROOT,
                                  stderr=subprocess.DEVNULL)
        if ancestor.returncode != 0:
            yield f"{RELEASES}: {version}: the commit {commit} is not in the history of this clone"
        elif numbers_of_header(said_by("git", "-C", str(ROOT), "show", f"{commit}:{HEADER}")) \
                != version.split("."):
            yield f"{RELEASES}: {version}: {HEADER} has another version at {commit}"
    if not lines:
        yield f"{RELEASES} names no release"
    if before > [int(number) for number in now]:
        yield f"{RELEASES}: {newest} is newer than the version of {HEADER}"


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
    numbers = numbers_of_header(text_of(HEADER))
    places = [*of_the_documents(), *of_what_was_built(pathlib.Path(sys.argv[1]), sys.argv[2:])]
    wrong = [f"{where}: {version}, not {'.'.join(numbers[:count])}"
             for where, version, count in places if version != ".".join(numbers[:count])]
    wrong += wrong_releases(numbers)
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"{'.'.join(numbers)}, in {len(places)} places")


if __name__ == "__main__":
    main()
