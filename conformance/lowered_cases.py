#!/usr/bin/env python3
"""Counts how many Pads a runtime runs right after `tensorpad lower` that it ran wrong before.

Usage: lowered_cases.py SEED COUNT [TARGET...]      records what comes out and writes docs/lower.md

Lowers the models of the kit and COUNT random ones, drawn with SEED, for each TARGET, and runs those
that changed. TARGET: a runtime and its version, already installed (conformance/survey.py --install).

SPDX-License-Identifier: MIT
"""

import json
import sys

import random_pads
from padkit import lowering, lowering_page, outcome_file, runtimes, survey
from padkit.progress import tell
from padkit.runtimes import KIT

ROOT = KIT.parent
COMMAND = ROOT / "build/tensorpad"
PAD_KIT = ROOT / "build/pad-kit"
RANDOM = ROOT / "build/pad-random-lowered"
FOLDER = ROOT / "build/pad-lowered"
TARGETS = ["ort-1.32", "ort-1.31", "ort-1.23", "ort-1.20", "ort-1.17", "ort-web-1.30", "openvino-2026.4",
           "opencv-5.0", "tract-0.23"]


def recorded(target):
    """{name: outcome} of the kit, as the survey has recorded it."""
    record = outcome_file.read(target.name)
    if record["kit"] != survey.digest(survey.index_of(PAD_KIT, target.reads)):
        raise runtimes.Missing(f"the recorded outcomes of {target.name} are of another kit: "
                               f"run conformance/survey.py {target.name}")
    return record["outcomes"]


def one(target):
    """(counts of the kit, counts of the random models) for one target."""
    runtimes.check_installed(target)
    folder = FOLDER / target.name
    kit = lowering.run(target, COMMAND, PAD_KIT, recorded(target), folder / "kit", tell)
    before = survey.run(target, RANDOM, tell=tell)["outcomes"]
    return kit, lowering.run(target, COMMAND, RANDOM, before, folder / "random", tell)


def installed(names):
    """The targets of these names; without names, all that are installed."""
    known = runtimes.targets()
    for name in names or TARGETS:
        target = runtimes.find(name, known)
        if names or target.installed:
            yield target
        else:
            print(f"lowered_cases.py: {name} is not installed: going on without it", file=sys.stderr)


def main(seed, count, *names):
    random_pads.main(int(seed), int(count), RANDOM)
    for target in installed(names):
        kit, drawn = one(target)
        tell("")
        found = outcome_file.read(lowering_page.CASES)
        found[target.name] = {"kit": kit, "random": {"seed": int(seed), **drawn}}
        outcome_file.write(lowering_page.CASES, json.dumps(dict(sorted(found.items())), indent=1) + "\n")
        for kind, counts in ("kit", kit), ("random", drawn):
            print(f"{target.name}, {kind}: {counts['right now']} of {counts['counted']} right now",
                  flush=True)
    lowering_page.write()


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    try:
        main(*sys.argv[1:])
    except runtimes.Missing as missing:
        sys.exit(f"lowered_cases.py: {missing}")
