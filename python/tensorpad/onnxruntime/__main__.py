"""python -m tensorpad.onnxruntime: a model with and without the plug-in.
SPDX-License-Identifier: MIT"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import sys
import tempfile
import time

import numpy

import tensorpad

from . import _load, _version_of, register

# ---- Random inputs -------------------------------------------------------------------------------


# The types of ONNX that NumPy has, as ONNX Runtime writes them.
DTYPES = {"float": "float32", "double": "float64", "string": "object"} | {
    word: word for word in "float16 bool int8 int16 int32 int64 uint8 uint16 uint32 uint64".split()
}


def _dtype(port):
    word = port.type.removeprefix("tensor(").removesuffix(")")
    if word not in DTYPES:
        raise ValueError(f"input '{port.name}' is {port.type}, for which NumPy has no type")
    return numpy.dtype(DTYPES[word])


def _check_shape(port, shape):
    """ValueError unless the model takes this shape. ONNX Runtime also gives [] for an unknown shape."""
    fits = not port.shape or (
        len(shape) == len(port.shape)
        and all(
            extent == wanted or not isinstance(wanted, int)
            for extent, wanted in zip(shape, port.shape)
        )
    )
    if not fits:
        raise ValueError(
            f"input '{port.name}' has the shape {port.shape} in the model, and cannot "
            f"have {list(shape)}"
        )


def _random(generator, dtype, shape):
    if dtype.kind == "f":
        return generator.standard_normal(shape).astype(dtype)
    if dtype.kind == "O":
        return numpy.array(["", "pad", "tensor"], object)[generator.integers(0, 3, shape)]
    if dtype.itemsize == 1 and dtype.kind in "iu":
        limits = numpy.iinfo(dtype)
        return generator.integers(limits.min, limits.max + 1, shape).astype(dtype)
    return generator.integers(0, 2, shape).astype(dtype)


def _usual_extent(shape, axis):
    """The default of an open extent; a first axis is a batch."""
    return 1 if axis == 0 and len(shape) > 1 else 32


def _make_inputs(ports, shapes, arrays, seed):
    """One array for each input, by name.

    ports: inputs of a session. shapes: {name: tuple} for inputs with open extents, else
    _usual_extent; a named extent is the same in all inputs. arrays: {name: array} of inputs that
    are not random. Integers of more than 8 bits are 0 or 1, because many are indices or counts.
    Raises ValueError.
    """
    names = [port.name for port in ports]
    for name in [*shapes, *arrays]:
        if name not in names:
            raise ValueError(
                f"the model has no input '{name}'; it has {', '.join(names) or 'none'}"
            )
    extents = {}
    for port in ports:
        shape = arrays[port.name].shape if port.name in arrays else shapes.get(port.name)
        if shape is not None:
            _check_shape(port, shape)
            extents.update(
                (key, extent) for key, extent in zip(port.shape, shape) if isinstance(key, str)
            )
    generator = numpy.random.default_rng(seed)
    inputs = {}
    for port in ports:
        dtype = _dtype(port)
        if port.name in arrays:
            inputs[port.name] = arrays[port.name].astype(dtype)
            continue
        shape = shapes.get(port.name)
        if shape is None:
            shape = [
                extent
                if isinstance(extent, int)
                else extents.setdefault(extent or object(), _usual_extent(port.shape, axis))
                for axis, extent in enumerate(port.shape)
            ]
        array = _random(generator, dtype, shape)
        inputs[port.name] = numpy.asarray(array, dtype)
    return inputs


# ---- Comparing two runs --------------------------------------------------------------------------


def _different(one, other):
    """True for each element that differs in any bit; one-dimensional."""
    if one.dtype.kind == "O":
        return numpy.array([a != b for a, b in zip(one.reshape(-1), other.reshape(-1))], bool)
    width = one.dtype.itemsize
    a, b = (
        numpy.ascontiguousarray(array).reshape(-1).view("u1").reshape(-1, width)
        for array in (one, other)
    )
    return (a != b).any(axis=1)


def _tell(name, one, other, this, that):
    if not isinstance(one, numpy.ndarray):
        return None if repr(one) == repr(other) else f"{name} differs"
    if one.dtype != other.dtype or one.shape != other.shape:
        a, b = (f"{array.dtype}{list(array.shape)}" for array in (one, other))
        return f"{name} is {a} {this} and {b} {that}"
    where = _different(one, other)
    if not where.any():
        return None
    first = int(where.argmax())
    place = [int(index) for index in numpy.unravel_index(first, one.shape)]
    return (
        f"{int(where.sum())} of {where.size} elements of {name} differ, the first at {place}: "
        f"{one.reshape(-1)[first]} {this} and {other.reshape(-1)[first]} {that}"
    )


def _difference(names, ones, others, this="without", that="with"):
    """Describes the first output that is not bit-identical; None if all are. this, that: names of
    the two sides."""
    for name, one, other in zip(names, ones, others):
        text = _tell(f"output '{name}'", one, other, this, that)
        if text:
            return text
    return None


def _alike(ones, others):
    """Whether outputs are equal up to the rounding of another summation order."""
    for one, other in zip(ones, others):
        if not isinstance(one, numpy.ndarray) or one.dtype.kind not in "fc":
            if _difference([""], [one], [other]):
                return False
        elif one.shape != other.shape or not numpy.allclose(one, other, 1e-2, 1e-3, True):
            return False
    return True


# ---- Sessions with and without the plug-in -------------------------------------------------------


WARM_UP = 2
PAD_FUSION = ["Pad_Fusion"]
TRANSPOSES = ["TransposeOptimizer", "TransposeOptimizer_CPUExecutionProvider"]


class Refused(Exception):
    """ONNX Runtime's own words, on one line."""


def _words(error):
    text = re.sub(r"^\[ONNXRuntimeError\] : \d+ : \w+ : ", "", str(error).strip())
    return " ".join(text.split())


def _open_session(model, threads, plugin, *, off=(), profile=None):
    """A session on the CPU. off: optimisations to disable. profile: a folder for the nodes' times.
    Raises Refused."""
    onnxruntime = _load()
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = threads
    if profile:
        options.enable_profiling = True
        options.profile_file_prefix = os.path.join(profile, "with" if plugin else "without")
    if plugin:
        register(options)
    try:
        return onnxruntime.InferenceSession(
            model, options, providers=["CPUExecutionProvider"], disabled_optimizers=list(off)
        )
    except Exception as error:  # its exceptions have no class in common
        raise Refused(_words(error)) from error


def _run(session, inputs):
    """The outputs of one run. Raises Refused."""
    try:
        return session.run(None, inputs)
    except Exception as error:
        raise Refused(_words(error)) from error


def _time_whole(sessions, inputs, rounds):
    """The median seconds of a run for each session; they run in turns."""
    times = [[] for _ in sessions]
    for turn in range(WARM_UP + rounds):
        for session, taken in zip(sessions, times):
            start = time.perf_counter()
            _run(session, inputs)
            if turn >= WARM_UP:
                taken.append(time.perf_counter() - start)
    return [statistics.median(taken) for taken in times]


def _pads_of(path):
    """The seconds of each Pad node in a profile: {name: median over the runs}."""
    with open(path, encoding="utf-8") as file:
        events = json.load(file)
    runs, now = [], {}
    for event in events:
        if event.get("cat") == "Session" and event["name"] == "model_run":
            runs.append(now)
            now = {}
        elif (
            event.get("cat") == "Node"
            and event["name"].endswith("_kernel_time")
            and event["args"].get("op_name") == "Pad"
        ):
            name = event["name"].removesuffix("_kernel_time")
            now[name] = now.get(name, 0) + event["dur"] * 1e-6
    runs = runs[WARM_UP:]
    names = dict.fromkeys(name for one in runs for name in one)
    return {name: statistics.median(one.get(name, 0) for one in runs) for name in names}


def _time_pads(model, threads, plugins, inputs, rounds):
    """The times of each Pad node, for each of `plugins`: whether the session has the plug-in.

    These are separate sessions from those of _time_whole, because profiling takes time."""
    with tempfile.TemporaryDirectory() as folder:
        sessions = [_open_session(model, threads, plugin, profile=folder) for plugin in plugins]
        _time_whole(sessions, inputs, rounds)
        return [_pads_of(session.end_profiling()) for session in sessions]


# ---- The command ---------------------------------------------------------------------------------


FAILED, BAD_MODEL, DIFFERENT = 1, 3, 4
NOT_FOR_GPUS = (
    "Not for sessions on CUDA or DirectML: with the plug-in they would run every Pad on the CPU."
)
ENTRY = "optimization.disable_specified_optimizers"
EXIT_STATUS = """\
Inputs are random: floats around 0, any integers of 8 bits, other integers 0 or 1. Open
extents are 1 on a first axis, else 32. Both sessions run on the CPU.
exit status  0  done
             1  failed: ONNX Runtime is missing, or refuses the model with the plug-in
             2  wrong usage
             3  a bad model
             4  outputs are not equal to the bit, or there is a warning
"""


# ---- Arguments -----------------------------------------------------------------------------------


def _pair(text):
    name, equals, rest = text.rpartition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f"'{text}': it is written as NAME=...")
    return name, rest


def _shape(text):
    name, rest = _pair(text)
    if not re.fullmatch(r"(\d+([,x]\d+)*)?", rest):
        raise argparse.ArgumentTypeError(f"'{text}': it is written as NAME=1,3,224,224")
    return name, tuple(map(int, re.findall(r"\d+", rest)))


def _array(text):
    name, path = _pair(text)
    try:
        return name, numpy.load(path, allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise argparse.ArgumentTypeError(f"'{path}' cannot be read: {error}") from error


def _count(least):
    def count(text):
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"'{text}' is not a whole number of at least {least}")
        return int(text)

    return count


def _arguments(words):
    parser = argparse.ArgumentParser(
        prog="python -m tensorpad.onnxruntime",
        allow_abbrev=False,
        epilog=EXIT_STATUS,
        description="Runs a model with tensorpad's Pad and with ONNX Runtime's own, in turns.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("model", metavar="MODEL", help="an .onnx file")
    for name, metavar, kind, default, told in (
        ("input-shape", "NAME=1,3,224,224", _shape, [], "the shape of an input with open extents"),
        ("input", "NAME=FILE.npy", _array, [], "an input that is not random"),
        (
            "threads",
            "N",
            _count(1),
            0,
            "threads of a session; else as many as ONNX Runtime takes by itself",
        ),
        ("rounds", "N", _count(1), 20, "runs of each session; times are their medians (20)"),
        ("seed", "N", _count(0), 0, "of the random inputs (0)"),
    ):
        action = "append" if default == [] else "store"
        parser.add_argument(
            f"--{name}", metavar=metavar, type=kind, default=default, action=action, help=told
        )
    return parser.parse_args(words)


# ---- Mistakes of ONNX Runtime's optimisers -------------------------------------------------------


def _warnings(model, threads, pads, make, outputs):
    """Lines about mistakes in this model that the plug-in cannot repair. make(session): its inputs;
    outputs: with the plug-in, None if it failed."""
    version = _version_of(_load())
    causes = []
    if any(pad.axes is not None or "axes" in pad.computed for pad in pads):
        text = "ONNX Runtime moves Transposes around a Pad with axes, and then pads other axes"
        causes.append((TRANSPOSES, text))
    if version < (1, 20):
        text = (
            "ONNX Runtime makes a Pad a part of the pool or the convolution "
            "after it and makes mistakes there"
        )
        causes.append((PAD_FUSION, text))
    for off, text in causes:
        try:
            session = _open_session(model, threads, True, off={*PAD_FUSION, *off})
            careful = _run(session, make(session))
        except Refused:
            continue
        if outputs is None or not _alike(outputs, careful):
            names = PAD_FUSION + (TRANSPOSES if off == TRANSPOSES else [])
            way = (
                f"disabled_optimizers={names} of InferenceSession"
                if version < (1, 20)
                else f"options.add_session_config_entry('{ENTRY}', '{';'.join(names)}')"
            )
            yield f"warning: {text}, with or without the plug-in; this avoids it: {way}"


# ---- The report ----------------------------------------------------------------------------------


def _printable(text):
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def _row(name, without, with_, width):
    cells = ["-" if time is None else f"{time * 1e6:,.1f} us" for time in (without, with_)]
    print(f"{_printable(name):{width}}  {cells[0]:>14}  {cells[1]:>14}")


def _table(model, threads, sessions, inputs, rounds):
    """sessions: (without, with); without is None if ONNX Runtime refuses the model by itself."""
    plugins = [plugin for plugin, session in enumerate(sessions) if session]
    whole = [None, None]
    for plugin, taken in zip(plugins, _time_whole([sessions[p] for p in plugins], inputs, rounds)):
        whole[plugin] = taken
    pads = [{}, {}]
    for plugin, times in zip(plugins, _time_pads(model, threads, plugins, inputs, rounds)):
        pads[plugin] = times
    names = list(dict.fromkeys([*pads[1], *pads[0]]))
    width = max(map(len, [*map(_printable, names), "all Pad nodes"]))
    print(f"{'':{width}}  {'without':>14}  {'with':>14}")
    for name in names:
        _row(name, pads[0].get(name), pads[1].get(name), width)
    if len(names) > 1:
        _row("all Pad nodes", *(sum(times.values()) or None for times in pads), width)
    _row("whole model", *whole, width)
    if sessions[0] and not set(pads[1]) <= set(pads[0]):
        print("-: ONNX Runtime makes this Pad a part of another node, or it did not run")


def _first_run(model, threads, plugin, make):
    """(session, outputs, None), or (None, None, the error) if ONNX Runtime refuses the model."""
    try:
        session = _open_session(model, threads, plugin)
        return session, _run(session, make(session)), None
    except Refused as error:
        return None, None, str(error)


def _tell_outputs(plain, session, inputs, expected, outputs):
    """Prints whether the outputs are equal; returns 1 if not."""
    names = [output.name for output in session.get_outputs()]
    if _difference(names, expected, _run(plain, inputs)):
        print("outputs: not comparable, since two runs without the plug-in differ")
        return 0
    text = _difference(names, expected, outputs)
    print(f"outputs: {_printable(text) if text else 'equal to the bit'}")
    return 1 if text else 0


def _compare(arguments):
    model, threads = arguments.model, arguments.threads
    pads = tensorpad.inspect_model(model)

    def make(session):
        return _make_inputs(
            session.get_inputs(), dict(arguments.input_shape), dict(arguments.input), arguments.seed
        )

    session, outputs, refused = _first_run(model, threads, True, make)
    plain, expected, refused_plain = _first_run(model, threads, False, make)
    print(
        f"{_printable(model)}: {len(pads)} Pad {'node' if len(pads) == 1 else 'nodes'}, "
        f"ONNX Runtime {_load().__version__}, tensorpad {tensorpad.__version__}, "
        f"medians of {arguments.rounds} runs, threads: {threads or 'as ONNX Runtime decides'}"
    )
    warned = False
    for line in _warnings(model, threads, pads, make, outputs):
        print(line)
        warned = True
    if refused_plain:
        print(f"without: ONNX Runtime refuses the model: {_printable(refused_plain)}")
    if refused:
        raise Refused(f"with the plug-in, ONNX Runtime refuses the model: {refused}")
    inputs = make(session)
    if any(not isinstance(extent, int) for port in session.get_inputs() for extent in port.shape):
        shapes = (f"{name}={','.join(map(str, array.shape))}" for name, array in inputs.items())
        print(f"inputs: {_printable(' '.join(shapes))}")
    _table(model, threads, (plain, session), inputs, arguments.rounds)
    different = plain and _tell_outputs(plain, session, inputs, expected, outputs)
    if different:
        print(
            "What ONNX Runtime's own Pad does, version by version: python -m tensorpad check "
            f"{_printable(model)}"
        )
    print(NOT_FOR_GPUS)
    return DIFFERENT if warned or different else 0


def main(words: list[str] | None = None) -> int:
    arguments = _arguments(words)
    try:
        return _compare(arguments)
    except (ImportError, OSError, Refused) as error:
        status, text = FAILED, str(error)
    except ValueError as error:
        status, text = BAD_MODEL, str(error)
    print(f"tensorpad.onnxruntime: {_printable(text)}", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
