"""How many threads share the work: threads=, set_threads and TENSORPAD_THREADS. Many threads at once, the
GIL, forks and interruptions."""

import os
import pickle
import signal
import subprocess
import sys
import sysconfig
import threading
import time

import numpy as np
import pytest
import tensorpad
import tensorpad.onnx
from calls import MODES, run_meanwhile

ALL = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
TWO = str(min(2, ALL))
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


@pytest.mark.parametrize("mode", MODES)
def test_every_number_gives_the_same_bytes(mode):
    expected, plan = np.pad(LARGE, 3, mode), tensorpad.Plan(LARGE.shape, 3, mode)
    for default in (1, 2, None):
        tensorpad.set_threads(default)
        for threads in (None, 1, 2, 7, 10**6):
            assert np.array_equal(tensorpad.pad(LARGE, 3, mode, threads=threads), expected)
            assert np.array_equal(plan(LARGE, threads=threads), expected)


SAY = "import tensorpad; print(tensorpad.thread_count())"
# TENSORPAD_THREADS; the number, or None: it is ignored with one warning.
OURS = {"1": 1, " 1 ": 1, "0001": 1, "2": 2, "999": ALL, "": ALL}
OURS |= dict.fromkeys(["0", "-1", "two", "1.5", "1_0", "+1", "1" * 5000, "\u0662"])
# OMP_NUM_THREADS, which dask and others set in their workers. It is not tensorpad's variable: what it
# cannot mean is no reason for a warning.
THEIRS = {"1": 1, " 2 ": 2, "1,4": 1, "999": ALL, "0": ALL, "": ALL, "-1": ALL, "many": ALL}


@pytest.mark.parametrize("text", OURS)
@needs_threads
def test_the_environment_sets_the_default(text):
    count = OURS[text]
    again = "tensorpad.set_threads(2); tensorpad.set_threads(None); import tensorpad.onnx"
    said, warned = fresh(f"{SAY}; {again}; {SAY}", TENSORPAD_THREADS=text)
    assert said.split() == [str(ALL if count is None else min(count, ALL))] * 2
    assert warned.count("RuntimeWarning") == (count is None)
    assert count is not None or "TENSORPAD_THREADS=" in warned and "is ignored" in warned


@pytest.mark.parametrize("text", [*THEIRS, "1" * 5000])
@needs_threads
def test_what_dask_and_others_set_in_their_workers(text):
    count = THEIRS.get(text, ALL)
    assert fresh(SAY, OMP_NUM_THREADS=text) == (str(min(count, ALL)), "")
    assert fresh(SAY, OMP_NUM_THREADS=text, TENSORPAD_THREADS="2") == (TWO, "")


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


WORKERS = """
import multiprocessing, sys, types, tensorpad
torch, data, worker = types.ModuleType("torch"), types.ModuleType("torch.utils.data"), []
torch.get_num_threads = lambda: {torchs}
data.get_worker_info = lambda: worker or None
sys.modules |= {{"torch": torch, "torch.utils.data": data}}
def count(is_worker, *threads):
    worker[:] = ["which"] * is_worker
    for each in threads: tensorpad.set_threads(each)
    return tensorpad.thread_count()
for each in {chosen}: tensorpad.set_threads(each)
with multiprocessing.get_context("fork").Pool(1) as pool:
    print(count(True), *(pool.apply(count, call) for call in {calls}))
"""
ONE, MOST = "1", str(ALL)
# How many threads the parent has, and a child in the calls: whether it is a worker of torch, and what it
# sets. With a torch that is none. The parent asks nobody; a worker stays one; set_threads wins.
MIXED = [(False,), (True,), (False,), (True, 2), (True, None), (False, None)]
# By set_threads or by TENSORPAD_THREADS, before the fork or after it. Without a choice, the smaller number
# holds.
WORKS = [(True,), (True, 1), (True, None), (True, 2), (True,)]
CHOSEN = [
    ([], 1, MIXED, {}, [MOST, MOST, ONE, ONE, TWO, ONE, MOST]),
    ([], 1, MIXED, {"OMP_NUM_THREADS": MOST}, [MOST, MOST, ONE, ONE, TWO, ONE, MOST]),
    ([], 1, WORKS, {}, [MOST, ONE, ONE, ONE, TWO, TWO]),
    ([2], 1, WORKS, {}, [TWO, TWO, ONE, ONE, TWO, TWO]),
    ([2, None], 1, WORKS, {}, [MOST, ONE, ONE, ONE, TWO, TWO]),
    ([], 1, WORKS, {"TENSORPAD_THREADS": "2"}, [TWO, TWO, ONE, TWO, TWO, TWO]),
    ([1, None], 1, WORKS, {"TENSORPAD_THREADS": "2"}, [TWO, TWO, ONE, TWO, TWO, TWO]),
    ([], 1, WORKS, {"TENSORPAD_THREADS": "1"}, [ONE, ONE, ONE, ONE, TWO, TWO]),
    ([], 1, WORKS, {"OMP_NUM_THREADS": "2"}, [TWO, ONE, ONE, ONE, TWO, TWO]),
    ([], 1, WORKS, {"TENSORPAD_THREADS": "none"}, [MOST, ONE, ONE, ONE, TWO, TWO]),
    ([], 1000, WORKS, {}, [MOST, MOST, ONE, MOST, TWO, TWO]),
    ([], 1000, WORKS, {"OMP_NUM_THREADS": "1"}, [ONE, ONE, ONE, ONE, TWO, TWO]),
]


@pytest.mark.long
@needs_threads
@needs_fork
@pytest.mark.parametrize("row", range(len(CHOSEN)))
def test_what_was_chosen_holds_in_a_worker_of_torch(row):
    chosen, torchs, calls, environment, expected = CHOSEN[row]
    code = WORKERS.format(chosen=chosen, torchs=torchs, calls=calls)
    assert fresh(code, **environment)[0].split() == expected


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


# ---- The GIL, forks and interruptions ------------------------------------------------------------


def test_other_threads_run_meanwhile():
    """The GIL is free while a large array is padded: another thread makes progress."""
    array = np.zeros(1 << 27, "u1")
    out = np.empty((1 << 27) + 2, "u1")
    assert run_meanwhile(lambda: tensorpad.pad(array, 1, "edge", out=out))


INTERRUPTED = """
import numpy as np, signal, tensorpad
signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background it is ignored
array = np.arange(1 << 22, dtype="i4")
out = np.empty((1 << 22) + 64, "i4")
expected = np.pad(array, 32, "reflect")
caught = 0
while not caught:
    try:
        print("ready", flush=True)
        while True:
            out[...] = 0
            tensorpad.pad(array, 32, "reflect", out=out)
    except KeyboardInterrupt:
        caught += 1
tensorpad.pad(array, 32, "reflect", out=out)
assert np.array_equal(out, expected) and np.array_equal(array, np.arange(1 << 22))
print("fine")
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows sends no signals to processes")
def test_ctrl_c_does_not_corrupt():
    for delay in (0.05, 0.11, 0.23):
        child = subprocess.Popen(
            [sys.executable, "-c", INTERRUPTED], stdout=subprocess.PIPE, text=True
        )
        try:
            assert child.stdout.readline() == "ready\n"
            time.sleep(delay)
            child.send_signal(signal.SIGINT)
            assert child.communicate(timeout=60)[0] == "fine\n" and child.returncode == 0
        finally:
            child.kill()


@needs_fork
@pytest.mark.filterwarnings("ignore:.*fork")
def test_after_fork():
    array, small = np.zeros((3000, 3000), "u1"), np.arange(6).reshape(2, 3)
    for _ in range(3):
        out = tensorpad.pad(array, 1)
        tensorpad.pad(small, 1, "edge")
    child = os.fork()
    if child == 0:
        del out
        right = all(
            np.array_equal(tensorpad.pad(each, 1, mode), np.pad(each, 1, mode))
            for each in (array, small, small.T)
            for mode in ("edge", "constant")
            for _ in range(3)
        )
        os._exit(0 if right else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_exit_while_threads_work():
    code = (
        "import threading, numpy, tensorpad\n"
        "def work():\n    while True: tensorpad.pad(numpy.zeros(10**6), 1)\n"
        "for _ in range(4): threading.Thread(target=work, daemon=True).start()\n"
        "import time; time.sleep(0.1)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


# ---- Many threads that call at once, with the same lists and arrays, which other threads change ---

free_threaded = pytest.mark.skipif(
    not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="this Python has the GIL"
)
SECONDS = 0.4  # how long the threads of a test work
THREADS = 8
NUMBERS = list(range(1000, 1300))  # ints that Python makes anew, so that each can be freed
REALS = [k / 4 for k in range(500)]
ROWS = [NUMBERS[:7], NUMBERS[:3], [], NUMBERS[5:9]]
IMAGE = np.arange(600.0).reshape(20, 30)

PLAN = tensorpad.Plan(IMAGE.shape, 5, "reflect")
PICKLED = pickle.dumps(PLAN)


def rectangle(rows, width, value=0):
    """Rows of different lengths, filled at their ends."""
    return [list(row) + [value] * (width - len(row)) for row in rows]


# Calls, and what each has to return: padded with NumPy and lists.
CALLS = [
    (lambda: tensorpad.pad(NUMBERS, 3, "wrap"), np.pad(NUMBERS, 3, "wrap")),
    (lambda: tensorpad.pad(IMAGE, [[1, 2], [3, 4]]), np.pad(IMAGE, [[1, 2], [3, 4]])),
    (lambda: tensorpad.pad_to(REALS, 600, align="start"), np.pad(REALS, (0, 100))),
    (
        lambda: tensorpad.pad_to(IMAGE, [25, 32], mode=["edge", "edge"], align="start"),
        np.pad(IMAGE, [(0, 5), (0, 2)], "edge"),
    ),
    (
        lambda: tensorpad.pad_batch([NUMBERS, NUMBERS[:9]], constant_values=-1),
        rectangle([NUMBERS, NUMBERS[:9]], 300, -1),
    ),
    (
        lambda: tensorpad.pad_batch([REALS, REALS[:200]], dtype="f4"),
        rectangle([REALS, REALS[:200]], 500),
    ),
    (
        lambda: tensorpad.pad_batch([ROWS, ROWS[:2] + ROWS[:2]]),
        [rectangle(ROWS, 7), rectangle(ROWS[:2] + ROWS[:2], 7)],
    ),
    (
        lambda: tensorpad.pad_batch([IMAGE, IMAGE[:5, :6]]),
        [IMAGE, np.pad(IMAGE[:5, :6], [(0, 15), (0, 24)])],
    ),
    (
        lambda: tensorpad.onnx.pad(IMAGE, [1, 2, 3, 4], 2.5),
        np.pad(IMAGE, [(1, 3), (2, 4)], constant_values=2.5),
    ),
    (lambda: tensorpad.pad(np.ones((300, 400)), 1, threads=2), np.pad(np.ones((300, 400)), 1)),
    (lambda: PLAN(IMAGE, threads=2), np.pad(IMAGE, 5, "reflect")),
    (lambda: pickle.loads(PICKLED)(IMAGE), np.pad(IMAGE, 5, "reflect")),
]


def work(tasks):
    """Runs each function again and again, all at once; the exceptions that end some of them."""
    wrong, end = [], time.monotonic() + SECONDS
    together = threading.Barrier(len(tasks))

    def repeat(task):
        together.wait()
        try:
            while not wrong and time.monotonic() < end:
                task()
        except BaseException as error:  # AssertionError, above all
            wrong.append(error)

    threads = [threading.Thread(target=repeat, args=(task,)) for task in tasks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return wrong


def test_the_same_lists_and_arrays():
    expected = [np.asarray(wanted) for _, wanted in CALLS]

    def all_calls(first):
        for k in range(len(CALLS)):
            number = (first + k) % len(CALLS)
            found = CALLS[number][0]()
            assert np.array_equal(found, expected[number]), number

    assert work([lambda k=k: all_calls(k) for k in range(THREADS)]) == []


def changing(items, states):
    """A function that gives the list the states, one after the other."""

    def change():
        for state in states:
            items[:] = state

    return change


def is_one_of(found, wanted):
    assert any(found.shape == one.shape and np.array_equal(found, one) for one in wanted), found


def test_numbers_that_change():
    """A call sees a list as it is at one moment: no mixture of two states, and no freed number."""
    short, long = [[k + 5000 for k in range(40)], [k + 9000.5 for k in range(700)]]
    items = list(short)
    padded = [np.pad(one, (0, 800 - len(one))) for one in (short, long)]
    columns = [one[None] for one in padded]
    halves = [one.astype("f4") for one in columns]

    def read():
        is_one_of(tensorpad.pad_batch([items], shape=800), columns)
        is_one_of(tensorpad.pad_batch([items], shape=800, dtype="f4"), halves)
        is_one_of(tensorpad.pad_batch([[items]], shape=[1, 800])[0], columns)

    change = changing(items, [short, long])
    assert work([read] * (THREADS - 2) + [change] * 2) == []


def test_lists_of_lists_that_change():
    few, many = [[7000, 7001]], [[k + 8000] * 3 for k in range(50)]
    items = list(few)
    wanted = [np.array(rectangle(one + [[]] * (60 - len(one)), 4)) for one in (few, many)]

    def read():
        is_one_of(tensorpad.pad_batch([items], shape=[60, 4])[0], wanted)

    change = changing(items, [[list(row) for row in state] for state in (few, many)])
    assert work([read] * (THREADS - 2) + [change] * 2) == []


def test_amounts_that_change():
    array = np.arange(6).reshape(2, 3)
    widths, pair, modes = [(1, 1), (2, 2)], [300, 300], ["edge", "edge"]
    by_width = [np.pad(array, one) for one in ([(1, 1), (2, 2)], [(301, 302), (400, 0)])]
    by_pair = [np.pad(array, [(0, 0), one]) for one in ((300, 300), (1, 2))]
    by_mode = [np.pad(array, 1, one) for one in ("edge", "reflect")]

    def read():
        is_one_of(tensorpad.pad(array, widths), by_width)
        is_one_of(tensorpad.pad(array, [(0, 0), pair]), by_pair)
        is_one_of(tensorpad.pad(array, 1, modes), by_mode)

    changes = [
        changing(widths, ([(301, 302), (400, 0)], [(1, 1), (2, 2)])),
        changing(pair, ([1, 2], [300, 300])),
        changing(modes, (["reflect", "reflect"], ["edge", "edge"])),
    ]
    assert work([read] * (THREADS - len(changes)) + changes) == []


@free_threaded
def test_a_python_without_the_gil_stays_without_it():
    """Python would turn the GIL on for a module that does not declare that it needs none."""
    code = (
        "import sys, tensorpad, tensorpad.onnx, tensorpad._models\nprint(sys._is_gil_enabled())\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True
    )
    assert (done.stdout, done.stderr) == ("False\n", "")
