#!/usr/bin/env python3
"""Runs an installed runtime on the witnesses beside this file, and compares its answers.

Usage: compare.py ort | openvino | opencv | reference [WITNESS]...      default: all of them

Writes the model of a witness, model.onnx, if it is not there. That of a layer of an OpenVINO IR
is made for OpenVINO alone, and other runtimes leave it out.

Needs numpy, onnx and the runtime (pip install onnxruntime==..., openvino==...,
opencv-python-headless==...). Memory is perturbed, so that answers from uninitialised memory
differ from run to run. Status 1: an answer differs from the specification's. See verdicts.txt.
"""

import json
import os
import pathlib
import struct
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def tensor(kind, content, name="value"):
    import onnx

    return onnx.TensorProto(data_type=kind, raw_data=bytes.fromhex(content), name=name)


def onnx_model(node, x, y):
    """The node alone, or with a pool after it. x, y: an input and the right output."""
    from onnx import TensorProto, helper

    opset, attributes, inputs, constants = node["opset"], {"mode": node["mode"]}, ["x"], []
    amounts = node["begin"] + node["end"]
    if opset < 11:
        attributes["paddings" if opset == 1 else "pads"] = amounts
        attributes["value"] = struct.unpack("<f", bytes.fromhex(node["value"]))[0]
    else:
        given = {"pads": amounts, "value": node.get("value"), "axes": node["axes"]}
        for name, what in given.items():
            inputs.append("" if what is None else name)
            if name == "value" and what is not None:
                constants.append(tensor(x.data_type, what))
            elif what is not None:
                constants.append(helper.make_tensor(name, TensorProto.INT64, [len(what)], what))
        while not inputs[-1]:
            inputs.pop()
    pool = node.get("pool")
    nodes = [helper.make_node("Pad", inputs, ["padded" if pool else "y"], "pad", **attributes)]
    if pool:
        pads = {"pads": [0] * (2 * len(node["kernel"]))} if node["pool_pads"] else {}
        nodes += [
            helper.make_node(pool, ["padded"], ["y"], "pool", kernel_shape=node["kernel"], **pads)
        ]
    ports = [
        [helper.make_tensor_value_info(n, one.data_type, one.dims)]
        for n, one in (("x", x), ("y", y))
    ]
    graph = helper.make_graph(nodes, "pad", *ports, constants)
    imports = [helper.make_opsetid("", opset)]
    version = helper.find_min_ir_version_for(imports, ignore_unknown=True)
    return helper.make_model(graph, opset_imports=imports, ir_version=version)


def openvino_model(node, x):
    import numpy
    import openvino
    from onnx import numpy_helper

    operators = getattr(openvino, f"opset{node['opset']}")
    data = operators.parameter(list(x.dims), getattr(openvino.Type, node["type"]), name="x")
    amounts = [numpy.array(node[side], numpy.int64) for side in ("begin", "end")]
    value = []
    if "value" in node:
        value = [operators.constant(numpy_helper.to_array(tensor(x.data_type, node["value"])))]
    return openvino.Model([operators.pad(data, *amounts, node["mode"], *value)], [data], "pad")


def answer(runtime, path, x):
    """path: of the model, or a model of OpenVINO."""
    if runtime == "ort":
        import onnxruntime

        session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
        return session.run(None, {"x": x})[0]
    if runtime == "openvino":
        import openvino

        return openvino.Core().compile_model(path, "CPU")(x)[0]
    if runtime == "opencv":
        import cv2

        net = cv2.dnn.readNetFromONNX(path)
        net.setInput(x, "x")
        return net.forward()
    from onnx.reference import ReferenceEvaluator

    return ReferenceEvaluator(path).run(None, {"x": x})[0]


def compare(runtime, folder):
    """Checks one witness in this process. Returns the result as a sentence."""
    import onnx
    from onnx import numpy_helper

    data = folder / "test_data_set_0"
    given = [
        onnx.TensorProto.FromString((data / name).read_bytes())
        for name in ("input_0.pb", "output_0.pb")
    ]
    x, expected = map(numpy_helper.to_array, given)
    node = json.loads((folder / "node.json").read_text())
    if node["spec"] == "onnx":
        model = str(folder / "model.onnx")
        if not os.path.exists(model):
            onnx.save(onnx_model(node, *given), model)
    elif runtime == "openvino":
        model = openvino_model(node, given[0])
    else:
        return "same, as it does not read an IR"
    output = answer(runtime, model, x)
    if output.shape != expected.shape:
        return f"differs: shape {output.shape}, the specification says {expected.shape}"
    if output.dtype != expected.dtype:
        return f"differs: type {output.dtype}, the specification says {expected.dtype}"
    wrong = (output != expected) & ~((output != output) & (expected != expected))
    if wrong.any():
        place = tuple(int(k[0]) for k in wrong.nonzero())
        return f"differs: {output[place]} at {place}, the specification says {expected[place]}"
    return "same"


def main(words):
    if len(words) == 3 and words[0] == "--one":
        print(compare(words[1], pathlib.Path(words[2])))
        return 0
    if not words or words[0] not in ("ort", "openvino", "opencv", "reference"):
        sys.exit(__doc__)
    status = 0
    for folder in [pathlib.Path(w) for w in words[1:]] or sorted(HERE.glob("test_*")):
        command = [sys.executable, __file__, "--one", words[0], str(folder)]
        done = subprocess.run(
            command, capture_output=True, text=True, env={**os.environ, "MALLOC_PERTURB_": "85"}
        )
        lines = (done.stdout if done.returncode == 0 else done.stderr).strip().splitlines()
        result = lines[-1] if lines else f"ended with status {done.returncode}"
        status |= not result.startswith("same")
        print(f"{folder.name}: {result}")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
