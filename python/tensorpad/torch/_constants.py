"""Constants of a pad: numbers, elements and tensors.  SPDX-License-Identifier: MIT"""

import torch
from torch.compiler import is_compiling

from .._arguments import fill_value
from .._arrays import numbers_of, type_of_numpy


def element_of(dtype, value):
    """A constant as an element of NumPy: an integer of the width of the type, or complex128."""
    element = fill_value(type_of_numpy(dtype), value)
    width = element.itemsize
    return element if width == 16 else element.view(f"i{width}")


def number_for(x, value):
    """A constant as the number that an element of x holds, converted by NumPy; while tracing, only as far
    as needed."""
    if not is_compiling():
        return numbers_of(fill_value(type_of_numpy(x.dtype), value))[0]
    whole = not (x.dtype.is_floating_point or x.dtype.is_complex)
    return int(value) if whole and isinstance(value, float) else value


def put(run, x, amounts, values, axis):
    """x padded by `run`, with the elements of a tensor along an axis in the fill cells; axis None: one
    element for all."""
    padded = run(x, amounts, 0)
    empty = run(torch.zeros_like(x, dtype=torch.bool), amounts, 1)
    if axis is not None and tuple(values.shape) != (padded.shape[axis],):
        raise ValueError(
            f"constant_values has the shape {tuple(values.shape)}, but axis {axis} of the "
            f"result has {padded.shape[axis]} cells: give a value for each of them"
        )
    shape = [-1 if one == axis else 1 for one in range(x.dim())]
    return torch.where(
        empty, values.to(x.device, x.dtype, non_blocking=x.is_cuda).reshape(shape), padded
    )
