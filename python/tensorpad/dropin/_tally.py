"""Counts calls by place, exactly: in all threads, and in child processes even if they are killed.
SPDX-License-Identifier: MIT"""
import json
import mmap
import os
import shutil
import tempfile
import threading
import time

# What is counted of each place; times are in nanoseconds. BOTH: calls that NumPy's pad ran as
# well. WORK and NUMPY_WORK are the time of tensorpad and of NumPy for these: if these are a sample,
# processor time, because the clock says little about a few calls where other programs run.
CALLS, BYTES, TIME, RAISED, BOTH, WORK, NUMPY_WORK, COMPARED, DIFFERENT = range(9)
FIELDS = 9
MOST_PLACES = 8192
SIZE = MOST_PLACES * FIELDS * 8
MOST_SHAPES = 8
MOST_EXAMPLES = 5
ELSEWHERE = ("", 0, "")  # the place of the calls at all places beyond the limit


class Record:
    """One place (file, line, mode) in one process: where its counts begin, and what was noted."""
    __slots__ = ("base", "number", "shapes", "examples")

    def __init__(self, number):
        self.base = number * FIELDS
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
            self.counts = memoryview(bytearray(SIZE)).cast("q")
            return
        name = os.path.join(self.folder, f"{os.getpid()}-{time.time_ns()}")
        try:
            with open(name + ".counts", "x+b") as file:
                file.truncate(SIZE)
                self.counts = memoryview(mmap.mmap(file.fileno(), SIZE)).cast("q")
            self.file = name + ".notes"
        except OSError:
            # The first process has ended and removed the folder: nobody reads what is counted.
            self.counts = memoryview(bytearray(SIZE)).cast("q")

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

    def record(self, place, function, left_to=None):
        """The record of a place, which is new if it was not there.

        left_to: the type of arrays that pads in a way of its own, which all calls here have."""
        with self.lock:
            if self.counts is None:
                self._open()
            known = self.records.get(place)
            if known is not None:
                return known
            if len(self.records) == MOST_PLACES - 1:
                place, function = ELSEWHERE, ""
            elif len(self.records) == MOST_PLACES:
                return self.records[ELSEWHERE]
            made = Record(len(self.records))
            self._note(place=place[:3], function=function, number=made.number, left_to=left_to)
            self.records[place] = made
            return made

    def shape(self, record, before, result):
        """Notes a shape that the record does not have yet."""
        with self.lock:
            if len(record.shapes) < MOST_SHAPES:
                self._note(number=record.number, shape=[list(before), list(result.shape),
                                                        str(result.dtype)])
            record.shapes.add(result.shape)

    def difference(self, record, text):
        with self.lock:
            self.counts[record.base + DIFFERENT] += 1
            if record.examples < MOST_EXAMPLES:
                record.examples += 1
                self._note(number=record.number, difference=text)

    # ---- Reading ---------------------------------------------------------------------------------

    def read(self):
        """All places of all processes: a list of dicts. Removes the folder of the children."""
        with self.lock:
            processes = [(self.counts, self.notes)] if self.counts is not None else []
            if self.folder is not None:
                processes += _children(self.folder)
                shutil.rmtree(self.folder, ignore_errors=True)
        places = {}
        for counts, notes in processes:
            numbered = {}
            for note in notes:
                number = note["number"]
                if "place" in note:
                    key = (*note["place"], note["left_to"])
                    place = numbered[number] = places.setdefault(
                        key, {"key": key, "function": note["function"], "counts": [0] * FIELDS,
                              "shapes": [], "differences": []})
                    own = counts[number * FIELDS:(number + 1) * FIELDS]
                    place["counts"] = [a + b for a, b in zip(place["counts"], own)]
                elif "shape" in note:
                    if note["shape"] not in numbered[number]["shapes"]:
                        numbered[number]["shapes"].append(note["shape"])
                else:
                    numbered[number]["differences"].append(note["difference"])
        return len(processes), list(places.values())


def _children(folder):
    """Counts and notes of each child that padded. One that was killed may have a last line that
    is not whole."""
    for name in sorted(os.listdir(folder)):
        if name.endswith(".notes"):
            path = os.path.join(folder, name)
            with open(path, "rb") as file:
                notes = [json.loads(line) for line in file if line.endswith(b"\n")]
            with open(path.removesuffix(".notes") + ".counts", "rb") as file:
                yield memoryview(file.read()).cast("q"), notes
