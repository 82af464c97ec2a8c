"""Ten small models of the record: what `check` says of them, beside what ten runtimes did, and one of them again.

SPDX-License-Identifier: MIT

`make models` makes all of them anew and runs them everywhere.
"""

import json
import pathlib

import numpy as np
import onnx
import onnxruntime
import pytest

from by_tensorpad import harness
from padkit import predictions
from padkit.running import CLOSE, distance
from realmodels import control, record
from realmodels.recipe import inputs_of

TEN = pathlib.Path(__file__).parents[1] / "realmodels/ten"
OUTCOMES = json.loads((TEN / "outcomes.json").read_text())


def words_of(shapes):
    return [f"--input-shape={name}={','.join(map(str, shape))}" for name, shape in shapes.items()]


@pytest.fixture(params=OUTCOMES, ids=lambda entry: entry["model"])
def entry(request):
    return request.param


def test_there_are_ten_and_ten_runtimes():
    assert len(OUTCOMES) == len(list(TEN.glob("*.onnx"))) == 10
    assert all(len(entry["did"]) == 10 for entry in OUTCOMES)
    told = [did for entry in OUTCOMES for runs in entry["did"].values() for did in runs]
    assert {"same", "differs", "refuses"} <= set(told)


def test_check_is_right(entry):
    """At every size, and, where it does not say `unknown`, of the model that leaves sizes open."""
    for words in ([], *map(words_of, entry["shapes"])):
        [model] = predictions.check(harness.COMMAND, *words, TEN / entry["model"])
        said = predictions.worst(model)
        for target, runs in entry["did"].items():
            did = [runs[entry["shapes"].index(shapes)] for shapes in entry["shapes"]
                   if not words or words == words_of(shapes)]
            for what in did:
                if words or said[target][0] != "unknown":
                    assert record.kind_of(said[target][0], what) in ("right", "unjudged"), (target, said[target], what)


def test_the_control_gives_the_same(entry):
    """Without its Pads, the model gives what ONNX Runtime gives with them, told to change nothing."""
    model = onnx.load(TEN / entry["model"])
    inputs = inputs_of(model, entry["shapes"][0].values(), np.random.default_rng(5))
    bare = control.without_pads(model, inputs)
    assert control.pads_of(model) and not control.pads_of(bare)
    wanted, found = (control.session(one).run(None, inputs) for one in (model, bare))
    assert distance(found[0], wanted[0]) < CLOSE


def test_the_runtime_at_hand_again(entry):
    """ONNX Runtime as it is installed here, at the first size."""
    version = "ort-" + ".".join(onnxruntime.__version__.split(".")[:2])
    if version not in entry["did"]:
        pytest.skip(f"{version} is no target of the record")
    model = onnx.load(TEN / entry["model"])
    inputs = inputs_of(model, entry["shapes"][0].values(), np.random.default_rng(5))
    wanted = control.session(control.without_pads(model, inputs)).run(None, inputs)
    found = onnxruntime.InferenceSession(TEN / entry["model"], providers=["CPUExecutionProvider"]).run(None, inputs)
    did = entry["did"][version][0]
    assert (distance(found[0], wanted[0]) < CLOSE) == (did == "same")


@pytest.mark.parametrize("verdict, did, kind", [
    ("same", "same", "right"), ("same", "differs", "false same"), ("same", "refuses", "false same"),
    ("refuses", "same", "false alarm"), ("differs", "same", "false alarm"), ("refuses", "crashes", "right"),
    ("unknown", "differs", "unknown"), ("same", "unjudged", "unjudged"), ("accepts", "same", "right"),
    ("accepts", "refuses", "false same"),
])
def test_how_a_run_counts(verdict, did, kind):
    assert record.kind_of(verdict, did) == kind


def test_distance():
    one = np.array([1.0, -2.0, np.inf], np.float32)
    assert distance(one, one) == 0
    assert distance(one[:2], one) == float("inf")
    assert distance(np.array([1.0, -2.0, 3.0]), one) == float("inf")
    assert distance(np.array([1.0, -1.0, np.inf]), one) == 0.5
    assert distance(np.array([1.0, 0.0, *[-1e9] * 9]), np.array([1.0, 2.0, *[-1e9] * 9])) == 1
    assert distance(np.zeros(3), np.zeros(3)) == 0
    assert distance(np.array(["a"]), np.array(["b"], object)) == float("inf")
