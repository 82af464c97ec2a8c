/** Arguments that make no sense, arrays that are gone, getters that misbehave: each gets a clear
 * error or the right result, and the package works afterwards. Prints {done, failed: [text...]}. */

import { createTensorpad } from "tensorpad/create";
import { freshInstance, tensorpad as t } from "./package.mjs";

const failed = [];
let done = 0;

function works() {
    const { data, shape } = t.pad(new Int16Array([1, 2, 3]), [3], { padWidth: 1, mode: "wrap" });
    return data.join() === "3,1,2,3,1" && shape.join() === "5";
}

/** Runs one case; `run` throws, or returns whether all is well. */
function check(name, run) {
    done++;
    let well = false;
    try {
        well = run();
    } catch (error) {
        well = String(error);
    }
    if (well !== true) failed.push(`${name}: ${well}`);
    if (!works()) failed.push(`${name}: pad does not work afterwards`);
}

/** The call is refused with this class of errors and a text that matches. */
function refused(name, kind, text, run) {
    check(name, () => {
        try {
            run();
        } catch (error) {
            return (error.name === kind && text.test(error.message)) || `${error}`;
        }
        return "was not refused";
    });
}

const f = new Float32Array([1, 2, 3, 4, 5, 6]);

// Data and shape.
for (const data of [
    undefined,
    null,
    [1, 2, 3],
    new ArrayBuffer(12),
    new DataView(new ArrayBuffer(12)),
    "abc",
    7,
    { length: 6, [Symbol.toStringTag]: "Float32Array" },
    Float32Array,
]) {
    refused(`data ${String(data)}`, "TypeError", /^data is not a typed array$/, () =>
        t.pad(data, [6]),
    );
}
refused(
    "shape too short",
    "RangeError",
    /^data: the shape needs 2 entries of Float32Array, got 6$/,
    () => t.pad(f, [2], { padWidth: 1 }),
);
refused("shape too long", "RangeError", /needs 9 entries .* got 6/, () => t.pad(f, [3, 3]));
refused("no shape", "TypeError", /^shape is not a list/, () => t.pad(f));
refused("shape is text", "TypeError", /^shape is not a list/, () => t.pad(f, "23"));
refused("shape is a number", "TypeError", /^shape is not a list/, () => t.pad(f, 6));
refused("shape NaN", "RangeError", /^shape: NaN is not a whole number/, () => t.pad(f, [NaN]));
refused("shape 2.5", "RangeError", /^shape: 2.5 is not a whole number/, () => t.pad(f, [2.5]));
refused("shape Infinity", "RangeError", /^shape: Infinity/, () => t.pad(f, [Infinity]));
refused("shape 2^53", "RangeError", /^shape: 9007199254740992 /, () => t.pad(f, [2 ** 53]));
refused("shape of words", "TypeError", /^shape: "6" is not a number/, () => t.pad(f, ["6"]));
refused("shape with a hole", "TypeError", /^shape: undefined/, () => t.pad(f, [, 6]));
refused("shape -1", "PadError", /^axis 0: input extent -1/, () => t.pad(f, [-1]));
refused("rank 17", "RangeError", /^shape: rank 17 is not between 0 and 16$/, () =>
    t.pad(f, new Array(17).fill(1)),
);
refused("rank 65", "RangeError", /^shape has 65 entries/, () => t.pad(f, new Array(65).fill(1)));
check("shape of bigints", () => t.pad(f, [2n, 3n]).shape.join() === "2,3");
check(
    "shape in typed arrays",
    () =>
        t.pad(f, new BigInt64Array([2n, 3n])).shape.join() === "2,3" &&
        t.pad(f, new Int32Array([2, 3])).shape.join() === "2,3",
);
check("rank 0", () => t.pad(f.subarray(0, 1), [], { padWidth: [] }).data[0] === 1);

// Options.
refused("options null", "TypeError", /^the options of pad must be an object/, () =>
    t.pad(f, [6], null),
);
refused("options are a number", "TypeError", /^the options of pad must be an object/, () =>
    t.pad(f, [6], 1),
);
refused("a slip", "TypeError", /^pad has no option "padwidth"; it has padWidth/, () =>
    t.pad(f, [6], { padwidth: 1 }),
);
refused("padWidth NaN", "RangeError", /^padWidth: NaN/, () => t.pad(f, [6], { padWidth: NaN }));
refused("padWidth 1.5", "RangeError", /^padWidth: 1.5/, () => t.pad(f, [6], { padWidth: 1.5 }));
refused("padWidth huge", "RangeError", /^padWidth: 1e\+300/, () =>
    t.pad(f, [6], { padWidth: 1e300 }),
);
refused("padWidth text", "TypeError", /^padWidth: "1" is not a number/, () =>
    t.pad(f, [6], { padWidth: "1" }),
);
refused("padWidth null", "TypeError", /^padWidth: null/, () => t.pad(f, [6], { padWidth: null }));
refused("padWidth of three", "RangeError", /^padWidth has 3 entries for 2 axes/, () =>
    t.pad(f, [2, 3], { padWidth: [1, 2, 3] }),
);
refused(
    "padWidth of three numbers for three axes",
    "TypeError",
    /^padWidth is not one number, two/,
    () => t.pad(f, [1, 2, 3], { padWidth: [1, 2, 3] }),
);
refused("three amounts", "RangeError", /^padWidth: axis 1 has 3 amounts/, () =>
    t.pad(f, [2, 3], {
        padWidth: [
            [1, 2],
            [1, 2, 3],
        ],
    }),
);
refused(
    "padWidth of no axis",
    "RangeError",
    /^padWidth: 2 is not an axis of a tensor of rank 2$/,
    () => t.pad(f, [2, 3], { padWidth: { 2: 1 } }),
);
refused("padWidth of a word", "TypeError", /^padWidth: "left" is not a number/, () =>
    t.pad(f, [2, 3], { padWidth: { left: 1 } }),
);
for (const value of [new Map([[0, 1]]), new Set([1]), new Date(0), /1/, Promise.resolve(1)]) {
    for (const name of ["padWidth", "mode", "interior"]) {
        refused(`${name} ${value}`, "TypeError", /^\w+ must be one value, a list by axis/, () =>
            t.pad(f, [6], { [name]: value }),
        );
    }
}
check("padShape with the options of pad", () => {
    const options = { padWidth: 1, constantValue: 1.5, type: "float16", out: f };
    return t.padShape([2, 3], options).join() === "4,5";
});
refused(
    "an extent that JavaScript cannot count",
    "PadError",
    /^axis 0: output extent \d+3 exc/,
    () => t.padShape([2 ** 53 - 1], { padWidth: 2 ** 53 - 1 }),
);
refused("an axis twice", "RangeError", /^padWidth: axis 1 is named twice/, () =>
    t.pad(f, [2, 3], { padWidth: { 1: 1, "-1": 2 } }),
);
refused(
    "a mode nobody has",
    "TypeError",
    /^mode "mirror" is not supported: it is one of constant, edge/,
    () => t.pad(f, [6], { mode: "mirror" }),
);
refused("mode null", "TypeError", /^mode null is not supported/, () =>
    t.pad(f, [6], { mode: null }),
);
refused("too many modes", "RangeError", /^mode has 3 entries for 2 axes/, () =>
    t.pad(f, [2, 3], { mode: ["edge", "edge", "edge"] }),
);
refused("interior -1", "PadError", /^axis 0: interior -1/, () => t.pad(f, [6], { interior: -1 }));
refused("order", "TypeError", /^order "both" is not known/, () => t.pad(f, [6], { order: "both" }));
refused("axes twice", "RangeError", /^axes: axis 0 is named more than once/, () =>
    t.pad(f, [2, 3], { axes: [0, -2] }),
);
refused("axes out of range", "RangeError", /^axes: 2 is not an axis/, () =>
    t.pad(f, [2, 3], { axes: 2 }),
);
refused("an unknown type", "TypeError", /^type: "float128" is not known: it is one of int8/, () =>
    t.pad(f, [6], { type: "float128" }),
);
refused(
    "a type of another array",
    "TypeError",
    /^data is a Float32Array; elements of int4 lie in a Uint8Array/,
    () => t.pad(f, [6], { type: "int4" }),
);
refused(
    "an output that is too large",
    "PadError",
    /^the output has 4000000000000 bytes, more than/,
    () => t.pad(f.subarray(0, 0), [0], { padWidth: [0, 1e12] }),
);
refused("an output of 2^104 elements", "PadError", /the number of elements exceeds/, () =>
    t.padShape([2 ** 52, 2 ** 52]),
);
check("amounts of -0", () => t.pad(f, [6], { padWidth: -0 }).data.join() === f.join());
check(
    "amounts as bigints",
    () => t.pad(f, [6], { padWidth: [1n, -1n] }).data.join() === "0,1,2,3,4,5",
);

// An integer is a whole number or a bigint, in every option that has integers.
const integerOptions = {
    shape: (n) => t.padShape([n], { padWidth: 1 }),
    padWidth: (n) => t.pad(f, [6], { padWidth: n }),
    "padWidth pair": (n) => t.pad(f, [6], { padWidth: [1, n] }),
    interior: (n) => t.pad(f, [6], { interior: n }),
    axes: (n) => t.pad(f, [3, 2], { padWidth: 1, axes: [n] }),
    "onnx pads": (n) => t.onnx.pad(f, [6], { pads: [n, 1] }),
    "onnx axes": (n) => t.onnx.pad(f, [3, 2], { pads: [1, 1], axes: [n] }),
    "openvino begin": (n) =>
        t.openvino.pad(f, [6], { padsBegin: [n], padsEnd: [1], padMode: "constant" }),
    "openvino version": (n) =>
        t.openvino.pad(f, [6], { padsBegin: [1], padsEnd: [1], padMode: "constant", version: n }),
    "ngraph below": (n) =>
        t.ngraph.pad(f, [6], { argPadValue: 0, paddingBelow: [n], paddingAbove: [1] }),
    mli: (n) => t.mli.padding2d(new Int8Array(6), [1, 2, 3], { layout: "chw", paddingLeft: n }),
};
for (const [name, call] of Object.entries(integerOptions)) {
    for (const [value, kind] of [
        [1.7, "RangeError"],
        [NaN, "RangeError"],
        [Infinity, "RangeError"],
        [2n ** 70n, "RangeError"],
        ["1", "TypeError"],
        [true, "TypeError"],
        [null, "TypeError"],
    ]) {
        refused(`${name} ${String(value)}`, kind, /is not a (whole )?number/, () => call(value));
    }
    check(`${name} as a bigint`, () => Boolean(call(1n)));
}

// Constants.
for (const [array, value] of [
    [new Int8Array(1), 128],
    [new Uint8Array(1), 300],
    [new Int8Array(1), -129],
    [new Uint8Array(1), -1],
    [new Uint8ClampedArray(1), 256],
    [new Int32Array(1), 2 ** 31],
    [new Uint32Array(1), 2 ** 32],
    [new Int16Array(1), 1.5],
    [new Int16Array(1), NaN],
    [new Int16Array(1), Infinity],
]) {
    refused(
        `${value} in ${array.constructor.name}`,
        "TypeError",
        /^constantValue .* holds whole numbers from/,
        () => t.pad(array, [1], { padWidth: 1, constantValue: value }),
    );
}
for (const [array, value] of [
    [new BigInt64Array(1), 2n ** 63n],
    [new BigUint64Array(1), -1n],
    [new BigUint64Array(1), 2n ** 64n],
    [new BigInt64Array(1), 0.5],
]) {
    refused(
        `${value} in ${array.constructor.name}`,
        "TypeError",
        /^constantValue .* cannot hold it/,
        () => t.pad(array, [1], { padWidth: 1, constantValue: value }),
    );
}
for (const [type, array, value] of [
    ["float16", new Uint16Array(1), 65520],
    ["bfloat16", new Uint16Array(1), -3.3961775292304601e38],
    ["float32", new Float32Array(1), 1e39],
    ["float32", new Float32Array(1), 10n ** 39n],
    ["float32", new Float32Array(1), 2 ** 128 - 2 ** 103],
    ["float64", new Float64Array(1), 10n ** 400n],
    ["complex64", new Float32Array(2), [0, -1e39]],
    ["complex128", new Float64Array(2), [10n ** 400n, 0]],
]) {
    const most =
        {
            float16: "65504",
            bfloat16: "3.3895314e38",
            float32: "3.4028235e38",
            complex64: "3.4028235e38",
        }[type] ?? "1.7976931e308";
    const limit = most.replace("e", "e\\+").replace(".", "\\.");
    refused(
        `${value} in ${type}`,
        "TypeError",
        new RegExp(`^constantValue .* ${type} holds numbers from -${limit} to ${limit}$`),
        () => t.pad(array, [1], { padWidth: 1, constantValue: value, type }),
    );
}
check("the largest numbers", () => {
    const held = (array, constantValue, type) =>
        t.pad(array, [0], { padWidth: [1, 0], constantValue, type }).data[0];
    return (
        held(new Uint16Array(0), 65519.99, "float16") === 0x7bff &&
        held(new Uint16Array(0), -Infinity, "float16") === 0xfc00 &&
        held(new Uint16Array(0), 3.396177529230459e38, "bfloat16") === 0x7f7f &&
        held(new Uint16Array(0), Infinity, "bfloat16") === 0x7f80 &&
        held(new Float32Array(0), 2 ** 128 - 2 ** 103 - 2 ** 75) ===
            Math.fround(2 ** 128 - 2 ** 104) &&
        held(new Float32Array(0), -Infinity) === -Infinity &&
        held(new Float64Array(0), Number.MAX_VALUE) === Number.MAX_VALUE &&
        Number.isNaN(held(new Float32Array(0), NaN))
    );
});
refused(
    "a word as constant",
    "TypeError",
    /^constantValue 7: an element of float32 is a number/,
    () => t.pad(f, [6], { constantValue: "7" }),
);
refused("a word as integer", "TypeError", /^constantValue 7: int8 holds whole numbers/, () =>
    t.pad(new Int8Array(1), [1], { constantValue: "7" }),
);
refused(
    "a float8 as a number",
    "TypeError",
    /^constantValue 1: numbers have no conversion to float8e5m2/,
    () => t.pad(new Uint8Array(1), [1], { type: "float8e5m2", constantValue: 1 }),
);
refused("2 as bool", "TypeError", /^constantValue 2: an element of bool is true or false/, () =>
    t.pad(new Uint8Array(1), [1], { type: "bool", constantValue: 2 }),
);
refused(
    "an array of two",
    "RangeError",
    /^constantValue has 2 entries; one element of float32 has 1/,
    () => t.pad(f, [6], { constantValue: new Float32Array(2) }),
);
refused(
    "another class",
    "TypeError",
    /^constantValue is an element of float64; the data is float32/,
    () => t.pad(f, [6], { constantValue: new Float64Array(1) }),
);
for (const [what, name, text, constantValue, constantAxis, type] of [
    [
        "three values for four channels",
        "RangeError",
        /has 3 values, but axis 1 of the result has 4 cells/,
        [1, 2, 3],
        -1,
    ],
    [
        "no value for an empty list",
        "RangeError",
        /has 0 values, but axis 0 of the result has 5 cells/,
        [],
        0,
    ],
    ["one value with an axis", "TypeError", /^constantAxis needs constantValue, a list/, 7, 0],
    [
        "an axis without values",
        "TypeError",
        /^constantAxis needs constantValue, a list/,
        undefined,
        0,
    ],
    [
        "an axis that is not there",
        "RangeError",
        /^constantAxis: 2 is not an axis of a tensor of rank 2/,
        [1],
        2,
    ],
    ["two axes", "TypeError", /^constantAxis: 0,1 is not a number/, [1, 2, 3, 4], [0, 1]],
    [
        "a value that is too large",
        "TypeError",
        /^constantValue 256: uint8 holds/,
        [0, 0, 256, 0],
        1,
    ],
    [
        "elements of another class",
        "TypeError",
        /^constantValue is a Int8Array/,
        new Int8Array(4),
        1,
    ],
    [
        "packed elements",
        "TypeError",
        /^constantAxis: elements of int4 take one constant/,
        [1, 2, 3, 4],
        1,
        "int4",
    ],
]) {
    const data = new Uint8Array(type ? 3 : 6);
    const options = { padWidth: 1, constantValue, constantAxis, type };
    refused(what, name, text, () => t.pad(data, [3, 2], options));
    refused(
        what,
        name,
        text,
        () => new t.Plan(type ?? Uint8Array, [3, 2], { ...options, type: undefined }),
    );
}
check("values of one call do not stay for the next", () => {
    const x = new Uint8Array([9]);
    const listed = t
        .pad(x, [1], { padWidth: 1, constantValue: [1, 2, 3], constantAxis: 0 })
        .data.join();
    const plan = new t.Plan(Uint8Array, [1], {
        padWidth: 1,
        constantValue: [4, 5, 6],
        constantAxis: 0,
    });
    const single = t.pad(x, [1], { padWidth: 1, constantValue: 7 }).data.join();
    const none = t.onnx.pad(x, [1], { pads: [1, 1] }).data.join();
    const told = [
        listed,
        single,
        none,
        plan.run(x).join(),
        t.pad(x, [1], { padWidth: 1 }).data.join(),
    ].join(" ");
    return told === "1,9,3 7,9,7 0,9,0 4,9,6 0,9,0" || told;
});
check("bigints in 64 bits", () => {
    const { data } = t.pad(new BigUint64Array([5n]), [1], {
        padWidth: 1,
        constantValue: 2n ** 64n - 1n,
    });
    return data[0] === 2n ** 64n - 1n && data[1] === 5n;
});
check("NaN and -0", () => {
    const nan = t.pad(f, [6], { padWidth: 1, constantValue: NaN }).data;
    const zero = t.pad(f, [6], { padWidth: 1, constantValue: -0 }).data;
    return Number.isNaN(nan[0]) && Object.is(zero[7], -0) && zero[1] === 1;
});

check("the same problem with other constants", () => {
    const told = [];
    for (const constantValue of [1, 2, undefined, 3]) {
        told.push(t.pad(new Int8Array([7]), [1], { padWidth: [1, 0], constantValue }).data[0]);
        told.push(t.onnx.pad(new Int8Array([7]), [1], { pads: [1, 0], constantValue }).data[0]);
    }
    return told.join() === "1,1,2,2,0,0,3,3" || told.join();
});

check("problems that differ in one thing", () => {
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

// out.
refused(
    "out too short",
    "RangeError",
    /^out: the shape needs 8 entries of Float32Array, got 7/,
    () => t.pad(f, [6], { padWidth: 1, out: new Float32Array(7) }),
);
refused("out too long", "RangeError", /got 9/, () =>
    t.pad(f, [6], { padWidth: 1, out: new Float32Array(9) }),
);
refused(
    "out of another class",
    "TypeError",
    /^out is a Int32Array; the data is a Float32Array/,
    () => t.pad(f, [6], { padWidth: 1, out: new Int32Array(8) }),
);
refused("out is no array", "TypeError", /^out is not a typed array/, () =>
    t.pad(f, [6], { out: [] }),
);
check("out stays when refused", () => {
    const out = new Float32Array(8).fill(9);
    try {
        t.pad(f, [6], { padWidth: 1, mode: "edge", interior: -1, out });
    } catch {
        return out.every((value) => value === 9);
    }
    return "was not refused";
});
check("out is the data", () => {
    const both = Float32Array.from(f);
    t.pad(both, [6], { padWidth: [1, -1], mode: "wrap", out: both });
    return both.join() === "6,1,2,3,4,5";
});

check("out is a Buffer that begins in the data", () => {
    const whole = Buffer.alloc(700_000);
    for (let n = 0; n < 300_000; n++) whole[n] = n % 251;
    const data = Buffer.from(whole.subarray(0, 300_000));
    const expected = t.pad(data, [300_000], { padWidth: 9 }).data;
    const out = whole.subarray(100, 300_118);
    const { data: made } = t.pad(whole.subarray(0, 300_000), [300_000], { padWidth: 9, out });
    return made === out && Buffer.compare(out, expected) === 0;
});

// Detached arrays.
function detached(length) {
    const array = new Float32Array(length);
    structuredClone(array.buffer, { transfer: [array.buffer] });
    return array;
}
refused("detached data", "RangeError", /got 0; its memory was detached$/, () =>
    t.pad(detached(6), [6]),
);
refused("a detached out", "RangeError", /^out: .* detached$/, () =>
    t.pad(f, [6], { padWidth: 1, out: detached(8) }),
);

// Getters.
class Own extends Error {}
function thrower() {
    throw new Own("mine");
}
for (const name of [
    "padWidth",
    "mode",
    "interior",
    "order",
    "axes",
    "constantValue",
    "type",
    "out",
]) {
    check(`a getter ${name} that throws`, () => {
        try {
            t.pad(f, [6], {
                get [name]() {
                    return thrower();
                },
            });
        } catch (error) {
            return error instanceof Own;
        }
        return "was not thrown";
    });
    refused(
        `a getter ${name} that calls pad`,
        "Error",
        /^an argument called tensorpad while it was being read$/,
        () => {
            let calls = 0;
            t.pad(f, [6], {
                padWidth: 1,
                get [name]() {
                    // What is read outside of the time of reading may call pad.
                    if (name !== "type" && name !== "out") works();
                    else if (calls++ === 0)
                        throw new Error("an argument called tensorpad while it was being read");
                    return undefined;
                },
            });
        },
    );
}
for (const [name, call] of [
    ["a plan", () => new t.Plan(Float64Array, [3], { padWidth: 2 })],
    ["run", (plan) => plan.run(new Float64Array(3))],
    ["a large run", (_, large) => large.run(new Float64Array(1e6))],
    ["allocate", () => t.allocate(Float64Array, 4e6).free()],
    ["onnx.pad", () => t.onnx.pad(f, [6], { pads: [1, 1] })],
]) {
    const plan = new t.Plan(Float64Array, [3], { padWidth: 2 });
    const large = new t.Plan(Float64Array, [1e6], { padWidth: 2 });
    refused(`a getter that calls ${name}`, "Error", /^an argument called tensorpad/, () => {
        t.pad(f, [6], {
            padWidth: 1,
            get mode() {
                call(plan, large);
                return "edge";
            },
        });
    });
}
refused("an extent that calls pad", "Error", /^an argument called tensorpad/, () => {
    const shape = [2, 3];
    Object.defineProperty(shape, 1, { get: () => (works() ? 3 : 0) });
    t.pad(f, shape);
});

// Plans.
refused(
    "a plan of nothing",
    "TypeError",
    /^type is neither a class/,
    () => new t.Plan(undefined, [1]),
);
refused("a plan of Array", "TypeError", /^type is neither a class/, () => new t.Plan(Array, [1]));
refused("a plan without new", "TypeError", /new/, () => t.Plan(Float32Array, [1]));
refused(
    "a refused plan",
    "PadError",
    /^axis 0: output extent -2/,
    () => new t.Plan(Float32Array, [2], { padWidth: -2 }),
);
refused(
    "a plan with out",
    "TypeError",
    /no option "out"/,
    () => new t.Plan(Float32Array, [2], { padWidth: 2, out: f }),
);
const plan = new t.Plan(Float32Array, [2, 3], { padWidth: 1, mode: "edge" });
refused(
    "a plan's data of another class",
    "TypeError",
    /^data is a Int32Array; elements of float32 lie in/,
    () => plan.run(new Int32Array(6)),
);
refused("a plan's data of another length", "RangeError", /^data: the shape needs 6 entries/, () =>
    plan.run(new Float32Array(5)),
);
refused("a plan's out", "RangeError", /^out: the shape needs 20 entries/, () => plan.run(f, f));
check("a fourth argument of a plan is not called", () => {
    const plain = new t.Plan(Float32Array, [6], { padWidth: 1 }, () => 1);
    return plain.run(f).join() === "0,1,2,3,4,5,6,0";
});
refused("run of something else", "TypeError", /./, () => plan.run.call({}, f));
check(
    "a plan stays as it was",
    () =>
        plan.run(f).join() === t.pad(f, [2, 3], { padWidth: 1, mode: "edge" }).data.join() &&
        plan.inShape.join() === "2,3" &&
        plan.outShape.join() === "4,5" &&
        plan.type === "float32",
);
check("a plan's shape is a copy", () => {
    plan.outShape[0] = 99;
    return plan.outShape.join() === "4,5";
});
check(
    "describe",
    () =>
        /^4 x 5 elements of 32 bits\n/.test(plan.describe()) && plan.describe() === plan.describe(),
);
check("many plans at once", () => {
    const plans = [];
    for (let n = 0; n < 40; n++)
        plans.push(new t.Plan(Float64Array, [4], { padWidth: [n, 0], constantValue: n }));
    for (let round = 0; round < 3; round++) {
        for (let n = 39; n >= 0; n--) {
            const made = plans[n].run(new Float64Array([-1, -2, -3, -4]));
            if (
                made.length !== n + 4 ||
                made[n] !== -1 ||
                (n > 0 && (made[0] !== n || made[n - 1] !== n))
            ) {
                return `plan ${n}: ${made}`;
            }
        }
    }
    return true;
});

// Arrays in the engine's memory.
for (const length of [-1, 1.5, NaN, "3", undefined, 2 ** 53]) {
    refused(`allocate ${String(length)}`, "RangeError", /^length: .* is not a count$/, () =>
        t.allocate(Float32Array, length),
    );
}
refused("allocate of no class", "TypeError", /^type is neither/, () => t.allocate(Map, 1));
refused(
    "more memory than there is",
    "PadError",
    /^the memory of the engine cannot grow by 4800000000 bytes$/,
    () => t.allocate(Float64Array, 6e8),
);
refused("more memory than there can be", "PadError", /cannot grow by/, () =>
    t.allocate(Float64Array, 2 ** 50),
);
check("an array and its end", () => {
    const array = t.allocate(Int32Array, 3);
    const { data } = array;
    if (data.join() !== "0,0,0" || array.data !== data) return "not zeros, or not the same view";
    array.free();
    array.free();
    try {
        return `${array.data}`;
    } catch (error) {
        return error.message === "this array was freed";
    }
});
check("an array without entries", () => {
    const array = t.allocate(Int32Array, 0);
    const { data, shape } = t.pad(array.data, [0], { padWidth: 2 });
    array.free();
    return data.join() === "0,0,0,0" && shape[0] === 4;
});
for (const where of ["data", "out"]) {
    refused(
        `a freed array as ${where}`,
        "TypeError",
        new RegExp(`^${where} lies in memory of the engine that was freed`),
        () => {
            const array = t.allocate(Float32Array, 6);
            const view = array.data;
            array.free();
            if (where === "data") t.pad(view, [6]);
            else t.pad(f, [6], { out: view });
        },
    );
}
check("parts of arrays in the engine", () => {
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
    check(`a large packed tensor with ${given} in the engine`, () => {
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
check("views after the memory grew", () => {
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
        plan.run(f).length === 20;
    large.free();
    array.free();
    return well;
});
check("memory that was given back is used again", () => {
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

// Specifications.
refused("onnx without options", "TypeError", /^the options of onnx.pad must be an object/, () =>
    t.onnx.pad(f, [6]),
);
refused("opset 2.5", "RangeError", /^opset: 2.5/, () =>
    t.onnx.pad(f, [6], { pads: [0, 0], opset: 2.5 }),
);
refused("opset 2^40", "RangeError", /^opset: 1099511627776 is no version/, () =>
    t.onnx.pad(f, [6], { pads: [0, 0], opset: 2 ** 40 }),
);
refused("pads are a number", "TypeError", /^pads is not a list/, () =>
    t.onnx.pad(f, [6], { pads: 1 }),
);
refused("65 pads", "RangeError", /^pads has 65 entries/, () =>
    t.onnx.pad(f, [6], { pads: new Array(65).fill(0) }),
);
refused("a mode that is no word", "TypeError", /^mode: 3 is not a word/, () =>
    t.onnx.pad(f, [6], { pads: [0, 0], mode: 3 }),
);
refused("an endless mode", "TypeError", /^mode: "xxx.*\.\.\. is not a word/, () =>
    t.onnx.pad(f, [6], { pads: [0, 0], mode: "x".repeat(1e5) }),
);
refused("nf4 in ONNX", "TypeError", /^type: nf4 is not a type of/, () =>
    t.onnx.pad(new Uint8Array(3), [6], { pads: [0, 0], type: "nf4" }),
);
refused("ngraph without amounts", "TypeError", /^paddingBelow is missing/, () =>
    t.ngraph.pad(f, [6], { argPadValue: 0 }),
);
refused("no layout", "TypeError", /^layout has to be 'chw' or 'hwc'/, () =>
    t.mli.padding2d(f, [6], {}),
);
refused("rank 20 in ONNX", "PadError", /^data: rank 20 is not between 0 and 16$/, () =>
    t.onnx.pad(f, new Array(20).fill(1), { pads: [] }),
);

for (const [lenient, text] of [
    [false, /^data: Pad-2 does not allow type bool; Pad-13 is the first version that does$/],
    [true, /^value: a float attribute has no conversion to type bool$/],
]) {
    const options = { type: "bool", opset: 10, pads: [1, 0], constantValue: true, lenient };
    refused("a boolean for a float", "PadError", text, () =>
        t.onnx.pad(new Uint8Array(1), [1], options),
    );
}

// Objects from elsewhere.
const vm = await import("node:vm");
check("an array of another realm", () => {
    const { data } = t.pad(vm.runInNewContext("new Float32Array([1, 2, 3])"), [3], {
        padWidth: 1,
        mode: "edge",
    });
    return data instanceof Float32Array && data.join() === "1,1,2,3,3";
});
check(
    "a Buffer",
    () =>
        t.pad(Buffer.from([1, 2, 3]), [3], { padWidth: 1, constantValue: 9 }).data.join() ===
        "9,1,2,3,9",
);
check("options without a prototype", () => {
    const options = Object.assign(Object.create(null), { padWidth: 1 });
    return t.pad(f, [6], options).data.length === 8;
});

// A subclass may do anything.
check("a subclass that tells another length", () => {
    class Small extends Uint8Array {
        get byteLength() {
            return 1;
        }
    }
    const { data } = t.pad(new Small(40_000).fill(5), [40_000], { padWidth: 1 });
    return data[0] === 0 && data[40_001] === 0 && data.subarray(1, 40_001).every((v) => v === 5);
});

// Arguments that call the package.
const fresh = createTensorpad(await freshInstance());
for (const [name, call] of [
    ["pads", () => fresh.pad(new Float64Array(3), [3], { padWidth: 2 })],
    ["makes the memory grow", () => fresh.allocate(Uint8Array, 8e6)],
]) {
    const entries = new Proxy([1], { get: (list, key) => (key === "0" && call(), list[key]) });
    refused(`an argument that ${name}`, "Error", /^an argument called tensorpad while/, () =>
        fresh.pad(f, [6], { padWidth: 1, interior: entries, mode: "edge" }),
    );
}
check("an out that pads when it is asked for", () => {
    const options = {
        padWidth: 1,
        get out() {
            t.pad(new Float64Array(6), [6], { padWidth: 1, constantValue: 3 });
            return undefined;
        },
    };
    return t.pad(f, [6], options).data.join() === "0,1,2,3,4,5,6,0";
});
check("out is the result, if the memory did not grow", () => {
    const [small, large] = [fresh.allocate(Uint8Array, 300_001), fresh.allocate(Uint8Array, 4e6)];
    large.free();
    const out = small.data;
    const options = { padWidth: 1, type: "int4", out };
    const { data } = fresh.pad(new Uint8Array(300_000), [600_000], options);
    small.free();
    return data === out;
});

// The same call again, or nearly: arguments that changed in place, and values that look alike.
const padded = (options, shape = [6], data = f) => t.pad(data, shape, options).data.join();
/** Calls twice with the first options, so that they are kept, and then with the others. */
function thenWith(first, options) {
    for (let n = 0; n < 2; n++) t.pad(f, [6], first);
    return t.pad(f, [6], options).data;
}
check("options that change in place", () => {
    const options = { padWidth: [1, 0], mode: ["edge"] };
    const first = padded(options) + padded(options);
    options.padWidth[1] = 1;
    options.mode[0] = "wrap";
    return first === "1,1,2,3,4,5,61,1,2,3,4,5,6" && padded(options) === "6,1,2,3,4,5,6,1";
});
check("a shape that changes in place", () => {
    const shape = [2, 3];
    const options = { padWidth: [0, 1] };
    padded(options, shape);
    padded(options, shape);
    shape.reverse();
    return padded(options, shape) === "1,2,0,3,4,0,5,6,0,0,0,0";
});
check("a getter that answers something else each time", () => {
    let calls = 0;
    const options = {
        get padWidth() {
            return [0, ++calls % 3];
        },
    };
    const lengths = [];
    for (let n = 0; n < 20; n++) {
        const before = calls;
        const { length } = t.pad(f, [6], options).data;
        const answers = Array.from(
            { length: calls - before },
            (_, k) => 6 + ((before + k + 1) % 3),
        );
        lengths.push(answers.includes(length));
    }
    return lengths.every(Boolean);
});
check("0 and -0", () => {
    const zero = { padWidth: 1, constantValue: 0 };
    return Object.is(thenWith(zero, { ...zero, constantValue: -0 })[0], -0);
});
check("a name that cannot be listed", () => {
    const options = Object.defineProperty({ padWidth: 1 }, "mode", { value: "edge" });
    return thenWith({ padWidth: 1 }, options)[0] === 1;
});
check("another type of the same array", () => {
    const data = new Uint16Array([0x3e00]);
    const bits = (type) => t.pad(data, [1], { padWidth: 1, constantValue: 1, type }).data[0];
    return [bits("float16"), bits("float16"), bits("bfloat16")].join() === "15360,15360,16256";
});
check("another array of the same shape", () => {
    thenWith({ padWidth: 1 }, { padWidth: 1 });
    return t.pad(new Int32Array(6).fill(7), [6], { padWidth: 1 }).data.join() === "0,7,7,7,7,7,7,0";
});
check("a plan between", () => {
    const plan = new t.Plan(Float32Array, [6], { padWidth: 1, constantValue: 9 });
    thenWith({ padWidth: 1 }, { padWidth: 1 });
    const made = plan.run(f);
    return (
        made[0] === 9 && thenWith({ padWidth: 1 }, { padWidth: 1 })[0] === 0 && plan.run(f)[7] === 9
    );
});
for (const [Class, constantValue] of [
    [Float64Array, 0.1],
    [BigInt64Array, 5n],
    [Float32Array, -0],
    [Uint8Array, 7],
]) {
    check(`a constant of ${Class.name} around long rows`, () => {
        const data = new Class(400 * 2000).map((_, i) =>
            typeof constantValue === "bigint" ? BigInt(i) : i % 250,
        );
        const options = {
            padWidth: [
                [1, 2],
                [3, 4],
            ],
            constantValue,
        };
        const wanted = new Class(403 * 2007).fill(constantValue);
        for (let y = 0; y < 400; y++) {
            wanted.set(data.subarray(2000 * y, 2000 * y + 2000), 2007 * (y + 1) + 3);
        }
        const bytes = (array) => Buffer.from(array.buffer);
        return [1, 2, 3].every(() => {
            return bytes(t.pad(data, [400, 2000], options).data).equals(bytes(wanted));
        });
    });
}
check("large ones in turns", () => {
    const data = new Float32Array(400 * 500).fill(2);
    const options = {
        padWidth: [
            [1, 0],
            [3, 2],
        ],
        constantValue: 5,
    };
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
for (const [name, kind, options] of [
    ["null", "TypeError", null],
    ["a number", "TypeError", 1],
    ["a misspelt name", "TypeError", { padwidth: 1 }],
]) {
    refused(`${name} after no options`, kind, /options of pad must|no option "padwidth"/, () => {
        thenWith(undefined, undefined);
        thenWith(undefined, options);
    });
}
refused("a misspelt name behind the same ones", "TypeError", /no option "modes"/, () =>
    thenWith({ padWidth: 1 }, { padWidth: 1, modes: "edge" }),
);
refused("a misspelt name in place of an empty option", "TypeError", /no option "modes"/, () =>
    thenWith({ padWidth: 1, mode: undefined }, { padWidth: 1, modes: "edge" }),
);
refused("a getter of the same value that calls pad", "Error", /^an argument called tensorpad/, () =>
    thenWith(
        { padWidth: 1 },
        {
            get padWidth() {
                works();
                return 1;
            },
        },
    ),
);
refused(
    "data that is too short for the same call",
    "RangeError",
    /^data: the shape needs 6/,
    () => {
        thenWith({ padWidth: 1 }, { padWidth: 1 });
        t.pad(f.subarray(1), [6], { padWidth: 1 });
    },
);
check("another opset", () => {
    const run = (opset) => t.onnx.pad(f, [6], { pads: [1, 0], mode: "wrap", opset }).data[0];
    run(19);
    run(19);
    try {
        run(18);
    } catch (error) {
        return error.status === "E_SPEC_MODE" && run(19) === 6;
    }
    return "was not refused";
});

console.log(JSON.stringify({ done, failed }));
