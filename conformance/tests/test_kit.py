"""The kit itself: the same bytes every time, a complete index, and the example of its README.

SPDX-License-Identifier: MIT
"""

import contextlib
import io
import re
import zipfile

import onnx
import pytest
from by_tensorpad import harness
from kit import cases, documents
from kit.cases import pads

from conftest import make

README = harness.ROOT / "conformance/README.md"


@pytest.mark.long
def test_the_same_bytes_again(kit, tmp_path):
    """With other hashes in Python, in another folder. The zip has every file of the folder."""
    make(tmp_path / "pad-kit", "2")
    first, second = (folder.with_suffix(".zip") for folder in (kit.path, tmp_path / "pad-kit"))
    assert first.read_bytes() == second.read_bytes()
    with zipfile.ZipFile(first) as packed:
        names = {
            f"pad-kit/{file.relative_to(kit.path)}"
            for file in kit.path.rglob("*")
            if file.is_file()
        }
        assert set(packed.namelist()) == names


def test_the_index_has_every_file(kit):
    folders = {entry["folder"] for entry in kit.cases}
    found = {str(path.parent.relative_to(kit.path)) for path in kit.path.rglob("model.[ox]*")}
    assert folders == found
    names = [entry["name"] for entry in (*kit.cases, *kit.arrays)]
    assert len(set(names)) == len(names)
    for entry in kit.cases:
        assert entry["folder"].split("/")[0].endswith("-forbidden") == bool(entry["forbidden"])
        outputs = list((kit.path / entry["folder"]).rglob("output_*.pb"))
        assert len(outputs) == (0 if entry["forbidden"] else 1), entry["name"]


def test_every_case_names_a_sentence(kit):
    for entry in (*kit.cases, *kit.arrays):
        assert entry["shows"] and entry["says"], entry["name"]
    used = {key for case in cases.OTHER for key in case.says}
    ours = {key for key in documents.SENTENCES if not key.startswith("onnx.")}
    assert used == ours, used ^ ours


def test_the_example_of_the_readme(kit, tmp_path, monkeypatch):
    """The runner in README.md, on the examples of the document.

    ONNX Runtime 1.31 refuses opset 1, and the reflection that is longer than the axis.
    """
    [code] = re.findall(r"```python\n(.*?)```", README.read_text(), re.S)
    (tmp_path / "build/pad-kit/onnx").mkdir(parents=True)
    for folder in (kit.path / "onnx").glob("test_example_*"):
        (tmp_path / "build/pad-kit/onnx" / folder.name).symlink_to(folder)
    monkeypatch.chdir(tmp_path)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, {})
    lines = printed.getvalue().splitlines()
    assert len(lines) == len(pads.EXAMPLES)
    right = {
        f"test_{case.name}" for case in pads.EXAMPLES if case.opset > 1 and case.mode != "reflect"
    }
    assert {line.split()[0] for line in lines if line.endswith(" right")} == right
    assert not any(line.endswith(" wrong") for line in lines)


def test_words_of_the_inputs(kit):
    """Each input of a graph and each Parameter has a file of its name, in this order."""
    for entry in kit.cases[::10]:
        folder = kit.path / entry["folder"]
        given = [
            onnx.TensorProto.FromString(file.read_bytes()).name
            for file in sorted(folder.rglob("input_*.pb"))
        ]
        if (folder / "model.onnx").exists():
            known = [value.name for value in onnx.load(folder / "model.onnx").graph.input]
            assert [name for name in known if name in given] == given, entry["name"]
        else:
            text = (folder / "model.xml").read_text()
            known = re.findall(r'name="(\w+)" type="Parameter"', text)
            assert known == given, entry["name"]
