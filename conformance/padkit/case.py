"""One Pad as an operator is given it, and what the documents say that it answers.

SPDX-License-Identifier: MIT
"""

import dataclasses
from collections.abc import Callable

from padkit import elements, indexing, oracle, surroundings


@dataclasses.dataclass(frozen=True)
class Case:
    """A Pad node of ONNX, its data, and how its arguments reach it.

    A forbidden case has the reason in `forbidden` and no expected output. `says` names sentences of
    documents.SENTENCES, `decided` one of documents.DECISIONS: the document is silent there.
    """

    name: str
    shows: str  # one sentence
    says: tuple[str, ...]
    opset: int
    shape: tuple[int, ...]
    pads: tuple[int, ...]
    mode: str | None = None  # None: the node has no such attribute
    type: str = "float"
    axes: tuple[int, ...] | None = None
    axes_type: str = "int64"
    value: object = None  # a number or bytes; None: not given
    value_shape: tuple[int, ...] = ()
    cells: tuple[int, ...] | None = None  # None: elements.sample
    # How an argument is given: a key of argument_sources.WAYS. Before opset 11 pads and value are
    # attributes.
    pads_as: str = "initializer"
    axes_as: str = "initializer"
    value_as: str = "initializer"
    typed: bool = False  # the arguments lie in the field of their type, not in raw bytes
    dims: str = "known"  # how the graph declares its input: a key of onnx_model.DIMS
    nan_payloads: bool = False  # the bits of a NaN count, too
    around: str = "nothing"  # a key of surroundings.AROUND: other nodes before, behind and around
    decided: str | None = None
    forbidden: str | None = None
    # Of a forbidden case: changes what was written, called with the ModelProto and the inputs.
    edit: Callable | None = None

    @property
    def data(self):
        """The cells of the input, in row-major order."""
        return elements.data_of(self.type, self.shape, self.cells)

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

    @property
    def fill(self):
        """The cell that constant mode writes."""
        return elements.fill_of(self.type, self.value)


class Disagree(Exception):
    """The two readings of the documents give different answers: one of them has a fault."""


def twice(name, first, second):
    """Returns the answer that both readings gave, or raises Disagree."""
    if first != second:
        raise Disagree(f"{name}: {first} by the oracle, {second} by indexing")
    return first


def expected(case):
    """The output as (cells, shape), by both readings."""
    if case.around != "nothing":
        around = surroundings.AROUND[case.around]
        return twice(case.name, around.by_loops(case), around.by_arrays(case))
    begin, end = case.amounts
    mode, data = case.mode or "constant", case.data
    first = oracle.pad(data, case.shape, begin, end, mode, case.fill, order="crop")
    index = indexing.pad(case.shape, begin, end, mode)
    cells = [case.fill if k < 0 else data[k] for k in index.flat]
    return twice(case.name, (first[0], tuple(first[1])), (cells, index.shape))
