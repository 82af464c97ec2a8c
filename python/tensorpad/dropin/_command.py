"""The options of `python -m tensorpad.dropin`, and the order in which it sets things up.
SPDX-License-Identifier: MIT"""

import atexit
import importlib.util
import os
import sys
import time

from . import _program, _report, _tally

USAGE = "python -m tensorpad.dropin [OPTIONS] SCRIPT [ARGUMENTS]"
HELP = f"""\
usage: {USAGE}
       python -m tensorpad.dropin [OPTIONS] -m MODULE [ARGUMENTS]

Runs a program with tensorpad.pad in the place of numpy.pad. When the program
ends, it reports on stderr: calls, bytes, time in pad with tensorpad and with
NumPy, the slowest places, and differences.

  --torch        the same with tensorpad.torch.functional.pad in the place of
                 torch.nn.functional.pad; --verify also compares gradients
  --verify       run every call with NumPy's pad as well: time both, compare
                 type, shape, layout and every bit, or the errors
  --sample N     without --verify: one call in N runs with NumPy's pad as well,
                 to estimate the time with NumPy; 0: none (default: 16)
  --report FILE  write the report to FILE
  --json         as JSON

The exit status is that of the program, whatever the report says.

Limits and cost: docs/python-reference.md in the sources.
"""


class _Options:
    verify = False
    other = _tally.NUMPY
    one_in = 16
    file = None
    json = False


def _refuse(text):
    print(f"tensorpad.dropin: {text}", file=sys.stderr)
    sys.exit(2)


def _whole(word):
    if not word.isascii() or not word.isdigit():
        _refuse(f"--sample takes a number from 0 on, got {word!r}")
    return int(word)


def _file(word):
    """The whole path, because the program may change the working directory."""
    path = os.path.abspath(word)
    folder = os.path.dirname(path)
    if os.path.isdir(path) or not word:
        _refuse(f"--report takes the name of a file, got {word!r}")
    if not os.access(folder, os.W_OK):
        _refuse(f"--report {word}: cannot write into the folder {folder}")
    return path


def _read(words):
    """The options, whether the program is a module, and its words."""
    options = _Options()
    words = list(words)
    while words and words[0].startswith("-") and words[0] != "-":
        word = words.pop(0)
        name, equals, value = word.partition("=")
        if name in ("--sample", "--report"):
            if not equals:
                if not words:
                    _refuse(f"{name} needs a value: {USAGE}")
                value = words.pop(0)
            if name == "--sample":
                options.one_in = _whole(value)
            else:
                options.file = _file(value)
        elif word == "--verify":
            options.verify = True
        elif word == "--torch":
            if importlib.util.find_spec("torch") is None:
                _refuse("--torch needs PyTorch, which is not installed")
            options.other = _tally.TORCH
        elif word == "--json":
            options.json = True
        elif word in ("-h", "--help"):
            print(HELP, end="")
            sys.exit(0)
        elif word == "-m":
            if not words:
                _refuse(f"-m needs the name of a module: {USAGE}")
            return options, True, words
        else:
            _refuse(f"unknown option {word!r}: --help lists the options")
    if not words:
        _refuse(f"no program: {USAGE}")
    return options, False, words


def _stand_in_for(other):
    if other == _tally.NUMPY:
        from . import _stand_in

        return _stand_in
    from . import _torch

    return _torch


def main():
    options, is_module, words = _read(sys.argv[1:])
    program = _program.Module(words) if is_module else _program.script(words)
    started = time.perf_counter()
    tally = _tally.Tally()

    def report():
        if os.getpid() == tally.owner:
            seconds = time.perf_counter() - started
            _report.write(tally.read(), words[0], seconds, options)

    # What is registered first runs last: after the program's own functions, and after
    # multiprocessing has waited for the children. It registers that when _stand_in loads it.
    atexit.register(report)
    _stand_in_for(options.other).install(tally, options.verify, options.one_in)
    program.run()
