"""The folders that the kit's scripts make anew.

SPDX-License-Identifier: MIT

A script gets the name of a folder from its caller and deletes what an earlier run left in it. A file
in the folder marks it as one that a script made: nothing else is ever deleted.
"""

import pathlib
import shutil
import sys
import zipfile

MARK = ".made-by-the-kit"
TEXT = "The scripts of tensorpad's kit made this folder. They delete its content to make it anew.\n"


def make_anew(folder):
    """An empty folder but for the mark. Ends the program where it holds what is not ours."""
    folder = pathlib.Path(folder).resolve()
    mark = folder / MARK
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not mark.exists():
            if any(folder.iterdir()):
                sys.exit(
                    f"{folder} is not empty, and not made by the kit: name another folder, "
                    "or delete this one yourself"
                )
            mark.write_text(TEXT)
        for entry in folder.iterdir():
            if entry.is_dir() and not entry.is_symlink():
                shutil.rmtree(entry)
            elif entry != mark:
                entry.unlink()
    except OSError as error:
        sys.exit(f"{folder}: {error.strerror}")


def check_zip(path, name):
    """Ends the program where a file is there that is no zip of a folder of ours of that name."""
    if not path.exists():
        return
    try:
        with zipfile.ZipFile(path) as packed:
            ours = f"{name}/{MARK}" in packed.namelist()
    except (OSError, zipfile.BadZipFile):
        ours = False
    if not ours:
        sys.exit(
            f"{path} is there, and not made by the kit: name another folder, or delete this "
            "file yourself"
        )
