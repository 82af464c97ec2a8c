"""Random graphs before and after `tensorpad lower --fold`, and the windows that say what is right.

SPDX-License-Identifier: MIT

conformance/folded_graphs.py runs more graphs, in more runtimes; conformance/window_pads.py all windows.
"""

import itertools
import json

import numpy as np
import onnx
import pytest

import folded_graphs
import window_pads
from by_tensorpad import harness
from padkit import windows

HEADER = harness.ROOT / "tools/runtimes/windows_measured.h"


def test_no_answer_changes(tmp_path):
    """ONNX Runtime without optimisations answers both."""
    source, out = tmp_path / "m.onnx", tmp_path / "out.onnx"
    folds = 0
    for seed, model, x, wanted in itertools.islice(folded_graphs.answered(itertools.count()), 60):
        onnx.save(model, source)
        done = harness.succeed("lower", "--fold", "--partial", "--json", "-f", source, out, "--target", "ort-1.31")
        folds += json.loads(done.stdout)["folded"]
        for one, other in zip(wanted, folded_graphs.expected(out.read_bytes(), x), strict=True):
            np.testing.assert_array_equal(other, one, f"seed {seed}")
    assert folds > 30


@pytest.mark.parametrize("op", windows.OPERATORS)
def test_windows_are_those_of_onnx_runtime(op):
    """Two that know nothing of each other, in every form, with all pads."""
    for form, kind, axes in itertools.product(window_pads.FORMS, window_pads.PADS, window_pads.AXES):
        if kind == "wide" and op.endswith("Pool") or op == "AveragePool" and form == "dilations":
            continue
        win = window_pads.window(op, window_pads.TYPES[op][0], axes, form)
        pads = window_pads.PADS[kind](axes)
        (got,) = folded_graphs.expected(win.model([win.node("x", "y", pads)], 13).SerializeToString(), win.x)
        np.testing.assert_array_equal(got, win.answer(pads), f"{form} {kind} {axes}")


def test_the_header_has_every_target():
    lines = [line for line in HEADER.read_text().splitlines() if line.startswith('    {"')]
    assert len(lines) % len(windows.OPERATORS) == 0
    names = {line.split('"')[1] for line in lines}
    assert {"ort-1.31", "tract-0.23", "openvino-2026.4", "opencv-5.0"} <= names


def test_lines_are_replaced(tmp_path, monkeypatch):
    """What was measured of other targets stays."""
    monkeypatch.setattr(window_pads, "HEADER", tmp_path / "windows.h")
    window_pads.write({"b-1": ['    {"b-1", 0, {0x2, 0x2, 0x2}}, /* Conv */']})
    window_pads.write({"a-1": ['    {"a-1", 0, {0x0, 0x0, 0x0}}, /* Conv */']})
    window_pads.write({"b-1": ['    {"b-1", 0, {0x4, 0x4, 0x4}}, /* Conv */']})
    text = (tmp_path / "windows.h").read_text()
    assert text.startswith(window_pads.OPENING) and text.endswith("};\n")
    assert text[len(window_pads.OPENING):].splitlines()[:2] == [
        '    {"a-1", 0, {0x0, 0x0, 0x0}}, /* Conv */', '    {"b-1", 0, {0x4, 0x4, 0x4}}, /* Conv */']
