"""tensorpad.torch.pad and Pad.  SPDX-License-Identifier: MIT

There are three ways to pad: the library, for plain CPU tensors; the library with a gradient
recorded by autograd; and torch's own operators (_aten.py) for everything else (torch.func,
torch.compile, other devices).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

import numpy
import torch
from torch.compiler import is_compiling
from torch.overrides import handle_torch_function, has_torch_function_unary

from .. import _core
from .._arguments import check_keywords
from .._arrays import (
    MAX_RANK,
    check_numbers,
    numbers_of,
    overrides_torch,
    type_of_numpy,
    watched_keys,
)
from . import _aten, _gpu
from ._constants import element_of, number_for, put

if TYPE_CHECKING:
    from .. import _Axes, _Axis, _Interior, _Modes, _Order, _PadWidth


# ---- By the library ------------------------------------------------------------------------------


KEYS = (
    torch._C._dispatch_keys,
    torch._C._dispatch_tls_local_include_set,
    watched_keys(torch) & 2**64 - 1,
)
_keys_of, _keys_of_thread, _WATCHED = KEYS
_INTEGERS = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}


def is_plain(tensor):
    """Whether no dispatch key but autograd intercepts calls with this tensor."""
    return not (_keys_of(tensor).raw_repr() | _keys_of_thread().raw_repr()) & _WATCHED


def _threads():
    return min(_core.thread_count(), torch.get_num_threads())


def library_pad(x, axes, value):
    """x padded, in new memory. value: a Python number."""
    if _gpu.is_here(x):
        return _gpu.launched_pad(x, axes, value)
    padded = _core.tensor_pad(x, axes, value, torch.get_num_threads)
    if padded is not None:
        return padded
    padded = _aten.empty_as(x, _core.plan(x.shape, axes, 8)[2])
    _core.move(_bits(x), _bits(padded), axes, element_of(x.dtype, value), _threads())
    return padded


def library_adjoint(grad, shape, axes):
    """The transpose of `pad` with 0: tensorpad.pad_adjoint, or torch's sums for types that it
    cannot add."""
    if _gpu.is_here(grad):
        return _gpu.launched_adjoint(grad, shape, axes)
    summed = _core.tensor_adjoint(grad, shape, axes, torch.get_num_threads)
    if summed is not None:
        return summed
    is_bfloat16 = grad.dtype == torch.bfloat16
    if not is_bfloat16 and _own_type(grad.dtype) is None:
        return _aten.adjoint(grad, shape, axes)
    summed = _aten.empty_as(grad, shape)
    views = (_bits(one) if is_bfloat16 else one.detach().numpy() for one in (grad, summed))
    _core.move_back(*views, axes, is_bfloat16, _threads())
    return summed


@functools.cache
def _own_type(dtype):
    """NumPy's own type for a torch type, or None."""
    try:
        known = type_of_numpy(dtype)
    except TypeError:
        return None
    return known if known.isbuiltin == 1 else None


def _bits(tensor):
    """The elements of a tensor as a NumPy array: integers of their width, or complex128."""
    kind = _INTEGERS.get(tensor.dtype.itemsize)
    return (tensor.detach().view(kind) if kind else tensor.detach()).numpy()


# ---- With a gradient recorded by autograd --------------------------------------------------------


_forward_ad = torch.autograd.forward_ad


class PadFunction(torch.autograd.Function):
    """apply(x, axes, value): x padded. x: plain CPU memory (is_plain)."""

    @staticmethod
    def forward(ctx, x, axes, value):
        ctx.shape, ctx.axes = x.shape, axes
        return library_pad(x, axes, value)

    @staticmethod
    def backward(ctx, grad):
        return adjoint_of(grad)(grad, ctx.shape, ctx.axes), None, None


class AdjointFunction(torch.autograd.Function):
    """apply(grad, shape, axes): the transpose of PadFunction with 0."""

    @staticmethod
    def forward(ctx, grad, shape, axes):
        ctx.axes = axes
        return library_adjoint(grad, shape, axes)

    @staticmethod
    def backward(ctx, grad):
        return pad_of(grad)(grad, ctx.axes, 0), None, None


# What the extension needs of torch for its checks in the most frequent calls.
ASKED = (
    torch.Tensor,
    torch.nn.Parameter,
    *KEYS,
    _gpu.PLAIN,
    torch.is_grad_enabled,
    _forward_ad,
    "raw_repr",
    "_current_level",
    "requires_grad",
    PadFunction.apply,
    _gpu.current_stream,
    torch.get_num_threads,
)
_core.set_torch(ASKED)


def refuse_foreign(x, function):
    """TypeError for anything but a tensor."""
    if not isinstance(x, torch.Tensor):
        raise TypeError(
            f"tensorpad.{function} pads a {type(x).__name__}; tensorpad.torch.{function} takes "
            "tensors: torch.as_tensor(x) makes one"
        )


def stand_in(shape, dtype):
    """An array of this shape and type with only one element in memory, to check a call with."""
    element = numpy.empty((), type_of_numpy(dtype))
    return numpy.broadcast_to(element, shape)


def is_read_by_library(x):
    """Whether the library can read the tensor directly, and no gradient is wanted."""
    return is_for_library(x) and not (x.requires_grad and torch.is_grad_enabled())


def pad_of(x):
    """The function(x, axes, value) that pads this tensor outside of torch.compile."""
    return _chosen(x, library_pad, PadFunction.apply, _aten.pad)


def adjoint_of(grad):
    return _chosen(grad, library_adjoint, AdjointFunction.apply, _aten.adjoint)


def is_for_library(tensor):
    """Whether the library can read a tensor's memory, and only autograd intercepts calls with it."""
    return (
        is_plain(tensor)
        and _forward_ad._current_level < 0
        and tensor.dim() <= MAX_RANK
        and not overrides_torch(type(tensor))
    )


def _chosen(tensor, library, recorded, aten):
    """Picks the implementation for a tensor: library, library with autograd, or torch's own
    operators, which all transforms of torch support."""
    if not is_for_library(tensor):
        check_numbers(tensor)
        return _gpu.instead_of(aten, recorded, tensor)
    return recorded if tensor.requires_grad and torch.is_grad_enabled() else library


# ---- The operator tensorpad::pad, which torch.export writes into a program -----------------------


_LIBRARY = torch.library.Library("tensorpad", "DEF")
_LIBRARY.define(
    "pad(Tensor x, SymInt[] before, SymInt[] after, SymInt[] interior, int[] modes, int[] orders, "
    "Scalar value) -> Tensor"
)


def operator_pad(x: Any, axes: tuple[tuple[Any, ...], ...], value: complex) -> Any:
    """x padded by the operator. axes: five numbers for each axis."""
    columns = [list(column) for column in zip(*axes)] or [[]] * 5
    return torch.ops.tensorpad.pad(x, *columns, value)


def decompositions() -> dict[Any, Callable[..., Any]]:
    """A table for run_decompositions of an exported program; the result has only ATen operators."""
    table = torch.export.default_decompositions()
    table[torch.ops.tensorpad.pad.default] = _body
    return table


def _body(x, before, after, interior, modes, orders, value):
    columns = before, after, interior, modes, orders
    if any(len(column) != x.dim() for column in columns):  # they may come from files
        raise ValueError(
            f"tensorpad::pad: a tensor of {x.dim()} axes needs {x.dim()} numbers in each list"
        )
    if not all(mode in _core.modes.values() for mode in modes) or not all(
        order in (0, _aten.CROP) for order in orders
    ):
        raise ValueError("tensorpad::pad: there is no such mode or order")
    axes = tuple(zip(*columns))
    if not all(type(one) is int for one in (*x.shape, *before, *after, *interior)):
        return _aten.pad(x, axes, value, _aten.by_index)
    return pad_of(x)(x, axes, value)


_LIBRARY.impl("pad", _body, "CompositeImplicitAutograd")


# ---- Amounts of a traced call --------------------------------------------------------------------


ORDERS = {"window": 0, "crop": 1}
MODES = _core.modes


def read_amounts(rank, pad_width, mode, interior, order, axes):
    """((before, after, interior, mode, order), ...)"""
    if order not in ORDERS:
        raise ValueError(f"order has to be 'window' or 'crop', got {order!r}")
    chosen = chosen_axes(axes, rank)
    if axes is not None and isinstance(pad_width, dict):
        raise ValueError("axes cannot be given when pad_width is a dict: its keys are the axes")
    modes = of_axes(mode, rank, list_of(mode, len(chosen), "mode"), chosen, "constant")
    interiors = of_axes(interior, rank, list_of(interior, len(chosen), "interior"), chosen, 0)
    return tuple(
        (*pair, cells, mode_number(word), ORDERS[order])
        for pair, word, cells in zip(
            pairs_of_axes(rank, pad_width, axes, "pad_width"), modes, interiors
        )
    )


def pairs_of_axes(rank, value, axes, what):
    """A pair for each axis, from an argument in one of numpy.pad's forms: one number, a pair, a
    pair in a list, a pair for each of `axes`, or a dict by axis."""
    chosen = chosen_axes(axes, rank)
    entries = [value] * len(chosen)
    if (
        isinstance(value, (list, tuple))
        and len(value) != 2
        and not all(isinstance(entry, (list, tuple)) for entry in value)
    ):
        raise ValueError(f"{what} has to be a number, a pair or a pair for each axis, got {value}")
    if isinstance(value, (list, tuple)) and not (
        len(value) == 2 and not isinstance(value[0], (list, tuple))
    ):
        entries = value * len(chosen) if len(value) == 1 else list_of(value, len(chosen), what)
    return [
        (entry, entry)
        if not isinstance(entry, (list, tuple))
        else tuple(entry) * 2
        if len(entry) == 1
        else tuple(entry)
        for entry in of_axes(value, rank, entries, chosen, (0, 0))
    ]


def axis_number(axis, rank):
    """An axis as a number from 0."""
    if not -rank <= axis < rank:
        raise ValueError(f"axis {axis} is out of bounds for array of dimension {rank}")
    return axis % rank


def chosen_axes(axes, rank):
    """The numbers of the axes that a call names."""
    if axes is None:
        return list(range(rank))
    chosen = [
        axis_number(axis, rank)
        for axis in (axes if isinstance(axes, (list, tuple, range)) else (axes,))
    ]
    if len(set(chosen)) < len(chosen):
        raise ValueError("an axis is named twice in axes")
    return chosen


def mode_number(word):
    """The extension's number of a mode."""
    if word not in MODES:
        raise ValueError(f"mode {word!r} is not supported: it is one of {', '.join(MODES)}")
    return MODES[word]


def of_axes(value, rank, entries, chosen, default):
    """An entry for each axis of the tensor."""
    entries_of_axes = [default] * rank
    by_axis = value.items() if isinstance(value, dict) else zip(chosen, entries)
    for axis, entry in by_axis:
        entries_of_axes[axis_number(axis, rank)] = entry
    return entries_of_axes


def list_of(value, count, what):
    """An argument as a list with an entry for each of `count` axes."""
    if not isinstance(value, (list, tuple)):
        return [value] * count
    if len(value) != count:
        raise ValueError(f"{what} has {len(value)} entries for {count} axes")
    return value


# ---- pad -----------------------------------------------------------------------------------------


is_exporting = getattr(torch.compiler, "is_exporting", lambda: False)


def pad(
    x: torch.Tensor,
    pad_width: _PadWidth,
    mode: _Modes = "constant",
    *,
    constant_values: Any = 0,
    constant_axis: _Axis = None,
    interior: _Interior = 0,
    order: _Order = "window",
    axes: _Axes = None,
    reflect_type: Literal["even", "odd"] = "even",
) -> torch.Tensor:
    """Pad, crop or dilate a tensor.

    x: a tensor of any type, rank, device and strides. The result is a new tensor of the same kind;
        it is channels_last if x is.
    pad_width, mode, constant_axis, interior, order, axes: as in tensorpad.pad.
    constant_values: a number, two for each axis, or with constant_axis one for each cell; or a
        tensor of them, which then has a gradient.
    reflect_type: 'odd' with mode reflect or symmetric: twice the edge minus the mirrored cell.
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
            reflect_type=reflect_type,
        )
    tracing = is_compiling()
    if reflect_type != "even":
        return _odd(x, pad_width, mode, (interior, order, axes), reflect_type)
    refuse_foreign(x, "pad")
    if not tracing and constant_axis is None:  # the most frequent call, in one step
        padded = _core.tensor_call(
            x, pad_width, mode, interior, order, axes, constant_values, ASKED, False
        )
        if padded is False:
            amounts = _core.axes(x.dim(), pad_width, mode, interior, order, axes)
            return _gpu.by_torch(x, amounts, constant_values)
        if padded is not None:
            return padded
    amounts = (read_amounts if tracing else _core.axes)(
        x.dim(), pad_width, mode, interior, order, axes
    )
    is_one = type(constant_values) in (int, float) and constant_axis is None
    if not (tracing or is_one or has_tensors(constant_values)) and is_read_by_library(x):
        words = {"constant_axis": constant_axis, "interior": interior, "order": order, "axes": axes}
        return _core.pad(
            x, pad_width, mode, constant_values=constant_values, threads=_threads(), **words
        )
    return pad_by(x, amounts, mode, constant_values, constant_axis, axes)


def check_reflect_type(reflect_type, mode):
    if reflect_type != "even" and (
        reflect_type != "odd" or not isinstance(mode, str) or mode not in ("reflect", "symmetric")
    ):
        raise ValueError(
            f"reflect_type is 'even', or 'odd' with the mode 'reflect' or 'symmetric', got "
            f"{reflect_type!r} with {mode!r}"
        )


def _odd(x, pad_width, mode, others, reflect_type):
    check_reflect_type(reflect_type, mode)
    amounts = (read_amounts if is_compiling() else _core.axes)(x.dim(), pad_width, mode, *others)
    if any(before < 0 or after < 0 or between for before, after, between, *_ in amounts):
        raise ValueError("reflect_type 'odd' neither crops nor has an interior")
    return _aten.odd(x, amounts)


def pad_by(x, amounts, mode, constant_values, constant_axis, axes, of_size=False):
    """x padded by five numbers for each axis, as in `pad`. mode: the call's argument. of_size: for
    pad_to: the type must hold the constants, and amounts may be terms of symbols. Slices would put
    conditions on them, so the operator computes indices instead."""
    tracing = is_compiling()
    if tracing:
        run = operator_pad if of_size or is_exporting() else _aten.pad
    else:
        run = pad_of(x)
    known = not tracing and x.dim() <= MAX_RANK and all(type(one) is int for one in x.shape)
    is_one = type(constant_values) in (int, float) and constant_axis is None
    if known:
        tensors = has_tensors(constant_values)
        given = (0, None) if tensors else (constant_values, constant_axis)
        values = _core.pad_values(stand_in(x.shape, x.dtype), amounts, mode, *given, axes, of_size)
        if not is_one and not tensors:
            return pad_by_values(run, x, amounts, values, constant_axis)
    if is_one:
        return run(x, amounts, constant_values if tracing else number_for(x, constant_values))
    return _filled(run, x, amounts, constant_values, constant_axis, axes)


def pad_by_values(run, x, amounts, values, constant_axis):
    """The same with constants as elements from the extension."""
    numbers = numbers_of(values)
    if constant_axis is None and values.ndim == 1:
        return run(x, amounts, numbers[0])
    return _filled(run, x, amounts, numbers, constant_axis, None)


# ---- Constants that are more than a number -------------------------------------------------------


def has_tensors(values):
    """Whether constants are tensors or lists that contain any."""
    return isinstance(values, torch.Tensor) or (
        isinstance(values, (list, tuple)) and any(map(has_tensors, values))
    )


def _filled(run, x, amounts, constant_values, constant_axis, axes):
    """x padded by `run`, with constants as in tensorpad.pad."""
    if constant_axis is not None:
        axis = axis_number(constant_axis, x.dim())
        return _replaced(run, x, amounts, _along(x, constant_values), axis)
    if isinstance(constant_values, torch.Tensor) and constant_values.numel() == 1:
        return _replaced(run, x, amounts, constant_values.reshape(1), None)
    pairs = pairs_of_axes(x.dim(), _listed(constant_values), axes, "constant_values")
    if all(_is_same(one, pairs[0][0]) for pair in pairs for one in pair):
        return _one(run, x, amounts, pairs[0][0] if pairs else _listed(constant_values))
    if any(one[2] for one in amounts):
        raise ValueError("with interior there can be only one constant value")
    padded = x
    for axis, ((before, after, *others), pair) in enumerate(zip(amounts, pairs)):
        both = [
            ((before, after), pair[before <= 0])
        ]  # at most one side has cells, or no side is constant
        if others[1] == _aten.CONSTANT and before > 0 and after > 0:
            both = [((before, 0), pair[0]), ((0, after), pair[1])]
        for widths, value in both:
            if any(widths) and 0 not in _aten.out_shape(x.shape, amounts):
                alone = [(0, 0, *others)] * x.dim()
                alone[axis] = (*widths, *others)
                # A constant with a gradient gives one to the tensor.
                again = run if is_compiling() else pad_of(padded)
                padded = _one(again, padded, tuple(alone), value)
    return padded if padded is not x else run(x, amounts, 0)


def _listed(values):
    """An array or a tensor as lists of its elements. Those of a tensor stay tensors: they may have
    derivatives, and be on a device."""
    if isinstance(values, torch.Tensor):
        return [_listed(one) for one in values.unbind()] if values.dim() else values
    return values.tolist() if hasattr(values, "tolist") else values


def _along(x, values):
    """The constants along an axis, as a tensor."""
    if isinstance(values, torch.Tensor):
        return values
    if not hasattr(values, "__len__"):
        raise ValueError("constant_axis needs a list of constants, one for each cell of the axis")
    if has_tensors(values):
        return torch.stack(
            [torch.as_tensor(value, dtype=x.dtype, device=x.device) for value in values]
        )
    tensor = torch.tensor([number_for(x, value) for value in values], dtype=x.dtype)
    return tensor.to(x.device, non_blocking=x.is_cuda)  # does not wait for a GPU


def _is_same(value, other):
    """Whether two constants are bit-identical numbers: -0.0 is not 0.0."""
    return value is other or (
        type(value) is type(other)
        and not isinstance(value, torch.Tensor)
        and value == other
        and (value != 0 or str(value) == str(other))
    )


def _one(run, x, amounts, value):
    if isinstance(value, torch.Tensor):
        return _replaced(run, x, amounts, value.reshape(1), None)
    return run(x, amounts, number_for(x, value))


def _replaced(run, x, amounts, values, axis):
    """x padded, with the elements of a tensor along an axis in the fill cells; axis None: one
    element for all."""
    launched = _gpu.filled(run, x, amounts, values, axis)
    return put(run, x, amounts, values, axis) if launched is None else launched


# ---- Pad -----------------------------------------------------------------------------------------


def keep_constant(module: torch.nn.Module, constant: Any) -> None:
    """Makes a constant an attribute of a module; a tensor that is not a parameter becomes a buffer."""
    is_buffer = isinstance(constant, torch.Tensor) and not isinstance(constant, torch.nn.Parameter)
    if is_buffer:
        module.register_buffer("constant_values", constant)
    else:
        module.constant_values = constant


def entries_of(value: Any) -> list[Any]:
    """The entries of an argument whose axes are not known yet."""
    if isinstance(value, dict):
        return list(value.values())
    return list(value) if isinstance(value, (list, tuple, numpy.ndarray)) else [value]


def check_pad(
    pad_width: Any, mode: Any, interior: Any, order: Any, axes: Any, constant_values: Any = 0
) -> None:
    """Raises the errors that a pad would raise for any tensor."""
    _core.axes(MAX_RANK, 0, "constant", 0, order, axes)
    if axes is not None and isinstance(pad_width, dict):
        _core.axes(MAX_RANK, pad_width, "constant", 0, order, axes)
    widths = entries_of(pad_width)
    flat = not isinstance(pad_width, dict) and not any(numpy.ndim(one) for one in widths)
    for width in [pad_width] if flat else widths:
        _core.axes(1, width, "constant", 0, order, None)
    for word in entries_of(mode):
        _core.axes(1, 0, word, 0, order, None)
    for cells in entries_of(interior):
        if _core.axes(1, 0, "constant", cells, order, None)[0][2] < 0:
            raise ValueError(f"interior has to be at least 0, got {cells}")
    is_given = has_tensors(constant_values) or not numpy.array_equal(constant_values, 0)
    check_keywords(
        mode, not numpy.array_equal(interior, 0), {"constant_values": 0} if is_given else {}
    )


class Pad(torch.nn.Module):
    """Pads its input as `pad` does.

    pad_width, mode, constant_values, constant_axis, interior, order, axes, reflect_type: those of `pad`.

    torch.nn.Sequential(Pad(1, "symmetric", axes=(-2, -1)), torch.nn.Conv2d(3, 16, 3)) is a
    convolution whose borders are mirrored. A torch.nn.Parameter as constants becomes the module's
    parameter, any other tensor a buffer.
    """

    pad_width: _PadWidth
    mode: _Modes
    constant_values: Any
    constant_axis: _Axis
    interior: _Interior
    order: _Order
    axes: _Axes
    reflect_type: Literal["even", "odd"]

    def __init__(
        self,
        pad_width: _PadWidth,
        mode: _Modes = "constant",
        *,
        constant_values: Any = 0,
        constant_axis: _Axis = None,
        interior: _Interior = 0,
        order: _Order = "window",
        axes: _Axes = None,
        reflect_type: Literal["even", "odd"] = "even",
    ) -> None:
        super().__init__()
        check_pad(pad_width, mode, interior, order, axes, constant_values)
        check_reflect_type(reflect_type, mode)
        self.pad_width = pad_width
        self.mode = mode
        keep_constant(self, constant_values)
        self.constant_axis = constant_axis
        self.interior = interior
        self.order = order
        self.axes = axes
        self.reflect_type = reflect_type

    def _words(self):
        return {name: getattr(self, name) for name in _DEFAULTS}

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return pad(x, self.pad_width, self.mode, **self._words())

    def extra_repr(self) -> str:
        words = "".join(
            f", {name}={value!r}"
            for name, value in self._words().items()
            if isinstance(value, torch.Tensor) or value != _DEFAULTS[name]
        )
        return f"{self.pad_width}, mode={self.mode!r}{words}"


_DEFAULTS = Pad.__init__.__kwdefaults__
