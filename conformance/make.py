#!/usr/bin/env python3
"""Writes the kit: conformance cases of Pad as files, with an index of what each one shows.

Usage: make.py FOLDER      FOLDER is made anew; beside it comes FOLDER.zip. Both must be absent, empty,
                           or of an earlier run

SPDX-License-Identifier: MIT
"""

import json
import pathlib
import shutil
import sys

import onnx
from padkit import cases, documents, elements, onnx_model, other_documents, own_folder, zip_file
from padkit.case import expected
from padkit.cases import other

LIMIT = 20_000_000  # bytes of the zip file
CHECKER_FAULTS = [  # (what it says of a valid model, of which cases it may say so)
    # Version 18 allows axes of int32, but the shape inference reads constant axes as int64 only.
    (
        "ParseData type mismatch for tensor: axes. Expected:int64 Actual:int32",
        lambda case: case.axes_type == "int32",
    ),
]


def entry(case, folder):
    """What the index says of a case."""
    begin, end = case.amounts if case.forbidden is None else (None, None)
    rank = len(case.shape)
    return {
        "name": f"test_{case.name}",
        "folder": folder,
        "shows": case.shows,
        **documents.sources(case),
        "forbidden": case.forbidden,
        "opset": case.opset,
        "tags": tags(case, rank, begin, end),
    }


def tags(case, rank, begin, end):
    """What kind of Pad it is, for those who select or count cases."""
    known, shape = begin is not None, case.padded_shape
    amounts = list(zip(begin, end)) if known else []
    crops = [min(0, b) + min(0, e) for b, e in amounts]
    return {
        "type": case.type,
        "mode": case.mode or "constant",
        "rank": rank,
        "shape": list(shape),
        "pads": list(case.pads),
        "axes": case.axes if case.axes is None else list(case.axes),
        "negative": known and any(crops),
        "mixed": known and any(b * e < 0 for b, e in amounts),
        "long": known
        and any(max(b, e) >= max(1, n + c) for (b, e), n, c in zip(amounts, shape, crops)),
        "empty": 0 in shape or known and 0 in [n + b + e for n, (b, e) in zip(shape, amounts)],
        "dynamic": case.dims,
        "pads_as": case.pads_as if case.opset >= 11 else "attribute",
        "value_as": None
        if case.value is None
        else case.value_as
        if case.opset >= 11
        else "attribute",
        "axes_as": None if case.axes is None else case.axes_as,
        "value_shape": None if case.value is None else list(case.value_shape),
        "typed": case.typed,
        "nan_payloads": case.nan_payloads,
        "around": None if case.around == "nothing" else case.around,
    }


def write_onnx(case, folder):
    """test_NAME/model.onnx and its data, as ONNX's tests lie; returns the entry of the index."""
    sort = "onnx" if case.forbidden is None else "onnx-forbidden"
    place = folder / sort / f"test_{case.name}"
    model, inputs = onnx_model.write(case)
    output = None
    if case.forbidden is None:
        check(case, model)
        cells, shape = expected(case)
        output = elements.tensor(case.type, shape, cells, "y")
    elements.write_data(place / "test_data_set_0", inputs, output)
    (place / "model.onnx").write_bytes(model.SerializeToString(deterministic=True))
    return entry(case, f"{sort}/test_{case.name}")


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
    zip_file.write(
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


def main(folder):
    names = [case.name for case in (*cases.ALL, *other.ALL)]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        sys.exit(f"two cases of the same name: {', '.join(twice)}")
    folder = folder.absolute()
    packed = folder.with_name(f"{folder.name}.zip")
    own_folder.check_zip(packed, folder.name)
    own_folder.make_anew(folder)
    models, arrays = other_documents.write(folder)
    index = {
        "kit": 1,
        "cases": [*(write_onnx(case, folder) for case in cases.ALL), *models],
        "arrays": arrays,
    }
    (folder / "index.json").write_text(json.dumps(index, indent=1) + "\n")
    pack(folder, packed)
    print(f"{len(names)} cases in {folder}; {packed} has {packed.stat().st_size:,} bytes")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]))
