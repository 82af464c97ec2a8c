"""The rule of docs/semantics.md without the limits of a document: both orders, interior, all modes.

SPDX-License-Identifier: MIT
"""

from padkit.cases.other.openvino import FLOAT_BITS, amounts_word
from padkit.problem import Problem

MODES = ["constant", "edge", "reflect", "symmetric", "wrap"]
ORDERS = ["window", "crop"]


def case(name, shows, says, **more):
    return Problem(name=f"plain_{name}", shows=shows, says=tuple(says), document="plain", **more)


PAIRS = [(2, 3), (9, 0), (0, 11), (-1, 0), (-1, 3), (4, -2), (-2, 7), (8, -3)]
ONE_AXIS = (
    [
        case(
            f"axis_{mode}_{order}_4_{amounts_word((begin, end))}",
            f"an axis of 4 by {begin} and {end}, mode {mode}, {order} order",
            ["plain.order" if begin * end < 0 else "plain.mode"],
            mode=mode,
            order=order,
            shape=(4,),
            begin=(begin,),
            end=(end,),
        )
        for mode in MODES
        for order in ORDERS
        for begin, end in PAIRS
        if order == "window" or begin * end < 0
    ]
    + [
        case(
            f"one_{mode}_{order}",
            f"an extent of 1, mode {mode}, {order} order",
            ["plain.mode"],
            mode=mode,
            order=order,
            shape=(1,),
            begin=(3,),
            end=(2,),
        )
        for mode in MODES
        for order in ORDERS
    ]
    + [
        case(
            f"left_one_{mode}",
            f"the crop leaves one element to repeat, mode {mode}",
            ["plain.order"],
            mode=mode,
            order="crop",
            shape=(3,),
            begin=(-2,),
            end=(4,),
        )
        for mode in MODES
    ]
)

GAPS = [
    case(
        f"gaps_{mode}_{order}_{amounts_word((gap, begin, end))}",
        f"{gap} between neighbours, {begin} before, {end} behind, mode {mode}, {order} order",
        ["plain.interior"] + (["plain.order"] if begin * end < 0 else []),
        mode=mode,
        order=order,
        shape=(3,),
        begin=(begin,),
        end=(end,),
        interior=(gap,),
        value=9,
    )
    for mode in MODES
    for order in ORDERS
    for gap, begin, end in ((1, 2, 2), (2, -2, 5), (1, 9, -1), (2, -1, -3))
    if order == "window" or begin * end < 0
]

SEVERAL = (
    [
        case(
            f"modes_{first}_{second}",
            f"mode {first} on the first axis, {second} on the second",
            ["plain.modes"],
            mode=(first, second),
            shape=(3, 2),
            begin=(1, 2),
            end=(2, 1),
            value=9,
        )
        for first in MODES
        for second in MODES
        if first != second
    ]
    + [
        case(
            "modes_three",
            "three axes of different modes, with gaps on one",
            ["plain.modes", "plain.interior"],
            mode=("wrap", "constant", "reflect"),
            shape=(2, 3, 2),
            begin=(1, -1, 2),
            end=(0, 1, 1),
            interior=(0, 1, 0),
            value=9,
        ),
        case(
            "modes_crop",
            "two axes of different modes and both signs, crop order",
            ["plain.modes", "plain.order"],
            mode=("wrap", "reflect"),
            order="crop",
            shape=(4, 5),
            begin=(-1, 3),
            end=(3, -2),
        ),
    ]
    + [
        case(
            f"image_{mode}",
            f"an image, mode {mode}",
            ["plain.mode"],
            mode=mode,
            type="uint8",
            shape=(5, 6, 3),
            begin=(2, 3, 0),
            end=(1, 2, 0),
        )
        for mode in MODES
    ]
    + [
        case(
            f"scalar_{mode}",
            f"a scalar is copied, mode {mode}",
            ["plain.scalar"],
            mode=mode,
            shape=(),
            begin=(),
            end=(),
        )
        for mode in ("constant", "wrap")
    ]
    + [
        case(
            f"empty_result_{mode}",
            f"an empty output asks for nothing, mode {mode}",
            ["plain.empty"],
            mode=mode,
            shape=(0, 2),
            begin=(0, 1),
            end=(0, 1),
        )
        for mode in MODES
    ]
    + [
        case(
            "empty_grows",
            "an empty axis is padded with the value",
            ["plain.empty"],
            shape=(0, 2),
            begin=(1, 0),
            end=(1, 1),
            value=9,
        ),
        case(
            "beyond_window",
            "a cut beyond the axis, window order",
            ["plain.order"],
            mode="reflect",
            shape=(3,),
            begin=(-5,),
            end=(6,),
        ),
        case(
            "beyond_constant",
            "a cut beyond the axis, mode constant",
            ["plain.mode"],
            shape=(3,),
            begin=(-5,),
            end=(6,),
            value=9,
        ),
        case(
            "six_axes",
            "six axes",
            ["plain.modes"],
            shape=(1, 2, 1, 2, 1, 2),
            mode="symmetric",
            begin=(1, 0, 0, 1, 0, 2),
            end=(0, 1, 2, -1, 0, 0),
        ),
    ]
)

TYPES = [
    case(
        f"type_{word}_{mode}",
        f"elements of {word}, mode {mode}",
        ["plain.elements"],
        mode=mode,
        type=word,
        shape=(2, 3),
        begin=(0, 1),
        end=(1, 2),
        value=1 if mode == "constant" else None,
    )
    for word in (
        "bool",
        "uint8",
        "int16",
        "int32",
        "int64",
        "float16",
        "float",
        "double",
        "complex64",
        "int4",
        "uint2",
    )
    for mode in ("constant", "wrap")
] + [
    case(
        f"bits_{word}",
        f"every bit of {word} arrives: NaNs, -0, infinities",
        ["plain.elements"],
        mode="symmetric",
        type=word,
        shape=(7,),
        cells=cells,
        begin=(2,),
        end=(9,),
        nan_payloads=True,
    )
    for word, cells in FLOAT_BITS.items()
]


def forbidden(name, reason, sentence, **more):
    return case(
        name,
        reason,
        [sentence],
        forbidden=reason,
        **({"shape": (3, 3), "begin": (1, 1), "end": (1, 1)} | more),
    )


FORBIDDEN = (
    [
        forbidden(
            f"nothing_{mode}", f"{mode} of an empty axis", "plain.empty", mode=mode, shape=(0, 3)
        )
        for mode in MODES[1:]
    ]
    + [
        forbidden(
            f"nothing_left_{mode}",
            f"the crop leaves nothing that {mode} could repeat",
            "plain.order",
            mode=mode,
            order="crop",
            begin=(-3, 0),
            end=(2, 0),
        )
        for mode in MODES[1:]
    ]
    + [
        forbidden(
            f"negative_{mode}",
            f"an output extent of -1, mode {mode}",
            "plain.negative",
            mode=mode,
            begin=(-2, 0),
            end=(-2, 0),
        )
        for mode in MODES
    ]
    + [
        forbidden(
            "negative_gaps",
            "an output extent of -1 with interior cells",
            "plain.negative",
            begin=(-4, 0),
            end=(-4, 0),
            interior=(2, 0),
        ),
        forbidden("interior_negative", "interior below 0", "plain.interior", interior=(0, -1)),
        forbidden("count_begin", "one amount on rank 2", "plain.modes", begin=(1,)),
        forbidden("count_end", "three amounts on rank 2", "plain.modes", end=(1, 1, 1)),
        forbidden(
            "count_modes", "three modes on rank 2", "plain.modes", mode=("edge", "edge", "edge")
        ),
        forbidden(
            "amount_too_large", "an amount beyond 2^61 - 1", "plain.limits", begin=(1 << 61, 0)
        ),
        forbidden(
            "output_too_large",
            "more elements than 64 bits count",
            "plain.limits",
            begin=(1 << 60, 1 << 60),
        ),
    ]
)

CASES = [*ONE_AXIS, *GAPS, *SEVERAL, *TYPES, *FORBIDDEN]
