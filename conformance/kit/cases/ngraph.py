"""nGraph Pad: signed amounts outside, interior padding between neighbours, and what is forbidden.

SPDX-License-Identifier: MIT
"""

from kit.case import Problem, amounts_word, families

MODES = ["constant", "edge", "reflect", "symmetric"]
DECIDED = {"edge": "ngraph modes", "reflect": "ngraph modes", "symmetric": "ngraph symmetric"}


def cases(*rows):
    """Cases that come from the sentence of their mode, too. The pad value is 42 if not said."""
    for given in families(Problem, rows):
        mode = given.setdefault("mode", "constant")
        if mode != "constant":
            gaps = any(given.get("interior") or ())
            given.setdefault("decided", "ngraph interior" if gaps else DECIDED[mode])
        says = (*given["says"], "constant" if mode == "constant" else "mode")
        given |= {
            "name": f"ngraph_{given['name']}",
            "says": tuple(f"ngraph.{sentence}" for sentence in says),
        }
        yield Problem(document="ngraph", **{"value": 42, **given})


def one_axis(name, shows, says, mode, extent, begin, end, **more):
    """A row for one axis: none where reflect has one element to mirror, or nothing is left."""
    says += " negative" * (min(begin, end) < 0)
    if not (mode == "reflect" and extent < 2 and max(begin, end) > 0):
        yield (name, shows, says), ((extent,), (begin,), (end,)), {"mode": mode, **more}


PAIRS = ((0, 0), (2, 1), (0, 9), (11, 0), (-1, 0), (-1, 3), (5, -2), (-3, 6), (8, -5))
EXTERIOR = cases(
    (
        ("example", "the document's example: 3 x 3 becomes 7 x 9", "example"),
        ((3, 3), (1, 2), (1, 0)),
        {"cells": tuple(range(1, 10)), "interior": (1, 2)},
    ),
    *(
        row
        for mode in MODES
        for extent in (1, 2, 4)
        for begin, end in PAIRS
        if extent + begin + end >= 0
        for row in one_axis(
            f"axis_{mode}_{extent}_{amounts_word((begin, end))}",
            f"an axis of {extent} by {begin} below and {end} above, mode {mode}",
            *("exterior", mode, extent, begin, end),
        )
    ),
)

# extent, gap, begin, end
WITH_GAPS = (
    *((1, 3, 1, 1), (2, 1, 0, 0), (3, 2, 0, 0), (3, 1, 2, 1), (3, 2, -1, 0), (3, 2, -2, -1)),
    *((3, 1, -1, 4), (4, 1, 7, -3), (2, 4, -2, -2), (3, 2, 9, 8), (4, 1, -5, 2)),
)
GAPS = cases(
    *(
        row
        for mode in MODES
        for extent, gap, begin, end in WITH_GAPS
        for row in one_axis(
            f"gaps_{mode}_{extent}_{amounts_word((gap, begin, end))}",
            f"{gap} between neighbours of {extent}, {begin} below, {end} above, mode {mode}",
            *("interior shape", mode, extent, begin, end),
            interior=(gap,),
        )
    )
)

SHAPES = cases(
    (
        (
            "rows_and_gaps",
            "crops that begin inside a gap, and gaps on both axes",
            "interior negative",
        ),
        ((2, 3), (1, -2), (2, -1)),
        {"cells": (1, 2, 3, 4, 5, 6), "interior": (2, 1), "value": 9},
    ),
    (("no_interior", "no interior padding is given", "exterior"), ((2, 3), (1, 0), (0, 2)), {}),
    (
        ("zero_interior", "interior padding of 0", "interior"),
        ((2, 3), (1, 0), (0, 2)),
        {"interior": (0, 0)},
    ),
    (
        ("all_cropped", "what is left lies in the padding alone", "negative"),
        ((6,), (4,), (-7,)),
        {},
    ),
    (
        ("empty_axis", "an empty axis has no gaps", "shape"),
        ((2, 0, 3, 2), (1, 0, 0, 0), (0, 2, 0, 0)),
        {"interior": (2, 1, 0, 0)},
    ),
    (
        ("empty_only_gaps", "an empty axis with interior padding stays empty", "shape"),
        ((0,), (0,), (0,)),
        {"interior": (5,)},
    ),
    (("empty_result", "the amounts cut everything off", "shape"), ((3,), (-2,), (-1,)), {}),
    (
        ("empty_result_gaps", "the amounts cut everything off, with gaps", "shape"),
        ((3,), (-4,), (-3,)),
        {"interior": (2,)},
    ),
    (("shift", "the shape stays, the elements move", "negative"), ((4,), (1,), (-1,)), {}),
    (
        ("scalar_{mode}", "a scalar is copied, mode {mode}", "exterior"),
        ((), (), ()),
        {"mode": MODES, "decided": "rank 0"},
    ),
    (
        ("image_{mode}", "an image, mode {mode}", "exterior"),
        ((1, 2, 4, 5), (0, 0, 1, 2), (0, 0, 2, 1)),
        {"mode": MODES},
    ),
    (
        (
            "image_gaps_{mode}",
            "an image with gaps, as for a transposed convolution, mode {mode}",
            "interior",
        ),
        ((1, 2, 3, 4), (0, 0, 2, 1), (0, 0, 1, 2)),
        {"mode": MODES, "interior": (0, 0, 1, 1)},
    ),
    (
        ("mixed_{mode}", "both signs on both axes, mode {mode}", "negative"),
        ((3, 4), (2, -1), (-1, 3)),
        {"mode": MODES},
    ),
    (
        ("five_axes", "five axes", "interior"),
        ((2, 1, 3, 1, 2), (1, 0, 0, -1, 1), (0, 2, -1, 2, 0)),
        {"interior": (0, 1, 1, 0, 2)},
    ),
)

TYPES = cases(
    (
        ("type_{type}_{mode}", "elements of {type}, mode {mode}", "types"),
        ((2, 3), (0, 1), (1, 2)),
        {
            "type": [
                *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
                *("float16", "bfloat16", "float", "double", "complex64", "float8e4m3fn"),
                *("int4", "uint4", "uint2"),
            ],
            "mode": ["constant", "symmetric"],
            "interior": (1, 0),
            "value": 1,
        },
    ),
    (
        ("value_minus_zero", "the pad value is -0.0", "value"),
        ((2,), (1,), (1,)),
        {"type": "float", "interior": (1,), "value": -0.0},
    ),
    (
        ("value_infinity", "the pad value is infinite", "value"),
        ((2,), (1,), (1,)),
        {"type": "double", "value": float("inf")},
    ),
    (
        ("value_u64", "the pad value is the largest u64", "value"),
        ((2,), (1,), (1,)),
        {"type": "uint64", "value": (1 << 64) - 1},
    ),
    (
        ("nan_payloads", "NaNs arrive with their payloads", "types"),
        ((3,), (2,), (2,)),
        {"type": "float", "mode": "edge", "cells": (0x7F800001, 0x80000000, 0xFFC54321)}
        | {"value": 0, "nan_payloads": True},
    ),
)


def forbidden(*rows):
    """Forbidden cases; what a case shows is the reason."""
    for given in families(Problem, rows):
        says = tuple(f"ngraph.{sentence}" for sentence in given["says"])
        given |= {"name": f"ngraph_{given['name']}", "says": says, "forbidden": given["shows"]}
        yield Problem(document="ngraph", **{"value": 42, **given})


SQUARE = ((3, 3), (1, 1), (1, 1))
FEW, NEGATIVE = {"decided": "ngraph too few"}, {"decided": "negative output"}


def upper(*modes):
    return [{"mode": mode, "MODE": mode.upper()} for mode in modes]


FORBIDDEN = forbidden(
    (("no_value", "arg_pad_value is required", "value"), SQUARE, {"value": None}),
    (
        ("no_value_edge", "arg_pad_value is required in mode EDGE too", "value"),
        SQUARE,
        {"value": None, "mode": "edge"},
    ),
    (("mode_wrap", "there is no mode WRAP", "mode"), SQUARE, {"mode": "wrap"}),
    (("count_below", "one amount below on rank 2", "exterior"), ((3, 3), (1,), (1, 1)), {}),
    (("count_above", "three amounts above on rank 2", "exterior"), ((3, 3), (1, 1), (1,) * 3), {}),
    (("count_interior", "one interior padding on rank 2", "interior"), SQUARE, {"interior": (1,)}),
    (("count_scalar", "one amount on rank 0", "exterior"), ((), (1,), (1,)), {}),
    (("interior_negative", "interior padding below 0", "interior"), SQUARE, {"interior": (0, -1)}),
    (
        ("reflect_one", "REFLECT of one element", "mode"),
        ((1, 3), (1, 1), (1, 1)),
        {"mode": "reflect"} | FEW,
    ),
    (
        ("reflect_one_inner", "REFLECT of one element on the last axis", "mode"),
        ((3, 1), (1, 1), (1, 1)),
        {"mode": "reflect"} | FEW,
    ),
    (
        ("reflect_one_gaps", "REFLECT of one element with interior padding", "mode"),
        ((3, 1), (1, 1), (1, 1)),
        {"mode": "reflect", "interior": (1, 3)} | FEW,
    ),
    (
        ("strings", "strings have no fixed width", "types"),
        SQUARE,
        {"type": "string", "value": b"a"},
    ),
    (
        ("nothing_{mode}", "{MODE} of an empty axis", "mode"),
        ((0, 3), (1, 1), (1, 1)),
        {"of": upper("edge", "reflect", "symmetric")} | FEW,
    ),
    (
        ("negative_{mode}", "an output extent of -1, mode {MODE}", "shape"),
        ((3, 3), (-2, 0), (-2, 0)),
        {"of": upper(*MODES)} | NEGATIVE,
    ),
    (
        ("negative_gaps", "an output extent of -1 with interior padding", "shape"),
        ((3, 3), (-4, 0), (-4, 0)),
        {"interior": (2, 0)} | NEGATIVE,
    ),
    (
        ("negative_empty", "an output extent of -1 on an empty axis", "shape"),
        ((0, 3), (-1, 0), (0, 0)),
        NEGATIVE,
    ),
)

CASES = [*EXTERIOR, *GAPS, *SHAPES, *TYPES, *FORBIDDEN]
