"""python -m tensorpad.dropin: reads the options, and runs a program as `python` itself runs it.
SPDX-License-Identifier: MIT"""

from __future__ import annotations

import atexit
import builtins
import functools
import importlib.util
import io
import os
import pkgutil
import runpy
import sys
import time
import types
from importlib.machinery import SourceFileLoader, SourcelessFileLoader

from . import _report

USAGE = "python -m tensorpad.dropin [OPTIONS] SCRIPT [ARGUMENTS]"
HELP = f"""\
usage: {USAGE}
       python -m tensorpad.dropin [OPTIONS] -m MODULE [ARGUMENTS]

Runs a program with tensorpad.pad in the place of numpy.pad. When the program
ends, it reports on stderr: calls, bytes, time in pad, the slowest places, and
with --verify NumPy's time and differences.

  --torch        the same with tensorpad.torch.functional.pad in the place of
                 torch.nn.functional.pad; --verify also compares gradients
  --verify       run every call with NumPy's pad as well: time both, compare
                 type, shape, layout and every bit, or the errors
  --report FILE  write the report to FILE
  --json         as JSON

The exit status is that of the program, whatever the report says.

What the report counts, limits and cost: docs/dropin.md in the sources.
"""


class _Options:
    verify = False
    other = _report.NUMPY
    file = None
    json = False


def _refuse(text):
    print(f"tensorpad.dropin: {text}", file=sys.stderr)
    sys.exit(2)


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
        if name == "--report":
            if not equals:
                if not words:
                    _refuse(f"{name} needs a value: {USAGE}")
                value = words.pop(0)
            options.file = _file(value)
        elif word == "--verify":
            options.verify = True
        elif word == "--torch":
            if importlib.util.find_spec("torch") is None:
                _refuse("--torch needs PyTorch, which is not installed")
            options.other = _report.TORCH
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


def main() -> None:
    options, is_module, words = _read(sys.argv[1:])
    program = _module(words) if is_module else _script(words)
    started = time.perf_counter()
    tally = _report.Tally()

    def report():
        if os.getpid() == tally.owner:
            seconds = time.perf_counter() - started
            _report.write(tally.read(), words[0], seconds, options)

    # What is registered first runs last: after the program's own functions, and after
    # multiprocessing has waited for the children. It registers that when _stand_in loads it.
    atexit.register(report)
    from . import _stand_in

    _stand_in.install(options.other, tally, options.verify)
    _run(*program)


# ---- The program ---------------------------------------------------------------------------------

# A program is what runs it in its module, what sys.argv is at first, and what sys.path[0] is, or
# None to leave it.


def _module(words):
    """`python -m NAME`. sys.path[0] is the working directory already, as it is for us."""
    # The function with which the interpreter itself runs a module.
    return lambda _: runpy._run_module_as_main(words[0]), ["-m", *words[1:]], None


def _script(words):
    """The program that `python WORDS` would run. Status 2 and Python's message if there is none."""
    # Not abspath: after a symbolic link, ".." is not the folder that holds the link.
    path = os.path.join(os.getcwd(), words[0])
    if os.name == "nt":  # where it is
        path = os.path.abspath(path)
    if pkgutil.get_importer(path) is not None:  # a folder or an archive that holds a __main__.py

        def start(_):
            if sys.flags.safe_path:
                sys.path.insert(0, path)
            runpy._run_module_as_main("__main__", alter_argv=False)

        return start, words, path
    try:
        with open(path, "rb") as file:
            content = [file.read()]  # before anything of it runs
    except OSError as error:
        print(
            f"{sys.executable}: can't open file {path!r}: [Errno {error.errno}] {error.strerror}",
            file=sys.stderr,
        )
        sys.exit(2)
    run = functools.partial(_run_file, path, content)
    return run, words, os.path.dirname(os.path.realpath(path))


def _run_file(path, content, module):
    text = content.pop()
    code = pkgutil.read_code(io.BytesIO(text))
    loader = SourcelessFileLoader if code else SourceFileLoader
    module.__dict__.update(__file__=path, __package__=None, __loader__=loader("__main__", path))
    if code is None:
        code = compile(text, path, "exec", dont_inherit=True)
    del text
    exec(code, module.__dict__)


def _run(start, argv, folder):
    """Runs it as __main__. An exception that leaves it is shown without frames of ours."""
    module = types.ModuleType("__main__")
    module.__builtins__ = builtins
    ours = vars(sys.modules["__main__"])
    # Names that Python gives to a program up to 3.13 and up to 3.14.
    if "__annotations__" in ours:
        module.__annotations__ = {}
    if "__cached__" in ours:
        module.__cached__ = None
    sys.modules["__main__"] = module
    sys.argv[:] = argv
    # With -P or PYTHONSAFEPATH Python puts no folder in front, for us as for the program.
    if folder is not None and not sys.flags.safe_path:
        sys.path[0] = folder
    try:
        start(module)
    except SystemExit:
        raise
    except BaseException as error:
        _show_without_ours(error)
        raise


def _show_without_ours(error):
    """Has the interpreter show the error, when it comes there, with the program's frames only."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
        trace = trace.tb_next
    hook = sys.excepthook

    def show(kind, value, whole):
        if value is error:
            whole = error.__traceback__ = trace
        hook(kind, value, whole)

    sys.excepthook = show


if __name__ == "__main__":
    main()
