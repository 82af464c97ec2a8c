// Times every system on one workload, in a process of its own: no system makes the code of another
// slower by the types it uses.
//
// Usage: node measure.mjs HOME SECONDS < WORKLOAD      an entry of `tensorpad bench --list --json`;
// prints {"times": {system: [microseconds of each turn]}, "missing": {library: why}}
//
// SPDX-License-Identifier: MIT

import { readFileSync } from "node:fs";
import { sourceIndex } from "./loops.mjs";
import { onnxruntimeWeb, plainLoops, tensorpad, tfjs } from "./systems.mjs";

const TURN_MS = 1; // how long the calls of one system in a turn last at least
const WARM_MS = 150;
const FEWEST_TURNS = 11;
const ARRAYS = {
    float32: Float32Array,
    float64: Float64Array,
    uint8: Uint8Array,
    float16: Uint16Array,
    int64: BigInt64Array,
};

function sample(Type, length) {
    const data = new Type(length);
    let state = 1;
    for (let i = 0; i < length; i++) {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        const byte = state >>> 24;
        data[i] = Type === BigInt64Array ? BigInt(byte) : Type === Uint8Array ? byte : byte / 7;
    }
    return data;
}

/** The output, element by element. */
function expected({ shape, begin, end, mode, interior, zero }, data, outShape) {
    if (interior.some((gap) => gap)) throw new Error("measure.mjs knows no interior cells");
    const out = new data.constructor(outShape.reduce((a, b) => a * b, 1));
    for (let i = 0; i < out.length; i++) {
        let [rest, at, stride] = [i, 0, 1];
        for (let axis = shape.length - 1; axis >= 0; axis--) {
            const index = rest % outShape[axis];
            rest = (rest - index) / outShape[axis];
            const from = sourceIndex(mode, index, shape[axis], begin[axis]);
            at = from < 0 || at < 0 ? -1 : at + from * stride;
            stride *= shape[axis];
        }
        out[i] = at < 0 ? zero : data[at];
    }
    return out;
}

async function timed({ run }, repeats) {
    const start = performance.now();
    for (let k = 0; k < repeats; k++) {
        const waits = run();
        if (waits) await waits;
    }
    return (performance.now() - start) / repeats;
}

async function repeatsOf(system) {
    const end = performance.now() + WARM_MS;
    let calls = 0;
    while (calls < 20 || performance.now() < end) {
        await timed(system, 1);
        calls++;
    }
    return Math.max(1, Math.ceil(TURN_MS / (await timed(system, Math.max(1, calls >> 3)))));
}

async function measure(systems, seconds) {
    const repeats = {};
    for (const [name, system] of Object.entries(systems)) repeats[name] = await repeatsOf(system);
    const names = Object.keys(systems);
    const times = Object.fromEntries(names.map((name) => [name, []]));
    const end = performance.now() + 1000 * seconds;
    for (let turn = 0; turn < FEWEST_TURNS || performance.now() < end; turn++) {
        const first = turn % names.length;
        for (const name of [...names.slice(first), ...names.slice(0, first)]) {
            await timed(systems[name], 1);
            times[name].push(1000 * (await timed(systems[name], repeats[name])));
        }
    }
    return times;
}

const [home, seconds] = process.argv.slice(2);
const work = JSON.parse(readFileSync(0, "utf-8"));
work.zero = work.dtype === "int64" ? 0n : 0;
const length = (extents) => extents.reduce((a, b) => a * b, 1);
const data = sample(ARRAYS[work.dtype], length(work.shape));
const outLength = length(work.out_shape);
const systems = {
    ...plainLoops(work, data, outLength),
    ...(await tensorpad(home, work, data, outLength)),
};
const missing = {};
for (const [library, make] of Object.entries({ "onnxruntime-web": onnxruntimeWeb, tfjs })) {
    try {
        Object.assign(systems, await make(home, work, data));
    } catch (error) {
        missing[library] = error.message;
    }
}
const wanted = Buffer.from(expected(work, data, work.out_shape).buffer);
for (const [name, system] of Object.entries(systems)) {
    await system.run();
    const { buffer, byteOffset, byteLength } = system.values();
    if (wanted.compare(new Uint8Array(buffer, byteOffset, byteLength))) {
        throw new Error(`${work.name}: the result of ${name} is wrong`);
    }
}
console.log(JSON.stringify({ times: await measure(systems, Number(seconds)), missing }));
