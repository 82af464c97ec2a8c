/** For programs that load the WebAssembly modules themselves: asynchronously, as the main thread of
 * Chromium before 115 needs it, or from elsewhere. */

/** True where WebAssembly has SIMD instructions. */
export function hasSimd(): boolean;

/** An instance of the engine, from the bytes of tensorpad/engine.wasm or the module of them. With
 * tensorpad/simd.wasm, too, it uses SIMD instructions; that needs `hasSimd`. */
export function instantiate(
    engine: BufferSource | WebAssembly.Module,
    simd?: BufferSource | WebAssembly.Module,
): Promise<WebAssembly.Instance>;

/** What "tensorpad" exports, made for an instance. Each instance has memory of its own, and
 * serves one call of createTensorpad. */
export function createTensorpad(instance: WebAssembly.Instance): typeof import("./index.js");
