/** A million calls: the engine's memory stays as it is, and the process does not grow. Prints the
 * sizes. */

import { tensorpad as t } from "./package.mjs";

const array = t.allocate(Float32Array, 6);
const out = t.allocate(Float32Array, 20);
const data = new Float32Array([1, 2, 3, 4, 5, 6]);
const into = new Float32Array(20);
const options = { padWidth: 1, mode: "reflect", out: into };
const plan = new t.Plan(Float32Array, [2, 3], { padWidth: 1 });
const large = new Float32Array(25e6);
const packed = new Uint8Array(300_000);

function resident() {
    globalThis.gc();
    return process.memoryUsage().rss / 2 ** 20;
}

function round(count) {
    for (let n = 0; n < count; n++) {
        t.pad(data, [2, 3], options);
        t.pad(data, [2, 3], { padWidth: 1 });
        plan.run(data, into);
        plan.run(data);
        plan.run(array.data, out.data);
        if (n % 5000 === 0) t.pad(packed, [600_000], { padWidth: 1, type: "int4" });
        if (n % 20 === 0) {
            new t.Plan(Int16Array, [n % 7, 3], { padWidth: 1 });
            t.allocate(Uint8Array, n % 1000).free();
            try {
                t.onnx.pad(data, [2, 3], { pads: [1, 1], mode: "wrap", opset: 18 });
            } catch (error) {
                if (error.status !== "E_SPEC_MODE") throw error;
            }
        }
    }
}

round(20_000);
const { buffer } = array.data;
const before = resident();
round(200_000);
const after = resident();
const padded = t.pad(large, [5000, 5000], { padWidth: 1, mode: "edge" });
console.log(
    JSON.stringify({
        before,
        after,
        memory: array.data.buffer.byteLength,
        same: array.data.buffer === buffer,
        large: padded.data.length,
    }),
);
