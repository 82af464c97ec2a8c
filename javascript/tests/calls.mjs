/** Calls that are refused, each with its sentence or its beginning (...), and odd calls that give a
 * result. After each of them the input, `out`, the engine's memory and the next call are as they
 * should be. Prints {done, failed: [text...], version, kernels}. */

import { inspect } from "node:util";
import { runInNewContext } from "node:vm";
import { createTensorpad } from "tensorpad/create";
import { freshInstance, load } from "./run.mjs";

const t = await load();
const failed = [];
let done = 0;
const six = new Float32Array([1, 2, 3, 4, 5, 6]);
const out = new Float32Array(8).fill(9);
const witness = t.allocate(Uint8Array, 5000);
witness.data.fill(0x5a);

/** Runs one call, whose result or error has to be `wanted`. */
function check(name, wanted, call) {
    done++;
    const before = witness.data.buffer.byteLength;
    let told;
    let isRefused = true;
    try {
        told = String(call());
        isRefused = false;
    } catch (error) {
        told = String(error);
    }
    const well = wanted.endsWith("...") ? told.startsWith(wanted.slice(0, -3)) : told === wanted;
    if (!well) failed.push(`${name}: ${told}`);
    if (six.join() !== "1,2,3,4,5,6") failed.push(`${name}: changed the input`);
    if (out.some((value) => value !== 9)) failed.push(`${name}: wrote into out`);
    if (witness.data.some((byte) => byte !== 0x5a)) failed.push(`${name}: wrote into the memory`);
    if (isRefused && witness.data.buffer.byteLength !== before) failed.push(`${name}: grew`);
    const next = t.pad(new Int16Array([1, 2, 3]), [3], { padWidth: 1, mode: "wrap" });
    if (`${next.data} ${next.shape}` !== "3,1,2,3,1 5")
        failed.push(`${name}: pad fails afterwards`);
}

/** Options with a property that runs `get` when it is read. */
const getter = (name, get, more) =>
    Object.defineProperty({ ...more }, name, { get, enumerable: true });
const padsToo = () => void t.pad(six, [6]);

function checkAll(rows) {
    for (const [wanted, ...calls] of rows) {
        for (const call of calls) check(`${call}`.slice(0, 300), wanted, call);
    }
}

// ---- Options of pad, with which a plan and padShape are refused, too ---------------------------

const NO_NUMBER = "is not a whole number from -2^53 + 1 to 2^53 - 1";
const CALLED = "Error: an argument called tensorpad while it was being read";
const NO_LIST = "must be one value, a list by axis or an object by axis";
const MOST = 2 ** 53 - 1;
const REFUSED_OPTIONS = [
    [[NaN], {}, `RangeError: shape: NaN ${NO_NUMBER}`],
    [[2.5], {}, `RangeError: shape: 2.5 ${NO_NUMBER}`],
    [[Infinity], {}, `RangeError: shape: Infinity ${NO_NUMBER}`],
    [[2 ** 53], {}, `RangeError: shape: 9007199254740992 ${NO_NUMBER}`],
    [["6"], {}, 'TypeError: shape: "6" is not a number'],
    [[, 6], {}, "TypeError: shape: undefined is not a number"],
    [[-1], {}, "PadError: axis 0: input extent -1..."],
    [undefined, {}, "TypeError: shape is not a list of numbers"],
    ["23", {}, "TypeError: shape is not a list of numbers"],
    [6, {}, "TypeError: shape is not a list of numbers"],
    [new Array(17).fill(1), {}, "RangeError: shape: rank 17 is not between 0 and 16"],
    [new Array(65).fill(1), {}, "RangeError: shape has 65 entries, more than 64"],
    [[6], null, "TypeError: the options of pad must be an object"],
    [[6], 1, "TypeError: the options of pad must be an object"],
    [[6], { padwidth: 1 }, 'TypeError: pad has no option "padwidth"; it has padWidth, mode, ...'],
    [[6], { padWidth: NaN }, `RangeError: padWidth: NaN ${NO_NUMBER}`],
    [[6], { padWidth: 1.5 }, `RangeError: padWidth: 1.5 ${NO_NUMBER}`],
    [[6], { padWidth: 1e300 }, `RangeError: padWidth: 1e+300 ${NO_NUMBER}`],
    [[6], { padWidth: "1" }, 'TypeError: padWidth: "1" is not a number'],
    [[6], { padWidth: null }, "TypeError: padWidth: null is not a number"],
    [[6], { padWidth: 7n ** 30n }, `RangeError: padWidth: ${7n ** 30n}n ${NO_NUMBER}`],
    [[2, 3], { padWidth: [1, 2, 3] }, "RangeError: padWidth has 3 entries for 2 axes"],
    [[1, 2, 3], { padWidth: [1, 2, 3] }, "TypeError: padWidth is not one number, two, or two..."],
    [[2, 3], { padWidth: [[1], [1, 2, 3]] }, "RangeError: padWidth: axis 1 has 3 amounts, not 2"],
    [[2, 3], { padWidth: [[1], []] }, "RangeError: padWidth: axis 1 has 0 amounts, not 2"],
    [[2, 3], { padWidth: { 2: 1 } }, "RangeError: padWidth: 2 is not an axis of a tensor of..."],
    [[2, 3], { padWidth: { left: 1 } }, 'TypeError: padWidth: "left" is not a number'],
    [[2, 3], { padWidth: { 1: 1, "-1": 2 } }, "RangeError: padWidth: axis 1 is named twice"],
    [[2], { padWidth: -2 }, "PadError: axis 0: output extent -2 is below 0 (before -2, after..."],
    [[6], { mode: "mirror" }, 'TypeError: mode "mirror" is not supported: it is one of const...'],
    [[6], { mode: null }, "TypeError: mode null is not supported..."],
    [[6], { mode: "constructor" }, 'TypeError: mode "constructor" is not supported: it is one ...'],
    ...[
        ["replicate", "edge"],
        ["nearest", "edge"],
        ["Circular", "wrap"],
        ["EDGE", "edge"],
    ].map(([mode, here]) => [
        [6],
        { mode },
        `TypeError: mode "${mode}" is not supported: here it is called ${here}`,
    ]),
    [[2, 3], { mode: ["edge", "edge", "edge"] }, "RangeError: mode has 3 entries for 2 axes"],
    [[6], { interior: -1 }, "PadError: axis 0: interior -1..."],
    [[6], { order: "both" }, 'TypeError: order "both" is not known: it is window or crop'],
    [[2, 3], { axes: [0, -2] }, "RangeError: axes: axis 0 is named more than once"],
    [[2, 3], { axes: 2 }, "RangeError: axes: 2 is not an axis of a tensor of rank 2"],
    [[2 ** 52, 2 ** 52], {}, "PadError: axis 1: with output extent 4503599627370496 the number..."],
    [[MOST], { padWidth: MOST }, "PadError: axis 0: output extent 27021597764222973 exceeds 9..."],
    ...["padWidth", "mode", "interior"].flatMap((name) =>
        [new Map([[0, 1]]), new Set([1]), new Date(0), /1/, Promise.resolve(1)].map((value) => {
            return [[6], { [name]: value }, `TypeError: ${name} ${NO_LIST}`];
        }),
    ),
];
/** The shape's extents as elements, where that is little. */
const sized = (shape) => (Array.isArray(shape) && shape.join() === "2" ? six.subarray(4) : six);
for (const [shape, options, sentence] of REFUSED_OPTIONS) {
    const given = options && typeof options === "object" ? { ...options, out } : options;
    const name = `${shape} ${inspect(options)}`;
    check(`pad ${name}`, sentence, () => t.pad(sized(shape), shape, given));
    check(`Plan ${name}`, sentence, () => new t.Plan(Float32Array, shape, options));
    check(`padShape ${name}`, sentence, () => t.padShape(shape, options));
}

// An integer is a whole number or a bigint, in every option that has integers.
const integers = {
    shape: (n) => t.padShape([n], { padWidth: 1 }),
    "padWidth pair": (n) => t.pad(six, [6], { padWidth: [1, n] }),
    interior: (n) => t.pad(six, [6], { interior: n }),
    axes: (n) => t.pad(six, [3, 2], { padWidth: 1, axes: [n] }),
    "onnx pads": (n) => t.onnx.pad(six, [6], { pads: [n, 1] }),
    "onnx axes": (n) => t.onnx.pad(six, [3, 2], { pads: [1, 1], axes: [n] }),
    "openvino begin": (n) =>
        t.openvino.pad(six, [6], { padsBegin: [n], padsEnd: [1], padMode: "constant" }),
    "openvino version": (n) =>
        t.openvino.pad(six, [6], { padsBegin: [1], padsEnd: [1], padMode: "constant", version: n }),
    "ngraph below": (n) =>
        t.ngraph.pad(six, [6], { argPadValue: 0, paddingBelow: [n], paddingAbove: [1] }),
    mli: (n) => t.mli.padding2d(new Int8Array(6), [1, 2, 3], { layout: "chw", paddingLeft: n }),
};
for (const [name, call] of Object.entries(integers)) {
    for (const value of [1.7, NaN, Infinity, 2n ** 70n, "1", true, null]) {
        const isNumber = ["number", "bigint"].includes(typeof value);
        const said = isNumber ? /^RangeError: .* is not a whole/ : /^TypeError: .* is not a number/;
        check(`${name} ${String(value)}`, "refused", () => {
            try {
                return call(value);
            } catch (error) {
                return said.test(error) ? "refused" : error;
            }
        });
    }
    check(`${name} as a bigint`, "true", () => Boolean(call(1n)));
}

// ---- Constants ---------------------------------------------------------------------------------

const VALUE = "TypeError: constantValue";
const wholes = (low, high) => `holds whole numbers from ${low} to ${high}`;
const floats = (most) => `holds numbers from -${most} to ${most}`;
const [HALF, BRAIN, SINGLE, DOUBLE] = ["65504", "3.3895314e+38", "3.4028235e+38", "1.7976931e+308"];
const REFUSED_CONSTANTS = [
    [new Int8Array(1), 128, `${VALUE} 128: int8 ${wholes(-128, 127)}`],
    [new Int8Array(1), -129, `${VALUE} -129: int8 ${wholes(-128, 127)}`],
    [new Int8Array(1), "7", `${VALUE} 7: int8 ${wholes(-128, 127)}`],
    [new Uint8Array(1), 300, `${VALUE} 300: uint8 ${wholes(0, 255)}`],
    [new Uint8Array(1), -1, `${VALUE} -1: uint8 ${wholes(0, 255)}`],
    [new Uint8ClampedArray(1), 256, `${VALUE} 256: uint8 ${wholes(0, 255)}`],
    [new Int32Array(1), 2 ** 31, `${VALUE} 2147483648: int32 ${wholes(-2147483648, 2147483647)}`],
    [new Uint32Array(1), 2 ** 32, `${VALUE} 4294967296: uint32 ${wholes(0, 4294967295)}`],
    [new Int16Array(1), 1.5, `${VALUE} 1.5: int16 ${wholes(-32768, 32767)}`],
    [new Int16Array(1), NaN, `${VALUE} NaN: int16 ${wholes(-32768, 32767)}`],
    [new Int16Array(1), Infinity, `${VALUE} Infinity: int16 ${wholes(-32768, 32767)}`],
    [new BigInt64Array(1), 2n ** 63n, `${VALUE} 9223372036854775808n: int64 cannot hold it`],
    [new BigInt64Array(1), 0.5, `${VALUE} 0.5: int64 cannot hold it`],
    [new BigUint64Array(1), -1n, `${VALUE} -1n: uint64 cannot hold it`],
    [new BigUint64Array(1), 2n ** 64n, `${VALUE} 18446744073709551616n: uint64 cannot hold it`],
    [new Uint16Array(1), 65520, `${VALUE} 65520: float16 ${floats(HALF)}`, "float16"],
    [new Uint16Array(1), -3.3961775292304601e38, `${VALUE} -3.39...`, "bfloat16"],
    [new Float32Array(1), 1e39, `${VALUE} 1e+39: float32 ${floats(SINGLE)}`],
    [new Float32Array(1), 10n ** 39n, `${VALUE} 1${"0".repeat(39)}n: float32 ${floats(SINGLE)}`],
    [new Float32Array(1), 2 ** 128 - 2 ** 103, `${VALUE} 3.4028235677973366e+38: float32 ...`],
    [new Float32Array(1), "7", `${VALUE} 7: an element of float32 is a number`],
    [new Float64Array(1), 10n ** 400n, `${VALUE} 1${"0".repeat(400)}n: float64 ${floats(DOUBLE)}`],
    [new Float32Array(2), [0, -1e39], `${VALUE} -1e+39: complex64 ${floats(SINGLE)}`, "complex64"],
    [new Float32Array(2), [1, 2, 3], `${VALUE} 1,2,3: a complex number has two parts`, "complex64"],
    [new Float64Array(2), [10n ** 400n, 0], `${VALUE} 1000...`, "complex128"],
    [new Uint8Array(1), 1, `${VALUE} 1: numbers have no conversion to float8...`, "float8e5m2"],
    [new Uint8Array(1), 2, `${VALUE} 2: an element of bool is true or false`, "bool"],
    [new Float32Array(1), new Float32Array(2), "RangeError: constantValue has 2 entries; one e..."],
    [new Float32Array(1), new Float64Array(1), `${VALUE} is an element of float64; the data is...`],
];
for (const [data, constantValue, sentence, type] of REFUSED_CONSTANTS) {
    const name = `${String(constantValue)} in ${type ?? data.constructor.name}`;
    const target = new data.constructor(3 * data.length).fill(data[0]);
    const options = { padWidth: 1, constantValue };
    check(`pad ${name}`, sentence, () => t.pad(data, [1], { ...options, type, out: target }));
    check(`Plan ${name}`, sentence, () => new t.Plan(type ?? data.constructor, [1], options));
    check(`out of ${name}`, "true", () => target.every((value) => value === data[0]));
}
check("a limit of bfloat16", `${VALUE} 1e+39: bfloat16 ${floats(BRAIN)}`, () =>
    t.pad(new Uint16Array(1), [1], { constantValue: 1e39, type: "bfloat16" }),
);

const LIST = "TypeError: constantAxis needs constantValue, a list with a value for each cell...";
const COUNT = (count) => `RangeError: constantValue has ${count} values, but axis`;
const REFUSED_LISTS = [
    [[1, 2, 3], -1, `${COUNT(3)} 1 of the result has 4 cells...`],
    [[1, 2, 3, 4, 5], 1, `${COUNT(5)} 1 of the result has 4 cells...`],
    [[], 0, `${COUNT(0)} 0 of the result has 5 cells: one ...`],
    [7, 0, LIST],
    [undefined, 0, LIST],
    [[1], 2, "RangeError: constantAxis: 2 is not an axis of a tensor of rank 2"],
    [[1, 2, 3, 4], [0, 1], "TypeError: constantAxis: 0,1 is not a number"],
    [[0, 0, 256, 0], 1, `${VALUE} 256: uint8 ${wholes(0, 255)}`],
    [new Int8Array(4), 1, `${VALUE} is a Int8Array; elements of uint8 lie in a Uint8Array...`],
    [[1, 2, 3, 4], 1, "TypeError: constantAxis: elements of int4 take one constant", "int4"],
];
for (const [constantValue, constantAxis, sentence, type] of REFUSED_LISTS) {
    const options = { padWidth: 1, constantValue, constantAxis };
    const data = new Uint8Array(type ? 3 : 6);
    check(`pad ${sentence}`, sentence, () => t.pad(data, [3, 2], { ...options, type }));
    check(`Plan ${sentence}`, sentence, () => new t.Plan(type ?? Uint8Array, [3, 2], options));
}

// ---- Arrays, plans, memory, specifications -----------------------------------------------------

function detached(length) {
    const array = new Float32Array(length);
    structuredClone(array.buffer, { transfer: [array.buffer] });
    return array;
}
function freed() {
    const array = t.allocate(Float32Array, 6);
    const { data } = array;
    array.free();
    return data;
}
/** A subclass may say anything. */
class Small extends Float32Array {
    get length() {
        return 1;
    }
    get byteLength() {
        return 4;
    }
}
/** So may an array with properties of its own. */
const lying = (array, told) => {
    for (const [name, value] of Object.entries(told)) Object.defineProperty(array, name, { value });
    return array;
};
const one = { padWidth: 1, out };
const ones = (count) => new Array(count).fill(1);
const pair = (a, b, c, d) => [
    [a, b],
    [c, d],
];
const plan = new t.Plan(Float32Array, [2, 3], { padWidth: 1, mode: "edge" });
const FREED = "lies in memory of the engine that was freed";
const plainSix = { data: six, dims: [6] };
const onnx = (options, data = six, shape = [6]) => t.onnx.pad(data, shape, options);
const NO_ARRAYS = [undefined, null, [1, 2, 3], new ArrayBuffer(12), "abc", 7, Float32Array];
NO_ARRAYS.push(new DataView(new ArrayBuffer(12)), { length: 6, [Symbol.toStringTag]: "Int8Array" });
const short = lying(new Float32Array(2), { length: 6, byteLength: 24 });
const two = lying(new Float32Array(2), { length: 1 });
const thousand = new Small(1000).fill(3);
const bools = { type: "bool", opset: 10, pads: [1, 0], constantValue: true };
const needs = (count, got, what = "data") =>
    `RangeError: ${what}: the shape needs ${count} entries of Float32Array, got ${got}`;
const asOut = (out, padWidth = 1) => t.pad(six, [6], { padWidth, out });
const ofSix = (options) => t.pad(six, [6], options);
const planOf = (type, options) => new t.Plan(type, [6], options);
const entries = (constantValue) =>
    `RangeError: constantValue has ${constantValue} entries; one el...`;
checkAll([
    ["TypeError: data is not a typed array", ...NO_ARRAYS.map((x) => () => t.pad(x, [6], one))],
    [needs(2, 6), () => t.pad(six, [2], { padWidth: [1, 5], out })],
    [needs(2, 6), () => onnx({ pads: [1, 5], out }, six, [2])],
    [needs(9, 6), () => t.pad(six, [3, 3])],
    [needs(6, 2), () => t.pad(short, [6], one), () => planOf(Float32Array).run(short)],
    [needs(2, 40), () => t.pad(lying(new Float32Array(40), { length: 2 }), [2], one)],
    [needs(8, 3, "out"), () => asOut(lying(new Float32Array(3), { length: 8 }))],
    [
        needs(6, 0),
        () => t.pad(new Float32Array(0), [6], one),
        () => t.pad(six.subarray(6), [6], one),
    ],
    ["RangeError: data: the shape needs 6 entries of ...", () => t.pad(detached(6), [6], one)],
    [entries(2), () => ofSix({ constantValue: two })],
    [entries(1000), () => ofSix({ ...one, constantValue: thousand })],
    [entries(1000), () => planOf(Float32Array, { constantValue: thousand })],
    ['TypeError: type: "float128" is not known: it is one of int8, u...', () => planOf("float128")],
    ['TypeError: type: "float128" is not known: it ...', () => ofSix({ ...one, type: "float128" })],
    ["TypeError: data is a Float32Array; elements of in...", () => ofSix({ ...one, type: "int4" })],
    ["PadError: the output has 4000000000000 bytes, ...", () => ofSix({ padWidth: [0, 1e12 - 6] })],
    // out
    [needs(8, 7, "out"), () => asOut(out.subarray(1))],
    [needs(7, 8, "out"), () => asOut(out, [0, 1])],
    [`${needs(8, 0, "out")}; its memory was detached`, () => asOut(detached(8))],
    ["TypeError: out is a Int32Array; the data is a Float32Array", () => asOut(new Int32Array(8))],
    ["TypeError: out is not a typed array", () => asOut([])],
    [`TypeError: data ${FREED}`, () => t.pad(freed(), [6], one), () => plan.run(freed())],
    [`TypeError: out ${FREED}`, () => asOut(freed(), 0)],
    // Plans
    [
        "TypeError: type is neither a class of typed arrays nor the name of a type",
        ...[() => planOf(undefined), () => planOf(Array), () => t.allocate(Map, 1)],
    ],
    ["TypeError: Class constructor Plan cannot be invoked ...", () => t.Plan(Int8Array, [1])],
    ['TypeError: a plan has no option "out": ...', () => planOf(Float32Array, { out })],
    ['TypeError: a plan has no option "type": ...', () => planOf("int4", { type: "int4" })],
    ["TypeError: data is a Int32Array; elements of float32 ...", () => plan.run(new Int32Array(6))],
    [needs(6, 5), () => plan.run(new Float32Array(5), out)],
    [needs(20, 8, "out"), () => plan.run(six, out)],
    ["TypeError: ...", () => plan.run.call({}, six)],
    // Memory
    ...[-1, 1.5, NaN, "3", undefined, 2 ** 53].map((length) => [
        `RangeError: length: ${length} is not a count`,
        () => t.allocate(Float32Array, length),
    ]),
    ["PadError: the memory of the engine cannot grow by ...", () => t.allocate(Float64Array, 6e8)],
    ["PadError: the memory of the engine cannot grow ...", () => t.allocate(Float64Array, 2 ** 50)],
    [
        "TypeError: this array was freed",
        () => {
            const array = t.allocate(Int8Array, 3);
            array.free();
            array.free();
            return array.data;
        },
    ],
    // Specifications
    ["TypeError: the options of onnx.pad must be an object", () => onnx()],
    [`RangeError: opset: 2.5 ${NO_NUMBER}`, () => onnx({ pads: [0, 0], opset: 2.5 })],
    ["RangeError: opset: 1099511627776 is no version", () => onnx({ pads: [], opset: 2 ** 40 })],
    ["RangeError: opset: -2147483649 is ...", () => onnx({ pads: [], opset: -(2 ** 31) - 1 })],
    ["TypeError: pads is not a list of numbers", () => onnx({ pads: 1 })],
    ["RangeError: pads has 65 entries, more than 64", () => onnx({ pads: new Array(65).fill(0) })],
    ["TypeError: mode: 3 is not a word", () => onnx({ pads: [0, 0], mode: 3 })],
    ['TypeError: mode: "xxxxxx...', () => onnx({ pads: [0, 0], mode: "x".repeat(1e5) })],
    ['TypeError: mode: "a\\u0000b"... is not a word', () => onnx({ pads: [0, 0], mode: "a\0b" })],
    ["TypeError: type: nf4 is not a type of th...", () => onnx({ type: "nf4" }, new Uint8Array(3))],
    ["PadError: data: rank 20 is not between 0 and 16", () => onnx({ pads: [] }, six, ones(20))],
    ["PadError: data: Pad-2 does not allow type bool; Pa...", () => onnx(bools, new Uint8Array(6))],
    [
        "PadError: value: a float attribute has no conversion to type bool",
        () => onnx({ ...bools, lenient: true }, new Uint8Array(6)),
    ],
    ["TypeError: lenient must be true or false", () => onnx({ pads: [0, 0], lenient: 1 })],
    ["TypeError: a tensor has its shape: only ...", () => t.pad(plainSix, undefined, {})],
    ["TypeError: paddingBelow is missing", () => t.ngraph.pad(six, [6], { argPadValue: 0 })],
    ["TypeError: layout has to be 'chw' or 'hwc', got ...", () => t.mli.padding2d(six, [6], {})],
]);

// ---- To a size, and other forms of tensors -----------------------------------------------------

/** What a browser's class is like. */
class Image {
    constructor(data, width, height, settings) {
        Object.assign(this, { data, width, height }, settings);
    }
}
/** What onnxruntime-web's and transformers.js's is like. */
class Tensor {
    constructor(type, data, dims) {
        Object.assign(this, { type, data, dims });
    }
}
const to = (options, shape = [6]) => t.padTo(six, shape, options);
const inside = (options, shape = [6]) => t.unpad(six, shape, options);
const batch = (options, items = [six, six.subarray(4)]) => t.padBatch(items, options);
const image = new Image(Uint8ClampedArray.of(1, 2, 3, 4, 5, 6, 7, 8), 2, 1, { colorSpace: "p3" });
const tensor = new Tensor("float32", six, [2, 3]);
const u16 = Uint16Array.of(1, 2);
const halves = { type: "float16", data: u16, dims: [2] };
const tenth = { size: 3, constantValue: 0.1, align: "start" };
const plain = { type: "float32", data: six, dims: [2, 3] };
const withEmpty = [six, six.subarray(6)];
const cut = { size: 4, tooLong: "crop_end" };
const REFUSED_FITS = [
    [to, { size: 5 }, "PadError: axis 0: 6 cells do not fit into 5: choose a larger target, or..."],
    [to, { size: 7, align: 2 }, "PadError: axis 0: 6 cells at that offset do not fit into 7: ..."],
    [to, { size: 2 ** 53 - 1, multiple: 2 }, "PadError: axis 0: output extent 9007199254740992..."],
    [to, { size: -1 }, "RangeError: size: -1 is below 0"],
    [to, { multiple: 0 }, "RangeError: multiple: 0 is below 1"],
    [to, { size: 2.5 }, `RangeError: size: 2.5 ${NO_NUMBER}`],
    [to, { size: "7" }, 'TypeError: size: "7" is not a number'],
    [to, { size: [1, 2, 3] }, "RangeError: size has 3 entries for 2 axes", [2, 3]],
    [
        to,
        { align: true },
        "TypeError: align true is not known: it is one of start, center, end, or...",
    ],
    [to, { align: 0.5 }, `RangeError: align: 0.5 ${NO_NUMBER}`],
    [to, { tooLong: "cut" }, 'TypeError: tooLong "cut" is not known: it is one of error, cro...'],
    [to, { square: [0] }, "RangeError: square has to name two axes, got 0", [2, 3]],
    [to, { square: [0, 1, 2] }, "RangeError: square has to name two axes, got 0,1,2", [1, 2, 3]],
    [to, { square: [0, -2] }, "RangeError: square: axis 0 is named more than once", [2, 3]],
    [to, { square: [0, 1], axes: 1 }, "RangeError: square names axis 0, which is not...", [2, 3]],
    [to, { padWidth: 1 }, 'TypeError: padTo has no option "padWidth"; it has size, ...'],
    [to, null, "TypeError: the options of padTo must be an object"],
    [to, {}, "RangeError: shape: rank 17 is not between 0 and 16", ones(17)],
    [to, { size: 9, out }, "RangeError: out: the shape needs 9 entries of Float32Array, got 8"],
    [to, getter("size", () => t.pad(six, [6]) && 5), CALLED],
    [inside, {}, "TypeError: padWidth is missing"],
    [inside, undefined, "TypeError: the options of unpad must be an object"],
    [inside, { padWidth: 0 }, "RangeError: shape: rank 17 is not between 0 and 16", ones(17)],
    [inside, { padWidth: [0, -1] }, "RangeError: axis 0: the amounts (0, -1) are negative: the..."],
    [inside, { padWidth: 0, interior: -1 }, "RangeError: axis 0: interior -1 is negative"],
    [inside, { padWidth: [4, 3] }, "RangeError: axis 0: no array padded by (4, 3) with interio..."],
    [inside, { padWidth: [1, 0], interior: 2 }, "RangeError: axis 0: no array padded by (1, 0)..."],
    [batch, { size: 5 }, "PadError: item 0, axis 0: 6 cells do not fit into 5: choose a larger..."],
    [batch, { mode: "edge" }, "PadError: item 1, axis 0: mode edge has no element t...", withEmpty],
    [batch, { ...cut, mode: "edge", out }, "PadError: item 1, axis 0: mode edge has...", withEmpty],
    [batch, {}, "RangeError: padBatch needs at least one item", []],
    [batch, {}, "TypeError: items is not a list of tensors", null],
    [batch, {}, "TypeError: items is not a list of tensors", plain],
    [batch, {}, "TypeError: item 1: data is not a typed array", [six, 7]],
    [batch, {}, "TypeError: item 1: data is not a typed array", [six, null]],
    [batch, {}, "TypeError: item 1 has type int8 in a Int8Array, it...", [six, new Int8Array(1)]],
    [batch, {}, "TypeError: item 1 has type uint16 in a Uint16Array, item 0 typ...", [halves, u16]],
    [batch, {}, "RangeError: item 1 has rank 2, item 0 has 1", [six, tensor]],
    [batch, {}, "RangeError: an item has at most 15 ...", [{ data: six, shape: [6, ...ones(15)] }]],
    [batch, { ...cut, out }, "RangeError: item 1: data: the sh...", [six, { ...plain, dims: [4] }]],
    [batch, { ...cut, out: new Float32Array(7) }, "RangeError: out: the shape needs 8 entries ..."],
    [batch, { size: 2, tooLong: "crop_end", out: six.subarray(2) }, "RangeError: item 0 shares..."],
    [batch, {}, "TypeError: item 0: a list of numbers needs `type`, the elements' type", [[1]]],
    [batch, { type: "uint8" }, "TypeError: item 0: data 300: uint8 holds whole number...", [[300]]],
    [
        batch,
        { atMost: 5 },
        "PadError: item 0, axis 0: 6 cells do not fit into 5: choose a larger...",
    ],
    [batch, { atMost: 5, size: 5 }, "RangeError: an axis takes size or atMost, not both"],
    [
        batch,
        { axes: [] },
        "RangeError: item 1, axis 0: the extent is 2, item 0 has 6: axes that...",
    ],
    [batch, { axes: 1 }, "RangeError: axes: 1 is not an axis of a tensor of rank 1"],
    [batch, { type: "int4" }, "TypeError: item 0: padBatch has no elements of int4", [[1]]],
    [batch, { type: "int4" }, "TypeError: item 0: padBatch has no el...", [new Uint8Array(1)]],
    [batch, { square: [0, 1] }, 'TypeError: padBatch has no option "square"; it has ...'],
    [t.pad, tensor, "TypeError: a tensor has its shape: only options come after it", [2, 3]],
    [t.unpad, tensor, "TypeError: a tensor has its shape: only options come after it", 1],
    [t.pad, { ...plain, stride: [3, 1] }, "TypeError: data has strides: copy its elements into..."],
    [t.pad, image, "RangeError: an ImageData has no shape 1 x 2 x 6", { padWidth: 1, axes: 2 }],
    [t.pad, image, "RangeError: an ImageData has no shape 0 x 2 x 4", { padWidth: { 0: [0, -1] } }],
];
for (const [call, first, sentence, second] of REFUSED_FITS) {
    const name = `${call.name} ${inspect(first)} ${inspect(second)}`;
    check(name, sentence, () => call(first, ...(second === undefined ? [] : [second])));
}

// From docs/semantics.md, and the documents of Python's pad_to and pad_batch.
const asText = (made) =>
    JSON.stringify(made, (_, one) => (ArrayBuffer.isView(one) ? `${one}` : one));
const column = { padWidth: { 1: [0, 1] }, mode: "edge" };
const widened = '{"type":"float32","data":"1,2,3,3,4,5,6,6","dims":[2,4]}';
const red = { padWidth: { 1: [1, 0] }, constantValue: [9, 9, 9, 255], constantAxis: -1 };
const lists = { type: "int64", ...cut, size: 2, mask: true, lengths: true };
const MADE = [
    [
        to({ size: [3, 2], tooLong: ["error", "crop_end"], align: [1, "start"] }, [2, 3]),
        '{"data":"0,0,1,2,4,5","shape":[3,2],"padWidth":[[1,0],[0,-1]]}',
    ],
    [
        to({ square: [0, 1], multiple: 2, align: { 1: "end" } }, [2, 3]),
        '{"data":"0,0,0,0,0,1,2,3,0,4,5,6,0,0,0,0","shape":[4,4],"padWidth":[[1,1],[1,0]]}',
    ],
    [to({ multiple: 4, align: 0, mode: "edge" }).data, '"1,2,3,4,5,6,6,6"'],
    [
        batch(lists, [[5n, 8, 2], [7]]),
        '{"data":"5,8,7,0","shape":[2,2],"mask":"1,1,1,0","lengths":[2,1]}',
    ],
    [t.padTo(halves, { ...tenth, type: undefined }).data, '"1,2,11878"'],
    [batch(tenth, [halves, halves]).data, '"1,2,11878,1,2,11878"'],
    [batch({ out: new Float32Array(12) }).data, '"1,2,3,4,5,6,5,6,0,0,0,0"'],
    [batch({}, new Set([six])), '{"data":"1,2,3,4,5,6","shape":[1,6]}'],
    [batch({}, [image, image]).shape, "[2,1,2,4]"],
    [t.pad(tensor, column), widened],
    [t.pad(plain, column), widened],
    [t.onnx.pad(tensor, { pads: [0, 0, 0, 1], mode: "edge" }), widened],
    [t.pad({ data: six, shape: [6] }), '{"data":"1,2,3,4,5,6","shape":[6]}'],
    [t.padTo(plain, { size: [2, 1], tooLong: "crop_end" }).padWidth, "[[0,0],[0,-2]]"],
    [
        t.pad({ ...plain, type: "complex64", dims: [3] }, { padWidth: [1, 0] }).data,
        '"0,0,1,2,3,4,5,6"',
    ],
    [
        t.pad(image, red),
        '{"data":"9,9,9,255,1,2,3,4,5,6,7,8","width":3,"height":1,"colorSpace":"p3"}',
    ],
    [t.padTo(image, { size: 3 }).padWidth, "[[1,1],[0,1],[0,0]]"],
    [t.unpad(t.pad(image, { padWidth: 2 }), { padWidth: 2 }), asText(image)],
    [t.unpad(t.pad(image, { padWidth: 2 }), { padWidth: 2 }) instanceof Image, "true"],
    [[t.pad, t.padTo, (one) => batch({}, [one])].every((f) => f(tensor) instanceof Tensor), "true"],
];
MADE.forEach(([made, wanted], i) => check(`MADE ${i}`, wanted, () => asText(made)));

// ---- Calls that give a result ------------------------------------------------------------------

const made = (data, shape, options) => `${t.pad(data, shape, options).data}`;
const sixes = (options) => made(six, [6], options);
const many = lying(new Uint8Array(400_000).fill(5), { byteLength: 1, buffer: new ArrayBuffer(9) });
const alone = { padWidth: [1, 0], constantValue: 2n ** 64n - 1n };
const elsewhere = runInNewContext("new Float32Array([1,2,3])");
const values = lying(new Uint8Array([7, 8]), { byteLength: 1, byteOffset: 1 });
const along = { padWidth: [0, 1], axes: 1, constantValue: values, constantAxis: 0 };
const unused = { padWidth: 1, constantValue: 1.5, type: "float16", out: six };
checkAll([
    [
        "0,1,2,3,4,5,6,0",
        () => sixes({ padWidth: 1, out: lying(new Float32Array(8), { set: () => 0 }) }),
        () => sixes(Object.assign(Object.create(null), { padWidth: 1 })),
    ],
    ["true", () => t.pad(many, [400_000], { padWidth: 0 }).data.every((byte) => byte === 5)],
    ["1,7,2,8", () => made(new Uint8Array([1, 2]), [2, 1], along)],
    ["2,3", () => t.padShape([2n, 3n]), () => t.padShape(new BigInt64Array([2n, 3n]))],
    ["2,3", () => t.padShape(new Int32Array([2, 3]))],
    ["1", () => made(six.subarray(0, 1), [], { padWidth: [] })],
    ["1,2,3,4,5,6", () => sixes({ padWidth: -0 })],
    ["0,1,2,3,4,5", () => sixes({ padWidth: [1n, -1n] })],
    ["4,5", () => t.padShape([2, 3], unused)],
    ["1,1,2,3,3", () => made(elsewhere, [3], { padWidth: 1, mode: "edge" })],
    ["9,1,2,3,9", () => made(Buffer.from([1, 2, 3]), [3], { padWidth: 1, constantValue: 9 })],
    [`${2n ** 64n - 1n},5`, () => made(new BigUint64Array([5n]), [1], alone)],
    ["NaN,1", () => made(six.subarray(0, 1), [1], { padWidth: [1, 0], constantValue: NaN })],
    ["true", () => Object.is(ofSix({ padWidth: 1, constantValue: -0 }).data[7], -0)],
]);

// ---- Arguments that throw, or that call the package while they are read ------------------------

const fresh = createTensorpad(await freshInstance());
const READ = ["padWidth", "mode", "interior", "order", "axes", "constantValue", "constantAxis"];
for (const name of [...READ, "type", "out"]) {
    const throws = getter(name, () => {
        throw new Error("mine");
    });
    const calls = getter(name, padsToo);
    check(`a getter ${name} that throws`, "Error: mine", () => t.pad(six, [6], throws));
    if (READ.includes(name)) {
        check(`a getter ${name} that calls pad`, CALLED, () => t.pad(six, [6], calls));
    }
}
const small = new t.Plan(Float64Array, [3], { padWidth: 2 });
const large = new t.Plan(Float64Array, [1e6], { padWidth: 2 });
/** Pads with a mode that calls that. */
const padWhile = (call) => ofSix(getter("mode", () => (call(), "edge"), { padWidth: 1 }));
const entryThat = (call) =>
    new Proxy([1], { get: (list, key) => (key === "0" && call(), list[key]) });
checkAll([
    [
        CALLED,
        () => padWhile(() => new t.Plan(Float64Array, [3], { padWidth: 2 })),
        () => padWhile(() => small.run(new Float64Array(3))),
        () => padWhile(() => large.run(new Float64Array(1e6))),
        () => padWhile(() => t.allocate(Float64Array, 4).free()),
        () => padWhile(() => t.onnx.pad(six, [6], { pads: [1, 1] })),
        () => t.pad(six, Object.defineProperty([2, 3], 1, { get: () => t.pad(six, [6]) && 3 })),
        () => fresh.pad(six, [6], { interior: entryThat(() => fresh.pad(six, [6])) }),
        () => fresh.pad(six, [6], { interior: entryThat(() => fresh.allocate(Uint8Array, 8e6)) }),
        () => thenWith({ padWidth: 1 }, getter("padWidth", padsToo)),
    ],
    [
        "TypeError: the options of pad must be an object",
        () => thenWith(undefined, null),
        () => thenWith(undefined, 1),
    ],
    ['TypeError: pad has no option "padwidth"...', () => thenWith(undefined, { padwidth: 1 })],
    [
        'TypeError: pad has no option "modes"...',
        () => thenWith({ padWidth: 1 }, { padWidth: 1, modes: "edge" }),
        () => thenWith({ padWidth: 1, mode: undefined }, { padWidth: 1, modes: "edge" }),
    ],
    [
        "RangeError: data: the shape needs 6 entries...",
        () => thenWith({ padWidth: 1 }, {}) && t.pad(six.subarray(1), [6], {}),
    ],
]);

// ---- Results that a call before, or memory, could spoil -----------------------------------------

const held = (Class, constantValue, type) =>
    t.pad(new Class(0), [0], { padWidth: [1, 0], constantValue, type }).data[0];
checkAll([
    [`${0x7bff}`, () => held(Uint16Array, 65519.99, "float16")],
    [`${0xfc00}`, () => held(Uint16Array, -Infinity, "float16")],
    [`${0x7f7f}`, () => held(Uint16Array, 3.396177529230459e38, "bfloat16")],
    [`${0x7f80}`, () => held(Uint16Array, Infinity, "bfloat16")],
    [`${2 ** 128 - 2 ** 104}`, () => held(Float32Array, 2 ** 128 - 2 ** 103 - 2 ** 75)],
    ["-Infinity", () => held(Float32Array, -Infinity)],
    [`${Number.MAX_VALUE}`, () => held(Float64Array, Number.MAX_VALUE)],
    ["NaN", () => held(Float32Array, NaN)],
]);
check("problems that differ in one thing", "true", () => {
    const base = { padWidth: [-1, 3], mode: "wrap" };
    const others = [
        [Int16Array, [2, 4], { mode: "reflect" }],
        [Int16Array, [2, 4], { order: "crop" }],
        [Int16Array, [2, 4], { interior: [0, 1] }],
        [Int16Array, [2, 4], { padWidth: [0, 3] }],
        [Int16Array, [2, 4], { padWidth: [-1, 2] }],
        [Int16Array, [4, 2], {}],
        [Int16Array, [8], {}],
        [Uint8Array, [2, 4], {}],
    ];
    for (const [Array, shape, difference] of others) {
        const options = { ...base, ...difference };
        const data = Array.from([1, 2, 3, 4, 5, 6, 7, 8]);
        const expected = new t.Plan(Array, shape, options).run(data).join();
        for (let n = 0; n < 2; n++) t.pad(Int16Array.from(data), [2, 4], base);
        const made = t.pad(data, shape, options).data.join();
        if (made !== expected) return `${JSON.stringify(options)}: ${made}`;
    }
    return true;
});
check("out is a Buffer that begins in the data", "true", () => {
    const whole = Buffer.alloc(700_000);
    for (let n = 0; n < 300_000; n++) whole[n] = n % 251;
    const data = Buffer.from(whole.subarray(0, 300_000));
    const expected = t.pad(data, [300_000], { padWidth: 9 }).data;
    const out = whole.subarray(100, 300_118);
    const { data: made } = t.pad(whole.subarray(0, 300_000), [300_000], { padWidth: 9, out });
    return made === out && Buffer.compare(out, expected) === 0;
});
check("many plans at once", "true", () => {
    const plans = [];
    for (let n = 0; n < 40; n++)
        plans.push(new t.Plan(Float64Array, [4], { padWidth: [n, 0], constantValue: n }));
    for (let round = 0; round < 3; round++) {
        for (let n = 39; n >= 0; n--) {
            const made = plans[n].run(new Float64Array([-1, -2, -3, -4])).join();
            const wanted = [...new Array(n).fill(n), -1, -2, -3, -4].join();
            if (made !== wanted) return `plan ${n}: ${made}`;
        }
    }
    return true;
});
check("parts of arrays in the engine", "true", () => {
    const a = t.allocate(Int16Array, 10);
    const b = t.allocate(Int16Array, 10);
    a.data.set([0, 0, 1, 2, 3, 0, 0, 0, 0, 0]);
    t.pad(a.data.subarray(2, 5), [3], { padWidth: 1, mode: "edge", out: b.data.subarray(3, 8) });
    const across = b.data.join();
    t.pad(a.data.subarray(2, 5), [3], { padWidth: 1, mode: "edge", out: a.data.subarray(3, 8) });
    const onto = a.data.join();
    a.free();
    b.free();
    return (
        (across === "0,0,0,1,1,2,3,3,0,0" && onto === "0,0,1,1,1,2,3,3,0,0") || `${across} ${onto}`
    );
});
for (const given of ["data", "out", "data and out"]) {
    const grows = createTensorpad(await freshInstance());
    check(`a large packed tensor with ${given} in the engine`, "true", () => {
        const a = grows.allocate(Uint8Array, 3e6);
        const b = grows.allocate(Uint8Array, 3e6 + 1);
        a.data.fill(0x21);
        const shape = [6e6];
        const options = { padWidth: [1, 1], type: "int4", constantValue: 7 };
        const data = given === "out" ? Uint8Array.from(a.data) : a.data;
        const out = given === "data" ? undefined : b.data;
        const made = grows.pad(data, shape, { ...options, out }).data;
        const well =
            made.length === 3e6 + 1 &&
            made[0] === 0x17 &&
            made[3e6] === 0x72 &&
            made.subarray(1, 3e6).every((byte) => byte === 0x12);
        a.free();
        b.free();
        return well;
    });
}
check("views after the memory grew", "true", () => {
    const array = t.allocate(Uint8Array, 4);
    array.data.set([1, 2, 3, 4]);
    const old = array.data;
    const large = t.allocate(Uint8Array, 40e6);
    const now = array.data;
    const result = t.pad(now, [4], { padWidth: 1, mode: "wrap" }).data.join();
    const well =
        old.length === 0 &&
        now.join() === "1,2,3,4" &&
        result === "4,1,2,3,4,1" &&
        plan.run(six).length === 20;
    large.free();
    array.free();
    return well;
});
check("memory that was given back is used again", "true", () => {
    const sizes = [];
    let seed = 1;
    for (let round = 0; round < 6; round++) {
        const arrays = [];
        for (let n = 0; n < 500; n++) {
            seed = (seed * 48271) % 2147483647;
            const array = t.allocate(Uint8Array, seed % 5000);
            array.data.fill(n % 251);
            arrays.push(array);
            if (seed % 3 === 0) {
                const [old] = arrays.splice(seed % arrays.length, 1);
                if (new Set(old.data).size > 1) return "one array wrote into another";
                old.free();
            }
        }
        for (const array of arrays) {
            if (new Set(array.data).size > 1) return "one array wrote into another";
            array.free();
        }
        const last = t.allocate(Uint8Array, 1);
        sizes.push(last.data.buffer.byteLength);
        last.free();
    }
    return sizes[0] === sizes[5] || sizes.join();
});
check("a subclass that tells another length", "true", () => {
    const { data } = t.pad(new Small(40_000).fill(5), [40_000], { padWidth: 1 });
    return data[0] === 0 && data[40_001] === 0 && data.subarray(1, 40_001).every((v) => v === 5);
});
check("an out that pads when it is asked for", "true", () => {
    const other = { padWidth: 1, constantValue: 3 };
    const call = () => void t.pad(new Float64Array(6), [6], other);
    const options = getter("out", call, { padWidth: 1 });
    return t.pad(six, [6], options).data.join() === "0,1,2,3,4,5,6,0";
});
check("out is the result, if the memory did not grow", "true", () => {
    const [small, large] = [fresh.allocate(Uint8Array, 300_001), fresh.allocate(Uint8Array, 4e6)];
    large.free();
    const out = small.data;
    const options = { padWidth: 1, type: "int4", out };
    const { data } = fresh.pad(new Uint8Array(300_000), [600_000], options);
    small.free();
    return data === out;
});
/** What an error tells beside its sentence. */
function told(call) {
    try {
        return call();
    } catch ({ status, axis, got, limit }) {
        return `${status} ${axis} ${got} ${limit}`;
    }
}
/** Calls twice with the first options, so that they are kept, and then with the others. */
function thenWith(first, options) {
    for (let n = 0; n < 2; n++) t.pad(six, [6], first);
    return t.pad(six, [6], options).data;
}
check("a getter that answers something else each time", "true", () => {
    let calls = 0;
    const options = getter("padWidth", () => [0, ++calls % 3]);
    const lengths = [];
    for (let n = 0; n < 20; n++) {
        const before = calls;
        const { length } = t.pad(six, [6], options).data;
        const answers = Array.from(
            { length: calls - before },
            (_, k) => 6 + ((before + k + 1) % 3),
        );
        lengths.push(answers.includes(length));
    }
    return lengths.every(Boolean);
});
check("a plan between", "true", () => {
    const plan = new t.Plan(Float32Array, [6], { padWidth: 1, constantValue: 9 });
    thenWith({ padWidth: 1 }, { padWidth: 1 });
    const made = plan.run(six);
    return (
        made[0] === 9 &&
        thenWith({ padWidth: 1 }, { padWidth: 1 })[0] === 0 &&
        plan.run(six)[7] === 9
    );
});
for (const [Class, constantValue, after = 4] of [
    [Float64Array, 0.1],
    [BigInt64Array, 5n],
    [Float32Array, -0],
    [Uint8Array, 7],
    [Uint8Array, 7, 5], // rows and what is between them are whole words, that begin within one
]) {
    check(`a constant of ${Class.name} around long rows`, "true", () => {
        const data = new Class(400 * 2000).map((_, i) =>
            typeof constantValue === "bigint" ? BigInt(i) : i % 250,
        );
        const options = { padWidth: pair(1, 2, 3, after), constantValue };
        const row = 2003 + after;
        const wanted = new Class(403 * row).fill(constantValue);
        for (let y = 0; y < 400; y++) {
            wanted.set(data.subarray(2000 * y, 2000 * y + 2000), row * (y + 1) + 3);
        }
        const bytes = (array) => Buffer.from(array.buffer);
        return [1, 2, 3].every(() => {
            return bytes(t.pad(data, [400, 2000], options).data).equals(bytes(wanted));
        });
    });
}
check("large ones in turns", "true", () => {
    const data = new Float32Array(400 * 500).fill(2);
    const options = { padWidth: pair(1, 0, 3, 2), constantValue: 5 };
    const plan = new t.Plan(Float32Array, [400, 500], { ...options, constantValue: 6 });
    const other = new t.Plan(Float32Array, [500, 400], { padWidth: 4, mode: "edge" });
    let well = true;
    for (let n = 0; n < 4; n++) {
        for (let k = 0; k < 2; k++) {
            const made = t.pad(data, [400, 500], options).data;
            well &&= made[0] === 5 && made[505] === 5 && made[508] === 2 && made.at(-1) === 5;
        }
        const made = plan.run(data);
        well &&= made[0] === 6 && made[505] === 6 && made[508] === 2 && made.at(-1) === 6;
        well &&= other.run(data).every((value) => value === 2);
    }
    return well;
});
const nine = new Uint8Array([9]);
const one8 = (constantValue) => made(nine, [1], { padWidth: 1, constantValue });
const onePad = { padWidth: 1 };
const list8 = { padWidth: 1, constantValue: [4, 5, 6], constantAxis: 0 };
const listPlan = new t.Plan(Uint8Array, [1], list8);
const bits16 = (type) =>
    made(new Uint16Array([0x3e00]), [1], { padWidth: [0, 1], constantValue: 1, type });
const wrap = (opset) => `${t.onnx.pad(six, [6], { pads: [1, 0], mode: "wrap", opset }).data}`;
const changing = { padWidth: [1, 0], mode: ["edge"] };
const shape = [2, 3];
const hidden = Object.defineProperty({ padWidth: 1 }, "mode", { value: "edge" });
const one1 = new Uint8Array([0b10100000]);
const openvino = (options, data = six, shape = [6]) =>
    t.openvino.pad(data, shape, { padsEnd: [0], padMode: "constant", ...options }).data;
const bits = { padsBegin: [1], padsEnd: [1], type: "u1", version: 12, lenient: true };
const bit = (padValue) => openvino({ ...bits, padValue }, one1, [3]);
const ngraph = (argPadValue) =>
    t.ngraph.pad(six, [6], { argPadValue, paddingBelow: [1], paddingAbove: [1] }).data;
const empty = t.allocate(Int32Array, 0);
const three = t.allocate(Int32Array, 3);
checkAll([
    [
        "6,1,2,3,4,5",
        () => {
            const both = six.slice();
            return made(both, [6], { padWidth: [1, -1], mode: "wrap", out: both });
        },
    ],
    ["0,1,2,3,4,5,6,0", () => new t.Plan(Float32Array, [6], { padWidth: 1 }, () => 1).run(six)],
    ["1,1,2,3,3,1,1,2,3,3,4,4,5,6,6,4,4,5,6,6", () => plan.run(six)],
    ["4,5", () => (plan.outShape[0] = 99) && plan.outShape],
    ["2,3 float32", () => `${plan.inShape} ${plan.type}`],
    ["4 x 5 elements of 32 bits\n...", () => plan.describe(), () => plan.describe()],
    ["0,0,0", () => three.data],
    ["true", () => three.data === three.data],
    ["0,0,0,0", () => made(empty.data, [0], { padWidth: 2 })],
    // What a call left behind.
    ["4,9,6", () => made(nine, [1], list8), () => listPlan.run(nine)],
    ["7,9,7", () => one8(7)],
    ["0,9,0", () => one8(), () => t.onnx.pad(nine, [1], { pads: [1, 1] }).data],
    ["4,9,6", () => listPlan.run(nine)],
    ["8,9,8", () => one8(8), () => one8(8)],
    [
        "7,9,7",
        () => t.onnx.pad(nine, [1], { pads: [1, 1], constantValue: new Uint8Array([7]) }).data,
    ],
    ["8,9,8", () => one8(8)],
    ["1,1,2,3,4,5,6", () => made(six, [6], changing), () => made(six, [6], changing)],
    [
        "6,1,2,3,4,5,6,1",
        () => {
            changing.padWidth[1] = 1;
            changing.mode[0] = "wrap";
            return made(six, [6], changing);
        },
    ],
    [
        "1,2,3,0,4,5,6,0",
        () => made(six, shape, { padWidth: pair(0, 0, 0, 1) }),
        () => made(six, shape, { padWidth: pair(0, 0, 0, 1) }),
    ],
    ["1,2,0,3,4,0,5,6,0", () => made(six, shape.reverse(), { padWidth: pair(0, 0, 0, 1) })],
    [
        "true",
        () => {
            const [zero, other] = [0, -0].map((value) => ({ padWidth: 1, constantValue: value }));
            return Object.is(thenWith(zero, other)[0], -0);
        },
    ],
    ["1,1,2,3,4,5,6,6", () => thenWith({ padWidth: 1 }, hidden)],
    ["8,3", () => thenWith(onePad, onePad) && t.pad(six, [6, 1], onePad).shape],
    ["15872,15360", () => bits16("float16"), () => bits16("float16")],
    ["15872,16256", () => bits16("bfloat16")],
    ["0,1,2,3,4,5,6,0", () => thenWith({ padWidth: 1 }, { padWidth: 1 })],
    ["0,7,7,7,7,7,7,0", () => made(new Int32Array(6).fill(7), [6], { padWidth: 1 })],
    ["6,1,2,3,4,5,6", () => wrap(19), () => wrap(19)],
    ["PadError: ...", () => wrap(18)],
    ["6,1,2,3,4,5,6", () => wrap(19)],
    ["E_NEGATIVE 1 -2 0", () => told(() => t.padShape([3, 2], { padWidth: { 1: -2 } }))],
    ["E_SPEC_MODE...", () => told(() => wrap(18))],
    // What a specification does where its options say nothing, and constants of other types.
    [
        "PadError: ...",
        () => openvino({ padsBegin: [-1] }),
        () => openvino({ padsBegin: [-1], version: 1 }),
    ],
    ["2,3,4,5,6", () => openvino({ padsBegin: [-1], version: 12 })],
    ["216", () => bit(1), () => bit(new Uint8Array([0x80]))],
    [
        "216",
        () => made(one1, [3], { padWidth: 1, type: "uint1", constantValue: new Uint8Array([128]) }),
    ],
    ["PadError: ...", () => ngraph(new Float64Array(1)), () => ngraph()],
    ["0,1,2,3,4,5,6,0", () => ngraph(0), () => ngraph(new Float32Array(1))],
    ...["paddingLeft", "paddingRight", "paddingTop", "paddingBottom"].map((name) => [
        `RangeError: ${name}: 1.5 ${NO_NUMBER}`,
        () => t.mli.padding2d(new Int8Array(6), [1, 2, 3], { layout: "chw", [name]: 1.5 }),
    ]),
]);

console.log(JSON.stringify({ done, failed, version: t.version, kernels: t.kernels }));
