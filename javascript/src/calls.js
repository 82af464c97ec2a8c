/** A call's problem: made of its arguments, or the same as in the call before.
 * SPDX-License-Identifier: MIT */

import { SLATE, SLATE_LIST } from "./engine.js";
import { arrayLength, entryBytes } from "./types.js";
import { checkOptions, checkValues, shapeElements } from "./arguments.js";

const UNIT = 16; // places of arrays in the engine's memory are multiples of it
const NOT_PLAIN = Symbol();
const NONE = {};

/** A copy of a number, a text or a list of such values or lists, else NOT_PLAIN. */
function plainCopy(value, depth) {
    if (typeof value !== "object" || value === null) return value;
    if (!Array.isArray(value) || value.length > SLATE_LIST || depth === 0) return NOT_PLAIN;
    const copy = [];
    for (let i = 0; i < value.length; i++) {
        const one = plainCopy(value[i], depth - 1);
        if (one === NOT_PLAIN) return NOT_PLAIN;
        copy.push(one);
    }
    return copy;
}

/** Whether a list has the values of another one, which `plainCopy` made. */
function hasSame(kept, list) {
    if (list.length !== kept.length) return false;
    for (let i = 0; i < kept.length; i++) {
        const one = kept[i];
        const value = list[i];
        // Each kind of value by itself, which is three times as fast as Object.is for all.
        if (one === undefined) {
            if (value !== undefined) return false;
        } else if (typeof one === "number") {
            if (!Object.is(one, value)) return false;
        } else if (typeof one !== "object" || one === null) {
            if (one !== value) return false;
        } else if (!Array.isArray(value) || !hasSame(one, value)) return false;
    }
    return true;
}

function isSameShape(kept, shape) {
    if (!Array.isArray(shape) || shape.length !== kept.length) return false;
    for (let i = 0; i < kept.length; i++) {
        if (kept[i] !== shape[i]) return false;
    }
    return true;
}

/** The names of options, null if there are none. */
function namesOf(options) {
    if (options === undefined) return null;
    const names = [];
    for (const name in options) names.push(name);
    return names;
}

/** Whether `namesOf` would find these names. */
function haveNames(options, names) {
    if (options === undefined || names === null) return options === undefined && names === null;
    if (typeof options !== "object" || options === null) return false;
    let count = 0;
    for (const name in options) {
        if (name !== names[count++]) return false;
    }
    return count === names.length;
}

function rounded(bytes) {
    return Math.ceil(bytes / UNIT) * UNIT;
}

/** What a call asks for. While it is `engine.last`, the engine's problem is that of this call.
 *
 * Lengths count entries of arrays. In `roomBytes` of the engine's memory the input lies first, and
 * the output after it at `outPlace`. */
class Call {
    constructor(engine, kind, type, rank) {
        this.kind = kind;
        this.type = type;
        this.inShape = [];
        for (let i = 0; i < rank; i++) this.inShape.push(engine.f64[SLATE.extents + i]);
        this.outShape = engine.outShape(rank);
        this.inLength = type === null ? 0 : arrayLength(type, shapeElements(engine, rank));
        this.outLength = type === null ? 0 : arrayLength(type, engine.f64[SLATE.outElems]);
        const entry = type === null ? 0 : entryBytes(type);
        this.inBytes = this.inLength * entry;
        this.outBytes = this.outLength * entry;
        this.outPlace = rounded(this.inBytes);
        this.roomBytes = this.outPlace + rounded(this.outBytes);
        this.isPlanned = false;
        this.hasRows = true; // false where a run in pieces found no long rows (moves.js)
        this.shape = null;
        this.names = null;
        this.values = null;
    }

    /** Keeps the arguments, which are plain. */
    keep(shape, names, values) {
        this.shape = shape;
        this.names = names;
        this.values = values;
    }

    hasArguments(kind, type, shape, options) {
        return (
            this.kind === kind &&
            this.type === type &&
            haveNames(options, this.names) &&
            isSameShape(this.shape, shape) &&
            hasSame(this.values, kind.take(options ?? NONE))
        );
    }
}

/** The Call of these arguments; the engine has its problem.
 *
 * kind: `options` are the names of its options, and `name` is its own. `take` gets their values as a
 * list, `read` writes type, shape and these values to the slate and returns the rank, and `make`
 * makes the engine's problem of that. type: null if the call needs only the shape of the result.
 *
 * What is kept is what the problem was made of, also where a getter answers something else each
 * time. */
export function callOf(engine, kind, type, shape, options) {
    const { last } = engine;
    if (last !== null && last.hasArguments(kind, type, shape, options) && engine.last === last) {
        if (!last.isPlanned) last.isPlanned = engine.calls.plan_problem() !== 0;
        return last;
    }
    const reading = engine.beginReading();
    if (options !== undefined || kind.needsOptions) checkOptions(options, kind.options, kind.name);
    const names = namesOf(options);
    const given = kind.take(options ?? NONE);
    const values = plainCopy(given, 3);
    const extents = plainCopy(shape, 1);
    const isPlain = values !== NOT_PLAIN && Array.isArray(extents);
    const rank = kind.read(engine, type, isPlain ? extents : shape, isPlain ? values : given);
    engine.endReading(reading);
    engine.check(kind.make(engine));
    if (engine.values !== null) checkValues(engine);
    const call = new Call(engine, kind, type, rank);
    if (isPlain && engine.values === null) {
        call.keep(extents, names, values);
        engine.last = call;
    }
    return call;
}
