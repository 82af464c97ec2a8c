"""What the kit's scripts delete: the content of folders that they made, and nothing else.

SPDX-License-Identifier: MIT
"""

import subprocess
import sys
import zipfile

import pytest
from by_tensorpad import harness
from kit import make

pytestmark = pytest.mark.long
KIT = harness.ROOT / "conformance"


def run(folder):
    return subprocess.run(
        [sys.executable, KIT / "kit.py", "make", folder], capture_output=True, text=True
    )


def refused(done, *words):
    """One line that says what is wrong."""
    assert done.returncode == 1 and done.stdout == "", done
    assert done.stderr.count("\n") == 1 and done.stderr.endswith("\n"), done.stderr
    assert all(word in done.stderr for word in words), done.stderr


def content(folder):
    return {
        str(path.relative_to(folder)): path.is_file() and path.read_bytes()
        for path in folder.rglob("*")
    }


@pytest.mark.parametrize("link", [False, True])
def test_a_folder_of_others_stays(link, tmp_path):
    folder = tmp_path / "photos"
    (folder / "onnx").mkdir(parents=True)
    (folder / "onnx/one.txt").write_text("precious")
    (folder / "index.json").write_text("{}")
    if link:
        (tmp_path / "link").symlink_to(folder)
    before = content(tmp_path)
    refused(run(tmp_path / "link" if link else folder), str(folder), "not made by the kit")
    assert content(tmp_path) == before


def test_a_file_stays(tmp_path):
    (tmp_path / "notes").write_text("precious")
    refused(run(tmp_path / "notes"), str(tmp_path / "notes"))
    refused(run(tmp_path / "notes/kit"), str(tmp_path / "notes/kit"))
    assert content(tmp_path) == {"notes": b"precious"}


@pytest.mark.parametrize("packed", [b"precious", None])
def test_a_zip_of_others_stays(packed, tmp_path):
    """The kit has one beside its folder."""
    path = tmp_path / "photos.zip"
    if packed is None:
        with zipfile.ZipFile(path, "w") as other:
            other.writestr("photos/one.txt", "precious")
    else:
        path.write_bytes(packed)
    before = content(tmp_path)
    refused(run(tmp_path / "photos"), str(path), "not made by the kit")
    assert content(tmp_path) == before


def test_a_folder_of_its_own_is_made_anew(tmp_path):
    folder = tmp_path / "deep/kit"
    for _ in range(2):
        make.make_anew(folder)  # with those around it
        (folder / "stray").mkdir()
        (folder / "stray/old.json").write_text("{}")
        (folder / "link").symlink_to(tmp_path)
    (tmp_path / "link").symlink_to(folder)
    make.make_anew(tmp_path / "link")
    assert [entry.name for entry in folder.iterdir()] == [make.MARK]


def test_an_empty_folder_is_taken(tmp_path):
    make.make_anew(tmp_path)
    assert [entry.name for entry in tmp_path.iterdir()] == [make.MARK]
