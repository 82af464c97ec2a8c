"""Calls what pads with numpy.pad in albumentations, and prints what came out of each call, for
dropin_suites.py. The package comes without tests.  SPDX-License-Identifier: MIT"""

import itertools

import albumentations as A
import cv2
import numpy as np
from dropin_outcomes import outcome

MODES = {
    name: getattr(cv2, f"BORDER_{name}")
    for name in ("CONSTANT", "REPLICATE", "REFLECT", "REFLECT_101", "WRAP")
}
TYPES = ("u1", "f4")
RANDOM = np.random.default_rng(0)


def batch(channels, kind, *extents):
    values = RANDOM.integers(0, 256, (*extents, *channels))
    return (values / 255 if kind == "f4" else values).astype(kind)


def run(name, transform, **data):
    outcome(name, lambda: A.Compose([transform], seed=0)(**data))


for channels, kind, mode in itertools.product(((), (1,), (3,), (5,)), TYPES, MODES):
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
        given = {"border_mode": MODES[mode], "fill": fill, "fill_mask": fill, "p": 1}
        where = f"{key} {value.shape} {kind} {mode} {fill}"
        first = {} if key in ("image", "volume", "volumes", "images") else {"image": data["image"]}
        run(f"PadIfNeeded {where}", A.PadIfNeeded(40, 45, **given), **first, **{key: value})
        run(
            f"PadIfNeeded, divisor {where}",
            A.PadIfNeeded(
                None, None, pad_height_divisor=8, pad_width_divisor=16, position="random", **given
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
for channels, kind, fill in itertools.product(((), (1,), (3,)), TYPES, (0, 0.5, 3, (1, 2, 3))):
    volume = batch(channels, kind, 5, 23, 31)
    where = f"{volume.shape} {kind} {fill}"
    given = {"fill": fill, "fill_mask": 0, "p": 1}
    data = {"volume": volume, "mask3d": volume}
    run(f"Pad3D {where}", A.Pad3D((1, 2, 3, 4, 5, 6), **given), **data)
    run(f"PadIfNeeded3D {where}", A.PadIfNeeded3D((8, 24, 40), position="random", **given), **data)
    run(
        f"PadIfNeeded3D, divisor {where}",
        A.PadIfNeeded3D(pad_divisor_zyx=(4, 8, 16), **given),
        **data,
    )
    run(f"CenterCrop3D {where}", A.CenterCrop3D((8, 20, 40), pad_if_needed=True, **given), **data)
    run(f"RandomCrop3D {where}", A.RandomCrop3D((8, 20, 40), pad_if_needed=True, **given), **data)
for channels, kind in itertools.product((1, 2, 3, 5), TYPES):
    image = batch((channels,), kind, 16, 24)
    run(
        f"ImageCompression {image.shape} {kind}",
        A.ImageCompression("jpeg", (50, 50), p=1),
        image=image,
    )
