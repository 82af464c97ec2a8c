"""OpenCV dnn by its Python package, with the engine that it takes by default, on one thread.

SPDX-License-Identifier: MIT

The package gives int64 and uint64 inputs to OpenCV as int32, so large numbers arrive wrong in 5.0.
"""

import contextlib

import cv2
import ml_dtypes
import numpy as np

RUNTIME = "OpenCV dnn"
TARGETS = {
    "opencv-4.6": ["opencv-python-headless==4.6.0.66", "numpy==1.26.4", "ml_dtypes==0.5.4"],
    "opencv-4.10": ["opencv-python-headless==4.10.0.84", "numpy==2.4.6", "ml_dtypes==0.6.0"],
    "opencv-4.14": ["opencv-python-headless==4.14.0.94", "numpy==2.4.6", "ml_dtypes==0.6.0"],
    "opencv-5.0": ["opencv-python-headless==5.0.0.93", "numpy==2.4.6", "ml_dtypes==0.6.0"],
}
SECONDS = 5  # with some models it never ends
SILENT = 0
PLAIN = True

set_log_level = cv2.utils.logging.setLogLevel if hasattr(cv2.utils, "logging") else cv2.setLogLevel


@contextlib.contextmanager
def short_errors():
    """The reason only, not the file and the line of each function that it went through."""
    try:
        yield
    except cv2.error as error:
        raise RuntimeError(str(error).rsplit("error: ", 1)[-1]) from error


def version():
    return cv2.__version__


@short_errors()
def load(path):
    cv2.setNumThreads(1)
    set_log_level(SILENT)
    return cv2.dnn.readNetFromONNX(path)


def load_plain(path):
    net = load(path)
    net.enableFusion(False)
    return net


@short_errors()
def run(model, inputs):
    for name, values in inputs.items():
        if values.dtype == ml_dtypes.bfloat16:  # no type of OpenCV's arrays in Python
            values = values.astype(np.float32)
        model.setInput(values, name)
    output = model.forward()
    # An output without elements comes as None, which has neither shape nor type.
    return [np.empty(0, next(iter(inputs.values())).dtype) if output is None else output]
