"""A folder in which the command runs, and what the tests of the command share.

SPDX-License-Identifier: MIT
"""

import io
import json
import os
import pathlib
import pty
import subprocess
import sys
import threading

import numpy as np

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import running  # noqa: E402
from running import COMMAND, ROOT as ROOT, files_in  # noqa: E402

# The ONNX document's data, and its four outputs.
DATA = np.array([[1.0, 1.2], [2.3, 3.4], [4.5, 5.7]], np.float32)
DOCUMENT = {
    "constant": ("0,2,0,0", [[0, 0, 1.0, 1.2], [0, 0, 2.3, 3.4], [0, 0, 4.5, 5.7]]),
    "reflect": ("0,2,0,0", [[1.0, 1.2, 1.0, 1.2], [2.3, 3.4, 2.3, 3.4], [4.5, 5.7, 4.5, 5.7]]),
    "edge": ("0,2,0,0", [[1.0, 1.0, 1.0, 1.2], [2.3, 2.3, 2.3, 3.4], [4.5, 4.5, 4.5, 5.7]]),
    "wrap": (
        "2,1,1,1",
        [
            [3.4, 2.3, 3.4, 2.3],
            [5.7, 4.5, 5.7, 4.5],
            [1.2, 1.0, 1.2, 1.0],
            [3.4, 2.3, 3.4, 2.3],
            [5.7, 4.5, 5.7, 4.5],
            [1.2, 1.0, 1.2, 1.0],
        ],
    ),
}


class Folder:
    """A folder of files in which the command runs."""

    def __init__(self, path):
        self.path = path

    def __truediv__(self, name):
        return self.path / name

    def save(self, name, array):
        np.save(self.path / name, array)
        return name

    def load(self, name):
        return np.load(self.path / name)

    def run(self, *words, **more):
        """Runs what must succeed. Only files that its words name may change, and the .bin of an .xml."""
        before = files_in(self.path)
        done = running.succeed(*words, cwd=self.path, **more)
        after = files_in(self.path)
        assert before.keys() <= after.keys()
        changed = {name for name in after if after[name] != before.get(name)}
        named = {name.replace(".bin", ".xml") for name in changed}
        assert all(any(name in str(word) for word in words) for name in named), changed
        return done

    def fail(self, status, *words, **more):
        """Runs what must fail, as running.fail has it."""
        return running.fail(status, *words, cwd=self.path, **more)

    def run_any(self, *words):
        """Runs the command, whatever becomes of it."""
        return running.run(*words, cwd=self.path)

    def pad(self, *words, **options):
        return self.run("pad", *words, **options)

    def padded(self, array, *words):
        """What `pad` makes of an array."""
        self.save("in.npy", array)
        self.pad("-f", *words, "in.npy", "out.npy")
        return self.load("out.npy")

    def refused(self, array, *words, status=3):
        """The error line of a `pad` that must fail."""
        self.save("in.npy", array)
        return self.fail(status, "pad", *words, "in.npy", "out.npy").error


def same(got, expected):
    expected = np.asarray(expected)
    assert got.dtype == expected.dtype
    assert got.shape == expected.shape
    assert got.tobytes() == expected.tobytes(), (got, expected)


def npy_bytes(array):
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


def pairs(text):
    """--pads as numpy's pad_width."""
    numbers = [int(word) for word in text.split(",")]
    half = len(numbers) // 2
    return list(zip(numbers[:half], numbers[half:]))


def on_terminal(folder, *words, **streams):
    """Status and what a terminal shows that is the command's standard error."""
    master, slave = pty.openpty()
    options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": slave}
    if streams.get("stdout") == "terminal":
        options["stdout"] = slave
    running = subprocess.Popen([COMMAND, *words], cwd=folder.path, **options)

    # A terminal that its last writer closes may lose what nobody has read yet: this process keeps
    # it open and writes the end itself.
    end = b"\0end"
    waiting = threading.Thread(target=lambda: (running.wait(), os.write(slave, end)))
    waiting.start()
    shown = b""
    while not shown.endswith(end):
        shown += os.read(master, 4096)
    waiting.join()
    os.close(slave)
    os.close(master)
    return running.returncode, shown[: -len(end)].decode()


KEYS = ["status", "code", "text", "file", "node", "axis", "got", "limit"]


def json_error(done):
    document = json.loads(done.error)
    assert list(document) == ["error"]
    assert list(document["error"]) == KEYS
    return document["error"]
