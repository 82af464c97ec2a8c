/** The element types: what each specification calls them, and how elements become numbers. */
import { typeList } from "../src/types.js";

/** In the order of the page's lists. The first NUMBERS are JavaScript's numbers, which nGraph has. */
const WORDS = [
    ...["float32", "float64", "int8", "uint8", "int16", "uint16", "int32", "uint32"],
    ...["int64", "uint64", "bool", "float16", "bfloat16", "float8e4m3fn", "float8e4m3fnuz"],
    ...["float8e5m2", "float8e5m2fnuz", "float8e8m0", "uint4", "int4", "float4e2m1", "nf4"],
    ...["uint2", "int2", "uint1"],
];
const NUMBERS = 10;

/** word: the page's own name, NumPy's where it has one. onnx, openvino: their names; null: they have
 * no such type. array: the class of JavaScript that holds the elements. c: the type in C. bits: the
 * width of packed elements. raw: JavaScript has no such numbers, so the page shows their bits.
 * highFirst: the first element lies in the high bits of its byte. */
const TYPES = WORDS.map((word) => {
    const { onnx, openvino, bits, kind, arrays } = typeList.find((type) => type.name === word);
    const array = globalThis[word === "float16" ? "Uint16Array" : arrays[0]];
    const name = array.name.replace(/^Big|Array$/g, "").toLowerCase();
    const raw = /^float[48]|float16|nf4/.test(word);
    const packed = bits < 8 ? bits : undefined;
    const c = { float32: "float", float64: "double" }[name] ?? `${name}_t`;
    const [signed, highFirst] = [kind === "signed", bits === 1];
    return { word, onnx, openvino, array, c, bits: packed, raw, signed, highFirst };
});

/** The type with this name, of the page or of a specification, or undefined. */
export function typeNamed(name) {
    const key = String(name).toLowerCase();
    return (
        TYPES.find((type) => type.word === key) ??
        TYPES.find((type) => type.onnx === key || type.openvino === key)
    );
}

/** The types that the page offers for a family of specifications, with the specification's own
 * words. */
export function typesOf(family) {
    if (family === "onnx" || family === "openvino") {
        const known = TYPES.filter((type) => type[family]);
        return known.map((type) => ({ word: type.word, label: type[family] }));
    }
    const types = {
        mli: [typeNamed("int8"), typeNamed("int16")],
        ngraph: TYPES.slice(0, NUMBERS),
        plain: TYPES.filter((type) => !type.highFirst),
    };
    return types[family].map(({ word }) => ({ word, label: word }));
}

function isBigInts(type) {
    return type.array === BigInt64Array || type.array === BigUint64Array;
}

function isFloats(type) {
    return type.array === Float32Array || type.array === Float64Array;
}

/** How many different elements a narrow type has; the numbers from 1 on start again there. */
function countOfCodes(type) {
    if (type.word === "bool") return 2;
    return 2 ** (type.bits ?? 8 * type.array.BYTES_PER_ELEMENT);
}

/** Whether an element of this type can be this number, which is given as text. Floats round, but a
 * finite number not to infinity. */
export function canHold(type, text) {
    if (isFloats(type)) {
        const number = Number(text);
        return Number.isFinite(type.array.of(number)[0]) || !Number.isFinite(number);
    }
    if (!/^[+-]?\d+$/.test(text)) return false;
    const most = BigInt(countOfCodes(type));
    const number = BigInt(text);
    return type.signed ? number >= -most / 2n && number < most / 2n : number >= 0n && number < most;
}

/** The elements that the page makes up: 1, 2, 3 ... as far as the type goes. */
export function numbered(type, count) {
    const codes = isFloats(type) || isBigInts(type) ? Infinity : countOfCodes(type);
    const most = type.signed ? codes / 2 : codes;
    return Array.from({ length: count }, (_, at) => {
        const code = codes === Infinity ? at + 1 : (at + 1) % codes;
        return code >= most ? code - codes : code;
    });
}

/** Numbers or texts of numbers as the array that the engine takes: packed where the type is. */
export function encodeElements(type, values) {
    if (isBigInts(type)) return type.array.from(values, (value) => BigInt(value));
    if (!type.bits) return type.array.from(values, Number);
    const packed = new Uint8Array(Math.ceil((values.length * type.bits) / 8));
    const mask = 2 ** type.bits - 1;
    values.forEach((value, at) => {
        packed[Math.floor((at * type.bits) / 8)] |= (Number(value) & mask) << shiftOf(type, at);
    });
    return packed;
}

/** The other way: plain numbers, and texts for integers that a number cannot hold. */
export function decodeElements(type, array, count) {
    if (isBigInts(type)) {
        return Array.from(array, (value) => {
            const number = Number(value);
            return Number.isSafeInteger(number) ? number : String(value);
        });
    }
    if (!type.bits) return Array.from(array);
    const codes = 2 ** type.bits;
    return Array.from({ length: count }, (_, at) => {
        const byte = array[Math.floor((at * type.bits) / 8)];
        const code = (byte >> shiftOf(type, at)) & (codes - 1);
        return type.signed && code >= codes / 2 ? code - codes : code;
    });
}

function shiftOf(type, at) {
    const first = (at * type.bits) % 8;
    return type.highFirst ? 8 - type.bits - first : first;
}

/** An element as the page writes it into a cell. */
export function textOfElement(type, value) {
    if (type.raw) {
        const digits = Math.ceil((type.bits ?? 8 * type.array.BYTES_PER_ELEMENT) / 4);
        return "0x" + value.toString(16).toUpperCase().padStart(digits, "0");
    }
    if (type.array === Float32Array && Number.isFinite(value)) return shortestFloat(value);
    return Object.is(value, -0) ? "-0" : String(value);
}

/** The fewest digits that still are this 32-bit float. */
export function shortestFloat(value) {
    if (Object.is(value, -0)) return "-0";
    for (let digits = 1; digits <= 9; digits++) {
        const text = Number(value.toPrecision(digits));
        if (Math.fround(text) === Math.fround(value)) return String(text);
    }
    return String(value);
}
