#!/usr/bin/env python3
"""Writes docs/specifications.md from what `tensorpad specs --json` says, or checks that it is that.
Usage: specs_table.py COMMAND [--check]"""
import json
import pathlib
import subprocess
import sys

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/specifications.md"
HEAD = """# The specifications

What `--spec` of the command and the dialects of the library allow. This page is made by `scripts/check/specs_table.py` from the
tables that the dialects enforce (`tensorpad specs`), and checked against them by the tests.

| spec | modes | order | amounts | limits of modes | axes | interior | output extent below 0 |
|---|---|---|---|---|---|---|---|
"""


def yes(flag):
    return "yes" if flag else ""


def page(specs):
    text = HEAD
    for s in specs:
        text += (
            f"| {s['spec']} | {', '.join(s['modes'])} | {s['order']} | {s['amounts']} "
            f"| {s['mode_limits']} | {yes(s['axes'])} | {yes(s['interior'])} "
            f"| {s['negative_extent']} |\n"
        )
    text += "\n| spec | pads | pad value | default value | element types |\n|---|---|---|---|---|\n"
    seen = None
    for s in specs:
        types = "any" if s["types"] is None else f"{len(s['types'])}: {' '.join(s['types'])}"
        shown = "as above" if types == seen and types != "any" else types
        seen = types
        default = s["default_value"] or "none: it is required"
        text += f"| {s['spec']} | {s['pads']} | {s['value']} | {default} | {shown} |\n"
    return text


told = subprocess.run([sys.argv[1], "specs", "--json"], check=True, capture_output=True).stdout
text = page(json.loads(told)["specs"])
if "--check" in sys.argv:
    same = PAGE.read_text(encoding="utf-8") == text
    print("docs/specifications.md is up to date" if same else "run scripts/check/specs_table.py COMMAND")
    sys.exit(0 if same else 1)
PAGE.write_text(text, encoding="utf-8")
