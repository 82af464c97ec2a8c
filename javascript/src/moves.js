/** Moves tensors through the engine: small ones in one call, large ones in pieces; arrays in the
 * engine's memory where they are.  SPDX-License-Identifier: MIT */

import { PadError, ROOM_BYTES, SLATE } from "./engine.js";

const UNIT = 16;

/** Tensors up to this size, input and output together, run at once in both rooms. */
const SMALL_BYTES = 2 * ROOM_BYTES;

function rounded(bytes) {
    return Math.ceil(bytes / UNIT) * UNIT;
}

/** A new array, or an error that names the size it would have had. */
export function newArray(arrayClass, length) {
    try {
        return new arrayClass.Array(length);
    } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        throw new PadError(
            "E_MEMORY",
            `the output has ${length * arrayClass.bytes} bytes, more than ` +
                "JavaScript gives to an array",
        );
    }
}

/** Refuses an array whose length is not the one that a shape needs. */
export function checkLength(array, wanted, what, arrayClass) {
    if (array.length === wanted) return;
    const gone = array.buffer.byteLength === 0 ? "; its memory was detached" : "";
    throw new RangeError(
        `${what}: the shape needs ${wanted} entries of ${arrayClass.name}, got ` +
            `${array.length}${gone}`,
    );
}

/** Arrays that `allocate` made and that live: address to bytes. */
const living = new WeakMap();

export function livingArrays(engine) {
    let found = living.get(engine);
    if (found === undefined) {
        found = new Map();
        living.set(engine, found);
    }
    return found;
}

/** The address of an array that lies in the engine's memory, -1 for all others. */
function addressOf(engine, array, what) {
    if (array.buffer !== engine.bytes.buffer) return -1;
    const start = array.byteOffset;
    const end = start + array.byteLength;
    const arrays = livingArrays(engine);
    if (array.byteLength <= (arrays.get(start) ?? -1)) return start;
    for (const [address, bytes] of arrays) {
        if (start >= address && end <= address + bytes) return start;
    }
    throw new TypeError(`${what} lies in memory of the engine that was freed`);
}

function overlap(a, b) {
    return (
        a.buffer === b.buffer &&
        a.byteOffset < b.byteOffset + b.byteLength &&
        b.byteOffset < a.byteOffset + a.byteLength
    );
}

/** room: where constants along an axis can be written. */
function run(engine, plan, src, dst, room) {
    const { values } = engine;
    if (values !== null) {
        engine.bytes.set(values.bytes, room);
        engine.check(engine.calls.run_values(plan, src, dst, room, values.axis, values.each));
    } else if (plan === 0) engine.check(engine.calls.run_problem(src, dst));
    else engine.check(engine.calls.run_plan(plan, src, dst));
}

/** Pads data into `out`, or into a new array of `outLength` entries; returns it.
 *
 * plan: the address of a plan, or 0 for the problem that was made last. inShape: the input's, for
 * a plan. The lengths were checked. */
export function movePadded(engine, arrayClass, elemBits, data, out, outLength, plan, inShape) {
    const inBytes = data.byteLength;
    const outBytes = outLength * arrayClass.bytes;
    const valuesBytes = engine.values === null ? 0 : engine.values.bytes.length;
    const allBytes = rounded(inBytes) + rounded(outBytes) + valuesBytes;
    let src = -1;
    let dst = -1;
    if (engine.hasArrays) {
        src = addressOf(engine, data, "data");
        if (out !== undefined) dst = addressOf(engine, out, "out");
        if (src >= 0 && dst >= 0 && valuesBytes <= SMALL_BYTES && !overlap(data, out)) {
            run(engine, plan, src, dst, engine.area);
            return out;
        }
    }
    if (allBytes <= SMALL_BYTES) {
        return moveThrough(engine, arrayClass, data, out, outLength, plan, engine.area);
    }
    if (out !== undefined && overlap(data, out)) {
        data = new arrayClass.Array(data);
        src = -1;
    }
    const target = out ?? newArray(arrayClass, outLength);
    if (
        engine.values === null &&
        moveInPieces(engine, elemBits, data, target, plan, inShape)
    ) {
        return target;
    }
    const area = engine.take(allBytes);
    const made = moveThrough(
        engine,
        arrayClass,
        renewed(engine, arrayClass, data, inBytes, src),
        renewed(engine, arrayClass, target, outBytes, dst),
        outLength,
        plan,
        area,
    );
    engine.give(area);
    return made;
}

/** An array, or the same view anew if it lies in the engine's memory, which may have grown. */
function renewed(engine, arrayClass, array, bytes, address) {
    if (address < 0 || array.buffer === engine.bytes.buffer) return array;
    return new arrayClass.Array(engine.bytes.buffer, address, bytes / arrayClass.bytes);
}

/** Copies data to `area`, pads it to behind that, and copies the result out. */
function moveThrough(engine, arrayClass, data, out, outLength, plan, area) {
    const dst = area + rounded(data.byteLength);
    const view = engine.views[arrayClass.index];
    view.set(data, area / arrayClass.bytes);
    run(engine, plan, area, dst, dst + rounded(outLength * arrayClass.bytes));
    const first = dst / arrayClass.bytes;
    if (out === undefined) return view.slice(first, first + outLength);
    out.set(view.subarray(first, first + outLength));
    return out;
}

/** Copies bytes; few of them one by one, because a call costs more. */
function copyBytes(to, at, from, first, length) {
    if (length > 64) {
        to.set(from.subarray(first, first + length), at);
        return;
    }
    for (let i = 0; i < length; i++) to[at + i] = from[first + i];
}

/** Copies from the input what the slate of pieces asks for. */
function copyRanges(engine, slate, input, room) {
    const { data, bytes } = engine;
    const count = data.getInt32(slate + 36, true);
    for (let i = 0; i < count; i++) {
        const at = slate + 48 + 32 * i;
        const from = data.getFloat64(at, true);
        const step = data.getFloat64(at + 8, true);
        const to = room + data.getInt32(at + 16, true);
        const toStep = data.getInt32(at + 20, true);
        const length = data.getInt32(at + 24, true);
        const ranges = data.getInt32(at + 28, true);
        for (let k = 0; k < ranges; k++) {
            copyBytes(bytes, to + k * toStep, input, from + k * step, length);
        }
    }
}

/** Copies a piece of long rows, of which the engine made the sides. */
function copyRows(engine, slate, input, output, room) {
    const { data, bytes } = engine;
    const first = data.getFloat64(slate, true);
    const from = data.getFloat64(slate + 16, true);
    const step = data.getFloat64(slate + 24, true);
    const rows = data.getInt32(slate + 32, true);
    const front = data.getInt32(slate + 40, true);
    const gap = data.getInt32(slate + 44, true);
    const each = data.getFloat64(slate + 8, true) / rows;
    const inside = each - gap;
    copyBytes(output, first, bytes, room, front);
    for (let k = 0; k < rows; k++) {
        const start = from + k * step;
        const at = first + k * each + front;
        output.set(input.subarray(start, start + inside), at);
        // What is behind this row and in front of the next one lies together in both memories.
        const between = k < rows - 1 ? gap : gap - front;
        copyBytes(output, at + inside, bytes, room + k * gap + front, between);
    }
}

/** Pads in pieces (javascript/engine/pieces.h), so that the memory need not grow; false if that
 * cannot be done with these elements. */
function moveInPieces(engine, elemBits, source, target, plan, inShape) {
    const { calls, data, bytes } = engine;
    if (plan === 0) {
        plan = calls.plan_problem();
        if (plan === 0) engine.check(-1);
        calls.tell_value();
    } else {
        engine.f64.set(inShape, SLATE.extents);
    }
    const input = new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
    const output = new Uint8Array(target.buffer, target.byteOffset, target.byteLength);
    const slate = calls.pieces_address();
    const inRoom = engine.area;
    const outRoom = engine.area + ROOM_BYTES;
    let more = calls.begin_pieces(plan, elemBits, inRoom, outRoom, ROOM_BYTES);
    if (more < 0) return false;
    while (more > 0) {
        copyRanges(engine, slate, input, inRoom);
        more = calls.step_pieces();
        if (data.getFloat64(slate + 16, true) >= 0) {
            copyRows(engine, slate, input, output, outRoom);
            continue;
        }
        const length = data.getFloat64(slate + 8, true);
        output.set(bytes.subarray(outRoom, outRoom + length), data.getFloat64(slate, true));
    }
    return true;
}
