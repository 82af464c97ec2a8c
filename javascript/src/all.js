/** The interface, with the modules that the package holds. A bundler leaves this file out where only
 * `version` is imported.  SPDX-License-Identifier: MIT */

import { ENGINE, SIMD } from "./bytes.js";
import { hasSimd, instantiateNow, moduleOf } from "./load.js";
import { lazyTensorpad } from "./tensorpad.js";

export const { pad, padShape, Plan, allocate, PadError, onnx, openvino, ngraph, mli } =
    /*#__PURE__*/ lazyTensorpad(() =>
        instantiateNow(moduleOf(ENGINE), hasSimd() ? moduleOf(SIMD) : undefined),
    );
