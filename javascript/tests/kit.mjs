/** Runs cases of the kit through the package, by pad, by a plan and into out, and asks padShape.
 *
 * Usage: node kit.mjs CASES.json, a list of {name, module, array, type, shape, hex, options, value,
 * out, outShape}; value: [option, class of an array, hex], or null. out null: each way has to be
 * refused, with one sentence. Prints {kernels, done, wrong}. */

import { readFileSync } from "node:fs";
import { tensorpad } from "./package.mjs";

const plain = { ...tensorpad, plan: (...words) => new tensorpad.Plan(...words) };
plain.padShape = (type, shape, options) => {
    const { constantValue, ...others } = options;
    return tensorpad.padShape(shape, others);
};

/** An array of these bytes, which do not begin where its buffer does. */
function arrayOf(name, hex) {
    const Array = globalThis[name];
    const bytes = new Uint8Array(8 + hex.length / 2);
    bytes.set(Buffer.from(hex, "hex"), 8);
    return new Array(bytes.buffer, 8);
}

const hexOf = ({ buffer, byteOffset, byteLength }) =>
    Buffer.from(buffer, byteOffset, byteLength).toString("hex");

function outcome(run) {
    try {
        return run();
    } catch (error) {
        return `${error}`;
    }
}

const wrong = [];
const cases = JSON.parse(readFileSync(process.argv[2], "utf8"));
for (const one of cases) {
    const { module, array, shape, hex, options, value } = one;
    const functions = module === "plain" ? plain : tensorpad[module];
    if (value !== null) options[value[0]] = arrayOf(value[1], value[2]);
    const data = arrayOf(array, hex);
    const type = one.type ?? globalThis[array];
    const typed = one.type === null ? options : { ...options, type };
    const pad = functions.padding2d ?? functions.pad;
    const told = [
        outcome(() => {
            const made = pad(data, shape, typed);
            return `${hexOf(made.data)} ${made.shape}`;
        }),
        outcome(() => {
            const plan = functions.plan(type, shape, options);
            return `${hexOf(plan.run(data))} ${plan.outShape}`;
        }),
    ];
    const out = arrayOf(array, "5a".repeat((one.out ?? hex).length / 2));
    told.push(outcome(() => `${hexOf(pad(data, shape, { ...typed, out }).data)} ${one.outShape}`));
    const shapeTold = outcome(() => functions.padShape(type, shape, options).join());
    const wanted = one.out === null ? told[0] : `${one.out} ${one.outShape}`;
    const isRefused = one.out !== null || /^(Pad|Type|Range)Error: ./.test(wanted);
    const hasShape = shapeTold === (one.out === null ? wanted : `${one.outShape}`);
    const kept = one.out !== null || /^(5a)*$/.test(hexOf(out));
    if (!isRefused || !told.every((text) => text === wanted) || !hasShape || !kept)
        wrong.push([one.name, ...told, shapeTold, wanted].map((text) => text.slice(0, 300)));
    if (hexOf(data) !== hex) wrong.push([one.name, "the input was changed"]);
}
console.log(JSON.stringify({ kernels: tensorpad.kernels, done: cases.length, wrong }));
