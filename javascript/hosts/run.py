#!/usr/bin/env python3
"""Installs the npm package in a fresh project for each bundler, runtime and test runner, and runs it.

Usage: run.py [--only PATTERN] [--write PAGE]

Prints two tables, in which each cell is a run. Status 1 if a cell is not as it has to be. --write puts the
tables into a page, if no cell failed and no browser is missing; the cells of a missing browser are empty. The
projects are in build/hosts, where what npm installs stays. Needs build/npm (`make npm`), npm and its registry.
SPDX-License-Identifier: MIT
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import projects

ROOT = pathlib.Path(__file__).resolve().parents[2]
HOSTS = ROOT / "build/hosts"
INSTALL = "npm install --no-audit --no-fund --no-package-lock --loglevel=error --prefix ."
USER = {"name": "user", "version": "1.0.0", "type": "module"}
KEPT = ("node_modules", "installed.txt")

sys.path.append(str(ROOT / "bench"))
import pages  # noqa: E402


def tarball():
    made = sorted((ROOT / "build/npm").glob("tensorpad-*.tgz"))
    if len(made) != 1:
        sys.exit("run.py: build/npm has no package: run `make npm`")
    return made[0]


def install(folder, packages):
    """Installs the packages, unless a run before did."""
    stamp = folder / "installed.txt"
    if not stamp.exists() or stamp.read_text() != packages:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        (folder / "package.json").write_text(json.dumps(USER))
        if packages:
            command = [*INSTALL.split(), *packages.split()]
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
            if done.returncode != 0:
                said = done.stderr.strip().splitlines() or [""]
                raise projects.Failed(f"not installed: {said[0]}")
        stamp.write_text(packages)


def add_package(folder):
    """Puts the package from its tarball into node_modules, and a package that requires it. .vite is what Vite
    made of the package of a run before."""
    for name in ("tensorpad", "other", ".vite"):
        shutil.rmtree(folder / "node_modules" / name, ignore_errors=True)
    package = folder / "node_modules/tensorpad"
    package.mkdir(parents=True)
    subprocess.run(["tar", "-xzf", tarball(), "-C", package, "--strip-components=1"], check=True)
    other = folder / "node_modules/other"
    other.mkdir()
    (other / "package.json").write_text(
        '{ "name": "other", "version": "1.0.0", "main": "index.js" }'
    )
    (other / "index.js").write_text('exports.PadError = require("tensorpad").PadError;\n')


def fresh(host):
    """The project of a host, with its files as new."""
    folder = HOSTS / (re.sub(r"\W+", "-", host.packages) or "nothing")
    install(folder, host.packages)
    for path in folder.iterdir():
        if path.name not in KEPT:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    uses = {"dependencies": {"tensorpad": "*", "other": "*"}}
    (folder / "package.json").write_text(json.dumps({**USER, **uses}))
    add_package(folder)
    builder = HOSTS / "builder"
    install(builder, f"node@{projects.BUILDER}")
    environment = {
        **os.environ,
        "NEXT_TELEMETRY_DISABLED": "1",
        "DO_NOT_TRACK": "1",
        "CI": "1",
        "PATH": f"{builder}/node_modules/.bin:{os.environ['PATH']}",
    }
    environment.pop("NODE_OPTIONS", None)
    for name, text in host.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return projects.Project(folder, environment)


def cell(host, column, project):
    """What stands in a cell, and whether it is as it has to be."""
    if column not in host.cells:
        return "", True
    try:
        said = project if isinstance(project, projects.Failed) else host.cells[column](project)
    except projects.Failed as error:
        said = error
    if said is None:
        return "", True
    return ("yes", True) if said == host.wanted else (str(said)[:100].replace("|", "/"), False)


def table(hosts, columns, head):
    """The lines of a table, and how many cells failed."""
    lines = [pages.row([head, *columns]), pages.row(["---"] * (len(columns) + 1))]
    print("\n".join(lines), flush=True)
    failed = 0
    for host in hosts:
        try:
            project = fresh(host)
        except projects.Failed as error:
            project = error
        cells = [cell(host, column, project) for column in columns]
        failed += sum(not well for _, well in cells)
        lines.append(pages.row([host.name, *(text for text, _ in cells)]))
        print(lines[-1], flush=True)
    return lines, failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--only", default="", metavar="PATTERN", help="hosts in whose names this is found"
    )
    parser.add_argument("--write", metavar="PAGE", help="puts the tables into this page")
    options = parser.parse_args()
    chosen = re.compile(options.only)
    missing = list(filter(projects.missing, projects.COMMANDS))
    for browser in missing:
        print(f"{browser} is missing: its cells are empty", file=sys.stderr)
    in_browsers = [
        f"{browser}, {where}" for browser in projects.COMMANDS for where in ("page", "worker")
    ]
    lines, failed = [], 0
    for hosts, columns, head in (
        (projects.IN_BROWSERS, in_browsers, "in a browser"),
        (projects.ELSEWHERE, ["import", "require"], "elsewhere"),
    ):
        more, wrong = table([host for host in hosts if chosen.search(host.name)], columns, head)
        lines += [*more, ""]
        failed += wrong
        print(flush=True)
    versions = [
        f"{browser} {projects.version(browser)}"
        for browser in projects.COMMANDS
        if browser not in missing
    ]
    lines.append(
        f"The browsers are {' and '.join(versions)}. The tools run in Node {projects.BUILDER}."
    )
    if options.write and not failed and not missing:
        pages.write(options.write, "hosts", lines)
    print(f"{failed} cells failed")
    sys.exit(1 if failed else 0)


main()
