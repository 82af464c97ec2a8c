"""OpenVINO Pad: the ways in which amounts, value and data reach the layer.

SPDX-License-Identifier: MIT
"""

from padkit.cases.other.openvino import MODES, case
from padkit.ir_model import NAMES

IMAGE = {"type": "float", "shape": (1, 2, 3, 4), "begin": (0, 0, 1, 2), "end": (0, 0, 2, 1)}
ROW = {"shape": (4,), "begin": (1,), "end": (2,)}
WAYS = {
    "const": "as constants",
    "convert": "as constants of another type behind a Convert",
    "concat": "as constants that a Concat joins",
    "parameter": "as inputs of the model",
    "computed": "as what the model computes from its inputs",
}

CASES = (
    [
        case(
            f"amounts_{NAMES[word]}",
            f"amounts of type {NAMES[word]}",
            ["openvino.pads.type"],
            version,
            mode="reflect",
            amounts_type=word,
            **ROW,
        )
        for version in (1, 12)
        for word in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
    ]
    + [
        case(
            f"negative_{NAMES[word]}",
            f"negative amounts of type {NAMES[word]}",
            ["openvino.pads.type", "openvino.negative"],
            mode="edge",
            amounts_type=word,
            shape=(4,),
            begin=(-1,),
            end=(2,),
        )
        for word in ("int8", "int16", "int32")
    ]
    + [
        case(
            f"pads_{way}_{mode}",
            f"amounts given {WAYS[way]}, mode {mode}",
            ["openvino.pads"],
            mode=mode,
            begin_as=way,
            end_as=way,
            **IMAGE,
        )
        for way in ("convert", "concat", "parameter", "computed")
        for mode in MODES
    ]
    + [
        case(
            f"begin_{way}",
            f"only pads_begin is given {WAYS[way]}",
            ["openvino.pads"],
            mode="edge",
            begin_as=way,
            **IMAGE,
        )
        for way in ("parameter", "computed")
    ]
    + [
        case(
            f"end_{way}",
            f"only pads_end is given {WAYS[way]}",
            ["openvino.pads"],
            mode="reflect",
            end_as=way,
            **IMAGE,
        )
        for way in ("parameter", "computed")
    ]
    + [
        case(
            f"value_{way}_{NAMES[word]}",
            f"a value of {NAMES[word]} given {WAYS[way][3:]}",
            ["openvino.value"],
            type=word,
            value=value,
            value_as=way,
            stored_type=stored,
            **ROW,
        )
        for word, value, stored in (("float", 1.5, "float16"), ("int32", -7, "int64"))
        for way in ("convert", "parameter", "computed")
    ]
    + [
        case(
            f"unused_value_{mode}",
            f"a value that mode {mode} does not use",
            ["openvino.value.elsewhere"],
            version,
            mode=mode,
            value=9,
            **ROW,
        )
        for version in (1, 12)
        for mode in MODES[1:]
    ]
    + [
        case(
            f"dims_{dims.replace(' ', '_')}_{mode}",
            f"the model does not know: {dims}, mode {mode}",
            ["openvino.rank"],
            mode=mode,
            dims=dims,
            **IMAGE,
        )
        for dims in ("dynamic", "rank unknown")
        for mode in MODES
    ]
    + [
        case(
            f"dims_dynamic_pads_{way}_{mode}",
            f"dynamic dims and amounts given {WAYS[way]}, mode {mode}",
            ["openvino.pads"],
            mode=mode,
            dims="dynamic",
            begin_as=way,
            end_as=way,
            **IMAGE,
        )
        for way in ("parameter", "computed")
        for mode in MODES
    ]
    + [
        case(
            f"dims_dynamic_negative_{mode}",
            f"dynamic dims and negative amounts, mode {mode}",
            ["openvino.negative"],
            mode=mode,
            dims="dynamic",
            shape=(3, 5),
            begin=(0, -2),
            end=(1, 1),
        )
        for mode in MODES
    ]
    + [
        case(
            f"data_const_{mode}",
            f"the data is a constant of the model, mode {mode}",
            ["openvino.rank"],
            mode=mode,
            data_as="const",
            **ROW,
        )
        for mode in MODES
    ]
    + [
        case(
            "data_const_string",
            "strings that are a constant of the model",
            ["openvino.string"],
            data_as="const",
            type="string",
            cells=(b"one", b"", b"three"),
            value=b"pad",
            shape=(3,),
            begin=(1,),
            end=(0,),
        ),
    ]
    + [
        case(
            f"ir_10_{mode}",
            f"IR version 10, mode {mode}",
            ["openvino.pads"],
            version,
            mode=mode,
            ir=10,
            **ROW,
        )
        for version in (1, 12)
        for mode in MODES
    ]
)
