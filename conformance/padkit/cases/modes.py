"""All modes on data as models have it: images, feature maps, sequences, and several axes at once.

SPDX-License-Identifier: MIT
"""

import itertools

from padkit.cases.common import MODES, answered, case, number

REAL = {  # name: (what it shows, shape, pads)
    "image_1": ("a frame of 1 around an image, NCHW", (1, 3, 8, 6), (0, 0, 1, 1, 0, 0, 1, 1)),
    "image_3": ("a frame of 3 around an image, NCHW", (1, 3, 7, 8), (0, 0, 3, 3, 0, 0, 3, 3)),
    "image_same": (
        "TensorFlow's SAME: one more at the end",
        (1, 3, 7, 8),
        (0, 0, 0, 0, 0, 0, 1, 1),
    ),
    "image_tall": ("only above and below", (1, 2, 4, 9), (0, 0, 2, 0, 0, 0, 2, 0)),
    "image_wide": ("only left and right", (1, 2, 9, 4), (0, 0, 0, 2, 0, 0, 0, 2)),
    "image_larger": ("a frame as large as the image", (1, 2, 3, 3), (0, 0, 3, 3, 0, 0, 3, 3)),
    "image_crop": (
        "an image is cropped by 1 at all sides",
        (1, 3, 6, 7),
        (0, 0, -1, -1, 0, 0, -1, -1),
    ),
    "image_shift": ("an image moves by one pixel", (1, 2, 4, 5), (0, 0, 1, -1, 0, 0, -1, 1)),
    "image_batch": ("a frame of 1, four images", (4, 1, 5, 5), (0, 0, 1, 1, 0, 0, 1, 1)),
    "nhwc_1": ("a frame of 1 around an image, NHWC", (1, 6, 5, 3), (0, 1, 1, 0, 0, 1, 1, 0)),
    "nhwc_2": ("a frame of 2 around an image, NHWC", (2, 3, 4, 3), (0, 2, 2, 0, 0, 2, 2, 0)),
    "hwc": ("a frame of 1 around an image without a batch", (5, 6, 3), (1, 1, 0, 1, 1, 0)),
    "channels_end": ("channels are added at the end", (1, 3, 4, 4), (0, 0, 0, 0, 0, 1, 0, 0)),
    "channels_both": ("channels are added at both ends", (1, 4, 3, 3), (0, 1, 0, 0, 0, 2, 0, 0)),
    "channels_last": ("3 channels become 4, NHWC", (1, 4, 4, 3), (0, 0, 0, 0, 0, 0, 0, 1)),
    "batch": ("a batch is filled up", (3, 2, 4), (0, 0, 0, 1, 0, 0)),
    "sequence_end": ("a sequence is filled up at the end", (1, 13, 8), (0, 0, 0, 0, 3, 0)),
    "sequence_begin": ("a sequence is filled up at the begin", (1, 13, 8), (0, 3, 0, 0, 0, 0)),
    "sequence_shift": ("a causal shift by one token", (2, 7, 4), (0, 1, 0, 0, -1, 0)),
    "tokens": ("a class token's row in front", (1, 16, 6), (0, 1, 0, 0, 0, 0)),
    "features": ("features are filled up to 16", (5, 13), (0, 0, 0, 3)),
    "audio": ("a signal before a filter", (1, 1, 16), (0, 0, 7, 0, 0, 7)),
    "audio_causal": ("a signal before a causal filter", (1, 2, 16), (0, 0, 6, 0, 0, 0)),
    "volume": ("a frame of 1 around a volume", (1, 1, 3, 4, 3), (0, 0, 1, 1, 1, 0, 0, 1, 1, 1)),
    "volume_uneven": (
        "other amounts at each side of a volume",
        (1, 1, 2, 3, 4),
        (0, 0, 0, 1, 2, 0, 0, 1, 2, 0),
    ),
    "window": ("an image up to a multiple of the window", (1, 5, 6, 4), (0, 0, 0, 0, 0, 2, 1, 0)),
    "attention": (
        "a row and a column of an attention bias",
        (1, 2, 4, 4),
        (0, 0, 1, 1, 0, 0, 0, 0),
    ),
}
TWO_AXES = ((1, 1), (4, 0), (0, -1), (-1, 2), (2, -1))


def real():
    for mode in MODES:
        for name, (what, shape, pads) in REAL.items():
            yield case(f"{name}_{mode}", f"{mode}: {what}", shape, pads, mode)
    yield case(
        "image_value",
        "a frame of white around an image",
        (1, 3, 4, 5),
        (0, 0, 2, 2, 0, 0, 2, 2),
        type="uint8",
        value=255,
    )
    yield case(
        "attention_minus_infinity",
        "a bias is filled with -infinity",
        (1, 2, 3, 3),
        (0, 0, 0, 0, 0, 0, 0, 2),
        value=float("-inf"),
    )
    yield case(
        "tokens_padding_number",
        "token numbers are filled with the number of padding",
        (2, 5),
        (0, 0, 0, 3),
        type="int64",
        value=50257,
    )
    yield case(
        "mask_false", "a mask is filled with False", (1, 6), (0, 0, 0, 2), type="bool", value=False
    )


def two_axes():
    """Each pair of amounts on the rows with each on the columns."""
    for mode in MODES:
        for rows, columns in itertools.product(TWO_AXES, TWO_AXES):
            begin, end = zip(rows, columns)
            if rows == columns or not answered((3, 4), begin, end, mode):
                continue
            name = "_".join(map(number, (*rows, *columns)))
            yield case(
                f"two_axes_{mode}_{name}",
                f"{mode}: {rows} at the ends of the rows' axis, {columns} of the columns'",
                (3, 4),
                begin + end,
                mode,
            )


CASES = [*real(), *two_axes()]
