"""python -m tensorpad: the tensorpad command, which the package carries.
SPDX-License-Identifier: MIT"""
import os
import pathlib
import sys


def main() -> None:
    command = pathlib.Path(__file__).parent / "bin" / "tensorpad"
    os.execv(command, [str(command), *sys.argv[1:]])


if __name__ == "__main__":
    main()
