"""The examples of the ONNX document, at every opset that has their mode.

SPDX-License-Identifier: MIT
"""

from padkit import elements
from padkit.case import Case

VERSIONS = [1, 2, 11, 13, 18, 19, 21, 23, 24, 25]
DATA = tuple(elements.cell_of(x, "float") for x in (1.0, 1.2, 2.3, 3.4, 4.5, 5.7))
PADS = {"constant": (0, 2, 0, 0), "reflect": (0, 2, 0, 0), "edge": (0, 2, 0, 0)}
PADS["wrap"] = (2, 1, 1, 1)


def example(mode, opset):
    return Case(
        name=f"example_{mode}_{opset}",
        shows=f"the example of mode {mode}, at opset {opset}",
        says=(f"onnx.example.{mode}", f"onnx.{mode}"),
        opset=opset,
        shape=(3, 2),
        cells=DATA,
        pads=PADS[mode],
        mode=mode,
    )


CASES = [
    example(mode, opset) for mode in PADS for opset in VERSIONS if mode != "wrap" or opset >= 19
]
