/** Prints what the package tells of itself. */

import { tensorpad } from "./package.mjs";

console.log(JSON.stringify({ version: tensorpad.version, kernels: tensorpad.kernels }));
