"""Calls what pads with numpy.pad in albumentations or MONAI, which come without tests, and prints what came
out of each call, for dropin_suites.py.  SPDX-License-Identifier: MIT

    dropin_programs.py albumentations|MONAI
"""

import hashlib
import itertools
import sys

import numpy as np

RANDOM = np.random.default_rng(0)


def _described(value):
    """Type, shape and digest of all elements, in what the call returned."""
    if isinstance(value, dict):
        return " ".join(f"{key}={_described(each)}" for key, each in sorted(value.items()))
    array = np.asarray(value)
    digest = hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()[:16]
    return f"{type(value).__name__} {array.dtype} {array.shape} {digest}"


def outcome(name, call):
    """Prints the name, a tab and what the call returned or raised."""
    try:
        said = _described(call())
    except Exception as error:
        said = (
            f"{type(error).__name__}: {str(error).splitlines()[0]}" if str(error) else repr(error)
        )
    print(f"{name}\t{said}")


def albumentations():
    import albumentations as A
    import cv2

    modes = {
        name: getattr(cv2, f"BORDER_{name}")
        for name in ("CONSTANT", "REPLICATE", "REFLECT", "REFLECT_101", "WRAP")
    }
    types = ("u1", "f4")

    def batch(channels, kind, *extents):
        values = RANDOM.integers(0, 256, (*extents, *channels))
        return (values / 255 if kind == "f4" else values).astype(kind)

    def run(name, transform, **data):
        outcome(name, lambda: A.Compose([transform], seed=0)(**data))

    for channels, kind, mode in itertools.product(((), (1,), (3,), (5,)), types, modes):
        data = {
            "image": batch(channels, kind, 23, 31),
            "images": batch(channels, kind, 4, 23, 31),
            "volume": batch(channels, kind, 5, 23, 31),
            "volumes": batch(channels, kind, 2, 5, 23, 31),
        }
        data["mask"], data["masks"] = data["image"], data["images"]
        fills = (0, 7, (1, 2, 3)) if mode == "CONSTANT" and channels == (3,) else (0,)
        if mode == "CONSTANT":
            fills += (0.5,)
        for fill, (key, value) in itertools.product(fills, data.items()):
            given = {"border_mode": modes[mode], "fill": fill, "fill_mask": fill, "p": 1}
            where = f"{key} {value.shape} {kind} {mode} {fill}"
            first = (
                {} if key in ("image", "volume", "volumes", "images") else {"image": data["image"]}
            )
            run(f"PadIfNeeded {where}", A.PadIfNeeded(40, 45, **given), **first, **{key: value})
            run(
                f"PadIfNeeded, divisor {where}",
                A.PadIfNeeded(
                    None,
                    None,
                    pad_height_divisor=8,
                    pad_width_divisor=16,
                    position="random",
                    **given,
                ),
                **first,
                **{key: value},
            )
            run(f"Pad {where}", A.Pad((1, 2, 3, 4), **given), **first, **{key: value})
            for crop in (A.CenterCrop, A.RandomCrop):
                run(
                    f"{crop.__name__} {where}",
                    crop(30, 40, pad_if_needed=True, **given),
                    **first,
                    **{key: value},
                )
    for channels, kind, fill in itertools.product(((), (1,), (3,)), types, (0, 0.5, 3, (1, 2, 3))):
        volume = batch(channels, kind, 5, 23, 31)
        where = f"{volume.shape} {kind} {fill}"
        given = {"fill": fill, "fill_mask": 0, "p": 1}
        data = {"volume": volume, "mask3d": volume}
        run(f"Pad3D {where}", A.Pad3D((1, 2, 3, 4, 5, 6), **given), **data)
        run(
            f"PadIfNeeded3D {where}",
            A.PadIfNeeded3D((8, 24, 40), position="random", **given),
            **data,
        )
        run(
            f"PadIfNeeded3D, divisor {where}",
            A.PadIfNeeded3D(pad_divisor_zyx=(4, 8, 16), **given),
            **data,
        )
        run(
            f"CenterCrop3D {where}",
            A.CenterCrop3D((8, 20, 40), pad_if_needed=True, **given),
            **data,
        )
        run(
            f"RandomCrop3D {where}",
            A.RandomCrop3D((8, 20, 40), pad_if_needed=True, **given),
            **data,
        )
    for channels, kind in itertools.product((1, 2, 3, 5), types):
        image = batch((channels,), kind, 16, 24)
        run(
            f"ImageCompression {image.shape} {kind}",
            A.ImageCompression("jpeg", (50, 50), p=1),
            image=image,
        )


def monai():
    import torch
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
    modes = {
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
    shapes = (1, 7), (2, 9, 6), (3, 5, 6, 7)
    types = "uint8", "int16", "int64", "float16", "float32", "float64", "bool"

    def inputs():
        for shape, kind in itertools.product(shapes, types):
            array = RANDOM.integers(0, 100, shape).astype(kind)
            yield f"numpy {kind} {shape}", array
            yield f"torch {kind} {shape}", torch.from_numpy(array.copy())

    for where, image in inputs():
        axes = image.ndim - 1
        for mode, choices in modes.items():
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


if __name__ == "__main__":
    {"albumentations": albumentations, "MONAI": monai}[sys.argv[1]]()
