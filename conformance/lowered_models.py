#!/usr/bin/env python3
"""Runs whole models in runtimes before and after `tensorpad lower`, and compares the answers.

Usage: lowered_models.py [TARGET...]      records what comes out and writes docs/lower.md

Each model is lowered once, for all targets, so that Pads which a runtime runs right are rewritten
in it, too, where another one needs it. What cannot be lowered stays (--partial).

The models: basic-pitch and silero-vad as they are published, exports of torch
(tests/formats/exports), and three that are made from these: reflect on an image that is too
small for it, and wrap. TARGET: a runtime and its version, already installed.

The answers of models as they are published or exported are compared with those of ONNX Runtime 1.31
without optimisations; it refuses reflect on small images, so the three others have the answers of
ONNX's reference evaluator instead. Sums of floats may be in another order: 1e-4 is allowed.

SPDX-License-Identifier: MIT
"""

import json
import pathlib
import sys
import tempfile

import numpy as np
import onnx
from onnx.reference import ReferenceEvaluator
from padkit import lowering, lowering_page, outcome_file, predictions, runtimes, survey, without_pad
from padkit.running import Runner
from padkit.runtimes import KIT
from realmodels.control import session

ROOT = KIT.parent
COMMAND = ROOT / "build/tensorpad"
EXPORTS = ROOT / "tests/formats/exports"
DATA = ROOT / "build/data"
TARGETS = ("ort-1.31", "ort-1.17", "openvino-2026.4", "tract-0.23")
NEAR = 1e-4


def export(name):
    return onnx.load(EXPORTS / f"{name}.onnx")


def with_shape(model, shape):
    """The model with another shape of its one input; it has no shapes of tensors beside it."""
    for dim, extent in zip(model.graph.input[0].type.tensor_type.shape.dim, shape):
        dim.dim_value = extent
    return model


def with_wrap(model):
    """The model at opset 19 with mode wrap in each Pad that reflects."""
    model = onnx.version_converter.convert_version(model, 19)
    for node in model.graph.node:
        for attribute in node.attribute:
            if node.op_type == "Pad" and attribute.s == b"reflect":
                attribute.s = b"wrap"
    return model


def models():
    """(name, ModelProto, {input: shape}, whether ONNX Runtime 1.31 runs it right) of each model."""
    path = DATA / "basic_pitch/saved_models/icassp_2022/nmp.onnx"
    yield "basic-pitch", onnx.load(path), {"serving_default_input_2:0": [1, 43844, 1]}, True
    for path in sorted((DATA / "silero_vad/data").glob("*.onnx")):
        yield path.stem, onnx.load(path), {
            "input": [1, 576], "state": [2, 1, 128], "h": [1, 1, 128], "c": [1, 1, 128]}, True
    shapes = {"unet": [1, 3, 37, 50], "windows": [1, 10, 13, 4]}
    for path in sorted(EXPORTS.glob("*.onnx")):
        shape = shapes.get(path.stem.split("_")[0], [1, 2, 9, 8])
        yield path.stem, onnx.load(path), {"x": shape}, True
    small = [1, 2, 3, 2]
    yield ("reflection_pad_18 on 3 x 2", with_shape(export("reflection_pad_18"), small),
           {"x": small}, False)
    yield ("reflection_pad_18 with wrap", with_wrap(export("reflection_pad_18")),
           {"x": [1, 2, 9, 8]}, False)
    yield ("unet_static_18 with wrap", with_wrap(export("unet_static_18")),
           {"x": shapes["unet"]}, False)


def inputs_of(model, shapes):
    """{name: array} for the inputs of the model: seeded noise, and the rate of silero-vad."""
    draw = np.random.default_rng(0)
    weights = {tensor.name for tensor in model.graph.initializer}
    found = {}
    for port in model.graph.input:
        if port.name == "sr":
            found["sr"] = np.array(16000, np.int64)
        elif port.name not in weights:
            kind = onnx.helper.tensor_dtype_to_np_dtype(port.type.tensor_type.elem_type)
            found[port.name] = draw.standard_normal(shapes[port.name]).astype(kind)
    return found


def expected(model, inputs, by_onnxruntime):
    if not by_onnxruntime:
        return ReferenceEvaluator(model).run(None, inputs)
    return session(model).run(None, inputs)


def ask(target, path, inputs):
    """(word for what happened, outputs) of a model in a runtime; outputs None: none came."""
    with Runner(target) as runner:
        outputs, failure = runner.run(path, inputs)
    return ("answers", outputs) if failure is None else (f"{failure[0]}: {survey.clean(failure[1])}", None)


def verdict(word, outputs, wanted):
    if outputs is None:
        return word
    if [array.shape for array in outputs] != [array.shape for array in wanted]:
        return "differs: other shapes"
    most = max(float(np.max(np.abs(a - b), initial=0)) for a, b in zip(outputs, wanted))
    return "right" if most <= NEAR else f"differs: by up to {most:.2g}"


def one(target, path, out, inputs, wanted):
    """What a target makes of a model and of its lowered form."""
    word, first = ask(target, path, inputs)
    before = verdict(word, first, wanted)
    word, second = ask(target, out, inputs)
    entry = {"before": before, "now": verdict(word, second, wanted)}
    if before == entry["now"] == "right":
        entry["same bytes"] = all(a.tobytes() == b.tobytes() for a, b in zip(first, second))
    return entry


def run(targets, model, inputs, wanted, folder):
    """{"pads", "rewritten", "operators", "cannot", and each target}"""
    path, out = folder / "model.onnx", folder / "lowered.onnx"
    path.write_bytes(model.SerializeToString())
    lowered = lowering.lower_file(
        COMMAND, path, out, ",".join(target.name for target in targets),
        ["--partial", *predictions.shape_words(inputs)])
    return {
        "pads": sum(node.op_type == "Pad" for graph in without_pad.graphs_of(model)
                    for node in graph.node),
        "rewritten": lowered.operators,
        "cannot": lowered.reasons,
        **{target.name: one(target, path, out, inputs, wanted) for target in targets},
    }


def main(*names):
    known = runtimes.targets()
    targets = [runtimes.find(name, known) for name in names or TARGETS]
    for target in targets:
        runtimes.check_installed(target)
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, model, shapes, by_onnxruntime in models():
            inputs = inputs_of(model, shapes)
            wanted = expected(model, inputs, by_onnxruntime)
            found[name] = run(targets, model, inputs, wanted, pathlib.Path(folder))
            print(f"{name}: {found[name]}", flush=True)
    outcome_file.write(lowering_page.MODELS, json.dumps(found, indent=1) + "\n")
    lowering_page.write()


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except runtimes.Missing as missing:
        sys.exit(f"lowered_models.py: {missing}")
