"""The extension's functions with arrays that it does not know. SPDX-License-Identifier: MIT

They are opened, and the extension is called again with NumPy arrays. Of masked arrays and
Quantities it pads the numbers and, in the same way, the mask; _carriers.py has the classes.
"""

import numpy

from . import _core
from ._arguments import computes
from ._arrays import is_torch, source, target, tell_written
from ._batch import batch_like, batch_type
from ._carriers import Masked, carrier, flipped, is_on_gpu
from ._plan import shared_plan

# By function: the argument that is the array, and those that are constants.
ARRAYS = {
    "pad": ("array", "constant_values", "end_values"),
    "pad_to": ("x", "constant_values"),
    "pad_border": ("out", "constant_values"),
    "pad_adjoint": ("grad",),
    "plan_run": ("array", "fill"),
    "plan_box": ("array", "fill"),
    "onnx_pad": ("data", "constant_value"),
    "openvino_pad": ("data", "pad_value"),
    "ngraph_pad": ("arg", "arg_pad_value"),
    "mli_padding2d": ("tensor",),
}


def _call(function, words):
    if function in ("plan_run", "plan_box"):
        return getattr(_core, function)(*words.values())
    return getattr(_core, function)(**words)


def plain(function, words, given=None):
    """A call with an array of numbers only, or with such an `out`. given: the array's Source."""
    name = ARRAYS.get(function, ("items",))[0]
    out = words.get("out")
    if name not in ("out", "items"):
        given = given or source(words[name])
        words = words | {name: given.array, "out": given.maker}
    if out is not None or name == "out":
        words = words | {"out": target(out)}
    result = _call(function, words)
    if out is None:
        return result
    tell_written(out)
    if not isinstance(result, tuple):
        return out
    more = (batch_like(out, one) if isinstance(one, numpy.ndarray) else one for one in result[1:])
    return (out, *more)


# ---- Masks and units, and arrays on a GPU --------------------------------------------------------


def kept(function, words):
    """A call with an array that has a mask or units, or is on a GPU."""
    name, *constants = ARRAYS[function]
    if is_on_gpu(words[name]) and function in ("pad", "pad_to", "pad_border", "pad_adjoint"):
        from . import _gpu_arrays

        return getattr(_gpu_arrays, function)(**words)
    carried = carrier(words[name])
    _check_masked(function, carried, words)
    if function.startswith("plan"):
        return _by_plan(function, carried, words)
    typed = function in ("onnx_pad", "openvino_pad", "ngraph_pad", "mli_padding2d")
    absent = function in ("onnx_pad", "openvino_pad") and words.get(constants[0]) is None
    given = {one: words.pop(one) for one in constants if one in words and not absent}
    axis = {one: words.pop(one) for one in ("constant_axis",) if one in words}
    out = words.get("out")
    least = {"arg_pad_value": 0} if function == "ngraph_pad" else {}
    more = []

    def run(one, to, values):
        filled = values | axis if "constant_values" in values else least | values
        result = _call(function, words | {"out": to} | {name: one} | filled)
        more[:] = result[1:] if isinstance(result, tuple) else ()
        return result[0] if more else result

    result = carried.run(run, out, given, typed=typed)
    return (result, *more) if more else result


def _check_masked(function, carried, words):
    if not isinstance(carried, Masked):
        return
    if function == "pad_adjoint":
        raise TypeError("pad_adjoint does not add masked cells: use grad.filled(0)")
    mode = words.get("mode", "constant")
    if function in ("pad", "pad_to") and computes(mode, words):
        raise TypeError(
            f"mode {mode!r} would compute elements from masked ones: masked arrays are padded "
            f"in the modes {', '.join(_core.modes)}; {carried.way_out}"
        )


def _by_plan(function, carried, words):
    fill = words["fill"]

    def masks(shown):
        plan = shared_plan(*_core.plan_axes(words["plan"]), shown.dtype, bytes(shown.itemsize))
        same = {"plan": plan._capsule, "fill": plan._fill, "fill_axis": -1, "dtype": shown.dtype}
        return _call(function, words | same | {"array": shown, "out": None})

    def numbers(one, to, values):
        filled = numpy.asarray(values.get("fill", fill), words["dtype"]).reshape(fill.shape)
        return _call(function, words | {"fill": filled, "array": one, "out": to})

    given = {"fill": fill} if any(fill.tobytes()) else {}
    return carried.run(numbers, words["out"], given, masks)


# ---- Batches -------------------------------------------------------------------------------------


def pad_batch(items, **words):
    """items: a tuple."""
    carriers = [carrier(thing) for thing in items]
    leader = next((carried for carried in carriers if carried), None)
    if leader is None:
        return plain("pad_batch", {"items": items} | words)
    if any(map(is_torch, items)) or batch_type(words.get("dtype"))[1]:
        raise TypeError(f"a batch of tensors, and items with a {leader.keeps}: tensors have none")
    united = [carried for carried in carriers if carried and not isinstance(carried, Masked)]
    if united:
        leader = united[0]
        inner = _in_one_unit(carriers, leader)
    else:
        inner = [carried.inner if carried else thing for carried, thing in zip(carriers, items)]
    constants = {one: words.pop(one) for one in ("constant_values",) if one in words}
    axis = {one: words.pop(one) for one in ("constant_axis",) if one in words}
    out = words.pop("out", None)
    extra = []

    def run(_, to, values):
        filled = values | axis if "constant_values" in values else values
        batch = _core.pad_batch(inner, out=to, **words, **filled)
        if not isinstance(batch, tuple):
            return batch
        extra[:] = batch[1:]
        return batch[0]

    def masks(_):
        shown = [
            flipped(carried.mask) if carried else _all_shown(thing)
            for carried, thing in zip(carriers, items)
        ]
        only = {one: words[one] for one in words if one not in ("dtype", "mask", "lengths")}
        return _core.pad_batch(shown, **only)

    batch = leader.run(run, out, constants, masks)
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
