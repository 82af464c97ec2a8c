/** Runs calls of the specifications; prints of each the result in hex and its shape, or the error.
 *
 * Usage: node run_specifications.mjs CALLS.json */

import { readFileSync } from "node:fs";
import { tensorpad } from "./package.mjs";

const FUNCTIONS = {
    onnx: [tensorpad.onnx, "pad"],
    openvino: [tensorpad.openvino, "pad"],
    ngraph: [tensorpad.ngraph, "pad"],
    mli: [tensorpad.mli, "padding2d"],
};

function arrayOf(name, hex) {
    const bytes = Buffer.from(hex, "hex");
    const buffer = new ArrayBuffer(bytes.length);
    new Uint8Array(buffer).set(bytes);
    return new globalThis[name](buffer);
}

function hexOf(array) {
    return Buffer.from(array.buffer, array.byteOffset, array.byteLength).toString("hex");
}

function outcome(run) {
    try {
        return run();
    } catch (error) {
        return {
            error: error.message,
            name: error.name,
            axis: error.axis,
            got: error.got,
            limit: error.limit,
        };
    }
}

function sameError(a, b) {
    return a.error === b.error && a.name === b.name;
}

const told = [];
for (const { specification, array, hex, shape, options, valueArray } of JSON.parse(
    readFileSync(process.argv[2], "utf8"),
)) {
    const [functions, pad] = FUNCTIONS[specification];
    if (valueArray !== null) {
        const [option, valueClass, valueHex] = valueArray;
        options[option] = arrayOf(valueClass, valueHex);
    }
    const data = arrayOf(array, hex);
    const { type, ...others } = options;
    const first = outcome(() => {
        const result = functions[pad](data, shape, options);
        return { hex: hexOf(result.data), shape: result.shape };
    });
    const shapeTold = outcome(() => ({
        shape: functions.padShape(type ?? globalThis[array], shape, others),
    }));
    const planned = outcome(() => {
        const plan = functions.plan(type ?? globalThis[array], shape, others);
        return { hex: hexOf(plan.run(data)), shape: plan.outShape };
    });
    let ways = "alike";
    if (first.error === undefined) {
        if (JSON.stringify(shapeTold.shape) !== JSON.stringify(first.shape)) ways = shapeTold;
        if (planned.hex !== first.hex || String(planned.shape) !== String(first.shape))
            ways = planned;
    } else if (!sameError(first, shapeTold) || !sameError(first, planned)) {
        ways = [shapeTold, planned];
    }
    told.push({ ...first, ways });
}
console.log(JSON.stringify({ kernels: tensorpad.kernels, told }));
