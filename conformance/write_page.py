#!/usr/bin/env python3
"""Writes the pages on runtimes from the recorded outcomes and the index of the kit: docs/runtimes.md, and
for the site build/pages/conformance/faults.md with its picture.

SPDX-License-Identifier: MIT

Usage: write_page.py [--kit DIR]      the kit is in build/pad-kit (`make kit`)
"""

import argparse
import pathlib
import sys

from padkit import recorded, runtimes, survey
from padkit.case_facts import Facts
from padkit.runtimes import KIT, Missing
from runtimes_page import faults_text, kinds, page_picture, page_text

ROOT = pathlib.Path(__file__).resolve().parents[1]
TITLE = "The faults of Pad in runtimes"


def lead(records, facts):
    """What was run, when and on what, in a sentence."""
    cases = [case for case in facts.values() if case.document == "onnx"]
    forbidden = sum(bool(case.forbidden) for case in cases)
    days = sorted({record.date for record in records})
    platforms = sorted({record.platform for record in records})
    when = days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"
    families = {record.family for record in records}
    return (
        f"{len(cases) - forbidden:,} models that ONNX's specification allows, and {forbidden} that it "
        f"forbids, ran in {len(records)} versions of {len(families)} runtimes on {when}, "
        f"on {' and '.join(platforms)}."
    )


def same_kit(kit, records):
    """Raises ValueError unless the outcomes are of this kit."""
    known = runtimes.targets()
    for record in records:
        cases = survey.index_of(kit, known[record.target].reads)
        if record.kit != survey.digest(cases):
            raise ValueError(
                f"the recorded outcomes of {record.target} are of another kit: "
                f"run conformance/survey.py {record.target}"
            )


def pages(kit, records):
    """{path: text} of the two pages and the picture. Git has docs/runtimes.md alone."""
    index = survey.index_of(kit, ("onnx", "openvino"))
    facts = {case["name"]: Facts(case) for case in index}
    same_kit(kit, records)
    rows = []
    for kind in kinds.KINDS:
        cases = [case for case in facts.values() if kind.holds(case)]
        rows.append((kind, len(cases), [recorded.count(record, cases) for record in records]))
    about = lead(records, facts)
    return {
        "docs/runtimes.md": page_text.write(about, records, facts),
        "build/pages/conformance/faults.md": faults_text.write(about, records, facts, rows),
        "build/pages/conformance/faults.svg": page_picture.draw(TITLE, about, records, rows),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kit", type=pathlib.Path, default=KIT.parent / "build/pad-kit")
    asked = parser.parse_args()
    try:
        written = pages(asked.kit, recorded.read())
    except (Missing, ValueError) as error:
        sys.exit(f"write_page.py: {error}")
    for path, text in written.items():
        (ROOT / path).parent.mkdir(parents=True, exist_ok=True)
        (ROOT / path).write_text(text)


if __name__ == "__main__":
    main()
