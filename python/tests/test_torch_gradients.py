"""Gradients of tensorpad.torch.pad: autograd, torch.func, forward-mode tangents, eager and compiled.

Expected values are torch's own numerical ones (gradcheck), the gradients of torch.nn.functional.pad, and
those of a gather from the oracle's places.
"""

import math
import random

import numpy
import pytest
from fake_torch import torch_for

torch = torch_for(__file__, "gradients in tensorpad.torch")
import oracle
import tensorpad.torch
from gpu_standin import driver, gpu  # noqa: F401 (fixtures)
from tensorpad.torch import _aten, functional, pad
from torch.autograd import forward_ad, gradcheck, gradgradcheck
from torch_ways import MODES, random_call, way  # noqa: F401 (a fixture)

F = torch.nn.functional
WIDTHS = [(1, 2), (7, -1)]


def gather(shape, mode):
    """A pad of WIDTHS as an index of torch, whose derivatives are torch's."""
    numbers = numpy.arange(math.prod(shape)).reshape(shape)
    places = torch.from_numpy(oracle.pad(numbers, WIDTHS, [mode] * len(shape), -1))
    return lambda x: torch.where(
        places < 0, torch.zeros((), dtype=x.dtype), x.reshape(-1)[places.clamp(min=0)]
    )


def weights(shape):
    return torch.linspace(0.5, 2, shape.numel(), dtype=torch.float64).reshape(shape)


def loss_of(call):
    """A number that is not linear in the input."""

    def loss(x):
        made = call(x)
        return ((made * made.conj()).real * weights(made.shape)).pow(2).sum()

    return loss


# ---- Autograd ------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [torch.float64, torch.complex128], ids=str)
@pytest.mark.parametrize("order", ["window", "crop"])
@pytest.mark.parametrize("mode", MODES)
def test_gradcheck(way, mode, order, dtype):
    x = torch.rand(3, 4, dtype=dtype, requires_grad=True)
    for words in (
        {"mode": [mode] * 2},
        {"mode": mode, "interior": (1, 0)},
        {"mode": [mode, "reflect"]},
    ):

        def call(x):
            return pad(x, WIDTHS, order=order, constant_values=3, **words)

        assert gradcheck(
            call,
            (x,),
            check_forward_ad=True,
            check_batched_grad=True,
            check_batched_forward_grad=True,
        )
        assert gradgradcheck(call, (x,), check_fwd_over_rev=True)


def test_random_gradients(way):
    draw = random.Random(way)
    for _ in range(400):
        shape, words = random_call(draw)
        x = torch.rand(shape, dtype=torch.float64, requires_grad=True)
        made = pad(x, constant_values=2, **words)
        grad = torch.rand(made.shape, dtype=torch.float64)
        expected = torch.from_numpy(tensorpad.pad_adjoint(grad.numpy(), shape, **words))
        torch.testing.assert_close(torch.autograd.grad(made, x, grad)[0], expected)
        axes = tensorpad._core.axes(x.dim(), *words.values(), None)
        torch.testing.assert_close(_aten.adjoint(grad, shape, axes), expected)


def test_second_gradients_are_padded_with_0(way):
    x = torch.rand(3, dtype=torch.float64, requires_grad=True)
    grad = torch.ones(5, dtype=torch.float64, requires_grad=True)
    for call in (
        lambda x: pad(x, 1, constant_values=7),
        lambda x: torch.ops.tensorpad.pad(x, [1], [1], [0], [0], [0], 7),
    ):
        (first,) = torch.autograd.grad(call(x), x, grad, create_graph=True)
        (second,) = torch.autograd.grad(first.sum(), grad)
        assert second.tolist() == [0, 1, 1, 1, 0]


@pytest.mark.parametrize("mode", ["constant", "reflect", "replicate", "circular"])
def test_gradients_are_torchs(way, mode):
    draw = random.Random(mode)
    rounded = {torch.float16: 4e-3, torch.bfloat16: 3e-2}  # torch rounds after each addition
    for rank, axes in ((2, 1), (3, 1), (4, 2), (5, 3)):
        for dtype in (torch.float64, torch.float32, torch.bfloat16, torch.float16):
            x = torch.rand([draw.randint(3, 6) for _ in range(rank)]).to(dtype).requires_grad_()
            amounts = [draw.randint(0, 2) for _ in range(2 * axes)]
            made = [call(x, amounts, mode) for call in (functional.pad, F.pad)]
            grad = torch.rand(made[1].shape).to(dtype)
            both = [torch.autograd.grad(one, x, grad)[0] for one in made]
            torch.testing.assert_close(*both, rtol=rounded.get(dtype, 1e-5), atol=1e-5)


@pytest.mark.parametrize("kind", ["expanded", "transposed", "channels_last"])
def test_layouts_of_gradients(way, kind):
    x = torch.rand(2, 3, 4, 5, dtype=torch.float64)
    if kind == "channels_last":
        x = x.to(memory_format=torch.channels_last)
    x.requires_grad_()
    made = pad(x, 2, "reflect", axes=(2, 3))
    rand = lambda *shape: torch.rand(*shape, dtype=torch.float64)
    grad = {
        "expanded": rand(1, 3, 1, 9).expand(made.shape),
        "transposed": rand(2, 3, 9, 8).transpose(2, 3),
        "channels_last": rand(*made.shape).to(memory_format=torch.channels_last),
    }[kind]
    (found,) = torch.autograd.grad(made, x, grad)
    (expected,) = torch.autograd.grad(F.pad(x, (2, 2, 2, 2), "reflect"), x, grad)
    torch.testing.assert_close(found, expected)
    if kind == "channels_last" and way == "as chosen":
        assert found.is_contiguous(memory_format=torch.channels_last)


def test_constants_have_gradients(way):
    x = torch.rand(2, 3, dtype=torch.float64, requires_grad=True)
    one = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
    each = torch.rand(4, dtype=torch.float64, requires_grad=True)
    along = lambda x, values: pad(x, ((1, 1), (0, 2)), constant_values=values, constant_axis=0)
    everywhere = lambda x, value: pad(x, 1, constant_values=value)
    assert gradcheck(everywhere, (x, one), check_forward_ad=True)
    assert gradcheck(along, (x, each), check_forward_ad=True, check_batched_grad=True)
    pad(x.detach(), 1, constant_values=one).sum().backward()
    assert one.grad == 14


def test_constants_in_lists_have_gradients(way):
    a, b = (torch.tensor(float(k), dtype=torch.float64, requires_grad=True) for k in (2, 3))
    for needs in (False, True):
        x = torch.rand(2, 3, dtype=torch.float64, requires_grad=needs)
        for words, expected in (
            ({"pad_width": ((1, 1), (0, 0)), "constant_values": (a, b)}, (3, 3)),
            ({"pad_width": ((1, 0), (0, 2)), "constant_values": ((a, 0), (7.0, b))}, (3, 6)),
            ({"pad_width": 1, "axes": 1, "constant_values": [a, b], "constant_axis": 0}, (2, 2)),
        ):
            assert torch.autograd.grad(pad(x, **words).sum(), (a, b)) == expected
    both = torch.tensor([5.0, 6.0], requires_grad=True)
    made = pad(torch.zeros(2), (1, 2), constant_values=both)
    assert torch.autograd.grad(made.sum(), both)[0].tolist() == [1, 2]
    call = lambda c: pad(torch.zeros(1), 1, constant_values=(c[0], c[1]))
    for derivative in (torch.func.grad, torch.func.jacfwd):
        assert derivative(lambda c: call(c).sum())(torch.ones(2)).tolist() == [1, 1]
    found = torch.vmap(call)(torch.arange(4.0).reshape(2, 2))
    assert found.tolist() == [[0, 0, 1], [2, 0, 3]]


@pytest.mark.parametrize("mode", MODES)
def test_transforms_of_any_layout(way, mode):
    def call(x):
        return pad(x, 1, mode, axes=(-2, -1))

    x = torch.rand(2, 3, 4, 5, 2)
    found = torch.vmap(call, in_dims=-1)(x)
    assert torch.equal(found, torch.stack([call(x[..., k]) for k in range(2)]))
    images = torch.rand(4, 2, 5, 5).to(memory_format=torch.channels_last)
    kernel = torch.rand(1, 2, 3, 3)

    def loss(kernel, image):
        return F.conv2d(call(image[None]), kernel).square().sum()

    each = torch.func.vmap(torch.func.grad(loss), in_dims=(None, 0))(kernel, images)
    one_by_one = [torch.func.grad(loss)(kernel, one) for one in images]
    torch.testing.assert_close(each, torch.stack(one_by_one))
    y = torch.rand(2, 3, 4, 5, requires_grad=True)
    made = call(y)
    grads = torch.rand(3, *made.shape).permute(0, 1, 3, 4, 2).contiguous().permute(0, 1, 4, 2, 3)
    (found,) = torch.autograd.grad(made, y, grads, is_grads_batched=True, retain_graph=True)
    for one, grad in zip(found, grads):
        torch.testing.assert_close(one, torch.autograd.grad(made, y, grad, retain_graph=True)[0])


@pytest.mark.parametrize(
    "dtype", [torch.float8_e5m2, torch.float8_e4m3fn, torch.complex32], ids=str
)
def test_gradients_of_types_that_numpy_lacks(dtype):
    x = torch.ones(4).to(dtype).requires_grad_()
    grad = torch.arange(6.0).to(dtype)
    (found,) = torch.autograd.grad(functional.pad(x, (1, 1)), x, grad)
    assert found.dtype == dtype and found.to(torch.complex64).real.tolist() == [1, 2, 3, 4]


def test_more_axes_than_the_library_has():
    x = torch.rand([1] * 17 + [3], requires_grad=True)
    made = functional.pad(x, (1, 1), "reflect")
    assert made.shape[-1] == 5
    assert torch.autograd.grad(made.sum(), x)[0].flatten().tolist() == [1, 3, 1]
    assert torch.equal(functional.pad(x.detach(), (1, 1), "reflect"), made)


def test_integers_and_grad_modes():
    x = torch.rand(3, requires_grad=True)
    assert pad(x, 1).requires_grad
    with torch.no_grad():
        assert not pad(x, 1).requires_grad
    assert not pad(x.detach(), 1).requires_grad
    assert not pad(torch.arange(3), 1).requires_grad
    y = pad(x, 1, "reflect")
    y.mul_(2)  # no part of the graph needs what was in it
    y.sum().backward()
    assert x.grad.tolist() == [2, 6, 2]


# ---- torch.func ----------------------------------------------------------------------------------

TRANSFORMS = {
    "grad": lambda call: lambda x: torch.func.grad(loss_of(call))(x),
    "vmap(grad)": lambda call: (
        lambda x: torch.func.vmap(torch.func.grad(loss_of(call)))(torch.stack([x, x + 1]))
    ),
    "jvp": lambda call: lambda x: torch.func.jvp(call, (x,), (weights(x.shape).to(x.dtype),))[1],
    "jacfwd": lambda call: torch.func.jacfwd(call),
    "jacrev": lambda call: torch.func.jacrev(call),
    "hessian": lambda call: torch.func.hessian(loss_of(call)),
    "functionalize(grad)": lambda call: torch.func.functionalize(torch.func.grad(loss_of(call))),
}


@pytest.mark.parametrize("dtype", [torch.float64, torch.complex128], ids=str)
@pytest.mark.parametrize("transform", TRANSFORMS)
@pytest.mark.parametrize("mode", MODES)
def test_transforms(way, transform, mode, dtype):
    if dtype.is_complex and transform not in ("jvp", "grad", "vmap(grad)", "functionalize(grad)"):
        pytest.skip("jacobians of torch.func are of real tensors")
    x = torch.rand(3, 4, dtype=dtype)
    found = TRANSFORMS[transform](lambda x: pad(x, WIDTHS, mode))(x)
    expected = TRANSFORMS[transform](gather(x.shape, mode))(x)
    torch.testing.assert_close(found, expected)
    assert found.abs().sum() > 0


@pytest.mark.parametrize("transform", [name for name in TRANSFORMS if "functionalize" not in name])
@pytest.mark.parametrize("mode", MODES)
def test_compiled_transforms(transform, mode):
    torch._dynamo.reset()
    x = torch.rand(3, 4, dtype=torch.float64)
    call = TRANSFORMS[transform](lambda x: pad(x, WIDTHS, mode))
    compiled = torch.compile(call, backend="aot_eager")
    expected = TRANSFORMS[transform](gather(x.shape, mode))(x)
    torch.testing.assert_close(compiled(x), expected)
    assert expected.abs().sum() > 0


@pytest.mark.parametrize("mode", ["reflect", "symmetric"])
def test_odd_mirrors_have_all_derivatives(mode):
    def call(x):
        return pad(x, ((2, 9), (1, 0)), mode, reflect_type="odd")

    for dtype in (torch.float64, torch.complex128):
        x = torch.rand(3, 4, dtype=dtype, requires_grad=True)
        words = {"check_forward_ad": True, "check_batched_grad": True}
        assert torch.autograd.gradcheck(call, (x,), **words)
        assert torch.autograd.gradgradcheck(call, (x,))
    matrix = torch.func.jacrev(call)(x.detach().real)
    linear = torch.einsum("abij,ij->ab", matrix, x.detach().real)
    torch.testing.assert_close(linear, call(x.detach().real))
    batch = torch.rand(2, 3, 4)
    mapped = torch.func.vmap(call)(batch)
    assert torch.equal(mapped, torch.stack([call(one) for one in batch]))


def test_tangents_outside_of_torch_func(way):
    x, tangent = torch.rand(3, 4), torch.rand(3, 4)
    for call in (lambda x: pad(x, WIDTHS, "wrap"), lambda x: tensorpad.pad(x, WIDTHS, "wrap")):
        with forward_ad.dual_level():
            made = forward_ad.unpack_dual(call(forward_ad.make_dual(x, tangent)))
            assert torch.equal(made.tangent, pad(tangent, WIDTHS, "wrap"))


def test_other_functions_refuse_what_they_would_lose():
    from torch.fx.experimental.proxy_tensor import make_fx

    x = torch.rand(3)
    for call in (
        lambda x: tensorpad.onnx.pad(x, [1, 1]),
        lambda x: tensorpad.pad_to(x, 5, threads=1),
        lambda x: tensorpad.pad_batch([x]),
    ):
        for run in (
            lambda: make_fx(call)(x),
            lambda: torch.jit.trace(call, (x,)),
            lambda: torch.func.functionalize(call)(x),
            lambda: torch.vmap(call)(x[None]),
        ):
            with pytest.raises(TypeError, match="tensorpad.torch.pad"):
                run()
        with forward_ad.dual_level():
            with pytest.raises(TypeError, match="tangent"):
                call(forward_ad.make_dual(x, x))


# ---- Threads -------------------------------------------------------------------------------------


def test_gradients_are_the_same_on_any_number_of_threads():
    torch.manual_seed(1)
    x = torch.rand(4, 8, 40, 40, requires_grad=True)
    grads = []
    for threads in (1, 2, 1):
        tensorpad.set_threads(threads)
        grads.append(torch.autograd.grad(pad(x, 3, "symmetric", axes=(2, 3)).square().sum(), x)[0])
    tensorpad.set_threads(None)
    assert torch.equal(grads[0], grads[1]) and torch.equal(grads[0], grads[2])
