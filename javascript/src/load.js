/** Instances of the engine, with SIMD where this JavaScript has it.  SPDX-License-Identifier: MIT */

// (module (func (result v128) i32.const 0 i8x16.splat i32.const 0 i8x16.splat i8x16.swizzle))
const SIMD_PROBE = [
    0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 14, 1, 12, 0, 65, 0, 253,
    15, 65, 0, 253, 15, 253, 14, 11,
];

/** True where WebAssembly has SIMD instructions; false where there is no WebAssembly, too. */
export function hasSimd() {
    return typeof WebAssembly === "object" && WebAssembly.validate(new Uint8Array(SIMD_PROBE));
}

/** The name of the kernels that the engine uses where `instantiateNow` gets both modules. */
export function kernelsHere() {
    return hasSimd() ? "wasm" : "plain";
}

/** Gives the engine the function of simd.wasm. */
function join(instance, side) {
    const table = instance.exports.__indirect_function_table;
    const index = table.grow(1);
    table.set(index, side.exports.tpad_tiles_wasm);
    instance.exports.use_tiles(index);
}

const importsOf = (instance) => ({ env: { memory: instance.exports.memory } });

async function instanceOf(source, imports) {
    const made = await WebAssembly.instantiate(source, imports);
    return source instanceof WebAssembly.Module ? made : made.instance;
}

/** An instance of the engine, from the bytes of engine.wasm or its module; with simd.wasm, too, it
 * uses SIMD instructions. */
export async function instantiate(engine, simd) {
    const instance = await instanceOf(engine);
    if (simd !== undefined) join(instance, await instanceOf(simd, importsOf(instance)));
    return instance;
}

/** The same from modules, at once. */
export function instantiateNow(engine, simd) {
    const instance = new WebAssembly.Instance(engine);
    if (simd !== undefined) join(instance, new WebAssembly.Instance(simd, importsOf(instance)));
    return instance;
}

/** A module from its bytes as text, which scripts/javascript/npm.py wrote: a space adds 91 to the byte
 * of the next character, and an exclamation mark 182. */
export function moduleOf(text) {
    const bytes = new Uint8Array(text.length);
    let length = 0;
    let more = 0;
    for (let i = 0; i < text.length; i++) {
        const code = text.charCodeAt(i);
        if (code < 34) {
            more = 91 * (code - 31);
            continue;
        }
        bytes[length++] = (code === 126 ? 92 : code) - 35 + more;
        more = 0;
    }
    return new WebAssembly.Module(bytes.subarray(0, length));
}
