#!/usr/bin/env python3
"""Writes docs/specifications.md from what `tensorpad specs --json` says, or checks that it is that.
Usage: specs_table.py COMMAND [--check]"""
import json
import pathlib
import subprocess
import sys
import textwrap

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/specifications.md"
WIDTH = 106  # of lines, as on the other pages
HEAD = """# The specifications

This page says what `--spec` of the command and the dialects of the library allow. The script
`scripts/check/specs_table.py` writes it from the tables that the dialects enforce (`tensorpad specs`),
and a test compares the page with these tables. This is what the two words for the order mean:

![1 2 3 4 reflected by (-1, 3) in window order and in crop order](pictures/order.svg)

| spec | modes | order | amounts | axes | interior | output extent below 0 |
|---|---|---|---|---|---|---|
"""


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


def page(specs):
    text = HEAD
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
    text += "\n## Element types\n\n\"The same\" means the types of the line before.\n\n"
    before = []
    for s in specs:
        text += item(s["spec"], added(s["types"], before))
        before = s["types"] or []
    text += "\nTo try it: [the playground](../build/playground/index.html"
    return text + "#spec=openvino-1&mode=reflect&pads=1,4,1,1),\nwhich `make playground` makes.\n"


told = subprocess.run([sys.argv[1], "specs", "--json"], check=True, capture_output=True).stdout
text = page(json.loads(told)["specs"])
if "--check" in sys.argv:
    same = PAGE.read_text(encoding="utf-8") == text
    print("docs/specifications.md is up to date" if same else "run scripts/check/specs_table.py COMMAND")
    sys.exit(0 if same else 1)
PAGE.write_text(text, encoding="utf-8")
