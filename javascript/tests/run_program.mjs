// Runs a C program that was compiled for WebAssembly, in Node.
// Usage: run_program.mjs PROGRAM SIMD KERNELS [ARGUMENT...]
// SIMD is simd.wasm. The program gets it as the engine of the package does, unless KERNELS is "plain".
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { WASI } from "node:wasi";

const [program, simd, kernels, ...words] = process.argv.slice(2);
const wasi = new WASI({
    version: "preview1",
    args: [basename(program), ...words],
    env: { TENSORPAD_KERNELS: kernels },
});
const load = (path, imports) =>
    new WebAssembly.Instance(new WebAssembly.Module(readFileSync(path)), imports);
const instance = load(program, { wasi_snapshot_preview1: wasi.wasiImport });
const { memory, __indirect_function_table: table, use_tiles: useTiles } = instance.exports;
if (kernels !== "plain") {
    const place = table.grow(1);
    table.set(place, load(simd, { env: { memory } }).exports.tpad_tiles_wasm);
    useTiles(place);
}
process.exitCode = wasi.start(instance);
