"""Runs a script, a folder, an archive or a module in this process as `python` itself runs it.
SPDX-License-Identifier: MIT"""

import builtins
import io
import os
import pkgutil
import runpy
import sys
import types
from importlib.machinery import SourceFileLoader, SourcelessFileLoader


class _Program:
    """argv: what sys.argv is at first; folder: what sys.path[0] is, or None to leave it."""

    def __init__(self, argv, folder):
        self.argv = argv
        self.folder = folder

    def run(self):
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
        sys.argv[:] = self.argv
        # With -P or PYTHONSAFEPATH Python puts no folder in front, for us as for the program.
        if self.folder is not None and not sys.flags.safe_path:
            sys.path[0] = self.folder
        try:
            self.start(module)
        except SystemExit:
            raise
        except BaseException as error:
            _show_without_ours(error)
            raise


class Module(_Program):
    """`python -m NAME`. sys.path[0] is the working directory already, as it is for us."""

    def __init__(self, words):
        super().__init__(["-m", *words[1:]], None)
        self.name = words[0]

    def start(self, _):
        # The function with which the interpreter itself runs a module.
        runpy._run_module_as_main(self.name)


class _Folder(_Program):
    """A folder or an archive that holds a __main__.py."""

    def run(self):
        if sys.flags.safe_path:
            sys.path.insert(0, self.folder)
        super().run()

    def start(self, _):
        runpy._run_module_as_main("__main__", alter_argv=False)


class _Script(_Program):
    """One file, read before anything of it runs."""

    def __init__(self, words, path, content):
        super().__init__(words, os.path.dirname(os.path.realpath(path)))
        self.path = path
        self.content = content

    def start(self, module):
        code = pkgutil.read_code(io.BytesIO(self.content))
        loader = SourcelessFileLoader if code else SourceFileLoader
        module.__dict__.update(
            __file__=self.path, __package__=None, __loader__=loader("__main__", self.path)
        )
        if code is None:
            code = compile(self.content, self.path, "exec", dont_inherit=True)
        del self.content
        exec(code, module.__dict__)


def script(words):
    """The program that `python WORDS` would run. Status 2 and Python's message if there is none."""
    # Not abspath: behind a symbolic link, ".." is not the folder that holds the link.
    path = os.path.join(os.getcwd(), words[0])
    if os.name == "nt":  # where it is
        path = os.path.abspath(path)
    if pkgutil.get_importer(path) is not None:
        return _Folder(words, path)
    try:
        with open(path, "rb") as file:
            return _Script(words, path, file.read())
    except OSError as error:
        print(
            f"{sys.executable}: can't open file {path!r}: [Errno {error.errno}] {error.strerror}",
            file=sys.stderr,
        )
        sys.exit(2)


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
