/** The package in edge runtimes that take "edge-light", such as Next.js has; they compile
 * modules only before a program runs.
 * SPDX-License-Identifier: MIT */

import engine from "./engine.wasm?module";
import simd from "./simd.wasm?module";
import { hasSimd, instantiateNow, kernelsHere } from "./src/load.js";
import { lazyTensorpad } from "./src/tensorpad.js";

export { version } from "./src/version.js";

export const { pad, padShape, Plan, allocate, PadError, onnx, openvino, ngraph, mli } =
    /*#__PURE__*/ lazyTensorpad(() => instantiateNow(engine, hasSimd() ? simd : undefined));
export const kernels = /*#__PURE__*/ kernelsHere();
