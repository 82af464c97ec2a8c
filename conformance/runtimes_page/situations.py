"""Situations in which runtimes are wrong: the rows of the table of docs/runtimes.md, worst first.

SPDX-License-Identifier: MIT

A situation is a kind of Pad that ONNX allows. Answers that differ and crashes are always counted. A refusal
often has another reason than the situation, such as the type or the opset, so a runtime is named for
refusals only where it refuses most cases of the situation.
"""

import collections
import itertools
import typing

from padkit.case_facts import AT_RUN_TIME
from padkit.recorded import count

from runtimes_page.kinds import TYPES


class Situation(typing.NamedTuple):
    """What the row says, and which cases it is about."""

    label: str
    holds: typing.Callable  # of Facts


def types(*labels):
    words = [word for label in labels for word in TYPES[label]]
    return lambda facts: facts.type in words


def mixed(facts):
    return facts.any_axis(lambda a: a.mixed)


def around(*words):
    return lambda facts: any(word in (facts.around or "") for word in words)


SITUATIONS = [
    Situation(
        "`reflect` by as many cells as the axis has, or by more",
        lambda facts: (
            facts.mode == "reflect" and facts.any_axis(lambda a: max(a.begin, a.end) >= a.left > 0)
        ),
    ),
    Situation("mode `wrap`", lambda facts: facts.mode == "wrap"),
    Situation("one end of an axis is cropped, the other end is padded", mixed),
    Situation(
        "other Pads with negative pad widths", lambda facts: facts.negative and not mixed(facts)
    ),
    Situation("a pooling follows the Pad", around("pool")),
    Situation("the Pad stands between two Transposes", around("transposes")),
    Situation(
        "the Pad is inside an If, a Loop or a function", around("branch", "loop", "function")
    ),
    Situation("`float16` or `bfloat16`", types("float16", "bfloat16")),
    Situation(
        "`double`, or integers of 32 or 64 bits", types("double", "int32, uint32", "int64, uint64")
    ),
    Situation(
        "`float8`, types of 4 and 2 bits, complex types, strings",
        types("float8, all five", "4 and 2 bits", "complex64, complex128", "string"),
    ),
    Situation(
        "the pad value is an input, or is computed from one",
        lambda facts: facts.value_as in AT_RUN_TIME,
    ),
    Situation(
        "the pad widths or the axes are an input, or are computed from one",
        lambda facts: not facts.known_pads,
    ),
]
VERDICTS = ("differs", "crashes", "refuses")


def named(record, verdict, number, cases):
    """Whether the row names the runtime for that verdict."""
    return number > 0 if verdict != "refuses" else 2 * number > cases


def who(records, verdict, counts, cases):
    """ONNX Runtime 1.17.3 (150), 1.20.1 (153); tract (48): the runtimes with that verdict, most first."""
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


def rows(records, facts):
    """[(label, number of cases, words for each verdict)], most wrong answers first, then crashes."""
    found = []
    for situation in SITUATIONS:
        cases = [
            case
            for case in facts.values()
            if case.document == "onnx" and not case.forbidden and situation.holds(case)
        ]
        counts = [count(record, cases) for record in records]
        totals = [sum(each[verdict] for each in counts) for verdict in VERDICTS]
        words = [who(records, verdict, counts, len(cases)) for verdict in VERDICTS]
        found.append((totals, situation.label, len(cases), words))
    found.sort(key=lambda entry: entry[0], reverse=True)
    return [(label, number, words) for _, label, number, words in found]
