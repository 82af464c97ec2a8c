"""The selection: which cases the kit has. `ALL` has those of ONNX, `OTHER` those of the other
documents.

SPDX-License-Identifier: MIT
"""

from kit.cases import (
    accompanied,
    arguments,
    forbidden,
    mli_plain,
    ngraph,
    openvino,
    pads,
    types,
)

THEMES = (pads, types, arguments, accompanied, forbidden)
ALL = [case for theme in THEMES for case in theme.CASES]

OPENVINO = openvino.CASES
NGRAPH = ngraph.CASES
MLI = mli_plain.MLI
PLAIN = mli_plain.PLAIN
OTHER = [*OPENVINO, *NGRAPH, *MLI, *PLAIN]
