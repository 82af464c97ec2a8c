"""The error of the specifications.  SPDX-License-Identifier: MIT"""


class SpecError(ValueError):
    """The specification does not allow the arguments.

    spec: the specification: "onnx-18", "openvino-12", "ngraph", "mli-hwc"
    axis: the axis that the error is about, or None
    got, limit: the number that was given and the number that would have been accepted
    """

    def __init__(self, message, spec, axis=None, got=0, limit=0):
        super().__init__(message)
        self.spec = spec
        self.axis = axis
        self.got = got
        self.limit = limit

    def __reduce__(self):
        return SpecError, (self.args[0], self.spec, self.axis, self.got, self.limit)
