"""python -m tensorpad.verify: runs a model in the runtimes of this Python and compares them with
onnx's reference evaluator. The reference of an OpenVINO IR is OpenVINO with its Pads computed by
tensorpad. SPDX-License-Identifier: MIT"""

from __future__ import annotations

import argparse
import dataclasses
import filecmp
import itertools
import pathlib
import re
import signal
import sys
import tempfile
import types
from xml.etree import ElementTree

try:
    import onnx

    from ._kit.kit import json_arrays, runtimes  # from conformance, by cmake/Python.cmake
    from ._kit.kit.runtimes import CLOSE, CLOSE_ROUNDED, Dead, Runner, distance, graphs_of
except ImportError as _error:
    if __name__ != "__main__":
        raise
    sys.exit(
        f"tensorpad.verify: {_error.name} is missing, of onnx's reference evaluator: pip install onnx"
    )

from . import __version__, check_model, lower_model
from .onnxruntime.__main__ import (
    _count,
    _difference,
    _make_inputs,
    _pair,
    _printable,
    _shape,
    _usual_extent,
)

__all__ = ["main"]

_FAILED, _BAD_MODEL, _WRONG = 1, 3, 4
_EXIT_STATUS = """\
Open extents that are not given are 1 on a first axis, else 32; at two more sizes they are larger.
exit status  0  all targets are right about OUT, or about MODEL if there is no OUT
             1  failed: a runtime is missing, or the reference has no answer
             2  wrong usage
             3  a bad model or target
             4  a target differs, refuses or crashes
"""
_STEPS = (
    lambda n: n,
    lambda n: n + 1,
    lambda n: 2 * n,
    lambda n: n + 2,
    lambda n: n + 16,
    lambda n: n + 32,
)
_MOVES = frozenset(
    "Concat Constant Expand Flatten Gather Identity Pad Reshape Shape Slice Split Squeeze Transpose "
    "Unsqueeze Broadcast Const Parameter Result ShapeOf StridedSlice VariadicSplit".split()
)
_DRAWS = frozenset(
    "Bernoulli Multinomial RandomNormal RandomNormalLike RandomUniform RandomUniformLike".split()
)


def _dim(text):
    name, number = _pair(text)
    return name, _count(0)(number)


def _arguments(words):
    parser = argparse.ArgumentParser(
        prog="python -m tensorpad.verify",
        allow_abbrev=False,
        epilog=_EXIT_STATUS,
        description="Runs a model, and what `tensorpad lower` makes of it, in the runtimes that are installed.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "model", metavar="MODEL", type=pathlib.Path, help="an .onnx file, or the .xml of an IR"
    )
    parser.add_argument(
        "out", metavar="OUT", type=pathlib.Path, nargs="?", help="what `tensorpad lower` made of it"
    )
    parser.add_argument(
        "--target",
        metavar="T,...",
        required=True,
        type=lambda text: text.split(","),
        help="runtimes, as in `tensorpad check`",
    )
    parser.add_argument(
        "--input-shape",
        metavar="NAME=1,3,224,224",
        type=_shape,
        action="append",
        default=[],
        help="the shape of an input with open extents",
    )
    parser.add_argument(
        "--dim",
        metavar="NAME=N",
        type=_dim,
        action="append",
        default=[],
        help="an open extent, by its name or as INPUT:AXIS",
    )
    parser.add_argument(
        "--timeout", metavar="SECONDS", type=_count(1), default=60, help="of one run (60)"
    )
    parser.add_argument(
        "--memory", metavar="GIB", type=_count(1), default=4, help="of a runtime, on Linux (4)"
    )
    return parser.parse_intermixed_args(words)  # OUT may follow options


def _port(port):
    """An input for _make_inputs. An open extent is its name, or the input's name and axis."""
    tensor = port.type.tensor_type
    if not tensor.HasField("shape"):
        raise ValueError(
            f"input '{port.name}' is not a tensor of known rank, so no values can be made for it"
        )
    shape = [
        dim.dim_value
        if dim.HasField("dim_value") and dim.dim_value >= 0
        else dim.dim_param or f"{port.name}:{axis}"
        for axis, dim in enumerate(tensor.shape.dim)
    ]
    word = onnx.TensorProto.DataType.Name(tensor.elem_type).lower()
    return types.SimpleNamespace(name=port.name, type=f"tensor({word})", shape=shape)


def _read(path):
    """(inputs, names of outputs, operators) of a model."""
    if path.suffix == ".xml":
        return _read_ir(path)
    try:
        model = onnx.load(path, load_external_data=False)
    except Exception as error:  # each parser of onnx has its own exceptions
        raise ValueError(f"{path} is not a model that onnx can read: {error}") from error
    weights = {tensor.name for tensor in model.graph.initializer}
    ports = [_port(port) for port in model.graph.input if port.name not in weights]
    for port in model.graph.output:
        if port.type.WhichOneof("value") not in ("tensor_type", None):
            raise ValueError(f"output '{port.name}' is not a tensor, and only tensors are compared")
    operators = {
        "Bernoulli" if node.op_type == "Dropout" and len(node.input) > 2 else node.op_type
        for graph in graphs_of(model)
        for node in graph.node
    }
    return ports, [port.name for port in model.graph.output], operators


def _read_ir(path):
    """The same for an OpenVINO IR. An open extent is its input's name and axis."""
    words = {name: word for word, name in json_arrays.OPENVINO.items()}
    layers = ElementTree.parse(path).getroot().findall("layers/layer")
    ports, names = [], []
    for layer in layers:
        name = layer.get("name", "")
        if layer.get("type") == "Parameter":
            said = layer.find("data").attrib
            if said["shape"] == "...":
                raise ValueError(
                    f"input '{name}' has no known rank, so no values can be made for it"
                )
            shape = [
                int(extent) if extent.isdigit() else f"{name}:{axis}"
                for axis, extent in enumerate(filter(None, said["shape"].split(",")))
            ]
            word = words.get(said["element_type"], said["element_type"])
            ports.append(types.SimpleNamespace(name=name, type=f"tensor({word})", shape=shape))
        elif layer.get("type") == "Result":
            names.append(layer.get("output_names", name))
    return ports, names, {layer.get("type") for layer in layers}


def _sizes(ports, shapes, dims):
    """The given shapes of all inputs, then larger ones."""
    extents = {}
    for port in ports:
        for axis, key in enumerate(port.shape):
            if isinstance(key, str):
                usual = extents.get(key, _usual_extent(port.shape, axis))
                named = dims.get(f"{port.name}:{axis}", dims.get(key, usual))
                extents[key] = shapes[port.name][axis] if port.name in shapes else named
    grown = [key for key in extents if extents[key] > 1] or list(extents)
    seen = []
    for step in _STEPS:
        now = {**extents, **{key: step(extents[key]) for key in grown}}
        if now not in seen:
            seen.append(now)
            yield {port.name: tuple(now.get(key, key) for key in port.shape) for port in ports}


def _words(shapes):
    return " ".join(f"{name}={','.join(map(str, shape))}" for name, shape in shapes.items())


def _fits(ports, shapes):
    return all(
        isinstance(key, str) or key == extent
        for port in ports
        for key, extent in zip(port.shape, shapes.get(port.name, ()))
    )


def _lower(path, out, targets, shapes):
    """Lowers for all sizes, else for the given one; returns why it cannot, or None."""
    for given in (None, shapes):
        try:
            lower_model(path, out, targets, input_shapes=given)
            return None
        except ValueError as error:
            text = str(error)
    return text


def _target(name):
    """The newest target of that runtime, and the requested version; (None, "") if Python cannot run it."""
    for target in reversed(runtimes.targets().values()):
        match = re.fullmatch(rf"{target.name.rsplit('-', 1)[0]}(?:-(\d[\d.]*))?", name)
        if match:
            return target, match[1] or ""
    return None, ""


def _runner(target, arguments):
    return Runner(runtimes.in_this_python(target), arguments.timeout, arguments.memory << 30)


def _judge(names, found, wanted, operators):
    """What is wrong with the outputs, or None. OpenCV returns one of several, in no order: the
    nearest counts."""
    triples = list(zip(names, found, wanted))
    if len(found) < len(wanted):
        triples = [
            min(zip(names, found * len(names), wanted), key=lambda triple: distance(*triple[1:]))
        ]
    quantised = any(re.search("Quant|QLinear|Integer", word) for word in operators)
    for name, one, right in triples:
        exact = operators <= _MOVES or right.dtype.kind not in "fV" and not quantised
        text, near = None, CLOSE_ROUNDED if quantised or right.dtype.itemsize < 4 else CLOSE
        if one.shape != right.shape or exact and not operators & _DRAWS:
            text = _difference([name], [one], [right], "here", "in the reference")
        elif not operators & _DRAWS and distance(one, right) > near:
            text = f"output '{name}' is off by {distance(one, right):.2g} of its largest number"
        if text:
            return f"differs: {text}"
    return None


def _cases(arguments, ports, shapes, folder):
    """[(shapes, inputs, reference outputs)]: the given size, and two more for which the reference
    has an answer."""
    model, lowered, cases = arguments.model, folder / "reference.onnx", []
    is_ir, target = model.suffix == ".xml", _target("onnx-reference")[0]
    if is_ir:
        adapter = pathlib.Path(__file__).with_name("_around_pads.py")
        target = dataclasses.replace(_target("openvino")[0], adapter=adapter)
    with _runner(target, arguments) as runner:
        name = f"onnx-reference-{runner.start()}"
        for size in _sizes(ports, shapes, dict(arguments.dim)):
            why = None if cases or is_ir else _lower(arguments.model, lowered, name, size)
            if why:
                print(_printable(f"the reference may be wrong: {why}"))
            elif not cases and not is_ir and not filecmp.cmp(model, lowered, shallow=False):
                print(
                    "the reference gets a Pad wrong, and runs what `lower` makes of the model for it"
                )
                model, ports = lowered, _read(lowered)[0]
            if not _fits(ports, size):
                break
            inputs = _make_inputs(ports, size, {}, 0)
            outputs, failure = runner.run(model, inputs)
            if outputs is not None:
                cases.append((size, inputs, outputs))
            elif not cases:
                raise runtimes.Missing(
                    ": ".join((f"the reference has no answer at {_words(size)}", *failure))
                )
            if len(cases) == 3 or failure and failure[0] == "crashes":
                break
    return cases


def _in_target(name, arguments, files, cases, judge):
    """Prints a line for each file and size; returns the status."""
    target, version = _target(name)
    if target is None:
        print(f"{name}: not run: no Python package runs it")
        return _FAILED
    package, status = target.packages[0].split("==")[0], 0
    install = f'pip install "{package}=={version}.*"' if version else f"pip install {package}"
    with _runner(target, arguments) as runner:
        try:
            installed = runner.start()
        except Dead as death:
            print(_printable(f"{name}: not run: {death}: {install}"))
            return _FAILED
        if version and not f"{installed}.".startswith(f"{version}."):
            print(f"{name}: {installed} is installed and runs instead: {install}")
            status = _FAILED
        known = f"{target.name.rsplit('-', 1)[0]}-{'.'.join(installed.split('.')[:2])}"
        for (label, path, ports), (size, inputs, wanted) in itertools.product(files, cases):
            line = f"{known}  {label}  {_words(size)}: "
            if not _fits(ports, size):
                print(_printable(f"{line}not run: its inputs have another shape"))
                continue
            outputs, failure = runner.run(path, inputs)
            text = ": ".join(failure) if failure else judge(outputs, wanted)
            print(_printable(line + (" ".join(text.split())[:300] if text else "same")))
            status = _WRONG if text and path == files[-1 if arguments.out else 0][1] else status
    return status


def _verify(arguments, folder):
    model, shapes, out = (
        arguments.model,
        dict(arguments.input_shape),
        arguments.out or folder / f"lowered{arguments.model.suffix}",
    )
    nodes = check_model(model, arguments.target, input_shapes=shapes, dims=dict(arguments.dim))
    ports, names, operators = _read(model)
    print(
        _printable(
            f"{model}: Pad nodes: {len(nodes)}; tensorpad {__version__}, onnx {onnx.__version__}"
        )
    )
    if operators & _DRAWS:
        print(
            f"only shapes are compared: the model draws numbers ({', '.join(sorted(operators & _DRAWS))})"
        )
    cases, files = _cases(arguments, ports, shapes, folder), [("model", model, ports)]
    why = None if arguments.out else _lower(model, out, arguments.target, cases[0][0])
    if why or filecmp.cmp(model, out, shallow=False):
        print(_printable(f"not lowered: {why or 'every Pad stays as it is'}"))
    else:
        theirs, *their_names = _read(out)[:2]
        if [[port.name for port in theirs], *their_names] != [
            [port.name for port in ports],
            names,
        ] or not any(_fits(theirs, size) for size, *_ in cases):
            raise ValueError(
                f"{out} is not {model} lowered: its inputs or outputs have other names or shapes"
            )
        files.append(("lowered", out, theirs))
    return max(
        _in_target(
            name,
            arguments,
            files,
            cases,
            lambda found, wanted: _judge(names, found, wanted, operators),
        )
        for name in arguments.target
    )


def main(words: list[str] | None = None) -> int:
    arguments = _arguments(words)
    try:
        with tempfile.TemporaryDirectory(prefix="tensorpad-verify-") as folder:
            return _verify(arguments, pathlib.Path(folder))
    except (Dead, KeyboardInterrupt, MemoryError, OSError, ValueError, runtimes.Missing) as error:
        print(
            f"tensorpad.verify: {_printable(str(error) or type(error).__name__)}", file=sys.stderr
        )
        return _BAD_MODEL if isinstance(error, ValueError) else _FAILED


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # leaves no runtime running
    sys.exit(main())
