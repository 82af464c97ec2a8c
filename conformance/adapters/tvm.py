"""TVM: the importer of ONNX into Relax, compiled by LLVM for this processor.

SPDX-License-Identifier: MIT

Symbolic extents are left open, as the model has them.
"""

import ml_dtypes  # noqa: F401  NumPy knows bfloat16 and the small floats by it
import numpy as np
import onnx
import tvm
from tvm import relax
from tvm.relax.frontend.onnx import from_onnx

RUNTIME = "TVM"
TARGETS = {
    "tvm-0.27": ["apache-tvm==0.27.0.post1", "onnx==1.23.2", "numpy==2.4.6", "ml_dtypes==0.6.0"]
}
FORKS = True  # it crashes often, and takes seconds to start
SECONDS = 20


def version():
    return tvm.__version__.split(".post")[0]


def load(path):
    model = onnx.load(path)
    module = from_onnx(model, keep_params_in_input=False)
    machine = relax.VirtualMachine(tvm.compile(module, target="llvm"), tvm.cpu())
    given = {tensor.name for tensor in model.graph.initializer}
    return machine, [port.name for port in model.graph.input if port.name not in given]


def run(model, inputs):
    machine, names = model
    output = machine["main"](*(tvm.runtime.tensor(inputs[name]) for name in names))
    return [np.asarray(each.numpy()) for each in ([output] if hasattr(output, "numpy") else output)]
