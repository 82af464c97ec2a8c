#!/usr/bin/env python3
"""Runs models in one runtime for the survey: a JSON line in, a JSON line out (README.md).

Usage: worker.py ADAPTER [BYTES]      ADAPTER is a file of conformance/adapters, BYTES a limit of
memory

The Python package has this file, too.

SPDX-License-Identifier: MIT

Needs numpy, ml_dtypes and the runtime, nothing else. Whatever the runtime prints goes to stderr.
"""

import importlib.util
import json
import os
import signal
import sys

from kit import json_arrays


def load_adapter(path):
    """The adapter as a module. Its own name would hide the package of the same name."""
    spec = importlib.util.spec_from_file_location("adapter", path)
    adapter = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(adapter)
    return adapter


def answer(adapter, request):
    """What the runtime makes of one model and its inputs."""
    stage = "load"
    try:
        load = adapter.load_plain if request.get("plain") else adapter.load
        model = load(request["model"])
        stage = "run"
        inputs = {entry["name"]: json_arrays.to_array(entry) for entry in request["inputs"]}
        outputs = adapter.run(model, inputs)
    except Exception as refusal:
        return {"stage": stage, "message": str(refusal) or type(refusal).__name__}
    return {"stage": "done", "outputs": [json_arrays.of_array(array) for array in outputs]}


def forked(adapter, request, answers):
    """Gives the answer from a copy of this process, which may die."""
    child = os.fork()
    if child == 0:
        signal.alarm(600)  # it must not live on where the survey ends this process meanwhile
        print(json.dumps(answer(adapter, request)), file=answers, flush=True)
        os._exit(0)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status:
        print(json.dumps({"stage": "dead", "status": status}), file=answers, flush=True)


def limit_memory(size):
    """What it takes from now on, where the system counts that; Windows has no such limit."""
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (size, size))
    except (ImportError, OverflowError, ValueError) as error:
        print(f"no limit of memory: {error}", file=sys.stderr)


def main(path, size=None):
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    sys.stdout.reconfigure(line_buffering=True)  # so that last words are not lost
    if size:
        limit_memory(int(size))
    adapter = load_adapter(path)
    print(json.dumps({"version": adapter.version()}), file=answers, flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        forks = getattr(adapter, "FORKS", False) or request.get("alone")
        if forks and hasattr(os, "fork"):
            forked(adapter, request, answers)
            continue
        print(json.dumps(answer(adapter, request)), file=answers, flush=True)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
