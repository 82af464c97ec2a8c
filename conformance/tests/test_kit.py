"""The kit: the same bytes every time, right by ONNX's reference, and what its page and README say.

SPDX-License-Identifier: MIT
"""

import collections
import contextlib
import io
import itertools
import json
import re
import zipfile

import harness
import numpy as np
import onnx
import pytest
from conftest import make_kit
from kit import (
    cases,
    documents,
    elements,
    make,
    onnx_model,
    oracle,
    outcome_file,
    page,
    surroundings,
)
from kit.case import expected
from kit.cases import pads
from kit.page import Facts
from onnx.reference import ReferenceEvaluator

README = harness.ROOT / "conformance/README.md"
ANSWERED = [case for case in cases.ALL if case.forbidden is None]
FORBIDDEN = [case for case in cases.ALL if case.forbidden is not None]


# ---- Files ---------------------------------------------------------------------------------------


@pytest.mark.long
def test_the_same_bytes_again(kit, tmp_path):
    """With other hashes in Python, in another folder. The zip has every file of the folder."""
    make_kit(tmp_path / "pad-kit", "2")
    first, second = (folder.with_suffix(".zip") for folder in (kit.path, tmp_path / "pad-kit"))
    assert first.read_bytes() == second.read_bytes()
    with zipfile.ZipFile(first) as packed:
        assert set(packed.namelist()) == {
            f"pad-kit/{file.relative_to(kit.path)}"
            for file in kit.path.rglob("*")
            if file.is_file()
        }


def test_the_index(kit):
    """It has every file, and says of each case what it shows. The inputs have the model's names and order."""
    assert {entry["folder"] for entry in kit.cases} == {
        str(path.parent.relative_to(kit.path)) for path in kit.path.rglob("model.[ox]*")
    }
    assert all(entry["shows"] and entry["says"] for entry in (*kit.cases, *kit.arrays))
    used = {key for case in cases.OTHER for key in case.says}
    assert used == {key for key in documents.SENTENCES if not key.startswith("onnx.")}
    for number, entry in enumerate(kit.cases):
        folder = kit.path / entry["folder"]
        assert entry["folder"].split("/")[0].endswith("-forbidden") == bool(entry["forbidden"])
        assert len(list(folder.rglob("output_*.pb"))) == (not entry["forbidden"]), entry["name"]
        if number % 10:
            continue
        given = [
            onnx.TensorProto.FromString(file.read_bytes()).name
            for file in sorted(folder.rglob("input_*.pb"))
        ]
        if (folder / "model.onnx").exists():
            known = [value.name for value in onnx.load(folder / "model.onnx").graph.input]
            known = [name for name in known if name in given]
        else:
            text = (folder / "model.xml").read_text()
            known = re.findall(r'name="(\w+)" type="Parameter"', text)
        assert known == given, entry["name"]


def content(folder):
    return {path: path.is_file() and path.read_bytes() for path in folder.rglob("*")}


def other_zip(path):
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("kit/one.txt", "precious")


@pytest.mark.parametrize(
    "put, said",
    [
        (lambda folder: (folder.mkdir(), (folder / "onnx").mkdir()), "kit is not empty"),
        (lambda folder: folder.symlink_to(folder.parent), "is not empty"),
        (lambda folder: folder.write_text("precious"), "kit: File exists"),
        (lambda folder: folder.with_suffix(".zip").write_text("precious"), "kit.zip is there"),
        (lambda folder: other_zip(folder.with_suffix(".zip")), "kit.zip is there"),
    ],
)
def test_what_others_made_stays(put, said, tmp_path):
    (tmp_path / "notes").write_text("precious")
    put(tmp_path / "kit")
    before = content(tmp_path)
    with pytest.raises(SystemExit, match=said):
        make.write_kit(tmp_path / "kit")
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


# ---- Answers -------------------------------------------------------------------------------------


def is_negative(case):
    """The case has a Pad with a negative amount."""
    around = surroundings.AROUND[case.around]
    others = [step for step in (*around.before, *around.behind) if type(step) is surroundings.Pad]
    sides = [*case.amounts, *(side for step in others for side in (step.begin, step.end))]
    return any(amount < 0 for side in sides for amount in side)


def has_empty_axis(case):
    begin, end = case.amounts
    return any(n == 0 and b + e for n, b, e in zip(case.padded_shape, begin, end))


# Where ONNX's reference implementation refuses what the document answers: (what it says, of which cases)
REFUSES = [
    ("index can't contain negative values", is_negative),
    ("can't extend empty axis", has_empty_axis),
    ("Issues with types", lambda case: case.shape == ()),
]


def is_known_to_differ(case):
    """Constant mode without a value, of a type whose cell of the number 0 is not all zero bits."""
    constant = (case.mode or "constant") == "constant" and case.value is None
    return constant and case.type in ("string", "float8e8m0")


def by_reference(case):
    model, inputs = onnx_model.write(case)
    feeds = {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in inputs}
    with np.errstate(all="ignore"):
        [output] = ReferenceEvaluator(model).run(None, feeds)
    return output


def same(output, wanted):
    if wanted.dtype == object:
        return output.shape == wanted.shape and output.tolist() == wanted.tolist()
    one, other = ((array.shape, array.dtype, array.tobytes()) for array in (output, wanted))
    return one == other


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_the_reference_of_onnx_agrees():
    computed, wrong = 0, []
    for case in ANSWERED:
        cells, shape = expected(case)
        wanted = onnx.numpy_helper.to_array(elements.tensor(case.type, shape, cells))
        try:
            output = by_reference(case)
        except (TypeError, ValueError) as error:
            if not any(text in str(error) and of(case) for text, of in REFUSES):
                wrong.append((case.name, str(error)[:100]))
            continue
        computed += 1
        if same(output, wanted) == is_known_to_differ(case) and output.size:
            wrong.append((case.name, output.tolist(), wanted.tolist()))
    assert not wrong, wrong[:5]
    assert computed > 0.65 * len(ANSWERED)


def test_the_oracle_refuses_the_amounts_that_are_forbidden():
    questions = ("negative output", "nothing left", "empty")
    of_amounts = [case for case in FORBIDDEN if case.decided in questions]
    assert len(of_amounts) >= 40
    for case in of_amounts:
        with pytest.raises(oracle.Refused):
            oracle.pad(case.data, case.shape, *case.amounts, case.mode, case.fill, order="crop")


# ---- The oracle and numpy.pad, on every small axis ------------------------------------------------

assert np.lib.NumpyVersion(np.__version__) >= "2.1.0", "older ones are wrong on long pads"


def by_numpy(extent, begin, end, mode, order):
    """The index of the input at each cell of the output, -1 for fill; None: nothing to repeat."""
    index, grow, cut = (
        np.arange(extent),
        (max(0, begin), max(0, end)),
        (max(0, -begin), max(0, -end)),
    )
    if order == "crop":
        rest = extent - sum(cut)
        grow = grow if rest >= 0 else (sum(grow) + rest, 0)  # padding gives what is missing
        index, cut = index[cut[0] : max(cut[0], extent - cut[1])], (0, 0)
    if mode != "constant" and index.size == 0 and sum(grow):
        return None
    index = np.pad(index, grow, mode, **({"constant_values": -1} if mode == "constant" else {}))
    return index[cut[0] : index.size - cut[1]].tolist()


@pytest.mark.parametrize("order", ["window", "crop"])
@pytest.mark.parametrize("mode", oracle.MODES)
def test_every_small_axis(mode, order):
    for extent, begin, end in itertools.product(range(5), range(-6, 10), range(-6, 10)):
        if extent + begin + end < 0:
            continue
        expected = by_numpy(extent, begin, end, mode, order) if extent + begin + end else []
        try:
            found, _ = oracle.pad(
                list(range(extent)), [extent], [begin], [end], mode, -1, None, order
            )
        except oracle.Refused:
            found = None
        assert found == expected, (extent, begin, end)


# ---- Pages ---------------------------------------------------------------------------------------


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


def test_the_counts_of_the_readme(kit):
    rows = re.findall(r"^\| .* \| ([\d,]+) \| (\d+) \|$", README.read_text(), re.M)
    found = [tuple(int(cell.replace(",", "")) for cell in cells) for cells in rows]
    of = collections.Counter(
        (
            re.split(r"[-/.]", entry.get("folder") or entry["file"])[0],
            entry["forbidden"] is not None,
        )
        for entry in [*kit.cases, *kit.arrays]
    )
    names = ("onnx", "openvino", "ngraph", "mli", "plain")
    assert found == [(of[name, False], of[name, True]) for name in names]
    assert f"{len(kit.cases) + len(kit.arrays):,} test cases" in README.read_text()


def test_the_page_is_up_to_date(kit):
    text = page.runtimes_page(kit.path, outcome_file.records())
    assert page.PAGE.read_text() == text, "run conformance/kit.py page"


@pytest.mark.long
def test_the_page_of_faults(kit):
    """It has every fault once in the tables of its runtime: by rule, or by message."""
    records = outcome_file.records()
    text = page.faults_page(kit.path, records, harness.COMMAND)
    facts = {case["name"]: Facts(case) for case in kit.cases}
    for name in ("ONNX Runtime", "tract", "TVM"):
        [part] = re.findall(rf"^## {name}\n(.*?)(?=^## |\Z)", text, re.M | re.S)
        cells = [line.split(" | ") for line in part.splitlines() if "`test_" in line]
        same = [record for record in records if record.family == name]
        for column, record in enumerate(same, 1):
            counts = collections.Counter(
                outcome["verdict"]
                for case, outcome in record.outcomes.items()
                if outcome != "same"
                and not (outcome["verdict"] == "refuses" and facts[case].forbidden)
            )
            counted = sum(int(row[column] or 0) for row in cells)
            assert counted == counts.total(), record.target
    assert "| TP104: reflect adds as many cells as there are, or more |" in text


def test_outcomes_of_another_kit_or_a_stranger_are_refused(kit, tmp_path):
    file = tmp_path / "outcomes.zip"
    record = {**outcome_file.read("ort-1.31"), "kit": "0" * 64}
    outcome_file.write("ort-1.31", json.dumps(record), file)
    with pytest.raises(ValueError, match="outcomes of ort-1.31 are of another kit"):
        page.runtimes_page(kit.path, outcome_file.records(file))
    outcome_file.write("strange-1", "{}", file)
    with pytest.raises(ValueError, match="strange-1 in .*outcomes.zip has no place"):
        outcome_file.records(file)


def test_every_case_is_of_a_kind(kit):
    """Once in each table that divides the cases."""
    found = [*page.kinds_of({case["name"]: Facts(case) for case in kit.cases})]
    of = collections.Counter(group for group, _, _ in found)
    assert of["ONNX Pad"] + of["ONNX: forbidden"] + of["OpenVINO IR"] == len(kit.cases)
    assert {of[tag] for tag in page.TAGS} == {of["ONNX Pad"]}
    reasons = {row for group, row, _ in found if group == "ONNX: forbidden"}
    assert reasons == {*page.REASONS.values()}
