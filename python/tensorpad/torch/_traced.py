"""tensorpad.pad, pad_to, unpad and pad_batch under torch.compile and torch.export.
SPDX-License-Identifier: MIT

The four are C functions, which torch._dynamo cannot trace; it traces those of tensorpad.torch
instead. Loading torch._dynamo takes over a second, and only programs that compile need it, so this
waits until something else loads it.
"""

import importlib.util
import sys

import torch

import tensorpad

from . import _pad, _to_size


def trace_calls():
    """Registers with torch._dynamo, now or when it is loaded."""
    if "torch._dynamo" in sys.modules:
        _tell()
    else:
        sys.meta_path.insert(0, _Waiting())


class _Waiting:
    """An import finder that finds nothing, but notices when torch._dynamo is imported."""

    looking = False

    def find_spec(self, name, path=None, target=None):
        if name != "torch._dynamo" or self.looking:
            return None
        self.looking = True
        try:
            spec = importlib.util.find_spec(name)
        finally:
            self.looking = False
        load = spec.loader.exec_module

        def load_and_tell(module):
            load(module)
            if self in sys.meta_path:
                sys.meta_path.remove(self)
                _tell()

        spec.loader.exec_module = load_and_tell
        return spec


def _substitute(original, traced, tensor_of):
    """Makes torch._dynamo trace `traced` if a program calls `original` with a tensor."""

    @torch._dynamo.disable
    def untraced(*args, **words):
        return original(*args, **words)

    def substitute(*args, **words):
        if words.get("out") is not None or not tensor_of(*args, **words):
            return untraced(*args, **words)
        words = {name: word for name, word in words.items() if name not in ("out", "threads")}
        return traced(*args, **words)

    torch.compiler.substitute_in_graph(original, skip_signature_check=True)(substitute)


def _tell():
    def is_tensor(name):
        def told(*args, **words):
            return isinstance(args[0] if args else words.get(name), torch.Tensor)

        return told

    def are_tensors(items=(), **words):
        return isinstance(items, (list, tuple)) and all(
            isinstance(item, torch.Tensor) for item in items
        )

    _substitute(tensorpad.pad, _pad_of_array, is_tensor("array"))
    _substitute(tensorpad.pad_to, _to_size.pad_to, is_tensor("x"))
    _substitute(tensorpad.unpad, _unpad_of_array, is_tensor("array"))
    _substitute(tensorpad.pad_batch, _to_size.pad_batch, are_tensors)


# The same functions with tensorpad's parameter names.


def _pad_of_array(array, pad_width, mode="constant", **words):
    return _pad.pad(array, pad_width, mode, **words)


def _unpad_of_array(array, pad_width, **words):
    return _to_size.unpad(array, pad_width, **words)
