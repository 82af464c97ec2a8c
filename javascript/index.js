/** The package for bundlers and browsers.  SPDX-License-Identifier: MIT */

import { kernelsHere } from "./src/load.js";

export {
    pad,
    padShape,
    padTo,
    unpad,
    padBatch,
    Plan,
    allocate,
    PadError,
    onnx,
    openvino,
    ngraph,
    mli,
} from "./src/all.js";
export { version } from "./src/version.js";
export const kernels = /*#__PURE__*/ kernelsHere();
