"""What `tensorpad lower` writes for the kit is right in three runtimes and by ONNX's own programs.

SPDX-License-Identifier: MIT

Every case that a runtime gets wrong is lowered for it, and some of what comes out run.
"""

import concurrent.futures
import json
import os

import harness
import onnx
import pytest
from kit import json_arrays, outcome_file, predictions, runtimes, survey
from onnx.reference import ReferenceEvaluator

COUNT = 100  # cases that run in each runtime
# Cases that are wrong in a runtime although they are lowered: no operator of it moves such elements, or it does
# not read the model.
STILL_WRONG = {
    "ort-1.31": {f"test_bits_float8e5m2_all_{mode}" for mode in ("constant", "reflect", "wrap")},
    "openvino-2026.4": {
        "test_bits_bfloat16_nan_wrap",
        "test_type_bfloat16_wrap",
        "test_bits_float16_nan_wrap",
        "test_axes_rank_unknown_edge",
        "test_dims_rank_unknown_edge",
        "test_dims_rank_unknown_edge_cut",
        "test_dims_rank_unknown_edge_long",
    },
    "opencv-5.0": {"test_axes_concat_int32_cut", "test_axes_concat_int64_cut"},
}
REWRITTEN = {"ort-1.31": 530, "openvino-2026.4": 673, "opencv-5.0": 275}  # how many
TARGETS = list(STILL_WRONG)
OTHERS = ["ort-1.32", "ort-1.23", "ort-1.20", "ort-1.17", "ort-web-1.30", "tract-0.23"]


def answered(kit):
    return [case for case in survey.index_of(kit.path) if not case["forbidden"]]


def wrong_before(kit, target):
    outcomes = outcome_file.read(target.name)["outcomes"]
    return [case for case in answered(kit) if outcomes[case["name"]] != "same"]


def lower_all(kit, cases, targets, folder):
    """Lowers cases; those whose file changes become a kit of their own in the folder."""

    def is_changed(case):
        """Whether the lowered model is another one. Shapes that it leaves open are given."""
        place, out = kit.path / case["folder"], folder / case["folder"] / "model.onnx"
        out.parent.mkdir(parents=True)
        shapes = [] if case["tags"]["dynamic"] == "known" else predictions.shapes_of(place)
        done = harness.run("lower", place / "model.onnx", out, "--target", targets, *shapes)
        assert done.status in (0, 3) and (done.status == 0) == out.exists(), done
        if not out.exists() or out.read_bytes() == (place / "model.onnx").read_bytes():
            return False
        (out.parent / "test_data_set_0").symlink_to(place / "test_data_set_0")
        return True

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        changed = [case for case, new in zip(cases, pool.map(is_changed, cases)) if new]
    (folder / "index.json").write_text(json.dumps({"kit": 1, "cases": changed}))


@pytest.fixture(scope="module")
def lowered(kit, tmp_path_factory):
    """A function of a target: the folder of the cases that it gets wrong and that `lower` changes."""
    made = {}

    def of(name):
        if name not in made:
            made[name] = tmp_path_factory.mktemp(name)
            lower_all(kit, wrong_before(kit, runtimes.targets()[name]), name, made[name])
        return made[name]

    return of


@pytest.mark.parametrize("name", TARGETS)
def test_the_runtime_runs_them_right(lowered, name):
    folder = lowered(name)
    changed = survey.index_of(folder)
    assert len(changed) == REWRITTEN[name]
    chosen = [
        case
        for case in changed[:: -(-len(changed) // COUNT)]
        if case["name"] not in STILL_WRONG[name]
    ]
    entries = [survey.read_entry(folder, case) for case in chosen]
    with survey.Runner(runtimes.in_this_python(runtimes.targets()[name])) as runner:
        outcomes = {entry.name: runner.ask(entry, survey.PERTURB[0]) for entry in entries}
    wrong = {name: outcome for name, outcome in outcomes.items() if outcome != "same"}
    assert not wrong, f"{len(wrong)} of {len(entries)}: {wrong}"


@pytest.mark.parametrize("name", TARGETS)
def test_check_finds_nothing_in_them(lowered, name):
    folder = lowered(name)
    models = [
        folder / case["folder"] / "model.onnx"
        for case in survey.index_of(folder)
        if case["tags"]["dynamic"] == "known"
    ]
    found = predictions.check(harness.COMMAND, f"--target={name}", *models)
    verdicts = {
        model["path"]: [node["verdicts"][0]["verdict"] for node in model["nodes"]]
        for model in found
    }
    assert len(verdicts) == len(models)
    assert all(set(words) <= {"same"} for words in verdicts.values()), {
        path: words for path, words in verdicts.items() if set(words) > {"same"}
    }


@pytest.mark.parametrize("name", TARGETS)
def test_the_checker_takes_them(lowered, name):
    folder = lowered(name)
    for case in survey.index_of(folder):
        onnx.checker.check_model(folder / case["folder"] / "model.onnx", full_check=True)


@pytest.mark.parametrize("name", TARGETS + OTHERS)
def test_the_reference_evaluator_agrees(kit, tmp_path, name):
    """It has no fault in what stands in for a Pad; of Pads it refuses those that cut."""
    cases = [
        case
        for case in wrong_before(kit, runtimes.targets()[name])
        if case["tags"]["type"] in ("float", "int32", "uint8")
    ]
    cases = cases[:: -(-len(cases) // 120)]
    lower_all(kit, cases, name, tmp_path)
    compared = 0
    for case in survey.index_of(tmp_path)[::3]:
        folder = tmp_path / case["folder"]
        model = onnx.load(folder / "model.onnx")
        if any(node.op_type == "Pad" for node in model.graph.node):
            continue
        entry = survey.read_entry(tmp_path, case)
        inputs = {
            tensor["name"]: json_arrays.to_array(tensor) for tensor in entry.request["inputs"]
        }
        [got] = ReferenceEvaluator(model).run(None, inputs)
        wrong = survey.compare(entry.outputs[0], json_arrays.of_array(got), entry.nan_payloads)
        assert wrong is None, (case["name"], wrong)
        compared += 1
    assert compared > 5


def test_what_a_document_forbids_is_not_rewritten(kit, tmp_path):
    cases = [case for case in survey.index_of(kit.path) if case["forbidden"]]
    lower_all(kit, cases, "ort-1.31,tract-0.23", tmp_path)
    assert survey.index_of(tmp_path) == []
