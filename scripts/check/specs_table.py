#!/usr/bin/env python3
"""Writes the tables of docs/specifications.md from what `tensorpad specs --json` says, or checks that it is that.
Usage: specs_table.py COMMAND [--check]"""

import json
import pathlib
import subprocess
import sys
import textwrap

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/specifications.md"
WIDTH = 106  # of lines, as on the other pages
BEGIN = "<!-- limits: written by scripts/check/specs_table.py -->\n"
END = "<!-- end of limits -->\n"


def yes(flag):
    return "yes" if flag else ""


def item(spec, words):
    return textwrap.fill(f"- {spec}: {words}", WIDTH, subsequent_indent="  ") + "\n"


def added(types, before):
    """The element types of a specification, by those of the one before it where it adds some."""
    if types is None:
        return "any"
    new = [name for name in types if name not in before]
    if types == before:
        return "the same"
    if before and len(types) == len(before) + len(new):
        return f"{len(types)}, the same and {' '.join(new)}"
    return f"{len(types)}, {' '.join(types)}"


def tables(specs):
    text = "\n| spec | modes | order | amounts | axes | interior | output extent below 0 |\n"
    text += "|---|---|---|---|---|---|---|\n"
    for s in specs:
        text += (
            f"| {s['spec']} | {', '.join(s['modes'])} | {s['order']} | {s['amounts']} "
            f"| {yes(s['axes'])} | {yes(s['interior'])} | {s['negative_extent']} |\n"
        )
    text += "\n| spec | pads | pad value | default value |\n|---|---|---|---|\n"
    for s in specs:
        default = s["default_value"] or "none: it is required"
        text += f"| {s['spec']} | {s['pads']} | {s['value']} | {default} |\n"
    text += "\n## Limits of modes\n\nSpecifications that are not named here have none.\n\n"
    for s in specs:
        if s["mode_limits"] != "none":
            text += item(s["spec"], s["mode_limits"])
    text += '\n## Element types\n\n"The same" means the types of the line before.\n\n'
    before = []
    for s in specs:
        text += item(s["spec"], added(s["types"], before))
        before = s["types"] or []
    return text + "\n"


told = subprocess.run([sys.argv[1], "specs", "--json"], check=True, capture_output=True).stdout
page = PAGE.read_text(encoding="utf-8")
before, rest = page.split(BEGIN)
after = rest.split(END)[1]
text = before + BEGIN + tables(json.loads(told)["specs"]) + END + after
if "--check" in sys.argv:
    print(
        "docs/specifications.md is up to date"
        if page == text
        else "run scripts/check/specs_table.py COMMAND"
    )
    sys.exit(0 if page == text else 1)
PAGE.write_text(text, encoding="utf-8")
