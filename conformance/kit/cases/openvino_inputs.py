"""OpenVINO Pad: the ways in which amounts, value and data reach the layer, and what is forbidden.

SPDX-License-Identifier: MIT
"""

import dataclasses

from kit.case import families
from kit.cases.openvino import BOTH, MODES, cases, named
from kit.ir_model import IrCase

IMAGE = ((1, 2, 3, 4), (0, 0, 1, 2), (0, 0, 2, 1))
ROW = ((4,), (1,), (2,))


def ways(*names):
    """How arguments are given, and that in words."""
    told = {
        "convert": "constants of another type behind a Convert",
        "concat": "constants that a Concat joins",
        "parameter": "inputs of the model",
        "computed": "what the model computes from its inputs",
    }
    return [{"way": name, "as": told[name]} for name in names]


def way(of):
    return of["way"]


PADS_AS = {"begin_as": way, "end_as": way, "type": "float"}
AT_RUN_TIME = ways("parameter", "computed")
AMOUNTS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")


def amounts_types(words):
    return [{"amounts_type": of["type"], "name_of": of["name_of"]} for of in named(words)]


ARGUMENTS = cases(
    (
        ("amounts_{name_of}", "amounts of type {name_of}", "pads.type"),
        ROW,
        {"opset": BOTH, "of": amounts_types(AMOUNTS), "mode": "reflect"},
    ),
    (
        ("negative_{name_of}", "negative amounts of type {name_of}", "pads.type negative"),
        ((4,), (-1,), (2,)),
        {"of": amounts_types(AMOUNTS[:3]), "mode": "edge"},
    ),
    (
        ("pads_{way}_{mode}", "amounts given as {as}, mode {mode}", "pads"),
        IMAGE,
        {"of": ways("convert", "concat", "parameter", "computed"), "mode": MODES, **PADS_AS},
    ),
    (
        ("begin_{way}", "only pads_begin is given as {as}", "pads"),
        IMAGE,
        {"of": AT_RUN_TIME, "mode": "edge", "begin_as": way, "type": "float"},
    ),
    (
        ("end_{way}", "only pads_end is given as {as}", "pads"),
        IMAGE,
        {"of": AT_RUN_TIME, "mode": "reflect", "end_as": way, "type": "float"},
    ),
    (
        ("value_{way}_{name_of}", "a value of {name_of} given {as}", "value"),
        ROW,
        {
            "value_of": [
                {"type": "float", "name_of": "f32", "value": 1.5, "stored_type": "float16"},
                {"type": "int32", "name_of": "i32", "value": -7, "stored_type": "int64"},
            ],
            "of": ways("convert", "parameter", "computed"),
            "value_as": way,
        },
    ),
    (
        ("unused_value_{mode}", "a value that mode {mode} does not use", "value.elsewhere"),
        ROW,
        {"opset": BOTH, "mode": MODES[1:], "value": 9},
    ),
    (
        ("dims_{word}_{mode}", "the model does not know: {dims}, mode {mode}", "rank"),
        IMAGE,
        {
            "dims": ["dynamic", "rank unknown"],
            "word": lambda of: of["dims"].replace(" ", "_"),
            "mode": MODES,
            "type": "float",
        },
    ),
    (
        (
            "dims_dynamic_pads_{way}_{mode}",
            "dynamic dims and amounts given as {as}, mode {mode}",
            "pads",
        ),
        IMAGE,
        {"of": AT_RUN_TIME, "mode": MODES, "dims": "dynamic", **PADS_AS},
    ),
    (
        (
            "dims_dynamic_negative_{mode}",
            "dynamic dims and negative amounts, mode {mode}",
            "negative",
        ),
        ((3, 5), (0, -2), (1, 1)),
        {"mode": MODES, "dims": "dynamic"},
    ),
    (
        ("data_const_{mode}", "the data is a constant of the model, mode {mode}", "rank"),
        ROW,
        {"mode": MODES, "data_as": "const"},
    ),
    (
        ("data_const_string", "strings that are a constant of the model", "string"),
        ((3,), (1,), (0,)),
        {"data_as": "const", "type": "string", "cells": (b"one", b"", b"three"), "value": b"pad"},
    ),
    (
        ("ir_10_{mode}", "IR version 10, mode {mode}", "pads"),
        ROW,
        {"opset": BOTH, "mode": MODES, "ir": 10},
    ),
)


def forbidden(*rows):
    """Forbidden cases; what a case shows is the reason. Amounts of 1 on an axis of 3, if not said."""
    for given in families(IrCase, rows):
        opset = given.setdefault("opset", 12)
        says = tuple(f"openvino.{sentence}" for sentence in given["says"])
        given |= {"name": f"openvino_{given['name']}_{opset}", "says": says}
        yield IrCase(document=f"openvino-{opset}", forbidden=given["shows"], **given)


AXIS = ((3,), (1,), (1,))


def one_side(side, amount):
    """The amount on that side, and nothing on the other one."""
    return {side: (amount,), "end" if side == "begin" else "begin": (0,), "side": side}


FORBIDDEN = [
    *forbidden(
        (
            (
                "negative_{side}_{mode}",
                "Pad-1 takes no negative amount: {side} -1",
                "pads.nonnegative",
            ),
            AXIS,
            {"opset": 1, "mode": MODES}
            | {"of": [{"side": side, side: (-1,)} for side in ("begin", "end")]},
        ),
        (
            (
                "long_{mode}_{side}_{extent}",
                "{side} is {amount}, {mode} takes at most {most} here",
                "{mode}.limit",
            ),
            ((), (), ()),
            {
                "of": [
                    {"mode": mode, "opset": opset, "extent": extent, "shape": (extent,)}
                    | {"amount": extent + beyond, "most": extent + beyond - 1}
                    | one_side(side, extent + beyond)
                    for mode, beyond in (("reflect", 0), ("symmetric", 1))
                    for opset, side, extent in (
                        *((1, "begin", 3), (1, "end", 1), (12, "end", 3), (12, "begin", 1)),
                    )
                ]
            },
        ),
        (
            (
                "long_reflect_mixed",
                "end is 3, reflect takes at most 2 here, also after a crop",
                "reflect.limit",
            ),
            ((3,), (-1,), (3,)),
            {"mode": "reflect"},
        ),
        (
            (
                "long_reflect_inner",
                "begin is 4 on axis 1, reflect takes at most 3 there",
                "reflect.limit",
            ),
            ((9, 4), (0, 4), (0, 0)),
            {"mode": "reflect"},
        ),
        (
            ("empty_reflect", "reflect takes at most -1 on an axis of extent 0", "reflect.limit"),
            ((0,), (0,), (0,)),
            {"opset": BOTH, "mode": "reflect"},
        ),
        (
            (
                "empty_symmetric",
                "symmetric takes at most 0 on an axis of extent 0",
                "symmetric.limit",
            ),
            ((0,), (1,), (1,)),
            {"mode": "symmetric"},
        ),
        (
            ("empty_edge", "an axis of extent 0 has no edge to repeat", "edge"),
            ((0,), (1,), (1,)),
            {"mode": "edge", "decided": "openvino no edge"},
        ),
        (
            ("mode_{word}", "{told}", "mode"),
            AXIS,
            {
                "opset": BOTH,
                "of": [
                    {"word": "wrap", "told": "there is no mode wrap", "mode": "wrap"},
                    {
                        "word": "replicate",
                        "told": "there is no mode replicate",
                        "mode": "replicate",
                    },
                    {"word": "missing", "told": "pad_mode is required", "mode": None},
                ],
            },
        ),
        (("string", "Pad-1 has no strings", "types"), AXIS, {"opset": 1, "type": "string"}),
        (
            ("string_{mode}", "strings are padded in mode constant only, not {mode}", "string"),
            AXIS,
            {"mode": MODES[1:], "type": "string"},
        ),
        *(
            (
                (f"count_{name}", "{begin} and {end} on rank 2", "pads.count"),
                sizes,
                {"opset": opset},
            )
            for opset, name, sizes in (
                (1, "short_begin", ((3, 3), (1,), (1, 1))),
                (12, "long_begin", ((3, 3), (1, 1, 1), (1, 1))),
                (12, "short_end", ((3, 3), (1, 1), (1,))),
                (1, "long_end", ((3, 3), (1, 1), (1, 1, 1))),
            )
        ),
        *(
            ((name, told, says), AXIS, given)
            for name, told, says, given in (
                ("count_scalar", "one amount on rank 0", "pads.count", {"shape": ()}),
                ("pads_2d", "the amounts are of shape [1, 1]", "pads", {"amounts_shape": (1, 1)}),
                ("pads_scalar", "the amounts are scalars", "pads", {"amounts_shape": ()}),
                ("pads_f32", "the amounts are of type f32", "pads.type", {"amounts_type": "float"}),
            )
        ),
        (
            ("pads_boolean", "the amounts are of type boolean", "pads.type"),
            AXIS,
            {"opset": 1, "amounts_type": "bool"},
        ),
        (("no_end", "pads_end is required", "pads"), AXIS, {"without_end": True}),
        (
            ("value_type", "the pad value is f32, the data i32", "value"),
            AXIS,
            {"value": 1, "value_type": "float"},
        ),
        (
            ("value_type", "the pad value is i64, the data i32", "value"),
            AXIS,
            {"opset": 1, "value": 1, "value_type": "int64"},
        ),
        (
            ("value_1d", "the pad value is of shape [1]", "value"),
            AXIS,
            {"value": 1, "value_shape": (1,)},
        ),
        (
            ("value_two", "the pad value has two elements", "value"),
            AXIS,
            {"value": 1, "value_shape": (2,)},
        ),
    )
]
# In a model whose shapes and amounts only the run knows.
ALSO_DYNAMIC = (
    "openvino_long_reflect_begin_3_1",
    "openvino_long_symmetric_end_3_12",
    "openvino_negative_begin_edge_1",
    "openvino_empty_reflect_12",
    "openvino_empty_edge_12",
)
AT_RUN = {"dims": "dynamic", "begin_as": "parameter", "end_as": "parameter"}
FORBIDDEN += [
    dataclasses.replace(case, name=f"{case.name}_dynamic", **AT_RUN)
    for case in FORBIDDEN
    if case.name in ALSO_DYNAMIC
]
