/** The package in browsers: fetches the modules beside this file.  SPDX-License-Identifier: MIT */

import { hasSimd, instantiate } from "./src/load.js";
import { createTensorpad } from "./src/tensorpad.js";

async function fetchBytes(url) {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`tensorpad: ${url}: status ${response.status}`);
    return response.arrayBuffer();
}

const [engineBytes, simdBytes] = await Promise.all([
    fetchBytes(new URL("./engine.wasm", import.meta.url)),
    hasSimd() ? fetchBytes(new URL("./simd.wasm", import.meta.url)) : undefined,
]);

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
} = createTensorpad(await instantiate(engineBytes, simdBytes));
