"""Random IRs of OpenVINO: the random graphs of ONNX, many of them quantised, written by OpenVINO.

SPDX-License-Identifier: MIT

An IR has layers that no model of ONNX becomes: a FakeQuantize in place of QuantizeLinear and DequantizeLinear, Pad of
opset 1, and an AvgPool that rounds up by "ceil" and so keeps a last window that begins in its pads. They are put in
where the answer stays that of the model of ONNX.
"""

import multiprocessing
import random
import sys

import numpy as np
import openvino
from graphs import random_graphs
from openvino import opset1


def alone_behind(node, word):
    """The only reader of a node, if it is of that type; else None."""
    readers = node.output(0).get_target_inputs() if node else ()
    found = next(iter(readers)).get_node() if len(readers) == 1 else None
    return found if found and found.get_type_name() == word else None


def constant_in(node, k):
    """The numbers of an input of a node, through the Convert of a zero point."""
    source = node.input_value(k).get_node()
    source = source.input_value(0).get_node() if source.get_type_name() == "Convert" else source
    return np.float32(source.data)


def put_fake_quantize(node):
    """One FakeQuantize in place of that of QuantizeLinear and the nodes of DequantizeLinear after it."""
    back = alone_behind(alone_behind(node, "Convert"), "Convert")
    shifted = alone_behind(back, "Subtract")
    last = alone_behind(shifted or back, "Multiply")
    if last is None:
        return
    zero, scale = constant_in(shifted, 1) if shifted else 0, constant_in(last, 1)
    ends = [np.float32((constant_in(node, k) - zero) * scale) for k in (3, 4)]
    ranges = [node.input_value(1), node.input_value(2), *ends]
    made = opset1.fake_quantize(node.input_value(0), *ranges, 256)
    last.output(0).replace(made.output(0))


def put_pad_1(node):
    begin, end = (node.input_value(k).get_node() for k in (1, 2))
    for amounts in (begin, end):
        if amounts.get_type_name() != "Constant" or amounts.data.min(initial=0) < 0:
            return
    made = opset1.pad(
        *node.input_values()[:3], node.get_attributes()["pad_mode"], *node.input_values()[3:]
    )
    made.set_friendly_name(node.get_friendly_name())
    node.output(0).replace(made.output(0))


def put_avg_pool_1(node):
    """The rounding "ceil" is the same where a window is as wide as its stride, and none begins in pads."""
    words = node.get_attributes()
    narrow = any(k < s for k, s in zip(words["kernel"], words["strides"]))
    pads = *words["pads_begin"], *words["pads_end"], max(words.get("dilations", [1])) - 1
    if words["rounding_type"] != "ceil_torch" or narrow or any(pads) or "same" in words["auto_pad"]:
        return
    made = opset1.avg_pool(
        node.input_value(0),
        *(words[key] for key in ("strides", "pads_begin", "pads_end", "kernel", "exclude-pad")),
        "ceil",
        words["auto_pad"],
    )
    node.output(0).replace(made.output(0))


PUT = {"FakeQuantize": put_fake_quantize, "Pad": put_pad_1, "AvgPool": put_avg_pool_1}


def convert(path, content, draw):
    with_fakes = draw.random() < 0.7
    try:
        model = openvino.Core().read_model(content)
    except RuntimeError:  # of what it does not read
        sys.exit(1)
    for node in model.get_ordered_ops():
        word = node.get_type_name()
        if word in PUT and (with_fakes if word == "FakeQuantize" else draw.random() < 0.7):
            PUT[word](node)
    model.validate_nodes_and_infer_types()
    openvino.save_model(model, path, compress_to_fp16=False)


def save(path, onnx_model, seed):
    """In a process of its own, since OpenVINO crashes on some models."""
    given = path, onnx_model.SerializeToString(), random.Random(seed)
    child = multiprocessing.get_context("fork").Process(target=convert, args=given)
    child.start()
    child.join()
    if child.exitcode:
        raise ValueError("OpenVINO does not read the model")


def recipes(seed):
    """Without end, as random_graphs.recipes."""
    return random_graphs.recipes(seed, save, ".xml", 0.6)
