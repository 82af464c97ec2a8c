"""nGraph Pad: signed amounts outside, interior padding between neighbours, and what is forbidden.

SPDX-License-Identifier: MIT
"""

from kit.case import Problem, sizes
from kit.cases.openvino import amounts_word

MODES = ["constant", "edge", "reflect", "symmetric"]
DECIDED = {
    None: None,
    "edge": "ngraph modes",
    "reflect": "ngraph modes",
    "symmetric": "ngraph symmetric",
    "constant": None,
}


def case(name, shows, says, **more):
    mode = more.get("mode", "constant")
    interior = any(more.get("interior") or ())
    says = [*says, "ngraph.constant" if mode == "constant" else "ngraph.mode"]
    if mode != "constant":
        more.setdefault("decided", "ngraph interior" if interior else DECIDED[mode])
    return Problem(
        name=f"ngraph_{name}",
        shows=shows,
        says=tuple(says),
        document="ngraph",
        **({"value": 42} | more),
    )


EXAMPLE = [
    case(
        "example",
        "the document's example: 3 x 3 becomes 7 x 9",
        ["ngraph.example"],
        cells=tuple(range(1, 10)),
        interior=(1, 2),
        **sizes((3, 3), (1, 2), (1, 0)),
    ),
]

EXTERIOR = [
    case(
        f"axis_{mode}_{extent}_{amounts_word((begin, end))}",
        f"an axis of {extent} by {begin} below and {end} above, mode {mode}",
        ["ngraph.exterior"] + (["ngraph.negative"] if min(begin, end) < 0 else []),
        mode=mode,
        **sizes((extent,), (begin,), (end,)),
    )
    for mode in MODES
    for extent in (1, 2, 4)
    for begin, end in ((0, 0), (2, 1), (0, 9), (11, 0), (-1, 0), (-1, 3), (5, -2), (-3, 6), (8, -5))
    if extent + begin + end >= 0 and not (mode == "reflect" and extent < 2 and max(begin, end) > 0)
]

GAPS = [
    case(
        f"gaps_{mode}_{extent}_{amounts_word((gap, begin, end))}",
        f"{gap} between neighbours of {extent}, {begin} below, {end} above, mode {mode}",
        ["ngraph.interior", "ngraph.shape"] + (["ngraph.negative"] if min(begin, end) < 0 else []),
        mode=mode,
        interior=(gap,),
        **sizes((extent,), (begin,), (end,)),
    )
    for mode in MODES
    for extent, gap, begin, end in (
        (1, 3, 1, 1),
        (2, 1, 0, 0),
        (3, 2, 0, 0),
        (3, 1, 2, 1),
        (3, 2, -1, 0),
        (3, 2, -2, -1),
        (3, 1, -1, 4),
        (4, 1, 7, -3),
        (2, 4, -2, -2),
        (3, 2, 9, 8),
        (4, 1, -5, 2),
    )
    if not (mode == "reflect" and extent < 2 and max(begin, end) > 0)
]

SHAPES = (
    [
        case(
            "rows_and_gaps",
            "crops that begin inside a gap, and gaps on both axes",
            ["ngraph.interior", "ngraph.negative"],
            cells=(1, 2, 3, 4, 5, 6),
            interior=(2, 1),
            value=9,
            **sizes((2, 3), (1, -2), (2, -1)),
        ),
        case(
            "no_interior",
            "no interior padding is given",
            ["ngraph.exterior"],
            **sizes((2, 3), (1, 0), (0, 2)),
        ),
        case(
            "zero_interior",
            "interior padding of 0",
            ["ngraph.interior"],
            interior=(0, 0),
            **sizes((2, 3), (1, 0), (0, 2)),
        ),
        case(
            "all_cropped",
            "what is left lies in the padding alone",
            ["ngraph.negative"],
            **sizes((6,), (4,), (-7,)),
        ),
        case(
            "empty_axis",
            "an empty axis has no gaps",
            ["ngraph.shape"],
            interior=(2, 1, 0, 0),
            **sizes((2, 0, 3, 2), (1, 0, 0, 0), (0, 2, 0, 0)),
        ),
        case(
            "empty_only_gaps",
            "an empty axis with interior padding stays empty",
            ["ngraph.shape"],
            interior=(5,),
            **sizes((0,), (0,), (0,)),
        ),
        case(
            "empty_result",
            "the amounts cut everything off",
            ["ngraph.shape"],
            **sizes((3,), (-2,), (-1,)),
        ),
        case(
            "empty_result_gaps",
            "the amounts cut everything off, with gaps",
            ["ngraph.shape"],
            interior=(2,),
            **sizes((3,), (-4,), (-3,)),
        ),
        case(
            "shift",
            "the shape stays, the elements move",
            ["ngraph.negative"],
            **sizes((4,), (1,), (-1,)),
        ),
    ]
    + [
        case(
            f"scalar_{mode}",
            f"a scalar is copied, mode {mode}",
            ["ngraph.exterior"],
            mode=mode,
            decided="rank 0",
            **sizes((), (), ()),
        )
        for mode in MODES
    ]
    + [
        case(
            f"image_{mode}",
            f"an image, mode {mode}",
            ["ngraph.exterior"],
            mode=mode,
            **sizes((1, 2, 4, 5), (0, 0, 1, 2), (0, 0, 2, 1)),
        )
        for mode in MODES
    ]
    + [
        case(
            f"image_gaps_{mode}",
            f"an image with gaps, as for a transposed convolution, mode {mode}",
            ["ngraph.interior"],
            mode=mode,
            interior=(0, 0, 1, 1),
            **sizes((1, 2, 3, 4), (0, 0, 2, 1), (0, 0, 1, 2)),
        )
        for mode in MODES
    ]
    + [
        case(
            f"mixed_{mode}",
            f"both signs on both axes, mode {mode}",
            ["ngraph.negative"],
            mode=mode,
            **sizes((3, 4), (2, -1), (-1, 3)),
        )
        for mode in MODES
    ]
    + [
        case(
            "five_axes",
            "five axes",
            ["ngraph.interior"],
            interior=(0, 1, 1, 0, 2),
            **sizes((2, 1, 3, 1, 2), (1, 0, 0, -1, 1), (0, 2, -1, 2, 0)),
        ),
    ]
)

TYPES = [
    case(
        f"type_{word}_{mode}",
        f"elements of {word}, mode {mode}",
        ["ngraph.types"],
        mode=mode,
        type=word,
        interior=(1, 0),
        value=1,
        **sizes((2, 3), (0, 1), (1, 2)),
    )
    for word in (
        "bool",
        "int8",
        "int16",
        "int32",
        "int64",
        "uint8",
        "uint16",
        "uint32",
        "uint64",
        "float16",
        "bfloat16",
        "float",
        "double",
        "complex64",
        "float8e4m3fn",
        "int4",
        "uint4",
        "uint2",
    )
    for mode in ("constant", "symmetric")
] + [
    case(
        "value_minus_zero",
        "the pad value is -0.0",
        ["ngraph.value"],
        type="float",
        interior=(1,),
        value=-0.0,
        **sizes((2,), (1,), (1,)),
    ),
    case(
        "value_infinity",
        "the pad value is infinite",
        ["ngraph.value"],
        type="double",
        value=float("inf"),
        **sizes((2,), (1,), (1,)),
    ),
    case(
        "value_u64",
        "the pad value is the largest u64",
        ["ngraph.value"],
        type="uint64",
        value=(1 << 64) - 1,
        **sizes((2,), (1,), (1,)),
    ),
    case(
        "nan_payloads",
        "NaNs arrive with their payloads",
        ["ngraph.types"],
        type="float",
        mode="edge",
        cells=(0x7F800001, 0x80000000, 0xFFC54321),
        value=0,
        nan_payloads=True,
        **sizes((3,), (2,), (2,)),
    ),
]


def forbidden(name, reason, sentence, **more):
    return Problem(
        name=f"ngraph_{name}",
        shows=reason,
        says=(sentence,),
        document="ngraph",
        forbidden=reason,
        **({"shape": (3, 3), "begin": (1, 1), "end": (1, 1), "value": 42} | more),
    )


FORBIDDEN = (
    [
        forbidden("no_value", "arg_pad_value is required", "ngraph.value", value=None),
        forbidden(
            "no_value_edge",
            "arg_pad_value is required in mode EDGE too",
            "ngraph.value",
            value=None,
            mode="edge",
        ),
        forbidden("mode_wrap", "there is no mode WRAP", "ngraph.mode", mode="wrap"),
        forbidden("count_below", "one amount below on rank 2", "ngraph.exterior", begin=(1,)),
        forbidden("count_above", "three amounts above on rank 2", "ngraph.exterior", end=(1, 1, 1)),
        forbidden(
            "count_interior", "one interior padding on rank 2", "ngraph.interior", interior=(1,)
        ),
        forbidden(
            "count_scalar",
            "one amount on rank 0",
            "ngraph.exterior",
            **sizes((), (1,), (1,)),
        ),
        forbidden(
            "interior_negative", "interior padding below 0", "ngraph.interior", interior=(0, -1)
        ),
        forbidden(
            "reflect_one",
            "REFLECT of one element",
            "ngraph.mode",
            mode="reflect",
            shape=(1, 3),
            decided="ngraph too few",
        ),
        forbidden(
            "reflect_one_inner",
            "REFLECT of one element on the last axis",
            "ngraph.mode",
            mode="reflect",
            shape=(3, 1),
            decided="ngraph too few",
        ),
        forbidden(
            "reflect_one_gaps",
            "REFLECT of one element with interior padding",
            "ngraph.mode",
            mode="reflect",
            shape=(3, 1),
            interior=(1, 3),
            decided="ngraph too few",
        ),
        forbidden(
            "strings", "strings have no fixed width", "ngraph.types", type="string", value=b"a"
        ),
    ]
    + [
        forbidden(
            f"nothing_{mode}",
            f"{mode.upper()} of an empty axis",
            "ngraph.mode",
            mode=mode,
            shape=(0, 3),
            decided="ngraph too few",
        )
        for mode in ("edge", "reflect", "symmetric")
    ]
    + [
        forbidden(
            f"negative_{mode}",
            f"an output extent of -1, mode {mode.upper()}",
            "ngraph.shape",
            mode=mode,
            begin=(-2, 0),
            end=(-2, 0),
            decided="negative output",
        )
        for mode in MODES
    ]
    + [
        forbidden(
            "negative_gaps",
            "an output extent of -1 with interior padding",
            "ngraph.shape",
            begin=(-4, 0),
            end=(-4, 0),
            interior=(2, 0),
            decided="negative output",
        ),
        forbidden(
            "negative_empty",
            "an output extent of -1 on an empty axis",
            "ngraph.shape",
            decided="negative output",
            **sizes((0, 3), (-1, 0), (0, 0)),
        ),
    ]
)

CASES = [*EXAMPLE, *EXTERIOR, *GAPS, *SHAPES, *TYPES, *FORBIDDEN]
