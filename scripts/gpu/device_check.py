#!/usr/bin/env python3
"""What the Python package does with tensors and arrays on an NVIDIA GPU: results against the CPU's, and speed.

Usage: device_check.py [--parts correct,gradients,...] [--seconds 540] [--standin LIBRARY | --compile]

Needs tensorpad, torch with CUDA, and for the last parts CuPy. Status 1 if a result differs, or
the table of docs/gpu.md is not as good as it has to be; 2 if something is missing. Without a GPU:

--compile: all kernels for five architectures, with their registers and spills. Needs NVRTC only.
--standin: the parts that measure no time, by the driver of tests/c/gpu/standin.c as a library.
SPDX-License-Identifier: MIT
"""

import argparse
import concurrent.futures
import math
import os
import random
import re
import statistics
import sys
import time

from tensorpad import _core, _gpu

ARCHITECTURES = (75, 80, 90, 100, 120)
MODES = ["constant", "edge", "reflect", "symmetric", "wrap"]
TYPES = "uint8 int16 int64 float16 bfloat16 float32 float64 complex64 complex128".split()
ON_HOST = ["correct", "gradients", "determinism", "samples", "rows"]
PARTS = [*ON_HOST, "wide", "streams", "graph", "cupy", "table", "cupy_table"]
IN_A_ROW = 10
# Shape, cells on each side of the last axes, mode of F.pad, type; the backward of rows with a star is not the
# same in each run of torch.
SHAPES = [
    ((64, 256, 56, 56), (1, 1), "constant", "float32"),
    ((64, 256, 56, 56), (1, 1), "reflect", "float32"),
    ((64, 256, 56, 56), (1, 1), "constant", "float16"),
    ((64, 256, 56, 56), (1, 1), "reflect", "bfloat16"),
    ((32, 64, 224, 224), (3, 3), "reflect", "float16"),
    ((256, 512, 7, 7), (1, 1), "constant", "float16"),
    ((8, 3, 2160, 3840), (16, 16), "replicate", "float32"),
    ((1, 256, 160000), (200,), "reflect", "float32"),
    ((16, 32, 64, 64, 64), (2, 2, 2), "replicate", "float32"),
    ((128, 3, 224, 224), (3, 3), "constant", "uint8"),
    ((64, 64, 64, 64), (2, 2), "circular", "float32"),
    ((1, 64, 56, 56), (1, 1), "reflect", "float32"),
]


def differ(what):
    print(f"DIFFERENT: {what}", flush=True)
    sys.exit(1)


# ---- Without a GPU ----------------------------------------------------------------------------------


def compile_all():
    compiler, text = _gpu.nvrtc(), _core.gpu_source()
    print(f"NVRTC {compiler.version}: registers [bytes of the stack, of spills] of kernels 0 to 27")

    def one(architecture, number):
        options = *_gpu.OPTIONS, b"--ptxas-options=-v", f"-DTPAD_GPU_KERNEL={number}".encode()
        _, log = compiler.compile(text, f"sm_{architecture}", *options)
        numbers = [int(re.search(rf"(\d+) {word}", log)[1]) for word in
                   ("bytes stack", "bytes spill stores", "bytes spill loads")]  # fmt: skip
        return int(re.search(r"Used (\d+) registers", log)[1]), numbers[0], sum(numbers[1:])

    with concurrent.futures.ThreadPoolExecutor() as pool:
        for architecture in ARCHITECTURES:
            found = list(pool.map(one, [architecture] * 28, range(28)))
            shown = (f"{used}" if not more else f"{used} {more}" for used, *more in found)
            shown = [text.replace(" [0, 0]", "") for text in shown]
            print(f"sm_{architecture}:", *shown, flush=True)


# ---- With one ---------------------------------------------------------------------------------------


class Check:
    """The parts. Each has as many cases as fit in its time."""

    def __init__(self, device):
        import tensorpad.torch
        import torch

        self.torch, self.device, self.copied = torch, device, None
        self.tensorpad, self.pad = tensorpad, tensorpad.torch.pad
        self.functional = tensorpad.torch.functional.pad
        self.rng = random.Random(5)
        self.use_gpu = tensorpad.torch.use_gpu
        if device == "cpu":
            from tensorpad.torch import _gpu as on_host

            on_host.KIND, on_host.stream_of = "cpu", lambda index: 16
            on_host.FEW_BYTES = on_host.SHORT_ROW = 0
        self.use_gpu()
        if device == "cuda":
            self.stream = torch.cuda.Stream()
            torch.cuda.set_stream(self.stream)

    def same(self, found, expected, what):
        torch = self.torch
        found, expected = (one.detach().cpu().contiguous() for one in (found, expected))
        if found.is_complex():
            found, expected = torch.view_as_real(found), torch.view_as_real(expected)
        equal = found.shape == expected.shape and found.dtype == expected.dtype
        if not equal or not torch.equal(found.view(torch.uint8), expected.view(torch.uint8)):
            differ(what)

    def by_cpu(self, call):
        """What it returns for tensors of the CPU, which have a GPU's place where there is none."""
        self.use_gpu(self.device == "cuda")
        try:
            return call()
        finally:
            self.use_gpu()

    def random_tensor(self, extents, name):
        """Small numbers in a view at any offset, on the CPU."""
        torch, rng = self.torch, self.rng
        skipped = rng.randrange(20)
        step = rng.choice([1, 1, 2])
        cells = skipped + math.prod(extents) * step
        numbers = torch.randint(0 if name == "uint8" else -100, 100, (cells,))
        whole = (numbers / 8 if "int" not in name else numbers).to(getattr(torch, name))
        return whole[skipped:].reshape(*extents[:-1], -1)[..., ::step]

    def random_call(self):
        rng = self.rng
        while True:
            extents = [rng.randint(1, 40) for _ in range(rng.randint(1, 4))]
            padded = [rng.random() < 0.7 for _ in extents]
            words = {
                "pad_width": [
                    (rng.randint(-3, 60), rng.randint(-3, 60)) if p else (0, 0) for p in padded
                ],
                "mode": [rng.choice(MODES) for _ in extents],
                "interior": [rng.choice([0, 0, 0, 1, 2]) for _ in extents],
                "order": rng.choice(["window", "crop"]),
            }
            try:
                shape = self.tensorpad.pad_shape(extents, **words)
            except ValueError:  # a crop of more than there is
                continue
            if 0 < math.prod(shape) < 2e6:
                return extents, shape, words

    def moved(self, x):
        """A tensor on the device with the same strides and the same address modulo 16."""
        room = self.torch.empty(0, dtype=x.dtype).set_(x.untyped_storage()).to(self.device)
        return room.as_strided(x.shape, x.stride(), x.storage_offset())

    def correct(self, deadline):
        torch, cases = self.torch, 0
        while time.monotonic() < deadline:
            extents, shape, words = self.random_call()
            x = self.random_tensor(extents, self.rng.choice(TYPES))
            value = self.rng.choice([0, 1, 7])
            want = self.by_cpu(lambda: self.pad(x, constant_values=value, **words))
            self.same(self.pad(self.moved(x), constant_values=value, **words), want, words)
            if cases % 4 == 0 and self.device == "cuda":  # between other bytes
                room = torch.full((want.numel() + 50,), 77, dtype=x.dtype, device=self.device)
                skip = self.rng.randrange(1, 20)
                out = room[skip : skip + want.numel()].view(want.shape)
                self.tensorpad.pad(self.moved(x), constant_values=value, out=out, **words)
                self.same(out, want, words)
                beside = torch.cat([room[:skip], room[skip + want.numel() :]])
                self.same(beside, torch.full_like(beside, 77), f"bytes beside {words}")
            cases += 1
        print(f"{cases} random pads equal to the CPU's", flush=True)

    def gradients(self, deadline):
        torch, cases = self.torch, 0
        while time.monotonic() < deadline:
            extents, shape, words = self.random_call()
            name = self.rng.choice([one for one in TYPES if "int" not in one])
            leaf = self.random_tensor(extents, name)
            grad = self.random_tensor(shape, name)

            def of(leaf, grad):
                x = leaf.detach().requires_grad_()
                return torch.autograd.grad(self.pad(x, **words), x, grad)[0]

            want = self.by_cpu(lambda: of(leaf, grad))
            self.same(of(self.moved(leaf), self.moved(grad)), want, words)
            cases += 1
        print(f"{cases} random gradients equal to the CPU's", flush=True)

    def determinism(self, _):
        torch = self.torch
        torch.use_deterministic_algorithms(True)
        for mode in ("constant", "reflect", "replicate", "circular", "symmetric"):
            x = torch.randn(2, 8, 65, 63, device=self.device, requires_grad=True)
            y = self.functional(x, (31, 30, 29, 33), mode)
            grad, first = torch.randn_like(y), None
            for _ in range(20):
                (dx,) = torch.autograd.grad(y, x, grad, retain_graph=True)
                first = dx if first is None else first
                self.same(dx, first, f"the gradient of {mode} in two runs")
        torch.use_deterministic_algorithms(False)
        print("gradients are the same in 20 runs, and no algorithm is refused", flush=True)

    def samples(self, deadline):
        """Those of torch's own tests of its pads."""
        try:
            from torch.testing._internal.common_methods_invocations import op_db
        except ImportError as error:
            print(f"the samples of torch's tests are left out: {error}")
            return

        torch, cases, of = self.torch, 0, self.torch.nn.functional.pad
        for op in (one for one in op_db if one.name == "nn.functional.pad"):
            for dtype in sorted(op.supported_dtypes(self.device), key=str):
                derives = dtype in op.supported_backward_dtypes(self.device)
                for sample in op.sample_inputs(self.device, dtype, requires_grad=derives):
                    what = f"{op.formatted_name} {dtype} {tuple(sample.input.shape)} {sample.args} {sample.kwargs}"
                    one, other = (
                        f(sample.input, *sample.args, **sample.kwargs)
                        for f in (self.functional, of)
                    )
                    self.same(one, other.contiguous(), what)
                    if other.requires_grad:
                        grad = torch.randint_like(other.detach().real, 9).to(dtype)
                        one, other = (
                            torch.autograd.grad(y, sample.input, grad)[0] for y in (one, other)
                        )
                        torch.testing.assert_close(one, other, msg=what)
                    cases += 1
        print(f"{cases} samples of torch's tests: the same", flush=True)

    def rows(self, _):
        torch = self.torch
        for shape, amounts in (
            ((70000, 1, 5), (2, 2)),
            ((1, 70000, 5), (3, 1)),
            ((70000, 3, 4), (1, 2, 1, 1)),
        ):
            for mode in ("reflect", "replicate", "circular"):
                leaf = torch.randn(shape)

                def of(leaf):
                    x = leaf.detach().requires_grad_()
                    y = self.functional(x, amounts, mode)
                    return y, torch.autograd.grad(y.square().sum(), x)[0]

                for one, want in zip(of(leaf.to(self.device)), self.by_cpu(lambda: of(leaf))):
                    self.same(one, want, f"{shape} {mode}")
        print("70,000 rows: equal, and their gradients", flush=True)

    def wide(self, _):
        torch, n = self.torch, (1 << 31) + 10
        x = torch.randint(0, 100, (n,), dtype=torch.int8, device="cuda")
        y = self.pad(x, (5, 9), "reflect")
        ends = torch.equal(y[:5], x[1:6].flip(0)) and torch.equal(y[-9:], x[-10:-1].flip(0))
        if not ends or not torch.equal(y[5:-9], x):
            differ("more than 2^31 elements")
        del x, y
        leaf = torch.zeros(n, dtype=torch.float16, device="cuda", requires_grad=True)
        (dx,) = torch.autograd.grad(self.pad(leaf, (5, 9), "reflect").sum(), leaf)
        twice = torch.cat([dx[1:6], dx[-10:-1]])
        if bool((twice != 2).any()) or int((dx != 1).sum()) != 14:
            differ("the gradient of more than 2^31 elements")
        print("2^31 elements: equal, and their gradient", flush=True)

    def streams(self, _):
        """A pad sees what its own stream wrote before, also while another one works."""
        torch, x = self.torch, self.torch.zeros(1 << 22, device="cuda")
        torch.cuda.synchronize()
        both, made = [torch.cuda.Stream() for _ in "ab"], []
        for number, stream in enumerate(both * 10):
            with torch.cuda.stream(stream):
                mine = torch.full_like(x, number).mul_(2)
                made.append(self.pad(mine, 3, "edge"))
        torch.cuda.synchronize()
        for number, y in enumerate(made):
            self.same(y, torch.full_like(y, 2.0 * number), f"stream {number % 2}")
        torch.cuda.set_stream(self.stream)
        print("two streams: right", flush=True)

    def graph(self, _):
        torch = self.torch
        leaf = torch.randn(4, 3, 50, 60, device="cuda", requires_grad=True)
        call = lambda: self.functional(leaf, (3, 3, 2, 2), "reflect")
        grad = torch.randn_like(call())
        torch.autograd.grad(call(), leaf, grad)  # both kernels are loaded
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, stream=self.stream):
            y = call()
            (dx,) = torch.autograd.grad(y, leaf, grad)
        with torch.no_grad():
            leaf.copy_(torch.randn_like(leaf))
            grad.copy_(torch.randn_like(grad))
        graph.replay()
        want = call()
        self.same(y, want, "a replayed graph")
        self.same(dx, torch.autograd.grad(want, leaf, grad)[0], "the gradient of a replayed graph")
        print("a captured graph: right", flush=True)

    # ---- CuPy ----

    def find_cupy(self):
        try:
            import cupy
        except ImportError:
            print("CuPy is missing")
            return None
        self.of_cupy = cupy.cuda.ExternalStream(self.stream.cuda_stream).use()
        return cupy

    def cupy(self, deadline):
        cupy, cases, pad = self.find_cupy(), 0, self.tensorpad.pad
        while cupy and time.monotonic() < deadline:
            extents, shape, words = self.random_call()
            x = self.random_tensor(
                extents, self.rng.choice(["uint8", "float32", "complex128"])
            ).numpy()
            found = pad(cupy.asarray(x)[::-1], constant_values=3, **words)
            if cupy.asnumpy(found).tobytes() != pad(x[::-1], constant_values=3, **words).tobytes():
                differ(f"CuPy {words}")
            cases += 1
        if cupy:
            with cupy.cuda.Stream():
                x = cupy.arange(10.0)
                if (
                    cupy.asnumpy(pad(x, 2, constant_axis=0, constant_values=cupy.arange(14.0)))[-1]
                    != 13
                ):
                    differ("constants of CuPy")
            print(f"{cases} random pads of CuPy's arrays equal to the CPU's", flush=True)

    # ---- Speed ----

    def in_turns(self, calls, rounds=11):
        """The median time of each call in seconds, replayed as a graph, ten in a row."""
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

    def table(self, deadline):
        torch, ratios, slower = self.torch, {"pad": [], "gradient": []}, []
        src = torch.empty(1 << 30, dtype=torch.uint8, device="cuda")
        dst = torch.empty_like(src)
        self.copied = 2 * src.numel() / min(self.timed(lambda: dst.copy_(src)) for _ in range(15))
        src = dst = None
        print(
            f"{torch.cuda.get_device_name()}: a copy moves {self.copied / 1e12:.2f} TB/s, read and written"
        )
        print("microseconds: a copy, pad, F.pad, gradient, that of F.pad")
        for shape, sides, mode, name in SHAPES:
            if time.monotonic() > deadline:
                print("the time is over: the other shapes are left out")
                return
            x = torch.randint(0, 100, shape, device="cuda").to(getattr(torch, name))
            amounts = [side for side in reversed(sides) for _ in "ab"]
            calls, ways = {}, {"": self.functional, " of F.pad": torch.nn.functional.pad}
            for of, pad in ways.items():
                calls["pad" + of] = lambda pad=pad: pad(x, amounts, mode)
            y = calls["pad"]()
            bound = (x.nbytes + y.nbytes) / self.copied
            if x.is_floating_point():
                leaf, grad = x.clone().requires_grad_(), torch.ones_like(y)
                for of, pad in ways.items():
                    out = pad(leaf, amounts, mode)
                    calls["gradient" + of] = lambda out=out: torch.autograd.grad(
                        out, leaf, grad, retain_graph=True
                    )
            times = self.in_turns(calls)
            shown = [f"{taken * 1e6:9.1f}" for taken in (bound, *times.values())]
            print(f"{list(shape)} {mode} {name}:", *shown, flush=True)
            for what in [one for one in ratios if one in times]:
                ratios[what].append(times[what + " of F.pad"] / times[what])
                exempt = what == "gradient" and mode in ("reflect", "replicate")
                if ratios[what][-1] < 1 / 1.03:
                    slower.append(
                        f"{what} of {list(shape)} {mode}{' (torch adds in any order)' * exempt}"
                    )
        means = {what: statistics.geometric_mean(found) for what, found in ratios.items()}
        print("as many times as quick as F.pad:", *(f"{what} {n:.2f}" for what, n in means.items()))
        print("slower than F.pad:", *(slower or ["none"]), sep="\n  ")
        self.time_calls()
        if (
            any("any order" not in one for one in slower)
            or means["pad"] < 1.8
            or means["gradient"] < 1.6
        ):
            differ("speed is not what it has to be")

    def time_calls(self):
        """What a call takes before the GPU works: the queue is never full."""
        torch, x = self.torch, self.torch.zeros(2, 3, 200, 1000, device="cuda")
        for name, pad in (("functional.pad", self.functional), ("F.pad", torch.nn.functional.pad)):
            taken = []
            for _ in range(30):
                torch.cuda.synchronize()
                begin = time.perf_counter()
                for _ in range(50):
                    pad(x, (1, 1, 1, 1), "reflect")
                taken.append((time.perf_counter() - begin) / 50)
            print(f"{name}: {min(taken) * 1e6:.1f} us a call on the CPU's side", flush=True)

    def cupy_table(self, deadline):
        cupy, ratios = self.find_cupy(), []
        if not cupy:
            return
        from cupyx.profiler import benchmark

        for shape in [(64, 64), (256, 256), (2048, 2048), (3, 2160, 3840)]:
            x = cupy.ones(shape, "float32")
            taken = []
            for pad in (self.tensorpad.pad, cupy.pad):
                times = benchmark(pad, (x, 2, "reflect"), n_repeat=50)
                taken.append(max(times.gpu_times.mean(), times.cpu_times.mean()))
            ratios.append(taken[1] / taken[0])
            print(
                f"{shape} reflect: {taken[0] * 1e6:.1f} us, cupy.pad {taken[1] * 1e6:.1f} us",
                flush=True,
            )
        if statistics.geometric_mean(ratios) < 5:
            differ("speed against cupy.pad is not what it has to be")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--parts", default=",".join(PARTS), help="some of them, in this order")
    parser.add_argument("--seconds", type=float, default=540, help="for all parts together")
    parser.add_argument("--standin", help="a library in place of the driver and NVRTC")
    parser.add_argument("--compile", action="store_true", help="the kernels only")
    options = parser.parse_args()
    if options.compile:
        return compile_all()
    parts = options.parts.split(",")
    if not set(parts) <= set(PARTS):
        parser.error(f"the parts are {', '.join(PARTS)}")
    try:
        import torch
    except ImportError:
        parser.error("torch is missing")
    if options.standin:
        os.environ |= {"TENSORPAD_LIBCUDA": options.standin, "TENSORPAD_LIBNVRTC": options.standin}
        check = Check("cpu")
        parts = [part for part in parts if part in ON_HOST]
    elif not torch.cuda.is_available():
        parser.error("torch sees no GPU; --compile and --standin need none")
    else:
        check = Check("cuda")
    end = time.monotonic() + options.seconds
    for part in parts:
        left = end - time.monotonic()
        if left <= 0:
            print(f"the time is over: {part} is left out")
            continue
        share = {"correct": 0.15, "gradients": 0.15, "cupy": 0.1}.get(part, 1) * left
        getattr(check, part)(time.monotonic() + share)


if __name__ == "__main__":
    main()
