"""tract by its Python package, which is told of the inputs what the model says, and no more.

SPDX-License-Identifier: MIT

A panic ends the process, as it ends a program in Rust.
"""

import contextlib
import ctypes
import os

import numpy as np
import tract

RUNTIME = "tract"
TARGETS = {
    "tract-0.21": ["tract==0.21.19", "numpy==2.4.6", "ml_dtypes==0.6.0"],
    "tract-0.22": ["tract==0.22.4", "numpy==2.4.6", "ml_dtypes==0.6.0"],
    "tract-0.23": ["tract==0.23.9", "numpy==2.4.6", "ml_dtypes==0.6.0"],
}
FORKS = True  # every fourth case is a panic
KINDS = "buif"  # of tract's types, in the order of their numbers, as NumPy calls them

os.environ["RUST_BACKTRACE"] = "0"


@contextlib.contextmanager
def short_errors():
    """The cause only, not what tract was doing."""
    try:
        yield
    except tract.TractError as error:
        raise RuntimeError(str(error).rsplit("Caused by:", 1)[-1]) from error


def value_of(array):
    """A value of tract. The package before 0.23 makes rank 0 to rank 1."""
    kind = KINDS.index(array.dtype.kind) << 4 | array.itemsize
    made = ctypes.c_void_p()
    shape = (ctypes.c_size_t * array.ndim)(*array.shape)
    tract.check(
        tract.lib.tract_value_from_bytes(
            kind,
            ctypes.c_size_t(array.ndim),
            shape,
            ctypes.c_void_p(array.ctypes.data),
            ctypes.byref(made),
        )
    )
    return tract.Value(made)


def array_of(value):
    """Its array. The package before 0.23 reads the elements of every type as float."""
    kind, rank, data = ctypes.c_uint32(), ctypes.c_size_t(), ctypes.c_void_p()
    shape = ctypes.POINTER(ctypes.c_size_t)()
    tract.check(
        tract.lib.tract_value_as_bytes(value.ptr, *map(ctypes.byref, (kind, rank, shape, data)))
    )
    extents = shape[: rank.value]
    dtype = np.dtype(f"{KINDS[kind.value >> 4]}{kind.value & 15}")
    raw = ctypes.string_at(data, dtype.itemsize * int(np.prod(extents)))
    return np.frombuffer(raw, dtype).reshape(extents)


if hasattr(tract.Onnx, "load"):
    READ, OPTIMIZE = tract.Onnx.load, tract.InferenceModel.into_model
    VALUE, ARRAY = np.asarray, tract.Tensor.to_numpy
else:  # before 0.23
    READ, OPTIMIZE = tract.Onnx.model_for_path, tract.InferenceModel.into_optimized
    VALUE, ARRAY = value_of, array_of


def version():
    return tract.version()


@short_errors()
def load(path):
    model = READ(tract.onnx(), path)
    names = [model.input_name(k) for k in range(model.input_count())]
    return names, OPTIMIZE(model).into_runnable()


@short_errors()
def run(model, inputs):
    names, runnable = model
    for name in names:
        if inputs[name].dtype == object:
            raise TypeError("the Python package of tract has no strings")
    return [ARRAY(output) for output in runnable.run([VALUE(inputs[name]) for name in names])]
