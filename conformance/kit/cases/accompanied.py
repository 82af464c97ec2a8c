"""Pad in company: before pools, between transposes, beside other nodes, in branches and functions.

SPDX-License-Identifier: MIT
"""

from kit import elements
from kit.cases.common import MODES, NEWEST, USUAL, case

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


def beside(around, name, shows, shape, pads, mode="constant", opset=USUAL, **more):
    name = f"with_{name_of(around)}_{name}"
    return case(name, f"{shows}; {around}", shape, pads, mode, opset, around=around, **more)


def pooled(around, name, shows, pads=FRAME, mode="constant", opset=USUAL, **more):
    cells = below_zero(IMAGE)
    return beside(around, name, shows, IMAGE, pads, mode, opset, cells=cells, **more)


def pools():
    for around in POOLS:
        for mode in MODES:
            yield pooled(around, mode, f"{mode} of numbers below zero", mode=mode)
        yield pooled(around, "none", "pads of 0 only", NO_FRAME)
        yield pooled(around, "value", "the value is given", value=-0.5)
        yield pooled(around, "value_zero", "the value 0 is given", value=0.0)
        yield pooled(around, "axes", "pads with axes", (1, 1, 1, 1), axes=(2, 3))
        yield pooled(around, "cut", "a negative amount", (0, 0, -1, 1, 0, 0, 1, 1))
        yield pooled(around, "uneven", "other amounts at each side", (0, 0, 0, 1, 0, 0, 2, 0))
    for opset in (2, 7, 11, 13, 18, NEWEST):
        for around in ("max pool behind", "average pool behind"):
            yield pooled(around, f"opset{opset}", f"opset {opset}", opset=opset)
    around = "max pool behind"
    yield pooled(around, "channels", "channels are added", (0, 1, 0, 0, 0, 1, 0, 0))
    yield pooled(around, "symbolic", "the extents are symbolic", dims="symbolic")
    yield pooled(around, "pads_input", "pads are an input", pads_as="input")


def transposes():
    shape, some = (2, 3, 4, 5), (1, 0, 0, 2)
    for around in ("transposes to NHWC and back", "transposes to NCHW and back"):
        for name, (order, pads) in AXES.items():
            told = f"axes {list(order)}"
            yield beside(around, name, told, shape, pads, value=-1.0, axes=order)
            yield beside(around, f"{name}_edge", f"edge, {told}", shape, pads, "edge", axes=order)
        for mode in MODES:
            yield beside(around, mode, f"{mode} without axes", (1, 3, 4, 5), NHWC_FRAME, mode)
        yield beside(around, "int64", "int64, some axes", shape, some, axes=(1, 3), type="int64")
        name, told = f"opset{NEWEST}", f"opset {NEWEST}, some axes"
        yield beside(around, name, told, shape, some, "reflect", NEWEST, axes=(1, 2))
    for name, order in (("one", (1,)), ("back", (1, 0)), ("in_order", (0, 1))):
        pads = (1, 2)[: len(order)] + (0, 3)[: len(order)]
        told = f"axes {list(order)}"
        yield beside("transposes of two axes", name, told, (3, 4), pads, axes=order)
    for around in ("transposes that differ", "transpose before", "transpose behind"):
        yield beside(around, "axes", "some axes", shape, some, axes=(1, 3))
        yield beside(around, "reflect", "reflect", shape, NHWC_FRAME, "reflect")


def neighbours():
    for around, shape in (
        ("convolution behind", (1, 3, 4, 5)),
        ("max pool before", (1, 2, 6, 8)),
        ("convolution with pads behind", (1, 3, 4, 5)),
        ("convolution before", (1, 2, 5, 6)),
        ("convolutions before and behind", (1, 2, 5, 6)),
    ):
        for mode in MODES:
            yield beside(around, mode, mode, shape, FRAME, mode)
        yield beside(around, "cut", "a negative amount", shape, (0, 0, -1, 1, 0, 0, 1, 0))
        yield beside(around, "value", "the value is given", shape, FRAME, value=2.0)
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
            yield beside(around, mode, mode, (3, 4), (1, 0, 1, 2), mode)
        yield beside(around, "cut", "a negative amount", (3, 4), (0, 1, 1, -1))


def inside(around, name, shows, pads=(0, 1, 1, 1), mode="constant", opset=USUAL, **more):
    name = f"in_{name_of(around)}_{name}"
    return case(name, f"{shows}; in a {around}", (2, 3), pads, mode, opset, around=around, **more)


def rooms():
    for around in ROOMS:
        for mode in MODES:
            yield inside(around, mode, mode, mode=mode)
        yield inside(around, "value", "a value", value=3.5)
        yield inside(around, "axes", "axes and a cut", (-1, 2), axes=(1,))
        if around != "then branch with arguments":
            yield inside(around, "pads_input", "pads are an input", mode="reflect", pads_as="input")
        yield inside(around, "int64", "int64", mode="edge", type="int64")
        yield inside(around, f"opset{NEWEST}", f"opset {NEWEST}", opset=NEWEST)


CASES = [*pools(), *transposes(), *neighbours(), *rooms()]
