#!/usr/bin/env python3
"""Draws the pictures of the documents into docs/pictures, the same bytes every time.

Usage: pictures.py [--check]    With --check it writes nothing, and names the pictures that are old.
"""
import pathlib
import sys

import chart

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs/pictures"


def pictures():
    """Each picture's name and text."""
    yield "speed.svg", chart.draw((ROOT / "docs/performance.md").read_text(encoding="utf-8"))


def main(words):
    drawn = dict(pictures())
    old = [name for name, text in drawn.items()
           if not (FOLDER / name).exists() or (FOLDER / name).read_text(encoding="utf-8") != text]
    faults = [f"docs/pictures/{name}: old; run scripts/docs/pictures.py" for name in old]
    faults += [f"docs/pictures/{path.name}: nothing draws it" for path in sorted(FOLDER.iterdir())
               if path.name not in drawn]
    if words != ["--check"]:
        for name in old:
            (FOLDER / name).write_text(drawn[name], encoding="utf-8")
        return
    print("\n".join(faults) or f"{len(drawn)} pictures are up to date")
    sys.exit(1 if faults else 0)


main(sys.argv[1:])
