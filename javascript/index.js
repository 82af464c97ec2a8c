/** The package for bundlers and browsers.  SPDX-License-Identifier: MIT */

import { kernelsHere } from "./src/load.js";

export * from "./src/all.js";
export { version } from "./src/version.js";
export const kernels = /*#__PURE__*/ kernelsHere();
