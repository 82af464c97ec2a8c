#!/usr/bin/env python3
"""The kit: conformance cases of Pad. Writes it, runs it in runtimes, and writes the page of what
came out.

SPDX-License-Identifier: MIT
"""

import argparse
import pathlib
import sys

try:
    from kit import (
        answers,
        make,
        operators,
        outcome_file,
        page,
        run_backend,
        runtimes,
        survey,
        windows,
    )
except ModuleNotFoundError as error:
    print(
        f"kit.py: {error.name} is missing for this Python: it needs onnx, numpy and ml_dtypes",
        file=sys.stderr,
    )
    sys.exit(2)

BUILD = runtimes.KIT.parent / "build"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)

    def command(name, words, add=lambda made: None):
        made = commands.add_parser(name, help=words, description=words)
        add(made)
        return made

    def add_kit(made):
        made.add_argument(
            "--kit",
            type=pathlib.Path,
            default=BUILD / "pad-kit",
            metavar="DIR",
            help="the folder that `make kit` writes",
        )

    made = command("make", "write the kit into FOLDER, and FOLDER.zip beside it")
    made.add_argument(
        "folder", type=pathlib.Path, metavar="FOLDER", help="absent, empty, or of an earlier run"
    )
    made = command("run", "run the ONNX cases in a backend of yours, for CI: status 1 if one fails")
    add_kit(made)
    run_backend.add_arguments(made)
    made = command("survey", "run the kit in a runtime, and record what comes out of each case")
    made.add_argument("target", help="a runtime and its version, or `all`")
    add_kit(made)
    made.add_argument(
        "--of",
        choices=["kit", "operators", "windows", "answers"],
        default="kit",
        help="what is run: the operators that stand in for a Pad, Conv and pools with pads of "
        "their own, or a small witness of each rule that says differs or accepts",
    )
    made.add_argument(
        "--show",
        action="store_true",
        help="print what is recorded, as JSON, and run nothing; TARGET is also a name as "
        "operators/ort-1.31 (conformance/README.md)",
    )
    made.add_argument(
        "--cases",
        metavar="PATTERN",
        help="only such cases of the kit; what comes out is printed, not recorded",
    )
    made.add_argument(
        "--out",
        type=pathlib.Path,
        metavar="FILE",
        help="write what comes out into a file of JSON, and do not record it",
    )
    made.add_argument(
        "--install", action="store_true", help="install the runtime into build/runtimes first"
    )
    add_kit(
        command("page", "write docs/runtimes.md and the page of all faults from what is recorded")
    )
    return parser.parse_args()


def record_kit(target, asked):
    """Runs the kit in a target and records, prints or writes what came out."""
    record = survey.run(target, asked.kit, asked.cases or "*", survey.tell)
    survey.tell("")
    text = survey.text_of(record)
    if asked.out:
        asked.out.write_text(text)
    elif asked.cases:
        sys.stdout.write(text)
    else:
        outcome_file.write(target.name, text)
    print(survey.summary(record), file=sys.stderr)


def surveyed(asked):
    """Runs what is asked for in one target or in all."""
    if asked.show:
        sys.stdout.write(survey.recorded_text(asked.target, asked.cases))
        return
    known = runtimes.targets()
    if asked.of == "operators":
        operators.make(BUILD / "pad-operators")
    measure = {
        "kit": lambda target: record_kit(target, asked),
        "operators": lambda target: operators.measure(target, BUILD / "pad-operators"),
        "windows": windows.measure,
        "answers": answers.measure,
    }[asked.of]
    everything = known if asked.of in ("kit", "answers") else operators.targets()
    for name in everything if asked.target == "all" else [asked.target]:
        try:
            target = runtimes.find(name, known)
            if asked.install:
                survey.tell(f"{name}: installing")
                runtimes.install(target)
            runtimes.check_installed(target)
            measure(target)
        except runtimes.Missing as missing:
            if asked.target != "all":
                raise
            survey.tell("")
            print(f"kit.py: {missing}: going on without it", file=sys.stderr)


def main():
    asked = arguments()
    try:
        if asked.command == "make":
            make.write_kit(asked.folder)
        elif asked.command == "run":
            return run_backend.main(asked)
        elif asked.command == "survey":
            surveyed(asked)
        else:
            page.write(asked.kit)
    except (runtimes.Missing, ValueError, OSError) as wrong:
        print(f"kit.py: {wrong}", file=sys.stderr)
        return 2 if asked.command == "run" else 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
