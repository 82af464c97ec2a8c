/** The package in Cloudflare's workerd, which compiles modules only before a program runs. edge.js is
 * the same for edge runtimes that take "edge-light", such as Next.js has (scripts/javascript/npm.py).
 * SPDX-License-Identifier: MIT */

import engine from "./engine.wasm";
import simd from "./simd.wasm";
import { hasSimd, instantiateNow, kernelsHere } from "./src/load.js";
import { lazyTensorpad } from "./src/tensorpad.js";

export { version } from "./src/version.js";

const all = /*#__PURE__*/ lazyTensorpad(() => instantiateNow(engine, hasSimd() ? simd : undefined));
export const { pad, padShape, padTo, unpad, padBatch, Plan, allocate, PadError } = all;
export const { onnx, openvino, ngraph, mli } = all;
export const kernels = /*#__PURE__*/ kernelsHere();
