"""Two runtimes still do with a sample of the kit what is recorded of them.

SPDX-License-Identifier: MIT
"""

import dataclasses
import sys

import by_tensorpad  # noqa: F401 (finds kit)
import pytest
from kit import outcome_file, runtimes, survey

COUNT = 150


def sample(recorded):
    """Names of about COUNT cases, of all kinds of outcomes.

    Without crashes and cells that vary: what a fault in memory does depends on the machine.
    """
    names = sorted(
        (survey.kind(outcome), name)
        for name, outcome in recorded.items()
        if outcome == "same"
        or outcome["verdict"] != "crashes"
        and outcome.get("message") != survey.UNSTABLE
    )
    return {name for _, name in names[:: len(names) // COUNT]}


@pytest.mark.parametrize("target", ["ort-1.31", "openvino-2026.4"])
def test_recorded_outcomes(kit, tmp_path, target):
    found = runtimes.find(target, runtimes.targets())
    # The packages of the tests instead of an installation of its own.
    found = dataclasses.replace(found, home=tmp_path, command=(sys.executable, *found.command[1:]))
    (tmp_path / "done").write_text(found.contents())
    record = outcome_file.read(target)
    chosen = sample(record["outcomes"])
    entries = [
        survey.read_entry(kit.path, case)
        for case in survey.index_of(kit.path, found.reads)
        if case["name"] in chosen
    ]
    assert len(entries) == len(chosen), "outcomes of another kit: `make survey` writes new ones"
    runner = survey.Runner(found)
    wrong = []
    for entry in entries:
        expected = survey.kind(record["outcomes"][entry.name])
        got = runner.ask(entry, survey.PERTURB[0])
        if survey.kind(got) != expected:  # perhaps by what another case did to the process
            got = runner.alone(entry, survey.PERTURB[0])
        if survey.kind(got) != expected:
            wrong.append((entry.name, expected, got))
    if runner.version != record["version"]:  # a newer one, which may be right in more cases
        wrong = [case for case in wrong if case[2] != "same"]
    runner.close()
    assert not wrong, f"{len(wrong)} of {len(entries)}: {wrong[:10]}"
