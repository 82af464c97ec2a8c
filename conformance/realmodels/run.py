"""Runs the models of the record in one runtime, and compares with what they are without their Pads.

SPDX-License-Identifier: MIT
"""

import numpy as np
import onnx

from padkit import json_arrays
from padkit.process import Dead, Worker
from padkit.without_pad import put_identities
from realmodels import control as without

SECONDS = 60  # the longest that one run may take
ANYWAY = "it is wrong with Identities instead of its Pads, too"
CLOSE, CLOSE_ROUNDED = 1e-3, 5e-2  # what is the same, as a share of the largest number of the output


class Runner:
    """A target's worker, started again when it dies."""

    def __init__(self, target):
        self.target, self.worker = target, None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.worker:
            self.worker.close()

    def run(self, path, inputs, plain=False):
        """(the outputs, None), or (None, how it failed). plain: told to optimise nothing."""
        if self.worker is None:
            self.worker = Worker(self.target.words(self.target.command), SECONDS, 85)
        entries = [{"name": name, **json_arrays.of_array(array)} for name, array in inputs.items()]
        try:
            answer = self.worker.ask({"model": str(path.resolve()), "inputs": entries, "plain": plain})
        except Dead as death:
            if not self.worker.usable:
                self.worker.close()
                self.worker = None
            return None, ("crashes", str(death))
        if answer["stage"] != "done":
            return None, ("refuses", answer["message"])
        return [json_arrays.to_array(entry) for entry in answer["outputs"]], None


def distance(found, wanted):
    """The largest of each output's; of the first alone where a runtime gives no other."""
    return max(map(distance_of_one, found[:len(wanted)], wanted), default=0.0)


def distance_of_one(found, wanted):
    """The largest difference as a share of the largest number; infinite where shapes or NaNs differ."""
    found, wanted = np.asarray(found), np.asarray(wanted)
    if found.shape != wanted.shape:
        return float("inf")
    if found.size == 0:
        return 0.0
    found, wanted = found.astype(np.float64), wanted.astype(np.float64)
    finite = np.isfinite(wanted)
    if (np.isfinite(found) != finite).any() or (found[~finite].astype(str) != wanted[~finite].astype(str)).any():
        return float("inf")
    if not finite.any():
        return 0.0
    scale = np.abs(wanted[finite]).max()
    return float(np.abs(found[finite] - wanted[finite]).max() / (scale or 1.0))


def is_wrong_anyway(runner, path, inputs, near, plain):
    """Whether the model is wrong, too, with an Identity in place of each Pad."""
    if path.suffix != ".onnx":
        return False
    model, place = onnx.load(path), path.with_name(f"identities-{path.name}")
    put_identities(model)
    try:
        wanted = without.session(model).run(None, inputs)
    except Exception:  # the other nodes do not take the data as it is
        return False
    onnx.save(model, place)
    outputs, _ = runner.run(place, inputs, plain)
    return outputs is None or distance(outputs, wanted) > near


def outcome(runner, path, control, inputs, wanted, rounds, plain=False):
    """(what the target did with the Pads, why). "unjudged": it fails without them, too.

    wanted: what ONNX Runtime, told to change nothing, gives for the model without its Pads.
    """
    near = CLOSE_ROUNDED if rounds else CLOSE
    outputs, failure = runner.run(path, inputs, plain)
    if outputs is not None and distance(outputs, wanted) <= near:
        return "same", ""
    bare, bare_failure = runner.run(control, inputs, plain)
    if bare is None:
        return "unjudged", f"without its Pads: {bare_failure[1]}"
    off = distance(outputs, bare) if outputs is not None else float("inf")
    if off <= near:
        return "same", ""
    if distance(bare, wanted) > near:
        return "unjudged", f"without its Pads it is off by {distance(bare, wanted):.1g}"
    if is_wrong_anyway(runner, path, inputs, near, plain):
        return "unjudged", ANYWAY
    return failure or ("differs", f"off by {off:.2g}")
