/** Moves tensors through the engine: small ones in one call, large ones in pieces; arrays in the
 * engine's memory where they are.  SPDX-License-Identifier: MIT */

import { PadError, ROOM_BYTES, SLATE } from "./engine.js";

/** In place of a plan: that of the call before, which is the same. */
export const AGAIN = -1;

/** Tensors up to this size, input and output together, run at once in both rooms. */
const AREA_BYTES = 2 * ROOM_BYTES;

/** From this size on they go in pieces, too, if they have long rows and are padded again and again:
 * most of long rows JavaScript copies itself. */
const SMALL_BYTES = ROOM_BYTES / 2;

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

function isDetached(buffer) {
    try {
        return new Uint8Array(buffer) === null;
    } catch {
        return true;
    }
}

/** Refuses an array whose length is not the one that a shape needs. */
export function checkLength(array, wanted, what, arrayClass) {
    if (array.length === wanted) return;
    const gone = isDetached(array.buffer) ? "; its memory was detached" : "";
    throw new RangeError(
        `${what}: the shape needs ${wanted} entries of ${arrayClass.name}, got ` +
            `${array.length}${gone}`,
    );
}

/** The address of an array that lies in the engine's memory, -1 for all others. */
function addressOf(engine, array, what) {
    if (array.buffer !== engine.buffer) return -1;
    const start = array.byteOffset;
    const end = start + array.byteLength;
    const { arrays } = engine;
    if (array.byteLength <= (arrays.get(start) ?? -1)) return start;
    for (const [address, bytes] of arrays) {
        if (start >= address && end <= address + bytes) return start;
    }
    throw new TypeError(`${what} lies in memory of the engine that was freed`);
}

/** Whether two arrays share memory. */
export function overlap(a, b) {
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
    } else if (plan === AGAIN) engine.check(engine.calls.run_again(src, dst));
    else if (plan === 0) engine.check(engine.calls.run_problem(src, dst));
    else engine.check(engine.calls.run_plan(plan, src, dst));
}

/** Pads data into `out`, or into a new array; returns it.
 *
 * call: whose lengths the arrays have (calls.js). plan: the address of a plan, 0 for the problem
 * that was made last, or AGAIN. */
export function movePadded(engine, arrayClass, call, data, out, plan) {
    const valuesBytes = engine.values === null ? 0 : engine.values.bytes.length;
    const allBytes = call.roomBytes + valuesBytes;
    let src = -1;
    let dst = -1;
    if (engine.hasArrays) {
        src = addressOf(engine, data, "data");
        if (out !== undefined) dst = addressOf(engine, out, "out");
        if (src >= 0 && dst >= 0 && valuesBytes <= AREA_BYTES && !overlap(data, out)) {
            run(engine, plan, src, dst, engine.area);
            return out;
        }
    }
    const isWhole = engine.values !== null || call.type.bits < 8; // cannot go in pieces
    const inPieces = !isWhole && allBytes > SMALL_BYTES && plan !== 0 && call.hasRows;
    if (allBytes <= AREA_BYTES && !inPieces) {
        return moveThrough(engine, arrayClass, call, data, out, plan, engine.area);
    }
    if (out !== undefined && overlap(data, out)) {
        data = new arrayClass.Array(data);
        src = -1;
    }
    const target = out ?? newArray(arrayClass, call.outLength);
    if (!isWhole) {
        moveInPieces(engine, call, data, target, plan);
        return target;
    }
    const area = engine.take(allBytes);
    const made = moveThrough(
        engine,
        arrayClass,
        call,
        renewed(engine, arrayClass, data, call.inLength, src),
        renewed(engine, arrayClass, target, call.outLength, dst),
        plan,
        area,
    );
    engine.give(area);
    return made;
}

/** An array, or the same view anew if it lies in the engine's memory, which may have grown. */
function renewed(engine, arrayClass, array, length, address) {
    if (address < 0 || array.buffer === engine.buffer) return array;
    return new arrayClass.Array(engine.buffer, address, length);
}

/** Copies data to `area`, pads it to after that, and copies the result out. */
function moveThrough(engine, arrayClass, call, data, out, plan, area) {
    const dst = area + call.outPlace;
    const view = engine.views[arrayClass.index];
    view.set(data, area / arrayClass.bytes);
    run(engine, plan, area, dst, area + call.roomBytes);
    const made = engine.part(view, dst / arrayClass.bytes, call.outLength);
    if (out === undefined) return new arrayClass.Array(made);
    out.set(made);
    return out;
}

/** The memory of an array as {bytes, words}: words is null where it does not begin at one. */
function memoryOf({ buffer, byteOffset, byteLength }) {
    const bytes = new Uint8Array(buffer, byteOffset, byteLength);
    if (byteOffset % 4 !== 0) return { bytes, words: null };
    return { bytes, words: new Uint32Array(buffer, byteOffset, Math.floor(byteLength / 4)) };
}

// So many bytes and words are copied one by one in less time than a call takes.
const FEW_BYTES = 64;
const FEW_WORDS = 64;

/** Copies bytes from one memory to another. */
function copyBytes(to, at, from, first, length) {
    const areWords = to.words !== null && from.words !== null && ((at | first | length) & 3) === 0;
    if (areWords && length <= 4 * FEW_WORDS) {
        const { words } = to;
        const source = from.words;
        const end = (at + length) / 4;
        for (let i = at / 4, k = first / 4; i < end; i++, k++) words[i] = source[k];
    } else if (length <= FEW_BYTES) {
        for (let i = 0; i < length; i++) to.bytes[at + i] = from.bytes[first + i];
    } else {
        to.bytes.set(from.bytes.subarray(first, first + length), at);
    }
}

/** The word of which some words consist, -1 if they are not the same. */
function onlyWord(words, first, length) {
    const begin = first / 4;
    const end = (first + length) / 4;
    for (let i = begin; i < end; i++) {
        if (words[i] !== words[begin]) return -1;
    }
    return words[begin];
}

/** Writes a word to some words. */
function fillWords(words, at, length, word) {
    const end = (at + length) / 4;
    if (length > 4 * FEW_WORDS) words.fill(word, at / 4, end);
    else for (let i = at / 4; i < end; i++) words[i] = word;
}

/** Copies from the input what the slate of pieces asks for. */
function copyRanges(engine, slate, input, room) {
    const { data, memory } = engine;
    const count = data.getInt32(slate + 36, true);
    for (let i = 0; i < count; i++) {
        const at = slate + 56 + 32 * i;
        const from = data.getFloat64(at, true);
        const step = data.getFloat64(at + 8, true);
        const to = room + data.getInt32(at + 16, true);
        const toStep = data.getInt32(at + 20, true);
        const length = data.getInt32(at + 24, true);
        const ranges = data.getInt32(at + 28, true);
        for (let k = 0; k < ranges; k++) {
            copyBytes(memory, to + k * toStep, input, from + k * step, length);
        }
    }
}

/** Copies a piece of long rows, of which the engine made the sides. */
function copyRows(engine, slate, input, output, room) {
    const { data, memory } = engine;
    const first = data.getFloat64(slate, true);
    const from = data.getFloat64(slate + 16, true);
    const step = data.getFloat64(slate + 24, true);
    const rows = data.getInt32(slate + 32, true);
    const front = data.getInt32(slate + 40, true);
    const gap = data.getInt32(slate + 44, true);
    const pitch = data.getInt32(slate + 48, true);
    const each = data.getFloat64(slate + 8, true) / rows;
    const inside = each - gap;
    // Constant sides are often one word over and over. Not to read them is faster: the addresses of what
    // was just written would often be like those of the sides, and the processor would wait.
    const areWords = output.words !== null && ((first | each | front | gap) & 3) === 0;
    const word = pitch === 0 && areWords ? onlyWord(memory.words, room, gap) : -1;
    copyBytes(output, first, memory, room, front);
    for (let k = 0; k < rows; k++) {
        const start = from + k * step;
        const at = first + k * each + front;
        output.bytes.set(input.bytes.subarray(start, start + inside), at);
        // What is after this row and in front of the next one lies together in both memories.
        const between = k < rows - 1 ? gap : gap - front;
        if (word >= 0) fillWords(output.words, at + inside, between, word);
        else copyBytes(output, at + inside, memory, room + k * pitch + front, between);
    }
}

/** Pads in pieces (javascript/engine/pieces.h), so that the memory need not grow. */
function moveInPieces(engine, call, source, target, plan) {
    const { calls, data, bytes } = engine;
    if (plan === 0 || plan === AGAIN) {
        plan = calls.plan_problem();
        if (plan === 0) engine.check(-1);
        calls.tell_value();
        engine.lastValue = null;
    }
    const input = memoryOf(source);
    const output = memoryOf(target);
    const slate = calls.pieces_address();
    const inRoom = engine.area;
    const outRoom = engine.area + ROOM_BYTES;
    let more;
    if (engine.lastInPieces === call) {
        more = calls.repeat_pieces(plan);
    } else {
        engine.f64.set(call.inShape, SLATE.extents);
        more = calls.begin_pieces(plan, call.type.bits, inRoom, outRoom, ROOM_BYTES);
        engine.lastInPieces = more > 0 ? call : null;
        call.hasRows = false;
    }
    while (more > 0) {
        copyRanges(engine, slate, input, inRoom);
        more = calls.step_pieces();
        if (data.getFloat64(slate + 16, true) >= 0) {
            copyRows(engine, slate, input, output, outRoom);
            call.hasRows = true;
            continue;
        }
        const length = data.getFloat64(slate + 8, true);
        output.bytes.set(bytes.subarray(outRoom, outRoom + length), data.getFloat64(slate, true));
    }
}
