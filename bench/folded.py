#!/usr/bin/env python3
"""Time of real models before and after `tensorpad lower --fold`, by runtime.  SPDX-License-Identifier: MIT

    build/venv/bin/python bench/folded.py COMMAND FOLDER TARGET...

FOLDER: that of `make models`. TARGET: runtimes that are installed in build/runtimes (conformance/kit.py survey
--install). A model is folded for each runtime alone, with --partial. Both run in turns in one process of the
runtime's own Python, on one core; a figure is the median of the turns, in milliseconds of the processor. Where
a runtime refuses a model, it says so. Answers must differ by no more than 1e-3 of the largest number.
"""

import importlib.util
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "conformance"))

TURNS = 201  # at most
TURN_SECONDS = 0.001  # how long the calls of one model in a turn are to last: short, since others use the machine
SECONDS = 4  # that the turns of two models may take together
CLOSE = 1e-3
MODELS = [
    "transformers-mobilenet-v2-legacy-17-fixed",
    "transformers-mobilenet-v1-legacy-17-fixed",
    "transformers-efficientnet-legacy-17-fixed",
    "transformers-encodec-legacy-17-fixed",
    "transformers-bit-legacy-17-fixed",
    "timm-maxvit_tiny_tf_224-legacy-17-fixed",
    "timm-hgnetv2_b0-legacy-13-open",
    "timm-davit_tiny-legacy-17-fixed",
    "transformers-clap-audio-legacy-17-fixed",
    "timm-swin_tiny_patch4_window7_224-legacy-17-fixed",
]


def seconds(call, repeats):
    before = time.process_time()
    for _ in range(repeats):
        call()
    return (time.process_time() - before) / repeats


def inside(adapter, inputs, paths):
    """In the runtime's Python: prints the median times of both models, or why one does not run."""
    import numpy as np

    spec = importlib.util.spec_from_file_location("adapter", adapter)
    runtime = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(runtime)
    os.sched_setaffinity(
        0, {max(os.sched_getaffinity(0))}
    )  # also of runtimes that take all there are
    with np.load(inputs) as archive:
        feeds = dict(archive)
    calls, answers = [], []
    for path in paths:
        try:
            model = runtime.load(path)
            answers.append(runtime.run(model, feeds))
            calls.append(lambda model=model: runtime.run(model, feeds))
        except Exception as error:
            calls.append(None)
            print(
                json.dumps({"refused": paths.index(path), "why": str(error)[:200]}), file=sys.stderr
            )
    if len(answers) == 2:
        for one, other in zip(*answers):
            assert np.abs(one - other).max() <= CLOSE * np.abs(one).max(), "another answer"
    alone = [call and min(seconds(call, 1) for _ in range(5)) for call in calls]
    repeats = [time and max(1, int(TURN_SECONDS / time)) for time in alone]
    count = max(11, min(TURNS, int(SECONDS / max(TURN_SECONDS, sum(time or 0 for time in alone)))))
    turns = [
        [call and seconds(call, times) for call, times in zip(calls, repeats)] for _ in range(count)
    ]
    print(json.dumps([statistics.median(times) if times[0] else None for times in zip(*turns)]))


def timed(target, inputs, paths):
    """Both times in seconds; None: the runtime refuses the model."""
    words = [target.home / "bin/python", __file__, "--inside", target.adapter, inputs, *paths]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT / "conformance")}
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, env=environment)
    return json.loads(done.stdout.splitlines()[-1]) if done.returncode == 0 else [None, None]


def row(command, folder, name, targets):
    cells, pads = [], []
    with tempfile.TemporaryDirectory() as place:
        out = pathlib.Path(place, "folded.onnx")
        for target in targets:
            words = [
                command,
                "lower",
                "--fold",
                "--partial",
                "--json",
                "-f",
                folder / name / "model.onnx",
                out,
                "--target",
                target.name,
            ]
            done = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=True)
            said = json.loads(done.stdout)
            pads.append(f"{said['folded']} of {len(said['nodes'])}")
            before, now = timed(
                target, folder / name / "inputs_0.npz", [folder / name / "model.onnx", out]
            )
            told = [f"{time * 1e3:.2f}" if time else "refuses" for time in (before, now)]
            gain = f" ({(before - now) * 1e3:+.2f})" if before and now else ""
            cells.append(f"{told[0]}, {told[1]}{gain}")
    return f"| {name} | {' / '.join(dict.fromkeys(pads))} | {' | '.join(cells)} |"


def main(command, folder, names):
    from kit import runtimes

    targets = [runtimes.find(name, runtimes.targets()) for name in names]
    print(f"| model | Pads folded | {' | '.join(names)} |\n|{'---|' * (2 + len(names))}")
    for name in MODELS:
        print(row(command, pathlib.Path(folder), name, targets), flush=True)
    with open("/proc/cpuinfo") as file:
        name = next(
            (line.split(":")[1].strip() for line in file if line.startswith("model name")),
            platform.machine(),
        )
    print(f"\n{name}, one core.")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--inside"]:
        inside(sys.argv[2], sys.argv[3], sys.argv[4:])
    elif len(sys.argv) < 4:
        sys.exit(__doc__)
    else:
        main(sys.argv[1], sys.argv[2], sys.argv[3:])
