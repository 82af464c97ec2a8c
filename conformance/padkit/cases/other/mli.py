"""embARC MLI padding2d: both layouts, both types, and what is forbidden.

SPDX-License-Identifier: MIT
"""

from padkit.problem import Problem

LAYOUTS = {"chw": (0, 1, 2), "hwc": (2, 0, 1)}  # where channels, height and width are
FX = {8: "int8", 16: "int16"}


def case(name, shows, says, layout, bits, sizes, top, bottom, left, right, **more):
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

CASES = (
    [
        case(
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
        case(
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
        case(
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
        case(
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
        case(
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
            shape=shape,
            begin=(1,) * len(shape),
            end=(1,) * len(shape),
            forbidden=f"the image has rank {len(shape)}, not 3",
        )
        for layout in LAYOUTS
        for shape in ((), (3,), (3, 4), (1, 2, 3, 4))
    ]
    + [
        case(
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
        case(
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
        case(
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
        case(
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
        case(
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
        case(
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
