"""The error of the specifications.  SPDX-License-Identifier: MIT"""


class SpecError(ValueError):
    """What a specification does not allow.

    spec: "onnx-18", "openvino-12", "ngraph", "mli-hwc"
    axis: the axis it is about, or None
    got, limit: what was given and what would have been accepted, where these are numbers
    """

    def __init__(self, message, spec, axis=None, got=0, limit=0):
        super().__init__(message)
        self.spec = spec
        self.axis = axis
        self.got = got
        self.limit = limit

    def __reduce__(self):
        return SpecError, (self.args[0], self.spec, self.axis, self.got, self.limit)
