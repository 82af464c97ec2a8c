"""Writes the pages on runtimes from the recorded outcomes and the index of the kit: the parts of
docs/runtimes.md between marks, and for the site build/pages/conformance/faults.md, which has every
fault by the rule of `tensorpad check` that tells it.

SPDX-License-Identifier: MIT
"""

import itertools
import re
import subprocess
import textwrap

from kit import outcome_file, page_kinds, predictions, runtimes, survey
from kit.outcome_file import LETTERS, count
from kit.page_kinds import REASONS, Facts
from kit.runtimes import KIT

PAGE = KIT.parent / "docs/runtimes.md"
FAULTS = KIT.parent / "build/pages/conformance/faults.md"


def row(cells):
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"


def table(heads, rows):
    return "\n".join([row(heads), row(["---"] * len(heads)), *map(row, rows)])


def title_of(record):
    return f"{record.family} {record.column}"


def of_onnx(facts):
    """(the cases of ONNX that are answered, those that are forbidden)"""
    cases = [case for case in facts.values() if case.document == "onnx"]
    return [case for case in cases if not case.forbidden], [
        case for case in cases if case.forbidden
    ]


# ---- docs/runtimes.md ----------------------------------------------------------------------------


def how_good(records, facts):
    """One line for each record, the cases of ONNX only."""
    answered, forbidden = of_onnx(facts)
    rows = []
    for record in records:
        found, refused = count(record, answered), count(record, forbidden)
        rows.append(
            [title_of(record)]
            + [found[verdict] for verdict in ("same", "differs", "crashes", "refuses")]
            + [refused[verdict] for verdict in ("same", "accepts", "crashes")]
        )
    heads = ["runtime", "same", "differs", "crashes", "refuses"]
    return table([*heads, "forbidden: refused", "accepted", "crashed"], rows)


def how_many(number, whole):
    return f"All {whole}" if number == whole else f"{number} of {whole}"


def lead(records, facts):
    """What was run, when and on what, in a sentence."""
    answered, forbidden = of_onnx(facts)
    days = sorted({record.date for record in records})
    platforms = sorted({record.platform for record in records})
    when = days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"
    families = {record.family for record in records}
    return (
        f"{len(answered):,} models that ONNX's specification allows, and {len(forbidden)} that it "
        f"forbids, ran in {len(records)} versions of {len(families)} runtimes on {when}, "
        f"on {' and '.join(platforms)}."
    )


def result(records, facts):
    """In how many versions there is a refusal, another answer, a crash."""
    counts = [count(record, of_onnx(facts)[0]) for record in records]
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
    return table(heads, rows)


def with_parts(text, parts):
    """The page with these parts between its marks."""
    for name, part in parts.items():
        begin, end = (
            f"<!-- {name}: written by conformance/kit.py page -->",
            f"<!-- end of {name} -->",
        )
        before, rest = text.split(begin)
        text = f"{before}{begin}\n\n{part}\n\n{end}{rest.split(end)[1]}"
    return text


def runtimes_page(kit, records):
    """The text of docs/runtimes.md."""
    facts = facts_of(kit, records)
    about = f"{lead(records, facts)} {result(records, facts)}"
    parts = {
        "what was run": textwrap.fill(about, 106),
        "how good each runtime is": how_good(records, facts),
        "what differs": what_differs(records, facts),
    }
    return with_parts(PAGE.read_text(), parts)


# ---- The page of faults --------------------------------------------------------------------------

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

A row is a kind of case, with the number of its cases; a case may be in several rows. A column is a version
of a runtime. A cell shows how many cases came out how: ✓, every case is right to the bit, or is refused if
the specification forbids it; D, another answer (shape, type or bits), and no error; C, the process ends or
hangs; A, an answer to what the specification forbids; R, an error, when the model is loaded or when it runs.

A loop over every cell computed each expected answer, and tensorpad, which shares no code with it, gives the
same answers. Where the specification leaves a question open, [semantics](../docs/semantics.md) decides, and
the case says so; `index.json` of the kit names the sentence of the specification for each case.

All runtimes ran on a processor, none on a GPU, with the options of their [adapters](adapters/README.md) and
with their default optimisations. Every case ran twice, with different bytes in fresh memory, in a process
that may die. An output that depends on these bytes is wrong. Two NaNs count as equal unless a case is about
their bits; 0.0 and -0.0 differ.

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


def kinds(records, facts):
    """A table for each group of kinds."""
    for group, same in itertools.groupby(page_kinds.KINDS, lambda kind: kind.group):
        rows = []
        for kind in same:
            cases = [case for case in facts.values() if kind.holds(case)]
            counts = [words_of(count(record, cases)) for record in records]
            rows.append([kind.label, len(cases), *counts])
        yield table([group or "ONNX Pad", "cases", *map(title_of, records)], rows)


def kind_of_message(message):
    """The message without what is different in each case: numbers, names and what is quoted."""
    message = re.sub(r"'[^']*'|\"[^\"]*\"", "'…'", message)
    message = re.sub(r"-?\d+(\.\d+)?(e[-+]?\d+)?", "N", message)
    return re.sub(r"N(, ?N)+", "N, …", message)


def reason(facts, outcome, told, titles):
    """Why a case came out so: the rule that tells it, what is forbidden, or the message."""
    said, code = told
    if said == outcome["verdict"] and code:
        return f"{code}: {titles[code]}"
    if facts.forbidden and facts.document == "onnx":
        return REASONS[facts.name.split("_")[2]]
    return kind_of_message(facts.forbidden or outcome.get("message", ""))


def faults_of(records, facts, predicted, titles):
    """{(verdict, reason): {target: {case: message}}} of one family of runtimes."""
    found = {}
    for record in records:
        for name, outcome in record.outcomes.items():
            case = facts[name]
            if outcome == "same" or outcome["verdict"] == "refuses" and case.forbidden:
                continue
            why = reason(case, outcome, predicted[name][record.target], titles)
            targets = found.setdefault((outcome["verdict"], why), {})
            targets.setdefault(record.target, {})[name] = outcome.get("message", "")
    return found


def smallest(targets, facts):
    """(Facts, message) of the simplest model, in the newest version that has the fault."""
    cases = targets[list(targets)[-1]]
    name = min(cases, key=lambda name: facts[name].size())
    return facts[name], cases[name]


def family(name, records, facts, found):
    """The faults of the versions of one runtime, in a table for each verdict; frequent ones first."""
    yield f"## {name}\n\nA number is how many cases have the fault."
    frequent = sorted(found.items(), key=lambda fault: -sum(map(len, fault[1].values())))
    for verdict, title in TITLES.items():
        rows = []
        for (did, why), targets in frequent:
            if did == verdict:
                case, message = smallest(targets, facts)
                numbers = [len(targets.get(record.target, ())) or "" for record in records]
                message = message.replace("`", "'")
                instead = f"`{message}`" if message else ""
                rows.append([why, *numbers, f"`{case.name}`: {case.model()}", instead])
        if rows:
            heads = ["what", *(record.column for record in records), "smallest model"]
            yield f"### {name}, {title}"
            yield table([*heads, "what comes instead"], rows)


def faults_page(kit, records, command=predictions.COMMAND):
    """The text of the page of all faults. The command tells which rule is about a case."""
    facts = facts_of(kit, records)
    index = survey.index_of(kit, ("onnx", "openvino"))
    predicted = predictions.predict(command, kit, index)
    explained = subprocess.run([command, "explain"], check=True, capture_output=True, text=True)
    titles = dict(re.findall(r"^(\w+)  \w+ +(.*)$", explained.stdout, re.M))
    parts = [LEAD.format(lead=textwrap.fill(lead(records, facts), 106)).rstrip()]
    parts += kinds(records, facts)
    for name, same in itertools.groupby(records, lambda record: record.family):
        of_family = list(same)
        found = faults_of(of_family, facts, predicted, titles)
        parts += family(name, of_family, facts, found)
    return "\n\n".join(parts) + "\n"


def facts_of(kit, records):
    """{name: Facts} of the kit. Raises ValueError unless the outcomes are of this kit."""
    known = runtimes.targets()
    for record in records:
        if record.kit != survey.digest(survey.index_of(kit, known[record.target].reads)):
            raise ValueError(
                f"the recorded outcomes of {record.target} are of another kit: "
                f"run conformance/kit.py survey {record.target}"
            )
    return {case["name"]: Facts(case) for case in survey.index_of(kit, ("onnx", "openvino"))}


def write(kit):
    """Writes both pages."""
    records = outcome_file.records()
    PAGE.write_text(runtimes_page(kit, records))
    FAULTS.parent.mkdir(parents=True, exist_ok=True)
    FAULTS.write_text(faults_page(kit, records))
