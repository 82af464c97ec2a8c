"""A pad whose gradient torch's autograd records.  SPDX-License-Identifier: MIT

Both directions are the library's. A pad is linear but for its constant, so a second gradient is
padded with 0.
"""

import torch

from .._arrays import MAX_RANK, check_numbers
from . import _aten, _native

_forward_ad = torch.autograd.forward_ad


class PadFunction(torch.autograd.Function):
    """apply(x, axes, value): x padded. x: plain memory of the CPU, as is_plain says."""

    @staticmethod
    def forward(ctx, x, axes, value):
        ctx.shape, ctx.axes = x.shape, axes
        return _native.library_pad(x, axes, value)

    @staticmethod
    def backward(ctx, grad):
        return _adjoint_of(grad)(grad, ctx.shape, ctx.axes), None, None


class AdjointFunction(torch.autograd.Function):
    """apply(grad, shape, axes): the transpose of PadFunction with 0."""

    @staticmethod
    def forward(ctx, grad, shape, axes):
        ctx.axes = axes
        return _native.library_adjoint(grad, shape, axes)

    @staticmethod
    def backward(ctx, grad):
        return pad_of(grad)(grad, ctx.axes, 0), None, None


# What the extension asks by itself before the most frequent call, for tensors of torch's own types.
ASKED = (
    torch.Tensor,
    torch.nn.Parameter,
    *_native.KEYS,
    torch.is_grad_enabled,
    _forward_ad,
    "raw_repr",
    "_current_level",
    "requires_grad",
    PadFunction.apply,
    torch.get_num_threads,
)


def pad_of(x):
    """What pads this tensor, outside of torch.compile: it is called with x, axes and value."""
    return _chosen(x, _native.library_pad, PadFunction.apply, _aten.pad)


def _adjoint_of(grad):
    return _chosen(grad, _native.library_adjoint, AdjointFunction.apply, _aten.adjoint)


def _is_for_library(tensor):
    return _native.is_plain(tensor) and _forward_ad._current_level < 0 and tensor.dim() <= MAX_RANK


def _chosen(tensor, library, recorded, aten):
    """Of three ways the one for a tensor: the library's, that with a record for autograd, or torch's own
    operators, which every transform of torch can look into."""
    if not _is_for_library(tensor):
        check_numbers(tensor)
        return aten
    return recorded if tensor.requires_grad and torch.is_grad_enabled() else library
