/** The element types: what each specification calls them, and how elements become numbers. */

/** word: the page's own name, NumPy's where it has one. onnx, openvino: their names; undefined:
 * they have no such type. array: the class of JavaScript that holds the elements. c: the type in C.
 * bits: the width of packed elements. raw: JavaScript has no such numbers, so the page shows their
 * bits. highFirst: the first element lies in the high bits of its byte. */
export const TYPES = [
    { word: "float32", onnx: "float", openvino: "f32", array: Float32Array, c: "float" },
    { word: "float64", onnx: "double", openvino: "f64", array: Float64Array, c: "double" },
    { word: "int8", onnx: "int8", openvino: "i8", array: Int8Array, c: "int8_t" },
    { word: "uint8", onnx: "uint8", openvino: "u8", array: Uint8Array, c: "uint8_t" },
    { word: "int16", onnx: "int16", openvino: "i16", array: Int16Array, c: "int16_t" },
    { word: "uint16", onnx: "uint16", openvino: "u16", array: Uint16Array, c: "uint16_t" },
    { word: "int32", onnx: "int32", openvino: "i32", array: Int32Array, c: "int32_t" },
    { word: "uint32", onnx: "uint32", openvino: "u32", array: Uint32Array, c: "uint32_t" },
    { word: "int64", onnx: "int64", openvino: "i64", array: BigInt64Array, c: "int64_t" },
    { word: "uint64", onnx: "uint64", openvino: "u64", array: BigUint64Array, c: "uint64_t" },
    { word: "bool", onnx: "bool", openvino: "boolean", array: Uint8Array, c: "uint8_t" },
    {
        word: "float16",
        onnx: "float16",
        openvino: "f16",
        array: Uint16Array,
        c: "uint16_t",
        raw: true,
    },
    {
        word: "bfloat16",
        onnx: "bfloat16",
        openvino: "bf16",
        array: Uint16Array,
        c: "uint16_t",
        raw: true,
    },
    {
        word: "float8e4m3fn",
        onnx: "float8e4m3fn",
        openvino: "f8e4m3",
        array: Uint8Array,
        c: "uint8_t",
        raw: true,
    },
    { word: "float8e4m3fnuz", onnx: "float8e4m3fnuz", array: Uint8Array, c: "uint8_t", raw: true },
    {
        word: "float8e5m2",
        onnx: "float8e5m2",
        openvino: "f8e5m2",
        array: Uint8Array,
        c: "uint8_t",
        raw: true,
    },
    { word: "float8e5m2fnuz", onnx: "float8e5m2fnuz", array: Uint8Array, c: "uint8_t", raw: true },
    {
        word: "float8e8m0",
        onnx: "float8e8m0",
        openvino: "f8e8m0",
        array: Uint8Array,
        c: "uint8_t",
        raw: true,
    },
    { word: "uint4", onnx: "uint4", openvino: "u4", array: Uint8Array, c: "uint8_t", bits: 4 },
    {
        word: "int4",
        onnx: "int4",
        openvino: "i4",
        array: Uint8Array,
        c: "uint8_t",
        bits: 4,
        signed: true,
    },
    {
        word: "float4e2m1",
        onnx: "float4e2m1",
        openvino: "f4e2m1",
        array: Uint8Array,
        c: "uint8_t",
        bits: 4,
        raw: true,
    },
    { word: "nf4", openvino: "nf4", array: Uint8Array, c: "uint8_t", bits: 4, raw: true },
    { word: "uint2", onnx: "uint2", openvino: "u2", array: Uint8Array, c: "uint8_t", bits: 2 },
    { word: "int2", onnx: "int2", array: Uint8Array, c: "uint8_t", bits: 2, signed: true },
    { word: "uint1", openvino: "u1", array: Uint8Array, c: "uint8_t", bits: 1, highFirst: true },
];

/** How many of them are numbers of JavaScript: the first ones, which nGraph has. */
const NUMBERS = 10;

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
        return TYPES.filter((type) => type[family]).map((type) => ({
            word: type.word,
            label: type[family],
        }));
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

function isSigned(type) {
    const signed = [Int8Array, Int16Array, Int32Array, BigInt64Array];
    return type.signed === true || signed.includes(type.array);
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
    return isSigned(type)
        ? number >= -most / 2n && number < most / 2n
        : number >= 0n && number < most;
}

/** The elements that the page makes up: 1, 2, 3 ... as far as the type goes. */
export function numbered(type, count) {
    const codes = isFloats(type) || isBigInts(type) ? Infinity : countOfCodes(type);
    const most = isSigned(type) ? codes / 2 : codes;
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
