"""Amounts from sizes, by the names of dimensions.  SPDX-License-Identifier: MIT"""

import re
from collections.abc import Mapping

from .. import _core


def _amounts(sizes, shape, multiple, square, align, too_long):
    """{dimension: (before, after)} of the dimensions that the arguments name, as tensorpad.pad_to
    finds them. sizes: of the dimensions that there are."""
    multiple = {} if multiple is None else multiple
    if not isinstance(multiple, Mapping):
        raise ValueError(f"multiple has to be a dict of numbers by dimension, got {multiple!r}")
    pair = () if square is None else (square,) if isinstance(square, str) else tuple(square)
    if square is not None and len(pair) != 2:
        raise ValueError(f"square has to name two dimensions, got {square!r}")
    named = {
        "shape": shape,
        "multiple": multiple,
        "square": pair,
        "align": align if isinstance(align, Mapping) else (),
        "too_long": too_long if isinstance(too_long, Mapping) else (),
    }
    for what, given in named.items():
        for dim in given:
            if dim not in sizes:
                known = ", ".join(map(repr, sizes)) or "none"
                raise ValueError(f"{what} names dimension {dim!r}; the dimensions are {known}")
    dims = [dim for dim in sizes if dim in shape or dim in multiple or dim in pair]

    def each(given, default):
        return [given.get(dim, default) for dim in dims] if isinstance(given, Mapping) else given

    try:
        found = _core.fit_amounts(
            [sizes[dim] for dim in dims],
            each(shape, None),
            each(multiple, None),
            [dims.index(dim) for dim in pair] or None,
            None,
            each(align, "center"),
            each(too_long, "error"),
        )
    except (TypeError, ValueError) as error:
        text = re.sub(
            r"\baxis (\d+)", lambda number: f"dimension {dims[int(number[1])]!r}", str(error)
        )
        raise type(error)(text) from None
    return dict(zip(dims, found))
