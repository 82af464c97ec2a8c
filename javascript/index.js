/** The package for bundlers and browsers: it holds its WebAssembly modules, and the first call
 * compiles them.  SPDX-License-Identifier: MIT */

import { ENGINE, SIMD } from "./src/bytes.js";
import { hasSimd, instantiateNow, kernelsHere, moduleOf } from "./src/load.js";
import { lazyTensorpad } from "./src/tensorpad.js";

export { version } from "./src/version.js";

export const { pad, padShape, Plan, allocate, PadError, onnx, openvino, ngraph, mli } =
    /*#__PURE__*/ lazyTensorpad(() =>
        instantiateNow(moduleOf(ENGINE), hasSimd() ? moduleOf(SIMD) : undefined),
    );
export const kernels = /*#__PURE__*/ kernelsHere();
