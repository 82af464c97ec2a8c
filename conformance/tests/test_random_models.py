"""Random graphs around a Pad in the runtimes at hand, and how runs of models count.

SPDX-License-Identifier: MIT

`conformance/run.sh models` runs more such graphs in all runtimes.
"""

import collections
import itertools
import json

import harness
import numpy as np
import onnx
import onnxruntime
import openvino
import pytest
from graphs import making, random_graphs
from kit import predictions
from kit.runtimes import distance
from random_models import kind_of, outcome

AT_HAND = "ort-" + ".".join(onnxruntime.__version__.split(".")[:2])


class Runner:
    """ONNX Runtime as it is by default, or OpenVINO in float32."""

    def __init__(self, target):
        self.target = target

    def run(self, path, inputs, plain=False):
        try:
            if self.target == AT_HAND:
                session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
                return session.run(None, inputs), None
            made = CORE.compile_model(CORE.read_model(path), "CPU", SETTINGS)
            return [made(inputs)[output] for output in made.outputs], None
        except Exception as error:  # each version has its own
            return None, ("refuses", str(error))


CORE = openvino.Core()
SETTINGS = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1}
RUNNERS = [Runner(AT_HAND), Runner("openvino-2026.4")]


def check_inspection(path, inputs):
    """What `inspect` says of a Pad is what it meets in a run; Pads in bodies cannot be asked."""
    model = onnx.load(path)
    words = [f"--input-shape=x={','.join(map(str, inputs['x'].shape))}"]
    said = json.loads(harness.succeed("inspect", "--json", *words, path).stdout)["nodes"]
    try:
        pads = making.pads_of(model)
    except making.Inside:
        return
    met = {pad.name: asked for pad, asked in zip(pads, making.asked_of(model, pads, inputs))}
    for entry in said:
        (shape, *arguments), _ = met.get(entry["name"], (([],), None))
        for known, extent in zip(entry["input_shape"] or [], shape):
            assert known in (None, extent), (path, entry)
        if arguments and arguments[0] is not None and entry["begin"] is not None:
            assert entry["begin"] + entry["end"] == arguments[0].tolist(), (path, entry)


def check_graph(place, rounds, seen):
    """Where `check` says `same`, the runtime is right, and so it is with what `lower` rewrites;
    `lower --fold` changes no bit of an answer."""
    path, out, bare = (place / name for name in ("model.onnx", "out.onnx", "control_0.onnx"))
    inputs = dict(np.load(place / "inputs_0.npz"))
    wanted = list(np.load(place / "wanted_0.npz").values())
    targets = ",".join(runner.target for runner in RUNNERS)
    worst = predictions.worst(predictions.check(harness.COMMAND, "--target", targets, path)[0])
    check_inspection(path, inputs)
    for runner in RUNNERS:
        verdict = worst[runner.target][0]
        seen[runner.target, verdict] += 1
        words = ["--target", runner.target, "--partial", "--json", "-f"]
        said = json.loads(harness.succeed("lower", path, out, *words).stdout)
        for model in [path] * (verdict == "same") + [out] * (
            said["rewritten"] and not said["cannot"]
        ):
            did, why = outcome(runner, model, bare, inputs, wanted, rounds)
            assert did in ("same", "unjudged"), (runner.target, model, why)
    words = ["--fold", "--partial", "--json", "-f", "--target", AT_HAND]
    seen["folded"] += json.loads(harness.succeed("lower", path, out, *words).stdout)["folded"]
    before, after = (making.session(onnx.load(each)).run(None, inputs) for each in (path, out))
    for one, other in zip(before, after, strict=True):
        np.testing.assert_array_equal(other, one, place.name)


@pytest.mark.long
def test_random_graphs(tmp_path):
    seen = collections.Counter()
    made = (making.make_one(tmp_path, one) for one in random_graphs.recipes(1))
    for entry in itertools.islice(filter(None, made), 80):
        check_graph(tmp_path / making.slug(entry["name"]), entry["rounds"], seen)
    assert seen["folded"] > 10 and all(seen[one.target, "same"] > 40 for one in RUNNERS), seen


@pytest.mark.parametrize(
    "verdict, did, kind",
    [
        ("same", "same", "right"),
        ("same", "differs", "false same"),
        ("same", "refuses", "false same"),
        ("refuses", "same", "false alarm"),
        ("differs", "same", "false alarm"),
        ("refuses", "crashes", "right"),
        ("unknown", "differs", "unknown"),
        ("same", "unjudged", "unjudged"),
        ("accepts", "same", "right"),
        ("accepts", "refuses", "false same"),
    ],
)
def test_how_a_run_counts(verdict, did, kind):
    assert kind_of(verdict, did) == kind


def test_distance():
    one = np.array([1.0, -2.0, np.inf], np.float32)
    assert distance(one, one) == 0
    assert distance(one[:2], one) == float("inf")
    assert distance(np.array([1.0, -2.0, 3.0]), one) == float("inf")
    assert distance(np.array([1.0, -1.0, np.inf]), one) == 0.5
    assert distance(np.array([1.0, 0.0, *[-1e9] * 9]), np.array([1.0, 2.0, *[-1e9] * 9])) == 1
    assert distance(np.zeros(3), np.zeros(3)) == 0
    assert distance(np.array(["a"]), np.array(["b"], object)) == float("inf")
