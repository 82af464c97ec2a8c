/** The package in Node, Deno and Bun: reads the modules beside this file.
 * SPDX-License-Identifier: MIT */

import { readFileSync } from "node:fs";
import { hasSimd, instantiate } from "./src/load.js";
import { createTensorpad } from "./src/tensorpad.js";

function readBytes(name) {
    return readFileSync(new URL(name, import.meta.url));
}

export const {
    pad,
    padShape,
    Plan,
    allocate,
    PadError,
    onnx,
    openvino,
    ngraph,
    mli,
    version,
    kernels,
} = createTensorpad(
    await instantiate(readBytes("./engine.wasm"), hasSimd() ? readBytes("./simd.wasm") : undefined),
);
