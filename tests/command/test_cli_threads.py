"""--threads of `tensorpad pad` and `tensorpad run`.  SPDX-License-Identifier: MIT

Expected arrays come from numpy.pad; none comes from the command.
"""

import re
import subprocess

import numpy as np
import pytest
from command import COMMAND, DATA, on_terminal, same
from onnx_models import ints, pad_node, port, save

VERSION = subprocess.run([COMMAND, "--version"], capture_output=True, text=True).stdout
needs_threads = pytest.mark.skipif("threads: none" in VERSION, reason="built without threads")

# Large enough to be cut: 12 MB.
LARGE = np.arange(3_000_000, dtype=np.float32).reshape(3000, 1000)
LARGE_PADDED = np.pad(LARGE, [(2, 1), (3, 5)], "reflect")
WORDS = ["--mode", "reflect", "--pads", "2,3,1,5"]


def test_the_version_says_what_was_built_in():
    assert re.search(r"^threads: (pthreads|none)$", VERSION, re.M)


@pytest.mark.parametrize("threads", [[]] + [["--threads", n] for n in ("1", "2", "3", "7", "1024")])
@needs_threads
def test_pad_gives_the_same_on_any_number_of_threads(folder, threads):
    same(folder.padded(LARGE, *threads, *WORDS), LARGE_PADDED)
    same(folder.padded(DATA, *threads, "--pads", "1,0,0,1"), np.pad(DATA, [(1, 0), (0, 1)]))


@pytest.mark.parametrize("threads", [[]] + [["--threads", n] for n in ("1", "2", "3", "7")])
@needs_threads
def test_run_gives_the_same_on_any_number_of_threads(folder, threads):
    pad = pad_node(["x", "p"], "y", mode="reflect")
    ports = [port("x", ["h", "w"])], [port("y", ["a", "b"])]
    save(folder, [pad], *ports, [ints("p", [2, 3, 1, 5])])
    folder.save("x.npy", LARGE)
    folder.run("run", *threads, "m.onnx", "--input", "x.npy", "--output", "y.npy")
    same(folder.load("y.npy"), LARGE_PADDED)


@needs_threads
def test_the_last_number_counts(folder):
    same(folder.padded(LARGE, "--threads", "3", "--threads", "2", *WORDS), LARGE_PADDED)
    error = folder.refused(LARGE, "--threads", "3", "--threads", "0", *WORDS, status=2)
    assert "'0'" in error


@needs_threads
def test_an_output_through_a_pipe(folder):
    folder.save("in.npy", LARGE)
    done = folder.pad("--threads", "2", *WORDS, "in.npy", "-")
    (folder / "got.npy").write_bytes(done.stdout)
    same(folder.load("got.npy"), LARGE_PADDED)


@needs_threads
def test_on_a_terminal(folder):
    """There the work goes through the runner that shows how far it is."""
    big = np.tile(LARGE, (2, 1))
    folder.save("in.npy", big)
    status, shown = on_terminal(folder, "pad", "--threads", "2", *WORDS, "in.npy", "out.npy")
    assert status == 0 and "out.npy" in shown
    same(folder.load("out.npy"), np.pad(big, [(2, 1), (3, 5)], "reflect"))
