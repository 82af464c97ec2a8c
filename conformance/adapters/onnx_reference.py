"""The reference evaluator of the onnx package.

SPDX-License-Identifier: MIT
"""

import onnx
from onnx.reference import ReferenceEvaluator

RUNTIME = "ONNX reference"
TARGETS = {"onnx-reference-1.23": ["onnx==1.23.2", "numpy==2.4.6", "ml_dtypes==0.6.0"]}


def version():
    return onnx.__version__


def load(path):
    return ReferenceEvaluator(path)


def run(model, inputs):
    return model.run(None, inputs)
