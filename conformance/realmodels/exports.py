"""torch's two exporters, as people call them.

SPDX-License-Identifier: MIT
"""

import contextlib
import io
import logging
import warnings

import numpy as np
import torch

from realmodels.recipe import SEED


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


def export(build, path, shape, opset, dynamo, open_axes=(), batch_open=False, kind=torch.float32):
    """Writes the network as ONNX. open_axes: the axes of its one input whose extents stay open."""
    network = seeded(build)
    given = random_input(shape, kind)
    axes = (0, *open_axes) if batch_open else tuple(open_axes)
    names = {axis: f"axis{axis}" for axis in axes}
    with quiet(), torch.no_grad():
        if dynamo:
            dims = {
                axis: torch.export.Dim(name, min=2 if axis else 1, max=4096)
                for axis, name in names.items()
            }
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
