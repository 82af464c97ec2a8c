"""Whether torch watches what is done with a tensor: records it, traces it, transforms it.
SPDX-License-Identifier: MIT

torch's dispatcher is asked. A tensor and a thread have keys, which say who is to see a call. The keys of
a plain tensor in the memory of the CPU are known, and with every other one somebody sees the call: a
mode, a transform of torch.func, a trace, another device, a lazy conjugate.
"""

import sys

_mask = None, 0  # the module torch, and the keys that a plain call does not have


def watched_keys(torch):
    """The keys that a plain call does not have, as bits."""
    key = torch._C.DispatchKey
    plain = torch._C.DispatchKeySet(key.CPU)
    for one in (key.AutogradCPU, key.ADInplaceOrView, key.BackendSelect, key.AutocastCPU):
        plain = plain.add(one)
    return ~plain.raw_repr()


def is_seen(tensor):
    """Whether more is to happen to a tensor than that its memory is read."""
    global _mask
    torch = sys.modules["torch"]
    if _mask[0] is not torch:
        _mask = torch, watched_keys(torch)
    keys = torch._C._dispatch_keys(tensor).raw_repr()
    return bool((keys | torch._C._dispatch_tls_local_include_set().raw_repr()) & _mask[1])


def is_thread_seen():
    """Whether every call of this thread is recorded or transformed, or may have tangents."""
    torch = sys.modules["torch"]
    keys = torch._C._dispatch_tls_local_include_set().raw_repr()
    return bool(keys & watched_keys(torch)) or torch.autograd.forward_ad._current_level >= 0


def has_derivatives(tensor):
    """Whether a gradient is wanted of the tensor, or it may have a tangent."""
    torch = sys.modules["torch"]
    return (
        tensor.requires_grad and torch.is_grad_enabled()
    ) or torch.autograd.forward_ad._current_level >= 0


def overrides_torch(kind):
    """Whether a type of tensors sees functions of torch, and makes their results. torch.nn.Parameter has a
    function of C there, which does nothing."""
    return kind is not sys.modules["torch"].Tensor and hasattr(
        getattr(kind, "__torch_function__", None), "__func__"
    )


def is_only_memory(tensor):
    """Whether nothing but a tensor of torch's own type is to come out, too."""
    return not (overrides_torch(type(tensor)) or is_seen(tensor) or has_derivatives(tensor))
