"""pad_width, mode, interior, order and axes of a call that torch traces, as five numbers for each
axis.  SPDX-License-Identifier: MIT

The extension reads the same words for calls that are not traced. Here amounts may be symbols of
torch, of which no number is known, and nothing is called that torch.compile cannot look into.
"""

from .. import _core

ORDERS = {"window": 0, "crop": 1}
MODES = _core.modes


def read_amounts(rank, pad_width, mode, interior, order, axes):
    """((before, after, interior, mode, order), ...)"""
    if order not in ORDERS:
        raise ValueError(f"order has to be 'window' or 'crop', got {order!r}")
    chosen = _chosen_axes(axes, rank)
    if axes is not None and isinstance(pad_width, dict):
        raise ValueError("axes cannot be given when pad_width is a dict: its keys are the axes")
    modes = _of_axes(mode, rank, _list(mode, len(chosen), "mode"), chosen, "constant")
    interiors = _of_axes(interior, rank, _list(interior, len(chosen), "interior"), chosen, 0)
    return tuple(
        (*pair, cells, _mode(word), ORDERS[order])
        for pair, word, cells in zip(pairs(rank, pad_width, axes, "pad_width"), modes, interiors)
    )


def pairs(rank, value, axes, what):
    """A pair for each axis, of an argument that has the forms of numpy.pad: one for all, a pair, a
    pair in a list, a pair for each of `axes`, or a dict of axes."""
    chosen = _chosen_axes(axes, rank)
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
        entries = value * len(chosen) if len(value) == 1 else _list(value, len(chosen), what)
    return [
        (entry, entry)
        if not isinstance(entry, (list, tuple))
        else tuple(entry) * 2
        if len(entry) == 1
        else tuple(entry)
        for entry in _of_axes(value, rank, entries, chosen, (0, 0))
    ]


def axis_number(axis, rank):
    """An axis from 0 on."""
    if not -rank <= axis < rank:
        raise ValueError(f"axis {axis} is out of bounds for array of dimension {rank}")
    return axis % rank


def _chosen_axes(axes, rank):
    if axes is None:
        return list(range(rank))
    chosen = [
        axis_number(axis, rank)
        for axis in (axes if isinstance(axes, (list, tuple, range)) else (axes,))
    ]
    if len(set(chosen)) < len(chosen):
        raise ValueError("an axis is named twice in axes")
    return chosen


def _mode(word):
    if word not in MODES:
        raise ValueError(f"mode {word!r} is not supported: it is one of {', '.join(MODES)}")
    return MODES[word]


def _of_axes(value, rank, entries, chosen, default):
    """An entry for each axis of the tensor."""
    found = [default] * rank
    by_axis = value.items() if isinstance(value, dict) else zip(chosen, entries)
    for axis, entry in by_axis:
        found[axis_number(axis, rank)] = entry
    return found


def _list(value, count, what):
    if not isinstance(value, (list, tuple)):
        return [value] * count
    if len(value) != count:
        raise ValueError(f"{what} has {len(value)} entries for {count} axes")
    return value
