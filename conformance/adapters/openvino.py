"""OpenVINO with its CPU plugin on one thread, told to compute in float32.

SPDX-License-Identifier: MIT

On some processors the plugin computes float32 in bfloat16 or float16 unless it is told otherwise.
"""

import base64
import contextlib
import re

import openvino
from kit import json_arrays

RUNTIME = "OpenVINO"
TARGETS = {
    "openvino-2024.6": ["openvino==2024.6.0", "numpy==2.1.3", "ml_dtypes==0.6.0"],
    "openvino-2025.4": ["openvino==2025.4.1", "numpy==2.3.5", "ml_dtypes==0.6.0"],
    "openvino-2026.4": ["openvino==2026.4.1", "numpy==2.4.6", "ml_dtypes==0.6.0"],
}
READS = ["onnx", "openvino"]
SETTINGS = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1}
WORDS = {name: word for word, name in json_arrays.OPENVINO.items()}
AROUND = re.compile(  # what stands around the reason in a message
    r"Exception from \S+:\s*|Check '.*?' failed at \S+:\s*|FrontEnd API failed with \w+:\s*"
    r"|Model wasn't fully converted\.(?: Failed operations detailed log:|\s+Summary:\s+-- )\s*"
    r"|-- \S+ with a message:\s*|While validating ONNX node '.*?':\s*"
    r"|While validating node '.*?' with friendly_name '.*?':\s*|Summary:.*",
    re.DOTALL,
)


@contextlib.contextmanager
def short_errors():
    try:
        yield
    except RuntimeError as error:
        raise RuntimeError(AROUND.sub("", str(error))) from error


def version():
    return openvino.__version__.split("-")[0]


@short_errors()
def load(path):
    core = openvino.Core()
    return core.compile_model(core.read_model(path), "CPU", SETTINGS)


@short_errors()
def run(model, inputs):
    request = model.create_infer_request()
    for k, port in enumerate(model.inputs):
        names = port.get_names() | {port.get_node().get_friendly_name()}
        [name] = names & set(inputs)
        request.set_input_tensor(k, tensor(port.get_element_type(), inputs[name]))
    request.infer()
    return [array(request.get_output_tensor(k)) for k in range(len(model.outputs))]


def tensor(kind, values):
    """A tensor with the bits of an array. OpenVINO packs small elements as ONNX does."""
    if kind == openvino.Type.string:
        return openvino.Tensor(values.astype(str))
    made = openvino.Tensor(kind, openvino.Shape(values.shape))
    if values.size:
        raw = base64.b64decode(json_arrays.of_array(values)["data"])
        made.data.reshape(-1).view("u1")[:] = bytearray(raw)
    return made


def array(made):
    """The array with the bits of a tensor."""
    if made.element_type == openvino.Type.string:
        return made.str_data
    data = base64.b64encode(made.data.tobytes())
    word = WORDS[made.element_type.get_type_name()]
    return json_arrays.to_array({"type": word, "shape": list(made.shape), "data": data})
