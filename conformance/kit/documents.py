"""The sentences of the documents that cases come from, in our words, and what is decided beside.

SPDX-License-Identifier: MIT
"""

PLACES = {  # document: {place in it: {key: what it says, in our words}}
    "ONNX Pad": {
        "Summary, mode 1": {
            "onnx.constant": "constant is the default mode and writes constant_value"
        },
        "Summary, mode 2": {
            "onnx.reflect": (
                "reflect mirrors the values at the first and at the last value of each axis"
            )
        },
        "Summary, mode 3": {"onnx.edge": "edge repeats the values at the edges"},
        "Summary, mode 4 (since version 19)": {
            "onnx.wrap": "wrap reads the data as if it formed a torus"
        },
        "Example 1": {"onnx.example.constant": "constant, pads [0, 2, 0, 0]"},
        "Example 2": {
            "onnx.example.reflect": (
                "reflect, pads [0, 2, 0, 0] on an extent of 2: the mirror bounces"
            )
        },
        "Example 3": {"onnx.example.edge": "edge, pads [0, 2, 0, 0]"},
        "Example 4": {"onnx.example.wrap": "wrap, pads [2, 1, 1, 1]"},
        "Input pads": {
            "onnx.pads.amounts": "pads say how many elements to add at begin and end of each axis",
            "onnx.pads.negative": "a negative amount removes elements",
            "onnx.pads.layout": "pads are 1-D of shape [2 * num_axes]: all begins, then all ends",
            "onnx.pads.type": "pads are a tensor of int64 since version 11",
            "onnx.pads.required": "pads are a required input since version 11",
        },
        "Attribute mode": {
            "onnx.modes": "a string: constant, reflect or edge, since version 19 also wrap"
        },
        "Input constant_value": {
            "onnx.value": "a scalar of the type of data, used in mode constant",
            "onnx.value.absent": "without it the value is 0, the empty string or False",
        },
        "Input axes (since version 18)": {
            "onnx.axes": "pads apply to these axes, all others stay as they are",
            "onnx.axes.negative": "a negative axis counts from the back; the range is [-r, r-1]",
            "onnx.axes.repeated": "the behaviour is undefined if an axis is repeated",
        },
        "Type constraint T": {"onnx.types": "each version lists the types of data"},
        "Type constraint Tind": {"onnx.axes.types": "axes are int32 or int64"},
        "Versions 1 and 2, attributes": {
            "onnx.old.attributes": (
                "paddings (version 1) or pads (version 2) and value are attributes"
            )
        },
        "Versions 1 and 2, attribute value": {"onnx.old.value": "value is one float, 0 by default"},
    },
    "OpenVINO Pad-1 and Pad-12": {
        "Detailed description": {"openvino.example": "3 x 4 by begin 0 1, end 2 3, in each mode"},
        "Examples of layers": {
            "openvino.example.layer": "1 x 3 x 32 x 40 by begin 0 5 2 1, end 1 0 3 7"
        },
        "Attribute pad_mode": {
            "openvino.mode": "constant, edge, reflect or symmetric; required",
            "openvino.moved": "elements are copied: they stay as they are",
        },
        "Attribute pad_mode, constant": {"openvino.constant": "new elements are the pad value"},
        "Attribute pad_mode, edge": {
            "openvino.edge": "new elements are copied from the edge of data"
        },
        "Attribute pad_mode, reflect": {
            "openvino.reflect": "data is mirrored and its edge is not repeated",
            "openvino.reflect.limit": "amounts are at most the extent - 1, on any axis",
        },
        "Attribute pad_mode, symmetric": {
            "openvino.symmetric": "data is mirrored and its edge is repeated",
            "openvino.symmetric.limit": "amounts are at most the extent, on any axis",
        },
        "Input data": {"openvino.rank": "data has any shape"},
        "Inputs pads_begin and pads_end": {
            "openvino.pads": "two tensors of rank 1, both required",
            "openvino.pads.count": "one amount for each axis of data",
        },
        "Type T_INT": {"openvino.pads.type": "any integer type"},
        "Input pad_value": {
            "openvino.value": "a scalar of the type of data",
            "openvino.value.absent": (
                "without it the value is 0, for strings (Pad-12) the empty string"
            ),
            "openvino.value.elsewhere": "only mode constant uses it",
        },
        "Outputs": {"openvino.output": "each extent is begin + extent + end"},
        "Type T": {"openvino.types": "any numeric type; with Pad-12 strings too"},
    },
    "OpenVINO Pad-12": {
        "Detailed description": {
            "openvino.example.negative": "3 x 4 by -1 at each side leaves 6 7 in every mode",
            "openvino.example.mixed": "3 x 4 by begin 2 -1, end -1 3, in each mode",
        },
        "Inputs pads_begin and pads_end": {
            "openvino.negative": "a negative amount removes elements"
        },
        "Detailed description, mixed pads": {
            "openvino.window": "beside a crop, the extension of the whole input is taken"
        },
        "Outputs": {"openvino.output.least": "an extent that would be negative is 0"},
        "Type T": {"openvino.string": "strings in mode constant only"},
    },
    "OpenVINO Pad-1": {"Type T_INT": {"openvino.pads.nonnegative": "amounts are not negative"}},
    "nGraph Pad": {
        "Example": {
            "ngraph.example": "3 x 3 by interior 1 2, below 1 2, above 1 0 and the value 42"
        },
        "Attribute pad_mode": {
            "ngraph.constant": "CONSTANT is the default and inserts the pad value",
            "ngraph.mode": "the modes are CONSTANT, EDGE, REFLECT",
        },
        "Outputs, 1": {"ngraph.exterior": "padding below and above, a number for each axis"},
        "Outputs, 2": {
            "ngraph.interior": "interior padding lies between neighbours, a number for each axis"
        },
        "Attributes padding_below and padding_above": {"ngraph.negative": "they may be negative"},
        "Outputs": {
            "ngraph.shape": (
                "an extent is below + (extent - 1)(interior + 1) + 1 + above, or "
                "below + above of an empty axis"
            )
        },
        "Input arg_pad_value": {"ngraph.value": "a scalar of the type of arg, required"},
        "Input arg": {"ngraph.types": "any element type"},
    },
    "embARC MLI padding2d": {
        "First section": {
            "mli.example": "[2, 4, 8] by top 2 and right 1 is [2, 6, 9] with zeros there",
            "mli.sizes": "height and width grow by the amounts of their sides",
            "mli.zero": "the borders are zero",
            "mli.channels": "as many channels as in the input, all padded alike",
            "mli.rank": "an image has channels, height and width",
        },
        "Function configuration": {
            "mli.sides": "left, right, top and bottom have amounts of their own",
            "mli.amounts": "four uint8_t",
        },
        "Kernel specializations": {
            "mli.types": "functions for 8 and for 16 bit FX elements, of CHW and HWC"
        },
        "Conditions": {"mli.empty": "input tensors must be valid"},
    },
    "docs/semantics.md": {
        "One axis": {
            "plain.mode": "the table of modes",
            "plain.interior": "the modes extend the axis together with its gaps",
        },
        "First section": {"plain.modes": "each axis has its own function"},
        "Order of crop and pad": {"plain.order": "the part of the axis that the mode repeats"},
        "Limits and errors": {
            "plain.empty": "nothing to repeat is an error, unless the output is empty",
            "plain.negative": "a negative output extent is an error",
            "plain.limits": "numbers are at most 2^61 - 1, and every product is checked",
            "plain.scalar": "a tensor of rank 0 has one element, which is copied",
        },
        "Elements": {"plain.elements": "bits are moved as they are"},
    },
}
SENTENCES = {  # key: (document, place in it, what it says)
    key: (document, place, text)
    for document, places in PLACES.items()
    for place, texts in places.items()
    for key, text in texts.items()
}

DECISIONS = {  # where the document is silent: (the question, what docs/semantics.md decides)
    "order": (
        "does a crop come before the extension on the same axis?",
        "the crop; what is left is then extended",
    ),
    "long": (
        "may an extension be longer than the axis?",
        "reflect folds and wrap repeats as often as needed",
    ),
    "one": ("what does reflect repeat on an extent of 1?", "the one element"),
    "empty": (
        "may an axis be empty?",
        "constant pads it; another mode may not add to it, unless the output is empty",
    ),
    "overcrop": (
        "may one side be cut further than the axis is long?",
        "yes, if the other side adds enough; all cells are then the value",
    ),
    "negative output": ("may an extent become negative?", "no: an error"),
    "nothing left": (
        "may edge, reflect or wrap extend what a crop emptied?",
        "no: an error, unless the output is empty",
    ),
    "rank 0": ("may data be a scalar?", "yes: it is copied"),
    "value [1]": ("may constant_value have the shape [1]?", "yes, one element is enough"),
    "no axes": ("may axes be empty?", "yes: the output is the input"),
    "axes repeated": ("what if an axis is repeated?", "an error"),
    "zero of float8e8m0": (
        "which value is the zero of a type that has none?",
        "the one whose bits are all zero",
    ),
    "openvino empty": ("may edge and symmetric leave an empty axis as it is?", "yes"),
    "openvino no edge": ("what does edge repeat on an empty axis?", "nothing: an error"),
    "openvino boolean": ("is boolean a numeric type?", "yes, as OpenVINO has it"),
    "ngraph modes": (
        "what do EDGE and REFLECT mean?",
        "EDGE repeats the edge, REFLECT mirrors without it, as often as needed",
    ),
    "ngraph symmetric": (
        "is there a mode SYMMETRIC?",
        "yes, as in the operator that nGraph shipped: a mirror with the edge",
    ),
    "ngraph interior": (
        "what is interior padding in the other modes?",
        "gaps that hold the pad value; the axis is extended together with them",
    ),
    "ngraph too few": (
        "what do the modes need?",
        "EDGE and SYMMETRIC one element, REFLECT two, on each axis that they pad",
    ),
    "mli empty": ("may an image be empty?", "no, as in MLI 1.1"),
}


def sources(case):
    """What an entry of the index says of the documents behind a case or problem."""
    return {
        "says": [dict(zip(("document", "place", "text"), SENTENCES[key])) for key in case.says],
        "decided": case.decided and dict(zip(("question", "answer"), DECISIONS[case.decided])),
    }
