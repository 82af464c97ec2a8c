"""tensorpad.pad, pad_to, unpad and pad_batch in what torch.compile and torch.export trace.
SPDX-License-Identifier: MIT

The four are functions of C, into which torch._dynamo cannot look. It is told to trace those of
tensorpad.torch in their place. To load torch._dynamo takes over a second, and only programs that compile
need it; so this waits until somebody else has loaded it.
"""

import importlib.util
import sys

import torch

import tensorpad

from . import _pad, _to_size


def trace_calls():
    """Tells torch._dynamo, now or when it is loaded."""
    if "torch._dynamo" in sys.modules:
        _tell()
    else:
        sys.meta_path.insert(0, _Waiting())


class _Waiting:
    """A finder of modules that finds none, and sees when torch._dynamo is asked for."""

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
    """Lets torch._dynamo trace `traced` where a program calls `original` with a tensor."""

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


# The same functions with the names of tensorpad's arguments.


def _pad_of_array(array, pad_width, mode="constant", **words):
    return _pad.pad(array, pad_width, mode, **words)


def _unpad_of_array(array, pad_width, **words):
    return _to_size.unpad(array, pad_width, **words)
