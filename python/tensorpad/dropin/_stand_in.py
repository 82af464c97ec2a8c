"""The function that stands in for numpy.pad, and where it is put.  SPDX-License-Identifier: MIT"""
import functools
import random
import sys
from time import perf_counter_ns as now, thread_time_ns as worked

import numpy
import tensorpad

from . import _children, _compare
from ._tally import BOTH, BYTES, CALLS, COMPARED, NUMPY_WORK, RAISED, TIME, WORK, Tally
from .._numpy import numpy_pad

# What numpy.pad takes besides array, pad_width and mode; tensorpad.pad takes more.
KEYWORDS = {"stat_length", "constant_values", "end_values", "reflect_type"}


def _name(mode):
    return f"{mode.__qualname__}()" if hasattr(mode, "__qualname__") else str(mode)


def _attempt(function, array, pad_width, mode, kwargs):
    """What it returned or raised, its time, and the processor time of this thread."""
    start, worked_before = now(), worked()
    try:
        result, error = function(array, pad_width, mode, **kwargs), None
    except Exception as raised:
        result, error = None, raised
    work = worked() - worked_before
    return result, error, now() - start, work


def make(tally, verify, one_in):
    """The function, which takes what numpy.pad takes and counts each call.

    verify: NumPy's runs each call as well; else one call in one_in (0: none)."""
    ours = tensorpad.pad
    ndarray = numpy.ndarray
    draw = random.Random(0).random  # not the program's own random numbers
    share = 1 if verify else 1 / one_in if one_in else 0

    def pad(array, pad_width, mode="constant", **kwargs):
        if type(array) is not ndarray:
            array = numpy.asarray(array)  # as numpy.pad does, also for torch's tensors
        caller = sys._getframe(1)
        place = (caller.f_code.co_filename, caller.f_lineno,
                 mode if type(mode) is str else _name(mode))
        record = tally.records.get(place)
        chance = share and draw()
        if record is None:
            record = tally.record(place, caller.f_code.co_qualname)
            chance = share * draw()  # the first call at a place runs with both
        # NumPy runs a callable mode: whatever that does should happen once.
        is_numpys = callable(mode)
        function = numpy_pad if is_numpys or kwargs and not kwargs.keys() <= KEYWORDS else ours
        if chance < share and not is_numpys:
            return both(record, function, array, pad_width, mode, kwargs, chance < share / 2)
        start = now()
        try:
            result = function(array, pad_width, mode, **kwargs)
        except BaseException:
            count(record, now() - start, None, is_numpys)
            raise
        count(record, now() - start, result, is_numpys)
        if result.shape not in record.shapes:
            tally.shape(record, array.shape, result)
        return result

    def count(record, time, result, is_numpys):
        base = record.base
        with tally.lock:
            counts = tally.counts
            counts[base + CALLS] += 1
            counts[base + TIME] += time
            if result is None:
                counts[base + RAISED] += 1
            else:
                counts[base + BYTES] += result.nbytes
            if is_numpys:
                count_both(counts, base, time, time)

    def count_both(counts, base, work, numpy_work):
        counts[base + BOTH] += 1
        counts[base + WORK] += work
        counts[base + NUMPY_WORK] += numpy_work

    def both(record, function, array, pad_width, mode, kwargs, numpy_first):
        """Runs NumPy's pad as well: before or after, since the second finds the array in cache."""
        call = (array, pad_width, mode, kwargs)
        if numpy_first:
            theirs, refused, numpy_time, numpy_work = _attempt(numpy_pad, *call)
        result, error, time, work = _attempt(function, *call)
        if not numpy_first:
            theirs, refused, numpy_time, numpy_work = _attempt(numpy_pad, *call)
        count(record, time, result, False)
        with tally.lock:
            times = (time, numpy_time) if verify else (work, numpy_work)
            count_both(tally.counts, record.base, *times)
            tally.counts[record.base + COMPARED] += verify
        if verify:
            difference = _compare.errors(error, refused) or (
                None if error else _compare.results(result, theirs, mode != "empty"))
            if difference:
                tally.difference(record, f"array {array.dtype} {array.shape}, pad_width "
                                         f"{pad_width!r}: {difference}")
        if error is None:
            if result.shape not in record.shapes:
                tally.shape(record, array.shape, result)
            return result
        try:
            raise error
        finally:
            del error, refused  # they refer to this frame

    def dispatcher(array, pad_width, mode=None, **kwargs):
        """NumPy asks here for the arguments whose types may pad in a way of their own."""
        kind = type(array)
        if kind is not ndarray and not isinstance(array, ndarray) and hasattr(
                kind, "__array_function__"):
            caller = sys._getframe(1)
            name = f"{kind.__module__}.{kind.__qualname__}"
            place = (caller.f_code.co_filename, caller.f_lineno, _name(mode or "constant"), name)
            record = tally.records.get(place) or tally.record(
                place, caller.f_code.co_qualname, name)
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
