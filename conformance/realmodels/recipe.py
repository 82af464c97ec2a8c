"""What a model of the record is made from.

SPDX-License-Identifier: MIT
"""

import dataclasses
import json
import pathlib
import re
from collections.abc import Callable

import numpy as np
import onnx

SEED = 20261126


@dataclasses.dataclass(frozen=True)
class Recipe:
    """A model and the sizes at which it is run, its own first.

    make(path) writes an ONNX model or an IR there. shapes: for each size the shape of each input; what makes the
    inputs knows their names from the model.
    """

    name: str
    group: str
    make: Callable[[pathlib.Path], None]
    shapes: tuple[tuple[tuple[int, ...], ...], ...]
    suffix: str = ".onnx"
    rounds: bool = False  # it is quantised: sums in another order may round to the next integer
    plain: onnx.ModelProto | None = (
        None  # the same without bodies of nodes, where a Pad stands in one
    )
    low: int = 0  # the smallest integer that its inputs have


def sizes_of(shape, axes, steps):
    """The shape itself, and others that differ on the axes: as many as there are steps."""
    shapes = [tuple(shape)]
    for step in steps:
        other = list(shape)
        for axis in axes:
            other[axis] += step
        shapes.append(tuple(other))
    return tuple((shape,) for shape in shapes)


def inputs_of(model, shapes, draw, low=0):
    """An array for each input of an ONNX model, small integers from `low` on where it wants integers."""
    given = {tensor.name for tensor in model.graph.initializer}
    ports = [port for port in model.graph.input if port.name not in given]
    arrays = {}
    for port, shape in zip(ports, shapes, strict=True):
        kind = onnx.helper.tensor_dtype_to_np_dtype(port.type.tensor_type.elem_type)
        if np.issubdtype(kind, np.floating):
            arrays[port.name] = draw.standard_normal(shape).astype(kind)
        else:
            arrays[port.name] = integers(kind, shape, draw, low)
    return arrays


def integers(kind, shape, draw, low):
    if kind == bool:
        return draw.integers(0, 2, shape).astype(kind)
    return draw.integers(0 if np.issubdtype(kind, np.unsignedinteger) else low, 60, shape).astype(
        kind
    )


def slug(name):
    """The name as that of a folder."""
    return re.sub(r"[^A-Za-z0-9_.]+", "-", name)


def write_index(folder, entries):
    (folder / "index.json").write_text(json.dumps(entries, indent=1))


def read_index(folder):
    return json.loads((folder / "index.json").read_text())
