"""The selection for documents other than ONNX: one theme of one document in each file.

SPDX-License-Identifier: MIT
"""

from padkit.cases.other import mli, ngraph, openvino, openvino_arguments, openvino_forbidden, plain

OPENVINO = [*openvino.CASES, *openvino_arguments.CASES, *openvino_forbidden.CASES]
NGRAPH = ngraph.CASES
MLI = mli.CASES
PLAIN = plain.CASES
ALL = [*OPENVINO, *NGRAPH, *MLI, *PLAIN]
