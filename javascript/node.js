/** The package for `import` in Node, Deno and Bun: the same objects that `require` gives.
 * SPDX-License-Identifier: MIT */

import tensorpad from "./common/tensorpad.js";

export const { pad, padShape, Plan, allocate, PadError, onnx, openvino, ngraph, mli, version, kernels } =
    tensorpad;
