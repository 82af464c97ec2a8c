"""The table in docs/onnxruntime.md is what the record says, and the newest version does as recorded.

SPDX-License-Identifier: MIT
"""

import os
import pathlib
import re
import sys

import onnxruntime
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "conformance/plugin"))

import with_and_without  # noqa: E402
from kit import outcome_file  # noqa: E402

PLUGIN = pathlib.Path(os.environ["TENSORPAD"]).parent / "libtensorpad_ort.so"
CAPI = pathlib.Path(onnxruntime.__file__).parent / "capi"


def test_the_table_is_fresh():
    known = outcome_file.read(with_and_without.RECORD)
    begin, end = "<!-- cases: written by a program, see below -->", "<!-- end of cases -->"
    table = with_and_without.PAGE.read_text().split(begin)[1].split(end)[0]
    assert table.strip() == "\n".join(with_and_without.page(known)).strip()


@pytest.fixture
def here(monkeypatch):
    """Without an installed runtime: the library of this Python's package."""
    [library] = CAPI.glob("libonnxruntime.so.1.*")
    monkeypatch.setattr(with_and_without, "library_of", lambda name: str(library))
    for name in ("ORT_LIBRARY", "ORT_LEVEL", "ORT_PLUGIN", "ORT_PREPARED"):
        monkeypatch.setenv(name, "")
    return re.search(r"1\.\d+\.\d+", library.name)[0]


@pytest.mark.parametrize("level", [0, 1, 2, 99])
def test_onnx_own_tests_are_right(here, tmp_path, level):
    with_and_without.official(tmp_path)
    version, found = with_and_without.outcomes("ort-1.32", tmp_path, PLUGIN, level=level)
    assert version == here and len(found) >= 12
    assert set(found.values()) == {"same"}


@pytest.mark.long
def test_the_prepared_kit_is_as_recorded(here, kit, tmp_path):
    folder = with_and_without.prepared(
        "ort-1.32", kit.path, os.environ["TENSORPAD"], tmp_path / "kit"
    )
    version, found = with_and_without.outcomes("ort-1.32", folder, PLUGIN, True)
    known = outcome_file.read(with_and_without.RECORD)["ort-1.32"]
    answered = {
        case["name"]
        for case in kit.cases
        if case["folder"].startswith("onnx/") and not case["forbidden"]
    }
    wrong = {name for name in answered if found[name] != "same"}
    exceptions = {name for cases in known["exceptions"].values() for name in cases[1:]}
    assert wrong <= exceptions
    if version == known["version"]:  # a newer one may be right in more cases
        assert wrong == exceptions
        assert with_and_without.counted(found, answered) == known["counts"]["kit"]["prepared"]
