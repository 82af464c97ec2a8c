/** tensorpad/create for `import` in Node, Deno and Bun.  SPDX-License-Identifier: MIT */

import create from "./common/create.js";

export const { hasSimd, instantiate, createTensorpad } = create;
