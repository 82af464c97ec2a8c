"""What calls on small arrays cost in Python, beside numpy.pad.  SPDX-License-Identifier: MIT

Nanoseconds of processor time a call, so that other programs matter less: the median of many turns,
which the functions take one after the other; one thread. No figure is asserted anywhere.
"""

import platform
import statistics
import time

import numpy as np
import tensorpad
from tensorpad import mli, ngraph, onnx, openvino

A = np.arange(6, dtype="f4").reshape(2, 3)
IMAGE = np.ones((1, 3, 8, 8), "f4")
CHANNELS_LAST = np.ones((4, 4, 3), "i1")
HALF = A.astype("f2")
OUT = np.empty((4, 5), "f4")
SIDES = ((0, 0), (0, 0), (1, 1), (1, 1))
WIDTHS = np.array([[1, 1], [0, 2]])
SCALAR = np.float32(7)
PADS = [0, 0, 1, 1, 0, 0, 1, 1]
PADS_ARRAY = np.array(PADS)
PACKED = np.uint8([0x21, 0x03])
TOKENS = [[*range(length)] for length in range(20, 500, 30)]
PLAN = tensorpad.Plan((2, 3), 1, dtype="f4")

# What is called: our call, and the same of NumPy where it has it.
SMALL = {
    "pad(a, 1)": (lambda: tensorpad.pad(A, 1), lambda: np.pad(A, 1)),
    "pad(a, 1, 'reflect')": (
        lambda: tensorpad.pad(A, 1, "reflect"),
        lambda: np.pad(A, 1, "reflect"),
    ),
    "pad(a, 1, out=out)": (lambda: tensorpad.pad(A, 1, out=OUT), None),
    "pad(image, pairs)": (lambda: tensorpad.pad(IMAGE, SIDES), lambda: np.pad(IMAGE, SIDES)),
    "pad(image, pairs, 'reflect')": (
        lambda: tensorpad.pad(IMAGE, SIDES, "reflect"),
        lambda: np.pad(IMAGE, SIDES, "reflect"),
    ),
    "pad(a, array)": (lambda: tensorpad.pad(A, WIDTHS), lambda: np.pad(A, WIDTHS)),
    "pad([1, 2, 3], 1)": (lambda: tensorpad.pad([1, 2, 3], 1), lambda: np.pad([1, 2, 3], 1)),
    "pad(image, {2: 1, 3: (1, 2)})": (lambda: tensorpad.pad(IMAGE, {2: 1, 3: (1, 2)}), None),
    "pad(image, {2: -1, 3: (-1, 2)})": (lambda: tensorpad.pad(IMAGE, {2: -1, 3: (-1, 2)}), None),
    "pad(a, (-1, 2), 'reflect', order='crop')": (
        lambda: tensorpad.pad(A, (-1, 2), "reflect", order="crop"),
        None,
    ),
    "pad(a, 1, interior=1)": (lambda: tensorpad.pad(A, 1, interior=1), None),
    "pad(a, 1, interior=(0, 1))": (lambda: tensorpad.pad(A, 1, interior=(0, 1)), None),
    "pad(image, 1, axes=(2, 3))": (lambda: tensorpad.pad(IMAGE, 1, axes=(2, 3)), None),
    "pad(a, 1, ['wrap', 'edge'])": (lambda: tensorpad.pad(A, 1, ["wrap", "edge"]), None),
    "pad(a, 1, constant_values=7.5)": (
        lambda: tensorpad.pad(A, 1, constant_values=7.5),
        lambda: np.pad(A, 1, constant_values=7.5),
    ),
    "pad(a, 1, constant_values=np.float32(7))": (
        lambda: tensorpad.pad(A, 1, constant_values=SCALAR),
        lambda: np.pad(A, 1, constant_values=SCALAR),
    ),
    "pad(float16, 1, constant_values=7)": (
        lambda: tensorpad.pad(HALF, 1, constant_values=7),
        lambda: np.pad(HALF, 1, constant_values=7),
    ),
    "pad(a, 1, constant_values=(1, 2))": (
        lambda: tensorpad.pad(A, 1, constant_values=(1, 2)),
        lambda: np.pad(A, 1, constant_values=(1, 2)),
    ),
    "pad(a, 1, constant_values=((1, 2), (3, 4)))": (
        lambda: tensorpad.pad(A, 1, constant_values=((1, 2), (3, 4))),
        lambda: np.pad(A, 1, constant_values=((1, 2), (3, 4))),
    ),
    "pad_to(a, 4)": (lambda: tensorpad.pad_to(A, 4), None),
    "pad_to(a, (4, 5))": (lambda: tensorpad.pad_to(A, (4, 5)), None),
    "pad_to(a, (4, 5), out=out)": (lambda: tensorpad.pad_to(A, (4, 5), out=OUT), None),
    "pad_to(a, multiple=4, square=(0, 1), return_amounts=True)": (
        lambda: tensorpad.pad_to(A, multiple=4, square=(0, 1), return_amounts=True),
        None,
    ),
    "pad_to(image, 16, axes=(2, 3), mode='reflect')": (
        lambda: tensorpad.pad_to(IMAGE, 16, axes=(2, 3), mode="reflect"),
        None,
    ),
    "pad_batch([[1, 2, 3], [4]])": (lambda: tensorpad.pad_batch([[1, 2, 3], [4]]), None),
    "pad_batch([a, a[:1]])": (lambda: tensorpad.pad_batch([A, A[:1]]), None),
    "pad_batch(tokens)": (lambda: tensorpad.pad_batch(TOKENS), None),
    "pad_batch(tokens, mask=True, lengths=True)": (
        lambda: tensorpad.pad_batch(TOKENS, mask=True, lengths=True),
        None,
    ),
    "pad_border(out, 1, 'edge')": (lambda: tensorpad.pad_border(OUT, 1, "edge"), None),
    "pad_shape((2, 3), 1)": (lambda: tensorpad.pad_shape((2, 3), 1), None),
    "unpad(a, ((0, 1), (0, 1)))": (lambda: tensorpad.unpad(A, ((0, 1), (0, 1))), None),
    "pad_packed(buffer, (3,), 'int4', (1, 0))": (
        lambda: tensorpad.pad_packed(PACKED, (3,), "int4", (1, 0)),
        None,
    ),
    "Plan((2, 3), 1, dtype='f4')": (lambda: tensorpad.Plan((2, 3), 1, dtype="f4"), None),
    "plan(a)": (lambda: PLAN(A), None),
    "plan.run(a, out)": (lambda: PLAN.run(A, OUT), None),
    "plan.box(a, (0, 0), (2, 2))": (lambda: PLAN.box(A, (0, 0), (2, 2)), None),
    "plan.needs((0, 0), (2, 2))": (lambda: PLAN.needs((0, 0), (2, 2)), None),
    "plan.sources(0)": (lambda: PLAN.sources(0), None),
    "onnx.pad(image, pads)": (lambda: onnx.pad(IMAGE, PADS), None),
    "onnx.pad(image, pads, 1.5)": (lambda: onnx.pad(IMAGE, PADS, 1.5), None),
    "onnx.pad(image, array, np.float32(7))": (lambda: onnx.pad(IMAGE, PADS_ARRAY, SCALAR), None),
    "onnx.pad(image, pads, axes=[2, 3], mode='edge')": (
        lambda: onnx.pad(IMAGE, [1, 1, 1, 1], axes=[2, 3], mode="edge"),
        None,
    ),
    "onnx.pad(image, pads, 1.5, opset=10)": (lambda: onnx.pad(IMAGE, PADS, 1.5, opset=10), None),
    "onnx.pad_packed(buffer, (3,), 'int4', [1, 0])": (
        lambda: onnx.pad_packed(PACKED, (3,), "int4", [1, 0]),
        None,
    ),
    "openvino.pad(image, begin, end, 1.5, 'constant')": (
        lambda: openvino.pad(IMAGE, PADS[:4], PADS[4:], 1.5, "constant"),
        None,
    ),
    "openvino.pad(image, begin, end, pad_mode='edge')": (
        lambda: openvino.pad(IMAGE, PADS[:4], PADS[4:], pad_mode="edge"),
        None,
    ),
    "openvino.pad_packed(buffer, (3,), 'u4', [1], [0], 7, 'constant')": (
        lambda: openvino.pad_packed(PACKED, (3,), "u4", [1], [0], 7, "constant"),
        None,
    ),
    "ngraph.pad(a, 0, [1, 0], [0, -1], [1, 2])": (
        lambda: ngraph.pad(A, 0, [1, 0], [0, -1], [1, 2]),
        None,
    ),
    "mli.padding2d(t, layout='hwc', padding_left=1, ...)": (
        lambda: mli.padding2d(
            CHANNELS_LAST,
            layout="hwc",
            padding_left=1,
            padding_right=1,
            padding_top=1,
            padding_bottom=1,
        ),
        None,
    ),
}


def turn(call, count):
    """Nanoseconds of one call in a turn of `count` calls."""
    start = time.thread_time_ns()
    for _ in range(count):
        call()
    return (time.thread_time_ns() - start) / count


def medians(calls, turns=25):
    """The median of each call; the calls alternate."""
    counts = [max(3, int(2e6 / max(1, turn(call, 3)))) for call in calls]
    times = [[turn(call, count) for call, count in zip(calls, counts)] for _ in range(turns)]
    return [statistics.median(column) for column in zip(*times)]


def main():
    print(
        f"Python {platform.python_version()}, NumPy {np.__version__}, tensorpad "
        f"{tensorpad.__version__}; median ns a call"
    )
    print(f"{'':66}{'tensorpad':>10}{'numpy.pad':>11}")
    for name, calls in SMALL.items():
        found = medians([call for call in calls if call])
        print(f"{name:66}{found[0]:10.0f}" + (f"{found[1]:11.0f}" if len(found) > 1 else ""))


main()
