"""The function that stands in for numpy.pad, and where it is put.  SPDX-License-Identifier: MIT"""

import functools
import sys

import numpy

import tensorpad

from .._arguments import computes
from .._arrays import MAX_RANK
from .._numpy import holds_arrays, numpy_pad
from . import _children, _compare
from ._counted import counter
from ._tally import CALLS, NO_SIZE, NUMPY, TENSORPAD, Tally

# What numpy.pad takes besides array, pad_width and mode; tensorpad.pad takes more.
KEYWORDS = {"stat_length", "constant_values", "end_values", "reflect_type"}


def _name(mode):
    return f"{mode.__qualname__}()" if hasattr(mode, "__qualname__") else str(mode)


def _difference(result, error, numpys, refused, call):
    array, pad_width, mode = call
    found = _compare.errors(error, refused) or (
        None if error else _compare.results(result, numpys, mode != "empty")
    )
    return found and f"array {array.dtype} {array.shape}, pad_width {pad_width!r}: {found}"


def make(tally, verify, one_in):
    """The function, which takes what numpy.pad takes and counts each call.

    verify: NumPy's runs each call as well; else one call in one_in (0: none)."""
    ours = tensorpad.pad
    ndarray = numpy.ndarray
    run = counter(tally, verify, one_in, _difference)

    def pad(array, pad_width, mode="constant", **kwargs):
        if type(array) is not ndarray:
            array = numpy.asarray(array)  # as numpy.pad does, also for torch's tensors
        caller = sys._getframe(1)
        place = (
            caller.f_code.co_filename,
            caller.f_lineno,
            mode if type(mode) is str else _name(mode),
        )
        strange = (
            callable(mode)
            or kwargs
            and (not kwargs.keys() <= KEYWORDS or holds_arrays(kwargs.get("constant_values")))
        )
        function = numpy_pad if strange else ours
        by = NUMPY if strange or array.ndim > MAX_RANK or computes(mode, kwargs) else TENSORPAD
        # NumPy runs a callable mode: whatever that does should happen once.
        return run(
            caller, place, by, function, numpy_pad, (array, pad_width, mode), kwargs, callable(mode)
        )

    def dispatcher(array, pad_width, mode=None, **kwargs):
        """NumPy asks here for the arguments whose types may pad in a way of their own."""
        kind = type(array)
        if (
            kind is not ndarray
            and not isinstance(array, ndarray)
            and hasattr(kind, "__array_function__")
        ):
            caller = sys._getframe(1)
            key = (
                caller.f_code.co_filename,
                caller.f_lineno,
                _name(mode or "constant"),
                f"{kind.__module__}.{kind.__qualname__}",
                NO_SIZE,
            )
            record = tally.records.get(key) or tally.record(*key, caller.f_code.co_qualname)
            with tally.lock:
                tally.counts[record.base + CALLS] += 1
        return (array,)

    pad.__qualname__ = dispatcher.__qualname__ = numpy_pad.__qualname__  # for errors of arguments
    # NumPy's own kind of function: types that pad in a way of their own are asked first, and find
    # this very function, under which they may have registered theirs.
    return functools.wraps(numpy_pad)(type(numpy_pad)(dispatcher, pad))


def replace(function):
    """Puts it wherever a module that is loaded holds NumPy's pad, and where NumPy lists what types
    may override; ours keep NumPy's."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] != "tensorpad":
            for key, value in list(getattr(module, "__dict__", {}).items()):
                if value is numpy_pad:
                    setattr(module, key, function)
    listed = numpy._core.overrides.ARRAY_FUNCTIONS
    listed.discard(numpy_pad)
    listed.add(function)


def install(tally, verify, one_in):
    """From now on numpy.pad is ours, here and in processes that multiprocessing starts."""
    for pad in (tensorpad.pad, numpy_pad):
        pad(numpy.zeros(2), 1, "edge")  # what the first call loads is not the program's time
    replace(make(tally, verify, one_in))
    _children.follow(_join, tally, verify, one_in)


def _join(folder, verify, one_in):
    """install, in such a process."""
    install(Tally(folder), verify, one_in)
