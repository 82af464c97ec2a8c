"""OpenVINO Pad-1 and Pad-12: examples, modes, amounts, types, ranks and empty axes.

SPDX-License-Identifier: MIT
"""

from kit.case import sizes
from kit.ir_model import NAMES, IrCase

MODES = ["constant", "edge", "reflect", "symmetric"]
LIMITS = {"reflect": "openvino.reflect.limit", "symmetric": "openvino.symmetric.limit"}
NUMBERS = tuple(range(1, 13))


def case(name, shows, says, version=12, **more):
    """A case of Pad-1 or Pad-12. says: what it shows beside its mode."""
    mode = more.get("mode", "constant")
    return IrCase(
        name=f"openvino_{name}_{version}",
        shows=shows,
        says=(*says, f"openvino.{mode}"),
        document=f"openvino-{version}",
        opset=version,
        **more,
    )


def amounts_word(numbers):
    """Numbers as a part of a name: 2, 0 or m3."""
    return "_".join(str(number).replace("-", "m") for number in numbers)


EXAMPLES = (
    [
        case(
            f"example_{mode}",
            f"the document's example of mode {mode}",
            ["openvino.example"],
            version,
            mode=mode,
            cells=NUMBERS,
            **sizes((3, 4), (0, 1), (2, 3)),
        )
        for version in (1, 12)
        for mode in MODES
    ]
    + [
        case(
            f"example_layer_{mode}",
            f"the document's layer of four axes, mode {mode}",
            ["openvino.example.layer"],
            version,
            mode=mode,
            type="uint8",
            value=15 if mode == "constant" else None,
            **sizes((1, 3, 32, 40), (0, 5, 2, 1), (1, 0, 3, 7)),
        )
        for version, mode in ((1, "constant"), (12, "edge"))
    ]
    + [
        case(
            f"example_negative_{mode}",
            f"one element cut off each side, mode {mode}",
            ["openvino.example.negative"],
            mode=mode,
            cells=NUMBERS,
            **sizes((3, 4), (-1, -1), (-1, -1)),
        )
        for mode in MODES
    ]
    + [
        case(
            f"example_mixed_{mode}",
            f"both signs on each axis, mode {mode}",
            ["openvino.example.mixed"],
            mode=mode,
            cells=NUMBERS,
            **sizes((3, 4), (2, -1), (-1, 3)),
        )
        for mode in MODES
    ]
)


def fits(mode, extent, begin, end):
    """Whether the document allows these amounts on an axis of at least one element."""
    most = {"reflect": extent - 1, "symmetric": extent}.get(mode, 7)
    return max(begin, end) <= most


PAIRS = [
    (0, 0),
    (1, 0),
    (0, 2),
    (2, 1),
    (3, 3),
    (4, 0),
    (0, 7),
    (-1, 0),
    (0, -2),
    (-1, -1),
    (1, -1),
    (-1, 2),
    (-2, 3),
    (3, -2),
    (-4, 4),
    (4, -5),
    (-3, 0),
    (-6, 7),
]
ONE_AXIS = [
    case(
        f"axis_{mode}_{extent}_{amounts_word((begin, end))}",
        f"an axis of {extent} by {begin} and {end}, mode {mode}",
        ["openvino.output"]
        + ([LIMITS[mode]] if mode in LIMITS else [])
        + (["openvino.negative"] if min(begin, end) < 0 else [])
        + (["openvino.window"] if begin * end < 0 else []),
        version,
        mode=mode,
        **sizes((extent,), (begin,), (end,)),
    )
    for version in (1, 12)
    for mode in MODES
    for extent in (1, 2, 5)
    for begin, end in PAIRS
    if fits(mode, extent, begin, end)
    and extent + begin + end >= 0
    and (version == 12 or min(begin, end) >= 0 and extent != 2)
]

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
RANKS = [
    case(
        f"shape_{k}_{mode}",
        f"rank {len(shape)}, mode {mode}",
        ["openvino.rank"],
        mode=mode,
        type="float",
        **sizes(shape, begin, end),
    )
    for k, (shape, begin, end) in enumerate(SHAPES)
    for mode in MODES
    if all(fits(mode, *axis) for axis in zip(shape, begin, end))
] + [
    case(
        f"scalar_{mode}",
        f"a scalar is copied, mode {mode}",
        ["openvino.rank"],
        version,
        mode=mode,
        decided="rank 0",
        **sizes((), (), ()),
    )
    for version, mode in ((1, "constant"), (1, "reflect"), (12, "constant"), (12, "edge"))
]


def number(word):
    """A pad value that the type holds exactly, and that is not 0."""
    if word in ("bool", "float8e8m0"):
        return 1
    if word.startswith("uint"):
        return 3
    return -2 if word.startswith("int") else 1.5


TYPES = [
    case(
        f"type_{NAMES[word]}_{mode}",
        f"elements of {NAMES[word]}, mode {mode}",
        ["openvino.types"],
        1 if k % 2 else 12,
        mode=mode,
        type=word,
        value=number(word) if mode == "constant" else None,
        decided="openvino boolean" if word == "bool" else None,
        **sizes((2, 3), (0, 1), (1, 2)),
    )
    for k, word in enumerate(word for word in NAMES if word != "string")
    for mode in ("constant", "reflect")
] + [
    case(
        f"zero_{NAMES[word]}",
        f"{NAMES[word]} without a value: the padding is 0",
        ["openvino.value.absent"],
        type=word,
        decided="zero of float8e8m0" if word == "float8e8m0" else None,
        **sizes((3,), (1,), (2,)),
    )
    for word in NAMES
]

FLOAT_BITS = {  # NaNs with a payload and a sign, -0.0, both infinities, denormals
    "float16": (0x7C01, 0xFE55, 0x8000, 0x7C00, 0xFC00, 0x0001, 0x83FF),
    "bfloat16": (0x7F81, 0xFFD5, 0x8000, 0x7F80, 0xFF80, 0x0001, 0x807F),
    "float": (0x7F800001, 0xFFC54321, 0x80000000, 0x7F800000, 0xFF800000, 1, 0x807FFFFF),
    "double": (
        0x7FF0000000000001,
        0xFFF8765432101234,
        1 << 63,
        0x7FF0000000000000,
        0xFFF0000000000000,
        1,
        0x800FFFFFFFFFFFFF,
    ),
    "float8e4m3fn": (0x7F, 0xFF, 0x80, 0x7E, 0xFE, 0x01, 0x87),
    "float8e5m2": (0x7D, 0xFF, 0x80, 0x7C, 0xFC, 0x01, 0x83),
}
BITS = (
    [
        case(
            f"bits_{NAMES[word]}_{mode}",
            f"every bit of {NAMES[word]} arrives: NaNs, -0, infinities",
            ["openvino.moved"],
            mode=mode,
            type=word,
            cells=cells,
            nan_payloads=True,
            **sizes((7,), (2,), (3,)),
        )
        for word, cells in FLOAT_BITS.items()
        for mode in ("edge", "symmetric")
    ]
    + [
        case(
            f"digits_{NAMES[word]}_{mode}",
            f"{NAMES[word]} with more digits than float32 holds",
            ["openvino.moved"],
            mode=mode,
            type=word,
            cells=cells,
            **sizes((3,), (1,), (1,)),
        )
        for word, cells in {
            "int32": (0x7FFFFFFF, 0x80000001, 16777217),
            "uint32": (0xFFFFFFFF, 0x80000001, 16777217),
            "int64": (0x7FFFFFFFFFFFFFFF, 0x8000000000000001, (1 << 40) + 5),
            "uint64": (0xFFFFFFFFFFFFFFFF, 0x8000000000000001, (1 << 40) + 5),
            "double": (0x3FB999999999999A, 0x400921FB54442D18, 0x7FE1CCF385EBC8A0),
        }.items()
        for mode in ("constant", "edge")
    ]
    + [
        case(
            f"value_{name}",
            f"the pad value is {shows}",
            ["openvino.value"],
            type=word,
            value=value,
            **sizes((2,), (1,), (1,)),
        )
        for name, shows, word, value in (
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
    ]
)

STRINGS = [
    case(
        f"string_{name}",
        shows,
        ["openvino.string"],
        type="string",
        cells=cells,
        value=value,
        **sizes(shape, begin, end),
    )
    for name, shows, shape, cells, begin, end, value in (
        ("value", "strings and a pad value", (2,), (b"a", "\u00e9".encode()), (1,), (1,), b"zz"),
        (
            "empty",
            "empty strings among others",
            (2, 2),
            (b"", b"one", b"", b"two"),
            (0, 1),
            (1, 0),
            b"pad",
        ),
        ("crop", "strings that are cut off", (4,), (b"a", b"b", b"c", b"d"), (-1,), (2,), b"end"),
    )
]

EMPTY = (
    [
        case(
            "empty_grows",
            "an empty axis is padded with the value",
            ["openvino.constant"],
            version,
            value=7,
            **sizes((2, 0), (0, 1), (1, 2)),
        )
        for version in (1, 12)
    ]
    + [
        case(
            "empty_only",
            "an empty axis grows by the value",
            ["openvino.value"],
            value=7,
            **sizes((0,), (2,), (1,)),
        ),
    ]
    + [
        case(
            f"empty_stays_{mode}",
            f"another axis is empty, mode {mode}",
            ["openvino.output"],
            version,
            mode=mode,
            decided="openvino empty",
            **sizes((0, 3), (0, 1), (0, 2)),
        )
        for version in (1, 12)
        for mode in ("constant", "edge", "symmetric")
    ]
    + [
        case(
            f"none_left_{mode}",
            f"the amounts cut everything off, mode {mode}",
            ["openvino.output"],
            mode=mode,
            **sizes((3, 2), (-1, 0), (-2, 1)),
        )
        for mode in MODES
    ]
    + [
        case(
            f"below_zero_{mode}",
            f"an extent that would be negative is 0, mode {mode}",
            ["openvino.output.least"],
            mode=mode,
            **sizes((3, 2), (-4, 0), (-2, 1)),
        )
        for mode in MODES
    ]
    + [
        case(
            "below_zero_mixed",
            "an extent that would be negative is 0, though one side is padded",
            ["openvino.output.least"],
            **sizes((3,), (-5,), (1,)),
        ),
    ]
    + [
        case(
            f"beyond_{mode}",
            f"one side is cut by more than the axis is long, mode {mode}",
            ["openvino.window"],
            mode=mode,
            **sizes((3, 3), (-4, 0), (2, 1)),
        )
        for mode in ("constant", "edge", "reflect", "symmetric")
    ]
    + [
        case(
            "beyond_wide_constant",
            "a cut beyond the axis, and more padding behind",
            ["openvino.window"],
            value=7,
            **sizes((3, 3), (-4, 0), (6, 1)),
        ),
        case(
            "beyond_wide_edge",
            "a cut beyond the axis, and more padding behind",
            ["openvino.window"],
            mode="edge",
            **sizes((3, 3), (6, 0), (-4, 1)),
        ),
    ]
)

CASES = [*EXAMPLES, *ONE_AXIS, *RANKS, *TYPES, *BITS, *STRINGS, *EMPTY]
