"""The models of padkit.operator_model as IR files of OpenVINO.

SPDX-License-Identifier: MIT
"""

from xml.etree import ElementTree

from padkit.ir_model import NAMES, Net
from padkit.operator_model import Model, Value

# The layer of each use, the opset that its version names, and its attributes.
LAYERS = {
    "reshape": ("Reshape", 1, {"special_zero": "true"}),
    "expand": ("Broadcast", 3, {"mode": "bidirectional"}),
    "slice": ("Slice", 8, {}),
    "concat": ("Concat", 1, {}),
    "gather": ("Gather", 8, {"batch_dims": 0}),
    "where": ("Select", 1, {"auto_broadcast": "numpy"}),
    "cast": ("Convert", 1, {}),
}


class IrModel(Model):
    """A model of OpenVINO; Identity is a Reshape to the same shape."""

    def __init__(self, word, sample, is_open=False):
        super().__init__(word, sample, is_open)
        self.net = Net(11)

    def give(self, name, word, shape, cells):
        return self.net.parameter(name, word, shape, cells, "dynamic" if self.is_open else "known")

    def keep(self, name, word, shape, cells):
        return self.net.const(name, word, shape, cells)

    def put(self, use, operands, cells, word=None, **given):
        """Adds the layer of that use with its arguments."""
        word = word or operands[-1].type
        if use == "identity":
            return self.put("reshape", operands, cells, shape=[0] * cells.ndim)
        kind, opset, attributes = LAYERS[use]
        sources = [x.place for x in operands]
        if use == "slice":
            steps = [given["step"]] * len(given["axes"])
            sources += [
                self.numbers(values)
                for values in (given["starts"], given["ends"], steps, given["axes"])
            ]
        elif use == "gather":
            sources += [
                self.numbers(given["indices"]),
                self.constant([], "int64", [given["axis"]]).place,
            ]
        elif use in ("reshape", "expand"):
            sources.append(self.numbers(given["shape"]))
        elif use == "concat":
            attributes = given
        elif use == "cast":
            attributes = {"destination_type": NAMES[word]}
        dims = None if self.is_open else cells.shape
        layer = self.net.layer(next(self.names), kind, word, dims, sources, opset, **attributes)
        return Value(layer, word, cells)

    def files(self, y):
        """({file name: bytes}, [a TensorProto for each input], the answer as a TensorProto)."""
        self.net.layer("result", "Result", y.type, None, [y.place])
        ElementTree.indent(self.net.root)
        xml = ElementTree.tostring(self.net.root, encoding="utf-8", xml_declaration=True) + b"\n"
        content = {"model.xml": xml, "model.bin": bytes(self.net.weights)}
        return content, self.net.feeds, self.answer(y)
