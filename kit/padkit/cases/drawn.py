"""Cases that a random seed draws: not part of the kit, but unseen ones to measure predictions with.

SPDX-License-Identifier: MIT
"""

import random

from padkit import indexing
from padkit.cases.common import OPSETS, case, modes_of, types_of

WAYS = ["initializer"] * 6 + ["constant", "identity", "overridable", "input", "computed"]
AT_RUN_TIME = ("overridable", "input", "computed")
USUAL_TYPES = ["float"] * 12 + ["double", "float16", "int32", "int64", "uint8", "bool"]


def amounts_of(dice, extent):
    """Begin and end of an axis: mostly usual ones, some long, some of both signs, some too deep."""
    kind = dice.randrange(10)
    if kind < 3:
        return 0, 0
    if kind < 6:
        return dice.randrange(3), dice.randrange(3)
    if kind < 8:
        return dice.randrange(-2, 4), dice.randrange(-2, 4)
    return dice.randrange(-extent - 2, 2 * extent + 4), dice.randrange(-extent - 2, 2 * extent + 4)


def axes_of(dice, rank):
    axes = dice.sample(range(rank), dice.randrange(rank + 1))
    return tuple(axis - rank if dice.randrange(3) == 0 else axis for axis in axes)


def draw_one(dice, name):
    opset = dice.choice(OPSETS)
    mode = dice.choice(modes_of(opset))
    word = dice.choice([word for word in USUAL_TYPES if word in types_of(opset)]
                       + [dice.choice(types_of(opset))])
    rank = dice.choice([0] * (opset >= 11) + [1, 1, 2, 2, 2, 3, 3, 4, 4, 4, 5, 6])
    shape = [dice.choice([0, 1, 1, 2, 3, 3, 4, 5, 6]) if dice.randrange(4) else 3
             for _ in range(rank)]
    axes = axes_of(dice, rank) if opset >= 18 and rank and dice.randrange(3) == 0 else None
    padded = range(rank) if axes is None else [axis % rank for axis in axes]
    pairs = [amounts_of(dice, shape[axis]) for axis in padded]
    more = {"type": word}
    if axes is not None:
        more |= {"axes": axes, "axes_type": dice.choice(["int64", "int64", "int32"]),
                 "axes_as": dice.choice(WAYS)}
    if dice.randrange(3) == 0 and word != "string":
        way = dice.choice(WAYS)  # a 0 that is given at run time hides that it was not read
        more |= {"value": 1 if way in AT_RUN_TIME else dice.randrange(2), "value_as": way}
        if dice.randrange(5) == 0 and opset >= 11:
            more["value_shape"] = (1,)
    if opset >= 11:
        more["pads_as"] = dice.choice(WAYS)
    if rank and dice.randrange(8) == 0:
        more["dims"] = "symbolic"
    pads = [begin for begin, _ in pairs] + [end for _, end in pairs]
    return case(name, "drawn by a random seed", shape, pads, mode, opset, **more)


def draw(seed, count):
    """That many cases which the document answers."""
    dice = random.Random(seed)
    drawn = []
    while len(drawn) < count:
        made = draw_one(dice, f"drawn_{seed}_{len(drawn)}")
        try:
            indexing.pad(made.shape, *made.amounts, made.mode)
        except ValueError:
            continue
        drawn.append(made)
    return drawn
