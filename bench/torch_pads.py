#!/usr/bin/env python3
"""tensorpad.torch.functional.pad beside torch.nn.functional.pad: forward, and backward through autograd.

SPDX-License-Identifier: MIT

Owns the table of docs/torch.md. How it is timed is in rivals.py: all calls in turns, a copy of the output's
bytes between them, medians.
"""

import argparse
import gc
import importlib.metadata
import os
import statistics
import sys
import textwrap

import pages
import rivals

# Shape, cells on each side of its last axes, type, whether the channels come last.
SHAPES = [
    ((3, 3, 5, 5), (1, 1), "float32", False),
    ((64, 3, 32, 32), (4, 4), "float32", False),
    ((8, 64, 56, 56), (1, 1), "float32", False),
    ((4, 256, 14, 14), (1, 1), "float32", False),
    ((8, 512, 7, 7), (1, 1), "float32", False),
    ((2, 3, 512, 512), (16, 16), "float32", False),
    ((2, 3, 512, 512), (16, 16), "float32", True),
    ((1, 3, 1080, 1920), (16, 16), "float32", False),
    ((32, 1, 16000), (200,), "float32", False),
    ((1, 1, 64, 64, 64), (2, 2, 2), "float32", False),
    ((16, 3, 224, 224), (3, 3), "uint8", True),
]
MODES = ["constant", "reflect", "replicate", "circular"]
# Of conv - pad - conv under torch.compile: shape of the input.
COMPILED = (8, 16, 56, 56)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="rows whose name holds this")
    parser.add_argument("--seconds", type=float, default=2, help="for each row; default: 2")
    parser.add_argument("--write", metavar="FILE", help="put the table into this page")
    return parser.parse_args()


def backward(torch, pad, x, words, grad):
    made = pad(x, *words)
    return lambda: torch.autograd.grad(made, x, grad, retain_graph=True)[0]


def calls_of(torch, functions, shape, widths, dtype, last, mode):
    """({name: call}, the bytes of the result)"""
    x = torch.randint(0, 99, shape).to(getattr(torch, dtype))
    if last:
        x = x.to(memory_format=torch.channels_last)
    words = [one for one in reversed(widths) for _ in range(2)], mode
    made = functions["F.pad"](x, *words)
    calls = {name: lambda pad=pad: pad(x, *words) for name, pad in functions.items()}
    if x.is_floating_point():
        x.requires_grad_()
        grad = torch.randint(0, 99, made.shape).to(x.dtype)
        calls |= {
            f"{name} backward": backward(torch, pad, x, words, grad)
            for name, pad in functions.items()
        }
        calls |= {
            name: lambda pad=pad, x=x.detach(): pad(x, *words) for name, pad in functions.items()
        }
    return calls, made.nbytes


def ratio(times, slower, faster):
    if slower not in times:
        return ""
    return rivals.short(statistics.median(a / b for a, b in zip(times[slower], times[faster])))


def run(torch, functions, what, seconds):
    """Cells of a row: the copy in us, both in copies, F.pad / tensorpad, the same of backward."""
    import numpy
    from against.systems import memcpy

    calls, count = calls_of(torch, functions, *what)
    for kind in ("", " backward"):
        if "F.pad" + kind in calls and not torch.equal(
            calls["F.pad" + kind](), calls["tensorpad" + kind]()
        ):
            sys.exit(f"torch_pads: {what}{kind}: torch and tensorpad differ")
    copies = [numpy.ones(count, "u1") for _ in range(2)]
    gc.collect()
    gc.disable()
    times, copying = rivals.measure(calls, memcpy(*copies), seconds, 1)
    gc.enable()
    found = [rivals.figures(times[name], copying)["ratio"] for name in functions]
    return [
        f"{statistics.median(copying) * 1e6:,.1f}",
        *map(rivals.short, found),
        ratio(times, "F.pad", "tensorpad"),
        ratio(times, "F.pad backward", "tensorpad backward"),
    ]


def net(torch, pad):
    """conv - pad - conv, compiled: forward and backward."""
    first, last = (torch.nn.Conv2d(16, 16, 3) for _ in range(2))
    compiled = torch.compile(
        lambda x: last(pad(torch.relu(first(x)))).sum(), fullgraph=True, dynamic=False
    )
    x = torch.rand(COMPILED)
    return lambda: compiled(x).backward()


def run_compiled(torch, tensorpad, mode, seconds):
    """Cells: ms with F.pad, with tensorpad, and with its operator."""
    import numpy
    from against.systems import memcpy

    amounts, word = (1, 1, 1, 1), {"replicate": "edge", "circular": "wrap"}.get(mode, mode)
    lists = [[0, 0, 1, 1], [0, 0, 1, 1], [0] * 4, [tensorpad._core.modes[word]] * 4, [0] * 4]
    calls = {
        "F.pad": lambda x: torch.nn.functional.pad(x, amounts, mode),
        "tensorpad": lambda x: tensorpad.torch.functional.pad(x, amounts, mode),
        "operator": lambda x: torch.ops.tensorpad.pad(x, *lists, 0),
    }
    torch._dynamo.reset()
    nets = {}
    for name, pad in calls.items():
        try:
            nets[name] = net(torch, pad)
            nets[name]()
        except Exception as error:  # torch compiles some pads into programs that it then refuses
            print(f"torch_pads: {mode}, {name}: {str(error).splitlines()[0]}", file=sys.stderr)
            del nets[name]
    copies = [numpy.ones(1 << 20, "u1") for _ in range(2)]
    times, _ = rivals.measure(nets, memcpy(*copies), seconds, 1)
    return [
        f"{statistics.median(times[name]) * 1e3:.1f}" if name in times else "fails"
        for name in calls
    ]


def main():
    options = arguments()
    rivals.keep_memory()
    rivals.confine(1)
    try:
        import tensorpad.torch
        import torch
    except ImportError as error:
        sys.exit(f"torch_pads: {error}: run `make bench-torch`, which installs what is needed")
    torch.set_num_threads(1)
    functions = {"F.pad": torch.nn.functional.pad, "tensorpad": tensorpad.torch.functional.pad}
    about = (
        f"{rivals.processor()}, 1 of {os.cpu_count()} processors, one thread each; tensorpad "
        f"{tensorpad.__version__}, torch {importlib.metadata.version('torch')}"
    )
    lines = [
        "| pad | memcpy us | F.pad | tensorpad | forward | backward |",
        "|---|---|---|---|---|---|",
    ]
    print("\n".join([about, *lines]))
    for shape, widths, dtype, last in SHAPES:
        for mode in MODES:
            name = f"{dtype} {list(shape)}{' channels last' if last else ''}, {mode} by {widths[0]}"
            if options.only in name:
                what = shape, widths, dtype, last, mode
                lines.append(pages.row([name, *run(torch, functions, what, options.seconds)]))
                print(lines[-1], flush=True)
    lines += [
        "",
        f"| compiled conv - pad - conv, {list(COMPILED)} | F.pad ms | tensorpad ms | operator ms |",
        "|---|---|---|---|",
    ]
    for mode in MODES:
        if options.only in f"compiled {mode}":
            lines.append(
                pages.row([mode, *run_compiled(torch, tensorpad, mode, options.seconds * 3)])
            )
            print(lines[-1], flush=True)
    lines += ["", *textwrap.wrap(f"{about}.", 109)]
    if options.write:
        try:
            pages.write(options.write, "torch", lines)
        except ValueError as error:
            sys.exit(f"torch_pads: {error}")


if __name__ == "__main__":
    main()
