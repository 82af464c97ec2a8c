"""Tables that programs write into pages of the documentation.  SPDX-License-Identifier: MIT"""

import pathlib


def row(cells):
    return "| " + " | ".join(cells) + " |"


def write(path, name, lines):
    """Puts the lines between the page's two marks; ValueError if it does not have them."""
    path = pathlib.Path(path)
    begin, end = f"<!-- {name}: written by a program, see below -->", f"<!-- end of {name} -->"
    text = path.read_text(encoding="utf-8")
    if text.count(begin) != 1 or text.count(end) != 1 or text.index(begin) > text.index(end):
        raise ValueError(f"{path}: no place for the table, between '{begin}' and '{end}'")
    before, after = text.split(begin)[0], text.split(end)[1]
    lines = "\n".join(["", *lines, ""])
    path.write_text(f"{before}{begin}\n{lines}\n{end}{after}", encoding="utf-8")


def write_where(paths, name, lines):
    """The same, into the one page of several that has the marks of this name."""
    mark = f"<!-- {name}: written"
    having = [path for path in paths if mark in pathlib.Path(path).read_text(encoding="utf-8")]
    if len(having) != 1:
        raise ValueError(
            f"the mark '{mark}' is in {len(having)} of these pages: {', '.join(map(str, paths))}"
        )
    write(having[0], name, lines)
