"""python -m tensorpad.onnxruntime: a model with and without the plug-in.
SPDX-License-Identifier: MIT"""

import argparse
import re
import sys

import numpy

import tensorpad

from . import _outputs, _runtime
from ._inputs import make_inputs
from ._sessions import PAD_FUSION, TRANSPOSES, Refused, open_session, run, time_pads, time_whole

FAILED, BAD_MODEL, DIFFERENT = 1, 3, 4
NOT_FOR_GPUS = (
    "Not for sessions on CUDA or DirectML: with the plug-in they would run every Pad on the CPU."
)
ENTRY = "optimization.disable_specified_optimizers"
EXIT_STATUS = """\
Inputs are random: floats around 0, any integers of 8 bits, other integers 0 or 1. Free extents
are 1. Both sessions run on the CPU.
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
            raise argparse.ArgumentTypeError(f"'{text}' is no whole number of at least {least}")
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
    parser.add_argument(
        "--input-shape",
        metavar="NAME=1,3,224,224",
        type=_shape,
        action="append",
        default=[],
        help="the shape of an input with free extents",
    )
    parser.add_argument(
        "--input",
        metavar="NAME=FILE.npy",
        type=_array,
        action="append",
        default=[],
        help="an input that is not random",
    )
    parser.add_argument(
        "--threads",
        metavar="N",
        type=_count(1),
        default=0,
        help="threads of a session; else as many as ONNX Runtime takes by itself",
    )
    parser.add_argument(
        "--rounds",
        metavar="N",
        type=_count(1),
        default=20,
        help="runs of each session, of which times are medians (20)",
    )
    parser.add_argument(
        "--seed", metavar="N", type=_count(0), default=0, help="of the random inputs (0)"
    )
    return parser.parse_args(words)


# ---- What ONNX Runtime does before anybody is asked ----------------------------------------------


def _warnings(model, threads, pads, make, outputs):
    """What the plug-in cannot repair and this model has: lines. make(session): its inputs; outputs:
    with the plug-in, None if it failed."""
    causes = []
    if any(pad.axes is not None or "axes" in pad.computed for pad in pads):
        causes.append(
            (
                TRANSPOSES,
                "ONNX Runtime moves Transposes around a Pad with axes, and then pads other axes",
            )
        )
    version = _runtime._version_of(_runtime._load())
    if version < (1, 20):
        causes.append(
            (
                PAD_FUSION,
                "ONNX Runtime makes a Pad a part of the pool or the convolution "
                "behind it and makes mistakes there",
            )
        )
    for off, text in causes:
        try:
            session = open_session(model, threads, True, off={*PAD_FUSION, *off})
            careful = run(session, make(session))
        except Refused:
            continue
        if outputs is None or not _outputs.alike(outputs, careful):
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
    for plugin, time in zip(plugins, time_whole([sessions[p] for p in plugins], inputs, rounds)):
        whole[plugin] = time
    pads = [{}, {}]
    for plugin, times in zip(plugins, time_pads(model, threads, plugins, inputs, rounds)):
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
    """(session, outputs, None), or (None, None, its words) if ONNX Runtime refuses the model."""
    try:
        session = open_session(model, threads, plugin)
        return session, run(session, make(session)), None
    except Refused as error:
        return None, None, str(error)


def _tell_outputs(plain, session, inputs, expected, outputs):
    """Prints whether they are equal; returns 1 if not."""
    names = [output.name for output in session.get_outputs()]
    if _outputs.difference(names, expected, run(plain, inputs)):
        print("outputs: not comparable, since two runs without the plug-in differ")
        return 0
    text = _outputs.difference(names, expected, outputs)
    print(f"outputs: {_printable(text) if text else 'equal to the bit'}")
    return 1 if text else 0


def _compare(arguments):
    model, threads = arguments.model, arguments.threads
    pads = tensorpad.inspect_model(model)

    def make(session):
        return make_inputs(
            session.get_inputs(), dict(arguments.input_shape), dict(arguments.input), arguments.seed
        )

    session, outputs, refused = _first_run(model, threads, True, make)
    plain, expected, refused_plain = _first_run(model, threads, False, make)
    print(
        f"{_printable(model)}: {len(pads)} Pad {'node' if len(pads) == 1 else 'nodes'}, "
        f"ONNX Runtime {_runtime._load().__version__}, tensorpad {tensorpad.__version__}, "
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
