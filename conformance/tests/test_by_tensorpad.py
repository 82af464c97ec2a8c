"""Every case of the kit, run by the command: right to the bit, or refused if forbidden.

SPDX-License-Identifier: MIT
"""

import json

import pytest
from by_tensorpad import SHARES, check_array, check_model, each, share
from kit import cases

BY_NAME = {f"test_{case.name}": case for case in (*cases.ALL, *cases.OPENVINO)}


@SHARES
@pytest.mark.parametrize("sort", ["onnx", "onnx-forbidden", "openvino", "openvino-forbidden"])
def test_models(kit, tmp_path, sort, quick):
    entries = [entry for entry in kit.cases if entry["folder"].startswith(f"{sort}/")]
    assert entries

    def check(entry):
        check_model(kit.path, entry, BY_NAME[entry["name"]], tmp_path)

    each(check, share(entries, quick))


@SHARES
@pytest.mark.parametrize("file", ["ngraph.json", "mli.json", "plain.json"])
def test_arrays(kit, tmp_path, file, quick):
    entries = [entry for entry in kit.arrays if entry["file"] == file]
    problems = {problem["name"]: problem for problem in json.loads((kit.path / file).read_text())}
    assert entries and {entry["name"] for entry in entries} == set(problems)
    entries = share(entries, quick)
    each(lambda entry: check_array(entry, problems[entry["name"]], tmp_path), entries)
