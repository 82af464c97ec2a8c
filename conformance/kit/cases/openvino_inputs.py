"""OpenVINO Pad: the ways in which amounts, value and data reach the layer, and what is forbidden.

SPDX-License-Identifier: MIT
"""

import dataclasses

from kit.case import sizes
from kit.cases.openvino import MODES, case
from kit.ir_model import NAMES, IrCase

IMAGE = {"type": "float", "shape": (1, 2, 3, 4), "begin": (0, 0, 1, 2), "end": (0, 0, 2, 1)}
ROW = {"shape": (4,), "begin": (1,), "end": (2,)}
WAYS = {
    "const": "as constants",
    "convert": "as constants of another type behind a Convert",
    "concat": "as constants that a Concat joins",
    "parameter": "as inputs of the model",
    "computed": "as what the model computes from its inputs",
}

ARGUMENTS = (
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
            **sizes((4,), (-1,), (2,)),
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
            **sizes((3, 5), (0, -2), (1, 1)),
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
            **sizes((3,), (1,), (0,)),
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


def forbidden(name, reason, sentence, version=12, **more):
    return IrCase(
        name=f"openvino_{name}_{version}",
        shows=reason,
        says=(sentence,),
        document=f"openvino-{version}",
        opset=version,
        forbidden=reason,
        **({"shape": (3,), "begin": (1,), "end": (1,)} | more),
    )


FORBIDDEN = (
    [
        forbidden(
            f"negative_{side}_{mode}",
            f"Pad-1 takes no negative amount: {side} -1",
            "openvino.pads.nonnegative",
            1,
            mode=mode,
            **{side: (-1,)},
        )
        for mode in MODES
        for side in ("begin", "end")
    ]
    + [
        forbidden(
            f"long_{mode}_{side}_{extent}",
            f"{side} is {extent + beyond}, {mode} takes at most {extent + beyond - 1} here",
            f"openvino.{mode}.limit",
            version,
            mode=mode,
            shape=(extent,),
            **{side: (extent + beyond,), "end" if side == "begin" else "begin": (0,)},
        )
        for mode, beyond in (("reflect", 0), ("symmetric", 1))
        for version, side, extent in (
            (1, "begin", 3),
            (1, "end", 1),
            (12, "end", 3),
            (12, "begin", 1),
        )
    ]
    + [
        forbidden(
            "long_reflect_mixed",
            "end is 3, reflect takes at most 2 here, also after a crop",
            "openvino.reflect.limit",
            mode="reflect",
            begin=(-1,),
            end=(3,),
        ),
        forbidden(
            "long_reflect_inner",
            "begin is 4 on axis 1, reflect takes at most 3 there",
            "openvino.reflect.limit",
            mode="reflect",
            **sizes((9, 4), (0, 4), (0, 0)),
        ),
    ]
    + [
        forbidden(
            "empty_reflect",
            "reflect takes at most -1 on an axis of extent 0",
            "openvino.reflect.limit",
            version,
            mode="reflect",
            **sizes((0,), (0,), (0,)),
        )
        for version in (1, 12)
    ]
    + [
        forbidden(
            "empty_symmetric",
            "symmetric takes at most 0 on an axis of extent 0",
            "openvino.symmetric.limit",
            mode="symmetric",
            shape=(0,),
        ),
        forbidden(
            "empty_edge",
            "an axis of extent 0 has no edge to repeat",
            "openvino.edge",
            mode="edge",
            shape=(0,),
            decided="openvino no edge",
        ),
    ]
    + [
        forbidden(
            f"mode_{mode or 'missing'}",
            f"there is no mode {mode}" if mode else "pad_mode is required",
            "openvino.mode",
            version,
            mode=mode,
        )
        for version in (1, 12)
        for mode in ("wrap", "replicate", None)
    ]
    + [
        forbidden("string", "Pad-1 has no strings", "openvino.types", 1, type="string"),
    ]
    + [
        forbidden(
            f"string_{mode}",
            f"strings are padded in mode constant only, not {mode}",
            "openvino.string",
            mode=mode,
            type="string",
        )
        for mode in MODES[1:]
    ]
    + [
        forbidden(
            f"count_{name}",
            f"{begin} and {end} on rank 2",
            "openvino.pads.count",
            version,
            **sizes((3, 3), begin, end),
        )
        for version, name, begin, end in (
            (1, "short_begin", (1,), (1, 1)),
            (12, "long_begin", (1, 1, 1), (1, 1)),
            (12, "short_end", (1, 1), (1,)),
            (1, "long_end", (1, 1), (1, 1, 1)),
        )
    ]
    + [
        forbidden("count_scalar", "one amount on rank 0", "openvino.pads.count", shape=()),
        forbidden(
            "pads_2d", "the amounts are of shape [1, 1]", "openvino.pads", amounts_shape=(1, 1)
        ),
        forbidden("pads_scalar", "the amounts are scalars", "openvino.pads", amounts_shape=()),
        forbidden(
            "pads_f32", "the amounts are of type f32", "openvino.pads.type", amounts_type="float"
        ),
        forbidden(
            "pads_boolean",
            "the amounts are of type boolean",
            "openvino.pads.type",
            1,
            amounts_type="bool",
        ),
        forbidden("no_end", "pads_end is required", "openvino.pads", without_end=True),
        forbidden(
            "value_type",
            "the pad value is f32, the data i32",
            "openvino.value",
            value=1,
            value_type="float",
        ),
        forbidden(
            "value_type",
            "the pad value is i64, the data i32",
            "openvino.value",
            1,
            value=1,
            value_type="int64",
        ),
        forbidden(
            "value_1d", "the pad value is of shape [1]", "openvino.value", value=1, value_shape=(1,)
        ),
        forbidden(
            "value_two",
            "the pad value has two elements",
            "openvino.value",
            value=1,
            value_shape=(2,),
        ),
    ]
)
# In a model whose shapes and amounts only the run knows.
FORBIDDEN += [
    dataclasses.replace(
        case, name=f"{case.name}_dynamic", dims="dynamic", begin_as="parameter", end_as="parameter"
    )
    for case in FORBIDDEN
    if case.name
    in (
        "openvino_long_reflect_begin_3_1",
        "openvino_long_symmetric_end_3_12",
        "openvino_negative_begin_edge_1",
        "openvino_empty_reflect_12",
        "openvino_empty_edge_12",
    )
]
