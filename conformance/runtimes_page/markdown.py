"""Tables of Markdown, and the names of runtimes, for both pages.

SPDX-License-Identifier: MIT
"""


def row(cells):
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"


def table(heads, rows):
    return [row(heads), row(["---"] * len(heads)), *map(row, rows), ""]


def title_of(record):
    return f"{record.family} {record.column}"
