// Runs models in ONNX Runtime for the web, as README.md says a worker does.
//
// Usage: node onnxruntime_web.mjs HOME      HOME is where npm installed the package
//
// SPDX-License-Identifier: MIT

import { readFileSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const ort = createRequire(`${process.argv[2]}/package.json`)("onnxruntime-web");
ort.env.wasm.numThreads = 1;
ort.env.logLevel = "fatal";

// [the word of ONNX, the word of this runtime, the array that holds it]
const TYPES = [
    ["float", "float32", Float32Array],
    ["double", "float64", Float64Array],
    ["float16", "float16", Uint16Array],
    ["bool", "bool", Uint8Array],
    ["uint8", "uint8", Uint8Array],
    ["int8", "int8", Int8Array],
    ["uint16", "uint16", Uint16Array],
    ["int16", "int16", Int16Array],
    ["uint32", "uint32", Uint32Array],
    ["int32", "int32", Int32Array],
    ["uint64", "uint64", BigUint64Array],
    ["int64", "int64", BigInt64Array],
    ["uint4", "uint4", Uint8Array],
    ["int4", "int4", Int8Array],
];

// What stands before the reason in each message: a code and a status, and the place in the source.
const OPENING = /^.* ERROR_MESSAGE: (Non-zero status code .* Status Message: )?/;
const PLACE = /\S+\.(cc|h):\d+ ([^()\n]*::[^()\n]*\([^()\n]*\)( const)?( \[\w[^\]\n]*\])?|\w+) /g;
const CODE = /\[ONNXRuntimeError\] : \d+ : \w+ : /g;

function reason(error) {
    const text = String(error?.message ?? error).replace(OPENING, "");
    return text.replace(CODE, "").replace(PLACE, "");
}

function toTensor({ type, shape, data, strings }) {
    if (type === "string") {
        const texts = strings.map((text) => Buffer.from(text, "base64").toString());
        return new ort.Tensor("string", texts, shape);
    }
    const known = TYPES.find(([word]) => word === type);
    if (!known) throw new Error(`onnxruntime-web has no tensors of ${type}`);
    const bytes = Uint8Array.from(Buffer.from(data, "base64"));
    return new ort.Tensor(known[1], new known[2](bytes.buffer), shape);
}

function ofTensor({ type, dims, data }) {
    if (type === "string") {
        const strings = data.map((text) => Buffer.from(text).toString("base64"));
        return { type, shape: dims, strings };
    }
    const word = TYPES.find(([, here]) => here === type)?.[0] ?? type;
    const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    return { type: word, shape: dims, data: bytes.toString("base64") };
}

function write(object) {
    const bytes = Buffer.from(`${JSON.stringify(object)}\n`);
    for (let k = 0; k < bytes.length;) k += writeSync(1, bytes, k);
}

// A process whose WebAssembly has stopped can answer nothing more.
function endIfStopped(error) {
    if (error instanceof WebAssembly.RuntimeError) {
        console.error(error.message);
        process.abort();
    }
}

async function answer({ model, inputs }) {
    let stage = "load";
    let session;
    try {
        const options = { executionProviders: ["wasm"], logSeverityLevel: 4 };
        session = await ort.InferenceSession.create(readFileSync(model), options);
        stage = "run";
        const feeds = Object.fromEntries(inputs.map((entry) => [entry.name, toTensor(entry)]));
        const results = await session.run(feeds);
        const outputs = session.outputNames.map((name) => ofTensor(results[name]));
        return { stage: "done", outputs };
    } catch (error) {
        endIfStopped(error);
        return { stage, message: reason(error) };
    } finally {
        await session?.release();
    }
}

console.log = console.error; // standard output belongs to the protocol
write({ version: ort.env.versions.web ?? ort.env.versions.common });
for await (const line of createInterface({ input: process.stdin })) {
    write(await answer(JSON.parse(line)));
}
