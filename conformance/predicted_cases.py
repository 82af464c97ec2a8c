#!/usr/bin/env python3
"""Counts how often `tensorpad check` tells what the runtimes did with the models of a kit.

Usage: predicted_cases.py COMMAND KIT OUTCOMES.json...

For models that nobody has seen: random_pads.py SEED COUNT KIT writes them, survey.py TARGET --kit
KIT --out OUTCOMES.json runs them. Prints a line for each target, and each wrong prediction.

SPDX-License-Identifier: MIT
"""

import json
import pathlib
import sys

from kit import predictions


def main(command, kit, records):
    kit = pathlib.Path(kit)
    for path in (kit / "index.json", *map(pathlib.Path, records)):
        if not path.is_file():
            sys.exit(f"predicted_cases.py: there is no file {path}")
    cases = json.loads((kit / "index.json").read_text())["cases"]
    cases = [case for case in cases if case["folder"].startswith("onnx")]
    found = predictions.predict(command, kit, cases)
    for path in records:
        record = json.loads(pathlib.Path(path).read_text())
        right, unknown, wrong = predictions.compare(found, record)
        told = right + len(wrong)
        print(
            f"{record['target']}: {right} of {told} right ({right / told:.1%}), "
            f"{len(unknown)} unknown"
        )
        for name, did, said, code in wrong:
            print(f"    {name}: {did}, check says {said} {code or ''}")


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
