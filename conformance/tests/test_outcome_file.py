"""conformance/outcomes.zip: what is read and written, and what `kit.py survey --show` prints of it.

SPDX-License-Identifier: MIT
"""

import json
import subprocess
import sys
import zipfile

import pytest
from by_tensorpad import harness
from kit import outcome_file, runtimes


def show(*words):
    return subprocess.run(
        [sys.executable, harness.ROOT / "conformance/kit.py", "survey", "--show", *words],
        capture_output=True,
        text=True,
    )


def test_what_is_written_is_read(tmp_path):
    file = tmp_path / "some.zip"
    outcome_file.write("a-1", '{"b": "é"}\n', file)
    outcome_file.write("operators/a-1", "{}", file)
    outcome_file.write("a-1", '{"b": "ü"}\n', file)
    assert outcome_file.text("a-1", file) == '{"b": "ü"}\n'
    assert outcome_file.read("a-1", file) == {"b": "ü"}
    assert outcome_file.names(file=file) == outcome_file.names("operators", file) == ["a-1"]
    with zipfile.ZipFile(file) as packed:
        assert packed.namelist() == ["a-1.json", "operators/a-1.json"]
    assert list(tmp_path.iterdir()) == [file]


def test_the_order_of_writing_leaves_no_trace(tmp_path):
    one, other = tmp_path / "one.zip", tmp_path / "other.zip"
    for name in ("a", "b/c"):
        outcome_file.write(name, f'"{name}"', one)
    for name in ("b/c", "a", "b/c"):
        outcome_file.write(name, f'"{name}"', other)
    assert one.read_bytes() == other.read_bytes()


def test_the_recorded_file_is_as_it_would_be_written():
    """In this order, without dates, and each text is JSON."""
    with zipfile.ZipFile(outcome_file.FILE) as packed:
        entries = packed.infolist()
    assert [entry.filename for entry in entries] == sorted(entry.filename for entry in entries)
    assert {entry.date_time for entry in entries} == {(1980, 1, 1, 0, 0, 0)}
    for text in outcome_file.texts().values():
        assert json.loads(text) and text.endswith("}\n")


def test_a_name_that_is_not_there(tmp_path):
    with pytest.raises(runtimes.Missing, match="nothing is recorded of b; some.zip has a$"):
        outcome_file.write("a", "{}", tmp_path / "some.zip")
        outcome_file.read("b", tmp_path / "some.zip")


@pytest.mark.parametrize("name", ["ort-1.31", "operators/ort-1.31", "shown/answers"])
def test_show_prints_the_text(name):
    shown = show(name)
    assert shown.returncode == 0 and shown.stderr == ""
    assert shown.stdout == outcome_file.text(name)


def test_show_some_cases():
    record = outcome_file.read("ort-1.31")
    shown = json.loads(show("ort-1.31", "--cases", "*wrap*").stdout)
    wrapped = {name: outcome for name, outcome in record["outcomes"].items() if "wrap" in name}
    assert 0 < len(wrapped) < len(record["outcomes"])
    assert shown == {**record, "outcomes": wrapped}


@pytest.mark.parametrize(
    "words, message",
    [
        (["ort-0.1"], "nothing is recorded of ort-0.1; outcomes.zip has "),
        (
            ["shown/answers", "--cases", "*"],
            "shown/answers is not recorded case by case: leave out --cases",
        ),
    ],
)
def test_show_says_what_it_cannot_do(words, message):
    shown = show(*words)
    assert shown.returncode == 1 and shown.stdout == ""
    assert shown.stderr.startswith(f"kit.py: {message}") and shown.stderr.count("\n") == 1
