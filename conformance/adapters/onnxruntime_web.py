"""ONNX Runtime for the web: its WebAssembly backend in Node, on one thread.

SPDX-License-Identifier: MIT

glibc's MALLOC_PERTURB_ does not reach the memory of WebAssembly, which is zero at first: an answer
from uninitialised memory shows only where it differs from run to run.
"""

RUNTIME = "ONNX Runtime Web"
TARGETS = {"ort-web-1.30": ["onnxruntime-web@1.30.0"]}
INSTALL = [["npm", "install", "--silent", "--no-fund", "--no-audit", "--prefix", "{home}"]]
COMMAND = ["node", "{adapters}/onnxruntime_web.mjs", "{home}"]
