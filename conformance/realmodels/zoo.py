"""Architectures of timm, torchvision and transformers that pad, with random weights.

SPDX-License-Identifier: MIT

Small configurations of the same layers: a Pad does not care how many channels there are.
"""

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
    "swin_tiny_patch4_window7_224": (224, {"depths": (2, 2), "embed_dim": 24, "num_heads": (2, 2)}),
    "swinv2_tiny_window8_256": (256, {"depths": (2, 2), "embed_dim": 24, "num_heads": (2, 2)}),
    "swin_s3_tiny_224": (
        224,
        {"depths": (2, 2), "embed_dim": 24, "num_heads": (2, 2), "window_size": (7, 7)},
    ),
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
    "swin_t": (
        64,
        {
            "embed_dim": 24,
            "depths": [2, 2],
            "num_heads": [2, 2],
            "patch_size": [4, 4],
            "window_size": [7, 7],
        },
    ),
    "swin_v2_t": (
        64,
        {
            "embed_dim": 24,
            "depths": [2, 2],
            "num_heads": [2, 2],
            "patch_size": [4, 4],
            "window_size": [8, 8],
        },
    ),
}
TRANSFORMERS = {  # name: its classes, the words of its configuration, the shape of its input
    "swin": (
        "SwinConfig",
        "SwinModel",
        {
            "image_size": 64,
            "embed_dim": 24,
            "depths": [2, 2],
            "num_heads": [2, 2],
            "window_size": 7,
        },
        (1, 3, 64, 64),
    ),
    "swinv2": (
        "Swinv2Config",
        "Swinv2Model",
        {
            "image_size": 64,
            "embed_dim": 24,
            "depths": [2, 2],
            "num_heads": [2, 2],
            "window_size": 7,
        },
        (1, 3, 64, 64),
    ),
    "swin2sr": (
        "Swin2SRConfig",
        "Swin2SRForImageSuperResolution",
        {"image_size": 32, "embed_dim": 24, "depths": [2], "num_heads": [2], "window_size": 4},
        (1, 3, 30, 33),
    ),
    "donut-swin": (
        "DonutSwinConfig",
        "DonutSwinModel",
        {
            "image_size": 64,
            "embed_dim": 24,
            "depths": [2, 2],
            "num_heads": [2, 2],
            "window_size": 7,
        },
        (1, 3, 64, 64),
    ),
    "bit": (
        "BitConfig",
        "BitModel",
        {
            "embedding_size": 16,
            "hidden_sizes": [32, 64],
            "depths": [1, 1],
            "global_padding": "SAME",
            "num_groups": 4,
        },
        (1, 3, 64, 64),
    ),
    "mobilenet-v1": (
        "MobileNetV1Config",
        "MobileNetV1Model",
        {"depth_multiplier": 0.25},
        (1, 3, 64, 64),
    ),
    "mobilenet-v2": (
        "MobileNetV2Config",
        "MobileNetV2Model",
        {"depth_multiplier": 0.35},
        (1, 3, 64, 64),
    ),
    "efficientnet": (
        "EfficientNetConfig",
        "EfficientNetModel",
        {"width_coefficient": 0.5, "depth_coefficient": 0.5, "hidden_dim": 640},
        (1, 3, 64, 64),
    ),
    "maskformer-swin": (
        "MaskFormerSwinConfig",
        "MaskFormerSwinModel",
        {"image_size": 64, "embed_dim": 24, "depths": [2, 2], "num_heads": [2, 2]},
        (1, 3, 64, 64),
    ),
    "encodec": (
        "EncodecConfig",
        "EncodecModel.encoder",
        {"num_filters": 4, "hidden_size": 16, "num_lstm_layers": 1},
        (1, 1, 960),
    ),
    "dac": ("DacConfig", "DacModel.encoder", {"encoder_hidden_size": 8}, (1, 1, 1024)),
    "univnet": ("UnivNetConfig", "UnivNetModel", {"model_hidden_channels": 8}, (1, 20, 100)),
    "mimi": (
        "MimiConfig",
        "MimiModel.encoder",
        {"num_filters": 4, "hidden_size": 16},
        (1, 1, 1920),
    ),
    "vitdet": (
        "VitDetConfig",
        "VitDetModel",
        {
            "hidden_size": 24,
            "num_hidden_layers": 2,
            "num_attention_heads": 2,
            "image_size": 80,
            "window_size": 4,
            "window_block_indices": [0],
        },
        (1, 3, 80, 80),
    ),
    "focalnet": (
        "FocalNetConfig",
        "FocalNetModel",
        {
            "image_size": 64,
            "embed_dim": 16,
            "depths": [1, 1],
            "focal_levels": [2, 2],
            "focal_windows": [3, 3],
        },
        (1, 3, 64, 64),
    ),
    "superpoint": (
        "SuperPointConfig",
        "SuperPointForKeypointDetection.encoder",
        {},
        (1, 1, 32, 40),
    ),
    "wav2vec2": (
        "Wav2Vec2Config",
        "Wav2Vec2Model",
        {
            "hidden_size": 32,
            "num_hidden_layers": 1,
            "num_attention_heads": 2,
            "intermediate_size": 32,
            "conv_dim": [16] * 7,
            "num_conv_pos_embedding_groups": 2,
        },
        (1, 4000),
    ),
    "sew": (
        "SEWConfig",
        "SEWModel",
        {
            "hidden_size": 32,
            "num_hidden_layers": 1,
            "num_attention_heads": 2,
            "intermediate_size": 32,
            "num_conv_pos_embedding_groups": 2,
        },
        (1, 4000),
    ),
    "longformer": (
        "LongformerConfig",
        "LongformerModel",
        {
            "hidden_size": 16,
            "num_hidden_layers": 1,
            "num_attention_heads": 2,
            "intermediate_size": 16,
            "attention_window": [8],
            "vocab_size": 60,
            "max_position_embeddings": 64,
        },
        (1, 32),
    ),
    "clap-audio": (
        "ClapAudioConfig",
        "ClapAudioModel",
        {
            "patch_embeds_hidden_size": 24,
            "depths": [2, 2],
            "num_attention_heads": [2, 2],
            "hidden_size": 48,
        },
        (1, 1, 1001, 64),
    ),
}


def from_timm(name, words):
    """A function that makes the network."""
    import timm

    return lambda: timm.create_model(name, pretrained=False, num_classes=10, **words)


def from_torchvision(name, words):
    from torchvision.models import swin_transformer

    version = {
        "swin_t": {},
        "swin_v2_t": {
            "block": swin_transformer.SwinTransformerBlockV2,
            "downsample_layer": swin_transformer.PatchMergingV2,
        },
    }
    return lambda: swin_transformer.SwinTransformer(num_classes=10, **words, **version[name])


def from_transformers(config, model, words):
    import torch
    import transformers

    class First(torch.nn.Module):
        """The first result alone, under the name that exporters want."""

        def __init__(self):
            super().__init__()
            name, *inner = model.split(".")
            self.inner = getattr(transformers, name)(getattr(transformers, config)(**words))
            for part in inner:
                self.inner = getattr(self.inner, part)

        def forward(self, x):
            result = self.inner(x)
            return result if torch.is_tensor(result) else result[0]

    return First
