"""Writes the cases of documents other than ONNX: IR files of OpenVINO, and arrays as JSON.

SPDX-License-Identifier: MIT

An array in JSON is an object with type, shape and cells: the bits of each element as an unsigned
integer. All other keys are the words of the document (conformance/README.md).
"""

import json

from padkit import documents, elements, ir_model
from padkit.cases import other
from padkit.problem import expected, tags

MLI_BITS = {"int8": "fx8", "int16": "fx16"}


def entry(problem, **place):
    """What the index says of a case."""
    return {
        "name": f"test_{problem.name}",
        **place,
        "shows": problem.shows,
        **documents.sources(problem),
        "forbidden": problem.forbidden,
    }


def write_ir(case, folder):
    """test_NAME/model.xml, model.bin and its data; returns the entry of the index."""
    sort = "openvino" if case.forbidden is None else "openvino-forbidden"
    place = folder / sort / f"test_{case.name}"
    xml, weights, inputs = ir_model.write(case)
    output = None
    if case.forbidden is None:
        cells, shape = expected(case)
        output = elements.tensor(case.type, shape, cells, "y")
    elements.write_data(place / "test_data_set_0", inputs, output)
    (place / "model.xml").write_bytes(xml)
    (place / "model.bin").write_bytes(weights)
    given = {
        "axes": None,
        "dynamic": case.dims,
        "pads_as": case.begin_as if case.end_as == "const" else case.end_as,
        "value_as": None if case.value is None else case.value_as,
        "axes_as": None,
        "value_shape": None if case.value is None else list(case.value_shape),
        "typed": False,
        "around": None,
    }
    return {
        **entry(case, folder=f"{sort}/test_{case.name}"),
        "opset": case.opset,
        "tags": {**tags(case), **given},
    }


def array(problem, shape, cells):
    return {
        "type": problem.type,
        "shape": list(shape),
        "cells": [cell.decode() if problem.type == "string" else cell for cell in cells],
    }


def in_words_of_ngraph(problem):
    found = {
        "arg": array(problem, problem.shape, problem.data),
        "arg_pad_value": problem.value
        if problem.value is None
        else array(problem, (), [problem.fill]),
        "padding_below": list(problem.begin),
        "padding_above": list(problem.end),
        "pad_mode": problem.mode.upper(),
    }
    if problem.interior is not None:
        found["padding_interior"] = list(problem.interior)
    return found


def in_words_of_mli(problem):
    """The function, the image, four amounts; a forbidden case may ask for what MLI has not."""
    found = {
        "layout": problem.document.removeprefix("mli-"),
        "elements": MLI_BITS.get(problem.type),
        "in": array(problem, problem.shape, problem.data),
        "begin": list(problem.begin),
        "end": list(problem.end),
    }
    if problem.forbidden is None:
        height, width = (0, 1) if problem.document == "mli-hwc" else (1, 2)
        found = {
            "function": f"mli_krn_padding2d_{found['layout']}_{found['elements']}",
            "padding_left": problem.begin[width],
            "padding_right": problem.end[width],
            "padding_top": problem.begin[height],
            "padding_bottom": problem.end[height],
            **found,
        }
    if problem.mode != "constant":
        found["mode"] = problem.mode
    if problem.value is not None:
        found["value"] = problem.value
    return found


def in_words_of_plain(problem):
    return {
        "in": array(problem, problem.shape, problem.data),
        "begin": list(problem.begin),
        "end": list(problem.end),
        "interior": None if problem.interior is None else list(problem.interior),
        "mode": problem.mode,
        "order": problem.order,
        "value": array(problem, (), [problem.fill]),
    }


FILES = {  # file: (its cases, the function that says one in the document's words)
    "ngraph.json": (other.NGRAPH, in_words_of_ngraph),
    "mli.json": (other.MLI, in_words_of_mli),
    "plain.json": (other.PLAIN, in_words_of_plain),
}


def write_arrays(folder, name):
    """FOLDER/NAME, one case a line; returns the entries of the index."""
    problems, in_words = FILES[name]
    lines, entries = [], []
    for problem in problems:
        entries.append({**entry(problem, file=name), "tags": tags(problem)})
        found = in_words(problem)
        if problem.forbidden is None:
            cells, shape = expected(problem)
            found["out"] = array(problem, shape, cells)
        lines.append(
            json.dumps({"name": entries[-1]["name"], **found, "forbidden": problem.forbidden})
        )
    (folder / name).write_text("[\n" + ",\n".join(lines) + "\n]\n")
    return entries


def write(folder):
    """Writes all of them; returns the entries of cases with a model, and of cases as arrays."""
    models = [write_ir(case, folder) for case in other.OPENVINO]
    return models, [entry for name in FILES for entry in write_arrays(folder, name)]
