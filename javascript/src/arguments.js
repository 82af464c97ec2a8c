/** Arguments of callers, checked and written to the slate.  SPDX-License-Identifier: MIT */

import { SLATE, SLATE_LIST, MOST_RANK } from "./engine.js";
import { checkClass, classOf, plainArray, writeElement } from "./types.js";

/** The modes, in the order of their numbers. */
export const MODES = ["constant", "edge", "reflect", "symmetric", "wrap"];
const ORDERS = ["window", "crop"];

function shown(value) {
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
export function writeList(engine, at, list, what) {
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
function chosenAxes(given, rank) {
    if (given === undefined) return null;
    const axes = [];
    for (const entry of isList(given) ? Array.from(given) : [given]) {
        const axis = axisIndex(entry, rank, "axes");
        if (axes.includes(axis)) throw new RangeError(`axes: axis ${axis} is named more than once`);
        axes.push(axis);
    }
    return axes;
}

/** Calls set(axis, entry) for each entry of an option: a list by axis or an object by axis. */
function setEach(value, what, axes, rank, set) {
    const count = axes === null ? rank : axes.length;
    if (isList(value)) {
        if (value.length !== count) {
            throw new RangeError(`${what} has ${value.length} entries for ${count} axes`);
        }
        for (let i = 0; i < count; i++) set(axes === null ? i : axes[i], value[i]);
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
        set(axis, value[key]);
    }
}

function isObject(value) {
    return value !== null && typeof value === "object";
}

function modeNumber(word) {
    const number = MODES.indexOf(word);
    if (number >= 0) return number;
    throw new TypeError(`mode ${shown(word)} is not supported: it is one of ${MODES.join(", ")}`);
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
            setEach(width, "padWidth", axes, rank, (axis, entry) => {
                if (isList(width) && !isList(entry)) {
                    throw new TypeError("padWidth is not one number, two, or two for each axis");
                }
                setAmounts(engine, axis, entry);
            });
            return;
        }
        width = one ?? width;
    }
    for (let i = 0; i < count; i++) setAmounts(engine, axes === null ? i : axes[i], width);
}

/** Writes the shape; returns the rank. */
export function readShape(engine, shape) {
    const rank = writeList(engine, SLATE.extents, shape, "shape");
    engine.i32[SLATE.rank] = rank;
    return rank;
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
export function readConstant(engine, type, value, what, numberOf) {
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

const PAD_OPTIONS = [
    "padWidth",
    "mode",
    "constantValue",
    "constantAxis",
    "interior",
    "order",
    "axes",
    "type",
    "out",
];

/** Writes type, shape and the values of the options of `pad` to the slate; returns the rank.
 * Without a type the constant is not read. */
function readPlain(engine, type, shape, values) {
    const [padWidth, mode, interior, order, givenAxes, constantValue, constantAxis] = values;
    const rank = readShape(engine, shape);
    if (rank > MOST_RANK) {
        throw new RangeError(`shape: rank ${rank} is not between 0 and ${MOST_RANK}`);
    }
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
    if (isObject(mode)) {
        setEach(mode, "mode", axes, rank, (axis, word) => {
            i32[SLATE.modes + axis] = modeNumber(word);
        });
    } else if (mode !== undefined) {
        const number = modeNumber(mode);
        for (let i = 0; i < rank; i++) i32[SLATE.modes + i] = number;
    }
    if (isObject(interior)) {
        setEach(interior, "interior", axes, rank, (axis, cells) => {
            f64[SLATE.interior + axis] = wholeNumber(cells, "interior");
        });
    } else if (interior !== undefined) {
        const cells = wholeNumber(interior, "interior");
        const count = axes === null ? rank : axes.length;
        for (let i = 0; i < count; i++) {
            f64[SLATE.interior + (axes === null ? i : axes[i])] = cells;
        }
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

/** The kind of calls (calls.js) without a specification. */
export const PLAIN = {
    name: "pad",
    options: PAD_OPTIONS,
    needsOptions: false,
    take: ({ padWidth, mode, interior, order, axes, constantValue, constantAxis }) => [
        padWidth,
        mode,
        interior,
        order,
        axes,
        constantValue,
        constantAxis,
    ],
    read: readPlain,
    make: (engine) => engine.calls.make_problem(),
};
