"""python -m tensorpad: the tensorpad command, which is installed with the package.
SPDX-License-Identifier: MIT"""
import importlib.metadata
import os
import pathlib
import sys


def command() -> pathlib.Path:
    """Beside the package after `pip install --target`, else where the installation recorded it."""
    beside = pathlib.Path(__file__).parents[1] / "bin" / "tensorpad"
    if beside.exists():
        return beside
    for file in importlib.metadata.files("tensorpad") or ():
        if file.parts[-2:] == ("bin", "tensorpad"):
            return pathlib.Path(os.path.abspath(file.locate()))
    sys.exit("tensorpad: the command is not there: install the package again, with pip")


def main() -> None:
    path = command()
    os.execv(path, [str(path), *sys.argv[1:]])


if __name__ == "__main__":
    main()
