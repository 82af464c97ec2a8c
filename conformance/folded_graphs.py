#!/usr/bin/env python3
"""Runs random graphs in runtimes before and after `tensorpad lower --fold`, and compares the answers.

Usage: folded_graphs.py COUNT TARGET...      prints a table, and each graph that a fold has made worse

The right answer is that of ONNX Runtime without optimisations to the graph as it was drawn, bit by bit; a
graph that it refuses is drawn again. Each graph is folded for one target, with --partial.

SPDX-License-Identifier: MIT
"""

import collections
import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import onnx
import onnxruntime
from padkit import fold_graphs, json_arrays, runtimes, survey
from padkit.process import Dead

COMMAND = os.environ.get("TENSORPAD", pathlib.Path(__file__).parents[1] / "build/tensorpad")


def expected(content, x):
    """What ONNX Runtime answers without optimisations; None: it refuses."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    try:
        session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
        return session.run(None, {"x": x})
    except Exception:  # each version has its own
        return None


def answered(seeds):
    """(seed, ModelProto, x, right answers) of those graphs that have an answer."""
    for seed in seeds:
        model, x = fold_graphs.draw_graph(seed)
        wanted = expected(model.SerializeToString(), x)
        if wanted is not None:
            yield seed, model, x, wanted


def fold(source, out, target):
    """What `lower --fold` says of each Pad."""
    words = [COMMAND, "lower", "--fold", "--partial", "--json", "-f", source, out, "--target", target]
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{source}: status {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)["nodes"]


class Runner:
    """A runtime that may die."""

    def __init__(self, name):
        target = runtimes.find(name, runtimes.targets())
        runtimes.check_installed(target)
        self.runner = survey.Runner(target)

    def is_right(self, path, x, wanted):
        if self.runner.worker is None or not self.runner.worker.usable:
            self.runner.start(survey.PERTURB[0])
        try:
            answer = self.runner.worker.ask(
                {"model": str(path), "inputs": [{"name": "x", **json_arrays.of_array(x)}]})
        except Dead:
            return False
        if answer["stage"] != "done":
            return False
        outputs = list(map(json_arrays.to_array, answer["outputs"]))
        return all(np.array_equal(got, one) and got.dtype == one.dtype
                   for got, one in zip(outputs, wanted, strict=len(outputs) != 1))


def measure(name, count, folder):
    """Counts of one target."""
    runner = Runner(name)
    counts = collections.Counter()
    source, out = folder / "m.onnx", folder / "out.onnx"
    for seed, model, x, wanted in itertools.islice(answered(itertools.count()), count):
        onnx.save(model, source)
        nodes = fold(source, out, name)
        before, now = runner.is_right(source, x, wanted), runner.is_right(out, x, wanted)
        folded = sum(node["outcome"] == "folded" for node in nodes)
        counts += {"graphs": 1, "pads": len(nodes), "folded": folded, "before": before, "now": now,
                   "worse": before and not now}
        if before and not now:
            print(f"{name}: seed {seed} is worse", flush=True)
    runner.runner.close()
    return counts


def main(count, names):
    print("| target | graphs | Pads | folded | right before | right now | worse |\n|---|---|---|---|---|---|---|")
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            c = measure(name, count, pathlib.Path(folder))
        print(f"| {name} | {c['graphs']} | {c['pads']} | {c['folded']} | {c['before']} | {c['now']} | {c['worse']} |",
              flush=True)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(int(sys.argv[1]), sys.argv[2:])
