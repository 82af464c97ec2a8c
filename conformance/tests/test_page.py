"""docs/runtimes.md is what conformance/kit.py page writes from the recorded outcomes.

SPDX-License-Identifier: MIT
"""

import collections
import json
import re
import sys

import pytest
from by_tensorpad import harness

sys.path.insert(0, str(harness.ROOT / "conformance"))

from kit import outcome_file, page, page_kinds  # noqa: E402
from kit.page_kinds import Facts  # noqa: E402


def test_the_page_is_up_to_date(kit):
    path = "docs/runtimes.md"
    text = page.pages(kit.path, outcome_file.records())[path]
    assert (harness.ROOT / path).read_text() == text, "run conformance/page.py"


def test_outcomes_of_another_kit_are_refused(kit, tmp_path):
    record = outcome_file.read("ort-1.31")
    file = tmp_path / "outcomes.zip"
    outcome_file.write("ort-1.31", json.dumps({**record, "kit": "0" * 64}), file)
    with pytest.raises(ValueError, match="outcomes of ort-1.31 are of another kit"):
        page.pages(kit.path, outcome_file.records(file))


def test_a_runtime_without_a_place_is_refused(tmp_path):
    file = tmp_path / "outcomes.zip"
    outcome_file.write("strange-1", "{}", file)
    with pytest.raises(ValueError, match="strange-1 in .*outcomes.zip has no place"):
        outcome_file.records(file)


def test_the_counts_of_the_kit(kit):
    """The table and the total of conformance/README.md."""
    page = (harness.ROOT / "conformance/README.md").read_text()
    rows = re.findall(r"^\| .* \| ([\d,]+) \| (\d+) \|$", page, re.M)
    found = [tuple(int(cell.replace(",", "")) for cell in cells) for cells in rows]
    of = collections.Counter(
        (
            case["folder"].split("/")[0].removesuffix("-forbidden")
            if "folder" in case
            else case["file"].removesuffix(".json"),
            case["forbidden"] is not None,
        )
        for case in [*kit.cases, *kit.arrays]
    )
    assert found == [
        (of[name, False], of[name, True]) for name in ("onnx", "openvino", "ngraph", "mli", "plain")
    ]
    assert f"{len(kit.cases) + len(kit.arrays):,} test cases" in page


@pytest.mark.parametrize(
    "group", ["mode", "type", "pads are", "opset", "in larger models", "forbidden"]
)
def test_every_case_is_of_one_kind(kit, group):
    """Rows that divide the cases: none is left out, none counts twice."""
    rows = [kind for kind in page_kinds.KINDS if kind.group == group]
    for case in map(Facts, kit.cases):
        if case.document != "onnx" or bool(case.forbidden) != (group == "forbidden"):
            continue
        found = [kind.label for kind in rows if kind.holds(case)]
        assert len(found) == (group != "in larger models" or bool(case.around)), (case.name, found)
