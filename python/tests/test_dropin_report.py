"""The stand-in of tensorpad.dropin, and its report: what --verify finds, what is left to NumPy,
totals that a stall does not change, the share of the program's time.

Expected is what numpy.pad gives, or worked out by hand from a clock that the tests move.
"""

import threading
import time

import numpy as np
import pytest
import tensorpad
from dropin_runs import dropin, facts, needs_fork, padded, python, tally, write  # noqa: F401
from tensorpad.dropin import _report, _stand_in

# ---- Counts --------------------------------------------------------------------------------------


def test_many_threads_count_exactly(tally):
    pad = _stand_in.make(tally, False, 3)

    def work():
        for length in range(500):
            pad(np.zeros(length, np.uint8), 1)

    threads = [threading.Thread(target=work) for _ in range(8)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    said = facts(tally)
    assert said["calls"] == 4000 and said["bytes"] == 8 * sum(range(2, 502))
    assert len(said["sites"]) == 1 and len(said["sites"][0]["shapes"]) == 8


def test_places_beyond_the_limit_are_counted_together(tally, monkeypatch):
    monkeypatch.setattr(_report, "MOST_RECORDS", 6)
    pad = _stand_in.make(tally, False, 0)
    for mode in ("constant", "edge", "wrap", "reflect", "symmetric"):
        for _ in range(2):
            pad([1, 2, 3], 1, mode)
    pad([1, 2, 3], 1, "mean")
    said = {(site["mode"], site["run_by"]): site["calls"] for site in facts(tally)["sites"]}
    ours = {(mode, "tensorpad"): 2 for mode in ("constant", "edge", "wrap")}
    assert said == {**ours, ("", "tensorpad"): 4, ("", "NumPy"): 1}


# ---- Verify --------------------------------------------------------------------------------------

HOLES = np.dtype({"names": ["a", "b"], "formats": ["i1", "f8"], "offsets": [0, 8]})


def arrays():
    """Arrays of many types, with NaNs, both zeros, holes between fields, and references."""
    floats = np.array([np.nan, -0.0, 0.0, np.inf])
    yield from (floats.astype(kind) for kind in ("f2", "f4", ">f8", "g", "F", "G"))
    yield from (np.arange(4).astype(kind) for kind in ("?", "i1", ">u4", "S3", "U2", "M8[s]"))
    yield np.array([(1, 2.5), (2, -0.0)], HOLES)
    yield np.array([None, "a", float("nan"), [1, 2]], object)
    yield np.array(["long enough to lie elsewhere", "", "b"], np.dtypes.StringDType())
    yield np.asfortranarray(np.arange(6).reshape(2, 3))
    yield np.zeros((0, 3))


def test_verify_finds_nothing_where_nothing_differs(tally):
    pad = _stand_in.make(tally, True, 16)
    calls = 0
    for array in arrays():
        for mode in ("constant", "edge", "reflect", "symmetric", "wrap", "empty", "nonsense"):
            calls += 1
            try:
                expected = np.pad(array, 2, mode)
            except ValueError:
                with pytest.raises(ValueError):
                    pad(array, 2, mode)
                continue
            result = pad(array, 2, mode)
            assert result.dtype == expected.dtype and result.shape == expected.shape
            assert mode == "empty" or repr(result) == repr(expected)
    said = facts(tally, True)
    assert sum(site["compared"] for site in said["sites"]) == calls
    assert [site["differences"] for site in said["sites"] if site["different"]] == []


def test_verify_compares_errors(tally):
    pad = _stand_in.make(tally, True, 16)
    array = np.zeros((0, 2))
    for wrong in (
        {"pad_width": 1.5},
        {"pad_width": (1, 2, 3)},
        {"mode": "edge", "pad_width": 1},
        {"pad_width": 1, "end_values": 3},
        {"pad_width": 1, "nonsense": 3},
    ):
        with pytest.raises((TypeError, ValueError)) as numpys:
            np.pad(array, **wrong)
        with pytest.raises(numpys.type) as ours:
            pad(array, **wrong)
        assert str(numpys.value) in str(ours.value)
    said = facts(tally, True)
    assert said["calls"] == said["raised"] == said["compared"] == 5 and said["different"] == 0


def set_first(value):
    def change(array):
        array.flat[0] = value
        return array

    return change


def set_third(array):
    array[1, 2] = array[2, 1] = 5
    return array


def raising(_):
    raise TypeError("mine")


PAIR = [1.5, 2]
FORTRAN = np.asfortranarray(np.ones((2, 2), "i4"))


@pytest.mark.parametrize(
    "array, change, words",
    [
        (PAIR, lambda a: a.astype("f4"), "dtype float32, NumPy's float64"),
        (PAIR, lambda a: a[1:], "shape (3,), NumPy's (4,)"),
        (PAIR, lambda a: a.view(np.matrix), "type matrix, NumPy's ndarray"),
        (np.ones((2, 2)), np.asfortranarray, "layout F, NumPy's C"),
        (PAIR, set_first(-0.0), "element (0,) is np.float64(-0.0), NumPy's"),
        ([np.nan, 2], set_first(-np.nan), "element (0,) is np.float64(nan), NumPy's"),
        (np.ones(2, "g"), set_first(7), "element (0,) is np.longdouble('7.0')"),
        (np.ones(2, HOLES), set_first((0, 9)), "element (0,) is np.void((0, 9.0)"),
        (np.array([None, 1]), set_first(False), "element (0,) is False, NumPy's"),
        (np.array(["a"], "T"), set_first("b"), "element (0,) is 'b', NumPy's"),
        (FORTRAN, lambda a: set_first(7)(a.T).T, "element (0, 0) is np.int32(7), NumPy's np.int32"),
        (np.ones((2, 2)), set_third, "element (1, 2) is np.float64(5.0), NumPy's np.float64(1.0)"),
        (PAIR, raising, "raised TypeError: mine, NumPy's went well"),
    ],
)
def test_verify_finds_what_differs(tally, monkeypatch, array, change, words):
    numpys = np.pad
    monkeypatch.setattr(tensorpad, "pad", lambda *args, **more: change(numpys(*args, **more)))
    try:
        _, said = padded(tally, array, 1, verify=True)
    except TypeError:
        said = facts(tally, True)
    assert said["different"] == said["compared"] == 1
    assert f"pad_width 1: {words}" in said["sites"][0]["differences"][0]


# ---- What is left to NumPy and to others ---------------------------------------------------------


def test_a_function_as_mode_is_called_once_for_each_axis_and_takes_any_keyword(tally):
    seen = []

    def mode(vector, amounts, axis, options):
        seen.append((axis, options["out"]))

    _, said = padded(tally, [1, 2], 1, mode, verify=True, out="mine")
    assert seen == [(0, "mine")]
    assert said["calls"] == 1 and said["compared"] == 0
    assert said["sites"][0]["mode"].endswith("mode()")


@pytest.mark.parametrize("values", [(0, 0), ([1, 2, 3], np.array([4, 5, 6]))])
def test_constants_that_are_arrays(tally, values):
    """albumentations pads a batch of images with a color, as an array of objects."""
    constants = np.empty((4, 2), object)
    for axis, pair in enumerate([(0, 0), values, values, (0, 0)]):
        constants[axis, 0], constants[axis, 1] = pair
    call = np.ones((2, 4, 5, 3), np.uint8), ((0, 0), (1, 2), (3, 4), (0, 0))
    result, said = padded(tally, *call, verify=True, constant_values=constants)
    assert np.array_equal(result, np.pad(*call, constant_values=constants))
    assert said["calls"] == 1 and said["different"] == 0
    assert said["sites"][0]["run_by"] == ("tensorpad" if values == (0, 0) else "NumPy")


class Alone:
    """An array type that is none of NumPy's and has registered its own pad."""

    pads = {}

    def __array_function__(self, function, types, args, kwargs):
        return self.pads[function](*args, **kwargs)


class Derived(np.ndarray):
    """One of NumPy's, which has NumPy do the work."""

    def __array_function__(self, function, types, args, kwargs):
        plain = tuple(arg.view(np.ndarray) if arg is self else arg for arg in args)
        return super().__array_function__(function, (np.ndarray,), plain, kwargs).view(Derived)


class Tensor:
    """What torch's tensors are to NumPy: numpy.asarray reads it, and numpy.pad gives an array."""

    def __init__(self, array):
        self.array = array

    def __array__(self, dtype=None, copy=None):
        return self.array

    def __dlpack__(self, **_):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def test_arrays_that_pad_in_a_way_of_their_own(tally):
    pad = _stand_in.make(tally, True, 16)
    Alone.pads = {pad: lambda array, pad_width, mode="constant": ("its own", pad_width, mode)}
    assert pad(Alone(), 3, mode="edge") == ("its own", 3, "edge")
    assert pad(array=Alone(), pad_width=1) == ("its own", 1, "constant")
    for given, kind in ((np.arange(3).view(Derived), Derived), (Tensor(np.arange(3)), np.ndarray)):
        found = pad(given, 1)
        assert type(found) is kind and found.tolist() == [0, 0, 1, 2, 0]
    masked = np.ma.masked_equal([1, 2], 2)
    assert type(pad(masked, 1)) is type(np.pad(masked, 1))
    said = facts(tally, True)
    assert said["calls"] == 3 and said["different"] == 0
    assert said["left_to_their_type"] == {f"{__name__}.Alone": 2}


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
    sites = {
        by: [site for site in said["sites"] if site["run_by"] == by]
        for by in ("NumPy", "tensorpad")
    }
    modes = {by: sorted(site["mode"] for site in each) for by, each in sites.items()}
    assert modes["tensorpad"] == ["reflect", "wrap"]
    named = [mode for mode in modes["NumPy"] if "<" not in mode]
    assert named == ["edge", "empty", "linear_ramp", "mean", "reflect"]
    assert said["calls"] == 8 and said["run_by_numpy"]["calls"] == 6 == said["compared"] - 1
    assert said["timed_with_both"] == 2
    ours = sum(site["tensorpad_seconds"] for site in sites["tensorpad"])
    theirs = sum(site["numpy_seconds"] for site in sites["NumPy"])
    assert said["tensorpad_seconds"] == pytest.approx(ours)
    assert said["run_by_numpy"]["seconds"] == pytest.approx(theirs)
    assert {site["tensorpad_seconds"] for site in sites["NumPy"]} == {None}


# ---- Totals --------------------------------------------------------------------------------------

STALL = 10_000_000_000
SMALL, LARGE = np.zeros(5), np.zeros(50_000)
US, MS = 10**3, 10**6


class Clock:
    """The time in nanoseconds, which only the pads move: `takes` says how long each call takes, by
    its array and the number of the call."""

    def __init__(self, monkeypatch):
        self.time = 0
        for module in (_report, _stand_in):
            monkeypatch.setattr(module, "now", lambda: self.time)
        monkeypatch.setattr(_stand_in, "worked", lambda: self.processor())
        self.monkeypatch = monkeypatch

    def processor(self):
        return self.time

    def takes(self, where, name, duration):
        pad, calls = np.pad, []

        def padded(array, *args, **kwargs):
            calls.append(0)
            self.time += duration(array, len(calls))
            return pad(array, *args, **kwargs)

        self.monkeypatch.setattr(where, name, padded)


def stalled(usual, number):
    """One call takes very long."""
    return lambda _, n: STALL if n == number else usual


@pytest.fixture
def run(tally, monkeypatch):
    """Calls of the stand-in at one place, of which `ours` and `numpys` say how long they take: all
    the same, or a function of the array and the number of the call."""

    def calls(arrays, ours, numpys, verify=True, one_in=0, mode="edge", seconds=1.0):
        clock = Clock(monkeypatch)
        ours, numpys = (
            each if callable(each) else lambda *_, each=each: each for each in (ours, numpys)
        )
        clock.takes(tensorpad, "pad", ours)
        pad = _stand_in.make(tally, verify, one_in)
        clock.takes(_stand_in, "numpy_pad", numpys)
        for array in [SMALL] * arrays if type(arrays) is int else arrays:
            pad(array, 1, mode)
        return facts(tally, verify, seconds)

    return calls


@pytest.mark.parametrize("count", [2, 3, 50, 1000])
@pytest.mark.parametrize(
    "ours, numpys", [(stalled(US, 2), 3 * US), (US, stalled(3 * US, 3))], ids=["ours", "numpys"]
)
def test_one_stalled_call_does_not_change_the_totals(run, count, ours, numpys):
    said = run(count, ours, numpys)
    assert said["tensorpad_seconds"] == pytest.approx(count * 1e-6)
    assert said["numpy_seconds"] == pytest.approx(count * 3e-6)
    assert said["numpy_seconds_are"] == "measured"


@pytest.mark.parametrize(
    "arrays, stall, sample, small, large",
    [(([SMALL] * 9 + [LARGE]) * 100, 500, 0, 900, 100), ([SMALL] * 300 + [LARGE], 70, 16, 300, 1)],
)
def test_calls_of_different_sizes_all_count(run, arrays, stall, sample, small, large):
    """1 us against 10 us, and 1 ms against 2 ms, of which one is stalled; without --verify one call
    in 16 runs with both, and the first of each size."""
    said = run(
        arrays,
        lambda a, n: STALL if n == stall else US if a is SMALL else MS,
        lambda a, n: 10 * US if a is SMALL else 2 * MS,
        verify=not sample,
        one_in=sample,
    )
    assert said["tensorpad_seconds"] == pytest.approx(small * 1e-6 + large * 1e-3)
    assert said["numpy_seconds"] == pytest.approx(small * 1e-5 + large * 2e-3)
    assert len(said["sites"]) == 1
    assert said["numpy_seconds_are"] == ("estimated" if sample else "measured")
    assert not sample or 2 < said["timed_with_both"] < 60


def record(tally, line, size, calls, times=(), both=(), **more):
    """Counts by hand. both: the times of the call that both ran."""
    base = tally.record("file", line, "edge", "tensorpad", size, "f").base
    tally.counts[base + _report.CALLS] = calls
    for i, each in enumerate(times):
        tally.counts[base + _report.TIMES + i] = each
    if both:
        more |= {"BOTH": 1, "OURS": both[0], "THEIRS": both[1]}
    for name, value in more.items():
        tally.counts[base + getattr(_report, name)] = value


def test_where_no_call_ran_with_both_the_nearest_size_says_the_ratio(tally):
    """At a place: 4 us against 12 us, 16 of 30 us without, and far larger 1 ms against 2 ms; at
    another place 7 us without: 2.012 / 1.004 of it."""
    record(tally, 1, 5, 1, [4 * US], (4 * US, 12 * US))
    record(tally, 1, 6, 16, [30 * US] * 16)
    record(tally, 1, 20, 1, [MS], (MS, 2 * MS))
    record(tally, 2, 5, 1, [7 * US])
    first, second = sorted(facts(tally)["sites"], key=lambda site: site["line"])
    assert first["tensorpad_seconds"] == pytest.approx(1484e-6)
    assert first["numpy_seconds"] == pytest.approx((12 + 3 * 480 + 2000) * 1e-6)
    assert second["numpy_seconds"] == pytest.approx(7e-6 * 2012 / 1004)


def test_a_processor_clock_that_stands_still_gives_no_estimate(run, monkeypatch):
    """Where it moves in steps of 10 ms, most calls take no time by it."""
    monkeypatch.setattr(Clock, "processor", lambda _: 0)
    said = run(50, US, 3 * US, verify=False, one_in=4)
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


def test_processes_count_by_their_calls():
    """Of one process 101 times stand for 1010 calls of 1 us, of the other 101 for 101 of 5 us."""
    place = _report.Place("file", 1, "edge", "tensorpad", "f")
    place.groups[5] = group = _report.Group()
    for calls, each in ((1010, 1000), (101, 5000)):
        values = [0] * _report.RECORD
        values[_report.CALLS] = calls
        values[_report.TIMES : _report.TIMES + _report.SAMPLES] = [each] * _report.SAMPLES
        group.add(values)
    (total,) = _report.totals([place])
    assert total.ours == pytest.approx(1111e-6) and total.numpys is None


@pytest.mark.parametrize("stall", [True, False])
def test_the_report_names_the_clock_where_calls_were_stalled(run, stall):
    said = run(50, stalled(US, 9 if stall else 0), 3 * US)
    assert said["tensorpad_clock_seconds"] == pytest.approx(10 + 49e-6 if stall else 50e-6)
    assert said["numpy_clock_seconds"] == pytest.approx(150e-6)
    line = (
        "by the clock 10 s with tensorpad, 150 us with NumPy: some calls took much longer than the "
    )
    line += "median"
    assert (line in _report._text(said, "NumPy")) == stall


# ---- The share of the program's time -------------------------------------------------------------


@pytest.mark.parametrize("stall, seconds", [(0, 1), (50, 11 - 1e-3)])
def test_the_share_of_the_programs_time(run, stall, seconds):
    """100 calls of 1 ms and 3 ms: without both, 0.6 s of the program's second are left. A stall is
    no part."""
    said = run(100, stalled(MS, stall), 3 * MS, seconds=seconds)
    assert said["program_with_tensorpad"] == pytest.approx({"seconds": 0.7, "padding": 1 / 7})
    if not stall:
        assert said["program_with_numpy"] == pytest.approx({"seconds": 0.9, "padding": 1 / 3})
        assert (
            "\nshare        padding was 33 % of 900 ms with NumPy, is 14 % of 700 ms with "
            "tensorpad (by the clock)\n" in _report._text(said, "NumPy")
        )


def test_the_share_on_a_busy_machine(run):
    """Every tenth call takes ten times as long, as would any other code: 0.19 of 0.79 s. NumPy's
    take three times as long as the median."""
    said = run(100, lambda _, n: MS if n % 10 else 10 * MS, 3 * MS, seconds=0.6 + 0.19 + 0.3)
    for word, pads in (("tensorpad", 0.18 * 100 / 99), ("numpy", 3 * 0.18 * 100 / 99)):
        whole = {"seconds": 0.6 + pads, "padding": pads / (0.6 + pads)}
        assert said[f"program_with_{word}"] == pytest.approx(whole)


def test_what_numpy_runs_is_part_of_both_shares_and_marked(run):
    said = run(100, MS, MS, mode="mean", verify=False)
    for which in ("numpy", "tensorpad"):
        assert said[f"program_with_{which}"] == pytest.approx({"seconds": 1, "padding": 0.1})
    lines = [" ".join(line.split()) for line in _report._text(said, "NumPy").splitlines()]
    assert "run by NumPy 100 calls, 100 ms, not in the times above" in lines[:4]
    assert not any(line.startswith("time in pad") for line in lines)
    assert lines[-2].startswith("- 100 ms 100 ")
    assert lines[-1] == "mean (5,) -> (7,) float64, run by NumPy"


def test_the_share_without_numpys_time(run):
    said = run(100, MS, MS, verify=False)
    assert said["program_with_numpy"] is None
    share = "\nshare        padding is 10 % of 1 s with tensorpad (by the clock)\n"
    assert share in _report._text(said, "NumPy")


def test_threads_that_pad_at_the_same_time(tally, monkeypatch):
    """Two threads pad 0.2 s, half of it together: 0.3 of the program's second."""
    clock = Clock(monkeypatch)
    for clock.time, ends in ((0, None), (10**8, None), (2 * 10**8, 0), (3 * 10**8, 10**8)):
        tally.enter() if ends is None else tally.leave(ends)
    record(tally, 1, 5, 2, [2 * 10**8] * 2, TIME=4 * 10**8, LONGEST=2 * 10**8)
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
