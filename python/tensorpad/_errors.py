"""The error of the specifications.  SPDX-License-Identifier: MIT"""

from __future__ import annotations

from typing import Any


class SpecError(ValueError):
    """The specification does not allow the arguments.

    spec: the specification: "onnx-18", "openvino-12", "ngraph", "mli-hwc"
    axis: the axis that the error is about, or None
    got, limit: the number that was given and the number that would have been accepted
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
