/** For programs that load the modules on their own.  SPDX-License-Identifier: MIT */

export { hasSimd, instantiate } from "./src/load.js";
export { createTensorpad } from "./src/tensorpad.js";
