"""Records, cell by cell, what runtimes answer in a few cases of the kit. The playground shows them.

SPDX-License-Identifier: MIT

The record of a survey says how many cells of an answer are wrong, not which. The cases have
elements that are numbered from 1 here, so that a reader sees which element a cell repeats.
"""

import dataclasses
import json
import math
import pathlib
import sys
import tempfile

from onnx import numpy_helper

from kit import cases, elements, json_arrays, onnx_model, outcome_file, runtimes, survey
from kit.case import expected
from kit.runtimes import Dead, Runner

NAME = "shown/answers"  # in outcomes.zip


@dataclasses.dataclass(frozen=True)
class Shown:
    """A case, what a reader sees there, and the target whose answer shows it."""

    case: str
    says: str
    target: str


SHOWN = (
    Shown(
        "two_axes_wrap_4_0_1_1", "ONNX Runtime 1.23 answers memory that nobody wrote", "ort-1.23"
    ),
    Shown("two_axes_wrap_1_1_2_m1", "OpenCV 5 shifts the columns", "opencv-5.0"),
    Shown("two_axes_reflect_1_1_4_0", "tract panics", "tract-0.23"),
    Shown(
        "two_axes_reflect_m1_2_1_1", "OpenVINO mirrors cells that were cut off", "openvino-2026.4"
    ),
    Shown("rank2_reflect_first", "TVM reads outside the tensor", "tvm-0.27"),
)


def numbered(name):
    """The case of that name, with elements that are numbered from 1."""
    [found] = [case for case in cases.ALL if case.name == name]
    count = math.prod(found.shape)
    return dataclasses.replace(
        found, cells=tuple(elements.cell_of(k + 1, found.type) for k in range(count))
    )


def request_of(case, folder):
    """The request to a worker: the model in the folder, and the data."""
    model, [data] = onnx_model.write(case)
    path = folder / f"{case.name}.onnx"
    path.write_bytes(model.SerializeToString(deterministic=True))
    array = json_arrays.of_array(numpy_helper.to_array(data))
    return {"model": str(path), "inputs": [{"name": data.name, **array}]}


def asked(target, request):
    """What the target answers in two processes with different bytes in fresh memory."""
    answers = []
    for perturb in survey.PERTURB:
        with Runner(target) as runner:
            runner.start(perturb)
            answers.append(runner.answer(request))
    return answers


def answer_of(target, request):
    """The shape and the cells of the target's answer, or how it died. A cell that nobody wrote is
    null.
    """
    try:
        answers = asked(target, request)
    except Dead as death:
        return {"crashes": survey.clean(str(death))}
    arrays = [json_arrays.to_array(answer["outputs"][0]) for answer in answers]
    cells = [[float(cell) for cell in array.reshape(-1)] for array in arrays]
    same = [one if one == other else None for one, other in zip(*cells, strict=True)]
    return {"shape": list(arrays[0].shape), "cells": same}


def wrong_records(shown):
    """The records of the targets whose answer is recorded: that of the case, and of each runtime
    the newest version whose outcome is another answer or a crash.
    """
    name = f"test_{shown.case}"
    wrong = [
        record
        for record in outcome_file.records()
        if record.verdict(name) in ("differs", "crashes")
    ]
    newest = {record.family: record.target for record in wrong}  # older versions come first
    chosen = {shown.target, *newest.values()}
    return sorted(
        (record for record in wrong if record.target in chosen),
        key=lambda record: record.target != shown.target,
    )


def record_of(shown, known, folder):
    """All that is recorded of a case: its problem, the right answer, and the wrong ones."""
    case = numbered(shown.case)
    request = request_of(case, folder)
    answers = {}
    for record in wrong_records(shown):
        print(f"{case.name}: {record.target}", file=sys.stderr)
        answers[record.target] = {
            "runtime": record.family,
            "version": record.column,
            **answer_of(known[record.target], request),
        }
    cells, shape = expected(case)
    right = numpy_helper.to_array(elements.tensor(case.type, shape, cells)).reshape(-1)
    return {
        "case": f"test_{case.name}",
        "says": shown.says,
        "problem": {
            "spec": f"onnx-{case.opset}",
            "shape": list(case.shape),
            "mode": case.mode,
            "pads": list(case.pads),
        },
        "right": [float(cell) for cell in right],
        "answers": answers,
    }


def record(known, install):
    """Asks the runtimes of all cases, and records their answers."""
    for name in sorted({record.target for shown in SHOWN for record in wrong_records(shown)}):
        if install:
            runtimes.install(known[name])
        runtimes.check_installed(known[name])
    with tempfile.TemporaryDirectory() as folder:
        records = [record_of(shown, known, pathlib.Path(folder)) for shown in SHOWN]
    lines = ",\n".join(f" {json.dumps(record)}" for record in records)
    outcome_file.write(NAME, f'{{"cases": [\n{lines}\n]}}\n')
