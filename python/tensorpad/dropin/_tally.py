"""Counts calls by place, exactly: in all threads, and in child processes even if they are killed.
SPDX-License-Identifier: MIT"""

from __future__ import annotations

import contextlib
import json
import mmap
import os
import random
import shutil
import tempfile
import threading
import time
from time import perf_counter_ns as now, thread_time_ns as worked

import numpy

# What is counted of each record; times are in nanoseconds. BOTH: calls that the replaced
# function ran as well, in THEIR_TIME. Then the times of SAMPLES calls, of random ones if there are
# more: of all calls, and with tensorpad and with that function of the calls that both ran.
CALLS, BYTES, TIME, LONGEST, RAISED, BOTH, THEIR_TIME, COMPARED, DIFFERENT = range(9)
FIELDS = 9
SAMPLES = 101
TIMES, OURS, THEIRS = (FIELDS + i * SAMPLES for i in range(3))
RECORD = FIELDS + 3 * SAMPLES
# Before all records, of the process: when it last padded, and how long it was in pad: in at least
# one thread, and in all threads together.
LAST, BUSY, INSIDE = range(3)
FIRST = 3
MOST_RECORDS = 8192
SIZE = (FIRST + MOST_RECORDS * RECORD) * 8
MOST_SHAPES = 8
MOST_EXAMPLES = 5
# Who ran a call, if not the array's own type.
TENSORPAD, NUMPY, TORCH, OTHERS = "tensorpad", "NumPy", "torch", "other types"
NO_SIZE = -1  # of a call without a result


class Record:
    """Calls at one place, run by the same and of about the same size, in one process: where its
    counts begin, and what was noted."""

    __slots__ = ("base", "number", "shapes", "examples")

    def __init__(self, number):
        self.base = FIRST + number * RECORD
        self.number = number
        self.shapes = set()
        self.examples = 0


class Tally:
    """The counts of this process, and the folder in which those of its children are.

    A child keeps its counts in a mapped file, so that they are there when it is killed. What is
    not a number (places, shapes, differences) are notes: in the first process a list, in a child
    lines of a second file.
    """

    def __init__(self, folder=None):
        """folder: that of the first process, for a child that was not forked."""
        self.owner = os.getpid() if folder is None else None
        self.folder = folder
        self.ended = []  # what is left of a folder that was removed
        self._start()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(before=self.make_folder, after_in_child=self._start_child)

    def _start(self):
        # A signal handler may pad while the same thread counts, hence not a plain lock.
        self.lock = threading.RLock()
        self.records = {}
        self.counts = None
        self.notes = []
        self.file = None
        self.began = now()
        self.inside = 0
        self.busy_since = 0

    def _start_child(self):
        self.owner = None
        self._start()

    def make_folder(self):
        if self.folder is None:
            self.folder = tempfile.mkdtemp(prefix="tensorpad-dropin-")
        return self.folder

    def _open(self):
        """Makes room for the counts, at the first call."""
        if self.owner is not None:
            self.counts = _room()
            return
        name = os.path.join(self.folder, f"{os.getpid()}-{time.time_ns()}")
        try:
            with open(name + ".counts", "x+b") as file:
                file.truncate(SIZE)
                self.counts = memoryview(mmap.mmap(file.fileno(), SIZE)).cast("q")
            self.file = name + ".notes"
        except OSError:
            # The first process has ended and removed the folder: nobody reads what is counted.
            self.counts = _room()
            return
        self._note(began=self.began)

    def _note(self, **note):
        if self.file is None:
            self.notes.append(note)
            return
        # Opened for each note: a program that goes into the background closes all open files, and
        # may open its own under the same number.
        try:
            with open(self.file, "ab", buffering=0) as file:
                file.write(json.dumps(note).encode() + b"\n")
        except OSError:
            self.file = None

    def clear(self):
        """Reads the folder of the children and removes it. Those that still run go on, and nobody reads what
        they count then."""
        if self.folder is not None:
            with contextlib.suppress(OSError):  # the program may have removed it
                self.ended += _children(self.folder)
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder = None

    # ---- Counting --------------------------------------------------------------------------------

    def enter(self):
        """A call of pad begins: the time."""
        with self.lock:
            if self.counts is None:
                self._open()
            time = now()
            if not self.inside:
                self.busy_since = time
            self.inside += 1
            return time

    def leave(self, entered):
        """It ends; the lock is held."""
        time = self.counts[LAST] = now()
        self.counts[INSIDE] += time - entered
        self.inside -= 1
        if not self.inside:
            self.counts[BUSY] += time - self.busy_since

    def record(self, file, line, mode, by, size, function):
        """The record of these calls, which is new if it was not there. by: TENSORPAD, NUMPY, TORCH or the
        name of a type of arrays that pads in a way of its own."""
        key = file, line, mode, by, size
        with self.lock:
            if self.counts is None:
                self._open()
            if key not in self.records and len(self.records) >= MOST_RECORDS - 3:
                key = "", 0, "", by if by in (TENSORPAD, NUMPY, TORCH) else OTHERS, NO_SIZE
                function = ""
            known = self.records.get(key)
            if known is None:
                known = self.records[key] = Record(len(self.records))
                self._note(place=key, function=function, number=known.number)
            return known

    def shape(self, record, before, result):
        """Notes a shape that the record does not have yet."""
        with self.lock:
            if len(record.shapes) < MOST_SHAPES:
                self._note(
                    number=record.number,
                    shape=[list(before), list(result.shape), str(result.dtype)],
                )
            record.shapes.add(result.shape)

    def difference(self, record, text):
        with self.lock:
            self.counts[record.base + DIFFERENT] += 1
            if record.examples < MOST_EXAMPLES:
                record.examples += 1
                self._note(number=record.number, difference=text)

    # ---- Reading ---------------------------------------------------------------------------------

    def read(self):
        """Each process that padded and each place. Removes the folder of the children."""
        with self.lock:
            self.clear()
            kept = [(self.counts, self.notes)] if self.counts is not None else []
            kept += self.ended
        places = {}
        for counts, notes in kept:
            _add(places, counts, notes)
        return [Process(*each) for each in kept], list(places.values())


class Process:
    """How long it ran up to its last pad (None: this process), and how long it was in pad."""

    def __init__(self, counts, notes):
        self.ran = None
        for note in notes:
            if "began" in note:
                self.ran = max(counts[LAST] - note["began"], 0)
        self.busy, self.inside = counts[BUSY], counts[INSIDE]


class Place:
    """The calls at one place that were run by the same, as groups by size."""

    def __init__(self, file, line, mode, by, function):
        self.file, self.line, self.mode, self.by = file, line, mode, by
        self.function = function
        self.groups = {}
        self.shapes = []
        self.differences = []

    def total(self, field):
        return sum(group.counts[field] for group in self.groups.values())


class Group:
    """Counts, and times with the number of calls for which each stands."""

    def __init__(self):
        self.counts = [0] * FIELDS
        self.times, self.ours, self.numpys = [], [], []

    def add(self, values):
        longest = max(self.counts[LONGEST], values[LONGEST])
        self.counts = [a + b for a, b in zip(self.counts, values)]
        self.counts[LONGEST] = longest
        for times, first, field in (
            (self.times, TIMES, CALLS),
            (self.ours, OURS, BOTH),
            (self.numpys, THEIRS, BOTH),
        ):
            kept = min(values[field], SAMPLES)
            times += [(time, values[field] / kept) for time in values[first : first + kept]]


def _room():
    return memoryview(numpy.zeros(SIZE // 8, numpy.int64)).cast("b").cast("q")


def _add(places, counts, notes):
    """Adds what one process counted to the places of all."""
    numbered = {}
    for note in notes:
        if "place" in note:
            *key, size = note["place"]
            place = places.setdefault(tuple(key), Place(*key, note["function"]))
            numbered[note["number"]] = place
            base = FIRST + note["number"] * RECORD
            place.groups.setdefault(size, Group()).add(counts[base : base + RECORD].tolist())
        elif "shape" in note:
            shapes = numbered[note["number"]].shapes
            if note["shape"] not in shapes and len(shapes) < MOST_SHAPES:
                shapes.append(note["shape"])
        elif "difference" in note:
            differences = numbered[note["number"]].differences
            if len(differences) < MOST_EXAMPLES:
                differences.append(note["difference"])


def _children(folder):
    """Counts and notes of each child that padded. One that was killed may have a last line that
    is not whole."""
    for name in sorted(os.listdir(folder)):
        if name.endswith(".notes"):
            path = os.path.join(folder, name)
            with open(path, "rb") as file:
                notes = [json.loads(line) for line in file if line.endswith(b"\n")]
            with open(path.removesuffix(".notes") + ".counts", "rb") as file:
                counts = mmap.mmap(file.fileno(), SIZE, access=mmap.ACCESS_READ)
            yield memoryview(counts).cast("q"), notes


# ---- Calls that are counted: by one function, or by two that are compared ------------------------


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
