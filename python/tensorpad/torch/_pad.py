"""tensorpad.torch.pad.  SPDX-License-Identifier: MIT"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch.compiler import is_compiling
from torch.overrides import handle_torch_function, has_torch_function_unary

from .. import _core
from . import _amounts, _aten, _native, _operator
from ._function import ASKED, pad_of

if TYPE_CHECKING:
    from .. import _Axes, _Axis, _Interior, _Modes, _Order, _PadWidth

_is_exporting = getattr(torch.compiler, "is_exporting", lambda: False)


def pad(
    x: Any,
    pad_width: _PadWidth,
    mode: _Modes = "constant",
    *,
    constant_values: Any = 0,
    constant_axis: _Axis = None,
    interior: _Interior = 0,
    order: _Order = "window",
    axes: _Axes = None,
) -> Any:
    """Pad, crop or dilate a tensor. The arguments are those of tensorpad.pad.

    x: a tensor of any type, rank, device and layout of strides. The result is a new tensor of the same
        kind; it is channels_last where x is.
    constant_values: a number, two for each axis, or with constant_axis one for each cell; or a tensor
        of them, which gets its gradient.
    """
    if has_torch_function_unary(x):
        return handle_torch_function(
            pad,
            (x,),
            x,
            pad_width,
            mode,
            constant_values=constant_values,
            constant_axis=constant_axis,
            interior=interior,
            order=order,
            axes=axes,
        )
    tracing = is_compiling()
    if not tracing and constant_axis is None:  # the most frequent call, in one step
        made = _core.tensor_call(
            x, pad_width, mode, interior, order, axes, constant_values, ASKED, False
        )
        if made is not None:
            return made
    amounts = (_amounts.read_amounts if tracing else _core.axes)(
        x.dim(), pad_width, mode, interior, order, axes
    )
    is_number = type(constant_values) in (int, float) and constant_axis is None
    if tracing:
        run = _operator.operator_pad if _is_exporting() else _aten.pad
    else:
        run = pad_of(x)
    if is_number:
        exact = tracing or run is _native.library_pad or constant_values == 0
        return run(x, amounts, constant_values if exact else _number(x, constant_values))
    if run is _native.library_pad and not _has_tensors(constant_values):
        words = {
            "constant_values": constant_values,
            "constant_axis": constant_axis,
            "interior": interior,
            "order": order,
            "axes": axes,
        }
        made = _native.library_pad_by_words(x, amounts, pad_width, mode, words)
        if made is not None:
            return made
    return _filled(run, x, amounts, constant_values, constant_axis, axes)


# ---- Constants that are more than a number -------------------------------------------------------


def _has_tensors(values):
    return isinstance(values, torch.Tensor) or (
        isinstance(values, (list, tuple)) and any(map(_has_tensors, values))
    )


def _filled(run, x, amounts, constant_values, constant_axis, axes):
    """x padded by `run`, with constants as tensorpad.pad takes them."""
    if constant_axis is not None:
        axis = _amounts.axis_number(constant_axis, x.dim())
        return _replaced(run, x, amounts, _along(x, constant_values), axis)
    if isinstance(constant_values, torch.Tensor) and constant_values.numel() == 1:
        return _replaced(run, x, amounts, constant_values.reshape(1), None)
    pairs = _amounts.pairs(x.dim(), _listed(constant_values), axes, "constant_values")
    if all(_is_same(one, pairs[0][0]) for pair in pairs for one in pair):
        return _one(run, x, amounts, pairs[0][0] if pairs else _listed(constant_values))
    if any(one[2] for one in amounts):
        raise ValueError("with interior there can be only one constant value")
    made = x
    for axis, ((before, after, *others), pair) in enumerate(zip(amounts, pairs)):
        both = [
            ((before, after), pair[before <= 0])
        ]  # at most one side has cells, or none a constant
        if others[1] == _aten.CONSTANT and before > 0 and after > 0:
            both = [((before, 0), pair[0]), ((0, after), pair[1])]
        for widths, value in both:
            if any(widths) and 0 not in _aten.out_shape(x.shape, amounts):
                alone = [(0, 0, *others)] * x.dim()
                alone[axis] = (*widths, *others)
                # A constant with a gradient gives the tensor one.
                again = run if is_compiling() else pad_of(made)
                made = _one(again, made, tuple(alone), value)
    return made if made is not x else run(x, amounts, 0)


def _listed(values):
    """An array or a tensor as lists of its elements. Those of a tensor stay tensors: they may have
    derivatives, and lie on a device."""
    if isinstance(values, torch.Tensor):
        return [_listed(one) for one in values.unbind()] if values.dim() else values
    return values.tolist() if hasattr(values, "tolist") else values


def _along(x, values):
    """The constants along an axis, as a tensor."""
    if isinstance(values, torch.Tensor):
        return values
    if not hasattr(values, "__len__"):
        raise ValueError("constant_axis needs a list of constants, one for each cell of the axis")
    if _has_tensors(values):
        return torch.stack(
            [torch.as_tensor(value, dtype=x.dtype, device=x.device) for value in values]
        )
    return torch.tensor([_number(x, value) for value in values], dtype=x.dtype, device=x.device)


def _is_same(value, other):
    """Whether two constants are one number to the bit: -0.0 is not 0.0."""
    return value is other or (
        type(value) is type(other)
        and not isinstance(value, torch.Tensor)
        and value == other
        and (value != 0 or str(value) == str(other))
    )


def _one(run, x, amounts, value):
    if isinstance(value, torch.Tensor):
        return _replaced(run, x, amounts, value.reshape(1), None)
    return run(x, amounts, _number(x, value))


def _number(x, value):
    """A constant as a number of x's type. Where torch traces, only what is needed."""
    if not is_compiling():
        return _native.number_of_type(x.dtype, value)
    whole = not (x.dtype.is_floating_point or x.dtype.is_complex)
    return int(value) if whole and isinstance(value, float) else value


def _replaced(run, x, amounts, values, axis):
    """x padded, with the elements of a tensor along an axis in the cells that hold no element; axis None:
    the one element in all of them."""
    padded = run(x, amounts, 0)
    empty = run(torch.zeros_like(x, dtype=torch.bool), amounts, 1)
    if axis is not None and tuple(values.shape) != (padded.shape[axis],):
        raise ValueError(
            f"constant_values has the shape {tuple(values.shape)}, but axis {axis} of the "
            f"result has {padded.shape[axis]} cells: give a value for each of them"
        )
    shape = [-1 if one == axis else 1 for one in range(x.dim())]
    return torch.where(empty, values.to(x.device, x.dtype).reshape(shape), padded)
