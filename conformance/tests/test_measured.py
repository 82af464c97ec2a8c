"""What was measured of runtimes: outcomes.zip, the answers that the playground shows, and windows.

SPDX-License-Identifier: MIT
"""

import itertools
import json
import re
import zipfile

import numpy as np
import pytest
from kit import outcome_file, runtimes, survey, windows
from realmodels import making

SHOWN = outcome_file.read("shown/answers")["cases"]
ANSWERS = [(record, target) for record in SHOWN for target in record["answers"]]


# ---- outcomes.zip --------------------------------------------------------------------------------


def test_what_is_written_is_read(tmp_path):
    """The order of writing leaves no trace."""
    file, other = tmp_path / "some.zip", tmp_path / "other.zip"
    outcome_file.write("a-1", '{"b": "é"}\n', file)
    outcome_file.write("operators/a-1", "{}", file)
    outcome_file.write("a-1", '{"b": "ü"}\n', file)
    outcome_file.write("operators/a-1", "{}", other)
    outcome_file.write("a-1", '{"b": "ü"}\n', other)
    assert file.read_bytes() == other.read_bytes()
    assert outcome_file.text("a-1", file) == '{"b": "ü"}\n'
    assert outcome_file.read("a-1", file) == {"b": "ü"}
    assert outcome_file.names(file=file) == outcome_file.names("operators", file) == ["a-1"]
    assert sorted(tmp_path.iterdir()) == [other, file]
    with pytest.raises(runtimes.Missing, match="nothing is recorded of b; some.zip has a-1, "):
        outcome_file.read("b", file)


def heads(file):
    with zipfile.ZipFile(file) as packed:
        entries = packed.infolist()
    return [(one.filename, one.date_time, one.create_system) for one in entries]


def test_the_recorded_file_is_as_it_would_be_written(tmp_path):
    """In this order, with the date of all zip files, and each text is JSON."""
    texts = outcome_file.texts()
    names = [(f"{name}.json", (1980, 1, 1, 0, 0, 0), 3) for name in sorted(texts)]
    outcome_file.write_zip(tmp_path / "some.zip", {name: b"" for name, *_ in names[::-1]})
    assert heads(outcome_file.FILE) == heads(tmp_path / "some.zip") == names
    assert all(json.loads(text) and text.endswith("}\n") for text in texts.values())


def test_show():
    for name in ("ort-1.31", "operators/ort-1.31", "shown/answers"):
        assert survey.recorded_text(name) == outcome_file.text(name)
    record = outcome_file.read("ort-1.31")
    wrapped = {name: outcome for name, outcome in record["outcomes"].items() if "wrap" in name}
    assert 0 < len(wrapped) < len(record["outcomes"])
    shown = json.loads(survey.recorded_text("ort-1.31", "*wrap*"))
    assert shown == {**record, "outcomes": wrapped}
    with pytest.raises(runtimes.Missing, match="shown/answers is not recorded case by case"):
        survey.recorded_text("shown/answers", "*")


# ---- Shown answers -------------------------------------------------------------------------------


def ids(value):
    return value["case"] if isinstance(value, dict) else value


def test_each_runtime_that_is_wrong_is_shown():
    families = {record.target: record.family for record in outcome_file.records()}
    for kept in SHOWN:
        assert {families[target] for target in kept["answers"]} == {
            record.family
            for record in outcome_file.records()
            if record.verdict(kept["case"]) in ("differs", "crashes")
        }


@pytest.mark.parametrize("record", SHOWN, ids=ids)
def test_the_right_answer_is_that_of_numpy(record):
    """NumPy has no negative amounts: a slice cuts first, as ONNX does."""
    problem = record["problem"]
    rank = len(problem["shape"])
    begin, end = problem["pads"][:rank], problem["pads"][rank:]
    array = np.arange(1, 1 + np.prod(problem["shape"])).reshape(problem["shape"])
    array = array[
        tuple(slice(max(-b, 0), n - max(-e, 0)) for b, e, n in zip(begin, end, array.shape))
    ]
    widths = [(max(b, 0), max(e, 0)) for b, e in zip(begin, end)]
    assert record["right"] == np.pad(array, widths, problem["mode"]).reshape(-1).tolist()


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
        first = np.unravel_index(wrong.index(True), answer["shape"])
        assert (sum(wrong), len(wrong)) == (int(counted[1]), int(counted[2]))
        assert [int(place) for place in first] == json.loads(counted[3])
    else:  # uninitialised memory
        assert None in answer["cells"] or "not the same" in message
        assert any(wrong)


# ---- Windows -------------------------------------------------------------------------------------


@pytest.mark.parametrize("op", windows.OPERATORS)
def test_windows_are_those_of_onnx_runtime(op):
    """Two that know nothing of each other, in every form, with all pads."""
    for form, kind, axes in itertools.product(windows.FORMS, windows.PADS, windows.AXES):
        if kind == "wide" and op.endswith("Pool") or op == "AveragePool" and form == "dilations":
            continue
        win = windows.window(op, windows.TYPES[op][0], axes, form)
        pads = windows.PADS[kind](axes)
        (got,) = making.session(win.model(pads, 13)).run(None, {"x": win.x})
        np.testing.assert_array_equal(got, win.answer(pads), f"{form} {kind} {axes}")


def test_lines_of_the_header_are_replaced(tmp_path, monkeypatch):
    """What was measured of other targets stays."""
    text = windows.HEADER.read_text()
    monkeypatch.setattr(windows, "HEADER", tmp_path / "windows.h")
    windows.HEADER.write_text(text)
    new = ['    {"ort-1.31", 0, {0x4, 0x4, 0x4}}, /* Conv */']
    windows.write({"ort-1.31": new})
    lines = text.splitlines()
    first = next(k for k, line in enumerate(lines) if '"ort-1.31"' in line)
    last = first + len(windows.OPERATORS)
    assert windows.HEADER.read_text().splitlines() == lines[:first] + new + lines[last:]
