/** The interface, from the script that holds the engine. A page without a bundler runs that file as a
 * module, and bundlers take it as CommonJS; either way it leaves the interface at a symbol, because
 * `import` gives the exports of a script under another name in each bundler. A bundler leaves both files
 * out where only `version` is imported.  SPDX-License-Identifier: MIT */

import "../common/tensorpad.js";
import { version } from "./version.js";

const all = globalThis[Symbol.for(`tensorpad ${version}`)];
export const { pad, padShape, padTo, unpad, padBatch, Plan, allocate, PadError } = all;
export const { onnx, openvino, ngraph, mli } = all;
