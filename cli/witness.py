#!/usr/bin/env python3
"""Runs an installed runtime on the witnesses beside this file, and compares its answers.

Usage: compare.py ort | openvino | opencv | reference [WITNESS]...      default: all of them

A witness with model.xml is an OpenVINO IR, which other runtimes leave out.

Needs numpy, onnx and the runtime (pip install onnxruntime==..., openvino==...,
opencv-python-headless==...). Memory is perturbed, so that answers from uninitialised memory
differ from run to run. Status 1: an answer differs from the specification's. See verdicts.txt.
"""

import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def answer(runtime, path, x):
    if runtime == "ort":
        import onnxruntime

        session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
        return session.run(None, {"x": x})[0]
    if runtime == "openvino":
        import openvino

        return openvino.Core().compile_model(path, "CPU")(x)[0]
    if runtime == "opencv":
        import cv2

        net = cv2.dnn.readNetFromONNX(path)
        net.setInput(x, "x")
        return net.forward()
    from onnx.reference import ReferenceEvaluator

    return ReferenceEvaluator(path).run(None, {"x": x})[0]


def compare(runtime, folder):
    """Checks one witness in this process. Returns the result as a sentence."""
    import onnx
    from onnx import numpy_helper

    data = folder / "test_data_set_0"
    x, expected = (
        numpy_helper.to_array(onnx.TensorProto.FromString((data / name).read_bytes()))
        for name in ("input_0.pb", "output_0.pb")
    )
    [model] = [*folder.glob("model.onnx"), *folder.glob("model.xml")]
    if model.suffix == ".xml" and runtime != "openvino":
        return "same, as it does not read an IR"
    output = answer(runtime, str(model), x)
    if output.shape != expected.shape:
        return f"differs: shape {output.shape}, the specification says {expected.shape}"
    if output.dtype != expected.dtype:
        return f"differs: type {output.dtype}, the specification says {expected.dtype}"
    wrong = (output != expected) & ~((output != output) & (expected != expected))
    if wrong.any():
        place = tuple(int(k[0]) for k in wrong.nonzero())
        return f"differs: {output[place]} at {place}, the specification says {expected[place]}"
    return "same"


def main(words):
    if len(words) == 3 and words[0] == "--one":
        print(compare(words[1], pathlib.Path(words[2])))
        return 0
    if not words or words[0] not in ("ort", "openvino", "opencv", "reference"):
        sys.exit(__doc__)
    status = 0
    for folder in [pathlib.Path(w) for w in words[1:]] or sorted(HERE.glob("test_*")):
        command = [sys.executable, __file__, "--one", words[0], str(folder)]
        done = subprocess.run(
            command, capture_output=True, text=True, env={**os.environ, "MALLOC_PERTURB_": "85"}
        )
        lines = (done.stdout if done.returncode == 0 else done.stderr).strip().splitlines()
        result = lines[-1] if lines else f"ended with status {done.returncode}"
        status |= not result.startswith("same")
        print(f"{folder.name}: {result}")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
