"""What the rules say of the kit's cases, compared with what the runtimes did (kit/outcomes)."""

import fnmatch
import json
import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "kit"))

import facts  # noqa: E402
from padkit import cases, onnx_model  # noqa: E402

OUTCOMES = {path.stem: json.loads(path.read_text())["outcomes"]
            for path in sorted((ROOT / "kit/outcomes").glob("*.json"))}
NOT_OF_PAD = "another node of the model decides"
EXCEPTIONS = {  # pattern of targets: {pattern of cases: why the rules do not tell them}
    "ort-*": {"with_average_pool_behind_opset2": NOT_OF_PAD},  # it has no kernel for AveragePool-1
    "ort-1.17": {"forbidden_count_axes_short_input": "it reads beyond pads: what lies there decides"},
    "openvino-*": {
        "forbidden_count_one_axis_input": "the number of pads is no fact",
        "forbidden_count_short_input": "the number of pads is no fact",
        "forbidden_form_pads_without_name": "an empty name is no other fact than no input",
        "forbidden_pads_scalar": "which shape pads have is no fact",
    },
    "opencv-5.0": {
        "axes_concat_*": "Concat of an empty constant",
        "pads_torchscript_none": "Concat of an empty constant",
        "with_relu_*": "Relu answers -0.0",
        "forbidden_nothing_empty_outer_edge": "what lies before the memory decides",
    },
    "opencv-4.14": {
        "axes_concat_*": "Concat of an empty constant",
        "pads_torchscript_*": "ConstantOfShape of no elements",
        "pads_from_shape_*": "Concat of a constant and the shape",
        "value_reshape*": "Reshape of a constant to no axis",
        "opset1_*_image": "two rules hold, and the other one comes first",
        "with_relu_*": "Relu answers -0.0",
        "with_edge_before_constant": NOT_OF_PAD,  # a second Pad of rank 2
        "with_crop_behind_constant": NOT_OF_PAD,  # a second Pad, which crops
        "forbidden_count_one_axis": "the number of pads is no fact",
        "forbidden_pads_scalar": "which shape pads have is no fact",
        "forbidden_value_float_for_string": "which type the value has comes first",
    },
    "tract-*": {
        "with_crop_behind_*": NOT_OF_PAD,  # a second Pad, which crops
        "with_convolution_with_pads_behind_cut": "the Pad becomes part of the convolution",
        "with_max_pool_behind_symbolic": NOT_OF_PAD,
    },
    "onnx-reference-*": {
        "with_crop_behind_*": NOT_OF_PAD,  # a second Pad, which crops
        "in_loop_of_no_trip_axes": "the Pad never runs",
        "forbidden_form_value_integer": "which attribute has another type is no fact",
    },
}


def exceptions_of(target):
    return {pattern for targets, patterns in EXCEPTIONS.items()
            if fnmatch.fnmatchcase(target, targets) for pattern in patterns}


def predictions(targets):
    """{(case, target): the line that judge prints}."""
    lines = "\n".join(facts.line(facts.facts_of(*onnx_model.write(case))) for case in cases.ALL)
    judged = subprocess.run([os.environ["TENSORPAD_JUDGE"], *targets], input=lines, text=True,
                            capture_output=True, check=True).stdout.splitlines()
    keys = [(case.name, target) for case in cases.ALL for target in targets]
    assert len(judged) == len(keys)
    return dict(zip(keys, judged))


@pytest.fixture(scope="module")
def predicted():
    return predictions(list(OUTCOMES))


@pytest.mark.parametrize("target", OUTCOMES)
def test_every_outcome_is_told(predicted, target):
    """All but the exceptions; an exception that the rules tell by now has to go."""
    wrong = {}
    for case in cases.ALL:
        outcome = OUTCOMES[target][f"test_{case.name}"]
        kind = outcome if outcome == "same" else outcome["verdict"]
        line = predicted[case.name, target]
        if line.split(" ")[0] != kind:
            wrong[case.name] = f"{case.name}: {kind}, and the rules say {line}"
    named = {pattern: fnmatch.filter(wrong, pattern) for pattern in exceptions_of(target)}
    unnamed = set(wrong).difference(*named.values())
    assert not unnamed, f"{len(unnamed)}:\n" + "\n".join(wrong[name] for name in sorted(unnamed))
    assert all(named.values()), {pattern for pattern, names in named.items() if not names}
