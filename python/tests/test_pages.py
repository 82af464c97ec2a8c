"""docs/chunks.md: its code runs and prints what the page says. docs/from-torch.md: its commands and
its Python, and, where torch is, the export and torch's answer."""

import doctest
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

import numpy as np
import pytest
import tensorpad
import tensorpad.onnxruntime

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/from-torch.md"
TEXT = PAGE.read_text(encoding="utf-8")
SCRIPT, MODEL = ROOT / "examples/panorama.py", ROOT / "examples/panorama.onnx"
TARGETS = ["ort-1.23", "openvino", "tract"]


CHUNKS = (ROOT / "docs/chunks.md").read_text(encoding="utf-8").split("\n## ")[1:]
NEEDED = {"Which function do I want": ["xarray", "zarr"], "Recipes": ["xarray"]}


@pytest.mark.parametrize("section", CHUNKS, ids=lambda section: section.split("\n", 1)[0])
def test_a_section_of_chunks(section, tmp_path, monkeypatch):
    """Each section has its own imports, and runs in a folder of its own."""
    title = section.split("\n", 1)[0]
    for package in ["dask", *NEEDED.get(title, ())]:
        pytest.importorskip(package)
    monkeypatch.chdir(tmp_path)
    ended = section.replace("\n```\n", "\n\n```\n")  # an expected output ends at an empty line
    test = doctest.DocTestParser().get_doctest(ended, {}, title, "chunks.md", 0)
    assert doctest.DocTestRunner().run(test).failed == 0


# ---- docs/from-torch.md --------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path, monkeypatch):
    shutil.copy(MODEL, tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def commands():
    """[(words, what the page says that they print)]"""
    found = re.findall(
        r"^    \$ tensorpad (.*)\n((?:    (?!\$).*\n|\n(?=    (?!\$)))+)", TEXT, re.M
    )
    return [(shlex.split(line), told) for line, told in found]


def test_the_commands(folder):
    assert [words[0] for words, _ in commands()] == ["check", "lower", "check"]
    for words, told in commands():
        done = subprocess.run(
            [sys.executable, "-m", "tensorpad", *words], capture_output=True, text=True
        )
        assert done.stdout.split() == told.split(), done.stderr
        assert done.returncode == (4 if "differs" in told and words[0] == "check" else 0)


def test_the_python(folder):
    for module in "onnx", "onnxruntime", "openvino":
        pytest.importorskip(module)
    tensorpad.lower_model("panorama.onnx", "anywhere.onnx", TARGETS, fold=True)
    results = doctest.testfile(str(PAGE), module_relative=False)
    assert results.failed == 0 and results.attempted >= 9


def test_the_last_pad_of_an_older_version(folder):
    onnx = pytest.importorskip("onnx")
    assert TEXT.rstrip().endswith(
        "the last Pad, which that version gets wrong, is the plug-in's as well."
    )
    prepared = onnx.load_from_string(tensorpad.onnxruntime.prepare("panorama.onnx", version="1.23"))
    assert [node.domain for node in prepared.graph.node if node.op_type == "Pad"] == [
        "tensorpad",
        "tensorpad",
        "",
        "tensorpad",
    ]


def test_the_script_is_the_page():
    (block,) = re.findall(r"```python\n(import torch\n.*?)```", TEXT, re.S)
    assert SCRIPT.read_text(encoding="utf-8").split('"""', 2)[2].lstrip("\n") == block


def test_what_torch_exports_and_answers(folder):
    """The model of the page is what this torch exports, and every lowered model gives torch's answer."""
    torch = pytest.importorskip(
        "torch", reason="torch is not installed: 1 test of docs/from-torch.md was not run"
    )
    onnxruntime = pytest.importorskip("onnxruntime")
    pytest.importorskip("onnxscript")
    kept = tensorpad.inspect_model("panorama.onnx")
    (folder / "panorama.onnx").unlink()
    subprocess.run([sys.executable, SCRIPT], check=True, capture_output=True)
    assert tensorpad.inspect_model("panorama.onnx") == kept
    scope = {"__name__": "panorama"}
    exec(compile(SCRIPT.read_text(encoding="utf-8"), SCRIPT, "exec"), scope)
    torch.manual_seed(0)
    net = scope["Panorama"]().eval()
    x = np.random.default_rng(0).random((1, 3, 15, 15), np.float32)
    expected = net(torch.from_numpy(x)).detach().numpy()
    tensorpad.lower_model("panorama.onnx", "anywhere.onnx", TARGETS, fold=True)
    for path in "panorama.onnx", "anywhere.onnx":
        found = onnxruntime.InferenceSession(path).run(None, {"x": x})[0]
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-5)
