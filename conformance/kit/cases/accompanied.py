"""Pad in company: before pools, between transposes, beside other nodes, in branches and functions.

SPDX-License-Identifier: MIT
"""

from kit import elements
from kit.cases.common import MODES, NEWEST, case

IMAGE, FRAME = (1, 3, 4, 5), (0, 0, 1, 1, 0, 0, 1, 1)
NO_FRAME = (0,) * 8
NHWC_FRAME = (0, 1, 1, 0, 0, 1, 1, 0)
POOLS = (
    "max pool behind",
    "max pool with stride behind",
    "max pool with pads behind",
    "average pool behind",
    "average pool with stride behind",
    "average pool with pads behind",
    "relu and max pool behind",
    "function and max pool behind",
)
ROOMS = (
    "then branch",
    "then branch with arguments",
    "else branch",
    "branch of a branch",
    "loop of one trip",
    "loop of three trips",
    "loop of no trip",
    "function",
    "function with a mode",
)
# Between transposes: name: (axes of the Pad, its pads). Data of rank 4.
AXES = {
    "some_last": ((2, 3), (1, 0, 2, 1)),
    "some_middle": ((1, 2), (1, 1, 1, 1)),
    "one": ((3,), (1, 2)),
    "negative": ((-2, -1), (0, 1, 2, 1)),
    "all_back": ((3, 2, 1, 0), (1, 0, 2, 0, 0, 1, 1, 0)),
    "all_turned": ((1, 2, 3, 0), (1, 2, 0, 0, 1, 0, 1, 0)),
    "all_swapped": ((0, 2, 1, 3), (0, 1, 2, 0, 0, 2, 1, 0)),
    "all_in_order": ((0, 1, 2, 3), (0, 1, 2, 0, 0, 1, 1, 1)),
}


def name_of(around):
    return around.replace(" ", "_").lower()


def below_zero(shape):
    """Numbers below zero: a frame of zeros wins every maximum."""
    count = 1
    for extent in shape:
        count *= extent
    return tuple(elements.cell_of(-1 - k * 7 % 13, "float") for k in range(count))


def pools():
    for around in POOLS:
        name, cells = name_of(around), below_zero(IMAGE)
        for mode in MODES:
            yield case(
                f"with_{name}_{mode}",
                f"{mode} of numbers below zero; {around}",
                IMAGE,
                FRAME,
                mode,
                cells=cells,
                around=around,
            )
        yield case(
            f"with_{name}_none",
            f"pads of 0 only; {around}",
            IMAGE,
            NO_FRAME,
            cells=cells,
            around=around,
        )
        yield case(
            f"with_{name}_value",
            f"the value is given; {around}",
            IMAGE,
            FRAME,
            cells=cells,
            value=-0.5,
            around=around,
        )
        yield case(
            f"with_{name}_value_zero",
            f"the value 0 is given; {around}",
            IMAGE,
            FRAME,
            cells=cells,
            value=0.0,
            around=around,
        )
        yield case(
            f"with_{name}_axes",
            f"pads with axes; {around}",
            IMAGE,
            (1, 1, 1, 1),
            cells=cells,
            axes=(2, 3),
            around=around,
        )
        yield case(
            f"with_{name}_cut",
            f"a negative amount; {around}",
            IMAGE,
            (0, 0, -1, 1, 0, 0, 1, 1),
            cells=cells,
            around=around,
        )
        yield case(
            f"with_{name}_uneven",
            f"other amounts at each side; {around}",
            IMAGE,
            (0, 0, 0, 1, 0, 0, 2, 0),
            cells=cells,
            around=around,
        )
    for opset in (2, 7, 11, 13, 18, NEWEST):
        for around in ("max pool behind", "average pool behind"):
            yield case(
                f"with_{name_of(around)}_opset{opset}",
                f"opset {opset}; {around}",
                IMAGE,
                FRAME,
                "constant",
                opset,
                cells=below_zero(IMAGE),
                around=around,
            )
    yield case(
        "with_max_pool_behind_channels",
        "channels are added; max pool behind",
        IMAGE,
        (0, 1, 0, 0, 0, 1, 0, 0),
        cells=below_zero(IMAGE),
        around="max pool behind",
    )
    yield case(
        "with_max_pool_behind_symbolic",
        "the extents are symbolic; max pool behind",
        IMAGE,
        FRAME,
        cells=below_zero(IMAGE),
        dims="symbolic",
        around="max pool behind",
    )
    yield case(
        "with_max_pool_behind_pads_input",
        "pads are an input; max pool behind",
        IMAGE,
        FRAME,
        cells=below_zero(IMAGE),
        pads_as="input",
        around="max pool behind",
    )


def transposes():
    for around in ("transposes to NHWC and back", "transposes to NCHW and back"):
        for name, (order, pads) in AXES.items():
            yield case(
                f"with_{name_of(around)}_{name}",
                f"axes {list(order)}; {around}",
                (2, 3, 4, 5),
                pads,
                value=-1.0,
                axes=order,
                around=around,
            )
            yield case(
                f"with_{name_of(around)}_{name}_edge",
                f"edge, axes {list(order)}; {around}",
                (2, 3, 4, 5),
                pads,
                "edge",
                axes=order,
                around=around,
            )
        for mode in MODES:
            yield case(
                f"with_{name_of(around)}_{mode}",
                f"{mode} without axes; {around}",
                (1, 3, 4, 5),
                NHWC_FRAME,
                mode,
                around=around,
            )
        yield case(
            f"with_{name_of(around)}_int64",
            f"int64, some axes; {around}",
            (2, 3, 4, 5),
            (1, 0, 0, 2),
            axes=(1, 3),
            type="int64",
            around=around,
        )
        yield case(
            f"with_{name_of(around)}_opset{NEWEST}",
            f"opset {NEWEST}, some axes; {around}",
            (2, 3, 4, 5),
            (1, 0, 0, 2),
            "reflect",
            NEWEST,
            axes=(1, 2),
            around=around,
        )
    for name, order in (("one", (1,)), ("back", (1, 0)), ("in_order", (0, 1))):
        count = len(order)
        yield case(
            f"with_transposes_of_two_axes_{name}",
            f"axes {list(order)}; transposes of two axes",
            (3, 4),
            (1, 2)[:count] + (0, 3)[:count],
            axes=order,
            around="transposes of two axes",
        )
    for around in ("transposes that differ", "transpose before", "transpose behind"):
        yield case(
            f"with_{name_of(around)}_axes",
            f"some axes; {around}",
            (2, 3, 4, 5),
            (1, 0, 0, 2),
            axes=(1, 3),
            around=around,
        )
        yield case(
            f"with_{name_of(around)}_reflect",
            f"reflect; {around}",
            (2, 3, 4, 5),
            NHWC_FRAME,
            "reflect",
            around=around,
        )


def neighbours():
    for around, shape in (
        ("convolution behind", (1, 3, 4, 5)),
        ("max pool before", (1, 2, 6, 8)),
        ("convolution with pads behind", (1, 3, 4, 5)),
        ("convolution before", (1, 2, 5, 6)),
        ("convolutions before and behind", (1, 2, 5, 6)),
    ):
        for mode in MODES:
            yield case(
                f"with_{name_of(around)}_{mode}",
                f"{mode}; {around}",
                shape,
                FRAME,
                mode,
                around=around,
            )
        yield case(
            f"with_{name_of(around)}_cut",
            f"a negative amount; {around}",
            shape,
            (0, 0, -1, 1, 0, 0, 1, 0),
            around=around,
        )
        yield case(
            f"with_{name_of(around)}_value",
            f"the value is given; {around}",
            shape,
            FRAME,
            value=2.0,
            around=around,
        )
    for around in (
        "relu before",
        "addition before",
        "addition behind",
        "pad before",
        "pad behind",
        "edge before",
        "crop behind",
        "slice behind",
        "slice before",
    ):
        for mode in MODES:
            yield case(
                f"with_{name_of(around)}_{mode}",
                f"{mode}; {around}",
                (3, 4),
                (1, 0, 1, 2),
                mode,
                around=around,
            )
        yield case(
            f"with_{name_of(around)}_cut",
            f"a negative amount; {around}",
            (3, 4),
            (0, 1, 1, -1),
            around=around,
        )


def rooms():
    for around in ROOMS:
        for mode in MODES:
            yield case(
                f"in_{name_of(around)}_{mode}",
                f"{mode}; in a {around}",
                (2, 3),
                (0, 1, 1, 1),
                mode,
                around=around,
            )
        yield case(
            f"in_{name_of(around)}_value",
            f"a value; in a {around}",
            (2, 3),
            (0, 1, 1, 1),
            value=3.5,
            around=around,
        )
        yield case(
            f"in_{name_of(around)}_axes",
            f"axes and a cut; in a {around}",
            (2, 3),
            (-1, 2),
            axes=(1,),
            around=around,
        )
        if around != "then branch with arguments":
            yield case(
                f"in_{name_of(around)}_pads_input",
                f"pads are an input; in a {around}",
                (2, 3),
                (0, 1, 1, 1),
                "reflect",
                pads_as="input",
                around=around,
            )
        yield case(
            f"in_{name_of(around)}_int64",
            f"int64; in a {around}",
            (2, 3),
            (0, 1, 1, 1),
            "edge",
            type="int64",
            around=around,
        )
        yield case(
            f"in_{name_of(around)}_opset{NEWEST}",
            f"opset {NEWEST}; in a {around}",
            (2, 3),
            (0, 1, 1, 1),
            "constant",
            NEWEST,
            around=around,
        )


CASES = [*pools(), *transposes(), *neighbours(), *rooms()]
