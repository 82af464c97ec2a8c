"""The words of a call as numbers for the engine.  SPDX-License-Identifier: MIT

NumPy's spellings of pad_width and constant_values, and our own mode, interior, order and axes,
become one (before, after, interior, mode, order) for each axis of the array. Nothing here sees
the data.
"""
import operator

import numpy

from . import _core

MODES = _core.modes
ORDERS = {"window": 0, "crop": 1}
# The modes of numpy.pad that compute elements; the engine only moves them.
COMPUTED = ("empty", "linear_ramp", "maximum", "mean", "median", "minimum")
# The keyword that numpy.pad takes with a mode that moves elements.
KEYWORDS = {"constant": ("constant_values",), "reflect": ("reflect_type",),
            "symmetric": ("reflect_type",)}
# What other programs call the modes, in small letters. The command has the same table.
ALIASES = {
    "fill": "constant", "zeros": "constant", "border_constant": "constant",
    "replicate": "edge", "nearest": "edge", "clamp": "edge", "smear": "edge",
    "repeat_edge": "edge", "border_replicate": "edge",
    "mirror": "reflect (SciPy) or symmetric (ITK, libvips, ffmpeg)",
    "reflect_101": "reflect", "border_reflect_101": "reflect", "mirror_interior": "reflect",
    "border_reflect": "symmetric",
    "circular": "wrap", "periodic": "wrap", "torus": "wrap", "tile": "wrap", "grid-wrap": "wrap",
    "border_wrap": "wrap"}


def pairs(values, count):
    """`values` as `count` pairs, broadcast as numpy.pad does it."""
    array = numpy.asarray(values)
    if array.ndim < 3 and array.size == 1:
        one = array.ravel()[0]
        return [(one, one)] * count
    if array.ndim < 3 and array.size == 2 and array.shape != (2, 1):
        first, second = array.ravel()
        return [(first, second)] * count
    return [tuple(pair) for pair in numpy.broadcast_to(array, (count, 2)).tolist()]


def axis_number(axis, rank):
    """An axis from 0 on, or numpy.exceptions.AxisError (a ValueError and an IndexError)."""
    number = operator.index(axis)
    if not -rank <= number < rank:
        raise numpy.exceptions.AxisError(number, rank)
    return number % rank


def chosen_axes(axes, rank):
    """The axes that a call speaks of, from 0 on."""
    if axes is None:
        return range(rank)
    try:
        items = [operator.index(axes)]
    except TypeError:
        items = list(axes)
    numbers = [axis_number(axis, rank) for axis in items]
    if len(set(numbers)) != len(numbers):
        raise ValueError(f"axes names an axis twice: {axes!r}")
    return numbers


def _integer_pair(width):
    """The width of one axis in a dict: one integer or two."""
    try:
        both = operator.index(width)
        return both, both
    except TypeError:
        pass
    try:
        before, after = width
        return operator.index(before), operator.index(after)
    except (TypeError, ValueError):
        raise TypeError("`pad_width` must be of integral type.") from None


def widths(pad_width, axes, rank):
    """(before, after) for each axis of an array of `rank` axes."""
    result = [(0, 0)] * rank
    if isinstance(pad_width, dict):
        if axes is not None:
            raise ValueError("axes cannot be given when pad_width is a dict: its keys are the axes")
        for axis, width in pad_width.items():
            result[axis_number(axis, rank)] = _integer_pair(width)
        return result
    numbers = chosen_axes(axes, rank)
    array = numpy.asarray(pad_width)
    if array.size == len(numbers) == 0:
        return result
    if array.dtype.kind != "i":
        raise TypeError("`pad_width` must be of integral type.")
    for number, (before, after) in zip(numbers, pairs(array, len(numbers))):
        result[number] = int(before), int(after)
    return result


def _each(value, axes, rank, default, what, read):
    """One entry for each axis: from a dict by axis, one for all chosen axes, or a list of them."""
    result = [default] * rank
    if isinstance(value, dict):
        for axis, item in value.items():
            result[axis_number(axis, rank)] = read(item)
        return result
    numbers = chosen_axes(axes, rank)
    if isinstance(value, (list, tuple, numpy.ndarray)):
        items = [read(item) for item in value]
        if len(items) != len(numbers):
            raise ValueError(f"{what} has {len(items)} entries, for {len(numbers)} axes")
    else:
        items = [read(value)] * len(numbers)
    for number, item in zip(numbers, items):
        result[number] = item
    return result


def interiors(interior, axes, rank):
    def read(item):
        try:
            return operator.index(item)
        except TypeError:
            raise TypeError(f"interior has to be integers, got {item!r}") from None

    return _each(interior, axes, rank, 0, "interior", read)


def mode_number(word):
    try:
        return MODES[word]
    except (KeyError, TypeError):
        pass
    if isinstance(word, str) and word in COMPUTED or callable(word):
        raise ValueError(f"mode {word!r} is computed by NumPy and has to be the only mode")
    small = word.lower() if isinstance(word, str) else word
    if small in MODES or small in COMPUTED:
        hint = f"here it is called {small}"
    elif isinstance(small, str) and small in ALIASES:
        hint = f"here it is called {ALIASES[small]}"
    else:
        hint = f"it is one of {', '.join((*MODES, *COMPUTED))}"
    raise ValueError(f"mode '{word}' is not supported: {hint}")


def modes(mode, axes, rank):
    return _each(mode, axes, rank, MODES["constant"], "mode", mode_number)


def order_number(order):
    try:
        return ORDERS[order]
    except (KeyError, TypeError):
        raise ValueError(f"order has to be 'window' or 'crop', got {order!r}") from None


def check_integer(name, value):
    limit = 2**63 - 1
    if not -limit <= value <= limit:
        raise ValueError(f"{name} is {value}, which is more than 64 bits hold")
    return value


def axis_list(rank, pad_width, mode="constant", interior=0, order="window", axes=None):
    """What the engine takes: five integers for each axis."""
    number = order_number(order)
    return tuple(
        (check_integer("an amount", before), check_integer("an amount", after),
         check_integer("interior", between), one_mode, number)
        for (before, after), between, one_mode in zip(
            widths(pad_width, axes, rank), interiors(interior, axes, rank),
            modes(mode, axes, rank)))
