/** For programs that load the modules themselves.  SPDX-License-Identifier: MIT */

export { hasSimd, instantiate } from "./src/load.js";
export { createTensorpad } from "./src/tensorpad.js";
