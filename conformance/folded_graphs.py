#!/usr/bin/env python3
"""Runs random graphs in runtimes before and after `tensorpad lower --fold`, and compares the answers.

Usage: folded_graphs.py COUNT TARGET...      prints a table, and each graph that a fold has made worse
       folded_graphs.py FOLDER TARGET...     the same of the models of `make models`, which are in FOLDER

The right answer is that of ONNX Runtime without optimisations to the graph as it was drawn, bit by bit; a
graph that it refuses is drawn again. Each graph is folded for one target, with --partial. Of models in a folder
the runtime itself gives the answer, before the fold, and only those count in which something is folded.

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
from padkit import fold_graphs, runtimes
from padkit.running import Runner
from realmodels.control import session

COMMAND = os.environ.get("TENSORPAD", pathlib.Path(__file__).parents[1] / "build/tensorpad")


def expected(content, x):
    """What ONNX Runtime answers without optimisations; None: it refuses."""
    try:
        return session(content).run(None, {"x": x})
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


def is_same(outputs, wanted):
    """Bit by bit; OpenCV gives the first output only."""
    return all(np.array_equal(got, one) and got.dtype == one.dtype
               for got, one in zip(outputs, wanted, strict=len(outputs) != 1))


def runner_of(name):
    target = runtimes.find(name, runtimes.targets())
    runtimes.check_installed(target)
    return Runner(target)


def is_right(runner, path, x, wanted):
    outputs, _ = runner.run(path, {"x": x})
    return outputs is not None and is_same(outputs, wanted)


def measure(name, count, folder):
    """Counts of one target."""
    runner = runner_of(name)
    counts = collections.Counter()
    source, out = folder / "m.onnx", folder / "out.onnx"
    for seed, model, x, wanted in itertools.islice(answered(itertools.count()), count):
        onnx.save(model, source)
        nodes = fold(source, out, name)
        before, now = is_right(runner, source, x, wanted), is_right(runner, out, x, wanted)
        folded = sum(node["outcome"] == "folded" for node in nodes)
        counts += {"graphs": 1, "pads": len(nodes), "folded": folded, "before": before, "now": now,
                   "worse": before and not now}
        if before and not now:
            print(f"{name}: seed {seed} is worse", flush=True)
    runner.close()
    return counts


def measure_models(name, models, folder):
    """Counts of the models in which something is folded for one target."""
    runner = runner_of(name)
    counts = collections.Counter()
    out = folder / "out.onnx"
    for path in sorted(models.glob("*/model.onnx")):
        with np.load(path.parent / "inputs_0.npz") as archive:
            inputs = dict(archive)
        try:
            nodes = fold(path, out, name)
        except RuntimeError:  # its weights are in another file, which does not move along
            continue
        folded = sum(node["outcome"] == "folded" for node in nodes)
        if not folded:
            continue
        before, now = runner.run(path, inputs)[0], runner.run(out, inputs)[0]
        same = before is not None and now is not None and is_same(now, before)
        counts += {"models": 1, "pads": len(nodes), "folded": folded, "refused": before is None, "same": same}
        if before is not None and not same:
            print(f"{name}: {path.parent.name} gives another answer", flush=True)
    runner.close()
    return counts


def main_of_models(models, names):
    print("| target | models | Pads | folded | same bits | refused before |\n|---|---|---|---|---|---|")
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            c = measure_models(name, models, pathlib.Path(folder))
        print(f"| {name} | {c['models']} | {c['pads']} | {c['folded']} | {c['same']} | {c['refused']} |", flush=True)


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
    if sys.argv[1].isdecimal():
        main(int(sys.argv[1]), sys.argv[2:])
    else:
        main_of_models(pathlib.Path(sys.argv[1]), sys.argv[2:])
