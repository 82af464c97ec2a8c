"""Runs the models of the record in one runtime, and compares with what they are without their Pads.

SPDX-License-Identifier: MIT
"""

import numpy as np

from padkit import json_arrays
from padkit.process import Dead, Worker

SECONDS = 60  # the longest that one run may take
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

    def run(self, path, inputs):
        """(the outputs, None), or (None, how it failed)."""
        if self.worker is None:
            self.worker = Worker(self.target.words(self.target.command), SECONDS, 85)
        entries = [{"name": name, **json_arrays.of_array(array)} for name, array in inputs.items()]
        try:
            answer = self.worker.ask({"model": str(path.resolve()), "inputs": entries})
        except Dead as death:
            if not self.worker.usable:
                self.worker.close()
                self.worker = None
            return None, ("crashes", str(death))
        if answer["stage"] != "done":
            return None, ("refuses", answer["message"])
        return [json_arrays.to_array(entry) for entry in answer["outputs"]], None


def distance(found, wanted):
    """The largest difference as a share of the largest number; infinite where shapes or NaNs differ.

    Some runtimes give the outputs in another order or only the first: the first is compared.
    """
    found, wanted = np.asarray(found[0]), np.asarray(wanted[0])
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


def outcome(runner, path, control, inputs, wanted, rounds):
    """(what the target did with the Pads, why). "unjudged": it fails without them, too.

    wanted: what ONNX Runtime, told to change nothing, gives for the model without its Pads.
    """
    near = CLOSE_ROUNDED if rounds else CLOSE
    outputs, failure = runner.run(path, inputs)
    if outputs is not None and distance(outputs, wanted) <= near:
        return "same", ""
    plain, plain_failure = runner.run(control, inputs)
    if plain is None:
        return "unjudged", f"without its Pads: {plain_failure[1]}"
    if outputs is None:
        return failure
    off = distance(outputs, plain)
    if off <= near:
        return "same", ""
    if distance(plain, wanted) > near:
        return "unjudged", f"without its Pads it is off by {distance(plain, wanted):.1g}"
    return "differs", f"off by {off:.2g}"
