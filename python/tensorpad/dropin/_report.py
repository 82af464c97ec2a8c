"""Counts calls by place, exactly, in all threads, and in child processes even if they are killed;
and what the counts say, for people and as JSON.  SPDX-License-Identifier: MIT"""

from __future__ import annotations

import contextlib
import json
import mmap
import os
import shutil
import sys
import tempfile
import threading
import time
from time import perf_counter_ns as now

import numpy

import tensorpad

from .._atomic import write_atomically

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
        """Reads the folder of the children and removes it. Those that still run go on, and nobody
        reads what they count then."""
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
        """The record of these calls, which is new if it was not there. by: TENSORPAD, NUMPY, TORCH
        or the name of a type of arrays that pads in a way of its own."""
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


# ---- How long the calls took in total ------------------------------------------------------------


class Total:
    """Seconds of the calls at a place, as they ran and with NumPy (None: no call ran with both).

    ours, numpys: of each group the median of one call's time, times the number of calls.
    spent, with_numpy: what the program spent there. On a busy machine many calls take longer than
    their median, and so does the rest of the program, with which these are compared: of each group
    what the clock said, but for the longest call."""

    def __init__(self, place, ratios, everywhere):
        self.ours = self.spent = 0
        self.numpys = self.with_numpy = None if everywhere is None else 0
        for size, group in place.groups.items():
            typical, spent = median(group.times) * group.counts[CALLS] / 1e9, _spent(group.counts)
            self.ours += typical
            self.spent += spent
            if everywhere is not None:
                nearest = min(ratios, key=lambda other: abs(other - size), default=None)
                ratio = ratios.get(nearest, everywhere)
                self.numpys += typical * ratio
                self.with_numpy += spent * ratio


def totals(places):
    """The total of each place. Where no call of a group ran with both, NumPy takes as many times
    as long as in the group of the nearest size at that place, or else as in all groups."""
    ratios = [_ratios(place) for place in places]
    both = [
        (median(place.groups[size].times) * place.groups[size].counts[CALLS], ratio)
        for place, known in zip(places, ratios)
        for size, ratio in known.items()
    ]
    everywhere = sum(a * ratio for a, ratio in both) / sum(a for a, _ in both) if both else None
    return [Total(place, known, everywhere) for place, known in zip(places, ratios)]


def median(times):
    """times: pairs of a time and the number of calls for which it stands. Of two in the middle the
    shorter one."""
    half = sum(weight for _, weight in times) * (1 - 1e-9) / 2
    passed = 0
    for each, weight in sorted(times):
        passed += weight
        if passed >= half:
            return each
    return 0  # a process was killed before it counted the call that it had noted


def part_of_program(seconds, processes, pad):
    """The time of the program, which ran for so many seconds, had its pads taken `pad` seconds in
    all threads: that of all processes, and what part of it the pads were."""
    ran = seconds + sum(process.ran or 0 for process in processes) / 1e9
    busy = sum(process.busy for process in processes) / 1e9
    inside = sum(process.inside for process in processes) / 1e9
    pad *= busy / inside if inside else 1  # threads padded at the same time
    whole = max(ran - busy, 0) + pad
    return {"seconds": whole, "padding": pad / whole if whole else 0}


def _ratios(place):
    """How many times as long NumPy took, by size; no sizes of which no call ran with both."""
    return {
        size: median(group.numpys) / median(group.ours)
        for size, group in place.groups.items()
        if place.by == TENSORPAD and group.ours and median(group.ours)
    }


def _spent(counts):
    calls = counts[CALLS]
    if calls > 1:
        return (counts[TIME] - counts[LONGEST]) * calls / (calls - 1) / 1e9
    return counts[TIME] / 1e9


# By whom a call would have been run: the function that was replaced, and the one in its place.
FUNCTIONS = {
    NUMPY: ("numpy.pad", "tensorpad.pad"),
    TORCH: ("torch.nn.functional.pad", "tensorpad.torch.functional.pad"),
}
SHOWN = 10  # places in the report for people; JSON has all


def write(read, program, seconds, options):
    """read: what Tally.read gives. To the file, or to stderr; the program's end is not disturbed
    by an error here, which is one line."""
    facts = _facts(*read, program, seconds, options)
    text = json.dumps(facts, indent=1) + "\n" if options.json else _text(facts, options.other)
    try:
        if options.file is None:
            sys.__stderr__.write(text)
            sys.__stderr__.flush()
        else:
            write_atomically(options.file, text.encode())
    except (OSError, ValueError, AttributeError) as error:
        if options.file is not None:
            print(
                f"tensorpad.dropin: cannot write the report {options.file}: {error}",
                file=sys.stderr,
            )


# ---- Facts ---------------------------------------------------------------------------------------


def _facts(processes, places, program, seconds, options):
    """In the keys, "numpy" is "torch" with --torch."""
    other = options.other
    own = [place for place in places if place.by == TENSORPAD]
    theirs = [place for place in places if place.by == other]
    own_totals, their_totals = totals(own), totals(theirs)
    sites = [_site(place, total.ours, total.numpys, other) for place, total in zip(own, own_totals)]
    left = [_site(place, None, total.ours, other) for place, total in zip(theirs, their_totals)]
    known = all(total.numpys is not None for total in own_totals)
    measured = known and _sum(own, BOTH) == _sum(own, CALLS)
    spent_by_them = sum(total.spent for total in their_totals)
    left_to = {}
    for place in places:
        if place.by not in (TENSORPAD, other):
            left_to[place.by] = left_to.get(place.by, 0) + place.total(CALLS)
    word = other.lower()
    return {
        "tensorpad": tensorpad.__version__,
        "in_place_of": FUNCTIONS[other][0],
        "program": program,
        "seconds": seconds,
        "processes": len(processes),
        "calls": _sum(own + theirs, CALLS),
        "bytes": _sum(own + theirs, BYTES),
        "raised": _sum(own + theirs, RAISED),
        "tensorpad_seconds": sum(total.ours for total in own_totals),
        f"{word}_seconds": sum(total.numpys for total in own_totals) if known else None,
        f"{word}_seconds_are": None if not known else "measured" if measured else "estimated",
        "tensorpad_clock_seconds": _sum(own, TIME) / 1e9,
        f"{word}_clock_seconds": _sum(own, THEIR_TIME) / 1e9 if measured else None,
        f"run_by_{word}": {
            "calls": _sum(theirs, CALLS),
            "seconds": sum(total.ours for total in their_totals),
        },
        "program_with_tensorpad": part_of_program(
            seconds, processes, sum(total.spent for total in own_totals) + spent_by_them
        ),
        f"program_with_{word}": part_of_program(
            seconds, processes, sum(total.with_numpy for total in own_totals) + spent_by_them
        )
        if known
        else None,
        "timed_with_both": _sum(own, BOTH),
        "compared": _sum(places, COMPARED),
        "different": _sum(places, DIFFERENT),
        "verify": options.verify,
        "left_to_their_type": left_to,
        "sites": sorted(sites + left, key=lambda site: -_seconds_of(site, other)),
    }


def _sum(places, field):
    return sum(place.total(field) for place in places)


def _seconds_of(site, other):
    return (
        site[f"{other.lower()}_seconds"] if site["run_by"] == other else site["tensorpad_seconds"]
    )


def _site(place, ours, theirs, other):
    return {
        "file": place.file,
        "line": place.line,
        "function": place.function,
        "mode": place.mode,
        "run_by": place.by,
        "calls": place.total(CALLS),
        "bytes": place.total(BYTES),
        "raised": place.total(RAISED),
        "tensorpad_seconds": ours,
        f"{other.lower()}_seconds": theirs,
        "timed_with_both": place.total(BOTH) if place.by == TENSORPAD else 0,
        "compared": place.total(COMPARED),
        "different": place.total(DIFFERENT),
        "shapes": [dict(zip(("from", "to", "dtype"), shape)) for shape in place.shapes],
        "differences": place.differences,
    }


# ---- Text ----------------------------------------------------------------------------------------


def _time(seconds):
    for unit, size in (("s", 1), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            break
    return f"{seconds / size:.3g} {unit}" if seconds < 1000 else f"{seconds:,.0f} s"


def _size(count):
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= size:
            return f"{count / size:.3g} {unit}"
    return f"{count} bytes"


def _count(number, word):
    return f"{number:,} {word}" + "s" * (number != 1)


def _renamed(facts, other):
    return {key.replace(other.lower(), "their"): value for key, value in facts.items()}


def _text(facts, other):
    replaced, ours = FUNCTIONS[other]
    facts = _renamed(facts, other)
    facts["sites"] = [_renamed(site, other) for site in facts["sites"]]
    lines = [
        f"tensorpad.dropin: {replaced} was {ours}; {facts['program']} ran {_time(facts['seconds'])}"
    ]
    if not facts["calls"]:
        lines.append("calls        none")
    else:
        lines += [
            f"calls        {_calls(facts)}",
            *_seconds(facts, other),
            *_clock(facts, other),
            *_theirs(facts, other),
            f"share        {_share(facts, other)}",
            f"differences  {_differences(facts, other)}",
        ]
    for name, calls in facts["left_to_their_type"].items():
        lines.append(f"left alone   {_count(calls, 'call')} with {name}, which pads in its own way")
    lines += _table(facts, other)
    return "".join(line + "\n" for line in lines)


def _calls(facts):
    said = f"{facts['calls']:,} at {_count(len(facts['sites']), 'place')}"
    if facts["processes"] > 1:
        said += f" in {facts['processes']} processes"
    said += f", {_size(facts['bytes'])} of results"
    return said + (f"; {facts['raised']:,} raised an error" if facts["raised"] else "")


def _seconds(facts, other):
    said = f"time in pad  {_time(facts['tensorpad_seconds'])} with tensorpad, "
    if facts["run_by_their"]["calls"] == facts["calls"]:
        return
    if facts["their_seconds"] is None:
        yield said + f"not known with {other} (--sample or --verify measures it)"
    elif facts["their_seconds_are"] == "measured":
        yield said + f"{_time(facts['their_seconds'])} with {other} (measured)"
    else:
        yield said + (
            f"about {_time(facts['their_seconds'])} with {other} (estimated from "
            f"{_count(facts['timed_with_both'], 'call')} that ran with both)"
        )


def _clock(facts, other):
    """Where medians and the clock do not agree, what the clock says."""
    pairs = [(facts["tensorpad_clock_seconds"], facts["tensorpad_seconds"], "tensorpad")]
    if facts["their_clock_seconds"] is not None:
        pairs.append((facts["their_clock_seconds"], facts["their_seconds"], other))
    least = facts["seconds"] / 100
    if any(clock - seconds > max(seconds / 4, least) for clock, seconds, _ in pairs):
        said = ", ".join(f"{_time(clock)} with {name}" for clock, _, name in pairs)
        yield f"by the clock {said}: some calls took much longer than the median"


def _theirs(facts, other):
    calls, seconds = facts["run_by_their"].values()
    if calls:
        yield f"run by {other} {_count(calls, 'call')}, {_time(seconds)}, not in the times above"


def _share(facts, other):
    now, before = facts["program_with_tensorpad"], facts["program_with_their"]
    processes = f" in {facts['processes']} processes" * (facts["processes"] > 1)
    said = f"is {_part(now)}{processes} with tensorpad (by the clock)"
    if before is None:
        return "padding " + said
    about = "about " if facts["their_seconds_are"] == "estimated" else ""
    return f"padding was {about}{_part(before)}{processes} with {other}, {said}"


def _part(program):
    return f"{100 * program['padding']:.2g} % of {_time(program['seconds'])}"


def _differences(facts, other):
    if not facts["verify"]:
        return f"not looked for: --verify compares each call with {other}'s"
    said = f"{facts['different']:,}" if facts["different"] else "none"
    said += f" in {_count(facts['compared'], 'call')} compared"
    others = facts["calls"] - facts["compared"]
    return said + (
        f"; {others:,} with a function as mode, which NumPy runs, were not" if others else ""
    )


def _table(facts, other):
    sites = facts["sites"]
    if not sites:
        return []
    about = "~" * (facts["their_seconds_are"] == "estimated")
    known = facts["their_seconds"] is not None
    lines = ["", f"{'tensorpad':>10} {other:>10} {'calls':>9}  slowest places"]
    for site in sites[:SHOWN]:
        by_them = site["run_by"] == other
        ours = "-" if by_them else _time(site["tensorpad_seconds"])
        theirs = about * (not by_them) + _time(site["their_seconds"]) if by_them or known else "-"
        lines.append(f"{ours:>10} {theirs:>10} {site['calls']:>9,}  {_place(site)}")
        lines.append(f"{'':33}{site['mode']}{_shapes(site)}{f', run by {other}' * by_them}")
    if len(sites) > SHOWN:
        lines.append(f"{'':33}and {_count(len(sites) - SHOWN, 'other place')}: --json has all")
    for site in sites:
        for text in site["differences"]:
            lines += ["", f"different at {_place(site)}, {site['mode']}:", f"    {text}"]
        hidden = site["different"] - len(site["differences"])
        if hidden:
            lines.append(f"    and {_count(hidden, 'other difference')} here")
    return lines


def _place(site):
    if not site["line"]:
        return "all other places"
    return f"{_shorter(site['file'])}:{site['line']} {site['function']}"


def _shorter(file):
    """A file below a folder of sys.path or below the working directory, from there on."""
    folders = [
        folder
        for folder in {*sys.path, os.getcwd()}
        if folder and file.startswith(os.path.join(folder, ""))
    ]
    return file[len(os.path.join(max(folders, key=len), "")) :] if folders else file


def _shapes(site):
    if not site["shapes"]:
        return ""
    first = site["shapes"][0]
    said = f" {tuple(first['from'])} -> {tuple(first['to'])} {first['dtype']}"
    others = len(site["shapes"]) - 1
    if others == MOST_SHAPES - 1:
        return said + f" and at least {others} other shapes"
    return said + (f" and {_count(others, 'other shape')}" if others else "")
