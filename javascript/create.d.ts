/** For programs that load a module on their own: where fetch is not allowed, or from bytes of a bundle. */

/** What "tensorpad" exports, made for an instance of tensorpad/simd.wasm or tensorpad/plain.wasm. Each instance has
 * memory of its own. */
export function createTensorpad(instance: WebAssembly.Instance): typeof import("./index.js");
