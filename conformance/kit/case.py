"""One Pad as an operator is given it, and what the documents say that it answers.

SPDX-License-Identifier: MIT
"""

import dataclasses
import itertools
import math
from collections.abc import Callable

from kit import elements, oracle, surroundings


@dataclasses.dataclass(frozen=True)
class Pad:
    """What all cases have: what they show, where that stands, and the data.

    A forbidden case has the reason in `forbidden` and no expected output. `says` names sentences of
    documents.SENTENCES, `decided` one of documents.DECISIONS: the document is silent there.
    """

    name: str
    shows: str  # one sentence
    says: tuple[str, ...]
    _: dataclasses.KW_ONLY
    type: str = "int32"
    value: object = None  # a number or bytes; None: not given
    cells: tuple | None = None  # None: elements.sample
    nan_payloads: bool = False  # the bits of a NaN count, too
    decided: str | None = None
    forbidden: str | None = None

    @property
    def data(self):
        """The cells of the input, in row-major order."""
        if self.cells is None:
            return elements.sample(self.type, math.prod(self.shape))
        return list(self.cells)

    @property
    def fill(self):
        """The cell that mode constant writes."""
        if self.value is not None:
            return elements.cell_of(self.value, self.type)
        return b"" if self.type == "string" else 0


@dataclasses.dataclass(frozen=True)
class Case(Pad):
    """A Pad node of ONNX, its data, and how its arguments reach it."""

    opset: int
    shape: tuple[int, ...]
    pads: tuple[int, ...]
    mode: str | None = None  # None: the node has no such attribute
    _: dataclasses.KW_ONLY
    type: str = "float"
    axes: tuple[int, ...] | None = None
    axes_type: str = "int64"
    value_shape: tuple[int, ...] = ()
    # How an argument is given: a key of argument_sources.WAYS. Before opset 11 pads and value are
    # attributes.
    pads_as: str = "initializer"
    axes_as: str = "initializer"
    value_as: str = "initializer"
    typed: bool = False  # the arguments lie in the field of their type, not in raw bytes
    dims: str = "known"  # how the graph declares its input: a key of onnx_model.DIMS
    around: str = "nothing"  # a key of surroundings.AROUND: other nodes before, behind and around
    # Of a forbidden case: changes what was written, called with the ModelProto and the inputs.
    edit: Callable | None = None

    @property
    def padded_shape(self):
        """The shape of what the Pad itself is given."""
        return surroundings.AROUND[self.around].padded_shape(self.shape)

    @property
    def amounts(self):
        """(begin, end), a number for each axis of the data."""
        rank = len(self.shape)
        axes = range(rank) if self.axes is None else [axis % rank for axis in self.axes]
        begin, end = [0] * rank, [0] * rank
        for k, axis in enumerate(axes):
            begin[axis], end[axis] = self.pads[k], self.pads[len(axes) + k]
        return begin, end


@dataclasses.dataclass(frozen=True)
class Problem(Pad):
    """A Pad whose amounts are two lists with a number for each axis."""

    document: str  # openvino-1, openvino-12, ngraph, mli-chw, mli-hwc, plain
    shape: tuple[int, ...]
    begin: tuple[int, ...]
    end: tuple[int, ...]
    interior: tuple[int, ...] | None = None  # nGraph and plain; None: not given
    mode: str | tuple[str, ...] | None = "constant"  # plain also takes one for each axis
    order: str = "window"  # plain also takes "crop"


def families(kind, rows):
    """The arguments of the cases of a table, for a kind of Problem.

    A row has (name, what it shows, sentences), (shape, begin, end) and a dict of arguments: one case
    for each combination of what its lists have. A dict in a list gives several arguments at once, a
    function is called with all of them, and texts name them in braces.
    """
    fields = {field.name for field in dataclasses.fields(kind)}
    for texts, sizes, arguments in rows:
        lists = {name: value for name, value in arguments.items() if isinstance(value, list)}
        for values in itertools.product(*lists.values()):
            words = dict(zip(("shape", "begin", "end"), sizes))
            for name, value in {**arguments, **dict(zip(lists, values))}.items():
                words |= value if isinstance(value, dict) else {name: value}
            words = {name: f(words) if callable(f) else f for name, f in words.items()}
            name, shows, says = (text.format(**words) for text in texts)
            told = {"name": name, "shows": shows, "says": tuple(says.split())}
            yield told | {name: value for name, value in words.items() if name in fields - {*told}}


def amounts_word(numbers):
    """Numbers as a part of a name: 2, 0 or m3."""
    return "_".join(str(number).replace("-", "m") for number in numbers)


def expected(case):
    """The output as (cells, shape)."""
    if isinstance(case, Problem):
        begin, end, mode, more = case.begin, case.end, case.mode, (case.interior, case.order)
        if case.document == "openvino-12":  # an extent that would be negative is 0
            end = [max(e, -b - n) for n, b, e in zip(case.shape, begin, end)]
    elif case.around != "nothing":
        return surroundings.AROUND[case.around].answer(case)
    else:
        (begin, end), mode, more = case.amounts, case.mode or "constant", (None, "crop")
    cells, shape = oracle.pad(case.data, case.shape, begin, end, mode, case.fill, *more)
    return cells, tuple(shape)


def flags(shape, begin, end, interior=None):
    """The tags that follow from the amounts; all are false where these do not fit the shape."""
    interior = interior or [0] * len(shape)
    whole = len(begin) == len(end) == len(interior) == len(shape)
    axes = list(zip(shape, begin, end, interior)) if whole else []
    return {
        "negative": any(min(b, e) < 0 for _, b, e, _ in axes),
        "mixed": any(b * e < 0 for _, b, e, _ in axes),
        "long": any(max(b, e) >= max(1, n + min(0, b) + min(0, e)) for n, b, e, _ in axes),
        "empty": 0 in shape or any(b + oracle.dilated(n, r) + e <= 0 for n, b, e, r in axes),
    }


def tags_of_problem(problem):
    """What kind of Pad it is, for those who select or count cases."""
    return {
        "type": problem.type,
        "mode": problem.mode,
        "rank": len(problem.shape),
        "shape": list(problem.shape),
        "pads": [*problem.begin, *problem.end],
        **flags(problem.shape, problem.begin, problem.end, problem.interior),
        "nan_payloads": problem.nan_payloads,
    }
