"""The driver of NVIDIA GPUs, and the kernels that it runs.  SPDX-License-Identifier: MIT

A kernel is compiled when a call first needs it, by the NVRTC of torch's and CuPy's packages, and
cached in a user's folder. python/extension/cuda.c loads and launches it.

Environment: TENSORPAD_GPU=1 enables the kernels. TENSORPAD_LIBCUDA and TENSORPAD_LIBNVRTC are the
paths of these libraries if the system does not find them. TENSORPAD_CACHE is the folder.
"""

import contextlib
import ctypes
import os
import pathlib
import threading

from . import _core

# The driver's functions, in the order of cuda.c.
FUNCTIONS = (
    "cuCtxGetCurrent",
    "cuCtxSetCurrent",
    "cuCtxGetDevice",
    "cuDevicePrimaryCtxRetain",
    "cuDeviceGetAttribute",
    "cuPointerGetAttribute",
    "cuModuleLoadData",
    "cuModuleGetFunction",
    "cuStreamIsCapturing",
    "cuLaunchKernel",
    "cuGetErrorString",
)
# TPAD_NUMBER_... by the names of types.
NUMBERS = {"float32": 1, "float64": 2, "float16": 3, "bfloat16": 4, "complex64": 5, "complex128": 6}
NUMBERS |= {f"{u}int{8 << k}": 7 + k for u in ("", "u") for k in range(4)}
# Fused multiply-add would make sums differ from the CPU's.
OPTIONS = (b"--fmad=false",)

_lock = threading.Lock()
on = os.environ.get("TENSORPAD_GPU") == "1"  # whether the kernels pad arrays on a GPU
_driver = None  # the driver's library once it is open, or the RuntimeError of the attempt


def _load_library(variable, what, names):
    given = os.environ.get(variable)
    for name in [given] if given else names:
        with contextlib.suppress(OSError):
            return ctypes.CDLL(name)
    raise RuntimeError(f"{what} was not found; {variable} is its path if it is elsewhere")


def open_driver():
    """Opens the driver's library once. RuntimeError if there is none."""
    global _driver
    with _lock:
        if _driver is None:
            try:
                names = ["nvcuda.dll"] if os.name == "nt" else ["libcuda.so.1"]
                library = _load_library("TENSORPAD_LIBCUDA", "the CUDA driver", names)
                functions = [getattr(library, name, None) for name in FUNCTIONS]
                if None in functions:
                    raise RuntimeError(
                        f"a newer CUDA driver is needed: it has no {FUNCTIONS[functions.index(None)]}"
                    )
                cast = [ctypes.cast(one, ctypes.c_void_p).value for one in functions]
                _core.gpu_open(tuple(cast))
                _driver = library
            except RuntimeError as error:
                _driver = error
    if isinstance(_driver, RuntimeError):
        raise _driver


# ---- Compiling -----------------------------------------------------------------------------------


class Nvrtc:
    """NVIDIA's compiler. Its functions return 0 on success."""

    def __init__(self):
        names = ["libnvrtc.so.13", "libnvrtc.so.12"]
        with contextlib.suppress(Exception):  # finds it in packages; a dependency of torch and CuPy
            from cuda.pathfinder import load_nvidia_dynamic_lib

            if "TENSORPAD_LIBNVRTC" not in os.environ:
                names.insert(0, load_nvidia_dynamic_lib("nvrtc").abs_path)
        how = "NVRTC, which compiles the kernels (pip install nvidia-cuda-nvrtc),"
        self._library = _load_library("TENSORPAD_LIBNVRTC", how, names)
        major, minor, count = (ctypes.c_int() for _ in range(3))
        self._call("nvrtcVersion", ctypes.byref(major), ctypes.byref(minor))
        self.version = f"{major.value}.{minor.value}"
        self._call("nvrtcGetNumSupportedArchs", ctypes.byref(count))
        archs = (ctypes.c_int * count.value)()
        self._call("nvrtcGetSupportedArchs", archs)
        self.architectures = sorted(archs)

    def _call(self, name, *arguments):
        status = getattr(self._library, name)(*arguments)
        if status != 0:
            raise RuntimeError(f"{name}: NVRTC's error {status}")

    def target(self, architecture):
        """The target for a device: its own code or, if it is newer than NVRTC, PTX, which the
        driver compiles."""
        if architecture in self.architectures:
            return f"sm_{architecture}"
        older = [one for one in self.architectures if one < architecture]
        if not older:
            raise RuntimeError(
                f"NVRTC {self.version} compiles for GPUs from sm_{self.architectures[0]} on, this is "
                f"sm_{architecture}"
            )
        return f"compute_{older[-1]}"

    def compile(self, text, target, *options):
        """The code of a program, and NVRTC's messages."""
        program, size = ctypes.c_void_p(), ctypes.c_size_t()
        options = (b"--gpu-architecture=" + target.encode(), *options)
        array = (ctypes.c_char_p * len(options))(*options)
        self._call(
            "nvrtcCreateProgram", ctypes.byref(program), text, b"tensorpad.cu", 0, None, None
        )
        try:
            status = self._library.nvrtcCompileProgram(program, len(options), array)
            self._call("nvrtcGetProgramLogSize", program, ctypes.byref(size))
            log = ctypes.create_string_buffer(size.value)
            self._call("nvrtcGetProgramLog", program, log)
            said = log.value.decode()
            if status != 0:
                raise RuntimeError(f"NVRTC {self.version} refuses the kernel: {said}")
            kind = "CUBIN" if target.startswith("sm_") else "PTX"
            self._call(f"nvrtcGet{kind}Size", program, ctypes.byref(size))
            code = ctypes.create_string_buffer(size.value)
            self._call(f"nvrtcGet{kind}", program, code)
            return code.raw, said
        finally:
            self._call("nvrtcDestroyProgram", ctypes.byref(program))


_nvrtc = None


def nvrtc():
    """The compiler, loaded once. RuntimeError if there is none."""
    global _nvrtc
    _nvrtc = _nvrtc or Nvrtc()
    return _nvrtc


def cache_folder():
    """The folder of compiled kernels."""
    given = os.environ.get("TENSORPAD_CACHE")
    if given:
        return pathlib.Path(given)
    if os.name == "nt":
        return pathlib.Path(os.environ.get("LOCALAPPDATA", "~"), "tensorpad", "cache").expanduser()
    return pathlib.Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache", "tensorpad").expanduser()


def gpu_kernel(name, option, major, minor):
    """The code of a kernel for this architecture, from the folder, or compiled and cached there. A
    file begins with the SHA-256 of the rest, so a damaged one is compiled again."""
    import hashlib  # only when needed

    from ._atomic import write_atomically

    compiler = nvrtc()
    target = compiler.target(10 * major + minor)
    text = _core.gpu_source()
    identity = hashlib.sha256(b" ".join((text, *OPTIONS))).hexdigest()[:16]
    file = cache_folder() / f"{name}-{target}-nvrtc{compiler.version}-{identity}.bin"
    with contextlib.suppress(OSError):
        kept = file.read_bytes()
        if hashlib.sha256(kept[32:]).digest() == kept[:32]:
            return kept[32:]
    code, _ = compiler.compile(text, target, *OPTIONS, option.encode())
    with contextlib.suppress(OSError):
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_atomically(file, hashlib.sha256(code).digest() + code)
    return code
