#!/usr/bin/env python3
"""Seeds for the corpora: what our own tests hand to the command.  SPDX-License-Identifier: MIT

    seeds.py FOLDER     runs the tests with build/tensorpad (ten minutes), and fills FOLDER/npy, FOLDER/onnx ...

Run it with build/venv/bin/python and build/fuzz/found as FOLDER. It stands in for the command
(environment variable TENSORPAD), keeps the files that its words name, and passes the words on. Files
above 4 KB and those that others wrote (build/data) are left out. `tests/fuzz/fuzz.sh merge` keeps what
is of use of them all.
"""

import hashlib
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMAND = ROOT / "build" / "tensorpad"
TARGETS = {
    ".npy": ["npy"],
    ".pb": ["proto"],
    ".png": ["png"],
    ".onnx": ["onnx", "folding", "lower"],
    ".xml": ["ir", "folding_ir", "lower_ir"],
}
TESTS = ["tests/command", "checker/tests/models"]
LEFT_OUT = ["tests/command/test_cli_bench.py", "checker/tests/models/test_bad_files.py"]
MOST_BYTES = 4096


def keep(folder, target, content):
    if len(content) > MOST_BYTES:
        return
    place = pathlib.Path(folder) / target
    place.mkdir(parents=True, exist_ok=True)
    (place / hashlib.sha1(content).hexdigest()[:16]).write_bytes(content)


def read(path):
    """A file's bytes as a target takes them, or None."""
    path = pathlib.Path(path)
    if not path.is_file() or ROOT / "build" / "data" in path.resolve().parents:
        return None
    content = path.read_bytes()
    if path.suffix == ".xml":
        beside = path.with_suffix(".bin")
        content += b"\0" + (beside.read_bytes() if beside.is_file() else b"")
    return content


def record(folder, words):
    """Keeps the files, and the words with their names replaced: one file is F, others are x.npy."""
    spoken, carried = [], None
    for word in words:
        option, equals, name = word.rpartition("=")
        content = read(name) if name else None
        suffix = pathlib.Path(name).suffix
        if content is not None and suffix in TARGETS:
            for target in TARGETS[suffix]:
                keep(folder, target, content)
            if carried is None or suffix in (".onnx", ".xml"):
                carried = content
                name = "F" + suffix
            else:
                name = "x.npy"
        spoken.append((option + equals + name.rpartition("/")[2]).replace("\n", " "))
    text = "".join(word + "\n" for word in spoken if word)
    keep(folder, "command", os.fsencode(text) + b"\n" + (carried or b""))


def main():
    folder = os.environ.get("TENSORPAD_SEEDS")
    if folder:
        record(folder, sys.argv[1:])
        os.execv(COMMAND, [COMMAND, *sys.argv[1:]])
    folder = pathlib.Path(sys.argv[1]).absolute()
    return subprocess.run(
        [ROOT / "build/venv/bin/python", "-m", "pytest", "-q", "-p", "no:cacheprovider"]
        + [ROOT / name for name in TESTS]
        + [f"--ignore={ROOT / name}" for name in LEFT_OUT],
        env=os.environ
        | {
            "TENSORPAD": os.fspath(pathlib.Path(__file__).resolve()),
            "TENSORPAD_DATA": os.fspath(ROOT / "build/data"),
            "TENSORPAD_SEEDS": os.fspath(folder),
            "PYTHONDONTWRITEBYTECODE": "1",
        },
    ).returncode


sys.exit(main())
