"""Cases of the kit whose outcome the rules do not tell, and why."""

import fnmatch

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
    "opencv-4.6": {
        "value_cast*": "Cast of a constant of float16",
    },
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
