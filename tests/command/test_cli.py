"""The command as a whole: help, options, errors, terminals, signals, the README's commands.  SPDX-License-Identifier: MIT"""

import os
import pathlib
import platform
import re
import select
import shlex
import shutil
import signal
import struct
import subprocess
import time
import zlib

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
    first, files, kernels, _ = folder.run("--version").stdout.decode().splitlines()
    header = (ROOT / "include" / "tensorpad" / "tensorpad.h").read_text()
    numbers = re.findall(r"#define TPAD_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header)
    assert first == "tensorpad " + ".".join(numbers)
    assert files.startswith("files: npy")
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


# ---- The table of options -------------------------------------------------------------------------


SHELLS = ["bash", "zsh", "fish"]


def sub_commands(folder):
    return re.findall(r"^  ([a-z]+) ", folder.run("--help").stdout.decode().split("\n\n")[1], re.M)


def accepted(folder, name):
    """The options that the command names after a wrong one."""
    return re.findall(r" (--[a-z-]+)", folder.fail(2, name, "--no-such").error.split("; it has")[1])


@pytest.fixture(scope="module")
def man_page(tmp_path_factory):
    """The page as the build makes it."""
    page = tmp_path_factory.mktemp("man") / "tensorpad.1"
    script = ROOT / "cmake/man_page.cmake"
    subprocess.run(["cmake", f"-DCOMMAND={COMMAND}", f"-DPAGE={page}", "-P", script], check=True)
    return page


def test_the_page_for_man_has_each_option(folder, man_page):
    page = man_page.read_text(encoding="utf-8").replace("\\-", "-")
    sections = dict(re.findall(r"^\.SH TENSORPAD ([A-Z]+)$(.*?)(?=^\.SH |\Z)", page, re.M | re.S))
    assert [name.lower() for name in sections] == sub_commands(folder)
    for name, text in sections.items():
        named = " ".join(re.findall(r"^\.B (?!tensorpad)(.*)$", text, re.M))
        assert {*re.findall(r"--[a-z-]+", named), "--help"} == set(
            accepted(folder, name.lower())
        ), name


def test_the_page_for_man_has_all_words(folder, man_page):
    """Of the help, in its order, without the marks of roff."""
    page = re.sub(r"^\.[A-Z]+ ?[0-9]*", "", man_page.read_text(encoding="utf-8"), flags=re.M | re.I)
    for escaped, sign in {"\\&": "", "\\-": "-", "\\(aq": "'", "\\(ti": "~", "\\e": "\\"}.items():
        page = page.replace(escaped, sign)
    words = " ".join(page.split())
    for name in sub_commands(folder):
        about = (
            folder.run(name, "--help")
            .stdout.decode()
            .split("\n\n", 1)[1]
            .replace("exit status  ", "")
        )
        assert " ".join(about.split()) in words, name


@pytest.mark.skipif(shutil.which("mandoc") is None, reason="mandoc is missing")
def test_the_page_for_man_is_clean(man_page):
    linted = subprocess.run(["mandoc", "-Tlint", man_page], capture_output=True, text=True)
    assert (linted.returncode, linted.stdout + linted.stderr) == (0, "")


def test_help_and_reading_agree(folder):
    for name in sub_commands(folder):
        text = folder.run(name, "--help").stdout.decode()
        named = re.findall(r"^  (?:-[a-z], )?(--[a-z-]+)", text, re.M)
        named += [
            word for line in re.findall(r"^  --[a-z -]+$", text, re.M) for word in line.split()
        ]
        assert {*named, "--help"} == set(accepted(folder, name)), name
        assert (" [options]" in text.splitlines()[0]) == bool(named)


def completed(*words):
    """What bash offers for the last word."""
    given = " ".join(f"'{word}'" for word in ("tensorpad", *words))
    told = subprocess.run(
        [
            "bash",
            "--norc",
            "-uc",
            f"source <('{COMMAND}' completion bash); complete -p tensorpad; COMP_WORDS=({given}); "
            f"COMP_CWORD={len(words)}; _tensorpad; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        ],
        check=True,
        capture_output=True,
        text=True,
    )
    assert told.stderr == ""
    return told.stdout.split("\n")[1:-1]


def test_bash_completes(folder):
    commands = sub_commands(folder)
    assert completed("") == ["--help", "--version", *commands]
    assert completed("in") == ["inspect"]
    for name in commands:
        assert sorted(completed(name, "-")) == sorted(accepted(folder, name))
    assert completed("pad", "in.npy", "--mo") == ["--mode"]
    assert completed("pad", "--mode", "re") == ["reflect"]
    assert completed("pad", "--mode", "=", "s") == ["symmetric"]
    assert completed("pad", "--order", "=") == ["window", "crop"]
    assert completed("check", "--format", "") == [
        "text",
        "details",
        "markdown",
        "json",
        "sarif",
        "github",
    ]
    assert "openvino-2026.4" in completed("lower", "m.onnx", "--target", "openv")
    assert completed("pad", "in.npy", "x") == [""]  # bash then offers files


def test_the_words_are_taken(folder):
    """What is completed after an option is not refused as unknown."""
    for name, option in [
        ("pad", "--mode"),
        ("pad", "--align"),
        ("pad", "--too-long"),
        ("pad", "--order"),
        ("pad", "--spec"),
        ("check", "--format"),
        ("check", "--fail-on"),
        ("check", "--target"),
    ]:
        words = completed(name, option, "")
        assert len(words) > 1
        for word in words:
            assert "unknown" not in folder.fail(2, name, option, word).error
        folder.fail(2, name, option, "no-such", says="unknown")


@pytest.mark.parametrize("shell", SHELLS)
def test_shells_read_their_scripts(folder, shell):
    text = folder.run("completion", shell).stdout
    for name in sub_commands(folder):
        for option in accepted(folder, name):
            if option != "--help":
                assert (f" -l {option[2:]}" if shell == "fish" else option) in text.decode()
    if shutil.which(shell):
        subprocess.run([shell, "-n", "/dev/stdin"], check=True, input=text)


# ---- The commands of README.md --------------------------------------------------------------------


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
