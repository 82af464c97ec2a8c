"""What `tensorpad check` says of the models of a kit, beside what the runtimes did.

SPDX-License-Identifier: MIT

Shapes of inputs that a model leaves open are given to `check`, since a survey gives them to the
runtimes.
"""

import collections
import json
import subprocess

import onnx

from kit import runtimes

COMMAND = runtimes.KIT.parent / "build/tensorpad"
ORDER = ["same", "unknown", "accepts", "differs", "refuses", "crashes"]


def check(command, *words):
    """The models of the JSON form. An error of one model is in the model."""
    done = subprocess.run([command, "check", "--json", *map(str, words)], capture_output=True)
    return json.loads(done.stdout)["models"]


def shape_words(arrays):
    """--input-shape for each of them."""
    return [
        f"--input-shape={name}={','.join(map(str, array.shape))}" for name, array in arrays.items()
    ]


def worst(model):
    """{target: (verdict, code)} of one model that was checked."""
    targets = collections.defaultdict(lambda: ("same", None))
    for verdict in (v for node in model["nodes"] for v in node["verdicts"]):
        pair = verdict["verdict"], verdict["code"]
        before = targets[verdict["target"]]
        targets[verdict["target"]] = max(before, pair, key=lambda pair: ORDER.index(pair[0]))
    return targets


def shapes_of(folder):
    """--input-shape for each input of the graph of a case."""
    for k, port in enumerate(onnx.load(folder / "model.onnx").graph.input):
        data = folder / f"test_data_set_0/input_{k}.pb"
        if data.is_file():  # there is none for an initializer that is an input, too
            dims = onnx.TensorProto.FromString(data.read_bytes()).dims
            yield f"--input-shape={port.name}={','.join(map(str, dims))}"


def is_ir(case):
    return case["folder"].startswith("openvino")


def model_of(case):
    return "model.xml" if is_ir(case) else "model.onnx"


def predict(command, kit, cases):
    """{case: {target: (verdict, code)}}; of several nodes the worst verdict counts."""
    known = [case for case in cases if case["tags"]["dynamic"] == "known" or is_ir(case)]
    models = check(command, *(kit / case["folder"] / model_of(case) for case in known))
    for case in cases:
        if case not in known:
            folder = kit / case["folder"]
            model = folder / "model.onnx"
            models += check(command, *shapes_of(folder), model) or check(command, model)
    found = {}
    for model in models:
        found[model["path"].split("/")[-2]] = worst(model)
    assert len(found) == len(cases)
    return found


def compare(predictions, record):
    """(how many are told, names that are unknown, [(name, outcome, prediction, code)] that are
    wrong).
    """
    right, unknown, wrong = 0, [], []
    for name, outcome in record["outcomes"].items():
        if name not in predictions:
            continue
        did = outcome if isinstance(outcome, str) else outcome["verdict"]
        said, code = predictions[name][record["target"]]
        if said == did:
            right += 1
        elif said == "unknown":
            unknown.append(name)
        else:
            wrong.append((name, did, said, code))
    return right, unknown, wrong
