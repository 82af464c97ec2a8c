#!/usr/bin/env python3
"""tensorpad and six other libraries on the same pads, in one run.  SPDX-License-Identifier: MIT

    bench/run.sh rivals           the workloads of `tensorpad bench`, in multiples of a memcpy
    bench/run.sh rivals --new     pads as people call them, each output a new array, in microseconds

First how each library is called, the way its own documents advise; then how it is timed, and the tables.
docs/development/measurements.md tells it in words. Each result is compared with NumPy's before it is timed.
"""

import argparse
import ctypes
import functools
import gc
import importlib
import importlib.metadata
import math
import os
import platform
import random
import statistics
import subprocess
import sys
import time

import libtensorpad
import numpy as np
import pages
import workloads as source

ONNX_MODES = ("constant", "edge", "reflect", "wrap")
OPENVINO_MODES = ("constant", "edge", "reflect", "symmetric")
TORCH_MODES = {
    "constant": "constant",
    "edge": "replicate",
    "reflect": "reflect",
    "wrap": "circular",
}


class Cannot(Exception):
    """Why a library cannot do a workload."""


# ---- The libraries --------------------------------------------------------------------------------
# Each function starts a library with a number of threads, and returns prepare(workload, data, out). That does
# what can be done once and returns two functions: one to be timed, and one that gives the result as an array.


def start_tensorpad(threads, folder):
    library = libtensorpad.Library(folder, threads)
    return library, lambda w, data, out: (library.prepare(w, data, out), lambda: out)


def start_onnxruntime(threads):
    """A model of one Pad node, its input and output bound to memory that is there already."""
    import onnx.helper as helper
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    options.log_severity_level = 3

    def prepare(w, data, out):
        need(w.mode in ONNX_MODES, f"ONNX has no mode {w.mode}")
        need(not any(w.interior), "ONNX has no interior padding")
        kind, pads = helper.np_dtype_to_tensor_dtype(data.dtype), w.begin + w.end
        graph = helper.make_graph(
            [helper.make_node("Pad", ["x", "pads"], ["y"], mode=w.mode)],
            "pad",
            [helper.make_tensor_value_info("x", kind, w.shape)],
            [helper.make_tensor_value_info("y", kind, w.out_shape)],
            [helper.make_tensor("pads", 7, [len(pads)], pads)],
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
        session = onnxruntime.InferenceSession(
            model.SerializeToString(), options, ["CPUExecutionProvider"]
        )
        binding = session.io_binding()
        binding.bind_input("x", "cpu", 0, data.dtype, data.shape, data.ctypes.data)
        binding.bind_output("y", "cpu", 0, out.dtype, out.shape, out.ctypes.data)
        return functools.partial(session.run_with_iobinding, binding), lambda: out

    return prepare


def start_openvino(threads):
    """A compiled model of one Pad, whose tensors share the memory of NumPy arrays."""
    import openvino
    import openvino.opset12 as opset

    core = openvino.Core()
    # ACCURACY: floats come out as they went in, not by way of bfloat16.
    settings = {"PERFORMANCE_HINT": "LATENCY", "EXECUTION_MODE_HINT": "ACCURACY"}
    settings["INFERENCE_NUM_THREADS"] = threads

    def prepare(w, data, out):
        need(w.mode in OPENVINO_MODES, f"its Pad has no mode {w.mode}")
        need(not any(w.interior), "its Pad has no interior padding")
        x = opset.parameter(w.shape, data.dtype)
        y = opset.pad(x, w.begin, w.end, w.mode, opset.constant(np.zeros((), data.dtype)))
        model = openvino.Model([y], [x])
        request = core.compile_model(model, "CPU", settings).create_infer_request()
        request.set_input_tensor(openvino.Tensor(data, shared_memory=True))
        request.set_output_tensor(openvino.Tensor(out, shared_memory=True))
        return request.infer, lambda: out

    return prepare


def start_torch(threads):
    """torch.nn.functional.pad, which takes no output: each call brings its own."""
    import torch

    torch.set_num_threads(threads)
    torch.set_num_interop_threads(threads)
    torch.set_grad_enabled(False)
    pad = torch.nn.functional.pad

    def prepare(w, data, out):
        need(w.mode in TORCH_MODES, f"F.pad has no mode {w.mode}")
        need(not any(w.interior), "F.pad has no interior padding")
        x, mode = torch.from_numpy(data), TORCH_MODES[w.mode]
        axes = [axis for axis, amounts in enumerate(w.pads) if any(amounts)]
        # The last axis comes first.
        amounts = [n for axis in range(x.ndim - 1, axes[0] - 1, -1) for n in w.pads[axis]]
        if mode == "constant":
            call = functools.partial(pad, x, amounts)
        elif axes[-1] == x.ndim - 1 and x.ndim > len(axes):
            call = functools.partial(pad, x, amounts, mode)
        elif axes[-1] == x.ndim - 1:  # it asks for one axis more than the padded ones

            def call():
                return pad(x.unsqueeze(0), amounts, mode).squeeze(0)

        else:  # an image whose channels are last, as a batch of one whose channels are first
            amounts = amounts[2:]

            def call():
                image = x.permute(2, 0, 1).unsqueeze(0)
                return pad(image, amounts, mode).squeeze(0).permute(1, 2, 0).contiguous()

        return call, lambda: call().numpy()

    return prepare


def start_opencv(threads):
    """copyMakeBorder into an image that is there already; mixChannels where channels are added."""
    import cv2

    cv2.setNumThreads(threads)

    def prepare(w, data, out):
        need(not any(w.interior), "no interior padding")
        need(not w.crops, "copyMakeBorder takes no negative amount")
        image, target, pads = data, out, w.pads
        if image.ndim == 4 and image.shape[0] == 1:
            image, target, pads = image[0], target[0], pads[1:]
        need(
            image.ndim == 2 or (image.ndim == 3 and image.shape[2] <= 4),
            "not an image of at most 4 channels",
        )
        if image.dtype == np.int64:  # not taken from Python; these are as wide, and only moved
            image, target = image.view(np.float64), target.view(np.float64)
        if image.ndim == 3 and any(pads[2]):
            need(
                not any(pads[0] + pads[1]) and w.mode == "constant",
                "pads channels with zeros only, and nothing else with them",
            )
            first, count = pads[2][0], image.shape[2]
            pairs = [
                index
                for to in range(target.shape[2])
                for index in (to - first if 0 <= to - first < count else -1, to)
            ]
            return functools.partial(cv2.mixChannels, [image], [target], pairs), lambda: out
        call = functools.partial(
            cv2.copyMakeBorder, image, *pads[0], *pads[1], border(cv2, w.mode), target
        )
        if not np.shares_memory(call(), target):
            raise RuntimeError("OpenCV: the output given was not used")
        return call, lambda: out

    return prepare


def start_jax(threads):
    """jax.numpy.pad or jax.lax.pad, compiled; the input is on the device before."""
    import jax

    jax.config.update("jax_platforms", "cpu")
    jax.config.update("jax_enable_x64", True)

    def prepare(w, data, out):
        if w.crops or any(w.interior):
            need(w.mode == "constant", "lax.pad has the mode constant only")
            triples, zero = list(zip(w.begin, w.end, w.interior)), np.zeros((), data.dtype)
            pad = jax.jit(lambda x: jax.lax.pad(x, zero, triples))
        else:
            pad = jax.jit(lambda x: jax.numpy.pad(x, w.pads, w.mode))
        x = jax.device_put(data).block_until_ready()
        return lambda: pad(x).block_until_ready(), lambda: np.asarray(pad(x))

    return prepare


def start_numpy(threads):
    """numpy.pad, which takes no output; slices where it has no answer."""

    def prepare(w, data, out):
        if w.crops:
            return functools.partial(np.copyto, out, data[w.kept()]), lambda: out
        if any(w.interior):
            need(w.mode == "constant", "no interior padding")
            target = out[w.placed()]

            def call():
                out.fill(0)
                target[...] = data

            return call, lambda: out
        call = functools.partial(np.pad, data, w.pads, w.mode)
        return call, call

    return prepare


# Column: package, start
RIVALS = {
    "ORT": ("onnxruntime", start_onnxruntime),
    "OpenVINO": ("openvino", start_openvino),
    "torch": ("torch", start_torch),
    "OpenCV": ("opencv-python-headless", start_opencv),
    "JAX": ("jax", start_jax),
    "NumPy": ("numpy", start_numpy),
}


def need(is_so, why):
    if not is_so:
        raise Cannot(why)


def border(cv2, mode):
    names = {"edge": "REPLICATE", "reflect": "REFLECT_101", "symmetric": "REFLECT"}
    return getattr(cv2, f"BORDER_{names.get(mode, mode.upper())}")


def start_all(threads, folder):
    """tensorpad's library; {name: prepare}, {name: version} of what is there, {name: why} of what is not."""
    library, prepare = start_tensorpad(threads, folder)
    prepares, versions, missing = {"tensorpad": prepare}, {"tensorpad": library.version}, {}
    for name, (package, start) in RIVALS.items():
        try:
            prepares[name] = start(threads)
            versions[name] = importlib.metadata.version(package)
        except (ImportError, OSError) as error:
            missing[name] = str(error).splitlines()[0]
    return library, prepares, versions, missing


# ---- Beside a memcpy ------------------------------------------------------------------------------

TURN_SECONDS = 0.001  # how long the calls of one library in a turn are to last
MOST_PAIRS = 20
TINY_REPEATS = 100  # a call that is short beside the clock is repeated
FEWEST_TURNS, MOST_TURNS = 7, 101
KEEP_MEMORY = "glibc.malloc.mmap_max=0:glibc.malloc.trim_threshold=1000000000000"


def keep_memory():
    """Starts over with a malloc that never gives memory back to the system: who takes no output
    and brings a new one with each call is to find it warm, as the others find theirs."""
    if os.environ.get("GLIBC_TUNABLES") != KEEP_MEMORY:
        os.environ["GLIBC_TUNABLES"] = KEEP_MEMORY
        os.execv(sys.executable, sys.orig_argv)


def confine(threads):
    """As many processors as threads, for all threads of the process, before any library counts
    them (keep_memory starts the process over, so NumPy too): a library that starts more threads than it was told to gains nothing by it."""
    allowed = sorted(os.sched_getaffinity(0))
    if threads > len(allowed):
        sys.exit(f"rivals: --threads {threads}: this process may run on {len(allowed)} processors")
    os.sched_setaffinity(0, allowed[-threads:])
    for name in ("NPROC", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = str(threads)


def memcpy(target, given):
    """A function that copies one array onto the other as the C library does."""
    copy = ctypes.CDLL(None).memcpy
    copy.restype = ctypes.c_void_p
    addresses = (ctypes.c_void_p(array.ctypes.data) for array in (target, given))
    return functools.partial(copy, *addresses, ctypes.c_size_t(target.nbytes))


def timed(call, repeats):
    start = time.perf_counter()
    for _ in range(repeats):
        call()
    return (time.perf_counter() - start) / repeats


def measure(calls, copy, seconds, repeats):
    """calls: {name: function}. Seconds of a call in every turn: {name: [...]}, and those of memcpy.
    In a turn the libraries come one after the other, each time another one first, and each takes
    turns with memcpy, first untimed and then timed as often: once is not enough to win the caches
    back from the library before. So both find their memory as the other's traffic left it, in the
    caches as far as it fits there, but not in the first of them as if nothing else was going on."""
    pairs = {}
    for name, call in calls.items():
        call()
        pairs[name] = max(1, min(MOST_PAIRS, round(TURN_SECONDS / timed(call, repeats))))
    names = list(calls)
    times, copies = {name: [] for name in names}, []
    end = time.perf_counter() + seconds
    for turn in range(MOST_TURNS):
        if turn >= FEWEST_TURNS and time.perf_counter() > end:
            break
        copying = []
        first = turn % len(names)
        for name in names[first:] + names[:first]:
            call, calling = calls[name], []
            for _ in range(pairs[name]):
                call()
                copy()
            for _ in range(pairs[name]):
                calling.append(timed(call, repeats))
                copying.append(timed(copy, repeats))
            times[name].append(statistics.median(calling))
        copies.append(statistics.median(copying))
    return times, copies


def compare(w, prepares, seconds, repeats=1):
    """{library: the median of (its time / that of memcpy in the same turn), or "wrong"}, microseconds of a
    call, {library: why it is not measured}."""
    data = source.sample(w)
    wanted = source.expected(w, data)
    copy_target, copy_source = (source.buffer(wanted.shape, wanted.dtype) for _ in range(2))
    copy_source.fill(1)
    calls, ratios, reasons, kept = {}, {}, {}, []
    for name, prepare in prepares.items():
        out = source.buffer(wanted.shape, wanted.dtype)
        out.fill(7)  # what is not written is not right by chance
        kept.append(out)  # calls know only where it lies
        try:
            call, result = prepare(w, data, out)
            call()
            if np.array_equal(result(), wanted):
                calls[name] = call
            else:
                ratios[name] = "wrong"
        except Cannot as why:
            reasons[name] = str(why)
    gc.collect()
    gc.disable()
    times, copies = measure(calls, memcpy(copy_target, copy_source), seconds, repeats)
    gc.enable()
    for name, each in times.items():
        ratios[name] = statistics.median(t / c for t, c in zip(each, copies))
    return ratios, {name: statistics.median(each) * 1e6 for name, each in times.items()}, reasons


def best_rival(ratios):
    """Its name and how many times as long as tensorpad it takes, or None."""
    others = {name: r for name, r in ratios.items() if name != "tensorpad" and r != "wrong"}
    if not others or "tensorpad" not in ratios:
        return None
    name = min(others, key=others.get)
    return name, others[name] / ratios["tensorpad"]


def short(ratio):
    if isinstance(ratio, str):
        return ratio
    return f"{ratio:.2f}" if ratio < 9.995 else f"{ratio:.1f}" if ratio < 99.95 else f"{ratio:.0f}"


def beside_a_memcpy(options):
    """Lines of Markdown: the table and what follows from it."""
    confine(options.threads)
    keep_memory()
    if options.kernels:
        os.environ["TENSORPAD_KERNELS"] = options.kernels
    library, prepares, versions, missing = start_all(options.threads, options.build)
    if options.kernels not in (None, library.kernels):
        sys.exit(f"rivals: --kernels {options.kernels}: tensorpad runs with {library.kernels}")
    wanted = [w for w in source.workloads(f"{options.build}/tensorpad") if options.only in w.name]
    print(", ".join(f"{name} {version}" for name, version in versions.items()))
    print(*(f"without {name}: {why}" for name, why in missing.items()), "", sep="\n")
    lines = [
        pages.row(["workload", *versions, "best rival / tensorpad"]),
        "|---" * (len(versions) + 2) + "|",
    ]
    print(*lines, sep="\n")
    gains, reasons = [], {}
    for w in [*wanted, source.TINY]:
        is_tiny = w is source.TINY
        ratios, times, whys = compare(w, prepares, options.seconds, TINY_REPEATS if is_tiny else 1)
        best = best_rival(ratios)
        gains += [best[1]] if best else []
        cells = [short(ratios.get(name, "-")) for name in versions]
        line = pages.row([w.name, *cells, f"{best[1]:.2f} {best[0]}" if best else "-"])
        print(line, flush=True)
        lines += [] if is_tiny else [line]
        for name, why in whys.items():
            reasons.setdefault(f"{name}: {why}", []).append(w.name)
    print("\nus a call of the last one:", ", ".join(f"{n} {us:.2f}" for n, us in times.items()))
    print(*(f"{why}: {'; '.join(names)}" for why, names in reasons.items()), sep="\n")
    threads = "1 thread" if options.threads == 1 else f"{options.threads} threads"
    lines += ["", f"{processor()}; {threads}; tensorpad's kernels: {library.kernels}."]
    if gains:
        mean = math.exp(statistics.fmean(map(math.log, gains)))
        lines += [
            f"tensorpad is first of all on {sum(gain > 1 for gain in gains)} of {len(gains)}, "
            f"{source.TINY.name}",
            f"included. The best rival takes {mean:.2f} times as long in the",
            f"geometric mean, and {min(gains):.2f} times as long in the worst case.",
        ]
    print(*lines[-4:], sep="\n")
    return lines


# ---- New outputs ----------------------------------------------------------------------------------

# Name, shape, type, cells on both sides of each axis, mode
NEW = [
    ("icon", (64, 64, 3), "uint8", (4, 4, 0), "constant"),
    ("image", (224, 224, 3), "uint8", (3, 3, 0), "reflect"),
    ("camera image", (480, 640, 3), "uint8", (16, 16, 0), "edge"),
    ("full HD photograph", (1080, 1920, 3), "uint8", (16, 16, 0), "symmetric"),
    ("24-megapixel photograph", (4000, 6000, 3), "uint8", (16, 16, 0), "reflect"),
    ("network input", (1, 3, 224, 224), "float32", (0, 0, 1, 1), "constant"),
    ("64 maps", (1, 64, 112, 112), "float32", (0, 0, 1, 1), "constant"),
    ("512 maps", (8, 64, 112, 112), "float32", (0, 0, 1, 1), "reflect"),
    ("128 maps", (1, 128, 512, 512), "float32", (0, 0, 1, 1), "constant"),
    ("matrix", (1000, 1000), "float64", (1, 1), "edge"),
    ("30 s of sound", (480000,), "float32", (200,), "reflect"),
    ("ten million numbers", (10_000_000,), "float64", (1,), "constant"),
]
NEW_COLUMNS = ("copy", "tensorpad", "NumPy", "OpenCV", "torch")
NEW_TURNS, NEW_TURN_SECONDS = 25, 0.002


def there(name):
    """The module, or None."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def calls_of(shape, dtype, cells, mode, threads):
    """{library: call}; the result of each call is a new array."""
    import tensorpad

    array, widths = np.ones(shape, dtype), [(count, count) for count in cells]
    padded = np.pad(array, widths, mode)
    calls = {
        "copy": padded.copy,  # a new array, too: the unit of README's chart
        "tensorpad": lambda: tensorpad.pad(array, widths, mode, threads=threads),
        "NumPy": lambda: np.pad(array, widths, mode),
    }
    cv2, torch = there("cv2"), there("torch")
    if cv2 and len(shape) in (2, 3):
        if threads:
            cv2.setNumThreads(threads)
        frame = cells[0], cells[0], cells[1], cells[1], border(cv2, mode)
        calls["OpenCV"] = lambda: cv2.copyMakeBorder(array, *frame)
    if torch and len(shape) == 4:
        if threads:
            torch.set_num_threads(threads)
        tensor, pad = torch.from_numpy(array), [cells[3]] * 2 + [cells[2]] * 2
        calls["torch"] = lambda: torch.nn.functional.pad(tensor, pad, TORCH_MODES[mode])
    for name, call in calls.items():
        assert np.array_equal(np.asarray(call()), padded), name
    return calls


def turn(call, count, clock):
    """Seconds of one of `count` calls. All outputs are kept; freeing them is not timed."""
    start = clock()
    kept = [call() for _ in range(count)]
    return (clock() - start) / len(kept)


def new_outputs(options):
    """Lines of Markdown: microseconds of a call by the clock, with each library's own threads, or with
    --threads 1 of processor time. The calls alternate in a new order each turn. malloc gives memory of
    128 KiB and more back to the system, so no library finds memory warm that another one left."""
    ctypes.CDLL(None).mallopt(-3, 128 << 10)  # M_MMAP_THRESHOLD, which is then fixed
    one = options.threads == 1
    clock = time.thread_time if one else time.perf_counter
    if one:
        confine(1)
    rows = {
        f"{name}, {dtype} [{','.join(map(str, shape))}] by {max(cells)}, {mode}": calls_of(
            shape, dtype, cells, mode, 1 if one else None
        )
        for name, shape, dtype, cells, mode in NEW
        if options.only in name
    }
    times = {(title, name): [] for title, calls in rows.items() for name in calls}
    for _ in range(NEW_TURNS):
        for (title, name), found in random.sample(list(times.items()), len(times)):
            call = rows[title][name]
            count = max(2, int(NEW_TURN_SECONDS / turn(call, 2, clock)))
            found.append(turn(call, count, clock))
    lines = [pages.row(["array", *NEW_COLUMNS]), "|---" * (len(NEW_COLUMNS) + 1) + "|"]
    for title in rows:
        found = [times.get((title, name)) for name in NEW_COLUMNS]
        medians = [statistics.median(each) * 1e6 if each else 0 for each in found]
        figures = [f"{each:.{1 if each < 100 else 0}f}" if each else "-" for each in medians]
        lines.append(pages.row([title, *figures]))
    print(processor(), *lines, sep="\n")
    return lines


# ---- The program ----------------------------------------------------------------------------------


def processor():
    try:
        with open("/proc/cpuinfo", encoding="ascii") as lines:
            return next(line.split(":")[1].strip() for line in lines if "model name" in line)
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0].split("  ")[0])
    parser.add_argument("--new", action="store_true", help="new outputs, beside copy()")
    parser.add_argument("--build", default="build", help="where tensorpad was built")
    parser.add_argument(
        "--threads", type=int, help="for every library; default: 1, with --new their own"
    )
    parser.add_argument(
        "--kernels",
        metavar="NAME",
        help="force tensorpad's kernels, such as avx2; for a build with TENSORPAD_KERNELS_ENV",
    )
    parser.add_argument("--only", default="", help="workloads whose name holds this")
    parser.add_argument("--seconds", type=float, default=2, help="for each workload; default: 2")
    parser.add_argument("--write", metavar="PAGE", help="put the table into this page")
    options = parser.parse_args()
    if options.threads is None and not options.new:
        options.threads = 1
    try:
        lines = new_outputs(options) if options.new else beside_a_memcpy(options)
        if options.write:
            pages.write(options.write, "new outputs" if options.new else "rivals", lines)
    except (ImportError, OSError, RuntimeError, ValueError, subprocess.CalledProcessError) as error:
        sys.exit(f"rivals: {error}")


if __name__ == "__main__":
    main()
