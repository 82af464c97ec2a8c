"""tensorpad.torch.functional.pad in the place of torch.nn.functional.pad in torch's own lists of samples: its
OpInfos of pad, and its ModuleInfos of padding modules and convolutions.

There is no difference: results have the same bits, and gradients are close.
"""

import re

import pytest
from fake_torch import torch_for

torch = torch_for(__file__, "tensorpad.torch with torch's samples")
pytest.importorskip("expecttest")  # which torch's samples need

from tensorpad.torch import functional
from torch.testing._internal.common_methods_invocations import op_db
from torch.testing._internal.common_modules import module_db
from torch_ways import same, way  # noqa: F401 (a fixture)

OPS = {op.variant_test_name: op for op in op_db if op.name == "nn.functional.pad"}
MODULES = {
    info.module_cls.__name__: info
    for info in module_db
    if re.search(r"Pad|^Conv\dd$", info.module_cls.__name__)
}


def gradient(made, x):
    return torch.autograd.grad(
        made, x, torch.linspace(-1, 2, made.numel()).reshape(made.shape).to(made.dtype)
    )[0]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("variant", OPS)
def test_operators(way, variant):
    compared = 0
    for dtype in OPS[variant].dtypes:
        for sample in OPS[variant].sample_inputs(
            "cpu", dtype, requires_grad=dtype.is_floating_point
        ):
            x, words = sample.input, (*sample.args, *sample.kwargs.values())
            expected = torch.nn.functional.pad(x, *words)
            found = functional.pad(x, *words)
            assert same(found, expected), (x.shape, words)
            if x.requires_grad and expected.numel():
                rounded = {torch.float16: 4e-3, torch.bfloat16: 3e-2}.get(dtype, 1e-5)
                torch.testing.assert_close(
                    gradient(found, x), gradient(expected, x), rtol=rounded, atol=rounded
                )
            compared += 1
    assert compared > 60


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", MODULES)
def test_modules(way, monkeypatch, name):
    info = MODULES[name]
    inputs = info.module_inputs_func(
        info, device="cpu", dtype=torch.float64, requires_grad=True, training=True
    )
    for sample in inputs:
        torch.manual_seed(2)
        module = info.module_cls(
            *sample.constructor_input.args, **sample.constructor_input.kwargs
        ).double()
        x, *others = sample.forward_input.args
        expected = module(x, *others, **sample.forward_input.kwargs)
        with monkeypatch.context() as patch:
            patch.setattr(torch.nn.functional, "pad", functional.pad)
            found = module(x, *others, **sample.forward_input.kwargs)
        assert same(found, expected)
        torch.testing.assert_close(gradient(found, x), gradient(expected, x))
