"""The kit in the ONNX Runtime of this Python, with the plug-in.  SPDX-License-Identifier: MIT"""

import collections
import dataclasses
import pathlib
import subprocess
import sys

import harness
import onnxruntime
import pytest
from kit import outcome_file, runtimes, survey

HERE = pathlib.Path(__file__).parent
PLUGIN = pathlib.Path(harness.COMMAND).parent / "libtensorpad_ort.so"
# What was recorded on 2026-11-27, with five versions (docs/onnxruntime.md).
RECORDED = outcome_file.read("plugin/onnxruntime")["ort-1.32"]


def outcomes(kit, cases, monkeypatch, **environment):
    """{case: outcome}, of tensors of every type."""
    words = {"ORT_PLUGIN": PLUGIN, "ORT_LEVEL": 99, **environment}
    for name, value in words.items():
        monkeypatch.setenv(name, str(value))
    command = (sys.executable, str(runtimes.KIT / "worker.py"), str(HERE / "ort_all_types.py"))
    target = dataclasses.replace(runtimes.targets()["ort-1.32"], command=command)
    version, found = survey.survey(target, [survey.read_entry(kit, case) for case in cases])
    assert version == onnxruntime.__version__
    return found


@pytest.mark.parametrize("level", [0, 1, 2, 99])
def test_the_examples_are_right(kit, monkeypatch, level):
    """At each level of optimisation, in every mode and version."""
    cases = [case for case in survey.index_of(kit.path) if "test_example_" in case["name"]]
    found = outcomes(kit.path, cases, monkeypatch, ORT_LEVEL=level)
    wrong = {name: outcome for name, outcome in found.items() if outcome != "same"}
    assert len(found) > 30 and not wrong


def prepare(path):
    """Prepares a model for the plug-in; one that cannot be prepared stays as it is."""
    made = path.with_name("prepared.onnx")
    done = harness.run("lower", "-q", "--plugin", "--target", "ort-1.32", path, made)
    if done.status == 0:
        made.replace(path)


@pytest.mark.long
def test_the_prepared_kit_is_as_recorded(kit, tmp_path, monkeypatch):
    subprocess.run(["cp", "-r", kit.path, tmp_path / "kit"], check=True)
    for path in (tmp_path / "kit").glob("onnx*/*/model.onnx"):
        prepare(path)
    cases = [case for case in survey.index_of(tmp_path / "kit") if not case["forbidden"]]
    found = outcomes(tmp_path / "kit", cases, monkeypatch, ORT_PREPARED="yes")
    wrong = {name for name, outcome in found.items() if outcome != "same"}
    exceptions = {name for cases in RECORDED["exceptions"].values() for name in cases[1:]}
    assert wrong <= exceptions
    if onnxruntime.__version__ == RECORDED["version"]:  # a newer one may be right in more cases
        assert wrong == exceptions
        counts = collections.Counter(survey.kind(outcome)[0] for outcome in found.values())
        assert counts == RECORDED["counts"]["kit"]["prepared"]
