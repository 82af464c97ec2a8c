"""The tables of docs/lower.md, from what conformance/lowered_cases.py and conformance/lowered_models.py have recorded.

SPDX-License-Identifier: MIT
"""

import textwrap

from padkit import outcome_file
from padkit.recorded import FAMILIES
from padkit.runtimes import KIT

CASES, MODELS = "lowered/kit", "lowered/models"  # names of records
PAGE = KIT.parent / "docs/lower.md"
BEGIN, END = "<!-- measured: conformance/lowered_cases.py writes this -->", "<!-- end of measured -->"
ORDER = [target for targets in FAMILIES.values() for target in targets]


def row(*cells):
    return f"| {' | '.join(str(cell) for cell in cells)} |"


def table_of_counts(found):
    """One line for each target: the kit, and the random models."""
    lines = [row("target", "wrong before", "counted", "right now", "random models: counted",
                 "right now"),
             row(*["---"] * 6)]
    for target, counts in found.items():
        kit, drawn = counts["kit"], counts["random"]
        lines.append(row(target, kit["wrong before"], kit["counted"], share(kit),
                         drawn["counted"], share(drawn)))
    return lines


def share(counts):
    return f"{counts['right now']} ({counts['right now'] / counts['counted']:.1%})"


def reasons_of(counts):
    """(what, why, {target: how many}) of all that is not right now."""
    table = {}
    for target, both in counts.items():
        kit = both["kit"]
        entries = [("not counted", why, count) for why, count in kit["left out"].items()]
        entries += [("refused", why, count) for why, count in kit["refused"].items()]
        entries += [("still wrong", words, 1) for name, words in kit["wrong now"].items()]
        entries += [("not touched", "`check` expects no fault, since it does not know the cells of "
                     "an input", 1) for _ in kit["not touched"]]
        for what, why, count in entries:
            line = table.setdefault((what, why), {})
            line[target] = line.get(target, 0) + count
    return table


def table_of_reasons(counts):
    """What is not counted, what `lower` refuses of the others, and what stays wrong."""
    lines = [row("", "why", *counts), row(*["---"] * (2 + len(counts)))]
    order = ["not counted", "refused", "not touched", "still wrong"]
    table = reasons_of(counts)
    for what, why in sorted(table, key=lambda key: order.index(key[0])):
        line = table[what, why]
        lines.append(row(what, why, *(line.get(target, "-") for target in counts)))
    return lines


def told(outcome):
    """One word for what came of a model in a target, and whether the bytes stayed the same."""
    words = [outcome["before"].split(":")[0], outcome["now"].split(":")[0]]
    if outcome.get("same bytes"):
        return "right, and the same bytes"
    return f"{words[0]}, then {words[1]}"


def table_of_models(found):
    """Models in which a Pad was rewritten."""
    targets = [key for key in next(iter(found.values())) if key in ORDER]
    lines = [row("model", "rewritten Pads", *targets), row(*["---"] * (2 + len(targets)))]
    for name, entry in found.items():
        if entry["rewritten"]:
            rewritten = f"{len(entry['rewritten'])} of {entry['pads']}: " + "; ".join(
                dict.fromkeys(entry["rewritten"]))
            lines.append(row(name, rewritten, *(told(entry[target]) for target in targets)))
    return lines


def sentence_of_models(found):
    """Of the models that stay as they are."""
    whole = [name for name, entry in found.items() if not entry["rewritten"]]
    return f"No Pad had to be rewritten in {len(whole)} models: {', '.join(whole)}."


def text():
    """What stands between the marks."""
    found = outcome_file.read(CASES)
    found = {target: found[target] for target in ORDER if target in found}
    models = outcome_file.read(MODELS)
    parts = [table_of_counts(found), table_of_reasons(found), table_of_models(models),
             textwrap.wrap(sentence_of_models(models), 110)]
    return "\n\n".join("\n".join(part) for part in parts)


def page(old):
    """The page with the tables between its marks."""
    before, rest = old.split(BEGIN)
    _, after = rest.split(END)
    return f"{before}{BEGIN}\n\n{text()}\n\n{END}{after}"


def write():
    PAGE.write_text(page(PAGE.read_text()))
