"""A pad and its transpose by the library, for tensors in the memory of the CPU that nobody watches.
SPDX-License-Identifier: MIT"""

import functools

import torch

from .. import _core
from .._arguments import fill_value
from .._watched import watched_keys
from . import _aten

KEYS = (
    torch._C._dispatch_keys,
    torch._C._dispatch_tls_local_include_set,
    watched_keys(torch) & 2**64 - 1,
)
_keys_of, _keys_of_thread, _WATCHED = KEYS
_INTEGERS = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}


def is_plain(tensor):
    """Whether all that happens to a tensor is that its memory is read, but for its gradient."""
    return not (_keys_of(tensor).raw_repr() | _keys_of_thread().raw_repr()) & _WATCHED


def _threads():
    return min(_core.thread_count(), torch.get_num_threads())


def library_pad(x, axes, value):
    """x padded: new memory. value: a number of Python."""
    made = _core.tensor_pad(x, axes, value, torch.get_num_threads)
    if made is not None:
        return made
    made = _aten.empty_as(x, _core.plan(x.shape, axes, 8)[2])
    _core.move(_bits(x), _bits(made), axes, _fill(x.dtype, value), _threads())
    return made


def library_pad_by_words(x, axes, pad_width, mode, words):
    """The same by tensorpad.pad, with the other words of a call; None for types that NumPy lacks."""
    if _own_type(x.dtype) is None:
        return None
    made = _aten.empty_as(x, _core.plan(x.shape, axes, 8)[2])
    _core.pad(x.detach().numpy(), pad_width, mode, out=made.numpy(), threads=_threads(), **words)
    return made


def library_adjoint(grad, shape, axes):
    """The transpose of `pad` with 0: tensorpad.pad_adjoint, or torch's sums for types that it does not add."""
    made = _core.tensor_adjoint(grad, shape, axes, torch.get_num_threads)
    if made is not None:
        return made
    is_bfloat16 = grad.dtype == torch.bfloat16
    if not is_bfloat16 and _own_type(grad.dtype) is None:
        return _aten.adjoint(grad, shape, axes)
    made = _aten.empty_as(grad, shape)
    views = (_bits(one) if is_bfloat16 else one.detach().numpy() for one in (grad, made))
    _core.move_back(*views, axes, is_bfloat16, _threads())
    return made


def number_of_type(dtype, value):
    """A constant as the number that elements of this type hold: what NumPy makes of it."""
    own = _own_type(dtype)
    return torch.tensor(value, dtype=dtype).item() if own is None else fill_value(own, value).item()


@functools.cache
def _own_type(dtype):
    """The type that NumPy has for a type of torch, or None."""
    try:
        return torch.empty(0, dtype=dtype).numpy().dtype
    except TypeError:
        return None


def _bits(tensor):
    """The elements of a tensor as an array of NumPy: integers of their width, or complex128."""
    kind = _INTEGERS.get(tensor.dtype.itemsize)
    return (tensor.detach().view(kind) if kind else tensor.detach()).numpy()


def _fill(dtype, value):
    """One such element."""
    own = _own_type(dtype)
    made = (
        torch.tensor([value], dtype=dtype)
        if own is None
        else torch.from_numpy(fill_value(own, value))
    )
    return _bits(made)
