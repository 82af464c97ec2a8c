"""One Pad of a document other than ONNX, and what the documents say that it answers.

SPDX-License-Identifier: MIT
"""

import dataclasses

from padkit import elements, indexing, oracle
from padkit.case import twice


@dataclasses.dataclass(frozen=True)
class Problem:
    """A Pad whose amounts are two lists with a number for each axis.

    A forbidden problem has the reason in `forbidden` and no expected output. `says` and `decided`
    are keys of documents.py, as those of a Case.
    """

    name: str
    shows: str  # one sentence
    says: tuple[str, ...]
    document: str  # openvino-1, openvino-12, ngraph, mli-chw, mli-hwc, plain
    shape: tuple[int, ...]
    begin: tuple[int, ...]
    end: tuple[int, ...]
    interior: tuple[int, ...] | None = None  # nGraph and plain; None: not given
    mode: str | tuple[str, ...] | None = "constant"  # plain also takes one for each axis
    order: str = "window"  # plain also takes "crop"
    type: str = "int32"
    value: object = None  # a number or bytes; None: not given
    cells: tuple | None = None  # None: elements.sample
    nan_payloads: bool = False  # the bits of a NaN count too
    decided: str | None = None
    forbidden: str | None = None

    @property
    def data(self):
        """The cells of the input, in row-major order."""
        return elements.data_of(self.type, self.shape, self.cells)

    @property
    def fill(self):
        """The cell that mode constant writes."""
        return elements.fill_of(self.type, self.value)


def expected(problem):
    """The output as (cells, shape), by both readings."""
    shape, begin, end = problem.shape, problem.begin, problem.end
    if problem.document == "openvino-12":  # an extent that would be negative is 0
        end = [max(e, -b - n) for n, b, e in zip(shape, begin, end)]
    arguments = (problem.interior, problem.order)
    data = problem.data
    first = oracle.pad(data, shape, begin, end, problem.mode, problem.fill, *arguments)
    index = indexing.pad(shape, begin, end, problem.mode, *arguments)
    cells = [problem.fill if k < 0 else data[k] for k in index.flat]
    return twice(problem.name, (first[0], tuple(first[1])), (cells, index.shape))


def tags(problem):
    """What kind of Pad it is, for those who select or count cases."""
    shape, begin, end = problem.shape, problem.begin, problem.end
    interior = problem.interior or [0] * len(shape)
    whole = len(begin) == len(end) == len(interior) == len(shape)
    axes = list(zip(shape, begin, end, interior)) if whole else []
    return {
        "type": problem.type,
        "mode": problem.mode,
        "rank": len(shape),
        "shape": list(shape),
        "pads": [*begin, *end],
        "negative": any(min(b, e) < 0 for _, b, e, _ in axes),
        "mixed": any(b * e < 0 for _, b, e, _ in axes),
        "long": any(max(b, e) >= max(1, n + min(0, b) + min(0, e)) for n, b, e, _ in axes),
        "empty": 0 in shape or any(b + oracle.dilated(n, r) + e <= 0 for n, b, e, r in axes),
        "nan_payloads": problem.nan_payloads,
    }
