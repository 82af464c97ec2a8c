#!/usr/bin/env python3
"""Pad inside ONNX Runtime: the plug-in, the built-in one, an Identity node and tensorpad alone, in turns.

SPDX-License-Identifier: MIT

All are called from one Python process with their input and output bound beforehand. What a run costs
ONNX Runtime before any kernel works is the time of an Identity node on one element.
"""

import argparse
import functools
import gc
import os
import statistics
import sys

import pages
import rivals

TINY = 1 << 16  # outputs below it are run several times between two looks at the clock
REPEATS = 20
LARGE = 2 << 20  # bytes of an output that two threads share
FACTOR, MORE_US = 1.3, 2.0  # the plug-in's time is at most FACTOR * tensorpad + Identity + MORE_US


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("plugin", help="libtensorpad_ort.so")
    parser.add_argument("--build", default="build", help="where tensorpad was built")
    parser.add_argument(
        "--seconds", type=float, default=1.5, help="for each workload; default: 1.5"
    )
    parser.add_argument("--only", default="", help="workloads whose name holds this")
    parser.add_argument("--write", metavar="FILE", help="put the table into this page")
    return parser.parse_args()


def identity(runtime, options):
    """A call of a session of one Identity node on one element."""
    helper = runtime.onnx.helper
    ports = [helper.make_tensor_value_info(name, 1, [1]) for name in ("x", "y")]
    graph = helper.make_graph(
        [helper.make_node("Identity", ["x"], ["y"])], "identity", ports[:1], ports[1:]
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
    session = runtime.runtime.InferenceSession(
        model.SerializeToString(), options, ["CPUExecutionProvider"]
    )
    from against.workloads import buffer

    x, y = buffer([1], "float32"), buffer([1], "float32")
    binding = session.io_binding()
    binding.bind_input("x", "cpu", 0, x.dtype, x.shape, x.ctypes.data)
    binding.bind_output("y", "cpu", 0, y.dtype, y.shape, y.ctypes.data)
    return functools.partial(session.run_with_iobinding, binding), (x, y)


def measure(workload, threads, asked):
    """{name: microseconds} of one workload, or None where ONNX has no such padding."""
    from against import systems, workloads

    plugged, built_in = systems.OnnxRuntime(threads), systems.OnnxRuntime(threads)
    plugged.options.register_custom_ops_library(asked.plugin)
    alone = systems.Tensorpad(threads, asked.build)
    data = workloads.sample(workload)
    wanted = workloads.expected(workload, data)
    calls, kept = {}, []
    for name, system in (("plug-in", plugged), ("built-in", built_in), ("tensorpad", alone)):
        out = workloads.buffer(wanted.shape, wanted.dtype)
        out.fill(7)
        kept.append(out)
        try:
            calls[name], result = system.prepare(workload, data, out)
        except systems.Cannot:
            return None
        calls[name]()
        if not systems.np.array_equal(result(), wanted):
            sys.exit(f"ort_plugin: {workload.name}: {name} is wrong")
    calls["Identity"], memory = identity(plugged, plugged.options)
    kept.append(memory)
    gc.collect()
    gc.disable()
    repeats = REPEATS if wanted.nbytes < TINY else 1
    pair = [workloads.buffer(wanted.shape, wanted.dtype) for _ in range(2)]
    times, _ = rivals.measure(calls, systems.memcpy(*pair), asked.seconds, repeats)
    gc.enable()
    found = {name: statistics.median(each) * 1e6 for name, each in times.items()}
    return found | {"bytes": wanted.nbytes}


def bar(found):
    """What the plug-in may take."""
    return FACTOR * found["tensorpad"] + found["Identity"] + MORE_US


def cells(found, threads, name):
    names = ("plug-in", "built-in", "Identity", "tensorpad")
    return [
        name,
        str(threads),
        *(f"{found[each]:.1f}" for each in names),
        f"{found['plug-in'] / bar(found):.2f}",
        f"{found['built-in'] / found['plug-in']:.1f}",
    ]


def main():
    asked = arguments()
    asked.plugin = os.path.abspath(asked.plugin)
    rivals.keep_memory()
    import onnxruntime
    from against import workloads

    head = [
        "workload",
        "threads",
        "plug-in",
        "built-in",
        "Identity",
        "tensorpad",
        "of the bar",
        "built-in / plug-in",
    ]
    lines, ratios, over = [pages.row(head), "|---" + "|--:" * (len(head) - 1) + "|"], [], []
    print(lines[0])
    for workload in workloads.workloads(f"{asked.build}/tensorpad"):
        if asked.only not in workload.name:
            continue
        found = None
        for threads in (1, 2):
            if threads > 1 and found and found["bytes"] < LARGE:
                continue
            found = measure(workload, threads, asked)
            if found is None:
                break
            lines.append(pages.row(cells(found, threads, workload.name)))
            print(lines[-1], flush=True)
            if found["plug-in"] > bar(found):
                over.append(f"{workload.name} ({threads})")
            if threads == 1:
                ratios.append(found["built-in"] / found["plug-in"])
    if not ratios:
        sys.exit(f"ort_plugin: --only {asked.only}: no workload of ONNX has this in its name")
    lines += [
        "",
        f"Microseconds, medians; ONNX Runtime {onnxruntime.__version__}; {rivals.processor()}.",
        f"The bar is {FACTOR} x tensorpad + Identity + {MORE_US:g} us. The built-in Pad takes "
        f"{rivals.geometric_mean(ratios):.1f} times as long as the",
        f"plug-in in the geometric mean of the {len(ratios)} workloads on one thread.",
    ]
    print(" ".join(lines[-3:]), "Over the bar:", ", ".join(over) or "none")
    print(lines[-2], lines[-1], "Over the bar:", ", ".join(over) or "none")
    if asked.write:
        pages.write(asked.write, "times", lines)


if __name__ == "__main__":
    main()
