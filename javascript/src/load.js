/** An instance of the engine, with SIMD where this JavaScript has it.
 * SPDX-License-Identifier: MIT */

// (module (func (result v128) i32.const 0 i8x16.splat i32.const 0 i8x16.splat i8x16.swizzle))
const SIMD_PROBE = new Uint8Array([
    0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 14, 1, 12, 0, 65, 0, 253,
    15, 65, 0, 253, 15, 253, 14, 11,
]);

/** True where WebAssembly has SIMD instructions. */
export function hasSimd() {
    return WebAssembly.validate(SIMD_PROBE);
}

/** An instance of the engine, from the bytes of engine.wasm; with the bytes of simd.wasm, too, it
 * uses SIMD instructions. */
export async function instantiate(engineBytes, simdBytes) {
    const { instance } = await WebAssembly.instantiate(engineBytes);
    if (simdBytes !== undefined) {
        const env = { memory: instance.exports.memory };
        const side = await WebAssembly.instantiate(simdBytes, { env });
        const table = instance.exports.__indirect_function_table;
        const index = table.grow(1);
        table.set(index, side.instance.exports.tpad_tiles_wasm);
        instance.exports.use_tiles(index);
    }
    return instance;
}
