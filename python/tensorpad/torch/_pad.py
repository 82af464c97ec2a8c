"""tensorpad.torch.pad and Pad.  SPDX-License-Identifier: MIT

There are three ways to pad: the library, for tensors in the memory of the CPU that nobody watches; the
same with a gradient that autograd records; and torch's own operators (_aten.py), for all else.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

import torch
from torch.compiler import is_compiling
from torch.overrides import handle_torch_function, has_torch_function_unary

from .. import _core
from .._arguments import fill_value
from .._arrays import MAX_RANK, check_numbers, overrides_torch, watched_keys
from . import _aten, _gpu

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
    """Whether all that happens to a tensor is that its memory is read, but for its gradient."""
    return not (_keys_of(tensor).raw_repr() | _keys_of_thread().raw_repr()) & _WATCHED


def _threads():
    return min(_core.thread_count(), torch.get_num_threads())


def library_pad(x, axes, value):
    """x padded: new memory. value: a number of Python."""
    if _gpu.is_here(x):
        return _gpu.launched_pad(x, axes, value)
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
    if _gpu.is_here(grad):
        return _gpu.launched_adjoint(grad, shape, axes)
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


# ---- With a gradient that autograd records -------------------------------------------------------


_forward_ad = torch.autograd.forward_ad


class PadFunction(torch.autograd.Function):
    """apply(x, axes, value): x padded. x: plain memory of the CPU, as is_plain says."""

    @staticmethod
    def forward(ctx, x, axes, value):
        ctx.shape, ctx.axes = x.shape, axes
        return library_pad(x, axes, value)

    @staticmethod
    def backward(ctx, grad):
        return _adjoint_of(grad)(grad, ctx.shape, ctx.axes), None, None


class AdjointFunction(torch.autograd.Function):
    """apply(grad, shape, axes): the transpose of PadFunction with 0."""

    @staticmethod
    def forward(ctx, grad, shape, axes):
        ctx.axes = axes
        return library_adjoint(grad, shape, axes)

    @staticmethod
    def backward(ctx, grad):
        return pad_of(grad)(grad, ctx.axes, 0), None, None


# What the extension asks by itself before the most frequent call, for tensors of torch's own types.
ASKED = (
    torch.Tensor,
    torch.nn.Parameter,
    *KEYS[:2],
    _WATCHED & ~_gpu.PLAIN,
    torch.is_grad_enabled,
    _forward_ad,
    "raw_repr",
    "_current_level",
    "requires_grad",
    PadFunction.apply,
    _gpu.current_stream,
    torch.get_num_threads,
)


def pad_of(x):
    """What pads this tensor, outside of torch.compile: it is called with x, axes and value."""
    return _chosen(x, library_pad, PadFunction.apply, _aten.pad)


def _adjoint_of(grad):
    return _chosen(grad, library_adjoint, AdjointFunction.apply, _aten.adjoint)


def _is_for_library(tensor):
    return (
        is_plain(tensor)
        and _forward_ad._current_level < 0
        and tensor.dim() <= MAX_RANK
        and not overrides_torch(type(tensor))
    )


def _chosen(tensor, library, recorded, aten):
    """Of three ways the one for a tensor: the library's, that with a record for autograd, or torch's own
    operators, which every transform of torch can look into."""
    if not _is_for_library(tensor):
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
    """x padded, by the operator. axes: five numbers for each axis."""
    columns = [list(column) for column in zip(*axes)] or [[]] * 5
    return torch.ops.tensorpad.pad(x, *columns, value)


def decompositions() -> dict[Any, Callable[..., Any]]:
    """A table for the run_decompositions of an exported program, after which it has operators of torch's
    ATen only."""
    table = torch.export.default_decompositions()
    table[torch.ops.tensorpad.pad.default] = _body
    return table


def _body(x, before, after, interior, modes, orders, value):
    columns = before, after, interior, modes, orders
    if any(len(column) != x.dim() for column in columns):  # they come from files
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


# ---- Amounts of a call that torch traces ---------------------------------------------------------


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
    """A pair for each axis, of an argument that has the forms of numpy.pad: one for all, a pair, a
    pair in a list, a pair for each of `axes`, or a dict of axes."""
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
    """An axis from 0 on."""
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
    """The number of a mode, as the extension knows it."""
    if word not in MODES:
        raise ValueError(f"mode {word!r} is not supported: it is one of {', '.join(MODES)}")
    return MODES[word]


def of_axes(value, rank, entries, chosen, default):
    """An entry for each axis of the tensor."""
    found = [default] * rank
    by_axis = value.items() if isinstance(value, dict) else zip(chosen, entries)
    for axis, entry in by_axis:
        found[axis_number(axis, rank)] = entry
    return found


def list_of(value, count, what):
    """An argument as a list with an entry for each of so many axes."""
    if not isinstance(value, (list, tuple)):
        return [value] * count
    if len(value) != count:
        raise ValueError(f"{what} has {len(value)} entries for {count} axes")
    return value


# ---- pad -----------------------------------------------------------------------------------------


is_exporting = getattr(torch.compiler, "is_exporting", lambda: False)


def pad(
    x: Any,
    pad_width: _PadWidth,
    mode: _Modes = "constant",
    *,
    constant_values: Any = 0,
    constant_axis: _Axis = None,
    interior: _Interior = 0,
    order: _Order = "window",
    axes: _Axes = None,
    reflect_type: Literal["even", "odd"] = "even",
) -> Any:
    """Pad, crop or dilate a tensor.

    x: a tensor of any type, rank, device and layout of strides. The result is a new tensor of the same
        kind; it is channels_last where x is.
    pad_width, mode, constant_axis, interior, order, axes: as in tensorpad.pad.
    constant_values: a number, two for each axis, or with constant_axis one for each cell; or a tensor
        of them, which gets its gradient.
    reflect_type: 'odd' with the mode reflect or symmetric: twice the edge less the mirrored cell.
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
    if not tracing and constant_axis is None:  # the most frequent call, in one step
        made = _core.tensor_call(
            x, pad_width, mode, interior, order, axes, constant_values, ASKED, False
        )
        if made is False:
            amounts = _core.axes(x.dim(), pad_width, mode, interior, order, axes)
            return _gpu.by_torch(x, amounts, constant_values)
        if made is not None:
            return made
    amounts = (read_amounts if tracing else _core.axes)(
        x.dim(), pad_width, mode, interior, order, axes
    )
    words = {
        "constant_values": constant_values,
        "constant_axis": constant_axis,
        "interior": interior,
        "order": order,
        "axes": axes,
    }
    return pad_by(x, amounts, constant_values, constant_axis, axes, (pad_width, mode, words))


def _odd(x, pad_width, mode, others, reflect_type):
    if reflect_type != "odd" or mode not in ("reflect", "symmetric"):
        raise ValueError(
            f"reflect_type is 'even', or 'odd' with the mode 'reflect' or 'symmetric', got "
            f"{reflect_type!r} with {mode!r}"
        )
    amounts = (read_amounts if is_compiling() else _core.axes)(x.dim(), pad_width, mode, *others)
    if any(before < 0 or after < 0 or between for before, after, between, *_ in amounts):
        raise ValueError("reflect_type 'odd' neither crops nor has an interior")
    return _aten.odd(x, amounts)


def pad_by(x, amounts, constant_values, constant_axis, axes, words=None, computed=False):
    """x padded by five numbers for each axis, as `pad` says. words: those of the call, by which
    tensorpad.pad can do it; None: there are none. computed: whether amounts may be terms of symbols, of
    which slices would ask too much: the operator makes indices of them."""
    tracing = is_compiling()
    if tracing:
        run = operator_pad if computed or is_exporting() else _aten.pad
    else:
        run = pad_of(x)
    if type(constant_values) in (int, float) and constant_axis is None:
        exact = tracing or run is library_pad or constant_values == 0
        return run(x, amounts, constant_values if exact else _number(x, constant_values))
    if words is not None and run is library_pad and not has_tensors(constant_values):
        made = library_pad_by_words(x, amounts, *words)
        if made is not None:
            return made
    return _filled(run, x, amounts, constant_values, constant_axis, axes)


# ---- Constants that are more than a number -------------------------------------------------------


def has_tensors(values):
    """Whether constants are tensors, or lists in which there are any."""
    return isinstance(values, torch.Tensor) or (
        isinstance(values, (list, tuple)) and any(map(has_tensors, values))
    )


def _filled(run, x, amounts, constant_values, constant_axis, axes):
    """x padded by `run`, with constants as tensorpad.pad takes them."""
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
    made = x
    for axis, ((before, after, *others), pair) in enumerate(zip(amounts, pairs)):
        both = [
            ((before, after), pair[before <= 0])
        ]  # at most one side has cells, or none a constant
        if others[1] == _aten.CONSTANT and before > 0 and after > 0:
            both = [((before, 0), pair[0]), ((0, after), pair[1])]
        for widths, value in both:
            if any(widths) and 0 not in _aten.out_shape(x.shape, amounts):
                alone = [(0, 0, *others)] * x.dim()
                alone[axis] = (*widths, *others)
                # A constant with a gradient gives the tensor one.
                again = run if is_compiling() else pad_of(made)
                made = _one(again, made, tuple(alone), value)
    return made if made is not x else run(x, amounts, 0)


def _listed(values):
    """An array or a tensor as lists of its elements. Those of a tensor stay tensors: they may have
    derivatives, and lie on a device."""
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
    made = torch.tensor([_number(x, value) for value in values], dtype=x.dtype)
    return made.to(x.device, non_blocking=x.is_cuda)  # a GPU is not waited for


def _is_same(value, other):
    """Whether two constants are one number to the bit: -0.0 is not 0.0."""
    return value is other or (
        type(value) is type(other)
        and not isinstance(value, torch.Tensor)
        and value == other
        and (value != 0 or str(value) == str(other))
    )


def _one(run, x, amounts, value):
    if isinstance(value, torch.Tensor):
        return _replaced(run, x, amounts, value.reshape(1), None)
    return run(x, amounts, _number(x, value))


def _number(x, value):
    """A constant as a number of x's type. Where torch traces, only what is needed."""
    if not is_compiling():
        return number_of_type(x.dtype, value)
    whole = not (x.dtype.is_floating_point or x.dtype.is_complex)
    return int(value) if whole and isinstance(value, float) else value


def _replaced(run, x, amounts, values, axis):
    """x padded, with the elements of a tensor along an axis in the cells that hold no element; axis None:
    the one element in all of them."""
    made = _gpu.filled(run, x, amounts, values, axis)
    if made is not None:
        return made
    padded = run(x, amounts, 0)
    empty = run(torch.zeros_like(x, dtype=torch.bool), amounts, 1)
    if axis is not None and tuple(values.shape) != (padded.shape[axis],):
        raise ValueError(
            f"constant_values has the shape {tuple(values.shape)}, but axis {axis} of the "
            f"result has {padded.shape[axis]} cells: give a value for each of them"
        )
    shape = [-1 if one == axis else 1 for one in range(x.dim())]
    return torch.where(
        empty, values.to(x.device, x.dtype, non_blocking=x.is_cuda).reshape(shape), padded
    )


# ---- Pad -----------------------------------------------------------------------------------------


if TYPE_CHECKING:  # the package torch may be missing; its modules have any attribute

    class _Module:
        def __call__(self, x: Any) -> Any: ...
        def __getattr__(self, name: str) -> Any: ...
else:
    _Module = torch.nn.Module


class Pad(_Module):
    """Pads its input as `pad` does.

    pad_width, mode, constant_values, constant_axis, interior, order, axes, reflect_type: those of `pad`.

    torch.nn.Sequential(Pad(1, "symmetric", axes=(-2, -1)), torch.nn.Conv2d(3, 16, 3)) is a convolution
    whose borders are mirrored. Constants that are a torch.nn.Parameter are one of the module, and other
    tensors a buffer.
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
        self.pad_width = pad_width
        self.mode = mode
        if isinstance(constant_values, torch.Tensor) and not isinstance(
            constant_values, torch.nn.Parameter
        ):
            self.register_buffer("constant_values", constant_values)
        else:
            self.constant_values = constant_values
        self.constant_axis = constant_axis
        self.interior = interior
        self.order = order
        self.axes = axes
        self.reflect_type = reflect_type

    def _words(self):
        return {name: getattr(self, name) for name in _DEFAULTS}

    def forward(self, x: Any) -> Any:
        return pad(x, self.pad_width, self.mode, **self._words())

    def extra_repr(self) -> str:
        words = "".join(
            f", {name}={value!r}"
            for name, value in self._words().items()
            if isinstance(value, torch.Tensor) or value != _DEFAULTS[name]
        )
        return f"{self.pad_width}, mode={self.mode!r}{words}"


_DEFAULTS = Pad.__init__.__kwdefaults__
