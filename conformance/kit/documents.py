"""The sentences of the documents that cases come from, in our words, and what is decided beside.

SPDX-License-Identifier: MIT
"""

SENTENCES = {  # key: (document, place in it, what it says)
    "onnx.constant": (
        "ONNX Pad",
        "Summary, mode 1",
        "constant is the default mode and writes constant_value",
    ),
    "onnx.reflect": (
        "ONNX Pad",
        "Summary, mode 2",
        "reflect mirrors the values at the first and at the last value of each axis",
    ),
    "onnx.edge": ("ONNX Pad", "Summary, mode 3", "edge repeats the values at the edges"),
    "onnx.wrap": (
        "ONNX Pad",
        "Summary, mode 4 (since version 19)",
        "wrap reads the data as if it formed a torus",
    ),
    "onnx.example.constant": ("ONNX Pad", "Example 1", "constant, pads [0, 2, 0, 0]"),
    "onnx.example.reflect": (
        "ONNX Pad",
        "Example 2",
        "reflect, pads [0, 2, 0, 0] on an extent of 2: the mirror bounces",
    ),
    "onnx.example.edge": ("ONNX Pad", "Example 3", "edge, pads [0, 2, 0, 0]"),
    "onnx.example.wrap": ("ONNX Pad", "Example 4", "wrap, pads [2, 1, 1, 1]"),
    "onnx.pads.amounts": (
        "ONNX Pad",
        "Input pads",
        "pads say how many elements to add at begin and end of each axis",
    ),
    "onnx.pads.negative": ("ONNX Pad", "Input pads", "a negative amount removes elements"),
    "onnx.pads.layout": (
        "ONNX Pad",
        "Input pads",
        "pads are 1-D of shape [2 * num_axes]: all begins, then all ends",
    ),
    "onnx.pads.type": ("ONNX Pad", "Input pads", "pads are a tensor of int64 since version 11"),
    "onnx.pads.required": ("ONNX Pad", "Input pads", "pads are a required input since version 11"),
    "onnx.modes": (
        "ONNX Pad",
        "Attribute mode",
        "a string: constant, reflect or edge, since version 19 also wrap",
    ),
    "onnx.value": (
        "ONNX Pad",
        "Input constant_value",
        "a scalar of the type of data, used in mode constant",
    ),
    "onnx.value.absent": (
        "ONNX Pad",
        "Input constant_value",
        "without it the value is 0, the empty string or False",
    ),
    "onnx.axes": (
        "ONNX Pad",
        "Input axes (since version 18)",
        "pads apply to these axes, all others stay as they are",
    ),
    "onnx.axes.negative": (
        "ONNX Pad",
        "Input axes (since version 18)",
        "a negative axis counts from the back; the range is [-r, r-1]",
    ),
    "onnx.axes.repeated": (
        "ONNX Pad",
        "Input axes (since version 18)",
        "the behaviour is undefined if an axis is repeated",
    ),
    "onnx.types": ("ONNX Pad", "Type constraint T", "each version lists the types of data"),
    "onnx.axes.types": ("ONNX Pad", "Type constraint Tind", "axes are int32 or int64"),
    "onnx.old.attributes": (
        "ONNX Pad",
        "Versions 1 and 2, attributes",
        "paddings (version 1) or pads (version 2) and value are attributes",
    ),
    "onnx.old.value": (
        "ONNX Pad",
        "Versions 1 and 2, attribute value",
        "value is one float, 0 by default",
    ),
    "openvino.example": (
        "OpenVINO Pad-1 and Pad-12",
        "Detailed description",
        "3 x 4 by begin 0 1, end 2 3, in each mode",
    ),
    "openvino.example.layer": (
        "OpenVINO Pad-1 and Pad-12",
        "Examples of layers",
        "1 x 3 x 32 x 40 by begin 0 5 2 1, end 1 0 3 7",
    ),
    "openvino.example.negative": (
        "OpenVINO Pad-12",
        "Detailed description",
        "3 x 4 by -1 at each side leaves 6 7 in every mode",
    ),
    "openvino.example.mixed": (
        "OpenVINO Pad-12",
        "Detailed description",
        "3 x 4 by begin 2 -1, end -1 3, in each mode",
    ),
    "openvino.mode": (
        "OpenVINO Pad-1 and Pad-12",
        "Attribute pad_mode",
        "constant, edge, reflect or symmetric; required",
    ),
    "openvino.constant": (
        "OpenVINO Pad-1 and Pad-12",
        "Attribute pad_mode, constant",
        "new elements are the pad value",
    ),
    "openvino.edge": (
        "OpenVINO Pad-1 and Pad-12",
        "Attribute pad_mode, edge",
        "new elements are copied from the edge of data",
    ),
    "openvino.reflect": (
        "OpenVINO Pad-1 and Pad-12",
        "Attribute pad_mode, reflect",
        "data is mirrored and its edge is not repeated",
    ),
    "openvino.reflect.limit": (
        "OpenVINO Pad-1 and Pad-12",
        "Attribute pad_mode, reflect",
        "amounts are at most the extent - 1, on any axis",
    ),
    "openvino.symmetric": (
        "OpenVINO Pad-1 and Pad-12",
        "Attribute pad_mode, symmetric",
        "data is mirrored and its edge is repeated",
    ),
    "openvino.symmetric.limit": (
        "OpenVINO Pad-1 and Pad-12",
        "Attribute pad_mode, symmetric",
        "amounts are at most the extent, on any axis",
    ),
    "openvino.rank": ("OpenVINO Pad-1 and Pad-12", "Input data", "data has any shape"),
    "openvino.moved": (
        "OpenVINO Pad-1 and Pad-12",
        "Attribute pad_mode",
        "elements are copied: they stay as they are",
    ),
    "openvino.pads": (
        "OpenVINO Pad-1 and Pad-12",
        "Inputs pads_begin and pads_end",
        "two tensors of rank 1, both required",
    ),
    "openvino.pads.count": (
        "OpenVINO Pad-1 and Pad-12",
        "Inputs pads_begin and pads_end",
        "one amount for each axis of data",
    ),
    "openvino.pads.type": ("OpenVINO Pad-1 and Pad-12", "Type T_INT", "any integer type"),
    "openvino.pads.nonnegative": ("OpenVINO Pad-1", "Type T_INT", "amounts are not negative"),
    "openvino.negative": (
        "OpenVINO Pad-12",
        "Inputs pads_begin and pads_end",
        "a negative amount removes elements",
    ),
    "openvino.window": (
        "OpenVINO Pad-12",
        "Detailed description, mixed pads",
        "beside a crop, the extension of the whole input is taken",
    ),
    "openvino.value": (
        "OpenVINO Pad-1 and Pad-12",
        "Input pad_value",
        "a scalar of the type of data",
    ),
    "openvino.value.absent": (
        "OpenVINO Pad-1 and Pad-12",
        "Input pad_value",
        "without it the value is 0, for strings (Pad-12) the empty string",
    ),
    "openvino.value.elsewhere": (
        "OpenVINO Pad-1 and Pad-12",
        "Input pad_value",
        "only mode constant uses it",
    ),
    "openvino.output": (
        "OpenVINO Pad-1 and Pad-12",
        "Outputs",
        "each extent is begin + extent + end",
    ),
    "openvino.output.least": (
        "OpenVINO Pad-12",
        "Outputs",
        "an extent that would be negative is 0",
    ),
    "openvino.types": (
        "OpenVINO Pad-1 and Pad-12",
        "Type T",
        "any numeric type; with Pad-12 strings too",
    ),
    "openvino.string": ("OpenVINO Pad-12", "Type T", "strings in mode constant only"),
    "ngraph.example": (
        "nGraph Pad",
        "Example",
        "3 x 3 by interior 1 2, below 1 2, above 1 0 and the value 42",
    ),
    "ngraph.constant": (
        "nGraph Pad",
        "Attribute pad_mode",
        "CONSTANT is the default and inserts the pad value",
    ),
    "ngraph.mode": ("nGraph Pad", "Attribute pad_mode", "the modes are CONSTANT, EDGE, REFLECT"),
    "ngraph.exterior": (
        "nGraph Pad",
        "Outputs, 1",
        "padding below and above, a number for each axis",
    ),
    "ngraph.interior": (
        "nGraph Pad",
        "Outputs, 2",
        "interior padding lies between neighbours, a number for each axis",
    ),
    "ngraph.negative": (
        "nGraph Pad",
        "Attributes padding_below and padding_above",
        "they may be negative",
    ),
    "ngraph.shape": (
        "nGraph Pad",
        "Outputs",
        "an extent is below + (extent - 1)(interior + 1) + 1 + above, or below + "
        "above of an empty axis",
    ),
    "ngraph.value": ("nGraph Pad", "Input arg_pad_value", "a scalar of the type of arg, required"),
    "ngraph.types": ("nGraph Pad", "Input arg", "any element type"),
    "mli.example": (
        "embARC MLI padding2d",
        "First section",
        "[2, 4, 8] by top 2 and right 1 is [2, 6, 9] with zeros there",
    ),
    "mli.sides": (
        "embARC MLI padding2d",
        "Function configuration",
        "left, right, top and bottom have amounts of their own",
    ),
    "mli.sizes": (
        "embARC MLI padding2d",
        "First section",
        "height and width grow by the amounts of their sides",
    ),
    "mli.zero": ("embARC MLI padding2d", "First section", "the borders are zero"),
    "mli.channels": (
        "embARC MLI padding2d",
        "First section",
        "as many channels as in the input, all padded alike",
    ),
    "mli.amounts": ("embARC MLI padding2d", "Function configuration", "four uint8_t"),
    "mli.types": (
        "embARC MLI padding2d",
        "Kernel specializations",
        "functions for 8 and for 16 bit FX elements, of CHW and HWC",
    ),
    "mli.rank": (
        "embARC MLI padding2d",
        "First section",
        "an image has channels, height and width",
    ),
    "mli.empty": ("embARC MLI padding2d", "Conditions", "input tensors must be valid"),
    "plain.mode": ("docs/semantics.md", "One axis", "the table of modes"),
    "plain.modes": ("docs/semantics.md", "First section", "each axis has its own function"),
    "plain.interior": (
        "docs/semantics.md",
        "One axis",
        "the modes extend the axis together with its gaps",
    ),
    "plain.order": (
        "docs/semantics.md",
        "Order of crop and pad",
        "the part of the axis that the mode repeats",
    ),
    "plain.empty": (
        "docs/semantics.md",
        "Limits and errors",
        "nothing to repeat is an error, unless the output is empty",
    ),
    "plain.negative": (
        "docs/semantics.md",
        "Limits and errors",
        "a negative output extent is an error",
    ),
    "plain.limits": (
        "docs/semantics.md",
        "Limits and errors",
        "numbers are at most 2^61 - 1, and every product is checked",
    ),
    "plain.scalar": (
        "docs/semantics.md",
        "Limits and errors",
        "a tensor of rank 0 has one element, which is copied",
    ),
    "plain.elements": ("docs/semantics.md", "Elements", "bits are moved as they are"),
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
