/** The package in Node, Deno and Bun: reads the module beside this file.  SPDX-License-Identifier: MIT */

import { readFileSync } from "node:fs";
import { hasSimd, instantiate } from "./src/load.js";
import { createTensorpad } from "./src/tensorpad.js";

const url = new URL(hasSimd() ? "./simd.wasm" : "./plain.wasm", import.meta.url);

export const {
    pad, padShape, Plan, allocate, PadError, onnx, openvino, ngraph, mli, version, kernels,
} = createTensorpad(await instantiate(readFileSync(url)));
