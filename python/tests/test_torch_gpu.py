"""tensorpad.torch on a GPU, whose memory and driver are those of the host: which launches there are.

What they compute is tested with the other ways (torch_ways.way).
"""

import os
import pathlib
import re
import subprocess
import sys
import warnings

import numpy as np
import pytest
from fake_torch import torch_for

torch = torch_for(__file__, "tensorpad.torch on GPUs")
import tensorpad
import tensorpad.torch
from gpu_standin import driver, gpu  # noqa: F401 (fixtures)
from tensorpad import _gpu
from tensorpad.torch import _gpu as torch_gpu, functional, pad
from torch_ways import force_gpu, same

F = torch.nn.functional


@pytest.fixture
def card(gpu, monkeypatch):
    force_gpu(monkeypatch)
    yield gpu
    torch_gpu.use_gpu(False)


@pytest.fixture
def small(gpu, monkeypatch):
    """As it is for users: torch pads what is small."""
    force_gpu(monkeypatch, few_bytes=1 << 20, short_row=32)
    yield gpu
    torch_gpu.use_gpu(False)


@pytest.mark.parametrize("mode", ["constant", "reflect", "replicate", "circular", "symmetric"])
@pytest.mark.parametrize("view", ["dense", "channels last", "turned"])
def test_one_launch_on_the_stream(card, mode, view):
    x = torch.rand(2, 3, 5, 6, requires_grad=True)
    if view != "dense":
        x = x.detach().to(memory_format=torch.channels_last)
        x = (x if view == "channels last" else x.transpose(0, 1)).requires_grad_()
    card.calls()
    y = functional.pad(x, (1, 2, 0, 1), mode)
    assert y.is_contiguous(memory_format=torch.channels_last) == (view == "channels last")
    grad = torch.rand_like(y).requires_grad_()
    (first,) = torch.autograd.grad(y, x, grad, create_graph=True)
    (second,) = torch.autograd.grad(first, grad, torch.ones_like(first))
    launches = card.launches()
    assert len(launches) == 3 and all(line.endswith("on 0, stream 16") for line in launches)
    assert same(second, functional.pad(torch.ones_like(x), (1, 2, 0, 1), mode))
    if mode != "symmetric":
        assert same(y, F.pad(x, (1, 2, 0, 1), mode).contiguous())


def test_transforms_are_one_launch(card):
    x = torch.rand(4, 3, 5)
    want = torch.stack([F.pad(one, (2, 1), "reflect") for one in x.unbind(1)])
    card.calls()
    found = torch.vmap(lambda one: pad(one, ((0, 0), (2, 1)), "reflect"), in_dims=1)(x)
    assert same(found, want) and len(card.launches()) == 1
    grads = torch.func.vmap(torch.func.grad(lambda one: pad(one, 2, "wrap").square().sum()))(x)
    assert len(card.launches()) == 2 and grads.shape == x.shape
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert pad(x, 1).dtype == torch.float32 and len(card.launches()) == 1


def test_constants_on_the_device_are_not_read(card):
    x = torch.rand(2, 3, requires_grad=True)
    for values, axis, want in (
        (torch.tensor(7.0), None, [7] * 5),
        (torch.tensor([1, 2, 3, 4, 5]), -1, [1, 2, 3, 4, 5]),
        (torch.arange(10.0)[::2], 1, [0, 2, 4, 6, 8]),
    ):
        card.calls()
        found = pad(x, 1, constant_values=values, constant_axis=axis)
        assert found[0].tolist() == want and len(card.launches()) <= 2
        (grad,) = torch.autograd.grad(found.sum(), x)
        assert grad.tolist() == [[1] * 3] * 2
    found = torch.vmap(lambda one: pad(one, 1, constant_values=torch.arange(5), constant_axis=0))(x)
    assert found[1].tolist() == [0, *x[1].tolist(), 4]
    with pytest.raises(ValueError, match="has 5 cells"):
        pad(x, 1, constant_values=torch.arange(4), constant_axis=1)


def test_what_is_small_is_torchs(small):
    x = torch.rand(1, 2, 8, 8)
    leaf = x.clone().requires_grad_()
    many, large = torch.rand(2**16, 1, 2), torch.rand(1, 1, 600, 600)
    short = torch.rand(2**12, 16, 3, 3)
    for call, launches in (
        (lambda f: f(x, (1, 1)), 0),
        (lambda f: f(leaf, (1, 1), "constant", 2), 0),
        (lambda f: f(x, (1, 1, 2, 3), "reflect"), 0),
        (lambda f: f(x[0], (1, 0), "replicate"), 0),
        (lambda f: f(leaf, (1, 1, 2, 3), "reflect"), 1),  # its backward
        (lambda f: f(x[0], (1, 1), "circular"), 1),
        (lambda f: f(large, (1, 1)), 1),
        (lambda f: f(short, (1, 1), "constant", -1), 0),
    ):
        small.calls()
        found = call(functional.pad)
        assert len(small.launches()) == launches and same(found, call(F.pad))
        found.sum().backward() if found.requires_grad else None
    small.calls()
    functional.pad(many, (1, 1), "reflect")  # rows that torch's kernels do not count
    pad(x, 1, ["reflect", "constant", "edge", "edge"])
    pad(x, 1, interior=1)
    pad(x, (-1, 3))
    assert len(small.launches()) == 4
    assert same(pad(x, 1, "edge", axes=(2, 3)), F.pad(x, (1, 1, 1, 1), "replicate"))
    assert same(
        pad(x, ((0, 0), (1, 0), (0, 0), (0, 0)), constant_values=5.0),
        F.pad(x, (0, 0, 0, 0, 1, 0), value=5),
    )
    assert small.launches() == []


def test_a_batch_has_no_copy(card):
    items = [torch.rand(3, n) for n in (4, 2, 7)]
    want = tensorpad.pad_batch([item.numpy() for item in items], multiple=4, constant_values=2.5)
    card.calls()
    found = tensorpad.torch.pad_batch(items, multiple=4, constant_values=2.5)
    assert np.array_equal(found.numpy(), want) and len(card.launches()) == 3
    found, lengths = tensorpad.torch.pad_batch(items, mode="edge", lengths=True)
    assert lengths.tolist() == [[3, 4], [3, 2], [3, 7]] and len(card.launches()) == 3
    leaf = items[1].clone().requires_grad_()
    tensorpad.torch.pad_batch([items[0], leaf]).sum().backward()
    assert leaf.grad.tolist() == [[1, 1]] * 3


def test_a_captured_graph(card):
    x = torch.rand(3, 4)
    want = F.pad(x, (2, 2))
    card.standin_forget()
    card.standin_capture(16)
    for call in (lambda: functional.pad(x, (2, 2)), lambda: pad(x.t(), ((2, 2), (0, 0))).t()):
        assert same(call(), want)
    leaf = x.clone().requires_grad_()
    assert torch.autograd.grad(functional.pad(leaf, (3, 3), "reflect").sum(), leaf)[0].sum() == 30
    assert set(card.calls()) == {"context", "no context"}  # torch's operators; nothing is loaded
    card.standin_capture(None)
    functional.pad(x, (2, 2))
    card.standin_capture(16)
    card.calls()
    graphed = functional.pad(x, (2, 2))
    assert len(card.launches()) == 1
    card.standin_replay()
    assert same(graphed, want)


@pytest.mark.parametrize("function", ["cuLaunchKernel", "cuModuleLoadData", "nvrtcCompileProgram"])
def test_torch_pads_where_the_driver_refuses(card, function, monkeypatch, tmp_path):
    monkeypatch.setenv("TENSORPAD_CACHE", str(tmp_path))
    card.standin_forget()
    card.standin_fail(function.encode())
    x = torch.rand(3, 4)
    with pytest.warns(
        UserWarning, match="torch's operators pad from here on: .*(driver says|NVRTC)"
    ):
        assert same(functional.pad(x, (1, 2), "reflect"), F.pad(x, (1, 2), "reflect"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        functional.pad(x, (1, 2), "reflect")
    card.calls()
    assert card.launches() == [] and not _gpu.on


def test_there_is_no_driver(monkeypatch):
    monkeypatch.setattr(_gpu, "_driver", None)
    monkeypatch.setenv("TENSORPAD_LIBCUDA", "none")
    with pytest.raises(
        RuntimeError, match="the CUDA driver was not found; TENSORPAD_LIBCUDA is its"
    ):
        tensorpad.torch.use_gpu()
    assert not _gpu.on
    words = {"TENSORPAD_GPU": "1", "TENSORPAD_LIBCUDA": "none"}
    program = "import torch, tensorpad.torch; print(tensorpad.torch.pad(torch.ones(1), 1))"
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, env=os.environ | words, capture_output=True, text=True)
    assert "TENSORPAD_GPU=1, but torch's operators pad: the CUDA driver was not" in done.stderr
    assert done.stdout == "tensor([0., 1., 0.])\n"


def test_gradients_are_deterministic(card):
    x = torch.rand(2, 3, 9, 9, requires_grad=True)
    torch.use_deterministic_algorithms(True)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for mode in ("constant", "reflect", "replicate", "circular"):
                y = functional.pad(x, (3, 3, 3, 3), mode)
                grad = torch.rand_like(y)
                found = {
                    torch.autograd.grad(y, x, grad, retain_graph=True)[0].numpy().tobytes()
                    for _ in range(3)
                }
                assert len(found) == 1
    finally:
        torch.use_deterministic_algorithms(False)


def test_types(card):
    for (
        name
    ) in "float32 float16 bfloat16 int64 bool uint16 complex64 float8_e4m3fn complex32".split():
        dtype = getattr(torch, name)
        x = torch.arange(6).to(torch.float32).to(dtype).reshape(2, 3)
        card.calls()
        for value in (0, 1):
            found = pad(x, 1, constant_values=value)
            assert found.dtype == dtype and found[1:-1, 1:-1].float().tolist() == x.float().tolist()
            assert found[0].float().tolist() == [value] * 5
        assert len(card.launches()) == 2
    x = torch.arange(6.0).to(torch.bfloat16).requires_grad_()
    card.calls()
    (grad,) = torch.autograd.grad(functional.pad(x, (5, 5), "reflect").sum(), x)
    assert grad.tolist() == [2, 3, 3, 3, 3, 2] and len(card.launches()) == 2


def test_traced_and_faked(card):
    from torch._subclasses import FakeTensorMode
    from torch.fx.experimental.proxy_tensor import make_fx

    x = torch.rand(2, 3)
    card.calls()
    graph = make_fx(lambda one: functional.pad(one, (1, 1)))(x)
    assert "constant_pad_nd" in graph.code and card.launches() == []
    with FakeTensorMode():
        fake = torch.empty(2, 3, 4, device="cuda")
        made = pad(fake, 1, "symmetric")
        assert made.shape == (4, 5, 6) and made.device.type == "cuda"
    torch.library.opcheck(
        torch.ops.tensorpad.pad.default,
        (torch.rand(3, 4, requires_grad=True), [1, 0], [0, 2], [0, 0], [2, 4], [0, 0], 0),
    )


def test_tensors_as_arrays(card, monkeypatch):
    """tensorpad.pad with out= and pad_adjoint, which take other arrays, too."""
    for module in ("_gpu_arrays", "_carriers", "_carrier_calls"):
        monkeypatch.setattr(
            f"tensorpad.{module}.is_on_gpu", lambda one: isinstance(one, torch.Tensor)
        )
    stream = type("Stream", (), {"cuda_stream": 32})
    monkeypatch.setattr(torch.cuda, "current_stream", lambda device: stream)
    x, out = torch.rand(3, 4), torch.empty(5, 6)
    assert tensorpad.pad(x, 1, "wrap", out=out) is out and out._version == 1
    assert np.array_equal(out.numpy(), np.pad(x.numpy(), 1, "wrap"))
    grad = tensorpad.pad_adjoint(out, (3, 4), 1, "wrap")
    assert np.array_equal(grad.numpy(), tensorpad.pad_adjoint(out.numpy(), (3, 4), 1, "wrap"))
    assert [line[-9:] for line in card.launches()] == ["stream 32"] * 2
    for wrong, words in (
        (out.requires_grad_(), "requires grad"),
        (torch.ones(5, 6, dtype=torch.complex64).conj(), "conjugated"),
        (out.detach().to_sparse(), "make it dense"),
    ):
        with pytest.raises(TypeError, match=words):
            tensorpad.pad_adjoint(wrong, (3, 4), 1)


@pytest.mark.long
def test_the_script_for_a_machine_with_a_gpu(driver):
    script = pathlib.Path(__file__).resolve().parents[2] / "scripts/gpu/device_check.py"
    if not script.exists():
        pytest.skip("the script is missing")
    command = [sys.executable, script, "--standin", driver.path, "--seconds", "20"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = [int(one) for one in re.findall(r"^(\d+) (?:random|samples)", said, re.M)]
    assert len(found) >= 2 and min(found) > 20, said
