"""A stand-in for tensors of torch, for machines without it.  SPDX-License-Identifier: MIT"""
import types


class Tensor:
    """As much of a torch tensor as tensorpad uses."""

    requires_grad = is_nested = is_quantized = False
    layout = "strided"
    device = types.SimpleNamespace(type="cpu")

    def __init__(self, array):
        self.array = array
        self.dtype = array.dtype
        self.shape = array.shape

    def numpy(self):
        return self.array

    def dim(self):
        return self.array.ndim

    def is_contiguous(self, memory_format="contiguous"):
        given = self.array.transpose(0, 2, 3, 1) if memory_format == "last" else self.array
        return given.flags.c_contiguous

    def __getitem__(self, index):
        return Tensor(self.array[index])

    def __mul__(self, other):
        return Tensor(self.array * other)

    def to(self, dtype):
        return Tensor(self.array.astype(dtype.numpy))

    resolve_conj = resolve_neg = lambda self: self
    is_conj = is_neg = lambda self: False
