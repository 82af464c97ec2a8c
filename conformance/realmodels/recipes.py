"""All models of the record.

SPDX-License-Identifier: MIT
"""

import functools

from realmodels import exports, layers, made_from_models, zoo
from realmodels.recipe import Recipe, sizes_of

# How torch's users export: the exporter, the opset, whether the extents beside batch and channels stay open.
LEGACY, DYNAMO = False, True
WAYS = [(LEGACY, 11, True), (LEGACY, 17, False), (DYNAMO, 18, True), (DYNAMO, 21, False)]
MORE_WAYS = [(LEGACY, 13, True), (LEGACY, 11, False), (DYNAMO, 20, True), (DYNAMO, 18, False)]
STEPS = (6, -4)  # what the open extents of the other sizes are longer


def label(name, dynamo, opset, is_open):
    return f"{name} {'dynamo' if dynamo else 'legacy'} {opset} {'open' if is_open else 'fixed'}"


def exported(name, group, build, shape, way, kind=None):
    """One export. What is open runs at three sizes; what is fixed is the size of its export."""
    dynamo, opset, is_open = way
    axes = tuple(range(2, len(shape))) if is_open else ()
    words = {} if kind is None else {"kind": kind}
    make = functools.partial(
        lambda path, **all_words: exports.export(path=path, **all_words),
        build=build,
        shape=shape,
        opset=opset,
        dynamo=dynamo,
        open_axes=axes,
        **words,
    )
    return Recipe(label(name, *way), group, make, sizes_of(shape, axes, STEPS if axes else ()))


def torch_layers():
    for k, (name, (build, shape)) in enumerate(layers.NETWORKS.items()):
        for way in WAYS if k % 2 else MORE_WAYS:
            yield exported(f"layers {name}", "torch layers", build, shape, way)


def architectures():
    for k, (name, (side, words)) in enumerate(zoo.TIMM.items()):
        ways = [(LEGACY, (11, 13, 17)[k % 3], side == 64), (DYNAMO, (18, 20, 21)[k % 3], False)]
        for way in ways:
            yield exported(
                f"timm {name}",
                "timm",
                lambda name=name, words=words: zoo.from_timm(name, words)(),
                (1, 3, side, side),
                way,
            )
    for name, (side, words) in zoo.TORCHVISION.items():
        for way in [(LEGACY, 17, True), (DYNAMO, 18, False)]:
            yield exported(
                f"torchvision {name}",
                "torchvision",
                lambda name=name, words=words: zoo.from_torchvision(name, words)(),
                (1, 3, side, side),
                way,
            )
    for name, (config, model, words, shape) in zoo.TRANSFORMERS.items():
        import torch

        kind = torch.int64 if name == "longformer" else None
        build = functools.partial(
            lambda *names: zoo.from_transformers(*names)(), config, model, words
        )
        for way in [(LEGACY, 17, False), (DYNAMO, 18, False)]:
            yield exported(f"transformers {name}", "transformers", build, shape, way, kind)


QUANTISED = [
    "layers zeros legacy 13 open",
    "layers reflect legacy 13 open",
    "layers one-sided legacy 17 fixed",
    "layers to-multiple legacy 17 fixed",
    "layers same-3-2 legacy 17 fixed",
    "layers same-max-pool legacy 13 open",
    "layers blur legacy 13 open",
    "layers style legacy 17 fixed",
    "timm mobilenetv2_050 legacy 11 open",
    "timm tf_efficientnet_lite0 legacy 13 open",
    "timm resnetv2_50x1_bit legacy 13 open",
    "torchvision swin_t legacy 17 open",
]
CONVERTED = [
    "layers zeros legacy 13 open",
    "layers value legacy 11 open",
    "layers reflect dynamo 20 open",
    "layers replicate legacy 11 open",
    "layers circular dynamo 20 open",
    "layers crop-and-pad dynamo 20 open",
    "layers channels legacy 11 open",
    "layers reflect-1d legacy 13 open",
    "layers reflect-3d legacy 11 open",
    "layers conv-reflect legacy 13 open",
    "layers to-multiple legacy 11 open",
    "layers same-max-pool legacy 13 open",
    "layers style legacy 11 open",
    "layers shift legacy 11 open",
    "layers unet legacy 11 open",
    "timm tf_efficientnet_b0 legacy 11 open",
    "timm swin_tiny_patch4_window7_224 legacy 17 fixed",
    "torchvision swin_t legacy 17 open",
    "transformers mobilenet-v2 legacy 17 fixed",
    "transformers encodec legacy 17 fixed",
]


def from_models(by_name, folder_of):
    """Those made from others, which come first. folder_of: where a recipe's model lies."""
    for name in QUANTISED:
        if name not in by_name:
            continue
        source = by_name[name]
        for form, by_nodes in (("QDQ", True), ("QOperator", False)):
            yield Recipe(
                f"{name} {form}",
                "quantised",
                lambda path, source=source, by_nodes=by_nodes: made_from_models.quantise(
                    folder_of(source) / "model.onnx", path, source.shapes[0], by_nodes
                ),
                source.shapes,
                rounds=True,
            )
        yield Recipe(
            f"{name} dynamic",
            "quantised",
            lambda path, source=source: made_from_models.quantise_weights(
                folder_of(source) / "model.onnx", path
            ),
            source.shapes,
            rounds=True,
        )
    for name in CONVERTED:
        if name not in by_name:
            continue
        source = by_name[name]
        yield Recipe(
            f"{name} IR",
            "IR",
            lambda path, source=source: made_from_models.convert(
                folder_of(source) / "model.onnx", path
            ),
            source.shapes,
            suffix=".xml",
        )


def all_recipes(folder_of):
    made = [*torch_layers(), *architectures()]
    return made + list(from_models({recipe.name: recipe for recipe in made}, folder_of))
