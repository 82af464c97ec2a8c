"""torch.nn.functional.pad, and calls that it refuses. SPDX-License-Identifier: MIT"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, SupportsIndex, TypeAlias

import torch
from torch.compiler import is_compiling
from torch.nn.functional import pad as _torchs_pad  # kept, so that it may be replaced by ours
from torch.overrides import has_torch_function_unary

from .. import _core
from ._pad import ASKED, pad as _pad

_Words: TypeAlias = Literal["constant", "reflect", "replicate", "circular", "symmetric"]

__all__ = ["pad"]

# torch's modes, with tensorpad's mode and torch's order of crop and pad.
_MODES = {
    "constant": ("constant", "window"),
    "reflect": ("reflect", "window"),
    "replicate": ("edge", "window"),
    "circular": ("wrap", "crop"),
    "symmetric": ("symmetric", "window"),
}


def pad(
    input: torch.Tensor,
    pad: Sequence[SupportsIndex],
    mode: _Words = "constant",
    value: complex | None = None,
) -> torch.Tensor:
    """The same bits as torch.nn.functional.pad, also for calls that it refuses: every rank, type
    and amount in every mode. (A constant that is not exact in float32 is rounded to float16 once,
    not twice; an integer that is not exact in float64 stays exact.)

    input: a tensor.
    pad: (before, after) of the last axis, then of the one before it, and so on.
    mode, value: as in torch, plus mode symmetric.
    """
    number = 0 if value is None else value
    if not is_compiling() and not has_torch_function_unary(
        input
    ):  # the most frequent call, in one step
        padded = _core.tensor_call(input, pad, mode, 0, None, None, number, ASKED, True)
        if padded is False:  # so small that this is faster
            words = {} if mode != "constant" else {"value": value}
            return _torchs_pad(input, pad, mode, **words)
        if padded is not None:
            return padded
    if mode not in _MODES:
        raise ValueError(f"mode {mode!r} is not supported: it is one of {', '.join(_MODES)}")
    if mode != "constant" and value not in (None, 0):
        raise ValueError(f"mode {mode!r} takes no value")
    if len(pad) % 2 != 0 or len(pad) > 2 * input.dim():
        raise ValueError(
            f"pad has {len(pad)} numbers: it needs two for each of at most {input.dim()} axes"
        )
    word, order = _MODES[mode]
    count = len(pad) // 2
    pairs = [(pad[2 * axis], pad[2 * axis + 1]) for axis in reversed(range(count))]
    if all(type(cells) is int and cells <= 0 for cells in pad):
        number = 0  # torch ignores it, too
    return _pad(
        input,
        pairs,
        word,
        constant_values=_number(input.dtype, number) if word == "constant" else 0,
        order=order,
        axes=list(range(input.dim() - count, input.dim())),
    )


def _number(dtype, value):
    """The constant. OverflowError if it would become infinite, which torch also refuses."""
    is_whole = not (dtype.is_floating_point or dtype.is_complex)
    number = value if is_whole and type(value) is int else float(value)
    if not is_whole and type(number) is float and torch.finfo(dtype).max < abs(number) < math.inf:
        raise OverflowError(
            f"value {value!r}: {dtype} holds numbers up to {torch.finfo(dtype).max:.8g}"
        )
    return number
