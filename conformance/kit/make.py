"""Writes the kit: conformance cases of Pad as files, with an index of what each one shows.

SPDX-License-Identifier: MIT

The caller names a folder, and what an earlier run left in it is deleted. A file in the folder marks
it as one that the kit made: nothing else is ever deleted.
"""

import json
import pathlib
import shutil
import sys
import zipfile

import onnx

from kit import cases, documents, elements, ir_model, onnx_model, outcome_file
from kit.case import expected, flags, tags_of_problem

MARK = ".made-by-the-kit"
TEXT = "The scripts of tensorpad's kit made this folder. They delete its content to make it anew.\n"


def make_anew(folder):
    """An empty folder but for the mark. Ends the program where it holds what is not ours."""
    folder = pathlib.Path(folder).resolve()
    mark = folder / MARK
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not mark.exists():
            if any(folder.iterdir()):
                sys.exit(
                    f"{folder} is not empty, and not made by the kit: name another folder, "
                    "or delete this one yourself"
                )
            mark.write_text(TEXT)
        for entry in folder.iterdir():
            if entry.is_dir() and not entry.is_symlink():
                shutil.rmtree(entry)
            elif entry != mark:
                entry.unlink()
    except OSError as error:
        sys.exit(f"{folder}: {error.strerror}")


def check_zip(path, name):
    """Ends the program where a file is there that is no zip of a folder of ours of that name."""
    if not path.exists():
        return
    try:
        with zipfile.ZipFile(path) as packed:
            ours = f"{name}/{MARK}" in packed.namelist()
    except (OSError, zipfile.BadZipFile):
        ours = False
    if not ours:
        sys.exit(
            f"{path} is there, and not made by the kit: name another folder, or delete this "
            "file yourself"
        )


LIMIT = 20_000_000  # bytes of the zip file
CHECKER_FAULTS = [  # (what it says of a valid model, of which cases it may say so)
    # Version 18 allows axes of int32, but the shape inference reads constant axes as int64 only.
    (
        "ParseData type mismatch for tensor: axes. Expected:int64 Actual:int32",
        lambda case: case.axes_type == "int32",
    )
]


def entry(case, folder):
    """What the index says of a case."""
    old = case.opset < 11
    given = {
        name: None if value is None else "attribute" if old else way
        for name, value, way in (
            ("pads_as", case.pads, case.pads_as),
            ("value_as", case.value, case.value_as),
            ("axes_as", case.axes, case.axes_as),
        )
    }
    return {
        **entry_of_problem(case, folder=folder),
        "opset": case.opset,
        "tags": {
            "type": case.type,
            "mode": case.mode or "constant",
            "rank": len(case.shape),
            "shape": list(case.padded_shape),
            "pads": list(case.pads),
            "axes": case.axes if case.axes is None else list(case.axes),
            **flags(case.padded_shape, *(((), ()) if case.forbidden else case.amounts)),
            "dynamic": case.dims,
            **given,
            "value_shape": None if case.value is None else list(case.value_shape),
            "typed": case.typed,
            "nan_payloads": case.nan_payloads,
            "around": None if case.around == "nothing" else case.around,
        },
    }


def write_files(case, folder, sort, files, inputs):
    """SORT/test_NAME, as ONNX's tests lie; returns that. files: {name: bytes} of the model."""
    sort, output = sort if case.forbidden is None else f"{sort}-forbidden", None
    place = f"{sort}/test_{case.name}"
    if case.forbidden is None:
        cells, shape = expected(case)
        output = elements.tensor(case.type, shape, cells, "y")
    elements.write_data(folder / place, files, inputs, output)
    return place


def write_onnx(case, folder):
    """A model of ONNX and its data; returns the entry of the index."""
    model, inputs = onnx_model.write(case)
    if case.forbidden is None:
        check(case, model)
    files = {"model.onnx": model.SerializeToString(deterministic=True)}
    return entry(case, write_files(case, folder, "onnx", files, inputs))


def check(case, model):
    """Has ONNX's checker read the model, as far as the checker is right."""
    onnx.checker.check_model(model)
    try:
        onnx.shape_inference.infer_shapes(model, check_type=True, strict_mode=True)
    except onnx.shape_inference.InferenceError as error:
        if not any(text in str(error) and holds(case) for text, holds in CHECKER_FAULTS):
            raise


def pack(folder, path):
    """FOLDER.zip, the same bytes every time. An unfinished one lies in the folder."""
    unfinished = folder / "unfinished.zip"
    outcome_file.write_zip(
        unfinished,
        {
            f"{folder.name}/{file.relative_to(folder).as_posix()}": file.read_bytes()
            for file in folder.rglob("*")
            if file.is_file()
        },
    )
    if unfinished.stat().st_size > LIMIT:
        sys.exit(f"{unfinished} has {unfinished.stat().st_size} bytes, more than {LIMIT}")
    shutil.move(unfinished, path)


def write_kit(folder):
    """Writes the kit into a folder that is absent, empty or ours, and FOLDER.zip beside it."""
    names = [case.name for case in (*cases.ALL, *cases.OTHER)]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        sys.exit(f"two cases of the same name: {', '.join(twice)}")
    folder = folder.absolute()
    packed = folder.with_name(f"{folder.name}.zip")
    check_zip(packed, folder.name)
    make_anew(folder)
    models, arrays = write_documents(folder)
    index = {
        "kit": 1,
        "cases": [*(write_onnx(case, folder) for case in cases.ALL), *models],
        "arrays": arrays,
    }
    (folder / "index.json").write_text(json.dumps(index, indent=1) + "\n")
    pack(folder, packed)
    print(f"{len(names)} cases in {folder}; {packed} has {packed.stat().st_size:,} bytes")


MLI_BITS = {"int8": "fx8", "int16": "fx16"}


def entry_of_problem(problem, **place):
    """What the index says of a case."""
    return {
        "name": f"test_{problem.name}",
        **place,
        "shows": problem.shows,
        **documents.sources(problem),
        "forbidden": problem.forbidden,
    }


def write_ir(case, folder):
    """An IR and its data; returns the entry of the index."""
    xml, weights, inputs = ir_model.write(case)
    files = {"model.xml": xml, "model.bin": weights}
    place = write_files(case, folder, "openvino", files, inputs)
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
        **entry_of_problem(case, folder=place),
        "opset": case.opset,
        "tags": {**tags_of_problem(case), **given},
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
    "ngraph.json": (cases.NGRAPH, in_words_of_ngraph),
    "mli.json": (cases.MLI, in_words_of_mli),
    "plain.json": (cases.PLAIN, in_words_of_plain),
}


def write_arrays(folder, name):
    """FOLDER/NAME, one case a line; returns the entries of the index."""
    problems, in_words = FILES[name]
    lines, entries = [], []
    for problem in problems:
        entries.append({**entry_of_problem(problem, file=name), "tags": tags_of_problem(problem)})
        found = in_words(problem)
        if problem.forbidden is None:
            cells, shape = expected(problem)
            found["out"] = array(problem, shape, cells)
        lines.append(
            json.dumps({"name": entries[-1]["name"], **found, "forbidden": problem.forbidden})
        )
    (folder / name).write_text("[\n" + ",\n".join(lines) + "\n]\n")
    return entries


def write_documents(folder):
    """Writes all of them; returns the entries of cases with a model, and of cases as arrays."""
    models = [write_ir(case, folder) for case in cases.OPENVINO]
    return models, [entry for name in FILES for entry in write_arrays(folder, name)]
