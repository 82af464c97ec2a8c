"""Counts calls by place, exactly, in all threads and child processes; and what the counts say, for
people and as JSON.  SPDX-License-Identifier: MIT"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
import threading
import time

import tensorpad

from .._atomic import write_atomically

MOST_SHAPES = 8
MOST_EXAMPLES = 5
# Who ran a call, if not the array's own type.
TENSORPAD, NUMPY, TORCH = "tensorpad", "NumPy", "torch"


class Place:
    """The calls at one place that were run by the same. Times are in nanoseconds; their_time is
    that of the replaced function, in the calls that were compared."""

    def __init__(self, file, line, mode, by, function):
        self.file, self.line, self.mode, self.by = file, line, mode, by
        self.function = function
        self.calls = self.bytes = self.raised = self.compared = self.different = 0
        self.time = self.their_time = 0
        self.seen = set()  # shapes of results
        self.shapes = []
        self.differences = []

    def add(self, size, time, their_time, difference, shape):
        """A call. size: bytes of the result; None: it raised an error."""
        self.calls += 1
        self.time += time
        if size is None:
            self.raised += 1
        else:
            self.bytes += size
        if their_time is not None:
            self.compared += 1
            self.their_time += their_time
        if difference:
            self.different += 1
            if len(self.differences) < MOST_EXAMPLES:
                self.differences.append(difference)
        if shape and shape not in self.shapes and len(self.shapes) < MOST_SHAPES:
            self.shapes.append(shape)


class Tally:
    """The counts of the first process, and the folder where each of its children that pads has a
    file with a line for each call: what was counted is there when a child is killed."""

    def __init__(self, folder=None):
        """folder: that of the first process, for a child that was not forked."""
        self.owner = os.getpid() if folder is None else None
        self.folder = folder
        self._start()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(before=self.make_folder, after_in_child=self._start_child)

    def _start(self):
        # A signal handler may pad while the same thread counts, hence not a plain lock.
        self.lock = threading.RLock()
        self.places = {}
        self.file = None

    def _start_child(self):
        self.owner = None
        self._start()

    def make_folder(self):
        if self.folder is None:
            self.folder = tempfile.mkdtemp(prefix="tensorpad-dropin-")
        return self.folder

    def count(self, key, array, result, time, their_time=None, difference=None):
        """A call. key: the arguments of Place; result: None if it raised an error."""
        with self.lock:
            place = self.places.get(key) or self.places.setdefault(key, Place(*key))
            size = shape = None
            if result is not None:
                size = result.nbytes
                if result.shape not in place.seen and len(place.seen) < MOST_SHAPES:
                    place.seen.add(result.shape)
                    shape = [list(array.shape), list(result.shape), str(result.dtype)]
            if self.owner is not None:
                place.add(size, time, their_time, difference, shape)
            else:
                self._write([key, size, time, their_time, difference, shape])

    def _write(self, call):
        """Opens the file for each call: a program that goes into the background closes all open
        files, and may open its own under the same number."""
        if self.file is None:
            self.file = os.path.join(self.folder, f"{os.getpid()}-{time.time_ns()}")
        try:
            with open(self.file, "ab", buffering=0) as file:
                file.write(json.dumps(call).encode() + b"\n")
        except OSError:
            pass  # the first process has ended and removed the folder: nobody reads it

    def read(self):
        """How many processes padded, and each place. Removes the folder of the children."""
        with self.lock:
            processes = bool(self.places)
            names = sorted(os.listdir(self.folder)) if os.path.isdir(self.folder or "") else []
            for name in names:
                processes += 1
                with open(os.path.join(self.folder, name), "rb") as file:
                    for line in file:
                        if line.endswith(b"\n"):  # not the last one of a child that was killed
                            key, *call = json.loads(line)
                            key = tuple(key)
                            self.places.setdefault(key, Place(*key)).add(*call)
            if self.folder is not None:
                shutil.rmtree(self.folder, ignore_errors=True)
                self.folder = None
            return processes, list(self.places.values())


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
    word = other.lower()
    own = [place for place in places if place.by == TENSORPAD]
    theirs = [place for place in places if place.by == other]
    left_to = {}
    for place in places:
        if place.by not in (TENSORPAD, other):
            left_to[place.by] = left_to.get(place.by, 0) + place.calls
    sites = [_site(place, options) for place in own + theirs]
    own_theirs = sum(place.their_time for place in own) / 1e9
    return {
        "tensorpad": tensorpad.__version__,
        "in_place_of": FUNCTIONS[other][0],
        "program": program,
        "seconds": seconds,
        "processes": processes,
        "calls": _sum(sites, "calls"),
        "bytes": _sum(sites, "bytes"),
        "raised": _sum(sites, "raised"),
        "tensorpad_seconds": sum(place.time for place in own) / 1e9,
        f"{word}_seconds": own_theirs if options.verify else None,
        f"run_by_{word}": {
            "calls": sum(place.calls for place in theirs),
            "seconds": sum(place.time for place in theirs) / 1e9,
        },
        "compared": _sum(sites, "compared"),
        "different": _sum(sites, "different"),
        "verify": options.verify,
        "left_to_their_type": left_to,
        "sites": sorted(
            sites, key=lambda site: -(site["tensorpad_seconds"] or site[f"{word}_seconds"])
        ),
    }


def _sum(sites, key):
    return sum(site[key] for site in sites)


def _site(place, options):
    """What another function ran has only its time."""
    if place.by == TENSORPAD:
        ours, theirs = place.time / 1e9, place.their_time / 1e9 if options.verify else None
    else:
        ours, theirs = None, place.time / 1e9
    return {
        "file": place.file,
        "line": place.line,
        "function": place.function,
        "mode": place.mode,
        "run_by": place.by,
        "calls": place.calls,
        "bytes": place.bytes,
        "raised": place.raised,
        "tensorpad_seconds": ours,
        f"{options.other.lower()}_seconds": theirs,
        "compared": place.compared,
        "different": place.different,
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
            *_theirs(facts, other),
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
    if facts["run_by_their"]["calls"] == facts["calls"]:
        return
    said = f"time in pad  {_time(facts['tensorpad_seconds'])} with tensorpad"
    if facts["verify"]:
        yield said + f", {_time(facts['their_seconds'])} with {other}"
    else:
        yield said + f"; --verify measures {other}, too"


def _theirs(facts, other):
    calls, seconds = facts["run_by_their"].values()
    if calls:
        yield f"run by {other} {_count(calls, 'call')}, {_time(seconds)}, not in the times above"


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
    lines = ["", f"{'tensorpad':>10} {other:>10} {'calls':>9}  slowest places"]
    for site in sites[:SHOWN]:
        by_them = site["run_by"] == other
        ours, theirs = (
            "-" if site[key] is None else _time(site[key])
            for key in ("tensorpad_seconds", "their_seconds")
        )
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
