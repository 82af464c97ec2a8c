"""Examples, one axis systematically, data as models have it, shapes, and the same few pads at every
opset.

SPDX-License-Identifier: MIT
"""

import itertools

from kit import elements
from kit.case import Case
from kit.cases.common import MODES, OPSETS, VERSIONS, answered, case, modes_of, number, types_of
from kit.cases.types import value_of

DATA = tuple(elements.cell_of(x, "float") for x in (1.0, 1.2, 2.3, 3.4, 4.5, 5.7))
EXAMPLE_PADS = {"constant": (0, 2, 0, 0), "reflect": (0, 2, 0, 0), "edge": (0, 2, 0, 0)}
EXAMPLE_PADS["wrap"] = (2, 1, 1, 1)


def example(mode, opset):
    return Case(
        name=f"example_{mode}_{opset}",
        shows=f"the example of mode {mode}, at opset {opset}",
        says=(f"onnx.example.{mode}", f"onnx.{mode}"),
        opset=opset,
        shape=(3, 2),
        cells=DATA,
        pads=EXAMPLE_PADS[mode],
        mode=mode,
    )


EXAMPLES = [
    example(mode, opset)
    for mode in EXAMPLE_PADS
    for opset in VERSIONS
    if mode != "wrap" or opset >= 19
]


def amounts(n):
    """What is asked of an axis of n elements, (begin, end): the places where readings differ."""
    return [
        (0, 0),
        # A few cells; then as many as reflect has without a bounce, as the axis is long, and more.
        (1, 0),
        (0, 1),
        (1, 1),
        (n - 1, n - 1),
        (n, 0),
        (0, n),
        (n + 1, 0),
        (0, n + 1),
        (2 * n + 1, 0),
        (0, 2 * n + 2),
        (7, 6),
        # Cuts; then of everything.
        (-1, 0),
        (0, -1),
        (-1, -1),
        (-n, 0),
        (0, -n),
        # A cut at one side, cells at the other: few, many, more than the axis is long.
        (-1, 1),
        (1, -1),
        (-1, 2),
        (2, -1),
        (-2, 3),
        (3, -2),
        (-1, n + 2),
        (n + 2, -1),
        # One element is left, nothing is left, and the cut goes beyond the axis.
        (1 - n, 3),
        (3, 1 - n),
        (-n, 2),
        (2, -n),
        (-n - 1, n + 2),
        (n + 2, -n - 1),
        (-n - 1, 1),
    ]


def amounts_of_a_place(n):
    """Enough to see axes mixed up, or a row taken for another."""
    return [(1, 1), (n + 1, 0), (7, 6), (-1, 0), (0, -1), (-1, 2), (2, -1)]


PLACES = {  # (the shape around an axis of n, which axis it is)
    "outer": (lambda n: (n, 2), 0),
    "middle": (lambda n: (2, n, 3), 1),
    "inner": (lambda n: (2, n), 1),
}


def words(begin, end):
    """The amounts in words."""
    told = [
        f"{'adds' if amount > 0 else 'cuts'} {abs(amount)} at the {side}"
        for side, amount in (("beginning", begin), ("end", end))
        if amount
    ]
    return " and ".join(told) or "adds nothing"


def on_one_axis():
    """Every mode and extent with all amounts, each pair of amounts once."""
    for mode in MODES:
        for n in range(6):
            for pair in dict.fromkeys(amounts(n)):
                begin, end = pair
                if answered([n], [begin], [end], mode):
                    yield case(
                        f"axis_{mode}_n{n}_b{number(begin)}_e{number(end)}",
                        f"{mode} on an axis of {n} {words(begin, end)}",
                        [n],
                        pair,
                        mode,
                    )


def on_each_place():
    """The axis lies outside of another one, inside of it, or between two."""
    for mode in MODES:
        for place, (shape_of, axis) in PLACES.items():
            for n in (1, 4):
                for pair in amounts_of_a_place(n):
                    shape = shape_of(n)
                    begin, end = (
                        [amount * (k == axis) for k in range(len(shape))] for amount in pair
                    )
                    if answered(shape, begin, end, mode):
                        yield case(
                            f"{place}_{mode}_n{n}_b{number(pair[0])}_e{number(pair[1])}",
                            f"{mode} on the {place} axis of {list(shape)} {words(*pair)}",
                            shape,
                            begin + end,
                            mode,
                        )


ONE_AXIS = [*on_one_axis(), *on_each_place()]


REAL = {  # name: (what it shows, shape, pads)
    "image_1": ("a frame of 1 around an image, NCHW", (1, 3, 8, 6), (0, 0, 1, 1, 0, 0, 1, 1)),
    "image_3": ("a frame of 3 around an image, NCHW", (1, 3, 7, 8), (0, 0, 3, 3, 0, 0, 3, 3)),
    "image_same": (
        "TensorFlow's SAME: one more at the end",
        (1, 3, 7, 8),
        (0, 0, 0, 0, 0, 0, 1, 1),
    ),
    "image_tall": ("only above and below", (1, 2, 4, 9), (0, 0, 2, 0, 0, 0, 2, 0)),
    "image_wide": ("only left and right", (1, 2, 9, 4), (0, 0, 0, 2, 0, 0, 0, 2)),
    "image_larger": ("a frame as large as the image", (1, 2, 3, 3), (0, 0, 3, 3, 0, 0, 3, 3)),
    "image_crop": (
        "an image is cropped by 1 at all sides",
        (1, 3, 6, 7),
        (0, 0, -1, -1, 0, 0, -1, -1),
    ),
    "image_shift": ("an image moves by one pixel", (1, 2, 4, 5), (0, 0, 1, -1, 0, 0, -1, 1)),
    "image_batch": ("a frame of 1, four images", (4, 1, 5, 5), (0, 0, 1, 1, 0, 0, 1, 1)),
    "nhwc_1": ("a frame of 1 around an image, NHWC", (1, 6, 5, 3), (0, 1, 1, 0, 0, 1, 1, 0)),
    "nhwc_2": ("a frame of 2 around an image, NHWC", (2, 3, 4, 3), (0, 2, 2, 0, 0, 2, 2, 0)),
    "hwc": ("a frame of 1 around an image without a batch", (5, 6, 3), (1, 1, 0, 1, 1, 0)),
    "channels_end": ("channels are added at the end", (1, 3, 4, 4), (0, 0, 0, 0, 0, 1, 0, 0)),
    "channels_both": ("channels are added at both ends", (1, 4, 3, 3), (0, 1, 0, 0, 0, 2, 0, 0)),
    "channels_last": ("3 channels become 4, NHWC", (1, 4, 4, 3), (0, 0, 0, 0, 0, 0, 0, 1)),
    "batch": ("a batch is filled up", (3, 2, 4), (0, 0, 0, 1, 0, 0)),
    "sequence_end": ("a sequence is filled up at the end", (1, 13, 8), (0, 0, 0, 0, 3, 0)),
    "sequence_begin": ("a sequence is filled up at the beginning", (1, 13, 8), (0, 3, 0, 0, 0, 0)),
    "sequence_shift": ("a causal shift by one token", (2, 7, 4), (0, 1, 0, 0, -1, 0)),
    "tokens": ("a class token's row in front", (1, 16, 6), (0, 1, 0, 0, 0, 0)),
    "features": ("features are filled up to 16", (5, 13), (0, 0, 0, 3)),
    "audio": ("a signal before a filter", (1, 1, 16), (0, 0, 7, 0, 0, 7)),
    "audio_causal": ("a signal before a causal filter", (1, 2, 16), (0, 0, 6, 0, 0, 0)),
    "volume": ("a frame of 1 around a volume", (1, 1, 3, 4, 3), (0, 0, 1, 1, 1, 0, 0, 1, 1, 1)),
    "volume_uneven": (
        "other amounts at each side of a volume",
        (1, 1, 2, 3, 4),
        (0, 0, 0, 1, 2, 0, 0, 1, 2, 0),
    ),
    "window": ("an image up to a multiple of the window", (1, 5, 6, 4), (0, 0, 0, 0, 0, 2, 1, 0)),
    "attention": (
        "a row and a column of an attention bias",
        (1, 2, 4, 4),
        (0, 0, 1, 1, 0, 0, 0, 0),
    ),
}
TWO_AXES = ((1, 1), (4, 0), (0, -1), (-1, 2), (2, -1))


def real():
    for mode in MODES:
        for name, (what, shape, pads) in REAL.items():
            yield case(f"{name}_{mode}", f"{mode}: {what}", shape, pads, mode)
    yield case(
        "image_value",
        "a frame of white around an image",
        (1, 3, 4, 5),
        (0, 0, 2, 2, 0, 0, 2, 2),
        type="uint8",
        value=255,
    )
    yield case(
        "attention_minus_infinity",
        "a bias is filled with -infinity",
        (1, 2, 3, 3),
        (0, 0, 0, 0, 0, 0, 0, 2),
        value=float("-inf"),
    )
    yield case(
        "tokens_padding_number",
        "token numbers are filled with the number of padding",
        (2, 5),
        (0, 0, 0, 3),
        type="int64",
        value=50257,
    )
    yield case(
        "mask_false", "a mask is filled with False", (1, 6), (0, 0, 0, 2), type="bool", value=False
    )


def two_axes():
    """Each pair of amounts on the rows with each on the columns."""
    for mode in MODES:
        for rows, columns in itertools.product(TWO_AXES, TWO_AXES):
            begin, end = zip(rows, columns)
            if rows == columns or not answered((3, 4), begin, end, mode):
                continue
            name = "_".join(map(number, (*rows, *columns)))
            yield case(
                f"two_axes_{mode}_{name}",
                f"{mode}: {rows} at the ends of the rows' axis, {columns} of the columns'",
                (3, 4),
                begin + end,
                mode,
            )


MODELS = [*real(), *two_axes()]


BY_RANK = {
    1: (5,),
    2: (2, 3),
    3: (2, 3, 2),
    4: (1, 2, 3, 2),
    5: (1, 2, 1, 3, 2),
    6: (2, 1, 2, 1, 2, 3),
}
EMPTY = {  # name: (what it shows, shape, pads)
    "kept": ("an empty axis stays empty", (0, 3), (0, 1, 0, 2)),
    "outer_filled": ("an empty outer axis becomes filled", (0, 3), (1, 0, 1, 0)),
    "inner_filled": ("an empty inner axis becomes filled", (2, 0), (0, 2, 0, 1)),
    "all_filled": ("the only axis is empty and becomes filled", (0,), (2, 1)),
    "both": ("two empty axes, of which one becomes filled", (0, 0), (1, 0, 0, 0)),
    "untouched": ("nothing is added to empty data", (2, 0, 3), (0, 0, 0, 0, 0, 0)),
    "shifted": ("an amount and its negative on an empty axis", (0, 2), (-1, 0, 1, 1)),
    "middle": ("an empty axis between others", (2, 0, 2), (1, 0, 0, 0, 0, 1)),
    "cut_begin": ("a cut leaves no row", (3, 2), (-3, 0, 0, 0)),
    "cut_end": ("a cut leaves no column", (2, 3), (0, 0, 0, -3)),
    "cut_both": ("cuts at both sides meet", (4,), (-2, -2)),
    "cut_and_grow": ("no row is left, but columns are added", (2, 3), (-1, 1, -1, 2)),
    "cut_then_filled": (
        "all is cut at the beginning and some is added at the end",
        (2, 2),
        (-2, 0, 3, 0),
    ),
}

TOLD = {  # what the graph says of its data
    "known": "the declared extents are numbers",
    "symbolic": "the declared extents are names",
    "batch symbolic": "the declared extent of the batch is a name",
    "nameless": "the declared extents are neither numbers nor names",
    "rank unknown": "not even the rank is known",
    "constant data": "the data is an initializer",
}


def ranks():
    for mode in MODES:
        yield case(f"rank0_{mode}", f"{mode} of a scalar", (), (), mode)
        for rank, shape in BY_RANK.items():
            rest = (0,) * (rank - 1)
            for name, told, pads in (
                ("all", f"{mode}: 1 at both ends of all {rank} axes", (1,) * 2 * rank),
                ("last", f"{mode} on the last of {rank} axes", (*rest, 2, *rest, 1)),
                ("first", f"{mode} on the first of {rank} axes", (1, *rest, 2, *rest)),
                ("none", f"{mode} of rank {rank} with pads of 0 only", (0,) * 2 * rank),
                ("cut", f"{mode}: a cut on the last of {rank} axes", (*rest, -1, *rest, 0)),
            ):
                yield case(f"rank{rank}_{mode}_{name}", told, shape, pads, mode)
    yield case("rank0_value", "a scalar with a value, which nothing uses", (), (), value=3.0)
    yield case("rank0_axes", "a scalar with no axes", (), (), axes=())
    yield case("rank0_int64", "a scalar of int64", (), (), type="int64")
    yield case("rank0_pads_input", "a scalar; pads are an input", (), (), pads_as="input")


def empties():
    for mode in MODES:
        for name, (what, shape, pads) in EMPTY.items():
            rank = len(shape)
            if not answered(shape, pads[:rank], pads[rank:], mode):
                continue
            yield case(f"empty_{name}_{mode}", f"{mode}: {what}", shape, pads, mode)
            yield case(
                f"empty_{name}_{mode}_symbolic",
                f"{mode}: {what}; its extents are symbolic",
                shape,
                pads,
                mode,
                dims="symbolic",
            )
            if mode == "constant":
                yield case(f"empty_{name}_value", f"{what}, with a value", shape, pads, value=9.0)
        if answered((0, 3), (0, 1), (0, 2), mode):
            yield case(
                f"empty_kept_{mode}_pads_input",
                f"{mode}: an empty axis stays empty; pads are an input",
                (0, 3),
                (0, 1, 0, 2),
                mode,
                pads_as="input",
            )
    yield case(
        "empty_string",
        "an empty tensor of strings becomes filled",
        (0, 2),
        (1, 0, 1, 0),
        type="string",
        value=b"v",
    )


def ones():
    """Extents of 1, among others."""
    for mode in MODES:
        for name, shape in (
            ("only", (1,)),
            ("outer", (1, 3)),
            ("inner", (3, 1)),
            ("all", (1, 1, 1)),
            ("channel", (1, 1, 3, 3)),
        ):
            ones, rest = (1,) * len(shape), (0,) * (len(shape) - 1)
            told = f"{mode}: 1 at both ends of all axes of {list(shape)}"
            yield case(f"one_{name}_{mode}", told, shape, ones + ones, mode)
            told = f"{mode}: many cells on an axis of {list(shape)}"
            yield case(f"one_{name}_{mode}_long", told, shape, (3, *rest, 4, *rest), mode)


def declared():
    """The graph says less of its data than numbers, or more."""
    for kind, told in TOLD.items():
        name = f"dims_{kind.replace(' ', '_')}"
        for mode in MODES:
            for ending, shows, shape, pads in (
                ("", f"{mode}; {told}", (2, 3, 4), (0, 1, 2, 0, 1, 3)),
                ("_cut", f"{mode} cuts and adds; {told}", (3, 4), (-1, 2, 1, -1)),
                ("_long", f"{mode}, long; {told}", (3, 2), (5, 0, 4, 1)),
            ):
                yield case(f"{name}_{mode}{ending}", shows, shape, pads, mode, dims=kind)
            shows, more = f"{mode}; {told}; pads are an input", {"dims": kind, "pads_as": "input"}
            yield case(f"{name}_{mode}_pads_input", shows, (2, 3), (0, 1, 1, 1), mode, **more)
        shows, more = f"{told}; the value is an input", {"value": 2.5, "value_as": "input"}
        yield case(f"{name}_value_input", shows, (2, 3), (0, 1, 2, 0), dims=kind, **more)
        more = {"dims": kind, "type": "int64"}
        yield case(f"{name}_int64", f"int64; {told}", (2, 3), (0, 1, 2, 0), "edge", **more)


SHAPES = [*ranks(), *empties(), *ones(), *declared()]


KINDS = {  # name: (what it shows, shape, pads)
    "image": ("a frame of 1 around an image", (1, 2, 3, 4), (0, 0, 1, 1, 0, 0, 1, 1)),
    "uneven": ("other amounts at each side", (2, 3), (1, 0, 2, 3)),
    "cut": ("cuts at both sides", (4, 5), (-1, 0, 0, -2)),
    "mixed": ("a cut at one side, cells at the other", (5,), (-2, 2)),
    "long": ("more cells than the axis has", (3,), (4, 5)),
}
BETWEEN = ("image", "mixed")  # are enough at an opset that does not start a version


def at_every_opset():
    for opset in OPSETS:
        for mode in modes_of(opset):
            for kind, (what, shape, pads) in KINDS.items():
                if opset not in VERSIONS and kind not in BETWEEN:
                    continue
                told = f"{mode} at opset {opset}: {what}"
                yield case(f"opset{opset}_{mode}_{kind}", told, shape, pads, mode, opset)
        pads = (0, 1, 1, 0)
        told = f"no mode at opset {opset}: it is constant"
        yield case(f"opset{opset}_mode_absent", told, (2, 3), pads, None, opset)
        name, told = f"opset{opset}_value", f"a value at opset {opset}"
        yield case(name, told, (2, 3), pads, "constant", opset, value=2.5)
        told, says = f"mode edge does not use the value, opset {opset}", ("onnx.value",)
        yield case(f"{name}_unused", told, (2, 3), pads, "edge", opset, says, value=2.5)
        if opset >= 18:
            name, told, pads = f"opset{opset}_axes", f"axes at opset {opset}", (1, 2, 0, 1)
            yield case(name, told, (2, 3, 2), pads, "constant", opset, axes=(2, 0))


def types_at_every_version():
    for opset in VERSIONS:
        for word in types_of(opset):
            name, told = f"opset{opset}_{word}", f"{word} at opset {opset}"
            says, pads = ("onnx.types",), (0, 1, 0, 2)
            value = None if opset < 11 else value_of(word)
            yield case(name, told, (2, 3), pads, "constant", opset, says, type=word, value=value)


AT_OPSETS = [*at_every_opset(), *types_at_every_version()]
CASES = [*EXAMPLES, *ONE_AXIS, *MODELS, *SHAPES, *AT_OPSETS]
