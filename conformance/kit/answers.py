"""Small witnesses: for each rule by which a runtime gives a wrong answer, the cells of one.

SPDX-License-Identifier: MIT

A witness is a case of the kit whose elements are numbered from 1 where they do not matter, or a
small model of several nodes. `check` says which rule of which target it shows; what counts is what
the target answers, twice, with other bytes in fresh memory. The record has the numbers for people:
the playground shows them (conformance/README.md).
"""

import base64
import dataclasses
import json
import math

import numpy as np
import onnx
import onnx.numpy_helper as nh
from onnx.reference import ReferenceEvaluator
from onnx.reference.op_run import OpRun

from kit import cases, elements, json_arrays, make, outcome_file, predictions, survey
from kit.case import Case
from kit.cases.common import case
from kit.runtimes import KIT, Dead
from kit.surroundings import pad_array

ORDER = [target for targets in outcome_file.FAMILIES.values() for target in targets]
RECORD, FOLDER = "shown/answers", KIT.parent / "build/pad-answers"

# The cases that the playground has a button for: (its words, whose answer it shows first).
BUTTONS = {
    "test_two_axes_wrap_4_0_1_1": ("ONNX Runtime 1.23 returns uninitialised memory", "ort-1.23"),
    "test_two_axes_wrap_1_1_2_m1": ("OpenCV 5 shifts the columns", "opencv-5.0"),
    "test_two_axes_reflect_1_1_4_0": ("tract panics", "tract-0.23"),
    "test_two_axes_reflect_m1_2_1_1": (
        "OpenVINO mirrors cells that were cut off",
        "openvino-2026.4",
    ),
    "test_rank2_reflect_first": ("TVM reads outside the tensor", "tvm-0.27"),
}
OF_THE_KIT = """
    empty_cut_then_filled_value dims_batch_symbolic_reflect_long empty_shifted_edge_symbolic
    value_input value_constant_int32 axes_cast_int64_pads_input with_transposes_of_two_axes_back
    pads_typed_constant rank0_pads_input empty_cut_and_grow_constant opset1_float opset11_float16
    opset11_value_unused opset13_reflect_long opset21_uint4 axis_constant_n3_b1_e1
    bits_uint16_value_digits bits_float_value_minus_zero bits_float16_value_nan_payload
    openvino_zero_u2_12 openvino_digits_u32_edge_12 forbidden_wrap_opset13
    forbidden_form_pads_attribute_opset13 forbidden_form_unknown_attribute
""".split()
NOT_SHOWN = {  # rules that say `differs`, and why no answer is recorded
    "TP219": "it needs the elements of data, which `check` does not know",
}
BEYOND = 2**32 + 5  # int32 takes it for 5
MORE = [
    case("wide", "int64 beyond int32", (3,), (1, 1), "edge", type="int64", cells=(1, 2, BEYOND)),
    case("wide_value", "a pad value beyond int32", (2,), (1, 2), type="int64", cells=(1, 2),
         value=BEYOND, value_as="input", dims="constant data"),
    case("strings", "strings, without a value", (3,), (1, 2), type="string"),
    case("e8m0", "float8e8m0, without a value", (2,), (1, 2), opset=24, type="float8e8m0",
         cells=(127, 128)),
]  # fmt: skip
QUANTISED = "q = QuantizeLinear (x, s, z) d = DequantizeLinear (q, s, z)"
GRAPHS = [  # what it shows; the opset; each element is a multiple of that number; the model
    ("numbers below zero, padded by 0 before a MaxPool", 19, -1,
     "(float[1,1,3,3] x) => (float[a,b,c,d] y) <int64[8] p = {0,0,1,1,0,0,0,0}>"
     "{ a = Pad (x, p) y = MaxPool <kernel_shape=[2,2]> (a) }"),
    ("padded by 0 before an AveragePool", 19, 4,
     "(float[1,1,3,3] x) => (float[a,b,c,d] y) <int64[8] p = {0,0,1,1,0,0,0,0}>"
     "{ a = Pad (x, p) y = AveragePool <kernel_shape=[2,2]> (a) }"),
    ("axes in another order, of a Pad between two Transposes", 19, 1,
     "(float[1,2,2,3] x) => (float[a,b,c,d] y) <int64[8] p = {0,0,1,0,0,1,0,0},"
     "int64[4] axes = {3,2,1,0}> { t = Transpose <perm=[0,2,3,1]> (x) a = Pad (t, p, , axes)"
     "y = Transpose <perm=[0,3,1,2]> (a) }"),
    ("padded by 0 before a MaxPool with ceil_mode", 11, 1,
     "(float[1,1,4] x) => (float[a,b,c] y) <int64[6] p = {0,0,0,0,0,1}>"
     "{ r = Relu (x) a = Pad (r, p) y = MaxPool <kernel_shape=[2],strides=[2],ceil_mode=1> (a) }"),
    ("uneven pads by 0 before an AveragePool", 19, 2,
     "(float[1,1,3,3] x) => (float[a,b,c,d] y) <int64[8] p = {0,0,0,0,0,0,1,0}>"
     "{ a = Pad (x, p) y = AveragePool <kernel_shape=[2,1]> (a) }"),
    ("padded by 0 before an AveragePool with ceil_mode", 11, 2,
     "(float[1,1,5] x) => (float[a,b,c] y) <int64[6] p = {0,0,1,0,0,0}>"
     "{ a = Pad (x, p) y = AveragePool <kernel_shape=[2], strides=[3], ceil_mode=1> (a) }"),
    ("quantised data, padded by 1.5", 19, 0.5,
     "(float[1,1,2,3] x) => (float[a,b,c,d] y) <int64[8] p = {0,0,1,0,0,0,0,0}, float v = {1.5},"
     "float s = {0.5}, int8 z = {-2}> { " + QUANTISED + " y = Pad (d, p, v) }"),
    ("quantised data, padded along an axis of one cell", 19, 0.5,
     "(float[1,3] x) => (float[a,b] y) <int64[4] p = {1,0,0,0}, float v = {0},"
     "float s = {0.5}, uint8 z = {128}> { " + QUANTISED + " y = Pad (d, p, v) }"),
    ("quantised data, padded by 0 before an AveragePool", 19, 2,
     "(float[1,1,3,3] x) => (float[a,b,c,d] y) <int64[8] p = {0,0,1,1,0,0,0,0},"
     "float s = {0.5}, int8 z = {-2}> { " + QUANTISED + " a = Pad (d, p)"
     "y = AveragePool <kernel_shape=[2,2]> (a) }"),
    ("padded by 0 before a Conv with auto_pad, of open extents", 19, 1,
     "(float[1,1,h,w] x) => (float[a,b,c,d] y) <int64[8] p = {0,0,1,1,0,0,1,1},"
     "float[1,1,3,3] k = {1,1,1,1,1,1,1,1,1}>"
     '{ a = Pad (x, p) y = Conv <auto_pad="SAME_UPPER"> (a, k) }'),
    ("a cut before a Conv with pads, of open extents", 13, 1,
     "(float[n,1,h,w] x) => (float[a,b,c,d] y) <int64[8] p = {0,0,-1,0,0,0,0,0},"
     "float[1,1,3,3] k = {1,1,1,1,1,1,1,1,1}> { a = Pad (x, p) y = Conv <pads=[1,1,1,1]> (a, k) }"),
    ("padded by 0 before a ConvInteger with a zero point", 13, 1,
     "(uint8[1,1,2,2] x) => (int32[a,b,c,d] y) <int64[8] p = {0,0,1,1,0,0,0,0},"
     "int8[1,1,2,2] k = {1,1,1,1}, uint8 z = {128}> { a = Pad (x, p) y = ConvInteger (a, k, z) }"),
    ("an amount by Mod of an extent made negative, and 4", 13, 1,
     "(float[1,3] x) => (float[a,b] y) <int64[1] one = {1}, int64[1] four = {4},"
     "int64[3] begin = {0,0,0}> { s = Shape (x) g = Gather (s, one) n = Neg (g) m = Mod (n, four)"
     " e = Add (m, four) p = Concat <axis=0> (begin, e) y = Pad (x, p) }"),
    ("an If that gives an open value to a MaxPool", 13, 1,
     "(float[n,3,2,2] x) => (float[a,b,c,d] y) <int64[8] p = {0,0,1,1,0,0,0,0},"
     "int64 twelve = {12}> { s = Size (x) q = Equal (s, twelve) a = If <"
     "then_branch = t () => (float[a,b,c,d] u) { u = Pad (x, p) },"
     "else_branch = e () => (float[a,b,c,d] v) { v = Neg (x) }> (q)"
     "y = MaxPool <kernel_shape=[2,2]> (a) }"),
]  # fmt: skip


def numbered(one):
    """A case whose elements are 1, 2, 3 ... if which ones they are does not matter."""
    plain = elements.TYPES[one.type][0] >= 8 and "float8" not in one.type and one.type != "bool"
    count = math.prod(one.shape)
    if one.cells is not None or not plain:
        return one
    return dataclasses.replace(
        one, cells=tuple(elements.cell_of(1 + k, one.type) for k in range(count))
    )


class Pad(OpRun):
    """By the oracle of the kit: the reference implementation of ONNX does not cut."""

    def _run(self, data, pads, value=None, axes=None, mode=None):
        begin, end = [0] * data.ndim, [0] * data.ndim
        for k, axis in enumerate(range(data.ndim) if axes is None else axes):
            begin[axis], end[axis] = int(pads[k]), int(pads[k + len(pads) // 2])
        fill = 0 if value is None else value.item()
        return (pad_array(data, begin, end, mode or "constant", fill),)


def write_graph(row, folder):
    """As the kit writes a case; ONNX's reference implementation gives the answer."""
    shows, opset, factor, text = row
    head = f'<ir_version: 8, opset_import: ["": {opset}]> g '
    model = onnx.parser.parse_model(head + text)
    [x] = model.graph.input
    dims = [dim.dim_value for dim in x.type.tensor_type.shape.dim]
    shape = [extent or (1 if axis == 0 else 3) for axis, extent in enumerate(dims)]
    kind = onnx.helper.tensor_dtype_to_np_dtype(x.type.tensor_type.elem_type)
    data = (np.arange(1, 1 + math.prod(shape)).reshape(shape) * factor).astype(kind)
    [answer] = ReferenceEvaluator(model, new_ops=[Pad]).run(None, {"x": data})
    name = "test_" + shows.replace(",", "").replace(" ", "_").lower()
    given, right = (nh.from_array(*each) for each in ((data, "x"), (answer, "y")))
    files = {"model.onnx": model.SerializeToString()}
    elements.write_data(folder / "onnx" / name, files, [given], right)
    tags = {"dynamic": "known" if all(dims) else "symbolic"}
    return {"name": name, "folder": f"onnx/{name}", "shows": shows, "forbidden": None, "tags": tags}


def write_case(one, folder):
    return (make.write_onnx if isinstance(one, Case) else make.write_ir)(one, folder)


def write(folder):
    """Writes all witnesses in the layout of the kit; returns the objects of its index."""
    make.make_anew(folder)
    known = {f"test_{one.name}": one for one in (*cases.ALL, *cases.OPENVINO)}
    names = [*BUTTONS, *(f"test_{name}" for name in OF_THE_KIT)]
    return [
        *(write_case(numbered(one), folder) for one in [*map(known.get, names), *MORE]),
        *(write_graph(row, folder) for row in GRAPHS),
    ]


# ---- What a target answers ---------------------------------------------------------------------


def texts(tensor):
    """The cells of an output for people: short numbers as they are, others as text."""
    if tensor["type"] == "string":
        return [base64.b64decode(text).decode() for text in tensor["strings"]]
    array = json_arrays.to_array(tensor).reshape(-1)
    return [cell_text(cell) for cell in array]


def cell_text(cell):
    if cell != cell:
        return f"0x{cell.tobytes()[::-1].hex()}"
    value = cell.item() if isinstance(cell, np.number | np.bool_) else float(cell)
    if isinstance(value, float) and (math.isinf(value) or str(value) == "-0.0"):
        return str(value)
    if value % 1 == 0:
        return int(value) if abs(value) < 100 else str(int(value))
    return value if abs(value) < 100 and value * 2 % 1 == 0 else f"{value:.3g}"


def answers_of(entries, runner):
    """{name: what comes of a witness}, without those that are right or refused."""
    runs = {entry.name: [] for entry in entries}
    for perturb in survey.PERTURB:
        runner.close()
        for entry in entries:
            runner.version = runner.start(perturb)
            try:
                runs[entry.name].append(runner.answer({**entry.request, "alone": True}))
            except Dead as death:
                runs[entry.name].append({"stage": "dead", "message": survey.clean(str(death))})
    found = {entry.name: answer_in(entry, *runs[entry.name]) for entry in entries}
    return {name: answer for name, answer in found.items() if answer}


def answer_in(entry, *runs):
    """The answer of two runs; cells that are not the same are None."""
    for run in runs:
        if run["stage"] == "dead":
            return {"crashes": run["message"]}
    if all(run["stage"] != "done" or survey.judge(entry, run) == "same" for run in runs):
        return None
    first, second = (run["outputs"][0] for run in runs)
    cells = [a if a == b else None for a, b in zip(texts(first), texts(second), strict=True)]
    return {"type": first["type"], "shape": first["shape"], "cells": cells}


def witness(folder, entry):
    """What the record says of a witness before anybody has answered."""
    made = {"case": entry["name"], "shows": entry["shows"]}
    if entry["name"] in BUTTONS:
        words, first = BUTTONS[entry["name"]]
        tags = entry["tags"]
        problem = {"spec": f"onnx-{entry['opset']}", "shape": tags["shape"], "mode": tags["mode"]}
        made |= {"says": words, "first": first, "problem": {**problem, "pads": tags["pads"]}}
    if not entry["forbidden"]:
        [right] = survey.read_entry(folder, entry).outputs
        made |= {"type": right["type"], "shape": right["shape"], "right": texts(right)}
    return made


def is_asked(entry, target, verdict, rule):
    """Whether the rules say that its answer is wrong, or may be, or do not know the target."""
    reads = entry["folder"].split("/")[0].removesuffix("-forbidden") in target.reads
    if verdict is None:
        return reads and entry["name"] in BUTTONS
    return reads and rule is not None and verdict != "refuses"


def measure(target):
    """Records what a target answers to the witnesses of its rules."""
    entries = write(FOLDER)
    said = predictions.predict(predictions.COMMAND, FOLDER, entries)
    told = {one["name"]: said[one["name"]].get(target.name, (None, None)) for one in entries}
    asked = [one for one in entries if is_asked(one, target, *told[one["name"]])]
    with survey.Runner(target) as runner:
        found = answers_of([survey.read_entry(FOLDER, one) for one in asked], runner)
    record = outcome_file.read(RECORD)
    before = {one["case"]: one["answers"] for one in record["cases"]}
    made = []
    for name, entry in ((one["name"], one) for one in entries):
        answers = before.get(name, [])
        for one in answers:
            one["targets"] = [other for other in one["targets"] if other != target.name]
        answers = [one for one in answers if one["targets"]]
        if name in found:
            add(answers, {"rule": told[name][1], **found[name]}, target.name)
        made.append({**witness(FOLDER, entry), "answers": answers})
    known = {**record["targets"], target.name: [target.runtime, runner.version]}
    lines = ",\n ".join(json.dumps(one, ensure_ascii=False) for one in made)
    head = json.dumps({name: known[name] for name in ORDER if name in known})
    outcome_file.write(RECORD, f'{{"targets": {head},\n"cases": [\n {lines}\n]}}\n')


def add(answers, found, name):
    """Puts an answer to the others; what several versions answer is there once."""
    same = [one for one in answers if {**one, "targets": None} == {"targets": None, **found}]
    if same:
        same[0]["targets"] = sorted([*same[0]["targets"], name], key=ORDER.index)
    else:
        answers.append({"targets": [name], **found})
        answers.sort(key=lambda one: ORDER.index(one["targets"][-1]))
