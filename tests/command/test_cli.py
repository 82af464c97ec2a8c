"""The command as a whole: help, words, errors, terminals, signals.  SPDX-License-Identifier: MIT"""

import os
import pathlib
import platform
import re
import select
import signal
import subprocess
import time

import numpy as np
import pytest
from command import COMMAND, DATA, KEYS, ROOT, json_error, on_terminal
from onnx_models import two_branches

SUBCOMMANDS = [
    "pad",
    "run",
    "inspect",
    "check",
    "lower",
    "explain",
    "specs",
    "show",
    "bench",
    "completion",
]


@pytest.mark.parametrize("words", [[], *([word] for word in SUBCOMMANDS)])
@pytest.mark.parametrize("option", ["--help", "-h"])
def test_help_fits_a_screen(folder, words, option):
    text = folder.run(*words, option).stdout.decode()
    lines = text.splitlines()
    assert text.startswith("usage: tensorpad")
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 80


def test_help_of_modes(folder):
    """The documents' pictures, and which specifications have each mode."""
    text = folder.run("pad", "--help").stdout.decode()
    indent = 21 * " "
    assert (
        f"padded by two:\n{indent}constant   kk abcd kk (default)\n{indent}edge       aa abcd dd\n"
        f"{indent}reflect    cb abcd cb\n{indent}symmetric  ba abcd dc (plain, openvino, ngraph)\n"
        f"{indent}wrap       cd abcd ab (plain, onnx from 19)\n"
    ) in text


def fastest_kernels():
    """What the system says of the processor."""
    if platform.machine() == "aarch64":
        return "neon"
    flags = set(pathlib.Path("/proc/cpuinfo").read_text().split())
    if {"avx512f", "avx512bw", "gfni"} <= flags and flags & {"avx512vbmi", "avx512_vbmi"}:
        return "avx512"
    return next((name for name in ("avx2", "ssse3") if name in flags), "plain")


def test_version(folder):
    first, files, kernels, _, pictures = folder.run("--version").stdout.decode().splitlines()
    header = (ROOT / "include" / "tensorpad" / "tensorpad.h").read_text()
    numbers = re.findall(r"#define TPAD_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header)
    assert first == "tensorpad " + ".".join(numbers)
    assert files.startswith("files: npy")
    assert pictures.startswith("pictures: svg")
    assert kernels == "kernels: " + (os.environ.get("TENSORPAD_KERNELS") or fastest_kernels())


def test_no_arguments(folder):
    done = subprocess.run([COMMAND], capture_output=True)
    assert done.returncode == 2
    assert done.stdout == b""
    assert done.stderr.startswith(b"usage: tensorpad")


# ---- Errors as JSON ------------------------------------------------------------------------------


def test_json_errors(folder):
    folder.save("in.npy", DATA)
    error = json_error(folder.fail(2, "pad", "--mode", 'b"\\\n', "--json", "i.npy", "o.npy"))
    assert (error["status"], error["code"]) == (2, "USAGE")
    assert 'b"\\\n' in error["text"]
    assert [error[key] for key in KEYS[3:]] == [None] * 5
    error = json_error(folder.fail(2, "pad", "--json", "--nonsense"))
    assert "--nonsense" in error["text"]
    error = json_error(folder.fail(3, "pad", "--json", "--pads", "0,0,-4,0", "in.npy", "o.npy"))
    assert (error["code"], error["file"], error["axis"]) == ("E_NEGATIVE", "in.npy", 0)
    words = ["--json", "--spec", "onnx-13", "--mode", "wrap", "--pads", "0,0,0,0"]
    error = json_error(folder.fail(3, "pad", *words, "in.npy", "o.npy"))
    assert (error["status"], error["code"]) == (3, "E_SPEC_MODE")
    error = json_error(folder.fail(1, "pad", "--json", "--pads", "0,0", "no.npy", "o.npy"))
    assert (error["status"], error["code"], error["file"]) == (1, "E_IO", "no.npy")
    (folder / "o.npy").write_bytes(b"")
    error = json_error(folder.fail(1, "pad", "--json", "--pads", "0,0,0,0", "in.npy", "o.npy"))
    assert (error["code"], error["file"]) == ("E_EXISTS", "o.npy")
    error = json_error(folder.fail(2, "nothing", "--json"))
    assert "nothing" in error["text"]
    error = json_error(folder.fail(1, "inspect", "--json", "no.onnx"))
    assert error["file"] == "no.onnx"


# ---- Terminals and signals -----------------------------------------------------------------------


def test_a_terminal_hears_of_success(folder):
    folder.save("in.npy", DATA)
    words = ["pad", "-f", "--pads", "0,1,0,1", "in.npy", "out.npy"]
    assert on_terminal(folder, *words) == (0, "out.npy: float [3,4] (was [3,2])\r\n")
    assert on_terminal(folder, *words, "-q") == (0, "")
    assert on_terminal(folder, *words, "--quiet") == (0, "")
    assert on_terminal(folder, *words, "--json") == (0, "")


def test_no_array_goes_to_a_terminal(folder):
    folder.save("in.npy", DATA)
    words = ["pad", "--pads", "0,0,0,0", "in.npy", "-"]
    status, shown = on_terminal(folder, *words, stdout="terminal")
    assert status == 2
    assert shown.startswith("tensorpad: ") and "terminal" in shown


def stuck(folder):
    """A run that waits for a reader while the temporary file of another output exists."""
    (folder / "m.onnx").write_bytes(two_branches())
    folder.save("x.npy", np.zeros((100000, 2), np.float32))
    folder.save("q.npy", np.zeros(4, np.int64))
    words = "run m.onnx --input x=x.npy --input q=q.npy --output a=- --output b=b.npy".split()
    before = set(os.listdir(folder.path))
    running = subprocess.Popen(
        [COMMAND, *words], cwd=folder.path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    select.select([running.stdout], [], [], 30)
    time.sleep(0.1)
    return running, set(os.listdir(folder.path)) - before


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signals_remove_temporary_files(folder, number):
    running, temporary = stuck(folder)
    assert len(temporary) == 1
    running.send_signal(number)
    assert running.wait(timeout=30) == -number
    running.stdout.close()
    assert running.stderr.read() == b""
    running.stderr.close()
    assert not temporary & set(os.listdir(folder.path))
    assert "b.npy" not in os.listdir(folder.path)


def test_a_reader_that_goes_away_leaves_nothing(folder):
    running, temporary = stuck(folder)
    running.stdout.close()
    assert running.wait(timeout=30) == 1
    running.stderr.close()
    assert not temporary & set(os.listdir(folder.path))
    assert "b.npy" not in os.listdir(folder.path)
