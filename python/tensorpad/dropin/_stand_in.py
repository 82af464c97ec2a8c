"""The function that stands in for numpy.pad, and where it is put.  SPDX-License-Identifier: MIT"""
import functools
import random
import sys
from time import perf_counter_ns as now, thread_time_ns as worked

import numpy
import tensorpad

from . import _children, _compare
from ._tally import (BOTH, BYTES, CALLS, COMPARED, LONGEST, MOST_RECORDS, NO_SIZE, NUMPY,
                     NUMPY_TIME, NUMPYS, OURS, RAISED, SAMPLES, TENSORPAD, TIME, TIMES, Tally)
from .._arguments import computes
from .._arrays import MAX_RANK
from .._numpy import holds_arrays, numpy_pad

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
    seen = set()

    def pad(array, pad_width, mode="constant", **kwargs):
        if type(array) is not ndarray:
            array = numpy.asarray(array)  # as numpy.pad does, also for torch's tensors
        caller = sys._getframe(1)
        place = (caller.f_code.co_filename, caller.f_lineno,
                 mode if type(mode) is str else _name(mode))
        strange = callable(mode) or kwargs and (not kwargs.keys() <= KEYWORDS
                                                or holds_arrays(kwargs.get("constant_values")))
        function = numpy_pad if strange else ours
        by = NUMPY if strange or array.ndim > MAX_RANK or computes(mode, kwargs) else TENSORPAD
        # NumPy runs a callable mode: whatever that does should happen once.
        if verify and not callable(mode) or share and by is TENSORPAD and chosen(place, array):
            return both(caller, place, by, function, array, pad_width, mode, kwargs)
        start = tally.enter()
        try:
            result = function(array, pad_width, mode, **kwargs)
        except BaseException:
            count(caller, place, by, now() - start, array, None, start)
            raise
        count(caller, place, by, now() - start, array, result, start)
        return result

    def chosen(place, array):
        """Whether NumPy's runs this call as well: one in one_in, and the first at a place of
        about this size."""
        first = (*place, array.nbytes.bit_length())
        if first not in seen and len(seen) < MOST_RECORDS:
            seen.add(first)
            return True
        return draw() < share

    def count(caller, place, by, time, array, result, entered=None):
        """Counts a call, which ends here if it is said when it began: its record."""
        key = (*place, by, NO_SIZE if result is None else result.nbytes.bit_length())
        record = tally.records.get(key) or tally.record(*key, caller.f_code.co_qualname)
        base = record.base
        with tally.lock:
            counts = tally.counts
            keep(counts, base, CALLS, TIMES, time)
            counts[base + TIME] += time
            if time > counts[base + LONGEST]:
                counts[base + LONGEST] = time
            if result is None:
                counts[base + RAISED] += 1
            else:
                counts[base + BYTES] += result.nbytes
            if entered is not None:
                tally.leave(entered)
        if result is not None and result.shape not in record.shapes:
            tally.shape(record, array.shape, result)
        return record

    def keep(counts, base, field, first, time, second=0, numpy_time=None):
        """Counts in the field. Keeps the times there, or at random instead of an earlier call's."""
        number = counts[base + field]
        slot = number if number < SAMPLES else int(draw() * (number + 1))
        if slot < SAMPLES:
            counts[base + first + slot] = time
            if numpy_time is not None:
                counts[base + second + slot] = numpy_time
        counts[base + field] = number + 1

    def both(caller, place, by, function, *call):
        entered = tally.enter()
        try:
            return compared(caller, place, by, function, *call)
        finally:
            with tally.lock:
                tally.leave(entered)

    def compared(caller, place, by, function, *call):
        """Runs NumPy's pad as well: before or after, since the second finds the array in cache."""
        numpy_first = draw() < 0.5
        if numpy_first:
            theirs, refused, numpy_time, numpy_work = _attempt(numpy_pad, *call)
        result, error, time, work = _attempt(function, *call)
        if not numpy_first:
            theirs, refused, numpy_time, numpy_work = _attempt(numpy_pad, *call)
        array, pad_width, mode, _ = call
        record = count(caller, place, by, time, array, result)
        # The clock says little about a few calls where other programs run.
        times = (time, numpy_time) if verify else (work, numpy_work)
        with tally.lock:
            keep(tally.counts, record.base, BOTH, OURS, times[0], NUMPYS, times[1])
            tally.counts[record.base + NUMPY_TIME] += numpy_time
            tally.counts[record.base + COMPARED] += verify
        if verify:
            difference = _compare.errors(error, refused) or (
                None if error else _compare.results(result, theirs, mode != "empty"))
            if difference:
                tally.difference(record, f"array {array.dtype} {array.shape}, pad_width "
                                         f"{pad_width!r}: {difference}")
        if error is None:
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
            key = (caller.f_code.co_filename, caller.f_lineno, _name(mode or "constant"),
                   f"{kind.__module__}.{kind.__qualname__}", NO_SIZE)
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
