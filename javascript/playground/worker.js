/** The worker in which models are read and repaired, by check.wasm.
 *
 * A large model is mostly weights, which say nothing of its Pads. The worker walks over the file by slices
 * and gives the reader a short model: in place of each large initializer's elements stands that they are in
 * another file. That file is a slice of the model, read if something asks for it. The repaired model is put
 * together from what the reader wrote and slices of the file, so its bytes are those of `tensorpad lower`.
 * https://github.com/onnx/onnx/blob/main/onnx/onnx.proto has the numbers of the fields. */
import { check, explain, lower } from "../check.js";

const SMALL = 1 << 25; // a model that is read whole
const LARGE_WEIGHTS = 1 << 16;
const WINDOW = 1 << 18;
const [VARINT, EIGHT_BYTES, MESSAGE, FOUR_BYTES] = [0, 1, 2, 5];
const GRAPH = 7;
const [INITIALIZER, INPUT] = [5, 11];
const [NAME, RAW, EXTERNAL, LOCATION] = [8, 9, 13, 14];

class Damaged extends Error {}

/** A file, or a part of it, of which a window is in memory. */
class Slices {
    constructor(blob) {
        this.blob = blob;
        this.size = blob.size;
        this.from = 0;
        this.held = new Uint8Array(0);
    }
    read(from, to) {
        if (from < this.from || to > this.from + this.held.length) {
            const part = this.blob.slice(from, Math.max(to, from + WINDOW));
            this.held = new Uint8Array(new FileReaderSync().readAsArrayBuffer(part));
            this.from = from;
        }
        return this.held.subarray(from - this.from, to - this.from);
    }
}

/** The same of bytes. */
const inMemory = (bytes) => ({ size: bytes.length, read: (from, to) => bytes.subarray(from, to) });

function varintAt(file, at, end) {
    const bytes = file.read(at, Math.min(at + 10, end));
    let number = 0;
    for (let i = 0; i < bytes.length; i++) {
        number += (bytes[i] & 127) * 2 ** (7 * i);
        if (bytes[i] < 128) return [number, at + i + 1];
    }
    throw new Damaged();
}

function varint(number) {
    const bytes = [];
    for (; number > 127; number = Math.floor(number / 128)) bytes.push((number & 127) | 128);
    return [...bytes, number];
}

/** The fields of a message: `at` is where the tag stands, the content goes from `from` to `to`. */
function* fieldsOf(file, at = 0, end = file.size) {
    while (at < end) {
        const [tag, next] = varintAt(file, at, end);
        const field = { number: Math.floor(tag / 8), kind: tag & 7, at, from: next, to: end };
        if (field.kind === VARINT) [field.value, field.to] = varintAt(file, next, end);
        else if (field.kind === EIGHT_BYTES) field.to = next + 8;
        else if (field.kind === FOUR_BYTES) field.to = next + 4;
        else if (field.kind === MESSAGE) {
            const [length, from] = varintAt(file, next, end);
            Object.assign(field, { from, to: from + length });
        } else throw new Damaged();
        if (field.to > end || field.number === 0) throw new Damaged();
        yield field;
        at = field.to;
    }
}

/** A field with a length, as parts of a Blob. */
function fieldOf(number, parts) {
    const length = parts.reduce((sum, part) => sum + (part.size ?? part.length), 0);
    return [new Uint8Array([...varint(8 * number + MESSAGE), ...varint(length)]), ...parts];
}

/** "location": name, as external data. */
function external(name) {
    const text = (word) => new TextEncoder().encode(word);
    const entry = [...fieldOf(1, [text("location")]), ...fieldOf(2, [text(name)])];
    const place = new Uint8Array(varint(8 * LOCATION + VARINT));
    return [...fieldOf(EXTERNAL, entry), place, new Uint8Array([1])];
}

function joined(parts) {
    const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
        bytes.set(part, at);
        at += part.length;
    }
    return bytes;
}

const keyOf = (bytes) => new TextDecoder("latin1").decode(bytes);

/** The model in which change(field) may stand for an initializer: a list of parts, or undefined. */
function withInitializers(file, change) {
    const copy = ({ at, to }) => file.read(at, to).slice();
    return [...fieldsOf(file)].flatMap((field) => {
        if (field.number !== GRAPH || field.kind !== MESSAGE) return [copy(field)];
        const parts = [];
        for (const inner of fieldsOf(file, field.from, field.to))
            parts.push(...((inner.number === INITIALIZER && change(inner)) || [copy(inner)]));
        return fieldOf(GRAPH, parts);
    });
}

/** A large model: {bytes} without its weights, {beside} the files that hold them, and {cuts}, which says what
 * stands for which part of the model. */
function shortened(blob) {
    const file = new Slices(blob);
    const [cuts, beside] = [new Map(), {}];
    const parts = withInitializers(file, ({ at, from, to }) => {
        if (to - from < LARGE_WEIGHTS) return undefined;
        const raw = [...fieldsOf(file, from, to)].filter(({ number }) => number === RAW);
        if (raw.length !== 1 || raw[0].to - raw[0].from < LARGE_WEIGHTS) return undefined;
        const name = `weights.${cuts.size}`;
        const [before, after] = [
            [from, raw[0].at],
            [raw[0].to, to],
        ].map((ends) => file.read(...ends).slice());
        const body = joined([before, after, ...external(name)]);
        cuts.set(keyOf(body), [at, to]);
        beside[name] = new Slices(blob.slice(raw[0].from, raw[0].to));
        return fieldOf(INITIALIZER, [body]);
    });
    return { bytes: joined(parts), beside, cuts };
}

/** The model with its weights again, as a Blob. */
function restored(bytes, cuts, blob) {
    if (cuts.size === 0) return new Blob([bytes]);
    const parts = withInitializers(inMemory(bytes), ({ from, to }) => {
        const cut = cuts.get(keyOf(bytes.subarray(from, to)));
        return cut && [blob.slice(...cut)];
    });
    return new Blob(parts);
}

async function read(blob) {
    if (blob.size > SMALL) return shortened(blob);
    return { bytes: new Uint8Array(await blob.arrayBuffer()), beside: {}, cuts: new Map() };
}

/** The inputs of a model: {name, dims}, where a dimension is a number, a name, or null; dims is null if the
 * rank is not known. Empty if the model is damaged. */
function inputsOf(bytes) {
    const file = inMemory(bytes);
    const inside = (field, ...path) =>
        path.reduce(
            (all, number) =>
                all.flatMap(({ from, to }) =>
                    [...fieldsOf(file, from, to)].filter((one) => one.number === number),
                ),
            [field],
        );
    const text = ([field]) => new TextDecoder().decode(field && file.read(field.from, field.to));
    const dimension = (dim) => inside(dim, 1)[0]?.value ?? (text(inside(dim, 2)) || null);
    try {
        const whole = { from: 0, to: file.size };
        const constants = new Set(
            inside(whole, GRAPH, INITIALIZER).map((tensor) => text(inside(tensor, NAME))),
        );
        return inside(whole, GRAPH, INPUT)
            .map((input) => {
                const shapes = inside(input, 2, 1, 2);
                const dims = shapes.length > 0 ? inside(shapes[0], 1).map(dimension) : null;
                return { name: text(inside(input, 1)), dims };
            })
            .filter(({ name }) => !constants.has(name));
    } catch (error) {
        if (error instanceof Damaged) return [];
        throw error;
    }
}

let wasm;

const CALLS = {
    load: async (bytes) => {
        wasm = await WebAssembly.compile(bytes);
    },
    explain: (code) => explain(code, { wasm }),
    check: async (blob, options) => {
        const { bytes, beside } = await read(blob);
        const { models } = await check(bytes, { ...options, beside, wasm });
        return { ...models[0], inputs: inputsOf(bytes) };
    },
    lower: async (blob, options) => {
        const { bytes, beside, cuts } = await read(blob);
        const { model, report } = await lower(bytes, { ...options, beside, wasm });
        return { model: restored(model, cuts, blob), report };
    },
};

/** What an error says to a reader. */
function sentenceOf(error) {
    if (error instanceof Damaged) return "the file is damaged, cut off, or no ONNX model";
    if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError)
        return `the model needs more memory than the page has: ${error.message}`;
    return error.message;
}

onmessage = async ({ data: { id, call, words } }) => {
    try {
        postMessage({ id, value: await CALLS[call](...words) });
    } catch (error) {
        postMessage({ id, error: sentenceOf(error) });
    }
};
