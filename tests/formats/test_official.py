"""The 11 official ONNX test cases of Pad: run each model, compare bit by bit.

SPDX-License-Identifier: MIT
"""

import harness
import numpy as np
import onnx
import onnx.numpy_helper
import pytest

CASES = [
    "node/test_constant_pad",
    "node/test_constant_pad_axes",
    "node/test_constant_pad_negative_axes",
    "node/test_edge_pad",
    "node/test_reflect_pad",
    "node/test_wrap_pad",
    "pytorch-converted/test_ConstantPad2d",
    "pytorch-converted/test_ReflectionPad2d",
    "pytorch-converted/test_ReplicationPad2d",
    "pytorch-converted/test_ZeroPad2d",
    "pytorch-operator/test_operator_pad",
]


@pytest.mark.parametrize("case", CASES)
def test_official(case, data, tmp_path):
    folder = data / "onnx/backend/test/data" / case
    graph = onnx.load(folder / "model.onnx").graph
    files = [folder / f"test_data_set_0/input_{k}.pb" for k in range(len(graph.input))]
    inputs = [f"--input={port.name}={file}" for port, file in zip(graph.input, files, strict=True)]
    output = tmp_path / "y.pb"
    harness.succeed("run", folder / "model.onnx", *inputs, f"--output={output}")

    found = harness.read_pb(output)
    assert found == harness.read_pb(folder / "test_data_set_0/output_0.pb")
    assert onnx.TensorProto.FromString(output.read_bytes()).name == graph.output[0].name


def test_pads_that_a_model_computes(data, tmp_path):
    """An official model whose Pad gets its pads from other nodes: given by hand it runs."""
    folder = data / "onnx/backend/test/data/node/test_center_crop_pad_crop_and_pad_expanded"
    nodes = onnx.load(folder / "model.onnx").graph.node
    [node] = [node for node in nodes if node.op_type == "Pad"]
    x = folder / "test_data_set_0/input_0.pb"
    np.save(tmp_path / "pads.npy", np.array([0, 1, 2, 3, 0, 5]))
    arguments = ["run", folder / "model.onnx", "--node", node.output[0]]
    arguments += [f"--input={node.input[0]}={x}", "--output", tmp_path / "y.npy"]
    harness.fail(3, *arguments, says=[node.input[1], "missing"])
    harness.succeed(*arguments, f"--input={node.input[1]}={tmp_path / 'pads.npy'}")
    expected = np.pad(onnx.numpy_helper.to_array(onnx.load_tensor(x)), [(0, 3), (1, 0), (2, 5)])
    found = np.load(tmp_path / "y.npy")
    assert found.dtype == expected.dtype and np.array_equal(found, expected)
