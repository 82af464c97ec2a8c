"""Runs calls of pad and counts them: by one function, or by two that are compared.
SPDX-License-Identifier: MIT"""

import random
from time import perf_counter_ns as now
from time import thread_time_ns as worked

from ._tally import (
    BOTH,
    BYTES,
    CALLS,
    COMPARED,
    LONGEST,
    MOST_RECORDS,
    NO_SIZE,
    OURS,
    RAISED,
    SAMPLES,
    TENSORPAD,
    THEIR_TIME,
    THEIRS,
    TIME,
    TIMES,
)


def _attempt(function, args, kwargs):
    """What it returned or raised, its time, and the processor time of this thread."""
    start, worked_before = now(), worked()
    try:
        result, error = function(*args, **kwargs), None
    except Exception as raised:
        result, error = None, raised
    work = worked() - worked_before
    return result, error, now() - start, work


def counter(tally, verify, one_in, difference):
    """A function that runs calls:

        run(caller, place, by, function, theirs, args, kwargs, once=False)

    caller: the frame that called; place: its file, line and mode; by: who runs the call, as the tally has
    it; function: what runs it; theirs: the function that was replaced; args: with the array first; once:
    whether the call must not be run twice.

    verify: `theirs` runs each call as well, and difference(result, error, their result, their error, args)
    says what differs, or None; else it runs one call in one_in (0: none)."""
    draw = random.Random(0).random  # not the program's own random numbers
    share = 1 if verify else 1 / one_in if one_in else 0
    seen = set()

    def run(caller, place, by, function, theirs, args, kwargs, once=False):
        array = args[0]
        if verify and not once or share and by is TENSORPAD and chosen(place, array):
            return both(caller, place, by, function, theirs, args, kwargs)
        start = tally.enter()
        try:
            result = function(*args, **kwargs)
        except BaseException:
            count(caller, place, by, now() - start, array, None, start)
            raise
        count(caller, place, by, now() - start, array, result, start)
        return result

    def chosen(place, array):
        """Whether the other function runs this call as well: one in one_in, and the first at a place
        of about this size."""
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

    def keep(counts, base, field, first, time, second=0, their_time=None):
        """Counts in the field. Keeps the times there, or at random instead of an earlier call's."""
        number = counts[base + field]
        slot = number if number < SAMPLES else int(draw() * (number + 1))
        if slot < SAMPLES:
            counts[base + first + slot] = time
            if their_time is not None:
                counts[base + second + slot] = their_time
        counts[base + field] = number + 1

    def both(*call):
        entered = tally.enter()
        try:
            return compared(*call)
        finally:
            with tally.lock:
                tally.leave(entered)

    def compared(caller, place, by, function, theirs, args, kwargs):
        """Runs both: the other function before or after, since the second finds the array in cache."""
        they_first = draw() < 0.5
        if they_first:
            other, refused, their_time, their_work = _attempt(theirs, args, kwargs)
        result, error, time, work = _attempt(function, args, kwargs)
        if not they_first:
            other, refused, their_time, their_work = _attempt(theirs, args, kwargs)
        record = count(caller, place, by, time, args[0], result)
        # The clock says little about a few calls where other programs run.
        times = (time, their_time) if verify else (work, their_work)
        with tally.lock:
            keep(tally.counts, record.base, BOTH, OURS, times[0], THEIRS, times[1])
            tally.counts[record.base + THEIR_TIME] += their_time
            tally.counts[record.base + COMPARED] += verify
        if verify:
            found = difference(result, error, other, refused, args)
            if found:
                tally.difference(record, found)
        if error is None:
            return result
        try:
            raise error
        finally:
            del error, refused  # they refer to this frame

    return run
