"""What a call of tensorpad.pad costs beside numpy.pad's.  SPDX-License-Identifier: MIT

    python bench/python_calls.py

Microseconds, the best of many turns; one thread. No figure is asserted anywhere.
"""
import timeit

import numpy
import tensorpad

CALLS = [
    ("a call: f32 (1,3,8,8), H,W 1", (1, 3, 8, 8), "f4", ((0, 0), (0, 0), (1, 1), (1, 1))),
    ("f32 (1,64,112,112), H,W 1", (1, 64, 112, 112), "f4", ((0, 0), (0, 0), (1, 1), (1, 1))),
    ("u8 (1,224,224,3), H,W 3", (1, 224, 224, 3), "u1", ((0, 0), (3, 3), (3, 3), (0, 0))),
    ("f16 (32,8,1000,128), axis 2 + 24", (32, 8, 1000, 128), "f2", ((0, 0), (0, 0), (0, 24), (0, 0))),
]


def best(call):
    timer = timeit.Timer(call)
    count = max(1, timer.autorange()[0] // 5)
    return min(timer.repeat(9, count)) / count * 1e6


def main():
    print(f"{'':34}{'':10}{'numpy':>10}{'tensorpad':>11}{'out=':>10}")
    for name, shape, dtype, widths in CALLS:
        array = numpy.ones(shape, dtype)
        out = tensorpad.pad(array, widths)
        for mode in ("constant", "reflect"):
            times = (best(lambda: numpy.pad(array, widths, mode)),
                     best(lambda: tensorpad.pad(array, widths, mode, threads=1)),
                     best(lambda: tensorpad.pad(array, widths, mode, out=out, threads=1)))
            print(f"{name:34}{mode:10}{times[0]:10.1f}{times[1]:11.1f}{times[2]:10.1f}")


if __name__ == "__main__":
    main()
