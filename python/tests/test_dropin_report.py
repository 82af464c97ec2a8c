"""The report of python -m tensorpad.dropin: totals that a stall does not change, the share of the
program's time, what NumPy itself ran.

Expected is worked out by hand from a clock that the tests move.
"""

import time

import numpy as np
import pytest
import tensorpad
from dropin_runs import dropin, facts, needs_fork, python, tally, write  # noqa: F401
from tensorpad.dropin import _report, _stand_in, _tally


class Clock:
    """The time in nanoseconds, which only the pads move: `takes` says how long each call takes, by
    its array, or by its array and the number of the call."""

    def __init__(self, monkeypatch):
        self.time = 0
        for module in (_tally,):
            monkeypatch.setattr(module, "now", self, raising=False)
        monkeypatch.setattr(_tally, "worked", self.processor)
        self.monkeypatch = monkeypatch

    def __call__(self):
        return self.time

    def processor(self):
        return self.time

    def takes(self, where, name, duration):
        pad, calls = np.pad, []

        def padded(array, *args, **kwargs):
            calls.append(0)
            self.time += duration(array, len(calls))
            return pad(array, *args, **kwargs)

        self.monkeypatch.setattr(where, name, padded)


@pytest.fixture
def run(tally, monkeypatch):
    """Calls of the stand-in at one place, of which `ours` and `numpys` say how long they take."""

    def calls(arrays, ours, numpys, verify=True, one_in=0, mode="edge", seconds=1.0):
        clock = Clock(monkeypatch)
        clock.takes(tensorpad, "pad", ours)
        pad = _stand_in.make(tally, verify, one_in)
        clock.takes(_stand_in, "numpy_pad", numpys)
        for array in arrays:
            pad(array, 1, mode)
        return facts(tally, verify, seconds)

    return calls


STALL = 10_000_000_000


# ---- Totals --------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [3, 50, 1000])
def test_one_stalled_call_does_not_change_the_totals(run, count):
    said = run([np.zeros(5)] * count, lambda _, n: STALL if n == 2 else 1000, lambda _, n: 3000)
    assert said["tensorpad_seconds"] == pytest.approx(count * 1e-6)
    assert said["numpy_seconds"] == pytest.approx(count * 3e-6)
    assert said["numpy_seconds_are"] == "measured"


@pytest.mark.parametrize("count", [3, 50, 1000])
def test_one_stalled_call_of_numpys_does_not_change_the_totals(run, count):
    said = run([np.zeros(5)] * count, lambda _, n: 1000, lambda _, n: STALL if n == 3 else 3000)
    assert said["tensorpad_seconds"] == pytest.approx(count * 1e-6)
    assert said["numpy_seconds"] == pytest.approx(count * 3e-6)


def test_of_two_calls_the_shorter_one_counts(run):
    said = run([np.zeros(5)] * 2, lambda _, n: (1000, STALL)[n - 1], lambda _, n: 3000)
    assert said["tensorpad_seconds"] == pytest.approx(2e-6)


def test_calls_of_different_sizes_all_count(run):
    """900 calls of 1 us against 10 us, and 100 of 1 ms against 2 ms, of which one is stalled."""
    small, large = np.zeros(5), np.zeros(50_000)
    arrays = ([small] * 9 + [large]) * 100
    said = run(
        arrays,
        lambda a, n: STALL if n == 500 else 1000 if a is small else 1_000_000,
        lambda a, n: 10_000 if a is small else 2_000_000,
    )
    assert said["tensorpad_seconds"] == pytest.approx(900e-6 + 0.1)
    assert said["numpy_seconds"] == pytest.approx(9e-3 + 0.2)
    assert len(said["sites"]) == 1


def test_a_sample_finds_the_ratio_of_each_size(run):
    """Without --verify one call in 16 runs with both, and the first of each size."""
    small, large = np.zeros(5), np.zeros(50_000)
    arrays = [small] * 300 + [large]
    said = run(
        arrays,
        lambda a, n: STALL if n == 70 else 1000 if a is small else 1_000_000,
        lambda a, n: 10_000 if a is small else 2_000_000,
        verify=False,
        one_in=16,
    )
    assert said["tensorpad_seconds"] == pytest.approx(300e-6 + 1e-3)
    assert said["numpy_seconds"] == pytest.approx(3e-3 + 2e-3)
    assert said["numpy_seconds_are"] == "estimated" and 2 < said["timed_with_both"] < 60


def test_where_no_call_ran_with_both_the_nearest_size_says_the_ratio(tally):
    """At a place: 4 us against 12 us, 16 of 30 us without, and far larger 1 ms against 2 ms; at
    another place 7 us without: 2.012 / 1.004 of it."""
    for place, size, counts, ours, both in (
        (1, 5, [1], [4000], (4000, 12000)),
        (1, 6, [16], [30_000] * 16, None),
        (1, 20, [1], [10**6], (10**6, 2 * 10**6)),
        (2, 5, [1], [7000], None),
    ):
        record = tally.record("file", place, "edge", "tensorpad", size, "f")
        tally.counts[record.base + _tally.CALLS] = counts[0]
        for i, each in enumerate(ours):
            tally.counts[record.base + _tally.TIMES + i] = each
        if both:
            tally.counts[record.base + _tally.BOTH] = 1
            tally.counts[record.base + _tally.OURS] = both[0]
            tally.counts[record.base + _tally.THEIRS] = both[1]
    first, second = sorted(facts(tally)["sites"], key=lambda site: site["line"])
    assert first["tensorpad_seconds"] == pytest.approx(1484e-6)
    assert first["numpy_seconds"] == pytest.approx((12 + 3 * 480 + 2000) * 1e-6)
    assert second["numpy_seconds"] == pytest.approx(7e-6 * 2012 / 1004)


def test_a_processor_clock_that_stands_still_gives_no_estimate(run, monkeypatch):
    """Where it moves in steps of 10 ms, most calls take no time by it."""
    monkeypatch.setattr(Clock, "processor", lambda _: 0)
    said = run([np.zeros(5)] * 50, lambda _, n: 1000, lambda _, n: 3000, verify=False, one_in=4)
    assert said["numpy_seconds"] is None is said["numpy_seconds_are"]
    assert said["tensorpad_seconds"] == pytest.approx(50e-6)
    assert "not known with NumPy" in _report._text(said, "NumPy")


def test_a_process_that_was_killed_in_its_first_call(tally):
    """Its place is noted, nothing is counted, and it never left pad."""
    tally.record("file", 1, "edge", "tensorpad", 5, "f")
    tally.enter()
    tally.notes.insert(0, {"began": 10**15})
    said = facts(tally)
    assert said["calls"] == said["tensorpad_seconds"] == 0
    assert said["program_with_tensorpad"] == {"seconds": 1, "padding": 0}


def test_processes_count_by_their_calls(tally):
    """Of one process 101 times stand for 1010 calls of 1 us, of the other 101 for 101 of 5 us."""
    group = _tally.Group()
    for calls, each in ((1010, 1000), (101, 5000)):
        values = [0] * _tally.RECORD
        values[_tally.CALLS] = calls
        values[_tally.TIMES : _tally.TIMES + _tally.SAMPLES] = [each] * _tally.SAMPLES
        group.add(values)
    place = _tally.Place("file", 1, "edge", "tensorpad", "f")
    place.groups[5] = group
    said = _report._facts(
        [], [place], "program", 1.0, type("Options", (), {"verify": False, "other": "NumPy"})
    )
    assert said["tensorpad_seconds"] == pytest.approx(1111e-6)


def test_the_report_names_the_clock_where_calls_were_stalled(run):
    said = run([np.zeros(5)] * 50, lambda _, n: STALL if n == 9 else 1000, lambda _, n: 3000)
    assert said["tensorpad_clock_seconds"] == pytest.approx(10 + 49e-6)
    assert said["numpy_clock_seconds"] == pytest.approx(150e-6)
    assert (
        "by the clock 10 s with tensorpad, 150 us with NumPy: some calls took much longer "
        "than the median" in _report._text(said, "NumPy")
    )


def test_the_report_does_not_name_the_clock_where_it_agrees(run):
    said = run([np.zeros(5)] * 50, lambda _, n: 1000, lambda _, n: 3000)
    assert "\nby the clock" not in _report._text(said, "NumPy")


# ---- The share of the program's time -------------------------------------------------------------


def test_the_share_of_the_programs_time(run):
    """100 calls of 1 ms and 3 ms: without both, 0.6 s of the program's second are left."""
    said = run([np.zeros(5)] * 100, lambda _, n: 10**6, lambda _, n: 3 * 10**6)
    assert said["program_with_tensorpad"] == pytest.approx({"seconds": 0.7, "padding": 1 / 7})
    assert said["program_with_numpy"] == pytest.approx({"seconds": 0.9, "padding": 1 / 3})
    assert (
        "\nshare        padding was 33 % of 900 ms with NumPy, is 14 % of 700 ms with "
        "tensorpad (by the clock)\n" in _report._text(said, "NumPy")
    )


def test_a_stall_is_no_part_of_the_share(run):
    said = run(
        [np.zeros(5)] * 100,
        lambda _, n: STALL if n == 50 else 10**6,
        lambda _, n: 3 * 10**6,
        seconds=11 - 1e-3,
    )
    assert said["program_with_tensorpad"] == pytest.approx({"seconds": 0.7, "padding": 1 / 7})


def test_the_share_on_a_busy_machine(run):
    """Every tenth call takes ten times as long, as would any other code: 0.19 of 0.79 s. NumPy's
    take three times as long as the median."""
    said = run(
        [np.zeros(5)] * 100,
        lambda _, n: 10**6 if n % 10 else 10**7,
        lambda _, n: 3 * 10**6,
        seconds=0.6 + 0.19 + 0.3,
    )
    pads = 0.18 * 100 / 99
    assert said["program_with_tensorpad"] == pytest.approx(
        {"seconds": 0.6 + pads, "padding": pads / (0.6 + pads)}
    )
    assert said["program_with_numpy"] == pytest.approx(
        {"seconds": 0.6 + 3 * pads, "padding": 3 * pads / (0.6 + 3 * pads)}
    )


def test_what_numpy_runs_is_part_of_both_shares(run):
    said = run(
        [np.zeros(5)] * 100, lambda _, n: 10**6, lambda _, n: 10**6, mode="mean", verify=False
    )
    for which in ("numpy", "tensorpad"):
        assert said[f"program_with_{which}"] == pytest.approx({"seconds": 1, "padding": 0.1})


def test_the_share_without_numpys_time(run):
    said = run([np.zeros(5)] * 100, lambda _, n: 10**6, lambda _, n: 10**6, verify=False)
    assert said["program_with_numpy"] is None
    assert "\nshare        padding is 10 % of 1 s with tensorpad (by the clock)\n" in _report._text(
        said, "NumPy"
    )


def test_threads_that_pad_at_the_same_time(tally, monkeypatch):
    """Two threads pad 0.2 s, half of it together: 0.3 of the program's second."""
    clock = Clock(monkeypatch)
    for clock.time, ends in ((0, None), (10**8, None), (2 * 10**8, 0), (3 * 10**8, 10**8)):
        if ends is None:
            tally.enter()
        else:
            tally.leave(ends)
    record = tally.record("file", 1, "edge", "tensorpad", 5, "f")
    tally.counts[record.base + _tally.CALLS] = 2
    tally.counts[record.base + _tally.TIME] = 4 * 10**8
    tally.counts[record.base + _tally.LONGEST] = 2 * 10**8
    for i in range(2):
        tally.counts[record.base + _tally.TIMES + i] = 2 * 10**8
    assert facts(tally)["program_with_tensorpad"] == pytest.approx({"seconds": 1, "padding": 0.3})


@needs_fork
@pytest.mark.long
def test_the_time_of_children_counts(write):
    folder = write(
        work="""
        import os, time
        import numpy as np
        np.pad([1], 1)
        child = os.fork()
        if not child:
            time.sleep(0.5)
            np.pad([1], 1)
            os._exit(0)
        os.waitpid(child, 0)
        """
    )
    started = time.perf_counter()
    _, report = dropin(folder, "work.py")
    most = 2 * (time.perf_counter() - started)
    assert report["seconds"] + 0.4 < report["program_with_tensorpad"]["seconds"] < most
    said = python(folder, "-m", "tensorpad.dropin", "work.py").stderr
    assert " s in 2 processes with tensorpad (by the clock)\n" in said


# ---- What NumPy itself ran -----------------------------------------------------------------------


def test_what_numpy_ran_is_marked_and_no_time_of_tensorpads(tally):
    pad = _stand_in.make(tally, True, 16)
    for more in (
        {"mode": "mean"},
        {"mode": "linear_ramp", "end_values": 2},
        {"mode": "empty"},
        {"mode": "reflect", "reflect_type": "odd"},
        {"mode": lambda *_: None},
        {"mode": "reflect", "reflect_type": "even"},
        {"mode": "wrap"},
    ):
        pad(np.ones(3), 1, **more)
    pad(np.ones([1] * 40), 0, "edge")
    said = facts(tally, True)
    by_numpy = [site for site in said["sites"] if site["run_by"] == "NumPy"]
    others = [site for site in said["sites"] if site["run_by"] == "tensorpad"]
    assert sorted(site["mode"] for site in others) == ["reflect", "wrap"]
    assert sorted(site["mode"] for site in by_numpy if "<" not in site["mode"]) == [
        "edge",
        "empty",
        "linear_ramp",
        "mean",
        "reflect",
    ]
    assert said["calls"] == 8 and said["run_by_numpy"]["calls"] == 6 == said["compared"] - 1
    assert said["timed_with_both"] == 2
    assert said["tensorpad_seconds"] == pytest.approx(
        sum(site["tensorpad_seconds"] for site in others)
    )
    assert said["run_by_numpy"]["seconds"] == pytest.approx(
        sum(site["numpy_seconds"] for site in by_numpy)
    )
    assert {site["tensorpad_seconds"] for site in by_numpy} == {None}


def test_the_report_marks_what_numpy_ran(run):
    said = run([np.zeros(5)] * 2, lambda _, n: 10**6, lambda _, n: 10**6, mode="mean")
    lines = [" ".join(line.split()) for line in _report._text(said, "NumPy").splitlines()]
    assert "run by NumPy 2 calls, 2 ms, not in the times above" in lines[:4]
    assert not any(line.startswith("time in pad") for line in lines)
    assert lines[-2].startswith("- 2 ms 2 ")
    assert lines[-1] == "mean (5,) -> (7,) float64, run by NumPy"


# ---- All of it -----------------------------------------------------------------------------------


@pytest.mark.long
def test_the_report(write):
    folder = write(
        short="""
        import numpy as np
        def load():
            for length in (2, 4, 2):
                np.pad(np.zeros((length, 2), np.float32), ((1, 0), (0, 0)), "edge")
        load()
        try:
            np.pad([1, 2], -1)
        except ValueError:
            pass
        np.pad([1, 2], 1, "mean")
        """
    )
    done = python(folder, "-m", "tensorpad.dropin", "--verify", "short.py")
    said = [" ".join(line.split()) for line in done.stderr.splitlines()]
    assert said[0].startswith("tensorpad.dropin: numpy.pad was tensorpad.pad; short.py ran ")
    assert said[1] == "calls 5 at 3 places, 120 bytes of results"
    assert said[2].startswith("time in pad ") and said[2].endswith(" with NumPy (measured)")
    said = [line for line in said if not line.startswith("by the clock")]
    assert said[3].startswith("run by NumPy 1 call, ")
    assert said[4].startswith("share padding was ")
    assert said[4].endswith("ms with tensorpad (by the clock)")
    assert said[5] == "differences 1 in 5 calls compared"
    assert said[7] == "tensorpad NumPy calls slowest places"
    place = next(i for i, line in enumerate(said) if line.endswith(" 3 short.py:5 load"))
    assert said[place + 1] == "edge (2, 2) -> (3, 2) float32 and 1 other shape"
    assert said[-2:] == [
        "different at short.py:8 <module>, constant:",
        "array int64 (2,), pad_width -1: went well, NumPy's raised ValueError: "
        "index can't contain negative values",
    ]
