#!/usr/bin/env python3
"""Measures how long `import tensorpad` takes where NumPy is imported already: the median of 20
processes, in time of the processor, so that other programs do not count. Status 1 above the limit.
SPDX-License-Identifier: MIT"""
import statistics
import subprocess
import sys

LIMIT_MS = 15
PROCESSES = 20
CODE = """
import time, numpy
began = time.process_time()
import tensorpad
print(time.process_time() - began)
"""


def took_ms() -> float:
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    return 1e3 * float(done.stdout)


took_ms()
median = statistics.median(took_ms() for _ in range(PROCESSES))
print(f"import tensorpad: {median:.1f} ms beyond NumPy's, at most {LIMIT_MS}")
sys.exit(median > LIMIT_MS)
