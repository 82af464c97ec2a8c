"""python -m tensorpad.dropin: programs run as without it, its counts are exact, and --verify finds
what differs.

Expected is what plain Python does, what numpy.pad gives, or what was counted by hand.
"""

import os
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest
import tensorpad
from dropin_runs import (  # noqa: F401
    ENVIRONMENT,
    dropin,
    facts,
    needs_fork,
    needs_signals,
    padded,
    python,
    tally,
    write,
)
from tensorpad.dropin import _command, _stand_in, _tally

INTERRUPTED = 0xC000013A if os.name == "nt" else -signal.SIGINT  # the status of a program

# ---- As without it -------------------------------------------------------------------------------

LOOK = """
    import atexit, random, sys
    import numpy as np
    print(sys.argv, sys.path[0], __name__, __package__, __spec__ and __spec__.name)
    print(sorted(globals()), globals().get("__file__"), type(__loader__))
    print(sys.modules["__main__"].__dict__ is globals(), sys.excepthook is sys.__excepthook__)
    random.seed(5)
    np.random.seed(5)
    for _ in range(40):
        np.pad([1.5, 2], 1, "edge")
    print(random.random(), np.random.rand())
    atexit.register(lambda: np.pad([1], 1))
"""
RAISES = """
    class Mine(Exception):
        pass
    def inner(depth):
        if depth:
            return inner(depth - 1)
        try:
            {}["key"]
        except KeyError as error:
            raise Mine("text") from error
    inner(2)
"""
PROGRAMS = {
    "raises": LOOK + RAISES,
    "exits": LOOK + "    sys.exit('words')\n",
    "interrupts": "    import numpy as np\n    np.pad([1], 1)\n    raise KeyboardInterrupt\n",
    "hooks": "    import sys\n    sys.excepthook = lambda *a: print('mine', a[0], a[2].tb_lineno)\n"
    + RAISES,
    "wrong": "    import numpy as np\n    np.pad([1], 1\n",
}


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.long
def test_a_script_is_as_alone(write, name):
    folder = write(**{name: PROGRAMS[name]})
    alone = python(folder, name + ".py", "-m", "--json", "x y")
    with_it, report = dropin(folder, "--sample", "1", name + ".py", "-m", "--json", "x y")
    assert (with_it.stdout, with_it.stderr) == (alone.stdout, alone.stderr)
    assert with_it.returncode == alone.returncode
    expected = {"raises": 41, "exits": 41, "interrupts": 1}.get(name, 0)
    assert report["calls"] == expected == report["timed_with_both"]
    assert alone.returncode == (INTERRUPTED if name == "interrupts" else 1)


@pytest.mark.parametrize("words", [["-m", "package.inside", "-v"], ["package", "a"]])
@pytest.mark.long
def test_a_module_and_a_folder_are_as_alone(write, words):
    folder = write(
        package__in____init__="",
        package__in__inside=LOOK + RAISES,
        package__in____main__=LOOK + RAISES,
    )
    alone = python(folder, *words)
    with_it, report = dropin(folder, *words)
    assert (with_it.stdout, with_it.stderr) == (alone.stdout, alone.stderr)
    assert with_it.returncode == alone.returncode == 1 and report["calls"] == 41


@pytest.mark.long
def test_the_script_behind_a_link_is_the_one_that_python_runs(write):
    folder = write(
        which="print('beside the link', __file__)",
        deep__in__which="print('after the link', __file__)",
    )
    (folder / "deep/er").mkdir()
    (folder / "link").symlink_to("deep/er")
    for script in ("link/../which.py", "./which.py"):
        with_it, _ = dropin(folder, script)
        assert with_it.stdout == python(folder, script).stdout
    # Windows takes ".." away before it looks for a link.
    where = "beside" if os.name == "nt" else "after"
    assert python(folder, "link/../which.py").stdout.startswith(where)


@pytest.mark.long
def test_arguments_that_are_missing_are_named_as_by_numpy(write):
    folder = write(
        wrong="""
        import numpy as np
        for arguments in ((), ([1],), ([1], 1, "edge", 0)):
            try:
                np.pad(*arguments)
            except TypeError as error:
                print(error)
        """
    )
    with_it, _ = dropin(folder, "wrong.py")
    assert with_it.stdout == python(folder, "wrong.py").stdout
    assert with_it.stdout.startswith("pad() missing 2 required")


def heed_ctrl_c():
    """What a shell starts in the background ignores Ctrl-C, and so do its children."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@needs_signals
@pytest.mark.long
def test_ctrl_c_reports(write):
    folder = write(
        loops="""
        import numpy as np
        np.pad([1], 1)
        print("ready", flush=True)
        while True:
            np.pad([1, 2], 1)
        """
    )
    words = [sys.executable, "-m", "tensorpad.dropin", "--sample", "0", "loops.py"]
    with subprocess.Popen(
        words,
        cwd=folder,
        env=ENVIRONMENT,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=heed_ctrl_c,
    ) as process:
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=100)
    assert process.returncode == -signal.SIGINT
    assert said.startswith("Traceback") and "KeyboardInterrupt\ntensorpad.dropin: " in said
    assert f'"{folder / "loops.py"}", line' in said and "_command.py" not in said


@pytest.mark.long
def test_who_holds_numpys_pad(write):
    """A module that was loaded before, NumPy's own modules, and what NumPy's function offers."""
    folder = write(
        sitecustomize="from numpy import pad\n",
        holds="""
        import inspect, pickle, sys
        import numpy as np
        from numpy import pad
        from numpy.lib import _arraypad_impl
        import sitecustomize
        assert pad is np.pad is _arraypad_impl.pad is sitecustomize.pad
        assert pickle.loads(pickle.dumps(pad)) is pad
        print(inspect.signature(pad), pad.__module__, pad.__name__, len(pad.__doc__), type(pad))
        pad([1], 1), _arraypad_impl.pad([1], 1), sitecustomize.pad([1], 1)
        print(sys._getframe().f_back)
        """,
    )
    alone = python(
        folder, "holds.py", PYTHONPATH=f"{folder}{os.pathsep}{ENVIRONMENT.get('PYTHONPATH', '')}"
    )
    with_it, report = dropin(
        folder, "holds.py", PYTHONPATH=f"{folder}{os.pathsep}{ENVIRONMENT.get('PYTHONPATH', '')}"
    )
    assert alone.returncode == with_it.returncode == 0, with_it.stderr
    assert with_it.stdout.splitlines()[0] == alone.stdout.splitlines()[0]
    assert report["calls"] == 3 and report["sites"][0]["calls"] == 3


@pytest.mark.long
def test_the_functions_that_types_may_override_are_as_many_as_alone(write):
    """astropy compares these with what it overrides: NumPy's own pad must not stay beside ours."""
    folder = write(
        lists="""
        import numpy as np
        from numpy._core.overrides import ARRAY_FUNCTIONS
        from numpy.testing.overrides import allows_array_function_override
        print(np.pad in ARRAY_FUNCTIONS, allows_array_function_override(np.pad))
        print(sorted(function.__module__ + "." + function.__name__ for function in ARRAY_FUNCTIONS))
        """
    )
    with_it, _ = dropin(folder, "lists.py")
    assert with_it.stdout == python(folder, "lists.py").stdout
    assert with_it.stdout.startswith("True True\n")


# ---- Counts --------------------------------------------------------------------------------------


@needs_fork
@pytest.mark.long
def test_counts_of_threads_and_children(write):
    """Four threads, two forked children of which one is killed, a spawned one and a pool."""
    folder = write(
        work="""
        import multiprocessing, os, signal, threading
        import numpy as np

        def pads(count):
            for _ in range(count):
                np.pad(np.zeros(3, np.int8), 1)

        if __name__ == "__main__":
            threads = [threading.Thread(target=pads, args=[1000]) for _ in range(4)]
            for thread in threads: thread.start()
            for thread in threads: thread.join()
            for end in (lambda: os._exit(0), lambda: os.kill(os.getpid(), signal.SIGKILL)):
                child = os.fork()
                if not child:
                    pads(20)
                    end()
                os.waitpid(child, 0)
            child = multiprocessing.get_context("spawn").Process(target=pads, args=[300])
            child.start()
            with multiprocessing.get_context("fork").Pool(1) as pool:
                pool.map(pads, [7000, 50000])
            np.pad(np.zeros(3), 1)
        """
    )
    done, report = dropin(folder, "work.py", TMPDIR=str(folder))
    assert done.returncode == 0, done.stderr
    here, there = sorted(report["sites"], key=lambda site: site["calls"])
    assert (here["calls"], here["line"], here["function"]) == (1, 23, "<module>")
    assert there["calls"] == 4000 + 20 + 20 + 300 + 57000 == report["calls"] - 1
    assert there["bytes"] == 5 * there["calls"] and report["bytes"] == there["bytes"] + 40
    assert (there["line"], there["function"], there["mode"]) == (7, "pads", "constant")
    assert there["shapes"] == [{"from": [3], "to": [5], "dtype": "int8"}]
    assert report["processes"] == 5
    assert 0 < there["timed_with_both"] < there["calls"] / 8
    assert sorted(path.name for path in folder.iterdir()) == ["report.json", "work.py"]


@needs_fork
@pytest.mark.parametrize(
    "end",
    [
        "os._exit(0)",
        "os.execv(sys.executable, ['python', '-c', ''])",
        "os.execlp('python3', 'python3', '-c', '')",
        "",
    ],
)
def test_a_program_that_ends_without_a_report_leaves_no_folder(write, end):
    folder = write(
        work=f"""
        import os, sys
        import numpy as np
        child = os.fork()
        np.pad([1], 1)
        if not child:
            os._exit(0)
        os.waitpid(child, 0)
        for path in "/nowhere", "/":  # no program, which exec itself finds out
            try:
                os.execv(path, ["nothing"])
            except OSError:
                print(len([one for one in os.listdir() if "dropin" in one]), flush=True)
        {end}
        """
    )
    done, report = dropin(folder, "work.py", TMPDIR=str(folder))
    assert (done.returncode, done.stdout) == (0, "1\n0\n"), done.stderr
    assert end or (report["calls"], report["processes"]) == (2, 2)
    assert sorted(path.name for path in folder.iterdir()) == ["report.json"] * (not end) + [
        "work.py"
    ]


@pytest.mark.long
@pytest.mark.parametrize("start", [pytest.param("fork", marks=needs_fork), "spawn"])
def test_the_report_waits_for_a_child_that_the_program_does_not_join(write, start):
    folder = write(
        work=f"""
        import multiprocessing, time
        import numpy as np

        def later():
            time.sleep(0.5)
            np.pad([1], 1)

        if __name__ == "__main__":
            multiprocessing.get_context("{start}").Process(target=later).start()
        """
    )
    done, report = dropin(folder, "work.py")
    assert done.returncode == 0, done.stderr
    assert (report["calls"], report["processes"]) == (1, 1)


@needs_fork
@pytest.mark.long
def test_a_process_in_the_background_outlives_the_report(write):
    """It closes all files, as such programs do, and pads before and after the report."""
    folder = write(
        service="""
        import os, sys, time
        import numpy as np

        if os.fork():
            while not os.path.exists("ready"):
                time.sleep(0.01)
            sys.exit()
        np.pad([1], 1)
        os.closerange(3, 100)
        own = os.open("own.txt", os.O_CREAT | os.O_WRONLY)
        np.pad([1], 1, "edge")
        os.mkdir("ready")
        while not os.path.exists("report.json"):
            time.sleep(0.01)
        np.pad([1], 1, "wrap")
        os.write(own, b"well")
        """,
        late="""
        import os, time
        import numpy as np

        if os.fork():
            raise SystemExit
        while not os.path.exists("report.json"):
            time.sleep(0.01)
        padded = np.pad([1], 1)
        with open("own.txt", "w") as own:
            own.write(f"well {padded}")
        """,
    )
    own = folder / "own.txt"
    for name, calls, said in (("service.py", 2, "well"), ("late.py", 0, "well [0 1 0]")):
        done, report = dropin(folder, name)
        assert (done.returncode, done.stderr, report["calls"]) == (0, "", calls)
        assert own.read_text() == said
        own.unlink()
        (folder / "report.json").unlink()


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
    monkeypatch.setattr(_tally, "MOST_RECORDS", 6)
    pad = _stand_in.make(tally, False, 0)
    for mode in ("constant", "edge", "wrap", "reflect", "symmetric"):
        for _ in range(2):
            pad([1, 2, 3], 1, mode)
    pad([1, 2, 3], 1, "mean")
    said = {(site["mode"], site["run_by"]): site["calls"] for site in facts(tally)["sites"]}
    assert said == {
        ("constant", "tensorpad"): 2,
        ("edge", "tensorpad"): 2,
        ("wrap", "tensorpad"): 2,
        ("", "tensorpad"): 4,
        ("", "NumPy"): 1,
    }


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
            if mode != "empty":
                assert repr(result) == repr(expected)
    said = facts(tally, True)
    assert sum(site["compared"] for site in said["sites"]) == calls
    assert [site["differences"] for site in said["sites"] if site["different"]] == []


def test_verify_compares_errors(tally):
    pad = _stand_in.make(tally, True, 16)
    for wrong in (
        dict(pad_width=1.5),
        dict(pad_width=(1, 2, 3)),
        dict(mode="edge", pad_width=1),
        dict(pad_width=1, end_values=3),
        dict(pad_width=1, nonsense=3),
    ):
        array = np.zeros((0, 2))
        with pytest.raises((TypeError, ValueError)) as numpys:
            np.pad(array, **wrong)
        with pytest.raises(numpys.type) as ours:
            pad(array, **wrong)
        assert str(numpys.value) in str(ours.value)
    said = facts(tally, True)
    assert said["calls"] == said["raised"] == said["compared"] == 5 and said["different"] == 0


def changed(change):
    return lambda *args, **kwargs: change(np.pad(*args, **kwargs))


def raising(*args, **kwargs):
    raise TypeError("mine")


def set_first(value):
    def change(array):
        array.flat[0] = value
        return array

    return change


@pytest.mark.parametrize(
    "array, wrong, words",
    [
        ([1.5, 2], changed(lambda a: a.astype("f4")), "dtype float32, NumPy's float64"),
        ([1.5, 2], changed(lambda a: a[1:]), "shape (3,), NumPy's (4,)"),
        ([1.5, 2], changed(lambda a: a.view(np.matrix)), "type matrix, NumPy's ndarray"),
        (np.ones((2, 2)), changed(np.asfortranarray), "layout F, NumPy's C"),
        ([1.5, 2], changed(set_first(-0.0)), "element (0,) is np.float64(-0.0), NumPy's"),
        ([np.nan, 2], changed(set_first(-np.nan)), "element (0,) is np.float64(nan), NumPy's"),
        (np.ones(2, "g"), changed(set_first(7)), "element (0,) is np.longdouble('7.0')"),
        (np.ones(2, HOLES), changed(set_first((0, 9))), "element (0,) is np.void((0, 9.0)"),
        (np.array([None, 1]), changed(set_first(False)), "element (0,) is False, NumPy's"),
        (np.array(["a"], "T"), changed(set_first("b")), "element (0,) is 'b', NumPy's"),
        (
            np.asfortranarray(np.ones((2, 2), "i4")),
            changed(lambda a: set_first(7)(a.T).T),
            "element (0, 0) is np.int32(7), NumPy's np.int32(0)",
        ),
        ([1.5, 2], raising, "raised TypeError: mine, NumPy's went well"),
    ],
)
def test_verify_finds_what_differs(tally, monkeypatch, array, wrong, words):
    monkeypatch.setattr(tensorpad, "pad", wrong)
    try:
        _, said = padded(tally, array, 1, verify=True)
    except TypeError:
        said = facts(tally, True)
    assert said["different"] == said["compared"] == 1
    assert f"pad_width 1: {words}" in said["sites"][0]["differences"][0]


def test_the_element_that_differs_is_found():
    a = np.zeros((3, 4, 5), np.uint8)
    b = a.copy()
    b[1, 2, 3] = b[2, 0, 0] = 1
    assert _stand_in.results(a, b) == "element (1, 2, 3) is np.uint8(0), NumPy's np.uint8(1)"


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
    by = said["sites"][0]["run_by"]
    assert by == ("tensorpad" if values == (0, 0) else "NumPy")


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
    derived = pad(np.arange(3).view(Derived), 1)
    assert type(derived) is Derived and derived.tolist() == [0, 0, 1, 2, 0]
    given = pad(Tensor(np.arange(3)), 1)
    assert type(given) is np.ndarray and given.tolist() == [0, 0, 1, 2, 0]
    masked = pad(np.ma.masked_equal([1, 2], 2), 1)
    assert type(masked) is type(np.pad(np.ma.masked_equal([1, 2], 2), 1))
    said = facts(tally, True)
    assert said["calls"] == 3 and said["different"] == 0
    assert said["left_to_their_type"] == {f"{__name__}.Alone": 2}


# ---- Options -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words, said",
    [
        ([], "no program: python -m tensorpad.dropin [OPTIONS] SCRIPT"),
        (["--verify"], "no program: "),
        (["-m"], "-m needs the name of a module: "),
        (["--sample"], "--sample needs a value: "),
        (["--sample=-1", "x.py"], "--sample takes a number from 0 on, got '-1'"),
        (["--nonsense", "x.py"], "unknown option '--nonsense': --help lists the options"),
        (["--report", "/nowhere/at/all", "x.py"], "--report /nowhere/at/all: cannot write into"),
        (["--report", "/", "x.py"], "--report takes the name of a file, got '/'"),
    ],
)
def test_wrong_options(monkeypatch, capsys, words, said):
    monkeypatch.setattr(sys, "argv", ["dropin", *words])
    with pytest.raises(SystemExit) as ended:
        _command.main()
    assert ended.value.code == 2
    error = capsys.readouterr().err
    assert error.startswith("tensorpad.dropin: " + said) and error.count("\n") == 1


def test_help_fits_a_screen():
    lines = _command.HELP.splitlines()
    assert len(lines) <= 40 and max(map(len, lines)) <= 80


@pytest.mark.long
def test_a_script_that_is_not_there(write):
    folder = write()
    alone = python(folder, "nothing.py")
    with_it, report = dropin(folder, "nothing.py")
    assert (with_it.returncode, with_it.stderr) == (alone.returncode, alone.stderr)
    assert report is None
