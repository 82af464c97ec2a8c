/** Which of the two modules this JavaScript can run, and its instance.  SPDX-License-Identifier: MIT */

// (module (func (result v128) i32.const 0 i8x16.splat i32.const 0 i8x16.splat i8x16.swizzle))
const SIMD_PROBE = new Uint8Array([
    0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0,
    10, 14, 1, 12, 0, 65, 0, 253, 15, 65, 0, 253, 15, 253, 14, 11,
]);

/** True where WebAssembly has SIMD instructions. */
export function hasSimd() {
    return WebAssembly.validate(SIMD_PROBE);
}

/** An instance of a module, from its bytes. */
export async function instantiate(bytes) {
    return (await WebAssembly.instantiate(bytes)).instance;
}
