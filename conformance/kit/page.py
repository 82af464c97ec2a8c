"""Writes the pages on runtimes from the recorded outcomes and the index of the kit: the parts of
docs/runtimes.md between marks, and for the site build/pages/conformance/faults.md, which has every
fault by the rule of `tensorpad check` that tells it.

SPDX-License-Identifier: MIT

A situation is a row of the table of docs/runtimes.md: a kind of Pad that ONNX allows. Answers that
differ and crashes are always counted. A refusal often has another reason than the situation, such
as the type or the opset, so a runtime is named for refusals only where it refuses most cases of it.
"""

import collections
import itertools
import math
import re
import subprocess
import textwrap
import types

from kit import outcome_file, predictions, runtimes, survey
from kit.outcome_file import LETTERS, count
from kit.runtimes import KIT

PAGE = KIT.parent / "docs/runtimes.md"
FAULTS = KIT.parent / "build/pages/conformance/faults.md"
# Ways to give an argument: in the node or beside it; unknown until the model has its inputs.
IN_PLACE = ("attribute", "initializer", "const")
AT_RUN_TIME = ("input", "unsized input", "computed", "parameter")


class Facts(types.SimpleNamespace):
    """An entry of the index, whose tags are attributes, too: facts.mode, facts.opset and so on."""

    def __init__(self, entry):
        document = entry["folder"].split("/")[0].removesuffix("-forbidden")
        super().__init__(document=document, **entry["tags"], **entry)

    def size(self):
        """A key that puts the simplest model first."""
        usual = [
            not self.around,
            self.type == "float",
            self.dynamic == "known",
            self.pads_as in IN_PLACE,
            self.value_as is None,
            self.axes is None,
        ]
        cells = math.prod(max(1, extent) for extent in self.shape)
        return (
            -sum(usual),
            len(self.shape),
            cells + sum(map(abs, self.pads)),
            -self.opset,
            self.name,
        )

    def model(self):
        """The model in a few words: float [3], pads [4, 0], wrap, opset 19."""
        words = [f"{self.type} {list(self.shape)}"]
        words.append(f"pads {list(self.pads)}")
        if self.axes is not None:
            words.append(f"axes {self.axes}")
        words.append(f"{self.mode}, opset {self.opset}")
        for name in ("pads_as", "axes_as", "value_as"):
            if self.tags[name] not in (None, *IN_PLACE):
                words.append(f"{name.split('_')[0]}: {self.tags[name]}")
        if self.dynamic != "known":
            words.append(f"dims: {self.dynamic}")
        if self.around:
            words.append(f"beside it: {self.around}")
        return ", ".join(words)


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


SMALL = (
    "float8e4m3fn float8e4m3fnuz float8e5m2 float8e5m2fnuz float8e8m0 float4e2m1 "
    "uint4 int4 uint2 int2 complex64 complex128 string"
)


def of_types(words):
    return lambda facts: facts.type in words.split()


def around(*words):
    return lambda facts: any(word in (facts.around or "") for word in words)


SITUATIONS = {  # what the row says: which cases it is about
    "`reflect` by as many cells as the axis has, or by more": lambda facts: (
        facts.mode == "reflect" and facts.long and not facts.empty
    ),
    "mode `wrap`": lambda facts: facts.mode == "wrap",
    "one end of an axis is cropped, the other end is padded": lambda facts: facts.mixed,
    "other Pads with negative pad widths": lambda facts: facts.negative and not facts.mixed,
    "a pooling follows the Pad": around("pool"),
    "the Pad is between two Transposes": around("transposes"),
    "the Pad is inside an If, a Loop or a function": around("branch", "loop", "function"),
    "`float16` or `bfloat16`": of_types("float16 bfloat16"),
    "`double`, or integers of 32 or 64 bits": of_types("double int32 uint32 int64 uint64"),
    "`float8`, types of 4 and 2 bits, complex types, strings": of_types(SMALL),
    "the pad value is an input, or is computed from one": lambda facts: (
        facts.value_as in AT_RUN_TIME
    ),
    "the pad widths or the axes are an input, or are computed from one": lambda facts: (
        {facts.pads_as, facts.axes_as} & {*AT_RUN_TIME}
    ),
}
VERDICTS = ("differs", "crashes", "refuses")


def named(record, verdict, number, cases):
    """Whether the row names the runtime for that verdict."""
    return number > 0 if verdict != "refuses" else 2 * number > cases


def who(records, verdict, counts, cases):
    """ONNX Runtime 1.17.3 (150), 1.20.1 (153); tract (48): the runtimes with that verdict, most
    first.
    """
    versions = collections.Counter(record.family for record in records)
    pairs = [
        (record, found[verdict])
        for record, found in zip(records, counts)
        if named(record, verdict, found[verdict], cases)
    ]
    families = [
        (family, list(same))
        for family, same in itertools.groupby(pairs, lambda pair: pair[0].family)
    ]
    families.sort(key=lambda entry: -max(number for _, number in entry[1]))
    return "; ".join(
        f"{family} "
        + ", ".join(
            f"{record.column} ({number})" if versions[family] > 1 else f"({number})"
            for record, number in same
        )
        for family, same in families
    )


def situations(records, facts):
    """[(label, number of cases, words for each verdict)], most wrong answers first, then
    crashes.
    """
    found = []
    for label, holds in SITUATIONS.items():
        cases = [
            case
            for case in facts.values()
            if case.document == "onnx" and not case.forbidden and holds(case)
        ]
        counts = [count(record, cases) for record in records]
        totals = [sum(each[verdict] for each in counts) for verdict in VERDICTS]
        words = [who(records, verdict, counts, len(cases)) for verdict in VERDICTS]
        found.append((totals, label, len(cases), words))
    found.sort(key=lambda entry: entry[0], reverse=True)
    return [(label, number, words) for _, label, number, words in found]


def what_differs(records, facts):
    heads = ["Pad", "cases", "another answer, no error", "crash", "error"]
    rows = [[label, number, *words] for label, number, words in situations(records, facts)]
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

All runtimes ran on a processor, none on a GPU, with the options of their [adapters](README.md#runtimes) and
with their default optimisations. Every case ran twice, with different bytes in fresh memory, in a process
that may die. An output that depends on these bytes is wrong. Two NaNs count as equal unless a case is about
their bits; 0.0 and -0.0 differ.

`make kit` writes each model to `build/pad-kit/*/NAME`, with its data beside it. If you have repaired a
fault, open an issue here that names the version, and we run that version. If you think that an expected
answer is wrong, name the case. [The kit in your CI](../docs/runtimes.md#the-kit-in-your-ci) needs no
tensorpad.

## Kinds of cases

Kinds are the [tags](README.md#what-is-in-it) of the index. Only what is not right is counted: `D 3` are
three cases of this kind with another answer.
"""


def words_of(counts):
    if not counts:
        return ""
    wrong = [
        f"{letter} {counts[verdict]}" for verdict, letter in LETTERS.items() if counts[verdict]
    ]
    return ", ".join(wrong) or "✓"


# What a runtime should refuse, by the first word of the case's name behind `forbidden`.
REASONS = {
    "negative": "a negative output extent",
    "nothing": "nothing left to repeat",
    "count": "a wrong number of pads",
    "axes": "axes repeated, out of range, of a wrong type",
    "pads": "pads of a wrong type or shape",
    "value": "a value of a wrong type or shape",
    "mode": "an unknown mode",
    "wrap": "wrap before version 19",
    "type": "a type that the version lacks",
    "form": "wrong attributes, missing inputs",
}
# The tags of which each value is a kind of cases; the flags are kinds of each mode.
TAGS = ("type", "rank", "dynamic", "pads_as", "value_as", "axes_as", "opset", "around")
FLAGS = ("negative", "mixed", "long", "empty")


def kinds_of(facts):
    """(table, row, case) for each kind that a case is of."""
    for case in facts.values():
        if case.document == "openvino":
            row = "forbidden by the specification" if case.forbidden else f"Pad-{case.opset}"
            yield "OpenVINO IR", row, case
        elif case.forbidden:
            yield "ONNX: forbidden", REASONS[case.name.split("_")[2]], case
        else:
            yield "ONNX Pad", "all of them", case
            yield "mode", case.mode, case
            yield from (("mode", f"{case.mode}, {flag}", case) for flag in FLAGS if case.tags[flag])
            yield from ((tag, getattr(case, tag), case) for tag in TAGS)


def kinds(records, facts):
    """A table for each group of kinds."""
    tables = {}
    for group, label, case in kinds_of(facts):
        tables.setdefault(group, {}).setdefault(label, []).append(case)
    for group, found in tables.items():
        rows = [
            [label, len(cases), *(words_of(count(record, cases)) for record in records)]
            for label, cases in sorted(found.items(), key=lambda row: (str(type(row[0])), row[0]))
            if label is not None
        ]
        yield table([group, "cases", *map(title_of, records)], rows)


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
