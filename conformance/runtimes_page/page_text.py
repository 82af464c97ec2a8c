"""The page as Markdown: the runtimes, the table of kinds, and the faults of each family of runtimes.

SPDX-License-Identifier: MIT
"""

import itertools
import textwrap

from runtimes_page import faults
from padkit.recorded import LETTERS, count
from runtimes_page.sentences import SENTENCES

TITLES = {
    "differs": "D: another answer, without an error",
    "crashes": "C: crash or hang",
    "accepts": "A: answers what the document forbids",
    "refuses": "R: refuses what the document answers",
}

LEAD = """\
# Which runtimes pad as ONNX says

`Pad` is a simple operator, yet every runtime here refuses some Pads that the ONNX document allows, and
most answer some of them with other numbers and without an error. This page shows which.

{lead}

![A grid of runtimes and kinds of cases; the tables below have the same numbers](runtimes.svg)

*How to read it.* A row is a kind of case, with the number of cases; a case may be in several rows. A
column is a version of a runtime. A cell shows how many cases came out how:

| | | |
|---|---|---|
| ✓ | same | every case is right to the bit, or, if the document forbids it, is refused |
| D | differs | another answer (shape, type or bits), and no error: nobody notices |
| C | crashes | the process ends or hangs |
| A | accepts | an answer where the document wants none |
| R | refuses | an error, when the model is loaded or when it runs |

The picture shows the worst of these in each cell, in this order, with its count. Most cases are about
corners of the document, so a share of cases is not a share of models. A runtime that refuses much and
never differs is a safe one.

## What was run

{runtimes}

The cases are those of the [kit](../conformance/README.md). Each expected answer was computed by two
programs that share no code. Where the document leaves a question open, a case says so and
[semantics](semantics.md) decides; `index.json` of the kit names the sentence of the document for each
case. All runtimes ran on a processor, none on a GPU, each with the options that its
[adapter](../conformance/adapters) shows and with optimisation as it is by default. Every case ran twice,
with different bytes in fresh memory, in a process that may die. An output that depends on these bytes is
wrong. Two NaNs count as equal unless a case is about their bits; 0.0 and -0.0 differ.

## To repeat it, and to tell us

    # All: builds the kit, installs the runtimes into build/runtimes, runs them; this page alone, from
    # what is recorded; some cases in one runtime; what is recorded of it, case by case
    make survey
    build/venv/bin/python conformance/write_page.py
    build/venv/bin/python conformance/survey.py --install ort-1.31 --cases '*reflect*'
    build/venv/bin/python conformance/survey.py --show ort-1.31

*You maintain one of these runtimes:* [conformance/run_backend.py](../conformance/run_backend.py) runs the
kit in your CI, without installing tensorpad (`conformance/run_backend.py --help`; an example is at the
[end](#the-kit-in-your-ci)).
Each fault below names its smallest model: `make kit` writes it to `build/pad-kit/*/NAME`, with its data
beside it. If you have repaired one, open an issue here with the version that has it, and we run
that version. If you think that an expected answer is wrong, name the case: `index.json` has the sentence
that it rests on.

## Kinds of cases

Only what is not right is counted: `D 3` are three cases of this kind with another answer.

"""

CI = """\
## The kit in your CI

`conformance/run_backend.py` takes any backend of ONNX's backend interface: `prepare(model, device)` returns
an object whose `run(inputs)` returns a list of arrays. It needs Python with onnx, numpy and ml_dtypes, and
your runtime. The exit status is 0 if all is right, 1 if a case fails, and 2 if the words are wrong.

    python conformance/make.py build/pad-kit
    python conformance/run_backend.py --backend onnxruntime.backend:prepare --junit pad.xml
    python conformance/run_backend.py --backend mymodule:prepare > known.txt         # what fails today
    python conformance/run_backend.py --backend mymodule:prepare --expect known.txt  # fails if that changes

A backend is a few lines. This is one for ONNX's reference implementation:

```python
from onnx.reference import ReferenceEvaluator


class Prepared:
    def __init__(self, model):
        self.session = ReferenceEvaluator(model)

    def run(self, inputs):
        return self.session.run(None, dict(zip(self.session.input_names, inputs)))


def prepare(model, device="CPU"):
    return Prepared(model)
```
"""


def row(cells):
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"


def table(heads, rows):
    return [row(heads), row(["---"] * len(heads)), *map(row, rows), ""]


def title_of(record):
    return f"{record.family} {record.column}"


def runtimes(records, facts):
    """What was run: one line for each record, the cases of ONNX only."""
    rows = []
    for record in records:
        answered = [case for case in facts.values()
                    if case.document == "onnx" and not case.forbidden]
        forbidden = [case for case in facts.values() if case.document == "onnx" and case.forbidden]
        found, refused = count(record, answered), count(record, forbidden)
        rows.append([title_of(record), record.date, found["same"],
                     *(found[verdict] for verdict in ("differs", "crashes", "refuses")),
                     refused["same"], refused["accepts"], refused["crashes"]])
    heads = ["runtime", "run on", "same", "differs", "crashes", "refuses", "forbidden: refused",
             "accepted", "crashed"]
    return "\n".join(table(heads, rows)).rstrip()


def cell(counts):
    if not counts:
        return ""
    wrong = [f"{letter} {counts[verdict]}" for verdict, letter in LETTERS.items() if counts[verdict]]
    return ", ".join(wrong) or "✓"


def kinds(records, rows):
    lines = []
    for group, found in itertools.groupby(rows, lambda entry: entry[0].group):
        heads = [group or "ONNX Pad", "cases", *(title_of(record) for record in records)]
        lines += table(heads, [[kind.label, number, *map(cell, counts)]
                               for kind, number, counts in found])
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
    found = faults.groups(SENTENCES.get(name, []), facts,
                          {record.target: record.outcomes for record in records})
    lines = [f"## {name}", "", "A number is how many cases have the fault. `3 of 8`: the words fit 5 others "
             "that do not have it.", ""]
    for verdict, same in itertools.groupby(found, lambda group: group.verdict):
        rows = []
        for group in same:
            _, case, message = faults.smallest(group, facts)
            rows.append([group.says, *(amount(group, record.target) for record in records),
                         f"`{case.name}`: {case.model()}", instead(message)])
        heads = ["what", *(record.column for record in records), "smallest model"]
        heads.append("what comes instead")
        if verdict == "accepts":
            heads.pop()
            rows = [entry[:-1] for entry in rows]
        lines += [f"### {name}, {TITLES[verdict]}", "", *table(heads, rows)]
    return lines


def write(lead, records, facts, rows):
    """The page as text."""
    lines = [LEAD.format(lead=textwrap.fill(lead, 106),
                         runtimes=runtimes(records, facts)).rstrip(), ""]
    lines += kinds(records, rows)
    for name, same in itertools.groupby(records, lambda record: record.family):
        lines += family(name, list(same), facts)
    return "\n".join([*lines, CI])
