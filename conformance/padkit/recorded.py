"""What the survey recorded of the runtimes, in the order of the page, and how many there are of a kind.

SPDX-License-Identifier: MIT
"""

import collections
import dataclasses

from padkit import outcome_file

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


def read(file=outcome_file.FILE):
    """[Record], in the order of the page. Raises ValueError for a target without a place in it."""
    order = {target: family for family, targets in FAMILIES.items() for target in targets}
    said = {target: outcome_file.read(target, file) for target in outcome_file.names(file=file)}
    strangers = sorted(said.keys() - order.keys())
    if strangers:
        raise ValueError(f"{strangers[0]} in {file} has no place in padkit/recorded.py")
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
