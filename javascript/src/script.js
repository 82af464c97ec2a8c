/** The package as the script that holds the WebAssembly modules (scripts/javascript/npm.py): the first
 * call compiles them.  SPDX-License-Identifier: MIT */

import { ENGINE, SIMD } from "./bytes.js";
import { hasSimd, instantiateNow, kernelsHere, moduleOf } from "./load.js";
import { lazyTensorpad } from "./tensorpad.js";

export { version } from "./version.js";

const all = lazyTensorpad(() =>
    instantiateNow(moduleOf(ENGINE), hasSimd() ? moduleOf(SIMD) : undefined),
);
export const { pad, padShape, padTo, unpad, padBatch, Plan, allocate, PadError } = all;
export const { onnx, openvino, ngraph, mli } = all;
export const kernels = kernelsHere();
