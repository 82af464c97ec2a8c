/** The package for bundlers and browsers: it holds its WebAssembly modules, and the first call
 * compiles them.  SPDX-License-Identifier: MIT */

import { kernelsHere } from "./src/load.js";

export { pad, padShape, Plan, allocate, PadError, onnx, openvino, ngraph, mli } from "./src/all.js";
export { version } from "./src/version.js";
export const kernels = /*#__PURE__*/ kernelsHere();
