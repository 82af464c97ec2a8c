"""python -m tensorpad: the tensorpad command, which is installed with the package.
SPDX-License-Identifier: MIT"""

import importlib.metadata
import os
import pathlib
import signal
import subprocess
import sys


def command() -> pathlib.Path:
    """The command's path: beside the package after `pip install --target`, else where the
    installation recorded it."""
    name = "tensorpad.exe" if sys.platform == "win32" else "tensorpad"
    beside = pathlib.Path(__file__).parents[1] / "bin" / name
    if beside.exists():
        return beside
    for file in importlib.metadata.files("tensorpad") or ():
        if file.name == name and file.parts[-2] in ("bin", "Scripts"):
            return pathlib.Path(os.path.abspath(file.locate()))
    sys.exit("tensorpad: the command is not there: install the package again, with pip")


def main() -> None:
    path = command()
    command_line = [str(path), *sys.argv[1:]]
    if sys.platform == "win32":  # there execv would end this process before the command has run
        for number in (
            signal.SIGINT,
            signal.SIGBREAK,
        ):  # not SIG_IGN: the command would ignore it, too
            signal.signal(number, lambda *_: None)
        status = subprocess.call(command_line)
        sys.exit(status - 2**32 if status >= 2**31 else status)  # as a C int: 0xC000013A for Ctrl-C
    os.execv(path, command_line)


if __name__ == "__main__":
    main()
