"""A stand-in for tensors of torch, for machines without it.  SPDX-License-Identifier: MIT"""

import importlib
import pathlib
import re
import types

import pytest


def torch_for(file, what):
    """torch; where it is missing, this file of tests is skipped, which says what was not run."""
    try:
        return importlib.import_module("torch")
    except ImportError:
        count = len(re.findall(r"^def test_", pathlib.Path(file).read_text(encoding="utf-8"), re.M))
        pytest.skip(
            f"torch is not installed: {count} tests of {what} were not run", allow_module_level=True
        )


class Tensor:
    """As much of a torch tensor as tensorpad uses."""

    requires_grad = is_nested = is_quantized = False
    _version = 0
    layout = "strided"
    device = types.SimpleNamespace(type="cpu")

    def __init__(self, array):
        self.array = array
        self.dtype = array.dtype
        self.shape = array.shape

    def numpy(self):
        return self.array

    def detach(self):
        return self

    def stride(self):
        return [step // self.array.itemsize for step in self.array.strides]

    def dim(self):
        return self.array.ndim

    def is_contiguous(self, memory_format="contiguous"):
        given = self.array.transpose(0, 2, 3, 1) if memory_format == "last" else self.array
        return given.flags.c_contiguous

    def __getitem__(self, index):
        return Tensor(self.array[index])

    def reshape(self, *shape):
        return Tensor(self.array.reshape(*shape))

    def __mul__(self, other):
        return Tensor(self.array * other)

    def to(self, dtype):
        return Tensor(self.array.astype(dtype.numpy))

    resolve_conj = resolve_neg = lambda self: self
    is_conj = is_neg = is_inference = lambda self: False


def _increment_version(tensor):
    tensor._version += 1


class _Keys:
    """No keys of a dispatcher."""

    def __init__(self, *_):
        pass

    def add(self, _):
        return self

    def raw_repr(self):
        return 0


def module(**more):
    """A stand-in for the module torch, in which nobody watches a call."""
    keys = types.SimpleNamespace(
        CPU=0, AutogradCPU=0, ADInplaceOrView=0, BackendSelect=0, AutocastCPU=0
    )
    dispatcher = types.SimpleNamespace(
        DispatchKey=keys,
        DispatchKeySet=_Keys,
        _dispatch_keys=_Keys,
        _dispatch_tls_local_include_set=_Keys,
    )
    return types.SimpleNamespace(
        Tensor=Tensor,
        strided="strided",
        _C=dispatcher,
        is_grad_enabled=lambda: True,
        autograd=types.SimpleNamespace(
            forward_ad=types.SimpleNamespace(_current_level=-1),
            graph=types.SimpleNamespace(increment_version=_increment_version),
        ),
        **({"dtype": _Keys} | more),
    )
