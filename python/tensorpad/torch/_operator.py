"""The operators tensorpad::pad and tensorpad::pad_adjoint, which torch.export writes into a program.
SPDX-License-Identifier: MIT

torch.compile does not see them: it fuses torch's own operators with what stands around them, which is
faster than a call (docs/torch.md).
"""
import torch

from .. import _core
from . import _aten, _native

_AXES = "SymInt[] before, SymInt[] after, SymInt[] interior, int[] modes, int[] orders"


def pad(x, axes, value):
    """x padded, by the operator. axes: five numbers for each axis."""
    return torch.ops.tensorpad.pad(x, *_columns(axes), value)


def decompositions():
    """A table for torch.export's run_decompositions and torch._decomp: what the operators are in
    torch's own."""
    return {torch.ops.tensorpad.pad.default: _pad_of_aten,
            torch.ops.tensorpad.pad_adjoint.default: _adjoint_of_aten}


def _columns(axes):
    return [list(column) for column in zip(*axes)] or [[]] * 5


def _pad_of_aten(x, before, after, interior, modes, orders, value):
    return _aten.pad(x, tuple(zip(before, after, interior, modes, orders)), value)


def _adjoint_of_aten(grad, shape, before, after, interior, modes, orders):
    return _aten.adjoint(grad, shape, tuple(zip(before, after, interior, modes, orders)))


def _check(rank, *columns):
    """The lists come from files."""
    if any(len(column) != rank for column in columns):
        raise ValueError(f"tensorpad::pad: a tensor of {rank} axes needs {rank} numbers in each list")
    if not all(mode in _core.modes.values() for mode in columns[3]) or \
            not all(order in (0, _aten.CROP) for order in columns[4]):
        raise ValueError("tensorpad::pad: there is no such mode or order")


@torch.library.custom_op("tensorpad::pad", mutates_args=(),
                         schema=f"(Tensor x, {_AXES}, Scalar value) -> Tensor")
def _pad(x, before, after, interior, modes, orders, value):
    _check(x.dim(), before, after, interior, modes, orders)
    axes = tuple(zip(before, after, interior, modes, orders))
    return (_native if _native.is_plain(x) else _aten).pad(x, axes, value)


@torch.library.custom_op("tensorpad::pad_adjoint", mutates_args=(),
                         schema=f"(Tensor grad, SymInt[] shape, {_AXES}) -> Tensor")
def _adjoint(grad, shape, before, after, interior, modes, orders):
    _check(grad.dim(), before, after, interior, modes, orders, shape)
    axes = tuple(zip(before, after, interior, modes, orders))
    return (_native if _native.is_plain(grad) else _aten).adjoint(grad, shape, axes)


@_pad.register_fake
def _(x, before, after, interior, modes, orders, value):
    axes = tuple(zip(before, after, interior, modes, orders))
    return _aten.empty_as(x, _aten.out_shape(x.shape, axes))


@_adjoint.register_fake
def _(grad, shape, before, after, interior, modes, orders):
    return _aten.empty_as(grad, shape)


def _keep(ctx, inputs, output):
    ctx.shape, ctx.words = inputs[0].shape, inputs[1:6]


def _keep_adjoint(ctx, inputs, output):
    ctx.words = inputs[2:7]


_pad.register_autograd(
    lambda ctx, grad: (torch.ops.tensorpad.pad_adjoint(grad, ctx.shape, *ctx.words), *[None] * 6),
    setup_context=_keep)
_adjoint.register_autograd(
    lambda ctx, grad: (torch.ops.tensorpad.pad(grad, *ctx.words, 0), *[None] * 6),
    setup_context=_keep_adjoint)
