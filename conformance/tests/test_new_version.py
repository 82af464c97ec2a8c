"""What is said of a new version of a runtime.  SPDX-License-Identifier: MIT"""

import collections
import dataclasses

import pytest
from kit import predictions, runtimes

ADAPTER = """RUNTIME = "Some Runtime"
TARGETS = {
    "some-1.9": ["some==1.9.2", "numpy==2.4.6"],
    "some-1.31": ["some==1.31.1", "numpy==2.4.6"],
}
"""


@pytest.fixture
def adapters(tmp_path):
    (tmp_path / "some.py").write_text(ADAPTER)
    return tmp_path


def test_the_newest_version_comes_before(adapters):
    known = runtimes.targets(adapters)
    assert predictions.predecessor("some", known).name == "some-1.31"
    with pytest.raises(runtimes.Missing, match="no adapter installs other; they install some"):
        predictions.predecessor("other", known)


def test_it_comes_into_the_adapter(adapters):
    old = predictions.predecessor("some", runtimes.targets(adapters))
    predictions.add(old, "some==1.40.0", "some-1.40")
    known = runtimes.targets(adapters)
    assert list(known) == ["some-1.9", "some-1.31", "some-1.40"]
    assert known["some-1.40"].packages == ("some==1.40.0", "numpy==2.4.6")
    assert dataclasses.replace(known["some-1.31"]) == old


def test_all_is_measured(adapters, monkeypatch, capsys):
    """The kit, the operators and the windows, each in the new version."""
    run = []
    monkeypatch.setattr(
        predictions.runtimes, "targets", lambda known=runtimes.targets: known(adapters)
    )
    monkeypatch.setattr(predictions.runtimes, "install", lambda target: None)
    monkeypatch.setattr(
        predictions.survey, "run", lambda target, kit: run.append(["kit", target.name])
    )
    monkeypatch.setattr(predictions.survey, "text_of", lambda outcomes: "")
    monkeypatch.setattr(predictions.outcome_file, "write", lambda name, text: None)
    monkeypatch.setattr(predictions.operators, "make", lambda folder: run.append([folder]))
    monkeypatch.setattr(
        predictions.operators, "measure", lambda target, folder: run.append([folder, target.name])
    )
    monkeypatch.setattr(
        predictions.windows, "measure", lambda target: run.append(["windows", target.name])
    )
    monkeypatch.setattr(
        predictions, "changes", lambda old, new, kit: ({}, collections.Counter(TP120=3))
    )
    predictions.measure_version("some==1.40.0", "kit", "operators")
    assert run == [
        ["kit", "some-1.40"],
        ["operators"],
        ["operators", "some-1.40"],
        ["windows", "some-1.40"],
    ]
    assert "some-1.40: 0 of 3 cases differ from some-1.31" in capsys.readouterr().out


def test_the_draft():
    """A rule of which all cases changed ends; of others somebody has to find out what tells them
    apart.
    """
    found = {("TP120", "differs", "same"): ["a", "b"], ("TP120", "refuses", "same"): ["c"],
             ("TP103", "refuses", "same"): list("defgh"), (None, "same", "differs"): ["i"]}  # fmt: skip
    counts = collections.Counter({"TP120": 3, "TP103": 9, None: 40})
    lines = "\n".join(predictions.draft("some-1.31", "some-1.40", found, counts))
    assert "a line for some-1.40 behind some-1.31" in lines
    assert (
        "TP120: differs -> same in 2 cases (a, b): the rule ends: .until = VERSION(1, 31)" in lines
    )
    assert "TP120: refuses -> same in 1 cases (c): the rule ends" in lines
    assert (
        "TP103: refuses -> same in 5 cases (d, e, f, g, ...): 4 other cases of the rule stay"
        in lines
    )
    assert "no rule: same -> differs in 1 cases (i): a new rule, from some-1.40 on" in lines
