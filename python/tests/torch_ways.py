"""What the tests of tensorpad.torch share: the ways in which a call may go, and an oracle."""

import logging

import oracle
import pytest
import tensorpad
import torch
from tensorpad.torch import _gpu, _pad

NEVER_EXPORTING = not hasattr(torch.compiler, "is_exporting")  # torch 2.6
MODES = ["constant", "edge", "reflect", "symmetric", "wrap"]


def force_aten(monkeypatch):
    """From here on, calls go as they do on other devices: in torch's own operators."""
    monkeypatch.setattr(_pad, "is_plain", lambda tensor: False)
    for name in ("tensor_call", "tensor_to"):
        monkeypatch.setattr(tensorpad._core, name, lambda *words: None)
    monkeypatch.setattr(tensorpad._core, "tensors_seen", lambda *words: 0)


def force_gpu(monkeypatch, few_bytes=0, short_row=0):
    """The same as on a GPU, whose memory is the host's here. few_bytes, short_row: below which torch pads."""
    if not hasattr(torch.Tensor, "__dlpack_c_exchange_api__"):
        pytest.skip("torch has no exchange of tensors in C")
    monkeypatch.setattr(_pad, "is_plain", lambda tensor: False)
    monkeypatch.setattr(tensorpad._core, "tensors_seen", lambda *words: 0)
    monkeypatch.setattr(_gpu, "KIND", "cpu")
    monkeypatch.setattr(_gpu, "FEW_BYTES", few_bytes)
    monkeypatch.setattr(_gpu, "SHORT_ROW", short_row)
    monkeypatch.setattr(_gpu, "stream_of", lambda index: 16)
    _gpu.use_gpu()


@pytest.fixture(params=["as chosen", "in torch's operators", "on a GPU"])
def way(request, monkeypatch):
    if request.param == "on a GPU":
        request.getfixturevalue("gpu")
        force_gpu(monkeypatch)
        request.addfinalizer(
            lambda: _gpu.use_gpu(False) if _gpu._gpu.on else pytest.fail("torch pads")
        )
    elif request.param != "as chosen":
        force_aten(monkeypatch)
    return request.param


def wanted(x, widths, mode="constant", fill=0, interior=0, order="window"):
    """The naive pad. It pads the places of the elements, so the type of x does not matter."""
    rank = x.dim()
    modes = [mode] * rank if isinstance(mode, str) else mode
    interiors = [interior] * rank if isinstance(interior, int) else interior
    numbers = torch.arange(x.numel()).reshape(x.shape).numpy()
    places = torch.from_numpy(oracle.pad(numbers, widths, modes, -1, interiors, order))
    elements = bits(torch.cat([x.detach().reshape(-1), torch.tensor([fill], dtype=x.dtype)]))
    return elements[places].view(x.dtype)


def converted(module, x, **words):
    """The nodes of a module as ONNX, and what runs it."""
    onnxruntime = pytest.importorskip("onnxruntime")
    pytest.importorskip("onnxscript")
    logging.disable(logging.WARNING)
    model = torch.onnx.export(module, (x,), dynamo=True, verbose=False, **words).model_proto
    session = onnxruntime.InferenceSession(model.SerializeToString())
    name = session.get_inputs()[0].name
    nodes = [node.op_type for node in model.graph.node]
    nodes = [node for node in nodes if node not in ("Constant", "Identity")]
    return nodes, lambda x: torch.from_numpy(session.run(None, {name: x.numpy()})[0])


def bits(tensor):
    """The elements as integers, which every operator of torch has; complex128 stays."""
    kinds = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}
    return tensor.view(kinds.get(tensor.dtype.itemsize, tensor.dtype))


def same(found, expected):
    """The same type, shape and bits."""
    return (found.dtype, found.shape) == (expected.dtype, expected.shape) and torch.equal(
        bits(found.detach().contiguous()), bits(expected.detach().contiguous())
    )


def random_call(random, most_rank=4, signed=True):
    """The shape of a small tensor, and the words of a pad that is defined for it."""
    while True:
        shape = [random.randint(1, 5) for _ in range(random.randint(1, most_rank))]
        amounts = [0, 0, 1, 2, 3, random.randint(0, 14)]
        amounts += [-1, -2, random.randint(-6, 0)] if signed else []
        words = {
            "pad_width": [(random.choice(amounts), random.choice(amounts)) for _ in shape],
            "mode": [random.choice(MODES) for _ in shape],
            "interior": [random.choice([0, 0, 0, 1, 2]) for _ in shape],
            "order": random.choice(["window", "crop"]),
        }
        try:
            made = tensorpad.pad(torch.zeros(shape), **words)
        except ValueError:
            continue
        if 0 < made.numel() < 5000:
            return shape, words
