"""The page of faults as Markdown: the table of kinds, and the faults of each family of runtimes.

SPDX-License-Identifier: MIT
"""

import itertools
import textwrap

from padkit.recorded import LETTERS

from runtimes_page import faults
from runtimes_page.markdown import table, title_of
from runtimes_page.sentences import SENTENCES

TITLES = {
    "differs": "D: another answer, without an error",
    "crashes": "C: crash or hang",
    "accepts": "A: answers what the specification forbids",
    "refuses": "R: refuses what the specification answers",
}

LEAD = """\
# The faults of Pad in runtimes

For maintainers of runtimes: all faults that the [kit](README.md) found, by kind of case and by runtime, each
with its smallest model. [Which runtimes pad as ONNX says](../docs/runtimes.md) is the short page for users.

{lead}

![A grid of runtimes and kinds of cases; the tables below have the same numbers](faults.svg)

A row is a kind of case, with the number of its cases; a case may be in several rows. A column is a version
of a runtime. A cell shows how many cases came out how. The picture shows the worst of these in each cell,
in this order, with its count:

| | | |
|---|---|---|
| ✓ | same | every case is right to the bit, or is refused if the specification forbids it |
| D | differs | another answer (shape, type or bits), and no error |
| C | crashes | the process ends or hangs |
| A | accepts | an answer to what the specification forbids |
| R | refuses | an error, when the model is loaded or when it runs |

## How it was measured

Two programs that share no code computed each expected answer. Where the specification leaves a question
open, [semantics](../docs/semantics.md) decides, and the case says so; `index.json` of the kit names the
sentence of the specification for each case.

All runtimes ran on a processor, none on a GPU, with the options of their [adapters](adapters/README.md) and
with their default optimisations. Every case ran twice, with different bytes in fresh memory, in a process
that may die. An output that depends on these bytes is wrong. Two NaNs count as equal unless a case is about
their bits; 0.0 and -0.0 differ.

    # All: builds the kit, installs the runtimes into build/runtimes, runs them, writes both pages
    conformance/run.sh survey
    # Both pages, from what is recorded (this one into build/pages); some cases in one runtime; what is recorded of it, case by case
    build/venv/bin/python conformance/write_page.py
    build/venv/bin/python conformance/survey.py --install ort-1.31 --cases '*reflect*'
    build/venv/bin/python conformance/survey.py --show ort-1.31

`make kit` writes each model to `build/pad-kit/*/NAME`, with its data beside it. If you have repaired a
fault, open an issue here that names the version, and we run that version. If you think that an expected
answer is wrong, name the case. [The kit in your CI](../docs/runtimes.md#the-kit-in-your-ci) needs no
tensorpad.

## Kinds of cases

Only what is not right is counted: `D 3` are three cases of this kind with another answer.

"""


def cell(counts):
    if not counts:
        return ""
    wrong = [
        f"{letter} {counts[verdict]}" for verdict, letter in LETTERS.items() if counts[verdict]
    ]
    return ", ".join(wrong) or "✓"


def kinds(records, rows):
    lines = []
    for group, found in itertools.groupby(rows, lambda entry: entry[0].group):
        heads = [group or "ONNX Pad", "cases", *(title_of(record) for record in records)]
        lines += table(
            heads, [[kind.label, number, *map(cell, counts)] for kind, number, counts in found]
        )
    return lines


def amount(group, target):
    """How many cases have the fault, and of how many that the sentence is about."""
    number, such = len(group.cases.get(target, ())), group.such.get(target, 0)
    return f"{number} of {such}" if 0 < number < such else number or ""


def code(words):
    return f"`{words}`"


def instead(message):
    """The runtime's own words, or nothing where it has given an answer."""
    return code(message.replace("`", "'")) if message else ""


def family(name, records, facts):
    """The faults of the versions of one runtime, in a table for each verdict."""
    found = faults.groups(
        SENTENCES.get(name, []), facts, {record.target: record.outcomes for record in records}
    )
    lines = [
        f"## {name}",
        "",
        "A number is how many cases have the fault. `3 of 8`: 3 of 8 cases that the sentence "
        "describes have it.",
        "",
    ]
    for verdict, same in itertools.groupby(found, lambda group: group.verdict):
        rows = []
        for group in same:
            _, case, message = faults.smallest(group, facts)
            rows.append(
                [
                    group.says,
                    *(amount(group, record.target) for record in records),
                    f"`{case.name}`: {case.model()}",
                    instead(message),
                ]
            )
        heads = ["what", *(record.column for record in records), "smallest model"]
        heads.append("what comes instead")
        if verdict == "accepts":
            heads.pop()
            rows = [entry[:-1] for entry in rows]
        lines += [f"### {name}, {TITLES[verdict]}", "", *table(heads, rows)]
    return lines


def write(lead, records, facts, rows):
    """The page as text."""
    lines = [LEAD.format(lead=textwrap.fill(lead, 106)).rstrip(), "", *kinds(records, rows)]
    for name, same in itertools.groupby(records, lambda record: record.family):
        lines += family(name, list(same), facts)
    return "\n".join(lines).rstrip() + "\n"
