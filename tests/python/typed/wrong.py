"""What type checkers have to refuse: every line with a call, and no other (test_types.py)."""

import numpy as np
import tensorpad
import tensorpad.onnxruntime

floats = np.zeros((2, 3), np.float32)
plan = tensorpad.Plan((2, 3), 1)

tensorpad.pad(floats)
tensorpad.pad(floats, 1, "nonsense")
tensorpad.pad(floats, {0: 1.5})
tensorpad.pad(floats, 1, order="first")
tensorpad.pad(floats, 1, interior=1.5)
tensorpad.pad(floats, 1, threads=1.5)
tensorpad.unpad(floats, 1, mode="edge")
tensorpad.pad_shape(3, 1)
tensorpad.pad_border(floats, 1, "mirror")
tensorpad.pad_packed(b"", (3,), "int3", 1)
tensorpad.pad_packed(b"", (3,), 1)
tensorpad.set_threads("2")
tensorpad.Plan((2, 3), 1, "mirror")
plan.box(floats, 0, (1, 1))
plan.shape = (3, 4)
tensorpad.onnx.pad(floats, [0, 1], mode="replicate")
tensorpad.onnx.pad_packed(b"", (3,), "u4", [0, 0])
tensorpad.openvino.pad(floats, [0, 1])
tensorpad.openvino.pad_packed(b"", (3,), "int4", [0], [0])
tensorpad.ngraph.pad(floats, 0, [0, 1], [0, 1], pad_mode="wrap")
tensorpad.mli.padding2d(floats, "hwc")
tensorpad.run_model(3)
tensorpad.lower_model("model.onnx", "out.onnx")
tensorpad.onnxruntime.register()
