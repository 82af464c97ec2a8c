#!/usr/bin/env python3
"""Runs the kit in a runtime and records what came out of each case (conformance/adapters/README.md).

SPDX-License-Identifier: MIT
"""

import argparse
import fnmatch
import pathlib
import sys

try:
    from padkit import outcome_file, runtimes, survey
    from padkit.progress import tell
except ImportError as error:
    sys.exit(
        f"survey.py: {error.name} is missing for this Python: "
        "take build/venv/bin/python, which `make kit` makes"
    )

ROOT = pathlib.Path(__file__).parents[1]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("target", help="a runtime and its version; `all` for every one")
    parser.add_argument(
        "--show",
        action="store_true",
        help="print what is recorded of the target, as JSON, and run nothing; TARGET is "
        "also a name as operators/ort-1.31 (conformance/README.md)",
    )
    parser.add_argument("--kit", type=pathlib.Path, default=ROOT / "build/pad-kit", metavar="DIR")
    parser.add_argument(
        "--cases",
        metavar="PATTERN",
        help="only the cases with such names; what comes out is printed, not recorded",
    )
    parser.add_argument(
        "--out",
        type=pathlib.Path,
        metavar="FILE",
        help="write what comes out into a file of JSON, and do not record it",
    )
    parser.add_argument(
        "--install", action="store_true", help="install the runtime into build/runtimes first"
    )
    return parser.parse_args()


def one(target, asked):
    """Surveys one target and records what came out."""
    if asked.install:
        tell(f"{target.name}: installing")
        runtimes.install(target)
    runtimes.check_installed(target)
    record = survey.run(target, asked.kit, asked.cases or "*", tell)
    tell("")
    text = survey.text_of(record)
    if asked.out:
        asked.out.write_text(text)
    elif asked.cases:
        sys.stdout.write(text)
    else:
        outcome_file.write(target.name, text)
    print(survey.summary(record), file=sys.stderr)


def show(name, pattern):
    """Prints the record of that name, or its cases that fit the pattern."""
    if pattern is None:
        sys.stdout.write(outcome_file.text(name))
        return
    record = outcome_file.read(name)
    if "outcomes" not in record:
        raise runtimes.Missing(f"{name} is not recorded case by case: leave out --cases")
    kept = {
        case: outcome
        for case, outcome in record["outcomes"].items()
        if fnmatch.fnmatchcase(case, pattern)
    }
    sys.stdout.write(survey.text_of({**record, "outcomes": kept}))


def main():
    asked = arguments()
    if asked.show:
        show(asked.target, asked.cases)
        return
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
