"""python -m tensorpad.dropin: programs run as without it, and its counts are exact, with children
and threads; the same with --torch.

Expected is what plain Python does, or what was counted by hand.
"""

import importlib.util
import os
import re
import signal
import subprocess
import sys

import pytest
from dropin_runs import (  # noqa: F401
    ENVIRONMENT,
    dropin,
    needs_fork,
    needs_signals,
    python,
    write,
)
from tensorpad.dropin import __main__ as command, _stand_in

needs_torch = pytest.mark.skipif(
    importlib.util.find_spec("torch") is None, reason="torch is not installed: --torch was not run"
)
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
MISSING = """
    import numpy as np
    for arguments in ((), ([1],), ([1], 1, "edge", 0)):
        try:
            np.pad(*arguments)
        except TypeError as error:
            print(error)
"""
# astropy compares these with what it overrides: NumPy's own pad must not stay beside ours.
LISTS = """
    import numpy as np
    from numpy._core.overrides import ARRAY_FUNCTIONS
    from numpy.testing.overrides import allows_array_function_override
    print(np.pad in ARRAY_FUNCTIONS, allows_array_function_override(np.pad))
    print(sorted(function.__module__ + "." + function.__name__ for function in ARRAY_FUNCTIONS))
"""
HOOK = "    import sys\n    sys.excepthook = lambda *a: print('mine', a[0], a[2].tb_lineno)\n"
PACKAGE = {
    "package__in____init__": "",
    "package__in__inside": LOOK + RAISES,
    "package__in____main__": LOOK + RAISES,
}
LINK = {  # after a link, ".." is not the folder that holds the link
    "which": "print('beside the link', __file__)",
    "deep__in__which": "print('after the link', __file__)",
}
WORDS = ["-m", "--json", "x y"]
# Files, words, status, calls, and how the output begins. Windows takes ".." away before it looks
# for a link.
PROGRAMS = {
    "raises": ({"a": LOOK + RAISES}, ["a.py", *WORDS], 1, 41, "['a.py', '-m', '--json', 'x y']"),
    "exits": ({"a": LOOK + "    sys.exit('words')\n"}, ["a.py", *WORDS], 1, 41, "['a.py'"),
    "interrupts": (
        {"a": "import numpy as np\nnp.pad([1], 1)\nraise KeyboardInterrupt\n"},
        ["a.py"], INTERRUPTED, 1, "",
    ),
    "hooks": ({"a": HOOK + RAISES}, ["a.py"], 1, 0, "mine <class '__main__.Mine'>"),
    "wrong": ({"a": "import numpy as np\nnp.pad([1], 1\n"}, ["a.py"], 1, 0, ""),
    "module": (PACKAGE, ["-m", "package.inside", "-v"], 1, 41, "["),
    "folder": (PACKAGE, ["package", "a"], 1, 41, "['package', 'a']"),
    "arguments": ({"a": MISSING}, ["a.py"], 0, 0, "pad() missing 2 required"),
    "lists": ({"a": LISTS}, ["a.py"], 0, 0, "True True\n"),
    "link": (LINK, ["link/../which.py"], 0, 0, "beside" if os.name == "nt" else "after"),
    "dot": (LINK, ["./which.py"], 0, 0, "beside"),
    "nothing": ({}, ["nothing.py"], 2, None, ""),
}  # fmt: skip


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.long
def test_a_program_is_as_alone(write, name):
    files, words, status, calls, begins = PROGRAMS[name]
    folder = write(**files)
    if files is LINK:
        (folder / "deep/er").mkdir()
        (folder / "link").symlink_to("deep/er")
    alone = python(folder, *words)
    with_it, report = dropin(folder, "--verify", *words)
    assert (with_it.stdout, with_it.stderr) == (alone.stdout, alone.stderr)
    assert with_it.returncode == alone.returncode == status and alone.stdout.startswith(begins)
    assert (report and report["calls"]) == (report and report["compared"]) == calls


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
    with subprocess.Popen(
        [sys.executable, "-m", "tensorpad.dropin", "loops.py"],
        cwd=folder,
        env=ENVIRONMENT,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # What a shell starts in the background ignores Ctrl-C, and so do its children.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as process:
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=100)
    assert process.returncode == -signal.SIGINT
    assert said.startswith("Traceback") and "KeyboardInterrupt\ntensorpad.dropin: " in said
    assert f'"{folder / "loops.py"}", line' in said and "__main__.py" not in said


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
    paths = f"{folder}{os.pathsep}{ENVIRONMENT.get('PYTHONPATH', '')}"
    alone = python(folder, "holds.py", PYTHONPATH=paths)
    with_it, report = dropin(folder, "holds.py", PYTHONPATH=paths)
    assert alone.returncode == with_it.returncode == 0, with_it.stderr
    assert with_it.stdout.splitlines()[0] == alone.stdout.splitlines()[0]
    assert report["calls"] == 3 and report["sites"][0]["calls"] == 3


# ---- Children ------------------------------------------------------------------------------------


@needs_fork
@pytest.mark.long
def test_counts_of_threads_and_children(write):
    """Four threads, forked children that end without clearing up, a spawned one and a pool."""
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
    assert there["compared"] == 0
    assert sorted(path.name for path in folder.iterdir()) == ["report.json", "work.py"]


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


# ---- Options, and the report for people ----------------------------------------------------------


@pytest.mark.parametrize(
    "words, said",
    [
        ([], "no program: python -m tensorpad.dropin [OPTIONS] SCRIPT"),
        (["--verify"], "no program: "),
        (["-m"], "-m needs the name of a module: "),
        (["--report"], "--report needs a value: "),
        (["--nonsense", "x.py"], "unknown option '--nonsense': --help lists the options"),
        (["--report", "/nowhere/at/all", "x.py"], "--report /nowhere/at/all: cannot write into"),
        (["--report", "/", "x.py"], "--report takes the name of a file, got '/'"),
    ],
)
def test_wrong_options(monkeypatch, capsys, words, said):
    monkeypatch.setattr(sys, "argv", ["dropin", *words])
    with pytest.raises(SystemExit) as ended:
        command.main()
    assert ended.value.code == 2
    error = capsys.readouterr().err
    assert error.startswith("tensorpad.dropin: " + said) and error.count("\n") == 1


def test_help_fits_a_screen():
    lines = command.HELP.splitlines()
    assert len(lines) <= 40 and max(map(len, lines)) <= 80


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
    assert said[2].startswith("time in pad ") and said[2].endswith(" with NumPy")
    assert said[3].startswith("run by NumPy 1 call, ")
    assert said[4] == "differences 1 in 5 calls compared"
    assert said[6] == "tensorpad NumPy calls slowest places"
    place = next(i for i, line in enumerate(said) if line.endswith(" 3 short.py:5 load"))
    assert said[place + 1] == "edge (2, 2) -> (3, 2) float32 and 1 other shape"
    assert said[-2:] == [
        "different at short.py:8 <module>, constant:",
        "array int64 (2,), pad_width -1: went well, NumPy's raised ValueError: "
        "index can't contain negative values",
    ]


# ---- torch.nn.functional.pad --------------------------------------------------------------------


@needs_torch
def test_a_program_of_torch(write):
    """Through every module that pads; the report tells who ran what."""
    folder = write(
        program="""
        import torch
        from torch.nn.functional import pad

        nn = torch.nn
        x = torch.rand(2, 3, 8, 9, requires_grad=True)
        for module in (nn.ReflectionPad2d(2), nn.ReplicationPad2d(1), nn.CircularPad2d(1),
                       nn.ConstantPad2d(1, 4.0), nn.ZeroPad2d(1),
                       nn.Conv2d(3, 4, 3, padding=1, padding_mode="reflect"),
                       nn.Conv2d(3, 4, 3, padding=1, padding_mode="circular")):
            module(x).square().sum().backward()
        pad(x.to("meta"), (1, 1))
        scripted = torch.jit.script(nn.ReflectionPad2d(1))
        print(tuple(scripted(x).shape), x.grad.shape == x.shape)

        @torch.jit.script
        def own(x: torch.Tensor):
            return torch.nn.functional.pad(x, [1, 1], "constant", 2.0)

        print(own(torch.zeros(1)).tolist())
        """
    )
    done, said = dropin(folder, "--torch", "--verify", "program.py")
    assert (done.returncode, done.stdout) == (0, "(2, 3, 10, 11) True\n[2.0, 0.0, 2.0]\n"), (
        done.stderr
    )
    assert said["in_place_of"] == "torch.nn.functional.pad"
    assert (said["calls"], said["different"], said["compared"]) == (8, 0, 7)
    assert said["run_by_torch"]["calls"] == 1
    assert {site["mode"] for site in said["sites"]} == {
        "reflect",
        "replicate",
        "circular",
        "constant",
    }
    assert all(
        site["run_by"] == ("torch" if site["file"].endswith("program.py") else "tensorpad")
        for site in said["sites"]
    )
    done = python(folder, "-m", "tensorpad.dropin", "--torch", "program.py")
    assert (
        "torch.nn.functional.pad was tensorpad.torch.functional.pad; program.py ran" in done.stderr
    )
    assert "run by torch 1 call," in done.stderr


@needs_torch
def test_what_it_does_not_run(write):
    folder = write(
        program="""
        import torch
        import torch.nn.functional as F

        class Own(torch.Tensor):
            pass

        x = torch.rand(1, 4, 4)
        assert type(F.pad(x.as_subclass(Own), (1, 1), "reflect")) is Own
        assert F.pad(torch.nn.Parameter(x), (1, 1)).requires_grad
        compiled = torch.compile(lambda x: F.pad(x, (1, 1), "reflect"), backend="eager", fullgraph=True)
        assert compiled(x).shape == (1, 4, 6)
        try:
            F.pad(x, (1, 1), "mirror")
        except (ValueError, NotImplementedError) as error:
            print(type(error).__name__)
        """
    )
    done, said = dropin(folder, "--torch", "program.py")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "ValueError\n"
    assert (said["calls"], said["raised"], said["run_by_torch"]["calls"]) == (3, 1, 1)


@needs_torch
def test_programs_whose_graph_is_looked_at(write):
    """Checkpoints, hooks, transforms and traces are as without the runner."""
    folder = write(
        program="""
        import torch
        import torch.nn.functional as F
        from torch.fx.experimental.proxy_tensor import make_fx
        from torch.utils.checkpoint import checkpoint

        x = torch.rand(1, 2, 8, 8, requires_grad=True)
        checkpoint(lambda x: F.pad(x, (1, 1, 1, 1), "reflect").sin().sum(), x, use_reentrant=False).backward()
        calls = []
        y = x * 2
        y.register_hook(calls.append)
        F.pad(y, (1, 1, 1, 1), "replicate").sum().backward()
        print(len(calls))
        print(torch.vmap(lambda x: F.pad(x, (1, 1), "reflect"))(torch.ones(2, 3, 3)).shape[2])
        make_fx(lambda x: F.pad(x, (1, 1), "reflect"), tracing_mode="symbolic")(torch.ones(3, 3))
        """
    )
    for options in (["--verify"], []):
        done, said = dropin(folder, "--torch", *options, "program.py")
        assert (done.returncode, done.stdout) == (0, "1\n5\n"), done.stderr
        assert said["different"] == 0 and said["calls"] == 3


@needs_torch
def test_children_of_torch(write):
    folder = write(
        program="""
        import multiprocessing
        import torch

        def padded(number):
            return torch.nn.functional.pad(torch.ones(1, number), (1, 1), "replicate").sum().item()

        if __name__ == "__main__":
            with multiprocessing.get_context("spawn").Pool(2) as pool:
                print(pool.map(padded, [1, 2, 3]))
        """
    )
    done, said = dropin(folder, "--torch", "program.py")
    assert (done.returncode, done.stdout) == (0, "[3.0, 4.0, 5.0]\n"), done.stderr
    assert said["calls"] == 3


def test_differences_are_told(monkeypatch):
    torch, functional = (
        pytest.importorskip("torch"),
        importlib.import_module("tensorpad.torch.functional"),
    )
    F = torch.nn.functional
    x = torch.rand(1, 4, requires_grad=True)
    result = F.pad(x, (1, 1), "reflect")
    same = F.pad(x, (1, 1), "reflect")

    def said(result, theirs, error=None, refused=None):
        call = x, (1, 1), "reflect", None
        return _stand_in.torchs_difference(F.pad, result, error, theirs, refused, call)

    assert said(result, same) is None
    wrong = same.detach().clone()
    wrong[0, 3] += 1
    assert re.search(r"element \(0, 3\) is [\d.]+, torch's [\d.]+$", said(result, wrong))
    with monkeypatch.context() as patch:
        patch.setattr(functional, "pad", lambda x, *words: 2 * F.pad(x, *words))
        assert "gradients differ by up to" in said(result, same)
    assert "shape" in said(result, same[:, 1:]) and "dtype" in said(result, same.double())
    assert said(result, None, None, ValueError("no")).endswith(
        "went well, torch's raised ValueError: no"
    )
    nan = torch.tensor([float("nan"), 0.0])
    assert _stand_in.tensors(nan, nan.clone()) is None


def test_it_needs_torch(write):
    folder = write(program="pass")
    done = python(
        folder,
        "-c",
        "import importlib.util as util\nfind = util.find_spec\n"
        "util.find_spec = lambda name: None if name == 'torch' else find(name)\n"
        "import sys; sys.argv = ['x', '--torch', 'program.py']\n"
        "from tensorpad.dropin.__main__ import main; main()",
    )
    assert (done.returncode, done.stderr) == (
        2,
        "tensorpad.dropin: --torch needs PyTorch, which is not installed\n",
    )
