/** Element types: their names, widths and arrays, and constants as elements.
 * SPDX-License-Identifier: MIT */

const CLASS_NAMES = [
    ...["Int8Array", "Uint8Array", "Uint8ClampedArray", "Int16Array", "Uint16Array"],
    ...["Float16Array", "Int32Array", "Uint32Array", "Float32Array", "Float64Array"],
    ...["BigInt64Array", "BigUint64Array"],
];

// The name here, in ONNX and in OpenVINO, bits, how a constant is written, and the arrays. The type
// of an array that is given without a type is the first one that names its class first.
const TYPES = [
    ["int8", "int8", "i8", 8, "signed", "Int8Array"],
    ["uint8", "uint8", "u8", 8, "unsigned", "Uint8Array", "Uint8ClampedArray"],
    ["int16", "int16", "i16", 16, "signed", "Int16Array"],
    ["uint16", "uint16", "u16", 16, "unsigned", "Uint16Array"],
    ["int32", "int32", "i32", 32, "signed", "Int32Array"],
    ["uint32", "uint32", "u32", 32, "unsigned", "Uint32Array"],
    ["int64", "int64", "i64", 64, "signed", "BigInt64Array"],
    ["uint64", "uint64", "u64", 64, "unsigned", "BigUint64Array"],
    ["float32", "float", "f32", 32, "float", "Float32Array"],
    ["float64", "double", "f64", 64, "float", "Float64Array"],
    ["float16", "float16", "f16", 16, "float", "Float16Array", "Uint16Array"],
    ["bfloat16", "bfloat16", "bf16", 16, "float", "Uint16Array"],
    ["bool", "bool", "boolean", 8, "bool", "Uint8Array"],
    ["complex64", "complex64", null, 64, "complex", "Float32Array"],
    ["complex128", "complex128", null, 128, "complex", "Float64Array"],
    ["float8e4m3fn", "float8e4m3fn", "f8e4m3", 8, "bits", "Uint8Array"],
    ["float8e4m3fnuz", "float8e4m3fnuz", null, 8, "bits", "Uint8Array"],
    ["float8e5m2", "float8e5m2", "f8e5m2", 8, "bits", "Uint8Array"],
    ["float8e5m2fnuz", "float8e5m2fnuz", null, 8, "bits", "Uint8Array"],
    ["float8e8m0", "float8e8m0", "f8e8m0", 8, "bits", "Uint8Array"],
    ["int4", "int4", "i4", 4, "signed", "Uint8Array"],
    ["uint4", "uint4", "u4", 4, "unsigned", "Uint8Array"],
    ["int2", "int2", null, 2, "signed", "Uint8Array"],
    ["uint2", "uint2", "u2", 2, "unsigned", "Uint8Array"],
    ["uint1", null, "u1", 1, "unsigned", "Uint8Array"],
    ["float4e2m1", "float4e2m1", "f4e2m1", 4, "unsigned", "Uint8Array"],
    ["nf4", null, "nf4", 4, "unsigned", "Uint8Array"],
];

const typesByName = new Map();
export const typeList = TYPES.map(([name, onnx, openvino, bits, kind, ...arrays]) => {
    const entries = kind === "complex" ? 2 : 1; // of an array, for one element
    const type = { name, onnx, openvino, bits, kind, arrays, entries, numbers: {} };
    for (const word of [name, onnx, openvino]) {
        if (word !== null) typesByName.set(word, type);
    }
    return type;
});

const getterOf = (name) =>
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), name).get;
const arrayTagOf = getterOf(Symbol.toStringTag);
const bufferOf = getterOf("buffer");
const offsetOf = getterOf("byteOffset");
const lengthOf = getterOf("length");

const classesByName = new Map();
CLASS_NAMES.forEach((name, index) => {
    const Array = globalThis[name];
    if (Array === undefined) return;
    const type =
        typeList.find((one) => one.arrays[0] === name) ??
        typeList.find((one) => one.arrays.includes(name));
    const bytes = Array.BYTES_PER_ELEMENT;
    classesByName.set(name, { name, bytes, index, Array, type });
});

/** The classes that this JavaScript has: {name, bytes, index, Array, type}. */
export function arrayClasses() {
    return [...classesByName.values()];
}

/** The class of a typed array, also of one from another window. `what` names it in an error. */
export function classOf(array, what) {
    const found = classesByName.get(arrayTagOf.call(array));
    if (found === undefined) throw new TypeError(`${what} is not a typed array`);
    return found;
}

const isOwn = Object.prototype.hasOwnProperty;

/** The array, or a plain view of it if it is of a subclass, or has own properties in place of what is
 * read here. The methods of a subclass may differ: `slice` of Node's Buffer does not copy. */
export function plainArray(array, arrayClass) {
    if (
        Object.getPrototypeOf(array) === arrayClass.Array.prototype &&
        !isOwn.call(array, "length") &&
        !isOwn.call(array, "byteLength") &&
        !isOwn.call(array, "byteOffset") &&
        !isOwn.call(array, "buffer") &&
        !isOwn.call(array, "set")
    ) {
        return array;
    }
    return new arrayClass.Array(bufferOf.call(array), offsetOf.call(array), lengthOf.call(array));
}

/** The type with this name: the package's, ONNX's or OpenVINO's. */
export function typeNamed(word) {
    const found = typesByName.get(word);
    if (found !== undefined) return found;
    throw new TypeError(
        `type: ${JSON.stringify(String(word))} is not known: it is one of ` +
            typeList.map((type) => type.name).join(", "),
    );
}

/** Refuses a class of arrays in which elements of a type do not lie. */
export function checkClass(arrayClass, type, what) {
    if (type.arrays.includes(arrayClass.name)) return;
    throw new TypeError(
        `${what} is a ${arrayClass.name}; elements of ${type.name} lie in a ` +
            type.arrays.join(" or a "),
    );
}

/** The type of the elements of arrays of a class; word: as the caller named it, or undefined. */
export function typeOfClass(arrayClass, word) {
    if (word === undefined) return arrayClass.type;
    const type = typeNamed(word);
    checkClass(arrayClass, type, "data");
    return type;
}

/** The first class that this JavaScript has for the elements of a type. */
export function classFor(type) {
    return classesByName.get(type.arrays.find((name) => classesByName.has(name)));
}

/** The class of arrays that a caller named by its constructor, such as Float32Array. */
export function classSaid(said) {
    const found = typeof said === "function" ? classesByName.get(said.name) : undefined;
    if (found !== undefined) return found;
    throw new TypeError("type is neither a class of typed arrays nor the name of a type");
}

/** The element type that a caller named by such a constructor or by its name. */
export function typeSaid(said) {
    return typeof said === "string" ? typeNamed(said) : classSaid(said).type;
}

/** How many entries of an array `elems` elements take. */
export function arrayLength(type, elems) {
    return type.bits < 8 ? Math.ceil((elems * type.bits) / 8) : elems * type.entries;
}

/** The bytes of one such entry. */
export function entryBytes(type) {
    return type.bits < 8 ? 1 : type.bits / 8 / type.entries;
}

/** Bits of the fraction, and the exponent of the largest number. */
const FLOATS = {
    float16: { fraction: 10, top: 15 },
    bfloat16: { fraction: 7, top: 127 },
    float32: { fraction: 23, top: 127 },
    float64: { fraction: 52, top: 1023 },
};

const exponentView = new DataView(new ArrayBuffer(8));

/** The bits of float16 or bfloat16, rounded once to the nearest, ties to even. */
function shortFloat(number, { fraction, top }) {
    const least = 1 - top; // exponent of the least normal number
    const infinity = ((1 << (15 - fraction)) - 1) << fraction;
    if (Number.isNaN(number)) return infinity | (1 << (fraction - 1));
    const sign = number < 0 || Object.is(number, -0) ? 0x8000 : 0;
    const size = Math.abs(number);
    exponentView.setFloat64(0, size);
    const exponent = Math.max((exponentView.getUint16(0) >> 4) - 1023, least);
    if (exponent > top) return sign | infinity;
    const scaled = size * 2 ** (fraction - exponent);
    let whole = Math.floor(scaled);
    const rest = scaled - whole;
    if (rest > 0.5 || (rest === 0.5 && whole % 2 === 1)) whole++;
    return sign | (whole + (exponent - least) * 2 ** fraction);
}

function refuseConstant(what, value, why) {
    const word = typeof value === "bigint" ? `${value}n` : String(value);
    throw new TypeError(`${what} ${word}: ${why}`);
}

/** A constant as a number, for a type of floats or of pairs of them, as `float` in FLOATS. */
function constantNumber(type, float, value, what) {
    if (typeof value !== "number" && typeof value !== "bigint") {
        refuseConstant(what, value, `an element of ${type.name} is a number`);
    }
    const { fraction, top } = FLOATS[float];
    const number = Number(value);
    const past = (2 - 2 ** (-1 - fraction)) * 2 ** top; // rounds to infinity, as all beyond it
    if (Math.abs(number) >= past && value !== Infinity && value !== -Infinity) {
        const most = Number(((2 - 2 ** -fraction) * 2 ** top).toPrecision(8));
        refuseConstant(what, value, `${type.name} holds numbers from ${-most} to ${most}`);
    }
    return number;
}

function writeInteger(target, at, type, value, what) {
    const low = type.kind === "signed" ? -(2 ** (type.bits - 1)) : 0;
    const high = low + 2 ** type.bits - 1;
    const whole = typeof value === "bigint" || Number.isInteger(value);
    if (type.bits === 64) {
        const big = whole ? BigInt(value) : 0n;
        const kept = type.kind === "signed" ? BigInt.asIntN(64, big) : BigInt.asUintN(64, big);
        if (!whole || kept !== big) refuseConstant(what, value, `${type.name} cannot hold it`);
        target.setBigInt64(at, big, true);
        return;
    }
    if (!whole || value < low || value > high) {
        refuseConstant(what, value, `${type.name} holds whole numbers from ${low} to ${high}`);
    }
    const number = Number(value);
    if (type.bits === 32) target.setInt32(at, number, true);
    else if (type.bits === 16) target.setInt16(at, number, true);
    else target.setInt8(at, type.bits < 8 ? number & ((1 << type.bits) - 1) : number);
}

/** Writes one element to a DataView, little-endian. Elements of less than a byte lie in the low
 * bits.
 *
 * value: a number, bigint or boolean that the type can hold; [real, imaginary] for complex
 * types. what: the name of the argument, for errors. */
export function writeElement(target, at, type, value, what) {
    if (type.kind === "signed" || type.kind === "unsigned") {
        writeInteger(target, at, type, value, what);
    } else if (type.kind === "float") {
        const number = constantNumber(type, type.name, value, what);
        if (type.bits === 64) target.setFloat64(at, number, true);
        else if (type.bits === 32) target.setFloat32(at, number, true);
        else target.setUint16(at, shortFloat(number, FLOATS[type.name]), true);
    } else if (type.kind === "bool") {
        if (value !== true && value !== false && value !== 0 && value !== 1) {
            refuseConstant(what, value, "an element of bool is true or false");
        }
        target.setUint8(at, Number(value));
    } else if (type.kind === "complex") {
        const parts = Array.isArray(value) ? value : [value, 0];
        if (parts.length !== 2) refuseConstant(what, value, "a complex number has two parts");
        const float = type.bits === 64 ? "float32" : "float64";
        const numbers = parts.map((part) => constantNumber(type, float, part, what));
        numbers.forEach((number, i) => {
            if (type.bits === 64) target.setFloat32(at + 4 * i, number, true);
            else target.setFloat64(at + 8 * i, number, true);
        });
    } else {
        if (value !== 0 || type.name === "float8e8m0") {
            refuseConstant(
                what,
                value,
                `numbers have no conversion to ${type.name}: give its ` +
                    "bits, as a Uint8Array of one entry",
            );
        }
        target.setUint8(at, 0);
    }
}
