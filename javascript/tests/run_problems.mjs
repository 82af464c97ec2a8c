/** Runs the problems of a file and compares the results with the expected bytes.
 *
 * Usage: node run_problems.mjs PROBLEMS.json BYTES.bin. Prints {done, kernels, wrong:
 * [text...]}. */

import { readFileSync } from "node:fs";
import { tensorpad } from "./package.mjs";

const problems = JSON.parse(readFileSync(process.argv[2], "utf8"));
const bytes = readFileSync(process.argv[3]);
const wrong = [];

/** An array of `count` bytes at `offset` entries inside of a larger buffer of the given kind. */
function arrayInside(name, source, offset, shared) {
    const Array = globalThis[name];
    const size = Array.BYTES_PER_ELEMENT;
    const whole = source.length + 2 * offset * size;
    const buffer = shared ? new SharedArrayBuffer(whole) : new ArrayBuffer(whole);
    new Uint8Array(buffer).fill(0xa5);
    new Uint8Array(buffer).set(source, offset * size);
    return new Array(buffer, offset * size, source.length / size);
}

function bytesOf(array) {
    return Buffer.from(array.buffer, array.byteOffset, array.byteLength);
}

/** Whether all that lies around an array in its buffer still is as arrayInside left it. */
function surroundingsHold(array) {
    const all = new Uint8Array(array.buffer);
    const end = array.byteOffset + array.byteLength;
    return (
        all.subarray(0, array.byteOffset).every((byte) => byte === 0xa5) &&
        all.subarray(end).every((byte) => byte === 0xa5)
    );
}

function revivedValue(value) {
    if (value === undefined || value === null || typeof value !== "object") return value;
    if (Array.isArray(value)) return value.map(revivedValue);
    if ("big" in value) return BigInt(value.big);
    if ("number" in value) return Number(value.number);
    return arrayInside(value.array, Buffer.from(value.bits), 3);
}

function revived(options) {
    const made = { ...options };
    for (const name of ["constantValue", "padValue", "argPadValue"]) {
        if (name in made) made[name] = revivedValue(made[name]);
    }
    return made;
}

function fail(problem, what) {
    if (wrong.length < 20) wrong.push(`${what}: ${JSON.stringify({ ...problem, at: undefined })}`);
    else wrong.push("and more");
}

function compare(problem, expected, array, shape, way) {
    if (array.constructor.name !== problem.array)
        fail(problem, `${way}: a ${array.constructor.name}`);
    if (shape !== null && JSON.stringify(shape) !== JSON.stringify(problem.outShape)) {
        fail(problem, `${way}: shape ${JSON.stringify(shape)}`);
    }
    if (Buffer.compare(bytesOf(array), expected) !== 0) {
        fail(
            problem,
            `${way}: ${bytesOf(array).subarray(0, 64).toString("hex")} instead of ` +
                expected.subarray(0, 64).toString("hex"),
        );
    }
}

/** Both sides in the engine's memory. */
function compareInEngine(problem, plan, input, expected) {
    const Array = globalThis[problem.array];
    const src = tensorpad.allocate(Array, input.length / Array.BYTES_PER_ELEMENT);
    const dst = tensorpad.allocate(Array, expected.length / Array.BYTES_PER_ELEMENT);
    bytesOf(src.data).set(input);
    bytesOf(dst.data).fill(0x5a);
    compare(problem, expected, plan.run(src.data, dst.data), null, "in the engine");
    dst.free();
    src.free();
}

/** An output that begins in the middle of the input. */
function compareOverlap(problem, data, options, input, expected) {
    const Array = globalThis[problem.array];
    const size = Array.BYTES_PER_ELEMENT;
    const middle = Math.floor(input.length / size / 2);
    const whole = new Uint8Array(input.length + expected.length);
    whole.set(input);
    const src = new Array(whole.buffer, 0, input.length / size);
    const out = new Array(whole.buffer, middle * size, expected.length / size);
    const result = tensorpad.pad(src, problem.shape, { ...options, out });
    if (result.data !== out) fail(problem, "overlap: not out");
    compare(problem, expected, result.data, result.shape, "overlap");
}

for (const problem of problems) {
    const [inFirst, inBytes, outFirst, outBytes] = problem.at;
    const input = bytes.subarray(inFirst, inFirst + inBytes);
    const expected = bytes.subarray(outFirst, outFirst + outBytes);
    const data = arrayInside(problem.array, input, problem.offset, problem.shared);
    const options = revived(problem.options);
    try {
        const { data: made, shape } = tensorpad.pad(data, problem.shape, options);
        compare(problem, expected, made, shape, "pad");
        const blank = Buffer.alloc(outBytes, 0x5a);
        const out = arrayInside(problem.array, blank, problem.offset, problem.shared);
        const second = tensorpad.pad(data, problem.shape, { ...options, out });
        if (second.data !== out) fail(problem, "out: not out");
        compare(problem, expected, out, second.shape, "out");
        if (!surroundingsHold(out)) fail(problem, "out: wrote outside");
        if (!surroundingsHold(data) || Buffer.compare(bytesOf(data), input) !== 0) {
            fail(problem, "the input was changed");
        }
        const { constantValue, type, ...shapeOptions } = options;
        const told = tensorpad.padShape(problem.shape, shapeOptions);
        if (JSON.stringify(told) !== JSON.stringify(problem.outShape)) fail(problem, "padShape");
        const planOptions = { ...shapeOptions };
        if (constantValue !== undefined) planOptions.constantValue = constantValue;
        const plan = new tensorpad.Plan(
            type ?? globalThis[problem.array],
            problem.shape,
            planOptions,
        );
        compare(problem, expected, plan.run(data), plan.outShape, "plan");
        bytesOf(out).fill(0x3c);
        compare(problem, expected, plan.run(data, out), plan.outShape, "plan again");
        compareInEngine(problem, plan, input, expected);
        if (outBytes > 0) compareOverlap(problem, data, options, input, expected);
    } catch (error) {
        fail(problem, `${error.name} ${error.message} ${error.stack.split("\n")[1]}`);
    }
}
console.log(JSON.stringify({ done: problems.length, kernels: tensorpad.kernels, wrong }));
