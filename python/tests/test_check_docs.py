"""docs/check.md, the hook for pre-commit and the example workflow, run with the package."""

import os
import pathlib
import re
import subprocess
import sys

import pytest
import tensorpad

onnx = pytest.importorskip("onnx")
yaml = pytest.importorskip("yaml")
if os.name == "nt":
    pytest.skip("the workflow of the page runs on Linux", allow_module_level=True)
from onnx import TensorProto, helper  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/check.md").read_text(encoding="utf-8")


@pytest.fixture
def folder(tmp_path):
    """mirror.onnx, which no ONNX Runtime answers right, plain.onnx, which all do, and `python`."""
    for name, mode, end in (("mirror", "reflect", 3), ("plain", "constant", 1)):
        graph = helper.make_graph(
            [helper.make_node("Pad", ["x", "pads"], ["y"], name="pad", mode=mode)],
            "g",
            [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 3])],
            [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
            [helper.make_tensor("pads", TensorProto.INT64, [4], [0, 0, 0, end])],
        )
        opset = [helper.make_opsetid("", 19)]
        onnx.save(
            helper.make_model(graph, opset_imports=opset, ir_version=9), tmp_path / f"{name}.onnx"
        )
    shim = tmp_path / "bin" / "python"
    shim.parent.mkdir()
    shim.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    shim.chmod(0o755)
    return tmp_path


def run(folder, command, **environment):
    path = f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **environment, "PATH": path},
        capture_output=True,
        text=True,
    )


def test_the_example(folder):
    block = re.search(r"^    \$ tensorpad (check .*)\n((?:    .*\n|\n(?=    ))+)", PAGE, re.M)
    done = run(folder, ["python", "-m", "tensorpad", *block[1].split()])
    assert (done.returncode, done.stdout.split()) == (4, block[2].split())


def test_every_target_and_verdict_is_on_the_page(folder):
    (node,) = tensorpad.check_model(folder / "plain.onnx")
    targets = PAGE[PAGE.index("## Targets") : PAGE.index("## Exit status")]
    rows = [line.split("|")[1] for line in targets.splitlines() if line.startswith("| `")]
    assert re.findall(r"`([^`]+)`", "".join(rows)) == [v["target"] for v in node["verdicts"]]
    words = re.findall(r"^\| `(\w+)` \|", PAGE[: PAGE.index("## Targets")], re.M)
    done = run(folder, ["python", "-m", "tensorpad", "check", "plain.onnx", "--fail-on", "x"])
    assert done.stderr.split(":")[-1].replace(" or", ",").split(", ") == [
        word if place else f" {word}" for place, word in enumerate(words[:-1])
    ] + [f"{words[-1]}\n"]


def test_the_hook(folder):
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert hook["id"] == "tensorpad-check" and hook["language"] == "python"
    files = [name for name in os.listdir(folder) if re.search(hook["files"], name)]
    assert sorted(files) == ["mirror.onnx", "plain.onnx"] and re.search(hook["files"], "a/b.xml")
    command = [*hook["entry"].split(), *hook["args"]]
    assert run(folder, [*command, "plain.onnx"]).returncode == 0
    done = run(folder, [*command, *sorted(files)])
    assert done.returncode == 4 and "TP104" in done.stdout and "2 models" in done.stdout
    # As the page sets it up: with the arguments there, and findings that are accepted.
    (config,) = yaml.safe_load(re.search(r"```yaml\n(.*?)```", PAGE, re.S)[1])["repos"]
    (used,) = config["hooks"]
    assert used["id"] == hook["id"] and re.search(used["exclude"], "pom.xml")
    command = [*hook["entry"].split(), *used["args"]]
    place = command.index("--baseline")
    command[place] = "--write-baseline"
    assert run(folder, [*command, "mirror.onnx"]).returncode == 0
    command[place] = "--baseline"
    assert run(folder, [*command, "mirror.onnx"]).returncode == 0


def installed(folder, steps, source):
    """What the workflow's own command installs into a folder, without a network."""
    target = folder / "site"
    (pip,) = [step for step in steps if "pip install" in step.get("run", "")]
    shim = folder / "bin" / "pip"
    shim.write_text(f'#!/bin/sh\nexec {sys.executable} -m pip "$@"\n')
    shim.chmod(0o755)
    done = run(
        folder,
        ["bash", "-e", "-c", pip["run"]],
        TENSORPAD=str(source),
        PIP_NO_INDEX="1",
        PIP_NO_DEPS="1",
        PIP_TARGET=str(target),
        PIP_NO_BUILD_ISOLATION="0",
        PIP_DISABLE_PIP_VERSION_CHECK="1",
        # The folder and the settings of tests/runners/python.sh, which has built everything.
        SKBUILD_BUILD_DIR=str(ROOT / "build/wheel"),
        SKBUILD_CMAKE_DEFINE="CMAKE_COMPILE_WARNING_AS_ERROR=ON;TENSORPAD_SANITIZE=",
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return target


def check_workflow(folder, source):
    workflow = yaml.safe_load((ROOT / "examples/check.yml").read_text())
    (job,) = workflow["jobs"].values()
    site = installed(folder, job["steps"], source)
    summary = folder / "summary.md"
    environment = {**workflow["env"], "GITHUB_STEP_SUMMARY": str(summary), "PYTHONPATH": str(site)}
    where = run(
        folder, ["python", "-c", "import tensorpad; print(tensorpad.__file__)"], **environment
    ).stdout
    assert where.startswith(str(site))
    calls = [step["run"] for step in job["steps"] if "tensorpad check" in step.get("run", "")]
    assert len(calls) == 3
    done = [run(folder, ["bash", "-e", "-c", call], **environment) for call in calls]
    assert done[0].returncode == 4 and "::error file=./mirror.onnx,title=TP104" in done[0].stdout
    assert done[1].returncode == 0 and (folder / "pads.sarif").read_text().startswith('{"$schema"')
    assert (
        done[2].returncode == 0 and "| `./mirror.onnx` | 1 | **refuses** |" in summary.read_text()
    )
    (folder / "mirror.onnx").unlink()
    assert run(folder, ["bash", "-e", "-c", calls[0]], **environment).returncode == 0
    upload = next(step for step in job["steps"] if "upload" in step.get("uses", ""))
    assert upload["with"]["sarif_file"] == "pads.sarif"


@pytest.mark.long
def test_the_workflow_with_a_wheel(folder):
    wheel = os.environ.get("TENSORPAD_WHEEL")
    if not wheel:
        pytest.skip("TENSORPAD_WHEEL names no wheel: tests/runners/python.sh builds one")
    check_workflow(folder, pathlib.Path(wheel).resolve())


@pytest.mark.long
def test_the_workflow_with_a_clone(folder):
    """pip builds the package from the clone; the build folder is kept for the next time."""
    if "libasan" in os.environ.get("LD_PRELOAD", ""):
        pytest.skip("the compiler would run under the sanitizer")
    check_workflow(folder, ROOT)


def test_a_baseline_lets_only_new_findings_fail(folder):
    """As the workflow's comment says, with exports of torch: a finding more is a failure."""
    check = ["python", "-m", "tensorpad", "check", ".", "--target", "ort-1.23,openvino-2026.4"]
    for model in [
        *(ROOT / "tests/formats/exports").glob("*.onnx"),
        ROOT / "examples/panorama.onnx",
    ]:
        (folder / model.name).write_bytes(model.read_bytes())
    (folder / "mirror.onnx").unlink()
    assert run(folder, [*check, "--write-baseline", "pads.txt"]).returncode == 0
    known = (folder / "pads.txt").read_text()
    assert len([line for line in known.splitlines() if not line.startswith("#")]) >= 8
    check += ["--baseline", "pads.txt", "--fail-on", "unknown"]
    for form in ("text", "github", "sarif"):
        assert run(folder, [*check, "--format", form]).returncode == 0
    # One accepted finding goes from the file: it is new then, in every form.
    gone = next(line for line in known.splitlines() if "\tdiffers" in line)
    (folder / "pads.txt").write_text(known.replace(gone + "\n", ""))
    path, node, target, code, kind = gone.split("\t")
    for form in ("text", "github", "sarif"):
        done = run(folder, [*check, "--format", form])
        assert (
            done.returncode == 4 and code in done.stdout and pathlib.Path(path).name in done.stdout
        )
    # So does a model that is new.
    (folder / "pads.txt").write_text(known)
    (folder / "new.onnx").write_bytes((folder / pathlib.Path(path).name).read_bytes())
    assert run(folder, check).returncode == 4
