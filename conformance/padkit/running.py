"""Models in a runtime that may die, and how far its answers are off. The Python package has this file, too.

SPDX-License-Identifier: MIT
"""

import numpy as np

from . import json_arrays
from .process import Dead, Worker

CLOSE, CLOSE_ROUNDED = (
    1e-3,
    5e-2,
)  # what is the same, as a share of the largest number of the output


class Runner:
    """A runtime's worker, started again when it dies."""

    def __init__(self, target, seconds=None, size=None):
        """seconds: the longest that one run may take, if not what the adapter says. size: of memory, in bytes."""
        self.words, self.seconds, self.worker = (
            target.words(target.command),
            seconds or target.seconds,
            None,
        )
        if size:
            self.words.append(str(size))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        if self.worker:
            self.worker.close()
        self.worker = None

    def start(self, perturb=85):
        """The version of the runtime, or Dead."""
        if self.worker is None:
            self.worker = Worker(self.words, self.seconds, perturb)
        return self.worker.version

    def answer(self, request):
        """The answer of the worker, or Dead."""
        self.start()
        try:
            return self.worker.ask(request)
        finally:
            if not self.worker.usable:
                self.close()

    def run(self, path, inputs, plain=False):
        """(the outputs, None), or (None, how it failed and why). plain: told to optimise nothing."""
        entries = [{"name": name, **json_arrays.of_array(array)} for name, array in inputs.items()]
        try:
            answer = self.answer({"model": str(path.resolve()), "inputs": entries, "plain": plain})
        except Dead as death:
            return None, ("crashes", str(death))
        if answer["stage"] != "done":
            return None, ("refuses", answer["message"])
        return [json_arrays.to_array(entry) for entry in answer["outputs"]], None


def graphs_of(model):
    """The top graph, every graph inside it, and the functions."""
    found = [model.graph, *model.functions]
    for graph in found:
        found += [
            attribute.g
            for node in graph.node
            for attribute in node.attribute
            if attribute.HasField("g")
        ]
    return found


def distance(found, wanted):
    """The largest difference as a share of the largest number; infinite where shapes, texts or NaNs differ. Numbers
    above 1,000, and far above the small ones, are measured by themselves: a pad value of -1e9 hides no other."""
    found, wanted = np.asarray(found), np.asarray(wanted)
    if found.shape != wanted.shape:
        return float("inf")
    if wanted.dtype.kind in "OSU" or found.dtype.kind in "OSU":
        return 0.0 if (found == wanted).all() else float("inf")
    found, wanted = found.astype(np.float64), wanted.astype(np.float64)
    finite = np.isfinite(wanted)
    if (np.isfinite(found) != finite).any() or (
        found[~finite].astype(str) != wanted[~finite].astype(str)
    ).any():
        return float("inf")
    if not finite.any():
        return 0.0
    sizes = np.abs(wanted[finite])
    usual = sizes <= 1e3 * max(1.0, np.quantile(sizes, 0.05))
    scale = np.where(usual, sizes[usual].max() or 1.0, sizes)
    return float((np.abs(found[finite] - wanted[finite]) / scale).max())
