"""The operators that may stand in for a Pad: how they are measured, the records, and the table of
them.

SPDX-License-Identifier: MIT

Made of the records: checker/runtimes/operators_measured.h.
"""

import collections
import json
import re
import sys
import textwrap

from kit import elements, operator_cases, outcome_file, runtimes, survey
from kit.json_arrays import TYPES
from kit.make import make_anew
from kit.operator_cases import CAST, IR, OPERATORS, RANKS

# A letter for each verdict of the survey; NONE: there is no such case.
LETTERS = {"same": "s", "differs": "d", "refuses": "r", "crashes": "c"}
RIGHT = LETTERS["same"]
NONE = "."
FOLDER = "operators"  # of their records
RULES = runtimes.KIT.parent / "checker/runtimes/runtimes.h"
HEADER = RULES.with_name("operators_measured.h")
BITS = (
    "NEGATIVE",
    "MINUS_ZERO",
    "BEYOND_FLOAT32",
    "BEYOND_INT32",
    "NAN_PAYLOAD",
    "NAN",
    "INFINITE",
    "BEYOND_UINT8",
    "BELOW_INT8",
    "SUBNORMAL",
)

# ---- Measuring -----------------------------------------------------------------------------------


def write_case(case, folder):
    """The files of a case; returns its entry of the index."""
    model = case.model()
    elements.write_data(folder / case.folder, *model.files(case.build(model)))
    return {
        "name": case.name,
        "folder": case.folder,
        "forbidden": None,
        "tags": {"nan_payloads": True},
    }


def make(folder):
    """Writes all cases: small models with what they answer."""
    make_anew(folder)
    cases = [write_case(case, folder) for case in operator_cases.ALL]
    (folder / "index.json").write_text(json.dumps({"cases": cases}))


def measure(target, folder):
    """Runs the cases in a target, records what comes out, and writes the header."""
    record = survey.run(target, folder, tell=survey.tell)
    survey.tell("")
    outcome_file.write(record_of(target.name), text_of(record))
    print(survey.summary(record), file=sys.stderr)
    HEADER.write_text(header())


# ---- Records -----------------------------------------------------------------------------------


def record_of(target):
    """The name of its record."""
    return f"{FOLDER}/{target}"


def targets():
    """The targets that were measured."""
    return outcome_file.names(FOLDER)


def compact(outcomes):
    """{(use, variant): {opset: a letter for each type}}, from {name of a case: its outcome}."""
    found = collections.defaultdict(dict)
    for case in operator_cases.ALL:
        if case.name not in outcomes:  # of another format
            continue
        letters = found[case.use, case.variant].setdefault(case.opset, dict.fromkeys(TYPES, NONE))
        letters[case.type] = LETTERS[survey.kind(outcomes[case.name])[0]]
    return {
        key: {opset: "".join(letters.values()) for opset, letters in by_opset.items()}
        for key, by_opset in found.items()
    }


def spans(by_opset):
    """[(first opset, last opset, what both and all between have)]."""
    made = []
    for opset, content in sorted(by_opset.items()):
        if made and made[-1][1:] == [opset - 1, content]:
            made[-1][1] = opset
        else:
            made.append([opset, opset, content])
    return made


def text_of(record):
    """The record of a survey as JSON, one line for each use, variant and span of opsets."""
    head = {key: value for key, value in record.items() if key != "outcomes"}
    head["types"] = " ".join(TYPES)
    head["letters"] = LETTERS
    lines = [
        f'  "{use} {variant} {first}-{last}": "{letters}"'
        for (use, variant), by_opset in compact(record["outcomes"]).items()
        for first, last, letters in spans(by_opset)
    ]
    opening = json.dumps(head, indent=1).removesuffix("\n}")
    return f'{opening},\n "outcomes": {{\n' + ",\n".join(lines) + "\n }\n}\n"


def read(target):
    """(the record, {use: {variant: {opset: {type: letter}}}})."""
    record = outcome_file.read(record_of(target))
    words = record["types"].split()
    found = {}
    for key, letters in record["outcomes"].items():
        use, variant, span = key.split()
        first, last = map(int, span.split("-"))
        by_opset = found.setdefault(use, {}).setdefault(variant, {})
        for opset in range(first, last + 1):
            by_opset[opset] = {
                word: letter for word, letter in zip(words, letters) if letter != NONE
            }
    return record, found


# ---- The table ---------------------------------------------------------------------------------


def fits(variant, kind):
    """Whether the variant is that, or one of several: "empty0" and "form_flat" are of a kind."""
    return variant.startswith(kind) if kind not in BITS else variant == kind


def types_right(variants, kind):
    """The types of which every variant of a kind was right, and at least one was run."""
    letters = collections.defaultdict(set)
    for variant, by_opset in variants.items():
        if fits(variant, kind):
            for by_type in by_opset.values():
                for word, letter in by_type.items():
                    letters[word].add(letter)
    return {word for word, seen in letters.items() if seen == {RIGHT}}


def types_with(variants, kind):
    return {
        word
        for variant, by_opset in variants.items()
        if fits(variant, kind)
        for by_type in by_opset.values()
        for word in by_type
    }


def right_spans(variants):
    """[(first, last, types)]: the plain cases and all other forms of the type were right."""
    bad_forms = types_with(variants, "form_") - types_right(variants, "form_")
    plains = [by_opset for variant, by_opset in variants.items() if variant.startswith("plain")]
    opsets = sorted(set().union(*plains))
    by_opset = {}
    for opset in opsets:
        words = set().union(*(each[opset] for each in plains))
        by_opset[opset] = {
            word
            for word in words - bad_forms
            if all(each[opset].get(word) == RIGHT for each in plains)
        }
    return [span for span in spans(by_opset) if span[2]]


def ranks_right(variants, types):
    """The ranks at which every type that is right at all was right."""
    found = set()
    for rank in RANKS:
        start = f"rank{rank}_"
        tried = types_with(variants, start) & types
        if tried and tried <= types_right(variants, start):
            found.add(rank)
    return found


def cast_ranks_right(uses, start):
    """The ranks at which every Cast that is right at all was right, of those that have ranks."""
    found = set(RANKS)
    for use, variants in uses.items():
        if use.startswith(start):
            types = set().union(*(span[2] for span in right_spans(variants)))
            if types_with(variants, "rank") & types:
                found &= ranks_right(variants, types)
    return found


def hexadecimal(number):
    return f"0x{number:x}"


def mask(words):
    """A set of types, with the bits that rule.h has."""
    return hexadecimal(sum(1 << elements.NUMBERS[word] for word in words))


def head_of(use):
    """The first columns of a use: the specification, the operator and the carrier."""
    name = use.removeprefix(IR)
    carrier = name.removeprefix(CAST)
    if carrier != name:
        return [int(name != use), len(OPERATORS), elements.NUMBERS[carrier]]
    return [int(name != use), [*OPERATORS].index(name), 0]


def rows_of(uses):
    """(right, limits, spoiled): the rows of a target."""
    right, limits, spoiled = [], [], []
    for use, variants in uses.items():
        made = right_spans(variants)
        if not made:
            continue
        head = head_of(use)
        types = set().union(*(span[2] for span in made))
        for first, last, words in made:
            right.append([*head, *((1, last) if head[0] else (first, last)), mask(words)])
        start = use.split(CAST)[0] + CAST
        ranks = (
            cast_ranks_right(uses, start)
            if use.startswith(start)
            else (ranks_right(variants, types))
        )
        # A constant has no operand whose extents could be open.
        open_too = types_right(variants, "open") if types_with(variants, "open") else types
        limits.append(
            [
                *head,
                hexadecimal(sum(1 << rank for rank in ranks)),
                mask(types_right(variants, "empty") & types),
                mask(types_right(variants, "line") & types),
                mask(open_too & types),
            ]
        )
        for bit in BITS:
            lost = types & types_with(variants, bit) - types_right(variants, bit)
            if lost:
                spoiled.append([*head, f"TPAD_RULES_{bit}", mask(lost)])
    return right, limits, spoiled


OPENING = """/* Made by `conformance/kit.py survey` from conformance/outcomes.zip: do not edit.
 * SPDX-License-Identifier: MIT
 *
 * The build does not make it, because that needs Python with NumPy and ONNX, and a build must need
 * a C compiler and CMake only. checker/tests/runtimes/test_operators.py compares it with the outcomes.
 *
 * The columns are those of operators_of_rewrites.c. A set of targets has bit 0 for the first of
 * measured_targets, a set of types has the bits of rule.h, one of ranks has bit 0 for rank 0, and
 * one of elements the bits of runtimes.h. */
/* clang-format off */

"""


def table(struct, name, entries):
    """An array, as many entries in a line as it takes."""
    text = textwrap.fill(
        " ".join(f"{entry}," for entry in entries),
        100,
        initial_indent="    ",
        subsequent_indent="    ",
        break_on_hyphens=False,
    )
    return f"static const {struct}{name}[] = {{\n{text}\n}};\n\n"


def entries(rows):
    """Rows of all targets, {columns: the set of targets}, as entries of an array."""
    return [
        "{" + ",".join(map(str, (hexadecimal(targets), *columns))) + "}"
        for columns, targets in sorted(rows.items(), key=lambda row: row[0][:3])
    ]


def header():
    """The text of checker/runtimes/operators_measured.h."""
    bits = dict(re.findall(r"TPAD_RULES_(\w+) = (\d+)", RULES.read_text()))
    right, limits, spoiled = (collections.Counter() for _ in range(3))
    for k, name in enumerate(targets()):
        found = rows_of(read(name)[1])
        for rows, columns in (
            *((right, row) for row in found[0]),
            *((limits, row) for row in found[1]),
        ):
            rows[tuple(columns)] += 1 << k
        lost = collections.Counter()  # elements by specification, operator, carrier and types
        for *head, bit, types in found[2]:
            lost[*head, types] += int(bits[bit.removeprefix("TPAD_RULES_")])
        for (*head, types), elements_lost in lost.items():
            spoiled[*head, hexadecimal(elements_lost), types] += 1 << k
    ranks = hexadecimal(sum(1 << rank for rank in RANKS))
    return (
        OPENING
        + table("char *const ", "measured_targets", [f'"{name}"' for name in targets()])
        + table("right_row ", "measured_right", entries(right))
        + table("limits_row ", "measured_limits", entries(limits))
        + table("spoiled_row ", "measured_spoiled", entries(spoiled))
        + f"#define MEASURED_RANKS {ranks}U\n/* clang-format on */\n"
    )
