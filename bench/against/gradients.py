"""Gradients of pads: what is measured, and how each system does it.

SPDX-License-Identifier: MIT

tensorpad gets an array of NumPy, torch a tensor of the same memory; both get the tensor whose channels come
last, since NumPy's results are never made so. torch's backward of reflect and
replicate is called as its operator, without the engine that records gradients; that of circular has no
operator, and goes through torch.autograd. Knows nothing of clocks.
"""

import ml_dtypes
import numpy as np
import tensorpad
import torch

torch.set_num_threads(1)
tensorpad.set_threads(1)

# Shape of the array that was padded, cells on each side of its last axes, the layout.
SHAPES = [
    ((3, 3, 5, 5), (1, 1), None),
    ((64, 3, 32, 32), (4, 4), None),
    ((8, 64, 56, 56), (1, 1), None),
    ((4, 256, 14, 14), (1, 1), None),
    ((8, 512, 7, 7), (1, 1), None),
    ((2, 3, 512, 512), (16, 16), None),
    ((2, 3, 512, 512), (16, 16), torch.channels_last),
    ((1, 3, 1080, 1920), (16, 16), None),
    ((32, 1, 16000), (200,), None),
    ((1, 1, 64, 64, 64), (2, 2, 2), None),
    ((16, 3, 224, 224), (3, 3), torch.channels_last),
]
MODES = {"reflect": "reflection", "edge": "replication", "wrap": None}
# Other types than float32, on one of these shapes.
NUMBERS = [torch.float64, torch.float16, torch.bfloat16, torch.complex64, torch.int8]


def operator(mode, axes):
    word = MODES[mode]
    return word and getattr(torch.ops.aten, f"{word}_pad{axes}d_backward").default


def as_numpy(grad):
    if grad.dtype != torch.bfloat16:
        return grad.numpy()
    return grad.view(torch.int16).numpy().view(ml_dtypes.bfloat16)


def recorded(grad, shape, amounts):
    """The same of circular, from what F.pad records."""
    x = torch.zeros(shape, dtype=grad.dtype, requires_grad=True)
    if grad.is_contiguous(memory_format=torch.channels_last) and grad.dim() == 4:
        x = x.to(memory_format=torch.channels_last).detach().requires_grad_()
    padded = torch.nn.functional.pad(x, amounts, "circular")
    return lambda: torch.autograd.grad(padded, x, grad, retain_graph=True)[0]


def make(shape, widths, layout, mode, dtype=torch.float32):
    """({system: call}, the bytes of the gradient) of a workload; each call returns a new array."""
    pairs = [(0, 0)] * (len(shape) - len(widths)) + [(one, one) for one in widths]
    padded = tensorpad.pad_shape(shape, pairs)
    grad = torch.randint(-50, 50, padded).to(dtype)
    if layout:
        grad = grad.to(memory_format=layout)
    amounts = [one for one in reversed(widths) for _ in range(2)]
    given = grad if layout else as_numpy(grad)
    calls = {"tensorpad": lambda: tensorpad.pad_adjoint(given, shape, pairs, mode)}
    own, like = operator(mode, len(widths)), torch.zeros(shape, dtype=dtype)
    if layout:
        like = like.to(memory_format=layout)
    if dtype == torch.float32:
        calls["torch"] = (
            (lambda: own(grad, like, amounts)) if own else recorded(grad, shape, amounts)
        )
    return calls, grad.nbytes


def workloads():
    """{name: what `make` takes}, in the order of the table."""
    found = {}
    for shape, widths, layout in SHAPES:
        for mode in MODES:
            last = " channels last" if layout else ""
            found[f"{list(shape)}{last}, {mode} by {widths[0]}"] = shape, widths, layout, mode
    for dtype in NUMBERS:
        word = str(dtype).removeprefix("torch.")
        found[f"[8, 64, 56, 56], reflect by 1, {word}"] = (
            (8, 64, 56, 56),
            (1, 1),
            None,
            "reflect",
            dtype,
        )
    return found


def same(found, wanted):
    """Whether two results hold the same numbers. The gradients are whole numbers, so sums are exact."""
    return tuple(found.shape) == tuple(wanted.shape) and np.array_equal(
        np.asarray(found), np.asarray(wanted)
    )
