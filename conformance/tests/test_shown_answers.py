"""The answers that the playground shows agree with what the survey recorded of the same cases."""

import json
import re

import numpy
import pytest
from kit import outcome_file, shown_answers

RECORD = outcome_file.read(shown_answers.NAME)["cases"]
ANSWERS = [(record, target) for record in RECORD for target in record["answers"]]


def ids(value):
    return value["case"] if isinstance(value, dict) else value


def test_all_shown_cases_are_recorded():
    assert [(record["case"], record["says"]) for record in RECORD] == [
        (f"test_{shown.case}", shown.says) for shown in shown_answers.SHOWN
    ]
    assert [next(iter(record["answers"])) for record in RECORD] == [
        shown.target for shown in shown_answers.SHOWN
    ]


@pytest.mark.parametrize("record", RECORD, ids=ids)
def test_the_right_answer_is_that_of_numpy(record):
    """NumPy has no negative amounts: a slice cuts first, as ONNX does."""
    problem = record["problem"]
    rank = len(problem["shape"])
    begin, end = problem["pads"][:rank], problem["pads"][rank:]
    array = numpy.arange(1, 1 + numpy.prod(problem["shape"])).reshape(problem["shape"])
    array = array[
        tuple(slice(max(-b, 0), n - max(-e, 0)) for b, e, n in zip(begin, end, array.shape))
    ]
    widths = [(max(b, 0), max(e, 0)) for b, e in zip(begin, end)]
    assert record["right"] == numpy.pad(array, widths, problem["mode"]).reshape(-1).tolist()


@pytest.mark.parametrize("record, target", ANSWERS, ids=ids)
def test_an_answer_is_wrong_where_the_survey_says_so(record, target):
    answer = record["answers"][target]
    outcome = outcome_file.read(target)["outcomes"][record["case"]]
    message = outcome["message"]
    if outcome["verdict"] == "crashes":
        assert answer["crashes"].split(":")[0] == message.split(":")[0]
        return
    wrong = [cell != right for cell, right in zip(answer["cells"], record["right"], strict=True)]
    counted = re.match(r"(\d+) of (\d+) cells are wrong, the first at (\[[\d, ]+\])", message)
    if counted and None not in answer["cells"]:
        first = numpy.unravel_index(wrong.index(True), answer["shape"])
        assert (sum(wrong), len(wrong)) == (int(counted[1]), int(counted[2]))
        assert [int(place) for place in first] == json.loads(counted[3])
    else:  # memory that nobody wrote
        assert None in answer["cells"] or "not the same" in message
        assert any(wrong)


def test_each_runtime_that_is_wrong_has_an_answer():
    families = {record.target: record.family for record in outcome_file.records()}
    for shown, kept in zip(shown_answers.SHOWN, RECORD, strict=True):
        wrong = {
            families[record.target]
            for record in outcome_file.records()
            if record.verdict(kept["case"]) in ("differs", "crashes")
        }
        assert {families[target] for target in kept["answers"]} == wrong
