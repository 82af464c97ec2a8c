/** The kinds of calls, as calls.js describes them: their arguments, checked and written to the
 * slate. SPDX-License-Identifier: MIT */

import { SLATE, SLATE_LIST, MOST_RANK } from "./engine.js";
import { checkClass, classOf, plainArray, typeNamed, writeElement } from "./types.js";

/** The modes, in the order of their numbers. */
export const MODES = ["constant", "edge", "reflect", "symmetric", "wrap"];
const ORDERS = ["window", "crop"];
const ONNX_ATTRIBUTES_UNTIL = 10;
const LAYOUTS = ["chw", "hwc"];
const INT32 = 2 ** 31;

export function shown(value) {
    if (typeof value === "string") return JSON.stringify(value);
    return typeof value === "bigint" ? `${value}n` : String(value);
}

/** A whole number that a double holds exactly; `what` names the argument. */
export function wholeNumber(value, what) {
    const number = typeof value === "bigint" ? Number(value) : value;
    if (Number.isSafeInteger(number)) return number;
    if (typeof number !== "number") throw new TypeError(`${what}: ${shown(value)} is not a number`);
    throw new RangeError(
        `${what}: ${shown(value)} is not a whole number from -2^53 + 1 to 2^53 - 1`,
    );
}

export function isList(value) {
    return Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));
}

/** Refuses names that are no options, because a misspelt option would be ignored. */
export function checkOptions(options, known, what) {
    if (options === null || typeof options !== "object") {
        throw new TypeError(`the options of ${what} must be an object`);
    }
    for (const name in options) {
        if (!known.includes(name)) {
            throw new TypeError(`${what} has no option ${shown(name)}; it has ${known.join(", ")}`);
        }
    }
}

/** Writes a list of whole numbers to the slate; returns its length. */
function writeList(engine, at, list, what) {
    if (!isList(list)) throw new TypeError(`${what} is not a list of numbers`);
    const length = list.length;
    if (length > SLATE_LIST) {
        throw new RangeError(`${what} has ${length} entries, more than ${SLATE_LIST}`);
    }
    for (let i = 0; i < length; i++) engine.f64[at + i] = wholeNumber(list[i], what);
    return length;
}

/** The index of an axis of a tensor of this rank. */
function axisIndex(value, rank, what) {
    const axis = wholeNumber(value, what);
    if (axis >= -rank && axis < rank) return axis < 0 ? axis + rank : axis;
    throw new RangeError(`${what}: ${axis} is not an axis of a tensor of rank ${rank}`);
}

/** The axes to which a call applies, or null for all axes in their order. */
export function chosenAxes(given, rank, what = "axes") {
    if (given === undefined) return null;
    const axes = [];
    for (const entry of isList(given) ? Array.from(given) : [given]) {
        const axis = axisIndex(entry, rank, what);
        if (axes.includes(axis)) {
            throw new RangeError(`${what}: axis ${axis} is named more than once`);
        }
        axes.push(axis);
    }
    return axes;
}

/** Calls set(axis, read(entry)) for the axes of an option: one entry for all of them, a list by axis or an
 * object by axis. */
export function setEach(value, what, axes, rank, read, set) {
    const count = axes === null ? rank : axes.length;
    if (!isObject(value)) {
        const all = read(value);
        for (let i = 0; i < count; i++) set(axes === null ? i : axes[i], all);
        return;
    }
    if (isList(value)) {
        if (value.length !== count) {
            throw new RangeError(`${what} has ${value.length} entries for ${count} axes`);
        }
        for (let i = 0; i < count; i++) set(axes === null ? i : axes[i], read(value[i]));
        return;
    }
    if (Object.prototype.toString.call(value) !== "[object Object]") {
        throw new TypeError(`${what} must be one value, a list by axis or an object by axis`);
    }
    const seen = [];
    for (const key of Object.keys(value)) {
        const axis = axisIndex(/^-?\d+$/.test(key) ? Number(key) : key, rank, what);
        if (seen.includes(axis)) throw new RangeError(`${what}: axis ${axis} is named twice`);
        seen.push(axis);
        set(axis, read(value[key]));
    }
}

export function isObject(value) {
    return value !== null && typeof value === "object";
}

/** What other programs call the modes. */
const ELSEWHERE = {
    __proto__: null,
    ...{ replicate: "edge", nearest: "edge", clamp: "edge" },
    ...{ circular: "wrap", periodic: "wrap", tile: "wrap" },
};

function modeNumber(word) {
    const number = MODES.indexOf(word);
    if (number >= 0) return number;
    const small = typeof word === "string" ? word.toLowerCase() : "";
    const here = MODES.includes(small) ? small : ELSEWHERE[small];
    const hint = here ? `here it is called ${here}` : `it is one of ${MODES.join(", ")}`;
    throw new TypeError(`mode ${shown(word)} is not supported: ${hint}`);
}

/** Sets the two amounts of one axis, from a number, [n] or [before, after]. */
function setAmounts(engine, axis, entry) {
    let before = entry;
    let after = entry;
    if (isList(entry)) {
        if (entry.length !== 1 && entry.length !== 2) {
            throw new RangeError(`padWidth: axis ${axis} has ${entry.length} amounts, not 2`);
        }
        before = entry[0];
        after = entry[entry.length - 1];
    }
    engine.f64[SLATE.before + axis] = wholeNumber(before, "padWidth");
    engine.f64[SLATE.after + axis] = wholeNumber(after, "padWidth");
}

function readWidth(engine, width, axes, rank) {
    const count = axes === null ? rank : axes.length;
    if (isObject(width)) {
        const flat =
            isList(width) &&
            (width.length === 1 || width.length === 2) &&
            !isList(width[0]) &&
            !isList(width[1]);
        const one = isList(width) && width.length === 1 && count !== 1 ? width[0] : null;
        if (!flat && one === null) {
            const read = (entry) => {
                if (isList(entry) || !isList(width)) return entry;
                throw new TypeError("padWidth is not one number, two, or two for each axis");
            };
            setEach(width, "padWidth", axes, rank, read, (axis, entry) =>
                setAmounts(engine, axis, entry),
            );
            return;
        }
        width = one ?? width;
    }
    for (let i = 0; i < count; i++) setAmounts(engine, axes === null ? i : axes[i], width);
}

/** Writes the shape; returns the rank. */
function readShape(engine, shape) {
    const rank = writeList(engine, SLATE.extents, shape, "shape");
    engine.i32[SLATE.rank] = rank;
    return rank;
}

/** The same for as many axes as the engine has. */
export function readRank(engine, shape) {
    const rank = readShape(engine, shape);
    if (rank <= MOST_RANK) return rank;
    throw new RangeError(`shape: rank ${rank} is not between 0 and ${MOST_RANK}`);
}

/** The product of the slate's extents: a number of elements. */
export function shapeElements(engine, rank) {
    let elems = 1;
    for (let i = 0; i < rank; i++) elems *= engine.f64[SLATE.extents + i];
    return elems;
}

/** Writes a constant and its type's number to the slate; -1 stands for none.
 *
 * value: a number for an element of `type`, or a typed array of one element, whose type has to be
 *     the same. numberOf: returns the number of a type. */
function readConstant(engine, type, value, what, numberOf) {
    if (value === undefined || value === null) {
        engine.i32[SLATE.valueType] = -1;
        return;
    }
    if (!ArrayBuffer.isView(value)) {
        writeElement(engine.data, engine.slate + SLATE.value, type, value, what);
        engine.i32[SLATE.valueType] = numberOf(type);
        return;
    }
    const arrayClass = classOf(value, what);
    const same = type.arrays.includes(arrayClass.name);
    const own = same ? type : arrayClass.type;
    const array = plainArray(value, arrayClass);
    if (array.length !== own.entries) {
        throw new RangeError(
            `${what} has ${array.length} entries; one element of ${own.name} has ` + own.entries,
        );
    }
    engine.bytes.set(
        new Uint8Array(array.buffer, array.byteOffset, array.byteLength),
        engine.slate + SLATE.value,
    );
    if (own.bits === 1) engine.bytes[engine.slate + SLATE.value] >>= 7;
    engine.i32[SLATE.valueType] = numberOf(own);
}

/** A constant for each cell of an axis of the result, as engine.values has them.
 *
 * value: a list of numbers for elements of `type`, or a typed array of these elements. */
function readValues(type, value, axis) {
    if (!isList(value)) {
        throw new TypeError(
            "constantAxis needs constantValue, a list with a value for each cell of that axis",
        );
    }
    if (type.bits < 8) {
        throw new TypeError(`constantAxis: elements of ${type.name} take one constant`);
    }
    const each = type.bits / 8;
    if (Array.isArray(value)) {
        const bytes = new Uint8Array(value.length * each);
        const view = new DataView(bytes.buffer);
        value.forEach((one, i) => writeElement(view, i * each, type, one, "constantValue"));
        return { axis, each, bytes };
    }
    const arrayClass = classOf(value, "constantValue");
    checkClass(arrayClass, type, "constantValue");
    const { buffer, byteOffset, byteLength } = plainArray(value, arrayClass);
    const bytes = new Uint8Array(buffer, byteOffset, byteLength).slice();
    return { axis, each, bytes };
}

/** Refuses values that are not as many as the axis of the result has cells. */
export function checkValues(engine) {
    const { axis, each, bytes } = engine.values;
    const extent = engine.f64[SLATE.outExtents + axis];
    if (bytes.length === extent * each) return;
    throw new RangeError(
        `constantValue has ${bytes.length / each} values, but axis ${axis} of the result has ` +
            `${extent} cells: one for each is needed`,
    );
}

/** Writes type, shape and the values of the options of `pad` to the slate; returns the rank.
 * Without a type the constant is not read. */
export function readPlain(engine, type, shape, values) {
    const [padWidth, mode, interior, order, givenAxes, constantValue, constantAxis] = values;
    const rank = readRank(engine, shape);
    const { f64, i32 } = engine;
    for (let i = 0; i < rank; i++) {
        f64[SLATE.before + i] = 0;
        f64[SLATE.after + i] = 0;
        f64[SLATE.interior + i] = 0;
        i32[SLATE.modes + i] = 0;
    }
    i32[SLATE.order] = 0;
    const bits = type === null ? 8 : type.bits;
    i32[SLATE.elemBits] = bits;
    i32[SLATE.highBitsFirst] = bits === 1 ? 1 : 0;
    i32[SLATE.valueType] = -1;
    const axes = chosenAxes(givenAxes, rank);
    if (padWidth !== undefined) readWidth(engine, padWidth, axes, rank);
    if (mode !== undefined) {
        setEach(mode, "mode", axes, rank, modeNumber, (axis, number) => {
            i32[SLATE.modes + axis] = number;
        });
    }
    if (interior !== undefined) {
        const read = (cells) => wholeNumber(cells, "interior");
        setEach(interior, "interior", axes, rank, read, (axis, cells) => {
            f64[SLATE.interior + axis] = cells;
        });
    }
    if (order !== undefined) {
        if (!ORDERS.includes(order)) {
            throw new TypeError(`order ${shown(order)} is not known: it is window or crop`);
        }
        i32[SLATE.order] = ORDERS.indexOf(order);
    }
    if (constantAxis !== undefined) {
        const axis = axisIndex(constantAxis, rank, "constantAxis");
        if (type !== null) engine.values = readValues(type, constantValue, axis);
    } else if (constantValue !== undefined && type !== null) {
        readConstant(engine, type, constantValue, "constantValue", (own) => {
            if (own === type) return 1;
            throw new TypeError(
                `constantValue is an element of ${own.name}; the data is ${type.name}`,
            );
        });
    }
    return rank;
}

export const PLAIN = {
    name: "pad",
    options: [
        ...["padWidth", "mode", "constantValue", "constantAxis", "interior", "order", "axes"],
        ...["type", "out"],
    ],
    needsOptions: false,
    take: ({ padWidth, mode, interior, order, axes, constantValue, constantAxis }) => {
        return [padWidth, mode, interior, order, axes, constantValue, constantAxis];
    },
    read: readPlain,
    make: (engine) => engine.calls.make_problem(),
};

// ---- Specifications --------------------------------------------------------------------------

/** Writes a list that may be absent, and its length. */
function readOptionalList(engine, at, countAt, list, what) {
    engine.i32[countAt] =
        list === undefined || list === null ? -1 : writeList(engine, at, list, what);
}

function readRequiredList(engine, at, countAt, list, what) {
    if (list === undefined || list === null) throw new TypeError(`${what} is missing`);
    engine.i32[countAt] = writeList(engine, at, list, what);
}

function readWord(engine, word, what) {
    if (word !== undefined && word !== null) {
        if (typeof word !== "string") throw new TypeError(`${what}: ${String(word)} is not a word`);
        engine.writeWord(word, what);
    }
    engine.i32[SLATE.hasWord] = word === undefined || word === null ? 0 : 1;
}

function readVersion(engine, value, otherwise, what) {
    const number = value === undefined ? otherwise : wholeNumber(value, what);
    if (number < -INT32 || number >= INT32)
        throw new RangeError(`${what}: ${number} is no version`);
    engine.i32[SLATE.version] = number;
    return number;
}

function readLenient(engine, lenient) {
    if (lenient !== undefined && typeof lenient !== "boolean") {
        throw new TypeError("lenient must be true or false");
    }
    engine.i32[SLATE.lenient] = lenient ? 1 : 0;
}

/** A specification's number of a type. `call` looks up the word in the slate. */
function numberOfType(engine, specification, type, call) {
    const known = type.numbers[specification];
    if (known !== undefined) return known;
    const word = type[specification];
    if (word === null)
        throw new TypeError(`type: ${type.name} is not a type of this specification`);
    engine.writeWord(word, "type");
    type.numbers[specification] = call();
    return type.numbers[specification];
}

const onnxNumber = (engine, type) => numberOfType(engine, "onnx", type, engine.calls.onnx_type);
const openvinoNumber = (engine, type) =>
    numberOfType(engine, "openvino", type, engine.calls.openvino_type);

export const ONNX = {
    name: "onnx.pad",
    options: ["pads", "constantValue", "axes", "mode", "opset", "lenient", "type", "out"],
    needsOptions: true,
    take: ({ pads, constantValue, axes, mode, opset, lenient }) => {
        return [pads, constantValue, axes, mode, opset, lenient];
    },
    read(engine, type, shape, [pads, constantValue, axes, mode, opset, lenient]) {
        const rank = readShape(engine, shape);
        readOptionalList(engine, SLATE.before, SLATE.beforeCount, pads, "pads");
        readOptionalList(engine, SLATE.interior, SLATE.interiorCount, axes, "axes");
        const version = readVersion(engine, opset, INT32 - 1, "opset");
        readLenient(engine, lenient);
        engine.i32[SLATE.type] = onnxNumber(engine, type);
        if (version >= 1 && version <= ONNX_ATTRIBUTES_UNTIL) {
            const value =
                typeof constantValue === "boolean" ? Number(constantValue) : constantValue;
            readConstant(engine, typeNamed("float32"), value, "constantValue", () => 1);
        } else {
            readConstant(engine, type, constantValue, "constantValue", (own) =>
                onnxNumber(engine, own),
            );
        }
        readWord(engine, mode, "mode");
        return rank;
    },
    make: (engine) => engine.calls.make_onnx(),
};

export const OPENVINO = {
    name: "openvino.pad",
    options: ["padsBegin", "padsEnd", "padMode", "padValue", "version", "lenient", "type", "out"],
    needsOptions: true,
    take: ({ padsBegin, padsEnd, padMode, padValue, version, lenient }) => {
        return [padsBegin, padsEnd, padMode, padValue, version, lenient];
    },
    read(engine, type, shape, [padsBegin, padsEnd, padMode, padValue, version, lenient]) {
        const rank = readShape(engine, shape);
        readOptionalList(engine, SLATE.before, SLATE.beforeCount, padsBegin, "padsBegin");
        readOptionalList(engine, SLATE.after, SLATE.afterCount, padsEnd, "padsEnd");
        readVersion(engine, version, 1, "version");
        readLenient(engine, lenient);
        engine.i32[SLATE.type] = openvinoNumber(engine, type);
        readConstant(engine, type, padValue, "padValue", (own) => openvinoNumber(engine, own));
        if (type.bits === 1) engine.bytes[engine.slate + SLATE.value] <<= 7;
        readWord(engine, padMode, "padMode");
        return rank;
    },
    make: (engine) => engine.calls.make_openvino(),
};

export const NGRAPH = {
    name: "ngraph.pad",
    options: [
        ...["argPadValue", "paddingBelow", "paddingAbove", "paddingInterior", "padMode"],
        ...["type", "out"],
    ],
    needsOptions: true,
    take: ({ argPadValue, paddingBelow, paddingAbove, paddingInterior, padMode }) => {
        return [argPadValue, paddingBelow, paddingAbove, paddingInterior, padMode];
    },
    read(engine, type, shape, [argPadValue, below, above, interior, padMode]) {
        const rank = readShape(engine, shape);
        readRequiredList(engine, SLATE.before, SLATE.beforeCount, below, "paddingBelow");
        readRequiredList(engine, SLATE.after, SLATE.afterCount, above, "paddingAbove");
        readOptionalList(engine, SLATE.interior, SLATE.interiorCount, interior, "paddingInterior");
        engine.i32[SLATE.elemBits] = type.bits;
        readConstant(engine, type, argPadValue, "argPadValue", (own) => (own === type ? 1 : 2));
        readWord(engine, padMode, "padMode");
        return rank;
    },
    make: (engine) => engine.calls.make_ngraph(),
};

const MLI_AMOUNTS = ["paddingLeft", "paddingRight", "paddingTop", "paddingBottom"];
export const MLI = {
    name: "mli.padding2d",
    options: ["layout", ...MLI_AMOUNTS, "out"],
    needsOptions: true,
    take: ({ layout, paddingLeft, paddingRight, paddingTop, paddingBottom }) => {
        return [layout, paddingLeft, paddingRight, paddingTop, paddingBottom];
    },
    read(engine, type, shape, [layout, ...amounts]) {
        const rank = readShape(engine, shape);
        if (!LAYOUTS.includes(layout)) {
            throw new TypeError(`layout has to be 'chw' or 'hwc', got ${String(layout)}`);
        }
        amounts.forEach((amount, i) => {
            engine.f64[SLATE.before + i] =
                amount === undefined ? 0 : wholeNumber(amount, MLI_AMOUNTS[i]);
        });
        engine.i32[SLATE.beforeCount] = amounts.length;
        engine.i32[SLATE.afterCount] = -1;
        engine.i32[SLATE.interiorCount] = -1;
        engine.i32[SLATE.version] = LAYOUTS.indexOf(layout);
        engine.i32[SLATE.type] = type.name === "int8" ? 0 : type.name === "int16" ? 1 : -1;
        return rank;
    },
    make: (engine) => engine.calls.make_mli(),
};
