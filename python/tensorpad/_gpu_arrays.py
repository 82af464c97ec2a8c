"""tensorpad.pad, pad_to, pad_border and pad_adjoint of arrays on a GPU: CuPy's, and others with
`__cuda_array_interface__`. SPDX-License-Identifier: MIT

Each call is one launch on the caller's stream, without waiting; constants that differ by side take
a launch each. The input's package makes the outputs.
"""

import math
import sys

import numpy

from . import _core, _gpu
from ._arguments import axis_values, check_bfloat16, check_keywords, computes, one_value, values
from ._arrays import check_numbers, has_derivatives, tell_written, torch_view
from ._carriers import is_on_gpu, package_of

LEGACY = 1  # the default stream, which is 0 too
OFF = (
    "the {} is in the memory of a GPU, where tensorpad pads only if TENSORPAD_GPU=1 is set before it is "
    "used, or after tensorpad.torch.use_gpu() (this way has not run on a GPU yet); copy it to the CPU, or use the pads of its own package"
)


class OnGpu:
    """An array on a GPU, and how to make outputs of its kind."""

    def __init__(self, thing):
        if not _gpu.on:
            raise TypeError(OFF.format(type(thing).__name__))
        _gpu.open_driver()
        self.thing = thing
        if hasattr(thing, "data_ptr"):
            self._read_tensor(thing)
        else:
            self._read_interface(thing.__cuda_array_interface__)
        self.rank, self.size = len(self.shape), math.prod(self.shape)
        self.device = _core.gpu_device(self.address) if self.size else None

    def _read_interface(self, shown):
        if shown.get("mask") is not None:
            raise TypeError(f"the {type(self.thing).__name__} has a mask, which would be lost")
        self.address, self.is_read_only = shown["data"]
        self.shape = tuple(shown["shape"])
        self.dtype = numpy.dtype(getattr(self.thing, "dtype", shown["typestr"]))
        self.strides = shown.get("strides") or dense_strides(self.shape, self.dtype.itemsize)
        self.stream = shown.get("stream")
        if self.stream is None and package_of(type(self.thing), "cupy"):
            self.stream = sys.modules["cupy"].cuda.get_current_stream().ptr

    def _read_tensor(self, tensor):
        torch = sys.modules["torch"]
        check_numbers(tensor)
        if tensor.is_conj() or tensor.is_neg():
            raise TypeError(
                "the tensor shows its memory conjugated or negated: use x.resolve_conj().resolve_neg()"
            )
        if has_derivatives(tensor):
            raise TypeError(
                "the tensor requires grad or has a tangent: use tensorpad.torch.pad or .detach()"
            )
        self.address, self.is_read_only = tensor.data_ptr(), False
        self.shape = tuple(tensor.shape)
        self.dtype = torch_view(tensor.new_empty(0, device="cpu")).dtype
        self.strides = tuple(step * self.dtype.itemsize for step in tensor.stride())
        self.stream = torch.cuda.current_stream(tensor.device).cuda_stream

    def empty(self, shape):
        """A new array of this kind."""
        name = package_of(type(self.thing), "cupy", "numba", "torch")
        if name == "numba":
            output = sys.modules["numba.cuda"].device_array(shape, self.dtype)
        elif name == "torch":
            output = self.thing.new_empty(shape)
        else:
            output = self._package().empty(shape, dtype=self.dtype)
        output = OnGpu(output)
        if output.size and self.size and output.device != self.device:
            raise RuntimeError(
                f"the array is on device {self.device}, and its package makes new ones on device "
                f"{output.device}: make the array's device the current one"
            )
        return output

    def upload(self, elements):
        """NumPy elements as an array on the GPU."""
        if package_of(type(self.thing), "numba"):
            return OnGpu(sys.modules["numba.cuda"].to_device(elements))
        if package_of(type(self.thing), "torch"):
            bits = sys.modules["torch"].from_numpy(elements.view(numpy.uint8))
            return OnGpu(
                bits.pin_memory().to(self.thing.device, non_blocking=True).view(self.thing.dtype)
            )
        return OnGpu(self._package().asarray(elements))

    def _package(self):
        if package_of(type(self.thing), "cupy"):
            return sys.modules["cupy"]
        if not hasattr(self.thing, "__array_namespace__"):
            raise TypeError(
                f"out= is needed: tensorpad does not know how a {type(self.thing).__name__} is made"
            )
        return self.thing.__array_namespace__()

    def bounds(self):
        """The first byte of its elements, and the byte after the last."""
        reach = [(extent - 1) * step for extent, step in zip(self.shape, self.strides)]
        low = self.address + sum(step for step in reach if step < 0)
        return low, self.address + sum(step for step in reach if step > 0) + self.dtype.itemsize

    def copy(self):
        copied = self.empty(self.shape)
        _run(0, self.shape, ((0, 0, 0, 0, 0),) * self.rank, self, copied, None)
        return copied


def dense_strides(shape, item_bytes):
    """The strides of a contiguous array in C order."""
    return tuple(item_bytes * math.prod(shape[axis + 1 :]) for axis in range(len(shape)))


def _run(number, shape, axes, src, dst, fill, add=False):
    """Launches a pad, or what `number` says (cuda.c). src None: no elements."""
    used = [one for one in (src, dst, fill) if isinstance(one, OnGpu) and one.size]
    streams = {one.stream or LEGACY for one in used if one.stream is not None}
    if len({one.device for one in used}) > 1:
        raise ValueError(f"the arrays are on devices {sorted({one.device for one in used})}")
    if len(streams) > 1:
        raise ValueError(
            "the arrays belong to two streams: make one wait for the other, and use it"
        )
    of_dst = dst.address, dst.strides
    of_src = (src.address, src.strides) if src is not None else (0, (0,) * dst.rank)
    if isinstance(fill, OnGpu):
        fill = fill.address, fill.strides
    launched = dst.size == 0 or _core.gpu_run(
        *(number, add, shape, axes, dst.dtype.itemsize, 1, of_src, of_dst, fill, dst.device),
        *(streams or {LEGACY}),
    )
    if not launched:
        raise RuntimeError("call it once before the graph is captured: its kernel was never loaded")


# ---- Constants -----------------------------------------------------------------------------------


def _constants(src, shape, given, axis, axes, function):
    """The fill: bytes of one element, an array on the GPU with strides along `shape`, or NumPy
    elements, two for each axis. function: the caller's name; it decides which constants are allowed."""
    rank = len(shape)
    if axis is not None:
        axis = _core.axes(rank, {axis: 0}, "constant", 0, "window", None) and axis % rank
    if is_on_gpu(given):
        given = OnGpu(given)
        if given.dtype != src.dtype:
            raise TypeError(
                f"the constants have type {given.dtype}, the array {src.dtype}: convert them first"
            )
        if given.size != (1 if axis is None else shape[axis]):
            raise ValueError(
                "constants on a GPU are one, or with constant_axis one for each cell of the axis"
            )
    elif axis is not None:
        given = src.upload(axis_values(src.dtype, given, axis, shape[axis]))
    elif function == "pad_border":
        return one_value(src.dtype, given, function).tobytes()
    else:
        elements = values(src.dtype, given, axes, rank, exact=function == "pad_to")
        return elements.tobytes() if elements.size == 1 else elements
    given.strides = [0 if one != axis else (given.strides or (0,))[-1] for one in range(rank)]
    return given


def _fill_sides(axes, src, dst, elements):
    """As in numpy.pad, the sides of an axis have their constants over the whole extent of earlier axes."""
    first, end = [0] * dst.rank, list(dst.shape)
    for axis, (before, after, *_, mode, _) in enumerate(axes):
        if mode == _core.modes["constant"]:
            first[axis] = min(max(before, 0), dst.shape[axis])
            end[axis] = max(min(before + src.shape[axis], dst.shape[axis]), first[axis])
    for axis, one in enumerate(axes):
        begin, stop = first[axis], end[axis]
        for side, cells in enumerate([(0, begin), (stop, dst.shape[axis])]):
            first[axis], end[axis] = cells
            lengths = [last - cell for cell, last in zip(first, end)]
            if one[3] == _core.modes["constant"] and min(lengths) > 0:
                part = object.__new__(OnGpu)
                part.__dict__ |= dst.__dict__
                part.address += sum(cell * step for cell, step in zip(first, dst.strides))
                grown = tuple((length, 0, 0, 0, 0) for length in lengths)
                _run(0, (0,) * dst.rank, grown, None, part, elements[axis, side].tobytes())
        first[axis], end[axis] = 0, dst.shape[axis]


# ---- The calls -----------------------------------------------------------------------------------


def _output(src, shape, out):
    """The array to write to, and the object to return."""
    if out is None:
        output = src.empty(shape)
        return output, output.thing
    if not is_on_gpu(out):
        raise TypeError(f"out has to be on the GPU as the array is, got {type(out)}")
    dst = OnGpu(out)
    if dst.dtype != src.dtype:
        raise TypeError(f"out has type {dst.dtype}, the array {src.dtype}")
    if dst.shape != tuple(shape):
        raise ValueError(f"out has shape {dst.shape}, the result {tuple(shape)}")
    if dst.is_read_only:
        raise ValueError("output array is read-only")
    tell_written(out)
    return dst, out


def _apart(src, dst):
    """The input, or a copy of it if it may share memory with the output."""
    if src.size == 0 or dst.size == 0:
        return src
    (low, high), (first, end) = src.bounds(), dst.bounds()
    return src.copy() if low < end and first < high else src


def _pad(src, axes, out, mode, words, chosen, function):
    """Pads by amounts. words: constant_values and constant_axis, if given."""
    if computes(mode, words):
        raise TypeError(f"mode {mode!r} is computed, which is not done on a GPU: cupy.pad does it")
    has_gaps = any(one[2] for one in axes)
    axis = words.pop("constant_axis", None)
    check_keywords(mode, has_gaps, words)
    shape = _core.plan(src.shape, axes, 8)[2]
    fill = _constants(src, shape, words.get("constant_values", 0), axis, chosen, function)
    if isinstance(fill, numpy.ndarray) and has_gaps:
        raise ValueError("with interior there can be only one constant value")
    dst, result = _output(src, shape, out)
    src = _apart(src, dst)
    sides = fill if isinstance(fill, numpy.ndarray) else None
    _run(0, src.shape, axes, src, dst, None if sides is not None else fill)
    if sides is not None:
        _fill_sides(axes, src, dst, sides)
    return result


def pad(
    array,
    pad_width,
    mode="constant",
    *,
    interior=0,
    order="window",
    axes=None,
    out=None,
    threads=None,
    **words,
):
    src = OnGpu(array)
    amounts = (
        ()
        if computes(mode, words)
        else _core.axes(src.rank, pad_width, mode, interior, order, axes)
    )
    return _pad(src, amounts, out, mode, words, axes, "pad")


def pad_to(
    x,
    shape=None,
    *,
    multiple=None,
    buckets=None,
    square=None,
    axes=None,
    align="center",
    too_long="error",
    mode="constant",
    out=None,
    threads=None,
    return_amounts=False,
    **words,
):
    src = OnGpu(x)
    amounts = _core.fit_amounts(src.shape, shape, multiple, square, axes, align, too_long, buckets)
    settings = (
        () if computes(mode, words) else _core.axes(src.rank, amounts, mode, 0, "window", None)
    )
    padded = _pad(src, settings, out, mode, words, axes, "pad_to")
    return (padded, amounts) if return_amounts else padded


def pad_border(
    out,
    pad_width,
    mode="constant",
    *,
    constant_values=0,
    constant_axis=None,
    interior=0,
    axes=None,
    threads=None,
):
    dst, _ = _output(given := OnGpu(out), given.shape, out)
    settings = _core.axes(dst.rank, pad_width, mode, interior, "window", axes)
    cells = numpy.broadcast_to(numpy.uint8(0), dst.shape)
    inside = _core.unpad(cells, pad_width, interior=interior, axes=axes).shape
    fill = _constants(dst, dst.shape, constant_values, constant_axis, None, "pad_border")
    _run(-1, inside, settings, dst, dst, fill)
    return out


def pad_adjoint(
    grad,
    shape,
    pad_width,
    mode="constant",
    *,
    interior=0,
    order="window",
    axes=None,
    out=None,
    add=False,
    threads=None,
):
    if add and out is None:
        raise ValueError("add=True adds to what is in out: there is no out")
    src, shape = OnGpu(grad), _core.shape(shape, "shape")
    settings = _core.axes(len(shape), pad_width, mode, interior, order, axes)
    padded = _core.plan(shape, settings, 8)[2]
    if src.shape != padded:
        raise ValueError(
            f"grad has shape {src.shape}, an array of shape {shape} is padded to {padded}"
        )
    number = _gpu.NUMBERS.get(src.dtype.name) if src.dtype.isnative else None
    if number is None:
        check_bfloat16(src.dtype)
    dst, result = _output(src, shape, out)
    if any(extent > 1 and step == 0 for extent, step in zip(src.shape, src.strides)):
        src = src.copy()  # each cell needs its own memory
    src = _apart(src, dst)
    _run(number or _gpu.NUMBERS["bfloat16"], shape, settings, src, dst, None, bool(add))
    return result
