"""Foreign arrays, in and out. SPDX-License-Identifier: MIT

Every input becomes a NumPy array, without a copy if possible: NumPy arrays, torch tensors, anything
with DLPack on the CPU or the buffer protocol, and finally whatever numpy.asarray accepts. An output
is of the input's kind: a torch tensor for a torch tensor, else a NumPy array.
"""

from __future__ import annotations

import contextlib
import sys
import threading

import numpy

from . import _core
from ._carriers import carries, package_of, refuse

MAX_RANK = 16
CPU = 1  # of DLPack's devices
# By package: how to copy an array to the CPU.
TO_CPU = {"cupy": "cupy.asnumpy(x)", "jax": "jax.device_get(x)", "jaxlib": "jax.device_get(x)"}
MORE_THAN_NUMBERS = "the {} holds more than one tensor of numbers: pad the tensors in it"


class _OfThread(threading.local):
    make_tensor = None  # makes torch's outputs in this thread; None: torch.empty


of_thread = _OfThread()


@contextlib.contextmanager
def results_in(make_tensor):
    """Makes torch outputs of this thread with a function; None: no change."""
    before = of_thread.make_tensor
    of_thread.make_tensor = make_tensor or before
    try:
        yield
    finally:
        of_thread.make_tensor = before


class Source:
    """An input as a NumPy array, and how to make an output of the same kind."""

    maker = None  # in place of `out`, for the extension; None: NumPy's

    def __init__(self, array):
        self.array = array

    def wrap(self, array):
        """A computed NumPy array in the form that the caller expects."""
        return array


class TorchSource(Source):
    def __init__(self, tensor, is_read=True):
        super().__init__(torch_view(tensor) if is_read else None)
        self.tensor = tensor

    @property
    def maker(self):
        return self

    def _output_of_shape(self, shape):
        """A new output, and the NumPy array that writes it."""
        torch = sys.modules["torch"]
        layout = (
            layout_of(self.tensor) if len(shape) == self.tensor.dim() else torch.contiguous_format
        )
        make = of_thread.make_tensor or torch.empty
        output = make(tuple(shape), dtype=self.tensor.dtype, memory_format=layout)
        return output, torch_view(output)

    def wrap(self, array):
        return sys.modules["torch"].from_numpy(numpy.ascontiguousarray(array))


def channels_come_last(tensor):
    """Whether a tensor of 4 or 5 axes has its channels last in memory, by torch's own rule for
    results: memory may have gaps, and strides of axes of one cell count. Looks only at strides,
    which torch.vmap and torch.compile allow."""
    if tensor.dim() not in (4, 5):
        return False
    shape, strides = tensor.shape, tensor.stride()
    least = 0
    for axis in (1, *range(tensor.dim() - 1, 1, -1), 0):
        if (
            shape[axis] == 0
            or strides[axis] == 0
            or strides[axis] < least
            or (axis == 0 and least == strides[1])
        ):
            return False
        least = strides[axis] * max(shape[axis], 1)
    return True


def layout_of(tensor):
    """The memory format of a tensor's results: channels_last stays, all else becomes contiguous."""
    torch = sys.modules["torch"]
    if not channels_come_last(tensor):
        return torch.contiguous_format
    return torch.channels_last if tensor.dim() == 4 else torch.channels_last_3d


def is_torch(thing):
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(thing, torch.Tensor)


def check_dense(tensor):
    """TypeError for nested and sparse tensors."""
    if tensor.is_nested:
        raise TypeError(
            "the tensor is nested: tensorpad.pad_batch(x.unbind()) pads its parts into one tensor"
        )
    if tensor.layout != sys.modules["torch"].strided:
        raise TypeError(f"the tensor is {tensor.layout}: make it dense with .to_dense() first")


def check_numbers(tensor):
    """TypeError for tensors that hold more than numbers in strided memory."""
    check_dense(tensor)
    if tensor.is_quantized:
        raise TypeError("the tensor is quantized: pad x.int_repr() or x.dequantize()")


def torch_view(tensor):
    """The memory of a tensor as a NumPy array. If neither NumPy nor ml_dtypes has the type,
    elements are records of one field named after the type."""
    if is_seen(tensor):
        if tensor.device.type != "cpu":
            raise TypeError(
                f"the tensor is on {tensor.device}: move it with .cpu() first, or use "
                "tensorpad.torch.pad"
            )
        check_numbers(tensor)
        tensor = tensor.resolve_conj().resolve_neg()
        if is_seen(tensor) and not is_thread_seen():
            raise TypeError(MORE_THAN_NUMBERS.format(type(tensor).__name__))
        if is_seen(tensor):
            raise TypeError(
                "torch records, traces or transforms this call and would not see the result: use "
                "tensorpad.torch.pad, or torch.nn.functional.pad"
            )
    if has_derivatives(tensor):
        raise TypeError(
            "the tensor requires grad or has a tangent, and no gradient would be recorded: use "
            "tensorpad.torch.pad or .detach()"
        )
    tensor = tensor.detach()
    try:
        return tensor.numpy()
    except RuntimeError:
        check_numbers(tensor)
        raise TypeError(MORE_THAN_NUMBERS.format(type(tensor).__name__)) from None
    except TypeError:
        check_numbers(tensor)
    dtype = type_of_numpy(tensor.dtype)
    return _bits(tensor).view(dtype)


def _bits(tensor):
    """The elements of a tensor of 1, 2 or 4 bytes as integers."""
    kind = {1: "uint8", 2: "int16", 4: "int32"}[tensor.dtype.itemsize]
    return tensor.view(getattr(sys.modules["torch"], kind)).numpy()


def type_of_numpy(dtype):
    """The NumPy or ml_dtypes type of a torch type; if there is none, records as in torch_view."""
    word = str(dtype).removeprefix("torch.")
    try:
        known = numpy.dtype(word)
        if known.isbuiltin == 1:
            return known
    except TypeError:
        pass
    try:
        import ml_dtypes

        return numpy.dtype(getattr(ml_dtypes, word))
    except (ImportError, AttributeError):
        width = "i4" if word == "complex32" else {1: "u1", 2: "i2"}.get(dtype.itemsize)
        if width is None:
            raise TypeError(f"NumPy has no type for {dtype}") from None
        return numpy.dtype([(str(dtype), width)])


def torch_word(dtype):
    """The name of a torch type that torch_view represents by records; None for other types."""
    if dtype.names and dtype.names[0].startswith("torch."):
        return dtype.names[0].removeprefix("torch.")
    return None


@contextlib.contextmanager
def _unseen():
    """Hides what happens inside from transforms and modes of torch."""
    torch = sys.modules["torch"]
    keys, key = torch._C.DispatchKeySet, torch._C.DispatchKey
    guard = torch._C._ForceDispatchKeyGuard(keys(key.BackendSelect), keys(key.Undefined))
    with guard, torch._C._DisableTorchDispatch():
        yield


def torch_elements(word, values):
    """A number, or numbers, as elements of such a type."""
    torch = sys.modules["torch"]
    with _unseen():
        tensor = torch.tensor(values, dtype=getattr(torch, word), device="cpu")
        return _bits(tensor).view(type_of_numpy(tensor.dtype))


def numbers_of(elements):
    """An array as a list of Python's numbers."""
    word = torch_word(elements.dtype)
    if not word:
        kind = complex if elements.dtype.name.startswith("complex") else float
        return (elements if elements.dtype.isbuiltin == 1 else elements.astype(kind)).tolist()
    torch = sys.modules["torch"]
    wide = torch.complex64 if word == "complex32" else torch.float64
    with _unseen():
        bits = torch.from_numpy(elements.view(elements.dtype[0]))
        return bits.view(getattr(torch, word)).to(wide).tolist()


def _dlpack_view(thing):
    if hasattr(thing, "is_deleted") and thing.is_deleted():
        raise ValueError(
            "the array of jax was deleted: by its delete(), or by a call that it was donated to"
        )
    try:
        kind, number = thing.__dlpack_device__()
    except BufferError:  # a jax array in several pieces
        return numpy.asarray(thing)
    if int(kind) != CPU:
        package = package_of(type(thing), *TO_CPU)
        how = f" with {TO_CPU[package]}" if package else ""
        raise TypeError(
            f"the {type(thing).__name__} is on device {int(kind)}:{number} of DLPack, "
            f"not on the CPU: copy it there first{how}"
        )
    try:
        return numpy.from_dlpack(thing)
    except (TypeError, BufferError, RuntimeError):
        return numpy.asarray(thing)  # types that DLPack or NumPy's implementation lacks: bfloat16


def is_dask(thing):
    return package_of(type(thing), "dask") is not None


def source(thing):
    """Any input as a Source."""
    if is_torch(thing):
        return TorchSource(thing)
    refuse(thing)
    if not isinstance(thing, numpy.ndarray) and hasattr(type(thing), "__dlpack_device__"):
        return Source(_dlpack_view(thing))
    return Source(numpy.asarray(thing))


def bytes_of(thing):
    """A packed buffer as a NumPy array."""
    if isinstance(thing, (bytes, bytearray)):
        return numpy.frombuffer(thing, numpy.uint8)
    return source(thing).array


def viewed(thing):
    """The array that unpad takes a view of."""
    if is_torch(thing):
        check_dense(thing)
        return thing
    return thing if carries(thing) else source(thing).array


def target(thing):
    """The NumPy array that writes an `out`."""
    if is_torch(thing):
        if thing.is_conj() or thing.is_neg():
            raise TypeError(
                "the tensor to write to shows its memory conjugated or negated: use "
                "x.resolve_conj().resolve_neg()"
            )
        return torch_view(thing)
    if carries(thing):
        raise TypeError(
            f"out is of type {type(thing).__name__}, and the input is not: both have to be of "
            "one kind"
        )
    refuse(thing)
    if isinstance(thing, numpy.ndarray):
        return numpy.asarray(thing)
    if hasattr(type(thing), "__dlpack_device__"):
        return _dlpack_view(thing)
    try:
        return numpy.asarray(memoryview(thing))
    except TypeError:
        raise TypeError(
            f"out has to be an array that can be written to, got {type(thing)}"
        ) from None


def tell_written(thing):
    """Tells torch that an `out` is written to, so that it refuses gradients that need its old contents."""
    if is_torch(thing) and not thing.is_inference():
        sys.modules["torch"].autograd.graph.increment_version(thing)


def move_objects(src, dst, axes, values, axis, threads):
    """Pads elements that are not plain bytes: the engine moves their numbers, and NumPy moves them
    accordingly. axes: five integers for each. values: the fill elements, or None; axis: the axis of
    the result with one of them per cell, or -1."""
    count = 1 if values is None or axis >= 0 else values.size
    numbers = numpy.empty(dst.shape, numpy.intp)
    fills = -1 - numpy.arange(count).reshape((-1, 2) if count > 1 else 1)
    _core.move(
        numpy.arange(src.size, dtype=numpy.intp).reshape(src.shape),
        numbers,
        axes,
        fills.astype(numpy.intp),
        threads,
    )
    if src.size:
        numpy.take(src.reshape(-1), numbers, out=dst, mode="clip")
    if axis >= 0:
        dst[numbers < 0] = along(values, axis, dst.shape)[numbers < 0]
    elif values is not None:
        for number, value in zip(fills.reshape(-1), values.reshape(-1, 1)):
            dst[numbers == number] = value


def elements_at(src, numbers):
    """The elements of these numbers, any one for numbers below 0. Without axes the result stays an
    array: NumPy would unpack an object that is an array or a list."""
    return src.reshape(-1)[numpy.maximum(numbers, 0).reshape(-1)].reshape(numbers.shape)


def along(values, axis, shape):
    """One element for each cell of an axis, as an array of this shape."""
    return numpy.broadcast_to(
        values.reshape([-1 if k == axis else 1 for k in range(len(shape))]), shape
    )


# ---- Whether torch intercepts calls with a tensor: dispatch keys ---------------------------------


_mask = None, 0  # the module torch, and watched_keys of it


def watched_keys(torch):
    """The keys that a plain call does not have, as bits."""
    key = torch._C.DispatchKey
    plain = torch._C.DispatchKeySet(key.CPU)
    for name in (key.AutogradCPU, key.ADInplaceOrView, key.BackendSelect, key.AutocastCPU):
        plain = plain.add(name)
    return ~plain.raw_repr()


def _watched(torch):
    """watched_keys, cached."""
    global _mask
    if _mask[0] is not torch:
        _mask = torch, watched_keys(torch)
    return _mask[1]


def is_seen(tensor):
    """Whether reading the tensor's memory is not enough: some key intercepts calls with it."""
    torch = sys.modules["torch"]
    keys = torch._C._dispatch_keys(tensor).raw_repr()
    return bool((keys | torch._C._dispatch_tls_local_include_set().raw_repr()) & _watched(torch))


def is_thread_seen():
    """Whether torch records or transforms every call of this thread, or forward derivatives are active."""
    torch = sys.modules["torch"]
    keys = torch._C._dispatch_tls_local_include_set().raw_repr()
    return bool(keys & _watched(torch)) or torch.autograd.forward_ad._current_level >= 0


def has_derivatives(tensor):
    """Whether the tensor's gradient is wanted, or it may have a tangent."""
    torch = sys.modules["torch"]
    return (
        tensor.requires_grad and torch.is_grad_enabled()
    ) or torch.autograd.forward_ad._current_level >= 0


def overrides_torch(kind):
    """Whether a tensor type overrides torch's functions and makes their results. torch.nn.Parameter
    has a C function there that does nothing."""
    return kind is not sys.modules["torch"].Tensor and hasattr(
        getattr(kind, "__torch_function__", None), "__func__"
    )


def is_only_memory(tensor):
    """Whether the memory is all that matters: no subclass, interception or derivative."""
    return not (overrides_torch(type(tensor)) or is_seen(tensor) or has_derivatives(tensor))
