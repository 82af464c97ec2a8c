"""The driver without a GPU (tests/c/gpu/standin.c), and arrays of the host that say they are on a GPU.

SPDX-License-Identifier: MIT
"""

import ctypes
import functools
import os
import pathlib
import shutil
import subprocess
import types

import numpy as np
import pytest
from tensorpad import _gpu

SOURCES = pathlib.Path(__file__).resolve().parents[2] / "tests/c/gpu"
# An access that is not aligned ends the process, as it ends the context of a GPU.
FLAGS = "-O1 -fPIC -fsanitize=alignment -fsanitize-undefined-trap-on-error".split()


@functools.cache
def build(folder_of):
    """The stand-in, with functions of its own beside those of the driver and of NVRTC: one for a process."""
    compiler = shutil.which("cc") or shutil.which("clang")
    if compiler is None or not SOURCES.is_dir():
        pytest.skip("no C compiler, or no sources: GPUs without a GPU were not tested")
    folder = folder_of("standin")
    include = f"-I{SOURCES.parents[2] / 'include'}"
    parts = [(f"{n}.o", [f"-DTPAD_GPU_KERNEL={n}", SOURCES / "kernel.c"]) for n in range(28)]
    parts.append(("standin.o", [SOURCES / "standin.c"]))
    for name, what in parts:
        subprocess.run([compiler, *FLAGS, include, "-c", *what, "-o", folder / name], check=True)
    library = folder / "standin.so"
    objects = [folder / name for name, _ in parts]
    subprocess.run([compiler, *FLAGS, "-shared", *objects, "-o", library], check=True)
    words = {"LIBCUDA": library, "LIBNVRTC": library, "CACHE": folder / "cache"}
    os.environ.update({f"TENSORPAD_{name}": str(value) for name, value in words.items()})
    opened = ctypes.CDLL(library)
    opened.standin_calls.restype = ctypes.c_char_p
    pointer = [ctypes.c_void_p]
    opened.standin_capture.argtypes = opened.cuCtxSetCurrent.argtypes = pointer
    opened.standin_device_1.argtypes = [*pointer, ctypes.c_uint64]
    opened.path = str(library)
    opened.calls = lambda: opened.standin_calls().decode().splitlines()
    opened.loads = lambda: opened.calls().count("load")
    opened.launches = lambda: [line for line in opened.calls() if line.startswith("launch")]
    return opened


@pytest.fixture(scope="session")
def driver(tmp_path_factory):
    """The same, where tensorpad looks for the driver."""
    yield build(tmp_path_factory.mktemp)
    for name in ("LIBCUDA", "LIBNVRTC", "CACHE"):
        os.environ.pop(f"TENSORPAD_{name}", None)


@pytest.fixture
def gpu(driver):
    """The same in a state that nobody has changed."""
    _gpu.on = True
    _gpu.open_driver()
    driver.calls()
    yield driver
    _gpu.on = False
    driver.standin_fail(None)
    driver.standin_capture(None)
    driver.cuCtxSetCurrent(None)


class OnHost:
    """An array that offers memory of the host as that of a GPU."""

    def __init__(self, array, stream=1, **more):
        self.array, self.stream, self.more = array, stream, more
        self.dtype, self.shape = array.dtype, array.shape

    @property
    def __cuda_array_interface__(self):
        array = self.array
        return {
            "shape": array.shape,
            "typestr": array.dtype.str,
            "data": (array.ctypes.data if array.size else 0, not array.flags.writeable),
            "strides": None if array.flags.c_contiguous else array.strides,
            "stream": self.stream,
            "version": 3,
            **self.more,
        }

    def __getitem__(self, index):
        return OnHost(self.array[index], self.stream)

    def __array_namespace__(self):
        return types.SimpleNamespace(
            empty=lambda shape, dtype: OnHost(np.empty(shape, dtype), self.stream),
            asarray=lambda values: OnHost(np.array(values), self.stream),
        )
