"""Models in files: inspect_model, check_model, lower_model, run_model; and explain.  SPDX-License-Identifier: MIT"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import numpy

from . import _core, _models
from ._arrays import source
from ._spec import ONNX, ONNX_TYPES, type_word

if TYPE_CHECKING:
    from numpy.typing import NDArray

    class _ModelProto(Protocol):
        def SerializeToString(self) -> bytes: ...

    _Model: TypeAlias = str | PathLike[str] | _ModelProto | bytes | bytearray | memoryview


def pack(values, bits):
    """Packs values of one byte each, the first in the low bits."""
    each = 8 // bits
    padded = numpy.zeros(-(-values.size // each) * each, numpy.uint8)
    padded[: values.size] = values & ((1 << bits) - 1)
    result = numpy.zeros(padded.size // each, numpy.uint8)
    for place in range(each):
        result |= padded[place::each] << (place * bits)
    return result


def unpack(buffer, bits, count):
    """Unpacks to one byte per value, in its low bits, as in ml_dtypes."""
    each = 8 // bits
    result = numpy.empty(buffer.size * each, numpy.uint8)
    for place in range(each):
        result[place::each] = buffer >> (place * bits) & ((1 << bits) - 1)
    return result[:count]


# ---- Models --------------------------------------------------------------------------------------


FEATURES = _models.features
# Types of less than a byte: one byte per value in NumPy, packed in a model.
SUB_BYTE = {"uint4": 4, "int4": 4, "float4e2m1": 4, "uint2": 2, "int2": 2}


@dataclasses.dataclass(frozen=True)
class PadNode:
    """One Pad node of a model. A field is None if the file does not contain it.

    name, graph: graph is "" for the top graph
    output: the name of what it writes
    spec, version: "onnx" or "openvino", and the version of Pad
    mode, type: type as the specification calls it
    input_shape, output_shape: unknown extents are None
    begin, end, axes, value: the arguments
    computed: the names of arguments that are known only at run time
    findings: what the specification forbids here, and where runtimes are known to differ
    """

    name: str
    graph: str
    output: str | None
    spec: str
    version: int | None
    mode: str | None
    type: str | None
    input_shape: tuple[int | None, ...] | None
    output_shape: tuple[int | None, ...] | None
    begin: tuple[int, ...] | None
    end: tuple[int, ...] | None
    axes: tuple[int, ...] | None
    value: str | None
    computed: tuple[str, ...]
    findings: tuple[str, ...]


_SHAPE, _EXTENT, _LEAST = range(3)  # TPAD_SAYS_... of models/models.h


def _said(argument, given, owners, says):
    """The items of one argument, which is a dict by name."""
    if given is not None and not isinstance(given, Mapping):
        raise TypeError(f"{argument} has to be a dict by the names of {owners}, got {given!r}")
    for name, numbers in (given or {}).items():
        if not isinstance(name, str):
            raise TypeError(f"{argument} has to be a dict by names of {owners}, got {name!r}")
        what = f"{argument}: the {'shape' if says == _SHAPE else 'extent'} of {name!r}"
        yield name.encode(), _core.shape(numbers if says == _SHAPE else (numbers,), what), says


def _source(model):
    """The model's name in errors, and its bytes, or None if they are in the file of that name."""
    if isinstance(model, (str, os.PathLike)):
        return os.fspath(model), None
    content = model.SerializeToString() if hasattr(model, "SerializeToString") else model
    if isinstance(content, (bytes, bytearray, memoryview)):
        return "the model", bytes(content)
    raise TypeError(
        f"a model has to be a path, an onnx.ModelProto or its bytes, got {type(model).__name__}"
    )


def load(
    model: _Model,
    input_shapes: Mapping[str, Sequence[int]] | None = None,
    dims: Mapping[str, int] | None = None,
    assume: Mapping[str, int] | None = None,
) -> Any:
    """Loads a model from a file or bytes, for tensorpad._models."""
    name, content = _source(model)
    if content is None:
        os.stat(name)  # raises Python's own FileNotFoundError
    said = [
        *_said("input_shapes", input_shapes, "inputs", _SHAPE),
        *_said("dims", dims, "dimensions", _EXTENT),
        *_said("assume", assume, "dimensions", _LEAST),
    ]
    return _models.load(os.fsencode(name), content, said)


def inspect_model(
    path: _Model,
    *,
    input_shapes: Mapping[str, Sequence[int]] | None = None,
    dims: Mapping[str, int] | None = None,
    assume: Mapping[str, int] | None = None,
) -> list[PadNode]:
    """Every Pad node of an ONNX model or an OpenVINO IR, as a list of PadNode.

    path: the path of an .onnx file or of the .xml of an IR, an onnx.ModelProto, or its bytes, which
        are not written to a file. Only a path can have external data.
    input_shapes: {name: shape} of inputs whose shape the file leaves open. The results then also
        contain what follows from these shapes.
    dims: {name: extent} of dimensions, by their names in the file or as "INPUT:AXIS".
    assume: {name: extent}: a dimension's least extent in every run.
    """
    return [PadNode(**node) for node in _models.pads(load(path, input_shapes, dims, assume))]


def check_model(
    path: _Model,
    targets: str | Iterable[str] | None = None,
    *,
    input_shapes: Mapping[str, Sequence[int]] | None = None,
    dims: Mapping[str, int] | None = None,
    assume: Mapping[str, int] | None = None,
) -> list[dict[str, Any]]:
    """What runtimes do with every Pad node of an ONNX model or an OpenVINO IR.

    path: as in inspect_model.
    targets: names such as "ort-1.31", "openvino" (the newest) or "ort-1.25"; None: all targets
        that tensorpad knows.
    input_shapes, dims, assume: as in inspect_model.

    Returns a list of dicts, one for each node: name (of its output if the node has none), graph,
    opset, mode, type, input_shape, output_shape, begin, end, axes and value as in PadNode, and
    verdicts, one dict for each target: target, verdict ("same", "unknown", "accepts", "differs",
    "refuses" or "crashes"), code (of the rule that decides, or None), measured (False if the rule
    comes from the runtime's documentation only), missing (the fact that an unknown verdict lacks:
    "extent", "pads" ..., or None), axis (that the verdict is about, or None), text, and same_if:
    None, or for an unknown verdict a list of {"axis", "least"}: from which extents on it is "same".
    """
    if targets is not None:
        targets = (targets,) if isinstance(targets, str) else tuple(targets)
    return _models.check(load(path, input_shapes, dims, assume), targets)


def lower_model(
    path: _Model,
    out: str | PathLike[str],
    targets: str | Iterable[str],
    *,
    input_shapes: Mapping[str, Sequence[int]] | None = None,
    dims: Mapping[str, int] | None = None,
    assume: Mapping[str, int] | None = None,
    partial: bool = False,
    lenient: bool = False,
    fold: bool = False,
) -> list[dict[str, Any]]:
    """Writes a model with other operators in place of the Pads that a target gets wrong.

    path: as in inspect_model.
    out: another file with the same ending, which is overwritten; for an IR, its .bin is written
        beside it. External data is copied into another folder under the same names; a file that
        exists there must be equal.
    targets: names as in check_model, at least one. The new operators are only ones that all targets
        ran correctly in measurements.
    input_shapes, dims, assume: as in inspect_model. The inputs of `out` then have these shapes and
        extents, unless `out` is right for all shapes. `out` relies on `assume`, but cannot check it.
    partial: True writes `out` even if some nodes cannot be lowered; they stay as they are.
    lenient: True takes mode wrap below opset 19, as torch writes it, for what it means there.
    fold: True first makes Pads attributes of the Conv or pool after them, and neighbouring Pads one,
        where the answer stays the same. ONNX models only.

    Returns a list of dicts, one for each Pad node: graph, name (of its output if the node has
    none), outcome ("kept", "rewritten", "cannot" or "folded"), target and verdict (the worst of all
    targets), code and text (of the rule that decides), operators (the new ones, as "Slice x2,
    Concat"), reason (why the node cannot be lowered), into (the node that took it over, as "Conv
    conv_1"; "" if it added nothing) and not_folded (with fold: why it is not folded). An entry that
    does not apply is None.

    Raises ValueError, and writes nothing, if a node cannot be lowered and partial is False: it names
    the first such node and counts them.
    """
    targets = (targets,) if isinstance(targets, str) else tuple(targets)
    nodes = _models.lower(
        load(path, input_shapes, dims, assume),
        targets,
        os.fsencode(out),
        partial,
        lenient,
        False,
        fold,
    )
    cannot = [node for node in nodes if node["outcome"] == "cannot"]
    if cannot and not partial:
        first = cannot[0]
        name = "/".join(part for part in (first["graph"], first["name"]) if part)
        why = first["text"] if first["verdict"] == "unknown" else first["reason"]
        raise ValueError(
            f"{_source(path)[0]}: {len(cannot)} of {len(nodes)} Pad nodes cannot be "
            f"lowered, and nothing is written; the first is {name!r}: {why}; "
            "partial=True lowers the others"
        )
    return nodes


def explain(code: str) -> dict[str, Any]:
    """The full explanation of a rule of check_model, such as "TP104".

    Returns a dict: code, verdict, title, text, example, ways_out, source (the document that the
    rule comes from, or None if the rule was measured) and targets.
    """
    return _models.rule(code)


def _dtype(word):
    """The NumPy dtype for a type of ONNX; bytes of its width where ml_dtypes is missing."""
    names = {onnx: ours for ours, onnx in ONNX_TYPES.items()}
    name = names.get(word, word)
    try:
        return numpy.dtype(name)
    except TypeError:
        pass
    try:
        import ml_dtypes

        return numpy.dtype(getattr(ml_dtypes, name))
    except (ImportError, AttributeError):
        return numpy.dtype("u2" if word == "bfloat16" else "u1")


def _given(array, wanted):
    """An input as the extension takes it: (type, shape, dense buffer or list of bytes)."""
    dtype = None if wanted is None or wanted == "string" else _dtype(wanted)
    if not hasattr(array, "dtype") and not hasattr(array, "__dlpack__"):
        array = numpy.asarray(array, dtype)
    array = source(array).array
    word = type_word(array.dtype, ONNX)
    if word == "string":
        texts = [
            item if isinstance(item, bytes) else str(item).encode()
            for item in array.reshape(-1).tolist()
        ]
        return word, array.shape, texts
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    dense = numpy.ascontiguousarray(array).reshape(-1)
    if word in SUB_BYTE:
        return word, array.shape, pack(dense.view(numpy.uint8), SUB_BYTE[word])
    return word, array.shape, dense.view(numpy.uint8)


def _taken(word, shape, data):
    """An output of the extension as an array."""
    if word == "string":
        handles = numpy.empty(len(data), object)
        handles[:] = [text.decode("utf-8", "replace") for text in data]
        return handles.reshape(shape)
    count = 1
    for extent in shape:
        count *= extent
    raw = numpy.frombuffer(data, numpy.uint8)
    if word in SUB_BYTE:
        raw = unpack(raw, SUB_BYTE[word], count)
    return raw.view(_dtype(word)).reshape(shape)


def run_model(
    path: _Model,
    inputs: Mapping[str, Any] | Any = None,
    *,
    node: str | None = None,
    lenient: bool = False,
    threads: int | None = None,
    max_bytes: int | None = None,
) -> dict[str, NDArray[Any]]:
    """Runs a model made of Pad nodes and constants, or one Pad node of any model.

    path: as in inspect_model.
    inputs: {name: array}, or one array if the model has one input.
    node: the name of a Pad node, or of its output; "graph/name" in a subgraph.
    lenient: True also computes what the version forbids, if its meaning is clear.
    threads: how many threads may share the work; tensorpad.thread_count() if None.
    max_bytes: how many bytes all results of the model may have together, those between its nodes too;
        a quarter of the machine's memory if None.

    Returns {name: array}, one for each output.
    """
    model, (path, _) = load(path), _source(path)
    wanted, produced = _models.ports(model, node)
    names = [name for name, _, _ in wanted]
    if inputs is None:
        inputs = {}
    elif not isinstance(inputs, dict):
        if len(names) != 1:
            raise ValueError(f"{path} has the inputs {', '.join(names)}: give a dict of them")
        inputs = {names[0]: inputs}
    for name in inputs:
        if name not in names:
            raise ValueError(f"{path} has no input {name!r}; it has {', '.join(names) or 'none'}")
    for name, word, _ in wanted:
        if name not in inputs:
            raise ValueError(f"{path}: input {name!r} ({word or 'of unknown type'}) is missing")
    arrays = [_given(inputs[name], word) for name, word, _ in wanted]
    if threads is None:
        threads = _core.thread_count()
    threads = _core.integer(threads, "threads", "an integer")
    if not 1 <= threads < 2**31:
        raise ValueError(f"threads has to be at least 1 and below 2**31, got {threads}")
    if max_bytes is not None and _core.integer(max_bytes, "max_bytes", "an integer") < 1:
        raise ValueError(f"max_bytes has to be at least 1, got {max_bytes}")
    results = _models.run(model, node, arrays, lenient, threads, max_bytes or 0)
    return {name: _taken(*result) for (name, _, _), result in zip(produced, results)}
