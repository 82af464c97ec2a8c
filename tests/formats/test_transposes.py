"""A Pad with some axes between two Transposes: ONNX Runtime fails, and `check` sees it (TP123).

SPDX-License-Identifier: MIT

Each model is run, too.
"""

import json

import numpy as np
import onnx.helper as oh
import onnxruntime
import pytest
from harness import run
from onnx_models import constant_node, graph, ints, model_of, pad_node, port

VERSION = "ort-" + ".".join(onnxruntime.__version__.split(".")[:2])
TO, BACK = [0, 2, 3, 1], [0, 3, 1, 2]
NUMBERS = [ints("p", [1, 0, 2, 0]), ints("axes", [1, 2]), ints("all", [0, 1, 0, 0, 0, 2, 0, 0])]
PAD = [pad_node(["t", "p", "", "axes"], "z", "pad")]


def between(nodes, behind=("Transpose", {"perm": BACK}), functions=(), more=(), outputs=("y",)):
    name, words = behind
    all_nodes = [
        oh.make_node("Transpose", ["x"], ["t"], perm=TO),
        *nodes,
        oh.make_node(name, ["z"], ["y"], **words),
        *more,
    ]
    top = graph(
        all_nodes, [port("x", [1, 2, 4, 5])], [port(one, [None] * 4) for one in outputs], NUMBERS
    )
    imports = [oh.make_opsetid("my", 1)] if functions else []
    return model_of(top, 18, functions=list(functions), imports=imports)


def function_of(nodes, inputs):
    return [oh.make_function("my", "F", inputs, ["z"], nodes, [oh.make_opsetid("", 18)])]


def call(inputs, output="z", source="t"):
    return oh.make_node("F", [source, *inputs], [output], domain="my")


OWN = [constant_node("p", [1, 0, 2, 0]), constant_node("axes", [1, 2])]
WRONG = {
    "between": between(PAD),
    "Relu before": between(
        [oh.make_node("Relu", ["t"], ["r"]), pad_node(["r", "p", "", "axes"], "z", "pad")]
    ),
    "Cast behind": between(
        [pad_node(["t", "p", "", "axes"], "r", "pad"), oh.make_node("Cast", ["r"], ["z"], to=1)]
    ),
    "Sigmoid and Tanh": between(
        [
            oh.make_node("Sigmoid", ["t"], ["r"]),
            pad_node(["r", "p", "", "axes"], "s", "pad"),
            oh.make_node("Tanh", ["s"], ["z"]),
        ]
    ),
    "in a function": between([call(["p", "axes"])], functions=function_of(PAD, ["t", "p", "axes"])),
    "with amounts of its own": between([call([])], functions=function_of([*OWN, *PAD], ["t"])),
}
RIGHT = {
    "for all axes": between([pad_node(["t", "all"], "z", "pad")]),
    "no Transpose behind": between([pad_node(["t", "p", "", "axes"], "z", "pad")], ("Relu", {})),
    "a function before Relu": between(
        [call(["p", "axes"])], ("Relu", {}), function_of(PAD, ["t", "p", "axes"])
    ),
}


def verdict_of(folder, model):
    path = folder / "m.onnx"
    path.write_bytes(model)
    said = json.loads(run("check", path, "--target", VERSION, "--json").stdout)
    return said["models"][0]["nodes"][0]["verdicts"][0]


def runs(model):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    try:
        session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        session.run(None, {"x": np.ones((1, 2, 4, 5), np.float32)})
    except Exception:
        return False
    return True


@pytest.mark.parametrize("model", WRONG.values(), ids=WRONG)
def test_it_fails_and_is_foreseen(folder, model):
    assert not runs(model)
    assert verdict_of(folder, model)["code"] == "TP123"


@pytest.mark.parametrize("model", RIGHT.values(), ids=RIGHT)
def test_it_runs_and_is_the_same(folder, model):
    assert runs(model)
    assert verdict_of(folder, model)["verdict"] == "same"


def test_a_function_that_is_called_twice(folder):
    """Its calls may stand elsewhere: nothing is said."""
    more = [call(["p", "axes"], "w", "x")]
    model = between(
        [call(["p", "axes"])],
        functions=function_of(PAD, ["t", "p", "axes"]),
        more=more,
        outputs=("y", "w"),
    )
    assert verdict_of(folder, model)["verdict"] == "unknown"
