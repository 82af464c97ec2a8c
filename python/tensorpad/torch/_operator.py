"""The operator tensorpad::pad, which torch.export writes into a program.  SPDX-License-Identifier: MIT

torch.compile does not see it: it fuses torch's own operators with what stands around them, which is faster
than a call that it cannot look into (docs/torch.md). torch itself takes the operator apart into what `_body`
calls, so all of torch's derivatives and transforms hold for a program, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from .. import _core
from . import _aten
from ._function import pad_of

_LIBRARY = torch.library.Library("tensorpad", "DEF")
_LIBRARY.define(
    "pad(Tensor x, SymInt[] before, SymInt[] after, SymInt[] interior, int[] modes, int[] orders, "
    "Scalar value) -> Tensor"
)


def operator_pad(x: Any, axes: tuple[tuple[Any, ...], ...], value: complex) -> Any:
    """x padded, by the operator. axes: five numbers for each axis."""
    columns = [list(column) for column in zip(*axes)] or [[]] * 5
    return torch.ops.tensorpad.pad(x, *columns, value)


def decompositions() -> dict[Any, Callable[..., Any]]:
    """A table for the run_decompositions of an exported program, after which it has operators of torch's
    ATen only."""
    table = torch.export.default_decompositions()
    table[torch.ops.tensorpad.pad.default] = _body
    return table


def _body(x, before, after, interior, modes, orders, value):
    columns = before, after, interior, modes, orders
    if any(len(column) != x.dim() for column in columns):  # they come from files
        raise ValueError(
            f"tensorpad::pad: a tensor of {x.dim()} axes needs {x.dim()} numbers in each list"
        )
    if not all(mode in _core.modes.values() for mode in modes) or not all(
        order in (0, _aten.CROP) for order in orders
    ):
        raise ValueError("tensorpad::pad: there is no such mode or order")
    axes = tuple(zip(*columns))
    if not all(type(one) is int for one in (*x.shape, *before, *after, *interior)):
        return _aten.pad(x, axes, value, _aten.by_index)
    return pad_of(x)(x, axes, value)


_LIBRARY.impl("pad", _body, "CompositeImplicitAutograd")
