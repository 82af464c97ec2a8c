"""What was measured of the runtimes: JSON texts, packed in conformance/outcomes.zip.

SPDX-License-Identifier: MIT

A text has a name, which is its path in the file without `.json`:

    TARGET               what came out of each case of the kit
    operators/TARGET     of each model of one operator
    shown/answers        a wrong answer for each rule, cell by cell (kit/answers.py)
    plugin/onnxruntime   of ONNX Runtime with the plug-in and without (docs/onnxruntime.md)

The same texts give the same file, in whichever order they were written.
"""

import collections
import dataclasses
import json
import pathlib
import zipfile

from kit.runtimes import KIT, Missing

DATE = (1980, 1, 1, 0, 0, 0)  # the first that a zip file can hold
UNIX = 3


def write_zip(path, contents):
    """The file of {name: bytes}, sorted by name."""
    with zipfile.ZipFile(path, "w") as packed:
        for name, content in sorted(contents.items()):
            entry = zipfile.ZipInfo(name, DATE)
            entry.create_system = UNIX
            packed.writestr(entry, content, zipfile.ZIP_DEFLATED)


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
    write_zip(unfinished, {each + SUFFIX: found[each].encode() for each in found})
    unfinished.replace(file)


# The families of runtimes and their targets, older versions first.
FAMILIES = {
    "ONNX Runtime": ["ort-1.17", "ort-1.20", "ort-1.23", "ort-1.31", "ort-1.32", "ort-web-1.30"],
    "OpenVINO": ["openvino-2024.6", "openvino-2025.4", "openvino-2026.4"],
    "OpenCV": ["opencv-4.6", "opencv-4.10", "opencv-4.14", "opencv-5.0"],
    "tract": ["tract-0.21", "tract-0.22", "tract-0.23"],
    "TVM": ["tvm-0.27"],
    "ONNX reference": ["onnx-reference-1.23"],
}
LETTERS = {"differs": "D", "crashes": "C", "accepts": "A", "refuses": "R"}


FIELDS = ("version", "date", "platform", "kit", "outcomes")


@dataclasses.dataclass(frozen=True)
class Record:
    """What was recorded of a target."""

    family: str
    target: str
    version: str
    date: str
    platform: str
    kit: str  # the hash of what the index says of its cases
    outcomes: dict  # name: "same" or an object

    @property
    def column(self):
        """What stands above its column, under the name of the family."""
        return f"web {self.version}" if "web" in self.target else self.version

    def verdict(self, name):
        """The verdict for a case, or None where it was not run."""
        return verdict_of(self.outcomes.get(name))


def verdict_of(outcome):
    return outcome["verdict"] if isinstance(outcome, dict) else outcome


def records(file=FILE):
    """[Record], in the order of the page. Raises ValueError for a target without a place in it."""
    order = {target: family for family, targets in FAMILIES.items() for target in targets}
    said = {target: read(target, file) for target in names(file=file)}
    strangers = sorted(said.keys() - order.keys())
    if strangers:
        raise ValueError(f"{strangers[0]} in {file} has no place in kit/outcome_file.py")
    return [
        Record(family, target, *(said[target][key] for key in FIELDS))
        for target, family in order.items()
        if target in said
    ]


def count(record, facts):
    """Counter of verdicts. A forbidden case that is refused counts as `same`: that is right."""
    found = collections.Counter()
    for case in facts:
        verdict = record.verdict(case.name)
        found["same" if case.forbidden and verdict == "refuses" else verdict] += 1
    del found[None]
    return found
