"""What `tensorpad check` says of every model of the kit, against what the runtimes did.

SPDX-License-Identifier: MIT

`conformance/run.sh survey` records the runtimes' outcomes (kit/outcome_file.py). "unknown" is right only where
the model alone does not tell: where the elements of an input decide.
"""

import fnmatch

import harness
import pytest
from kit import outcome_file, predictions

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


TARGETS = [target for target in outcome_file.names() if target not in NO_RULES]

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


@pytest.mark.parametrize("target", TARGETS)
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
