"""embARC MLI padding2d, and the rule of docs/semantics.md without the limits of a document.

SPDX-License-Identifier: MIT
"""

from kit.case import Problem, sizes
from kit.cases.openvino import FLOAT_BITS, amounts_word

LAYOUTS = {"chw": (0, 1, 2), "hwc": (2, 0, 1)}  # where channels, height and width are
FX = {8: "int8", 16: "int16"}


def mli(name, shows, says, layout, bits, sizes, top, bottom, left, right, **more):
    """sizes: channels, height, width."""
    places = LAYOUTS[layout]
    shape, begin, end = [0] * 3, [0] * 3, [0] * 3
    for place, size, before, behind in zip(places, sizes, (0, top, left), (0, bottom, right)):
        shape[place], begin[place], end[place] = size, before, behind
    return Problem(
        name=f"mli_{name}_{layout}_fx{bits}",
        shows=shows,
        says=(says,),
        document=f"mli-{layout}",
        **(
            {"type": FX[bits], "shape": tuple(shape), "begin": tuple(begin), "end": tuple(end)}
            | more
        ),
    )


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
EVERY = [(layout, bits) for layout in LAYOUTS for bits in FX]

MLI = (
    [
        mli(
            "example",
            "the document's image: 2 rows on top, one column at the right",
            "mli.example",
            layout,
            bits,
            (2, 4, 8),
            2,
            0,
            0,
            1,
        )
        for layout, bits in EVERY
    ]
    + [
        mli(
            f"sides_{name}",
            f"padding of top, bottom, left, right: {SIDES[name]}",
            "mli.sides",
            layout,
            bits,
            (2, 3, 4),
            *SIDES[name],
        )
        for name in SIDES
        for layout, bits in EVERY
    ]
    + [
        mli(
            f"sizes_{name}_{side}",
            f"channels, height, width {SIZES[name]}, padding {SIDES[side]}",
            "mli.sizes",
            layout,
            bits,
            SIZES[name],
            *SIDES[side],
        )
        for name in SIZES
        for side in ("rows", "columns", "four")
        for layout, bits in EVERY
    ]
    + [
        mli(
            "extremes",
            "the largest and smallest numbers stay as they are, the border is raw 0",
            "mli.zero",
            layout,
            bits,
            (1, 2, 3),
            1,
            1,
            1,
            1,
            cells=EXTREMES[bits],
        )
        for layout, bits in EVERY
    ]
    + [
        mli(
            f"rank_{len(shape)}",
            f"rank {len(shape)}",
            "mli.rank",
            layout,
            8,
            (1, 1, 1),
            0,
            0,
            0,
            0,
            forbidden=f"the image has rank {len(shape)}, not 3",
            **sizes(shape, (1,) * len(shape), (1,) * len(shape)),
        )
        for layout in LAYOUTS
        for shape in ((), (3,), (3, 4), (1, 2, 3, 4))
    ]
    + [
        mli(
            f"type_{word}",
            f"elements of {word}",
            "mli.types",
            layout,
            8,
            (1, 2, 3),
            1,
            1,
            1,
            1,
            type=word,
            forbidden=f"{word} is neither fx8 nor fx16",
        )
        for layout in LAYOUTS
        for word in ("uint8", "int32", "float", "bool")
    ]
    + [
        mli(
            f"empty_{k}",
            f"an axis of extent 0: {sizes}",
            "mli.empty",
            layout,
            8,
            sizes,
            1,
            1,
            1,
            1,
            forbidden=f"the image is empty: channels, height, width {sizes}",
            decided="mli empty",
        )
        for layout in LAYOUTS
        for k, sizes in enumerate(((0, 2, 3), (2, 0, 3), (2, 3, 0)))
    ]
    + [
        mli(
            f"amount_{name}",
            f"an amount of {amounts}",
            "mli.amounts",
            layout,
            8,
            (1, 2, 3),
            *amounts,
            forbidden=f"{amounts} does not fit four uint8_t",
        )
        for layout in LAYOUTS
        for name, amounts in (
            ("negative", (0, -1, 0, 0)),
            ("large", (0, 0, 256, 0)),
            ("crop", (-1, 1, 0, 0)),
        )
    ]
    + [
        mli(
            "channels",
            "padding of the channels",
            "mli.channels",
            layout,
            8,
            (1, 2, 3),
            0,
            0,
            0,
            0,
            begin=tuple(int(place == LAYOUTS[layout][0]) for place in range(3)),
            forbidden="the channels get no padding",
        )
        for layout in LAYOUTS
    ]
    + [
        mli(
            f"mode_{mode}",
            f"mode {mode}",
            "mli.zero",
            layout,
            8,
            (1, 2, 3),
            1,
            1,
            1,
            1,
            mode=mode,
            forbidden=f"the border is zero, not {mode}",
        )
        for layout in LAYOUTS
        for mode in ("edge", "reflect")
    ]
    + [
        mli(
            "value",
            "a border of 1",
            "mli.zero",
            layout,
            8,
            (1, 2, 3),
            1,
            1,
            1,
            1,
            value=1,
            forbidden="the border is zero, not 1",
        )
        for layout in LAYOUTS
    ]
)


MODES = ["constant", "edge", "reflect", "symmetric", "wrap"]
ORDERS = ["window", "crop"]


def plain(name, shows, says, **more):
    return Problem(name=f"plain_{name}", shows=shows, says=tuple(says), document="plain", **more)


PAIRS = [(2, 3), (9, 0), (0, 11), (-1, 0), (-1, 3), (4, -2), (-2, 7), (8, -3)]
ONE_AXIS = (
    [
        plain(
            f"axis_{mode}_{order}_4_{amounts_word((begin, end))}",
            f"an axis of 4 by {begin} and {end}, mode {mode}, {order} order",
            ["plain.order" if begin * end < 0 else "plain.mode"],
            mode=mode,
            order=order,
            **sizes((4,), (begin,), (end,)),
        )
        for mode in MODES
        for order in ORDERS
        for begin, end in PAIRS
        if order == "window" or begin * end < 0
    ]
    + [
        plain(
            f"one_{mode}_{order}",
            f"an extent of 1, mode {mode}, {order} order",
            ["plain.mode"],
            mode=mode,
            order=order,
            **sizes((1,), (3,), (2,)),
        )
        for mode in MODES
        for order in ORDERS
    ]
    + [
        plain(
            f"left_one_{mode}",
            f"the crop leaves one element to repeat, mode {mode}",
            ["plain.order"],
            mode=mode,
            order="crop",
            **sizes((3,), (-2,), (4,)),
        )
        for mode in MODES
    ]
)

GAPS = [
    plain(
        f"gaps_{mode}_{order}_{amounts_word((gap, begin, end))}",
        f"{gap} between neighbours, {begin} before, {end} behind, mode {mode}, {order} order",
        ["plain.interior"] + (["plain.order"] if begin * end < 0 else []),
        mode=mode,
        order=order,
        interior=(gap,),
        value=9,
        **sizes((3,), (begin,), (end,)),
    )
    for mode in MODES
    for order in ORDERS
    for gap, begin, end in ((1, 2, 2), (2, -2, 5), (1, 9, -1), (2, -1, -3))
    if order == "window" or begin * end < 0
]

SEVERAL = (
    [
        plain(
            f"modes_{first}_{second}",
            f"mode {first} on the first axis, {second} on the second",
            ["plain.modes"],
            mode=(first, second),
            value=9,
            **sizes((3, 2), (1, 2), (2, 1)),
        )
        for first in MODES
        for second in MODES
        if first != second
    ]
    + [
        plain(
            "modes_three",
            "three axes of different modes, with gaps on one",
            ["plain.modes", "plain.interior"],
            mode=("wrap", "constant", "reflect"),
            interior=(0, 1, 0),
            value=9,
            **sizes((2, 3, 2), (1, -1, 2), (0, 1, 1)),
        ),
        plain(
            "modes_crop",
            "two axes of different modes and both signs, crop order",
            ["plain.modes", "plain.order"],
            mode=("wrap", "reflect"),
            order="crop",
            **sizes((4, 5), (-1, 3), (3, -2)),
        ),
    ]
    + [
        plain(
            f"image_{mode}",
            f"an image, mode {mode}",
            ["plain.mode"],
            mode=mode,
            type="uint8",
            **sizes((5, 6, 3), (2, 3, 0), (1, 2, 0)),
        )
        for mode in MODES
    ]
    + [
        plain(
            f"scalar_{mode}",
            f"a scalar is copied, mode {mode}",
            ["plain.scalar"],
            mode=mode,
            **sizes((), (), ()),
        )
        for mode in ("constant", "wrap")
    ]
    + [
        plain(
            f"empty_result_{mode}",
            f"an empty output asks for nothing, mode {mode}",
            ["plain.empty"],
            mode=mode,
            **sizes((0, 2), (0, 1), (0, 1)),
        )
        for mode in MODES
    ]
    + [
        plain(
            "empty_grows",
            "an empty axis is padded with the value",
            ["plain.empty"],
            value=9,
            **sizes((0, 2), (1, 0), (1, 1)),
        ),
        plain(
            "beyond_window",
            "a cut beyond the axis, window order",
            ["plain.order"],
            mode="reflect",
            **sizes((3,), (-5,), (6,)),
        ),
        plain(
            "beyond_constant",
            "a cut beyond the axis, mode constant",
            ["plain.mode"],
            value=9,
            **sizes((3,), (-5,), (6,)),
        ),
        plain(
            "six_axes",
            "six axes",
            ["plain.modes"],
            mode="symmetric",
            **sizes((1, 2, 1, 2, 1, 2), (1, 0, 0, 1, 0, 2), (0, 1, 2, -1, 0, 0)),
        ),
    ]
)

TYPES = [
    plain(
        f"type_{word}_{mode}",
        f"elements of {word}, mode {mode}",
        ["plain.elements"],
        mode=mode,
        type=word,
        value=1 if mode == "constant" else None,
        **sizes((2, 3), (0, 1), (1, 2)),
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
    plain(
        f"bits_{word}",
        f"every bit of {word} arrives: NaNs, -0, infinities",
        ["plain.elements"],
        mode="symmetric",
        type=word,
        cells=cells,
        nan_payloads=True,
        **sizes((7,), (2,), (9,)),
    )
    for word, cells in FLOAT_BITS.items()
]


def forbidden(name, reason, sentence, **more):
    return plain(
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

PLAIN = [*ONE_AXIS, *GAPS, *SEVERAL, *TYPES, *FORBIDDEN]
