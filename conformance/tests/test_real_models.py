"""Random graphs around a Pad in the runtime at hand, and how the record of real models counts.

SPDX-License-Identifier: MIT

`make models` makes real models and runs them, and more such graphs, everywhere.
"""

import itertools
import json

import numpy as np
import onnx
import onnxruntime
import pytest
from by_tensorpad import harness
from kit import predictions
from kit.runtimes import CLOSE_ROUNDED, distance
from realmodels import making, random_graphs, record
from realmodels.recipe import slug
from realmodels.record import farthest

AT_HAND = "ort-" + ".".join(onnxruntime.__version__.split(".")[:2])


def ran(path, inputs):
    """What ONNX Runtime as it is by default gives; None: it refuses."""
    try:
        return onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"]).run(
            None, inputs
        )
    except Exception:  # each version has its own
        return None


def test_random_graphs(tmp_path):
    """Where `check` says `same` of the runtime at hand, it is; and `lower --fold` changes no bit of an answer."""
    same = folds = 0
    graphs = (
        one for one in random_graphs.recipes(1) if "why" not in making.make_one(tmp_path, one)
    )
    for graph in itertools.islice(graphs, 80):
        place = tmp_path / slug(graph.name)
        path, out, inputs = (
            place / "model.onnx",
            place / "out.onnx",
            dict(np.load(place / "inputs_0.npz")),
        )
        [model] = predictions.check(harness.COMMAND, "--target", AT_HAND, path)
        if predictions.worst(model)[AT_HAND][0] == "same":
            same += 1
            wanted = list(np.load(place / "wanted_0.npz").values())
            found = ran(path, inputs)
            assert found is not None and farthest(found, wanted) < CLOSE_ROUNDED, graph.name
        done = harness.succeed(
            "lower", "--fold", "--partial", "--json", "-f", path, out, "--target", AT_HAND
        )
        folds += json.loads(done.stdout)["folded"]
        for one, other in zip(
            *(making.session(onnx.load(each)).run(None, inputs) for each in (path, out)),
            strict=True,
        ):
            np.testing.assert_array_equal(other, one, graph.name)
    assert same > 40 and folds > 10


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
