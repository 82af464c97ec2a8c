"""The errors for specifications and for missing packages. SPDX-License-Identifier: MIT"""

from __future__ import annotations

import importlib
from typing import Any

import numpy


class SpecError(ValueError):
    """A ValueError: the specification does not allow the arguments.

    message: its text
    spec: the specification: "onnx-18", "openvino-12", "ngraph", "mli-hwc"
    axis: the axis that the error is about, or None
    got, limit: the given number, and the one that would have been accepted
    """

    spec: str
    axis: int | None
    got: int
    limit: int

    def __init__(
        self, message: str, spec: str, axis: int | None = None, got: int = 0, limit: int = 0
    ) -> None:
        super().__init__(message)
        self.spec = spec
        self.axis = axis
        self.got = got
        self.limit = limit

    def __reduce__(self) -> tuple[Any, ...]:
        return SpecError, (self.args[0], self.spec, self.axis, self.got, self.limit)


def blame(error: Exception, what: str) -> Exception:
    """The error of a call for one of several fields, prefixed with its name; other types unchanged."""
    kinds = TypeError, ValueError, OverflowError, numpy.exceptions.AxisError
    return type(error)(f"{what}: {error}") if type(error) in kinds else error


def load_extra(name, extra, needed):
    """Imports `name`, which pip installs with tensorpad[EXTRA]. needed: begins the ImportError:
    what needs what."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise ImportError(f'{needed}: pip install "tensorpad[{extra}]"', name=name) from error
