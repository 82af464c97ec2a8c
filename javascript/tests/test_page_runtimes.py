"""What the page says that runtimes do with a pad equals `tensorpad check` on a model with it."""

import json
import pathlib
import random
import shutil
import subprocess
import sys

import pytest
from conftest import COMMAND, ROOT, go

sys.path.append(str(ROOT / "conformance"))
from kit import case, ir_model, onnx_model  # noqa: E402

MODULE = ROOT / "build/javascript/playground.wasm"
NEEDED = (("Node", shutil.which("node")), (MODULE.name, MODULE.exists()))
NEEDS = [name for name, there in NEEDED if not there]
pytestmark = pytest.mark.skipif(bool(NEEDS), reason=f"missing: {', '.join(NEEDS)}")

MODES = ["constant", "edge", "reflect", "symmetric", "wrap"]
# The page's word: the kit's, which is ONNX's.
TYPES = {
    **{"float32": "float", "float64": "double", "float16": "float16", "bfloat16": "bfloat16"},
    **{f"{sign}int{bits}": f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)},
    "bool": "bool",
}

VALUES = {
    "float": ["0", "-0.0", "1.5", "-2", "6e4", "inf", "-inf", "nan", "0.1", "1e-45"],
    "uint": ["0", "1", "7", "255"],
    "int": ["0", "1", "-1", "127", "-128"],
    "bool": ["0", "1"],
}


def amounts(generator, extent):
    far = [extent - 1, extent, extent + 1, 2 * extent + 1]
    return generator.choice([0, 0, 0, 1, 2, -1, -2, -extent, *far])


def one_problem(generator):
    """Mostly what a document allows, and often just outside of it."""
    rank = generator.choice([0, 1, 2, 2, 3, 4, 4, 5, 6, 9])
    shape = [generator.choice([0, 1, 1, 2, 3, 3, 4, 5]) for _ in range(rank)]
    word = generator.choice(list(TYPES))
    spec = generator.choice(
        [f"onnx-{n}" for n in (1, 2, 11, 13, 18, 19, 21, 23, 24, 25)] * 2
        + ["openvino-1", "openvino-12"] * 4
    )
    if rank == 0 and spec in ("onnx-1", "onnx-2"):
        spec = "onnx-11"  # the kit cannot write an empty list as an attribute
    problem = {"spec": spec, "type": word, "shape": shape, "mode": generator.choice(MODES)}
    count = rank
    if spec[:4] == "onnx" and int(spec[5:]) >= 13 and generator.random() < 0.4 and rank:
        count = generator.randrange(rank + 1)
        axes = generator.sample(range(rank), count)
        problem["axes"] = [axis - generator.choice([0, rank]) for axis in axes]
        if generator.random() < 0.1 and axes:
            problem["axes"][0] = generator.choice([rank, -rank - 1, axes[-1]])
    named = [
        shape[axis] if -rank <= axis < rank else 1 for axis in problem.get("axes", range(rank))
    ]
    problem["pads"] = [amounts(generator, extent) for extent in named * 2]
    if spec[:4] == "onnx" and generator.random() < 0.04:
        problem["pads"] += [0, 0]
    if generator.random() < 0.6:
        as_float = word if spec not in ("onnx-1", "onnx-2") else "float"
        kind = next(kind for kind in ("uint", "int", "bool", "float") if kind in as_float)
        problem["value"] = generator.choice(VALUES[kind])
    return problem


# ---- The same problem as a file ----------------------------------------------------------------


def write_model(folder, number, problem):
    """As the kit writes its cases."""
    family, version = problem["spec"].split("-")
    rank, word, value = len(problem["shape"]), TYPES[problem["type"]], problem.get("value")
    if value is not None:
        is_float = "float" in word or word == "double" or problem["spec"] in ("onnx-1", "onnx-2")
        value = float(value) if is_float else int(value)
    told = {"name": "pad", "shows": "", "says": (), "opset": int(version), "value": value}
    told |= {"shape": tuple(problem["shape"]), "mode": problem["mode"], "type": word}
    path = folder / f"{number}.{'onnx' if family == 'onnx' else 'xml'}"
    if family == "onnx":
        if "axes" in problem:
            told["axes"] = tuple(problem["axes"])
        one = case.Case(**told, pads=tuple(problem["pads"]), forbidden="perhaps")
        model = onnx_model.write(one)[0]
        model.ir_version = 9  # which says nothing of the Pad
        path.write_bytes(model.SerializeToString())
    else:
        amounts = {"begin": tuple(problem["pads"][:rank]), "end": tuple(problem["pads"][rank:])}
        one = ir_model.IrCase(**told, **amounts, document=problem["spec"])
        xml, weights, _ = ir_model.write(one)
        path.write_bytes(xml)
        path.with_suffix(".bin").write_bytes(weights)
    return path


# ---- Tests -------------------------------------------------------------------------------------


def from_page(problems):
    done = subprocess.run(
        ["node", pathlib.Path(__file__).with_name("run.mjs"), "verdicts", MODULE],
        input=json.dumps(problems),
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def from_command(paths):
    done = subprocess.run(
        [COMMAND, "check", "--format", "json", *paths], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return [model["nodes"][0]["verdicts"] for model in json.loads(done.stdout)["models"]]


def words(verdict, keys=("target", "verdict", "code", "text", "measured")):
    return {key: verdict[key] or "" for key in keys}


def test_random_problems(tmp_path):
    generator = random.Random(22)
    problems = [one_problem(generator) for _ in range(600)]
    expected = from_command([write_model(tmp_path, i, p) for i, p in enumerate(problems)])
    seen = set()
    for problem, told, verdicts in zip(problems, from_page(problems), expected, strict=True):
        assert [words(v) for v in told] == [words(v) for v in verdicts], problem
        seen |= {(v["target"], v["verdict"]) for v in verdicts}
    assert len(seen) > 45  # 16 targets, three verdicts each in the mean


def test_ways_out_and_versions():
    (told,) = from_page(
        [{"spec": "onnx-19", "type": "float32", "shape": [3], "mode": "reflect", "pads": [5, 0]}]
    )
    (ort,) = [verdict for verdict in told if verdict["target"] == "ort-1.31"]
    assert (ort["runtime"], ort["version"], ort["code"]) == ("ONNX Runtime", "1.31.1", "TP104")
    page = subprocess.run([COMMAND, "explain", "TP104"], capture_output=True, text=True, check=True)
    assert ort["waysOut"].split() == page.stdout.split("What to do")[1].split("Measured")[0].split()


ROWS = """() => Array.from(document.querySelectorAll("#runtimes tbody tr"),
    (row) => [row.dataset.target, row.dataset.verdict, row.textContent])"""


@pytest.mark.parametrize("mode", ["reflect", "symmetric"])  # symmetric: an error, with verdicts
def test_the_panel_of_the_page(page, tmp_path, mode):
    problem = {
        "spec": "onnx-19",
        "type": "float32",
        "shape": [3, 4],
        "mode": mode,
        "pads": [5, 0, 0, 1],
    }
    go(page, f"spec=onnx-19&shape=3,4&mode={mode}&pads=5,0,0,1")
    (expected,) = from_command([write_model(tmp_path, 0, problem)])
    rows = page.evaluate(ROWS)
    assert [row[:2] for row in rows] == [[one["target"], one["verdict"]] for one in expected]
    for (_, _, text), one in zip(rows, expected):
        assert one["text"] in text and (one["code"] or "") in text


def test_no_verdicts_without_a_model():
    problems = [
        {"spec": "plain", "shape": [3], "begin": [1]},
        {"spec": "ngraph", "shape": [3], "begin": [1], "value": "0"},
        {"spec": "onnx-25", "shape": [3], "pads": [1, 1], "type": "int8", "value": "300"},
        {"spec": "onnx-25", "shape": [1] * 17, "pads": [0] * 34},
    ]
    assert from_page(problems) == [[]] * 4
