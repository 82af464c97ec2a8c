/** The package as the tests use it, and programs that print what they found as JSON:
 *
 *     node run.mjs entries | text | leaks | kit CASES.json | models PATHS TARGET...
 *     node run.mjs texts TEXTS.json
 *         modules of the page's JavaScript: what each logs (the shape and the elements), or its error
 *     node run.mjs verdicts PLAYGROUND.WASM < PROBLEMS.json
 *         what the page says that runtimes do with problems in its words
 *     node run.mjs program PROGRAM SIMD KERNELS [ARGUMENT...]
 *         prints what a C program prints that was compiled for WebAssembly. SIMD is simd.wasm, which the
 *         program gets as the engine of the package does, unless KERNELS is "plain"
 */

import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename } from "node:path";

const require = createRequire(import.meta.url);
const readJson = (path) => JSON.parse(readFileSync(path, "utf8"));

/** An instance of the engine without SIMD. */
export async function freshInstance() {
    const { instantiate } = await import("tensorpad/create");
    return instantiate(readFileSync(require.resolve("tensorpad/engine.wasm")));
}

/** The package as TENSORPAD_KERNELS asks for it: as users get it, or, with "plain", without SIMD. */
export async function load() {
    if (process.env.TENSORPAD_KERNELS !== "plain") return import("tensorpad");
    const { createTensorpad } = await import("tensorpad/create");
    return createTensorpad(await freshInstance());
}

function outcome(call) {
    try {
        return call();
    } catch (error) {
        return `${error}`;
    }
}

// ---- The ways into the package -----------------------------------------------------------------

/** What they have in common, and that the first call opens the engine, not the import. */
async function entries() {
    const { Module } = WebAssembly;
    WebAssembly.Module = class {
        constructor() {
            throw new WebAssembly.CompileError("a policy forbids it");
        }
    };
    const imported = await import("tensorpad");
    const create = await import("tensorpad/create");
    const calls = [
        () => imported.pad(new Int8Array(1), [1], { padWidth: 1 }).data.length,
        () => imported.padShape([1], { padWidth: 1 })[0],
        () => imported.allocate(Int8Array, 3).data.length,
        () => new imported.Plan(Int8Array, [1], { padWidth: 1 }).outShape[0],
        () => imported.onnx.padShape(Int8Array, [1], { pads: [1, 1] })[0],
    ];
    const first = calls.map(outcome);
    WebAssembly.Module = Module;
    const again = calls.map(outcome);
    // The names of a module, without those that Node gives every script.
    const own = (name) => !["default", "module.exports"].includes(name);
    const namesOf = (module) => Object.keys(module).filter(own).sort();
    const required = require("tensorpad");
    const requiredCreate = require("tensorpad/create");
    const same =
        namesOf(imported).every((name) => imported[name] === required[name]) &&
        namesOf(create).every((name) => create[name] === requiredCreate[name]);
    const modules = ["engine", "simd"].map((name) => require.resolve(`tensorpad/${name}.wasm`));
    const instance = await create.instantiate(...modules.map((path) => readFileSync(path)));
    const all = [
        create.createTensorpad(instance),
        await import(new URL("../index.js", import.meta.resolve("tensorpad"))),
        imported,
    ];
    const names = all.map((one) => namesOf(one).join());
    return { first, again, same, names, kernels: all.map((one) => one.kernels) };
}

// ---- Texts -------------------------------------------------------------------------------------

/** The package's own UTF-8 against TextEncoder and TextDecoder, for every character. */
async function text() {
    const engine = new URL("./node_modules/tensorpad/src/engine.js", import.meta.url);
    const { decodeText, encodeText } = await import(engine);
    const encoder = new TextEncoder();
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    const wrong = [];
    let done = 0;
    for (let code = 0; code < 0x110000; code++) {
        const text = `${String.fromCodePoint(code)}a`; // halves of surrogate pairs, too
        const bytes = encoder.encode(text);
        const cut = bytes.subarray(0, Math.max(1, bytes.length - 2));
        const same =
            encodeText(text).join() === bytes.join() &&
            decodeText(bytes) === decoder.decode(bytes) &&
            decodeText(cut) === decoder.decode(cut);
        if (!same && wrong.length < 9) wrong.push(text);
        done++;
    }
    return { done, wrong };
}

// ---- Memory ------------------------------------------------------------------------------------

/** A million calls: the engine's memory stays as it is, and the process does not grow. */
async function leaks() {
    const t = await load();
    const array = t.allocate(Float32Array, 6);
    const out = t.allocate(Float32Array, 20);
    const data = new Float32Array([1, 2, 3, 4, 5, 6]);
    const into = new Float32Array(20);
    const options = { padWidth: 1, mode: "reflect", out: into };
    const plan = new t.Plan(Float32Array, [2, 3], { padWidth: 1 });
    const packed = new Uint8Array(300_000);
    const forbidden = { pads: [1, 1], mode: "wrap", opset: 18 };
    function round(count) {
        for (let n = 0; n < count; n++) {
            t.pad(data, [2, 3], options);
            t.pad(data, [2, 3], { padWidth: 1 });
            plan.run(data, into);
            plan.run(data);
            plan.run(array.data, out.data);
            if (n % 5000 === 0) t.pad(packed, [600_000], { padWidth: 1, type: "int4" });
            if (n % 20 !== 0) continue;
            new t.Plan(Int16Array, [n % 7, 3], { padWidth: 1 });
            t.allocate(Uint8Array, n % 1000).free();
            const said = outcome(() => t.onnx.pad(data, [2, 3], forbidden));
            if (!/^PadError: mode: /.test(said)) throw new Error(said);
        }
        globalThis.gc();
        return process.memoryUsage().rss / 2 ** 20;
    }
    round(20_000);
    const { buffer } = array.data;
    const before = round(0);
    const after = round(200_000);
    const large = t.pad(new Float32Array(25e6), [5000, 5000], { padWidth: 1, mode: "edge" });
    const now = array.data.buffer;
    const same = now === buffer;
    return { before, after, memory: now.byteLength, same, large: large.data.length };
}

// ---- The kit -----------------------------------------------------------------------------------

/** An array of these bytes, which do not begin where its buffer does. */
function arrayOf(name, hex) {
    const bytes = new Uint8Array(8 + hex.length / 2);
    bytes.set(Buffer.from(hex, "hex"), 8);
    return new globalThis[name](bytes.buffer, 8);
}

const hexOf = ({ buffer, byteOffset, byteLength }) =>
    Buffer.from(buffer, byteOffset, byteLength).toString("hex");

/** Runs cases of the kit by pad, by a plan and into out, and asks padShape. path: of a list of {name,
 * module, array, type, shape, hex, options, value, out, outShape}; value: [option, class of an array, hex],
 * or null. out null: each way has to be refused, with one sentence. */
async function kit(path) {
    const tensorpad = await load();
    const plain = { ...tensorpad, plan: (...words) => new tensorpad.Plan(...words) };
    plain.padShape = (type, shape, { constantValue, ...others }) =>
        tensorpad.padShape(shape, others);
    const wrong = [];
    const cases = readJson(path);
    for (const one of cases) {
        const { module, array, shape, hex, options, value } = one;
        const functions = module === "plain" ? plain : tensorpad[module];
        if (value !== null) options[value[0]] = arrayOf(value[1], value[2]);
        const data = arrayOf(array, hex);
        const type = one.type ?? globalThis[array];
        const typed = one.type === null ? options : { ...options, type };
        const pad = functions.padding2d ?? functions.pad;
        const out = arrayOf(array, "5a".repeat((one.out ?? hex).length / 2));
        const told = [
            outcome(() => {
                const made = pad(data, shape, typed);
                return `${hexOf(made.data)} ${made.shape}`;
            }),
            outcome(() => {
                const plan = functions.plan(type, shape, options);
                return `${hexOf(plan.run(data))} ${plan.outShape}`;
            }),
            outcome(() => `${hexOf(pad(data, shape, { ...typed, out }).data)} ${one.outShape}`),
        ];
        const shapeTold = outcome(() => functions.padShape(type, shape, options).join());
        const wanted = one.out === null ? told[0] : `${one.out} ${one.outShape}`;
        const isRefused = one.out !== null || /^(Pad|Type|Range)Error: ./.test(wanted);
        const hasShape = shapeTold === (one.out === null ? wanted : `${one.outShape}`);
        const kept = one.out !== null || /^(5a)*$/.test(hexOf(out));
        if (!isRefused || !told.every((text) => text === wanted) || !hasShape || !kept)
            wrong.push([one.name, ...told, shapeTold, wanted].map((text) => text.slice(0, 300)));
        if (hexOf(data) !== hex) wrong.push([one.name, "the input was changed"]);
    }
    return { kernels: tensorpad.kernels, done: cases.length, wrong };
}

// ---- tensorpad/check ---------------------------------------------------------------------------

/** What check and lower say of each of the files: [text of the JSON, bytes as hex or the error]. */
async function models(paths, ...targets) {
    delete globalThis.crypto; // Node 18 has none
    const { check, lower } = await import("tensorpad/check");
    const told = [];
    for (const path of readFileSync(paths, "utf8").split("\n")) {
        const model = readFileSync(path);
        const report = await check(model).then(JSON.stringify, String);
        const lowered = await lower(model, { targets }).then((made) => hexOf(made.model), String);
        told.push([report, lowered]);
    }
    const usage = await check(new Uint8Array(0), { targets: "ort-0" }).catch((error) => error);
    told.push([usage.code, await check("model.onnx").catch(String)]);
    return told;
}

// ---- Other programs ------------------------------------------------------------------------------

function shown(one) {
    if (Object.is(one, -0)) return "-0.0";
    if (typeof one === "number" && Number.isFinite(one)) return one;
    return String(one).replace("Infinity", "inf").replace("NaN", "nan");
}

async function texts(path) {
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
    return told;
}

async function verdicts(path) {
    const { createTensorpad } = await import("../src/tensorpad.js");
    const { readProblem } = await import("../playground/problem.js");
    const { createRuntimes } = await import("../playground/solve.js");
    const { instance } = await WebAssembly.instantiate(readFileSync(path), {});
    const runtimes = createRuntimes(instance, createTensorpad(instance));
    return readJson(0).map(readProblem).map(runtimes);
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

const PROGRAMS = { entries, text, leaks, kit, models, texts, verdicts, program };
const [, file, name, ...words] = process.argv;
if (basename(file) === "run.mjs") {
    const { log } = console; // `texts` puts another one in its place
    const told = await PROGRAMS[name](...words);
    if (told !== undefined) log(JSON.stringify(told));
}
