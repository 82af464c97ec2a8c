#!/usr/bin/env python3
"""Writes docs/options.md, which has the help of every sub-command, from the command itself.

    scripts/check/options_page.py COMMAND            # after `make`: build/tensorpad
    scripts/check/options_page.py COMMAND --check    # fails if the page is not up to date
"""
import pathlib
import re
import subprocess
import sys

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/options.md"
HEAD = """# The options of the command

`tensorpad COMMAND --help` prints this page in parts. It is written by `scripts/check/options_page.py`.
[The command](command.md) explains what the help has no room for.
"""


def told(*words):
    return subprocess.run([sys.argv[1], *words], check=True, capture_output=True, text=True).stdout


def block(*words):
    return "\n" + "".join(f"    {line}".rstrip() + "\n" for line in told(*words).splitlines())


text = HEAD + block("--help")
for name in re.findall(r"^  ([a-z]+) .*", told("--help").split("\n\n")[1], re.M):
    text += f"\n## {name}\n" + block(name, "--help")
text += "\nTo try it: [the playground](../build/playground/index.html), which `make playground` makes.\n"
if "--check" in sys.argv:
    same = PAGE.is_file() and PAGE.read_text(encoding="utf-8") == text
    print("docs/options.md is up to date" if same else "run scripts/check/options_page.py COMMAND")
    sys.exit(0 if same else 1)
PAGE.write_text(text, encoding="utf-8")
