"""What is said of a new version of a runtime.  SPDX-License-Identifier: MIT"""

import collections
import dataclasses
import pathlib

import new_version
import pytest
from padkit import runtimes

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
    assert new_version.predecessor("some", known).name == "some-1.31"
    with pytest.raises(runtimes.Missing, match="no adapter installs other; they install some"):
        new_version.predecessor("other", known)


def test_it_comes_into_the_adapter(adapters):
    old = new_version.predecessor("some", runtimes.targets(adapters))
    new_version.add(old, "some==1.40.0", "some-1.40")
    known = runtimes.targets(adapters)
    assert list(known) == ["some-1.9", "some-1.31", "some-1.40"]
    assert known["some-1.40"].packages == ("some==1.40.0", "numpy==2.4.6")
    assert dataclasses.replace(known["some-1.31"]) == old


def test_all_is_measured(adapters, monkeypatch, capsys):
    """The kit, the operators and the windows, each in the new version."""
    run = []
    monkeypatch.setattr(
        new_version.runtimes, "targets", lambda known=runtimes.targets: known(adapters)
    )
    monkeypatch.setattr(new_version.runtimes, "install", lambda target: None)
    monkeypatch.setattr(
        new_version.survey, "run", lambda target, kit: run.append(["kit", target.name])
    )
    monkeypatch.setattr(new_version.survey, "text_of", lambda outcomes: "")
    monkeypatch.setattr(new_version.outcome_file, "write", lambda name, text: None)
    monkeypatch.setattr(
        new_version.subprocess,
        "run",
        lambda words, check: run.append(
            [word.name if isinstance(word, pathlib.Path) else word for word in words[1:]]
        ),
    )
    monkeypatch.setattr(
        new_version, "changes", lambda old, new, kit: ({}, collections.Counter(TP120=3))
    )
    new_version.main("some==1.40.0", pathlib.Path("kit"), pathlib.Path("operators"))
    assert run == [
        ["kit", "some-1.40"],
        ["replacement_operators.py", "run", "operators", "some-1.40"],
        ["replacement_operators.py", "table"],
        ["window_pads.py", "some-1.40"],
    ]
    assert "some-1.40: 0 of 3 cases differ from some-1.31" in capsys.readouterr().out


def test_the_draft():
    """A rule of which all cases changed ends; of others somebody has to find out what tells them apart."""
    found = {("TP120", "differs", "same"): ["a", "b"], ("TP120", "refuses", "same"): ["c"],
             ("TP103", "refuses", "same"): list("defgh"), (None, "same", "differs"): ["i"]}  # fmt: skip
    counts = collections.Counter({"TP120": 3, "TP103": 9, None: 40})
    lines = "\n".join(new_version.draft("some-1.31", "some-1.40", found, counts))
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
