"""The stand-in of tensorpad.dropin, and its report: what --verify finds, what is left to NumPy, and
times. Expected is what numpy.pad gives, or worked out by hand from a clock that the tests move.
"""

import threading

import numpy as np
import pytest
import tensorpad
from dropin_runs import facts, padded, tally  # noqa: F401
from tensorpad.dropin import _report, _stand_in

# ---- Counts --------------------------------------------------------------------------------------


def test_many_threads_count_exactly(tally):
    pad = _stand_in.make(tally, False)

    def work():
        for length in range(500):
            pad(np.zeros(length, np.uint8), 1)

    threads = [threading.Thread(target=work) for _ in range(8)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    said = facts(tally)
    assert said["calls"] == 4000 and said["bytes"] == 8 * sum(range(2, 502))
    assert len(said["sites"]) == 1 and len(said["sites"][0]["shapes"]) == 8


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
    pad = _stand_in.make(tally, True)
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
    pad = _stand_in.make(tally, True)
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
    pad = _stand_in.make(tally, True)
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
    pad = _stand_in.make(tally, True)
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
    ours = sum(site["tensorpad_seconds"] for site in sites["tensorpad"])
    theirs = sum(site["numpy_seconds"] for site in sites["NumPy"])
    assert said["tensorpad_seconds"] == pytest.approx(ours)
    assert said["run_by_numpy"]["seconds"] == pytest.approx(theirs)
    assert {site["tensorpad_seconds"] for site in sites["NumPy"]} == {None}


# ---- Times ---------------------------------------------------------------------------------------


def test_times(tally, monkeypatch):
    """By a clock that only the pads move: 1 and 3 ms a call, of both functions 2 ms in mode mean."""
    clock = [0]

    def takes(where, name, milliseconds):
        pad = np.pad

        def padded(array, *args, **kwargs):
            clock[0] += milliseconds(args) * 10**6
            return pad(array, *args, **kwargs)

        monkeypatch.setattr(where, name, padded)

    monkeypatch.setattr(_stand_in, "now", lambda: clock[0])
    takes(tensorpad, "pad", lambda args: 2 if "mean" in args else 1)
    pads = {verify: _stand_in.make(tally, verify) for verify in (True, False)}
    takes(_stand_in, "numpy_pad", lambda args: 2 if "mean" in args else 3)
    for (verify, pad), theirs in zip(pads.items(), (0.15, None)):
        tally.places.clear()
        for mode in ["edge"] * 50 + ["mean"] * 5:
            pad(np.zeros(5), 1, mode)
        said = facts(tally, verify)
        assert said["tensorpad_seconds"] == pytest.approx(0.05)
        assert said["numpy_seconds"] == (theirs and pytest.approx(theirs))
        assert said["run_by_numpy"] == {"calls": 5, "seconds": pytest.approx(0.01)}
        lines = [" ".join(line.split()) for line in _report._text(said, "NumPy").splitlines()]
        if verify:
            assert lines[2] == "time in pad 50 ms with tensorpad, 150 ms with NumPy"
            assert lines[7].startswith("50 ms 150 ms 50 ")
        else:
            assert lines[2] == "time in pad 50 ms with tensorpad; --verify measures NumPy, too"
            assert lines[7].startswith("50 ms - 50 ")
        assert lines[3] == "run by NumPy 5 calls, 10 ms, not in the times above"
        assert lines[9].startswith("- 10 ms 5 ")
        assert lines[10] == "mean (5,) -> (7,) float64, run by NumPy"
