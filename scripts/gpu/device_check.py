#!/usr/bin/env python3
"""What a machine with an NVIDIA GPU has to show of docs/gpu.md: results against the CPU's, and speed.

Usage: device_check.py [--parts correct,adjoint,wide,copy,shapes,cupy] [--seconds 230] [--dry-run] BUILD_FOLDER

BUILD_FOLDER has libtensorpad.so and libtensorpad_gpu.so. Needs torch with CUDA, whose NVRTC compiles the kernels;
CuPy is optional. --dry-run needs neither a GPU nor torch: it makes all launches, prints them, and compiles
their kernels if it finds NVRTC. Status 1 if a result differs, 2 if something is missing.
SPDX-License-Identifier: MIT
"""

import argparse
import ctypes
import ctypes.util
import glob
import pathlib
import random
import re
import statistics
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
from libtensorpad import PLAN_BYTES, Axis, Error, Library, Problem  # noqa: E402

PARTS = ["correct", "adjoint", "wide", "copy", "shapes", "cupy"]
IN_A_ROW = 10
MODES = ["constant", "edge", "reflect", "symmetric", "wrap"]
TORCH_MODES = {"edge": "replicate", "wrap": "circular"}
# TPAD_NUMBER_..., from 1 on, as torch calls them
NUMBERS = "float32 float64 float16 bfloat16 complex64 complex128 int8 int16 int32 int64".split()
# Shape, cells on each side of the last axes, mode, type.
SHAPES = [
    ((64, 256, 56, 56), (1, 1), "constant", "float32"),
    ((64, 256, 56, 56), (1, 1), "reflect", "float32"),
    ((64, 256, 56, 56), (1, 1), "constant", "float16"),
    ((64, 256, 56, 56), (1, 1), "reflect", "bfloat16"),
    ((32, 64, 224, 224), (3, 3), "reflect", "float16"),
    ((256, 512, 7, 7), (1, 1), "constant", "float16"),
    ((8, 3, 2160, 3840), (16, 16), "edge", "float32"),
    ((256, 160000), (200,), "reflect", "float32"),
    ((16, 32, 64, 64, 64), (2, 2, 2), "edge", "float32"),
    ((128, 3, 224, 224), (3, 3), "constant", "uint8"),
    ((64, 64, 64, 64), (2, 2), "wrap", "float32"),
    ((1, 64, 56, 56), (1, 1), "reflect", "float32"),
]


def bytes_of(name):
    return int(re.sub(r"\D", "", name)) // 8


def number_of(name):
    return NUMBERS.index(name) + 1


class Launch(ctypes.Structure):
    _fields_ = [
        ("kernel", ctypes.c_char * 24),
        ("option", ctypes.c_char * 24),
        ("blocks", ctypes.c_int64),
        ("param_bytes", ctypes.c_int32),
        ("reads_fill", ctypes.c_int32),
        ("number", ctypes.c_int32),
        ("remainders", ctypes.c_int32),
        ("params", ctypes.c_int64 * 408),
    ]


class PadArgs(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_size_t),
        ("src", ctypes.c_uint64),
        ("dst", ctypes.c_uint64),
        ("value", ctypes.c_char_p),
        ("fill", ctypes.c_uint64),
        ("fill_strides", ctypes.c_void_p),
    ]


class AdjointArgs(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_size_t),
        ("number", ctypes.c_int32),
        ("flags", ctypes.c_int32),
        ("grad_out", ctypes.c_uint64),
        ("grad_in", ctypes.c_uint64),
    ]


class Pad:
    """A plan, and the launches that it becomes."""

    def __init__(self, library, extents, amounts, mode, elem_bytes, interior=None, order=0):
        self.library, self.core, self.elem_bytes = library, library.core, elem_bytes
        self.plan = (ctypes.c_int64 * (PLAN_BYTES // 8))()
        interior = interior or [0] * len(extents)
        axes = (Axis * max(len(extents), 1))()
        for axis, n, (before, after), gap in zip(axes, extents, amounts, interior):
            axis.in_extent, axis.before, axis.after, axis.interior = n, before, after, gap
            axis.mode, axis.order = MODES.index(mode), order
        problem = Problem(
            ctypes.sizeof(Problem), ctypes.sizeof(Axis), axes, len(extents), 8 * elem_bytes
        )
        shape, size = (ctypes.c_int64 * 16)(), ctypes.c_int64()
        self.call("tpad_shape", ctypes.byref(problem), shape, None, ctypes.byref(size))
        self.call("tpad_plan_init", self.plan, ctypes.c_size_t(PLAN_BYTES), ctypes.byref(problem))
        self.shape, self.out_bytes = list(shape)[: len(extents)], size.value
        self.in_bytes = elem_bytes
        for n in extents:
            self.in_bytes *= n

    def call(self, name, *arguments):
        error = Error()
        if getattr(self.core, name)(*arguments, ctypes.byref(error)) != 0:
            raise RuntimeError(f"{name}: {self.library.message(error)}")

    def forward(self, src=0, dst=0, value=None):
        launch, args = Launch(), PadArgs(ctypes.sizeof(PadArgs), src, dst, value)
        self.call("tpad_gpu_pad", ctypes.byref(launch), self.plan, ctypes.byref(args))
        return launch

    def backward(self, number, grad_out=0, grad_in=0):
        launch = Launch()
        args = AdjointArgs(ctypes.sizeof(AdjointArgs), number, 0, grad_out, grad_in)
        self.call("tpad_gpu_adjoint", ctypes.byref(launch), self.plan, ctypes.byref(args))
        return launch


def find_nvrtc():
    """The library that compiles kernels, or None."""
    places = [path + "/nvidia/**/lib*/libnvrtc.so.1[0-9]" for path in sys.path if path]
    found = [path for place in places for path in sorted(glob.glob(place, recursive=True))]
    found.append(ctypes.util.find_library("nvrtc") or "libnvrtc.so")
    for path in reversed(found):
        try:
            return ctypes.CDLL(path)
        except OSError:
            continue
    return None


class Kernels:
    """Compiles kernels, and launches them where there is a driver (cuda None: compiles only)."""

    def __init__(self, core, nvrtc, arch, cuda=None):
        core.tpad_gpu_source.restype = ctypes.c_char_p
        self.source, self.nvrtc, self.arch, self.cuda = core.tpad_gpu_source(), nvrtc, arch, cuda
        self.functions, self.modules = {}, []

    def compile(self, launch):
        program, size = ctypes.c_void_p(), ctypes.c_size_t()
        options = [b"--gpu-architecture=" + self.arch.encode(), b"--fmad=false", launch.option]
        array = (ctypes.c_char_p * len(options))(*options)
        self.nvrtc.nvrtcCreateProgram(
            ctypes.byref(program), self.source, b"tensorpad.cu", 0, None, None
        )
        if self.nvrtc.nvrtcCompileProgram(program, len(options), array) != 0:
            self.nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
            log = ctypes.create_string_buffer(size.value)
            self.nvrtc.nvrtcGetProgramLog(program, log)
            raise RuntimeError(f"{launch.kernel.decode()}: {log.value.decode()}")
        self.nvrtc.nvrtcGetCUBINSize(program, ctypes.byref(size))
        cubin = ctypes.create_string_buffer(size.value)
        self.nvrtc.nvrtcGetCUBIN(program, cubin)
        self.nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
        return cubin

    def driver(self, name, *arguments):
        status = getattr(self.cuda, name)(*arguments)
        if status != 0:
            raise RuntimeError(f"{name}: CUDA error {status}")

    def function(self, launch):
        if launch.kernel not in self.functions:
            module, function = ctypes.c_void_p(), ctypes.c_void_p()
            self.driver("cuModuleLoadData", ctypes.byref(module), self.compile(launch))
            self.driver("cuModuleGetFunction", ctypes.byref(function), module, launch.kernel)
            self.functions[launch.kernel] = function
        return self.functions[launch.kernel]

    def run(self, launch, src, dst, stream):
        if launch.blocks == 0:
            return
        pointers = [ctypes.c_uint64(p) for p in (src, dst, 0)]
        where = [ctypes.addressof(p) for p in pointers]
        where.append(ctypes.addressof(launch) + Launch.params.offset)
        arguments = (ctypes.c_void_p * 4)(*where)
        grid = [ctypes.c_uint(n) for n in (launch.blocks, 1, 1, 256, 1, 1, 0)]
        function = self.function(launch)
        self.driver("cuLaunchKernel", function, *grid, ctypes.c_void_p(stream), arguments, None)


def random_pad(rng, library, elem_bytes):
    while True:
        extents = [rng.randint(1, 40) for _ in range(rng.randint(1, 4))]
        padded = [rng.random() < 0.7 for _ in extents]
        amounts = [(rng.randint(-3, 60), rng.randint(-3, 60)) if p else (0, 0) for p in padded]
        interior = [rng.choice([0, 0, 0, 1, 2]) for _ in extents]
        try:
            pad = Pad(
                *(library, extents, amounts, rng.choice(MODES), elem_bytes, interior),
                order=rng.randint(0, 1),
            )
        except RuntimeError:  # a crop of more than there is
            continue
        if 0 < pad.out_bytes < 8e6:
            return pad


def padding_of(shape, sides):
    return [(0, 0)] * (len(shape) - len(sides)) + [(side, side) for side in sides]


def dry_run(library):
    rng, nvrtc, launches = random.Random(1), find_nvrtc(), {}
    kernels = nvrtc and Kernels(library.core, nvrtc, "sm_90")
    print("kernels are compiled for sm_90" if nvrtc else "NVRTC is missing: nothing is compiled")
    made = []
    for shape, sides, mode, name in SHAPES:
        pad = Pad(library, shape, padding_of(shape, sides), mode, bytes_of(name))
        made.append((f"{shape} {mode}", pad.forward()))
        if name in NUMBERS:
            made.append((f"{shape} {mode}, gradient", pad.backward(number_of(name))))
    for _ in range(200):
        elem_bytes = rng.choice([1, 2, 3, 8, 16])
        made.append((f"random, {elem_bytes} bytes", random_pad(rng, library, elem_bytes).forward()))
    for what, launch in made:
        if launch.kernel not in launches:
            size = f"{len(kernels.compile(launch))} bytes" if kernels else "not compiled"
            print(f"{launch.kernel.decode()}: {size}; {what}: {launch.blocks} blocks")
        launches[launch.kernel] = launch


class Check:
    """The parts, on a GPU."""

    def __init__(self, library, torch):
        self.library, self.torch = library, torch
        torch.zeros(1, device="cuda")
        self.stream = torch.cuda.Stream()
        torch.cuda.set_stream(self.stream)
        arch = "sm_{}{}".format(*torch.cuda.get_device_capability())
        self.kernels = Kernels(library.core, find_nvrtc(), arch, ctypes.CDLL("libcuda.so.1"))
        self.copied = None  # bytes in a second, read and written

    def run(self, launch, src, dst):
        stream = self.torch.cuda.current_stream().cuda_stream
        self.kernels.run(launch, src.data_ptr(), dst.data_ptr(), stream)

    def compare(self, pad, launch_of, source, want, what):
        """Runs between other bytes, at any remainder by 16 that suits the elements."""
        torch, edge = self.torch, 64
        skip = 16 + pad.elem_bytes * random.randint(0, 16 // pad.elem_bytes)
        src = torch.full((skip + source.numel() + edge,), 77, dtype=torch.uint8, device="cuda")
        room = torch.full((skip + want.numel() + edge,), 77, dtype=torch.uint8, device="cuda")
        inner = src[skip : skip + source.numel()]
        inner.copy_(source)
        dst = room[skip : skip + want.numel()]
        self.run(launch_of(inner.data_ptr(), dst.data_ptr()), inner, dst)
        beside = torch.cat([room[:skip], room[skip + want.numel() :]])
        if not torch.equal(dst.cpu(), want) or not bool((beside == 77).all()):
            print(f"DIFFERENT: {what}", flush=True)
            sys.exit(1)

    def correct(self, deadline):
        rng, cases, torch = random.Random(5), 0, self.torch
        while time.monotonic() < deadline:
            pad = random_pad(rng, self.library, rng.choice([1, 2, 3, 4, 6, 8, 12, 16]))
            src = torch.randint(0, 256, (pad.in_bytes,), dtype=torch.uint8)
            want = torch.empty(pad.out_bytes, dtype=torch.uint8)
            value = rng.randbytes(pad.elem_bytes) if rng.random() < 0.7 else None
            at = ctypes.c_void_p(src.data_ptr()), ctypes.c_void_p(want.data_ptr())
            assert self.library.core.tpad_run(pad.plan, *at, value) == 0
            self.compare(pad, lambda s, d: pad.forward(s, d, value), src, want, f"pad {cases}")
            cases += 1
        print(f"{cases} random pads equal to the CPU's", flush=True)

    def adjoint(self, deadline):
        rng, cases, torch = random.Random(6), 0, self.torch
        while time.monotonic() < deadline:
            name = rng.choice(NUMBERS)
            number, pad = number_of(name), random_pad(rng, self.library, bytes_of(name))
            small = torch.randint(-100, 100, pad.shape) if "int" in name else torch.randn(pad.shape)
            grad = small.to(getattr(torch, name)).reshape(-1)
            want = torch.empty(pad.in_bytes, dtype=torch.uint8)
            at = ctypes.c_void_p(grad.data_ptr()), ctypes.c_void_p(want.data_ptr())
            assert self.library.core.tpad_adjoint(pad.plan, number, 0, *at, None, None) == 0
            grad = grad.view(torch.uint8)
            self.compare(
                pad, lambda g, d: pad.backward(number, g, d), grad, want, f"{name} {cases}"
            )
            cases += 1
        print(f"{cases} random gradients equal to the bit", flush=True)

    def wide(self, _):
        torch, n = self.torch, 3 << 30
        src = torch.empty(n, dtype=torch.uint8, device="cuda").random_(0, 256)
        pad = Pad(self.library, [n], [(5, 9)], "reflect", 1)
        dst = torch.empty(n + 14, dtype=torch.uint8, device="cuda")
        self.run(pad.forward(src.data_ptr(), dst.data_ptr()), src, dst)
        ends = torch.equal(dst[:5], src[1:6].flip(0)) and torch.equal(dst[-9:], src[-10:-1].flip(0))
        if not ends or not torch.equal(dst[5:-9], src):
            print("DIFFERENT: 3 GB of bytes")
            sys.exit(1)
        print("3 GB of bytes: equal", flush=True)

    def in_turns(self, calls, rounds=15):
        """The median time of each call in seconds; the first two rounds do not count.

        Calls are replayed as a graph, ten in a row: without what Python and torch do before a launch."""
        times = {name: [] for name in calls}
        replays = {name: self.graph_of(call).replay for name, call in calls.items()}
        for _ in range(rounds + 2):
            for name, replay in replays.items():
                times[name].append(self.timed(replay) / IN_A_ROW)
        return {name: statistics.median(taken[2:]) for name, taken in times.items()}

    def timed(self, call):
        begin, end = (self.torch.cuda.Event(enable_timing=True) for _ in "be")
        begin.record()
        call()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end) / 1e3

    def graph_of(self, call):
        call()
        graph = self.torch.cuda.CUDAGraph()
        with self.torch.cuda.graph(graph, stream=self.stream):
            for _ in range(IN_A_ROW):
                call()
        return graph

    def copy(self, _):
        torch = self.torch
        src = torch.empty(1 << 30, dtype=torch.uint8, device="cuda")
        dst = torch.empty_like(src)
        self.copied = 2 * src.numel() / min(self.timed(lambda: dst.copy_(src)) for _ in range(15))
        name = torch.cuda.get_device_name()
        print(f"{name}: a copy moves {self.copied / 1e12:.2f} TB/s, read and written", flush=True)

    def shapes(self, deadline):
        if not self.copied:
            self.copy(deadline)
        print("us: bound by a copy, pad, F.pad, gradient, gradient of F.pad")
        for shape, sides, mode, name in SHAPES:
            if time.monotonic() > deadline:
                print("the time is over: the other shapes are left out")
                return
            try:
                times = self.time_shape(shape, sides, mode, name)
            except (RuntimeError, NotImplementedError) as error:
                times = [str(error).splitlines()[0][:90]]
            print(f"{shape} {mode} {name}:", *times, flush=True)

    def time_shape(self, shape, sides, mode, name):
        torch = self.torch
        x = torch.randint(0, 100, shape, device="cuda").to(getattr(torch, name))
        pad = Pad(self.library, shape, padding_of(shape, sides), mode, bytes_of(name))
        y = torch.empty(pad.shape, dtype=x.dtype, device="cuda")
        forward = pad.forward(x.data_ptr(), y.data_ptr())
        amounts = [side for side in reversed(sides) for _ in "ab"]
        calls = {
            "pad": lambda: self.run(forward, x, y),
            "F.pad": lambda data=x: torch.nn.functional.pad(
                data, amounts, TORCH_MODES.get(mode, mode)
            ),
        }
        if name in NUMBERS:
            leaf, grad, dx = x.clone().requires_grad_(), torch.ones_like(y), torch.empty_like(x)
            backward = pad.backward(number_of(name), grad.data_ptr(), dx.data_ptr())
            out = calls["F.pad"](leaf)
            calls["gradient"] = lambda: self.run(backward, grad, dx)
            calls["gradient of F.pad"] = lambda: torch.autograd.grad(
                out, leaf, grad, retain_graph=True
            )
        bound = (pad.in_bytes + pad.out_bytes) / self.copied
        return [f"{t * 1e6:9.1f}" for t in (bound, *self.in_turns(calls).values())]

    def cupy(self, deadline):
        try:
            import cupy
            import cupyx.profiler
        except ImportError:
            print("CuPy is missing: cupy.pad is left out")
            return
        torch = self.torch
        for shape in [(64, 64), (256, 256), (2048, 2048), (3, 2160, 3840)]:
            x = torch.randn(shape, device="cuda")
            pad = Pad(self.library, shape, [(2, 2)] * len(shape), "reflect", 4)
            y = torch.empty(pad.shape, device="cuda")
            forward = pad.forward(x.data_ptr(), y.data_ptr())
            array = cupy.asarray(x.cpu().numpy())
            calls = {
                "pad": lambda: self.run(forward, x, y),
                "cupy.pad": lambda: cupy.pad(array, 2, "reflect"),
            }
            times = self.in_turns({"pad": calls.pop("pad")})
            times["cupy.pad"] = cupyx.profiler.benchmark(calls["cupy.pad"]).gpu_times.mean()
            texts = [f"{name} {t * 1e6:.1f}" for name, t in times.items()]
            print(f"{shape} reflect float32, us:", *texts, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", help="has libtensorpad_gpu.so")
    parser.add_argument("--parts", default=",".join(PARTS), help="some of them, in this order")
    parser.add_argument("--seconds", type=float, default=230, help="for all parts together")
    parser.add_argument("--dry-run", action="store_true", help="without a GPU")
    options = parser.parse_args()
    parts = options.parts.split(",")
    if not set(parts) <= set(PARTS):
        parser.error(f"the parts are {', '.join(PARTS)}")
    library = Library(options.folder, 1)
    try:
        library.core = ctypes.CDLL(f"{options.folder}/libtensorpad_gpu.so")
    except OSError as error:
        parser.error(f"build the target tensorpad_gpu_shared: {error}")
    if options.dry_run:
        dry_run(library)
        return
    try:
        import torch
    except ImportError:
        parser.error("torch is missing")
    if not torch.cuda.is_available():
        parser.error("torch sees no GPU; --dry-run needs none")
    if not find_nvrtc():
        parser.error("NVRTC is missing: pip install nvidia-cuda-nvrtc")
    check, end = Check(library, torch), time.monotonic() + options.seconds
    for part in parts:
        left = end - time.monotonic()
        if left <= 0:
            print(f"the time is over: {part} is left out")
            continue
        share = {"correct": 0.2, "adjoint": 0.2}.get(part, 1) * left
        getattr(check, part)(time.monotonic() + share)


if __name__ == "__main__":
    main()
