"""What was measured of the runtimes: JSON texts, packed in conformance/outcomes.zip.

SPDX-License-Identifier: MIT

A text has a name, which is its path in the file without `.json`:

    TARGET               what came out of each case of the kit (survey.py)
    operators/TARGET     of each model of one operator (replacement_operators.py)
    shown/answers        what some targets answer in a few cases, cell by cell (shown_answers.py)
    plugin/onnxruntime   of ONNX Runtime with the plug-in and without (plugin/with_and_without.py)

The same texts give the same file, in whichever order they were written.
"""

import json
import pathlib
import zipfile

from padkit import zip_file
from padkit.runtimes import KIT, Missing

FILE = KIT / "outcomes.zip"
SUFFIX = ".json"


def texts(file=FILE):
    """{name: text} of all that was measured."""
    if not file.exists():
        return {}
    with zipfile.ZipFile(file) as packed:
        return {name.removesuffix(SUFFIX): packed.read(name).decode() for name in packed.namelist()}


def names(folder="", file=FILE):
    """The last parts of the names in a folder, sorted: of "" and "operators" they are targets."""
    paths = sorted(pathlib.PurePosixPath(name) for name in texts(file))
    return [path.name for path in paths if path.parent == pathlib.PurePosixPath(folder)]


def text(name, file=FILE):
    """The text of that name, or Missing."""
    found = texts(file)
    if name not in found:
        raise Missing(f"nothing is recorded of {name}; {file.name} has {', '.join(sorted(found))}")
    return found[name]


def read(name, file=FILE):
    """The object of that name, or Missing."""
    return json.loads(text(name, file))


def write(name, content, file=FILE):
    """Puts a text into the file, in place of the earlier one of its name."""
    found = {**texts(file), name: content}
    unfinished = file.with_suffix(".unfinished")
    zip_file.write(unfinished, {each + SUFFIX: found[each].encode() for each in found})
    unfinished.replace(file)
