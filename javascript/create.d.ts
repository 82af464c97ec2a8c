/** For programs that load the modules on their own: where fetch is not allowed, or from bytes in
 * a bundle. */

/** True where WebAssembly has SIMD instructions. */
export function hasSimd(): boolean;

/** An instance of the engine, from the bytes of tensorpad/engine.wasm. With the bytes of
 * tensorpad/simd.wasm, too, it uses SIMD instructions; that needs `hasSimd`. */
export function instantiate(
    engine: BufferSource,
    simd?: BufferSource,
): Promise<WebAssembly.Instance>;

/** What "tensorpad" exports, made for an instance. Each instance has memory of its own, and
 * serves one call of createTensorpad. */
export function createTensorpad(instance: WebAssembly.Instance): typeof import("./index.js");
