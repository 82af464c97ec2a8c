"""What `tensorpad check` says of every model of the kit, against what the runtimes did; and what `tensorpad
lower` writes for it, which is right in three runtimes and by ONNX's own programs.

SPDX-License-Identifier: MIT

`conformance/run.sh survey` records the runtimes' outcomes (kit/outcome_file.py). "unknown" is right only where
the model alone does not tell: where the elements of an input decide. Every case that a runtime gets wrong is
lowered for it, and some of what comes out run.
"""

import concurrent.futures
import fnmatch
import json
import os

import harness
import onnx
import pytest
from kit import json_arrays, outcome_file, predictions, runtimes, survey
from onnx.reference import ReferenceEvaluator

# ---- check ---------------------------------------------------------------------------------------

# Cases whose outcome the rules do not tell, and why.
NO_RULES = {"tvm-0.27"}  # runtimes that are surveyed, but that the rules do not know
NOT_OF_PAD = "another node of the model decides"
EXCEPTIONS = {  # pattern of targets: {pattern of cases: why the rules do not tell them}
    "ort-*": {"with_average_pool_behind_opset2": NOT_OF_PAD},  # it has no kernel for AveragePool-1
    "ort-1.17": {
        "forbidden_count_axes_short_input": "it reads beyond pads: what lies there decides"
    },
    "openvino-*": {
        "forbidden_form_pads_without_name": "an empty name is no other fact than no input",
        "forbidden_pads_scalar": "which shape pads have is no fact",
    },
    "openvino-2026.4": {
        "forbidden_count_one_axis_input": "the number of pads is no fact",
        "forbidden_count_short_input": "the number of pads is no fact",
    },
    "openvino-202[45].*": {
        "forbidden_count_*": "the number of pads is no fact",
        "in_loop_of_no_trip_*": "the Pad never runs",
    },
    "openvino-2024.6": {
        "pads_unsized_input_*": "which shape pads have is no fact",
        "value_reshape*": "Reshape of a constant to no axis",
    },
    "opencv-5.0": {
        "axes_concat_*": "Concat of an empty constant",
        "pads_torchscript_none": "Concat of an empty constant",
        "with_relu_*": "Relu answers -0.0",
        "forbidden_nothing_empty_outer_edge": "what lies before the memory decides",
    },
    "opencv-4.*": {
        "axes_concat_*": "Concat of an empty constant",
        "pads_torchscript_*": "ConstantOfShape of no elements",
        "pads_from_shape_*": "Concat of a constant and the shape",
        "value_reshape*": "Reshape of a constant to no axis",
        "opset1_*_image": "two rules hold, and the other one comes first",
        "with_relu_*": "Relu answers -0.0",
        "forbidden_count_one_axis": "the number of pads is no fact",
        "forbidden_pads_scalar": "which shape pads have is no fact",
        "forbidden_value_float_for_string": "which type the value has comes first",
    },
    "opencv-4.6": {"value_cast*": "Cast of a constant of float16"},
    "tract-*": {
        "with_crop_behind_*": NOT_OF_PAD,  # a second Pad, which crops
        "with_convolution_with_pads_behind_cut": "the Pad becomes part of the convolution",
        "with_max_pool_behind_symbolic": NOT_OF_PAD,
    },
    "onnx-reference-*": {
        "in_loop_of_no_trip_axes": "the Pad never runs",
        "forbidden_form_value_integer": "which attribute has another type is no fact",
    },
}


def exceptions_of(target):
    """Patterns of the names of cases."""
    return {
        pattern
        for targets, patterns in EXCEPTIONS.items()
        if fnmatch.fnmatchcase(target, targets)
        for pattern in patterns
    }


WITH_RULES = [target for target in outcome_file.names() if target not in NO_RULES]

# What a model does not tell, besides what the rules do not tell (EXCEPTIONS):
# check takes the elements of data as any numbers, and those of other inputs as what is allowed.
IN_AN_INPUT = ["bits_float16_nan_*", "bits_float8*_all_*", "openvino_bits_f*", "forbidden_*_input"]
OF_OPENVINO = ["openvino_beyond_*"]  # it writes outside of its memory, and may still answer


def is_excused(target, case):
    patterns = [*exceptions_of(target), *IN_AN_INPUT, *OF_OPENVINO * target.startswith("openvino")]
    return any(fnmatch.fnmatchcase(case, f"test_{pattern}") for pattern in patterns)


@pytest.fixture(scope="module")
def predicted(kit):
    return predictions.predict(harness.COMMAND, kit.path, kit.cases)


@pytest.mark.parametrize("target", WITH_RULES)
def test_predictions(predicted, target):
    right, unknown, wrong = predictions.compare(predicted, outcome_file.read(target))
    excused = [case for case in wrong if is_excused(target, case[0])]
    assert wrong == excused
    assert right > 2500
    assert len(unknown) + len(excused) < 0.1 * right
    untold = [*unknown, *(case[0] for case in wrong)]
    assert not [
        pattern
        for pattern in exceptions_of(target)
        if not fnmatch.filter(untold, f"test_{pattern}")
    ]


# ---- lower ---------------------------------------------------------------------------------------

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
REWRITTEN = {"ort-1.31": 530, "openvino-2026.4": 674, "opencv-5.0": 279}  # how many
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
