"""What was measured of runtimes: outcomes.zip, the answers that the playground shows, and windows.

SPDX-License-Identifier: MIT
"""

import itertools
import json
import pathlib
import re
import tempfile
import zipfile

import harness
import numpy as np
import pytest
import test_by_tensorpad
from graphs import making
from kit import answers, json_arrays, outcome_file, predictions, runtimes, survey, windows
from onnx.reference import ReferenceEvaluator
from onnx.reference.op_run import OpRun

SHOWN = outcome_file.read("shown/answers")["cases"]


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


# ---- Witnesses -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def witnesses(tmp_path_factory):
    """(the folder with their models, the objects of its index)."""
    folder = tmp_path_factory.mktemp("witnesses")
    return folder, answers.write(folder)


class Pad(OpRun):
    """By the command, for the reference implementation of ONNX."""

    def _run(self, data, pads, value=None, axes=None, mode=None):
        words = ["--pads", harness.numbers(pads), "--mode", mode or "constant"]
        words += [] if value is None else ["--value", str(value)]
        words += [] if axes is None else ["--axes", harness.numbers(axes)]
        with tempfile.TemporaryDirectory() as folder:
            given, made = (pathlib.Path(folder, name) for name in ("in.npy", "out.npy"))
            np.save(given, data)
            harness.succeed("pad", "--spec=onnx-19", *words, given, made)
            return (np.load(made),)


def test_the_right_answers(witnesses, tmp_path):
    """The library computes them, bit by bit: a Pad alone as the command runs it, others in their model."""
    folder, entries = witnesses
    for entry, kept in zip(entries, SHOWN, strict=True):
        assert {**answers.witness(folder, entry), "answers": kept["answers"]} == kept
        [model] = (folder / entry["folder"]).glob("model.[ox][nm]*")
        if entry["forbidden"] or test_by_tensorpad.only_pads(model):
            test_by_tensorpad.check_model(folder, entry, None, tmp_path)
            continue
        inputs = survey.read_entry(folder, entry).request["inputs"]
        given = {one["name"]: json_arrays.to_array(one) for one in inputs}
        [found] = ReferenceEvaluator(str(model), new_ops=[Pad]).run(None, given)
        got = answers.texts(json_arrays.of_array(found))
        assert (got, list(found.shape)) == (kept["right"], kept["shape"])


def test_two_runs_that_do_not_agree():
    """Memory that was never written is null, also where one run has the right cell."""

    def run(*cells):
        output = json_arrays.of_array(np.array(cells, np.float32))
        return {"stage": "done", "outputs": [output]}

    entry = survey.Entry("some", {}, run(1, 2, 3.5)["outputs"], False)
    found = answers.answer_in(entry, run(1, 2, 3.5), run(1, 7, 3.5))
    assert found == {"type": "float", "shape": [3], "cells": [1, None, 3.5]}
    assert answers.answer_in(entry, run(1, 2, 3.5), run(1, 2, 3.5)) is None


def test_each_rule_has_a_wrong_answer():
    """That differs from the right one; or a reason says why there is none."""
    listed = [line.split()[:2] for line in harness.succeed("explain").stdout.decode().splitlines()]
    rules = {code for code, verdict in listed if verdict in ("differs", "accepts")}
    shown = set()
    for kept in SHOWN:
        right = [kept.get(key) for key in ("type", "shape", "right")]
        for answer in kept["answers"]:
            if "crashes" not in answer:
                assert right != [answer[key] for key in ("type", "shape", "cells")]
                shown.add(answer["rule"])
    assert shown - {None} <= rules
    assert rules - shown == answers.NOT_SHOWN.keys()


def test_check_names_the_rule_of_an_answer(witnesses):
    said = predictions.predict(harness.COMMAND, *witnesses)
    for kept in SHOWN:
        for answer in kept["answers"]:
            for target in answer["targets"]:
                verdict, rule = said[kept["case"]].get(target, (None, None))
                assert (rule, verdict not in ("same", "refuses")) == (answer["rule"], True)


def test_an_answer_is_wrong_where_the_survey_says_so():
    """For the cases of the kit: the elements are others, their places are the same."""
    compared = 0
    for kept in SHOWN:
        for target, answer in ((name, one) for one in kept["answers"] for name in one["targets"]):
            outcome = outcome_file.read(target)["outcomes"].get(kept["case"])
            if outcome:
                compared += 1
                check_answer(kept, answer, outcome)
    assert compared > 100


def check_answer(kept, answer, outcome):
    message = outcome.get("message", "")
    if outcome["verdict"] == "crashes":
        assert answer["crashes"].split(":")[0] == message.split(":")[0]
    elif outcome["verdict"] == "accepts":
        assert answer["cells"] and "right" not in kept
    elif outcome["how"] != "bits":
        how = outcome["how"]
        assert message == f"{answer[how]} instead of {kept[how]}"
    elif counted := re.match(
        r"(\d+) of (\d+) cells are wrong, the first at (\[[\d, ]*\])", message
    ):
        wrong = [cell != right for cell, right in zip(answer["cells"], kept["right"], strict=True)]
        first = np.unravel_index(wrong.index(True), answer["shape"])
        if None not in answer["cells"]:
            assert (sum(wrong), len(wrong)) == (int(counted[1]), int(counted[2]))
            assert [int(place) for place in first] == json.loads(counted[3])
    else:  # uninitialised memory
        assert message == survey.UNSTABLE and answer["cells"] != kept["right"]


def test_each_runtime_that_is_wrong_is_shown():
    """In the cases that have a button."""
    records = outcome_file.records()
    for kept in (one for one in SHOWN if "says" in one):
        shown = {target for answer in kept["answers"] for target in answer["targets"]}
        assert kept["first"] in shown
        assert shown == {
            record.target
            for record in records
            if record.verdict(kept["case"]) in ("differs", "crashes")
        }


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
