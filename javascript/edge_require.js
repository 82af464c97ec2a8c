/** What `require` gets in edge runtimes: the classes of edge.js, and an error at the first call, because
 * a module that imports WebAssembly is loaded asynchronously there.  SPDX-License-Identifier: MIT */

import { kernelsHere } from "./src/load.js";
import { lazyTensorpad } from "./src/tensorpad.js";

export { version } from "./src/version.js";

const all = /*#__PURE__*/ lazyTensorpad(() => {
    throw new Error('require("tensorpad") has no engine in an edge runtime: import it');
});
export const { pad, padShape, padTo, unpad, padBatch, Plan, allocate, PadError } = all;
export const { onnx, openvino, ngraph, mli } = all;
export const kernels = /*#__PURE__*/ kernelsHere();
