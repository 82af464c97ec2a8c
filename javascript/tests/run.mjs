/** Runs what is no program of the package:
 *
 *     node run.mjs texts TEXTS.json
 *         modules of the page's JavaScript: what each logs (the shape and the elements), or its error
 *     node run.mjs verdicts PLAYGROUND.WASM < PROBLEMS.json
 *         what the page says that runtimes do with problems in its words
 *     node run.mjs program PROGRAM SIMD KERNELS [ARGUMENT...]
 *         a C program that was compiled for WebAssembly. SIMD is simd.wasm, which the program gets as the
 *         engine of the package does, unless KERNELS is "plain"
 */

import { readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";

const readJson = (path) => JSON.parse(readFileSync(path, "utf8"));

function shown(one) {
    if (Object.is(one, -0)) return "-0.0";
    if (typeof one === "number" && Number.isFinite(one)) return one;
    return String(one).replace("Infinity", "inf").replace("NaN", "nan");
}

async function texts(path) {
    const write = console.log;
    const told = [];
    for (const [number, text] of readJson(path).entries()) {
        writeFileSync(`text-${number}.mjs`, text);
        let logged;
        console.log = (shape, data) => {
            logged = { shape, data: Array.from(data, shown) };
        };
        try {
            await import(`./text-${number}.mjs`);
        } catch (error) {
            logged = { error: error.message };
        }
        told.push(logged);
    }
    write(JSON.stringify(told));
}

async function verdicts(path) {
    const { createTensorpad } = await import("../src/tensorpad.js");
    const { readProblem } = await import("../playground/problem.js");
    const { createRuntimes } = await import("../playground/solve.js");
    const { instance } = await WebAssembly.instantiate(readFileSync(path), {});
    const runtimes = createRuntimes(instance, createTensorpad(instance));
    console.log(JSON.stringify(readJson(0).map(readProblem).map(runtimes)));
}

async function program(path, simd, kernels, ...words) {
    const { WASI } = await import("node:wasi");
    const wasi = new WASI({
        version: "preview1",
        args: [basename(path), ...words],
        env: { TENSORPAD_KERNELS: kernels },
    });
    const load = (path, imports) =>
        new WebAssembly.Instance(new WebAssembly.Module(readFileSync(path)), imports);
    const instance = load(path, { wasi_snapshot_preview1: wasi.wasiImport });
    const { memory, __indirect_function_table: table, use_tiles: useTiles } = instance.exports;
    if (kernels !== "plain") {
        const place = table.grow(1);
        table.set(place, load(simd, { env: { memory } }).exports.tpad_tiles_wasm);
        useTiles(place);
    }
    process.exitCode = wasi.start(instance);
}

const [name, ...words] = process.argv.slice(2);
await { texts, verdicts, program }[name](...words);
