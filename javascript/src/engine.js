/** The WebAssembly instance: its memory, the slate, texts, and errors.  SPDX-License-Identifier: MIT */

import { arrayClasses } from "./types.js";

/** The most entries of a list in the slate, and the most axes. */
export const SLATE_LIST = 64;
export const MOST_RANK = 16;

/** Where things stand in the slate (javascript/engine/slate.h): the lists of doubles as indices of
 * Engine.f64, the integers as indices of Engine.i32, and the rest in bytes. */
export const SLATE = {
    extents: 0,
    before: 64,
    after: 128,
    interior: 192,
    outExtents: 256,
    outElems: 272,
    outBytes: 273,
    got: 274,
    limit: 275,
    modes: 556,
    rank: 572,
    beforeCount: 573,
    afterCount: 574,
    interiorCount: 575,
    order: 576,
    elemBits: 577,
    highBitsFirst: 578,
    type: 579,
    version: 580,
    lenient: 581,
    valueType: 582,
    hasWord: 583,
    errorAxis: 584,
    value: 8 * 276,
    word: 4 * 585,
    text: 4 * 649,
};
const VALUE_BYTES = 16;
const WORD_BYTES = 256;
const TEXT_BYTES = 2048;

/** The size of one of two rooms, which lie one after the other. Small tensors fit in whole; large
 * ones go through in pieces. */
export const ROOM_BYTES = 256 * 1024;

/** The error of a call that was refused: `message` is the library's text. */
export class PadError extends Error {
    constructor(status, message, axis = -1, got = 0, limit = 0) {
        super(message);
        this.name = "PadError";
        this.status = status;
        this.axis = axis;
        this.got = got;
        this.limit = limit;
    }
}

function refuseGrowth(bytes) {
    throw new PadError("E_MEMORY", `the memory of the engine cannot grow by ${bytes} bytes`);
}

// TextEncoder and TextDecoder are not everywhere: Jest's jsdom has none.
const UNKNOWN = 0xfffd;

/** The bytes of a text. Halves of surrogate pairs become U+FFFD. */
export function encodeText(text) {
    const bytes = [];
    for (const character of text) {
        let code = character.codePointAt(0);
        if (code >= 0xd800 && code < 0xe000) code = UNKNOWN;
        if (code < 0x80) {
            bytes.push(code);
            continue;
        }
        const more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
        bytes.push(((0x7f80 >> more) & 0xff) | (code >> (6 * more)));
        for (let i = more - 1; i >= 0; i--) bytes.push(0x80 | ((code >> (6 * i)) & 0x3f));
    }
    return bytes;
}

/** The text of bytes, of which a limit may have cut the last character: that becomes U+FFFD. */
export function decodeText(bytes) {
    let text = "";
    for (let i = 0; i < bytes.length;) {
        const lead = bytes[i++];
        const more = lead < 0x80 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
        let code = more === 0 ? lead : lead & (0x3f >> more);
        for (let k = 0; k < more; k++) {
            if ((bytes[i] & 0xc0) !== 0x80) {
                code = UNKNOWN;
                break;
            }
            code = (code << 6) | (bytes[i++] & 0x3f);
        }
        text += String.fromCodePoint(code);
    }
    return text;
}

/** One instance, which the first call opens: a policy that forbids WebAssembly makes that call
 * throw, and not the import of the package. `calls` are its exports, null before. The views are
 * renewed where the memory grows, which only `take` makes it do. */
export class Engine {
    /** open: returns the instance, or throws. */
    constructor(open) {
        this.open = open;
        this.calls = null;
        this.readings = 0;
        this.lastWord = null;
        this.values = null;
        this.last = null;
        this.lastInPieces = null;
        this.lastValue = null;
        this.arrays = new Map(); // address to bytes, of those that `allocate` made and that live
        this.hasArrays = false; // true from the first one on
    }

    /** Opens the instance. If this fails, the next call tries it again. */
    start() {
        const calls = this.open().exports;
        const area = calls.take(2 * ROOM_BYTES) >>> 0;
        if (area === 0) refuseGrowth(2 * ROOM_BYTES);
        this.calls = calls;
        this.area = area;
        this.slate = calls.slate_address();
        this.renewViews();
    }

    renewViews() {
        const { buffer } = this.calls.memory;
        this.buffer = buffer;
        this.bytes = new Uint8Array(buffer);
        this.memory = { bytes: this.bytes, words: new Uint32Array(buffer) };
        this.f64 = new Float64Array(buffer, this.slate, SLATE.limit + 1);
        this.i32 = new Int32Array(buffer, this.slate, SLATE.errorAxis + 1);
        this.data = new DataView(buffer);
        this.lastPart = null;
        this.views = [];
        for (const { Array, index } of arrayClasses()) this.views[index] = new Array(buffer);
    }

    /** A part of one of the views. The one that was made last is made only once. */
    part(view, first, length) {
        const last = this.lastPart;
        if (last !== null && last.view === view && last.first === first && last.length === length) {
            return last.part;
        }
        const part = view.subarray(first, first + length);
        this.lastPart = { view, first, length, part };
        return part;
    }

    /** The address of `bytes` bytes of memory, which may grow. `give` gives them back. */
    take(bytes) {
        if (this.calls === null) this.start();
        const address = bytes < 2 ** 32 ? this.calls.take(bytes) >>> 0 : 0;
        if (address === 0) refuseGrowth(bytes);
        this.readings++;
        if (this.bytes.length === 0) this.renewViews();
        return address;
    }

    give(address) {
        this.calls.give(address);
    }

    /** Brackets the time in which arguments are read, at the beginning of a call: their getters must
     * not call the engine, because there is one slate.
     *
     * values: null, or the constants along an axis of the problem that is read: {axis, each (bytes of
     * a constant), bytes}. last: the call whose problem the engine has, null if it is not kept
     * (calls.js). lastInPieces: the call that ran last in pieces. lastValue: what `setValue` put into
     * the slate, null if that is not known. */
    beginReading() {
        if (this.calls === null) this.start();
        this.lastValue = null;
        return this.beginRun(null);
    }

    /** Begins the run of a plan with these values. */
    beginRun(values) {
        this.values = values;
        this.last = null;
        return ++this.readings;
    }

    endReading(reading) {
        if (reading === this.readings) return;
        throw new Error("an argument called tensorpad while it was being read");
    }

    /** Throws the error in the slate, unless the status is 0. */
    check(status) {
        if (status === 0) return;
        const [name, message] = this.text(TEXT_BYTES).split("\0", 2);
        throw new PadError(
            name,
            message,
            this.i32[SLATE.errorAxis],
            this.f64[SLATE.got],
            this.f64[SLATE.limit],
        );
    }

    /** The first `length` bytes of the slate's text. */
    text(length) {
        const at = this.slate + SLATE.text;
        return decodeText(this.bytes.subarray(at, at + length));
    }

    /** The text at an address of the memory, up to its NUL. */
    textAt(address) {
        return decodeText(this.bytes.subarray(address, this.bytes.indexOf(0, address)));
    }

    /** Puts a word into the slate. */
    writeWord(word, what) {
        if (word === this.lastWord) return;
        const bytes = encodeText(word);
        if (bytes.length >= WORD_BYTES || bytes.includes(0)) {
            throw new TypeError(`${what}: ${JSON.stringify(word.slice(0, 32))}... is not a word`);
        }
        this.bytes.set(bytes, this.slate + SLATE.word);
        this.bytes[this.slate + SLATE.word + bytes.length] = 0;
        this.lastWord = word;
    }

    /** The element in the slate. */
    value() {
        const at = this.slate + SLATE.value;
        return this.bytes.slice(at, at + VALUE_BYTES);
    }

    setValue(element) {
        if (element === this.lastValue) return;
        this.lastValue = element;
        this.bytes.set(element, this.slate + SLATE.value);
    }

    /** The shape of the problem's output. */
    outShape(rank) {
        const shape = new Array(rank);
        for (let i = 0; i < rank; i++) shape[i] = this.f64[SLATE.outExtents + i];
        return shape;
    }
}
