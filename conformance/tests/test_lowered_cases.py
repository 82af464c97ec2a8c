"""What `tensorpad lower` writes for the kit is right in three runtimes and by ONNX's own programs.

SPDX-License-Identifier: MIT

What came out of all cases is recorded for more runtimes (conformance/lowered_cases.py). Here every case
that a runtime gets wrong is lowered again, and some of them run.
"""

import onnx
import pytest
from onnx.reference import ReferenceEvaluator

from by_tensorpad import harness
from padkit import json_arrays, lowering, lowering_page, outcome_file, predictions, runtimes, survey

RECORDED = outcome_file.read(lowering_page.CASES)
COUNT = 100  # cases that run in each runtime
TARGETS = ["ort-1.31", "openvino-2026.4", "opencv-5.0"]


def answered(kit):
    return [case for case in survey.index_of(kit.path) if not case["forbidden"]]


def wrong_before(kit, target):
    outcomes = outcome_file.read(target.name)["outcomes"]
    return [case for case in answered(kit) if outcomes[case["name"]] != "same"]


@pytest.fixture(scope="module")
def lowered(kit, tmp_path_factory):
    """A function of a target: (its folder, {name: Lowered}) of the cases that it gets wrong."""
    made = {}

    def of(name):
        if name not in made:
            cases = wrong_before(kit, runtimes.targets()[name])
            folder = tmp_path_factory.mktemp(name)
            made[name] = folder, lowering.lower_all(harness.COMMAND, kit.path, cases, name, folder)
        return made[name]

    return of


@pytest.mark.parametrize("name", TARGETS)
def test_the_runtime_runs_them_right(lowered, name):
    folder, found = lowered(name)
    changed = survey.index_of(folder)
    assert len(changed) == RECORDED[name]["kit"]["rewritten"], "run conformance/lowered_cases.py"
    known = RECORDED[name]["kit"]["wrong now"] | RECORDED[name]["kit"]["left out and wrong now"]
    chosen = [case for case in changed[:: -(-len(changed) // COUNT)] if case["name"] not in known]
    entries = [survey.read_entry(folder, case) for case in chosen]
    with survey.Runner(runtimes.in_this_python(runtimes.targets()[name])) as runner:
        outcomes = {entry.name: runner.ask(entry, survey.PERTURB[0]) for entry in entries}
    wrong = {name: outcome for name, outcome in outcomes.items() if outcome != "same"}
    assert not wrong, f"{len(wrong)} of {len(entries)}: {wrong}"


@pytest.mark.parametrize("name", TARGETS)
def test_check_finds_nothing_in_them(lowered, name):
    folder, _ = lowered(name)
    models = [folder / case["folder"] / "model.onnx" for case in survey.index_of(folder)
              if case["tags"]["dynamic"] == "known"]
    found = predictions.check(harness.COMMAND, f"--target={name}", *models)
    verdicts = {model["path"]: [node["verdicts"][0]["verdict"] for node in model["nodes"]]
                for model in found}
    assert len(verdicts) == len(models)
    assert all(set(words) <= {"same"} for words in verdicts.values()), {
        path: words for path, words in verdicts.items() if set(words) > {"same"}}


@pytest.mark.parametrize("name", TARGETS)
def test_the_checker_takes_them(lowered, name):
    folder, _ = lowered(name)
    for case in survey.index_of(folder):
        onnx.checker.check_model(folder / case["folder"] / "model.onnx", full_check=True)


@pytest.mark.parametrize("name", sorted(RECORDED))
def test_the_reference_evaluator_agrees(kit, tmp_path, name):
    """It has no fault in what stands in for a Pad; of Pads it refuses those that cut."""
    cases = [case for case in wrong_before(kit, runtimes.targets()[name])
             if case["tags"]["type"] in ("float", "int32", "uint8")]
    cases = cases[:: -(-len(cases) // 120)]
    lowering.lower_all(harness.COMMAND, kit.path, cases, name, tmp_path)
    compared = 0
    for case in survey.index_of(tmp_path)[::3]:
        folder = tmp_path / case["folder"]
        model = onnx.load(folder / "model.onnx")
        if any(node.op_type == "Pad" for node in model.graph.node):
            continue
        entry = survey.read_entry(tmp_path, case)
        inputs = {tensor["name"]: json_arrays.to_array(tensor) for tensor in entry.request["inputs"]}
        [got] = ReferenceEvaluator(model).run(None, inputs)
        wrong = survey.compare(entry.outputs[0], json_arrays.of_array(got), entry.nan_payloads)
        assert wrong is None, (case["name"], wrong)
        compared += 1
    assert compared > 5


def test_what_a_document_forbids_is_not_rewritten(kit, tmp_path):
    cases = [case for case in survey.index_of(kit.path) if case["forbidden"]]
    found = lowering.lower_all(harness.COMMAND, kit.path, cases, "ort-1.31,tract-0.23", tmp_path)
    assert [name for name, lowered in found.items() if lowered.changed] == []


def test_the_page_is_up_to_date():
    page = lowering_page.PAGE.read_text()
    assert lowering_page.page(page) == page, "run conformance/lowered_cases.py"
