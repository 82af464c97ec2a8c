#!/usr/bin/env python3
"""Measures which operators may stand in for a Pad on each runtime: tools/runtimes/operators_measured.h.

SPDX-License-Identifier: MIT
"""

import argparse
import json
import pathlib
import sys

try:
    from padkit import (
        elements,
        operator_cases,
        operator_outcomes,
        outcome_file,
        own_folder,
        runtimes,
        survey,
    )
    from padkit.progress import tell
except ImportError as error:
    sys.exit(
        f"replacement_operators.py: {error.name} is missing for this Python: "
        "take build/venv/bin/python, which `make kit` makes"
    )

HEADER = pathlib.Path(__file__).parents[1] / "tools/runtimes/operators_measured.h"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    make = commands.add_parser(
        "make",
        help="write the cases: small models with what they "
        "answer; the folder must be absent, empty, or of an earlier run",
    )
    make.add_argument("folder", type=pathlib.Path)
    run = commands.add_parser("run", help="run them and record what comes out")
    run.add_argument("folder", type=pathlib.Path)
    run.add_argument(
        "targets",
        nargs="+",
        help="a runtime and its version; `all` for those that have such a record",
    )
    commands.add_parser("table", help="write tools/runtimes/operators_measured.h from all records")
    return parser.parse_args()


def write_case(case, folder):
    """The files of a case; returns its entry of the index."""
    place = folder / case.folder
    model = case.model()
    files, inputs, answer = model.files(case.build(model))
    elements.write_data(place / "test_data_set_0", inputs, answer)
    for name, content in files.items():
        (place / name).write_bytes(content)
    return {
        "name": case.name,
        "folder": case.folder,
        "forbidden": None,
        "tags": {"nan_payloads": True},
    }


def make(folder):
    own_folder.make_anew(folder)
    cases = [write_case(case, folder) for case in operator_cases.ALL]
    (folder / "index.json").write_text(json.dumps({"cases": cases}))
    print(f"{len(cases)} cases in {folder}")


def measure(folder, name):
    """Runs the cases in one target and records what comes out."""
    target = runtimes.find(name, runtimes.targets())
    runtimes.check_installed(target)
    record = survey.run(target, folder, tell=tell)
    tell("")
    outcome_file.write(operator_outcomes.record_of(name), operator_outcomes.text_of(record))
    print(survey.summary(record), file=sys.stderr)


def run(folder, names):
    if names != ["all"]:
        for name in names:
            measure(folder, name)
        return
    for name in operator_outcomes.targets():
        try:
            measure(folder, name)
        except runtimes.Missing as missing:
            tell("")
            print(f"replacement_operators.py: {missing}: going on without it", file=sys.stderr)


def main():
    asked = arguments()
    if asked.command == "make":
        make(asked.folder)
    elif asked.command == "run":
        run(asked.folder, asked.targets)
    else:
        HEADER.write_text(operator_outcomes.header())


if __name__ == "__main__":
    try:
        main()
    except runtimes.Missing as missing:
        sys.exit(f"replacement_operators.py: {missing}")
