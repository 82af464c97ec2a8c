"""Constants that the type of the elements has to hold.  SPDX-License-Identifier: MIT

numpy.pad converts a constant as an assignment does: in uint8, 300 becomes 44 and 1.5 becomes 1. `pad` does
what numpy.pad does; all other functions refuse such a constant. To round to a floating-point type is
no error.
"""

import numbers
import operator
import sys

import numpy


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
    """The kind of numbers: b, i (also unsigned), f, c; or None if the elements are no numbers."""
    if _ml_dtypes(dtype):
        return "i" if "int" in dtype.name else "f"
    return {"b": "b", "i": "i", "u": "i", "f": "f", "c": "c"}.get(dtype.kind)


def _number(given, kind, dtype, name):
    """The one number of an array. TypeError if it is none, or none for this kind of elements."""
    one = float(given) if _ml_dtypes(given.dtype) else given.item()
    if not isinstance(one, numbers.Number) and hasattr(one, "__index__"):
        one = operator.index(one)
    elif not isinstance(one, numbers.Number) and hasattr(one, "__float__"):
        one = float(one)
    if not isinstance(one, numbers.Number) or given.dtype.kind in "mM":
        raise TypeError(
            f"{name} {one!r}: elements of {dtype} are numbers, this is of type {type(one).__name__}"
        )
    if kind != "c" and isinstance(one, numbers.Complex) and not isinstance(one, numbers.Real):
        raise TypeError(f"{name} {one!r}: {dtype} holds no complex numbers")
    return one


def _integer(dtype, one, name):
    low, high = _limits(dtype, "i")
    is_nan = one != one
    inside = not is_nan and low <= one <= high
    if inside and one == int(one):
        return numpy.asarray(int(one)).astype(dtype)
    error = ValueError if is_nan or inside else OverflowError
    raise error(f"{name} {one!r}: {dtype} holds integers from {low} to {high}")


def _rounded(dtype, given, one, name):
    """The nearest element. Beyond the largest one there is none, but for infinity."""
    try:
        with numpy.errstate(all="ignore"):
            made = (numpy.asarray(float(one)) if given.dtype.kind == "O" else given).astype(dtype)
            wide = complex(made.item()) if dtype.kind == "c" else float(made.item())
            kept = (
                numpy.isfinite(wide)
                if numpy.isfinite(complex(one))
                else numpy.array_equal(wide, complex(one), equal_nan=True)
            )
    except OverflowError:  # an integer that no float holds
        kept = False
    if kept and _ml_dtypes(dtype) and numpy.isfinite(float(numpy.float32("inf").astype(dtype))):
        kept = abs(one) <= _limits(dtype, "f")[1]  # what is larger becomes the largest one
    if kept:
        return made
    low, high = _limits(dtype, "f")
    raise OverflowError(f"{name} {one!r}: {dtype} holds numbers from {low:.8g} to {high:.8g}")


def _of_text(dtype, value, name):
    wide = numpy.asarray(value, dtype.char)
    made = wide.astype(dtype)
    if wide != made:
        most = dtype.itemsize // numpy.dtype(f"{dtype.char}1").itemsize
        raise ValueError(f"{name} {value!r}: {dtype} holds texts up to length {most}")
    return made


def _of_time(dtype, value, name):
    given = numpy.asarray(value)
    if given.dtype.kind in "fc":
        raise TypeError(
            f"{name} {value!r}: elements of {dtype} are times, this is of type "
            f"{type(given.item()).__name__}"
        )
    made = numpy.empty((), dtype)
    made[()] = value
    if given.dtype.kind == dtype.kind and not numpy.isnat(given) and given != made:
        raise ValueError(f"{name} {value!s}: {dtype} does not hold it exactly")
    return made


def held(dtype, value, name):
    """One element that is the value; None for types whose elements are neither numbers, texts nor times.

    name: of the argument, for errors: TypeError if the value is no number, OverflowError if it is
    beyond the limits of the type, ValueError if it lies between two elements.
    """
    if dtype.kind in "SU":
        return _of_text(dtype, value, name)
    if dtype.kind in "mM":
        return _of_time(dtype, value, name)
    kind = _kind(dtype)
    if kind is None:
        return None
    given = numpy.asarray(value)
    one = _number(given, kind, dtype, name)
    if kind == "i":
        return _integer(dtype, one, name)
    if kind != "b":
        return _rounded(dtype, given, one, name)
    if one not in (0, 1):
        raise ValueError(f"{name} {one!r}: bool holds True and False")
    return numpy.asarray(bool(one))
