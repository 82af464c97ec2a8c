"""Writes the pages on runtimes from the recorded outcomes and the index of the kit:
docs/runtimes.md, and for the site build/pages/conformance/faults.md with its picture, a grid of
runtimes and kinds of cases.

SPDX-License-Identifier: MIT

A cell of the picture is a bar of all its cases, one colour and pattern for each verdict, and a
letter with a count for the worst of them. The colours are those of Okabe and Ito, which
colour-blind people can tell apart.
"""

import itertools
import textwrap
import xml.sax.saxutils

from kit import outcome_file, page_faults, page_kinds, runtimes, survey
from kit.outcome_file import LETTERS, count
from kit.page_faults import SENTENCES
from kit.page_kinds import Facts
from kit.runtimes import KIT


def row(cells):
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"


def table(heads, rows):
    return [row(heads), row(["---"] * len(heads)), *map(row, rows), ""]


def title_of(record):
    return f"{record.family} {record.column}"


LEFT, TOP, WIDTH, HEIGHT, GAP, MARGIN = 320, 166, 74, 19, 3, 20
BETWEEN = 10  # families, and groups of kinds
THINNEST = 3.5  # a part of a bar that is not empty
STYLE = """<style type="text/css">
text{font-family:"DejaVu Sans",Verdana,Helvetica,Arial,sans-serif;font-size:12px;fill:#1f2328}
.page{fill:#ffffff}.quiet{fill:#59636e}.small{font-size:11px}.title{font-size:19px;font-weight:bold}
.group{font-size:11px;font-weight:bold;fill:#59636e}.family{font-weight:bold}
.line{stroke:#d0d7de}.none{fill:#eef1f4}
.same{fill:#b5d3ea}.refuses{fill:url(#refuses)}.accepts{fill:url(#accepts)}.differs{fill:#e6850f}
.crashes{fill:#1f2328}.on{font-size:11px;font-weight:bold}
.right{fill:#0b5a94;font-weight:normal}.halo{fill:#1f2328}
.back{fill:#c5c9ce}.stripe{stroke:#8b939c}.pink{fill:#e2a6c6}.dot{fill:#8f3f6b}
.halo{stroke:#ffffff;stroke-width:3px;stroke-linejoin:round;paint-order:stroke}
@media (prefers-color-scheme:dark){text{fill:#e6edf3}.page{fill:#0d1117}.quiet,.group{fill:#9198a1}
.line{stroke:#30363d}.none{fill:#161b22}.same{fill:#1f4e79}.right{fill:#a8d1f5}.differs{fill:#f09a2e}
.crashes{fill:#f0f6fc}.back{fill:#4a5159}.stripe{stroke:#7d8590}
.halo{fill:#ffffff;stroke:#0d1117}
.pink{fill:#b86a93}.dot{fill:#f6d3e6}}
</style>
<defs>
<pattern id="refuses" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
<rect class="back" width="5" height="5"/><line class="stripe" x1="0" y1="0" x2="0" y2="5" stroke-width="2.4"/>
</pattern>
<pattern id="accepts" width="5" height="5" patternUnits="userSpaceOnUse">
<rect class="pink" width="5" height="5"/><circle class="dot" cx="2.5" cy="2.5" r="1.1"/></pattern>
</defs>"""
# From left to right in a bar.
PARTS = ("same", "refuses", "accepts", "crashes", "differs")
MEANINGS = {
    "same": "right to the bit",
    "refuses": "an error",
    "accepts": "answers what is forbidden",
    "crashes": "crash or hang",
    "differs": "another answer, without an error",
}


def svg_text(x, y, words, kind="", **more):
    more = "".join(f' {key.replace("_", "-")}="{value}"' for key, value in more.items())
    kind = f' class="{kind}"' if kind else ""
    return f'<text{kind} x="{x:g}" y="{y:g}"{more}>{xml.sax.saxutils.escape(words)}</text>'


def rect(x, y, width, height, kind):
    return f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"/>'


def widths(counts, whole):
    """How wide each part of a bar is: in proportion, but none too thin to be seen."""
    total = sum(counts.values())
    wide = {part: max(THINNEST, whole * counts[part] / total) for part in PARTS if counts[part]}
    widest = max(wide, key=wide.get)
    wide[widest] -= sum(wide.values()) - whole
    return wide


def worst(counts):
    return next((verdict for verdict in LETTERS if counts[verdict]), "same")


def told(counts):
    """The counts in words, for the text that a pointer shows."""
    total = sum(counts.values())
    parts = [f"{counts[part]} {part}" for part in ("same", *LETTERS) if counts[part]]
    return f"{total} cases: {', '.join(parts)}"


def svg_cell(x, y, counts, about):
    """A bar with a letter, or an empty place where no case ran."""
    if not counts:
        return [rect(x, y, WIDTH - GAP, HEIGHT - GAP, "none")]
    parts = [f"<g><title>{xml.sax.saxutils.escape(f'{about}: {told(counts)}')}</title>"]
    place = x
    for verdict, width in widths(counts, WIDTH - GAP).items():
        parts.append(rect(round(place, 1), y, round(width, 1), HEIGHT - GAP, verdict))
        place += width
    found = worst(counts)
    label = "✓" if found == "same" else f"{LETTERS[found]} {counts[found]}"
    kind = "on right" if found == "same" else "on halo"
    parts.append(svg_text(x + (WIDTH - GAP) / 2, y + 12.5, label, kind, text_anchor="middle"))
    return [*parts, "</g>"]


def columns(records):
    """The left edge of each column; families stand apart."""
    edges, x, family = [], LEFT, None
    for record in records:
        x += BETWEEN * (family is not None and record.family != family)
        edges.append(x)
        x, family = x + WIDTH, record.family
    return edges, x - GAP


def svg_heads(records, edges):
    """The names of families with a line below, and the versions."""
    parts = []
    for family, column in itertools.groupby(zip(records, edges), lambda pair: pair[0].family):
        pairs = list(column)
        first, last = pairs[0][1], pairs[-1][1] + WIDTH - GAP
        parts += [
            svg_text((first + last) / 2, TOP - 34, family, "family", text_anchor="middle"),
            f'<line class="line" x1="{first}" x2="{last}" y1="{TOP - 27}" y2="{TOP - 27}"/>',
        ]
        parts += [
            svg_text(x + (WIDTH - GAP) / 2, TOP - 11, record.column, "small", text_anchor="middle")
            for record, x in pairs
        ]
    return parts


def legend(x, y):
    parts = []
    for verdict in ("same", *LETTERS):
        letter = LETTERS.get(verdict, "✓")
        parts += [
            rect(x, y, 26, HEIGHT - GAP, verdict),
            svg_text(
                x + 13,
                y + 12.5,
                letter,
                "on right" if verdict == "same" else "on halo",
                text_anchor="middle",
            ),
            svg_text(x + 33, y + 12.5, MEANINGS[verdict], "small"),
        ]
        x += 48 + 6.9 * len(MEANINGS[verdict])
    return parts


def draw(title, subtitle, records, rows):
    """The SVG as text. rows: [(Kind, number of cases, [Counter for each record])]"""
    edges, right = columns(records)
    parts, y, group = [], TOP, None
    for kind, number, counts in rows:
        if kind.group != group:
            y += BETWEEN * (group is not None)
            parts.append(svg_text(MARGIN, y + 12.5, kind.group, "group"))
            group = kind.group
        parts += [
            svg_text(LEFT - 40, y + 12.5, kind.label, "small", text_anchor="end"),
            svg_text(LEFT - 9, y + 12.5, str(number), "small quiet", text_anchor="end"),
        ]
        for record, x, found in zip(records, edges, counts):
            about = f"{record.family} {record.column}, {kind.group} {kind.label}".replace("  ", " ")
            parts += svg_cell(x, y, found, about)
        y += HEIGHT
    width, height = right + 2 * MARGIN, y + MARGIN
    return "\n".join(
        [
            '<?xml version="1.0" encoding="UTF-8"?>',
            f'<svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}">',
            f"<title>{xml.sax.saxutils.escape(title)}</title>",
            STYLE,
            rect(0, 0, width, height, "page"),
            svg_text(MARGIN, 36, title, "title"),
            svg_text(MARGIN, 58, subtitle, "quiet"),
            *legend(MARGIN, 78),
            *svg_heads(records, edges),
            *parts,
            "</svg>",
            "",
        ]
    )


FAULTS_TITLES = {
    "differs": "D: another answer, without an error",
    "crashes": "C: crash or hang",
    "accepts": "A: answers what the specification forbids",
    "refuses": "R: refuses what the specification answers",
}

FAULTS_LEAD = """\
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

A loop over every cell computed each expected answer, and tensorpad, which shares no code with it, gives the
same answers. Where the specification leaves a question open, [semantics](../docs/semantics.md) decides, and
the case says so; `index.json` of the kit names the sentence of the specification for each case.

All runtimes ran on a processor, none on a GPU, with the options of their [adapters](adapters/README.md) and
with their default optimisations. Every case ran twice, with different bytes in fresh memory, in a process
that may die. An output that depends on these bytes is wrong. Two NaNs count as equal unless a case is about
their bits; 0.0 and -0.0 differ.

    # All: builds the kit, installs the runtimes into build/runtimes, runs them, writes both pages
    conformance/run.sh survey
    # Both pages, from what is recorded (this one into build/pages); some cases in one runtime; what is recorded of it, case by case
    build/venv/bin/python conformance/kit.py page
    build/venv/bin/python conformance/kit.py survey --install ort-1.31 --cases '*reflect*'
    build/venv/bin/python conformance/kit.py survey --show ort-1.31

`make kit` writes each model to `build/pad-kit/*/NAME`, with its data beside it. If you have repaired a
fault, open an issue here that names the version, and we run that version. If you think that an expected
answer is wrong, name the case. [The kit in your CI](../docs/runtimes.md#the-kit-in-your-ci) needs no
tensorpad.

## Kinds of cases

Only what is not right is counted: `D 3` are three cases of this kind with another answer.

"""


def words_of(counts):
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
            heads, [[kind.label, number, *map(words_of, counts)] for kind, number, counts in found]
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
    found = page_faults.groups(
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
            _, case, message = page_faults.smallest(group, facts)
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
        lines += [f"### {name}, {FAULTS_TITLES[verdict]}", "", *table(heads, rows)]
    return lines


def write_faults(lead, records, facts, rows):
    """The page as text."""
    lines = [FAULTS_LEAD.format(lead=textwrap.fill(lead, 106)).rstrip(), "", *kinds(records, rows)]
    for name, same in itertools.groupby(records, lambda record: record.family):
        lines += family(name, list(same), facts)
    return "\n".join(lines).rstrip() + "\n"


LEAD = """\
# Which runtimes pad as ONNX says

For people who run a model with Pad nodes: this page shows which Pads come out wrong in which runtime, and
what you can do.

{lead}

## How good each runtime is

{runtimes}

The first four counts are about Pads that ONNX's specification allows, the last three about Pads that it
forbids.

- *same*: the right answer, to the bit. *refuses*, *refused*: an error, when the model is loaded or when it
  runs.
- *differs*: another answer (numbers, shape or type) and no error, so nobody notices. *accepted*: an answer
  to a forbidden Pad.
- *crashes*, *crashed*: the process ends or hangs.

Most cases test corners of the specification. A share of the cases is therefore not a share of real models. A
runtime that refuses much and never differs is a safe one.

## What differs

{situations}

A number counts cases of the row; one case may be in several rows. The column of errors names a runtime only
if it refuses more than half of the cases, because fewer refusals often have another reason, such as the
type. `make site` lists all faults, each with its smallest model, from the
[recorded outcomes](../conformance/README.md#the-recorded-outcomes).

## What to do

1. [`tensorpad check`](check.md) reads your model and says what each runtime does with each of its Pads.
2. [`tensorpad lower`](lower.md) replaces the Pads that come out wrong by operators that your runtimes run
   right.
3. In ONNX Runtime, the [plug-in](onnxruntime.md) runs the Pads instead, and the model stays as it is.

"""

CI = """\
## The kit in your CI

`conformance/kit.py run` takes any backend of ONNX's backend interface: `prepare(model, device)` returns
an object whose `run(inputs)` returns a list of arrays. It needs Python with onnx, numpy and ml_dtypes, and
your runtime. The exit status is 0 if all is right, 1 if a case fails, and 2 if the command line is wrong.

    python conformance/kit.py make build/pad-kit
    python conformance/kit.py run --backend onnxruntime.backend:prepare --junit pad.xml
    python conformance/kit.py run --backend mymodule:prepare > known.txt         # what fails today
    python conformance/kit.py run --backend mymodule:prepare --expect known.txt  # fails if that changes

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


def table_of_runtimes(records, facts):
    """How good each runtime is: one line for each record, the cases of ONNX only."""
    rows = []
    for record in records:
        answered = [
            case for case in facts.values() if case.document == "onnx" and not case.forbidden
        ]
        forbidden = [case for case in facts.values() if case.document == "onnx" and case.forbidden]
        found, refused = count(record, answered), count(record, forbidden)
        rows.append(
            [
                title_of(record),
                found["same"],
                *(found[verdict] for verdict in ("differs", "crashes", "refuses")),
                refused["same"],
                refused["accepts"],
                refused["crashes"],
            ]
        )
    heads = [
        "runtime",
        "same",
        "differs",
        "crashes",
        "refuses",
        "forbidden: refused",
        "accepted",
        "crashed",
    ]
    return "\n".join(table(heads, rows)).rstrip()


def how_many(number, whole):
    return f"All {whole}" if number == whole else f"{number} of {whole}"


def result(records, facts):
    """In how many versions there is a refusal, another answer, a crash."""
    cases = [case for case in facts.values() if case.document == "onnx" and not case.forbidden]
    counts = [count(record, cases) for record in records]
    refuse, differ, crash = (
        how_many(sum(found[verdict] > 0 for found in counts), len(records))
        for verdict in ("refuses", "differs", "crashes")
    )
    return (
        f"{refuse} versions refuse some Pads that ONNX allows. {differ} answer some of them wrongly, "
        f"without an error. {crash} crash on some of them."
    )


def what_differs(records, facts):
    heads = ["Pad", "cases", "another answer, no error", "crash", "error"]
    rows = [[label, number, *words] for label, number, words in page_kinds.rows(records, facts)]
    return "\n".join(table(heads, rows)).rstrip()


def write_page(lead, records, facts):
    """The page as text."""
    about = textwrap.fill(f"{lead} {result(records, facts)}", 106)
    return (
        LEAD.format(
            lead=about,
            runtimes=table_of_runtimes(records, facts),
            situations=what_differs(records, facts),
        )
        + CI
    )


TITLE = "The faults of Pad in runtimes"


def lead(records, facts):
    """What was run, when and on what, in a sentence."""
    cases = [case for case in facts.values() if case.document == "onnx"]
    forbidden = sum(bool(case.forbidden) for case in cases)
    days = sorted({record.date for record in records})
    platforms = sorted({record.platform for record in records})
    when = days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"
    families = {record.family for record in records}
    return (
        f"{len(cases) - forbidden:,} models that ONNX's specification allows, and {forbidden} that it "
        f"forbids, ran in {len(records)} versions of {len(families)} runtimes on {when}, "
        f"on {' and '.join(platforms)}."
    )


def same_kit(kit, records):
    """Raises ValueError unless the outcomes are of this kit."""
    known = runtimes.targets()
    for record in records:
        cases = survey.index_of(kit, known[record.target].reads)
        if record.kit != survey.digest(cases):
            raise ValueError(
                f"the recorded outcomes of {record.target} are of another kit: "
                f"run conformance/kit.py survey {record.target}"
            )


def pages(kit, records):
    """{path: text} of the two pages and the picture. Git has docs/runtimes.md alone."""
    index = survey.index_of(kit, ("onnx", "openvino"))
    facts = {case["name"]: Facts(case) for case in index}
    same_kit(kit, records)
    rows = []
    for kind in page_kinds.KINDS:
        cases = [case for case in facts.values() if kind.holds(case)]
        rows.append((kind, len(cases), [outcome_file.count(record, cases) for record in records]))
    about = lead(records, facts)
    return {
        "docs/runtimes.md": write_page(about, records, facts),
        "build/pages/conformance/faults.md": write_faults(about, records, facts, rows),
        "build/pages/conformance/faults.svg": draw(TITLE, about, records, rows),
    }


def write(kit):
    """Writes them."""
    for path, text in pages(kit, outcome_file.records()).items():
        (KIT.parent / path).parent.mkdir(parents=True, exist_ok=True)
        (KIT.parent / path).write_text(text)
