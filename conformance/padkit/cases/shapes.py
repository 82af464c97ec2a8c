"""Ranks, extents of 0 and 1, outputs without elements, and declared shapes that say less.

SPDX-License-Identifier: MIT
"""

from padkit.cases.common import MODES, answered, case

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
        "all is cut at the begin and some is added at the end",
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
            ones = (1,) * 2 * rank
            yield case(
                f"rank{rank}_{mode}_all",
                f"{mode}: 1 at both ends of all {rank} axes",
                shape,
                ones,
                mode,
            )
            last = (0,) * (rank - 1) + (2,) + (0,) * (rank - 1) + (1,)
            yield case(
                f"rank{rank}_{mode}_last", f"{mode} on the last of {rank} axes", shape, last, mode
            )
            first = (1,) + (0,) * (rank - 1) + (2,) + (0,) * (rank - 1)
            yield case(
                f"rank{rank}_{mode}_first",
                f"{mode} on the first of {rank} axes",
                shape,
                first,
                mode,
            )
            yield case(
                f"rank{rank}_{mode}_none",
                f"{mode} of rank {rank} with pads of 0 only",
                shape,
                (0,) * 2 * rank,
                mode,
            )
            cut = (0,) * (rank - 1) + (-1,) + (0,) * (rank - 1) + (0,)
            yield case(
                f"rank{rank}_{mode}_cut",
                f"{mode}: a cut on the last of {rank} axes",
                shape,
                cut,
                mode,
            )
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
            rank = len(shape)
            yield case(
                f"one_{name}_{mode}",
                f"{mode}: 1 at both ends of all axes of {list(shape)}",
                shape,
                (1,) * 2 * rank,
                mode,
            )
            yield case(
                f"one_{name}_{mode}_long",
                f"{mode}: many cells on an axis of {list(shape)}",
                shape,
                (3,) + (0,) * (rank - 1) + (4,) + (0,) * (rank - 1),
                mode,
            )


def declared():
    """The graph says less of its data than numbers, or more."""
    for kind, told in TOLD.items():
        name = kind.replace(" ", "_")
        for mode in MODES:
            yield case(
                f"dims_{name}_{mode}",
                f"{mode}; {told}",
                (2, 3, 4),
                (0, 1, 2, 0, 1, 3),
                mode,
                dims=kind,
            )
            yield case(
                f"dims_{name}_{mode}_cut",
                f"{mode} cuts and adds; {told}",
                (3, 4),
                (-1, 2, 1, -1),
                mode,
                dims=kind,
            )
            yield case(
                f"dims_{name}_{mode}_long",
                f"{mode}, long; {told}",
                (3, 2),
                (5, 0, 4, 1),
                mode,
                dims=kind,
            )
            yield case(
                f"dims_{name}_{mode}_pads_input",
                f"{mode}; {told}; pads are an input",
                (2, 3),
                (0, 1, 1, 1),
                mode,
                dims=kind,
                pads_as="input",
            )
        yield case(
            f"dims_{name}_value_input",
            f"{told}; the value is an input",
            (2, 3),
            (0, 1, 2, 0),
            dims=kind,
            value=2.5,
            value_as="input",
        )
        yield case(
            f"dims_{name}_int64",
            f"int64; {told}",
            (2, 3),
            (0, 1, 2, 0),
            "edge",
            dims=kind,
            type="int64",
        )


CASES = [*ranks(), *empties(), *ones(), *declared()]
