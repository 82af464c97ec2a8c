"""Sessions with and without the plug-in: how long they take.  SPDX-License-Identifier: MIT"""

import json
import os
import re
import statistics
import tempfile
import time

from . import _runtime, register

WARM_UP = 2
PAD_FUSION = ["Pad_Fusion"]
TRANSPOSES = ["TransposeOptimizer", "TransposeOptimizer_CPUExecutionProvider"]


class Refused(Exception):
    """ONNX Runtime's own words, on one line."""


def _words(error):
    text = re.sub(r"^\[ONNXRuntimeError\] : \d+ : \w+ : ", "", str(error).strip())
    return " ".join(text.split())


def open_session(model, threads, plugin, *, off=(), profile=None):
    """A session on the CPU. off: optimisations of ONNX Runtime that it shall not do. profile: a
    folder for the times of nodes. Raises Refused."""
    onnxruntime = _runtime._load()
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = threads
    if profile:
        options.enable_profiling = True
        options.profile_file_prefix = os.path.join(profile, "with" if plugin else "without")
    if plugin:
        register(options)
    try:
        return onnxruntime.InferenceSession(
            model, options, providers=["CPUExecutionProvider"], disabled_optimizers=list(off)
        )
    except Exception as error:  # its exceptions have no class in common
        raise Refused(_words(error)) from error


def run(session, inputs):
    """The outputs of one run. Raises Refused."""
    try:
        return session.run(None, inputs)
    except Exception as error:
        raise Refused(_words(error)) from error


def time_whole(sessions, inputs, rounds):
    """The median of the seconds of a run, for each session; they run in turns."""
    times = [[] for _ in sessions]
    for turn in range(WARM_UP + rounds):
        for session, taken in zip(sessions, times):
            start = time.perf_counter()
            run(session, inputs)
            if turn >= WARM_UP:
                taken.append(time.perf_counter() - start)
    return [statistics.median(taken) for taken in times]


def _pads_of(path):
    """The seconds of each Pad node in a profile: {name: median of the runs}."""
    with open(path, encoding="utf-8") as file:
        events = json.load(file)
    runs, now = [], {}
    for event in events:
        if event.get("cat") == "Session" and event["name"] == "model_run":
            runs.append(now)
            now = {}
        elif (
            event.get("cat") == "Node"
            and event["name"].endswith("_kernel_time")
            and event["args"].get("op_name") == "Pad"
        ):
            name = event["name"].removesuffix("_kernel_time")
            now[name] = now.get(name, 0) + event["dur"] * 1e-6
    runs = runs[WARM_UP:]
    names = dict.fromkeys(name for one in runs for name in one)
    return {name: statistics.median(one.get(name, 0) for one in runs) for name in names}


def time_pads(model, threads, plugins, inputs, rounds):
    """The times of each Pad node, for each of `plugins`: whether the plug-in is in the session.

    These are other sessions than those of time_whole, because taking times of nodes takes time."""
    with tempfile.TemporaryDirectory() as folder:
        sessions = [open_session(model, threads, plugin, profile=folder) for plugin in plugins]
        time_whole(sessions, inputs, rounds)
        return [_pads_of(session.end_profiling()) for session in sessions]
