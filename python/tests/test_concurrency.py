"""Many threads that call at once, with the same lists and arrays, which other threads change."""

import subprocess
import sys
import sysconfig
import threading
import time

import numpy as np
import pytest
import tensorpad
import tensorpad.onnx

free_threaded = pytest.mark.skipif(
    not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="this Python has the GIL"
)
SECONDS = 0.4  # how long the threads of a test work
THREADS = 8

NUMBERS = list(range(1000, 1300))  # ints that Python makes anew, so that each can be freed
REALS = [k / 4 for k in range(500)]
ROWS = [NUMBERS[:7], NUMBERS[:3], [], NUMBERS[5:9]]
IMAGE = np.arange(600.0).reshape(20, 30)


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
