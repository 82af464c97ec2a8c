"""The table of options: reading, help, completion and the page agree.  SPDX-License-Identifier: MIT"""

import re
import shutil
import subprocess

import pytest
from command import COMMAND, ROOT

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
        "html",
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
