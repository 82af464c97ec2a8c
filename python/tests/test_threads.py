"""How many threads share the work: threads=, set_threads and TENSORPAD_THREADS."""

import os
import subprocess
import sys

import numpy as np
import pytest
import tensorpad

ALL = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
LARGE = np.arange(1 << 21, dtype="f8").reshape(1024, -1)  # 16 MiB, which is shared out


@pytest.fixture(autouse=True)
def reset():
    yield
    tensorpad.set_threads(None)


def fresh(code, **environment):
    """What a new process with this environment prints."""
    said = ("TENSORPAD_THREADS", "OMP_NUM_THREADS")
    kept = {name: text for name, text in os.environ.items() if name not in said}
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**kept, **environment},
    )
    return done.stdout.strip(), done.stderr.strip()


needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="Windows does not fork processes")
needs_proc = pytest.mark.skipif(sys.platform != "linux", reason="it counts threads in /proc")
needs_threads = pytest.mark.skipif(
    tensorpad.thread_count() == 1, reason="one processor, or built without threads"
)


def test_the_default_number():
    count = tensorpad.thread_count()
    assert count in (1, ALL)
    for wanted in (1, 2, count, count + 1, 10**6):
        assert tensorpad.set_threads(wanted) is None
        assert tensorpad.thread_count() == min(wanted, count)
    tensorpad.set_threads(None)
    assert tensorpad.thread_count() == count
    for wrong in (0, -1):
        with pytest.raises(ValueError, match="at least 1"):
            tensorpad.set_threads(wrong)
    for wrong in (1.5, "2"):
        with pytest.raises(TypeError):
            tensorpad.set_threads(wrong)
    assert tensorpad.thread_count() == count


@needs_proc
@needs_threads
def test_an_explicit_number_wins():
    """Threads are started by the first run that shares its work: before it, there is one."""
    code = (
        "import numpy, os, tensorpad\n"
        "large = numpy.zeros((1 << 11, 1 << 11))\n"
        "before = len(os.listdir('/proc/self/task'))\n"
        "if {setup}: tensorpad.set_threads({setup})\n"
        "for threads in (None, 1, 2):\n"
        "    tensorpad.pad(large, 1, threads=threads)\n"
        "    print(len(os.listdir('/proc/self/task')) > before, end=' ')\n"
    )
    assert fresh(code.format(setup=None))[0] == "True True True"
    assert fresh(code.format(setup=1))[0] == "False False True"
    assert fresh(code.format(setup=None), TENSORPAD_THREADS="1")[0] == "False False True"
    assert fresh(code.format(setup=2), TENSORPAD_THREADS="1")[0] == "True True True"


def test_every_number_gives_the_same_bytes():
    expected = np.pad(LARGE, 3, "reflect")
    plan = tensorpad.Plan(LARGE.shape, 3, "reflect")
    for default in (1, 2, None):
        tensorpad.set_threads(default)
        for threads in (None, 1, 2, 5, 4000):
            assert np.array_equal(tensorpad.pad(LARGE, 3, "reflect", threads=threads), expected)
            assert np.array_equal(plan(LARGE, threads=threads), expected)


SAY = "import tensorpad; print(tensorpad.thread_count())"


@pytest.mark.parametrize("text, count", [("1", 1), (" 1 ", 1), ("0001", 1), ("2", 2), ("999", ALL)])
@needs_threads
def test_the_environment_sets_the_default(text, count):
    assert fresh(SAY, TENSORPAD_THREADS=text) == (str(min(count, ALL)), "")
    again = f"{SAY}; tensorpad.set_threads(2); tensorpad.set_threads(None); {SAY}"
    assert fresh(again, TENSORPAD_THREADS=text)[0].split() == [str(min(count, ALL))] * 2


@pytest.mark.parametrize("text", ["0", "-1", "two", "1.5", "1_0", "+1", "1" * 5000, "\u0662"])
def test_what_the_environment_cannot_mean_is_ignored_with_one_warning(text):
    said, warned = fresh(SAY + "; import tensorpad.onnx", TENSORPAD_THREADS=text)
    assert said == fresh(SAY)[0]
    assert warned.count("RuntimeWarning") == 1
    assert "TENSORPAD_THREADS=" in warned and "is ignored" in warned


def test_an_empty_variable_says_nothing():
    assert fresh(SAY, TENSORPAD_THREADS="") == fresh(SAY) == (fresh(SAY)[0], "")


@pytest.mark.parametrize(
    "text, count",
    [
        ("1", 1),
        (" 2 ", 2),
        ("1,4", 1),
        ("999", ALL),
        ("0", ALL),
        ("", ALL),
        ("-1", ALL),
        ("many", ALL),
        ("1" * 5000, ALL),
    ],
)
@needs_threads
def test_what_dask_and_others_set_in_their_workers(text, count):
    """It is not tensorpad's variable: what it cannot mean is no reason for a warning."""
    assert fresh(SAY, OMP_NUM_THREADS=text) == (str(min(count, ALL)), "")
    assert fresh(SAY, OMP_NUM_THREADS=text, TENSORPAD_THREADS="2") == (str(min(2, ALL)), "")


class Counts:
    """A dataset of how many threads a call takes: by default, as set_threads says, by default."""

    def __len__(self):
        return 2

    def __getitem__(self, index):
        tensorpad.pad(LARGE, 1)
        found = [tensorpad.thread_count()]
        tensorpad.set_threads(2)
        found.append(tensorpad.thread_count())
        tensorpad.set_threads(None)
        return [*found, tensorpad.thread_count()]


def two_threads(worker):
    import torch

    torch.set_num_threads(2)


@pytest.mark.parametrize("context", ["fork", "spawn"])
@pytest.mark.parametrize("init, count", [(None, 1), (two_threads, 2)])
@needs_threads
def test_a_worker_of_a_data_loader_follows_torch(context, init, count):
    data = pytest.importorskip("torch.utils.data")
    loader = data.DataLoader(
        Counts(), 1, num_workers=1, multiprocessing_context=context, worker_init_fn=init
    )
    count, most = min(count, ALL), min(2, ALL)
    assert [[int(each) for each in batch] for batch in loader] == [[count, most, count]] * 2
    assert tensorpad.thread_count() == ALL


CHILD = """
import multiprocessing, sys, types, tensorpad
torch, data, worker = types.ModuleType("torch"), types.ModuleType("torch.utils.data"), []
torch.get_num_threads = lambda: 1
data.get_worker_info = lambda: worker or None
sys.modules |= {"torch": torch, "torch.utils.data": data}
def count(is_worker, *threads):
    worker[:] = ["which"] * is_worker
    for each in threads: tensorpad.set_threads(each)
    return tensorpad.thread_count()
with multiprocessing.get_context("fork").Pool(1) as pool:
    calls = (False,), (True,), (False,), (True, 2), (True, None), (False, None)
    print(count(True), *(pool.apply(count, call) for call in calls))
"""


@pytest.mark.long
@needs_threads
@needs_fork
def test_only_workers_of_torch_among_the_children_follow_it():
    """With a torch that is none: the parent asks nobody; a worker stays one; set_threads wins."""
    assert fresh(CHILD)[0].split() == [
        str(ALL),
        str(ALL),
        "1",
        "1",
        str(min(2, ALL)),
        "1",
        str(ALL),
    ]
    same = fresh(CHILD, OMP_NUM_THREADS=str(ALL))[0].split()  # nobody's choice for tensorpad
    assert same == [str(ALL), str(ALL), "1", "1", str(min(2, ALL)), "1", str(ALL)]


WORKERS = """
import multiprocessing, sys, types, tensorpad
torch, data = types.ModuleType("torch"), types.ModuleType("torch.utils.data")
torch.get_num_threads = lambda: {torchs}
data.get_worker_info = lambda: "which"
sys.modules |= {{"torch": torch, "torch.utils.data": data}}
def count(*threads):
    for each in threads: tensorpad.set_threads(each)
    return tensorpad.thread_count()
for each in {chosen}: tensorpad.set_threads(each)
with multiprocessing.get_context("fork").Pool(1) as pool:
    print(*(pool.apply(count, call) for call in [(), (1,), (None,), (2,), ()]))
"""
TWO = str(min(2, ALL))


@pytest.mark.long
@needs_threads
@needs_fork
def test_what_was_chosen_holds_in_a_worker_of_torch():
    """By set_threads or by TENSORPAD_THREADS, before the fork or after it. Without a choice, the
    smaller number holds."""

    def said(chosen, torchs=1, **environment):
        return fresh(WORKERS.format(chosen=chosen, torchs=torchs), **environment)[0].split()

    assert said([]) == ["1", "1", "1", TWO, TWO]
    assert said([2]) == [TWO, "1", "1", TWO, TWO]
    assert said([2, None]) == ["1", "1", "1", TWO, TWO]
    assert said([], TENSORPAD_THREADS="2") == [TWO, "1", TWO, TWO, TWO]
    assert said([1, None], TENSORPAD_THREADS="2") == [TWO, "1", TWO, TWO, TWO]
    assert said([], TENSORPAD_THREADS="1") == ["1", "1", "1", TWO, TWO]
    assert said([], OMP_NUM_THREADS="2") == ["1", "1", "1", TWO, TWO]
    assert said([], TENSORPAD_THREADS="none") == ["1", "1", "1", TWO, TWO]
    assert said([], 1000) == [str(ALL), "1", str(ALL), TWO, TWO]
    assert said([], 1000, OMP_NUM_THREADS="1") == ["1", "1", "1", TWO, TWO]


STARTED = """
import multiprocessing.process, sys, types
multiprocessing.process.parent_process = lambda: "the process that started this one"
import tensorpad
torch, data = types.ModuleType("torch"), types.ModuleType("torch.utils.data")
torch.get_num_threads = lambda: 1
data.get_worker_info = lambda: "which"
sys.modules |= {"torch": torch, "torch.utils.data": data}
print(tensorpad.thread_count())
"""


@pytest.mark.long
@needs_threads
def test_a_worker_that_is_spawned_takes_the_number_of_its_environment():
    assert fresh(STARTED)[0] == fresh(STARTED, OMP_NUM_THREADS="2")[0] == "1"
    assert fresh(STARTED, TENSORPAD_THREADS="2")[0] == TWO


IN_DASK = """
import os, sys, numpy, tensorpad, dask.array, tensorpad.dask
x = dask.array.zeros((2048, 4096), chunks=(1024, 4096))
def started(y):
    before = set(os.listdir("/proc/self/task"))
    y.compute(scheduler="threads", num_workers=1)
    return len(set(os.listdir("/proc/self/task")) - before)
started(x)  # dask's own worker
print(started(tensorpad.dask.pad(x, 3, "reflect")),
      started(x.map_blocks(lambda block: tensorpad.pad(block, 3, threads=1))),
      started(x.map_blocks(lambda block: tensorpad.pad(block, 3))) > 0)
"""


@pytest.mark.long
@needs_proc
@needs_threads
def test_tasks_of_dask_start_no_threads():
    """dask has workers of its own. A function for map_blocks has to say threads=1 itself; the last number
    shows that threads would be seen."""
    pytest.importorskip("dask.array")
    assert fresh(IN_DASK)[0] == "0 0 True"
