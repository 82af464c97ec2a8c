#!/usr/bin/env python3
"""Prints weights.h: the weights of the net in keywords.c, and a sound for it, from a seed. The net has learned
nothing; its sizes and its arithmetic are those of a real one.  SPDX-License-Identifier: MIT
"""
import random

SEED = 20
# name, how many, type, smallest and largest
ARRAYS = [
    ("keywords_sound", 49 * 10, "int8_t", -128, 127),
    ("conv_weights", 16 * 10 * 4, "int8_t", -127, 127),
    ("conv_bias", 16, "int32_t", -2000, 2000),
    ("depthwise_weights", 3 * 3 * 16, "int8_t", -127, 127),
    ("depthwise_bias", 16, "int32_t", -2000, 2000),
    ("pointwise_weights", 16 * 16, "int8_t", -127, 127),
    ("pointwise_bias", 16, "int32_t", -2000, 2000),
    ("score_weights", 12 * 16, "int8_t", -127, 127),
    ("score_bias", 12, "int32_t", -2000, 2000),
]


def main():
    numbers = random.Random(SEED)
    print("/* Made by weights.py.  SPDX-License-Identifier: MIT */")
    for name, count, kind, least, most in ARRAYS:
        static = "" if name.startswith("keywords") else "static "
        print(f"{static}const {kind} {name}[{count}] = {{")
        line = "   "
        for number in [numbers.randint(least, most) for _ in range(count)]:
            if len(line) + len(f" {number},") > 100:
                print(line)
                line = "   "
            line += f" {number},"
        print(f"{line}\n}};")


main()
