"""Runs the kit in a runtime and judges each answer: same, refuses, differs, crashes or accepts.

SPDX-License-Identifier: MIT

What a case does alone in a fresh process is what counts: see `survey`.
"""

import base64
import collections
import dataclasses
import datetime
import fnmatch
import hashlib
import json
import pathlib
import platform
import re
import sys

import numpy as np
import onnx

from kit import elements, json_arrays, outcome_file, runtimes
from kit.runtimes import Dead, Missing


def tell(text):
    """Puts the text in place of the last one; nothing where standard error is no terminal."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


LONGEST = 160  # characters of a message
# The bytes that MALLOC_PERTURB_ writes: answers from uninitialised memory differ between them.
PERTURB = (85, 170)
ORDER = ("same", "accepts", "differs", "refuses", "crashes")
UNSTABLE = "cells that are not the same in each run"


@dataclasses.dataclass(frozen=True)
class Entry:
    """A case of the kit as files: the request to a worker, and what the document answers."""

    name: str
    request: dict
    outputs: list | None  # None: the document forbids the case
    nan_payloads: bool  # the bits of a NaN count too


def read_tensor(path):
    """A TensorProto in a file, as json_arrays.of_array has it."""
    proto = onnx.TensorProto()
    proto.ParseFromString(path.read_bytes())
    word = elements.WORDS[proto.data_type]
    entry = {"name": proto.name, "type": word, "shape": list(proto.dims)}
    if word == "string":
        return {**entry, "strings": [base64.b64encode(cell).decode() for cell in proto.string_data]}
    return {**entry, "data": base64.b64encode(proto.raw_data).decode()}


def read_tensors(folder, kind):
    count = len(list(folder.glob(f"{kind}_*.pb")))
    return [read_tensor(folder / f"{kind}_{k}.pb") for k in range(count)]


def read_entry(kit, case):
    """The case of one object of index.json."""
    folder = kit / case["folder"]
    [model] = folder.glob("model.[ox][nm][nl]*")
    data = folder / "test_data_set_0"
    return Entry(
        name=case["name"],
        request={"model": str(model.resolve()), "inputs": read_tensors(data, "input")},
        outputs=None if case["forbidden"] else read_tensors(data, "output"),
        nan_payloads=bool(case["tags"].get("nan_payloads")),
    )


def index_of(kit, reads=("onnx",)):
    """The objects of index.json in those folders of the kit, the forbidden ones too."""
    path = kit / "index.json"
    if not path.exists():
        raise Missing(f"no kit in {kit}: run `make kit`")
    return [
        case
        for case in json.loads(path.read_text())["cases"]
        if case["folder"].split("/")[0].removesuffix("-forbidden") in reads
    ]


def digest(cases):
    """A hash of what the index says of cases: recorded outcomes name the cases that they are of."""
    return hashlib.sha256(json.dumps(cases, sort_keys=True).encode()).hexdigest()


def clean(message):
    """A message in one line, without what differs from machine to machine and from run to run."""
    message = re.sub(r"(?<![\w.])/(?:[\w.+-]+/)+", "", message)  # folders
    message = re.sub(r"\b0x[0-9a-fA-F]{5,}\b", "an address", message)
    return " ".join(message.split())[:LONGEST]


def cells(tensor):
    """The array of one output as unsigned integers or strings, and where its cells are NaN."""
    if tensor["type"] == "string":
        return np.array(tensor["strings"], object), np.zeros(len(tensor["strings"]), bool)
    array = json_arrays.to_array(tensor).reshape(-1)
    raw = array.view(np.uint8).reshape(len(array), array.dtype.itemsize)
    with np.errstate(invalid="ignore"):
        return raw, array != array


def compare(expected, got, nan_payloads):
    """None where the output is right to the bit, else (how, message)."""
    if got["shape"] != expected["shape"]:
        return "shape", f"{got['shape']} instead of {expected['shape']}"
    if got["type"] != expected["type"]:
        return "type", f"{got['type']} instead of {expected['type']}"
    wanted, wanted_nan = cells(expected)
    found, found_nan = cells(got)
    wrong = wanted != found
    if wrong.ndim == 2:
        wrong = wrong.any(axis=1)
    if not nan_payloads:
        wrong &= ~(wanted_nan & found_nan)
    if not wrong.any():
        return None
    first = int(np.flatnonzero(wrong)[0])
    place = [int(k) for k in np.unravel_index(first, expected["shape"])]
    one, other = (json_arrays.to_array(tensor).reshape(-1)[first] for tensor in (got, expected))
    return "bits", (
        f"{int(wrong.sum())} of {wrong.size} cells are wrong, the first at {place}: "
        f"{shown(one)} instead of {shown(other)}"
    )


def shown(cell):
    """A cell for a message: a number, a NaN with its bits, or text in quotes."""
    if isinstance(cell, str):
        return repr(cell)
    bits = f" (0x{cell.tobytes()[::-1].hex()})" if cell != cell else ""
    return f"{cell}{bits}"


def judge(entry, answer):
    """The outcome of a case whose worker gave this answer."""
    if answer["stage"] != "done":
        return {"verdict": "refuses", "stage": answer["stage"], "message": clean(answer["message"])}
    if entry.outputs is None:
        return {"verdict": "accepts"}
    if len(answer["outputs"]) != len(entry.outputs):
        text = f"{len(answer['outputs'])} outputs instead of {len(entry.outputs)}"
        return {"verdict": "differs", "how": "shape", "message": text}
    for expected, got in zip(entry.outputs, answer["outputs"]):
        wrong = compare(expected, got, entry.nan_payloads)
        if wrong:
            return {"verdict": "differs", "how": wrong[0], "message": wrong[1][:LONGEST]}
    return "same"


def kind(outcome):
    """What of an outcome holds on every machine: ("same",), ("refuses", "load"), ..."""
    if outcome == "same":
        return ("same",)
    return tuple(outcome[key] for key in ("verdict", "stage", "how") if key in outcome)


def merged(outcomes):
    """The outcome of a case in several runs: the worst; a message that varies is not kept."""
    worst = max(outcomes, key=lambda outcome: ORDER.index(kind(outcome)[0]))
    if all(outcome == worst for outcome in outcomes) or "message" not in worst:
        return worst
    if worst["verdict"] == "differs":
        return {"verdict": "differs", "how": "bits", "message": UNSTABLE}
    first = [
        outcome["message"].split(":")[0]
        for outcome in outcomes
        if kind(outcome)[0] == worst["verdict"]
    ]
    return {**worst, "message": first[0] if len(set(first)) == 1 else "not the same in each run"}


class Runner(runtimes.Runner):
    """Gives cases to a worker."""

    version = None

    def ask(self, entry, perturb):
        """The outcome of a case in the worker that runs, or in a new one."""
        self.version = self.start(perturb)
        try:
            return judge(entry, self.answer(entry.request))
        except Dead as death:
            return {"verdict": "crashes", "message": clean(str(death))}

    def alone(self, entry, perturb):
        """The outcome of a case that is the only one of its process."""
        self.close()
        outcome = self.ask(entry, perturb)
        self.close()
        return outcome


def survey(target, entries, tell=lambda text: None):
    """Runs the cases; returns (version, {name: outcome}).

    All cases run twice, the second time in the opposite order and with other bytes in fresh memory.
    A case that ends its process, or comes out in two ways, may suffer from another case's fault: it
    then runs alone in a process of its own, also twice, and only that counts.
    """
    runs = collections.defaultdict(list)
    try:
        with Runner(target) as runner:
            for perturb, ordered in zip(PERTURB, (entries, entries[::-1])):
                runner.close()
                for k, entry in enumerate(ordered):
                    tell(f"{target.name}: {k + 1} of {len(ordered)}")
                    if target.forks or not crashed(runs[entry.name]):
                        runs[entry.name].append(runner.ask(entry, perturb))
            doubtful = [
                entry for entry in entries if not target.forks and not settled(runs[entry.name])
            ]
            for k, entry in enumerate(doubtful):
                tell(f"{target.name}: {k + 1} of {len(doubtful)} alone")
                runs[entry.name] = [runner.alone(entry, perturb) for perturb in PERTURB]
    except Dead as death:
        raise Missing(f"{target.name} cannot be started: {death}") from death
    return runner.version, {entry.name: merged(runs[entry.name]) for entry in entries}


def crashed(outcomes):
    return any(kind(outcome)[0] == "crashes" for outcome in outcomes)


def settled(outcomes):
    """Whether the runs among other cases say what the runtime does."""
    return not crashed(outcomes) and kind(outcomes[0]) == kind(outcomes[-1])


def processor():
    """The name of the processor."""
    told = re.search(r"^model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text(), re.M)
    return told[1] if told else "unknown processor"


def run(target, kit, pattern="*", tell=lambda text: None):
    """Surveys the cases whose names fit the pattern; returns the record as an object."""
    index = index_of(kit, target.reads)
    cases = [case for case in index if fnmatch.fnmatchcase(case["name"], pattern)]
    if not cases:
        raise Missing(f"no case of {kit} for {target.name} fits {pattern}")
    version, outcomes = survey(target, [read_entry(kit, case) for case in cases], tell)
    return {
        "target": target.name,
        "runtime": target.runtime,
        "version": version,
        "date": datetime.date.today().isoformat(),
        "platform": f"{platform.system()} {platform.machine()}, {processor()}",
        "kit": digest(cases),
        "outcomes": outcomes,
    }


def text_of(record):
    """The record as JSON, one case a line, sorted."""
    head = {key: record[key] for key in record if key != "outcomes"}
    lines = [
        f"  {json.dumps(name)}: {json.dumps(outcome, ensure_ascii=False)}"
        for name, outcome in sorted(record["outcomes"].items())
    ]
    opening = json.dumps(head, indent=1).removesuffix("\n}")
    return f'{opening},\n "outcomes": {{\n' + ",\n".join(lines) + "\n }\n}\n"


def summary(record):
    """One line: how many cases came out how."""
    counts = collections.Counter(" ".join(kind(outcome)) for outcome in record["outcomes"].values())
    counted = ", ".join(f"{count} {words}" for words, count in counts.most_common())
    return f"{record['target']} ({record['runtime']} {record['version']}): {counted}"


def recorded_text(name, pattern=None):
    """The record of that name, or its cases that fit the pattern."""
    if pattern is None:
        return outcome_file.text(name)
    record = outcome_file.read(name)
    if "outcomes" not in record:
        raise Missing(f"{name} is not recorded case by case: leave out --cases")
    kept = {
        case: outcome
        for case, outcome in record["outcomes"].items()
        if fnmatch.fnmatchcase(case, pattern)
    }
    return text_of({**record, "outcomes": kept})
