"""The examples and tables of the pages on Python and on chunks, the README and the page for PyPI, run; words,
compared."""

import ast
import doctest
import os
import pathlib
import re
import subprocess
import sys
import tomllib

import numpy as np
import pytest
import tensorpad

ROOT = pathlib.Path(__file__).resolve().parents[2]
PYPI = ROOT / "python/README.md"
GUIDE, REFERENCE = ROOT / "docs/python.md", ROOT / "docs/python-reference.md"
PAGE = GUIDE.read_text(encoding="utf-8") + REFERENCE.read_text(encoding="utf-8")
TABLES = (ROOT / "docs/coming-from.md").read_text(encoding="utf-8")
CHUNKS = (ROOT / "docs/chunks.md").read_text(encoding="utf-8").split("\n## ")[1:]
NEEDED = {"Which function do I want": ["xarray", "zarr"], "Recipes": ["xarray"]}


def title_of(section):
    return section.split("\n", 1)[0]


@pytest.mark.parametrize("section", CHUNKS, ids=title_of)
def test_chunks(section, tmp_path, monkeypatch):
    """Each section of the page has its own imports, and runs in a folder of its own."""
    for package in ["dask", *NEEDED.get(title_of(section), ())]:
        pytest.importorskip(package)
    monkeypatch.chdir(tmp_path)
    ended = section.replace("\n```\n", "\n\n```\n")  # an expected output ends at an empty line
    test = doctest.DocTestParser().get_doctest(ended, {}, title_of(section), "chunks.md", 0)
    assert doctest.DocTestRunner().run(test).failed == 0


@pytest.mark.parametrize(
    ("page", "least"), [(GUIDE, 35), (REFERENCE, 30)], ids=["guide", "reference"]
)
def test_examples(page, least, tmp_path, monkeypatch):
    onnx = pytest.importorskip("onnx")
    from onnx import TensorProto, helper

    model = helper.make_model(
        helper.make_graph(
            [helper.make_node("Pad", ["x", "pads"], ["y"], name="pad_1", mode="reflect")],
            "g",
            [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3])],
            [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
            [helper.make_tensor("pads", TensorProto.INT64, [4], [0, 1, 0, 1])],
        ),
        opset_imports=[helper.make_opsetid("", 25)],
        ir_version=10,
    )
    onnx.save(model, tmp_path / "model.onnx")
    monkeypatch.chdir(tmp_path)
    results = doctest.testfile(str(page), module_relative=False)
    assert results.failed == 0 and results.attempted >= least


def test_the_page_for_pypi():
    results = doctest.testfile(str(PYPI), module_relative=False)
    assert results.failed == 0 and results.attempted >= 8


def test_the_page_for_pypi_links_to_no_file():
    """PyPI shows this page alone: a relative link would lead nowhere."""
    assert (
        tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["readme"]
        == "python/README.md"
    )
    text = PYPI.read_text(encoding="utf-8")
    found = r"\]\(([^)\s]*)|(?:src|href)=[\"']?([^\"'\s>]*)|^ *\[[^]]+\]: *(\S+)"
    links = ["".join(groups) for groups in re.findall(found, text, re.M)]
    assert [link for link in links if not link.startswith("https://")] == []
    for path in re.findall(r"`(docs/[^`]*)`", text):
        assert (ROOT / path).is_file(), path


def rows(title):
    """The cells of the table under the heading of this title."""
    part = TABLES.split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]
    lines = [line for line in part.splitlines() if line.startswith("|")]
    for line in lines[2:]:
        yield [re.findall(r"`([^`]+)`", cell) for cell in line.strip("| ").split(" | ")]


def check(title, names, count):
    done = 0
    for theirs, ours in rows(title):
        expected = eval(theirs[0], dict(names))
        found = eval(ours[0], {"tensorpad": tensorpad, **names})
        assert np.array_equal(found, expected), (theirs, ours)
        done += 1
    assert done == count


def test_coming_from_numpy():
    a = np.arange(12).reshape(3, 4)
    for theirs, ours in rows("NumPy"):
        names = {"np": np, "a": a, "tensorpad": tensorpad}
        if theirs[0].startswith("z ="):
            names |= {"a": np.arange(1, 5), "n": 4}
            exec(theirs[0], names)
            expected = names["z"]
        else:
            expected = eval(theirs[0], names)
        assert np.array_equal(eval(ours[0], names), expected), (theirs, ours)


def test_coming_from_torch():
    torch = pytest.importorskip("torch")
    check("torch", {"pad": torch.nn.functional.pad, "x": torch.arange(60.0).reshape(3, 4, 5)}, 6)


def test_coming_from_opencv():
    cv2 = pytest.importorskip("cv2")
    photo = np.random.default_rng(1).integers(0, 255, (5, 6), "u1")
    names = {name: getattr(cv2, name) for name in dir(cv2) if name.startswith("BORDER_")}
    sides = {"t": 1, "b": 2, "l": 3, "r": 4, "sides": {0: (1, 2), 1: (3, 4)}}
    check(
        "OpenCV",
        {
            "copyMakeBorder": cv2.copyMakeBorder,
            "p": photo,
            "c": np.stack([photo] * 3, 2),
            **sides,
            **names,
        },
        6,
    )


def test_coming_from_scipy():
    ndimage = pytest.importorskip("scipy.ndimage")
    a, k, v = np.random.default_rng(2).random((6, 7)), 2, 0.25
    names = {"tensorpad": tensorpad, "a": a, "k": k, "v": v}
    for theirs, ours in rows("scipy.ndimage"):
        words = eval(f"dict({theirs[0]})", {"v": v})
        padded = eval(ours[0], names)
        inside = ndimage.uniform_filter(padded, 2 * k + 1)[k:-k, k:-k]
        assert np.allclose(ndimage.uniform_filter(a, 2 * k + 1, **words), inside), theirs


def test_coming_from_jax():
    jax = pytest.importorskip("jax")
    for theirs, ours in rows("JAX"):
        x = (
            np.arange(4.0, dtype="f4")
            if "-1, 3, 1" in theirs[0]
            else np.arange(6.0, dtype="f4").reshape(2, 3)
        )
        names = {
            "x": x,
            "v": np.float32(7),
            "jnp": jax.numpy,
            "lax": jax.lax,
            "tensorpad": tensorpad,
        }
        assert np.array_equal(eval(ours[0], names), eval(theirs[0], names)), theirs


def test_coming_from_tensorflow():
    """TensorFlow is too large to be installed: its words stand for NumPy's of that name."""
    t, p, v = np.arange(12.0).reshape(3, 4), [[1, 2], [0, 1]], 7
    for theirs, ours in rows("TensorFlow"):
        call = (
            theirs[0]
            .replace("tf.pad", "np.pad")
            .replace("REFLECT", "reflect")
            .replace("SYMMETRIC", "symmetric")
        )
        names = {"np": np, "tensorpad": tensorpad, "t": t, "p": p, "v": v}
        assert np.array_equal(eval(ours[0], names), eval(call, names)), theirs


def test_the_readme_shows_python():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.S)
    assert blocks
    for block in blocks:
        runner = doctest.DocTestRunner()
        example = doctest.DocTestParser().get_doctest(block, {}, "README", None, 0)
        assert example.examples and runner.run(example).failed == 0


def literal(name):
    """The words of a Literal in the package's stub."""
    path = pathlib.Path(tensorpad.__file__).parent / "__init__.pyi"
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.AnnAssign) and node.target.id == name:
            return [word.value for word in node.value.slice.elts]


def test_modes_follow_the_table_of_the_engine():
    """The engine's modes are those of TPAD_MODE_MAP: a new one has to be in stub and page too."""
    header = (ROOT / "include/tensorpad/tensorpad.h").read_text(encoding="utf-8")
    table = re.search(r"#define TPAD_MODE_MAP.*?\n\n", header, re.S).group()
    words = re.findall(r'X\(\w+, (\d+), "(\w+)"\)', table)
    assert tensorpad._core.modes == {word: int(number) for number, word in words}
    assert literal("_Mode") == [*tensorpad._core.modes, *tensorpad._arguments.COMPUTED]
    for word in tensorpad._core.modes:
        assert f"`{word}`" in PAGE and f"| `{word}`" in TABLES


def test_everything_public_is_documented():
    for name in tensorpad.__all__:
        assert name in PAGE or name == "PadNode", name
        assert getattr(tensorpad, name).__doc__


@pytest.mark.parametrize("program", ["gallery", "five_modes"])
def test_pictures(program, tmp_path):
    pytest.importorskip("PIL")
    data = pathlib.Path(os.environ.get("TENSORPAD_DATA", "build/data"))
    photo, made = data / "skimage/data/chelsea.png", tmp_path / "made.jpg"
    if not photo.exists():
        pytest.skip("the photograph of make demo is missing")
    subprocess.run([sys.executable, ROOT / f"examples/{program}.py", photo, made], check=True)
    assert made.stat().st_size > 20_000


def install_lines():
    """What the pages install with pip or npm: (page, words, the paragraph)."""
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        for paragraph in page.read_text(encoding="utf-8").split("\n\n"):
            for words in re.findall(r"\b(?:pip|npm) install +([^\n`#]+)", paragraph):
                yield page.relative_to(ROOT), words.split(), paragraph


@pytest.mark.long
def test_what_pages_install_is_there(tmp_path):
    """From a clone, or from what `make` targets write. Registries have nothing before the first release."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"][
        "optional-dependencies"
    ]
    wheels = 0
    for page, words, paragraph in install_lines():
        for word in words:
            name, _, extra = word.strip("\"'])").partition("[")
            if name == "tensorpad":
                assert "first release" in paragraph.replace("\n", " "), (page, word)
            if name in (".", "tensorpad") and extra:
                assert extra in extras, (page, word)
            if "tensorpad-" in name:
                assert re.search(r"(^|/)build/(wheels/.*\.whl|npm/.*\.tgz)$", name), (page, word)
                wheels += name.endswith(".whl")
    assert wheels
    wheel = os.environ.get("TENSORPAD_WHEEL", "")
    if not wheel:
        pytest.skip("TENSORPAD_WHEEL names no wheel: tests/runners/python.sh does")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target"]
    subprocess.run([*pip, tmp_path, wheel], check=True)
    shown = subprocess.run(
        [tmp_path / "bin/tensorpad", "--version"], check=True, capture_output=True, text=True
    )
    assert shown.stdout.startswith(f"tensorpad {tensorpad.__version__}\n")
