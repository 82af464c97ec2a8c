"""Runs the command: to its end, to success, or to a failure with its sentence.

SPDX-License-Identifier: MIT

The path of the command is in the environment variable TENSORPAD, else build/tensorpad.
"""

import os
import pathlib
import stat
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMAND = pathlib.Path(os.environ.get("TENSORPAD", ROOT / "build" / "tensorpad")).absolute()

# A build with address sanitizer starts ten times slower and reserves terabytes of addresses.
SANITIZED = COMMAND.is_file() and b"__asan_init" in COMMAND.read_bytes()
QUICK = "TENSORPAD_QUICK" in os.environ  # tests/runners/run.py


class Result:
    def __init__(self, words, done):
        self.words = words
        self.status = done.returncode
        self.stdout = done.stdout
        self.error = done.stderr.decode("utf-8", "backslashreplace")

    def __repr__(self):
        return f"status {self.status} of: tensorpad {self.words}\nstderr: {self.error}"


def run(*words, stdin=b"", **more):
    """Runs the command to its end. more: as subprocess.run takes it."""
    words = [word if isinstance(word, bytes) else str(word) for word in words]
    done = subprocess.run([COMMAND, *words], input=stdin, capture_output=True, timeout=120, **more)
    return Result(words, done)


def succeed(*words, **more):
    """Runs what must succeed without a word on stderr."""
    result = run(*words, **more)
    assert result.status == 0, result
    assert result.error == "", result
    return result


def files_in(folder):
    """Everything in the folder, with what would change if a file was touched. A folder in it is
    touched where a temporary file was in it."""
    found = {}
    for entry in folder.iterdir():
        at = entry.lstat()
        touched = None if stat.S_ISDIR(at.st_mode) else (at.st_size, at.st_mtime_ns)
        found[entry.name] = (at.st_ino, touched)
    return found


def folders_named(words, cwd):
    """The folder where the command runs, and those of the files that its words name."""
    names = [str(word).rpartition("=")[2] for word in words if not isinstance(word, bytes)]
    folders = {os.path.dirname(os.path.join(cwd or "/", name)) for name in names} | {cwd or "/"}
    shared = {"/", "/dev", "/proc", "/etc", "/tmp"}  # where others write meanwhile
    return sorted(pathlib.Path(path) for path in folders - shared if os.path.isdir(path))


def fail(status, *words, says=(), prints=False, cwd=None, **more):
    """Runs what must fail: with that status, one line on stderr that has each text of `says`, no file
    made or touched, and, unless it `prints` a report before, nothing on stdout."""
    folders = folders_named(words, cwd)
    before = [files_in(folder) for folder in folders]
    result = run(*words, cwd=cwd, **more)
    assert result.status == status, result
    assert prints or result.stdout == b"", result
    assert result.error.count("\n") == 1 and result.error.endswith("\n"), result
    assert result.error.startswith(("tensorpad: ", '{"error":')), result
    for text in [says] if isinstance(says, str) else says:
        assert text in result.error, (text, result)
    assert [files_in(folder) for folder in folders] == before, result
    return result
