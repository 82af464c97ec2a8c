"""Running the command `tensorpad` from outside.  SPDX-License-Identifier: MIT

The path of the command is in the environment variable TENSORPAD, else build/tensorpad.
"""

import io
import json
import os
import pathlib
import pty
import subprocess

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMAND = os.path.abspath(os.environ.get("TENSORPAD", ROOT / "build" / "tensorpad"))

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

    def state(self):
        """Everything in the folder, with what would change if a file was touched."""
        found = {}
        for entry in self.path.iterdir():
            status = entry.lstat()
            found[entry.name] = (status.st_ino, status.st_size, status.st_mtime_ns)
        return found

    def run(self, *words, status=0, stdin=b"", **options):
        """Runs the command. Only files that its words name may change, and the .bin of an .xml, and
        none if it fails."""
        before = self.state()
        done = subprocess.run(
            [COMMAND, *words],
            cwd=self.path,
            input=stdin,
            capture_output=True,
            timeout=60,
            **options,
        )
        after = self.state()
        error = done.stderr.decode()
        assert done.returncode == status, error
        assert before.keys() <= after.keys()
        changed = {name for name in after if after[name] != before.get(name)}
        if status:
            assert not changed
            assert error.count("\n") == 1 and error.endswith("\n"), error
            assert error.startswith(("tensorpad: ", '{"error":')), error
        else:
            assert error == ""
            named = {name.replace(".bin", ".xml") for name in changed}
            assert all(any(name in word for word in words) for name in named), changed
        done.error = error
        return done

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
        return self.pad(*words, "in.npy", "out.npy", status=status).error


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
    os.close(slave)
    shown = b""
    while True:
        try:
            piece = os.read(master, 4096)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    os.close(master)
    return running.wait(timeout=60), shown.decode()


KEYS = ["status", "code", "text", "file", "node", "axis", "got", "limit"]


def json_error(done):
    document = json.loads(done.error)
    assert list(document) == ["error"]
    assert list(document["error"]) == KEYS
    return document["error"]
