"""Calls with a masked array or a Quantity, passed on by the extension. SPDX-License-Identifier: MIT

Each function pads the numbers and, in the same way, the mask. _carriers.py has the classes.
"""

import functools
import inspect

import numpy

from . import _core
from ._arguments import computes
from ._arrays import is_torch, source
from ._batch import batch_type
from ._carriers import Masked, carrier, flipped, is_on_gpu
from ._plan import shared_plan


def _taken(words, *names):
    """Removes the keywords of these names from `words`, and returns them."""
    return {name: words.pop(name) for name in names if name in words}


def _with(values, axis):
    """The constants, with constant_axis if there are any: the mask's call has neither."""
    return {**values, **axis} if "constant_values" in values else values


# ---- One array -----------------------------------------------------------------------------------


def _or_on_gpu(call):
    """The call, or for an array on a GPU the function of that name in _gpu_arrays.py."""

    @functools.wraps(call)
    def chosen(*args, **words):
        first = args[0] if args else words.get(next(iter(inspect.signature(call).parameters)))
        if not is_on_gpu(first):
            return call(*args, **words)
        from . import _gpu_arrays

        return getattr(_gpu_arrays, call.__name__)(*args, **words)

    return chosen


def _check_mode(carried, mode, words):
    if isinstance(carried, Masked) and computes(mode, words):
        raise TypeError(
            f"mode {mode!r} would compute elements from masked ones: masked arrays are padded "
            f"in the modes {', '.join(_core.modes)}; {carried.way_out}"
        )


@_or_on_gpu
def pad(array, pad_width, mode="constant", *, out=None, **words):
    carried = carrier(array)
    _check_mode(carried, mode, words)
    constants = _taken(words, "constant_values", "end_values")
    axis = _taken(words, "constant_axis")
    return carried.run(
        lambda one, to, values: _core.pad(
            one, pad_width, mode, out=to, **words, **_with(values, axis)
        ),
        out,
        constants,
    )


@_or_on_gpu
def pad_to(x, shape=None, *, mode="constant", out=None, return_amounts=False, **words):
    carried = carrier(x)
    _check_mode(carried, mode, words)
    constants, axis = _taken(words, "constant_values"), _taken(words, "constant_axis")
    amounts = []

    def run(one, to, values):
        padded, amounts[:] = _core.pad_to(
            one, shape, mode=mode, out=to, return_amounts=True, **words, **_with(values, axis)
        )
        return padded

    padded = carried.run(run, out, constants)
    return (padded, tuple(amounts)) if return_amounts else padded


@_or_on_gpu
def pad_border(out, pad_width, mode="constant", **words):
    constants, axis = _taken(words, "constant_values"), _taken(words, "constant_axis")
    return carrier(out).run(
        lambda one, _, values: _core.pad_border(
            one, pad_width, mode, **words, **_with(values, axis)
        ),
        out,
        constants,
    )


@_or_on_gpu
def pad_adjoint(grad, shape, pad_width, mode="constant", *, out=None, **words):
    carried = carrier(grad)
    if isinstance(carried, Masked):
        raise TypeError("pad_adjoint does not add masked cells: use grad.filled(0)")
    return carried.run(
        lambda one, to, _: _core.pad_adjoint(one, shape, pad_width, mode, out=to, **words), out, {}
    )


# ---- Plans ---------------------------------------------------------------------------------------


def _by_plan(run, capsule, fill, fill_axis, dtype, array, out, *more):
    def masks(shown):
        plan = shared_plan(*_core.plan_axes(capsule), shown.dtype, bytes(shown.dtype.itemsize))
        return run(plan._capsule, plan._fill, -1, shown.dtype, shown, None, *more)

    def numbers(one, to, values):
        filled = numpy.asarray(values["fill"], dtype).reshape(fill.shape) if values else fill
        return run(capsule, filled, fill_axis, dtype, one, to, *more)

    return carrier(array).run(numbers, out, {"fill": fill} if any(fill.tobytes()) else {}, masks)


def plan_run(*call):
    return _by_plan(_core.plan_run, *call)


def plan_box(*call):
    return _by_plan(_core.plan_box, *call)


# ---- The specifications --------------------------------------------------------------------------


def onnx_pad(data, pads, constant_value=None, axes=None, mode="constant", *, out=None, **words):
    return carrier(data).run(
        lambda one, to, values: _core.onnx_pad(
            one, pads, values.get("value"), axes, mode, out=to, **words
        ),
        out,
        _given(constant_value),
        typed=True,
    )


def openvino_pad(data, pads_begin, pads_end, pad_value=None, pad_mode=None, *, out=None, **words):
    return carrier(data).run(
        lambda one, to, values: _core.openvino_pad(
            one, pads_begin, pads_end, values.get("value"), pad_mode, out=to, **words
        ),
        out,
        _given(pad_value),
        typed=True,
    )


def ngraph_pad(arg, arg_pad_value, *amounts, out=None, **words):
    return carrier(arg).run(
        lambda one, to, values: _core.ngraph_pad(
            one, values.get("value", 0), *amounts, out=to, **words
        ),
        out,
        {"value": arg_pad_value},
        typed=True,
    )


def mli_padding2d(tensor, *, out=None, **words):
    return carrier(tensor).run(
        lambda one, to, _: _core.mli_padding2d(one, out=to, **words), out, {}, typed=True
    )


def _given(value):
    return {} if value is None else {"value": value}


# ---- Batches -------------------------------------------------------------------------------------


def pad_batch(things, _refusal, *_, out=None, **words):
    """things: the items as a tuple, because the argument `items` may be used up."""
    words.pop("items", None)
    constants, axis = _taken(words, "constant_values"), _taken(words, "constant_axis")
    carriers = [carrier(thing) for thing in things]
    leader = next(carried for carried in carriers if carried)
    if any(map(is_torch, things)) or batch_type(words.get("dtype"))[1]:
        raise TypeError(f"a batch of tensors, and items with a {leader.keeps}: tensors have none")
    if any(carried and not isinstance(carried, Masked) for carried in carriers):
        leader = next(
            carried for carried in carriers if carried and not isinstance(carried, Masked)
        )
        inner = _in_one_unit(carriers, leader)
    else:
        inner = [carried.inner if carried else thing for carried, thing in zip(carriers, things)]
    extra = []

    def run(items, to, values):
        batch = _core.pad_batch(items, out=to, **words, **_with(values, axis))
        if not isinstance(batch, tuple):
            return batch
        extra[:] = batch[1:]
        return batch[0]

    def masks(_):
        shown = [
            flipped(carried.mask) if carried else _all_shown(thing)
            for carried, thing in zip(carriers, things)
        ]
        only = {
            name: word for name, word in words.items() if name not in ("dtype", "mask", "lengths")
        }
        return _core.pad_batch(shown, **only)

    batch = leader.run(lambda _, to, values: run(inner, to, values), out, constants, masks)
    return (batch, *extra) if extra else batch


def _in_one_unit(carriers, leader):
    """The numbers of the items. TypeError unless all have the unit of `leader`."""
    for number, carried in enumerate(carriers):
        if type(carried) is not type(leader) or carried.unit != leader.unit:
            unit = (
                "no unit"
                if carried is None or isinstance(carried, Masked)
                else f"the unit {carried.unit}"
            )
            raise TypeError(
                f"item {number} has {unit}, item {carriers.index(leader)} has {leader.unit}: make "
                "them alike"
            )
    return [carried.inner for carried in carriers]


def _all_shown(thing):
    """The flipped mask of an item without a mask."""
    if isinstance(thing, (list, tuple)):
        return [_all_shown(one) for one in thing]
    if numpy.ndim(thing) == 0:
        return True
    return flipped(numpy.ma.getmaskarray(source(thing).array))
