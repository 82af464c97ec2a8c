"""Runs an OpenVINO IR in OpenVINO, except for its Pads, which tensorpad computes.
SPDX-License-Identifier: MIT

An adapter (conformance/README.md): the reference of python -m tensorpad.verify for an IR. OpenVINO
runs the pieces between the Pads separately, so that it cannot move anything past a Pad. Pads in
bodies of layers stay.
"""

import pathlib
import runpy

import openvino

import tensorpad.openvino

_BASE = runpy.run_path(str(pathlib.Path(__file__).with_name("_kit") / "adapters/openvino.py"))
RUNTIME, version = "OpenVINO around Pads", _BASE["version"]
_PAD_1 = "opset1"


def _piece(outputs):
    """(a compiled model of these outputs, the Parameters that it needs)."""
    nodes, left = {}, [output.get_node() for output in outputs]
    while left:
        node = left.pop()
        if node.get_friendly_name() not in nodes:
            nodes[node.get_friendly_name()] = node
            left += [value.get_node() for value in node.input_values()]
    needed = [node for node in nodes.values() if node.get_type_name() == "Parameter"]
    results = [openvino.op.Result(output) for output in outputs]
    model = openvino.Model(results, needed, "piece")
    return openvino.Core().compile_model(model, "CPU", _BASE["SETTINGS"]), needed


def load(path):
    """[(a piece, its Parameters, the Pad after it or None, the Parameter in place of the Pad)]."""
    model, pieces = openvino.Core().read_model(path), []
    for node in model.get_ordered_ops():
        if node.get_type_name() == "Pad":
            shape = openvino.PartialShape([-1] * node.get_output_partial_shape(0).rank.get_length())
            instead = openvino.op.Parameter(node.get_output_element_type(0), shape)
            pieces.append((*_piece(node.input_values()), node, instead))
            node.output(0).replace(instead.output(0))
    ends = [result.input_value(0) for result in model.get_results()]
    return [*pieces, (*_piece(ends), None, None)]


def run(pieces, inputs):
    arrays = dict(inputs)
    for piece, needed, node, instead in pieces:
        request = piece.create_infer_request()
        for k, parameter in enumerate(needed):
            names = {parameter.get_friendly_name(), *parameter.output(0).get_names()}
            [name] = names & set(arrays)
            request.set_input_tensor(k, _BASE["tensor"](parameter.get_element_type(), arrays[name]))
        request.infer()
        outputs = [_BASE["array"](request.get_output_tensor(k)) for k in range(len(piece.outputs))]
        if node is None:
            return outputs
        mode, is_first = (
            node.get_attributes()["pad_mode"],
            node.get_type_info().version_id == _PAD_1,
        )
        value = dict(zip(("data", "pads_begin", "pads_end", "pad_value"), outputs))
        arrays[instead.get_friendly_name()] = tensorpad.openvino.pad(
            **value, pad_mode=mode, version=1 if is_first else 12
        )
    raise AssertionError("the last piece has no Pad")
