"""The table of operators in runtimes: made from the outcomes, which the runtimes of build/venv confirm."""

import itertools
import json
import pathlib
import random
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "conformance"))

from kit import operator_cases, operators, runtimes, survey  # noqa: E402

TARGETS = runtimes.targets()
MEASURED = operators.targets()
SAMPLED = {"ort-1.31": 80, "openvino-2026.4": 40, "opencv-5.0": 80}  # of build/venv
KNOWN = {  # what docs and tests elsewhere rely on
    "ort-1.31": {
        "gather plain1 13 string": "d",
        "where plain0 13 int16": "r",
        "where MINUS_ZERO 13 float": "d",
        "slice plain0 13 string": "s",
    },
    "openvino-2026.4": {
        "constant empty0 13 float": "d",
        "slice empty3 13 float": "s",
        "concat plain0 13 float": "s",
        "ir_concat plain0 12 float": "s",
    },
    "opencv-5.0": {"identity plain0 13 float16": "d", "gather plain0 13 int8": "s"},
}


TOGETHER = {  # the operators of each case of `several`
    "reflect": ("slice", "slice_back", "concat"),
    "slices": ("slice", "concat"),
    "gathers": ("gather",),
    "slice_concat_value": ("slice", "concat", "expand"),
    "two_axes_value": ("concat", "expand"),
    "gather_where": ("gather", "where"),
}


def letter_of(uses, case):
    return uses[case.use][case.variant][case.opset][case.type]


def test_the_header_is_made_from_the_outcomes():
    text = (ROOT / "checker/runtimes/operators_measured.h").read_text()
    assert text == operators.header(), "run `conformance/kit.py survey`"


def test_every_target_of_the_rules_is_measured():
    source = (ROOT / "checker/runtimes/judge.c").read_text()
    named = {name for name in TARGETS if f'"{name}"' in source}
    assert set(MEASURED) == named


@pytest.mark.parametrize("name", MEASURED)
def test_a_record_has_every_case(name):
    record, uses = operators.read(name)
    assert record["target"] == name
    reads = TARGETS[name].reads
    has = {
        (use, variant, opset, word)
        for use, variants in uses.items()
        for variant, by_opset in variants.items()
        for opset, by_type in by_opset.items()
        for word in by_type
    }
    assert has == {
        (case.use, case.variant, case.opset, case.type)
        for case in operator_cases.ALL
        if case.folder.split("/")[0] in reads
    }


def is_right(variants, opset, word):
    return any(
        first <= opset <= last and word in types
        for first, last, types in operators.right_spans(variants)
    )


@pytest.mark.parametrize("target", MEASURED)
def test_operators_that_are_right_alone_are_right_together(target):
    _, uses = operators.read(target)
    for prefix, (name, parts) in itertools.product(("", "ir_"), TOGETHER.items()):
        for opset, by_type in uses.get(f"{prefix}several", {}).get(f"form_{name}", {}).items():
            for word, letter in by_type.items():
                alone = all(is_right(uses[prefix + part], opset, word) for part in parts)
                assert letter == "s" or not alone, f"{prefix}{name} {opset} {word}: {letter}"


@pytest.mark.parametrize("name", SAMPLED)
def test_the_runtime_does_what_is_recorded(name, tmp_path):
    """A few cases that end no process, which would cost seconds each."""
    _, uses = operators.read(name)
    target = runtimes.in_this_python(TARGETS[name])
    by_name = {
        case.name: case for case in operator_cases.ALL if case.folder.split("/")[0] in target.reads
    }
    for known, letter in KNOWN[name].items():
        assert letter_of(uses, by_name[known]) == letter, known
    quiet = [case for case in by_name.values() if letter_of(uses, case) != "c"]
    sample = random.Random(name).sample(quiet, SAMPLED[name])
    sample += [by_name[known] for known in KNOWN[name] if by_name[known] not in sample]
    index = [operators.write_case(case, tmp_path) for case in sample]
    (tmp_path / "index.json").write_text(json.dumps({"cases": index}))
    outcomes = survey.run(target, tmp_path)["outcomes"]
    wrong = [
        f"{case.name}: {outcomes[case.name]}"
        for case in sample
        if operators.LETTERS[survey.kind(outcomes[case.name])[0]] != letter_of(uses, case)
    ]
    assert not wrong, "\n".join(wrong)


def test_rows_by_hand():
    """What one operator's outcomes become; float is 1 and int16 is 5 in ONNX."""

    def at(opset, **letters):
        return {opset: letters}

    uses = {
        "slice": {
            "plain0": {
                12: {"float": "s"},
                13: {"float": "s", "int16": "s"},
                14: {"float": "s", "int16": "s"},
                15: {"float": "r", "int16": "s"},
            },
            "plain1": {
                12: {"float": "s"},
                13: {"float": "s", "int16": "d"},
                14: {"float": "s", "int16": "s"},
                15: {"float": "s", "int16": "s"},
            },
            "form_short": at(13, float="s", int16="s"),
            "empty0": at(13, float="s", int16="s"),
            "empty1": at(13, float="c", int16="s"),
            "line0": at(13, float="s", int16="r"),
            "open0": at(13, float="s", int16="r"),
            "rank1_0": at(13, float="s"),
            "rank1_1": at(13, float="s"),
            "rank2_0": at(13, float="s"),
            "rank2_1": at(13, float="d"),
            "NAN": at(13, float="s"),
            "NAN_PAYLOAD": at(13, float="d"),
        },
        "ir_cast_int32": {"plain0": at(12, int16="s"), "form_no": at(12, int16="r")},
    }
    right, limits, spoiled = operators.rows_of(uses)
    assert right == [[0, 4, 0, 12, 13, "0x2"], [0, 4, 0, 14, 14, "0x22"], [0, 4, 0, 15, 15, "0x20"]]
    assert limits == [[0, 4, 0, "0x2", "0x20", "0x2", "0x2"]]
    assert spoiled == [[0, 4, 0, "TPAD_RULES_NAN_PAYLOAD", "0x2"]]
