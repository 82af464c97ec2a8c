#!/usr/bin/env python3
"""Writes docs/options.md and docs/tensorpad.1, which have the help of every sub-command, from the command.

    scripts/check/options_page.py COMMAND            # after `make`: build/tensorpad
    scripts/check/options_page.py COMMAND --check    # fails if a page is not up to date
"""
import datetime
import pathlib
import re
import subprocess
import sys

import man_page

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
HEAD = """# The options of the command

`tensorpad COMMAND --help` prints this page in parts. It is written by `scripts/check/options_page.py`.
[The command](command.md) explains what the help has no room for.
"""


def told(*words):
    return subprocess.run([sys.argv[1], *words], check=True, capture_output=True, text=True).stdout


def block(text):
    return "\n" + "".join(f"    {line}".rstrip() + "\n" for line in text.splitlines())


def read(path):
    return path.read_text(encoding="utf-8") if path.is_file() else ""


whole = told("--help")
parts = {name: told(name, "--help") for name in re.findall(r"^  ([a-z]+) .*", whole.split("\n\n")[1], re.M)}
options, man = DOCS / "options.md", DOCS / "tensorpad.1"
pages = {options: HEAD + block(whole) + "".join(f"\n## {name}\n{block(text)}" for name, text in parts.items())}
# The page for `man` has the day of its last change.
day = re.match(r"\.TH TENSORPAD 1 (\S+) |", read(man))[1]
pages[man] = man_page.page(day, whole, parts)
if read(man) != pages[man]:
    pages[man] = man_page.page(datetime.date.today().isoformat(), whole, parts)
old = [path for path, text in pages.items() if read(path) != text]
if "--check" in sys.argv:
    names = " and ".join(f"docs/{path.name}" for path in old)
    print(f"{names}: run scripts/check/options_page.py COMMAND" if old else "the pages are up to date")
    sys.exit(1 if old else 0)
for path in old:
    path.write_text(pages[path], encoding="utf-8")
