"""The examples and tables of the pages run, and give what the pages say: on Python, on chunks, for those who come
from NumPy and others, on models; the README and the page for PyPI; the hook for pre-commit and the workflow."""

import ast
import doctest
import inspect
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tomllib

import numpy as np
import pytest
import tensorpad
import tensorpad.onnxruntime

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "scripts/docs"))

import docstrings  # noqa: E402

PYPI = ROOT / "python/README.md"
GUIDE, REFERENCE = ROOT / "docs/python.md", ROOT / "docs/python-reference.md"
PAGE = GUIDE.read_text(encoding="utf-8") + REFERENCE.read_text(encoding="utf-8")
CHECK = (ROOT / "docs/check.md").read_text(encoding="utf-8")
FROM_TORCH = (ROOT / "docs/from-torch.md").read_text(encoding="utf-8")
CHUNKS = (ROOT / "docs/chunks.md").read_text(encoding="utf-8")
TABLES = (ROOT / "docs/coming-from.md").read_text(encoding="utf-8")


def save_pad(path, mode, shape, pads, opset, name="pad"):
    """A model of one Pad."""
    onnx = pytest.importorskip("onnx")
    amounts = ",".join(map(str, pads))
    graph = f"(float[{shape}] x) => (float[] y) <int64[4] pads = {{{amounts}}}>"
    text = f'<ir_version: 9, opset_import: ["": {opset}]> g {graph}'
    onnx.save(
        onnx.parser.parse_model(text + f'{{ [{name}] y = Pad<mode="{mode}">(x, pads) }}'), path
    )


@pytest.mark.parametrize(
    ("page", "least"), [(GUIDE, 35), (REFERENCE, 30)], ids=["guide", "reference"]
)
def test_examples(page, least, tmp_path, monkeypatch):
    save_pad(tmp_path / "model.onnx", "reflect", "1,3", (0, 1, 0, 1), 25, "pad_1")
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
    """The engine's modes are those of TPAD_MODE_MAP: a new one has to be in stub, docstring and table too."""
    header = (ROOT / "include/tensorpad/tensorpad.h").read_text(encoding="utf-8")
    table = re.search(r"#define TPAD_MODE_MAP.*?\n\n", header, re.S).group()
    words = re.findall(r'X\(\w+, (\d+), "(\w+)"\)', table)
    assert tensorpad._core.modes == {word: int(number) for number, word in words}
    assert literal("_Mode") == [*tensorpad._core.modes, *tensorpad._arguments.COMPUTED]
    for word in tensorpad._core.modes:
        assert f"'{word}'" in tensorpad.pad.__doc__ and f"| `{word}`" in TABLES


HELP = " ".join(re.findall(r"<!-- help (.*?) -->", PAGE + CHUNKS, re.S)).split()


@pytest.mark.parametrize("name", HELP)
def test_a_docstring_names_every_argument(name):
    arguments, doc = docstrings.declared(name)
    words = set(re.findall(r"\w+", doc))
    for one in ast.walk(ast.parse(f"lambda {arguments[1:-1]}: 0")):
        assert not isinstance(one, ast.arg) or one.arg in words


def public(module):
    """(name, function or class) of what a module offers, and of the methods of Plan."""
    for name in getattr(module, "__all__", ["pad"]):
        thing = getattr(module, name)
        if callable(thing) and name != "Accessor":
            yield f"{module.__name__}.{name}", thing
    for name, method in vars(tensorpad.Plan).items() if module is tensorpad else ():
        if callable(method) and (name == "__call__" or name[0] != "_"):
            yield f"tensorpad.Plan.{name}", method


@pytest.mark.parametrize(
    "module",
    ["", ".onnx", ".openvino", ".ngraph", ".mli", ".onnxruntime"]
    + [".torch", ".torch.functional", ".dask", ".xarray", ".zarr"],
)
def test_everything_public_is_documented(module):
    """A page names it for the site, which shows the signature and the docstring that help() shows."""
    for name, thing in public(pytest.importorskip("tensorpad" + module, exc_type=ImportError)):
        assert HELP.count(name) == 1, name
        arguments, doc = docstrings.declared(name)
        assert inspect.getdoc(thing) == doc
        there = inspect.signature(thing).parameters.values()
        plain = [one.replace(annotation=one.empty) for one in there if one.name != "self"]
        shown = str(inspect.Signature(plain)).replace("<class 'float'>", "float")
        assert shown == arguments or name == "tensorpad.PadNode"


@pytest.mark.parametrize("what", ["gallery", "modes"])
def test_pictures(what, tmp_path):
    pytest.importorskip("PIL")
    data = pathlib.Path(os.environ.get("TENSORPAD_DATA", "build/data"))
    photo, made = data / "skimage/data/chelsea.png", tmp_path / "made.jpg"
    if not photo.exists():
        pytest.skip("the photograph of make demo is missing")
    subprocess.run([sys.executable, ROOT / "examples/pictures.py", what, photo, made], check=True)
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


# ---- docs/coming-from.md -------------------------------------------------------------------------


def rows(title):
    """The code in the cells of the table under this heading of docs/coming-from.md."""
    part = TABLES.split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]
    lines = [line for line in part.splitlines() if line.startswith("|")]
    return [
        [re.findall(r"`([^`]+)`", cell)[0] for cell in line.strip("| ").split(" | ")]
        for line in lines[2:]
    ]


def called(theirs, names):
    """What their cell gives: a call, or an array that a statement fills."""
    if theirs.startswith("z ="):
        exec(theirs, names)
        return names["z"]
    return eval(theirs, names)


def numpys(theirs):
    if theirs.startswith("z ="):
        return {"np": np, "a": np.arange(1, 5), "n": 4}
    return {"np": np, "a": np.arange(12).reshape(3, 4)}


def torchs(theirs):
    torch = pytest.importorskip("torch")
    return {"pad": torch.nn.functional.pad, "x": torch.arange(60.0).reshape(3, 4, 5)}


def opencvs(theirs):
    cv2 = pytest.importorskip("cv2")
    photo = np.random.default_rng(1).integers(0, 255, (5, 6), "u1")
    sides = {"t": 1, "b": 2, "l": 3, "r": 4, "sides": {0: (1, 2), 1: (3, 4)}}
    return vars(cv2) | sides | {"p": photo, "c": np.stack([photo] * 3, 2)}


def jaxs(theirs):
    jax = pytest.importorskip("jax")
    x = (
        np.arange(4.0, dtype="f4")
        if "-1, 3, 1" in theirs
        else np.arange(6, dtype="f4").reshape(2, 3)
    )
    return {"x": x, "v": np.float32(7), "jnp": jax.numpy, "lax": jax.lax}


def tensorflows(theirs):
    """TensorFlow is too large to be installed: NumPy stands in for it."""
    words = {"REFLECT": "reflect", "SYMMETRIC": "symmetric"}

    class tf:
        pad = staticmethod(
            lambda t, p, mode="constant", **more: np.pad(t, p, words.get(mode, mode), **more)
        )

    return {"tf": tf, "t": np.arange(12.0).reshape(3, 4), "p": [[1, 2], [0, 1]], "v": 7}


FROM = {"NumPy": numpys, "torch": torchs, "OpenCV": opencvs, "JAX": jaxs, "TensorFlow": tensorflows}


@pytest.mark.parametrize("title", FROM)
def test_coming_from(title):
    assert len(rows(title)) >= 3
    for theirs, ours in rows(title):
        names = FROM[title](theirs) | {"tensorpad": tensorpad}
        assert np.array_equal(eval(ours, names), called(theirs, names)), (theirs, ours)


def test_coming_from_scipy():
    ndimage = pytest.importorskip("scipy.ndimage")
    a, k, v = np.random.default_rng(2).random((6, 7)), 2, 0.25
    names = {"tensorpad": tensorpad, "a": a, "k": k, "v": v}
    for theirs, ours in rows("scipy.ndimage"):
        words = eval(f"dict({theirs})", {"v": v})
        padded = eval(ours, names)
        inside = ndimage.uniform_filter(padded, 2 * k + 1)[k:-k, k:-k]
        assert np.allclose(ndimage.uniform_filter(a, 2 * k + 1, **words), inside), theirs


# ---- docs/chunks.md ------------------------------------------------------------------------------


SCRIPT, MODEL = ROOT / "examples/panorama.py", ROOT / "examples/panorama.onnx"
TARGETS = ["ort-1.23", "openvino", "tract"]


NEEDED = {"Which function do I want": ["xarray", "zarr"], "Recipes": ["xarray"]}


@pytest.mark.parametrize(
    "section", CHUNKS.split("\n## ")[1:], ids=lambda section: section.split("\n", 1)[0]
)
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
        r"^    \$ tensorpad (.*)\n((?:    (?!\$).*\n|\n(?=    (?!\$)))+)", FROM_TORCH, re.M
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
    results = doctest.testfile(str(ROOT / "docs/from-torch.md"), module_relative=False)
    assert results.failed == 0 and results.attempted >= 9


def test_the_last_pad_of_an_older_version(folder):
    onnx = pytest.importorskip("onnx")
    assert FROM_TORCH.rstrip().endswith(
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
    (block,) = re.findall(r"```python\n(import torch\n.*?)```", FROM_TORCH, re.S)
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


# ---- docs/check.md -------------------------------------------------------------------------------


@pytest.fixture
def models(tmp_path):
    """mirror.onnx, which no ONNX Runtime answers right, plain.onnx, which all do, and `python`."""
    if os.name == "nt":
        pytest.skip("the workflow of the page runs on Linux")
    for name, mode, end in (("mirror", "reflect", 3), ("plain", "constant", 1)):
        save_pad(tmp_path / f"{name}.onnx", mode, "n,3", (0, 0, 0, end), 19)
    shim = tmp_path / "bin" / "python"
    shim.parent.mkdir()
    shim.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    shim.chmod(0o755)
    return tmp_path


def run_in(models, command, **environment):
    path = f"{models / 'bin'}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        command,
        cwd=models,
        env={**os.environ, **environment, "PATH": path},
        capture_output=True,
        text=True,
    )


def test_the_example(models):
    block = re.search(r"^    \$ tensorpad (check .*)\n((?:    .*\n|\n(?=    ))+)", CHECK, re.M)
    done = run_in(models, ["python", "-m", "tensorpad", *block[1].split()])
    assert (done.returncode, done.stdout.split()) == (4, block[2].split())


def test_every_target_and_verdict_is_on_the_page(models):
    (node,) = tensorpad.check_model(models / "plain.onnx")
    targets = CHECK[CHECK.index("## Targets") : CHECK.index("## Exit status")]
    rows = [line.split("|")[1] for line in targets.splitlines() if line.startswith("| `")]
    assert re.findall(r"`([^`]+)`", "".join(rows)) == [v["target"] for v in node["verdicts"]]
    words = re.findall(r"^\| `(\w+)` \|", CHECK[: CHECK.index("## Targets")], re.M)
    done = run_in(models, ["python", "-m", "tensorpad", "check", "plain.onnx", "--fail-on", "x"])
    assert done.stderr.split(":")[-1].replace(" or", ",").split(", ") == [
        word if place else f" {word}" for place, word in enumerate(words[:-1])
    ] + [f"{words[-1]}\n"]


def test_the_hook(models):
    (hook,) = pytest.importorskip("yaml").safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert hook["id"] == "tensorpad-check" and hook["language"] == "python"
    files = [name for name in os.listdir(models) if re.search(hook["files"], name)]
    assert sorted(files) == ["mirror.onnx", "plain.onnx"] and re.search(hook["files"], "a/b.xml")
    command = [*hook["entry"].split(), *hook["args"]]
    assert run_in(models, [*command, "plain.onnx"]).returncode == 0
    done = run_in(models, [*command, *sorted(files)])
    assert done.returncode == 4 and "TP104" in done.stdout and "2 models" in done.stdout
    # As the page sets it up: with the arguments there, and findings that are accepted.
    (config,) = pytest.importorskip("yaml").safe_load(
        re.search(r"```yaml\n(.*?)```", CHECK, re.S)[1]
    )["repos"]
    (used,) = config["hooks"]
    assert used["id"] == hook["id"] and re.search(used["exclude"], "pom.xml")
    command = [*hook["entry"].split(), *used["args"]]
    place = command.index("--baseline")
    command[place] = "--write-baseline"
    assert run_in(models, [*command, "mirror.onnx"]).returncode == 0
    command[place] = "--baseline"
    assert run_in(models, [*command, "mirror.onnx"]).returncode == 0


def installed(models, steps, source):
    """What the workflow's own command installs into a models, without a network."""
    target = models / "site"
    (pip,) = [step for step in steps if "pip install" in step.get("run", "")]
    shim = models / "bin" / "pip"
    shim.write_text(f'#!/bin/sh\nexec {sys.executable} -m pip "$@"\n')
    shim.chmod(0o755)
    done = run_in(
        models,
        ["bash", "-e", "-c", pip["run"]],
        TENSORPAD=str(source),
        PIP_NO_INDEX="1",
        PIP_NO_DEPS="1",
        PIP_TARGET=str(target),
        PIP_NO_BUILD_ISOLATION="0",
        PIP_DISABLE_PIP_VERSION_CHECK="1",
        # The models and the settings of tests/runners/python.sh, which has built everything.
        SKBUILD_BUILD_DIR=str(ROOT / "build/wheel"),
        SKBUILD_CMAKE_DEFINE="CMAKE_COMPILE_WARNING_AS_ERROR=ON;TENSORPAD_SANITIZE=",
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return target


def check_workflow(models, source):
    workflow = pytest.importorskip("yaml").safe_load((ROOT / "examples/check.yml").read_text())
    (job,) = workflow["jobs"].values()
    site = installed(models, job["steps"], source)
    summary = models / "summary.md"
    environment = {**workflow["env"], "GITHUB_STEP_SUMMARY": str(summary), "PYTHONPATH": str(site)}
    where = run_in(
        models, ["python", "-c", "import tensorpad; print(tensorpad.__file__)"], **environment
    ).stdout
    assert where.startswith(str(site))
    calls = [step["run"] for step in job["steps"] if "tensorpad check" in step.get("run", "")]
    assert len(calls) == 3
    done = [run_in(models, ["bash", "-e", "-c", call], **environment) for call in calls]
    assert done[0].returncode == 4 and "::error file=./mirror.onnx,title=TP104" in done[0].stdout
    assert done[1].returncode == 0 and (models / "pads.sarif").read_text().startswith('{"$schema"')
    assert (
        done[2].returncode == 0 and "| `./mirror.onnx` | 1 | **refuses** |" in summary.read_text()
    )
    (models / "mirror.onnx").unlink()
    assert run_in(models, ["bash", "-e", "-c", calls[0]], **environment).returncode == 0
    upload = next(step for step in job["steps"] if "upload" in step.get("uses", ""))
    assert upload["with"]["sarif_file"] == "pads.sarif"


@pytest.mark.long
def test_the_workflow_with_a_wheel(models):
    wheel = os.environ.get("TENSORPAD_WHEEL")
    if not wheel:
        pytest.skip("TENSORPAD_WHEEL names no wheel: tests/runners/python.sh builds one")
    check_workflow(models, pathlib.Path(wheel).resolve())


@pytest.mark.long
def test_the_workflow_with_a_clone(models):
    """pip builds the package from the clone; the build models is kept for the next time."""
    if "libasan" in os.environ.get("LD_PRELOAD", ""):
        pytest.skip("the compiler would run under the sanitizer")
    check_workflow(models, ROOT)


def test_a_baseline_lets_only_new_findings_fail(models):
    """As the workflow's comment says, with exports of torch: a finding more is a failure."""
    check = ["python", "-m", "tensorpad", "check", ".", "--target", "ort-1.23,openvino-2026.4"]
    for model in [
        *(ROOT / "checker/tests/models/exports").glob("*.onnx"),
        ROOT / "examples/panorama.onnx",
    ]:
        (models / model.name).write_bytes(model.read_bytes())
    (models / "mirror.onnx").unlink()
    assert run_in(models, [*check, "--write-baseline", "pads.txt"]).returncode == 0
    known = (models / "pads.txt").read_text()
    assert len([line for line in known.splitlines() if not line.startswith("#")]) >= 4
    check += ["--baseline", "pads.txt", "--fail-on", "unknown"]
    for form in ("text", "github", "sarif"):
        assert run_in(models, [*check, "--format", form]).returncode == 0
    # One accepted finding goes from the file: it is new then, in every form.
    gone = next(line for line in known.splitlines() if "\tdiffers" in line)
    (models / "pads.txt").write_text(known.replace(gone + "\n", ""))
    path, node, target, code, kind = gone.split("\t")
    for form in ("text", "github", "sarif"):
        done = run_in(models, [*check, "--format", form])
        assert (
            done.returncode == 4 and code in done.stdout and pathlib.Path(path).name in done.stdout
        )
    # So does a model that is new.
    (models / "pads.txt").write_text(known)
    (models / "new.onnx").write_bytes((models / pathlib.Path(path).name).read_bytes())
    assert run_in(models, check).returncode == 4
