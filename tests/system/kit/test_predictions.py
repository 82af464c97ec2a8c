"""What `tensorpad check` says of every model of the kit, against what the runtimes did.

SPDX-License-Identifier: MIT

The runtimes' outcomes are recorded (kit/outcomes, by `make survey`). Shapes of inputs that a model
leaves open are given to `check`, since the survey gave them to the runtimes. "unknown" is right only
where the model alone does not tell: where the elements of an input decide.
"""

import collections
import fnmatch
import json
import pathlib
import sys

import onnx
import pytest

from by_tensorpad import harness

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "rules"))
from exceptions import exceptions_of  # noqa: E402

ORDER = ["same", "unknown", "accepts", "differs", "refuses", "crashes"]
OUTCOMES = sorted((harness.ROOT / "kit" / "outcomes").glob("*.json"))

# What a model does not tell, besides what the rules do not tell (tests/system/rules/exceptions.py):
# check takes the elements of data as any numbers, and those of other inputs as what is allowed.
IN_AN_INPUT = ["bits_*", "forbidden_*_input"]
MORE = {"openvino-2026.4": ["*_double*"]}  # it moves them through float; small numbers stay


def is_excused(target, case):
    patterns = [*exceptions_of(target), *IN_AN_INPUT, *MORE.get(target, [])]
    return any(fnmatch.fnmatchcase(case, f"test_{pattern}") for pattern in patterns)


def shapes_of(folder, case):
    """--input-shape for each input of the graph."""
    graph = onnx.load(folder / case["folder"] / "model.onnx").graph
    for k, port in enumerate(graph.input):
        data = folder / case["folder"] / f"test_data_set_0/input_{k}.pb"
        if not data.is_file():  # of an initializer that is an input, too
            continue
        dims = onnx.TensorProto.FromString(data.read_bytes()).dims
        yield f"--input-shape={port.name}={','.join(map(str, dims))}"


def check(*words):
    return json.loads(harness.run("check", "--json", *words).out)["models"]


@pytest.fixture(scope="module")
def predictions(kit):
    """{case: {target: (verdict, code)}}"""
    cases = [case for case in kit.cases if case["folder"].startswith("onnx")]
    plain = [case for case in cases if case["tags"]["dynamic"] == "known"]
    models = check(*(kit.path / case["folder"] / "model.onnx" for case in plain))
    for case in cases:
        if case["tags"]["dynamic"] != "known":
            path = kit.path / case["folder"] / "model.onnx"
            models += check(*shapes_of(kit.path, case), path) or check(path)
    found = {}
    for model in models:
        targets = collections.defaultdict(lambda: ("same", None))
        for verdict in (v for node in model["nodes"] for v in node["verdicts"]):
            pair = verdict["verdict"], verdict["code"]
            worst = targets[verdict["target"]]
            targets[verdict["target"]] = max(worst, pair, key=lambda pair: ORDER.index(pair[0]))
        found[model["path"].split("/")[-2]] = targets
    assert len(found) == len(cases)
    return found


@pytest.mark.parametrize("path", OUTCOMES, ids=lambda path: path.stem)
def test_predictions(predictions, path):
    recorded = json.loads(path.read_text())
    target, counts, wrong = recorded["target"], collections.Counter(), []
    for name, outcome in recorded["outcomes"].items():
        if name not in predictions:
            continue
        did = outcome if isinstance(outcome, str) else outcome["verdict"]
        said, code = predictions[name][target]
        if said == did:
            counts["right"] += 1
        elif said == "unknown":
            counts["unknown"] += 1
        elif is_excused(target, name):
            counts["excused"] += 1
        else:
            wrong.append(f"{name}: {did}, check says {said} {code}")
    assert not wrong, "\n".join(wrong)
    assert counts["right"] > 2500
    assert counts["unknown"] + counts["excused"] < 0.1 * counts["right"], counts
