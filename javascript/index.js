/** The package in browsers: fetches the module beside this file.  SPDX-License-Identifier: MIT */

import { hasSimd, instantiate } from "./src/load.js";
import { createTensorpad } from "./src/tensorpad.js";

async function fetchBytes(url) {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`tensorpad: ${url}: status ${response.status}`);
    return response.arrayBuffer();
}

const url = hasSimd()
    ? new URL("./simd.wasm", import.meta.url) : new URL("./plain.wasm", import.meta.url);

export const {
    pad, padShape, Plan, allocate, PadError, onnx, openvino, ngraph, mli, version, kernels,
} = createTensorpad(await instantiate(await fetchBytes(url)));
