"""The wheel and the source distribution."""

import doctest
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile

import pytest
import tensorpad

ROOT = pathlib.Path(__file__).resolve().parents[2]
WHEEL = os.environ.get("TENSORPAD_WHEEL", "")
needs_wheel = pytest.mark.skipif(
    not WHEEL, reason="tests/runners/python.sh says where the wheel is"
)


def run(*command, **kwargs):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **kwargs)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout + done.stderr


@needs_wheel
def test_one_wheel_for_every_python():
    assert f"tensorpad-{tensorpad.__version__}-cp311-abi3-" in WHEEL
    names = zipfile.ZipFile(WHEEL).namelist()
    wanted = [
        "_core.abi3.so",
        "_models.abi3.so",
        "py.typed",
        "__init__.pyi",
        "lib/libtensorpad_ort.so",
    ]
    assert {f"tensorpad/{name}" for name in wanted} <= {*names}
    assert f"tensorpad-{tensorpad.__version__}.data/scripts/tensorpad" in names
    assert all(name.startswith(("tensorpad/", "tensorpad-")) for name in names)
    metadata = (
        zipfile.ZipFile(WHEEL)
        .read(f"tensorpad-{tensorpad.__version__}.dist-info/METADATA")
        .decode()
    )
    needed = [line for line in metadata.splitlines() if line.startswith("Requires-Dist")]
    assert [line for line in needed if "extra ==" not in line] == ["Requires-Dist: numpy>=2.1"]
    extras = re.findall(r"^Provides-Extra: (.*)$", metadata, re.M)
    assert sorted(extras) == ["dask", "onnxruntime", "torch", "xarray", "zarr"]
    assert all(
        any(f"extra == '{extra}'" in line.replace('"', "'") for line in needed) for extra in extras
    )


def test_the_version_is_that_of_the_header():
    text = (ROOT / "include/tensorpad/tensorpad.h").read_text(encoding="utf-8")
    numbers = re.findall(r"^#define TPAD_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", text, re.M)
    assert tensorpad.__version__ == ".".join(numbers)


def test_the_part_for_torch_says_what_it_needs():
    code = (
        "import sys\n"
        "sys.modules['torch'] = None\n"
        "try:\n"
        "    import tensorpad.torch\n"
        "except ImportError as error:\n"
        "    print(error)\n"
    )
    said = run(sys.executable, "-c", code)
    assert said == 'tensorpad.torch needs PyTorch: pip install "tensorpad[torch]"\n'


def test_dir_names_all_that_is_public():
    """In a fresh process: names that are loaded when they are first used are there too."""
    said = run(sys.executable, "-c", "import tensorpad; print(*dir(tensorpad))").split()
    assert set(tensorpad.__all__) <= set(said) and said == sorted(set(said))
    assert "__version__" in said


@needs_wheel
@pytest.mark.long
def test_abi3audit():
    pytest.importorskip("abi3audit")
    said = run(sys.executable, "-m", "abi3audit", "--strict", "--verbose", WHEEL)
    assert "3 extensions scanned" in said  # two, and the plug-in, which needs no Python


@needs_wheel
@pytest.mark.long
def test_auditwheel():
    pytest.importorskip("auditwheel")
    said = run(sys.executable, "-m", "auditwheel", "show", WHEEL)
    assert re.search(r"manylinux_2_\d+", said), said


@pytest.mark.long
def test_a_source_distribution_builds_by_itself_offline(tmp_path):
    """From the sdist alone, unpacked elsewhere, without a network and without isolation."""
    pytest.importorskip(
        "build.__main__"
    )  # the folder of that name would do as a package without it
    run(sys.executable, "-m", "build", "--sdist", "--no-isolation", "-o", tmp_path, ROOT)
    (sdist,) = tmp_path.glob("tensorpad-*.tar.gz")
    with tarfile.open(sdist) as archive:
        folders = {name.split("/")[1] for name in archive.getnames()}
    assert {"include", "src", "command", "checker", "python", "plugins", "LICENSE"} <= folders
    assert not folders & {"tests", "fuzz", "scripts", "build", ".git"}
    offline = {**os.environ, "PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    pip, words = [sys.executable, "-m", "pip"], ["--quiet", "--no-deps"]
    build = [*pip, "wheel", *words, "--no-build-isolation", "-w", tmp_path, sdist]
    run(*build, cwd=tmp_path, env=offline)
    (wheel,) = tmp_path.glob("*.whl")
    run(*pip, "install", *words, "--target", tmp_path / "there", wheel, env=offline)
    code = "import tensorpad; print(tensorpad.__file__, tensorpad.pad([1, 2], 1, 'edge'))"
    there = {**os.environ, "PYTHONPATH": str(tmp_path / "there")}
    said = run(sys.executable, "-c", code, cwd=tmp_path, env=there)
    assert str(tmp_path / "there") in said and "[1 1 2 2]" in said


def test_the_extension_keeps_its_state_in_the_module():
    """No static of its sources changes: only the tables that Python itself reads are not const."""
    sources = list((ROOT / "python/extension").rglob("*.c"))
    assert len(sources) >= 8
    for source in sources:
        for line in re.findall(r"^static [^(]*?(?:;|=)", source.read_text(encoding="utf-8"), re.M):
            assert re.match(
                r"static (const|PyMethodDef|PyModuleDef_Slot|struct PyModuleDef) ", line
            ), line


def test_two_interpreters():
    """A second module object of the extension has a state of its own."""
    code = (
        "import importlib.util, sys, tensorpad, numpy\n"
        "spec = importlib.util.find_spec('tensorpad._core')\n"
        "again = importlib.util.module_from_spec(spec)\n"
        "spec.loader.exec_module(again)\n"
        "assert again is not tensorpad._core\n"
        "assert again.pad(numpy.zeros(2), 1).shape == (4,)\n"
        "assert again.pad(memoryview(b'a'), 1).shape == (3,)\n"
        "count = again.thread_count()\n"
        "tensorpad.set_threads(1)\n"
        "assert again.thread_count() == count and tensorpad.thread_count() == 1\n"
        "print('own state')\n"
        "assert tensorpad.pad([0], 1).shape == (3,)\n"
        "del again; import gc; gc.collect()\n"
        "assert tensorpad.pad(numpy.zeros(10**6), 1).size == 10**6 + 2\n"
    )
    assert run(sys.executable, "-c", code) == "own state\n"


# ---- Types ---------------------------------------------------------------------------------------


PAGES = ("docs/python.md", "docs/python-reference.md", "python/README.md")
TYPED = ROOT / "python/tests/typed.py"
PACKAGE = pathlib.Path(tensorpad.__file__).parent

PYRIGHT = ROOT / "build/pyright/node_modules/.bin/pyright"


def status_of(*command, **environment):
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
    return status_of(sys.executable, "-m", "mypy", *options, *files, MYPYPATH=str(PACKAGE.parent))[
        1
    ]


def pyright(*words):
    """Status and text of a check, for an interpreter that has the packages that typed.py imports."""
    pytest.importorskip("xarray")
    if not PYRIGHT.exists() or not shutil.which("node"):
        pytest.skip("pyright is missing: scripts/setup/from_npm.sh gets it, with npm")
    found = str(PACKAGE.parent)
    return status_of(PYRIGHT, "--pythonpath", sys.executable, *words, PYTHONPATH=found)


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
    text = TYPED.read_text(encoding="utf-8").splitlines()
    start = next(i for i, line in enumerate(text) if line.startswith("# What they have to refuse"))
    return list(range(start + 2, len(text) + 1))


@pytest.mark.long
def test_stubtest(tmp_path):
    """It imports each module, and tensorpad.torch needs torch."""
    pytest.importorskip("mypy")
    missing = "tensorpad\\.(torch|dropin\\._torch)(\\..*)?\n"
    unpacked = (
        "tensorpad\\.torch\\.(_to_size\\.pad_(to|batch)|_pad\\._own_type|functional\\._Words)\n"
    )
    torchs = unpacked if importlib.util.find_spec("torch") else missing
    cached = "tensorpad\\._plan\\.shared_plan\n"  # mypy sees no parameters of lru_cache
    kit = "tensorpad\\.(_kit\\..*|_around_pads)\n"  # programs that run where tensorpad is not
    kit += "tensorpad\\._sample\\._BoxFormat\n"  # a name of a type
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
    status, said = status_of(sys.executable, *command)
    assert status == 0, said


@pytest.mark.long
def test_mypy(tmp_path):
    pages = write_pages(tmp_path)
    assert mypy(*pages) == mypy(*sorted(PACKAGE.rglob("*.pyi"))) == ""
    assert len(wrong_lines()) > 20
    assert lines_of(mypy(TYPED), "typed.py") == wrong_lines()


@pytest.mark.long
def test_mypy_of_torch(tmp_path):
    pytest.importorskip("torch")
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs/torch.md").read_text(), re.S)
    for number, block in enumerate([*blocks, TORCHS]):
        (file := tmp_path / f"torch{number}.py").write_text(block)
        assert mypy(file) == ""


TORCHS = """
from typing import assert_type
import tensorpad.torch as tt
import torch

x = torch.zeros(3)
modules: list[torch.nn.Module] = [tt.Pad(1), tt.PadTo(8), tt.Unpad(1)]
for made in (tt.pad(x, 1), tt.pad_to(x, 4), tt.pad_batch([x]), tt.unpad(x, 1)):
    assert_type(made, torch.Tensor)
assert_type(tt.pad_to(x, 4, return_amounts=True), tuple[torch.Tensor, tuple[tuple[int, int], ...]])
assert_type(tt.functional.pad(x, (1, 1)), torch.Tensor)
"""


@pytest.mark.long
def test_pyright(tmp_path):
    pages = write_pages(tmp_path)
    status, said = pyright(*pages)
    assert status == 0, said
    assert lines_of(pyright(TYPED)[1], "typed.py") == wrong_lines()


@pytest.mark.long
def test_pyright_knows_every_type():
    said = pyright("--verifytypes", "tensorpad", "--ignoreexternal")[1]
    assert re.search(r"completeness score: 100%", said), said
