"""Tensors on NVIDIA GPUs: a pad and its transpose are one launch on torch's current stream, also under
autograd and torch.func.  SPDX-License-Identifier: MIT

Where the driver, NVRTC or a launch refuse, where a graph is captured before a kernel was loaded, and where torch
watches in other ways, torch's own operators (_aten.py) do the same.
"""

from __future__ import annotations

import warnings

import torch

from .. import _core, _gpu
from .._arrays import MAX_RANK, overrides_torch
from . import _aten

KIND = "cuda"  # of the devices whose tensors are padded here
stream_of = getattr(torch._C, "_cuda_getCurrentRawStream", None)  # of a device's number


def _keys(*names):
    keys = torch._C.DispatchKeySet(torch._C.DispatchKey.CPU)
    for name in names:
        keys = keys.add(getattr(torch._C.DispatchKey, name))
    return keys.raw_repr()


_PLAIN = _keys(
    *("CUDA", "AutogradCUDA", "AutogradCPU", "ADInplaceOrView", "BackendSelect"),
    *("AutocastCUDA", "AutocastCPU"),
)
_TRANSFORMED = _keys(
    *("FuncTorchBatched", "FuncTorchGradWrapper", "FuncTorchVmapMode"),
    *("FuncTorchDynamicLayerBackMode", "FuncTorchDynamicLayerFrontMode"),
)


def use_gpu(on: bool = True) -> None:
    """Pads tensors on NVIDIA GPUs by tensorpad's own kernels, in this process, or by torch's operators.

    on: True for the kernels; False, which is the default unless TENSORPAD_GPU=1 is set, for torch's.

    The kernels have not run on a GPU in this form yet. RuntimeError if there is no driver.
    """
    if on:
        _gpu.open_driver()
    _gpu.on = bool(on)


def instead_of(aten, x):
    """What pads a tensor, or adds its cells, that the library does not read: `aten`, of _aten.py, or the
    function here that does the same by a launch."""
    if not _gpu.on or x.device.type != KIND or x.dim() > MAX_RANK or overrides_torch(type(x)):
        return aten
    launched, recorded = WAYS[aten]
    seen = torch._C._dispatch_keys(x).raw_repr()
    seen = (seen | torch._C._dispatch_tls_local_include_set().raw_repr()) & ~_PLAIN
    if seen & ~_TRANSFORMED:
        return aten
    derived = (x.requires_grad and torch.is_grad_enabled()) or (
        torch.autograd.forward_ad._current_level >= 0
    )
    return recorded if seen or derived else launched


def _run(number, shape, axes, src, dst, fill):
    """Launches; False if torch's operators have to do it."""
    index = src.device.index or 0
    try:
        _gpu.open_driver()
        return _core.gpu_run(
            *(number, False, shape, axes, src.element_size(), src.element_size()),
            *((src.data_ptr(), src.stride()), (dst.data_ptr(), dst.stride())),
            *(fill, index, stream_of(index)),
        )
    except RuntimeError as error:
        _gpu.on = False
        warnings.warn(f"torch's operators pad from here on: {error}", stacklevel=2)
        return False


# ---- Where torch's operators are quicker ------------------------------------------------------------

# Measured on an H200 (docs/gpu.md): a launch that writes fewer bytes, or rows so short that each takes more
# instructions than its bytes are worth.
FEW_BYTES = 1 << 20
SHORT_ROW = 32  # bytes
_FLOATS = (torch.float16, torch.bfloat16, torch.float32, torch.float64)
_WORDS = {_aten.REFLECT: "reflect", _aten.EDGE: "replicate"}


def _of_torch(x, axes, shape, value):
    """What F.pad returns, where it is quicker and the same; None elsewhere. Its backward is not asked for:
    that of `reflect` and `replicate` is not the same in each run."""
    padded = [axis for axis, one in enumerate(axes) if one[0] or one[1] or one[2]]
    if not padded or 0 in shape or 0 in x.shape or any(one[2] for one in axes):
        return None
    cells = 1
    for extent in shape[padded[-1] :]:
        cells *= extent
    total = made = x.element_size() * cells
    for extent in shape[: padded[-1]]:
        made *= extent
    if made >= FEW_BYTES and total > SHORT_ROW:
        return None
    modes = {axes[axis][3] for axis in padded}
    if modes == {_aten.CONSTANT}:
        return _aten.pad(x, axes, value)
    count = x.dim() - padded[0]
    if (
        len(modes) > 1
        or modes.isdisjoint(_WORDS)
        or x.dtype not in _FLOATS
        or not x.is_contiguous()
        or not 1 <= count <= 3
        or x.dim() - count not in (1, 2)
        or made // total >= 65536
        or any(not 0 <= side < x.shape[axis] for axis in padded for side in axes[axis][:2])
    ):
        return None
    amounts = [side for one in reversed(axes[padded[0] :]) for side in one[:2]]
    return torch.nn.functional.pad(x, amounts, _WORDS[modes.pop()])


# ---- A pad and its transpose -----------------------------------------------------------------------


def _element(dtype, value):
    """A number as the bytes of an element; None for 0."""
    if type(value) is int and value == 0:
        return None
    from ._pad import _fill

    return _fill(dtype, value).tobytes()


def launched_pad(x, axes, value, is_recorded=False):
    """x padded: new memory. value: a number of Python."""
    _aten._check(x.shape, axes)
    shape = _aten.out_shape(x.shape, axes)
    made = None
    if not is_recorded or all(one[3] == _aten.CONSTANT for one in axes):
        made = _of_torch(x, axes, shape, value)
    if made is None:
        made = _aten.empty_as(x, shape)
        if not _run(0, x.shape, axes, x, made, _element(x.dtype, value)):
            made = _aten.pad(x, axes, value)
    return made


_NUMBERS = {getattr(torch, name): number for name, number in _gpu.NUMBERS.items() if hasattr(torch, name)}


def launched_adjoint(grad, shape, axes):
    """The transpose of a pad with 0, the same in each run."""
    number = _NUMBERS.get(grad.dtype)
    if number is None:
        return _aten.adjoint(grad, shape, axes)
    if any(extent > 1 and step == 0 for extent, step in zip(grad.shape, grad.stride())):
        grad = grad.contiguous()  # each cell needs a place of its own
    crops = tuple((-before, -after, *rest) for before, after, *rest in axes)
    made = None
    if all(one[3] == _aten.CONSTANT for one in axes):
        made = _of_torch(grad, crops, shape, 0)
    if made is None:
        made = _aten.empty_as(grad, shape)
        if not _run(number, shape, axes, grad, made, None):
            made = _aten.adjoint(grad, shape, axes)
    return made


class PadOnGpu(torch.autograd.Function):
    """apply(x, axes, value): x padded."""

    @staticmethod
    def forward(x, axes, value):
        return launched_pad(x, axes, value, True)

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, ctx.axes, _ = inputs
        ctx.shape = x.shape

    @staticmethod
    def backward(ctx, grad):
        return AdjointOnGpu.apply(grad, ctx.shape, ctx.axes), None, None

    @staticmethod
    def jvp(ctx, tangent, axes, value):
        return PadOnGpu.apply(tangent, ctx.axes, 0)

    @staticmethod
    def vmap(info, dims, x, axes, value):
        return PadOnGpu.apply(x.movedim(dims[0], 0), ((0,) * 5, *axes), value), 0


class AdjointOnGpu(torch.autograd.Function):
    """apply(grad, shape, axes): the transpose of PadOnGpu with 0."""

    @staticmethod
    def forward(grad, shape, axes):
        return launched_adjoint(grad, shape, axes)

    @staticmethod
    def setup_context(ctx, inputs, output):
        _, ctx.shape, ctx.axes = inputs

    @staticmethod
    def backward(ctx, grad):
        return PadOnGpu.apply(grad, ctx.axes, 0), None, None

    @staticmethod
    def jvp(ctx, tangent, shape, axes):
        return AdjointOnGpu.apply(tangent, ctx.shape, ctx.axes)

    @staticmethod
    def vmap(info, dims, grad, shape, axes):
        shape = (info.batch_size, *shape)
        return AdjointOnGpu.apply(grad.movedim(dims[0], 0), shape, ((0,) * 5, *axes)), 0


WAYS = {
    _aten.pad: (launched_pad, PadOnGpu.apply),
    _aten.adjoint: (launched_adjoint, AdjointOnGpu.apply),
}
