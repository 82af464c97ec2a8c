#!/usr/bin/env python3
"""Pads as people call them, each output a new array, beside NumPy, OpenCV and torch.

    python bench/new_outputs.py [--one-thread] [--write docs/performance.md]

Microseconds of a call: by the clock, with the threads that each library takes by default; with --one-thread
processor time. The unit of README's chart is `y.copy()` of an output, which is a new array, too. The calls
alternate in a new order each turn; all outputs of a turn are kept, and malloc gives memory of 128 KiB and more back to the system, so
that no library finds memory warm that another one left. No figure is asserted.  SPDX-License-Identifier: MIT
"""

import argparse
import ctypes
import random
import statistics
import time

import cv2
import numpy as np
import pages
import tensorpad
import torch

TURNS, TURN_SECONDS = 25, 0.002
BORDERS = {"constant": cv2.BORDER_CONSTANT, "edge": cv2.BORDER_REPLICATE}
BORDERS |= {"reflect": cv2.BORDER_REFLECT_101, "symmetric": cv2.BORDER_REFLECT}
TORCH_MODES = {"constant": "constant", "reflect": "reflect", "edge": "replicate"}
# Name, shape, type, cells on both sides of each axis (or pairs), mode
IMAGES = [
    ("icon", (64, 64, 3), "uint8", (4, 4, 0), "constant"),
    ("image", (224, 224, 3), "uint8", (3, 3, 0), "reflect"),
    ("camera image", (480, 640, 3), "uint8", (16, 16, 0), "edge"),
    ("full HD photograph", (1080, 1920, 3), "uint8", (16, 16, 0), "symmetric"),
    ("24-megapixel photograph", (4000, 6000, 3), "uint8", (16, 16, 0), "reflect"),
]
MAPS = [
    ("network input", (1, 3, 224, 224), "float32", (0, 0, 1, 1), "constant"),
    ("64 maps", (1, 64, 112, 112), "float32", (0, 0, 1, 1), "constant"),
    ("512 maps", (8, 64, 112, 112), "float32", (0, 0, 1, 1), "reflect"),
    ("128 maps", (1, 128, 512, 512), "float32", (0, 0, 1, 1), "constant"),
]
ARRAYS = [
    ("matrix", (1000, 1000), "float64", (1, 1), "edge"),
    ("30 s of sound", (480000,), "float32", (200,), "reflect"),
    ("ten million numbers", (10_000_000,), "float64", (1,), "constant"),
]


def calls(shape, dtype, cells, mode, threads):
    """{library: call}; the result of each call is a new array."""
    array = np.ones(shape, dtype)
    widths = [(count, count) for count in cells]
    padded = np.pad(array, widths, mode)
    found = {
        "copy": padded.copy,
        "tensorpad": lambda: tensorpad.pad(array, widths, mode, threads=threads),
        "NumPy": lambda: np.pad(array, widths, mode),
    }
    if len(shape) in (2, 3):
        frame = cells[0], cells[0], cells[1], cells[1], BORDERS[mode]
        found["OpenCV"] = lambda: cv2.copyMakeBorder(array, *frame)
    if len(shape) == 4:
        tensor, pad = torch.from_numpy(array), [cells[3]] * 2 + [cells[2]] * 2
        found["torch"] = lambda: torch.nn.functional.pad(tensor, pad, TORCH_MODES[mode])
    for name, call in found.items():
        assert np.array_equal(np.asarray(call()), padded), name
    return found


def turn(call, count, clock):
    """Seconds of one of `count` calls. Freeing the outputs is not timed."""
    kept = []
    start = clock()
    for _ in range(count):
        kept.append(call())
    return (clock() - start) / count


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--one-thread", action="store_true", help="processor time of one thread")
    parser.add_argument("--write", metavar="PAGE", help="put the table into this page")
    options = parser.parse_args()
    ctypes.CDLL(None).mallopt(-3, 128 << 10)  # M_MMAP_THRESHOLD, which is then fixed
    clock = time.thread_time if options.one_thread else time.perf_counter
    if options.one_thread:
        torch.set_num_threads(1)
        cv2.setNumThreads(1)
    rows = {}
    for name, shape, dtype, cells, mode in IMAGES + MAPS + ARRAYS:
        title = f"{name}, {dtype} [{','.join(map(str, shape))}] by {max(cells)}, {mode}"
        rows[title] = calls(shape, dtype, cells, mode, 1 if options.one_thread else None)
    times = {(title, name): [] for title, calls in rows.items() for name in calls}
    for _ in range(TURNS):
        for (title, name), found in random.sample(list(times.items()), len(times)):
            call = rows[title][name]
            found.append(turn(call, max(2, int(TURN_SECONDS / turn(call, 2, clock))), clock))
    columns = ["copy", "tensorpad", "NumPy", "OpenCV", "torch"]
    lines = [pages.row(["array", *columns]), "|---" * 6 + "|"]
    for title in rows:
        found = [times.get((title, name)) for name in columns]
        medians = [statistics.median(each) * 1e6 if each else 0 for each in found]
        figures = [f"{each:.{1 if each < 100 else 0}f}" if each else "-" for each in medians]
        lines.append(pages.row([title, *figures]))
    print(*lines, sep="\n")
    if options.write:
        pages.write(options.write, "new outputs", lines)


main()
