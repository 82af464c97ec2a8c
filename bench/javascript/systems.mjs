// How each library is asked for a pad. A system is { run, values }: run does what is timed,
// values() gives the elements of its last result.
//
// SPDX-License-Identifier: MIT

import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { loops, planes } from "./loops.mjs";

export function plainLoops(work, data, length) {
    const form = planes(work);
    const systems = {};
    for (const [name, make] of Object.entries(form ? loops : {})) {
        const out = new data.constructor(length);
        const run = make(form);
        if (run) systems[`loop: ${name}`] = { run: () => run(data, out), values: () => out };
    }
    return systems;
}

// ONNX models as bytes: fields of protobuf, a number or bytes with their length.
function varint(number) {
    const bytes = [];
    for (; number > 127; number = Math.floor(number / 128)) bytes.push((number % 128) | 128);
    return [...bytes, number];
}
function field(number, value) {
    if (typeof value === "number") return [...varint(number * 8), ...varint(value)];
    const bytes = typeof value === "string" ? [...Buffer.from(value)] : value;
    return [...varint(number * 8 + 2), ...varint(bytes.length), ...bytes];
}

const ONNX_TYPES = { float32: 1, uint8: 2, int64: 7, float16: 10, float64: 11 };

/** A model of one Pad of opset 19, whose pads are an initializer. */
function padModel({ dtype, shape, begin, end, mode }) {
    const pads = new BigInt64Array([...begin, ...end].map(BigInt));
    const initializer = [
        ...field(1, pads.length),
        ...field(2, ONNX_TYPES.int64),
        ...field(8, "pads"),
        ...field(9, [...new Uint8Array(pads.buffer)]),
    ];
    const attribute = [...field(1, "mode"), ...field(4, mode), ...field(20, 3)];
    const node = [
        ...field(1, "x"),
        ...field(1, "pads"),
        ...field(2, "y"),
        ...field(4, "Pad"),
        ...field(5, attribute),
    ];
    const value = (name, extents) => {
        const dims = extents.flatMap((extent) => field(1, field(1, extent)));
        const tensor = [...field(1, ONNX_TYPES[dtype]), ...field(2, dims)];
        return [...field(1, name), ...field(2, field(1, tensor))];
    };
    const graph = [
        ...field(1, node),
        ...field(2, "g"),
        ...field(5, initializer),
        ...field(11, value("x", shape)),
        ...field(
            12,
            value(
                "y",
                shape.map((extent, k) => begin[k] + extent + end[k]),
            ),
        ),
    ];
    return Uint8Array.from([...field(1, 9), ...field(7, graph), ...field(8, field(2, 19))]);
}

export async function onnxruntimeWeb(home, work, data) {
    const ort = createRequire(`${home}/package.json`)("onnxruntime-web");
    ort.env.wasm.numThreads = 1;
    ort.env.logLevel = "fatal";
    const options = { executionProviders: ["wasm"] };
    const session = await ort.InferenceSession.create(padModel(work), options);
    const feeds = { x: new ort.Tensor(work.dtype, data, work.shape) };
    let result;
    const run = async () => {
        result?.dispose();
        result = (await session.run(feeds)).y;
    };
    return { "onnxruntime-web": { run, values: () => result.data } };
}

/** The WebAssembly backend of tfjs, with its tensors and with typed arrays in and out. Bytes are
 * tensors of type bool, which tfjs keeps as Uint8Array and pads without a look at their values. */
export async function tfjs(home, { dtype, shape, begin, end, mode }, data) {
    console.warn = () => {}; // advice to install a package for Node that is no WebAssembly
    const require = createRequire(`${home}/package.json`);
    const tf = require("@tensorflow/tfjs-core");
    require("@tensorflow/tfjs-backend-wasm");
    await tf.setBackend("wasm");
    const type = { float32: "float32", uint8: "bool" }[dtype];
    if (!type) throw new Error(`tfjs has no tensors of ${dtype}`);
    const pairs = begin.map((before, axis) => [before, end[axis]]);
    const crop = Math.min(...begin, ...end) < 0;
    const size = shape.map((extent, axis) => begin[axis] + extent + end[axis]);
    const pad = (x) => {
        if (crop)
            return tf.slice(
                x,
                begin.map((before) => -before),
                size,
            );
        return mode === "constant" ? tf.pad(x, pairs) : tf.mirrorPad(x, pairs, mode);
    };
    const held = tf.tensor(data, shape, type);
    pad(held).dispose();
    let tensor, values;
    const inMemory = () => {
        tensor?.dispose();
        tensor = pad(held);
    };
    const inArrays = () => {
        const x = tf.tensor(data, shape, type);
        const y = pad(x);
        values = y.dataSync();
        x.dispose();
        y.dispose();
    };
    return {
        "tfjs arrays": { run: inArrays, values: () => values },
        "tfjs memory": { run: inMemory, values: () => tensor.dataSync() },
    };
}

export async function tensorpad(home, { shape, begin, end, mode, interior }, data, length) {
    const file = createRequire(`${home}/package.json`).resolve("tensorpad");
    const { allocate, pad, Plan } = await import(pathToFileURL(file));
    const padWidth = begin.map((before, axis) => [before, end[axis]]);
    const Type = data.constructor;
    const out = new Type(length);
    const options = { padWidth, mode, interior };
    const plan = new Plan(Type, shape, options);
    const [source, target] = [allocate(Type, data.length), allocate(Type, length)];
    source.data.set(data);
    const [src, dst] = [source.data, target.data];
    return {
        "tensorpad arrays": {
            run: () => pad(data, shape, { padWidth, mode, interior, out }),
            values: () => out,
        },
        "tensorpad memory": { run: () => plan.run(src, dst), values: () => dst },
    };
}
