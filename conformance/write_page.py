#!/usr/bin/env python3
"""Writes docs/runtimes.md and its picture from the recorded outcomes and the index of the kit.

SPDX-License-Identifier: MIT

Usage: write_page.py [--kit DIR] [--docs DIR]      the kit is in build/pad-kit (`make kit`)
"""

import argparse
import pathlib
import sys

from padkit import recorded, runtimes, survey
from padkit.case_facts import Facts
from padkit.runtimes import KIT, Missing
from runtimes_page import kinds, page_picture, page_text

TITLE = "Which runtimes pad as ONNX says"


def lead(records, facts):
    """What was run, when and on what, in two sentences."""
    cases = [case for case in facts.values() if case.document == "onnx"]
    forbidden = sum(bool(case.forbidden) for case in cases)
    days = sorted({record.date for record in records})
    platforms = sorted({record.platform for record in records})
    when = days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"
    return (f"{len(cases) - forbidden:,} models that the document answers, and {forbidden} that it "
            f"forbids, ran in {len(records)} versions of runtimes on {when}, "
            f"on {' and '.join(platforms)}.")


def same_kit(kit, records):
    """Raises ValueError unless the outcomes are of this kit."""
    known = runtimes.targets()
    for record in records:
        cases = survey.index_of(kit, known[record.target].reads)
        if record.kit != survey.digest(cases):
            raise ValueError(f"the recorded outcomes of {record.target} are of another kit: "
                             f"run conformance/survey.py {record.target}")


def pages(kit, records):
    """(docs/runtimes.md, docs/runtimes.svg) as texts."""
    index = survey.index_of(kit, ("onnx", "openvino"))
    facts = {case["name"]: Facts(case) for case in index}
    same_kit(kit, records)
    rows = []
    for kind in kinds.KINDS:
        cases = [case for case in facts.values() if kind.holds(case)]
        rows.append((kind, len(cases), [recorded.count(record, cases) for record in records]))
    about = lead(records, facts)
    return page_text.write(about, records, facts, rows), page_picture.draw(TITLE, about, records, rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kit", type=pathlib.Path, default=KIT.parent / "build/pad-kit")
    parser.add_argument("--docs", type=pathlib.Path, default=KIT.parent / "docs")
    asked = parser.parse_args()
    try:
        words, drawn = pages(asked.kit, recorded.read())
    except (Missing, ValueError) as error:
        sys.exit(f"write_page.py: {error}")
    (asked.docs / "runtimes.md").write_text(words)
    (asked.docs / "runtimes.svg").write_text(drawn)


if __name__ == "__main__":
    main()
