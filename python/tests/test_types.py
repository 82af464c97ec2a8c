"""The types: complete, true to the package, and what type checkers make of them.

pyright comes from npm: scripts/setup/from_npm.sh puts it into build/pyright.
"""

import doctest
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest
import tensorpad

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ("docs/python.md", "docs/python-reference.md", "python/README.md")
TYPED = ROOT / "python/tests/typed"
PACKAGE = pathlib.Path(tensorpad.__file__).parent
pytestmark = pytest.mark.long
PYRIGHT = ROOT / "build/pyright/node_modules/.bin/pyright"


def run(*command, **environment):
    done = subprocess.run(
        [str(word) for word in command],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
    )
    return done.returncode, done.stdout + done.stderr


def mypy(*files):
    """The errors of a strict check, as `file:line: text`."""
    pytest.importorskip("mypy")
    options = [
        "--strict",
        "--follow-imports=silent",
        "--no-error-summary",
        f"--cache-dir={ROOT / 'build/mypy'}",
    ]
    return run(sys.executable, "-m", "mypy", *options, *files, MYPYPATH=str(PACKAGE.parent))[1]


def pyright(*words):
    """Status and text of a check, for an interpreter that has the packages that right.py imports."""
    pytest.importorskip("xarray")
    if not PYRIGHT.exists() or not shutil.which("node"):
        pytest.skip("pyright is missing: scripts/setup/from_npm.sh gets it, with npm")
    found = str(PACKAGE.parent)
    return run(PYRIGHT, "--pythonpath", sys.executable, *words, PYTHONPATH=found)


def page(name):
    """The examples of a page as a program."""
    text = (ROOT / name).read_text(encoding="utf-8")
    program = "".join(example.source for example in doctest.DocTestParser().get_examples(text))
    # NumPy's own stubs refuse a list as the argument of a scalar type.
    return re.sub(r"np\.(float|u?int)\d+\(\[", "np.array([", program)


def write_pages(folder):
    """The files of the programs of all pages on Python."""
    files = [folder / f"page{k}.py" for k in range(len(PAGES))]
    for file, name in zip(files, PAGES):
        file.write_text(page(name), encoding="utf-8")
    return files


def lines_of(said, name):
    """The numbers of the lines of a file that have errors."""
    return sorted({int(line) for line in re.findall(rf"{name}:(\d+).*error", said)})


def wrong_lines():
    text = (TYPED / "wrong.py").read_text(encoding="utf-8").splitlines()
    first = text.index("")  # the imports, then what is right
    start = next(i for i in range(first, len(text)) if text[i].startswith("plan =")) + 1
    return [i + 1 for i in range(start, len(text)) if text[i]]


def test_stubtest(tmp_path):
    """It imports each module, and tensorpad.torch needs torch."""
    pytest.importorskip("mypy")
    missing = "tensorpad\\.(torch|dropin\\._torch)(\\..*)?\n"
    base = "tensorpad\\.torch\\._pad\\._Module\\..*\n"  # torch's
    torchs = base if importlib.util.find_spec("torch") else missing
    cached = "tensorpad\\._plan\\.shared_plan\n"  # mypy sees no parameters of lru_cache
    kit = "tensorpad\\._kit\\..*\n"  # programs that run where tensorpad is not
    (tmp_path / "allowed").write_text(kit + cached + torchs, encoding="utf-8")
    (tmp_path / "mypy.ini").write_text(
        "[mypy]\n[mypy-tensorpad.*]\nignore_errors = True\n", encoding="utf-8"
    )
    command = (
        "-m",
        "mypy.stubtest",
        "--mypy-config-file",
        tmp_path / "mypy.ini",
        "--allowlist",
        tmp_path / "allowed",
        "tensorpad",
    )
    status, said = run(sys.executable, *command)
    assert status == 0, said


def test_mypy(tmp_path):
    pages = write_pages(tmp_path)
    assert mypy(*pages, TYPED / "right.py") == ""
    assert mypy(*sorted(PACKAGE.rglob("*.pyi"))) == ""
    assert len(wrong_lines()) > 20
    assert lines_of(mypy(TYPED / "wrong.py"), "wrong.py") == wrong_lines()


def test_pyright(tmp_path):
    pages = write_pages(tmp_path)
    status, said = pyright(*pages, TYPED / "right.py")
    assert status == 0, said
    assert lines_of(pyright(TYPED / "wrong.py")[1], "wrong.py") == wrong_lines()


def test_pyright_knows_every_type():
    said = pyright("--verifytypes", "tensorpad", "--ignoreexternal")[1]
    assert re.search(r"completeness score: 100%", said), said
