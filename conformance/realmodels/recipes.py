"""All models of the record: layers, architectures with random weights, and models made from them.

SPDX-License-Identifier: MIT

Small configurations of the same layers: a Pad does not care how many channels there are.
"""

import contextlib
import functools
import io
import logging
import warnings

import numpy as np
import onnx
import torch
from realmodels import layers
from realmodels.making import SEED, Recipe, inputs_of, sizes_of

SWIN = {"embed_dim": 24, "depths": [2, 2], "num_heads": [2, 2]}
TWO_STAGES = {"depths": (2, 2), "embed_dim": 24, "num_heads": (2, 2)}
TIMM = {  # name: the side of its image, and the words of timm.create_model
    "tf_efficientnet_b0": (64, {}),
    "tf_efficientnet_lite0": (64, {}),
    "tf_efficientnetv2_b0": (64, {}),
    "tf_mobilenetv3_small_minimal_100": (64, {}),
    "tf_mobilenetv3_small_100": (64, {}),
    "tf_mixnet_s": (64, {}),
    "mobilenetv2_050": (64, {"pad_type": "same"}),
    "resnetv2_50x1_bit": (64, {}),
    "resnetv2_50d": (64, {"layers": [1, 1, 1, 1]}),
    "resnetblur18": (64, {}),
    "dm_nfnet_f0": (64, {"depths": (1, 1, 1, 1)}),
    "swin_tiny_patch4_window7_224": (224, TWO_STAGES),
    "swinv2_tiny_window8_256": (256, TWO_STAGES),
    "swin_s3_tiny_224": (224, {**TWO_STAGES, "window_size": (7, 7)}),
    "maxvit_tiny_tf_224": (224, {"depths": (1, 1), "embed_dim": (32, 64)}),
    "hgnet_tiny": (64, {}),
    "hgnetv2_b0": (64, {}),
    "davit_tiny": (96, {"depths": (1, 1), "embed_dims": (24, 48), "num_heads": (2, 2)}),
    "sam2_hiera_tiny": (224, {"stages": (1, 1, 1, 1), "embed_dim": 24}),
    "efficientvit_m0": (96, {}),
    "nest_tiny": (224, {}),
    "twins_svt_small": (96, {"depths": (1, 1, 1, 1), "embed_dims": (16, 32, 48, 64)}),
    "gcvit_xxtiny": (224, {}),
}
TORCHVISION = {  # name: the side of its image, and the words of its class
    "swin_t": (64, {**SWIN, "patch_size": [4, 4], "window_size": [7, 7]}),
    "swin_v2_t": (64, {**SWIN, "patch_size": [4, 4], "window_size": [8, 8]}),
}
IMAGE, SPEECH = (1, 3, 64, 64), (1, 4000)
SWIN_64 = {**SWIN, "image_size": 64}
SMALL = {"num_hidden_layers": 1, "num_attention_heads": 2}
HEARS = {"hidden_size": 32, **SMALL, "intermediate_size": 32, "num_conv_pos_embedding_groups": 2}
BIT = {"embedding_size": 16, "hidden_sizes": [32, 64], "depths": [1, 1], "num_groups": 4}
FOCAL = {"image_size": 64, "embed_dim": 16, "depths": [1, 1], "focal_levels": [2, 2]}
ENCODEC = {"num_filters": 4, "hidden_size": 16}
# name: what its classes are called (NameConfig, and Name with the word behind), the words of its configuration, the
# shape of its input
TRANSFORMERS = {
    "swin": ("Swin", "Model", {**SWIN_64, "window_size": 7}, IMAGE),
    "swinv2": ("Swinv2", "Model", {**SWIN_64, "window_size": 7}, IMAGE),
    "swin2sr": (
        *("Swin2SR", "ForImageSuperResolution"),
        {"image_size": 32, "embed_dim": 24, "depths": [2], "num_heads": [2], "window_size": 4},
        (1, 3, 30, 33),
    ),
    "donut-swin": ("DonutSwin", "Model", {**SWIN_64, "window_size": 7}, IMAGE),
    "bit": ("Bit", "Model", {**BIT, "global_padding": "SAME"}, IMAGE),
    "mobilenet-v1": ("MobileNetV1", "Model", {"depth_multiplier": 0.25}, IMAGE),
    "mobilenet-v2": ("MobileNetV2", "Model", {"depth_multiplier": 0.35}, IMAGE),
    "efficientnet": (
        *("EfficientNet", "Model"),
        {"width_coefficient": 0.5, "depth_coefficient": 0.5, "hidden_dim": 640},
        IMAGE,
    ),
    "maskformer-swin": ("MaskFormerSwin", "Model", SWIN_64, IMAGE),
    "encodec": ("Encodec", "Model.encoder", {**ENCODEC, "num_lstm_layers": 1}, (1, 1, 960)),
    "dac": ("Dac", "Model.encoder", {"encoder_hidden_size": 8}, (1, 1, 1024)),
    "univnet": ("UnivNet", "Model", {"model_hidden_channels": 8}, (1, 20, 100)),
    "mimi": ("Mimi", "Model.encoder", ENCODEC, (1, 1, 1920)),
    "vitdet": (
        *("VitDet", "Model"),
        {"hidden_size": 24, "num_hidden_layers": 2, "num_attention_heads": 2, "image_size": 80}
        | {"window_size": 4, "window_block_indices": [0]},
        (1, 3, 80, 80),
    ),
    "focalnet": ("FocalNet", "Model", {**FOCAL, "focal_windows": [3, 3]}, IMAGE),
    "superpoint": ("SuperPoint", "ForKeypointDetection.encoder", {}, (1, 1, 32, 40)),
    "wav2vec2": ("Wav2Vec2", "Model", {**HEARS, "conv_dim": [16] * 7}, SPEECH),
    "sew": ("SEW", "Model", HEARS, SPEECH),
    "longformer": (
        *("Longformer", "Model"),
        {"hidden_size": 16, **SMALL, "intermediate_size": 16, "attention_window": [8]}
        | {"vocab_size": 60, "max_position_embeddings": 64},
        (1, 32),
    ),
    "clap-audio": (
        *("ClapAudio", "Model"),
        {"patch_embeds_hidden_size": 24, "depths": [2, 2], "num_attention_heads": [2, 2]}
        | {"hidden_size": 48},
        (1, 1, 1001, 64),
    ),
}


def from_timm(name, words):
    import timm

    return timm.create_model(name, pretrained=False, num_classes=10, **words)


def from_torchvision(name, words):
    from torchvision.models import swin_transformer

    version = {
        "swin_t": {},
        "swin_v2_t": {
            "block": swin_transformer.SwinTransformerBlockV2,
            "downsample_layer": swin_transformer.PatchMergingV2,
        },
    }
    return swin_transformer.SwinTransformer(num_classes=10, **words, **version[name])


def from_transformers(name, model, words):
    import transformers

    class First(torch.nn.Module):
        """The first result alone, under the name that exporters want."""

        def __init__(self):
            super().__init__()
            last, *inner = model.split(".")
            config = getattr(transformers, f"{name}Config")(**words)
            self.inner = getattr(transformers, f"{name}{last}")(config)
            for part in inner:
                self.inner = getattr(self.inner, part)

        def forward(self, x):
            result = self.inner(x)
            return result if torch.is_tensor(result) else result[0]

    return First()


@contextlib.contextmanager
def quiet():
    """The exporters print pages of advice."""
    logging.disable(logging.WARNING)
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        yield
    logging.disable(logging.NOTSET)


def seeded(build):
    """The network with weights that are the same every time, in inference mode."""
    torch.manual_seed(SEED)
    network = build().eval()
    draw = torch.Generator().manual_seed(SEED)
    for name, kept in network.named_buffers():  # means and variances of layers that nobody trained
        if kept.is_floating_point() and name.endswith(("running_mean", "running_var")):
            kept.copy_(torch.rand(kept.shape, generator=draw) + 0.5 * name.endswith("var"))
    return network


def random_input(shape, kind=torch.float32):
    numbers = np.random.default_rng(SEED).standard_normal(shape)
    return (
        torch.tensor(numbers).to(kind) if kind.is_floating_point else torch.ones(shape, dtype=kind)
    )


def export(path, build, shape, opset, dynamo, open_axes=(), kind=torch.float32):
    """Writes the network as ONNX. open_axes: the axes of its one input whose extents stay open."""
    network = seeded(build)
    given = random_input(shape, kind)
    names = {axis: f"axis{axis}" for axis in open_axes}
    with quiet(), torch.no_grad():
        if dynamo:
            dims = {axis: torch.export.Dim(name, min=2, max=4096) for axis, name in names.items()}
            program = torch.onnx.export(
                network,
                (given,),
                dynamo=True,
                opset_version=opset,
                dynamic_shapes=[dims] if dims else None,
                verbose=False,
            )
            program.save(str(path), external_data=False)
        else:
            torch.onnx.export(
                network,
                (given,),
                str(path),
                dynamo=False,
                opset_version=opset,
                input_names=["x"],
                output_names=["y"],
                dynamic_axes={"x": names, "y": {0: "axis0"}} if names else None,
            )


class Calibration:
    """A few random inputs."""

    def __init__(self, path, shapes):
        model, draw = onnx.load(path), np.random.default_rng(SEED)
        self.rest = [inputs_of(model, shapes, draw) for _ in range(4)]

    def get_next(self):
        return self.rest.pop() if self.rest else None


def quantise(source, path, shapes, by_nodes):
    """by_nodes: as QuantizeLinear and DequantizeLinear; otherwise as QLinearConv and its like."""
    from onnxruntime import quantization

    form = quantization.QuantFormat.QDQ if by_nodes else quantization.QuantFormat.QOperator
    with quiet():
        prepared = path.with_suffix(".prepared.onnx")
        quantization.quant_pre_process(str(source), str(prepared), skip_symbolic_shape=True)
        quantization.quantize_static(
            str(prepared),
            str(path),
            Calibration(prepared, shapes),
            quant_format=form,
            per_channel=by_nodes,
            activation_type=quantization.QuantType.QUInt8,
            weight_type=quantization.QuantType.QInt8,
        )
        prepared.unlink()


def quantise_weights(source, path):
    """Dynamic quantisation: MatMulInteger and ConvInteger."""
    from onnxruntime import quantization

    with quiet():
        quantization.quantize_dynamic(
            str(source), str(path), weight_type=quantization.QuantType.QUInt8
        )


def convert(source, path):
    """An IR of OpenVINO with its weights beside it."""
    import openvino

    with quiet():
        openvino.save_model(openvino.convert_model(str(source)), str(path), compress_to_fp16=False)


# How torch's users export: the exporter, the opset, whether the extents beside batch and channels stay open.
LEGACY, DYNAMO = False, True
WAYS = [(LEGACY, 11, True), (LEGACY, 17, False), (DYNAMO, 18, True), (DYNAMO, 21, False)]
MORE_WAYS = [(LEGACY, 13, True), (LEGACY, 11, False), (DYNAMO, 20, True), (DYNAMO, 18, False)]
STEPS = (6, -4)  # what the open extents of the other sizes are longer


def label(name, dynamo, opset, is_open):
    return f"{name} {'dynamo' if dynamo else 'legacy'} {opset} {'open' if is_open else 'fixed'}"


def exported(name, group, build, shape, way, kind=torch.float32):
    """One export. What is open runs at three sizes; what is fixed is the size of its export."""
    dynamo, opset, is_open = way
    axes = tuple(range(2, len(shape))) if is_open else ()
    words = {"opset": opset, "dynamo": dynamo, "open_axes": axes, "kind": kind}
    make = functools.partial(export, build=build, shape=shape, **words)
    return Recipe(label(name, *way), group, make, sizes_of(shape, axes, STEPS if axes else ()))


def torch_layers():
    for k, (name, (build, shape)) in enumerate(layers.NETWORKS.items()):
        for way in WAYS if k % 2 else MORE_WAYS:
            yield exported(f"layers {name}", "torch layers", build, shape, way)


def architectures():
    for k, (name, (side, words)) in enumerate(TIMM.items()):
        ways = [(LEGACY, (11, 13, 17)[k % 3], side == 64), (DYNAMO, (18, 20, 21)[k % 3], False)]
        build, shape = functools.partial(from_timm, name, words), (1, 3, side, side)
        for way in ways:
            yield exported(f"timm {name}", "timm", build, shape, way)
    for name, (side, words) in TORCHVISION.items():
        build, shape = functools.partial(from_torchvision, name, words), (1, 3, side, side)
        for way in [(LEGACY, 17, True), (DYNAMO, 18, False)]:
            yield exported(f"torchvision {name}", "torchvision", build, shape, way)
    for name, (classes, model, words, shape) in TRANSFORMERS.items():
        kind = torch.int64 if name == "longformer" else torch.float32
        build = functools.partial(from_transformers, classes, model, words)
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
        source = by_name[name]
        given, shapes = folder_of(source) / "model.onnx", source.shapes
        for form, make in (
            ("QDQ", functools.partial(quantise, given, shapes=shapes[0], by_nodes=True)),
            ("QOperator", functools.partial(quantise, given, shapes=shapes[0], by_nodes=False)),
            ("dynamic", functools.partial(quantise_weights, given)),
        ):
            yield Recipe(f"{name} {form}", "quantised", make, shapes, rounds=True)
    for name in CONVERTED:
        source = by_name[name]
        make = functools.partial(convert, folder_of(source) / "model.onnx")
        yield Recipe(f"{name} IR", "IR", make, source.shapes, suffix=".xml")


def all_recipes(folder_of):
    made = [*torch_layers(), *architectures()]
    return made + list(from_models({recipe.name: recipe for recipe in made}, folder_of))
