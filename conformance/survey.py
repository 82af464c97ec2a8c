#!/usr/bin/env python3
"""Runs the kit in a runtime and writes what came out of each case as JSON (conformance/runtimes/README.md).

SPDX-License-Identifier: MIT
"""

import argparse
import pathlib
import sys

try:
    from padkit import runtimes, survey
    from padkit.progress import tell
except ImportError as error:
    sys.exit(f"survey.py: {error.name} is missing for this Python: "
             "take build/venv/bin/python, which `make kit` makes")

ROOT = pathlib.Path(__file__).parents[1]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("target", help="a runtime and its version; `all` for every one")
    parser.add_argument("--kit", type=pathlib.Path, default=ROOT / "build/pad-kit", metavar="DIR")
    parser.add_argument("--cases", metavar="PATTERN",
                        help="only the cases with such names; the record goes to standard output")
    parser.add_argument("--out", type=pathlib.Path, metavar="FILE",
                        help="instead of conformance/outcomes/TARGET.json")
    parser.add_argument("--install", action="store_true",
                        help="install the runtime into build/runtimes first")
    return parser.parse_args()


def one(target, asked):
    """Surveys one target and writes its record."""
    if asked.install:
        tell(f"{target.name}: installing")
        runtimes.install(target)
    runtimes.check_installed(target)
    record = survey.run(target, asked.kit, asked.cases or "*", tell)
    tell("")
    path = asked.out or (None if asked.cases else survey.path_of(target))
    if path:
        path.write_text(survey.text_of(record))
    else:
        sys.stdout.write(survey.text_of(record))
    print(survey.summary(record), file=sys.stderr)


def main():
    asked = arguments()
    known = runtimes.targets()
    if asked.target != "all":
        one(runtimes.find(asked.target, known), asked)
        return
    for target in known.values():
        try:
            one(target, asked)
        except runtimes.Missing as missing:
            tell("")
            print(f"survey.py: {missing}: going on without it", file=sys.stderr)


if __name__ == "__main__":
    try:
        main()
    except runtimes.Missing as missing:
        sys.exit(f"survey.py: {missing}")
