/** What the ways into the package have in common, and that the first call opens the engine, not the import.
 * Prints {first, again, same, names, kernels}. */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

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
const outcome = (call) => {
    try {
        return call();
    } catch (error) {
        return String(error);
    }
};
const first = calls.map(outcome);
WebAssembly.Module = Module;
const again = calls.map(outcome);

/** The names of a module, without those that Node gives every script. */
function namesOf(module) {
    const names = Object.keys(module).filter(
        (name) => !["default", "module.exports"].includes(name),
    );
    return names.sort();
}

const require = createRequire(import.meta.url);
const required = require("tensorpad");
const requiredCreate = require("tensorpad/create");
const same =
    namesOf(imported).every((name) => imported[name] === required[name]) &&
    namesOf(create).every((name) => create[name] === requiredCreate[name]);

const instance = await create.instantiate(
    ...["engine", "simd"].map((name) => readFileSync(require.resolve(`tensorpad/${name}.wasm`))),
);
const own = create.createTensorpad(instance);
const modules = await import(new URL("../index.js", import.meta.resolve("tensorpad")));
console.log(
    JSON.stringify({
        first,
        again,
        same,
        names: [own, modules, imported].map((one) => namesOf(one).join()),
        kernels: [own.kernels, modules.kernels, imported.kernels],
    }),
);
