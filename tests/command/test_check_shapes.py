"""`tensorpad check --shapes FILE`, and names that only some models have.  SPDX-License-Identifier: MIT"""

import json

import pytest
import running
from onnx_models import ints, model, pad_node, port


def reflect(*, name="x", dimension="n"):
    """Mirrors 2 cells, which ort-1.31 does from an extent of 3 on."""
    pad = pad_node([name, "p"], "y", "pad", mode="reflect")
    return model([pad], [port(name, [dimension, 2])], [port("y")], [ints("p", [2, 0, 0, 0])])


@pytest.fixture
def folder(tmp_path):
    for path, made in {
        "a.onnx": reflect(),
        "swin/t.onnx": reflect(dimension="h"),
        "swin/deep/b.onnx": reflect(dimension="h"),
        "other/x1.onnx": reflect(name="z", dimension="w"),
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(made)
    return tmp_path


def check(folder, *words, text=None):
    """{path: (verdict, input shape, skipped)}"""
    if text is not None:
        (folder / "shapes.ini").write_text(text)
        words = ("--shapes=shapes.ini", *words)
    done = running.run(
        *"check --json --target=ort-1.31 --fail-on=crashes".split(), *words, cwd=folder
    )
    assert (done.status, done.error) == (0, ""), done
    return {
        one["path"].removeprefix("./"): (
            one["nodes"][0]["verdicts"][0]["verdict"],
            one["nodes"][0]["input_shape"],
            one["skipped"],
        )
        for one in json.loads(done.stdout)["models"]
    }


def test_each_model_has_its_own(folder):
    text = """\
# the sizes that we run
; and another remark

[a.onnx]
  input-shape = x=4,2\t
[swin/*]
dim = h=2
[*/x?.onnx]
assume = w>=3
"""
    assert check(folder, ".", text=text) == {
        "a.onnx": ("same", [4, 2], []),
        "swin/t.onnx": ("refuses", [2, 2], []),
        "swin/deep/b.onnx": ("refuses", [2, 2], []),
        "other/x1.onnx": ("same", [None, 2], []),
    }
    # The same with the ends of lines of Windows.
    assert check(folder, "a.onnx", text=text.replace("\n", "\r\n"))["a.onnx"][1] == [4, 2]


@pytest.mark.parametrize(
    "pattern, found",
    [
        ("*", "a swin/t swin/deep/b other/x1"),
        ("*.onnx", "a swin/t swin/deep/b other/x1"),
        ("t.onnx", "swin/t"),
        ("swin/*", "swin/t swin/deep/b"),
        ("./swin/t.onnx", "swin/t"),
        ("deep/?.onnx", "swin/deep/b"),
        ("?.onnx", "a swin/t swin/deep/b"),
        ("*n/*p/*", "swin/deep/b"),
        ("win/*", ""),
        ("swin", ""),
        ("a.onn", ""),
        ("a.onnx?", ""),
        ("**x*", "a swin/t swin/deep/b other/x1"),
        ("*ab*", ""),
        ("a.onnx**", "a"),
    ],
)
def test_patterns(folder, pattern, found):
    """A pattern means a path, or what stands after one of its slashes."""
    shapes = check(folder, ".", text=f"[{pattern}]\ndim=x:0=7\ndim=z:0=7\n")
    assert {path.removesuffix(".onnx") for path, told in shapes.items() if told[1][0] == 7} == set(
        found.split()
    )


def test_sections_add_up(folder):
    """All sections that fit hold, and options too; what contradicts itself is an error of the model."""
    text = "[*]\nassume = h>=2\n[swin/t.onnx]\ndim = h=3\n"
    assert check(folder, ".", "--dim", "n=9", text=text)["swin/t.onnx"][:2] == ("same", [3, 2])
    assert check(folder, ".", "--dim", "n=9", text=text)["a.onnx"][:2] == ("same", [9, 2])
    (folder / "bad.ini").write_text("[*]\ndim = n=8\n")
    running.fail(
        3,
        *"check a.onnx --dim=n=9 --shapes=bad.ini".split(),
        says="'n' is said to be 8",
        prints=True,
        cwd=folder,
    )


def test_names_that_only_some_models_have(folder):
    found = check(folder, ".", "--dim", "h=5", "--input-shape", "x=5,2", "--assume", "h>=2")
    assert found == {
        "a.onnx": ("same", [5, 2], ["h"]),
        "swin/t.onnx": ("same", [5, 2], []),
        "swin/deep/b.onnx": ("same", [5, 2], []),
        "other/x1.onnx": ("unknown", [None, 2], ["h", "x"]),
    }
    for words in ["."], ["a.onnx", "swin/t.onnx"]:
        for form in "text", "details", "markdown":
            done = running.succeed(
                "check",
                *words,
                "--dim=h\u202e=5",
                "--target=ort-1.31",
                "--format",
                form,
                cwd=folder,
            )
            count = 4 if words == ["."] else 2
            said = done.stdout.decode()
            assert f"; {count} models have no input or dimension " in said and "h\\u202e" in said
            assert "\u202e" not in said
    done = running.succeed(
        *"check . --dim=w=5 --assume=n>=1 --dim=h=3 --target=ort-1.31".split(), cwd=folder
    )
    counts = {"w": 3, "n": 3, "h": 2}
    assert all(
        f"; {counts[name]} models have no input or dimension {name}" in done.stdout.decode()
        for name in counts
    )
    done = running.succeed(
        *"check a.onnx swin --dim=n=5 --dim=w=1 --dim=w=1".split(), cwd=folder / "."
    )
    assert (
        b"; 2 models have no input or dimension n; 3 models have no input or dimension w"
        in done.stdout
        or (
            b"; 3 models have no input or dimension w; 2 models have no input or dimension n"
            in done.stdout
        )
    )


def test_of_a_single_model_each_name_means_something(folder):
    for words, says in (["--dim=h=5"], "'h'"), (["--input-shape=z=5,2"], "'z'"):
        running.fail(3, "check", "a.onnx", *words, says=says, prints=True, cwd=folder)
    (folder / "shapes.ini").write_text("[*]\ndim = h=5\n")
    running.fail(3, "check", "a.onnx", "--shapes=shapes.ini", says="'h'", prints=True, cwd=folder)
    (folder / "one").mkdir()
    (folder / "one/a.onnx").write_bytes(reflect())
    assert check(folder, "one", "--dim=h=5")["one/a.onnx"][2] == ["h"]


@pytest.mark.parametrize(
    "text, says",
    [
        ("dim = h=5\n", "line 1: 'dim = h=5' comes before the first section"),
        ("[*]\n\n# x\ndim\n", "line 4: 'dim' is not a setting"),
        ("[*\n", "line 1: '[*' is not a section"),
        ("[]\n", "line 1: '[]' is not a section"),
        ("[*]\nshape = x=1\n", "line 2: unknown setting 'shape'"),
        ("[*]\ndim = h\n", "line 2: --dim 'h': it is written as NAME=224"),
        ("[*]\ninput-shape = x=1,a\n", "line 2: --input-shape '1,a'"),
        ("[*]\nassume = h=3\n", "line 2: --assume 'h=3'"),
        ("[*]\ndim = h=5\0\n", "line 2: a NUL in the line"),
    ],
)
def test_files_that_are_none(folder, text, says):
    (folder / "bad.ini").write_text(text)
    done = running.fail(
        3, "check", "a.onnx", "--shapes=bad.ini", says=["bad.ini: " + says], cwd=folder
    )
    error = json.loads(
        running.fail(3, "check", "--json", "a.onnx", "--shapes=bad.ini", cwd=folder).error
    )["error"]
    assert (error["status"], error["code"], error["file"]) == (3, "E_FILE", "bad.ini"), done


def test_no_file(folder):
    running.fail(
        1, "check", "a.onnx", "--shapes=none.ini", says="none.ini: No such file", cwd=folder
    )
    running.fail(1, "check", "a.onnx", "--shapes=swin", says="swin: ", cwd=folder)
