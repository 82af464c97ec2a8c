"""Models made from other models of the record: quantised by ONNX Runtime's tools, or converted to IR.

SPDX-License-Identifier: MIT
"""

import numpy as np
import onnx

from realmodels.exports import quiet
from realmodels.recipe import SEED, inputs_of


class Calibration:
    """A few random inputs."""

    def __init__(self, path, shapes):
        model, draw = onnx.load(path), np.random.default_rng(SEED)
        self.rest = [inputs_of(model, shapes, draw) for _ in range(4)]

    def get_next(self):
        return self.rest.pop() if self.rest else None


def quantise(source, path, shapes, by_nodes):
    """by_nodes: as QuantizeLinear and DequantizeLinear; otherwise as QLinearConv and its like."""
    from onnxruntime import quantization

    form = quantization.QuantFormat.QDQ if by_nodes else quantization.QuantFormat.QOperator
    with quiet():
        prepared = path.with_suffix(".prepared.onnx")
        quantization.quant_pre_process(str(source), str(prepared), skip_symbolic_shape=True)
        quantization.quantize_static(
            str(prepared),
            str(path),
            Calibration(prepared, shapes),
            quant_format=form,
            per_channel=by_nodes,
            activation_type=quantization.QuantType.QUInt8,
            weight_type=quantization.QuantType.QInt8,
        )
        prepared.unlink()


def quantise_weights(source, path):
    """Dynamic quantisation: MatMulInteger and ConvInteger."""
    from onnxruntime import quantization

    with quiet():
        quantization.quantize_dynamic(
            str(source), str(path), weight_type=quantization.QuantType.QUInt8
        )


def convert(source, path):
    """An IR of OpenVINO with its weights beside it."""
    import openvino

    with quiet():
        openvino.save_model(openvino.convert_model(str(source)), str(path), compress_to_fp16=False)
