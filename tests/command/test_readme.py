"""The commands of README.md, run as they stand there, in the root of the repository."""

import re
import shlex
import shutil
import struct
import subprocess
import zlib

import pytest
from command import COMMAND, ROOT

PAGE = (ROOT / "README.md").read_text(encoding="utf-8")


def test_what_the_command_answers(tmp_path):
    """Each line that begins with $, and the lines below it, but for how long lines are broken."""
    runs = re.findall(r"^    \$ build/tensorpad (.*)\n((?:    (?!\$).*\n)+)", PAGE, re.M)
    assert len(runs) >= 2
    for line, told in runs:
        words = [
            word.replace("build/mirror.onnx", str(tmp_path / "m.onnx"))
            for word in shlex.split(line)
        ]
        done = subprocess.run([COMMAND, *words], cwd=ROOT, capture_output=True, text=True)
        answer = done.stdout.replace(str(tmp_path / "m.onnx"), "build/mirror.onnx")
        assert answer.split() == told.split(), done.stderr
        assert done.returncode == (4 if "refuses" in answer and words[0] == "check" else 0)


def test_the_program_in_c(tmp_path):
    """The line that compiles it does, and it prints what its comment says."""
    (line,) = re.findall(r"^    (cc .*?) && \./a\.out$", PAGE, re.M)
    if not (ROOT / "build/libtensorpad.a").exists() or not shutil.which("cc"):
        pytest.skip("build/libtensorpad.a is not there")
    subprocess.run([*shlex.split(line), "-o", tmp_path / "a.out"], cwd=ROOT, check=True)
    printed = subprocess.run(
        [tmp_path / "a.out"], check=True, capture_output=True, text=True
    ).stdout
    assert (
        printed.split()
        == re.search(r"/\* ([\d ]+) \*/", (ROOT / "examples/01_quickstart.c").read_text())[
            1
        ].split()
    )


def test_a_picture(tmp_path):
    """The line that pads a picture by 20 pixels on each side."""
    (line,) = re.findall(r"^    build/tensorpad (pad .*)$", PAGE, re.M)
    pixels = zlib.compress(
        b"".join(b"\0" + bytes(90) for _ in range(40))
    )  # 40 rows of 30 RGB pixels
    chunks = [
        (b"IHDR", struct.pack(">IIBBBBB", 30, 40, 8, 2, 0, 0, 0)),
        (b"IDAT", pixels),
        (b"IEND", b""),
    ]
    (tmp_path / "in.png").write_bytes(
        b"\x89PNG\r\n\x1a\n"
        + b"".join(
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
            for kind, data in chunks
        )
    )
    subprocess.run([COMMAND, *shlex.split(line)], cwd=tmp_path, check=True)
    assert struct.unpack(">II", (tmp_path / "out.png").read_bytes()[16:24]) == (70, 80)
