"""Arguments that only NumPy understands, errors about names, and constants that must fit the
element type. SPDX-License-Identifier: MIT

The extension itself reads plain numbers, lists of them and dicts. numpy.pad converts a constant as
an assignment does: in uint8, 300 becomes 44 and 1.5 becomes 1. `pad` does the same; all other
functions refuse such a constant. Rounding to a floating-point type is not an error.
"""

from __future__ import annotations

import difflib
import numbers
import operator
import sys

import numpy

from . import _core
from ._arrays import numbers_of, torch_elements, torch_word
from ._carriers import refuse_constant

MODES = _core.modes
ZERO = numpy.zeros(1, int)[0]  # more types accept NumPy's number than Python's
# The modes of numpy.pad that compute elements; the engine only moves them.
COMPUTED = ("empty", "linear_ramp", "maximum", "mean", "median", "minimum")
# numpy.pad's keyword for modes that move elements.
KEYWORDS = {
    "constant": ("constant_values",),
    "reflect": ("reflect_type",),
    "symmetric": ("reflect_type",),
}


COLOURS = "one for each colour with constant_axis=-1 (or for each cell of another axis)"
# The keywords of pad, for suggestions.
KNOWN = (
    "mode",
    "constant_values",
    "constant_axis",
    "interior",
    "order",
    "axes",
    "out",
    "threads",
    "reflect_type",
    "stat_length",
    "end_values",
)
# Other libraries' names of our keywords.
ELSEWHERE = {
    word: here
    for here, words in {
        "constant_values": "value fill fill_value padding_value pad_value pad_token_id cval",
        "shape": "max_length max_len size target_size output_size spatial_size",
        "multiple": "divisor divisible_by size_divisor size_divisibility pad_to_multiple_of stride",
        "align": "padding_side",
        "too_long": "truncation truncate",
        "pad_width": "pad padding paddings",
        "mode": "padding_mode pad_mode border_mode",
    }.items()
    for word in words.split()
}


def did_you_mean(word, known):
    """ " (did you mean ...?)", or "" if no known word is similar."""
    word = str(word)
    close = difflib.get_close_matches(ELSEWHERE.get(word, word), known, 1)
    return f" (did you mean {close[0]}?)" if close and close[0] != word else ""


def pairs(values, count, what, forms):
    """`values` as `count` pairs, broadcast as in numpy.pad. what, forms: the argument's name and
    its forms, for errors."""
    array = numpy.asarray(values)
    if array.ndim < 3 and array.size == 1:
        single = array.ravel()[0]
        return [(single, single)] * count
    if array.ndim < 3 and array.size == 2 and array.shape != (2, 1):
        first, second = array.ravel()
        return [(first, second)] * count
    try:
        return [tuple(pair) for pair in numpy.broadcast_to(array, (count, 2)).tolist()]
    except ValueError as error:
        numpys = f" ({error})" if what == "pad_width" else ""
        raise ValueError(
            f"{what} of shape {array.shape}: it is {forms.format(count)}{numpys}"
        ) from None


TORCHS = "; tensorpad.torch.functional.pad takes a flat list, the last axis first"


def widths(pad_width, count):
    """pad_width as NumPy understands it: a list of `count` pairs of integers."""
    array = numpy.asarray(pad_width)
    if array.size == count == 0:
        return []
    if array.dtype.kind != "i":
        raise TypeError("`pad_width` must be of integral type.")
    if array.size == 0:
        array.min()  # raises numpy.pad's error
    return [
        (int(before), int(after))
        for before, after in pairs(
            array,
            count,
            "pad_width",
            "one number, a pair (before, after), or a pair for each of {} axes"
            + TORCHS * (array.ndim == 1 and array.size > 2 and array.size % 2 == 0),
        )
    ]


def refuse_axis(axis, rank):
    """Raises an error that is both a ValueError and an IndexError."""
    raise numpy.exceptions.AxisError(operator.index(axis), rank)


def refuse_mode(word):
    if isinstance(word, str) and word in COMPUTED or callable(word):
        raise ValueError(
            f"mode {word!r} is computed by NumPy: it has to be the only mode, of a "
            "call of pad or pad_to"
        )
    from . import _models  # only when needed: it takes time to load

    here = None
    if isinstance(word, str) and word.isprintable():
        here = word.lower() if word.lower() in COMPUTED else _models.mode_elsewhere(word)
    known = (*MODES, *COMPUTED)
    hint = (
        f"here it is called {here}"
        if here
        else f"it is one of {', '.join(known)}{did_you_mean(word, known)}"
    )
    raise ValueError(f"mode '{word}' is not supported: {hint}")


def check_bfloat16(dtype):
    """TypeError unless it is bfloat16; the extension handles other types itself."""
    if not dtype.isnative:
        raise TypeError(
            f"grad has elements of type {dtype.str}, whose bytes are in the other order: use "
            "grad.astype(grad.dtype.newbyteorder('='))"
        )
    if dtype.name != "bfloat16" and torch_word(dtype) != "bfloat16":
        raise TypeError(
            "pad_adjoint adds integers, float16, bfloat16, float32, float64, complex64 and "
            f"complex128, got elements of type {dtype}"
        )


# Other libraries' names for align and too_long.
ALIGNS = {
    "centre": "center",
    "centered": "center",
    "middle": "center",
    "both": "center",
    "begin": "start",
    "front": "start",
    "top": "start",
    "back": "end",
    "bottom": "end",
    "left": "'start' if the data is to lie left, 'end' if the padding is",
    "right": "'end' if the data is to lie right, 'start' if the padding is",
}
TOO_LONG = {
    "ignore": "keep",
    "pad": "keep",
    "raise": "error",
    "truncate": "crop_end",
    "centre": "crop_center",
    "center": "crop_center",
    "crop_centre": "crop_center",
    "start": "crop_start",
    "end": "crop_end",
}


def _refuse_word(what, word, known, others, more=""):
    small = word.lower().replace("-", "_") if isinstance(word, str) else None
    if small in known:
        hint = f"here it is called {small}"
    elif small in others:
        hint = f"here it is called {others[small]}"
    else:
        hint = f"it is one of {', '.join(known)}{more}{did_you_mean(word, known)}"
    raise ValueError(f"{what} {word!r} is not known: {hint}")


def refuse_align(word):
    _refuse_word(
        "align",
        word,
        ("start", "center", "end"),
        ALIGNS,
        ", or the index of the first cell of the data",
    )


def refuse_too_long(word):
    _refuse_word(
        "too_long",
        word,
        ("error", "crop", "crop_end", "crop_start", "crop_center", "keep"),
        TOO_LONG,
    )


def computes(mode, kwargs):
    """Whether elements are computed, not only moved. kwargs: of numpy.pad."""
    if isinstance(mode, str):
        return mode in COMPUTED or (
            "reflect_type" in KEYWORDS.get(mode, ()) and kwargs.get("reflect_type") == "odd"
        )
    return callable(mode)


def check_keywords(mode, interior, kwargs):
    """NumPy's check of the keywords that go with a mode; the constant goes with interior too."""
    if isinstance(mode, str):
        allowed = KEYWORDS.get(mode, ())
    else:
        allowed = ("constant_values", "reflect_type")
        if kwargs.get("reflect_type") == "odd":
            raise ValueError(
                "reflect_type 'odd' is computed by NumPy and takes one mode for all axes"
            )
    unsupported = set(kwargs) - set(allowed)
    if interior:
        unsupported.discard("constant_values")
    if unsupported:
        raise ValueError(
            f"unsupported keyword arguments for mode '{mode}': {unsupported}"
            f"{did_you_mean(min(unsupported), KNOWN)}"
        )


def fill_value(dtype, value, name=None):
    """One element: the value as NumPy assigns it to a part of an array.

    name: of an argument whose value the type must hold, for errors; None: NumPy converts what it can."""
    element = held(dtype, value, name) if name else None
    if element is not None:
        return element.reshape(1)
    filled = numpy.empty(1, dtype)
    word = None if isinstance(value, numpy.void) else torch_word(filled.dtype)
    try:
        filled[:] = torch_elements(word, value) if word else value
    except (ValueError, OverflowError) as error:
        if (
            filled.dtype.kind not in "iu"
            or not isinstance(value, numbers.Real)
            or abs(value) < numpy.inf
        ):
            raise
        raise type(error)(f"{error}: x.astype(float) makes an array that holds it") from None
    return filled


def zero(dtype):
    """The element for no constant: what numpy.pad assigns."""
    return fill_value(dtype, ZERO)


def one_value(dtype, value, function):
    """One constant as an element; the type must hold it."""
    refuse_constant(value)
    array = numpy.asarray(value)
    if array.size != 1:
        raise ValueError(f"{function} takes one constant value, or {COLOURS}")
    return fill_value(dtype, array[()] if array.ndim == 0 else array.ravel()[0], "constant_values")


def listed_values(constant_values, axis, extent):
    """A constant for each cell of an axis of the result."""
    given = numpy.asarray(constant_values)
    if given.shape != (extent,):
        shape = f"{given.size} values" if given.ndim == 1 else f"the shape {given.shape}"
        raise ValueError(
            f"constant_values has {shape}, but axis {axis} of the result has {extent} "
            "cells: give a list with a value for each of them"
        )
    # NumPy makes floats of a list of small integers and one beyond int64.
    return constant_values if isinstance(constant_values, (list, tuple)) else given


def axis_values(dtype, constant_values, axis, extent):
    """The same, as elements."""
    elements = numpy.empty(extent, dtype)
    for cell, value in enumerate(listed_values(constant_values, axis, extent)):
        elements[cell : cell + 1] = fill_value(dtype, value, "constant_values")
    return elements


def values(dtype, constant_values, axes, rank, exact=False):
    """constant_values as NumPy understands it: one element, or a pair of them for each axis.

    exact: whether the type must hold them."""
    name = "constant_values" if exact else None
    if constant_values is None:
        return fill_value(dtype, None, name)
    refuse_constant(constant_values)
    array = numpy.asarray(constant_values)
    if array.ndim == 0:
        return fill_value(dtype, array[()], name)
    if array.ndim < 3 and array.size == 1:
        return fill_value(dtype, array.ravel()[0], name)
    chosen = range(rank)
    if axes is not None:
        chosen = [axis % rank for axis in numpy.atleast_1d(axes).tolist()]
    elements = numpy.zeros((rank, 2), dtype)
    for axis, pair in zip(
        chosen,
        pairs(
            array,
            len(chosen),
            "constant_values",
            f"{COLOURS}; without it one value, a pair (before, after), or a pair for each of {{}} axes",
        ),
    ):
        for side in (0, 1):
            elements[axis, side : side + 1] = fill_value(dtype, pair[side], name)
    return elements


# ---- Constants -----------------------------------------------------------------------------------


def _ml_dtypes(dtype):
    """The module ml_dtypes if the type is one of its types, else None."""
    return sys.modules["ml_dtypes"] if dtype.type.__module__ == "ml_dtypes" else None


def _limits(dtype, kind):
    """The smallest and the largest number."""
    module = _ml_dtypes(dtype) or numpy
    if kind == "i":
        return module.iinfo(dtype).min, module.iinfo(dtype).max
    info = module.finfo(dtype)
    return float(info.min), float(info.max)


def _kind(dtype):
    """The kind of numbers: b, i (also unsigned), f, c; None if the elements are not numbers."""
    if _ml_dtypes(dtype):
        return "i" if "int" in dtype.name else "f"
    return {"b": "b", "i": "i", "u": "i", "f": "f", "c": "c"}.get(dtype.kind)


def _number(given, kind, dtype, name):
    """The only number of an array. TypeError if it is not a number, or not one for this kind of
    elements."""
    number = float(given) if _ml_dtypes(given.dtype) else given.item()
    if not isinstance(number, numbers.Number) and hasattr(number, "__index__"):
        number = operator.index(number)
    elif not isinstance(number, numbers.Number) and hasattr(number, "__float__"):
        number = float(number)
    if not isinstance(number, numbers.Number) or given.dtype.kind in "mM":
        raise TypeError(
            f"{name} {number!r}: elements of {dtype} are numbers, this is of type {type(number).__name__}"
        )
    if kind != "c" and isinstance(number, numbers.Complex) and not isinstance(number, numbers.Real):
        raise TypeError(f"{name} {number!r}: {dtype} holds no complex numbers")
    return number


def _integer(dtype, number, name):
    low, high = _limits(dtype, "i")
    is_nan = number != number
    inside = not is_nan and low <= number <= high
    if inside and number == int(number):
        return numpy.asarray(int(number)).astype(dtype)
    error = ValueError if is_nan or inside else OverflowError
    raise error(f"{name} {number!r}: {dtype} holds integers from {low} to {high}")


def _rounded(dtype, given, number, name):
    """The nearest element. Beyond the largest one there is none, but for infinity."""
    try:
        with numpy.errstate(all="ignore"):
            rounded = (numpy.asarray(float(number)) if given.dtype.kind == "O" else given).astype(
                dtype
            )
            wide = complex(rounded.item()) if dtype.kind == "c" else float(rounded.item())
            kept = (
                numpy.isfinite(wide)
                if numpy.isfinite(complex(number))
                else numpy.array_equal(wide, complex(number), equal_nan=True)
            )
    except OverflowError:  # an integer that no float holds
        kept = False
    if kept and _ml_dtypes(dtype) and numpy.isfinite(float(numpy.float32("inf").astype(dtype))):
        kept = abs(number) <= _limits(dtype, "f")[1]  # what is larger becomes the largest one
    if kept:
        return rounded
    low, high = _limits(dtype, "f")
    raise OverflowError(f"{name} {number!r}: {dtype} holds numbers from {low:.8g} to {high:.8g}")


def _of_torch(word, value, name):
    """An element of a type of torch that only torch has."""
    one = _number(numpy.asarray(value), "c" if word == "complex32" else "f", word, name)
    element = torch_elements(word, [one])
    info = sys.modules["torch"].finfo(getattr(sys.modules["torch"], word))
    wide = complex(one)
    if numpy.isfinite(wide):
        kept = max(abs(wide.real), abs(wide.imag)) <= info.max
    else:
        kept = numpy.array_equal(numbers_of(element)[0], wide, equal_nan=True)
    if kept:
        return element
    raise OverflowError(
        f"{name} {one!r}: {word} holds numbers from {info.min:.8g} to {info.max:.8g}"
    )


def _of_text(dtype, value, name):
    wide = numpy.asarray(value, dtype.char)
    converted = wide.astype(dtype)
    if wide != converted:
        most = dtype.itemsize // numpy.dtype(f"{dtype.char}1").itemsize
        raise ValueError(f"{name} {value!r}: {dtype} holds texts up to length {most}")
    return converted


def _of_time(dtype, value, name):
    given = numpy.asarray(value)
    if given.dtype.kind in "fc":
        raise TypeError(
            f"{name} {value!r}: elements of {dtype} are times, this is of type "
            f"{type(given.item()).__name__}"
        )
    converted = numpy.empty((), dtype)
    converted[()] = value
    if given.dtype.kind == dtype.kind and not numpy.isnat(given) and given != converted:
        raise ValueError(f"{name} {value!s}: {dtype} does not hold it exactly")
    return converted


def held(dtype, value, name):
    """One element equal to the value; None for types other than numbers, texts and times.

    name: of the argument, for errors: TypeError if the value is not a number, OverflowError if it
    is beyond the type's limits, ValueError if it lies between two elements.
    """
    word = torch_word(dtype)
    if word and not isinstance(value, numpy.void):
        return _of_torch(word, value, name)
    if dtype.kind in "SU":
        return _of_text(dtype, value, name)
    if dtype.kind in "mM":
        return _of_time(dtype, value, name)
    kind = _kind(dtype)
    if kind is None:
        return None
    given = numpy.asarray(value)
    number = _number(given, kind, dtype, name)
    if kind == "i":
        return _integer(dtype, number, name)
    if kind != "b":
        return _rounded(dtype, given, number, name)
    if number not in (0, 1):
        raise ValueError(f"{name} {number!r}: bool holds True and False")
    return numpy.asarray(bool(number))
