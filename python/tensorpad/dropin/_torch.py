"""The function that stands in for torch.nn.functional.pad, and where it is put.  SPDX-License-Identifier: MIT"""

import functools
import sys

import torch
from torch.overrides import has_torch_function_unary

from tensorpad.torch import functional

from .._arrays import is_thread_seen
from . import _stand_in
from ._tally import TENSORPAD, TORCH, Tally, counter

torch_pad = torch.nn.functional.pad
ROUNDED = {torch.float16: 4e-3, torch.bfloat16: 3e-2, torch.float32: 1e-5, torch.complex64: 1e-5}


def _is_ours(x):
    """Whether tensorpad runs it: plain tensors of the CPU; torch pads all others in ways of its own."""
    return type(x) in (torch.Tensor, torch.nn.Parameter) and x.device.type == "cpu"


def _alone(x, *words):
    """torch's pad of the same memory, of which the program's graph, hooks and checkpoints see nothing."""
    with torch.no_grad():
        return torch_pad(x.detach(), *words)


def _gradients(result, x, *words):
    """How the gradients of both pads differ, or None. Copies of x are padded again, under hooks of their own
    for what autograd saves."""
    if not (result.requires_grad and result.numel()):
        return None
    draw = torch.Generator().manual_seed(0)
    grad = torch.rand(result.shape, generator=draw).to(result.dtype)
    found = []
    with torch.autograd.graph.saved_tensors_hooks(lambda saved: saved, lambda saved: saved):
        for pad in (functional.pad, torch_pad):
            copy = x.detach().requires_grad_()
            found += torch.autograd.grad(pad(copy, *words), copy, grad)
    ours, expected = found
    rounded = ROUNDED.get(result.dtype, 1e-12)
    if torch.allclose(ours, expected, rounded, rounded, equal_nan=True):
        return None
    return f"gradients differ by up to {(ours - expected).abs().max().item():.3g}"


def _difference(result, error, theirs, refused, call):
    x, amounts, *_ = call
    found = (
        _stand_in.errors(error, refused, "torch")
        if error or refused
        else _stand_in.tensors(result.detach(), theirs) or _gradients(result, *call)
    )
    return found and f"tensor {x.dtype} {tuple(x.shape)}, pad {amounts!r}: {found}"


def make(tally, verify, one_in):
    """The function, which takes what torch.nn.functional.pad takes and counts each call.

    verify: torch's runs each call as well; else one call in one_in (0: none)."""
    run = counter(tally, verify, one_in, _difference)

    def pad(input, pad, mode="constant", value=None):
        # A subclass or a mode that sees the call makes it again; what a transform sees is no time.
        if (
            torch.compiler.is_compiling()
            or not isinstance(input, torch.Tensor)
            or has_torch_function_unary(input)
            or is_thread_seen()
        ):
            return torch_pad(input, pad, mode, value)
        caller = sys._getframe(1)
        place = caller.f_code.co_filename, caller.f_lineno, str(mode)
        ours = _is_ours(input)
        return run(
            caller,
            place,
            TENSORPAD if ours else TORCH,
            functional.pad if ours else torch_pad,
            _alone,
            (input, pad, mode, value),
            {},
            not ours,
        )

    return functools.wraps(torch_pad)(pad)


def replace(function):
    """Puts it wherever a module that is loaded holds torch's pad. What torch.jit.script compiles has torch's
    operator."""
    _stand_in.replace_everywhere(torch_pad, function)
    torch.jit._builtins._register_builtin(function, "aten::pad")


def install(tally, verify, one_in):
    """From now on torch.nn.functional.pad is ours, here and in processes that multiprocessing starts."""
    for pad in (functional.pad, torch_pad):
        pad(
            torch.zeros(1, 1, 2), (1, 1), "replicate"
        )  # what the first call loads is not the program's time
    replace(make(tally, verify, one_in))
    _stand_in.follow(_join, tally, verify, one_in)


def _join(folder, verify, one_in):
    """install, in such a process."""
    install(Tally(folder), verify, one_in)
