#!/usr/bin/env python3
"""Times real models in ONNX Runtime: as they are, and by tensorpad.onnxruntime.session.

Usage: ort_models.py MODELS [--pairs N] [--only WORD]
       ort_models.py MODELS --write PAGE
       MODELS: the folder that `make models` fills, build/models

The two sessions of a model run in turns, in pairs whose order alternates. Prints for each model the median of
the ratio with / without and a 95 % interval of it (by the sign test), the slowest first, and at the end how
many models have an interval above 1.02. Says where an answer is wrong; status 1 if one of `session` is. What was found stands in
MODELS/times-VERSION.json; --write makes the table in docs/onnxruntime.md of all these files. Runs with the interpreter and the version of ONNX Runtime that are installed beside tensorpad.

SPDX-License-Identifier: MIT
"""

import argparse
import json
import math
import pathlib
import statistics
import sys
import time

import numpy as np
import onnxruntime
import pages
import tensorpad.onnxruntime

LIMIT = 1.02  # of the lower end of the interval
SECONDS = 0.02  # a turn repeats a short model for as long
CLOSE, CLOSE_ROUNDED = (
    1e-3,
    0.05,
)  # of the largest number; where it is quantised, a sum may round to another integer
WRONG = {
    (True, True): "",
    (False, True): "  (wrong without)",
    (True, False): "  WRONG",
    (False, False): "  WRONG, also without",
}


def sessions(path):
    """(without, with)"""
    made = []
    for make in (onnxruntime.InferenceSession, tensorpad.onnxruntime.session):
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 4
        options.intra_op_num_threads = 1
        made.append(make(str(path), options, providers=["CPUExecutionProvider"]))
    return made


def turn(session, inputs, repeats):
    """Seconds of this thread, on which a session of one thread runs: others on the processor do not count."""
    start = time.thread_time()
    for _ in range(repeats):
        session.run(None, inputs)
    return time.thread_time() - start


def interval(ratios):
    """(lower, median, upper): of the median, at least 95 % by the binomial distribution."""
    ordered, count = sorted(ratios), len(ratios)
    rank, below = 0, 0.0
    while below + math.comb(count, rank) / 2**count <= 0.025:
        below += math.comb(count, rank) / 2**count
        rank += 1
    rank = max(rank - 1, 0)
    return ordered[rank], statistics.median(ordered), ordered[count - 1 - rank]


def measure(place, pairs):
    """What is known of one model: a dict, or a sentence that says why there is nothing."""
    with np.load(place / "inputs_0.npz") as arrays:
        inputs = dict(arrays)
    try:
        both = sessions(place / "model.onnx")
        answers = [session.run(None, inputs)[0] for session in both]
    except Exception as error:  # ONNX Runtime's exceptions have no class in common
        return str(error).splitlines()[0]
    wanted = np.load(place / "wanted_0.npy")
    near = CLOSE_ROUNDED if json.loads((place / "entry.json").read_text())["rounds"] else CLOSE
    scale = float(np.nanmax(np.abs(wanted), initial=0)) if wanted.dtype.kind == "f" else 0
    right = [
        answer.shape == wanted.shape
        and np.allclose(answer, wanted, rtol=0, atol=near * scale, equal_nan=True)
        for answer in answers
    ]
    repeats = max(1, int(SECONDS / max(turn(both[0], inputs, 2) / 2, 1e-9)))
    ratios, times = [], []
    for k in range(pairs):
        order = (0, 1) if k % 2 == 0 else (1, 0)
        taken = [0, 0]
        for i in order:
            taken[i] = turn(both[i], inputs, repeats) / repeats
        ratios.append(taken[1] / taken[0])
        times.append(taken)
    low, middle, high = interval(ratios)
    without, with_ = (statistics.median(column) * 1e6 for column in zip(*times))
    return {
        "model": place.name,
        "low": low,
        "median": middle,
        "high": high,
        "without": without,
        "with": with_,
        "right": right,
    }


def summary(rows):
    """The cells of a version: models, intervals above the limit, medians."""
    medians = sorted(row["median"] for row in rows)
    above = [row for row in rows if row["low"] > LIMIT]
    slower = [row for row in above if row["right"][0]]
    return [
        str(len(rows)),
        str(len(slower)),
        str(len(above) - len(slower)),
        f"{max(row['median'] for row in rows if row['right'][0]):.2f}",
        f"{statistics.geometric_mean(medians):.3f}",
        f"{medians[0]:.2f}",
        f"{sum(not row['right'][0] for row in rows)} / {sum(not row['right'][1] for row in rows)}",
    ]


def page(folder):
    """The lines of the table."""
    head = [
        "ONNX Runtime",
        "models",
        "slower",
        "slower, but right at last",
        "slowest",
        "mean",
        "fastest",
        "wrong without / with",
    ]
    yield pages.row(head)
    yield "|---" + "|--:" * (len(head) - 1) + "|"
    for path in sorted(folder.glob("times-*.json")):
        yield pages.row([path.stem.removeprefix("times-"), *summary(json.loads(path.read_text()))])


def main(arguments):
    if arguments.write:
        pages.write(arguments.write, "models", list(page(arguments.models)))
        return 0
    rows, left_out = [], []
    for entry in sorted(arguments.models.glob("*/entry.json")):
        if arguments.only not in entry.parent.name or not (entry.parent / "model.onnx").exists():
            continue
        found = measure(entry.parent, arguments.pairs)
        (
            left_out.append((entry.parent.name, found))
            if isinstance(found, str)
            else rows.append(found)
        )
    rows.sort(key=lambda row: -row["low"])
    for row in rows:
        print(
            f"{row['low']:.3f} {row['median']:.3f} {row['high']:.3f} {row['without']:10.0f} "
            f"{row['with']:10.0f} us  {row['model']}{WRONG[tuple(row['right'])]}"
        )
    for name, why in left_out:
        print(f"not run: {name}: {why[:100]}")
    above = sum(row["low"] > LIMIT for row in rows)
    medians = [row["median"] for row in rows]
    print(
        f"ONNX Runtime {onnxruntime.__version__}: {len(rows)} models, {above} with an interval above "
        f"{LIMIT}; medians {min(medians):.2f} to {max(medians):.2f}, geometric mean "
        f"{statistics.geometric_mean(medians):.3f}"
    )
    if not arguments.only:
        (arguments.models / f"times-{onnxruntime.__version__}.json").write_text(json.dumps(rows))
    return any(not row["right"][1] for row in rows)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", type=pathlib.Path)
    parser.add_argument("--pairs", type=int, default=30)
    parser.add_argument("--only", default="", help="models with this in their names")
    parser.add_argument("--write", metavar="PAGE")
    sys.exit(main(parser.parse_args()))
