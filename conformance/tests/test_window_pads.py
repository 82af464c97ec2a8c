"""The windows that say what is right, and the header of what was measured.

SPDX-License-Identifier: MIT

`conformance/kit.py survey` runs all windows in the runtimes.
"""

import itertools

import numpy as np
import pytest
from by_tensorpad import harness
from kit import windows
from realmodels import making

HEADER = harness.ROOT / "tools/runtimes/windows_measured.h"


@pytest.mark.parametrize("op", windows.OPERATORS)
def test_windows_are_those_of_onnx_runtime(op):
    """Two that know nothing of each other, in every form, with all pads."""
    for form, kind, axes in itertools.product(windows.FORMS, windows.PADS, windows.AXES):
        if kind == "wide" and op.endswith("Pool") or op == "AveragePool" and form == "dilations":
            continue
        win = windows.window(op, windows.TYPES[op][0], axes, form)
        pads = windows.PADS[kind](axes)
        (got,) = making.session(win.model([win.node("x", "y", pads)], 13)).run(None, {"x": win.x})
        np.testing.assert_array_equal(got, win.answer(pads), f"{form} {kind} {axes}")


def test_the_header_has_every_target():
    lines = [line for line in HEADER.read_text().splitlines() if line.startswith('    {"')]
    assert len(lines) % len(windows.OPERATORS) == 0
    names = {line.split('"')[1] for line in lines}
    assert {"ort-1.31", "tract-0.23", "openvino-2026.4", "opencv-5.0"} <= names


def test_lines_are_replaced(tmp_path, monkeypatch):
    """What was measured of other targets stays."""
    monkeypatch.setattr(windows, "HEADER", tmp_path / "windows.h")
    windows.write({"b-1": ['    {"b-1", 0, {0x2, 0x2, 0x2}}, /* Conv */']})
    windows.write({"a-1": ['    {"a-1", 0, {0x0, 0x0, 0x0}}, /* Conv */']})
    windows.write({"b-1": ['    {"b-1", 0, {0x4, 0x4, 0x4}}, /* Conv */']})
    text = (tmp_path / "windows.h").read_text()
    assert text.startswith(windows.OPENING) and text.endswith("};\n")
    assert text[len(windows.OPENING) :].splitlines()[:2] == [
        '    {"a-1", 0, {0x0, 0x0, 0x0}}, /* Conv */',
        '    {"b-1", 0, {0x4, 0x4, 0x4}}, /* Conv */',
    ]
