"""Random models of one Pad as a kit of their own, for the plug-in (plugin/with_and_without.py).

SPDX-License-Identifier: MIT
"""

import json
import math
import random

from kit import make
from kit.cases.common import OPSETS, answered, case, modes_of, types_of
from kit.cases.types import value_of

CONSTANT = ["initializer", "constant", "overridable", "identity"]
WHEN_RUN = ["input", "computed"]


def amount(draw):
    """Mostly small, sometimes a cut, rarely long."""
    return draw.choice([0, 0, 0, 1, 1, 2, 3, -1, -2, draw.randint(-5, 8)])


def drawn(draw, k):
    """A case, or None where the document does not answer it."""
    opset = draw.choice(OPSETS)
    mode = draw.choice(modes_of(opset))
    word = "float" if draw.random() < 0.6 else draw.choice(types_of(opset))
    rank = draw.choice([0, 1, 1, 2, 2, 2, 3, 3, 4, 4, 5, 6])
    shape = [draw.choice([0, 1, 1, 2, 3, 4, 5, 6, 7]) for _ in range(rank)]
    if draw.random() < 0.85:
        shape = [max(1, extent) for extent in shape]
    if math.prod(shape) > 2000 or rank == 0 and opset < 11:  # an attribute cannot be empty
        return None
    more = {}
    order = list(range(rank))
    if opset >= 18 and draw.random() < 0.3:
        order = draw.sample(order, draw.randint(0, rank))
        more["axes"] = tuple(axis - rank * (draw.random() < 0.3) for axis in order)
        more["axes_type"] = draw.choice(["int64", "int64", "int32"])
    pads = [amount(draw) for _ in range(2 * len(order))]
    if opset >= 11:
        ways = CONSTANT + WHEN_RUN * (draw.random() < 0.2)
        more["pads_as"], more["axes_as"] = draw.choice(ways), draw.choice(CONSTANT)
        if draw.random() < 0.3:
            more["value"] = value_of(word)
            more["value_shape"] = draw.choice([(), (), (1,)])
            more["value_as"] = draw.choice(ways)
    elif draw.random() < 0.3:
        more["value"] = 2.5
    if draw.random() < 0.2:
        more["dims"] = draw.choice(["symbolic", "batch symbolic"]) if rank else "known"
    made = case(f"random_{k}", "a random Pad", shape, pads, mode, opset, type=word, **more)
    return made if answered(made.shape, *made.amounts, mode) else None


def write(seed, count, folder):
    """Writes them into a folder that is made anew: absent, empty or ours."""
    draw = random.Random(seed)
    make.make_anew(folder)
    entries = []
    while len(entries) < count:
        made = drawn(draw, len(entries))
        if made is not None:
            entries.append(make.write_onnx(made, folder))
    (folder / "index.json").write_text(json.dumps({"kit": 1, "cases": entries}, indent=1) + "\n")
