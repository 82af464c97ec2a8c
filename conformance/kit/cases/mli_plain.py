"""embARC MLI padding2d, and the rule of docs/semantics.md without the limits of a document.

SPDX-License-Identifier: MIT
"""

from kit.case import Problem, amounts_word, families
from kit.cases.openvino import FLOAT_BITS

LAYOUTS = {"chw": (0, 1, 2), "hwc": (2, 0, 1)}  # where channels, height and width are
FX = {8: "int8", 16: "int16"}
SIDES = {  # top, bottom, left, right
    "none": (0, 0, 0, 0),
    "top": (2, 0, 0, 0),
    "bottom": (0, 3, 0, 0),
    "left": (0, 0, 1, 0),
    "right": (0, 0, 0, 4),
    "rows": (1, 2, 0, 0),
    "columns": (0, 0, 2, 1),
    "all": (1, 1, 1, 1),
    "four": (1, 2, 3, 4),
    "corner": (2, 0, 0, 1),
    "most_rows": (255, 254, 0, 0),
    "most_columns": (0, 0, 254, 255),
}
SIZES = {  # channels, height, width
    "one": (1, 1, 1),
    "row": (3, 1, 4),
    "column": (2, 5, 1),
    "wide": (1, 3, 17),
    "many": (16, 2, 3),
    "square": (3, 8, 8),
}
EXTREMES = {8: (0x80, 0x7F, 0xFF, 0x01, 0x81, 0x7E), 16: (0x8000, 0x7FFF, 0xFFFF, 1, 0x8001, 256)}


def mli(name, shows, says, sizes, sides, bits=(8, 16), **more):
    """The cases of both layouts. sizes: channels, height, width; sides: top, bottom, left, right."""
    top, bottom, left, right = sides
    for layout, places in LAYOUTS.items():
        kinds = {"shape": sizes, "begin": (0, top, left), "end": (0, bottom, right)}
        given = {
            name: tuple(of[places.index(axis)] for axis in range(3)) for name, of in kinds.items()
        }
        for width in bits:
            words = {"layout": layout, "bits": width}
            words = {key: of(words) if callable(of) else of for key, of in more.items()}
            yield Problem(
                name=f"mli_{name}_{layout}_fx{width}",
                shows=shows,
                says=(f"mli.{says}",),
                document=f"mli-{layout}",
                **{"type": FX[width], **given, **words},
            )


def mli_forbidden(name, shows, says, reason, sizes=(1, 2, 3), sides=(1, 1, 1, 1), **more):
    return mli(name, shows, says, sizes, sides, (8,), forbidden=reason, **more)


def by_layout(families):
    """Cases of several families, those of a layout together."""
    cases = [case for family in families for case in family]
    return [case for layout in LAYOUTS for case in cases if case.document == f"mli-{layout}"]


IMAGE = "the document's image: 2 rows on top, one column at the right"
MLI = [
    *mli("example", IMAGE, "example", (2, 4, 8), (2, 0, 0, 1)),
    *(
        case
        for name, sides in SIDES.items()
        for case in mli(
            f"sides_{name}",
            f"padding of top, bottom, left, right: {sides}",
            *("sides", (2, 3, 4), sides),
        )
    ),
    *(
        case
        for name, sizes in SIZES.items()
        for side in ("rows", "columns", "four")
        for case in mli(
            f"sizes_{name}_{side}",
            f"channels, height, width {sizes}, padding {SIDES[side]}",
            *("sizes", sizes, SIDES[side]),
        )
    ),
    *mli(
        "extremes",
        "the largest and smallest numbers stay as they are, the border is raw 0",
        *("zero", (1, 2, 3), (1, 1, 1, 1)),
        cells=lambda of: EXTREMES[of["bits"]],
    ),
    *by_layout(
        mli_forbidden(
            f"rank_{rank}",
            f"rank {rank}",
            *("rank", f"the image has rank {rank}, not 3"),
            **{"shape": shape, "begin": (1,) * rank, "end": (1,) * rank},
        )
        for rank, shape in ((0, ()), (1, (3,)), (2, (3, 4)), (4, (1, 2, 3, 4)))
    ),
    *by_layout(
        mli_forbidden(f"type_{word}", f"elements of {word}", "types", reason, type=word)
        for word in ("uint8", "int32", "float", "bool")
        for reason in [f"{word} is neither fx8 nor fx16"]
    ),
    *by_layout(
        mli_forbidden(
            f"empty_{k}",
            f"an axis of extent 0: {sizes}",
            "empty",
            f"the image is empty: channels, height, width {sizes}",
            sizes,
            decided="mli empty",
        )
        for k, sizes in enumerate(((0, 2, 3), (2, 0, 3), (2, 3, 0)))
    ),
    *by_layout(
        mli_forbidden(
            f"amount_{name}",
            f"an amount of {sides}",
            "amounts",
            f"{sides} does not fit four uint8_t",
            sides=sides,
        )
        for name, sides in (
            *(("negative", (0, -1, 0, 0)), ("large", (0, 0, 256, 0)), ("crop", (-1, 1, 0, 0))),
        )
    ),
    *mli_forbidden(
        "channels",
        "padding of the channels",
        *("channels", "the channels get no padding"),
        sides=(0, 0, 0, 0),
        begin=lambda of: tuple(int(axis == LAYOUTS[of["layout"]][0]) for axis in range(3)),
    ),
    *by_layout(
        mli_forbidden(f"mode_{mode}", f"mode {mode}", "zero", reason, mode=mode)
        for mode in ("edge", "reflect")
        for reason in [f"the border is zero, not {mode}"]
    ),
    *mli_forbidden("value", "a border of 1", "zero", "the border is zero, not 1", value=1),
]


MODES = ["constant", "edge", "reflect", "symmetric", "wrap"]
ORDERS = ["window", "crop"]


def plain(*rows, forbidden=False):
    """Cases of the plain rule. What a forbidden case shows is the reason."""
    for given in families(Problem, rows):
        says = tuple(f"plain.{sentence}" for sentence in given["says"])
        given |= {"name": f"plain_{given['name']}", "says": says}
        given |= {"forbidden": given["shows"]} if forbidden else {}
        yield Problem(document="plain", **given)


PAIRS = [(2, 3), (9, 0), (0, 11), (-1, 0), (-1, 3), (4, -2), (-2, 7), (8, -3)]
WITH_GAPS = ((1, 2, 2), (2, -2, 5), (1, 9, -1), (2, -1, -3))  # gap, begin, end


def in_orders(amounts):
    """(mode, order, amounts), in crop order only where one side cuts and the other one adds."""
    return [
        (mode, order, each)
        for mode in MODES
        for order in ORDERS
        for each in amounts
        if order == "window" or each[-2] * each[-1] < 0
    ]


ONE_AXIS = plain(
    *(
        (
            (
                f"axis_{mode}_{order}_4_{amounts_word((begin, end))}",
                f"an axis of 4 by {begin} and {end}, mode {mode}, {order} order",
                "order" if begin * end < 0 else "mode",
            ),
            ((4,), (begin,), (end,)),
            {"mode": mode, "order": order},
        )
        for mode, order, (begin, end) in in_orders(PAIRS)
    ),
    (
        ("one_{mode}_{order}", "an extent of 1, mode {mode}, {order} order", "mode"),
        ((1,), (3,), (2,)),
        {"mode": MODES, "order": ORDERS},
    ),
    (
        ("left_one_{mode}", "the crop leaves one element to repeat, mode {mode}", "order"),
        ((3,), (-2,), (4,)),
        {"mode": MODES, "order": "crop"},
    ),
    *(
        (
            (
                f"gaps_{mode}_{order}_{amounts_word((gap, begin, end))}",
                f"{gap} between neighbours, {begin} before, {end} behind, "
                f"mode {mode}, {order} order",
                "interior" + " order" * (begin * end < 0),
            ),
            ((3,), (begin,), (end,)),
            {"mode": mode, "order": order, "interior": (gap,), "value": 9},
        )
        for mode, order, (gap, begin, end) in in_orders(WITH_GAPS)
    ),
)

TWO_MODES = [
    {"mode": (first, second), "first": first, "second": second}
    for first in MODES
    for second in MODES
    if first != second
]
SEVERAL = plain(
    (
        (
            "modes_{first}_{second}",
            "mode {first} on the first axis, {second} on the second",
            "modes",
        ),
        ((3, 2), (1, 2), (2, 1)),
        {"of": TWO_MODES, "value": 9},
    ),
    (
        ("modes_three", "three axes of different modes, with gaps on one", "modes interior"),
        ((2, 3, 2), (1, -1, 2), (0, 1, 1)),
        {"mode": ("wrap", "constant", "reflect"), "interior": (0, 1, 0), "value": 9},
    ),
    (
        ("modes_crop", "two axes of different modes and both signs, crop order", "modes order"),
        ((4, 5), (-1, 3), (3, -2)),
        {"mode": ("wrap", "reflect"), "order": "crop"},
    ),
    (
        ("image_{mode}", "an image, mode {mode}", "mode"),
        ((5, 6, 3), (2, 3, 0), (1, 2, 0)),
        {"mode": MODES, "type": "uint8"},
    ),
    (
        ("scalar_{mode}", "a scalar is copied, mode {mode}", "scalar"),
        ((), (), ()),
        {"mode": ["constant", "wrap"]},
    ),
    (
        ("empty_result_{mode}", "an empty output asks for nothing, mode {mode}", "empty"),
        ((0, 2), (0, 1), (0, 1)),
        {"mode": MODES},
    ),
    (
        ("empty_grows", "an empty axis is padded with the value", "empty"),
        ((0, 2), (1, 0), (1, 1)),
        {"value": 9},
    ),
    (
        ("beyond_window", "a cut beyond the axis, window order", "order"),
        ((3,), (-5,), (6,)),
        {"mode": "reflect"},
    ),
    (
        ("beyond_constant", "a cut beyond the axis, mode constant", "mode"),
        ((3,), (-5,), (6,)),
        {"value": 9},
    ),
    (
        ("six_axes", "six axes", "modes"),
        ((1, 2, 1, 2, 1, 2), (1, 0, 0, 1, 0, 2), (0, 1, 2, -1, 0, 0)),
        {"mode": "symmetric"},
    ),
)

WORDS = ("bool", "uint8", "int16", "int32", "int64", "float16", "float", "double", "complex64")
TYPES = plain(
    (
        ("type_{type}_{mode}", "elements of {type}, mode {mode}", "elements"),
        ((2, 3), (0, 1), (1, 2)),
        {"type": [*WORDS, "int4", "uint2"], "mode": ["constant", "wrap"]}
        | {"value": lambda of: 1 if of["mode"] == "constant" else None},
    ),
    (
        ("bits_{type}", "every bit of {type} arrives: NaNs, -0, infinities", "elements"),
        ((7,), (2,), (9,)),
        {"mode": "symmetric", "type": [*FLOAT_BITS], "nan_payloads": True}
        | {"cells": lambda of: FLOAT_BITS[of["type"]]},
    ),
)

SQUARE = ((3, 3), (1, 1), (1, 1))
FORBIDDEN = plain(
    (
        ("nothing_{mode}", "{mode} of an empty axis", "empty"),
        ((0, 3), (1, 1), (1, 1)),
        {"mode": MODES[1:]},
    ),
    (
        ("nothing_left_{mode}", "the crop leaves nothing that {mode} could repeat", "order"),
        ((3, 3), (-3, 0), (2, 0)),
        {"mode": MODES[1:], "order": "crop"},
    ),
    (
        ("negative_{mode}", "an output extent of -1, mode {mode}", "negative"),
        ((3, 3), (-2, 0), (-2, 0)),
        {"mode": MODES},
    ),
    (
        ("negative_gaps", "an output extent of -1 with interior cells", "negative"),
        ((3, 3), (-4, 0), (-4, 0)),
        {"interior": (2, 0)},
    ),
    (("interior_negative", "interior below 0", "interior"), SQUARE, {"interior": (0, -1)}),
    (("count_begin", "one amount on rank 2", "modes"), ((3, 3), (1,), (1, 1)), {}),
    (("count_end", "three amounts on rank 2", "modes"), ((3, 3), (1, 1), (1, 1, 1)), {}),
    (("count_modes", "three modes on rank 2", "modes"), SQUARE, {"mode": ("edge", "edge", "edge")}),
    (
        ("amount_too_large", "an amount beyond 2^61 - 1", "limits"),
        ((3, 3), (1 << 61, 0), (1, 1)),
        {},
    ),
    (
        ("output_too_large", "more elements than 64 bits count", "limits"),
        ((3, 3), (1 << 60, 1 << 60), (1, 1)),
        {},
    ),
    forbidden=True,
)

PLAIN = [*ONE_AXIS, *SEVERAL, *TYPES, *FORBIDDEN]
