"""Ten small models of the record: what `check` says of them, beside what ten runtimes did, and one of them again.

SPDX-License-Identifier: MIT

And random graphs in the runtime at hand. `make models` makes all of them anew and runs them everywhere.
"""

import itertools
import json
import pathlib

import numpy as np
import onnx
import onnxruntime
import pytest

from by_tensorpad import harness
from padkit import predictions
from padkit.running import CLOSE, CLOSE_ROUNDED, distance
from realmodels import control, making, random_graphs, record
from realmodels.recipe import inputs_of, slug
from realmodels.run import farthest

TEN = pathlib.Path(__file__).parents[1] / "realmodels/ten"
OUTCOMES = json.loads((TEN / "outcomes.json").read_text())


AT_HAND = "ort-" + ".".join(onnxruntime.__version__.split(".")[:2])


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
    assert farthest(found, wanted) < CLOSE


def test_the_runtime_at_hand_again(entry):
    """ONNX Runtime as it is installed here, at the first size."""
    if AT_HAND not in entry["did"]:
        pytest.skip(f"{AT_HAND} is no target of the record")
    model = onnx.load(TEN / entry["model"])
    inputs = inputs_of(model, entry["shapes"][0].values(), np.random.default_rng(5))
    wanted = control.session(control.without_pads(model, inputs)).run(None, inputs)
    found = onnxruntime.InferenceSession(TEN / entry["model"], providers=["CPUExecutionProvider"]).run(None, inputs)
    did = entry["did"][AT_HAND][0]
    assert (farthest(found, wanted) < CLOSE) == (did == "same")


def ran(path, inputs):
    """What ONNX Runtime as it is by default gives; None: it refuses."""
    try:
        return onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"]).run(None, inputs)
    except Exception:  # each version has its own
        return None


def test_random_graphs(tmp_path):
    """Where `check` says `same` of the runtime at hand, it is; and `lower --fold` changes no bit of an answer."""
    same = folds = 0
    graphs = (one for one in random_graphs.recipes(1) if "why" not in making.make_one(tmp_path, one))
    for graph in itertools.islice(graphs, 80):
        place = tmp_path / slug(graph.name)
        path, out, inputs = place / "model.onnx", place / "out.onnx", dict(np.load(place / "inputs_0.npz"))
        [model] = predictions.check(harness.COMMAND, "--target", AT_HAND, path)
        if predictions.worst(model)[AT_HAND][0] == "same":
            same += 1
            wanted = list(np.load(place / "wanted_0.npz").values())
            found = ran(path, inputs)
            assert found is not None and farthest(found, wanted) < CLOSE_ROUNDED, graph.name
        done = harness.succeed("lower", "--fold", "--partial", "--json", "-f", path, out, "--target", AT_HAND)
        folds += json.loads(done.stdout)["folded"]
        for one, other in zip(*(control.session(onnx.load(each)).run(None, inputs) for each in (path, out)), strict=True):
            np.testing.assert_array_equal(other, one, graph.name)
    assert same > 40 and folds > 10


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
