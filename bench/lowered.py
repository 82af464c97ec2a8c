#!/usr/bin/env python3
"""Time of a Pad beside that of its rewrite, in two runtimes.  SPDX-License-Identifier: MIT

    build/venv/bin/python bench/lowered.py COMMAND [--write docs/lower.md]

Models of one Pad, as they are and as `COMMAND lower` writes them for a target that gets that Pad
wrong. Both run in turns, on one thread, in the runtimes of this Python; a figure is the median of
the turns. Of a Pad that the runtime itself gets wrong, the time is that of a wrong answer.
"""

import argparse
import json
import pathlib
import platform
import statistics
import subprocess
import tempfile
import time

import numpy as np
import onnx
import onnx.helper as oh
import onnxruntime
import openvino
import pages

TURNS = 31
TURN_SECONDS = 0.004  # how long the calls of one model in a turn are to last
AUDIO, IMAGE = [1, 64, 1024], [1, 3, 224, 224]
WORKLOADS = [  # what it is, shape, pads, mode, target
    ("reflect, audio", AUDIO, [0, 0, 16, 0, 0, 16], "reflect", "opencv-4.14"),
    ("edge, audio", AUDIO, [0, 0, 16, 0, 0, 16], "edge", "opencv-4.14"),
    ("wrap, audio", AUDIO, [0, 0, 16, 0, 0, 16], "wrap", "openvino-2026.4"),
    ("wrap, image", IMAGE, [0, 0, 3, 3, 0, 0, 3, 3], "wrap", "openvino-2026.4"),
    ("wrap, image", IMAGE, [0, 0, 3, 3, 0, 0, 3, 3], "wrap", "tract-0.23"),
    ("cut and pad", AUDIO, [0, 0, -2, 0, 0, 5], "constant", "tract-0.23"),
    ("crop and reflect", AUDIO, [0, 0, -2, 0, 0, 5], "reflect", "tract-0.23"),
    ("value is an input", AUDIO, [0, 0, 16, 0, 0, 16], "constant", "openvino-2026.4"),
]


def model_of(what, shape, pads, mode):
    """A model of one Pad of float at opset 19, and its inputs."""
    names = ["x", "pads"]
    ports = [oh.make_tensor_value_info("x", 1, shape)]
    inputs = {"x": np.random.default_rng(0).standard_normal(shape).astype(np.float32)}
    if "value" in what:
        names.append("value")
        ports.append(oh.make_tensor_value_info("value", 1, []))
        inputs["value"] = np.array(3, np.float32)
    node = oh.make_node("Pad", names, ["y"], "pad", mode=mode)
    output = [n + b + e for n, b, e in zip(shape, pads, pads[len(shape) :])]
    graph = oh.make_graph(
        [node],
        "g",
        ports,
        [oh.make_tensor_value_info("y", 1, output)],
        [onnx.numpy_helper.from_array(np.array(pads, np.int64), "pads")],
    )
    return oh.make_model(graph, opset_imports=[oh.make_opsetid("", 19)], ir_version=9), inputs


def in_onnxruntime(path, inputs):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    bound = session.io_binding()
    for name, array in inputs.items():
        bound.bind_cpu_input(name, array)
    bound.bind_output("y")
    return lambda: session.run_with_iobinding(bound)


def in_openvino(path, inputs):
    settings = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1}
    request = openvino.Core().compile_model(path, "CPU", settings).create_infer_request()
    for name, array in inputs.items():
        request.set_tensor(name, openvino.Tensor(array))
    return request.infer


RUNTIMES = {
    f"ONNX Runtime {onnxruntime.__version__}": in_onnxruntime,
    f"OpenVINO {openvino.__version__.split('-')[0]}": in_openvino,
}


def ready(start, path, inputs):
    """A function that runs the model once, or None where the runtime refuses it."""
    try:
        call = start(str(path), inputs)
        call()
        return call
    except Exception:
        return None


def seconds(call, repeats):
    before = time.perf_counter()
    for _ in range(repeats):
        call()
    return (time.perf_counter() - before) / repeats


def timed(calls):
    """The median time of each call, which take turns."""
    repeats = [max(1, int(TURN_SECONDS / seconds(call, 20))) for call in calls]
    turns = [[seconds(call, count) for call, count in zip(calls, repeats)] for _ in range(TURNS)]
    return [statistics.median(times) for times in zip(*turns)]


def cells(pad, lowered):
    """Pad's time, the rewrite's, and how many times as long it takes."""
    calls = [call for call in (pad, lowered) if call]
    times = iter(timed(calls))
    pad, lowered = (next(times) if call else None for call in (pad, lowered))
    told = [f"{time * 1e6:.0f}" if time else "refused" for time in (pad, lowered)]
    return [*told, f"{lowered / pad:.1f}" if pad and lowered else "-"]


def lines(command):
    told = [
        pages.row(["", "rewritten for", "as", "runtime", "Pad, µs", "now, µs", "times"]),
        pages.row(["---"] * 7),
    ]
    with tempfile.TemporaryDirectory() as folder:
        path, out = pathlib.Path(folder, "pad.onnx"), pathlib.Path(folder, "lowered.onnx")
        for what, shape, pads, mode, target in WORKLOADS:
            model, inputs = model_of(what, shape, pads, mode)
            onnx.save(model, path)
            made = subprocess.run(
                [command, "lower", path, out, "--json", "-f", "--target", target],
                check=True,
                capture_output=True,
            )
            operators = json.loads(made.stdout)["nodes"][0]["operators"]
            for name, start in RUNTIMES.items():
                measured = cells(ready(start, path, inputs), ready(start, out, inputs))
                told.append(pages.row([f"{what} {shape}", target, operators, name, *measured]))
    machine = f"{platform.machine()}, {processor()}"
    return [*told, "", f"{machine}, one thread; medians of {TURNS} turns."]


def processor():
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    return next((line.split(": ", 1)[1] for line in lines if line.startswith("model name")), "")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0].split("  ")[0])
    parser.add_argument("command", help="build/tensorpad")
    parser.add_argument("--write", metavar="FILE", help="put the table into this page")
    asked = parser.parse_args()
    table = lines(asked.command)
    print("\n".join(table))
    if asked.write:
        pages.write(asked.write, "times", table)


if __name__ == "__main__":
    main()
