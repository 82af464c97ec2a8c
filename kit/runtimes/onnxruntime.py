"""ONNX Runtime with its CPU provider, as a program gets it by default, on one thread.

SPDX-License-Identifier: MIT
"""

import re

import onnxruntime

RUNTIME = "ONNX Runtime"
TARGETS = {
    "ort-1.17": ["onnxruntime==1.17.3", "numpy==1.26.4", "ml_dtypes==0.5.4"],
    "ort-1.20": ["onnxruntime==1.20.1", "numpy==2.2.6", "ml_dtypes==0.6.0"],
    "ort-1.23": ["onnxruntime==1.23.2", "numpy==2.3.5", "ml_dtypes==0.6.0"],
    "ort-1.31": ["onnxruntime==1.31.1", "numpy==2.4.6", "ml_dtypes==0.6.0"],
}
# What stands before the reason in each message: a code and a status, and the place in the source.
OPENING = re.compile(
    r"\[ONNXRuntimeError\] : \d+ : \w+ : "
    r"(Load model from .* failed:\s*|Non-zero status code .* Status Message: )?"
)
PLACE = re.compile(
    r"\S+\.(cc|h):\d+ ([^()\n]*::[^()\n]*\([^()\n]*\)( const)?( \[\w[^]\n]*\])?|\w+) "
)


def version():
    return onnxruntime.__version__


def load(path):
    onnxruntime.set_default_logger_severity(4)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    return told(onnxruntime.InferenceSession, path, options, providers=["CPUExecutionProvider"])


def run(model, inputs):
    return told(model.run, None, inputs)


def told(function, *arguments, **named):
    """Calls it; an error is raised again with the reason alone."""
    try:
        return function(*arguments, **named)
    except Exception as error:
        raise RuntimeError(PLACE.sub("", OPENING.sub("", str(error)))) from error
