"""What the themes of the selection share: versions, names, and what the documents say of amounts.

SPDX-License-Identifier: MIT
"""

import math

from kit import oracle
from kit.case import Case

VERSIONS = sorted(oracle.ONNX)
OPSETS = sorted([*VERSIONS, 6, 10, 12, 16, 20, 22])  # and some that do not start a version
NEWEST = VERSIONS[-1]
USUAL = 19  # the first version that has all four modes, and one that old runtimes read
MODES = ("constant", "edge", "reflect", "wrap")


def modes_of(opset):
    """The modes that a version has, in the order of MODES."""
    _, modes = oracle.ONNX[oracle.onnx_version_of_opset(opset)]
    return [mode for mode in MODES if mode in modes]


def types_of(opset):
    """The types that a version has, in the order of their first version."""
    types, _ = oracle.ONNX[oracle.onnx_version_of_opset(opset)]
    return sorted(types, key=lambda word: (oracle.onnx_first_with_type(word), word))


TYPES = types_of(NEWEST)


def opset_for(word):
    """USUAL, or the first version after it that has the type."""
    return max(USUAL, oracle.onnx_first_with_type(word))


def number(amount):
    """A number as it stands in a name: m1 is -1."""
    return f"m{-amount}" if amount < 0 else str(amount)


def case(name, shows, shape, pads, mode="constant", opset=USUAL, says=(), **more):
    """A case whose sentences and decisions follow from its arguments; says: more sentences."""
    made = Case(
        name=name,
        shows=shows,
        says=(),
        shape=tuple(shape),
        pads=tuple(pads),
        mode=mode,
        opset=opset,
        **more,
    )
    begin, end = made.amounts
    told = [*says, *sentences(made, begin, end)]
    decided = more.get("decided") or decision(made.padded_shape, begin, end, mode or "constant")
    return Case(**{**made.__dict__, "says": tuple(dict.fromkeys(told)), "decided": decided})


def sentences(made, begin, end):
    """The sentences of the document that every Pad with such arguments comes from."""
    yield f"onnx.{made.mode or 'constant'}"
    yield "onnx.pads.amounts"
    if min([*begin, *end, 0]) < 0:
        yield "onnx.pads.negative"
    if made.value is not None:
        yield "onnx.value" if made.opset >= 11 else "onnx.old.value"
    elif (made.mode or "constant") == "constant":
        yield "onnx.value.absent" if made.opset >= 11 else "onnx.old.value"
    if made.axes is not None:
        yield "onnx.axes"
        if min(made.axes, default=0) < 0:
            yield "onnx.axes.negative"


def decision(shape, begin, end, mode):
    """The first question that the document leaves open, a key of documents.DECISIONS, or None."""
    if not shape:
        return "rank 0"
    empty_output = 0 in [n + b + e for n, b, e in zip(shape, begin, end)]
    for n, b, e in zip(shape, begin, end):
        left = n + min(0, b) + min(0, e)
        grows = max(0, b, e)
        if n == 0 and (grows or mode == "wrap"):
            return "empty"
        if max(-b, -e) > n:
            return "overcrop"
        if mode == "constant":
            continue
        if left <= 0 and n > 0 and empty_output:
            return "nothing left"
        if b * e < 0 and mode != "edge":
            return "order"
        if mode == "reflect" and left == 1 and grows:
            return "one"
        if mode != "edge" and grows > (left - 1 if mode == "reflect" else left):
            return "long"
    return None


def answered(shape, begin, end, mode):
    """Whether the pad has an answer."""
    try:
        oracle.pad(range(math.prod(shape)), shape, begin, end, mode, None, order="crop")
    except oracle.Refused:
        return False
    return True
