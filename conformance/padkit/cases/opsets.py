"""The same few pads at every opset: what a version has, in the form that it wants.

SPDX-License-Identifier: MIT
"""

from padkit.cases.common import OPSETS, VERSIONS, case, modes_of, types_of
from padkit.cases.types import value_of

KINDS = {  # name: (what it shows, shape, pads)
    "image": ("a frame of 1 around an image", (1, 2, 3, 4), (0, 0, 1, 1, 0, 0, 1, 1)),
    "uneven": ("other amounts at each side", (2, 3), (1, 0, 2, 3)),
    "cut": ("cuts at both sides", (4, 5), (-1, 0, 0, -2)),
    "mixed": ("a cut at one side, cells at the other", (5,), (-2, 2)),
    "long": ("more cells than the axis has", (3,), (4, 5)),
}
BETWEEN = ("image", "mixed")  # are enough at an opset that does not start a version


def at_every_opset():
    for opset in OPSETS:
        for mode in modes_of(opset):
            for kind, (what, shape, pads) in KINDS.items():
                if opset not in VERSIONS and kind not in BETWEEN:
                    continue
                yield case(
                    f"opset{opset}_{mode}_{kind}",
                    f"{mode} at opset {opset}: {what}",
                    shape,
                    pads,
                    mode,
                    opset,
                )
        yield case(
            f"opset{opset}_mode_absent",
            f"no mode at opset {opset}: it is constant",
            (2, 3),
            (0, 1, 1, 0),
            None,
            opset,
        )
        yield case(
            f"opset{opset}_value",
            f"a value at opset {opset}",
            (2, 3),
            (0, 1, 1, 0),
            "constant",
            opset,
            value=2.5,
        )
        yield case(
            f"opset{opset}_value_unused",
            f"mode edge does not use the value, opset {opset}",
            (2, 3),
            (0, 1, 1, 0),
            "edge",
            opset,
            ("onnx.value",),
            value=2.5,
        )
        if opset >= 18:
            yield case(
                f"opset{opset}_axes",
                f"axes at opset {opset}",
                (2, 3, 2),
                (1, 2, 0, 1),
                "constant",
                opset,
                axes=(2, 0),
            )


def types_at_every_version():
    for opset in VERSIONS:
        for word in types_of(opset):
            yield case(
                f"opset{opset}_{word}",
                f"{word} at opset {opset}",
                (2, 3),
                (0, 1, 0, 2),
                "constant",
                opset,
                ("onnx.types",),
                type=word,
                value=None if opset < 11 else value_of(word),
            )


CASES = [*at_every_opset(), *types_at_every_version()]
