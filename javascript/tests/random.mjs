/** Random problems in every way that the package has, against docs/semantics.md element by element.
 * Usage: node random.mjs COUNT SEED. Prints {kernels, done, wrong: [text...]}. */

import { load } from "./run.mjs";

const tensorpad = await load();

const [count, seed] = process.argv.slice(2).map(Number);
const LARGE = 80; // each so manieth problem is larger than what runs at once
const MODES = ["constant", "edge", "reflect", "symmetric", "wrap"];
const { POSITIVE_INFINITY: INF } = Number;

let state = seed;
function random() {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}
const integer = (low, high) => low + Math.floor(random() * (high - low + 1));
const choice = (list) => list[integer(0, list.length - 1)];
const randomBytes = (length) => Uint8Array.from({ length }, () => integer(0, 255));

/** The input's place that output place i of an axis repeats, -1 for the constant. */
function sourceOf(i, { extent, before, after, interior, mode }, order) {
    const dilated = extent > 0 ? (extent - 1) * (interior + 1) + 1 : 0;
    const low = order === "crop" ? Math.max(0, -before) : 0;
    const length = dilated - low - (order === "crop" ? Math.max(0, -after) : 0);
    let t = i - before - low;
    if (t < 0 || t >= length) {
        if (mode === "constant" || length <= 0) return -1;
        const period = { wrap: length, symmetric: 2 * length, reflect: 2 * (length - 1) || 1 }[
            mode
        ];
        if (mode === "edge") t = t < 0 ? 0 : length - 1;
        else t = ((t % period) + period) % period;
        if (t >= length) t = period - t - (mode === "symmetric" ? 1 : 0);
    }
    return (t + low) % (interior + 1) === 0 ? (t + low) / (interior + 1) : -1;
}

const isSolvable = ({ extent, before, after, interior, mode }, order) => {
    const dilated = extent > 0 ? (extent - 1) * (interior + 1) + 1 : 0;
    const cropped = order === "crop" ? Math.min(before, 0) + Math.min(after, 0) : 0;
    if (before + dilated + after < 0) return false;
    return mode === "constant" || dilated + cropped > 0 || (before <= 0 && after <= 0);
};

function randomAxis(extent, isLarge, order) {
    for (;;) {
        const axis = { extent, mode: choice(MODES), before: 0, after: 0, interior: 0 };
        axis.before = integer(-Math.min(extent, 3), isLarge ? 2 : 6);
        axis.after = integer(-Math.min(extent, 3), isLarge ? 3 : 6);
        if (!isLarge || extent < 9) axis.interior = choice([0, 0, 0, 1, 2]);
        if (isSolvable(axis, order)) return axis;
    }
}

// ---- Elements ----------------------------------------------------------------------------------

/** The numbers of float16 or bfloat16 from 0 on, by their bits. */
function shortNumbers(fraction, bias) {
    const finite = (2 * bias + 1) << fraction;
    return Float64Array.from({ length: finite }, (_, bits) => {
        const exponent = bits >> fraction;
        const rest = (bits & ((1 << fraction) - 1)) / (1 << fraction);
        return exponent > 0 ? (1 + rest) * 2 ** (exponent - bias) : rest * 2 ** (1 - bias);
    });
}
const SHORT = { float16: shortNumbers(10, 15), bfloat16: shortNumbers(7, 127) };

/** The bits of the nearest one; of two, the even one. */
function nearest(numbers, number) {
    const sign = number < 0 || Object.is(number, -0) ? 0x8000 : 0;
    const size = Math.abs(number);
    if (size === INF) return sign | numbers.length;
    let above = numbers.findIndex((one) => one >= size);
    if (above < 0) above = numbers.length - 1;
    const down = above > 0 ? size - numbers[above - 1] : INF;
    const up = Math.abs(numbers[above] - size);
    return sign | (down < up || (down === up && above % 2 === 1) ? above - 1 : above);
}

const CLASSES = ["Int8Array", "Uint8Array", "Uint8ClampedArray", "Int16Array", "Uint16Array"];
CLASSES.push("Int32Array", "Uint32Array", "Float32Array", "Float64Array");
CLASSES.push("BigInt64Array", "BigUint64Array");
if (globalThis.Float16Array) CLASSES.push("Float16Array");
const TYPES = CLASSES.map((name) => [undefined, name, 8 * globalThis[name].BYTES_PER_ELEMENT]);
TYPES.push(["float16", "Uint16Array", 16], ["bfloat16", "Uint16Array", 16]);
TYPES.push(["bool", "Uint8Array", 8], ["float8e5m2", "Uint8Array", 8]);
TYPES.push(["complex64", "Float32Array", 64], ["complex128", "Float64Array", 128]);
const PACKED = { int4: 4, uint4: 4, int2: 2, uint2: 2, uint1: 1, float4e2m1: 4, nf4: 4 };
for (const [name, bits] of Object.entries(PACKED)) TYPES.push([name, "Uint8Array", bits]);

// Constants at which rounding turns, and ties.
const EDGES = [0, -0, 1.5, -2.25, 1e-7, 65519, 6e-8, 2.9e-8, INF, -INF, 2 ** -25, 3 * 2 ** -25];
for (const bits of [8, 11]) EDGES.push(1 + 2 ** -bits, 1 + 3 * 2 ** -bits);

/** A constant as an option, and its bytes, or the bits of a packed one. */
function randomConstant([type, name, bits]) {
    const Array = globalThis[name];
    const bytesOf = (list) => new Uint8Array(Array.from(list).buffer);
    if (bits < 8) {
        const low = type.startsWith("int") ? -(2 ** (bits - 1)) : 0;
        const value = integer(low, low + 2 ** bits - 1);
        return [value, value & (2 ** bits - 1)];
    }
    if (type === "bool") return choice([true, false, 1, 0].map((one) => [one, bytesOf([one])]));
    if (random() < 0.2 || type === "float8e5m2") {
        const bytes = randomBytes(bits / 8);
        return [new Array(bytes.slice().buffer), bytes];
    }
    const number = choice([...EDGES, 18 * random() - 9, 2 ** (43 * random() - 27)]);
    if (type in SHORT) return [number, bytesOf([nearest(SHORT[type], number)])];
    if (type) {
        const pair = [18 * random() - 9, number];
        return [pair, bytesOf(pair)];
    }
    if (name.startsWith("Float")) return [number, bytesOf([number])];
    const element = new Array(randomBytes(bits / 8).buffer);
    return [element[0], bytesOf(element)];
}

/** The bits of a packed element; uint1 begins at the highest bit. */
const shiftOf = (bits, at) => (bits === 1 ? 7 - (at % 8) : (at * bits) % 8);
function readPacked(bytes, bits, at) {
    return (bytes[Math.floor((at * bits) / 8)] >> shiftOf(bits, at)) & (2 ** bits - 1);
}
function writePacked(bytes, bits, at, value) {
    bytes[Math.floor((at * bits) / 8)] |= value << shiftOf(bits, at);
}

// ---- One problem -------------------------------------------------------------------------------

function randomShape(isLarge) {
    if (!isLarge) {
        const rank = choice([0, 1, 1, 2, 2, 3, 4, 5]);
        return Array.from({ length: rank }, () => choice([0, 1, 1, 2, 3, 4, 5, 7]));
    }
    const shape = Array.from({ length: integer(1, 4) }, () => choice([1, 2, 3, 5, 8]));
    shape[integer(0, shape.length - 1)] = integer(30, 300);
    const rest = integer(40_000, 160_000) / shape.reduce((a, b) => a * b, 1);
    shape[integer(0, shape.length - 1)] *= Math.max(1, Math.floor(rest));
    return shape;
}

/** Entries by axis in one of the forms of an option; undefined where all are the default. */
function asOption(values, otherwise, axes) {
    const text = values.map(String);
    const isOne = text.length > 0 && text.every((one) => one === text[0]);
    if (text.every((one) => one === String(otherwise)) && random() < 0.5) return undefined;
    if (isOne && random() < 0.5) return values[0];
    if (axes !== null || random() < 0.5) return values;
    const named = {};
    values.forEach((value, axis) => {
        if (text[axis] !== String(otherwise) || random() < 0.5)
            named[random() < 0.5 ? axis : axis - values.length] = value;
    });
    return named;
}

const lengthOf = ({ extent, before, after, interior }) =>
    before + after + (extent > 0 ? (extent - 1) * (interior + 1) + 1 : 0);

/** The result of a pad. fills: one element, or one for each cell of the axis `along`. */
function paddedBytes(axes, order, bits, input, fills, along) {
    const outExtents = axes.map(lengthOf);
    const places = axes.map((axis, i) =>
        Array.from({ length: outExtents[i] }, (_, at) => sourceOf(at, axis, order)),
    );
    const size = outExtents.reduce((a, b) => a * b, 1);
    const expected = new Uint8Array(Math.ceil((size * bits) / 8));
    const index = new Array(axes.length).fill(0);
    for (let at = 0; at < size; at++) {
        let from = 0;
        for (let i = 0; i < axes.length; i++) {
            const place = places[i][index[i]];
            from = place < 0 || from < 0 ? -1 : from * axes[i].extent + place;
        }
        const fill = fills[along < 0 ? 0 : index[along]];
        if (bits < 8)
            writePacked(expected, bits, at, from < 0 ? fill : readPacked(input, bits, from));
        else {
            const each = bits / 8;
            expected.set(
                from < 0 ? fill : input.subarray(from * each, from * each + each),
                at * each,
            );
        }
        for (let i = axes.length - 1; i >= 0 && ++index[i] === outExtents[i]; i--) index[i] = 0;
    }
    return expected;
}

function randomProblem(isLarge) {
    const [type, name, bits] = choice(TYPES);
    const order = choice(["window", "crop"]);
    const shape = randomShape(isLarge);
    const rank = shape.length;
    let axes = shape.map((extent) => randomAxis(extent, isLarge, order));
    const alike = axes.map((axis) => ({ ...axes[0], extent: axis.extent }));
    if (random() < 0.4 && alike.every((axis) => isSolvable(axis, order))) axes = alike;
    let named = null;
    if (rank > 0 && random() < 0.3) {
        named = shape.map((_, axis) => axis).filter(() => random() < 0.7);
        if (random() < 0.5) named.reverse();
        axes = axes.map((axis, i) => {
            return named.includes(i)
                ? axis
                : { extent: axis.extent, before: 0, after: 0, interior: 0, mode: "constant" };
        });
    }
    const listed = named === null ? axes : named.map((axis) => axes[axis]);
    const option = (of, otherwise) => asOption(listed.map(of), otherwise, named);
    const options = {
        padWidth: option(({ before, after }) => [before, after], "0,0"),
        interior: option(({ interior }) => interior, 0),
        mode: option(({ mode }) => mode, "constant"),
        order: order === "crop" || random() < 0.3 ? order : undefined,
        axes: named?.map((axis) => (random() < 0.5 ? axis : axis - rank)),
    };
    const elements = shape.reduce((a, b) => a * b, 1);
    const input = randomBytes(Math.ceil((elements * bits) / 8));
    if (type === "bool") input.forEach((byte, i) => (input[i] = byte % 2));
    if (bits < 8 && (elements * bits) % 8 !== 0) {
        const last = input.at(-1);
        const kept = (elements * bits) % 8;
        input[input.length - 1] = bits === 1 ? last & (0xff << (8 - kept)) : last & (2 ** kept - 1);
    }
    const outShape = axes.map(lengthOf);
    const constants = {};
    let fills = [bits < 8 ? 0 : new Uint8Array(bits / 8)];
    let along = -1;
    if (rank > 0 && bits >= 8 && type !== "float8e5m2" && random() < 0.25) {
        along = integer(0, rank - 1);
        const made = Array.from({ length: outShape[along] }, () =>
            randomConstant([type, name, bits]),
        );
        fills = made.map(([, bytes]) => bytes);
        const Class = globalThis[name];
        const values = new Class(Uint8Array.from(fills.flatMap((one) => [...one])).buffer);
        const areNumbers = made.every(([option]) => !ArrayBuffer.isView(option));
        constants.constantValue = areNumbers ? made.map(([option]) => option) : values;
        constants.constantAxis = choice([along, along - rank]);
    } else if (random() < 0.8) {
        [constants.constantValue, fills[0]] = randomConstant([type, name, bits]);
    }
    const expected = paddedBytes(axes, order, bits, input, fills, along);
    return { type, name, shape, options, constants, input, expected, outShape, axes };
}

// ---- All ways ----------------------------------------------------------------------------------

const bytesOf = (array) => Buffer.from(array.buffer, array.byteOffset, array.byteLength);

/** An array of these bytes inside of a larger buffer of 0xa5. */
function inside(Array, source, offset, kind) {
    const size = Array.BYTES_PER_ELEMENT;
    const length = source.length + 2 * offset * size;
    const more = kind === "resizable" ? [{ maxByteLength: 2 * length }] : [];
    const buffer = new (kind === "shared" ? SharedArrayBuffer : ArrayBuffer)(length, ...more);
    new Uint8Array(buffer).fill(0xa5);
    new Uint8Array(buffer).set(source, offset * size);
    return new Array(buffer, offset * size, source.length / size);
}

function isAloneIn({ buffer, byteOffset, byteLength }) {
    return new Uint8Array(buffer).every(
        (byte, i) => byte === 0xa5 || (i >= byteOffset && i < byteOffset + byteLength),
    );
}

function* ways({ type, name, shape, options, constants, input, expected, axes }) {
    const Array = globalThis[name];
    const size = Array.BYTES_PER_ELEMENT;
    const [offset, kind] = [
        choice([0, 0, 1, 3]),
        choice(["plain", "plain", "shared", "resizable"]),
    ];
    const data = inside(Array, input, offset, kind);
    const given = { ...options, ...constants, type };
    const first = tensorpad.pad(data, shape, given);
    yield ["pad", first.data, first.shape];
    const out = inside(Array, Buffer.alloc(expected.length, 0x5a), offset, kind);
    const second = tensorpad.pad(data, shape, { ...given, out });
    yield ["out", second.data, second.shape];
    if (second.data !== out || !isAloneIn(out)) yield ["not out alone", new Array(1), []];
    if (!isAloneIn(data) || bytesOf(data).compare(input) !== 0) yield ["input", new Array(1), []];
    yield ["padShape", first.data, tensorpad.padShape(shape, options)];
    const plan = new tensorpad.Plan(type ?? Array, shape, { ...options, ...constants });
    yield ["plan", plan.run(data), plan.outShape];
    bytesOf(out).fill(0x3c);
    yield ["plan again", plan.run(data, out), plan.outShape];
    const src = tensorpad.allocate(Array, input.length / size);
    const dst = tensorpad.allocate(Array, expected.length / size);
    bytesOf(src.data).set(input);
    bytesOf(dst.data).fill(0x5a);
    yield ["in the engine", plan.run(src.data, dst.data), plan.outShape];
    yield ["out of the engine", tensorpad.pad(src.data, shape, given).data, first.shape];
    yield [
        "into the engine",
        tensorpad.pad(data, shape, { ...given, out: dst.data }).data,
        first.shape,
    ];
    src.free();
    dst.free();
    // The output begins in the middle of the input.
    const whole = new Uint8Array(input.length + expected.length);
    whole.set(input);
    const middle = Math.floor(input.length / size / 2) * size;
    const over = new Array(whole.buffer, middle, expected.length / size);
    const read = new Array(whole.buffer, 0, input.length / size);
    yield ["overlap", tensorpad.pad(read, shape, { ...given, out: over }).data, first.shape];
    if (options.order === "crop" || axes.some(({ before, after }) => before < 0 || after < 0))
        return;
    const { padWidth = 0, interior, axes: named } = options;
    const back = { padWidth, interior, axes: named, type };
    const inside_ = tensorpad.unpad(first.data, first.shape, back);
    if (bytesOf(inside_.data).compare(input) !== 0 || inside_.shape.join() !== shape.join())
        yield ["unpad", new Array(1), []];
}

// ---- To a size ---------------------------------------------------------------------------------

const ALIGNS = ["start", "center", "end", "offset"];
const TOO_LONG = ["error", "crop_end", "crop_start", "crop_center", "keep", "crop"];

function randomRequest() {
    const align = choice(ALIGNS);
    return {
        size: random() < 0.5 ? null : integer(0, 9),
        atMost: null,
        multiple: random() < 0.6 ? null : integer(1, 4),
        align: align === "offset" ? integer(-3, 4) : align,
        tooLong: choice(TOO_LONG),
        mode: choice(MODES),
    };
}

/** The extents that docs/semantics.md gives tensors of these shapes. */
function targets(requests, shapes, square) {
    const least = requests.map(({ size, atMost, align, tooLong }, i) => {
        const own = shapes.map((shape) => shape[i] + (typeof align === "number" ? align : 0));
        if (atMost !== null && tooLong !== "keep") return Math.min(atMost, Math.max(0, ...own));
        if (size === null) return Math.max(0, ...own);
        return tooLong === "keep" ? Math.max(size, ...own) : size;
    });
    const isMultiple = (extent, i) => extent % (requests[i].multiple ?? 1) === 0;
    const made = least.map((extent, i) => {
        while (!isMultiple(extent, i)) extent++;
        return extent;
    });
    if (square === undefined) return made;
    let side = Math.max(...square.map((i) => made[i]));
    while (!square.every((i) => isMultiple(side, i))) side++;
    return made.map((extent, i) => (square.includes(i) ? side : extent));
}

/** The axis of one tensor; it has `isCut` where cells are cut off; `empty` where the
 * mode has nothing to repeat. */
function placed({ align, tooLong, mode }, extent, length) {
    const room = length - extent;
    const half = Math.trunc(room / 2);
    let before = { start: 0, center: half, end: room }[align] ?? align;
    if (room < 0 && typeof align === "string" && tooLong !== "crop")
        before = { crop_end: 0, crop_start: room, crop_center: half }[tooLong] ?? room;
    const axis = { extent, before, after: room - before, interior: 0, mode };
    const crops = before < 0 || axis.after < 0;
    if (crops && ["error", "keep"].includes(tooLong)) axis.isCut = true;
    else if (!isSolvable(axis, "window")) axis.empty = true;
    return axis;
}

/** padTo for one item, else padBatch, against the rules. Yields what is wrong. */
function* fits(count) {
    const rank = integer(count === 1 ? 0 : 1, 3);
    const requests = Array.from({ length: rank }, randomRequest);
    const axes = rank > 0 && random() < 0.4 ? [integer(0, rank - 1)] : undefined;
    for (const one of requests) {
        if (count > 1 && one.size === null && random() < 0.5) one.atMost = integer(0, 9);
    }
    const hasSquare = count === 1 && !axes && rank > 1 && random() < 0.4;
    const pair = Array.from(rank === 2 ? "10" : choice(["01", "20", "12"]), Number);
    const square = hasSquare ? pair : undefined;
    const shapes = Array.from({ length: count }, () =>
        Array.from({ length: rank }, () => choice([0, 1, 2, 3, 4, 5, 7])),
    );
    const items = shapes.map((shape) => {
        if (axes) shape.forEach((_, i) => axes.includes(i) || (shape[i] = shapes[0][i]));
        return { data: randomBytes(shape.reduce((a, b) => a * b, 1)), shape };
    });
    const free = { size: null, multiple: null, atMost: null };
    const rest = { ...free, align: "start", tooLong: "error", mode: "constant" };
    const used = requests.map((one, i) => (axes && !axes.includes(i) ? rest : one));
    const named = axes ? axes.map((i) => requests[i]) : requests;
    const options = count === 1 ? { axes, square } : { axes, mask: true, lengths: true };
    options.constantValue = 77;
    for (const name of Object.keys(rest)) options[name] = named.map((one) => one[name]);
    if (count === 1) delete options.atMost;
    const extents = targets(used, shapes, square);
    const places = shapes.map((shape) => used.map((one, i) => placed(one, shape[i], extents[i])));
    const hasCells = !extents.includes(0);
    const isRefused = places.flat().some(({ isCut, empty }) => isCut || (empty && hasCells));
    const bytes = (own, data, fill) => [
        ...paddedBytes(own, "window", 8, data, [Uint8Array.of(fill)], -1),
    ];
    const wanted = places.flatMap((own, i) => (isRefused ? [] : bytes(own, items[i].data, 77)));
    const text = () => `fits: ${JSON.stringify({ options, shapes })}`;
    const out = new Uint8Array(extents.reduce((a, b) => a * b, count)).fill(9);
    for (const given of [{}, { out }]) {
        let told;
        try {
            const all = { ...options, ...given };
            if (count > 1) told = tensorpad.padBatch(items, all);
            else told = tensorpad.padTo(items[0].data, shapes[0], all);
        } catch (error) {
            if (!isRefused || !/do not fit|has no element/.test(error)) yield `${text()} ${error}`;
            if (out.some((byte) => byte !== 9)) yield `${text()} wrote into out`;
            continue;
        }
        const shape = count === 1 ? extents : [count, ...extents];
        if (told.data.join() !== wanted.join() || told.shape.join() !== shape.join()) yield text();
        if (count === 1) {
            const amounts = places[0].map(({ before, after }) => [before, after]);
            if (told.padWidth.join() !== amounts.join()) yield `${text()} ${told.padWidth}`;
            continue;
        }
        const mask = places.flatMap((own, i) => {
            const plain = own.map((axis) => ({ ...axis, mode: "constant" }));
            const ones = items[i].data.map(() => 1);
            return bytes(plain, ones, 0);
        });
        const lengths = shapes.map((shape, t) => {
            const own = shape.map((extent, i) => {
                const { before } = places[t][i];
                const cells = Array.from({ length: extent }, (_, k) => k + before);
                return cells.filter((at) => at >= 0 && at < extents[i]).length;
            });
            return rank === 1 ? own[0] : own;
        });
        if (told.mask.join() !== mask.join()) yield `${text()} mask ${told.mask}`;
        if (JSON.stringify(told.lengths) !== JSON.stringify(lengths))
            yield `${text()} lengths ${JSON.stringify(told.lengths)}`;
    }
}

const wrong = [];
for (let number = 0; number < count && wrong.length < 9; number++) {
    const problem = randomProblem(number % LARGE === 0);
    const { input, expected, outShape, axes, ...about } = problem;
    const text = () =>
        JSON.stringify(about, (_, one) => (typeof one === "bigint" ? `${one}n` : one)).slice(
            0,
            900,
        );
    try {
        for (const [way, array, shape] of ways(problem)) {
            const isRight =
                array.constructor.name === problem.name &&
                shape.join() === outShape.join() &&
                bytesOf(array).compare(expected) === 0;
            if (!isRight) wrong.push(`${number} ${way}: ${text()}`);
        }
    } catch (error) {
        wrong.push(`${number} ${error.stack.slice(0, 300)}: ${text()}`);
    }
    wrong.push(...fits(choice([1, 2, 3])));
}
console.log(JSON.stringify({ kernels: tensorpad.kernels, done: count, wrong }));
