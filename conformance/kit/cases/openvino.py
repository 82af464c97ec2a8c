"""OpenVINO Pad-1 and Pad-12: examples, modes, amounts, types, ranks, empty axes; the ways in which
amounts, value and data reach the layer; and what is forbidden.

SPDX-License-Identifier: MIT
"""

import dataclasses

from kit.case import amounts_word, families
from kit.ir_model import NAMES, IrCase

MODES = ["constant", "edge", "reflect", "symmetric"]
BOTH = [1, 12]  # the versions
NUMBERS = tuple(range(1, 13))


def cases(*rows):
    """Cases of Pad-1 and Pad-12. Each comes from the sentence of its mode, too."""
    for given in families(IrCase, rows):
        opset, mode = given.setdefault("opset", 12), given.setdefault("mode", "constant")
        says = tuple(f"openvino.{sentence}" for sentence in (*given["says"], mode))
        given |= {"name": f"openvino_{given['name']}_{opset}", "says": says}
        yield IrCase(document=f"openvino-{opset}", **given)


def named(words):
    """Types, with the names that OpenVINO has for them."""
    return [{"type": word, "name_of": NAMES[word]} for word in words]


EXAMPLES = cases(
    (
        ("example_{mode}", "the document's example of mode {mode}", "example"),
        ((3, 4), (0, 1), (2, 3)),
        {"opset": BOTH, "mode": MODES, "cells": NUMBERS},
    ),
    (
        ("example_layer_{mode}", "the document's layer of four axes, mode {mode}", "example.layer"),
        ((1, 3, 32, 40), (0, 5, 2, 1), (1, 0, 3, 7)),
        {
            "of": [{"opset": 1, "mode": "constant", "value": 15}, {"opset": 12, "mode": "edge"}],
            "type": "uint8",
        },
    ),
    (
        (
            "example_negative_{mode}",
            "one element cut off each side, mode {mode}",
            "example.negative",
        ),
        ((3, 4), (-1, -1), (-1, -1)),
        {"mode": MODES, "cells": NUMBERS},
    ),
    (
        ("example_mixed_{mode}", "both signs on each axis, mode {mode}", "example.mixed"),
        ((3, 4), (2, -1), (-1, 3)),
        {"mode": MODES, "cells": NUMBERS},
    ),
)


def fits(mode, extent, begin, end):
    """Whether the document allows these amounts on an axis of at least one element."""
    most = {"reflect": extent - 1, "symmetric": extent}.get(mode, 7)
    return max(begin, end) <= most


PAIRS = (
    *((0, 0), (1, 0), (0, 2), (2, 1), (3, 3), (4, 0), (0, 7), (-1, 0), (0, -2), (-1, -1)),
    *((1, -1), (-1, 2), (-2, 3), (3, -2), (-4, 4), (4, -5), (-3, 0), (-6, 7)),
)


def one_axis(opset, mode, extent, pair):
    begin, end = pair
    sentences = ["output"] + [f"{mode}.limit"] * (mode in ("reflect", "symmetric"))
    sentences += ["negative"] * (min(pair) < 0) + ["window"] * (begin * end < 0)
    return (
        (
            f"axis_{mode}_{extent}_{amounts_word(pair)}",
            f"an axis of {extent} by {begin} and {end}, mode {mode}",
            " ".join(sentences),
        ),
        ((extent,), (begin,), (end,)),
        {"opset": opset, "mode": mode},
    )


ONE_AXIS = cases(
    *(
        one_axis(opset, mode, extent, pair)
        for opset in BOTH
        for mode in MODES
        for extent in (1, 2, 5)
        for pair in PAIRS
        if fits(mode, extent, *pair)
        and extent + sum(pair) >= 0
        and (opset == 12 or min(pair) >= 0 and extent != 2)
    )
)

SHAPES = [  # shape, begin, end
    ((4, 3), (1, 0), (0, 2)),
    ((4, 3), (-1, 2), (2, -1)),
    ((2, 3, 4), (0, 1, 2), (1, 0, 2)),
    ((1, 3, 5, 6), (0, 0, 1, 1), (0, 0, 1, 1)),
    ((1, 5, 6, 3), (0, 2, 2, 0), (0, 2, 2, 0)),
    ((1, 5, 6, 3), (0, -1, 1, 0), (0, 2, -2, 0)),
    ((2, 1, 2, 3, 2), (1, 0, 0, 2, 0), (0, 0, 1, 2, 1)),
    ((2, 2, 1, 2, 2, 2), (0, 1, 0, 0, 1, 0), (1, 0, 0, -1, 0, 1)),
    ((1, 2, 2, 1, 2, 1, 3), (0, 1, 0, 0, 0, 0, 2), (0, 0, 1, 0, 1, 0, 1)),
]
RANKS = cases(
    *(
        ((f"shape_{k}_{mode}", f"rank {len(of[0])}, mode {mode}", "rank"), of, given)
        for k, of in enumerate(SHAPES)
        for mode in MODES
        for given in [{"mode": mode, "type": "float"}]
        if all(fits(mode, *axis) for axis in zip(*of))
    ),
    *(
        (
            ("scalar_{mode}", "a scalar is copied, mode {mode}", "rank"),
            ((), (), ()),
            {"opset": opset, "mode": modes, "decided": "rank 0"},
        )
        for opset, modes in ((1, ["constant", "reflect"]), (12, ["constant", "edge"]))
    ),
)


def number(word):
    """A pad value that the type holds exactly, and that is not 0."""
    if word in ("bool", "float8e8m0"):
        return 1
    if word.startswith("uint"):
        return 3
    return -2 if word.startswith("int") else 1.5


TYPES = cases(
    (
        ("type_{name_of}_{mode}", "elements of {name_of}, mode {mode}", "types"),
        ((2, 3), (0, 1), (1, 2)),
        {
            "of": [
                {**words, "opset": 1 if k % 2 else 12}
                for k, words in enumerate(named(word for word in NAMES if word != "string"))
            ],
            "mode": ["constant", "reflect"],
            "value": lambda of: number(of["type"]) if of["mode"] == "constant" else None,
            "decided": lambda of: "openvino boolean" if of["type"] == "bool" else None,
        },
    ),
    (
        ("zero_{name_of}", "{name_of} without a value: the padding is 0", "value.absent"),
        ((3,), (1,), (2,)),
        {
            "of": named(NAMES),
            "decided": lambda of: "zero of float8e8m0" if of["type"] == "float8e8m0" else None,
        },
    ),
)

FLOAT_BITS = {  # NaNs with a payload and a sign, -0.0, both infinities, denormals
    "float16": (0x7C01, 0xFE55, 0x8000, 0x7C00, 0xFC00, 0x0001, 0x83FF),
    "bfloat16": (0x7F81, 0xFFD5, 0x8000, 0x7F80, 0xFF80, 0x0001, 0x807F),
    "float": (0x7F800001, 0xFFC54321, 0x80000000, 0x7F800000, 0xFF800000, 1, 0x807FFFFF),
    "double": (
        *(0x7FF0000000000001, 0xFFF8765432101234, 1 << 63, 0x7FF0000000000000),
        *(0xFFF0000000000000, 1, 0x800FFFFFFFFFFFFF),
    ),
    "float8e4m3fn": (0x7F, 0xFF, 0x80, 0x7E, 0xFE, 0x01, 0x87),
    "float8e5m2": (0x7D, 0xFF, 0x80, 0x7C, 0xFC, 0x01, 0x83),
}
DIGITS = {
    "int32": (0x7FFFFFFF, 0x80000001, 16777217),
    "uint32": (0xFFFFFFFF, 0x80000001, 16777217),
    "int64": (0x7FFFFFFFFFFFFFFF, 0x8000000000000001, (1 << 40) + 5),
    "uint64": (0xFFFFFFFFFFFFFFFF, 0x8000000000000001, (1 << 40) + 5),
    "double": (0x3FB999999999999A, 0x400921FB54442D18, 0x7FE1CCF385EBC8A0),
}
VALUES = (  # name, what it is, type, value
    ("minus_zero", "-0.0", "float", -0.0),
    ("infinity", "minus infinity", "float", float("-inf")),
    ("i32", "an i32 that float32 cannot hold", "int32", 16777217),
    ("u32", "the largest u32", "uint32", 4294967295),
    ("i64", "an i64 beyond 53 bits", "int64", (1 << 60) + 1),
    ("u64", "the largest u64", "uint64", (1 << 64) - 1),
    ("f64", "an f64 that float32 cannot hold", "double", 0.1),
    ("f16", "the largest f16", "float16", 65504.0),
    ("u8", "the largest u8", "uint8", 255),
    ("i8", "the smallest i8", "int8", -128),
)
BITS = cases(
    (
        ("bits_{name_of}_{mode}", "every bit of {name_of} arrives: NaNs, -0, infinities", "moved"),
        ((7,), (2,), (3,)),
        {"of": named(FLOAT_BITS), "mode": ["edge", "symmetric"], "nan_payloads": True}
        | {"cells": lambda of: FLOAT_BITS[of["type"]]},
    ),
    (
        ("digits_{name_of}_{mode}", "{name_of} with more digits than float32 holds", "moved"),
        ((3,), (1,), (1,)),
        {"of": named(DIGITS), "mode": ["constant", "edge"]}
        | {"cells": lambda of: DIGITS[of["type"]]},
    ),
    *(
        ((f"value_{name}", f"the pad value is {what}", "value"), ((2,), (1,), (1,)), given)
        for name, what, word, value in VALUES
        for given in [{"type": word, "value": value}]
    ),
)

STRINGS = cases(
    (
        ("string_value", "strings and a pad value", "string"),
        ((2,), (1,), (1,)),
        {"type": "string", "cells": (b"a", "\u00e9".encode()), "value": b"zz"},
    ),
    (
        ("string_empty", "empty strings among others", "string"),
        ((2, 2), (0, 1), (1, 0)),
        {"type": "string", "cells": (b"", b"one", b"", b"two"), "value": b"pad"},
    ),
    (
        ("string_crop", "strings that are cut off", "string"),
        ((4,), (-1,), (2,)),
        {"type": "string", "cells": (b"a", b"b", b"c", b"d"), "value": b"end"},
    ),
)

EMPTY = cases(
    (
        ("empty_grows", "an empty axis is padded with the value", "constant"),
        ((2, 0), (0, 1), (1, 2)),
        {"opset": BOTH, "value": 7},
    ),
    (("empty_only", "an empty axis grows by the value", "value"), ((0,), (2,), (1,)), {"value": 7}),
    (
        ("empty_stays_{mode}", "another axis is empty, mode {mode}", "output"),
        ((0, 3), (0, 1), (0, 2)),
        {"opset": BOTH, "mode": ["constant", "edge", "symmetric"], "decided": "openvino empty"},
    ),
    (
        ("none_left_{mode}", "the amounts cut everything off, mode {mode}", "output"),
        ((3, 2), (-1, 0), (-2, 1)),
        {"mode": MODES},
    ),
    (
        ("below_zero_{mode}", "an extent that would be negative is 0, mode {mode}", "output.least"),
        ((3, 2), (-4, 0), (-2, 1)),
        {"mode": MODES},
    ),
    (
        (
            "below_zero_mixed",
            "an extent that would be negative is 0, though one side is padded",
            "output.least",
        ),
        ((3,), (-5,), (1,)),
        {},
    ),
    (
        ("beyond_{mode}", "one side is cut by more than the axis is long, mode {mode}", "window"),
        ((3, 3), (-4, 0), (2, 1)),
        {"mode": MODES},
    ),
    (
        ("beyond_wide_{mode}", "a cut beyond the axis, and more padding behind", "window"),
        ((3, 3), (-4, 0), (6, 1)),
        {"mode": "constant", "value": 7},
    ),
    (
        ("beyond_wide_{mode}", "a cut beyond the axis, and more padding behind", "window"),
        ((3, 3), (6, 0), (-4, 1)),
        {"mode": "edge"},
    ),
)

# ---- Arguments -----------------------------------------------------------------------------------

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


# ---- What is forbidden ---------------------------------------------------------------------------


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

CASES = [*EXAMPLES, *ONE_AXIS, *RANKS, *TYPES, *BITS, *STRINGS, *EMPTY, *ARGUMENTS, *FORBIDDEN]
