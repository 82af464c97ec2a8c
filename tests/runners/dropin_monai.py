"""Calls what pads with numpy.pad in MONAI, and prints what came out of each call, for
dropin_suites.py. The package comes without tests.  SPDX-License-Identifier: MIT"""

import itertools

import numpy as np
import torch
from dropin_outcomes import outcome
from monai.transforms import (
    BorderPad,
    DivisiblePad,
    GridPatch,
    Pad,
    ResizeWithPadOrCrop,
    SpatialPad,
    UltrasoundConfidenceMapTransform,
)
from monai.transforms.croppad.functional import pad_nd

# Without "empty", whose elements are not set. torch itself runs some of the other modes, for some types.
MODES = {
    "constant": ({}, {"constant_values": 3}),
    "edge": ({},),
    "linear_ramp": ({}, {"end_values": 2}),
    "maximum": ({}, {"stat_length": 2}),
    "mean": ({},),
    "median": ({},),
    "minimum": ({},),
    "reflect": ({}, {"reflect_type": "odd"}),
    "symmetric": ({}, {"reflect_type": "odd"}),
    "wrap": ({},),
}
SHAPES = (1, 7), (2, 9, 6), (3, 5, 6, 7)
TYPES = "uint8", "int16", "int64", "float16", "float32", "float64", "bool"
RANDOM = np.random.default_rng(0)


def inputs():
    for shape, kind in itertools.product(SHAPES, TYPES):
        array = RANDOM.integers(0, 100, shape).astype(kind)
        yield f"numpy {kind} {shape}", array
        yield f"torch {kind} {shape}", torch.from_numpy(array.copy())


for where, image in inputs():
    axes = image.ndim - 1
    for mode, choices in MODES.items():
        for more in choices:
            given = {"mode": mode, **more}
            label = f"{where} {given}"
            widths = [(0, 0), *((1 + axis, 2) for axis in range(axes))]
            outcome(f"pad_nd {label}", lambda: pad_nd(image, widths, **given))
            for name, transform in (
                ("Pad", Pad(widths, **given)),
                ("SpatialPad", SpatialPad([11] * axes, **given)),
                ("SpatialPad, end", SpatialPad([10] * axes, method="end", **given)),
                ("BorderPad", BorderPad([2] * axes, **given)),
                ("DivisiblePad", DivisiblePad(4, **given)),
                ("ResizeWithPadOrCrop", ResizeWithPadOrCrop([8] * axes, **given)),
            ):
                outcome(f"{name} {label}", lambda: transform(image))
rng = np.random.default_rng(1)
for shape in ((1, 24, 20), (2, 17, 30)):
    image = rng.random(shape, np.float32)
    for kept, overlap in itertools.product((None, 3, 40), (0, 0.5)):
        outcome(
            f"GridPatch {shape} {kept} {overlap}",
            lambda: GridPatch((8, 8), num_patches=kept, overlap=overlap, pad_mode="constant")(
                image
            ),
        )
    outcome(
        f"UltrasoundConfidenceMap {shape}",
        lambda: UltrasoundConfidenceMapTransform(sink_mode="all")(image[:1]),
    )
