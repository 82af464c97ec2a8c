"""Tensors on NVIDIA GPUs: a pad and its transpose are one launch each on torch's current stream,
also under autograd and torch.func. SPDX-License-Identifier: MIT

If the driver, NVRTC or a launch fails, if a graph is captured before a kernel was loaded, or if
torch intercepts calls in other ways, torch's own operators (_aten.py) do the same.
"""

from __future__ import annotations

import warnings

import torch
from torch.nn.functional import pad as _torchs_pad  # kept, so that it may be replaced by ours

from .. import _core, _gpu
from .._arrays import MAX_RANK, has_derivatives, overrides_torch
from . import _aten
from ._constants import element_of, number_for, put

KIND = "cuda"  # of the devices whose tensors are padded here
_DLPACKS = {"cpu": 1, "cuda": 2}  # DLPack's numbers of devices
stream_of = getattr(torch._C, "_cuda_getCurrentRawStream", None)


def _keys(*names):
    keys = torch._C.DispatchKeySet(torch._C.DispatchKey.CPU)
    for name in names:
        keys = keys.add(getattr(torch._C.DispatchKey, name))
    return keys.raw_repr()


PLAIN = _keys(
    *("CUDA", "AutogradCUDA", "AutogradCPU", "ADInplaceOrView", "BackendSelect"),
    *("AutocastCUDA", "AutocastCPU"),
)
_TRANSFORMED = _keys(
    *("FuncTorchBatched", "FuncTorchGradWrapper", "FuncTorchVmapMode"),
    *("FuncTorchDynamicLayerBackMode", "FuncTorchDynamicLayerFrontMode"),
)


# Measured on an H200 (docs/gpu.md): torch's own pads are faster if a pad writes fewer bytes, or
# rows too short for the instructions per row.
FEW_BYTES = 1 << 20
SHORT_ROW = 32  # bytes


def use_gpu(on: bool = True) -> None:
    """Chooses tensorpad's own kernels or torch's operators for tensors on NVIDIA GPUs, in this process.

    on: True for the kernels; False, which is the default unless TENSORPAD_GPU=1 is set, for torch's.

    RuntimeError if there is no CUDA driver, or it or torch is too old. The kernels have not run on
    a GPU yet.
    """
    if on and not hasattr(torch.Tensor, "__dlpack_c_exchange_api__"):
        raise RuntimeError("a newer torch is needed, which has DLPack's exchange of tensors in C")
    if on:
        _gpu.open_driver()
    _gpu.on = bool(on)
    _core.gpu_switch(_DLPACKS[KIND] if on else 0, FEW_BYTES, SHORT_ROW)


def is_here(x):
    """Whether the kernels pad tensors on this device."""
    return _gpu.on and x.device.type == KIND


def instead_of(aten, recorded, x):
    """The function for a tensor that the library cannot read: `aten`, of _aten.py, or its
    equivalent by a launch: `recorded` if only autograd intercepts it."""
    if not is_here(x) or x.dim() > MAX_RANK or overrides_torch(type(x)):
        return aten
    seen = torch._C._dispatch_keys(x).raw_repr()
    seen = (seen | torch._C._dispatch_tls_local_include_set().raw_repr()) & ~PLAIN
    if seen & ~_TRANSFORMED or (seen and _is_functionalized()):
        return aten
    launched, transformed = _WAYS[aten]
    if seen or torch.autograd.forward_ad._current_level >= 0:
        return transformed
    return recorded if x.requires_grad and torch.is_grad_enabled() else launched


def current_stream(index):
    """torch's current stream on the device of this number."""
    return stream_of(index)


def _is_functionalized():
    """Whether torch.func.functionalize is active, which supports no custom functions."""
    stack = torch._C._functorch.get_interpreter_stack() or ()
    return any(one.key() == torch._C._functorch.TransformType.Functionalize for one in stack)


def _run(number, shape, axes, src, dst, fill):
    """Launches; False if torch's operators must do it."""
    index, width = src.device.index or 0, src.element_size()
    arrays = (src.data_ptr(), src.stride()), (dst.data_ptr(), dst.stride())
    try:
        return _core.gpu_run(
            number, False, shape, axes, width, width, *arrays, fill, index, current_stream(index)
        )
    except RuntimeError as error:
        use_gpu(False)
        warnings.warn(f"torch's operators pad from here on: {error}", stacklevel=2)
        return False


def by_torch(x, axes, value):
    """The pad by torch.nn.functional.pad, for calls where the extension finds it faster."""
    mode = max(one[3] for one in axes)
    amounts = [side for one in reversed(axes) for side in one[:2]]
    while amounts[-2:] == [0, 0]:
        del amounts[-2:]
    words = {_aten.REFLECT: ("reflect",), _aten.EDGE: ("replicate",)}
    return _torchs_pad(x, amounts, *words.get(mode, ("constant", value)))


# ---- A pad and its transpose ---------------------------------------------------------------------


def _element(dtype, value):
    """A number as the bytes of an element; None for 0."""
    if type(value) is int and value == 0:
        return None
    return element_of(dtype, value).tobytes()


def launched_pad(x, axes, value):
    """x padded, in new memory. value: a Python number; or (tensor, axis): elements on the device
    along an axis, or one with None."""
    filled = type(value) is tuple
    padded = None if filled else _core.tensor_pad(x, axes, value, current_stream)
    if padded is not None:
        return padded
    _aten._check(x.shape, axes)
    padded = _aten.empty_as(x, _aten.out_shape(x.shape, axes))
    fill = _elements(x, *value) if filled else _element(x.dtype, value)
    if _run(0, x.shape, axes, x, padded, fill):
        return padded
    return put(_aten.pad, x, axes, *value) if filled else _aten.pad(x, axes, value)


def padded_batch(items, axes, value):
    """Pads tensors into the rows of a new one by a launch each, without a copy afterwards; None if
    some tensor needs more (such as a gradient). axes: of each tensor; all results have one shape.
    value: a number."""
    first = items[0]
    ways = {instead_of(_aten.pad, None, item) for item in items}
    if ways != {launched_pad} or any(item.device != first.device for item in items):
        return None
    for item, one in zip(items, axes):
        _aten._check(item.shape, one)
    shape = len(items), *_aten.out_shape(first.shape, axes[0])
    batch, fill = first.new_empty(shape), _element(first.dtype, number_for(first, value))
    runs = zip(items, axes, batch.unbind())
    return batch if all(_run(0, x.shape, one, x, row, fill) for x, one, row in runs) else None


def _elements(x, values, axis):
    steps = [values.stride(0) if one == axis else 0 for one in range(x.dim())]
    return values.data_ptr(), steps


def filled(run, x, axes, values, axis):
    """x padded by `run` with constants on the device, which are not read back; None if a launch
    does not suffice: their gradient is wanted, or a transform is active."""
    if not is_here(x) or run == _aten.pad or values.device != x.device or has_derivatives(values):
        return None
    extents = _aten.out_shape(x.shape, axes)
    if torch._C._dispatch_keys(values).raw_repr() & ~PLAIN or (
        values.dim() != 1 or values.numel() != (1 if axis is None else extents[axis])
    ):
        return None
    return run(x, axes, (values.to(x.dtype), axis))


_NUMBERS = {
    getattr(torch, name): number for name, number in _gpu.NUMBERS.items() if hasattr(torch, name)
}


def launched_adjoint(grad, shape, axes):
    """The transpose of a pad with 0, deterministic."""
    summed = _core.tensor_adjoint(grad, shape, axes, current_stream)
    if summed is not None:
        return summed
    number = _NUMBERS.get(grad.dtype)
    if number is None:
        return _aten.adjoint(grad, shape, axes)
    if any(extent > 1 and step == 0 for extent, step in zip(grad.shape, grad.stride())):
        grad = grad.contiguous()  # each cell needs its own memory
    summed = _aten.empty_as(grad, shape)
    return (
        summed
        if _run(number, shape, axes, grad, summed, None)
        else _aten.adjoint(grad, shape, axes)
    )


class Transformed(torch.autograd.Function):
    """apply(x, shape, axes, value): the same under torch.func, or if a tangent may be wanted.
    shape: None for a pad, else the shape of the transpose's result."""

    @staticmethod
    def forward(x, shape, axes, value):
        return launched_pad(x, axes, value) if shape is None else launched_adjoint(x, shape, axes)

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, ctx.shape, ctx.axes, _ = inputs
        ctx.padded = x.shape

    @staticmethod
    def backward(ctx, grad):
        if ctx.shape is None:
            gradient = instead_of(_aten.adjoint, _added, grad)(grad, ctx.padded, ctx.axes)
        else:
            gradient = instead_of(_aten.pad, _padded, grad)(grad, ctx.axes, 0)
        return gradient, None, None, None

    @staticmethod
    def jvp(ctx, tangent, *_):
        return Transformed.apply(tangent, ctx.shape, ctx.axes, 0)

    @staticmethod
    def vmap(info, dims, x, shape, axes, value):
        if shape is not None:
            shape = info.batch_size, *shape
        if type(value) is tuple and value[1] is not None:
            value = value[0], value[1] + 1
        return Transformed.apply(x.movedim(dims[0], 0), shape, ((0,) * 5, *axes), value), 0


def _padded(x, axes, value):
    return Transformed.apply(x, None, axes, value)


def _added(grad, shape, axes):
    return Transformed.apply(grad, shape, axes, 0)


_WAYS = {_aten.pad: (launched_pad, _padded), _aten.adjoint: (launched_adjoint, _added)}

if _gpu.on:
    try:
        use_gpu()
    except RuntimeError as error:
        _gpu.on = False
        warnings.warn(f"TENSORPAD_GPU=1, but torch's operators pad: {error}", stacklevel=2)
